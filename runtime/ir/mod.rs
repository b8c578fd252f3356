//! The intermediate representation.
//!
//! A [`Module`] is a set of functions by name, one of them the root. A [`Function`] is a control-flow graph of
//! [`Block`]s. A block has parameters, a list of instructions and one [`Terminator`]; an edge to a block passes one
//! argument for each of its parameters (block parameters, not phi nodes, so that a merge is an assignment like any
//! other and no instruction depends on its position). The entry block's parameters are the function's parameters.
//!
//! **Values** are in static single assignment form: each [`Value`] is a block parameter or the one result of one
//! instruction, has one [`Type`], and its definition dominates every use. An instruction without a result has the
//! result type `()`. Several results are a tuple.
//!
//! **Operations** are closed at the core and open at the edge. [`Prim`] is the closed set of machine-level
//! operations, declared in one table and matched without a wildcard; [`Op::Call`] names everything that packs and
//! users define; [`Op::Map`] applies a scalar function to every element of arrays, with broadcasting. The core has
//! no derivative of anything: a primitive's mnemonic (`mul`) is also the name under which packs give its rule.
//!
//! **Effects** are explicit ([`Op::effect`]): what does not read, write, allocate, guard or call is pure and may be
//! moved, merged and dropped.
//!
//! **Errors** are values, not unwinding: [`Prim::Assert`] leaves the function with a [`Fault`] when its condition is
//! false, and the [`Terminator::Error`] does so always. The instruction's span is the place the user sees.
//!
//! **Types** are interned and `Copy`. `Infer(n)` occurs only in generic IR, before inference; the verifier says
//! which form it checks.
//!
//! Memory: a slice is an address and a length. A `SliceMut` that a function is given from outside never aliases another
//! slice that it is given (within a module, shadows of one slice may), and the memory of a `Slice` that it is given does
//! not change while it runs; Rust guarantees both. A slice that is a `view` of an object is no more than that. An array is a
//! handle to an immutable value on a device. `Ptr` is an address of an *object*: memory of the user's data structures,
//! laid out by [`layout`], allocated for the length of a call and never freed within it. Its shadow has the same
//! layout: a float's cotangent is where the float is, a pointer's shadow where the pointer is. `Addr` is an address of
//! tape memory, made by the AD transform only; it has no shadow.
//!
//! What exists (the tables), in what order (`layout`, `BlockData::insts`) and what is known about it (side tables
//! of the passes) are three things. Rows are never removed from a table; what is not in the layout does not exist.

use crate::arena::{Id, Table, id};
use crate::diag::Span;
use smallvec::SmallVec;
pub mod eval;
pub mod half_floats;
pub mod layout;
mod fault;
pub mod linear;
pub use fault::Shown;
pub(crate) use fault::elided;
pub mod build;
mod callee;
pub use callee::{Callee, Checked, NativeName, NativePart, ShapeCheck};
mod calls;
pub use calls::Called;
mod host_op;
pub use host_op::HostOp;
pub mod flow;
pub mod roots;
mod records;
pub mod verify;
pub mod print;
mod lex;
pub mod expr;
pub mod parse;

pub use print::canonical;

use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Mutex, OnceLock};

id!(
    /// An SSA value.
    Value,
    "%"
);
id!(
    /// An instruction.
    Inst,
    "i"
);
id!(
    /// A basic block.
    Block,
    "b"
);

/// An interned name: of a function, a rule, a primitive. Compares by content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(&'static str);

impl Symbol {
    /// Interns `name`.
    pub fn new(name: &str) -> Self {
        Symbol(intern(name))
    }
    /// Interns a static name.
    pub const fn from_static(name: &'static str) -> Self {
        Symbol(name)
    }
    /// The name.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
    /// The last segment of a path.
    pub fn last_segment(self) -> &'static str {
        self.0.rsplit("::").next().unwrap_or(self.0)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// One copy of each distinct value, kept for the life of the process (bounded by the programs it compiles).
type Interned<T> = Mutex<FxHashSet<&'static T>>;

/// The kept copy of a value, which `keep` makes if there is none yet.
fn interned<T: Eq + Hash + ?Sized>(
    table: &OnceLock<Interned<T>>,
    value: &T,
    keep: impl FnOnce(&T) -> &'static T,
) -> &'static T {
    let table = table.get_or_init(Default::default).lock();
    let mut table = table.unwrap_or_else(|e| e.into_inner());
    if let Some(found) = table.get(value) {
        return found;
    }
    let kept = keep(value);
    table.insert(kept);
    kept
}

