//! Whether a device computes with f64 what it should.
//!
//! A driver may have f64 and compute with it what it likes: nothing tests it, because games do not use it. So before the first array of f64 comes to a
//! device, one small kernel computes what is known, and a device that answers otherwise holds no f64.

use super::map::{Compiled, Extras};
use super::{Gpu, size};
use crate::array::backend::{Backend, Buffer, KernelProgram, Operand, View};
use crate::codegen::gpu::wgsl_function;
use crate::context::Context;
use crate::diag::{Error, Result, notice};
use crate::ir::parse::parse_module;
use crate::ir::{Symbol, Type};
use crate::kernel::parse_kernel;
use crate::registry::Registry;
use log::Level;
use std::sync::Arc;

/// What is asked: a row of the pack `std`, or an operation, and what it gives.
struct Question {
    text: &'static str,
    answer: fn(f64) -> f64,
}

/// Each is an expression of `%x`, and of the constants before them.
const QUESTIONS: &[Question] = &[
    // Rounds to an integer: `x` where a driver reassociates sums.
    Question {
        text: "%1: f64 = 6755399441055744.0\n%2: f64 = add %x, %1\n%y: f64 = sub %2, %1",
        answer: f64::round_ties_even,
    },
    Question {
        text: "%1: f64 = 3.0\n%2: f64 = div %x, %1\n%y: f64 = floor %2",
        answer: |x| (x / 3.0).floor(),
    },
    Question {
        text: "%1: f64 = abs %x\n%y: f64 = sqrt %1",
        answer: |x| x.abs().sqrt(),
    },
    Question {
        text: "%1: f64 = 0.7\n%y: f64 = rem %x, %1",
        answer: |x| x % 0.7,
    },
    Question {
        text: "%1: u64 = bitcast %x\n%2: u64 = 52\n%3: u64 = shr %1, %2\n%y: f64 = cast %3",
        answer: |x| (x.to_bits() >> 52) as f64,
    },
    Question {
        text: "%1: i32 = cast %x\n%2: f64 = cast %1\n%3: bool = eq %x, %2\n%4: f32 = cast %x\n%5: f64 = cast %4\n%y: f64 = select %3, %2, %5",
        answer: |x| {
            if x == f64::from(x as i32) {
                x
            } else {
                f64::from(x as f32)
            }
        },
    },
    Question {
        text: "%y: f64 = call @exp(%x)",
        answer: f64::exp,
    },
    Question {
        text: "%1: f64 = abs %x\n%y: f64 = call @ln(%1)",
        answer: |x| x.abs().ln(),
    },
    Question {
        text: "%y: f64 = call @sin(%x)",
        answer: f64::sin,
    },
    Question {
        text: "%y: f64 = call @tanh(%x)",
        answer: f64::tanh,
    },
];

