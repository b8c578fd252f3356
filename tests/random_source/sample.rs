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
pub const CASE: Case = Case { seed: 0, args: Args { x: [-0.09543915489584448, 0.6026806220434777, -0.9708556164137134, -0.9091554932646676], u: [0.807147018693126, -0.6478475980829406, -0.8378216862962238], a: -0.20480707041697307, n: 0 }, along: Args { x: [0.8705177965817222, 0.052052239170699816, 0.49723877859385757, 1.0087585570813111], u: [-0.2979406334175197, 0.27009540170335267, 0.21615083243299898], a: -0.5391202616845143, n: 2 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> Option<f64> {
    let mut v11: [f64; 3] = [(0.25 * v5), (0.5 * v5), (1.5 as f64)];
    if let Some(v12) = root(v5) {
        let mut v14: Box<dyn Solid> = if (!(1.75 <= v5)) {
            Box::new(Brick { sides: swapped(v12, v5), n: (1i64 * 3i64) })
        } else {
            Box::new(Point)
        };
        v14.scale(v12);
    }
    Some(v5)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = if ((3i64 < 0i64) && (!(orchard(a, 0i64) <= u[((2i64 as usize) % u.len())]))) {
        E::One(((-1.0) as f64))
    } else {
        E::Two { x: a, n: 0i64 }
    };
    let mut v14: i64 = 0i64;
    let mut e16 = a;
    let mut p16 = if (v14 < 3i64) {
        &mut a
    } else {
        &mut a
    };
    *p16 += e16;
    'l17: for &v17 in x {
        let mut v20 = turned(S { a: a.cos(), b: swapped(a, v17), n: 1i64 }, if ((v14 + 3i64) == 1i64) {
            E::One(v17)
        } else {
            E::Two { x: x[((3i64 as usize) % x.len())], n: (1i64 * v14) }
        });
        let mut v21 = 0;
        'l21: while ((v21 < 4) && (!(h0(v17, x[((v20.n as usize) % x.len())]).unwrap_or(a) <= a))) {
            v21 += 1;
            v20.turn(1.5);
            let mut v24 = (match Some((1.5 as f64)) {
                Some(v23) => x[((v14 as usize) % x.len())],
                None => a,
            }, v17);
        }
    }
    bump(&mut a, ((1.5 as f32) as f64));
    ((0.25 + a) + match v11 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    })
}
}

