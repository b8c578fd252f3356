//! Compiled code against Rust's own arithmetic.

use super::*;
use crate::diag::Span;
use crate::ir::build::Builder;
use crate::ir::{Fault, Function, Op, Origin, Prim};
use std::sync::Mutex;

/// Compiles one function built by `fill`.
fn program(params: &[Type], ret: Type, fill: impl FnOnce(&mut Builder)) -> Arc<Program> {
    let name = Symbol::new("f");
    let mut builder = Builder::new(Function::new(name, params, ret));
    fill(&mut builder);
    let module = Module::new(builder.finish());
    Program::compile(&module, &Arc::default(), &[name]).unwrap()
}

/// Calls a program with one result word.
fn call(program: &Program, fill: impl FnOnce(&mut Args)) -> Result<u64> {
    let mut args = Args::new();
    fill(&mut args);
    let mut results = [0];
    program.call(0, &args, &mut results, &NoHost)?;
    Ok(results[0])
}

/// One primitive on scalars, compiled.
fn unary(prim: Prim, from: Type, to: Type) -> Arc<Program> {
    program(&[from], to, |b| {
        let x = b.function.params()[0];
        let y = b.emit(Op::Prim(prim), &[x], to);
        b.ret(y);
    })
}

/// One primitive on two scalars, compiled.
fn binary(prim: Prim, from: Type, to: Type) -> Arc<Program> {
    program(&[from, from], to, |b| {
        let (x, y) = (b.function.params()[0], b.function.params()[1]);
        let z = b.emit(Op::Prim(prim), &[x, y], to);
        b.ret(z);
    })
}

const FLOATS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    2.5,
    0.3,
    -127.6,
    300.0,
    65_536.5,
    -2.2e9,
    4.3e9,
    1e19,
    -1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Rust's `as` against the compiled cast, for each source value and target type.
macro_rules! check_casts {
    ($($from:ty: $values:expr => $($to:ty),*;)*) => {$($(
        let cast = unary(Prim::Cast, <$from>::TYPE, <$to>::TYPE);
        for x in $values {
            let x = x as $from;
            let word = call(&cast, |args| args.scalar(x)).unwrap();
            let (got, expected) = (<$to>::from_word(word), x as $to);
            assert!(
                got.to_word() == expected.to_word() || (got != got && expected != expected),
                "{x:?} as {}: {got:?}, not {expected:?}", stringify!($to)
            );
        }
    )*)*};
}

#[test]
fn casts_are_rusts() {
    let ints = [
        0_i64,
        1,
        -1,
        127,
        128,
        -128,
        -129,
        40_000,
        i64::from(i32::MIN),
        i64::MAX,
        i64::MIN,
    ];
    check_casts! {
        f64: FLOATS => i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64;
        f32: FLOATS => i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64;
        i64: ints => i8, i16, i32, u8, u16, u32, u64, f32, f64;
        u64: ints => i8, i16, i32, i64, u8, u16, u32, f32, f64;
        i8: ints => i16, i32, i64, u8, u16, u32, u64, f32, f64;
        u8: ints => i8, i16, i32, i64, u16, u32, u64, f32, f64;
        i32: ints => i8, i64, u8, u64, f32, f64;
        u32: ints => i8, i64, u8, u64, f32, f64;
    }
}

#[test]
fn float_arithmetic_and_comparisons_are_rusts() {
    fn check<R: Scalar + PartialEq + std::fmt::Debug>(prim: Prim, native: fn(f64, f64) -> R) {
        let compiled = binary(prim, Type::F64, R::TYPE);
        for x in FLOATS {
            for y in FLOATS {
                let word = call(&compiled, |args| {
                    args.scalar(x);
                    args.scalar(y);
                });
                let (got, expected) = (R::from_word(word.unwrap()), native(x, y));
                let both_nan = got != got && expected != expected;
                assert!(
                    both_nan || got.to_word() == expected.to_word(),
                    "{prim:?} {x} {y}: {got:?}, not {expected:?}"
                );
            }
        }
    }
    check(Prim::Add, |x, y| x + y);
    check(Prim::Sub, |x, y| x - y);
    check(Prim::Mul, |x, y| x * y);
    check(Prim::Div, |x, y| x / y);
    check(Prim::Rem, |x, y| x % y);
    check(Prim::Copysign, f64::copysign);
    check(Prim::Eq, |x, y| x == y);
    check(Prim::Ne, |x, y| x != y);
    check(Prim::Lt, |x, y| x < y);
    check(Prim::Le, |x, y| x <= y);
    check(Prim::Gt, |x, y| x > y);
    check(Prim::Ge, |x, y| x >= y);
}

