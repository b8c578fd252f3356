//! Rules that are wrong on purpose: `test_rule` finds each, and says in the first line of its error which property does not
//! hold, for which argument.
//!
//! Rules of packs are wrong in `tests/faulty-pack`; derived rules are broken after derivation, before they are compiled.

mod support;

use expect_test::{Expect, expect};
use mooncake::Error;
use mooncake::Span;
use mooncake::ir::{Const, Function, Inst, InstData, Module, Op, Prim, Terminator, Type, Value};
use mooncake::prelude::*;
use mooncake::testing::{Options, test_rule_with};
use std::cell::RefCell;
use std::rc::Rc;
use support::built;

mod pack {
    use mooncake::prelude::*;

    #[differentiable]
    extern "pack" {
        pub fn wrong_sign(x: f64) -> f64;
        pub fn wrong_factor(x: f64) -> f64;
        pub fn wrong_body(x: f64) -> f64;
        pub fn remembers(x: f64) -> f64;
    }
}

fn faulty() -> Context {
    let mut ctx = Context::default();
    ctx.load_pack(built("faulty-pack")).unwrap();
    ctx
}

/// A context that changes the derived functions with such a name.
fn broken(part: &'static str, change: impl Fn(&mut Function) + Send + Sync + 'static) -> Context {
    let change = move |module: &mut Module| {
        for (name, function) in &mut module.functions {
            if name.as_str().contains(part) {
                change(function);
            }
        }
    };
    Context::builder().change_derived(change).build().unwrap()
}

#[track_caller]
fn check(found: Result<(), Error>, expected: Expect) {
    expected.assert_eq(&found.expect_err("a rule that is wrong").to_string());
}

#[differentiable]
fn sign(x: &[f64], a: f64) -> f64 {
    x[0] * pack::wrong_sign(a * x[1])
}

#[differentiable]
fn factor(x: &[f64], a: f64) -> f64 {
    x[0] * pack::wrong_factor(a * x[1])
}

#[differentiable]
fn body(x: &[f64], a: f64) -> f64 {
    x[0] * pack::wrong_body(a * x[1])
}

#[differentiable]
fn state(x: &[f64], a: f64) -> f64 {
    x[0] * pack::remembers(a * x[1])
}

#[test]
fn a_sign_is_found() {
    check(
        test_rule::<sign>(&faulty(), (&[2.0, 0.5], 0.75)),
        expect![
            "the rule of sign is wrong (gradient): argument 1, element 1: the rule says -1.3957614328684715e0, differences say 1.3957614328686547e0 ± 1e-12"
        ],
    );
}

#[differentiable]
fn signs(x: &[f64], a: f64) -> (f64, f64) {
    (x[0] * a, pack::wrong_sign(a * x[1]))
}

/// Where there is no gradient, and both modes agree.
#[test]
fn a_sign_in_one_of_two_results_is_found() {
    check(
        test_rule::<signs>(&faulty(), (&[2.0, 0.5], 0.75)),
        expect![
            "the rule of signs is wrong (pullback): argument 1, element 1: the rule says -4.2527106157711236e-1, differences say 4.2527106157727895e-1 ± 2e-12"
        ],
    );
}

#[test]
fn a_factor_is_found() {
    check(
        test_rule::<factor>(&faulty(), (&[2.0, 0.5], 0.75)),
        expect![
            "the rule of factor is wrong (gradient): argument 1, element 1: the rule says 1.3971571943013397e0, differences say 1.3957614328686547e0 ± 1e-12"
        ],
    );
}

#[test]
fn a_body_that_differs_is_found() {
    check(
        test_rule::<body>(&faulty(), (&[2.0, 0.5], 0.75)),
        expect![
            "the rule of body is wrong (context): argument 1, element 0: derived in the minimal context it is 1.4076562499999998e-1, in the default one 1.40625e-1"
        ],
    );
}

#[test]
fn hidden_state_is_found() {
    check(
        test_rule::<state>(&faulty(), (&[2.0, 0.5], 0.75)),
        expect![
            "the rule of state is wrong (reuse): a second call gives the gradient 2.182487121927302 in argument 1, element 1, expected 1.5"
        ],
    );
}

#[differentiable]
fn smooth(x: &mut [f64], a: f64) -> f64 {
    for i in 1..x.len() {
        x[i] = x[i] * a + x[i - 1].sin();
    }
    x[0] * x[x.len() - 1]
}

