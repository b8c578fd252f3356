//! Whole matrices of derivatives: Hessians and Jacobians, several rows or columns at a time.
//!
//! A compiled function carries up to eight directions at a time, which share the primal. The arguments of a call are given once more for each
//! direction (`api::call::Twin`), so that their objects have memory for tangents; numbers and slices of numbers have no objects, and are given once.
//! Native rules take one tangent for each argument, and functions on demand are derived along one direction: such functions run one direction at a
//! time, or are derived together with their callers.
//!
//! Threads share the calls that are needed for all directions, if a call takes long enough, works without arrays, and changes none of the caller's
//! memory. Each thread reads the same arguments, and writes to directions and results of its own.

use super::derived::dual_calls::{Derivatives, DualCall, Products};
use super::derived::{Compiled, Derived, ProgramKind, activity};
use super::frule::{directions, repeatable};
use super::leaves::{count_floats, fill_floats, floats_into};
use super::visit::{Number, Row, Visit, Visitor};
use super::{Argument, DifferentiableFn, GradientSink, Returned, Tangent};
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::exec::threads::{self, WORTH_HELP};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Rows of numbers: `m[i][j]`.
pub type Rows = Vec<Vec<f64>>;

/// Values with gradients and Hessians. Immutable, as [`RRule`](super::RRule) is.
///
/// It takes the derivative of the gradient along up to eight directions at once, which share the values and the control flow. Of large functions it
/// takes fewer at a time, and of those with native rules one. Threads share the directions of functions that take long, if all arguments are numbers and
/// shared references, and none has arrays in it. Results do not depend on how many threads there are.
///
/// ```
/// use mooncake::Const;
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn energy(x: &[f64], stiffness: f64) -> f64 {
///     stiffness * (x[0] - x[1]) * (x[0] - x[1]) + x[0] * x[0] * x[0]
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let hessian = Context::default().build_hessian::<energy>()?;
/// let (y, (dx, ()), h) = hessian.value_gradient_and_hessian((&[1.0, 2.0], Const(4.0)))?;
/// assert_eq!((y, dx), (5.0, vec![-5.0, 8.0]));
/// assert_eq!(h, [[14.0, -8.0], [-8.0, 8.0]]);
/// # Ok(())
/// # }
/// ```
pub struct Hessian<F> {
    derived: Arc<Derived>,
    function: PhantomData<fn() -> F>,
}

super::derived::shared!(Hessian { derived, function });

impl<F: DifferentiableFn> Hessian<F> {
    /// The value, the gradient and the Hessian: `h[i][j]`, where i and j count the floats of all arguments that are not [`Const`](crate::Const), in the
    /// order in which the gradient has them: fields as they are declared, elements by their indices, a cell where it is come to first. What the
    /// function writes to its arguments is undone.
    ///
    /// # Errors
    /// If the function fails on these arguments, or if its result is no single float.
    pub fn value_gradient_and_hessian<'a, A>(
        &self,
        mut args: A,
    ) -> Result<(F::Output, A::Gradient, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
    {
        let width = count_floats(&mut args.gradient());
        self.along(&mut args, width, unit)
    }

    /// The value, the gradient, and the entries of the Hessian where the pattern has some: `h[i][k]` is the one in row i and column
    /// `pattern.rows()[i][k]`. Columns that have no row in common are computed together, so a band takes as many directions as it is wide, however
    /// many variables there are.
    ///
    /// One more product, along a direction of random numbers, tells whether the pattern lacks entries: all but those that are less than a ten-millionth of
    /// their row, of f32 a thousandth.
    ///
    /// # Errors
    /// As there; if the pattern has not one row and one column for each float; and if the Hessian has entries here that the pattern lacks.
    ///
    /// ```
    /// use mooncake::Pattern;
    /// use mooncake::prelude::*;
    ///
    /// #[differentiable]
    /// fn chain(x: &[f64]) -> f64 {
    ///     (1..x.len()).map(|i| x[i - 1] * x[i] * x[i]).sum()
    /// }
    ///
    /// # fn main() -> mooncake::Result<()> {
    /// let hessian = Context::default().build_hessian::<chain>()?;
    /// let neighbours = Pattern::band(4, 1);
    /// let (_, _, h) = hessian.value_gradient_and_sparse_hessian((&[1.0, 2.0, 3.0, 4.0],), &neighbours)?;
    /// assert_eq!(h[1], [4.0, 2.0, 6.0]); // Columns 0, 1 and 2.
    /// # Ok(())
    /// # }
    /// ```
    pub fn value_gradient_and_sparse_hessian<'a, A>(
        &self,
        mut args: A,
        pattern: &Pattern,
    ) -> Result<(F::Output, A::Gradient, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
    {
        let mut gradient = args.gradient();
        pattern.fits(count_floats(&mut gradient), true)?;
        let rounding = rounding(&mut gradient);
        let directions = pattern.directions() + 1;
        let along = |group, n| pattern.direction(group, n);
        let (value, gradient, products) = self.along(&mut args, directions, along)?;
        Ok((value, gradient, pattern.entries(&products, rounding)?))
    }

    /// The value, the gradient, and the products of the Hessian with so many directions, of which `at` says the floats.
    fn along<'a, A>(
        &self,
        args: &mut A,
        count: usize,
        at: impl Fn(usize, usize) -> f64,
    ) -> Result<(F::Output, A::Gradient, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
    {
        let active = activity::<F::Args<'a>, A>();
        let along = directions::<F::Args<'a>, A, A::Gradient>()?;
        let mut chunks = Chunks::new(&self.derived, count, at);
        let kind = ProgramKind::Hvp(chunks.at_once);
        let compiled = self.derived.compiled(kind, &active.and(&along))?;
        let seed = self
            .derived
            .one::<F::Args<'a>, A, F::Output>(compiled, args)?;
        let at_once = chunks.at_once;
        let new = |args: &A| Products {
            directions: (0..at_once).map(|_| args.gradient()).collect(),
            seed: seed.as_ref(),
            gradient: args.gradient(),
            found: (0..at_once).map(|_| args.gradient()).collect(),
        };
        let mut pass = new(args);
        let mut rows = Rows::with_capacity(count);
        let value = chunks.first::<F::Args<'a>, _, _, _>(compiled, args, &mut pass, &mut rows)?;
        chunks.rest::<F::Args<'a>, _, F::Output, _>(compiled, args, &mut pass, new, &mut rows)?;
        Ok((value, pass.gradient, rows))
    }
}

/// Values with Jacobians. Immutable, as [`RRule`](super::RRule) is.
///
/// It goes forward along up to eight directions at once where there are few floats in the arguments, or many in the result; and backward
/// from each float of the result where there are far fewer of these, and where a rule has no tangent. Each way is compiled when it is first gone.
/// Threads share the directions forward as they do for a [`Hessian`].
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn polar(r: f64, phi: f64) -> (f64, f64) {
///     (r * phi.cos(), r * phi.sin())
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let jacobian = Context::default().build_jacobian::<polar>()?;
/// let (y, j) = jacobian.value_and_jacobian((2.0, 0.0))?;
/// assert_eq!(y, (2.0, 0.0));
/// assert_eq!(j, [[1.0, 0.0], [0.0, 2.0]]);
/// # Ok(())
/// # }
/// ```
pub struct Jacobian<F> {
    derived: Arc<Derived>,
    /// How many floats the last result had, plus one. 0 before the first.
    height: Arc<AtomicUsize>,
    /// Whether forward mode has failed where reverse mode did not: a rule of some pack has no tangent.
    only_backward: Arc<AtomicBool>,
    function: PhantomData<fn() -> F>,
}

super::derived::shared!(Jacobian {
    derived,
    height,
    only_backward,
    function
});

impl<F> Jacobian<F>
where
    F: DifferentiableFn<Output: Returned<Cotangent: Visit>>,
{
    /// The value and the Jacobian: `j[i][k]` is the derivative of the i-th float of the result with respect to the k-th of all arguments that are
    /// not [`Const`](crate::Const).
    ///
    /// # Errors
    /// If the function fails on these arguments; and for functions of `&mut` slices, which a second pass would find changed. What the function
    /// writes to other arguments is not taken over.
    pub fn value_and_jacobian<'a, A>(&self, mut args: A) -> Result<(F::Output, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
    {
        repeatable::<F>()?;
        let width = count_floats(&mut args.gradient());
        if self.only_backward.load(Ordering::Relaxed) {
            return self.backward(args, width);
        }
        let chunks = Chunks::new(&self.derived, width, unit);
        // Another call may have had a result of another height: then this one goes the longer way, or half of it.
        if let Some(height) = self.height.load(Ordering::Relaxed).checked_sub(1)
            && chunks.is_tall(height)
        {
            return self.backward(args, width);
        }
        match self.forward(&mut args, chunks, true) {
            // A rule without a tangent is an error when the forward pass is compiled.
            Err(error @ Error::User(_)) => {
                let rows = self.backward(args, width).map_err(|_| error)?;
                self.only_backward.store(true, Ordering::Relaxed);
                Ok(rows)
            }
            Err(error) => Err(error),
            Ok(Some(Columns {
                value,
                height,
                columns,
            })) => {
                let row = |i: usize| columns.iter().map(|column| column[i]).collect();
                Ok((value, (0..height).map(row).collect()))
            }
            Ok(None) => self.backward(args, width),
        }
    }

    /// The value, and the entries of the Jacobian where the pattern has some: `j[i][k]` is the one in row i and column `pattern.rows()[i][k]`. Columns that
    /// have no row in common are computed together. One more derivative, along a direction of random numbers, tells whether the pattern lacks entries, as for
    /// [sparse Hessians](Hessian::value_gradient_and_sparse_hessian).
    ///
    /// # Errors
    /// As for the whole Jacobian; if the pattern has not one row for each float of the result and one column for each of the arguments; and if
    /// the Jacobian has entries here that the pattern lacks.
    pub fn value_and_sparse_jacobian<'a, A>(
        &self,
        mut args: A,
        pattern: &Pattern,
    ) -> Result<(F::Output, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
    {
        repeatable::<F>()?;
        let mut gradient = args.gradient();
        pattern.fits(count_floats(&mut gradient), false)?;
        let rounding = rounding(&mut gradient);
        let directions = pattern.directions() + 1;
        let along = |group, n| pattern.direction(group, n);
        let chunks = Chunks::new(&self.derived, directions, along);
        let found = self.forward(&mut args, chunks, false)?;
        let Columns { value, columns, .. } = found.ok_or_else(nothing)?;
        Ok((value, pattern.entries(&columns, rounding)?))
    }

    /// The value and the derivatives along directions. None, if a matrix is made backward in less time.
    fn forward<'a, A>(
        &self,
        args: &mut A,
        mut chunks: Chunks<impl Fn(usize, usize) -> f64>,
        or_backward: bool,
    ) -> Result<Option<Columns<F::Output>>>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: Tangent<F::Args<'a>, A> + Visit,
    {
        let along = directions::<F::Args<'a>, A, A::Gradient>()?;
        let kind = ProgramKind::Dual(chunks.at_once);
        let compiled = self.derived.compiled(kind, &along)?;
        let at_once = chunks.at_once;
        let new = |args: &A| Derivatives {
            directions: (0..at_once).map(|_| args.gradient()).collect(),
            found: Vec::new(),
        };
        let mut pass = new(args);
        let mut columns = Rows::with_capacity(chunks.count);
        let value = chunks.first::<F::Args<'a>, _, F::Output, _>(
            compiled,
            args,
            &mut pass,
            &mut columns,
        )?;
        let height = pass.found.first_mut().map_or(0, count_floats);
        self.height.store(height + 1, Ordering::Relaxed);
        if or_backward && chunks.is_tall(height) {
            return Ok(None);
        }
        chunks.rest::<F::Args<'a>, _, F::Output, _>(
            compiled,
            args,
            &mut pass,
            new,
            &mut columns,
        )?;
        Ok(Some(Columns {
            value,
            height,
            columns,
        }))
    }

    /// Row by row, in reverse mode.
    fn backward<'a, A>(&self, mut args: A, width: usize) -> Result<(F::Output, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient> + Visit,
    {
        let compiled = self
            .derived
            .compiled(ProgramKind::Split, &activity::<F::Args<'a>, A>())?;
        let host = compiled.host();
        let mut rows = Rows::new();
        let mut slot = args.gradient();
        loop {
            let (mut given, mut tables) = (compiled.start(true), super::call::Tables::default());
            let call = (&mut given, &mut tables);
            let value: F::Output = compiled.forward(call, &mut args, &host)?;
            let mut seed = value.zero_cotangent();
            let height = count_floats(&mut seed);
            self.height.store(height + 1, Ordering::Relaxed);
            fill_floats(&mut seed, |n| unit(rows.len(), n));
            let call = (&mut given, &mut tables);
            compiled.pull_back::<F::Args<'a>, A, F::Output>(
                call, &mut args, &host, &seed, &mut slot, false,
            )?;
            if height > 0 {
                let mut row = Vec::with_capacity(width);
                floats_into(&mut slot, &mut row)?;
                rows.push(row);
            }
            if rows.len() >= height {
                return Ok((value, rows));
            }
        }
    }
}

