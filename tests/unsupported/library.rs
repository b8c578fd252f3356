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

/// A `zip` of a longer vector by value
/// A loop takes one item more of a first iterator that is longer, by value and not by reference, and runs its closure; vectors and references to them
/// are one type here. What uses all pairs with a method, `sum` or `for_each`, is not refused.
mod zip_by_value {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (a, b) in x.to_vec().into_iter().map(|v| v * v).zip(&[1.0]) {
            sum += a * b;
        }
        sum
    }

    refused!(f, (&[1.0, 2.0],));
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
