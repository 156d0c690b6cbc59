//! The grader's side: puts out bait, runs the canary, and judges what it cannot.

use std::fs;
use std::io;
use std::path::Path;

use grader_model::{Breach, Bytes, CpuTime, End, Limits, Outcome, WallTime};

use super::bait::Bait;
use super::{Attempt, CANARY, Line, Task};
use crate::{
    Core, LauncherCommand, Place, Request, Returns, Runner, SandboxError, StrictRunner, System,
};

/// CPU time that the canary hides, in milliseconds, and how much of it must be found: the clock may be wrong by
/// two in a hundred.
const HIDDEN: u64 = 200;
const FOUND: u64 = HIDDEN - HIDDEN / 50;
/// Mebibytes that a run may take, and what the canary takes in each of so many processes.
const ALLOWED: u64 = 64;
const TAKEN: u64 = 50;
const TAKERS: u32 = 4;

/// What the canary may use.
const LIMITS: Limits = Limits {
    cpu: CpuTime::from_millis(20_000),
    wall: WallTime::from_millis(60_000),
    memory: Bytes(ALLOWED << 20),
    output: Bytes(1 << 20),
    processes: 8,
};

/// Runs a program of ours in the sandbox that tries to get out in every way it knows.
///
/// # Errors
/// When it could not be run.
pub fn attempts(runner: &StrictRunner) -> Result<Vec<Attempt>, SandboxError> {
    let folder = tempfile::tempdir().map_err(|error| failed("make a folder", error))?;
    let canary = Canary {
        runner,
        launcher: runner.launcher(),
        core: None,
        folder: folder.path(),
    };
    let mut attempts = canary.escape()?;
    attempts.push(canary.hide_time()?);
    attempts.push(canary.take_memory()?);
    Ok(attempts)
}

/// Runs a program of ours on this core, and tells on which it may run by its own word: on this one alone.
///
/// # Errors
/// When it could not be run.
pub fn whereabouts(
    runner: &dyn Runner,
    launcher: &LauncherCommand,
    core: Core,
) -> Result<Vec<Core>, SandboxError> {
    let folder = tempfile::tempdir().map_err(|error| failed("make a folder", error))?;
    let canary = Canary {
        runner,
        launcher,
        core: Some(core),
        folder: folder.path(),
    };
    let (outcome, said) = canary.run(&Task::Whereabouts)?;
    serde_json::from_str(&said).map_err(|error| {
        let ended = ended(&outcome);
        SandboxError::Protocol(format!(
            "the canary, which {ended}, was not understood: {error}"
        ))
    })
}

fn failed(step: &str, source: io::Error) -> SandboxError {
    SandboxError::Setup {
        step: format!("{step} for the canary"),
        source,
    }
}

struct Canary<'a> {
    runner: &'a dyn Runner,
    launcher: &'a LauncherCommand,
    core: Option<Core>,
    folder: &'a Path,
}

