//! Matrix products: which text of `mooncake_shaders` computes one, and what it does with the elements besides storing them: the body of a kernel of
//! points, in the text of the product's own kernel.
//!
//! The body's words of the parameters are, in order: 0; then for each input what its [`Access`] says.

use super::kernel::{COMPONENTS, WORDS, element, enabled, kept, loaded, number, outputs, register};
use super::{KernelText, Wgsl, private};
use crate::diag::Result;
use crate::ir::Type;
use crate::kernel::Kernel;
use mooncake_shaders::{Contiguous, Finish, InSubgroups, Scalar};
use std::fmt::Write;

/// The kernel of a product.
#[derive(Clone, Copy, Debug)]
pub enum Product {
    /// In tiles of an invocation's registers.
    Registers(Scalar, [Option<Contiguous>; 2]),
    /// In tiles of a workgroup's shared memory, of this side.
    SharedMemory(usize, Scalar, [Option<Contiguous>; 2]),
    /// In tiles of a subgroup's registers, of f32.
    Subgroups(InSubgroups),
}

impl Product {
    /// The text that stores the elements. `whole_rows`: whether n is a multiple of four.
    pub fn stored(self, whole_rows: bool) -> KernelText {
        KernelText::sound(self.finished(Finish::Result { whole_rows }))
    }

    /// The text that computes a function of the elements. Kernels for subgroups do not: they store them.
    pub fn with(
        self,
        kernel: &Kernel,
        function: &Wgsl,
        inputs: &[Access],
        in_fours: bool,
        words: usize,
    ) -> Result<KernelText> {
        let own = epilogue(function, inputs, in_fours)?;
        let finish = Finish::Own { text: &own, words };
        let text = [enabled(kernel), self.finished(finish)].concat();
        Ok(match function.is_known {
            true => KernelText::sound(text),
            false => KernelText::checked(text),
        })
    }

    fn finished(self, finish: Finish) -> String {
        match self {
            Product::Registers(scalar, [a, b]) => {
                mooncake_shaders::matmul_in_registers(scalar, a, b, finish)
            }
            Product::SharedMemory(side, scalar, [a, b]) => {
                mooncake_shaders::matmul_in_shared_memory(side, scalar, a, b, finish)
            }
            Product::Subgroups(layout) => mooncake_shaders::matmul_in_subgroups(layout),
        }
    }
}

/// How an input of the body is read at a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// It is the element of the product. No word.
    Product,
    /// From the parameters. Word: the bits; two of them for 64 bits, the lower first.
    Scalar,
    /// Four neighbours of a row together. Words: the offset, and the steps from pair to pair of matrices and from row to row, in groups of four.
    Four,
    /// Anyhow. Words: the offset, and the steps from pair to pair of matrices, from row to row and from column to column.
    Strided,
}

impl Access {
    /// Whether it is an array in memory.
    pub fn is_array(self) -> bool {
        matches!(self, Access::Four | Access::Strided)
    }
}

/// The text that takes four elements of a row of the product. Bindings from 3 on are those of the arrays that the body reads, then of its outputs. If
/// rows are a whole number of groups of four, outputs are written in such groups.
fn epilogue(function: &Wgsl, inputs: &[Access], in_fours: bool) -> Result<String> {
    let mut text = private(function.wide, &function.text);
    text.push_str(&function.text);
    let wide_scalar =
        |(access, &ty): (&Access, &Type)| *access == Access::Scalar && ty == Type::F64;
    let has_wide_scalars = inputs.iter().zip(&function.params).any(wide_scalar);
    if has_wide_scalars && !function.text.contains(&format!("fn {WORDS}(")) {
        text.push_str(super::helper(WORDS).unwrap_or_default());
    }
    let mut binding = 3;
    for (n, (access, &ty)) in inputs.iter().zip(&function.params).enumerate() {
        if access.is_array() {
            let stored = stored(ty, *access == Access::Four)?;
            let _ = writeln!(
                text,
                "@group(0) @binding({binding}) var<storage, read> in{n}: array<{stored}>;"
            );
            binding += 1;
        }
    }
    for (n, &ty) in outputs(function.ret).iter().enumerate() {
        let stored = stored(ty, in_fours)?;
        let _ = writeln!(
            text,
            "@group(0) @binding({binding}) var<storage, read_write> out{n}: array<{stored}>;"
        );
        binding += 1;
    }
    let _ = write!(
        text,
        "\nfn store_row(piece: u32, row: u32, column: u32, values: vec4<Real>) {{\n    if (row >= params.m || column >= params.n) {{ return; }}\n    mc_zero = params.w0;\n"
    );
    if function.wide {
        text.push_str("    mc_zero_f64 = u64(mc_zero);\n");
    }
    text.push_str("    let at = (piece * params.m + row) * params.n + column;\n");
    body(function, inputs, in_fours, &mut text)?;
    text.push_str("}\n\n");
    Ok(text)
}

