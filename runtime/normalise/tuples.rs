//! Scalar replacement of tuples: a tuple is its leaves, one value each.

use crate::diag::Span;
use crate::ir::build::substitute;
use crate::ir::{
    Args, Block, Const, Function, HostOp, Inst, InstData, Op, Prim, Terminator, Type, Value,
    ValueData, ValueDef,
};
use rustc_hash::FxHashMap;

/// The leaves of a type: itself, or those of its fields, depth first. `()` has none.
pub fn leaves(ty: Type) -> Vec<Type> {
    match ty {
        Type::Tuple(fields) => fields.iter().flat_map(|&field| leaves(field)).collect(),
        leaf => vec![leaf],
    }
}

/// Splits parameters of functions and blocks, and everything between, into leaves.
///
/// Tuples remain where they must be whole: as a call's or map's result (taken apart at once), as the shape that an array operation takes, in `return`.
pub(super) fn split_tuples(function: &mut Function) {
    split(function, false);
}

/// Like [`split_tuples`], except that parameters of the function and arguments of calls stay whole, so that its callers need not change.
pub(super) fn split_inner_tuples(function: &mut Function) {
    split(function, true);
}

fn split(function: &mut Function, keeps_signatures: bool) {
    let plain = |v: &ValueData| !matches!(v.ty, Type::Tuple(_));
    if function.values.iter().all(|(_, data)| plain(data)) {
        return;
    }
    let mut split = Split {
        function,
        keeps_signatures,
        parts: FxHashMap::default(),
        aliases: FxHashMap::default(),
    };
    split.split_params();
    // Definitions before uses: a use may stand in an earlier block of the layout, so dominators first.
    let order = crate::ir::flow::Flow::new(split.function)
        .reverse_postorder()
        .to_vec();
    for &block in &order {
        split.split_insts(block);
    }
    for &block in &order {
        split.split_terminator(block);
    }
    let aliases = split.aliases;
    substitute(function, &aliases);
}

/// Whether a call takes a tuple whole: a shape.
fn takes_shape(op: Op) -> bool {
    match op {
        Op::Call(callee) => callee.host_op().is_some_and(HostOp::takes_shape),
        Op::Const(_) | Op::Prim(_) | Op::Map(_) => false,
    }
}

struct Split<'f> {
    function: &'f mut Function,
    /// Whether parameters of functions stay whole.
    keeps_signatures: bool,
    /// The leaves of each tuple.
    parts: FxHashMap<Value, Vec<Value>>,
    /// The values that replace fields.
    aliases: FxHashMap<Value, Value>,
}

