//! Random programs over arrays: done together in kernels they give what their operations give one by one, and what the interpreter
//! says that they mean; so do their gradients and products with Hessians. Gradients agree with differences of values. A GPU gives
//! what the CPU gives. `MOONCAKE_RANDOM_CLUSTERS=20000` tests more of them.

use super::differences::{Verdict, compare, derivative, near};
use super::random::Random;
use crate::ad::Mode;
use crate::api::pipeline;
use crate::array::cluster::{DONE_IN_PARTS, IN_PARTS, done_by_quick_plans};
use crate::array::host::ArrayHost;
use crate::array::{Array, Device};
use crate::context::Context;
use crate::exec::{Args, Program};
use crate::interp::{Arrays, Datum, Interpreter, Plain};
use crate::ir::build::Builder;
use crate::ir::parse::parse_module;
use crate::ir::{Const, Function, Module, Symbol, Type, Value};
use crate::tangent;

const F: Type = Type::F64;

/// The shapes of the arguments.
const ARGUMENTS: [&[usize]; 4] = [&[3, 4], &[4], &[3, 1], &[2, 3, 4]];

/// A program in the making.
struct Maker {
    b: Builder,
    random: Random,
    /// Arrays with their shapes.
    arrays: Vec<(Value, Vec<usize>)>,
    numbers: Vec<Value>,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut params = vec![Type::array(F); ARGUMENTS.len()];
        params.push(F);
        let b = Builder::new(Function::new(Symbol::new("f"), &params, Type::UNIT));
        let params = b.function.params().to_vec();
        Maker {
            b,
            random: Random::new(seed),
            arrays: { params.iter().copied() }
                .zip(ARGUMENTS.map(<[usize]>::to_vec))
                .collect(),
            numbers: vec![params[ARGUMENTS.len()]],
        }
    }

    /// One of the arrays, a late one more often.
    fn array(&mut self) -> (Value, Vec<usize>) {
        let count = self.arrays.len();
        let n = self.random.below(count).max(self.random.below(count));
        self.arrays[n].clone()
    }
    fn add(&mut self, value: Value, shape: Vec<usize>) {
        if shape.iter().product::<usize>() <= 200 && shape.len() <= 4 {
            self.arrays.push((value, shape));
        }
    }
    fn call(&mut self, name: &str, args: &[Value]) -> Value {
        self.b.call(Symbol::new(name), args, Type::array(F))
    }
    fn int(&mut self, n: usize) -> Value {
        self.b.int(n as i64, Type::Usize)
    }

    /// A function of each element, of one array or two, or of one and a number. All keep numbers of moderate size.
    fn map(&mut self) {
        let (a, shape) = self.array();
        let ty = Type::array(F);
        match self.random.below(5) {
            0 => {
                let name = self
                    .random
                    .choose(&["sin", "cos", "tanh", "atan", "choose"]);
                let value = self.b.map(Symbol::new(name), &[a], ty);
                self.add(value, shape);
            }
            1 => {
                let s = self.random.below(self.numbers.len());
                let name = self.random.choose(&["mul", "add", "sub"]);
                let value = self.b.map(Symbol::new(name), &[a, self.numbers[s]], ty);
                self.add(value, shape);
            }
            _ => {
                let (b, other) = self.array();
                if let Some(shape) = together(&shape, &other) {
                    let names = ["mul", "add", "sub", "choose_of_two"];
                    let name = self.random.choose(&names);
                    let value = self.b.map(Symbol::new(name), &[a, b], ty);
                    self.add(value, shape);
                }
            }
        }
    }

    /// An operation along an axis.
    fn along(&mut self) {
        let (a, mut shape) = self.array();
        if shape.is_empty() {
            return;
        }
        let axis = self.random.below(shape.len());
        let place = self.int(axis);
        let extent = shape[axis];
        let name = self.random.choose(&[
            "sum_axis",
            "sum_axis",
            "max_axis",
            "softmax",
            "log_softmax",
            "cumsum",
            "flip",
            "roll",
            "narrow",
            "squeeze",
            "expand_axis",
        ]);
        match name {
            "sum_axis" | "max_axis" => {
                shape.remove(axis);
                let value = self.call(name, &[a, place]);
                // Sums stay of moderate size.
                let value = self.b.map(Symbol::new("atan"), &[value], Type::array(F));
                self.add(value, shape);
            }
            "narrow" => {
                let count = 1 + self.random.below(extent);
                let start = self.random.below(extent - count + 1);
                let (start, length) = (self.int(start), self.int(count));
                shape[axis] = count;
                let value = self.call(name, &[a, place, start, length]);
                self.add(value, shape);
            }
            "squeeze" if extent != 1 => {}
            "squeeze" => {
                shape.remove(axis);
                let value = self.call(name, &[a, place]);
                self.add(value, shape);
            }
            "roll" => {
                let by = self.random.below(2 * extent + 2) as i64 - extent as i64;
                let by = self.b.int(by, Type::I64);
                let value = self.call(name, &[a, place, by]);
                self.add(value, shape);
            }
            // A sum along the axis, repeated along it again.
            "expand_axis" => {
                let sum = self.call("sum_axis", &[a, place]);
                let value = self.call(name, &[sum, a, place]);
                let value = self.b.map(Symbol::new("sin"), &[value], Type::array(F));
                self.add(value, shape);
            }
            _ => {
                let value = self.call(name, &[a, place]);
                self.add(value, shape);
            }
        }
    }

    /// Parts of arrays: one that a slice has, an array with such a part replaced, or two arrays in one.
    fn parts(&mut self) {
        let (a, mut shape) = self.array();
        if shape.is_empty() {
            return;
        }
        let axis = self.random.below(shape.len());
        let extent = shape[axis];
        let place = self.int(axis);
        if self.random.below(3) == 0 {
            let (b, other) = self.array();
            let fits = shape.len() == other.len()
                && (0..shape.len()).all(|k| k == axis || shape[k] == other[k]);
            if fits {
                shape[axis] += other[axis];
                let value = self.call("concat", &[a, b, place]);
                self.add(value, shape);
            }
            return;
        }
        let start = self.random.below(extent);
        let end = start + 1 + self.random.below(extent - start);
        let step = 1 + self.random.below(2);
        let range = [start, end, step].map(|n| self.int(n));
        let part = self.call("slice_axis", &[&[a, place][..], &range].concat());
        let part = match self.random.below(2) {
            0 => part,
            _ => self.b.map(Symbol::new("sin"), &[part], Type::array(F)),
        };
        if self.random.below(2) == 0 {
            let (b, other) = self.array();
            let whole = if other == shape { b } else { a };
            let args = [&[whole, place][..], &range, &[part]].concat();
            let value = self.call("replace_axis", &args);
            self.add(value, shape.clone());
        }
        shape[axis] = (end - start).div_ceil(step);
        self.add(part, shape);
    }

    /// The same elements, seen in another way.
    fn view(&mut self) {
        let (a, mut shape) = self.array();
        match self.random.below(4) {
            0 => {
                let axis = self.random.below(shape.len() + 1);
                let place = self.int(axis);
                shape.insert(axis, 1);
                let value = self.call("expand_dims", &[a, place]);
                self.add(value, shape);
            }
            1 if shape.len() > 1 => {
                let (i, j) = (
                    self.random.below(shape.len()),
                    self.random.below(shape.len()),
                );
                shape.swap(i, j);
                let (i, j) = (self.int(i), self.int(j));
                let value = self.call("swap_axes", &[a, i, j]);
                self.add(value, shape);
            }
            2 => {
                let value = self.call("flatten", &[a]);
                self.add(value, vec![shape.iter().product()]);
            }
            _ => {
                let axis = self.random.below(shape.len() + 1);
                let count = 1 + self.random.below(3);
                shape.insert(axis, count);
                let (place, count) = (self.int(axis), self.int(count));
                let value = self.call("insert_axis", &[a, place, count]);
                self.add(value, shape);
            }
        }
    }

    /// One number of an array.
    fn number(&mut self) {
        let (a, _) = self.array();
        let mean = self.call("mean", &[a]);
        let number = self.b.call(Symbol::new("item"), &[mean], F);
        self.numbers.push(number);
        self.add(mean, Vec::new());
    }

    /// A matrix times the sums of its columns, which are those of the rows of its transpose.
    fn turned(&mut self) {
        let (a, shape) = self.array();
        let &[_, columns] = &shape[..] else { return };
        let (turned, one) = (self.call("t", &[a]), self.int(1));
        let name = self.random.choose(&["sum_axis", "max_axis"]);
        let sums = self.call(name, &[turned, one]);
        self.add(sums, vec![columns]);
        let product = self.b.map(Symbol::new("mul"), &[a, sums], Type::array(F));
        let product = self.b.map(Symbol::new("sin"), &[product], Type::array(F));
        self.add(product, shape);
    }

    /// Elements gathered by an index that other elements make, and elements added at it.
    fn indexed(&mut self) {
        let (a, mut shape) = self.array();
        if shape.is_empty() {
            return;
        }
        let axis = self.random.below(shape.len());
        let extent = shape[axis];
        let count = self.random.choose(&[1, 1, 2, 3, 5]).min(extent);
        let (place, zero, length) = (self.int(axis), self.int(0), self.int(count));
        let part = self.call("narrow", &[a, place, zero, length]);
        let extent = self.b.constant(Const::Float(extent as f64), F);
        let ty = Type::array(Type::U32);
        let index = self.b.map(Symbol::new("index"), &[part, extent], ty);
        let name = self.random.choose(&["sin", "tanh", "choose"]);
        let mapped = self.b.map(Symbol::new(name), &[a], Type::array(F));
        let source = self.random.choose(&[a, mapped]);
        let (like, of_shape) = (source, shape.clone());
        shape[axis] = count;
        let gathered = self.call("gather", &[source, place, index]);
        self.add(gathered, shape);
        let computed = self.b.map(Symbol::new("sin"), &[gathered], Type::array(F));
        let values = self.random.choose(&[part, gathered, computed]);
        let scattered = self.call("scatter_add", &[values, place, index, like]);
        self.add(scattered, of_shape);
    }

    fn product(&mut self) {
        let (a, left) = self.array();
        let (b, right) = self.array();
        let (value, shape) = match (&left[..], &right[..]) {
            (&[m, k], &[l, n]) if k == l => (self.call("matmul", &[a, b]), vec![m, n]),
            (&[m, _], _) => (self.call("matmul_nt", &[a, a]), vec![m, m]),
            _ => return,
        };
        let value = self.b.map(Symbol::new("sin"), &[value], Type::array(F));
        self.add(value, shape);
    }

    /// An array with a number added to a part of it.
    fn placed(&mut self) {
        let (a, shape) = self.array();
        if shape.is_empty() {
            return;
        }
        let axis = self.random.below(shape.len());
        let start = self.random.below(shape[axis]);
        let count = 1 + self.random.below(shape[axis] - start);
        let (axis, start, count) = (self.int(axis), self.int(start), self.int(count));
        let part = self.call("narrow", &[a, axis, start, count]);
        let number = self.random.below(self.numbers.len());
        let filled = self.call("full_like", &[self.numbers[number], part]);
        let placed = self.call("place", &[filled, axis, start, a]);
        let sum = self.b.map(Symbol::new("add"), &[a, placed], Type::array(F));
        self.add(sum, shape);
    }

    fn step(&mut self) {
        match self.random.below(22) {
            0..=4 => self.map(),
            5..=7 => self.along(),
            8 | 9 => self.view(),
            10 => self.number(),
            11 => self.turned(),
            12 | 13 => self.indexed(),
            14 | 15 => self.parts(),
            16 | 17 => self.placed(),
            _ => self.product(),
        }
    }

    /// A module whose root gives some of the arrays.
    fn arrays(seed: u64) -> Module {
        let mut this = Maker::new(seed);
        (0..3 + this.random.below(10)).for_each(|_| this.step());
        // What is a result is in memory, and then read or computed once more by others.
        let made = this.arrays.split_off(ARGUMENTS.len());
        let mut results: Vec<Value> = made.into_iter().map(|(value, _)| value).collect();
        let most = 1 + this.random.below(6);
        while results.len() > most {
            results.remove(this.random.below(results.len()));
        }
        results.push(this.numbers[this.numbers.len() - 1]);
        this.finish(&results)
    }

    /// A module whose root gives one number, to be derived.
    fn one_number(seed: u64) -> Module {
        let mut this = Maker::new(seed);
        (0..3 + this.random.below(10)).for_each(|_| this.step());
        (0..2).for_each(|_| this.number());
        if seed.is_multiple_of(2) {
            let numbers = this.numbers[this.numbers.len() - 2..].to_vec();
            let sum = this.b.prim(crate::ir::Prim::Add, &numbers);
            return this.finish(&[sum]);
        }
        // Plans of small arrays have no arithmetic on numbers.
        let means = &this.arrays[this.arrays.len() - 2..];
        let means: Vec<Value> = means.iter().map(|(mean, _)| *mean).collect();
        let sum = this.b.map(Symbol::new("add"), &means, Type::array(F));
        let sum = this.b.call(Symbol::new("item"), &[sum], F);
        this.finish(&[sum])
    }

    fn finish(mut self, results: &[Value]) -> Module {
        let types: Vec<Type> = { results.iter() }
            .map(|&value| self.b.function.values[value].ty)
            .collect();
        let (value, ty) = match results {
            [one] => (*one, types[0]),
            _ => {
                let ty = Type::tuple(&types);
                (self.b.prim_to(crate::ir::Prim::Tuple, results, ty), ty)
            }
        };
        self.b.function.ret = ty;
        self.b.ret(value);
        let mut module = Module::new(self.b.finish());
        let functions = parse_module(FUNCTIONS).map(|module| module.functions);
        let functions = functions.unwrap_or_else(|error| panic!("{error}"));
        functions.into_values().for_each(|f| module.insert(f));
        module
    }
}

