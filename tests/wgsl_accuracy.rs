//! How far the WGSL of each scalar function is from the correctly rounded value, on the adapter at hand.
//!
//! The reference is Rust's f64 function of the same f32 arguments. The bounds are those of the table in `rules-std`.

use mooncake::ir::Type;
use mooncake::prelude::*;
use mooncake::registry::{EntryKind, wgsl_name};
use std::collections::BTreeMap;

/// A function, what it should be, and the most units in the last place it may be off.
struct Row {
    name: &'static str,
    reference: fn(&[f64]) -> f64,
    /// For each argument.
    ranges: &'static [Range],
    bound: f64,
}

/// How an argument is sampled.
enum Range {
    /// Evenly.
    Even(f64, f64),
    /// Evenly in its logarithm, with both signs.
    Wide(f64, f64),
    /// Evenly in its logarithm, positive.
    Positive(f64, f64),
}
use Range::{Even, Positive, Wide};

macro_rules! row {
    ($name:ident, |$($x:ident),+| $reference:expr, [$($range:expr),+], $bound:expr) => {
        Row {
            name: stringify!($name),
            reference: |args| { let [$($x),+] = args else { unreachable!() }; $(let $x = *$x;)+ $reference },
            ranges: &[$($range),+],
            bound: $bound,
        }
    };
}

const ROWS: &[Row] = &[
    row!(acos, |x| x.acos(), [Even(-1.0, 1.0)], 2.0),
    row!(acosh, |x| x.acosh(), [Positive(1.0, 1e30)], 3.0),
    row!(asin, |x| x.asin(), [Wide(1e-20, 1.0)], 3.0),
    row!(asinh, |x| x.asinh(), [Wide(1e-20, 1e30)], 4.0),
    row!(atan, |x| x.atan(), [Wide(1e-20, 1e20)], 4.0),
    row!(
        atan2,
        |a, b| a.atan2(b),
        [Wide(1e-3, 1e3), Wide(1e-3, 1e3)],
        4.0
    ),
    row!(atanh, |x| x.atanh(), [Wide(1e-20, 1.0)], 3.0),
    row!(cbrt, |x| x.cbrt(), [Wide(1e-30, 1e30)], 2.0),
    row!(
        clamp,
        |x, a, b| x.clamp(a, b),
        [Even(-3.0, 3.0), Even(-2.0, -1.0), Even(1.0, 2.0)],
        0.0
    ),
    row!(cos, |x| x.cos(), [Even(-1000.0, 1000.0)], 3.0),
    row!(cosh, |x| x.cosh(), [Wide(1e-3, 89.0)], 3.0),
    row!(
        div_euclid,
        |a, b| a.div_euclid(b),
        [Even(-100.0, 100.0), Wide(0.5, 5.0)],
        0.0
    ),
    row!(
        equals,
        |a, b| f64::from(a == b),
        [Even(-1.0, 1.0), Even(-1.0, 1.0)],
        0.0
    ),
    row!(exp, |x| x.exp(), [Wide(1e-6, 87.0)], 2.0),
    row!(exp2, |x| x.exp2(), [Wide(1e-6, 126.0)], 2.0),
    row!(exp_m1, |x| x.exp_m1(), [Wide(1e-20, 88.0)], 2.0),
    row!(first, |a, _b| a, [Even(-1.0, 1.0), Even(-1.0, 1.0)], 0.0),
    row!(fract, |x| x.fract(), [Wide(1e-3, 1e6)], 0.0),
    row!(
        hypot,
        |a, b| a.hypot(b),
        [Wide(1e-15, 1e15), Wide(1e-15, 1e15)],
        3.0
    ),
    row!(ln, |x| x.ln(), [Positive(1e-37, 1e38)], 2.0),
    row!(ln_1p, |x| x.ln_1p(), [Wide(1e-20, 0.999)], 4.0),
    row!(
        log,
        |x, b| x.log(b),
        [Positive(1e-10, 1e10), Positive(1.5, 100.0)],
        4.0
    ),
    row!(log10, |x| x.log10(), [Positive(1e-37, 1e38)], 3.0),
    row!(log2, |x| x.log2(), [Positive(1e-37, 1e38)], 3.0),
    row!(
        max,
        |a, b| a.max(b),
        [Even(-1.0, 1.0), Even(-1.0, 1.0)],
        0.0
    ),
    row!(
        midpoint,
        |a, b| a.midpoint(b),
        [Even(1.0, 2.0), Even(1.0, 2.0)],
        1.0
    ),
    row!(
        min,
        |a, b| a.min(b),
        [Even(-1.0, 1.0), Even(-1.0, 1.0)],
        0.0
    ),
    row!(
        mul_add,
        |x, a, b| x.mul_add(a, b),
        [Even(1.0, 2.0), Even(1.0, 2.0), Even(1.0, 2.0)],
        2.0
    ),
    row!(
        powf,
        |x, n| x.powf(n),
        [Positive(1e-4, 1e4), Even(-9.0, 9.0)],
        3.0
    ),
    row!(
        powi,
        |x, n| x.powi(n as i32),
        [Wide(0.2, 5.0), Even(-20.0, 20.0)],
        16.0
    ),
    row!(recip, |x| x.recip(), [Wide(1e-30, 1e30)], 3.0),
    row!(
        rem_euclid,
        |a, b| a.rem_euclid(b),
        [Even(-100.0, 100.0), Wide(0.5, 5.0)],
        0.0
    ),
    row!(round, |x| x.round(), [Wide(0.1, 1e8)], 0.0),
    row!(
        round_ties_even,
        |x| x.round_ties_even(),
        [Wide(0.1, 1e8)],
        0.0
    ),
    row!(
        share,
        |a, r| if r == 0.0 { 0.0 } else { a / r },
        [Wide(0.1, 10.0), Positive(0.1, 10.0)],
        3.0
    ),
    row!(signum, |x| x.signum(), [Wide(1e-30, 1e30)], 0.0),
    row!(sin, |x| x.sin(), [Even(-1000.0, 1000.0)], 3.0),
    row!(sinh, |x| x.sinh(), [Wide(1e-20, 89.0)], 3.0),
    row!(tan, |x| x.tan(), [Even(-1000.0, 1000.0)], 4.0),
    row!(tanh, |x| x.tanh(), [Wide(1e-20, 20.0)], 3.0),
    row!(to_degrees, |x| x.to_degrees(), [Wide(1e-3, 1e3)], 1.0),
    row!(to_radians, |x| x.to_radians(), [Wide(1e-3, 1e3)], 1.0),
];

