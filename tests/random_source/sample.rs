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
pub const CASE: Case = Case { seed: 1, args: Args { x: [-0.08196555202139141, -0.22920685762098952, 0.8851693392095294, 0.15386893574997834], u: [0.32585264046091506, 0.8767545132655828, -0.6229388726427417], a: 0.059620118172709305, n: 2 }, along: Args { x: [-0.060388150037849246, 0.8551847467887539, -0.958995065425778, 0.5694519720936229], u: [-0.2747363007281007, -0.21218645862684368, 0.9346987829745077], a: -0.020275178616191294, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = ((n as i64) * 1i64);
    let mut v16 = vec![a, (1i64 as f64), ((match chained(a, a) {
        Ok(v14) => 0.75,
        Err(v15) => 0.5,
    }) as f64)];
    'l17: while let Some(v17) = v16.pop() {
        let mut v18 = Rc::new(RefCell::new(u[((v10 as usize) % u.len())]));
        a = {
            let mut r = *v18.borrow();
            r
        };
    }
    v16.push(u[(((n as i64) as usize) % u.len())]);
    let mut v21 = L::Node(v16[((1i64 as usize) % v16.len())], Box::new(L::Node(v16.chunks(2).map(|c| {
        let mut v19 = c[0];
        let mut v20 = c[(c.len() - 1)];
        (1.25 as f64)
    }).sum::<f64>(), Box::new(L::End))));
    (((parity(duo(u[((1i64 as usize) % u.len())], a.min(a)), 1i64) + a) + halved(&v16)) + total(&v21))
}
}

mod p2 {
use super::*;
pub const CASE: Case = Case { seed: 2, args: Args { x: [0.3605460726449234, -0.9412382504493453, -0.5262529387428246, -0.5865050209566754], u: [0.5825847368186053, 0.8837586969418839, -0.300026901291655], a: -0.23376401757319681, n: 1 }, along: Args { x: [-0.18837710851966874, -0.55034560226851, -0.12313039805418197, 0.11767585532478594], u: [0.2137392638098291, -0.6699572130865684, 0.35423916395346766], a: -0.23312623417241507, n: 0 }, singles: false };

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
    let mut v18 = vec![duo(1.75, 1.0), u[((1i64 as usize) % u.len())], a];
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
    ((({
        let mut f = |v25: f64| duo(match 0i64 {
            0 => x[((0i64 as usize) % x.len())],
            1 | 2 => x[((0i64 as usize) % x.len())],
            v26 if ((x[((3i64 as usize) % x.len())] < v25) && (x.windows(2).map(|c| {
            let mut v27 = c[0];
            let mut v28 = c[(c.len() - 1)];
            v28
        }).sum::<f64>() < a)) => a,
            _ => v25,
        }, a);
        (f(a) + f(total(&v16)))
    } + a) + total(&v16)) + halved(&v18))
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
pub const CASE: Case = Case { seed: 4, args: Args { x: [0.693458034888436, 1.0122255436707792, 0.24123052894276212, -0.0738269559148999], u: [0.7680993942324337, 0.7934517803953364, -0.5503808551716467], a: -0.624454024437586, n: 3 }, along: Args { x: [0.7857044237581128, 0.6548177511948231, -0.16030845841557978, -0.8742420940874018], u: [0.670904543078376, -0.9803382370146796, -0.4722365734830167], a: 0.05617243385255578, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[1..4];
    mix(u, 0.5);
    let mut v11: i64 = 3i64;
    'l12: for v12 in 0i64..3i64 {
        if (((n as i64) + v12) == (n as i64)) {
            let mut v14: Box<dyn Solid> = if (v11 < 1i64) {
                Box::new(Ball { r: 1.25 })
            } else {
                Box::new(Brick { sides: (a, a), n: 1i64 })
            };
            let mut v15 = |v16: f64| {
                a = Some(x[((1i64 as usize) % x.len())]).and_then(|v18| both(0.5, v18)).unwrap_or(v16);
                (a * v16)
            };
            let mut v17 = (apply(&mut v15, 0.5) + v15(1.5));
        } else {
            let mut v22: f64 = match Some(a).filter(|&v21| (a < v21)) {
                Some(v20) if (v20 < 2.0) => counted(1.0, (n as i64)),
                _ => (x[(((n as i64) as usize) % x.len())] * x[((1i64 as usize) % x.len())]),
            };
        }
        let mut v23 = |v24: f64| {
            a = v10.iter().map(|&v26| x[((3i64 as usize) % x.len())]).filter(|e| (*e > 0.0)).sum::<f64>();
            (a * v24)
        };
        let mut v25 = (apply(&mut v23, 0.5) + v23(0.5));
    }
    if let Some(v29) = Some(a) {
    }
    (x[((1i64 as usize) % x.len())] + a)
}
}

mod p5 {
use super::*;
pub const CASE: Case = Case { seed: 5, args: Args { x: [-0.06766944409406088, 0.33055231061162216, 0.6079499985091479, 0.9244718057853105], u: [-0.13882546252598807, -0.5866108634567861, -0.5893532187784196], a: -0.9226748475816232, n: 1 }, along: Args { x: [-0.627352541135213, -0.6612247119963014, -0.552453974325012, 0.39578275895494935], u: [0.894104029924916, 0.7925407279380012, 0.6725574792926788], a: 0.15945708464257746, n: 0 }, singles: false };

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
    let mut v19 = if (strided(&v13, 2i64) < a) {
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
    let mut v22: i64 = (n as i64);
    if let Some(v23) = combined(Some(a), u[((v22 as usize) % u.len())]) {
        let mut v24: Box<dyn Solid> = if (!(rises(x, 2.0) <= a)) {
            Box::new(Ball { r: 1.25 })
        } else {
            Box::new(Brick { sides: (a, a), n: v22 })
        };
        v24.scale(v23);
    }
    ((swapped(orchard(a, 3i64), 0.5).0 + halved(&v13)) + match v19 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    })
}
}

mod p6 {
use super::*;
pub const CASE: Case = Case { seed: 6, args: Args { x: [0.5633300565941307, 0.48302705194898504, -0.4554308503783609, -0.3986678465848629], u: [0.5573381356300898, 0.8019570413971308, -0.6167952759211363], a: -0.13422028103195324, n: 2 }, along: Args { x: [-0.22575542310427546, 0.9637946170765544, 0.38159063495364, -0.490762686777087], u: [-0.17968334199188662, 0.6474015156354349, -0.7683109292456843], a: -0.9503477508830027, n: 1 }, singles: true };

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
    h0((v9 - 1i64), v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    mix(u, 0.5);
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
    (((0.5 + a) + v23[((1i64 as usize) % v23.len())].a) + weigh(&v28, 0.5))
}
}

mod p7 {
use super::*;
pub const CASE: Case = Case { seed: 7, args: Args { x: [0.2032380120125697, 0.22819739871202996, -0.5868970021153332, -0.2477705143303721], u: [0.7153247827474225, -0.010424834347339705, -0.5126421314319662], a: -0.4323739933813804, n: 3 }, along: Args { x: [-0.06688771579841223, -0.24531218787134235, -0.15476953359542464, 0.4364258323058803], u: [-0.9142231795283574, -0.8587100933378655, 0.23152318794414006], a: -0.691589581601165, n: 0 }, singles: false };

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
        let mut v21 = S { a: halved(&v16), b: swapped(v20, v13.b.1), n: ((n as i64) + 3i64) };
        let mut v22 = vec![v21];
    }
    let mut v23: Box<dyn Solid> = Box::new(Point);
    ((((a + a) + v13.size(0.75)) + halved(&v16)) + v23.twice(0.5))
}
}

mod p8 {
use super::*;
pub const CASE: Case = Case { seed: 8, args: Args { x: [0.7891976490313479, 0.049821112833133785, -0.5923850570436882, -0.0634952469127042], u: [0.9124210422227611, 0.16802926071930727, -0.6760144917232783], a: -0.3553804621056523, n: 2 }, along: Args { x: [-0.8535451466823657, 0.3672690278319717, 0.037553943959159466, 0.6001766424287951], u: [-0.8398351856721519, 0.055109925238947415, 0.8283122162926382], a: 0.659082875348546, n: 0 }, singles: false };

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
    duo((0.75 as f64).max(v5), v13.b.1)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Option<f64> = Some(a);
    let mut v13 = L::Node({
        let mut f = |v12: f64| x[((0i64 as usize) % x.len())];
        (f(1.75) + f(1.75))
    }, Box::new(L::Node(1.5, Box::new(L::Node(a, Box::new(L::End))))));
    let mut v14 = vec![turned(turned(S { a: a, b: (a, a), n: 1i64 }, E::One((0.5 as f64))), E::One(a))];
    let mut v16: f64 = a;
    for p17 in u[1..].iter_mut() {
        let mut v17 = *p17;
        *p17 = {
            let mut f = |v18: f64| h0(2i64, x[((3i64 as usize) % x.len())], v10.unwrap_or(1.0));
            (f(v16.sin()) + f({
                let mut v19: f64 = v16;
                let mut v20: i64 = 0;
                loop {
                    v19 = v16;
                    v20 += 1;
                    if ((v20 >= 3) || ((v20 < v20) && (x[((3i64 as usize) % x.len())] < v16))) {
                        break v19;
                    }
                }
            }))
        };
    }
    if (1i64 < 3i64) {
        v16 *= match (&v13) {
            L::Node(v22, v23) => {
                let mut v22 = *v22;
                Some(x[((1i64 as usize) % x.len())]).unwrap_or(v22)
            },
            L::End => 0.25,
        };
        let mut v26 = v13.clone();
    } else {
        {
            let mut i0 = (((n as i64) as usize) % v14.len());
            v14[i0].b.1 = 1.25;
        }
    }
    ((combined(v10.and_then(|v27| combined(Some(x[((1i64 as usize) % x.len())]), v27)), v16).unwrap_or(a) + total(&v13)) + v14[((1i64 as usize) % v14.len())].a)
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
pub const CASE: Case = Case { seed: 11, args: Args { x: [-0.1383642942356063, -0.7870092422595258, 0.29731873147400695, 0.7754687922363412], u: [-0.22875016560156142, -0.6837304467256305, 0.33363485519414793], a: 0.8211037730208295, n: 1 }, along: Args { x: [-0.7212575995169987, -0.959942282873574, -0.15061189773576292, -0.6067397712947333], u: [0.3957838500778763, -0.6594137165330922, -0.7285364778997511], a: 0.4760852045848179, n: 0 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v12 = D { s: turned(turned(S { a: v4, b: ((2.0 as f64), (0.5 as f64)), n: 2i64 }, if (!(v5 <= 1.75)) {
        E::One(v5)
    } else {
        E::None
    }), E::Two { x: 2.0, n: 1i64 }), o: Some((0.25 as f64)), v: vec![v5, v4.sin(), v5], e: E::One(v4) };
    let mut v14: Box<dyn Solid> = if (1i64 < 3i64) {
        Box::new(Brick { sides: (v4, v5), n: 1i64 })
    } else {
        Box::new(Point)
    };
    shift(&mut v12.s, match (if (0.5 < 0.5) {
        Ok((0.5 as f64))
    } else {
        Err((0.5 as f64))
    }) {
        Ok(v16) => v16,
        Err(v17) => v17,
    });
    v14.twice(v5)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = Rc::new(RefCell::new({
        let mut v10: f64 = a;
        let mut v11: i64 = 0;
        loop {
            v10 = 1.0;
            v11 += 1;
            if ((v11 >= 3) || ((n as i64) == v11)) {
                break v10;
            }
        }
    }));
    let mut v14: f64 = {
        let mut r = *v12.borrow();
        r
    };
    let mut v15 = vec![S { a: 0.25, b: (v14, a), n: 1i64 }, S { a: a, b: (u[((1i64 as usize) % u.len())], a), n: (n as i64) }];
    let mut v17: Option<f64> = root(v14);
    for v18 in v15.iter_mut() {
        v18.turn(match Some(a) {
            Some(v19) => a,
            None => 1.25,
        });
    }
    {
        let mut e = duo({
            let mut v22: f64 = 1.75;
            let mut v23: i64 = 0;
            loop {
                v22 = v22;
                v23 += 1;
                if ((v23 >= 3) || ({
                    let mut r = *v12.borrow();
                    r
                } < v14)) {
                    break v22;
                }
            }
        }, {
            let mut r = *v12.borrow();
            r
        });
        *v12.borrow_mut() -= e;
    }
    let mut v30 = D { s: S { a: x[((3i64 as usize) % x.len())], b: swapped(v14, v14), n: ((2.5 * a) as i64) }, o: if (2i64 == 1i64) {
        Some((2.0 as f64))
    } else {
        None
    }, v: vec![match Some((0.25 as f64)) {
        Some(v28) if (0i64 == 1i64) => 0.75,
        _ => x[((1i64 as usize) % x.len())],
    }, h1(2i64, a, a), match Some(a) {
        Some(v29) => a,
        None => 2.0,
    }], e: if ((n as i64) < (n as i64)) {
        E::One(u[((1i64 as usize) % u.len())])
    } else {
        E::Two { x: x[((2i64 as usize) % x.len())], n: 1i64 }
    } };
    (((((v14 + a) + {
        let mut r = *v12.borrow();
        r
    }) + v15[((1i64 as usize) % v15.len())].a) + v17.unwrap_or(0.25)) + weigh(&v30, 0.5))
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
    let mut v15 = S { a: (-a.min(1.75)), b: (solids(u[((2i64 as usize) % u.len())], 2i64), solids(a, 1i64)), n: 0i64 };
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
pub const CASE: Case = Case { seed: 13, args: Args { x: [0.09401276009788082, 0.6322863481481596, 0.05653041412192583, 0.24180227339229418], u: [-0.051715617763829914, -0.09084551160671453, 0.9627109270683166], a: 0.05838425650964707, n: 3 }, along: Args { x: [-0.779159909264589, 0.5426761824998358, -0.071631172996674, 0.37535358140743613], u: [0.11057418807971604, -0.3273744088438292, 0.9313054557895784], a: -0.479589220204652, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = (match chained(a, a) {
        Ok(v10) => x[((0i64 as usize) % x.len())],
        Err(v11) => x[((1i64 as usize) % x.len())],
    }, x[(((n as i64) as usize) % x.len())]);
    for p14 in u.iter_mut() {
        let mut v14 = *p14;
        *p14 = scanned(x, a).min(a);
    }
    if ((0i64 < (n as i64)) || (a < 1.25)) {
        a = (match Some(a) {
            Some(v18) => v18,
            None => 1.25,
        }).min(x[((1i64 as usize) % x.len())]);
        let mut v19 = &x[2..3];
    } else {
        v13.1 *= (0.5 * a);
    }
    a *= ((1.5 as f64), a).1;
    let mut v21 = vec![S { a: x[(((n as i64) as usize) % x.len())], b: swapped(x[((1i64 as usize) % x.len())], 1.25), n: ((2.5 * 0.75) as i64) }];
    ((a + v13.0) + v21[((1i64 as usize) % v21.len())].a)
}
}

mod p14 {
use super::*;
pub const CASE: Case = Case { seed: 14, args: Args { x: [-0.5755250361054799, 0.6063935557968992, -0.012721589955716784, -0.5384597334721096], u: [-0.890227072164258, 0.5803469042529938, -0.662173354707253], a: 0.9625357343696599, n: 1 }, along: Args { x: [-0.7932462565509945, 0.651861026379522, -0.5444400161837917, 0.1779034066063684], u: [0.20919346509067246, -0.6237794427988572, -0.7940053069661954], a: 0.8061541565231407, n: 0 }, singles: true };

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
            let mut v21: [f64; 3] = [duo(a, x[((3i64 as usize) % x.len())]), ((v10 as f32) as f64), match (E::Two { x: x[((2i64 as usize) % x.len())], n: ((n as i64) * 1i64) }) {
                E::One(v19) => u[((1i64 as usize) % u.len())],
                E::Two { x: v19, n: v20 } => a,
                E::None => a,
            }];
        } else {
            {
                let mut i0 = ((1i64 as usize) % u.len());
                u[i0] *= v10;
            }
        }
        let mut v22: Option<f64> = combined(Some((0.25 as f64)), v10);
    }
    if ((2i64 * 1i64) == 1i64) {
        let mut v25: Box<dyn Fn(f64) -> f64> = if (!(h0(2i64, a) <= a)) {
            Box::new(move |v24: f64| a)
        } else {
            Box::new(move |v24: f64| x[((1i64 as usize) % x.len())])
        };
        if let Some(v26) = both(a, a) {
            let mut v27 = vec![u[((2i64 as usize) % u.len())]];
        }
    } else {
    }
    (a + a)
}
}

mod p15 {
use super::*;
pub const CASE: Case = Case { seed: 15, args: Args { x: [0.8328613234757856, -0.4673584637510052, 0.22785053636068833, 0.5477158606707982], u: [0.7717018203606841, 0.4509764925019724, -0.7071626425994726], a: 0.7630315744639025, n: 2 }, along: Args { x: [0.5698911702694768, 0.6429836271372921, -0.8862186364826207, 0.5540495512168682], u: [-0.0022599787787447537, 0.07263489894747138, -0.9001304241089987], a: 0.03149569213063847, n: 1 }, singles: false };

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
    a = both(1.25, a).unwrap_or(a);
    let mut v18 = 0;
    'l18: while ((v18 < 4) && (2i64 < 1i64)) {
        v18 += 1;
        if let Some(v19) = Some((1.25 as f64)) {
            let mut v21 = vec![S { a: x[((2i64 as usize) % x.len())], b: v17, n: (n as i64) }, S { a: 2.0, b: v17, n: (n as i64) }];
            let mut v25 = if ((2i64 == (n as i64)) || (2i64 == 1i64)) {
                E::One(a.sin())
            } else {
                E::None
            };
        }
        let mut v26 = vec![S { a: a, b: v17, n: (2i64 + (n as i64)) }, S { a: x[((1i64 as usize) % x.len())], b: swapped(a, 0.75), n: 1i64 }];
    }
    ((a + a) + v17.0)
}
}

