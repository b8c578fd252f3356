//! What users read when a guard fails: Rust's own words.

use crate::codegen::cpu::FaultSite;
use crate::diag::Diagnostic;
use crate::ir::Type;

/// The diagnostic for a fault and the values it shows.
pub fn diagnostic(site: &FaultSite, values: &[u64]) -> Diagnostic {
    site.fault.diagnostic(site.span, &shown(site, values))
}

/// The values as users write them. Those that a fault needs and does not have are zero.
fn shown(site: &FaultSite, values: &[u64]) -> [i128; 3] {
    let mut shown = [0; 3];
    for ((shown, &bits), &ty) in shown.iter_mut().zip(values).zip(&site.types) {
        *shown = match ty {
            Type::I8 => i128::from(bits as i8),
            Type::I16 => i128::from(bits as i16),
            Type::I32 => i128::from(bits as i32),
            Type::I64 | Type::Isize => i128::from(bits as i64),
            _ => i128::from(bits),
        };
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Span;
    use crate::ir::Fault;

    fn text(fault: Fault, values: &[u64]) -> String {
        let types = vec![Type::Usize; values.len()];
        let span = Span::NONE;
        diagnostic(&FaultSite { fault, types, span }, values).message
    }

    #[test]
    fn faults_read_as_rust_writes_them() {
        let native = |range: std::ops::Range<usize>| {
            let slice = || std::hint::black_box([0; 3])[range].len();
            let panic = std::panic::catch_unwind(slice).unwrap_err();
            *panic.downcast::<String>().unwrap()
        };
        for (from, to) in [(1, 9), (9, 1), (9, 10), (2, 1)] {
            let compiled = text(Fault::SliceOutOfBounds, &[from as u64, to as u64, 3]);
            assert_eq!(compiled, native(from..to));
        }
        let index = || std::hint::black_box([0; 3])[std::hint::black_box(7)];
        let native = std::panic::catch_unwind(index).unwrap_err();
        let native = *native.downcast::<String>().unwrap();
        assert_eq!(text(Fault::IndexOutOfBounds, &[7, 3]), native);
    }
}
