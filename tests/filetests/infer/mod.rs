//! The functions in Rust among the filetests.

use mooncake::inspect::Stage;
use mooncake::{Context, Result};

/// The file, the function, and what prints it.
type Source = (
    &'static str,
    &'static str,
    fn(&Context, Stage) -> Result<String>,
);

macro_rules! sources {
    ($($file:ident: $($function:ident)*;)*) => {
        $(mod $file;)*
        pub const ALL: &[Source] = &[$($(
            (stringify!($file), stringify!($function), |ctx, stage| ctx.ir::<$file::$function>(stage)),
        )*)*];
    };
}
sources! {
    arrays: layer;
    calls: calls_pair pair recursive_sum sum_of_mutable;
    loops: dot downwards halving scale_in_place;
    branches: if_value early_return lazy;
    names: chosen shadowed generic captured;
}
