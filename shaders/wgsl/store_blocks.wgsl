// Stores the four blocks of an invocation, which are `step` rows and columns apart.

fn store_block(piece: u32, row: u32, column: u32, block: Block) {
    store_row(piece, row, column, block[0]);
    store_row(piece, row + 1u, column, block[1]);
    store_row(piece, row + 2u, column, block[2]);
    store_row(piece, row + 3u, column, block[3]);
}

fn store_blocks(piece: u32, row: u32, column: u32, step: u32, c00: Block, c01: Block, c10: Block, c11: Block) {
    store_block(piece, row, column, c00);
    store_block(piece, row, column + step, c01);
    store_block(piece, row + step, column, c10);
    store_block(piece, row + step, column + step, c11);
}
