// The arctangent of z/w for 0 <= z <= w (Cephes, atan).
fn $f64_atan(z: f64, w: f64) -> f64 {
    let x = z / w;
    let far = x > 0.66lf;
    let t = select(x, (x - 1.0lf) / (x + 1.0lf), far);
    let s = t * t;
    let p = (((-8.750608600031904122785e-1lf * s - 1.615753718733365076637e1lf) * s - 7.500855792314704667340e1lf) * s
        - 1.228866684490136173410e2lf) * s - 6.485021904942025371773e1lf;
    let q = ((((s + 2.485846490142306297962e1lf) * s + 1.650270098316988542046e2lf) * s + 4.328810604912902668951e2lf) * s
        + 4.853903996359136964868e2lf) * s + 1.945506571482613964425e2lf;
    let rest = t * s * (p / q);
    return select(0.0lf, 0.7853981633974483lf, far) + (t + (rest + select(0.0lf, 3.061616997868383e-17lf, far)));
}