mod p16 {
use super::*;
pub const CASE: Case = Case { seed: 16, args: Args { x: [-0.2910402388886918, -0.11787779424252401, 0.12016846322615793, 0.9132756894721795], u: [0.0427299596195819, -0.9167649147604534, -0.7756360283655382], a: -0.7385982770937457, n: 2 }, along: Args { x: [-0.2944287285709133, 0.6594247912279474, -0.030748410910386534, -0.019090919290057715], u: [-0.7953924221725531, 0.9478770639719434, 0.20066612922067278], a: -0.5860264899477832, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Solid> = if (2i64 < 0i64) {
        Box::new(Brick { sides: (a, a), n: 1i64 })
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
    }).unwrap_or(sorted(x, a).min(a)) + a) + v11.twice(0.5))
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
pub const CASE: Case = Case { seed: 19, args: Args { x: [-0.9495523686390148, 0.5120801897885298, -0.4980469149419273, -0.6606841482100835], u: [-0.9917338723107735, 0.37861473147479147, -0.7735266052524477], a: -0.6889505851141379, n: 0 }, along: Args { x: [-0.30684507776454156, 0.3766022029223911, 0.9054122190761784, 0.15517502580089113], u: [-0.913835317713362, 0.907876864967718, 0.9751534559453505], a: -0.948409392356424, n: 3 }, singles: true };

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
            }, graded(v11, 0i64)), n: 1i64 };
        }
        let mut v17 = vec![S { a: a, b: (a, a), n: (n as i64) }];
    }
    let mut v21 = Rc::new(RefCell::new(a));
    let mut v23 = if ((!(1.75 <= x[((1i64 as usize) % x.len())])) && ({
        let mut f = |v22: f64| v22;
        (f(a) + f(a))
    } < x[((2i64 as usize) % x.len())])) {
        E::One(a)
    } else {
        E::None
    };
    'l24: for v24 in 0i64..3i64 {
    }
    (({
        let mut r = *v21.borrow();
        r
    } + a) + match v23 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    })
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
        }, a);
    }
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] += a;
    }
    let mut v18 = turned(turned(S { a: x[((2i64 as usize) % x.len())], b: (a, a), n: ((2.5 * a) as i64) }, if ((!((-a) <= a)) && (a < a)) {
        E::One(a)
    } else {
        E::Two { x: a, n: 1i64 }
    }), if ((a * a) < a) {
        E::One(a)
    } else {
        E::None
    });
    for p19 in u.iter_mut() {
        let mut v19 = *p19;
        *p19 = match E::One(v19) {
            E::One(v20) => (1.0 - 0.5),
            E::Two { x: v20, n: v21 } => (0.5 as f64).max(v19),
            E::None => (x[(((n as i64) as usize) % x.len())], v19).0,
        };
    }
    let mut v22 = Rc::new(RefCell::new(u[((1i64 as usize) % u.len())]));
    {
        let mut e = x.iter().map(|&v23| {
            let mut r = *v22.borrow();
            r
        }).sum::<f64>();
        *v22.borrow_mut() = e;
    }
    v18 = turned(turned(S { a: a, b: (a, a), n: ((2.5 * a) as i64) }, E::One(a)), if (1i64 < (n as i64)) {
        E::One(a)
    } else {
        E::Two { x: 0.75, n: ((2.5 * x[((v18.n as usize) % x.len())]) as i64) }
    });
    (((1.25 + a) + v18.size(0.75)) + {
        let mut r = *v22.borrow();
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
pub const CASE: Case = Case { seed: 22, args: Args { x: [-0.7359104604776112, -0.4755639505713207, -0.22490904266638256, 0.4355963008630523], u: [0.39596560735121145, -0.6509049246346162, 0.517289184275553], a: -0.972433758050142, n: 2 }, along: Args { x: [0.05695644551379772, -0.6242880729949395, 0.714898000650562, 0.8282682293621738], u: [-0.6021794610597218, 0.20852936481475806, 0.6184825641285161], a: 0.5480260763267906, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v18: Box<dyn Solid> = Box::new(Point);
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = duo(a, u[((2i64 as usize) % u.len())]).min(a.cos());
    let mut v14 = vec![S { a: x[((2i64 as usize) % x.len())], b: swapped(x[((2i64 as usize) % x.len())], x[((1i64 as usize) % x.len())]), n: 1i64 }];
    let mut v15 = L::Node(a, Box::new(L::Node(v11, Box::new(L::End))));
    {
        let mut i0 = ((((2.5 * u[(((n as i64) as usize) % u.len())]) as i64) as usize) % v14.len());
        v14[i0].turn(0.5);
    }
    let mut v19 = D { s: S { a: v11, b: swapped(a, v11), n: 0i64 }, o: Some(a), v: vec![x[((3i64 as usize) % x.len())], u[((2i64 as usize) % u.len())], match Some(u[((3i64 as usize) % u.len())]) {
        Some(v18) if (!(swapped(u[((0i64 as usize) % u.len())], v18).0 <= a)) => 1.0,
        _ => v11,
    }], e: E::One(a) };
    ((Some(match root(a) {
        Some(v20) if (v11 < v11) => v20,
        _ => x[((3i64 as usize) % x.len())],
    }).unwrap_or(h0(1.5, (u[((2i64 as usize) % u.len())] + v11))) + a) + total(&v15))
}
}

mod p23 {
use super::*;
pub const CASE: Case = Case { seed: 23, args: Args { x: [-0.7026060415957429, -0.5557218009521022, 0.3292066722703798, -0.1587551564304881], u: [-0.38388156993383443, -0.13901662699717174, -0.12994200992300903], a: -0.22879785692080454, n: 1 }, along: Args { x: [-0.17281982689199357, -0.07500607639889088, 0.9262614580068922, 0.5004413428528643], u: [0.6881233092696614, -0.3463038323638055, -0.25264314844789737], a: 0.13027315446386875, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = 1.25;
    }
    for p14 in u.iter_mut() {
        let mut v14 = *p14;
        *p14 = x[((1i64 as usize) % x.len())];
    }
    if ((a < a) || (x[((0i64 as usize) % x.len())] < a)) {
        let mut v16 = (a, scanned(x, a));
        let mut v17: f64 = a;
    } else {
        let mut v24 = D { s: turned(turned(S { a: a, b: (a, x[((2i64 as usize) % x.len())]), n: 1i64 }, if (!({
            let mut v18: f64 = a;
            let mut v19: i64 = 0;
            loop {
                v18 = u[(((n as i64) as usize) % u.len())];
                v19 += 1;
                if ((v19 >= 3) || (parity(v18, (n as i64)) < a)) {
                    break v18;
                }
            }
        } <= a)) {
            E::One(a)
        } else {
            E::Two { x: 0.25, n: ((2.5 * 1.5) as i64) }
        }), if ((0i64 < 1i64) || ((0i64 * 3i64) == 3i64)) {
            E::One(a)
        } else {
            E::None
        }), o: Some((0.25 as f64)), v: vec![{
            let mut f = |v20: f64| {
                let mut f = |v21: f64| {
                    let mut f = |v22: f64| x.iter().map(|&v23| x[((2i64 as usize) % x.len())]).filter(|e| (*e > 0.0)).sum::<f64>();
                    (f(v20) + f(0.25))
                };
                (f(x[((1i64 as usize) % x.len())]) + f(Some(v20).unwrap_or(a)))
            };
            (f(1.5) + f(a))
        }], e: E::Two { x: x[((1i64 as usize) % x.len())], n: (n as i64) } };
    }
    let mut v28 = turned(S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: 2i64 }, E::One(a));
    if let Some(v29) = Some(x[(((n as i64) as usize) % x.len())]) {
        let mut v31: Option<f64> = Some(x[((3i64 as usize) % x.len())]);
        let mut v32 = |v33: f64| {
            a = (x[((1i64 as usize) % x.len())], v33).1;
            (a * v33)
        };
        let mut v34 = (v32(spiral(v29, 2i64)) + v32((-v29)));
    }
    (((x.iter().map(|&v35| a).fold((0.5 as f64), |s, e| ((s * 0.5) + e)), a).1 + a) + v28.size(0.75))
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
        E::Two { x: v18, n: v19 } => (v13 + 1.75),
        E::None => 1.75,
    } + a) + v13)
}
}

mod p25 {
use super::*;
pub const CASE: Case = Case { seed: 25, args: Args { x: [-0.21390308569370767, -0.8981440566034465, 0.7169235354228761, -0.9782991180156922], u: [0.8272393834329576, 0.0476555816996051, 0.9873975718653462], a: -0.36152480190181885, n: 2 }, along: Args { x: [-0.8011933751315266, -0.3087763361416639, 1.0020512172291107, -0.5490307524454936], u: [0.7648810025419875, -0.3587843872892721, -0.20958930049352367], a: 0.988411507785682, n: 0 }, singles: false };

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
    rises(&v14, a)
}
}

mod p26 {
use super::*;
pub const CASE: Case = Case { seed: 26, args: Args { x: [1.0081261476579457, 0.9493030246733194, 0.6677868142072756, 0.5017527744033695], u: [0.9491312669453744, 0.48538504741369454, -0.2924983654615826], a: -0.6523644442672205, n: 1 }, along: Args { x: [0.4907753239951525, 0.06067492883918606, -0.08876470252579158, 0.9460715822505559], u: [-0.513024460305647, -0.6934533367001494, -0.5440736835398282], a: -0.36219246846008385, n: 1 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a -= x[((1i64 as usize) % x.len())];
    for p10 in u[1..].iter_mut() {
        let mut v10 = *p10;
        *p10 = (0.75 * v10);
    }
    let mut v11 = ((x[((1i64 as usize) % x.len())] + a), x[((0i64 as usize) % x.len())]);
    let mut v13 = (1.75 as f32);
    let mut v14 = Rc::new(RefCell::new(orchard(a, (n as i64))));
    v11.1 += u[((3i64 as usize) % u.len())];
    let mut v15 = 0;
    'l15: while ((v15 < 4) && (!(a <= u[((0i64 as usize) % u.len())]))) {
        v15 += 1;
        let mut v16 = &x[2..4];
        let mut v17 = |v18: f64| {
            a = 2.0;
            (a * v18)
        };
        let mut v19 = (apply(&mut v17, 0.5) + v17(spiral(1.25, 1i64)));
    }
    for p21 in u.iter_mut() {
        let mut v21 = *p21;
        *p21 = x[((1i64 as usize) % x.len())];
    }
    ((graded(a, 1i64) * a).tanh() + {
        let mut r = *v14.borrow();
        r
    })
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
pub const CASE: Case = Case { seed: 29, args: Args { x: [0.1828795451693664, -0.17511064069267393, 0.6881717161831555, 0.7206128771062607], u: [0.6063492452839598, -0.9295788295912877, 0.20594918546876315], a: -0.10907396463376902, n: 2 }, along: Args { x: [0.7544878528320579, 0.3169198448485227, 0.3332593078375939, -0.9180394848422783], u: [0.8032927729934182, -0.8740815927750726, -0.7434730412158063], a: -0.23861718696489645, n: 0 }, singles: true };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    let mut v10 = vec![v5.max(v4), (v5 * v5), (0.5 as f64)];
    {
        let mut m = ((((2.5 * v4) as i64) as usize) % (v10.len() + 1));
        let (p, q) = v10.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v12 = *i;
            let mut v13 = *j;
            let mut e = {
                let mut f = |v14: f64| v5;
                (f(v12) + f(v12))
            };
            let mut f = match both(v13, v12) {
                Some(v15) if (!(((v4 as f32) as f64) <= v5)) => 1.0,
                _ => v13,
            };
            *i = e;
            *j = f;
        }
    }
    Some({
        let mut f = |v16: f64| v4;
        (f(v4) + f(v4))
    })
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = |v11: f64| {
        a = 2.0;
        (a * v11)
    };
    let mut v12 = (apply(&mut v10, (0.5 as f64).sin()) + v10(x[((0i64 as usize) % x.len())].tanh()));
    let mut v16: Option<f64> = h1(2i64, v12, 1.5);
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = a;
    }
    let mut v21 = S { a: {
        let mut f = |v18: f64| a;
        (f(a) + f(v12.cos()))
    }, b: (a, (1.0 as f64)), n: (n as i64) };
    {
        let mut i0 = (((0i64 + 0i64) as usize) % u.len());
        u[i0] = u[((v21.n as usize) % u.len())];
    }
    let mut v22 = Rc::new(RefCell::new((0.5 as f64)));
    {
        let mut e = (0.5 as f64);
        *v22.borrow_mut() -= e;
    }
    let mut v28 = L::Node(1.5, Box::new(L::Node(v12, Box::new(L::Node({
        let mut f = |v25: f64| x[((1i64 as usize) % x.len())];
        (f(x[(((n as i64) as usize) % x.len())]) + f(1.25))
    }, Box::new(L::End))))));
    v12 = match v16 {
        Some(v30) if ((3i64 * 1i64) == 3i64) => v30,
        _ => (0.25 as f64).max(a),
    };
    let mut v31 = if (v12 < 0.5) {
        E::One(a)
    } else {
        E::None
    };
    ((((((a + a) + v12) + v21.size(0.75)) + {
        let mut r = *v22.borrow();
        r
    }) + total(&v28)) + match v31 {
        E::One(v32) => v32,
        E::Two { x: v32, n: v33 } => v32,
        E::None => 0.5,
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
pub const CASE: Case = Case { seed: 32, args: Args { x: [0.9944265741067935, 0.524862336858766, 0.5021055154937932, -0.11252219374106417], u: [0.8230015639148642, -0.336395814930237, 0.05302296431816311], a: 0.30179803446012277, n: 0 }, along: Args { x: [-0.07167408456993261, 0.1771047236222164, -0.12715500882814904, -0.8774952919439848], u: [0.22145333698168604, 0.5449839875978971, -0.10148921719806493], a: 0.3508502403369415, n: 2 }, singles: false };

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
    ((match combined(Some(a), 0.25).and_then(|v19| combined(both(v19, a), a).map(|v20| a)) {
        Some(v18) => 2.0,
        None => (((2.5 * 2.0) as i64) as f64),
    } + a) + weigh(&v14, 0.5))
}
}

mod p33 {
use super::*;
pub const CASE: Case = Case { seed: 33, args: Args { x: [-0.8655366360870725, 0.8381899583483211, -0.1614199659852146, 0.769484138407558], u: [0.8736438977017523, 0.2368428861829556, 0.32548453835632385], a: -0.5883549021017432, n: 1 }, along: Args { x: [0.9961147692190656, 0.3927091203147783, -0.056359836942337156, -0.47001242909531593], u: [0.5223193288663842, 0.1784703067925423, -0.9884440413302336], a: -0.849827982825755, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u.iter_mut() {
        let mut v11 = *p11;
        *p11 = v11;
    }
    let mut v12 = (a.max(0.25), (0.5 * a));
    let mut v14 = Rc::new(RefCell::new(a));
    let mut v16: Box<dyn Solid> = Box::new(Point);
    let mut v17 = L::Node(a, Box::new(L::Node(a, Box::new(L::Node(x[((3i64 as usize) % x.len())], Box::new(L::End))))));
    let mut v18 = Rc::new(RefCell::new((1.25 as f64)));
    (((((v16.size(x[((1i64 as usize) % x.len())]) + a) + v12.0) + {
        let mut r = *v14.borrow();
        r
    }) + v16.twice(0.5)) + {
        let mut r = *v18.borrow();
        r
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
pub const CASE: Case = Case { seed: 36, args: Args { x: [-0.15230245340155096, -0.8367419434311535, -0.8266849313011071, -0.1036600051614698], u: [-0.2992103917094327, -0.1610765490476556, -0.7272245969165272], a: -0.511622671222139, n: 3 }, along: Args { x: [0.7015245690006859, 0.7126447673816887, 0.8291338911366106, -0.012474838007740378], u: [-0.7414639852651017, -0.9798918136188081, -0.7921858362403552], a: -0.3124233458342716, n: 3 }, singles: false };

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
    }, counted(a, 1i64)];
    let mut v15 = &x[1..2];
    {
        let mut i0 = (((2i64 % 0i64) as usize) % u.len());
        u[i0] *= a;
    }
    for p17 in u[1..].iter_mut() {
        let mut v17 = *p17;
        *p17 = x[((3i64 as usize) % x.len())];
    }
    let mut v18: f64 = a;
    let mut v20 = D { s: S { a: 0.5, b: (x[((3i64 as usize) % x.len())], (1.5 as f64)), n: 1i64 }, o: if (match (if (v18 < v18) {
        Some(v18)
    } else {
        None
    }) {
        Some(v19) if ((!(1.5 <= 1.5)) && ((n as i64) == (n as i64))) => a,
        _ => 1.0,
    } < v18) {
        Some(a)
    } else {
        None
    }, v: vec![a, v18, (2.0 as f64).min(a)], e: E::Two { x: a, n: (1i64 / 1i64) } };
    ((((a + a) + halved(&v14)) + v18) + weigh(&v20, 0.5))
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
            Some(v18) if (counted(x[((1i64 as usize) % x.len())], 0i64) < v18) => v14,
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
    (((((counted(u[((0i64 as usize) % u.len())], 0i64) + a) + v14) + v15.twice(0.5)) + match v23 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    }) + total(&v25))
}
}

