//! Scalar IR as WGSL.
//!
//! [`wgsl_function`] prints one function of a module and everything it calls. What comes from a pack as WGSL text is copied; what comes as IR
//! is printed like the module's own. [`kernel`] puts the kernel of a map around it; [`rows`] prints kernels that reduce along rows.
//!
//! What WGSL cannot do is refused with the advice to use the CPU: small types, 64-bit integers but those that functions of f64 compute with,
//! recursion. Objects and the tape are in
//! memory of bounded size (`memory`). What it can
//! do only approximately is written out: conversions that saturate, remainders, sign bits, constants that are not
//! finite. Integers of pointer size have 32 bits here, and their overflow checks too.
//!
//! **Rounding** is part of what a function computes, and drivers take it that sums of floats are sums of real numbers ([`exact`]). So the sums that a
//! driver could compute otherwise go through `mcx_keep`, an integer operation with a zero that no compiler knows: of f32 those that are operands
//! of sums; of f64, which some adapters have ([`Wgsl::wide`] says whether a text needs it), every sum, difference and product.
//!
//! **Rare arguments** of elementary functions are left to functions that are only called where `select` takes their result.
//!
//! A function cannot fail on a GPU. A guard that does not hold notes the number of its site in the private variable
//! `mc_fault` and returns zeros; loops count `mc_fuel` down, because drivers end or hang loops that run for too long. The kernel
//! sets one and reports the other.

mod bounds;
pub mod cache;
mod exact;
pub mod memory;
pub mod product;
pub mod kernel;
pub mod rows;
pub mod structure;
mod text;

use crate::arena::Id;
use crate::diag::{Diagnostic, Error, Result};
use crate::ir::half_floats;
use crate::ir::{
    Block, Callee, Const, Edge, Fault, Function, Inst, InstData, Module, Op, Prim, Symbol,
    Terminator, Type, Value, ValueDef, elided,
};
use crate::registry::{Entry, EntryKind, Registry, ScalarRule, WGSL_F64, wgsl_name};
pub use bounds::bounded;
use exact::Exact;
use half::f16;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use structure::{Stmt, structure};
pub use text::{KernelText, scan_text};

/// A scalar function in WGSL.
#[derive(Clone, Debug)]
pub struct Wgsl {
    /// Declarations, each before its use. Reads and writes the private variables `mc_fuel` and `mc_fault`.
    pub text: String,
    /// The function to call.
    pub name: String,
    /// Its parameters' types.
    pub params: Vec<Type>,
    /// What it returns: one scalar, or the fields `f0`, `f1`, … of a structure.
    pub ret: Type,
    /// Why a guard failed: `mc_fault` is one more than an index into this list. Empty if the function cannot fail.
    pub faults: Vec<Diagnostic>,
    /// Whether there are loops in it.
    pub loops: bool,
    /// Whether it uses memory: then `mcx_reset_memory()` comes before each call.
    pub memory: bool,
    /// Whether it has numbers of 64 bits: it reads `mc_zero_f64` then, which the kernel makes 0.
    pub wide: bool,
    /// Whether nothing in it can run for ever or reach outside of an array: see `Unit::is_known`.
    is_known: bool,
}

impl Wgsl {
    /// A function without loops and memory whose text is written by hand. Nothing is known of the text.
    pub fn by_hand(name: &str, text: String, params: &[Type], ret: Type) -> Wgsl {
        Wgsl {
            wide: ret == Type::F64,
            text,
            name: name.into(),
            params: params.to_vec(),
            ret,
            faults: Vec::new(),
            loops: false,
            memory: false,
            is_known: false,
        }
    }
}

/// Prints `name` and everything it calls.
pub fn wgsl_function(module: &Module, name: Symbol, registry: &Registry) -> Result<Wgsl> {
    let function = module
        .functions
        .get(&name)
        .ok_or_else(|| Error::Internal(format!("@{name} is not in the module")))?;
    let mut unit = Unit::new(module, registry);
    let name = unit.function(function)?;
    let text: String = unit.structs.values().chain(&unit.texts).cloned().collect();
    Ok(Wgsl {
        is_known: unit.is_known(),
        text,
        name,
        params: function.param_types(),
        ret: function.ret,
        faults: unit.faults,
        loops: unit.loops,
        memory: unit.memory,
        wide: unit.wide,
    })
}

/// The private variables that every function's text may use.
pub const PRIVATE: &str = "var<private> mc_fuel: u32;\nvar<private> mc_fault: u32;\nvar<private> mc_zero: u32;\n\nfn mcx_fail(site: u32) {\n    if (mc_fault == 0u) { mc_fault = site; }\n}\n\n";

/// And the one that texts with numbers of 64 bits use besides.
const PRIVATE_WIDE: &str = "var<private> mc_zero_f64: u64;\n\n";

/// Whether the device's quotients of f32 are corrected: most GPUs have them only to two units in the last place.
pub const ROUGH: &str = "mc_rough";

