//! The loadable form of the pack `rules_std`.
mooncake_pack::export!(rules_std);
