//! Hand-written WGSL kernels, as text. They are tested here without a device: naga must accept every kernel.
//!
//! A kernel is a few files put together: what its kind shares, what distinguishes the variant, and its entry point `main`. Binding 0 is
//! always the parameters (a uniform), then come the inputs, then the outputs. Which variant suits which adapter is not decided here.

#![deny(missing_docs)]

/// Defines a constant for each file, and the list of them all.
macro_rules! files {
    ($($(#[$doc:meta])* $name:ident = $file:literal;)*) => {
        $($(#[$doc])* const $name: &str = include_str!(concat!("../wgsl/", $file));)*
        #[cfg(test)]
        const FILES: &[&str] = &[$($file,)*];
    };
}

files! {
    PLACE = "place.wgsl";
    SCAN = "scan.wgsl";
    MATMUL_PARAMS = "matmul_params.wgsl";
    LOAD_A_ROWS = "load_a_rows.wgsl";
    LOAD_A_COLUMNS = "load_a_columns.wgsl";
    LOAD_A_ANY = "load_a_any.wgsl";
    LOAD_B_ROWS = "load_b_rows.wgsl";
    LOAD_B_COLUMNS = "load_b_columns.wgsl";
    LOAD_B_ANY = "load_b_any.wgsl";
    FOURS_F32 = "fours_f32.wgsl";
    FOURS_U64 = "fours_u64.wgsl";
    WALK_A_ROWS = "walk_a_rows.wgsl";
    WALK_A_COLUMNS = "walk_a_columns.wgsl";
    WALK_B_ROWS = "walk_b_rows.wgsl";
    WALK_B_COLUMNS = "walk_b_columns.wgsl";
    STORE_C = "store_c.wgsl";
    STORE_C_FOURS = "store_c_fours.wgsl";
    STORE_C_VECTORS = "store_c_vectors.wgsl";
    STORE_BLOCKS = "store_blocks.wgsl";
    STORE_BLOCKS_IN_A_LOOP = "store_blocks_in_a_loop.wgsl";
    MATMUL_REGISTER = "matmul_register.wgsl";
    MATMUL_SUBGROUP = "matmul_subgroup.wgsl";
    MATMUL_SHARED = "matmul_shared.wgsl";
}

/// What floats are in a kernel, where they are called `Real`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// What every adapter has.
    F32,
    /// Needs f64 and 64-bit integers.
    F64,
}

impl Scalar {
    fn alias(self) -> &'static str {
        match self {
            Scalar::F32 => "alias Real = f32;\n",
            Scalar::F64 => "alias Real = f64;\n",
        }
    }
}

/// What is contiguous in a matrix whose offset and strides are multiples of four otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Contiguous {
    /// Its rows.
    Rows,
    /// Its columns.
    Columns,
}

/// How four contiguous elements are read by kernels for subgroups.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fours {
    /// As four numbers.
    F32,
    /// As two numbers of 64 bits. Needs 64-bit integers.
    U64,
}

/// Where the tile of a matrix product lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tile {
    /// 8 × 8 in the registers of an invocation.
    Register,
    /// 16 × 64 in the registers of a subgroup, which must have 8 invocations. Needs subgroup operations, which exchange f32.
    Subgroup,
    /// 64 × 64 in the shared memory of a workgroup of 64.
    Shared,
    /// 128 × 128 in the shared memory of a workgroup of 256. Of f32 only: it takes [`LARGE_BYTES`] of shared memory.
    Large,
}

/// The shared memory that a workgroup for [`Tile::Large`] takes, in bytes.
pub const LARGE_BYTES: u32 = 2 * 16 * LARGE_PITCH * 16;

/// The groups of four in a row of such a tile in shared memory: one more than are used.
const LARGE_PITCH: u32 = 33;

impl Tile {
    /// Rows and columns.
    pub fn extents(self) -> (usize, usize) {
        match self {
            Tile::Register => (8, 8),
            Tile::Subgroup => (16, 64),
            Tile::Shared => (64, 64),
            Tile::Large => (128, 128),
        }
    }
}