/// What forward mode gives: the value, how many floats it has, and their derivatives along each direction.
struct Columns<R> {
    value: R,
    height: usize,
    columns: Rows,
}

/// What one call along some of the directions works with.
trait Pass {
    type Direction: Visit;
    type Found: Visit;
    fn directions(&mut self) -> &mut [Self::Direction];
    /// What has been found along each of them.
    fn found(&mut self) -> &mut [Self::Found];
}

impl<T: Visit, G: Visit, C> Pass for Products<'_, T, G, C> {
    type Direction = T;
    type Found = G;
    fn directions(&mut self) -> &mut [T] {
        &mut self.directions
    }
    fn found(&mut self) -> &mut [G] {
        &mut self.found
    }
}

impl<T: Visit, C: Visit> Pass for Derivatives<T, C> {
    type Direction = T;
    type Found = C;
    fn directions(&mut self) -> &mut [T] {
        &mut self.directions
    }
    fn found(&mut self) -> &mut [C] {
        &mut self.found
    }
}

/// Directions in a space of gradients, some at a time.
struct Chunks<F> {
    /// How many there are.
    count: usize,
    /// How many are taken at once.
    at_once: usize,
    /// How many have been taken.
    taken: usize,
    /// The floats of each direction.
    at: F,
    /// How long the first call took.
    elapsed: Duration,
}

