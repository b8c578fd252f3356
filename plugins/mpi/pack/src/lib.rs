//! The loadable form of the pack `mooncake-mpi`.
mooncake_pack::export!(mooncake_mpi);