/// What becomes of the elements where a part is placed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Placing {
    /// Those of the part, of two bytes. Needs 16-bit integers.
    Halfwords,
    /// Those of the part, of four bytes.
    Words,
    /// Those of the part, of eight bytes.
    DoubleWords,
    /// The sums of both.
    Sums(Scalar),
}

/// What a kernel of running sums gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scan {
    /// The sum of each piece.
    Pieces,
    /// At each place the sum of the elements before it.
    Before,
    /// At each place the sum of the elements up to it.
    Through,
    /// The same, with what came before the piece.
    Continued,
}

/// What becomes of the elements of a matrix product.
#[derive(Clone, Copy, Debug)]
pub enum Finish<'a> {
    /// They are written to the result, which is binding 3.
    Result {
        /// Whether n is a multiple of four.
        whole_rows: bool,
    },
    /// A text of the caller's takes them.
    Own {
        /// Has `fn store_row(piece: u32, row: u32, column: u32, values: vec4<Real>)`, which is given four elements of a row at a time, also such as are
        /// outside of the result; and bindings from 3 on.
        text: &'a str,
        /// So many words of the parameters are the text's: `params.w0`, `params.w1`, …
        words: usize,
    },
}

/// The parameters of a product, and so many words more.
fn params(words: usize) -> String {
    let own = (0..words).map(|n| format!("    w{n}: u32,\n"));
    let shared = MATMUL_WORDS
        .iter()
        .map(|name| format!("    {name}: u32,\n"));
    let fields: String = shared.chain(own).collect();
    format!("struct Params {{\n{fields}}}\n\n")
}

impl Finish<'_> {
    /// The words of the parameters that are the text's.
    fn words(self) -> usize {
        match self {
            Finish::Result { .. } => 0,
            Finish::Own { words, .. } => words,
        }
    }

    /// What stores the four blocks of an invocation.
    fn store_blocks(self) -> String {
        match self {
            Finish::Result { whole_rows: false } => [STORE_C, STORE_BLOCKS].concat(),
            Finish::Result { whole_rows: true } => [STORE_C_VECTORS, STORE_BLOCKS].concat(),
            Finish::Own { text, .. } => [text, STORE_BLOCKS_IN_A_LOOP].concat(),
        }
    }
}

/// The parameters of a matrix product, all of them words.
pub const MATMUL_WORDS: [&str; 13] = [
    "m", "n", "k", "piece", "pieces", "a_offset", "a_row", "a_column", "a_batch", "b_offset",
    "b_row", "b_column", "b_batch",
];

/// A part of an array, evenly spaced along an axis, from another array.
pub fn place(placing: Placing) -> String {
    let (alias, joined) = match placing {
        Placing::Halfwords => ("enable wgpu_int16;\nalias Real = u16;\n", "part"),
        Placing::Words => ("alias Real = u32;\n", "part"),
        Placing::DoubleWords => ("alias Real = vec2<u32>;\n", "part"),
        Placing::Sums(scalar) => (scalar.alias(), "whole + part"),
    };
    let joined = format!("fn joined(whole: Real, part: Real) -> Real {{ return {joined}; }}\n");
    [alias, &joined, PLACE].concat()
}

/// Running sums along an axis of a dense array. `element` is the WGSL name of the type of its elements.
pub fn scan(kind: Scan, element: &str) -> String {
    let kind = match kind {
        Scan::Pieces => "PIECES",
        Scan::Before => "BEFORE",
        Scan::Through => "THROUGH",
        Scan::Continued => "CONTINUED",
    };
    let kinds =
        "const PIECES = 0u;\nconst BEFORE = 1u;\nconst THROUGH = 2u;\nconst CONTINUED = 3u;\n";
    format!("alias Real = {element};\n{kinds}const KIND = {kind};\n{SCAN}")
}