mod p1 {
use super::*;
pub const CASE: Case = Case { seed: 1, args: Args { x: [0.6436782639286112, 0.03390964530011648, -0.5359381843762054, -0.029106661316916353], u: [0.4675145109794224, 0.9836541938235085, 0.6477632439571809], a: -0.5258474387754611, n: 0 }, along: Args { x: [0.8876860398364264, -0.5884836475984859, 0.6628197159303223, 0.07206156217639384], u: [0.7885810473495253, -0.19860408282764602, -0.23114622566083048], a: -0.20706880493159951, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = Rc::new(RefCell::new(((1.0 as f64), a).0));
    let mut v13: f64 = a;
    {
        let mut e = v13;
        *v11.borrow_mut() = e;
    }
    if ({
        let mut r = *v11.borrow();
        r
    } < a) {
        let mut v21: Box<dyn Fn(f64) -> f64> = if ((!(v13.tanh() <= v13)) || (x[((3i64 as usize) % x.len())] < a)) {
            Box::new(move |v15: f64| match chained(v13, v15) {
                Ok(v16) => duo(v16, 1.25),
                Err(v17) => (0.5 * v15),
            })
        } else {
            Box::new(move |v15: f64| match (n as i64) {
                0 => v13,
                1 | 2 => x[((2i64 as usize) % x.len())],
                v18 if ((x.windows(2).map(|c| {
                let mut v19 = c[0];
                let mut v20 = c[(c.len() - 1)];
                counted(1.75, (n as i64))
            }).sum::<f64>() < v13) && (((2.5 * v15) as i64) == v18)) => a,
                _ => a.cos(),
            })
        };
        let mut v22: Box<dyn Solid> = if (v21(u[((3i64 as usize) % u.len())]) < a) {
            Box::new(Ball { r: (2i64 as f64) })
        } else {
            Box::new(Brick { sides: swapped(a, x[((1i64 as usize) % x.len())]), n: (n as i64) })
        };
    } else {
        let mut v25: f64 = u[((1i64 as usize) % u.len())];
    }
    let mut v26: Box<dyn Solid> = Box::new(Ball { r: {
        let mut r = *v11.borrow();
        r
    } });
    let mut v27 = (shared(v13, v13) as f32);
    if ((2i64 < 3i64) && (1i64 == (n as i64))) {
    } else {
    }
    (((match ratio((2i64 as f64), match Some(v13) {
        Some(v31) if (x[((0i64 as usize) % x.len())] < x[((0i64 as usize) % x.len())]) => u[(((n as i64) as usize) % u.len())],
        _ => 0.25,
    }) {
        Ok(v29) => ({
            let mut f = |v32: f64| v26.twice(x[((1i64 as usize) % x.len())]).cos();
            (f(v29) + f(x[(((n as i64) as usize) % x.len())]))
        } * v13),
        Err(v30) => Some(v13).unwrap_or(v13),
    } + a) + v13) + v26.twice(0.5))
}
}

mod p2 {
use super::*;
pub const CASE: Case = Case { seed: 2, args: Args { x: [-0.456267016017618, 0.06839902582325921, -0.45768545203351235, 0.4762581620418787], u: [0.4886883800945861, 0.3025492617433279, -0.34487088014678763], a: -0.7845513452471073, n: 0 }, along: Args { x: [0.6218390594197811, 0.6457739230090674, 0.21401609856905796, -0.42417757327280053], u: [-0.534622509481724, -0.5681416195236975, 0.3101999188103776], a: -0.7982448052263682, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = D { s: S { a: x[((1i64 as usize) % x.len())], b: (a, a), n: 1i64 }, o: Some(a), v: vec![(2.0 as f64), a], e: if (!(x[((1i64 as usize) % x.len())] <= 1.75)) {
        E::One(a)
    } else {
        E::None
    } };
    let mut v11 = &x[0..4];
    let mut v16 = ({
        let mut v12: f64 = 1.0;
        let mut v13: i64 = 0;
        loop {
            v12 = 1.5;
            v13 += 1;
            if ((v13 >= 3) || ({
                let mut v14: f64 = v12;
                let mut v15: i64 = 0;
                loop {
                    v14 = 0.75;
                    v15 += 1;
                    if ((v15 >= 3) || (v12 < a)) {
                        break v14;
                    }
                }
            } < a)) {
                break v12;
            }
        }
    }, a);
    let mut v18: i64 = (n as i64);
    let mut v25: Result<f64, f64> = chained(x[((v18 as usize) % x.len())], {
        let mut v23: f64 = a;
        let mut v24: i64 = 0;
        loop {
            v23 = v23;
            v24 += 1;
            if ((v24 >= 3) || (a < v23)) {
                break v23;
            }
        }
    });
    if (!(x[(((n as i64) as usize) % x.len())] <= 1.75)) {
        let mut v32: f64 = a;
        v16.1 *= 1.5;
    } else {
        let mut v33: Box<dyn Solid> = Box::new(Point);
    }
    ((0.25 + a) + v16.1)
}
}

mod p3 {
use super::*;
pub const CASE: Case = Case { seed: 3, args: Args { x: [-0.9119358024493388, -0.27991143194956986, -0.9912986721522132, 0.31930232145388154], u: [-0.24149415764604573, -0.08612157080759975, -0.18186934775972785], a: 0.10640236998320914, n: 1 }, along: Args { x: [-0.9281319964584688, 0.29039749103092205, 0.2207249468392244, -0.1821107655994657], u: [0.6034251101410919, -0.2434178854876083, 0.11975455371186088], a: -0.6140798532353755, n: 0 }, singles: true };

#[differentiable]
pub fn h1(mut v4: f64, mut v5: f64) -> Option<f64> {
    let mut v10 = vec![turned(turned(S { a: v4, b: (v5, v4), n: 3i64 }, if (v4.max(v5) < v4) {
        E::One(v4)
    } else {
        E::None
    }), E::Two { x: v5, n: 2i64 })];
    let mut v12: i64 = 1i64;
    let mut v15 = turned(S { a: v4, b: (v5, v5), n: (v12 + v12) }, if (v4 < v4) {
        E::One(v4)
    } else {
        E::None
    });
    root(v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Result<f64, f64> = ratio(1.5, a);
    if ((u[((1i64 as usize) % u.len())] < a) && (3i64 < 2i64)) {
        let mut v15 = D { s: S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: (1i64 * 1i64) }, o: h1(a, a).filter(|&v12| (1i64 < 1i64)), v: vec![a.max(1.75), u[((3i64 as usize) % u.len())]], e: if (!(a <= 2.0)) {
            E::One(a)
        } else {
            E::Two { x: 1.0, n: 3i64 }
        } };
        let mut v22: Box<dyn Fn(f64) -> f64> = if (if (!(a <= a)) {
            1.75
        } else {
            0.25
        } < a) {
            Box::new(move |v16: f64| orchard((-x[((1i64 as usize) % x.len())]), (n as i64)))
        } else {
            Box::new(move |v16: f64| (v16 - {
                let mut v19: f64 = x[((0i64 as usize) % x.len())];
                let mut v20: i64 = 0;
                loop {
                    v19 = a;
                    v20 += 1;
                    if ((v20 >= 3) || ({
                        let mut f = |v21: f64| ((a - v16) * v19);
                        (f(0.75) + f(a))
                    } < v19)) {
                        break v19;
                    }
                }
            }))
        };
    } else {
        a = a;
    }
    let mut v24 = vec![a, (0.5 * a)];
    'l25: for v25 in 0i64..(n as i64) {
        {
            let mut m = ((v25 as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v26 = *i;
                let mut v27 = *j;
                let mut e = v26;
                let mut f = (v27, v27).1;
                *i = e;
                *j = f;
            }
        }
        mix(&mut v24, 0.5);
    }
    let mut v28 = (u[((1i64 as usize) % u.len())] as f32);
    ((a + a) + halved(&v24))
}
}

mod p4 {
use super::*;
pub const CASE: Case = Case { seed: 4, args: Args { x: [0.37607973296684943, -0.3705571178756188, -0.9314199565279416, -0.5447497727436007], u: [0.3024939531705158, -0.16835794112015895, -0.16884268256195376], a: -0.5095688185147725, n: 1 }, along: Args { x: [0.22597344935862912, 0.9341615309885731, 0.9705221721312977, -0.36076221387825486], u: [-0.8607650069042179, -0.8677521694785122, 0.2388163804092104], a: 0.8147910683581187, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = swapped(0.75, (1i64 as f64));
    v10.0 += spiral(u[((1i64 as usize) % u.len())], ((2.5 * a) as i64));
    let mut v14: Box<dyn Fn(f64) -> f64> = if (1i64 == 1i64) {
        Box::new(move |v13: f64| a)
    } else {
        Box::new(move |v13: f64| (0.75 as f64))
    };
    (a + v10.1)
}
}

mod p5 {
use super::*;
pub const CASE: Case = Case { seed: 5, args: Args { x: [-0.35453690505451385, -0.9727632015466259, -0.633695344707004, -0.8238516735159662], u: [-0.9755739869693715, -0.7361413834835946, -0.871609352072183], a: 0.35349670103291464, n: 0 }, along: Args { x: [0.4856453630132349, 0.34583564341507483, 0.6894282850898349, -0.7093487241578778], u: [-0.13329679990484478, 0.4872524018806649, -0.11641118152299394], a: 0.10526903796589279, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![turned(S { a: 1.75, b: (x[((1i64 as usize) % x.len())], a), n: (3i64 + 0i64) }, E::Two { x: a, n: 3i64 }), S { a: a, b: (a, u[((1i64 as usize) % u.len())]), n: (n as i64) }, S { a: a, b: ((0.25 as f64), x[(((n as i64) as usize) % x.len())]), n: 0i64 }];
    if (0i64 == 3i64) {
        let mut v12 = |v13: f64| {
            a = match chained(a, a) {
                Ok(v15) => v13,
                Err(v16) => a,
            };
            (a * v13)
        };
        let mut v14 = (apply(&mut v12, 1.0) + v12(0.5));
        for v17 in v10.iter_mut() {
            v17.turn(v14);
        }
    } else {
        let mut v19: f64 = a;
    }
    v10.push(S { a: a.sin(), b: swapped(x[((1i64 as usize) % x.len())], a), n: ((2.5 * a) as i64) });
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        bump(&mut u[i0], 0.5);
    }
    for v20 in v10.iter_mut() {
        v20.turn(x[((1i64 as usize) % x.len())]);
    }
    if (2i64 == (n as i64)) {
        let mut v22 = move |v23: f64| v23;
    } else {
    }
    a
}
}

mod p6 {
use super::*;
pub const CASE: Case = Case { seed: 6, args: Args { x: [0.09744841730077451, 0.721776433224365, 0.6049899371789461, -0.8267502322476543], u: [-0.41756339161137174, -0.03609998988010686, 0.09031499559540013], a: -0.9798573326476979, n: 1 }, along: Args { x: [-0.018949555183663508, 0.11590211652340011, -0.24666657357133637, -0.2515251399721933], u: [-0.25098923878705154, -0.030121638903222194, -0.712693608231742], a: 0.5706469031373782, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = Box::new(Point);
    let mut v11 = if (a < a) {
        E::One(a)
    } else {
        E::None
    };
    let mut v14 = S { a: x[((1i64 as usize) % x.len())].max(a), b: (duo(a, a), x[((0i64 as usize) % x.len())]), n: (n as i64) };
    (1.0 + v14.size(0.75))
}
}

mod p7 {
use super::*;
pub const CASE: Case = Case { seed: 7, args: Args { x: [-0.691589581601165, 0.020014456487388796, 0.14853059914808497, 0.4126397014365569], u: [0.4712046519488852, 0.8072757075655763, 0.8139004027187753], a: 0.08791097259757794, n: 1 }, along: Args { x: [0.8146020336139504, -0.463538952205658, -0.17541434837619047, -0.5375269652749424], u: [-0.8647832886026664, -0.9613515821402544, 0.3779858941613197], a: 0.03487026984166667, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: Result<f64, f64> = ratio(match (if (!(match both(a, 1.0) {
        Some(v12) => a,
        None => 1.5,
    } <= u[(((n as i64) as usize) % u.len())])) {
        E::One(a)
    } else {
        E::Two { x: 0.5, n: (3i64 * 1i64) }
    }) {
        E::One(v10) => v10,
        E::Two { x: v10, n: v11 } => a,
        E::None => a,
    }, u[((2i64 as usize) % u.len())]);
    let mut v14 = vec![rises(x, a)];
    v14 = vec![graded(x[((2i64 as usize) % x.len())], 1i64), a, x[((3i64 as usize) % x.len())]];
    let Some(v16) = Some((0.25 as f64)) else {
        return (u[((1i64 as usize) % u.len())] * 0.75);
    };
    let mut v17: Option<f64> = both(v16, x[((0i64 as usize) % x.len())]);
    {
        let mut m = (((1i64 + 0i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v19 = *i;
            let mut v20 = *j;
            let mut e = v20;
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    let mut v21 = D { s: turned(S { a: a, b: (x[(((n as i64) as usize) % x.len())], v16), n: 3i64 }, E::Two { x: v16, n: 0i64 }), o: root(v16), v: v14.clone(), e: E::Two { x: 1.25, n: ((2.5 * v16) as i64) } };
    let mut v22: i64 = 1i64;
    ((((x[((v22 as usize) % x.len())] + a) + halved(&v14)) + v16) + v17.unwrap_or(0.25))
}
}

mod p8 {
use super::*;
pub const CASE: Case = Case { seed: 8, args: Args { x: [0.3672690278319717, 0.037553943959159466, 0.6001766424287951, -0.8398351856721519], u: [0.055109925238947415, 0.8283122162926382, 0.659082875348546], a: -0.6299832282242711, n: 0 }, along: Args { x: [-0.9659167819008155, -0.10412764059686472, -0.867931888830819, -0.4977265790139238], u: [-0.6982535177468929, 0.39106853121724827, -0.8633739729486852], a: -0.9342779380825313, n: 3 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v15 = turned(S { a: {
        let mut v13: f64 = v4;
        let mut v14: i64 = 0;
        loop {
            v13 = v4;
            v14 += 1;
            if ((v14 >= 3) || (v4 < v4)) {
                break v13;
            }
        }
    }, b: (v4, v4), n: 3i64 }, if (v4 < v4) {
        E::One(v4)
    } else {
        E::None
    });
    let mut e16 = v4.min(v4).sin();
    let mut p16 = if ((1i64 + 2i64) == 3i64) {
        &mut v15.b.0
    } else {
        &mut v4
    };
    *p16 -= e16;
    v15.b.0
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = (a as f32);
    let mut v12 = D { s: S { a: 1.5, b: (a, a), n: 0i64 }, o: Some((0.75 as f64)).filter(|&v11| (!(v11 <= 0.25))), v: vec![h0(a)], e: if (((2.5 * a) as i64) == 1i64) {
        E::One(a)
    } else {
        E::Two { x: a, n: (2i64 + 1i64) }
    } };
    v12 = D { s: turned(S { a: 1.75, b: (u[((2i64 as usize) % u.len())], a), n: ((2.5 * a) as i64) }, E::Two { x: a, n: 3i64 }), o: Some(a).filter(|&v14| ((a.tanh() < v14) || (match Some((1.5 as f64)) {
        Some(v15) => v14,
        None => x[(((n as i64) as usize) % x.len())],
    } < a))), v: vec![(2.0 as f64), a, (v10 as f64)], e: E::One(a) };
    let mut v16 = 0;
    'l16: while ((v16 < 4) && ((v12.v.iter().map(|&v17| v17).fold((0.5 as f64), |s, e| ((s * 0.5) + e)) < a) || (match ((2.5 * x[((3i64 as usize) % x.len())]) as i64) {
        0 => a,
        1 | 2 => a,
        v18 if (match ((2.5 * a) as i64) {
        0 => x[((1i64 as usize) % x.len())],
        1 | 2 => 0.25,
        v19 if (v19 == v19) => a,
        _ => x[((3i64 as usize) % x.len())],
    } < u[(((n as i64) as usize) % u.len())]) => a,
        _ => a,
    } < a))) {
        v16 += 1;
        if (!(a <= a)) {
            let mut v25: i64 = ((2.5 * a) as i64);
            {
                let mut m = (((n as i64) as usize) % (u.len() + 1));
                let (p, q) = u.split_at_mut(m);
                for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                    let mut v26 = *i;
                    let mut v27 = *j;
                    let mut e = (0.75 as f64).sin();
                    let mut f = v26;
                    *i = e;
                    *j = f;
                }
            }
        } else {
            if (0i64 == (n as i64)) {
                let mut v33 = if (!((0.5 as f64).max(a) <= a)) {
                    E::One({
                        let mut v29: f64 = a;
                        let mut v30: i64 = 0;
                        loop {
                            v29 = 1.5;
                            v30 += 1;
                            if ((v30 >= 3) || ((u[((1i64 as usize) % u.len())] < v29) || (v29 < v29))) {
                                break v29;
                            }
                        }
                    })
                } else {
                    E::Two { x: x.iter().enumerate().map(|(i, &v31)| {
                        let mut v32 = (i as i64);
                        ((0.75 as f64), a).0
                    }).sum::<f64>(), n: ((2.5 * 1.5) as i64) }
                };
                let mut v34 = move |v35: f64| v35;
            } else {
            }
        }
    }
    (a + a)
}
}

mod p9 {
use super::*;
pub const CASE: Case = Case { seed: 9, args: Args { x: [0.33728654038098066, -0.8424560390518547, 1.01004927155179, -0.30382145858607446], u: [-0.7395280774116999, 0.5055502418830303, 0.10462149677581267], a: 0.5569476069007991, n: 1 }, along: Args { x: [0.6215246050209033, 0.3251808691993925, 0.057176053679821745, -0.08773519763391795], u: [0.8584718385119665, 0.46128554527281646, -0.03591414502558422], a: 0.721173475026181, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Fn(f64) -> f64> = if (!((a - a) <= x[((3i64 as usize) % x.len())])) {
        Box::new(move |v10: f64| v10)
    } else {
        Box::new(move |v10: f64| (0.25 as f64))
    };
    {
        let mut i0 = (((1i64 * 0i64) as usize) % u.len());
        u[i0] *= v11(((1.25 as f64), a).0);
    }
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] += (a, a).0;
    }
    let mut v18 = (u[(((n as i64) as usize) % u.len())], strided(x, 2i64));
    let mut v19: f64 = u[((2i64 as usize) % u.len())];
    {
        let mut m = (((0i64 * (n as i64)) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v20 = *i;
            let mut v21 = *j;
            let mut e = shared(1.75, 2.0);
            let mut f = x.windows(2).map(|c| {
                let mut v22 = c[0];
                let mut v23 = c[(c.len() - 1)];
                v20
            }).sum::<f64>();
            *i = e;
            *j = f;
        }
    }
    let mut v24: f64 = u[((0i64 as usize) % u.len())];
    'l25: for v25 in 0i64..3i64 {
        if (v25 < 2i64) {
            for p27 in u[1..].iter_mut() {
                let mut v27 = *p27;
                *p27 = v27;
            }
        } else {
        }
    }
    ((((shared(a.cos(), x[((0i64 as usize) % x.len())].sin()) + a) + v18.0) + v19) + v24)
}
}

mod p10 {
use super::*;
pub const CASE: Case = Case { seed: 10, args: Args { x: [-0.6864037711589825, -0.8997336038705774, 0.16225212198834194, 0.9047936485215127], u: [0.5196082254147345, -0.6113880204970011, 0.8135826116600294], a: -0.019553265587007693, n: 0 }, along: Args { x: [0.8824311297255231, -0.457371431304781, 0.40890758998993476, 0.22861775973152013], u: [-0.28995244401483433, 0.2747681832588026, -0.29500110688932807], a: -0.8681011530086511, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (((2.5 * a) as i64) == 3i64) {
        let mut v12: Box<dyn Solid> = if ((2i64 < 2i64) && ((n as i64) < 2i64)) {
            Box::new(Ball { r: a })
        } else {
            Box::new(Brick { sides: swapped(a, x[((2i64 as usize) % x.len())]), n: (0i64 + (n as i64)) })
        };
        let mut v13: Result<f64, f64> = ratio(a, a);
    } else {
        let mut v16: Option<f64> = Some((0.25 as f64));
    }
    let mut v20 = ((2.0 as f64).min(a), match (if (a < a) {
        E::One((1.5 as f64))
    } else {
        E::Two { x: a, n: 1i64 }
    }) {
        E::One(v18) => 0.5,
        E::Two { x: v18, n: v19 } => a,
        E::None => 0.75,
    });
    let mut v23 = (x[((3i64 as usize) % x.len())], a.min(a));
    for p24 in u.iter_mut() {
        let mut v24 = *p24;
        *p24 = a;
    }
    let mut v25: Option<f64> = Some(a);
    {
        let mut i0 = ((2i64 as usize) % u.len());
        u[i0] *= a;
    }
    ((match chained(a, a) {
        Ok(v26) => match E::One((2.0 as f64)) {
            E::One(v28) => match Some(v26) {
                Some(v30) if (v30 < v26) => v26,
                _ => v26,
            },
            E::Two { x: v28, n: v29 } => v26,
            E::None => v26,
        },
        Err(v27) => v25.filter(|&v33| (v27 < v33)).unwrap_or(match (if ((1i64 * 0i64) == 2i64) {
            Some(a)
        } else {
            None
        }) {
            Some(v36) => 1.5,
            None => u[((2i64 as usize) % u.len())],
        }),
    } + a) + v25.unwrap_or(0.25))
}
}

mod p11 {
use super::*;
pub const CASE: Case = Case { seed: 11, args: Args { x: [-0.9493770203720086, 0.3149479726301629, 0.23251967540161522, -0.7755020702060331], u: [-0.8673237831840153, -0.9450921989602709, -0.4979140354956662], a: -0.4108215885362881, n: 2 }, along: Args { x: [-0.8062173622949181, 0.6876400670943934, 0.6334952209069643, 0.6511386209592626], u: [-0.297672354484976, 0.5855327269687485, 0.6154922038660824], a: 0.5587501135312096, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p12 in u.iter_mut() {
        let mut v12 = *p12;
        *p12 = a;
    }
    let mut v13 = if (((2.5 * a) as i64) == 1i64) {
        (-(0.5 as f32))
    } else {
        single((a as f32), (0.5 as f32))
    };
    let mut v15: f64 = a;
    v13 = v13;
    let mut v18: Box<dyn Solid> = Box::new(Ball { r: v15 });
    for p19 in u.iter_mut() {
        let mut v19 = *p19;
        *p19 = 1.75;
    }
    ((x[((2i64 as usize) % x.len())] + v15) + v18.twice(0.5))
}
}

mod p12 {
use super::*;
pub const CASE: Case = Case { seed: 12, args: Args { x: [-0.15232330836741256, 0.054604653424935826, 0.6609776955292179, 0.49524374658205916], u: [0.22475103298902735, -0.2013088237509759, -0.47735249185726786], a: -0.9395070045859346, n: 2 }, along: Args { x: [0.7228156875129742, 0.46625007233889, 0.8292441878768056, 0.47113612653233844], u: [-0.6791727214013824, -0.9880317810291444, 0.7048773492651877], a: -0.9919772839267863, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v16 = Rc::new(RefCell::new(u[((2i64 as usize) % u.len())]));
    let mut v17 = D { s: S { a: x[((3i64 as usize) % x.len())], b: (a, x[((3i64 as usize) % x.len())]), n: 1i64 }, o: both(a, a), v: vec![x[((2i64 as usize) % x.len())], a, x[((1i64 as usize) % x.len())]], e: if ((1i64 == 0i64) || (!(a.max(2.0) <= a))) {
        E::One(a)
    } else {
        E::Two { x: 0.5, n: 0i64 }
    } };
    let mut v18: Result<f64, f64> = if (strided(x, 3i64) < a) {
        Ok(a.cos())
    } else {
        Err((a * a))
    };
    let mut v23 = S { a: {
        let mut r = *v16.borrow();
        r
    }, b: swapped(match (if ((1i64 == 2i64) || (a < a)) {
        Ok(a)
    } else {
        Err((2.0 as f64))
    }) {
        Ok(v19) => x[((1i64 as usize) % x.len())],
        Err(v20) => 1.0,
    }, match Some(a) {
        Some(v22) => x[(((n as i64) as usize) % x.len())],
        None => a,
    }), n: 1i64 };
    (((x[((3i64 as usize) % x.len())] + a) + {
        let mut r = *v16.borrow();
        r
    }) + v23.size(0.75))
}
}

mod p13 {
use super::*;
pub const CASE: Case = Case { seed: 13, args: Args { x: [0.26816538776655574, -0.5311200402286426, 0.9747712459673765, 0.6067059287956612], u: [-0.21354448582020963, -0.9196162088967306, 0.5915891580610516], a: -0.7927400525926788, n: 2 }, along: Args { x: [0.13666162995493863, 0.13507732604435593, -0.16622111818063093, 0.4587110014478508], u: [-0.6594020531744237, -0.22830529549562517, 0.18178495855989873], a: 1.0031661639323104, n: 0 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    v4 = v4;
    duo(match (1i64 + 0i64) {
        0 => v4,
        1 | 2 => v4,
        v12 if (v4 < v4) => v4,
        _ => v4,
    }, v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: [f64; 3] = [a.sin(), spiral(a, 2i64), h0(2.0)];
    let mut v14 = 0;
    'l14: while ((v14 < 4) && (!(counted(a, (n as i64)) <= a))) {
        v14 += 1;
        let Some(v16) = Some(a).map(|v15| x[((3i64 as usize) % x.len())]) else {
            continue 'l14;
        };
        let mut v18 = S { a: a, b: ((0.5 as f64), x[((1i64 as usize) % x.len())]), n: 1i64 };
    }
    let mut v19: Box<dyn Solid> = Box::new(Point);
    let mut v23 = single(if ({
        let mut f = |v20: f64| a;
        (f(a) + f(0.75))
    } < x[(((n as i64) as usize) % x.len())]) {
        (a as f32)
    } else {
        (0.5 as f32)
    }, single((a as f32), (x[((0i64 as usize) % x.len())] as f32)));
    let mut v25: Box<dyn Fn(f64) -> f64> = if (1i64 < 0i64) {
        Box::new(move |v24: f64| (0i64 as f64).cos())
    } else {
        Box::new(move |v24: f64| a)
    };
    let mut v27: Box<dyn Solid> = if (!({
        let mut f = |v26: f64| v25(v26);
        (f(1.25) + f(0.75))
    } <= a)) {
        Box::new(Ball { r: scanned(x, a) })
    } else {
        Box::new(Brick { sides: (a, a), n: (n as i64) })
    };
    a = (match Some(a) {
        Some(v28) => v28,
        None => 1.25,
    }).min(x[((1i64 as usize) % x.len())]);
    let mut v29 = &x[2..3];
    ((((-(x[((1i64 as usize) % x.len())] - 0.75)) * 0.5) + v19.twice(0.5)) + v27.twice(0.5))
}
}

mod p14 {
use super::*;
pub const CASE: Case = Case { seed: 14, args: Args { x: [-0.16691265264157806, 0.7743953980896505, 0.17626307574925568, -0.257001496006135], u: [-0.5507912661937537, 0.8118302571232026, -0.17719854712833522], a: 0.8379119271555249, n: 3 }, along: Args { x: [0.27954361613603246, -0.664022008618156, 0.38077636567190926, 1.0033391927639743], u: [-0.46727277626983693, 0.2716855541063882, -0.6344159699872358], a: 0.8880211036679285, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = (a.min(a), (1.75 as f64).sin());
    {
        let mut i0 = (((1i64 * (n as i64)) as usize) % u.len());
        u[i0] = a;
    }
    let mut v11 = 0;
    'l11: while ((v11 < 4) && (a < a)) {
        v11 += 1;
        let mut v14: Box<dyn Fn(f64) -> f64> = if (2i64 == 2i64) {
            Box::new(move |v12: f64| Some((0.75 as f64)).unwrap_or(match 0i64 {
                0 => a,
                1 | 2 => v12,
                v13 if (1i64 == 0i64) => v12,
                _ => a,
            }))
        } else {
            Box::new(move |v12: f64| (0.5 as f64))
        };
        let mut v18: Box<dyn Fn(f64) -> f64> = if (a < 1.0) {
            Box::new(move |v15: f64| match root(1.75) {
                Some(v16) => x[((2i64 as usize) % x.len())].min(a),
                None => x[((2i64 as usize) % x.len())],
            })
        } else {
            Box::new(move |v15: f64| match Some((1.5 as f64)) {
                Some(v17) if (((2.5 * v15) as i64) == 1i64) => 1.75,
                _ => a,
            })
        };
    }
    mix(u, 0.5);
    let mut v24: [f64; 3] = [duo(a, x[((3i64 as usize) % x.len())]), ((a as f32) as f64), match (E::Two { x: x[((2i64 as usize) % x.len())], n: ((n as i64) * 1i64) }) {
        E::One(v22) => u[((1i64 as usize) % u.len())],
        E::Two { x: v22, n: v23 } => a,
        E::None => a,
    }];
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] *= a;
    }
    ((a + a) + v10.1)
}
}

mod p15 {
use super::*;
pub const CASE: Case = Case { seed: 15, args: Args { x: [-0.8862186364826207, 0.5540495512168682, -0.0022599787787447537, 0.07263489894747138], u: [-0.9001304241089987, 0.03149569213063847, 0.6705518426342054], a: -0.3487688081464584, n: 0 }, along: Args { x: [-0.1706100451867466, 0.1990093076304642, 0.15841498968145673, 0.5000789633799633], u: [-0.7611728755962319, 0.18661503798829576, -0.31643041548342893], a: -0.5099060806128565, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Solid> = if ({
        let mut f = |v10: f64| (0.75 as f64);
        (f(a) + f(a))
    } < a) {
        Box::new(Ball { r: orchard(a, 1i64) })
    } else {
        Box::new(Brick { sides: swapped(0.25, x[((3i64 as usize) % x.len())]), n: 2i64 })
    };
    if (1i64 == 1i64) {
        for p13 in u.iter_mut() {
            let mut v13 = *p13;
            *p13 = (parity(a, 2i64) + {
                let mut v14: f64 = v13;
                let mut v15: i64 = 0;
                loop {
                    v14 = v14;
                    v15 += 1;
                    if ((v15 >= 3) || ((v15 * (n as i64)) == (n as i64))) {
                        break v14;
                    }
                }
            });
        }
        for p16 in u.iter_mut() {
            let mut v16 = *p16;
            *p16 = scanned(x, v16);
        }
    } else {
        for p17 in u[1..].iter_mut() {
            let mut v17 = *p17;
            *p17 = x[(((n as i64) as usize) % x.len())];
        }
    }
    for p18 in u.iter_mut() {
        let mut v18 = *p18;
        *p18 = (v18, x[((1i64 as usize) % x.len())]).0;
    }
    'l19: for &v19 in x {
        let mut v20 = 0;
        'l20: while ((v20 < 4) && ((1i64 < 1i64) && ((1.25 as f64).sin() < a))) {
            v20 += 1;
            let mut v22: Box<dyn Fn(f64) -> f64> = if ((n as i64) < 1i64) {
                Box::new(move |v21: f64| v19)
            } else {
                Box::new(move |v21: f64| v19)
            };
            bump(&mut a, v19);
        }
    }
    ((if (1i64 == 3i64) {
        Some(x[(((n as i64) as usize) % x.len())])
    } else {
        None
    }).unwrap_or(a).sin() + a)
}
}

mod p16 {
use super::*;
pub const CASE: Case = Case { seed: 16, args: Args { x: [-0.12106282690652496, -0.8110279090949056, 0.27317549467711316, 0.3834503886003536], u: [-0.029845844412275137, -0.8078607218021232, -0.7614081649927046], a: 0.9158214154202412, n: 3 }, along: Args { x: [0.7898901776892336, 0.08938539366632267, 0.22335884048591179, -0.2786095985069397], u: [-0.41488884721781655, 0.8480894693099035, -0.34466848179229687], a: -0.11079516365215486, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = if ((n as i64) < 1i64) {
        E::One((1.25 - x[((2i64 as usize) % x.len())]))
    } else {
        E::None
    };
    let mut v14: [f64; 3] = [u[((3i64 as usize) % u.len())], a, root(a).unwrap_or(a)];
    let mut v15: Box<dyn Solid> = if ((v14[((1i64 as usize) % v14.len())] < a) && (a < a)) {
        Box::new(Ball { r: sorted(x, a) })
    } else {
        Box::new(Brick { sides: (a, (1.0 as f64)), n: 0i64 })
    };
    let mut v16 = vec![a, (a * x[((3i64 as usize) % x.len())])];
    if let Some(v17) = root(1.75).map(|v18| v18) {
        if (v16.len() > 1) {
            if let Some(v19) = v16.pop() {
                let mut v21 = ((if (2i64 == 0i64) {
                    Some(x[((2i64 as usize) % x.len())])
                } else {
                    None
                }).unwrap_or(v19), match combined(Some(v17), v17) {
                    Some(v20) => v19,
                    None => v19,
                });
                'l22: for v22 in 0i64..3i64 {
                    for p23 in u[1..].iter_mut() {
                        let mut v23 = *p23;
                        *p23 = duo(v17, 1.75).sin();
                    }
                    let mut v24 = vec![(1.75 as f64), x[(((n as i64) as usize) % x.len())]];
                }
            }
        }
    }
    ((a + match v12 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    }) + halved(&v14))
}
}

mod p17 {
use super::*;
pub const CASE: Case = Case { seed: 17, args: Args { x: [-0.4199035619030216, -0.2628442405982352, 0.694848412929403, 0.036967559924426824], u: [-0.16801974889122123, 0.5188986059583103, -0.5223763541371894], a: -0.40083612276100056, n: 1 }, along: Args { x: [0.6186869613625975, 0.6194243056400577, 0.49689349888317147, -0.35455690260406064], u: [-0.766565981081967, 0.10406476759036531, -0.20234082557995067], a: 0.04728882866571741, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    let mut v13 = S { a: v4, b: (Some((1.75 as f64))?, v5.cos()), n: 1i64 };
    let mut v15: Option<f64> = root(v5).filter(|&v14| (3i64 < v13.n));
    let mut v22 = D { s: S { a: v5, b: (v4, v4), n: ((2.5 * v4) as i64) }, o: Some(v5), v: vec![v5, v4], e: E::Two { x: v4, n: 2i64 } };
    v22.o
}

#[differentiable]
pub fn h1(mut v4: f64) -> Option<f64> {
    let mut v10 = vec![S { a: v4, b: (v4, v4), n: 3i64 }, turned(S { a: v4, b: swapped(v4, v4), n: 3i64 }, if ((0i64 == 2i64) || (((0.75 as f64), v4).1 < v4)) {
        E::One(v4)
    } else {
        E::Two { x: v4, n: 1i64 }
    }), S { a: v4, b: (v4, v4), n: 1i64 }];
    let mut v12 = Rc::new(RefCell::new(v4));
    {
        let mut e = v4;
        *v12.borrow_mut() *= e;
    }
    Some(v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = D { s: S { a: x[((0i64 as usize) % x.len())], b: swapped(a, a), n: (2i64 + 1i64) }, o: combined(root(a), a), v: vec![a, match (if (a < u[((0i64 as usize) % u.len())]) {
        Some(a)
    } else {
        None
    }) {
        Some(v10) => x[(((n as i64) as usize) % x.len())],
        None => a,
    }], e: E::Two { x: a, n: (2i64 + 1i64) } };
    'l12: for &v12 in x {
        let mut v22: Box<dyn Fn(f64) -> f64> = if (match ratio(a, a) {
            Ok(v14) => x[((2i64 as usize) % x.len())],
            Err(v15) => v12,
        } < a) {
            Box::new(move |v13: f64| v13)
        } else {
            Box::new(move |v13: f64| match (E::Two { x: a, n: 1i64 }) {
                E::One(v16) => v16,
                E::Two { x: v16, n: v17 } => {
                    let mut v18: f64 = a;
                    let mut v19: i64 = 0;
                    loop {
                        v18 = 0.25;
                        v19 += 1;
                        if ((v19 >= 3) || ((x[((v19 as usize) % x.len())] < 1.75) && (!(v13 <= v13)))) {
                            break v18;
                        }
                    }
                },
                E::None => if (v12.sin() < v12) {
                    x[((1i64 as usize) % x.len())]
                } else {
                    a
                },
            })
        };
        stretch(&mut v11, v12.cos());
    }
    let mut v29 = D { s: S { a: u[(((n as i64) as usize) % u.len())], b: ((1.5 as f64), a), n: 2i64 }, o: Some(a).filter(|&v24| ((3i64 < 2i64) || (v24 < a))), v: vec![weigh(&v11, a), match E::One(a) {
        E::One(v27) => 1.0,
        E::Two { x: v27, n: v28 } => a,
        E::None => a,
    }], e: if (a < x[((0i64 as usize) % x.len())]) {
        E::One(x[((0i64 as usize) % x.len())])
    } else {
        E::Two { x: a, n: ((n as i64) + (n as i64)) }
    } };
    a += 1.75;
    let mut v30: Result<f64, f64> = ratio(u[((0i64 as usize) % u.len())], (x[((1i64 as usize) % x.len())], (1.25 as f64)).0);
    a = a;
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % u.len());
        u[i0] *= {
            let mut f = |v34: f64| x[((1i64 as usize) % x.len())];
            (f(graded(a, 1i64)) + f({
                let mut f = |v36: f64| orchard({
                    let mut f = |v37: f64| v36;
                    (f(a) + f(a))
                }, 1i64);
                (f(x[((1i64 as usize) % x.len())]) + f(a))
            }))
        };
    }
    stretch(&mut v11, 0.5);
    (((match h1(a) {
        Some(v38) if (3i64 < (n as i64)) => a,
        _ => a,
    }).min(h0(2i64, a, a).and_then(|v39| Some(x[((1i64 as usize) % x.len())])).unwrap_or(x[((0i64 as usize) % x.len())])) + weigh(&v11, 0.5)) + weigh(&v29, 0.5))
}
}

mod p18 {
use super::*;
pub const CASE: Case = Case { seed: 18, args: Args { x: [0.7150147659829486, 0.49010548543505467, 0.3040261127413559, 0.838215370321556], u: [0.3940577293816308, -0.9386802575934634, 0.06419759728887592], a: 0.6601179824630463, n: 0 }, along: Args { x: [-0.059852885963321924, -0.04950351505710171, 0.12223979834516296, -0.15831270657227092], u: [0.8159215158907123, -0.3167376046977149, -0.6936140876202653], a: 0.45833135266143105, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: [f64; 3] = [(0.75 as f64).cos(), Some(a).unwrap_or(1.25), a];
    let mut v12: i64 = 0i64;
    let mut v13: i64 = v12;
    (a + a)
}
}

mod p19 {
use super::*;
pub const CASE: Case = Case { seed: 19, args: Args { x: [-0.9963398153141693, 0.7126634528670914, -0.42781089159023333, 0.5855926680333192], u: [-0.9185791309577142, -0.9602519279420194, -0.5512422816122294], a: 0.33089256594861716, n: 0 }, along: Args { x: [0.6521707140058138, -0.8374229384111302, 0.8582878571894346, 1.0020366747818577], u: [-0.027307868073253118, 0.4939590203438151, -0.7715037927958379], a: -0.6226168976982778, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = (((0i64 + 2i64) as usize) % u.len());
        u[i0] *= 1.0;
    }
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = v10;
    }
    let mut v17 = L::Node(0.5, Box::new(L::End));
    let mut v27 = L::Node({
        let mut v25: f64 = 0.5;
        let mut v26: i64 = 0;
        loop {
            v25 = 1.75;
            v26 += 1;
            if ((v26 >= 3) || (3i64 < 1i64)) {
                break v25;
            }
        }
    }, Box::new(L::Node(match (&v17) {
        L::Node(v23, v24) => {
            let mut v23 = *v23;
            0.5
        },
        L::End => a,
    }, Box::new(L::Node(1.5, Box::new(L::End))))));
    let mut v30: Result<f64, f64> = ratio(a, match 1i64 {
        0 => x[(((n as i64) as usize) % x.len())],
        1 | 2 => u[(((n as i64) as usize) % u.len())],
        v29 if (a < x[((v29 as usize) % x.len())]) => a,
        _ => a,
    });
    let mut v31: [f64; 3] = [x[(((n as i64) as usize) % x.len())], a, (a, x[((0i64 as usize) % x.len())]).0];
    let mut e35 = match (0i64 * 3i64) {
        0 => root(a).unwrap_or(a),
        1 | 2 => a,
        v36 if (0.25 < a) => a,
        _ => a,
    };
    let mut p35 = if ((n as i64) < 1i64) {
        let mut i0 = (((n as i64) as usize) % v31.len());
        &mut v31[i0]
    } else {
        let mut i0 = (((1i64 + 3i64) as usize) % u.len());
        &mut u[i0]
    };
    *p35 -= e35;
    let mut v39: i64 = ((2.5 * ((1.5 as f32) as f64)) as i64);
    let mut v40 = &x[2..4];
    (((a + a) + total(&v17)) + halved(&v31))
}
}

mod p20 {
use super::*;
pub const CASE: Case = Case { seed: 20, args: Args { x: [-0.3648875259284387, -0.43390481536666614, -0.6516144781048726, -0.6970243970693166], u: [0.5385170708203053, -0.8661523033726397, 0.0262199912842285], a: 0.722824302536005, n: 1 }, along: Args { x: [0.0792307339895558, -0.5082647007526783, 0.6411468196176549, 0.5952976786425975], u: [-0.5962642479896908, 0.9295347459535243, 0.034316399501860995], a: -0.3480304380380568, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = L::Node(a, Box::new(L::End));
    'l13: for v13 in 0i64..(n as i64) {
        let mut v14 = &x[2..4];
        for p16 in u.iter_mut() {
            let mut v16 = *p16;
            *p16 = a;
        }
    }
    for p19 in u[1..].iter_mut() {
        let mut v19 = *p19;
        *p19 = x[((3i64 as usize) % x.len())];
    }
    let mut v20: Option<f64> = Some(a);
    if ((1i64 < (n as i64)) && ({
        let mut f = |v22: f64| v22;
        (f(a) + f(a))
    } < a)) {
        for p23 in u.iter_mut() {
            let mut v23 = *p23;
            *p23 = match (&v12) {
                L::Node(v24, v25) => {
                    let mut v24 = *v24;
                    (0.5 + x[((1i64 as usize) % x.len())])
                },
                L::End => (2i64 as f64),
            };
        }
        let mut v26 = 0;
        'l26: while ((v26 < 4) && ((a < a) || (1i64 == (n as i64)))) {
            v26 += 1;
            {
                let mut m = (((0i64 + 3i64) as usize) % (u.len() + 1));
                let (p, q) = u.split_at_mut(m);
                for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                    let mut v30 = *i;
                    let mut v31 = *j;
                    let mut e = match ((2.5 * v31) as i64) {
                        0 => a,
                        1 | 2 => a,
                        v32 if (2i64 < v32) => v31,
                        _ => v30,
                    };
                    let mut f = match (&v12) {
                        L::Node(v33, v34) => {
                            let mut v33 = *v33;
                            v30
                        },
                        L::End => v30,
                    };
                    *i = e;
                    *j = f;
                }
            }
        }
    } else {
    }
    ((graded(halved(x), (3i64 * 3i64)) + a) + v20.unwrap_or(0.25))
}
}

mod p21 {
use super::*;
pub const CASE: Case = Case { seed: 21, args: Args { x: [-0.3586484899730018, 0.8622163633630544, 0.9570371320184573, -0.3293521272813053], u: [0.7846590979216073, -0.3022306311044836, -0.894157451272383], a: -0.6483734102124281, n: 0 }, along: Args { x: [0.6475024707773575, -0.5890820893993985, -0.7909022076122281, -0.38043478259551045], u: [-0.6711851838589524, -0.836133967751637, 0.3151714856445168], a: -0.505210502881904, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = (a, x[((0i64 as usize) % x.len())].min(a));
    let mut v12 = S { a: a, b: v10, n: 1i64 };
    for p13 in u.iter_mut() {
        let mut v13 = *p13;
        *p13 = (a * x[((1i64 as usize) % x.len())]);
    }
    let mut v16 = D { s: S { a: a, b: v10, n: ((2.5 * a) as i64) }, o: Some(a), v: vec![(0.5 * a)], e: E::One(a) };
    for p17 in u[1..].iter_mut() {
        let mut v17 = *p17;
        *p17 = x[(((n as i64) as usize) % x.len())];
    }
    let mut v18 = v12;
    (((((a + a) + v10.1) + v12.size(0.75)) + weigh(&v16, 0.5)) + v18.size(0.75))
}
}

mod p22 {
use super::*;
pub const CASE: Case = Case { seed: 22, args: Args { x: [-0.9236312411099935, -0.08767204364243429, -0.47618457283675775, -0.5875759565615283], u: [0.16165561884129392, 0.7769091577142913, 0.6666886263968509], a: -0.3811314829744468, n: 2 }, along: Args { x: [-0.34128465937579583, 0.8623416517778791, -0.050299918732253715, 0.9186158796859484], u: [0.48880380460216694, 0.8869217331408051, -0.042214414384591684], a: 0.7834625294452058, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = L::Node(a, Box::new(L::End));
    let mut v12: f64 = shared(a, a);
    let mut v15: [f64; 3] = [match (&v11) {
        L::Node(v13, v14) => {
            let mut v13 = *v13;
            v13
        },
        L::End => v12,
    }, v12, x[((1i64 as usize) % x.len())]];
    let mut v17 = ({
        let mut f = |v16: f64| ((-a) * v12);
        (f(x[(((n as i64) as usize) % x.len())]) + f(a))
    }, if (2i64 < 0i64) {
        u[((2i64 as usize) % u.len())]
    } else {
        a
    });
    let mut v19 = E::Two { x: a, n: 1i64 };
    if ((!((u[(((n as i64) as usize) % u.len())], a).0 <= a)) && (1i64 < 1i64)) {
        return (0.5 * a);
    }
    mix(u, 0.5);
    if let Some(v22) = root(1.0) {
        grow(&mut v11, v22);
        let mut v23 = v11.clone();
    }
    (((match E::One(match Some(a) {
        Some(v26) if (total(&v11) < 1.5) => v12,
        _ => 0.25,
    }) {
        E::One(v24) => u[(((n as i64) as usize) % u.len())],
        E::Two { x: v24, n: v25 } => x.iter().map(|&v30| v30).sum::<f64>(),
        E::None => a,
    } + a) + total(&v11)) + match v19 {
        E::One(v31) => v31,
        E::Two { x: v31, n: v32 } => v31,
        E::None => 0.5,
    })
}
}

mod p23 {
use super::*;
pub const CASE: Case = Case { seed: 23, args: Args { x: [0.24824304178158135, 0.15702494598738004, -0.2735962707435293, 0.43636791479491555], u: [0.19349968117401944, 0.5876694011515018, -0.3977445044412514], a: 0.8366018914513178, n: 1 }, along: Args { x: [0.7578229051203061, 0.9305253788336458, 0.23532825763831744, -0.3423465532610165], u: [-0.8535068752553552, -0.3507292599410855, -0.46165653783761523], a: 0.477664147826019, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = vec![match 1i64 {
        0 => a,
        1 | 2 => 2.0,
        v10 if (a < a) => x[(((n as i64) as usize) % x.len())],
        _ => a,
    }];
    let mut v13: Option<f64> = combined(root(a), a);
    for p14 in v11.iter_mut() {
        let mut v14 = *p14;
        *p14 = v14;
    }
    'l15: while let Some(v15) = v11.pop() {
        let mut v16 = vec![turned(S { a: v15, b: (x[((0i64 as usize) % x.len())], v15), n: (n as i64) }, E::Two { x: v15, n: (n as i64) }), S { a: v15, b: (x[((3i64 as usize) % x.len())], v15), n: (0i64 + 2i64) }];
        if (!(a.sin() <= a)) {
            break;
        }
    }
    v11.push((if (2i64 < 1i64) {
        Some((1.75 as f64))
    } else {
        None
    }).unwrap_or(u[((1i64 as usize) % u.len())]));
    'l17: for v17 in 0i64..3i64 {
        {
            let mut m = ((v17 as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v18 = *i;
                let mut v19 = *j;
                let mut e = a;
                let mut f = match chained(1.5, 1.75) {
                    Ok(v20) => v20,
                    Err(v21) => v19,
                };
                *i = e;
                *j = f;
            }
        }
        if (1i64 < v17) {
            let mut v23: i64 = v17;
        } else {
        }
    }
    a
}
}

mod p24 {
use super::*;
pub const CASE: Case = Case { seed: 24, args: Args { x: [0.935990668138843, 0.23747888442789525, -0.20533614656006777, -0.38966217464839686], u: [-0.8155458810406914, -0.08531724932740349, -0.31675996520145394], a: 0.7465881770988937, n: 0 }, along: Args { x: [-0.8389197488553207, -0.4387211826428688, -0.5788865817475439, 0.21008529601909118], u: [-0.06875572045987047, 0.13070171865580127, 0.8059027659173184], a: 0.5875580226044441, n: 2 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10: i64 = 1i64;
    let mut v11 = vec![v4];
    if ((3i64 + 0i64) == v10) {
        v4
    } else {
        v4
    }
}

#[differentiable]
pub fn h1(mut v4: f64, mut v5: f64) -> f64 {
    let mut v10 = move |v11: f64| if (!(v4 <= v11)) {
        v4
    } else {
        v11
    };
    let mut v14 = D { s: S { a: v4, b: (v4, v5), n: ((2.5 * 0.25) as i64) }, o: Some(v4), v: vec![v5, {
        let mut v12: f64 = v5;
        let mut v13: i64 = 0;
        loop {
            v12 = v4;
            v13 += 1;
            if ((v13 >= 3) || ((v5 + v5) < v12)) {
                break v12;
            }
        }
    }], e: if (0i64 == 1i64) {
        E::One(v5)
    } else {
        E::None
    } };
    let mut v19: Option<f64> = both({
        let mut f = |v15: f64| match root(0.5).filter(|&v17| (1i64 == 0i64)) {
            Some(v16) => match Some(v5) {
                Some(v18) if (!(graded(1.5, 0i64) <= v18)) => v15,
                _ => v5,
            },
            None => v10(v5),
        };
        (f(v5) + f(v4))
    }, v10(v5));
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = E::One(x[((3i64 as usize) % x.len())]);
    let mut v12: Box<dyn Fn(f64) -> f64> = if (3i64 == 1i64) {
        Box::new(move |v11: f64| (2.0 as f64))
    } else {
        Box::new(move |v11: f64| spiral(h1(a, 0.5), 1i64))
    };
    let mut v15: Box<dyn Solid> = if (1i64 < 3i64) {
        Box::new(Ball { r: x.iter().map(|&v14| if (((-a) < a) || (2i64 < 1i64)) {
            v12(v14)
        } else {
            a.min(a)
        }).filter(|e| (*e > 0.0)).sum::<f64>() })
    } else {
        Box::new(Brick { sides: (u[((0i64 as usize) % u.len())], x[(((n as i64) as usize) % x.len())]), n: (1i64 + 2i64) })
    };
    let mut v16 = if ((a * 1.5) < a) {
        if (0i64 == 0i64) {
            (a as f32)
        } else {
            (a as f32)
        }
    } else {
        if (1i64 < 1i64) {
            (x[((2i64 as usize) % x.len())] as f32)
        } else {
            (a as f32)
        }
    };
    for p17 in u.iter_mut() {
        let mut v17 = *p17;
        *p17 = a;
    }
    {
        let mut i0 = (((3i64 * 1i64) as usize) % u.len());
        u[i0] *= a;
    }
    (((1.25 * root(x[((1i64 as usize) % x.len())]).unwrap_or(a)) - h0(2i64, 1.5)) + match v10 {
        E::One(v18) => v18,
        E::Two { x: v18, n: v19 } => v18,
        E::None => 0.5,
    })
}
}

mod p25 {
use super::*;
pub const CASE: Case = Case { seed: 25, args: Args { x: [0.05620934947923688, 0.643021726658245, -0.4503632412640001, -0.3387108218379616], u: [0.4596034519629015, 0.09769737764148506, 0.7825047956042505], a: 0.4006620131914125, n: 0 }, along: Args { x: [-0.9274653643531023, 0.9421033402734058, 0.24235147154508527, 0.5827285988102116], u: [-0.4657584308394158, -0.6192171585153566, -0.5286801606849576], a: -0.18689523061084254, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v15: f64 = v4;
    'l16: for v16 in 0i64..3i64 {
        let mut v17 = L::Node(v4, Box::new(L::End));
        let mut v18 = turned(S { a: 0.5, b: ((1.0 as f64), (1.5 as f64)), n: ((-9223372036854775807i64) / v16) }, E::Two { x: v4, n: v16 });
    }
    let mut v19 = move |v20: f64| v15;
    (match Some(v15) {
        Some(v21) if ({
        let mut f = |v22: f64| match (if (3i64 == 0i64) {
            E::One(v22)
        } else {
            E::None
        }) {
            E::One(v23) => v22,
            E::Two { x: v23, n: v24 } => 1.25,
            E::None => (v22 + v21),
        };
        (f(v15) + f(v15))
    } < v4) => 1.25,
        _ => v4,
    }).min(0.25)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = D { s: turned(S { a: a, b: (a, (0.25 as f64)), n: (1099511627776i64 - 1i64) }, if (0i64 < 2i64) {
        E::One(a)
    } else {
        E::None
    }), o: both(a, x[((1i64 as usize) % x.len())]), v: vec![a], e: E::One(x[((2i64 as usize) % x.len())]) };
    {
        let mut i0 = (((1i64 - 1i64) as usize) % v10.v.len());
        v10.v[i0] += a;
    }
    let mut v13 = L::Node(match (if ((1i64 as f64) < a) {
        Some(a)
    } else {
        None
    }) {
        Some(v12) if (0i64 < 2i64) => a,
        _ => a,
    }, Box::new(L::End));
    a += root(x[(((n as i64) as usize) % x.len())]).unwrap_or(((0.75 as f64), a).1);
    {
        let mut i0 = ((1i64 as usize) % v10.v.len());
        v10.v[i0] = a;
    }
    let mut v15 = L::Node(a.min(a), Box::new(L::Node(a, Box::new(L::End))));
    (((match ratio(match (if (1i64 == (n as i64)) {
        Ok(a)
    } else {
        Err(a)
    }) {
        Ok(v18) => a,
        Err(v19) => v19,
    }, {
        let mut f = |v20: f64| h0(2i64, h0(2i64, x[((1i64 as usize) % x.len())]));
        (f(a) + f(0.5))
    }) {
        Ok(v16) => (0.25 - x[(((n as i64) as usize) % x.len())]).sin(),
        Err(v17) => u[((3i64 as usize) % u.len())],
    } + a) + weigh(&v10, 0.5)) + total(&v15))
}
}

mod p26 {
use super::*;
pub const CASE: Case = Case { seed: 26, args: Args { x: [0.21308060076245094, 0.8676170518970004, -0.3075259255855021, -0.0873667705928819], u: [0.13772956279572937, 0.5972498038453244, -0.3460414504554259], a: -0.04966767851468455, n: 1 }, along: Args { x: [-0.9572988912868051, -0.30643146024135587, 0.23172925941797243, -0.11334228733042723], u: [1.0055103475779497, 0.6821479166174271, -0.07943781514257797], a: 0.30614595903841335, n: 1 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    let mut v10 = move |v11: f64| (0.75 as f64);
    let mut v12 = Rc::new(RefCell::new(v5));
    both(1.0, v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (1i64 < 0i64) {
        let mut v12: Box<dyn Solid> = Box::new(Ball { r: x[((1i64 as usize) % x.len())] });
        let mut v13: Result<f64, f64> = ratio(u[(((n as i64) as usize) % u.len())], 2.0);
    } else {
        if let Some(v14) = h0(2i64, a, x[((1i64 as usize) % x.len())]) {
            for p15 in u.iter_mut() {
                let mut v15 = *p15;
                *p15 = x[((0i64 as usize) % x.len())].sin();
            }
            let mut v16 = (a as f32);
        }
    }
    let mut v17 = &x[2..4];
    let mut v18: i64 = 1i64;
    let mut v24: Box<dyn Fn(f64) -> f64> = if (((0.5 * a) < a) || (!(((a as f32) as f64) <= u[((2i64 as usize) % u.len())]))) {
        Box::new(move |v19: f64| {
            let mut v20: f64 = a;
            let mut v21: i64 = 0;
            loop {
                v20 = x.iter().enumerate().map(|(i, &v22)| {
                    let mut v23 = (i as i64);
                    (0.5 as f64)
                }).sum::<f64>();
                v21 += 1;
                if ((v21 >= 3) || (1.0 < a)) {
                    break v20;
                }
            }
        })
    } else {
        Box::new(move |v19: f64| (0.75 * v19))
    };
    let mut v25 = ((u[((v18 as usize) % u.len())] + x[((1i64 as usize) % x.len())]), v24(1.75));
    (((single(((1.25 as f32) - (a as f32)), (a as f32)) as f64) + a) + v25.1)
}
}

mod p27 {
use super::*;
pub const CASE: Case = Case { seed: 27, args: Args { x: [0.7434020112018778, -0.8785226680589086, -0.7671789789138276, -0.3469193782187041], u: [0.9159878387847364, 0.2096880626225205, 0.988916368477464], a: 0.45154766173400573, n: 2 }, along: Args { x: [-0.7845911771218116, -0.8163329238246101, -0.333913407718861, -0.46464693711316885], u: [-0.3229831321354183, 0.30828320450209123, 0.4329189540926517], a: -0.9013975132331234, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v12 = S { a: v4, b: (((1.25 * 1.0) as f64), v4), n: ((2.5 * v4) as i64) };
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[0..3];
    {
        let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v12 = *i;
            let mut v13 = *j;
            let mut e = 0.25;
            let mut f = x[((2i64 as usize) % x.len())];
            *i = e;
            *j = f;
        }
    }
    'l14: for v14 in 0i64..3i64 {
        let mut v18 = E::One(a.min(a));
        'l19: for v19 in 0i64..3i64 {
            let mut v20 = Rc::new(RefCell::new((0.25 as f64)));
            for p21 in u[1..].iter_mut() {
                let mut v21 = *p21;
                *p21 = (2.0 as f64).min(v21.cos());
            }
        }
    }
    a += h0(a);
    let mut v23 = vec![S { a: x[((2i64 as usize) % x.len())], b: (a, a), n: 3i64 }];
    if ((0.5 * 1.5) < x[(((n as i64) as usize) % x.len())]) {
    } else {
    }
    (a + v23[((1i64 as usize) % v23.len())].a)
}
}

mod p28 {
use super::*;
pub const CASE: Case = Case { seed: 28, args: Args { x: [-0.3267883019921014, -0.22073995709231725, -0.9239783128016972, 0.19559381387762648], u: [-0.4985130405981823, 0.28290374415601083, 0.7745437349911227], a: 0.9329598256509811, n: 3 }, along: Args { x: [0.9961362149034895, -0.9138881284068296, -0.3173277625111717, -0.0032279486693929885], u: [0.48790364429208183, 0.9121132914448574, 0.9192010224443677], a: -0.46414335598859874, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = turned(S { a: match (if (!(a <= a)) {
        Ok(a)
    } else {
        Err(a)
    }) {
        Ok(v10) => a,
        Err(v11) => a,
    }, b: (x[((2i64 as usize) % x.len())], x[(((n as i64) as usize) % x.len())]), n: 3i64 }, if (!(a.cos() <= a)) {
        E::One(u[((1i64 as usize) % u.len())])
    } else {
        E::None
    });
    let mut v13: [f64; 3] = [x[(((n as i64) as usize) % x.len())], counted(a, 1i64), (1.75 as f64)];
    let mut v26: [f64; 3] = [a, u[(((n as i64) as usize) % u.len())], {
        let mut v24: f64 = a;
        let mut v25: i64 = 0;
        loop {
            v24 = 1.75;
            v25 += 1;
            if ((v25 >= 3) || (!(x[((v12.n as usize) % x.len())] <= 1.75))) {
                break v24;
            }
        }
    }];
    let mut v27 = |v28: f64| {
        a = a;
        (a * v28)
    };
    let mut v29 = (apply(&mut v27, 0.5) + v27(match both(0.5, x[((2i64 as usize) % x.len())]) {
        Some(v32) if (match (if (v32 < v32) {
        Ok(v32)
    } else {
        Err(v32)
    }) {
        Ok(v33) => v32,
        Err(v34) => v32,
    } < 0.25) => 1.0,
        _ => x[((0i64 as usize) % x.len())],
    }));
    ((v29 + a) + halved(&v26))
}
}

mod p29 {
use super::*;
pub const CASE: Case = Case { seed: 29, args: Args { x: [0.27762954832034054, -0.49793907381188585, -0.19409112402162343, -0.6242486763839892], u: [-0.17878854986170403, -0.12623683272883593, -0.932716246555633], a: 0.30158682289411864, n: 1 }, along: Args { x: [-0.10785375572043523, -0.2242070341674045, 0.6223564686634785, 0.5497887750409317], u: [0.3303352955321258, -0.3747340643664544, -0.6526333338540157], a: 0.24208113941696516, n: 2 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11: i64 = 0i64;
    (v5 + (v5 + v5))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = ((1.75 as f32).min((0.5 as f32)) - (-(a as f32)));
    let mut v11 = (a, (0.5 * x[((0i64 as usize) % x.len())]));
    if ((n as i64) < 2i64) {
        for p13 in u[1..].iter_mut() {
            let mut v13 = *p13;
            *p13 = match E::One(v13) {
                E::One(v14) => counted(v14, 0i64),
                E::Two { x: v14, n: v15 } => {
                    let mut v16: f64 = x[(((n as i64) as usize) % x.len())];
                    let mut v17: i64 = 0;
                    loop {
                        v16 = 2.0;
                        v17 += 1;
                        if ((v17 >= 3) || (v17 == (n as i64))) {
                            break v16;
                        }
                    }
                },
                E::None => v13.min(1.75),
            };
        }
        let mut v20 = Rc::new(RefCell::new(match (if (((2i64 * 2i64) == 3i64) && ((x[((2i64 as usize) % x.len())] * a) < a)) {
            E::One(a)
        } else {
            E::None
        }) {
            E::One(v18) => h0(2i64, v18, v18),
            E::Two { x: v18, n: v19 } => h0(2i64, v18, a),
            E::None => a,
        }));
    } else {
        'l21: for &v21 in x {
            let mut v22 = v11;
            let mut v23 = v22;
        }
    }
    {
        let mut m = ((2i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v25 = *i;
            let mut v26 = *j;
            let mut e = shared(1.75, v26);
            let mut f = v25;
            *i = e;
            *j = f;
        }
    }
    let mut v27 = &x[0..3];
    (1.5 + v11.0)
}
}

mod p30 {
use super::*;
pub const CASE: Case = Case { seed: 30, args: Args { x: [0.06728679133007762, -0.8431540040865312, 0.91906175688593, 0.535744607902798], u: [0.31680079574518666, 0.44143432773888536, -0.5459771252662551], a: 0.215853230199336, n: 2 }, along: Args { x: [0.9542134131141954, -0.9281308759342798, 0.9246132617239881, -0.19067640261177873], u: [0.7637744528038233, 0.4584929723898296, 0.8513697569822734], a: 0.14428734839375798, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![S { a: a, b: (a, (1.0 as f64)), n: (0i64 * 2i64) }, turned(S { a: a, b: (a, a), n: 1i64 }, if (1.0 < 0.75) {
        E::One(a)
    } else {
        E::None
    })];
    let mut v11: i64 = (n as i64);
    let mut e13 = (u[((v11 as usize) % u.len())] - (-0.5));
    let mut p13 = if ((v11 == v11) && (1i64 < v11)) {
        let mut i0 = ((v11 as usize) % u.len());
        &mut u[i0]
    } else {
        &mut a
    };
    *p13 -= e13;
    ((a + a) + v10[((1i64 as usize) % v10.len())].a)
}
}

mod p31 {
use super::*;
pub const CASE: Case = Case { seed: 31, args: Args { x: [0.05109578559217622, -0.5148288698800232, -0.7145179072527472, 0.16013988960575362], u: [-0.0691181989259135, -0.971594971780622, 0.5139688108697639], a: 0.5757514191252617, n: 2 }, along: Args { x: [0.8239740253061878, -0.8940200631822818, 0.2977321465233636, -0.38723740478261665], u: [-0.9750305945002647, 0.1799117825314017, 0.3779182950218883], a: 0.21775220471542883, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![S { a: a, b: (u[((3i64 as usize) % u.len())], a), n: 1i64 }, S { a: a, b: ((1.75 as f64), (0.25 as f64)), n: 1i64 }, S { a: a, b: ((1.5 as f64), (0.25 as f64)), n: (n as i64) }];
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v11 = *i;
            let mut v12 = *j;
            let mut e = 0.25;
            let mut f = a.max(v11);
            *i = e;
            *j = f;
        }
    }
    let mut v13: Box<dyn Solid> = if (0.25 < a) {
        Box::new(Ball { r: a })
    } else {
        Box::new(Brick { sides: (a, a), n: 1i64 })
    };
    if (a < 1.75) {
        for p15 in u.iter_mut() {
            let mut v15 = *p15;
            *p15 = a;
        }
        let mut v16 = (-(a as f32)).min((-(a as f32)));
    } else {
        for p17 in u[1..].iter_mut() {
            let mut v17 = *p17;
            *p17 = Some(x[((3i64 as usize) % x.len())]).unwrap_or(solids(a, 2i64));
        }
    }
    let mut v21: Box<dyn Fn(f64) -> f64> = if ((3i64 * (n as i64)) == 0i64) {
        Box::new(move |v18: f64| (x[((3i64 as usize) % x.len())].min(v18) + root(x[((3i64 as usize) % x.len())]).unwrap_or(a)))
    } else {
        Box::new(move |v18: f64| (a + v18))
    };
    (a + v13.twice(0.5))
}
}

mod p32 {
use super::*;
pub const CASE: Case = Case { seed: 32, args: Args { x: [0.8266037403256739, 0.14585437745282415, -0.4246111536917054, 0.6219423418259377], u: [0.5655182099742861, -0.7635495554083871, 0.08684863337803117], a: 0.5835652151956615, n: 1 }, along: Args { x: [0.1514720653569736, -0.3411793543331248, -0.8158722806795241, 0.021549266276970576], u: [-0.6931786125521265, -0.8699897413624631, -0.013923096610030243], a: -0.22749897331183896, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = 0;
    'l10: while ((v10 < 4) && (u[((0i64 as usize) % u.len())] < u[(((n as i64) as usize) % u.len())])) {
        v10 += 1;
        let mut v12: Box<dyn Fn(f64) -> f64> = if ((1.25 < a) || (0i64 < 3i64)) {
            Box::new(move |v11: f64| x[((2i64 as usize) % x.len())])
        } else {
            Box::new(move |v11: f64| v11.cos())
        };
        bump(&mut a, (0.5 as f64).sin());
    }
    let mut v16 = vec![((match Some(x[((1i64 as usize) % x.len())]) {
        Some(v14) => 0.75,
        None => 1.0,
    }) as f64), match both(a, u[(((n as i64) as usize) % u.len())]) {
        Some(v15) => a,
        None => a,
    }];
    for p17 in v16.iter_mut() {
        let mut v17 = *p17;
        *p17 = match E::One(x[(((n as i64) as usize) % x.len())]) {
            E::One(v18) => 2.0,
            E::Two { x: v18, n: v19 } => (a, v17).1,
            E::None => v17,
        };
    }
    let mut v20 = vec![S { a: 0.25, b: (a, a), n: (0i64 + 3i64) }];
    v16.reverse();
    let mut v21: f64 = a;
    let mut v22 = |v23: f64| {
        v21 = v23.tanh();
        (v21 * v23)
    };
    let mut v24 = (apply(&mut v22, match Some(x[((1i64 as usize) % x.len())]) {
        Some(v25) => v25,
        None => 0.5,
    }) + v22(a));
    let mut v26 = ((v24 as f32) * (a as f32));
    (((v24.min((a * (v24 - x[((1i64 as usize) % x.len())]))) + halved(&v16)) + v20[((1i64 as usize) % v20.len())].a) + v24)
}
}

mod p33 {
use super::*;
pub const CASE: Case = Case { seed: 33, args: Args { x: [-0.11368827648393867, 0.5995733551317505, 0.5421636075920979, 0.5722672448690694], u: [0.08264285078790011, 0.9202095491934168, -0.613863459173986], a: -0.6012701528282017, n: 3 }, along: Args { x: [0.5436648790674989, 0.48094244678878223, 0.6496562352074895, -0.2695550127459259], u: [0.3245622006221572, 0.5616555373532677, 0.8450684920578383], a: 0.22605007016377116, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = L::Node(a, Box::new(L::Node(x[((1i64 as usize) % x.len())], Box::new(L::End))));
    let mut v13: Box<dyn Solid> = Box::new(Ball { r: (-a) });
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] -= u[((3i64 as usize) % u.len())];
    }
    let mut v14: Option<f64> = Some(x[((1i64 as usize) % x.len())]);
    v13.scale(0.5);
    let mut v17 = E::Two { x: {
        let mut f = |v16: f64| (x[((0i64 as usize) % x.len())] + (x[((3i64 as usize) % x.len())], a).1);
        (f(x[((1i64 as usize) % x.len())]) + f(a))
    }, n: 1i64 };
    ((if (a < a) {
        (u[(((n as i64) as usize) % u.len())] + a)
    } else {
        a
    } + total(&v12)) + v14.unwrap_or(0.25))
}
}

mod p34 {
use super::*;
pub const CASE: Case = Case { seed: 34, args: Args { x: [-0.6712565579121301, -0.20288318245239934, -0.47414454910893405, -0.786110344216545], u: [0.7433246986770086, 0.10484994422921001, 0.8692264226423667], a: 0.8805312172445493, n: 1 }, along: Args { x: [0.1529673218141246, 0.23271153793586793, 0.6223307376979543, 0.018767280649675193], u: [0.9934600061260815, 0.3867726841177873, 0.6345637490682257], a: -0.9176023750985725, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = D { s: S { a: 1.75, b: (x[((1i64 as usize) % x.len())], a), n: ((2.5 * x[((2i64 as usize) % x.len())]) as i64) }, o: if (a < a) {
        Some(u[((1i64 as usize) % u.len())])
    } else {
        None
    }, v: vec![x[(((n as i64) as usize) % x.len())]], e: if (x[((3i64 as usize) % x.len())] < a) {
        E::One(a)
    } else {
        E::None
    } };
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % v13.v.len());
        v13.v[i0] -= a;
    }
    let mut v15 = S { a: match (if (0.5 < 1.5) {
        Some(a)
    } else {
        None
    }) {
        Some(v14) => a,
        None => a,
    }, b: (x[(((n as i64) as usize) % x.len())], a), n: 1i64 };
    let mut v16: Result<f64, f64> = ratio(a, a);
    let mut v20: Result<f64, f64> = if (!(x.chunks(2).map(|c| {
        let mut v18 = c[0];
        let mut v19 = c[(c.len() - 1)];
        v19
    }).sum::<f64>() <= x[((2i64 as usize) % x.len())])) {
        Ok(v13.v[((2i64 as usize) % v13.v.len())])
    } else {
        Err(a)
    };
    v15 = S { a: a, b: (x[((3i64 as usize) % x.len())], a), n: v15.n };
    (((match v20 {
        Ok(v21) => v21,
        Err(v22) => a,
    } + a) + weigh(&v13, 0.5)) + v15.size(0.75))
}
}

mod p35 {
use super::*;
pub const CASE: Case = Case { seed: 35, args: Args { x: [-0.9694833529431405, -0.14666421876540828, 0.4388324624274767, 0.08778201975874635], u: [0.4884146418990372, -0.6607462385544097, -0.14947224756258182], a: -0.14985920515767825, n: 1 }, along: Args { x: [-0.4094797584052318, -0.6810461449064892, 0.7291830585612573, -0.1974484255160786], u: [-0.9594412885496426, 0.8386890763984862, -0.5177064540333552], a: 0.13527697415960563, n: 2 }, singles: true };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v23: Option<f64> = both(v4, 0.75);
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[1..3];
    let mut v17 = D { s: S { a: a, b: (a, u[((3i64 as usize) % u.len())]), n: ((2.5 * a) as i64) }, o: Some(a).and_then(|v12| Some(x[((3i64 as usize) % x.len())])), v: vec![{
        let mut v13: f64 = 0.75;
        let mut v14: i64 = 0;
        loop {
            v13 = 1.5;
            v14 += 1;
            if ((v14 >= 3) || (if (((2.5 * a) as i64) == 2i64) {
                v13
            } else {
                x[((3i64 as usize) % x.len())]
            } < 1.75)) {
                break v13;
            }
        }
    }, match 0i64 {
        0 => a,
        1 | 2 => x[(((n as i64) as usize) % x.len())],
        v15 if (v10.iter().map(|&v16| a).filter(|e| (*e > 0.0)).sum::<f64>() < 0.5) => 0.25,
        _ => a,
    }, ((a as f32) as f64)], e: E::Two { x: 0.5, n: 1i64 } };
    for p18 in u.iter_mut() {
        let mut v18 = *p18;
        *p18 = a;
    }
    let mut e19 = h1(2i64, duo(a, 1.25));
    let mut p19 = if (match Some(a) {
        Some(v20) => v20,
        None => a,
    } < 1.25) {
        &mut a
    } else {
        let mut i0 = (((0i64 * (n as i64)) as usize) % u.len());
        &mut u[i0]
    };
    *p19 += e19;
    let mut v23 = L::Node(a, Box::new(L::Node(a, Box::new(L::End))));
    let mut v27 = S { a: if (3i64 == 3i64) {
        x[((2i64 as usize) % x.len())]
    } else {
        {
            let mut v25: f64 = a;
            let mut v26: i64 = 0;
            loop {
                v25 = a;
                v26 += 1;
                if ((v26 >= 3) || (((2.5 * 0.25) as i64) == 1i64)) {
                    break v25;
                }
            }
        }
    }, b: (a, x[((2i64 as usize) % x.len())].cos()), n: 1i64 };
    let mut v29: i64 = ((2.5 * sorted(&v17.v, a)) as i64);
    for p32 in u.iter_mut() {
        let mut v32 = *p32;
        *p32 = ((if (a < v32) {
            (1.25 as f32)
        } else {
            (v32 as f32)
        }) as f64);
    }
    if (v29 == v27.n) {
        stretch(&mut v17, x[((1i64 as usize) % x.len())]);
    } else {
    }
    (((1.75 + a) + weigh(&v17, 0.5)) + total(&v23))
}
}

mod p36 {
use super::*;
pub const CASE: Case = Case { seed: 36, args: Args { x: [-0.15230245340155096, -0.8367419434311535, -0.8266849313011071, -0.1036600051614698], u: [-0.2992103917094327, -0.1610765490476556, -0.7272245969165272], a: -0.511622671222139, n: 3 }, along: Args { x: [0.7015245690006859, 0.7126447673816887, 0.8291338911366106, -0.012474838007740378], u: [-0.7414639852651017, -0.9798918136188081, -0.7921858362403552], a: -0.3124233458342716, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v10 = *i;
            let mut v11 = *j;
            let mut e = match Some((0.25 as f64)) {
                Some(v12) => 0.5,
                None => x[((1i64 as usize) % x.len())],
            };
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v13 = *i;
            let mut v14 = *j;
            let mut e = a;
            let mut f = v13;
            *i = e;
            *j = f;
        }
    }
    'l15: for &v15 in x {
        let mut v16 = vec![turned(S { a: v15, b: (x[((3i64 as usize) % x.len())], v15), n: 0i64 }, E::Two { x: x[((1i64 as usize) % x.len())], n: (n as i64) })];
        let mut v17: i64 = 1i64;
    }
    let mut v19 = S { a: x[((1i64 as usize) % x.len())], b: (a.cos(), match Some(a) {
        Some(v18) if (((2.5 * a) as i64) == 1i64) => v18,
        _ => a,
    }), n: 2i64 };
    let mut v20 = L::Node(combined(combined(combined(Some(a), a), a), a).unwrap(), Box::new(L::Node(Some(x[(((n as i64) as usize) % x.len())]).unwrap(), Box::new(L::Node(x[((3i64 as usize) % x.len())], Box::new(L::End))))));
    let mut v21: f64 = a;
    if ((n as i64) < v19.n) {
        let mut v23 = if (!(a <= 1.5)) {
            E::One(v21)
        } else {
            E::Two { x: (2.0 as f64).min(a), n: 0i64 }
        };
    } else {
    }
    ((((a + a) + v19.size(0.75)) + total(&v20)) + v21)
}
}

mod p37 {
use super::*;
pub const CASE: Case = Case { seed: 37, args: Args { x: [0.07949341760740924, 0.6955777244158767, -0.656156962473358, 0.9633010098218877], u: [0.28181976299550604, -0.5217765542539757, 0.7801810649271075], a: 0.7093777712680301, n: 2 }, along: Args { x: [-0.01769248267654474, 0.2616084306585199, -0.5442517444386067, -0.43182791583343916], u: [-0.3114722510013231, -0.5370103848235086, -0.6552075094614171], a: 0.4118799271818584, n: 3 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11 = (v5 as f32).min((v4 as f32).max((v5 as f32)));
    let mut v13: Box<dyn Fn(f64) -> f64> = if (!(0.5 <= v4)) {
        Box::new(move |v12: f64| (if (2i64 < 1i64) {
            v12
        } else {
            v12
        }).sin())
    } else {
        Box::new(move |v12: f64| v5)
    };
    let mut v14 = Rc::new(RefCell::new(v5));
    v13(0.75).cos()
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![turned(S { a: a, b: (a, a), n: ((2.5 * a) as i64) }, if (x[((1i64 as usize) % x.len())] < 0.25) {
        E::One(a)
    } else {
        E::None
    }), S { a: a, b: ((0.5 as f64), a), n: (n as i64) }];
    let mut v13: Box<dyn Fn(f64) -> f64> = if (h0(2i64, a, a) < a) {
        Box::new(move |v11: f64| x[((3i64 as usize) % x.len())])
    } else {
        Box::new(move |v11: f64| {
            let mut f = |v12: f64| (x[((1i64 as usize) % x.len())], v11).0;
            (f(x[((2i64 as usize) % x.len())]) + f(x[(((n as i64) as usize) % x.len())]))
        })
    };
    let mut v14 = L::Node(a, Box::new(L::Node(if (!((1.75 * u[((2i64 as usize) % u.len())]) <= 1.25)) {
        a
    } else {
        a
    }, Box::new(L::Node(a.sin(), Box::new(L::End))))));
    let mut v16 = L::Node(match Some(a) {
        Some(v15) if (3i64 == 3i64) => a,
        _ => a,
    }, Box::new(L::End));
    let mut v17: Option<f64> = root(a);
    let mut v18 = move |v19: f64| a;
    for v20 in v10.iter_mut() {
        v20.turn(a);
    }
    let mut v23 = (v13(a), a);
    if (3i64 < 3i64) {
        let mut v27: i64 = (1i64 + 0i64);
    } else {
    }
    (((h0(2i64, v13(a.tanh()), match (&v14) {
        L::Node(v28, v29) => {
            let mut v28 = *v28;
            a
        },
        L::End => (0.5 * a),
    }) + total(&v14)) + total(&v16)) + v17.unwrap_or(0.25))
}
}

mod p38 {
use super::*;
pub const CASE: Case = Case { seed: 38, args: Args { x: [-0.09991439173143753, -0.8234535822717853, 0.2982770198734835, 0.6953093511080765], u: [-0.5018570263788696, 0.6904916230220137, -0.45718200496381134], a: 0.15207323783975096, n: 1 }, along: Args { x: [-0.3046079971192333, -0.4407324165343448, -0.6177274276256962, 0.7890697302427696], u: [-0.35314755129642716, 0.9172836865915731, -0.9290920879926864], a: 0.2688061673343563, n: 1 }, singles: false };

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    let mut v18 = S { a: match (if (!(v4 <= v4)) {
        Some((1.25 as f64))
    } else {
        None
    }) {
        Some(v10) => 1.25,
        None => 0.75,
    }, b: swapped(v4, {
        let mut f = |v15: f64| (0.5 * match chained(v15, 2.0) {
            Ok(v16) => 0.5,
            Err(v17) => v4,
        });
        (f(v4) + f(v4))
    }), n: 1i64 };
    let mut v23 = if (((v4 * v4) < 1.25) && (v4 < v4)) {
        E::One(match combined(root(v4), v4) {
            Some(v19) => 0.75,
            None => v4,
        })
    } else {
        E::Two { x: match (if (v4 < v4) {
            Ok(v4)
        } else {
            Err(v4)
        }) {
            Ok(v20) => v20,
            Err(v21) => v21,
        }, n: (1i64 + 1i64) }
    };
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a += a.min(h1(a));
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = match Some(v10) {
            Some(v11) => {
                let mut v12: f64 = 2.0;
                let mut v13: i64 = 0;
                loop {
                    v12 = a;
                    v13 += 1;
                    if ((v13 >= 3) || ((!(v11 <= a)) || (0.75 < v10))) {
                        break v12;
                    }
                }
            },
            None => match both(x[((1i64 as usize) % x.len())], 1.5) {
                Some(v14) if (match ratio(v10, v10) {
                Ok(v15) => 0.25,
                Err(v16) => 1.5,
            } < v10) => a,
                _ => a,
            },
        };
    }
    let mut v19 = Rc::new(RefCell::new(counted(match (E::Two { x: 1.75, n: 3i64 }) {
        E::One(v17) => a,
        E::Two { x: v17, n: v18 } => v17,
        E::None => 1.25,
    }, 0i64)));
    {
        let mut e = h1(match 1i64 {
            0 => a,
            1 | 2 => a,
            v20 if ((0i64 < v20) || (v20 == v20)) => a,
            _ => a,
        });
        *v19.borrow_mut() += e;
    }
    let mut v23 = D { s: S { a: a, b: ((1.75 as f64), (0.5 as f64)), n: 2i64 }, o: both(u[((0i64 as usize) % u.len())], a), v: vec![(1.75 as f64), a, a.min(a)], e: if (!({
        let mut f = |v21: f64| h1(match (2i64 + (n as i64)) {
            0 => a,
            1 | 2 => v21,
            v22 if (((2.5 * v21) as i64) == v22) => 1.5,
            _ => 1.75,
        });
        (f(0.25) + f(a))
    } <= a)) {
        E::One(a)
    } else {
        E::Two { x: x[((2i64 as usize) % x.len())], n: 0i64 }
    } };
    let mut v28 = S { a: a, b: (a, {
        let mut f = |v27: f64| a;
        (f(x[((1i64 as usize) % x.len())]) + f(x[((1i64 as usize) % x.len())]))
    }), n: 1i64 };
    let mut v31: f64 = match (n as i64) {
        0 => if (2i64 == 3i64) {
            2.0
        } else {
            a
        },
        1 | 2 => (x[((1i64 as usize) % x.len())] - u[((1i64 as usize) % u.len())]),
        v30 if ((v30 as f64) < a) => halved(x),
        _ => a,
    };
    (((v23.s.a + a) + {
        let mut r = *v19.borrow();
        r
    }) + v28.size(0.75))
}
}

