//! The difference between two texts.

use std::fmt::Write;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// What becomes of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Kept(&'a str),
    Removed(&'a str),
    Added(&'a str),
}

/// A unified diff; empty if the texts are equal.
pub fn diff(old_name: &str, old: &str, new_name: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let lines = edits(&old, &new);
    let mut out = String::new();
    for (start, end) in hunks(&lines) {
        if out.is_empty() {
            let _ = write!(out, "--- {old_name}\n+++ {new_name}\n");
        }
        let count = |lines: &[Line]| {
            let old = lines.iter().filter(|l| !matches!(l, Line::Added(_)));
            let new = lines.iter().filter(|l| !matches!(l, Line::Removed(_)));
            (old.count(), new.count())
        };
        let (before, within) = (count(&lines[..start]), count(&lines[start..end]));
        let _ = writeln!(
            out,
            "@@ -{},{} +{},{} @@",
            before.0 + 1,
            within.0,
            before.1 + 1,
            within.1
        );
        for line in &lines[start..end] {
            let (mark, text) = match line {
                Line::Kept(text) => (' ', text),
                Line::Removed(text) => ('-', text),
                Line::Added(text) => ('+', text),
            };
            let _ = writeln!(out, "{mark}{text}");
        }
    }
    out
}

/// The longest common subsequence, by the table of its lengths: texts of IR are short.
fn edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let width = new.len() + 1;
    let mut lengths = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let (right, below) = (lengths[i * width + j + 1], lengths[(i + 1) * width + j]);
            lengths[i * width + j] = match old[i] == new[j] {
                true => lengths[(i + 1) * width + j + 1] + 1,
                false => right.max(below),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push(Line::Kept(old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || i < old.len() && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]
        {
            lines.push(Line::Removed(old[i]));
            i += 1;
        } else {
            lines.push(Line::Added(new[j]));
            j += 1;
        }
    }
    lines
}

/// The stretches to show: changes, with lines around them.
fn hunks(lines: &[Line]) -> Vec<(usize, usize)> {
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if matches!(line, Line::Kept(_)) {
            continue;
        }
        let end = (at + 1 + CONTEXT).min(lines.len());
        match hunks.last_mut() {
            Some(last) if last.1 + CONTEXT >= at => last.1 = end,
            _ => hunks.push((at.saturating_sub(CONTEXT), end)),
        }
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::diff;
    use expect_test::expect;

    #[test]
    fn changes_stand_between_the_lines_around_them() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n";
        let new = "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\n";
        expect![[r#"
            --- old
            +++ new
            @@ -2,11 +2,10 @@
             b
             c
             d
            -e
            +E
             f
             g
             h
             i
             j
             k
            -l
        "#]]
        .assert_eq(&diff("old", old, "new", new));
        assert_eq!(diff("old", old, "new", old), "");
        assert_eq!(
            diff("a", "", "b", "x"),
            "--- a\n+++ b\n@@ -1,0 +1,1 @@\n+x\n"
        );
    }
}
