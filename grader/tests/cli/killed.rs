//! A grader that is killed again and again loses nothing and does nothing twice.
//!
//! A class of 8 students is graded once undisturbed. Then it is graded with another ledger, and the grader is killed
//! (`SIGKILL`, it alone) at moments drawn over the whole run, and started again each time. At the end
//!
//! - the report is that of the undisturbed run, but for what [`MEASURED`] lists, and so is what the last `grade` wrote;
//! - each job that the ledger held at any of the moments is there as it was then, down to the nanosecond of its
//!   times: a program that had run again would have others;
//! - no program of such a job has run again: each writes a line to a file outside for each of its runs, which only
//!   level `basic` lets it, so that all is done at both levels;
//! - no process of the grader, of its launchers or of a program is left, and no temporary folder.
//!
//! `BITCRAFT_NIGHTLY=1` kills it twelve times as often, and `BITCRAFT_KILLED_SEED=7` draws other moments.

mod class;
mod outside;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, thread};

use assert_cmd::cargo::cargo_bin;
use grader_model::ProblemResult;
use grader_store::{LedgerFault, Reader};
use serde_json::Value;

use crate::harness::{Ran, Room, have, is_nightly, strict};
use class::{JOBS, fill};
use outside::{Job, Log, processes, until};

/// A kill comes at most so long a part of the undisturbed run after the job that was drawn for it is finished: some jobs
/// take less, some more, on a machine of any speed.
const LATER: u32 = 40;
/// What is measured, and so differs from one run to the next, by JSON pointer; `*` stands for each item of a list.
const MEASURED: [&str; 5] = [
    "/run/began",
    "/students/*/problems/*/build/cpu-ms",
    "/students/*/problems/*/subtasks/*/cases/*/outcome/cpu-ms",
    "/students/*/problems/*/subtasks/*/cases/*/outcome/wall-ms",
    "/students/*/problems/*/subtasks/*/cases/*/outcome/memory-bytes",
];
/// How a run that found everything finished differs from the one that it reused.
const REUSED: [&str; 2] = ["/run", "/students/*/problems/*/origin"];

/// Numbers that look drawn: xorshift64*.
struct Draw(u64);