mod p39 {
use super::*;
pub const CASE: Case = Case { seed: 39, args: Args { x: [-0.26281815604465747, -0.3351759628239082, -0.9235468614006368, -0.9238280548501525], u: [0.8561849713897188, -0.1599028446763198, -0.9157840369693976], a: -0.16604644715203284, n: 1 }, along: Args { x: [0.60788922905589, 0.19414270356355498, -0.060228490797667136, -0.10625014247670415], u: [-0.9900795104788046, 0.4638705149398129, 0.32410510866360526], a: -0.4299134058598541, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Result<f64, f64> = ratio(x[((2i64 as usize) % x.len())], x[(((n as i64) as usize) % x.len())]);
    'l11: for v11 in 0i64..3i64 {
        let mut v12 = vec![S { a: a, b: ((0.75 as f64), a), n: v11 }, turned(S { a: x[((1i64 as usize) % x.len())], b: (a, (1.75 as f64)), n: ((2.5 * a) as i64) }, E::Two { x: x[((2i64 as usize) % x.len())], n: (n as i64) }), S { a: x[((1i64 as usize) % x.len())], b: swapped(a, x[(((n as i64) as usize) % x.len())]), n: (n as i64) }];
        let Some(v13) = (if (v11 == v11) {
            Some((1.5 as f64))
        } else {
            None
        }) else {
            break;
        };
    }
    'l14: for v14 in 0i64..(n as i64) {
        let mut v15 = &x[0..3];
        let mut v16 = E::One((0.5 as f64));
    }
    let mut v17 = vec![x[((2i64 as usize) % x.len())], rises(x, 1.5)];
    {
        let mut i0 = (((1i64 + 3i64) as usize) % v17.len());
        v17[i0] *= a;
    }
    let mut v19 = E::Two { x: u[((0i64 as usize) % u.len())], n: 1i64 };
    (((((if ({
        let mut v20: f64 = u[((2i64 as usize) % u.len())];
        let mut v21: i64 = 0;
        loop {
            v20 = a;
            v21 += 1;
            if ((v21 >= 3) || (a < v20)) {
                break v20;
            }
        }
    } < a) {
        Some(a)
    } else {
        None
    }).unwrap_or(parity(a, 0i64)) - a) + a) + halved(&v17)) + match v19 {
        E::One(v22) => v22,
        E::Two { x: v22, n: v23 } => v22,
        E::None => 0.5,
    })
}
}

mod p40 {
use super::*;
pub const CASE: Case = Case { seed: 40, args: Args { x: [-0.6972378657155256, 0.6858513802742605, 0.24199921506821206, -0.851300943418043], u: [-0.9447647355694914, -0.9052155610338127, -0.27012894031097734], a: -0.7541801260542029, n: 3 }, along: Args { x: [0.3755798753505874, 0.6600212865707962, 0.6319196924898995, 0.6023944128687068], u: [0.08633636584305557, -0.7562510185409714, -0.5523292249959062], a: 1.0065497430844526, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = x[((0i64 as usize) % x.len())];
    let mut v11 = vec![S { a: a, b: (v10, v10), n: 1i64 }, S { a: a, b: (a, (1.75 as f64)), n: 1i64 }];
    {
        let mut i0 = ((1i64 as usize) % v11.len());
        v11[i0].turn(0.5);
    }
    let mut v14: Option<f64> = Some(duo(v10, v10));
    for v16 in v11.iter_mut() {
        v16.turn(v10);
    }
    {
        let mut i0 = ((2i64 as usize) % u.len());
        bump(&mut u[i0], 0.5);
    }
    let mut v17 = |v18: f64| {
        v10 = a;
        (v10 * v18)
    };
    let mut v19 = (apply(&mut v17, match E::One(a) {
        E::One(v20) => v20,
        E::Two { x: v20, n: v21 } => v20,
        E::None => a,
    }) + v17(a));
    let mut v24: Result<f64, f64> = ratio(match E::One(a) {
        E::One(v22) => 0.25,
        E::Two { x: v22, n: v23 } => 0.75,
        E::None => x[(((n as i64) as usize) % x.len())],
    }, v19);
    let mut v27: [f64; 3] = [a, v10, (0.5 as f64)];
    let mut v29: Option<f64> = both(a, x[((3i64 as usize) % x.len())]).and_then(|v28| v14);
    (((match E::One(v19.min(x[((1i64 as usize) % x.len())])) {
        E::One(v30) => v19,
        E::Two { x: v30, n: v31 } => v10,
        E::None => 1.25,
    } + v11[((1i64 as usize) % v11.len())].a) + v14.unwrap_or(0.25)) + v29.unwrap_or(0.25))
}
}

mod p41 {
use super::*;
pub const CASE: Case = Case { seed: 41, args: Args { x: [-0.7411024300994605, -0.5120297420107246, 0.30609748026177624, -0.5756324467917313], u: [0.6762110668518808, 0.7528322143645072, -0.6073793979038906], a: -0.7867807187412644, n: 3 }, along: Args { x: [-0.21629716055452441, 0.80115272314172, -0.2800077311072023, 0.325516717061861], u: [0.1551016514362818, 0.5286553752150701, -0.8408802124716126], a: 0.8526308617011236, n: 2 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v12: Box<dyn Solid> = Box::new(Ball { r: {
        let mut f = |v11: f64| v4;
        (f(v5) + f(0.5))
    } });
    if let Some(v13) = Some(v4) {
        let mut v15 = L::Node(v4, Box::new(L::Node({
            let mut f = |v14: f64| if (3i64 < 1i64) {
                orchard(v4, 2i64)
            } else {
                v5
            };
            (f(v4) + f(v13))
        }, Box::new(L::End))));
        if (swapped(v4, v4).0 < v4) {
            let mut v17 = move |v18: f64| match (if (((2.5 * v13) as i64) == 2i64) {
                Some((0.25 as f64))
            } else {
                None
            }) {
                Some(v19) if (!(v19 <= v18)) => v19,
                _ => v18,
            };
            let mut v23 = single(single((v13 as f32), (v4 as f32)), (0.25 as f32));
        } else {
            let mut v24: f64 = v13;
        }
    }
    'l25: for v25 in 0i64..3i64 {
        let mut v29 = S { a: 1.0, b: ({
            let mut f = |v26: f64| match ratio(v5, v26) {
                Ok(v27) => v4,
                Err(v28) => 1.25,
            };
            (f(v5) + f(2.0))
        }, v4), n: v25 };
        let mut v33 = L::Node(match v29.n {
            0 => v5,
            1 | 2 => 1.25,
            v32 if (3i64 == 1i64) => v5,
            _ => v4,
        }, Box::new(L::Node(1.0, Box::new(L::Node(0.75, Box::new(L::End))))));
    }
    v12.twice(swapped(v4, v5).1)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[2..3];
    let mut v12: Option<f64> = (if ((!(duo(a, 0.75) <= a)) || ((a * a) < 1.5)) {
        Some(a)
    } else {
        None
    }).filter(|&v11| ((2i64 < (n as i64)) || (!(a <= v11))));
    let mut v13 = if ((n as i64) == 3i64) {
        E::One(a)
    } else {
        E::Two { x: (-a), n: ((2.5 * a) as i64) }
    };
    let mut v16: i64 = ((2.5 * match (if (3i64 == 1i64) {
        E::One(x[((1i64 as usize) % x.len())])
    } else {
        E::None
    }) {
        E::One(v14) => v14,
        E::Two { x: v14, n: v15 } => x[((0i64 as usize) % x.len())],
        E::None => 0.75,
    }) as i64);
    let mut v18 = vec![a];
    let mut v19 = |v20: f64| {
        a = solids(v20, (v16 * v16));
        (a * v20)
    };
    let mut v21 = (v19(0.5) + v19(h0(0.5, 0.25)));
    (((v21 + a) + v12.unwrap_or(0.25)) + v21)
}
}

mod p42 {
use super::*;
pub const CASE: Case = Case { seed: 42, args: Args { x: [-0.8074315429577587, 0.9286146938027177, -0.2131956789500211, 0.4210205292278196], u: [0.8222183221930288, -0.037659119014213316, 0.13335409065154633], a: 0.4462697967304264, n: 0 }, along: Args { x: [-0.5894143614213391, -0.08303531808691642, 0.2514910486757707, -0.7090108915475111], u: [-0.6500884408355535, -0.3631467189259461, 0.5587137091796099], a: -0.7324218476283891, n: 2 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: [f64; 3] = [if ({
        let mut v11: f64 = a;
        let mut v12: i64 = 0;
        loop {
            v11 = a;
            v12 += 1;
            if ((v12 >= 3) || (v11 < a)) {
                break v11;
            }
        }
    } < a) {
        a
    } else {
        a
    }, a, a];
    let mut v15 = S { a: u[((0i64 as usize) % u.len())], b: (a, a), n: (n as i64) };
    let mut v17: Box<dyn Solid> = if (2i64 < 1i64) {
        Box::new(Ball { r: (x[((v15.n as usize) % x.len())] * x[(((n as i64) as usize) % x.len())]) })
    } else {
        Box::new(Brick { sides: ((0.5 as f64), a), n: ((2.5 * a) as i64) })
    };
    'l18: for v18 in 0i64..(n as i64) {
        {
            let mut m = ((v18 as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v19 = *i;
                let mut v20 = *j;
                let mut e = v19;
                let mut f = v19;
                *i = e;
                *j = f;
            }
        }
        if ((-a) < a) {
            mix(u, {
                let mut f = |v23: f64| v23;
                (f(0.5) + f(x[((0i64 as usize) % x.len())]))
            });
            let mut v27: f64 = a.sin();
        } else {
            v15 = S { a: 1.0, b: ((1.75 as f64), a), n: (n as i64) };
        }
    }
    v15 = v15;
    (a.cos() + v17.twice(0.5))
}
}

mod p43 {
use super::*;
pub const CASE: Case = Case { seed: 43, args: Args { x: [0.39646652944921895, -0.9073217530017349, 0.8625839885590947, 0.3646406885360076], u: [-0.8587175817410909, -0.4145911462062059, 0.32214758273031424], a: 0.5406455778344758, n: 0 }, along: Args { x: [0.5117402502897098, -0.4175132763477539, -0.7765666549336744, -0.2965407521393263], u: [-0.005076002181044287, 0.46576073176876565, -0.8524021653323266], a: -0.3026391504887214, n: 2 }, singles: true };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v12 = if (v4.min(v4) < 1.25) {
        if (Some((1.75 as f64)).unwrap_or(1.5) < v4) {
            (v4 as f32)
        } else {
            (1.75 as f32)
        }
    } else {
        (-(v4 as f32))
    };
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v10 = *i;
            let mut v11 = *j;
            let mut e = v10.cos();
            let mut f = v11;
            *i = e;
            *j = f;
        }
    }
    if let Some(v12) = Some(x[((1i64 as usize) % x.len())]).filter(|&v13| (!(v13 <= 1.25))) {
        {
            let mut i0 = ((((2.5 * x[((1i64 as usize) % x.len())]) as i64) as usize) % u.len());
            u[i0] = v12;
        }
        let mut v26: Option<f64> = both(u[((1i64 as usize) % u.len())], 0.25);
    }
    let mut v27: [f64; 3] = [(1.0 as f64), if (!(Some(a).unwrap_or(x[((1i64 as usize) % x.len())]) <= 2.0)) {
        a
    } else {
        a
    }, (1.75 as f64)];
    v27 = [a, x[((1i64 as usize) % x.len())], a];
    a = (3i64 as f64);
    ((match ((2.5 * a) as i64) {
        0 => a,
        1 | 2 => a,
        v29 if (!(a <= x[((v29 as usize) % x.len())])) => u[((v29 as usize) % u.len())],
        _ => v27.iter().map(|&v30| h1(2i64, {
            let mut f = |v31: f64| v27.chunks(2).map(|c| {
                let mut v32 = c[0];
                let mut v33 = c[(c.len() - 1)];
                v27[((3i64 as usize) % v27.len())]
            }).sum::<f64>();
            (f(v30) + f(v30))
        })).filter(|e| (*e > 0.0)).sum::<f64>(),
    } + a) + halved(&v27))
}
}

