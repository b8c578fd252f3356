//! `array.map(f)`: a function of numbers that is applied to every element, or to the elements of several arrays that broadcast together.
//!
//! A kernel takes only numbers. So the captures of a closure (numbers, and tuples, structs, fixed arrays and closures made of numbers) are split into
//! numbers, and each is an argument of the map. A function around the closure's own function builds the captures again from its parameters. It also
//! converts the numbers that stand for bools in arrays.

use super::expr::{number_of_bool, within};
use super::place::as_place;
use super::{Elaborator, key, read_local, unknown};
use crate::diag::Result;
use crate::diag::Span;
use crate::front::repr::array_element;
use crate::front::tree::{Binary, Expr as Tree};
use crate::front::ty::{Closure, Item, Ty};
use crate::front::typed::{Expr, ExprKind, Function, Local, Place, Projection};
use crate::ir::{Const, Symbol};
use crate::stdlib;

/// How many numbers a closure given to `map` may capture. Each is an argument of the kernel.
const MOST_CAPTURES: usize = 64;

impl Elaborator<'_, '_> {
    /// `array.map(function)`, `array.map2(other, function)`
    pub(super) fn map_array(
        &mut self,
        expr: &'static Tree,
        array: Place,
        ty: Ty,
        rest: &'static [Tree],
    ) -> Result<Expr> {
        let Some((function, others)) = rest.split_last() else {
            return self.bug(expr.at, "`map` lacks its function");
        };
        let method = match others.len() {
            0 => "map",
            1 => "map2",
            _ => "map3",
        };
        let span = self.span(expr.at);
        let mut statements = Vec::new();
        let array = self.read(array, ty, span, false);
        let array = self.hold(array, &mut statements);
        let mut args = vec![read_local(array, ty, span)];
        for other in others {
            let other = self.rvalue(other)?;
            let ty = other.ty;
            let (place, ty) = self.deref_all(as_place(other), ty);
            let other = self.read(place, ty, span, false);
            let other = self.hold(other, &mut statements);
            args.push(read_local(other, ty, span));
        }
        let elements: Vec<Ty> = args.iter().map(|arg| element_type(arg.ty)).collect();
        // Arrays hold bools as numbers, and kernels take them so.
        let mut args: Vec<Expr> = args.into_iter().map(number_of_bool).collect();
        let result = self.ty(expr)?;
        let function = self.rvalue(function)?;
        let name = match function.ty {
            Ty::Item(item @ (Item::Method(..) | Item::Source(..) | Item::Overloaded(..))) => {
                if elements.contains(&Ty::BOOL) || element_type(result) == Ty::BOOL {
                    return self.refuse(
                        expr.at,
                        "`map` takes a function of bools only in a closure",
                        "call it in a closure: `a.map(|x| f(x))`",
                    );
                }
                self.mapped(expr, &item, &elements)?
            }
            Ty::Closure(closure) => {
                let environment = function.ty;
                self.check_captures(expr, environment)?;
                let held = self.hold(function, &mut statements);
                self.take_apart(Place::of(held), environment, span, &mut args);
                let numbers = args[elements.len()..].iter().map(|arg| arg.ty).collect();
                let params = (elements, numbers);
                self.lifted(closure, environment, params, element_type(result), span)
            }
            other => {
                return self.refuse(
                    expr.at,
                    format!("`map` takes a closure or a function, not `{other}`"),
                    "call it in a closure: `a.map(|x| f(x))`",
                );
            }
        };
        let map = ExprKind::Map(name, args).of(result, span.in_method(method));
        Ok(within(statements, map))
    }

    /// The name in IR of a function that is given to `map` by name. `elements` are the types of its arguments.
    fn mapped(&mut self, expr: &'static Tree, item: &Item, elements: &[Ty]) -> Result<Symbol> {
        let span = self.span(expr.at);
        let call = self.row().facts.calls.get(&key(expr)).cloned();
        match (item, call) {
            (_, Some(call)) => match call.source.body_name() {
                Some(name) => {
                    super::pack_function(self.session, name, elements, span).map(|row| row.name)
                }
                None => super::callee(self.session, &call),
            },
            (Item::Method(name, _), None) => super::own_method(*name, elements, span),
            (_, None) => Err(unknown(span)),
        }
    }

