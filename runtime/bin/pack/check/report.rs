//! What `mooncake pack check` reports: line by line from a child, and as a whole to the user.

use mooncake::testing::check::{Event, Row};
use serde_json::{Value, json};
use std::path::Path;

/// What does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// One word or two.
    pub property: String,
    /// Found and expected.
    pub message: String,
}

/// One rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleReport {
    /// Its name, without the pack's; empty for a row that could not be read.
    pub name: String,
    /// Name and types.
    pub signature: String,
    /// What is wrong.
    pub failures: Vec<Failure>,
    /// What was not tested, and why.
    pub notes: Vec<String>,
}

/// All of a pack.
#[derive(Debug)]
pub struct Report {
    path: String,
    /// The pack's name; empty if the file does not say.
    pub name: String,
    /// The pack's version.
    pub version: String,
    /// The file's SHA-256; empty if it could not be read.
    pub sha256: String,
    /// What is wrong with the pack as a whole: then its rules are not checked.
    pub failures: Vec<Failure>,
    /// In order of name.
    pub rules: Vec<RuleReport>,
}

/// One line of a child's report.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// What it does next.
    Step(String),
    /// A rule of the pack.
    Row(RuleReport),
    /// What does not hold.
    Failed(Failure),
    /// What was not tested, and why.
    Note(String),
    /// All was said.
    End,
}

impl Line {
    /// A line of a report for what happened in a test. A GPU that is missing is a failure only where it is required.
    pub fn of(event: Event, asked: bool) -> Line {
        let required = std::env::var_os("MOONCAKE_REQUIRE_GPU").is_some_and(|value| value != "0");
        match event {
            Event::Step(step) => Line::Step(step),
            Event::Failed { property, message } => Line::failed(&property, message),
            Event::Note(note) => Line::Note(note),
            Event::NoGpu(why) if asked && required => {
                Line::failed("GPU", format!("not run on a GPU: {why}"))
            }
            Event::NoGpu(why) => Line::Note(format!("not run on a GPU: {why}")),
        }
    }

    /// A failure.
    pub fn failed(property: &str, message: String) -> Line {
        Line::Failed(super::failure(property, message))
    }

    /// The line as it is written.
    pub fn json(&self) -> Value {
        match self {
            Line::Step(step) => json!({ "step": step }),
            Line::Row(row) => json!({
                "row": row.name,
                "signature": row.signature,
                "fault": row.failures.first().map(|failure| &failure.message),
            }),
            Line::Failed(Failure { property, message }) => {
                json!({ "failed": property, "message": message })
            }
            Line::Note(note) => json!({ "note": note }),
            Line::End => json!({ "end": true }),
        }
    }

    /// The lines of a report. What is no line of one, because the child died while it wrote, is left out.
    pub fn read(text: &str) -> Vec<Line> {
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        lines.filter_map(|line: Value| Line::parse(&line)).collect()
    }

    fn parse(line: &Value) -> Option<Line> {
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
        if let Some(step) = text("step") {
            return Some(Line::Step(step));
        }
        if let Some(name) = text("row") {
            let fault = text("fault").map(|message| super::failure("row", message));
            return Some(Line::Row(RuleReport {
                name,
                signature: text("signature")?,
                failures: fault.into_iter().collect(),
                notes: Vec::new(),
            }));
        }
        if let Some(property) = text("failed") {
            return Some(Line::failed(&property, text("message")?));
        }
        if let Some(note) = text("note") {
            return Some(Line::Note(note));
        }
        (line.get("end") == Some(&Value::Bool(true))).then_some(Line::End)
    }
}

impl From<Row> for RuleReport {
    fn from(row: Row) -> RuleReport {
        let failures = row.fault.map(|message| super::failure("row", message));
        RuleReport {
            name: row.name,
            signature: row.signature,
            failures: failures.into_iter().collect(),
            notes: Vec::new(),
        }
    }
}

