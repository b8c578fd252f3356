//! Rule packs.

use crate::refused;
use mooncake::prelude::*;

/// A function of a pack that is not loaded
mod absent {
    use super::*;

    #[differentiable]
    extern "pack" {
        fn erf(x: f64) -> f64;
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        erf(x) * x
    }

    refused!(f);
}

/// A pack by its bare name
mod bare_names {
    use super::*;

    fn load(ctx: &Context) -> mooncake::Result<()> {
        ctx.clone().load_pack("libgelu_pack.so")
    }

    refused!(|ctx| load(ctx));
}

/// A pack that is not there
mod missing_files {
    use super::*;

    fn load(ctx: &Context) -> mooncake::Result<()> {
        ctx.clone().load_pack("./no/such/pack.so")
    }

    refused!(|ctx| load(ctx));
}