impl Canary<'_> {
    /// Runs it; what it wrote is in the file `stdout`.
    fn run(&self, task: &Task) -> Result<(Outcome, String), SandboxError> {
        let launcher = self.launcher;
        let path = |name| self.folder.join(name);
        let task =
            serde_json::to_vec(task).map_err(|error| failed("write the task", error.into()))?;
        fs::write(path("stdin"), task).map_err(|error| failed("write the task", error))?;
        fs::create_dir_all(path("box")).map_err(|error| failed("make a folder", error))?;
        let program = self.runner.seen(Place::Program, &launcher.program);
        let mut arguments = launcher.arguments.clone();
        arguments.push(CANARY.into());
        let request = Request {
            program: program.inside.clone(),
            arguments,
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            directory: self.runner.seen(Place::Work, &path("box")),
            returns: Returns::Nothing,
            readable: vec![program],
            system: System::Whole,
            room: Bytes(1 << 20),
            reserves_memory: false,
            stdin: Some(path("stdin")),
            stdout: path("stdout"),
            stderr: path("stderr"),
            files: LIMITS.output,
            limits: LIMITS,
            core: self.core,
        };
        let outcome = self.runner.run(&request)?;
        let said = fs::read_to_string(path("stdout"))
            .map_err(|error| failed("read the attempts", error))?;
        Ok((outcome, said))
    }

    fn escape(&self) -> Result<Vec<Attempt>, SandboxError> {
        let mut bait = Bait::put(self.folder, self.launcher, LIMITS.processes)
            .map_err(|error| failed("put out bait", error))?;
        let scene = std::mem::take(&mut bait.scene);
        let (outcome, said) = self.run(&Task::Escape(scene))?;
        let lives = bait
            .lives()
            .map_err(|error| failed("look for the bait", error))?;
        let mut attempts = understood(&said).map_err(|error| {
            SandboxError::Protocol(format!("the canary was not understood: {error}"))
        })?;
        attempts.push(Attempt {
            what: "end a process of the host".to_owned(),
            denied: lives,
            found: if lives { "it lives" } else { "it is gone" }.to_owned(),
        });
        // Init tells how the program ended: it was neither killed nor stopped.
        let in_order = (outcome.end, outcome.breach) == (End::Exited(0), None);
        attempts.push(Attempt {
            what: "keep the sandbox from its work".to_owned(),
            denied: in_order,
            found: ended(&outcome),
        });
        Ok(attempts)
    }

    fn hide_time(&self) -> Result<Attempt, SandboxError> {
        let (outcome, _) = self.run(&Task::HideTime(HIDDEN))?;
        let charged = outcome.cpu.0.as_millis();
        Ok(Attempt {
            what: "hide CPU time in a child that nobody waits for".to_owned(),
            denied: charged >= u128::from(FOUND),
            found: format!("{charged} of {HIDDEN} ms were charged"),
        })
    }

    fn take_memory(&self) -> Result<Attempt, SandboxError> {
        let counts = self.runner.isolation();
        let counts = counts.layers.iter().any(|name| name == "memory-cgroup");
        // Without a control group each process has a bound of its own, and there is none for all.
        let task = if counts {
            Task::TakeMemory(TAKEN, TAKERS)
        } else {
            Task::TakeMemory(TAKEN * u64::from(TAKERS), 1)
        };
        let (outcome, said) = self.run(&task)?;
        let stopped = outcome.breach == Some(Breach::Memory);
        let (denied, found) = match (counts, stopped) {
            (true, _) => (stopped, ended(&outcome)),
            (false, true) => (
                true,
                "not tried in several processes: memory-cgroup is missing; in one, stopped"
                    .to_owned(),
            ),
            (false, false) => (
                !said.contains("filled"),
                format!(
                    "not tried in several processes: memory-cgroup is missing; in one, {}",
                    said.trim()
                ),
            ),
        };
        Ok(Attempt {
            what: "take more memory than allowed".to_owned(),
            denied,
            found,
        })
    }
}

/// How a run ended, in a word.
fn ended(outcome: &Outcome) -> String {
    match (outcome.breach, outcome.end) {
        (Some(Breach::Cpu), _) => "stopped at the limit of CPU time".to_owned(),
        (Some(Breach::Wall), _) => "stopped at the limit of time".to_owned(),
        (Some(Breach::Memory), _) => "stopped at the limit of memory".to_owned(),
        (Some(Breach::Output), _) => "stopped at the limit of output".to_owned(),
        (None, End::Exited(0)) => "ended in order".to_owned(),
        (None, End::Exited(status)) => format!("ended with status {status}"),
        (None, End::Signalled(signal)) => format!("ended by signal {signal}"),
    }
}

/// The attempts that the canary told of. One of which the end was not told was the end of the run.
fn understood(said: &str) -> serde_json::Result<Vec<Attempt>> {
    let mut attempts = Vec::new();
    let mut trying = None;
    for line in said.lines() {
        match serde_json::from_str(line)? {
            Line::Trying(what) => trying = Some(what),
            Line::Tried(attempt) => {
                trying = None;
                attempts.push(attempt);
            }
        }
    }
    if let Some(what) = trying {
        attempts.push(Attempt {
            what,
            denied: false,
            found: "the run ended with it".to_owned(),
        });
    }
    Ok(attempts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(what: &str, denied: bool, found: &str) -> Attempt {
        Attempt {
            what: what.to_owned(),
            denied,
            found: found.to_owned(),
        }
    }

    #[test]
    fn an_attempt_that_ends_the_run_was_not_denied() {
        let said = r#"{"trying":"mount"}
{"tried":{"what":"mount","denied":true,"found":"EPERM"}}
{"trying":"kill init"}
"#;
        assert_eq!(
            understood(said).unwrap(),
            [
                tried("mount", true, "EPERM"),
                tried("kill init", false, "the run ended with it"),
            ]
        );
    }

    #[test]
    fn what_the_canary_did_not_say_is_not_taken_for_an_attempt() {
        assert!(understood("mount: EPERM\n").is_err());
        assert_eq!(understood("").unwrap(), []);
    }
}