/// A matrix product in tiles of invocations. Where rows or columns are contiguous, their extent is a multiple of four as well.
pub fn matmul_in_registers(
    scalar: Scalar,
    a: Option<Contiguous>,
    b: Option<Contiguous>,
    finish: Finish,
) -> String {
    matmul_of_blocks(scalar, (a, b), finish, MATMUL_REGISTER)
}

/// A matrix product in tiles of workgroups: [`Tile::Shared`] where `side` is 64, [`Tile::Large`] where it is 128. Where rows or columns are contiguous, their
/// extent is a multiple of four as well.
pub fn matmul_in_shared_memory(
    side: usize,
    scalar: Scalar,
    a: Option<Contiguous>,
    b: Option<Contiguous>,
    finish: Finish,
) -> String {
    // In tiles of 64 an f64 has no room for more: both fill the 16 KiB that every adapter has.
    let pitch = if side == 128 { LARGE_PITCH } else { 16 };
    let sizes = format!("const SIDE = {side}u;\nconst PITCH = {pitch}u;\n");
    let main = [&sizes, MATMUL_SHARED].concat();
    matmul_of_blocks(scalar, (a, b), finish, &main)
}

fn matmul_of_blocks(
    scalar: Scalar,
    (a, b): (Option<Contiguous>, Option<Contiguous>),
    finish: Finish,
    main: &str,
) -> String {
    let load_a = match a {
        Some(Contiguous::Rows) => LOAD_A_ROWS,
        Some(Contiguous::Columns) => LOAD_A_COLUMNS,
        None => LOAD_A_ANY,
    };
    let load_b = match b {
        Some(Contiguous::Rows) => LOAD_B_ROWS,
        Some(Contiguous::Columns) => LOAD_B_COLUMNS,
        None => LOAD_B_ANY,
    };
    let (params, store) = (params(finish.words()), finish.store_blocks());
    let shared = [scalar.alias(), &params, MATMUL_PARAMS];
    [&shared.concat(), load_a, load_b, &store, main].concat()
}

/// What the text of a kernel for subgroups depends on.
#[derive(Clone, Copy, Debug)]
pub struct InSubgroups {
    /// How four contiguous elements are read and written.
    pub fours: Fours,
    /// What is contiguous in a.
    pub a: Contiguous,
    /// What is contiguous in b.
    pub b: Contiguous,
    /// Whether k is no multiple of four.
    pub ragged: bool,
    /// Whether n is a multiple of four.
    pub whole_rows: bool,
}