#[differentiable]
fn weighted(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += 3.0 * x[i] + y[i] * y[i].sin();
    }
    s
}

/// The instructions of these, in order: whether each stays.
fn keep(function: &mut Function, stays: impl Fn(&Function, &InstData) -> bool) {
    for block in function.layout.clone() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| stays(function, &function.insts[inst]));
        function.blocks[block].insts = insts;
    }
}

/// Whether an instruction stores to the `n`-th parameter.
fn stores_to(function: &Function, inst: &InstData, n: usize) -> bool {
    inst.op == Op::Prim(Prim::Store) && inst.args[0] == function.params()[n]
}

/// Replaces the result of the first float operation of this kind by its negative.
fn negate(function: &mut Function, prim: Prim) {
    for block in function.layout.clone() {
        for at in 0..function.blocks[block].insts.len() {
            let inst = function.blocks[block].insts[at];
            let data = function.insts[inst].clone();
            if data.op != Op::Prim(prim) || function.ty(data.result) != Type::F64 {
                continue;
            }
            let copy = function.make_inst(data.op, &data.args, Type::F64, data.span);
            function.blocks[block].insts.insert(at, copy);
            let copied = function.insts[copy].result;
            function.insts[inst].op = Op::Prim(Prim::Neg);
            function.insts[inst].args = [copied].into_iter().collect();
            return;
        }
    }
}

#[test]
fn right_rules_pass() {
    let ctx = Context::default();
    test_rule::<smooth>(&ctx, (&mut [0.5, 0.25, 1.5], 0.75)).unwrap();
    test_rule::<weighted>(&ctx, (&[0.5, 0.25], &[1.5, -0.5])).unwrap();
}

#[test]
fn a_lost_restore_is_found() {
    let ctx = broken(".pullback", |function| {
        keep(function, |f, inst| !stores_to(f, inst, 0));
    });
    check(
        test_rule::<smooth>(&ctx, (&mut [0.5, 0.25, 1.5], 0.75)),
        expect![
            "the rule of smooth is wrong (restoration): the pullback leaves its arguments as 0.666925538604203 in argument 1, element 1, expected 0.25"
        ],
    );
}

#[test]
fn an_overwritten_shadow_is_found() {
    let ctx = broken(".pullback", |function| {
        let blocks = function.blocks_in_order();
        let insts: Vec<Inst> = blocks.flat_map(|(_, data)| data.insts.clone()).collect();
        for inst in insts {
            let data = &function.insts[inst];
            if stores_to(function, data, 2) {
                let sum = function.def_inst(data.args[2]).unwrap();
                let term = sum.args[1];
                function.insts[inst].args[2] = term;
            }
        }
    });
    check(
        test_rule::<weighted>(&ctx, (&[0.5, 0.25], &[1.5, -0.5])),
        expect![
            "the rule of weighted is wrong (accumulation): argument 1, element 0: the pullback makes 3e0 of 7.8125e-1, expected 3e0 more"
        ],
    );
}

#[test]
fn a_lost_accumulation_is_found() {
    let lost = |part| broken(part, |f| keep(f, |f, inst| !stores_to(f, inst, 3)));
    let args = || (&[0.5, 0.25], &[1.5, -0.5]);
    check(
        test_rule::<weighted>(&lost(".gradient"), args()),
        expect![
            "the rule of weighted is wrong (gradient): argument 2, element 0: the rule says 0e0, differences say 1.1036007891056905e0 ± 3e-12"
        ],
    );
    check(
        test_rule::<weighted>(&lost(".pullback"), args()),
        expect![
            "the rule of weighted is wrong (forward): argument 2, element 0: the forward rule says 1.1036007891056088e0, the pullback -0e0"
        ],
    );
}

#[test]
fn a_negated_partial_is_found() {
    let negated = |part| broken(part, |f| negate(f, Prim::Mul));
    let args = || (&[0.5, 0.25], &[1.5, -0.5]);
    check(
        test_rule::<weighted>(&negated(".pullback"), args()),
        expect![
            "the rule of weighted is wrong (forward): argument 2, element 0: the forward rule says 1.1036007891056088e0, the pullback -8.913891841025001e-1"
        ],
    );
    check(
        test_rule::<weighted>(&negated(".dual"), args()),
        expect![
            "the rule of weighted is wrong (forward): value_and_derivative gives the value [-0.5140447507918169], expected [3.985955249208183]"
        ],
    );
}

