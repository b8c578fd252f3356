//! Derivatives from values alone.

/// A derivative, and by how much it may be wrong.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The derivative.
    pub value: f64,
    /// What is known about its error; infinite if nothing is.
    pub error: f64,
}

/// Central differences at 0 with halving steps, extrapolated to step zero (Ridders 1982, *Accurate computation of F'(x)
/// and F'(x) F''(x)*); the entry of the tableau that agrees best with its neighbours wins.
///
/// `epsilon` is the precision in which `f` computes: below its cube root, steps show rounding rather than slope. A step
/// that leaves the domain (NaN, infinity) is forgotten, and the tableau begins anew with the next.
pub fn derivative(mut f: impl FnMut(f64) -> f64, epsilon: f64) -> Estimate {
    let smallest = epsilon.cbrt();
    let mut best = Estimate {
        value: f64::NAN,
        error: f64::INFINITY,
    };
    let mut step = 64.0 * smallest.max(1e-4);
    let mut row: Vec<f64> = Vec::new();
    while step >= smallest {
        let (right, left) = (f(step), f(-step));
        let difference = (right - left) / (2.0 * step);
        if !difference.is_finite() {
            row.clear();
        } else {
            let noise = 4.0 * epsilon * right.abs().max(left.abs()) / step;
            row = extrapolated(&row, difference, noise, &mut best);
        }
        step /= 2.0;
    }
    best
}

/// The next row of the tableau; `best` is improved on the way.
fn extrapolated(above: &[f64], difference: f64, noise: f64, best: &mut Estimate) -> Vec<f64> {
    let mut row = vec![difference];
    let mut factor = 4.0;
    for (j, &old) in above.iter().enumerate() {
        let value = (row[j] * factor - old) / (factor - 1.0);
        let error = (value - row[j]).abs().max((value - old).abs()) + noise;
        if error <= best.error {
            *best = Estimate { value, error };
        }
        row.push(value);
        factor *= 4.0;
    }
    row
}

/// How a derivative compares with its estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As near as can be told.
    Agrees,
    /// Not near.
    Differs,
    /// The differences do not settle: a kink, a jump, a pole.
    Unknown,
}

/// Compares: `scale` is the size of the terms that `found` is the sum of. Differences that settle are finite, and what is not differs from
/// them.
pub fn compare(found: f64, estimate: Estimate, scale: f64, epsilon: f64) -> Verdict {
    let scale = if scale.is_finite() { scale } else { 0.0 };
    let size = scale.max(estimate.value.abs());
    // A jump's differences grow without bound, a kink's agree with each other only by chance.
    let settled = estimate.error <= epsilon.powf(0.25) * size || estimate.error <= epsilon.sqrt();
    if !settled || !estimate.value.is_finite() {
        return Verdict::Unknown;
    }
    // Where terms cancel, what is left are roundings of numbers that nobody sees here.
    let tolerance = tolerance(epsilon) * size + 10.0 * estimate.error + 64.0 * epsilon;
    match (found - estimate.value).abs() <= tolerance {
        true => Verdict::Agrees,
        false => Verdict::Differs,
    }
}

/// The relative error that a derivative computed in a precision may have after a few dozen operations.
fn tolerance(epsilon: f64) -> f64 {
    epsilon.powf(0.45)
}

/// Whether the last bits of the point decide between derivatives among which `expected` lies as well: a branch hangs on them, as that of
/// `if a > a.sqrt() * a.sqrt()`, or the derivative is a number of rounding errors. Differences are then those of neither side.
///
/// `derivative` is the derivative in question at a point that is moved by so much. A wrong rule is wrong by about the same at all these points, so `expected`
/// does not lie among what it gives.
pub fn hangs_on_last_bits(
    derivative: impl FnMut(f64) -> Option<f64>,
    found: f64,
    expected: f64,
) -> bool {
    let (mut least, mut greatest) = (found, found);
    for near in of_neighbours(derivative) {
        (least, greatest) = (near.min(least), near.max(greatest));
    }
    least < greatest && least <= expected && expected <= greatest
}

