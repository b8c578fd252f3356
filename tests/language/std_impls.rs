//! Traits of std that a program implements itself: what std's functions ask of them, how often, and in which order.

use mooncake::prelude::*;
use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;

check! {
    extremes_by_cmp(&[1.0, 2.5, 0.5]);
    extremes_of_copies(&[1.0, 2.5, 0.5]);
    extremes_by_key(&[1.0, 2.5, 0.5]);
    sorted_by_lt(&[1.0, 2.5, 0.5, 2.0]);
    sorted_by_key(&[1.0, 2.5, 0.5, 2.0]);
    sorted_unstably(&[1.0, 2.5, 0.5, 2.0]);
    searched(&[1.0, 2.5, 0.5, 2.0]);
    asked_of_elements(&[1.0, 2.0, 3.0]);
    asked_of_the_other(&[1.0, 2.0, 3.0]);
    asked_of_pairs(&[1.0, 2.0, 3.0]);
    not_equal(&[1.0, 2.0, 3.0]);
    resized(0.7);
    filled(0.7);
    repeated(0.7);
    repeated_for_ever(0.7);
    copied_slices(0.7);
    zipped_clones(0.7);
    steps_through_adaptors(3.1);
    steps_from_both_ends(3.1);
    steps_hinted(3.1);
    items_by_method(&[1.0, 2.5, 0.5]);
    items_zipped(&[1.0, 2.5, 0.5]);
    replaced_boxes(0.7);
    replaced_fields(0.7);
    swapped_boxes(0.7);
    modules_named_like_types(0.7);
}

