//! The command line: what is accepted, and what is printed.

mod arguments;
mod attendant;
mod counting;
mod interrupt;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use clap::Parser as _;

use crate::table::{Layout, Row, read_published};
use crate::{Error, fundamental};
use arguments::{CommandLine, TableArguments, Verb};

/// Runs the command line of this program: `arguments` without the program name.
///
/// The input is not read. What is not the answer, as the progress of a long count, goes to the
/// standard error of the process. A count that keeps a checkpoint or shows its progress heeds
/// Ctrl-C, if the process has no handler for it yet. The caller must not hold the lock of standard
/// error meanwhile: what is said there comes from other threads too, which would wait for ever.
///
/// # Panics
///
/// If a method counts wrong in a way that can be noticed.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
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
    match command_line {
        CommandLine {
            verb: Some(Verb::Table(table)),
            ..
        } => print_table(&table, output),
        CommandLine {
            n: Some(n),
            way,
            fundamental,
            checkpoint,
            ..
        } => {
            let all = counting::all(n, &way.way()?, Some(&checkpoint))?;
            let solutions = if fundamental {
                fundamental::from_all(n, all)
            } else {
                all
            };
            print_line(&solutions.to_string(), output)
        }
        CommandLine {
            n: None,
            verb: None,
            ..
        } => {
            unreachable!("the number of queens is required where there is no subcommand")
        }
    }
}

/// Prints the table row by row, each as soon as it is counted.
fn print_table(arguments: &TableArguments, output: &mut dyn Write) -> Result<(), Error> {
    let TableArguments { rows, way, verify } = arguments;
    let way = way.way()?;
    if let Some(method) = way.method
        && *rows.start() < method.least()
    {
        return Err(Error::TooFew {
            method,
            n: *rows.start(),
        });
    }
    let known = match verify {
        Some(path) => Some((path.clone(), read(path, rows.clone())?)),
        None => None,
    };

    let mut layout = Layout::new(*rows.end());
    print_line(&layout.header(), output)?;
    for (index, n) in rows.clone().enumerate() {
        let all = counting::all(n, &way, None)?;
        let computed = Row {
            n,
            fundamental: fundamental::from_all(n, all),
            all,
        };
        print_line(&layout.line(computed), output)?;
        if let Some((path, published)) = &known
            && published[index] != computed
        {
            return Err(Error::Different {
                computed,
                published: published[index],
                path: path.to_owned(),
            });
        }
    }
    if let Some((path, published)) = known {
        // That all rows are right, the status says too.
        _ = writeln!(
            io::stderr(),
            "count: {} rows compared, all are those in `{}`",
            published.len(),
            path.display()
        );
    }
    Ok(())
}

/// Reads the published rows that are to be compared.
fn read(path: &Path, rows: RangeInclusive<u32>) -> Result<Vec<Row>, Error> {
    read_published(path, rows).map_err(|fault| Error::Published {
        path: path.to_owned(),
        fault,
    })
}

/// Prints a line, so that it can be seen at once.
fn print_line(line: &str, output: &mut dyn Write) -> Result<(), Error> {
    writeln!(output, "{line}")
        .and_then(|()| output.flush())
        .map_err(Error::Output)
}