#[test]
fn unary_float_operations_are_rusts() {
    let operations: [(Prim, fn(f64) -> f64); 6] = [
        (Prim::Neg, |x| -x),
        (Prim::Sqrt, f64::sqrt),
        (Prim::Abs, f64::abs),
        (Prim::Floor, f64::floor),
        (Prim::Ceil, f64::ceil),
        (Prim::Trunc, f64::trunc),
    ];
    for (prim, native) in operations {
        let compiled = unary(prim, Type::F64, Type::F64);
        for x in FLOATS {
            let got = f64::from_word(call(&compiled, |args| args.scalar(x)).unwrap());
            let expected = native(x);
            assert!(got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan());
        }
    }
}

/// Integer operations of one type against Rust's wrapping and checked ones.
macro_rules! check_ints {
    ($($ty:ident),*) => {$({
        let values = [0, 1, 2, 3, 7, 100, $ty::MAX, $ty::MIN, $ty::MAX - 1, (0 as $ty).wrapping_sub(1), $ty::MIN / 2];
        let operations: [(Prim, fn($ty, $ty) -> $ty); 8] = [
            (Prim::Add, $ty::wrapping_add), (Prim::Sub, $ty::wrapping_sub), (Prim::Mul, $ty::wrapping_mul),
            (Prim::Div, |x, y| x.wrapping_div(y)), (Prim::Rem, |x, y| x.wrapping_rem(y)),
            (Prim::And, |x, y| x & y), (Prim::Or, |x, y| x | y), (Prim::Xor, |x, y| x ^ y),
        ];
        for (prim, native) in operations {
            let compiled = binary(prim, Type::$ty, Type::$ty);
            for x in values {
                for y in values {
                    if y == 0 && matches!(prim, Prim::Div | Prim::Rem) { continue; }
                    let word = call(&compiled, |args| { args.scalar(x); args.scalar(y) }).unwrap();
                    assert_eq!($ty::from_word(word), native(x, y), "{prim:?} {x} {y}");
                }
            }
        }
        let predicates: [(Prim, fn($ty, $ty) -> bool); 6] = [
            (Prim::AddOverflows, |x, y| x.checked_add(y).is_none()),
            (Prim::SubOverflows, |x, y| x.checked_sub(y).is_none()),
            (Prim::MulOverflows, |x, y| x.checked_mul(y).is_none()),
            (Prim::Lt, |x, y| x < y), (Prim::Ge, |x, y| x >= y), (Prim::Eq, |x, y| x == y),
        ];
        for (prim, native) in predicates {
            let compiled = binary(prim, Type::$ty, Type::Bool);
            for x in values {
                for y in values {
                    let word = call(&compiled, |args| { args.scalar(x); args.scalar(y) }).unwrap();
                    assert_eq!(bool::from_word(word), native(x, y), "{prim:?} {x} {y}");
                }
            }
        }
        let shifts: [(Prim, fn($ty, u32) -> $ty); 2] = [(Prim::Shl, $ty::wrapping_shl), (Prim::Shr, $ty::wrapping_shr)];
        for (prim, native) in shifts {
            let compiled = binary(prim, Type::$ty, Type::$ty);
            for x in values {
                for y in [0, 1, $ty::BITS as $ty - 1] {
                    let word = call(&compiled, |args| { args.scalar(x); args.scalar(y) }).unwrap();
                    assert_eq!($ty::from_word(word), native(x, y as u32), "{prim:?} {x} {y}");
                }
            }
        }
    })*};
}

#[allow(non_camel_case_types)]
mod names {
    //! The types under the names the IR has for them.
    pub type I8 = i8;
    pub type I32 = i32;
    pub type I64 = i64;
    pub type U8 = u8;
    pub type U16 = u16;
    pub type U64 = u64;
}

#[test]
fn integer_operations_are_rusts() {
    use names::*;
    check_ints!(I8, I32, I64, U8, U16, U64);
}

