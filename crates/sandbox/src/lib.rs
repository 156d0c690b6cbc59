//! One command under limits, isolated and measured. Linux only.
//!
//! # Theory of operation
//!
//! ```text
//! grader                          many threads, large
//!   |  socket: a command or an answer, one line of JSON each
//!   `-- launcher                  one for each run at the same time; one thread, small
//!         |  socket: a job and its descriptors, packets of JSON
//!         `-- namespace holder    process 1 of its pid namespace; keeps what is costly to make
//!               `-- init          process 1 of the run's pid namespace; one for each run
//!                     `-- program process 2, and whatever it starts
//! ```
//!
//! **Two levels.** [`StrictRunner`] is a sandbox that hostile code does not leave: namespaces, a file tree of its own, no
//! capabilities, seccomp, Landlock, control groups. [`LimitsOnlyRunner`] (`basic` for users) does without namespaces: the
//! program is the launcher's child, and holder and init do not exist. `docs/sandbox.md` says what each holds.
//!
//! **Processes.** The launcher is our own binary under a hidden argument ([`launcher_main`]), started by `posix_spawn`: a
//! fork of the grader would copy its page tables, and its peak memory would show up in the program's. It opens files,
//! makes mounts, sets control groups, watches, measures and copies files in and out. The last steps before `execve`
//! (`exec`) are the same at both levels.
//!
//! **Messages.** A [`Request`] goes to the launcher as JSON, the outcome comes back. The program has none of these sockets;
//! what it prints is never taken for an outcome. Its output goes through a pipe to a
//! file of the launcher's, cut at the byte. What fails before `execve` is a [`SandboxError`], never an outcome.
//!
//! **Start barrier.** A program is prepared up to `execve` while the one before it on its core ([`StartGate`]) still runs. If
//! there is none to wait for, it finds the barrier open.
//!
//! **Who kills whom.** For a limit, the launcher kills the init, and with it the kernel ends every process of the run; without
//! namespaces it kills the process group, the control group, and all children that it has or inherits as a subreaper. If
//! the grader dies, the launcher sees the end of its standard input, ends the run, and removes control groups and the
//! grader's temporary folder. If the launcher dies, `PR_SET_PDEATHSIG` ends what is below it.
//!
//! **Clocks.** CPU time: the control group's, else the kernel's task clock, else what was reaped. Wall time: the monotonic
//! clock, from the start barrier to the end of the program. Memory: the control group's peak, else the largest process's.

#[cfg(not(target_os = "linux"))]
compile_error!("the sandbox is made of parts of Linux");

mod barrier;
mod cgroup;
mod connection;
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
pub use launcher::launcher_main;
pub use layer::{Finding, Layer, LayerState, UnknownLayer};
pub use limits_only::LimitsOnlyRunner;
pub use named_pipe::NamedPipe;
pub use remove_tree::remove_tree;
pub use runner::{
    BindMount, LauncherCommand, MountPoint, Request, Returns, Runner, StartGate, System,
};
pub use strict::StrictRunner;
