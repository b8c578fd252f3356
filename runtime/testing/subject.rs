//! A rule under test without its types, so that the test is compiled once and not for every function.

use super::argument::{Aliased, Lend, Lent, Owned};
use super::leaves::{Numbers, floats_of};
use super::part::Part;
use crate::api::linear::random_tangent;
use crate::api::{
    Along, Argument, DifferentiableFn, FRule, RRule, Returned, Value, Visit, Visitor,
};
use crate::diag::Result;
use crate::front::types::Typed;
use std::any::Any;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Arguments, or a cotangent of them.
pub trait Data: Any {
    /// Goes through its numbers.
    fn numbers(&mut self, visitor: &mut Visitor<'_>);
}

impl<T: Visit + 'static> Data for T {
    fn numbers(&mut self, visitor: &mut Visitor<'_>) {
        self.visit(visitor);
    }
}

/// Data, for what goes through numbers.
pub struct Held<'d>(pub &'d mut dyn Data);

impl Visit for Held<'_> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.0.numbers(visitor);
    }
}

/// Arguments that a test owns.
pub trait Arguments: Data {
    /// A copy of them.
    fn again(&self) -> Box<dyn Arguments>;
    /// A cotangent of the right shape, of zeros.
    fn zeros(&self) -> Box<dyn Data>;
    /// The arguments one by one.
    fn parts(&mut self) -> Vec<&mut dyn Part>;
}

impl<O: Owned> Arguments for O {
    fn again(&self) -> Box<dyn Arguments> {
        Box::new(Owned::again(self))
    }
    fn zeros(&self) -> Box<dyn Data> {
        Box::new(Owned::zeros(self))
    }
    fn parts(&mut self) -> Vec<&mut dyn Part> {
        Owned::parts(self)
    }
}

/// What a function returns.
pub struct Outcome {
    /// Whether it has a gradient: it is one float.
    pub single: bool,
    /// Its numbers.
    pub numbers: Numbers,
}

/// How a pullback is called.
pub struct Pull<'p> {
    /// The rule that only the minimal context's primitives give, instead of the own one.
    pub minimal: bool,
    /// The flat parameters of two arguments whose slices are given one memory.
    pub aliased: Option<[Range<usize>; 2]>,
    /// Where the cotangent is added to. Without it the pullback is dropped.
    pub gradient: Option<&'p mut dyn Data>,
    /// What is done between the two halves.
    pub between: &'p mut dyn FnMut() -> Result<()>,
    /// The numbers of the cotangent.
    pub random: &'p mut dyn FnMut() -> f64,
}

/// A function with its rules. The arguments that it is given are those that it was made for, or copies of them.
pub trait Subject {
    /// The name of the function.
    fn name(&self) -> &'static str;
    /// Whether there is a forward rule to test.
    fn has_forward(&self) -> bool;
    /// Whether the minimal context gives another rule.
    fn has_minimal(&self) -> bool;
    /// The value of the native function, and the arguments afterwards; `None` if it panics.
    fn native(&self, args: &dyn Arguments) -> Option<(Result<Outcome>, Box<dyn Arguments>)>;
    /// `value`
    fn value(&self, args: &mut dyn Arguments) -> Result<Numbers>;
    /// `value_and_gradient`
    fn gradient(&self, args: &mut dyn Arguments) -> Result<(Numbers, Box<dyn Data>)>;
    /// `value_and_gradient_into`
    fn gradient_into(&self, args: &mut dyn Arguments, gradient: &mut dyn Data) -> Result<Numbers>;
    /// How much `count` grows in the last of three calls of `value_and_gradient_into`.
    fn allocations(&self, args: &mut dyn Arguments, count: fn() -> u64) -> Result<u64>;
    /// `pullback`: the value, and the floats of the cotangent that it was given.
    fn pullback(&self, args: &mut dyn Arguments, pull: Pull<'_>) -> Result<(Numbers, Vec<f64>)>;
    /// `value_and_derivative` by the forward rule: the value, and the floats of its tangent.
    fn derivative(
        &self,
        args: &mut dyn Arguments,
        tangent: &mut dyn Data,
    ) -> Result<(Numbers, Vec<f64>)>;
}

/// The rules of a function, for arguments whose data is an `O`.
pub struct Rules<F, O> {
    /// The reverse rule.
    pub rule: RRule<F>,
    /// The forward rule.
    pub forward: Option<FRule<F>>,
    /// The reverse rule of the minimal context.
    pub minimal: Option<RRule<F>>,
    /// The type of the arguments.
    pub args: PhantomData<fn(&O)>,
}

/// The type of arguments.
pub fn type_of<O>(_: &O) -> PhantomData<fn(&O)> {
    PhantomData
}

/// Data of the type that it has.
fn known<T: 'static>(data: &mut dyn Any) -> &mut T {
    data.downcast_mut()
        .unwrap_or_else(|| unreachable!("data of a test is of one type"))
}