fn intern(name: &str) -> &'static str {
    static NAMES: OnceLock<Interned<str>> = OnceLock::new();
    interned(&NAMES, name, |name| Box::leak(name.into()))
}

fn intern_types(types: &[Type]) -> &'static [Type] {
    static LISTS: OnceLock<Interned<[Type]>> = OnceLock::new();
    interned(&LISTS, types, |types| Box::leak(types.into()))
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `bool`
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `isize`
    Isize,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `usize`
    Usize,
    /// `f16` of the crate `half`: only an element of arrays. Nothing computes with it but a cast to `f32` or from it.
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// Four `f32` in one register: only in what the optimiser has made for the CPU.
    F32x4,
    /// Two `f64` in one register, likewise.
    F64x2,
    /// A tuple; `()` is the empty one.
    Tuple(&'static [Type]),
    /// `&[T]`: address and length of memory that does not change while the function runs.
    Slice(&'static Type),
    /// `&mut [T]`: address and length of memory that nothing else names.
    SliceMut(&'static Type),
    /// A handle to an immutable n-dimensional array on a device.
    Array(&'static Type),
    /// An address in an object; null or dangling only where nothing reads it.
    Ptr,
    /// An address of tape memory.
    Addr,
    /// Not known yet: generic IR only.
    Infer(u32),
}

impl Type {
    /// `()`
    pub const UNIT: Type = Type::Tuple(&[]);

    /// The tuple of `fields`.
    pub fn tuple(fields: &[Type]) -> Type {
        Type::Tuple(intern_types(fields))
    }
    /// An interned reference to the type. The scalar types are static, because calls use them often.
    fn kept(self) -> &'static Type {
        match self {
            Type::Bool => &Type::Bool,
            Type::I32 => &Type::I32,
            Type::I64 => &Type::I64,
            Type::U32 => &Type::U32,
            Type::Usize => &Type::Usize,
            Type::F16 => &Type::F16,
            Type::F32 => &Type::F32,
            Type::F64 => &Type::F64,
            other => &intern_types(&[other])[0],
        }
    }
    /// `&[element]`
    pub fn slice(element: Type) -> Type {
        Type::Slice(element.kept())
    }
    /// `&mut [element]`
    pub fn slice_mut(element: Type) -> Type {
        Type::SliceMut(element.kept())
    }
    /// `Array<element>`
    pub fn array(element: Type) -> Type {
        Type::Array(element.kept())
    }
    /// `f32` or `f64`.
    #[inline]
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }
    /// An integer type.
    pub fn is_int(self) -> bool {
        use Type::*;
        matches!(
            self,
            I8 | I16 | I32 | I64 | Isize | U8 | U16 | U32 | U64 | Usize
        )
    }
    /// An integer type with a sign.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Isize
        )
    }
    /// Whether arrays may have elements of this type.
    pub fn is_element(self) -> bool {
        use Type::{F16, F32, F64, I32, U32};
        matches!(self, F16 | F32 | F64 | I32 | U32)
    }
    /// A number or a bool: what a register holds.
    pub fn is_scalar(self) -> bool {
        self.is_float() || self.is_int() || matches!(self, Type::Bool | Type::F16)
    }
    /// The type of a register that holds several floats of this type; of a tuple of such floats, the tuple of registers.
    pub fn in_lanes(self) -> Option<Type> {
        match self {
            Type::F32 => Some(Type::F32x4),
            Type::F64 => Some(Type::F64x2),
            Type::Tuple(fields) if fields.iter().all(|field| *field == fields[0]) => {
                let lanes = fields
                    .first()?
                    .in_lanes()
                    .filter(|lanes| lanes.lanes().is_some())?;
                Some(Type::tuple(&vec![lanes; fields.len()]))
            }
            _ => None,
        }
    }
    /// The type of one lane, and the number of lanes, of a register that holds several floats.
    pub fn lanes(self) -> Option<(Type, usize)> {
        match self {
            Type::F32x4 => Some((Type::F32, 4)),
            Type::F64x2 => Some((Type::F64, 2)),
            _ => None,
        }
    }
    /// What one lane holds; the type itself if it has no lanes.
    pub fn lane(self) -> Type {
        self.lanes().map_or(self, |(lane, _)| lane)
    }
    /// `Array<_>` of any element.
    pub fn is_array(self) -> bool {
        matches!(self, Type::Array(_))
    }
    /// The element type of a slice or an array.
    #[inline]
    pub fn element(self) -> Option<Type> {
        match self {
            Type::Slice(t) | Type::SliceMut(t) | Type::Array(t) => Some(*t),
            _ => None,
        }
    }
    /// The bytes of a scalar, an address or an array handle in memory; `None` for the others.
    #[inline]
    pub fn size(self) -> Option<usize> {
        use Type::*;
        match self {
            Bool | I8 | U8 => Some(1),
            I16 | U16 | F16 => Some(2),
            I32 | U32 | F32 => Some(4),
            I64 | U64 | F64 | Isize | Usize | Array(_) | Ptr | Addr => Some(8),
            Tuple(_) | Slice(_) | SliceMut(_) | F32x4 | F64x2 | Infer(_) => None,
        }
    }
    /// Whether values of this type can have a derivative: floats, and whatever holds them.
    pub fn is_differentiable(self) -> bool {
        match self {
            // What an object holds is not known from its address.
            Type::F16 | Type::F32 | Type::F64 | Type::Ptr => true,
            Type::Slice(t) | Type::SliceMut(t) | Type::Array(t) => t.is_differentiable(),
            Type::Tuple(fields) => fields.iter().any(|t| t.is_differentiable()),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Type::Bool => "bool",
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::Isize => "isize",
            Type::U8 => "u8",
            Type::U16 => "u16",
            Type::U32 => "u32",
            Type::U64 => "u64",
            Type::Usize => "usize",
            Type::F16 => "f16",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::F32x4 => "f32x4",
            Type::F64x2 => "f64x2",
            Type::Ptr => "ptr",
            Type::Addr => "addr",
            Type::Slice(t) => return write!(f, "[{t}]"),
            Type::SliceMut(t) => return write!(f, "[mut {t}]"),
            Type::Array(t) => return write!(f, "array<{t}>"),
            Type::Infer(n) => return write!(f, "?{n}"),
            Type::Tuple(fields) => {
                f.write_str("(")?;
                for (i, t) in fields.iter().enumerate() {
                    write!(f, "{}{t}", if i == 0 { "" } else { ", " })?;
                }
                return f.write_str(if fields.len() == 1 { ",)" } else { ")" });
            }
        };
        f.write_str(name)
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A constant; its type is the type of the value that the instruction defines.
#[derive(Clone, Copy, Debug)]
pub enum Const {
    /// `()`
    Unit,
    /// A bool.
    Bool(bool),
    /// An integer; `u64` above `i64::MAX` by its bits.
    Int(i64),
    /// An `f64`, or an `f32` or `f16` widened exactly.
    Float(f64),
    /// The absent array: the zero cotangent that has no shape yet. The pointer to nothing, the slice of nothing.
    Null,
}

impl Const {
    fn key(self) -> (u8, u64) {
        match self {
            Const::Unit => (0, 0),
            Const::Bool(b) => (1, b as u64),
            Const::Int(i) => (2, i as u64),
            Const::Float(x) => (3, x.to_bits()),
            Const::Null => (4, 0),
        }
    }
}

/// Floats compare by their bits: `0.0` and `-0.0` are different constants, a NaN equals itself.
impl PartialEq for Const {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl Eq for Const {}
impl std::hash::Hash for Const {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state)
    }
}

