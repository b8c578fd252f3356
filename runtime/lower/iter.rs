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

use super::Lowered;
use super::body::Body;
use super::pattern::{Subject, Taking};
use super::place::{Spot, is_constant, reached};
use super::sequence::Sequence;
use crate::front::repr::repr;
use crate::front::ty::Ty;
use crate::front::typed::{Expr, ExprKind, Iter, LoopId, Pattern, Source};
use crate::ir::{Const, Prim, Type, Value};

/// A counter: it begins at `start`, runs while `compare(counter, end)` holds, and changes by 1 with `step` (`add` or `sub`).
struct Counter {
    start: Value,
    end: Value,
    compare: Prim,
    step: Prim,
}

/// The items of a loop, by position.
enum Items {
    /// The position itself.
    Counter,
    /// The position minus one: the counter runs downwards from the end.
    Before(Box<Items>),
    /// Consecutive integers from this one on.
    From(Value),
    /// Elements, or their addresses.
    Elements(Sequence, bool),
    /// Subslices: the distance between their starts (1 if `None`), their length, and the total length if the last one may be shorter.
    Parts {
        sequence: Sequence,
        size: Value,
        apart: bool,
        shorter: bool,
    },
    /// Pairs.
    Zip(Box<Run>, Box<Run>),
    /// Positions and items.
    Numbered(Box<Run>),
    /// From a last position backwards, in steps.
    Arranged {
        items: Box<Items>,
        last: Option<Value>,
        step: Option<Value>,
    },
}

/// The items of a loop: their count and type.
struct Run {
    count: Value,
    items: Items,
    ty: Ty,
}

