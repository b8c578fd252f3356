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
            if ((v18 >= 3) || ((x[((v18 as usize) % x.len())] < x[((v18 as usize) % x.len())]) && (!(shared(a, a) <= a)))) {
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
pub const CASE: Case = Case { seed: 1, args: Args { x: [-0.4072523168172256, -0.4839445648654535, -0.1819125981635154, 0.22470368353410805], u: [0.44674188684405963, 0.8930768845350537, -0.30724050883115733], a: 0.8482958353972284, n: 2 }, along: Args { x: [-0.7604740993597147, 0.5362169709244118, 0.33746870304230747, -0.517510537835377], u: [0.9465872795272908, 0.060063014182210606, 0.8089466495124755], a: -0.8242722187236448, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = |v11: f64| {
        a = x[(((n as i64) as usize) % x.len())];
        (a * v11)
    };
    let mut v12 = (v10(0.5) + v10(match Some((1.25 as f64)) {
        Some(v13) if (v13 < v13) => 1.5,
        _ => 0.5,
    }));
    let mut v15 = Rc::new(RefCell::new(((1.0 as f64), a).0));
    let mut v17: f64 = v12;
    {
        let mut e = a;
        *v15.borrow_mut() = e;
    }
    if ({
        let mut r = *v15.borrow();
        r
    } < v12) {
        let mut v22: Box<dyn Fn(f64) -> f64> = if ((!(v12.tanh() <= v12)) || (x[((3i64 as usize) % x.len())] < v12)) {
            Box::new(move |v19: f64| match chained(a, v19) {
                Ok(v20) => a,
                Err(v21) => v17.max(v21),
            })
        } else {
            Box::new(move |v19: f64| x[((3i64 as usize) % x.len())])
        };
        {
            let mut e = {
                let mut f = |v23: f64| ({
                    let mut v24: f64 = 0.25;
                    let mut v25: i64 = 0;
                    loop {
                        v24 = v17;
                        v25 += 1;
                        if ((v25 >= 3) || (match combined(Some(x[(((n as i64) as usize) % x.len())]), 2.0) {
                            Some(v26) if (v26 < v26) => a,
                            _ => v23,
                        } < v17)) {
                            break v24;
                        }
                    }
                } * v23.cos());
                (f(matched(x, x[((1i64 as usize) % x.len())])) + f(x[((1i64 as usize) % x.len())].tanh()))
            };
            *v15.borrow_mut() += e;
        }
    } else {
        let mut v28 = D { s: S { a: v12, b: (x[((3i64 as usize) % x.len())], a), n: (n as i64) }, o: root(u[((0i64 as usize) % u.len())]), v: vec![v17, {
            let mut r = *v15.borrow();
            r
        }, (1.0 as f64)], e: E::Two { x: v12, n: 3i64 } };
    }
    let mut v29 = move |v30: f64| match 0i64 {
        0 => match both(x[((1i64 as usize) % x.len())], 1.75) {
            Some(v32) if (a < 2.0) => x[(((n as i64) as usize) % x.len())],
            _ => a,
        },
        1 | 2 => v12,
        v31 if (v31 < (n as i64)) => {
            let mut v33: f64 = x[((v31 as usize) % x.len())];
            let mut v34: i64 = 0;
            loop {
                v33 = v17;
                v34 += 1;
                if ((v34 >= 3) || (((1.25 - a) < x[((1i64 as usize) % x.len())]) || (!(v33.cos() <= x[((3i64 as usize) % x.len())])))) {
                    break v33;
                }
            }
        },
        _ => (x[(((n as i64) as usize) % x.len())] * 1.25),
    };
    for p35 in u[1..].iter_mut() {
        let mut v35 = *p35;
        *p35 = v29(x[((0i64 as usize) % x.len())]);
    }
    (((((1i64 as f64) + a) + v12) + {
        let mut r = *v15.borrow();
        r
    }) + v17)
}
}

mod p2 {
use super::*;
pub const CASE: Case = Case { seed: 2, args: Args { x: [0.4886883800945861, 0.3025492617433279, -0.34487088014678763, -0.7845513452471073], u: [0.8973750270527268, 0.9537238560248428, -0.8082250072530397], a: 0.10747615506626018, n: 3 }, along: Args { x: [-0.534622509481724, -0.5681416195236975, 0.3101999188103776, -0.7982448052263682], u: [0.797083049123771, -0.5696760616896017, 0.8140005773017054], a: 0.027383059819022754, n: 0 }, singles: false };

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
    let mut v13 = if (!(1.5 <= x[((3i64 as usize) % x.len())])) {
        E::One(((0.5 * 1.5) as f64))
    } else {
        E::Two { x: Some(a).unwrap_or(a), n: 1i64 }
    };
    let mut v17: Result<f64, f64> = chained(match chained(a, 1.0) {
        Ok(v15) => a,
        Err(v16) => x[((2i64 as usize) % x.len())],
    }, a);
    let mut v18: Option<f64> = Some((1.25 as f64));
    let mut v20: Box<dyn Fn(f64) -> f64> = if ((a * 1.0) < a) {
        Box::new(move |v19: f64| (1.75 as f64))
    } else {
        Box::new(move |v19: f64| v19)
    };
    for p24 in u[1..].iter_mut() {
        let mut v24 = *p24;
        *p24 = v24;
    }
    let mut v25: Result<f64, f64> = v17;
    {
        let mut i0 = ((0i64 as usize) % u.len());
        u[i0] = (0.5 * a);
    }
    let mut v26 = Rc::new(RefCell::new(a));
    ((({
        let mut r = *v26.borrow();
        r
    } + a) + match v13 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    }) + v18.unwrap_or(0.25))
}
}

mod p3 {
use super::*;
pub const CASE: Case = Case { seed: 3, args: Args { x: [0.23032503223539216, 0.15847272301775742, -0.2871986200184295, -0.28754492274630783], u: [0.35107517492208373, -0.8505381921030912, -0.7507473033477533], a: 0.9324866654547399, n: 1 }, along: Args { x: [-0.4825678368400588, -0.6660555969947191, 0.9899521919124025, -0.5769831558571054], u: [-0.6706196806583159, -0.38371659950381276, -0.7517781569696832], a: -0.06772458882932865, n: 3 }, singles: false };

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
    let mut v13: f64 = spiral(1.75, 3i64).max(x[((1i64 as usize) % x.len())].max(a));
    for p14 in u.iter_mut() {
        let mut v14 = *p14;
        *p14 = v14;
    }
    stretch(&mut v12, match E::One((0.5 as f64)) {
        E::One(v15) => v15,
        E::Two { x: v15, n: v16 } => 2.0,
        E::None => 0.5,
    });
    (v13 + weigh(&v12, 0.5))
}
}

mod p4 {
use super::*;
pub const CASE: Case = Case { seed: 4, args: Args { x: [0.22162680262498652, 0.21959197471585432, 0.7040543308241443, -0.7751195546673291], u: [0.558456921866391, -0.9729580007983162, 0.8317610005121744], a: -0.7147772895019728, n: 1 }, along: Args { x: [0.4240320958768859, -0.03742911808050481, 0.5993466835278004, 0.32184452193917285], u: [-0.6870429495249257, -0.6464411253059833, 0.06638412422603106], a: 0.7388359923783907, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = &x[2..4];
    'l11: for &v11 in x {
        let mut v14 = vec![turned(S { a: x[((1i64 as usize) % x.len())], b: ((0.25 as f64), a), n: 1i64 }, if (a < a) {
            E::One(a)
        } else {
            E::Two { x: v11, n: 1i64 }
        }), S { a: 1.0, b: (v11, a), n: 0i64 }];
        let mut v17: f64 = ({
            let mut v15: f64 = a;
            let mut v16: i64 = 0;
            loop {
                v15 = v11;
                v16 += 1;
                if ((v16 >= 3) || (!(graded(0.5, (n as i64)) <= v11))) {
                    break v15;
                }
            }
        }).tanh();
    }
    'l18: for v18 in 0i64..3i64 {
        let mut v19 = vec![(-a)];
        let mut v20 = vec![S { a: a, b: (u[((v18 as usize) % u.len())], a), n: v18 }, S { a: x[((v18 as usize) % x.len())], b: (a, x[(((n as i64) as usize) % x.len())]), n: 1i64 }];
    }
    'l21: for &v21 in x {
        {
            let mut i0 = ((((2.5 * a) as i64) as usize) % u.len());
            bump(&mut u[i0], match chained(2.0, v21) {
                Ok(v22) => v22,
                Err(v23) => v21,
            });
        }
        let mut v28: Box<dyn Fn(f64) -> f64> = if (v21.max(u[((1i64 as usize) % u.len())]) < v21) {
            Box::new(move |v24: f64| v21)
        } else {
            Box::new(move |v24: f64| (0.5 * a.tanh()))
        };
    }
    (0.5 + a)
}
}

mod p5 {
use super::*;
pub const CASE: Case = Case { seed: 5, args: Args { x: [0.6136166143457435, 0.6578865352818228, 0.7732862381771967, 0.13323641279602286], u: [-0.6176036318936015, 0.9185568745225217, 0.38047729115727735], a: -0.290726618707632, n: 1 }, along: Args { x: [-0.3631203957288264, -0.02316319061204855, 0.8248380796931315, 0.43918816537766103], u: [1.0117563922649626, 0.05443671033279535, -0.4153919538132211], a: 0.5273541571476402, n: 3 }, singles: false };

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
    for p14 in u.iter_mut() {
        let mut v14 = *p14;
        *p14 = 1.25;
    }
    let mut v18: Box<dyn Fn(f64) -> f64> = if (0i64 == 2i64) {
        Box::new(move |v15: f64| match (if (!(a <= a)) {
            E::One(a)
        } else {
            E::None
        }) {
            E::One(v16) => 0.25,
            E::Two { x: v16, n: v17 } => (a * a),
            E::None => a,
        })
    } else {
        Box::new(move |v15: f64| x[((0i64 as usize) % x.len())])
    };
    let mut v21: i64 = (n as i64);
    (v18(a) + halved(&v13))
}
}

mod p6 {
use super::*;
pub const CASE: Case = Case { seed: 6, args: Args { x: [0.5319890132643309, 0.31688001707464114, 0.9363965301606592, 0.8167883249591049], u: [-0.23428369762235382, -0.5980320878489218, -0.20647048917902294], a: -0.4788055225113463, n: 2 }, along: Args { x: [0.8176581728531577, -0.8664676570056037, 0.36527236951167386, 0.04000306245867538], u: [0.7351669509976209, -0.3210909330292422, 0.7683719324709001], a: -0.14870647429645867, n: 0 }, singles: true };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = S { a: a, b: ((0.75 as f64), a), n: ((2.5 * a) as i64) };
    let mut v11 = |v12: f64| {
        a = 0.75;
        (a * v12)
    };
    let mut v13 = (v11(match (if (((n as i64) == 1i64) && ((n as i64) == 2i64)) {
        E::One((2.0 as f64))
    } else {
        E::None
    }) {
        E::One(v14) => x[((3i64 as usize) % x.len())],
        E::Two { x: v14, n: v15 } => 1.25,
        E::None => 0.5,
    }) + v11(0.5));
    let mut v18 = (v13 as f32);
    if (2i64 < 3i64) {
        v10 = turned(v10, if ((a < a) || (3i64 == 2i64)) {
            E::One(a)
        } else {
            E::Two { x: 1.75, n: 1i64 }
        });
        v10.turn(match Some((0.75 as f64)) {
            Some(v20) => x[(((n as i64) as usize) % x.len())],
            None => 0.5,
        });
    } else {
        let mut v21 = D { s: v10, o: both(v13, 1.0), v: vec![Some(u[((2i64 as usize) % u.len())]).unwrap_or(u[(((n as i64) as usize) % u.len())]), halved(x), u[((v10.n as usize) % u.len())].cos()], e: if (v13 < v13) {
            E::One(a)
        } else {
            E::Two { x: 0.25, n: ((2.5 * u[((v10.n as usize) % u.len())]) as i64) }
        } };
    }
    shift(&mut v10, 0.5);
    v10 = S { a: v13, b: (a, (1.25 as f64)), n: v10.n };
    let mut v22 = |v23: f64| {
        a = {
            let mut v25: f64 = v23;
            let mut v26: i64 = 0;
            loop {
                v25 = a;
                v26 += 1;
                if ((v26 >= 3) || (v26 == v26)) {
                    break v25;
                }
            }
        };
        (a * v23)
    };
    let mut v24 = (v22({
        let mut v27: f64 = 1.5;
        let mut v28: i64 = 0;
        loop {
            v27 = 1.75;
            v28 += 1;
            if ((v28 >= 3) || (!(v27 <= v13))) {
                break v27;
            }
        }
    }) + v22(v13));
    (((v24 + v10.size(0.75)) + v13) + v24)
}
}

mod p7 {
use super::*;
pub const CASE: Case = Case { seed: 7, args: Args { x: [-0.6647448936291821, 0.05455506619107659, 0.1962168735747911, 0.7010175719893037], u: [0.6723645391901444, -0.2272351279895889, 0.7491782032306357], a: 0.21473335856303674, n: 1 }, along: Args { x: [0.9811715360178843, -0.6211552083437004, 0.5978512909641747, 0.1998520220510768], u: [0.790174236282037, -0.0240133970518, 0.06084605031928648], a: -0.6480484490604297, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v13: [f64; 3] = [v4, v4, v4];
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = Rc::new(RefCell::new((0.5 as f64).tanh().sin()));
    let mut v16 = S { a: a, b: ({
        let mut v11: f64 = 0.25;
        let mut v12: i64 = 0;
        loop {
            v11 = a;
            v12 += 1;
            if ((v12 >= 3) || (v11 < a)) {
                break v11;
            }
        }
    }, match (if (!(match both(a, 1.0) {
        Some(v15) => a,
        None => 1.5,
    } <= u[(((n as i64) as usize) % u.len())])) {
        E::One(a)
    } else {
        E::Two { x: 0.5, n: (3i64 * 1i64) }
    }) {
        E::One(v13) => v13,
        E::Two { x: v13, n: v14 } => a,
        E::None => a,
    }), n: 2i64 };
    let mut v17 = v16;
    let mut v18 = vec![blocks(x)];
    if (1i64 < 1i64) {
        let mut v20 = &x[2..3];
        {
            let mut e = (1.25 as f64);
            *v10.borrow_mut() = e;
        }
    } else {
        'l21: for &v21 in x {
            {
                let mut e = v16.a;
                *v10.borrow_mut() += e;
            }
            let mut v22 = |v23: f64| {
                a = shared(v18[((1i64 as usize) % v18.len())], h0(v21));
                (a * v23)
            };
            let mut v24 = (apply(&mut v22, v21.min(v21)) + v22(v16.b.0));
        }
    }
    (a + a)
}
}

mod p8 {
use super::*;
pub const CASE: Case = Case { seed: 8, args: Args { x: [0.48050362613161207, 0.4231135596678607, -0.19292230655322143, 0.2211515002623141], u: [-0.7669437839036802, -0.5489558085691716, 0.7855357883096793], a: -0.8535451466823657, n: 2 }, along: Args { x: [-0.7751956449375553, 0.042344334686174254, 0.1439444119493242, 0.336222604677209], u: [-0.25905370735333455, 0.6186956770670985, 0.8718508350696038], a: -0.22617884376359113, n: 1 }, singles: false };

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
    parity((0.75 as f64).max(v5), 2i64)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![S { a: a, b: (a, a), n: 1i64 }, S { a: a, b: (u[((3i64 as usize) % u.len())], a), n: ((2.5 * a) as i64) }, S { a: a, b: (u[((2i64 as usize) % u.len())], a), n: 1i64 }];
    v10.push(S { a: parity(a, 1i64), b: ((1.75 as f64), a), n: 1i64 });
    let mut v12 = (a, match Some((1.5 as f64)) {
        Some(v11) => v11,
        None => x[(((n as i64) as usize) % x.len())],
    });
    'l13: for v13 in 0i64..(n as i64) {
        if (1i64 == 2i64) {
            let mut v15 = |v16: f64| {
                a = x[(((n as i64) as usize) % x.len())];
                (a * v16)
            };
            let mut v17 = (apply(&mut v15, 1.25) + v15(0.5));
            let mut v21: [f64; 3] = [h0(2i64, v17, 1.0), Some(v17).unwrap_or(a), v17.sin()];
        } else {
            let mut v23: Box<dyn Fn(f64) -> f64> = if (1.75 < x[((v13 as usize) % x.len())]) {
                Box::new(move |v22: f64| x[((3i64 as usize) % x.len())])
            } else {
                Box::new(move |v22: f64| a)
            };
        }
        let mut v24 = 0;
        'l24: while ((v24 < 4) && (a < a)) {
            v24 += 1;
            let mut v29 = D { s: turned(S { a: x[(((n as i64) as usize) % x.len())], b: v12, n: v13 }, E::Two { x: a, n: 1i64 }), o: if ((a < a) || ((x[((v13 as usize) % x.len())] - x[((1i64 as usize) % x.len())]) < a)) {
                Some(a)
            } else {
                None
            }, v: vec![x[((v13 as usize) % x.len())]], e: E::Two { x: x[((3i64 as usize) % x.len())], n: 1i64 } };
        }
    }
    ((x.iter().map(|&v30| a).sum::<f64>() + a) + v10[((1i64 as usize) % v10.len())].a)
}
}

mod p9 {
use super::*;
pub const CASE: Case = Case { seed: 9, args: Args { x: [0.27014332676347474, 0.6044059081297707, -0.35301972529616055, 0.6451938106092197], u: [-0.4275687309338741, 0.5085110358830679, -0.42741382421498], a: -0.7014983096408133, n: 3 }, along: Args { x: [0.3028379445251573, -0.9316383841546058, 0.6310766895463675, 0.24759128164972238], u: [-0.1024020557263795, -0.058643735330000245, -0.43983157869646905], a: 0.5645888993905035, n: 1 }, singles: false };

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
    ((((((a + a) + {
        let mut r = *v10.borrow();
        r
    }) + v11.size(0.75)) + v14[((1i64 as usize) % v14.len())].a) + v17) + total(&v19))
}
}

mod p10 {
use super::*;
pub const CASE: Case = Case { seed: 10, args: Args { x: [-0.8033429119007327, -0.7087748894855342, 0.5809310778903471, 0.18379031830274775], u: [-0.8513905353212909, 0.42086943495741597, 0.09252325867986479], a: -0.2830399056472927, n: 3 }, along: Args { x: [-0.7609834750808635, -0.8977334962439142, 0.43424435056240623, -0.18388637198537058], u: [0.7145602183524069, -0.4094132709835159, -0.38817010680185837], a: 0.610824301117742, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = L::Node(match chained(a, a) {
        Ok(v10) => x[((2i64 as usize) % x.len())],
        Err(v11) => v11,
    }, Box::new(L::Node(a, Box::new(L::End))));
    if (1i64 < 2i64) {
        let mut v14: Box<dyn Solid> = Box::new(Point);
        let mut v19: [f64; 3] = [x[((1i64 as usize) % x.len())], (1.0 as f64), total(&v12)];
    } else {
        if (0.25 < 1.0) {
            let mut v21 = vec![S { a: x[((3i64 as usize) % x.len())], b: (a, x[((1i64 as usize) % x.len())]), n: 2i64 }];
            let mut v24 = if ((a * a) < x[((2i64 as usize) % x.len())]) {
                E::One(a)
            } else {
                E::Two { x: a, n: 2i64 }
            };
        } else {
            let mut v29 = S { a: (match 1i64 {
                0 => a,
                1 | 2 => x[((0i64 as usize) % x.len())],
                v28 if (a < a) => a,
                _ => a,
            }).cos(), b: (a, shared(a, a)), n: 3i64 };
        }
    }
    (total(&v12) + a)
}
}

mod p11 {
use super::*;
pub const CASE: Case = Case { seed: 11, args: Args { x: [0.07611719884837619, -0.4285067472466002, 0.40912171972629324, 0.8189822427618991], u: [0.738223885327787, -0.8528287534218909, -0.2358732987145577], a: 0.42926106367402, n: 1 }, along: Args { x: [-0.8487243942820131, -0.29211100449368166, 0.20106195824149095, 0.9597770027957536], u: [1.006651548335815, 0.2675679929906053, 0.46405596883344313], a: 0.2669693195572405, n: 0 }, singles: false };

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
    let mut v10: f64 = (-0.5);
    let mut v12: Box<dyn Fn(f64) -> f64> = if (h0(2i64, v10) < a) {
        Box::new(move |v11: f64| (2.0 as f64))
    } else {
        Box::new(move |v11: f64| v11)
    };
    let mut v13 = E::Two { x: x[((1i64 as usize) % x.len())], n: 1i64 };
    let mut v14 = move |v15: f64| (-x[((2i64 as usize) % x.len())]);
    if let Some(v16) = if (v10 < x[((1i64 as usize) % x.len())]) {
        Some((0.75 as f64))
    } else {
        None
    } {
        let mut v17 = &x[0..2];
        let mut v18: f64 = 1.75;
    }
    let mut v19 = v13;
    let mut v22: f64 = counted(if (match (if (((2.5 * a) as i64) == 1i64) {
        E::One(v10)
    } else {
        E::Two { x: a, n: (1i64 + 2i64) }
    }) {
        E::One(v20) => 2.0,
        E::Two { x: v20, n: v21 } => x[((2i64 as usize) % x.len())],
        E::None => 1.5,
    } < 1.25) {
        a
    } else {
        v10
    }, 2i64);
    let mut v25 = if ((n as i64) == 1i64) {
        E::One(x[((1i64 as usize) % x.len())])
    } else {
        E::None
    };
    ((((((x[((1i64 as usize) % x.len())] + a) + v10) + match v13 {
        E::One(v28) => v28,
        E::Two { x: v28, n: v29 } => v28,
        E::None => 0.5,
    }) + match v19 {
        E::One(v30) => v30,
        E::Two { x: v30, n: v31 } => v30,
        E::None => 0.5,
    }) + v22) + match v25 {
        E::One(v32) => v32,
        E::Two { x: v32, n: v33 } => v32,
        E::None => 0.5,
    })
}
}

