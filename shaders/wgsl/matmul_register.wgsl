// 8 × 8 elements of the result in the registers of one invocation; no shared memory, no barriers. For software
// adapters, where a barrier costs more than it saves. x of the dispatch runs over all tiles, row by row.

override invocations: u32 = 64;

@compute @workgroup_size(invocations)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let tile = id.y * groups.x * invocations + id.x;
    let across = (params.n + 7u) / 8u;
    let row = tile / across * 8u;
    let column = tile % across * 8u;
    if (row >= params.m) { return; }
    var c00 = Block();
    var c01 = Block();
    var c10 = Block();
    var c11 = Block();
    let piece = begin(id.z);
    let end = min((piece + 1u) * params.piece, params.k);
    for (var k = piece * params.piece; k < end; k += 4u) {
        let a0 = load_a(row, k);
        let a1 = load_a(row + 4u, k);
        let b0 = load_b(k, column);
        let b1 = load_b(k, column + 4u);
        c00 += b0 * a0;
        c01 += b1 * a0;
        c10 += b0 * a1;
        c11 += b1 * a1;
    }
    store_blocks(id.z, row, column, 4u, c00, c01, c10, c11);
}