mod p38 {
use super::*;
pub const CASE: Case = Case { seed: 38, args: Args { x: [0.780551586483626, -0.25453458619347374, -0.7724860905865181, -0.9978907841218623], u: [-0.7053946439829819, -0.034889668453646945, -0.7699517020926678], a: 0.09694846017465382, n: 2 }, along: Args { x: [-0.14840321395203615, 0.23905414738764813, 0.3852997999087773, 0.675087080349473], u: [-0.45813672543312023, -0.9704967722313073, 0.9890579872649011], a: -0.9361065008402162, n: 3 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    if (1i64 < 1i64) {
        let mut v13: Box<dyn Fn(f64) -> f64> = if ((v5 < v4) || (!(v5 <= v4))) {
            Box::new(move |v11: f64| if (graded(v5, 3i64) < v5) {
                v5
            } else {
                v4
            })
        } else {
            Box::new(move |v11: f64| (0.75 as f64))
        };
        let mut v17 = ((1i64 as f64), match combined(root(v5), v5) {
            Some(v16) => 0.75,
            None => v5,
        });
    } else {
        if (1i64 == 2i64) {
            return v4;
        }
    }
    let mut v19: f64 = v4;
    (v4 + {
        let mut f = |v20: f64| spiral(v20, 2i64);
        (f(v4) + f(v19))
    })
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (a.max(a) < a) {
        let mut v16 = D { s: S { a: a, b: (a, (1.25 as f64)), n: (n as i64) }, o: Some(x[((1i64 as usize) % x.len())]), v: vec![match ((2.5 * 1.0) as i64) {
            0 => a,
            1 | 2 => a,
            v15 if (v15 == (n as i64)) => 0.5,
            _ => a,
        }], e: if (0i64 < 2i64) {
            E::One(u[((1i64 as usize) % u.len())])
        } else {
            E::Two { x: 1.0, n: 3i64 }
        } };
        let mut v17 = L::Node(a, Box::new(L::End));
    } else {
        let mut v18 = Rc::new(RefCell::new(u[((1i64 as usize) % u.len())]));
    }
    let mut v19 = |v20: f64| {
        a = 1.75;
        (a * v20)
    };
    let mut v21 = (apply(&mut v19, h1(2i64, 0.5, u[((0i64 as usize) % u.len())])) + v19(1.25));
    let Some(v22) = Some(v21) else {
        return v21;
    };
    let mut v27: i64 = 0i64;
    if let Some(v28) = both(v21, a) {
        let mut v29 = L::Node(orchard(1.5, v27), Box::new(L::Node(v28, Box::new(L::End))));
        grow(&mut v29, v28);
    }
    ((match (E::Two { x: v21, n: (v27 + v27) }) {
        E::One(v33) => 1.75,
        E::Two { x: v33, n: v34 } => 0.25,
        E::None => v22,
    }, v22).1 + v21)
}
}

mod p39 {
use super::*;
pub const CASE: Case = Case { seed: 39, args: Args { x: [-0.26281815604465747, -0.3351759628239082, -0.9235468614006368, -0.9238280548501525], u: [0.8561849713897188, -0.1599028446763198, -0.9157840369693976], a: -0.16604644715203284, n: 1 }, along: Args { x: [0.60788922905589, 0.19414270356355498, -0.060228490797667136, -0.10625014247670415], u: [-0.9900795104788046, 0.4638705149398129, 0.32410510866360526], a: -0.4299134058598541, n: 3 }, singles: false };

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
    let mut v16 = vec![x[((2i64 as usize) % x.len())], rises(x, 1.5)];
    {
        let mut i0 = (((1i64 + 3i64) as usize) % v16.len());
        v16[i0] *= a;
    }
    let mut v18 = E::Two { x: u[((0i64 as usize) % u.len())], n: 1i64 };
    (((((if ({
        let mut v19: f64 = u[((2i64 as usize) % u.len())];
        let mut v20: i64 = 0;
        loop {
            v19 = a;
            v20 += 1;
            if ((v20 >= 3) || (a < v19)) {
                break v19;
            }
        }
    } < a) {
        Some(a)
    } else {
        None
    }).unwrap_or(parity(a, 0i64)) - a) + a) + halved(&v16)) + match v18 {
        E::One(v21) => v21,
        E::Two { x: v21, n: v22 } => v21,
        E::None => 0.5,
    })
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
    let mut v12: f64 = spiral(v4, ((2.5 * v4) as i64));
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
    let mut v11: [f64; 3] = [a, (a + a), graded(a, 1i64)];
    let mut v12 = vec![(x[(((n as i64) as usize) % x.len())] * a)];
    if (v12.len() > 1) {
        if let Some(v13) = v12.pop() {
            let mut v16 = vec![x[((1i64 as usize) % x.len())]];
            let mut v23 = S { a: match 1i64 {
                0 => (-v13),
                1 | 2 => match (if (2i64 == (n as i64)) {
                    Ok(x[((1i64 as usize) % x.len())])
                } else {
                    Err(x[((2i64 as usize) % x.len())])
                }) {
                    Ok(v18) => 2.0,
                    Err(v19) => v19,
                },
                v17 if ((match Some(a) {
                Some(v20) if ((v16[((v17 as usize) % v16.len())] < v13) && (match (E::Two { x: v20, n: (n as i64) }) {
                E::One(v21) => x[((1i64 as usize) % x.len())],
                E::Two { x: v21, n: v22 } => v20,
                E::None => 0.25,
            } < v13)) => x[((v17 as usize) % x.len())],
                _ => v13,
            } < v13) || (if ((3i64 + v17) == (n as i64)) {
                v13
            } else {
                v13
            } < a)) => x[(((n as i64) as usize) % x.len())],
                _ => u[((3i64 as usize) % u.len())],
            }, b: (v13, spiral(v13, (n as i64))), n: 1i64 };
        }
    }
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % u.len());
        u[i0] = u[((2i64 as usize) % u.len())];
    }
    let mut v24 = (a, h1(2i64, a));
    let mut v27 = Rc::new(RefCell::new(a));
    {
        let mut e = a;
        *v27.borrow_mut() += e;
    }
    ((a + a) + {
        let mut r = *v27.borrow();
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
pub const CASE: Case = Case { seed: 42, args: Args { x: [-0.44320386246236554, 0.9852222224731967, 0.4773425766028616, -0.7071337429708113], u: [-0.115107756747019, 0.24471285488146635, 0.10345213071121886], a: -0.23005524682994152, n: 1 }, along: Args { x: [0.16332863786785243, 0.9066670322640449, 0.38705526253572103, 0.7765467174789055], u: [0.5616653392541006, -0.7237265139994529, 0.8026876329915865], a: -0.22139110438418166, n: 3 }, singles: false };

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
pub const CASE: Case = Case { seed: 43, args: Args { x: [0.26715780821534907, 0.26171496832138497, -0.7740452924485322, 0.7961459354815427], u: [-0.8014253723694732, 0.8520828745917292, 0.6149563449137895], a: 0.3374871270547758, n: 3 }, along: Args { x: [-0.7717105218473915, -0.8008666334752595, -0.5537520045955913, 0.9163039253327111], u: [-0.5270579665120698, 0.97847209640138, 0.6997153786599353], a: -0.39012013321261746, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10: f64 = v4;
    let mut v17: Result<f64, f64> = if (1i64 == 1i64) {
        Ok((0.75 as f64))
    } else {
        Err((1.25 as f64))
    };
    v4
}

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    let mut v11: Result<f64, f64> = ratio(h0(2i64, v4), v4);
    let mut v14 = Rc::new(RefCell::new(v4));
    if let Some(v15) = Some(v4).and_then(|v16| Some(v4)) {
        let mut v20 = D { s: turned(turned(S { a: 2.0, b: swapped(v15, v15), n: ((2.5 * v15) as i64) }, if (1i64 < 3i64) {
            E::One(v15)
        } else {
            E::Two { x: v4, n: 1i64 }
        }), if (h0(2i64, 1.5) < v4) {
            E::One(v15)
        } else {
            E::None
        }), o: Some(v4).filter(|&v17| ((((2.5 * 0.25) as i64) == 3i64) || (v15 < v15))), v: vec![{
            let mut r = *v14.borrow();
            r
        }, v15, if (v15.max(v15) < 1.75) {
            v4
        } else {
            0.5
        }], e: if ((v15 < v4) && (!(Some(v4).unwrap_or(v15) <= v15))) {
            E::One(v4)
        } else {
            E::None
        } };
        let mut v21: [f64; 3] = [(-v4), (1.75 as f64), h0(2i64, v4)];
    }
    0.75
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[1..4];
    let mut v14 = if (h1(x[((1i64 as usize) % x.len())]) < a) {
        E::One({
            let mut f = |v12: f64| spiral(match 3i64 {
                0 => v12,
                1 | 2 => v12,
                v13 if (v13 < 2i64) => v12,
                _ => 2.0,
            }, 2i64);
            (f(x[((3i64 as usize) % x.len())]) + f(a))
        })
    } else {
        E::None
    };
    if let Some(v15) = Some(a) {
        let mut v16 = move |v17: f64| {
            let mut f = |v18: f64| match both(v18, a) {
                Some(v19) if ((x[((2i64 as usize) % x.len())] * 1.75) < v19) => {
                    let mut v20: f64 = v17;
                    let mut v21: i64 = 0;
                    loop {
                        v20 = v17;
                        v21 += 1;
                        if ((v21 >= 3) || ((v21 + v21) == v21)) {
                            break v20;
                        }
                    }
                },
                _ => x[(((n as i64) as usize) % x.len())],
            };
            (f(a) + f(a))
        };
        let mut v22 = E::One(v16(0.75));
    }
    {
        let mut i0 = (((0i64 + 2i64) as usize) % u.len());
        u[i0] = orchard(a.min(x[(((n as i64) as usize) % x.len())]), ((2.5 * a) as i64));
    }
    if let Some(v23) = both(a, x[((0i64 as usize) % x.len())]) {
        let mut v24 = 0;
        'l24: while ((v24 < 4) && (0.75 < 1.25)) {
            v24 += 1;
            let mut v25 = move |v26: f64| (v23 + v26);
            if (!(x.iter().enumerate().map(|(i, &v27)| {
                let mut v28 = (i as i64);
                v23
            }).sum::<f64>() <= v23)) {
                continue;
            }
        }
    }
    ((v10.windows(2).map(|c| {
        let mut v29 = c[0];
        let mut v30 = c[(c.len() - 1)];
        v29
    }).sum::<f64>() + a) + match v14 {
        E::One(v31) => v31,
        E::Two { x: v31, n: v32 } => v31,
        E::None => 0.5,
    })
}
}

mod p44 {
use super::*;
pub const CASE: Case = Case { seed: 44, args: Args { x: [-0.3135041803030211, -0.19763606082232443, -0.04183912362597684, -0.6127273795973553], u: [0.2670237725846297, 0.08745594706413655, 0.2818914071699693], a: 0.822918184320469, n: 2 }, along: Args { x: [-0.5251224752688944, -0.3790459041975874, 0.9565280177380077, 0.280334881530201], u: [-0.9008482461502468, 0.7422804161367463, -0.9321133487843297], a: 0.2687886087625709, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut e13 = a;
    let mut p13 = if (a < a) {
        &mut a
    } else {
        &mut a
    };
    *p13 *= e13;
    let mut v19 = vec![S { a: x[(((n as i64) as usize) % x.len())], b: (a, a), n: (1i64 * (n as i64)) }, S { a: x[((1i64 as usize) % x.len())], b: ((0.25 as f64), a), n: (2i64 * (n as i64)) }];
    if let Some(v20) = Some(u[((0i64 as usize) % u.len())]).filter(|&v21| ((((2.5 * 1.75) as i64) == 1i64) && (!(if (x[((1i64 as usize) % x.len())] < a) {
        a
    } else {
        a
    } <= 1.75)))) {
        for v22 in v19.iter_mut() {
            v22.turn((1.75 as f64).max(a));
        }
        let mut v28 = L::Node(match (if (3i64 < 2i64) {
            E::One((1.0 as f64))
        } else {
            E::Two { x: u[((1i64 as usize) % u.len())], n: ((2.5 * 1.75) as i64) }
        }) {
            E::One(v26) => 1.5,
            E::Two { x: v26, n: v27 } => v26,
            E::None => 1.75,
        }, Box::new(L::End));
    }
    let mut v29 = |v30: f64| {
        a = x[((0i64 as usize) % x.len())];
        (a * v30)
    };
    let mut v31 = (v29(match Some((0.5 as f64)) {
        Some(v32) if (0i64 == 3i64) => v32,
        _ => x[((1i64 as usize) % x.len())],
    }) + v29((0.5 * 0.25)));
    let mut v33 = |v34: f64| {
        a = spiral((0.25 as f64).cos(), (n as i64));
        (a * v34)
    };
    let mut v35 = (v33((1.25 - v31)) + v33({
        let mut v36: f64 = x[((1i64 as usize) % x.len())];
        let mut v37: i64 = 0;
        loop {
            v36 = v36;
            v37 += 1;
            if ((v37 >= 3) || (1i64 < 1i64)) {
                break v36;
            }
        }
    }));
    let mut v41 = swapped(x[(((n as i64) as usize) % x.len())], 0.5);
    ((((-a) + a) + v31) + v35)
}
}

mod p45 {
use super::*;
pub const CASE: Case = Case { seed: 45, args: Args { x: [-0.1352247884858923, 0.03643240758416246, 0.4179342486574568, -0.6326065566793759], u: [0.5487549322966505, -0.1335813073977907, 0.23228638033676896], a: -0.51911453179345, n: 2 }, along: Args { x: [-0.4907419382202714, 0.4928292741704431, -0.620959613742911, 0.3487282847584955], u: [0.26614276544028515, 0.36582336333584575, 0.3927984186709138], a: -0.8869742676365766, n: 1 }, singles: false };

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
    let mut v12: Box<dyn Solid> = Box::new(Ball { r: strided(x, 3i64) });
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        bump(&mut u[i0], 0.5);
    }
    let mut v13 = vec![S { a: a, b: ((1.25 as f64), (2.0 as f64)), n: 1i64 }];
    mix(u, 0.5);
    let mut v15: f64 = a;
    let mut v17 = vec![S { a: x[((1i64 as usize) % x.len())], b: (u[(((n as i64) as usize) % u.len())], a), n: 0i64 }, S { a: v15, b: (a, v15), n: 1i64 }, S { a: v15, b: ((1.25 as f64), x[((2i64 as usize) % x.len())]), n: 1i64 }];
    let mut v24: Result<f64, f64> = chained(v10.v.windows(2).map(|c| {
        let mut v20 = c[0];
        let mut v21 = c[(c.len() - 1)];
        match Some(v20) {
            Some(v22) if (0.25 < v22) => 1.0,
            _ => v20,
        }
    }).sum::<f64>(), match 1i64 {
        0 => 1.25,
        1 | 2 => v15,
        v23 if (v23 == 0i64) => a,
        _ => v15,
    });
    (((((v15 + a) + {
        let mut r = *v11.borrow();
        r
    }) + v12.twice(0.5)) + v15) + v17[((1i64 as usize) % v17.len())].a)
}
}

mod p46 {
use super::*;
pub const CASE: Case = Case { seed: 46, args: Args { x: [-0.8892285774738335, 0.9117343024014272, 0.8772018947980429, 0.6524520291896869], u: [0.7132331292893408, -0.1653508567538663, 0.5235306821335851], a: 0.2947032421052702, n: 3 }, along: Args { x: [0.8841002673495224, -0.017971479465756994, 0.017708231577005053, 0.17454135964041914], u: [0.12601657176276357, -0.9252130273939974, 0.7360969718529156], a: -0.5542448360434044, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v13: i64 = 0i64;
    match combined(Some(v4), 0.5) {
        Some(v14) => match (if (v13 == 3i64) {
            E::One(v14)
        } else {
            E::Two { x: v14, n: (v13 % 1i64) }
        }) {
            E::One(v15) => v14,
            E::Two { x: v15, n: v16 } => v4,
            E::None => v4,
        },
        None => asserted(1.0, 2i64),
    }
}

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
    v11.push(a);
    let mut v23: Result<f64, f64> = chained(x.iter().zip(x.iter()).map(|(&v17, &v18)| {
        let mut f = |v19: f64| (x[(((n as i64) as usize) % x.len())] * v19);
        (f(0.5) + f(x[((1i64 as usize) % x.len())]))
    }).sum::<f64>(), match ((2.5 * a) as i64) {
        0 => x[(((n as i64) as usize) % x.len())],
        1 | 2 => a,
        v22 if (({
        let mut r = *v12.borrow();
        r
    } < 0.75) || ((n as i64) == 0i64)) => a,
        _ => 1.5,
    });
    let mut v24: Option<f64> = Some((-u[(((n as i64) as usize) % u.len())]));
    let mut v25: [f64; 3] = [u[(((n as i64) as usize) % u.len())], a, h0(2i64, a, a)];
    a *= x.iter().map(|&v26| v26.cos()).sum::<f64>();
    (((a + a) + {
        let mut r = *v12.borrow();
        r
    }) + v24.unwrap_or(0.25))
}
}

mod p47 {
use super::*;
pub const CASE: Case = Case { seed: 47, args: Args { x: [-0.18265143098509293, 0.4003630724082263, 0.9770023738828763, -0.29410659035765846], u: [-0.9029228149125154, -0.696264270089008, 0.49220967608469457], a: 0.720870236510208, n: 3 }, along: Args { x: [-0.7178853966067392, 0.060072187134477706, -0.778170703902952, 0.10504249548982371], u: [0.0997167839462124, -0.1312626575343951, -0.6503666248490482], a: -0.4966049800226002, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v21 = S { a: a, b: ((2.0 as f64), (a, a).0), n: 0i64 };
    let mut v23 = vec![S { a: x[((2i64 as usize) % x.len())], b: swapped(0.25, u[(((n as i64) as usize) % u.len())]), n: v21.n }, v21, S { a: 2.0, b: swapped(x[((2i64 as usize) % x.len())], x[((3i64 as usize) % x.len())]), n: ((2.5 * a) as i64) }];
    a = a;
    let mut v24 = move |v25: f64| (-v25);
    let mut v26: f64 = a;
    let mut v27 = v23.clone();
    (((((if (0i64 < 0i64) {
        solids(x[((1i64 as usize) % x.len())], (0i64 + 0i64))
    } else {
        a
    } + a) + v21.size(0.75)) + v23[((1i64 as usize) % v23.len())].a) + v26) + v27[((1i64 as usize) % v27.len())].a)
}
}

mod p48 {
use super::*;
pub const CASE: Case = Case { seed: 48, args: Args { x: [0.7294441254364195, -0.19604108203151968, 1.0115505798441706, -0.36690590597153483], u: [0.5260168168484146, 0.6925834380944201, -0.45254434306513963], a: -0.5075921417955421, n: 1 }, along: Args { x: [0.4635685549538485, -0.78390774032953, -0.23334138873078894, 0.11488221745494152], u: [0.9308097638894378, -0.2596506623261909, 1.0133924081764063], a: 0.4351583883267363, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 2i64;
    if (u[((v10 as usize) % u.len())] < a) {
        let mut v17 = D { s: S { a: a, b: swapped(a, x[((v10 as usize) % x.len())]), n: (v10 * 3i64) }, o: both(a, x[((v10 as usize) % x.len())]).filter(|&v16| (v10 < (n as i64))), v: vec![u[((v10 as usize) % u.len())]], e: if ((x[((3i64 as usize) % x.len())] < a) && (3i64 < 1i64)) {
            E::One(a)
        } else {
            E::None
        } };
        a = swapped(a, x[((1i64 as usize) % x.len())]).0;
    } else {
        let mut v18 = |v19: f64| {
            a = 0.5;
            (a * v19)
        };
        let mut v20 = (v18((0.5 as f64).tanh()) + v18(match (if (!(0.5 <= 0.5)) {
            Some((1.75 as f64))
        } else {
            None
        }) {
            Some(v21) if (1i64 < v10) => x[(((n as i64) as usize) % x.len())],
            _ => 0.5,
        }));
    }
    a += a;
    {
        let mut m = ((v10 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v23 = *i;
            let mut v24 = *j;
            let mut e = a;
            let mut f = v24;
            *i = e;
            *j = f;
        }
    }
    let mut v27 = S { a: a, b: (a, (-a)), n: v10 };
    {
        let mut i0 = ((v27.n as usize) % u.len());
        u[i0] = graded(a, v27.n);
    }
    v27.b.0 *= a;
    (a + v27.size(0.75))
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
pub const CASE: Case = Case { seed: 50, args: Args { x: [0.07285605710343566, -0.3734761193360268, -0.8351629298189741, -0.6949095314090704], u: [1.0088001123119903, 0.18109707750440243, -0.30943188449589637], a: 0.5687185304810404, n: 2 }, along: Args { x: [-0.20660557614250244, 0.9133327874272517, -0.9096162825175466, 0.3179858589193316], u: [0.12314240165170257, 0.1934293326344651, 0.9617268798986596], a: 0.10948127032409839, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 1i64;
    let mut v11 = Rc::new(RefCell::new((-a)));
    let mut v19: Box<dyn Fn(f64) -> f64> = if (!(a <= 1.75)) {
        Box::new(move |v12: f64| v12)
    } else {
        Box::new(move |v12: f64| match (if (graded(a, 2i64) < x[((v10 as usize) % x.len())]) {
            E::One(a)
        } else {
            E::None
        }) {
            E::One(v15) => v15,
            E::Two { x: v15, n: v16 } => 1.25,
            E::None => v12,
        })
    };
    let mut v23: [f64; 3] = [{
        let mut r = *v11.borrow();
        r
    }, match 1i64 {
        0 => 1.25,
        1 | 2 => u[((2i64 as usize) % u.len())],
        v21 if (v19(a) < a) => u[((v21 as usize) % u.len())],
        _ => a,
    }, match (n as i64) {
        0 => a,
        1 | 2 => a,
        v22 if (v19(a) < 1.0) => a,
        _ => a,
    }];
    let mut v27: Box<dyn Fn(f64) -> f64> = if (match Some((2.0 as f64)) {
        Some(v25) => u[((v10 as usize) % u.len())],
        None => a,
    } < x[(((n as i64) as usize) % x.len())]) {
        Box::new(move |v24: f64| Some((1.5 as f64)).unwrap_or(match Some(a) {
            Some(v26) => v24,
            None => x[((v10 as usize) % x.len())],
        }))
    } else {
        Box::new(move |v24: f64| v24)
    };
    let mut v28 = 0;
    'l28: while ((v28 < 4) && (!(match Some(a) {
        Some(v29) => x[((v10 as usize) % x.len())],
        None => 0.75,
    } <= 0.25))) {
        v28 += 1;
        let Some(v30) = both(1.0, a) else {
            continue 'l28;
        };
        'l31: for v31 in 0i64..3i64 {
            mix(&mut v23, (v30 - x[((1i64 as usize) % x.len())]));
            if (spiral(a, 1i64) < a) {
                break;
            }
        }
    }
    ((a + {
        let mut r = *v11.borrow();
        r
    }) + halved(&v23))
}
}

