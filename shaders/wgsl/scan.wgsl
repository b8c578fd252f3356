// Running sums along an axis of a dense array of the shape [outer, extent, inner]. The axis is cut into pieces of `piece` elements; an invocation takes one
// piece of one line. Lines that are neighbours in memory are taken by neighbouring invocations.

struct Params {
    // Pieces of all lines.
    items: u32,
    inner: u32,
    extent: u32,
    piece: u32,
    // Pieces of a line.
    pieces: u32,
    // Where the array begins.
    start: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> from_array: array<Real>;
// The sums before each piece, in the shape [outer, pieces, inner].
@group(0) @binding(2) var<storage, read> before: array<Real>;
// In the shape of the array, or as `before` where only the sum of each piece is asked for.
@group(0) @binding(3) var<storage, read_write> sums: array<Real>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let item = (group.y * groups.x + group.x) * 64u + local;
    if (item >= params.items) { return; }
    let line = item % params.inner;
    let piece = item / params.inner % params.pieces;
    let outer = item / params.inner / params.pieces;
    let first = piece * params.piece;
    let end = min(first + params.piece, params.extent);
    var sum = Real();
    if (KIND == CONTINUED) { sum = before[item]; }
    for (var n = first; n < end; n += 1u) {
        let at = (outer * params.extent + n) * params.inner + line;
        if (KIND == BEFORE) { sums[at] = sum; }
        sum += from_array[params.start + at];
        if (KIND == THROUGH || KIND == CONTINUED) { sums[at] = sum; }
    }
    if (KIND == PIECES) { sums[item] = sum; }
}
