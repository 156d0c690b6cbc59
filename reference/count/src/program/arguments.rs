//! The command line, as it is written.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};

use crate::Error;
use crate::host::{Avx2, Avx512, Simd};
use crate::method::Method;

/// Prints the number of ways to place N queens on an N by N board so that no two attack each other.
///
/// It is counted, not looked up: 16 queens take less than a second, 18 queens some seconds, 20
/// queens some minutes, 22 queens some hours. A long count shows on a terminal how far it is; Ctrl-C
/// ends it.
#[derive(Parser)]
#[command(name = "count", bin_name = "count", version, no_binary_name = true)]
#[command(allow_negative_numbers = true)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(super) struct CommandLine {
    /// Number of queens, 1 to 32
    #[arg(required = true, value_parser = value_parser!(u32).range(1..=32))]
    pub(super) n: Option<u32>,

    #[command(flatten)]
    pub(super) way: WayArguments,

    /// Count boards that are one another's turned or mirrored image once
    #[arg(long)]
    pub(super) fundamental: bool,

    #[command(flatten)]
    pub(super) checkpoint: CheckpointArguments,

    #[command(subcommand)]
    pub(super) verb: Option<Verb>,
}

#[derive(Subcommand)]
pub(super) enum Verb {
    Table(TableArguments),
}

/// Prints a table with a row for each number of queens
///
/// A row has the number of queens, the number of solutions that are not one another's turned or
/// mirrored image, the number of all solutions, and how many times as many these are as in the row
/// before. Each row is printed as soon as it is counted.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct TableArguments {
    /// The first and the last number of queens, 1 to 32: `1..18` or `1..=18`, both with 18
    #[arg(value_name = "FROM..TO", value_parser = rows)]
    pub(super) rows: RangeInclusive<u32>,

    #[command(flatten)]
    pub(super) way: WayArguments,

    /// Compare each row with this file of lines `n fundamental all`; one that differs ends the
    /// table with status 1
    #[arg(long, value_name = "FILE")]
    pub(super) verify: Option<PathBuf>,
}

/// How to count.
#[derive(Args)]
pub(super) struct WayArguments {
    /// How to count; the number is the same
    #[arg(long, value_enum, default_value_t = MethodArgument::Auto)]
    method: MethodArgument,

    /// The vector instructions to use
    #[arg(long, value_enum, default_value_t = SimdArgument::Auto)]
    simd: SimdArgument,

    /// How many threads share the work, 1 to 1024; not for `array` and `bitmask`
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    #[arg(default_value_t = 1)]
    threads: u16,

    /// Say on standard error how it is counted, and why so
    #[arg(long)]
    explain: bool,
}

/// Where to keep what is counted.
#[derive(Args)]
pub(super) struct CheckpointArguments {
    /// Keep in this file what is counted, and go on from there if it exists already
    ///
    /// Worth the while from 19 queens on. The file is written every ten seconds, at the end and on
    /// Ctrl-C, which first finishes the parts that were begun; a run that was killed goes on when the same command is started again, with other
    /// vector instructions or another number of threads if need be. From a file of a finished count
    /// the number is printed at once. One run at a time may use it. Not for `array` and `bitmask`;
    /// `auto` keeps to the method of the file.
    #[arg(long = "checkpoint", value_name = "FILE")]
    pub(super) path: Option<PathBuf>,

    /// Write the checkpoint as soon as this time has passed since the last one
    #[arg(
        long = "checkpoint-every",
        value_name = "SECONDS",
        default_value_t = 10
    )]
    #[arg(hide = true, requires = "path")]
    pub(super) every: u64,
}

/// How to count.
#[derive(Clone, Copy, ValueEnum)]
enum MethodArgument {
    /// The fastest for N and this processor
    Auto,
    /// Arrays of records for the columns and diagonals, as everybody writes it first
    Array,
    /// One bit per square of the current row: short, and several times as fast
    Bitmask,
    /// One board of each class of turned and mirrored ones, many boards at a time
    Symmetric,
    /// Halves of boards, joined; N from 4; 0.3 GB of memory for 20 queens, tenfold for each two more
    MeetInTheMiddle,
}

