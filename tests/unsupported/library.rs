//! Types and functions of the standard library.

use crate::refused;
use mooncake::prelude::*;

/// Functions of numbers that have no rule and no body
mod next_up {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        x.next_up()
    }

    refused!(f);
}

/// What a vector has in store
mod capacity {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut v = Vec::with_capacity(8);
        v.push(x);
        x * v.capacity() as f64
    }

    refused!(f);
}

/// What is leaked
mod leaked {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let v = vec![x, 2.0].leak();
        v[0]
    }

    refused!(f);
}

/// A part of a vector replaced in one go
mod splices {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut v = vec![x, 1.0, 2.0];
        v.splice(0..1, [x, x]);
        v[1]
    }

    refused!(f);
}

/// Groups of a slice
mod groups {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let v = [x, 2.0, 3.0];
        v.chunk_by(|a, b| a <= b).map(|group| group[0]).sum()
    }

    refused!(f);
}

/// Lists of lists as one slice
mod flattened {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let v = [[x, 2.0], [x, 1.0]];
        v.as_flattened().iter().sum()
    }

    refused!(f);
}

/// The bytes of a number
mod bytes {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * 7_i64.to_le_bytes()[0] as f64
    }

    refused!(f);
}

/// How many hold a value
mod counts {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let r = std::rc::Rc::new(x);
        *r * std::rc::Rc::strong_count(&r) as f64
    }

    refused!(f);
}

/// References that do not keep alive
mod weak {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let r = std::rc::Rc::new(x);
        let w = std::rc::Rc::downgrade(&r);
        *w.upgrade().unwrap()
    }

    refused!(f);
}

/// Borrows that may fail
mod borrows {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let c = std::cell::RefCell::new(x);
        let v = *c.try_borrow().unwrap();
        v
    }

    refused!(f);
}

/// How long an iterator is at most
mod hints {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let v = [x, 2.0];
        x * v.iter().size_hint().0 as f64
    }

    refused!(f);
}

/// Clones of cells that are in no `Rc`
mod cell_clones {
    use super::*;
    use std::cell::Cell;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let a = Cell::new(x);
        let b = a.clone();
        b.set(1.0);
        a.get()
    }

    refused!(f);
}

/// Comparisons of types whose `PartialEq` is written by hand
mod equality_by_hand {
    use super::*;

    #[derive(Differentiable)]
    struct Near(f64);
    impl PartialEq for Near {
        fn eq(&self, other: &Near) -> bool {
            (self.0 - other.0).abs() < 1.0
        }
    }
    #[differentiable]
    fn f(x: f64) -> f64 {
        if Near(x) == Near(1.0) { x } else { 0.0 }
    }

    refused!(f);
}

/// The letters of a text
mod letters {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * "abc".chars().count() as f64
    }

    refused!(f);
}

/// A text that grows
mod text {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut s = String::new();
        s.push_str("abc");
        x
    }

    refused!(f);
}

/// A number read from a text
mod parsed {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let y: f64 = "2.5".parse().unwrap();
        x * y
    }

    refused!(f);
}

/// Texts added
mod joined {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let _s = "a".to_string() + "b";
        x
    }

    refused!(f);
}

/// A part of a text
mod sliced {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let _s = &"abc"[1..];
        x
    }

    refused!(f);
}

/// A number without a type whose method says what it is
mod literals {
    use super::*;

    #[differentiable]
    fn f(x: f64, n: usize) -> f64 {
        x * 2.clamp(n, 5) as f64
    }

    refused!(f);
}

/// A number made of another one, if it fits
mod conversions {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let n = 7_usize;
        let m: u8 = n.try_into().unwrap_or(0);
        x * m as f64
    }

    refused!(f);
}

/// Elements picked by their rank
mod selections {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut v = [x, 2.0, 0.5];
        *v.select_nth_unstable_by(1, |a, b| a.total_cmp(b)).1
    }

    refused!(f);
}

