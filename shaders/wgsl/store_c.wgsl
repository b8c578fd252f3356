// Writing rows of the result, which is dense.

@group(0) @binding(3) var<storage, read_write> c: array<Real>;

fn store_row(piece: u32, row: u32, column: u32, values: vec4<Real>) {
    if (row >= params.m) { return; }
    let at = (piece * params.m + row) * params.n + column;
    if (column < params.n) { c[at] = values.x; }
    if (column + 1u < params.n) { c[at + 1u] = values.y; }
    if (column + 2u < params.n) { c[at + 2u] = values.z; }
    if (column + 3u < params.n) { c[at + 3u] = values.w; }
}
