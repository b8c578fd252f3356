// What all matrix products share: c[m,n] = a[m,k] · b[k,n] in blocks of 4 × 4. The k axis is cut into pieces of `piece` (a multiple of 16), one for each z of
// the dispatch; the result has the shape [pieces, m, n] and is summed by the host if there are several.
//
// A block is a matrix whose columns are four rows (a WGSL matrix is a list of columns), so the product of two such blocks is written
// b · a. How blocks are loaded depends on what is contiguous: files load_*.wgsl. Loads outside of the matrices give zeros.

struct Params {
    m: u32,
    n: u32,
    k: u32,
    piece: u32,
    a_offset: u32,
    a_row: u32,
    a_column: u32,
    b_offset: u32,
    b_row: u32,
    b_column: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

alias Block = mat4x4<f32>;
