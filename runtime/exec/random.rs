//! Random well-typed programs: the interpreter and compiled code agree, before and after the optimiser.

use super::*;
use crate::interp::{Datum, Nothing, run};
use crate::ir::build::Builder;
use crate::ir::eval::to_bits;
use crate::ir::verify::verify;
use crate::ir::{Const, Fault, Function, Op, Prim, Value};
use crate::opt::optimise;
use mooncake::testing::random::Random;

const TYPES: [Type; 8] = [
    Type::F64,
    Type::F32,
    Type::I64,
    Type::I32,
    Type::U8,
    Type::I16,
    Type::Usize,
    Type::Bool,
];
const PARAMS: [Type; 6] = [
    Type::F64,
    Type::F32,
    Type::I64,
    Type::U8,
    Type::Slice(&Type::F64),
    Type::SliceMut(&Type::F64),
];

/// What is merged where paths meet.
const MERGED: [Type; 10] = {
    let [a, b, c, d, e, f, g, h] = TYPES;
    [a, b, c, d, e, f, g, h, Type::Ptr, Type::Ptr]
};

/// The layout of every object: three floats that are viewed as a slice too, some scalars, the address of another object,
/// and that of three floats somewhere.
const FIELDS: [(u32, Type); 8] = [
    (0, Type::F64),
    (8, Type::F64),
    (16, Type::F64),
    (24, Type::F32),
    (28, Type::I32),
    (48, Type::U8),
    (49, Type::Bool),
    (50, Type::I16),
];
const OTHER: u32 = 32;
const FLOATS: u32 = 40;
const OBJECT: i64 = 56;

/// A program in the making: the values that are defined here, by type.
struct Maker {
    b: Builder,
    random: Random,
    scope: Vec<Value>,
}

impl Maker {
    fn pick(&mut self, ty: Type) -> Value {
        let found: Vec<Value> = self
            .scope
            .iter()
            .copied()
            .filter(|&v| self.b.function.ty(v) == ty)
            .collect();
        match found.is_empty() || self.random.below(8) == 0 {
            true => self.constant(ty),
            false => found[self.random.below(found.len())],
        }
    }

    fn constant(&mut self, ty: Type) -> Value {
        let n = self.random.choose(&[0, 1, 2, 3, 7, 100, -1, -5]);
        match ty {
            Type::Ptr => self.object(),
            Type::Bool => self.b.bool(n > 0),
            Type::F64 | Type::F32 => self.b.float(n as f64 * 0.375, ty),
            Type::U8 | Type::Usize => self.b.int(n & 0x7f, ty),
            _ => self.b.int(n, ty),
        }
    }

    /// One operation on what is there.
    fn step(&mut self) {
        let ty = self.random.choose(&TYPES);
        let value = match self.random.below(14) {
            0 => self.compare(),
            1 => self.cast(ty),
            2 => self.select(ty),
            3 => self.load(),
            4 => return self.store(),
            5 => self.overflow(),
            6 => self.get(),
            7 => return self.set(),
            8 => self.elsewhere(),
            9 => self.object(),
            _ => self.arithmetic(ty),
        };
        self.scope.push(value);
    }

    fn arithmetic(&mut self, ty: Type) -> Value {
        use Prim::*;
        let prim = match ty {
            Type::Bool => self.random.choose(&[And, Or, Xor, Not, Eq, Lt]),
            float if float.is_float() => self.random.choose(&[
                Add, Sub, Mul, Div, Rem, Neg, Abs, Floor, Ceil, Trunc, Sqrt, Copysign,
            ]),
            _ => self
                .random
                .choose(&[Add, Sub, Mul, And, Or, Xor, Neg, Not, Shl, Shr]),
        };
        let x = self.pick(ty);
        if prim.arity() == Some(1) {
            return self.b.prim(prim, &[x]);
        }
        let y = match prim {
            Shl | Shr => {
                let n = self.random.below(8) as i64;
                self.b.int(n, ty)
            }
            _ => self.pick(ty),
        };
        self.b.prim(prim, &[x, y])
    }

