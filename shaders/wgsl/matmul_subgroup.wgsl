// 16 × 64 elements of the result for one subgroup of exactly 8 invocations: all 16 rows and 8 columns of them for each. Steps of 4 along k: every
// invocation brings a part of two rows of a, and the others get it by broadcast, so that no element of a is loaded twice. For
// software adapters, where loads are what costs. x of the dispatch runs over all tiles, row by row, eight invocations each.

override invocations: u32 = 64;

// The 16 × 8 elements of an invocation: blocks of four rows, left and right four columns.
struct Tile {
    left: array<Block, 4>,
    right: array<Block, 4>,
}

fn outer(column: vec4<Real>, row: vec4<Real>) -> Block {
    return Block(row * column.x, row * column.y, row * column.z, row * column.w);
}

// What the first four invocations of the subgroup hold.
fn first_four(x: Real) -> vec4<Real> {
    return vec4<Real>(
        subgroupBroadcast(x, 0u),
        subgroupBroadcast(x, 1u),
        subgroupBroadcast(x, 2u),
        subgroupBroadcast(x, 3u),
    );
}

fn last_four(x: Real) -> vec4<Real> {
    return vec4<Real>(
        subgroupBroadcast(x, 4u),
        subgroupBroadcast(x, 5u),
        subgroupBroadcast(x, 6u),
        subgroupBroadcast(x, 7u),
    );
}

// One step along k: `high` and `low` are this invocation's elements of the first and last eight rows of a.
fn advance(tile: ptr<function, Tile>, high: Real, low: Real, left: vec4<Real>, right: vec4<Real>) {
    let rows_0 = first_four(high);
    let rows_1 = last_four(high);
    let rows_2 = first_four(low);
    let rows_3 = last_four(low);
    (*tile).left[0] += outer(rows_0, left);
    (*tile).left[1] += outer(rows_1, left);
    (*tile).left[2] += outer(rows_2, left);
    (*tile).left[3] += outer(rows_3, left);
    (*tile).right[0] += outer(rows_0, right);
    (*tile).right[1] += outer(rows_1, right);
    (*tile).right[2] += outer(rows_2, right);
    (*tile).right[3] += outer(rows_3, right);
}

@compute @workgroup_size(invocations)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = id.y * groups.x * invocations + id.x;
    let lane = thread % 8u;
    let across = (params.n + 63u) / 64u;
    let row = thread / 8u / across * 16u;
    let column = thread / 8u % across * 64u + lane * 8u;
    // The same for the whole subgroup.
    if (row >= params.m) { return; }
    var tile = Tile();
    let piece = begin(id.z);
    let end = min((piece + 1u) * params.piece, params.k);
    for (var k = piece * params.piece; k < end; k += 4u) {
        let high = a_row_part(row + lane, k);
        let low = a_row_part(row + 8u + lane, k);
        let left = load_b(k, column);
        let right = load_b(k, column + 4u);
        advance(&tile, high.x, low.x, left[0], right[0]);
        advance(&tile, high.y, low.y, left[1], right[1]);
        advance(&tile, high.z, low.z, left[2], right[2]);
        advance(&tile, high.w, low.w, left[3], right[3]);
    }
    store_block(id.z, row, column, tile.left[0]);
    store_block(id.z, row + 4u, column, tile.left[1]);
    store_block(id.z, row + 8u, column, tile.left[2]);
    store_block(id.z, row + 12u, column, tile.left[3]);
    store_block(id.z, row, column + 4u, tile.right[0]);
    store_block(id.z, row + 4u, column + 4u, tile.right[1]);
    store_block(id.z, row + 8u, column + 4u, tile.right[2]);
    store_block(id.z, row + 12u, column + 4u, tile.right[3]);
}
