//! Level `strict`, through the real launcher, as whoever runs the tests.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a panic is the report; what is skipped is said"
)]

use grader_sandbox::{Layer, Runner, StrictError, StrictRunner};

// What holds at both levels is told once.
#[path = "../basic/cores.rs"]
mod cores;
#[path = "../basic/ends.rs"]
mod ends;
#[path = "../basic/harness.rs"]
mod harness;
#[path = "../basic/limits.rs"]
mod limits;
#[path = "../basic/stage.rs"]
mod stage;

mod accounts;
mod pool;
mod tree;

/// What these tests do without.
const WAIVED: [Layer; 2] = [Layer::MemoryCgroup, Layer::CpuClock];

/// A host that cannot hold the level skips all of its tests.
#[expect(clippy::exit, reason = "there is no other way to skip from within")]
fn runner() -> Box<dyn Runner> {
    match StrictRunner::start(&harness::launcher(), &WAIVED) {
        Ok(runner) => Box::new(runner),
        Err(StrictError::Missing(findings)) => {
            eprintln!("skipped: this host does not hold level strict: {findings:#?}");
            std::process::exit(0);
        }
        Err(error) => panic!("{error}"),
    }
}