mod p12 {
use super::*;
pub const CASE: Case = Case { seed: 12, args: Args { x: [-0.5741326083152429, 0.08899160782241307, 0.4884935814515015, -0.3819474673540282], u: [-0.7461091559255597, 0.048349521936293896, -0.05582839765418709], a: -0.38168180654649475, n: 3 }, along: Args { x: [-0.1322093582046165, 0.09466108479585365, -0.08187496764026456, 0.8860941826952887], u: [-0.18694170832937784, -0.31694257059641656, 0.05695353533174004], a: -0.06749980290525573, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: Box<dyn Solid> = Box::new(Point);
    v13.scale((0.5 * 0.5));
    v13 = if (x[(((n as i64) as usize) % x.len())] < x[((1i64 as usize) % x.len())]) {
        Box::new(Brick { sides: swapped(1.25, u[((3i64 as usize) % u.len())]), n: ((2.5 * a) as i64) })
    } else {
        Box::new(Point)
    };
    let mut v18 = L::Node(1.75, Box::new(L::Node({
        let mut f = |v17: f64| x[((1i64 as usize) % x.len())];
        (f(a) + f(a))
    }, Box::new(L::End))));
    let mut v19: f64 = a;
    stir(u, 0.5);
    let mut v22: Box<dyn Solid> = if (a < x[((3i64 as usize) % x.len())]) {
        Box::new(Brick { sides: (v19, v19), n: 1i64 })
    } else {
        Box::new(Point)
    };
    ((((v19 + a) + total(&v18)) + v19) + v22.twice(0.5))
}
}

mod p13 {
use super::*;
pub const CASE: Case = Case { seed: 13, args: Args { x: [-0.8746279633230123, 0.15728872297755753, -0.2861735565476525, -0.35070079460865244], u: [0.5829243154908713, -0.6676554724858424, 0.8005022616450975], a: 0.3551061819274313, n: 3 }, along: Args { x: [-0.04346445918690399, -0.9498451027002973, -0.7042491391405569, -0.9189383947358161], u: [-0.4157954613976969, -0.7522672714548488, -0.1444830368444342], a: 0.26816538776655574, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = L::Node(a, Box::new(L::Node((-0.5), Box::new(L::End))));
    let mut v12 = 0;
    'l12: while ((v12 < 4) && (a < x[(((n as i64) as usize) % x.len())])) {
        v12 += 1;
        let mut v13 = if (!(a <= x[((0i64 as usize) % x.len())])) {
            E::One(a)
        } else {
            E::None
        };
        let mut v15: Box<dyn Fn(f64) -> f64> = if (1i64 < 0i64) {
            Box::new(move |v14: f64| (0i64 as f64).cos())
        } else {
            Box::new(move |v14: f64| a)
        };
    }
    let mut v16: Box<dyn Solid> = Box::new(Point);
    (v16.size(a) * x[(((n as i64) as usize) % x.len())])
}
}

mod p14 {
use super::*;
pub const CASE: Case = Case { seed: 14, args: Args { x: [-0.5355432614071088, -0.5937042777828576, -0.3115183161141654, 0.6354259317655921], u: [-0.23889405554579873, -0.6532477617282338, -0.7798022518639707], a: 0.6038492390482545, n: 2 }, along: Args { x: [0.9464643553939419, -0.4117705353246237, -0.7558268880523541, 0.7704186660190401], u: [0.5815499743464639, -0.8146812192553359, 0.33605977462969694], a: -0.833225199790041, n: 3 }, singles: true };

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
            let mut v19: [f64; 3] = [u[((3i64 as usize) % u.len())], (1i64 as f64), renewed(x, 3i64)];
        } else {
            let mut v20 = vec![v10.cos(), (a + v10), if (((v10 as f32) as f64) < a) {
                a
            } else {
                a
            }];
        }
        let mut v23: Box<dyn Solid> = Box::new(Point);
    }
    let mut v25: Box<dyn Fn(f64) -> f64> = if (!(h0(2i64, a) <= a)) {
        Box::new(move |v24: f64| a)
    } else {
        Box::new(move |v24: f64| x[((1i64 as usize) % x.len())])
    };
    if let Some(v26) = both(a, a) {
        let mut v27 = vec![u[((2i64 as usize) % u.len())]];
        {
            let mut m = (((n as i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v28 = *i;
                let mut v29 = *j;
                let mut e = (a, a).1;
                let mut f = (v28 + a);
                *i = e;
                *j = f;
            }
        }
    }
    (h0(2i64, (0.5 * a)).cos() + a)
}
}

mod p15 {
use super::*;
pub const CASE: Case = Case { seed: 15, args: Args { x: [-0.4673584637510052, 0.22785053636068833, 0.5477158606707982, 0.7717018203606841], u: [0.4509764925019724, -0.7071626425994726, 0.7630315744639025], a: 0.801854441411905, n: 0 }, along: Args { x: [0.6429836271372921, -0.8862186364826207, 0.5540495512168682, -0.0022599787787447537], u: [0.07263489894747138, -0.9001304241089987, 0.03149569213063847], a: 0.6705518426342054, n: 2 }, singles: false };

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
            let mut v25 = turned(S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: (n as i64) }, E::Two { x: a, n: (1i64 + (n as i64)) });
        }
        let mut v27 = E::Two { x: u[(((n as i64) as usize) % u.len())], n: ((2.5 * a) as i64) };
    }
    (((x[((1i64 as usize) % x.len())] * (0.5 * a)) + a) + v17.1)
}
}

mod p16 {
use super::*;
pub const CASE: Case = Case { seed: 16, args: Args { x: [-0.6641792706142562, -0.5925674257233263, 0.5350152378435303, -0.31128577425549464], u: [0.9767952367456142, -0.1781389826363269, -0.9539474586185774], a: 0.4078367610044928, n: 3 }, along: Args { x: [0.5663356243165103, 0.7769428634012102, -0.8042560780879966, -0.11371574564479668], u: [-0.46751019721046405, 0.17286038736935577, 0.5293179779296128], a: -0.5197968642732703, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Solid> = Box::new(Ball { r: x[((3i64 as usize) % x.len())] });
    let mut v13 = vec![S { a: 2.0, b: swapped(a, a), n: (n as i64) }];
    for v14 in v13.iter_mut() {
        v14.turn(a);
    }
    let mut v17 = Rc::new(RefCell::new(x.windows(2).map(|c| {
        let mut v15 = c[0];
        let mut v16 = c[(c.len() - 1)];
        v11.twice(a)
    }).sum::<f64>()));
    {
        let mut e = (0.75 as f64).tanh().cos();
        *v17.borrow_mut() = e;
    }
    if (1.0 < a) {
        for v19 in v13.iter_mut() {
            v19.turn(match Some(u[((3i64 as usize) % u.len())]) {
                Some(v20) if (a < v20) => 1.25,
                _ => x[((2i64 as usize) % x.len())],
            });
        }
        'l21: for &v21 in x {
            let mut v23: Result<f64, f64> = ratio(x[((1i64 as usize) % x.len())], (v21 * v21));
            for v25 in v13.iter_mut() {
                v25.turn(a);
            }
        }
    } else {
    }
    (root({
        let mut r = *v17.borrow();
        r
    }).unwrap_or(solids(a, 3i64).min(1.0)) + v13[((1i64 as usize) % v13.len())].a)
}
}

mod p17 {
use super::*;
pub const CASE: Case = Case { seed: 17, args: Args { x: [-0.21450112781661929, -0.11572785449259226, 0.04247818152447259, -0.15531215246615354], u: [-0.11678169793790888, -0.712542970593128, 0.37594273574348863], a: -0.4070766627436736, n: 1 }, along: Args { x: [-0.9436885943250461, -0.5728787453174926, 0.09430871388943737, 0.16930565821844332], u: [0.8043464110939422, -0.7306081423834316, 0.3464594222712455], a: 0.6883233497379352, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Fn(f64) -> f64> = if (2i64 < 3i64) {
        Box::new(move |v10: f64| (a * x[((2i64 as usize) % x.len())]))
    } else {
        Box::new(move |v10: f64| (0.25 as f64).cos())
    };
    let mut v13 = S { a: (0.5 as f64).tanh(), b: (a, v11(a)), n: ((2.5 * 1.5) as i64) };
    let mut v14 = L::Node(x[((2i64 as usize) % x.len())], Box::new(L::Node(graded(a, v13.n), Box::new(L::End))));
    (total(&v14) + a)
}
}

mod p18 {
use super::*;
pub const CASE: Case = Case { seed: 18, args: Args { x: [0.5647140504097082, -0.17957058976678397, 0.3309813202722047, -0.06794143372235008], u: [-0.17068703790397066, -0.7605329386006313, 0.5449753030945718], a: 0.7841137985898637, n: 3 }, along: Args { x: [0.26344493785311623, 0.3959356627064304, 0.3502044982018129, -0.29033980842700524], u: [-0.1423553431394933, -0.11005164013399202, -0.8803127943283606], a: -0.820767985639497, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    bump(&mut a, 0.25);
    let mut v12 = vec![S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: (2i64 + 1i64) }, S { a: a, b: swapped(x[((0i64 as usize) % x.len())], a), n: (n as i64) }, S { a: x[((2i64 as usize) % x.len())], b: swapped(a, a), n: 0i64 }];
    let mut v13: f64 = a;
    ((((v13 - (0i64 as f64)) + a) + v12[((1i64 as usize) % v12.len())].a) + v13)
}
}

mod p19 {
use super::*;
pub const CASE: Case = Case { seed: 19, args: Args { x: [-0.40102867405730624, -0.2704581695763322, -0.6384041290152691, -0.1811192707209744], u: [0.11837483453072842, -0.44160455484160244, 0.38821278362430334], a: 1.0137842359373626, n: 2 }, along: Args { x: [-0.5026598148381339, 0.5295289499117494, 0.828355882400487, -0.2583323236533302], u: [0.45853008165207143, -0.4579733194357987, 0.01792715816247767], a: -0.08049126313782039, n: 2 }, singles: true };

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
            }, v11), n: ((2.5 * a) as i64) };
        }
        let mut v26: Option<f64> = Some({
            let mut f = |v19: f64| match (if (x[((2i64 as usize) % x.len())] < v19) {
                Some(x[((3i64 as usize) % x.len())])
            } else {
                None
            }) {
                Some(v20) => v19,
                None => match v10 {
                    0 => x[((v10 as usize) % x.len())],
                    1 | 2 => v19,
                    v23 if ((a < v19) && (0i64 < (n as i64))) => 0.25,
                    _ => v19,
                },
            };
            (f(x[((v10 as usize) % x.len())]) + f(1.5))
        });
    }
    let mut v35 = D { s: turned(S { a: x[((1i64 as usize) % x.len())], b: (a, a), n: 1i64 }, E::One((2.0 as f64))), o: Some((1.0 as f64)), v: vec![(1.5 as f64), a, a], e: if (!(match Some(a) {
        Some(v34) => a,
        None => a,
    } <= a)) {
        E::One(u[((3i64 as usize) % u.len())])
    } else {
        E::Two { x: 1.75, n: (n as i64) }
    } };
    let mut v36 = vec![S { a: 1.5, b: (a, x[(((n as i64) as usize) % x.len())]), n: 3i64 }, S { a: a, b: (a, x[((3i64 as usize) % x.len())]), n: (1i64 * 1i64) }];
    let mut v37 = (-(a as f32).max((1.5 as f32)));
    ((a + a) + weigh(&v35, 0.5))
}
}

mod p20 {
use super::*;
pub const CASE: Case = Case { seed: 20, args: Args { x: [0.3418802714034204, -0.7558601943813646, 0.7250235057860389, 0.8611436075819618], u: [0.08371140200350624, 0.6804545540243842, 0.6767767933556563], a: -0.7787548379442519, n: 0 }, along: Args { x: [0.9628583296375288, -0.6320484737535234, -0.4630158106731084, 0.5132972501295393], u: [0.7644540991843993, -0.029570210113551307, 0.27102344155171704], a: 0.6312818689602323, n: 2 }, singles: false };

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
        }, stepped(a, 3i64));
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
    let mut v24: Box<dyn Solid> = if (!(u[((1i64 as usize) % u.len())] <= x[((0i64 as usize) % x.len())])) {
        Box::new(Ball { r: {
            let mut r = *v23.borrow();
            r
        } })
    } else {
        Box::new(Brick { sides: (a, a), n: 2i64 })
    };
    if ({
        let mut f = |v26: f64| (-a).max(match ratio(v26, 1.75) {
            Ok(v27) => v26,
            Err(v28) => x[((2i64 as usize) % x.len())],
        });
        (f(a) + f(a))
    } < 1.25) {
    } else {
    }
    (((combined(Some((2.0 as f64)), a).filter(|&v29| (!(a <= v29))).unwrap_or(u[((v19.n as usize) % u.len())]) + v19.size(0.75)) + {
        let mut r = *v23.borrow();
        r
    }) + v24.twice(0.5))
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
    let mut v14: [f64; 3] = [if (!(0.75 <= v4)) {
        1.25
    } else {
        v4
    }, v4, v4];
    Some((1.75 as f64)).map(|v15| match (if (!(v15 <= v15)) {
        E::One(v15)
    } else {
        E::Two { x: v4, n: 1i64 }
    }) {
        E::One(v16) => 1.75,
        E::Two { x: v16, n: v17 } => v4,
        E::None => (1.0 as f64).cos(),
    })
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
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
pub const CASE: Case = Case { seed: 22, args: Args { x: [0.1683423414308937, -0.03588944217877119, -0.5580958893306289, 0.5263431689574349], u: [-0.7538612359945684, 0.5304917468230966, 0.9597190552815127], a: 0.685262371697381, n: 2 }, along: Args { x: [-0.4501658071659548, -0.0711838475578608, 0.5301485618577712, 0.8186568169854638], u: [-0.669495663807799, 0.6786201367844784, 0.29156642374802394], a: -0.8541352498508893, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: f64 = a;
    let mut v16 = vec![a, v10];
    {
        let mut i0 = ((1i64 as usize) % v16.len());
        v16[i0] *= v10;
    }
    let mut v17: i64 = (n as i64);
    {
        let mut m = (((v17 * 0i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v18 = *i;
            let mut v19 = *j;
            let mut e = (0.5 * v18);
            let mut f = match both(x[((v17 as usize) % x.len())], a) {
                Some(v20) if ((!(1.25 <= v10)) || (v17 < v17)) => v18,
                _ => 1.5,
            };
            *i = e;
            *j = f;
        }
    }
    let mut v25 = vec![{
        let mut f = |v23: f64| ((3i64 * 1i64) as f64);
        (f(v10) + f(x[((0i64 as usize) % x.len())]))
    }, x.iter().map(|&v24| (x[(((n as i64) as usize) % x.len())] * a)).sum::<f64>()];
    let mut v26 = move |v27: f64| Some(v27).unwrap_or(a);
    let mut v31 = Rc::new(RefCell::new(u[((1i64 as usize) % u.len())]));
    (((((v26(v26(1.25)) * parity(1.25, (n as i64))) + v10) + halved(&v16)) + halved(&v25)) + {
        let mut r = *v31.borrow();
        r
    })
}
}

mod p23 {
use super::*;
pub const CASE: Case = Case { seed: 23, args: Args { x: [-0.16643740044771976, -0.8447669579272252, -0.4445651342616501, 0.9458861422416879], u: [0.39769416316596057, 0.4037611338343245, 0.7596704236165328], a: -0.8240666243617267, n: 3 }, along: Args { x: [0.540934825558782, 0.9267394111387786, -0.7587026774071587, -0.3585950076145822], u: [-0.5870095252642729, -0.07154098479136865, 0.07444357419116654], a: 0.798074633375639, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = 1.25;
    }
    for p14 in u.iter_mut() {
        let mut v14 = *p14;
        *p14 = shared(x[((0i64 as usize) % x.len())], {
            let mut v15: f64 = a;
            let mut v16: i64 = 0;
            loop {
                v15 = v15;
                v16 += 1;
                if ((v16 >= 3) || (3i64 < 1i64)) {
                    break v15;
                }
            }
        });
    }
    let mut v17: Box<dyn Solid> = Box::new(Point);
    let mut v19 = D { s: S { a: x[((1i64 as usize) % x.len())], b: (a, (1.25 as f64)), n: 1i64 }, o: root(u[((1i64 as usize) % u.len())]), v: vec![x[((2i64 as usize) % x.len())], a, a], e: if (0i64 < (n as i64)) {
        E::One(a)
    } else {
        E::Two { x: 1.75, n: 3i64 }
    } };
    let mut v21 = Rc::new(RefCell::new((a * a).min(0.75)));
    let mut v22 = vec![S { a: 1.25, b: (a, x[((1i64 as usize) % x.len())]), n: 1i64 }, turned(S { a: x[((1i64 as usize) % x.len())], b: swapped(1.5, 1.5), n: 1i64 }, E::One(x[((3i64 as usize) % x.len())]))];
    let mut v24 = L::Node(match (n as i64) {
        0 => x[((2i64 as usize) % x.len())],
        1 | 2 => 1.5,
        v23 if ((-a) < 1.5) => 0.5,
        _ => a,
    }, Box::new(L::End));
    ((((({
        let mut r = *v21.borrow();
        r
    } + a) + weigh(&v19, 0.5)) + {
        let mut r = *v21.borrow();
        r
    }) + v22[((1i64 as usize) % v22.len())].a) + total(&v24))
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
pub const CASE: Case = Case { seed: 25, args: Args { x: [0.9052149518476276, -0.58723690794149, 0.5188901308127987, 0.13834810415966967], u: [-0.7599175575012809, -0.8036741173152896, 1.0083704877820006], a: -0.6643914835288796, n: 2 }, along: Args { x: [-0.06329207315896987, -0.4405881426033615, -0.5945364180701177, -0.06386580495004976], u: [0.7404711924700768, -0.07483709121782695, 0.3037938694424955], a: 0.7768183681850735, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> Option<f64> {
    let mut v15: f64 = v4;
    'l16: for v16 in 0i64..3i64 {
        let mut v17 = L::Node(v4, Box::new(L::End));
        let mut v18 = turned(S { a: 0.5, b: ((1.0 as f64), (1.5 as f64)), n: ((-9223372036854775807i64) / v16) }, E::Two { x: v4, n: v16 });
    }
    Some(v15)
}

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
    ((((orchard(match h0(1.0).map(|v25| v25) {
        Some(v24) => a,
        None => a.max(x[((1i64 as usize) % x.len())]),
    }, 1i64) + a) + halved(&v10)) + halved(&v14)) + halved(&v16))
}
}

mod p26 {
use super::*;
pub const CASE: Case = Case { seed: 26, args: Args { x: [0.03264450554635495, 0.7159688471765345, -0.9393468334925491, -0.8419067169124514], u: [0.8036649909029605, -0.4370458878908019, 0.6975434778270314], a: -0.08438982462211053, n: 3 }, along: Args { x: [-0.7756407620120355, 0.252247982206002, -0.37960353706251465, -0.4549248096799333], u: [0.658229362195744, -0.49363309768211394, -0.32412254796567463], a: 0.5868497892380139, n: 0 }, singles: true };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v11 = S { a: v4.max(v4).tanh(), b: ((1.75 as f64), v4), n: 0i64 };
    let mut v12 = |v13: f64| {
        v4 = match chained(v4, v13) {
            Ok(v15) => v4,
            Err(v16) => (v16 - v16),
        };
        (v4 * v13)
    };
    let mut v14 = (apply(&mut v12, 0.5) + v12((0.5 * 1.5)));
    if (1.75 < 1.5) {
        let mut v21 = D { s: turned(S { a: 0.75, b: swapped(v4, v4), n: v11.n }, E::Two { x: 1.25, n: 2i64 }), o: (if ((0i64 == 0i64) && (v4 < 0.25)) {
            Some((1.75 as f64))
        } else {
            None
        }).filter(|&v20| (Some(v4).unwrap_or(v14) < v20)), v: vec![v14], e: E::One(v4) };
        let mut v22 = (-(-(v14 as f32)));
    } else {
        v11.b.0 += match (E::Two { x: 2.0, n: 0i64 }) {
            E::One(v23) => v4,
            E::Two { x: v23, n: v24 } => (v4 * 0.5),
            E::None => v4,
        };
    }
    match v11.n {
        0 => (0.75 + 0.5),
        1 | 2 => v14,
        v27 if (v11.n == 1i64) => v4,
        _ => (1.5 as f64).sin(),
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (a < a) {
        let mut v12 = vec![S { a: 1.0, b: swapped(0.5, a), n: ((2.5 * 1.0) as i64) }, S { a: 1.5, b: (a, a), n: 1i64 }, turned(S { a: a, b: (a, (1.75 as f64)), n: (0i64 / 2i64) }, E::Two { x: 1.5, n: 1i64 })];
        let mut v13: f64 = 1.5;
    } else {
        'l14: for v14 in 0i64..(n as i64) {
            for p15 in u[1..].iter_mut() {
                let mut v15 = *p15;
                *p15 = {
                    let mut f = |v16: f64| v15;
                    (f(v15) + f(a))
                };
            }
            let mut v18 = Rc::new(RefCell::new(h0(0.75)));
        }
    }
    stir(u, h0(0.5));
    let mut v19 = 0;
    'l19: while ((v19 < 4) && ((1i64 < 2i64) || (0.5 < u[((3i64 as usize) % u.len())]))) {
        v19 += 1;
        let mut v25 = turned(S { a: a, b: ((1.75 as f64), a), n: (3i64 / 9223372036854775807i64) }, E::Two { x: 1.25, n: (n as i64) });
        for p26 in u.iter_mut() {
            let mut v26 = *p26;
            *p26 = (v26.tanh() * v26);
        }
    }
    a
}
}

mod p27 {
use super::*;
pub const CASE: Case = Case { seed: 27, args: Args { x: [-0.6504403586876042, 0.5594759570440515, 0.34390870010349195, 0.5874083872384169], u: [0.4017459278301983, 0.05132898146371199, -0.8341469025834184], a: 0.6878327747558319, n: 3 }, along: Args { x: [-0.9669368101925485, 0.5666067748187344, 0.32499471082268755, -0.9171867405660891], u: [0.839503646077869, 0.7230323257586817, -0.44434463952624786], a: -0.13118233485906178, n: 3 }, singles: false };

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
pub fn h1(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    if (!(v4 <= v4)) {
        let mut v13: Option<f64> = root({
            let mut v11: f64 = 1.75;
            let mut v12: i64 = 0;
            loop {
                v11 = v4;
                v12 += 1;
                if ((v12 >= 3) || (h0(v11, v11) < v11)) {
                    break v11;
                }
            }
        });
        let mut v14 = turned(S { a: v4, b: (v4, (2.0 as f64)), n: ((2.5 * v4) as i64) }, E::Two { x: v4, n: (3i64 + 1i64) });
    } else {
        v4 = 1.5;
    }
    0.25
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v14: i64 = (n as i64);
    let mut v17 = E::Two { x: x[((v14 as usize) % x.len())], n: (2i64 * v14) };
    if (!(1.25 <= a)) {
        v14 = 1i64;
        {
            let mut m = (((n as i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v22 = *i;
                let mut v23 = *j;
                let mut e = match v14 {
                    0 => v23,
                    1 | 2 => 1.5,
                    v24 if ((v24 == 1i64) && (((2.5 * x[((v14 as usize) % x.len())]) as i64) == v14)) => v23,
                    _ => x[((v14 as usize) % x.len())],
                };
                let mut f = combined(Some((0.5 as f64)), v22).unwrap_or(v22);
                *i = e;
                *j = f;
            }
        }
    } else {
        let mut v27 = v17;
    }
    let mut v28 = vec![a];
    let mut v32: Box<dyn Fn(f64) -> f64> = if (1.0 < 1.0) {
        Box::new(move |v29: f64| {
            let mut v30: f64 = h1(2i64, v29);
            let mut v31: i64 = 0;
            loop {
                v30 = 2.0;
                v31 += 1;
                if ((v31 >= 3) || (1i64 == (n as i64))) {
                    break v30;
                }
            }
        })
    } else {
        Box::new(move |v29: f64| (x[((0i64 as usize) % x.len())] * a))
    };
    v28.insert(((1i64 as usize) % (v28.len() + 1)), match combined(Some(a), a) {
        Some(v33) if (a < v33) => u[((v14 as usize) % u.len())],
        _ => a,
    });
    v14 = v14;
    (x.iter().enumerate().map(|(i, &v34)| {
        let mut v35 = (i as i64);
        v32(x[((1i64 as usize) % x.len())])
    }).sum::<f64>() + match v17 {
        E::One(v36) => v36,
        E::Two { x: v36, n: v37 } => v36,
        E::None => 0.5,
    })
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
pub const CASE: Case = Case { seed: 29, args: Args { x: [-0.4627613245376574, -0.8291717475731243, -0.6348486055485583, 0.6781610281771797], u: [-0.5397000961913399, 0.6171576750686419, 0.26675554114361455], a: 0.9617578794146248, n: 1 }, along: Args { x: [-0.3556105284431091, 0.8661592776930234, -0.5614275596144174, -0.20378523365229279], u: [0.17831745840365404, 0.18538498652617846, 0.1981918683600872], a: 0.6682332949021081, n: 2 }, singles: true };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v13: f64 = match 1i64 {
        0 => v4,
        1 | 2 => v4,
        v10 if ((v10 < 3i64) || (match (E::Two { x: v4, n: v10 }) {
        E::One(v11) => 2.0,
        E::Two { x: v11, n: v12 } => v11,
        E::None => v4,
    } < v4)) => orchard(v4, 1i64),
        _ => v4,
    };
    if let Some(v14) = Some(v4) {
        let mut v15 = (v13 as f32);
        let mut v17 = L::Node(v14, Box::new(L::Node((v4 + v4), Box::new(L::End))));
    }
    v13
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = 0;
    'l10: while ((v10 < 4) && ((!(((a as f32) as f64) <= a)) || (1i64 < 3i64))) {
        v10 += 1;
        let mut v12 = S { a: 0.75, b: (a.sin(), a), n: (n as i64) };
        let mut v13 = &x[1..4];
    }
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] = a;
    }
    for p14 in u[1..].iter_mut() {
        let mut v14 = *p14;
        *p14 = shared(h0(2i64, a), v14);
    }
    let mut v15: Option<f64> = Some(a);
    let mut v18: Box<dyn Solid> = if ((-u[((0i64 as usize) % u.len())]) < a) {
        Box::new(Brick { sides: (a, a), n: 1i64 })
    } else {
        Box::new(Point)
    };
    let mut v21 = (a, a);
    a = match v15 {
        Some(v23) if ((3i64 * 1i64) == 3i64) => a,
        _ => (0.25 as f64).max(a),
    };
    let mut v24 = if (a < 0.5) {
        E::One(a)
    } else {
        E::None
    };
    ((((a + a) + v15.unwrap_or(0.25)) + v21.1) + match v24 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    })
}
}

