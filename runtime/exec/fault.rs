//! What users read when a guard fails: Rust's own words.

use crate::codegen::cpu::FaultSite;
use crate::diag::Diagnostic;
use crate::ir::Shown;

/// The diagnostic for a fault and the values it shows.
pub fn diagnostic(site: &FaultSite, values: &[u64]) -> Diagnostic {
    let values = values.iter().zip(&site.types);
    let shown: Vec<Shown> = values
        .map(|(&word, &ty)| Shown::of_word(word, ty))
        .collect();
    site.fault.diagnostic(site.span, &shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Span;
    use crate::ir::{Fault, Type};

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