/// `s += x[i]` in a loop with a guarded access; reads one element too many if asked to.
fn guarded_sum() -> Arc<Program> {
    let params = [Type::slice(Type::F64), Type::Usize];
    program(&params, Type::F64, |b| {
        b.span = Span {
            file: "sum.rs",
            line: 3,
            column: 9,
            method: "",
        };
        let (x, n) = (b.function.params()[0], b.function.params()[1]);
        let (zero, start) = (b.float(0.0, Type::F64), b.int(0, Type::Usize));
        let [header, inside, done] = [b.new_block(), b.new_block(), b.new_block()];
        let (i, s) = (
            b.add_param(header, Type::Usize),
            b.add_param(header, Type::F64),
        );
        b.jump(header, &[start, zero]);
        b.switch_to(header);
        let more = b.prim(Prim::Lt, &[i, n]);
        b.branch(more, (inside, &[]), (done, &[]));
        b.seal(inside);
        b.seal(done);
        b.switch_to(inside);
        let len = b.prim(Prim::Len, &[x]);
        let ok = b.prim(Prim::Lt, &[i, len]);
        b.prim(Prim::Assert(Fault::IndexOutOfBounds), &[ok, i, len]);
        let element = b.prim(Prim::Load, &[x, i]);
        let sum = b.prim(Prim::Add, &[s, element]);
        let one = b.int(1, Type::Usize);
        let next = b.prim(Prim::Add, &[i, one]);
        b.jump(header, &[next, sum]);
        b.seal(header);
        b.switch_to(done);
        b.ret(s);
    })
}

fn sum(program: &Program, x: &[f64], n: usize) -> Result<f64> {
    let mut args = Args::new();
    args.slice(x);
    args.scalar(n);
    let mut results = [0];
    program.call(0, &args, &mut results, &NoHost)?;
    Ok(f64::from_word(results[0]))
}

#[test]
fn a_failed_guard_is_a_diagnostic_and_the_next_call_works() {
    let program = guarded_sum();
    let x = [1.0, 2.0, 4.0];
    assert_eq!(sum(&program, &x, 3).unwrap(), 7.0);
    let Err(Error::Fault(diagnostic)) = sum(&program, &x, 4) else {
        panic!("index 3 of 3 is out of range");
    };
    assert_eq!(
        diagnostic.message,
        "index out of bounds: the len is 3 but the index is 3"
    );
    assert_eq!(diagnostic.span.to_string(), "sum.rs:3:9");
    assert_eq!(sum(&program, &x, 2).unwrap(), 3.0);
}

#[test]
fn one_program_runs_on_many_threads() {
    let program = guarded_sum();
    std::thread::scope(|scope| {
        for t in 0..4 {
            let program = &program;
            scope.spawn(move || {
                let x = vec![f64::from(t); 1000];
                for _ in 0..100 {
                    assert_eq!(sum(program, &x, 1000).unwrap(), 1000.0 * f64::from(t));
                    assert!(sum(program, &x, 1001).is_err());
                }
            });
        }
    });
}

#[test]
fn arguments_of_other_types_are_refused() {
    let program = guarded_sum();
    let mut args = Args::new();
    args.slice(&[1.0_f32]);
    args.scalar(1_usize);
    let outcome = program.call(0, &args, &mut [0], &NoHost);
    assert!(matches!(outcome, Err(Error::Internal(_))));
}

#[test]
fn numbers_are_compared_with_the_parameters_one_by_one() {
    let (program, other) = (guarded_sum(), guarded_sum());
    let x = [1.0, 2.0];
    let call = |args: &NumberArgs<'_, '_>, results: &mut [u64]| {
        let done = program.call_numbers(0, args, results, &NoHost)?;
        Some(done.map(|_| f64::from_word(results[0])))
    };
    let given = |of: &'static str| {
        let mut args = match of {
            "another program" => other.numbers(0),
            _ => program.numbers(0),
        };
        match of {
            "a slice of other numbers" => args.slice(&Leaf::slice(&[1.0_f32, 2.0])),
            "a mutable slice" => args.slice(&Leaf::slice_mut(Box::leak(Box::new([1.0])))),
            "a row" => args.slice(&Leaf::row(&[1.0, 2.0])),
            "an object" => args.slice(&Leaf::inside(Type::Slice(&Type::F64), [8, 2])),
            "a number for a slice" => args.scalar(1.0),
            _ => args.slice(&Leaf::slice(&x)),
        }
        match of {
            "too few" => {}
            "another number" => args.scalar(2_u64),
            _ => args.scalar(if of == "out of range" { 3_usize } else { 2 }),
        }
        if of == "too many" {
            args.scalar(2_usize);
        }
        let room = usize::from(of != "no room");
        call(&args, &mut [0][..room])
    };
    assert_eq!(given("all").unwrap().unwrap(), 3.0);
    assert!(given("out of range").unwrap().is_err());
    for of in [
        "another program",
        "a slice of other numbers",
        "a mutable slice",
        "a row",
        "an object",
        "a number for a slice",
        "too few",
        "another number",
        "too many",
        "no room",
    ] {
        assert!(given(of).is_none(), "{of}");
    }
    let mut many = program.numbers(0);
    (0..100).for_each(|n| many.scalar(f64::from(n)));
    many.slice(&Leaf::slice(&x));
    assert!(call(&many, &mut [0]).is_none());
}