    fn compare(&mut self) -> Value {
        let ty = self.random.choose(&TYPES);
        let (x, y) = (self.pick(ty), self.pick(ty));
        let prim =
            self.random
                .choose(&[Prim::Eq, Prim::Ne, Prim::Lt, Prim::Le, Prim::Gt, Prim::Ge]);
        self.b.prim(prim, &[x, y])
    }

    fn overflow(&mut self) -> Value {
        let ty = self
            .random
            .choose(&[Type::I64, Type::I32, Type::U8, Type::I16, Type::Usize]);
        let (x, y) = (self.pick(ty), self.pick(ty));
        let pairs = [
            (Prim::AddOverflows, Prim::Add),
            (Prim::SubOverflows, Prim::Sub),
            (Prim::MulOverflows, Prim::Mul),
        ];
        let (asks, does) = self.random.choose(&pairs);
        let overflows = self.b.prim(asks, &[x, y]);
        let result = self.b.prim(does, &[x, y]);
        self.scope.push(result);
        overflows
    }

    fn cast(&mut self, to: Type) -> Value {
        let numbers = &TYPES[..7];
        let (from, to) = match to {
            Type::Bool => (self.random.choose(numbers), Type::F64),
            to => (self.random.choose(numbers), to),
        };
        let x = self.pick(from);
        self.b.prim_to(Prim::Cast, &[x], to)
    }

    fn select(&mut self, ty: Type) -> Value {
        let ty = match self.random.below(6) {
            0 => Type::Ptr,
            _ => ty,
        };
        let (c, x, y) = (self.pick(Type::Bool), self.pick(ty), self.pick(ty));
        self.b.prim(Prim::Select, &[c, x, y])
    }

    /// An index that is in range, and the guard that says so if it is not a constant.
    fn index(&mut self, slice: Value) -> Value {
        if self.random.below(2) == 0 {
            let index = self.random.below(2) as i64;
            return self.b.int(index, Type::Usize);
        }
        let any = self.pick(Type::Usize);
        let len = self.b.prim(Prim::Len, &[slice]);
        let index = self.b.prim(Prim::Rem, &[any, len]);
        let inside = self.b.prim(Prim::Lt, &[index, len]);
        self.b
            .prim(Prim::Assert(Fault::IndexOutOfBounds), &[inside, index, len]);
        index
    }

    fn load(&mut self) -> Value {
        let slice = self.b.function.params()[4 + self.random.below(2)];
        let index = self.index(slice);
        self.b.prim(Prim::Load, &[slice, index])
    }

    fn store(&mut self) {
        let slice = self.b.function.params()[5];
        let (index, value) = (self.index(slice), self.pick(Type::F64));
        self.b.prim(Prim::Store, &[slice, index, value]);
    }

    /// A new object. Its floats are its own or those of the last parameter.
    fn object(&mut self) -> Value {
        let size = self.b.int(OBJECT, Type::Usize);
        let object = self.b.prim(Prim::Alloc, &[size]);
        let others: Vec<Value> = self
            .scope
            .iter()
            .copied()
            .filter(|&v| self.b.function.ty(v) == Type::Ptr)
            .chain([object])
            .collect();
        let other = self.random.choose(&others);
        self.b.prim(Prim::Set(OTHER), &[object, other]);
        let floats = match self.random.below(3) {
            0 => self.b.prim(Prim::Base, &[self.b.function.params()[5]]),
            _ => self.random.choose(&others),
        };
        self.b.prim(Prim::Set(FLOATS), &[object, floats]);
        object
    }

    /// A field's place: an address and the distance from there.
    fn field(&mut self) -> (Value, u32, Type) {
        let (object, (at, ty)) = (self.pick(Type::Ptr), self.random.choose(&FIELDS));
        match self.random.below(3) {
            0 if at >= 8 => {
                let by = self.b.int(8, Type::Usize);
                (self.b.prim(Prim::Offset, &[object, by]), at - 8, ty)
            }
            _ => (object, at, ty),
        }
    }

