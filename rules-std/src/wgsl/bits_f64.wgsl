fn $f64_size(x: f64) -> u64 { return bitcast<u64>(x) & 0x7ffffffffffffffflu; }
fn $f64_is_nan(x: f64) -> bool { return $f64_size(x) > 0x7ff0000000000000lu; }
// Numbers that WGSL has no literals for. The argument keeps them from being folded, which is an error.
fn $f64_inf(x: f64) -> f64 { return bitcast<f64>((bitcast<u64>(x) & 0lu) | 0x7ff0000000000000lu); }
fn $f64_nan(x: f64) -> f64 { return bitcast<f64>((bitcast<u64>(x) & 0lu) | 0x7ff8000000000000lu); }
fn $f64_copysign(a: f64, b: f64) -> f64 {
    return bitcast<f64>($f64_size(a) | (bitcast<u64>(b) & 0x8000000000000000lu));
}
// The number without the lower half of its bits. It is made by integer operations, so that no compiler takes what is computed with it for what it
// would be of real numbers.
fn $f64_short(x: f64) -> f64 { return bitcast<f64>(bitcast<u64>(x) & 0xffffffff00000000lu); }