/// Ordered by its number where it is asked with `cmp`, backwards where it is asked with `<`.
#[derive(Differentiable, Clone, Copy, Debug)]
struct Torn(f64);
#[differentiable]
impl PartialEq for Torn {
    fn eq(&self, other: &Torn) -> bool {
        self.0 == other.0
    }
}
impl Eq for Torn {}
#[differentiable]
impl PartialOrd for Torn {
    fn partial_cmp(&self, other: &Torn) -> Option<Ordering> {
        other.0.partial_cmp(&self.0)
    }
}
#[differentiable]
impl Ord for Torn {
    fn cmp(&self, other: &Torn) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[differentiable]
fn torn(x: &[f64]) -> Vec<Torn> {
    x.iter().map(|x| Torn(*x)).collect()
}

#[differentiable]
fn extremes_by_cmp(x: &[f64]) -> f64 {
    let all = torn(x);
    let (most, least) = (all.iter().max().unwrap(), all.iter().min().unwrap());
    most.0 * 2.0 - least.0 * x[0]
}

#[differentiable]
fn extremes_of_copies(x: &[f64]) -> f64 {
    let all = torn(x);
    let most = all.iter().copied().max().unwrap();
    most.0 * 2.0 - all.into_iter().min().unwrap().0 * x[0]
}

#[differentiable]
fn extremes_by_key(x: &[f64]) -> f64 {
    let all = torn(x);
    let most = all.iter().max_by_key(|t| **t).unwrap();
    let least = all.iter().min_by_key(|t| **t).unwrap();
    most.0 * 2.0 - least.0 * x[0]
}

#[differentiable]
fn weighed(all: &[Torn]) -> f64 {
    let weights = all.iter().enumerate();
    weights.map(|(i, t)| t.0 * (i as f64 + 0.5)).sum()
}

#[differentiable]
fn sorted_by_lt(x: &[f64]) -> f64 {
    let mut all = torn(x);
    all.sort();
    weighed(&all)
}

#[differentiable]
fn sorted_by_key(x: &[f64]) -> f64 {
    let mut all = torn(x);
    all.sort_by_key(|t| *t);
    let first = weighed(&all);
    all.reverse();
    all.sort_by_cached_key(|t| *t);
    first * weighed(&all)
}

#[differentiable]
fn sorted_unstably(x: &[f64]) -> f64 {
    let mut all = torn(x);
    all.sort_unstable();
    let first = weighed(&all);
    all.sort_by(|a, b| a.cmp(b));
    let second = weighed(&all);
    all.sort_unstable_by_key(|t| *t);
    first - 2.0 * second + 3.0 * weighed(&all)
}

#[differentiable]
fn searched(x: &[f64]) -> f64 {
    let mut all = torn(x);
    all.sort_by(|a, b| a.cmp(b));
    let at = all.binary_search(&Torn(1.75)).unwrap_or_else(|at| at);
    let sorted = all.is_sorted();
    all[at].0 * x[1] + if sorted { 1.0 } else { 2.0 }
}

/// Equal to what is a little larger.
#[derive(Differentiable, Clone, Copy, Debug)]
struct Below(f64);
#[differentiable]
impl PartialEq for Below {
    fn eq(&self, other: &Below) -> bool {
        self.0 <= other.0 && other.0 < self.0 + 1.5
    }
}

#[differentiable]
fn below(x: &[f64]) -> Vec<Below> {
    x.iter().map(|x| Below(*x)).collect()
}

#[differentiable]
fn told(answers: &[bool], x: f64) -> f64 {
    let mut sum = x;
    for (i, answer) in answers.iter().enumerate() {
        if *answer {
            sum = sum * 1.25 + x * i as f64;
        }
    }
    sum
}

#[differentiable]
fn asked_of_elements(x: &[f64]) -> f64 {
    let all = below(x);
    let answers = [
        all.contains(&Below(4.0)),
        all.contains(&Below(0.5)),
        all.strip_prefix(&[Below(2.0)]).is_some(),
        all.strip_prefix(&[Below(0.5)]).is_some(),
        all.strip_suffix(&[Below(4.0)]).is_some(),
        all.strip_suffix(&[Below(2.5)]).is_some(),
        all.iter().any(|b| *b == Below(4.0)),
    ];
    told(&answers, x[1])
}

#[differentiable]
fn asked_of_the_other(x: &[f64]) -> f64 {
    let all = below(x);
    let answers = [
        all.starts_with(&[Below(2.0)]),
        all.starts_with(&[Below(0.5)]),
        all.ends_with(&[Below(4.0)]),
        all.ends_with(&[Below(2.5)]),
        all.iter().eq([Below(2.0), Below(3.0), Below(4.0)].iter()),
        all.iter().eq([Below(0.5), Below(1.0), Below(2.0)].iter()),
        all.iter().ne([Below(2.0), Below(3.0), Below(4.0)].iter()),
    ];
    told(&answers, x[1])
}

#[differentiable]
fn asked_of_pairs(x: &[f64]) -> f64 {
    let mut up = below(x);
    let mut down = below(&[x[2], x[1], x[0]]);
    up.dedup();
    down.dedup();
    let mut keyed = below(x);
    keyed.dedup_by_key(|b| *b);
    let last = |all: &[Below]| all[all.len() - 1].0 * all.len() as f64;
    last(&up) + last(&down) * x[0] + last(&keyed) * x[1]
}

#[differentiable]
fn not_equal(x: &[f64]) -> f64 {
    let all = below(x);
    let answers = [all[0] != all[1], all[1] != all[0], all[0] == all[1]];
    told(&answers, x[1])
}

/// Counts its clones, and is another one each time.
#[derive(Differentiable, Debug)]
struct Noted {
    value: f64,
    clones: Rc<Cell<f64>>,
}
#[differentiable]
impl Clone for Noted {
    fn clone(&self) -> Noted {
        self.clones.set(self.clones.get() * 1.5 + 1.0);
        Noted {
            value: self.value + 0.25,
            clones: Rc::clone(&self.clones),
        }
    }
}
#[differentiable]
fn noted(value: f64, clones: &Rc<Cell<f64>>) -> Noted {
    Noted {
        value,
        clones: Rc::clone(clones),
    }
}
#[differentiable]
fn summed(all: &[Noted]) -> f64 {
    let weights = all.iter().enumerate();
    weights.map(|(i, n)| n.value.sin() * (i as f64 + 0.5)).sum()
}

#[differentiable]
fn resized(x: f64) -> f64 {
    let clones = Rc::new(Cell::new(0.0));
    let mut all = vec![noted(x, &clones)];
    all.resize(4, noted(2.0 * x, &clones));
    let first = summed(&all);
    all.resize(2, noted(3.0 * x, &clones));
    all.resize(2, noted(3.0 * x, &clones));
    first + summed(&all) + clones.get()
}

#[differentiable]
fn filled(x: f64) -> f64 {
    let clones = Rc::new(Cell::new(0.0));
    let mut all = vec![noted(x, &clones), noted(x, &clones), noted(x, &clones)];
    all.fill(noted(2.0 * x, &clones));
    let mut none: Vec<Noted> = Vec::new();
    none.fill(noted(x, &clones));
    all[..1].fill(noted(3.0 * x, &clones));
    summed(&all) + clones.get()
}

#[differentiable]
fn repeated(x: f64) -> f64 {
    let clones = Rc::new(Cell::new(0.0));
    let all: Vec<Noted> = std::iter::repeat_n(noted(x, &clones), 3).collect();
    let mut few = std::iter::repeat_n(noted(x, &clones), 2);
    let one = few.next().unwrap().value;
    let two = few.next_back().unwrap().value;
    summed(&all) + clones.get() + one * two
}

#[differentiable]
fn repeated_for_ever(x: f64) -> f64 {
    let clones = Rc::new(Cell::new(0.0));
    let all: Vec<Noted> = std::iter::repeat(noted(x, &clones)).take(3).collect();
    summed(&all) + clones.get()
}

#[differentiable]
fn copied_slices(x: f64) -> f64 {
    let clones = Rc::new(Cell::new(0.0));
    let mut all = vec![noted(x, &clones), noted(2.0 * x, &clones)];
    let again: Vec<Noted> = all.iter().cloned().collect();
    all.extend_from_slice(&again);
    all.extend_from_within(..1);
    all[..2].clone_from_slice(&again);
    summed(&all) + clones.get()
}

#[differentiable]
fn zipped_clones(x: f64) -> f64 {
    let clones = Rc::new(Cell::new(0.0));
    let mut sum = 0.0;
    for (k, n) in [1.0, 2.0].iter().zip(std::iter::repeat(noted(x, &clones))) {
        sum += n.value * k;
    }
    sum + clones.get()
}

/// An iterator of the program.
#[derive(Differentiable, Clone, Debug)]
struct Steps {
    at: f64,
    to: f64,
}
#[differentiable]
impl Iterator for Steps {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        if self.at >= self.to {
            return None;
        }
        self.at += 0.75;
        Some(self.at * self.at)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (1, None)
    }
}
#[differentiable]
impl DoubleEndedIterator for Steps {
    fn next_back(&mut self) -> Option<f64> {
        if self.at >= self.to {
            return None;
        }
        self.to -= 0.5;
        Some(self.to)
    }
}