mod p51 {
use super::*;
pub const CASE: Case = Case { seed: 51, args: Args { x: [-0.9632764524706056, -0.8982266500401707, -0.0446753798110873, -0.752303801962405], u: [-0.18165592810905598, 0.02919243897888399, -0.9804987065565894], a: 0.19594201987645915, n: 0 }, along: Args { x: [-0.04631577635930897, 0.23637681406397673, 0.8046780782759668, 0.6358370479330772], u: [0.5526980966519702, -0.6437010500590045, 0.4582045397675339], a: -0.04610669286996441, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Box<dyn Solid> = if (!(a <= a)) {
        Box::new(Brick { sides: (u[(((n as i64) as usize) % u.len())], x[((1i64 as usize) % x.len())]), n: ((n as i64) + 1i64) })
    } else {
        Box::new(Point)
    };
    if (x[((1i64 as usize) % x.len())] < x[(((n as i64) as usize) % x.len())]) {
        {
            let mut i0 = ((((n as i64) + 2i64) as usize) % u.len());
            u[i0] = x[((1i64 as usize) % x.len())];
        }
        let mut v15 = vec![combined(root(u[((1i64 as usize) % u.len())]), a).unwrap_or(1.75), a];
    } else {
        for p16 in u[1..].iter_mut() {
            let mut v16 = *p16;
            *p16 = v16;
        }
    }
    let mut v19 = vec![(0.75 as f64)];
    let mut v20 = D { s: S { a: a, b: (a, a), n: (1i64 + 1i64) }, o: Some(x[((1i64 as usize) % x.len())]), v: vec![a, a], e: if (!(a <= a)) {
        E::One(a)
    } else {
        E::Two { x: a, n: 1i64 }
    } };
    let mut v21 = v20.clone();
    let mut v22 = if (!(a <= a)) {
        E::One((1.0 as f64))
    } else {
        E::None
    };
    {
        let mut m = ((1i64 as usize) % (v19.len() + 1));
        let (p, q) = v19.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v23 = *i;
            let mut v24 = *j;
            let mut e = (v23 - a);
            let mut f = v23;
            *i = e;
            *j = f;
        }
    }
    (((((0.5 * a) + a) + v12.twice(0.5)) + halved(&v19)) + weigh(&v21, 0.5))
}
}

mod p52 {
use super::*;
pub const CASE: Case = Case { seed: 52, args: Args { x: [0.07615552187904612, 0.14534653195172328, 0.2255092314343457, -0.9605299882214569], u: [-0.3492942848717149, 0.7290194565857953, 0.4979015450058557], a: 0.15070927041770488, n: 1 }, along: Args { x: [-0.2737778716172523, -0.07731301762460867, -0.8536011254231788, -0.6861980413302426], u: [-0.9470048120392054, 0.853410536789524, 0.9821811202337813], a: -0.9113833824591122, n: 3 }, singles: false };

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
    let mut v15 = Rc::new(RefCell::new(sorted(x, a)));
    {
        let mut m = ((0i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v16 = *i;
            let mut v17 = *j;
            let mut e = x[(((n as i64) as usize) % x.len())];
            let mut f = v17;
            *i = e;
            *j = f;
        }
    }
    let mut v22 = Rc::new(RefCell::new(x.windows(2).map(|c| {
        let mut v20 = c[0];
        let mut v21 = c[(c.len() - 1)];
        (-v21)
    }).sum::<f64>()));
    let mut v24: Box<dyn Fn(f64) -> f64> = if (!(if (if ((0.5 * a) < a) {
        0.25
    } else {
        a
    } < 0.5) {
        a
    } else {
        a
    } <= u[(((n as i64) as usize) % u.len())])) {
        Box::new(move |v23: f64| h0(x[((1i64 as usize) % x.len())]).cos())
    } else {
        Box::new(move |v23: f64| v23)
    };
    (((a + a) + {
        let mut r = *v15.borrow();
        r
    }) + {
        let mut r = *v22.borrow();
        r
    })
}
}

mod p53 {
use super::*;
pub const CASE: Case = Case { seed: 53, args: Args { x: [-0.9246301634887093, 0.6664837776949453, 0.09747966205945605, 0.809342441338947], u: [0.5526585346757577, 0.30895511247468027, 0.07444211631641157], a: 0.7527752558510307, n: 1 }, along: Args { x: [0.17470192899844, -0.8495239978723474, -0.10100096170222617, 0.9450435657520867], u: [-0.8552855307156848, 0.04165184600402426, 0.2578060349482814], a: -0.9025776304950439, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u[1..].iter_mut() {
        let mut v11 = *p11;
        *p11 = (1.0 - 0.25);
    }
    let mut v31 = if ((spiral(a, 0i64) < a) || ((1i64 + 1i64) == 3i64)) {
        E::One({
            let mut v29: f64 = 1.25;
            let mut v30: i64 = 0;
            loop {
                v29 = v29;
                v30 += 1;
                if ((v30 >= 3) || (1i64 < v30)) {
                    break v29;
                }
            }
        })
    } else {
        E::Two { x: a, n: 1i64 }
    };
    let mut v32 = if (((2.5 * a) as i64) == 0i64) {
        (-(a as f32))
    } else {
        if ((n as i64) == 2i64) {
            (a as f32)
        } else {
            (a as f32)
        }
    };
    (a + match v31 {
        E::One(v33) => v33,
        E::Two { x: v33, n: v34 } => v33,
        E::None => 0.5,
    })
}
}

mod p54 {
use super::*;
pub const CASE: Case = Case { seed: 54, args: Args { x: [-0.3351750032895476, -0.9887535273284022, 0.8946084887777317, -0.17071234651106612], u: [0.5883285707324737, 0.03528560880135918, 0.22822056677761143], a: -0.9022146487050668, n: 3 }, along: Args { x: [0.600633966106228, -0.2731159385515276, 0.2835375473201393, 0.09085197526380225], u: [0.12114207849543172, -0.6264097534525072, -0.6491738022978636], a: 0.38606249438088075, n: 2 }, singles: false };

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
        let mut v22 = (v20(v19) + v20(rises(x, v19)));
        let mut v23: [f64; 3] = [v19, v22, v19.min(v19)];
    }
    a -= a;
    ((parity(1.25, ((2.5 * a) as i64)) + a) + {
        let mut r = *v18.borrow();
        r
    })
}
}

mod p55 {
use super::*;
pub const CASE: Case = Case { seed: 55, args: Args { x: [0.8356709344676441, -0.9530367665977748, 0.3402696595180979, -0.2729194000667274], u: [0.551114987383494, -0.6172804839025773, -0.07629894319663569], a: -0.8984084586577004, n: 2 }, along: Args { x: [0.3982373196428658, -0.07942692659202634, 0.5488300748457646, 0.19520060423103483], u: [-0.819827919214486, -0.5162974879283556, 0.9188137438739066], a: 0.1655686071256825, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = (2i64 * 1i64);
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v11 = *i;
            let mut v12 = *j;
            let mut e = shared(v12, v11);
            let mut f = v11;
            *i = e;
            *j = f;
        }
    }
    'l13: for &v13 in x {
        let mut v15: Result<f64, f64> = if (!(1.5 <= 1.25)) {
            Ok(v13)
        } else {
            Err(v13)
        };
        let mut v21: Box<dyn Fn(f64) -> f64> = if (1i64 < 1i64) {
            Box::new(move |v16: f64| match (E::Two { x: x[((v10 as usize) % x.len())], n: 1i64 }) {
                E::One(v17) => 1.75,
                E::Two { x: v17, n: v18 } => v13,
                E::None => a,
            })
        } else {
            Box::new(move |v16: f64| x[(((n as i64) as usize) % x.len())])
        };
    }
    {
        let mut i0 = (((v10 + (n as i64)) as usize) % u.len());
        u[i0] -= ((a + a) - (a * a));
    }
    let mut v25 = D { s: S { a: a, b: (x[(((n as i64) as usize) % x.len())], a), n: v10 }, o: Some(x[(((n as i64) as usize) % x.len())]), v: vec![match (E::Two { x: x[((v10 as usize) % x.len())], n: v10 }) {
        E::One(v23) => u[((3i64 as usize) % u.len())],
        E::Two { x: v23, n: v24 } => v23,
        E::None => a,
    }], e: E::Two { x: a, n: (1i64 * 0i64) } };
    let mut v26 = if (a < 0.25) {
        E::One((0.75 as f64))
    } else {
        E::None
    };
    if let Some(v27) = Some(a) {
        for p28 in u[1..].iter_mut() {
            let mut v28 = *p28;
            *p28 = 1.5;
        }
    }
    (x[((((n as i64) * (n as i64)) as usize) % x.len())] + match v26 {
        E::One(v29) => v29,
        E::Two { x: v29, n: v30 } => v29,
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
pub const CASE: Case = Case { seed: 57, args: Args { x: [-0.025047093438830534, 0.6225486315634772, 0.6502131929475772, 0.35478375181267946], u: [-0.030414289766994913, -0.8878100279030263, -0.4551494234782305], a: -0.15435101050188024, n: 2 }, along: Args { x: [0.24138954430677073, -0.6479201895765825, 0.758000471949782, -0.24811346677042428], u: [0.10392903287688994, -0.6666897191961096, -0.2954793806106708], a: -0.7152669226366298, n: 0 }, singles: false };

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
    let mut v13 = (apply(&mut v11, 0.5) + v11(solids(2.0, 1i64)));
    let mut v17: Option<f64> = combined(Some(a).and_then(|v16| Some(v16)), 1.25);
    let mut v19 = S { a: x[((((2.5 * x[((2i64 as usize) % x.len())]) as i64) as usize) % x.len())], b: (a, match 0i64 {
        0 => u[((3i64 as usize) % u.len())],
        1 | 2 => a,
        v18 if (v18 < v18) => u[((v18 as usize) % u.len())],
        _ => v13,
    }), n: (1i64 + 3i64) };
    let mut v20: Box<dyn Solid> = Box::new(Ball { r: x[(((n as i64) as usize) % x.len())] });
    let mut v21 = Rc::new(RefCell::new(a));
    (((match ratio(if (v13 < a) {
        0.5
    } else {
        v13
    }, {
        let mut r = *v21.borrow();
        r
    }) {
        Ok(v22) => match Some(x[((2i64 as usize) % x.len())]) {
            Some(v24) if (!(v22 <= v24)) => x[(((n as i64) as usize) % x.len())],
            _ => a,
        },
        Err(v23) => 1.0,
    } + a) + v17.unwrap_or(0.25)) + v19.size(0.75))
}
}

mod p58 {
use super::*;
pub const CASE: Case = Case { seed: 58, args: Args { x: [-0.90716629706967, 0.5343953323851536, 0.21533463887478868, 0.7910884459439653], u: [-0.026764786041497728, -0.1304023266850151, -0.820749683355697], a: -0.5249200147355008, n: 2 }, along: Args { x: [0.2392252072652135, 0.2571413515377588, 0.652651495019342, 0.9580237124299681], u: [0.8920201472006771, -0.5622139545938056, -0.3038878175887093], a: -0.8246836491751188, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = if (1i64 == 1i64) {
        E::One(v4)
    } else {
        E::Two { x: asserted(v4, 1i64), n: 3i64 }
    };
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
        for p14 in u.iter_mut() {
            let mut v14 = *p14;
            *p14 = x[(((n as i64) as usize) % x.len())];
        }
    }
    {
        let mut i = ((3i64 as usize) % v10.len());
        let mut j = ((1i64 as usize) % v10.len());
        v10.swap(i, j);
    }
    let mut v16 = move |v17: f64| v17;
    ((1.5 + a) + halved(&v10))
}
}

mod p59 {
use super::*;
pub const CASE: Case = Case { seed: 59, args: Args { x: [-0.4206756533545897, -0.4330084678150412, -0.3137869412349105, -0.897473632638418], u: [-0.6045568754978806, 0.9347835020334064, -0.17711813194736334], a: -0.2778437868414763, n: 1 }, along: Args { x: [0.6790068989415937, 0.7401501886546961, 0.31908136976501567, 0.1658525355588405], u: [-0.43066671945707335, 0.1504396035967298, -0.30163621544669067], a: -0.9925300226739424, n: 3 }, singles: false };

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
        Box::new(move |v15: f64| blocks(x))
    } else {
        Box::new(move |v15: f64| {
            let mut f = |v16: f64| x[(((n as i64) as usize) % x.len())];
            (f(v10) + f(v10.sin()))
        })
    };
    let mut v18 = move |v19: f64| shared(v19, if (2i64 < 2i64) {
        0.5
    } else {
        x[((2i64 as usize) % x.len())]
    });
    (({
        let mut f = |v20: f64| parity(v20, 0i64);
        (f(0.25) + f(1.0))
    } + a) + v10)
}
}

mod p60 {
use super::*;
pub const CASE: Case = Case { seed: 60, args: Args { x: [-0.44690158437173055, -0.5737350941777006, 0.7180303805930626, -0.7773939964262863], u: [-0.569160272854637, 0.5830185626432142, 0.5691870720787217], a: -0.8818248778040854, n: 1 }, along: Args { x: [0.6628547590831624, -0.573874200010251, -0.19439554939279013, 0.5356837735683484], u: [0.8292385768131313, 0.11838439063417928, -0.7941696793156705], a: 0.34285242721037384, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Option<f64> = if (1i64 == 0i64) {
        Some(a)
    } else {
        None
    };
    'l12: for v12 in 0i64..(n as i64) {
        let mut e15 = match E::One(u[((3i64 as usize) % u.len())]) {
            E::One(v16) => v16,
            E::Two { x: v16, n: v17 } => x[((v12 as usize) % x.len())],
            E::None => a,
        };
        let mut p15 = if ((1i64 + v12) == 1i64) {
            &mut a
        } else {
            let mut i0 = ((v12 as usize) % u.len());
            &mut u[i0]
        };
        *p15 *= e15;
        let mut v19: Box<dyn Fn(f64) -> f64> = if ((n as i64) == v12) {
            Box::new(move |v18: f64| x[((3i64 as usize) % x.len())])
        } else {
            Box::new(move |v18: f64| a)
        };
    }
    for p20 in u[1..].iter_mut() {
        let mut v20 = *p20;
        *p20 = (2i64 as f64);
    }
    let mut v25 = if (!(a <= a)) {
        E::One(a)
    } else {
        E::None
    };
    let mut v28: [f64; 3] = [a, (1.0 as f64), a];
    for p29 in u[1..].iter_mut() {
        let mut v29 = *p29;
        *p29 = v29;
    }
    {
        let mut m = (((n as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v30 = *i;
            let mut v31 = *j;
            let mut e = {
                let mut f = |v32: f64| ({
                    let mut f = |v33: f64| x[((3i64 as usize) % x.len())];
                    (f(v31) + f(a))
                } - a);
                (f(x[((3i64 as usize) % x.len())]) + f(a))
            };
            let mut f = 1.5;
            *i = e;
            *j = f;
        }
    }
    let mut v38 = v25;
    (((match (n as i64) {
        0 => a,
        1 | 2 => x.iter().enumerate().map(|(i, &v40)| {
            let mut v41 = (i as i64);
            a
        }).sum::<f64>(),
        v39 if (((2.5 * a) as i64) == (n as i64)) => a,
        _ => a,
    } + v11.unwrap_or(0.25)) + halved(&v28)) + match v38 {
        E::One(v44) => v44,
        E::Two { x: v44, n: v45 } => v44,
        E::None => 0.5,
    })
}
}

mod p61 {
use super::*;
pub const CASE: Case = Case { seed: 61, args: Args { x: [0.8865673015983186, -0.37570974782471894, -0.8515518662123497, 0.19031248994984004], u: [0.6305646642004141, -0.6870332723978089, -0.4570897588550013], a: -0.9963594454798527, n: 0 }, along: Args { x: [-0.5261170472241257, 0.22211818155950916, -0.17031668229242877, 0.20476340520438677], u: [-0.506672091553939, -0.9125287672417479, 0.07693346683627919], a: -0.841415199001238, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: i64 = (n as i64);
    let Some(v15) = Some((1.75 as f64)).and_then(|v14| Some(a)) else {
        return a.sin();
    };
    let mut v18: Option<f64> = if (v15 < v15) {
        Some(u[((v13 as usize) % u.len())])
    } else {
        None
    };
    ((((1i64 as f64) + a) + v15) + v18.unwrap_or(0.25))
}
}

mod p62 {
use super::*;
pub const CASE: Case = Case { seed: 62, args: Args { x: [-0.39471603592224375, 0.4768730973226133, -0.49294664586325704, 0.2643498732177686], u: [0.7720643048616498, -0.6802930826823885, -0.903126084423012], a: -0.16679695156911273, n: 0 }, along: Args { x: [-0.570171166451368, 0.36625090141725164, -0.7678142917564427, -0.28208957272598123], u: [0.12188449058343112, -0.5165956306881161, -0.7107373989122191], a: 0.08472344586917722, n: 2 }, singles: false };

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
    a = 1.25;
    if let Some(v12) = Some((0.25 as f64)).map(|v13| a) {
        let mut v14 = 0;
        'l14: while ((v14 < 4) && ((!(match ratio(v12, v12) {
            Ok(v15) => a,
            Err(v16) => 1.25,
        } <= x[((1i64 as usize) % x.len())])) || ((0i64 as f64) < a))) {
            v14 += 1;
            let mut v17 = &x[1..3];
            let mut v20: Option<f64> = (if (a < u[((1i64 as usize) % u.len())]) {
                Some(u[((2i64 as usize) % u.len())])
            } else {
                None
            }).filter(|&v19| ((n as i64) < 0i64));
        }
        let mut v23 = S { a: v12, b: (a, a), n: 3i64 };
    }
    let mut v24 = |v25: f64| {
        a = swapped(v25, a).1;
        (a * v25)
    };
    let mut v26 = (apply(&mut v24, 0.25) + v24(0.5));
    (v26 + a)
}
}