fn stored(ty: Type, in_fours: bool) -> Result<String> {
    let name = element(ty)?;
    Ok(match in_fours {
        true => format!("vec4<{name}>"),
        false => name.to_owned(),
    })
}

fn body(function: &Wgsl, inputs: &[Access], in_fours: bool, text: &mut String) -> Result<()> {
    let mut words = (1..).map(|n| format!("params.w{n}"));
    let mut word = || words.next().unwrap_or_default();
    // What each input is for the first, the second, … of the four elements.
    let mut values: Vec<[String; 4]> = Vec::new();
    for (n, (access, &ty)) in inputs.iter().zip(&function.params).enumerate() {
        values.push(match access {
            Access::Product => COMPONENTS.map(|lane| format!("values.{lane}")),
            Access::Scalar => {
                let value = number(&mut word, ty)?;
                let _ = writeln!(text, "    let x{n} = {value};");
                COMPONENTS.map(|_| format!("x{n}"))
            }
            Access::Four => {
                let [offset, pair, line] = [(); 3].map(|()| word());
                let at = format!("{offset} + piece * {pair} + row * {line} + column / 4u");
                let four = loaded(ty, true, format!("in{n}[{at}]"));
                let _ = writeln!(text, "    let x{n} = {four};");
                COMPONENTS.map(|lane| format!("x{n}.{lane}"))
            }
            Access::Strided => {
                let [offset, pair, line, step] = [(); 4].map(|()| word());
                let _ = writeln!(
                    text,
                    "    let i{n} = {offset} + piece * {pair} + row * {line} + column * {step};"
                );
                [0, 1, 2, 3]
                    .map(|lane| loaded(ty, false, format!("in{n}[i{n} + {lane}u * {step}]")))
            }
        });
    }
    let field = |n: usize| match function.ret {
        Type::Tuple(_) => format!(".f{n}"),
        _ => String::new(),
    };
    let types = outputs(function.ret);
    for lane in 0..4 {
        let arguments: Vec<&str> = values.iter().map(|value| &value[lane][..]).collect();
        let call = format!("{}({})", function.name, arguments.join(", "));
        if in_fours {
            let _ = writeln!(text, "    let y{lane} = {call};");
            continue;
        }
        let _ = writeln!(text, "    if (column + {lane}u < params.n) {{");
        let _ = writeln!(text, "        let y = {call};");
        for (n, &ty) in types.iter().enumerate() {
            let value = kept(ty, false, format!("y{}", field(n)));
            let _ = writeln!(text, "        out{n}[at + {lane}u] = {value};");
        }
        text.push_str("    }\n");
    }
    if in_fours {
        for (n, &ty) in types.iter().enumerate() {
            let all: Vec<String> = (0..4).map(|lane| format!("y{lane}{}", field(n))).collect();
            let four = format!("vec4<{}>({})", register(ty)?, all.join(", "));
            let four = kept(ty, true, four);
            let _ = writeln!(text, "    out{n}[at / 4u] = {four};");
        }
    }
    Ok(())
}
