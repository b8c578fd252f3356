//! How often closures of iterators are called: closures that change captures, where std documents it, and closures without effects wherever they are. The
//! compiled function gives the native value and both modes its derivative, whichever of two lists is longer.

use mooncake::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const X: &[f64] = &[0.5, 1.5, 2.0, 0.25, 3.0];
const Y: &[f64] = &[1.25, 0.75, 0.5, 1.75, 0.625];

/// Of the first list and the second.
const LENGTHS: [(usize, usize); 6] = [(5, 3), (3, 5), (4, 4), (5, 0), (0, 3), (0, 0)];

/// A test of a function at all lengths: its value, and that both modes have the same derivative, which the first of them compares with differences.
macro_rules! at_all_lengths {
    ($($f:ident)*) => {
        mod tested {
            use super::*;
            $(#[test]
            fn $f() {
                let ctx = Context::default();
                let reverse = ctx.build_rrule::<super::$f>().unwrap();
                let forward = ctx.build_frule::<super::$f>().unwrap();
                for (n, m) in LENGTHS {
                    let (x, y) = (&X[..n], &Y[..m]);
                    let value = super::$f(x, y);
                    let (reversed, (dx, dy)) = reverse.value_and_gradient((x, y)).unwrap();
                    let (forwarded, slope) = forward.value_and_derivative((x, y), (x, y)).unwrap();
                    assert_eq!((reversed, forwarded), (value, value), "lengths {n} and {m}");
                    let along = dx.iter().zip(x).chain(dy.iter().zip(y)).map(|(d, v)| d * v);
                    let difference = (along.sum::<f64>() - slope).abs();
                    assert!(difference <= 1e-10 * (1.0 + slope.abs()), "lengths {n} and {m}");
                }
                let tested = test_rule::<super::$f>(&ctx, (X, &Y[..3]));
                tested.unwrap_or_else(|error| panic!("{error}"));
            })*
        }
    };
}

/// Functions of two lists with a closure that gives twice its argument and counts its calls in what they return.
macro_rules! counting {
    (|$x:ident, $y:ident, $take:ident, $sum:ident| $($f:ident {$($body:tt)*})*) => {$(
        #[differentiable]
        fn $f($x: &[f64], $y: &[f64]) -> f64 {
            let taken = Cell::new(1.0);
            let $take = |v: f64| {
                taken.set(1.25 * taken.get() + v);
                2.0 * v
            };
            let mut $sum = 0.25;
            $($body)*
            $sum + taken.get()
        }
    )*};
}

at_all_lengths! {
    consumed adapted parted in_turn from_the_back second_of_a_zip borrowed changed_variables
    zipped zipped_backwards without_effects compared
}

