//! Arrays that are too large to be scalars, as values: passed, returned, assigned and kept. A copy is made where the program could tell, and only there.

#![allow(clippy::all, reason = "the programs are what is tested")]

#[macro_use]
#[path = "support/check.rs"]
mod check;

use mooncake::inspect::Stage;
use mooncake::prelude::*;
use std::ops::{Add, Mul};

/// One test for each function, at these arguments: how many objects its loops and its straight code make when it is derived, and that its gradient is
/// right.
macro_rules! objects {
    ($($f:ident($($arg:expr),*): $count:literal;)*) => {
        check! { $($f($($arg),*);)* }
        mod counted {
            use super::*;
            $(#[test]
            fn $f() {
                let text = Context::default().ir::<super::$f>(Stage::Normal).unwrap();
                assert_eq!(text.matches(" alloc ").count(), $count, "{text}");
            })*
        }
    };
}

const N: usize = 24;
const STEPS: usize = 5;

#[derive(Clone, Copy, Differentiable)]
struct State {
    x: [f64; N],
    t: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Particle {
    at: f64,
    speed: f64,
}

#[differentiable]
fn start(a: f64) -> State {
    let mut x = [0.0; N];
    for i in 0..N {
        x[i] = a * i as f64 + 0.1;
    }
    State { x, t: 0.0 }
}

#[differentiable]
fn step(mut s: State, a: f64) -> State {
    s.x[3] = s.x[3] * a + s.x[N - 1].sin();
    s.x[N - 1] += s.x[3] * s.t;
    s.t += 0.5;
    s
}

#[differentiable]
fn smooth(s: State, a: f64) -> State {
    let mut out = s;
    for i in 1..N {
        out.x[i] = s.x[i] * a + s.x[i - 1] * s.x[i];
    }
    out
}

#[differentiable]
fn energy(s: State) -> f64 {
    let mut sum = s.t;
    for i in 0..N {
        sum += s.x[i] * s.x[i];
    }
    sum
}

#[differentiable]
fn a_state_that_is_passed_on(a: f64) -> f64 {
    let mut s = start(a);
    for _ in 0..STEPS {
        s = step(s, a);
    }
    energy(s)
}

#[differentiable]
fn a_state_that_is_only_read(a: f64) -> f64 {
    let mut s = start(a);
    let mut sum = 0.0;
    for _ in 0..STEPS {
        sum += energy(s) * 0.1;
        s = step(s, a);
        sum += energy(s);
    }
    sum
}

#[differentiable]
fn a_new_state_from_the_old(a: f64) -> f64 {
    let mut s = start(a * 0.1);
    for _ in 0..STEPS {
        s = smooth(s, a);
    }
    energy(s)
}

#[differentiable]
fn the_state_before(a: f64) -> f64 {
    let mut s = start(a);
    let mut sum = 0.0;
    for _ in 0..STEPS {
        let before = s;
        s = step(s, a);
        for i in 0..N {
            sum += before.x[i] * s.x[i];
        }
    }
    sum
}

#[differentiable]
fn two_states_that_change_places(a: f64) -> f64 {
    let mut s = start(a);
    let mut other = start(a * a);
    for _ in 0..STEPS {
        let kept = s;
        s = step(other, a);
        other = kept;
    }
    energy(s) - 0.5 * energy(other)
}

#[differentiable]
fn std_swap(a: f64) -> f64 {
    let mut s = start(a);
    let mut other = start(a * a);
    for _ in 0..STEPS {
        std::mem::swap(&mut s, &mut other);
        s = step(s, a);
    }
    energy(s) - 0.5 * energy(other)
}

#[differentiable]
fn the_best_state(a: f64) -> f64 {
    let mut s = start(a);
    let mut best = s;
    for _ in 0..STEPS {
        s = step(s, -a);
        if s.x[3] < best.x[3] {
            best = s;
        }
    }
    s.x[4] = 0.0;
    energy(best) + energy(s)
}

#[differentiable]
fn one_way_or_the_other(a: f64) -> f64 {
    let mut s = start(a);
    let rest = start(2.0 * a);
    for i in 0..STEPS {
        s = if i % 2 == 0 { step(s, a) } else { rest };
        s.x[0] += a;
    }
    energy(s) + energy(rest)
}

#[differentiable]
fn overwrite(s: State, to: &mut State) -> f64 {
    to.x[3] = s.x[3] * 2.0;
    to.x[4] = s.x[3] + s.t;
    s.x[3] + s.x[4]
}

#[differentiable]
fn as_a_value_and_by_reference(a: f64) -> f64 {
    let mut s = start(a);
    let read = overwrite(s, &mut s);
    read * energy(s)
}

#[differentiable]
fn kept_in_a_vector(a: f64) -> f64 {
    let mut all = vec![start(a), start(2.0 * a)];
    for i in 0..STEPS {
        let last = all[i];
        all.push(step(last, a));
        all[i].x[3] = 7.0 * a;
    }
    let mut sum = 0.0;
    for s in &all {
        sum += energy(*s);
    }
    sum
}

#[differentiable]
fn maybe_a_state(a: f64) -> f64 {
    let mut found: Option<State> = None;
    let mut s = start(a);
    for i in 0..STEPS {
        if i == 2 {
            found = Some(s);
        }
        s = step(s, a);
    }
    match found {
        Some(then) => energy(then) * energy(s),
        None => 0.0,
    }
}

#[differentiable]
fn deeper(s: State, n: usize, a: f64) -> State {
    if n == 0 {
        return s;
    }
    let below = deeper(step(s, a), n - 1, a);
    let mut mine = s;
    mine.x[5] = below.x[3] + s.x[5];
    if n == 2 { below } else { mine }
}

#[differentiable]
fn through_recursion(a: f64) -> f64 {
    let s = start(a);
    let end = deeper(s, 4, a);
    energy(end) + energy(s)
}

#[differentiable]
fn a_closure_with_a_state(a: f64) -> f64 {
    let mut s = start(a);
    let then = s;
    let ahead = move |b: f64| {
        let mut own = then;
        own.x[2] = b;
        energy(own)
    };
    s.x[2] = 3.0;
    ahead(a) + ahead(2.0 * a) * energy(s)
}

type Grid = [[f64; 6]; 6];

#[differentiable]
fn diffuse(g: Grid, a: f64) -> Grid {
    let mut out = g;
    for i in 1..5 {
        for j in 1..5 {
            out[i][j] = g[i][j] + a * (g[i - 1][j] + g[i + 1][j] - 2.0 * g[i][j] * g[i][j - 1]);
        }
    }
    out
}

#[differentiable]
fn a_grid(a: f64) -> f64 {
    let mut g = [[0.0; 6]; 6];
    for i in 0..6 {
        for j in 0..6 {
            g[i][j] = (i * j) as f64 * 0.01 + a;
        }
    }
    for _ in 0..STEPS {
        g = diffuse(g, a);
    }
    g.iter().flatten().sum()
}

#[differentiable]
fn drift(mut all: [Particle; 20], a: f64) -> [Particle; 20] {
    for i in 0..20 {
        all[i].at += all[i].speed * a;
    }
    all[7].speed *= a;
    all
}

#[differentiable]
fn particles(a: f64) -> f64 {
    let mut all = [Particle { at: a, speed: 0.5 }; 20];
    let first = all;
    for _ in 0..STEPS {
        all = drift(all, a);
    }
    let mut sum = 0.0;
    for i in 0..20 {
        sum += all[i].at * first[i].at;
    }
    sum
}

#[derive(Clone, Copy, Differentiable)]
struct Long([f64; N]);

#[differentiable]
impl Add for Long {
    type Output = Long;
    fn add(self, other: Long) -> Long {
        let mut out = self;
        for i in 0..N {
            out.0[i] += other.0[i];
        }
        out
    }
}

#[differentiable]
impl Mul<f64> for Long {
    type Output = Long;
    fn mul(mut self, by: f64) -> Long {
        for i in 0..N {
            self.0[i] *= by;
        }
        self
    }
}

#[differentiable]
fn slope(x: Long, a: f64) -> Long {
    let mut out = Long([0.0; N]);
    for i in 0..N {
        out.0[i] = a * x.0[i] - x.0[(i + 1) % N] * x.0[i];
    }
    out
}

#[differentiable]
fn runge_kutta(a: f64) -> f64 {
    let mut x = Long(start(a).x);
    let h = 0.01;
    for _ in 0..STEPS {
        let k1 = slope(x, a);
        let k2 = slope(x + k1 * (0.5 * h), a);
        let k3 = slope(x + k2 * (0.5 * h), a);
        let k4 = slope(x + k3 * h, a);
        x = x + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
    }
    let mut sum = 0.0;
    for i in 0..N {
        sum += x.0[i];
    }
    sum
}

#[differentiable]
fn an_argument(s: State, mut t: State, a: f64) -> (f64, State) {
    let sum = energy(s) * energy(t);
    t = step(t, a);
    (sum, t)
}

#[differentiable]
fn arguments(s: State, t: State, a: f64) -> f64 {
    let (sum, after) = an_argument(s, t, a);
    sum + energy(t) * after.x[3] + energy(s)
}

#[differentiable]
fn a_part_of_a_copy(a: f64) -> f64 {
    let s = start(a);
    let mut t = start(-a);
    for i in 0..N - 1 {
        t.x[i] = s.x[i];
    }
    let mut u = [1.0; N];
    for i in 0..N {
        u[i] = t.x[N - 1 - i];
    }
    t.x[2] = a;
    u[2] * t.x[N - 1] + s.x[2] + u[N - 3]
}

#[differentiable]
fn an_early_end(a: f64) -> f64 {
    let mut s = start(a);
    for i in 0..STEPS {
        let next = step(s, a);
        if next.x[3] > 100.0 {
            return energy(s);
        }
        if i == 3 {
            break;
        }
        s = next;
    }
    energy(s)
}

// Addresses, lengths and indices in memory that change behind a loop which reads them: going backwards, the loop must find them as they were.

#[differentiable]
fn rows_that_change_places(x: &[f64]) -> f64 {
    let n = x.len();
    let mut rows = vec![vec![x[0]; n], vec![x[1]; n], vec![1.25; n]];
    let mut sum = 0.0;
    for k in 0..n + 1 {
        for i in 0..n {
            rows[k % 3][i] *= rows[(k + 1) % 3][i] * x[2];
            sum += rows[k % 3][i];
        }
        rows.swap(k % 3, (k + 2) % 3);
    }
    sum
}

#[differentiable]
fn rows_that_grow(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0]], vec![x[1], 2.0]];
    let mut sum = 0.0;
    for k in 0..2 * x.len() {
        for i in 0..rows[k % 2].len() {
            sum = (sum + rows[k % 2][i] * x[2]).sin() * rows[k % 2][i];
        }
        rows[k % 2].push(sum * x[1]);
    }
    sum
}