mod p30 {
use super::*;
pub const CASE: Case = Case { seed: 30, args: Args { x: [-0.4119947676233287, 0.24536952033372691, -0.7140095714315209, 0.7748339768232999], u: [0.4663376147337145, 0.6939575434789064, 0.46900852427287987], a: 0.9044371151536709, n: 0 }, along: Args { x: [0.26039522312074326, -0.5681404819515676, -0.4073164962803839, -0.10208166948623626], u: [0.9485335945064229, -0.10761505982258276, 0.7949719484834669], a: 0.14360205904186613, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v11 = L::Node(v4, Box::new(L::End));
    let mut v13 = v11.clone();
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Box<dyn Solid> = Box::new(Ball { r: match chained(1.5, 0.75) {
        Ok(v10) => v10,
        Err(v11) => v11,
    } });
    mix(u, match (if ((1i64 == 3i64) && (0.5 < 0.5)) {
        Ok((0.5 as f64))
    } else {
        Err((0.5 as f64))
    }) {
        Ok(v13) => x[((3i64 as usize) % x.len())],
        Err(v14) => x[((1i64 as usize) % x.len())],
    });
    let mut v17 = 0;
    'l17: while ((v17 < 4) && (1i64 < 1i64)) {
        v17 += 1;
        a = a;
        let mut v23 = swapped(match 1i64 {
            0 => a,
            1 | 2 => a,
            v22 if (a < u[((3i64 as usize) % u.len())]) => a,
            _ => a,
        }, h0(a));
    }
    {
        let mut i0 = ((1i64 as usize) % u.len());
        bump(&mut u[i0], match Some((0.5 as f64)) {
            Some(v24) => v24,
            None => 0.5,
        });
    }
    let mut v30 = if (match chained(x[((1i64 as usize) % x.len())], u[((1i64 as usize) % u.len())]) {
        Ok(v28) => a,
        Err(v29) => a,
    } < x[((1i64 as usize) % x.len())]) {
        E::One(a)
    } else {
        E::Two { x: if (a < u[(((n as i64) as usize) % u.len())]) {
            1.75
        } else {
            x[((3i64 as usize) % x.len())]
        }, n: 1i64 }
    };
    let mut v33: f64 = (x[((1i64 as usize) % x.len())] * a);
    let mut v34: Box<dyn Solid> = Box::new(Ball { r: root(x[((1i64 as usize) % x.len())]).unwrap_or(1.25) });
    let mut v36 = S { a: (0.25 as f64).cos().cos(), b: swapped(match Some(u[((2i64 as usize) % u.len())]) {
        Some(v35) => x[((2i64 as usize) % x.len())],
        None => v33,
    }, (a * a)), n: ((2.5 * v33) as i64) };
    (((Some((2.0 as f64)).unwrap_or(v33.tanh()) * u[((v36.n as usize) % u.len())]) + v34.twice(0.5)) + v36.size(0.75))
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
        Some(v18) => graded((v18 + 0.5), 3i64),
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
pub const CASE: Case = Case { seed: 33, args: Args { x: [-0.8144680675800606, -0.6849388510844974, 0.43594439291468423, -0.1889079949386006], u: [-0.8603267708398938, -0.6465022894579164, 0.3645127698094215], a: 0.11842988325614548, n: 2 }, along: Args { x: [-0.1972789882236029, 0.25595705000276814, 0.7064098988766279, -0.2639097328355342], u: [0.45379379522223917, -0.7834861721889343, 0.5430938999487704], a: -0.07592767626952376, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Solid> = Box::new(Ball { r: a });
    let mut v12 = vec![S { a: 2.0, b: ((0.5 as f64), x[((1i64 as usize) % x.len())]), n: ((2.5 * 1.25) as i64) }];
    {
        let mut m = ((0i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v13 = *i;
            let mut v14 = *j;
            let mut e = 0.5;
            let mut f = (1.75 - 1.5);
            *i = e;
            *j = f;
        }
    }
    if (1i64 == 1i64) {
        let mut v16 = &x[0..4];
        a -= 1.75;
    } else {
        let mut v18: i64 = (1i64 * (n as i64));
    }
    for p19 in u[1..].iter_mut() {
        let mut v19 = *p19;
        *p19 = 1.5;
    }
    let mut v20 = vec![x[((1i64 as usize) % x.len())], x[((2i64 as usize) % x.len())]];
    for p21 in u.iter_mut() {
        let mut v21 = *p21;
        *p21 = a;
    }
    ((({
        let mut f = |v22: f64| a;
        (f(v20[((1i64 as usize) % v20.len())]) + f(match 2i64 {
            0 => 0.25,
            1 | 2 => a,
            v23 if (!(Some(a).unwrap_or(2.0) <= u[((v23 as usize) % u.len())])) => if (!(x[((2i64 as usize) % x.len())] <= 1.75)) {
                a
            } else {
                x[((3i64 as usize) % x.len())]
            },
            _ => 1.25,
        }))
    } + a) + v11.twice(0.5)) + halved(&v20))
}
}

mod p34 {
use super::*;
pub const CASE: Case = Case { seed: 34, args: Args { x: [-0.8654649576034275, 0.25628775166816586, 0.8068327129750373, -0.5680363457775376], u: [0.7390567098302038, 0.20623111983248807, 0.7861984123455877], a: 0.9033677235709258, n: 1 }, along: Args { x: [-0.18538295016426706, -0.6943798200948396, 0.3671178132693051, 0.33730378739347366], u: [0.703914147570859, -0.5976062091542226, 0.5716346059837609], a: -0.7110318335222457, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v15: Result<f64, f64> = ratio(match (if ((n as i64) < 3i64) {
        E::One((1.75 as f64))
    } else {
        E::Two { x: 2.0, n: 0i64 }
    }) {
        E::One(v13) => 2.0,
        E::Two { x: v13, n: v14 } => v13,
        E::None => a,
    }, a);
    let mut v16 = vec![(a - 1.5)];
    let mut v17 = turned(S { a: if (1i64 == 0i64) {
        a
    } else {
        a
    }, b: swapped(x[((3i64 as usize) % x.len())], a), n: 1i64 }, if ((!((a, (1.0 as f64)).1 <= x[((1i64 as usize) % x.len())])) && ((n as i64) == 2i64)) {
        E::One(a)
    } else {
        E::None
    });
    let mut v19: [f64; 3] = [a, Some(a).unwrap_or(x[((v17.n as usize) % x.len())]), x[((2i64 as usize) % x.len())]];
    ((((0.25 + a) + halved(&v16)) + v17.size(0.75)) + halved(&v19))
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
pub const CASE: Case = Case { seed: 36, args: Args { x: [-0.2824716949818898, 0.31168626667707994, -0.25790115576574335, 0.19634958064674102], u: [-0.14762793714477057, -0.03412802941598071, -0.5022271418470405], a: 0.9031041043517164, n: 3 }, along: Args { x: [-0.511622671222139, -0.05758151389662573, -0.7908807619103853, 0.1570990346584888], u: [-0.2682238678022255, -0.07933251587381616, -0.7229076189363446], a: 0.18268833070975204, n: 1 }, singles: false };

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
    let mut v15 = S { a: x[(1i64 as usize)], b: swapped(0.5, 1.5), n: (n as i64) };
    let mut v18: f64 = 1.75;
    let mut v20: [f64; 3] = [((match both(x[((1i64 as usize) % x.len())], a) {
        Some(v19) => 0.5,
        None => 1.75,
    }) as f64), v18, Some(x[(((n as i64) as usize) % x.len())]).unwrap()];
    let mut v21 = L::Node(v18, Box::new(L::Node((0.5 * 1.5), Box::new(L::Node(if (3i64 < 0i64) {
        v18
    } else {
        v18
    }, Box::new(L::End))))));
    v15.b.0 = rises(x, if (u[((1i64 as usize) % u.len())] < u[((3i64 as usize) % u.len())]) {
        a
    } else {
        0.5
    });
    (((a + a) + v18) + total(&v21))
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
    (((((graded(u[((0i64 as usize) % u.len())], 0i64) + a) + v14) + v15.twice(0.5)) + match v23 {
        E::One(v27) => v27,
        E::Two { x: v27, n: v28 } => v27,
        E::None => 0.5,
    }) + total(&v25))
}
}

mod p38 {
use super::*;
pub const CASE: Case = Case { seed: 38, args: Args { x: [-0.20820507730039306, -0.40099321896935447, 0.9993608402183617, 0.06552171995445792], u: [-0.3663806828645669, -0.06340515900424014, 1.0101308136227338], a: 0.7528860150239499, n: 1 }, along: Args { x: [0.7420189842658778, 0.6047923586678051, -0.6513602276018654, 0.7261237576413547], u: [0.04328541540415185, -0.7237618825863609, 0.3937984951226348], a: 0.7368954904665932, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: i64 = (n as i64);
    let mut v13: Option<f64> = Some(x[((1i64 as usize) % x.len())]);
    let mut v14 = &x[1..3];
    2.0
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
    let mut v16 = vec![x[((2i64 as usize) % x.len())], solids(a, 1i64)];
    {
        let mut i0 = (((1i64 + 3i64) as usize) % v16.len());
        v16[i0] *= counted((a + u[((3i64 as usize) % u.len())]), (n as i64));
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
pub const CASE: Case = Case { seed: 40, args: Args { x: [-0.513607524141066, 0.06054359059586608, -0.08834925405665459, 0.03018463203155862], u: [-0.7518828891678336, -0.12969252801046263, -0.2840593549181943], a: -0.13206096845598636, n: 1 }, along: Args { x: [-0.26687246579168217, 0.5553260330124667, 0.3021286095370046, -0.9196921630079715], u: [0.3780404120462723, -0.28745673537124466, 0.606670483878622], a: -0.7056709013005567, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64, mut v5: f64) -> f64 {
    let mut v10: Result<f64, f64> = chained(v4, v5);
    let mut v12: Result<f64, f64> = chained(v4, match 1i64 {
        0 => v4,
        1 | 2 => v5,
        v11 if (!(v4 <= 0.75)) => 2.0,
        _ => v4,
    });
    match ((2.5 * v4) as i64) {
        0 => v4,
        1 | 2 => v5,
        v13 if (v4 < v4) => v5.sin(),
        _ => v5.sin(),
    }
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![a];
    for p11 in v10.iter_mut() {
        let mut v11 = *p11;
        *p11 = (x[((2i64 as usize) % x.len())], v11).0;
    }
    for p12 in v10.iter_mut() {
        let mut v12 = *p12;
        *p12 = v12;
    }
    let mut e13 = h0(if (!(match Some(a) {
        Some(v14) => a,
        None => a,
    } <= a)) {
        a
    } else {
        a
    }, 1.25);
    let mut p13 = if (!(duo(a, a) <= a)) {
        let mut i0 = (((0i64 + 0i64) as usize) % u.len());
        &mut u[i0]
    } else {
        let mut i0 = ((1i64 as usize) % v10.len());
        &mut v10[i0]
    };
    *p13 *= e13;
    a -= a;
    {
        let mut i0 = (((n as i64) as usize) % v10.len());
        v10[i0] = match root(1.75) {
            Some(v16) => u[((1i64 as usize) % u.len())],
            None => a.sin(),
        };
    }
    if let Some(v17) = both(x[((0i64 as usize) % x.len())], a).and_then(|v18| Some(a)) {
        a = v17;
        let mut v19 = E::One(strided(&v10, 0i64));
    }
    'l20: while let Some(v20) = v10.pop() {
    }
    v10.push(match Some(a) {
        Some(v21) if ((v21 < x[((2i64 as usize) % x.len())]) && ((a, v21).1 < v21)) => v21,
        _ => a,
    });
    (v10[((1i64 as usize) % v10.len())] + halved(&v10))
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
        let mut v16: f64 = a;
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
pub const CASE: Case = Case { seed: 42, args: Args { x: [-0.02340061251419233, -0.04044792080203451, 0.7009377625681241, -0.09566202121198239], u: [-0.46227102692766003, -0.9635041500325433, -0.1450500442130977], a: 0.371527327420077, n: 2 }, along: Args { x: [-0.833372814898909, 0.28266444720467726, -0.8086722377576498, -0.7458259539732727], u: [0.4320358875396385, 0.9164265469794717, 0.7351500900630497], a: 0.1840651180077035, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: Result<f64, f64> = chained({
        let mut v11: f64 = a;
        let mut v12: i64 = 0;
        loop {
            v11 = 0.75;
            v12 += 1;
            if ((v12 >= 3) || ((!(v11 <= a)) && (a < 0.5))) {
                break v11;
            }
        }
    }, a);
    if let Some(v14) = both(x[((0i64 as usize) % x.len())], 1.0) {
        let mut v15 = &x[0..3];
        let mut v16 = turned(S { a: a, b: ((0.25 as f64), (1.0 as f64)), n: 3i64 }, E::Two { x: a, n: 3i64 });
    }
    let mut v19: Box<dyn Solid> = Box::new(Ball { r: match Some(a) {
        Some(v18) => a,
        None => a,
    } });
    (match (1i64 * 1i64) {
        0 => {
            let mut v21: f64 = a;
            let mut v22: i64 = 0;
            loop {
                v21 = u[((1i64 as usize) % u.len())];
                v22 += 1;
                if ((v22 >= 3) || (1i64 < 1i64)) {
                    break v21;
                }
            }
        },
        1 | 2 => x[((0i64 as usize) % x.len())],
        v20 if (v20 < 2i64) => (a * x[((v20 as usize) % x.len())]),
        _ => (0.5 * a),
    } + a)
}
}

mod p43 {
use super::*;
pub const CASE: Case = Case { seed: 43, args: Args { x: [-0.4026222197075189, 0.3728679473192862, -0.3877510136155842, 0.35986117268336965], u: [0.9319272893627122, 0.5506136010540894, 0.1978900566294858], a: 0.7233261605996109, n: 3 }, along: Args { x: [-0.3453220530371157, -0.9992282280715608, 0.30442678302559245, -0.3651978373079606], u: [0.8927609919075795, -0.915200788543198, -0.08774828800985107], a: -0.18685907088624756, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v10 = vec![S { a: v4, b: (v4, v4), n: 2i64 }, S { a: v4, b: (v4, v4), n: 3i64 }];
    v10.push(S { a: v4, b: (v4, (0.75 as f64)), n: ((2.5 * v4) as i64) });
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
    if let Some(v12) = Some(x[((1i64 as usize) % x.len())]).filter(|&v13| (!(spiral(0.25, 0i64) <= x[((3i64 as usize) % x.len())]))) {
        {
            let mut m = ((((2.5 * v12) as i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v15 = *i;
                let mut v16 = *j;
                let mut e = a;
                let mut f = x.iter().map(|&v17| match root(v12) {
                    Some(v18) => h0(2i64, v12),
                    None => (v17 * v15),
                }).sum::<f64>();
                *i = e;
                *j = f;
            }
        }
        for p19 in u[1..].iter_mut() {
            let mut v19 = *p19;
            *p19 = (v19 - a);
        }
    }
    {
        let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v20 = *i;
            let mut v21 = *j;
            let mut e = x.iter().enumerate().map(|(i, &v22)| {
                let mut v23 = (i as i64);
                x[((1i64 as usize) % x.len())].tanh()
            }).sum::<f64>();
            let mut f = x[((1i64 as usize) % x.len())];
            *i = e;
            *j = f;
        }
    }
    (a + a)
}
}

mod p44 {
use super::*;
pub const CASE: Case = Case { seed: 44, args: Args { x: [-0.3135041803030211, -0.19763606082232443, -0.04183912362597684, -0.6127273795973553], u: [0.2670237725846297, 0.08745594706413655, 0.2818914071699693], a: 0.822918184320469, n: 2 }, along: Args { x: [-0.5251224752688944, -0.3790459041975874, 0.9565280177380077, 0.280334881530201], u: [-0.9008482461502468, 0.7422804161367463, -0.9321133487843297], a: 0.2687886087625709, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut e13 = a;
    let mut p13 = if (a < 1.75) {
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
        a = parity((0.25 as f64).cos(), (n as i64));
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
    let mut v41 = swapped(v35, u[((1i64 as usize) % u.len())]);
    ((((-a) + a) + v31) + v35)
}
}

mod p45 {
use super::*;
pub const CASE: Case = Case { seed: 45, args: Args { x: [0.7567884647016053, -0.5527139973803761, 0.3929230349889695, 0.19183814488023745], u: [-0.6802905682593378, 0.5901881215801769, -0.2776353459672747], a: -0.4797636844840631, n: 2 }, along: Args { x: [0.4865523541253503, 0.18895953445101868, 0.256163347941877, -0.5239709005026962], u: [0.7744880858385566, -0.7553609676623176, 0.6539830308432126], a: -0.8123646407062357, n: 1 }, singles: false };

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
    let mut v12: Box<dyn Solid> = Box::new(Ball { r: duo(a, a) });
    {
        let mut e = {
            let mut r = *v11.borrow();
            r
        };
        *v11.borrow_mut() += e;
    }
    let mut v13: f64 = a;
    v13 = u[(((n as i64) as usize) % u.len())];
    if ({
        let mut v15: f64 = 1.25;
        let mut v16: i64 = 0;
        loop {
            v15 = 0.75;
            v16 += 1;
            if ((v16 >= 3) || (v15 < a)) {
                break v15;
            }
        }
    } < 1.25) {
        let mut v17 = 0;
        'l17: while ((v17 < 4) && ((n as i64) == 1i64)) {
            v17 += 1;
            'l18: for v18 in 0i64..(n as i64) {
            }
        }
    } else {
    }
    ((a.cos() + {
        let mut r = *v11.borrow();
        r
    }) + v13)
}
}

mod p46 {
use super::*;
pub const CASE: Case = Case { seed: 46, args: Args { x: [-0.6899658030977914, -0.38373299907329816, -0.5635046711823707, 0.9821712831616254], u: [-0.22778346698871188, -0.6262111059189083, 0.3232517031443459], a: 0.6528062063471406, n: 0 }, along: Args { x: [0.35570673785136636, 0.7557409807901297, -0.9654279643294085, 0.9051052131461005], u: [0.4853671416182105, -0.16098753623496928, -0.787957600692287], a: 0.09180620373561886, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((0i64 as usize) % u.len());
        u[i0] -= match (if (3i64 == (n as i64)) {
            E::One(a)
        } else {
            E::None
        }) {
            E::One(v10) => a,
            E::Two { x: v10, n: v11 } => match both(a, 1.0) {
                Some(v14) => u[((2i64 as usize) % u.len())],
                None => 0.5,
            },
            E::None => a,
        };
    }
    let mut v16 = D { s: S { a: a, b: swapped(a, a), n: 0i64 }, o: if (!(a <= x[((0i64 as usize) % x.len())])) {
        Some(a)
    } else {
        None
    }, v: vec![(a + 1.75), shared(x[((0i64 as usize) % x.len())], a), u[((2i64 as usize) % u.len())]], e: if (!(a <= a)) {
        E::One(a)
    } else {
        E::None
    } };
    {
        let mut m = ((((n as i64) * 1i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v17 = *i;
            let mut v18 = *j;
            let mut e = x[((0i64 as usize) % x.len())];
            let mut f = v17;
            *i = e;
            *j = f;
        }
    }
    let mut v19: f64 = x[(((n as i64) as usize) % x.len())];
    (((0.5 + a) + weigh(&v16, 0.5)) + v19)
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
        v4 = (1.0 * spiral(v14, 0i64));
        (v4 * v14)
    };
    let mut v15 = (apply(&mut v13, 0.5) + v13(1.0));
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
pub const CASE: Case = Case { seed: 48, args: Args { x: [0.8600006016765946, -0.7936206571856761, 0.538899290716381, 0.5874611125057597], u: [0.649994701945601, -0.43460886666518517, -0.05405540724257893], a: 0.018507809685999903, n: 1 }, along: Args { x: [0.9256061588246175, -0.48680111925844305, -0.1517935319607872, -0.966662375001477], u: [-0.6952152678929602, 0.6964663249853764, 0.6266274062062495], a: -0.8946838684755269, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 2i64;
    if (u[((v10 as usize) % u.len())] < a) {
        let mut v18 = D { s: S { a: a, b: swapped(a, x[((v10 as usize) % x.len())]), n: (v10 * 3i64) }, o: both(a, x[((v10 as usize) % x.len())]).filter(|&v16| (v10 < (n as i64))), v: vec![u[((v10 as usize) % u.len())]], e: if ((duo(x[((3i64 as usize) % x.len())], a) < a) && (!(match (v10 * v10) {
            0 => a,
            1 | 2 => 1.25,
            v17 if (((2.5 * a) as i64) == (n as i64)) => x[(((n as i64) as usize) % x.len())],
            _ => 1.0,
        } <= a))) {
            E::One(a)
        } else {
            E::None
        } };
        let mut v19 = (a, a.cos());
    } else {
        if (!(match (if ((n as i64) < v10) {
            E::One(x[((1i64 as usize) % x.len())])
        } else {
            E::Two { x: 0.5, n: (n as i64) }
        }) {
            E::One(v21) => a,
            E::Two { x: v21, n: v22 } => v21,
            E::None => a,
        } <= x[((1i64 as usize) % x.len())])) {
            {
                let mut i0 = ((1i64 as usize) % u.len());
                bump(&mut u[i0], 0.5);
            }
            let mut v26 = vec![a, a, a];
        } else {
            let mut v27 = vec![S { a: a, b: swapped(a, a), n: ((2.5 * a) as i64) }, S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: v10 }, turned(S { a: a, b: (a, a), n: v10 }, E::One(a))];
        }
    }
    (a.tanh() + a)
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
    let mut v23 = Rc::new(RefCell::new(v4));
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
    let mut v20: f64 = v19(stepped(a, 1i64));
    v20 *= match 1i64 {
        0 => (-u[((2i64 as usize) % u.len())]),
        1 | 2 => (-a),
        v21 if (a < v20) => v20,
        _ => solids(v20, 1i64),
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
pub const CASE: Case = Case { seed: 51, args: Args { x: [-0.9954323020437772, 0.4659354255354918, 0.19671926885535115, -0.055322947141647684], u: [-0.4787227224111168, -0.993986798028549, 0.7790499642277878], a: 0.18819113554890382, n: 1 }, along: Args { x: [0.6880684692825916, -0.8462710492328805, -0.21977581519605477, 0.7547705244184488], u: [0.4392581093780863, 0.25707428626845313, -0.42951690025598904], a: -0.7586889708715415, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11: i64 = ((2.5 * v4) as i64);
    parity(match 1i64 {
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
        Err(v31) => v31,
    };
    let mut v34 = 0;
    'l34: while ((v34 < 4) && (0i64 < 1i64)) {
        v34 += 1;
        let mut v38: Box<dyn Fn(f64) -> f64> = if (1i64 == 1i64) {
            Box::new(move |v35: f64| (1.25 as f64))
        } else {
            Box::new(move |v35: f64| v17)
        };
    }
    ((v28(0.5) + v17) + v21.unwrap_or(0.25))
}
}

mod p52 {
use super::*;
pub const CASE: Case = Case { seed: 52, args: Args { x: [0.15070927041770488, -0.33180780213116623, 0.2647951600846357, 0.8405633343758644], u: [-0.7847769384351896, -0.23906192463343612, -0.7122958128980342], a: -0.9940437763960437, n: 3 }, along: Args { x: [-0.9113833824591122, -0.42775105958146337, -0.846887649209661, 0.09036364139597498], u: [-0.32980389164983487, -0.058763170636823556, -0.37908754816935764], a: -0.6393993345344027, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v13: Box<dyn Solid> = Box::new(Ball { r: 0.5 });
    let mut v14: i64 = (2i64 * 1i64);
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![S { a: a, b: (x[((2i64 as usize) % x.len())], a), n: 3i64 }];
    for p11 in u[1..].iter_mut() {
        let mut v11 = *p11;
        *p11 = solids(1.5, (2i64 + (n as i64)));
    }
    v10.push(S { a: 1.75, b: (a, (1.5 as f64)), n: (1i64 * 3i64) });
    'l12: for v12 in 0i64..(n as i64) {
        let mut v13: Result<f64, f64> = if (1i64 < 0i64) {
            Ok(a)
        } else {
            Err((0.25 as f64))
        };
        let mut v15: f64 = a;
    }
    let mut v16 = vec![S { a: a, b: (a, a), n: (n as i64) }, turned(S { a: u[((2i64 as usize) % u.len())], b: ((0.75 as f64), a), n: 3i64 }, E::One(a)), S { a: a, b: (x[((0i64 as usize) % x.len())], a), n: (n as i64) }];
    for v17 in v16.iter_mut() {
        v17.turn(x.windows(2).map(|c| {
            let mut v18 = c[0];
            let mut v19 = c[(c.len() - 1)];
            (-v19)
        }).sum::<f64>());
    }
    let mut v21: Box<dyn Fn(f64) -> f64> = if (!(if (if ((0.5 * a) < a) {
        0.25
    } else {
        a
    } < 0.5) {
        a
    } else {
        a
    } <= u[(((n as i64) as usize) % u.len())])) {
        Box::new(move |v20: f64| h0(x[((1i64 as usize) % x.len())]).cos())
    } else {
        Box::new(move |v20: f64| v20)
    };
    {
        let mut i0 = ((((2.5 * 0.5) as i64) as usize) % v16.len());
        v16[i0].a -= spiral(a, 1i64);
    }
    ((a + a) + v16[((1i64 as usize) % v16.len())].a)
}
}

mod p53 {
use super::*;
pub const CASE: Case = Case { seed: 53, args: Args { x: [-0.34971094287300414, 0.9344627919923703, -0.7782219696451685, -0.15820008550995482], u: [0.6863764812833806, 0.2783340335131876, -0.4621460123768331], a: 0.7297132255493833, n: 3 }, along: Args { x: [0.9453910525638238, 0.12783198527789955, 0.4262278701651943, 0.08273573928005701], u: [-0.28362143147163954, -0.7070857467094169, 0.8932147700804334], a: 0.06784261701919972, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p11 in u[1..].iter_mut() {
        let mut v11 = *p11;
        *p11 = (1.0 - 0.25);
    }
    let mut v33 = if ((x[((0i64 as usize) % x.len())] < 1.75) || ({
        let mut v31: f64 = a;
        let mut v32: i64 = 0;
        loop {
            v31 = v31;
            v32 += 1;
            if ((v32 >= 3) || (((2.5 * x[((1i64 as usize) % x.len())]) as i64) == 1i64)) {
                break v31;
            }
        }
    } < 1.0)) {
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
    'l34: for v34 in 0i64..3i64 {
    }
    (Some(a).unwrap_or(orchard(match 1i64 {
        0 => x[((1i64 as usize) % x.len())],
        1 | 2 => a,
        v35 if (!(x[((v35 as usize) % x.len())] <= a)) => u[((2i64 as usize) % u.len())],
        _ => a,
    }, ((2.5 * 1.5) as i64))) + a)
}
}

mod p54 {
use super::*;
pub const CASE: Case = Case { seed: 54, args: Args { x: [-0.7537731828254902, 0.558283965476375, -0.5771836147801176, 0.7142331499314077], u: [-0.3703636365138498, -0.3351750032895476, -0.9887535273284022], a: 0.8946084887777317, n: 2 }, along: Args { x: [0.3571307327900572, -0.42436925604169523, 0.9940379218231431, -0.25799338986244486], u: [0.42902382826308794, 0.600633966106228, -0.2731159385515276], a: 0.2835375473201393, n: 0 }, singles: false };

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
    let mut v14: Box<dyn Solid> = Box::new(Point);
    let mut v17: [f64; 3] = [a, a, a];
    if let Some(v18) = both(1.75, x[((0i64 as usize) % x.len())]) {
        let mut v19 = |v20: f64| {
            a = a;
            (a * v20)
        };
        let mut v21 = (apply(&mut v19, v18) + v19(halved(x)));
        let mut v22: Result<f64, f64> = ratio(0.5, v21);
    }
    let mut v23 = move |v24: f64| x[((3i64 as usize) % x.len())];
    ((v23(a) + v14.twice(0.5)) + halved(&v17))
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
pub const CASE: Case = Case { seed: 56, args: Args { x: [-0.19002264388798612, -0.7004560484329584, -0.7402129833259686, 0.9291139027224145], u: [0.7972322307051876, -0.1887736937364931, -0.5634951610935631], a: -0.8946316203220259, n: 2 }, along: Args { x: [-0.0013734673234700734, -0.5707819568491419, 0.2063203889711871, -0.4195819975461251], u: [-0.9872717160102599, 1.0097314046336925, 0.794485254589678], a: -0.2054107091344004, n: 0 }, singles: false };

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
    let mut v30 = (a, a);
    (((0.25 + a) + v29.size(0.75)) + v30.0)
}
}

mod p57 {
use super::*;
pub const CASE: Case = Case { seed: 57, args: Args { x: [-0.6100586351907903, -0.680892452660759, -0.2121996740364102, 0.41726031872549335], u: [-0.0805990962190549, 0.9963568410290333, 0.31726469372548666], a: -0.7643319676665469, n: 3 }, along: Args { x: [1.0026577886850674, -0.6314189150923073, 0.988965847189127, -0.4189153742332341], u: [0.8696311656831596, -0.9398097416590557, -0.411279209622495], a: 0.35765689770977926, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = D { s: turned(turned(S { a: a, b: swapped(x[((3i64 as usize) % x.len())], a), n: (n as i64) }, if ((x[((1i64 as usize) % x.len())] < a) && (1i64 < 3i64)) {
        E::One(x[(((n as i64) as usize) % x.len())])
    } else {
        E::None
    }), E::One(a)), o: Some(a), v: vec![(1.5 as f64)], e: if ((a * x[(((n as i64) as usize) % x.len())]) < x[((0i64 as usize) % x.len())]) {
        E::One(u[((1i64 as usize) % u.len())])
    } else {
        E::Two { x: 0.75, n: 1i64 }
    } };
    let mut v12 = |v13: f64| {
        a = x[((1i64 as usize) % x.len())];
        (a * v13)
    };
    let mut v14 = (v12(0.5) + v12(0.5));
    let mut v15 = |v16: f64| {
        a = v16;
        (a * v16)
    };
    let mut v17 = (apply(&mut v15, match (1i64 + 0i64) {
        0 => x[((2i64 as usize) % x.len())],
        1 | 2 => v14,
        v18 if (!(x[((2i64 as usize) % x.len())] <= 0.75)) => v14,
        _ => v14,
    }) + v15((2i64 as f64)));
    for p20 in u.iter_mut() {
        let mut v20 = *p20;
        *p20 = swapped(v17, a).0;
    }
    let mut v24: Box<dyn Fn(f64) -> f64> = if (x[((0i64 as usize) % x.len())] < a) {
        Box::new(move |v21: f64| v17)
    } else {
        Box::new(move |v21: f64| ((2.0 * v21) * {
            let mut v22: f64 = v21;
            let mut v23: i64 = 0;
            loop {
                v22 = x[(((n as i64) as usize) % x.len())];
                v23 += 1;
                if ((v23 >= 3) || (v14 < v22)) {
                    break v22;
                }
            }
        }))
    };
    'l25: for v25 in 0i64..(n as i64) {
        let mut v26 = |v27: f64| {
            v14 = 1.0;
            (v14 * v27)
        };
        let mut v28 = (apply(&mut v26, v24(v17)) + v26(match Some(v17) {
            Some(v29) => v17,
            None => v17,
        }));
        let Some(v30) = Some(x[((v25 as usize) % x.len())]) else {
            continue 'l25;
        };
    }
    ((((v11.v.iter().map(|&v31| x[((2i64 as usize) % x.len())]).sum::<f64>() + a) + weigh(&v11, 0.5)) + v14) + v17)
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
pub const CASE: Case = Case { seed: 59, args: Args { x: [-0.915595008444582, 0.7109161337153971, -0.4180384775201203, -0.19133936145483701], u: [0.4419478015756359, 0.23642624006867566, -0.5801737382765124], a: -0.39653163522438883, n: 2 }, along: Args { x: [0.7163117367746146, -0.9442247734546727, -0.3882663631107075, 0.7943729717948705], u: [0.9713407572097092, -0.8616187531540401, -0.7498646797080863], a: -0.5750676236746194, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((0i64 as usize) % u.len());
        u[i0] = a.sin();
    }
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = (0.5 * 0.5);
    }
    let mut v14: Box<dyn Fn(f64) -> f64> = if (2i64 < 1i64) {
        Box::new(move |v11: f64| asserted(v11, 0i64))
    } else {
        Box::new(move |v11: f64| (0.25 as f64))
    };
    for p15 in u[1..].iter_mut() {
        let mut v15 = *p15;
        *p15 = v15;
    }
    let mut v19: f64 = a;
    let mut v20 = &x[1..4];
    stir(u, 0.5);
    let mut v25 = S { a: v19, b: ((2.0 as f64), (a - a)), n: 3i64 };
    ((x[(((n as i64) as usize) % x.len())] + v19) + v25.size(0.75))
}
}

mod p60 {
use super::*;
pub const CASE: Case = Case { seed: 60, args: Args { x: [-0.6702978237635552, 0.6407375713351582, 0.8350114402661863, -0.019446408246550306], u: [0.6818898759720723, -0.7016549642032786, -0.4517318158779137], a: -0.47761248919338173, n: 0 }, along: Args { x: [1.0134862970037704, 0.46402818455306677, 0.9027114824462497, -0.5338713793935724], u: [-0.9108906109521725, -0.23102673507002305, -0.11290642495916357], a: -0.3060123428970489, n: 3 }, singles: false };

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
            Err(v16) => solids(1.25, (n as i64)),
        };
        let mut v19: Result<f64, f64> = ratio(match ratio(x[((v12 as usize) % x.len())], a) {
            Ok(v17) => v17,
            Err(v18) => u[((3i64 as usize) % u.len())],
        }, x[(((n as i64) as usize) % x.len())]);
    }
    let mut v22: [f64; 3] = [parity(1.0, 1i64), (2.0 as f64), a];
    let mut v23 = D { s: turned(S { a: a, b: (a, a), n: 1i64 }, if ((a + 0.5) < x[((1i64 as usize) % x.len())]) {
        E::One(u[(((n as i64) as usize) % u.len())])
    } else {
        E::None
    }), o: v11, v: vec![swapped(x[((1i64 as usize) % x.len())], a).0, a], e: if (!(1.0 <= a)) {
        E::One((1.25 as f64))
    } else {
        E::None
    } };
    let mut v24: Result<f64, f64> = ratio(a, a);
    let mut v25: f64 = a;
    for p26 in u.iter_mut() {
        let mut v26 = *p26;
        *p26 = v25;
    }
    let mut v27 = E::Two { x: ((1.25 as f64), a).0, n: 2i64 };
    (((v25 + a) + v11.unwrap_or(0.25)) + halved(&v22))
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
pub const CASE: Case = Case { seed: 62, args: Args { x: [-0.16279578612449808, 0.08357446065956206, -0.5014945715665436, 0.4079541333560989], u: [0.9403348059725773, -0.30090423163114505, -0.4441765195492757], a: -0.9271092831224043, n: 2 }, along: Args { x: [0.49671806414970443, -0.1402936954302527, 0.4109993932862888, -0.9981504244303699], u: [-0.16009495324267836, -0.633709682253033, 0.27764705576598164], a: -0.21402972332297981, n: 1 }, singles: false };

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
        *p20 = a;
    }
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % u.len());
        u[i0] *= u[((v19 as usize) % u.len())];
    }
    (1.75 as f64).cos()
}
}

mod p63 {
use super::*;
pub const CASE: Case = Case { seed: 63, args: Args { x: [0.129516952101059, 0.5765435275518662, 0.17271125118262382, 0.395466397917777], u: [0.8296132467395365, 0.3914955761739911, -0.036938669554167886], a: 0.6265328618524059, n: 1 }, along: Args { x: [0.5983683141997047, 0.3943551968310195, -0.015440153142992713, 0.5693231012088779], u: [0.02727685396460494, 0.8341513687173289, 0.8343241346570359], a: 0.20023774383298573, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        let mut v12: Box<dyn Fn(f64) -> f64> = if (!(a <= u[(((n as i64) as usize) % u.len())])) {
            Box::new(move |v11: f64| (shared(x[((v10 as usize) % x.len())], 1.25) * v11))
        } else {
            Box::new(move |v11: f64| v11)
        };
        a = x[((2i64 as usize) % x.len())];
    }
    let mut v13 = move |v14: f64| (1i64 as f64);
    for p15 in u[1..].iter_mut() {
        let mut v15 = *p15;
        *p15 = a;
    }
    let mut v18 = if (((0.75 as f64), a).0 < 1.25) {
        E::One(a)
    } else {
        E::None
    };
    let mut v19: Box<dyn Solid> = Box::new(Point);
    ((0i64 as f64) + v19.twice(0.5))
}
}

mod p64 {
use super::*;
pub const CASE: Case = Case { seed: 64, args: Args { x: [0.25431644015584676, 0.7791959792285449, -0.2075581002916106, 0.8405082613632534], u: [-0.8566683144768088, -0.3288169265242243, -0.1054369341412439], a: -0.960218472267856, n: 0 }, along: Args { x: [-0.8022200748194682, -0.2929905612022684, -0.6934539752620572, 0.45960900047939585], u: [0.04520091467008244, -0.2305424209306254, 0.45492952477621884], a: 0.39316384393119785, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = (((n as i64) as usize) % u.len());
        u[i0] = a;
    }
    a -= a;
    let mut v13 = vec![S { a: a, b: (a, a), n: ((2.5 * x[((1i64 as usize) % x.len())]) as i64) }];
    solids(a, 1i64)
}
}

mod p65 {
use super::*;
pub const CASE: Case = Case { seed: 65, args: Args { x: [-0.13121498827610584, -0.19690888453739183, 0.6391486990936653, -0.8719914926635265], u: [-0.4412326799710648, 0.5005105649690043, 0.09387603186508571], a: 0.18873963327733415, n: 0 }, along: Args { x: [-0.8166962279872138, -0.8924744324467953, 0.38496511508867476, 0.9818850016622076], u: [-0.5443818879754376, 0.6369879014824419, -0.8958763814155775], a: -0.23055857544852185, n: 1 }, singles: false };

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
        *p19 = v18(v19);
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
    stir(&mut v25, 1.5);
    let mut v27 = 0;
    'l27: while ((v27 < 4) && (h0(a) < 0.5)) {
        v27 += 1;
        let mut v28 = L::Node(0.75, Box::new(L::End));
        grow(&mut v28, ((0.5 as f64), (0.5 as f64)).1);
    }
    match ratio(a, (a - a)) {
        Ok(v29) => x.iter().enumerate().map(|(i, &v31)| {
            let mut v32 = (i as i64);
            (0.5 as f64)
        }).sum::<f64>(),
        Err(v30) => x[((1i64 as usize) % x.len())],
    }
}
}

mod p66 {
use super::*;
pub const CASE: Case = Case { seed: 66, args: Args { x: [-0.5037410331258729, 0.9917505177646737, -0.8844564327549096, 0.3418552332881702], u: [-0.9957977682901824, -0.43944642060905276, -0.899419929147407], a: -0.033836963185648425, n: 3 }, along: Args { x: [-0.9620942100077362, 0.4609112734672577, 0.06438836147590749, 0.19679267335259948], u: [0.24771458730154552, -0.582348829446957, -0.47560701230479463], a: -0.8047910159844425, n: 2 }, singles: false };

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
    let mut v18 = if ((1i64 < 1i64) && (v4 < v4)) {
        E::One(v4)
    } else {
        E::Two { x: 0.75, n: (1i64 * 2i64) }
    };
    {
        let mut i0 = ((1i64 as usize) % v15.v.len());
        v15.v[i0] -= 1.0;
    }
    v4
}

#[differentiable]
pub fn h1(mut v4: f64, mut v5: f64) -> f64 {
    let mut v10 = vec![S { a: v5, b: swapped(v4, v5), n: 2i64 }, S { a: v4, b: ((1.75 as f64), v5), n: (3i64 + 1i64) }];
    let mut v11: [f64; 3] = [(1.0 as f64), (0.5 * v4), v5];
    shared(v4, (1i64 as f64))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: [f64; 3] = [a, a.sin(), a];
    let mut v12: [f64; 3] = [x[((1i64 as usize) % x.len())].min(a), a, h1(1.0, a)];
    let mut v13 = vec![h0(2i64, a)];
    let mut v14: f64 = duo(0.5, a);
    (((a + a) + halved(&v11)) + halved(&v13))
}
}

mod p67 {
use super::*;
pub const CASE: Case = Case { seed: 67, args: Args { x: [-0.5758086056166789, 0.7719492532460842, -0.8089075680823014, -0.41312235073100356], u: [-0.024096221656464283, 0.5233717247983294, -0.7840553475706173], a: -0.5136935393199147, n: 1 }, along: Args { x: [0.9781163017849199, -0.3691479214123818, 0.3226730759106923, 0.302623198776216], u: [0.5578541871495151, -0.43618832517432865, 0.3374257929584156], a: 0.7232676211297902, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut m = (((3i64 / 9223372036854775807i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v10 = *i;
            let mut v11 = *j;
            let mut e = x[((1i64 as usize) % x.len())];
            let mut f = a;
            *i = e;
            *j = f;
        }
    }
    let mut v14 = |v15: f64| {
        a = v15;
        (a * v15)
    };
    let mut v16 = (apply(&mut v14, 0.5) + v14(match both(x[((2i64 as usize) % x.len())], 1.0) {
        Some(v17) if (2i64 < 0i64) => 1.5,
        _ => 0.5,
    }));
    let mut v18 = (v16, (a * x[((1i64 as usize) % x.len())]));
    let mut v19 = &x[1..2];
    if let Some(v20) = both(u[(((n as i64) as usize) % u.len())], 0.75) {
        v16 = (a * a.min(v20));
        let mut v22 = move |v23: f64| x[((0i64 as usize) % x.len())];
    }
    let mut v26 = vec![x.chunks(2).map(|c| {
        let mut v24 = c[0];
        let mut v25 = c[(c.len() - 1)];
        v24
    }).sum::<f64>(), v18.0];
    let mut v27 = (v16, (1.75 as f64));
    (((((if (0i64 < 2i64) {
        Some((1.25 as f64))
    } else {
        None
    }).filter(|&v29| (1i64 == 1i64)).and_then(|v28| combined(if ((1i64 % 9223372036854775807i64) == (n as i64)) {
        Some(v16)
    } else {
        None
    }, v28)).unwrap() + a) + v16) + halved(&v26)) + v27.0)
}
}

mod p68 {
use super::*;
pub const CASE: Case = Case { seed: 68, args: Args { x: [-0.7365202898688328, -0.09830104790232494, 0.7200206064354849, -0.3862796384066964], u: [-0.046607736042045066, -0.23200112607437076, 0.6740037398018169], a: -0.8814237769125949, n: 0 }, along: Args { x: [0.8025471511574855, 0.8873500009017744, 0.11865386085615047, 0.8329002338335508], u: [0.9887294550710476, 0.9828309591683507, 0.04485962772863276], a: 0.4324835166695032, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a = (0.5 * {
        let mut v11: f64 = a;
        let mut v12: i64 = 0;
        loop {
            v11 = u[((3i64 as usize) % u.len())];
            v12 += 1;
            if ((v12 >= 3) || (a < 1.25)) {
                break v11;
            }
        }
    });
    if let Some(v13) = Some(x[((3i64 as usize) % x.len())]) {
        let mut v16 = D { s: S { a: a, b: swapped(a, a), n: 1i64 }, o: Some(u[((2i64 as usize) % u.len())]), v: vec![a, match root(a) {
            Some(v14) if (match 1i64 {
            0 => v14,
            1 | 2 => 1.0,
            v15 if (a < v13) => v14,
            _ => a,
        } < 1.25) => v13,
            _ => v13,
        }], e: if (((n as i64) + 1i64) == 0i64) {
            E::One(v13)
        } else {
            E::Two { x: x[((0i64 as usize) % x.len())], n: 1i64 }
        } };
        let mut v19: [f64; 3] = [v13, a, duo(a, x[(((n as i64) as usize) % x.len())])];
    }
    let mut v23 = S { a: a, b: (a.min(a), a), n: ((2.5 * 0.5) as i64) };
    let mut v28 = v23;
    let mut v29: Result<f64, f64> = chained(a, if (!(a <= a)) {
        a
    } else {
        a
    });
    {
        let mut i0 = ((((2.5 * 1.75) as i64) as usize) % u.len());
        u[i0] *= v23.size(a);
    }
    (((match (if ((!(a <= a)) || (a < a)) {
        Ok(a)
    } else {
        Err(parity(0.5, 3i64))
    }) {
        Ok(v30) => u[(((n as i64) as usize) % u.len())].tanh(),
        Err(v31) => a,
    } + a) + v23.size(0.75)) + v28.size(0.75))
}
}

mod p69 {
use super::*;
pub const CASE: Case = Case { seed: 69, args: Args { x: [0.13774978070654426, 0.04306027298527395, -0.28335061316381455, 0.49355052791977966], u: [-0.312225808021122, 0.13549785755889582, -0.9818034933182241], a: 0.8159765966914114, n: 2 }, along: Args { x: [0.37539558515904026, 0.027781134334794573, -0.0734476694705863, 0.18469576789847797], u: [-0.35196723512356426, -0.7173463567454219, 0.6319740123244516], a: 0.6003694260136124, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = Rc::new(RefCell::new(((1.0 as f64), x[((1i64 as usize) % x.len())]).1));
    let mut v14 = E::One(a);
    {
        let mut m = ((2i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v15 = *i;
            let mut v16 = *j;
            let mut e = x[((1i64 as usize) % x.len())];
            let mut f = match E::One((1.25 as f64)) {
                E::One(v17) => 1.5,
                E::Two { x: v17, n: v18 } => v17,
                E::None => x[((1i64 as usize) % x.len())],
            };
            *i = e;
            *j = f;
        }
    }
    let mut v19 = vec![turned(S { a: x[(((n as i64) as usize) % x.len())], b: (a, a), n: 1i64 }, v14), S { a: a, b: swapped(0.25, a), n: 1i64 }];
    let mut v20 = &x[0..4];
    let mut v21 = turned(S { a: spiral(a, 1i64), b: (x[((1i64 as usize) % x.len())], a), n: (n as i64) }, v14);
    let mut v24: Box<dyn Fn(f64) -> f64> = if (a < a) {
        Box::new(move |v22: f64| a)
    } else {
        Box::new(move |v22: f64| {
            let mut f = |v23: f64| a;
            (f(v22) + f(v22))
        })
    };
    ((((a + a) + match v14 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    }) + v19[((1i64 as usize) % v19.len())].a) + v21.size(0.75))
}
}

mod p70 {
use super::*;
pub const CASE: Case = Case { seed: 70, args: Args { x: [0.8500155246602923, 0.21783169659004376, -0.8894321803673454, 0.06039319013135998], u: [0.7077812049472624, 0.8886630350699908, 0.1164816539034591], a: 0.7710632637991931, n: 1 }, along: Args { x: [0.42818581481037066, -0.007146647051566106, -0.6314559798049618, 0.48760149309112477], u: [-0.18973004391221754, -0.3718869521472436, 0.5993467655283], a: 0.610291936657642, n: 0 }, singles: false };

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
    let mut v30 = turned(S { a: (a, a).0, b: ((0.5 as f64), x[((1i64 as usize) % x.len())]), n: (0i64 * 3i64) }, if (a < 0.75) {
        E::One((0.5 as f64))
    } else {
        E::Two { x: u[((1i64 as usize) % u.len())], n: (n as i64) }
    });
    (((x[((v30.n as usize) % x.len())] * a) + a) + v30.size(0.75))
}
}

mod p71 {
use super::*;
pub const CASE: Case = Case { seed: 71, args: Args { x: [-0.18845925432596367, -0.10866252692254352, -0.6039268486917498, -0.05746494375157707], u: [-0.41687900766559693, 0.10996788506412146, -0.0348703440982852], a: 0.06471807791072545, n: 1 }, along: Args { x: [-0.5506475610759258, -0.516745384021159, 0.08143211114967382, -0.3333717873070071], u: [0.3316002581585197, -0.3312014711535076, -0.6834510935940415], a: -0.5307668248778291, n: 1 }, singles: false };

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
        let mut v28: Option<f64> = Some((3i64 as f64));
    } else {
        let mut v29 = vec![v17];
    }
    {
        let mut m = ((3i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v30 = *i;
            let mut v31 = *j;
            let mut e = v31;
            let mut f = v31.tanh();
            *i = e;
            *j = f;
        }
    }
    let mut v33 = vec![turned(S { a: v17, b: ((0.75 as f64), v17), n: ((2.5 * u[((0i64 as usize) % u.len())]) as i64) }, E::Two { x: x[((3i64 as usize) % x.len())], n: 1i64 })];
    if (3i64 < (n as i64)) {
        let mut v35 = |v36: f64| {
            v17 = 1.5;
            (v17 * v36)
        };
        let mut v37 = (v35(u[(((n as i64) as usize) % u.len())]) + v35(0.5));
    } else {
    }
    v17
}
}

mod p72 {
use super::*;
pub const CASE: Case = Case { seed: 72, args: Args { x: [0.8664887149469912, -0.3179304080742442, -0.6197699869387666, 0.6428362206752228], u: [-0.701688453663516, 0.5732537305481963, -0.47626675873979923], a: 0.8005276215532477, n: 3 }, along: Args { x: [-0.6011340395284585, 0.3683613796262312, -0.7906617569619714, 0.2333296432114631], u: [-0.9824952995395996, 0.504058164176109, -0.6384427766592596], a: 0.3863980927456295, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = 0;
    'l10: while ((v10 < 4) && (match combined(root(a), a) {
        Some(v11) if (({
        let mut v12: f64 = v11;
        let mut v13: i64 = 0;
        loop {
            v12 = u[((3i64 as usize) % u.len())];
            v13 += 1;
            if ((v13 >= 3) || (match (if (2i64 < (n as i64)) {
                E::One(v11)
            } else {
                E::Two { x: v11, n: v13 }
            }) {
                E::One(v14) => x[(((n as i64) as usize) % x.len())],
                E::Two { x: v14, n: v15 } => x[((v15 as usize) % x.len())],
                E::None => u[(((n as i64) as usize) % u.len())],
            } < v12)) {
                break v12;
            }
        }
    } < x[((0i64 as usize) % x.len())]) && (2i64 == 1i64)) => u[((2i64 as usize) % u.len())],
        _ => a,
    } < a)) {
        v10 += 1;
        let mut v16: [f64; 3] = [x[(((n as i64) as usize) % x.len())], a, x[((2i64 as usize) % x.len())]];
        {
            let mut i0 = ((3i64 as usize) % v16.len());
            v16[i0] = u[((1i64 as usize) % u.len())];
        }
    }
    for p17 in u.iter_mut() {
        let mut v17 = *p17;
        *p17 = a;
    }
    let mut v24: f64 = match (if ((!(a <= x[((0i64 as usize) % x.len())])) && (u[((0i64 as usize) % u.len())] < a)) {
        E::One(x[(((n as i64) as usize) % x.len())])
    } else {
        E::None
    }) {
        E::One(v18) => x.iter().enumerate().map(|(i, &v20)| {
            let mut v21 = (i as i64);
            a
        }).sum::<f64>(),
        E::Two { x: v18, n: v19 } => 0.5,
        E::None => 0.75,
    };
    let mut v25 = &x[1..3];
    v24 = (x[((2i64 as usize) % x.len())], v24).0;
    let mut v26: [f64; 3] = [a, x[((0i64 as usize) % x.len())], spiral(v24, 3i64)];
    let mut v27 = D { s: S { a: a, b: swapped(1.75, a), n: ((2.5 * x[(((n as i64) as usize) % x.len())]) as i64) }, o: Some(v24), v: vec![counted(a, 3i64), ((0.5 * 2.0) as f64), a.cos()], e: if (!((1.5 as f64).max(v24) <= v24)) {
        E::One((1.0 as f64))
    } else {
        E::None
    } };
    ((if (0i64 == 1i64) {
        1.25
    } else {
        a
    } + v24) + halved(&v26))
}
}

mod p73 {
use super::*;
pub const CASE: Case = Case { seed: 73, args: Args { x: [0.8045335030524927, -0.040395247459637504, 0.4351515830982465, 0.5930515986048023], u: [-0.3864215515998621, 0.8511581817618311, 0.13345659881351654], a: -0.7039260308451181, n: 0 }, along: Args { x: [0.194140263227985, 0.5321700797365112, 0.5017408269196757, 0.8384561835730983], u: [0.5209451537869146, 0.09621538739050749, -0.737064353346978], a: -0.9764196263950459, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = (n as i64);
    let mut v15: f64 = a;
    if let Some(v16) = Some(x[((0i64 as usize) % x.len())]) {
        let mut v19: [f64; 3] = [{
            let mut f = |v18: f64| (1.0 as f64);
            (f(x[((v10 as usize) % x.len())]) + f(a))
        }, a, x[(((n as i64) as usize) % x.len())]];
        bump(&mut a, v16);
    }
    let mut v23 = L::Node(x.chunks(2).map(|c| {
        let mut v21 = c[0];
        let mut v22 = c[(c.len() - 1)];
        (1.75 as f64).min(v15)
    }).sum::<f64>(), Box::new(L::Node(combined(root(v15), 0.75).unwrap_or(u[((v10 as usize) % u.len())]), Box::new(L::Node(0.75, Box::new(L::End))))));
    v15 -= a;
    let mut v29: Box<dyn Solid> = Box::new(Point);
    let mut v30 = (u[((v10 as usize) % u.len())], v15);
    let mut v33: [f64; 3] = [match ratio(x[((v10 as usize) % x.len())], x[((1i64 as usize) % x.len())]) {
        Ok(v31) => x[((1i64 as usize) % x.len())],
        Err(v32) => x[((1i64 as usize) % x.len())],
    }, (v15 * v15), (0.5 * v15)];
    ((((((0.25 as f64).cos() + a) + v15) + v29.twice(0.5)) + v30.1) + halved(&v33))
}
}

mod p74 {
use super::*;
pub const CASE: Case = Case { seed: 74, args: Args { x: [-0.2044240848812425, -0.7058787415006745, -0.4095492319008514, 0.36092930237536336], u: [0.5269582872122319, -0.9283682185855167, 0.20732124126719975], a: -0.4871578452896477, n: 2 }, along: Args { x: [0.036908631703940875, 0.2814326959814025, 0.40281775168880213, -0.41176611744947356], u: [0.33615360951735684, 0.9009689976149912, 0.13471115001761844], a: -0.7941142686834674, n: 2 }, singles: false };

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
            let mut f = shared(x[((1i64 as usize) % x.len())], 1.75);
            *i = e;
            *j = f;
        }
    }
    if ((2i64 < (n as i64)) || (((2.5 * a) as i64) == 1i64)) {
        let mut v16 = move |v17: f64| (v17 * match Some(a) {
            Some(v18) if ((!(x[((3i64 as usize) % x.len())] <= x[((0i64 as usize) % x.len())])) || ((v17 * x[((2i64 as usize) % x.len())]) < v18)) => 0.25,
            _ => x[((1i64 as usize) % x.len())],
        });
        let mut v19: Option<f64> = Some((a - 2.0));
    } else {
        let mut v21: i64 = 1i64;
    }
    for p23 in u[1..].iter_mut() {
        let mut v23 = *p23;
        *p23 = a;
    }
    let mut v26 = (x[((0i64 as usize) % x.len())], a);
    (u[((3i64 as usize) % u.len())] + a)
}
}

mod p75 {
use super::*;
pub const CASE: Case = Case { seed: 75, args: Args { x: [0.7601223629952877, -0.3194648828099803, -0.17644577611297838, 0.620365542824779], u: [-0.6803258214288732, 0.16129391877302798, 0.3533405573559985], a: -0.3287647522634583, n: 2 }, along: Args { x: [-0.9034543684312438, -0.20223816631289784, -0.5510140793510746, -0.10406182203740941], u: [-0.5623031780081089, -0.9909964385532033, -0.615249683407833], a: 0.6794884111383843, n: 1 }, singles: false };

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
    let mut v19: f64 = if (1i64 < 0i64) {
        match Some(a) {
            Some(v18) if ((n as i64) == 1i64) => a,
            _ => 2.0,
        }
    } else {
        a
    };
    let mut v20 = vec![x[((v10 as usize) % x.len())]];
    for p21 in v20.iter_mut() {
        let mut v21 = *p21;
        *p21 = 0.25;
    }
    if (x[((2i64 as usize) % x.len())] < x[((v10 as usize) % x.len())]) {
        let mut v23 = &x[0..2];
        'l24: for v24 in 0i64..(n as i64) {
            let mut v25: Result<f64, f64> = if (1.25 < a) {
                Ok((u[((2i64 as usize) % u.len())] * x[((v24 as usize) % x.len())]))
            } else {
                Err(x[(((n as i64) as usize) % x.len())])
            };
        }
    } else {
    }
    v19
}
}

mod p76 {
use super::*;
pub const CASE: Case = Case { seed: 76, args: Args { x: [0.2158206711320722, 0.11417372989078317, 0.7248342046143522, -0.49077602678669424], u: [0.035456992524721266, -0.3352357462910524, 0.77555513074303], a: 0.6109883192977651, n: 3 }, along: Args { x: [-0.6044580591144417, -0.6648288975633043, -0.16140786362487267, -0.5021110976216727], u: [-0.020034002159599936, 0.5072692497675029, -0.056417299462036094], a: -0.9384291324162573, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..(n as i64) {
        if (a < 0.5) {
            continue 'l10;
        }
        let mut v12 = turned(S { a: a, b: swapped(a, x[((v10 as usize) % x.len())]), n: ((2.5 * 1.25) as i64) }, if (x.iter().map(|&v11| (v11 - x[((v10 as usize) % x.len())])).sum::<f64>() < a) {
            E::One((0.25 as f64))
        } else {
            E::Two { x: a, n: ((2.5 * a) as i64) }
        });
    }
    let mut v13 = ((2.0 as f64), a);
    let mut v14 = S { a: a, b: v13, n: 3i64 };
    for p15 in u.iter_mut() {
        let mut v15 = *p15;
        *p15 = v15;
    }
    let mut v16 = vec![x[((3i64 as usize) % x.len())].max(0.25), a.tanh()];
    let mut v17 = |v18: f64| {
        a = x[((v14.n as usize) % x.len())];
        (a * v18)
    };
    let mut v19 = (v17(match Some((1.25 as f64)) {
        Some(v20) => v20,
        None => x[((1i64 as usize) % x.len())],
    }) + v17((0.5 * 0.5)));
    for p21 in v16.iter_mut() {
        let mut v21 = *p21;
        *p21 = a;
    }
    let mut v23: Option<f64> = Some({
        let mut f = |v22: f64| (0.25 as f64);
        (f(u[((1i64 as usize) % u.len())]) + f(v19))
    });
    ((((((u[((v14.n as usize) % u.len())] + a) + v13.1) + v14.size(0.75)) + halved(&v16)) + v19) + v23.unwrap_or(0.25))
}
}

mod p77 {
use super::*;
pub const CASE: Case = Case { seed: 77, args: Args { x: [-0.8854469746520094, 0.02611371680589719, -0.7094960567689668, 0.2689265633703279], u: [0.8319963552805106, -0.6342228608908819, 0.9455998065103581], a: 0.5118680314367965, n: 1 }, along: Args { x: [-0.5435281308979598, 0.11254508944834626, 0.7713431581624111, 0.300372898635172], u: [0.2830059068376705, -0.45854389067800255, -0.24604658590154502], a: 0.6299393833643017, n: 3 }, singles: false };

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
    let mut v21: [f64; 3] = [(1.25 as f64), (0.75 as f64), (2.0 as f64).min(a)];
    let mut v22 = E::Two { x: orchard(a, 1i64), n: 1i64 };
    {
        let mut i0 = ((3i64 as usize) % u.len());
        u[i0] = x[(((n as i64) as usize) % x.len())];
    }
    let mut v24 = (v21[((1i64 as usize) % v21.len())], Some(a).unwrap_or(a));
    v14.scale(x[(((n as i64) as usize) % x.len())]);
    v24 = v24;
    (((((a + a) + total(&v17)) + halved(&v21)) + match v22 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    }) + v24.1)
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
pub const CASE: Case = Case { seed: 79, args: Args { x: [-0.47521882009357297, 0.5577102200962648, -0.5920977023097796, -0.24533128860278028], u: [0.5486675797344536, 0.8508731922195253, -0.1552915490829254], a: 0.14235713270126202, n: 0 }, along: Args { x: [0.09958397202080106, -0.9876558738383858, 0.36706397759481113, -0.9165441011782232], u: [-0.3582712502492573, 0.5223481445502272, 0.3210433882641809], a: 0.7919240138950063, n: 2 }, singles: true };

#[differentiable]
pub fn h1(mut v9: i64, mut v4: f64, mut v5: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v13 = S { a: (v5, v5).1, b: ((1.25 as f64), (1.25 as f64)), n: 3i64 };
    v5
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = |v11: f64| {
        a = ((a * v11) + a);
        (a * v11)
    };
    let mut v12 = (apply(&mut v10, {
        let mut f = |v13: f64| (x[((3i64 as usize) % x.len())], v13).0;
        (f(0.5) + f(u[((1i64 as usize) % u.len())]))
    }) + v10(u[((0i64 as usize) % u.len())]));
    let mut v16 = if (1i64 == (n as i64)) {
        E::One(u[((0i64 as usize) % u.len())])
    } else {
        E::Two { x: v12, n: 2i64 }
    };
    let mut v17 = S { a: x[((3i64 as usize) % x.len())], b: swapped((2.0 as f64).tanh(), 1.25), n: 1i64 };
    let mut v21: Box<dyn Fn(f64) -> f64> = if (0i64 < 3i64) {
        Box::new(move |v18: f64| (if ((v18 + v12) < v18) {
            Some(v12)
        } else {
            None
        }).map(|v19| v19).unwrap_or((-v12)))
    } else {
        Box::new(move |v18: f64| h1(2i64, (1i64 as f64), match Some(a) {
            Some(v20) => a,
            None => v12,
        }))
    };
    for p22 in u.iter_mut() {
        let mut v22 = *p22;
        *p22 = ((-(x[((0i64 as usize) % x.len())] as f32)) as f64);
    }
    ((((1.25 + a) + v12) + match v16 {
        E::One(v23) => v23,
        E::Two { x: v23, n: v24 } => v23,
        E::None => 0.5,
    }) + v17.size(0.75))
}
}

mod p80 {
use super::*;
pub const CASE: Case = Case { seed: 80, args: Args { x: [0.09795970667197373, 0.4142841268146505, -0.20944455801445044, 0.3841556285823486], u: [0.6515236548431009, 0.9704133715686011, -0.31712775703343343], a: 0.33071661859558865, n: 2 }, along: Args { x: [-0.9812834131005224, 0.1997558341883988, 0.7199580157928547, -0.018103299601407517], u: [-0.10323758169502172, 0.8884376020820032, 1.0081298258246025], a: 0.5972193290086388, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((3i64 as usize) % u.len());
        u[i0] += x[(((n as i64) as usize) % x.len())];
    }
    let mut v11 = D { s: S { a: a, b: (x[((1i64 as usize) % x.len())], a), n: 1i64 }, o: Some(a), v: vec![match Some(x[((0i64 as usize) % x.len())]) {
        Some(v10) if ((1i64 == 2i64) && (v10 < 0.5)) => v10,
        _ => a,
    }], e: E::One(a) };
    let mut v13: f64 = x[((3i64 as usize) % x.len())];
    v11.s = S { a: a, b: ((0.5 as f64), v13), n: 1i64 };
    let mut v18: Option<f64> = (if ((0i64 as f64) < v13) {
        Some((0.25 as f64))
    } else {
        None
    }).and_then(|v17| if ((1.25 < a) || (!(v13 <= v13))) {
        Some(a)
    } else {
        None
    });
    {
        let mut i0 = (((n as i64) as usize) % v11.v.len());
        v11.v[i0] -= match chained(v13, 1.75) {
            Ok(v21) => x[((0i64 as usize) % x.len())],
            Err(v22) => 2.0,
        };
    }
    ((((a + a) + weigh(&v11, 0.5)) + v13) + v18.unwrap_or(0.25))
}
}

mod p81 {
use super::*;
pub const CASE: Case = Case { seed: 81, args: Args { x: [-0.41177373022176855, -0.8428637248238872, 0.7406775987869895, -0.7871644911720168], u: [0.501848351150187, -0.5895800094631773, -0.11740355726267493], a: -0.30059143783194653, n: 2 }, along: Args { x: [-0.8357260688284961, 0.8554481539627244, 0.7005958467592843, 0.41270878810712625], u: [0.73161923157548, 0.38311998875027614, -0.23053886508128435], a: 0.5627347766980844, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Solid> = Box::new(Ball { r: a });
    let mut v15 = Rc::new(RefCell::new(match ratio(a, 1.5) {
        Ok(v13) => a.min(1.75),
        Err(v14) => (x[((1i64 as usize) % x.len())], v14).1,
    }));
    let mut v20: Box<dyn Fn(f64) -> f64> = if ((a < 0.5) && (match both(a, a) {
        Some(v19) if (1i64 < 1i64) => u[(((n as i64) as usize) % u.len())],
        _ => a,
    } < a)) {
        Box::new(move |v16: f64| a)
    } else {
        Box::new(move |v16: f64| v16)
    };
    ((x[((3i64 as usize) % x.len())] + a) + v11.twice(0.5))
}
}

mod p82 {
use super::*;
pub const CASE: Case = Case { seed: 82, args: Args { x: [-0.20139505972747945, 0.05865392708017459, -0.557302061113706, 0.9044075798159261], u: [-0.6210641617868115, -0.16553557034435146, -0.5712219227625204], a: 0.6350756998420768, n: 0 }, along: Args { x: [-0.47255791166902084, 0.2713536067276213, -0.3645028809651379, 0.9615538080715536], u: [0.46954183562258944, -0.1702147990946374, 0.1251215901402206], a: 0.11694605809490916, n: 1 }, singles: false };

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
    let mut v11 = Rc::new(RefCell::new(x[((3i64 as usize) % x.len())]));
    let mut v12 = |v13: f64| {
        a = v13;
        (a * v13)
    };
    let mut v14 = (v12((0.5 * 0.5)) + v12(x[((1i64 as usize) % x.len())]));
    let mut v16: f64 = v14;
    if (1i64 == 1i64) {
        let mut v18 = &x[1..3];
        {
            let mut i0 = ((1i64 as usize) % u.len());
            u[i0] = x[(((n as i64) as usize) % x.len())];
        }
    } else {
        let mut v23: Box<dyn Fn(f64) -> f64> = if (match 2i64 {
            0 => 0.75,
            1 | 2 => u[((3i64 as usize) % u.len())],
            v22 if ((v22 == (n as i64)) || (a < v16)) => a,
            _ => a,
        } < u[((2i64 as usize) % u.len())]) {
            Box::new(move |v21: f64| x[((1i64 as usize) % x.len())])
        } else {
            Box::new(move |v21: f64| h0(x[((1i64 as usize) % x.len())], a))
        };
    }
    let mut v24 = move |v25: f64| x[((3i64 as usize) % x.len())];
    ((((v14 + a) + {
        let mut r = *v11.borrow();
        r
    }) + v14) + v16)
}
}

mod p83 {
use super::*;
pub const CASE: Case = Case { seed: 83, args: Args { x: [-0.7854200950606647, -0.8403937026212758, 0.44307086985732047, -0.05254894678370711], u: [0.4296206825777087, -0.5354244244297782, 0.9650127395710208], a: 0.09420576695610683, n: 0 }, along: Args { x: [0.8240629980835306, -0.7363351416643866, 0.7424424773824646, 0.2528508419380595], u: [-0.6800390259939524, -0.22140727496268345, 0.3078128774799974], a: -0.7446710379370014, n: 2 }, singles: false };

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
    let mut v19: Box<dyn Fn(f64) -> f64> = if (!(shared(v12, a) <= 1.25)) {
        Box::new(move |v18: f64| a)
    } else {
        Box::new(move |v18: f64| orchard(orchard(v18, 2i64), 2i64))
    };
    let mut v20: Result<f64, f64> = if (v12 < a) {
        Ok((0i64 as f64))
    } else {
        Err(v12)
    };
    for p21 in u[1..].iter_mut() {
        let mut v21 = *p21;
        *p21 = v19(x[((1i64 as usize) % x.len())]);
    }
    v12
}
}

mod p84 {
use super::*;
pub const CASE: Case = Case { seed: 84, args: Args { x: [-0.9779835710706751, -0.11808947998721933, 0.6454304923108831, 0.8622972371748758], u: [0.46655282233475637, 0.8349009406756968, 0.6326538657976832], a: 0.6896017748382207, n: 2 }, along: Args { x: [0.08331138733643868, 0.106478451067785, 0.7127418665121156, -0.832150425301068], u: [-0.43859847572353095, 0.8065147308822175, 0.22240044529990008], a: -0.11108555796252798, n: 2 }, singles: false };

#[differentiable]
pub fn h1(mut v4: f64, mut v5: f64) -> f64 {
    let mut v14: f64 = match (E::Two { x: v4, n: 1i64 }) {
        E::One(v10) => v5.tanh(),
        E::Two { x: v10, n: v11 } => 2.0,
        E::None => v4,
    };
    combined(Some(v5), v5).unwrap_or(v5).tanh()
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = Rc::new(RefCell::new({
        let mut f = |v10: f64| (0.5 as f64);
        (f(0.75) + f(x[((1i64 as usize) % x.len())]))
    }));
    {
        let mut e = x[((1i64 as usize) % x.len())];
        *v13.borrow_mut() -= e;
    }
    let mut v17: Box<dyn Fn(f64) -> f64> = if ((n as i64) < 3i64) {
        Box::new(move |v14: f64| {
            let mut v15: f64 = v14.sin();
            let mut v16: i64 = 0;
            loop {
                v15 = h1(x[(((n as i64) as usize) % x.len())], x[((1i64 as usize) % x.len())]);
                v16 += 1;
                if ((v16 >= 3) || (v15 < v15)) {
                    break v15;
                }
            }
        })
    } else {
        Box::new(move |v14: f64| x[((1i64 as usize) % x.len())])
    };
    let mut v20 = (parity(0.75, 2i64), match (E::Two { x: a, n: 1i64 }) {
        E::One(v18) => v18,
        E::Two { x: v18, n: v19 } => v18,
        E::None => a,
    });
    let mut v21: i64 = 1i64;
    {
        let mut e = match combined(Some(a), u[((v21 as usize) % u.len())]) {
            Some(v24) => x.iter().map(|&v25| match (if (!(2.0 <= x[(((n as i64) as usize) % x.len())])) {
                Ok(x[((1i64 as usize) % x.len())])
            } else {
                Err(v25)
            }) {
                Ok(v26) => (v24 + v25),
                Err(v27) => (v25 + v24),
            }).filter(|e| (*e > 0.0)).sum::<f64>(),
            None => x[((1i64 as usize) % x.len())],
        };
        *v13.borrow_mut() -= e;
    }
    let mut v31: Box<dyn Fn(f64) -> f64> = if (match (E::Two { x: a, n: ((n as i64) * 1i64) }) {
        E::One(v29) => a,
        E::Two { x: v29, n: v30 } => a,
        E::None => a,
    } < a) {
        Box::new(move |v28: f64| ((a * a) * if ((x[(((n as i64) as usize) % x.len())], x[((2i64 as usize) % x.len())]).1 < x[((1i64 as usize) % x.len())]) {
            a
        } else {
            x[((2i64 as usize) % x.len())]
        }))
    } else {
        Box::new(move |v28: f64| v28)
    };
    let mut v32 = v20;
    let mut v33 = v13.clone();
    let mut v34 = vec![S { a: 1.5, b: swapped(x[((v21 as usize) % x.len())], a), n: ((2.5 * a) as i64) }];
    (((a + {
        let mut r = *v13.borrow();
        r
    }) + v20.0) + {
        let mut r = *v33.borrow();
        r
    })
}
}

mod p85 {
use super::*;
pub const CASE: Case = Case { seed: 85, args: Args { x: [0.8701971854941867, 0.7113905430034938, -0.8583952129966775, 0.8566362791771097], u: [-0.2801924784235012, 0.8472556254795205, -0.8202861720222673], a: 0.9764963015742338, n: 1 }, along: Args { x: [0.38039079278782906, -0.031171220935326743, -0.054529033489952514, 0.7505020053981253], u: [0.6242869216970975, 0.7099782643992694, -0.722694095360652], a: -0.8176982804484421, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p10 in u.iter_mut() {
        let mut v10 = *p10;
        *p10 = 1.0;
    }
    let mut v13 = if ((2i64 == (n as i64)) || (1.5 < a)) {
        E::One(a)
    } else {
        E::Two { x: counted(a, 2i64), n: 3i64 }
    };
    let mut v14 = |v15: f64| {
        a = v15;
        (a * v15)
    };
    let mut v16 = (apply(&mut v14, 0.5) + v14(match Some((1.5 as f64)) {
        Some(v17) if (((n as i64) as f64) < v17) => v17,
        _ => 0.5,
    }));
    let mut v19 = S { a: parity(v16, ((2.5 * v16) as i64)), b: (v16, (a * v16)), n: 1i64 };
    let mut v20: i64 = v19.n;
    let mut v24 = ((2.0 as f64), v16);
    let mut v25 = move |v26: f64| (0.5 as f64);
    let mut v27 = 0;
    'l27: while ((v27 < 4) && (v19.n == 3i64)) {
        v27 += 1;
        let mut v32 = L::Node(v16, Box::new(L::Node(if (a < v16) {
            x[((v19.n as usize) % x.len())]
        } else {
            u[((1i64 as usize) % u.len())]
        }, Box::new(L::Node((v16 - 2.0), Box::new(L::End))))));
        let mut v36 = S { a: v16, b: v24, n: v19.n };
    }
    (((v16 + match v13 {
        E::One(v37) => v37,
        E::Two { x: v37, n: v38 } => v37,
        E::None => 0.5,
    }) + v16) + v24.0)
}
}

mod p86 {
use super::*;
pub const CASE: Case = Case { seed: 86, args: Args { x: [-0.2198766804833737, -0.17739847965953004, -0.8888906172856775, 0.15638393110174217], u: [0.854761507953987, -0.6425722943817458, 0.7768240199066041], a: -0.07570354967908105, n: 2 }, along: Args { x: [-0.1742079776535669, 0.5758563921852194, -0.15391312386055878, -0.5688043348980638], u: [0.29522344464615996, -0.8152230061381291, -0.4597717971852404], a: 0.05292990734228248, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 1i64;
    let mut v11: f64 = solids(0.5, v10);
    let mut v14 = D { s: S { a: x[((3i64 as usize) % x.len())], b: (u[((1i64 as usize) % u.len())], (1.0 as f64)), n: (n as i64) }, o: both(1.5, a), v: vec![u[((1i64 as usize) % u.len())]], e: if (a < 1.5) {
        E::One(v11)
    } else {
        E::Two { x: 1.0, n: v10 }
    } };
    v14.s = S { a: (-a), b: (u[(((n as i64) as usize) % u.len())], x[((1i64 as usize) % x.len())]), n: ((2.5 * u[((0i64 as usize) % u.len())]) as i64) };
    let mut v15: Box<dyn Solid> = Box::new(Ball { r: 1.0 });
    (({
        let mut v16: f64 = {
            let mut v18: f64 = u[(((n as i64) as usize) % u.len())];
            let mut v19: i64 = 0;
            loop {
                v18 = v11.sin();
                v19 += 1;
                if ((v19 >= 3) || (!(match (E::Two { x: u[((3i64 as usize) % u.len())], n: ((2.5 * a) as i64) }) {
                    E::One(v20) => v11,
                    E::Two { x: v20, n: v21 } => v18,
                    E::None => x[((v19 as usize) % x.len())],
                } <= x[((2i64 as usize) % x.len())]))) {
                    break v18;
                }
            }
        };
        let mut v17: i64 = 0;
        loop {
            v16 = parity(0.5, v10);
            v17 += 1;
            if ((v17 >= 3) || ((!(rises(x, v16) <= v11)) || (u[((3i64 as usize) % u.len())].max(v16) < v11))) {
                break v16;
            }
        }
    } + a) + weigh(&v14, 0.5))
}
}

mod p87 {
use super::*;
pub const CASE: Case = Case { seed: 87, args: Args { x: [0.35999052421814637, -0.41914345207371506, -0.19540313291395328, 0.45876316488774554], u: [-0.884768521274554, 0.12721106256807527, 0.1193362943303292], a: 0.7007617237393335, n: 1 }, along: Args { x: [-0.1755512101234394, -0.3242247283598825, -0.5633797438706917, -0.08308084779283706], u: [-0.9817289007240685, -0.41466832159659145, 0.7031993906765435], a: -0.4601271568493262, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Fn(f64) -> f64> = if ((n as i64) == 3i64) {
        Box::new(move |v10: f64| spiral(a, 2i64))
    } else {
        Box::new(move |v10: f64| a)
    };
    let mut v14: [f64; 3] = [a.cos(), (2.0 as f64), match (if (1i64 == 2i64) {
        Some((2.0 as f64))
    } else {
        None
    }) {
        Some(v13) => a,
        None => u[((1i64 as usize) % u.len())],
    }];
    let mut v17 = D { s: S { a: a, b: (u[((1i64 as usize) % u.len())], (0.25 as f64)), n: (n as i64) }, o: Some((1.25 as f64)), v: vec![(0.25 as f64), a], e: if (2i64 < 3i64) {
        E::One((1.25 as f64))
    } else {
        E::None
    } };
    for p18 in u.iter_mut() {
        let mut v18 = *p18;
        *p18 = a;
    }
    let mut v27: Result<f64, f64> = chained(a, (0.5 * a));
    let mut e29 = a;
    let mut p29 = if (1i64 < 2i64) {
        let mut i0 = ((((2.5 * 1.0) as i64) as usize) % v14.len());
        &mut v14[i0]
    } else {
        &mut a
    };
    *p29 *= e29;
    ((x[((1i64 as usize) % x.len())] + halved(&v14)) + weigh(&v17, 0.5))
}
}

mod p88 {
use super::*;
pub const CASE: Case = Case { seed: 88, args: Args { x: [-0.027541345220262962, -0.3407366406046236, 0.37410368701637814, 0.07132123608393236], u: [-0.7289293599781866, -0.9928538946518468, 0.5183979426182944], a: -0.7060519573042177, n: 1 }, along: Args { x: [-0.4672996564965538, 0.06304019327147385, -0.5943946537069857, -0.22765446668392372], u: [-0.03904603158150942, 0.9209015596445224, 0.7629179605293209], a: 0.41389642148735745, n: 3 }, singles: false };

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
        let mut v15: Option<f64> = Some(orchard(u[((1i64 as usize) % u.len())], 1i64));
    } else {
        {
            let mut m = ((((2.5 * a) as i64) as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v16 = *i;
                let mut v17 = *j;
                let mut e = v17;
                let mut f = v16;
                *i = e;
                *j = f;
            }
        }
    }
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v20 = *i;
            let mut v21 = *j;
            let mut e = v21;
            let mut f = (a + 1.75);
            *i = e;
            *j = f;
        }
    }
    a += match Some(a) {
        Some(v22) if (x[((0i64 as usize) % x.len())] < x[((1i64 as usize) % x.len())]) => (-v22),
        _ => h0(2i64, 2.0, 1.25),
    };
    let mut v27 = S { a: a, b: (h1(a), x[((1i64 as usize) % x.len())]), n: 3i64 };
    for p28 in u.iter_mut() {
        let mut v28 = *p28;
        *p28 = 1.5;
    }
    let mut v31 = |v32: f64| {
        a = 2.0;
        (a * v32)
    };
    let mut v33 = (v31(x[(((n as i64) as usize) % x.len())]) + v31(u[((3i64 as usize) % u.len())]));
    ((((v33.min(v33) * x.iter().map(|&v34| x[((v27.n as usize) % x.len())]).fold((0.5 as f64), |s, e| ((s * 0.5) + e))) + v10.unwrap_or(0.25)) + v27.size(0.75)) + v33)
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
    let mut v17: Option<f64> = Some(u[(((n as i64) as usize) % u.len())]).and_then(|v15| if ({
        let mut f = |v16: f64| v15;
        (f(v11) + f(a))
    } < a) {
        Some(a)
    } else {
        None
    }).and_then(|v14| Some(v11));
    let mut v18: Option<f64> = both((1.5 * v11), 0.5);
    for p19 in u.iter_mut() {
        let mut v19 = *p19;
        *p19 = a;
    }
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v20 = *i;
            let mut v21 = *j;
            let mut e = x[(((n as i64) as usize) % x.len())];
            let mut f = v21;
            *i = e;
            *j = f;
        }
    }
    (((x[((0i64 as usize) % x.len())] + a) + v11) + v18.unwrap_or(0.25))
}
}

