//! Derivatives of loops that threads share ([`crate::ir::Function::parallel`]).
//!
//! No tape outlives an iteration. With g, the gradient of f as one function, which threads share as they share f:
//!
//! - If f is a sum, a float, its gradient is linear in the one cotangent. So the forward half calls g for the cotangent 1, and keeps what that gives; the pullback
//!   multiplies it by the cotangent. Each iteration runs once.
//! - Otherwise the forward half calls f and keeps nothing, and the pullback calls g: each iteration runs a second time, and all memory of its reverse
//!   pass is that of one iteration at a time.
//!
//! The shadow of what the iterations share is added to by all of them, and that of an iteration's own elements is its own. Such shadows may be large where each
//! iteration adds to few elements: where one is long, another gradient is called, which notes them ([`note_touched`]). What f writes to its own elements is not
//! undone by the pullback: the library passes new memory, whose contents before the call nobody asks for.

use super::nested::{adopt, with_more};
use super::reverse::{Halves, reverse};
use super::rule::RuleLookup;
use super::{Mode, Request};
use crate::diag::Result;
use crate::ir::build::Builder;
use crate::ir::flow::Flow;
use crate::ir::{BLOCK, Const, Function, Op, Prim, Role, Symbol, Type, Value};
use crate::tangent::{self, Home};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What the parameters of the dual along so many directions are to threads: tangents are what their values are.
pub(super) fn roles_of_dual(
    function: &Function,
    active: &[bool],
    directions: usize,
) -> Option<Vec<Role>> {
    let roles = function.parallel.as_ref()?;
    let tangents = { roles.iter().zip(active) }.filter(|(_, active)| **active);
    let along_one: Vec<Role> = tangents.map(|(&role, _)| role).collect();
    Some([&roles[..], &along_one.repeat(directions)].concat())
}

/// What the parameters of `f.gradient(p…, shadows…, seeds…)` are to threads. `None` if f is a gradient itself.
fn roles_of_gradient(function: &Function, active: &[bool]) -> Option<Vec<Role>> {
    let mut roles = function.parallel.clone()?;
    for (n, &param) in function.params().iter().enumerate() {
        if active[n] && tangent::home(function.ty(param)) == Home::Fdata {
            roles.push(match roles[n] {
                Role::Shared => Role::Added,
                Role::Own => Role::Own,
                Role::From | Role::To | Role::Added | Role::Touched => return None,
            });
        }
    }
    let seeds = tangent::seeds(function.ret);
    roles.extend(seeds.iter().map(|_| Role::Shared));
    Some(roles)
}

/// To the memory of which of its parameters a function writes. `None` if threads cannot share its iterations.
pub(super) fn written(function: &Function) -> Option<Vec<bool>> {
    let roles = function.parallel.as_ref()?;
    let writes = |role: &Role| matches!(role, Role::Own | Role::Added | Role::Touched);
    Some(roles.iter().map(writes).collect())
}

/// Whether the halves of such a function are [`halves`].
pub(super) fn is_parallel(function: &Function, callee: &Halves) -> bool {
    roles_of_gradient(function, &callee.active).is_some()
}

/// The halves of a function whose iterations threads share.
pub(super) fn halves(
    lookup: RuleLookup,
    functions: &mut BTreeMap<Symbol, Function>,
    name: Symbol,
    callee: &Halves,
) -> Result<()> {
    let function = &lookup.module.functions[&name];
    let gradient = match callee.active.contains(&true) {
        true => Some(gradient(lookup, functions, function, callee)?),
        false => None,
    };
    let halves = Making {
        function,
        callee,
        types: function.param_types(),
    };
    let (forward, pullback) = match gradient {
        Some(gradient) if function.ret.is_float() => {
            (halves.forward_of_sum(gradient), halves.pullback_of_sum())
        }
        _ => (halves.forward(), halves.pullback(gradient)),
    };
    functions.insert(forward.name, forward);
    functions.insert(pullback.name, pullback);
    Ok(())
}

