//! The command line of `run`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use grader_model::{Bytes, CpuTime, WallTime};

use super::running::IsolationArgs;

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// What it reads as standard input: a file, or `-` for ours, which is read to its end first, 1 GiB at most
    /// [default: nothing].
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin: Option<PathBuf>,
    /// Put a file into its folder under this name, such as `data/in.txt` (may be given more than once).
    #[arg(long = "file", value_name = "SRC=DST")]
    pub(crate) files: Vec<OsString>,
    /// Show it this file or folder of the system, at the same path and for reading only, as far as other users may
    /// read it (may be given more than once).
    #[arg(long, value_name = "PATH")]
    pub(crate) readable: Vec<PathBuf>,
    /// Set a variable of its environment (may be given more than once).
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) environment: Vec<OsString>,
    /// Keep it, and all that it starts, on the core of this number [default: any].
    #[arg(long, value_name = "N")]
    pub(crate) core: Option<u32>,
    /// Write the outcome to this file, whole or not at all, instead of standard error.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// The command: the path of a program, or the name of one in /usr/local/bin, /usr/bin or /bin.
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// What a command may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// CPU time of all of its processes together: `500 ms`, `2 s`, `1 min`.
    #[arg(long, value_name = "TIME", default_value = "10 s")]
    pub(crate) time: CpuTime,
    /// Time on the clock on the wall [default: twice the CPU time and a second, but at least 3 s].
    #[arg(long, value_name = "TIME")]
    pub(crate) wall: Option<WallTime>,
    /// Memory of all of its processes together: `64 MiB`, `1 GiB`.
    #[arg(long, value_name = "SIZE", default_value = "256 MiB")]
    pub(crate) memory: Bytes,
    /// Processes and threads at one time: a shell script that starts other programs needs more than one.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) processes: u32,
    /// Size of standard output, of standard error, and of each file that it writes.
    #[arg(long, value_name = "SIZE", default_value = "16 MiB")]
    pub(crate) output_limit: Bytes,
}
