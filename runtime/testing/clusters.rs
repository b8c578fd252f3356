//! Random programs over arrays: done together in kernels they give what their operations give one by one, and so do their gradients and
//! products with Hessians. `MOONCAKE_RANDOM_CLUSTERS=20000` tests more of them.

use super::random::Random;
use crate::api::pipeline;
use crate::array::host::ArrayHost;
use crate::array::{Array, Device};
use crate::context::Context;
use crate::exec::{Args, Program};
use crate::ir::build::Builder;
use crate::ir::parse::parse_module;
use crate::ir::{Const, Function, Module, Symbol, Type, Value};
use crate::tangent;
use std::sync::Arc;

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
        let count = self.random.choose(&[1, 1, 1, 2]).min(extent);
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
        let values = self.random.choose(&[part, gathered]);
        let scattered = self.call("scatter_add", &[values, place, index, like]);
        self.add(scattered, of_shape);
    }

    fn product(&mut self) {
        let (a, left) = self.array();
        let (b, right) = self.array();
        if let (&[m, k], &[l, n]) = (&left[..], &right[..])
            && k == l
        {
            let value = self.call("matmul", &[a, b]);
            let value = self.b.map(Symbol::new("sin"), &[value], Type::array(F));
            self.add(value, vec![m, n]);
        }
    }

    fn step(&mut self) {
        match self.random.below(15) {
            0..=4 => self.map(),
            5..=7 => self.along(),
            8 | 9 => self.view(),
            10 => self.number(),
            11 => self.turned(),
            12 | 13 => self.indexed(),
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
        let (a, b) = (
            this.numbers[this.numbers.len() - 1],
            this.numbers[this.numbers.len() - 2],
        );
        let sum = this.b.prim(crate::ir::Prim::Add, &[a, b]);
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

/// A program with and without clusters.
struct Both {
    seed: u64,
    text: String,
    device: Device,
    programs: [Arc<Program>; 2],
    params: Vec<Type>,
    leaves: Vec<Type>,
}

impl Both {
    /// What contexts without and with debug mode make of a module.
    fn new(seed: u64, device: &Device, make: impl Fn(&Context) -> crate::Result<Module>) -> Both {
        let contexts = [true, false].map(|debug| {
            let builder = Context::builder().device(device.clone());
            builder.debug(debug).build().unwrap()
        });
        let modules = contexts.each_ref().map(|ctx| make(ctx).unwrap());
        let programs = [0, 1].map(|n| {
            let module = &modules[n];
            Program::compile(module, contexts[n].registry(), &[module.root]).unwrap()
        });
        Both {
            seed,
            text: modules[1].to_string(),
            device: device.clone(),
            programs,
            params: modules[1].root().param_types(),
            leaves: tangent::leaves(modules[1].root().ret),
        }
    }

    /// What one of the two gives: the shape and the elements of each result.
    fn call(&self, which: usize, round: u64) -> Vec<(Vec<usize>, Vec<f64>)> {
        let (host, mut args) = (ArrayHost::new(), Args::new());
        let mut random = Random::new(self.seed + 1000 * round);
        for (n, &ty) in self.params.iter().enumerate() {
            match ty {
                // What comes after the arguments are their tangents.
                Type::Array(_) => {
                    let arrays = self.params[..n].iter().filter(|ty| ty.is_array());
                    let shape = ARGUMENTS[arrays.count() % ARGUMENTS.len()];
                    let count = shape.iter().product();
                    let data: Vec<f64> = (0..count).map(|_| random.signed()).collect();
                    let array = Array::from_vec_on(&self.device, data, shape);
                    args.array::<f64>(host.give(&array).unwrap());
                }
                _ => args.scalar(random.signed()),
            }
        }
        let mut words = vec![0; self.leaves.len()];
        let done = self.programs[which].call(0, &args, &mut words, &host);
        done.unwrap_or_else(|error| panic!("seed {}: {error}\n{}", self.seed, self.text));
        let pairs = words.into_iter().zip(&self.leaves);
        let read = |(word, ty): (u64, &Type)| match ty {
            Type::Array(_) => match host.take::<f64>(word).unwrap() {
                Some(array) => (array.shape().to_vec(), array.to_vec().unwrap()),
                None => (vec![0], Vec::new()),
            },
            _ => (Vec::new(), vec![f64::from_bits(word)]),
        };
        pairs.map(read).collect()
    }

    /// Fails unless both give the same, the first time and when plans are known.
    fn agree(&self) {
        for round in 0..3 {
            let (one_by_one, together) = (self.call(0, round), self.call(1, round));
            for (n, (expected, found)) in one_by_one.iter().zip(&together).enumerate() {
                let largest = expected.1.iter().fold(1.0f64, |a, x| a.max(x.abs()));
                let close = |(a, b): (&f64, &f64)| {
                    (a - b).abs() <= 1e-10 * largest || a.to_bits() == b.to_bits()
                };
                let same = expected.0 == found.0 && expected.1.iter().zip(&found.1).all(close);
                assert!(
                    same,
                    "seed {}, call {round}, result {n}: {found:?} in kernels, {expected:?} one by one\n{}",
                    self.seed, self.text
                );
            }
        }
    }
}

fn seeds() -> std::ops::Range<u64> {
    let asked = std::env::var("MOONCAKE_RANDOM_CLUSTERS").ok();
    0..asked.and_then(|text| text.parse().ok()).unwrap_or(200)
}

#[test]
fn programs_in_kernels_give_what_operations_give() {
    for seed in seeds() {
        let module = Maker::arrays(seed);
        Both::new(seed, &Device::cpu(), |ctx| pipeline::primal(ctx, &module)).agree();
    }
}

#[test]
fn gradients_in_kernels_are_those_of_operations() {
    for seed in seeds() {
        let module = Maker::one_number(seed);
        let active = pipeline::all_active(&module);
        let gradient = |ctx: &Context| Ok(pipeline::gradient(ctx, &module, &active)?.0);
        Both::new(seed, &Device::cpu(), gradient).agree();
        let hvp = |ctx: &Context| Ok(pipeline::hvp(ctx, &module, &active, &active, 1)?.0);
        if seed % 4 == 0 {
            Both::new(seed, &Device::cpu(), hvp).agree();
        }
    }
}