/// A matrix product of f32 in tiles of subgroups.
pub fn matmul_in_subgroups(layout: InSubgroups) -> String {
    let ragged = match layout.ragged {
        true => "const RAGGED = true;\n",
        false => "const RAGGED = false;\n",
    };
    let fours = match layout.fours {
        Fours::F32 => FOURS_F32,
        Fours::U64 => FOURS_U64,
    };
    let walk_a = match layout.a {
        Contiguous::Rows => WALK_A_ROWS,
        Contiguous::Columns => WALK_A_COLUMNS,
    };
    let walk_b = match layout.b {
        Contiguous::Rows => WALK_B_ROWS,
        Contiguous::Columns => WALK_B_COLUMNS,
    };
    let params = params(0);
    let shared = [Scalar::F32.alias(), ragged, &params, MATMUL_PARAMS, fours].concat();
    let store = match layout.whole_rows {
        true => STORE_C_FOURS,
        false => STORE_C,
    };
    [&shared, walk_a, walk_b, store, MATMUL_SUBGROUP].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    /// Every kernel that can be put together, with a name for messages.
    fn kernels() -> Vec<(String, String)> {
        let mut all = Vec::new();
        for scalar in [Scalar::F32, Scalar::F64] {
            all.extend(kernels_of(scalar));
        }
        all.extend(kernels_for_subgroups());
        all
    }

    fn kernels_of(scalar: Scalar) -> Vec<(String, String)> {
        use Contiguous::*;
        let mut all = Vec::new();
        for placing in [
            Placing::Halfwords,
            Placing::Words,
            Placing::DoubleWords,
            Placing::Sums(scalar),
        ] {
            all.push((format!("place {placing:?} {scalar:?}"), place(placing)));
        }
        for kind in [Scan::Pieces, Scan::Before, Scan::Through, Scan::Continued] {
            let element = format!("{scalar:?}").to_lowercase();
            let name = format!("scan {kind:?} {scalar:?}");
            all.push((name, scan(kind, &element)));
        }
        for a in [Some(Rows), Some(Columns), None] {
            for b in [Some(Rows), Some(Columns), None] {
                let name = |tile| format!("matmul in {tile} {a:?} {b:?} {scalar:?}");
                let stored = [false, true].map(|whole_rows| Finish::Result { whole_rows });
                for finish in stored.into_iter().chain([own()]) {
                    let text = matmul_in_registers(scalar, a, b, finish);
                    all.push((name("registers"), text));
                    let text = matmul_in_shared_memory(64, scalar, a, b, finish);
                    all.push((name("shared memory"), text));
                    if scalar == Scalar::F32 {
                        let text = matmul_in_shared_memory(128, scalar, a, b, finish);
                        all.push((name("shared memory, large"), text));
                    }
                }
            }
        }
        all
    }

    /// What elements become that a text takes: here each first one of four.
    fn own() -> Finish<'static> {
        Finish::Own {
            text: "@group(0) @binding(3) var<storage, read_write> firsts: array<Real>;\nfn store_row(piece: u32, row: u32, column: u32, values: vec4<Real>) {\n    firsts[params.w0 + params.w1 * row] = values.x;\n}\n",
            words: 2,
        }
    }

    fn kernels_for_subgroups() -> Vec<(String, String)> {
        use Contiguous::*;
        let mut all = Vec::new();
        let both = [false, true];
        for fours in [Fours::F32, Fours::U64] {
            for a in [Rows, Columns] {
                for b in [Rows, Columns] {
                    for (ragged, whole_rows) in both.into_iter().zip(both) {
                        let layout = InSubgroups {
                            fours,
                            a,
                            b,
                            ragged,
                            whole_rows,
                        };
                        let name = format!("matmul in subgroups {layout:?}");
                        all.push((name, matmul_in_subgroups(layout)));
                    }
                }
            }
        }
        all
    }

    fn check(name: &str, text: &str) {
        let module = naga::front::wgsl::parse_str(text)
            .unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(text)));
        // Nothing beyond what every WebGPU adapter has, but for the kernels that say so.
        let mut capabilities = Capabilities::empty();
        if name.contains("subgroups") {
            capabilities |= Capabilities::SUBGROUP;
        }
        if name.contains("U64") {
            capabilities |= Capabilities::SHADER_INT64;
        }
        if name.contains("Halfwords") {
            capabilities |= Capabilities::SHADER_INT16;
        }
        if name.contains("F64") {
            capabilities |= Capabilities::FLOAT64 | Capabilities::SHADER_INT64;
        }
        let mut validator = Validator::new(ValidationFlags::all(), capabilities);
        validator
            .validate(&module)
            .unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(text)));
        let entry: Vec<_> = module
            .entry_points
            .iter()
            .map(|e| e.name.as_str())
            .collect();
        assert_eq!(entry, ["main"], "{name}");
    }

    #[test]
    fn naga_accepts_every_kernel() {
        for (name, text) in kernels() {
            check(&name, &text);
        }
    }

    #[test]
    fn every_file_is_in_some_kernel() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/wgsl");
        let mut found: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        let mut listed: Vec<&str> = FILES.to_vec();
        listed.sort();
        assert_eq!(found, listed, "list the files of shaders/wgsl in `files!`");
        let kernels = kernels();
        for file in FILES {
            let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
            assert!(
                kernels.iter().any(|(_, kernel)| kernel.contains(&text)),
                "{file}"
            );
        }
    }
}
