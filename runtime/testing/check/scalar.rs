//! A scalar function: its native code as machine code, its derivatives as numbers, its WGSL on the adapter.

use super::super::entry::{
    caller, data, doubled, dual, epsilon, number, points, test_scalar_at, wrong,
};
use super::super::programs::{compile, normalised, verified};
use super::{Event, Events, Run, THREADS, on_threads};
use crate::array::Device;
use crate::array::backend::MapProgram;
use crate::array::kernels::{at_points, wrap};
use crate::diag::Result;
use crate::interp::Datum;
use crate::ir::{Module, Prim, Type};
use crate::plugin::{FloatControl, call_native, call_with_partials, watch_partials};
use crate::registry::{ContextKind, EntryKind, NativeFn, ScalarRule};
use std::sync::Arc;

impl Run<'_> {
    /// Tests all there is; gives the number of points.
    pub(super) fn scalar(&self, rule: &ScalarRule, events: Events) -> usize {
        let given: Vec<Vec<f64>> = (self.cases.iter())
            .map(|case| case.arguments.iter().filter_map(number).collect())
            .collect();
        let all: Vec<Vec<f64>> = points(rule).into_iter().chain(given.clone()).collect();
        let all: Vec<Vec<f64>> = all.iter().map(|args| self.exact(args)).collect();
        if rule.native.is_some() || rule.with_partials.is_some() {
            self.step("native calls", events, || self.float_control(rule, &all));
            self.step("native calls, repeated", events, || {
                self.deterministic(rule, &all)
            });
            self.step("the memory for partials", events, || {
                self.bounds(rule, &all)
            });
            self.step("native calls from four threads", events, || {
                self.threads(rule, &all)
            });
            self.step("f32 against f64", events, || self.widths(rule, &all));
        }
        self.step("value, partials and differences", events, || {
            test_scalar_at(self.ctx, self.entry, &given)
        });
        if rule.body.is_some() && self.entry.context == ContextKind::Default {
            self.step("the derivative of the body", events, || {
                self.minimal(rule, &all)
            });
        }
        self.adapter(rule, &all, events);
        all.len()
    }

    /// The arguments as numbers of the parameters' types, which travel as f64.
    fn exact(&self, args: &[f64]) -> Vec<f64> {
        let exact = |(&x, ty): (&f64, &Type)| match ty {
            Type::F32 => f64::from(x as f32),
            Type::F64 => x,
            _ => x.round(),
        };
        args.iter().zip(&self.entry.params).map(exact).collect()
    }

    /// All that the native functions give at a point, as bits.
    fn native(&self, rule: &ScalarRule, args: &[f64]) -> Vec<u64> {
        let params = &self.entry.params;
        let mut found = Vec::new();
        if let Some(native) = rule.native {
            found.push(call_native(native, params, args));
        }
        if let Some(native) = rule.with_partials {
            let (value, partials) = call_with_partials(native, params, args);
            found.push(value);
            found.extend(partials);
        }
        found.into_iter().map(f64::to_bits).collect()
    }

    /// The functions leave the rounding mode and the like as they were.
    fn float_control(&self, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<()> {
        let before = FloatControl::read();
        for args in points {
            self.native(rule, args);
            let after = FloatControl::read();
            if after != before {
                before.restore();
                return Err(wrong(
                    self.entry,
                    "rounding mode",
                    format!(
                        "called at {args:?} it changes how this thread computes with floats (rounding, denormals, traps): found {after}, expected {before}"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Equal arguments, equal bits.
    fn deterministic(&self, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<()> {
        let all = || points.iter().map(|args| self.native(rule, args));
        let first: Vec<Vec<u64>> = all().collect();
        // In the same order and, in case something is remembered from call to call, in another.
        let again: Vec<Vec<u64>> = all().collect();
        let mut backwards: Vec<Vec<u64>> = (points.iter().rev())
            .map(|args| self.native(rule, args))
            .collect();
        backwards.reverse();
        for ((args, first), (again, backwards)) in
            points.iter().zip(&first).zip(again.iter().zip(&backwards))
        {
            if let Some(other) = [again, backwards].into_iter().find(|other| *other != first) {
                return Err(wrong(
                    self.entry,
                    "deterministic",
                    format!(
                        "called at {args:?} it gives {:?}, called again {:?}: a pure function gives equal bits",
                        floats(first),
                        floats(other)
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The function for value and partials writes each partial, and nothing else.
    fn bounds(&self, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<()> {
        let Some(native) = rule.with_partials else {
            return Ok(());
        };
        for args in points {
            let Some(seen) = watch_partials(native, &self.entry.params, args) else {
                continue;
            };
            if seen.escaped {
                return Err(wrong(
                    self.entry,
                    "stray write",
                    format!(
                        "called at {args:?} its with_partials writes outside of the memory for its {} partials",
                        args.len()
                    ),
                ));
            }
            let floats = self.entry.params.iter().map(|ty| ty.is_float());
            let missing = (seen.partials.iter().zip(floats))
                .position(|(partial, float)| float && partial.is_none());
            if let Some(i) = missing {
                return Err(wrong(
                    self.entry,
                    "missing partial",
                    format!("called at {args:?} its with_partials does not write partial {i}"),
                ));
            }
        }
        Ok(())
    }

    /// On four threads at once it gives what it gives on one.
    fn threads(&self, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<()> {
        let expected: Vec<Vec<u64>> = points.iter().map(|args| self.native(rule, args)).collect();
        let found = on_threads(|| {
            points.iter().zip(&expected).find_map(|(args, expected)| {
                let found = self.native(rule, args);
                (found != *expected).then(|| (args.clone(), found, expected.clone()))
            })
        });
        match found {
            None => Ok(()),
            Some((args, found, expected)) => Err(wrong(
                self.entry,
                "thread safe",
                format!(
                    "called at {args:?} while {THREADS} threads call it, it gives {:?}, on one thread {:?}",
                    floats(&found),
                    floats(&expected)
                ),
            )),
        }
    }

    /// The native functions of both float types compute one function.
    fn widths(&self, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<()> {
        let registry = self.ctx.registry();
        let (Some(native), Some(double)) = (
            rule.native,
            registry.find(self.entry.name, &doubled(&self.entry.params)),
        ) else {
            return Ok(());
        };
        let EntryKind::Scalar(ScalarRule {
            native: Some(wide), ..
        }) = &double.kind
        else {
            return Ok(());
        };
        let conditions = self.conditions(rule, points)?;
        for (args, condition) in points.iter().zip(conditions) {
            let call = |native: NativeFn, params: &[Type]| call_native(native, params, args);
            let (found, expected) = (
                call(native, &self.entry.params),
                call(*wide, &double.params),
            );
            if !near(found, expected, condition, epsilon(self.entry.ret)) {
                return Err(wrong(
                    self.entry,
                    "value",
                    format!(
                        "at {args:?} the native function gives {found:e}, that for f64 {expected:e}"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// How much an error of one unit in the arguments moves the value at each point: Σ |∂y/∂x · x|.
    fn conditions(&self, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<Vec<f64>> {
        let registry = self.ctx.registry();
        let primal = compile(&caller(self.entry), registry)?;
        let partials = compile(&Module::new(rule.partials.clone()), registry)?;
        let at = |args: &Vec<f64>| {
            let mut data = data(self.entry, args);
            data.push(primal.call(&data)?);
            let Datum::Tuple(found) = partials.call(&data)? else {
                return Ok(0.0);
            };
            let terms = found.iter().zip(args);
            let terms = terms.filter_map(|(p, x)| Some((p.as_float()? * x).abs()));
            Ok(terms.sum())
        };
        points.iter().map(at).collect()
    }

    /// What a minimal context derives from the body is what the partials say.
    fn minimal(&self, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<()> {
        let registry = self.ctx.registry();
        let normal = normalised(&caller(self.entry), registry, ContextKind::Minimal)?;
        let derived = dual(&normal, registry, ContextKind::Minimal)?;
        verified(&derived, registry)?;
        let derived = compile(&derived, registry)?;
        let partials = compile(&Module::new(rule.partials.clone()), registry)?;
        let primal = compile(&caller(self.entry), registry)?;
        for args in points {
            let mut args = data(self.entry, args);
            let y = primal.call(&args)?;
            let mut given = args.clone();
            given.push(y);
            let Datum::Tuple(found) = partials.call(&given)? else {
                continue;
            };
            let (mut expected, mut size) = (0.0, 0.0);
            for (i, partial) in found.iter().filter_map(Datum::as_float).enumerate() {
                let dx = [0.75, -1.5, 0.5][i % 3];
                args.push(Datum::float(dx));
                expected += partial * dx;
                size += (partial * dx).abs();
            }
            let found = match derived.call(&args)? {
                Datum::Tuple(found) if found.len() == 2 => found[1].as_float(),
                _ => None,
            };
            let found = found.unwrap_or(f64::NAN);
            if !near(found, expected, size, epsilon(self.entry.ret)) {
                return Err(wrong(
                    self.entry,
                    "minimal context",
                    format!(
                        "at {given:?} the derivative of the body is {found:e}, the partials say {expected:e}"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The value and the partials on the adapter are those on the CPU: in f32, and in f64 what the row has a text of its own for.
    fn adapter(&self, rule: &ScalarRule, points: &[Vec<f64>], events: Events) {
        if self.entry.ret == Type::F64 && rule.wgsl.is_some() {
            match self.device(events) {
                Some(device) if device.holds(Type::F64) => {
                    self.step("the value on the adapter, in f64", events, || {
                        self.value_on(&device, rule, points)
                    });
                }
                Some(device) => {
                    let note = format!("its WGSL for f64 is not run: {device} has no f64");
                    events(Event::Note(note));
                }
                None => {}
            }
            return;
        }
        if self.entry.ret != Type::F32 {
            return;
        }
        let is_prim = Prim::from_mnemonic(self.entry.name.as_str()).is_some();
        if rule.wgsl.is_none() && rule.body.is_none() && !is_prim {
            let note = "it runs on CPUs only: it has neither WGSL nor body";
            return events(Event::Note(note.into()));
        }
        let Some(device) = self.device(events) else {
            return;
        };
        self.step("the value on the adapter", events, || {
            self.value_on(&device, rule, points)
        });
        self.step("the partials on the adapter", events, || {
            self.partials_on(&device, rule, points)
        });
    }

    fn value_on(&self, device: &Device, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<()> {
        let registry = self.ctx.registry();
        let double = registry.find(self.entry.name, &doubled(&self.entry.params));
        let oracle = double.unwrap_or(self.entry);
        let program = wrap(
            self.entry.name,
            &self.entry.params,
            self.entry.ret,
            registry,
        )?;
        let Some(found) = at_points(device, &program, &self.columns(points))? else {
            return Ok(());
        };
        let primal = compile(&caller(oracle), registry)?;
        let conditions = self.conditions(rule, points)?;
        for (i, (args, condition)) in points.iter().zip(conditions).enumerate() {
            let expected = primal.call(&data(oracle, args))?.as_float();
            let (found, expected) = (found[0][i], expected.unwrap_or(f64::NAN));
            if !near(found, expected, condition, epsilon(self.entry.ret)) {
                return Err(wrong(
                    self.entry,
                    "WGSL",
                    format!("at {args:?} it gives {found:e} on {device}, on the CPU {expected:e}"),
                ));
            }
        }
        Ok(())
    }

    fn partials_on(&self, device: &Device, rule: &ScalarRule, points: &[Vec<f64>]) -> Result<()> {
        let Type::Tuple(outputs) = rule.partials.ret else {
            return Ok(());
        };
        if !outputs.iter().all(|ty| *ty == Type::F32) {
            return Ok(());
        }
        let registry = self.ctx.registry();
        let primal = compile(&caller(self.entry), registry)?;
        let partials = compile(&Module::new(rule.partials.clone()), registry)?;
        let module = Arc::new(Module::new(rule.partials.clone()));
        let program = MapProgram::new(module, rule.partials.name, registry.clone());
        let value = |args: &Vec<f64>| {
            let y = primal.call(&data(self.entry, args))?;
            Ok(y.as_float().unwrap_or(f64::NAN))
        };
        let mut columns = self.columns(points);
        columns.push(points.iter().map(value).collect::<Result<_>>()?);
        let Some(found) = at_points(device, &program, &columns)? else {
            return Ok(());
        };
        for (i, args) in points.iter().enumerate() {
            let mut given = data(self.entry, args);
            given.push(Datum::float(columns[args.len()][i]));
            let Datum::Tuple(expected) = partials.call(&given)? else {
                continue;
            };
            for (k, expected) in expected.iter().enumerate() {
                let (found, expected) = (found[k][i], expected.as_float().unwrap_or(f64::NAN));
                // What is lost in the sums of an expression is not known here, so only gross errors count.
                if !near(
                    found,
                    expected,
                    16.0 * expected.abs().max(1.0),
                    epsilon(Type::F32),
                ) {
                    return Err(wrong(
                        self.entry,
                        "partials in WGSL",
                        format!(
                            "at {args:?} partial {k} is {found:e} on {device}, on the CPU {expected:e}"
                        ),
                    ));
                }
            }
        }
        Ok(())
    }

    /// For each parameter its values at all points.
    fn columns(&self, points: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let column = |i: usize| points.iter().map(|args| args[i]).collect();
        (0..self.entry.params.len()).map(column).collect()
    }
}

/// Equal but for rounding in the function and of its arguments.
fn near(found: f64, expected: f64, condition: f64, epsilon: f64) -> bool {
    let condition = if condition.is_finite() {
        condition
    } else {
        0.0
    };
    let tolerance = 256.0 * epsilon * (expected.abs() + condition) + epsilon * epsilon;
    (found - expected).abs() <= tolerance
        || found == expected
        || found.is_nan() && expected.is_nan()
}

fn floats(bits: &[u64]) -> Vec<f64> {
    bits.iter().map(|&bits| f64::from_bits(bits)).collect()
}