/// Functions of maps: an index below a number, and choices between values: at once, one choice after another, and with a result on each way.
const FUNCTIONS: &str = "
fn @index(%a: f64, %extent: f64) -> u32 {
b0:
    %odd: f64 = 0.3137
    %b: f64 = add %a, %odd
    %whole: f64 = floor %b
    %part: f64 = sub %b, %whole
    %place: f64 = mul %part, %extent
    %index: u32 = cast %place
    return %index
}
fn @choose(%a: f64) -> f64 {
b0:
    %zero: f64 = 0.0
    %half: f64 = 0.5
    %is_less: bool = lt %a, %zero
    branch %is_less, b1(), b2()
b1:
    %n: f64 = mul %a, %half
    jump b5(%n)
b2:
    %is_more: bool = gt %a, %half
    branch %is_more, b3(), b4()
b3:
    %s: f64 = call @sin(%a)
    jump b5(%s)
b4:
    %q: f64 = mul %a, %a
    jump b5(%q)
b5(%w: f64):
    %r: f64 = sub %w, %half
    return %r
}
fn @choose_of_two(%a: f64, %b: f64) -> f64 {
b0:
    %is_less: bool = lt %a, %b
    branch %is_less, b1(), b2()
b1:
    return %a
b2:
    %zero: f64 = 0.0
    %is_positive: bool = gt %b, %zero
    branch %is_positive, b3(), b4()
b3:
    %l: f64 = call @ln(%b)
    %t: f64 = call @tanh(%l)
    return %t
b4:
    %p: f64 = mul %a, %b
    return %p
}
";