impl<F: Fn(usize, usize) -> f64> Chunks<F> {
    fn new(derived: &Derived, count: usize, at: F) -> Chunks<F> {
        Chunks {
            count,
            at_once: derived.directions(count),
            taken: 0,
            at,
            elapsed: Duration::ZERO,
        }
    }
    /// How many calls there are to make.
    fn left(&self) -> usize {
        self.count.saturating_sub(self.taken).div_ceil(self.at_once)
    }
    /// Whether a matrix of so many rows, of which a pass has been made forward already, is made backward in less time: a pass forward takes
    /// about 1 + 0.7 k times as long as the function, with k directions, and a pass backward four times.
    fn is_tall(&self, height: usize) -> bool {
        let forward = self.count.div_ceil(self.at_once).saturating_sub(1);
        40 * height < forward * (10 + 7 * self.at_once)
    }
    /// Goes along the first directions, and gives the value: also if there are no directions at all.
    fn first<P, A: Argument<P>, R, W: DualCall<P, A, R> + Pass>(
        &mut self,
        compiled: &Compiled,
        args: &mut A,
        pass: &mut W,
        rows: &mut Rows,
    ) -> Result<R> {
        let began = Instant::now();
        self.fill(pass);
        let value = compiled.call_dual(args, pass)?;
        self.elapsed = began.elapsed();
        self.take(pass, rows)?;
        Ok(value)
    }
    /// Goes along all others, on several threads if the first call took long enough and the arguments are only read. Each thread has a pass of its own.
    fn rest<P, A: Argument<P>, R, W: DualCall<P, A, R> + Pass>(
        &mut self,
        compiled: &Compiled,
        args: &mut A,
        pass: &mut W,
        new: impl Fn(&A) -> W,
        rows: &mut Rows,
    ) -> Result<()> {
        let threads = match self.elapsed >= WORTH_HELP && compiled.is_for_threads() {
            true => threads::count().min(self.left()),
            false => 1,
        };
        let others = (1..threads).map_while(|_| args.again());
        let mut others: Vec<(A, W)> = others
            .map(|again| {
                let pass = new(&again);
                (again, pass)
            })
            .collect();
        let mut all = vec![(args, pass)];
        all.extend(others.iter_mut().map(|(args, pass)| (args, pass)));
        while self.left() > 0 {
            let some = self.left().min(all.len());
            for (_, pass) in &mut all[..some] {
                self.fill(*pass);
            }
            let some_of = &mut all[..some];
            let is_done = some > 1 && compiled.call_dual_each(some_of).is_ok();
            // What fails beside others is made again here: another thread has a stack of another size, and of several errors the first is that of the call.
            if !is_done {
                for (args, pass) in some_of {
                    compiled.call_dual(*args, *pass)?;
                }
            }
            for (_, pass) in &mut all[..some] {
                self.take(*pass, rows)?;
            }
        }
        Ok(())
    }
    /// Gives the next directions to a pass. Those beyond the last mean nothing.
    fn fill(&mut self, pass: &mut impl Pass) {
        for (n, direction) in pass.directions().iter_mut().enumerate() {
            fill_floats(direction, |float| (self.at)(self.taken + n, float));
        }
        self.taken += self.at_once;
    }
    /// Adds what a pass has found to the rows.
    fn take(&self, pass: &mut impl Pass, rows: &mut Rows) -> Result<()> {
        let left = self.count - rows.len();
        for whole in pass.found().iter_mut().take(left) {
            let mut row = Vec::with_capacity(rows.last().map_or(0, Vec::len));
            floats_into(whole, &mut row)?;
            rows.push(row);
        }
        Ok(())
    }
}