/// `f(n) = if n == 0 { 0 } else { 1 + f(n - 1) }` as a recursive call.
fn recursive_count() -> Arc<Program> {
    let name = Symbol::new("f");
    program(&[Type::U64], Type::U64, |b| {
        let n = b.function.params()[0];
        let zero = b.int(0, Type::U64);
        let [stop, go] = [b.new_block(), b.new_block()];
        let is_zero = b.prim(Prim::Eq, &[n, zero]);
        b.branch(is_zero, (stop, &[]), (go, &[]));
        b.seal(stop);
        b.seal(go);
        b.switch_to(stop);
        b.ret(zero);
        b.switch_to(go);
        let one = b.int(1, Type::U64);
        let less = b.prim(Prim::Sub, &[n, one]);
        let rest = b.call(name, &[less], Type::U64);
        let sum = b.prim(Prim::Add, &[rest, one]);
        b.ret(sum);
    })
}

/// Large arrays may lie between the functions of a program.
#[test]
fn functions_far_apart_call_each_other() {
    let text = "fn @f(%0: f64) -> f64 {
b0:
    %1: f64 = call @twice(%0)
    %2: f64 = call @square(%1)
    %3: f64 = call @twice(%2)
    return %3
}
fn @twice(%0: f64) -> f64 {
b0:
    %1: f64 = add %0, %0
    return %1
}
fn @square(%0: f64) -> f64 {
b0:
    %1: f64 = mul %0, %0
    return %1
}
";
    let module = crate::ir::parse::parse_module(text).unwrap();
    let registry = Arc::default();
    let code = cpu::compile_apart(&module, &registry, &[Symbol::new("f")]).unwrap();
    let program = Program::of(code, None);
    let bits = call(&program, |args| args.scalar(3.0)).unwrap();
    assert_eq!(f64::from_bits(bits), 72.0);
}

#[test]
fn recursion_ends_before_the_stack_does() {
    let program = recursive_count();
    assert_eq!(call(&program, |args| args.scalar(1000_u64)).unwrap(), 1000);
    for size in [128 << 10, 8 << 20] {
        let program = program.clone();
        let thread = std::thread::Builder::new().stack_size(size).spawn(move || {
            let outcome = call(&program, |args| args.scalar(u64::MAX));
            assert!(matches!(outcome, Err(Error::Fault(d)) if d.message.contains("too deep")));
            assert_eq!(call(&program, |args| args.scalar(100_u64)).unwrap(), 100);
        });
        thread.unwrap().join().unwrap();
    }
}

/// Pushes `n` records of `record` bytes holding 0, 1, …, then pops them and sums what they hold.
fn tape_round_trip() -> Arc<Program> {
    program(&[Type::Usize, Type::Usize], Type::Usize, |b| {
        let (n, record) = (b.function.params()[0], b.function.params()[1]);
        let (zero, one) = (b.int(0, Type::Usize), b.int(1, Type::Usize));
        let [push, pushing, middle] = [b.new_block(), b.new_block(), b.new_block()];
        let i = b.add_param(push, Type::Usize);
        b.jump(push, &[zero]);
        b.switch_to(push);
        let more = b.prim(Prim::Lt, &[i, n]);
        b.branch(more, (pushing, &[]), (middle, &[]));
        b.switch_to(pushing);
        let address = b.prim(Prim::TapePush, &[record]);
        b.prim(Prim::Poke(0), &[address, i]);
        let next = b.prim(Prim::Add, &[i, one]);
        b.jump(push, &[next]);
        let [pop, popping, done] = [b.new_block(), b.new_block(), b.new_block()];
        let (j, s) = (b.add_param(pop, Type::Usize), b.add_param(pop, Type::Usize));
        b.switch_to(middle);
        b.jump(pop, &[zero, zero]);
        b.switch_to(pop);
        let more = b.prim(Prim::Lt, &[j, n]);
        b.branch(more, (popping, &[]), (done, &[]));
        b.switch_to(popping);
        let address = b.prim(Prim::TapePop, &[record]);
        let value = b.prim_to(Prim::Peek(0), &[address], Type::Usize);
        // Sum of value * (j + 1): wrong if the order is.
        let next = b.prim(Prim::Add, &[j, one]);
        let weighted = b.prim(Prim::Mul, &[value, next]);
        let sum = b.prim(Prim::Add, &[s, weighted]);
        b.jump(pop, &[next, sum]);
        b.switch_to(done);
        b.ret(s);
        for block in [push, pushing, middle, pop, popping, done] {
            b.seal(block);
        }
    })
}

