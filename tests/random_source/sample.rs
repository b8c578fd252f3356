//! Programs as `make` makes them and `print` writes them; `BLESS=1 cargo test --test random_source` renews the file.
//! Native Rust is the oracle here.

#![allow(clippy::all, unused, arithmetic_overflow, unconditional_panic)]

use crate::check::{Args, Case};
use crate::kept::{Native, native};
use crate::library::*;
use mooncake::differentiable;
use std::cell::RefCell;
use std::rc::Rc;

mod p0 {
use super::*;
pub const CASE: Case = Case { seed: 0, args: Args { x: [0.8262152565601271, 0.4383648778314114, -0.8854129056008262, -0.6249876568205447], u: [0.5787914772923494, -0.4287563950250103, 0.30039189805607114], a: -0.22885129539114438, n: 2 }, along: Args { x: [-0.3327020610761487, -0.36699748646170227, -0.5149139241138749, -0.834848528394914], u: [-0.9827737814477456, 0.5544319465656822, -0.7049055650970615], a: 0.05195182391628949, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: f64 = a;
    let mut v14: f64 = a;
    let mut v19: Option<f64> = (if (3i64 < 1i64) {
        Some((1.5 as f64))
    } else {
        None
    }).filter(|&v16| (!({
        let mut v17: f64 = 2.0;
        let mut v18: i64 = 0;
        loop {
            v17 = x[((0i64 as usize) % x.len())];
            v18 += 1;
            if ((v18 >= 3) || ((x[((v18 as usize) % x.len())] < x[((v18 as usize) % x.len())]) && (!(1.75 <= a)))) {
                break v17;
            }
        }
    } <= 1.25))).map(|v15| root(1.0).unwrap_or(a));
    for p20 in u[1..].iter_mut() {
        let mut v20 = *p20;
        *p20 = x[((1i64 as usize) % x.len())].min(1.5);
    }
    let mut v27: Result<f64, f64> = if ((n as i64) == (n as i64)) {
        Ok(match Some(u[((2i64 as usize) % u.len())]) {
            Some(v26) => a,
            None => v14,
        })
    } else {
        Err((1.75 as f64))
    };
    'l28: for &v28 in x {
        if (0i64 < 1i64) {
            continue;
        }
        let mut v29: f64 = v28.sin();
    }
    let mut v30 = L::Node(v14.min(0.25), Box::new(L::Node((if (!(u[((1i64 as usize) % u.len())] <= v13)) {
        Some(a)
    } else {
        None
    }).unwrap_or(a), Box::new(L::End))));
    'l31: for v31 in 0i64..3i64 {
    }
    (((((n as i64) as f64) + v13) + v19.unwrap_or(0.25)) + total(&v30))
}
}

mod p1 {
use super::*;
pub const CASE: Case = Case { seed: 1, args: Args { x: [0.7379560179951821, -0.8244969727757291, -0.8850760476343101, -0.5447917417965875], u: [-0.8359233113878121, -0.2672470339535576, 0.8453202566647712], a: -0.04194685799022672, n: 3 }, along: Args { x: [-0.1937932026943437, 0.23855753428470755, 0.05259037492938694, 0.9849358887552317], u: [-0.0643937203426828, 0.3416183862203568, 0.7890494353513555], a: -0.12807691677289867, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = |v11: f64| {
        a = x[(((n as i64) as usize) % x.len())];
        (a * v11)
    };
    let mut v12 = (apply(&mut v10, 0.5) + v10(match Some((1.25 as f64)) {
        Some(v13) if (shared(x[((2i64 as usize) % x.len())], 1.5) < v13) => x[((1i64 as usize) % x.len())],
        _ => 0.5,
    }));
    let mut v14 = |v15: f64| {
        v12 = 2.0;
        (v12 * v15)
    };
    let mut v16 = (v14((1i64 as f64)) + v14((a * a)));
    let mut v19 = vec![(1.0 as f64), (0.25 as f64)];
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % v19.len());
        v19[i0] *= if ((1i64 * (n as i64)) == 1i64) {
            u[((3i64 as usize) % u.len())]
        } else {
            if (3i64 < 0i64) {
                v12
            } else {
                1.75
            }
        };
    }
    let mut v20: f64 = v19[((0i64 as usize) % v19.len())].tanh();
    let mut v22: [f64; 3] = [(0.25 as f64).min(v16), v16, x[((1i64 as usize) % x.len())]];
    {
        let mut m = ((3i64 as usize) % (v19.len() + 1));
        let (p, q) = v19.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v23 = *i;
            let mut v24 = *j;
            let mut e = x.iter().enumerate().map(|(i, &v25)| {
                let mut v26 = (i as i64);
                spiral(x[((1i64 as usize) % x.len())], (n as i64))
            }).sum::<f64>();
            let mut f = (2i64 as f64);
            *i = e;
            *j = f;
        }
    }
    let mut v28: i64 = (n as i64);
    let mut v29 = v19.clone();
    {
        let mut i0 = ((((n as i64) + 0i64) as usize) % v22.len());
        v22[i0] += {
            let mut f = |v30: f64| match (if ((2i64 < 1i64) || (!(v19[(((n as i64) as usize) % v19.len())] <= v16))) {
                Ok(v16)
            } else {
                Err((1.0 as f64))
            }) {
                Ok(v31) => match Some(v16) {
                    Some(v33) if (v28 == 0i64) => v30,
                    _ => v12,
                },
                Err(v32) => match both(x[(((n as i64) as usize) % x.len())], x[((v28 as usize) % x.len())]) {
                    Some(v34) if (((2.5 * v30) as i64) == 0i64) => v12,
                    _ => v16,
                },
            };
            (f(v12) + f({
                let mut v35: f64 = v16;
                let mut v36: i64 = 0;
                loop {
                    v35 = v35;
                    v36 += 1;
                    if ((v36 >= 3) || (((2.5 * a) as i64) == 1i64)) {
                        break v35;
                    }
                }
            }))
        };
    }
    ((((((a + a) + v12) + v16) + v20) + halved(&v22)) + halved(&v29))
}
}

mod p2 {
use super::*;
pub const CASE: Case = Case { seed: 2, args: Args { x: [0.6659795188713863, -0.7879669413145111, -0.4762738612391399, -0.7625738312821859], u: [0.05259979868463378, -0.2094880850379312, 0.7232590092560159], a: 0.5930053104768656, n: 3 }, along: Args { x: [-0.8253369653732388, 0.9912183317785062, 0.46420561999014753, -0.3246793306207653], u: [-0.5114020040773027, -0.8818548307301075, 0.6745917234389559], a: -0.617013995529071, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = Rc::new(RefCell::new(if (x[((2i64 as usize) % x.len())] < a) {
        a
    } else {
        a
    }));
    {
        let mut e = (0.75 as f64);
        *v10.borrow_mut() *= e;
    }
    let mut v12 = v10.clone();
    for p13 in u[1..].iter_mut() {
        let mut v13 = *p13;
        *p13 = 1.75;
    }
    for p14 in u[1..].iter_mut() {
        let mut v14 = *p14;
        *p14 = 1.75;
    }
    let mut v16 = L::Node((a - a), Box::new(L::Node(x[((1i64 as usize) % x.len())], Box::new(L::End))));
    let mut v17 = v10.clone();
    let mut v18 = vec![scanned(x, a), (a - u[((1i64 as usize) % u.len())]), a];
    {
        let mut m = (((2i64 * 1i64) as usize) % (v18.len() + 1));
        let (p, q) = v18.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v19 = *i;
            let mut v20 = *j;
            let mut e = match (&v16) {
                L::Node(v21, v22) => {
                    let mut v21 = *v21;
                    v21
                },
                L::End => x[((1i64 as usize) % x.len())],
            };
            let mut f = match (if ((-1.25) < v19) {
                Ok(a)
            } else {
                Err(v20)
            }) {
                Ok(v23) => v20,
                Err(v24) => v20,
            };
            *i = e;
            *j = f;
        }
    }
    {
        let mut i0 = (((2i64 * 1i64) as usize) % u.len());
        bump(&mut u[i0], (0.5 as f64).max(0.5));
    }
    (((({
        let mut f = |v25: f64| duo(match 0i64 {
            0 => x[((0i64 as usize) % x.len())],
            1 | 2 => x[((0i64 as usize) % x.len())],
            v26 if ((x[((3i64 as usize) % x.len())] < v25) && (x.windows(2).map(|c| {
            let mut v27 = c[0];
            let mut v28 = c[(c.len() - 1)];
            v28
        }).sum::<f64>() < a)) => a,
            _ => v25,
        }, duo(x[(((n as i64) as usize) % x.len())], x[((1i64 as usize) % x.len())]));
        (f(a) + f(match E::One(a) {
            E::One(v29) => {
                let mut r = *v12.borrow();
                r
            },
            E::Two { x: v29, n: v30 } => x[((1i64 as usize) % x.len())],
            E::None => a,
        }))
    } + a) + {
        let mut r = *v12.borrow();
        r
    }) + total(&v16)) + {
        let mut r = *v17.borrow();
        r
    })
}
}

mod p3 {
use super::*;
pub const CASE: Case = Case { seed: 3, args: Args { x: [0.11909096924278742, -0.1300196978630539, -0.9882474495424053, 0.5437364960527828], u: [-0.7915396312927411, -0.9826149246466901, -0.8231457253271767], a: -0.4825678368400588, n: 2 }, along: Args { x: [0.942227578452428, 0.18445840414377482, 0.44922550499601444, 0.10298285069602356], u: [0.24717936058196985, -0.34067226079149987, -0.32759008818051133], a: 0.01662103896306011, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = D { s: S { a: a, b: (a, x[((1i64 as usize) % x.len())]), n: (1i64 + 2i64) }, o: both(a, a), v: vec![{
        let mut v10: f64 = a;
        let mut v11: i64 = 0;
        loop {
            v10 = a;
            v11 += 1;
            if ((v11 >= 3) || (!((1.0 as f64).max(a) <= v10))) {
                break v10;
            }
        }
    }, u[((2i64 as usize) % u.len())], swapped(2.0, a).1], e: E::One(a) };
    a -= a;
    let mut v13: f64 = parity(1.75, 3i64).max(x[((1i64 as usize) % x.len())].max(a));
    for p14 in u.iter_mut() {
        let mut v14 = *p14;
        *p14 = v14;
    }
    v12.s.turn(match Some((0.5 as f64)) {
        Some(v15) if (!(v15 <= v15)) => v15,
        _ => 0.5,
    });
    ((Some(v13).unwrap_or(1.5) + a) + weigh(&v12, 0.5))
}
}

mod p4 {
use super::*;
pub const CASE: Case = Case { seed: 4, args: Args { x: [-0.38280986697590325, 0.25254086873871096, -0.10401793634377636, 0.3936897359445997], u: [-0.46056478471810647, 0.09020554088321502, -0.7698236810325034], a: 0.7703545736655936, n: 2 }, along: Args { x: [-0.7406250652699581, 0.06136131801147303, -0.411028931468468, 0.2691058292733616], u: [0.7874435359283471, 0.35111497808943565, 0.5967975088340521], a: -0.1854112042040221, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    mix(u, 0.5);
    let mut v10: i64 = 3i64;
    'l11: for v11 in 0i64..3i64 {
        if (((n as i64) + v11) == (n as i64)) {
            let mut v13: Box<dyn Solid> = if (v10 < 1i64) {
                Box::new(Ball { r: 1.25 })
            } else {
                Box::new(Brick { sides: (a, a), n: 1i64 })
            };
            let mut v14 = |v15: f64| {
                a = Some(x[((1i64 as usize) % x.len())]).and_then(|v17| both(0.5, v17)).unwrap_or(v15);
                (a * v15)
            };
            let mut v16 = (apply(&mut v14, 0.5) + v14(1.5));
        } else {
            let mut v23: f64 = match Some(a).filter(|&v20| (a < v20)) {
                Some(v19) if (v19 < 2.0) => a,
                _ => match (if (a < a) {
                    E::One(a)
                } else {
                    E::Two { x: x[(((n as i64) as usize) % x.len())], n: ((2.5 * x[((0i64 as usize) % x.len())]) as i64) }
                }) {
                    E::One(v21) => u[((3i64 as usize) % u.len())],
                    E::Two { x: v21, n: v22 } => 0.25,
                    E::None => a,
                },
            };
        }
        if (1i64 < 0i64) {
            return orchard(a, 3i64);
        }
    }
    if ((v10 == (n as i64)) || (1i64 < v10)) {
        let mut v25: i64 = 1i64;
    } else {
    }
    (spiral(shared(if (u[(((n as i64) as usize) % u.len())] < a) {
        a
    } else {
        0.75
    }, a), ((2.5 * a.max(a)) as i64)) + a)
}
}

mod p5 {
use super::*;
pub const CASE: Case = Case { seed: 5, args: Args { x: [0.33055231061162216, 0.6079499985091479, 0.9244718057853105, -0.13882546252598807], u: [-0.5866108634567861, -0.5893532187784196, -0.9226748475816232], a: 0.6698125798073217, n: 1 }, along: Args { x: [-0.6612247119963014, -0.552453974325012, 0.39578275895494935, 0.894104029924916], u: [0.7925407279380012, 0.6725574792926788, 0.15945708464257746], a: -0.886934053891125, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = v10;
    }
    let mut v13: [f64; 3] = [if (a < a) {
        a
    } else {
        a
    }, {
        let mut f = |v12: f64| (1.25 as f64);
        (f(a) + f(a))
    }, (a * a)];
    let mut v19 = if (blocks(&v13) < a) {
        E::One(match chained(u[((2i64 as usize) % u.len())], x[((1i64 as usize) % x.len())]) {
            Ok(v15) => a,
            Err(v16) => a,
        })
    } else {
        E::Two { x: (if ((a < a) || (u[((1i64 as usize) % u.len())] < a)) {
            Some(a)
        } else {
            None
        }).unwrap_or(a), n: 1i64 }
    };
    let mut v20 = 0;
    'l20: while ((v20 < 4) && (a < x[((1i64 as usize) % x.len())])) {
        v20 += 1;
        if let Some(v23) = combined(Some(a), u[((1i64 as usize) % u.len())]) {
            let Some(v24) = Some(v23) else {
                break 'l20;
            };
            let mut v26 = L::Node(a, Box::new(L::Node(a, Box::new(L::Node(solids(x[((3i64 as usize) % x.len())], 1i64), Box::new(L::End))))));
        }
        let mut v27 = (a as f32);
    }
    let mut v29: Option<f64> = Some(a).filter(|&v28| (x[((3i64 as usize) % x.len())] < a));
    (((a + a) + halved(&v13)) + match v19 {
        E::One(v30) => v30,
        E::Two { x: v30, n: v31 } => v30,
        E::None => 0.5,
    })
}
}

mod p6 {
use super::*;
pub const CASE: Case = Case { seed: 6, args: Args { x: [-0.22575542310427546, 0.9637946170765544, 0.38159063495364, -0.490762686777087], u: [-0.17968334199188662, 0.6474015156354349, -0.7683109292456843], a: -0.9503477508830027, n: 1 }, along: Args { x: [-0.45426878431563705, 0.3855960339225927, 0.4963433669689374, 0.48506375568624643], u: [0.41021320961007324, -0.27069272128855015, -0.09270979640589724], a: 0.5540294082540032, n: 3 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v12 = S { a: (0.5 * if (2i64 < 1i64) {
        v4
    } else {
        v4
    }), b: (v4, v4), n: 2i64 };
    h0((v9 - 1i64), stepped(v4, 0i64))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v10 = *i;
            let mut v11 = *j;
            let mut e = x[((1i64 as usize) % x.len())];
            let mut f = v10;
            *i = e;
            *j = f;
        }
    }
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v14 = *i;
            let mut v15 = *j;
            let mut e = h0(2i64, 1.25);
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    let mut v16 = 0;
    'l16: while ((v16 < 4) && ((x[((2i64 as usize) % x.len())] < 0.25) || (a < a))) {
        v16 += 1;
        let mut v18 = |v19: f64| {
            a = ((a as f32) as f64);
            (a * v19)
        };
        let mut v20 = (apply(&mut v18, 0.5) + v18(swapped(1.25, 2.0).1));
        {
            let mut i0 = ((1i64 as usize) % u.len());
            u[i0] = v20;
        }
    }
    let mut v23 = vec![S { a: a, b: (a, a), n: 0i64 }];
    let mut v25: Result<f64, f64> = ratio(a, h0(2i64, u[(((n as i64) as usize) % u.len())]));
    let mut v28 = D { s: S { a: a, b: (a, x[((2i64 as usize) % x.len())]), n: 1i64 }, o: Some(u[(((n as i64) as usize) % u.len())]), v: vec![a, a], e: if (!((1.75 + a) <= a)) {
        E::One((1.5 as f64))
    } else {
        E::None
    } };
    if (1i64 == 1i64) {
        {
            let mut i0 = (((2i64 + (n as i64)) as usize) % v28.v.len());
            v28.v[i0] = a;
        }
    } else {
    }
    ((a + v23[((1i64 as usize) % v23.len())].a) + weigh(&v28, 0.5))
}
}