/// What the questions are asked about.
const POINTS: [f64; 16] = [
    0.0,
    -0.0,
    0.5,
    1.0,
    -1.5,
    2.5,
    std::f64::consts::PI,
    -7.1,
    20.25,
    -100.7,
    1e-9,
    709.0,
    12345.678,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// How many of the points are finite.
const FINITE: usize = 13;

/// Rows of some of them.
const ROWS: usize = 4;
const COLUMNS: usize = 3;

const ROW_KERNEL: &str = "  input f64 steps 3 1
  output rows
  output rows
fn @body(%0: f64) -> (f64, f64) {
b0:
    %1: f64 = 6755399441055744.0
    %2: f64 = add %0, %1
    %3: f64 = sub %2, %1
    %4: f64 = call @row.sum(%3)
    %5: f64 = call @row.max(%3)
    %6: (f64, f64) = tuple %4, %5
    return %6
}
";

const TOTAL_KERNEL: &str = "  input f64 steps 0 1
  output total sum
fn @body(%0: f64) -> (f64) {
b0:
    %1: (f64) = tuple %0
    return %1
}
";

/// Units in the last place by which an answer may be off.
const TOLERANCE: u64 = 4;

impl Gpu {
    /// Whether arrays of f64 can live here. Where it turns out that they cannot, a notice says so.
    pub(super) fn holds_f64(&self) -> bool {
        let ask = || match self.compute_known() {
            Ok(()) => true,
            Err(error) => {
                notice(
                    Level::Warn,
                    format_args!("f64 is not computed on the GPU: {error}"),
                );
                false
            }
        };
        self.wide && *self.trusted.get_or_init(ask)
    }

    /// An error if kernels with f64 cannot run here.
    pub(super) fn must_hold_f64(&self) -> Result<()> {
        match self.holds_f64() {
            true => Ok(()),
            false => Err(self.trouble(
                "kernels with f64 are not available on this adapter: run it on Device::cpu()",
            )),
        }
    }

    /// An error if an answer is wrong.
    fn compute_known(&self) -> Result<()> {
        let registry = Context::default().registry().clone();
        let questions: Vec<&Question> = { QUESTIONS.iter() }
            .filter(|question| is_known(question, &registry))
            .collect();
        let functions = questions.iter().enumerate().map(|(n, question)| {
            let text = question.text;
            format!("fn @q{n}(%x: f64) -> f64 {{\nb0:\n{text}\nreturn %y\n}}\n")
        });
        let calls = (0..questions.len()).map(|n| format!("%a{n}: f64 = call @q{n}(%x)\n"));
        let all: Vec<String> = (0..questions.len()).map(|n| format!("%a{n}")).collect();
        let tuple = format!("({})", vec!["f64"; all.len()].join(", "));
        let text = format!(
            "fn @all(%x: f64) -> {tuple} {{\nb0:\n{}%t: {tuple} = tuple {}\nreturn %t\n}}\n{}",
            calls.collect::<String>(),
            all.join(", "),
            functions.collect::<String>()
        );
        let module = parse_module(&text).map_err(|error| Error::Internal(error.to_string()))?;
        let compiled = Compiled::new(wgsl_function(&module, Symbol::new("all"), &registry)?);
        let points = View::dense(
            self.upload(bytemuck::cast_slice(&POINTS))?,
            Type::F64,
            &[POINTS.len()],
        );
        let operands = [Operand::View(points.clone())];
        let made = self.map_compiled(&compiled, &operands, &points.shape, &Extras::default())?;
        for (question, buffer) in questions.iter().zip(made) {
            let found = self.numbers(buffer, POINTS.len())?;
            for (&x, found) in POINTS.iter().zip(found) {
                let expected = (question.answer)(x);
                if !is_near(found, expected) {
                    return Err(self.trouble(&format!(
                        "`{}` of {x:e} gives {found:e} instead of {expected:e}",
                        question.text.lines().last().unwrap_or_default()
                    )));
                }
            }
        }
        let finite = View {
            shape: [FINITE].as_slice().into(),
            ..points
        };
        self.compute_rows(&finite, &registry)?;
        let total = format!("kernel rows 1 columns {FINITE}\n{TOTAL_KERNEL}");
        let sum = self.kernel_of_points(&total, &finite, &registry)?;
        let (found, expected) = (self.numbers(sum, 1)?, POINTS[..FINITE].iter().sum::<f64>());
        match (found[0] - expected).abs() < 1e-11 {
            true => Ok(()),
            false => Err(self.trouble(&format!(
                "a sum gives {:e} instead of {expected:e}",
                found[0]
            ))),
        }
    }

    /// Numbers rounded by a sum, in a kernel that goes along rows, which drivers compile otherwise than maps.
    fn compute_rows(&self, points: &View, registry: &Arc<Registry>) -> Result<()> {
        let text = format!("kernel rows {ROWS} columns {COLUMNS}\n{ROW_KERNEL}");
        let sums = self.kernel_of_points(&text, points, registry)?;
        let found = self.numbers(sums, ROWS)?;
        for (row, found) in POINTS.chunks(COLUMNS).zip(found) {
            let expected: f64 = row.iter().map(|x| x.round_ties_even()).sum();
            if found != expected {
                return Err(self.trouble(&format!(
                    "the sum of {row:?} rounded gives {found:e} instead of {expected:e}"
                )));
            }
        }
        Ok(())
    }

    /// The first output of a kernel of the points.
    fn kernel_of_points(
        &self,
        text: &str,
        points: &View,
        registry: &Arc<Registry>,
    ) -> Result<Buffer> {
        let kernel = parse_kernel(text).map_err(|error| Error::Internal(error.to_string()))?;
        let program = KernelProgram::new(kernel, registry.clone());
        let mut made = self.run_unchecked(&program, &[Operand::View(points.clone())])?;
        Ok(made.swap_remove(0))
    }

    fn numbers(&self, buffer: Buffer, count: usize) -> Result<Vec<f64>> {
        let memory = self.memory(&buffer)?;
        let bytes = self.read(memory, 0, count * size(Type::F64))?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }
}

/// Whether the pack with the rows that it calls is there.
fn is_known(question: &Question, registry: &Registry) -> bool {
    let Some((_, call)) = question.text.split_once("call @") else {
        return true;
    };
    let name = call.split('(').next().unwrap_or_default();
    registry.find(Symbol::new(name), &[Type::F64]).is_some()
}

/// Whether two numbers are equal but for a few units in the last place. Zeros of both signs are equal.
fn is_near(found: f64, expected: f64) -> bool {
    if found == expected || (found.is_nan() && expected.is_nan()) {
        return true;
    }
    let same_sign = found.is_sign_negative() == expected.is_sign_negative();
    same_sign && found.to_bits().abs_diff(expected.to_bits()) <= TOLERANCE
}