#[test]
fn records_come_back_in_reverse_order_over_many_chunks() {
    let program = tape_round_trip();
    for (n, record) in [
        (0, 8),
        (1, 8),
        (10, 24),
        (100_000, 24),
        (300, 5_000),
        (5, 1_000_003),
    ] {
        let mut args = Args::new();
        args.scalar::<usize>(n);
        args.scalar::<usize>(record);
        let mut results = [0];
        let stats = program.call(0, &args, &mut results, &NoHost).unwrap();
        let expected: usize = (0..n)
            .rev()
            .enumerate()
            .map(|(j, value)| value * (j + 1))
            .sum();
        assert_eq!(results[0] as usize, expected, "{n} records of {record}");
        assert_eq!(
            stats.tape_bytes,
            n * record.next_multiple_of(8),
            "{n} records of {record}"
        );
    }
}

#[test]
fn a_record_that_does_not_fit_is_an_error() {
    let program = tape_round_trip();
    for record in [1 << 50, usize::MAX, usize::MAX - 6] {
        let outcome = call(&program, |args| {
            args.scalar(1_usize);
            args.scalar::<usize>(record);
        });
        assert!(matches!(outcome, Err(Error::Memory(_))), "{record}");
    }
    let works = call(&program, |args| {
        args.scalar(2_usize);
        args.scalar(8_usize);
    });
    assert_eq!(works.unwrap(), 1);
}

#[test]
fn a_kernel_broadcasts_by_steps() {
    let name = Symbol::new("f");
    let mut b = Builder::new(Function::new(
        name,
        &[Type::F32, Type::F32],
        Type::tuple(&[Type::F32, Type::F32]),
    ));
    let (x, y) = (b.function.params()[0], b.function.params()[1]);
    let [sum, product] = [Prim::Add, Prim::Mul].map(|prim| b.prim(prim, &[x, y]));
    let both = b.prim(Prim::Tuple, &[sum, product]);
    b.ret(both);
    let module = Module::new(b.finish());
    let kernel = MapKernel::compile(&module, name, &Arc::default()).unwrap();
    let (x, y) = ([1.0_f32, 9.0, 2.0, 9.0, 3.0], 10.0_f32);
    let (mut sums, mut products) = ([0.0_f32; 3], [0.0_f32; 3]);
    let inputs = [
        Input::strided(&x, 2),
        Input::strided(std::slice::from_ref(&y), 0),
    ];
    let mut outputs = [Output::dense(&mut sums), Output::dense(&mut products)];
    kernel.run(3, &inputs, &mut outputs).unwrap();
    assert!(kernel.run(4, &inputs, &mut outputs).is_err());
    assert_eq!((sums, products), ([11.0, 12.0, 13.0], [10.0, 20.0, 30.0]));
}

/// Compiles a text.
fn parsed(text: &str, registry: &Arc<Registry>) -> Arc<Program> {
    let module = crate::ir::parse::parse_module(text).unwrap();
    Program::compile(&module, registry, &[module.root]).unwrap()
}