/// The private variables, for a text that has numbers of 64 bits or not, and what it asks of the device.
pub fn private(wide: bool, text: &str) -> String {
    let wide = if wide { PRIVATE_WIDE } else { "" };
    let rough = match text.contains(ROUGH) {
        true => format!("override {ROUGH}: bool = false;\n\n"),
        false => String::new(),
    };
    [&rough, PRIVATE, wide].concat()
}

/// The statements that make `mc_zero` 0, for a text that has numbers of 64 bits or not: these dispatches have one workgroup along z, which no
/// compiler knows. (Parameters will not do: Mesa compiles a kernel again for the values of those on which loops depend.)
pub fn set_zero(wide: bool) -> &'static str {
    match wide {
        true => "mc_zero = groups.z - 1u; mc_zero_f64 = u64(mc_zero);",
        false => "mc_zero = groups.z - 1u;",
    }
}

const HELPERS: &str = concat!(
    include_str!("gpu/scalar.wgsl"),
    include_str!("gpu/double.wgsl")
);

/// The text of one of our helper functions.
fn helper(name: &str) -> Option<&'static str> {
    let start = HELPERS.find(&format!("fn {name}("))?;
    let end = HELPERS[start..].find("\n}\n")? + start + 3;
    Some(&HELPERS[start..end])
}

fn refused(what: impl std::fmt::Display) -> Error {
    Error::Device {
        device: "gpu".into(),
        message: format!("{what}: run it on Device::cpu()"),
    }
}

/// Everything printed for one root.
struct Unit<'a> {
    module: &'a Module,
    registry: &'a Registry,
    /// Functions, callees first.
    texts: Vec<String>,
    /// Structures for tuples, by name. A tuple's name starts with the names of its fields' tuples and so sorts after none of them: see `struct_name`.
    structs: BTreeMap<(usize, String), String>,
    /// The WGSL names of functions printed from IR. Packs have functions of one name for f32 and for f64.
    names: FxHashMap<(Symbol, Vec<Type>), String>,
    /// The names of functions copied from packs and helpers.
    copied: BTreeSet<String>,
    /// The functions being printed: a call of one of them is recursion.
    open: Vec<(Symbol, Vec<Type>)>,
    faults: Vec<Diagnostic>,
    loops: bool,
    memory: bool,
    wide: bool,
    /// Whether a text of a pack was copied.
    foreign: bool,
    /// Whether the function being printed has numbers of type f64: then it may have 64-bit integers, their bits.
    has_f64: bool,
}

/// Whether a function has numbers of type f64.
fn has_f64(function: &Function) -> bool {
    function.values.iter().any(|(_, data)| data.ty == Type::F64)
}

