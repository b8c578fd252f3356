//! The text format, written. `parse` reads it and documents it.
//!
//! Ids print as they are numbered, so that a message of the verifier and the text name the same things; who compares
//! texts prints a [`canonical`] copy. Spans are left out: they are the user's source, not the function. A value's name
//! in the user's source follows as a comment.

use super::eval::widen;
use super::*;
use crate::arena::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{Display, Formatter, Result};

impl Display for Module {
    /// The root first, then the others by name.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        module(f, self, &|_, _| None)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        function(f, self, &|_, _| None)
    }
}

/// The comment on an instruction, if there is one.
pub type Note<'a> = dyn Fn(&Function, Inst) -> Option<&'static str> + 'a;

/// A module as text, with comments `; (note)` after instructions. The IR itself knows neither rules nor effects; a caller that does can add them here.
pub struct NotedText<'a>(pub &'a Module, pub &'a Note<'a>);

impl Display for NotedText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        module(f, self.0, self.1)
    }
}

fn module(f: &mut Formatter<'_>, module: &Module, note: &Note) -> Result {
    if let Some(root) = module.functions.get(&module.root) {
        function(f, root, note)?;
    }
    for other in module.functions.values().filter(|g| g.name != module.root) {
        writeln!(f)?;
        function(f, other, note)?;
    }
    for (&name, signature) in &module.declared {
        let params: Vec<String> = signature.params.iter().map(Type::to_string).collect();
        let (name, params, ret) = (SymbolText(name), params.join(", "), signature.ret);
        write!(f, "\ndeclare {name}({params}) -> {ret}")?;
        if let Some(derivative) = &signature.derivative {
            f.write_str(" ")?;
            self::derivative(f, derivative)?;
        }
        if let Some(origin) = &signature.origin {
            self::origin(f, origin)?;
        }
        writeln!(f)?;
    }
    Ok(())
}

/// `gradient_of @f(true, false) along (true, false, true)`: the function, and which of its parameters are active; then which parameters of the gradient have
/// tangents, for each time that it has been differentiated.
fn derivative(f: &mut Formatter<'_>, derivative: &Derivative) -> Result {
    let word = match derivative.kind {
        DerivativeKind::Gradient => "gradient_of",
        DerivativeKind::Tangent => "tangent_of",
    };
    write!(
        f,
        "{word} {}({})",
        SymbolText(derivative.of),
        marks(&derivative.active)
    )?;
    for mask in &derivative.along {
        write!(f, " along ({})", marks(mask))?;
    }
    Ok(())
}

/// ` half_of @f(true, false)`, ` half_of @f(false) shadowed`, ` dual_of @f(true)`: the function, and which of its parameters are active.
fn origin(f: &mut Formatter<'_>, origin: &Origin) -> Result {
    let word = match origin.part {
        OriginPart::Half { .. } => "half_of",
        OriginPart::Dual => "dual_of",
    };
    let (of, active) = (SymbolText(origin.of), marks(&origin.active));
    write!(f, " {word} {of}({active})")?;
    let shadowed = origin.part == OriginPart::Half { shadowed: true };
    match shadowed && !origin.active.contains(&true) {
        true => f.write_str(" shadowed"),
        false => Ok(()),
    }
}

/// `true, false`
fn marks(mask: &[bool]) -> String {
    let marks: Vec<String> = mask.iter().map(bool::to_string).collect();
    marks.join(", ")
}

fn function(f: &mut Formatter<'_>, function: &Function, note: &Note) -> Result {
    write!(f, "fn {}(", SymbolText(function.name))?;
    typed_list(f, function, function.params())?;
    let on_demand = if function.on_demand { "on_demand " } else { "" };
    let clustered = if function.clustered { "clustered " } else { "" };
    write!(f, ") -> {} {on_demand}{clustered}", function.ret)?;
    if function.path != function.name {
        write!(f, "known_as {} ", SymbolText(function.path))?;
    }
    if !function.moved.is_empty() {
        write!(f, "moves({}) ", marks(&function.moved))?;
    }
    if let Some(derivative) = &function.derivative {
        self::derivative(f, derivative)?;
        f.write_str(" ")?;
    }
    if let Some(roles) = &function.parallel {
        let words: Vec<&str> = roles.iter().map(|role| role.word()).collect();
        write!(f, "parallel({}) ", words.join(", "))?;
    }
    writeln!(f, "{{")?;
    let used = used_units(function);
    for (i, (block, data)) in function.blocks_in_order().enumerate() {
        write!(f, "{block}")?;
        if i > 0 && !data.params.is_empty() {
            f.write_str("(")?;
            typed_list(f, function, &data.params)?;
            f.write_str(")")?;
        }
        writeln!(f, ":")?;
        for &inst in &data.insts {
            f.write_str("    ")?;
            instruction(f, function, inst, &used)?;
            write!(f, "{}", NameText(function, inst))?;
            match note(function, inst) {
                Some(note) => writeln!(f, " ; ({note})")?,
                None => writeln!(f)?,
            }
        }
        writeln!(f, "    {}", data.terminator)?;
    }
    writeln!(f, "}}")
}

