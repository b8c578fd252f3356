//! From the surface tree to generic IR.
//!
//! The front end knows names, places and control flow. It does not know types beyond those that are written: what a
//! literal is, and which function a method names, is found by `infer`.
pub mod tree;
pub mod types;
pub mod native;
pub mod lower;

#[cfg(test)]
mod tests {
    use crate::api::DifferentiableFn;
    use crate::differentiable;
    use crate::front::lower::lower;
    use crate::front::types::{IntoConstant, Typed};
    use crate::ir::verify::verify_generic;
    use crate::ir::{Const, Module, Type, canonical};

    const HALF: f64 = 0.5;

    #[differentiable]
    fn helper(x: &[f64], mut a: f64) -> (f64, bool) {
        const TWO: f64 = 2.0;
        use std::f64::consts::PI;
        a *= TWO * HALF * PI;
        let mut s = 0.0;
        for (i, v) in x.iter().enumerate() {
            if i % 2 == 0 && *v > 1e-3 {
                s += v.sin();
                continue;
            }
            s -= f64::max(*v, a);
        }
        for i in (0..=x.len()).rev() {
            let t = &x[i..];
            if t.is_empty() {
                break;
            }
        }
        debug_assert!(s < 1e9, "too large");
        (-s, s.is_nan())
    }

    #[differentiable]
    /// Documented.
    pub(crate) fn caller(x: &mut [f32], y: &mut [f64]) {
        x[0] += 1.0;
        let (_, nan) = helper(&y[1..], f64::EPSILON);
        if nan {
            panic!("nan")
        }
        for (i, v) in y.iter_mut().enumerate() {
            *v = i as f64;
        }
    }

    #[test]
    fn a_function_and_its_type_share_a_name() {
        let source = <caller as DifferentiableFn>::source();
        assert_eq!(source.name, "caller");
        assert!(source.path.ends_with("front::tests::caller"));
        assert!(source.file.ends_with("front/mod.rs"));
        let _: <helper as DifferentiableFn>::Gradient = (vec![1.0], 2.0);
        let _: <caller as DifferentiableFn>::Gradient = (vec![1.0_f32], vec![1.0_f64]);
        assert_eq!(helper(&[], 1.0), (0.0, false));
    }

    /// The generic IR of a function, checked, as text.
    fn lowered<F: DifferentiableFn>() -> String {
        let mut functions = lower(F::source()).unwrap().functions.into_iter();
        let mut module = Module::new(functions.next().unwrap().function);
        functions.for_each(|closure| module.insert(closure.function));
        verify_generic(&module).unwrap_or_else(|e| panic!("{e}\n{module}"));
        canonical(&module).to_string()
    }

    #[test]
    fn every_form_lowers_to_a_sound_function() {
        assert!(lowered::<helper>().contains("call @max"));
        assert!(lowered::<caller>().contains("helper"));
    }

    #[test]
    fn references_to_numbers_are_erased() {
        assert_eq!(<&f64>::ty(), Type::F64);
        assert_eq!(<&[f32]>::ty(), Type::slice(Type::F32));
        assert_eq!(<&mut [usize]>::ty(), Type::slice_mut(Type::Usize));
        assert_eq!(<(f64, (bool,))>::ty().to_string(), "(f64, (bool,))");
    }

    #[test]
    fn constants_keep_their_bits() {
        assert_eq!(u64::MAX.into_constant(), (Const::Int(-1), Type::U64));
        assert_eq!(0.1f32.into_constant().0, Const::Float(0.1f32.into()));
    }
}