impl<'a> Unit<'a> {
    fn new(module: &'a Module, registry: &'a Registry) -> Unit<'a> {
        Unit {
            module,
            registry,
            texts: Vec::new(),
            structs: BTreeMap::new(),
            names: FxHashMap::default(),
            copied: BTreeSet::new(),
            open: Vec::new(),
            faults: Vec::new(),
            loops: false,
            memory: false,
            wide: false,
            foreign: false,
            has_f64: false,
        }
    }

    /// Whether nothing in it can run for ever or reach outside of an array: all of it was written here, and it has neither loops nor memory, which comes with
    /// a loop.
    fn is_known(&self) -> bool {
        !self.loops && !self.foreign
    }

    fn function(&mut self, function: &Function) -> Result<String> {
        let function = &*half_floats::expanded(function);
        let key = (function.name, function.param_types());
        if let Some(name) = self.names.get(&key) {
            return Ok(name.clone());
        }
        if self.open.contains(&key) {
            return Err(refused(format_args!(
                "`{}` calls itself, which a GPU kernel cannot",
                function.name
            )));
        }
        self.open.push(key.clone());
        let caller = std::mem::replace(&mut self.has_f64, has_f64(function));
        let text = Printer::print(self, function)?;
        self.has_f64 = caller;
        self.open.pop();
        let name = format!("fn{}", self.names.len());
        self.texts
            .push(format!("// {}\nfn {name}{text}\n", function.name));
        self.names.insert(key, name.clone());
        Ok(name)
    }

    /// The name of a type; declares a structure for a tuple.
    fn ty(&mut self, ty: Type) -> Result<String> {
        Ok(match ty {
            Type::Bool => "bool".into(),
            Type::F32 => "f32".into(),
            Type::I32 | Type::Isize => "i32".into(),
            Type::U32 | Type::Usize | Type::Ptr | Type::Addr => "u32".into(),
            // Its bits: kernels compute with no 16-bit numbers, they only load and store them.
            Type::F16 => "u32".into(),
            Type::Slice(_) | Type::SliceMut(_) => self.slice().into(),
            Type::Tuple(fields) if !fields.is_empty() => self.tuple(fields)?,
            Type::F64 => self.wide("f64").into(),
            Type::I64 if self.has_f64 => self.wide("i64").into(),
            Type::U64 if self.has_f64 => self.wide("u64").into(),
            ty => {
                let instead = match ty.is_int() {
                    true => {
                        " (i32, u32 and usize do, and what is the same for all elements can be computed before the closure)"
                    }
                    false => "",
                };
                return Err(refused(format_args!(
                    "values of type {ty} do not exist in GPU kernels{instead}"
                )));
            }
        })
    }

    fn wide(&mut self, name: &'static str) -> &'static str {
        self.wide = true;
        name
    }

    fn tuple(&mut self, fields: &'static [Type]) -> Result<String> {
        let names: Vec<String> = fields.iter().map(|&t| self.ty(t)).collect::<Result<_>>()?;
        let name = format!("Tuple{}_{}", fields.len(), names.join("_"));
        let list: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(i, t)| format!("f{i}: {t}"))
            .collect();
        let text = format!("struct {name} {{ {} }}\n", list.join(", "));
        // A tuple inside a tuple has a shorter name: sorted by length, each is declared before its use.
        self.structs.insert((name.len(), name.clone()), text);
        Ok(name)
    }

    fn helper(&mut self, name: &'static str) -> &'static str {
        if self.copied.insert(name.to_owned()) {
            let text = helper(name).unwrap_or_default();
            self.texts.push(format!("{text}\n"));
        }
        name
    }

    /// The WGSL name of what a call means.
    fn callee(&mut self, callee: Callee, types: &[Type]) -> Result<Meaning> {
        let module = self.module;
        if let Some(function) = module.called(callee) {
            return self.function(function).map(Meaning::Function);
        }
        let registry = self.registry;
        let name = match callee {
            Callee::Function(name) => name,
            Callee::WithPartials(name) => {
                return match registry.find(name, types).map(|entry| (entry, &entry.kind)) {
                    Some((entry, EntryKind::Scalar(rule))) => {
                        let together = self.with_partials(callee, entry, rule);
                        together.map(Meaning::Function)
                    }
                    _ => Err(self.no_callee(callee, types)),
                };
            }
            _ => return Err(self.no_callee(callee, types)),
        };
        if let Some(entry) = registry.find(name, types) {
            if let EntryKind::Scalar(rule) = &entry.kind
                && let Some(text) = &rule.wgsl
            {
                self.copy(name, text, types);
                return Ok(Meaning::Function(text_name(name, types)));
            }
            if let Some(body) = entry.body() {
                return self.function(body).map(Meaning::Function);
            }
        }
        match Prim::from_mnemonic(name.as_str()) {
            Some(prim) => Ok(Meaning::Prim(prim)),
            None => Err(self.no_callee(callee, types)),
        }
    }

    /// A function that gives a pack's function and its partials. Drivers merge what the two have in common.
    fn with_partials(
        &mut self,
        callee: Callee,
        entry: &Entry,
        rule: &ScalarRule,
    ) -> Result<String> {
        let key = (callee.symbol(), entry.params.clone());
        if let Some(found) = self.names.get(&key) {
            return Ok(found.clone());
        }
        let Meaning::Function(value) = self.callee(entry.name.into(), &entry.params)? else {
            return Err(self.no_callee(entry.name.into(), &entry.params));
        };
        let partials = self.function(&rule.partials)?;
        let count = entry.params.len();
        let tuple = self.ty(Type::tuple(&vec![entry.ret; count + 1]))?;
        let types: Vec<String> = entry
            .params
            .iter()
            .map(|&t| self.ty(t))
            .collect::<Result<_>>()?;
        let params: Vec<String> = types
            .iter()
            .enumerate()
            .map(|(i, t)| format!("x{i}: {t}"))
            .collect();
        let args: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
        let fields: Vec<String> = (0..count).map(|i| format!("d.f{i}")).collect();
        let (params, args, fields) = (params.join(", "), args.join(", "), fields.join(", "));
        let together = format!("fn{}", self.names.len());
        self.texts.push(format!(
            "// {callee}\nfn {together}({params}) -> {tuple} {{\n    let y = {value}({args});\n    let d = {partials}({args}, y);\n    return {tuple}(y, {fields});\n}}\n\n"
        ));
        self.names.insert(key, together.clone());
        Ok(together)
    }

    fn no_callee(&self, callee: Callee, types: &[Type]) -> Error {
        match self.registry.entry(callee, types) {
            Some(entry) => refused(format_args!(
                "pack {} gives neither WGSL nor IR for `{callee}` of {}",
                entry.pack,
                Type::tuple(types)
            )),
            None => refused(format_args!("nothing defines `{callee}` for {types:?}")),
        }
    }

    /// Copies a pack's text, after the functions of packs and helpers that it calls.
    fn copy(&mut self, name: Symbol, text: &str, types: &[Type]) {
        if !self.copied.insert(text_name(name, types)) {
            return;
        }
        self.wide |= types.contains(&Type::F64);
        self.foreign = true;
        let registry = self.registry;
        for callee in called(text) {
            if let Some(found) = helper(callee) {
                if self.copied.insert(callee.to_owned()) {
                    self.texts.push(format!("{found}\n"));
                }
            } else if let Some((symbol, types, text)) = pack_text(registry, callee) {
                self.copy(symbol, text, &types);
            }
        }
        let text = self.bounded(name, text.trim());
        self.texts.push(format!("{text}\n\n"));
    }

    /// A pack's text, whose loops end in an error of the call when they run for too long.
    fn bounded(&mut self, name: Symbol, text: &str) -> String {
        let site = self.faults.len() + 1;
        let guard =
            format!(" if (mc_fuel == 0u) {{ mcx_fail({site}u); break; }} mc_fuel = mc_fuel - 1u;");
        let Some(bounded) = bounds::bounded(text, &guard) else {
            return text.to_owned();
        };
        self.loops = true;
        let message =
            format!("a loop in the WGSL of `{name}` ran for longer than the device allows");
        let fault = Diagnostic::new(crate::diag::Span::NONE, message);
        self.site(fault.help("run it on Device::cpu(), or bound the loop in the pack"));
        bounded
    }

    /// The number that `mc_fault` gets for a guard.
    fn site(&mut self, fault: Diagnostic) -> usize {
        self.faults.push(fault);
        self.faults.len()
    }
}

