//! The words of the text format, and a cursor over them. The grammars are in `parse` and `expr`.

use super::parse::ParseError;
use super::print::is_symbol_char;
use super::*;

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// `add`, `b0`, `f64`
    Word(String),
    /// `%name`
    Value(String),
    /// `@name`
    Symbol(String),
    /// `12`, `0.5`, `1e-3`, `0x7f`
    Number(String),
    /// `"text"`
    Text(String),
    /// `->`, `<=`, `==`, … and single characters
    Mark(&'static str),
    /// The end of the text.
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(text) | Token::Number(text) => write!(f, "`{text}`"),
            Token::Value(text) => write!(f, "`%{text}`"),
            Token::Symbol(text) => write!(f, "`@{text}`"),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::Mark(text) => write!(f, "`{text}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Line and column, from 1.
pub type Position = (u32, u32);

/// Two characters first, so that they win.
const MARKS: &[&str] = &[
    "->", "<=", ">=", "==", "!=", "(", ")", "{", "}", "[", "]", "<", ">", ",", ":", "=", "+", "-",
    "*", "/", "%", ".", "?",
];

/// Splits a text into words with their places; the last is `End`.
pub fn tokens(text: &str) -> Result<Vec<(Token, Position)>, ParseError> {
    let mut lexer = Lexer {
        rest: text,
        position: (1, 1),
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let position = lexer.position;
        let token = lexer.token()?;
        let done = token == Token::End;
        tokens.push((token, position));
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    position: Position,
}

impl<'a> Lexer<'a> {
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            self.position = match c {
                '\n' => (self.position.0 + 1, 1),
                _ => (self.position.0, self.position.1 + 1),
            };
        }
        self.rest = rest;
        taken
    }
    fn take_while(&mut self, mut keep: impl FnMut(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        self.advance(end)
    }
    /// White space, and comments: from `;` to the end of the line.
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            match self.rest.starts_with(';') {
                true => self.take_while(|c| c != '\n'),
                false => return,
            };
        }
    }
    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError {
            line: self.position.0,
            column: self.position.1,
            message: message.into(),
        })
    }
    fn token(&mut self) -> Result<Token, ParseError> {
        let mut chars = self.rest.chars();
        let (first, second) = (chars.next(), chars.next());
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match first {
            None => Ok(Token::End),
            Some('@') => self.symbol(),
            Some('%') if second.is_some_and(is_word) => {
                self.advance(1);
                Ok(Token::Value(self.take_while(is_word).to_owned()))
            }
            Some('"') => Ok(Token::Text(self.text()?)),
            Some(c) if c.is_ascii_digit() => Ok(Token::Number(self.number())),
            Some(c) if is_word(c) => Ok(Token::Word(self.take_while(is_word).to_owned())),
            Some(c) => match MARKS.iter().find(|mark| self.rest.starts_with(**mark)) {
                Some(mark) => {
                    self.advance(mark.len());
                    Ok(Token::Mark(mark))
                }
                None => self.error(format!("unexpected character {c:?}")),
            },
        }
    }
    fn symbol(&mut self) -> Result<Token, ParseError> {
        self.advance(1);
        let name = match self.rest.starts_with('"') {
            true => self.text()?,
            false => self.take_while(is_symbol_char).to_owned(),
        };
        match name.is_empty() && !self.rest.starts_with('"') {
            true => self.error("expected a name after `@`"),
            false => Ok(Token::Symbol(name)),
        }
    }
    /// Digits, letters, one point followed by a digit, and the sign of an exponent. What the number means, and whether
    /// it means anything, is for the parser to say.
    fn number(&mut self) -> String {
        let hexadecimal = self.rest.starts_with("0x");
        let bytes = self.rest.as_bytes();
        let mut point = hexadecimal;
        let mut end = 0;
        while let Some(&c) = bytes.get(end) {
            let exponent = !hexadecimal && end > 0 && matches!(bytes[end - 1], b'e' | b'E');
            match c {
                b'.' if !point && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) => {
                    point = true
                }
                b'+' | b'-' if exponent => {}
                c if c.is_ascii_alphanumeric() || c == b'_' => {}
                _ => break,
            }
            end += 1;
        }
        self.advance(end).to_owned()
    }
    /// A text in quotes, with the escapes of Rust's `{:?}`.
    fn text(&mut self) -> Result<String, ParseError> {
        self.advance(1);
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|c| c != '"' && c != '\\'));
            if self.rest.is_empty() {
                return self.error("a text without closing quote");
            }
            if self.advance(1) == "\"" {
                return Ok(text);
            }
            text.push(self.escape()?);
        }
    }
    fn escape(&mut self) -> Result<char, ParseError> {
        let Some(c) = self.rest.chars().next() else {
            return self.error("a text without closing quote");
        };
        self.advance(c.len_utf8());
        match c {
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            '0' => Ok('\0'),
            '"' | '\'' | '\\' => Ok(c),
            'u' if self.rest.starts_with('{') => {
                self.advance(1);
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                let found = u32::from_str_radix(digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                match (found, self.rest.starts_with('}')) {
                    (Some(c), true) => {
                        self.advance(1);
                        Ok(c)
                    }
                    _ => self.error("expected a character's number in braces after `\\u`"),
                }
            }
            _ => self.error(format!("unknown escape {c:?}")),
        }
    }
}