/// `%0: f64, %1: [f64]`
fn typed_list(f: &mut Formatter<'_>, function: &Function, values: &[Value]) -> Result {
    for (i, &value) in values.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        write!(f, "{comma}{value}: {}", function.ty(value))?;
    }
    Ok(())
}

/// The values of type `()` that something uses: only these are named.
fn used_units(function: &Function) -> FxHashSet<Value> {
    let mut used = FxHashSet::default();
    let mut note = |v: Value| {
        if function.values.contains(v) && function.ty(v) == Type::UNIT {
            used.insert(v);
        }
    };
    for (_, data) in function.blocks_in_order() {
        for &inst in &data.insts {
            function.insts[inst]
                .args
                .iter()
                .copied()
                .for_each(&mut note);
        }
        data.terminator.for_each_value(&mut note);
    }
    used
}

/// One instruction as the text format has it.
pub struct InstText<'a>(pub &'a Function, pub Inst);

impl Display for InstText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        instruction(f, self.0, self.1, &used_units(self.0))
    }
}

fn instruction(
    f: &mut Formatter<'_>,
    function: &Function,
    inst: Inst,
    used: &FxHashSet<Value>,
) -> Result {
    let data = &function.insts[inst];
    let ty = function.ty(data.result);
    // An instruction that runs for its effect needs no name, unless its `()` is used.
    let silent = ty == Type::UNIT && !matches!(data.op, Op::Const(_));
    if !silent || used.contains(&data.result) {
        write!(f, "{}: {ty} = ", data.result)?;
    }
    match data.op {
        Op::Const(c) => write!(f, "{}", ConstText(c, ty)),
        Op::Call(callee) => write!(
            f,
            "call {}({})",
            SymbolText(callee.symbol()),
            Values(&data.args)
        ),
        Op::Map(callee) => write!(f, "map {}({})", SymbolText(callee), Values(&data.args)),
        Op::Prim(Prim::Assert(fault)) => match data.args.split_first() {
            Some((condition, rest)) => {
                write!(f, "assert {condition} else {fault}{}", Parenthesised(rest))
            }
            None => write!(f, "assert else {fault}"),
        },
        Op::Prim(prim) => {
            f.write_str(prim.mnemonic())?;
            if let Prim::Field(n)
            | Prim::Peek(n)
            | Prim::Poke(n)
            | Prim::Get(n)
            | Prim::Set(n)
            | Prim::Lane(n) = prim
            {
                write!(f, ".{n}")?;
            }
            let space = if data.args.is_empty() { "" } else { " " };
            write!(f, "{space}{}", Values(&data.args))
        }
    }
}

/// The user's name for an instruction's result, as a comment.
struct NameText<'a>(&'a Function, Inst);

impl Display for NameText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let value = self.0.insts[self.1].result;
        match self.0.values[value].name {
            Some(name) => write!(f, " ; {}", name.as_str().replace(['\n', '\r'], " ")),
            None => Ok(()),
        }
    }
}

/// `%0, %1`
struct Values<'a>(&'a [Value]);

impl Display for Values<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (i, value) in self.0.iter().enumerate() {
            write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// `(%0, %1)`, or nothing.
struct Parenthesised<'a>(&'a [Value]);

impl Display for Parenthesised<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            [] => Ok(()),
            values => write!(f, "({})", Values(values)),
        }
    }
}

/// A constant of a type.
struct ConstText(Const, Type);