/// What a function of a point gives at the points whose last bits differ, which are moved by so much relative to it; where it gives something.
pub fn of_neighbours(f: impl FnMut(f64) -> Option<f64>) -> impl Iterator<Item = f64> {
    let steps = (1..=16).map(|n| f64::from(n) * f64::EPSILON);
    steps.flat_map(|by| [by, -by]).filter_map(f)
}

/// Whether two numbers are equal, or both finite and at most `tolerance` apart. A tolerance that is relative to an infinite number is infinite too; an
/// infinite number is near no other one all the same.
pub fn near(a: f64, b: f64, tolerance: f64) -> bool {
    approx::relative_eq!(a, b, epsilon = tolerance, max_relative = 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(f: impl Fn(f64) -> f64, expected: f64, within: f64) {
        let estimate = derivative(f, f64::EPSILON);
        assert!(
            (estimate.value - expected).abs() <= within,
            "{estimate:?}, expected {expected}"
        );
        assert!(estimate.error <= 100.0 * within, "{estimate:?}");
    }

    #[test]
    fn smooth_functions_are_exact_to_many_digits() {
        check(|t| (1.3 + t).exp(), 1.3f64.exp(), 1e-10);
        check(|t| (20.0 * t).sin(), 20.0, 1e-8);
        check(|t| (0.01 + t).ln(), 100.0, 1e-6);
        check(|_| 3.0, 0.0, 1e-12);
    }

    #[test]
    fn single_precision_is_enough_for_three_digits() {
        let f = |t: f64| f64::from(((1.0 + t) as f32).sin());
        let estimate = derivative(f, f32::EPSILON.into());
        assert!((estimate.value - 1f64.cos()).abs() < 1e-4, "{estimate:?}");
    }

    #[test]
    fn kinks_and_jumps_are_noticed() {
        let kink = derivative(|t| (t - 0.001).abs(), f64::EPSILON);
        let jump = derivative(|t| if t > 0.0 { 1.0 } else { 0.0 }, f64::EPSILON);
        assert_eq!(compare(0.0, jump, 1.0, f64::EPSILON), Verdict::Unknown);
        assert_ne!(compare(1.0, kink, 1.0, f64::EPSILON), Verdict::Agrees);
    }

    #[test]
    fn a_wrong_derivative_differs() {
        let estimate = derivative(|t| (1.0 + t).powi(3), f64::EPSILON);
        assert_eq!(compare(3.0, estimate, 3.0, f64::EPSILON), Verdict::Agrees);
        assert_eq!(
            compare(3.0001, estimate, 3.0, f64::EPSILON),
            Verdict::Differs
        );
        assert_eq!(compare(0.0, estimate, 0.0, f64::EPSILON), Verdict::Differs);
        // Whatever the terms are that it is the sum of.
        for wrong in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let verdict = compare(wrong, estimate, f64::INFINITY, f64::EPSILON);
            assert_eq!(verdict, Verdict::Differs, "{wrong}");
        }
    }

    #[test]
    fn a_branch_on_the_last_bit_is_told_from_a_wrong_rule() {
        let a = 0.183_084_248_160_419_5_f64;
        let side = |by: f64| {
            let a = a + by * a;
            a > a.sqrt() * a.sqrt()
        };
        let slope = |by: f64| Some(if side(by) { 1.0 } else { 3.0 });
        let found = slope(0.0).unwrap();
        assert!(hangs_on_last_bits(slope, found, 2.0));
        // What neither side gives is wrong, whatever hangs on the branch; and so is what is wrong everywhere.
        assert!(!hangs_on_last_bits(slope, found, 3.5));
        assert!(!hangs_on_last_bits(|_| Some(2.0), 2.0, 2.001));
        assert!(!hangs_on_last_bits(|by| Some(2.0 + by), 2.0, 2.001));
    }

    #[test]
    fn an_infinite_number_is_near_itself_alone() {
        let infinite = f64::INFINITY;
        assert!(near(infinite, infinite, 0.0));
        assert!(!near(infinite, 1.0, infinite));
        assert!(!near(-infinite, infinite, infinite));
        assert!(!near(f64::NAN, 1.0, infinite));
        assert!(near(1.0, 1.25, 0.25));
        assert!(!near(1.0, 1.25, 0.2));
    }
}