#[test]
fn module_functions_pass_leaves_in_registers() {
    let text = r#"
fn @f(%x: [f64], %y: [mut f64], %k: f32) -> (f64, (f32, usize)) {
b0:
    %one: usize = 1
    %n: usize = len %x
    %rest: usize = sub %n, %one
    %tail: [f64] = subslice %x, %one, %rest
    %r: (f64, bool, f32, i8, f64, u16) = call @g(%tail, %y, %k)
    %a: f64 = field.0 %r
    %b: f32 = field.2 %r
    %e: f64 = field.4 %r
    %s: f64 = add %a, %e
    %m: u16 = field.5 %r
    %w: usize = cast %m
    %inner: (f32, usize) = tuple %b, %w
    %out: (f64, (f32, usize)) = tuple %s, %inner
    return %out
}
fn @g(%x: [f64], %y: [mut f64], %k: f32) -> (f64, bool, f32, i8, f64, u16) {
b0:
    %zero: usize = 0
    %a: f64 = load %x, %zero
    %old: f64 = load %y, %zero
    store %y, %zero, %a
    %t: bool = true
    %two: f32 = 2.0
    %kk: f32 = mul %k, %two
    %i: i8 = -3
    %n: usize = len %x
    %m: u16 = cast %n
    %r: (f64, bool, f32, i8, f64, u16) = tuple %a, %t, %kk, %i, %old, %m
    return %r
}
"#;
    let program = parsed(text, &Arc::default());
    let mut y = [100.0];
    let mut args = Args::new();
    args.slice(&[1.0, 20.0, 300.0]);
    args.slice_mut(&mut y);
    args.scalar(1.5_f32);
    let mut results = [0; 3];
    program.call(0, &args, &mut results, &NoHost).unwrap();
    assert_eq!(f64::from_word(results[0]), 120.0);
    assert_eq!(f32::from_word(results[1]), 3.0);
    assert_eq!(results[2], 2);
    assert_eq!(y, [20.0]);
}