mod p90 {
use super::*;
pub const CASE: Case = Case { seed: 90, args: Args { x: [0.9660385659565129, -0.018420743482097032, -0.8435568769816318, 0.1927692706392293], u: [-0.07392802464036798, -0.02998668080855016, -0.9607009225122757], a: -0.8163031593505488, n: 2 }, along: Args { x: [-0.0740739699337615, 0.061661998655340604, 0.6865691227075326, -0.6241333616747607], u: [-0.9382062624495953, -0.8626936694071007, 0.7429119526920072], a: 0.36315359768652655, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: i64 = 1i64;
    let mut v11 = |v12: f64| {
        a = {
            let mut f = |v14: f64| v14.cos();
            (f(match Some(v12) {
                Some(v15) => v15,
                None => a,
            }) + f(x[((v10 as usize) % x.len())]))
        };
        (a * v12)
    };
    let mut v13 = (v11(u[((v10 as usize) % u.len())]) + v11(0.5));
    let mut v19 = E::Two { x: v13, n: 1i64 };
    for p20 in u.iter_mut() {
        let mut v20 = *p20;
        *p20 = ((1.75 as f64), v20).1;
    }
    let mut v23 = L::Node(match (if (v10 < 1i64) {
        E::One(a)
    } else {
        E::Two { x: x[((1i64 as usize) % x.len())], n: 1i64 }
    }) {
        E::One(v21) => v21,
        E::Two { x: v21, n: v22 } => 1.75,
        E::None => v13,
    }, Box::new(L::End));
    let mut v24 = move |v25: f64| a;
    let mut v26 = |v27: f64| {
        v13 = 0.25;
        (v13 * v27)
    };
    let mut v28 = (v26(a) + v26({
        let mut v29: f64 = u[((v10 as usize) % u.len())];
        let mut v30: i64 = 0;
        loop {
            v29 = u[((0i64 as usize) % u.len())];
            v30 += 1;
            if ((v30 >= 3) || (v30 < 2i64)) {
                break v29;
            }
        }
    }));
    v10 = v10;
    let mut v32: i64 = v10;
    (((v13 + a) + v13) + total(&v23))
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
pub const CASE: Case = Case { seed: 92, args: Args { x: [0.7542192720932924, -0.2025213841325292, 0.334580269090887, -0.04893280528286658], u: [0.28516498318474837, 0.6453441979229888, -0.29441103357625975], a: -0.25661007440095324, n: 0 }, along: Args { x: [0.901199197242642, 0.9514482765605735, -0.008807480043797649, -0.8524158600656618], u: [0.8657707244168202, -0.030000778877188286, -0.9640472751596658], a: -0.15972561405989932, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = if (a < a) {
        Box::new(Brick { sides: (a, x[((0i64 as usize) % x.len())]), n: 1i64 })
    } else {
        Box::new(Point)
    };
    if (1i64 < 0i64) {
        let mut v12: f64 = x[((2i64 as usize) % x.len())];
        let mut v13: Box<dyn Solid> = Box::new(Point);
    } else {
        a = a;
    }
    let mut v16: f64 = match ratio(2.0, a) {
        Ok(v14) => a,
        Err(v15) => a,
    };
    let mut v17: Result<f64, f64> = ratio(x[(((n as i64) as usize) % x.len())], Some(v16).unwrap_or(a));
    let mut v20 = E::Two { x: v16, n: 3i64 };
    v17 = chained(v16, x[((3i64 as usize) % x.len())].max(0.25));
    let mut v24: Result<f64, f64> = chained(a, x[(((n as i64) as usize) % x.len())]);
    (((0.5 + a) + v16) + match v20 {
        E::One(v25) => v25,
        E::Two { x: v25, n: v26 } => v25,
        E::None => 0.5,
    })
}
}

mod p93 {
use super::*;
pub const CASE: Case = Case { seed: 93, args: Args { x: [-0.050443096322957945, 0.8792729686413989, 0.5237155890684206, -0.923079719789592], u: [0.38838997427551836, 0.3420711583609738, -0.9503529806667974], a: 0.1691532298140682, n: 1 }, along: Args { x: [-0.823727364982289, 0.6853831591794168, -0.28009082720875034, -0.7214728194372495], u: [-0.41298095479702884, -0.0006821822455276745, 0.8694705454503452], a: -0.11200009253854307, n: 2 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v12 = S { a: counted((v4 * v4), 3i64), b: swapped(v4, match 0i64 {
        0 => 1.75,
        1 | 2 => v4,
        v10 if (match Some((1.75 as f64)) {
        Some(v11) => v11,
        None => 0.25,
    } < v4) => v4,
        _ => 1.5,
    }), n: 1i64 };
    v4.cos()
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Result<f64, f64> = ratio(a, a);
    if ((n as i64) < 1i64) {
        if let Some(v12) = root(a) {
            let mut v13: i64 = (n as i64);
            {
                let mut m = ((((2.5 * u[((1i64 as usize) % u.len())]) as i64) as usize) % (u.len() + 1));
                let (p, q) = u.split_at_mut(m);
                for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                    let mut v14 = *i;
                    let mut v15 = *j;
                    let mut e = match chained(2.0, v14) {
                        Ok(v16) => x[((v13 as usize) % x.len())],
                        Err(v17) => a,
                    };
                    let mut f = 1.25;
                    *i = e;
                    *j = f;
                }
            }
        }
        'l18: for v18 in 0i64..(n as i64) {
            let mut v21 = vec![a, match (if (v18 == 0i64) {
                Ok(a)
            } else {
                Err(a)
            }) {
                Ok(v19) => 2.0,
                Err(v20) => x[((1i64 as usize) % x.len())],
            }];
            let mut v22 = |v23: f64| {
                a = {
                    let mut v25: f64 = match (if (x[((1i64 as usize) % x.len())] < x[((1i64 as usize) % x.len())]) {
                        Ok(v23)
                    } else {
                        Err(a)
                    }) {
                        Ok(v27) => x[((v18 as usize) % x.len())],
                        Err(v28) => v23,
                    };
                    let mut v26: i64 = 0;
                    loop {
                        v25 = {
                            let mut f = |v31: f64| a;
                            (f(x[((v18 as usize) % x.len())]) + f(v25))
                        };
                        v26 += 1;
                        if ((v26 >= 3) || (!(a <= v23))) {
                            break v25;
                        }
                    }
                };
                (a * v23)
            };
            let mut v24 = (v22(0.5) + v22(h0(0.5)));
        }
    } else {
        let mut v33 = D { s: S { a: a, b: (a, a), n: 3i64 }, o: if (match 1i64 {
            0 => a,
            1 | 2 => a,
            v32 if (v32 < 1i64) => a,
            _ => a,
        } < a) {
            Some(a)
        } else {
            None
        }, v: vec![(if ((a < a) || (a < a)) {
            Some(a)
        } else {
            None
        }).unwrap_or(1.25), a], e: E::Two { x: a, n: (2i64 + 3i64) } };
    }
    let mut v34 = L::Node(1.25, Box::new(L::End));
    match chained(a, u[((1i64 as usize) % u.len())]) {
        Ok(v35) => spiral((x[((0i64 as usize) % x.len())] * u[((1i64 as usize) % u.len())]), (n as i64)),
        Err(v36) => v36,
    }
}
}

mod p94 {
use super::*;
pub const CASE: Case = Case { seed: 94, args: Args { x: [0.28376179021531417, -0.6144200013745231, 0.506312378872155, 0.4580329990318396], u: [0.8986617056864004, 0.4312031807181327, -0.9559482516248823], a: 0.33088717649641514, n: 2 }, along: Args { x: [-0.0009776890315028285, 0.6962554914495833, -0.9198881750487942, -0.14242145594436473], u: [-0.11039961681944913, -0.10228557863501882, -0.7069173509489862], a: -0.725135915288964, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    if (!(1.0 <= a)) {
        let mut v14: Result<f64, f64> = ratio(if (!((x[((0i64 as usize) % x.len())] * u[((0i64 as usize) % u.len())]) <= a)) {
            x[((3i64 as usize) % x.len())]
        } else {
            x[((1i64 as usize) % x.len())]
        }, a);
        let mut v18: f64 = Some(a).filter(|&v17| ((n as i64) == 1i64)).unwrap_or(a);
    } else {
        let mut v19 = vec![duo(a, a)];
    }
    let mut v20: Option<f64> = Some(a);
    for p21 in u.iter_mut() {
        let mut v21 = *p21;
        *p21 = v21;
    }
    (a + v20.unwrap_or(0.25))
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
pub const CASE: Case = Case { seed: 96, args: Args { x: [-0.5739172454965281, -0.6053032251268756, 0.4114165598082398, 0.051504591774398284], u: [0.3917709666738683, 0.9292192627355179, 0.9593335079037746], a: -0.5565198348282704, n: 0 }, along: Args { x: [-0.09359424460576428, 0.6274487785479766, 0.9488065403619589, 0.7272234126458971], u: [0.6001474040781005, 0.8855205120131369, -0.29154778487465643], a: -0.033837215779631065, n: 0 }, singles: false };

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
            let mut e = v4;
            let mut f = v17;
            *i = e;
            *j = f;
        }
    }
    {
        let mut m = ((((2.5 * v4) as i64) as usize) % (v15.len() + 1));
        let (p, q) = v15.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v18 = *i;
            let mut v19 = *j;
            let mut e = spiral(v4, 1i64);
            let mut f = Some(v18).unwrap_or(v19);
            *i = e;
            *j = f;
        }
    }
    matched(&v15, match combined(both(0.5, v4), v4) {
        Some(v20) if (1i64 == 0i64) => v20,
        _ => v4,
    })
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11: Box<dyn Fn(f64) -> f64> = if ((-1.75) < a) {
        Box::new(move |v10: f64| a)
    } else {
        Box::new(move |v10: f64| a)
    };
    mix(u, match (if (1i64 == 1i64) {
        Ok(x[(((n as i64) as usize) % x.len())])
    } else {
        Err((0.5 as f64))
    }) {
        Ok(v12) => v12,
        Err(v13) => v13,
    });
    let mut v14: f64 = graded(v11(a), ((2.5 * a) as i64));
    let mut v15 = |v16: f64| {
        v14 = v16;
        (v14 * v16)
    };
    let mut v17 = (v15(u[((2i64 as usize) % u.len())]) + v15(v11(a)));
    if (stepped(a, 1i64) < v14) {
        let mut v19 = 0;
        'l19: while ((v19 < 4) && (1i64 < 3i64)) {
            v19 += 1;
            let mut v22: f64 = (1.25 * v14);
            let mut v24 = L::Node(0.5, Box::new(L::End));
        }
        for p25 in u[1..].iter_mut() {
            let mut v25 = *p25;
            *p25 = v11(a);
        }
    } else {
        let mut v30 = S { a: v17, b: (v17, {
            let mut v28: f64 = v17;
            let mut v29: i64 = 0;
            loop {
                v28 = v17;
                v29 += 1;
                if ((v29 >= 3) || (v29 == v29)) {
                    break v28;
                }
            }
        }), n: ((2.5 * v17) as i64) };
    }
    ((h1(2i64, match (n as i64) {
        0 => v14,
        1 | 2 => v11(v14),
        v31 if (v31 == 2i64) => a,
        _ => x[((1i64 as usize) % x.len())],
    }) + v14) + v17)
}
}

