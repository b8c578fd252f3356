// Blocks of a matrix a whose columns are contiguous (a transposed one). `a_offset` and `a_column` count groups of four; m is a multiple of four.

@group(0) @binding(1) var<storage, read> a: array<vec4<Real>>;

fn a_column_part(row: u32, k: u32) -> vec4<Real> {
    if (row >= params.m || k >= params.k) { return vec4<Real>(); }
    return a[a_start + k * params.a_column + row / 4u];
}

// a[row .. row + 4, k .. k + 4]
fn load_a(row: u32, k: u32) -> Block {
    return transpose(Block(a_column_part(row, k), a_column_part(row, k + 1u), a_column_part(row, k + 2u), a_column_part(row, k + 3u)));
}

fn a_element(row: u32, k: u32) -> Real {
    if (row >= params.m || k >= params.k) { return Real(); }
    return a[a_start + k * params.a_column + row / 4u][row % 4u];
}

// a[row, k .. k + 4]: not contiguous.
fn a_row_part(row: u32, k: u32) -> vec4<Real> {
    return vec4<Real>(a_element(row, k), a_element(row, k + 1u), a_element(row, k + 2u), a_element(row, k + 3u));
}