#[differentiable]
fn steps_through_adaptors(x: f64) -> f64 {
    let steps = Steps { at: 0.0, to: x };
    let sum: f64 = steps.clone().map(|s| s * x).sum();
    let count = steps.clone().filter(|s| *s > 1.0).count();
    let last = steps.clone().skip(1).last().unwrap();
    sum * count as f64 + last + steps.fold(x, |a, s| a * 0.5 + s)
}

#[differentiable]
fn steps_from_both_ends(x: f64) -> f64 {
    let steps = Steps { at: 0.0, to: x };
    let back = steps.clone().rfold(x, |a, s| a * 0.5 + s);
    let mut steps = steps.rev();
    back + steps.next().unwrap() * steps.nth(1).unwrap()
}

#[differentiable]
fn steps_hinted(x: f64) -> f64 {
    let steps = Steps { at: 0.0, to: x };
    let (least, most) = steps.size_hint();
    let all: Vec<f64> = steps.collect();
    all[least] * x + if most.is_none() { 1.0 } else { 2.0 }
}

/// The items of a list, scaled.
#[derive(Differentiable, Clone, Debug)]
struct Items {
    list: Vec<f64>,
    at: usize,
    by: f64,
}
#[differentiable]
impl Iterator for Items {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        if self.at == self.list.len() {
            return None;
        }
        self.at += 1;
        Some(self.by * self.list[self.at - 1])
    }
}