mod p97 {
use super::*;
pub const CASE: Case = Case { seed: 97, args: Args { x: [0.2738883499239455, 0.6295065435342689, -0.3931887556700178, 0.302774664666379], u: [0.9586159951280824, 0.6865160260567845, -0.5732793339935717], a: -0.46428938359006605, n: 2 }, along: Args { x: [-0.20952511930780823, -0.8066243364031508, -0.4047022978023624, 0.22221004713334444], u: [-0.7447743107076906, -0.8628011753596565, -0.20727897336351597], a: -0.6127653747230212, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10: Box<dyn Solid> = if (1.25 < a) {
        Box::new(Brick { sides: (a, a), n: 3i64 })
    } else {
        Box::new(Point)
    };
    let mut v17 = S { a: a, b: (match 0i64 {
        0 => a,
        1 | 2 => a,
        v14 if (duo(2.0, x[((1i64 as usize) % x.len())]) < x[((v14 as usize) % x.len())]) => a,
        _ => x[(((n as i64) as usize) % x.len())],
    }, {
        let mut v15: f64 = 1.5;
        let mut v16: i64 = 0;
        loop {
            v15 = a;
            v16 += 1;
            if ((v16 >= 3) || (1i64 < 3i64)) {
                break v15;
            }
        }
    }), n: 0i64 };
    v17.turn(0.5);
    if ((n as i64) < v17.n) {
        for p22 in u[1..].iter_mut() {
            let mut v22 = *p22;
            *p22 = (0.5 * (v22 - a));
        }
        let mut v23 = move |v24: f64| if (v17.n == 3i64) {
            {
                let mut v25: f64 = v24;
                let mut v26: i64 = 0;
                loop {
                    v25 = v24;
                    v26 += 1;
                    if ((v26 >= 3) || (v24 < v24)) {
                        break v25;
                    }
                }
            }
        } else {
            a
        };
    } else {
        let mut v30 = S { a: 0.75, b: (x[((2i64 as usize) % x.len())].sin(), {
            let mut f = |v29: f64| a;
            (f(a) + f(0.5))
        }), n: v17.n };
    }
    let mut v33: [f64; 3] = [match E::One((1.0 as f64)) {
        E::One(v31) => v31,
        E::Two { x: v31, n: v32 } => a,
        E::None => a,
    }, (0.75 as f64), v10.size(a)];
    let mut v34 = move |v35: f64| sorted(&v33, (0.75 + x[(((n as i64) as usize) % x.len())]));
    let mut v37 = L::Node(v10.twice(a), Box::new(L::Node(0.75, Box::new(L::End))));
    ((((1.0 + a) + v10.twice(0.5)) + halved(&v33)) + total(&v37))
}
}

mod p98 {
use super::*;
pub const CASE: Case = Case { seed: 98, args: Args { x: [0.46340574696779113, -0.4126057592276308, 0.8563749791921758, -0.7178692177614904], u: [-0.03994290999857041, -0.9498998812435646, 0.6387061603806615], a: -0.06114582571593792, n: 1 }, along: Args { x: [-0.6413015994061882, -0.8554417780995415, -0.8002257175268721, -0.09630265049186917], u: [-0.588144321848711, -0.3362314046663998, -0.7955557547477864], a: 0.3654628504966878, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = (a, a);
    let Some(v13) = both(a, a) else {
        return {
            let mut v11: f64 = a;
            let mut v12: i64 = 0;
            loop {
                v11 = v11;
                v12 += 1;
                if ((v12 >= 3) || (x[((2i64 as usize) % x.len())] < 0.25)) {
                    break v11;
                }
            }
        };
    };
    stir(u, 1.75);
    let mut v14 = v10;
    let mut v15: i64 = ((-1i64) * 1i64);
    let mut v16 = |v17: f64| {
        a = v17;
        (a * v17)
    };
    let mut v18 = (v16(v14.0) + v16(v13));
    (((((1.75 + a) + v10.0) + v13) + v14.1) + v18)
}
}

mod p99 {
use super::*;
pub const CASE: Case = Case { seed: 99, args: Args { x: [-0.13412966177094057, 0.6687934719884481, 0.34100906977791684, 0.49806587706782646], u: [-0.8002481978510094, 0.584868098546472, -0.6010113690867711], a: -0.5112139205877678, n: 1 }, along: Args { x: [0.0704001799854117, 0.033608472958345285, 0.7422331849862046, 0.5762422898270905], u: [0.9362612410813881, 0.26594721107170805, -0.43355135116083915], a: -0.8611680755646315, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: f64 = parity({
        let mut v11: f64 = a;
        let mut v12: i64 = 0;
        loop {
            v11 = a;
            v12 += 1;
            if ((v12 >= 3) || (v11 < a)) {
                break v11;
            }
        }
    }, 1i64);
    let mut v15 = L::Node(v13, Box::new(L::Node(match (if ((!(u[(((n as i64) as usize) % u.len())] <= 1.25)) || (3i64 < (n as i64))) {
        Some(v13)
    } else {
        None
    }) {
        Some(v14) => 1.25,
        None => u[((1i64 as usize) % u.len())],
    }, Box::new(L::Node(v13, Box::new(L::End))))));
    {
        let mut i0 = ((0i64 as usize) % u.len());
        u[i0] += a;
    }
    let mut v17 = D { s: turned(turned(S { a: v13, b: (a, (2.0 as f64)), n: (1i64 * (n as i64)) }, if (v13 < a) {
        E::One(v13)
    } else {
        E::None
    }), if (!(u[(((n as i64) as usize) % u.len())].sin() <= v13)) {
        E::One((0.75 as f64))
    } else {
        E::Two { x: a, n: 1i64 }
    }), o: Some(v13), v: vec![(-v13)], e: E::One(a) };
    if ((1.0 < v13) || (!(match ((-1i64) / 3i64) {
        0 => x[((0i64 as usize) % x.len())],
        1 | 2 => x[((1i64 as usize) % x.len())],
        v19 if (!(u[((1i64 as usize) % u.len())] <= x[(((n as i64) as usize) % x.len())])) => v13,
        _ => a,
    } <= 0.25))) {
        let mut v21: Option<f64> = both(v13, u[((1i64 as usize) % u.len())]);
        grow(&mut v15, 1.0);
    } else {
        let mut v25 = turned(S { a: match (if (3i64 < 2i64) {
            E::One(a)
        } else {
            E::None
        }) {
            E::One(v23) => v13,
            E::Two { x: v23, n: v24 } => u[((1i64 as usize) % u.len())],
            E::None => a,
        }, b: ((1.75 as f64), u[((1i64 as usize) % u.len())]), n: 2i64 }, E::Two { x: 2.0, n: ((2.5 * u[((1i64 as usize) % u.len())]) as i64) });
    }
    let mut v26 = 0;
    'l26: while ((v26 < 4) && (v13.sin() < a)) {
        v26 += 1;
        for p29 in u.iter_mut() {
            let mut v29 = *p29;
            *p29 = v29.min(1.75).min(x[((0i64 as usize) % x.len())]);
        }
    }
    (((1.0 + a) + v13) + total(&v15))
}
}

mod p100 {
use super::*;
pub const CASE: Case = Case { seed: 100, args: Args { x: [0.5763061958823341, 0.3053364075139262, 0.4661195921940154, 0.6505520253550932], u: [-0.37316089215628967, -0.8965985040607596, 1.0003835844829312], a: -0.25561958933884127, n: 2 }, along: Args { x: [0.46562847681397446, 0.08288430508306674, 0.1283387579174889, 0.40809092665285596], u: [-0.2567762633119275, 0.3908672346812362, 0.4434461587189293], a: 0.8635361165469624, n: 3 }, singles: false };

#[differentiable]
pub fn h1(mut v4: f64, mut v5: f64) -> f64 {
    let mut v11: [f64; 3] = [v4, match Some(v5) {
        Some(v10) => v10,
        None => v5,
    }, v5.cos()];
    let mut v12 = (v5, v4);
    let mut v15: [f64; 3] = [(2.0 as f64), if (3i64 == 0i64) {
        v4
    } else {
        v4
    }, v5];
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = L::Node(h1(a, a), Box::new(L::End));
    'l12: for v12 in 0i64..3i64 {
        let mut v16 = vec![match chained(a, a) {
            Ok(v14) => x[((0i64 as usize) % x.len())],
            Err(v15) => a,
        }];
        let mut v17: Option<f64> = Some((0.25 as f64));
    }
    for p18 in u.iter_mut() {
        let mut v18 = *p18;
        *p18 = {
            let mut v19: f64 = a;
            let mut v20: i64 = 0;
            loop {
                v19 = 1.25;
                v20 += 1;
                if ((v20 >= 3) || (1i64 < v20)) {
                    break v19;
                }
            }
        };
    }
    let mut v26 = Rc::new(RefCell::new(h1(a, x.windows(2).map(|c| {
        let mut v23 = c[0];
        let mut v24 = c[(c.len() - 1)];
        {
            let mut f = |v25: f64| (0.5 as f64);
            (f(x[((1i64 as usize) % x.len())]) + f(x[(((n as i64) as usize) % x.len())]))
        }
    }).sum::<f64>())));
    grow(&mut v11, 0.5);
    let mut v31 = (a.tanh(), match combined(root(a), a) {
        Some(v30) if (0i64 < 0i64) => 1.5,
        _ => a,
    });
    {
        let mut m = ((((-1i64) % 1i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v32 = *i;
            let mut v33 = *j;
            let mut e = (v33 + x[((0i64 as usize) % x.len())]);
            let mut f = v32;
            *i = e;
            *j = f;
        }
    }
    let mut v34 = &x[0..3];
    (((a + a) + {
        let mut r = *v26.borrow();
        r
    }) + v31.1)
}
}

mod p101 {
use super::*;
pub const CASE: Case = Case { seed: 101, args: Args { x: [0.611968708401997, 0.12905510056930616, 0.842953730258831, -0.09678918000541248], u: [-0.35539369037994706, -0.9217703233832433, -0.4717056262211666], a: -0.8789469588350012, n: 3 }, along: Args { x: [0.6417903381302654, -0.3308903344602969, 0.3785250718994522, -0.978709973609521], u: [0.28127922739653055, -0.6824554337387458, -0.49927617653541984], a: 1.0128663132364886, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13: Option<f64> = root(a).filter(|&v12| (((n as i64) == (n as i64)) && (3i64 < 3i64)));
    if let Some(v14) = Some(a) {
        let mut v15: [f64; 3] = [a, renewed(x, 0i64), a];
        mix(u, v14);
    }
    let mut v17 = (a, counted(a, 0i64));
    let mut v18 = vec![spiral(a, 1i64), root(a).unwrap_or(x[((2i64 as usize) % x.len())])];
    (((u[(((n as i64) as usize) % u.len())] + a) + v13.unwrap_or(0.25)) + halved(&v18))
}
}

mod p102 {
use super::*;
pub const CASE: Case = Case { seed: 102, args: Args { x: [0.36343879553224945, -0.8927970132530578, -0.9743281456134391, -0.2531652687342211], u: [0.9913107272696955, -0.2911392091471206, -0.7516061931146198], a: -0.601115832970586, n: 2 }, along: Args { x: [1.003609780525244, -0.3084546218497327, 0.32158997993863825, 0.5569259573578016], u: [0.6596746152448759, -0.8454423612866301, 0.591710910052461], a: 0.34027437658639603, n: 0 }, singles: false };

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
    }, rises(x, a));
    let mut v26: [f64; 3] = [a, {
        let mut v24: f64 = 1.0;
        let mut v25: i64 = 0;
        loop {
            v24 = 0.75;
            v25 += 1;
            if ((v25 >= 3) || (!((a, u[((1i64 as usize) % u.len())]).1 <= x[((2i64 as usize) % x.len())]))) {
                break v24;
            }
        }
    }, a.cos()];
    let mut e28 = parity(a, (n as i64));
    let mut p28 = if (0i64 < (n as i64)) {
        let mut i0 = ((0i64 as usize) % v26.len());
        &mut v26[i0]
    } else {
        let mut i0 = ((((2.5 * a) as i64) as usize) % v26.len());
        &mut v26[i0]
    };
    *p28 *= e28;
    let mut v29 = vec![S { a: 1.25, b: v23, n: 3i64 }];
    v29.push(S { a: (a * a), b: ((1.0 as f64), (1.0 as f64)), n: 1i64 });
    'l30: for v30 in 0i64..(n as i64) {
        for p31 in u.iter_mut() {
            let mut v31 = *p31;
            *p31 = x[((v30 as usize) % x.len())];
        }
    }
    (((x[((2i64 as usize) % x.len())] + a) + v23.0) + halved(&v26))
}
}

