//! How names are used: variants without their enum, types that are called like std's, modules.

use mooncake::prelude::*;
use std::ops::{Index, IndexMut};

check! {
    own_variants(0.7);
    own_results(0.7);
    cells(0.7);
    march(0.2, 0.1, 0.8);
    parsed(1.5, 0.5);
    nested_variants(0.7);
    heat(0.3);
}

mod sheet {
    pub(crate) mod parts {
        use mooncake::prelude::*;
        #[derive(Clone, Debug, Differentiable)]
        pub(crate) enum Cell {
            Empty,
            Number(f64),
            Sum(Vec<usize>),
            Scaled(usize, f64),
        }
        #[derive(Clone, Copy, Debug, Differentiable)]
        pub struct Ref<'a, T>(pub &'a T);
        #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
        pub struct Range {
            pub start: f64,
            pub end: f64,
        }
        #[differentiable]
        impl Range {
            pub fn new(start: f64, end: f64) -> Self {
                Range { start, end }
            }
            pub fn contains(&self, x: f64) -> bool {
                x >= self.start && x < self.end
            }
            pub fn len(&self) -> f64 {
                self.end - self.start
            }
            pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
                Range {
                    start: f(self.start),
                    end: f(self.end),
                }
            }
        }
    }
    pub(crate) use self::parts::{Cell, Ref};
    use mooncake::prelude::*;
    #[differentiable]
    pub(crate) fn eval(cells: &[Cell], at: usize) -> f64 {
        match &cells[at] {
            Cell::Empty => 0.0,
            Cell::Number(x) => *x,
            Cell::Sum(of) => of.iter().map(|&i| eval(cells, i)).sum(),
            &Cell::Scaled(i, k) => k * eval(cells, i),
        }
    }
}
#[differentiable]
fn cells(x: f64) -> f64 {
    use sheet::{Cell, Ref, parts::Range};
    let cells = vec![
        Cell::Number(x),
        Cell::Scaled(0, x.sin()),
        Cell::Sum(vec![0, 1, 3]),
        Cell::Empty,
    ];
    let r = Range::new(x - 1.0, 2.0 * x + 3.0).map(|v| v * v);
    let by = Ref(&r);
    let inside = if by.0.contains(0.5) { 1.0 } else { 2.0 };
    sheet::eval(&cells, 2) * inside + by.0.len() + r.end
}

#[derive(Clone, Debug, Differentiable)]
enum Sdf {
    Sphere { c: [f64; 2], r: f64 },
    Union(Box<Sdf>, Box<Sdf>),
    Smooth { k: f64, a: Box<Sdf>, b: Box<Sdf> },
    Offset(Box<Sdf>, f64),
}
#[differentiable]
impl Sdf {
    fn dist(&self, p: [f64; 2]) -> f64 {
        use Sdf::*;
        match self {
            Sphere { c: [cx, cy], r } => (p[0] - cx).hypot(p[1] - cy) - r,
            Union(a, b) => a.dist(p).min(b.dist(p)),
            Smooth { k, a, b } => {
                let (da, db) = (a.dist(p), b.dist(p));
                let h = (0.5 + 0.5 * (db - da) / k).clamp(0.0, 1.0);
                db + (da - db) * h - k * h * (1.0 - h)
            }
            Self::Offset(inner, by) => inner.dist(p) - *by,
        }
    }
}
#[differentiable]
fn march(angle: f64, off: f64, k: f64) -> f64 {
    let s = |x, y, r| Box::new(Sdf::Sphere { c: [x, y], r });
    let scene = Sdf::Union(
        Box::new(Sdf::Smooth {
            k,
            a: s(5.0, 0.0, 1.0),
            b: s(5.5, 1.2, 0.7),
        }),
        Box::new(Sdf::Offset(s(9.0, -1.0, 0.5), off)),
    );
    let dir = [angle.cos(), angle.sin()];
    let mut t = 0.0;
    let hit = 'march: {
        for _ in 0..20 {
            let p = dir.map(|d| d * t);
            let d = scene.dist(p);
            if d < 1e-9 {
                break 'march Some(t);
            }
            t += d;
            if t > 50.0 {
                break 'march None;
            }
        }
        Some(t)
    };
    hit.map_or(-1.0, |t| t * t)
}

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
enum Token {
    Num(f64),
    Op(Op),
    Open,
    Close,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Differentiable)]