/// The shape that two broadcast to.
fn together(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let extent = |shape: &[usize], k: usize| match (k + shape.len()).checked_sub(rank) {
        Some(own) => shape[own],
        None => 1,
    };
    let extents = (0..rank).map(|k| match (extent(a, k), extent(b, k)) {
        (1, n) | (n, 1) => Some(n),
        (n, m) => (n == m).then_some(n),
    });
    extents.collect()
}

/// An argument or a result: the shape and the elements. A number has no shape, and neither has an absent array, which has no elements.
type Numbers = (Vec<usize>, Vec<f64>);

/// What a program is compared with itself as.
#[derive(Clone, Copy)]
enum What {
    Value,
    Gradient,
    HessianProduct,
}

/// What a context makes of a module.
fn made(ctx: &Context, module: &Module, what: What) -> Module {
    let (normal, active) = (normal(ctx, module), pipeline::all_active(module));
    let made = match what {
        What::Value => pipeline::primal(ctx, &normal),
        What::Gradient => pipeline::gradient(ctx, &normal, &active).map(|(module, _)| module),
        What::HessianProduct => {
            pipeline::hvp(ctx, &normal, &active, &active, 1).map(|(module, _)| module)
        }
    };
    made.unwrap_or_else(|error| panic!("{error}\n{module}"))
}

