//! A rule over arrays: its cases on the CPU and on the adapter, and its native code as machine code.

use super::super::entry::{CaseTest, is_double, is_native, test_case};
use super::{Event, Events, Run, THREADS, on_threads};
use crate::array::Device;
use crate::diag::Result;
use crate::plugin::FloatControl;

impl Run<'_> {
    /// Tests the cases; gives their number.
    pub(super) fn array(&self, events: Events) -> usize {
        let cpu = Device::cpu();
        for case in self.cases {
            let test = || CaseTest::new(self.ctx, self.entry, case);
            // First of all: what changes the rounding changes it for the tests that follow.
            if is_native(self.entry) {
                self.step("native calls", events, || float_control(&test()?));
                if !self.entry.effects.is_ordered() {
                    self.step("native calls, repeated", events, || deterministic(&test()?));
                    self.step("native calls from four threads", events, || {
                        threads(&test()?)
                    });
                }
                self.step("native against body", events, || test()?.body());
            }
            self.step("value, pullback and tangent", events, || {
                test_case(self.ctx, case, &cpu)
            });
            self.step("the derivative of the body", events, || test()?.minimal());
        }
        let instances = self.ctx.registry().named(self.entry.name);
        if is_double(self.entry) && instances.iter().all(|entry| is_double(entry)) {
            let note =
                "not run on the adapter: it takes floats of 64 bits, which not every GPU has";
            events(Event::Note(note.into()));
        }
        if !self.cases.is_empty()
            && !is_double(self.entry)
            && let Some(device) = self.device(events)
        {
            for case in self.cases {
                self.step("the same on the adapter", events, || {
                    test_case(self.ctx, case, &device)
                });
            }
        }
        self.cases.len()
    }
}

/// A call leaves the rounding mode and the like as they were.
fn float_control(test: &CaseTest) -> Result<()> {
    let before = FloatControl::read();
    test.bits()?;
    let after = FloatControl::read();
    if after == before {
        return Ok(());
    }
    before.restore();
    Err(test.wrong(
        "rounding mode",
        format!("it changes how this thread computes with floats (rounding, denormals, traps): found {after}, expected {before}"),
    ))
}

/// Equal arguments, equal bits.
fn deterministic(test: &CaseTest) -> Result<()> {
    let first = test.bits()?;
    for _ in 0..3 {
        let again = test.bits()?;
        if again != first {
            return Err(test.wrong("deterministic", difference(&first, &again, "called again")));
        }
    }
    Ok(())
}

/// On four threads at once it gives what it gives on one.
fn threads(test: &CaseTest) -> Result<()> {
    let expected = test.bits()?;
    let found = on_threads(|| match test.bits() {
        Ok(found) => (found != expected).then_some(Ok(found)),
        Err(error) => Some(Err(error)),
    });
    match found {
        None => Ok(()),
        Some(Err(error)) => Err(error),
        Some(Ok(found)) => {
            let when = format!("while {THREADS} threads call it");
            Err(test.wrong("thread safe", difference(&expected, &found, &when)))
        }
    }
}

/// Where two outcomes differ first.
fn difference(first: &[u64], other: &[u64], when: &str) -> String {
    let pairs = first.iter().zip(other);
    match pairs.enumerate().find(|(_, (a, b))| a != b) {
        Some((i, (a, b))) => format!(
            "results and cotangents, taken together, differ at number {i}: first {}, {when} {}",
            f64::from_bits(*a),
            f64::from_bits(*b)
        ),
        None => format!("found {} numbers, {when} {}", first.len(), other.len()),
    }
}
