//! The reference interpreter: what IR means, written down as directly as possible.
//!
//! It runs typed modules, the output of the AD transform included (tape operations), and is what compiled code is
//! compared with. It is slow, checks what compiled code trusts (bounds of slices and objects, what is on the tape), and
//! stops when its fuel is spent. It knows no rules and no arrays: both come from [`Outside`]. [`Packs`] brings the scalar rules, [`Arrays`]
//! the array operations as well.

mod arrays;
mod datum;
mod heap;
mod packs;
mod tape;

pub use arrays::{Arrays, Plain};
pub use datum::{Datum, Slice};
pub use heap::Heap;
pub use packs::Packs;

use crate::diag::{Error, Result};
use crate::ir::eval::{evaluate, widen};
use crate::ir::*;
use heap::{decode, encode};
use tape::Tape;

/// What an interpreted module can call outside itself.
pub trait Outside {
    /// The function's definition in IR, if it has one.
    fn body(&self, _name: Symbol, _types: &[Type]) -> Option<&Function> {
        None
    }
    /// Calls a function without a definition in IR.
    fn call(&self, name: Callee, _types: &[Type], _args: &[Datum], _ret: Type) -> Result<Datum> {
        Err(Error::Internal(format!(
            "the interpreter knows no function `{name}`"
        )))
    }
    /// Applies a function of scalars to arrays.
    fn map(&self, name: Symbol, _types: &[Type], _args: &[Datum], _ret: Type) -> Result<Datum> {
        Err(Error::Internal(format!(
            "the interpreter has no arrays to apply `{name}` to"
        )))
    }
}

/// Nothing outside.
pub struct Nothing;
impl Outside for Nothing {}

/// Calls deeper than this are a fault, as in compiled code (where the stack decides).
const MAX_DEPTH: usize = 10_000;

/// The steps that [`run`] takes at most.
pub const FUEL: u64 = 50_000_000;

/// Runs the root on arguments, as many as it has parameters.
pub fn run(module: &Module, args: &[Datum], outside: &dyn Outside) -> Result<Datum> {
    Interpreter::new(module, outside).call(module.root, args)
}

/// Runs functions of one module over one tape and one heap: a `forward` and then its `pullback`.
pub struct Interpreter<'a> {
    module: &'a Module,
    outside: &'a dyn Outside,
    fuel: u64,
    tape: Tape,
    heap: Heap,
}

/// A running function.
struct Activation<'a> {
    function: &'a Function,
    /// The values, indexed by id; `None` until they are computed.
    values: Vec<Option<Datum>>,
    block: Block,
    next: usize,
    /// The caller's value that takes the result.
    result: Option<Value>,
}

/// The result of an instruction.
enum Action<'a> {
    Value(Datum),
    Enter(&'a Function, Vec<Datum>),
}

impl<'a> Interpreter<'a> {
    /// An empty tape and [`FUEL`].
    pub fn new(module: &'a Module, outside: &'a dyn Outside) -> Self {
        Interpreter {
            module,
            outside,
            fuel: FUEL,
            tape: Tape::default(),
            heap: Heap::default(),
        }
    }
    /// Limits the number of steps.
    pub fn with_fuel(mut self, fuel: u64) -> Self {
        self.fuel = fuel;
        self
    }
    /// The objects, to place arguments there and to read results.
    pub fn heap(&mut self) -> &mut Heap {
        &mut self.heap
    }
    /// The bytes on the tape.
    pub fn tape_bytes(&self) -> usize {
        self.tape.len()
    }
    /// The most bytes that were on the tape at once.
    pub fn tape_peak(&self) -> usize {
        self.tape.peak()
    }

    /// Calls a function of the module.
    pub fn call(&mut self, name: Symbol, args: &[Datum]) -> Result<Datum> {
        let module = self.module;
        let Some(function) = module.functions.get(&name) else {
            return internal(format!("the module has no function `{name}`"));
        };
        self.run(function, args)
    }

    /// Calls a function of the module or of the outside, as an instruction does.
    pub fn apply(
        &mut self,
        callee: Callee,
        types: &[Type],
        args: &[Datum],
        ret: Type,
    ) -> Result<Datum> {
        let (module, outside) = (self.module, self.outside);
        let body = module.called(callee);
        match body.or_else(|| outside.body(callee.function()?, types)) {
            Some(function) => Ok(as_typed(self.run(function, args)?, ret)),
            None => outside.call(callee, types, args, ret),
        }
    }

