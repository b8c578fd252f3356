//! A function of 300 lines, to see what deriving and compiling its rule takes. Ordinary numeric code, though it means
//! nothing: straight lines, branches, loops with and without a known end, loops in loops, writes to a slice, calls.

use mooncake::prelude::*;

#[differentiable]
fn long_kernel(a: f64, b: f64, n: i64) -> f64 {
    let mut y = a;
    for _ in 0..n {
        y = (y * b).sin() + a;
    }
    y
}

#[differentiable]
fn long_norm(x: &[f64], scale: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (x[i] * scale) * (x[i] * scale);
    }
    (s + 1.0).sqrt()
}

#[differentiable]
pub fn long(x: &[f64], w: &[f64], y: &mut [f64]) -> f64 {
    let n = x.len();
    let mut total = 0.0;
    y[0] = x[0];
    let a1 = x[1] * x[0] + 0.1;
    let a2 = x[1] * x[0] + 0.2;
    let a3 = (x[0] - a2).tanh();
    let a4 = w[0] * a1 + 0.4;
    let a5 = a3 * a3 + 0.5;
    let a6 = a3 / (1.5 + a2 * a3);
    let a7 = a1 / (1.5 + a5 * a3);
    let a8 = (a4 - a6).sin();
    let mut s9 = 0.0;
    for i in 0..n {
        s9 += a6 * x[i] - w[i % 4];
    }
    total += (0.01 * s9).tanh();
    let b10 = if a7 > 0.3 {
        a4 * s9
    } else if a4 < -0.2 {
        (a8 + 0.1).sin()
    } else {
        let t = a8 - 0.25;
        t * t * t
    };
    for i in 1..n {
        y[i] = 0.5 * y[i - 1] + x[i] * (a7 - x[i - 1]);
    }
    total += y[n - 1] * y[0];
    let c11 = long_kernel(a7, b10, 2);
    total += c11 * long_norm(&x[1..], a8);
    let mut d12 = 0.1 * b10;
    let mut r12 = 0;
    while r12 < 5 {
        if d12 > 2.0 {
            d12 *= 0.5;
        } else {
            d12 = d12 * d12 + 0.3 * s9;
        }
        r12 += 1;
    }
    for i in 0..4 {
        let mut row = 0.0;
        for j in 0..4 {
            row += w[4 * i + j] * x[j] + 0.1 * c11;
        }
        if row > 0.0 {
            total += row;
        } else {
            total -= 0.1 * row;
        }
    }
    for i in 0..n {
        let u = x[i];
        if u > 1.0 {
            y[i] += u.ln() * b10;
        } else {
            y[i] *= 1.0 + 0.1 * u;
        }
    }
    let a13 = d12 / (1.5 + a7 * a7);
    let a14 = 0.5 * b10 - a8 * x[2];
    let a15 = (a13 - s9).cos();
    let a16 = 0.5 * d12 - c11 * x[4];
    let a17 = (a16 - a14).cos();
    let a18 = a13 * a13 + 0.18;
    let a19 = a14 * a16 + 0.19;
    let a20 = 0.5 * a17 - a19 * x[2];
    let mut s21 = 0.0;
    for i in 0..n {
        s21 += a15 * x[i] - w[i % 4];
    }
    total += (0.01 * s21).tanh();
    let b22 = if a17 > 0.3 {
        a16 * a17
    } else if a19 < -0.2 {
        (a17 + 0.1).sin()
    } else {
        let t = a16 - 0.25;
        t * t * t
    };
    for i in 1..n {
        y[i] = 0.5 * y[i - 1] + x[i] * (a19 - x[i - 1]);
    }
    total += y[n - 1] * y[0];
    let c23 = long_kernel(s21, a17, 5);
    total += c23 * long_norm(&x[1..], a18);
    let mut d24 = 0.1 * a18;
    let mut r24 = 0;
    while r24 < 5 {
        if d24 > 2.0 {
            d24 *= 0.5;
        } else {
            d24 = d24 * d24 + 0.3 * b22;
        }
        r24 += 1;
    }
    for i in 0..4 {
        let mut row = 0.0;
        for j in 0..4 {
            row += w[4 * i + j] * x[j] + 0.1 * a20;
        }
        if row > 0.0 {
            total += row;
        } else {
            total -= 0.1 * row;
        }
    }
    for i in 0..n {
        let u = x[i];
        if u > 1.0 {
            y[i] += u.ln() * c23;
        } else {
            y[i] *= 1.0 + 0.1 * u;
        }
    }
    let a25 = a20 / (1.5 + c23 * b22);
    let a26 = a20 / (1.5 + c23 * c23);
    let a27 = s21 * b22 + 0.27;
    let a28 = c23 * a26 + 0.28;
    let a29 = a25 / (1.5 + d24 * a27);
    let a30 = 0.5 * a25 - a28 * x[0];
    let a31 = a28 / (1.5 + a27 * a26);
    let a32 = a27 / (1.5 + a26 * a27);
    let mut s33 = 0.0;
    for i in 0..n {
        s33 += a28 * x[i] - w[i % 4];
    }
    total += (0.01 * s33).tanh();
    let b34 = if a31 > 0.3 {
        a32 * a32
    } else if a28 < -0.2 {
        (a31 + 0.1).sin()
    } else {
        let t = s33 - 0.25;
        t * t * t
    };
    for i in 1..n {
        y[i] = 0.5 * y[i - 1] + x[i] * (a31 - x[i - 1]);
    }
    total += y[n - 1] * y[0];
    let c35 = long_kernel(b34, a29, 3);
    total += c35 * long_norm(&x[1..], c35);
    let mut d36 = 0.1 * a30;
    let mut r36 = 0;
    while r36 < 5 {
        if d36 > 2.0 {
            d36 *= 0.5;
        } else {
            d36 = d36 * d36 + 0.3 * s33;
        }
        r36 += 1;
    }
    for i in 0..4 {
        let mut row = 0.0;
        for j in 0..4 {
            row += w[4 * i + j] * x[j] + 0.1 * d36;
        }
        if row > 0.0 {
            total += row;
        } else {
            total -= 0.1 * row;
        }
    }
    for i in 0..n {
        let u = x[i];
        if u > 1.0 {
            y[i] += u.ln() * a32;
        } else {
            y[i] *= 1.0 + 0.1 * u;
        }
    }
    let a37 = b34 * a32 + 0.37;
    let a38 = 0.5 * a37 - s33 * x[2];
    let a39 = a38 * c35 + 0.39;
    let a40 = (c35 - a37).sin();
    let a41 = 0.5 * a37 - a38 * x[5];
    let a42 = a40 * a37 + 0.42;
    let a43 = 0.5 * a37 - a39 * x[1];
    let a44 = a38 * a42 + 0.44;
    let mut s45 = 0.0;
    for i in 0..n {
        s45 += a39 * x[i] - w[i % 4];
    }
    total += (0.01 * s45).tanh();
    let b46 = if a43 > 0.3 {
        a42 * a44
    } else if a44 < -0.2 {
        (a44 + 0.1).sin()
    } else {
        let t = a44 - 0.25;
        t * t * t
    };
    for i in 1..n {
        y[i] = 0.5 * y[i - 1] + x[i] * (a42 - x[i - 1]);
    }
    total += y[n - 1] * y[0];
    let c47 = long_kernel(b46, a43, 6);
    total += c47 * long_norm(&x[1..], s45);
    let mut d48 = 0.1 * b46;
    let mut r48 = 0;
    while r48 < 5 {
        if d48 > 2.0 {
            d48 *= 0.5;
        } else {
            d48 = d48 * d48 + 0.3 * b46;
        }
        r48 += 1;
    }
    for i in 0..4 {
        let mut row = 0.0;
        for j in 0..4 {
            row += w[4 * i + j] * x[j] + 0.1 * b46;
        }
        if row > 0.0 {
            total += row;
        } else {
            total -= 0.1 * row;
        }
    }
    for i in 0..n {
        let u = x[i];
        if u > 1.0 {
            y[i] += u.ln() * c47;
        } else {
            y[i] *= 1.0 + 0.1 * u;
        }
    }
    let a49 = 0.5 * b46 - a43 * x[1];
    let a50 = c47 * b46 + 0.50;
    let a51 = b46 * a50 + 0.51;
    let a52 = c47 / (1.5 + a51 * a49);
    let a53 = 0.5 * a49 - a51 * x[5];
    let a54 = a51 * a53 + 0.54;
    let a55 = a49 / (1.5 + a50 * a51);
    let a56 = a53 * a51 + 0.56;
    let mut s57 = 0.0;
    for i in 0..n {
        s57 += a56 * x[i] - w[i % 4];
    }
    total += (0.01 * s57).tanh();
    let b58 = if a53 > 0.3 {
        a55 * a52
    } else if a54 < -0.2 {
        (a52 + 0.1).sin()
    } else {
        let t = s57 - 0.25;
        t * t * t
    };
    for i in 1..n {
        y[i] = 0.5 * y[i - 1] + x[i] * (a53 - x[i - 1]);
    }
    total += y[n - 1] * y[0];
    let c59 = long_kernel(a55, a53, 4);
    total += c59 * long_norm(&x[1..], b58);
    let mut d60 = 0.1 * a55;
    let mut r60 = 0;
    while r60 < 5 {
        if d60 > 2.0 {
            d60 *= 0.5;
        } else {
            d60 = d60 * d60 + 0.3 * a54;
        }
        r60 += 1;
    }
    for i in 0..4 {
        let mut row = 0.0;
        for j in 0..4 {
            row += w[4 * i + j] * x[j] + 0.1 * s57;
        }
        if row > 0.0 {
            total += row;
        } else {
            total -= 0.1 * row;
        }
    }
    for i in 0..n {
        let u = x[i];
        if u > 1.0 {
            y[i] += u.ln() * a55;
        } else {
            y[i] *= 1.0 + 0.1 * u;
        }
    }
    let a61 = (s57 - c59).cos();
    let a62 = (b58 - a56).sin();
    let a63 = c59 * d60 + 0.63;
    let a64 = 0.5 * a61 - b58 * x[4];
    let a65 = (a63 - a62).tanh();
    let a66 = a62 / (1.5 + d60 * a61);
    let a67 = (a61 - a56).tanh();
    let a68 = a63 / (1.5 + a64 * a65);
    for i in 0..n {
        total += y[i] * y[i] * 0.001;
    }
    total + a41 + a66 * a67 - a68
}
