//! What is wrong with the text of a row, found when the pack is compiled.
//!
//! The macros evaluate these functions as constants, so a fault is an error of the row, not of the program that loads the pack. They
//! read what a text alone can tell: the grammar of expressions, the names of values, the number of texts, what a parameter may be called.
//! Which functions there are, and what types they take, is known where the pack is loaded.

/// What is wrong; empty if nothing is.
#[derive(Clone, Copy)]
pub struct Complaint {
    bytes: [u8; Complaint::ROOM],
    len: usize,
}

impl Complaint {
    const ROOM: usize = 240;
    const NONE: Complaint = Complaint {
        bytes: [0; Complaint::ROOM],
        len: 0,
    };

    const fn of(parts: &[&[u8]]) -> Complaint {
        let mut complaint = Complaint::NONE;
        let mut i = 0;
        while i < parts.len() {
            let mut j = 0;
            while j < parts[i].len() && complaint.len < Complaint::ROOM {
                // What is no ASCII could be cut in two.
                let byte = parts[i][j];
                complaint.bytes[complaint.len] = if byte.is_ascii() { byte } else { b'?' };
                complaint.len += 1;
                j += 1;
            }
            i += 1;
        }
        complaint
    }
    const fn is_some(&self) -> bool {
        self.len > 0
    }
    /// The message.
    pub const fn text(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "the text of this row is wrong",
        }
    }
    /// Stops the compilation if something is wrong.
    pub const fn raise(&self) {
        if self.is_some() {
            panic!("{}", self.text());
        }
    }
}

/// What a row consists of.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// `hypot(x: T, y: T) -> T`
    pub signature: &'a str,
    /// Whether it is a primitive in the default context alone.
    pub is_default: bool,
    /// The function as an expression, or empty.
    pub body: &'a str,
    /// Whether it has derivatives as expressions, in which `y`, `dy` and `dx` mean something.
    pub has_expressions: bool,
}

/// A list of texts, one for each parameter, and the names that they may use besides the parameters'.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// `partials`, for messages.
    pub what: &'a str,
    /// The texts.
    pub texts: &'a [&'a str],
    /// `y`, `dy`, …
    pub extra: &'a [&'a str],
    /// Whether floats among the parameters must have one.
    pub required: bool,
}

/// What is wrong with a row, whatever it defines.
pub const fn row(row: Row) -> Complaint {
    let signature = row.signature.as_bytes();
    let mut i = 0;
    while let Some((name, _)) = param(signature, i) {
        if !row.has_expressions {
            break;
        }
        let mut reserved = 0;
        while reserved < RESERVED.len() {
            if equal(name, RESERVED[reserved].as_bytes()) {
                return Complaint::of(&[
                    b"a parameter cannot be called `",
                    name,
                    b"`: in expressions `y` is the result, `dy` its cotangent and `dx` a tangent",
                ]);
            }
            reserved += 1;
        }
        i += 1;
    }
    if row.is_default && row.body.as_bytes().trim_ascii().is_empty() {
        return Complaint::of(&[
            b"`context: Default` needs a `body`: without one the minimal context has nothing to derive",
        ]);
    }
    expression(signature, "body", row.body, &[])
}

/// What is wrong with the number of things given, one for each parameter.
pub const fn count(signature: &str, what: &str, found: usize) -> Complaint {
    let mut expected = 0;
    while param(signature.as_bytes(), expected).is_some() {
        expected += 1;
    }
    match found == expected {
        true => Complaint::NONE,
        false => Complaint::of(&[
            b"found ",
            &[b'0' + (found / 10 % 10) as u8, b'0' + (found % 10) as u8],
            b" ",
            what.as_bytes(),
            b", expected ",
            &[
                b'0' + (expected / 10 % 10) as u8,
                b'0' + (expected % 10) as u8,
            ],
            b": one for each parameter, in order",
        ]),
    }
}

