// Cephes. The quotients are taken of numbers between the two tangents, or above the second.
fn $atan(x: f32) -> f32 {
    if $is_nan(x) { return x; }
    let a = abs(x);
    var t = a;
    var base = 0.0;
    if a > 2.414213562 {
        base = 1.57079637;
        t = select(-1.0 / a, 0.0, a > 1e30);
    } else if a > 0.4142135624 {
        base = 0.785398185;
        t = (a - 1.0) / (a + 1.0);
    }
    let z = t * t;
    let p = (((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1) * z * t + t;
    return $copysign(base + p, x);
}
