// Writing rows of the result, which is dense, four elements at a time: n is a multiple of four.

@group(0) @binding(3) var<storage, read_write> c: array<vec4<Real>>;

fn store_row(piece: u32, row: u32, column: u32, values: vec4<Real>) {
    if (row >= params.m || column >= params.n) { return; }
    c[((piece * params.m + row) * params.n + column) / 4u] = values;
}