    fn get(&mut self) -> Value {
        if self.random.below(4) == 0 {
            let object = self.pick(Type::Ptr);
            return self.b.prim_to(Prim::Get(OTHER), &[object], Type::Ptr);
        }
        let (object, at, ty) = self.field();
        self.b.prim_to(Prim::Get(at), &[object], ty)
    }

    fn set(&mut self) {
        if self.random.below(6) == 0 {
            let (object, other) = (self.pick(Type::Ptr), self.pick(Type::Ptr));
            self.b.prim(Prim::Set(OTHER), &[object, other]);
            return;
        }
        let (object, at, ty) = self.field();
        let value = self.pick(ty);
        self.b.prim(Prim::Set(at), &[object, value]);
    }

    /// An access by way of a view of floats: an object's own, those it has the address of, or all of the last parameter.
    fn elsewhere(&mut self) -> Value {
        let (object, y) = (self.pick(Type::Ptr), self.b.function.params()[5]);
        let at = match self.random.below(3) {
            0 => self.b.prim(Prim::Base, &[y]),
            1 => object,
            _ => self.b.prim_to(Prim::Get(FLOATS), &[object], Type::Ptr),
        };
        let length = self.b.int(3, Type::Usize);
        let ty = match self.random.below(2) {
            0 => Type::Slice(&Type::F64),
            _ => Type::SliceMut(&Type::F64),
        };
        let view = self.b.prim_to(Prim::View, &[at, length], ty);
        let index = self.index(view);
        if let Type::SliceMut(_) = ty {
            let value = self.pick(Type::F64);
            self.b.prim(Prim::Store, &[view, index, value]);
        }
        self.b.prim(Prim::Load, &[view, index])
    }

