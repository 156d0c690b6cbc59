//! One command under limits, isolated and measured.
//!
//! There are two levels. [`StrictRunner`] is a sandbox that hostile code does not leave: namespaces, a file tree of its
//! own, no capabilities, a filter of system calls, Landlock, control groups; `docs/sandbox.md` is its theory of
//! operation. [`BasicRunner`] holds limits and tidiness on any Unix and is no sandbox; its module says what it does
//! not hold, and what it closes where no namespaces can be had.
//!
//! Both have a launcher between the grader and the program: our own binary under a hidden subcommand
//! ([`launcher_main`]), small and single-threaded, started by `posix_spawn`, whose cost does not grow with the
//! grader. A [`Request`] goes to it as one line of JSON, the answer comes back as another; the program never sees
//! these pipes, so that what it writes can never be taken for an outcome. What fails on the way to `execve` is a
//! [`SandboxError`], never an outcome.
//!
//! | module | what it is |
//! |---|---|
//! | `strict` | the grader's side of level strict: the pool of launchers |
//! | `strict::launcher`, `session`, `run` | the launcher: set up once, then run by run |
//! | `strict::tree`, `runtime`, `room` | what programs see, and where they may write |
//! | `strict::keeper`, `init`, `program` | inside the namespaces: kept ones, one run's, the last steps before `execve` |
//! | `strict::gate` | where a program that is ready waits for its turn |
//! | `cgroup`, `task_clock` | memory and CPU time, by the kernel |
//! | `seccomp`, `domain` | the filter of system calls, the Landlock domain |
//! | `cores`, `claim`, `affinity` | which cores there are, which are free, and how a program is put on one |
//! | `basic`, `launcher` | level basic |

mod affinity;
mod basic;
#[cfg(target_os = "linux")]
mod cgroup;
mod claim;
mod cores;
#[cfg(target_os = "linux")]
mod domain;
mod launcher;
mod layer;
mod link;
mod pressure;
mod protocol;
mod runner;
#[cfg(target_os = "linux")]
mod seccomp;
mod strict;
mod system;
#[cfg(target_os = "linux")]
mod system_paths;
#[cfg(target_os = "linux")]
mod task_clock;

pub use basic::{BasicRunner, LauncherCommand};
pub use cores::{Core, Cores};
pub use launcher::launcher_main;
pub use layer::{Finding, Hold, Layer, UnknownLayer};
pub use runner::{Place, Request, Returns, Runner, SandboxError, Seen, Stage, System};
pub use strict::{StrictError, StrictRunner};
