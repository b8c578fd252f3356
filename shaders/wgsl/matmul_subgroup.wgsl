// 16 × 64 elements of the result for one subgroup of exactly 8 invocations: all 16 rows and 8 columns of them for each. Steps of 4 along k: every
// invocation brings a part of two rows of a, and the others get it by broadcast, so that no element of a is loaded twice. For
// software adapters, where loads are what costs: Mesa's llvmpipe loads the eight lanes of one instruction one after the other. x of the dispatch runs over
// all tiles, column by column, so that the columns of b stay in the cache, eight invocations each.
//
// How the matrices are walked through depends on what is contiguous: files walk_*.wgsl.

override invocations: u32 = 64;

// Rows of four and eight columns of b.
struct Panel {
    left: Block,
    right: Block,
}

// The 16 × 8 elements of an invocation, by row: left and right four columns.
struct Tile {
    left: array<vec4<Real>, 16>,
    right: array<vec4<Real>, 16>,
}

// c + row · block. The sum of a row is in a register for all four steps along k.
fn advance(c: vec4<Real>, row: vec4<Real>, block: Block) -> vec4<Real> {
    return c + row.x * block[0] + row.y * block[1] + row.z * block[2] + row.w * block[3];
}

fn multiply(tile: ptr<function, Tile>, i: u32, row: vec4<Real>, panel: Panel) {
    (*tile).left[i] = advance((*tile).left[i], row, panel.left);
    (*tile).right[i] = advance((*tile).right[i], row, panel.right);
}

@compute @workgroup_size(invocations)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = id.y * groups.x * invocations + id.x;
    let lane = thread % 8u;
    let down = (params.m + 15u) / 16u;
    let row = thread / 8u % down * 16u;
    let tile_column = thread / 8u / down * 64u;
    // The same for the whole subgroup.
    if (tile_column >= params.n) { return; }
    let column = tile_column + lane * 8u;
    var tile = Tile();
    let piece = begin(id.z);
    let first = piece * params.piece;
    let end = min(first + params.piece, params.k);
    var walk_a = start_a(row, lane, first);
    var walk_b = start_b(column, first);
    for (var k = first; k < end; k += 4u) {
        let held = next_a(&walk_a, k);
        let panel = next_b(&walk_b, k);
        multiply(&tile, 0u, a_row_0(held.high), panel);
        multiply(&tile, 1u, a_row_1(held.high), panel);
        multiply(&tile, 2u, a_row_2(held.high), panel);
        multiply(&tile, 3u, a_row_3(held.high), panel);
        multiply(&tile, 4u, a_row_4(held.high), panel);
        multiply(&tile, 5u, a_row_5(held.high), panel);
        multiply(&tile, 6u, a_row_6(held.high), panel);
        multiply(&tile, 7u, a_row_7(held.high), panel);
        multiply(&tile, 8u, a_row_0(held.low), panel);
        multiply(&tile, 9u, a_row_1(held.low), panel);
        multiply(&tile, 10u, a_row_2(held.low), panel);
        multiply(&tile, 11u, a_row_3(held.low), panel);
        multiply(&tile, 12u, a_row_4(held.low), panel);
        multiply(&tile, 13u, a_row_5(held.low), panel);
        multiply(&tile, 14u, a_row_6(held.low), panel);
        multiply(&tile, 15u, a_row_7(held.low), panel);
    }
    store_row(id.z, row + 0u, column, tile.left[0]);
    store_row(id.z, row + 0u, column + 4u, tile.right[0]);
    store_row(id.z, row + 1u, column, tile.left[1]);
    store_row(id.z, row + 1u, column + 4u, tile.right[1]);
    store_row(id.z, row + 2u, column, tile.left[2]);
    store_row(id.z, row + 2u, column + 4u, tile.right[2]);
    store_row(id.z, row + 3u, column, tile.left[3]);
    store_row(id.z, row + 3u, column + 4u, tile.right[3]);
    store_row(id.z, row + 4u, column, tile.left[4]);
    store_row(id.z, row + 4u, column + 4u, tile.right[4]);
    store_row(id.z, row + 5u, column, tile.left[5]);
    store_row(id.z, row + 5u, column + 4u, tile.right[5]);
    store_row(id.z, row + 6u, column, tile.left[6]);
    store_row(id.z, row + 6u, column + 4u, tile.right[6]);
    store_row(id.z, row + 7u, column, tile.left[7]);
    store_row(id.z, row + 7u, column + 4u, tile.right[7]);
    store_row(id.z, row + 8u, column, tile.left[8]);
    store_row(id.z, row + 8u, column + 4u, tile.right[8]);
    store_row(id.z, row + 9u, column, tile.left[9]);
    store_row(id.z, row + 9u, column + 4u, tile.right[9]);
    store_row(id.z, row + 10u, column, tile.left[10]);
    store_row(id.z, row + 10u, column + 4u, tile.right[10]);
    store_row(id.z, row + 11u, column, tile.left[11]);
    store_row(id.z, row + 11u, column + 4u, tile.right[11]);
    store_row(id.z, row + 12u, column, tile.left[12]);
    store_row(id.z, row + 12u, column + 4u, tile.right[12]);
    store_row(id.z, row + 13u, column, tile.left[13]);
    store_row(id.z, row + 13u, column + 4u, tile.right[13]);
    store_row(id.z, row + 14u, column, tile.left[14]);
    store_row(id.z, row + 14u, column + 4u, tile.right[14]);
    store_row(id.z, row + 15u, column, tile.left[15]);
    store_row(id.z, row + 15u, column + 4u, tile.right[15]);
}
