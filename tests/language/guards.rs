//! Guards after patterns with alternatives: rustc asks one again for every alternative that matches, so what it does is done again.

use mooncake::prelude::*;
use std::cell::RefCell;

check! {
    asked_again(0.7);
    bindings_of_each(0.7);
    nested(0.7);
    of_slices(0.7);
    of_slices_by_value(0.7);
    of_enums(0.7);
    by_reference(0.7);
    moved(0.7);
    at(0.7);
    with_if_let(0.7);
    of_ranges(0.7);
    with_cells(0.7);
    with_loops(0.7);
    leaves(0.7);
    leaves_a_loop(0.7);
    gives_a_value(0.7);
}

#[differentiable]
fn asked_again(x: f64) -> f64 {
    let mut n = 0.0;
    let r = match (1, 1) {
        (1, _) | (_, 1)
            if {
                n += x;
                n > 100.0
            } =>
        {
            1.0
        }
        (a, b)
            if {
                n += 0.5;
                a == b
            } =>
        {
            2.0 * x
        }
        _ => 3.0,
    };
    r + n
}
#[differentiable]
fn bindings_of_each(x: f64) -> f64 {
    let mut n = 0.0;
    let r = match (x, 2.0 * x) {
        (a, _) | (_, a)
            if {
                n += a;
                n > 2.5 * x
            } =>
        {
            a * n
        }
        _ => -n,
    };
    r + n
}
#[differentiable]
fn nested(x: f64) -> f64 {
    let mut n = 0.0;
    let r = match ((1, 2), (1, 2)) {
        ((1, a) | (a, 2), (1, b) | (b, 2))
            if {
                n = n * 3.0 + a as f64 * x + b as f64;
                n > 30.0
            } =>
        {
            a + 10 * b
        }
        _ => 0,
    };
    r as f64 * x + n
}
#[differentiable]
fn of_slices(x: f64) -> f64 {
    let v = [x, 2.0, 3.0 * x];
    let mut n = 0.0;
    let r = match &v[..] {
        [a, ..] | [.., a]
            if {
                n += *a;
                n > 1.5 * x
            } =>
        {
            *a
        }
        [_, b, _] => *b,
        _ => 0.0,
    };
    r * n
}
#[differentiable]
fn of_slices_by_value(x: f64) -> f64 {
    let mut n = 0.0;
    match [x, 2.0, 3.0 * x] {
        [a, rest @ ..] | [rest @ .., a]
            if {
                n += a;
                n > 1.5 * x
            } =>
        {
            a * rest[0] * n + rest[1]
        }
        _ => n,
    }
}
#[derive(Differentiable)]
enum Form {
    A(f64, usize),
    B { v: Vec<f64>, k: f64 },
    C,
}
#[differentiable]
fn of_enums(x: f64) -> f64 {
    let all = [
        Form::A(x, 2),
        Form::B {
            v: vec![x, 3.0],
            k: 2.0 * x,
        },
        Form::C,
    ];
    let (mut n, mut s) = (0.0, 0.0);
    for form in &all {
        s += match form {
            Form::A(k, _) | Form::B { k, .. }
                if {
                    n += k;
                    *k > 0.9
                } =>
            {
                k * n
            }
            Form::B { v, k }
                if {
                    n += 1.0;
                    v[0] > 0.0
                } =>
            {
                v[1] * k
            }
            Form::C | Form::A(..)
                if {
                    n += 0.1;
                    true
                } =>
            {
                n
            }
            _ => -n,
        };
    }
    s + n
}
#[differentiable]
fn by_reference(x: f64) -> f64 {
    let (mut p, mut n) = ((x, 2.0 * x), 0.0);
    match &mut p {
        (a, 5.0) | (_, a)
            if {
                n += *a;
                n > 0.0
            } =>
        {
            *a *= 3.0;
        }
        _ => n -= 1.0,
    }
    p.0 + 10.0 * p.1 + n
}
#[differentiable]
fn moved(x: f64) -> f64 {
    let mut n = 0.0;
    match (Some(vec![x]), Some(vec![2.0, x])) {
        (Some(v), _) | (_, Some(v))
            if {
                n += v.len() as f64;
                v.len() > 1
            } =>
        {
            v[0] * n + v[1]
        }
        (a, b) => a.unwrap()[0] + b.unwrap()[1] * n,
    }
}
#[differentiable]
fn at(x: f64) -> f64 {
    let mut n = 0.0;
    let r = match (3, 4) {
        p @ ((3, k) | (k, 4))
            if {
                n += k as f64 * x;
                k == 3
            } =>
        {
            p.0 + k
        }
        q @ (1 | 3, _) => q.1,
        _ => 0,
    };
    r as f64 * x + n
}
#[differentiable]
fn with_if_let(x: f64) -> f64 {
    let mut n = 0.0;
    let r = match (Some(x), Some(2.0)) {
        (Some(a), _) | (_, Some(a))
            if let Some(b) = {
                n += a;
                (a > 1.9).then_some(a * x)
            } =>
        {
            a * b
        }
        _ => 1.0,
    };
    r + n
}
#[differentiable]
fn of_ranges(x: f64) -> f64 {
    let mut n = 0.0;
    let r = match 3 {
        1..=3 | 3..=5
            if {
                n += x;
                n > 1.0
            } =>
        {
            2.0 * x
        }
        _ => 1.0,
    };
    r + n
}
#[differentiable]
fn with_cells(x: f64) -> f64 {
    let c = RefCell::new(x);
    let mut k = 0;
    let r = match (1, 2) {
        (1, _) | (_, 2)
            if {
                *c.borrow_mut() += 1.0;
                k += 1;
                k == 2
            } =>
        {
            *c.borrow()
        }
        _ => 0.0,
    };
    r * x
}
#[differentiable]
fn with_loops(x: f64) -> f64 {
    let mut n = 0.0;
    match (x, 2.0 * x) {
        (a, _) | (_, a)
            if {
                let f = |k: f64| k * a;
                let mut i = 0;
                while i < 3 {
                    i += 1;
                    n += f(i as f64);
                }
                n > 10.0 * x
            } =>
        {
            n * a
        }
        _ => n,
    }
}
#[differentiable]
fn leaves(x: f64) -> f64 {
    match (x > 0.0, 1) {
        (true, _) | (_, 1)
            if {
                return 3.0 * x;
            } =>
        {
            1.0
        }
        _ => 2.0,
    }
}
#[differentiable]
fn leaves_a_loop(x: f64) -> f64 {
    let mut n = 0.0;
    for i in 0..5 {
        match (i, 2) {
            (1, _) | (_, 2)
                if {
                    n += x;
                    if n > 3.0 {
                        break;
                    }
                    i > 2
                } =>
            {
                n += 0.2
            }
            (0, _) if { continue } => {}
            _ => n += 0.5,
        }
    }
    n
}
#[differentiable]
fn gives_a_value(x: f64) -> f64 {
    let mut n = 0.0;
    loop {
        n += match (n, x) {
            (a, _) | (_, a) if a > 2.0 => break a * x,
            (a, b) => a + b * b + 0.1,
        };
    }
}
