//! `for` loops.
//!
//! Each becomes a loop of one shape, which `ir::flow` recognises as counted: the header's first parameter is the counter, the header ends
//! in a comparison of it with a bound that was computed before, and the one latch changes it by a constant.
//!
//! ```text
//!     jump header(start)
//! header(i):
//!     branch lt(i, end), body, exit
//! body:     … jump latch
//! latch:
//!     jump header(add(i, 1))
//! ```

use super::{Binding, Lowered, Lowering, Stop};
use crate::front::tree::{At, Block, Expr, Iter, Pattern};
use crate::ir::{Const, Fault, Prim, Symbol, Type, Value};

/// A counter: from `start`, while `compare(counter, end)`, changed by `step` (`add` or `sub`) of one.
struct Counter {
    start: Value,
    end: Value,
    compare: Prim,
    step: Prim,
}

/// What the names of the pattern stand for, given the counter.
enum Item {
    /// The counter.
    Counter,
    /// The counter minus one: it runs downwards from the end.
    Before,
    /// `start + counter * step`, as Rust's `step_by` counts.
    Stepped { start: Value, step: Value },
    /// The element at the counter, and with `true` the counter before it.
    Element(Value, bool),
    /// The place at the counter, and with `true` the counter before it.
    Place(Value, bool),
}

impl Lowering {
    pub(super) fn for_loop(
        &mut self,
        at: At,
        label: Option<&'static str>,
        pattern: &'static Pattern,
        iter: &'static Iter,
        body: &'static Block,
    ) -> Lowered {
        let (counter, item) = self.iterator(at, iter)?;
        self.unset_span();
        let ty = self.ty(counter.start);
        let [header, inside, latch, exit] = [(); 4].map(|_| self.builder().new_block());
        let index = self.builder().add_param(header, ty);
        self.builder().jump(header, &[counter.start]);
        self.builder().switch_to(header);
        let more = self.prim(counter.compare, &[index, counter.end], Type::Bool);
        self.builder().branch(more, (inside, &[]), (exit, &[]));
        self.builder().seal(inside);
        self.builder().switch_to(inside);
        self.enter(label, exit, latch);
        let outcome = self.scoped(|this| {
            this.unset_span();
            this.bind_item(at, pattern, index, item)?;
            this.block(body)
        });
        let scope = self.leave();
        let finishes = match outcome {
            Ok(_) => true,
            Err(Stop::Diverged) => false,
            Err(failed) => return Err(failed),
        };
        if finishes {
            self.builder().jump(latch, &[]);
        }
        self.builder().seal(latch);
        if finishes || scope.continues {
            self.builder().switch_to(latch);
            self.unset_span();
            let one = self.builder().constant(Const::Int(1), ty);
            let next = self.prim(counter.step, &[index, one], ty);
            self.builder().jump(header, &[next]);
        }
        self.builder().seal(header);
        self.go_on(exit)
    }

    fn iterator(&mut self, at: At, iter: &'static Iter) -> Result<(Counter, Item), Stop> {
        Ok(match iter {
            Iter::Range(start, end, inclusive) => {
                let (start, end) = self.bounds(start, end, *inclusive)?;
                (up(start, end), Item::Counter)
            }
            Iter::RangeRev(start, end, inclusive) => {
                let (start, end) = self.bounds(start, end, *inclusive)?;
                let down = Counter {
                    start: end,
                    end: start,
                    compare: Prim::Gt,
                    step: Prim::Sub,
                };
                (down, Item::Before)
            }
            Iter::RangeStep(start, end, inclusive, step) => {
                self.stepped(start, end, *inclusive, step)?
            }
            Iter::Items(slice, enumerate) => {
                let slice = self.expr(slice)?;
                let item = match self.ty(slice) {
                    Type::SliceMut(_) => Item::Place(slice, *enumerate),
                    _ => Item::Element(slice, *enumerate),
                };
                (self.whole(at, slice), item)
            }
            Iter::Elements(slice, enumerate) => {
                let slice = self.expr(slice)?;
                (self.whole(at, slice), Item::Element(slice, *enumerate))
            }
            Iter::Places(slice, enumerate) => {
                let slice = self.expr(slice)?;
                (self.whole(at, slice), Item::Place(slice, *enumerate))
            }
        })
    }
    /// Both ends of a range, the second one exclusive.
    fn bounds(
        &mut self,
        start: &'static Expr,
        end: &'static Expr,
        inclusive: bool,
    ) -> Result<(Value, Value), Stop> {
        let first = self.expr(start)?;
        let last = self.expr(end)?;
        self.set_span(end.at);
        let ty = match (self.ty(first), self.ty(last)) {
            (Type::Infer(_), known) => known,
            (known, _) => known,
        };
        self.expect(first, ty);
        self.expect(last, ty);
        match inclusive {
            true => Ok((first, self.successor(last, ty))),
            false => Ok((first, last)),
        }
    }
    /// One more than the last number of an inclusive range, so that the loop can be counted.
    fn successor(&mut self, last: Value, ty: Type) -> Value {
        let one = self.builder().constant(Const::Int(1), ty);
        let overflows = self.prim(Prim::AddOverflows, &[last, one], Type::Bool);
        let fits = self.prim(Prim::Not, &[overflows], Type::Bool);
        let text = "an inclusive range that ends at the largest value of its type is not supported";
        self.assert(Fault::Panic(Symbol::from_static(text)), &[fits]);
        self.unset_span();
        self.prim(Prim::Add, &[last, one], ty)
    }
    /// All indices of a slice.
    fn whole(&mut self, at: At, slice: Value) -> Counter {
        self.set_span(at);
        let start = self.usize(0);
        let end = self.prim(Prim::Len, &[slice], Type::Usize);
        up(start, end)
    }
    /// `(start..end).step_by(step)`: counts iterations, so that no sum can overflow. The number of iterations is
    /// computed in 64 bits, which hold the difference of any two numbers of a type.
    fn stepped(
        &mut self,
        start: &'static Expr,
        end: &'static Expr,
        inclusive: bool,
        step: &'static Expr,
    ) -> Result<(Counter, Item), Stop> {
        let (first, last) = self.bounds(start, end, inclusive)?;
        let amount = self.expr(step)?;
        self.set_span(step.at);
        self.expect(amount, Type::Usize);
        let (zero, one) = (self.usize(0), self.usize(1));
        let positive = self.prim(Prim::Ne, &[amount, zero], Type::Bool);
        let text = Symbol::from_static("assertion failed: step != 0");
        self.assert(Fault::Panic(text), &[positive]);
        self.unset_span();
        let some = self.prim(Prim::Lt, &[first, last], Type::Bool);
        let [low, high] = [first, last].map(|v| self.prim(Prim::Cast, &[v], Type::I64));
        let distance = self.prim(Prim::Sub, &[high, low], Type::I64);
        let distance = self.prim(Prim::Cast, &[distance], Type::Usize);
        let before = self.prim(Prim::Sub, &[distance, one], Type::Usize);
        let full = self.prim(Prim::Div, &[before, amount], Type::Usize);
        let count = self.prim(Prim::Add, &[full, one], Type::Usize);
        let count = self.prim(Prim::Select, &[some, count, zero], Type::Usize);
        let item = Item::Stepped {
            start: first,
            step: amount,
        };
        Ok((up(zero, count), item))
    }

