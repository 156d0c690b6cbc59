//! What the mutants have in common: reading numbers, and why there is no answer.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::ops::RangeInclusive;

/// Why a mutant gives no answer; the text is what it prints.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are not plain numbers.
    #[error("expected plain numbers as arguments, found `{found}`")]
    NotNumbers {
        /// The first argument that is none.
        found: String,
    },
    /// There are too many or too few arguments.
    #[error("expected {expected} arguments, found {found}")]
    Arguments {
        /// How many the task has.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A number, or a line of the input, is not what the reference takes.
    #[error("expected a question of this task, found `{found}`")]
    NotAQuestion {
        /// What was found.
        found: String,
    },
    /// The input could not be read, or is not text.
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
}

impl Error {
    /// The exit status of the program: 2 where it does not take what it was given, 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::NotNumbers { .. } | Self::Arguments { .. } | Self::NotAQuestion { .. } => 2,
            Self::Input(_) | Self::Output(_) => 1,
        }
    }
}

/// What a mutant is given.
pub(crate) struct Question<'a> {
    arguments: Vec<u64>,
    input: &'a mut dyn BufRead,
}

impl<'a> Question<'a> {
    pub(crate) fn new(
        arguments: impl IntoIterator<Item = OsString>,
        input: &'a mut dyn BufRead,
    ) -> Result<Self, Error> {
        let number = |argument: OsString| {
            let text = argument.to_string_lossy();
            text.parse().map_err(|_| Error::NotNumbers {
                found: text.escape_debug().to_string(),
            })
        };
        Ok(Self {
            arguments: arguments
                .into_iter()
                .map(number)
                .collect::<Result<_, _>>()?,
            input,
        })
    }

    /// The arguments, which must be so many.
    pub(crate) fn numbers<const N: usize>(&self) -> Result<[u64; N], Error> {
        let arguments = self.arguments.as_slice();
        arguments.try_into().map_err(|_| Error::Arguments {
            expected: N,
            found: arguments.len(),
        })
    }

    /// The one argument, within the range of the task.
    pub(crate) fn n(&self, range: RangeInclusive<u32>) -> Result<u32, Error> {
        let [n] = self.numbers()?;
        within(n, range)
    }

    /// The whole input; there must be no arguments.
    pub(crate) fn text(&mut self) -> Result<String, Error> {
        let [] = self.numbers()?;
        let mut text = String::new();
        self.input.read_to_string(&mut text).map_err(Error::Input)?;
        Ok(text)
    }
}

/// The number, if it is within the range of the task.
pub(crate) fn within(n: u64, range: RangeInclusive<u32>) -> Result<u32, Error> {
    u32::try_from(n)
        .ok()
        .filter(|n| range.contains(n))
        .ok_or_else(|| Error::NotAQuestion {
            found: n.to_string(),
        })
}

/// Writes one line.
pub(crate) fn line(output: &mut dyn Write, text: &str) -> Result<(), Error> {
    writeln!(output, "{text}").map_err(Error::Output)
}

/// Writes numbers on one line, with blanks between them.
pub(crate) fn row<T: ToString>(
    output: &mut dyn Write,
    numbers: impl IntoIterator<Item = T>,
) -> Result<(), Error> {
    let numbers: Vec<String> = numbers
        .into_iter()
        .map(|number| number.to_string())
        .collect();
    line(output, &numbers.join(" "))
}