/// What a call turns out to be.
enum Meaning {
    Function(String),
    Prim(Prim),
}

/// The names starting with `mc_` or `mcx_` that a text calls and does not define.
fn called(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (at, _) in text.match_indices("mc") {
        let word = &text[at..];
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        let starts = !text[..at].ends_with(is_word);
        let named = word.starts_with("mc_") || word.starts_with("mcx_");
        let calls = word[end..].trim_start().starts_with('(');
        let defines = text[..at].trim_end().ends_with("fn");
        if starts && named && calls && !defines && !names.contains(&&word[..end]) {
            names.push(&word[..end]);
        }
    }
    names.retain(|name| !text.contains(&format!("fn {name}(")));
    names
}

/// The function that a pack's text for these types defines.
fn text_name(name: Symbol, types: &[Type]) -> String {
    let name = wgsl_name(name);
    match types.contains(&Type::F64) {
        true => name + WGSL_F64,
        false => name,
    }
}

/// The pack's text that defines `mc_<name>`.
fn pack_text<'a>(registry: &'a Registry, name: &str) -> Option<(Symbol, Vec<Type>, &'a str)> {
    let symbol = Symbol::new(name.strip_prefix("mc_")?);
    (1..=4).find_map(|arity| {
        let types = vec![Type::F32; arity];
        match &registry.find(symbol, &types)?.kind {
            EntryKind::Scalar(rule) => Some((symbol, types, rule.wgsl.as_deref()?)),
            EntryKind::Array(_) | EntryKind::Native(_) => None,
        }
    })
}

/// Prints one function.
struct Printer<'u, 'a, 'f> {
    unit: &'u mut Unit<'a>,
    function: &'f Function,
    exact: Exact,
    /// Values used outside their block, and block parameters: variables at the top.
    shared: BTreeSet<Value>,
    out: String,
    indent: usize,
}

