// Blocks of a matrix a with any strides and extents.

@group(0) @binding(1) var<storage, read> a: array<Real>;

fn a_element(row: u32, k: u32) -> Real {
    if (row >= params.m || k >= params.k) { return Real(); }
    return a[a_start + row * params.a_row + k * params.a_column];
}

fn a_row_part(row: u32, k: u32) -> vec4<Real> {
    return vec4<Real>(a_element(row, k), a_element(row, k + 1u), a_element(row, k + 2u), a_element(row, k + 3u));
}

// a[row .. row + 4, k .. k + 4]
fn load_a(row: u32, k: u32) -> Block {
    return Block(a_row_part(row, k), a_row_part(row + 1u, k), a_row_part(row + 2u, k), a_row_part(row + 3u, k));
}