fn normal(ctx: &Context, module: &Module) -> Module {
    let normal = pipeline::normal(ctx, module.clone());
    normal.unwrap_or_else(|error| panic!("{error}\n{module}"))
}

/// A program on one device, compiled.
struct Compiled {
    ctx: Context,
    program: std::sync::Arc<Program>,
}

impl Compiled {
    fn new(ctx: Context, module: &Module) -> Compiled {
        let program = Program::compile(module, ctx.registry(), &[module.root]).unwrap();
        Compiled { ctx, program }
    }
    /// What it gives for arguments.
    fn call(&self, args: &[Numbers], leaves: &[Type]) -> crate::Result<Vec<Numbers>> {
        let is_single = leaves.iter().any(|leaf| element(*leaf) == Type::F32);
        let host = ArrayHost::of(false, Some(self.ctx.clone()));
        let mut given = Args::new();
        for (n, (shape, data)) in args.iter().enumerate() {
            let device = self.ctx.device();
            let single = || data.iter().map(|&x| x as f32).collect::<Vec<f32>>();
            match (is_array(n), is_single) {
                (true, true) => {
                    let array = Array::from_vec_on(device, single(), shape);
                    given.array::<f32>(host.give(&array)?);
                }
                (true, false) => {
                    let array = Array::from_vec_on(device, data.clone(), shape);
                    given.array::<f64>(host.give(&array)?);
                }
                (false, true) => given.scalar(single()[0]),
                (false, false) => given.scalar(data[0]),
            }
        }
        let mut words = vec![0; leaves.len()];
        self.program.call(0, &given, &mut words, &host)?;
        let read = |(word, &ty): (u64, &Type)| {
            let absent = (Vec::new(), Vec::new());
            Ok(match (ty, is_single) {
                (Type::Array(_), true) => match host.take::<f32>(word)? {
                    Some(array) => (array.shape().to_vec(), wide(&array.to_vec()?)),
                    None => absent,
                },
                (Type::Array(_), false) => match host.take::<f64>(word)? {
                    Some(array) => (array.shape().to_vec(), array.to_vec()?),
                    None => absent,
                },
                (_, true) => (Vec::new(), vec![f64::from(f32::from_bits(word as u32))]),
                (_, false) => (Vec::new(), vec![f64::from_bits(word)]),
            })
        };
        words.into_iter().zip(leaves).map(read).collect()
    }
}

