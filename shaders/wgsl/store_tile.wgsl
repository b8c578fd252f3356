// Storing the elements of an invocation of a kernel for subgroups.

fn store_tile(piece: u32, row: u32, column: u32, tile: ptr<function, Tile>) {
    store_row(piece, row + 0u, column, (*tile).left[0]);
    store_row(piece, row + 0u, column + 4u, (*tile).right[0]);
    store_row(piece, row + 1u, column, (*tile).left[1]);
    store_row(piece, row + 1u, column + 4u, (*tile).right[1]);
    store_row(piece, row + 2u, column, (*tile).left[2]);
    store_row(piece, row + 2u, column + 4u, (*tile).right[2]);
    store_row(piece, row + 3u, column, (*tile).left[3]);
    store_row(piece, row + 3u, column + 4u, (*tile).right[3]);
    store_row(piece, row + 4u, column, (*tile).left[4]);
    store_row(piece, row + 4u, column + 4u, (*tile).right[4]);
    store_row(piece, row + 5u, column, (*tile).left[5]);
    store_row(piece, row + 5u, column + 4u, (*tile).right[5]);
    store_row(piece, row + 6u, column, (*tile).left[6]);
    store_row(piece, row + 6u, column + 4u, (*tile).right[6]);
    store_row(piece, row + 7u, column, (*tile).left[7]);
    store_row(piece, row + 7u, column + 4u, (*tile).right[7]);
    store_row(piece, row + 8u, column, (*tile).left[8]);
    store_row(piece, row + 8u, column + 4u, (*tile).right[8]);
    store_row(piece, row + 9u, column, (*tile).left[9]);
    store_row(piece, row + 9u, column + 4u, (*tile).right[9]);
    store_row(piece, row + 10u, column, (*tile).left[10]);
    store_row(piece, row + 10u, column + 4u, (*tile).right[10]);
    store_row(piece, row + 11u, column, (*tile).left[11]);
    store_row(piece, row + 11u, column + 4u, (*tile).right[11]);
    store_row(piece, row + 12u, column, (*tile).left[12]);
    store_row(piece, row + 12u, column + 4u, (*tile).right[12]);
    store_row(piece, row + 13u, column, (*tile).left[13]);
    store_row(piece, row + 13u, column + 4u, (*tile).right[13]);
    store_row(piece, row + 14u, column, (*tile).left[14]);
    store_row(piece, row + 14u, column + 4u, (*tile).right[14]);
    store_row(piece, row + 15u, column, (*tile).left[15]);
    store_row(piece, row + 15u, column + 4u, (*tile).right[15]);
}