    /// Refuses a closure that captures something other than numbers, or too many numbers.
    fn check_captures(&mut self, expr: &'static Tree, environment: Ty) -> Result<()> {
        match self.count_numbers(environment) {
            Ok(count) if count <= MOST_CAPTURES => Ok(()),
            Ok(count) => self.refuse(
                expr.at,
                format!("the closure of `map` captures {count} numbers; at most {MOST_CAPTURES} can be captured"),
                "bind the numbers that it uses to names before the closure",
            ),
            Err(bad) => self.refuse(
                expr.at,
                format!("the closure of `map` captures a `{bad}`, but only numbers can be captured"),
                "bind the numbers that it uses to names before the closure; an enum chooses between closures, in a `match` around the maps; arrays are combined with operators",
            ),
        }
    }
    /// The number of numbers in a value of this type, or the part of the type that does not consist of numbers.
    fn count_numbers(&self, ty: Ty) -> Result<usize, Ty> {
        match self.parts_of(ty) {
            _ if ty.scalar().is_some() => Ok(1),
            Some(Parts::Fields(types)) => types.into_iter().try_fold(0, |sum: usize, ty| {
                Ok(sum.saturating_add(self.count_numbers(ty)?))
            }),
            Some(Parts::Elements(element, count)) => {
                Ok(self.count_numbers(element)?.saturating_mul(count))
            }
            None => Err(ty),
        }
    }
    fn parts_of(&self, ty: Ty) -> Option<Parts> {
        Some(match ty {
            Ty::Closure(closure) => {
                let captures = self.output.captures.get(&closure.name);
                Parts::Fields(captures.cloned().unwrap_or_default())
            }
            Ty::Tuple(fields) => Parts::Fields(fields.to_vec()),
            Ty::Adt(adt, _) if !adt.is_enum => {
                Parts::Fields(ty.fields(0).into_iter().map(|(_, ty)| ty).collect())
            }
            Ty::List(&element, count) => Parts::Elements(element, count),
            Ty::Item(_) => Parts::Fields(Vec::new()),
            _ => return None,
        })
    }

    /// Reads all numbers in a place, in order.
    fn take_apart(&self, place: Place, ty: Ty, span: Span, numbers: &mut Vec<Expr>) {
        match self.parts_of(ty) {
            Some(Parts::Fields(types)) => {
                for (n, ty) in types.into_iter().enumerate() {
                    let field = place.clone().then(Projection::Field(n as u32, ty));
                    self.take_apart(field, ty, span, numbers);
                }
            }
            Some(Parts::Elements(element, count)) => {
                for n in 0..count {
                    let step = Projection::Index(Box::new(Expr::index(n, span)), element, span);
                    self.take_apart(place.clone().then(step), element, span, numbers);
                }
            }
            None => numbers.push(self.read(place, ty, span, false)),
        }
    }
    /// Builds a value of this type from its numbers.
    fn put_together(&self, ty: Ty, span: Span, numbers: &mut dyn Iterator<Item = Expr>) -> Expr {
        let mut all = |types: Vec<Ty>| {
            let parts = types.into_iter();
            parts
                .map(|ty| self.put_together(ty, span, numbers))
                .collect()
        };
        let kind = match (ty, self.parts_of(ty)) {
            (Ty::Item(_), _) => ExprKind::Const(Const::Unit),
            (Ty::Adt(..), Some(Parts::Fields(types))) => ExprKind::Aggregate(0, all(types)),
            (_, Some(Parts::Fields(types))) => ExprKind::Tuple(all(types)),
            (_, Some(Parts::Elements(element, count))) => ExprKind::List(all(vec![element; count])),
            (_, None) => match numbers.next() {
                Some(number) => return number,
                None => ExprKind::Const(Const::Unit),
            },
        };
        kind.of(ty, span)
    }

    /// A closure as a function of elements and of the numbers in its captures.
    fn lifted(
        &mut self,
        closure: &Closure,
        environment: Ty,
        (elements, numbers): (Vec<Ty>, Vec<Ty>),
        ret: Ty,
        span: Span,
    ) -> Symbol {
        let name = Symbol::new(&format!("{}.map", closure.name));
        let of_element = |&ty: &Ty| Ty::Scalar(array_element(ty));
        let count = elements.len();
        let params: Vec<Ty> = { elements.iter().map(of_element) }.chain(numbers).collect();
        let values = params.iter().enumerate();
        let mut values = values.map(|(n, &ty)| read_local(n, ty, span));
        let first: Vec<Expr> = values.by_ref().take(count).collect();
        let first = first
            .into_iter()
            .zip(&elements)
            .map(|(value, &ty)| match ty {
                Ty::BOOL => is_not_zero(value),
                _ => value,
            });
        let first: Vec<Expr> = first.collect();
        let environment = self.put_together(environment, span, &mut values);
        let args = [environment].into_iter().chain(first).collect();
        let body = ExprKind::Call(closure.name, args).of(ret, span);
        let body = number_of_bool(body);
        let local = |&ty: &Ty| Local {
            name: "x",
            ty,
            in_memory: false,
        };
        let function = Function {
            name,
            path: name,
            span,
            params: (0..params.len()).collect(),
            locals: params.iter().map(local).collect(),
            ret: body.ty,
            body,
            is_constant: false,
            is_library: stdlib::contains(self.row().source),
            parallel: None,
            may_lend: true,
        };
        self.output.functions.insert(name, function);
        name
    }
}

/// The parts of a value of a type.
enum Parts {
    /// Fields of these types.
    Fields(Vec<Ty>),
    /// A number of elements of one type.
    Elements(Ty, usize),
}

/// The type of the elements of an array; a number is the same for all elements.
fn element_type(ty: Ty) -> Ty {
    match ty {
        Ty::Array(&element) => element,
        number => number,
    }
}

/// The bool for a number of an array of bools.
fn is_not_zero(value: Expr) -> Expr {
    let span = value.span;
    let zero = ExprKind::Const(Const::Int(0)).of(value.ty, span);
    ExprKind::binary(Binary::Ne, value, zero).of(Ty::BOOL, span)
}