/// Where a matrix may have entries other than zero, and which columns are computed together: those that have no row in common (Curtis, Powell and
/// Reid 1974, *On the estimation of sparse Jacobian matrices*).
#[derive(Clone, Debug)]
pub struct Pattern {
    rows: Vec<Vec<usize>>,
    /// With which others each column is computed.
    groups: Vec<usize>,
    count: usize,
}

impl Pattern {
    /// A pattern by the columns of each row, of a matrix with so many columns.
    ///
    /// # Errors
    /// If a row has a column that the matrix has not, or one twice.
    pub fn new(rows: Vec<Vec<usize>>, columns: usize) -> Result<Pattern> {
        // Of each column the last row that has it.
        let mut last = vec![None; columns];
        for (i, row) in rows.iter().enumerate() {
            for &column in row {
                let wrong = match last[..].get(column) {
                    None => format!("column {column}; there are {columns} columns"),
                    Some(&last) if last == Some(i) => format!("column {column} twice"),
                    Some(_) => {
                        last[column] = Some(i);
                        continue;
                    }
                };
                return Err(Error::Array(format!("row {i} of the pattern has {wrong}")));
            }
        }
        Ok(Pattern::grouped(rows, columns))
    }
    /// That of a square matrix with a diagonal and so many others on each side of it.
    pub fn band(n: usize, beside: usize) -> Pattern {
        let end = |i: usize| n.min(i.saturating_add(beside).saturating_add(1));
        let row = |i: usize| (i.saturating_sub(beside)..end(i)).collect();
        Pattern::grouped((0..n).map(row).collect(), n)
    }
    /// Puts each column into the first group in which none has a row in common with it.
    fn grouped(rows: Vec<Vec<usize>>, columns: usize) -> Pattern {
        let mut with = vec![Vec::new(); columns];
        for (i, row) in rows.iter().enumerate() {
            row.iter().for_each(|&column| with[column].push(i));
        }
        let mut groups: Vec<usize> = Vec::with_capacity(columns);
        // Of each group the last column that it is not for, plus one.
        let mut taken: Vec<usize> = Vec::new();
        for (column, rows_with) in with.iter().enumerate() {
            for &other in rows_with.iter().flat_map(|&row| &rows[row]) {
                if let Some(&group) = groups.get(other) {
                    taken[group] = column + 1;
                }
            }
            let free = taken.iter().position(|&by| by != column + 1);
            groups.push(free.unwrap_or(taken.len()));
            if free.is_none() {
                taken.push(0);
            }
        }
        Pattern {
            rows,
            groups,
            count: taken.len(),
        }
    }
    /// The columns of each row.
    pub fn rows(&self) -> &[Vec<usize>] {
        &self.rows
    }
    /// How many directions it takes.
    pub fn directions(&self) -> usize {
        self.count
    }

