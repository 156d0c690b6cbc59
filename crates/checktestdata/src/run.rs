//! Reads a program from its tokens, and runs it at the same time.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::Signed;

use crate::reader::{Done, Reader, Rejection, Stop, mistake};
use crate::token::{Mistake, Script, Token};
use crate::value::Value::{self, Integer, Real, Text, Truth};
use crate::value::binary;
use crate::variables::{Place, Variables};

/// Bound on blocks and expressions in each other.
const MAX_DEPTH: usize = 150;

pub(crate) struct Run<'a> {
    script: &'a Script,
    /// The next token.
    at: usize,
    /// Whether commands are done. Otherwise, they are only read.
    is_live: bool,
    reader: Reader<'a>,
    depth: usize,
    variables: Variables,
}

impl<'a> Run<'a> {
    /// Without an input, the program is only read.
    pub(crate) fn new(script: &'a Script, input: Option<&'a [u8]>) -> Self {
        Self {
            script,
            at: 0,
            is_live: input.is_some(),
            reader: Reader::new(input.unwrap_or_default()),
            depth: 0,
            variables: Variables::new(script.names.len()),
        }
    }

    /// Runs the whole program.
    pub(crate) fn run(mut self) -> Result<Result<(), Rejection>, Mistake> {
        let done = self.commands().and_then(|()| match self.peek() {
            Token::End if !self.is_live => Ok(()),
            Token::End => self.reader.eof(),
            _ => self.expected("a command"),
        });
        match done {
            Ok(()) => Ok(Ok(())),
            Err(Stop::Rejected(at, message)) => {
                let lines: Vec<_> = self.reader.input[..at].split(|it| *it == b'\n').collect();
                Ok(Err(Rejection {
                    line: lines.len(),
                    column: lines.last().map_or(0, |it| it.len()) + 1,
                    message,
                }))
            }
            Err(Stop::Mistake(message)) => {
                let line = self.script.tokens[self.at.saturating_sub(1)].1;
                Err(Mistake { line, message })
            }
        }
    }