impl Printer<'_, '_, '_> {
    /// Everything after the name.
    fn print(unit: &mut Unit, function: &Function) -> Result<String> {
        let stmts = structure(function)?;
        let registry = unit.registry;
        let mut printer = Printer {
            unit,
            function,
            exact: Exact::new(function, registry),
            shared: shared_values(function),
            out: String::new(),
            indent: 1,
        };
        let header = printer.header()?;
        printer.declare(&stmts)?;
        printer.stmts(&stmts)?;
        if !matches!(stmts.last(), Some(Stmt::Leave(_))) {
            // Every path has returned, but WGSL does not see that.
            printer.leave_with_zero()?;
        }
        Ok(format!("{header} {{\n{}}}\n", printer.out))
    }

    fn header(&mut self) -> Result<String> {
        let mut list = Vec::new();
        for &param in self.function.params() {
            list.push(format!(
                "{}: {}",
                name(param),
                self.unit.ty(self.function.ty(param))?
            ));
        }
        let ret = match self.function.ret {
            Type::UNIT => String::new(),
            ret => format!(" -> {}", self.unit.ty(ret)?),
        };
        Ok(format!("({}){ret}", list.join(", ")))
    }

    fn declare(&mut self, stmts: &[Stmt]) -> Result<()> {
        if notes_targets(stmts) {
            self.line("var go = 0u;");
        }
        for value in std::mem::take(&mut self.shared) {
            if self.function.ty(value) != Type::UNIT {
                let ty = self.unit.ty(self.function.ty(value))?;
                self.line(format_args!("var {}: {ty};", name(value)));
            }
            self.shared.insert(value);
        }
        Ok(())
    }

    fn line(&mut self, text: impl std::fmt::Display) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = self.indent * 4);
    }

    /// A line that is a whole statement.
    fn only(&mut self, text: impl std::fmt::Display) -> Result<()> {
        self.line(text);
        Ok(())
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Result<()> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn nested(&mut self, open: impl std::fmt::Display, stmts: &[Stmt], close: &str) -> Result<()> {
        self.line(open);
        self.indent += 1;
        self.stmts(stmts)?;
        self.indent -= 1;
        self.line(close);
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<()> {
        match stmt {
            Stmt::Insts(block) => {
                let insts = &self.function.blocks[*block].insts;
                insts.iter().try_for_each(|&inst| self.inst(inst))
            }
            Stmt::Edge(block, n) => self.edge(*block, *n),
            Stmt::Leave(block) => self.leave(*block),
            Stmt::If(condition, then, otherwise) => {
                self.nested(
                    format_args!("if ({}) {{", name(*condition)),
                    then,
                    "} else {",
                )?;
                self.indent += 1;
                self.stmts(otherwise)?;
                self.indent -= 1;
                self.line("}");
                Ok(())
            }
            Stmt::Loop(body) => self.loop_(body),
            Stmt::Break => self.only("break;"),
            Stmt::Continue => self.only("continue;"),
            Stmt::Go(block) => self.only(format_args!("go = {}u;", block.index())),
            Stmt::Guard(block, body) => {
                self.nested(format_args!("if (go == {}u) {{", block.index()), body, "}")
            }
        }
    }

    fn loop_(&mut self, body: &[Stmt]) -> Result<()> {
        self.unit.loops = true;
        let message = "a loop in a GPU kernel ran for longer than the device allows";
        let at = crate::diag::Span::NONE;
        let fault = Diagnostic::new(at, message).help("run it on Device::cpu()");
        let site = self.unit.site(fault);
        self.line("loop {");
        self.indent += 1;
        self.line("if (mc_fuel == 0u) {");
        self.indent += 1;
        self.fail(site)?;
        self.indent -= 1;
        self.line("}");
        self.line("mc_fuel = mc_fuel - 1u;");
        self.stmts(body)?;
        self.indent -= 1;
        self.line("}");
        Ok(())
    }

    /// Arguments become parameters, all at once.
    fn edge(&mut self, block: Block, n: usize) -> Result<()> {
        let terminator = &self.function.blocks[block].terminator;
        let Some(Edge {
            block: target,
            args,
        }) = terminator.edges().nth(n)
        else {
            return Ok(());
        };
        let params = &self.function.blocks[*target].params;
        let moves: Vec<(Value, Value)> = params.iter().copied().zip(args.iter().copied()).collect();
        let overlap = args.iter().any(|arg| params.contains(arg));
        if !overlap {
            for (to, from) in moves {
                self.line(format_args!("{} = {};", name(to), name(from)));
            }
            return Ok(());
        }
        self.line("{");
        for (to, from) in &moves {
            self.line(format_args!("    let new_{} = {};", name(*to), name(*from)));
        }
        for (to, _) in &moves {
            self.line(format_args!("    {0} = new_{0};", name(*to)));
        }
        self.line("}");
        Ok(())
    }

    fn leave(&mut self, block: Block) -> Result<()> {
        match &self.function.blocks[block].terminator {
            Terminator::Return(value) if self.function.ret != Type::UNIT => {
                self.only(format_args!("return {};", name(*value)))
            }
            Terminator::Return(_) => self.only("return;"),
            Terminator::Error(fault, values, span) => {
                let message = message(*fault, values.len());
                let site = self.unit.site(Diagnostic::new(*span, message));
                self.fail(site)
            }
            Terminator::Missing | Terminator::Jump(_) | Terminator::Branch { .. } => Err(
                Error::Internal(format!("@{}: {block} does not leave", self.function.name)),
            ),
        }
    }

    fn fail(&mut self, site: usize) -> Result<()> {
        self.line(format_args!("mcx_fail({site}u);"));
        self.leave_with_zero()
    }

    fn leave_with_zero(&mut self) -> Result<()> {
        match self.function.ret {
            Type::UNIT => self.line("return;"),
            ret => {
                let ty = self.unit.ty(ret)?;
                self.line(format_args!("return {ty}();"));
            }
        }
        Ok(())
    }

    fn inst(&mut self, inst: Inst) -> Result<()> {
        let function = self.function;
        let data = &function.insts[inst];
        if let Op::Prim(Prim::Assert(fault)) = data.op {
            return self.guard(data, fault);
        }
        if function.ty(data.result) == Type::UNIT {
            return match data.op {
                Op::Call(_) => self
                    .expression(data)
                    .map(|call| self.line(format_args!("{call};"))),
                _ => self.write(data),
            };
        }
        if self.exact.rare.contains(&data.result) {
            return Ok(());
        }
        let is_shared = self.shared.contains(&data.result);
        if data.op == Op::Prim(Prim::Select) && self.exact.rare.contains(&data.args[2]) {
            return self.rarely(data, is_shared);
        }
        let text = self.expression(data)?;
        let keyword = match is_shared {
            true => "",
            false => "let ",
        };
        self.line(format_args!("{keyword}{} = {text};", name(data.result)));
        Ok(())
    }

    /// A `select` whose third operand is a call that runs only where it is chosen.
    fn rarely(&mut self, data: &InstData, is_shared: bool) -> Result<()> {
        let call = self.function.def_inst(data.args[2]);
        let call = call.ok_or_else(|| Error::Internal("a rare value that nothing makes".into()))?;
        let call = self.expression(call)?;
        let keyword = match is_shared {
            true => "",
            false => "var ",
        };
        let (condition, usual, result) =
            (name(data.args[0]), name(data.args[1]), name(data.result));
        self.line(format_args!("{keyword}{result} = {usual};"));
        self.line(format_args!("if (!{condition}) {{ {result} = {call}; }}"));
        Ok(())
    }

    fn guard(&mut self, data: &InstData, fault: Fault) -> Result<()> {
        let message = message(fault, data.args.len().saturating_sub(1));
        let site = self.unit.site(Diagnostic::new(data.span, message));
        self.line(format_args!("if (!{}) {{", name(data.args[0])));
        self.indent += 1;
        self.fail(site)?;
        self.indent -= 1;
        self.line("}");
        Ok(())
    }

    fn expression(&mut self, data: &InstData) -> Result<String> {
        let args: Vec<String> = data.args.iter().map(|&arg| name(arg)).collect();
        let types: Vec<Type> = data.args.iter().map(|&arg| self.function.ty(arg)).collect();
        let ty = self.function.ty(data.result);
        let prim = match data.op {
            Op::Const(constant) => return self.constant(constant, ty),
            Op::Prim(prim) => prim,
            Op::Call(callee) => match self.unit.callee(callee, &types)? {
                Meaning::Function(name) => return Ok(format!("{name}({})", args.join(", "))),
                Meaning::Prim(prim) => prim,
            },
            Op::Map(symbol) => {
                return Err(refused(format_args!(
                    "a map (of `{symbol}`) inside of a map"
                )));
            }
        };
        let from = types.first().copied().unwrap_or(Type::UNIT);
        if self.exact.bounds.contains(&data.result) {
            let kept: Vec<String> = args.iter().map(|arg| self.keep(arg, from)).collect();
            return self.prim(prim, &kept, from, ty);
        }
        // naga does not convert a 64-bit constant where a text has overridable constants.
        let mut args = args;
        if let (Prim::Shl | Prim::Shr, 64) = (prim, bits_of(from))
            && let Some(Const::Int(by)) = self.function.as_const(data.args[1])
        {
            args[1] = format!("{by}u");
        }
        if (prim, from) == (Prim::Div, Type::F32) && self.is_moderate(data.args[1]) {
            return Ok(format!("{} / {}", args[0], args[1]));
        }
        let text = self.prim(prim, &args, from, ty)?;
        match self.exact.kept.contains(&data.result) {
            true => Ok(self.keep(&text, ty)),
            false => Ok(text),
        }
    }

    fn constant(&mut self, constant: Const, ty: Type) -> Result<String> {
        Ok(match (constant, self.unit.ty(ty)?.as_str()) {
            (Const::Bool(x), _) => x.to_string(),
            (Const::Null, "u32") => "0u".into(),
            (Const::Null, memory::SLICE) => format!("{}(0u, 0u)", memory::SLICE),
            // `usize` has 32 bits here: −1 and other steps back wrap as they do in 64.
            (Const::Int(x), "u32") if ty == Type::Usize && x < 0 => {
                format!("{}u", narrow(x, i32::MIN.into(), 0)? as u32)
            }
            (Const::Float(x), "u32") => format!("{}u", f16::from_f64(x).to_bits()),
            (Const::Int(x), "u32") => format!("{}u", narrow(x, 0, u32::MAX.into())?),
            (Const::Int(x), "i32") => {
                let x = narrow(x, i32::MIN.into(), i32::MAX.into())?;
                format!("i32({x})")
            }
            (Const::Int(x), "u64") => format!("{}lu", x as u64),
            (Const::Int(i64::MIN), "i64") => format!("({}li - 1li)", -i64::MAX),
            (Const::Int(x), "i64") => format!("{x}li"),
            (Const::Float(x), "f64") => self.double(x),
            (Const::Float(x), _) => self.float(x as f32),
            (constant, _) => {
                return Err(Error::Internal(format!(
                    "{constant:?} as a constant of type {ty}"
                )));
            }
        })
    }

    /// Shortest digits that read back as the same number. Literals must be finite, and drivers may drop subnormals.
    fn float(&mut self, x: f32) -> String {
        match x.is_normal() || x == 0.0 {
            true => format!("{x:?}f"),
            false => format!("{}({}u)", self.unit.helper("mcx_bits"), x.to_bits()),
        }
    }

    fn double(&mut self, x: f64) -> String {
        // A product with a literal 0 would be 0, whatever the other factor is.
        match x.is_normal() {
            true => format!("{x:?}lf"),
            false => format!("{}({}lu)", self.unit.helper("mcx_bits_f64"), x.to_bits()),
        }
    }

    /// Whether a number is a constant by which every device divides well: SPIR-V says nothing of divisors above 2¹²⁶, and NVIDIA's quotients are 0 there.
    fn is_moderate(&self, value: Value) -> bool {
        matches!(self.function.as_const(value), Some(Const::Float(x)) if x.abs() <= 2f64.powi(126))
    }

    /// A primitive on operands of type `from`.
    fn prim(&mut self, prim: Prim, args: &[String], from: Type, to: Type) -> Result<String> {
        let arg = |n: usize| args.get(n).map(String::as_str).unwrap_or_default();
        let (a, b) = (arg(0), arg(1));
        let infix = |operator: &str| Ok(format!("{a} {operator} {b}"));
        let is_bool = from == Type::Bool;
        let is_float = from.is_float();
        let wide = bits_of(from) == 64;
        match prim {
            // Drivers make 0 and 1 of them, also for infinities.
            Prim::Sub | Prim::Div if is_float && a == b => {
                let kept = self.keep(b, from);
                self.prim(prim, &[a.to_owned(), kept], from, to)
            }
            Prim::Add if from == Type::F64 => Ok(self.keep(&format!("{a} + {b}"), from)),
            Prim::Sub if from == Type::F64 => Ok(self.keep(&format!("{a} - {b}"), from)),
            Prim::Mul if from == Type::F64 => Ok(self.keep(&format!("{a} * {b}"), from)),
            Prim::Add => infix("+"),
            Prim::Sub => infix("-"),
            Prim::Mul => infix("*"),
            Prim::Div if from == Type::F32 => {
                Ok(format!("{}({a}, {b})", self.unit.helper("mcx_div")))
            }
            Prim::Div => infix("/"),
            Prim::Rem if from == Type::F64 => {
                self.unit.loops = true;
                Ok(format!("{}({a}, {b})", self.unit.helper("mcx_rem_f64")))
            }
            Prim::Rem if is_float => Ok(format!("{}({a}, {b})", self.unit.helper("mcx_rem"))),
            Prim::Rem => infix("%"),
            Prim::Neg => Ok(format!("-{a}")),
            Prim::Sqrt => Ok(format!("sqrt({a})")),
            Prim::Abs => Ok(format!("abs({a})")),
            Prim::Floor => Ok(format!("floor({a})")),
            Prim::Ceil => Ok(format!("ceil({a})")),
            Prim::Trunc if wide => Ok(format!("{}({a})", self.unit.helper("mcx_trunc_f64"))),
            Prim::Trunc => Ok(format!("trunc({a})")),
            Prim::Copysign if wide => Ok(format!(
                "{}({a}, {b})",
                self.unit.helper("mcx_copysign_f64")
            )),
            Prim::Copysign => Ok(format!("{}({a}, {b})", self.unit.helper("mcx_copysign"))),
            // Drivers may take it that no number is NaN.
            Prim::Eq if a == b && is_float => Ok(is_number(a, from)),
            Prim::Ne if a == b && is_float => Ok(format!("!({})", is_number(a, from))),
            Prim::Eq => infix("=="),
            // `!=` of floats is false for NaN in SPIR-V as naga writes it.
            Prim::Ne if is_float => Ok(format!("!({a} == {b})")),
            Prim::Ne => infix("!="),
            Prim::Lt if is_bool => Ok(format!("!{a} & {b}")),
            Prim::Le if is_bool => Ok(format!("!{a} | {b}")),
            Prim::Gt if is_bool => Ok(format!("{a} & !{b}")),
            Prim::Ge if is_bool => Ok(format!("{a} | !{b}")),
            Prim::Lt => infix("<"),
            Prim::Le => infix("<="),
            Prim::Gt => infix(">"),
            Prim::Ge => infix(">="),
            Prim::And => infix("&"),
            Prim::Or => infix("|"),
            Prim::Xor if is_bool => infix("!="),
            Prim::Xor => infix("^"),
            Prim::Not if is_bool => Ok(format!("!{a}")),
            Prim::Not => Ok(format!("~{a}")),
            Prim::Shl => Ok(format!("{a} << u32({b})")),
            Prim::Shr => Ok(format!("{a} >> u32({b})")),
            Prim::AddOverflows if from.is_signed() => {
                Ok(format!("((({a} + {b}) ^ {a}) & (({a} + {b}) ^ {b})) < 0"))
            }
            Prim::AddOverflows => Ok(format!("({a} + {b}) < {a}")),
            Prim::SubOverflows if from.is_signed() => {
                Ok(format!("(({a} ^ {b}) & (({a} - {b}) ^ {a})) < 0"))
            }
            Prim::SubOverflows => infix("<"),
            Prim::MulOverflows => {
                let helper = match (from.is_signed(), wide) {
                    (true, false) => "mcx_mul_overflows_i32",
                    (false, false) => "mcx_mul_overflows_u32",
                    (true, true) => "mcx_mul_overflows_i64",
                    (false, true) => "mcx_mul_overflows_u64",
                };
                Ok(format!("{}({a}, {b})", self.unit.helper(helper)))
            }
            Prim::Select => Ok(format!("select({}, {b}, {a})", arg(2))),
            Prim::Cast => self.cast(a, from, to),
            Prim::Bitcast if to == Type::F16 => Ok(format!("({a} & 0xffffu)")),
            Prim::Bitcast => Ok(format!("bitcast<{}>({a})", self.unit.ty(to)?)),
            Prim::Tuple => Ok(format!("{}({})", self.unit.ty(to)?, args.join(", "))),
            Prim::Field(n) => Ok(format!("{a}.f{n}")),
            Prim::Assert(_) => Err(Error::Internal("a guard has no value".into())),
            Prim::Len
            | Prim::Load
            | Prim::Store
            | Prim::Subslice
            | Prim::TapePush
            | Prim::TapePop
            | Prim::Offset
            | Prim::Peek(_)
            | Prim::Poke(_)
            | Prim::Alloc
            | Prim::Get(_)
            | Prim::Set(_)
            | Prim::View
            | Prim::Base
            | Prim::Pack
            | Prim::Lane(_)
            | Prim::LoadLanes
            | Prim::StoreLanes => self.memory(prim, args, from, to),
        }
    }

    /// A float of which drivers do not know how it came to be.
    fn keep(&mut self, text: &str, ty: Type) -> String {
        let keep = match ty {
            Type::F64 => self.unit.helper("mcx_keep_f64"),
            _ => self.unit.helper("mcx_keep"),
        };
        format!("{keep}({text})")
    }

    fn cast(&mut self, a: &str, from: Type, to: Type) -> Result<String> {
        let (from, to) = (self.unit.ty(from)?, self.unit.ty(to)?);
        let convert = match (from.as_str(), to.as_str()) {
            ("f32", "i32") => self.unit.helper("mcx_f32_to_i32"),
            ("f32", "u32") => self.unit.helper("mcx_f32_to_u32"),
            ("f64", "i32") => self.unit.helper("mcx_f64_to_i32"),
            ("f64", "u32") => self.unit.helper("mcx_f64_to_u32"),
            ("f64", "i64") => self.unit.helper("mcx_f64_to_i64"),
            ("f64", "u64") => self.unit.helper("mcx_f64_to_u64"),
            // Exact.
            ("f32", "i64" | "u64") => {
                let helper = match to.as_str() {
                    "i64" => self.unit.helper("mcx_f64_to_i64"),
                    _ => self.unit.helper("mcx_f64_to_u64"),
                };
                return Ok(format!("{helper}(f64({a}))"));
            }
            ("bool", "f64" | "i64" | "u64") => {
                return Ok(format!("select({to}(0), {to}(1), {a})"));
            }
            _ => &to,
        };
        Ok(format!("{convert}({a})"))
    }
}

/// Whether the float `x` is not NaN, by its bits.
fn is_number(x: &str, ty: Type) -> String {
    match ty {
        Type::F64 => format!("(bitcast<u64>({x}) & 0x7ffffffffffffffflu) <= 0x7ff0000000000000lu"),
        _ => format!("(bitcast<u32>({x}) & 0x7fffffffu) <= 0x7f800000u"),
    }
}

/// The bits of a number in the text.
fn bits_of(ty: Type) -> u32 {
    match ty {
        Type::F64 | Type::I64 | Type::U64 => 64,
        _ => 32,
    }
}

/// How a value is called in the text.
fn name(value: Value) -> String {
    format!("v{}", value.index())
}

fn narrow(x: i64, low: i64, high: i64) -> Result<i64> {
    match (low..=high).contains(&x) {
        true => Ok(x),
        false => Err(refused(format_args!(
            "the integer {x} does not fit the 32 bits of GPU kernels"
        ))),
    }
}

fn notes_targets(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Go(_) | Stmt::Guard(..) => true,
        Stmt::If(_, then, otherwise) => notes_targets(then) || notes_targets(otherwise),
        Stmt::Loop(body) => notes_targets(body),
        _ => false,
    })
}