fn wide(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|&x| x.into()).collect()
}

fn element(ty: Type) -> Type {
    ty.element().unwrap_or(ty)
}

/// Whether argument `n` is an array: after the arguments of the program come their tangents, if there are any.
fn is_array(n: usize) -> bool {
    n % (ARGUMENTS.len() + 1) < ARGUMENTS.len()
}

/// So many arguments of a program.
fn arguments(count: usize, seed: u64) -> Vec<Numbers> {
    let mut random = Random::new(seed);
    let one = |n: usize| match is_array(n) {
        true => {
            let shape = ARGUMENTS[n % (ARGUMENTS.len() + 1)];
            let elements = (0..shape.iter().product()).map(|_| random.signed());
            (shape.to_vec(), elements.collect())
        }
        false => (Vec::new(), vec![random.signed()]),
    };
    (0..count).map(one).collect()
}

/// The root of a module, interpreted. Parameters beyond the arguments are seeds.
fn interpreted(module: &Module, ctx: &Context, args: &[Numbers]) -> crate::Result<Vec<Numbers>> {
    let outside = Arrays::new(module, ctx.registry());
    let constants = |data: &[f64]| data.iter().copied().map(Const::Float).collect();
    let given = args
        .iter()
        .enumerate()
        .map(|(n, (shape, data))| match is_array(n) {
            true => outside.give(Plain {
                ty: F,
                shape: shape.clone(),
                elements: constants(data),
            }),
            false => Datum::float(data[0]),
        });
    let mut given: Vec<Datum> = given.collect();
    given.resize(module.root().params().len(), Datum::float(1.0));
    let value = Interpreter::new(module, &outside).call(module.root, &given)?;
    let mut results = Vec::new();
    flatten(value, &mut |leaf| {
        results.push(match &leaf {
            Datum::Array(_) => match outside.take(&leaf)? {
                Some(array) => {
                    let numbers = { array.elements.iter() }.map(|&c| Datum::Scalar(c).as_float());
                    (array.shape, numbers.map(Option::unwrap).collect())
                }
                None => (Vec::new(), Vec::new()),
            },
            number => (Vec::new(), vec![number.as_float().unwrap()]),
        });
        Ok(())
    })?;
    Ok(results)
}

/// The leaves of a value, in order.
fn flatten(value: Datum, each: &mut dyn FnMut(Datum) -> crate::Result<()>) -> crate::Result<()> {
    match value {
        Datum::Tuple(fields) => fields
            .into_iter()
            .try_for_each(|field| flatten(field, each)),
        Datum::Scalar(Const::Unit) => Ok(()),
        leaf => each(leaf),
    }
}

