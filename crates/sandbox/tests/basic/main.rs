//! Level `basic`, through the real launcher.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a panic is the report; what is skipped is said"
)]

mod boundaries;
mod cleaning;
mod ends;
mod harness;
mod launcher;
mod limits;
