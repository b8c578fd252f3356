// 0 for a number that is no integer, 1 for an odd and 2 for an even one.
fn $f64_parity(n: f64) -> u32 {
    let size = $f64_size(n);
    let exponent = i32(size >> 52u) - 1023;
    if exponent < 0 { return select(0u, 2u, size == 0lu); }
    if exponent > 52 { return 2u; }
    let shift = u32(52 - exponent);
    let whole = (size | 0x0010000000000000lu) >> shift;
    let mantissa = (size & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    if ((mantissa >> shift) << shift) != mantissa { return 0u; }
    return select(2u, 1u, (whole & 1lu) == 1lu);
}
fn $f64_power_of_two(n: i32) -> f64 { return bitcast<f64>(u64(n + 1023) << 52u); }
// xⁿ for a finite x > 0 and a finite n: the logarithm to base 2 as a sum of two numbers (msun, e_pow.c). What is subtracted to see what a rounding
// lost is a number without its lower bits, never the sum itself.
fn $f64_pow(x: f64, y: f64) -> f64 {
    var bits = bitcast<u64>(x);
    var n = 0;
    if bits < 0x0010000000000000lu {
        bits = bitcast<u64>(x * 9007199254740992.0lf);
        n = -53;
    }
    n = n + i32(bits >> 52u) - 1023;
    let j = u32((bits >> 32u) & 0xffffflu);
    let far = j > 0x3988eu && j < 0xbb67au;
    bits = (bits & 0x000ffffffffffffflu) | 0x3ff0000000000000lu;
    if j >= 0xbb67au {
        n = n + 1;
        bits = bits - 0x0010000000000000lu;
    }
    let a = bitcast<f64>(bits);
    let point = select(1.0lf, 1.5lf, far);
    let u = a - point;
    let v = 1.0lf / (a + point);
    let ss = u * v;
    let s_h = $f64_short(ss);
    let t_h = bitcast<f64>((((bits >> 33u) | 0x20000000lu) + 0x00080000lu + select(0lu, 0x00040000lu, far)) << 32u);
    let t_l = a - (t_h - point);
    let s_l = v * ((u - s_h * t_h) - s_h * t_l);
    let q = ss * ss;
    let r = q * q * (5.99999999999994648725e-1lf + q * (4.28571428578550184252e-1lf + q * (3.33333329818377432918e-1lf
        + q * (2.72728123808534006489e-1lf + q * (2.30660745775561754067e-1lf + q * 2.06975017800338417784e-1lf)))))
        + s_l * (s_h + ss);
    let s2 = s_h * s_h;
    let w_h = $f64_short(3.0lf + s2 + r);
    let w_l = r - ((w_h - 3.0lf) - s2);
    let p = s_h * w_h;
    let m = s_l * w_h + w_l * ss;
    let p_h = $f64_short(p + m);
    let p_l = m - (p_h - p);
    let z_h = 9.61796700954437255859e-1lf * p_h;
    let z_l = -7.02846165095275826516e-9lf * p_h + p_l * 9.61796693925975554329e-1lf + select(0.0lf, 1.35003920212974897128e-8lf, far);
    let d_h = select(0.0lf, 5.84962487220764160156e-1lf, far);
    let e = f64(n);
    let l_h = $f64_short(((z_h + z_l) + d_h) + e);
    let l_l = z_l - (((l_h - e) - d_h) - z_h);
    // y (l_h + l_l)
    let y_h = $f64_short(y);
    let low = (y - y_h) * l_h + y * l_l;
    let high = y_h * l_h;
    let z = low + high;
    if z >= 1025.0lf { return $f64_inf(x); }
    if z <= -1076.0lf { return 0.0lf; }
    let k = i32(floor(z + 0.5lf));
    let h = high - f64(k);
    let t = $f64_short(low + h);
    let b = t * 6.93147182464599609375e-1lf;
    let c = (low - (t - h)) * 6.93147180559945286227e-1lf + t * -1.90465429995776804525e-9lf;
    let g_h = $f64_short(b + c);
    let g_l = c - (g_h - b);
    // exp(g_h + g_l)
    let g = g_h + g_l;
    let gg = g * g;
    let f = g - gg * (1.66666666666666019037e-1lf + gg * (-2.77777777770155933842e-3lf + gg * (6.61375632143793436117e-5lf
        + gg * (-1.65339022054652515390e-6lf + gg * 4.13813679705723846039e-8lf))));
    let rest = g_l - (g - g_h);
    let y1 = 1.0lf - ((g * f) / (f - 2.0lf) - (rest + g * rest) - g);
    let half = k / 2;
    return y1 * $f64_power_of_two(half) * $f64_power_of_two(k - half);
}