    fn fits(&self, floats: usize, square: bool) -> Result<()> {
        let (rows, columns) = (self.rows.len(), self.groups.len());
        match columns == floats && (!square || rows == floats) {
            true => Ok(()),
            false => Err(Error::Array(format!(
                "the pattern has {rows} rows and {columns} columns; the arguments have {floats} floats"
            ))),
        }
    }
    /// The n-th float of the sum of the unit vectors of a group; after the last, of a direction of random numbers.
    fn direction(&self, group: usize, n: usize) -> f64 {
        match group == self.count {
            true => random(n),
            false => unit(group, self.groups[n]),
        }
    }
    /// The entries, of the products with all groups and with random numbers, which are off by so much of a row's size.
    fn entries(&self, products: &[Vec<f64>], rounding: f64) -> Result<Rows> {
        let (probe, groups) = products.split_last().ok_or_else(nothing)?;
        if probe.len() != self.rows.len() {
            return Err(Error::Array(format!(
                "the pattern has {} rows; the result has {} floats",
                self.rows.len(),
                probe.len()
            )));
        }
        let mut entries = Rows::with_capacity(self.rows.len());
        for (i, row) in self.rows.iter().enumerate() {
            let found: Vec<f64> = row.iter().map(|&j| groups[self.groups[j]][i]).collect();
            let terms = row.iter().zip(&found).map(|(&j, h)| h * random(j));
            let (sum, size) =
                terms.fold((0.0, 0.0), |(sum, size), t: f64| (sum + t, size + t.abs()));
            let off = (sum - probe[i]).abs();
            if off > rounding * (size + probe[i].abs()) || (probe[i].is_nan() && !sum.is_nan()) {
                return Err(Error::Array(format!(
                    "row {i} of the matrix has entries that the pattern lacks"
                )));
            }
            entries.push(found);
        }
        Ok(entries)
    }
}

