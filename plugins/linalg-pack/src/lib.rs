//! The loadable form of the pack `rules_linalg`.
mooncake_pack::export!(rules_linalg);
