// What all matrix products share: c[m,n] = a[m,k] · b[k,n] in blocks of 4 × 4, for each pair of matrices of a batch. The k axis is cut into pieces of
// `piece` (a multiple of 16). Each z of the dispatch is for one piece of one pair; the result has the shape [batch, pieces, m, n] and is summed over
// the pieces by the host if there are several.
//
// A block is a matrix whose columns are four rows (a WGSL matrix is a list of columns), so the product of two such blocks is written
// b · a. How blocks are loaded depends on what is contiguous: files load_*.wgsl. Loads outside of the matrices give zeros. The structure Params, which
// comes before this text, has words alone.

@group(0) @binding(0) var<uniform> params: Params;

// Where the matrices of this pair begin.
var<private> a_start: u32;
var<private> b_start: u32;

// Chooses the pair that a z of the dispatch is for; gives the piece.
fn begin(z: u32) -> u32 {
    let pair = z / params.pieces;
    a_start = params.a_offset + pair * params.a_batch;
    b_start = params.b_offset + pair * params.b_batch;
    return z % params.pieces;
}

alias Block = mat4x4<Real>;
