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
    by_getter(Body { at: [0.3, 0.7, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }, 0.5);
    by_option(vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 0.5);
    by_iterator(vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 0.5);
    by_hand(vec![[1.0, 2.0], [3.0, 4.0]], 0.5);
    by_pattern(vec![[1.0, 2.0], [3.0, 4.0]], Some([5.0, 6.0]), 0.5);
    out_of_options(Some([1.0, 2.0]), 0.5);
    out_of_cells([1.0, 2.0], 0.5);
    out_of_boxes(Box::new([1.0, 2.0]), Rc::new([3.0, 4.0]), 0.5);
    out_of_vectors(vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 0.5);
    steps(Body { at: [0.3, 0.7, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }, 4);
    returned_twice(&mut [[1.0, 2.0], [3.0, 4.0]][..], 0.5);
    through_closures([1.0, 2.0], 0.5);
    through_traits(0.3, 0.8);
    in_pairs(&[([1.0, 2.0], 3.0), ([4.0, 5.0], 6.0)]);
    through_calls([1.0, 2.0], 0.5);
    behind_patterns(vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 0.5);
    behind_parameters(vec![[1.0, 2.0], [3.0, 4.0]], 0.5);
    behind_changes(vec![[1.0, 2.0], [3.0, 4.0]], 0.5);
    by_receivers(vec![Body { at: [0.3, 0.7, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }; 2], 0.5);
    by_own_index(0.3, 0.8);
    by_reference_of_field(Body { at: [0.3, 0.7, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }, 0.5);
    in_expressions(vec![[1.0, 2.0], [3.0, 4.0]], 0.5);
    unwrapped_in_place(Some([1.0, 2.0]), 0.5);
    by_default_methods(vec![Holder { tag: 1, it: [1.0, 2.0] }, Holder { tag: 2, it: [3.0, 4.0] }], 0.5);
    gone_through(vec![[1.0, 2.0], [3.0, 4.0]], [0.3, 0.8], 0.5);
    changed_on_the_way(&mut [1.0, 2.0, 3.0], &mut Body { at: [0.3, 0.7, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }, 0.5);
    behind_themselves(&Branch { value: 0.5, kids: [Some(Rc::new(Branch { value: 1.5, kids: [None, None] })), None] });
    by_references(vec![Body { at: [0.3, 0.7, 1.0], v: [0.1, 0.2, -0.3], m: 1.5 }, Body { at: [0.2, 0.5, 2.0], v: [0.4, 0.2, -0.1], m: 2.5 }], 0.5);
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

#[differentiable]
impl Body {
    fn place(&self) -> &[f64; 3] {
        &self.at
    }
    fn place_mut(&mut self) -> &mut [f64; 3] {
        &mut self.at
    }
    fn same(&self) -> Body {
        *self
    }
    fn advanced(mut self, dt: f64) -> Body {
        for (x, v) in self.at.iter_mut().zip(self.v) {
            *x += dt * v;
        }
        self
    }
}

#[differentiable]
fn by_getter(mut body: Body, s: f64) -> f64 {
    let kept = *body.place();
    let same = body.same();
    body.at = [s, s, 2.0 * s];
    let later = *body.place();
    body.at[0] = 9.0;
    *body.place_mut() = [body.at[1], 3.0 * s, 1.0];
    let all = *body.place_mut();
    body.place_mut()[1] = 100.0 * s;
    kept[0] * later[0] + same.at[1] * all[1] + body.at[1] * all[0] + later[2]
}

#[differentiable]
fn by_option(mut all: Vec<[f64; 2]>, s: f64) -> f64 {
    let first = all.first().copied().unwrap();
    let last = all.last().cloned().unwrap();
    let middle = *all.get(1).unwrap();
    all[0] = [s, s];
    all[1] = all[0];
    all[2] = [s * s, 1.0];
    all[1][0] = 3.0;
    first[0] * last[1] * middle[0] + all[0][0] * all[1][0] * all[2][0]
}

#[differentiable]
fn by_iterator(mut all: Vec<[f64; 2]>, s: f64) -> f64 {
    let first = *all.iter().next().unwrap();
    let most = *all
        .iter()
        .max_by(|a, b| a[1].partial_cmp(&b[1]).unwrap())
        .unwrap();
    let mut kept = Vec::new();
    for &p in &all {
        kept.push(p);
    }
    for p in all.iter_mut() {
        let before = *p;
        *p = [before[1] * s, before[0]];
    }
    let mut sum = first[0] * most[1];
    for (p, q) in all.iter().zip(&kept) {
        sum += p[0] * q[0] * q[1];
    }
    let folded = all
        .iter()
        .fold([0.0, 1.0], |acc, p| [acc[0] + p[0], acc[1] * p[1]]);
    sum + folded[0] * folded[1]
}

#[differentiable]
fn by_hand(mut all: Vec<[f64; 2]>, s: f64) -> f64 {
    let held = all[0];
    all[0] = all[1];
    all[1] = held;
    all[1][1] *= s;
    let n = all.len();
    let (low, high) = all.split_at_mut(n / 2);
    let kept = low[0];
    low[0] = high[0];
    high[0] = kept;
    high[0][0] += s;
    held[0] * held[1] + kept[0] * all[0][1] + all[1][0] * all[0][0]
}

#[differentiable]
fn by_pattern(mut all: Vec<[f64; 2]>, mut other: Option<[f64; 2]>, s: f64) -> f64 {
    let &[a, b] = &all[0];
    let whole @ [c, _] = all[1];
    let Some(inner) = other else { return 0.0 };
    other = Some([s, s]);
    all[1] = [7.0 * s, 1.0];
    all[0] = whole;
    all[0][0] = 2.0;
    let picked = match &all[..] {
        [first, second] => [first[1], second[0]],
        _ => [0.0, 0.0],
    };
    a * b * c + whole[0] * inner[1] + picked[0] * picked[1] + other.unwrap()[0]
}

#[differentiable]
fn out_of_options(mut x: Option<[f64; 2]>, s: f64) -> f64 {
    let old = x.replace([s, 2.0]);
    let now = x.take();
    let made = *x.get_or_insert([s * s, s]);
    x = Some([8.0, 8.0]);
    if let Some(p) = x.as_mut() {
        let before = *p;
        p[0] = s * before[1];
    }
    let last = x.unwrap_or([0.0; 2]);
    x = None;
    old.unwrap()[0] * now.unwrap()[0] + made[0] * made[1] + last[0] + x.map_or(s, |p| p[0])
}

#[differentiable]
fn out_of_cells(x: [f64; 2], s: f64) -> f64 {
    let (cell, other) = (Cell::new(x), Cell::new([s, 1.0]));
    let taken = cell.take();
    cell.set([taken[1], s]);
    cell.swap(&other);
    let (a, b) = (cell.get(), other.get());
    cell.set(b);
    let held = RefCell::new(vec![x, b]);
    let old = held.replace(vec![a]);
    let first = held.borrow()[0];
    held.borrow_mut()[0] = [5.0, 6.0];
    let inner = RefCell::new(x);
    let before = *inner.borrow();
    *inner.borrow_mut() = [before[1], before[1] * s];
    taken[0] * a[0] * b[1] + old[0][1] * first[0] + cell.get()[0] * before[0] * inner.borrow()[1]
}

#[differentiable]
fn out_of_boxes(mut x: Box<[f64; 2]>, shared: Rc<[f64; 2]>, s: f64) -> f64 {
    let before = *x;
    let copy = x.clone();
    *x = *shared;
    let now = *x;
    x[0] = s;
    let again = shared.clone();
    let mut own = *again;
    own[1] *= s;
    let moved = mem::replace(&mut *x, own);
    before[0] * copy[1] + now[0] * moved[0] + x[1] * shared[1]
}

#[differentiable]
fn out_of_vectors(mut all: Vec<[f64; 2]>, s: f64) -> f64 {
    let tail = all.split_off(1);
    all.push([s, s]);
    let drained: Vec<[f64; 2]> = all.drain(..).collect();
    all.push(tail[1]);
    all.push([0.0, s]);
    all.truncate(1);
    all.push([s * s, 3.0]);
    let mut owned = Vec::new();
    for mut p in tail {
        p[0] *= s;
        owned.push(p);
    }
    all.append(&mut owned);
    all.rotate_left(1);
    all.dedup();
    let chunks: f64 = all.chunks(2).map(|c| c[0][0] * c[c.len() - 1][1]).sum();
    drained[0][0] * drained[1][1] + chunks
}

#[differentiable]
fn steps(mut state: Body, n: usize) -> f64 {
    let mut before = state;
    let mut sum = 0.0;
    for k in 0..n {
        let next = state.advanced(0.1 * k as f64);
        sum += next.at[0] * before.at[1] + state.at[2];
        before = state;
        state = next;
        advance(&mut state, &before);
    }
    sum + before.at[0]
}

#[differentiable]
fn advance(state: &mut Body, other: &Body) {
    let old = *state;
    *state = Body { v: other.at, ..old };
    state.at[0] += old.v[0] * state.v[1];
}

#[differentiable]
fn returned_twice(rows: &mut [[f64; 2]], s: f64) -> ([f64; 2], [f64; 2], Vec<[f64; 2]>) {
    let first = rows[0];
    rows[0] = [s, rows[1][0]];
    let second = rows[0];
    rows[0][0] = 4.0 * s;
    (first, second, rows.to_vec())
}

#[differentiable]
fn through_closures(x: [f64; 2], s: f64) -> f64 {
    let mut state = (x, 1.0);
    let mut swap = |by: f64| {
        let old = state.0;
        state.0 = [old[1] * by, old[0]];
        old
    };
    let a = swap(s);
    let b = swap(2.0);
    let give = || state.0;
    let c = give();
    let keep = [a, b, c];
    let pick = |k: usize| keep[k];
    let d = pick(1);
    a[0] * b[0] + c[0] * d[1] + state.0[1]
}

#[differentiable]
trait Carrier {
    fn held(&self) -> [f64; 2];
    fn set_held(&mut self, to: [f64; 2]);
    fn turned(&mut self) -> [f64; 2] {
        let old = self.held();
        self.set_held([old[1], old[0] * 2.0]);
        old
    }
}
#[derive(Differentiable, Clone)]
struct Holder<T> {
    tag: u8,
    it: T,
}
#[differentiable]
impl Carrier for Holder<[f64; 2]> {
    fn held(&self) -> [f64; 2] {
        self.it
    }
    fn set_held(&mut self, to: [f64; 2]) {
        self.it = to;
        self.tag += 1;
    }
}

#[differentiable]
fn through_traits(a: f64, b: f64) -> f64 {
    let mut holder = Holder { tag: 1, it: [a, b] };
    let first = holder.turned();
    let second = holder.turned();
    let mut any: Box<dyn Carrier> = Box::new(holder.clone());
    let third = any.turned();
    let fourth = any.held();
    any.set_held([0.0; 2]);
    first[0] * second[1] + third[0] * fourth[1] + holder.it[0] * f64::from(holder.tag)
}

#[differentiable]
fn in_pairs(x: &[([f64; 2], f64)]) -> f64 {
    let mut all: Vec<(f64, [f64; 2])> = x.iter().map(|&(p, w)| (w, p)).collect();
    let (w, p) = all[0];
    all[0] = (p[0], [w, w]);
    all[0].1[1] = 2.0;
    let (ref mut v, ref mut q) = all[1];
    let old = *q;
    *q = [*v, old[0]];
    *v = old[1];
    w * p[1] + all[0].0 * all[0].1[0] + all[1].0 * all[1].1[0] * old[0]
}

#[differentiable]
fn through_calls(mut x: [f64; 2], s: f64) -> f64 {
    let y = same_list(x);
    x[0] = s;
    let z = same_list(same_list(x));
    let mut holder = Holder {
        tag: 0,
        it: same_list(y),
    };
    let w = same_list(holder.it);
    holder.it = same_list([s, s * s]);
    let (p, q) = both(holder.it, &holder.it);
    holder.it[0] = 50.0;
    y[0] * z[0] * w[1] + p[0] * q[1] + holder.it[1]
}

#[differentiable]
fn same_list(x: [f64; 2]) -> [f64; 2] {
    x
}

#[differentiable]
fn both(mut x: [f64; 2], y: &[f64; 2]) -> ([f64; 2], [f64; 2]) {
    x[1] += y[0];
    (x, *y)
}

#[differentiable]
fn behind_patterns(mut all: Vec<[f64; 2]>, s: f64) -> f64 {
    let Some(&first) = all.first() else {
        return 0.0;
    };
    let mut sum = 0.0;
    if let Some(&last) = all.last() {
        let n = all.len();
        all[n - 1][0] = s;
        sum += last[0] * all[n - 1][0];
    }
    let third = match all.iter().nth(2) {
        Some(&p @ [_, b]) if b > 0.0 => p,
        _ => [0.0; 2],
    };
    let (&second, k) = (&all[1], 1);
    all[k] = [s * s, s];
    all[0][0] = 9.0 * s;
    all[2][1] = 5.0;
    sum + first[0] * second[0] * third[1] + all[0][0] * all[1][1]
}

#[differentiable]
fn scaled_row(&mut_row: &[f64; 2], s: f64) -> [f64; 2] {
    let mut row = mut_row;
    row[0] *= s;
    row
}

#[differentiable]
fn behind_parameters(all: Vec<[f64; 2]>, s: f64) -> f64 {
    let doubled = |&(mut p): &[f64; 2]| {
        p[0] *= 2.0;
        p
    };
    let rows: Vec<[f64; 2]> = all.iter().map(doubled).collect();
    let again: f64 = all.iter().map(|&[a, b]| a * b).sum();
    let scaled = scaled_row(&all[0], s);
    let sorted = all
        .iter()
        .fold([0.0; 2], |best, &p| if p[0] > best[0] { p } else { best });
    rows[0][0] * rows[1][1] + again * scaled[0] + all[0][0] * all[1][0] * sorted[1]
}

#[differentiable]
fn behind_changes(mut all: Vec<[f64; 2]>, s: f64) -> f64 {
    let mut best = [0.0; 2];
    for &p in &all {
        if p[1] > best[1] {
            best = p;
        }
    }
    best[0] += s;
    let mut previous = all[0];
    for p in &mut all {
        let now = *p;
        *p = [previous[0] * s, now[1]];
        previous = now;
    }
    let kept = *all.iter().last().unwrap();
    all[1][1] = 7.0 * s;
    best[0] * all[1][0] + kept[1] * previous[0] + all[1][1]
}

#[differentiable]
fn by_receivers(mut all: Vec<Body>, s: f64) -> f64 {
    let a = all.first().unwrap().advanced(s);
    let b = all.iter().next().unwrap().advanced(2.0 * s);
    let c = all[1].advanced(s).advanced(s);
    let d = all.last().unwrap().same().advanced(s);
    all[0].at[0] = 9.0;
    let e = all.last().map(|b| b.advanced(s)).unwrap();
    all[1] = a;
    all[1].at[1] += 1.0;
    a.at[0] * b.at[1] * c.at[2] + d.at[0] * e.at[1] + all[0].at[0] * all[1].at[1]
}

#[derive(Differentiable, Clone)]
struct Rows {
    rows: Vec<[f64; 2]>,
}
#[differentiable]
impl std::ops::Index<usize> for Rows {
    type Output = [f64; 2];
    fn index(&self, n: usize) -> &[f64; 2] {
        &self.rows[n]
    }
}
#[differentiable]
impl std::ops::IndexMut<usize> for Rows {
    fn index_mut(&mut self, n: usize) -> &mut [f64; 2] {
        &mut self.rows[n]
    }
}

#[differentiable]
fn by_own_index(a: f64, b: f64) -> f64 {
    let mut m = Rows {
        rows: vec![[a, b], [b, a * b]],
    };
    let first = m[0];
    let [_, y] = m[1];
    m[0] = m[1];
    m[1] = first;
    m[1][0] *= 3.0;
    let pair = (m[0], m[1][1]);
    m[0][1] = 5.0 * a;
    let swapped = m[1];
    m.rows[1] = [0.0; 2];
    first[0] * y + pair.0[1] * pair.1 + m[0][1] * swapped[0] + m[1][1]
}

#[differentiable]
impl Body {
    fn inner(&self) -> &Body {
        self
    }
    fn spot(&self) -> [f64; 3] {
        *self.inner().place()
    }
}

#[differentiable]
fn by_reference_of_field(mut body: Body, s: f64) -> f64 {
    let at = body.inner().at;
    let spot = body.spot();
    let Body { v, .. } = *body.inner();
    let [x, ..] = *body.inner().place();
    body.at = [s; 3];
    body.v[0] = 4.0;
    let advanced = body.inner().advanced(s);
    body.at[2] = 3.0;
    at[0] * spot[1] * v[0] + x * body.at[0] + advanced.at[0] * advanced.at[2]
}

#[differentiable]
fn in_expressions(mut all: Vec<[f64; 2]>, s: f64) -> f64 {
    let pair = (*all.first().unwrap(), [*all.last().unwrap(); 2]);
    let body = Rows {
        rows: vec![*all.first().unwrap()],
    };
    let chosen = if s > 0.0 {
        *all.first().unwrap()
    } else {
        [0.0; 2]
    };
    let by_block = { *all.get(1).unwrap() };
    let or = *all.get(7).unwrap_or(&all[0]);
    let given = same_list(*all.first().unwrap());
    let kept = all
        .iter()
        .copied()
        .reduce(|a, b| if a[0] > b[0] { a } else { b })
        .unwrap();
    let least = all
        .iter()
        .min_by(|a, b| a[0].partial_cmp(&b[0]).unwrap())
        .copied()
        .unwrap();
    all[0] = [s, 1.0];
    all[1] = [s * s, 2.0];
    pair.0[0] * pair.1[1][0]
        + body.rows[0][1] * chosen[1]
        + by_block[0] * or[1]
        + given[0] * kept[0] * least[1]
}

#[differentiable]
fn renewed(x: &mut Option<[f64; 2]>, s: f64) -> Option<f64> {
    let p = x.unwrap();
    *x = Some([s, p[0]]);
    let q = (*x)?;
    let r = x.expect("there");
    *x = Some([s * s, q[1]]);
    let t = x.unwrap_or([0.0; 2]);
    let u = x.map_or([1.0; 2], |p| p);
    let w = match *x {
        Some(w) => w,
        None => [0.0; 2],
    };
    if let Some(v) = x {
        v[0] = 9.0 * s;
        v[1] = 2.0;
    }
    let z = x.or(None).unwrap_or_default();
    *x = None;
    Some(p[1] * q[0] + r[1] * t[0] + u[1] * w[0] + z[0] * z[1])
}

#[differentiable]
fn unwrapped_in_place(mut x: Option<[f64; 2]>, s: f64) -> f64 {
    let y = renewed(&mut x, s).unwrap();
    y * x.map_or(2.0, |p| p[0])
}

#[differentiable]
trait Shift: Copy {
    fn shift(self, by: f64) -> Self;
    fn twice(mut self, by: f64) -> Self {
        self = self.shift(by);
        self.shift(by)
    }
}
impl Copy for Holder<[f64; 2]> {}
#[differentiable]
impl Shift for Holder<[f64; 2]> {
    fn shift(mut self, by: f64) -> Self {
        self.it[0] += by;
        self.it[1] *= by;
        self
    }
}
#[differentiable]
fn moved_by<T: Shift>(x: &[T], by: f64) -> T {
    x.first().unwrap().shift(by).twice(by)
}

#[differentiable]
fn by_default_methods(mut all: Vec<Holder<[f64; 2]>>, s: f64) -> f64 {
    let a = all.first().unwrap().twice(s);
    let b = all.last().unwrap().shift(s).twice(2.0);
    let c = moved_by(&all, s);
    all[0].it[0] = 7.0;
    a.it[0] * b.it[1] + c.it[0] * all[0].it[1] + all[1].it[0]
}

#[differentiable]
fn by_references(mut all: Vec<Body>, s: f64) -> f64 {
    let held = |k: usize, all: &[Body]| all[k].at;
    let before = held(0, &all);
    let pick = if s > 0.0 { &all[0] } else { &all[1] };
    let copied = *pick;
    let part = pick.at;
    let updated = Body {
        m: 2.0,
        ..*all.first().unwrap()
    };
    let mut best = *all.first().unwrap();
    for body in &all {
        if body.m > best.m {
            best = *body;
        }
    }
    all[0].at = [s, s, 1.0];
    all[0].v[0] = 5.0;
    best.at[0] += s;
    before[0] * copied.at[1] * part[2] + updated.v[0] * best.at[0] + all[0].at[0] * copied.v[0]
}

#[differentiable]
fn gone_through(mut all: Vec<[f64; 2]>, mut x: [f64; 2], s: f64) -> f64 {
    let mut sum = 0.0;
    for v in *all.first().unwrap() {
        all[0][1] *= 3.0;
        sum += v * s;
    }
    for v in all[1] {
        all[1][1] += 5.0;
        sum *= v;
    }
    for v in x {
        x[1] = 7.0 * s;
        sum += v * v;
    }
    for (k, v) in x.into_iter().enumerate() {
        x[1] = s;
        sum += v * k as f64;
    }
    let mut items = (*all.last().unwrap()).into_iter();
    all[1] = [s; 2];
    while let Some(v) = items.next() {
        sum += v;
    }
    let held = x.iter().map(|v| v * s).sum::<f64>();
    let mapped = (*all.first().unwrap()).map(|v| {
        all[0][1] = 2.0;
        v * 2.0
    });
    sum + held * mapped[1] + all[0][1] * x[1]
}

/// An array that stands in its own elements, behind pointers.
#[derive(Differentiable, Clone)]
struct Branch {
    value: f64,
    kids: [Option<Rc<Branch>>; 2],
}

#[differentiable]
fn behind_themselves(branch: &Branch) -> f64 {
    let mut own = branch.clone();
    own.kids.swap(0, 1);
    let first = own.kids[1].clone();
    own.kids[1] = None;
    let below: f64 = branch
        .kids
        .iter()
        .flatten()
        .map(|kid| behind_themselves(kid))
        .sum();
    let kept = first.map_or(1.0, |kid| kid.value);
    let left = own.kids.iter().flatten().count() as f64;
    branch.value * branch.value + below * kept + left
}

#[differentiable]
impl Body {
    fn pushed(&mut self, s: f64) -> f64 {
        let mut sum = 0.0;
        for x in self.at {
            self.shove(s);
            sum += x * s;
        }
        for (x, v) in self.at.into_iter().zip(self.v) {
            self.v[2] += x;
            self.at[2] *= 2.0;
            sum += x * v;
        }
        sum
    }
    fn shove(&mut self, s: f64) {
        self.at[1] += s;
        self.at[2] *= s;
    }
}

#[differentiable]
fn changed_on_the_way(x: &mut [f64; 3], body: &mut Body, s: f64) -> f64 {
    let mut sum = body.pushed(s);
    for v in *x {
        x[2] = s;
        sum += v;
    }
    for v in &mut *x {
        *v *= s;
    }
    for v in x.iter_mut() {
        *v += 1.0;
    }
    for (k, v) in x.into_iter().enumerate() {
        *v *= k as f64;
    }
    let same = x;
    for v in same {
        *v += s;
        sum *= *v;
    }
    sum + body.at[2]
}
