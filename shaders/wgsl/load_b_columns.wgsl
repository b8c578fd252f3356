// Blocks of a matrix b whose columns are contiguous (a transposed one). `b_offset` and `b_column` count groups of four; k is a multiple of four.

@group(0) @binding(2) var<storage, read> b: array<vec4<Real>>;

fn b_column_part(k: u32, column: u32) -> vec4<Real> {
    if (k >= params.k || column >= params.n) { return vec4<Real>(); }
    return b[b_start + column * params.b_column + k / 4u];
}

// b[k .. k + 4, column .. column + 4]
fn load_b(k: u32, column: u32) -> Block {
    return transpose(Block(b_column_part(k, column), b_column_part(k, column + 1u), b_column_part(k, column + 2u), b_column_part(k, column + 3u)));
}