/// What is wrong with a list of texts.
pub const fn texts(signature: &str, list: Texts) -> Complaint {
    let wrong = count(signature, list.what, list.texts.len());
    if wrong.is_some() {
        return wrong;
    }
    let signature = signature.as_bytes();
    let mut i = 0;
    while i < list.texts.len() {
        let text = list.texts[i];
        let Some((name, ty)) = param(signature, i) else {
            break;
        };
        if list.required && text.as_bytes().trim_ascii().is_empty() && is_float(ty) {
            return Complaint::of(&[
                list.what.as_bytes(),
                b": the one of `",
                name,
                b"` is missing; write \"0\" if the result does not depend on it",
            ]);
        }
        let wrong = expression(signature, list.what, text, list.extra);
        if wrong.is_some() {
            return wrong;
        }
        i += 1;
    }
    Complaint::NONE
}

/// What a parameter cannot be called.
const RESERVED: &[&str] = &["y", "dy", "dx"];
/// The names of constants.
const CONSTANTS: &[&str] = &["pi", "inf", "nan", "true", "false"];
/// Expressions nest no deeper.
const MAX_DEPTH: usize = 100;
/// A text has no more `let`s.
const MAX_LETS: usize = 64;
/// Of a long text a message shows as much before and after the place that is wrong.
const SHOWN: usize = 40;

const fn is_float(ty: &[u8]) -> bool {
    equal(ty, b"T") || equal(ty, b"f32") || equal(ty, b"f64")
}

