//! The loadable form of the pack `gelu`.
mooncake_pack::export!(gelu);
