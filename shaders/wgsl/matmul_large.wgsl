// 128 × 128 elements of the result for one workgroup of 256 invocations, 8 × 8 of them each. Steps of 16 along k: half of the invocations bring one 4 × 4
// block of a each to shared memory, the others one of b; then all read rows of both. The 8 × 8 are four blocks 32 apart. Neighbouring invocations read
// neighbouring banks, and 32 of them together read 64 elements of a and 128 of b.

// tile_a[k][row / 4], tile_b[k][column / 4]. A row is one longer than what is in it, so that neighbouring invocations write to different banks.
const PITCH = 33u;
var<workgroup> tile_a: array<vec4<Real>, 528>;
var<workgroup> tile_b: array<vec4<Real>, 528>;

fn outer(column: vec4<Real>, row: vec4<Real>) -> Block {
    return Block(row * column.x, row * column.y, row * column.z, row * column.w);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = group.y * 128u;
    let column = group.x * 128u;
    // Where the first of the four blocks is: 32 neighbours have 4 × 8 of them.
    let part = local / 32u;
    let x = part % 2u * 16u + local % 8u;
    let y = part / 4u * 16u + part / 2u % 2u * 4u + local % 32u / 8u;
    var c00 = Block();
    var c01 = Block();
    var c10 = Block();
    var c11 = Block();
    let piece = begin(group.z);
    let end = min((piece + 1u) * params.piece, params.k);
    for (var k = piece * params.piece; k < end; k += 16u) {
        if (local < 128u) {
            let a_row = local / 4u;
            let a_k = local % 4u * 4u;
            let from_a = transpose(load_a(row + a_row * 4u, k + a_k));
            for (var i = 0u; i < 4u; i += 1u) { tile_a[(a_k + i) * PITCH + a_row] = from_a[i]; }
        } else {
            let b_k = (local - 128u) / 32u * 4u;
            let b_column = local % 32u;
            let from_b = load_b(k + b_k, column + b_column * 4u);
            for (var i = 0u; i < 4u; i += 1u) { tile_b[(b_k + i) * PITCH + b_column] = from_b[i]; }
        }
        workgroupBarrier();
        for (var i = 0u; i < 16u; i += 1u) {
            let a0 = tile_a[i * PITCH + y];
            let a1 = tile_a[i * PITCH + y + 8u];
            let b0 = tile_b[i * PITCH + x];
            let b1 = tile_b[i * PITCH + x + 8u];
            c00 += outer(a0, b0);
            c01 += outer(a0, b1);
            c10 += outer(a1, b0);
            c11 += outer(a1, b1);
        }
        workgroupBarrier();
    }
    store_blocks(group.z, row + y * 4u, column + x * 4u, 32u, c00, c01, c10, c11);
}
