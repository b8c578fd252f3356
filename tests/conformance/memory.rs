//! Section 3, memory and arrays: making, growing, shrinking, copying.

use super::check;
use mooncake::prelude::*;

fn data(n: usize) -> Vec<f64> {
    (0..n).map(|i| (0.3 + 1.1 * i as f64).sin()).collect()
}

/// A function of a vector that is changed in it, each with its test.
macro_rules! vectors {
    ($($(#[$doc:meta])* $name:ident($v:ident, $x:ident) $body:block;)*) => {$(
        mod $name {
            use super::*;
            #[differentiable]
            fn in_place($v: &mut Vec<f64>, $x: f64) $body
            #[differentiable]
            fn by_value($x: f64) -> f64 {
                let mut $v = vec![1.0 * $x, 2.0, 3.0 * $x, 4.0, 5.0];
                in_place(&mut $v, $x);
                let mut s = 0.0;
                for i in 0..$v.len() {
                    s += $v[i] * (i as f64 + 1.0);
                }
                s
            }
            $(#[$doc])*
            #[test]
            fn memory_rule() {
                check!(by_value, (0.7,));
                check!(in_place, (&mut data(6), 0.7));
            }
        }
    )*};
}

vectors! {
    /// `push!`, `_growend!`
    push(v, x) { v.push(x * v[0]); };
    /// `pop!`, `_deleteend!`
    pop(v, x) {
        if let Some(last) = v.pop() {
            v[0] = last * x;
        }
    };
    /// `append!`
    extend(v, x) { v.extend_from_slice(&[x, x * x]); };
    /// `resize!` to more and less
    resize(v, x) {
        v.resize(9, x);
        v.resize(4, 0.0);
    };
    /// `insert!`, `_growbeg!`, `_growat!`
    insert(v, x) {
        v.insert(0, x);
        v.insert(2, x * x);
    };
    /// `deleteat!`, `_deletebeg!`, `_deleteat!`
    remove(v, x) {
        let first = v.remove(0);
        let middle = v.remove(2);
        v[0] += first * middle * x;
    };
    /// `empty!`, `_deletebeg!` of everything
    clear(v, x) {
        let a = v[1];
        v.clear();
        v.push(a * x);
    };
    /// `sizehint!`
    truncate(v, x) {
        v.truncate(3);
        v.push(x);
    };
    /// `swap`, `reverse!`
    swap(v, x) {
        v.swap(0, 2);
        v.reverse();
        v[1] *= x;
    };
    /// `fill!`
    fill(v, x) { v.fill(x); };
    /// `unsafe_copyto!` within itself, to the right
    copy_right(v, x) {
        v.copy_within(0..3, 1);
        v[0] = x;
    };
    /// `unsafe_copyto!` within itself, to the left
    copy_left(v, x) {
        v.copy_within(1..4, 0);
        v[0] *= x;
    };
    /// `unsafe_copyto!` onto itself
    copy_nowhere(v, x) {
        v.copy_within(1..3, 1);
        v[1] *= x;
    };
    /// `copy`
    copy(v, x) {
        let w = v.clone();
        v[0] = x;
        v[1] = w[0] * w[2];
    };
    /// `setindex!` after the value was read
    overwritten(v, x) {
        let old = v[2];
        v[2] = x;
        v[3] = old * v[2] * v[2];
    };
    /// `unsafe_copyto!` between arrays
    copy_from_slice(v, x) {
        let w = [x, x * x];
        v[1..3].copy_from_slice(&w);
    };
}

#[differentiable]
fn make(x: f64, n: usize) -> Vec<f64> {
    let mut v = Vec::with_capacity(n);
    for i in 0..n {
        v.push(x * i as f64);
    }
    v
}
/// `memorynew`, `Memory{T}(undef, n)`
#[test]
fn memory_new() {
    check!(make, (0.5, 10usize));
    check!(make, (0.5, 0usize));
}

#[differentiable]
fn nested(rows: &Vec<Vec<f64>>) -> f64 {
    let mut s = 0.0;
    for row in rows {
        for x in row {
            s += x * x;
        }
    }
    s
}
/// `Array{Vector{Float64}}`
#[test]
fn memory_nested() {
    check!(nested, (vec![vec![1.0], vec![], vec![2.0, 3.0]],));
}

#[differentiable]
fn nested_push(rows: &mut Vec<Vec<f64>>, x: f64) {
    let mut row = rows[0].clone();
    row.push(x);
    rows[1][0] = row[0] * x;
    rows.push(row);
}
/// `push!` of an array onto an array of arrays
#[test]
fn memory_nested_push() {
    check!(nested_push, (&mut vec![vec![1.0, 2.0], vec![3.0]], 0.7));
}

#[differentiable]
fn grid(x: f64) -> [[f64; 3]; 2] {
    let mut grid = [[0.0; 3]; 2];
    for i in 0..2 {
        for j in 0..3 {
            grid[i][j] = x * (i * 3 + j) as f64;
        }
    }
    let copy = grid;
    grid[0][0] = copy[1][2] * copy[0][1];
    grid
}
/// `Array` constructors of 0 to 5 dimensions
#[test]
fn memory_dimensions() {
    check!(grid, (0.7,));
}

#[differentiable]
fn split(x: &mut [f64]) {
    let (a, b) = x.split_at_mut(2);
    for i in 0..2 {
        a[i] += b[i] * b[i];
        b[i] *= a[i];
    }
}
/// `view`, two at once
#[test]
fn memory_split_at_mut() {
    check!(split, (&mut data(5),));
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for w in x.windows(3) {
        s += w[0] * w[2];
    }
    for c in x.chunks(2) {
        s += c[0] * c[c.len() - 1];
    }
    s
}
/// `view`s in a row
#[test]
fn memory_windows_and_chunks() {
    check!(parts, (data(7),));
}

#[differentiable]
fn integers(x: &mut Vec<i64>, y: f64) -> f64 {
    x.push(3);
    x[0] += 2;
    let mut s = 0.0;
    for n in x.iter() {
        s += *n as f64 * y;
    }
    s
}
/// arrays of integers, `fill!` of `Int8` and `UInt8`
#[test]
fn memory_integers() {
    check!(integers, (&mut vec![1i64, 2], 0.7));
}
