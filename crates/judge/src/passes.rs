//! Tasks in several passes: a checker that accepts may write `nextpass.in`, the input on which the program is run again.
//! What else it leaves in its folder for feedback is there when it is asked again.
//!
//! A program may learn nothing from its earlier pass but that input. So the first passes of all cases run before the second
//! ones, and those run in an order that follows from hidden inputs: what a pass leaves in a clock or in a counter of the
//! kernel is not next to the run that looks for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use grader_model::{CaseResult, SourceFile, Verdict};

use crate::Fault;
use crate::run::CaseRef;
use crate::workspace::{Workspace, if_there, read_start};

/// The file with the next input.
const NEXT: &str = "nextpass.in";
/// Largest input.
const MAX_INPUT: u64 = 64 << 20;
/// What a checker says of one pass only.
const OF_ONE_PASS: [&str; 5] = [
    NEXT,
    "score.txt",
    "score_multiplier.txt",
    "teammessage.txt",
    "judgemessage.txt",
];

/// What is kept from one pass of a case to the next.
pub(crate) struct Passes(Workspace);

impl Passes {
    pub(crate) fn new(folder: &Path) -> Result<Self, Fault> {
        let workspace = Workspace::new(folder, "passes-")?;
        workspace.folder("before")?;
        Ok(Self(workspace))
    }

    /// What the passes before this one left.
    fn before(&self) -> PathBuf {
        self.0.path().join("before")
    }

    /// What this one left.
    fn after(&self) -> PathBuf {
        self.0.path().join("after")
    }

    /// Whether a checker asks for another pass.
    pub(crate) fn is_asked_for(feedback: &Path) -> bool {
        fs::symlink_metadata(feedback.join(NEXT)).is_ok_and(|found| found.is_file())
    }

    /// Keeps what a checker left that asks for another pass. A pass may run several times; the last one counts.
    pub(crate) fn keep(&self, feedback: &Path) -> Result<(), Fault> {
        if_there(fs::remove_dir_all(self.after())).map_err(Fault::file("empty", self.after()))?;
        fs::rename(feedback, self.after()).map_err(Fault::file("move", feedback))
    }

    /// Copies what earlier passes left into an empty folder.
    pub(crate) fn restore(&self, feedback: &Path) -> Result<(), Fault> {
        copy(&self.before(), feedback).map_err(Fault::file("fill", feedback))
    }

    /// Goes on to the next pass, and gives its input; `None` if nothing asked for one.
    fn next(&self) -> Result<Option<Arc<[u8]>>, Fault> {
        let (before, after) = (self.before(), self.after());
        if !Self::is_asked_for(&after) {
            return Ok(None);
        }
        let input = read_start(&after.join(NEXT), MAX_INPUT)?;
        for name in OF_ONE_PASS {
            let path = after.join(name);
            if_there(fs::remove_file(&path)).map_err(Fault::file("remove", path))?;
        }
        fs::remove_dir_all(&before)
            .and_then(|()| fs::rename(after, &before))
            .map_err(Fault::file("move to", before))?;
        Ok(Some(input.into()))
    }
}

/// Copies files and folders, without following links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&to)?;
            copy(&entry.path(), &to)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// A case with its result.
pub(crate) type Judged<'a> = (CaseRef<'a>, Result<CaseResult, Fault>);

/// A case that was accepted so far.
struct Open<'a> {
    at: CaseRef<'a>,
    passes: Passes,
    /// The input of the next pass; the case's own before the first.
    input: Option<Arc<[u8]>>,
    result: Option<CaseResult>,
}

/// Judges cases pass by pass: all first passes in order, then all second ones in another. The results, in the order in
/// which they are known; if `skips` says so after a first pass, without the cases that were not begun.
///
/// # Errors
/// [`Fault::Stopped`]. Other faults are results.
pub(crate) fn judge_all<'a>(
    folder: &Path,
    sources: &[SourceFile],
    cases: &[CaseRef<'a>],
    skips: impl Fn(&CaseResult) -> bool,
    judge: impl Fn(CaseRef<'a>, &Passes, Option<&Arc<[u8]>>) -> Result<CaseResult, Fault>,
) -> Result<Vec<Judged<'a>>, Fault> {
    let (mut done, mut open, mut order) = (Vec::new(), Vec::new(), blake3::Hasher::new());
    for source in sources {
        order.update(blake3::hash(&source.bytes).as_bytes());
    }
    for &at in cases {
        open.push(Open {
            at,
            passes: Passes::new(folder)?,
            input: None,
            result: None,
        });
    }
    for pass in 1.. {
        if open.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for mut case in open {
            let judged = judge(case.at, &case.passes, case.input.as_ref());
            let is_last = pass == 1 && judged.as_ref().is_ok_and(&skips);
            match case.judged(pass, judged) {
                Ok(None) => {
                    let input = case.input.as_deref().unwrap_or_default();
                    order.update(blake3::hash(&case.at.case.input).as_bytes());
                    order.update(blake3::hash(input).as_bytes());
                    next.push(case);
                }
                Ok(Some(result)) => done.push((case.at, Ok(result))),
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                Err(fault) => done.push((case.at, Err(fault))),
            }
            if is_last {
                break;
            }
        }
        let seed = order.finalize();
        next.sort_by_cached_key(|case| {
            let name = format!("{pass} {}/{}", case.at.subtask.name, case.at.case.name);
            *blake3::keyed_hash(seed.as_bytes(), name.as_bytes()).as_bytes()
        });
        open = next;
    }
    Ok(done)
}

