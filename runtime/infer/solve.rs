//! Finding the types: every instruction says what it knows, until nothing new is learned.

use super::library;
use super::methods::builtin;
use super::unify::{Mismatch, Unifier};
use crate::diag::{Diagnostic, Span};
use crate::front::lower::{Callee, Equation, Generic, GenericFunction};
use crate::ir::expr::scalar_primitive;
use crate::ir::{Const, InstData, Op, Prim, Symbol, Type, Value};
use crate::registry::{HostOp, Registry};

/// The types of a generic function and its closures.
///
/// Literals that nothing else decides get their defaults only when all else is known, as in Rust.
pub(super) fn solve(generic: &Generic, registry: &Registry) -> Result<Unifier, Diagnostic> {
    let mut solver = Solver {
        generic,
        registry,
        unifier: Unifier::default(),
        force: false,
    };
    loop {
        solver.round()?;
        if solver.unifier.take_changed() {
            solver.force = false;
        } else if !solver.force {
            // Nothing left to learn: a number that could have been an array is none.
            solver.force = true;
        } else if !solver.default_literals() {
            return Ok(solver.unifier);
        }
    }
}

struct Solver<'a> {
    generic: &'a Generic,
    registry: &'a Registry,
    unifier: Unifier,
    /// Whether operands of unknown type are taken to be numbers.
    force: bool,
}