/// Samples of each function.
const SAMPLES: usize = 1 << 16;

/// Numbers at which functions are special; all combinations are tried.
const SPECIAL: &[f32] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1.5,
    1e5,
    -1e30,
    3e38,
    1e-30,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// An adapter to compute on.
struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Gpu {
    /// The first adapter. Without one the tests say so; `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
    fn new() -> Option<Gpu> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let Some(adapter) = adapters.into_iter().next() else {
            assert!(
                std::env::var_os("MOONCAKE_REQUIRE_GPU").is_none(),
                "there is no GPU"
            );
            eprintln!("not tested: there is no GPU");
            return None;
        };
        let request = adapter.request_device(&wgpu::DeviceDescriptor::default());
        let (device, queue) = pollster::block_on(request).expect("the adapter gives a device");
        Some(Gpu { device, queue })
    }

    /// The values of a function: `args` holds all first arguments, then all second ones, and so on.
    fn evaluate(&self, name: &str, wgsl: &str, types: &[Type], args: &[f32]) -> Vec<f32> {
        let n = args.len() / types.len();
        let argument = |(i, ty): (usize, &Type)| match ty {
            Type::I32 => format!("i32(args[{i}u * {n}u + i])"),
            _ => format!("args[{i}u * {n}u + i]"),
        };
        let list: Vec<String> = types.iter().enumerate().map(argument).collect();
        let source = format!(
            "@group(0) @binding(0) var<storage, read> args: array<f32>;\n\
             @group(0) @binding(1) var<storage, read_write> results: array<f32>;\n\
             {wgsl}\n\
             @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n\
                 let i = id.x;\n\
                 if i < {n}u {{ results[i] = {name}({}); }}\n\
             }}",
            list.join(", ")
        );
        self.run(&source, args, n)
    }

    fn run(&self, source: &str, args: &[f32], n: usize) -> Vec<f32> {
        use wgpu::BufferUsages as Usage;
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Wgsl(source.into()),
            });
        let pipeline = self
            .device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: None,
                module: &module,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                cache: None,
            });
        let buffer = |len: usize, usage| {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 4 * len as u64,
                usage,
                mapped_at_creation: false,
            })
        };
        let input = buffer(args.len(), Usage::STORAGE | Usage::COPY_DST);
        let output = buffer(n, Usage::STORAGE | Usage::COPY_SRC);
        let readable = buffer(n, Usage::MAP_READ | Usage::COPY_DST);
        self.queue
            .write_buffer(&input, 0, bytemuck::cast_slice(args));
        let bindings = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: input.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: output.as_entire_binding(),
                },
            ],
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.dispatch_workgroups(n.div_ceil(64) as u32, 1, 1);
        drop(pass);
        encoder.copy_buffer_to_buffer(&output, 0, &readable, 0, 4 * n as u64);
        self.queue.submit([encoder.finish()]);
        readable
            .slice(..)
            .map_async(wgpu::MapMode::Read, |outcome| {
                outcome.expect("the buffer maps")
            });
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .expect("the device answers");
        let bytes = readable
            .slice(..)
            .get_mapped_range()
            .expect("the buffer is mapped");
        bytemuck::cast_slice(&bytes).to_vec()
    }
}