#[differentiable]
fn places_that_change(x: &[f64]) -> f64 {
    let n = x.len();
    let mut at: Vec<usize> = (0..n).collect();
    let mut sum = 0.5;
    for k in 0..n + 2 {
        for i in 0..n {
            sum = sum * x[at[i]] + x[at[(i + k) % n]].cos();
        }
        at.swap(k % n, (k + 1) % n);
    }
    sum
}

objects! {
    a_state_that_is_passed_on(0.7): 1;
    a_state_that_is_only_read(0.7): 1;
    a_new_state_from_the_old(0.7): 2;
    the_state_before(0.7): 2;
    two_states_that_change_places(0.7): 3;
    std_swap(0.7): 3;
    the_best_state(0.7): 3;
    one_way_or_the_other(0.7): 3;
    as_a_value_and_by_reference(0.7): 3;
    kept_in_a_vector(0.7): 5;
    maybe_a_state(0.7): 2;
    through_recursion(0.7): 6;
    a_closure_with_a_state(0.7): 3;
    a_grid(0.07): 3;
    particles(0.7): 2;
    runge_kutta(0.07): 11;
    arguments(start(0.7), start(0.3), 0.7): 1;
    a_part_of_a_copy(0.7): 3;
    an_early_end(0.7): 2;
    rows_that_change_places(&[0.75, 1.5, 0.9]): 4;
    rows_that_grow(&[0.75, 1.5, 0.9]): 4;
    places_that_change(&[0.75, 1.5, 0.9]): 1;
}