/// Why a guarded operation failed. The values shown are the extra arguments of the `assert`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// Extra arguments: the index, the length.
    IndexOutOfBounds,
    /// Extra arguments: from, to, the length.
    SliceOutOfBounds,
    /// Integer overflow, in Rust's words: `attempt to add with overflow`.
    Overflow(Symbol),
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// Recursion deeper than the limit.
    TooDeep,
    /// `panic!`, `assert!`, `unreachable!` with this text.
    Panic(Symbol),
    /// Debug mode has found a non-finite number that was computed from finite ones: the place. Each `{}` in the text is one of the extra arguments, an
    /// `f64` by its bits.
    NotFinite(Symbol),
    /// The program has reached an operation without a rule: which one, and the advice.
    NoRule(Symbol, Symbol),
}

/// What an instruction may do besides computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Effect {
    /// Nothing: may be moved, merged, dropped.
    Pure,
    /// Reads memory that stores may change.
    Read,
    /// Writes memory, or moves the tape.
    Write,
    /// Makes a new object: may be dropped if nothing uses it, never merged or repeated.
    Allocate,
    /// May leave the function with an error; otherwise nothing.
    Guard,
    /// Anything: calls, unless the callee is known to be pure.
    Call,
}

/// Declares the primitive operations: variant, mnemonic, number of arguments (`n` for any), effect.
macro_rules! prims {
    ($($(#[$doc:meta])* $name:ident $(($payload:ty))? = $text:literal, $arity:tt, $effect:ident;)*) => {
        /// A machine-level operation. The table in this file is the whole set.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Prim { $($(#[$doc])* $name $(($payload))?,)* }

        impl Prim {
            /// The name in the text format, and the symbol under which packs give a rule for it.
            pub const fn mnemonic(self) -> &'static str {
                match self { $(prims!(@pat $name $($payload)?) => $text,)* }
            }
            /// The number of arguments; `None` if it varies.
            pub const fn arity(self) -> Option<usize> {
                match self { $(prims!(@pat $name $($payload)?) => prims!(@arity $arity),)* }
            }
            /// What it may do besides computing.
            pub const fn effect(self) -> Effect {
                match self { $(prims!(@pat $name $($payload)?) => Effect::$effect,)* }
            }
            /// The primitive without payload that has this mnemonic.
            pub fn from_mnemonic(text: &str) -> Option<Prim> {
                $(prims!(@plain $name, $text, text $(, $payload)?);)*
                None
            }
        }
    };
    (@pat $name:ident) => { Prim::$name };
    (@pat $name:ident $payload:ty) => { Prim::$name(_) };
    (@arity n) => { None };
    (@arity $arity:literal) => { Some($arity) };
    (@plain $name:ident, $text:literal, $found:ident) => { if $found == $text { return Some(Prim::$name); } };
    (@plain $name:ident, $text:literal, $found:ident, $payload:ty) => {};
}

prims! {
    // Arithmetic on two numbers of one type. Integers wrap: the front end guards them.
    /// `a + b`
    Add = "add", 2, Pure;
    /// `a - b`
    Sub = "sub", 2, Pure;
    /// `a * b`
    Mul = "mul", 2, Pure;
    /// `a / b`; integers truncate, the divisor is guarded to be neither 0 nor (with `MIN`) −1.
    Div = "div", 2, Pure;
    /// `a % b`; as `div`. For floats the remainder has the sign of `a` (C's `fmod`).
    Rem = "rem", 2, Pure;
    /// `-a`; integers wrap.
    Neg = "neg", 1, Pure;
    /// Square root, IEEE.
    Sqrt = "sqrt", 1, Pure;
    /// `|a|` of a float: clears the sign bit.
    Abs = "abs", 1, Pure;
    /// Round towards −∞.
    Floor = "floor", 1, Pure;
    /// Round towards +∞.
    Ceil = "ceil", 1, Pure;
    /// Round towards zero.
    Trunc = "trunc", 1, Pure;
    /// Magnitude of `a`, sign of `b`.
    Copysign = "copysign", 2, Pure;

    // Comparison of two scalars of one type; ordered for floats (`ne` is unordered), as in Rust.
    /// `a == b`
    Eq = "eq", 2, Pure;
    /// `a != b`
    Ne = "ne", 2, Pure;
    /// `a < b`
    Lt = "lt", 2, Pure;
    /// `a <= b`
    Le = "le", 2, Pure;
    /// `a > b`
    Gt = "gt", 2, Pure;
    /// `a >= b`
    Ge = "ge", 2, Pure;

    // Bits of integers, and logic of bools.
    /// `a & b`
    And = "and", 2, Pure;
    /// `a | b`
    Or = "or", 2, Pure;
    /// `a ^ b`
    Xor = "xor", 2, Pure;
    /// `!a`
    Not = "not", 1, Pure;
    /// `a << b`, b of the same type and guarded to be below the width.
    Shl = "shl", 2, Pure;
    /// `a >> b`, arithmetic for signed types; b as in `shl`.
    Shr = "shr", 2, Pure;
    /// Whether `a + b` overflows the integer type.
    AddOverflows = "add_overflows", 2, Pure;
    /// Whether `a - b` overflows.
    SubOverflows = "sub_overflows", 2, Pure;
    /// Whether `a * b` overflows.
    MulOverflows = "mul_overflows", 2, Pure;

    /// `if c { a } else { b }`, both computed; a, b of one type (any but slices and tuples).
    Select = "select", 3, Pure;
    /// Rust's `as` between scalars: the result's type decides.
    Cast = "cast", 1, Pure;
    /// The same bits in another scalar type of the same size. Of an `f16` a `u32` has the bits in its lower half, and zeros above; an `f16` takes the
    /// lower half of a `u32`.
    Bitcast = "bitcast", 1, Pure;

    /// Makes a tuple.
    Tuple = "tuple", n, Pure;
    /// Field `n` of a tuple.
    Field(u32) = "field", 1, Pure;

    // Memory of slices; indices are usize and guarded by an `assert` before.
    /// The number of elements of a slice.
    Len = "len", 1, Pure;
    /// `slice[i]`
    Load = "load", 2, Read;
    /// `slice[i] = v`
    Store = "store", 3, Write;
    /// `slice[start..start + length]`
    Subslice = "subslice", 3, Pure;

    // Several floats in one register. Arithmetic of floats takes registers too, lane by lane.
    /// A register of scalars, one for each lane.
    Pack = "pack", n, Pure;
    /// Lane `n` of a register.
    Lane(u32) = "lane", 1, Pure;
    /// The elements of a slice from an index on, as many as there are lanes: the result's type decides.
    LoadLanes = "load_lanes", 2, Read;
    /// Writes the lanes to the elements of a slice from an index on.
    StoreLanes = "store_lanes", 3, Write;

    // Objects. Offsets and sizes are in bytes; places are those of `layout`.
    /// A new object of that many bytes (usize), all zero, aligned to 16. Fails if memory is exhausted.
    Alloc = "alloc", 1, Allocate;
    /// Reads a scalar, an array handle or a pointer at the pointer plus a constant number of bytes.
    Get(u32) = "get", 1, Read;
    /// Writes `v` at the pointer plus a constant number of bytes: `set(p, v)`.
    Set(u32) = "set", 2, Write;
    /// The elements from the pointer on, as many as the usize says, as a slice of scalars: the result's type decides.
    View = "view", 2, Pure;
    /// The address of a slice's first element.
    Base = "base", 1, Pure;

    /// `assert(c, extra…)`: leaves with the fault if c is false.
    Assert(Fault) = "assert", n, Guard;

    // The tape: a stack of records, made by the AD transform only.
    /// Reserves that many bytes (8-aligned) on top of the tape and gives their address.
    TapePush = "tape_push", 1, Write;
    /// Gives the address of the top record of that many bytes and removes it; its memory stays readable until the next `tape_push`.
    TapePop = "tape_pop", 1, Write;
    /// The address `a + b` bytes, b usize: of tape memory or of an object.
    Offset = "offset", 2, Pure;
    /// Reads a scalar, handle or address at `a` plus a constant number of bytes.
    Peek(u32) = "peek", 1, Read;
    /// Writes `v` at `a` plus a constant number of bytes: `poke(a, v)`.
    Poke(u32) = "poke", 2, Write;
}

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A constant.
    Const(Const),
    /// A machine-level operation.
    Prim(Prim),
    /// A function of the module, of a pack, or of the host.
    Call(Callee),
    /// The scalar function (of the module or a pack, or a primitive's mnemonic) applied to every element of its arguments: arrays of
    /// shapes that broadcast together, and scalars. The result is an array, or the tuple of arrays if the function
    /// returns a tuple.
    Map(Symbol),
}

