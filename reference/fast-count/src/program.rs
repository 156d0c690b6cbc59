//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use reference_count::bitmask;
use reference_program::{Error, sizes};

use crate::checkpoint::Checkpoint;
use crate::count::{self, MAX_SEARCHED};
use crate::meet_in_the_middle::MeetInTheMiddle;
use crate::simd::Simd;
use crate::{fundamental, parallel};

/// The largest board with halves that fit into the memory of a usual machine: 23 queens take 6 GB.
const MAX_N: u32 = 23;

/// Prints the number of ways to place N queens on an N by N board so that no two attack each other
///
/// It is counted, not looked up: 16 queens take less than a second, 18 queens some seconds, 20 queens a minute, 22 queens
/// an hour.
#[derive(Parser)]
#[command(
    name = "fast-count",
    bin_name = "fast-count",
    version,
    no_binary_name = true
)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
struct CommandLine {
    /// Number of queens, 1 to 23
    #[arg(required = true, value_parser = value_parser!(u32).range(1..=i64::from(MAX_N)))]
    n: Option<u32>,

    #[command(flatten)]
    machine: Machine,

    /// Another way to count: the number is the same
    #[arg(long, value_enum, conflicts_with_all = ["threads", "simd", "checkpoint"])]
    method: Option<Method>,

    /// Count boards that are one another's turned or mirrored image once
    #[arg(long)]
    fundamental: bool,

    /// Record each part in this file as soon as it is counted, and resume from there if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Method {
    /// One bit per square of the current row, as `count` does: a hundred times as slow
    Bitmask,
}

#[derive(Subcommand)]
enum Verb {
    /// Prints a line for each number of queens: n, solutions up to symmetry, all solutions
    Table {
        /// The first and the last number of queens: `1..18`, with 18
        #[arg(value_name = "FROM..TO", value_parser = sizes)]
        sizes: RangeInclusive<u32>,

        #[command(flatten)]
        machine: Machine,
    },
}

/// What of the machine to use.
#[derive(Args)]
struct Machine {
    /// How many threads share the work
    #[arg(long, value_name = "T", default_value = "1")]
    threads: NonZeroUsize,

    /// The vector instructions to use: portable, avx2 or avx512 [default: the widest of this processor]
    #[arg(long, value_parser = simd)]
    simd: Option<Simd>,
}

/// The vector instructions of that name.
fn simd(name: &str) -> Result<Simd, String> {
    let all = Simd::all();
    let found = all.iter().find(|simd| simd.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|simd| simd.name()).collect();
        format!("this processor has {}", names.join(", "))
    })
}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |line: CommandLine, output| {
        match (line.n, &line.verb) {
            (_, Some(Verb::Table { sizes, machine })) => {
                print_table(sizes.clone(), machine, output)
            }
            (Some(n), None) => {
                let all = match line.method {
                    Some(Method::Bitmask) => bitmask::number_of_solutions(n),
                    None => count(n, &line.machine, line.checkpoint.as_deref())?,
                };
                let solutions = if line.fundamental {
                    fundamental::from_all(n, all)
                } else {
                    all
                };
                Ok(writeln!(output, "{solutions}")?)
            }
            (None, None) => unreachable!("clap requires n without a subcommand"),
        }
    })
}

fn print_table(
    sizes: RangeInclusive<u32>,
    machine: &Machine,
    output: &mut dyn Write,
) -> Result<(), Error> {
    if *sizes.end() > MAX_N {
        return Err(Error::Question(format!(
            "the largest board has {MAX_N} queens"
        )));
    }
    for n in sizes {
        let all = count(n, machine, None)?;
        writeln!(output, "{n} {} {all}", fundamental::from_all(n, all))?;
        output.flush()?;
    }
    Ok(())
}

fn count(n: u32, machine: &Machine, checkpoint: Option<&Path>) -> Result<u64, Error> {
    if n <= MAX_SEARCHED {
        return Ok(count::count(n));
    }
    let plan = MeetInTheMiddle::new(n, machine.simd.unwrap_or_else(Simd::widest));
    let mut checkpoint = checkpoint
        .map(|path| Checkpoint::open(path, n, plan.parts()))
        .transpose()?;
    let known = checkpoint
        .as_ref()
        .map_or_else(Vec::new, |it| it.known.clone());
    parallel::sum(
        &plan,
        machine.threads,
        &known,
        &mut |part, count| match &mut checkpoint {
            Some(checkpoint) => checkpoint.record(part, count),
            None => Ok(()),
        },
    )
}