impl Split<'_> {
    /// The leaves of a value; a value that is no tuple is its own leaf.
    fn parts(&self, value: Value) -> Vec<Value> {
        let mut value = value;
        while let Some(&next) = self.aliases.get(&value) {
            value = next;
        }
        match self.function.ty(value) {
            Type::Tuple([]) => Vec::new(),
            Type::Tuple(_) => self.parts[&value].clone(),
            _ => vec![value],
        }
    }

    /// The arguments that replace a value on an edge: its leaves. `()` has no leaves and stays a value.
    fn passed(&self, value: Value) -> Vec<Value> {
        match self.function.ty(value) {
            Type::Tuple([]) => vec![value],
            _ => self.parts(value),
        }
    }

    fn split_params(&mut self) {
        if !self.keeps_signatures
            && let Some(roles) = self.function.parallel.take()
        {
            let types = self.function.param_types();
            let roles = roles.into_iter().zip(types);
            let split = roles.flat_map(|(role, ty)| leaves(ty).into_iter().map(move |_| role));
            self.function.parallel = Some(split.collect());
        }
        for block in self.function.layout.clone() {
            let is_entry = block == self.function.entry();
            if is_entry && self.keeps_signatures {
                continue;
            }
            let old = std::mem::take(&mut self.function.blocks[block].params);
            for param in old {
                let ty = self.function.ty(param);
                match ty {
                    Type::Tuple(fields) if !fields.is_empty() => {
                        let name = self.function.values[param].name;
                        let parts: Vec<Value> = leaves(ty)
                            .into_iter()
                            .map(|leaf| self.function.add_param(block, leaf))
                            .collect();
                        parts
                            .iter()
                            .for_each(|&part| self.function.values[part].name = name);
                        self.parts.insert(param, parts);
                    }
                    Type::Tuple(_) if is_entry => {
                        let unit = Op::Const(Const::Unit);
                        let unit = self.function.append(block, unit, &[], ty, Span::NONE);
                        self.function.blocks[block].insts.rotate_right(1);
                        self.aliases.insert(param, unit);
                    }
                    _ => {
                        let index = self.function.blocks[block].params.len() as u32;
                        self.function.values[param].def = ValueDef::Param(block, index);
                        self.function.blocks[block].params.push(param);
                    }
                }
            }
        }
    }

    fn split_insts(&mut self, block: Block) {
        let insts = std::mem::take(&mut self.function.blocks[block].insts);
        if self.keeps_signatures && block == self.function.entry() {
            for param in self.function.params().to_vec() {
                self.take_apart(block, param);
            }
        }
        for inst in insts {
            let data = self.function.insts[inst].clone();
            match data.op {
                Op::Prim(Prim::Tuple) if !data.args.is_empty() => {
                    let parts = data.args.iter().flat_map(|&arg| self.parts(arg)).collect();
                    self.parts.insert(data.result, parts);
                }
                Op::Prim(Prim::Field(n)) => self.split_field(block, data, n),
                Op::Call(_) | Op::Map(_) => {
                    self.rebuild_args(block, inst);
                    self.function.blocks[block].insts.push(inst);
                    self.take_apart(block, data.result);
                }
                Op::Const(_) | Op::Prim(_) => self.function.blocks[block].insts.push(inst),
            }
        }
    }

    /// A field becomes some of the leaves of the tuple.
    fn split_field(&mut self, block: Block, data: InstData, n: u32) {
        let Type::Tuple(fields) = self.function.ty(data.args[0]) else {
            return;
        };
        let before: usize = fields[..n as usize]
            .iter()
            .map(|&field| leaves(field).len())
            .sum();
        let count = leaves(fields[n as usize]).len();
        let parts = self.parts(data.args[0])[before..before + count].to_vec();
        match (self.function.ty(data.result), &parts[..]) {
            (Type::Tuple([]), _) => {
                let unit =
                    self.function
                        .append(block, Op::Const(Const::Unit), &[], Type::UNIT, data.span);
                self.aliases.insert(data.result, unit);
            }
            (Type::Tuple(_), _) => {
                self.parts.insert(data.result, parts);
            }
            (_, parts) => {
                self.aliases.insert(data.result, parts[0]);
            }
        }
    }

    /// The arguments of a call: leaves where the parameters of the callee are split too, and the whole tuple where they are not, or where it is a shape.
    fn rebuild_args(&mut self, block: Block, inst: Inst) {
        let data = self.function.insts[inst].clone();
        let whole = self.keeps_signatures || takes_shape(data.op);
        let mut args = Args::new();
        for &arg in &data.args {
            match whole {
                true => args.push(self.whole(block, arg, data.span)),
                false => args.extend(self.parts(arg)),
            }
        }
        self.function.insts[inst].args = args;
    }

    /// A value as a whole, built from its leaves if it is a tuple.
    fn whole(&mut self, block: Block, value: Value, span: Span) -> Value {
        let parts = self.parts(value);
        let mut parts = parts.into_iter();
        self.assemble(block, self.function.ty(value), &mut parts, span)
    }

    fn assemble(
        &mut self,
        block: Block,
        ty: Type,
        parts: &mut dyn Iterator<Item = Value>,
        span: Span,
    ) -> Value {
        match ty {
            Type::Tuple([]) => self
                .function
                .append(block, Op::Const(Const::Unit), &[], ty, span),
            Type::Tuple(fields) => {
                let fields: Vec<Value> = fields
                    .iter()
                    .map(|&field| self.assemble(block, field, parts, span))
                    .collect();
                self.function
                    .append(block, Op::Prim(Prim::Tuple), &fields, ty, span)
            }
            _ => parts.next().expect("as many leaves as the type has"),
        }
    }

    /// Reads all leaves of a parameter of the function, or of a call's result behind the call.
    fn take_apart(&mut self, block: Block, result: Value) {
        if matches!(self.function.ty(result), Type::Tuple(fields) if !fields.is_empty()) {
            let mut parts = Vec::new();
            self.read_leaves(block, result, &mut parts);
            self.parts.insert(result, parts);
        }
    }

    fn read_leaves(&mut self, block: Block, value: Value, parts: &mut Vec<Value>) {
        let Type::Tuple(fields) = self.function.ty(value) else {
            parts.push(value);
            return;
        };
        for (n, &field) in fields.iter().enumerate() {
            let op = Op::Prim(Prim::Field(n as u32));
            let read = self.function.append(block, op, &[value], field, Span::NONE);
            self.read_leaves(block, read, parts);
        }
    }

    fn split_terminator(&mut self, block: Block) {
        let mut terminator = std::mem::replace(
            &mut self.function.blocks[block].terminator,
            Terminator::Missing,
        );
        for edge in terminator.edges_mut() {
            edge.args = edge.args.iter().flat_map(|&arg| self.passed(arg)).collect();
        }
        if let Terminator::Return(value) = &mut terminator
            && self.function.ty(*value) != Type::UNIT
        {
            *value = self.whole(block, *value, Span::NONE);
        }
        self.function.blocks[block].terminator = terminator;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_module;
    use crate::ir::print::canonical;
    use crate::ir::verify::verify;

    fn split(text: &str) -> String {
        let mut module = parse_module(text).unwrap();
        module.functions.values_mut().for_each(split_tuples);
        verify(&module, &|_, _| None).unwrap_or_else(|error| panic!("{error}\n{module}"));
        canonical(&module).to_string()
    }

    #[test]
    fn loop_carried_and_nested_tuples_are_leaves() {
        let text = split(
            "fn @f(%0: (f64, (f64, bool)), %1: bool) -> (f64, f64) {
             b0:
                 %2: f64 = field.0 %0
                 %3: (f64, bool) = field.1 %0
                 %4: f64 = field.0 %3
                 %5: (f64, f64) = tuple %2, %4
                 jump b1(%5)
             b1(%6: (f64, f64)):
                 branch %1, b2, b3
             b2:
                 %7: f64 = field.1 %6
                 %8: f64 = field.0 %6
                 %9: (f64, f64) = tuple %7, %8
                 jump b1(%9)
             b3:
                 return %6
             }",
        );
        assert!(!text.contains("field"), "{text}");
        assert_eq!(text.matches("tuple").count(), 1, "{text}");
    }

    #[test]
    fn units_inside_tuples_and_results_of_calls() {
        let text = split(
            "fn @f(%0: ((), f64)) -> f64 {
             b0:
                 %1: () = field.0 %0
                 %3: ((), f64) = call @g(%0, %1)
                 %4: f64 = field.1 %3
                 return %4
             }
             fn @g(%0: ((), f64), %1: ()) -> ((), f64) {
             b0:
                 return %0
             }",
        );
        assert_eq!(text.matches("field").count(), 2, "{text}");
    }
}