mod p44 {
use super::*;
pub const CASE: Case = Case { seed: 44, args: Args { x: [0.6989272096968657, 0.6312370630150629, -0.5267785347179099, -0.6746871614395145], u: [-0.15962005922536165, 0.7409809508589439, -0.2258130688386449], a: -0.3506933102454336, n: 1 }, along: Args { x: [0.6794197472003394, -0.6380197854643859, 0.14844723252352682, 0.21727017155464204], u: [0.7556330039975397, -0.6602776292770487, -0.021615293865926984], a: -0.7922336837187989, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v13: [f64; 3] = [match chained(v4, v4) {
        Ok(v10) => v4,
        Err(v11) => v11,
    }, Some((1.0 as f64)).unwrap_or(1.0), match 1i64 {
        0 => v4,
        1 | 2 => v4,
        v12 if (1i64 < 1i64) => v4,
        _ => v4,
    }];
    if (v4 < v4) {
        let mut v17 = (v4, v13.iter().zip(v13.iter()).map(|(&v15, &v16)| (0.5 as f64)).sum::<f64>());
        let mut v18: [f64; 3] = v13;
    } else {
        v4 += v4;
    }
    let mut v22: Box<dyn Solid> = Box::new(Ball { r: {
        let mut f = |v21: f64| v4;
        (f(1.0) + f(v4))
    } });
    v4.cos().max({
        let mut f = |v23: f64| v23;
        (f(v4) + f(v4))
    })
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = E::One(a);
    let mut v14 = vec![S { a: 1.25, b: (a, a), n: (n as i64) }, turned(S { a: u[((1i64 as usize) % u.len())], b: ((0.5 as f64), a), n: (2i64 + (n as i64)) }, v13), S { a: 1.5, b: ((1.75 as f64), x[((2i64 as usize) % x.len())]), n: (n as i64) }];
    if ((1.0 < u[((2i64 as usize) % u.len())]) || ({
        let mut f = |v16: f64| match Some((0.25 as f64)) {
            Some(v17) => match chained(1.25, x[((2i64 as usize) % x.len())]) {
                Ok(v18) => a,
                Err(v19) => v17,
            },
            None => solids(a, 3i64),
        };
        (f(x[((2i64 as usize) % x.len())]) + f(a))
    } < a)) {
        let mut v21 = vec![a, a, match Some(a) {
            Some(v20) => u[((1i64 as usize) % u.len())],
            None => a,
        }];
        let mut e22 = (if (a < a) {
            Some(a)
        } else {
            None
        }).unwrap_or(x[(((n as i64) as usize) % x.len())]);
        let mut p22 = if (0i64 < 0i64) {
            let mut i0 = ((1i64 as usize) % u.len());
            &mut u[i0]
        } else {
            let mut i0 = (((n as i64) as usize) % v21.len());
            &mut v21[i0]
        };
        *p22 *= e22;
    } else {
        let mut v25: [f64; 3] = [a, (x[((1i64 as usize) % x.len())] * u[((1i64 as usize) % u.len())]), a];
    }
    let mut v27 = L::Node(a.cos(), Box::new(L::Node((a + a), Box::new(L::Node(match 0i64 {
        0 => a,
        1 | 2 => x[((0i64 as usize) % x.len())],
        v26 if (a < u[(((n as i64) as usize) % u.len())]) => a,
        _ => a,
    }, Box::new(L::End))))));
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v29 = *i;
            let mut v30 = *j;
            let mut e = x[(((n as i64) as usize) % x.len())];
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    (((({
        let mut v33: f64 = h0(a);
        let mut v34: i64 = 0;
        loop {
            v33 = h0(v33);
            v34 += 1;
            if ((v34 >= 3) || (u[(((n as i64) as usize) % u.len())].min(x[((v34 as usize) % x.len())]) < a)) {
                break v33;
            }
        }
    } + a) + match v13 {
        E::One(v35) => v35,
        E::Two { x: v35, n: v36 } => v35,
        E::None => 0.5,
    }) + v14[((1i64 as usize) % v14.len())].a) + total(&v27))
}
}

mod p45 {
use super::*;
pub const CASE: Case = Case { seed: 45, args: Args { x: [0.8982758281011279, -0.7561995915693207, -0.25411063091278213, -0.2043586988150727], u: [0.28682397866994847, 0.6190504063879078, 0.9183835255927363], a: 0.23991445279151152, n: 1 }, along: Args { x: [0.694771942500964, -0.06325179155450751, -0.9914058107262346, -0.6958221127742317], u: [0.4281762846631003, -0.6781221133114436, 0.9506501817228358], a: -0.11768694364983814, n: 3 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = S { a: v5, b: (v4.max(0.5), v4), n: 3i64 };
    match Some(v5) {
        Some(v11) => ((v5 as f32) as f64),
        None => v4,
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a = if (1i64 < (n as i64)) {
        match (if (0i64 == 2i64) {
            Ok(a)
        } else {
            Err(a)
        }) {
            Ok(v10) => a,
            Err(v11) => v11,
        }
    } else {
        a
    };
    let mut v14: Box<dyn Solid> = Box::new(Ball { r: strided(x, 3i64) });
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        bump(&mut u[i0], 0.5);
    }
    let mut v15 = vec![S { a: a, b: ((1.25 as f64), (2.0 as f64)), n: 1i64 }];
    mix(u, 0.5);
    let mut v17: f64 = h0(2i64, solids(a, 2i64), 0.25);
    let mut v19 = S { a: (x[((1i64 as usize) % x.len())] - v17), b: (x[((0i64 as usize) % x.len())], a), n: (n as i64) };
    ((((v17 + v14.twice(0.5)) + v15[((1i64 as usize) % v15.len())].a) + v17) + v19.size(0.75))
}
}

mod p46 {
use super::*;
pub const CASE: Case = Case { seed: 46, args: Args { x: [0.9406418085925748, 0.6176608104745657, 0.30188772048210094, 0.07445481199879785], u: [0.20422842286535112, 0.19783702281690346, 0.545416864369786], a: -0.19261855313196566, n: 3 }, along: Args { x: [0.40081472842943017, 0.4041673276993004, 0.5256859601332969, -0.21149760485288915], u: [0.7747698515789824, -0.9893902623453312, 0.6600370817914315], a: -0.7047253370494256, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v10 = Rc::new(RefCell::new((0.75 as f64)));
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Box<dyn Solid> = if (a < u[((3i64 as usize) % u.len())]) {
        Box::new(Brick { sides: (x[((2i64 as usize) % x.len())], a), n: 1i64 })
    } else {
        Box::new(Point)
    };
    let mut v13 = |v14: f64| {
        a = v14;
        (a * v14)
    };
    let mut v15 = (v13(0.5) + v13(0.5));
    let mut v20: i64 = ((-1i64) % 1i64);
    ((h0(h0(v15, v15), Some(v15).unwrap_or(x[((1i64 as usize) % x.len())])) * h0(x[(((n as i64) as usize) % x.len())], a)) + a)
}
}

mod p47 {
use super::*;
pub const CASE: Case = Case { seed: 47, args: Args { x: [-0.10334492068653627, 0.8897707006898774, -0.54317832828527, 0.31272321991074653], u: [0.692395575906424, -0.41304103924604785, 0.640872218914856], a: -0.595501248588145, n: 0 }, along: Args { x: [-0.11502200040651836, 0.5377186776262111, 0.5088253912913123, -0.9107844153222241], u: [0.6588632099936064, 0.8960227027119779, -0.2262071456140673], a: -0.5460584264222825, n: 2 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = if (0.5 < v5) {
        E::One(v5.min(1.5))
    } else {
        E::Two { x: 1.0, n: 1i64 }
    };
    if ((match Some(v4) {
        Some(v12) => v5,
        None => v5,
    } < v4) && (0i64 < 0i64)) {
        let mut v13: Box<dyn Solid> = Box::new(Ball { r: v4 });
        let mut v15: i64 = (2i64 * 1i64);
    } else {
        let mut v18 = S { a: ((v5 * v4) - v5.tanh()), b: (v4, match (if (!(v5 <= v5)) {
            E::One(v4)
        } else {
            E::None
        }) {
            E::One(v16) => v4,
            E::Two { x: v16, n: v17 } => v5,
            E::None => v5,
        }), n: ((2.5 * v4) as i64) };
    }
    1.5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14: Option<f64> = both(a, 0.5).map(|v10| {
        let mut v11: f64 = match (0i64 + 1i64) {
            0 => 0.25,
            1 | 2 => a,
            v13 if (swapped(1.25, a).0 < v10) => x[((v13 as usize) % x.len())],
            _ => x[((1i64 as usize) % x.len())],
        };
        let mut v12: i64 = 0;
        loop {
            v11 = (v10, a).1;
            v12 += 1;
            if ((v12 >= 3) || ((v10 < 0.5) && (2.0 < a))) {
                break v11;
            }
        }
    });
    v14 = v14;
    'l16: for &v16 in x {
        let mut v17: Box<dyn Solid> = if (2i64 < (n as i64)) {
            Box::new(Brick { sides: swapped(0.25, u[(((n as i64) as usize) % u.len())]), n: 1i64 })
        } else {
            Box::new(Point)
        };
        a = v17.twice(a);
    }
    let mut v20: [f64; 3] = [{
        let mut f = |v18: f64| h1(2i64, v18, x[(((n as i64) as usize) % x.len())].cos());
        (f(a) + f(a))
    }, (1.0 as f64), match Some(a) {
        Some(v19) => a,
        None => a,
    }];
    let mut v22: Box<dyn Solid> = if (3i64 == 2i64) {
        Box::new(Ball { r: (x[((1i64 as usize) % x.len())] - 0.5) })
    } else {
        Box::new(Brick { sides: swapped(0.75, a), n: 1i64 })
    };
    ((((duo(a.max(a), (-Some(a).unwrap_or(x[((1i64 as usize) % x.len())]))) + a) + v14.unwrap_or(0.25)) + halved(&v20)) + v22.twice(0.5))
}
}

mod p48 {
use super::*;
pub const CASE: Case = Case { seed: 48, args: Args { x: [-0.9348806580143096, -0.7541242165240593, 0.8858466371732014, 0.7442004066737463], u: [-0.6338917222946099, -0.6227257897174269, -0.862332255816129], a: 0.6853771741443999, n: 3 }, along: Args { x: [-0.28913585529997327, -0.5171810941502964, -0.036246204656770364, -0.924694552033406], u: [0.8261229829464449, -0.8038538409611764, -0.16946680165146252], a: -0.253967699999919, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u.iter_mut() {
        let mut v11 = *p11;
        *p11 = a.max(0.5);
    }
    let mut v15 = Rc::new(RefCell::new(x[((1i64 as usize) % x.len())].cos()));
    {
        let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v17 = *i;
            let mut v18 = *j;
            let mut e = 0.25;
            let mut f = v18;
            *i = e;
            *j = f;
        }
    }
    let mut v21 = L::Node(1.0, Box::new(L::Node(((0.5 as f64), a).0, Box::new(L::End))));
    let mut v22 = D { s: S { a: a, b: (a, (0.75 as f64)), n: (n as i64) }, o: Some(a), v: vec![x[((1i64 as usize) % x.len())]], e: E::One(a) };
    stretch(&mut v22, ((n as i64) as f64));
    if (a < x[(((n as i64) as usize) % x.len())]) {
        'l26: for v26 in 0i64..(n as i64) {
            if (v22.s.a < a) {
                let mut v30: Option<f64> = Some(a).and_then(|v29| Some(a)).and_then(|v28| if (!(a <= 1.5)) {
                    Some(a)
                } else {
                    None
                });
            } else {
            }
        }
    } else {
    }
    ((((x.iter().map(|&v31| (0.5 as f64)).sum::<f64>() + a) + {
        let mut r = *v15.borrow();
        r
    }) + total(&v21)) + weigh(&v22, 0.5))
}
}

mod p49 {
use super::*;
pub const CASE: Case = Case { seed: 49, args: Args { x: [0.04489645971315456, -0.405520787547173, 0.9922791302406521, 0.15227033104240878], u: [0.6239772635740689, 0.38703009352526957, 0.9591396762810251], a: -0.5838226963467774, n: 0 }, along: Args { x: [0.4486859715140566, 0.7557669969937769, 0.2118193743065403, -0.7858431471895789], u: [0.9413046034567194, -0.957783401680518, 0.844348182989748], a: -0.44141201269626607, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = a;
    }
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v11 = *i;
            let mut v12 = *j;
            let mut e = x[((2i64 as usize) % x.len())];
            let mut f = v12.cos();
            *i = e;
            *j = f;
        }
    }
    let mut v15 = Rc::new(RefCell::new((0.5 * a)));
    let mut v17: Option<f64> = combined(Some(x[((0i64 as usize) % x.len())]), x[((1i64 as usize) % x.len())]).and_then(|v16| if ((0i64 < 1i64) || (3i64 == 2i64)) {
        Some(v16)
    } else {
        None
    });
    let mut v18 = vec![a.min(a)];
    (((a + a) + {
        let mut r = *v15.borrow();
        r
    }) + halved(&v18))
}
}

mod p50 {
use super::*;
pub const CASE: Case = Case { seed: 50, args: Args { x: [-0.9721704143422528, 0.6344895071011687, -0.6554912001675495, 0.501138375295789], u: [0.15044206400989357, -0.4502961166145842, -0.49715687856091273], a: 0.2740064477328295, n: 1 }, along: Args { x: [-0.5177300280872941, 0.8593899212460856, -0.37009206479471385, -0.29410196473666494], u: [0.9459102043826912, -0.9835819254284566, -0.3324362484421972], a: 0.5632463091988676, n: 3 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v10: Box<dyn Solid> = Box::new(Point);
    let mut v13: [f64; 3] = [v4, v4, if (match E::One(v4) {
        E::One(v11) => v11,
        E::Two { x: v11, n: v12 } => v11,
        E::None => 2.0,
    } < v4) {
        v4
    } else {
        v4
    }];
    let mut v16 = (Some(v4).unwrap_or(v4), (1.25 as f64));
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: [f64; 3] = [u[(((n as i64) as usize) % u.len())], a, orchard(x[((2i64 as usize) % x.len())], 0i64)];
    let mut v16: Option<f64> = combined(Some(a), orchard(a, 0i64));
    let mut v17 = if (3i64 == (n as i64)) {
        E::One(a)
    } else {
        E::Two { x: a.min(a), n: ((2.5 * a) as i64) }
    };
    let mut v18 = (0.25 as f32);
    let mut v20 = vec![S { a: 1.0, b: swapped(a, 1.0), n: (n as i64) }, S { a: a, b: swapped(a, 0.75), n: 1i64 }];
    let mut v22: Box<dyn Fn(f64) -> f64> = if (!(0.25 <= a)) {
        Box::new(move |v21: f64| (v21 * a))
    } else {
        Box::new(move |v21: f64| a)
    };
    let mut v24: [f64; 3] = [match 2i64 {
        0 => x[((2i64 as usize) % x.len())],
        1 | 2 => a,
        v23 if (!(x[((1i64 as usize) % x.len())] <= a)) => a,
        _ => a,
    }, if (2i64 == (n as i64)) {
        x[((3i64 as usize) % x.len())]
    } else {
        a
    }, x[((1i64 as usize) % x.len())]];
    for p25 in u.iter_mut() {
        let mut v25 = *p25;
        *p25 = (v25 + v22(a));
    }
    let mut v26: Result<f64, f64> = if ((n as i64) < 3i64) {
        Ok(a)
    } else {
        Err(h0(a))
    };
    if let Some(v27) = Some((1.75 as f64)).and_then(|v28| Some(x[((1i64 as usize) % x.len())])) {
    }
    ((v22(a) + a) + v20[((1i64 as usize) % v20.len())].a)
}
}

mod p51 {
use super::*;
pub const CASE: Case = Case { seed: 51, args: Args { x: [0.9664547675923907, -0.33100563863644583, -0.37032659545531077, -0.8392822557083401], u: [-0.318622695975602, 0.49427524757810265, -0.9251101855982435], a: 0.12793609508286888, n: 3 }, along: Args { x: [0.18819113554890382, 0.6000355482818911, -0.25758927439503665, 0.6858387385599927], u: [-0.5922335505369073, 0.486472770017004, 0.1113760393693483], a: -0.5061772855255965, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = move |v11: f64| v11;
    a -= {
        let mut v12: f64 = a;
        let mut v13: i64 = 0;
        loop {
            v12 = v12;
            v13 += 1;
            if ((v13 >= 3) || ((!(x[((v13 as usize) % x.len())] <= a)) || (((n as i64) as f64) < 1.0))) {
                break v12;
            }
        }
    };
    let mut v18 = 0;
    'l18: while ((v18 < 4) && (3i64 == 2i64)) {
        v18 += 1;
        'l19: for v19 in 0i64..(n as i64) {
            let mut v20 = L::Node(2.0, Box::new(L::Node(v10(a), Box::new(L::End))));
            if let Some(v21) = both(x[(((n as i64) as usize) % x.len())], x[((2i64 as usize) % x.len())]) {
                let mut v27: Box<dyn Solid> = Box::new(Ball { r: {
                    let mut f = |v22: f64| {
                        let mut v23: f64 = v22;
                        let mut v24: i64 = 0;
                        loop {
                            v23 = (x[((0i64 as usize) % x.len())] + 0.75);
                            v24 += 1;
                            if ((v24 >= 3) || (match chained(v23, a) {
                                Ok(v25) => 1.25,
                                Err(v26) => 1.25,
                            } < 0.25)) {
                                break v23;
                            }
                        }
                    };
                    (f(v21) + f(0.25))
                } });
                let mut v29 = vec![S { a: u[((1i64 as usize) % u.len())], b: (a, a), n: v19 }];
            }
        }
        let Some(v30) = Some(a) else {
            return v10(a);
        };
    }
    let mut v34: Box<dyn Fn(f64) -> f64> = if (1i64 == 1i64) {
        Box::new(move |v31: f64| (1.25 as f64))
    } else {
        Box::new(move |v31: f64| v31)
    };
    v34(0.5)
}
}

mod p52 {
use super::*;
pub const CASE: Case = Case { seed: 52, args: Args { x: [0.9279840596389217, -0.31635074339439545, -0.04807288005758555, 0.12220680370028705], u: [0.7723772215185988, -0.7009740419282533, -0.9026188930981344], a: 0.7361490048188889, n: 1 }, along: Args { x: [-0.7020044823635958, -0.07223857650821364, 0.8080346726284782, 0.7177352960100448], u: [-0.363433773094, -0.7122890880197797, 0.3412559308871507], a: 0.8421410105745878, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v11 = *i;
            let mut v12 = *j;
            let mut e = a;
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    let mut v14 = turned(turned(S { a: a, b: (a, a), n: 3i64 }, E::Two { x: a, n: (3i64 + 1i64) }), if (!(a <= a)) {
        E::One(a)
    } else {
        E::Two { x: 2.0, n: ((2.5 * a) as i64) }
    });
    if (a < a) {
        let mut v16 = L::Node(0.25, Box::new(L::Node(a, Box::new(L::End))));
        let mut e25 = (1.75 as f64);
        let mut p25 = if (0.25 < a) {
            &mut a
        } else {
            &mut v14.b.0
        };
        *p25 += e25;
    } else {
        let mut v26: f64 = a;
    }
    for p27 in u[1..].iter_mut() {
        let mut v27 = *p27;
        *p27 = (v14.n as f64);
    }
    let mut v30 = (a.max(a), a);
    let mut v32 = Rc::new(RefCell::new((1.5 as f64)));
    for p34 in u[1..].iter_mut() {
        let mut v34 = *p34;
        *p34 = x[((3i64 as usize) % x.len())];
    }
    (((counted((-both(2.0, a).unwrap_or(a)), 1i64) + a) + v30.0) + {
        let mut r = *v32.borrow();
        r
    })
}
}

mod p53 {
use super::*;
pub const CASE: Case = Case { seed: 53, args: Args { x: [-0.27913392009269117, 0.6207240317184376, 0.10065238178059262, -0.4233950327655361], u: [-0.6198632574548087, -0.42279811613074014, -0.860499720125378], a: 0.329337444632985, n: 0 }, along: Args { x: [-0.7437357973843027, 0.30867788898995185, 0.38539412196188355, 0.6099905471427947], u: [-0.05950562992661191, 0.6322665029047576, -0.9210608181698318], a: 0.06590433621215867, n: 0 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64) -> Option<f64> {
    let mut v12: f64 = (v4 - match 1i64 {
        0 => v4,
        1 | 2 => v4,
        v11 if (v4 < 0.5) => v4,
        _ => v4,
    });
    let mut v13: f64 = v12;
    let mut v15 = S { a: v12, b: (v13.sin(), v12), n: 2i64 };
    Some(v13)
}

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    let mut v15 = ((match Some(v5) {
        Some(v10) if ({
        let mut v11: f64 = v5;
        let mut v12: i64 = 0;
        loop {
            v11 = v10;
            v12 += 1;
            if ((v12 >= 3) || (({
                let mut f = |v13: f64| v10;
                (f(v10) + f(v5))
            } < v4) && (v10 < v5))) {
                break v11;
            }
        }
    } < v4) => v10,
        _ => v5,
    }) as f32);
    'l16: for v16 in 0i64..3i64 {
        let mut v17 = if (1i64 < 2i64) {
            v15
        } else {
            (-v15)
        };
        let mut v21 = (match h0(v4) {
            Some(v20) if (2i64 == 3i64) => v4,
            _ => v4,
        }, v4);
    }
    if let Some(v22) = Some(v4) {
        let mut v29 = L::Node((v4 * v4), Box::new(L::Node(v5, Box::new(L::End))));
        v4 *= (match Some(v4) {
            Some(v30) => v22,
            None => v22,
        } * if (((2.5 * v5) as i64) == 0i64) {
            1.5
        } else {
            1.0
        });
    }
    Some(v4.max(v4))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Option<f64> = combined(h1(2i64, a, a), x[((3i64 as usize) % x.len())]);
    let mut v14: Result<f64, f64> = if (x[((2i64 as usize) % x.len())] < 1.5) {
        Ok(x[((2i64 as usize) % x.len())])
    } else {
        Err((2.0 as f64))
    };
    let mut v17 = L::Node({
        let mut v15: f64 = 0.5;
        let mut v16: i64 = 0;
        loop {
            v15 = 1.5;
            v16 += 1;
            if ((v16 >= 3) || (u[((2i64 as usize) % u.len())] < v15)) {
                break v15;
            }
        }
    }, Box::new(L::Node(a, Box::new(L::End))));
    let mut v18: Result<f64, f64> = chained(if (1i64 < 0i64) {
        a
    } else {
        a
    }, (u[((0i64 as usize) % u.len())], a).0);
    'l19: for &v19 in x {
        let mut v20 = move |v21: f64| a.cos();
        let mut v25: f64 = parity(a, (n as i64));
    }
    let mut v26 = vec![S { a: a, b: swapped(a, a), n: ((2.5 * a) as i64) }];
    let mut v27 = single((a as f32), (x[(((n as i64) as usize) % x.len())] as f32));
    (((x[((1i64 as usize) % x.len())] + a) + v10.unwrap_or(0.25)) + v26[((1i64 as usize) % v26.len())].a)
}
}

mod p54 {
use super::*;
pub const CASE: Case = Case { seed: 54, args: Args { x: [0.688370402862341, 0.6643282214952387, 0.7299904672045188, -0.7931274781179095], u: [-0.5659709769740832, -0.12373956840322207, 0.38758798051241933], a: 0.44575795415306385, n: 1 }, along: Args { x: [-0.7631365807864376, -0.7376863910199085, -0.3572098013008703, 0.8964091738813583], u: [-0.5689765908640121, 0.6071484289191447, -0.0009594377502481714], a: -0.008328717894173769, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = L::Node(a, Box::new(L::Node(x[((3i64 as usize) % x.len())], Box::new(L::End))));
    let mut v14 = turned(S { a: 1.25, b: (x[((3i64 as usize) % x.len())], a), n: 1i64 }, E::Two { x: a, n: ((2.5 * 1.0) as i64) });
    if (x[((0i64 as usize) % x.len())] < 0.75) {
        let mut v16 = Rc::new(RefCell::new(a));
        v14.a *= a;
    } else {
        v14 = turned(v14, if (v14.n < v14.n) {
            E::One(u[((3i64 as usize) % u.len())])
        } else {
            E::Two { x: a, n: (n as i64) }
        });
    }
    (((total(&v10) + a) + total(&v10)) + v14.size(0.75))
}
}

mod p55 {
use super::*;
pub const CASE: Case = Case { seed: 55, args: Args { x: [0.7157949214596193, -0.6236958867789547, -0.6193601067313492, 0.5752692312803214], u: [-0.8026042503684523, 0.3426896248007622, 0.4854719863362342], a: -0.5561318323405279, n: 1 }, along: Args { x: [0.751493567182959, 0.4233316952219012, 0.5417908804138345, -0.4738485926682148], u: [-0.12391540180023157, -0.43076109047346484, 0.7898608364956884], a: -0.3141279817880356, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = a;
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v11 = *i;
            let mut v12 = *j;
            let mut e = graded(a, 2i64);
            let mut f = v12;
            *i = e;
            *j = f;
        }
    }
    for p13 in u.iter_mut() {
        let mut v13 = *p13;
        *p13 = 1.25;
    }
    bump(&mut a, x[(((n as i64) as usize) % x.len())]);
    'l14: for v14 in 0i64..3i64 {
        for p15 in u.iter_mut() {
            let mut v15 = *p15;
            *p15 = 0.5;
        }
        std::mem::swap(&mut a, &mut v10);
    }
    let mut v16 = Rc::new(RefCell::new(a));
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = (x[((0i64 as usize) % x.len())] * (u[((3i64 as usize) % u.len())] - v10));
    }
    let mut v17: Box<dyn Solid> = Box::new(Ball { r: rises(x, v10) });
    ((x[((1i64 as usize) % x.len())] + v10) + {
        let mut r = *v16.borrow();
        r
    })
}
}

mod p56 {
use super::*;
pub const CASE: Case = Case { seed: 56, args: Args { x: [0.6143642995611558, 0.2504256461599921, -0.7603947629626635, -0.10668366186241587], u: [-0.9985217418211839, 0.8200750207226817, 0.5135795699481719], a: -0.759829003521996, n: 1 }, along: Args { x: [-0.4727552402888849, 0.07056275428367492, 0.9306886159406683, 0.5719937348697652], u: [0.987433790993234, 1.0008773121372838, 0.08677905670435612], a: 0.2480658059399303, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v12 = vec![(1.0 as f64), (v4 * v4), v4];
    for p13 in v12.iter_mut() {
        let mut v13 = *p13;
        *p13 = v13;
    }
    'l16: for v16 in 0i64..3i64 {
        let mut v17 = E::One(v4);
        {
            let mut m = (((v16 / 1i64) as usize) % (v12.len() + 1));
            let (p, q) = v12.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v18 = *i;
                let mut v19 = *j;
                let mut e = v18;
                let mut f = v4;
                *i = e;
                *j = f;
            }
        }
    }
    v12.iter().map(|&v20| (1.75 as f64).sin()).fold((0.5 as f64), |s, e| ((s * 0.5) + e))
}

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    let mut v12: Result<f64, f64> = ratio(match (if (((2.5 * v4) as i64) == 3i64) {
        E::One(v4)
    } else {
        E::None
    }) {
        E::One(v10) => 2.0,
        E::Two { x: v10, n: v11 } => v10,
        E::None => v4,
    }, v4);
    let mut v13 = Rc::new(RefCell::new(h0(2i64, 0.25)));
    {
        let mut e = v4;
        *v13.borrow_mut() -= e;
    }
    both(1.5, v4).unwrap_or(both(1.75, v4).unwrap())
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = move |v11: f64| (match (if (!(x[((0i64 as usize) % x.len())] <= v11)) {
        Ok((1.5 as f64))
    } else {
        Err(x[((1i64 as usize) % x.len())])
    }) {
        Ok(v12) => v12,
        Err(v13) => v11,
    }).max(0.5);
    let mut v18 = D { s: S { a: a, b: swapped(a, a), n: 1i64 }, o: Some(x[(((n as i64) as usize) % x.len())]), v: vec![a, v10(a), (a - x[((0i64 as usize) % x.len())])], e: if ({
        let mut f = |v16: f64| ((0.5 * 1.25) as f64);
        (f(a) + f(1.0))
    } < x[((1i64 as usize) % x.len())]) {
        E::One(a)
    } else {
        E::None
    } };
    let mut v19 = &x[2..3];
    stretch(&mut v18, h1(0.5));
    let mut v23 = S { a: a, b: (x[((1i64 as usize) % x.len())], match (0i64 - 1099511627776i64) {
        0 => x[(((n as i64) as usize) % x.len())],
        1 | 2 => a,
        v22 if (v22 == (n as i64)) => a,
        _ => a,
    }), n: (0i64 - 0i64) };
    let mut v24 = |v25: f64| {
        a = 2.0;
        (a * v25)
    };
    let mut v26 = (apply(&mut v24, 1.0) + v24(match combined(combined(Some((0.5 as f64)), 0.5), 0.5) {
        Some(v27) if (!(sorted(x, v27) <= x[((1i64 as usize) % x.len())])) => 0.5,
        _ => 1.5,
    }));
    (((v23.b.0 + a) + weigh(&v18, 0.5)) + v26)
}
}

