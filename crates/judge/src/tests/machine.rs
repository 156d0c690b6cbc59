//! A simulated machine on which a word in its source determines a program's behaviour.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io, thread};

use grader_model::{Bytes, CpuTime, End, Isolation, IsolationLevel, Outcome};
use grader_sandbox::{MountPoint, Request, Returns, Runner, SandboxError, StartGate};

use super::{Mutex, Stop, ended_well};

/// A simulated failure.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trouble {
    /// The launcher dies.
    Dies,
    /// The program to be run does not exist.
    Vanishes,
    /// A bug of ours.
    Panics,
    /// The disk is full from now on.
    Fills,
    /// The disk is full, and the compiler reports an error.
    FillsAndFails,
}

/// A simulated machine. Words in a source determine its program's behaviour:
///
/// | word | |
/// |---|---|
/// | `twice` | prints twice n |
/// | `loud` | like `twice`, in upper case and after another word |
/// | `thrice` | prints three times n |
/// | `exits` | prints twice n and ends with status 3 |
/// | `misplaced` | prints twice n to standard error |
/// | `broken` | does not compile |
/// | `alters` | adds a file to its build folder |
/// | `killed` | is killed by SIGTERM |
#[derive(Default)]
pub(super) struct Machine {
    /// Log of actions: `build s0`, `s0 n=1`, `reference n=1`.
    pub(super) log: Mutex<Vec<String>>,
    /// Failures by line of the log, once each.
    pub(super) troubles: Mutex<Vec<(&'static str, Trouble)>>,
    /// Requests a stop when the log has this many lines.
    pub(super) stops_at: Option<(usize, Stop)>,
    /// Requests a stop just after a program was killed.
    pub(super) stops_late: Option<Stop>,
    pub(super) layers: Vec<String>,
    /// The judge's temporary folder.
    pub(super) root: Mutex<PathBuf>,
    pub(super) sources: Mutex<BTreeMap<PathBuf, String>>,
    pub(super) running: AtomicUsize,
    /// Number of programs that ran beside a repeated run of a case.
    pub(super) beside_repeated: AtomicUsize,
}

impl Machine {
    pub(super) fn with(troubles: &[(&'static str, Trouble)]) -> Self {
        Self {
            troubles: Mutex::new(troubles.to_vec()),
            ..Self::default()
        }
    }

    pub(super) fn log(&self) -> Vec<String> {
        std::mem::take(&mut *self.log.lock().unwrap())
    }

    /// The log without the reference's lines.
    pub(super) fn programs(&self) -> Vec<String> {
        let mut log = self.log();
        log.retain(|line| !line.starts_with("reference"));
        log
    }

    fn done(&self, line: String) -> Option<Trouble> {
        let trouble = {
            let mut troubles = self.troubles.lock().unwrap();
            let at = troubles.iter().position(|(at, _)| *at == line);
            at.map(|at| troubles.remove(at).1)
        };
        let mut log = self.log.lock().unwrap();
        log.push(line);
        if let Some((at, stop)) = &self.stops_at
            && log.len() == *at
        {
            stop.request();
        }
        trouble
    }

    /// Fills the disk with a file beside the judge's folder.
    fn fill(&self) {
        let root = self.root.lock().unwrap();
        let full = root.parent().unwrap().join("full");
        let mut full = fs::File::create(full).unwrap();
        for size in [1 << 16, 1] {
            while full.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn build(&self, request: &Request) -> Result<Outcome, SandboxError> {
        let folder = &request.directory.host;
        let source = fs::read_to_string(folder.join("main.c")).unwrap();
        assert!(source.contains("//"), "only whole sources are built");
        let trouble = self.done(format!("build {}", name(&source)));
        let is_broken = source.contains("broken");
        self.sources.lock().unwrap().insert(folder.clone(), source);
        let mut status = i32::from(is_broken);
        let said = if is_broken { "main.c:1: error: no" } else { "" };
        // Files that do not fit on the disk are lost.
        let program = folder.join("program");
        let _ = fs::write(&program, "");
        let _ = fs::set_permissions(&program, fs::Permissions::from_mode(0o755));
        let _ = fs::write(&request.stdout, "");
        let _ = fs::write(&request.stderr, said);
        match trouble {
            Some(Trouble::FillsAndFails) => {
                // Keeps its messages, but not its folder.
                let _ = fs::remove_file(folder.parent().unwrap().join("room"));
                fs::create_dir(folder.parent().unwrap().join("room")).unwrap();
                status = 1;
            }
            Some(trouble) => self.fail(trouble, request)?,
            None => {}
        }
        Ok(outcome(End::Exited(status), 0))
    }

    fn fail(&self, trouble: Trouble, request: &Request) -> Result<(), SandboxError> {
        match trouble {
            Trouble::Dies => Err(SandboxError::Protocol("it was killed".to_owned())),
            Trouble::Vanishes => Err(SandboxError::Execute {
                program: request.program.clone(),
                source: io::ErrorKind::NotFound.into(),
            }),
            Trouble::Panics => panic!("a bug"),
            Trouble::Fills | Trouble::FillsAndFails => {
                self.fill();
                Ok(())
            }
        }
    }
}

/// The program's owner: the first word of its comment.
fn name(source: &str) -> &str {
    let (_, words) = source.split_once("//").unwrap();
    words.split_whitespace().next().unwrap()
}

fn outcome(end: End, stdout: usize) -> Outcome {
    Outcome {
        end,
        stdout: Bytes(stdout as u64),
        ..ended_well(CpuTime::from_millis(40))
    }
}

impl Machine {
    fn executed(&self, request: &Request) -> Result<Outcome, SandboxError> {
        if request.returns == Returns::Everything {
            return self.build(request);
        }
        let n = request.arguments.last().unwrap().to_str().unwrap();
        let n: u32 = n.parse().unwrap();
        let source = if request.program == Path::new("/grader") {
            "// reference twice".to_owned()
        } else {
            let folder = request.program.parent().unwrap();
            self.sources.lock().unwrap()[folder].clone()
        };
        let line = format!("{} n={n}", name(&source));
        let others = self.running.fetch_add(1, Ordering::SeqCst);
        if self.log.lock().unwrap().contains(&line) {
            self.beside_repeated.fetch_add(others, Ordering::SeqCst);
        }
        thread::yield_now();
        self.running.fetch_sub(1, Ordering::SeqCst);
        let trouble = self.done(line);
        let does = |what: &str| source.contains(what);
        let answer = match n {
            n if does("thrice") => format!("{}\n", 3 * n),
            n if does("loud") => format!("OK {}\n", 2 * n),
            n => format!("{}\n", 2 * n),
        };
        if does("alters") {
            let folder = request.program.parent().unwrap();
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
            fs::write(folder.join("more"), "").unwrap();
        }
        let (answer, said) = if does("misplaced") {
            (String::new(), answer)
        } else {
            (
                answer,
                if does("exits") { "main.c: oops" } else { "" }.to_owned(),
            )
        };
        let _ = fs::write(&request.stdout, &answer);
        let _ = fs::write(&request.stderr, said);
        if let Some(trouble) = trouble {
            self.fail(trouble, request)?;
        }
        let end = if does("killed") {
            if let Some(stop) = self.stops_late.clone() {
                thread::spawn(move || stop.request());
            }
            End::Signalled(15)
        } else {
            End::Exited(if does("exits") { 3 } else { 0 })
        };
        Ok(outcome(end, answer.len()))
    }
}

impl Runner for Machine {
    fn run(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        if !gate.enter() {
            return Err(SandboxError::Cancelled);
        }
        let outcome = self.executed(request);
        gate.leave(None);
        outcome
    }

    fn inside(&self, _: MountPoint, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn isolation(&self) -> Isolation {
        Isolation {
            level: IsolationLevel::Basic,
            layers: self.layers.clone(),
            missing: Vec::new(),
        }
    }
}
