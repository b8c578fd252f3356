// Stores the four blocks of an invocation, which are `step` rows and columns apart. Storing a row takes a long text here, and drivers compile long texts
// slowly: in a loop the text occurs once. The loop reads a copy, so that the sums themselves stay in registers.

fn store_blocks(piece: u32, row: u32, column: u32, step: u32, c00: Block, c01: Block, c10: Block, c11: Block) {
    var blocks = array<Block, 4>(c00, c01, c10, c11);
    for (var i = 0u; i < 16u; i += 1u) {
        let block = i / 4u;
        store_row(piece, row + block / 2u * step + i % 4u, column + block % 2u * step, blocks[block][i % 4u]);
    }
}
