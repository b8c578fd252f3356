// The memory of one element: its tape grows from below, its objects from above. Addresses are in bytes. The kernel declares
// `mc_scratch`, which holds the first word of every invocation, then the second of every one, and so on.

var<private> mc_lane: u32;
var<private> mc_lanes: u32;
var<private> mc_tape: u32;
var<private> mc_objects: u32;

fn mcx_reset_memory() {
    mc_tape = 0u;
    mc_objects = MC_BYTES;
}

fn mcx_load(at: u32) -> u32 {
    return mc_scratch[min(at >> 2u, MC_WORDS - 1u) * mc_lanes + mc_lane];
}

fn mcx_store(at: u32, bits: u32) {
    mc_scratch[min(at >> 2u, MC_WORDS - 1u) * mc_lanes + mc_lane] = bits;
}

fn mcx_load_bool(at: u32) -> bool {
    return ((mcx_load(at) >> ((at & 3u) * 8u)) & 255u) != 0u;
}

fn mcx_store_bool(at: u32, value: bool) {
    let shift = (at & 3u) * 8u;
    mcx_store(at, (mcx_load(at) & ~(255u << shift)) | (u32(value) << shift));
}

fn mcx_tape_push(bytes: u32) -> u32 {
    if (bytes > mc_objects - mc_tape) {
        mcx_fail(MC_SITE);
        return 0u;
    }
    let at = mc_tape;
    mc_tape = at + bytes;
    return at;
}

fn mcx_tape_pop(bytes: u32) -> u32 {
    mc_tape = mc_tape - min(bytes, mc_tape);
    return mc_tape;
}

// New objects are zero. Sixteen bytes an iteration: drivers limit those of an invocation.
fn mcx_alloc(bytes: u32) -> u32 {
    let most = mc_objects - mc_tape;
    let size = (min(bytes, MC_BYTES) + 15u) & ~15u;
    let iterations = size / 16u;
    if (bytes > most || size > most || iterations > mc_fuel) {
        mcx_fail(MC_SITE);
        return 0u;
    }
    mc_fuel = mc_fuel - iterations;
    mc_objects = mc_objects - size;
    for (var at = mc_objects; at < mc_objects + size; at += 16u) {
        mcx_store(at, 0u);
        mcx_store(at + 4u, 0u);
        mcx_store(at + 8u, 0u);
        mcx_store(at + 12u, 0u);
    }
    return mc_objects;
}
