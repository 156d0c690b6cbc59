//! Keys of a file that cannot be used together: a table for each file.

use std::ops::Range;

use crate::author_program::CheckerProtocol;
use crate::checker_options::ProgramFile;
use crate::diagnostic::Log;
use crate::file::{
    AttemptsFile, CaseFile, EntryFile, ProblemFile, ReferenceFile, SearchFile, SubtaskFile,
};
use crate::own_values::StudentFile;
use crate::value::At;

/// A key of the tables of this type.
pub(crate) struct Key<F> {
    /// The name of its field, after those of the tables that it is in: `run.input_file`.
    pub(crate) field: &'static str,
    /// Its place, if it is there.
    pub(crate) place: fn(&F) -> Option<&Range<usize>>,
}

impl<F> Key<F> {
    pub(crate) fn name(&self) -> String {
        let (_, name) = self.field.rsplit_once('.').unwrap_or(("", self.field));
        name.replace('_', "-")
    }
}

/// A key, and those of the same table or of one in it that cannot be used with it.
pub(crate) struct Excludes<F: 'static, G: 'static = F> {
    pub(crate) key: Key<F>,
    pub(crate) others: &'static [Key<G>],
}

/// The keys with the names of these fields.
macro_rules! keys {
    ($($($field:ident).+),+) => {
        &[$($crate::exclusive::keys!(@one $($field).+)),+]
    };
    (@one $($field:ident).+) => {
        $crate::exclusive::Key {
            field: stringify!($($field).+),
            place: |it| it.$($field).+.as_ref().map($crate::value::At::place),
        }
    };
}
pub(crate) use keys;

/// `report: checker, interactor;`: a key, and those that cannot be used with it.
macro_rules! table {
    ($($($field:ident).+: $($($other:ident).+),+;)+) => {
        &[$($crate::exclusive::Excludes {
            key: $crate::exclusive::keys!(@one $($field).+),
            others: $crate::exclusive::keys!($($($other).+),+),
        }),+]
    };
}
pub(crate) use table;

/// A problem of an assignment.
const ENTRY: &[Excludes<EntryFile>] = table! {
    points: bonus;
};

/// A problem file.
const PROBLEM: &[Excludes<ProblemFile>] = table! {
    submission.file: submission.files, submission.entry;
    interactor: checker, run.input_file, run.output_file;
    run.stdin: run.generate;
    run.report: checker, interactor, run.output_file;
    second_run: interactor, run.passes, run.report;
};
const REFERENCE: &[Excludes<ReferenceFile>] = table! {
    builtin: path;
};
const STUDENT: &[Excludes<StudentFile>] = table! {
    key: seed;
};
const SEARCH: &[Excludes<SearchFile>] = table! {
    stdin: generate;
};
const SUBTASK: &[Excludes<SubtaskFile>] = table! {
    attempts: by_time;
    growth: by_time, attempts;
    check: hidden, growth, attempts, by_time, checker;
};
const ATTEMPTS: &[Excludes<AttemptsFile>] = table! {
    at_least: score;
};
const CASE: &[Excludes<CaseFile>] = table! {
    stdin: stdin_file, generate;
    stdin_file: generate;
    answer: answer_file, dialogue;
    dialogue: stdin, stdin_file, generate, answer_file;
    mutant: stdin, stdin_file, generate, answer, answer_file, dialogue, test, time, exit_status, stderr;
};
const PROBLEM_AND_SUBTASK: &[Excludes<ProblemFile, SubtaskFile>] = table! {
    interactor: checker;
    second_run: attempts, growth;
};
const PROBLEM_AND_CASE: &[Excludes<ProblemFile, CaseFile>] = table! {
    interactor: dialogue;
    second_run: dialogue;
};
const SUBTASK_AND_CASE: &[Excludes<SubtaskFile, CaseFile>] = table! {
    growth: time;
    by_time: time;
};

/// Keys of programs, which say nothing of outputs that are submitted.
const OUTPUTS_AND_PROBLEM: &[Key<ProblemFile>] = keys!(
    submission.files,
    submission.file,
    submission.languages,
    submission.entry,
    interactor,
    run.input_file,
    run.output_file,
    run.report,
    run.passes,
    run.exit_status,
    run.stderr,
    limits.time,
    search,
    second_run
);
const FILES_AND_SUBTASK: &[Key<SubtaskFile>] = keys!(growth, attempts, by_time, check);
const OUTPUTS_AND_CASE: &[Key<CaseFile>] = keys!(dialogue, exit_status, stderr, time);