/// The rules that a child has listed.
pub fn rows(lines: &[Line]) -> Vec<RuleReport> {
    let row = |line: &Line| match line {
        Line::Row(row) => Some(row.clone()),
        _ => None,
    };
    lines.iter().filter_map(row).collect()
}

/// What does not hold, each once: f32 and f64 often fail in the same way.
pub fn failures(lines: &[Line]) -> Vec<Failure> {
    let mut found: Vec<Failure> = Vec::new();
    for line in lines {
        if let Line::Failed(failure) = line
            && !found.contains(failure)
        {
            found.push(failure.clone());
        }
    }
    found
}

/// The notes, each once.
pub fn notes(lines: &[Line]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        if let Line::Note(note) = line
            && !found.contains(note)
        {
            found.push(note.clone());
        }
    }
    found
}

impl Report {
    /// Of nothing so far.
    pub fn new(path: &Path) -> Report {
        Report {
            path: path.display().to_string(),
            name: String::new(),
            version: String::new(),
            sha256: String::new(),
            failures: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// The pack is not fit to be loaded.
    pub fn refused(mut self, property: &str, message: String) -> Report {
        self.failures.push(super::failure(property, message));
        self
    }

    /// What is wrong, in a few words; `None` if nothing is.
    pub fn wrong(&self) -> Option<String> {
        let bad = self.rules.iter().filter(|rule| !rule.failures.is_empty());
        let (bad, all) = (bad.count(), self.rules.len());
        let name = match self.name.as_str() {
            "" => &self.path,
            name => name,
        };
        match (self.failures.is_empty(), bad) {
            (false, _) => Some(format!("pack {name}: it failed the check as a whole")),
            (true, 0) => None,
            (true, bad) => Some(format!(
                "pack {name}: {bad} of {all} rules failed the check"
            )),
        }
    }

    /// The report for people. The rules that fail stand last, where they are seen first.
    pub fn text(&self) -> String {
        let mut text = match self.name.as_str() {
            "" => format!("{}\n", self.path),
            name => format!("{name} {}, SHA-256 {}\n", self.version, self.sha256),
        };
        let failed = |failures: &[Failure]| -> String {
            let message = |f: &Failure| f.message.replace('\n', "\n        ");
            let line = |f: &Failure| format!("      {}: {}\n", f.property, message(f));
            failures.iter().map(line).collect()
        };
        if !self.failures.is_empty() {
            text += &format!("FAIL  the pack as a whole\n{}", failed(&self.failures));
        }
        let passes = |rule: &&RuleReport| rule.failures.is_empty();
        let (passed, others): (Vec<_>, Vec<_>) = self.rules.iter().partition(passes);
        for rule in passed.into_iter().chain(others) {
            let what = match rule.signature.as_str() {
                "" => "(a row that cannot be read)",
                signature => signature,
            };
            let verdict = match rule.failures.is_empty() {
                true => "ok  ",
                false => "FAIL",
            };
            text += &format!("{verdict}  {what}\n{}", failed(&rule.failures));
            for note in &rule.notes {
                text += &format!("      note: {note}\n");
            }
        }
        text
    }

    /// The report for programs.
    pub fn json(&self) -> Value {
        let failures = |failures: &[Failure]| -> Vec<Value> {
            let one = |f: &Failure| json!({ "property": f.property, "message": f.message });
            failures.iter().map(one).collect()
        };
        let rules: Vec<Value> = (self.rules.iter())
            .map(|rule| {
                json!({
                    "rule": rule.name,
                    "signature": rule.signature,
                    "ok": rule.failures.is_empty(),
                    "failures": failures(&rule.failures),
                    "notes": rule.notes,
                })
            })
            .collect();
        json!({
            "path": self.path,
            "pack": self.name,
            "version": self.version,
            "sha256": self.sha256,
            "ok": self.wrong().is_none(),
            "failures": failures(&self.failures),
            "rules": rules,
        })
    }
}
