fn $size(x: f32) -> u32 { return bitcast<u32>(x) & 0x7fffffffu; }
// Not a number, by its bits: the compiler may assume that `x != x` is never true.
fn $is_nan(x: f32) -> bool { return $size(x) > 0x7f800000u; }
// Constants that WGSL has no literals for. The argument keeps them from being folded, which is an error.
fn $inf(x: f32) -> f32 { return bitcast<f32>((bitcast<u32>(x) & 0u) | 0x7f800000u); }
fn $nan(x: f32) -> f32 { return bitcast<f32>((bitcast<u32>(x) & 0u) | 0x7fc00000u); }
fn $copysign(a: f32, b: f32) -> f32 {
    return bitcast<f32>($size(a) | (bitcast<u32>(b) & 0x80000000u));
}
// The number without the lower half of its bits. It is made by integer operations, so that no compiler takes what is computed with it for what it
// would be of real numbers.
fn $short(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }
// The number with its last bit cleared, after which no compiler knows that it was a sum.
fn $apart(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffffffeu); }
