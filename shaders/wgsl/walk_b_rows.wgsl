// Walks along k through eight columns of a matrix b whose rows are contiguous. `b_offset` and `b_row` count groups of four.

@group(0) @binding(2) var<storage, read> b: array<Four>;

// Where the next elements are: of the first and of the last four columns.
struct WalkB {
    left: u32,
    right: u32,
}

// Columns outside of the matrix are its last ones: what comes of them is not stored.
fn start_b(column: u32, k: u32) -> WalkB {
    let last = (params.n - 1u) / 4u;
    let first = b_start + k * params.b_row;
    return WalkB(first + min(column / 4u, last), first + min(column / 4u + 1u, last));
}

fn b_part(at: u32, k: u32) -> vec4<Real> {
    let part = four(b[at]);
    if (RAGGED && k >= params.k) { return vec4<Real>(); }
    return part;
}

fn next_b(walk: ptr<function, WalkB>, k: u32) -> Panel {
    let row = params.b_row;
    let left = (*walk).left;
    let right = (*walk).right;
    (*walk).left += 4u * row;
    (*walk).right += 4u * row;
    return Panel(
        Block(b_part(left, k), b_part(left + row, k + 1u), b_part(left + 2u * row, k + 2u), b_part(left + 3u * row, k + 3u)),
        Block(b_part(right, k), b_part(right + row, k + 1u), b_part(right + 2u * row, k + 2u), b_part(right + 3u * row, k + 3u)),
    );
}