impl Op {
    /// What it may do besides computing. A pass that knows the callee may know better about a call.
    pub fn effect(self) -> Effect {
        match self {
            Op::Const(_) => Effect::Pure,
            Op::Prim(prim) => prim.effect(),
            Op::Call(_) => Effect::Call,
            // Shapes may not fit together.
            Op::Map(_) => Effect::Guard,
        }
    }
}

/// The arguments of an instruction.
pub type Args = SmallVec<[Value; 3]>;

/// An instruction: an operation, its arguments, its one result, and where the user wrote it.
#[derive(Clone, PartialEq, Debug)]
pub struct InstData {
    /// What it does.
    pub op: Op,
    /// Invariant: their definitions dominate this instruction.
    pub args: Args,
    /// Invariant: defined by this instruction and no other.
    pub result: Value,
    /// Where the user wrote it; `Span::NONE` for code of ours.
    pub span: Span,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The result of an instruction.
    Inst(Inst),
    /// The n-th parameter of a block.
    Param(Block, u32),
}

/// A value's type and definition.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueData {
    /// Invariant: not `Infer` after inference.
    pub ty: Type,
    /// Invariant: agrees with the row it names.
    pub def: ValueDef,
    /// The user's name for it, for messages and printing; may be empty.
    pub name: Option<Symbol>,
}