mod p63 {
use super::*;
pub const CASE: Case = Case { seed: 63, args: Args { x: [0.5983683141997047, 0.3943551968310195, -0.015440153142992713, 0.5693231012088779], u: [0.02727685396460494, 0.8341513687173289, 0.8343241346570359], a: 0.20023774383298573, n: 1 }, along: Args { x: [0.7791662691418854, -0.5639881955559212, 0.9191342528296809, 0.8489723674800165], u: [-0.44286048791656346, -0.9211112848100508, 0.12598509801036586], a: 0.5396951661895709, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        let mut v12: Box<dyn Fn(f64) -> f64> = if (!(spiral(a, 1i64) <= a)) {
            Box::new(move |v11: f64| x[(((n as i64) as usize) % x.len())])
        } else {
            Box::new(move |v11: f64| x[((v10 as usize) % x.len())])
        };
        let mut v18: Box<dyn Fn(f64) -> f64> = if (!(a <= 2.0)) {
            Box::new(move |v13: f64| (1.25 as f64))
        } else {
            Box::new(move |v13: f64| solids(x[((2i64 as usize) % x.len())], (n as i64)))
        };
    }
    for p20 in u[1..].iter_mut() {
        let mut v20 = *p20;
        *p20 = a;
    }
    let mut v23 = if (((0.75 as f64), a).0 < 1.25) {
        E::One(a)
    } else {
        E::None
    };
    let mut v24: Box<dyn Solid> = Box::new(Point);
    mix(u, match (if (1i64 < (n as i64)) {
        E::One((0.5 as f64))
    } else {
        E::Two { x: x[((3i64 as usize) % x.len())], n: 1i64 }
    }) {
        E::One(v25) => 1.25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    });
    (((x[(((n as i64) as usize) % x.len())] + a) + match v23 {
        E::One(v29) => v29,
        E::Two { x: v29, n: v30 } => v29,
        E::None => 0.5,
    }) + v24.twice(0.5))
}
}

mod p64 {
use super::*;
pub const CASE: Case = Case { seed: 64, args: Args { x: [0.959851149026514, 0.037818686294039935, 0.45672419428746197, 0.3940028683706352], u: [-0.6207732273848947, 0.31555584905934125, 1.0085129421873003], a: -0.36537019282430594, n: 1 }, along: Args { x: [0.7681365717940284, 0.4285519488852008, -0.39767439313342895, -0.681973168418504], u: [-0.938829618703158, -0.05272001284580538, 0.3294036819431375], a: 0.4664571114534887, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = Box::new(Ball { r: (2.0 as f64).min(a) });
    v10.scale(0.5);
    let mut v12 = move |v13: f64| a;
    for p14 in u[1..].iter_mut() {
        let mut v14 = *p14;
        *p14 = v12(a.min(a));
    }
    let mut v15: f64 = a;
    'l16: for v16 in 0i64..3i64 {
        for p17 in u.iter_mut() {
            let mut v17 = *p17;
            *p17 = a;
        }
        {
            let mut i0 = (((0i64 * 1i64) as usize) % u.len());
            u[i0] *= v15;
        }
    }
    if (2i64 < 1i64) {
        let mut v23: Result<f64, f64> = ratio(match both(0.5, a) {
            Some(v20) if (v20 < x[((3i64 as usize) % x.len())]) => 0.5,
            _ => v15,
        }, match (E::Two { x: v15, n: ((2.5 * x[((1i64 as usize) % x.len())]) as i64) }) {
            E::One(v21) => a,
            E::Two { x: v21, n: v22 } => x[((v22 as usize) % x.len())],
            E::None => x[((0i64 as usize) % x.len())],
        });
    } else {
    }
    {
        let mut f = |v24: f64| counted(v15.cos(), 1i64);
        (f(1.75) + f(v12(x.iter().map(|&v25| v25).filter(|e| (*e > 0.0)).sum::<f64>())))
    }
}
}

mod p65 {
use super::*;
pub const CASE: Case = Case { seed: 65, args: Args { x: [-0.3661513416053183, 0.8821088829201515, 0.4008677032948692, 0.29923313817025854], u: [-0.8545999076049222, -0.1644614219461754, -0.6172592170004075], a: 0.5125830408871278, n: 3 }, along: Args { x: [0.1740770622570833, 0.16099937833295036, -0.857575050152506, 0.7739264875187346], u: [0.8302490688140073, -0.09969951452977288, 0.3261990814304836], a: 0.34854624140700774, n: 2 }, singles: false };

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
        *p19 = v18(shared(a, 0.75));
    }
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v20 = *i;
            let mut v21 = *j;
            let mut e = match 1i64 {
                0 => x[((2i64 as usize) % x.len())],
                1 | 2 => a,
                v22 if ((-a) < a) => v20,
                _ => v20,
            };
            let mut f = Some(a).unwrap_or(v20);
            *i = e;
            *j = f;
        }
    }
    let mut v24: Box<dyn Solid> = if (0i64 < 1i64) {
        Box::new(Ball { r: a })
    } else {
        Box::new(Brick { sides: (a, (1.5 as f64)), n: 3i64 })
    };
    let mut v25 = vec![(0.5 * x[((0i64 as usize) % x.len())]), (1.0 as f64), a];
    for p26 in v25.iter_mut() {
        let mut v26 = *p26;
        *p26 = a;
    }
    if (v25.len() > 1) {
        v25.remove(((2i64 as usize) % v25.len()));
    }
    {
        let mut m = ((1i64 as usize) % (v25.len() + 1));
        let (p, q) = v25.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v30 = *i;
            let mut v31 = *j;
            let mut e = match 2i64 {
                0 => a,
                1 | 2 => v30,
                v32 if (v18(v30) < 2.0) => a,
                _ => v30,
            };
            let mut f = v18(a);
            *i = e;
            *j = f;
        }
    }
    {
        let mut m = ((0i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v33 = *i;
            let mut v34 = *j;
            let mut e = v34;
            let mut f = v34.tanh();
            *i = e;
            *j = f;
        }
    }
    let mut v37 = E::Two { x: 2.0, n: 2i64 };
    ((((h0(1.75).max({
        let mut f = |v40: f64| ({
            let mut v41: f64 = v40;
            let mut v42: i64 = 0;
            loop {
                v41 = x[((v42 as usize) % x.len())];
                v42 += 1;
                if ((v42 >= 3) || (v42 == v42)) {
                    break v41;
                }
            }
        } * (-v40));
        (f(u[((0i64 as usize) % u.len())]) + f(a))
    }) + a) + v24.twice(0.5)) + halved(&v25)) + match v37 {
        E::One(v45) => v45,
        E::Two { x: v45, n: v46 } => v45,
        E::None => 0.5,
    })
}
}

mod p66 {
use super::*;
pub const CASE: Case = Case { seed: 66, args: Args { x: [-0.2713177789511317, -0.2771716806335175, 0.7138459241634978, -0.32544908370202236], u: [-0.9551695225202326, 0.7208719359843018, -0.1544968189808961], a: 0.7210964715430166, n: 1 }, along: Args { x: [0.08568026704109216, -0.9234203583019414, -0.5365300486699012, 0.9976298947948157], u: [-0.14473941297455756, -0.22038704564362285, 1.0088676976723987], a: 0.21542490691029803, n: 0 }, singles: false };

#[differentiable]
pub fn h1(mut v4: f64) -> f64 {
    let mut v12: Option<f64> = Some(v4).and_then(|v11| if (1i64 < 0i64) {
        Some(v4)
    } else {
        None
    });
    let mut v13 = E::Two { x: 1.0, n: 2i64 };
    v4 -= v4.sin();
    if (0i64 < 3i64) {
        (v4 - v4)
    } else {
        v4
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = (a, a);
    if let Some(v13) = Some(a).map(|v14| ((1.25 - a) + v14)) {
        let mut v16: Result<f64, f64> = chained(v13, {
            let mut f = |v15: f64| x[((2i64 as usize) % x.len())];
            (f(x[((2i64 as usize) % x.len())]) + f(v13))
        });
        v12.0 -= a.cos();
    }
    let mut v19 = E::Two { x: a.min(0.25), n: (1i64 + 2i64) };
    let mut v21 = vec![S { a: a, b: (a, a), n: (3i64 * 3i64) }, turned(S { a: 1.0, b: swapped(a, 1.75), n: (n as i64) }, v19)];
    let mut v23: i64 = (n as i64);
    let mut v24 = 0;
    'l24: while ((v24 < 4) && (({
        let mut v25: f64 = 1.75;
        let mut v26: i64 = 0;
        loop {
            v25 = x[(((n as i64) as usize) % x.len())];
            v26 += 1;
            if ((v26 >= 3) || ((3i64 * 3i64) == 1i64)) {
                break v25;
            }
        }
    } < a) && (1.75 < a))) {
        v24 += 1;
        let Some(v27) = Some(a) else {
            return h1(u[((0i64 as usize) % u.len())]);
        };
        'l28: for v28 in 0i64..(n as i64) {
        }
    }
    ((a + a) + v12.1)
}
}

mod p67 {
use super::*;
pub const CASE: Case = Case { seed: 67, args: Args { x: [0.260868639237464, -0.5230736370111425, 0.6456064388019572, -0.018449378022951907], u: [0.6604228499457531, -0.0751834168600484, -0.49952750309250954], a: -0.6077113649031464, n: 2 }, along: Args { x: [-0.0041960659393931645, -0.5980905372346238, -0.2874526120275078, -0.26090301737341043], u: [-0.746679332521444, 0.8810206455771729, -0.5372135599339064], a: 0.14365810547590857, n: 1 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = L::Node(v4, Box::new(L::Node(counted(v4, 0i64), Box::new(L::End))));
    v4
}

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
    let mut v16 = if (match (1099511627776i64 - 1i64) {
        0 => 2.0,
        1 | 2 => u[((1i64 as usize) % u.len())],
        v15 if (0i64 < (n as i64)) => u[((1i64 as usize) % u.len())],
        _ => a,
    } < a) {
        E::One(if (if (strided(x, 1i64) < a) {
            a
        } else {
            a
        } < a) {
            1.75
        } else {
            u[((3i64 as usize) % u.len())]
        })
    } else {
        E::None
    };
    if ((n as i64) < (n as i64)) {
        let mut v23 = S { a: both(a, 0.5).and_then(|v20| if (v20 < 1.0) {
            Some(a)
        } else {
            None
        }).unwrap_or(match v16 {
            E::One(v21) => x[((1i64 as usize) % x.len())],
            E::Two { x: v21, n: v22 } => a,
            E::None => 1.5,
        }), b: (h1(2i64, x[((1i64 as usize) % x.len())], a), (a, a).1), n: 0i64 };
        let mut v24: i64 = (n as i64);
    } else {
        let mut v25 = move |v26: f64| (x[((3i64 as usize) % x.len())], v26).1;
    }
    let mut v30 = vec![a, x.iter().enumerate().map(|(i, &v28)| {
        let mut v29 = (i as i64);
        parity(v28, 1i64)
    }).sum::<f64>()];
    (1.25 + halved(&v30))
}
}

mod p68 {
use super::*;
pub const CASE: Case = Case { seed: 68, args: Args { x: [0.2559784156917334, 0.9944832896475395, 0.5677540845866087, 0.13025071215948464], u: [0.9555959838241262, 0.575687700606281, -0.4671445279049099], a: 0.3111061646957908, n: 3 }, along: Args { x: [-0.962786576649665, -0.28703649575169143, 0.5452464770991439, 0.6010043161052846], u: [-0.31457523883389416, -0.04833462934292623, 0.41750984122384216], a: -0.921001640792906, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[0..1];
    if (x[((2i64 as usize) % x.len())] < 1.25) {
        let mut v13 = turned(turned(turned(S { a: x[((1i64 as usize) % x.len())], b: (a, a), n: (1i64 * 0i64) }, E::Two { x: x[((0i64 as usize) % x.len())], n: (n as i64) }), if ((v10.iter().map(|&v12| x[(((n as i64) as usize) % x.len())]).filter(|e| (*e > 0.0)).sum::<f64>() < a) && (((n as i64) + 1i64) == 0i64)) {
            E::One(x[((1i64 as usize) % x.len())])
        } else {
            E::Two { x: a, n: (1i64 * 3i64) }
        }), if (((2.5 * a) as i64) == 3i64) {
            E::One((0.5 as f64))
        } else {
            E::Two { x: 1.0, n: 0i64 }
        });
        let mut v14 = vec![rises(x, a)];
    } else {
        let mut v15 = vec![S { a: a, b: (a, a), n: 2i64 }];
    }
    let mut v16 = L::Node((1i64 as f64), Box::new(L::End));
    let mut v17 = S { a: a.min(a), b: (a, a), n: 3i64 };
    grow(&mut v16, scanned(v10, 0.5));
    if (0i64 < (n as i64)) {
        let mut v19 = vec![v17, v17];
    } else {
    }
    (((x[(((n as i64) as usize) % x.len())] * a.max(a)) + total(&v16)) + v17.size(0.75))
}
}

mod p69 {
use super::*;
pub const CASE: Case = Case { seed: 69, args: Args { x: [-0.3336523224364185, 0.4081254035361514, -0.19981993514508056, -0.5258114102475294], u: [0.7581490025544179, 0.3979315382798368, -0.014236819827678162], a: 0.8704552268519272, n: 0 }, along: Args { x: [0.465887942795975, -0.9440003735612801, -0.04200363825835801, 0.5685339701299311], u: [0.5718818711447207, 0.7885541804152089, 0.2294594657929749], a: 0.15937654565563006, n: 1 }, singles: false };

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
    let mut v25 = (v23(0.5) + v23(blocks(&v14)));
    if let Some(v26) = Some(x[((v17 as usize) % x.len())]) {
        let mut v27: [f64; 3] = [(1.25 as f64), v25.tanh(), v26];
        {
            let mut i0 = (((v17 * 3i64) as usize) % u.len());
            u[i0] -= a;
        }
    }
    if let Some(v28) = Some((2.0 as f64)) {
    }
    (((match (if ((!(a <= 0.25)) && (!(v25 <= a))) {
        E::One(v25)
    } else {
        E::Two { x: v25, n: v17 }
    }) {
        E::One(v29) => (u[((0i64 as usize) % u.len())] + 0.5),
        E::Two { x: v29, n: v30 } => a,
        E::None => match root(x[((v17 as usize) % x.len())]) {
            Some(v31) if ({
            let mut v32: f64 = a;
            let mut v33: i64 = 0;
            loop {
                v32 = v32;
                v33 += 1;
                if ((v33 >= 3) || (a < v32)) {
                    break v32;
                }
            }
        } < u[((v17 as usize) % u.len())]) => a,
            _ => 1.75,
        },
    }).sin() + a) + halved(&v14))
}
}

mod p70 {
use super::*;
pub const CASE: Case = Case { seed: 70, args: Args { x: [-0.7293595470787688, -0.69479995616066, 0.04415883986562841, 0.019523959833435564], u: [-0.4746427201852173, 0.345907008296374, -0.9160218720151316], a: 0.9480494202865178, n: 0 }, along: Args { x: [0.5280023001104905, 0.8963399421309971, 0.8463708462733345, 0.9667745680658681], u: [0.27063248628768316, 0.4242795020998394, 0.3989117698187956], a: -0.3576477085971158, n: 3 }, singles: false };

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
    duo(0.5, u[((0i64 as usize) % u.len())])
}
}

