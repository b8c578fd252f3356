// As reduce_thread, of contiguous rows (axis stride 1, inner 1): four elements at a time into four accumulators. `offset`,
// `outer_stride` and `length` count groups of four; the last group of a row may be partial.

struct Params {
    total: u32,
    axis: u32,
    length: u32,
    chunks: u32,
    inner: u32,
    offset: u32,
    outer_stride: u32,
    axis_stride: u32,
    inner_stride: u32,
}

override invocations: u32 = 64;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<vec4<Real>>;
@group(0) @binding(2) var<storage, read_write> output: array<Real>;

@compute @workgroup_size(invocations)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let item = id.y * groups.x * invocations + id.x;
    if (item >= params.total) { return; }
    let chunk = item % params.chunks;
    let outer = item / params.chunks;
    let base = params.offset + outer * params.outer_stride;
    let whole = params.axis / 4u;
    let start = chunk * params.length;
    let end = min(start + params.length, whole);
    var a = identity();
    var b = a;
    var c = a;
    var d = a;
    for (var i = start; i < end; i += 1u) {
        let x = input[base + i];
        a = combine(a, x.x);
        b = combine(b, x.y);
        c = combine(c, x.z);
        d = combine(d, x.w);
    }
    let left = params.axis % 4u;
    if (left != 0u && whole >= start && whole < start + params.length) {
        let x = input[base + whole];
        a = combine(a, x.x);
        if (left > 1u) { b = combine(b, x.y); }
        if (left > 2u) { c = combine(c, x.z); }
    }
    output[item] = combine(combine(a, b), combine(c, d));
}