/// An edge of the graph: the target, and one argument for each of its parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The target. Invariant: not the entry block.
    pub block: Block,
    /// Invariant: as many, and of the same types, as the target's parameters.
    pub args: Vec<Value>,
}

impl Edge {
    /// An edge.
    pub fn new(block: Block, args: impl Into<Vec<Value>>) -> Self {
        Self {
            block,
            args: args.into(),
        }
    }
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// Not set yet: while building only.
    Missing,
    /// Jumps to the target.
    Jump(Edge),
    /// Jumps to one of two targets.
    Branch {
        /// A bool.
        condition: Value,
        /// The target if it is true.
        then: Edge,
        /// The target if it is false.
        otherwise: Edge,
    },
    /// Returns a value.
    Return(Value),
    /// Leaves the function with a fault.
    Error(Fault, Vec<Value>, Span),
}

impl Terminator {
    /// The edges out of the block.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (a, b) = match self {
            Terminator::Jump(edge) => (Some(edge), None),
            Terminator::Branch {
                then, otherwise, ..
            } => (Some(then), Some(otherwise)),
            Terminator::Missing | Terminator::Return(_) | Terminator::Error(..) => (None, None),
        };
        a.into_iter().chain(b)
    }
    /// The edges out of the block, to be changed.
    pub fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (a, b) = match self {
            Terminator::Jump(edge) => (Some(edge), None),
            Terminator::Branch {
                then, otherwise, ..
            } => (Some(then), Some(otherwise)),
            Terminator::Missing | Terminator::Return(_) | Terminator::Error(..) => (None, None),
        };
        a.into_iter().chain(b)
    }
    /// Calls `f` on every value the terminator uses, edge arguments included.
    pub fn for_each_value(&self, mut f: impl FnMut(Value)) {
        match self {
            Terminator::Branch { condition, .. } => f(*condition),
            Terminator::Return(value) => f(*value),
            Terminator::Error(_, values, _) => values.iter().copied().for_each(&mut f),
            Terminator::Missing | Terminator::Jump(_) => {}
        }
        self.edges()
            .flat_map(|edge| edge.args.iter().copied())
            .for_each(f);
    }
    /// Replaces every value the terminator uses by `f` of it.
    pub fn map_values(&mut self, mut f: impl FnMut(Value) -> Value) {
        match self {
            Terminator::Branch { condition, .. } => *condition = f(*condition),
            Terminator::Return(value) => *value = f(*value),
            Terminator::Error(_, values, _) => values.iter_mut().for_each(|v| *v = f(*v)),
            Terminator::Missing | Terminator::Jump(_) => {}
        }
        self.edges_mut()
            .flat_map(|edge| edge.args.iter_mut())
            .for_each(|v| *v = f(*v));
    }
}