impl Open<'_> {
    /// Takes the result of a pass; gives that of the case, unless there is another pass.
    fn judged(
        &mut self,
        pass: u32,
        judged: Result<CaseResult, Fault>,
    ) -> Result<Option<CaseResult>, Fault> {
        let mut result = judged?;
        if result.verdict != Verdict::Accepted {
            if let Some(message) = &mut result.message {
                message.en = format!("pass {pass}: {}", message.en);
                message.zh = format!("第 {pass} 轮：{}", message.zh);
            }
            return Ok(Some(result));
        }
        let result = match self.result.take() {
            Some(earlier) => both(&earlier, result),
            None => result,
        };
        self.input = self.passes.next()?;
        if self.input.is_none() {
            return Ok(Some(result));
        }
        let max = self.at.problem.run.passes;
        if pass >= max {
            return Err(Fault::Other(format!(
                "the problem's checker or interactor requested more than {max} passes (`passes` in `[run]`)"
            )));
        }
        self.result = Some(result);
        Ok(None)
    }
}

/// The result of two accepted passes: the later one, with the times of the slower.
fn both(earlier: &CaseResult, later: CaseResult) -> CaseResult {
    let cpu = |result: &CaseResult| result.outcome.as_ref().map(|outcome| outcome.cpu);
    let slower = if cpu(earlier) > cpu(&later) {
        earlier.clone()
    } else {
        later.clone()
    };
    CaseResult {
        outcome: slower.outcome,
        limits: slower.limits,
        limit_origin: slower.limit_origin,
        message: slower.message,
        confirmation: slower.confirmation,
        near_limit: earlier.near_limit || later.near_limit,
        share: earlier.share.into_iter().chain(later.share).min(),
        ..later
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::tests::doubling;

    /// The passes of a program's cases, each of which asks for a second one, in the order in which they run.
    fn order(source: &str) -> Vec<String> {
        let assignment = doubling(|problem| problem.run.passes = 2);
        let cases: Vec<_> = CaseRef::all(&assignment.problems[0].problem).collect();
        let (folder, log) = (tempfile::tempdir().unwrap(), RefCell::new(Vec::new()));
        let judge = |at: CaseRef<'_>, passes: &Passes, input: Option<&Arc<[u8]>>| {
            let said = input.map(|it| String::from_utf8_lossy(it).into_owned());
            let pass = said.as_deref().unwrap_or("first");
            log.borrow_mut().push(format!("{pass} {}", at.case.name));
            if input.is_none() {
                let feedback = tempfile::tempdir_in(folder.path()).unwrap().keep();
                fs::write(feedback.join(NEXT), "second").unwrap();
                passes.keep(&feedback)?;
            }
            Ok(CaseResult {
                verdict: Verdict::Accepted,
                ..CaseResult::default()
            })
        };
        let sources = [SourceFile::new("a.c", source.as_bytes().to_vec())];
        let done = judge_all(folder.path(), &sources, &cases, |_| false, judge).unwrap();
        assert!(done.len() == cases.len() && done.iter().all(|(_, it)| it.is_ok()));
        log.into_inner()
    }

    #[test]
    fn all_first_passes_run_before_the_second_ones_which_run_in_another_order() {
        let log = order("one");
        let first: Vec<String> = (1..=5).map(|n| format!("first n={n}")).collect();
        let second: Vec<String> = (1..=5).map(|n| format!("second n={n}")).collect();
        assert_eq!(log[..5], first);
        assert_ne!(log[5..], second);
        let mut sorted = log[5..].to_vec();
        sorted.sort();
        assert_eq!(sorted, second);
        assert_eq!(order("one"), log);
        assert!((0..8).any(|n| order(&n.to_string()) != log));
    }
}