    fn run(&mut self, function: &'a Function, args: &[Datum]) -> Result<Datum> {
        let name = function.name;
        // The calls in progress; the machine's stack stays flat however deep they are.
        let mut stack = vec![enter(function, args.to_vec(), None)?];
        while let Some(top) = stack.last_mut() {
            if self.fuel == 0 {
                return internal(format!("`{name}` took more steps than it was given"));
            }
            self.fuel -= 1;
            let Some(&inst) = top.function.blocks[top.block].insts.get(top.next) else {
                let Some(value) = self.terminate(top)? else {
                    continue;
                };
                let result = top.result;
                stack.pop();
                match (stack.last_mut(), result) {
                    (Some(caller), Some(result)) => {
                        caller.set(result, as_typed(value, caller.function.ty(result)));
                    }
                    _ => return Ok(value),
                }
                continue;
            };
            top.next += 1;
            let data = &top.function.insts[inst];
            match self.instruction(top, data)? {
                Action::Value(value) => top.set(data.result, value),
                Action::Enter(callee, args) => {
                    let (span, result) = (data.span, data.result);
                    if stack.len() == MAX_DEPTH {
                        return Err(Error::Fault(Fault::TooDeep.diagnostic(span, &[])));
                    }
                    stack.push(enter(callee, args, Some(result))?);
                }
            }
        }
        internal("no function is running".to_owned())
    }

    /// Follows an edge, or returns the result of the function.
    fn terminate(&mut self, top: &mut Activation<'a>) -> Result<Option<Datum>> {
        let edge = match &top.function.blocks[top.block].terminator {
            Terminator::Return(value) => return top.get(*value).cloned().map(Some),
            Terminator::Error(fault, values, span) => {
                return Err(Error::Fault(fault.diagnostic(*span, &top.shown(values)?)));
            }
            Terminator::Missing => return internal(format!("{} does not end", top.block)),
            Terminator::Jump(edge) => edge,
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => match top.get(*condition)?.bool()? {
                true => then,
                false => otherwise,
            },
        };
        // All arguments are read before a parameter is set: they may be parameters of the same block.
        let args = top.all(&edge.args)?;
        top.block = edge.block;
        top.next = 0;
        for (&param, arg) in top.function.blocks[edge.block].params.iter().zip(args) {
            top.set(param, arg);
        }
        Ok(None)
    }