/// The first result that is not the expected one, within a tolerance relative to its largest element.
fn difference(expected: &[Numbers], found: &[Numbers], tolerance: f64) -> Option<usize> {
    assert_eq!(expected.len(), found.len());
    (0..expected.len()).find(|&n| {
        let (expected, found) = (&expected[n], &found[n]);
        let finite = expected.1.iter().filter(|x| x.is_finite());
        let largest = finite.fold(1.0f64, |a, x| a.max(x.abs()));
        let close =
            |&a: &f64, &b: &f64| near(a, b, tolerance * largest) || a.is_nan() && b.is_nan();
        // What is absent is zeros.
        let zeros = |(_, data): &Numbers| data.iter().all(|x| *x == 0.0);
        match expected.1.is_empty() || found.1.is_empty() {
            true => !zeros(expected) || !zeros(found),
            false => {
                let pairs = expected.1.iter().zip(&found.1);
                expected.0 != found.0 || !{ pairs }.all(|(a, b)| close(a, b))
            }
        }
    })
}

/// A context of a device. With `debug` it makes no clusters.
fn context(device: &Device, debug: bool) -> Context {
    let builder = Context::builder().device(device.clone());
    builder.debug(debug).build().unwrap()
}

/// Fails unless kernels, single operations, and the interpreter give the same, the first time and when plans are known.
fn agree(seed: u64, module: &Module, what: What) {
    let contexts = [true, false].map(|debug| context(&Device::cpu(), debug));
    let [one_by_one, together] = contexts.each_ref().map(|ctx| made(ctx, module, what));
    let ctx = &contexts[1];
    // As it is before anybody rewrites it.
    let meant = match what {
        What::Value => module.clone(),
        What::Gradient => {
            let active = pipeline::all_active(module);
            pipeline::reverse_module(ctx, &normal(ctx, module), &active, Mode::Combined).unwrap()
        }
        What::HessianProduct => one_by_one.clone(),
    };
    let (count, leaves) = (
        together.root().params().len(),
        tangent::leaves(together.root().ret),
    );
    let text = together.to_string();
    let [first, second] = contexts.clone();
    let (one_by_one, together) = (
        Compiled::new(first, &one_by_one),
        Compiled::new(second, &together),
    );
    for round in 0..3 {
        let args = arguments(count, seed + 1000 * round);
        let fail = |error: crate::Error| panic!("seed {seed}: {error}\n{text}");
        let found = together.call(&args, &leaves).unwrap_or_else(fail);
        let fail = |error: crate::Error| panic!("seed {seed}: {error}\n{text}");
        let expected = one_by_one.call(&args, &leaves).unwrap_or_else(fail);
        if let Some(n) = difference(&expected, &found, 1e-10) {
            panic!(
                "seed {seed}, call {round}, result {n}: {:?} in kernels, {:?} one by one\n{text}",
                found[n], expected[n]
            );
        }
        if round > 0 {
            continue;
        }
        let fail = |error: crate::Error| panic!("seed {seed}: {error}\n{meant}");
        let expected = interpreted(&meant, ctx, &args).unwrap_or_else(fail);
        if let Some(n) = difference(&expected, &found, 1e-10) {
            panic!(
                "seed {seed}, result {n}: {:?} compiled, {:?} interpreted\n{meant}",
                found[n], expected[n]
            );
        }
    }
}

