//! A rule pack that misbehaves: a function that panics, one that another pack defines too, and derivatives that are wrong.
//!
//! It is loadable by itself: no program links it, so it needs no wrapper crate.

#![allow(
    clippy::eq_op,
    clippy::useless_conversion,
    unconditional_recursion,
    reason = "x / x and endless recursion are faults on purpose; the macro is for both float types"
)]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

mooncake_pack::pack!();
mooncake_pack::export!(crate);

mooncake_pack::scalar! {
    /// `x²` up to 1, and a panic beyond.
    fn fuse(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| if x > 1.0 { panic!("{x} is too much") } else { x * x },
        partials: ["2 * x"],
    }
}

mooncake_pack::scalar! {
    /// The pack `gelu` has a function of this name.
    fn mish(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| x,
        partials: ["1"],
    }
}

mooncake_pack::scalar! {
    /// The sine, and the derivative with the wrong sign.
    fn wrong_sign(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| x.sin(),
        partials: ["-cos(x)"],
    }
}

mooncake_pack::scalar! {
    /// The sine, and a derivative that is a little too large.
    fn wrong_factor(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| x.sin(),
        partials: ["1.001 * cos(x)"],
    }
}

mooncake_pack::scalar! {
    /// `x²`, and a body that says otherwise: what the minimal context derives.
    fn wrong_body(x: T) -> T {
        domain: [(-1.0, 1.0)],
        context: Default,
        native: |x| x * x,
        body: "1.001 * x * x",
        partials: ["2 * x"],
    }
}

/// The argument of the last call of `remembers`.
static LAST: AtomicU64 = AtomicU64::new(0);

mooncake_pack::scalar! {
    /// `exp(x)`, and a derivative at the argument of the call before.
    fn remembers(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| x.exp(),
        with_partials: |x| {
            let last = f64::from_bits(LAST.swap(f64::from(x).to_bits(), Relaxed));
            (x.exp(), [last.exp() as T])
        },
        partials: ["exp(x)"],
    }
}

mooncake_pack::scalar! {
    /// `x ln |x|`: right, but not a number at 0, as its derivative.
    fn pole(x: T) -> T {
        domain: [(0.5, 1.0)],
        native: |x| x * x.abs().ln(),
        partials: ["1 + ln(abs(x))"],
    }
}

mooncake_pack::scalar! {
    /// `exp(x²)`, and a native derivative that is not a number at 0.
    fn nan_together(x: T) -> T {
        domain: [(0.5, 1.0)],
        native: |x| (x * x).exp(),
        with_partials: |x| {
            let y = (x * x).exp();
            (y, [2.0 * x * y * (x / x)])
        },
        partials: ["2 * x * exp(x * x)"],
    }
}

mooncake_pack::scalar! {
    /// `x²`, and a derivative that is not a number at 0.
    fn nan_partial(x: T) -> T {
        domain: [(0.5, 1.0)],
        native: |x| x * x,
        partials: ["2 * x * x / x"],
    }
}

mooncake_pack::scalar! {
    /// `2 a / r`, and 0 where `r` is 0: right, and computed on both sides of a `select`.
    fn share_of(a: T, r: T) -> T {
        domain: [(-1.0, 1.0), (0.5, 1.0)],
        body: "select(r == 0, 0, 2 * (a / r))",
        partials: ["select(r == 0, 0, 2 / r)", "select(r == 0, 0, -y / r)"],
    }
}

mooncake_pack::scalar! {
    /// A panic wherever it is called.
    fn explodes(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| if x < 2.0 { panic!("{x} is too little") } else { x },
        partials: ["1"],
    }
}

mooncake_pack::scalar! {
    /// All the memory there is.
    fn hungry(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| {
            let mut eaten = Vec::new();
            while eaten.len() < usize::MAX {
                eaten.push(vec![1u8; 1 << 20]);
            }
            x + eaten.len() as T
        },
        partials: ["1"],
    }
}

mooncake_pack::scalar! {
    /// It calls itself without end.
    fn deep(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| {
            fn deeper(n: u64) -> u64 {
                std::hint::black_box(n) + deeper(std::hint::black_box(n + 1))
            }
            if x < 2.0 { deeper(0) as T } else { x }
        },
        partials: ["1"],
    }
}
