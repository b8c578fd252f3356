// 64 × 64 elements of the result for one workgroup of 64 invocations, 8 × 8 of them each. Steps of 16 along k: every invocation
// brings one 4 × 4 block of a and one of b to shared memory, then reads rows of both. The 8 × 8 are four blocks 32 apart, so that
// neighbouring invocations read neighbouring banks.

// tile_a[k][row / 4], tile_b[k][column / 4]
var<workgroup> tile_a: array<vec4<Real>, 256>;
var<workgroup> tile_b: array<vec4<Real>, 256>;

fn outer(column: vec4<Real>, row: vec4<Real>) -> Block {
    return Block(row * column.x, row * column.y, row * column.z, row * column.w);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = group.y * 64u;
    let column = group.x * 64u;
    let x = local % 8u;
    let y = local / 8u;
    var c00 = Block();
    var c01 = Block();
    var c10 = Block();
    var c11 = Block();
    let piece = begin(group.z);
    let end = min((piece + 1u) * params.piece, params.k);
    for (var k = piece * params.piece; k < end; k += 16u) {
        let a_row = local / 4u;
        let a_k = local % 4u * 4u;
        let from_a = transpose(load_a(row + a_row * 4u, k + a_k));
        let b_k = local / 16u * 4u;
        let b_column = local % 16u;
        let from_b = load_b(k + b_k, column + b_column * 4u);
        for (var i = 0u; i < 4u; i += 1u) {
            tile_a[(a_k + i) * 16u + a_row] = from_a[i];
            tile_b[(b_k + i) * 16u + b_column] = from_b[i];
        }
        workgroupBarrier();
        for (var i = 0u; i < 16u; i += 1u) {
            let a0 = tile_a[i * 16u + y];
            let a1 = tile_a[i * 16u + y + 8u];
            let b0 = tile_b[i * 16u + x];
            let b1 = tile_b[i * 16u + x + 8u];
            c00 += outer(a0, b0);
            c01 += outer(a0, b1);
            c10 += outer(a1, b0);
            c11 += outer(a1, b1);
        }
        workgroupBarrier();
    }
    store_blocks(group.z, row + y * 4u, column + x * 4u, 32u, c00, c01, c10, c11);
}
