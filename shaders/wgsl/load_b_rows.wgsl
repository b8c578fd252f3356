// Blocks of a matrix b whose rows are contiguous. `b_offset` and `b_row` count groups of four; n is a multiple of four.

@group(0) @binding(2) var<storage, read> b: array<vec4<Real>>;

fn b_row_part(k: u32, column: u32) -> vec4<Real> {
    if (k >= params.k || column >= params.n) { return vec4<Real>(); }
    return b[b_start + k * params.b_row + column / 4u];
}

// b[k .. k + 4, column .. column + 4]
fn load_b(k: u32, column: u32) -> Block {
    return Block(b_row_part(k, column), b_row_part(k + 1u, column), b_row_part(k + 2u, column), b_row_part(k + 3u, column));
}