    fn instruction(&mut self, top: &Activation<'a>, data: &InstData) -> Result<Action<'a>> {
        let function = top.function;
        let ty = function.ty(data.result);
        match data.op {
            Op::Const(c) => Ok(Action::Value(Datum::constant(c, ty))),
            Op::Prim(prim) => self.prim(top, data, prim, ty).map(Action::Value),
            Op::Call(callee) => {
                let (types, args) = (top.types(&data.args), top.all(&data.args)?);
                if types.iter().any(|ty| ty.lanes().is_some()) {
                    return self
                        .call_lanes(callee, &types, &args, ty)
                        .map(Action::Value);
                }
                let outside = self.outside;
                let body = self.module.called(callee);
                match body.or_else(|| outside.body(callee.function()?, &types)) {
                    Some(function) => Ok(Action::Enter(function, args)),
                    None => outside.call(callee, &types, &args, ty).map(Action::Value),
                }
            }
            Op::Map(name) => {
                let (types, args) = (top.types(&data.args), top.all(&data.args)?);
                self.outside.map(name, &types, &args, ty).map(Action::Value)
            }
        }
    }

    fn prim(
        &mut self,
        top: &Activation<'a>,
        data: &InstData,
        prim: Prim,
        ty: Type,
    ) -> Result<Datum> {
        let args = top.all(&data.args)?;
        match (prim, &args[..]) {
            (Prim::Tuple, _) => Ok(Datum::Tuple(args)),
            (Prim::Field(n), [Datum::Tuple(fields)]) => match fields.get(n as usize) {
                Some(field) => Ok(field.clone()),
                None => internal(format!("a tuple without field {n}")),
            },
            (Prim::Select, [c, a, b]) => Ok(if c.bool()? { a.clone() } else { b.clone() }),
            (Prim::Len, [Datum::Slice(slice)]) => Ok(Datum::index(slice.len())),
            (Prim::Load, [Datum::Slice(slice), i]) => slice.load(i.usize()?),
            (Prim::Store, [Datum::Slice(slice), i, v]) => slice.store(i.usize()?, v.scalar()?),
            (Prim::Pack, _) => {
                let lanes: Result<Vec<Const>> = args.iter().map(Datum::scalar).collect();
                lanes.map(Datum::Lanes)
            }
            (Prim::Lane(n), [Datum::Lanes(lanes)]) => match lanes.get(n as usize) {
                Some(&lane) => Ok(Datum::Scalar(lane)),
                None => internal(format!("a register without lane {n}")),
            },
            (Prim::LoadLanes, [Datum::Slice(slice), i]) => {
                let (first, count) = (i.usize()?, ty.lanes().map_or(0, |(_, count)| count));
                let lanes = (first..first.saturating_add(count)).map(|i| slice.load(i)?.scalar());
                lanes.collect::<Result<_>>().map(Datum::Lanes)
            }
            (Prim::StoreLanes, [Datum::Slice(slice), i, Datum::Lanes(lanes)]) => {
                let mut places = (i.usize()?..).zip(lanes);
                places.try_for_each(|(i, &lane)| slice.store(i, lane).map(drop))?;
                Ok(Datum::UNIT)
            }
            (Prim::Subslice, [Datum::Slice(slice), start, length]) => slice
                .subslice(start.usize()?, length.usize()?)
                .map(Datum::Slice),
            (Prim::Assert(fault), [c, ..]) => match c.bool()? {
                true => Ok(Datum::UNIT),
                false => Err(Error::Fault(
                    fault.diagnostic(data.span, &top.shown(&data.args[1..])?),
                )),
            },
            (Prim::TapePush, [bytes]) => self.tape.push(bytes.usize()?).map(Datum::Addr),
            (Prim::TapePop, [bytes]) => self.tape.pop(bytes.usize()?).map(Datum::Addr),
            (Prim::Alloc, [bytes]) => self.heap.alloc(bytes.usize()?).map(Datum::Ptr),
            (Prim::Get(offset) | Prim::Peek(offset), [at]) => self.read(at, offset as usize, ty),
            (Prim::Set(offset) | Prim::Poke(offset), [at, v]) => {
                let ty = top.function.ty(data.args[1]);
                self.write(at, offset as usize, v, ty)
            }
            (Prim::View, [Datum::Ptr(p), length]) => {
                let element = ty.element().unwrap_or(ty);
                self.heap.view(*p, length.usize()?, element)
            }
            (Prim::Base, [Datum::Slice(slice)]) => {
                let ty = top.function.ty(data.args[0]);
                let element = ty.element().unwrap_or(ty);
                self.heap.base(slice, element).map(Datum::Ptr)
            }
            (Prim::Offset, [Datum::Ptr(p), by]) => {
                Ok(Datum::Ptr(p.wrapping_add(by.usize()? as u64)))
            }
            (Prim::Offset, [Datum::Addr(at), by]) => Ok(Datum::Addr(at.wrapping_add(by.usize()?))),
            (_, [Datum::Lanes(_), ..]) => lane_by_lane(prim, &args, ty),
            _ => scalar(prim, &args, &top.types(&data.args), ty),
        }
    }

    /// Calls a scalar function lane by lane.
    fn call_lanes(
        &mut self,
        callee: Callee,
        types: &[Type],
        args: &[Datum],
        ret: Type,
    ) -> Result<Datum> {
        let (lane_types, count) = lanes_of(types);
        let lane_ret = match ret {
            Type::Tuple(fields) => Type::tuple(&lanes_of(fields).0),
            single => single.lane(),
        };
        let mut results = Vec::new();
        for n in 0..count {
            let own: Result<Vec<Datum>> = args.iter().map(|arg| nth_lane(arg, n)).collect();
            results.push(self.apply(callee, &lane_types, &own?, lane_ret)?);
        }
        match ret {
            Type::Tuple(fields) => {
                let field = |n: usize| {
                    let lanes = results.iter().map(|result| match result {
                        Datum::Tuple(values) => values[n].scalar(),
                        other => internal(format!("expected a tuple, found {other:?}")),
                    });
                    lanes.collect::<Result<_>>().map(Datum::Lanes)
                };
                let fields: Result<Vec<Datum>> = (0..fields.len()).map(field).collect();
                fields.map(Datum::Tuple)
            }
            _ => {
                let lanes = results.iter().map(Datum::scalar);
                lanes.collect::<Result<_>>().map(Datum::Lanes)
            }
        }
    }
    /// The value of a type at an address plus so many bytes: of an object or of the tape.
    fn read(&self, at: &Datum, offset: usize, ty: Type) -> Result<Datum> {
        if let Some((lane, count)) = ty.lanes() {
            let size = lane.size().unwrap_or(0);
            let lanes = (0..count).map(|n| self.read(at, offset + n * size, lane)?.scalar());
            return lanes.collect::<Result<_>>().map(Datum::Lanes);
        }
        match at {
            Datum::Ptr(p) => self.heap.get(p.wrapping_add(offset as u64), ty),
            Datum::Addr(at) => {
                let bits = self
                    .tape
                    .read(at.wrapping_add(offset), ty.size().unwrap_or(0))?;
                Ok(decode(bits, ty))
            }
            _ => internal(format!("expected an address, found {at:?}")),
        }
    }
    /// Writes there.
    fn write(&mut self, at: &Datum, offset: usize, value: &Datum, ty: Type) -> Result<Datum> {
        if let (Datum::Lanes(lanes), Some((lane, _))) = (value, ty.lanes()) {
            let size = lane.size().unwrap_or(0);
            for (n, &value) in lanes.iter().enumerate() {
                self.write(at, offset + n * size, &Datum::Scalar(value), lane)?;
            }
            return Ok(Datum::UNIT);
        }
        match at {
            Datum::Ptr(p) => self.heap.set(p.wrapping_add(offset as u64), value, ty),
            Datum::Addr(at) => {
                let bits = encode(value, ty)?;
                let (at, size) = (at.wrapping_add(offset), ty.size().unwrap_or(0));
                self.tape.write(at, size, bits).map(|()| Datum::UNIT)
            }
            _ => internal(format!("expected an address, found {at:?}")),
        }
    }
}

/// What a function has returned, for a value of a type: the body of a rule may return its value in a tuple of one field.
fn as_typed(value: Datum, ty: Type) -> Datum {
    match (&value, ty) {
        (_, Type::Tuple(_)) => value,
        (Datum::Tuple(fields), _) if let [field] = &fields[..] => field.clone(),
        _ => value,
    }
}

/// One lane of a register.
fn nth_lane(register: &Datum, n: usize) -> Result<Datum> {
    match register {
        Datum::Lanes(lanes) if n < lanes.len() => Ok(Datum::Scalar(lanes[n])),
        other => internal(format!("expected a register, found {other:?}")),
    }
}

/// The types of single lanes, and the number of lanes.
fn lanes_of(types: &[Type]) -> (Vec<Type>, usize) {
    let count = types
        .iter()
        .find_map(|ty| ty.lanes())
        .map_or(0, |(_, count)| count);
    (types.iter().map(|ty| ty.lane()).collect(), count)
}

/// Arithmetic of registers.
fn lane_by_lane(prim: Prim, args: &[Datum], ty: Type) -> Result<Datum> {
    let Some((element, count)) = ty.lanes() else {
        return internal(format!("`{}` gives {ty} of registers", prim.mnemonic()));
    };
    let types = vec![element; args.len()];
    let lane = |n: usize| {
        let operands = args.iter().map(|arg| nth_lane(arg, n));
        scalar(
            prim,
            &operands.collect::<Result<Vec<_>>>()?,
            &types,
            element,
        )?
        .scalar()
    };
    (0..count)
        .map(lane)
        .collect::<Result<_>>()
        .map(Datum::Lanes)
}

/// The primitives that `ir::eval` defines.
fn scalar(prim: Prim, args: &[Datum], types: &[Type], ty: Type) -> Result<Datum> {
    let constants: Result<Vec<Const>> = args.iter().map(Datum::scalar).collect();
    match evaluate(prim, &constants?, types, ty) {
        Some(c) => Ok(Datum::Scalar(c)),
        None => internal(format!("`{}` is not defined on {args:?}", prim.mnemonic())),
    }
}

fn enter(function: &Function, args: Vec<Datum>, result: Option<Value>) -> Result<Activation<'_>> {
    if args.len() != function.params().len() {
        let expected = function.params().len();
        return internal(format!(
            "`{}` takes {expected} arguments, found {}",
            function.name,
            args.len()
        ));
    }
    let mut activation = Activation {
        function,
        values: vec![None; function.values.len()],
        block: function.entry(),
        next: 0,
        result,
    };
    for (&param, arg) in function.params().iter().zip(args) {
        activation.set(param, arg);
    }
    Ok(activation)
}

