//! Calls of duals along several directions: one call, or several at once on threads.

use super::{Compiled, FIRST, Places, Words};
use crate::api::call::{Call, CallState, Tables, Twin, misfit};
use crate::api::results::Results;
use crate::api::{Argument, GradientSink, Returned, Tangent};
use crate::array::host::ArrayHost;
use crate::codegen::cpu::words;
use crate::diag::{Error, Result};
use crate::exec::Args;
use smallvec::SmallVec;

/// What one call of a dual takes along its directions, and where it puts what it finds.
pub trait DualCall<P, A, R> {
    /// How many directions there are.
    fn count(&self) -> usize;
    /// Gives the arguments, and what belongs to the directions.
    fn fill<'s>(
        &'s mut self,
        compiled: &'s Compiled,
        args: &'s mut A,
        twins: &mut [Twin],
        call: &mut Call<'s>,
    ) -> Result<()>;
    /// Reads what has been found, and gives the value.
    fn read(
        &mut self,
        compiled: &Compiled,
        twins: &mut [Twin],
        results: &mut Results<'_>,
    ) -> Result<R>;
}

/// The derivatives of the value along directions.
pub struct Derivatives<T, C> {
    pub directions: Vec<T>,
    /// Overwritten: one for each direction.
    pub found: Vec<C>,
}

/// The gradient and its derivatives along directions: products with the Hessian.
pub struct Products<'w, T, G, C> {
    pub directions: SmallVec<[T; 1]>,
    /// The cotangent of the value, unless the gradient makes it itself.
    pub seed: Option<&'w C>,
    /// Overwritten.
    pub gradient: G,
    /// Overwritten: one for each direction.
    pub found: SmallVec<[G; 1]>,
}

impl<P, A, T, R> DualCall<P, A, R> for Derivatives<T, R::Cotangent>
where
    A: Argument<P>,
    T: Tangent<P, A>,
    R: Returned,
{
    fn count(&self) -> usize {
        self.directions.len()
    }
    fn fill<'s>(
        &'s mut self,
        compiled: &'s Compiled,
        args: &'s mut A,
        twins: &mut [Twin],
        call: &mut Call<'s>,
    ) -> Result<()> {
        args.encode(call)?;
        let mut firsts = Places::new();
        for (n, tangents) in self.directions.iter_mut().enumerate() {
            firsts.push(call.args.types().len());
            call.in_twin(twins.get_mut(n), |call| {
                call.expect_tangents(&compiled.active, compiled.activity.flags());
                tangents.move_along(call)?;
                call.zero_tangents()
            })?;
        }
        compiled.check_tangents(&call.args, call.host, &compiled.active, &firsts)
    }
    fn read(
        &mut self,
        _compiled: &Compiled,
        _twins: &mut [Twin],
        results: &mut Results<'_>,
    ) -> Result<R> {
        let value = R::read(results)?;
        self.found.clear();
        for _ in 0..self.directions.len() {
            self.found.push(R::read_tangent(results)?);
        }
        Ok(value)
    }
}

impl<P, A, T, G, R> DualCall<P, A, R> for Products<'_, T, G, R::Cotangent>
where
    A: Argument<P>,
    T: Tangent<P, A>,
    G: GradientSink<A::Gradient>,
    R: Returned,
{
    fn count(&self) -> usize {
        self.directions.len()
    }
    fn fill<'s>(
        &'s mut self,
        compiled: &'s Compiled,
        args: &'s mut A,
        twins: &mut [Twin],
        call: &mut Call<'s>,
    ) -> Result<()> {
        args.encode(call)?;
        call.rest();
        call.lend_zeros(&mut self.gradient);
        call.add_shadows(&compiled.active)?;
        if let Some(seed) = self.seed {
            R::seed(seed, call)?;
        }
        let mut firsts = Places::new();
        let both = self.directions.iter_mut().zip(self.found.iter_mut());
        for (n, (direction, product)) in both.enumerate() {
            firsts.push(call.args.types().len());
            call.add_second(
                twins.get_mut(n),
                &compiled.active,
                |call| direction.encode(call),
                |call| call.lend_zeros(product),
            )?;
        }
        // The activity of the gradient, then that of its derivatives.
        let flags = &compiled.activity.flags()[compiled.activity.len() / 2..];
        compiled.check_tangents(&call.args, call.host, flags, &firsts)
    }
    fn read(
        &mut self,
        compiled: &Compiled,
        twins: &mut [Twin],
        results: &mut Results<'_>,
    ) -> Result<R> {
        let value = R::read(results)?;
        if compiled.is_seeded {
            value.has_gradient()?;
        }
        self.gradient.read(results)?;
        for (n, product) in self.found.iter_mut().enumerate() {
            R::read_tangent(results)?;
            results.in_twin(twins.get_mut(n), |results| product.read(results))?;
        }
        Ok(value)
    }
}