/// Gives its items as they are, and doubled to those who ask a reference.
#[derive(Differentiable, Clone, Debug)]
struct Bag {
    items: Vec<f64>,
}
#[differentiable]
impl IntoIterator for Bag {
    type Item = f64;
    type IntoIter = Items;
    fn into_iter(self) -> Items {
        Items {
            list: self.items,
            at: 0,
            by: 1.0,
        }
    }
}
#[differentiable]
impl IntoIterator for &Bag {
    type Item = f64;
    type IntoIter = Items;
    fn into_iter(self) -> Items {
        Items {
            list: self.items.clone(),
            at: 0,
            by: 2.0,
        }
    }
}
#[differentiable]
fn bag(x: &[f64]) -> Bag {
    Bag { items: x.to_vec() }
}

#[differentiable]
fn items_by_method(x: &[f64]) -> f64 {
    let bag = bag(x);
    let twice: f64 = (&bag).into_iter().sum();
    let once: f64 = bag.into_iter().sum();
    twice * once
}

/// Only references have items.
#[derive(Differentiable, Clone, Debug)]
struct Ring {
    items: Vec<f64>,
}
#[differentiable]
impl IntoIterator for &Ring {
    type Item = f64;
    type IntoIter = Items;
    fn into_iter(self) -> Items {
        Items {
            list: self.items.clone(),
            at: 1,
            by: 3.0,
        }
    }
}

#[differentiable]
fn items_zipped(x: &[f64]) -> f64 {
    let ring = Ring { items: x.to_vec() };
    let mut sum = 0.0;
    for item in ring.into_iter() {
        sum += item.sin();
    }
    sum + x.iter().zip(&ring).map(|(x, y)| x * y).sum::<f64>()
}

#[differentiable]
trait Curve {
    fn at(&self, x: f64) -> f64;
}
#[derive(Differentiable, Debug)]
struct Line(f64);
#[derive(Differentiable, Debug)]
struct Wave(f64);
#[differentiable]
impl Curve for Line {
    fn at(&self, x: f64) -> f64 {
        self.0 * x
    }
}
#[differentiable]
impl Curve for Wave {
    fn at(&self, x: f64) -> f64 {
        (self.0 * x).sin()
    }
}

#[differentiable]
fn replaced_boxes(x: f64) -> f64 {
    let mut curve: Box<dyn Curve> = Box::new(Line(x));
    let old = std::mem::replace(&mut curve, Box::new(Wave(2.0 * x)));
    old.at(3.0) * curve.at(0.5)
}

#[derive(Differentiable)]
struct Holder {
    curve: Box<dyn Curve>,
    uses: f64,
}

#[differentiable]
fn renew(holder: &mut Holder, x: f64) -> f64 {
    holder.uses += 1.0;
    let old = std::mem::replace(&mut holder.curve, Box::new(Line(x * x)));
    old.at(x)
}

#[differentiable]
fn replaced_fields(x: f64) -> f64 {
    let mut holder = Holder {
        curve: Box::new(Wave(x)),
        uses: 0.0,
    };
    let first = renew(&mut holder, x);
    let second = renew(&mut holder, 2.0 * x);
    first + second * holder.uses + holder.curve.at(x)
}

#[differentiable]
fn swapped_boxes(x: f64) -> f64 {
    let mut a: Box<dyn Curve> = Box::new(Line(x));
    let mut b: Box<dyn Curve> = Box::new(Wave(x));
    std::mem::swap(&mut a, &mut b);
    a.at(0.5) - b.at(2.0) * x
}

mod f64 {
    use super::*;

    #[differentiable]
    pub fn cube(x: f64) -> f64 {
        x * x * x
    }
    #[differentiable]
    pub fn sqrt(x: f64) -> f64 {
        2.0 * x
    }
}

#[differentiable]
fn modules_named_like_types(x: f64) -> f64 {
    self::f64::sqrt(x) * self::f64::cube(x) + x.sqrt() + <f64>::abs(x)
}
