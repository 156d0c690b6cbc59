//! One command under limits, isolated and measured.

mod runner;

pub use runner::{Request, Runner, SandboxError};
