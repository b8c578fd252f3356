// Blocks of a matrix a whose rows are contiguous. `a_offset` and `a_row` count groups of four; k is a multiple of four.

@group(0) @binding(1) var<storage, read> a: array<vec4<Real>>;

fn a_row_part(row: u32, k: u32) -> vec4<Real> {
    if (row >= params.m || k >= params.k) { return vec4<Real>(); }
    return a[a_start + row * params.a_row + k / 4u];
}

// a[row .. row + 4, k .. k + 4]
fn load_a(row: u32, k: u32) -> Block {
    return Block(a_row_part(row, k), a_row_part(row + 1u, k), a_row_part(row + 2u, k), a_row_part(row + 3u, k));
}