impl Solver<'_> {
    fn round(&mut self) -> Result<(), Diagnostic> {
        for &Equation {
            found,
            expected,
            span,
        } in &self.generic.equations
        {
            self.coerce(found, expected, span)?;
        }
        for function in &self.generic.functions {
            for (_, data) in function.function.blocks_in_order() {
                for &inst in &data.insts {
                    self.inst(function, &function.function.insts[inst])?;
                }
                for edge in data.terminator.edges() {
                    let params = &function.function.blocks[edge.block].params;
                    for (&arg, &param) in edge.args.iter().zip(params) {
                        let (arg, param) = (function.function.ty(arg), function.function.ty(param));
                        self.coerce(arg, param, Span::NONE)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn default_literals(&mut self) -> bool {
        let functions = self.generic.functions.iter();
        self.unifier.default_literals(
            functions.flat_map(|f| f.function.values.iter().map(|(_, data)| data.ty)),
        )
    }

    fn inst(&mut self, function: &GenericFunction, data: &InstData) -> Result<(), Diagnostic> {
        let types: Vec<Type> = data.args.iter().map(|&v| function.function.ty(v)).collect();
        let result = function.function.ty(data.result);
        match data.op {
            Op::Const(Const::Float(_)) => self.learn(data.span, |u| u.literal(result, true)),
            Op::Const(Const::Int(_)) => self.learn(data.span, |u| u.literal(result, false)),
            Op::Const(Const::Bool(_) | Const::Unit | Const::Null) => Ok(()),
            Op::Prim(prim) => self.prim(prim, &types, result, data.span),
            Op::Map(_) => self.map(function, data.result, &types, result, data.span),
            Op::Call(name) => match function.callees.get(&data.result) {
                // The front end has noted what the parameters must be.
                Some(_) => Ok(()),
                None => self.method(name, &types, result, data.span),
            },
        }
    }

    fn prim(
        &mut self,
        prim: Prim,
        types: &[Type],
        result: Type,
        span: Span,
    ) -> Result<(), Diagnostic> {
        use Prim::*;
        match (prim, types) {
            (Add | Sub | Mul | Div | Rem, &[a, b]) => self.arithmetic(a, b, result, span),
            (And | Or | Xor, &[a, b]) => {
                self.unify(a, b, span)?;
                self.unify(result, a, span)
            }
            (Neg | Not, &[a]) => self.unify(result, a, span),
            (Shl | Shr, &[a, b]) => {
                if self.unifier.is_literal(b) && self.force {
                    self.unify(b, a, span)?;
                }
                self.unify(result, a, span)
            }
            (Eq | Ne | Lt | Le | Gt | Ge | AddOverflows | SubOverflows | MulOverflows, &[a, b]) => {
                self.unify(a, b, span)
            }
            (Select, &[_, a, b]) => {
                self.unify(a, b, span)?;
                self.unify(result, a, span)
            }
            (Tuple, types) => self.unify(result, Type::tuple(types), span),
            (Field(n), &[tuple]) => match self.unifier.resolve(tuple) {
                Type::Tuple(fields) => match fields.get(n as usize) {
                    Some(&field) => self.unify(result, field, span),
                    None => Err(Diagnostic::new(span, "the tuple has no such field")),
                },
                _ => Ok(()),
            },
            (Load, &[slice, _]) => self.element(slice, result, span),
            (Store, &[slice, _, value]) => self.element(slice, value, span),
            (Subslice, &[slice, _, _]) => self.unify(result, slice, span),
            _ => Ok(()),
        }
    }

    fn element(&mut self, slice: Type, element: Type, span: Span) -> Result<(), Diagnostic> {
        match self.unifier.resolve(slice) {
            Type::Slice(t) | Type::SliceMut(t) => self.unify(element, *t, span),
            Type::Infer(_) => Ok(()),
            other => Err(Diagnostic::new(
                span,
                format!("{} cannot be indexed", self.unifier.describe(other)),
            )
            .help("index slices; arrays are read with `gather`, `item`, or `to_vec` outside")),
        }
    }

    /// Numbers of one type, or arrays and numbers that broadcast together.
    fn arithmetic(&mut self, a: Type, b: Type, result: Type, span: Span) -> Result<(), Diagnostic> {
        let (x, y) = (self.unifier.resolve(a), self.unifier.resolve(b));
        if let Some(element) = [x, y]
            .iter()
            .find(|t| t.is_array())
            .and_then(|t| t.element())
        {
            for side in [x, y] {
                // What is not known yet may turn out to be an array as well: the result of a `map`, say.
                let known = !matches!(side, Type::Infer(_)) || self.unifier.is_literal(side);
                if known || self.force {
                    let side = side.element().filter(|_| side.is_array()).unwrap_or(side);
                    self.unify(side, element, span)?;
                }
            }
            return self.unify(result, Type::array(element), span);
        }
        let settled = |t: Type| !matches!(t, Type::Infer(_)) || self.unifier.is_literal(t);
        if self.force || (settled(x) && settled(y)) {
            self.unify(x, y, span)?;
            self.unify(result, x, span)?;
        }
        Ok(())
    }

    /// The parameters of a mapped function are the elements of the arguments.
    fn map(
        &mut self,
        function: &GenericFunction,
        value: Value,
        types: &[Type],
        result: Type,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (params, ret) = match function.callees.get(&value) {
            Some(Callee::Source(source)) => (
                source
                    .params
                    .iter()
                    .map(|param| (param.ty)())
                    .collect::<Vec<_>>(),
                (source.ret)(),
            ),
            Some(&Callee::Closure(position)) => {
                let closure = &self.generic.functions[position].function;
                (closure.param_types(), closure.ret)
            }
            None => return Ok(()),
        };
        if params.len() != types.len() {
            let message = format!(
                "`map` gives the function {} argument, it takes {}",
                types.len(),
                params.len()
            );
            return Err(Diagnostic::new(span, message));
        }
        let array = self.unifier.resolve(types[0]);
        if matches!(array, Type::Infer(_)) {
            return Ok(());
        }
        let Type::Array(element) = array else {
            let message = format!(
                "`map` is a method of arrays, this is {}",
                self.unifier.describe(array)
            );
            return Err(Diagnostic::new(span, message).help("write a loop"));
        };
        self.unify(params[0], *element, span)?;
        for (&arg, &param) in types.iter().zip(&params).skip(1) {
            self.unify(arg, param, span)?;
        }
        match self.unifier.resolve(ret) {
            Type::Infer(_) => Ok(()),
            ret => self.unify(result, Type::array(ret), span),
        }
    }

    /// A method, or a function of a pack: the first argument's type decides which.
    fn method(
        &mut self,
        name: Symbol,
        types: &[Type],
        result: Type,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let Some(receiver) = types.first().map(|&t| self.unifier.resolve(t)) else {
            return Ok(());
        };
        if types.iter().any(|&t| self.unifier.resolve(t).is_array()) {
            return self.array_method(name, types, result, span);
        }
        if let Some(builtin) = builtin(name.as_str(), receiver) {
            let (params, ret) = builtin.signature(receiver);
            return self.apply(
                types,
                &[&[receiver], &params[..]].concat(),
                result,
                ret,
                span,
            );
        }
        if let Some(source) = library::method(name.as_str(), receiver) {
            let params: Vec<Type> = source.params.iter().map(|param| (param.ty)()).collect();
            return self.apply(types, &params, result, (source.ret)(), span);
        }
        match self.candidate(name, types) {
            Some((params, ret)) => self.apply(types, &params, result, ret, span),
            None => Ok(()),
        }
    }

    /// Host operations on arrays, and functions of scalars on each element.
    fn array_method(
        &mut self,
        name: Symbol,
        types: &[Type],
        result: Type,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let receiver = self.unifier.resolve(types[0]);
        if let Some(builtin) = builtin(name.as_str(), receiver) {
            let (_, ret) = builtin.signature(receiver);
            return self.unify(result, ret, span);
        }
        if let Some(op) = HostOp::from_name(name.as_str()) {
            return self.host_op(op, types, result, span);
        }
        let element = |t: Type| {
            if t.is_array() {
                t.element().unwrap_or(t)
            } else {
                t
            }
        };
        let elements: Vec<Type> = types
            .iter()
            .map(|&t| element(self.unifier.resolve(t)))
            .collect();
        if scalar_primitive(name.as_str()).is_some() {
            for &other in &elements[1..] {
                self.unify(other, elements[0], span)?;
            }
            return self.unify(result, Type::array(elements[0]), span);
        }
        match self.candidate(name, &elements) {
            Some((params, ret)) => self.apply(&elements, &params, result, Type::array(ret), span),
            None => Ok(()),
        }
    }

    fn host_op(
        &mut self,
        op: HostOp,
        types: &[Type],
        result: Type,
        span: Span,
    ) -> Result<(), Diagnostic> {
        for &ty in &types[1..] {
            match self.unifier.resolve(ty) {
                // Axes and extents.
                Type::Tuple(fields) => {
                    fields
                        .iter()
                        .try_for_each(|&field| self.unify(field, Type::Usize, span))?;
                }
                other if self.unifier.is_literal(other) && op != HostOp::FullLike => {
                    self.unify(other, Type::Usize, span)?;
                }
                _ => {}
            }
        }
        let resolved: Vec<Type> = types.iter().map(|&t| self.unifier.resolve(t)).collect();
        match op.result(&resolved) {
            Some(ret) => self.unify(result, ret, span),
            None => Ok(()),
        }
    }

    /// The one function of the packs with this name that arguments of these types can be given to. Between `f32` and
    /// `f64` it stays open until the arguments' types are known.
    fn candidate(&self, name: Symbol, types: &[Type]) -> Option<(Vec<Type>, Type)> {
        let fits = |params: &[Type]| {
            params.len() == types.len()
                && types
                    .iter()
                    .zip(params)
                    .all(|(&t, &p)| self.unifier.could_be(t, p))
        };
        let mut found = self
            .registry
            .named(name)
            .iter()
            .filter(|entry| fits(&entry.params));
        let first = found.next()?;
        match found.next() {
            Some(_) => None,
            None => Some((first.params.clone(), first.ret)),
        }
    }

    fn apply(
        &mut self,
        given: &[Type],
        wanted: &[Type],
        result: Type,
        ret: Type,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if given.len() != wanted.len() {
            let message = format!("expected {} arguments, found {}", wanted.len(), given.len());
            return Err(Diagnostic::new(span, message));
        }
        for (&given, &wanted) in given.iter().zip(wanted) {
            self.coerce(given, wanted, span)?;
        }
        self.unify(result, ret, span)
    }

    fn unify(&mut self, a: Type, b: Type, span: Span) -> Result<(), Diagnostic> {
        self.learn(span, |u| u.unify(a, b))
    }

    fn coerce(&mut self, given: Type, wanted: Type, span: Span) -> Result<(), Diagnostic> {
        self.learn(span, |u| u.coerce(given, wanted))
    }

    fn learn(
        &mut self,
        span: Span,
        fact: impl FnOnce(&mut Unifier) -> Result<(), Mismatch>,
    ) -> Result<(), Diagnostic> {
        fact(&mut self.unifier).map_err(|Mismatch(a, b)| {
            let (a, b) = (self.unifier.describe(a), self.unifier.describe(b));
            Diagnostic::new(
                span,
                format!("the types {a} and {b} do not fit together here"),
            )
        })
    }
}
