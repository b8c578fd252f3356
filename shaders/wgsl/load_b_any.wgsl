// Blocks of a matrix b with any strides and extents.

@group(0) @binding(2) var<storage, read> b: array<Real>;

fn b_element(k: u32, column: u32) -> Real {
    if (k >= params.k || column >= params.n) { return Real(); }
    return b[b_start + k * params.b_row + column * params.b_column];
}

fn b_row_part(k: u32, column: u32) -> vec4<Real> {
    return vec4<Real>(b_element(k, column), b_element(k, column + 1u), b_element(k, column + 2u), b_element(k, column + 3u));
}

// b[k .. k + 4, column .. column + 4]
fn load_b(k: u32, column: u32) -> Block {
    return Block(b_row_part(k, column), b_row_part(k + 1u, column), b_row_part(k + 2u, column), b_row_part(k + 3u, column));
}