impl Activation<'_> {
    fn set(&mut self, value: Value, datum: Datum) {
        self.values[crate::arena::Id::index(value)] = Some(datum);
    }
    fn get(&self, value: Value) -> Result<&Datum> {
        match self.values.get(crate::arena::Id::index(value)) {
            Some(Some(datum)) => Ok(datum),
            _ => internal(format!("{value} is used before it is computed")),
        }
    }
    fn all(&self, values: &[Value]) -> Result<Vec<Datum>> {
        values
            .iter()
            .map(|&value| self.get(value).cloned())
            .collect()
    }
    fn types(&self, values: &[Value]) -> Vec<Type> {
        values
            .iter()
            .map(|&value| self.function.ty(value))
            .collect()
    }
    /// Values of integers as a fault shows them.
    fn shown(&self, values: &[Value]) -> Result<Vec<Shown>> {
        let shown = values.iter().map(|&value| {
            let ty = self.function.ty(value);
            Ok(match self.get(value)?.scalar()? {
                Const::Int(i) => Shown::Int(widen(i, ty)),
                Const::Bool(b) => Shown::Bool(b),
                Const::Float(x) if ty == Type::F32 => Shown::F32(x as f32),
                Const::Float(x) => Shown::F64(x),
                _ => Shown::Int(0),
            })
        });
        shown.collect()
    }
}

fn internal<T>(message: String) -> Result<T> {
    Err(Error::Internal(message))
}

#[cfg(test)]
mod tests;
