//! The loadable form of the pack `fft`.
mooncake_pack::export!(fft);