counting! { |x, y, take, sum|
    consumed {
        sum += y.len() as f64;
        for v in x.iter().map(|v| take(*v)) {
            sum += v;
        }
        x.iter().for_each(|v| sum += take(*v));
        sum += x.iter().fold(0.5, |s, v| 0.5 * s + take(*v));
        sum += x.iter().map(|v| take(*v)).sum::<f64>();
        sum += x.iter().map(|v| take(*v)).count() as f64;
        sum += x.iter().map(|v| take(*v)).nth(2).unwrap_or(0.5);
        sum += x.iter().map(|v| take(*v)).max_by(|a, b| a.total_cmp(b)).unwrap_or(0.5);
        let all: Vec<f64> = x.iter().map(|v| take(*v)).collect();
        sum += all.iter().sum::<f64>();
    }
    adapted {
        sum += x.iter().filter(|v| take(**v) < 4.5).sum::<f64>();
        sum += x.iter().map(|v| take(*v)).enumerate().map(|(i, v)| v * i as f64).sum::<f64>();
        sum += x.iter().map(|v| take(*v)).take_while(|v| *v < 4.5).sum::<f64>();
        sum += x.iter().map(|v| take(*v)).take(3).chain(y.iter().map(|v| take(*v))).sum::<f64>();
        sum += x.iter().map(|v| take(*v)).skip(1).sum::<f64>();
        sum += x.iter().map(|v| take(*v)).skip_while(|v| *v < 2.0).sum::<f64>();
        sum += x.iter().scan(0.5, |s, v| { *s += take(*v); Some(*s) }).sum::<f64>();
    }
    parted {
        let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (*v, take(*v))).unzip();
        let (c, d): (Vec<f64>, Vec<f64>) = x.iter().partition(|v| take(**v) > 1.25);
        let mut e = vec![0.5];
        e.extend(x.iter().map(|v| take(*v)));
        e.retain(|v| take(*v) > 1.25);
        for all in [a, b, c, d, e] {
            sum = 0.5 * sum + all.iter().sum::<f64>();
        }
        sum += y.iter().flat_map(|k| x.iter().map(move |v| v * k)).map(|v| take(v)).sum::<f64>();
    }
    in_turn {
        sum += y.len() as f64;
        let mut some = x.iter().map(|v| take(*v)).peekable();
        sum += some.peek().copied().unwrap_or(0.5);
        sum += some.next().unwrap_or(0.5);
        sum += some.by_ref().take(1).sum::<f64>();
        sum += some.sum::<f64>();
        let mut ended = x.iter().map_while(|v| if take(*v) < 3.5 { Some(*v) } else { None });
        for _ in 0..7 {
            sum = 0.5 * sum + ended.next().unwrap_or(0.5);
        }
    }
    from_the_back {
        for v in x.iter().map(|v| take(*v)).rev() {
            sum = 0.5 * sum + v;
        }
        let mut both = x.iter().map(|v| take(*v));
        sum += both.next_back().unwrap_or(0.5) - both.next().unwrap_or(0.5);
        sum += both.rfold(0.5, |s, v| 0.5 * s + v);
        sum += x.iter().zip(y).rev().map(|(a, b)| take(a * b)).sum::<f64>();
    }
    // The second iterator of a `zip` is asked only where the first has an item.
    second_of_a_zip {
        for (a, b) in y.iter().zip(x.iter().map(|v| take(*v))) {
            sum += a * b;
        }
        sum += y.iter().zip(x.iter().map(|v| take(*v))).map(|(a, b)| a * b).sum::<f64>();
        sum += y.iter().rev().zip(x.iter().filter(|v| take(**v) < 4.5)).map(|(a, b)| a * b).sum::<f64>();
        let next = std::iter::repeat_with(|| take(0.5));
        sum += y.to_vec().into_iter().zip(next).map(|(a, b)| a * b).sum::<f64>();
        let mut rest = x.iter();
        for (a, b) in y.iter().zip(rest.by_ref()) {
            sum += take(a * b);
        }
        sum += rest.next().copied().unwrap_or(0.5);
        let pairs = y.iter().zip(x.iter().map(|v| take(*v)));
        sum += pairs.skip(1).map(|(a, b)| a * b).chain([1.0]).sum::<f64>();
    }
    borrowed {
        let mut all = x.iter().map(|v| take(*v));
        for v in all.by_ref().take(2) {
            sum += v;
        }
        sum += all.next().unwrap_or(0.5) * y.len() as f64;
    }
}

#[differentiable]
fn changed_variables(x: &[f64], y: &[f64]) -> f64 {
    let (mut n, mut seen) = (0.0, Vec::new());
    let scaled: f64 = x
        .iter()
        .chain(y)
        .map(|v| {
            n += 1.0;
            seen.push(*v);
            v * n
        })
        .sum();
    scaled + n * seen.iter().sum::<f64>()
}

/// Closures without effects may be called as often as std likes.
#[differentiable]
fn zipped(x: &[f64], y: &[f64]) -> f64 {
    let twice = |v: &f64| 2.0 * v;
    let mut sum = 0.25;
    for (a, b) in x.iter().map(twice).zip(y) {
        sum += a * b;
    }
    for (a, b) in x.iter().rev().map(twice).zip(y.iter().map(twice).skip(1)) {
        sum = 0.5 * sum + a * b;
    }
    for (a, b) in x.to_vec().into_iter().map(|v| v * v).zip(y) {
        sum += a * b;
    }
    sum += x
        .iter()
        .filter(|v| **v < 2.25)
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    let mut pairs = x.chunks(2).map(|c| c.iter().sum::<f64>()).zip(y.windows(2));
    sum += pairs.next().map_or(0.5, |(a, b)| a * b[1]);
    sum += pairs.map(|(a, b)| a * b[0]).step_by(2).sum::<f64>();
    let sums = x.iter().scan(0.0, |s, v| {
        *s += v;
        Some(*s)
    });
    sums.zip(y).fold(sum, |s, (a, b)| 0.5 * s + a * b)
}