/// A part of a list as a list of fixed length that is changed
mod lists {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut v = vec![x, 2.0, 3.0];
        let pair: &mut [f64; 2] = (&mut v[..2]).try_into().unwrap();
        pair[0] *= x;
        v[0] * v[1]
    }

    refused!(f);
}

/// The parts of a slice between certain elements
mod split {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        x.split(|v| *v == 0.0).map(|part| part[0]).sum()
    }

    refused!(f);
}

/// A number made of another one by its type
mod checked_numbers {
    use super::*;

    #[differentiable]
    fn f(x: f64, n: usize) -> f64 {
        x * i32::try_from(n).unwrap() as f64
    }

    refused!(f);
}

/// A closure with an effect in the first iterator of a `zip`
/// How many items `zip` takes from a longer first iterator depends on the types of both and on what uses the pairs. Put this iterator second, or collect it
/// first.
mod zip_that_counts {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let mut count = 0.0;
        let counted = x.iter().map(|v| {
            count += 1.0;
            v * v
        });
        let sum: f64 = counted.zip(&[1.0]).map(|(a, b)| a * b).sum();
        sum * count
    }

    refused!(f);
}

/// A closure with an effect that comes to a `zip` from elsewhere, in a struct
mod zip_of_a_generic_iterator {
    use super::*;
    use std::cell::Cell;

    #[derive(Differentiable)]
    struct Weighed<I> {
        items: I,
    }
    #[differentiable]
    impl<I: Iterator<Item = f64>> Weighed<I> {
        fn sum(self) -> f64 {
            self.items.zip([1.0, 2.0]).map(|(a, b)| a * b).sum()
        }
    }

    #[differentiable]
    fn counted<'a>(x: &'a [f64], count: &'a Cell<f64>) -> impl Iterator<Item = f64> + 'a {
        x.iter().map(move |v| {
            count.set(count.get() + v);
            v * v
        })
    }

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let count = Cell::new(0.0);
        let items = counted(x, &count);
        Weighed { items }.sum() * count.get()
    }

    refused!(f);
}

/// A closure that changes the items of the first iterator of a `zip`
mod zip_that_changes_items {
    use super::*;

    #[differentiable]
    fn f(x: &mut [f64]) -> f64 {
        let doubled = x.iter_mut().map(|v| {
            *v *= 2.0;
            *v
        });
        doubled.zip(&[1.0]).map(|(a, b)| a * b).sum()
    }

    refused!(f);
}

/// A borrowed iterator as the first of a `zip`
/// What is left of it afterwards depends on how many items `zip` has taken.
mod zip_of_a_borrowed_iterator {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let mut items = x.iter();
        let sum: f64 = items.by_ref().zip(&[1.0]).map(|(a, b)| a * b).sum();
        sum + items.next().unwrap()
    }

    refused!(f);
}

/// A closure with an effect whose items the second iterator of a `zip` skips
mod zip_of_a_skip {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let mut count = 0.0;
        let counted = x.iter().map(|v| {
            count += 1.0;
            v * v
        });
        let sum: f64 = x.iter().zip(counted.skip(1)).map(|(a, b)| a * b).sum();
        sum * count
    }

    refused!(f);
}

/// A closure with an effect before `step_by`
mod steps_that_count {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let mut count = 0.0;
        let counted = x.iter().map(|v| {
            count += 1.0;
            v * v
        });
        let sum: f64 = counted.step_by(2).sum();
        sum * count
    }

    refused!(f);
}

/// A closure with an effect of which items are visited from the back
/// A `zip` of iterators of unequal lengths, and a `take`, visit items that they do not return.
mod backwards {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let mut count = 0.0;
        let counted = x.iter().map(move |v| {
            count += 1.0;
            v * count
        });
        counted.take(2).rev().fold(0.0, |s, v| 0.5 * s + v)
    }

    refused!(f);
}

/// A closure with an effect in an iterator that is compared
mod comparisons_of_iterators {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let mut count = 0.0;
        let counted = x.iter().map(|v| {
            count += 1.0;
            *v
        });
        let same = counted.eq([1.0, 2.0]);
        if same { x[0] } else { x[0] * count }
    }

    refused!(f);
}

