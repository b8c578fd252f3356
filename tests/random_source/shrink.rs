//! Smaller programs that still fail.

use crate::program::{Ex, Op, Program, St, T, node};
use std::time::{Duration, Instant};

/// How long a program is made smaller.
const LIMIT: Duration = Duration::from_secs(120);

/// The smallest program found for which `fails` holds, as it does for the given one: statements are left out or replaced
/// by what is in them, expressions by constants or by what is in them. Most of what that makes is no program, for it uses
/// names that are not declared: `fails` must not hold for those.
pub fn shrink(mut program: Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut tries = 0;
    let mut at = 0;
    // What could not be made smaller is not tried again before all else has been.
    let mut left = count(&mut program);
    let start = Instant::now();
    while left > 0 && tries < 3000 && start.elapsed() < LIMIT {
        let count = count(&mut program);
        if at >= count {
            at = 0;
        }
        let mut changed = false;
        for way in 0..8 {
            let mut smaller = program.clone();
            if !change(&mut smaller, at, way) {
                continue;
            }
            tries += 1;
            if fails(&smaller) {
                program = smaller;
                changed = true;
                break;
            }
        }
        if changed {
            left = count;
        } else {
            at += 1;
            left = left.saturating_sub(1);
        }
    }
    program
}

/// What can be changed, in order: helpers, statements, expressions.
enum Part<'p> {
    Statement(&'p mut Vec<St>, usize),
    Expr(&'p mut Ex),
}

/// Calls `f` for every part of a program until it says that this was the one.
fn visit(program: &mut Program, f: &mut dyn FnMut(Part<'_>) -> bool) -> bool {
    block(&mut program.body, f)
        || program.helpers.iter_mut().any(|h| block(&mut h.body, f))
        || expr(&mut program.value, f)
        || program.helpers.iter_mut().any(|h| expr(&mut h.value, f))
}

fn block(body: &mut Vec<St>, f: &mut dyn FnMut(Part<'_>) -> bool) -> bool {
    for i in (0..body.len()).rev() {
        if f(Part::Statement(body, i))
            || body[i].blocks().into_iter().any(|b| block(b, f))
            || body[i].exprs().into_iter().any(|e| expr(e, f))
        {
            return true;
        }
    }
    false
}

fn expr(e: &mut Ex, f: &mut dyn FnMut(Part<'_>) -> bool) -> bool {
    if f(Part::Expr(e)) {
        return true;
    }
    match e {
        Ex::Node(_, args) => args.iter_mut().any(|e| expr(e, f)),
        _ => false,
    }
}

fn count(program: &mut Program) -> usize {
    let mut count = 0;
    visit(program, &mut |_| {
        count += 1;
        false
    });
    count
}

/// Changes the part of this number in one of several ways; whether there is such a way.
fn change(program: &mut Program, at: usize, way: usize) -> bool {
    let (mut left, mut changed) = (at, false);
    visit(program, &mut |part| {
        if left > 0 {
            left -= 1;
            return false;
        }
        changed = match part {
            Part::Statement(body, i) => statement(body, i, way),
            Part::Expr(e) => smaller(e, way),
        };
        true
    });
    changed
}

fn statement(body: &mut Vec<St>, i: usize, way: usize) -> bool {
    match way {
        0 => {
            body.remove(i);
            true
        }
        1 => {
            let mut removed = body.remove(i);
            let blocks = removed.blocks();
            let any = !blocks.is_empty();
            let parts: Vec<St> = blocks.into_iter().flat_map(std::mem::take).collect();
            body.splice(i..i, parts);
            any
        }
        _ => false,
    }
}

fn smaller(e: &mut Ex, way: usize) -> bool {
    let ty = e.ty();
    let Ex::Node(_, args) = &*e else {
        return false;
    };
    let constant = match ty {
        T::Float => Ex::Float(0.5),
        T::Int => Ex::Int(1),
        T::Bool => Ex::Bool(true),
        T::Option => node(Op::Some, [Ex::Float(0.5)]),
        T::Pair => node(Op::Pair, [Ex::Float(0.5), Ex::Float(0.25)]),
        T::List => node(Op::End, []),
        _ => args
            .iter()
            .find(|a| a.ty() == ty)
            .cloned()
            .unwrap_or_else(|| e.clone()),
    };
    let small = match way {
        0 => constant,
        way => match args.iter().filter(|a| a.ty() == ty).nth(way - 1) {
            Some(inner) => inner.clone(),
            None => return false,
        },
    };
    let size = |e: &Ex| format!("{e:?}").len();
    if size(&small) >= size(e) {
        return false;
    }
    *e = small;
    true
}
