//! Constants and statics of all the types that have values of them: structs, enums with fields, options, lists of such.

use mooncake::prelude::*;

check! {
    parameters(0.7);
    tables(0.7, 1);
    as_patterns(0.7, 0.5);
    enums_as_patterns(Mode::Soft(0.4), 0.7);
    nested(0.7);
    slices_in_structs(0.7);
    of_types(0.7);
    generic_values(0.7);
    butcher(0.7, 0.1);
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum Mode {
    Fast,
    Soft(f64),
    Mixed { weight: f64, steps: usize },
}
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Params {
    mode: Mode,
    k: Option<f64>,
    gains: [f64; 2],
    name: &'static str,
}
const P: Params = Params {
    mode: Mode::Fast,
    k: Some(2.0),
    gains: [0.5, 1.5],
    name: "fast",
};
const SOFT: Params = Params {
    mode: Mode::Soft(0.25),
    k: None,
    ..P
};
static MIXED: Params = Params {
    mode: Mode::Mixed {
        weight: 0.75,
        steps: 3,
    },
    ..SOFT
};

#[differentiable]
fn run(p: &Params, x: f64) -> f64 {
    let k = p.k.unwrap_or(0.5);
    match p.mode {
        Mode::Fast => k * x,
        Mode::Soft(s) => (s * x).tanh() * k + p.gains[1],
        Mode::Mixed { weight, steps } => (0..steps).fold(x, |x, _| weight * x.sin() + k),
    }
}
#[differentiable]
fn parameters(x: f64) -> f64 {
    let named = if P.name == "fast" { 2.0 } else { 1.0 };
    run(&P, x) * run(&SOFT, x) + named * run(&MIXED, x) + P.k.map_or(0.0, |k| k * x)
}

/// Not `Copy`: a static is looked at.
#[derive(Differentiable, Debug, PartialEq)]
struct Row {
    weights: [f64; 2],
    shift: Option<(f64, bool)>,
}
static TABLE: [Row; 3] = [
    Row {
        weights: [1.0, 2.0],
        shift: None,
    },
    Row {
        weights: [0.5, -1.0],
        shift: Some((0.25, true)),
    },
    Row {
        weights: [3.0, 0.1],
        shift: Some((0.75, false)),
    },
];
const ROWS: &[Row] = &[Row {
    weights: [0.1, 0.2],
    shift: None,
}];
#[differentiable]
fn tables(x: f64, n: usize) -> f64 {
    let mut sum = TABLE[n].weights[0] * x * ROWS[0].weights[1];
    for row in TABLE.iter() {
        sum += row.weights.iter().map(|w| (w * x).sin()).sum::<f64>();
        if let Some((shift, true)) = row.shift {
            sum *= shift * x;
        }
    }
    sum + TABLE.len() as f64 * x
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Point(f64, f64);
const ORIGIN: Point = Point(0.0, 0.0);
const UNIT: Point = Point(1.0, 0.0);
const PAIR: (i32, Option<bool>) = (3, Some(true));
const NAMES: [u8; 2] = [1, 2];
#[differentiable]
fn as_patterns(x: f64, y: f64) -> f64 {
    let which = |p: Point| match p {
        ORIGIN => x,
        UNIT => 2.0 * x,
        Point(a, _) => a * x * x,
    };
    let pairs = |p: (i32, Option<bool>)| match p {
        PAIR => 1.0,
        (3, _) => 2.0,
        _ => 3.0,
    };
    let lists = |n: [u8; 2]| match n {
        NAMES => 5.0,
        [1, _] => 7.0,
        _ => 11.0,
    };
    which(Point(0.0, 0.0))
        + 10.0 * which(Point(1.0, 0.0))
        + 100.0 * which(Point(1.0, y))
        + x * (pairs((3, Some(true))) + pairs((3, None)) + pairs((2, Some(true))))
        + y * (lists([1, 2]) + lists([1, 3]) + lists([2, 2]))
}

const HALF: Mode = Mode::Soft(0.5);
const PLAIN: Mode = Mode::Fast;
const NOTHING: Option<f64> = None;
#[differentiable]
fn enums_as_patterns(mode: Mode, x: f64) -> f64 {
    let value = |mode: Mode| match mode {
        HALF => x * x,
        PLAIN => x,
        Mode::Soft(s) => s * x,
        _ => 0.0,
    };
    let option = match Some(x) {
        NOTHING => 0.0,
        Some(x) => x.sin(),
    };
    value(mode)
        + value(Mode::Soft(0.5))
        + value(Mode::Soft(0.25))
        + value(Mode::Fast)
        + value(Mode::Mixed {
            weight: x,
            steps: 1,
        })
        + option
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Outer {
    inner: [Option<Params>; 2],
    at: (Point, Mode),
}
const OUTER: Outer = Outer {
    inner: [None, Some(SOFT)],
    at: (
        UNIT,
        Mode::Mixed {
            weight: 2.0,
            steps: 1,
        },
    ),
};
#[differentiable]
fn nested(x: f64) -> f64 {
    let of_inner: f64 = OUTER.inner.iter().flatten().map(|p| run(p, x)).sum();
    let Outer {
        at: (Point(a, _), mode),
        ..
    } = OUTER;
    of_inner
        + a * x
        + if let Mode::Mixed { weight, .. } = mode {
            weight * x
        } else {
            0.0
        }
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Rule<'a> {
    nodes: &'a [f64],
    weights: &'a [f64],
}
const GAUSS: Rule = Rule {
    nodes: &[-0.577, 0.577],
    weights: &[1.0, 1.0],
};
const RULES: [Rule; 2] = [
    GAUSS,
    Rule {
        nodes: &[0.0],
        weights: &[2.0],
    },
];
#[differentiable]
fn slices_in_structs(x: f64) -> f64 {
    let integral = |rule: Rule| {
        rule.nodes
            .iter()
            .zip(rule.weights)
            .map(|(n, w)| w * (n * x).exp())
            .sum::<f64>()
    };
    integral(GAUSS) - RULES.iter().map(|rule| integral(*rule)).sum::<f64>() * x
}

#[differentiable]
impl Mode {
    const DEFAULT: Mode = Mode::Soft(1.5);
    const ALL: [Mode; 2] = [Mode::Fast, Self::DEFAULT];
    fn value(self, x: f64) -> f64 {
        match self {
            Mode::Soft(s) => s * x,
            _ => x,
        }
    }
}
#[differentiable]
fn of_types(x: f64) -> f64 {
    Mode::DEFAULT.value(x) * Mode::ALL.iter().map(|mode| mode.value(x)).sum::<f64>()
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum Bound<T> {
    Open,
    At(T),
}
const BOUNDS: (Bound<f64>, Bound<usize>) = (Bound::At(0.5), Bound::Open);
#[differentiable]
fn generic_values(x: f64) -> f64 {
    let low = match BOUNDS.0 {
        Bound::At(low) => x.max(low),
        Bound::Open => x,
    };
    low * if BOUNDS.1 == Bound::Open { 2.0 } else { 3.0 }
}

/// A table of an integrator.
#[derive(Differentiable, Clone, Copy, Debug)]
struct Tableau<const S: usize> {
    a: [[f64; S]; S],
    b: [f64; S],
    c: [f64; S],
}
const HEUN: Tableau<2> = Tableau {
    a: [[0.0, 0.0], [1.0, 0.0]],
    b: [0.5, 0.5],
    c: [0.0, 1.0],
};
#[differentiable]
impl<const S: usize> Tableau<S> {
    fn step(&self, f: impl Fn(f64, f64) -> f64, t: f64, y: f64, h: f64) -> f64 {
        let mut k = [0.0; S];
        for i in 0..S {
            let moved: f64 = (0..i).map(|j| self.a[i][j] * k[j]).sum();
            k[i] = f(t + self.c[i] * h, y + h * moved);
        }
        y + h * self.b.iter().zip(k).map(|(b, k)| b * k).sum::<f64>()
    }
}
#[differentiable]
fn butcher(y: f64, h: f64) -> f64 {
    (0..3).fold(y, |y, n| {
        HEUN.step(|t, y| (y * t).cos() - y, n as f64 * h, y, h)
    })
}
