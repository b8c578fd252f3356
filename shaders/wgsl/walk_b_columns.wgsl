// Walks along k through eight columns of a matrix b whose columns are contiguous (a transposed one). `b_offset` and `b_column` count groups of
// four.

@group(0) @binding(2) var<storage, read> b: array<Four>;

// Where the next elements are, of each column.
struct WalkB {
    left: vec4<u32>,
    right: vec4<u32>,
}

// Columns outside of the matrix are its last one: what comes of them is not stored.
fn start_b(column: u32, k: u32) -> WalkB {
    let last = vec4<u32>(params.n - 1u);
    let first = b_start + k / 4u;
    let columns = column + vec4<u32>(0u, 1u, 2u, 3u);
    return WalkB(first + min(columns, last) * params.b_column, first + min(columns + 4u, last) * params.b_column);
}

fn b_part(at: u32, k: u32) -> vec4<Real> {
    let part = four(b[at]);
    if (RAGGED) { return select(vec4<Real>(), part, k + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(params.k)); }
    return part;
}

fn b_parts(at: vec4<u32>, k: u32) -> Block {
    return transpose(Block(b_part(at.x, k), b_part(at.y, k), b_part(at.z, k), b_part(at.w, k)));
}

fn next_b(walk: ptr<function, WalkB>, k: u32) -> Panel {
    let panel = Panel(b_parts((*walk).left, k), b_parts((*walk).right, k));
    (*walk).left += 1u;
    (*walk).right += 1u;
    return panel;
}