/// The gradient as one function, and, if there is one, another that notes what it adds to.
#[derive(Clone, Copy)]
struct Gradient {
    plain: Symbol,
    noting: Option<Symbol>,
}

/// Adds the gradient, and gives its name.
fn gradient(
    lookup: RuleLookup,
    functions: &mut BTreeMap<Symbol, Function>,
    function: &Function,
    callee: &Halves,
) -> Result<Gradient> {
    let RuleLookup {
        module,
        registry,
        kind,
    } = lookup;
    let request = Request {
        active: callee.active.clone(),
        mode: Mode::Combined,
    };
    with_more(module, functions, |inner| {
        inner.root = function.name;
        let made = reverse(inner, registry, kind, &request)?;
        let plain = adopt(&mut inner.functions, made, function.name);
        let mut noting = None;
        if let Some(gradient) = inner.functions.get_mut(&plain) {
            gradient.parallel = roles_of_gradient(function, &callee.active);
            noting = note_touched(gradient);
        }
        let gradient = Gradient {
            plain,
            noting: noting.as_ref().map(|noting| noting.name),
        };
        inner
            .functions
            .extend(noting.map(|noting| (noting.name, noting)));
        Ok(gradient)
    })
}

/// [`BLOCK`] is a power of two.
const BLOCK_BITS: i64 = BLOCK.ilog2() as i64;

/// Where no shadow is longer, all of it is copied and added: that costs less than to note what of it is.
const SHORT: i64 = 1 << 10;

/// A gradient that notes which elements of the shadows it adds to ([`Role::Touched`]), if all that it does with them is to read and write elements of their parts.
fn note_touched(plain: &Function) -> Option<Function> {
    let roles = plain.parallel.as_ref()?;
    // For each part of a shadow where in the shadow it begins; `None` at its beginning.
    let mut parts: FxHashMap<Value, Option<Value>> = FxHashMap::default();
    for (&param, role) in plain.params().iter().zip(roles) {
        if *role == Role::Added {
            parts.insert(param, None);
        }
    }
    if parts.is_empty() || !are_only_read_and_written(plain, parts.keys().copied().collect()) {
        return None;
    }
    let mut noting = plain.clone();
    let gradient = &mut noting;
    gradient.name = Symbol::new(&format!("{}.noting", plain.name));
    let touched = gradient.add_param(gradient.entry(), Type::slice_mut(Type::U8));
    gradient.parallel = Some([&roles[..], &[Role::Touched]].concat());
    let order = Flow::new(gradient).reverse_postorder().to_vec();
    for block in order {
        for inst in std::mem::take(&mut gradient.blocks[block].insts) {
            gradient.blocks[block].insts.push(inst);
            let row = gradient.insts[inst].clone();
            let Some(&start) = row.args.first().and_then(|slice| parts.get(slice)) else {
                continue;
            };
            let mut emit = |op, args: &[Value], ty| gradient.append(block, op, args, ty, row.span);
            let mut beyond = |at| match start {
                Some(start) => emit(Op::Prim(Prim::Add), &[start, at], Type::Usize),
                None => at,
            };
            if row.op == Op::Prim(Prim::Subslice) {
                let start = beyond(row.args[1]);
                parts.insert(row.result, Some(start));
            } else if row.op == Op::Prim(Prim::Store) {
                let at = beyond(row.args[1]);
                let bits = emit(Op::Const(Const::Int(BLOCK_BITS)), &[], Type::Usize);
                let number = emit(Op::Prim(Prim::Shr), &[at, bits], Type::Usize);
                let yes = emit(Op::Const(Const::Int(1)), &[], Type::U8);
                let store = Op::Prim(Prim::Store);
                emit(store, &[touched, number, yes], Type::UNIT);
            }
        }
    }
    Some(noting)
}