    /// Steps, `if`s and loops, `depth` of them inside each other.
    fn block(&mut self, depth: usize) {
        for _ in 0..4 + self.random.below(6) {
            match self.random.below(6) {
                0 if depth > 0 => self.branch(depth - 1),
                1 if depth > 0 => self.repeat(depth - 1),
                _ => self.step(),
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.pick(Type::Bool);
        let [left, right, after] = [(); 3].map(|()| self.b.new_block());
        let tys: Vec<Type> = (0..3).map(|_| self.random.choose(&MERGED)).collect();
        let merged: Vec<Value> = tys.iter().map(|&ty| self.b.add_param(after, ty)).collect();
        self.b.branch(condition, (left, &[]), (right, &[]));
        let outer = self.scope.len();
        for side in [left, right] {
            self.b.seal(side);
            self.b.switch_to(side);
            self.block(depth);
            let args: Vec<Value> = tys.iter().map(|&ty| self.pick(ty)).collect();
            self.b.jump(after, &args);
            self.scope.truncate(outer);
        }
        self.b.seal(after);
        self.b.switch_to(after);
        self.scope.extend(merged);
    }

    fn repeat(&mut self, depth: usize) {
        let [header, body, exit] = [(); 3].map(|()| self.b.new_block());
        let tys: Vec<Type> = (0..3).map(|_| self.random.choose(&MERGED)).collect();
        let zero = self.b.int(0, Type::Usize);
        let trips = self.random.below(6) as i64;
        let end = self.b.int(trips, Type::Usize);
        let mut args = vec![zero];
        args.extend(tys.iter().map(|&ty| self.pick(ty)).collect::<Vec<_>>());
        let i = self.b.add_param(header, Type::Usize);
        let carried: Vec<Value> = tys.iter().map(|&ty| self.b.add_param(header, ty)).collect();
        self.b.jump(header, &args);
        self.b.switch_to(header);
        let more = self.b.prim(Prim::Lt, &[i, end]);
        self.b.branch(more, (body, &[]), (exit, &[]));
        self.b.seal(body);
        self.b.seal(exit);
        self.b.switch_to(body);
        let outer = self.scope.len();
        self.scope.push(i);
        self.scope.extend(&carried);
        self.block(depth);
        let one = self.b.int(1, Type::Usize);
        let mut next = vec![self.b.prim(Prim::Add, &[i, one])];
        next.extend(tys.iter().map(|&ty| self.pick(ty)).collect::<Vec<_>>());
        self.b.jump(header, &next);
        self.b.seal(header);
        self.scope.truncate(outer);
        self.scope.extend(carried);
        self.b.switch_to(exit);
    }
}

/// A program with one result of each type.
fn make(seed: u64) -> Module {
    let function = Function::new(Symbol::new("f"), &PARAMS, Type::tuple(&TYPES));
    let scope = function.params()[..4].to_vec();
    let mut maker = Maker {
        b: Builder::new(function),
        random: Random::new(seed),
        scope,
    };
    maker.block(3);
    let results: Vec<Value> = TYPES.iter().map(|&ty| maker.pick(ty)).collect();
    let tuple = maker
        .b
        .emit(Op::Prim(Prim::Tuple), &results, Type::tuple(&TYPES));
    maker.b.ret(tuple);
    Module::new(maker.b.finish())
}

const X: [f64; 3] = [1.5, -0.25, 1e10];
const Y: [f64; 4] = [0.0, 2.0, -3.5, f64::INFINITY];
const SCALARS: (f64, f32, i64, u8) = (0.7, -3.25, -12345678901, 200);

fn interpreted(module: &Module) -> (Vec<u64>, Vec<u64>) {
    let Datum::Slice(y) = Datum::floats(&Y) else {
        unreachable!("floats make a slice");
    };
    let (a, b, c, d) = SCALARS;
    let args = [
        Datum::float(a),
        Datum::float(b.into()),
        Datum::Scalar(Const::Int(c)),
        Datum::Scalar(Const::Int(d.into())),
        Datum::floats(&X),
        Datum::Slice(y.clone()),
    ];
    let Datum::Tuple(results) = run(module, &args, &Nothing).unwrap() else {
        panic!("no tuple");
    };
    let words = results
        .iter()
        .zip(&TYPES)
        .map(|(datum, &ty)| bits(datum.scalar().unwrap(), ty));
    let memory = y
        .elements()
        .into_iter()
        .map(|c| bits(c, Type::F64))
        .collect();
    (words.collect(), memory)
}

/// A constant's bits; all NaNs are one.
fn bits(c: Const, ty: Type) -> u64 {
    match c {
        Const::Float(x) if x.is_nan() => u64::MAX,
        c => to_bits(c, ty).unwrap(),
    }
}

fn compiled(module: &Module) -> (Vec<u64>, Vec<u64>) {
    let program = Program::compile(module, &Arc::default(), &[module.root]).unwrap();
    let mut y = Y;
    let mut args = Args::new();
    args.scalar(SCALARS.0);
    args.scalar(SCALARS.1);
    args.scalar(SCALARS.2);
    args.scalar(SCALARS.3);
    args.slice(&X);
    args.slice_mut(&mut y);
    let mut results = [0; 8];
    program.call(0, &args, &mut results, &NoHost).unwrap();
    let words = results.iter().zip(&TYPES).map(|(&word, &ty)| match ty {
        Type::F64 if f64::from_word(word).is_nan() => u64::MAX,
        Type::F32 if f32::from_word(word).is_nan() => u64::MAX,
        _ => word,
    });
    let memory = y
        .iter()
        .map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() });
    (words.collect(), memory.collect())
}

#[test]
fn interpreted_and_compiled_and_optimised_programs_agree() {
    for seed in 0..40 {
        let module = make(seed);
        verify(&module, &|_, _| None).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{module}"));
        let expected = interpreted(&module);
        assert_eq!(
            compiled(&module),
            expected,
            "seed {seed}, compiled:\n{module}"
        );
        let optimised = optimise(module.clone(), &Registry::default(), None).unwrap();
        assert_eq!(
            interpreted(&optimised),
            expected,
            "seed {seed}:\n{module}\noptimised:\n{optimised}"
        );
        assert_eq!(
            compiled(&optimised),
            expected,
            "seed {seed}, optimised and compiled:\n{optimised}"
        );
    }
}
