//! The command line and the input: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Read as _, Write};
use std::ops::ControlFlow;

use clap::{Parser, ValueEnum};

use crate::{Error, LARGEST, array, feasible, plain, total};

/// The smallest number of queens that is accepted.
const SMALLEST: u32 = 4;

/// The largest number of queens for which the total is counted.
const LARGEST_WITH_TOTAL: u32 = 20;

/// So many bytes of the first line are read; a number with blanks around it takes fewer.
const LONGEST_LINE: u64 = 100;

/// From this number of queens on, `auto` is `feasible`, which is then faster for three boards and for
/// thousands. Below, both take milliseconds, and `plain` is the simpler one.
const FEASIBLE_FROM: u32 = 27;

/// Prints the first boards of n queens in numerical order, then the number of all boards.
///
/// Reads n, 4 to 20, or to 40 with `--no-total`, from the first line of standard input. A board is
/// one line: the column of the queen of each row, counted from 1. If there are fewer boards than
/// asked for, all are printed.
#[derive(Parser)]
#[command(name = "first-three", version, no_binary_name = true)]
#[command(allow_negative_numbers = true)]
struct CommandLine {
    /// How many boards to print
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: u64,

    /// Do not count all boards; n may then be up to 40: 34 takes seconds, 36 half a minute, 40 much longer
    #[arg(long)]
    no_total: bool,

    /// How to search for the boards
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,
}

/// How to search for the boards; the boards are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Row by row, lowest column first
    Plain,
    /// The same, but a queen stays only if a second search finds a board that begins so
    Feasible,
    /// Row by row with arrays of flags, the total counted by the same search: the method that the task teaches
    Array,
    /// `plain` for n below 27, `feasible` from there on
    Auto,
}

/// Runs the command line of this program: `arguments` without the program name.
///
/// One line of the input is read. The boards are flushed before the total is counted; where the
/// search for them takes long, each is flushed as soon as it is found.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(help) if !help.use_stderr() => {
            return write!(output, "{help}")
                .and_then(|()| output.flush())
                .map_err(Error::Output);
        }
        Err(mistake) => return Err(Error::Usage(mistake)),
    };

    let n = read_n(input)?;
    if n > LARGEST_WITH_TOTAL && !command_line.no_total {
        return Err(Error::TooManyToCount { n });
    }
    answer(n, &command_line, output).map_err(Error::Output)
}

/// Reads the number of queens from the first line, or from its beginning if it is far too long.
fn read_n(input: &mut dyn BufRead) -> Result<u32, Error> {
    let mut line = Vec::new();
    input
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut line)
        .map_err(Error::Input)?;
    let line = String::from_utf8_lossy(&line);
    let found = line.trim();
    match found.parse() {
        Ok(n) if (SMALLEST..=LARGEST).contains(&n) && (line.len() as u64) < LONGEST_LINE => Ok(n),
        _ => Err(Error::NotABoard {
            found: found.to_owned(),
        }),
    }
}

fn answer(n: u32, command_line: &CommandLine, output: &mut dyn Write) -> io::Result<()> {
    if command_line.method == Method::Array && !command_line.no_total {
        return answer_by_array(n, command_line.limit, output);
    }
    print_boards(n, command_line, output)?;
    output.flush()?;
    if !command_line.no_total {
        writeln!(output, "{}", total::number_of_solutions(n))?;
        output.flush()?;
    }
    Ok(())
}

/// One search that shows the first boards and goes on to count all.
fn answer_by_array(n: u32, limit: u64, output: &mut dyn Write) -> io::Result<()> {
    let mut total = 0;
    let end = array::visit_solutions(n, &mut |board| {
        total += 1;
        if total <= limit
            && let Err(error) = print_board(board, output)
        {
            return ControlFlow::Break(error);
        }
        ControlFlow::Continue(())
    });
    if let ControlFlow::Break(error) = end {
        return Err(error);
    }
    writeln!(output, "{total}")?;
    output.flush()
}

fn print_boards(n: u32, command_line: &CommandLine, output: &mut dyn Write) -> io::Result<()> {
    let mut wanted = command_line.limit;
    if wanted == 0 {
        return Ok(());
    }
    let mut print = |board: &[u32]| {
        if let Err(error) = print_board(board, output) {
            return ControlFlow::Break(Err(error));
        }
        wanted -= 1;
        if wanted == 0 {
            ControlFlow::Break(Ok(()))
        } else {
            ControlFlow::Continue(())
        }
    };
    let end = match command_line.method {
        Method::Auto if n < FEASIBLE_FROM => plain::visit_solutions(n, &mut print),
        Method::Array => array::visit_solutions(n, &mut print),
        Method::Plain => plain::visit_solutions(n, &mut print),
        Method::Auto | Method::Feasible => feasible::visit_solutions(n, &mut print),
    };
    match end {
        ControlFlow::Break(printed) => printed,
        // There are fewer boards than wanted.
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// Prints one board, and on a large one makes it appear at once: the next may take minutes.
fn print_board(board: &[u32], output: &mut dyn Write) -> io::Result<()> {
    let columns: Vec<String> = board.iter().map(u32::to_string).collect();
    writeln!(output, "{}", columns.join(" "))?;
    if board.len() > LARGEST_WITH_TOTAL as usize {
        output.flush()?;
    }
    Ok(())
}