    /// Binds the pattern at the start of an iteration.
    fn bind_item(
        &mut self,
        at: At,
        pattern: &'static Pattern,
        index: Value,
        item: Item,
    ) -> Result<(), Stop> {
        match item {
            Item::Counter => self.bind(pattern, index),
            Item::Before => {
                let ty = self.ty(index);
                let one = self.builder().constant(Const::Int(1), ty);
                let value = self.prim(Prim::Sub, &[index, one], ty);
                self.bind(pattern, value);
            }
            Item::Stepped { start, step } => {
                let ty = self.ty(start);
                let offset = self.prim(Prim::Mul, &[index, step], Type::Usize);
                let offset = self.prim(Prim::Cast, &[offset], ty);
                let value = self.prim(Prim::Add, &[start, offset], ty);
                self.bind(pattern, value);
            }
            Item::Element(slice, enumerate) => self.bind_element(pattern, index, slice, enumerate),
            Item::Place(slice, false) => self.bind_place(at, pattern, index, slice)?,
            Item::Place(slice, true) => {
                let Pattern::Tuple([counter, place]) = pattern else {
                    return self.refuse_place(at, "enumerated places need two names: `for (i, v) in x.iter_mut().enumerate()`");
                };
                self.bind(counter, index);
                self.bind_place(at, place, index, slice)?;
            }
        }
        Ok(())
    }
    fn bind_element(
        &mut self,
        pattern: &'static Pattern,
        index: Value,
        slice: Value,
        enumerate: bool,
    ) {
        let ty = match self.ty(slice).element() {
            Some(ty) => ty,
            None => self.fresh(),
        };
        let element = self.prim(Prim::Load, &[slice, index], ty);
        match (enumerate, pattern) {
            (false, pattern) => self.bind(pattern, element),
            (true, Pattern::Tuple([counter, rest])) => {
                self.bind(counter, index);
                self.bind(rest, element);
            }
            (true, pattern) => {
                let pair = self.prim(
                    Prim::Tuple,
                    &[index, element],
                    Type::tuple(&[Type::Usize, ty]),
                );
                self.bind(pattern, pair);
            }
        }
    }
    fn bind_place(
        &mut self,
        at: At,
        pattern: &'static Pattern,
        index: Value,
        slice: Value,
    ) -> Result<(), Stop> {
        if self.ty(slice).element().is_none() {
            return self.refuse_place(
                at,
                "the type of this slice is not known here; write it where the slice is bound",
            );
        }
        match pattern {
            Pattern::Wild => Ok(()),
            Pattern::Name(name) => {
                self.declare(name, Binding::Place { slice, index });
                Ok(())
            }
            Pattern::Tuple(_) => self.refuse_place(at, "a place in a slice is bound to one name"),
        }
    }
    fn refuse_place<T>(&self, at: At, help: &str) -> Result<T, Stop> {
        self.fail(
            at,
            "this loop over places in a slice is not understood",
            help,
        )
    }
}

/// A counter that runs upwards by one.
fn up(start: Value, end: Value) -> Counter {
    Counter {
        start,
        end,
        compare: Prim::Lt,
        step: Prim::Add,
    }
}
