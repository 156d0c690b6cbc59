//! Mutants: the model answers once more, each with one mistake that students make.
//!
//! They are the tests of the tests. A mutant takes the command line and the input of the reference of its task, and
//! prints something wrong for at least one of them. Where every case of a problem passes a mutant of its reference,
//! the cases do not tell a right program from a wrong one.
//!
//! Every mutant is a small program of its own, close to the reference in its plainest method and changed in one
//! place, which a comment beside it names. It always ends, so that what is wrong about it is what it prints.

mod annealing;
mod binomial_parity;
mod board;
mod columns;
mod count;
mod eight_queens;
mod first_three;
mod gray_code;
mod gray_grid;
mod hanoi;
mod masks;
mod polynomial;
mod program;
mod queens_table;

use std::ffi::OsString;
use std::io::{BufRead, Write};

pub use program::Error;
use program::Question;

/// What a mutant does with what it is given.
type Answer = fn(&mut Question<'_>, &mut dyn Write) -> Result<(), Error>;

/// A program like a reference, with one mistake.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// Its name among the mutants of its task: `one-diagonal-forgotten`.
    pub name: &'static str,
    /// What is wrong about it, in English: a clause such as `forgets one direction of diagonals`.
    pub en: &'static str,
    /// The same in Chinese.
    pub zh: &'static str,
    answer: Answer,
}

impl Mutant {
    const fn new(name: &'static str, en: &'static str, zh: &'static str, answer: Answer) -> Self {
        Self {
            name,
            en,
            zh,
            answer,
        }
    }

    /// Runs the mutant: `arguments` without the program name.
    ///
    /// It knows no options: an argument that is no number, or one too many or too few, is an error with exit
    /// status 2, as is a question outside the reference's range that would not end.
    pub fn run(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), Error> {
        (self.answer)(&mut Question::new(arguments, input)?, output)?;
        output.flush().map_err(Error::Output)
    }
}

/// The mutants of a reference by the name of its task, such as `count`; none for a task that is not known.
pub fn of(task: &str) -> &'static [Mutant] {
    match task {
        "annealing" => annealing::MUTANTS,
        "binomial-parity" => binomial_parity::MUTANTS,
        "board" => board::MUTANTS,
        "count" => count::MUTANTS,
        "eight-queens" => eight_queens::MUTANTS,
        "first-three" => first_three::MUTANTS,
        "gray-code" => gray_code::MUTANTS,
        "gray-grid" => gray_grid::MUTANTS,
        "hanoi" => hanoi::MUTANTS,
        "polynomial" => polynomial::MUTANTS,
        "queens-table" => queens_table::MUTANTS,
        _ => &[],
    }
}

/// One mutant of a task, by its name.
pub fn find(task: &str, name: &str) -> Option<&'static Mutant> {
    of(task).iter().find(|mutant| mutant.name == name)
}