    fn peek(&self) -> &'a Token {
        &self.script.tokens[self.at].0
    }

    fn next(&mut self) -> Done<&'a Token> {
        let token = self.peek();
        self.at += usize::from(*token != Token::End);
        self.reader.spend(1).map(|()| token)
    }

    fn expected<T>(&mut self, what: &str) -> Done<T> {
        let found = match self.next()? {
            Token::Word(word) => format!("`{word}`"),
            Token::Name(name) => format!("`{}`", self.script.names[*name]),
            Token::Value(value) => value.shown(),
            Token::End => "the end of the file".to_owned(),
        };
        mistake(format!("expected {what}, found {found}"))
    }

    fn has(&mut self, word: &str) -> bool {
        let has = matches!(self.peek(), Token::Word(it) if *it == word);
        self.at += usize::from(has);
        has
    }

    fn expect(&mut self, word: &str) -> Done<()> {
        if self.has(word) {
            return Ok(());
        }
        self.expected(&format!("`{word}`"))
    }

    /// One level deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        if self.depth == MAX_DEPTH {
            return mistake(format!("it is nested more than {MAX_DEPTH} times"));
        }
        self.depth += 1;
        let done = inner(self)?;
        self.depth -= 1;
        Ok(done)
    }

    /// The commands up to `ELSE`, `END` or the end.
    fn commands(&mut self) -> Done<()> {
        while !matches!(self.peek(), Token::End | Token::Word("ELSE" | "END")) {
            self.deeper(|it| it.command(false))?;
        }
        Ok(())
    }

    fn command(&mut self, is_separator: bool) -> Done<()> {
        let Token::Word(word) = self.peek() else {
            return self.expected("a command");
        };
        match *word {
            "SPACE" | "NEWLINE" | "EOF" => {
                self.next()?;
                return match *word {
                    _ if !self.is_live => Ok(()),
                    "SPACE" => self.reader.literal(b" "),
                    "NEWLINE" => self.reader.literal(b"\n"),
                    _ => self.reader.eof(),
                };
            }
            "REP" | "REPI" | "WHILE" | "WHILEI" | "IF" if is_separator => {
                return self.expected("a command that is not a block");
            }
            "REP" | "REPI" | "WHILE" | "WHILEI" => return self.repeat(word),
            "IF" => return self.branch(),
            "INT" | "FLOAT" | "FLOATP" | "STRING" | "REGEX" | "ASSERT" | "SET" | "UNSET" => {}
            _ => return self.expected("a command"),
        }
        self.next()?;
        self.expect("(")?;
        match *word {
            "STRING" => {
                let text = self.text()?;
                if self.is_live {
                    self.reader.literal(&text)?;
                }
            }
            "REGEX" => {
                let source = self.text()?;
                let target = self.target()?;
                if self.is_live {
                    let found = self.reader.regex(&source)?;
                    self.assign(target.as_ref(), Text(found.into()))?;
                } else {
                    // A wrong one is a mistake in the program.
                    self.reader.find(&source, Some(b""))?;
                }
            }
            "ASSERT" => {
                if !self.test()? && self.is_live {
                    let line = self.script.tokens[self.at].1;
                    let message = format!("the `ASSERT` in line {line} of the validator fails");
                    return Err(Stop::Rejected(self.reader.read, message));
                }
            }
            "SET" => loop {
                let place = self.place()?;
                self.expect("=")?;
                let value = self.value()?;
                self.assign(Some(&place), value)?;
                if !self.has(",") {
                    break;
                }
            },
            "UNSET" => {
                for name in self.names()?.into_iter().filter(|_| self.is_live) {
                    self.variables.unset(name);
                }
            }
            _ => self.number(word)?,
        }
        self.expect(")")
    }

    /// `REP`, `REPI`, `WHILE`, `WHILEI`. At last, when no round is left, the block is only read.
    fn repeat(&mut self, word: &str) -> Done<()> {
        self.next()?;
        self.expect("(")?;
        let (mut index, mut count) = (None, None);
        if word.ends_with('I') {
            index = Some(self.place()?);
            self.expect(",")?;
        }
        if word.starts_with("REP") {
            count = Some(match self.value()? {
                Integer(count) => count,
                other => return mistake(format!("expected an integer, found {}", other.shown())),
            });
        }
        let (head, was_live, mut round) = (self.at, self.is_live, BigInt::ZERO);
        loop {
            self.reader.spend(1)?;
            let last = count.as_ref().filter(|count| round >= **count);
            self.assign(index.as_ref(), Integer(last.unwrap_or(&round).clone()))?;
            let is_last = last.is_some();
            self.at = head;
            let goes_on = count.is_some() || self.test()?;
            let is_live = was_live && goes_on && !is_last;
            self.is_live = is_live && round.is_positive();
            if self.has(",") {
                self.command(true)?;
            }
            self.expect(")")?;
            self.is_live = is_live;
            self.commands()?;
            self.expect("END")?;
            self.is_live = was_live;
            if !is_live {
                return Ok(());
            }
            round += 1;
        }
    }

    fn branch(&mut self) -> Done<()> {
        self.next()?;
        self.expect("(")?;
        let (was_live, is_true) = (self.is_live, self.test()?);
        self.expect(")")?;
        self.is_live = was_live && is_true;
        self.commands()?;
        if self.has("ELSE") {
            self.is_live = was_live && !is_true;
            self.commands()?;
        }
        self.is_live = was_live;
        self.expect("END")
    }

    /// `INT`, `FLOAT`, `FLOATP`.
    fn number(&mut self, word: &str) -> Done<()> {
        let [least, most] = self.range()?;
        let mut decimals = None;
        if word == "FLOATP" {
            self.expect(",")?;
            decimals = Some(self.range()?);
        }
        let target = self.target()?;
        let mut notation = "";
        if word != "INT" && target.is_some() && self.has(",") {
            notation = match self.next()? {
                Token::Word(it @ ("FIXED" | "SCIENTIFIC")) => it,
                _ => return mistake("expected `FIXED` or `SCIENTIFIC`"),
            };
        }
        if !self.is_live {
            return Ok(());
        }
        let (start, from, to) = (self.reader.read, least.shown(), most.shown());
        let value = match (&least, &most) {
            (Integer(_), Integer(_)) if word == "INT" => self.reader.integer()?.map(Integer),
            (Integer(_) | Real(_), Integer(_) | Real(_)) if word != "INT" => {
                self.reader.real(notation, decimals.as_ref())?.map(Real)
            }
            _ => return mistake(format!("`{word}` cannot read from {from} to {to}")),
        };
        if let Some(value) = value {
            self.reader.spend(
                value
                    .cost(&least, true)
                    .saturating_add(value.cost(&most, true)),
            )?;
            let (low, high) = (value.order(&least), value.order(&most));
            if low >= Some(Ordering::Equal) && high <= Some(Ordering::Equal) {
                return self.assign(target.as_ref(), value);
            }
        }
        let kind = if word == "INT" {
            "an integer"
        } else {
            "a real number"
        };
        let decimals =
            decimals.map(|[from, to]| format!(" with {} to {} decimals", from.shown(), to.shown()));
        let notation = if notation.is_empty() {
            ""
        } else {
            &format!(" ({notation})")
        };
        self.reader.reject(
            start,
            &format!(
                "{kind} from {from} to {to}{}{notation}",
                decimals.unwrap_or_default()
            ),
        )
    }

    fn range(&mut self) -> Done<[Value; 2]> {
        let first = self.value()?;
        self.expect(",")?;
        Ok([first, self.value()?])
    }

    fn target(&mut self) -> Done<Option<Place>> {
        let has = self.has(",");
        has.then(|| self.place()).transpose()
    }

    fn name(&mut self) -> Done<usize> {
        match self.peek() {
            Token::Name(name) => self.next().map(|_| *name),
            _ => self.expected("the name of a variable"),
        }
    }

    fn names(&mut self) -> Done<Vec<usize>> {
        let mut names = vec![self.name()?];
        while self.has(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    fn place(&mut self) -> Done<Place> {
        let (name, mut index) = (self.name()?, Vec::new());
        if self.has("[") {
            index.push(self.value()?);
            while self.has(",") {
                index.push(self.value()?);
            }
            self.expect("]")?;
        }
        let can_be_set = index.iter().all(|it| matches!(it, Integer(_)));
        let index = index.into_iter().map(Value::key).collect();
        Ok(Place {
            name,
            index,
            can_be_set,
        })
    }

    fn assign(&mut self, place: Option<&Place>, value: Value) -> Done<()> {
        let Some(place) = place.filter(|_| self.is_live) else {
            return Ok(());
        };
        self.reader.spend(value.words())?;
        self.variables.assign(place, value)
    }

    /// A value, a variable or the length of a string.
    fn operand(&mut self) -> Done<Value> {
        let value = match self.peek() {
            Token::Value(value) => self.next().map(|_| value.clone())?,
            Token::Word("STRLEN") => {
                self.next()?;
                self.expect("(")?;
                let text = self.text()?;
                self.expect(")")?;
                Integer(text.len().into())
            }
            Token::Name(_) => {
                let place = self.place()?;
                match self.variables.get(&place) {
                    Some(value) => value.clone(),
                    None if !self.is_live => Integer(BigInt::ZERO),
                    None => {
                        let index: Vec<_> = place.index.iter().map(Value::shown).collect();
                        let name = &self.script.names[place.name];
                        return mistake(format!("`{name}[{}]` has no value", index.join(", ")));
                    }
                }
            }
            _ => return self.expected("a value"),
        };
        self.reader.spend(value.words())?;
        Ok(value)
    }

    fn text(&mut self) -> Done<Arc<[u8]>> {
        match self.deeper(Self::operand)? {
            Text(text) => Ok(text),
            _ if !self.is_live => Ok(Arc::default()),
            other => mistake(format!("expected a string, found {}", other.shown())),
        }
    }

    fn value(&mut self) -> Done<Value> {
        match self.operators(0, false)? {
            Truth(_) => mistake("expected a value, found a test"),
            value => Ok(value),
        }
    }

    fn test(&mut self) -> Done<bool> {
        truth(&self.operators(0, true)?)
    }

    /// The longest expression whose operators bind at least so tightly.
    fn operators(&mut self, least: u8, has_tests: bool) -> Done<Value> {
        let mut left = self.deeper(|it| it.first(has_tests))?;
        while let Token::Word(operator) = self.peek()
            && let Some(strength) = strength(operator).filter(|it| *it >= least)
        {
            self.next()?;
            let was_live = self.is_live;
            if strength <= AND {
                let (left_truth, is_and) = (truth(&left)?, strength == AND);
                self.is_live &= left_truth == is_and;
                let right = self.deeper(|it| it.operators(strength + 1, has_tests))?;
                let right = truth(&right)?;
                self.is_live = was_live;
                left = Truth(if is_and {
                    left_truth && right
                } else {
                    left_truth || right
                });
                continue;
            }
            let right = self.deeper(|it| it.operators(strength + 1, has_tests))?;
            if matches!(left, Truth(_)) || matches!(right, Truth(_)) {
                return mistake(format!("`{operator}` is for values, not for tests"));
            }
            left = if self.is_live {
                self.reader.spend(left.cost(&right, strength == COMPARE))?;
                binary(&left, operator, &right).map_err(Stop::Mistake)?
            } else if strength == COMPARE {
                Truth(false)
            } else {
                Integer(BigInt::ZERO)
            };
        }
        Ok(left)
    }

    /// What comes before the first operator of two operands.
    fn first(&mut self, has_tests: bool) -> Done<Value> {
        let Token::Word(word) = self.peek() else {
            return self.operand();
        };
        let is_test = matches!(*word, "!" | "ISEOF" | "MATCH" | "UNIQUE" | "INARRAY");
        if !(matches!(*word, "(" | "-") || (is_test && has_tests)) {
            return self.operand();
        }
        self.next()?;
        match *word {
            "-" => {
                return match self.operators(NEGATIVE, has_tests)? {
                    Integer(number) => Ok(Integer(-number)),
                    Real(number) => Ok(Real(-number)),
                    other => mistake(format!("expected a number, found {}", other.shown())),
                };
            }
            "!" => {
                let inner = self.operators(NOT, has_tests)?;
                return truth(&inner).map(|it| Truth(!it));
            }
            "ISEOF" => return Ok(Truth(self.reader.read == self.reader.input.len())),
            "(" => {}
            _ => self.expect("(")?,
        }
        let value = match *word {
            "(" => self.operators(0, has_tests)?,
            "MATCH" => {
                let text = self.text()?;
                let next = self.reader.input.get(self.reader.read);
                Truth(next.is_some_and(|it| text.contains(it)))
            }
            "UNIQUE" => {
                let names = self.names()?;
                let words = names.iter().map(|name| self.variables.words(*name));
                self.reader.spend(words.sum())?;
                match self.variables.is_unique(&names) {
                    Some(is_unique) => Truth(is_unique),
                    None if !self.is_live => Truth(false),
                    None => {
                        let message = "variables of `UNIQUE` have different indices".to_owned();
                        return Err(Stop::Rejected(self.reader.read, message));
                    }
                }
            }
            _ => {
                let value = self.value()?.key();
                self.expect(",")?;
                let name = self.name()?;
                self.reader.spend(value.words())?;
                Truth(self.is_live && self.variables.is_in(&value, name)?)
            }
        };
        self.expect(")")?;
        Ok(value)
    }
}

fn truth(value: &Value) -> Done<bool> {
    match value {
        Truth(it) => Ok(*it),
        _ => mistake("expected a test such as `a < b`, found a value"),
    }
}

const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARE: u8 = 4;
const NEGATIVE: u8 = 7;

/// How tightly an operator of two operands binds.
fn strength(operator: &str) -> Option<u8> {
    match operator {
        "||" => Some(1),
        "&&" => Some(AND),
        "<" | ">" | "<=" | ">=" | "!=" | "==" => Some(COMPARE),
        "+" | "-" => Some(5),
        "*" | "/" | "%" => Some(6),
        "^" => Some(8),
        _ => None,
    }
}