/// The name and the type of a parameter of a signature.
const fn param(signature: &[u8], number: usize) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    while at < signature.len() && signature[at] != b'(' {
        at += 1;
    }
    let (mut start, mut depth, mut seen) = (at + 1, 0, 0);
    at += 1;
    while at < signature.len() {
        match signature[at] {
            b'(' | b'<' | b'[' => depth += 1,
            c @ (b')' | b'>' | b']' | b',') if depth == 0 => {
                let text = signature.split_at(at).0.split_at(start).1.trim_ascii();
                if seen == number && !text.is_empty() {
                    return Some(name_and_type(text));
                }
                if c != b',' {
                    return None;
                }
                (start, seen) = (at + 1, seen + 1);
            }
            b')' | b'>' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

const fn name_and_type(text: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < text.len() && text[at] != b':' {
        at += 1;
    }
    let (name, ty) = text.split_at(at);
    match ty.split_first() {
        Some((_, ty)) => (name.trim_ascii(), ty.trim_ascii()),
        None => (name.trim_ascii(), ty),
    }
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// What is wrong with one expression; an empty one is none.
const fn expression(signature: &[u8], what: &str, text: &str, extra: &[&str]) -> Complaint {
    let mut parser = Parser {
        signature,
        what: what.as_bytes(),
        extra,
        text: text.as_bytes(),
        at: 0,
        lets: [(0, 0); MAX_LETS],
        named: 0,
        wrong: Complaint::NONE,
    };
    parser.blanks();
    if parser.at == parser.text.len() {
        return Complaint::NONE;
    }
    parser.lets();
    parser.expression(0);
    if !parser.wrong.is_some() && parser.at < parser.text.len() {
        parser.unexpected(b"an operator or the end of the text");
    }
    parser.wrong
}

/// Reads the grammar that the host reads (its `ir::expr`), and looks at the names.
struct Parser<'a> {
    signature: &'a [u8],
    what: &'a [u8],
    extra: &'a [&'a str],
    text: &'a [u8],
    at: usize,
    /// Where the names stand that `let` has given so far: `named` of them, from and to.
    lets: [(usize, usize); MAX_LETS],
    named: usize,
    wrong: Complaint,
}

impl Parser<'_> {
    const fn peek(&self) -> u8 {
        if self.at < self.text.len() {
            self.text[self.at]
        } else {
            0
        }
    }
    const fn next(&self) -> u8 {
        if self.at + 1 < self.text.len() {
            self.text[self.at + 1]
        } else {
            0
        }
    }
    /// White space, and comments: from `;` to the end of the line.
    const fn blanks(&mut self) {
        while self.at < self.text.len() {
            match self.text[self.at] {
                b';' => {
                    while self.at < self.text.len() && self.text[self.at] != b'\n' {
                        self.at += 1;
                    }
                }
                c if c.is_ascii_whitespace() => self.at += 1,
                _ => return,
            }
        }
    }
    const fn skip(&mut self, bytes: usize) {
        self.at += bytes;
        self.blanks();
    }
    const fn complain(&mut self, parts: &[&[u8]; 3]) {
        if !self.wrong.is_some() {
            let (start, end) = match self.text.len() > 3 * SHOWN {
                true => (self.at.saturating_sub(SHOWN), self.at + SHOWN),
                false => (0, self.text.len()),
            };
            let (end, more): (usize, &[u8]) = match end < self.text.len() {
                true => (end, b"..."),
                false => (self.text.len(), b""),
            };
            let less: &[u8] = if start > 0 { b"..." } else { b"" };
            let shown = self.text.split_at(end).0.split_at(start).1;
            self.wrong = Complaint::of(&[
                self.what, b": `", less, shown, more, b"`: ", parts[0], parts[1], parts[2],
            ]);
        }
    }
    const fn unexpected(&mut self, expected: &[u8]) {
        let found: [u8; 1] = [self.peek()];
        let found: &[u8] = match self.at < self.text.len() {
            true => &found,
            false => b"the end of the text",
        };
        let mut message = Complaint::of(&[b"expected ", expected, b", found "]);
        let mut i = 0;
        while i < found.len() && message.len < Complaint::ROOM {
            message.bytes[message.len] = found[i];
            message.len += 1;
            i += 1;
        }
        let message = message.bytes.split_at(message.len).0;
        self.complain(&[message, b"", b""]);
    }
    /// The whole rest is skipped once something is wrong.
    const fn is_done(&mut self, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            self.complain(&[b"expressions nest deeper than 100", b"", b""]);
        }
        self.wrong.is_some()
    }

    /// `let name = expression in`, any number of times.
    const fn lets(&mut self) {
        while self.is_let() && !self.wrong.is_some() {
            self.skip(3);
            let start = self.at;
            while is_of_name(self.peek()) {
                self.at += 1;
            }
            let end = self.at;
            let name = self.text.split_at(end).0.split_at(start).1;
            if self.is_known(name) {
                return self.complain(&[b"`", name, b"` has a meaning here already"]);
            }
            self.blanks();
            if self.peek() != b'=' || self.next() == b'=' {
                return self.unexpected(b"`=`");
            }
            self.skip(1);
            self.expression(0);
            if !self.is_word(b"in") {
                return self.unexpected(b"an operator or `in`");
            }
            self.skip(2);
            if self.named == MAX_LETS {
                return self.complain(&[b"more than 64 `let`s", b"", b""]);
            }
            self.lets[self.named] = (start, end);
            self.named += 1;
        }
    }
    /// Whether `let` and a name are next. Elsewhere `let` and `in` are names like others.
    const fn is_let(&self) -> bool {
        let mut after = self.at + 3;
        while after < self.text.len() && self.text[after].is_ascii_whitespace() {
            after += 1;
        }
        self.is_word(b"let") && after < self.text.len() && starts_name(self.text[after])
    }
    /// Whether that word is next.
    const fn is_word(&self, word: &[u8]) -> bool {
        let rest = self.text.split_at(self.at).1;
        rest.len() >= word.len()
            && equal(rest.split_at(word.len()).0, word)
            && (rest.len() == word.len() || !is_of_name(rest[word.len()]))
    }

    const fn expression(&mut self, depth: usize) {
        self.sum(depth);
        let length = match (self.peek(), self.next()) {
            (b'<' | b'>' | b'=' | b'!', b'=') => 2,
            (b'<' | b'>', _) => 1,
            _ => return,
        };
        self.skip(length);
        self.sum(depth);
    }
    const fn sum(&mut self, depth: usize) {
        self.product(depth);
        while matches!(self.peek(), b'+' | b'-') && !self.wrong.is_some() {
            self.skip(1);
            self.product(depth);
        }
    }
    const fn product(&mut self, depth: usize) {
        self.unary(depth);
        while matches!(self.peek(), b'*' | b'/' | b'%') && !self.wrong.is_some() {
            self.skip(1);
            self.unary(depth);
        }
    }
    const fn unary(&mut self, depth: usize) {
        if self.is_done(depth) {
            return;
        }
        match self.peek() {
            b'-' => {
                self.skip(1);
                self.unary(depth + 1);
            }
            _ => self.atom(depth),
        }
        // A part of a tuple: `y.0`.
        while self.peek() == b'.' && self.next().is_ascii_digit() {
            self.at += 1;
            while self.peek().is_ascii_digit() {
                self.at += 1;
            }
            self.blanks();
        }
    }
    const fn atom(&mut self, depth: usize) {
        match self.peek() {
            // What is in parentheses is an expression, or a tuple.
            b'(' => self.arguments(depth),
            c if c.is_ascii_digit() => self.number(),
            c if c.is_ascii_alphabetic() || c == b'_' => self.name(depth),
            _ => self.unexpected(b"an expression"),
        }
    }
    const fn close(&mut self) {
        match self.peek() {
            b')' => self.skip(1),
            _ => self.unexpected(b"`)`"),
        }
    }
    /// Digits, letters, one point followed by a digit, and the sign of an exponent.
    const fn number(&mut self) {
        let is_hexadecimal = self.peek() == b'0' && self.next() == b'x';
        let mut point = is_hexadecimal;
        let mut before = 0;
        loop {
            let c = self.peek();
            let is_exponent = !is_hexadecimal && matches!(before, b'e' | b'E');
            match c {
                b'.' if !point && self.next().is_ascii_digit() => point = true,
                b'+' | b'-' if is_exponent => {}
                c if c.is_ascii_alphanumeric() || c == b'_' => {}
                _ => break,
            }
            before = c;
            self.at += 1;
        }
        self.blanks();
    }
    /// A value, or a function and what it is called on.
    const fn name(&mut self, depth: usize) {
        let start = self.at;
        while self.peek().is_ascii_alphanumeric() || self.peek() == b'_' {
            self.at += 1;
        }
        let name = self.text.split_at(self.at).0.split_at(start).1;
        self.blanks();
        if self.peek() == b':' && self.next() == b':' {
            self.skip(2);
            return match self.peek().is_ascii_alphabetic() || self.peek() == b'_' {
                true => self.path(depth),
                false => self.unexpected(b"a name after `::`"),
            };
        }
        match self.peek() {
            b'(' => self.arguments(depth),
            _ if self.is_known(name) => {}
            _ => self.complain(&[
                b"unknown name `",
                name,
                b"`: expected a parameter, the result, a constant or a function",
            ]),
        }
    }
    /// What follows `::`: a function.
    const fn path(&mut self, depth: usize) {
        while self.peek().is_ascii_alphanumeric() || matches!(self.peek(), b'_' | b':') {
            self.at += 1;
        }
        self.blanks();
        match self.peek() {
            b'(' => self.arguments(depth),
            _ => self.unexpected(b"`(` after the path of a function"),
        }
    }
    const fn arguments(&mut self, depth: usize) {
        self.skip(1);
        if self.peek() == b')' {
            return self.skip(1);
        }
        self.expression(depth + 1);
        while self.peek() == b',' && !self.wrong.is_some() {
            self.skip(1);
            if self.peek() == b')' {
                break;
            }
            self.expression(depth + 1);
        }
        self.close();
    }
    const fn is_known(&self, name: &[u8]) -> bool {
        let mut i = 0;
        while let Some((param, _)) = param(self.signature, i) {
            if equal(param, name) {
                return true;
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.named {
            let (start, end) = self.lets[i];
            if equal(self.text.split_at(end).0.split_at(start).1, name) {
                return true;
            }
            i += 1;
        }
        is_among(name, self.extra) || is_among(name, CONSTANTS)
    }
}

const fn starts_name(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_'
}

const fn is_of_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

const fn is_among(name: &[u8], names: &[&str]) -> bool {
    let mut i = 0;
    while i < names.len() {
        if equal(name, names[i].as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNATURE: &str = "f(x: T, n: i32, ) -> T";

    #[track_caller]
    fn check(text: &str, message: &str) {
        let list = Texts {
            what: "partials",
            texts: &[text, ""],
            extra: &["y"],
            required: true,
        };
        assert_eq!(texts(SIGNATURE, list).text(), message);
    }

    #[test]
    fn expressions_are_read_as_the_host_reads_them() {
        for text in [
            "1 - y * y",
            "select(x < 0, -1e-3, 0x7f) ; a comment",
            "n * powi(x, n - 1)",
            "linalg::dot(x, x) / -(2.5 + pi)",
            "f()",
            "x.0 + y.1",
            " x >= inf ",
            "max(x, 0,)",
            "let z = x * x in let w = z + y in\n from_bits(shl(to_bits(z), 0xff)) + w",
        ] {
            check(text, "");
        }
    }

    #[test]
    fn wrong_texts_are_refused() {
        check(
            "2 * z",
            "partials: `2 * z`: unknown name `z`: expected a parameter, the result, a constant or a function",
        );
        check(
            "(x",
            "partials: `(x`: expected `)`, found the end of the text",
        );
        check(
            "x y",
            "partials: `x y`: expected an operator or the end of the text, found y",
        );
        check(
            "sin(x, ",
            "partials: `sin(x, `: expected an expression, found the end of the text",
        );
        check(
            "2 +",
            "partials: `2 +`: expected an expression, found the end of the text",
        );
        check(
            "std::1",
            "partials: `std::1`: expected a name after `::`, found 1",
        );
        check(
            "",
            "partials: the one of `x` is missing; write \"0\" if the result does not depend on it",
        );
        check(
            "let z = x in w",
            "partials: `let z = x in w`: unknown name `w`: expected a parameter, the result, a constant or a function",
        );
        check(
            "let x = 1 in x",
            "partials: `let x = 1 in x`: `x` has a meaning here already",
        );
        check(
            "let z = x z",
            "partials: `let z = x z`: expected an operator or `in`, found z",
        );
        check(
            "let z x in z",
            "partials: `let z x in z`: expected `=`, found x",
        );
        let long = format!(
            "{} + z + {}",
            vec!["x"; 50].join(" + "),
            vec!["y"; 50].join(" + ")
        );
        check(
            &long,
            "partials: `...+ x + x + x + x + x + x + x + x + x + z + y + y + y + y + y + y + y + y + y + y ...`: \
             unknown name `z`: expected a parameter, the result, a constant or a function",
        );
        let deep = format!("{}x", "(".repeat(120));
        let list = Texts {
            what: "body",
            texts: &[&deep, ""],
            extra: &[],
            required: false,
        };
        assert!(texts(SIGNATURE, list).is_some());
    }

    #[test]
    fn counts_and_names_of_parameters_are_checked() {
        assert_eq!(
            count(SIGNATURE, "sampling ranges", 3).text(),
            "found 03 sampling ranges, expected 02: one for each parameter, in order"
        );
        let with = |signature, is_default, body| {
            row(Row {
                signature,
                is_default,
                body,
                has_expressions: true,
            })
        };
        assert_eq!(
            with("f(x: T, dy: array<T>) -> T", false, "").text(),
            "a parameter cannot be called `dy`: in expressions `y` is the result, `dy` its cotangent and `dx` a tangent"
        );
        assert_eq!(
            with("f(x: T) -> T", true, " ").text(),
            "`context: Default` needs a `body`: without one the minimal context has nothing to derive"
        );
        assert_eq!(with("f(x: T) -> T", true, "x * x").text(), "");
        assert_eq!(
            with("f(x: T) -> T", true, "x * y").text(),
            "body: `x * y`: unknown name `y`: expected a parameter, the result, a constant or a function"
        );
        assert_eq!(
            param(b"f(a: array<(T, T)>, b: (T, T)) -> T", 1),
            Some((&b"b"[..], &b"(T, T)"[..]))
        );
    }
}