/// Whether nothing else is done with slices and their parts.
fn are_only_read_and_written(function: &Function, slices: Vec<Value>) -> bool {
    let mut parts: FxHashSet<Value> = slices.into_iter().collect();
    for &block in Flow::new(function).reverse_postorder() {
        let data = &function.blocks[block];
        for &inst in &data.insts {
            let row = &function.insts[inst];
            let is_part = |v: &Value| parts.contains(v);
            let first = row.args.first().is_some_and(is_part);
            match row.op {
                Op::Prim(Prim::Load | Prim::Len | Prim::Store) if first => {}
                Op::Prim(Prim::Subslice) if first => {
                    parts.insert(row.result);
                }
                _ if row.args.iter().any(is_part) => return false,
                _ => {}
            }
        }
        let mut leaves = false;
        data.terminator
            .for_each_value(|value| leaves |= parts.contains(&value));
        if leaves {
            return false;
        }
    }
    true
}

struct Making<'a> {
    function: &'a Function,
    callee: &'a Halves,
    types: Vec<Type>,
}

impl Making<'_> {
    fn shadow_types(&self) -> Vec<Type> {
        tangent::shadows(&self.types, &self.callee.active)
    }
    fn cotangents(&self) -> Vec<Type> {
        tangent::cotangents(&self.types, &self.callee.active)
    }
    /// The parameters that have a shadow.
    fn shadowed(&self) -> Vec<usize> {
        { 0..self.types.len() }
            .filter(|&n| self.callee.active[n] && tangent::home(self.types[n]) == Home::Fdata)
            .collect()
    }
    /// `forward(p…)`, or `forward(p…, shadows…)`, and its parameters without the shadows.
    fn begin_forward(&self) -> (Builder, Vec<Value>) {
        let mut params = self.types.clone();
        if self.callee.takes_shadows {
            params.extend(self.shadow_types());
        }
        let b = Builder::new(Function::new(
            self.callee.forward.symbol(),
            &params,
            self.function.ret,
        ));
        let given = b.function.params()[..self.types.len()].to_vec();
        (b, given)
    }
    /// `pullback(p…, shadows…, seeds…) -> (r…)`
    fn begin_pullback(&self) -> Builder {
        let seeds = tangent::seeds(self.function.ret);
        let params = [&self.types[..], &self.shadow_types(), &seeds].concat();
        let ret = Type::tuple(&self.cotangents());
        Builder::new(Function::new(self.callee.pullback.symbol(), &params, ret))
    }
    /// Calls a gradient: the one that notes what it adds to, if one of the shadows is long. Gives the leaves of the result.
    fn call(
        &self,
        b: &mut Builder,
        gradient: Gradient,
        args: &[Value],
        shadows: &[Value],
    ) -> Vec<Value> {
        let call = |b: &mut Builder, gradient, args: &[Value]| {
            let result = b.call(gradient, args, self.gradient_result());
            b.leaves(result)
        };
        let Some(noting) = gradient.noting else {
            return call(b, gradient.plain, args);
        };
        let mut longest = b.int(0, Type::Usize);
        for &shadow in shadows {
            if let Type::SliceMut(_) = b.function.ty(shadow) {
                let length = b.prim(Prim::Len, &[shadow]);
                let longer = b.prim(Prim::Gt, &[length, longest]);
                longest = b.prim(Prim::Select, &[longer, length, longest]);
            }
        }
        let (long, short, after) = (b.new_block(), b.new_block(), b.new_block());
        let limit = b.int(SHORT, Type::Usize);
        let is_long = b.prim(Prim::Gt, &[longest, limit]);
        b.branch(is_long, (long, &[]), (short, &[]));
        b.switch_to(long);
        let (bits, one) = (b.int(BLOCK_BITS, Type::Usize), b.int(1, Type::Usize));
        let blocks = b.prim(Prim::Shr, &[longest, bits]);
        let bytes = b.prim(Prim::Add, &[blocks, one]);
        let object = b.prim(Prim::Alloc, &[bytes]);
        let touched = b.prim_to(Prim::View, &[object, bytes], Type::slice_mut(Type::U8));
        let found = call(b, noting, &[args, &[touched]].concat());
        let types: Vec<Type> = found.iter().map(|&leaf| b.function.ty(leaf)).collect();
        b.jump(after, &found);
        b.switch_to(short);
        let found = call(b, gradient.plain, args);
        b.jump(after, &found);
        let results = types.iter().map(|&ty| b.add_param(after, ty)).collect();
        b.switch_to(after);
        results
    }
    fn gradient_result(&self) -> Type {
        tangent::gradient_result(self.function.ret, &self.types, &self.callee.active)
    }

    fn forward(&self) -> Function {
        let (mut b, given) = self.begin_forward();
        let y = b.call(self.function.name, &given, self.function.ret);
        b.ret(y);
        b.finish()
    }
    fn pullback(&self, gradient: Option<Gradient>) -> Function {
        let mut b = self.begin_pullback();
        let params = b.function.params().to_vec();
        let shadows = &params[self.types.len()..];
        let results = gradient.map(|gradient| self.call(&mut b, gradient, &params, shadows));
        let cotangents = results.map(|results| {
            let value = results.len() - self.cotangents().len();
            results[value..].to_vec()
        });
        let cotangents = cotangents.unwrap_or_default();
        let ret = b.prim_to(Prim::Tuple, &cotangents, b.function.ret);
        b.ret(ret);
        b.finish()
    }

    /// The bytes of the record that holds the gradient for the cotangent 1: the addresses of shadows, then cotangents.
    fn record_bytes(&self) -> i64 {
        8 * (self.shadowed().len() + self.cotangents().len()) as i64
    }
    fn forward_of_sum(&self, gradient: Gradient) -> Function {
        let (mut b, given) = self.begin_forward();
        let mut shadows = Vec::new();
        for n in self.shadowed() {
            shadows.push(b.zeros_like(given[n], tangent::tangent(self.types[n])));
        }
        let one = b.float(1.0, self.function.ret);
        let args = [&given[..], &shadows, &[one]].concat();
        let results = self.call(&mut b, gradient, &args, &shadows);
        let mut kept = Vec::new();
        for shadow in shadows {
            kept.push(b.prim(Prim::Base, &[shadow]));
        }
        kept.extend(&results[1..]);
        let bytes = b.int(self.record_bytes(), Type::Usize);
        let record = b.prim(Prim::TapePush, &[bytes]);
        for (n, &value) in kept.iter().enumerate() {
            b.prim(Prim::Poke(8 * n as u32), &[record, value]);
        }
        b.ret(results[0]);
        b.finish()
    }
    fn pullback_of_sum(&self) -> Function {
        let mut b = self.begin_pullback();
        let params = b.function.params().to_vec();
        let (given, rest) = params.split_at(self.types.len());
        let bytes = b.int(self.record_bytes(), Type::Usize);
        let record = b.prim(Prim::TapePop, &[bytes]);
        let mut place = (0..).step_by(8);
        let mut peek = |b: &mut Builder, ty| {
            let at = place.next().unwrap_or_default();
            b.prim_to(Prim::Peek(at), &[record], ty)
        };
        let seed = rest[rest.len() - 1];
        let mut kept = Vec::new();
        for &n in &self.shadowed() {
            let address = peek(&mut b, Type::Ptr);
            let length = b.prim(Prim::Len, &[given[n]]);
            let ty = tangent::tangent(self.types[n]);
            kept.push(b.prim_to(Prim::View, &[address, length], ty));
        }
        let mut cotangents = Vec::new();
        for ty in self.cotangents() {
            let cotangent = peek(&mut b, ty);
            cotangents.push(times(&mut b, cotangent, seed));
        }
        for (from, &to) in kept.into_iter().zip(rest) {
            add_multiple(&mut b, to, from, seed);
        }
        let ret = b.prim_to(Prim::Tuple, &cotangents, b.function.ret);
        b.ret(ret);
        b.finish()
    }
}