extern "C" fn hypotenuse(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

/// # Safety
/// `partials` has room for two.
unsafe extern "C" fn hypotenuse_with_partials(x: f64, y: f64, partials: *mut f64) -> f64 {
    let h = x.hypot(y);
    // SAFETY: the caller's promise.
    unsafe {
        *partials = x / h;
        *partials.add(1) = y / h;
    }
    h
}

/// One rule with native functions, one with a body that uses it.
fn registry_with_rules() -> Arc<Registry> {
    use crate::ir::parse::parse_module;
    use crate::registry::{ContextKind, Effects, Entry, EntryKind, NativeFn, ScalarRule};
    let unused = parse_module("fn @p() -> () { b0: %u: () = () return %u }").unwrap();
    let body = "fn @norm3(%x: f64, %y: f64) -> f64 { b0: %a: f64 = call @hyp(%x, %y) %b: f64 = call @hyp(%a, %y) return %b }";
    let rule = |native, with_partials, body| ScalarRule {
        native,
        with_partials,
        body,
        partials: unused.root().clone(),
        wgsl: None,
        domain: Vec::new(),
    };
    let native = NativeFn(hypotenuse as *const () as usize);
    let with_partials = NativeFn(hypotenuse_with_partials as *const () as usize);
    let body = parse_module(body).unwrap().root().clone();
    let mut registry = Registry::default();
    let rules = [
        ("hyp", rule(Some(native), Some(with_partials), None)),
        ("norm3", rule(None, None, Some(body))),
    ];
    for (name, rule) in rules {
        let entry = Entry {
            name: Symbol::new(name),
            param_names: Vec::new(),
            params: vec![Type::F64; 2],
            ret: Type::F64,
            context: ContextKind::Default,
            pack: Symbol::new("test"),
            effects: Effects::Pure,
            kind: EntryKind::Scalar(rule),
        };
        registry.insert(entry).unwrap();
    }
    Arc::new(registry)
}

#[test]
fn rules_are_called_natively_or_inlined() {
    let registry = registry_with_rules();
    let text = r#"
fn @f(%x: f64, %y: f64) -> (f64, f64, f64, f64) {
b0:
    %h: (f64, f64, f64) = call @hyp.with_partials(%x, %y)
    %v: f64 = field.0 %h
    %dx: f64 = field.1 %h
    %dy: f64 = field.2 %h
    %n: f64 = call @norm3(%x, %y)
    %r: (f64, f64, f64, f64) = tuple %v, %dx, %dy, %n
    return %r
}
"#;
    let program = parsed(text, &registry);
    let mut args = Args::new();
    args.scalar(3.0);
    args.scalar(4.0);
    let mut results = [0; 4];
    program.call(0, &args, &mut results, &NoHost).unwrap();
    assert_eq!(
        results.map(f64::from_word),
        [5.0, 0.6, 0.8, 5_f64.hypot(4.0)]
    );
}

#[test]
fn kernels_have_control_flow_and_calls() {
    let text = r#"
fn @f(%x: f64, %n: u32) -> f64 {
b0:
    %zero: u32 = 0
    %c: f64 = 0.5
    jump head(%zero, %x)
head(%i: u32, %y: f64):
    %more: bool = lt %i, %n
    branch %more, body, done
body:
    %big: bool = gt %y, %c
    branch %big, left, right
left:
    %a: f64 = mul %y, %c
    jump latch(%a)
right:
    %b: f64 = call @g(%y, %c)
    jump latch(%b)
latch(%z: f64):
    %one: u32 = 1
    %next: u32 = add %i, %one
    jump head(%next, %z)
done:
    return %y
}
fn @g(%x: f64, %c: f64) -> f64 {
b0:
    %h: f64 = call @hyp(%x, %c)
    return %h
}
"#;
    let module = crate::ir::parse::parse_module(text).unwrap();
    let kernel = MapKernel::compile(&module, module.root, &registry_with_rules()).unwrap();
    let native =
        |x: f64, n: u32| (0..n).fold(x, |y, _| if y > 0.5 { y * 0.5 } else { y.hypot(0.5) });
    let (x, n, mut out) = ([0.1, 3.0, 0.6, 9.0], [5_u32, 0, 3, 2], [0.0; 4]);
    let inputs = [Input::strided(&x, 1), Input::strided(&n, 1)];
    kernel
        .run(4, &inputs, &mut [Output::dense(&mut out)])
        .unwrap();
    for ((&x, &n), &found) in x.iter().zip(&n).zip(&out) {
        assert_eq!(found, native(x, n));
    }
}

/// A host whose arrays are their handles.
struct Handles;

impl Host for Handles {
    fn call(&self, site: &Site, args: &[u64], results: &mut [u64]) -> Result<()> {
        match &site.op {
            SiteOp::Host(op) if op.name() == "matmul" => results[0] = args[0] * 10 + args[1],
            SiteOp::Host(op) => panic!("no {}", op.name()),
            SiteOp::SameShape(_) => panic!("debug mode alone compares shapes"),
            SiteOp::Map(f) => {
                assert!(f.module.functions.contains_key(&f.function));
                results[0] = args.iter().sum::<u64>() + site.params.len() as u64;
            }
            SiteOp::Cluster(_) => panic!("clusters are made by the optimiser"),
            SiteOp::Native(_) => panic!("the frame calls it"),
        }
        Ok(())
    }
}

#[test]
fn array_operations_go_to_the_host() {
    let text = r#"
fn @f(%a: array<f32>, %b: array<f32>) -> array<f32> {
b0:
    %c: array<f32> = call @matmul(%a, %b)
    %d: array<f32> = map @add(%c, %b)
    return %d
}
"#;
    let program = parsed(text, &Arc::default());
    let call = |host: &dyn Host| {
        let mut args = Args::new();
        args.array::<f32>(3);
        args.array::<f32>(4);
        let mut results = [0];
        program
            .call(0, &args, &mut results, host)
            .map(|_| results[0])
    };
    assert_eq!(call(&Handles).unwrap(), 34 + 4 + 2);
    assert!(matches!(call(&NoHost), Err(Error::Internal(_))));
}

#[test]
fn a_panic_in_the_host_is_an_error() {
    let text = "fn @f(%a: array<f32>) -> array<f32> { b0: %b: array<f32> = call @t(%a) return %b }";
    let program = parsed(text, &Arc::default());
    let mut args = Args::new();
    args.array::<f32>(3);
    let outcome = program.call(0, &args, &mut [0], &Handles);
    assert!(matches!(outcome, Err(Error::Internal(text)) if text.contains("panic")));
}

/// Makes functions of texts by their names. The first call of each fails.
#[derive(Default)]
struct Maker {
    texts: Vec<&'static str>,
    asked: Mutex<Vec<Symbol>>,
    made: Mutex<Vec<(Symbol, Arc<Program>)>>,
}

impl OnDemand for Maker {
    fn make(&self, name: Symbol, _: &Origin) -> Result<(Arc<Program>, usize)> {
        let mut asked = self.asked.lock().unwrap();
        if !asked.contains(&name) {
            asked.push(name);
            return Err(Error::Array(format!("@{name} is not there yet")));
        }
        let mut made = self.made.lock().unwrap();
        if let Some((_, program)) = made.iter().find(|(other, _)| *other == name) {
            return Ok((program.clone(), 0));
        }
        let is_it = |text: &&&str| text.trim().starts_with(&format!("fn @{name}("));
        let text = self.texts.iter().find(is_it).expect("a text of that name");
        let program = parsed(text, &Arc::default());
        made.push((name, program.clone()));
        Ok((program, 0))
    }
}

fn with_maker(text: &str, texts: &[&'static str]) -> Arc<Program> {
    let module = crate::ir::parse::parse_module(text).unwrap();
    let maker: Arc<dyn OnDemand> = Arc::new(Maker {
        texts: texts.to_vec(),
        ..Maker::default()
    });
    Program::with(&module, &Arc::default(), &[module.root], Some(maker)).unwrap()
}

#[test]
fn what_is_declared_is_made_and_runs_on_the_same_frame() {
    // Each program has its own sites; those of the caller are there again after the call. @g and @h call each other.
    let texts = [
        "fn @g(%a: array<f32>, %n: usize) -> array<f32> on_demand {
b0:
    %zero: usize = 0
    %ends: bool = eq %n, %zero
    branch %ends, b1, b2
b1:
    return %a
b2:
    %b: array<f32> = call @h(%a, %n)
    %c: array<f32> = map @add(%b, %b)
    return %c
}
declare @h(array<f32>, usize) -> array<f32> half_of @h(true, false)",
        "fn @h(%a: array<f32>, %n: usize) -> array<f32> on_demand {
b0:
    %one: usize = 1
    %ten: usize = 10
    %fits: bool = lt %n, %ten
    assert %fits else panic \"too many\"
    %less: usize = sub %n, %one
    %b: array<f32> = call @matmul(%a, %a)
    %c: array<f32> = call @g(%b, %less)
    return %c
}
declare @g(array<f32>, usize) -> array<f32> half_of @g(true, false)",
    ];
    let program = with_maker(
        "fn @f(%a: array<f32>, %n: usize) -> array<f32> {
b0:
    %b: array<f32> = call @g(%a, %n)
    %c: array<f32> = call @matmul(%b, %a)
    return %c
}
declare @g(array<f32>, usize) -> array<f32> half_of @g(true, false)",
        &texts,
    );
    let call = |a: u64, n: u64| {
        let mut args = Args::new();
        args.array::<f32>(a);
        args.scalar(n as usize);
        let mut results = [0];
        let done = program.call(0, &args, &mut results, &Handles);
        done.map(|_| results[0]).map_err(|error| error.to_string())
    };
    assert_eq!(call(3, 0), Err("@g is not there yet".to_owned()));
    assert_eq!(call(3, 0), Ok(33));
    assert_eq!(call(3, 1), Err("@h is not there yet".to_owned()));
    fn g(a: u64, n: u64) -> u64 {
        match n {
            0 => a,
            // A map of two gives their sum and their number.
            n => 2 * g(11 * a, n - 1) + 2,
        }
    }
    for n in 0..5 {
        assert_eq!(call(3, n), Ok(10 * g(3, n) + 3));
        assert!(call(3, n + 10).unwrap_err().starts_with("too many"));
    }
}

#[test]
fn what_is_declared_has_the_signature_that_it_is_called_with() {
    let text = "fn @f(%x: f64) -> f64 { b0: %y: f64 = call @g(%x) return %y } declare @g(f64) -> f64 half_of @g(true)";
    let message = |program: Arc<Program>| {
        let outcome = call(&program, |args| args.scalar(1.0));
        outcome.unwrap_err().to_string()
    };
    let alone = message(parsed(text, &Arc::default()));
    assert!(alone.contains("nobody makes @g"), "{alone}");
    let other = with_maker(
        text,
        &["fn @g(%x: f32) -> f64 { b0: %y: f64 = 1.0 return %y }"],
    );
    assert_eq!(message(other.clone()), "@g is not there yet");
    let wrong = message(other);
    assert!(wrong.contains("was declared to take"), "{wrong}");
    let none = with_maker(text, &[]);
    assert_eq!(message(none.clone()), "@g is not there yet");
    let panic = message(none);
    assert!(
        panic.contains("a panic while a function was made"),
        "{panic}"
    );
}