mod p71 {
use super::*;
pub const CASE: Case = Case { seed: 71, args: Args { x: [0.38292855859695435, -0.3796639529641598, 0.9166788349155545, 0.2247472114892395], u: [0.9538630432741062, 0.5203073874908707, -0.723858070490713], a: 0.29600724132621964, n: 1 }, along: Args { x: [-0.6494460880797397, -0.12997467790172718, 0.35763091392834595, 0.8909581052612539], u: [-0.850963418150298, -0.34524007680817076, -0.9753245822124003], a: 0.9010043576803091, n: 0 }, singles: false };

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
    }, v5);
    let mut v17 = D { s: S { a: 1.25, b: (v4, v4), n: 0i64 }, o: combined(combined(both(v4, v4), v5), v5), v: vec![(v5 + v4), v4], e: E::One(v4) };
    (0.5 * {
        let mut f = |v18: f64| v4;
        (f(v4) + f(v5))
    })
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = move |v11: f64| match Some(a) {
        Some(v12) if (x[((0i64 as usize) % x.len())] < x[((1i64 as usize) % x.len())]) => h0(2i64, v11, v12),
        _ => 0.25,
    };
    let mut v13 = vec![S { a: a, b: (a, (0.25 as f64)), n: 0i64 }, S { a: 1.25, b: (x[((0i64 as usize) % x.len())], a), n: 1i64 }];
    let mut v14 = move |v15: f64| match (1i64 + 1i64) {
        0 => v15,
        1 | 2 => 0.25,
        v16 if ((!(orchard(v15, v16) <= a)) && (!(match Some(v15) {
        Some(v17) if (!(v17 <= 0.5)) => v17,
        _ => v15,
    } <= v15))) => v15.sin(),
        _ => a,
    };
    let mut v18 = move |v19: f64| match ((2.5 * x[((1i64 as usize) % x.len())]) as i64) {
        0 => 1.0,
        1 | 2 => (v19 * x[((0i64 as usize) % x.len())]),
        v20 if (a < v19) => v19,
        _ => v19.tanh(),
    };
    let mut v23 = v13.clone();
    let mut v28: f64 = match 0i64 {
        0 => 0.5,
        1 | 2 => {
            let mut v25: f64 = x[((1i64 as usize) % x.len())];
            let mut v26: i64 = 0;
            loop {
                v25 = a;
                v26 += 1;
                if ((v26 >= 3) || (((2.5 * x[((1i64 as usize) % x.len())]) as i64) == v26)) {
                    break v25;
                }
            }
        },
        v24 if (v24 < (n as i64)) => x[((1i64 as usize) % x.len())],
        _ => match Some(x[((1i64 as usize) % x.len())]) {
            Some(v27) if ((((2.5 * v27) as i64) == 2i64) && (1i64 < 3i64)) => a,
            _ => a,
        },
    };
    let mut v30 = Rc::new(RefCell::new((v28 * 1.0)));
    if (3i64 < 1i64) {
        let mut v33: Box<dyn Fn(f64) -> f64> = if ((n as i64) == 0i64) {
            Box::new(move |v32: f64| a)
        } else {
            Box::new(move |v32: f64| v32)
        };
        let mut v34 = (x[((1i64 as usize) % x.len())], v28);
    } else {
    }
    (((v28 + a) + v23[((1i64 as usize) % v23.len())].a) + v28)
}
}

mod p72 {
use super::*;
pub const CASE: Case = Case { seed: 72, args: Args { x: [0.8007195490915247, -0.30402901096069684, -0.5095391677082703, 0.7448400800021987], u: [0.05854520773216252, 0.035518233905308304, -0.8407970237084268], a: -0.22294171271015686, n: 1 }, along: Args { x: [-0.9502225726903442, 0.287114045698659, 0.6839415362249417, 0.7197040855640991], u: [-0.8332420176285565, -0.2459892216456923, 0.27436883043917437], a: -0.2699697453708514, n: 1 }, singles: false };

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
    let mut v27: [f64; 3] = [a, x[((0i64 as usize) % x.len())], shared(v25, u[((3i64 as usize) % u.len())])];
    let mut v28 = E::One(a);
    ((((v25 + a) + v25) + halved(&v27)) + match v28 {
        E::One(v29) => v29,
        E::Two { x: v29, n: v30 } => v29,
        E::None => 0.5,
    })
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
pub const CASE: Case = Case { seed: 74, args: Args { x: [-0.9296816391451715, 0.8404729701203547, -0.2044240848812425, -0.7058787415006745], u: [-0.4095492319008514, 0.36092930237536336, 0.5269582872122319], a: -0.9283682185855167, n: 0 }, along: Args { x: [0.28483112520999987, -0.25865836847426044, 0.036908631703940875, 0.2814326959814025], u: [0.40281775168880213, -0.41176611744947356, 0.33615360951735684], a: 0.9009689976149912, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        let mut v11 = if (!(2.0 <= a)) {
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
            let mut f = parity(x[((1i64 as usize) % x.len())], 3i64);
            *i = e;
            *j = f;
        }
    }
    'l15: for v15 in 0i64..(n as i64) {
        let mut v18: Result<f64, f64> = ratio(a, x[((v15 as usize) % x.len())]);
        let mut v20 = S { a: x[((1i64 as usize) % x.len())], b: ((0.5 * x[((1i64 as usize) % x.len())]), spiral(x[((v15 as usize) % x.len())], 1i64)), n: v15 };
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
    graded(a, (1i64 + 0i64))
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
pub const CASE: Case = Case { seed: 76, args: Args { x: [0.5716674385143602, -0.9563635944686126, -0.8352621749702596, 0.6955380357837108], u: [-0.7937938762024642, -0.05168506157671898, -0.6446166024637109], a: -0.9980951857750332, n: 3 }, along: Args { x: [0.4386197278355931, 0.08435232345005973, -0.739942308047649, 0.992254975317953], u: [-0.33179345241172203, -0.20007003056159592, 0.904455625469933], a: 0.9080063013897965, n: 3 }, singles: false };

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
    let mut v25 = vec![solids(v22, 2i64), h0(a, 0.25), a];
    ((((((match (n as i64) {
        0 => a,
        1 | 2 => v22,
        v26 if (v22 < v22) => u[((0i64 as usize) % u.len())],
        _ => 0.25,
    }, a).1 + v13[((1i64 as usize) % v13.len())].a) + match v17 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    }) + v21.1) + v22) + halved(&v25))
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
pub const CASE: Case = Case { seed: 79, args: Args { x: [-0.6550246258243938, 0.8413004002659205, -0.21351081061831712, 0.800010749172834], u: [-0.434297343393265, 0.6876324324144, 0.8719277589555594], a: -0.4332340533501871, n: 3 }, along: Args { x: [0.8980864389145948, 0.3743072442838322, 0.14235564820490537, -0.0614818637309092], u: [-0.33151671845427316, 0.8479888045282288, 0.6876773286475911], a: 0.4095051332286958, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut e10 = v4;
    let mut p10 = if (3i64 < 0i64) {
        &mut v4
    } else {
        &mut v4
    };
    *p10 *= e10;
    let mut v11: Box<dyn Solid> = if (v4 < v4) {
        Box::new(Brick { sides: (v4, v4), n: 3i64 })
    } else {
        Box::new(Point)
    };
    v4
}

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11: f64 = v5;
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = Rc::new(RefCell::new(h0(2i64, (-a))));
    let mut v12 = vec![a];
    let mut v13 = &x[1..4];
    if (match (if (solids(a, 3i64) < 1.75) {
        E::One(a)
    } else {
        E::None
    }) {
        E::One(v15) => 1.0,
        E::Two { x: v15, n: v16 } => 2.0,
        E::None => 2.0,
    } < x[((2i64 as usize) % x.len())]) {
        if (graded(a, 2i64) < a) {
            {
                let mut i0 = (((1i64 * (n as i64)) as usize) % v12.len());
                v12[i0] += x[((3i64 as usize) % x.len())];
            }
            let mut v22 = D { s: S { a: 2.0, b: ((1.75 as f64), a), n: 0i64 }, o: both(0.75, a).map(|v18| (x.iter().enumerate().map(|(i, &v19)| {
                let mut v20 = (i as i64);
                a.min(v18)
            }).sum::<f64>() * (v18 + a))), v: vec![(1i64 as f64), match Some(a) {
                Some(v21) => a,
                None => a,
            }], e: E::One(a) };
        } else {
            let mut v23 = if (!((a + a) <= 0.5)) {
                E::One(((0.5 * 2.0) as f64))
            } else {
                E::None
            };
        }
        {
            let mut m = (((n as i64) as usize) % (v12.len() + 1));
            let (p, q) = v12.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v24 = *i;
                let mut v25 = *j;
                let mut e = a;
                let mut f = 0.75;
                *i = e;
                *j = f;
            }
        }
    } else {
        v12 = v12.clone();
    }
    (h1(2i64, {
        let mut r = *v10.borrow();
        r
    }, match (if (1i64 < 0i64) {
        E::One(a)
    } else {
        E::Two { x: a, n: 0i64 }
    }) {
        E::One(v26) => h1(2i64, a, v26),
        E::Two { x: v26, n: v27 } => orchard(0.5, (n as i64)),
        E::None => 1.5,
    }) + {
        let mut r = *v10.borrow();
        r
    })
}
}

mod p80 {
use super::*;
pub const CASE: Case = Case { seed: 80, args: Args { x: [-0.5645761333736414, -0.008370847390059654, 0.3710473846582043, 0.1651514259885353], u: [0.3656852812685621, 0.6155443390280456, 0.6973005904035666], a: -0.12472976783059861, n: 1 }, along: Args { x: [0.31650022019505075, -0.7742537890138345, -0.6289129627971016, -0.4622074964432829], u: [0.3065489774688829, -0.5905027122760206, -0.5562687090860987], a: -0.3653301999596786, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((3i64 as usize) % u.len());
        u[i0] += x[(((n as i64) as usize) % x.len())];
    }
    mix(u, 0.5);
    if ((2i64 < 1i64) || (orchard(a, 2i64) < a)) {
        if (0i64 < 1i64) {
            let mut v12: Result<f64, f64> = chained(a, a.sin());
            let mut v18 = D { s: S { a: x[((1i64 as usize) % x.len())], b: ((0.25 as f64), x[((3i64 as usize) % x.len())]), n: (n as i64) }, o: combined(Some((1.0 as f64)), a), v: vec![a, {
                let mut v14: f64 = 0.5;
                let mut v15: i64 = 0;
                loop {
                    v14 = v14;
                    v15 += 1;
                    if ((v15 >= 3) || ((v14 < x[(((n as i64) as usize) % x.len())]) || (a < a))) {
                        break v14;
                    }
                }
            }], e: if (!(a <= 1.25)) {
                E::One(a)
            } else {
                E::Two { x: 0.25, n: 1i64 }
            } };
        } else {
            let mut v21 = (a, root(a).unwrap_or(0.5));
        }
        let mut v22 = vec![S { a: a, b: (x[((0i64 as usize) % x.len())], (0.25 as f64)), n: (n as i64) }, S { a: a, b: swapped(a, a), n: ((n as i64) * 0i64) }];
    } else {
        let mut v24: [f64; 3] = [match Some(a) {
            Some(v23) if ((a * x[((1i64 as usize) % x.len())]) < a) => x[((1i64 as usize) % x.len())],
            _ => 1.25,
        }, (0.5 as f64), a];
    }
    let mut v27: Option<f64> = both(a, x[((3i64 as usize) % x.len())]).map(|v25| match combined(Some(v25), 1.25) {
        Some(v26) if (((2.5 * 2.0) as i64) == 1i64) => v25,
        _ => 1.0,
    });
    (a + a)
}
}

mod p81 {
use super::*;
pub const CASE: Case = Case { seed: 81, args: Args { x: [0.8057783783929758, -0.026683047726131993, -0.21761395246768442, 0.6799759686552387], u: [1.0086864879552928, 0.015951881648580173, 0.8419450979114758], a: -0.5423237934741276, n: 2 }, along: Args { x: [-0.5895800094631773, -0.11740355726267493, -0.30059143783194653, -0.8470518578110863], u: [-0.2029939790635957, -0.4458142943150568, 0.3197036240001424], a: 0.43958967365380824, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v10: [f64; 3] = [(v4 - 1.25), v4, parity(v4, 0i64)];
    {
        let mut i0 = (((1i64 + 1i64) as usize) % v10.len());
        v10[i0] = v4;
    }
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Solid> = Box::new(Ball { r: a });
    v11.scale(0.5);
    let mut v12 = 0;
    'l12: while ((v12 < 4) && (a < x[((3i64 as usize) % x.len())])) {
        v12 += 1;
        let mut v15 = move |v16: f64| match chained(v16, v16) {
            Ok(v17) => match (if (1i64 < 1i64) {
                Ok(x[((2i64 as usize) % x.len())])
            } else {
                Err(v17)
            }) {
                Ok(v19) => v19,
                Err(v20) => v16,
            },
            Err(v18) => if (1i64 == 3i64) {
                v16
            } else {
                0.75
            },
        };
        let mut v21: Result<f64, f64> = chained(a.min(a), x[(((n as i64) as usize) % x.len())]);
    }
    h0(spiral(a, (n as i64)))
}
}