mod p57 {
use super::*;
pub const CASE: Case = Case { seed: 57, args: Args { x: [0.11134544439898444, -0.3768469426139944, 0.8064320814157898, -0.006871597724337835], u: [0.43327796120510204, 0.32480030699927165, -0.19528145557065535], a: 0.15885313829611347, n: 0 }, along: Args { x: [-0.0805990962190549, 0.9963568410290333, 0.31726469372548666, -0.7643319676665469], u: [-0.11891068952005439, 0.6682237164211479, 0.34600481799497385], a: -0.31327403959890493, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v10 = move |v11: f64| v11;
    let mut v20 = S { a: {
        let mut v13: f64 = match ratio(v4, v4) {
            Ok(v15) => v4,
            Err(v16) => v4,
        };
        let mut v14: i64 = 0;
        loop {
            v13 = if (v14 < v14) {
                v13
            } else {
                v4
            };
            v14 += 1;
            if ((v14 >= 3) || (v4 < v13)) {
                break v13;
            }
        }
    }, b: (counted(v4, 1i64), match combined(Some(v4), v4) {
        Some(v19) if (v19 < v19) => v19,
        _ => 0.25,
    }), n: 3i64 };
    match 0i64 {
        0 => (1.75 as f64).tanh(),
        1 | 2 => 1.5,
        v21 if ((0.75 < v4) || ((v4 * v5) < v4)) => 0.25,
        _ => match ratio(v4, v5) {
            Ok(v22) => v4,
            Err(v23) => v4,
        },
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = S { a: a, b: (x[((0i64 as usize) % x.len())], swapped(a, a).0), n: (n as i64) };
    let mut v16: Option<f64> = Some(a).map(|v13| counted(x[((3i64 as usize) % x.len())], v10.n)).map(|v12| a);
    bump(&mut v10.b.0, (0.5 as f64).min(0.5));
    v10.b.1 = 2.0;
    let mut e18 = a;
    let mut p18 = if (h0(a, a) < a) {
        &mut v10.b.1
    } else {
        &mut a
    };
    *p18 -= e18;
    (((v10.b.0 + a) + v10.size(0.75)) + v16.unwrap_or(0.25))
}
}

mod p58 {
use super::*;
pub const CASE: Case = Case { seed: 58, args: Args { x: [0.919976759260421, 0.5073961558894837, -0.4514558889162115, -0.8252277211709383], u: [0.041092974895740084, -0.7879142987102645, 0.11728171643787909], a: -0.050064599355683956, n: 1 }, along: Args { x: [-0.8559100769645595, 1.0034342295744063, 0.9860547818321855, 0.9710305041280521], u: [-0.21555606481595735, 0.4781321657098847, 0.7584402301723504], a: -0.9425011892127518, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = Rc::new(RefCell::new(Some(u[((3i64 as usize) % u.len())]).unwrap().tanh()));
    let mut v12 = |v13: f64| {
        a = a;
        (a * v13)
    };
    let mut v14 = (apply(&mut v12, {
        let mut v17: f64 = 1.75;
        let mut v18: i64 = 0;
        loop {
            v17 = v17;
            v18 += 1;
            if ((v18 >= 3) || (((n as i64) * 0i64) == (n as i64))) {
                break v17;
            }
        }
    }) + v12(0.5));
    v14 *= orchard(match (if (!(a.max(v14) <= v14)) {
        E::One(a)
    } else {
        E::None
    }) {
        E::One(v20) => u[((1i64 as usize) % u.len())],
        E::Two { x: v20, n: v21 } => a,
        E::None => x[(((n as i64) as usize) % x.len())],
    }, (n as i64));
    (({
        let mut v22: f64 = a;
        let mut v23: i64 = 0;
        loop {
            v22 = match (if (!(duo(v14, a) <= v14)) {
                Ok(a)
            } else {
                Err((0.25 as f64))
            }) {
                Ok(v24) => if (3i64 < 1i64) {
                    a
                } else {
                    a
                },
                Err(v25) => orchard(u[((1i64 as usize) % u.len())], v23),
            };
            v23 += 1;
            if ((v23 >= 3) || (!((0.5 + 0.5) <= 0.5))) {
                break v22;
            }
        }
    } + {
        let mut r = *v11.borrow();
        r
    }) + v14)
}
}

mod p59 {
use super::*;
pub const CASE: Case = Case { seed: 59, args: Args { x: [-0.9925300226739424, 0.4424400935666785, -0.9586707058562263, 0.8990990062956925], u: [0.18160689928374407, 0.10037425830113655, 0.6709096010724636], a: 0.33217113416849786, n: 2 }, along: Args { x: [0.3131967415093967, 0.12041642783455356, 0.5293777032831174, -0.15453957238031174], u: [-0.697264356226999, 0.3868502259327737, -0.38269488237142696], a: 0.028563790188525694, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![S { a: a, b: (a, a), n: 2i64 }, S { a: a, b: (a, a), n: (n as i64) }, S { a: a, b: (a, a), n: 3i64 }];
    {
        let mut i0 = ((1i64 as usize) % v10.len());
        bump(&mut v10[i0].a, match Some((0.5 as f64)) {
            Some(v11) if (((2.5 * x[((0i64 as usize) % x.len())]) as i64) == 0i64) => v11,
            _ => 0.5,
        });
    }
    v10.push(turned(S { a: a, b: (a, a), n: 1i64 }, E::One(a)));
    let mut v12: [f64; 3] = [a, (x[((1i64 as usize) % x.len())], a).0, a];
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = a;
    }
    let mut v15: Box<dyn Fn(f64) -> f64> = if ((a < x[((3i64 as usize) % x.len())]) || (1i64 == 1i64)) {
        Box::new(move |v13: f64| blocks(x))
    } else {
        Box::new(move |v13: f64| {
            let mut f = |v14: f64| x[(((n as i64) as usize) % x.len())];
            (f(v13) + f(a.sin()))
        })
    };
    let mut v16 = move |v17: f64| shared(v17, if (2i64 < 2i64) {
        0.5
    } else {
        x[((2i64 as usize) % x.len())]
    });
    {
        let mut i0 = ((((2.5 * 0.75) as i64) as usize) % v12.len());
        v12[i0] = sorted(&v12, a);
    }
    let mut v23 = L::Node(match ((2.5 * u[((1i64 as usize) % u.len())]) as i64) {
        0 => a,
        1 | 2 => x[((3i64 as usize) % x.len())],
        v20 if (a < a) => a,
        _ => a,
    }, Box::new(L::Node(solids(a, 1i64), Box::new(L::End))));
    ((((v15(v16(v15(a))) + a) + v10[((1i64 as usize) % v10.len())].a) + halved(&v12)) + total(&v23))
}
}

mod p60 {
use super::*;
pub const CASE: Case = Case { seed: 60, args: Args { x: [0.11914198338575537, 0.0958490044614921, 0.9983153589832517, -0.9704646722914168], u: [-0.16944958184314016, -0.33660195660247116, 0.041636556474697266], a: 0.12816406234572134, n: 1 }, along: Args { x: [-0.9704700459331654, -0.6173200950032504, 0.4757196757018806, 0.5991904795840763], u: [0.17642249316922867, -0.6889201253635452, -0.9344563661374193], a: 1.0060010830036905, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if ((n as i64) == 2i64) {
        let mut v11 = |v12: f64| {
            a = v12;
            (a * v12)
        };
        let mut v13 = (v11(0.5) + v11(match chained(u[(((n as i64) as usize) % u.len())], 0.5) {
            Ok(v15) => v15,
            Err(v16) => x[((1i64 as usize) % x.len())],
        }));
        let mut v17 = |v18: f64| {
            a = 0.25;
            (a * v18)
        };
        let mut v19 = (apply(&mut v17, v13) + v17(((x[((1i64 as usize) % x.len())] as f32) as f64)));
    } else {
        let mut v20: Box<dyn Solid> = if (1i64 == 3i64) {
            Box::new(Brick { sides: ((1.75 as f64), a), n: (n as i64) })
        } else {
            Box::new(Point)
        };
    }
    let mut v23 = D { s: S { a: x[((3i64 as usize) % x.len())], b: swapped(a, x[((1i64 as usize) % x.len())]), n: ((2.5 * a) as i64) }, o: Some(a), v: vec![if (a < a) {
        x[((3i64 as usize) % x.len())]
    } else {
        a
    }, a, u[((1i64 as usize) % u.len())]], e: E::One(a) };
    let mut v24 = (-(a as f32).min((u[(((n as i64) as usize) % u.len())] as f32)));
    let mut v25 = vec![x[((0i64 as usize) % x.len())]];
    if (2i64 == 2i64) {
        for p27 in u[1..].iter_mut() {
            let mut v27 = *p27;
            *p27 = ({
                let mut f = |v28: f64| x[((3i64 as usize) % x.len())];
                (f(a) + f(a))
            } - a);
        }
        let mut v33 = if (x.iter().enumerate().map(|(i, &v31)| {
            let mut v32 = (i as i64);
            a
        }).sum::<f64>() < x[((3i64 as usize) % x.len())]) {
            E::One(((1.75 * 1.5) as f64))
        } else {
            E::None
        };
    } else {
    }
    ((((2i64 as f64) * a) + a) + halved(&v25))
}
}

mod p61 {
use super::*;
pub const CASE: Case = Case { seed: 61, args: Args { x: [-0.5054803022519309, -0.573228025279809, -0.26653597350764496, 0.7529193689548191], u: [-0.40113421682238254, -0.7841612067438729, -0.18531366187202925], a: 0.8707135582636683, n: 1 }, along: Args { x: [0.5918001008293121, -0.16112037909675606, 0.17457169936343128, -0.8928216773615354], u: [0.8141273894545571, 0.44207378673473513, 0.835093137829457], a: 0.3461547808353791, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 1i64;
    let mut v11 = turned(S { a: a, b: swapped(a, 2.0), n: ((2.5 * a) as i64) }, if (2i64 < v10) {
        E::One(a)
    } else {
        E::None
    });
    a = a;
    let mut v13 = (a as f32);
    let mut v14 = v13.max(v13).min(single(v13, v13));
    let mut v16 = D { s: S { a: x[((v11.n as usize) % x.len())], b: (a, a), n: v10 }, o: combined(Some((1.0 as f64)), u[((v11.n as usize) % u.len())]).filter(|&v15| (v10 == 2i64)), v: vec![a, a.sin()], e: E::Two { x: a, n: v10 } };
    let mut v18: Box<dyn Fn(f64) -> f64> = if (u[((v10 as usize) % u.len())] < a) {
        Box::new(move |v17: f64| (0.5 * Some((2.0 as f64)).unwrap_or(v17)))
    } else {
        Box::new(move |v17: f64| x[((v10 as usize) % x.len())])
    };
    (((a + a) + v11.size(0.75)) + weigh(&v16, 0.5))
}
}

mod p62 {
use super::*;
pub const CASE: Case = Case { seed: 62, args: Args { x: [0.05933723842782704, 0.18033104962919805, -0.02594708829175789, -0.046028213790577165], u: [-0.26795067113824966, 0.18410952372265701, -0.9516730709060528], a: -0.10873183123699402, n: 1 }, along: Args { x: [-0.5983754393151205, -0.9528446346084453, 0.7794583478976166, -0.9799812251610507], u: [0.4809541768944742, -0.15150015094375743, -0.2998226269907947], a: 0.8337085070677085, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = D { s: S { a: a, b: (a, a), n: (n as i64) }, o: Some(a), v: vec![a, Some(u[((1i64 as usize) % u.len())]).unwrap_or(u[((2i64 as usize) % u.len())]), (1i64 as f64)], e: E::Two { x: x[((0i64 as usize) % x.len())], n: ((n as i64) + 3i64) } };
    a = orchard(match (2i64 * 2i64) {
        0 => 2.0,
        1 | 2 => a,
        v11 if (if ((u[((3i64 as usize) % u.len())], a).0 < a) {
        a
    } else {
        a
    } < a) => a,
        _ => a,
    }, 1i64);
    if (0i64 < 2i64) {
        let mut v14: f64 = ((-(a as f32)) as f64);
        let mut v15 = 0;
        'l15: while ((v15 < 4) && ((!(match ratio(v14, v14) {
            Ok(v16) => a,
            Err(v17) => 1.25,
        } <= x[((1i64 as usize) % x.len())])) || ((0i64 as f64) < a))) {
            v15 += 1;
            let mut v18 = &x[1..3];
            let mut v21: Option<f64> = (if (weigh(&v10, a) < a) {
                Some((0.75 as f64))
            } else {
                None
            }).map(|v20| v10.s.b.1);
        }
    } else {
        let mut v22 = 0;
        'l22: while ((v22 < 4) && (x.chunks(2).map(|c| {
            let mut v23 = c[0];
            let mut v24 = c[(c.len() - 1)];
            a
        }).sum::<f64>() < 0.5)) {
            v22 += 1;
            let mut v25: Result<f64, f64> = if (x[((3i64 as usize) % x.len())] < a) {
                Ok(a)
            } else {
                Err(((0.5 * 0.25) as f64))
            };
            if (match ((2.5 * a) as i64) {
                0 => 0.5,
                1 | 2 => x[((1i64 as usize) % x.len())],
                v27 if ((v27 + (n as i64)) == 0i64) => a,
                _ => x[((0i64 as usize) % x.len())],
            } < a) {
            } else {
            }
        }
    }
    match (if (((n as i64) == 3i64) && (a < x[((2i64 as usize) % x.len())])) {
        E::One(a)
    } else {
        E::Two { x: match (if (1.75 < 0.5) {
            Some(u[((3i64 as usize) % u.len())])
        } else {
            None
        }) {
            Some(v30) => a,
            None => 1.25,
        }, n: ((2.5 * a) as i64) }
    }) {
        E::One(v28) => spiral(a, 1i64),
        E::Two { x: v28, n: v29 } => (a.tanh() - 1.25),
        E::None => x[(((n as i64) as usize) % x.len())],
    }
}
}

