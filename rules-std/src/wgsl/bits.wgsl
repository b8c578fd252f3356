// Not a number, by its bits: the compiler may assume that `x != x` is never true.
fn $is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
// Constants that WGSL has no literals for. The argument keeps them from being folded, which is an error.
fn $inf(x: f32) -> f32 { return bitcast<f32>((bitcast<u32>(x) & 0u) | 0x7f800000u); }
fn $nan(x: f32) -> f32 { return bitcast<f32>((bitcast<u32>(x) & 0u) | 0x7fc00000u); }
fn $copysign(a: f32, b: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(a) & 0x7fffffffu) | (bitcast<u32>(b) & 0x80000000u));
}
