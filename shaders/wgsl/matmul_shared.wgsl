// SIDE × SIDE elements of the result for one workgroup, 8 × 8 of them for each invocation. Steps of 16 along k: invocations bring 4 × 4 blocks of a and b to
// shared memory, then all read rows of both. The 8 × 8 are four blocks 32 apart, so that neighbouring invocations read neighbouring banks. SIDE is 64 or 128.

const INVOCATIONS = SIDE * SIDE / 64u;

// tile_a[k][row / 4], tile_b[k][column / 4]. A row of these has PITCH elements, at least SIDE / 4: one more lets neighbours write to different banks.
var<workgroup> tile_a: array<vec4<Real>, 16u * PITCH>;
var<workgroup> tile_b: array<vec4<Real>, 16u * PITCH>;

fn outer(column: vec4<Real>, row: vec4<Real>) -> Block {
    return Block(row * column.x, row * column.y, row * column.z, row * column.w);
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = group.y * SIDE;
    let column = group.x * SIDE;
    // Where the first of the four blocks is, in blocks. 32 neighbours have 4 × 8 first blocks.
    let part = local / 32u;
    let part_x = part % (SIDE / 64u);
    let part_y = part / (SIDE / 64u);
    let x = part_x * 16u + local % 8u;
    let y = part_y / 2u * 16u + part_y % 2u * 4u + local % 32u / 8u;
    // Each of the first SIDE invocations brings a block of a, each of the last ones a block of b.
    let from_end = local + SIDE - INVOCATIONS;
    var c00 = Block();
    var c01 = Block();
    var c10 = Block();
    var c11 = Block();
    let piece = begin(group.z);
    let end = min((piece + 1u) * params.piece, params.k);
    for (var k = piece * params.piece; k < end; k += 16u) {
        if (local < SIDE) {
            let a_row = local / 4u;
            let a_k = local % 4u * 4u;
            let from_a = transpose(load_a(row + a_row * 4u, k + a_k));
            for (var i = 0u; i < 4u; i += 1u) { tile_a[(a_k + i) * PITCH + a_row] = from_a[i]; }
        }
        if (from_end < SIDE) {
            let b_k = from_end / (SIDE / 4u) * 4u;
            let b_column = from_end % (SIDE / 4u);
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
