// Walks along k through 16 rows of a matrix a whose rows are contiguous. `a_offset` and `a_row` count groups of four. Each of the eight invocations holds
// four elements of two rows.

@group(0) @binding(1) var<storage, read> a: array<Four>;

// Where the next elements are.
struct WalkA {
    high: u32,
    low: u32,
}

// What an invocation holds of the first and of the last eight rows.
struct HeldA {
    high: vec4<Real>,
    low: vec4<Real>,
}

// Rows outside of the matrix are its last one: what comes of them is not stored.
fn start_a(row: u32, lane: u32, k: u32) -> WalkA {
    let last = params.m - 1u;
    let high = a_start + min(row + lane, last) * params.a_row + k / 4u;
    let low = a_start + min(row + 8u + lane, last) * params.a_row + k / 4u;
    return WalkA(high, low);
}

fn next_a(walk: ptr<function, WalkA>, k: u32) -> HeldA {
    var held = HeldA(four(a[(*walk).high]), four(a[(*walk).low]));
    if (RAGGED) {
        let inside = k + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(params.k);
        held = HeldA(select(vec4<Real>(), held.high, inside), select(vec4<Real>(), held.low, inside));
    }
    (*walk).high += 1u;
    (*walk).low += 1u;
    return held;
}

// Four elements of a row of eight, from the invocation that holds them.
fn a_row_0(held: vec4<Real>) -> vec4<Real> { return subgroupBroadcast(held, 0u); }
fn a_row_1(held: vec4<Real>) -> vec4<Real> { return subgroupBroadcast(held, 1u); }
fn a_row_2(held: vec4<Real>) -> vec4<Real> { return subgroupBroadcast(held, 2u); }
fn a_row_3(held: vec4<Real>) -> vec4<Real> { return subgroupBroadcast(held, 3u); }
fn a_row_4(held: vec4<Real>) -> vec4<Real> { return subgroupBroadcast(held, 4u); }
fn a_row_5(held: vec4<Real>) -> vec4<Real> { return subgroupBroadcast(held, 5u); }
fn a_row_6(held: vec4<Real>) -> vec4<Real> { return subgroupBroadcast(held, 6u); }
fn a_row_7(held: vec4<Real>) -> vec4<Real> { return subgroupBroadcast(held, 7u); }