impl Draw {
    fn new() -> Self {
        let seed = std::env::var("BITCRAFT_KILLED_SEED").map_or(1, |seed| seed.parse().unwrap());
        Self(seed * 2 + 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

/// The class, and a copy of the grader: a process that runs it belongs to this test.
struct Setup {
    room: Room,
    level: &'static str,
    log: Log,
}

impl Setup {
    fn new(level: &'static str) -> Self {
        let log = Log::new();
        let room = fill(Room::new(), &log).folder("tmp").folder("bin");
        fs::copy(cargo_bin!("grader"), room.path("bin/grader")).unwrap();
        Self { room, level, log }
    }

    fn grader(&self, ledger: &str, report: &str) -> Child {
        let mut command = Command::new(self.room.path("bin/grader"));
        command
            .current_dir(self.room.path(""))
            .env("LC_ALL", "en_GB.UTF-8")
            .env("XDG_CACHE_HOME", self.room.cache())
            .env("BITCRAFT_CORE_LOCKS", self.room.cache())
            .env("TMPDIR", self.room.path("tmp"))
            .args(["grade", "class", "--assignment", "./assignment"])
            .args(["--jobs", "2", "--isolation", self.level])
            .args(["--ledger", ledger, "--quiet", "--json", report])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(self.room.path("stderr")).unwrap());
        command.spawn().unwrap()
    }

    /// Grades to the end.
    fn grade(&self, ledger: &str, report: &str) {
        let status = self.grader(ledger, report).wait().unwrap();
        let stderr = fs::read_to_string(self.room.path("stderr")).unwrap();
        assert!(status.success(), "{status}: {stderr}");
    }

    /// The report on the first run of a ledger, without what is measured. A grader that is started after the end of
    /// a run makes another, in which there is nothing left to do.
    fn report(&self, ledger: &str) -> Value {
        let arguments = ["report", "--ledger", ledger, "--run", "1", "--json", "-"];
        let Ran { status, stdout, .. } = self.room.run_as_it_is(&arguments);
        assert_eq!(status, 0);
        let mut report = serde_json::from_str(&stdout).unwrap();
        blank_all(&mut report, &MEASURED);
        report
    }

    /// What a grader wrote at the end of its run, without what is measured.
    fn written(&self, report: &str) -> Value {
        let text = fs::read_to_string(self.room.path(report)).unwrap();
        let mut report = serde_json::from_str(&text).unwrap();
        blank_all(&mut report, &MEASURED);
        report
    }

    /// The jobs that a ledger holds, with their results; empty while there is no ledger or no run.
    fn stored(&self, ledger: &str) -> BTreeMap<Job, ProblemResult> {
        let results = Reader::open(&self.room.path(ledger)).and_then(|ledger| ledger.results(1));
        let students = match results {
            Ok(results) => results.students,
            Err(error) => match error.why {
                LedgerFault::Missing
                | LedgerFault::Empty
                | LedgerFault::NoRun(_)
                | LedgerFault::NotStarted(_) => Vec::new(),
                why => panic!("{why}"),
            },
        };
        let mut stored = BTreeMap::new();
        for student in students {
            let jobs = student.problems.into_iter();
            for result in jobs.filter(|result| result.origin.is_some()) {
                let job = (student.id.to_string(), result.id.to_string());
                assert!(stored.insert(job, result).is_none(), "a job is there twice");
            }
        }
        stored
    }

    /// What lies in the folder for temporary files.
    fn left(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.room.path("tmp")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// Makes what is left look two minutes old: a grader does not remove a folder in its first minute, because the one
    /// that made it may not have locked it yet.
    fn age(&self) {
        let then = SystemTime::now() - Duration::from_secs(120);
        for path in self.left() {
            fs::File::open(path).unwrap().set_modified(then).unwrap();
        }
    }

    fn processes(&self) -> Vec<String> {
        processes(&self.room.path(""), self.log.mark())
    }

    fn assert_no_process(&self) {
        until(|| self.processes().is_empty());
        assert_eq!(self.processes(), Vec::<String>::new());
    }
}

/// Takes away what is at the pointers.
fn blank_all(value: &mut Value, pointers: &[&str]) {
    for pointer in pointers {
        let words: Vec<&str> = pointer.split('/').skip(1).collect();
        blank(value, &words);
    }
}

/// Takes away what is at a pointer, if it is there.
fn blank(value: &mut Value, pointer: &[&str]) {
    match (pointer, value) {
        (["*", rest @ ..], Value::Array(items)) => {
            for item in items {
                blank(item, rest);
            }
        }
        ([name], Value::Object(members)) => drop(members.remove(*name)),
        ([name, rest @ ..], Value::Object(members)) => {
            if let Some(member) = members.get_mut(*name) {
                blank(member, rest);
            }
        }
        _ => {}
    }
}

/// Asserts that one report is the other, line by line.
fn assert_same(report: &Value, undisturbed: &Value) {
    let [found, expected] =
        [report, undisturbed].map(|it| serde_json::to_string_pretty(it).unwrap());
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", number + 1);
    }
    assert_eq!(found.len(), expected.len());
}

/// The origins and verdicts of those jobs of a report that were not reused.
fn not_reused(report: &Value) -> Vec<(&Value, &Value)> {
    let students = report["students"].as_array().unwrap().iter();
    let problems = students.flat_map(|student| student["problems"].as_array().unwrap());
    let jobs = problems.map(|problem| (&problem["origin"]["kind"], &problem["verdict"]));
    jobs.filter(|(kind, _)| !kind.is_null() && *kind != "reused")
        .collect()
}

/// Kills the grader so often.
fn survives(level: &'static str, kills: usize) {
    let setup = Setup::new(level);
    let begun = Instant::now();
    setup.grade("undisturbed.db", "undisturbed.json");
    let later = begun.elapsed() / LATER;
    let undisturbed = setup.report("undisturbed.db");
    assert_same(&setup.written("undisturbed.json"), &undisturbed);
    assert_eq!(setup.stored("undisturbed.db").len(), JOBS);
    setup.log.clear();

    let mut draw = Draw::new();
    let mut moments: Vec<usize> = (0..kills).map(|_| draw.below(JOBS + 1)).collect();
    moments.sort_unstable();
    // Each job that was seen finished, and how often its programs had run by then.
    let mut finished: BTreeMap<Job, (ProblemResult, usize)> = BTreeMap::new();
    let mut in_time = 0;
    for jobs in moments {
        let mut grader = setup.grader("killed.db", "killed.json");
        let mut ended = || grader.try_wait().unwrap().is_some();
        assert!(until(|| setup.stored("killed.db").len() >= jobs || ended()));
        // Not to wait for anything: this is what makes the moment any moment.
        thread::sleep(later.mul_f64(draw.below(1000) as f64 / 1000.0));
        in_time += usize::from(!ended());
        grader.kill().unwrap();
        grader.wait().unwrap();
        let stored = setup.stored("killed.db");
        let runs = setup.log.runs();
        for (job, (result, _)) in &finished {
            assert_eq!(stored.get(job), Some(result), "{job:?}");
        }
        for (job, result) in stored {
            let ran = runs.get(&job).copied().unwrap_or_default();
            finished.entry(job).or_insert((result, ran));
        }
        // In the other half of the rounds the next grader meets what the last has left behind.
        if draw.below(2) == 0 {
            setup.assert_no_process();
        }
    }
    setup.assert_no_process();
    setup.age();
    setup.grade("killed.db", "killed.json");
    assert_same(&setup.report("killed.db"), &undisturbed);
    let (mut written, mut undisturbed) = (setup.written("killed.json"), undisturbed);
    if written["run"]["id"] != 1 {
        // The first run had come to its end when its grader was killed, and so the last grader made another.
        // Of earlier runs everything that compiles is reused.
        for (done, verdict) in not_reused(&written) {
            assert_eq!((done, verdict), (&"ran".into(), &"CE".into()));
        }
        blank_all(&mut written, &REUSED);
        blank_all(&mut undisturbed, &REUSED);
    }
    assert_same(&written, &undisturbed);
    let stored = setup.stored("killed.db");
    assert_eq!(stored.len(), JOBS);
    let runs = setup.log.runs();
    for (job, (result, ran)) in &finished {
        assert_eq!(stored.get(job), Some(result), "{job:?}");
        assert_eq!(runs.get(job).copied().unwrap_or_default(), *ran, "{job:?}");
    }
    eprintln!("killed before its end in {in_time} of {kills} rounds");
    // Of those after the last job, the grader may outrun all.
    assert!(in_time > 0);
    setup.assert_no_process();
    assert_eq!(setup.left(), Vec::<PathBuf>::new());
}

/// Number of kills: a twelfth of what `.ci/nightly` does.
fn kills(nightly: usize) -> usize {
    if is_nightly() { nightly } else { nightly / 12 }
}

#[test]
fn a_grader_that_is_killed_again_and_again_loses_nothing_and_does_nothing_twice() {
    if have(&["gcc", "python3"]) && strict() {
        survives("strict", kills(48));
    }
}

#[test]
fn no_program_of_a_finished_job_runs_again_however_often_the_grader_is_killed() {
    if have(&["gcc", "python3"]) {
        survives("basic", kills(24));
    }
}