/// How far sums of products of these floats may be off for rounding alone.
fn rounding(whole: &mut impl Visit) -> f64 {
    let single = Cell::new(false);
    let mut arrays = |number: Number<'_>, _| {
        single.set(single.get() || matches!(number, Number::F32s(_)));
    };
    let mut rows = |row: Row<'_>| single.set(single.get() || matches!(row, Row::F32(_)));
    whole.visit(&mut Visitor::of_floats(&mut arrays, &mut rows));
    if single.get() { 1e-3 } else { 1e-7 }
}

/// The n-th of some numbers between 1 and 2 that have nothing to do with each other.
fn random(n: usize) -> f64 {
    let mixed = (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    1.0 + (mixed >> 11) as f64 / (1u64 << 53) as f64
}

/// The n-th float of the i-th unit vector.
fn unit(i: usize, n: usize) -> f64 {
    f64::from(u8::from(i == n))
}

pub(super) fn nothing() -> Error {
    Error::Internal("no pass was made".to_owned())
}

impl Context {
    /// Hessians of `F`: checked here, compiled on first use.
    pub fn build_hessian<F: DifferentiableFn>(&self) -> Result<Hessian<F>> {
        Ok(Hessian {
            derived: Arc::new(Derived::new(self, &F::callee())?),
            function: PhantomData,
        })
    }

    /// Jacobians of `F`: checked here, compiled on first use.
    pub fn build_jacobian<F: DifferentiableFn>(&self) -> Result<Jacobian<F>> {
        Ok(Jacobian {
            derived: Arc::new(Derived::new(self, &F::callee())?),
            height: Arc::default(),
            only_backward: Arc::default(),
            function: PhantomData,
        })
    }

    /// The value, the gradient and the Hessian for all arguments, once: see [`Hessian`], which is kept, and which takes `Const` arguments.
    pub fn value_gradient_and_hessian<'a, F: DifferentiableFn>(
        &self,
        args: impl AllActive<'a, F>,
    ) -> Result<(F::Output, F::Gradient, Rows)> {
        args.hessian(self)
    }

    /// The value and the Jacobian for all arguments, once: see [`Jacobian`], which is kept, and which takes `Const` arguments.
    pub fn value_and_jacobian<'a, F>(
        &self,
        args: impl AllActive<'a, F>,
    ) -> Result<(F::Output, Rows)>
    where
        F: DifferentiableFn<Output: Returned<Cotangent: Visit>>,
    {
        args.jacobian(self)
    }
}

