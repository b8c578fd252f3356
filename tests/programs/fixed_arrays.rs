//! Fixed arrays wherever they stand: in structs, enums, vectors, slices, cells, and in each other. A value that was read from a place stays as it was
//! when the place is written.

use mooncake::prelude::*;
use std::cell::{Cell, RefCell};
use std::mem;
use std::rc::Rc;

check! {
    pulled(&[Body { at: [0.0, 0.3, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }, Body { at: [1.0, -0.4, 0.2], v: [0.0, 0.5, 0.1], m: 0.7 }]);
    moved(&mut [Body { at: [0.0, 0.3, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }, Body { at: [1.0, -0.4, 0.2], v: [0.0, 0.5, 0.1], m: 0.7 }][..], 0.3);
    packed(&[Packed { tag: 3, small: [1.0, 2.0, 3.0], flag: true, wide: [0.5, 0.7], rest: 4.0 }, Packed { tag: 0, small: [0.1, 0.2, 0.3], flag: false, wide: [1.5, 1.7], rest: 2.0 }]);
    odd_rows(&[[1.0_f32, 2.0, 3.0], [0.5, 0.25, 0.125]]);
    nested(&[[[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]], 1);
    swapped(Body { at: [0.0, 0.3, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }, [2.0, 3.0, 4.0]);
    replaced([2.0, 3.0, 4.0], 0.5);
    reassigned([2.0, 3.0], 0.5);
    stacked(&[0.3, 0.7, 1.1]);
    sorted(&[[3.0, 1.0], [1.0, 2.0], [2.0, 5.0]]);
    edited(vec![[3.0, 1.0], [1.0, 2.0], [2.0, 5.0]], 0.5);
    chosen(&[Shape::Dot, Shape::Disc([1.0, 2.0], 0.5), Shape::Box([[0.0, 1.0], [2.0, 3.5]]), Shape::Path(vec![[1.0, 2.0], [3.0, 4.0]])]);
    turned(&mut Shape::Disc([1.0, 2.0], 0.5), 0.7);
    sometimes(&[Some([1.0, 2.0]), None, Some([3.0, 4.0])]);
    in_cells([1.0, 2.0], 0.5);
    in_shared_cells(Rc::new(RefCell::new(Body { at: [0.0, 0.3, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 })), 0.4);
    of_vectors(&[vec![1.0, 2.0], vec![3.0]]);
    lists_of_vectors([vec![1.0, 2.0], vec![3.0]], 0.5);
    captured([1.0, 2.0, 3.0], 0.5);
    kept_captures([1.0, 2.0], 0.5);
    updated(Body { at: [0.0, 0.3, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 });
    matched((1, [2.0, 3.0]), 0.5);
    rotated([[1.0, 2.0], [3.0, 4.0]]);
    columns(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    viewed(&[0.5; 3], 2.0);
    doubled(&mut [1.0, 2.0, 3.0], 0.5);
    long([0.1; 20], 0.5);
    none([], [(), ()], 0.5);
    returned(0.4, 0.6);
    taken(0.4, 0.6);
    boxed(Box::new([1.0, 2.0]), 0.5);
    trees(&Tree { value: [1.0, 2.0], kids: vec![Tree { value: [3.0, 4.0], kids: vec![] }] });
    dispatched(0.5, &[1.0, 2.0]);
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Body {
    at: [f64; 3],
    v: [f64; 3],
    m: f64,
}

#[differentiable]
fn pulled(bodies: &[Body]) -> f64 {
    let mut energy = 0.0;
    for i in 0..bodies.len() {
        for k in 0..3 {
            energy += 0.5 * bodies[i].m * bodies[i].v[k] * bodies[i].v[k];
        }
        for j in 0..i {
            let mut r2 = 0.1;
            for (a, b) in bodies[i].at.iter().zip(&bodies[j].at) {
                r2 += (a - b) * (a - b);
            }
            energy -= bodies[i].m * bodies[j].m / r2.sqrt();
        }
    }
    energy
}

#[differentiable]
fn moved(bodies: &mut [Body], dt: f64) -> f64 {
    for _ in 0..3 {
        let before = bodies[1];
        for body in bodies.iter_mut() {
            for k in 0..3 {
                body.at[k] += dt * body.v[k] * before.at[0];
            }
        }
        bodies[0].v = bodies[1].at;
        bodies[1].v[2] = before.at[1] * body_sum(&bodies[0]);
        bodies.swap(0, 1);
    }
    body_sum(&bodies[0]) * bodies[1].at[2]
}

#[differentiable]
fn body_sum(body: &Body) -> f64 {
    body.at.iter().sum::<f64>() + body.v.iter().map(|v| v * v).sum::<f64>() * body.m
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Packed {
    tag: u8,
    small: [f32; 3],
    flag: bool,
    wide: [f64; 2],
    rest: f32,
}

#[differentiable]
fn packed(all: &[Packed]) -> f64 {
    let mut sum = 0.0;
    let kept: Vec<Packed> = all.iter().copied().filter(|p| p.tag < 9).collect();
    for p in &kept {
        let [a, b, c] = p.small;
        let inner = if p.flag {
            f64::from(a * b)
        } else {
            f64::from(b * c * p.rest)
        };
        sum += inner * p.wide[0] + p.wide[1] * p.wide[1] * f64::from(p.tag);
    }
    sum
}

#[differentiable]
fn odd_rows(rows: &[[f32; 3]]) -> f32 {
    let mut sum = 0.0;
    for (i, row) in rows.iter().enumerate() {
        sum += row[i] * row[2] * row[2];
    }
    sum
}

#[differentiable]
fn nested(x: &[[[f32; 3]; 2]], k: usize) -> f32 {
    let inner = x[k][1];
    let mut sum = inner[0] * inner[2];
    for plane in x {
        let mut rows = *plane;
        rows[0] = rows[1];
        rows[1][k] = rows[0][2] * 2.0;
        sum += rows[0][1] * rows[1][1] * plane[0][0];
    }
    sum
}

#[differentiable]
fn swapped(mut body: Body, mut other: [f64; 3]) -> f64 {
    mem::swap(&mut body.at, &mut other);
    mem::swap(&mut body.v, &mut other);
    let sum = body.at[0] * body.v[1] * other[2];
    body.at = body.v;
    body.v[1] = 7.0 * body.m;
    sum + body.at[1] * body.v[1]
}

#[differentiable]
fn replaced(x: [f64; 3], s: f64) -> f64 {
    let mut body = Body {
        at: x,
        v: [s, s * s, 1.0],
        m: 1.0,
    };
    let old = mem::replace(&mut body.at, [s, 2.0 * s, 3.0 * s]);
    let whole = mem::replace(
        &mut body,
        Body {
            at: [s; 3],
            v: old,
            m: s,
        },
    );
    body.at[0] *= 3.0;
    old[0] * whole.at[1] * whole.v[1] + body.at[0] * body.v[2]
}

#[differentiable]
fn reassigned(x: [f64; 2], s: f64) -> f64 {
    let mut pair = (x, s);
    let inner = &mut pair;
    let before = inner.0;
    inner.0 = [inner.0[1] * s, inner.0[0]];
    inner.0[0] += before[0];
    let whole = *inner;
    *inner = ([s, s], 2.0);
    before[1] * whole.0[0] + inner.0[1] * whole.1
}

#[differentiable]
fn stacked(x: &[f64]) -> f64 {
    let mut stack: Vec<[f64; 2]> = Vec::new();
    let mut sum = 0.0;
    for &v in x {
        stack.push([v, v * v]);
        stack.push([2.0 * v, 1.0]);
        let top = stack.pop().unwrap();
        stack.push([9.0, top[0]]);
        sum += top[0] * top[1];
    }
    while let Some([a, b]) = stack.pop() {
        sum = 0.5 * sum + a * b;
    }
    sum
}

#[differentiable]
fn sorted(points: &[[f64; 2]]) -> f64 {
    let mut all = points.to_vec();
    all.sort_by(|a, b| a[0].partial_cmp(&b[0]).unwrap());
    let mut sum = 0.0;
    for (n, point) in all.iter().enumerate() {
        sum += (n as f64 + 1.0) * point[1] * point[0];
    }
    all.reverse();
    sum * all[0][1]
}

#[differentiable]
fn edited(mut all: Vec<[f64; 2]>, s: f64) -> f64 {
    let gone = all.remove(0);
    all.insert(1, [s, gone[1]]);
    let last = all.swap_remove(0);
    all[0] = [all[0][1], all[0][0]];
    let copy = all.clone();
    all.extend_from_slice(&copy);
    all[1][0] = 4.0;
    all.retain(|p| p[1] > 0.0);
    let sum: f64 = all.iter().map(|[a, b]| a * b).sum();
    sum * gone[0] + last[1] * copy[1][0]
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Shape {
    Dot,
    Disc([f64; 2], f64),
    Box([[f64; 2]; 2]),
    Path(Vec<[f64; 2]>),
}

#[differentiable]
fn chosen(shapes: &[Shape]) -> f64 {
    let mut copies = shapes.to_vec();
    copies[0] = copies[1].clone();
    copies.push(Shape::Dot);
    let mut sum = 0.0;
    for shape in &copies {
        sum += match shape {
            Shape::Dot => 1.0,
            Shape::Disc(center, r) => center[0] * center[1] * r,
            Shape::Box([low, high]) => (high[0] - low[0]) * (high[1] - low[1]),
            Shape::Path(points) => points.iter().map(|p| p[0] * p[1]).sum(),
        };
    }
    sum
}

#[differentiable]
fn turned(shape: &mut Shape, s: f64) -> f64 {
    let before = shape.clone();
    if let Shape::Disc(center, r) = shape {
        center[0] *= s;
        *r += center[0] * s;
    }
    let disc = mem::replace(shape, Shape::Box([[s, 1.0], [2.0, s * s]]));
    if let Shape::Box(corners) = shape {
        corners[1] = corners[0];
        corners[0][0] = 5.0 * s;
    }
    let value = |shape: &Shape| match shape {
        Shape::Disc(center, r) => center[0] * center[1] * r,
        Shape::Box(corners) => corners[0][0] * corners[1][0] + corners[1][1],
        _ => 0.0,
    };
    value(&before) + 2.0 * value(&disc) + 3.0 * value(shape)
}

#[differentiable]
fn sometimes(points: &[Option<[f64; 2]>]) -> f64 {
    let mut held: Vec<Option<[f64; 2]>> = vec![None; points.len()];
    for (n, point) in points.iter().enumerate() {
        if n != 1 {
            held[n] = *point;
        }
    }
    let first = held[0].take();
    let mut sum = 0.0;
    for point in held.iter().flatten() {
        sum += point[0] * point[1];
    }
    held[0] = held[2];
    sum + first.map_or(0.0, |p| p[0] * p[0]) * held[0].unwrap()[1]
}

#[differentiable]
fn in_cells(x: [f64; 2], s: f64) -> f64 {
    let cell = Cell::new(x);
    let before = cell.get();
    let old = cell.replace([s, before[0]]);
    let now = cell.get();
    cell.set([now[1], 1.0]);
    before[0] * old[1] + now[0] * cell.get()[0]
}

#[differentiable]
fn in_shared_cells(body: Rc<RefCell<Body>>, s: f64) -> f64 {
    let other = body.clone();
    let before = body.borrow().at;
    other.borrow_mut().at[1] *= s;
    other.borrow_mut().v = before;
    let now = *body.borrow();
    body.borrow_mut().at = [0.0; 3];
    now.at[1] * now.v[1] + before[1] * now.m + body.borrow().at[0]
}

#[differentiable]
fn of_vectors(x: &[Vec<f64>; 2]) -> f64 {
    let mut sum = 0.0;
    for row in x {
        for v in row {
            sum += v * v * x[1][0];
        }
    }
    sum
}

#[differentiable]
fn lists_of_vectors(mut x: [Vec<f64>; 2], s: f64) -> f64 {
    let copy = x.clone();
    x[0].push(s);
    let first = mem::take(&mut x[0]);
    x[1].extend(first.iter().map(|v| v * s));
    x.swap(0, 1);
    x[0].iter().sum::<f64>() * copy[0][1] + first[2] + x[1].len() as f64
}

#[differentiable]
fn captured(x: [f64; 3], s: f64) -> f64 {
    let rows = [x, [s, s * s, 1.0]];
    let at = |i: usize, j: usize| rows[i][j];
    let f = move |k: usize| (0..3).map(|j| at(0, j) * rows[k][j]).sum::<f64>();
    let all: Vec<f64> = (0..2).map(|k| f(k)).collect();
    all[0] * all[1]
}

#[differentiable]
fn kept_captures(x: [f64; 2], s: f64) -> f64 {
    let mut y = x;
    let f = move |k: usize| y[k] * s;
    y[0] = 100.0 * s;
    let mut g = move || {
        y[1] += 1.0;
        y[0] * y[1]
    };
    let a = g();
    let b = g();
    f(0) * a + f(1) * b + y[1]
}

#[differentiable]
fn updated(body: Body) -> f64 {
    let mut all = vec![body; 2];
    all[0] = Body { m: 2.0, ..all[1] };
    all[1].at[0] = 9.0;
    let Body { at, v, .. } = all[0];
    all[0].at[1] = 8.0;
    at[0] * at[1] * v[2] + all[1].at[0] * body_sum(&all[0])
}

#[differentiable]
fn matched(x: (usize, [f64; 2]), s: f64) -> f64 {
    let mut pair = x;
    let [a, b] = pair.1;
    let picked = match pair {
        (1, whole) => whole,
        (_, [first, _]) => [first, first],
    };
    pair.1 = [b * s, a];
    let [ref mut low, high] = pair.1;
    *low *= high;
    picked[0] * pair.1[0] + a
}

#[differentiable]
fn rotated(mut m: [[f64; 2]; 2]) -> f64 {
    m = [[m[1][0], m[0][0]], m[0]];
    m[0] = m[1];
    m[1][0] *= 2.0;
    let [first, second] = m;
    m[0][0] = 10.0;
    first[0] * second[0] + m[0][0] * m[1][1]
}

#[differentiable]
fn columns(m: &[[f64; 3]; 2]) -> f64 {
    let t: [[f64; 2]; 3] = std::array::from_fn(|j| std::array::from_fn(|i| m[i][j]));
    let sums = t.map(|column| column[0] * column[1]);
    let [a, rest @ ..] = sums;
    a + rest[0] * rest[1]
}

#[derive(Differentiable, Clone, Copy)]
struct View<'a> {
    of: &'a [f64; 3],
    by: f64,
}

#[differentiable]
fn viewed(x: &[f64; 3], s: f64) -> f64 {
    let other = [s, 1.0, s * s];
    let mut views = vec![View { of: x, by: s }];
    views.push(View {
        of: &other,
        by: 2.0,
    });
    let v = &mut views[0];
    v.by *= 3.0;
    v.of = &other;
    let swapped = View { of: x, ..views[1] };
    views.push(swapped);
    views.iter().map(|v| v.of[1] * v.of[2] * v.by).sum()
}

#[differentiable]
fn doubled(x: &mut [f64; 3], s: f64) -> f64 {
    let before = *x;
    for v in x.iter_mut() {
        *v *= s;
    }
    let mut rows = [before, *x];
    scale_row(&mut rows[1], s);
    *x = rows[1];
    x[0] += before[1];
    rows[0][2] * rows[1][2] + x[0]
}

#[differentiable]
fn scale_row(row: &mut [f64; 3], s: f64) {
    row[2] *= s;
    row.swap(0, 2);
}

#[differentiable]
fn long(x: [f64; 20], s: f64) -> f64 {
    let mut pair = (x, s);
    let whole = &mut pair;
    let before = whole.0;
    for i in 1..20 {
        whole.0[i] += whole.0[i - 1] * s;
    }
    let mut all = vec![whole.0, before];
    all[0][3] = before[4];
    all.swap(0, 1);
    all[0].iter().zip(&all[1]).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn none(x: [f64; 0], units: [(); 2], s: f64) -> f64 {
    let held = (1_u8, x, units, 2_u8, s);
    let all = vec![held; 2];
    all[1].1.iter().sum::<f64>() + all[0].4 * all[1].2.len() as f64 + f64::from(all[1].3)
}

#[differentiable]
fn body_of(a: f64, b: f64) -> Body {
    let at = [a, b, a * b];
    Body { at, v: at, m: b }
}

#[differentiable]
fn returned(a: f64, b: f64) -> Body {
    let mut all = [body_of(a, b), body_of(b, a)];
    all[0].at[0] += all[1].v[2];
    all[0].v[1] *= 2.0;
    all[0]
}

#[differentiable]
fn taken(a: f64, b: f64) -> (Vec<[f64; 2]>, [[f64; 2]; 2], Option<[f64; 2]>) {
    let m = [[a, b], [a * b, b * b]];
    let all: Vec<[f64; 2]> = m.iter().rev().copied().collect();
    let first = all.first().copied();
    (all, m, first)
}

#[differentiable]
fn boxed(mut x: Box<[f64; 2]>, s: f64) -> f64 {
    let before = *x;
    x[0] *= s;
    let mut whole = Box::new(Body {
        at: [before[0]; 3],
        v: [s; 3],
        m: x[0],
    });
    whole.at[1] = x[1];
    let copy = whole.clone();
    *x = [whole.m, s];
    whole.v = whole.at;
    body_sum(&copy) * x[0] + whole.v[1]
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Tree {
    value: [f64; 2],
    kids: Vec<Tree>,
}

#[differentiable]
fn trees(tree: &Tree) -> f64 {
    let mut sum = tree.value[0] * tree.value[1];
    for kid in &tree.kids {
        sum += tree.value[1] * trees(kid);
    }
    sum
}

#[differentiable]
trait Field {
    fn at(&self, p: &[f64; 2]) -> f64;
}
#[derive(Differentiable, Clone)]
struct Plane([f64; 2]);
#[derive(Differentiable, Clone)]
struct Bump {
    center: [f64; 2],
    height: f64,
}
#[differentiable]
impl Field for Plane {
    fn at(&self, p: &[f64; 2]) -> f64 {
        self.0[0] * p[0] + self.0[1] * p[1]
    }
}
#[differentiable]
impl Field for Bump {
    fn at(&self, p: &[f64; 2]) -> f64 {
        let d = [p[0] - self.center[0], p[1] - self.center[1]];
        self.height * (-d[0] * d[0] - d[1] * d[1]).exp()
    }
}

#[differentiable]
fn dispatched(s: f64, p: &[f64; 2]) -> f64 {
    let fields: Vec<Box<dyn Field>> = vec![
        Box::new(Plane([s, 2.0 * s])),
        Box::new(Bump {
            center: [s, 1.0],
            height: 3.0,
        }),
    ];
    fields.iter().map(|f| f.at(p)).sum()
}
