//! Checktestdata, the language for input validators of `DOMjudge`.
//!
//! The language: <https://github.com/DOMjudge/checktestdata/blob/main/doc/format-spec.md>. Where that leaves a choice,
//! the decision is that of [`pyctd`](https://pypi.org/project/checktestdata/), which `BAPCtools` uses. It differs in one
//! case: `(-x) ^ 2` is the square of `-x` here, and `-(x ^ 2)` there.
//!
//! A program comes from the author of a problem, who may have copied it: it runs in bounded time and memory, whatever it
//! says. Past a bound, it has not decided.

mod pattern;
mod reader;
mod run;
mod token;
mod value;
mod variables;

pub use crate::reader::Rejection;
use crate::run::Run;
pub use crate::token::Mistake;
use crate::token::Script;

/// A program of the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Program(Script);

impl Program {
    /// Parses a program of at most 1 MiB.
    pub fn parse(source: &[u8]) -> Result<Self, Mistake> {
        let script = Script::new(source)?;
        let read = Run::new(&script, None).run();
        read.map(|_| Self(script))
    }

    /// Whether an input satisfies the program, and if not, why.
    pub fn check(&self, input: &[u8]) -> Result<Result<(), Rejection>, Mistake> {
        Run::new(&self.0, Some(input)).run()
    }
}