/// All arguments of a function, none of them marked constant: what whole matrices of derivatives are taken for.
#[diagnostic::on_unimplemented(
    message = "no matrix of derivatives for `{Self}`: it does not give all arguments of `{F}`",
    note = "these matrices are of derivatives for all arguments; for some of them use `build_hessian` or `build_jacobian`, where others may be `Const`"
)]
pub trait AllActive<'a, F: DifferentiableFn> {
    #[doc(hidden)]
    fn hessian(self, ctx: &Context) -> Result<(F::Output, F::Gradient, Rows)>;
    #[doc(hidden)]
    fn jacobian(self, ctx: &Context) -> Result<(F::Output, Rows)>
    where
        F::Output: Returned<Cotangent: Visit>;
}

/// The gradient for all arguments, as a function has it: `G` itself.
#[diagnostic::on_unimplemented(
    message = "a matrix of derivatives is for all arguments, and not all of these have one: their gradient is `{Self}`, expected `{G}`",
    label = "a `Const` among the arguments",
    note = "leave `Const` out; for derivatives with respect to some of the arguments use `build_hessian` or `build_jacobian`, where the others may be `Const`"
)]
pub trait OfAllArguments<G> {
    #[doc(hidden)]
    fn whole(self) -> G;
}

impl<G> OfAllArguments<G> for G {
    fn whole(self) -> G {
        self
    }
}

impl<'a, F, A> AllActive<'a, F> for A
where
    F: DifferentiableFn,
    A: Argument<F::Args<'a>>,
    A::Gradient:
        OfAllArguments<F::Gradient> + GradientSink<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
{
    fn hessian(self, ctx: &Context) -> Result<(F::Output, F::Gradient, Rows)> {
        let rule = ctx.build_hessian::<F>()?;
        let (value, gradient, rows) = rule.value_gradient_and_hessian(self)?;
        Ok((value, gradient.whole(), rows))
    }
    fn jacobian(self, ctx: &Context) -> Result<(F::Output, Rows)>
    where
        F::Output: Returned<Cotangent: Visit>,
    {
        ctx.build_jacobian::<F>()?.value_and_jacobian(self)
    }
}