impl<'p> Body<'_, 'p> {
    pub fn for_loop(
        &mut self,
        expr: &'p Expr,
        id: LoopId,
        pattern: &'p Pattern,
        iter: &'p Iter,
        body: &'p Expr,
    ) -> Lowered {
        let (counter, items) = self.counter(expr, iter)?;
        self.unset_span();
        let ty = self.ty(counter.start);
        let [header, inside, latch, exit] = [(); 4].map(|_| self.b.new_block());
        let index = self.b.add_param(header, ty);
        self.b.jump(header, &[counter.start]);
        self.b.switch_to(header);
        let more = self.prim(counter.compare, &[index, counter.end]);
        self.b.branch(more, (inside, &[]), (exit, &[]));
        self.b.seal(inside);
        self.b.switch_to(inside);
        self.enter(id, exit, latch);
        let finishes = reached(self.turn(pattern, iter, &items, index, body))?.is_some();
        let scope = self.leave(id);
        if finishes {
            self.b.jump(latch, &[]);
        }
        self.b.seal(latch);
        if finishes || scope.continues {
            self.b.switch_to(latch);
            self.unset_span();
            let one = self.b.int(1, ty);
            let next = self.prim(counter.step, &[index, one]);
            self.b.jump(header, &[next]);
        }
        self.b.seal(header);
        self.go_on(exit)
    }
    /// One iteration of the loop.
    fn turn(
        &mut self,
        pattern: &'p Pattern,
        iter: &'p Iter,
        items: &Items,
        index: Value,
        body: &'p Expr,
    ) -> Lowered<()> {
        let spot = self.item(items, index);
        let subject = Subject {
            spot: &spot,
            ty: iter.item,
            tag: None,
            taking: Taking::Borrow,
        };
        self.matches(pattern, subject, None)?;
        self.expr(body).map(|_| ())
    }

    fn counter(&mut self, expr: &'p Expr, iter: &'p Iter) -> Lowered<(Counter, Items)> {
        if let Source::Range(from, to, inclusive) = &iter.source
            && iter.step.is_none()
            && !iter.enumerate
            && !(*inclusive && is_narrow(iter.item))
        {
            let (start, end) = self.bounds(from, to, *inclusive)?;
            return Ok(match iter.rev {
                false => (up(start, end), Items::Counter),
                true => (down(end, start), Items::Before(Box::new(Items::Counter))),
            });
        }
        if iter.rev && iter.step.is_none() {
            let run = self.numbered(expr, iter)?;
            let zero = self.usize(0);
            return Ok((down(run.count, zero), Items::Before(Box::new(run.items))));
        }
        let run = self.run(expr, iter)?;
        let zero = self.usize(0);
        Ok((up(zero, run.count), run.items))
    }
    /// The items of an iterator.
    fn run(&mut self, expr: &'p Expr, iter: &'p Iter) -> Lowered<Run> {
        let mut run = self.numbered(expr, iter)?;
        let amount = match &iter.step {
            None => None,
            Some(step) => {
                let amount = self.expr(step)?;
                self.b.span = step.span;
                let zero = self.usize(0);
                let positive = self.prim(Prim::Ne, &[amount, zero]);
                self.require(positive, "assertion failed: step != 0");
                Some(amount)
            }
        };
        self.unset_span();
        let one = self.usize(1);
        let last = match iter.rev {
            true => Some(self.prim(Prim::Sub, &[run.count, one])),
            false => None,
        };
        if last.is_some() || amount.is_some() {
            run.items = Items::Arranged {
                items: Box::new(run.items),
                last,
                step: amount,
            };
        }
        if let Some(amount) = amount {
            run.count = self.rounded_up(run.count, amount);
        }
        Ok(run)
    }
    /// The items of an iterator's source, with their positions if it has them.
    fn numbered(&mut self, expr: &'p Expr, iter: &'p Iter) -> Lowered<Run> {
        let run = self.source(expr, iter)?;
        self.unset_span();
        Ok(match iter.enumerate {
            false => run,
            true => Run {
                count: run.count,
                ty: Ty::tuple(&[Ty::USIZE, run.ty]),
                items: Items::Numbered(Box::new(run)),
            },
        })
    }
    /// `count / size`, rounded up.
    fn rounded_up(&mut self, count: Value, size: Value) -> Value {
        let (zero, one) = (self.usize(0), self.usize(1));
        let some = self.prim(Prim::Ne, &[count, zero]);
        let before = self.prim(Prim::Sub, &[count, one]);
        let full = self.prim(Prim::Div, &[before, size]);
        let rounded = self.prim(Prim::Add, &[full, one]);
        self.prim(Prim::Select, &[some, rounded, zero])
    }
    /// The items of an iterator's source alone.
    fn source(&mut self, expr: &'p Expr, iter: &'p Iter) -> Lowered<Run> {
        let ty = match (iter.enumerate, iter.item) {
            (true, Ty::Tuple(&[_, item])) => item,
            (_, item) => item,
        };
        Ok(match &iter.source {
            Source::Range(from, to, true) if is_narrow(ty) => {
                let start = self.expr(from)?;
                let last = self.expr(to)?;
                self.unset_span();
                let some = self.prim(Prim::Le, &[start, last]);
                let [low, high] =
                    [start, last].map(|v| self.b.prim_to(Prim::Cast, &[v], Type::I64));
                let before = self.prim(Prim::Sub, &[high, low]);
                let before = self.b.prim_to(Prim::Cast, &[before], Type::Usize);
                let (zero, one) = (self.usize(0), self.usize(1));
                let count = self.prim(Prim::Add, &[before, one]);
                Run {
                    count: self.prim(Prim::Select, &[some, count, zero]),
                    items: Items::From(start),
                    ty,
                }
            }
            Source::Range(from, to, inclusive) => {
                let (start, end) = self.bounds(from, to, *inclusive)?;
                self.unset_span();
                Run {
                    count: self.distance(start, end),
                    items: Items::From(start),
                    ty,
                }
            }
            Source::Elements(slice, addresses) => {
                let sequence = match &slice.kind {
                    // A table of constants is created only once.
                    ExprKind::AsSlice(table) if !addresses && is_constant(table) => {
                        self.on_entry(|this| this.sequence_of(table))?
                    }
                    _ => self.sequence_of(slice)?,
                };
                // A mutable reference to a slice is the slice.
                let addresses = *addresses && matches!(ty, Ty::Mut(_));
                Run {
                    count: sequence.length,
                    items: Items::Elements(sequence, addresses),
                    ty,
                }
            }
            Source::Windows(slice, size) => {
                let sequence = self.sequence_of(slice)?;
                let size = self.size(size, expr, "window size must be non-zero")?;
                let length = sequence.length;
                let (zero, one) = (self.usize(0), self.usize(1));
                let fits = self.prim(Prim::Le, &[size, length]);
                let last = self.prim(Prim::Sub, &[length, size]);
                let count = self.prim(Prim::Add, &[last, one]);
                Run {
                    count: self.prim(Prim::Select, &[fits, count, zero]),
                    items: Items::Parts {
                        sequence,
                        size,
                        apart: false,
                        shorter: false,
                    },
                    ty,
                }
            }
            Source::Chunks(slice, size, exact) => {
                let sequence = self.sequence_of(slice)?;
                let size = self.size(size, expr, "chunk size must be non-zero")?;
                let count = match exact {
                    true => self.prim(Prim::Div, &[sequence.length, size]),
                    false => self.rounded_up(sequence.length, size),
                };
                Run {
                    count,
                    items: Items::Parts {
                        sequence,
                        size,
                        apart: true,
                        shorter: !exact,
                    },
                    ty,
                }
            }
            Source::Zip(first, second) => {
                let first = self.run(expr, first)?;
                let second = self.run(expr, second)?;
                let shorter = self.prim(Prim::Lt, &[first.count, second.count]);
                Run {
                    count: self.prim(Prim::Select, &[shorter, first.count, second.count]),
                    ty,
                    items: Items::Zip(Box::new(first), Box::new(second)),
                }
            }
        })
    }
    /// The length of subslices, checked. The instructions after the check are generated.
    fn size(&mut self, size: &'p Expr, expr: &Expr, text: &'static str) -> Lowered {
        let size = self.expr(size)?;
        self.b.span = expr.span;
        let zero = self.usize(0);
        let positive = self.prim(Prim::Ne, &[size, zero]);
        self.require(positive, text);
        self.unset_span();
        Ok(size)
    }
    /// Both ends of a range, the second one exclusive.
    fn bounds(&mut self, from: &'p Expr, to: &'p Expr, inclusive: bool) -> Lowered<(Value, Value)> {
        let first = self.expr(from)?;
        let last = self.expr(to)?;
        self.b.span = to.span;
        if !inclusive {
            return Ok((first, last));
        }
        // Plus one, so that the loop can be counted.
        let one = self.b.int(1, self.ty(last));
        let overflows = self.prim(Prim::AddOverflows, &[last, one]);
        let fits = self.prim(Prim::Not, &[overflows]);
        let text = "an inclusive range that ends at the largest value of its type is not supported: \
                    count in a wider type, or write a `loop`";
        self.require(fits, text);
        self.unset_span();
        Ok((first, self.prim(Prim::Add, &[last, one])))
    }
    /// The number of integers in a range. It is computed in 64 bits, which can hold the difference of any two numbers of the type.
    fn distance(&mut self, first: Value, last: Value) -> Value {
        if self.b.function.as_const(first) == Some(Const::Int(0)) && self.ty(last) == Type::Usize {
            return last;
        }
        let zero = self.usize(0);
        let some = self.prim(Prim::Lt, &[first, last]);
        let [low, high] = [first, last].map(|v| self.b.prim_to(Prim::Cast, &[v], Type::I64));
        let distance = self.prim(Prim::Sub, &[high, low]);
        let distance = self.b.prim_to(Prim::Cast, &[distance], Type::Usize);
        self.prim(Prim::Select, &[some, distance, zero])
    }

    /// The item at a position.
    fn item(&mut self, items: &Items, position: Value) -> Spot {
        match items {
            Items::Counter => Spot::Value(position),
            Items::Before(items) => {
                let one = self.b.int(1, self.ty(position));
                let position = self.prim(Prim::Sub, &[position, one]);
                self.item(items, position)
            }
            Items::From(first) => {
                let offset = self.b.prim_to(Prim::Cast, &[position], self.ty(*first));
                Spot::Value(self.prim(Prim::Add, &[*first, offset]))
            }
            Items::Elements(sequence, addresses) => {
                match (self.element(sequence, position), addresses) {
                    (spot, false) => spot,
                    (Spot::Element { slice, index }, true) => Spot::Borrowed { slice, index },
                    (Spot::Memory(address, _), true) => Spot::Value(address),
                    (spot, true) => spot,
                }
            }
            Items::Parts {
                sequence,
                size,
                apart,
                shorter,
            } => {
                let start = match apart {
                    true => self.prim(Prim::Mul, &[position, *size]),
                    false => position,
                };
                let mut count = *size;
                if *shorter {
                    let left = self.prim(Prim::Sub, &[sequence.length, start]);
                    let whole = self.prim(Prim::Lt, &[count, left]);
                    count = self.prim(Prim::Select, &[whole, count, left]);
                }
                Spot::Value(self.part_of(sequence, start, count))
            }
            Items::Zip(first, second) => {
                let [first, second] =
                    [first, second].map(|run| Box::new((self.item(&run.items, position), run.ty)));
                Spot::Pair(first, second)
            }
            Items::Numbered(run) => Spot::Pair(
                Box::new((Spot::Value(position), Ty::USIZE)),
                Box::new((self.item(&run.items, position), run.ty)),
            ),
            Items::Arranged { items, last, step } => {
                let mut at = position;
                if let Some(step) = step {
                    at = self.prim(Prim::Mul, &[at, *step]);
                }
                if let Some(last) = last {
                    at = self.prim(Prim::Sub, &[*last, at]);
                }
                self.item(items, at)
            }
        }
    }
}

/// Whether 64 bits can count all integers of a type, including the largest.
fn is_narrow(ty: Ty) -> bool {
    matches!(
        repr(ty),
        Type::I8 | Type::I16 | Type::I32 | Type::U8 | Type::U16 | Type::U32
    )
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

/// A counter that runs downwards by one.
fn down(start: Value, end: Value) -> Counter {
    Counter {
        start,
        end,
        compare: Prim::Gt,
        step: Prim::Sub,
    }
}