mod p7 {
use super::*;
pub const CASE: Case = Case { seed: 7, args: Args { x: [-0.33562439977994324, 0.07540605580470958, -0.9098548455244726, 0.163573898433283], u: [0.874319663699516, -0.42638090708759835, 0.786633546683105], a: -0.05261896306728073, n: 3 }, along: Args { x: [0.9658466442469281, 0.3948846689646538, -0.4669236510105455, -0.07803220322676971], u: [-0.9616870078602795, 0.4503262373968028, 0.4359869863170824], a: 0.9174268715974849, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v13: [f64; 3] = [v4, v4, v4];
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = ((0.5 as f64), a);
    let mut v13 = S { a: x[((3i64 as usize) % x.len())], b: v12, n: ((2.5 * a) as i64) };
    for p14 in u[1..].iter_mut() {
        let mut v14 = *p14;
        *p14 = a;
    }
    let mut v16 = vec![match 0i64 {
        0 => a,
        1 | 2 => a,
        v15 if ((h0(a) < a) && ((n as i64) == 1i64)) => a,
        _ => a,
    }];
    bump(&mut v13.a, match 2i64 {
        0 => 0.5,
        1 | 2 => 0.5,
        v17 if (0.5 < 0.5) => 0.75,
        _ => 0.5,
    });
    mix(&mut v16, match (if (1i64 < 1i64) {
        E::One((0.5 as f64))
    } else {
        E::None
    }) {
        E::One(v18) => x[((2i64 as usize) % x.len())],
        E::Two { x: v18, n: v19 } => v18,
        E::None => 1.25,
    });
    'l20: for &v20 in x {
        let mut v21 = S { a: a, b: swapped(spiral(v20, (n as i64)), v13.b.0), n: v13.n };
        {
            let mut m = (((1i64 + 0i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v23 = *i;
                let mut v24 = *j;
                let mut e = v21.b.0;
                let mut f = a;
                *i = e;
                *j = f;
            }
        }
    }
    let mut v26 = D { s: v13, o: both(x[((1i64 as usize) % x.len())], x[(((n as i64) as usize) % x.len())]), v: vec![{
        let mut f = |v25: f64| v25;
        (f(x[((2i64 as usize) % x.len())]) + f(a))
    }, (2i64 as f64)], e: E::One(x[((3i64 as usize) % x.len())]) };
    ((((a + a) + v12.1) + v13.size(0.75)) + weigh(&v26, 0.5))
}
}

mod p8 {
use super::*;
pub const CASE: Case = Case { seed: 8, args: Args { x: [-0.5114805282882536, 0.5470767174629876, -0.7365298541573972, -0.6007504866903863], u: [-0.3124027432912002, 0.7765198077970229, -0.5935967841938392], a: 0.6943261063503644, n: 3 }, along: Args { x: [-0.6027165604742474, -0.06868587878934969, -0.813307479182473, 0.25271531677810893], u: [-0.179984158340187, -0.5363855028934295, -0.526785438499486], a: 0.6054841949576639, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    v4 *= 1.5;
    let mut v13 = turned(S { a: {
        let mut v11: f64 = v5;
        let mut v12: i64 = 0;
        loop {
            v11 = v5;
            v12 += 1;
            if ((v12 >= 3) || (v11 < v4)) {
                break v11;
            }
        }
    }, b: (v4, v4), n: 3i64 }, if (v5 < v5) {
        E::One(v4)
    } else {
        E::None
    });
    1.25
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Option<f64> = Some(a);
    let mut v13: Option<f64> = root(1.5);
    let mut v14 = vec![a, duo(a, 1.75), (1.75 as f64)];
    'l15: for v15 in 0i64..(n as i64) {
        let mut v17 = (a, match both(2.0, a) {
            Some(v16) => x[((1i64 as usize) % x.len())],
            None => a,
        });
        let mut e18 = a;
        let mut p18 = if (2.0 < a) {
            let mut i0 = ((1i64 as usize) % v14.len());
            &mut v14[i0]
        } else {
            let mut i0 = ((v15 as usize) % v14.len());
            &mut v14[i0]
        };
        *p18 += e18;
    }
    for p19 in v14.iter_mut() {
        let mut v19 = *p19;
        *p19 = stepped(match ((2.5 * x[((3i64 as usize) % x.len())]) as i64) {
            0 => 2.0,
            1 | 2 => v19,
            v20 if (match ((2.5 * v19) as i64) {
            0 => x[((1i64 as usize) % x.len())],
            1 | 2 => 1.75,
            v21 if (v21 < v20) => a,
            _ => v19,
        } < a) => v19,
            _ => v19,
        }, 1i64);
    }
    let mut v22 = 0;
    'l22: while ((v22 < 4) && (a < a)) {
        v22 += 1;
        let mut v25 = D { s: turned(S { a: x[((1i64 as usize) % x.len())], b: swapped(1.0, 0.25), n: 2i64 }, if (!(if ((x[((2i64 as usize) % x.len())] - x[((0i64 as usize) % x.len())]) < a) {
            a
        } else {
            0.75
        } <= a)) {
            E::One((1.5 as f64))
        } else {
            E::None
        }), o: v13, v: vec![combined(Some((1.75 as f64)), a).unwrap_or(a), (0.25 * x[((2i64 as usize) % x.len())])], e: if (((2.5 * a) as i64) == 0i64) {
            E::One(a)
        } else {
            E::None
        } };
        let mut v26 = v14.clone();
    }
    ((({
        let mut f = |v27: f64| (0.75 as f64);
        (f(h0(2i64, a, a)) + f(v13.and_then(|v28| Some(a)).unwrap_or(x[((2i64 as usize) % x.len())])))
    } + a) + v12.unwrap_or(0.25)) + v13.unwrap_or(0.25))
}
}

mod p9 {
use super::*;
pub const CASE: Case = Case { seed: 9, args: Args { x: [-0.1024020557263795, -0.058643735330000245, -0.43983157869646905, 0.5645888993905035], u: [-0.210822731504401, -0.8482909352927895, -0.8180925325825822], a: 0.10046420466433785, n: 0 }, along: Args { x: [0.23664867952974827, 0.6586428402315834, -0.2471892154572161, -0.36097501132985665], u: [1.0010578596571111, 0.7066472079371009, 0.9092297255268051], a: -0.25931968093217267, n: 1 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v15 = S { a: v5.max(match (if (v5 < v5) {
        Some(v4)
    } else {
        None
    }) {
        Some(v10) if (!({
        let mut v11: f64 = v10;
        let mut v12: i64 = 0;
        loop {
            v11 = v5;
            v12 += 1;
            if ((v12 >= 3) || (!(2.0 <= v11))) {
                break v11;
            }
        }
    } <= v10)) => v10,
        _ => v5,
    }), b: swapped(v4, v5.tanh()), n: 1i64 };
    if let Some(v16) = Some((2.0 as f64)) {
        let mut v19: Option<f64> = Some(v16).filter(|&v18| (((2.5 * v18) as i64) == 0i64)).and_then(|v17| root(v5));
        let mut v20 = S { a: v4, b: (v5, v4), n: 2i64 };
    }
    {
        let mut f = |v21: f64| (2.0 as f64);
        (f(v5) + f(v4))
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = Rc::new(RefCell::new(a));
    {
        let mut i0 = (((1i64 * 0i64) as usize) % u.len());
        u[i0] *= a;
    }
    let mut v11 = S { a: 0.75, b: ((1.75 as f64), (x[((2i64 as usize) % x.len())] * a)), n: ((2.5 * a) as i64) };
    let mut v12 = if (a < a) {
        E::One((x[((0i64 as usize) % x.len())] * a))
    } else {
        E::None
    };
    let mut v14 = vec![v11, S { a: a, b: swapped(a, x[((2i64 as usize) % x.len())]), n: v11.n }, S { a: 1.25, b: (x[((v11.n as usize) % x.len())], a), n: 3i64 }];
    {
        let mut e = a;
        *v10.borrow_mut() += e;
    }
    let mut v17: f64 = h1(2i64, a, a.sin());
    let mut v19 = L::Node({
        let mut r = *v10.borrow();
        r
    }, Box::new(L::End));
    let mut v20: Option<f64> = Some(Some(x[((v11.n as usize) % x.len())]).unwrap_or(v17));
    ((((((shared((match (&v19) {
        L::Node(v21, v22) => {
            let mut v21 = *v21;
            v17
        },
        L::End => 0.25,
    }).cos(), match E::One(a) {
        E::One(v23) => 0.5,
        E::Two { x: v23, n: v24 } => (a - a),
        E::None => a,
    }) + a) + {
        let mut r = *v10.borrow();
        r
    }) + v11.size(0.75)) + v14[((1i64 as usize) % v14.len())].a) + v17) + v20.unwrap_or(0.25))
}
}

mod p10 {
use super::*;
pub const CASE: Case = Case { seed: 10, args: Args { x: [0.6724948624734092, -0.30792961824175563, -0.40010335669406966, 0.21905940839774926], u: [0.949736029485507, -0.8671706067451272, -0.14262421353366175], a: -0.44791531701858023, n: 3 }, along: Args { x: [-0.5882992855384458, -0.6612683870450551, 0.16054179268822977, -0.1909150073359424], u: [-0.2446351890227461, 0.8170772029375659, 0.23310968260268583], a: 0.018445889103654096, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = L::Node(match chained(a, a) {
        Ok(v10) => x[((2i64 as usize) % x.len())],
        Err(v11) => v11,
    }, Box::new(L::Node(a, Box::new(L::End))));
    if (1i64 < 2i64) {
        mix(u, if (0i64 < 1i64) {
            0.25
        } else {
            0.5
        });
        let mut v16: Option<f64> = Some((0.25 as f64));
    } else {
        grow(&mut v12, match ratio(2.0, 0.5) {
            Ok(v17) => 1.25,
            Err(v18) => v18,
        });
    }
    let mut v19 = vec![a.max(a), a, a.cos()];
    let mut v20: i64 = 1i64;
    for p21 in u[1..].iter_mut() {
        let mut v21 = *p21;
        *p21 = Some((1.0 as f64)).unwrap_or({
            let mut f = |v22: f64| v21;
            (f(x[((v20 as usize) % x.len())]) + f(1.0))
        });
    }
    let mut v23 = vec![S { a: x[((3i64 as usize) % x.len())], b: (a, (1.5 as f64)), n: v20 }];
    let mut v24 = v23.clone();
    ((((a + total(&v12)) + halved(&v19)) + v23[((1i64 as usize) % v23.len())].a) + v24[((1i64 as usize) % v24.len())].a)
}
}

mod p11 {
use super::*;
pub const CASE: Case = Case { seed: 11, args: Args { x: [-0.2354988458873401, -0.939441066951598, -0.6761182229659716, 0.10826272171697647], u: [-0.8091404000151063, 0.11314365555433341, -0.4702335150590872], a: 0.7934263813283594, n: 0 }, along: Args { x: [-0.6898790681956111, 0.3467667452868046, 0.8929011890039125, 0.5363001807650052], u: [0.7702651437156834, -0.8985559085201666, 0.4644917881872638], a: -0.787942947939967, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11 = swapped(match root(0.75) {
        Some(v10) => v4,
        None => v4,
    }, v4);
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: f64 = a;
    let mut v16 = D { s: S { a: a, b: (x[((1i64 as usize) % x.len())], (0.75 as f64)), n: (n as i64) }, o: Some(v12), v: vec![h0(2i64, x[((1i64 as usize) % x.len())]), x[((1i64 as usize) % x.len())], match ratio(u[((1i64 as usize) % u.len())], x[((3i64 as usize) % x.len())]) {
        Ok(v14) => a,
        Err(v15) => v12,
    }], e: if (2.0 < x[((1i64 as usize) % x.len())]) {
        E::One(u[((0i64 as usize) % u.len())])
    } else {
        E::None
    } };
    let Some(v17) = Some(v12) else {
        return u[((1i64 as usize) % u.len())];
    };
    if ((a < x[((1i64 as usize) % x.len())]) || (match Some(a) {
        Some(v19) if (x[((1i64 as usize) % x.len())] < v19) => 1.0,
        _ => v12,
    } < v12)) {
        let mut v20 = 0;
        'l20: while ((v20 < 4) && (1i64 < 1i64)) {
            v20 += 1;
            let mut v22 = L::Node(u[((2i64 as usize) % u.len())], Box::new(L::Node((0.25 * 1.0), Box::new(L::End))));
            let mut v23: f64 = (0.5 * (v17 * u[((3i64 as usize) % u.len())]));
        }
        let mut v24 = &x[1..4];
    } else {
        let mut v25 = |v26: f64| {
            v12 = a;
            (v12 * v26)
        };
        let mut v27 = (apply(&mut v25, v17) + v25((u[((2i64 as usize) % u.len())] + x[((1i64 as usize) % x.len())])));
    }
    (((2.0 + a) + weigh(&v16, 0.5)) + v17)
}
}

mod p12 {
use super::*;
pub const CASE: Case = Case { seed: 12, args: Args { x: [-0.18718365115140864, 0.6541824785400755, 0.6843468236443043, -0.9817949442508656], u: [0.7486205628583837, 0.431599967310331, 0.975271288163271], a: -0.6526929422377001, n: 2 }, along: Args { x: [0.25840652866610414, 0.711332446366115, -0.9020826134570922, -0.6933582509898621], u: [-0.8009757957240125, -0.40923219766560004, 0.41910726492741207], a: 0.5314935892140737, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v15 = S { a: match Some(v4) {
        Some(v11) if (1i64 == 1i64) => v4,
        _ => {
            let mut f = |v12: f64| v4;
            (f(0.25) + f(v4))
        },
    }, b: (v4, v4), n: 2i64 };
    let mut v17: Option<f64> = Some(v4);
    {
        let mut v18: f64 = v4;
        let mut v19: i64 = 0;
        loop {
            v18 = v18;
            v19 += 1;
            if ((v19 >= 3) || (v4 < 0.5)) {
                break v18;
            }
        }
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: Box<dyn Solid> = Box::new(Point);
    let mut v15 = S { a: (-a.min(1.75)), b: (solids(u[((2i64 as usize) % u.len())], 2i64), spiral(a, 1i64)), n: 0i64 };
    for p16 in u.iter_mut() {
        let mut v16 = *p16;
        *p16 = v16;
    }
    'l17: for &v17 in x {
        let mut v18: f64 = a;
        if (3i64 < 3i64) {
            let mut v20 = 0;
            'l20: while ((v20 < 4) && (2i64 < 3i64)) {
                v20 += 1;
                let mut v21: f64 = v18;
                v13.scale(x.iter().zip(x.iter()).map(|(&v23, &v24)| (0.75 - v24)).sum::<f64>());
            }
            let mut v25: f64 = x[((0i64 as usize) % x.len())];
        } else {
        }
    }
    (({
        let mut f = |v26: f64| x[(((n as i64) as usize) % x.len())];
        (f(match chained(1.25, 0.25) {
            Ok(v27) => h0(v27),
            Err(v28) => v28,
        }) + f((1.75 - {
            let mut f = |v29: f64| v29;
            (f(a) + f(a))
        })))
    } + v13.twice(0.5)) + v15.size(0.75))
}
}

mod p13 {
use super::*;
pub const CASE: Case = Case { seed: 13, args: Args { x: [0.5393705285679434, 0.8923643967105679, -0.9471163646353009, 0.11764410395082388], u: [0.13666162995493863, 0.13507732604435593, -0.16622111818063093], a: 0.4587110014478508, n: 2 }, along: Args { x: [-0.9071488561199444, 0.5646513324206422, -0.16523384109454947, 0.09401276009788082], u: [0.6322863481481596, 0.05653041412192583, 0.24180227339229418], a: -0.051715617763829914, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v15: Box<dyn Solid> = if (match ratio(a, a) {
        Ok(v13) => v13,
        Err(v14) => x[(((n as i64) as usize) % x.len())],
    } < a) {
        Box::new(Brick { sides: (a, a), n: (3i64 * 1i64) })
    } else {
        Box::new(Point)
    };
    let mut v17 = vec![turned(S { a: a, b: ((1.0 as f64), x[((0i64 as usize) % x.len())]), n: 1i64 }, E::One(a))];
    for v18 in v17.iter_mut() {
        v18.turn(if ((a * u[((1i64 as usize) % u.len())]) < a) {
            a
        } else {
            a
        });
    }
    'l19: for v19 in 0i64..3i64 {
        let mut v20 = D { s: S { a: x[(((n as i64) as usize) % x.len())], b: (a, a), n: (v19 * v19) }, o: root(x[((1i64 as usize) % x.len())]), v: vec![(1i64 as f64), a], e: if ((n as i64) < v19) {
            E::One(a)
        } else {
            E::None
        } };
        stretch(&mut v20, 0.5);
    }
    if (!(a.sin() <= a)) {
        a = (match Some(a) {
            Some(v22) => v22,
            None => 1.25,
        }).min(x[((1i64 as usize) % x.len())]);
        let mut v23 = &x[2..3];
    } else {
        {
            let mut i0 = ((1i64 as usize) % v17.len());
            v17[i0] = S { a: 0.5, b: (a, a), n: 1i64 };
        }
    }
    (u[((2i64 as usize) % u.len())] + a)
}
}

mod p14 {
use super::*;
pub const CASE: Case = Case { seed: 14, args: Args { x: [-0.6237794427988572, -0.7940053069661954, 0.8061541565231407, 0.897833666764758], u: [-0.9229715879244615, 0.9464643553939419, -0.4117705353246237], a: -0.7558268880523541, n: 0 }, along: Args { x: [0.01830524634168809, 0.5037055114591102, -0.44591831326991693, -0.8494978525446596], u: [-0.35632992068435604, 0.43989196806199155, 0.244018698507675], a: 0.8374436091803554, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = move |v11: f64| (2.0 as f64);
    let mut v13: Box<dyn Fn(f64) -> f64> = if (1i64 == 2i64) {
        Box::new(move |v12: f64| v12)
    } else {
        Box::new(move |v12: f64| h0((v9 - 1i64), h0((v9 - 1i64), v4)))
    };
    match root(v4) {
        Some(v14) => match 1i64 {
            0 => v4,
            1 | 2 => 1.0,
            v15 if (match (if (((2.5 * 0.25) as i64) == 0i64) {
            E::One(v4)
        } else {
            E::None
        }) {
            E::One(v16) => 1.25,
            E::Two { x: v16, n: v17 } => v14,
            E::None => v14,
        } < v14) => v14,
            _ => 1.75,
        },
        None => v4,
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if let Some(v10) = both(a, x[(((n as i64) as usize) % x.len())]) {
        if (match (if (x[((1i64 as usize) % x.len())] < 0.75) {
            E::One((2.0 as f64))
        } else {
            E::Two { x: a, n: ((2.5 * v10) as i64) }
        }) {
            E::One(v12) => v12,
            E::Two { x: v12, n: v13 } => v10,
            E::None => a,
        } < v10) {
            let mut v18 = D { s: turned(S { a: a, b: (v10, (1.0 as f64)), n: (n as i64) }, E::One((1.25 as f64))), o: Some(v10), v: vec![x[((2i64 as usize) % x.len())], match Some(x[((1i64 as usize) % x.len())]) {
                Some(v14) if (!(1.75 <= v10)) => v10,
                _ => x[((0i64 as usize) % x.len())],
            }, (1.75 as f64)], e: if (!(v10 <= 1.75)) {
                E::One(v10)
            } else {
                E::Two { x: v10, n: 1i64 }
            } };
            let mut v19: [f64; 3] = [u[((3i64 as usize) % u.len())], (1i64 as f64), ranked(x, x[((1i64 as usize) % x.len())])];
        } else {
            let mut v20 = if (1i64 == (n as i64)) {
                E::One((1.5 * x[(((n as i64) as usize) % x.len())]))
            } else {
                E::None
            };
        }
        let mut v23 = if (!(h0(2i64, v10) <= a)) {
            E::One(v10)
        } else {
            E::None
        };
    }
    let mut v24 = &x[1..2];
    let mut v25 = |v26: f64| {
        a = if (!(match both(a, a) {
            Some(v28) if (1i64 < 0i64) => a,
            _ => x[((2i64 as usize) % x.len())],
        } <= 1.5)) {
            Some(v26).unwrap_or(v26)
        } else {
            a
        };
        (a * v26)
    };
    let mut v27 = (v25(0.5) + v25(graded(u[((1i64 as usize) % u.len())], 1i64)));
    let mut v29: f64 = a;
    std::mem::swap(&mut v27, &mut v29);
    (((a + a) + v27) + v29)
}
}

mod p15 {
use super::*;
pub const CASE: Case = Case { seed: 15, args: Args { x: [-0.7917611315519438, -0.1493901936266703, 0.9053951490023068, 0.6380219907886661], u: [-0.5183570933070875, 0.4309813454486686, 0.9336841260983776], a: 0.8101607611754311, n: 2 }, along: Args { x: [0.1698982116250653, 0.6295086876062435, -0.16839005016810732, -0.3481072947092422], u: [0.6582762607506129, 0.8154268907229352, -0.26832203401130966], a: 0.9073248904617188, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..(n as i64) {
        let mut v12: f64 = a;
        let mut v15: Box<dyn Fn(f64) -> f64> = if (v10 == v10) {
            Box::new(move |v13: f64| match Some(v12) {
                Some(v14) if (v12.cos() < x[((2i64 as usize) % x.len())]) => v13,
                _ => x[((v10 as usize) % x.len())],
            })
        } else {
            Box::new(move |v13: f64| v13)
        };
    }
    let mut v17 = (match Some((1.75 as f64)) {
        Some(v16) => a,
        None => 0.25,
    }, (1.25 as f64));
    a = both(1.25, a).unwrap_or(orchard(a, 1i64));
    let mut v18: i64 = ((2.5 * spiral(a, 2i64)) as i64);
    let mut v21 = vec![if (1.0 < 2.0) {
        1.5
    } else {
        a
    }, (a, a).0, a];
    for p22 in u.iter_mut() {
        let mut v22 = *p22;
        *p22 = (stepped(a, v18) + {
            let mut v23: f64 = v22;
            let mut v24: i64 = 0;
            loop {
                v23 = v23;
                v24 += 1;
                if ((v24 >= 3) || ((v24 * (n as i64)) == (n as i64))) {
                    break v23;
                }
            }
        });
    }
    {
        let mut i = ((v18 as usize) % v21.len());
        let mut j = ((1i64 as usize) % v21.len());
        v21.swap(i, j);
    }
    ((u[((1i64 as usize) % u.len())] + v17.0) + halved(&v21))
}
}

mod p16 {
use super::*;
pub const CASE: Case = Case { seed: 16, args: Args { x: [-0.2910402388886918, -0.11787779424252401, 0.12016846322615793, 0.9132756894721795], u: [0.0427299596195819, -0.9167649147604534, -0.7756360283655382], a: -0.7385982770937457, n: 2 }, along: Args { x: [-0.2944287285709133, 0.6594247912279474, -0.030748410910386534, -0.019090919290057715], u: [-0.7953924221725531, 0.9478770639719434, 0.20066612922067278], a: -0.5860264899477832, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Solid> = if (2i64 < 0i64) {
        Box::new(Brick { sides: (a, x[((0i64 as usize) % x.len())]), n: 1i64 })
    } else {
        Box::new(Point)
    };
    let mut v12 = vec![S { a: 2.0, b: swapped(a, a), n: (n as i64) }];
    for v13 in v12.iter_mut() {
        v13.turn(a);
    }
    let mut v16 = Rc::new(RefCell::new(x.windows(2).map(|c| {
        let mut v14 = c[0];
        let mut v15 = c[(c.len() - 1)];
        v11.twice(a)
    }).sum::<f64>()));
    {
        let mut e = (0.75 as f64).tanh().cos();
        *v16.borrow_mut() = e;
    }
    if (1.0 < a) {
        for v18 in v12.iter_mut() {
            v18.turn(match Some(u[((3i64 as usize) % u.len())]) {
                Some(v19) if (a < v19) => 1.25,
                _ => x[((2i64 as usize) % x.len())],
            });
        }
        'l20: for &v20 in x {
            let mut v22: Result<f64, f64> = ratio(x[((1i64 as usize) % x.len())], (v20 * v20));
            for v24 in v12.iter_mut() {
                v24.turn(a);
            }
        }
    } else {
    }
    ((root({
        let mut r = *v16.borrow();
        r
    }).unwrap_or(matched(x, a).min(a)) + a) + v11.twice(0.5))
}
}

mod p17 {
use super::*;
pub const CASE: Case = Case { seed: 17, args: Args { x: [0.10838004780458643, -0.888105032637605, 0.9504699160528887, 1.0078860580105253], u: [-0.4081141319353257, 0.15504009547572292, 0.4442762413666216], a: 0.8330618983594608, n: 0 }, along: Args { x: [-0.18224754969943752, 0.7043045875602839, 0.7163721356939766, -0.8101449027731122], u: [1.0042813809615427, 0.3624795509900868, -0.4883205484479675], a: -0.351376615894981, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Fn(f64) -> f64> = if (2i64 < 3i64) {
        Box::new(move |v10: f64| (a * x[((2i64 as usize) % x.len())]))
    } else {
        Box::new(move |v10: f64| (0.25 as f64).cos())
    };
    let mut v13 = S { a: (0.5 as f64).tanh(), b: (a, v11(a)), n: ((2.5 * 1.5) as i64) };
    let mut v14 = L::Node(u[((v13.n as usize) % u.len())], Box::new(L::Node(x[((v13.n as usize) % x.len())], Box::new(L::End))));
    (if (a < a) {
        a
    } else {
        match (&v14) {
            L::Node(v15, v16) => {
                let mut v15 = *v15;
                v15
            },
            L::End => (a * 0.25),
        }
    } + v13.size(0.75))
}
}

mod p18 {
use super::*;
pub const CASE: Case = Case { seed: 18, args: Args { x: [-0.2714349646360156, 0.714910168176385, -0.8553789391286644, -0.23883416363728935], u: [0.8630900746253656, 0.9304230153842115, -0.30579879872788657], a: -0.7260587675576549, n: 3 }, along: Args { x: [0.8558825679451053, 0.3683384162525607, 0.08327974682213439, -0.3315377823477484], u: [0.304790702402563, -0.12416015580204547, -0.7051803779442256], a: -0.7896611378444726, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = 1.0;
    let mut v11 = D { s: S { a: 1.25, b: swapped(1.25, v10), n: (3i64 + 1i64) }, o: both(x[((1i64 as usize) % x.len())], a), v: vec![(1.75 as f64), u[((0i64 as usize) % u.len())]], e: E::One(x[((2i64 as usize) % x.len())]) };
    if let Some(v12) = combined(combined(combined(v11.o, v10), v10), v10) {
        let mut v13 = vec![turned(S { a: v12, b: (a, v10), n: 1i64 }, E::One((2.0 as f64))), S { a: 0.5, b: swapped(v10, 0.5), n: 1i64 }];
        let mut v14 = &x[2..4];
    }
    (((if (!(x[((1i64 as usize) % x.len())] <= a)) {
        v10
    } else {
        (-x[((1i64 as usize) % x.len())])
    } + a) + v10) + weigh(&v11, 0.5))
}
}

mod p19 {
use super::*;
pub const CASE: Case = Case { seed: 19, args: Args { x: [0.1361304210409801, 0.33946108721966056, 0.7125575142890636, 0.6460825848282669], u: [0.4474569245528099, -0.5838926406264412, 0.3788301722577197], a: 0.9189603753528944, n: 0 }, along: Args { x: [-0.28066891684309275, 0.1450688594227513, -0.7571938436398215, 0.8453890410857793], u: [-0.3398543504127001, -0.4699016551686669, -0.7310702356352283], a: 0.7710011954783363, n: 2 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..(n as i64) {
        if let Some(v11) = Some(a) {
            if let Some(v12) = Some(a) {
                let mut v13 = vec![S { a: a, b: swapped(v11, 1.25), n: ((2.5 * x[((3i64 as usize) % x.len())]) as i64) }, S { a: 1.0, b: (x[((0i64 as usize) % x.len())], a), n: v10 }, S { a: v11, b: swapped(v12, a), n: v10 }];
                let mut v14 = (a as f32);
            }
            let mut v16 = S { a: v11, b: (match v10 {
                0 => v11,
                1 | 2 => v11,
                v15 if (v10 < v10) => a,
                _ => a,
            }, u[((v10 as usize) % u.len())]), n: v10 };
        }
        {
            let mut i0 = ((v10 as usize) % u.len());
            bump(&mut u[i0], x[((3i64 as usize) % x.len())]);
        }
    }
    let mut v20 = L::Node(a.tanh(), Box::new(L::End));
    let mut v21 = (a as f32);
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v22 = *i;
            let mut v23 = *j;
            let mut e = x[((1i64 as usize) % x.len())];
            let mut f = combined(Some(v22), v23).unwrap_or(x[((1i64 as usize) % x.len())]);
            *i = e;
            *j = f;
        }
    }
    ((if (!(spiral(a, 2i64) <= a)) {
        match (&v20) {
            L::Node(v24, v25) => {
                let mut v24 = *v24;
                a
            },
            L::End => 0.5,
        }
    } else {
        a
    } + a) + total(&v20))
}
}

mod p20 {
use super::*;
pub const CASE: Case = Case { seed: 20, args: Args { x: [0.4675616934515597, -0.3258029531563908, -0.22900204760138293, -0.4635559956740348], u: [-0.8812247193470324, 0.9668637060407503, -0.2987760888200599], a: -0.8255671648243363, n: 1 }, along: Args { x: [0.11145280111116657, 0.3418802714034204, -0.7558601943813646, 0.7250235057860389], u: [0.8611436075819618, 0.08371140200350624, 0.6804545540243842], a: 0.6767767933556563, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v13: Box<dyn Solid> = Box::new(Ball { r: 0.25 });
    Some((0.25 as f64)).unwrap_or(1.75)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (h0(2i64, a) < a) {
        let mut v11 = vec![h0(2i64, 1.75)];
        for p12 in u.iter_mut() {
            let mut v12 = *p12;
            *p12 = a;
        }
    } else {
        let mut v15: Option<f64> = combined(if (a < u[(((n as i64) as usize) % u.len())]) {
            Some(u[(((n as i64) as usize) % u.len())])
        } else {
            None
        }, solids(a, 3i64));
    }
    for p16 in u.iter_mut() {
        let mut v16 = *p16;
        *p16 = a;
    }
    let mut v19 = turned(turned(S { a: x[((2i64 as usize) % x.len())], b: (a, a), n: ((2.5 * a) as i64) }, if ((!((-a) <= a)) && (a < a)) {
        E::One(a)
    } else {
        E::Two { x: a, n: 1i64 }
    }), if ((a * a) < a) {
        E::One(a)
    } else {
        E::None
    });
    for p20 in u.iter_mut() {
        let mut v20 = *p20;
        *p20 = match E::One(v20) {
            E::One(v21) => (1.0 - 0.5),
            E::Two { x: v21, n: v22 } => (0.5 as f64).max(v20),
            E::None => (x[(((n as i64) as usize) % x.len())], v20).0,
        };
    }
    let mut v23 = Rc::new(RefCell::new(u[((1i64 as usize) % u.len())]));
    {
        let mut e = x.iter().map(|&v24| {
            let mut r = *v23.borrow();
            r
        }).sum::<f64>();
        *v23.borrow_mut() = e;
    }
    v19 = turned(turned(S { a: a, b: (a, a), n: ((2.5 * a) as i64) }, E::One(a)), if (1i64 < (n as i64)) {
        E::One(a)
    } else {
        E::Two { x: 0.75, n: ((2.5 * x[((v19.n as usize) % x.len())]) as i64) }
    });
    (((1.25 + a) + v19.size(0.75)) + {
        let mut r = *v23.borrow();
        r
    })
}
}

mod p21 {
use super::*;
pub const CASE: Case = Case { seed: 21, args: Args { x: [0.7562837501291763, 0.24362032617482612, -0.6967373972098243, -0.36421344537322353], u: [-0.7114122128801761, 0.05937764299051886, -0.8694371752916565], a: -0.25460927742883593, n: 3 }, along: Args { x: [0.5727580102185368, -0.01776775976572163, -0.09611696066424047, 0.5275216817342616], u: [0.022366671340058767, -0.6491369794610721, -0.13103740863715255], a: -0.27795584416185865, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    v4 = {
        let mut v10: f64 = v4;
        let mut v11: i64 = 0;
        loop {
            v10 = v10;
            v11 += 1;
            if ((v11 >= 3) || (1i64 < 3i64)) {
                break v10;
            }
        }
    };
    let mut v19: Result<f64, f64> = if (v4 < v4) {
        Ok(match 1i64 {
            0 => v4,
            1 | 2 => v4,
            v17 if (((v17 * 0i64) == v17) && (1i64 < 1i64)) => 1.0,
            _ => v4,
        })
    } else {
        Err(match Some(v4) {
            Some(v18) => v4,
            None => v4,
        })
    };
    combined(Some((2.0 as f64)), v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a *= a;
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = x[((2i64 as usize) % x.len())];
    }
    for p11 in u.iter_mut() {
        let mut v11 = *p11;
        *p11 = v11;
    }
    let mut v13: Box<dyn Solid> = Box::new(Ball { r: a });
    let mut v19: Option<f64> = h0(2i64, a).map(|v18| a).and_then(|v17| Some(x[((1i64 as usize) % x.len())]));
    let mut v23: Box<dyn Fn(f64) -> f64> = if (1.25 < 0.25) {
        Box::new(move |v20: f64| ({
            let mut v21: f64 = x[((1i64 as usize) % x.len())];
            let mut v22: i64 = 0;
            loop {
                v21 = v20;
                v22 += 1;
                if ((v22 >= 3) || (((2.5 * v21) as i64) == 1i64)) {
                    break v21;
                }
            }
        } * if (x[((1i64 as usize) % x.len())] < v20) {
            a
        } else {
            a
        }))
    } else {
        Box::new(move |v20: f64| v20)
    };
    let mut v24 = 0;
    'l24: while ((v24 < 4) && (a < x[((1i64 as usize) % x.len())])) {
        v24 += 1;
        let mut v28: Box<dyn Fn(f64) -> f64> = if (a.tanh() < a) {
            Box::new(move |v27: f64| x[((1i64 as usize) % x.len())].max(a))
        } else {
            Box::new(move |v27: f64| (0.25 as f64))
        };
        let mut v31 = D { s: S { a: x[((2i64 as usize) % x.len())], b: (a, a), n: 2i64 }, o: Some(a).map(|v29| v29), v: vec![a], e: E::Two { x: x[((1i64 as usize) % x.len())], n: ((2.5 * a) as i64) } };
    }
    let mut v32 = ((0.5 as f64), v23(1.25));
    (((v23(1.5) + a) + v19.unwrap_or(0.25)) + v32.1)
}
}

mod p22 {
use super::*;
pub const CASE: Case = Case { seed: 22, args: Args { x: [0.2563909653701066, 0.3297395898496466, 0.7924019782638334, -0.26944916923419043], u: [0.8774002456699759, 0.34449157758483134, -0.925240871343977], a: -0.059141003105595606, n: 0 }, along: Args { x: [0.9350108276567949, -0.15813987486669442, -0.19609581134764412, -0.07976996588782181], u: [0.9090164023407367, 0.6678812883047787, -0.7309447588594371], a: 0.12343194677681193, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v18: f64 = v4;
    v18
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = Rc::new(RefCell::new(match combined(combined(Some(a), a), a) {
        Some(v10) if (if (2i64 < 0i64) {
        u[((2i64 as usize) % u.len())]
    } else {
        a
    } < 0.75) => match Some(a) {
            Some(v11) => x[((3i64 as usize) % x.len())],
            None => x[((2i64 as usize) % x.len())],
        },
        _ => a,
    }));
    let mut v15 = vec![a];
    let mut v16 = |v17: f64| {
        a = v17;
        (a * v17)
    };
    let mut v18 = (apply(&mut v16, 0.5) + v16(stepped(0.5, 3i64)));
    a = ((v18 * u[((2i64 as usize) % u.len())]) * 1.25);
    let mut v19 = vec![turned(S { a: 1.5, b: (u[((0i64 as usize) % u.len())], v18), n: ((2.5 * v18) as i64) }, E::One(a)), S { a: x[((2i64 as usize) % x.len())], b: ((1.0 as f64), v18), n: (n as i64) }, S { a: 1.5, b: swapped(0.25, a), n: 2i64 }];
    for p20 in v15.iter_mut() {
        let mut v20 = *p20;
        *p20 = solids(v18, 2i64).max(h0(x[((0i64 as usize) % x.len())], a));
    }
    'l21: for &v21 in x {
        let mut v22 = &x[2..3];
        let mut v26: i64 = 1i64;
    }
    {
        let mut i0 = ((((2.5 * x[((2i64 as usize) % x.len())]) as i64) as usize) % v19.len());
        v19[i0].a -= h0(v18.max(2.0), 0.5);
    }
    ((((h0({
        let mut v27: f64 = a;
        let mut v28: i64 = 0;
        loop {
            v27 = v27;
            v28 += 1;
            if ((v28 >= 3) || (1.75 < 0.25)) {
                break v27;
            }
        }
    }, x[(((n as i64) as usize) % x.len())]) + a) + halved(&v15)) + v18) + v19[((1i64 as usize) % v19.len())].a)
}
}

mod p23 {
use super::*;
pub const CASE: Case = Case { seed: 23, args: Args { x: [-0.786856083054414, 0.9616959638422163, 0.540934825558782, 0.9267394111387786], u: [-0.7587026774071587, -0.3585950076145822, -0.5870095252642729], a: -0.07154098479136865, n: 3 }, along: Args { x: [-0.09837244639499816, 0.6425885254360681, -0.8026401848970761, -0.8695587989447483], u: [-0.8988625665300101, -0.30737398479705696, 0.9496629615627898], a: 0.8376565325062163, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = 1.25;
    }
    for p14 in u.iter_mut() {
        let mut v14 = *p14;
        *p14 = solids(x[((0i64 as usize) % x.len())], ((2.5 * v14) as i64));
    }
    let mut v18 = E::One(a);
    let mut v19 = D { s: turned(turned(S { a: a, b: (a, x[((2i64 as usize) % x.len())]), n: 1i64 }, v18), v18), o: Some(a), v: vec![(x[((2i64 as usize) % x.len())] * a), (-a)], e: E::One(a) };
    let mut v20 = D { s: S { a: a, b: (x[((3i64 as usize) % x.len())], x[((1i64 as usize) % x.len())]), n: (0i64 * 3i64) }, o: Some(a), v: vec![a, u[(((n as i64) as usize) % u.len())]], e: if (if ((2i64 + 1i64) == 1i64) {
        x[(((n as i64) as usize) % x.len())]
    } else {
        x[((2i64 as usize) % x.len())]
    } < 1.5) {
        E::One(a)
    } else {
        E::Two { x: 1.5, n: ((2.5 * u[((1i64 as usize) % u.len())]) as i64) }
    } };
    let mut v21 = (a, a);
    let mut v22 = (a, solids(a, 1i64));
    (((((a + match v18 {
        E::One(v23) => v23,
        E::Two { x: v23, n: v24 } => v23,
        E::None => 0.5,
    }) + weigh(&v19, 0.5)) + weigh(&v20, 0.5)) + v21.0) + v22.1)
}
}

mod p24 {
use super::*;
pub const CASE: Case = Case { seed: 24, args: Args { x: [0.03770563141001921, -0.5643876742971048, -0.11922307619183622, -0.8710891954600659], u: [0.9044909286099078, -0.8366173915382505, -0.24359422352659285], a: 0.5499187067214732, n: 3 }, along: Args { x: [-0.6738011845221019, 0.8337466197737251, -0.6424855661584585, 0.3398701044191559], u: [0.7125893605180892, -0.7894031290539875, 0.06897758199118138], a: 0.21508387374277546, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % u.len());
        u[i0] = a;
    }
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = a;
    }
    let mut v11: i64 = 1i64;
    let Some(v13) = root(0.5).filter(|&v12| ((1i64 + 1i64) == v11)) else {
        return (-u[((v11 as usize) % u.len())]);
    };
    let mut v15 = D { s: S { a: a, b: ((0.5 as f64), v13), n: (v11 + 3i64) }, o: both(v13, 1.75).filter(|&v14| (v11 == 3i64)), v: vec![(u[(((n as i64) as usize) % u.len())] * a)], e: E::Two { x: a, n: ((2.5 * 0.5) as i64) } };
    let mut v17 = vec![S { a: v13, b: swapped(a, a), n: ((2.5 * a) as i64) }, S { a: a, b: (a, a), n: v11 }, S { a: x[((2i64 as usize) % x.len())], b: swapped(1.25, u[((1i64 as usize) % u.len())]), n: 1i64 }];
    ((match (if (v11 < (n as i64)) {
        E::One(x[(((n as i64) as usize) % x.len())])
    } else {
        E::None
    }) {
        E::One(v18) => match Some(x[((3i64 as usize) % x.len())]) {
            Some(v20) => (a * 1.5),
            None => a,
        },
        E::Two { x: v18, n: v19 } => (v13 + stepped(v18, 1i64)),
        E::None => 1.75,
    } + a) + v13)
}
}

mod p25 {
use super::*;
pub const CASE: Case = Case { seed: 25, args: Args { x: [0.4191942636151841, 0.8738558232246469, 0.3037917545009719, -0.5820799000463668], u: [-0.8034020109551803, 0.12207121080674796, -0.7790240047696472], a: 0.6574516390144528, n: 0 }, along: Args { x: [0.8233911770464561, 0.9052149518476276, -0.58723690794149, 0.5188901308127987], u: [0.13834810415966967, -0.7599175575012809, -0.8036741173152896], a: 1.0083704877820006, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![a, if ((n as i64) == 3i64) {
        a
    } else {
        a
    }];
    let mut v14: [f64; 3] = [(2.0 as f64), (0.5 * x[((3i64 as usize) % x.len())]), a.min(a)];
    let mut v16 = vec![a, a.cos(), match 3i64 {
        0 => x[((2i64 as usize) % x.len())],
        1 | 2 => x[((2i64 as usize) % x.len())],
        v15 if (v15 < 3i64) => 2.0,
        _ => a,
    }];
    if (!(match Some(a) {
        Some(v17) => x[((2i64 as usize) % x.len())],
        None => a,
    } <= x[(((n as i64) as usize) % x.len())])) {
        return 0.25;
    }
    {
        let mut i = ((3i64 as usize) % v10.len());
        let mut j = ((0i64 as usize) % v10.len());
        v10.swap(i, j);
    }
    for p19 in v16.iter_mut() {
        let mut v19 = *p19;
        *p19 = 2.0;
    }
    if (!(match (if ((1i64 as f64) < a) {
        Some(a)
    } else {
        None
    }) {
        Some(v23) if (0i64 < 2i64) => a,
        _ => a,
    } <= a)) {
        a += root(x[(((n as i64) as usize) % x.len())]).unwrap_or(((0.75 as f64), a).1);
    } else {
    }
    (((blocks(&v14) + a) + halved(&v10)) + halved(&v16))
}
}

mod p26 {
use super::*;
pub const CASE: Case = Case { seed: 26, args: Args { x: [0.4951701265245588, 0.1799320990848124, -0.7234264723958024, 0.08292259102622546], u: [0.7220301285727428, 0.611659319880478, 0.5579744363790612], a: -0.21805435234731452, n: 2 }, along: Args { x: [0.9493030246733194, 0.6677868142072756, 0.5017527744033695, 0.9491312669453744], u: [0.48538504741369454, -0.2924983654615826, -0.6523644442672205], a: 0.7886508946287322, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v11 = E::One(v4);
    if ((!(1.75 <= v4)) || (match Some(v4) {
        Some(v13) => 0.25,
        None => 0.5,
    } < v4)) {
        let mut v14 = |v15: f64| {
            v4 = v15;
            (v4 * v15)
        };
        let mut v16 = (v14((-0.5)) + v14(0.5));
        let mut v17 = swapped((v4 * v4), (v4, v4).0);
    } else {
        let mut v18 = 0;
        'l18: while ((v18 < 4) && ((2.0 < v4) && (2i64 == 0i64))) {
            v18 += 1;
            let mut v19: i64 = 1i64;
            v4 = stepped(v4, v19);
        }
    }
    if let Some(v23) = Some((0.75 as f64)) {
        let mut v24: [f64; 3] = [v23, Some(v23).unwrap_or(v23), ((1.5 - 0.25) as f64)];
        let mut v27: [f64; 3] = [counted(v23, 2i64), (-v4), {
            let mut v25: f64 = v23;
            let mut v26: i64 = 0;
            loop {
                v25 = v23;
                v26 += 1;
                if ((v26 >= 3) || (v25 < 1.0)) {
                    break v25;
                }
            }
        }];
    }
    0.25
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u[1..].iter_mut() {
        let mut v11 = *p11;
        *p11 = (0.75 * graded(v11, 1i64));
    }
    for p12 in u.iter_mut() {
        let mut v12 = *p12;
        *p12 = h0(1.0);
    }
    let mut v13 = L::Node((1.5 as f64).sin(), Box::new(L::Node(x[((2i64 as usize) % x.len())], Box::new(L::End))));
    let mut v14 = Rc::new(RefCell::new(a));
    let mut v15 = 0;
    'l15: while ((v15 < 4) && (!(h0(a) <= a))) {
        v15 += 1;
        {
            let mut e = h0(a);
            *v14.borrow_mut() *= e;
        }
        let mut v18 = L::Node(x[((2i64 as usize) % x.len())], Box::new(L::Node(2.0, Box::new(L::Node(a, Box::new(L::End))))));
    }
    {
        let mut e = x[((1i64 as usize) % x.len())];
        *v14.borrow_mut() = e;
    }
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] += a;
    }
    ((1.5 + a) + total(&v13))
}
}

mod p27 {
use super::*;
pub const CASE: Case = Case { seed: 27, args: Args { x: [-0.2712591583909048, -0.2695398613864192, -0.6665943592094242, -0.6482683822104974], u: [0.7197615689857795, -0.8431833878973002, -0.6883501151143141], a: 0.7004129095722856, n: 3 }, along: Args { x: [-0.4700237180582058, -0.37019847504330317, -0.8299935294929828, -0.02211612938436778], u: [-0.3137522690999152, -0.056856317442820964, 0.6795571593797405], a: -0.41586657963488877, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v13: f64 = {
        let mut v10: f64 = 0.5;
        let mut v11: i64 = 0;
        loop {
            v10 = match root(v10) {
                Some(v12) if (v10.sin() < 1.0) => 0.5,
                _ => v5,
            };
            v11 += 1;
            if ((v11 >= 3) || (1i64 < v11)) {
                break v10;
            }
        }
    };
    let mut v14 = move |v15: f64| if (v15 < v5) {
        v13
    } else {
        v5
    };
    let mut v20 = vec![{
        let mut v18: f64 = v4;
        let mut v19: i64 = 0;
        loop {
            v18 = v13;
            v19 += 1;
            if ((v19 >= 3) || (v19 < v19)) {
                break v18;
            }
        }
    }];
    v13
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = swapped(a, x[((1i64 as usize) % x.len())]).0;
    let mut v11 = L::Node(v10, Box::new(L::Node(v10, Box::new(L::End))));
    let mut v14 = L::Node(x[(((n as i64) as usize) % x.len())], Box::new(L::End));
    (((match chained(v10, h0(a, x[((1i64 as usize) % x.len())])) {
        Ok(v15) => u[((1i64 as usize) % u.len())],
        Err(v16) => a,
    } + v10) + total(&v11)) + total(&v14))
}
}

mod p28 {
use super::*;
pub const CASE: Case = Case { seed: 28, args: Args { x: [-0.46778118046031086, -0.9746840318555943, 0.9772277062513155, 0.6064658409113065], u: [0.6190412594070538, -0.19097098485304442, 0.7384595521648047], a: -0.8434739412774206, n: 0 }, along: Args { x: [-0.43426086558502974, 0.4393597453576408, 0.19765376775825558, -0.8790158729277182], u: [-0.8390761058538473, -0.7988560951138243, -0.04246805740609862], a: 0.2858805971026436, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: f64 = a;
    let mut v13: Result<f64, f64> = chained((0.5 * v12), x[((0i64 as usize) % x.len())]);
    let mut v14 = vec![turned(S { a: 2.0, b: ((0.75 as f64), (0.25 as f64)), n: (n as i64) }, E::One(x[((2i64 as usize) % x.len())])), S { a: v12, b: (a, v12), n: 0i64 }];
    ((match root(a) {
        Some(v15) => a,
        None => a,
    } + a) + v12)
}
}

mod p29 {
use super::*;
pub const CASE: Case = Case { seed: 29, args: Args { x: [-0.2796855987925565, -0.7732370868551435, 0.776822301374197, -0.3538501920406479], u: [0.48322457821842435, -0.853301285677085, -0.8343956558381174], a: 0.7944047338537842, n: 3 }, along: Args { x: [-0.9686942157368067, -0.720982463188423, -0.8445616122311941, -0.18440289470154958], u: [0.23052311959067845, 0.7138976042157521, 0.5378651426091516], a: -0.3081745475796773, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    bump(&mut a, match Some((0.5 as f64)) {
        Some(v10) => x[((0i64 as usize) % x.len())],
        None => 1.25,
    });
    let mut v11 = D { s: S { a: a, b: (a, x[((2i64 as usize) % x.len())]), n: (0i64 * (n as i64)) }, o: Some((1.75 as f64)), v: vec![blocks(x)], e: if (!(1.0 <= a)) {
        E::One(a)
    } else {
        E::Two { x: a, n: ((2.5 * a) as i64) }
    } };
    let mut v12 = Rc::new(RefCell::new(a));
    ((((x[((0i64 as usize) % x.len())], (0.5 as f64)).0 + a) + weigh(&v11, 0.5)) + {
        let mut r = *v12.borrow();
        r
    })
}
}

mod p30 {
use super::*;
pub const CASE: Case = Case { seed: 30, args: Args { x: [-0.06329211765651481, -0.0545604235532912, 0.15839573369844573, 0.8461072781413378], u: [-0.6159999578492958, 0.8269859105944811, -0.7772412967187468], a: 0.7569486493171067, n: 1 }, along: Args { x: [-0.9876289560801734, -0.7600965867101582, 0.15294587989349268, 0.08900982597254786], u: [-0.18226252756535152, -0.9118080828200793, -0.8558045857761049], a: 0.2788145726506524, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v11 = L::Node(v4, Box::new(L::End));
    let mut v13 = v11.clone();
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = vec![u[((2i64 as usize) % u.len())], match chained(a, 2.0) {
        Ok(v10) => 0.75,
        Err(v11) => v11,
    }, ((1.5 as f64), a).0];
    let mut v15: f64 = a;
    let mut v16 = 0;
    'l16: while ((v16 < 4) && (((2.5 * 0.25) as i64) == 1i64)) {
        v16 += 1;
        {
            let mut m = (((n as i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v17 = *i;
                let mut v18 = *j;
                let mut e = (v15 + 0.25);
                let mut f = a;
                *i = e;
                *j = f;
            }
        }
        let mut e20 = u[(((n as i64) as usize) % u.len())];
        let mut p20 = if (((n as i64) < 0i64) || (v15 < x[((3i64 as usize) % x.len())])) {
            let mut i0 = (((1i64 * 2i64) as usize) % v12.len());
            &mut v12[i0]
        } else {
            let mut i0 = ((1i64 as usize) % v12.len());
            &mut v12[i0]
        };
        *p20 *= e20;
    }
    {
        let mut i0 = ((((2.5 * v15) as i64) as usize) % u.len());
        u[i0] -= u[(((n as i64) as usize) % u.len())];
    }
    'l23: for v23 in 0i64..(n as i64) {
        let mut v24 = v12.clone();
        if (1i64 < v23) {
            let mut v28 = S { a: {
                let mut v26: f64 = h0(2.0);
                let mut v27: i64 = 0;
                loop {
                    v26 = v24[((0i64 as usize) % v24.len())];
                    v27 += 1;
                    if ((v27 >= 3) || (v27 == v23)) {
                        break v26;
                    }
                }
            }, b: swapped(x[((3i64 as usize) % x.len())].max(x[((v23 as usize) % x.len())]), h0(u[((1i64 as usize) % u.len())])), n: (n as i64) };
        } else {
        }
    }
    ((0.5 * a.max(x[((1i64 as usize) % x.len())])) + halved(&v12))
}
}

mod p31 {
use super::*;
pub const CASE: Case = Case { seed: 31, args: Args { x: [-0.4646784642771533, 0.14995365275310868, -0.8214518424724744, -0.21434010840232173], u: [0.22493897482523056, 0.9314623448833894, -0.06608111003760703], a: 0.14756288844677434, n: 2 }, along: Args { x: [-0.7847866975372937, 0.6790421485225981, -0.9734078704618758, 0.9147698284929948], u: [0.6864373962469394, -0.5827976275162363, 0.12849630260210704], a: 0.24004329300892052, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = (0.5 * x[((0i64 as usize) % x.len())]);
    for p11 in u[1..].iter_mut() {
        let mut v11 = *p11;
        *p11 = v10;
    }
    let mut v12 = (-(a as f32));
    (v10 + v10)
}
}

mod p32 {
use super::*;
pub const CASE: Case = Case { seed: 32, args: Args { x: [-0.748398577013066, 0.4724130752180348, 0.2138455320309572, 0.5363290273647986], u: [-0.7676676017582406, 0.32400918851154314, -0.5884689050485356], a: 0.9322005917509618, n: 0 }, along: Args { x: [-0.3389197873550637, 0.6173189800616796, 0.37588691916251427, -0.05838092198482193], u: [-0.3361976077273728, -0.13588143287688, -0.7920756645313773], a: -0.42950430968779046, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v10 = *i;
            let mut v11 = *j;
            let mut e = ((1.25 as f64), (0.5 as f64)).1;
            let mut f = (a - v10);
            *i = e;
            *j = f;
        }
    }
    let mut v14 = D { s: S { a: a, b: (a, a), n: (n as i64) }, o: Some(a), v: vec![u[((0i64 as usize) % u.len())], x[((3i64 as usize) % x.len())].tanh(), (1.25 as f64)], e: if (match (if (x[((1i64 as usize) % x.len())] < a) {
        E::One(a)
    } else {
        E::None
    }) {
        E::One(v12) => x[((1i64 as usize) % x.len())],
        E::Two { x: v12, n: v13 } => v12,
        E::None => a,
    } < x[((1i64 as usize) % x.len())]) {
        E::One(a)
    } else {
        E::Two { x: a, n: (0i64 * 1i64) }
    } };
    if let Some(v15) = both(1.0, a) {
        a = x[((0i64 as usize) % x.len())];
        {
            let mut m = (((1i64 + 1i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v16 = *i;
                let mut v17 = *j;
                let mut e = x[((0i64 as usize) % x.len())];
                let mut f = 1.75;
                *i = e;
                *j = f;
            }
        }
    }
    {
        let mut i0 = ((3i64 as usize) % u.len());
        u[i0] *= a;
    }
    (match combined(Some(a), 0.25).and_then(|v19| combined(both(v19, a), a).map(|v20| a)) {
        Some(v18) => solids((v18 + 0.5), 3i64),
        None => match ratio(a, a) {
            Ok(v21) => if (3i64 < (n as i64)) {
                a
            } else {
                v21
            },
            Err(v22) => match Some(u[((1i64 as usize) % u.len())]) {
                Some(v23) if (!(0.75 <= a)) => v22,
                _ => v22,
            },
        },
    } + a)
}
}

mod p33 {
use super::*;
pub const CASE: Case = Case { seed: 33, args: Args { x: [0.11422340155102509, -0.3496896162499711, -0.23831517998912083, 0.9029499789866595], u: [-0.7178011166214796, 0.8340832599355756, -0.4200716029122069], a: -0.8260394338173044, n: 1 }, along: Args { x: [-0.7758047358569605, 0.5916666344637292, -0.30621630298127106, 0.7164197395645185], u: [0.6324983728423098, -0.31822959038971516, -0.2581473287459431], a: -0.5269053295532051, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = a;
    }
    let mut v11 = L::Node(a, Box::new(L::Node(a, Box::new(L::Node(x[((3i64 as usize) % x.len())], Box::new(L::End))))));
    let mut v14 = Rc::new(RefCell::new(x.chunks(2).map(|c| {
        let mut v12 = c[0];
        let mut v13 = c[(c.len() - 1)];
        v13
    }).sum::<f64>()));
    for p15 in u.iter_mut() {
        let mut v15 = *p15;
        *p15 = x[((1i64 as usize) % x.len())];
    }
    {
        let mut e = a;
        *v14.borrow_mut() = e;
    }
    let mut v19: Box<dyn Fn(f64) -> f64> = if ((n as i64) == 1i64) {
        Box::new(move |v16: f64| match chained(a, x[((1i64 as usize) % x.len())]) {
            Ok(v17) => Some((1.75 as f64)).unwrap_or(0.25),
            Err(v18) => a,
        })
    } else {
        Box::new(move |v16: f64| (1.25 as f64))
    };
    let mut v21 = E::One(total(&v11));
    'l22: for v22 in 0i64..3i64 {
        a = Some(x[((v22 as usize) % x.len())]).filter(|&v24| ({
            let mut f = |v25: f64| if (!({
                let mut r = *v14.borrow();
                r
            } <= 0.5)) {
                x[((v22 as usize) % x.len())]
            } else {
                v24.min(2.0)
            };
            (f(v24) + f(1.25))
        } < x[(((n as i64) as usize) % x.len())])).unwrap_or(a);
        let mut v26 = if (((n as i64) < 1i64) || ({
            let mut r = *v14.borrow();
            r
        } < a)) {
            E::One({
                let mut r = *v14.borrow();
                r
            })
        } else {
            E::Two { x: a, n: (0i64 * 1i64) }
        };
    }
    ((a + {
        let mut r = *v14.borrow();
        r
    }) + match v21 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    })
}
}

mod p34 {
use super::*;
pub const CASE: Case = Case { seed: 34, args: Args { x: [0.4405443556766314, -0.08391880542138416, 0.7141120140094765, 0.592546531144371], u: [0.6630586541376589, -0.728699850640115, 0.3125366245747122], a: -0.7966119834734331, n: 0 }, along: Args { x: [0.24225305036508182, -0.866737396984083, -0.6243526142230112, -0.8662936090538091], u: [0.05579487243411668, 0.7997136099497995, 0.7981803985235257], a: 0.23359154970858909, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if ((!(a <= u[((0i64 as usize) % u.len())])) || ((0.5 * a) < 1.25)) {
        let mut v11 = move |v12: f64| ((a * 1.75) + match 1i64 {
            0 => 1.25,
            1 | 2 => v12,
            v13 if (!(1.75 <= v12)) => v12,
            _ => v12,
        });
        let mut v14 = (a.cos(), a);
    } else {
        for p16 in u[1..].iter_mut() {
            let mut v16 = *p16;
            *p16 = 1.25;
        }
    }
    let mut v18: f64 = match Some(a) {
        Some(v17) if (3i64 < 0i64) => if (v17 < v17) {
            a
        } else {
            2.0
        },
        _ => a,
    };
    v18 = match root(a).and_then(|v22| if (2i64 < 1i64) {
        Some(v18)
    } else {
        None
    }) {
        Some(v21) => match Some(v21) {
            Some(v23) => 1.75,
            None => a,
        },
        None => 0.5,
    };
    let mut v26 = if (!(1.0 <= a)) {
        E::One(a)
    } else {
        E::None
    };
    let mut v31 = L::Node(match ratio(v18, a) {
        Ok(v29) => v18,
        Err(v30) => v18,
    }, Box::new(L::Node(a, Box::new(L::Node(if (match (n as i64) {
        0 => x[((1i64 as usize) % x.len())],
        1 | 2 => 1.0,
        v28 if (v28 < 2i64) => x[((v28 as usize) % x.len())],
        _ => x[((1i64 as usize) % x.len())],
    } < v18) {
        u[((1i64 as usize) % u.len())]
    } else {
        a
    }, Box::new(L::End))))));
    if (1i64 == 0i64) {
        let mut v33: f64 = a;
    } else {
    }
    ((match (&v31) {
        L::Node(v34, v35) => {
            let mut v34 = *v34;
            1.0
        },
        L::End => a,
    } + v18) + total(&v31))
}
}

mod p35 {
use super::*;
pub const CASE: Case = Case { seed: 35, args: Args { x: [0.25919827457036815, -0.7647670963152274, 0.7199626735762344, -0.3554303900638582], u: [-0.7506569544871616, -0.8705340872354288, -0.6664216864259411], a: 0.8546344028500799, n: 3 }, along: Args { x: [0.44330773078586394, 0.7109795155254567, 0.03933626400055222, -0.8552350718586045], u: [-0.9479389973667703, -0.7592183079055081, -0.41230790724581307], a: -0.6015747824413878, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a = a;
    let mut v12: [f64; 3] = [(1.0 as f64), a.max(a), match 1i64 {
        0 => a,
        1 | 2 => a,
        v11 if (!(a <= a)) => a,
        _ => a,
    }];
    if let Some(v13) = combined(Some(a), 1.25) {
        {
            let mut i0 = ((1i64 as usize) % v12.len());
            v12[i0] = a;
        }
        let mut v14 = Rc::new(RefCell::new((2.0 as f64)));
    }
    let mut v15: f64 = x[((1i64 as usize) % x.len())];
    let mut v18: Option<f64> = Some((0.75 - v15));
    (((a + halved(&v12)) + v15) + v18.unwrap_or(0.25))
}
}

mod p36 {
use super::*;
pub const CASE: Case = Case { seed: 36, args: Args { x: [0.481446164245028, 0.517661682889621, -0.0012884477662126106, -0.12577237658039656], u: [-0.2549252490086305, 0.517556937183068, 1.0053016095524627], a: 0.36889884621500657, n: 1 }, along: Args { x: [-0.6446440344151794, 0.8711359334446718, -0.5476038721315802, -0.3016152078570271], u: [0.8257401894112385, 0.7242389086853268, 0.8116899172048416], a: 0.7275627166203286, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14: [f64; 3] = [a, match (if (match Some(a) {
        Some(v13) if (1i64 < 1i64) => a,
        _ => a,
    } < a) {
        Ok(u[((0i64 as usize) % u.len())])
    } else {
        Err(a)
    }) {
        Ok(v11) => a,
        Err(v12) => a,
    }, a];
    let mut v15 = D { s: S { a: a, b: ((0.75 as f64), x[((1i64 as usize) % x.len())]), n: (n as i64) }, o: Some(x[((1i64 as usize) % x.len())]), v: vec![x[((1i64 as usize) % x.len())].min(a), a.cos()], e: if (1i64 < 1i64) {
        E::One(a)
    } else {
        E::Two { x: a, n: 3i64 }
    } };
    let mut v17 = turned(S { a: a, b: ((1.5 as f64), a), n: ((2.5 * a) as i64) }, if ((a * a) < a) {
        E::One((0.5 as f64))
    } else {
        E::None
    });
    {
        let mut i0 = (((n as i64) as usize) % v14.len());
        v14[i0] = match Some((1.0 as f64)) {
            Some(v18) if (v17.n == 2i64) => x[((2i64 as usize) % x.len())],
            _ => a,
        };
    }
    let mut v19 = E::One(a);
    v17 = turned(S { a: a, b: (a, (1.0 as f64)), n: (n as i64) }, if (!(scanned(&v14, u[((0i64 as usize) % u.len())]) <= a)) {
        E::One(x[(((n as i64) as usize) % x.len())])
    } else {
        E::None
    });
    ((((combined(v15.o.map(|v20| v20), v14[((1i64 as usize) % v14.len())]).unwrap() + a) + halved(&v14)) + v17.size(0.75)) + match v19 {
        E::One(v21) => v21,
        E::Two { x: v21, n: v22 } => v21,
        E::None => 0.5,
    })
}
}

mod p37 {
use super::*;
pub const CASE: Case = Case { seed: 37, args: Args { x: [0.4016872451117098, 0.565465112559284, -0.17961857595215738, 0.28295974696065057], u: [-0.8036057012305171, 0.4273927082174972, -0.676077528944184], a: 0.2907407607796885, n: 0 }, along: Args { x: [0.6318807099119971, -0.7921436690193965, -0.009487364957049185, 0.0705479897885293], u: [-0.8731689385639041, -0.8803526069481274, 0.48925316327608404], a: 0.08029332773795422, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14: f64 = a;
    let mut v15: Box<dyn Solid> = Box::new(Point);
    let mut v16: Result<f64, f64> = chained(x[((1i64 as usize) % x.len())], a.max(v14));
    let mut v19: Box<dyn Fn(f64) -> f64> = if (x[((3i64 as usize) % x.len())] < v14) {
        Box::new(move |v17: f64| (0.25 as f64))
    } else {
        Box::new(move |v17: f64| (v17 * match Some(x[((1i64 as usize) % x.len())]) {
            Some(v18) if (v17 < x[((0i64 as usize) % x.len())]) => v14,
            _ => a,
        }))
    };
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] *= a.cos();
    }
    let mut v23 = E::One((1.75 as f64));
    let mut v25 = L::Node(match Some(v14) {
        Some(v24) if (3i64 == 3i64) => a,
        _ => v14,
    }, Box::new(L::End));
    let mut v26: Option<f64> = root(v14);
    (((((stepped(u[((0i64 as usize) % u.len())], 0i64) + a) + v14) + v15.twice(0.5)) + match v23 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    }) + total(&v25))
}
}

mod p38 {
use super::*;
pub const CASE: Case = Case { seed: 38, args: Args { x: [-0.34783917618387633, -0.4957201003788893, 0.8832817395073379, 0.9048093722313856], u: [0.5097090587382692, -0.3012701621503349, -0.36736565877348676], a: -0.009542357499797392, n: 1 }, along: Args { x: [-0.19853634796287659, -0.008080466769613414, 0.8287023500522332, 0.5978484770809827], u: [0.137909929000772, -0.744007206366182, -0.4421823026295569], a: -0.25296054732341744, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: Box<dyn Solid> = if (a < 1.25) {
        Box::new(Ball { r: x.iter().enumerate().map(|(i, &v11)| {
            let mut v12 = (i as i64);
            (a + v11)
        }).sum::<f64>() })
    } else {
        Box::new(Brick { sides: (a, a), n: (1i64 + 1i64) })
    };
    let mut v15: f64 = match ((2.5 * 1.0) as i64) {
        0 => a,
        1 | 2 => (a + x[((1i64 as usize) % x.len())]),
        v14 if (((2.5 * a) as i64) == 1i64) => counted(1.0, v14),
        _ => a,
    };
    let mut v16 = &x[0..2];
    (((x[((1i64 as usize) % x.len())] + a) + v13.twice(0.5)) + v15)
}
}

mod p39 {
use super::*;
pub const CASE: Case = Case { seed: 39, args: Args { x: [0.22340184144020445, 0.06827043807043243, -0.3870320181617898, 0.09191804331814199], u: [-0.9843425503019269, -0.43527661169378346, -0.062206882088397024], a: 0.7123770439739621, n: 3 }, along: Args { x: [-0.8737019693526885, 0.18020176468703894, -0.19428089739202417, -0.9228699913077347], u: [-0.7937037052521749, -0.35083094013529303, -0.8929409286203824], a: -0.3961908460127472, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((2i64 as usize) % u.len());
        u[i0] *= x[(((n as i64) as usize) % x.len())];
    }
    'l10: for v10 in 0i64..3i64 {
        let mut v11 = vec![S { a: a, b: ((0.75 as f64), a), n: v10 }, turned(S { a: x[((1i64 as usize) % x.len())], b: (a, (1.75 as f64)), n: ((2.5 * a) as i64) }, E::Two { x: x[((2i64 as usize) % x.len())], n: (n as i64) }), S { a: x[((1i64 as usize) % x.len())], b: swapped(a, x[(((n as i64) as usize) % x.len())]), n: (n as i64) }];
        let Some(v12) = (if (v10 == v10) {
            Some((1.5 as f64))
        } else {
            None
        }) else {
            break;
        };
    }
    'l13: for v13 in 0i64..(n as i64) {
        let mut v14 = &x[0..3];
        let mut v15 = E::One((0.5 as f64));
    }
    let mut v16 = vec![x[((2i64 as usize) % x.len())], scanned(x, 1.5)];
    {
        let mut i0 = (((1i64 + 3i64) as usize) % v16.len());
        v16[i0] *= parity((a + u[((3i64 as usize) % u.len())]), (n as i64));
    }
    for p17 in v16.iter_mut() {
        let mut v17 = *p17;
        *p17 = x[((3i64 as usize) % x.len())];
    }
    ((a + a) + halved(&v16))
}
}

mod p40 {
use super::*;
pub const CASE: Case = Case { seed: 40, args: Args { x: [0.47471657426163993, 0.44118642780360534, 0.4195510506319878, 0.85677461317779], u: [-0.961002676209023, 0.8046688167219107, 0.43006135353624825], a: -0.6312705357235421, n: 1 }, along: Args { x: [-0.19818473395188824, 0.2674489845953277, -0.07493112397986773, 0.2657581735389187], u: [-0.45686588376011783, 0.5774322797460455, -0.5619849453276384], a: 0.27731213380369174, n: 2 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v12: f64 = solids(v4, ((2.5 * v4) as i64));
    let mut v14 = vec![S { a: v12, b: (v4, v12), n: 1i64 }];
    match 1i64 {
        0 => 1.5,
        1 | 2 => v12,
        v15 if (0i64 < 3i64) => Some((1.75 as f64)).unwrap_or(v12),
        _ => v12,
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] = (if (!(match Some(a) {
            Some(v10) => a,
            None => a,
        } <= a)) {
            a
        } else {
            a
        }).tanh();
    }
    let mut v11: [f64; 3] = [a, (a + a), a];
    let mut v13 = vec![(x[(((n as i64) as usize) % x.len())] * a)];
    if (v13.len() > 1) {
        if let Some(v14) = v13.pop() {
            let mut v17 = vec![x[((1i64 as usize) % x.len())]];
            let mut v24 = S { a: match 1i64 {
                0 => (-v14),
                1 | 2 => match (if (2i64 == (n as i64)) {
                    Ok(x[((1i64 as usize) % x.len())])
                } else {
                    Err(x[((2i64 as usize) % x.len())])
                }) {
                    Ok(v19) => 2.0,
                    Err(v20) => v20,
                },
                v18 if ((match Some(a) {
                Some(v21) if ((v17[((v18 as usize) % v17.len())] < v14) && (match (E::Two { x: v21, n: (n as i64) }) {
                E::One(v22) => x[((1i64 as usize) % x.len())],
                E::Two { x: v22, n: v23 } => v21,
                E::None => 0.25,
            } < v14)) => x[((v18 as usize) % x.len())],
                _ => v14,
            } < v14) || (if ((3i64 + v18) == (n as i64)) {
                v14
            } else {
                v14
            } < a)) => x[(((n as i64) as usize) % x.len())],
                _ => u[((3i64 as usize) % u.len())],
            }, b: (v14, v14), n: (n as i64) };
        }
    }
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % u.len());
        u[i0] = u[((2i64 as usize) % u.len())];
    }
    let mut v25 = (a, h1(2i64, a));
    let mut v28 = Rc::new(RefCell::new(a));
    {
        let mut e = a;
        *v28.borrow_mut() += e;
    }
    ((a + a) + {
        let mut r = *v28.borrow();
        r
    })
}
}

mod p41 {
use super::*;
pub const CASE: Case = Case { seed: 41, args: Args { x: [0.26815670092859767, 0.36066610567173685, -0.7672374163142969, 0.6596762062541544], u: [-0.8709968773008492, 0.8538074508566391, -0.5369362234424946], a: 0.4145565641847684, n: 3 }, along: Args { x: [0.45662296098808036, -0.3115107131239407, 0.5742735060008891, -0.7152294473879369], u: [-0.21593746515169612, 0.820346133504754, -0.7325151833364191], a: 0.365423352398001, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = vec![match ((2.5 * 0.75) as i64) {
        0 => a,
        1 | 2 => u[((1i64 as usize) % u.len())],
        v11 if (v11 == (n as i64)) => u[((v11 as usize) % u.len())],
        _ => a,
    }, a];
    if (!(((n as i64) as f64) <= a)) {
        let mut v16 = Rc::new(RefCell::new((1.75 as f64)));
        let mut v18: Box<dyn Solid> = Box::new(Ball { r: 1.5 });
    } else {
        for p19 in v12.iter_mut() {
            let mut v19 = *p19;
            *p19 = a;
        }
    }
    for p20 in v12.iter_mut() {
        let mut v20 = *p20;
        *p20 = {
            let mut f = |v21: f64| v20;
            (f((v20 * a)) + f(v20))
        };
    }
    let mut v22 = ((0.25 as f64), (a + u[((1i64 as usize) % u.len())]));
    ((match Some(u[((1i64 as usize) % u.len())]) {
        Some(v23) if (a < a) => x.chunks(2).map(|c| {
            let mut v24 = c[0];
            let mut v25 = c[(c.len() - 1)];
            (1.25 as f64)
        }).sum::<f64>(),
        _ => x.iter().map(|&v27| a).fold((0.5 as f64), |s, e| ((s * 0.5) + e)),
    } + halved(&v12)) + v22.1)
}
}

mod p42 {
use super::*;
pub const CASE: Case = Case { seed: 42, args: Args { x: [-0.8644708234495506, -0.9958555328175339, 0.5941532664367323, 0.5096430153877782], u: [-0.0992206911665818, 0.5806008475732428, 0.9252589960276295], a: 0.0290085945422942, n: 1 }, along: Args { x: [0.5948621290263801, -0.8689843555758837, -0.3882228295977275, -0.8057230564244297], u: [-0.43132536583654085, -0.8495202956476067, -0.9625901128898893], a: 0.9186338402342562, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = if (a < a) {
        E::One(a)
    } else {
        E::None
    };
    let mut v14 = D { s: turned(S { a: x[((1i64 as usize) % x.len())], b: ((1.0 as f64), a), n: 2i64 }, E::Two { x: u[((2i64 as usize) % u.len())], n: 0i64 }), o: Some(a), v: vec![a], e: E::Two { x: 1.0, n: ((2.5 * a) as i64) } };
    a = a;
    (((a + a) + match v13 {
        E::One(v15) => v15,
        E::Two { x: v15, n: v16 } => v15,
        E::None => 0.5,
    }) + weigh(&v14, 0.5))
}
}

mod p43 {
use super::*;
pub const CASE: Case = Case { seed: 43, args: Args { x: [-0.9707417594055667, 0.22168368619967127, 0.7292160632480744, -0.71670016561313], u: [0.9066533651194019, 0.344906314484205, 0.28543271608633347], a: 0.39646652944921895, n: 2 }, along: Args { x: [-0.1797400090793991, 0.49476381258066143, 0.8128917249344948, 0.11425082925281932], u: [0.5095134790080174, -0.5751656228917839, -0.7206312266710139], a: 0.5117402502897098, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10: f64 = v4;
    let mut v17: Result<f64, f64> = if (1i64 == 1i64) {
        Ok((0.75 as f64))
    } else {
        Err(spiral(1.25, 1i64))
    };
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = move |v11: f64| v11;
    let mut v14 = Rc::new(RefCell::new(duo(a, x.iter().map(|&v12| match root(v12) {
        Some(v13) => h0(2i64, v12),
        None => (v12 * a),
    }).sum::<f64>())));
    {
        let mut e = match (if (0i64 == 3i64) {
            Some(a)
        } else {
            None
        }).map(|v16| v10(v16)) {
            Some(v15) if ((h0(2i64, 0.75) < v15) && (1i64 == 1i64)) => a,
            _ => u[((1i64 as usize) % u.len())],
        };
        *v14.borrow_mut() = e;
    }
    {
        let mut e = (-a);
        *v14.borrow_mut() *= e;
    }
    let mut v22 = if ((-a) < 1.75) {
        E::One(a)
    } else {
        E::None
    };
    let mut v24: Box<dyn Fn(f64) -> f64> = if (!(v10(x[((3i64 as usize) % x.len())]) <= 0.75)) {
        Box::new(move |v23: f64| (1.25 as f64))
    } else {
        Box::new(move |v23: f64| a)
    };
    ((({
        let mut f = |v25: f64| solids(match 3i64 {
            0 => v25,
            1 | 2 => v25,
            v26 if (v26 < 2i64) => v25,
            _ => 2.0,
        }, 2i64);
        (f((-0.25)) + f((-v10(a))))
    } + a) + {
        let mut r = *v14.borrow();
        r
    }) + match v22 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    })
}
}

mod p44 {
use super::*;
pub const CASE: Case = Case { seed: 44, args: Args { x: [0.6001935740992752, 0.28127800470067543, -0.8851975669442985, -0.48611057116537243], u: [0.3366083178805594, 0.8792930994606474, 0.3657685019738852], a: 0.8336710174819802, n: 1 }, along: Args { x: [-0.6821925280753736, -0.06522726270708977, -0.2510930217069532, -0.8207468093520811], u: [-0.09732891798138686, -0.2402739811204681, -0.1295433847876787], a: 0.9732167503808443, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14: Box<dyn Solid> = Box::new(Ball { r: a });
    let mut v15: i64 = 1i64;
    let mut v20: [f64; 3] = [a, if (match 1i64 {
        0 => a,
        1 | 2 => a,
        v17 if ({
        let mut v18: f64 = 1.25;
        let mut v19: i64 = 0;
        loop {
            v18 = a;
            v19 += 1;
            if ((v19 >= 3) || (v18 < 0.25)) {
                break v18;
            }
        }
    } < a) => x[((v17 as usize) % x.len())],
        _ => 1.0,
    } < a) {
        u[((v15 as usize) % u.len())]
    } else {
        a
    }, (1.75 as f64).min(u[((v15 as usize) % u.len())])];
    let mut v24 = D { s: S { a: a, b: (a, (1.25 as f64)), n: (n as i64) }, o: Some(a), v: vec![a, (1.75 as f64)], e: if ((v15 < v15) || (v20.windows(2).map(|c| {
        let mut v22 = c[0];
        let mut v23 = c[(c.len() - 1)];
        (1.5 as f64)
    }).sum::<f64>() < u[((1i64 as usize) % u.len())])) {
        E::One(a)
    } else {
        E::None
    } };
    mix(&mut v24.v, 0.5);
    mix(&mut v24.v, if (Some((1.75 as f64)).unwrap_or(x[((1i64 as usize) % x.len())]) < x[((v15 as usize) % x.len())]) {
        0.5
    } else {
        0.5
    });
    {
        let mut i0 = ((v15 as usize) % u.len());
        bump(&mut u[i0], (0.5 * 0.25));
    }
    v14.scale((1.0 as f64).cos());
    let mut e26 = match Some(a) {
        Some(v27) => {
            let mut f = |v28: f64| a;
            (f(u[((0i64 as usize) % u.len())]) + f(a))
        },
        None => a,
    };
    let mut p26 = if (!(a <= 0.5)) {
        let mut i0 = ((((n as i64) * v15) as usize) % u.len());
        &mut u[i0]
    } else {
        let mut i0 = (((n as i64) as usize) % v20.len());
        &mut v20[i0]
    };
    *p26 -= e26;
    for p29 in u[1..].iter_mut() {
        let mut v29 = *p29;
        *p29 = {
            let mut f = |v30: f64| a;
            (f(v29) + f(v29))
        };
    }
    (((x.windows(2).map(|c| {
        let mut v31 = c[0];
        let mut v32 = c[(c.len() - 1)];
        if (v20[((1i64 as usize) % v20.len())] < v31) {
            v31
        } else {
            v32
        }
    }).sum::<f64>() * (x[((1i64 as usize) % x.len())] * match ratio(u[(((n as i64) as usize) % u.len())], a) {
        Ok(v33) => a,
        Err(v34) => v34,
    })) + v14.twice(0.5)) + halved(&v20))
}
}

mod p45 {
use super::*;
pub const CASE: Case = Case { seed: 45, args: Args { x: [-0.6802905682593378, 0.5901881215801769, -0.2776353459672747, -0.4797636844840631], u: [-0.47694049456683113, 0.7418453070329851, -0.30715424180854733], a: -0.9570528355792541, n: 0 }, along: Args { x: [0.7744880858385566, -0.7553609676623176, 0.6539830308432126, -0.8123646407062357], u: [-0.21462196801994401, 0.7221048751331316, -0.2919136251290318], a: -0.1284230363284577, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = D { s: S { a: a, b: ((0.5 as f64), x[((0i64 as usize) % x.len())]), n: 3i64 }, o: Some(a), v: vec![a], e: if (1i64 < 1i64) {
        E::One(a)
    } else {
        E::None
    } };
    {
        let mut i0 = (((2i64 * 3i64) as usize) % u.len());
        u[i0] = a;
    }
    let mut v11 = Rc::new(RefCell::new(a));
    let mut v12: Box<dyn Solid> = Box::new(Ball { r: blocks(x) });
    if (!(a <= a)) {
        let mut v16 = v10.clone();
        a -= duo(x[((3i64 as usize) % x.len())], (if ((0.5 * a) < 1.75) {
            Some(a)
        } else {
            None
        }).unwrap_or(1.5));
    } else {
        {
            let mut e = a.tanh();
            *v11.borrow_mut() = e;
        }
    }
    let mut v18: f64 = a;
    v12.scale(0.5);
    (((a + weigh(&v10, 0.5)) + v12.twice(0.5)) + v18)
}
}

mod p46 {
use super::*;
pub const CASE: Case = Case { seed: 46, args: Args { x: [0.9428006432833114, 0.6572231099432919, -0.2613555894685784, -0.8333831914047082], u: [-0.3232280459981165, -0.6899658030977914, -0.38373299907329816], a: -0.5635046711823707, n: 1 }, along: Args { x: [-0.3352773897845589, 0.40697533307803324, -0.8310700132076326, -0.5307766546432834], u: [-0.6506487869737989, 0.35570673785136636, 0.7557409807901297], a: -0.9654279643294085, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = x[((3i64 as usize) % x.len())];
    }
    let mut v11 = vec![a];
    let mut v12 = Rc::new(RefCell::new((1.75 as f64)));
    'l13: while let Some(v13) = v11.pop() {
        let Some(v14) = Some(v13) else {
            break;
        };
        {
            let mut e = {
                let mut v15: f64 = (0.5 * v14);
                let mut v16: i64 = 0;
                loop {
                    v15 = (v16 as f64);
                    v16 += 1;
                    if ((v16 >= 3) || (0i64 < 0i64)) {
                        break v15;
                    }
                }
            };
            *v12.borrow_mut() *= e;
        }
    }
    v11.push(solids(a, 0i64));
    if (!(a <= 1.75)) {
        v11.extend(x.iter().copied());
        let mut v18 = if (!(a <= a)) {
            E::One(u[((2i64 as usize) % u.len())])
        } else {
            E::None
        };
    } else {
        v11.truncate((((((n as i64) % (-1i64)) as usize) % 3) + 1));
    }
    ((x[((0i64 as usize) % x.len())] + a) + {
        let mut r = *v12.borrow();
        r
    })
}
}

mod p47 {
use super::*;
pub const CASE: Case = Case { seed: 47, args: Args { x: [0.739406100802032, -0.5704349050385641, -0.8867523403804893, 0.5877298258757429], u: [0.48206459194026907, -0.5359386039359185, -0.6353637848488342], a: -0.13452238704759992, n: 2 }, along: Args { x: [-0.7293792334114797, 0.6113238865511631, 0.2140765893080464, -0.2958997199835354], u: [-0.5680679973548973, -0.2602702366708403, 0.4261019778242808], a: -0.8680953676619063, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v12: Box<dyn Solid> = if (match (E::Two { x: 1.0, n: 2i64 }) {
        E::One(v10) => v10,
        E::Two { x: v10, n: v11 } => v5,
        E::None => v4,
    } < v5) {
        Box::new(Brick { sides: ((1.25 as f64), (0.25 as f64)), n: 2i64 })
    } else {
        Box::new(Point)
    };
    let mut v13 = |v14: f64| {
        v4 = (1.0 * orchard(v14, 0i64));
        (v4 * v14)
    };
    let mut v15 = (apply(&mut v13, 0.5) + v13(v5));
    let mut v17: Box<dyn Solid> = Box::new(Ball { r: v5 });
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = D { s: S { a: a, b: (a, a), n: 1i64 }, o: Some(a), v: vec![a, (x[((0i64 as usize) % x.len())] * a)], e: E::One(a) };
    a = root(a).unwrap_or((1i64 as f64));
    let mut v17: Box<dyn Fn(f64) -> f64> = if (!(a <= a)) {
        Box::new(move |v12: f64| (-v12))
    } else {
        Box::new(move |v12: f64| (match (if ((1.0 as f64).min(v12) < x[((0i64 as usize) % x.len())]) {
            E::One(v12)
        } else {
            E::None
        }) {
            E::One(v15) => v15,
            E::Two { x: v15, n: v16 } => a,
            E::None => v12,
        } - h0(x[((0i64 as usize) % x.len())], 1.25)))
    };
    let mut v19: Option<f64> = root(u[((0i64 as usize) % u.len())]).filter(|&v18| (!(v17(x[((3i64 as usize) % x.len())]) <= v18)));
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v20 = *i;
            let mut v21 = *j;
            let mut e = v20;
            let mut f = 1.0;
            *i = e;
            *j = f;
        }
    }
    (((x[((2i64 as usize) % x.len())] + a) + weigh(&v11, 0.5)) + v19.unwrap_or(0.25))
}
}

mod p48 {
use super::*;
pub const CASE: Case = Case { seed: 48, args: Args { x: [0.7294441254364195, -0.19604108203151968, 1.0115505798441706, -0.36690590597153483], u: [0.5260168168484146, 0.6925834380944201, -0.45254434306513963], a: -0.5075921417955421, n: 1 }, along: Args { x: [0.4635685549538485, -0.78390774032953, -0.23334138873078894, 0.11488221745494152], u: [0.9308097638894378, -0.2596506623261909, 1.0133924081764063], a: 0.4351583883267363, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 2i64;
    if (u[((v10 as usize) % u.len())] < a) {
        let mut v17 = D { s: S { a: a, b: swapped(a, x[((v10 as usize) % x.len())]), n: (v10 * 3i64) }, o: both(a, x[((v10 as usize) % x.len())]).filter(|&v16| (v10 < (n as i64))), v: vec![u[((v10 as usize) % u.len())]], e: if ((a < a) && (((2.5 * a) as i64) == 0i64)) {
            E::One(a)
        } else {
            E::None
        } };
        a = swapped(a, x[((1i64 as usize) % x.len())]).0;
    } else {
        let mut v19 = |v20: f64| {
            a = 0.5;
            (a * v20)
        };
        let mut v21 = (v19((0.5 as f64).tanh()) + v19(match (if (!(0.5 <= 0.5)) {
            Some((1.75 as f64))
        } else {
            None
        }) {
            Some(v22) if (1i64 < v10) => x[(((n as i64) as usize) % x.len())],
            _ => 0.5,
        }));
    }
    a += a;
    {
        let mut m = ((v10 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v24 = *i;
            let mut v25 = *j;
            let mut e = a;
            let mut f = v25;
            *i = e;
            *j = f;
        }
    }
    let mut v28 = S { a: a, b: (a, (-a)), n: v10 };
    {
        let mut i0 = ((v28.n as usize) % u.len());
        u[i0] = ranked(x, renewed(x, v28.n));
    }
    v28.b.0 *= a;
    (a + v28.size(0.75))
}
}

mod p49 {
use super::*;
pub const CASE: Case = Case { seed: 49, args: Args { x: [0.6663660963224523, -0.655821763379412, 0.4054878872033313, 0.05563679892212284], u: [0.7785027463277175, 0.9744777973891057, -0.051067364616286706], a: 0.9143887498614016, n: 2 }, along: Args { x: [-0.5323586825569856, 0.17794191235027731, 0.5093506177884188, 0.22184098285632364], u: [-0.37301338840757153, -0.4162532660618646, -0.30459429998467213], a: -0.9863339269558894, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10: i64 = (1i64 + 0i64);
    (-(1.25 as f64).tanh())
}

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    let mut v21 = Rc::new(RefCell::new(v4));
    h0(2i64, h0(2i64, v4))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14 = D { s: turned(turned(S { a: u[((0i64 as usize) % u.len())], b: (x[((1i64 as usize) % x.len())], a), n: 2i64 }, if (!(a <= x[((1i64 as usize) % x.len())])) {
        E::One(a)
    } else {
        E::None
    }), if (match (if ((n as i64) == 1i64) {
        Some(a)
    } else {
        None
    }) {
        Some(v11) => x[((1i64 as usize) % x.len())],
        None => x[((2i64 as usize) % x.len())],
    } < 1.75) {
        E::One(a)
    } else {
        E::Two { x: a, n: 2i64 }
    }), o: Some((1.25 as f64)).filter(|&v12| (!(v12 <= a))), v: vec![if (u[((3i64 as usize) % u.len())] < a) {
        a
    } else {
        a
    }, h1(a)], e: E::One((1.5 as f64)) };
    let mut v15 = v14.clone();
    a = a;
    let mut v20 = E::One(a);
    let mut v21 = move |v22: f64| x[((3i64 as usize) % x.len())];
    let mut v25: Result<f64, f64> = chained(x.iter().map(|&v24| v21(a.min(v24))).filter(|e| (*e > 0.0)).sum::<f64>(), (1.25 as f64).tanh());
    'l26: for v26 in 0i64..3i64 {
        let mut v27: i64 = 1i64;
        v15.s = turned(S { a: a, b: ((0.75 as f64), a), n: (v27 + v26) }, v20);
    }
    let mut v28 = vec![S { a: a, b: ((1.5 as f64), a), n: 1i64 }];
    (((((a + a) + weigh(&v14, 0.5)) + weigh(&v15, 0.5)) + match v20 {
        E::One(v29) => v29,
        E::Two { x: v29, n: v30 } => v29,
        E::None => 0.5,
    }) + v28[((1i64 as usize) % v28.len())].a)
}
}

mod p50 {
use super::*;
pub const CASE: Case = Case { seed: 50, args: Args { x: [-0.7918043767829975, 0.8704783131583551, -0.9612772769078978, -0.3456706808733653], u: [0.4235960325590224, -0.3320181769522309, -0.39609648713197165], a: 0.6225875651253355, n: 0 }, along: Args { x: [0.6243714977525613, 0.13836679392127044, 0.35183942960200953, 0.10826606526817732], u: [-0.56220963475671, -0.14938922381204522, 0.23595619846583712], a: -0.4461031049868215, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 1i64;
    let mut v11 = Rc::new(RefCell::new((-a)));
    let mut v19: Box<dyn Fn(f64) -> f64> = if (!(a <= 1.75)) {
        Box::new(move |v12: f64| v12)
    } else {
        Box::new(move |v12: f64| match (if (v12 < v12) {
            E::One(a)
        } else {
            E::None
        }) {
            E::One(v15) => a,
            E::Two { x: v15, n: v16 } => v15,
            E::None => 1.25,
        })
    };
    let mut v20: f64 = v19(duo(a, a));
    v20 *= match 1i64 {
        0 => (-u[((2i64 as usize) % u.len())]),
        1 | 2 => (-a),
        v21 if (a < v20) => v20,
        _ => orchard(v20, 1i64),
    };
    let mut v23 = E::One(v20);
    let mut v24 = v23;
    let mut v27 = vec![{
        let mut f = |v25: f64| v25;
        (f(0.25) + f(1.5))
    }, match Some(a) {
        Some(v26) => v20,
        None => x[((v10 as usize) % x.len())],
    }];
    ((u[(((n as i64) as usize) % u.len())].min({
        let mut r = *v11.borrow();
        r
    }) + v20) + match v23 {
        E::One(v28) => v28,
        E::Two { x: v28, n: v29 } => v28,
        E::None => 0.5,
    })
}
}

mod p51 {
use super::*;
pub const CASE: Case = Case { seed: 51, args: Args { x: [0.16367577354836307, -0.2931905116311058, 0.4090915898533162, -0.3373041215362315], u: [0.5411583070895323, -0.30863220132601493, 0.9991071850095704], a: -0.15187901855539673, n: 0 }, along: Args { x: [0.6599479471314788, 0.8077935259233084, 0.24741849760493193, 0.45663833564177836], u: [-0.4059654611563824, -0.004187253623619474, 0.7981841212416746], a: -0.2826593537123334, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11: i64 = ((2.5 * v4) as i64);
    stepped(match 1i64 {
        0 => v5,
        1 | 2 => v4,
        v12 if (!(v5 <= v5)) => v4,
        _ => v5,
    }, v11)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v17: f64 = 0.25;
    let mut v19: Box<dyn Fn(f64) -> f64> = if (a < a) {
        Box::new(move |v18: f64| x[((1i64 as usize) % x.len())])
    } else {
        Box::new(move |v18: f64| x[((3i64 as usize) % x.len())])
    };
    let mut v21: Option<f64> = Some((v17 * v17));
    let mut v23 = swapped(v19(0.25), (a * v17));
    let mut v27: Box<dyn Fn(f64) -> f64> = if (!(h0(2i64, a, 1.25) <= 0.25)) {
        Box::new(move |v24: f64| v23.0)
    } else {
        Box::new(move |v24: f64| match ratio(x[((1i64 as usize) % x.len())], v17) {
            Ok(v25) => swapped(v25, v24).0,
            Err(v26) => v24,
        })
    };
    let mut v28 = move |v29: f64| match chained(v17, v29) {
        Ok(v30) => v29,
        Err(v31) => duo(v31, v17),
    };
    {
        let mut m = (((1i64 + 1i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v34 = *i;
            let mut v35 = *j;
            let mut e = {
                let mut f = |v36: f64| v34;
                (f(1.25) + f(a))
            };
            let mut f = v17;
            *i = e;
            *j = f;
        }
    }
    let mut v40 = L::Node(v21.unwrap_or(v17), Box::new(L::Node((1.0 + a), Box::new(L::Node(v17, Box::new(L::End))))));
    (((if (3i64 < 3i64) {
        v19(a)
    } else {
        v27({
            let mut v41: f64 = v17;
            let mut v42: i64 = 0;
            loop {
                v41 = v17;
                v42 += 1;
                if ((v42 >= 3) || (a < a)) {
                    break v41;
                }
            }
        })
    } + a) + v23.1) + total(&v40))
}
}

mod p52 {
use super::*;
pub const CASE: Case = Case { seed: 52, args: Args { x: [-0.3643980096794004, -0.16000661410375588, 0.5749231807489225, 0.8823537610902117], u: [0.3865639124494175, 0.30467239995686973, 0.8056561020029487], a: -0.8640495096292282, n: 3 }, along: Args { x: [-0.08785713693228557, -0.6862878326655707, 0.9638130345738769, -0.893566973221642], u: [-0.6606640680408618, -0.19238726911767287, 0.8451364454217435], a: 0.10200479253317493, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v13: Box<dyn Solid> = Box::new(Ball { r: 0.5 });
    let mut v14: i64 = (2i64 * 1i64);
    v4
}

#[differentiable]
pub fn h1(mut v4: f64, mut v5: f64) -> f64 {
    let mut v12 = Rc::new(RefCell::new(v4));
    'l13: for v13 in 0i64..3i64 {
        let mut v14 = S { a: h0(0.5), b: (v4, v5), n: 0i64 };
        let mut v18: Box<dyn Solid> = Box::new(Ball { r: 1.0 });
    }
    let mut v20 = (v5, (v4 - v4));
    match Some(v5) {
        Some(v21) => v5,
        None => v4,
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = D { s: S { a: x[((1i64 as usize) % x.len())], b: (a, (1.5 as f64)), n: ((n as i64) * 3i64) }, o: Some(a), v: vec![(a * x[((1i64 as usize) % x.len())]), h1(a, a), a], e: if (duo(a, a) < 0.75) {
        E::One(a)
    } else {
        E::None
    } };
    let mut v13 = Rc::new(RefCell::new(spiral(a, 2i64)));
    let mut v14: f64 = (x[(((n as i64) as usize) % x.len())] - a);
    if ((1i64 + 3i64) == 1i64) {
        let mut v17: Box<dyn Fn(f64) -> f64> = if (!(if (if ((0.5 * v14) < a) {
            0.25
        } else {
            v14
        } < 0.5) {
            a
        } else {
            a
        } <= u[(((n as i64) as usize) % u.len())])) {
            Box::new(move |v16: f64| h0(x[((1i64 as usize) % x.len())]).cos())
        } else {
            Box::new(move |v16: f64| a)
        };
        {
            let mut e = (1.75 as f64);
            *v13.borrow_mut() += e;
        }
    } else {
        let mut v18: i64 = (1i64 * 1i64);
    }
    for p19 in u[1..].iter_mut() {
        let mut v19 = *p19;
        *p19 = (1i64 as f64);
    }
    (((a.max(v14), v14).0 + a) + {
        let mut r = *v13.borrow();
        r
    })
}
}

mod p53 {
use super::*;
pub const CASE: Case = Case { seed: 53, args: Args { x: [-0.2962855891491185, 0.4896469406873517, 0.6842003591495859, 0.9573891362311148], u: [0.1949693767809611, -0.8114089649779224, 0.19304711164568913], a: 0.07815843591255825, n: 3 }, along: Args { x: [0.07444211631641157, 0.7527752558510307, 0.15731281552010148, -0.11316049383661862], u: [-0.7408975816300627, -0.5768104219371528, -0.9386163914606138], a: -0.9332688766205816, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u[1..].iter_mut() {
        let mut v11 = *p11;
        *p11 = (1.0 - 0.25);
    }
    let mut v25 = vec![S { a: a, b: (a, (1.25 as f64)), n: (n as i64) }, S { a: a, b: (a, a), n: 2i64 }, S { a: a, b: swapped(1.5, x[((2i64 as usize) % x.len())]), n: (1i64 + 1i64) }];
    for p28 in u[1..].iter_mut() {
        let mut v28 = *p28;
        *p28 = 1.75;
    }
    'l31: for v31 in 0i64..3i64 {
        a *= (match Some(x[((0i64 as usize) % x.len())]) {
            Some(v32) => v32,
            None => x[((1i64 as usize) % x.len())],
        } * 1.0);
    }
    (a + v25[((1i64 as usize) % v25.len())].a)
}
}

mod p54 {
use super::*;
pub const CASE: Case = Case { seed: 54, args: Args { x: [-0.6634251343945645, -0.37968687938486834, 0.2412266953645082, 0.7742770091157142], u: [-0.09259497513169589, 0.795641834036162, -0.5532351953060224], a: -0.9277670948476634, n: 3 }, along: Args { x: [0.8946084887777317, -0.17071234651106612, 0.5883285707324737, 0.03528560880135918], u: [0.22822056677761143, -0.9022146487050668, 0.1320722342721067], a: -0.5017672114258646, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..(n as i64) {
        let mut v11 = &x[0..2];
        let mut v12: i64 = (2i64 - (-1i64));
    }
    {
        let mut i0 = ((2i64 as usize) % u.len());
        u[i0] = (a * (-1.75));
    }
    for p13 in u[1..].iter_mut() {
        let mut v13 = *p13;
        *p13 = if (!(a.sin() <= a)) {
            (0.5 * x[((3i64 as usize) % x.len())])
        } else {
            a
        };
    }
    let mut v18 = Rc::new(RefCell::new(a));
    if let Some(v19) = both(1.75, x[((0i64 as usize) % x.len())]) {
        let mut v20 = |v21: f64| {
            a = a;
            (a * v21)
        };
        let mut v22 = (apply(&mut v20, v19) + v20(orchard(x[((3i64 as usize) % x.len())], (n as i64))));
        let mut v23 = &x[1..2];
    }
    {
        let mut e = a;
        *v18.borrow_mut() += e;
    }
    (({
        let mut r = *v18.borrow();
        r
    } + a) + {
        let mut r = *v18.borrow();
        r
    })
}
}

mod p55 {
use super::*;
pub const CASE: Case = Case { seed: 55, args: Args { x: [-0.9236609734777083, -0.05132375476273202, -0.41800844054855246, -0.388191872297837], u: [0.36177189358198075, -0.0455766714422151, -0.25162507212636614], a: -0.7693304804395282, n: 2 }, along: Args { x: [-0.30993314554217977, -0.26852008292483975, -0.9922465275291585, -0.7433618819013675], u: [0.877014548206897, 0.8411955611483268, 0.7484778891425816], a: -0.7729807130683496, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = (2i64 * 1i64);
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v11 = *i;
            let mut v12 = *j;
            let mut e = v12;
            let mut f = v11.max(0.25);
            *i = e;
            *j = f;
        }
    }
    let mut v14: Result<f64, f64> = if (!(1.5 <= 1.25)) {
        Ok(a)
    } else {
        Err(a)
    };
    let mut v20: Box<dyn Fn(f64) -> f64> = if (1i64 < 1i64) {
        Box::new(move |v15: f64| match (E::Two { x: x[((v10 as usize) % x.len())], n: 1i64 }) {
            E::One(v16) => 1.75,
            E::Two { x: v16, n: v17 } => v15,
            E::None => v15,
        })
    } else {
        Box::new(move |v15: f64| x[(((n as i64) as usize) % x.len())])
    };
    {
        let mut i0 = (((v10 + (n as i64)) as usize) % u.len());
        u[i0] -= ((a + a) - (a * a));
    }
    let mut v24 = D { s: S { a: a, b: (x[(((n as i64) as usize) % x.len())], a), n: v10 }, o: Some(x[(((n as i64) as usize) % x.len())]), v: vec![match (E::Two { x: x[((v10 as usize) % x.len())], n: v10 }) {
        E::One(v22) => u[((3i64 as usize) % u.len())],
        E::Two { x: v22, n: v23 } => v22,
        E::None => a,
    }], e: E::Two { x: a, n: (1i64 * 0i64) } };
    let mut v25 = if (a < 0.25) {
        E::One((0.75 as f64))
    } else {
        E::None
    };
    ((match Some(a) {
        Some(v26) if (!(x[((2i64 as usize) % x.len())] <= v26)) => x[((((n as i64) * (n as i64)) as usize) % x.len())],
        _ => if (2i64 < 1i64) {
            a
        } else {
            (a, a).0
        },
    } + a) + match v25 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    })
}
}

mod p56 {
use super::*;
pub const CASE: Case = Case { seed: 56, args: Args { x: [-0.5929727570394817, 0.7507292228396157, -0.5024328918248949, 0.695761088781821], u: [0.04897676698436588, -0.33851351971272936, -0.582592161264877], a: 0.8536574737288434, n: 2 }, along: Args { x: [0.8833790839579143, 0.32573046142785517, -0.4742350172534451, 0.10087703594097708], u: [0.47192836410973216, -0.7731392745190735, -0.20518885198268935], a: 0.49445176248524675, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    let mut v10 = vec![S { a: 0.75, b: swapped(1.0, 2.0), n: (0i64 % 9223372036854775807i64) }, turned(S { a: 1.5, b: swapped(v4, 1.5), n: (1i64 * (-1i64)) }, if (v4 < v4) {
        E::One(v4)
    } else {
        E::None
    })];
    let mut v11 = D { s: S { a: 0.75, b: (v4, (1.75 as f64)), n: 1i64 }, o: Some(v4), v: vec![Some((1.0 as f64))?], e: if (!((0.5 * v4) <= v4)) {
        E::One(v4)
    } else {
        E::None
    } };
    if (1i64 < 0i64) {
        Some((1.75 as f64))
    } else {
        None
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = 0;
    'l10: while ((v10 < 4) && ({
        let mut f = |v11: f64| a;
        (f(a) + f(a))
    } < a)) {
        v10 += 1;
        let mut v14 = vec![S { a: 1.0, b: (a, (1.0 as f64)), n: 1i64 }];
        let mut v15 = &x[2..4];
    }
    'l16: for &v16 in x {
        let mut v18: Result<f64, f64> = if (1i64 < 2i64) {
            Ok(match h0(2i64, a) {
                Some(v17) => 0.75,
                None => v16,
            })
        } else {
            Err(a)
        };
        for p19 in u.iter_mut() {
            let mut v19 = *p19;
            *p19 = match (if (1i64 < 2i64) {
                E::One(a)
            } else {
                E::None
            }) {
                E::One(v20) => (-x[((2i64 as usize) % x.len())]),
                E::Two { x: v20, n: v21 } => x.iter().map(|&v22| x[((3i64 as usize) % x.len())]).sum::<f64>(),
                E::None => 2.0,
            };
        }
    }
    for p23 in u.iter_mut() {
        let mut v23 = *p23;
        *p23 = (match (if ((!(match E::One(v23) {
            E::One(v26) => 1.5,
            E::Two { x: v26, n: v27 } => x[((2i64 as usize) % x.len())],
            E::None => v23,
        } <= v23)) || (a < v23)) {
            Ok(x[((1i64 as usize) % x.len())])
        } else {
            Err(a)
        }) {
            Ok(v24) => 0.5,
            Err(v25) => a,
        } - 1.75);
    }
    let mut v29 = S { a: match both(1.25, 1.25) {
        Some(v28) => a.min(x[((0i64 as usize) % x.len())]),
        None => a,
    }, b: (a, (x[((0i64 as usize) % x.len())] * a)), n: 1i64 };
    shift(&mut v29, 0.5);
    let mut v31: Box<dyn Solid> = if ((!(a <= u[((0i64 as usize) % u.len())])) || ((n as i64) == v29.n)) {
        Box::new(Brick { sides: (a, a), n: 3i64 })
    } else {
        Box::new(Point)
    };
    ((({
        let mut v32: f64 = a;
        let mut v33: i64 = 0;
        loop {
            v32 = v32;
            v33 += 1;
            if ((v33 >= 3) || (((2.5 * u[((0i64 as usize) % u.len())]) as i64) == v33)) {
                break v32;
            }
        }
    }).tanh() + a) + v29.size(0.75))
}
}

mod p57 {
use super::*;
pub const CASE: Case = Case { seed: 57, args: Args { x: [-0.24239101034092678, 0.05605651448434382, -0.025047093438830534, 0.6225486315634772], u: [0.6502131929475772, 0.35478375181267946, -0.030414289766994913], a: -0.8878100279030263, n: 1 }, along: Args { x: [-0.8849492592427091, 0.41987868363509795, 0.24138954430677073, -0.6479201895765825], u: [0.758000471949782, -0.24811346677042428, 0.10392903287688994], a: -0.6666897191961096, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = x[((1i64 as usize) % x.len())];
    }
    let mut v11 = |v12: f64| {
        a = x[((1i64 as usize) % x.len())];
        (a * v12)
    };
    let mut v13 = (apply(&mut v11, 0.5) + v11(0.5));
    let mut v15: f64 = 1.0;
    let mut v16: Box<dyn Solid> = Box::new(Ball { r: parity(v15, 1i64) });
    let mut v21 = D { s: S { a: a, b: ((1.75 as f64), (2.0 as f64)), n: 2i64 }, o: Some(u[((3i64 as usize) % u.len())]), v: vec![u[((3i64 as usize) % u.len())]], e: if (1.0 < x[((3i64 as usize) % x.len())]) {
        E::One(a)
    } else {
        E::None
    } };
    let mut v24 = S { a: (u[((1i64 as usize) % u.len())] * if (!((v13 + 0.5) <= a)) {
        v13
    } else {
        a
    }), b: ((2.0 as f64), orchard(v13, 1i64)), n: (n as i64) };
    ((((a + v15) + v16.twice(0.5)) + weigh(&v21, 0.5)) + v24.size(0.75))
}
}

mod p58 {
use super::*;
pub const CASE: Case = Case { seed: 58, args: Args { x: [-0.8432378438530127, -0.6815616015274376, 0.6805635584262225, -0.28280549908723646], u: [-0.026084013123927503, 0.13289503177994488, -0.48270897858420747], a: 0.29024997823644594, n: 2 }, along: Args { x: [-0.33423699890584263, 0.6407194438137108, 0.5220458429914197, -0.35741286176053133], u: [0.4017635309204847, 0.07913037399668083, 0.4269819560490374], a: -0.2827637428860658, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = E::Two { x: 1.75, n: (1i64 / 1i64) };
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![h0(2i64, 0.25)];
    if ((n as i64) == 1i64) {
        for p12 in u[1..].iter_mut() {
            let mut v12 = *p12;
            *p12 = ((9223372036854775807i64 % 3i64) as f64);
        }
        let mut v13 = E::One((x[(((n as i64) as usize) % x.len())] + 1.0));
    } else {
        let mut v14 = &x[2..3];
    }
    for p15 in u.iter_mut() {
        let mut v15 = *p15;
        *p15 = x[(((n as i64) as usize) % x.len())];
    }
    {
        let mut i = ((3i64 as usize) % v10.len());
        let mut j = ((1i64 as usize) % v10.len());
        v10.swap(i, j);
    }
    (0.5 + halved(&v10))
}
}

mod p59 {
use super::*;
pub const CASE: Case = Case { seed: 59, args: Args { x: [0.954074325297037, -0.4270218620283103, -0.827920850756966, 0.6215123117012549], u: [-0.6580645238629821, 0.423298771592175, -0.2385703314703107], a: 0.3443566629721791, n: 0 }, along: Args { x: [0.18160689928374407, 0.10037425830113655, 0.6709096010724636, 0.33217113416849786], u: [0.36273113132456913, -0.3681391805055481, 0.9688066456570094], a: -0.47067719351259085, n: 0 }, singles: false };

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    v4 = v4;
    let mut v10 = D { s: S { a: 2.0, b: swapped(v4, v4), n: 1i64 }, o: combined(if (1.25 < v4) {
        Some(v4)
    } else {
        None
    }, v4), v: vec![v4, v4, v4], e: if (!(v4 <= v4)) {
        E::One(v4)
    } else {
        E::Two { x: 0.25, n: 3i64 }
    } };
    let mut v11 = vec![S { a: 1.0, b: (v4, v4), n: 1i64 }];
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = a;
    let mut v14 = E::One({
        let mut v11: f64 = v10;
        let mut v12: i64 = 0;
        loop {
            v11 = v10;
            v12 += 1;
            if ((v12 >= 3) || (v12 == (n as i64))) {
                break v11;
            }
        }
    });
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = a;
    }
    let mut v17: Box<dyn Fn(f64) -> f64> = if ((v10 < x[((3i64 as usize) % x.len())]) || (1i64 == 1i64)) {
        Box::new(move |v15: f64| rises(x, {
            let mut f = |v16: f64| x[(((n as i64) as usize) % x.len())];
            (f(v10) + f(v10))
        }))
    } else {
        Box::new(move |v15: f64| v10.sin())
    };
    let mut v19: Box<dyn Solid> = Box::new(Ball { r: h1(x[((2i64 as usize) % x.len())]) });
    ((asserted((1.0 - match combined(Some(v10), 0.75) {
        Some(v22) if ((u[((1i64 as usize) % u.len())], (1.0 as f64)).1 < 0.5) => 1.5,
        _ => a,
    }), 2i64) + v10) + match v14 {
        E::One(v23) => v23,
        E::Two { x: v23, n: v24 } => v23,
        E::None => 0.5,
    })
}
}

mod p60 {
use super::*;
pub const CASE: Case = Case { seed: 60, args: Args { x: [0.599929840453953, -0.9704700459331654, -0.6173200950032504, 0.4757196757018806], u: [0.5991904795840763, 0.17642249316922867, -0.6889201253635452], a: -0.9344563661374193, n: 3 }, along: Args { x: [0.43523181549781415, -0.12617321936539264, 0.6135957469038082, -0.4984473454438849], u: [-0.568545672495851, -0.33646286657064883, -0.47592179838710075], a: -0.3216147645294169, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Option<f64> = if (1i64 == 0i64) {
        Some(a)
    } else {
        None
    };
    'l12: for v12 in 0i64..(n as i64) {
        a = match (if ((1i64 + v12) == 1i64) {
            Ok(u[(((n as i64) as usize) % u.len())])
        } else {
            Err(x[((2i64 as usize) % x.len())])
        }) {
            Ok(v15) => 2.0,
            Err(v16) => stepped(1.25, (n as i64)),
        };
        let mut v19: Result<f64, f64> = ratio(match ratio(x[((v12 as usize) % x.len())], a) {
            Ok(v17) => v17,
            Err(v18) => u[((3i64 as usize) % u.len())],
        }, x[(((n as i64) as usize) % x.len())]);
    }
    let mut v22: [f64; 3] = [a, a, a];
    let mut v24 = L::Node(match v11 {
        Some(v23) => u[(((n as i64) as usize) % u.len())],
        None => 1.0,
    }, Box::new(L::Node(1.5, Box::new(L::End))));
    let mut v27 = Rc::new(RefCell::new(a));
    for p28 in u[1..].iter_mut() {
        let mut v28 = *p28;
        *p28 = v28;
    }
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v29 = *i;
            let mut v30 = *j;
            let mut e = {
                let mut f = |v31: f64| ({
                    let mut f = |v32: f64| x[((3i64 as usize) % x.len())];
                    (f(v30) + f(a))
                } - a);
                (f(x[((3i64 as usize) % x.len())]) + f(a))
            };
            let mut f = 1.5;
            *i = e;
            *j = f;
        }
    }
    let mut v37 = E::Two { x: total(&v24), n: ((2.5 * 1.0) as i64) };
    ((((match both(a, a).and_then(|v39| Some((0.5 as f64))) {
        Some(v38) if (0i64 < 0i64) => a,
        _ => ((1.25 as f64), a).0,
    } + a) + halved(&v22)) + total(&v24)) + {
        let mut r = *v27.borrow();
        r
    })
}
}

mod p61 {
use super::*;
pub const CASE: Case = Case { seed: 61, args: Args { x: [0.7406290420958218, 0.570468954316185, -0.19217296459477587, 0.8824320315490576], u: [0.30590825349112144, 0.0459550967094461, -0.10140680310137849], a: -0.2547628955445916, n: 3 }, along: Args { x: [-0.18556979817886524, -0.3180878328437934, -0.9570952648627628, 0.6950977922737117], u: [0.2567714251647369, 0.46257016544954405, -0.38614503815883866], a: 0.6345907288764491, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: i64 = ((2.5 * a.cos()) as i64);
    a = a;
    let mut v17: f64 = a;
    ((v17.cos() + a) + v17)
}
}

mod p62 {
use super::*;
pub const CASE: Case = Case { seed: 62, args: Args { x: [-0.5142024622576915, 0.4180988078609373, -0.1696087070975765, 0.20079108056099884], u: [0.9054552400010523, -0.6163204295442578, -0.29844201463597797], a: -0.25327624239453006, n: 2 }, along: Args { x: [-0.5520910941968913, 0.654151378006211, 0.7004969777133826, 0.8272355637653287], u: [-0.9904252797493847, 0.8624669062719613, -0.7735265325553177], a: 0.4353930385680758, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = a;
    }
    {
        let mut i0 = ((2i64 as usize) % u.len());
        u[i0] += x[((1i64 as usize) % x.len())];
    }
    {
        let mut i0 = ((2i64 as usize) % u.len());
        u[i0] += (((2.5 * x[((1i64 as usize) % x.len())]) as i64) as f64);
    }
    let mut e10 = {
        let mut f = |v11: f64| (0.5 * x[((2i64 as usize) % x.len())]);
        (f(1.25) + f(a))
    };
    let mut p10 = if (x[((1i64 as usize) % x.len())] < a) {
        &mut a
    } else {
        let mut i0 = (((1i64 * 2i64) as usize) % u.len());
        &mut u[i0]
    };
    *p10 += e10;
    let mut v19: i64 = 0i64;
    for p20 in u.iter_mut() {
        let mut v20 = *p20;
        *p20 = v20;
    }
    let mut v23: Result<f64, f64> = ratio(match Some(u[((3i64 as usize) % u.len())]) {
        Some(v22) => x[(((n as i64) as usize) % x.len())],
        None => a,
    }, a);
    (a + a)
}
}

mod p63 {
use super::*;
pub const CASE: Case = Case { seed: 63, args: Args { x: [-0.9936453823400251, -0.04829994189540698, -0.41876036781773857, -0.043385964976392404], u: [0.11092956953670192, -0.6235304889605665, 0.5001395378382305], a: -0.6109134701966278, n: 0 }, along: Args { x: [0.32120921342077574, -0.23406461836741124, 0.708966139019538, 0.32599392485779416], u: [0.8709694683597803, -0.964714686835985, 0.9582584085604937], a: 0.9873814790171312, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        let mut v16: Box<dyn Fn(f64) -> f64> = if (!(matched(x, a) <= a)) {
            Box::new(move |v11: f64| ((a * x[((v10 as usize) % x.len())]) * 1.5))
        } else {
            Box::new(move |v11: f64| a)
        };
        a = {
            let mut f = |v18: f64| v18;
            (f(a) + f(a))
        };
    }
    let mut v19 = &x[1..3];
    let mut v22 = vec![a];
    if (a < a) {
        let mut v26: Option<f64> = root(1.75).map(|v25| (0.75 as f64)).and_then(|v24| both(v24, a));
        for p27 in v22.iter_mut() {
            let mut v27 = *p27;
            *p27 = x[((1i64 as usize) % x.len())];
        }
    } else {
        let mut v28 = move |v29: f64| v29;
    }
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v32 = *i;
            let mut v33 = *j;
            let mut e = x[(((n as i64) as usize) % x.len())].sin();
            let mut f = (2i64 as f64);
            *i = e;
            *j = f;
        }
    }
    (1.5 + a)
}
}

mod p64 {
use super::*;
pub const CASE: Case = Case { seed: 64, args: Args { x: [0.7167978373187537, -0.16730174352465813, 0.45876697201538924, 0.9121961244284396], u: [-0.6209979908047045, -0.1141440840397793, 0.01939777630468208], a: 0.10116253162697557, n: 3 }, along: Args { x: [0.9101166947569491, -0.6673256328240533, -0.9768630743153132, -0.2567117442350899], u: [-0.23815110711533544, 0.9628799788544706, -0.8295840799863865], a: 0.48277133230209784, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    mix(u, x[((2i64 as usize) % x.len())]);
    mix(u, x[(((n as i64) as usize) % x.len())]);
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        bump(&mut u[i0], 0.5);
    }
    let mut v14: f64 = (a - x[((1i64 as usize) % x.len())]);
    let mut v16: Result<f64, f64> = ratio(a, v14);
    let mut v18 = swapped(v14, 1.0);
    'l19: for v19 in 0i64..3i64 {
        for p20 in u.iter_mut() {
            let mut v20 = *p20;
            *p20 = a;
        }
        {
            let mut i0 = (((0i64 * 1i64) as usize) % u.len());
            u[i0] *= v14;
        }
    }
    if (2i64 < 1i64) {
    } else {
    }
    ((x[((1i64 as usize) % x.len())] + a) + v14)
}
}

mod p65 {
use super::*;
pub const CASE: Case = Case { seed: 65, args: Args { x: [-0.1388771172377205, -0.9410673670291155, -0.008068271688285049, 0.7893213322039523], u: [-0.6523245977134121, -0.19613865866364497, 0.920282338619341], a: -0.2624470140674222, n: 2 }, along: Args { x: [-0.9160303193623036, -0.10186226333375793, 1.009616285987292, 0.5950253278675831], u: [0.51799347153063, 0.5158141155306761, 0.7077936533791694], a: -0.0395873375681301, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v11: f64 = (v4.min(v4) * v4);
    v11
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v18: Box<dyn Fn(f64) -> f64> = if (0i64 == 0i64) {
        Box::new(move |v10: f64| {
            let mut f = |v11: f64| v11;
            (f(x[((1i64 as usize) % x.len())]) + f((-a)))
        })
    } else {
        Box::new(move |v10: f64| match chained(a, 1.5) {
            Ok(v12) => match (if ((1.0 < v10) || ((v12 * a) < v10)) {
                E::One((0.75 as f64))
            } else {
                E::None
            }) {
                E::One(v14) => 0.5,
                E::Two { x: v14, n: v15 } => v10,
                E::None => x[((1i64 as usize) % x.len())],
            },
            Err(v13) => h0(x[((2i64 as usize) % x.len())]),
        })
    };
    for p19 in u[1..].iter_mut() {
        let mut v19 = *p19;
        *p19 = v18(graded(a, 1i64));
    }
    let mut v20 = &x[1..4];
    let mut v21 = S { a: v18(a), b: ((-a), a), n: 1i64 };
    if let Some(v22) = Some(a).and_then(|v23| Some(v23)) {
        let mut v24 = vec![v22.sin(), (0.5 as f64)];
        v21.turn(if (1i64 < 0i64) {
            v22
        } else {
            v22
        });
    }
    bump(&mut v21.b.1, (x[((3i64 as usize) % x.len())] + x[((0i64 as usize) % x.len())]));
    let mut v29: Result<f64, f64> = ratio(Some(a).unwrap_or(x[(((n as i64) as usize) % x.len())]), v20.windows(2).map(|c| {
        let mut v27 = c[0];
        let mut v28 = c[(c.len() - 1)];
        a
    }).sum::<f64>());
    let mut v31 = if (!(a <= 1.0)) {
        E::One((1.5 as f64))
    } else {
        E::None
    };
    (((x[((2i64 as usize) % x.len())] + a) + v21.size(0.75)) + match v31 {
        E::One(v32) => v32,
        E::Two { x: v32, n: v33 } => v32,
        E::None => 0.5,
    })
}
}

mod p66 {
use super::*;
pub const CASE: Case = Case { seed: 66, args: Args { x: [-0.9977737081559556, 0.1300073137980574, -0.7307408804952162, 0.8882969931957113], u: [0.817915703686971, 0.29593467143349006, -0.6948229219287942], a: 0.26716854941403484, n: 2 }, along: Args { x: [-0.508483206331688, 0.5632745855720672, 0.5201738335144332, -0.19420736211077952], u: [-0.5365383702764822, 0.7616199565029829, -0.6713165853999974], a: 0.09303510082717566, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v10 = *i;
            let mut v11 = *j;
            let mut e = {
                let mut v12: f64 = a;
                let mut v13: i64 = 0;
                loop {
                    v12 = x[((v13 as usize) % x.len())];
                    v13 += 1;
                    if ((v13 >= 3) || (!(v11.sin() <= v12))) {
                        break v12;
                    }
                }
            };
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    let mut v14: Result<f64, f64> = if (((2.5 * x[((1i64 as usize) % x.len())]) as i64) == (n as i64)) {
        Ok(if (0i64 < 3i64) {
            2.0
        } else {
            u[((1i64 as usize) % u.len())]
        })
    } else {
        Err(a)
    };
    let mut v16: f64 = (a, x[((2i64 as usize) % x.len())]).0.cos();
    'l17: for &v17 in x {
        let mut v20: [f64; 3] = [v16, spiral(x[((1i64 as usize) % x.len())], 1i64), v16];
        let mut v26: Box<dyn Fn(f64) -> f64> = if (((2.5 * a) as i64) == 2i64) {
            Box::new(move |v21: f64| spiral(x[((1i64 as usize) % x.len())], (1i64 + 1i64)))
        } else {
            Box::new(move |v21: f64| x.iter().enumerate().map(|(i, &v24)| {
                let mut v25 = (i as i64);
                (1.75 as f64)
            }).sum::<f64>().sin())
        };
    }
    let mut v28: f64 = renewed(x, ((n as i64) + 0i64));
    let mut v32 = if (1i64 < (n as i64)) {
        E::One(match 3i64 {
            0 => a,
            1 | 2 => 0.25,
            v31 if (!(v28 <= 1.0)) => x[((1i64 as usize) % x.len())],
            _ => v28,
        })
    } else {
        E::None
    };
    let mut v33: Option<f64> = Some(counted(2.0, 2i64));
    mix(u, {
        let mut v36: f64 = x[((1i64 as usize) % x.len())];
        let mut v37: i64 = 0;
        loop {
            v36 = v36;
            v37 += 1;
            if ((v37 >= 3) || (v36 < 1.75)) {
                break v36;
            }
        }
    });
    (((v16 + v28) + match v32 {
        E::One(v38) => v38,
        E::Two { x: v38, n: v39 } => v38,
        E::None => 0.5,
    }) + v33.unwrap_or(0.25))
}
}

mod p67 {
use super::*;
pub const CASE: Case = Case { seed: 67, args: Args { x: [-0.44900061267113967, 0.143920165275394, 0.6573768309510732, 0.9855073462926167], u: [0.7829881001493003, -0.8915914566036589, 0.8255532408857653], a: 1.0133849772258159, n: 1 }, along: Args { x: [0.3599020287453476, 0.7602086355482518, 0.9616828102438617, -0.5363919998630287], u: [0.7903894931060854, -0.5293475855825005, 0.05673144814013161], a: -0.16096605966576885, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = v10;
    }
    let mut v12 = L::Node(match Some(a) {
        Some(v11) => 1.0,
        None => x[(((n as i64) as usize) % x.len())],
    }, Box::new(L::Node(a, Box::new(L::End))));
    let mut v15 = E::One(if (if (counted(1.5, 3i64) < a) {
        a
    } else {
        a
    } < 1.75) {
        u[((3i64 as usize) % u.len())]
    } else {
        1.5
    });
    let mut v16: Result<f64, f64> = ratio((a, (0.25 as f64)).0, Some(x[((2i64 as usize) % x.len())]).unwrap_or(a));
    {
        let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v17 = *i;
            let mut v18 = *j;
            let mut e = 0.5;
            let mut f = v17;
            *i = e;
            *j = f;
        }
    }
    ((1.75 + a) + total(&v12))
}
}

mod p68 {
use super::*;
pub const CASE: Case = Case { seed: 68, args: Args { x: [-0.28703649575169143, 0.5452464770991439, 0.6010043161052846, -0.31457523883389416], u: [-0.04833462934292623, 0.41750984122384216, -0.921001640792906], a: -0.576288588743796, n: 2 }, along: Args { x: [0.24127678934658311, 0.1977326169971257, -0.25703535701221847, -0.742063909155921], u: [0.10426881211182178, 0.17992500128353403, 0.03953483144303789], a: 0.40281956434445165, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[0..1];
    if (x[((2i64 as usize) % x.len())] < 1.25) {
        let mut v15 = turned(turned(turned(S { a: x[((1i64 as usize) % x.len())], b: (a, a), n: (1i64 * 0i64) }, E::Two { x: x[((0i64 as usize) % x.len())], n: (n as i64) }), if ((v10.iter().map(|&v12| duo(a, a)).filter(|e| (*e > 0.0)).sum::<f64>() < 1.75) && ({
            let mut v13: f64 = 0.25;
            let mut v14: i64 = 0;
            loop {
                v13 = a;
                v14 += 1;
                if ((v14 >= 3) || (v14 == (n as i64))) {
                    break v13;
                }
            }
        } < a)) {
            E::One(x[((1i64 as usize) % x.len())])
        } else {
            E::Two { x: a, n: (1i64 * 3i64) }
        }), E::One(a));
        'l16: for &v16 in x {
            let mut v17 = if (!(v16 <= a)) {
                E::One((1.0 as f64))
            } else {
                E::Two { x: (-0.75), n: 0i64 }
            };
            {
                let mut m = ((2i64 as usize) % (u.len() + 1));
                let (p, q) = u.split_at_mut(m);
                for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                    let mut v18 = *i;
                    let mut v19 = *j;
                    let mut e = v18;
                    let mut f = (1i64 as f64);
                    *i = e;
                    *j = f;
                }
            }
        }
    } else {
        let mut v20 = S { a: a.min(a), b: (a, a), n: 3i64 };
    }
    let mut v24: [f64; 3] = [a, a, x[((0i64 as usize) % x.len())]];
    let Some(v27) = combined(Some((1.25 as f64)), u[((1i64 as usize) % u.len())]) else {
        return a;
    };
    let mut v28 = Rc::new(RefCell::new((1.75 as f64).min(if (!(1.0 <= a)) {
        u[((0i64 as usize) % u.len())]
    } else {
        x[((0i64 as usize) % x.len())]
    })));
    ((a + halved(&v24)) + {
        let mut r = *v28.borrow();
        r
    })
}
}

mod p69 {
use super::*;
pub const CASE: Case = Case { seed: 69, args: Args { x: [0.838589447984844, 0.3217520985939736, 0.5181282409316122, -0.23016052059828257], u: [-0.5566428882951745, 0.8215732025171645, 0.29840349321053006], a: 0.2511791459909821, n: 3 }, along: Args { x: [0.8859000570531145, -0.025368583462237283, -0.29989133342852403, -0.8414422841191278], u: [0.6305752763025432, 0.8813016106109031, -0.4004249435179233], a: 0.401345458228237, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14 = vec![(1.0 as f64), match Some(x[((1i64 as usize) % x.len())]) {
        Some(v11) if ({
        let mut v12: f64 = v11;
        let mut v13: i64 = 0;
        loop {
            v12 = a;
            v13 += 1;
            if ((v13 >= 3) || (a < v11)) {
                break v12;
            }
        }
    } < v11) => x[(((n as i64) as usize) % x.len())],
        _ => a,
    }];
    let mut v17: i64 = (3i64 * 2i64);
    if (v14.len() > 1) {
        if let Some(v18) = v14.pop() {
            for p19 in u.iter_mut() {
                let mut v19 = *p19;
                *p19 = v18;
            }
            let mut v22: Box<dyn Solid> = Box::new(Point);
        }
    }
    let mut v23 = |v24: f64| {
        a = x[((1i64 as usize) % x.len())];
        (a * v24)
    };
    let mut v25 = (apply(&mut v23, 0.5) + v23(stepped(1.25, 1i64)));
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % v14.len());
        v14[i0] *= x[((1i64 as usize) % x.len())];
    }
    for p26 in v14.iter_mut() {
        let mut v26 = *p26;
        *p26 = x.iter().enumerate().map(|(i, &v27)| {
            let mut v28 = (i as i64);
            v25
        }).sum::<f64>();
    }
    if ((a < v25) || (((2.5 * x[((0i64 as usize) % x.len())]) as i64) == 3i64)) {
        let mut v32: i64 = ((2.5 * a) as i64);
    } else {
    }
    (((v25 + a) + halved(&v14)) + v25)
}
}

mod p70 {
use super::*;
pub const CASE: Case = Case { seed: 70, args: Args { x: [0.5877963369283653, 0.29609991361686006, 0.8319558394419948, 0.9709477118587244], u: [-0.5055453951527701, 0.4290738774272158, 0.9028635185974219], a: -0.6648487621051539, n: 1 }, along: Args { x: [0.45867917618374593, 0.6758776139150312, -0.15146428658720426, 0.8810392888127624], u: [0.9136153378365016, 0.22233368166757125, -0.14910796096353285], a: 0.3087196797282755, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..(n as i64) {
        let mut v13: f64 = 0.5;
        let mut v14: i64 = v10;
    }
    {
        let mut m = (((3i64 - 0i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v15 = *i;
            let mut v16 = *j;
            let mut e = x[((2i64 as usize) % x.len())];
            let mut f = a.tanh();
            *i = e;
            *j = f;
        }
    }
    if ((a < 0.5) || (((2.5 * 0.5) as i64) == 3i64)) {
        {
            let mut i0 = ((((n as i64) * (-1i64)) as usize) % u.len());
            u[i0] -= match ratio(a, 2.0) {
                Ok(v22) => u[((1i64 as usize) % u.len())],
                Err(v23) => v23,
            };
        }
        {
            let mut i0 = (((n as i64) as usize) % u.len());
            u[i0] -= x[((1i64 as usize) % x.len())];
        }
    } else {
        let mut v28 = vec![turned(S { a: u[((1i64 as usize) % u.len())], b: ((0.25 as f64), (0.75 as f64)), n: 0i64 }, E::Two { x: a, n: ((2.5 * a) as i64) }), S { a: a, b: ((0.75 as f64), a), n: (n as i64) }];
    }
    let mut v29 = &x[1..4];
    let mut v30: f64 = 2.0;
    scanned(v29, x[((1i64 as usize) % x.len())].sin())
}
}

mod p71 {
use super::*;
pub const CASE: Case = Case { seed: 71, args: Args { x: [-0.6860008480648367, 0.38292855859695435, -0.3796639529641598, 0.9166788349155545], u: [0.2247472114892395, 0.9538630432741062, 0.5203073874908707], a: -0.723858070490713, n: 1 }, along: Args { x: [-0.6146049356184878, -0.6494460880797397, -0.12997467790172718, 0.35763091392834595], u: [0.8909581052612539, -0.850963418150298, -0.34524007680817076], a: -0.9753245822124003, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v16: Option<f64> = both(match (if ({
        let mut f = |v11: f64| match combined(if (0i64 == 1i64) {
            Some(v4)
        } else {
            None
        }, 1.0) {
            Some(v12) if (0.25 < v5) => v4,
            _ => match Some(v4) {
                Some(v15) => v15,
                None => v4,
            },
        };
        (f(v4) + f(v5))
    } < v4) {
        Some(v4)
    } else {
        None
    }) {
        Some(v10) => v4,
        None => v4,
    }, 0.5);
    let mut v18 = swapped(v4, match Some(v4) {
        Some(v17) => v4,
        None => v4,
    });
    match (if ((v5 - 1.5) < v5) {
        Some(v4)
    } else {
        None
    }) {
        Some(v19) => v5.max(v19),
        None => v4,
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v10 = *i;
            let mut v11 = *j;
            let mut e = {
                let mut f = |v12: f64| x[((1i64 as usize) % x.len())];
                (f(v11) + f(v10))
            };
            let mut f = 0.25;
            *i = e;
            *j = f;
        }
    }
    let mut v15 = |v16: f64| {
        a = (x[((1i64 as usize) % x.len())] * {
            let mut f = |v19: f64| {
                let mut v20: f64 = {
                    let mut v22: f64 = x[((1i64 as usize) % x.len())];
                    let mut v23: i64 = 0;
                    loop {
                        v22 = 0.25;
                        v23 += 1;
                        if ((v23 >= 3) || ((a < v22) && (h0(2i64, a, v19) < 0.5))) {
                            break v22;
                        }
                    }
                };
                let mut v21: i64 = 0;
                loop {
                    v20 = v20.cos();
                    v21 += 1;
                    if ((v21 >= 3) || (if (a < x[((v21 as usize) % x.len())]) {
                        0.5
                    } else {
                        v19
                    } < 1.5)) {
                        break v20;
                    }
                }
            };
            (f(x[((1i64 as usize) % x.len())]) + f(x[((1i64 as usize) % x.len())]))
        });
        (a * v16)
    };
    let mut v17 = (v15(match root(u[((2i64 as usize) % u.len())]) {
        Some(v24) => v24,
        None => 0.5,
    }) + v15(0.5));
    if (!((0.5 * v17) <= v17)) {
        let mut v26 = S { a: v17, b: swapped(x[((1i64 as usize) % x.len())], v17), n: 1i64 };
        shift(&mut v26, 0.5);
    } else {
        if let Some(v29) = Some(v17) {
            'l30: for &v30 in x {
                let mut v31 = Rc::new(RefCell::new(v30.sin()));
                let mut v34: Result<f64, f64> = if (!(v17 <= v30)) {
                    Ok(v30)
                } else {
                    Err(if (!(match E::One(u[((2i64 as usize) % u.len())]) {
                        E::One(v32) => x[((3i64 as usize) % x.len())],
                        E::Two { x: v32, n: v33 } => v30,
                        E::None => 1.5,
                    } <= v17)) {
                        x[((1i64 as usize) % x.len())]
                    } else {
                        2.0
                    })
                };
            }
            let mut v36 = D { s: S { a: v29, b: (x[(((n as i64) as usize) % x.len())], a), n: 1i64 }, o: combined(Some((1.25 as f64)), 1.0), v: vec![match both(x[((2i64 as usize) % x.len())], a) {
                Some(v35) if (0.25 < 1.25) => v29,
                _ => v17,
            }], e: E::One(v17) };
        }
    }
    (v17 + a)
}
}

mod p72 {
use super::*;
pub const CASE: Case = Case { seed: 72, args: Args { x: [-0.02682195800154745, -0.07542232121171744, -0.22437592756374256, 0.42100106411303295], u: [0.8874215917264394, -0.46657847079131987, 0.38652353284982865], a: 0.03611052245847978, n: 3 }, along: Args { x: [-0.7641173076943604, -0.019961652832994517, 0.677338684605479, -0.10495478767064431], u: [-0.3905179032571973, -0.7962568108195328, 0.7192327999488901], a: -0.5989811097173859, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if let Some(v10) = root(a) {
        let mut v11 = 0;
        'l11: while ((v11 < 4) && (match combined(root(v10), v10) {
            Some(v12) if (({
            let mut v13: f64 = v12;
            let mut v14: i64 = 0;
            loop {
                v13 = u[((3i64 as usize) % u.len())];
                v14 += 1;
                if ((v14 >= 3) || (match (if (2i64 < (n as i64)) {
                    E::One(v12)
                } else {
                    E::Two { x: v10, n: v14 }
                }) {
                    E::One(v15) => x[(((n as i64) as usize) % x.len())],
                    E::Two { x: v15, n: v16 } => x[((v16 as usize) % x.len())],
                    E::None => u[(((n as i64) as usize) % u.len())],
                } < v12)) {
                    break v13;
                }
            }
        } < x[((0i64 as usize) % x.len())]) && (2i64 == 1i64)) => u[((2i64 as usize) % u.len())],
            _ => v10,
        } < a)) {
            v11 += 1;
            let mut v17: [f64; 3] = [x[(((n as i64) as usize) % x.len())], v10, x[((2i64 as usize) % x.len())]];
            {
                let mut i0 = ((3i64 as usize) % v17.len());
                v17[i0] = u[((1i64 as usize) % u.len())];
            }
        }
        for p18 in u.iter_mut() {
            let mut v18 = *p18;
            *p18 = a;
        }
    }
    let mut v25: f64 = match (if ((!(a <= x[((0i64 as usize) % x.len())])) && (u[((0i64 as usize) % u.len())] < a)) {
        E::One(x[(((n as i64) as usize) % x.len())])
    } else {
        E::None
    }) {
        E::One(v19) => x.iter().enumerate().map(|(i, &v21)| {
            let mut v22 = (i as i64);
            a
        }).sum::<f64>(),
        E::Two { x: v19, n: v20 } => 0.5,
        E::None => 0.75,
    };
    let mut v26 = &x[1..3];
    v25 = (x[((2i64 as usize) % x.len())], v25).0;
    let mut v27: [f64; 3] = [a, x[((0i64 as usize) % x.len())], a];
    let mut v31: Box<dyn Fn(f64) -> f64> = if (!((v25 * v25) <= a)) {
        Box::new(move |v28: f64| v28)
    } else {
        Box::new(move |v28: f64| if ((1i64 < 1i64) && (!(strided(v26, 3i64) <= x[((0i64 as usize) % x.len())]))) {
            (3i64 as f64)
        } else {
            {
                let mut v29: f64 = a;
                let mut v30: i64 = 0;
                loop {
                    v29 = v28;
                    v30 += 1;
                    if ((v30 >= 3) || (!(x[((v30 as usize) % x.len())] <= 1.75))) {
                        break v29;
                    }
                }
            }
        })
    };
    (((v25, (v25, v25).1).1 + v25) + halved(&v27))
}
}

mod p73 {
use super::*;
pub const CASE: Case = Case { seed: 73, args: Args { x: [-0.07480686202281278, -0.6519324285567951, -0.8456128335180962, -0.9005205377333984], u: [0.08344998085513405, 0.34194134915319446, 0.6720441786288195], a: 0.17391112500232261, n: 2 }, along: Args { x: [-0.5294049748410512, 0.9101068280858569, -0.4525303614011248, -0.5708497550004096], u: [0.2634730895979324, -0.7255407580130976, -0.5121935105312413], a: 0.3564760476895023, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = (n as i64);
    let mut v14 = Rc::new(RefCell::new((a * a)));
    let mut v17: f64 = match E::One(a) {
        E::One(v15) => v15,
        E::Two { x: v15, n: v16 } => if (((0.5 as f64), v15).1 < a) {
            a
        } else {
            v15
        },
        E::None => u[((1i64 as usize) % u.len())],
    };
    let mut v31: Result<f64, f64> = if (x[((v10 as usize) % x.len())] < u[(((n as i64) as usize) % u.len())]) {
        Ok(a)
    } else {
        Err(a)
    };
    {
        let mut i0 = ((((n as i64) * 1i64) as usize) % u.len());
        u[i0] += v17;
    }
    let mut v32: Option<f64> = combined(Some(a), {
        let mut r = *v14.borrow();
        r
    });
    if (a < x[((1i64 as usize) % x.len())]) {
        for p34 in u.iter_mut() {
            let mut v34 = *p34;
            *p34 = v34;
        }
        for p35 in u.iter_mut() {
            let mut v35 = *p35;
            *p35 = x[((1i64 as usize) % x.len())];
        }
    } else {
        'l36: for &v36 in x {
        }
    }
    (((v32.unwrap_or(0.75) + a) + {
        let mut r = *v14.borrow();
        r
    }) + v17)
}
}

mod p74 {
use super::*;
pub const CASE: Case = Case { seed: 74, args: Args { x: [-0.14146500451431165, 0.0297072964642384, -0.3631766040129382, -0.1855043551579412], u: [-0.5842048852920491, -0.6422954140938086, 0.8842841612683864], a: -0.5107501341641921, n: 3 }, along: Args { x: [0.5269582872122319, -0.9283682185855167, 0.20732124126719975, -0.4871578452896477], u: [-0.9191562318142713, 0.8668652999990344, -0.9941124843186999], a: -0.8320344564669714, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        let mut v11 = if (!(a <= a)) {
            E::One(a)
        } else {
            E::Two { x: x[((0i64 as usize) % x.len())], n: v10 }
        };
        if (!(a <= a)) {
            continue 'l10;
        }
    }
    {
        let mut m = ((0i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v12 = *i;
            let mut v13 = *j;
            let mut e = match 3i64 {
                0 => 2.0,
                1 | 2 => a,
                v14 if ((!((1i64 as f64) <= v13)) || (a.min(a) < v12)) => a,
                _ => x[((0i64 as usize) % x.len())],
            };
            let mut f = stepped(x[((1i64 as usize) % x.len())], 3i64);
            *i = e;
            *j = f;
        }
    }
    'l15: for v15 in 0i64..(n as i64) {
        let mut v18: Result<f64, f64> = ratio(a, x[((v15 as usize) % x.len())]);
        let mut v20 = S { a: x[((1i64 as usize) % x.len())], b: ((0.5 * x[((1i64 as usize) % x.len())]), x[((2i64 as usize) % x.len())]), n: v15 };
    }
    for p21 in u.iter_mut() {
        let mut v21 = *p21;
        *p21 = x[((1i64 as usize) % x.len())];
    }
    {
        let mut i0 = ((2i64 as usize) % u.len());
        u[i0] *= (a - 1.75);
    }
    let mut v24 = move |v25: f64| (a * 0.25);
    (a + a)
}
}

mod p75 {
use super::*;
pub const CASE: Case = Case { seed: 75, args: Args { x: [-0.23171068138463463, 1.0036562584932278, -0.4497807220649098, 0.02028765653379267], u: [-0.7684552356846945, -0.9542796333282629, 0.08524594397302465], a: 0.7848553101611212, n: 0 }, along: Args { x: [0.04140728864477607, -0.6316828189141983, -0.9155629635845198, 0.6348374810828861], u: [-0.402084714553178, -0.8347259714622126, 0.2593315080997253], a: -0.2703718010725342, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = ((2.5 * a) as i64);
    {
        let mut m = ((v10 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v11 = *i;
            let mut v12 = *j;
            let mut e = 1.75;
            let mut f = x[((v10 as usize) % x.len())];
            *i = e;
            *j = f;
        }
    }
    a = a;
    let mut v20 = E::One(a);
    if (x[((2i64 as usize) % x.len())] < x[((v10 as usize) % x.len())]) {
        let mut v22 = &x[0..2];
        'l23: for v23 in 0i64..(n as i64) {
            let mut v24: Result<f64, f64> = if (1.25 < a) {
                Ok((u[((2i64 as usize) % u.len())] * x[((v23 as usize) % x.len())]))
            } else {
                Err(x[(((n as i64) as usize) % x.len())])
            };
            let mut v30 = S { a: a, b: (a, u[((v10 as usize) % u.len())]), n: ((2.5 * a) as i64) };
        }
    } else {
        if let Some(v31) = Some((1.5 as f64)) {
        }
    }
    (a + a)
}
}

mod p76 {
use super::*;
pub const CASE: Case = Case { seed: 76, args: Args { x: [-0.3708160239091699, 0.7972668517687547, -0.6184397136769276, -0.1977766004391679], u: [-0.18483211238752864, 0.43170444252366863, -0.37903757478711153], a: -0.596420234794074, n: 3 }, along: Args { x: [-0.2466025775962294, 0.8994486800513287, 0.5716674385143602, -0.9563635944686126], u: [-0.8352621749702596, 0.6955380357837108, -0.7937938762024642], a: -0.05168506157671898, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    v5 -= v4;
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..(n as i64) {
        if (a < 0.5) {
            continue 'l10;
        }
        let mut v12 = turned(S { a: a, b: swapped(a, x[((v10 as usize) % x.len())]), n: ((2.5 * 1.25) as i64) }, if (x.iter().map(|&v11| (parity(v11, (n as i64)) - (a + v11))).sum::<f64>() < a) {
            E::One((0.25 as f64))
        } else {
            E::Two { x: a, n: ((2.5 * a) as i64) }
        });
    }
    let mut v13 = vec![S { a: u[(((n as i64) as usize) % u.len())], b: ((1.25 as f64), (1.25 as f64)), n: (n as i64) }, turned(S { a: a, b: ((1.5 as f64), u[((1i64 as usize) % u.len())]), n: 1i64 }, if (!(u[((1i64 as usize) % u.len())] <= u[(((n as i64) as usize) % u.len())])) {
        E::One(a)
    } else {
        E::None
    }), turned(S { a: a, b: (a, a), n: (n as i64) }, if ((Some(u[((1i64 as usize) % u.len())]).unwrap_or(a) < a) || (2i64 == 2i64)) {
        E::One(a)
    } else {
        E::None
    })];
    let mut v17 = if ((n as i64) < 1i64) {
        E::One(a)
    } else {
        E::Two { x: match Some(a) {
            Some(v16) => a,
            None => a,
        }, n: 1i64 }
    };
    let mut v21 = (match Some((1.5 as f64)) {
        Some(v18) if (if (a < x[((1i64 as usize) % x.len())]) {
        v18
    } else {
        x[((0i64 as usize) % x.len())]
    } < a) => 0.25,
        _ => a,
    }, u[((3i64 as usize) % u.len())]);
    let mut v22: f64 = x[((3i64 as usize) % x.len())];
    for p23 in u[1..].iter_mut() {
        let mut v23 = *p23;
        *p23 = x[((0i64 as usize) % x.len())];
    }
    for v24 in v13.iter_mut() {
        v24.turn(u[((1i64 as usize) % u.len())]);
    }
    let mut v25 = vec![spiral(v22, 2i64), h0(a, 0.25), graded(a, 1i64)];
    (((v22 + v13[((1i64 as usize) % v13.len())].a) + match v17 {
        E::One(v26) => v26,
        E::Two { x: v26, n: v27 } => v26,
        E::None => 0.5,
    }) + halved(&v25))
}
}

mod p77 {
use super::*;
pub const CASE: Case = Case { seed: 77, args: Args { x: [0.8781922476393613, -0.03395775977252671, 0.7960875349729328, 0.9463827104900845], u: [-0.15231701044034174, -0.6688510313951043, 0.9948983474790966], a: 0.9272356417635366, n: 0 }, along: Args { x: [-0.7641616003080702, -0.4466953134438956, -0.9069658653995512, 0.4524707049576778], u: [0.5948148337380421, 0.16776208234658535, 0.32229418155553624], a: 0.4655324583330654, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v10 = *i;
            let mut v11 = *j;
            let mut e = x[((2i64 as usize) % x.len())];
            let mut f = v11;
            *i = e;
            *j = f;
        }
    }
    let mut v14: Box<dyn Solid> = if ((n as i64) < (n as i64)) {
        Box::new(Brick { sides: (a, a), n: (1i64 * 1i64) })
    } else {
        Box::new(Point)
    };
    let mut v17 = L::Node((-a), Box::new(L::End));
    mix(u, x[((0i64 as usize) % x.len())]);
    let mut v21 = &x[0..3];
    let mut v22: f64 = 0.75;
    let mut v24 = (x[((3i64 as usize) % x.len())], x[(((n as i64) as usize) % x.len())]);
    let mut v26 = v24;
    let mut v27 = v26;
    ((((((u[((2i64 as usize) % u.len())] + a) + v14.twice(0.5)) + total(&v17)) + v22) + v26.1) + v27.1)
}
}

mod p78 {
use super::*;
pub const CASE: Case = Case { seed: 78, args: Args { x: [-0.7530535430064651, 0.250985575803739, 0.7891241648674037, 0.09203295647792734], u: [-0.3416086508826583, 0.40763039114454375, 0.09458644596154174], a: -0.32942636404139425, n: 1 }, along: Args { x: [0.2864066800941916, -0.21227881970294296, 0.1438997887817677, 0.7076732300103987], u: [0.14833979627820262, -0.34313769091010243, -0.4210985327636958], a: -0.4013087798245876, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] = a;
    }
    let mut v12: [f64; 3] = [x[((1i64 as usize) % x.len())], a.min(0.25), match ((2.5 * 1.0) as i64) {
        0 => a,
        1 | 2 => u[((1i64 as usize) % u.len())],
        v11 if (1i64 == 3i64) => a,
        _ => u[((1i64 as usize) % u.len())],
    }];
    {
        let mut i0 = ((2i64 as usize) % u.len());
        u[i0] = 1.5;
    }
    ((a + a) + halved(&v12))
}
}

mod p79 {
use super::*;
pub const CASE: Case = Case { seed: 79, args: Args { x: [0.6760739579480123, 0.5321111273265833, -0.06529573079927857, 0.46059860810995623], u: [0.07957826678054832, -0.6550246258243938, 0.8413004002659205], a: -0.21351081061831712, n: 2 }, along: Args { x: [0.994095353381504, 0.3376333731453731, 1.007047336930996, -0.6315953194638734], u: [0.6810898012383086, 0.8980864389145948, 0.3743072442838322], a: 0.14235564820490537, n: 3 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11: f64 = parity((v5, v5).1, ((2.5 * 1.75) as i64));
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = Rc::new(RefCell::new(match both(a, a) {
        Some(v10) => match (if (((a * v10) < u[((0i64 as usize) % u.len())]) && (2i64 < (n as i64))) {
            Ok(v10)
        } else {
            Err((2.0 as f64))
        }) {
            Ok(v11) => a,
            Err(v12) => u[((1i64 as usize) % u.len())],
        },
        None => 0.25,
    }));
    let mut v16 = L::Node(match (if (1i64 == (n as i64)) {
        E::One(x[((0i64 as usize) % x.len())])
    } else {
        E::Two { x: a, n: 2i64 }
    }) {
        E::One(v14) => v14,
        E::Two { x: v14, n: v15 } => v14,
        E::None => a,
    }, Box::new(L::Node(x[((3i64 as usize) % x.len())], Box::new(L::End))));
    let mut v18 = (parity(a, 0i64), a);
    let mut v19: [f64; 3] = [x[((2i64 as usize) % x.len())], Some(x[((3i64 as usize) % x.len())]).unwrap_or(a), a];
    let mut v21: [f64; 3] = [h1(2i64, a, 1.5), match Some(a) {
        Some(v20) => a,
        None => a,
    }, x[((1i64 as usize) % x.len())]];
    grow(&mut v16, 1.75);
    let mut v22 = |v23: f64| {
        a = 1.25;
        (a * v23)
    };
    let mut v24 = (apply(&mut v22, if (2i64 < (n as i64)) {
        0.75
    } else {
        x[((1i64 as usize) % x.len())]
    }) + v22(0.5));
    v24 += blocks(&v19);
    let mut v27 = S { a: (-a), b: v18, n: ((2.5 * a) as i64) };
    ((((u[(((n as i64) as usize) % u.len())] + a) + halved(&v19)) + halved(&v21)) + v24)
}
}

mod p80 {
use super::*;
pub const CASE: Case = Case { seed: 80, args: Args { x: [0.5923662779073605, -0.21381326862286124, 0.7309757643302864, -0.8536928741900635], u: [-0.11201536885276775, -0.4033435507420937, -0.22469809826311912], a: 0.42751891744876486, n: 2 }, along: Args { x: [-0.016746094456055172, 0.3044715827631854, 0.874333363815974, -0.6814411061664966], u: [-0.11695560262027739, 0.9423046256803753, -0.2635024028302632], a: -0.9537802627163697, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((3i64 as usize) % u.len());
        u[i0] += x[(((n as i64) as usize) % x.len())];
    }
    mix(u, matched(x, 0.5));
    let mut v13 = Rc::new(RefCell::new(x[((0i64 as usize) % x.len())]));
    let mut v16 = E::Two { x: (1.75 - u[((3i64 as usize) % u.len())]), n: (n as i64) };
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v18 = *i;
            let mut v19 = *j;
            let mut e = v18;
            let mut f = parity(a, 1i64);
            *i = e;
            *j = f;
        }
    }
    {
        let mut e = swapped(x[((3i64 as usize) % x.len())], 1.5).1;
        *v13.borrow_mut() *= e;
    }
    ((((0.5 * match Some((1.75 as f64)) {
        Some(v20) if ({
        let mut v21: f64 = 0.5;
        let mut v22: i64 = 0;
        loop {
            v21 = v20;
            v22 += 1;
            if ((v22 >= 3) || ((v20 < x[(((n as i64) as usize) % x.len())]) || (v21 < v21))) {
                break v21;
            }
        }
    } < a) => v20,
        _ => 0.75,
    }) + a) + {
        let mut r = *v13.borrow();
        r
    }) + match v16 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    })
}
}

mod p81 {
use super::*;
pub const CASE: Case = Case { seed: 81, args: Args { x: [0.8960120704328495, 0.42822532060984775, 0.49487092526089077, 0.8710294572982574], u: [0.9973761085254967, 1.0072903617157203, -0.26737390937660954], a: 0.37726967936003397, n: 0 }, along: Args { x: [-0.5499309519073083, 0.25537329442048273, -0.5916598083905887, 0.5445046923947818], u: [-0.4935809916848869, 0.5675376836994233, 0.12548330634869434], a: -0.6322391214686678, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v10: [f64; 3] = [(v4 - 1.25), v4, v4];
    'l11: for v11 in 0i64..3i64 {
        let mut v15 = (match root(v4) {
            Some(v13) => v13,
            None => v4,
        }, v4);
        let mut v18 = S { a: v4, b: ((0.5 * v4), match Some(v4) {
            Some(v17) if (2i64 < 1i64) => v4,
            _ => 0.5,
        }), n: v11 };
    }
    {
        let mut v19: f64 = v4;
        let mut v20: i64 = 0;
        loop {
            v19 = 1.25;
            v20 += 1;
            if ((v20 >= 3) || (v20 == 0i64)) {
                break v19;
            }
        }
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u[1..].iter_mut() {
        let mut v11 = *p11;
        *p11 = if (v11 < a) {
            v11
        } else {
            a
        };
    }
    let mut v12: Result<f64, f64> = chained(a.min(a), x[(((n as i64) as usize) % x.len())]);
    a = solids(a, (n as i64));
    let mut v14: i64 = (n as i64);
    let mut v15: Box<dyn Solid> = Box::new(Ball { r: h0(a) });
    mix(u, x[((v14 as usize) % x.len())]);
    let mut v19 = &x[2..3];
    let mut v20 = D { s: turned(S { a: 1.75, b: swapped(a, a), n: ((2.5 * a) as i64) }, if (v14 < v14) {
        E::One(a)
    } else {
        E::None
    }), o: both(0.5, a), v: vec![(a + 0.75), v15.twice(a)], e: E::One((1.25 as f64)) };
    ((((root(a).unwrap_or(0.25), ((1.25 as f64), a).0).0 + a) + v15.twice(0.5)) + weigh(&v20, 0.5))
}
}

mod p82 {
use super::*;
pub const CASE: Case = Case { seed: 82, args: Args { x: [0.26589310045893677, 0.02602511686990669, -0.3645021917068729, -0.47255791166902084], u: [0.2713536067276213, -0.3645028809651379, 0.9615538080715536], a: 0.46954183562258944, n: 2 }, along: Args { x: [0.1448544900613865, 0.8652846807691391, -0.08814289761895547, -0.06769124263618125], u: [0.19275464947155924, 0.5739015810367386, 0.4321368786591342], a: -0.24659106322478774, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = vec![S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: ((2.5 * a) as i64) }, S { a: a, b: ((0.75 as f64), a), n: 1i64 }];
    for p12 in u.iter_mut() {
        let mut v12 = *p12;
        *p12 = v12;
    }
    let mut v13 = |v14: f64| {
        a = v14;
        (a * v14)
    };
    let mut v15 = (v13((0.5 * 0.5)) + v13(x[((1i64 as usize) % x.len())]));
    {
        let mut i0 = ((3i64 as usize) % v11.len());
        v11[i0].turn((-x[((0i64 as usize) % x.len())]));
    }
    for p17 in u[1..].iter_mut() {
        let mut v17 = *p17;
        *p17 = {
            let mut f = |v18: f64| (x[(((n as i64) as usize) % x.len())] - v18);
            (f(v17) + f(match (if (a < v17) {
                E::One(v15)
            } else {
                E::Two { x: x[((1i64 as usize) % x.len())], n: 0i64 }
            }) {
                E::One(v22) => v22,
                E::Two { x: v22, n: v23 } => a,
                E::None => x[((2i64 as usize) % x.len())],
            }))
        };
    }
    a = v15;
    if ((n as i64) < 0i64) {
        if let Some(v25) = Some(a) {
            let mut v26 = move |v27: f64| x[((3i64 as usize) % x.len())];
            let mut v29: Result<f64, f64> = ratio(u[((1i64 as usize) % u.len())], 1.75);
        }
    } else {
    }
    (((2.0 + a) + v11[((1i64 as usize) % v11.len())].a) + v15)
}
}

mod p83 {
use super::*;
pub const CASE: Case = Case { seed: 83, args: Args { x: [-0.39001565106396646, -0.3832026111435309, 0.3998839064914294, -0.8687062665299569], u: [0.4378637720644814, 0.7266028902905292, -0.1825230050263977], a: -0.07599501649168756, n: 1 }, along: Args { x: [-0.8312702970139093, 0.8325087821390372, 0.5338889610672676, 0.9563075272837147], u: [-0.30150960226995877, -0.12168601921967187, -0.9343841466048881], a: 0.14102676179256554, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = v10;
    }
    let mut v12: f64 = x[((2i64 as usize) % x.len())];
    'l13: for &v13 in x {
        let mut v15: Box<dyn Fn(f64) -> f64> = if ((n as i64) == 1i64) {
            Box::new(move |v14: f64| v12)
        } else {
            Box::new(move |v14: f64| x[((2i64 as usize) % x.len())])
        };
        let mut v17: Option<f64> = Some((v12 - 1.5));
    }
    let mut v19: Box<dyn Fn(f64) -> f64> = if (!(v12 <= a)) {
        Box::new(move |v18: f64| a.max(x[(((n as i64) as usize) % x.len())]))
    } else {
        Box::new(move |v18: f64| (0.75 as f64))
    };
    let mut v20: Result<f64, f64> = if (stepped(a, 2i64) < v12) {
        Ok((1.5 + x[((0i64 as usize) % x.len())]))
    } else {
        Err(v19(v12))
    };
    let mut v26 = L::Node({
        let mut f = |v25: f64| x[((3i64 as usize) % x.len())];
        (f(v12) + f(x[((2i64 as usize) % x.len())]))
    }, Box::new(L::Node(x[((1i64 as usize) % x.len())], Box::new(L::Node((a * v12), Box::new(L::End))))));
    (((v19(a).sin() - v12) + a) + total(&v26))
}
}

mod p84 {
use super::*;
pub const CASE: Case = Case { seed: 84, args: Args { x: [-0.18180481930107067, -0.9160493800902698, 0.8130923236656152, -0.8504003101395431], u: [-0.9454224764235799, 0.9905608411080923, -0.5840509216568193], a: 0.4540961398726994, n: 0 }, along: Args { x: [-0.590928819671901, 0.3452007428228738, 0.9119346482681415, -0.10275618073324992], u: [0.7229514429799789, -0.9682967348635585, -0.7205494270900116], a: 0.7705470748624698, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        let mut v15: [f64; 3] = [(1.5 as f64), v4, v5.sin()];
        let mut v16 = turned(turned(turned(S { a: v4, b: (v5, (0.25 as f64)), n: (2i64 * 3i64) }, E::Two { x: v5, n: 1i64 }), if (!(v5 <= v5)) {
            E::One((0.5 as f64))
        } else {
            E::Two { x: v4, n: 1i64 }
        }), if (counted(0.75, 3i64) < v5) {
            E::One(v5)
        } else {
            E::Two { x: v4, n: 1i64 }
        });
    }
    let mut v23 = E::Two { x: combined(Some(v5), v4).unwrap_or(v5), n: 1i64 };
    v4
}

#[differentiable]
pub fn h1(mut v4: f64, mut v5: f64) -> f64 {
    let mut v12 = vec![match chained(v5, v5) {
        Ok(v10) => v10,
        Err(v11) => v4,
    }, Some((0.75 as f64)).unwrap_or(v5)];
    let mut v13: i64 = (0i64 + 0i64);
    let mut v14 = if (!(h0(v4, v4) <= v5)) {
        E::One((3i64 as f64))
    } else {
        E::None
    };
    orchard(v4, ((2.5 * v4) as i64))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = ((a - a), match Some(x[((1i64 as usize) % x.len())]) {
        Some(v11) => a,
        None => x[((1i64 as usize) % x.len())],
    });
    let mut v13: i64 = (2i64 * 1i64);
    {
        let mut i0 = ((v13 as usize) % u.len());
        u[i0] += a;
    }
    let mut v14 = move |v15: f64| a;
    let mut v16: Option<f64> = combined(Some(a), h1(a, a));
    ((match (E::Two { x: match (E::Two { x: a, n: ((n as i64) * 1i64) }) {
        E::One(v19) => a,
        E::Two { x: v19, n: v20 } => a,
        E::None => a,
    }, n: v13 }) {
        E::One(v17) => 2.0,
        E::Two { x: v17, n: v18 } => (x[((v18 as usize) % x.len())], v17).0,
        E::None => match (if (!(1.0 <= a)) {
            E::One(x[((v13 as usize) % x.len())])
        } else {
            E::Two { x: a, n: ((2.5 * a) as i64) }
        }) {
            E::One(v21) => 0.25,
            E::Two { x: v21, n: v22 } => (v21 * a),
            E::None => v14(a),
        },
    } + a) + v12.0)
}
}

mod p85 {
use super::*;
pub const CASE: Case = Case { seed: 85, args: Args { x: [0.20002478662915352, -0.34483209081816574, -0.1664969525897341, -0.5654707824284849], u: [0.8701971854941867, 0.7113905430034938, -0.8583952129966775], a: 0.8566362791771097, n: 1 }, along: Args { x: [0.8327816572035105, 0.30793424523896024, -0.4427525200125713, -0.8942755677173172], u: [0.38039079278782906, -0.031171220935326743, -0.054529033489952514], a: 0.7505020053981253, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = turned(S { a: stepped(a, 1i64), b: (a, a), n: 1i64 }, if (shared(a, a) < u[((0i64 as usize) % u.len())]) {
        E::One(a)
    } else {
        E::Two { x: 0.25, n: (3i64 + 2i64) }
    });
    v10 = S { a: a, b: (a, a), n: ((2.5 * 0.5) as i64) };
    let mut v14 = L::Node({
        let mut v12: f64 = u[((v10.n as usize) % u.len())];
        let mut v13: i64 = 0;
        loop {
            v12 = u[((v13 as usize) % u.len())];
            v13 += 1;
            if ((v13 >= 3) || (v10.n == 3i64)) {
                break v12;
            }
        }
    }, Box::new(L::Node(1.5, Box::new(L::End))));
    let mut v17: Result<f64, f64> = ratio((a + a), (0.5 * a));
    (if (2i64 == v10.n) {
        match (if (0i64 < 3i64) {
            Ok(u[((0i64 as usize) % u.len())])
        } else {
            Err(a)
        }) {
            Ok(v18) => a.tanh(),
            Err(v19) => v10.size(x[((0i64 as usize) % x.len())]),
        }
    } else {
        match Some(a) {
            Some(v20) if ((v10.n * v10.n) == 3i64) => match (&v14) {
                L::Node(v21, v22) => {
                    let mut v21 = *v21;
                    v20
                },
                L::End => a,
            },
            _ => a,
        }
    } + total(&v14))
}
}

mod p86 {
use super::*;
pub const CASE: Case = Case { seed: 86, args: Args { x: [-0.8488649154686622, 0.17847666094884337, 0.34384563711692334, -0.5366999206924531], u: [-0.23541684345129632, -0.2198766804833737, -0.17739847965953004], a: -0.8888906172856775, n: 1 }, along: Args { x: [0.27561545334900717, -0.16687081799521142, -0.9268295821164657, -0.793890913249653], u: [0.373090149280986, -0.1742079776535669, 0.5758563921852194], a: -0.15391312386055878, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = move |v11: f64| (match 3i64 {
        0 => v4,
        1 | 2 => v4,
        v12 if (v4.cos() < v4) => v11,
        _ => v4,
    }).min(v11);
    let mut v14: Box<dyn Solid> = if (match root(v4) {
        Some(v13) if (!(1.5 <= v4)) => v4,
        _ => 2.0,
    } < v4) {
        Box::new(Ball { r: v4 })
    } else {
        Box::new(Brick { sides: (v4, v4), n: (1i64 + 3i64) })
    };
    let mut v18 = L::Node((1.25 * v4), Box::new(L::Node({
        let mut f = |v17: f64| (-v4);
        (f(0.75) + f(v4))
    }, Box::new(L::End))));
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = a;
    let mut v11: f64 = v10;
    let mut v13: Option<f64> = both(a, u[((0i64 as usize) % u.len())]);
    let mut v18 = vec![S { a: v10, b: swapped(0.5, x[(((n as i64) as usize) % x.len())]), n: 1i64 }];
    v18.push(S { a: {
        let mut f = |v20: f64| duo(1.5, v11);
        (f(u[((1i64 as usize) % u.len())]) + f(a))
    }, b: swapped(v10, v10), n: (n as i64) });
    for v23 in v18.iter_mut() {
        v23.turn(match Some(u[(((n as i64) as usize) % u.len())]) {
            Some(v24) => a,
            None => 2.0,
        });
    }
    ((((h0(2i64, h0(2i64, v11)) + a) + v10) + v13.unwrap_or(0.25)) + v18[((1i64 as usize) % v18.len())].a)
}
}

mod p87 {
use super::*;
pub const CASE: Case = Case { seed: 87, args: Args { x: [0.23212835315045718, 0.38891771375008477, 0.2546398102048533, 0.555877042410228], u: [0.16295171386831386, -0.5225659099605899, 0.4975313329755234], a: 1.0001025770909762, n: 2 }, along: Args { x: [0.8078871475517676, 0.10003732527586298, -0.5855313935781514, 0.043737400508512075], u: [0.8837461578903548, -0.40409901635091483, -0.9652753183178473], a: 0.8927983048081984, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = E::One(a);
    let mut v14: Option<f64> = Some({
        let mut v12: f64 = a;
        let mut v13: i64 = 0;
        loop {
            v12 = v12;
            v13 += 1;
            if ((v13 >= 3) || (2.0 < a)) {
                break v12;
            }
        }
    });
    a = (a - a);
    a *= 1.75;
    (a + v14.unwrap_or(0.25))
}
}

mod p88 {
use super::*;
pub const CASE: Case = Case { seed: 88, args: Args { x: [0.17066384838696608, -0.3821323435110401, 0.5794153338992998, -0.14202365881190224], u: [-0.29816586455192323, -0.671302507393205, 0.11488427388991773], a: 0.6488715184053738, n: 3 }, along: Args { x: [-0.930344154928474, -0.8411868999939729, -0.7491974821545473, 0.38809924359732184], u: [0.08020682312545525, 0.3022701757161846, -0.337845379542266], a: 0.31780692352481266, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11: Box<dyn Solid> = if (1.75 < v5) {
        Box::new(Brick { sides: (v5, v5), n: (3i64 + 1i64) })
    } else {
        Box::new(Point)
    };
    if ((v4 + v5) < v4) {
        let mut v17 = D { s: turned(S { a: v5, b: ((1.25 as f64), v4), n: 3i64 }, E::One(v5)), o: if ((v5 < v5) && (v5 < v4)) {
            Some(v4)
        } else {
            None
        }, v: vec![v5, v5], e: if (v5 < v5) {
            E::One(v5)
        } else {
            E::Two { x: v4, n: ((2.5 * 1.5) as i64) }
        } };
        if let Some(v18) = if (1i64 < 3i64) {
            Some(v4)
        } else {
            None
        } {
            let mut v19 = S { a: Some((2.0 as f64)).unwrap_or(v18.min(v5)), b: swapped(0.75, v11.size(v18)), n: 2i64 };
            let mut v20 = |v21: f64| {
                v5 = v4;
                (v5 * v21)
            };
            let mut v22 = (apply(&mut v20, v4.cos()) + v20(v18.max(v4)));
        }
    } else {
        let mut v30: f64 = match ratio(2.0, v5) {
            Ok(v24) => v24,
            Err(v25) => match (2i64 + 1i64) {
                0 => v25,
                1 | 2 => v25,
                v26 if (!(match combined(Some((1.0 as f64)), v25) {
                Some(v27) if ((v5 < v5) && (v26 < v26)) => v25,
                _ => v25,
            } <= v4)) => v5,
                _ => v5,
            },
        };
    }
    (v5, v5).1
}

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    if let Some(v10) = Some(v4) {
        let mut v12: [f64; 3] = [v10, (0.25 as f64), v10];
        let mut v14: Box<dyn Solid> = if ((v4 + v10) < 1.0) {
            Box::new(Brick { sides: (v4, v4), n: 1i64 })
        } else {
            Box::new(Point)
        };
    }
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Option<f64> = Some((x[((1i64 as usize) % x.len())] + 1.0));
    if (1i64 < (n as i64)) {
        let mut v12 = |v13: f64| {
            a = (0.5 * ((n as i64) as f64));
            (a * v13)
        };
        let mut v14 = (v12(0.5) + v12(h1(0.5)));
        let mut v15: Option<f64> = Some(counted(u[((1i64 as usize) % u.len())], 1i64));
    } else {
        {
            let mut m = ((1i64 as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v16 = *i;
                let mut v17 = *j;
                let mut e = v16;
                let mut f = graded(1.75, 1i64);
                *i = e;
                *j = f;
            }
        }
    }
    for p20 in u[1..].iter_mut() {
        let mut v20 = *p20;
        *p20 = a;
    }
    for p21 in u[1..].iter_mut() {
        let mut v21 = *p21;
        *p21 = x[((1i64 as usize) % x.len())];
    }
    let mut v22: Option<f64> = if (combined(Some(a), a).unwrap_or(a) < 1.5) {
        Some(h0(2i64, u[((0i64 as usize) % u.len())], u[((1i64 as usize) % u.len())]))
    } else {
        None
    };
    let mut v23: Box<dyn Solid> = Box::new(Ball { r: (-a) });
    let mut v24 = Rc::new(RefCell::new(x[((2i64 as usize) % x.len())]));
    ((((a + v10.unwrap_or(0.25)) + v22.unwrap_or(0.25)) + v23.twice(0.5)) + {
        let mut r = *v24.borrow();
        r
    })
}
}

mod p89 {
use super::*;
pub const CASE: Case = Case { seed: 89, args: Args { x: [0.24456396269333905, 0.39253535727723055, 0.49781921317724304, 0.49296749680581786], u: [0.2138852437021447, 0.046069382366389085, 0.9114330035692558], a: 0.9317963358305501, n: 2 }, along: Args { x: [-0.9481959576659735, 0.7098760753334664, -0.27178777282060984, 0.8296637880166388], u: [-0.5457282996631925, 0.5870113966753875, -0.07775799815715348], a: -0.498058928792038, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v10: [f64; 3] = [v4, (1.5 as f64), v4];
    1.5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = a;
    let mut v12 = E::One(h0(a));
    let mut v16: Option<f64> = Some(u[(((n as i64) as usize) % u.len())]).and_then(|v14| if ({
        let mut f = |v15: f64| v14;
        (f(v11) + f(a))
    } < a) {
        Some(a)
    } else {
        None
    }).and_then(|v13| Some(v11));
    let mut v17: Option<f64> = both((1.5 * v11), 0.5);
    for p18 in u.iter_mut() {
        let mut v18 = *p18;
        *p18 = a;
    }
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v19 = *i;
            let mut v20 = *j;
            let mut e = stepped(1.25, (n as i64));
            let mut f = v20;
            *i = e;
            *j = f;
        }
    }
    (((x[((0i64 as usize) % x.len())] + a) + v11) + v17.unwrap_or(0.25))
}
}

mod p90 {
use super::*;
pub const CASE: Case = Case { seed: 90, args: Args { x: [0.12839338592284283, 0.1444805558464078, 0.5703103131264573, -0.9929861521920558], u: [0.1306235992073456, -0.6045065721882416, 0.3796160933337375], a: -0.8021046640845546, n: 0 }, along: Args { x: [0.22361130059468745, 0.1597613311363713, -0.3785422723041356, 0.7261768933033811], u: [-0.011164753306685055, -0.7014983293728183, 0.03549226718816065], a: -0.842249502769787, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    let mut v10: i64 = 2i64;
    let mut v11: f64 = v5;
    let mut v15: Result<f64, f64> = if ((1.0 < v4) && (1i64 < v10)) {
        Ok(v4)
    } else {
        Err({
            let mut v13: f64 = v11;
            let mut v14: i64 = 0;
            loop {
                v13 = v13;
                v14 += 1;
                if ((v14 >= 3) || (1i64 < 0i64)) {
                    break v13;
                }
            }
        })
    };
    Some(v4).and_then(|v16| combined(combined(both(2.0, v16), v11), v16))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (3i64 < (n as i64)) {
        return (a + x[((1i64 as usize) % x.len())]);
    }
    let mut v14: f64 = {
        let mut v10: f64 = match (E::Two { x: a, n: (2i64 * 1i64) }) {
            E::One(v12) => u[((1i64 as usize) % u.len())],
            E::Two { x: v12, n: v13 } => a,
            E::None => a,
        };
        let mut v11: i64 = 0;
        loop {
            v10 = a;
            v11 += 1;
            if ((v11 >= 3) || (x[((2i64 as usize) % x.len())] < 1.75)) {
                break v10;
            }
        }
    };
    let mut v16 = if (a < 0.25) {
        E::One(v14)
    } else {
        E::Two { x: match h0(2i64, x[((1i64 as usize) % x.len())], x[((1i64 as usize) % x.len())]) {
            Some(v15) if (3i64 < 1i64) => v15,
            _ => a,
        }, n: (n as i64) }
    };
    let mut v17 = v16;
    let mut v19 = S { a: v14, b: (if (1i64 < 3i64) {
        u[((1i64 as usize) % u.len())]
    } else {
        a
    }, a), n: ((2.5 * v14) as i64) };
    let mut v20 = |v21: f64| {
        a = 0.5;
        (a * v21)
    };
    let mut v22 = (v20(matched(x, x[((0i64 as usize) % x.len())])) + v20(1.25));
    for p24 in u.iter_mut() {
        let mut v24 = *p24;
        *p24 = match Some(x[((v19.n as usize) % x.len())]).and_then(|v26| root(a)) {
            Some(v25) => x[((v19.n as usize) % x.len())],
            None => if (!(x[((0i64 as usize) % x.len())] <= v22)) {
                1.75
            } else {
                x[((2i64 as usize) % x.len())]
            },
        };
    }
    for p27 in u.iter_mut() {
        let mut v27 = *p27;
        *p27 = (-v22);
    }
    ((((match both(a.tanh(), 2.0) {
        Some(v28) => spiral(v14, 2i64),
        None => 0.75,
    } + a) + match v16 {
        E::One(v31) => v31,
        E::Two { x: v31, n: v32 } => v31,
        E::None => 0.5,
    }) + match v17 {
        E::One(v33) => v33,
        E::Two { x: v33, n: v34 } => v33,
        E::None => 0.5,
    }) + v19.size(0.75))
}
}

mod p91 {
use super::*;
pub const CASE: Case = Case { seed: 91, args: Args { x: [-0.6484492653334378, 0.6476783319152185, 0.9742338339721308, 0.9724211995669525], u: [0.5730485135656352, 1.0070560320837376, 0.05959475218024727], a: 0.484540392792256, n: 2 }, along: Args { x: [-0.25750791526381445, -0.02952316363138794, -0.14922189313578937, -0.6282691921632648], u: [0.9709811404652241, -0.34048992883287577, 0.42052643331577155], a: 0.8426356674315963, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = Rc::new(RefCell::new(a));
    let mut v13 = D { s: S { a: 0.25, b: (a, x[((1i64 as usize) % x.len())]), n: (1i64 * 1099511627776i64) }, o: Some((1.5 as f64)).and_then(|v12| Some(v12)), v: vec![a, a], e: E::Two { x: u[((1i64 as usize) % u.len())], n: 3i64 } };
    let mut v16: [f64; 3] = [(1.0 as f64), (1.5 as f64), {
        let mut v14: f64 = 1.75;
        let mut v15: i64 = 0;
        loop {
            v14 = v14;
            v15 += 1;
            if ((v15 >= 3) || ((n as i64) == (n as i64))) {
                break v14;
            }
        }
    }];
    let mut v20 = Rc::new(RefCell::new(match both(1.75, a) {
        Some(v17) => match chained(a, a) {
            Ok(v18) => 2.0,
            Err(v19) => v17,
        },
        None => a,
    }));
    let mut v21: Box<dyn Solid> = Box::new(Point);
    {
        let mut i0 = (((0i64 % 0i64) as usize) % v16.len());
        v16[i0] = a;
    }
    std::mem::swap(&mut v20, &mut v11);
    (((((a + a) + {
        let mut r = *v11.borrow();
        r
    }) + weigh(&v13, 0.5)) + {
        let mut r = *v20.borrow();
        r
    }) + v21.twice(0.5))
}
}

mod p92 {
use super::*;
pub const CASE: Case = Case { seed: 92, args: Args { x: [0.14733581865817216, 0.7569379195359845, 0.8999882776429173, -0.4949186174648832], u: [0.5483442307525459, -0.8153986005780443, 0.20444786129522083], a: -0.8268368941868987, n: 1 }, along: Args { x: [0.8485034432735655, 0.1418760556519367, -0.2091353067688311, -0.9907943256881085], u: [0.9906978992863017, -0.10200779849356803, 0.9004302414726757], a: 0.4365410644549998, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = if (a < a) {
        Box::new(Brick { sides: (a, x[((0i64 as usize) % x.len())]), n: 1i64 })
    } else {
        Box::new(Point)
    };
    if (1i64 < 0i64) {
        let mut v12: f64 = x[((2i64 as usize) % x.len())];
        bump(&mut v12, 1.25);
    } else {
        let mut v17: Box<dyn Solid> = if ({
            let mut f = |v14: f64| match ratio(2.0, v14) {
                Ok(v15) => v14,
                Err(v16) => v16,
            };
            (f(a) + f(a))
        } < a) {
            Box::new(Brick { sides: (x[((1i64 as usize) % x.len())], a), n: ((2.5 * a) as i64) })
        } else {
            Box::new(Point)
        };
    }
    let mut v19 = vec![turned(S { a: a, b: ((1.0 as f64), a), n: ((2.5 * x[((0i64 as usize) % x.len())]) as i64) }, E::Two { x: a, n: (3i64 + 0i64) }), turned(S { a: a, b: (a, a), n: ((2.5 * a) as i64) }, E::Two { x: 0.25, n: (n as i64) }), S { a: a, b: (a, a), n: 1i64 }];
    let mut v20 = (a, x[((2i64 as usize) % x.len())]);
    v20.1 += {
        let mut f = |v21: f64| v21;
        (f(x[((0i64 as usize) % x.len())]) + f((0i64 as f64)))
    };
    {
        let mut i0 = (((3i64 + 0i64) as usize) % v19.len());
        v19[i0] = S { a: a, b: v20, n: (2i64 + 0i64) };
    }
    for v24 in v19.iter_mut() {
        v24.turn(a);
    }
    (((a + a) + v19[((1i64 as usize) % v19.len())].a) + v20.1)
}
}

mod p93 {
use super::*;
pub const CASE: Case = Case { seed: 93, args: Args { x: [-0.0006821822455276745, 0.8694705454503452, -0.11200009253854307, 0.680416979294766], u: [-0.5553037313713117, -0.29796015971357265, -0.8347384174549163], a: 0.26153494263025723, n: 0 }, along: Args { x: [0.7295946467173472, 0.8907362374127693, 0.36711566044145527, -0.3767260585358275], u: [-0.5490748482594657, 0.13577902266013966, -0.6652398837304361], a: -0.014928871012720802, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v14 = S { a: v4, b: swapped({
        let mut v10: f64 = v4;
        let mut v11: i64 = 0;
        loop {
            v10 = 2.0;
            v11 += 1;
            if ((v11 >= 3) || ({
                let mut v12: f64 = v4;
                let mut v13: i64 = 0;
                loop {
                    v12 = v10;
                    v13 += 1;
                    if ((v13 >= 3) || ((1i64 < v11) || (v4 < v4))) {
                        break v12;
                    }
                }
            } < v4)) {
                break v10;
            }
        }
    }, if (2i64 < 1i64) {
        v4
    } else {
        v4
    }), n: ((2.5 * v4) as i64) };
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        let mut v11 = D { s: S { a: a, b: (a, a), n: ((2.5 * x[(((n as i64) as usize) % x.len())]) as i64) }, o: Some(a), v: vec![a, a], e: E::One(a) };
        let mut v15 = Rc::new(RefCell::new((0.25 as f64)));
    }
    let mut v16 = vec![S { a: 0.25, b: (a, x[((0i64 as usize) % x.len())]), n: 1i64 }, S { a: a, b: (x[((1i64 as usize) % x.len())], u[((3i64 as usize) % u.len())]), n: (n as i64) }];
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v17 = *i;
            let mut v18 = *j;
            let mut e = v18.sin();
            let mut f = (0.5 * 1.5);
            *i = e;
            *j = f;
        }
    }
    for v19 in v16.iter_mut() {
        v19.turn((a - a));
    }
    let mut v21 = D { s: S { a: a, b: (a, a), n: 3i64 }, o: if (match 1i64 {
        0 => a,
        1 | 2 => a,
        v20 if (v20 < 1i64) => a,
        _ => a,
    } < a) {
        Some(a)
    } else {
        None
    }, v: vec![(if ((a < a) || (a < a)) {
        Some(a)
    } else {
        None
    }).unwrap_or(1.25), v16[(((n as i64) as usize) % v16.len())].b.1], e: if (1.25 < 1.25) {
        E::One(a)
    } else {
        E::None
    } };
    let mut v24 = D { s: S { a: 0.25, b: (a, a), n: (2i64 * 1i64) }, o: Some(u[((1i64 as usize) % u.len())]).and_then(|v23| Some(x[((0i64 as usize) % x.len())])), v: vec![v16[((0i64 as usize) % v16.len())].size(a), h0(a)], e: if (v21.v[(((n as i64) as usize) % v21.v.len())] < 0.5) {
        E::One(a)
    } else {
        E::None
    } };
    stretch(&mut v21, (3i64 as f64));
    ((((a + a) + v16[((1i64 as usize) % v16.len())].a) + weigh(&v21, 0.5)) + weigh(&v24, 0.5))
}
}

mod p94 {
use super::*;
pub const CASE: Case = Case { seed: 94, args: Args { x: [0.23057224145374725, 0.2470833267555063, 0.6545437516571294, -0.19596493981029692], u: [-0.8097410826439791, 0.44267254854133925, 0.5337926644160007], a: 0.7348050405380752, n: 1 }, along: Args { x: [-0.08562356234805286, 0.8870661169395032, 0.6578537986227492, 0.6646806853848737], u: [0.5599626954772026, 0.6377411598194171, -0.4607978656700044], a: 0.7570838391183791, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (!(1.0 <= a)) {
        let mut v14: Result<f64, f64> = ratio(if (!((x[((0i64 as usize) % x.len())] * u[((0i64 as usize) % u.len())]) <= a)) {
            x[((3i64 as usize) % x.len())]
        } else {
            x[((1i64 as usize) % x.len())]
        }, a);
        let mut v19: [f64; 3] = [Some(a).unwrap_or(a), x.iter().map(|&v17| v17).sum::<f64>(), match Some(a) {
            Some(v18) => x[((0i64 as usize) % x.len())],
            None => u[((1i64 as usize) % u.len())],
        }];
    } else {
        let mut v22 = L::Node(a, Box::new(L::Node(a, Box::new(L::Node(1.5, Box::new(L::End))))));
    }
    let mut v24: [f64; 3] = [match Some(a) {
        Some(v23) => v23,
        None => x[((0i64 as usize) % x.len())],
    }, a, (1.5 * x[(((n as i64) as usize) % x.len())])];
    for p26 in u[1..].iter_mut() {
        let mut v26 = *p26;
        *p26 = {
            let mut v27: f64 = 1.0;
            let mut v28: i64 = 0;
            loop {
                v27 = v27;
                v28 += 1;
                if ((v28 >= 3) || (a < v26)) {
                    break v27;
                }
            }
        };
    }
    ((a + a) + halved(&v24))
}
}

mod p95 {
use super::*;
pub const CASE: Case = Case { seed: 95, args: Args { x: [0.1118754253399314, 0.822980998344842, -0.5388170950526135, 0.38425306149117755], u: [-0.34703927507329857, 0.742435137774017, -0.0981733637784495], a: -0.09097855771864936, n: 0 }, along: Args { x: [-0.7518288853204387, -0.5485988965003311, -0.013364013643125098, -0.6915067205318061], u: [-0.4884039879160502, -0.4336909215729336, -0.7465008803882424], a: -0.6939084260830598, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![turned(S { a: x[((2i64 as usize) % x.len())], b: (a, (0.75 as f64)), n: (n as i64) }, E::One(a)), S { a: 0.75, b: ((2.0 as f64), (1.0 as f64)), n: ((n as i64) * 2i64) }, S { a: 2.0, b: swapped(a, a), n: ((2.5 * 1.5) as i64) }];
    for p13 in u.iter_mut() {
        let mut v13 = *p13;
        *p13 = a;
    }
    let mut v14 = vec![S { a: a, b: (x[((3i64 as usize) % x.len())], x[(((n as i64) as usize) % x.len())]), n: 2i64 }];
    for v15 in v10.iter_mut() {
        v15.turn(a);
    }
    (a + v10[((1i64 as usize) % v10.len())].a)
}
}

mod p96 {
use super::*;
pub const CASE: Case = Case { seed: 96, args: Args { x: [0.6414043910668042, -0.8521765599151115, 0.1078608245416369, -0.005584376728001023], u: [-0.5233647010675754, -0.41499602001922203, 0.21372012703680965], a: -0.45624686645448664, n: 0 }, along: Args { x: [-0.44591996158691477, 0.043390965492608166, -0.9313536775704621, -0.2420806133546771], u: [0.7435143119626851, -0.6569292684022913, -0.9021042085067248], a: -0.008704426418636956, n: 3 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v15 = vec![v4, {
        let mut v13: f64 = v4;
        let mut v14: i64 = 0;
        loop {
            v13 = 0.75;
            v14 += 1;
            if ((v14 >= 3) || ((v14 + 3i64) == v14)) {
                break v13;
            }
        }
    }];
    {
        let mut m = ((1i64 as usize) % (v15.len() + 1));
        let (p, q) = v15.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v16 = *i;
            let mut v17 = *j;
            let mut e = duo(v17, v16);
            let mut f = v4;
            *i = e;
            *j = f;
        }
    }
    let mut v26 = E::One(v4);
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = 0;
    'l10: while ((v10 < 4) && (a.max(a) < a)) {
        v10 += 1;
        let mut v13 = vec![match ratio(a, 0.75) {
            Ok(v11) => v11,
            Err(v12) => u[((1i64 as usize) % u.len())],
        }];
        v13.insert(((((2.5 * a) as i64) as usize) % (v13.len() + 1)), 0.25);
    }
    let mut v16 = D { s: S { a: a, b: (a, a), n: ((2.5 * a) as i64) }, o: Some(a), v: vec![match (if (x[((1i64 as usize) % x.len())] < a) {
        Ok(x[((2i64 as usize) % x.len())])
    } else {
        Err(u[((3i64 as usize) % u.len())])
    }) {
        Ok(v14) => a,
        Err(v15) => v15,
    }, halved(x), a.min(a)], e: E::One((0.25 as f64)) };
    for p18 in u.iter_mut() {
        let mut v18 = *p18;
        *p18 = v18;
    }
    (((1.25 + if (2.0 < x[(((n as i64) as usize) % x.len())]) {
        h1(2i64, a)
    } else {
        h1(2i64, x[(((n as i64) as usize) % x.len())])
    }) + a) + weigh(&v16, 0.5))
}
}

mod p97 {
use super::*;
pub const CASE: Case = Case { seed: 97, args: Args { x: [0.93593616016573, -0.2857884237116583, 0.5850899038541703, 0.6025434741458379], u: [-0.9104057921491561, 1.013444441624528, -0.7320146930343426], a: -0.011917132846137109, n: 3 }, along: Args { x: [-0.9316547539716347, 0.43753111061879996, 0.2738883499239455, 0.6295065435342689], u: [-0.3931887556700178, 0.302774664666379, 0.9586159951280824], a: 0.6865160260567845, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = a;
    let mut v17 = S { a: v10, b: (match 0i64 {
        0 => v10,
        1 | 2 => a,
        v14 if (spiral(2.0, 1i64) < a) => x[((v14 as usize) % x.len())],
        _ => v10,
    }, {
        let mut v15: f64 = 1.5;
        let mut v16: i64 = 0;
        loop {
            v15 = u[((0i64 as usize) % u.len())];
            v16 += 1;
            if ((v16 >= 3) || (1i64 < 3i64)) {
                break v15;
            }
        }
    }), n: 0i64 };
    let mut e18 = (1.25 as f64);
    let mut p18 = if (v17.n == (n as i64)) {
        let mut i0 = ((((2.5 * v10) as i64) as usize) % u.len());
        &mut u[i0]
    } else {
        &mut a
    };
    *p18 += e18;
    let mut v22 = D { s: v17, o: combined(Some(v10), v10).filter(|&v19| (!({
        let mut v20: f64 = v10;
        let mut v21: i64 = 0;
        loop {
            v20 = x[((v21 as usize) % x.len())];
            v21 += 1;
            if ((v21 >= 3) || (((2.5 * v19) as i64) == 0i64)) {
                break v20;
            }
        }
    } <= v19))), v: vec![a, v17.a], e: if (1i64 < (n as i64)) {
        E::One(x[((2i64 as usize) % x.len())])
    } else {
        E::Two { x: 2.0, n: 1i64 }
    } };
    'l23: for v23 in 0i64..(n as i64) {
        v10 -= (u[((3i64 as usize) % u.len())] * solids(0.75, v23));
        stretch(&mut v22, match chained(0.5, 0.5) {
            Ok(v24) => v24,
            Err(v25) => x[(((n as i64) as usize) % x.len())],
        });
    }
    (((v10 + a) + v17.size(0.75)) + weigh(&v22, 0.5))
}
}

mod p98 {
use super::*;
pub const CASE: Case = Case { seed: 98, args: Args { x: [0.13009146150050233, -0.6413015994061882, -0.8554417780995415, -0.8002257175268721], u: [-0.09630265049186917, -0.588144321848711, -0.3362314046663998], a: -0.7955557547477864, n: 2 }, along: Args { x: [0.056999569273191664, 0.9330673409334482, -0.34054048725361324, 0.9856210125485789], u: [0.9110374056397617, -0.450337410301674, -0.30793421103012114], a: -0.5760129379992532, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = E::One(a.sin());
    let mut v13: Box<dyn Fn(f64) -> f64> = if (1i64 < 0i64) {
        Box::new(move |v12: f64| (a * a))
    } else {
        Box::new(move |v12: f64| a)
    };
    let mut v14: f64 = v13(a);
    {
        let mut i0 = (((9223372036854775807i64 * 0i64) as usize) % u.len());
        u[i0] = parity(x[((1i64 as usize) % x.len())], (n as i64));
    }
    let mut v15: Result<f64, f64> = ratio(parity(x[((1i64 as usize) % x.len())], (n as i64)), x[((2i64 as usize) % x.len())]);
    let mut v17 = v11;
    let Some(v20) = both(a, a) else {
        return {
            let mut v18: f64 = v14;
            let mut v19: i64 = 0;
            loop {
                v18 = a;
                v19 += 1;
                if ((v19 >= 3) || (x[((2i64 as usize) % x.len())] < 0.25)) {
                    break v18;
                }
            }
        };
    };
    mix(u, spiral(1.75, (n as i64)));
    (((({
        let mut v21: f64 = match Some(v14) {
            Some(v23) if ((u[((0i64 as usize) % u.len())], a).0 < x[((3i64 as usize) % x.len())]) => v20,
            _ => x[((2i64 as usize) % x.len())],
        };
        let mut v22: i64 = 0;
        loop {
            v21 = a;
            v22 += 1;
            if ((v22 >= 3) || (!(u[((3i64 as usize) % u.len())] <= v21))) {
                break v21;
            }
        }
    }).max(u[((0i64 as usize) % u.len())]) + v14) + match v17 {
        E::One(v26) => v26,
        E::Two { x: v26, n: v27 } => v26,
        E::None => 0.5,
    }) + v20)
}
}

mod p99 {
use super::*;
pub const CASE: Case = Case { seed: 99, args: Args { x: [-0.3998583217785612, 0.31419838992556154, -0.6976419690221201, -0.6867689562162804], u: [0.5992357195236462, -0.5332944740644028, 0.7361744848051651], a: -0.10494295069737493, n: 0 }, along: Args { x: [-0.5638567834027911, -0.4261697421327795, 0.9189709142598711, 0.03970586758354914], u: [0.6740551602649816, 0.8662988447306914, 0.2259883490108339], a: 0.586074779637121, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = a;
    let mut v16: [f64; 3] = [match (if (((v11 - 1.25) < v11) && (3i64 < 3i64)) {
        Ok((1.75 as f64))
    } else {
        Err(u[((3i64 as usize) % u.len())])
    }) {
        Ok(v12) => v11,
        Err(v13) => v13,
    }, v11, a];
    let mut v17 = 0;
    'l17: while ((v17 < 4) && (!(v11 <= v11))) {
        v17 += 1;
        if (!(2.0 <= a)) {
            continue 'l17;
        }
        let mut v20 = D { s: turned(turned(S { a: v11, b: (a, (2.0 as f64)), n: (1i64 * (n as i64)) }, if (v11 < a) {
            E::One(v11)
        } else {
            E::None
        }), if (!(u[(((n as i64) as usize) % u.len())].sin() <= v11)) {
            E::One((0.75 as f64))
        } else {
            E::Two { x: a, n: 1i64 }
        }), o: Some(v11), v: vec![(-v11)], e: E::One(a) };
    }
    if ((1.0 < v11) || (!(match ((-1i64) / 3i64) {
        0 => x[((0i64 as usize) % x.len())],
        1 | 2 => x[((1i64 as usize) % x.len())],
        v22 if (!(u[((1i64 as usize) % u.len())] <= x[(((n as i64) as usize) % x.len())])) => v11,
        _ => a,
    } <= 0.25))) {
        let mut v24: Option<f64> = both(v11, u[((1i64 as usize) % u.len())]);
        mix(&mut v16, 1.0);
    } else {
        let mut v27 = turned(S { a: match (if (3i64 < 2i64) {
            E::One(a)
        } else {
            E::None
        }) {
            E::One(v25) => v11,
            E::Two { x: v25, n: v26 } => u[((1i64 as usize) % u.len())],
            E::None => a,
        }, b: ((1.75 as f64), u[((1i64 as usize) % u.len())]), n: 2i64 }, E::Two { x: 2.0, n: ((2.5 * u[((1i64 as usize) % u.len())]) as i64) });
    }
    let mut v28 = 0;
    'l28: while ((v28 < 4) && (v11.sin() < a)) {
        v28 += 1;
    }
    (v11 + v11)
}
}

mod p100 {
use super::*;
pub const CASE: Case = Case { seed: 100, args: Args { x: [0.2945268227995449, -0.15721488666383596, 0.9542865387603038, 0.15537064740775203], u: [0.5267943896992662, 0.47524507452522147, -0.49781588182773945], a: 0.4524927395704934, n: 1 }, along: Args { x: [-0.6342774508969081, -0.5332369036399692, 0.727155548198913, -0.38568941286750186], u: [0.3040613755018731, 0.7397999339319371, -0.9083807383178556], a: -0.382216224639203, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = v10;
    }
    let mut v11 = 0;
    'l11: while ((v11 < 4) && (1i64 < 2i64)) {
        v11 += 1;
        if (a < 2.0) {
            break;
        }
        let mut v12 = |v13: f64| {
            a = x.windows(2).map(|c| {
                let mut v15 = c[0];
                let mut v16 = c[(c.len() - 1)];
                matched(x, v16)
            }).sum::<f64>().sin();
            (a * v13)
        };
        let mut v14 = (v12(0.5) + v12(if (0i64 == 3i64) {
            x[((0i64 as usize) % x.len())]
        } else {
            0.5
        }));
    }
    let mut v19: Option<f64> = combined(Some(a), a);
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] = if ((1099511627776i64 / (n as i64)) == 0i64) {
            a
        } else {
            0.25
        };
    }
    let mut v20 = vec![(1.25 as f64)];
    v20.push(v20.chunks(2).map(|c| {
        let mut v21 = c[0];
        let mut v22 = c[(c.len() - 1)];
        v22
    }).sum::<f64>());
    let mut v23: f64 = a;
    let mut v26 = S { a: v23.min(a), b: ((0.5 as f64), match (if ((1099511627776i64 - (n as i64)) == (n as i64)) {
        E::One(v23)
    } else {
        E::None
    }) {
        E::One(v24) => v24,
        E::Two { x: v24, n: v25 } => v23,
        E::None => v23,
    }), n: ((2.5 * v23) as i64) };
    ((((a + v19.unwrap_or(0.25)) + halved(&v20)) + v23) + v26.size(0.75))
}
}

mod p101 {
use super::*;
pub const CASE: Case = Case { seed: 101, args: Args { x: [0.35033136510800766, -0.43149946232818914, -0.3592240774659869, 0.11577457624613892], u: [-0.05157972851023475, -0.3103204081391538, -0.103040205086361], a: -0.3034773153626694, n: 1 }, along: Args { x: [0.7691861531439312, 0.9356107548789897, 0.5087613660192003, 0.5442986443916237], u: [-0.506222254310086, -0.25496688193793043, -0.15453193967451215], a: 0.4125833010735685, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: Option<f64> = root(a).filter(|&v12| (((n as i64) == (n as i64)) && (3i64 < 3i64)));
    if let Some(v14) = Some(a) {
        let mut v15: [f64; 3] = [a, matched(x, a), v14];
        let mut v16: i64 = 2i64;
    }
    let mut v18 = vec![S { a: a, b: ((1.0 as f64), a), n: 1i64 }, S { a: a, b: swapped(a, a), n: 1i64 }, S { a: a, b: (a, (0.5 as f64)), n: 1i64 }];
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v19 = *i;
            let mut v20 = *j;
            let mut e = 0.75;
            let mut f = 1.75;
            *i = e;
            *j = f;
        }
    }
    ((if ((2i64 < 0i64) || (3i64 < 3i64)) {
        a
    } else {
        if (a < a) {
            1.5
        } else {
            {
                let mut v21: f64 = a;
                let mut v22: i64 = 0;
                loop {
                    v21 = v21;
                    v22 += 1;
                    if ((v22 >= 3) || (({
                        let mut v23: f64 = a;
                        let mut v24: i64 = 0;
                        loop {
                            v23 = x[(((n as i64) as usize) % x.len())];
                            v24 += 1;
                            if ((v24 >= 3) || (x[((v24 as usize) % x.len())] < v21)) {
                                break v23;
                            }
                        }
                    } < a) && (x[((3i64 as usize) % x.len())] < x[(((n as i64) as usize) % x.len())]))) {
                        break v21;
                    }
                }
            }
        }
    } + a) + v13.unwrap_or(0.25))
}
}

mod p102 {
use super::*;
pub const CASE: Case = Case { seed: 102, args: Args { x: [0.9172509182705499, 0.029638323586629607, 0.931573336134065, 0.9944705164058837], u: [-0.6654039055943639, -0.7113722598066582, -0.7251394672813065], a: -0.9269132137677425, n: 0 }, along: Args { x: [-0.2531652687342211, 0.9913107272696955, -0.2911392091471206, -0.7516061931146198], u: [-0.601115832970586, 0.48469869216328737, -0.34461005734621086], a: -0.7490514968266564, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = 0;
    'l10: while ((v10 < 4) && (0i64 < 1i64)) {
        v10 += 1;
        let mut v11 = move |v12: f64| a;
        let mut v18 = D { s: S { a: a, b: ((0.25 as f64), (1.5 as f64)), n: 1i64 }, o: combined(if ((a < x[((0i64 as usize) % x.len())]) || ((x[((3i64 as usize) % x.len())] - a) < x[((1i64 as usize) % x.len())])) {
            Some(a)
        } else {
            None
        }, a), v: vec![a, a, a], e: E::One(a) };
    }
    let mut v23 = (match E::One(a) {
        E::One(v21) => a,
        E::Two { x: v21, n: v22 } => 2.0,
        E::None => a,
    }, shared(x[((1i64 as usize) % x.len())], 1.75));
    let mut v24: Option<f64> = root(a);
    let mut v26 = S { a: ((-a) * a), b: v23, n: ((2.5 * u[((2i64 as usize) % u.len())]) as i64) };
    let mut v29: [f64; 3] = [asserted(1.75, 2i64), a, a];
    v26.b.0 += v24.unwrap();
    let mut v31 = vec![{
        let mut f = |v30: f64| v30;
        (f(1.0) + f(a))
    }];
    {
        let mut i0 = ((3i64 as usize) % v29.len());
        v29[i0] -= halved(&v31);
    }
    ((((x[(v26.n as usize)] + v23.0) + v24.unwrap_or(0.25)) + v26.size(0.75)) + halved(&v31))
}
}

mod p103 {
use super::*;
pub const CASE: Case = Case { seed: 103, args: Args { x: [0.8330661507853486, -0.3037475355851801, 0.701305242688316, 0.6654253650389074], u: [-0.8380148790235212, 0.9447289715786455, 0.5476606663544765], a: -0.32739623592117306, n: 0 }, along: Args { x: [0.5795840528794564, 0.6891230950775434, -0.5744778453493672, 0.9574539029646583], u: [-0.11741990087261348, -0.5240564557547664, -0.17454915133578555], a: 0.32682167764544323, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10: Box<dyn Solid> = if (1i64 == 1i64) {
        Box::new(Ball { r: (v4 * v4) })
    } else {
        Box::new(Brick { sides: (v4, v5), n: 0i64 })
    };
    let mut v13: Option<f64> = if ((!({
        let mut v11: f64 = v5;
        let mut v12: i64 = 0;
        loop {
            v11 = v4;
            v12 += 1;
            if ((v12 >= 3) || (v12 == v12)) {
                break v11;
            }
        }
    } <= v5)) || (!(v5 <= v5))) {
        Some((-v4))
    } else {
        None
    };
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v16: [f64; 3] = [(1.0 as f64), a, (2.0 as f64)];
    let mut v19: [f64; 3] = [a, x[((1i64 as usize) % x.len())], h0(2i64, a, a)];
    let mut v20 = vec![a];
    v20.push(match root(a) {
        Some(v21) if (((2.5 * v21) as i64) == 1i64) => a,
        _ => 2.0,
    });
    v20.push(x.chunks(2).map(|c| {
        let mut v22 = c[0];
        let mut v23 = c[(c.len() - 1)];
        match ratio(x[((1i64 as usize) % x.len())], x[((3i64 as usize) % x.len())]) {
            Ok(v24) => a,
            Err(v25) => v25,
        }
    }).sum::<f64>());
    let mut v26: Option<f64> = both(u[((2i64 as usize) % u.len())], root(a).unwrap_or(a));
    ((a + a) + halved(&v20))
}
}

mod p104 {
use super::*;
pub const CASE: Case = Case { seed: 104, args: Args { x: [-0.7179761375734631, -0.12645152944651517, 0.08979549546721917, 0.6868043786152658], u: [-0.23581454555094175, -0.8414946727334619, 0.8544612184243482], a: -0.95002037206573, n: 3 }, along: Args { x: [1.0038418352474334, 0.7284894956976212, -0.8844070696170223, 0.39328630976505846], u: [-0.2706416579615453, 0.11198428028093725, -0.009359741052467781], a: -0.9078691290755142, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v10 = move |v11: f64| match (E::Two { x: v4, n: 3i64 }) {
        E::One(v12) => v11,
        E::Two { x: v12, n: v13 } => 0.5,
        E::None => v11,
    };
    if ((v4 < v4) || (v4 < v4)) {
        let mut v20: Box<dyn Fn(f64) -> f64> = if (0i64 < 0i64) {
            Box::new(move |v17: f64| (v17 * {
                let mut v18: f64 = v4;
                let mut v19: i64 = 0;
                loop {
                    v18 = v4;
                    v19 += 1;
                    if ((v19 >= 3) || (v19 == 2i64)) {
                        break v18;
                    }
                }
            }))
        } else {
            Box::new(move |v17: f64| (1.0 as f64))
        };
        let mut v22: Result<f64, f64> = if (!(v10(v4) <= v4)) {
            Ok((-v4))
        } else {
            Err(v4.sin())
        };
    } else {
        let mut v23 = S { a: v4, b: (v4, duo(v4, v4)), n: 3i64 };
    }
    let mut v25: Box<dyn Fn(f64) -> f64> = if (2i64 < 0i64) {
        Box::new(move |v24: f64| v24)
    } else {
        Box::new(move |v24: f64| v24)
    };
    v10(v10(v4))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14 = E::Two { x: x[((0i64 as usize) % x.len())], n: ((2.5 * a) as i64) };
    for p15 in u[1..].iter_mut() {
        let mut v15 = *p15;
        *p15 = a.sin();
    }
    {
        let mut m = ((3i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v18 = *i;
            let mut v19 = *j;
            let mut e = {
                let mut v20: f64 = x[((1i64 as usize) % x.len())];
                let mut v21: i64 = 0;
                loop {
                    v20 = x[(((n as i64) as usize) % x.len())];
                    v21 += 1;
                    if ((v21 >= 3) || (v21 == v21)) {
                        break v20;
                    }
                }
            };
            let mut f = x[((2i64 as usize) % x.len())];
            *i = e;
            *j = f;
        }
    }
    let mut v22 = (a, a);
    let mut v25 = Rc::new(RefCell::new(a));
    let mut v29 = D { s: S { a: 1.75, b: v22, n: ((2.5 * a) as i64) }, o: Some((1.75 as f64)).filter(|&v26| (!(match Some(v26) {
        Some(v27) => x[(((n as i64) as usize) % x.len())],
        None => x[((0i64 as usize) % x.len())],
    } <= a))), v: vec![match Some((1.75 as f64)) {
        Some(v28) => x[((3i64 as usize) % x.len())],
        None => a,
    }], e: v14 };
    let mut v33: Box<dyn Fn(f64) -> f64> = if (!(0.75 <= a)) {
        Box::new(move |v30: f64| h0(a).tanh())
    } else {
        Box::new(move |v30: f64| (2.0 as f64))
    };
    {
        let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v34 = *i;
            let mut v35 = *j;
            let mut e = match (if ({
                let mut r = *v25.borrow();
                r
            } < v35) {
                Some((0.5 as f64))
            } else {
                None
            }) {
                Some(v36) => v35,
                None => v35,
            };
            let mut f = x[((2i64 as usize) % x.len())];
            *i = e;
            *j = f;
        }
    }
    'l39: for v39 in 0i64..3i64 {
        let mut v44: [f64; 3] = [u[((2i64 as usize) % u.len())], x.chunks(2).map(|c| {
            let mut v42 = c[0];
            let mut v43 = c[(c.len() - 1)];
            root(a).unwrap_or(v42)
        }).sum::<f64>(), v22.1];
    }
    (((v33(x[((0i64 as usize) % x.len())]) + match v14 {
        E::One(v45) => v45,
        E::Two { x: v45, n: v46 } => v45,
        E::None => 0.5,
    }) + v22.0) + {
        let mut r = *v25.borrow();
        r
    })
}
}

mod p105 {
use super::*;
pub const CASE: Case = Case { seed: 105, args: Args { x: [-0.06230964161972715, 0.09246481052278094, -0.28029034693215255, 0.4311754135960214], u: [0.48948675454188784, 0.7831882860995196, 0.6370366161188092], a: 0.07460560641390002, n: 1 }, along: Args { x: [0.6340208344992574, -0.0023670510096222615, 0.22700245337580793, -0.19650201130182848], u: [0.8634117030443162, -0.531031883693894, -0.9755410159735162], a: 0.30108574507180036, n: 0 }, singles: false };

#[differentiable]
pub fn h1(mut v4: f64, mut v5: f64) -> Option<f64> {
    let mut v12: Box<dyn Fn(f64) -> f64> = if (match Some((0.25 as f64)) {
        Some(v11) if (v5.cos() < v4) => v5,
        _ => v5,
    } < v5) {
        Box::new(move |v10: f64| v5)
    } else {
        Box::new(move |v10: f64| v4)
    };
    let mut v14: Box<dyn Solid> = if ({
        let mut f = |v13: f64| v12(duo(v4, v4));
        (f(v5) + f(v4))
    } < v4) {
        Box::new(Brick { sides: (v4, v4), n: 1i64 })
    } else {
        Box::new(Point)
    };
    both(v5, v5).map(|v15| v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14 = D { s: S { a: a, b: (u[(((n as i64) as usize) % u.len())], u[((1i64 as usize) % u.len())]), n: 1i64 }, o: h1(a, u[((1i64 as usize) % u.len())]), v: vec![{
        let mut f = |v10: f64| a;
        (f(a) + f(1.5))
    }, a, if (!(x[((1i64 as usize) % x.len())] <= a)) {
        a
    } else {
        a
    }], e: if ((if (!(match ((n as i64) * 1i64) {
        0 => a,
        1 | 2 => a,
        v11 if (a < a) => x[((3i64 as usize) % x.len())],
        _ => a,
    } <= a)) {
        x[((3i64 as usize) % x.len())]
    } else {
        2.0
    } < 0.5) || (1i64 < (n as i64))) {
        E::One(a)
    } else {
        E::None
    } };
    let mut v15: f64 = Some((1.75 as f64)).unwrap_or(a).cos();
    let mut v16: f64 = orchard(1.0, ((2.5 * a) as i64));
    std::mem::swap(&mut a, &mut v15);
    for p19 in u[1..].iter_mut() {
        let mut v19 = *p19;
        *p19 = x[((1i64 as usize) % x.len())];
    }
    let mut v23: [f64; 3] = [match ((2.5 * v15) as i64) {
        0 => x[((1i64 as usize) % x.len())],
        1 | 2 => a,
        v20 if ((0.25 < v15) && (0.75 < v16)) => a,
        _ => a,
    }, match (1i64 + 3i64) {
        0 => x[((1i64 as usize) % x.len())],
        1 | 2 => x[((1i64 as usize) % x.len())],
        v21 if ((v15 < a) || (!(match Some(a) {
        Some(v22) if ((a < 1.75) && (swapped(v15, 1.75).0 < u[((v21 as usize) % u.len())])) => v15,
        _ => v16,
    } <= v16))) => 1.5,
        _ => x[((1i64 as usize) % x.len())],
    }, (a * v16)];
    ((((a + a) + weigh(&v14, 0.5)) + v16) + halved(&v23))
}
}

mod p106 {
use super::*;
pub const CASE: Case = Case { seed: 106, args: Args { x: [-0.10362668714478555, -0.1873598939815182, 0.9341751600061604, 0.7224088501728291], u: [0.32584948748238, 0.8262387179867654, -0.9643688196679132], a: -0.2125294873153809, n: 2 }, along: Args { x: [0.8346329401075115, 0.643254919759385, 0.9166206271541647, 0.9974891819431717], u: [-0.05181047402978892, -0.19328096601811084, 0.5241320166646197], a: -0.41555110383766924, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = Box::new(Ball { r: a });
    let mut v11: i64 = 0i64;
    let mut v14: [f64; 3] = [match ratio(a, a) {
        Ok(v12) => v12,
        Err(v13) => v13,
    }, u[((v11 as usize) % u.len())], (1.5 as f64)];
    let mut v15 = |v16: f64| {
        a = 1.5;
        (a * v16)
    };
    let mut v17 = (apply(&mut v15, duo(0.75, x[((0i64 as usize) % x.len())])) + v15(0.5));
    bump(&mut v17, 0.25);
    let mut v19 = L::Node(v17.cos(), Box::new(L::Node(1.25, Box::new(L::End))));
    let mut e20 = u[((v11 as usize) % u.len())];
    let mut p20 = if (v11 == 1i64) {
        let mut i0 = ((v11 as usize) % u.len());
        &mut u[i0]
    } else {
        &mut v17
    };
    *p20 -= e20;
    let mut v23: Option<f64> = if (((2.5 * v17) as i64) == v11) {
        Some({
            let mut f = |v22: f64| x[((0i64 as usize) % x.len())];
            (f(u[((v11 as usize) % u.len())]) + f(1.25))
        })
    } else {
        None
    };
    let mut v24 = |v25: f64| {
        v17 = x[((1i64 as usize) % x.len())];
        (v17 * v25)
    };
    let mut v26 = (apply(&mut v24, match (&v19) {
        L::Node(v27, v28) => {
            let mut v27 = *v27;
            v27
        },
        L::End => x[((1i64 as usize) % x.len())],
    }) + v24(match E::One(a) {
        E::One(v29) => u[((0i64 as usize) % u.len())],
        E::Two { x: v29, n: v30 } => x[((v11 as usize) % x.len())],
        E::None => 0.75,
    }));
    let mut v35 = S { a: {
        let mut f = |v32: f64| v32;
        (f(match Some(x[((2i64 as usize) % x.len())]) {
            Some(v33) if (v11 == (n as i64)) => 0.75,
            _ => 1.5,
        }) + f(a))
    }, b: (x[((v11 as usize) % x.len())], match v23 {
        Some(v34) => x[((2i64 as usize) % x.len())],
        None => v17,
    }), n: 1i64 };
    (((((match (n as i64) {
        0 => u[((v11 as usize) % u.len())],
        1 | 2 => 0.25,
        v36 if ((v35.n < 0i64) || (v11 < v36)) => a,
        _ => orchard(x[((1i64 as usize) % x.len())], (n as i64)),
    } + a) + halved(&v14)) + v17) + total(&v19)) + v23.unwrap_or(0.25))
}
}

mod p107 {
use super::*;
pub const CASE: Case = Case { seed: 107, args: Args { x: [-0.0417582027994645, -0.8376899872790895, -0.33338045531623633, -0.4932276803618019], u: [0.7316799178883017, 0.8602791597988352, -0.7537419172860271], a: 0.19805678240635352, n: 2 }, along: Args { x: [-0.671750443298289, -0.35803060029150047, -0.7098736055864204, 0.5771211191028153], u: [0.5669459973862956, -0.28747660326522256, -0.016508791288857353], a: 0.2976728391360415, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v10 = vec![S { a: v4, b: (v4, v4), n: ((2.5 * 1.0) as i64) }, S { a: v4, b: ((1.75 as f64), v4), n: 1i64 }];
    if ((!(match both(0.25, v4) {
        Some(v12) => v12,
        None => v4,
    } <= v4)) || (!(v4 <= v4))) {
        let mut v15: Option<f64> = Some({
            let mut v13: f64 = v4;
            let mut v14: i64 = 0;
            loop {
                v13 = v13;
                v14 += 1;
                if ((v14 >= 3) || (0i64 == 1i64)) {
                    break v13;
                }
            }
        });
        let mut v16 = E::One(v4);
    } else {
        let mut v17 = move |v18: f64| (1.75 as f64);
    }
    for v21 in v10.iter_mut() {
        v21.turn(spiral(v4, 0i64));
    }
    1.5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = move |v11: f64| Some(a).unwrap_or(h0(a));
    if let Some(v12) = Some(a) {
        let mut v16 = S { a: a, b: (v10(a), {
            let mut f = |v14: f64| x.iter().map(|&v15| (1.75 as f64).min(v14)).sum::<f64>();
            (f(a) + f(v12))
        }), n: ((2.5 * v12) as i64) };
        let mut v17: Result<f64, f64> = ratio(0.75, v10(0.75));
    }
    let mut v18 = vec![S { a: a, b: swapped(x[((1i64 as usize) % x.len())], u[((1i64 as usize) % u.len())]), n: ((2.5 * a) as i64) }, S { a: a, b: (a, (1.75 as f64)), n: ((2.5 * a) as i64) }, turned(turned(S { a: a, b: (u[((1i64 as usize) % u.len())], a), n: ((2.5 * a) as i64) }, if (!(a <= a)) {
        E::One((2.0 as f64))
    } else {
        E::None
    }), if (a < a) {
        E::One(x[(((n as i64) as usize) % x.len())])
    } else {
        E::None
    })];
    let mut v21: Result<f64, f64> = chained(match ratio(x[((0i64 as usize) % x.len())], a) {
        Ok(v19) => 0.75,
        Err(v20) => u[((0i64 as usize) % u.len())],
    }, Some((0.75 as f64)).unwrap_or(a));
    let mut v22 = v18.clone();
    let mut v28: [f64; 3] = [a, match Some(a) {
        Some(v26) => a,
        None => u[((3i64 as usize) % u.len())],
    }, x[((3i64 as usize) % x.len())]];
    let mut v31: [f64; 3] = [(1.5 as f64), match (if (2i64 < 1i64) {
        E::One(a)
    } else {
        E::None
    }) {
        E::One(v29) => v29,
        E::Two { x: v29, n: v30 } => v29,
        E::None => a,
    }, v10(a)];
    let mut v32: Result<f64, f64> = v21;
    (((x[((0i64 as usize) % x.len())] + v18[((1i64 as usize) % v18.len())].a) + v22[((1i64 as usize) % v22.len())].a) + halved(&v31))
}
}

mod p108 {
use super::*;
pub const CASE: Case = Case { seed: 108, args: Args { x: [-0.6275726818853254, -0.11100262456274894, -0.4160915376372941, 0.9953962883518997], u: [-0.15582424487433238, 0.32393982545460026, 0.3898693705528571], a: 0.18810692087384973, n: 0 }, along: Args { x: [0.024349137413532358, 0.8548426180542219, -0.4391650186567576, 0.40077863094154476], u: [0.9983979297376386, -0.7242865827266164, 0.8963104004279637], a: -0.3067116426675791, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = D { s: S { a: a, b: ((1.75 as f64), x[(((n as i64) as usize) % x.len())]), n: (n as i64) }, o: Some(a), v: vec![(a, a).1], e: E::Two { x: a, n: (1i64 + 3i64) } };
    let mut v12: f64 = (1i64 as f64);
    let mut v14: i64 = 2i64;
    for p16 in u[1..].iter_mut() {
        let mut v16 = *p16;
        *p16 = 2.0;
    }
    let mut v17 = move |v18: f64| a;
    v10 = D { s: S { a: 1.5, b: swapped(0.5, x[((v14 as usize) % x.len())]), n: (n as i64) }, o: if (v14 < (n as i64)) {
        Some(v12)
    } else {
        None
    }, v: vec![(a, u[((1i64 as usize) % u.len())]).0], e: if (match (if (v12.cos() < x[(((n as i64) as usize) % x.len())]) {
        Some(v12)
    } else {
        None
    }) {
        Some(v19) if ((2.0 < a) || (v14 < 0i64)) => a,
        _ => x[((1i64 as usize) % x.len())],
    } < x[((1i64 as usize) % x.len())]) {
        E::One(v12)
    } else {
        E::None
    } };
    let mut v20 = E::One(((0.5 * 1.75) as f64));
    if ((a < v12) && (match root(v12) {
        Some(v22) => a,
        None => 0.5,
    } < v12)) {
        let mut v25 = D { s: S { a: x[(((n as i64) as usize) % x.len())], b: swapped(a, 0.5), n: ((n as i64) + 1i64) }, o: both(a, a), v: vec![(0.75 as f64).cos()], e: E::One((0.25 as f64)) };
        'l26: for v26 in 0i64..(n as i64) {
        }
    } else {
    }
    v17(match (if (((n as i64) < 1i64) || (1i64 == 2i64)) {
        E::One(v12)
    } else {
        E::Two { x: u[((1i64 as usize) % u.len())], n: ((2.5 * a) as i64) }
    }) {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => graded(x[((v28 as usize) % x.len())], (n as i64)),
        E::None => v12,
    })
}
}

mod p109 {
use super::*;
pub const CASE: Case = Case { seed: 109, args: Args { x: [0.36341414430849317, -0.42044006801637607, -0.7311368665814917, -0.5551484781751587], u: [0.6505932452513127, -0.8166635000517581, 0.6149243634705827], a: 0.5379324657835345, n: 1 }, along: Args { x: [0.1301670592891839, 0.4574030507592272, -0.45210408522848855, 0.12913057807185035], u: [-0.7894840037971365, 0.18965783729644545, -0.18328573681841634], a: -0.1558042062260934, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = D { s: turned(S { a: a, b: (a, (1.0 as f64)), n: 1i64 }, E::One(a)), o: Some((0.5 as f64)).map(|v10| x[((n as i64) as usize)]), v: vec![x[((1i64 as usize) % x.len())].sin(), a], e: E::One(u[((2i64 as usize) % u.len())]) };
    let mut v13: i64 = 0i64;
    let mut v14: f64 = a;
    let mut v17 = E::One((a - v14));
    ((({
        let mut v18: f64 = (0.5 * (-2.0));
        let mut v19: i64 = 0;
        loop {
            v18 = u[((1i64 as usize) % u.len())];
            v19 += 1;
            if ((v19 >= 3) || (renewed(x, 3i64) < v14)) {
                break v18;
            }
        }
    } + a) + weigh(&v11, 0.5)) + match v17 {
        E::One(v20) => v20,
        E::Two { x: v20, n: v21 } => v20,
        E::None => 0.5,
    })
}
}

mod p110 {
use super::*;
pub const CASE: Case = Case { seed: 110, args: Args { x: [0.20991477512659326, 0.3265764764783368, -0.8196989591548375, -0.20586534497020112], u: [0.033679654056449994, 0.14765096860699728, 0.3875014308434048], a: 0.48896664474889767, n: 2 }, along: Args { x: [-0.8088129504434314, -0.3586833286144818, 0.016377600468727674, 0.029798784178550156], u: [0.01853063188189541, -0.4442121396880901, 0.4693672001098235], a: 0.02976623940915612, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![S { a: a, b: (a, a), n: 1i64 }];
    if let Some(v11) = Some((0.5 as f64)).and_then(|v12| Some(a)) {
        let mut v16: f64 = x[(((n as i64) as usize) % x.len())];
        {
            let mut m = (((3i64 % 1099511627776i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v17 = *i;
                let mut v18 = *j;
                let mut e = 0.25;
                let mut f = match (if (1i64 < 1i64) {
                    Ok(v18)
                } else {
                    Err(v16)
                }) {
                    Ok(v19) => 1.0,
                    Err(v20) => 1.0,
                };
                *i = e;
                *j = f;
            }
        }
    }
    let mut v21 = E::One(a);
    v10.push(S { a: match Some(x[((2i64 as usize) % x.len())]) {
        Some(v22) => a,
        None => a,
    }, b: (u[((1i64 as usize) % u.len())], a), n: ((2.5 * 2.0) as i64) });
    let mut v23 = vec![(1.5 as f64)];
    let mut v24 = vec![a];
    v23.insert(((((-1i64) / (n as i64)) as usize) % (v23.len() + 1)), 2.0);
    let mut v25 = E::Two { x: a, n: (n as i64) };
    (((match (if (a < 1.25) {
        E::One({
            let mut v28: f64 = a;
            let mut v29: i64 = 0;
            loop {
                v28 = a;
                v29 += 1;
                if ((v29 >= 3) || ((n as i64) < 1i64)) {
                    break v28;
                }
            }
        })
    } else {
        E::None
    }) {
        E::One(v26) => if (0i64 < (n as i64)) {
            match combined(Some(v26), u[(((n as i64) as usize) % u.len())]) {
                Some(v32) if (v32 < x[(((n as i64) as usize) % x.len())]) => v26,
                _ => 1.75,
            }
        } else {
            a
        },
        E::Two { x: v26, n: v27 } => v26,
        E::None => (0.25 + x[((0i64 as usize) % x.len())]),
    } + a) + match v21 {
        E::One(v33) => v33,
        E::Two { x: v33, n: v34 } => v33,
        E::None => 0.5,
    }) + halved(&v24))
}
}

mod p111 {
use super::*;
pub const CASE: Case = Case { seed: 111, args: Args { x: [0.9538038089957033, 0.30121550208067177, -0.7050842578855974, -0.09622447083311154], u: [0.5868971462644345, 0.9307888508975642, 0.40817174923643024], a: 0.017590289564630268, n: 2 }, along: Args { x: [0.9085112891882067, 0.7706580629916, -0.7677131171547955, -0.8157348817316807], u: [-0.9793315315927301, -0.8963322675381337, -0.15384893900868188], a: 0.38113980669563274, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> Option<f64> {
    let mut v12: f64 = match combined(root(v4), v4) {
        Some(v11) => 0.75,
        None => 0.75,
    };
    let mut v16 = S { a: v4, b: (v4, v4), n: 2i64 };
    Some(v12)
}

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    if ((2i64 + 0i64) == 2i64) {
        let mut v11: [f64; 3] = [v4.sin(), v4, v4];
        let mut v18: Option<f64> = both(v4, match (if (!(v4 <= v4)) {
            Some(v4)
        } else {
            None
        }) {
            Some(v17) if (counted(v4, 0i64) < 1.5) => v17,
            _ => v4,
        });
    } else {
        let mut v21 = vec![S { a: v4, b: (v4, (1.5 as f64)), n: 2i64 }];
    }
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = S { a: a, b: swapped(a, x[((0i64 as usize) % x.len())]), n: 1i64 };
    let mut v12 = move |v13: f64| (v11.n as f64);
    {
        let mut i0 = ((v11.n as usize) % u.len());
        u[i0] -= swapped(2.0, 0.5).0;
    }
    let mut v14: f64 = (1.0 as f64).max(a);
    v11.b.0 *= a;
    let mut v16: Option<f64> = both(v11.a, v12(v14));
    {
        let mut m = ((2i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v19 = *i;
            let mut v20 = *j;
            let mut e = v12(v14);
            let mut f = {
                let mut f = |v21: f64| ((v14 + v19) - x[((1i64 as usize) % x.len())]);
                (f(v14) + f(v14))
            };
            *i = e;
            *j = f;
        }
    }
    {
        let mut i0 = ((((2.5 * 2.0) as i64) as usize) % u.len());
        u[i0] = match ratio(0.25, v14) {
            Ok(v22) => h0(x[((v11.n as usize) % x.len())]).unwrap_or(v14),
            Err(v23) => duo(v14, x[(((n as i64) as usize) % x.len())]),
        };
    }
    mix(u, 0.5);
    let mut v26 = Rc::new(RefCell::new(h1(v14)));
    ((((v11.b.0 + a) + v11.size(0.75)) + v16.unwrap_or(0.25)) + {
        let mut r = *v26.borrow();
        r
    })
}
}

mod p112 {
use super::*;
pub const CASE: Case = Case { seed: 112, args: Args { x: [-0.6513468152042265, 0.9081146670805815, -0.46654454277597013, -0.3630847729253476], u: [-0.09957628196041562, -0.33183145708724565, 0.3477662359275968], a: 0.4506655475097878, n: 0 }, along: Args { x: [-0.9597669321054492, -0.907462383094397, 0.5469911352768942, 0.19172676268999908], u: [-0.24096809635738323, -0.9123936907203803, 0.9630559106742486], a: 0.25510196138281205, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = a;
    }
    let mut v11: f64 = a;
    let mut v12 = 0;
    'l12: while ((v12 < 4) && ((n as i64) == (n as i64))) {
        v12 += 1;
        let mut v13 = &x[0..1];
        let mut v17: Box<dyn Solid> = if (match Some((1.5 as f64)) {
            Some(v16) if (3i64 < 1i64) => v11,
            _ => v11,
        } < x[((2i64 as usize) % x.len())]) {
            Box::new(Ball { r: (x[((3i64 as usize) % x.len())] + 0.5) })
        } else {
            Box::new(Brick { sides: (v11, a), n: (n as i64) })
        };
    }
    let mut v19 = Rc::new(RefCell::new((0.75 as f64)));
    if ((1i64 + 1i64) == 2i64) {
        let mut v23 = D { s: S { a: a, b: (a, x[((1i64 as usize) % x.len())]), n: 3i64 }, o: Some(v11), v: vec![(v11 * v11), ((match chained(v11, v11) {
            Ok(v21) => 0.25,
            Err(v22) => 0.75,
        }) as f64)], e: E::One(x[((1i64 as usize) % x.len())]) };
        'l24: for v24 in 0i64..3i64 {
            let mut v25 = move |v26: f64| if (((2.5 * v11) as i64) == 1i64) {
                match Some(x[((3i64 as usize) % x.len())]) {
                    Some(v27) => x[((1i64 as usize) % x.len())],
                    None => v26,
                }
            } else {
                x[((3i64 as usize) % x.len())]
            };
        }
    } else {
    }
    ((v11, v11).0 + v11)
}
}

mod p113 {
use super::*;
pub const CASE: Case = Case { seed: 113, args: Args { x: [0.33158863462122945, -0.1769016494538771, 0.2725314421765272, -0.6982576867043305], u: [-0.5726230158493675, -0.9007694072304211, -0.48621853601333065], a: -0.4061793294402852, n: 3 }, along: Args { x: [0.10336463178143777, -0.8115044857950658, 0.2596327413468964, 0.9919000470385037], u: [0.7436784301116679, -0.9600925550857108, -0.6830220420178452], a: -0.44043678218006543, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    v5 = v4;
    let mut v13: Option<f64> = both(v5, 0.75);
    let mut v15: f64 = v5;
    match v13 {
        Some(v16) => v16,
        None => v5,
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: [f64; 3] = [a, a, a];
    let mut v12 = D { s: turned(S { a: a, b: swapped(a, 1.0), n: ((2.5 * x[((2i64 as usize) % x.len())]) as i64) }, E::Two { x: u[((1i64 as usize) % u.len())], n: 1i64 }), o: Some(a), v: vec![h0(a, a), a], e: E::Two { x: u[((2i64 as usize) % u.len())], n: ((2.5 * 0.5) as i64) } };
    {
        let mut i0 = (((n as i64) as usize) % v10.len());
        v10[i0] *= 1.75;
    }
    ((a + a) + weigh(&v12, 0.5))
}
}

mod p114 {
use super::*;
pub const CASE: Case = Case { seed: 114, args: Args { x: [-0.29861794395012814, 0.6303900774043967, 0.10179198247482239, 0.9419013059213399], u: [-0.8695895373158271, -0.29346090569242916, -0.15759422633653902], a: -0.40864795283976885, n: 2 }, along: Args { x: [-0.19951845554996042, 0.38755283754088216, 0.055416370952189244, -0.8434576486719967], u: [0.4208264797767641, 0.7318407963895173, 0.46042602055415405], a: -0.3986311936734089, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![S { a: a, b: ((1.5 as f64), (2.0 as f64)), n: 1i64 }, turned(S { a: x[((2i64 as usize) % x.len())], b: (a, a), n: (2i64 * 0i64) }, if (a < a) {
        E::One(a)
    } else {
        E::None
    }), S { a: 1.25, b: swapped(x[((3i64 as usize) % x.len())], a), n: 3i64 }];
    let mut v12: f64 = (x[((3i64 as usize) % x.len())] * 0.25);
    let mut v13 = &x[1..3];
    let mut v16 = L::Node({
        let mut v14: f64 = v12;
        let mut v15: i64 = 0;
        loop {
            v14 = 1.5;
            v15 += 1;
            if ((v15 >= 3) || (!((0.25 as f64).tanh() <= a))) {
                break v14;
            }
        }
    }, Box::new(L::End));
    let mut v17: i64 = 0i64;
    (((0.5 + v10[((1i64 as usize) % v10.len())].a) + v12) + total(&v16))
}
}

mod p115 {
use super::*;
pub const CASE: Case = Case { seed: 115, args: Args { x: [-0.16039601985475183, 0.9094925121259548, 0.6877557190270311, 0.1858280330071571], u: [-0.8959148873400343, -0.6859737838812426, 0.07346421561250889], a: -0.8353006711885528, n: 1 }, along: Args { x: [0.23597113366992353, -0.2963034795432176, -0.06540283664485366, -0.5803716597878179], u: [-0.6755961398250309, -0.33769275854725017, 0.14964379618310752], a: 1.0034549359065978, n: 2 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14 = (x[((3i64 as usize) % x.len())], {
        let mut v12: f64 = 1.25;
        let mut v13: i64 = 0;
        loop {
            v12 = v12;
            v13 += 1;
            if ((v13 >= 3) || (!(a <= v12))) {
                break v12;
            }
        }
    });
    for p15 in u[1..].iter_mut() {
        let mut v15 = *p15;
        *p15 = (((a as f32) as f64) * match ratio(1.5, a) {
            Ok(v16) => v16,
            Err(v17) => x[((3i64 as usize) % x.len())],
        });
    }
    v14.1 = a;
    v14.1 = match ratio(x[(((n as i64) as usize) % x.len())], u[((1i64 as usize) % u.len())]) {
        Ok(v18) => match (if ((match Some(a) {
            Some(v22) => v22,
            None => 0.5,
        } < a) && ({
            let mut v23: f64 = a;
            let mut v24: i64 = 0;
            loop {
                v23 = v18;
                v24 += 1;
                if ((v24 >= 3) || (1i64 == 1i64)) {
                    break v23;
                }
            }
        } < 1.25)) {
            E::One((1.5 as f64))
        } else {
            E::None
        }) {
            E::One(v20) => v18,
            E::Two { x: v20, n: v21 } => a,
            E::None => v18,
        },
        Err(v19) => v19,
    };
    let mut v25 = vec![S { a: a, b: (a, a), n: (n as i64) }, turned(S { a: 1.0, b: v14, n: 1i64 }, E::One(a)), turned(S { a: a, b: swapped(a, x[((1i64 as usize) % x.len())]), n: 1i64 }, E::One((1.25 as f64)))];
    let mut v29: Box<dyn Fn(f64) -> f64> = if (a < a) {
        Box::new(move |v26: f64| (1.75 as f64))
    } else {
        Box::new(move |v26: f64| (a + (0.5 * a)))
    };
    'l30: for &v30 in x {
        let mut v31: Option<f64> = both(v29(v30), if (a < a) {
            x[((0i64 as usize) % x.len())]
        } else {
            a
        });
        v14.1 -= (match Some(v30) {
            Some(v32) if ((Some(v32).unwrap_or(x[((1i64 as usize) % x.len())]) < v30) || (v32 < a)) => a,
            _ => v30,
        } + match (n as i64) {
            0 => a,
            1 | 2 => v30,
            v33 if ((a < 0.75) && (0.75 < a)) => u[(((n as i64) as usize) % u.len())],
            _ => u[((1i64 as usize) % u.len())],
        });
    }
    let mut v34: Box<dyn Solid> = if (!((a + a) <= 1.5)) {
        Box::new(Ball { r: (2.0 as f64).max(u[((1i64 as usize) % u.len())]) })
    } else {
        Box::new(Brick { sides: (a, a), n: 0i64 })
    };
    ((a + v14.0) + v25[((1i64 as usize) % v25.len())].a)
}
}

mod p116 {
use super::*;
pub const CASE: Case = Case { seed: 116, args: Args { x: [0.2075601415424893, 0.08681245974193362, -0.28375645898343815, 0.23033183990999279], u: [-0.24142593199132645, -0.30441081638304224, -0.5651565769872077], a: -0.24394172884077917, n: 3 }, along: Args { x: [0.9923526215553146, 0.9958115090304845, 0.7269640350004309, 0.45147386325768885], u: [-0.31027861682166363, -0.9349303381744065, -0.5583598341970389], a: 0.5489185379121697, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] = (match both(a, a) {
            Some(v10) if (v10 < v10) => v10,
            _ => a,
        }).min(x[(((n as i64) as usize) % x.len())]);
    }
    let mut v13 = S { a: x[((0i64 as usize) % x.len())], b: (combined(combined(Some(a), x[((1i64 as usize) % x.len())]), 0.75).unwrap_or(u[((2i64 as usize) % u.len())]), (1.0 as f64)), n: 0i64 };
    {
        let mut i0 = ((((n as i64) + 3i64) as usize) % u.len());
        u[i0] += a;
    }
    ((match (if (0i64 < v13.n) {
        E::One((0i64 as f64))
    } else {
        E::None
    }) {
        E::One(v14) => (((1.0 as f64), (1.75 as f64)).0 - ((1.5 as f64), v14).0),
        E::Two { x: v14, n: v15 } => u[(((n as i64) as usize) % u.len())],
        E::None => a,
    } + a) + v13.size(0.75))
}
}

mod p117 {
use super::*;
pub const CASE: Case = Case { seed: 117, args: Args { x: [0.5917338829008787, 0.6392892000872289, 0.5514495724199056, 0.9718410943694963], u: [0.8300391835464329, 0.21775070957942375, 0.580442290571334], a: -0.8350056074770347, n: 2 }, along: Args { x: [0.1337206591336518, -0.6793676496413856, -0.0962241598150991, 0.6430353039801505], u: [0.09044982911808717, 0.8990534030817438, -0.2996791863038587], a: -0.1057220109036445, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = S { a: a, b: (a, match (n as i64) {
        0 => a,
        1 | 2 => 0.25,
        v10 if (1i64 < v10) => x[((2i64 as usize) % x.len())],
        _ => a,
    }), n: 1i64 };
    let mut v12 = 0;
    'l12: while ((v12 < 4) && (v11.n == (n as i64))) {
        v12 += 1;
        if ((n as i64) < 1i64) {
            let mut v19 = if (!((0.5 * a) <= 1.25)) {
                E::One(a)
            } else {
                E::Two { x: u[((v11.n as usize) % u.len())], n: v11.n }
            };
            let mut v20 = L::Node((u[((3i64 as usize) % u.len())] - a), Box::new(L::End));
        } else {
            let mut v25: [f64; 3] = [match Some(a) {
                Some(v21) => v21,
                None => a,
            }, {
                let mut v22: f64 = a;
                let mut v23: i64 = 0;
                loop {
                    v22 = v22;
                    v23 += 1;
                    if ((v23 >= 3) || ((v22 < a) || (v23 == v23))) {
                        break v22;
                    }
                }
            }, match (3i64 * 1i64) {
                0 => a,
                1 | 2 => a,
                v24 if (v24 < 3i64) => a,
                _ => x[((v11.n as usize) % x.len())],
            }];
        }
        let mut v26 = move |v27: f64| x[((0i64 as usize) % x.len())];
    }
    let mut v28 = Rc::new(RefCell::new((1.0 as f64)));
    v28 = v28.clone();
    (u[((3i64 as usize) % u.len())] + a)
}
}

mod p118 {
use super::*;
pub const CASE: Case = Case { seed: 118, args: Args { x: [0.2952511087969757, -0.45155464763238945, -0.6288005859264587, 0.920018643118704], u: [0.34938569031143785, -0.08716957630263719, 0.6448077503153623], a: 0.38070432117516356, n: 0 }, along: Args { x: [0.38398037168671517, 0.5723504059052056, -0.4432428275033903, -0.45977613935313655], u: [0.3058095281199109, 0.4301691924389, -0.052052121794203696], a: 0.9674266219142043, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = a;
    }
    let mut v11: i64 = (n as i64);
    let mut v12 = |v13: f64| {
        a = x[((0i64 as usize) % x.len())];
        (a * v13)
    };
    let mut v14 = (apply(&mut v12, 0.5) + v12(0.5));
    let mut v15 = Rc::new(RefCell::new(if ((n as i64) == v11) {
        v14
    } else {
        x[((1i64 as usize) % x.len())]
    }));
    let mut v27: i64 = ((2.5 * (-1.0)) as i64);
    {
        let mut e = v14;
        *v15.borrow_mut() = e;
    }
    {
        let mut m = ((v27 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v28 = *i;
            let mut v29 = *j;
            let mut e = x[(((n as i64) as usize) % x.len())];
            let mut f = if (a < 1.75) {
                x[((v27 as usize) % x.len())]
            } else {
                v29
            };
            *i = e;
            *j = f;
        }
    }
    {
        let mut e = (0.75 as f64);
        *v15.borrow_mut() -= e;
    }
    {
        let mut i0 = ((((n as i64) + v27) as usize) % u.len());
        u[i0] += x[((3i64 as usize) % x.len())];
    }
    let mut v30: i64 = v11;
    (((a + a) + v14) + {
        let mut r = *v15.borrow();
        r
    })
}
}

mod p119 {
use super::*;
pub const CASE: Case = Case { seed: 119, args: Args { x: [-0.39282737778441246, -0.23959971214721243, -0.582416949375583, -0.874260284337277], u: [0.7984927231544255, -0.9885860059678472, -0.9994142177488248], a: 0.4596320166867873, n: 1 }, along: Args { x: [-0.3944219548886651, 0.9205299100947528, 0.6304187710708499, 0.30051072285449826], u: [0.7423591257919895, -0.44122308573749747, 0.7860514452104981], a: -0.18972357541774434, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = (if ((n as i64) == 1i64) {
        1.75
    } else {
        a
    }, a);
    let mut v12: f64 = a;
    {
        let mut i0 = ((0i64 as usize) % u.len());
        u[i0] -= match (if ((n as i64) < 3i64) {
            E::One(v12)
        } else {
            E::None
        }) {
            E::One(v13) => match chained(u[((2i64 as usize) % u.len())], x[((3i64 as usize) % x.len())]) {
                Ok(v15) => v12,
                Err(v16) => v12,
            },
            E::Two { x: v13, n: v14 } => u[((1i64 as usize) % u.len())],
            E::None => 2.0,
        };
    }
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] += (x[(((n as i64) as usize) % x.len())] * v11.0);
    }
    if let Some(v19) = Some((0.25 as f64)) {
        if (x[((1i64 as usize) % x.len())] < v12) {
            let mut e21 = v19;
            let mut p21 = if (v12 < u[((1i64 as usize) % u.len())]) {
                let mut i0 = ((1i64 as usize) % u.len());
                &mut u[i0]
            } else {
                let mut i0 = ((((2.5 * v19) as i64) as usize) % u.len());
                &mut u[i0]
            };
            *p21 *= e21;
            let mut v26 = vec![x[((3i64 as usize) % x.len())], a, match (if (x[((2i64 as usize) % x.len())] < 0.5) {
                Ok(a)
            } else {
                Err(a)
            }) {
                Ok(v24) => a,
                Err(v25) => x[((0i64 as usize) % x.len())],
            }];
        } else {
            let mut v27: f64 = v12;
        }
        let mut v30: f64 = match (if ((-v12) < 2.0) {
            E::One(v12)
        } else {
            E::Two { x: x[((1i64 as usize) % x.len())], n: 1i64 }
        }) {
            E::One(v28) => x[((1i64 as usize) % x.len())],
            E::Two { x: v28, n: v29 } => u[(((n as i64) as usize) % u.len())],
            E::None => (v12 + u[((1i64 as usize) % u.len())]),
        };
    }
    (swapped(v12, x[(((n as i64) as usize) % x.len())]).0 + v12)
}
}

pub const ALL: &[Native] = &[
    native!(p0),
    native!(p1),
    native!(p2),
    native!(p3),
    native!(p4),
    native!(p5),
    native!(p6),
    native!(p7),
    native!(p8),
    native!(p9),
    native!(p10),
    native!(p11),
    native!(p12),
    native!(p13),
    native!(p14),
    native!(p15),
    native!(p16),
    native!(p17),
    native!(p18),
    native!(p19),
    native!(p20),
    native!(p21),
    native!(p22),
    native!(p23),
    native!(p24),
    native!(p25),
    native!(p26),
    native!(p27),
    native!(p28),
    native!(p29),
    native!(p30),
    native!(p31),
    native!(p32),
    native!(p33),
    native!(p34),
    native!(p35),
    native!(p36),
    native!(p37),
    native!(p38),
    native!(p39),
    native!(p40),
    native!(p41),
    native!(p42),
    native!(p43),
    native!(p44),
    native!(p45),
    native!(p46),
    native!(p47),
    native!(p48),
    native!(p49),
    native!(p50),
    native!(p51),
    native!(p52),
    native!(p53),
    native!(p54),
    native!(p55),
    native!(p56),
    native!(p57),
    native!(p58),
    native!(p59),
    native!(p60),
    native!(p61),
    native!(p62),
    native!(p63),
    native!(p64),
    native!(p65),
    native!(p66),
    native!(p67),
    native!(p68),
    native!(p69),
    native!(p70),
    native!(p71),
    native!(p72),
    native!(p73),
    native!(p74),
    native!(p75),
    native!(p76),
    native!(p77),
    native!(p78),
    native!(p79),
    native!(p80),
    native!(p81),
    native!(p82),
    native!(p83),
    native!(p84),
    native!(p85),
    native!(p86),
    native!(p87),
    native!(p88),
    native!(p89),
    native!(p90),
    native!(p91),
    native!(p92),
    native!(p93),
    native!(p94),
    native!(p95),
    native!(p96),
    native!(p97),
    native!(p98),
    native!(p99),
    native!(p100),
    native!(p101),
    native!(p102),
    native!(p103),
    native!(p104),
    native!(p105),
    native!(p106),
    native!(p107),
    native!(p108),
    native!(p109),
    native!(p110),
    native!(p111),
    native!(p112),
    native!(p113),
    native!(p114),
    native!(p115),
    native!(p116),
    native!(p117),
    native!(p118),
    native!(p119),
];