impl MethodArgument {
    fn method(self) -> Option<Method> {
        match self {
            Self::Auto => None,
            Self::Array => Some(Method::Array),
            Self::Bitmask => Some(Method::Bitmask),
            Self::Symmetric => Some(Method::Symmetric),
            Self::MeetInTheMiddle => Some(Method::MeetInTheMiddle),
        }
    }
}

/// The vector instructions to use.
#[derive(Clone, Copy, ValueEnum)]
enum SimdArgument {
    /// The widest that this processor has
    Auto,
    /// Those that every processor of this kind has
    Portable,
    /// 256 bits
    Avx2,
    /// 512 bits, as in Ice Lake, Zen 4 and later
    Avx512,
}

impl SimdArgument {
    fn simd(self) -> Result<Option<Simd>, Error> {
        let (asked, found) = match self {
            Self::Auto => return Ok(None),
            Self::Portable => ("portable", Some(Simd::Portable)),
            Self::Avx2 => ("avx2", Avx2::detect().map(Simd::Avx2)),
            Self::Avx512 => ("avx512", Avx512::detect().map(Simd::Avx512)),
        };
        if found.is_some() {
            return Ok(found);
        }
        let has: Vec<_> = Simd::all().into_iter().map(Simd::name).collect();
        Err(Error::Simd {
            asked,
            has: has.join(", "),
        })
    }
}

/// How to count, as far as it is asked for.
pub(super) struct Way {
    /// `None` for the best.
    pub(super) method: Option<Method>,
    /// `None` for the widest.
    pub(super) simd: Option<Simd>,
    pub(super) threads: NonZeroUsize,
    pub(super) explain: bool,
}

impl WayArguments {
    /// Checks what can be checked before the number of queens is known.
    pub(super) fn way(&self) -> Result<Way, Error> {
        let method = self.method.method();
        let threads = NonZeroUsize::new(self.threads.into()).unwrap_or(NonZeroUsize::MIN);
        if let Some(method) = method
            && !method.has_parts()
            && threads > NonZeroUsize::MIN
        {
            return Err(Error::OneThread {
                method,
                threads: threads.get(),
            });
        }
        Ok(Way {
            method,
            simd: self.simd.simd()?,
            threads,
            explain: self.explain,
        })
    }
}

/// Reads the numbers of queens of a table.
fn rows(text: &str) -> Result<RangeInclusive<u32>, String> {
    let parse = || {
        let (first, last) = text.split_once("..")?;
        let last = last.strip_prefix('=').unwrap_or(last);
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    match parse() {
        Some(rows) if (1..=*rows.end()).contains(rows.start()) && *rows.end() <= 32 => Ok(rows),
        _ => Err("expected two ascending numbers from 1 to 32, such as 1..18".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn methods_and_vectors_have_the_same_names_everywhere() {
        for argument in MethodArgument::value_variants() {
            let name = argument.to_possible_value().unwrap().get_name().to_owned();
            assert_eq!(argument.method().map_or("auto", Method::name), name);
        }
        for argument in SimdArgument::value_variants() {
            let name = argument.to_possible_value().unwrap().get_name().to_owned();
            match argument.simd() {
                Ok(simd) => assert_eq!(simd.map_or("auto", Simd::name), name),
                Err(error) => assert!(error.to_string().contains(&format!("no {name};"))),
            }
        }
    }

    #[test]
    fn rows_are_written_with_both_ends() {
        assert_eq!(rows("1..18"), Ok(1..=18));
        assert_eq!(rows("1..=18"), Ok(1..=18));
        assert_eq!(rows("32..32"), Ok(32..=32));
        let message = "expected two ascending numbers from 1 to 32, such as 1..18";
        for text in [
            "", "..", "8", "0..8", "8..7", "1..33", "1..", "..8", "1..==8", "1-8", "-1..8",
        ] {
            assert_eq!(rows(text), Err(message.to_owned()), "{text}");
        }
    }
}