/// Keys of programs that are submitted, of inputs and of times, which say nothing of tests.
const TESTS_AND_PROBLEM: &[Key<ProblemFile>] = keys!(
    submission.files,
    submission.file,
    submission.languages,
    submission.entry,
    submission.outputs,
    interactor,
    run.stdin,
    run.generate,
    run.report,
    run.passes,
    search,
    second_run
);
const OUTPUTS: &[Key<ProblemFile>] = keys!(submission.outputs);
const TESTS: &[Key<ProblemFile>] = keys!(submission.tests);

/// The keys by which the cases are unit tests: [`harness`] is the one that counts.
const HARNESSES: [Key<ProblemFile>; 2] = [
    Key {
        field: "report",
        place: |it| it.run.report.as_ref().map(At::place),
    },
    Key {
        field: "protocol = \"junit\"",
        place: |it| {
            let interactor = it.interactor.as_ref();
            let is_harness = |it: &&At<ProgramFile>| it.protocol == CheckerProtocol::Junit;
            interactor.filter(is_harness).map(At::place)
        },
    },
];
const HARNESS_AND_PROBLEM: &[Key<ProblemFile>] = keys!(run.passes, run.exit_status, run.stderr);
const HARNESS_AND_SUBTASK: &[Key<SubtaskFile>] =
    keys!(growth, attempts, by_time, checker, cases, folder);
const HARNESS_AND_CASE: &[Key<CaseFile>] =
    keys!(answer, answer_file, dialogue, exit_status, stderr);

/// The key by which the cases of a problem are unit tests.
pub(crate) fn harness(problem: &ProblemFile) -> Option<Key<ProblemFile>> {
    let mut keys = HARNESSES.into_iter();
    keys.find(|it| (it.place)(problem).is_some())
}

/// Reports keys of a problem of an assignment that exclude each other.
pub(crate) fn check_entry(file: &EntryFile, log: &mut Log) {
    check(ENTRY, file, file, log);
}

/// Reports keys of a problem file that exclude each other.
pub(crate) fn check_problem(file: &ProblemFile, log: &mut Log) {
    let harness = harness(file);
    check(PROBLEM, file, file, log);
    check_key(harness.as_ref(), HARNESS_AND_PROBLEM, file, file, log);
    let (outputs, tests) = (OUTPUTS.first(), TESTS.first());
    check_key(outputs, OUTPUTS_AND_PROBLEM, file, file, log);
    check_key(tests, TESTS_AND_PROBLEM, file, file, log);
    if let Some(reference) = file.reference.as_deref() {
        check(REFERENCE, reference, reference, log);
    }
    if let Some(student) = &file.student {
        check(STUDENT, student, student, log);
    }
    if let Some(search) = file.search.as_deref() {
        check(SEARCH, search, search, log);
    }
    for subtask in file.subtask.iter().map(|it| &it.value) {
        check(SUBTASK, subtask, subtask, log);
        check(PROBLEM_AND_SUBTASK, file, subtask, log);
        check_key(harness.as_ref(), HARNESS_AND_SUBTASK, file, subtask, log);
        for files in [outputs, tests] {
            check_key(files, FILES_AND_SUBTASK, file, subtask, log);
        }
        if let Some(attempts) = subtask.attempts.as_deref() {
            check(ATTEMPTS, attempts, attempts, log);
        }
        for case in &subtask.case {
            check(CASE, case, case, log);
            check(PROBLEM_AND_CASE, file, case, log);
            check(SUBTASK_AND_CASE, subtask, case, log);
            check_key(harness.as_ref(), HARNESS_AND_CASE, file, case, log);
            check_key(outputs, OUTPUTS_AND_CASE, file, case, log);
        }
    }
}

/// Reports keys of a table, or of a table and one in it, that exclude each other.
pub(crate) fn check<F, G>(table: &[Excludes<F, G>], outer: &F, inner: &G, log: &mut Log) {
    for Excludes { key, others } in table {
        check_key(Some(key), others, outer, inner, log);
    }
}

fn check_key<F, G>(key: Option<&Key<F>>, others: &[Key<G>], outer: &F, inner: &G, log: &mut Log) {
    let found = key.and_then(|key| Some((key, (key.place)(outer)?)));
    let Some((key, first)) = found else {
        return;
    };
    for other in others {
        let Some(second) = (other.place)(inner) else {
            continue;
        };
        // The later one is the mistake.
        let (earlier, later, span) = if first.start < second.start {
            (key.name(), other.name(), second)
        } else {
            (other.name(), key.name(), first)
        };
        let message = format!("`{earlier}` and `{later}` cannot be used together");
        log.report(span, &message);
    }
}
