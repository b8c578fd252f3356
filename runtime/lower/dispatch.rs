//! `dyn` values: a tag and an address. Dispatch functions choose by the tag.

use super::body::Body;
use super::place::reached;
use super::{Job, Lowered, Lowering, error, malformed, result_type, thaw};
use crate::diag::{Error, Result};
use crate::front::repr::repr;
use crate::front::typed::{Choice, Expr};
use crate::ir::{Function, Symbol, Type, Value};

impl<'p> Body<'_, 'p> {
    /// Makes a `dyn` value.
    pub fn make_dyn(
        &mut self,
        expr: &'p Expr,
        value: &'p Expr,
        tag: u32,
        address: bool,
    ) -> Lowered {
        let ty = value.ty;
        let value = self.expr(value)?;
        self.b.span = expr.span;
        let content = match address {
            true => value,
            false => self.object_of(value, ty)?,
        };
        let tag = self.usize(tag as usize);
        Ok(self.tuple(&[tag, content]))
    }
    /// A call of an instance of the program or of a dispatch function.
    pub fn call(&mut self, name: Symbol, args: &[Value]) -> Lowered {
        self.call_as(Job::Instance, name, args)
    }
    fn call_as(
        &mut self,
        job: fn(Symbol, Vec<Type>, bool) -> Job,
        name: Symbol,
        args: &[Value],
    ) -> Lowered {
        if let Some(callee) = self.all.program.functions.get(&name) {
            let types: Vec<Type> = args.iter().map(|&arg| self.ty(arg)).collect();
            let ret = result_type(callee.ret, &types);
            let constant = self.constant || callee.is_constant;
            return Ok(self.call_job(job(name, types, constant), args, ret));
        }
        let Some(dispatch) = self.all.program.dispatches.get(&name) else {
            return malformed(format!("nothing is named {name:?}"));
        };
        let mut fitted = Vec::new();
        for (&arg, &param) in args.iter().zip(&dispatch.params) {
            fitted.push(self.fit(arg, thaw(repr(param))));
        }
        let ret = thaw(repr(dispatch.ret));
        let job = Job::Dispatch(name, self.constant);
        Ok(self.call_job(job, &fitted, ret))
    }
    /// Calls the function for one tag and returns its result.
    fn choose(
        &mut self,
        choice: &Choice,
        address: Value,
        rest: &[Value],
        ret: Type,
    ) -> Lowered<()> {
        let receiver = match choice.receiver {
            None => None,
            Some(true) => Some(address),
            Some(false) => Some(self.load(address, 0, choice.ty)),
        };
        let args: Vec<Value> = receiver.into_iter().chain(rest.iter().copied()).collect();
        let value = self.call_as(Job::Choice, choice.function, &args)?;
        let value = self.fit(value, ret);
        self.b.ret(value);
        Ok(())
    }
}

impl Lowering<'_> {
    /// Builds a dispatch function.
    pub fn dispatch(&mut self, name: Symbol, dispatch: Symbol, constant: bool) -> Result<Function> {
        let Some(dispatch) = self.program.dispatches.get(&dispatch) else {
            return Err(Error::Internal(format!("nothing is named {dispatch:?}")));
        };
        let params: Vec<Type> = dispatch.params.iter().map(|&ty| thaw(repr(ty))).collect();
        let ret = thaw(repr(dispatch.ret));
        let mut body = Body::new(self, Function::new(name, &params, ret));
        body.constant = constant;
        let values = body.b.function.params().to_vec();
        let Some((&chosen, rest)) = values.split_first() else {
            return Err(Error::Internal(format!(
                "{name:?} has nothing to choose by"
            )));
        };
        let (tag, address) = (body.field(chosen, 0), body.field(chosen, 1));
        for (n, choice) in dispatch.arms.iter().enumerate() {
            // Tags without an arm cannot occur.
            let next = (n + 1 < dispatch.arms.len()).then(|| body.b.new_block());
            if let Some(next) = next {
                let is_this = body.is_variant(tag, choice.tag as usize);
                body.otherwise(is_this, next);
                body.b.seal(next);
            }
            reached(body.choose(choice, address, rest, ret)).map_err(error)?;
            if let Some(next) = next {
                body.b.switch_to(next);
            }
        }
        if dispatch.arms.is_empty() {
            body.unreachable();
        }
        Ok(body.finish())
    }
}
