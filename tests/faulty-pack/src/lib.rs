//! A rule pack that misbehaves: a function that panics, and one that another pack defines too.
//!
//! It is loadable by itself: no program links it, so it needs no wrapper crate.

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
