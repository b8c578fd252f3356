//! Memory of kernels: what a scalar function keeps in objects, slices and on the tape.
//!
//! Each invocation has [`WORDS`] words of a storage buffer to itself, for one element after the other. (Private variables of that size
//! are what drivers take minutes to compile.) Tape and objects grow towards each other; where they would meet, the element
//! fails as a guard does. The places of fields are those of the IR (`ir::layout`), in which addresses and `usize` have 64
//! bits: of these the lower word is used. An address is a number of bytes from the start, a slice an address and a length.

use super::{Printer, Unit, name, refused};
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::ir::{InstData, Op, Prim, Type};

/// The words of an element's memory.
const WORDS: usize = 2048;

/// The bytes of an element's memory.
pub const BYTES: usize = 4 * WORDS;

const TEXT: &str = include_str!("memory.wgsl");

/// The name of the structure for a slice.
pub(super) const SLICE: &str = "Slice";

impl Unit<'_> {
    /// Declares the memory where it is used first.
    pub(super) fn use_memory(&mut self) {
        if std::mem::replace(&mut self.memory, true) {
            return;
        }
        // Making an object takes iterations of a loop.
        self.loops = true;
        let message = format!(
            "what a function in `map` keeps for one element, and for its derivative, takes more than the {BYTES} bytes of a GPU kernel"
        );
        let fault = Diagnostic::new(Span::NONE, message).help("run it on Device::cpu()");
        let site = self.site(fault);
        let text = TEXT
            .replace("MC_WORDS", &format!("{WORDS}u"))
            .replace("MC_BYTES", &format!("{BYTES}u"))
            .replace("MC_SITE", &format!("{site}u"));
        self.texts.push(format!("{text}\n"));
    }
    /// Declares the structure of slices.
    pub(super) fn slice(&mut self) -> &'static str {
        let text = format!("struct {SLICE} {{ at: u32, len: u32 }}\n");
        self.structs.insert((SLICE.len(), SLICE.to_owned()), text);
        SLICE
    }
}

impl Printer<'_, '_, '_> {
    /// An operation on memory that has a result.
    pub(super) fn memory(
        &mut self,
        prim: Prim,
        args: &[String],
        from: Type,
        to: Type,
    ) -> Result<String> {
        self.unit.use_memory();
        let arg = |n: usize| args.get(n).map(String::as_str).unwrap_or_default();
        let (a, b) = (arg(0), arg(1));
        match prim {
            Prim::Len => Ok(format!("{a}.len")),
            Prim::Base => Ok(format!("{a}.at")),
            Prim::View => Ok(format!("{}({a}, {b})", self.unit.slice())),
            Prim::Subslice => {
                let size = element_size(from)?;
                let slice = self.unit.slice();
                Ok(format!("{slice}({a}.at + {b} * {size}u, {})", arg(2)))
            }
            Prim::Load => {
                let size = element_size(from)?;
                self.read(&format!("{a}.at + {b} * {size}u"), to)
            }
            Prim::Get(at) | Prim::Peek(at) => self.read(&format!("{a} + {at}u"), to),
            Prim::Offset => Ok(format!("{a} + {b}")),
            Prim::Alloc => Ok(format!("mcx_alloc({a})")),
            Prim::TapePush => Ok(format!("mcx_tape_push({a})")),
            Prim::TapePop => Ok(format!("mcx_tape_pop({a})")),
            _ => Err(Error::Internal(format!(
                "`{}` is no operation on memory",
                prim.mnemonic()
            ))),
        }
    }
    /// An operation that writes memory.
    pub(super) fn write(&mut self, data: &InstData) -> Result<()> {
        let ty = |n: usize| self.function.ty(data.args[n]);
        let (place, value) = match data.op {
            Op::Prim(Prim::Store) => {
                let size = element_size(ty(0))?;
                let (slice, index) = (name(data.args[0]), name(data.args[1]));
                (format!("{slice}.at + {index} * {size}u"), 2)
            }
            Op::Prim(Prim::Set(at) | Prim::Poke(at)) => {
                (format!("{} + {at}u", name(data.args[0])), 1)
            }
            _ => return Ok(()),
        };
        self.unit.use_memory();
        let (ty, value) = (ty(value), name(data.args[value]));
        let text = match self.unit.ty(ty)?.as_str() {
            "bool" => format!("mcx_store_bool({place}, {value});"),
            "u32" => format!("mcx_store({place}, {value});"),
            "f32" | "i32" => format!("mcx_store({place}, bitcast<u32>({value}));"),
            "f64" | "i64" | "u64" => {
                let store = self.unit.helper("mcx_store_wide");
                format!("{store}({place}, bitcast<u64>({value}));")
            }
            _ => {
                return Err(refused(format_args!(
                    "values of type {ty} in the memory of a GPU kernel"
                )));
            }
        };
        self.line(text);
        Ok(())
    }
    fn read(&mut self, place: &str, ty: Type) -> Result<String> {
        Ok(match self.unit.ty(ty)?.as_str() {
            "bool" => format!("mcx_load_bool({place})"),
            "u32" => format!("mcx_load({place})"),
            name @ ("f32" | "i32") => format!("bitcast<{name}>(mcx_load({place}))"),
            name @ ("f64" | "i64" | "u64") => {
                let load = self.unit.helper("mcx_load_wide");
                format!("bitcast<{name}>({load}({place}))")
            }
            _ => {
                return Err(refused(format_args!(
                    "values of type {ty} in the memory of a GPU kernel"
                )));
            }
        })
    }
}

fn element_size(slice: Type) -> Result<usize> {
    let size = slice.element().and_then(Type::size);
    size.ok_or_else(|| {
        refused(format_args!(
            "values of type {slice} do not exist in GPU kernels"
        ))
    })
}
