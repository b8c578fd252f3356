//! Kernels as text.

use super::{Combine, Gather, Input, Kernel, Output, PerAxis, Scatter};
use crate::diag::{Error, Result};
use crate::ir::Type;
use crate::ir::parse::parse_module;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = self.rows.iter().map(usize::to_string).collect();
        writeln!(f, "kernel rows {} columns {}", rows.join(" "), self.columns)?;
        for input in &self.inputs {
            let steps: Vec<String> = input.steps.iter().map(isize::to_string).collect();
            write!(f, "  input {} steps {}", input.ty, steps.join(" "))?;
            if let Some(window) = &input.window {
                write!(f, " within")?;
                for own in window {
                    write!(f, " {}..{}", own.start, own.end)?;
                }
            }
            if let Some(Gather { by, step, extent }) = input.gather {
                write!(f, " by {by} step {step} below {extent}")?;
            }
            writeln!(f)?;
        }
        for output in &self.outputs {
            match output {
                Output::Points => writeln!(f, "  output points")?,
                Output::Across => writeln!(f, "  output points across")?,
                Output::Rows => writeln!(f, "  output rows")?,
                Output::Total(combine) => writeln!(f, "  output total {}", combine.name())?,
                Output::RowTotal(combine) => {
                    writeln!(f, "  output total {} of rows", combine.name())?;
                }
                Output::Scattered(Scatter { by, extent, across }) => {
                    let across = if *across { " across" } else { "" };
                    writeln!(f, "  output scattered by {by} below {extent}{across}")?;
                }
            }
        }
        write!(f, "{}", self.body)
    }
}

/// Reads what a kernel prints.
pub fn parse_kernel(text: &str) -> Result<Kernel> {
    let start = text.find("fn @").ok_or_else(|| wrong(text, "`fn @`"))?;
    let (head, body) = text.split_at(start);
    let mut lines = head.lines().map(str::split_whitespace);
    let mut first = lines.next().ok_or_else(|| wrong(head, "`kernel`"))?;
    if (first.next(), first.next()) != (Some("kernel"), Some("rows")) {
        return Err(wrong(head, "`kernel rows`"));
    }
    let mut rows = PerAxis::new();
    let mut columns = None;
    while let Some(word) = first.next() {
        match word {
            "columns" => columns = Some(number(first.next())?),
            extent => rows.push(number(Some(extent))?),
        }
    }
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for line in lines {
        let words: Vec<&str> = line.collect();
        match words[..] {
            [] => {}
            [
                "input",
                ty,
                "steps",
                ref steps @ ..,
                "by",
                by,
                "step",
                step,
                "below",
                extent,
            ] => inputs.push(Input {
                ty: scalar(ty)?,
                steps: numbers(steps)?,
                window: None,
                gather: Some(Gather {
                    by: number(Some(by))?,
                    step: number(Some(step))?,
                    extent: number(Some(extent))?,
                }),
            }),
            ["input", ty, "steps", ref rest @ ..] => {
                let mut parts = rest.split(|&word| word == "within");
                let steps = parts.next().unwrap_or_default();
                inputs.push(Input {
                    ty: scalar(ty)?,
                    steps: numbers(steps)?,
                    window: parts.next().map(ranges).transpose()?,
                    gather: None,
                });
            }
            ["output", "points"] => outputs.push(Output::Points),
            ["output", "points", "across"] => outputs.push(Output::Across),
            ["output", "rows"] => outputs.push(Output::Rows),
            ["output", "total", name] => outputs.push(Output::Total(combine(name)?)),
            ["output", "total", name, "of", "rows"] => {
                outputs.push(Output::RowTotal(combine(name)?));
            }
            [
                "output",
                "scattered",
                "by",
                by,
                "below",
                extent,
                ref across @ ..,
            ] if matches!(across, [] | ["across"]) => {
                outputs.push(Output::Scattered(Scatter {
                    by: number(Some(by))?,
                    extent: number(Some(extent))?,
                    across: !across.is_empty(),
                }));
            }
            _ => return Err(wrong(&words.join(" "), "an input or an output")),
        }
    }
    let module =
        parse_module(body).map_err(|e| Error::Internal(format!("text of a kernel: {e}")))?;
    Ok(Kernel {
        rows,
        columns: columns.ok_or_else(|| wrong(head, "`columns`"))?,
        inputs,
        outputs,
        body: Arc::new(module.root().clone()),
    })
}

fn combine(name: &str) -> Result<Combine> {
    let found = Combine::ALL.into_iter().find(|c| c.name() == name);
    found.ok_or_else(|| wrong(name, "`sum` or `max`"))
}

fn wrong(found: &str, expected: &str) -> Error {
    Error::Internal(format!(
        "text of a kernel: expected {expected}, found `{found}`"
    ))
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Result<T> {
    let word = word.unwrap_or_default();
    word.parse().map_err(|_| wrong(word, "a number"))
}

fn numbers(words: &[&str]) -> Result<PerAxis<isize>> {
    words.iter().map(|&word| number(Some(word))).collect()
}

fn ranges(words: &[&str]) -> Result<PerAxis<Range<usize>>> {
    let range = |word: &&str| {
        let ends = word
            .split_once("..")
            .ok_or_else(|| wrong(word, "a range"))?;
        Ok(number(Some(ends.0))?..number(Some(ends.1))?)
    };
    words.iter().map(range).collect()
}

fn scalar(word: &str) -> Result<Type> {
    let types = [
        Type::F16,
        Type::F32,
        Type::F64,
        Type::I32,
        Type::U32,
        Type::Bool,
        Type::U64,
        Type::I64,
    ];
    let found = types.into_iter().find(|ty| ty.to_string() == word);
    found.ok_or_else(|| wrong(word, "the type of a number"))
}