#[differentiable]
fn zipped_backwards(x: &[f64], y: &[f64]) -> f64 {
    let twice = |v: &f64| 2.0 * v;
    let mut sum = 0.25;
    for (a, b) in x.iter().map(twice).zip(y).rev() {
        sum = 0.5 * sum + a * b;
    }
    for (a, b) in y
        .iter()
        .rev()
        .zip(x.to_vec().into_iter().map(|v| v * v))
        .rev()
    {
        sum = 0.5 * sum + a * b;
    }
    let mut pairs = x.iter().map(twice).chain(y.iter().map(twice)).zip(1..9);
    sum += pairs.next().map_or(0.5, |(a, b)| a * f64::from(b));
    let mut pairs = x.iter().rev().map(twice).zip(y).map(|(a, b)| a * b);
    sum += pairs.next_back().unwrap_or(0.5);
    pairs.rfold(sum, |s, v| 0.5 * s + v)
}

/// Cells that are only read, buffers that a closure makes, and what a closure or an iterator of the program changes in itself are no effects.
#[differentiable]
fn without_effects(x: &[f64], y: &[f64]) -> f64 {
    let cells: Vec<Rc<RefCell<f64>>> = x.iter().map(|v| Rc::new(RefCell::new(*v))).collect();
    let total = Cell::new(0.5);
    let mut sum = 0.25;
    for (a, b) in cells.iter().map(|c| *c.borrow() * total.get()).zip(y) {
        sum += a * b;
        total.set(total.get() + a);
    }
    let powers = x.iter().map(|v| {
        let mut all = vec![1.0];
        for k in 0..3 {
            all.push(all[k] * v);
        }
        raise(&mut all);
        all.iter().sum::<f64>()
    });
    sum += powers.zip(y).map(|(a, b)| a * b).sum::<f64>();
    let mut n = 0.0;
    let counted = x.iter().map(move |v| {
        n += 1.0;
        v * n
    });
    sum += counted.zip(y).map(|(a, b)| a * b).sum::<f64>();
    let steps = Halves { at: 4.0, of: x };
    sum + steps.zip(y).map(|(a, b)| a * b).sum::<f64>()
}
#[differentiable]
fn raise(all: &mut [f64]) {
    for v in all {
        *v += 1.0;
    }
}

#[derive(Differentiable)]
struct Halves<'a> {
    at: f64,
    of: &'a [f64],
}
#[differentiable]
impl Iterator for Halves<'_> {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        self.at *= 0.5;
        self.of.first().map(|v| v * self.at)
    }
}

#[differentiable]
fn compared(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.25;
    if x.iter().map(|v| v * 2.0).eq(x.iter().map(|v| v + v)) {
        sum += x.len() as f64;
    }
    if x.iter().map(|v| v * 2.0).lt(y.iter().map(|v| v + v)) {
        sum *= 3.0;
    }
    x.iter().chain(y).fold(sum, |s, v| 0.5 * s + v)
}

/// A panic in the closure shows that it runs. `next` asks the first iterator for an item without partner, except where std takes items by position.
#[test]
fn panics_where_std_does() {
    let (short, long) = ([2.0], [1.0, 3.0, 0.0]);
    let ctx = Context::default();
    let in_turn = ctx.build_rrule::<asked_in_turn>().unwrap();
    let error = in_turn.value_and_gradient((&long, &short)).unwrap_err();
    assert!(error.to_string().contains("one item more"), "{error}");
    assert!(std::panic::catch_unwind(|| asked_in_turn(&long, &short)).is_err());
    let by_position = ctx.build_rrule::<asked_by_position>().unwrap();
    let (value, _) = by_position.value_and_gradient((&long, &short)).unwrap();
    assert_eq!(value, asked_by_position(&long, &short));
}

