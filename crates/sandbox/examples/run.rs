//! Runs one command in the sandbox and prints its outcome as JSON.
//!
//! ```text
//! cargo run -p grader-sandbox --example run -- --time 1s --memory 64MiB --report report.json -- ./a.out 8
//! ```
//!
//! Options: `--time`, `--wall`, `--memory`, `--processes`, `--stdin FILE`, `--isolation best|strict|basic`, and
//! `--report FILE` for the JSON, which otherwise goes to standard error. A program outside the system folders is
//! `/program` in the sandbox. Exit status: 0 if it stayed within its limits and exited with 0, else 1.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use grader_model::{Breach, Bytes, CpuTime, End, Limits, WallTime, parse_duration};
use grader_sandbox::{
    LauncherCommand, Layer, LimitsOnlyRunner, MountPoint, Request, Returns, Runner, SandboxError,
    StrictRunner, SystemFolders, launcher_main,
};

/// The hidden argument that makes this binary a launcher.
const LAUNCH: &str = "__launch";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut words = env::args().skip(1).peekable();
    if words.peek().is_some_and(|word| word == LAUNCH) {
        return Ok(launcher_main());
    }
    let mut options = HashMap::new();
    for word in words
        .by_ref()
        .take_while(|word| word != "--")
        .collect::<Vec<_>>()
        .chunks(2)
    {
        let [name, value] = word else {
            return Err(format!("`{}` needs a value", word[0]).into());
        };
        options.insert(name.trim_start_matches("--").to_owned(), value.clone());
    }
    let option =
        |name: &str, default: &str| options.get(name).cloned().unwrap_or(default.to_owned());
    let program = fs::canonicalize(words.next().ok_or("no command after `--`")?)?;
    let cpu = CpuTime(parse_duration(&option("time", "10 s"))?);
    let usual = WallTime(cpu.0 * 2 + std::time::Duration::from_secs(1));
    let limits = Limits {
        cpu,
        wall: match options.get("wall") {
            Some(text) => WallTime(parse_duration(text)?),
            None => usual,
        },
        memory: option("memory", "256 MiB").parse()?,
        output: Bytes(16 << 20),
        processes: option("processes", "1").parse()?,
    };
    let runner = runner(&option("isolation", "best"))?;
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("box"))?;
    let is_system = ["/usr", "/bin", "/lib"]
        .iter()
        .any(|it| program.starts_with(it));
    let seen = runner.mount(MountPoint::Program, &program);
    let request = Request {
        program: if is_system {
            program
        } else {
            seen.inside.clone()
        },
        arguments: words.map(Into::into).collect(),
        environment: vec![
            ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()),
            ("LC_ALL".into(), "C.UTF-8".into()),
        ],
        directory: runner.mount(MountPoint::Work, &path("box")),
        returns: Returns::Nothing,
        readable: if is_system { Vec::new() } else { vec![seen] },
        system: SystemFolders::Whole,
        scratch: Bytes(32 << 20),
        reserves_memory: false,
        stdin: options.get("stdin").map(fs::canonicalize).transpose()?,
        stdout: path("stdout"),
        stderr: path("stderr"),
        files: limits.output,
        limits,
        core: None,
    };
    let outcome = runner.run(&(), &request)?;
    io::stdout().write_all(&fs::read(path("stdout"))?)?;
    io::stderr().write_all(&fs::read(path("stderr"))?)?;
    let verdict = match (outcome.breach, outcome.end) {
        (Some(Breach::Cpu | Breach::Wall), _) => "TLE",
        (Some(Breach::Memory), _) => "MLE",
        (Some(Breach::Output), _) => "OLE",
        (None, End::Exited(0)) => "OK",
        (None, _) => "RE",
    };
    let report = serde_json::json!({
        "verdict": verdict,
        "outcome": outcome,
        "isolation": runner.isolation(),
    });
    match options.get("report") {
        Some(file) => fs::write(Path::new(file), format!("{report}\n"))?,
        None => writeln!(io::stderr(), "{report}")?,
    }
    Ok(ExitCode::from(u8::from(verdict != "OK")))
}

/// The runner for a level; `best` waives the layers that this machine lacks.
fn runner(level: &str) -> Result<Box<dyn Runner>, Box<dyn Error>> {
    let launcher = LauncherCommand {
        program: env::current_exe()?,
        arguments: vec![LAUNCH.into()],
    };
    if level == "basic" {
        return Ok(Box::new(LimitsOnlyRunner::start(&launcher)?));
    }
    let waived: &[Layer] = if level == "strict" { &[] } else { Layer::ALL };
    match StrictRunner::start(&launcher, waived) {
        Err(SandboxError::Missing(_)) if level != "strict" => {
            Ok(Box::new(LimitsOnlyRunner::start(&launcher)?))
        }
        started => Ok(Box::new(started?)),
    }
}