mod p103 {
use super::*;
pub const CASE: Case = Case { seed: 103, args: Args { x: [0.742366218412756, -0.29854299975151627, 0.16782106668302293, 0.9366187697206799], u: [0.3642113909547863, -0.979909807300088, 0.2157118462154589], a: -0.48333432475621874, n: 0 }, along: Args { x: [0.6654253650389074, -0.8380148790235212, 0.9447289715786455, 0.5476606663544765], u: [-0.32739623592117306, -0.7028677033259483, 0.05117851023568493], a: 0.24866571563506673, n: 2 }, singles: false };

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
    stir(&mut v20, x[((1i64 as usize) % x.len())]);
    let Some(v22) = Some(a) else {
        return x[((3i64 as usize) % x.len())].max(a);
    };
    ((0.5 * v22) + a)
}
}

mod p104 {
use super::*;
pub const CASE: Case = Case { seed: 104, args: Args { x: [-0.9664709008193068, 0.848000326333232, -0.8305926304373077, 0.13106015056621054], u: [0.4263194411151544, -0.6995323167773437, 0.06327730541796024], a: 0.9466327716553672, n: 1 }, along: Args { x: [-0.36539551038504003, -0.9732509530198311, 0.09398152739062769, 0.6805111061250059], u: [-0.31933296389355664, 0.3824385108949333, -0.7396493992575905], a: -0.5046782378360203, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % u.len());
        u[i0] += spiral({
            let mut f = |v11: f64| (v11 * (v11 * a));
            (f(0.25) + f(a))
        }, (n as i64));
    }
    let mut v16 = D { s: S { a: u[((2i64 as usize) % u.len())], b: (a, x[((2i64 as usize) % x.len())]), n: 3i64 }, o: Some(a), v: vec![u[((2i64 as usize) % u.len())], {
        let mut v12: f64 = a;
        let mut v13: i64 = 0;
        loop {
            v12 = a;
            v13 += 1;
            if ((v13 >= 3) || ((n as i64) == v13)) {
                break v12;
            }
        }
    }, {
        let mut f = |v14: f64| (match combined(Some((1.75 as f64)), 1.75) {
            Some(v15) => 0.75,
            None => a,
        }).tanh();
        (f(x[((1i64 as usize) % x.len())]) + f(a))
    }], e: if (a < a) {
        E::One(a)
    } else {
        E::Two { x: a, n: 2i64 }
    } };
    let mut v18: f64 = match 1i64 {
        0 => a,
        1 | 2 => a,
        v17 if (((2.5 * a) as i64) == (n as i64)) => 0.5,
        _ => a,
    };
    let mut v24: i64 = (n as i64);
    if let Some(v25) = Some(u[((0i64 as usize) % u.len())]).map(|v26| (v26, v18).0) {
        {
            let mut m = ((v24 as usize) % (u.len() + 1));
            let (p, q) = u.split_at_mut(m);
            for (i, j) in p.iter_mut().zip(q.iter_mut()) {
                let mut v27 = *i;
                let mut v28 = *j;
                let mut e = v25;
                let mut f = x[((v24 as usize) % x.len())];
                *i = e;
                *j = f;
            }
        }
        let mut v29 = Rc::new(RefCell::new((1.25 as f64)));
    }
    let mut v30 = L::Node(a, Box::new(L::Node(a, Box::new(L::Node(a, Box::new(L::End))))));
    let mut v35: Box<dyn Solid> = if ((x[(((n as i64) as usize) % x.len())] < v18) && (match (&v30) {
        L::Node(v33, v34) => {
            let mut v33 = *v33;
            a
        },
        L::End => a,
    } < v18)) {
        Box::new(Ball { r: a })
    } else {
        Box::new(Brick { sides: (v18, a), n: v24 })
    };
    let mut v42: Result<f64, f64> = chained(rises(&v16.v, 1.5), match (if ((!({
        let mut v40: f64 = a;
        let mut v41: i64 = 0;
        loop {
            v40 = x[((v41 as usize) % x.len())];
            v41 += 1;
            if ((v41 >= 3) || ((3i64 + v24) == v24)) {
                break v40;
            }
        }
    } <= v18)) && (1.75 < 2.0)) {
        Ok(v18)
    } else {
        Err((2.0 as f64))
    }) {
        Ok(v38) => u[((1i64 as usize) % u.len())],
        Err(v39) => v39,
    });
    ((0.5 + a) + total(&v30))
}
}

