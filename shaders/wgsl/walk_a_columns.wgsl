// Walks along k through 16 rows of a matrix a whose columns are contiguous (a transposed one). `a_offset` and `a_column` count groups of four. Each of the
// eight invocations holds four rows at two places, for one k: the first four invocations hold the first four of eight rows.

@group(0) @binding(1) var<storage, read> a: array<Four>;

// Where the next elements are.
struct WalkA {
    high: u32,
    low: u32,
    lane_k: u32,
}

// What an invocation holds of the first and of the last eight rows.
struct HeldA {
    high: vec4<Real>,
    low: vec4<Real>,
}

// Rows outside of the matrix are its last ones: what comes of them is not stored.
fn start_a(row: u32, lane: u32, k: u32) -> WalkA {
    let last = (params.m - 1u) / 4u;
    let group = row / 4u + lane / 4u;
    let first = a_start + (k + lane % 4u) * params.a_column;
    return WalkA(first + min(group, last), first + min(group + 2u, last), lane % 4u);
}

fn next_a(walk: ptr<function, WalkA>, k: u32) -> HeldA {
    var held = HeldA(four(a[(*walk).high]), four(a[(*walk).low]));
    if (RAGGED && k + (*walk).lane_k >= params.k) { held = HeldA(); }
    (*walk).high += 4u * params.a_column;
    (*walk).low += 4u * params.a_column;
    return held;
}

// What the first four invocations hold.
fn first_four(x: Real) -> vec4<Real> {
    return vec4<Real>(subgroupBroadcast(x, 0u), subgroupBroadcast(x, 1u), subgroupBroadcast(x, 2u), subgroupBroadcast(x, 3u));
}

fn last_four(x: Real) -> vec4<Real> {
    return vec4<Real>(subgroupBroadcast(x, 4u), subgroupBroadcast(x, 5u), subgroupBroadcast(x, 6u), subgroupBroadcast(x, 7u));
}

// Four elements of a row of eight, from the invocations that hold them.
fn a_row_0(held: vec4<Real>) -> vec4<Real> { return first_four(held.x); }
fn a_row_1(held: vec4<Real>) -> vec4<Real> { return first_four(held.y); }
fn a_row_2(held: vec4<Real>) -> vec4<Real> { return first_four(held.z); }
fn a_row_3(held: vec4<Real>) -> vec4<Real> { return first_four(held.w); }
fn a_row_4(held: vec4<Real>) -> vec4<Real> { return last_four(held.x); }
fn a_row_5(held: vec4<Real>) -> vec4<Real> { return last_four(held.y); }
fn a_row_6(held: vec4<Real>) -> vec4<Real> { return last_four(held.z); }
fn a_row_7(held: vec4<Real>) -> vec4<Real> { return last_four(held.w); }