#[test]
fn a_wrong_value_is_found() {
    let ctx = broken(".forward", |f| negate(f, Prim::Mul));
    check(
        test_rule::<weighted>(&ctx, (&[0.5, 0.25], &[1.5, -0.5])),
        expect![
            "the rule of weighted is wrong (value): value_and_pullback gives the value [-0.5140447507918169], expected [3.985955249208183]"
        ],
    );
}

/// A pullback that uses the memory of the first argument as scratch space.
fn scratching() -> Context {
    broken(".pullback", |function| {
        let param = function.params()[0];
        let entry = function.entry();
        let mut made = Vec::new();
        let mut make = |function: &mut Function, op: Op, args: &[Value], ty: Type| {
            let inst = function.make_inst(op, args, ty, Span::NONE);
            made.push(inst);
            function.insts[inst].result
        };
        let base = make(function, Op::Prim(Prim::Base), &[param], Type::Ptr);
        let old = make(function, Op::Prim(Prim::Get(0)), &[base], Type::F64);
        let scratch = make(function, Op::Const(Const::Float(7.0)), &[], Type::F64);
        make(
            function,
            Op::Prim(Prim::Set(0)),
            &[base, scratch],
            Type::UNIT,
        );
        function.blocks[entry].insts.splice(0..0, made);
        for block in function.layout.clone() {
            if let Terminator::Return(_) = function.blocks[block].terminator {
                function.append(
                    block,
                    Op::Prim(Prim::Set(0)),
                    &[base, old],
                    Type::UNIT,
                    Span::NONE,
                );
            }
        }
    })
}

#[differentiable]
#[allow(clippy::ptr_arg, reason = "vectors as arguments are what is tested")]
fn weighted_vectors(x: &Vec<f64>, y: &Vec<f64>) -> f64 {
    weighted(x, y)
}

#[derive(Differentiable, Clone)]
struct Table {
    rows: Vec<f64>,
    scale: f64,
}

#[differentiable]
fn weighted_tables(x: &Table, y: &Table) -> f64 {
    x.scale * y.scale * weighted(&x.rows, &y.rows)
}

#[test]
fn what_one_memory_for_two_arguments_breaks_is_found() {
    let ctx = scratching();
    let (x, y) = ([0.5, 0.25], [1.5, -0.5]);
    check(
        test_rule::<weighted>(&ctx, (&x, &y)),
        expect![
            "the rule of weighted is wrong (aliasing): with one memory for arguments 1 and 2 it gives the gradient 6.622503471836812 in argument 2, element 0, expected 0.9182168195493894"
        ],
    );
    check(
        test_rule::<weighted_vectors>(&ctx, (&x.to_vec(), &y.to_vec())),
        expect![
            "the rule of weighted_vectors is wrong (aliasing): with one memory for arguments 1 and 2 it gives the gradient 6.622503471836812 in argument 2, element 0, expected 0.9182168195493894"
        ],
    );
    let table = |rows: [f64; 2], scale| Table {
        rows: rows.to_vec(),
        scale,
    };
    check(
        test_rule::<weighted_tables>(&ctx, (&table(x, 1.0), &table(y, 2.0))),
        expect![
            "the rule of weighted_tables is wrong (aliasing): with one memory for arguments 1 and 2 it gives the gradient 6.622503471836812 in argument 2, element 0, expected 0.9182168195493894"
        ],
    );
    let right = Context::default();
    test_rule::<weighted_tables>(&right, (&table(x, 1.0), &table(y, 2.0))).unwrap();
}

type Shared = Rc<RefCell<f64>>;

fn cell(x: f64) -> Shared {
    Rc::new(RefCell::new(x))
}

#[differentiable]
fn exchange(a: &Shared, b: &Shared) -> f64 {
    let y = *b.borrow();
    *a.borrow_mut() *= 3.0;
    y.sin() * *b.borrow() + *a.borrow()
}

#[derive(Differentiable)]
struct Node {
    value: f64,
    next: Option<Rc<RefCell<Node>>>,
}

#[differentiable]
fn around(start: &Rc<RefCell<Node>>, steps: usize) -> f64 {
    let mut at = start.clone();
    let mut product = 1.0;
    for _ in 0..steps {
        let value = at.borrow().value;
        product *= value.sin();
        at.borrow_mut().value = value + product;
        let next = at.borrow().next.clone();
        match next {
            Some(node) => at = node,
            None => break,
        }
    }
    product
}