mod p105 {
use super::*;
pub const CASE: Case = Case { seed: 105, args: Args { x: [-0.71183570927557, -0.03661930988049093, -0.6742282937805381, -0.885806267242364], u: [-0.06230964161972715, 0.09246481052278094, -0.28029034693215255], a: 0.4311754135960214, n: 2 }, along: Args { x: [0.1447941710541135, 0.6907788072305946, -0.8011425225226046, -0.43271705366243934], u: [0.6340208344992574, -0.0023670510096222615, 0.22700245337580793], a: -0.19650201130182848, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![x[(((n as i64) as usize) % x.len())], a];
    {
        let mut i0 = ((((2.5 * a) as i64) as usize) % u.len());
        u[i0] += 0.5;
    }
    {
        let mut m = ((3i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v12 = *i;
            let mut v13 = *j;
            let mut e = v12;
            let mut f = match 1i64 {
                0 => x[((1i64 as usize) % x.len())],
                1 | 2 => v12,
                v16 if ((v16 == v16) || (!(v12 <= v13))) => v13,
                _ => v13,
            };
            *i = e;
            *j = f;
        }
    }
    'l17: for &v17 in x {
        v10.push(a.sin());
        v10.push(u[((0i64 as usize) % u.len())]);
    }
    let mut v20 = &x[0..4];
    v10 = v10.clone();
    let mut v22 = S { a: (u[((1i64 as usize) % u.len())] * 2.0), b: (match ((2.5 * 1.0) as i64) {
        0 => x[((1i64 as usize) % x.len())],
        1 | 2 => 0.25,
        v21 if (((2.5 * a) as i64) == 1i64) => a,
        _ => a,
    }, a), n: (n as i64) };
    {
        let mut m = (((2i64 + 3i64) as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v28 = *i;
            let mut v29 = *j;
            let mut e = v29;
            let mut f = 1.5;
            *i = e;
            *j = f;
        }
    }
    0.75
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
pub const CASE: Case = Case { seed: 107, args: Args { x: [0.24744487773253976, -0.3465841409692395, -0.7073383681827116, 0.27840585449821764], u: [-0.8518974035552644, -0.2871619169087513, -0.7975214654904019], a: -0.34323317000222936, n: 1 }, along: Args { x: [-0.2991382395654272, 0.2669173535899719, -0.9830474831582345, 0.35321197067238136], u: [-0.30875609459924797, -0.1850571933517936, 0.42233109827837995], a: 0.48887359172592126, n: 0 }, singles: false };

#[differentiable]
pub fn h0(mut v4: f64) -> f64 {
    let mut v10: Result<f64, f64> = ratio(v4, 1.25);
    let mut v12 = (v4, duo(v4, v4));
    let mut v13 = L::Node(v4, Box::new(L::Node(if ((1i64 as f64) < v4) {
        v4
    } else {
        v4
    }, Box::new(L::Node(0.5, Box::new(L::End))))));
    v4
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v13 = Rc::new(RefCell::new(a));
    for p14 in u.iter_mut() {
        let mut v14 = *p14;
        *p14 = a;
    }
    let mut v15: Box<dyn Solid> = Box::new(Point);
    {
        let mut e = (1.25 as f64);
        *v13.borrow_mut() = e;
    }
    {
        let mut i0 = (((3i64 * 1i64) as usize) % u.len());
        u[i0] = 0.75;
    }
    let mut v22 = vec![(0.75 as f64), match (if (h0(2.0) < a) {
        E::One(a)
    } else {
        E::Two { x: 0.75, n: 1i64 }
    }) {
        E::One(v20) => a,
        E::Two { x: v20, n: v21 } => 0.25,
        E::None => a,
    }, u[(((n as i64) as usize) % u.len())]];
    let mut v23: f64 = ((n as i64) as f64);
    let mut v27: Option<f64> = Some(u[((1i64 as usize) % u.len())]).filter(|&v24| (v24 < x[((3i64 as usize) % x.len())]));
    for p28 in u.iter_mut() {
        let mut v28 = *p28;
        *p28 = 1.75;
    }
    for p31 in v22.iter_mut() {
        let mut v31 = *p31;
        *p31 = x[((1i64 as usize) % x.len())];
    }
    ((v23 + a) + halved(&v22))
}
}

mod p108 {
use super::*;
pub const CASE: Case = Case { seed: 108, args: Args { x: [0.5158162606707262, -0.8117681653900124, 0.4470120037088624, -0.34786928148812146], u: [0.6697851850764018, 0.420375451051212, 0.3133510341240539], a: -0.3692170934263034, n: 3 }, along: Args { x: [-0.647242524009572, -0.4627590110263793, 0.06792799282780525, 1.0082798454209179], u: [-0.0918885610323906, -0.5675083515001507, -0.40063631290034746], a: -0.6456679346342136, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12: Result<f64, f64> = ratio(match Some((0.25 as f64)) {
        Some(v10) if ({
        let mut f = |v11: f64| a;
        (f(0.75) + f(v10))
    } < 1.0) => v10,
        _ => a,
    }, 0.75);
    let mut v13 = &x[2..4];
    if let Some(v14) = Some(a).map(|v15| {
        let mut f = |v16: f64| v16;
        (f(v15) + f(x[((2i64 as usize) % x.len())]))
    }) {
        for p17 in u[1..].iter_mut() {
            let mut v17 = *p17;
            *p17 = 2.0;
        }
        let mut v18 = move |v19: f64| a;
    }
    let mut v20 = E::Two { x: u[((0i64 as usize) % u.len())].sin(), n: ((2.5 * 0.5) as i64) };
    let mut v21 = (a, a);
    let mut e22 = a;
    let mut p22 = if ((a < a) || (!(a <= 1.0))) {
        &mut v21.0
    } else {
        &mut a
    };
    *p22 -= e22;
    let mut v26 = ((2.0 as f64), ranked(x, u[((0i64 as usize) % u.len())]));
    let mut v27 = move |v28: f64| v28;
    ((v13[((0i64 as usize) % v13.len())].min((0.5 * combined(root(u[((1i64 as usize) % u.len())]), a).unwrap_or(1.25))) + match v20 {
        E::One(v29) => v29,
        E::Two { x: v29, n: v30 } => v29,
        E::None => 0.5,
    }) + v21.0)
}
}

mod p109 {
use super::*;
pub const CASE: Case = Case { seed: 109, args: Args { x: [0.980310159721929, 0.5953414621798186, -0.8122774960908563, -0.26955075430540165], u: [0.7913474246222441, 0.7688585380648216, 0.1301670592891839], a: 0.4574030507592272, n: 0 }, along: Args { x: [0.27233391826929276, 0.7256791359720371, 0.8888674207828735, 0.8635960465005106], u: [0.7108807410940529, 0.389577856620181, -0.7212321904125232], a: -0.1333481455763159, n: 2 }, singles: false };

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
    counted(v4.sin(), ((2.5 * v4) as i64))
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v11 = D { s: S { a: a, b: (a, (1.0 as f64)), n: 1i64 }, o: Some(a), v: vec![(x[((2i64 as usize) % x.len())] * u[((1i64 as usize) % u.len())]), u[((1i64 as usize) % u.len())]], e: if (1i64 == 2i64) {
        E::One((0.75 as f64))
    } else {
        E::Two { x: 1.0, n: 0i64 }
    } };
    if (0i64 == 2i64) {
        for p14 in u.iter_mut() {
            let mut v14 = *p14;
            *p14 = strided(x, 0i64);
        }
        {
            let mut i0 = ((((2.5 * a) as i64) as usize) % v11.v.len());
            v11.v[i0] = (0.5 * a);
        }
    } else {
        let mut v16 = vec![{
            let mut f = |v15: f64| h0(2i64, parity(v15, 1i64), a.sin());
            (f(a) + f(a))
        }, x[((0i64 as usize) % x.len())]];
    }
    let mut v18 = turned(S { a: v11.s.size(a), b: (a, (2.0 as f64)), n: 3i64 }, if (a < a) {
        E::One(x[((3i64 as usize) % x.len())])
    } else {
        E::None
    });
    (u[((3i64 as usize) % u.len())] + weigh(&v11, 0.5))
}
}

mod p110 {
use super::*;
pub const CASE: Case = Case { seed: 110, args: Args { x: [0.6719408862984363, -0.9745193347570524, -0.188964669024602, -0.21773402114531193], u: [-0.6153339760699891, 0.9487235199498226, 0.8005752070404122], a: -0.07623456596491379, n: 1 }, along: Args { x: [-0.17345039568051604, -0.10853172399690988, 0.34901989646722376, 0.3046791219776314], u: [0.7375443423193988, 0.9646076841865825, -0.3248786380673048], a: 0.23074287532049945, n: 0 }, singles: false };

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
    let mut v21: i64 = (n as i64);
    a = (if ((n as i64) == 2i64) {
        a
    } else {
        x[((v21 as usize) % x.len())]
    }).min(a.max(a));
    v10.push(S { a: a, b: ((1.5 as f64), (1.0 as f64)), n: (1i64 % 1i64) });
    let mut v23 = (asserted(u[(((n as i64) as usize) % u.len())], 1i64), a);
    {
        let mut m = ((1i64 as usize) % (u.len() + 1));
        let (p, q) = u.split_at_mut(m);
        for (i, j) in p.iter_mut().zip(q.iter_mut()) {
            let mut v25 = *i;
            let mut v26 = *j;
            let mut e = v10[((v21 as usize) % v10.len())].a;
            let mut f = spiral(v26, 1i64);
            *i = e;
            *j = f;
        }
    }
    if let Some(v27) = Some(a).and_then(|v28| combined(if ((n as i64) < 0i64) {
        Some(a)
    } else {
        None
    }, x[((1i64 as usize) % x.len())])) {
    }
    (u[(((n as i64) as usize) % u.len())] + v10[((1i64 as usize) % v10.len())].a)
}
}

mod p111 {
use super::*;
pub const CASE: Case = Case { seed: 111, args: Args { x: [0.9085112891882067, 0.7706580629916, -0.7677131171547955, -0.8157348817316807], u: [-0.9793315315927301, -0.8963322675381337, -0.15384893900868188], a: 0.38113980669563274, n: 3 }, along: Args { x: [0.7749398000773056, 0.7665262729991003, -0.7297620036906148, -0.35438237226725516], u: [0.869873099190727, -0.9525316206452861, -0.4878258336950994], a: 0.2193766800102449, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v27 = S { a: x.iter().map(|&v26| a).sum::<f64>(), b: ((1.25 as f64), a), n: 0i64 };
    if (0i64 == 2i64) {
        'l29: for v29 in 0i64..3i64 {
        }
    } else {
    }
    (a + v27.size(0.75))
}
}

mod p112 {
use super::*;
pub const CASE: Case = Case { seed: 112, args: Args { x: [-0.6983084697227461, -0.6513468152042265, 0.9081146670805815, -0.46654454277597013], u: [-0.3630847729253476, -0.09957628196041562, -0.33183145708724565], a: 0.3477662359275968, n: 3 }, along: Args { x: [-0.49488575026383036, -0.9597669321054492, -0.907462383094397, 0.5469911352768942], u: [0.19172676268999908, -0.24096809635738323, -0.9123936907203803], a: 0.9630559106742486, n: 3 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = E::One(a);
    let mut v14: Box<dyn Solid> = if (match Some((1.5 as f64)) {
        Some(v13) if (3i64 < 1i64) => a,
        _ => a,
    } < x[((2i64 as usize) % x.len())]) {
        Box::new(Ball { r: (x[((3i64 as usize) % x.len())] + 0.5) })
    } else {
        Box::new(Brick { sides: (a, a), n: (n as i64) })
    };
    let mut v16 = Rc::new(RefCell::new((0.75 as f64)));
    if ((1i64 + 1i64) == 2i64) {
        let mut v20 = D { s: S { a: a, b: (a, x[((1i64 as usize) % x.len())]), n: 3i64 }, o: Some(a), v: vec![(a * a), ((match chained(a, a) {
            Ok(v18) => 0.25,
            Err(v19) => 0.75,
        }) as f64)], e: v10 };
        if ((n as i64) == 0i64) {
            let mut v22 = turned(S { a: a, b: (a, a), n: ((2.5 * a) as i64) }, v10);
            let mut v23 = move |v24: f64| v24;
        } else {
            {
                let mut e = (0.25 as f64);
                *v16.borrow_mut() -= e;
            }
        }
    } else {
        if let Some(v25) = root(a) {
        }
    }
    (a + v14.twice(0.5))
}
}

mod p113 {
use super::*;
pub const CASE: Case = Case { seed: 113, args: Args { x: [0.32098989024347324, 0.1335051555040894, 0.3777404957733055, -0.44912693488658756], u: [-0.28015454347279256, -0.5450054816722354, -0.14585449797481265], a: 0.8330024782901555, n: 3 }, along: Args { x: [0.16912778032672324, 0.06450467848079319, -0.7619838201953874, -0.40894661561739987], u: [0.7575998017673828, -0.7083920182301328, 0.7278185340259278], a: 0.35077796721912247, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v15 = D { s: S { a: a, b: swapped(x[((1i64 as usize) % x.len())], a), n: 3i64 }, o: Some(a), v: vec![(1.0 as f64), match (if ((1i64 < 0i64) || (!(match combined(Some(a), a) {
        Some(v12) if (2i64 < 1i64) => a,
        _ => a,
    } <= x[((1i64 as usize) % x.len())]))) {
        E::One(x[((0i64 as usize) % x.len())])
    } else {
        E::Two { x: x[((0i64 as usize) % x.len())], n: (1i64 + (n as i64)) }
    }) {
        E::One(v10) => 0.75,
        E::Two { x: v10, n: v11 } => u[((3i64 as usize) % u.len())],
        E::None => a,
    }, a], e: E::One(a) };
    let mut v18: Result<f64, f64> = chained((1.25 * a), match (if (x[((1i64 as usize) % x.len())] < a) {
        Ok(a)
    } else {
        Err(a)
    }) {
        Ok(v16) => 2.0,
        Err(v17) => v17,
    });
    let mut v20: Box<dyn Solid> = if (1i64 < 3i64) {
        Box::new(Brick { sides: (x[(((n as i64) as usize) % x.len())], a), n: ((2.5 * x[((2i64 as usize) % x.len())]) as i64) })
    } else {
        Box::new(Point)
    };
    ((v20.twice(1.0) + a) + v20.twice(0.5))
}
}

mod p114 {
use super::*;
pub const CASE: Case = Case { seed: 114, args: Args { x: [0.06387894970974489, 0.5065124111590081, -0.3481419379632544, -0.08680008402892675], u: [-0.19951845554996042, 0.38755283754088216, 0.055416370952189244], a: -0.8434576486719967, n: 1 }, along: Args { x: [-0.15239102913069574, -0.30570975208990914, 0.15424304026150798, -0.47111416286993013], u: [0.9766906614191283, 0.8442494363240869, 1.0108123088591714], a: -0.9969545482390174, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = vec![a];
    {
        let mut i0 = ((((2.5 * 1.5) as i64) as usize) % u.len());
        bump(&mut u[i0], x[((1i64 as usize) % x.len())].sin());
    }
    for p11 in v10.iter_mut() {
        let mut v11 = *p11;
        *p11 = 1.75;
    }
    let mut v19 = S { a: (match (if (!(match (n as i64) {
        0 => a,
        1 | 2 => a,
        v14 if (!(rises(x, 1.25) <= x[((v14 as usize) % x.len())])) => a,
        _ => a,
    } <= 1.75)) {
        Ok(x[((1i64 as usize) % x.len())])
    } else {
        Err(a)
    }) {
        Ok(v12) => x[((3i64 as usize) % x.len())],
        Err(v13) => v13,
    } + 0.75), b: (x.windows(2).map(|c| {
        let mut v15 = c[0];
        let mut v16 = c[(c.len() - 1)];
        {
            let mut v17: f64 = a;
            let mut v18: i64 = 0;
            loop {
                v17 = 1.5;
                v18 += 1;
                if ((v18 >= 3) || (!((0.25 as f64).tanh() <= v17))) {
                    break v17;
                }
            }
        }
    }).sum::<f64>(), a.sin()), n: 3i64 };
    let mut v20: f64 = (0.5 * (a * a));
    ((((a + a) + halved(&v10)) + v19.size(0.75)) + v20)
}
}

mod p115 {
use super::*;
pub const CASE: Case = Case { seed: 115, args: Args { x: [-0.6257940826685046, 0.5452140639691301, 0.07076929922291206, -0.28951999154839064], u: [-0.2879199612165201, -0.3176682483492643, 0.7903158109550301], a: 0.49531701549435125, n: 0 }, along: Args { x: [0.2673591837028361, -0.8031772401088287, -0.2923157505118441, -0.28492215179805286], u: [0.7762264207284432, -0.9887378294253734, 0.6607262471850169], a: -0.08138951932324102, n: 1 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    let mut v11 = Rc::new(RefCell::new(v4));
    {
        let mut e = v4;
        *v11.borrow_mut() = e;
    }
    if (v4 < v4) {
        let mut v13: f64 = v4;
        {
            let mut e = v13;
            *v11.borrow_mut() += e;
        }
    } else {
        v11 = v11.clone();
    }
    0.25
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v12 = S { a: 0.75, b: (graded(a, 1i64), match ratio(x[(((n as i64) as usize) % x.len())], u[((1i64 as usize) % u.len())]) {
        Ok(v10) => x[((1i64 as usize) % x.len())],
        Err(v11) => u[((0i64 as usize) % u.len())],
    }), n: 2i64 };
    let mut v14 = (match (if (u[((2i64 as usize) % u.len())] < a) {
        Some(a)
    } else {
        None
    }) {
        Some(v13) => v13,
        None => a,
    }, x[((3i64 as usize) % x.len())]);
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] *= a;
    }
    let mut v15 = vec![S { a: a, b: v14, n: (n as i64) }, S { a: a, b: v14, n: (0i64 % 0i64) }, S { a: a, b: (a, u[((1i64 as usize) % u.len())]), n: (3i64 * 0i64) }];
    let mut v17 = Rc::new(RefCell::new(orchard(a, v12.n)));
    shift(&mut v12, 0.5);
    let mut v19 = move |v20: f64| {
        let mut v21: f64 = spiral(a, (n as i64));
        let mut v22: i64 = 0;
        loop {
            v21 = h0(2i64, v21);
            v22 += 1;
            if ((v22 >= 3) || (x[((3i64 as usize) % x.len())] < a)) {
                break v21;
            }
        }
    };
    v17 = v17.clone();
    (((match E::One((0.5 * a)) {
        E::One(v23) => both(x[((v12.n as usize) % x.len())], v23).unwrap_or(v23),
        E::Two { x: v23, n: v24 } => x[((v24 as usize) % x.len())],
        E::None => a,
    } + v12.size(0.75)) + v15[((1i64 as usize) % v15.len())].a) + {
        let mut r = *v17.borrow();
        r
    })
}
}

mod p116 {
use super::*;
pub const CASE: Case = Case { seed: 116, args: Args { x: [0.08606793356745934, -0.1653022795824796, -0.024067219980942155, 0.1991018969711302], u: [-0.15485643256949547, 0.9078664842038159, -0.06785964454403381], a: -0.27877960851892314, n: 1 }, along: Args { x: [-0.009399524239941979, -0.7423110595432842, -0.6942403958445003, -0.02583885016723199], u: [0.20448467112416663, -0.7924587039844845, -0.7439047576664063], a: -0.8967209228214015, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    {
        let mut i0 = ((1i64 as usize) % u.len());
        u[i0] = (match both(a, a) {
            Some(v10) if (v10 < v10) => v10,
            _ => a,
        }).min(x[(((n as i64) as usize) % x.len())]);
    }
    let mut v16 = (a, {
        let mut v14: f64 = a;
        let mut v15: i64 = 0;
        loop {
            v14 = v14;
            v15 += 1;
            if ((v15 >= 3) || (1.75 < v14)) {
                break v14;
            }
        }
    });
    let mut v18 = vec![S { a: 1.0, b: v16, n: 2i64 }];
    (a + a)
}
}

mod p117 {
use super::*;
pub const CASE: Case = Case { seed: 117, args: Args { x: [0.6981057447430138, -0.2383720219843735, 0.961913960493662, 0.28244620856159625], u: [0.6698888843466209, 0.16567549821187194, -0.12683145631028556], a: 0.9829249698067549, n: 2 }, along: Args { x: [-0.9044975739763319, -0.7770295452452827, -0.13641743704339543, -0.36974540130825806], u: [0.6857671176320602, -0.4155827670627993, 0.6122855468041791], a: -0.771356320993323, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a += 0.5;
    let mut v13: f64 = x.iter().enumerate().map(|(i, &v11)| {
        let mut v12 = (i as i64);
        a
    }).sum::<f64>();
    let mut v17 = E::One(a);
    let mut v18: f64 = (0.5 * 1.25);
    let mut v19 = L::Node((u[((3i64 as usize) % u.len())] - v18), Box::new(L::End));
    let mut v24: [f64; 3] = [match Some(v13) {
        Some(v20) => v20,
        None => v13,
    }, {
        let mut v21: f64 = v13;
        let mut v22: i64 = 0;
        loop {
            v21 = v21;
            v22 += 1;
            if ((v22 >= 3) || ((v21 < a) || (v22 == v22))) {
                break v21;
            }
        }
    }, match (3i64 * 1i64) {
        0 => a,
        1 | 2 => v18,
        v23 if (v23 < 3i64) => v18,
        _ => x[((1i64 as usize) % x.len())],
    }];
    let mut v25 = D { s: S { a: a, b: (v18, a), n: (2i64 * 3i64) }, o: both(v18, a), v: vec![u[((3i64 as usize) % u.len())], x[(((n as i64) as usize) % x.len())].cos(), ((n as i64) as f64)], e: E::One(a) };
    let mut v30 = swapped(total(&v19), (0.5 as f64).sin());
    (((0.25 + match v17 {
        E::One(v31) => v31,
        E::Two { x: v31, n: v32 } => v31,
        E::None => 0.5,
    }) + total(&v19)) + v30.1)
}
}

mod p118 {
use super::*;
pub const CASE: Case = Case { seed: 118, args: Args { x: [0.3221173122047005, -0.07476882062876833, -0.8123289151497496, -0.958101950666255], u: [0.31500032592031324, 0.9692915246009193, -0.8216683510908012], a: -0.34130025180226126, n: 0 }, along: Args { x: [-0.34623712929630657, -0.8520332622057532, 0.1007492014640531, -0.14286052663488846], u: [-0.7154762890931045, 0.22699345830726467, 1.0132514203959602], a: 0.7998916962926612, n: 1 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    a = match Some((1.25 as f64)) {
        Some(v10) if ((1.25 < a) || (0.25 < a)) => match 1i64 {
            0 => v10,
            1 | 2 => v10,
            v11 if ((x[((v11 as usize) % x.len())] - v10) < v10) => a,
            _ => v10,
        },
        _ => x[(((n as i64) as usize) % x.len())],
    };
    let mut v12 = move |v13: f64| v13;
    let mut v15 = vec![a, match (1i64 + 3i64) {
        0 => a,
        1 | 2 => u[((0i64 as usize) % u.len())],
        v14 if ((u[((1i64 as usize) % u.len())] < x[((2i64 as usize) % x.len())]) || (0.25 < a)) => 1.0,
        _ => u[((2i64 as usize) % u.len())],
    }];
    let mut v16: f64 = a;
    let mut v19 = vec![S { a: x[(((n as i64) as usize) % x.len())], b: swapped(x[((3i64 as usize) % x.len())], a), n: 0i64 }];
    let mut v26: Box<dyn Fn(f64) -> f64> = if (1i64 < 2i64) {
        Box::new(move |v20: f64| {
            let mut v21: f64 = 1.75;
            let mut v22: i64 = 0;
            loop {
                v21 = match ratio(x[(((n as i64) as usize) % x.len())], v21) {
                    Ok(v23) => x[((v22 as usize) % x.len())],
                    Err(v24) => x[((v22 as usize) % x.len())],
                };
                v22 += 1;
                if ((v22 >= 3) || (1.25 < v20)) {
                    break v21;
                }
            }
        })
    } else {
        Box::new(move |v20: f64| a)
    };
    ((((a + a) + halved(&v15)) + v16) + v19[((1i64 as usize) % v19.len())].a)
}
}

mod p119 {
use super::*;
pub const CASE: Case = Case { seed: 119, args: Args { x: [0.08072874436074763, -0.39282737778441246, -0.23959971214721243, -0.582416949375583], u: [-0.874260284337277, 0.7984927231544255, -0.9885860059678472], a: -0.9994142177488248, n: 0 }, along: Args { x: [0.95956148186537, -0.3944219548886651, 0.9205299100947528, 0.6304187710708499], u: [0.30051072285449826, 0.7423591257919895, -0.44122308573749747], a: 0.7860514452104981, n: 0 }, singles: false };

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
            let mut v27: f64 = blocks(x);
        }
        v11 = (a, a);
    }
    (match root(a) {
        Some(v29) if (a.max(v12) < v12) => v29,
        _ => 0.5,
    } + v11.0)
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