enum Op {
    Add,
    Mul,
    Pow,
}
#[differentiable]
impl Op {
    fn power(self) -> (u8, u8) {
        match self {
            Op::Add => (1, 2),
            Op::Mul => (3, 4),
            Op::Pow => (6, 5),
        }
    }
    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Mul => a * b,
            Self::Pow => a.powf(b),
        }
    }
}
#[derive(Differentiable)]
struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
}
#[differentiable]
impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }
    fn bump(&mut self) -> Option<Token> {
        let t = self.peek().copied()?;
        self.at += 1;
        Some(t)
    }
    fn expr(&mut self, min: u8) -> Option<f64> {
        let mut lhs = match self.bump()? {
            Token::Num(x) => x,
            Token::Open => {
                let v = self.expr(0)?;
                if !matches!(self.bump(), Some(Token::Close)) {
                    return None;
                }
                v
            }
            _ => return None,
        };
        while let Some(&Token::Op(op)) = self.peek() {
            let (l, r) = op.power();
            if l < min {
                break;
            }
            self.bump();
            let rhs = self.expr(r)?;
            lhs = op.apply(lhs, rhs);
        }
        Some(lhs)
    }
}
#[differentiable]
fn parsed(x: f64, y: f64) -> f64 {
    use self::Op::*;
    let t = [
        Token::Num(x),
        Token::Op(Pow),
        Token::Num(2.0),
        Token::Op(Mul),
        Token::Open,
        Token::Num(y),
        Token::Op(Add),
        Token::Num(x),
        Token::Op(Mul),
        Token::Num(3.0),
        Token::Close,
        Token::Op(Add),
        Token::Num(1.0),
    ];
    let mut p = Parser { tokens: &t, at: 0 };
    let v = p.expr(0).expect("a value");
    v + Parser {
        tokens: &t[..3],
        at: 2,
    }
    .expr(0)
    .unwrap_or(0.0)
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum List<T> {
    Nil,
    Cons(T, Box<List<T>>),
}
use List::*;
#[differentiable]
impl<T: Copy + Into<f64>> List<T> {
    fn sum(&self) -> f64 {
        match self {
            Nil => 0.0,
            Cons(h, t) => (*h).into() + t.sum(),
        }
    }
    fn map<U>(&self, f: &impl Fn(T) -> U) -> List<U> {
        match self {
            Nil => Nil,
            Cons(h, t) => Cons(f(*h), Box::new(t.map(f))),
        }
    }
    fn from_iter_rev(it: impl IntoIterator<Item = T>) -> Self {
        it.into_iter().fold(Nil, |acc, x| Cons(x, Box::new(acc)))
    }
}
#[differentiable]
fn nested_variants(x: f64) -> f64 {
    let l = List::from_iter_rev([x, 2.0 * x, x.sin()]);
    let m: List<f64> = l.map(&|v| v * v);
    let Cons(first, _) = &m else { return -1.0 };
    if let Cons(a, rest) = &l {
        if let Cons(b, rest) = &**rest {
            if matches!(**rest, Cons(_, _)) {
                return l.sum() * m.sum() + a * b + first;
            }
        }
    }
    *first
}

#[derive(Clone, Copy, Debug, PartialEq, Default, Differentiable)]
struct Cell {
    temp: f64,
    wall: bool,
}
#[differentiable]
impl Cell {
    fn new(temp: f64) -> Self {
        Cell { temp, wall: false }
    }
    fn mix(self, o: &Cell, k: f64) -> Cell {
        Cell {
            temp: self.temp + k * (o.temp - self.temp),
            ..self
        }
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Grid {
    w: usize,
    h: usize,
    cells: Vec<Cell>,
}
#[differentiable]
impl Index<(usize, usize)> for Grid {
    type Output = Cell;
    fn index(&self, (x, y): (usize, usize)) -> &Cell {
        &self.cells[y * self.w + x]
    }
}
#[differentiable]
impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut Cell {
        &mut self.cells[y * self.w + x]
    }
}
#[differentiable]
impl Grid {
    fn neighbours(&self, x: usize, y: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        const D: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        D.iter().filter_map(move |&(dx, dy)| {
            let (nx, ny) = (x as isize + dx, y as isize + dy);
            (nx >= 0 && ny >= 0 && (nx as usize) < self.w && (ny as usize) < self.h)
                .then_some((nx as usize, ny as usize))
        })
    }
    fn step(&mut self) {
        let old = self.clone();
        for y in 0..self.h {
            for x in 0..self.w {
                if old[(x, y)].wall {
                    continue;
                }
                let n: Vec<_> = old.neighbours(x, y).filter(|&p| !old[p].wall).collect();
                if n.is_empty() {
                    continue;
                }
                let mean = n.iter().map(|&p| old[p].temp).sum::<f64>() / n.len() as f64;
                self[(x, y)] = old[(x, y)].mix(&Cell::new(mean), 0.25);
            }
        }
    }
}
#[differentiable]
fn heat(x: f64) -> f64 {
    let mut g = Grid {
        w: 3,
        h: 3,
        cells: (0..9).map(|i| Cell::new(x * i as f64)).collect(),
    };
    g[(1, 1)].wall = true;
    g[(2, 2)].temp = x.exp();
    for _ in 0..3 {
        g.step();
    }
    g.cells
        .iter()
        .filter(|c| !c.wall)
        .map(|c| c.temp.powi(2))
        .sum()
}

/// Variants that are called like those of std.
mod like_std {
    use mooncake::Float;
    use mooncake::prelude::*;
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub enum Reading<T> {
        Some(T),
        None,
    }
    #[differentiable]
    impl<T: Float> Reading<T> {
        pub fn is_some(&self) -> bool {
            false
        }
        pub fn unwrap(self) -> T {
            match self {
                Reading::Some(value) => value + value,
                Reading::None => T::zero(),
            }
        }
    }
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub enum Outcome {
        Err(f64),
        Ok(f64),
    }
    #[differentiable]
    impl Outcome {
        pub fn unwrap(self) -> f64 {
            match self {
                Self::Ok(x) => 10.0 * x,
                Self::Err(x) => 5.0 * x,
            }
        }
    }
}
#[differentiable]
fn own_variants(x: f64) -> f64 {
    use like_std::Reading::*;
    let there = Some(x * x);
    let other = if x > 1.0 { Some(2.0) } else { None };
    let matched = match there {
        Some(_) if there.is_some() => 0.0,
        Some(value) => value,
        None => 1.0,
    };
    let std = Option::Some(x).map_or(0.0, |x| x.sin());
    there.unwrap() + other.unwrap() + matched + std
}
#[differentiable]
fn own_results(x: f64) -> f64 {
    use like_std::Outcome::*;
    let outcome = |x: f64| if x > 1.0 { Ok(x) } else { Err(x) };
    outcome(x).unwrap() * outcome(2.0 * x).unwrap()
}