mod p63 {
use super::*;
pub const CASE: Case = Case { seed: 63, args: Args { x: [-0.3133950861052499, 0.8742828176632944, 0.033693565558821054, -0.04021690036190259], u: [0.19930134670894795, 0.21455102951546298, 0.30390549213421925], a: -0.4633021940751533, n: 0 }, along: Args { x: [0.15191143898114048, 0.8957237119902228, -0.9493539538049872, -0.11051433883289585], u: [0.4612870427518168, 0.5772151928102752, -0.9281584426615114], a: -0.9382444605960404, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = move |v11: f64| (1i64 as f64);
    for p12 in u[1..].iter_mut() {
        let mut v12 = *p12;
        *p12 = a;
    }
    let mut v15 = if (((0.75 as f64), a).0 < 1.25) {
        E::One(a)
    } else {
        E::None
    };
    let mut v16: Box<dyn Solid> = Box::new(Point);
    let mut v20 = D { s: S { a: a, b: (a, a), n: (n as i64) }, o: Some((1.5 as f64)), v: vec![x.iter().map(|&v17| x[((1i64 as usize) % x.len())]).filter(|e| (*e > 0.0)).sum::<f64>()], e: if (match v15 {
        E::One(v18) => a,
        E::Two { x: v18, n: v19 } => v18,
        E::None => a,
    } < 2.0) {
        E::One(x[((0i64 as usize) % x.len())])
    } else {
        E::None
    } };
    let mut v23 = vec![((-1.25) as f64), u[(((n as i64) as usize) % u.len())]];
    ((a.min(v10(a).min(0.75)) + match v15 {
        E::One(v24) => v24,
        E::Two { x: v24, n: v25 } => v24,
        E::None => 0.5,
    }) + weigh(&v20, 0.5))
}
}

mod p64 {
use super::*;
pub const CASE: Case = Case { seed: 64, args: Args { x: [-0.33922375117731535, 0.9638120259841395, 0.9006275177193929, 0.8964264019660289], u: [0.7662315681151866, 0.35483685003187765, 0.5631668887080932], a: 0.7731013188598738, n: 3 }, along: Args { x: [-0.6209979908047045, -0.1141440840397793, 0.01939777630468208, 0.10116253162697557], u: [0.756921852135374, -0.7549430035993966, -0.09641088563977301], a: -0.30007760274424383, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = vec![turned(S { a: a, b: (a, a), n: (n as i64) }, E::One(a)), turned(S { a: a, b: swapped(a, 2.0), n: 3i64 }, E::Two { x: a, n: ((2.5 * x[((1i64 as usize) % x.len())]) as i64) }), S { a: a, b: (a, a), n: 0i64 }];
    let mut v13: Box<dyn Fn(f64) -> f64> = if (0i64 < 0i64) {
        Box::new(move |v12: f64| duo(a, 1.25).min(v12))
    } else {
        Box::new(move |v12: f64| (1.0 as f64))
    };
    'l14: for v14 in 0i64..3i64 {
        for p15 in u.iter_mut() {
            let mut v15 = *p15;
            *p15 = a;
        }
        {
            let mut i0 = (((0i64 * 1i64) as usize) % u.len());
            u[i0] *= a;
        }
    }
    ((1.0 + a) + v11[((1i64 as usize) % v11.len())].a)
}
}

mod p65 {
use super::*;
pub const CASE: Case = Case { seed: 65, args: Args { x: [-0.6973810782856047, 0.04948467726794252, -0.5543344388624702, 0.10073601464143478], u: [0.5116447771252961, -0.785633642736651, 0.22281258936752374], a: -0.3467952999060205, n: 0 }, along: Args { x: [-0.6100112741110112, 0.6285070739942786, 0.2951535391299101, -0.6200207701279342], u: [-0.36461003890154353, -0.5988957499744906, 0.3912631019949879], a: -0.5957942038362282, n: 2 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 0i64;
    let mut v12 = (1.0 as f32);
    let mut v13: Box<dyn Solid> = if ((n as i64) == (n as i64)) {
        Box::new(Brick { sides: (a, x[((v10 as usize) % x.len())]), n: v10 })
    } else {
        Box::new(Point)
    };
    let mut v14: Result<f64, f64> = chained(a, v13.twice(a));
    let mut v17: f64 = x[((3i64 as usize) % x.len())];
    (({
        let mut v18: f64 = (spiral(a, v10) * v17);
        let mut v19: i64 = 0;
        loop {
            v18 = (match Some(v17) {
                Some(v20) if (v18.min(v18) < 1.25) => u[((1i64 as usize) % u.len())],
                _ => v17,
            }).cos();
            v19 += 1;
            if ((v19 >= 3) || (shared(v17, 0.75) < v17)) {
                break v18;
            }
        }
    } + a) + v17)
}
}

mod p66 {
use super::*;
pub const CASE: Case = Case { seed: 66, args: Args { x: [-0.9000934522994176, -0.12279026001461354, 0.4229906196265695, 0.6804580268108908], u: [0.8219575369427176, 0.4834934706006319, 0.34940664743143784], a: -0.03458210481805357, n: 0 }, along: Args { x: [0.5019142448092707, -0.3234983982105139, -0.21082116364360637, 0.6397044468852713], u: [0.5502259300595191, -0.6842792416050326, -0.9297254381053185], a: -0.8503462496196249, n: 1 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v15 = D { s: S { a: v4, b: (v4, v4), n: 3i64 }, o: Some((0.75 as f64)).filter(|&v10| (v4 < v10)), v: vec![{
        let mut f = |v11: f64| v4;
        (f(v4) + f(v4))
    }, v4, Some(v4).unwrap_or(v4)], e: if (match root(v4) {
        Some(v14) => 0.25,
        None => v4,
    } < v4) {
        E::One(v4)
    } else {
        E::Two { x: v4, n: (1i64 * 1i64) }
    } };
    let mut v18 = if ((1i64 < 1i64) && (graded(v4, 3i64) < v4)) {
        E::One(v4)
    } else {
        E::Two { x: 0.75, n: (1i64 * 2i64) }
    };
    if ((0.5 < v4) || (1i64 < 3i64)) {
        ((v4 as f32) as f64)
    } else {
        Some(v4).unwrap_or(v4)
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = |v11: f64| {
        a = v11;
        (a * v11)
    };
    let mut v12 = (apply(&mut v10, 0.5) + v10(x[(((n as i64) as usize) % x.len())].sin()));
    let mut v15 = move |v16: f64| v12;
    let mut v20: Option<f64> = combined(Some(v12), 1.75).filter(|&v19| (v19 < 1.25)).map(|v18| v15(v12));
    let mut v21: Box<dyn Solid> = Box::new(Point);
    let mut v22 = move |v23: f64| match E::One(x[((1i64 as usize) % x.len())]) {
        E::One(v24) => x[((1i64 as usize) % x.len())],
        E::Two { x: v24, n: v25 } => ((v12 as f32) as f64),
        E::None => (2.0 + v23),
    };
    let mut v26: [f64; 3] = [(2.0 as f64).min(u[((1i64 as usize) % u.len())]), a, h0(2i64, v12)];
    let mut v27 = if ((0i64 < 1i64) || (v12 < a)) {
        (x[((0i64 as usize) % x.len())] as f32)
    } else {
        (-(a as f32))
    };
    ((((v21.size(((a + v12) - v12)) + a) + v12) + v20.unwrap_or(0.25)) + halved(&v26))
}
}

mod p67 {
use super::*;
pub const CASE: Case = Case { seed: 67, args: Args { x: [-0.7109582875236703, -0.8983779692654401, -0.09644166588462831, 0.35263466030487306], u: [0.42656479262692787, -0.17483116817679867, 0.5954047591350721], a: -0.10211008719384491, n: 1 }, along: Args { x: [0.08770434282207412, -0.8484186891562103, -0.8819649217248859, 0.9187925260323306], u: [0.854532698426307, 0.7580936157819053, -0.07659290325125259], a: 0.04718273042680571, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = E::Two { x: x.chunks(2).map(|c| {
        let mut v11 = c[0];
        let mut v12 = c[(c.len() - 1)];
        solids(x[(((n as i64) as usize) % x.len())], 0i64)
    }).sum::<f64>(), n: (n as i64) };
    let mut v14 = vec![S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: (1099511627776i64 * 3i64) }, S { a: x[((1i64 as usize) % x.len())], b: (u[((3i64 as usize) % u.len())], (1.5 as f64)), n: 1i64 }, S { a: 1.25, b: ((0.25 as f64), u[(((n as i64) as usize) % u.len())]), n: (n as i64) }];
    let mut v15 = v14.clone();
    let mut v16 = vec![u[((0i64 as usize) % u.len())], halved(x), a];
    for v17 in v14.iter_mut() {
        v17.turn((a - a));
    }
    let mut v20: f64 = 1.75;
    for p21 in u[1..].iter_mut() {
        let mut v21 = *p21;
        *p21 = match (E::Two { x: v21, n: ((2.5 * 1.5) as i64) }) {
            E::One(v22) => match (if (!(x[((2i64 as usize) % x.len())] <= v22)) {
                E::One(v20)
            } else {
                E::Two { x: x[((2i64 as usize) % x.len())], n: (n as i64) }
            }) {
                E::One(v24) => v21,
                E::Two { x: v24, n: v25 } => v24,
                E::None => x[(((n as i64) as usize) % x.len())],
            },
            E::Two { x: v22, n: v23 } => v21.cos(),
            E::None => (x[((3i64 as usize) % x.len())], v21).1,
        };
    }
    {
        let mut i0 = (((n as i64) as usize) % v16.len());
        v16[i0] -= v20;
    }
    for v31 in v15.iter_mut() {
        v31.turn(a);
    }
    ((((a + a) + match v13 {
        E::One(v32) => v32,
        E::Two { x: v32, n: v33 } => v32,
        E::None => 0.5,
    }) + v15[((1i64 as usize) % v15.len())].a) + halved(&v16))
}
}

mod p68 {
use super::*;
pub const CASE: Case = Case { seed: 68, args: Args { x: [0.2604647724683108, -0.9710257325914445, 0.2559784156917334, 0.9944832896475395], u: [0.5677540845866087, 0.13025071215948464, 0.9555959838241262], a: 0.575687700606281, n: 1 }, along: Args { x: [0.5130064943260942, -0.20086183071504302, -0.962786576649665, -0.28703649575169143], u: [0.5452464770991439, 0.6010043161052846, -0.31457523883389416], a: -0.04833462934292623, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: f64 = a;
    let mut v13 = vec![rises(x, a)];
    {
        let mut i0 = (((n as i64) as usize) % v13.len());
        v13[i0] = a;
    }
    'l14: for v14 in 0i64..3i64 {
        let mut v16: [f64; 3] = [v12, (0.75 as f64), a.max(v12)];
        'l17: for &v17 in x {
            v13.reverse();
            {
                let mut i0 = ((1i64 as usize) % v13.len());
                v13[i0] += a;
            }
        }
    }
    v13.push(a);
    if (0i64 < (n as i64)) {
    } else {
    }
    (((a, if (!(a <= a)) {
        a
    } else {
        v12
    }).0 + a) + v12)
}
}

mod p69 {
use super::*;
pub const CASE: Case = Case { seed: 69, args: Args { x: [-0.5487061486533951, 0.7863172968461823, -0.6789055495103609, -0.8161653124832886], u: [0.838589447984844, 0.3217520985939736, 0.5181282409316122], a: -0.23016052059828257, n: 3 }, along: Args { x: [0.15917686885787494, -0.8622852687714674, 0.5581206334752019, 0.3075114321953006], u: [0.8859000570531145, -0.025368583462237283, -0.29989133342852403], a: -0.8414422841191278, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = a;
    let mut v13 = L::Node(match combined(Some(v10), 1.0) {
        Some(v11) if ((1.75 < v11) || (!(match ((2.5 * 1.25) as i64) {
        0 => a,
        1 | 2 => a,
        v12 if ((a < 1.0) || (v12 == (n as i64))) => u[(((n as i64) as usize) % u.len())],
        _ => a,
    } <= 1.0))) => a,
        _ => v10,
    }, Box::new(L::End));
    let mut v15 = Rc::new(RefCell::new(a));
    let mut v16 = (v10 as f32);
    {
        let mut i0 = ((0i64 as usize) % u.len());
        u[i0] -= 2.0;
    }
    let mut v21 = D { s: S { a: v10, b: swapped(a, a), n: ((2.5 * v10) as i64) }, o: combined(root(a), v10), v: vec![(0.5 as f64), a], e: if (2i64 < 3i64) {
        E::One(v10)
    } else {
        E::None
    } };
    let mut v22: Option<f64> = Some(u[((2i64 as usize) % u.len())]);
    {
        let mut i0 = ((((2.5 * v10) as i64) as usize) % u.len());
        bump(&mut u[i0], x[((0i64 as usize) % x.len())]);
    }
    let mut v25: i64 = ((2.5 * match (&v13) {
        L::Node(v23, v24) => {
            let mut v23 = *v23;
            1.25
        },
        L::End => x[(((n as i64) as usize) % x.len())],
    }) as i64);
    stretch(&mut v21, 1.5);
    ((((({
        let mut f = |v26: f64| solids(1.5, v25);
        (f((v10 - a.min(v10))) + f(1.75))
    } + a) + total(&v13)) + {
        let mut r = *v15.borrow();
        r
    }) + weigh(&v21, 0.5)) + v22.unwrap_or(0.25))
}
}

mod p70 {
use super::*;
pub const CASE: Case = Case { seed: 70, args: Args { x: [-0.4602637975924505, -0.6493766958586916, -0.5744733482248237, 0.32868785866041483], u: [0.280271308828848, -0.41131293598465124, -0.748694298165845], a: 0.30387295024664907, n: 2 }, along: Args { x: [0.8403430298424178, 0.27954011900481385, 0.9715593088394293, -0.6920311065167489], u: [0.8045766136555824, -0.06204554011393949, -0.09839287392089442], a: -0.18716802656014714, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = u[(((n as i64) as usize) % u.len())];
    let mut v11 = &x[1..4];
    for p12 in u[1..].iter_mut() {
        let mut v12 = *p12;
        *p12 = 1.75;
    }
    let mut v13: Option<f64> = if (v10 < u[((0i64 as usize) % u.len())]) {
        Some(x[((1i64 as usize) % x.len())])
    } else {
        None
    };
    let mut v19 = S { a: match E::One(a) {
        E::One(v14) => (1.25 as f64).tanh(),
        E::Two { x: v14, n: v15 } => match (E::Two { x: v10, n: v15 }) {
            E::One(v16) => v16,
            E::Two { x: v16, n: v17 } => 1.75,
            E::None => v10,
        },
        E::None => a,
    }, b: (if (v10 < a) {
        a
    } else {
        1.5
    }, (1.25 + a)), n: 0i64 };
    let mut v24: Box<dyn Solid> = if (!(Some(a).unwrap_or(x[(((n as i64) as usize) % x.len())]) <= v10)) {
        Box::new(Brick { sides: ((0.75 as f64), a), n: ((2.5 * u[((v19.n as usize) % u.len())]) as i64) })
    } else {
        Box::new(Point)
    };
    (((((((if (1.5 < u[(((n as i64) as usize) % u.len())]) {
        (x[((2i64 as usize) % x.len())] as f32)
    } else {
        (a as f32)
    }) as f64) * if (!(x[((1i64 as usize) % x.len())] <= v10)) {
        {
            let mut f = |v25: f64| a;
            (f(a) + f(v10))
        }
    } else {
        a
    }) + v10) + v13.unwrap_or(0.25)) + v19.size(0.75)) + v24.twice(0.5))
}
}

mod p71 {
use super::*;
pub const CASE: Case = Case { seed: 71, args: Args { x: [0.49732085698468503, 0.3754598882104131, 0.5295001421958263, 0.4557629592179607], u: [0.41865714764059847, 0.6635839897571466, 0.6311348513474051], a: 0.28617515498311963, n: 2 }, along: Args { x: [-0.9924821011504639, 0.01995178263626279, 1.0099154515579614, 0.35441859956941846], u: [0.6760181986533631, 0.8113336603936981, 0.42675128775035576], a: 0.2209965822079189, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = a;
    }
    let mut v11: Box<dyn Solid> = if (1i64 == 0i64) {
        Box::new(Brick { sides: (u[((2i64 as usize) % u.len())], (0.5 as f64)), n: ((2.5 * x[((0i64 as usize) % x.len())]) as i64) })
    } else {
        Box::new(Point)
    };
    let mut v13 = (a, u[((1i64 as usize) % u.len())]);
    let mut v14 = vec![S { a: 1.0, b: (a, a), n: ((2.5 * a) as i64) }, turned(S { a: 2.0, b: swapped(a, a), n: ((2.5 * x[((1i64 as usize) % x.len())]) as i64) }, E::Two { x: u[((2i64 as usize) % u.len())], n: (3i64 + 0i64) })];
    let mut v15 = v14.clone();
    ((1.75 + a) + v11.twice(0.5))
}
}

mod p72 {
use super::*;
pub const CASE: Case = Case { seed: 72, args: Args { x: [-0.7337058906198578, 0.3694994751242791, -0.2778016201834485, 0.5869246038618915], u: [-0.15820632588336364, 0.9014888156898822, 0.09846805772269555], a: -0.21519496306958763, n: 2 }, along: Args { x: [0.49244177741164635, -0.7794115322967752, 0.07372919254753245, -0.5265785234298448], u: [-0.8954843925435845, 0.6673318516440367, 0.06335961870636976], a: 0.28955716129998554, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[2..3];
    let mut v11 = move |v12: f64| v12;
    let mut v13 = move |v14: f64| x[((3i64 as usize) % x.len())];
    let mut v15: i64 = (1i64 - (-1i64));
    for p16 in u[1..].iter_mut() {
        let mut v16 = *p16;
        *p16 = a;
    }
    let mut v19: f64 = (a * ((1.5 as f64), a).1);
    let mut v22: Option<f64> = Some(a).filter(|&v21| (v13(1.75) < v21));
    let mut v23 = &x[2..4];
    let mut v25 = vec![S { a: 0.25, b: (v19, a), n: 1i64 }];
    v25.push(S { a: v19, b: ((1.0 as f64), a), n: (n as i64) });
    (((match v22 {
        Some(v27) => v13(v19),
        None => v19,
    } + a) + v19) + v25[((1i64 as usize) % v25.len())].a)
}
}

mod p73 {
use super::*;
pub const CASE: Case = Case { seed: 73, args: Args { x: [0.6057318862350688, -0.4635059984418659, -0.6394539367538765, 0.9263021699783515], u: [-0.5336114543259761, 0.19782558557779198, 0.7358719431814464], a: -0.25363815636663756, n: 0 }, along: Args { x: [0.15921905308801432, -0.08290582440161277, -0.7841965985151482, -0.22912041188450238], u: [0.9075142278566862, -0.14428120611941175, -0.8312015476492073], a: 0.49541191595049383, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = swapped(match E::One(a) {
        E::One(v10) => v10,
        E::Two { x: v10, n: v11 } => a,
        E::None => 1.25,
    }, a);
    let mut v13 = Rc::new(RefCell::new(u[((0i64 as usize) % u.len())]));
    let mut v14 = if (if (2i64 < 0i64) {
        a
    } else {
        a
    } < x[((1i64 as usize) % x.len())]) {
        E::One((1.75 as f64))
    } else {
        E::None
    };
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] = x[((1i64 as usize) % x.len())];
    }
    {
        let mut e = a;
        *v13.borrow_mut() -= e;
    }
    (((((0.5 * a) + a) + v12.0) + {
        let mut r = *v13.borrow();
        r
    }) + match v14 {
        E::One(v15) => v15,
        E::Two { x: v15, n: v16 } => v15,
        E::None => 0.5,
    })
}
}

mod p74 {
use super::*;
pub const CASE: Case = Case { seed: 74, args: Args { x: [0.5325005878732937, 0.5668963406210702, -0.818961947321745, 0.9376074622674245], u: [0.9492763535661715, 0.25855438830023647, -0.24025869049677623], a: 0.12321042111412908, n: 0 }, along: Args { x: [0.9241432385260538, -0.07674652071996846, -0.009982366851794815, 0.3986322857177874], u: [0.22520068235228408, -0.30854252084486034, -0.7628475826823035], a: -0.9296816391451715, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] += {
            let mut v10: f64 = 1.75;
            let mut v11: i64 = 0;
            loop {
                v10 = v10;
                v11 += 1;
                if ((v11 >= 3) || (((a, u[((1i64 as usize) % u.len())]).1 < v10) && (u[((1i64 as usize) % u.len())] < a))) {
                    break v10;
                }
            }
        };
    }
    let mut v16: Box<dyn Fn(f64) -> f64> = if ((u[((1i64 as usize) % u.len())] < x[((3i64 as usize) % x.len())]) && (a < x[((1i64 as usize) % x.len())])) {
        Box::new(move |v13: f64| (1.5 as f64))
    } else {
        Box::new(move |v13: f64| match (if (!(x[(((n as i64) as usize) % x.len())] <= a)) {
            E::One(a)
        } else {
            E::None
        }) {
            E::One(v14) => Some(a).unwrap_or(1.25),
            E::Two { x: v14, n: v15 } => a,
            E::None => if (!((2i64 as f64) <= v13)) {
                x[(((n as i64) as usize) % x.len())]
            } else {
                x[((1i64 as usize) % x.len())]
            },
        })
    };
    let mut v21 = vec![match (if (0.5 < 0.5) {
        Ok(a)
    } else {
        Err(a)
    }) {
        Ok(v18) => u[((1i64 as usize) % u.len())],
        Err(v19) => x[((1i64 as usize) % x.len())],
    }];
    let mut e22 = a;
    let mut p22 = if (x[((3i64 as usize) % x.len())] < x[((1i64 as usize) % x.len())]) {
        &mut a
    } else {
        &mut a
    };
    *p22 += e22;
    let mut v25: Option<f64> = Some(x[((3i64 as usize) % x.len())]);
    ((solids(v16(a), 1i64) + a) + v25.unwrap_or(0.25))
}
}

mod p75 {
use super::*;
pub const CASE: Case = Case { seed: 75, args: Args { x: [0.6704555063515762, 0.817433772650031, -0.3628876801999625, -0.5251729395297059], u: [0.1736618967446727, 0.8937716052273935, 0.05364289251776947], a: -0.038464263389865805, n: 1 }, along: Args { x: [0.5395240634722828, 0.6165672154324362, 0.7902975893763817, -0.14780554257222633], u: [-0.48518989051813877, 0.2843745936826505, 0.16410644121109222], a: -0.6830362280899543, n: 2 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v10 = Rc::new(RefCell::new(v4));
    if (if (v5.max(v5) < v4) {
        v4
    } else {
        0.75
    } < v5) {
        let mut v15 = if (!((v5, v5).0 <= v4)) {
            E::One(v4)
        } else {
            E::Two { x: match chained(v5, v5) {
                Ok(v13) => v13,
                Err(v14) => v14,
            }, n: ((2.5 * v5) as i64) }
        };
        v10 = v10.clone();
    } else {
        if let Some(v16) = Some(v4) {
            let mut v18: f64 = (v4 + v5.sin());
            {
                let mut e = v5;
                *v10.borrow_mut() = e;
            }
        }
    }
    let mut v21: f64 = v5;
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Option<f64> = both(a, (a * 0.5));
    let mut v13 = (a as f32);
    if let Some(v14) = Some(u[((2i64 as usize) % u.len())]) {
        let mut v15 = D { s: S { a: a, b: swapped(1.0, v14), n: 1i64 }, o: v12, v: vec![(1.0 as f64), Some(v14).unwrap(), a.max(u[((1i64 as usize) % u.len())])], e: E::One(v14) };
        let mut v18: Result<f64, f64> = chained(u[((0i64 as usize) % u.len())], v15.v.windows(2).map(|c| {
            let mut v16 = c[0];
            let mut v17 = c[(c.len() - 1)];
            v17
        }).sum::<f64>());
    }
    if let Some(v19) = both(1.25, x[((0i64 as usize) % x.len())]).map(|v20| (if (!(a <= x[((3i64 as usize) % x.len())])) {
        a
    } else {
        a
    }).cos()) {
        let mut v24 = D { s: S { a: v19, b: ((0.75 as f64), x[((1i64 as usize) % x.len())]), n: (2i64 * (-9223372036854775807i64)) }, o: Some(a).map(|v21| (1.25 as f64)), v: vec![(0.5 as f64), match (if ((n as i64) < (n as i64)) {
            Ok(a)
        } else {
            Err((1.75 as f64))
        }) {
            Ok(v22) => v19,
            Err(v23) => 1.5,
        }], e: E::Two { x: v19, n: 1i64 } };
        mix(u, {
            let mut f = |v25: f64| ({
                let mut f = |v26: f64| v26;
                (f(v19) + f(x[((1i64 as usize) % x.len())]))
            } + v25);
            (f(v19) + f(v19))
        });
    }
    let mut v29 = D { s: S { a: a, b: (a, x[(((n as i64) as usize) % x.len())]), n: ((2.5 * a) as i64) }, o: Some(a), v: vec![a, x[((0i64 as usize) % x.len())], a], e: E::Two { x: a, n: 1i64 } };
    stretch(&mut v29, match 3i64 {
        0 => 0.5,
        1 | 2 => 0.5,
        v31 if ((v31 < v31) || (Some((0.5 as f64)).unwrap_or(0.5) < 0.75)) => 0.5,
        _ => 0.5,
    });
    ({
        let mut v32: f64 = a;
        let mut v33: i64 = 0;
        loop {
            v32 = h0(a, duo(v32, v32));
            v33 += 1;
            if ((v33 >= 3) || (1.0 < v32)) {
                break v32;
            }
        }
    } + a)
}
}

mod p76 {
use super::*;
pub const CASE: Case = Case { seed: 76, args: Args { x: [-0.18621823779985536, 0.6478522502522486, -0.15339362078125765, -0.20712680685199325], u: [-0.4161614963608517, 0.3561664308001798, -0.08897894177877877], a: 0.587124103839039, n: 1 }, along: Args { x: [-0.1977766004391679, -0.18483211238752864, 0.43170444252366863, -0.37903757478711153], u: [-0.596420234794074, 0.5081518593761846, 0.288510163619872], a: -0.15066928743983343, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = L::Node(1.25, Box::new(L::End));
    let mut v12: [f64; 3] = [a, (1.75 as f64), (1.5 * a)];
    {
        let mut m = ((2i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v13 = *i;
            let mut v14 = *j;
            let mut e = v13;
            let mut f = (v14 * v13);
            *i = e;
            *j = f;
        }
    }
    let mut v15 = Rc::new(RefCell::new(x[(((n as i64) as usize) % x.len())]));
    let mut v16 = E::Two { x: x[((1i64 as usize) % x.len())], n: 3i64 };
    let mut v17 = move |v18: f64| match Some(x[((2i64 as usize) % x.len())]) {
        Some(v19) => x[((1i64 as usize) % x.len())],
        None => 1.5,
    };
    a = (x[((0i64 as usize) % x.len())] * a).max(a.sin());
    {
        let mut e = (1.0 as f64);
        *v15.borrow_mut() *= e;
    }
    {
        let mut i0 = ((3i64 as usize) % u.len());
        u[i0] *= match combined(Some(a), x[((1i64 as usize) % x.len())]) {
            Some(v22) => a,
            None => a,
        };
    }
    if (match root(0.25) {
        Some(v24) => 1.0,
        None => a,
    } < a) {
    } else {
    }
    ((((v17(a) + a) + total(&v11)) + halved(&v12)) + match v16 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    })
}
}

mod p77 {
use super::*;
pub const CASE: Case = Case { seed: 77, args: Args { x: [-0.5518958527124185, -0.7225762816307226, 0.3039473605565152, -0.910009657690907], u: [-0.1922376240011914, -0.6995632671340083, -0.3287795007945993], a: 0.8296533797875777, n: 0 }, along: Args { x: [-0.9807475614111189, 0.0741520688435138, 0.048918866925053116, 0.5706238541217925], u: [0.3008769545923759, 0.22323044956111437, 0.6417414963361083], a: 0.6958459659530972, n: 3 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64) -> Option<f64> {
    let mut v13 = swapped((0.75 - 0.5), v4);
    both(v4, match 1i64 {
        0 => v4,
        1 | 2 => v4,
        v14 if (!(v4 <= v4)) => v4,
        _ => 0.75,
    })
}

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v12: [f64; 3] = [match 1i64 {
        0 => v5,
        1 | 2 => v4,
        v10 if (!(v4 <= 0.75)) => v5,
        _ => v5,
    }, (3i64 as f64), v5];
    v12 = v12;
    if (1i64 == 0i64) {
        v5 *= v5;
        let mut v18 = vec![(0.25 as f64).tanh(), match (E::Two { x: v4, n: 1i64 }) {
            E::One(v14) => v4,
            E::Two { x: v14, n: v15 } => v4,
            E::None => v5,
        }, v4];
    } else {
        let mut v20: f64 = 1.5;
    }
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Option<f64> = h0(h1(2i64, a, 0.75));
    let mut v18 = vec![a];
    let mut v19: Result<f64, f64> = chained(((a as f32) as f64), a);
    {
        let mut i0 = ((0i64 as usize) % v18.len());
        v18[i0] *= shared({
            let mut v20: f64 = a;
            let mut v21: i64 = 0;
            loop {
                v20 = 1.0;
                v21 += 1;
                if ((v21 >= 3) || (3i64 < v21)) {
                    break v20;
                }
            }
        }, a);
    }
    mix(u, 0.5);
    (((0.25 + a) + v10.unwrap_or(0.25)) + halved(&v18))
}
}

mod p78 {
use super::*;
pub const CASE: Case = Case { seed: 78, args: Args { x: [-0.39961209445985696, 0.017704236292546402, -0.14588665379602064, -0.7949527211723039], u: [0.1831259630809159, 0.4390906538531693, 0.47705966893602997], a: -0.538152937970682, n: 0 }, along: Args { x: [0.8413292227042188, -0.10380584529480925, -0.24750334709568872, -0.728692495321719], u: [0.9952324374627355, 0.7316730894059748, 0.7461020274842792], a: 0.20123988029440407, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14 = D { s: S { a: a, b: (a, (1.25 as f64)), n: 2i64 }, o: root(a).and_then(|v11| both(v11, 2.0)), v: vec![match (if (u[((0i64 as usize) % u.len())] < a) {
        E::One(a)
    } else {
        E::None
    }) {
        E::One(v12) => u[((0i64 as usize) % u.len())],
        E::Two { x: v12, n: v13 } => u[((3i64 as usize) % u.len())],
        E::None => 0.75,
    }, a.sin()], e: if ((0i64 < 1i64) || ((0.5 * 1.75) < 0.75)) {
        E::One(a)
    } else {
        E::None
    } };
    for p15 in u.iter_mut() {
        let mut v15 = *p15;
        *p15 = a;
    }
    for p16 in u.iter_mut() {
        let mut v16 = *p16;
        *p16 = a;
    }
    v14.s.b.0 = u[(((n as i64) as usize) % u.len())];
    let mut v17: Option<f64> = Some((0.5 as f64));
    let mut v20 = L::Node(a, Box::new(L::Node(a, Box::new(L::End))));
    ((x[((((2.5 * a.sin()) as i64) as usize) % x.len())] + a) + weigh(&v14, 0.5))
}
}

mod p79 {
use super::*;
pub const CASE: Case = Case { seed: 79, args: Args { x: [-0.06529573079927857, 0.46059860810995623, 0.07957826678054832, -0.6550246258243938], u: [0.8413004002659205, -0.21351081061831712, 0.800010749172834], a: -0.434297343393265, n: 3 }, along: Args { x: [1.007047336930996, -0.6315953194638734, 0.6810898012383086, 0.8980864389145948], u: [0.3743072442838322, 0.14235564820490537, -0.0614818637309092], a: -0.33151671845427316, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = if (!(a <= a)) {
        (a, x[(((n as i64) as usize) % x.len())]).0
    } else {
        a
    };
    let mut v12 = single(((0.75 as f32) + (x[((2i64 as usize) % x.len())] as f32)), ((u[((3i64 as usize) % u.len())] as f32) + (v11 as f32)));
    if (!(u[((0i64 as usize) % u.len())] <= 1.0)) {
        let mut v16 = S { a: v11, b: (duo(1.75, 1.75), v11.tanh()), n: 1i64 };
        let mut e17 = (1.0 as f64);
        let mut p17 = if (2i64 == 2i64) {
            &mut v16.b.0
        } else {
            &mut v16.a
        };
        *p17 *= e17;
    } else {
        let mut v21 = S { a: x[((1i64 as usize) % x.len())], b: ((0.25 as f64), (1.25 as f64)), n: 3i64 };
    }
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] *= match (if (!((a + v11) <= 0.5)) {
            Some(v11)
        } else {
            None
        }) {
            Some(v22) if (0i64 < (n as i64)) => match combined(both(a, v11), 0.75) {
                Some(v23) if (!(a.min(v11) <= x[((1i64 as usize) % x.len())])) => v22,
                _ => v11,
            },
            _ => a,
        };
    }
    (((a.sin(), if (3i64 < 1i64) {
        1.5
    } else {
        v11
    }).0 + a) + v11)
}
}

mod p80 {
use super::*;
pub const CASE: Case = Case { seed: 80, args: Args { x: [0.9599397062485517, 0.8221289990453754, 0.5587355125314483, 0.4968969438511083], u: [-0.842561961045182, -0.029356021253712533, -0.16862968415344298], a: 0.11909463269047499, n: 3 }, along: Args { x: [-0.7521105360265882, -0.3875542162022174, 0.31051247932896714, 0.051861653256526204], u: [0.28670218399279856, 0.28658317010257583, -0.3671767259797942], a: 0.12091686538454663, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v12 = D { s: S { a: v5, b: (v4, v4), n: 2i64 }, o: if (0i64 < 1i64) {
        Some(v4)
    } else {
        None
    }, v: vec![v4], e: if (v4 < v4) {
        E::One(v5)
    } else {
        E::Two { x: v4, n: 2i64 }
    } };
    let mut v15 = E::One(v4);
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = (0i64 * 2i64);
    {
        let mut m = ((v10 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v11 = *i;
            let mut v12 = *j;
            let mut e = v12;
            let mut f = match Some(v12) {
                Some(v13) if ({
                let mut v14: f64 = 0.5;
                let mut v15: i64 = 0;
                loop {
                    v14 = v11;
                    v15 += 1;
                    if ((v15 >= 3) || ((v11 < x[(((n as i64) as usize) % x.len())]) || (v14 < x[(((n as i64) as usize) % x.len())]))) {
                        break v14;
                    }
                }
            } < v13) => 0.25,
                _ => v11,
            };
            *i = e;
            *j = f;
        }
    }
    let mut v24 = L::Node(match v10 {
        0 => a,
        1 | 2 => a,
        v23 if ((x[((1i64 as usize) % x.len())] < x[((2i64 as usize) % x.len())]) && (v10 == v23)) => a,
        _ => a,
    }, Box::new(L::Node((x[(((n as i64) as usize) % x.len())], x[((v10 as usize) % x.len())]).0, Box::new(L::Node(x[((0i64 as usize) % x.len())], Box::new(L::End))))));
    let mut v27: Box<dyn Solid> = Box::new(Ball { r: x[(((n as i64) as usize) % x.len())] });
    let mut v28: f64 = a;
    if let Some(v29) = if ((-a) < x[((1i64 as usize) % x.len())]) {
        Some((1.75 as f64))
    } else {
        None
    } {
        let mut v30 = |v31: f64| {
            v28 = v29;
            (v28 * v31)
        };
        let mut v32 = (apply(&mut v30, a) + v30(0.5));
        let mut v33 = L::Node(x[((v10 as usize) % x.len())], Box::new(L::Node(h0(v29, a), Box::new(L::End))));
    }
    let mut v34 = 0;
    'l34: while ((v34 < 4) && (!(x[((3i64 as usize) % x.len())] <= a))) {
        v34 += 1;
        v28 = counted(x[((v10 as usize) % x.len())], 1i64);
    }
    ((((x[((v10 as usize) % x.len())] + a) + total(&v24)) + v27.twice(0.5)) + v28)
}
}

mod p81 {
use super::*;
pub const CASE: Case = Case { seed: 81, args: Args { x: [-0.8353836905923111, -0.9039303542080053, 0.08656742835355846, -0.5461383788496772], u: [0.9400038538204392, 0.7387132221376036, -0.8031956539818907], a: -0.4774117417695024, n: 2 }, along: Args { x: [-0.6527309092936044, 0.5273990728842798, 0.2801796412395262, 0.025399134108914964], u: [-0.040728273168868276, 0.1995689647548339, 0.48125188496200366], a: -0.17329156418260105, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = single((a as f32), (-(a as f32)));
    let mut v14 = D { s: S { a: a, b: (a, a), n: (2i64 + 3i64) }, o: Some(a), v: vec![solids(a, 3i64), (1.25 as f64), {
        let mut v12: f64 = a;
        let mut v13: i64 = 0;
        loop {
            v12 = a;
            v13 += 1;
            if ((v13 >= 3) || (!(1.25 <= 0.25))) {
                break v12;
            }
        }
    }], e: if ((!(if (a < a) {
        a
    } else {
        a
    } <= a)) && (x[((0i64 as usize) % x.len())] < 0.5)) {
        E::One(a)
    } else {
        E::Two { x: a, n: (2i64 * 1i64) }
    } };
    let mut v15: Result<f64, f64> = if (((2.5 * a) as i64) == 2i64) {
        Ok(solids(u[(((n as i64) as usize) % u.len())], 1i64))
    } else {
        Err((a + a))
    };
    let mut v16 = move |v17: f64| (0.75 as f64);
    let mut v18 = vec![(1.0 as f64), v14.s.b.0];
    (((match (if (3i64 < 1i64) {
        E::One(match (n as i64) {
            0 => a,
            1 | 2 => u[(((n as i64) as usize) % u.len())],
            v21 if (3i64 < 3i64) => a,
            _ => x[(((n as i64) as usize) % x.len())],
        })
    } else {
        E::Two { x: x[((3i64 as usize) % x.len())], n: ((n as i64) * 3i64) }
    }) {
        E::One(v19) => a,
        E::Two { x: v19, n: v20 } => (v20 as f64),
        E::None => a,
    } + a) + weigh(&v14, 0.5)) + halved(&v18))
}
}

mod p82 {
use super::*;
pub const CASE: Case = Case { seed: 82, args: Args { x: [0.896907501816519, -0.21097189655678153, -0.07136223072892318, -0.04975694286107525], u: [-0.1500348051804474, 0.06747148568829399, 0.721827945562898], a: -0.07216139477775763, n: 3 }, along: Args { x: [-0.9486189422489761, 1.0014543338324986, 0.04601143928687751, -0.6004364577812098], u: [0.5900097921237053, 0.2775424805474668, 0.839818037343165], a: -0.27188272522144263, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = Rc::new(RefCell::new((0.5 * a)));
    let mut v13 = (x[((3i64 as usize) % x.len())] as f32);
    a = if ((!((0.5 * a) <= a)) || (x[((1i64 as usize) % x.len())] < a)) {
        a
    } else {
        x[(((n as i64) as usize) % x.len())]
    };
    (combined(both(a, 1.25), a).unwrap_or(match chained(a, x[((1i64 as usize) % x.len())]) {
        Ok(v14) => 1.5,
        Err(v15) => x[((2i64 as usize) % x.len())],
    }) + {
        let mut r = *v12.borrow();
        r
    })
}
}

mod p83 {
use super::*;
pub const CASE: Case = Case { seed: 83, args: Args { x: [0.7177711452943499, 0.8961479629824272, -0.18619202237774127, -0.5637496737202152], u: [-0.4364442052189179, -0.44202184419644, 0.5000395010892622], a: 0.8240629980835306, n: 3 }, along: Args { x: [-0.7268521924064442, -0.1620057005122256, 0.6929367615354871, 0.6490065170333047], u: [-0.7298846426828173, -0.8884322423892459, 0.6140558957460533], a: 0.8529064336466812, n: 3 }, singles: false };

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
    let mut v20: Result<f64, f64> = if (counted(a, 2i64) < v12) {
        Ok((1.5 + x[((0i64 as usize) % x.len())]))
    } else {
        Err(v19(v12))
    };
    ((v19((a, a).0) + a) + v12)
}
}

mod p84 {
use super::*;
pub const CASE: Case = Case { seed: 84, args: Args { x: [0.5278407100172454, 0.7730810860244701, -0.8964317807371787, -0.16257591810381025], u: [1.0053384541921817, -0.6328492122176547, -0.9273384089630867], a: -0.33118557291519074, n: 2 }, along: Args { x: [0.5482298215508529, -0.4297565511119792, 0.06773066277807548, 0.6901025721774173], u: [-0.7978014230511079, 0.15156578544826652, -0.9633671730682604], a: -0.9542106568086406, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = |v11: f64| {
        a = {
            let mut f = |v13: f64| x[((0i64 as usize) % x.len())];
            (f(x[((0i64 as usize) % x.len())]) + f(x[((1i64 as usize) % x.len())]))
        };
        (a * v11)
    };
    let mut v12 = (apply(&mut v10, 1.25) + v10(1.5));
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v15 = *i;
            let mut v16 = *j;
            let mut e = v12.sin();
            let mut f = x[((0i64 as usize) % x.len())];
            *i = e;
            *j = f;
        }
    }
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = match (if (!(if (1i64 < 0i64) {
            x[((1i64 as usize) % x.len())]
        } else {
            x[((2i64 as usize) % x.len())]
        } <= a)) {
            E::One(a)
        } else {
            E::Two { x: v12, n: (3i64 + 3i64) }
        }) {
            E::One(v17) => x.windows(2).map(|c| {
                let mut v19 = c[0];
                let mut v20 = c[(c.len() - 1)];
                v19
            }).sum::<f64>(),
            E::Two { x: v17, n: v18 } => match combined(Some(v12), a) {
                Some(v21) => a,
                None => v12,
            },
            E::None => 1.0,
        };
    }
    let mut v22 = D { s: S { a: v12, b: (a, x[((3i64 as usize) % x.len())]), n: (0i64 + 0i64) }, o: Some((0.25 as f64)), v: vec![Some(x[((1i64 as usize) % x.len())]).unwrap_or(v12)], e: if (a < a) {
        E::One(a)
    } else {
        E::Two { x: 0.5, n: 0i64 }
    } };
    let mut v23 = E::Two { x: a.cos(), n: (2i64 * 3i64) };
    let mut v25 = Rc::new(RefCell::new(halved(&v22.v)));
    let mut v27: Option<f64> = v22.o;
    ((((({
        let mut v28: f64 = 2.0;
        let mut v29: i64 = 0;
        loop {
            v28 = v12;
            v29 += 1;
            if ((v29 >= 3) || ({
                let mut f = |v30: f64| (v29 as f64);
                (f(0.5) + f(a))
            } < v12)) {
                break v28;
            }
        }
    } + a) + v12) + weigh(&v22, 0.5)) + match v23 {
        E::One(v31) => v31,
        E::Two { x: v31, n: v32 } => v31,
        E::None => 0.5,
    }) + v27.unwrap_or(0.25))
}
}

mod p85 {
use super::*;
pub const CASE: Case = Case { seed: 85, args: Args { x: [0.9344678968894804, -0.8777108350784789, -0.6158148289686978, 0.36002513800948605], u: [0.3197723497180606, 1.010097585049797, -0.7461125448510424], a: 0.9573974956235254, n: 1 }, along: Args { x: [-0.003011638025962795, -0.8604659134559621, -0.3794472668827523, 0.38462942604074724], u: [-0.5176212250658206, -0.9877840301747858, -0.6337939149663161], a: -0.11211967380790593, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u.iter_mut() {
        let mut v11 = *p11;
        *p11 = (a, v11).0;
    }
    let mut v12 = |v13: f64| {
        a = (-x[(((n as i64) as usize) % x.len())]).cos();
        (a * v13)
    };
    let mut v14 = (v12(0.5) + v12(0.5));
    let Some(v15) = root(a) else {
        return u[(((n as i64) as usize) % u.len())];
    };
    let mut v16: Option<f64> = Some(a);
    let mut v17 = |v18: f64| {
        v14 = v14;
        (v14 * v18)
    };
    let mut v19 = (apply(&mut v17, a) + v17(1.5));
    let mut v22: f64 = root(a).filter(|&v21| (((2.5 * x[((0i64 as usize) % x.len())]) as i64) == 3i64)).unwrap_or(v19);
    let mut v23: f64 = (0.5 * v15);
    (((((u[((1i64 as usize) % u.len())] + a) + v14) + v16.unwrap_or(0.25)) + v19) + v22)
}
}

mod p86 {
use super::*;
pub const CASE: Case = Case { seed: 86, args: Args { x: [-0.5703716438590458, -0.6584215946440416, 0.6564673371250702, -0.6314245182255712], u: [0.6216693471802854, -0.5109127315029484, 0.9830798797197748], a: 0.4717273074938394, n: 0 }, along: Args { x: [0.7953304920977058, 1.0118673417548436, 0.9309390508647644, -0.8879688070413294], u: [0.977309519051219, -0.17086748063186577, 0.05707296051572751], a: 0.12262403605502618, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = if (a < a) {
        Box::new(Brick { sides: swapped(0.75, a), n: (n as i64) })
    } else {
        Box::new(Point)
    };
    for p11 in u.iter_mut() {
        let mut v11 = *p11;
        *p11 = v11;
    }
    let mut v17 = L::Node(a, Box::new(L::Node({
        let mut f = |v16: f64| (-x[((3i64 as usize) % x.len())]);
        (f(x[((2i64 as usize) % x.len())]) + f(a))
    }, Box::new(L::End))));
    let mut v19: Result<f64, f64> = chained((0.5 * x[((2i64 as usize) % x.len())]), x[((3i64 as usize) % x.len())]);
    let mut v20: i64 = ((2.5 * (0.25 * a)) as i64);
    let mut v21 = L::Node(spiral(x[((3i64 as usize) % x.len())], v20), Box::new(L::Node(u[((2i64 as usize) % u.len())], Box::new(L::Node((-a), Box::new(L::End))))));
    let mut v24 = D { s: S { a: x[((3i64 as usize) % x.len())], b: (u[((1i64 as usize) % u.len())], (1.0 as f64)), n: (n as i64) }, o: both(1.5, a), v: vec![u[((1i64 as usize) % u.len())]], e: if (a < 1.5) {
        E::One(a)
    } else {
        E::Two { x: 1.0, n: v20 }
    } };
    v17 = L::Node(a, Box::new(L::Node(x[((3i64 as usize) % x.len())], Box::new(L::Node({
        let mut f = |v25: f64| v25;
        (f(a) + f(a))
    }, Box::new(L::End))))));
    ((((match 1i64 {
        0 => (v20 as f64),
        1 | 2 => 0.75,
        v26 if (!(2.0 <= a)) => 0.25,
        _ => a,
    } + a) + v10.twice(0.5)) + total(&v17)) + weigh(&v24, 0.5))
}
}

mod p87 {
use super::*;
pub const CASE: Case = Case { seed: 87, args: Args { x: [-0.9276802372724549, 0.8819109458698584, -0.9233637898613941, -0.4961959045111709], u: [0.39860069051368785, 0.185128118250265, -0.10556498692285399], a: 0.17462161344398414, n: 2 }, along: Args { x: [-0.5919350898177864, 0.4129065363995977, 0.6616418091023933, -0.7296228899799562], u: [1.0031274180954508, -0.14557004247559477, 0.5999834763999634], a: 0.6896860883338329, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a = (single((a as f32), (a as f32)) as f64);
    let mut v12 = S { a: x[((3i64 as usize) % x.len())], b: swapped(a, ((1.5 as f32) as f64)), n: ((2.5 * a) as i64) };
    let mut v13 = vec![a, a];
    v12 = turned(turned(v12, E::Two { x: a, n: 2i64 }), if ((a < a) || (0i64 < 0i64)) {
        E::One(a)
    } else {
        E::None
    });
    if (a < a) {
        let mut v18 = (a, a);
        if ((a * 2.0) < a) {
            let mut v20: f64 = 0.25;
            v20 = counted(v13[((n as i64) as usize)], 0i64);
        } else {
            let mut v22 = vec![S { a: 2.0, b: v18, n: 3i64 }];
        }
    } else {
    }
    ((((0i64 as f64) + a) + v12.size(0.75)) + halved(&v13))
}
}

mod p88 {
use super::*;
pub const CASE: Case = Case { seed: 88, args: Args { x: [0.813166413563651, -0.8495117007579919, 0.5651210899101091, 0.07920230174689703], u: [0.6183355881170216, -0.7244752184262689, 0.42796110698898526], a: 0.5989210405430724, n: 2 }, along: Args { x: [0.5679336120004798, -0.694028992029183, 0.567070102559892, 0.6887094039351462], u: [0.4492903133426435, 0.07941130504556064, 0.1746659911986342], a: 0.9122608633437798, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v13: Result<f64, f64> = if ((0.25 as f64).max(v4) < v4) {
        Ok((0.5 * v4))
    } else {
        Err(v4)
    };
    let mut v15: Result<f64, f64> = if ((3i64 == 1i64) && ((3i64 + 1i64) == 0i64)) {
        Ok(if (0i64 < 2i64) {
            v4
        } else {
            v4
        })
    } else {
        Err(root(v4).unwrap_or(v4))
    };
    (v4 * v4)
}

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    let mut v13: Box<dyn Solid> = Box::new(Point);
    v4 = v4;
    0.75
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Box<dyn Solid> = if (!(match (n as i64) {
        0 => 0.5,
        1 | 2 => a,
        v11 if (x[((1i64 as usize) % x.len())] < a) => x[((v11 as usize) % x.len())],
        _ => a,
    } <= a)) {
        Box::new(Ball { r: a })
    } else {
        Box::new(Brick { sides: (u[((3i64 as usize) % u.len())], u[((2i64 as usize) % u.len())]), n: 1i64 })
    };
    let mut v13 = (h1(x[(((n as i64) as usize) % x.len())]), a);
    a += root(a).unwrap_or(match ((2.5 * a) as i64) {
        0 => a,
        1 | 2 => a,
        v14 if (v14 < 2i64) => 0.25,
        _ => a,
    });
    v12 = Box::new(Ball { r: x[((0i64 as usize) % x.len())] });
    v13.1 -= h0(a);
    let mut v17: Box<dyn Solid> = if (a.min(a) < a) {
        Box::new(Brick { sides: ((2.0 as f64), u[((1i64 as usize) % u.len())]), n: (n as i64) })
    } else {
        Box::new(Point)
    };
    ((({
        let mut f = |v18: f64| x[(((n as i64) as usize) % x.len())];
        (f(x[((2i64 as usize) % x.len())].cos()) + f(a))
    } + v12.twice(0.5)) + v13.0) + v17.twice(0.5))
}
}

mod p89 {
use super::*;
pub const CASE: Case = Case { seed: 89, args: Args { x: [0.25098807790977545, -0.7750523424733989, -0.212245876335428, 0.675391342869806], u: [0.17674576715527074, -0.9756565885007416, -0.6620184550462159], a: 0.08384858201134958, n: 3 }, along: Args { x: [-0.24468025291411927, 0.2536470410668303, -0.025633057365734173, -0.6634253280070398], u: [0.07949652830852426, 0.15972755111394743, -0.2611037361383031], a: 0.5650141847831424, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = E::One(a);
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] *= a;
    }
    let mut v19 = S { a: a, b: (match Some(a) {
        Some(v16) if ({
        let mut f = |v17: f64| solids(match 0i64 {
            0 => v17,
            1 | 2 => x[((0i64 as usize) % x.len())],
            v18 if (3i64 < 1i64) => x[((0i64 as usize) % x.len())],
            _ => v16,
        }, (n as i64));
        (f(v16) + f(x[((1i64 as usize) % x.len())]))
    } < a) => a,
        _ => 1.75,
    }, a), n: (0i64 * 3i64) };
    let mut v21: Option<f64> = combined(Some(a).and_then(|v20| both(x[((v19.n as usize) % x.len())], 1.75)), a);
    v19 = v19;
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v23 = *i;
            let mut v24 = *j;
            let mut e = {
                let mut v25: f64 = v23;
                let mut v26: i64 = 0;
                loop {
                    v25 = v23;
                    v26 += 1;
                    if ((v26 >= 3) || (a < v25)) {
                        break v25;
                    }
                }
            };
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    bump(&mut a, 0.5);
    let mut v28: Option<f64> = combined(v21, a);
    let mut v29: [f64; 3] = [solids(x[((1i64 as usize) % x.len())], 0i64), a, a];
    a += ((2.0 as f64), a).0.tanh();
    ((((x[((1i64 as usize) % x.len())] + a) + match v13 {
        E::One(v30) => v30,
        E::Two { x: v30, n: v31 } => v30,
        E::None => 0.5,
    }) + v19.size(0.75)) + v21.unwrap_or(0.25))
}
}

mod p90 {
use super::*;
pub const CASE: Case = Case { seed: 90, args: Args { x: [0.7147085440779444, -0.00969150109833962, 0.7394211087854591, 0.6647553662410944], u: [-0.09099408595095045, -0.2003889920547168, 0.8467691257166217], a: -0.2366643992374191, n: 0 }, along: Args { x: [0.8857750183049266, 0.5397770524437978, -0.4969374281087819, 0.3116563322552028], u: [-0.0989477769866041, 1.0021031801079454, 0.8766810659808717], a: -0.051863033167716205, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Box<dyn Solid> = Box::new(Ball { r: a });
    {
        let mut m = (((0i64 * 1i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v13 = *i;
            let mut v14 = *j;
            let mut e = v13;
            let mut f = x[((2i64 as usize) % x.len())];
            *i = e;
            *j = f;
        }
    }
    let mut v16: i64 = 1i64;
    let mut v17 = |v18: f64| {
        a = {
            let mut f = |v20: f64| v20.cos();
            (f(match Some(v18) {
                Some(v21) => v21,
                None => a,
            }) + f(x[((v16 as usize) % x.len())]))
        };
        (a * v18)
    };
    let mut v19 = (v17(u[((v16 as usize) % u.len())]) + v17(0.5));
    (((match (E::Two { x: v19, n: 1i64 }) {
        E::One(v25) => (a * match chained(1.75, v25) {
            Ok(v27) => u[((1i64 as usize) % u.len())],
            Err(v28) => u[(((n as i64) as usize) % u.len())],
        }),
        E::Two { x: v25, n: v26 } => match (if (v26 < 1i64) {
            E::One((0.5 as f64))
        } else {
            E::Two { x: x[((1i64 as usize) % x.len())], n: 1i64 }
        }) {
            E::One(v29) => (1i64 as f64),
            E::Two { x: v29, n: v30 } => v25,
            E::None => a,
        },
        E::None => 1.5,
    } + a) + v12.twice(0.5)) + v19)
}
}

mod p91 {
use super::*;
pub const CASE: Case = Case { seed: 91, args: Args { x: [-0.23214640219759713, -0.8313389686044448, 0.39599496338610163, -0.11900747320519509], u: [0.3205454497150107, 0.33074391988510504, -0.29774020981875726], a: 0.9872307824492196, n: 2 }, along: Args { x: [-0.9963832415887566, 0.7580413757916395, -0.978190411167693, -0.7637898780094178], u: [0.4495509302104511, 0.6711352537742303, 0.08412650980146219], a: -0.39983920489793395, n: 2 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = Rc::new(RefCell::new(a));
    let mut v12 = D { s: S { a: a, b: (a, a), n: 1i64 }, o: Some(x[((1i64 as usize) % x.len())]), v: vec![(1.5 as f64), a, a], e: E::Two { x: a, n: ((n as i64) * (-1i64)) } };
    {
        let mut i0 = ((1i64 as usize) % v12.v.len());
        v12.v[i0] = 2.0;
    }
    v12.s.b.1 = u[(((n as i64) as usize) % u.len())];
    let mut v16: Box<dyn Fn(f64) -> f64> = if (1i64 == 1i64) {
        Box::new(move |v15: f64| (2.0 as f64).cos())
    } else {
        Box::new(move |v15: f64| v15)
    };
    let mut v20 = ({
        let mut v18: f64 = a;
        let mut v19: i64 = 0;
        loop {
            v18 = v18;
            v19 += 1;
            if ((v19 >= 3) || (v19 == (n as i64))) {
                break v18;
            }
        }
    }, a);
    let mut v24: [f64; 3] = [u[((1i64 as usize) % u.len())], (0.75 as f64), match (n as i64) {
        0 => a,
        1 | 2 => a,
        v23 if (((2.5 * x[((2i64 as usize) % x.len())]) as i64) == 1i64) => a,
        _ => x[((2i64 as usize) % x.len())],
    }];
    let mut v25: Option<f64> = if (1i64 < 1i64) {
        Some(Some(a).unwrap_or(x[((1i64 as usize) % x.len())]))
    } else {
        None
    };
    let mut v26: [f64; 3] = [(1.5 as f64), a, (1.75 as f64)];
    let mut v27: Box<dyn Solid> = if (2i64 < 2i64) {
        Box::new(Ball { r: ((a as f32) as f64) })
    } else {
        Box::new(Brick { sides: v20, n: 1i64 })
    };
    (((((((a + a) + {
        let mut r = *v10.borrow();
        r
    }) + weigh(&v12, 0.5)) + halved(&v24)) + v25.unwrap_or(0.25)) + halved(&v26)) + v27.twice(0.5))
}
}

mod p92 {
use super::*;
pub const CASE: Case = Case { seed: 92, args: Args { x: [-0.709306429688272, 0.25196635237971626, 0.7978718370118076, 0.8485034432735655], u: [0.1418760556519367, -0.2091353067688311, -0.9907943256881085], a: 0.9906978992863017, n: 2 }, along: Args { x: [0.3080088334778427, -0.5667211089670983, -0.5819535577670063, 0.27382939909126913], u: [0.7164408782853869, 0.3855753542189864, 0.2391255755169759], a: 0.8644871701647456, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = if (v10 < v10) {
            a
        } else {
            a
        };
    }
    let mut v11: Result<f64, f64> = ratio(x[(((n as i64) as usize) % x.len())], Some(a).unwrap_or(a));
    let mut v14 = E::Two { x: a, n: 3i64 };
    v11 = chained(a, x[((3i64 as usize) % x.len())].max(0.25));
    let mut v18: Result<f64, f64> = chained(a, x[(((n as i64) as usize) % x.len())]);
    for p19 in u[1..].iter_mut() {
        let mut v19 = *p19;
        *p19 = x[((3i64 as usize) % x.len())].cos();
    }
    let mut v22 = E::One((0.25 as f64));
    let Some(v24) = Some(a) else {
        return {
            let mut f = |v23: f64| a;
            (f(x[(((n as i64) as usize) % x.len())]) + f(u[((0i64 as usize) % u.len())]))
        };
    };
    (((((match (if (v24 < v24) {
        Some(v24)
    } else {
        None
    }) {
        Some(v25) => x[(((n as i64) as usize) % x.len())],
        None => u[((3i64 as usize) % u.len())],
    }).tanh() + a) + match v14 {
        E::One(v26) => v26,
        E::Two { x: v26, n: v27 } => v26,
        E::None => 0.5,
    }) + match v22 {
        E::One(v28) => v28,
        E::Two { x: v28, n: v29 } => v28,
        E::None => 0.5,
    }) + v24)
}
}

mod p93 {
use super::*;
pub const CASE: Case = Case { seed: 93, args: Args { x: [0.7936225492011614, 0.2891224076847838, -0.7116894438524858, 0.3681262184898], u: [-0.7601768122842659, -0.411856153947685, -0.32537765375989974], a: -0.7099113432569037, n: 0 }, along: Args { x: [-0.5009837743855615, 1.0070826738219874, -0.47385470144855263, 0.5639259271272927], u: [-0.8842540084416153, 0.41136117110365916, -0.5232591700393829], a: -0.4582797919615491, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = |v11: f64| {
        v4 = 0.25;
        (v4 * v11)
    };
    let mut v12 = (v10(v5) + v10(v5));
    let mut v13 = D { s: S { a: v12, b: ((1.75 as f64), v5), n: 1i64 }, o: both(v5, 1.75), v: vec![both(v12, v12).unwrap_or(1.5)], e: E::Two { x: 1.25, n: 1i64 } };
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (match Some((0.25 as f64)) {
        Some(v11) => a,
        None => a,
    } < a) {
        let mut v12 = &x[0..2];
        let mut v13 = Rc::new(RefCell::new(a));
    } else {
        {
            let mut i0 = (((1i64 + 2i64) as usize) % u.len());
            u[i0] -= h0(2i64, a, a);
        }
    }
    for p16 in u[1..].iter_mut() {
        let mut v16 = *p16;
        *p16 = a;
    }
    let mut v18: Result<f64, f64> = if (x[(((n as i64) as usize) % x.len())] < a) {
        Ok(a)
    } else {
        Err(duo(a, a))
    };
    ((h0(2i64, (a - a), Some(a).unwrap_or(2.0)) - (0.5 * counted(1.0, 3i64))) + a)
}
}

mod p94 {
use super::*;
pub const CASE: Case = Case { seed: 94, args: Args { x: [0.9019326227066935, -0.9275155322970249, -0.6932834795952147, 0.7060070707412881], u: [-0.8165031307101902, 0.21323189047269753, -0.3451299245134359], a: -0.5420659020498811, n: 2 }, along: Args { x: [-0.21018051345356298, -0.1341674551697793, 0.806988658538413, -0.44848292006452417], u: [0.20166476581984694, -0.20871734094431382, 0.9564703491037196], a: 0.8142629524905279, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: [f64; 3] = [((match Some(a) {
        Some(v11) => 0.25,
        None => 2.0,
    }) as f64), a, x[(((n as i64) as usize) % x.len())]];
    for p14 in u[1..].iter_mut() {
        let mut v14 = *p14;
        *p14 = {
            let mut v15: f64 = asserted(a, 3i64);
            let mut v16: i64 = 0;
            loop {
                v15 = v15;
                v16 += 1;
                if ((v16 >= 3) || (a < v14)) {
                    break v15;
                }
            }
        };
    }
    let mut v21 = ((0i64 as f64), match Some(a) {
        Some(v20) if (1i64 < 1i64) => a,
        _ => u[((1i64 as usize) % u.len())],
    });
    let mut v22 = 0;
    'l22: while ((v22 < 4) && (x[((3i64 as usize) % x.len())] < 2.0)) {
        v22 += 1;
        let mut v23 = Rc::new(RefCell::new((1.75 as f64)));
        if (x[((3i64 as usize) % x.len())] < 0.5) {
            if ((a < a) || (1.5 < 1.75)) {
                let mut v28: [f64; 3] = [u[((1i64 as usize) % u.len())], (1.5 as f64), a];
            } else {
            }
        } else {
        }
    }
    (v12[((2i64 as usize) % v12.len())] + halved(&v12))
}
}

mod p95 {
use super::*;
pub const CASE: Case = Case { seed: 95, args: Args { x: [0.07600861973617005, -0.1260861921504802, 0.7154639033421332, 0.8752824729968076], u: [0.44108095768913674, -0.4110987740601061, -0.11265250508870185], a: -0.8544951404242871, n: 0 }, along: Args { x: [0.4542212725713034, -0.6025293874492645, 0.49583830868352247, 0.43859622774736046], u: [0.44209476504687484, -0.2551064151377308, -0.9936064322320157], a: -0.13071580526159188, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 0i64;
    for p12 in u.iter_mut() {
        let mut v12 = *p12;
        *p12 = x[(((n as i64) as usize) % x.len())];
    }
    let mut v16: Result<f64, f64> = if ({
        let mut f = |v15: f64| x[(((n as i64) as usize) % x.len())];
        (f(a) + f(0.75))
    } < a) {
        Ok((1.5 as f64))
    } else {
        Err(a)
    };
    a
}
}

mod p96 {
use super::*;
pub const CASE: Case = Case { seed: 96, args: Args { x: [-0.50283753414097, 0.5635334150194038, -0.16324980694306784, -0.6512826702684612], u: [-0.8396693937028314, -0.9489034797040914, 1.010390001642953], a: 0.6601553229494946, n: 3 }, along: Args { x: [-0.30606129267972704, -0.8123292956674236, -0.9202452200279917, 0.8794614914168303], u: [0.5105013544361154, 0.022727478282652785, 0.18146844835088854], a: -0.7308318084217249, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![S { a: a, b: (x[((1i64 as usize) % x.len())], (0.75 as f64)), n: (n as i64) }, S { a: a, b: (a, (0.75 as f64)), n: 0i64 }];
    if (!(x[((0i64 as usize) % x.len())] <= 1.75)) {
        {
            let mut m = ((1i64 as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v12 = *i;
                let mut v13 = *j;
                let mut e = x[((0i64 as usize) % x.len())];
                let mut f = v13;
                *i = e;
                *j = f;
            }
        }
        v10.push(S { a: Some(x[(((n as i64) as usize) % x.len())]).unwrap_or(a), b: (a, (1.5 as f64)), n: 3i64 });
    } else {
        {
            let mut m = ((0i64 as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v14 = *i;
                let mut v15 = *j;
                let mut e = a;
                let mut f = (v14 * 1.75);
                *i = e;
                *j = f;
            }
        }
    }
    let mut v16 = |v17: f64| {
        a = a;
        (a * v17)
    };
    let mut v18 = (apply(&mut v16, 0.5) + v16(0.5));
    (v18 + a)
}
}

mod p97 {
use super::*;
pub const CASE: Case = Case { seed: 97, args: Args { x: [-0.8856018138868901, 0.16034964699216336, 0.4377434021023477, -0.321263475514001], u: [0.5059303013261334, -0.2024422824733067, 0.8750334279064824], a: -0.21172095390816845, n: 0 }, along: Args { x: [0.7927534455547014, -0.12075349483927132, 0.6806658198823015, 0.15774616310036554], u: [0.08748897286177224, -0.4268609620598853, 0.6965729929504911], a: 0.5538901214753653, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = L::Node(((a as f32) as f64), Box::new(L::Node(x[((0i64 as usize) % x.len())], Box::new(L::End))));
    let mut v12 = |v13: f64| {
        a = a;
        (a * v13)
    };
    let mut v14 = (apply(&mut v12, u[((0i64 as usize) % u.len())].min(0.5)) + v12((0.5 * 0.5)));
    grow(&mut v11, x[((1i64 as usize) % x.len())]);
    let mut v18 = turned(S { a: x[((1i64 as usize) % x.len())].tanh(), b: (a, (2.0 as f64)), n: (2i64 + 3i64) }, if (v14 < x[((3i64 as usize) % x.len())]) {
        E::One(v14)
    } else {
        E::Two { x: a, n: 1i64 }
    });
    let mut v19 = vec![S { a: a, b: ((1.75 as f64), u[((1i64 as usize) % u.len())]), n: 1i64 }, v18, v18];
    let mut v20 = v19.clone();
    let mut v21 = move |v22: f64| x[((3i64 as usize) % x.len())];
    (((((0.25 + a) + v14) + v18.size(0.75)) + v19[((1i64 as usize) % v19.len())].a) + v20[((1i64 as usize) % v20.len())].a)
}
}

mod p98 {
use super::*;
pub const CASE: Case = Case { seed: 98, args: Args { x: [-0.22738621508019366, -0.7678253205065053, 0.049439747445941075, -0.9430242932496784], u: [-0.31401790318873035, 0.5827482425420979, 0.8779813399014599], a: -0.9649254085154759, n: 0 }, along: Args { x: [-0.5435978462860608, -0.1205877475276711, -0.7663340794011483, 0.3773995459954512], u: [-0.6399296978697048, -0.39238500979150476, -0.2546434098132957], a: -0.7513567567187587, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = Rc::new(RefCell::new(((1.0 as f64), a).1));
    {
        let mut e = (0.75 as f64);
        *v10.borrow_mut() *= e;
    }
    let mut v14 = L::Node(match ((2.5 * 2.0) as i64) {
        0 => a,
        1 | 2 => a,
        v13 if (x[((1i64 as usize) % x.len())].sin() < a) => a,
        _ => a,
    }, Box::new(L::Node(match ratio(u[((1i64 as usize) % u.len())], a) {
        Ok(v11) => x[((0i64 as usize) % x.len())],
        Err(v12) => x[((3i64 as usize) % x.len())],
    }, Box::new(L::Node(a, Box::new(L::End))))));
    ((x[(((n as i64) as usize) % x.len())] + {
        let mut r = *v10.borrow();
        r
    }) + total(&v14))
}
}

mod p99 {
use super::*;
pub const CASE: Case = Case { seed: 99, args: Args { x: [-0.8002481978510094, 0.584868098546472, -0.6010113690867711, -0.5112139205877678], u: [-0.3365173744379252, -0.47850035141413133, -0.7016966198495818], a: -0.26085738064293235, n: 1 }, along: Args { x: [0.9362612410813881, 0.26594721107170805, -0.43355135116083915, -0.8611680755646315], u: [-0.7918298091851094, 0.24151333607591477, -0.3816013586341837], a: -0.47268686505244967, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        v4 -= 1.5;
        let mut v11 = D { s: turned(turned(S { a: v4, b: (v4, v4), n: ((-9223372036854775807i64) - 3i64) }, E::Two { x: v4, n: ((2.5 * v4) as i64) }), if (!(v4 <= 2.0)) {
            E::One(v4)
        } else {
            E::Two { x: v4, n: v10 }
        }), o: Some(v4), v: vec![(v4 * v4)], e: E::One(v4) };
    }
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (!(a.cos() <= 0.25)) {
        for p13 in u.iter_mut() {
            let mut v13 = *p13;
            *p13 = 0.25;
        }
        if ((1.0 < a) || (!(match ((-1i64) / 3i64) {
            0 => x[((0i64 as usize) % x.len())],
            1 | 2 => x[((1i64 as usize) % x.len())],
            v15 if (!(u[((1i64 as usize) % u.len())] <= x[(((n as i64) as usize) % x.len())])) => a,
            _ => a,
        } <= 0.25))) {
            let mut v17: Option<f64> = both(h0(2.0), Some(a).unwrap());
            if let Some(v18) = both(0.75, 0.75) {
                for p19 in u.iter_mut() {
                    let mut v19 = *p19;
                    *p19 = match chained(x[((1i64 as usize) % x.len())], v18) {
                        Ok(v20) => spiral(x[((1i64 as usize) % x.len())], 1i64),
                        Err(v21) => a,
                    };
                }
                {
                    let mut i0 = ((((-9223372036854775807i64) * 1i64) as usize) % u.len());
                    u[i0] = match v17 {
                        Some(v24) if ((2.0 * v24) < u[((2i64 as usize) % u.len())]) => v24,
                        _ => v18.sin(),
                    };
                }
            }
        } else {
            if (3i64 < (n as i64)) {
                for p27 in u.iter_mut() {
                    let mut v27 = *p27;
                    *p27 = a.min(1.75).min(x[((0i64 as usize) % x.len())]);
                }
                let mut v28 = vec![u[((0i64 as usize) % u.len())], x[((2i64 as usize) % x.len())]];
            } else {
            }
        }
    } else {
    }
    (a + a)
}
}

mod p100 {
use super::*;
pub const CASE: Case = Case { seed: 100, args: Args { x: [0.5267943896992662, 0.47524507452522147, -0.49781588182773945, 0.4524927395704934], u: [0.16472646766233218, -0.9740476057883884, 0.14370174943073669], a: -0.017129640765319188, n: 1 }, along: Args { x: [0.3040613755018731, 0.7397999339319371, -0.9083807383178556, -0.382216224639203], u: [0.5763061958823341, 0.3053364075139262, 0.4661195921940154], a: 0.6505520253550932, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = turned(S { a: a, b: (x[((3i64 as usize) % x.len())], a), n: ((2.5 * a) as i64) }, if ((1.5 < a) || ((a - a) < a)) {
        E::One((2.0 as f64))
    } else {
        E::Two { x: a, n: 0i64 }
    });
    for p13 in u[1..].iter_mut() {
        let mut v13 = *p13;
        *p13 = v13;
    }
    let mut v14 = 0;
    'l14: while ((v14 < 4) && (v12.n < v12.n)) {
        v14 += 1;
        for p15 in u[1..].iter_mut() {
            let mut v15 = *p15;
            *p15 = match 1i64 {
                0 => v15.tanh(),
                1 | 2 => x[(((n as i64) as usize) % x.len())].sin(),
                v16 if (parity(x[((0i64 as usize) % x.len())], (n as i64)) < v15) => v15.max(1.25),
                _ => (v15 * 2.0),
            };
        }
        v12 = v12;
    }
    let mut v18 = L::Node(0.25, Box::new(L::Node(if ((1099511627776i64 / (n as i64)) == 0i64) {
        a
    } else {
        a
    }, Box::new(L::End))));
    let mut v19 = vec![(1.25 as f64)];
    v19.push(v19.chunks(2).map(|c| {
        let mut v20 = c[0];
        let mut v21 = c[(c.len() - 1)];
        v21
    }).sum::<f64>());
    let mut v22 = if (a < a) {
        (a as f32)
    } else {
        (x[((v12.n as usize) % x.len())] as f32).min((0.5 as f32))
    };
    let mut v23 = (-v22);
    ((match ((2.5 * 0.25) as i64) {
        0 => a,
        1 | 2 => total(&v18),
        v24 if (x[(((n as i64) as usize) % x.len())] < a) => a,
        _ => swapped(a, a).1,
    } + a) + total(&v18))
}
}

mod p101 {
use super::*;
pub const CASE: Case = Case { seed: 101, args: Args { x: [0.835807723726172, -0.39391092561574664, 0.9222957797616399, -0.546427285606361], u: [0.9129843747366787, -0.5964334455226139, -0.20838097741369968], a: -0.6545714228014504, n: 1 }, along: Args { x: [-0.224586274469141, -0.14608346807604145, -0.3341151201149182, 0.1026063619004246], u: [-0.20827591918444405, -0.9111099544574887, -0.21646974801329685], a: 0.9540709486537499, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Box<dyn Fn(f64) -> f64> = if ((a < a) || (0.5 < a)) {
        Box::new(move |v10: f64| (1.5 as f64))
    } else {
        Box::new(move |v10: f64| (0.25 as f64))
    };
    let mut v13 = move |v14: f64| (1.0 as f64);
    for p15 in u.iter_mut() {
        let mut v15 = *p15;
        *p15 = v12(strided(x, 1i64));
    }
    let mut v16: [f64; 3] = [a, v12(a), a];
    let mut v17 = (a as f32);
    let mut v18: f64 = Some(a).unwrap_or(a);
    let mut v19 = (v18 as f32);
    for p20 in u[1..].iter_mut() {
        let mut v20 = *p20;
        *p20 = v20;
    }
    let mut e28 = (a.sin() - u[((1i64 as usize) % u.len())]);
    let mut p28 = if (x.iter().map(|&v29| (1.5 as f64)).sum::<f64>() < 1.0) {
        &mut v18
    } else {
        &mut v18
    };
    *p28 -= e28;
    let mut v31 = (u[((3i64 as usize) % u.len())], parity(v18, 2i64));
    (((x[((2i64 as usize) % x.len())] + halved(&v16)) + v18) + v31.1)
}
}

mod p102 {
use super::*;
pub const CASE: Case = Case { seed: 102, args: Args { x: [0.8654207806877322, 0.9146349140864561, -0.6359201611985622, 0.6621735225336578], u: [0.7426692898755924, 0.027113254173437316, -0.8644499197607199], a: 0.061422287437109625, n: 0 }, along: Args { x: [-0.3569445548380329, -0.1994383829337627, -0.6873633952154509, -0.13522312954791077], u: [-0.6179177838658487, 0.8285714424759071, 0.30752166318138296], a: 0.35797495798010476, n: 3 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = vec![{
        let mut f = |v10: f64| v10;
        (f(1.0) + f(a))
    }];
    {
        let mut m = ((3i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v12 = *i;
            let mut v13 = *j;
            let mut e = parity(1.0, 1i64);
            let mut f = v13;
            *i = e;
            *j = f;
        }
    }
    let mut v14 = L::Node(x[((2i64 as usize) % x.len())], Box::new(L::Node(x[(((n as i64) as usize) % x.len())], Box::new(L::End))));
    let mut v15 = vec![turned(S { a: a, b: (a, u[(((n as i64) as usize) % u.len())]), n: (n as i64) }, if (1i64 == 1i64) {
        E::One((1.0 as f64))
    } else {
        E::Two { x: 1.0, n: 2i64 }
    }), turned(S { a: a, b: (a, a), n: 1i64 }, if (u[((2i64 as usize) % u.len())] < a) {
        E::One((0.5 as f64))
    } else {
        E::None
    }), S { a: x[((2i64 as usize) % x.len())], b: (a, (2.0 as f64)), n: ((2.5 * u[((1i64 as usize) % u.len())]) as i64) }];
    v11.push(match (if (!((-a) <= a)) {
        E::One(u[(((n as i64) as usize) % u.len())])
    } else {
        E::None
    }) {
        E::One(v16) => x[((2i64 as usize) % x.len())],
        E::Two { x: v16, n: v17 } => a,
        E::None => a,
    });
    'l18: while let Some(v18) = v11.pop() {
        v15.push(S { a: total(&v14), b: (v18, a), n: ((-1i64) % 0i64) });
        let mut v19 = 0;
        'l19: while ((v19 < 4) && (1i64 < 1i64)) {
            v19 += 1;
            let mut v20 = move |v21: f64| a;
            {
                let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
                let (p, q) = u.split_at_mut(m);
                for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                    let mut v25 = *i;
                    let mut v26 = *j;
                    let mut e = match (if (2i64 < (n as i64)) {
                        E::One(v25)
                    } else {
                        E::Two { x: v18, n: ((2.5 * a) as i64) }
                    }) {
                        E::One(v27) => v27,
                        E::Two { x: v27, n: v28 } => a,
                        E::None => a,
                    };
                    let mut f = (-v26);
                    *i = e;
                    *j = f;
                }
            }
        }
    }
    v11.push((a * a));
    (((x[(3i64 as usize)] - a) + halved(&v11)) + total(&v14))
}
}

mod p103 {
use super::*;
pub const CASE: Case = Case { seed: 103, args: Args { x: [-0.8680094239507561, -0.48346890756529287, -0.21339547452719276, 0.6491155933236549], u: [-0.839910179462234, -0.756215728639007, -0.9490587786689062], a: -0.010332407384025383, n: 2 }, along: Args { x: [-0.1774743934155364, 0.16703728084868613, 0.30535300314407987, 0.9771967108947919], u: [0.44568204278747325, 0.8354631082772066, 0.12337671390502256], a: 0.5569975014705218, n: 2 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10: [f64; 3] = [v4, v4, v4];
    v10.iter().map(|&v11| v4).filter(|e| (*e > 0.0)).sum::<f64>().tanh()
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![a];
    v10.push(match root(a) {
        Some(v11) if (((2.5 * v11) as i64) == 1i64) => a,
        _ => 2.0,
    });
    v10.push(x.chunks(2).map(|c| {
        let mut v12 = c[0];
        let mut v13 = c[(c.len() - 1)];
        match ratio(x[((1i64 as usize) % x.len())], x[((3i64 as usize) % x.len())]) {
            Ok(v14) => a,
            Err(v15) => v15,
        }
    }).sum::<f64>());
    let mut v16: Option<f64> = both(u[((2i64 as usize) % u.len())], root(a).unwrap_or(a));
    let mut v17: Result<f64, f64> = ratio(a, a.min(a));
    'l18: while let Some(v18) = v10.pop() {
        for p19 in u[1..].iter_mut() {
            let mut v19 = *p19;
            *p19 = match v17 {
                Ok(v20) => ((1.25 as f64), v19).0,
                Err(v21) => a,
            };
        }
        let mut v24: Box<dyn Solid> = Box::new(Point);
    }
    v10.push(both(a, a).unwrap_or(a));
    for p25 in v10.iter_mut() {
        let mut v25 = *p25;
        *p25 = x[(((n as i64) as usize) % x.len())].sin();
    }
    let mut v26 = D { s: S { a: a, b: (a, a), n: 3i64 }, o: if (a < a) {
        Some(a)
    } else {
        None
    }, v: vec![(0.75 as f64).sin()], e: if (!(graded(a, 2i64) <= a)) {
        E::One(a)
    } else {
        E::None
    } };
    (((h1(2i64, v26.s.size(a)).cos() + halved(&v10)) + v16.unwrap_or(0.25)) + weigh(&v26, 0.5))
}
}

mod p104 {
use super::*;
pub const CASE: Case = Case { seed: 104, args: Args { x: [-0.33800701804497635, -0.9664709008193068, 0.848000326333232, -0.8305926304373077], u: [0.13106015056621054, 0.4263194411151544, -0.6995323167773437], a: 0.06327730541796024, n: 3 }, along: Args { x: [-0.006096269600906605, -0.36539551038504003, -0.9732509530198311, 0.09398152739062769], u: [0.6805111061250059, -0.31933296389355664, 0.3824385108949333], a: -0.7396493992575905, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14 = vec![S { a: a, b: swapped(1.75, u[((1i64 as usize) % u.len())]), n: 1i64 }, S { a: a, b: (a, a), n: (n as i64) }];
    mix(u, x[((2i64 as usize) % x.len())]);
    let mut v17 = L::Node(a, Box::new(L::End));
    let mut v18 = Rc::new(RefCell::new(a));
    {
        let mut e = a;
        *v18.borrow_mut() = e;
    }
    if (0i64 < 3i64) {
        let mut v23: Option<f64> = Some(match (n as i64) {
            0 => a,
            1 | 2 => a,
            v22 if ((((a as f32) as f64) < 0.25) || (v22 < v22)) => u[(((n as i64) as usize) % u.len())],
            _ => 1.0,
        });
        let mut v24 = v14.clone();
    } else {
        if ((n as i64) < 1i64) {
            let mut v27 = S { a: (a, a).0, b: (u[(((n as i64) as usize) % u.len())], (a, a).0), n: (1i64 * 1i64) };
        } else {
        }
    }
    (((match combined(combined(Some(a), a), {
        let mut v29: f64 = a;
        let mut v30: i64 = 0;
        loop {
            v29 = v29;
            v30 += 1;
            if ((v30 >= 3) || (1i64 == 0i64)) {
                break v29;
            }
        }
    }) {
        Some(v28) => 1.5,
        None => match (E::Two { x: x[((1i64 as usize) % x.len())], n: 3i64 }) {
            E::One(v33) => match Some(v33) {
                Some(v35) => v33,
                None => v33,
            },
            E::Two { x: v33, n: v34 } => {
                let mut v36: f64 = v33;
                let mut v37: i64 = 0;
                loop {
                    v36 = u[((3i64 as usize) % u.len())];
                    v37 += 1;
                    if ((v37 >= 3) || (v37 < v37)) {
                        break v36;
                    }
                }
            },
            E::None => graded(1.5, 2i64),
        },
    } + a) + v14[((1i64 as usize) % v14.len())].a) + total(&v17))
}
}

mod p105 {
use super::*;
pub const CASE: Case = Case { seed: 105, args: Args { x: [-0.5746096865900796, 0.7069554135362979, 0.33517119108707566, -0.4546819233563563], u: [-0.13109757420699278, 0.60827952791242, 0.47588040236772805], a: 0.12759472798521274, n: 1 }, along: Args { x: [-0.6794718178137256, -0.14844848885565864, -0.4233934174402603, -0.8047656223343876], u: [0.7110604643767114, -0.7426333482763994, 0.7545447257874197], a: -0.3486934916428313, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    mix(u, (x[((1i64 as usize) % x.len())], (0.25 as f64)).0);
    let mut v11 = vec![S { a: 0.25, b: (a, x[((3i64 as usize) % x.len())]), n: 1i64 }, S { a: x[((0i64 as usize) % x.len())], b: (x[((1i64 as usize) % x.len())], x[((1i64 as usize) % x.len())]), n: 2i64 }];
    {
        let mut i0 = (((n as i64) as usize) % v11.len());
        shift(&mut v11[i0], match ((2.5 * 0.5) as i64) {
            0 => 0.5,
            1 | 2 => 1.0,
            v12 if (0.5 < x[((v12 as usize) % x.len())]) => x[((2i64 as usize) % x.len())],
            _ => 0.5,
        });
    }
    let mut v13 = L::Node(a.min(a), Box::new(L::End));
    (((({
        let mut v14: f64 = match Some(a) {
            Some(v16) if (!(0.25 <= x[((0i64 as usize) % x.len())])) => a,
            _ => a,
        };
        let mut v15: i64 = 0;
        loop {
            v14 = v14;
            v15 += 1;
            if ((v15 >= 3) || ((!(match (if (a < a) {
                E::One(v14)
            } else {
                E::None
            }) {
                E::One(v17) => v14,
                E::Two { x: v17, n: v18 } => a,
                E::None => x[(((n as i64) as usize) % x.len())],
            } <= a)) || (1i64 < 1i64))) {
                break v14;
            }
        }
    } * match 3i64 {
        0 => a,
        1 | 2 => (-u[((1i64 as usize) % u.len())]),
        v19 if (a.tanh() < a) => (-x[((v19 as usize) % x.len())]),
        _ => a,
    }) + a) + v11[((1i64 as usize) % v11.len())].a) + total(&v13))
}
}

mod p106 {
use super::*;
pub const CASE: Case = Case { seed: 106, args: Args { x: [-0.02185615056332385, 0.06856897832253911, -0.513941342830092, 0.6953746210493906], u: [0.4824155246526503, 0.34251010533089665, -0.8895763265860204], a: 0.0747363784812764, n: 3 }, along: Args { x: [1.0014601602817423, 0.9138549694074083, 0.5301537464140301, 0.33535572401621017], u: [0.9017281690054434, 0.16511725868038207, -0.7066331873959278], a: -0.2690009978139264, n: 3 }, singles: true };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10: Box<dyn Solid> = if ((v5, v4).1 < v5) {
        Box::new(Brick { sides: (v5, (1.5 as f64)), n: 0i64 })
    } else {
        Box::new(Point)
    };
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![counted(a, (n as i64))];
    'l11: for &v11 in x {
        let mut v14: [f64; 3] = [match ratio(a, a) {
            Ok(v12) => v12,
            Err(v13) => v11,
        }, u[((1i64 as usize) % u.len())], (1.5 as f64)];
        let mut v15 = |v16: f64| {
            a = 1.5;
            (a * v16)
        };
        let mut v17 = (apply(&mut v15, blocks(&v10)) + v15(v11));
    }
    {
        let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v18 = *i;
            let mut v19 = *j;
            let mut e = match Some(x[((1i64 as usize) % x.len())]) {
                Some(v20) if (((2.5 * a) as i64) == 1i64) => v18,
                _ => v19,
            };
            let mut f = v18;
            *i = e;
            *j = f;
        }
    }
    let mut v21 = if ((u[((3i64 as usize) % u.len())] < a) || (a < a)) {
        (a as f32).min((x[((1i64 as usize) % x.len())] as f32))
    } else {
        (-(a as f32))
    };
    let mut v26: Result<f64, f64> = if ((!(shared(u[((1i64 as usize) % u.len())], 1.75) <= 1.0)) || (match (E::Two { x: a, n: ((2.5 * a) as i64) }) {
        E::One(v24) => a,
        E::Two { x: v24, n: v25 } => x[(((n as i64) as usize) % x.len())],
        E::None => a,
    } < x[((1i64 as usize) % x.len())])) {
        Ok((2.0 as f64))
    } else {
        Err((x[(((n as i64) as usize) % x.len())] * a))
    };
    let mut v27: i64 = (n as i64);
    let mut v28 = (-v21);
    if (1i64 < 1i64) {
    } else {
    }
    ((match Some(a) {
        Some(v30) if (h1(2i64, v30, a) < 0.5) => u[((2i64 as usize) % u.len())],
        _ => match combined(both(a, a), 1.25) {
            Some(v31) if (1i64 < (n as i64)) => (-a),
            _ => match (n as i64) {
                0 => 1.0,
                1 | 2 => u[((v27 as usize) % u.len())],
                v32 if ((v27 < 2i64) || (duo(a, a) < u[((1i64 as usize) % u.len())])) => a,
                _ => x[((0i64 as usize) % x.len())],
            },
        },
    } + a) + halved(&v10))
}
}

mod p107 {
use super::*;
pub const CASE: Case = Case { seed: 107, args: Args { x: [0.2943277119827196, 0.18940812705615806, -0.7404401058186973, 0.03154017043569384], u: [-0.9685794407888638, 0.5722001100854711, 0.4010178958722775], a: -0.18080134285054208, n: 3 }, along: Args { x: [0.12325608538264997, -0.8370887916836072, -0.8227477173093628, -0.5807747647048199], u: [0.3463212800941677, -0.08238935774610921, -0.009779649210299252], a: 0.630060018520958, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = if (!((-a) <= u[((1i64 as usize) % u.len())])) {
        Box::new(Brick { sides: swapped(x[((1i64 as usize) % x.len())], a), n: ((2.5 * 1.0) as i64) })
    } else {
        Box::new(Point)
    };
    let mut v14 = (1.5 as f32);
    let mut v16: Result<f64, f64> = ratio(a.min(a), match (n as i64) {
        0 => a,
        1 | 2 => a,
        v15 if (a < x[((1i64 as usize) % x.len())]) => 0.75,
        _ => a,
    });
    let mut v17: f64 = a;
    let mut v18: [f64; 3] = [v17.min(v17), a, v10.twice(0.75)];
    let mut v19: Result<f64, f64> = ratio(v17, orchard(a, 0i64));
    ((((v14 as f64) + v10.twice(0.5)) + v17) + halved(&v18))
}
}

mod p108 {
use super::*;
pub const CASE: Case = Case { seed: 108, args: Args { x: [0.9599087095582381, 0.1895912941337179, 0.35322894705966046, 0.023910626161075386], u: [0.620468868914182, 0.8303467494359579, -0.13159848785487405], a: -0.8848861779335895, n: 0 }, along: Args { x: [-0.2289066108839413, 0.909195134035267, 0.08238203437092798, -0.163475939577249], u: [0.12597961997846366, 0.27392597780006567, -0.21048286882607728], a: -0.35501051042184345, n: 2 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = (1i64 as f64);
    let mut v13: i64 = 2i64;
    for p15 in u[1..].iter_mut() {
        let mut v15 = *p15;
        *p15 = 2.0;
    }
    let mut v16 = move |v17: f64| a;
    let mut v18 = E::One(a);
    let mut v19 = (shared(v11, v11), (a, u[((1i64 as usize) % u.len())]).0);
    let mut v21: Box<dyn Solid> = Box::new(Point);
    let mut v23 = swapped(match Some((2.0 as f64)) {
        Some(v22) if (!((u[((v13 as usize) % u.len())] - v22) <= 1.0)) => x[((3i64 as usize) % x.len())],
        _ => a,
    }, a);
    let mut v24 = L::Node(if (blocks(x) < v11) {
        a
    } else {
        a
    }, Box::new(L::Node(x[((v13 as usize) % x.len())].sin(), Box::new(L::Node(v11, Box::new(L::End))))));
    let mut v25 = single((v11 as f32), (v11 as f32)).max(single((v11 as f32), (1.0 as f32)));
    ((((((v11.sin() * 0.5).tanh() + v11) + match v18 {
        E::One(v26) => v26,
        E::Two { x: v26, n: v27 } => v26,
        E::None => 0.5,
    }) + v19.0) + v23.0) + total(&v24))
}
}

mod p109 {
use super::*;
pub const CASE: Case = Case { seed: 109, args: Args { x: [-0.5129374333360314, -0.014440784672595491, 0.3083893418686794, -0.44126961435489465], u: [0.2404135806626369, 0.9145357493605681, -0.3002927479760742], a: 0.08903430694725571, n: 0 }, along: Args { x: [0.537669012146091, -0.069139341562476, 0.8212286671523061, -0.46732170166445874], u: [-0.3819883425744049, 1.013842415083182, -0.905721736167926], a: 0.8641806263251134, n: 1 }, singles: true };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = E::One(v4);
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Option<f64> = Some(h1(2i64, u[((2i64 as usize) % u.len())], 0.25));
    let mut v13: Box<dyn Fn(f64) -> f64> = if ((a < a) && (a < a)) {
        Box::new(move |v11: f64| match Some(a) {
            Some(v12) => (0.5 * v12),
            None => (2.0 + x[((3i64 as usize) % x.len())]),
        })
    } else {
        Box::new(move |v11: f64| x[((2i64 as usize) % x.len())])
    };
    let mut v14: Option<f64> = combined(root(0.25), blocks(x));
    'l15: for v15 in 0i64..(n as i64) {
        let mut v17 = S { a: v13(a.cos()), b: (a, a), n: (n as i64) };
        let mut v18 = 0;
        'l18: while ((v18 < 4) && ((v17.n == v15) || (x[((v17.n as usize) % x.len())] < a))) {
            v18 += 1;
            let mut v19 = vec![a];
            if let Some(v20) = Some(a).map(|v21| (v15 as f64)) {
                v19 = vec![((x[(((n as i64) as usize) % x.len())] as f32) as f64), v17.size(a)];
                v17 = v17;
            }
        }
    }
    a
}
}

mod p110 {
use super::*;
pub const CASE: Case = Case { seed: 110, args: Args { x: [-0.8582951839958524, -0.35459829626469197, 0.7730763666114162, 0.731106983375545], u: [0.7242051347715192, 0.9769519749769668, 0.20991477512659326], a: 0.3265764764783368, n: 0 }, along: Args { x: [-0.7538294524523308, -0.6924938119867595, 0.23904292350675033, 0.6241380708068266], u: [-0.7697393833955664, 0.9073472223262415, -0.8088129504434314], a: -0.3586833286144818, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = match root(a) {
        Some(v10) if (v10 < v10) => a,
        _ => 1.25,
    };
    let mut v13: [f64; 3] = [match (n as i64) {
        0 => 0.5,
        1 | 2 => 0.75,
        v12 if (v12 < v12) => 1.0,
        _ => x[(((n as i64) as usize) % x.len())],
    }, x[(((n as i64) as usize) % x.len())], (1.25 as f64)];
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] *= 0.25;
    }
    let mut v17 = E::One(a);
    let mut v19 = Rc::new(RefCell::new(parity(u[(((n as i64) as usize) % u.len())], (n as i64))));
    if let Some(v20) = Some(x[((1i64 as usize) % x.len())]) {
        if (a < v11) {
            v17 = v17;
            let mut v23: Box<dyn Fn(f64) -> f64> = if (3i64 == 2i64) {
                Box::new(move |v22: f64| v20)
            } else {
                Box::new(move |v22: f64| (1.75 as f64))
            };
        } else {
            let mut e24 = match (if (v11 < a) {
                E::One(u[((2i64 as usize) % u.len())])
            } else {
                E::Two { x: v11, n: 1i64 }
            }) {
                E::One(v25) => 0.75,
                E::Two { x: v25, n: v26 } => {
                    let mut r = *v19.borrow();
                    r
                },
                E::None => match 1i64 {
                    0 => v20,
                    1 | 2 => v20,
                    v29 if (0i64 < 3i64) => v11,
                    _ => 1.25,
                },
            };
            let mut p24 = if ((3i64 < 1i64) || ({
                let mut r = *v19.borrow();
                r
            } < v20)) {
                let mut i0 = ((((2.5 * v20) as i64) as usize) % u.len());
                &mut u[i0]
            } else {
                &mut a
            };
            *p24 *= e24;
        }
    }
    ((((match combined(Some(v11), a) {
        Some(v30) if (2i64 == 1i64) => 0.25,
        _ => u[((1i64 as usize) % u.len())],
    } + a) + v11) + halved(&v13)) + match v17 {
        E::One(v33) => v33,
        E::Two { x: v33, n: v34 } => v33,
        E::None => 0.5,
    })
}
}

mod p111 {
use super::*;
pub const CASE: Case = Case { seed: 111, args: Args { x: [0.8822187067243158, -0.4978651869873568, -0.8845734003601095, 0.7234647404718266], u: [-0.7450061303279054, -0.450982928057079, 0.22969442965439404], a: -0.3169682499379072, n: 0 }, along: Args { x: [0.4718730470197133, -0.4072439897889271, -0.0735122061123948, -0.2523718363592177], u: [-0.8079384144325107, -0.3137644801295901, 0.5339913702918725], a: -0.6135004599963401, n: 2 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = match combined(root(u[(((n as i64) as usize) % u.len())]), a) {
        Some(v10) => 0.5,
        None => 0.5,
    };
    let mut v12 = L::Node(a, Box::new(L::End));
    let mut v16: [f64; 3] = [(1.0 as f64), match (if (0i64 < 1i64) {
        Some(v11)
    } else {
        None
    }) {
        Some(v13) => v13,
        None => a,
    }, {
        let mut v14: f64 = a;
        let mut v15: i64 = 0;
        loop {
            v14 = x[((v15 as usize) % x.len())];
            v15 += 1;
            if ((v15 >= 3) || ((n as i64) == 1i64)) {
                break v14;
            }
        }
    }];
    let mut v17 = vec![S { a: a, b: swapped(u[((3i64 as usize) % u.len())], a), n: (n as i64) }, turned(S { a: v11, b: (a, a), n: ((n as i64) * 1i64) }, if ((((2.5 * 0.5) as i64) == 0i64) && (1i64 < 1i64)) {
        E::One(v11)
    } else {
        E::None
    }), S { a: a, b: swapped(a, a), n: ((2.5 * a) as i64) }];
    let mut v18 = E::One(v11);
    let mut v19 = single(single((a as f32), (a as f32)), (1.0 as f32));
    'l20: for &v20 in x {
        {
            let mut m = ((((n as i64) + 2i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v22 = *i;
                let mut v23 = *j;
                let mut e = v22;
                let mut f = orchard(2.0, 3i64);
                *i = e;
                *j = f;
            }
        }
        let mut v24: i64 = 1i64;
    }
    {
        let mut m = ((2i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v30 = *i;
            let mut v31 = *j;
            let mut e = v11;
            let mut f = v11;
            *i = e;
            *j = f;
        }
    }
    (((if (2i64 < 1i64) {
        a
    } else {
        v11.cos()
    } + total(&v12)) + halved(&v16)) + match v18 {
        E::One(v32) => v32,
        E::Two { x: v32, n: v33 } => v32,
        E::None => 0.5,
    })
}
}

mod p112 {
use super::*;
pub const CASE: Case = Case { seed: 112, args: Args { x: [0.9904214667509603, 0.49761112094712406, 0.4920494827872751, -0.14649841549640147], u: [0.2668144591090278, -0.13403499841283625, -0.863211285473039], a: -0.20562023565264645, n: 1 }, along: Args { x: [-0.3143255642755513, 0.6118734886567976, 0.6135477816206093, -0.7064080017669048], u: [-0.6107071587309851, -0.2411131140967339, 0.19908862780616027], a: -0.721735338235109, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    let mut v10 = D { s: turned(S { a: 2.0, b: (v5, v4), n: 2i64 }, E::Two { x: 1.75, n: ((2.5 * v5) as i64) }), o: both(v5, v5), v: vec![Some(v5)?], e: E::One(v5) };
    let mut v11: i64 = 0i64;
    root(match (v11 * 1i64) {
        0 => v4,
        1 | 2 => v5,
        v12 if (v4 < v5) => v4,
        _ => v4,
    })
}

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10: Result<f64, f64> = if (1i64 < 1i64) {
        Ok(v4)
    } else {
        Err(v4)
    };
    let mut v14 = L::Node(v4, Box::new(L::Node(v4, Box::new(L::Node((0.25 as f64).tanh(), Box::new(L::End))))));
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if ((2i64 < (n as i64)) && (0i64 == 0i64)) {
        let mut v11 = turned(S { a: h1(2i64, a), b: (a, (0.5 as f64)), n: (0i64 + (n as i64)) }, E::One(a));
        shift(&mut v11, (1.0 * 0.5));
    } else {
        let mut v12: i64 = 0i64;
    }
    let mut v16 = E::Two { x: a, n: ((2.5 * a) as i64) };
    let mut v17 = vec![S { a: a, b: ((1.5 as f64), (0.25 as f64)), n: (0i64 + 0i64) }, S { a: u[((1i64 as usize) % u.len())], b: swapped(a, a), n: ((2.5 * a) as i64) }];
    v17.push(S { a: h0(2i64, a, a).unwrap_or(x[((2i64 as usize) % x.len())]), b: swapped(a, 1.75), n: 0i64 });
    let mut v20 = L::Node(match Some((0.75 as f64)) {
        Some(v19) => a,
        None => a,
    }, Box::new(L::Node(a, Box::new(L::End))));
    let mut v22: Box<dyn Solid> = if ((0.5 * a) < u[((3i64 as usize) % u.len())]) {
        Box::new(Brick { sides: (a, (0.5 as f64)), n: ((2.5 * 1.0) as i64) })
    } else {
        Box::new(Point)
    };
    let Some(v24) = root(a).and_then(|v23| Some(v23)) else {
        return a.min(x[((1i64 as usize) % x.len())]);
    };
    ((((duo((0.5 * match 2i64 {
        0 => 1.0,
        1 | 2 => a,
        v25 if ((v25 * (n as i64)) == (n as i64)) => u[((0i64 as usize) % u.len())],
        _ => v24,
    }), match ratio(0.75, 1.75) {
        Ok(v26) => a,
        Err(v27) => x[((3i64 as usize) % x.len())],
    }) + a) + match v16 {
        E::One(v30) => v30,
        E::Two { x: v30, n: v31 } => v30,
        E::None => 0.5,
    }) + v17[((1i64 as usize) % v17.len())].a) + total(&v20))
}
}

mod p113 {
use super::*;
pub const CASE: Case = Case { seed: 113, args: Args { x: [0.6353166099961274, -0.702216037056719, 0.4558927306581038, -0.08583472069456273], u: [-0.4460089602253442, -0.9654649624125061, 0.4836580708369697], a: -0.7834265146092557, n: 2 }, along: Args { x: [0.6525906095943128, 0.6743413335413114, -0.0428818322114885, -0.919922977171257], u: [-0.6449644352642003, -0.17713526301771743, 0.749295762380767], a: -0.6284992591455338, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = Rc::new(RefCell::new(a.max(a)));
    let mut v11 = vec![S { a: 1.25, b: (a, x[((2i64 as usize) % x.len())]), n: 1i64 }, S { a: a, b: ((1.75 as f64), a), n: (n as i64) }];
    {
        let mut i0 = (((n as i64) as usize) % v11.len());
        v11[i0].a = a;
    }
    let mut v14: Option<f64> = Some(a).filter(|&v13| ((v13 - 1.0) < a));
    if (1i64 < 0i64) {
        let mut v16 = D { s: S { a: a, b: ((0.25 as f64), (0.75 as f64)), n: 1i64 }, o: if (1i64 < (n as i64)) {
            Some((0.25 as f64))
        } else {
            None
        }, v: vec![a, x[(((n as i64) as usize) % x.len())]], e: if (0i64 < 1i64) {
            E::One(u[((3i64 as usize) % u.len())])
        } else {
            E::Two { x: a, n: ((2.5 * a) as i64) }
        } };
        let mut v17 = move |v18: f64| solids(match 1i64 {
            0 => v18,
            1 | 2 => x[((1i64 as usize) % x.len())],
            v19 if (3i64 < v19) => a,
            _ => v18,
        }, 1i64);
    } else {
        {
            let mut e = (x[((2i64 as usize) % x.len())] - (a + x[((1i64 as usize) % x.len())]));
            *v10.borrow_mut() = e;
        }
    }
    let mut v21 = (a as f32);
    let mut v22 = move |v23: f64| a;
    (((a + a) + {
        let mut r = *v10.borrow();
        r
    }) + v14.unwrap_or(0.25))
}
}

mod p114 {
use super::*;
pub const CASE: Case = Case { seed: 114, args: Args { x: [-0.37322976729463553, -0.8323534983692183, 0.4913046525041245, -0.08574061666262436], u: [0.3295899938678642, -0.8811872923693079, -0.70793978664141], a: -0.6903282433999915, n: 2 }, along: Args { x: [-0.9524782093484456, -0.45536796293278725, -0.5590431369425277, -0.23803418505375976], u: [0.7460182364327175, -0.7861724323052217, -0.5044292970814195], a: -0.4915962668329707, n: 2 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = if ((n as i64) == 0i64) {
        E::One(a)
    } else {
        E::None
    };
    let mut v14: Box<dyn Fn(f64) -> f64> = if (!((a, (1.5 as f64)).1 <= 0.75)) {
        Box::new(move |v11: f64| v11)
    } else {
        Box::new(move |v11: f64| strided(x, 1i64))
    };
    let mut v15 = (x[((1i64 as usize) % x.len())] as f32);
    let mut v16 = &x[2..3];
    {
        let mut m = ((2i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v18 = *i;
            let mut v19 = *j;
            let mut e = v14(a);
            let mut f = v19;
            *i = e;
            *j = f;
        }
    }
    (combined(combined(root(a), 2.0), match Some(a) {
        Some(v20) => x[((2i64 as usize) % x.len())],
        None => a,
    }).unwrap() + a)
}
}

mod p115 {
use super::*;
pub const CASE: Case = Case { seed: 115, args: Args { x: [-0.8349386637219435, -0.18385804848933307, -0.8886701110455953, -0.8409728266380313], u: [0.457583452011163, 0.2612869273082655, 0.20878706082341006], a: 0.7597702146571251, n: 3 }, along: Args { x: [0.6279277615100893, -0.4115451052407306, 0.7856825983578846, -0.7474213911737283], u: [0.41568262215377894, -0.0304685181225867, -0.4755513034672124], a: 0.2607565567651016, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = a;
    }
    a = a;
    let mut v16 = D { s: turned(S { a: 1.25, b: swapped(a, a), n: ((-1i64) - 2i64) }, E::Two { x: a, n: (0i64 * (-9223372036854775807i64)) }), o: if (0i64 < 2i64) {
        Some(u[((1i64 as usize) % u.len())])
    } else {
        None
    }, v: vec![(a * a), swapped(2.0, u[((2i64 as usize) % u.len())]).0, match (if (1i64 < (n as i64)) {
        E::One(a)
    } else {
        E::None
    }) {
        E::One(v13) => 2.0,
        E::Two { x: v13, n: v14 } => v13,
        E::None => a,
    }], e: if (match Some(a) {
        Some(v15) => 1.5,
        None => a,
    } < x[((3i64 as usize) % x.len())]) {
        E::One(x[((3i64 as usize) % x.len())])
    } else {
        E::Two { x: a, n: 3i64 }
    } };
    (2.0 + weigh(&v16, 0.5))
}
}

mod p116 {
use super::*;
pub const CASE: Case = Case { seed: 116, args: Args { x: [0.39186626424949117, -0.05369801206068537, 0.4414356391923445, -0.22572624201950306], u: [0.41799501395631705, 0.3294335153208625, 0.34071534338057496], a: 0.8600752824224741, n: 2 }, along: Args { x: [0.9055723962683799, 0.680226351104517, 0.9084161620931129, -0.4557517571490335], u: [0.5401895439492639, -0.30910142394436285, 0.6371617653294889], a: -0.3924894580861161, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (!(a.cos() <= a)) {
        let mut v11 = vec![S { a: a, b: (a, a), n: ((2.5 * a) as i64) }];
        for v12 in v11.iter_mut() {
            v12.turn(if (a < a) {
                a
            } else {
                a
            });
        }
    } else {
        let mut v14: i64 = 2i64;
    }
    let mut v16: Option<f64> = both(a, x[((1i64 as usize) % x.len())].max(0.75));
    let mut v17 = vec![S { a: 1.0, b: ((1.75 as f64), a), n: 1i64 }];
    let mut v18 = |v19: f64| {
        a = v19;
        (a * v19)
    };
    let mut v20 = (apply(&mut v18, x[((3i64 as usize) % x.len())]) + v18(((0.5 as f64), (0.5 as f64)).0));
    let mut v23 = D { s: turned(S { a: u[((0i64 as usize) % u.len())], b: (u[((1i64 as usize) % u.len())], (0.75 as f64)), n: (3i64 * 1i64) }, E::One(a)), o: Some(a).and_then(|v21| v16), v: vec![x[((3i64 as usize) % x.len())], a, if (!(match ((2.5 * a) as i64) {
        0 => v20,
        1 | 2 => a,
        v22 if ((2i64 * 2i64) == 1i64) => v20,
        _ => a,
    } <= v20)) {
        x[((3i64 as usize) % x.len())]
    } else {
        u[(((n as i64) as usize) % u.len())]
    }], e: if (!(if ((-v20) < v20) {
        v20
    } else {
        v20
    } <= 1.5)) {
        E::One(v20)
    } else {
        E::Two { x: x[(((n as i64) as usize) % x.len())], n: 3i64 }
    } };
    let mut v24: [f64; 3] = [(0.75 as f64), v20, (0.25 as f64)];
    let mut v27: Box<dyn Fn(f64) -> f64> = if (v20 < v20) {
        Box::new(move |v25: f64| v20)
    } else {
        Box::new(move |v25: f64| match ((2.5 * 0.5) as i64) {
            0 => v20,
            1 | 2 => ((n as i64) as f64),
            v26 if (v20 < 1.5) => (0.75 as f64).min(v20),
            _ => 1.0,
        })
    };
    (((((v27(weigh(&v23, a)) + a) + v16.unwrap_or(0.25)) + v20) + weigh(&v23, 0.5)) + halved(&v24))
}
}

mod p117 {
use super::*;
pub const CASE: Case = Case { seed: 117, args: Args { x: [-0.0962241598150991, 0.6430353039801505, 0.09044982911808717, 0.8990534030817438], u: [-0.2996791863038587, -0.1057220109036445, -0.391433253270616], a: -0.7574195943315819, n: 2 }, along: Args { x: [-0.6979337125256275, -0.5456747985539697, -0.9829821866284637, 0.48835721761558043], u: [-0.7611339751872462, 0.8211552330480715, 0.9275631999962096], a: -0.5279534420399608, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if ((n as i64) < 1i64) {
        let mut v16 = E::One(a);
        let mut v17: f64 = (0.5 * 1.25);
    } else {
        let mut v18 = L::Node((u[((3i64 as usize) % u.len())] - a), Box::new(L::End));
    }
    let mut v23: [f64; 3] = [match Some(a) {
        Some(v19) => v19,
        None => a,
    }, {
        let mut v20: f64 = a;
        let mut v21: i64 = 0;
        loop {
            v20 = v20;
            v21 += 1;
            if ((v21 >= 3) || ((v20 < a) || (v21 == v21))) {
                break v20;
            }
        }
    }, match (3i64 * 1i64) {
        0 => a,
        1 | 2 => a,
        v22 if (v22 < 3i64) => a,
        _ => x[((1i64 as usize) % x.len())],
    }];
    let mut v24 = D { s: S { a: a, b: (a, a), n: (2i64 * 3i64) }, o: both(a, a), v: vec![u[((3i64 as usize) % u.len())], x[(((n as i64) as usize) % x.len())].cos(), ((n as i64) as f64)], e: E::One(a) };
    ((((0.5 * u[((2i64 as usize) % u.len())]) + a) + halved(&v23)) + weigh(&v24, 0.5))
}
}

mod p118 {
use super::*;
pub const CASE: Case = Case { seed: 118, args: Args { x: [-0.5071001153235876, 0.5835267069217911, 0.5051647699162706, 0.8365277952879133], u: [-0.4823510009274473, -0.826865959525611, 0.24656214773500182], a: -0.44842193158839844, n: 0 }, along: Args { x: [0.16270632937072044, -0.7329546460610117, 0.8976073784146698, 0.15191331329439178], u: [0.587975884716883, 0.2842953602485105, -0.9245587966987974], a: 0.8832738819450654, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = Rc::new(RefCell::new(match 1i64 {
        0 => a.max(a),
        1 | 2 => a,
        v10 if ((v10 + v10) == v10) => a,
        _ => a,
    }));
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v12 = *i;
            let mut v13 = *j;
            let mut e = (-1.75);
            let mut f = v13;
            *i = e;
            *j = f;
        }
    }
    {
        let mut e = (1.75 as f64);
        *v11.borrow_mut() -= e;
    }
    let mut v14: Option<f64> = combined(if (((2.5 * a) as i64) == 1i64) {
        Some(a)
    } else {
        None
    }, a);
    let mut v15 = E::One(((-0.5) as f64));
    if ((n as i64) == 1i64) {
        if (!(match combined(Some((0.25 as f64)), a) {
            Some(v18) if (!(a <= a)) => a,
            _ => 0.25,
        } <= a)) {
            {
                let mut e = if (3i64 < 1i64) {
                    a
                } else {
                    1.75
                };
                *v11.borrow_mut() += e;
            }
            let mut v19: Option<f64> = Some(x[(((n as i64) as usize) % x.len())]);
        } else {
            let mut v20 = move |v21: f64| v21;
        }
    } else {
    }
    (((a + a) + {
        let mut r = *v11.borrow();
        r
    }) + match v15 {
        E::One(v22) => v22,
        E::Two { x: v22, n: v23 } => v22,
        E::None => 0.5,
    })
}
}

mod p119 {
use super::*;
pub const CASE: Case = Case { seed: 119, args: Args { x: [0.4535792595230828, -0.446905641050263, 0.44422472660609724, -0.7637686624568103], u: [-0.30683441891265495, -0.8641969747964108, -0.46815446445444264], a: 0.6221224336458808, n: 3 }, along: Args { x: [0.16453699676675065, -0.0746246437427204, 0.7728781317918121, 0.6852015434718775], u: [-0.9122185116296146, 0.23663763881259417, 0.7970173731585398], a: -0.7358805405394913, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v10 = 0;
    'l10: while ((v10 < 4) && (1.5 < 1.0)) {
        v10 += 1;
        let mut v11 = Rc::new(RefCell::new((0.75 as f64)));
        let mut v12 = move |v13: f64| v13;
    }
    let mut v14 = vec![S { a: 1.0, b: (v4, v4), n: ((2.5 * v4) as i64) }, turned(S { a: v4, b: (v4, v4), n: 1i64 }, E::One(v4)), S { a: 1.75, b: (v4, v4), n: ((2.5 * v4) as i64) }];
    let mut v17 = vec![v4, {
        let mut f = |v16: f64| v4;
        (f(v4) + f(v4))
    }];
    (v4 * Some(v4).unwrap_or(v4))
}

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    let mut v12: [f64; 3] = [v4, v4, v4];
    'l13: for v13 in 0i64..3i64 {
        let mut v16: i64 = v13;
        let mut v18: i64 = v13;
    }
    v4 = match (if (v4 < 0.5) {
        Ok(v4)
    } else {
        Err(v4)
    }) {
        Ok(v19) => if (v12.windows(2).map(|c| {
            let mut v21 = c[0];
            let mut v22 = c[(c.len() - 1)];
            match (if ((v4 < v19) && (v19 < v4)) {
                E::One(v4)
            } else {
                E::None
            }) {
                E::One(v23) => v22,
                E::Two { x: v23, n: v24 } => v19,
                E::None => v4,
            }
        }).sum::<f64>() < 2.0) {
            v4
        } else {
            v19
        },
        Err(v20) => match Some(v4) {
            Some(v27) if (!(v4 <= v20)) => v20,
            _ => v4,
        },
    };
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = Rc::new(RefCell::new(duo(0.5, (0i64 as f64))));
    let mut v12 = swapped(u[((0i64 as usize) % u.len())], if ((n as i64) == 0i64) {
        u[((3i64 as usize) % u.len())]
    } else {
        a
    });
    let mut v18: [f64; 3] = [a, (0.75 as f64), h0(a)];
    {
        let mut i0 = ((3i64 as usize) % u.len());
        u[i0] = match (E::Two { x: x[((3i64 as usize) % x.len())], n: 1i64 }) {
            E::One(v19) => a,
            E::Two { x: v19, n: v20 } => h1(v19),
            E::None => counted(a, 0i64),
        };
    }
    let mut v27 = L::Node(match (E::Two { x: a, n: ((2.5 * a) as i64) }) {
        E::One(v25) => a,
        E::Two { x: v25, n: v26 } => 0.5,
        E::None => a,
    }, Box::new(L::Node(match (if (0i64 < 1i64) {
        Ok(a)
    } else {
        Err(a)
    }) {
        Ok(v23) => 0.25,
        Err(v24) => v24,
    }, Box::new(L::End))));
    let mut v28: Box<dyn Solid> = if (!(x[(((n as i64) as usize) % x.len())] <= a)) {
        Box::new(Brick { sides: v12, n: 3i64 })
    } else {
        Box::new(Point)
    };
    let mut v29: Option<f64> = Some(a);
    let mut v30 = S { a: (-a), b: ((x[((3i64 as usize) % x.len())] * a), a.min(0.25)), n: (n as i64) };
    (((((({
        let mut r = *v11.borrow();
        r
    } + a) + v12.1) + halved(&v18)) + v28.twice(0.5)) + v29.unwrap_or(0.25)) + v30.size(0.75))
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