/// A block: parameters, instructions in order, terminator.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockData {
    /// Invariant: defined here and nowhere else.
    pub params: Vec<Value>,
    /// Invariant: each instruction is in one block, once.
    pub insts: Vec<Inst>,
    /// Invariant: not `Missing` once the function is built.
    pub terminator: Terminator,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name in the module.
    pub name: Symbol,
    /// The name by which packs know it: the path of the function of the program of which it is an instance. Other functions have their first name here.
    pub path: Symbol,
    /// The type of every returned value.
    pub ret: Type,
    /// All values.
    pub values: Table<Value, ValueData>,
    /// All instructions.
    pub insts: Table<Inst, InstData>,
    /// All blocks.
    pub blocks: Table<Block, BlockData>,
    /// The blocks that exist, in printing order. Invariant: the entry is first and no edge leads to it.
    pub layout: Vec<Block>,
    /// Whether it is reached only by dynamic dispatch. What is derived of it may then be compiled lazily, apart from its callers, when a call first
    /// reaches it.
    pub on_demand: bool,
    /// Whether the array host computes it as a whole. Its only block then consists of array operations and the scalar instructions that they need.
    pub clustered: bool,
    /// For each parameter of a clustered function: whether the caller does not read the argument again and nothing else refers to it, so that the memory
    /// of the array may be freed or changed. Empty if no argument is like that.
    pub moved: Vec<bool>,
    /// The function whose derivative this is, if the program itself asks for it. A second derivation then need not look at the body.
    pub derivative: Option<Derivative>,
    /// The roles of its parameters, if several threads may share its iterations. `f(from, to, …)` runs the iterations `from..to`, which are independent
    /// of each other. A call means to run them in order. Threads run parts of them: see [`Role`].
    pub parallel: Option<Vec<Role>>,
}