/// The values that need a variable: block parameters, and results used in another block than their own.
fn shared_values(function: &Function) -> BTreeSet<Value> {
    let mut home: BTreeMap<Value, Block> = BTreeMap::new();
    let mut shared = BTreeSet::new();
    for (block, data) in function.blocks_in_order() {
        home.extend(
            data.insts
                .iter()
                .map(|&i| (function.insts[i].result, block)),
        );
        if block != function.entry() {
            shared.extend(&data.params);
        }
    }
    for (block, data) in function.blocks_in_order() {
        let mut used = |value: Value| {
            if home.get(&value).is_some_and(|&found| found != block) {
                shared.insert(value);
            }
        };
        for &inst in &data.insts {
            function.insts[inst]
                .args
                .iter()
                .copied()
                .for_each(&mut used);
        }
        data.terminator.for_each_value(&mut used);
    }
    shared.retain(|&value| match function.values[value].def {
        ValueDef::Param(block, _) => block != function.entry(),
        ValueDef::Inst(_) => true,
    });
    shared
}

/// A fault in the words of Rust, without the values, that many: they stay on the device.
fn message(fault: Fault, values: usize) -> String {
    match fault {
        Fault::IndexOutOfBounds => "index out of bounds".into(),
        Fault::SliceOutOfBounds => "range out of bounds of a slice".into(),
        Fault::Overflow(text) => text.as_str().into(),
        Fault::DivisionByZero => "attempt to divide by zero".into(),
        Fault::TooDeep => "recursion is deeper than the limit".into(),
        Fault::Panic(text) => elided(text.as_str(), values),
        Fault::NotFinite(text) | Fault::NoRule(text, _) => text.as_str().into(),
    }
}

#[cfg(test)]
mod tests;