mod p82 {
use super::*;
pub const CASE: Case = Case { seed: 82, args: Args { x: [0.41467893242657067, 0.22193141223819013, 0.47660307020198106, -0.6240598336011641], u: [-0.6612834696814863, 0.9065917608956617, -0.9710412485990705], a: 0.8450748728428035, n: 1 }, along: Args { x: [-0.37389786061653857, -0.22592650807197223, 0.9651146938541909, 0.7472320219471033], u: [0.3464432918209236, -0.9641264862640333, -0.558128364630567], a: -0.5265192750815094, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v13 = (v5, v5);
    let mut v17 = vec![S { a: v5, b: v13, n: (3i64 + 1i64) }, turned(S { a: v5, b: v13, n: (3i64 + 0i64) }, E::One(v5)), S { a: v4, b: swapped(v5, v5), n: 1i64 }];
    let mut v18 = turned(S { a: v5, b: (v4, v4), n: (3i64 + 2i64) }, E::One(v4));
    (0.5 * match 2i64 {
        0 => v5,
        1 | 2 => v5,
        v19 if ((v4 < v4) || (!(v5 <= 0.25))) => 1.75,
        _ => v5,
    })
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = D { s: S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: ((2.5 * a) as i64) }, o: Some(a).and_then(|v10| Some((0.75 as f64))), v: vec![x[((1i64 as usize) % x.len())], h0(1.0, a)], e: E::Two { x: x[((1i64 as usize) % x.len())], n: 2i64 } };
    if ((0i64 == 2i64) || (a < x[((0i64 as usize) % x.len())])) {
        let mut v13 = &x[1..3];
        {
            let mut i0 = ((1i64 as usize) % u.len());
            u[i0] = x[(((n as i64) as usize) % x.len())];
        }
    } else {
        let mut v18: Box<dyn Fn(f64) -> f64> = if (match 2i64 {
            0 => 0.75,
            1 | 2 => u[((3i64 as usize) % u.len())],
            v17 if ((v17 == (n as i64)) || (a < a)) => a,
            _ => a,
        } < u[((2i64 as usize) % u.len())]) {
            Box::new(move |v16: f64| x[((1i64 as usize) % x.len())])
        } else {
            Box::new(move |v16: f64| h0(x[((1i64 as usize) % x.len())], a))
        };
    }
    let mut v19 = move |v20: f64| x[((3i64 as usize) % x.len())];
    let mut v22: Result<f64, f64> = ratio(u[((1i64 as usize) % u.len())], 1.75);
    let mut e24 = a;
    let mut p24 = if ((n as i64) < 0i64) {
        &mut a
    } else {
        let mut i0 = (((1i64 + 1i64) as usize) % v11.v.len());
        &mut v11.v[i0]
    };
    *p24 -= e24;
    let mut v25: [f64; 3] = [h0(a, a), (0.25 as f64), x[((2i64 as usize) % x.len())]];
    let mut v28: Box<dyn Solid> = if (match v22 {
        Ok(v26) => x[((2i64 as usize) % x.len())],
        Err(v27) => v27,
    } < a) {
        Box::new(Brick { sides: (a, a), n: ((2.5 * 0.5) as i64) })
    } else {
        Box::new(Point)
    };
    (((({
        let mut f = |v29: f64| x[((3i64 as usize) % x.len())];
        (f(v19(1.75)) + f(match ratio(a, 0.5) {
            Ok(v30) => v30,
            Err(v31) => (0.75 * a),
        }))
    } + a) + weigh(&v11, 0.5)) + halved(&v25)) + v28.twice(0.5))
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
    let mut v20: Result<f64, f64> = if (counted(a, 2i64) < v12) {
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
pub const CASE: Case = Case { seed: 84, args: Args { x: [0.7130690409369267, 0.07471757334794162, 0.5600687178112784, -0.19063704392137648], u: [0.44513847225869185, -0.015238073206438595, -0.20809755196885574], a: 0.9013675238961313, n: 1 }, along: Args { x: [-0.9806192761572169, 0.2066000089482063, 0.9694674980982234, -0.39841096218623173], u: [-0.6121107247104788, 0.9177124853635913, 0.9863428425495121], a: -0.7643062621639404, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u.iter_mut() {
        let mut v11 = *p11;
        *p11 = {
            let mut f = |v12: f64| (0.5 as f64);
            (f(0.75) + f(x[((1i64 as usize) % x.len())]))
        };
    }
    let mut v15 = E::One(a);
    {
        let mut i0 = (((0i64 + (n as i64)) as usize) % u.len());
        u[i0] = a;
    }
    a *= 0.75;
    let mut v17 = v15;
    let mut v18 = move |v19: f64| v19.min(if (0i64 < 1i64) {
        v19
    } else {
        v19
    });
    let mut v20: Result<f64, f64> = if (1i64 < 3i64) {
        Ok(v18(a))
    } else {
        Err((-a))
    };
    if (!(x[((1i64 as usize) % x.len())] <= a)) {
        let mut v22 = |v23: f64| {
            a = a;
            (a * v23)
        };
        let mut v24 = (v22(0.5) + v22((0.5 as f64).tanh()));
        let mut v26: Result<f64, f64> = ratio(v24, a);
    } else {
    }
    (((2.0 + a) + match v15 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    }) + match v17 {
        E::One(v29) => v29,
        E::Two { x: v29, n: v30 } => v29,
        E::None => 0.5,
    })
}
}

mod p85 {
use super::*;
pub const CASE: Case = Case { seed: 85, args: Args { x: [0.6254576891011446, 1.0112269780847085, -0.4270966115822731, 0.580592348334297], u: [1.0122066657474922, 0.6940724799061303, 0.7889723050509825], a: 0.22813420785816108, n: 3 }, along: Args { x: [-0.8791742464808602, -0.6248261956475331, 0.27154800858562206, 0.9185153207360662], u: [-0.46710289909669545, -0.6333871783114075, 0.19720632999231477], a: -0.7693349171148058, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = turned(S { a: a, b: ((1.5 as f64), a), n: 1i64 }, if (shared(a, a) < u[((0i64 as usize) % u.len())]) {
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
    v10 = S { a: match (if (0i64 < 3i64) {
        Ok(u[((0i64 as usize) % u.len())])
    } else {
        Err(a)
    }) {
        Ok(v18) => a.tanh(),
        Err(v19) => v10.size(x[((0i64 as usize) % x.len())]),
    }, b: (match (&v14) {
        L::Node(v20, v21) => {
            let mut v20 = *v20;
            v20
        },
        L::End => a,
    }, (a - a)), n: 2i64 };
    v10.b.1 -= match root(u[((v10.n as usize) % u.len())]) {
        Some(v23) => 1.25,
        None => a,
    };
    let mut v24 = if (((2.5 * x[((0i64 as usize) % x.len())]) as i64) == 2i64) {
        E::One(u[((2i64 as usize) % u.len())])
    } else {
        E::Two { x: u[((1i64 as usize) % u.len())], n: (1i64 * 3i64) }
    };
    (((2.0 + v10.size(0.75)) + total(&v14)) + match v24 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    })
}
}

mod p86 {
use super::*;
pub const CASE: Case = Case { seed: 86, args: Args { x: [-0.6425722943817458, 0.7768240199066041, -0.07570354967908105, -0.5951758775748799], u: [0.6774714693905906, -0.5534352463471442, -0.4288742031851444], a: -0.8877677981848022, n: 2 }, along: Args { x: [-0.8152230061381291, -0.4597717971852404, 0.05292990734228248, 0.8467506417434264], u: [-0.04830879623008741, 0.3080735874938571, 0.40379973625833954], a: 0.6133541615930892, n: 2 }, singles: false };

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
pub fn h1(mut v4: f64, mut v5: f64) -> f64 {
    let mut v10: Box<dyn Solid> = Box::new(Point);
    let mut v11 = 0;
    'l11: while ((v11 < 4) && (!(h0(2i64, v5) <= 2.0))) {
        v11 += 1;
        let mut v14: i64 = 1i64;
        let mut v15: f64 = spiral(0.5, v14);
    }
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = vec![S { a: x[((3i64 as usize) % x.len())], b: (a, a), n: ((2.5 * a) as i64) }];
    let mut v12 = &x[1..3];
    let mut v14: Option<f64> = root(match Some(a) {
        Some(v13) => v13,
        None => 1.0,
    });
    a = a;
    if (!(orchard(a, 1i64) <= a)) {
        let mut v17 = vec![S { a: a, b: (a, a), n: (1i64 * 1i64) }];
        let mut v18 = &x[2..4];
    } else {
        let mut v23: f64 = h1({
            let mut v19: f64 = u[((1i64 as usize) % u.len())];
            let mut v20: i64 = 0;
            loop {
                v19 = x[((2i64 as usize) % x.len())];
                v20 += 1;
                if ((v20 >= 3) || (1.5 < a)) {
                    break v19;
                }
            }
        }, u[((1i64 as usize) % u.len())]);
    }
    let mut v27: Box<dyn Solid> = Box::new(Ball { r: {
        let mut f = |v26: f64| a;
        (f(x[((0i64 as usize) % x.len())]) + f(2.0))
    } });
    let mut v28: Box<dyn Solid> = Box::new(Ball { r: duo(a, a) });
    (x[((1i64 as usize) % x.len())] + v14.unwrap_or(0.25))
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
pub const CASE: Case = Case { seed: 88, args: Args { x: [-0.1953688363884055, -0.04350017726393381, 0.613015736240865, 0.04560765905638566], u: [-0.5946909098272758, -0.930344154928474, -0.8411868999939729], a: -0.7491974821545473, n: 3 }, along: Args { x: [-0.8187833898915431, 0.8287111960131444, 0.08756842866897922, 0.8181515750175768], u: [0.3997789542972375, -0.12229796661145516, 0.7572619782633726], a: 0.6769370818261343, n: 0 }, singles: false };

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
        let mut v15: Option<f64> = Some((0.5 as f64));
    } else {
        let mut v16 = turned(turned(S { a: a, b: ((1.75 as f64), (1.25 as f64)), n: 1i64 }, if (!(a <= a)) {
            E::One(a)
        } else {
            E::Two { x: a, n: 0i64 }
        }), E::Two { x: 0.75, n: 0i64 });
    }
    if let Some(v17) = Some((0.25 as f64)) {
        let mut v18: [f64; 3] = [(-v17), (0.25 as f64), shared(u[((0i64 as usize) % u.len())], u[((1i64 as usize) % u.len())])];
        let mut v19: Box<dyn Solid> = Box::new(Ball { r: (-a) });
    }
    let mut v20 = Rc::new(RefCell::new(x[((2i64 as usize) % x.len())]));
    let mut v21: f64 = scanned(x, 0.5);
    (((1.75 + a) + v10.unwrap_or(0.25)) + v21)
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
            let mut e = x[(((n as i64) as usize) % x.len())];
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
pub const CASE: Case = Case { seed: 90, args: Args { x: [0.9955315524955662, -0.8686789211138588, 0.22507924219922082, 0.8809599330491941], u: [-0.6846333453105035, 0.09885381063365697, 0.25218149047958627], a: 0.12262685032331133, n: 2 }, along: Args { x: [1.0076828776435376, -0.8096890506686222, 0.7718731943425102, 0.2909458048888058], u: [-0.26838126597685635, 0.6781745241617476, 1.005850139573118], a: 0.8265220308399618, n: 1 }, singles: false };

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
    let mut v22 = (v20(sorted(x, x[((0i64 as usize) % x.len())])) + v20(1.25));
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
        Some(v28) => v14,
        None => a,
    } + a) + match v17 {
        E::One(v31) => v31,
        E::Two { x: v31, n: v32 } => v31,
        E::None => 0.5,
    }) + v19.size(0.75)) + v22)
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
        (f(graded(x[((0i64 as usize) % x.len())], 0i64)) + f(a))
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
            let mut v27: f64 = asserted(a, 3i64);
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
pub const CASE: Case = Case { seed: 96, args: Args { x: [0.3889008203392542, 0.01938465696782721, 0.33658743340860464, -0.04513381198420963], u: [-0.50465378020666, -0.23208871915764212, 0.7992932812589737], a: 0.9316338972874589, n: 1 }, along: Args { x: [0.6504463323069524, -0.9860451026315565, 0.49912228532238834, -0.4093913231918047], u: [0.9647619223107307, 0.4810652074801921, -0.8602889167967143], a: -0.942946880854599, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = D { s: turned(S { a: a, b: (a, a), n: 0i64 }, E::Two { x: a, n: (1i64 * 1i64) }), o: root(a), v: vec![a, a, match root(x[((1i64 as usize) % x.len())]) {
        Some(v10) if (x[(((n as i64) as usize) % x.len())] < v10) => v10,
        _ => u[((2i64 as usize) % u.len())],
    }], e: if (3i64 == 3i64) {
        E::One(a)
    } else {
        E::None
    } };
    let mut v12 = move |v13: f64| x[((2i64 as usize) % x.len())];
    stretch(&mut v11, 0.5);
    a += shared(spiral(a, 0i64), (-u[((1i64 as usize) % u.len())]));
    let mut v15 = if (!(0.75 <= a)) {
        E::One(((n as i64) as f64))
    } else {
        E::Two { x: a, n: 1i64 }
    };
    ((0.5 + a) + match v15 {
        E::One(v16) => v16,
        E::Two { x: v16, n: v17 } => v16,
        E::None => 0.5,
    })
}
}

mod p97 {
use super::*;
pub const CASE: Case = Case { seed: 97, args: Args { x: [-0.1735764834596992, 0.533859461665245, -0.9640130503060879, -0.5779777526858945], u: [0.2304224242360507, -0.2126188789512975, 0.09174279292821987], a: -0.013558687515962037, n: 1 }, along: Args { x: [-0.4206791921834869, -0.18400118007174637, -0.3252112625419023, 0.49158135163864797], u: [0.946042599794325, -0.3571428668130327, 0.8554131814603978], a: 0.36677716930914556, n: 3 }, singles: false };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64) -> Option<f64> {
    if (v9 <= 0) {
        return Some(v4);
    }
    v4 += solids(v4, 1i64);
    combined(combined(Some(v4), v4), v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = D { s: S { a: a, b: (a, u[((1i64 as usize) % u.len())]), n: 1i64 }, o: Some(a), v: vec![match 0i64 {
        0 => a,
        1 | 2 => a,
        v10 if (((2.5 * a) as i64) == v10) => 0.25,
        _ => a,
    }], e: E::Two { x: 0.25, n: 2i64 } };
    for p12 in u.iter_mut() {
        let mut v12 = *p12;
        *p12 = v11.s.b.0;
    }
    let mut v16: f64 = a;
    let mut v19 = if (((1.25 as f64).sin() < v16) || (0.25 < u[((1i64 as usize) % u.len())])) {
        E::One(x[((0i64 as usize) % x.len())])
    } else {
        E::None
    };
    if let Some(v20) = h1(2i64, a) {
        let mut v21 = move |v22: f64| if (1i64 == 1i64) {
            x[((1i64 as usize) % x.len())]
        } else {
            v16
        };
        let mut v26 = v19;
    }
    (((v16 + a) + weigh(&v11, 0.5)) + v16)
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
        u[i0] = orchard(x[((1i64 as usize) % x.len())], (n as i64));
    }
    let mut v15: Result<f64, f64> = ratio(spiral(x[((1i64 as usize) % x.len())], (n as i64)), x[((2i64 as usize) % x.len())]);
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
    mix(u, asserted(1.75, (n as i64)));
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
pub const CASE: Case = Case { seed: 99, args: Args { x: [-0.43017610481908125, -0.5345694801762471, -0.4980097776841665, 0.12110988475537678], u: [0.3986997745262412, -0.035813883381158665, -0.7134891360969987], a: 0.7231585739079187, n: 0 }, along: Args { x: [0.854194037331427, 0.050440001817053694, 0.08634613166198575, 0.036669601946952624], u: [0.08206408757846205, -0.07431101861825118, 0.20973984130113943], a: -0.9560732130376063, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = u[((1i64 as usize) % u.len())];
    let mut v14 = ((1.0 as f64), x[(((n as i64) as usize) % x.len())]);
    let mut v18 = D { s: S { a: 1.5, b: v14, n: 1i64 }, o: both(1.25, x[((2i64 as usize) % x.len())]).filter(|&v15| ((0i64 < 1i64) || (!(v11 <= a)))), v: vec![(2.0 as f64)], e: E::One((0.75 as f64)) };
    if (v11 < a) {
        v14.1 = a;
        let mut v25: Box<dyn Fn(f64) -> f64> = if (v11 < a) {
            Box::new(move |v22: f64| (0.75 as f64))
        } else {
            Box::new(move |v22: f64| solids(2.0, (n as i64)))
        };
    } else {
        let mut v26 = move |v27: f64| ({
            let mut f = |v28: f64| match 1i64 {
                0 => (-v28),
                1 | 2 => v28,
                v29 if ((((1.0 as f64), v11).0 < x[((2i64 as usize) % x.len())]) || (v29 < 2i64)) => x[((v29 as usize) % x.len())].max(v11),
                _ => x[((1i64 as usize) % x.len())],
            };
            (f(x[((1i64 as usize) % x.len())]) + f(v27))
        } * (v11 * 0.25));
    }
    let mut v33: Option<f64> = both(v11, u[((1i64 as usize) % u.len())]);
    {
        let mut i0 = ((((2.5 * v11) as i64) as usize) % u.len());
        u[i0] += x[((1i64 as usize) % x.len())];
    }
    if ((n as i64) < 3i64) {
    } else {
    }
    (((v18.v.chunks(2).map(|c| {
        let mut v35 = c[0];
        let mut v36 = c[(c.len() - 1)];
        v11
    }).sum::<f64>() + v11) + v14.0) + v33.unwrap_or(0.25))
}
}

mod p100 {
use super::*;
pub const CASE: Case = Case { seed: 100, args: Args { x: [-0.5598998139536996, 0.4776330091293178, -0.5681675652325738, -0.8656203356595455], u: [0.13262101781443478, -0.3332968390751527, -0.05510241257366754], a: 0.052118362397848936, n: 0 }, along: Args { x: [0.8948973776871486, 0.8189901195128143, 0.7903024625359653, 0.6602315492790024], u: [0.7081899219610043, 0.19696791329888935, -0.7906787732053735], a: -0.9740477512579935, n: 2 }, singles: false };

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
                parity(x[(((n as i64) as usize) % x.len())], 0i64)
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
    let mut v24 = S { a: v23.min(a), b: (parity(0.5, 1i64), x[(((n as i64) as usize) % x.len())].sin()), n: ((2.5 * 0.25) as i64) };
    (((((a + a) + v19.unwrap_or(0.25)) + halved(&v20)) + v23) + v24.size(0.75))
}
}

mod p101 {
use super::*;
pub const CASE: Case = Case { seed: 101, args: Args { x: [0.13326259451688155, -0.6267007011315519, 0.7197939005928305, 0.8127783378799481], u: [-0.992181747398991, 0.7691861531439312, 0.9356107548789897], a: 0.5087613660192003, n: 1 }, along: Args { x: [-0.26537190519023424, -0.7426261338947149, -0.7725063758430787, 0.6929281331858996], u: [0.5966858230183708, 0.8966781048090813, -0.6145217659949243], a: 0.2907748672827768, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: Option<f64> = root(a).filter(|&v12| (((n as i64) == (n as i64)) && (3i64 < 3i64)));
    if let Some(v14) = Some(a) {
        let mut v15: [f64; 3] = [a, solids(v14, 1i64), spiral(v14, 3i64)];
        let mut v16: f64 = v14;
    }
    if ((0i64 * 2i64) == 3i64) {
        let mut v20 = D { s: S { a: a, b: swapped(a, a), n: 1i64 }, o: root(a), v: vec![x[((1i64 as usize) % x.len())].min(1.75), (0.75 as f64)], e: if ((match (if (1i64 < 1i64) {
            E::One(a)
        } else {
            E::Two { x: a, n: (0i64 * 1i64) }
        }) {
            E::One(v18) => 1.5,
            E::Two { x: v18, n: v19 } => x[((3i64 as usize) % x.len())],
            E::None => x[((1i64 as usize) % x.len())],
        } < a) || (1i64 == 3i64)) {
            E::One(u[((1i64 as usize) % u.len())])
        } else {
            E::Two { x: u[((2i64 as usize) % u.len())], n: (n as i64) }
        } };
        let mut v21: Option<f64> = v13;
    } else {
        let mut v22: i64 = 1i64;
    }
    let mut v24: [f64; 3] = [x[((2i64 as usize) % x.len())], (1.25 as f64), spiral(a, 1i64)];
    (((1.75 + a) + v13.unwrap_or(0.25)) + halved(&v24))
}
}

mod p102 {
use super::*;
pub const CASE: Case = Case { seed: 102, args: Args { x: [0.6846060745505419, -0.5687481983182404, 0.9327098154027965, 0.01585458478346677], u: [0.888595921602715, 0.9172509182705499, 0.029638323586629607], a: 0.931573336134065, n: 2 }, along: Args { x: [-0.4481134204585373, 0.5077211560491336, 0.36343879553224945, -0.8927970132530578], u: [-0.9743281456134391, -0.2531652687342211, 0.9913107272696955], a: -0.2911392091471206, n: 0 }, singles: false };

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
        }, a), v: vec![a, a, shared(a, a)], e: if (3i64 < 1i64) {
            E::One(x[((2i64 as usize) % x.len())])
        } else {
            E::None
        } };
    }
    let mut v20: Result<f64, f64> = chained(a, a);
    let mut v22 = if (((n as i64) == 0i64) || (a < a)) {
        E::One(a)
    } else {
        E::Two { x: (a * a), n: 2i64 }
    };
    let mut v23 = vec![S { a: u[((0i64 as usize) % u.len())], b: (a, u[((2i64 as usize) % u.len())]), n: 3i64 }];
    for v24 in v23.iter_mut() {
        v24.turn((a - a));
    }
    if ((n as i64) == 2i64) {
        for p26 in u[1..].iter_mut() {
            let mut v26 = *p26;
            *p26 = v26;
        }
        for p27 in u[1..].iter_mut() {
            let mut v27 = *p27;
            *p27 = both(1.75, a).unwrap();
        }
    } else {
    }
    ((({
        let mut f = |v28: f64| v28;
        (f(a) + f(solids(u[((1i64 as usize) % u.len())], 1i64)))
    } + a) + match v22 {
        E::One(v31) => v31,
        E::Two { x: v31, n: v32 } => v31,
        E::None => 0.5,
    }) + v23[((1i64 as usize) % v23.len())].a)
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
pub const CASE: Case = Case { seed: 104, args: Args { x: [0.9884449326637299, -0.06767494876114408, -0.8262269967991915, 0.18157521981933092], u: [0.4437558333293628, -0.17300431929848584, 0.040611313305748874], a: 0.9139333514793312, n: 0 }, along: Args { x: [0.5988068714132668, 0.4100440972355153, 0.9036637262087341, -0.6429171154125338], u: [0.8453288036762003, 0.5373434985423107, 0.07666092913800489], a: -0.9930445908508053, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = vec![a, (if (3i64 < 1i64) {
        Some(a)
    } else {
        None
    }).unwrap_or(a), if ((n as i64) < 1i64) {
        a
    } else {
        x[(((n as i64) as usize) % x.len())]
    }];
    let mut v12: f64 = (a * (a * a));
    let mut v13: i64 = ((2.5 * v12) as i64);
    let mut v14 = 0;
    'l14: while ((v14 < 4) && (a.cos() < x[((v13 as usize) % x.len())])) {
        v14 += 1;
        let mut v20 = Rc::new(RefCell::new(v12));
        for p21 in u.iter_mut() {
            let mut v21 = *p21;
            *p21 = a;
        }
    }
    let mut v25 = Rc::new(RefCell::new(a));
    if let Some(v26) = Some(u[((0i64 as usize) % u.len())]).map(|v27| (v27, v12).0) {
    }
    a
}
}