/// The role of a parameter for threads that share the iterations of a function ([`Function::parallel`]). The floats that the function returns are the
/// sums of the results of the iterations, added in their order, starting from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The first iteration: the first parameter.
    From,
    /// The end of the iterations, exclusive: the second parameter.
    To,
    /// All iterations read it, and none writes to it.
    Shared,
    /// A slice of which no two iterations access the same element.
    Own,
    /// A slice of floats to which iterations only add. Each part of the iterations has a copy that starts as zeros; the copies are added to the slice in
    /// the order of the iterations.
    Added,
    /// A slice of bytes. An iteration sets the n-th byte if it adds to an element with an index in n · [`BLOCK`] .. (n + 1) · [`BLOCK`] of any parameter
    /// that is `Added`. Each part of the iterations has a copy.
    Touched,
}

/// The number of elements for which one byte of a [`Role::Touched`] parameter stands.
pub const BLOCK: usize = 1 << 9;

impl Role {
    /// The word in the text format.
    pub fn word(self) -> &'static str {
        match self {
            Role::From => "from",
            Role::To => "to",
            Role::Shared => "shared",
            Role::Own => "own",
            Role::Added => "added",
            Role::Touched => "touched",
        }
    }
    /// All of them.
    pub const ALL: [Role; 6] = [
        Role::From,
        Role::To,
        Role::Shared,
        Role::Own,
        Role::Added,
        Role::Touched,
    ];
}

/// Says that a function is a derivative that the program asks for, of another function of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivative {
    /// The other function.
    pub of: Symbol,
    /// For each of its parameters: whether the derivative is taken with respect to it.
    pub active: Vec<bool>,
    /// Which derivative.
    pub kind: DerivativeKind,
    /// For a gradient that forward mode has differentiated, once per differentiation: which of its parameters had a tangent.
    pub along: Vec<Vec<bool>>,
}

/// The kinds of derivatives of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DerivativeKind {
    /// `f.vjp(p…, shadows…, seed) -> (y, r…)`: the value, and the cotangents of the active parameters. Shadows are taken of all active parameters that
    /// have one, and of all pointers.
    Gradient,
    /// `f.jvp(p…, ṗ…) -> (y, ẏ…)`: the value and its derivative along tangents of the active parameters. The tangents' memory is nobody else's.
    Tangent,
}

impl Function {
    /// A function with an entry block that has these parameters and no terminator yet.
    pub fn new(name: Symbol, params: &[Type], ret: Type) -> Self {
        let mut function = Function {
            name,
            path: name,
            ret,
            values: Table::new(),
            insts: Table::new(),
            blocks: Table::new(),
            layout: Vec::new(),
            on_demand: false,
            clustered: false,
            moved: Vec::new(),
            derivative: None,
            parallel: None,
        };
        let entry = function.add_block();
        for &ty in params {
            function.add_param(entry, ty);
        }
        function
    }
    /// What it is, without what it does: a function of the same name, parameters, result and properties, for a pass that builds it anew.
    pub fn shell(&self) -> Function {
        let mut shell = Function::new(self.name, &self.param_types(), self.ret);
        for (&new, &old) in shell.params().to_vec().iter().zip(self.params()) {
            shell.values[new].name = self.values[old].name;
        }
        Function {
            path: self.path,
            on_demand: self.on_demand,
            clustered: self.clustered,
            moved: self.moved.clone(),
            derivative: self.derivative.clone(),
            parallel: self.parallel.clone(),
            ..shell
        }
    }
    /// The entry block.
    pub fn entry(&self) -> Block {
        self.layout[0]
    }
    /// The function's parameters.
    pub fn params(&self) -> &[Value] {
        &self.blocks[self.entry()].params
    }
    /// The types of the function's parameters.
    pub fn param_types(&self) -> Vec<Type> {
        self.params().iter().map(|&v| self.ty(v)).collect()
    }
    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }
    /// The instruction that defines a value, if one does.
    pub fn def_inst(&self, value: Value) -> Option<&InstData> {
        match self.values[value].def {
            ValueDef::Inst(inst) => Some(&self.insts[inst]),
            ValueDef::Param(..) => None,
        }
    }
    /// The constant that a value is, if it is one.
    pub fn as_const(&self, value: Value) -> Option<Const> {
        match self.def_inst(value)?.op {
            Op::Const(c) => Some(c),
            _ => None,
        }
    }
    /// Adds an empty block at the end of the layout.
    pub fn add_block(&mut self) -> Block {
        let data = BlockData {
            params: Vec::new(),
            insts: Vec::new(),
            terminator: Terminator::Missing,
        };
        let block = self.blocks.push(data);
        self.layout.push(block);
        block
    }
    /// Adds a parameter to a block. The edges into it must be given an argument each.
    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        let index = self.blocks[block].params.len() as u32;
        let value = self.values.push(ValueData {
            ty,
            def: ValueDef::Param(block, index),
            name: None,
        });
        self.blocks[block].params.push(value);
        value
    }
    /// Makes an instruction that is in no block yet.
    pub fn make_inst(&mut self, op: Op, args: &[Value], ty: Type, span: Span) -> Inst {
        let inst = crate::arena::Id::new(self.insts.len());
        let result = self.values.push(ValueData {
            ty,
            def: ValueDef::Inst(inst),
            name: None,
        });
        self.insts.push(InstData {
            op,
            args: args.into(),
            result,
            span,
        })
    }
    /// Appends an instruction to a block and returns its result.
    pub fn append(&mut self, block: Block, op: Op, args: &[Value], ty: Type, span: Span) -> Value {
        let inst = self.make_inst(op, args, ty, span);
        self.blocks[block].insts.push(inst);
        self.insts[inst].result
    }
    /// The blocks and their rows in layout order.
    pub fn blocks_in_order(&self) -> impl DoubleEndedIterator<Item = (Block, &BlockData)> {
        self.layout
            .iter()
            .map(|&block| (block, &self.blocks[block]))
    }
    /// The block that defines each value, indexed by value. `None` for values in blocks that are not in the layout.
    pub fn defining_blocks(&self) -> Vec<Option<Block>> {
        let mut defining = vec![None; self.values.len()];
        for (block, data) in self.blocks_in_order() {
            let results = data.insts.iter().map(|&inst| self.insts[inst].result);
            for value in data.params.iter().copied().chain(results) {
                defining[value.index()] = Some(block);
            }
        }
        defining
    }
}