/// A guard that outlives the expression that makes it, and is no variable, while its cell may be borrowed again
mod guard_in_a_struct {
    use super::*;
    use std::cell::RefCell;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let cell = RefCell::new(x);
        let guard = Some(cell.borrow());
        *cell.borrow_mut() *= 2.0;
        guard.map_or(0.0, |y| *y)
    }

    refused!(f);
}

/// A guard that a function returns, while its cell may be borrowed again
mod guard_returned {
    use super::*;
    use std::cell::{Ref, RefCell};

    #[differentiable]
    fn content(cell: &RefCell<f64>) -> Ref<'_, f64> {
        cell.borrow()
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let cell = RefCell::new(x);
        let y = *content(&cell);
        *cell.borrow_mut() *= y;
        cell.into_inner()
    }

    refused!(f);
}

/// A comparison that changes something
mod sorts_that_count {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut v = vec![x, 2.0, 1.0];
        let mut count = 0.0;
        v.sort_by(|a, b| {
            count += 1.0;
            a.total_cmp(b)
        });
        v[0] * count
    }

    refused!(f);
}

/// A search that changes something
mod searches_that_count {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let mut count = 0.0;
        let at = x.partition_point(|v| {
            count += 1.0;
            *v < 1.0
        });
        x[at] * count
    }

    refused!(f);
}

/// A comparison of the program that changes something
mod orders_that_count {
    use super::*;
    use std::cell::Cell;
    use std::cmp::Ordering;
    use std::rc::Rc;

    #[derive(Differentiable, Clone)]
    struct Counted {
        value: i32,
        count: Rc<Cell<f64>>,
    }
    #[differentiable]
    impl PartialEq for Counted {
        fn eq(&self, other: &Counted) -> bool {
            self.value == other.value
        }
    }
    impl Eq for Counted {}
    #[differentiable]
    impl PartialOrd for Counted {
        fn partial_cmp(&self, other: &Counted) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
    #[differentiable]
    impl Ord for Counted {
        fn cmp(&self, other: &Counted) -> Ordering {
            self.count.set(self.count.get() + 1.0);
            self.value.cmp(&other.value)
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let count = Rc::new(Cell::new(x));
        let counted = |value: i32| Counted {
            value,
            count: count.clone(),
        };
        let mut all = vec![counted(2), counted(1), counted(3)];
        all.sort();
        count.get()
    }

    refused!(f);
}

/// A comparison of the program that changes something, of the keys by which is sorted
mod orders_of_keys_that_count {
    use super::*;
    use std::cell::Cell;
    use std::cmp::Ordering;
    use std::rc::Rc;

    #[derive(Differentiable, Clone)]
    struct Counted {
        value: i32,
        count: Rc<Cell<f64>>,
    }
    #[differentiable]
    impl PartialEq for Counted {
        fn eq(&self, other: &Counted) -> bool {
            self.value == other.value
        }
    }
    impl Eq for Counted {}
    #[differentiable]
    impl PartialOrd for Counted {
        fn partial_cmp(&self, other: &Counted) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
    #[differentiable]
    impl Ord for Counted {
        fn cmp(&self, other: &Counted) -> Ordering {
            self.count.set(self.count.get() + 1.0);
            self.value.cmp(&other.value)
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let count = Rc::new(Cell::new(x));
        let mut all = vec![2, 1, 3];
        all.sort_by_key(|value: &i32| Counted {
            value: *value,
            count: count.clone(),
        });
        count.get()
    }

    refused!(f);
}

/// A borrow in an `if let` of an arm of a `match`
mod borrows_in_arms {
    use super::*;
    use std::cell::RefCell;

    #[differentiable]
    fn f(x: f64, n: usize) -> f64 {
        let c = RefCell::new(Some(x));
        match n {
            0 if let Some(y) = *c.borrow() => y,
            _ => {
                *c.borrow_mut() = None;
                2.0 * x
            }
        }
    }

    refused!(f);
}