/// A circle of three nodes.
fn circle() -> Rc<RefCell<Node>> {
    let node = |value, next| Rc::new(RefCell::new(Node { value, next }));
    let last = node(0.75, None);
    let first = node(1.25, Some(node(0.5, Some(last.clone()))));
    last.borrow_mut().next = Some(first.clone());
    first
}

#[test]
fn cells_of_two_arguments_are_tested_as_one() {
    let ctx = Context::default();
    test_rule::<exchange>(&ctx, (&cell(0.5), &cell(0.75))).unwrap();
    let both = cell(0.5);
    test_rule::<exchange>(&ctx, (&both, &both)).unwrap();
    test_rule::<exchange>(&ctx, (&both, mooncake::Const(&cell(0.75)))).unwrap();
    test_rule::<exchange>(&ctx, (&both, mooncake::Const(&both))).unwrap();
    test_rule::<exchange>(&ctx, (mooncake::Const(&both), &both)).unwrap();
    // It takes the cotangent in `b` for what it was when it last wrote it: right as long as `a` is another cell.
    let ctx = broken("exchange.pullback", |function| {
        let shadow = function.params()[3];
        let entry = function.entry();
        let zero = function.make_inst(Op::Const(Const::Float(0.0)), &[], Type::F64, Span::NONE);
        function.blocks[entry].insts.insert(0, zero);
        let zero = function.insts[zero].result;
        let mut last = None;
        for inst in function.blocks[entry].insts.clone() {
            let row = &mut function.insts[inst];
            match row.op {
                Op::Prim(Prim::Set(0)) if row.args[0] == shadow => last = Some(row.args[1]),
                Op::Prim(Prim::Get(0)) if row.args[0] == shadow => {
                    if let Some(last) = last {
                        row.op = Op::Prim(Prim::Add);
                        row.args = [last, zero].into_iter().collect();
                    }
                }
                _ => {}
            }
        }
    });
    check(
        test_rule::<exchange>(&ctx, (&cell(0.5), &cell(0.75))),
        expect![
            "the rule of exchange is wrong (aliasing): with the cells of argument 1 in argument 2 too: forward: argument 1: the forward rule says 8.098400458648168e0, the pullback 3.577049381439762e0"
        ],
    );
}

#[test]
fn circles_of_cells_are_tested() {
    let ctx = Context::default();
    test_rule::<around>(&ctx, (&circle(), 7)).unwrap();
    let ctx = broken(".pullback", |f| negate(f, Prim::Mul));
    check(
        test_rule::<around>(&ctx, (&circle(), 7)),
        expect![
            "the rule of around is wrong (forward): argument 1, element 0: the forward rule says 5.355814458248757e-1, the pullback 8.858707947930382e-1"
        ],
    );
}

#[differentiable]
fn kink(x: f64, y: f64) -> f64 {
    x.abs().max(y)
}

#[differentiable]
fn larger(x: f64, y: f64) -> f64 {
    x.max(y)
}

#[differentiable]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[test]
fn kinks_ties_and_poles_have_declared_gradients() {
    let ctx = Context::default();
    let declared = |gradient| Options::default().declared(gradient);
    test_rule_with::<kink>(&ctx, (2.0, 2.0), declared(&[0.5, 0.5])).unwrap();
    test_rule_with::<kink>(&ctx, (-0.0, -1.0), declared(&[0.0, 0.0])).unwrap();
    test_rule_with::<larger>(&ctx, (f64::NAN, 1.0), declared(&[0.0, 1.0])).unwrap();
    test_rule_with::<kink>(&ctx, (f64::NAN, 1.0), declared(&[f64::NAN, 1.0])).unwrap();
    test_rule_with::<kink>(&ctx, (f64::NEG_INFINITY, 1.0), declared(&[-1.0, 0.0])).unwrap();
    // At a tie central differences are the mean of both sides, which is what is declared.
    test_rule::<kink>(&ctx, (2.0, 2.0)).unwrap();
    test_rule_with::<root>(&ctx, (0.0,), declared(&[f64::INFINITY])).unwrap();
    check(
        test_rule_with::<kink>(&ctx, (2.0, 2.0), declared(&[1.0, 0.0])),
        expect![
            "the rule of kink is wrong (gradient): argument 1: the rule says 5e-1, declared is 1e0"
        ],
    );
    check(
        test_rule::<root>(&ctx, (0.0,)),
        expect![
            "the rule of root is wrong (gradient): argument 1: the rule says inf: choose other arguments, or declare that (`Options::declared`)"
        ],
    );
}