mod p105 {
use super::*;
pub const CASE: Case = Case { seed: 105, args: Args { x: [-0.37206464222112384, 0.12046949797473946, 0.9502350821454238, 0.34235977738263856], u: [-0.5868461914590708, 0.4962941328392071, -0.23710013461353893], a: -0.12142402938087953, n: 0 }, along: Args { x: [-0.35889831055010624, 0.38141005404608436, -0.7484963802924685, -0.8217968389244661], u: [0.4875167239901638, -0.4027160785253539, -0.34602647290864286], a: 0.3933307982973881, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    v5 = 2.0;
    let mut v12 = if (((2.5 * 0.5) as i64) == 3i64) {
        E::One((-v4))
    } else {
        E::Two { x: v4, n: (1i64 + 1i64) }
    };
    let mut v16: [f64; 3] = [v4, match Some((1.0 as f64)) {
        Some(v15) if (v15 < v4) => v5,
        _ => v5,
    }, (v4 - v4)];
    v5.tanh()
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] = 1.25;
    }
    let mut v11 = if (!(x[((1i64 as usize) % x.len())] <= a)) {
        E::One(x[((3i64 as usize) % x.len())])
    } else {
        E::None
    };
    a -= x[(((n as i64) as usize) % x.len())];
    let mut v13: Box<dyn Solid> = if (a < x[((1i64 as usize) % x.len())]) {
        Box::new(Brick { sides: (a, a), n: 2i64 })
    } else {
        Box::new(Point)
    };
    let mut v14 = L::Node(0.5, Box::new(L::End));
    let mut v15 = 0;
    'l15: while ((v15 < 4) && (0i64 < 0i64)) {
        v15 += 1;
        grow(&mut v14, 0.5);
        {
            let mut m = (((0i64 + 1i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v16 = *i;
                let mut v17 = *j;
                let mut e = 1.25;
                let mut f = {
                    let mut v18: f64 = v17;
                    let mut v19: i64 = 0;
                    loop {
                        v18 = 1.75;
                        v19 += 1;
                        if ((v19 >= 3) || (1i64 == 1i64)) {
                            break v18;
                        }
                    }
                };
                *i = e;
                *j = f;
            }
        }
    }
    let mut v23 = D { s: turned(S { a: x[((3i64 as usize) % x.len())], b: (a, a), n: 0i64 }, if ({
        let mut f = |v20: f64| a;
        (f(a) + f(a))
    } < 1.5) {
        E::One(a)
    } else {
        E::Two { x: a, n: ((2.5 * 1.0) as i64) }
    }), o: if (!((a * x[((1i64 as usize) % x.len())]) <= a)) {
        Some(a)
    } else {
        None
    }, v: vec![match (if (a < a) {
        E::One((2.0 as f64))
    } else {
        E::None
    }) {
        E::One(v21) => v21,
        E::Two { x: v21, n: v22 } => a,
        E::None => 0.25,
    }, h0(a, a), a], e: v11 };
    let mut v25: Box<dyn Solid> = Box::new(Ball { r: (1.5 as f64).min(x[((1i64 as usize) % x.len())]) });
    ((((h0(h0(if (1i64 < 1i64) {
        1.25
    } else {
        a
    }, Some(a).unwrap_or(x[((3i64 as usize) % x.len())])), a) + a) + match v11 {
        E::One(v26) => v26,
        E::Two { x: v26, n: v27 } => v26,
        E::None => 0.5,
    }) + total(&v14)) + v25.twice(0.5))
}
}

mod p106 {
use super::*;
pub const CASE: Case = Case { seed: 106, args: Args { x: [-0.8647310758897333, 0.7637601264835635, 0.8559519441943785, -0.3064640991189658], u: [1.00681594837209, -0.6964624270817278, -0.7108764455349026], a: -0.12631761354615129, n: 2 }, along: Args { x: [0.4618052858844656, 0.8907732283480476, 0.23465066611933272, 0.4347930094281017], u: [-0.2050112977246961, -0.12021721297268165, 1.0133215788252352], a: 0.26112037312624853, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: f64 = a;
    {
        let mut m = (((0i64 / 0i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v12 = *i;
            let mut v13 = *j;
            let mut e = 1.5;
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    let mut v16: Result<f64, f64> = ratio(v11, u[((3i64 as usize) % u.len())]);
    ((a + a) + v11)
}
}

mod p107 {
use super::*;
pub const CASE: Case = Case { seed: 107, args: Args { x: [0.9069655740278046, -0.02590767843051615, 0.6051720066722882, -0.9189508123588447], u: [0.0445957912494275, -0.957386222754125, 0.23862392546796427], a: 0.5552419437071713, n: 2 }, along: Args { x: [0.8408353366703001, 0.9501070161104473, 0.6516413829018312, -0.3388100499889103], u: [0.6991917821379375, 0.9707813069093658, 0.4847940523127368], a: 0.8751349493448678, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = Box::new(Ball { r: if (1.75 < x[((1i64 as usize) % x.len())]) {
        x[(((n as i64) as usize) % x.len())]
    } else {
        a
    } });
    let mut v11 = &x[0..4];
    if ((!(((n as i64) as f64) <= a)) && (match ratio(a, a) {
        Ok(v13) => v13,
        Err(v14) => v14,
    } < a)) {
        if ((3i64 < (n as i64)) && (2i64 < 3i64)) {
            let mut v17 = E::One((0.75 as f64));
            let mut v21 = D { s: S { a: a, b: (x[(((n as i64) as usize) % x.len())], a), n: (2i64 + 1i64) }, o: combined(both(a, u[(((n as i64) as usize) % u.len())]), 1.5), v: vec![match ratio(x[((0i64 as usize) % x.len())], a) {
                Ok(v19) => 0.75,
                Err(v20) => u[((0i64 as usize) % u.len())],
            }, Some((0.75 as f64)).unwrap_or(a), swapped(a, a).0], e: if ((!(a <= 1.25)) && (a < x[((2i64 as usize) % x.len())])) {
                E::One(x[((3i64 as usize) % x.len())])
            } else {
                E::None
            } };
        } else {
            'l22: for &v22 in v11 {
                for p25 in u[1..].iter_mut() {
                    let mut v25 = *p25;
                    *p25 = match Some(v22) {
                        Some(v26) => v22.min(x[((1i64 as usize) % x.len())]),
                        None => if (x[(((n as i64) as usize) % x.len())] < v22) {
                            v25
                        } else {
                            a
                        },
                    };
                }
                let mut v27: f64 = orchard(x[((2i64 as usize) % x.len())], ((2.5 * x[(((n as i64) as usize) % x.len())]) as i64));
            }
        }
        let mut v28 = D { s: turned(S { a: 1.75, b: ((1.25 as f64), (0.25 as f64)), n: 1i64 }, if (u[((2i64 as usize) % u.len())] < a) {
            E::One(x[((0i64 as usize) % x.len())])
        } else {
            E::Two { x: a, n: 1i64 }
        }), o: Some((1.5 as f64)), v: vec![(-x[((3i64 as usize) % x.len())]), a], e: if (if (!((a * 1.5) <= a)) {
            0.25
        } else {
            a
        } < a) {
            E::One(a)
        } else {
            E::None
        } };
    } else {
    }
    (a + a)
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
        E::Two { x: v27, n: v28 } => shared(x[((v28 as usize) % x.len())], v12),
        E::None => v12,
    })
}
}

mod p109 {
use super::*;
pub const CASE: Case = Case { seed: 109, args: Args { x: [-0.25507882401887505, 0.451653346570741, 0.5730482082879818, -0.524196293097759], u: [0.4421241805242207, 0.16292348826582514, 0.7892673926471631], a: -0.7514266736003895, n: 3 }, along: Args { x: [0.8718269405663287, 0.8617637221386015, -0.7526436187759511, 0.7728771006321483], u: [0.3004223686940782, 0.588656125108652, 0.5321680501897094], a: -0.5363237178993289, n: 1 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v13 = vec![(0.5 as f64), match (E::Two { x: 2.0, n: 1i64 }) {
        E::One(v11) => v4,
        E::Two { x: v11, n: v12 } => v11,
        E::None => v4,
    }];
    asserted(v4.sin(), ((2.5 * v4) as i64))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = D { s: S { a: a, b: (a, (1.0 as f64)), n: 1i64 }, o: Some(a), v: vec![(x[((2i64 as usize) % x.len())] * u[((1i64 as usize) % u.len())]), u[((1i64 as usize) % u.len())]], e: if (1i64 == 2i64) {
        E::One((0.75 as f64))
    } else {
        E::Two { x: 1.0, n: 0i64 }
    } };
    if (0i64 == 2i64) {
        for p13 in u.iter_mut() {
            let mut v13 = *p13;
            *p13 = rises(x, a);
        }
        let mut v17: [f64; 3] = [a, match Some(x[((1i64 as usize) % x.len())]) {
            Some(v16) => a,
            None => a,
        }, (2.0 + x[((3i64 as usize) % x.len())])];
    } else {
        let mut v20 = turned(S { a: a, b: (a, x[(((n as i64) as usize) % x.len())]), n: 1i64 }, if ((a < 1.0) && (a < u[((0i64 as usize) % u.len())])) {
            E::One(a)
        } else {
            E::Two { x: a, n: ((2.5 * a) as i64) }
        });
    }
    let mut v21 = |v22: f64| {
        a = v22;
        (a * v22)
    };
    let mut v23 = (v21(h0(2i64, 0.5, 0.5)) + v21(match (if (3i64 == 2i64) {
        Some((0.25 as f64))
    } else {
        None
    }) {
        Some(v24) if ((v24 < 0.5) || (1i64 < 0i64)) => u[(((n as i64) as usize) % u.len())],
        _ => 0.5,
    }));
    (h0(2i64, ((u[((0i64 as usize) % u.len())] as f32) as f64), h0(2i64, x[((3i64 as usize) % x.len())], a)) + weigh(&v10, 0.5))
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
                Some(v32) if (graded(v26, 1i64) < x[(((n as i64) as usize) % x.len())]) => v26,
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
pub const CASE: Case = Case { seed: 111, args: Args { x: [-0.026563102237042863, 0.9246286842889687, 0.28139903185953186, -0.342324735865834], u: [0.15737660545948248, 0.0757184963412561, -0.42000613429238576], a: -0.0838913628534822, n: 3 }, along: Args { x: [-0.844664799214578, 0.9776265341768381, -0.5298885064789388, -0.08512568738175906], u: [-0.370325689874008, 0.14650391074439154, 0.266826443383909], a: 0.9785622143071456, n: 3 }, singles: false };

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
            Some(v17) if (parity(v4, 0i64) < 1.5) => v17,
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
            Err(v23) => orchard(v14, 3i64),
        };
    }
    if (3i64 == 3i64) {
        let mut v27: Box<dyn Solid> = if (((n as i64) == v11.n) && (h1(a) < a)) {
            Box::new(Brick { sides: (x[((0i64 as usize) % x.len())], v14), n: (3i64 * 1i64) })
        } else {
            Box::new(Point)
        };
    } else {
    }
    ((a + v11.size(0.75)) + v16.unwrap_or(0.25))
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
pub const CASE: Case = Case { seed: 113, args: Args { x: [-0.4706387049524542, -0.08838368851491206, 0.14616468838649935, -0.8320143059069163], u: [-0.7952517794430365, 0.7657673886113732, -0.8706017149311663], a: 0.3179283670862956, n: 1 }, along: Args { x: [-0.5772655032444345, 0.34620643461451156, -0.5067625557376997, 0.8968008575077037], u: [-0.9336082288744882, -0.07755993960232545, 0.5132261575163851], a: -0.8588434973266834, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Solid> = Box::new(Point);
    v11.scale(0.75);
    let mut v13 = vec![a, a];
    (0.75 + a)
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
pub const CASE: Case = Case { seed: 115, args: Args { x: [0.6498060787210269, 0.17253600180182085, -0.3633593512149736, -0.4782527735442917], u: [0.32834600486529597, -0.22633440508911037, 0.41998244325512085], a: 0.6834032982412734, n: 2 }, along: Args { x: [0.7903158109550301, 0.49531701549435125, 0.8972582255338485, -0.27135220538790195], u: [-0.8515492621826873, -0.4588856262295002, -0.8268872281198864], a: 0.747362956294949, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = S { a: 0.75, b: (x[((3i64 as usize) % x.len())], match Some(a) {
        Some(v10) => u[((0i64 as usize) % u.len())],
        None => x[((1i64 as usize) % x.len())],
    }), n: ((2.5 * a) as i64) };
    let mut v12 = if (((n as i64) == v11.n) || (!(a <= a))) {
        E::One((1.0 as f64).min(a))
    } else {
        E::Two { x: a, n: (n as i64) }
    };
    a -= a;
    {
        let mut i0 = (((3i64 * 0i64) as usize) % u.len());
        u[i0] = a;
    }
    v12 = v12;
    let mut v14 = D { s: S { a: a, b: swapped(a, a), n: (n as i64) }, o: both(a, u[((1i64 as usize) % u.len())]), v: vec![(1.75 as f64)], e: v12 };
    'l15: for &v15 in x {
        let mut v16: Option<f64> = both(x[((1i64 as usize) % x.len())], 1.25);
        let mut v19: Box<dyn Solid> = Box::new(Ball { r: x[((2i64 as usize) % x.len())] });
    }
    let mut v20: Box<dyn Solid> = if (((2.5 * x[((v11.n as usize) % x.len())]) as i64) == 1i64) {
        Box::new(Ball { r: a })
    } else {
        Box::new(Brick { sides: swapped(a, a), n: 1i64 })
    };
    ((v20.twice(v11.a) + v11.size(0.75)) + weigh(&v14, 0.5))
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
pub const CASE: Case = Case { seed: 117, args: Args { x: [0.28244620856159625, 0.6698888843466209, 0.16567549821187194, -0.12683145631028556], u: [0.9829249698067549, 0.30604574283357366, 0.6858249318644742], a: -0.4744056910870789, n: 0 }, along: Args { x: [-0.36974540130825806, 0.6857671176320602, -0.4155827670627993, 0.6122855468041791], u: [-0.771356320993323, -0.06664637749598083, -0.7476817719023008], a: -0.44712695100583044, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..(n as i64) {
        {
            let mut m = (((2i64 + 3i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v11 = *i;
                let mut v12 = *j;
                let mut e = x[((1i64 as usize) % x.len())];
                let mut f = a;
                *i = e;
                *j = f;
            }
        }
        {
            let mut m = ((1i64 as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v16 = *i;
                let mut v17 = *j;
                let mut e = v17;
                let mut f = x[(((n as i64) as usize) % x.len())];
                *i = e;
                *j = f;
            }
        }
    }
    let mut v20 = D { s: S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: 0i64 }, o: Some(a), v: vec![a], e: E::One(a) };
    let mut v21: f64 = (0.5 * 1.25);
    v20.s = S { a: (0.5 * a), b: (u[((3i64 as usize) % u.len())], a), n: ((2.5 * 1.75) as i64) };
    let mut v26 = E::One((1.75 as f64));
    let mut v27 = move |v28: f64| ((n as i64) as f64).min(a);
    v20.s.turn((0.5 * 1.25));
    ((if ((((2.5 * v21) as i64) == 0i64) && (v27(u[((2i64 as usize) % u.len())]) < v21)) {
        combined(combined(Some(v21), a), u[((1i64 as usize) % u.len())]).unwrap_or(a.min(v21))
    } else {
        (-v21)
    } + a) + weigh(&v20, 0.5))
}
}

mod p118 {
use super::*;
pub const CASE: Case = Case { seed: 118, args: Args { x: [-0.5952819585528221, -0.36473318072492233, -0.4841709705257188, 0.1347722402489284], u: [0.6818301932981986, -0.5344430464234862, 0.923078033975013], a: 0.43584229001185515, n: 1 }, along: Args { x: [0.1950065258267616, -0.8307723373953473, -0.31407057590255705, 0.9726625565976907], u: [-0.7330280084558546, -0.7161267190466012, 0.6865208270689579], a: 0.9287237773393036, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v14 = swapped((v5 + v4), if (!(match E::One(v4) {
        E::One(v12) => 1.0,
        E::Two { x: v12, n: v13 } => 1.75,
        E::None => v5,
    } <= v5)) {
        1.25
    } else {
        v5
    });
    let mut v15: f64 = ((1.5 as f64), (0.25 as f64)).0;
    let mut v16: f64 = (-v15);
    v5
}

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
        counted(a, v11)
    }));
    if let Some(v16) = Some(v14) {
        let mut v17 = |v18: f64| {
            a = x[((1i64 as usize) % x.len())];
            (a * v18)
        };
        let mut v19 = (v17(match (if ((match root(2.0) {
            Some(v22) if (match v11 {
            0 => 0.75,
            1 | 2 => v14,
            v23 if (u[((1i64 as usize) % u.len())] < x[((2i64 as usize) % x.len())]) => x[((0i64 as usize) % x.len())],
            _ => v22,
        } < v14) => v22,
            _ => u[(((n as i64) as usize) % u.len())],
        } < u[((v11 as usize) % u.len())]) || (v14 < v14)) {
            E::One(v14)
        } else {
            E::None
        }) {
            E::One(v20) => v20,
            E::Two { x: v20, n: v21 } => v16,
            E::None => v14,
        }) + v17({
            let mut f = |v26: f64| v26;
            (f(v14) + f(1.0))
        }));
        for p27 in u[1..].iter_mut() {
            let mut v27 = *p27;
            *p27 = match (if ((v11 < 2i64) && ((n as i64) == v11)) {
                Ok(v14)
            } else {
                Err(a)
            }) {
                Ok(v28) => swapped(x[((v11 as usize) % x.len())], v28).0,
                Err(v29) => {
                    let mut f = |v30: f64| v16;
                    (f(a) + f(v19))
                },
            };
        }
    }
    'l31: for v31 in 0i64..3i64 {
        let mut v33 = (a, u[((v31 as usize) % u.len())]);
        let mut v34 = |v35: f64| {
            v14 = a;
            (v14 * v35)
        };
        let mut v36 = (apply(&mut v34, x[((v11 as usize) % x.len())].cos()) + v34(match 1i64 {
            0 => 0.5,
            1 | 2 => a,
            v37 if (v11 < 2i64) => 0.75,
            _ => a,
        }));
    }
    ((({
        let mut v38: f64 = v14.cos();
        let mut v39: i64 = 0;
        loop {
            v38 = h0(2i64, v38, v14);
            v39 += 1;
            if ((v39 >= 3) || (v39 < (n as i64))) {
                break v38;
            }
        }
    } + a) + v14) + {
        let mut r = *v15.borrow();
        r
    })
}
}

mod p119 {
use super::*;
pub const CASE: Case = Case { seed: 119, args: Args { x: [0.6505137923409469, -0.09652648076079476, -0.09952786326743543, 0.94319950605255], u: [0.4679490457482239, -0.44120357638293206, -0.716952166285955], a: 0.9472558072516858, n: 2 }, along: Args { x: [0.037840303252136435, 0.15849477292810743, -0.7011351062605798, -0.35291902891493404], u: [-0.06503716135527586, 0.5329874008504247, -0.11147985977102186], a: -0.31391830078314664, n: 0 }, singles: false };

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
            let mut v27: f64 = halved(x);
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
    (swapped(duo(a, 0.5), (0i64 as f64)).0 + v11.0)
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