fn numbers<T: Value>(mut value: T) -> Result<Numbers> {
    Numbers::of(&mut value)
}

impl<F, O> Rules<F, O>
where
    F: DifferentiableFn,
    F::Output: Value + Returned<Cotangent = <F::Output as Typed>::Gradient>,
    O: Owned + for<'b> Lend<'b, F::Args<'b>>,
{
    fn pull<A>(&self, args: A, pull: Pull<'_>) -> Result<(Numbers, Vec<f64>)>
    where
        A: for<'b> Argument<F::Args<'b>, Gradient = O::Gradient>,
    {
        let rule = match &self.minimal {
            Some(minimal) if pull.minimal => minimal,
            _ => &self.rule,
        };
        let (value, pullback) = rule.pullback(args)?;
        let Some(gradient) = pull.gradient else {
            drop(pullback);
            return Ok((numbers(value)?, Vec::new()));
        };
        (pull.between)()?;
        let mut cotangent = random_tangent(&value, pull.random)?;
        let floats = floats_of(&mut cotangent)?;
        pullback.accumulate(cotangent, known::<O::Gradient>(gradient))?;
        Ok((numbers(value)?, floats))
    }
}

impl<F, O> Subject for Rules<F, O>
where
    F: DifferentiableFn,
    F::Output: Value + Returned<Cotangent = <F::Output as Typed>::Gradient>,
    O: Owned + for<'b> Lend<'b, F::Args<'b>>,
{
    fn name(&self) -> &'static str {
        F::callee().0.name
    }
    fn has_forward(&self) -> bool {
        self.forward.is_some()
    }
    fn has_minimal(&self) -> bool {
        self.minimal.is_some()
    }
    fn native(&self, args: &dyn Arguments) -> Option<(Result<Outcome>, Box<dyn Arguments>)> {
        let args: &dyn Any = args;
        let mut args = Box::new(Owned::again(args.downcast_ref::<O>()?));
        let value = catch_unwind(AssertUnwindSafe(|| F::native(args.lend()))).ok()?;
        let single = Returned::one(Some(&value)).is_ok();
        let outcome = numbers(value).map(|numbers| Outcome { single, numbers });
        Some((outcome, args))
    }
    fn value(&self, args: &mut dyn Arguments) -> Result<Numbers> {
        numbers(self.rule.value(Lent(known::<O>(args)))?)
    }
    fn gradient(&self, args: &mut dyn Arguments) -> Result<(Numbers, Box<dyn Data>)> {
        let args = known::<O>(args);
        let (value, gradient) = self.rule.value_and_gradient(Lent(args))?;
        Ok((numbers(value)?, Box::new(gradient)))
    }
    fn gradient_into(&self, args: &mut dyn Arguments, gradient: &mut dyn Data) -> Result<Numbers> {
        let gradient = known::<O::Gradient>(gradient);
        let args = Lent(known::<O>(args));
        numbers(self.rule.value_and_gradient_into(args, gradient)?)
    }
    fn allocations(&self, args: &mut dyn Arguments, count: fn() -> u64) -> Result<u64> {
        let args = known::<O>(args);
        let mut gradient = Owned::zeros(args);
        let mut made = 0;
        for _ in 0..3 {
            let before = count();
            self.rule
                .value_and_gradient_into(Lent(args), &mut gradient)?;
            made = count() - before;
        }
        Ok(made)
    }
    fn pullback(&self, args: &mut dyn Arguments, pull: Pull<'_>) -> Result<(Numbers, Vec<f64>)> {
        let args = known::<O>(args);
        match pull.aliased.clone() {
            Some(leaves) => self.pull(Aliased { args, leaves }, pull),
            None => self.pull(Lent(args), pull),
        }
    }
    fn derivative(
        &self,
        args: &mut dyn Arguments,
        tangent: &mut dyn Data,
    ) -> Result<(Numbers, Vec<f64>)> {
        let Some(rule) = &self.forward else {
            unreachable!("there is a forward rule");
        };
        let (args, tangent) = (known::<O>(args), known::<O::Gradient>(tangent));
        let (value, mut derivative) = rule.value_and_derivative(Lent(args), Along(tangent))?;
        Ok((numbers(value)?, floats_of(&mut derivative)?))
    }
}
