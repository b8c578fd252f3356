//! Smaller programs that still fail: statements are left out, bodies of blocks take their place.

use crate::program::{Program, St};

/// The smallest program found for which `fails` holds, as it does for the given one.
pub fn shrink(mut program: Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut tries = 0;
    'again: loop {
        let count =
            size(&program.body) + program.helpers.iter().map(|h| size(&h.body)).sum::<usize>();
        for at in (0..count).rev() {
            for unwrap in [false, true] {
                tries += 1;
                if tries > 2000 {
                    return program;
                }
                let mut smaller = program.clone();
                let mut left = at;
                let bodies = smaller
                    .helpers
                    .iter_mut()
                    .map(|h| &mut h.body)
                    .chain([&mut smaller.body]);
                let mut changed = false;
                for body in bodies {
                    changed = changed || remove(body, &mut left, unwrap);
                }
                if changed && fails(&smaller) {
                    program = smaller;
                    continue 'again;
                }
            }
        }
        return program;
    }
}

fn inner(statement: &mut St) -> Vec<&mut Vec<St>> {
    match statement {
        St::If(_, a, b) => vec![a, b],
        St::For(_, _, b) | St::ForEach(_, b) | St::While(_, _, b) | St::IfSome(_, _, b) => vec![b],
        _ => Vec::new(),
    }
}

fn size(block: &[St]) -> usize {
    block
        .iter()
        .map(|s| {
            let mut s = s.clone();
            1 + inner(&mut s).into_iter().map(|b| size(b)).sum::<usize>()
        })
        .sum()
}

/// Removes statement number `left` in the order of the text, or (`unwrap`) puts what is inside in its place. A program that then
/// mentions a name that is not declared is not a program: it fails in another way, so declarations go only when unused.
fn remove(block: &mut Vec<St>, left: &mut usize, unwrap: bool) -> bool {
    for i in 0..block.len() {
        if *left == 0 {
            let binds = matches!(block[i], St::For(..) | St::ForEach(..) | St::IfSome(..));
            let declares = matches!(block[i], St::Let(..) | St::Closure(..));
            if (unwrap && binds) || (!unwrap && declares && is_used(&block[i], &block[i + 1..])) {
                return false;
            }
            let mut removed = block.remove(i);
            if unwrap {
                let parts: Vec<St> = inner(&mut removed)
                    .into_iter()
                    .flat_map(std::mem::take)
                    .collect();
                if parts.is_empty() {
                    return false;
                }
                block.splice(i..i, parts);
            }
            return true;
        }
        *left -= 1;
        if inner(&mut block[i])
            .into_iter()
            .any(|b| remove(b, left, unwrap))
        {
            return true;
        }
    }
    false
}

/// By its text: names are unique.
fn is_used(statement: &St, _rest: &[St]) -> bool {
    // The main value is not at hand here; a declaration stays if in doubt.
    matches!(statement, St::Let(..) | St::Closure(..))
}
