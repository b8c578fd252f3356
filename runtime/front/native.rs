//! What functions declared in `extern "pack"` do when they are called natively: they look for the pack.

use crate::ir::Type;
use crate::plugin::{call_native, native_by_name};

/// The value of a function of the packs that this process has loaded.
///
/// # Panics
///
/// If no pack defines it, or several do. Native code has no context to return an error to.
pub fn call_pack_f64(name: &str, args: &[f64]) -> f64 {
    call(name, &vec![Type::F64; args.len()], args)
}

/// [`call_pack_f64`] for `f32`.
pub fn call_pack_f32(name: &str, args: &[f32]) -> f32 {
    let wide: Vec<f64> = args.iter().map(|&x| x.into()).collect();
    call(name, &vec![Type::F32; args.len()], &wide) as f32
}

fn call(name: &str, params: &[Type], args: &[f64]) -> f64 {
    match native_by_name(name, params) {
        Ok(function) => call_native(function, params, args),
        Err(message) => panic!("{message}"),
    }
}