/// What belongs to one call.
struct State {
    given: CallState,
    tables: Tables,
    /// The arguments once more for each direction.
    twins: SmallVec<[Twin; 1]>,
    words: Words,
}

impl Compiled {
    /// Calls the dual. Arguments stay as they are.
    pub fn call_dual<P, A: Argument<P>, R>(
        &self,
        args: &mut A,
        what: &mut impl DualCall<P, A, R>,
    ) -> Result<R> {
        let host = self.host();
        let mut state = self.state(&host, args, what.count())?;
        let State {
            given,
            tables,
            twins,
            words,
        } = &mut state;
        let mut call = Call::new(given, tables, &host, &self.params);
        what.fill(self, args, twins, &mut call)?;
        call.run(&self.program, FIRST, words)?;
        drop(call);
        self.read(&mut state, &host, what)
    }

    /// Whether calls may be made on several threads at once. Not if they need a host: it holds the arrays of one call, and calls functions in machine code,
    /// whose order may count.
    pub fn is_for_threads(&self) -> bool {
        !self.program.uses_host()
    }

    /// Calls the dual once for each of these, on several threads.
    pub fn call_dual_each<P, A: Argument<P>, R, W: DualCall<P, A, R>>(
        &self,
        passes: &mut [(&mut A, &mut W)],
    ) -> Result<()> {
        let host = self.host();
        let states = { passes.iter_mut() }
            .map(|(args, what)| self.state(&host, *args, what.count()))
            .collect::<Result<Vec<State>>>();
        let mut states = states?;
        let mut calls = Vec::with_capacity(passes.len());
        for ((args, what), state) in passes.iter_mut().zip(&mut states) {
            let State {
                given,
                tables,
                twins,
                words,
            } = state;
            let mut call = Call::new(given, tables, &host, &self.params);
            what.fill(self, args, twins, &mut call)?;
            calls.push((call, words));
        }
        let each = { calls.iter_mut() }
            .map(|(call, words)| call.beside_others(words))
            .collect();
        let done = self.program.call_each(FIRST, each);
        drop(calls);
        for (done, ((_, what), state)) in done.into_iter().zip(passes.iter_mut().zip(&mut states)) {
            done?;
            self.read(state, &host, *what)?;
        }
        Ok(())
    }

    fn state<P, A: Argument<P>>(
        &self,
        host: &ArrayHost,
        args: &mut A,
        count: usize,
    ) -> Result<State> {
        let mut given = self.start(true);
        let mut tables = Tables::default();
        Ok(State {
            twins: self.twins(&mut given, &mut tables, host, args, count)?,
            words: SmallVec::from_elem(0, self.program.result_words(FIRST)),
            given,
            tables,
        })
    }

    /// The arguments given so many times, with zeros for floats. Numbers and slices of numbers that are only read are not: they have no objects
    /// whose tangents would need memory.
    fn twins<P, A: Argument<P>>(
        &self,
        given: &mut CallState,
        tables: &mut Tables,
        host: &ArrayHost,
        args: &mut A,
        count: usize,
    ) -> Result<SmallVec<[Twin; 1]>> {
        let mut twins = SmallVec::new();
        if A::NUMBERS.is_some() {
            return Ok(twins);
        }
        for _ in 0..count {
            {
                let mut call = Call::new(given, tables, host, &self.params);
                call.blank = true;
                args.encode(&mut call)?;
            }
            twins.push(given.take_twin());
        }
        Ok(twins)
    }

    fn read<P, A, R>(
        &self,
        state: &mut State,
        host: &ArrayHost,
        what: &mut impl DualCall<P, A, R>,
    ) -> Result<R> {
        let all = (&mut state.given, &mut state.tables);
        let mut results = Results::new(&state.words, host, all, &self.active, false);
        what.read(self, &mut state.twins, &mut results)
    }

    /// Compiled code trusts that tangents are as large as what they are tangents of. `flags` says which arguments have one, and
    /// `firsts` are the places of the first tangents along each direction among all arguments.
    pub(super) fn check_tangents(
        &self,
        args: &Args<'_>,
        host: &ArrayHost,
        flags: &[bool],
        firsts: &[usize],
    ) -> Result<()> {
        let places: Places = (args.types().iter())
            .scan(0, |at, &ty| Some(std::mem::replace(at, *at + words(ty))))
            .collect();
        for &first in firsts {
            let active = (0..flags.len()).filter(|&n| flags[n]);
            for (n, tangent) in active.zip(first..) {
                let ty = args.types()[n];
                let Some(&at) = places.get(tangent) else {
                    return Err(Error::Internal(format!("argument {n} has no tangent")));
                };
                let (value, tangent) = (&args.words()[places[n]..], &args.words()[at..]);
                if let Some(misfit) = misfit(host, ty, value, tangent)? {
                    let message = format!("the tangent of argument {} {misfit}", n + 1);
                    return Err(Error::Array(message));
                }
            }
        }
        Ok(())
    }
}