/// Functions by name; one of them is the root.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// The function that was asked for. Invariant: in `functions`.
    pub root: Symbol,
    /// All functions that the root reaches, except those that are only declared.
    pub functions: BTreeMap<Symbol, Function>,
    /// Functions that are only declared, and made when they are first called.
    pub declared: BTreeMap<Symbol, Signature>,
}

/// The signature of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// The type of its result.
    pub ret: Type,
    /// The function whose derivative it is, if the program asks for it. It is made when that function is in normal form.
    pub derivative: Option<Derivative>,
    /// What it is made of when it is first called, if derivation has declared it.
    pub origin: Option<Origin>,
}

/// Of which function of the original module a function that is made on demand is a half or the dual.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The function.
    pub of: Symbol,
    /// For each of its parameters whether it is active.
    pub active: Vec<bool>,
    /// What is made of it.
    pub part: OriginPart,
}

/// What is made of an [`Origin`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OriginPart {
    /// The forward half or the pullback.
    Half {
        /// Whether objects have shadows. They have if a parameter is active.
        shadowed: bool,
    },
    /// The dual.
    Dual,
}

impl Signature {
    /// The signature of a function that is made of another one on demand.
    pub fn on_demand(params: Vec<Type>, ret: Type, origin: Origin) -> Signature {
        Signature {
            params,
            ret,
            derivative: None,
            origin: Some(origin),
        }
    }
}

impl Module {
    /// A module of one function.
    pub fn new(root: Function) -> Self {
        Module {
            root: root.name,
            functions: BTreeMap::from([(root.name, root)]),
            declared: BTreeMap::new(),
        }
    }
    /// The function that was asked for.
    pub fn root(&self) -> &Function {
        &self.functions[&self.root]
    }
    /// The function that was asked for, to be changed.
    pub fn root_mut(&mut self) -> &mut Function {
        self.functions
            .get_mut(&self.root)
            .expect("the root is in the module")
    }
    /// Clears every `on_demand` flag.
    pub fn at_once(mut self) -> Module {
        for function in self.functions.values_mut() {
            function.on_demand = false;
        }
        self
    }
    /// Whether the program asks for derivatives that are not functions of the module yet.
    pub fn asks_for_derivatives(&self) -> bool {
        self.declared.values().any(|one| one.derivative.is_some())
    }
    /// Whether a name belongs to a function of the program.
    pub fn has(&self, name: Symbol) -> bool {
        self.functions.contains_key(&name) || self.declared.contains_key(&name)
    }
    /// The function of the module that a call runs, unless it is only declared.
    pub fn called(&self, callee: Callee) -> Option<&Function> {
        self.functions.get(&callee.function()?)
    }
    /// Whether a call is of a function of the module, or of a declared one.
    pub fn has_called(&self, callee: Callee) -> bool {
        callee.function().is_some_and(|name| self.has(name))
    }
    /// Adds a function under its name.
    pub fn insert(&mut self, function: Function) {
        self.functions.insert(function.name, function);
    }
}