/// A float times another one, which may be of another type.
fn times(b: &mut Builder, value: Value, factor: Value) -> Value {
    let (ty, wanted) = (b.function.ty(value), b.function.ty(factor));
    let convert = |b: &mut Builder, value, from: Type, to| match from == to {
        true => value,
        false => b.prim_to(Prim::Cast, &[value], to),
    };
    let value = convert(b, value, ty, wanted);
    let product = b.prim(Prim::Mul, &[value, factor]);
    convert(b, product, wanted, ty)
}

/// Adds a multiple of a slice of floats to another one.
fn add_multiple(b: &mut Builder, to: Value, from: Value, factor: Value) {
    let (head, body, end) = (b.new_block(), b.new_block(), b.new_block());
    let length = b.prim(Prim::Len, &[from]);
    let (zero, one) = (b.int(0, Type::Usize), b.int(1, Type::Usize));
    let i = b.add_param(head, Type::Usize);
    b.jump(head, &[zero]);
    b.switch_to(head);
    let more = b.prim(Prim::Lt, &[i, length]);
    b.branch(more, (body, &[]), (end, &[]));
    b.switch_to(body);
    let element = b.prim(Prim::Load, &[from, i]);
    let product = times(b, element, factor);
    let before = b.prim(Prim::Load, &[to, i]);
    let sum = b.prim(Prim::Add, &[before, product]);
    b.prim(Prim::Store, &[to, i, sum]);
    let next = b.prim(Prim::Add, &[i, one]);
    b.jump(head, &[next]);
    b.switch_to(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ad::forward;
    use crate::ir::parse::parse_module;
    use crate::registry::{ContextKind, Registry};

    const EACH: &str = "
fn @f(%x: [f64], %y: [mut f64], %a: f64) -> () {
b0:
    %zero: usize = 0
    %n: usize = len %x
    %u: () = call @each(%zero, %n, %x, %y, %a)
    return %u
}
fn @each(%from: usize, %to: usize, %x: [f64], %y: [mut f64], %a: f64) -> () parallel(from, to, shared, own, shared) {
b0:
    %v: f64 = load %x, %from
    store %y, %from, %v
    %u: () = ()
    return %u
}";

    fn roles(module: &crate::ir::Module) -> Vec<&[Role]> {
        let functions = module.functions.values();
        functions.filter_map(|f| f.parallel.as_deref()).collect()
    }

    #[test]
    fn tangents_are_to_threads_what_their_values_are() {
        let module = parse_module(EACH).unwrap();
        let (registry, kind) = (Registry::default(), ContextKind::Default);
        let dual = forward(&module, &registry, kind, &[true, true, false], 2).unwrap();
        let own = &[Role::From, Role::To, Role::Shared, Role::Own, Role::Shared];
        let tangents = [Role::Shared, Role::Own];
        let expected = [&own[..], &tangents, &tangents].concat();
        assert_eq!(roles(&dual), [expected]);
    }

    #[test]
    fn iterations_add_to_the_shadows_of_what_they_share() {
        let module = parse_module(EACH).unwrap();
        let (registry, kind) = (Registry::default(), ContextKind::Default);
        let request = Request {
            active: vec![true, true, false],
            mode: Mode::Combined,
        };
        let made = reverse(&module, &registry, kind, &request).unwrap();
        let own = &[Role::From, Role::To, Role::Shared, Role::Own, Role::Shared];
        let gradient = [&own[..], &[Role::Added, Role::Own]].concat();
        let noting = [&gradient[..], &[Role::Touched]].concat();
        assert_eq!(roles(&made), [&own[..], &gradient, &noting]);
    }
}
