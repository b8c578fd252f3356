// Storing the elements of an invocation of a kernel for subgroups where that takes a long text, which drivers compile slowly: it is there once. The loop is
// over a copy, so that the sums themselves stay in registers.

fn store_tile(piece: u32, row: u32, column: u32, tile: ptr<function, Tile>) {
    var made = *tile;
    for (var i = 0u; i < 32u; i += 1u) {
        let right = i / 16u;
        var values = made.left[i % 16u];
        if (right == 1u) { values = made.right[i % 16u]; }
        store_row(piece, row + i % 16u, column + 4u * right, values);
    }
}
