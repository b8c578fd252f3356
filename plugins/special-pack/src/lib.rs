//! The loadable form of the pack `mooncake-special`.
mooncake_pack::export!(mooncake_special);