impl Range {
    /// The sample at `t` in 0..1; `sign` is 1 or -1.
    fn at(&self, t: f64, sign: f64) -> f64 {
        let log = |low: f64, high: f64| (low.ln() + t * (high / low).ln()).exp();
        match *self {
            Even(low, high) => low + t * (high - low),
            Wide(low, high) => sign * log(low, high),
            Positive(low, high) => log(low, high),
        }
    }
}

/// A sequence that fills the unit cube evenly (Roberts' R sequence).
fn unit(i: usize, dimension: usize) -> f64 {
    let step = [
        0.618_033_988_749_895,
        0.754_877_666_246_693,
        0.569_840_290_998_053,
    ];
    (0.5 + i as f64 * step[dimension]).fract()
}

fn samples(row: &Row, types: &[Type]) -> Vec<f32> {
    let mut args = Vec::new();
    for (dimension, (range, ty)) in row.ranges.iter().zip(types).enumerate() {
        for i in 0..SAMPLES {
            let sign = if (i >> dimension) & 1 == 0 { 1.0 } else { -1.0 };
            let x = range.at(unit(i, dimension), sign) as f32;
            args.push(if *ty == Type::I32 { x.trunc() } else { x });
        }
    }
    args
}

/// All combinations of special numbers; integers from -4 to 4.
fn specials(types: &[Type]) -> Vec<f32> {
    let base = SPECIAL.len();
    let n = base.pow(types.len() as u32);
    let mut args = Vec::new();
    for (dimension, ty) in types.iter().enumerate() {
        for i in 0..n {
            let digit = i / base.pow(dimension as u32) % base;
            args.push(match ty {
                Type::I32 => (digit % 9) as f32 - 4.0,
                _ => SPECIAL[digit],
            });
        }
    }
    args
}

/// How far `found` is off, in units in the last place of an f32 at `expected`. Both NaN, or equal, is 0.
fn distance(found: f32, expected: f64) -> f64 {
    let rounded = expected as f32;
    if (found.is_nan() && expected.is_nan()) || found == rounded {
        return 0.0;
    }
    let unit = f64::from(rounded.abs().max(f32::MIN_POSITIVE));
    (f64::from(found) - expected).abs() / 2f64.powi(unit.log2().floor() as i32 - 23)
}

/// The scalar functions with WGSL, by the names of their rows: the name in WGSL, text and types for f32.
fn functions() -> BTreeMap<&'static str, (String, String, Vec<Type>)> {
    let ctx = Context::default();
    let mut found = BTreeMap::new();
    for entry in ctx.registry().entries() {
        if let EntryKind::Scalar(rule) = &entry.kind
            && let Some(wgsl) = &rule.wgsl
            && entry.ret == Type::F32
        {
            let function = (wgsl_name(entry.name), wgsl.clone(), entry.params.clone());
            found.insert(entry.row(), function);
        }
    }
    found
}

#[test]
fn every_function_with_wgsl_has_a_row() {
    let rows: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    let functions: Vec<&str> = functions().into_keys().collect();
    assert_eq!(rows, functions);
}

#[test]
fn wgsl_is_as_accurate_as_the_table_says() {
    let Some(gpu) = Gpu::new() else { return };
    let functions = functions();
    let mut report = String::new();
    let mut wrong = false;
    for row in ROWS {
        let (name, wgsl, types) = &functions[row.name];
        let args = samples(row, types);
        let found = gpu.evaluate(name, wgsl, types, &args);
        let mut worst = (0.0, Vec::new());
        for (i, &found) in found.iter().enumerate() {
            let point: Vec<f64> = (0..types.len())
                .map(|d| f64::from(args[d * SAMPLES + i]))
                .collect();
            let expected = (row.reference)(&point);
            let off = distance(found, expected);
            if off > worst.0 || off.is_nan() {
                worst = (off, point);
            }
        }
        wrong |= worst.0 > row.bound || worst.0.is_nan();
        report += &format!(
            "{}: {:.2} of {} at {:?}\n",
            row.name, worst.0, row.bound, worst.1
        );
    }
    assert!(
        !wrong,
        "units in the last place, found of allowed:\n{report}"
    );
}

#[test]
fn wgsl_agrees_at_special_numbers() {
    let Some(gpu) = Gpu::new() else { return };
    let functions = functions();
    let mut report = String::new();
    // Whether `fma` rounds once is left to the device.
    for row in ROWS.iter().filter(|row| row.name != "mul_add") {
        let (name, wgsl, types) = &functions[row.name];
        let args = specials(types);
        let n = args.len() / types.len();
        for (i, &found) in gpu.evaluate(name, wgsl, types, &args).iter().enumerate() {
            let point: Vec<f64> = (0..types.len())
                .map(|d| f64::from(args[d * n + i]))
                .collect();
            let ordered = row.name != "clamp" || point[1] <= point[2];
            let expected = if ordered {
                (row.reference)(&point)
            } else {
                f64::NAN
            };
            let off = distance(found, expected);
            if off > row.bound || off.is_nan() {
                report += &format!(
                    "{}{point:?} = {found:e}, expected {:e}\n",
                    row.name, expected as f32
                );
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}
