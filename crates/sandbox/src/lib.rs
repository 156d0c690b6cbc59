//! One command under limits, isolated and measured. Linux only.
//!
//! # Theory of operation
//!
//! ```text
//! grader                          many threads, large
//!   |  channel: a command or an answer
//!   `-- launcher                  one per concurrent run; one thread, small
//!         |  channel: a run and its descriptors
//!         `-- namespace holder    process 1 of its pid namespace; keeps the costly namespaces
//!               `-- init          process 1 of the run's pid namespace; one per run
//!                     `-- program process 2, and whatever it starts
//! ```
//!
//! **Two levels.** [`StrictRunner`] is a sandbox for hostile code: namespaces, a private file tree, no capabilities,
//! seccomp, Landlock, control groups. [`LimitsOnlyRunner`] (`basic` for users) uses no namespaces: the program is the
//! launcher's child, and there is neither holder nor init. `docs/sandbox.md` says what each level enforces.
//!
//! **Processes.** The launcher is our own binary under a hidden argument ([`launcher_main`]), started by `posix_spawn`:
//! a fork of the grader would copy its page tables, and its peak memory would show up in the program's. It opens files,
//! creates mounts, sets up control groups, watches, measures, and copies files in and out. The last steps before
//! `execve` (`exec`) are the same at both levels.
//!
//! **Messages.** A [`Request`] goes to the launcher over a `channel`, and the outcome comes back. The program has none of
//! these sockets, so its output is never taken for an outcome. The launcher copies its output from a pipe to a file, and
//! truncates it exactly at the limit. A failure before `execve` is a [`SandboxError`], never an outcome.
//!
//! **Start barrier.** A program is prepared up to `execve` while the previous one on its core still runs; a
//! [`StartGate`] lets it start.
//!
//! **Who kills whom.** At a limit, the launcher kills the init, and the kernel ends every process of the run with it.
//! Without namespaces it kills the process group, the control group, and all its children, orphans included: it is
//! their subreaper. If the grader dies, the launcher reads end of file from its standard input, kills the run, and
//! removes control groups and the grader's temporary folder. If the launcher dies, `PR_SET_PDEATHSIG` ends its
//! descendants.
//!
//! **Clocks.** CPU time: the control group's, else the kernel's task clock, else the time of reaped processes. Wall
//! time: the monotonic clock, from the start barrier to the end of the program. Memory: the control group's peak, else
//! that of the largest process.

#[cfg(not(target_os = "linux"))]
compile_error!("the sandbox needs Linux");

mod barrier;
mod cgroup;
mod channel;
mod connection;
mod constants;
mod cores;
mod domain;
mod error;
mod exec;
mod findings;
mod kernel;
mod launcher;
mod layer;
mod limits_only;
mod named_pipe;
mod pool;
mod pressure;
mod protocol;
mod remove_tree;
mod runner;
mod seccomp;
mod strict;
mod system;
mod system_paths;
mod task_clock;
mod user;

pub use cores::{ClaimedCores, Core, Cores};
pub use error::SandboxError;
pub use launcher::{few_processes, launcher_main};
pub use layer::{Layer, LayerFinding, LayerState};
pub use limits_only::LimitsOnlyRunner;
pub use named_pipe::NamedPipe;
pub use remove_tree::{if_there, remove_tree};
pub use runner::{
    BindMount, LauncherCommand, MountPoint, Request, Returns, Runner, StartGate, SystemFolders,
};
pub use strict::StrictRunner;
pub use system::survive_large_files;