impl Display for ConstText {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match *self {
            ConstText(Const::Unit, _) => f.write_str("()"),
            ConstText(Const::Bool(b), _) => write!(f, "{b}"),
            ConstText(Const::Int(i), ty) => write!(f, "{}", widen(i, ty)),
            ConstText(Const::Null, _) => f.write_str("null"),
            ConstText(Const::Float(x), _) if x.is_nan() => {
                match x.to_bits() == f64::NAN.to_bits() {
                    true => f.write_str("nan"),
                    false => write!(f, "nan:{:#x}", x.to_bits()),
                }
            }
            // The shortest text that reads back to the same number of that precision.
            ConstText(Const::Float(x), Type::F32) if f64::from(x as f32) == x => {
                write!(f, "{:?}", x as f32)
            }
            ConstText(Const::Float(x), _) => write!(f, "{x:?}"),
        }
    }
}

/// A symbol: bare if it reads back so.
struct SymbolText(Symbol);

impl Display for SymbolText {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = self.0.as_str();
        let bare = !name.is_empty() && name.chars().all(is_symbol_char);
        match bare {
            true => write!(f, "@{name}"),
            false => write!(f, "@{name:?}"),
        }
    }
}

/// Whether a symbol can be written without quotes.
pub fn is_symbol_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':')
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Fault::IndexOutOfBounds => f.write_str("index"),
            Fault::SliceOutOfBounds => f.write_str("slice"),
            Fault::Overflow(operation) => write!(f, "overflow {:?}", operation.as_str()),
            Fault::DivisionByZero => f.write_str("division_by_zero"),
            Fault::TooDeep => f.write_str("too_deep"),
            Fault::Panic(text) => write!(f, "panic {:?}", text.as_str()),
            Fault::NotFinite(text) => write!(f, "not_finite {:?}", text.as_str()),
            Fault::NoRule(text, help) => {
                write!(f, "no_rule {:?} {:?}", text.as_str(), help.as_str())
            }
        }
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Terminator::Missing => f.write_str("missing"),
            Terminator::Jump(edge) => write!(f, "jump {edge}"),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => write!(f, "branch {condition}, {then}, {otherwise}"),
            Terminator::Return(value) => write!(f, "return {value}"),
            Terminator::Error(fault, values, _) => {
                write!(f, "error {fault}{}", Parenthesised(values))
            }
        }
    }
}

impl Display for Edge {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", self.block, Parenthesised(&self.args))
    }
}

/// The same module with every function renumbered in the order of its layout, without rows that do not exist, spans
/// and names: two modules that print alike are equal then.
pub fn canonical(module: &Module) -> Module {
    let functions = module.functions.iter();
    Module {
        root: module.root,
        functions: functions
            .map(|(&name, f)| (name, canonical_function(f)))
            .collect(),
        declared: module.declared.clone(),
    }
}

/// One function, as [`canonical`] does it.
pub fn canonical_function(function: &Function) -> Function {
    let mut copy = Function {
        values: Table::new(),
        blocks: Table::new(),
        layout: Vec::new(),
        ..function.shell()
    };
    let mut blocks = FxHashMap::default();
    let mut values = FxHashMap::default();
    for (block, data) in function.blocks_in_order() {
        let new = copy.add_block();
        blocks.insert(block, new);
        for &param in &data.params {
            values.insert(param, copy.add_param(new, function.ty(param)));
        }
        for &inst in &data.insts {
            let InstData {
                op,
                ref args,
                result,
                ..
            } = function.insts[inst];
            values.insert(
                result,
                copy.append(new, op, args, function.ty(result), Span::NONE),
            );
        }
        copy.blocks[new].terminator = data.terminator.clone();
    }
    // A use of what does not exist stays as it is, for the verifier to find.
    let value = |v: Value| {
        values
            .get(&v)
            .copied()
            .unwrap_or(Value::new(u32::MAX as usize))
    };
    for inst in copy.insts.keys() {
        copy.insts[inst]
            .args
            .iter_mut()
            .for_each(|v| *v = value(*v));
    }
    for block in copy.blocks.keys() {
        let terminator = &mut copy.blocks[block].terminator;
        terminator.map_values(value);
        for edge in terminator.edges_mut() {
            edge.block = blocks.get(&edge.block).copied().unwrap_or(edge.block);
        }
        if let Terminator::Error(_, _, span) = terminator {
            *span = Span::NONE;
        }
    }
    copy
}
