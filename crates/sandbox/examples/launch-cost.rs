//! What one run through the launcher costs beside a plain start of the same program.
//!
//! Both are timed in one loop, turn about, so that whatever else the machine does falls on both.

#![expect(clippy::print_stdout, reason = "prints its figures")]

use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use grader_model::{Bytes, CpuTime, Limits, WallTime};
use grader_sandbox::{BasicRunner, LauncherCommand, Request, Returns, Runner, Seen, launcher_main};

const RUNS: usize = 300;
const LAUNCH: &str = "launch";
const PROGRAM: &str = "/bin/true";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if std::env::args().nth(1).is_some_and(|word| word == LAUNCH) {
        return Ok(launcher_main());
    }
    let folder = std::env::temp_dir().join(format!("launch-cost-{}", std::process::id()));
    let own = folder.join("box");
    std::fs::create_dir_all(&own)?;
    let runner = BasicRunner::new(LauncherCommand {
        program: std::env::current_exe()?,
        arguments: vec![LAUNCH.into()],
    });
    let request = Request {
        program: PathBuf::from(PROGRAM),
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: Seen::same(own),
        returns: Returns::Nothing,
        readable: Vec::new(),
        room: Bytes(16 << 20),
        reserves_memory: false,
        stdin: None,
        stdout: folder.join("stdout"),
        stderr: folder.join("stderr"),
        limits: Limits {
            cpu: CpuTime::from_millis(1000),
            wall: WallTime::from_millis(10_000),
            memory: Bytes(64 << 20),
            output: Bytes(1 << 16),
            processes: 1,
        },
    };
    let (mut plain, mut launched) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let begun = Instant::now();
        Command::new(PROGRAM)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()?;
        plain.push(begun.elapsed());
        let begun = Instant::now();
        runner.run(&request)?;
        launched.push(begun.elapsed());
    }
    std::fs::remove_dir_all(&folder)?;
    let (plain, launched) = (median(plain), median(launched));
    println!("plain start      {plain:>9.1?} (median of {RUNS})");
    println!("level basic      {launched:>9.1?}");
    println!(
        "ratio            {:>9.2}",
        launched.as_secs_f64() / plain.as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
