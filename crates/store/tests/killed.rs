//! A writer that is killed in the middle loses nothing that it had kept, and leaves nothing half.

mod sample;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use grader_judge::{JobName, JobResult, ResultCache as _};
use grader_model::{ProblemId, StudentId, Text, Verdict};

/// Where the child finds the ledger; without it the child is an ordinary test that does nothing.
const LEDGER: &str = "GRADER_STORE_TEST_LEDGER";

/// A result so large that storing it takes several writes.
fn done(student: u64) -> JobResult {
    let mut state = student.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::new();
    while text.len() < 60_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text.push_str(&state.to_string());
    }
    let mut result = sample::problem("count", Verdict::Accepted);
    result.message = Some(Text::plain(&text));
    sample::done("aaaaaaaa", &result)
}

#[test]
fn child() {
    let Some(ledger) = std::env::var_os(LEDGER).map(PathBuf::from) else {
        return;
    };
    let run = sample::begin(&ledger);
    let mut out = std::io::stdout();
    for student in 0.. {
        sample::keep(&run, &StudentId::new(student.to_string()), &done(student));
        writeln!(out, "kept {student}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn a_job_that_was_kept_survives_a_kill_and_no_job_is_there_by_half() {
    for lines in [1, 2, 5, 11, 23] {
        let (_folder, ledger) = sample::folder();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child", "--exact", "--nocapture"])
            .env(LEDGER, &ledger)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut kept = 0;
        let mut told = 0;
        while let Some(Ok(line)) = said.next() {
            if line.contains("kept ") {
                told += 1;
                kept = told;
            }
            // It writes on while it is killed, and what it still says was kept too.
            if told == lines {
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        assert!(kept >= lines, "the child ended by itself");

        let run = sample::begin(&ledger);
        assert!(run.goes_on());
        let problem = ProblemId::new("count");
        let found = |student: u64| {
            let student = StudentId::new(student.to_string());
            let job = JobName {
                student: &student,
                problem: &problem,
            };
            let found = run.find(job, &sample::key("aaaaaaaa")).unwrap()?;
            Some(found.result)
        };
        for student in 0..kept {
            assert_eq!(found(student), Some(done(student).result));
        }
        // At most one more was stored and not announced; it is whole.
        if let Some(result) = found(kept) {
            assert_eq!(result, done(kept).result);
        }
        assert!(found(kept + 1).is_none());
    }
}