#[differentiable]
fn asked_in_turn(x: &[f64], y: &[f64]) -> f64 {
    let twice = |v: &f64| {
        assert!(*v == 1.0, "one item more");
        2.0 * v
    };
    let mut sum = 0.0;
    for (a, b) in x.iter().take(3).map(twice).zip(y) {
        sum += a * b;
    }
    sum
}
#[differentiable]
fn asked_by_position(x: &[f64], y: &[f64]) -> f64 {
    let twice = |v: &f64| {
        assert!(*v == 1.0, "one item more");
        2.0 * v
    };
    let mut sum = 0.0;
    for (a, b) in x.iter().map(twice).zip(&y.to_vec()) {
        sum += a * b;
    }
    sum
}

#[derive(Differentiable)]
struct Drawn<'a> {
    seed: &'a mut f64,
}
#[differentiable]
impl Iterator for Drawn<'_> {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        *self.seed *= 0.5;
        Some(*self.seed)
    }
}

#[derive(Differentiable)]
struct Applied<I, F> {
    items: I,
    f: F,
}
#[differentiable]
impl<I: Iterator<Item = f64>, F: FnMut(f64) -> f64> Iterator for Applied<I, F> {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        self.items.next().map(|v| (self.f)(v))
    }
}

#[differentiable]
fn dotted(items: impl Iterator<Item = f64>, y: &[f64]) -> f64 {
    items.zip(y).map(|(a, b)| a * b).sum()
}
#[differentiable]
fn bump(c: &Cell<f64>) -> f64 {
    c.set(c.get() + 1.0);
    c.get()
}

#[differentiable]
fn of_an_iterator_of_the_program(x: &[f64], y: &[f64]) -> f64 {
    let mut seed = x[0];
    let sum = dotted(Drawn { seed: &mut seed }, y);
    sum * seed
}
#[differentiable]
fn of_a_generic_iterator(x: &[f64], y: &[f64]) -> f64 {
    let mut n = 0.0;
    let f = |v| {
        n += 1.0;
        v * n
    };
    let items = x.iter().copied();
    let sum = dotted(Applied { items, f }, y);
    sum * n
}
#[differentiable]
fn of_a_box(x: &[f64], y: &[f64]) -> f64 {
    let n = Cell::new(0.0);
    let items: Box<dyn Iterator<Item = f64> + '_> = match x.len() {
        0 => Box::new(std::iter::once(1.0)),
        _ => Box::new(x.iter().map(|v| v * bump(&n))),
    };
    let sum = dotted(items, y);
    sum * n.get()
}
#[differentiable]
fn of_a_closure_in_a_closure(x: &[f64], y: &[f64]) -> f64 {
    let mut n = 0.0;
    let mut next = |v: f64| {
        n += v;
        n
    };
    let mut of = |v: &f64| 2.0 * next(*v);
    let sum = dotted(x.iter().map(&mut of), y);
    sum * n
}
#[differentiable]
fn of_a_function(x: &[f64], y: &[f64]) -> f64 {
    let cells: Vec<Cell<f64>> = x.iter().map(|v| Cell::new(*v)).collect();
    let sum = dotted(cells.iter().map(bump), y);
    sum * cells[0].get()
}
#[differentiable]
fn of_a_part(x: &[f64], y: &[f64]) -> f64 {
    let n = Cell::new(0.0);
    let parts = x.chunks(2).flat_map(|c| c.iter().map(|v| v * bump(&n)));
    let sum = dotted(parts.filter(|v| *v > 0.0), y);
    sum * n.get()
}

/// Wherever an effect comes from, the first iterator of `zip` must not have it.
#[test]
fn effects_are_seen() {
    fn check<F: DifferentiableFn>() {
        let error = Context::default().build_rrule::<F>().err();
        let error = error.expect("not refused").to_string();
        assert!(
            error.contains("the first iterator of `zip` must not"),
            "{error}"
        );
    }
    check::<of_an_iterator_of_the_program>();
    check::<of_a_generic_iterator>();
    check::<of_a_box>();
    check::<of_a_closure_in_a_closure>();
    check::<of_a_function>();
    check::<of_a_part>();
}