/// Where a parser is in a text.
pub struct Cursor {
    tokens: Vec<(Token, Position)>,
    next: usize,
}

impl Cursor {
    /// At the beginning.
    pub fn new(text: &str) -> Result<Cursor, ParseError> {
        Ok(Cursor {
            tokens: tokens(text)?,
            next: 0,
        })
    }
    /// The next word.
    pub fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }
    /// The word after the next.
    pub fn peek_second(&self) -> &Token {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].0
    }
    /// Where the next word stands.
    pub fn position(&self) -> Position {
        self.tokens[self.next].1
    }
    /// Takes the next word. The end is never passed.
    pub fn take(&mut self) -> Token {
        let token = self.peek().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }
    /// Takes the mark if it is next.
    pub fn accept(&mut self, mark: &str) -> bool {
        let found = matches!(self.peek(), Token::Mark(m) if *m == mark);
        if found {
            self.take();
        }
        found
    }
    /// Takes the word if it is next.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        if found {
            self.take();
        }
        found
    }
    /// Consumes the mark, or reports the token that is there instead.
    pub fn expect(&mut self, mark: &str) -> Result<(), ParseError> {
        match self.accept(mark) {
            true => Ok(()),
            false => self.unexpected(&format!("`{mark}`")),
        }
    }
    /// An error at the next word.
    pub fn unexpected<T>(&self, expected: &str) -> Result<T, ParseError> {
        error(
            self.position(),
            format!("expected {expected}, found {}", self.peek()),
        )
    }
    /// `item, item)`: the items after an opening parenthesis, up to the closing one.
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Cursor) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = Vec::new();
        while !self.accept(")") {
            if !items.is_empty() {
                self.expect(",")?;
                // `(a,)` is a tuple of one.
                if self.accept(")") {
                    break;
                }
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
    /// A type.
    pub fn ty(&mut self) -> Result<Type, ParseError> {
        self.nested_type(0)
    }
    fn nested_type(&mut self, depth: usize) -> Result<Type, ParseError> {
        if depth > 32 {
            return error(self.position(), "types nest deeper than 32");
        }
        if self.accept("(") {
            let fields = self.list(|cursor| cursor.nested_type(depth + 1))?;
            return Ok(Type::tuple(&fields));
        }
        if self.accept("[") {
            let mutable = self.accept_word("mut");
            let element = self.nested_type(depth + 1)?;
            self.expect("]")?;
            return Ok(if mutable {
                Type::slice_mut(element)
            } else {
                Type::slice(element)
            });
        }
        if self.accept("?") {
            let position = self.position();
            return match self.take() {
                Token::Number(n) => match n.parse() {
                    Ok(n) => Ok(Type::Infer(n)),
                    Err(_) => error(position, format!("expected a number, found `{n}`")),
                },
                other => error(position, format!("expected a number, found {other}")),
            };
        }
        let position = self.position();
        let Token::Word(name) = self.take() else {
            return error(
                position,
                format!("expected a type, found {}", self.tokens[self.next - 1].0),
            );
        };
        if name == "array" {
            self.expect("<")?;
            let element = self.nested_type(depth + 1)?;
            self.expect(">")?;
            return Ok(Type::array(element));
        }
        match NAMED_TYPES.iter().find(|ty| ty.to_string() == name) {
            Some(&ty) => Ok(ty),
            None => error(position, format!("unknown type `{name}`")),
        }
    }
}

const NAMED_TYPES: &[Type] = &[
    Type::F64,
    Type::F32,
    Type::F16,
    Type::F64x2,
    Type::F32x4,
    Type::Usize,
    Type::Bool,
    Type::I32,
    Type::I8,
    Type::I16,
    Type::I64,
    Type::Isize,
    Type::U8,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::Ptr,
    Type::Addr,
];

/// An error at a place.
pub fn error<T>((line, column): Position, message: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError {
        line,
        column,
        message: message.into(),
    })
}