fn seeds(usual: u64) -> std::ops::Range<u64> {
    let asked = std::env::var("MOONCAKE_RANDOM_CLUSTERS").ok();
    0..asked.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Fails if plans of small arrays were so seldom that nothing was found out about them. Large arrays are none of these programs'.
fn quick_plans_were_among_them() {
    let [kernels, moved, products, _] = done_by_quick_plans();
    let all = [kernels, moved, products];
    assert!(
        seeds(200).end < 200 || all.iter().all(|&n| n > 5),
        "{all:?}"
    );
}

/// Kernels read arrays in parts, as they do where arrays are large.
fn in_parts(test: impl FnOnce()) {
    IN_PARTS.set(true);
    let before = DONE_IN_PARTS.get();
    test();
    IN_PARTS.set(false);
    let count = DONE_IN_PARTS.get() - before;
    assert!(seeds(200).end < 200 || count > 20, "{count}");
}

#[test]
fn programs_in_kernels_give_what_operations_give() {
    for seed in seeds(200) {
        agree(seed, &Maker::arrays(seed), What::Value);
    }
    in_parts(|| {
        for seed in seeds(200) {
            agree(seed, &Maker::arrays(seed), What::Value);
        }
    });
    quick_plans_were_among_them();
}

#[test]
fn gradients_in_kernels_are_those_of_operations() {
    for seed in seeds(200) {
        let module = Maker::one_number(seed);
        agree(seed, &module, What::Gradient);
        if seed % 4 == 0 {
            agree(seed, &module, What::HessianProduct);
        }
    }
    in_parts(|| {
        for seed in seeds(200) {
            let module = Maker::one_number(seed);
            agree(seed, &module, What::Gradient);
            if seed % 4 == 1 {
                agree(seed, &module, What::HessianProduct);
            }
        }
    });
    quick_plans_were_among_them();
}

/// A loop whose state is two small arrays. It makes both anew in each turn.
const LOOP: &str = "
fn @f(%x: array<f64>, %turns: usize) -> (array<f64>, array<f64>) {
b0:
    %zero: usize = 0
    %one: usize = 1
    %by: i64 = 3
    %c: array<f64> = map @neg(%x)
    %d: array<f64> = map @neg(%c)
    jump b1(%zero, %c, %d)
b1(%n: usize, %a: array<f64>, %b: array<f64>):
    %more: bool = lt %n, %turns
    branch %more, b2, b3
b2:
    %next: usize = add %n, %one
    %r: array<f64> = call @roll(%b, %zero, %by)
    %s: array<f64> = map @neg(%a)
    jump b1(%next, %r, %s)
b3:
    %both: (array<f64>, array<f64>) = tuple %a, %b
    return %both
}
";

/// However long a loop is, its small arrays take the memory of some of its turns, and stay what they are when they are moved.
#[test]
fn a_long_loop_takes_the_memory_of_its_state() {
    let ctx = context(&Device::cpu(), false);
    let module = parse_module(LOOP).unwrap();
    let program = pipeline::primal(&ctx, &normal(&ctx, &module)).unwrap();
    let program = Program::compile(&program, ctx.registry(), &[module.root]).unwrap();
    let start: Vec<f64> = (0..64).map(|n| (n as f64 * 0.7).cos()).collect();
    let x = Array::from_vec_on(ctx.device(), start.clone(), [64]);
    let run = |turns: usize| {
        let host = ArrayHost::of(false, Some(ctx.clone()));
        let mut given = Args::new();
        given.array::<f64>(host.give(&x).unwrap());
        given.scalar(turns);
        let mut words = [0; 2];
        program.call(0, &given, &mut words, &host).unwrap();
        let numbers = words.map(|word| host.take::<f64>(word).unwrap().unwrap().to_vec().unwrap());
        (numbers, host.small_bytes())
    };
    const TURNS: usize = 20_000;
    let (mut a, mut b): (Vec<f64>, Vec<f64>) = (start.iter().map(|x| -x).collect(), start);
    for _ in 0..TURNS {
        b.rotate_right(3);
        a.iter_mut().for_each(|x| *x = -*x);
        std::mem::swap(&mut a, &mut b);
    }
    let (found, bytes) = run(TURNS);
    assert_eq!(found, [a, b]);
    // All turns make 20 MB.
    assert!(bytes < 12 << 20, "{bytes} bytes");
}

/// Along a direction. Where a choice between values or an index is about to change, differences say nothing.
#[test]
fn gradients_are_those_of_differences() {
    let (ctx, mut unknown, seeds) = (context(&Device::cpu(), false), 0, seeds(60));
    let count = seeds.end;
    for seed in seeds {
        let module = Maker::one_number(seed);
        let value = Compiled::new(ctx.clone(), &made(&ctx, &module, What::Value));
        let gradient = made(&ctx, &module, What::Gradient);
        let leaves = tangent::leaves(gradient.root().ret);
        let compiled = Compiled::new(ctx.clone(), &gradient);
        let verdict = |round: u64| {
            let args = arguments(ARGUMENTS.len() + 1, seed + 1000 * round);
            let along = arguments(args.len(), seed + 77 + 1000 * round);
            let moved = |t: f64| {
                let all = args.iter().zip(&along).map(|((shape, x), (_, dx))| {
                    let data = x.iter().zip(dx).map(|(x, dx)| x + t * dx);
                    (shape.clone(), data.collect())
                });
                let all: Vec<Numbers> = all.collect();
                value.call(&all, &[F]).unwrap()[0].1[0]
            };
            let gradients = compiled.call(&args, &leaves).unwrap();
            let terms = gradients[1..].iter().zip(&along);
            let terms = terms.flat_map(|((_, g), (_, dx))| g.iter().zip(dx).map(|(g, dx)| g * dx));
            let (found, scale) = terms.fold((0.0, 0.0), |(sum, scale), term: f64| {
                (sum + term, scale + term.abs())
            });
            let estimate = derivative(moved, f64::EPSILON);
            let verdict = compare(found, estimate, scale, f64::EPSILON);
            (verdict, found, estimate)
        };
        match verdict(0) {
            (Verdict::Agrees, ..) => {}
            (Verdict::Unknown, ..) => unknown += 1,
            // A kink within the steps may look like a slope, but not elsewhere.
            (Verdict::Differs, found, estimate) => {
                unknown += 1;
                let others = [1, 2, 3].map(verdict);
                assert!(
                    others
                        .iter()
                        .any(|(verdict, ..)| *verdict == Verdict::Agrees),
                    "seed {seed}: {found} along a direction, {estimate:?} by differences; {others:?}\n{gradient}"
                );
            }
        }
    }
    assert!(
        unknown <= count / 4,
        "differences say nothing of {unknown} of {count}"
    );
}

/// What a program gives on a GPU, and what on the CPU: in f32, and in f64 where the adapter has it.
fn agree_on_devices(gpu: &Device, seed: u64, module: &Module, what: What) -> bool {
    let single = || parse_module(&module.to_string().replace("f64", "f32")).unwrap();
    let (module, ty) = match seed.is_multiple_of(2) && gpu.holds(F) {
        true => (module.clone(), F),
        false => (single(), Type::F32),
    };
    // Now and then one operation after the other.
    let debug = seed.is_multiple_of(7);
    let [cpu, gpu] = [&Device::cpu(), gpu].map(|device| {
        let ctx = context(device, debug);
        let module = made(&ctx, &module, what);
        (Compiled::new(ctx, &module), module)
    });
    let (count, leaves) = (
        cpu.1.root().params().len(),
        tangent::leaves(cpu.1.root().ret),
    );
    let tolerance = if ty == F { 1e-10 } else { 1e-4 };
    for round in 0..2 {
        let args = arguments(count, seed + 1000 * round);
        let call = |compiled: &Compiled, args: &[Numbers]| {
            let fail = |error: crate::Error| panic!("seed {seed}: {error}\n{}", gpu.1);
            compiled.call(args, &leaves).unwrap_or_else(fail)
        };
        let (expected, found) = (call(&cpu.0, &args), call(&gpu.0, &args));
        let Some(n) = difference(&expected, &found, tolerance) else {
            continue;
        };
        // Rounding may decide a choice between values, or an index: then small changes of the arguments do so, too.
        let settled = (0..8).all(|k| {
            let mut random = Random::new(seed + 31 * k);
            let moved = args.iter().map(|(shape, data)| {
                let by = if ty == F { 1e-15 } else { 4e-7 };
                let data = data.iter().map(|x| x * (1.0 + by * random.signed()));
                (shape.clone(), data.collect())
            });
            let moved: Vec<Numbers> = moved.collect();
            difference(&expected, &call(&cpu.0, &moved), tolerance / 10.0) != Some(n)
        });
        assert!(
            !settled,
            "seed {seed}, {ty}, call {round}, result {n}: {:?} on the GPU, {:?} on the CPU\n{}",
            found[n], expected[n], gpu.1
        );
        return false;
    }
    true
}

/// The GPU. Without an adapter this says so; `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
fn gpu() -> Option<Device> {
    match Device::gpu() {
        Ok(device) => Some(device),
        Err(error) if std::env::var_os("MOONCAKE_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("SKIPPED, no GPU: {error}");
            None
        }
    }
}

#[test]
fn programs_on_a_gpu_give_what_they_give_on_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let (mut undecided, seeds) = (0, seeds(24));
    let count = seeds.end;
    for seed in seeds {
        let module = Maker::arrays(seed);
        let decided = [
            agree_on_devices(&gpu, seed, &module, What::Value),
            agree_on_devices(&gpu, seed, &Maker::one_number(seed), What::Gradient),
        ];
        undecided += u64::from(decided.contains(&false));
        if seed.is_multiple_of(8) {
            agree_on_devices(&gpu, seed, &Maker::one_number(seed), What::HessianProduct);
        }
    }
    assert!(
        undecided <= 1 + count / 20,
        "rounding decides {undecided} of {count}"
    );
}
