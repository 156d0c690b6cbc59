//! Verdicts of runs.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use grader_language::Languages;
use grader_model::{Bytes, CaseName, CpuTime, LanguageId, Outcome, WallTime};
use grader_problem::{
    Checker, Contains, ExitPolicy, MemoryLibrary, ReportFormat, Role, Sought, TokenOptions, Wanted,
    load_problem,
};

use super::*;
use crate::decide::junit::Report;
use crate::tests::ended_well;

const LIMITS: Limits = Limits {
    cpu: CpuTime(Duration::from_secs(2)),
    wall: WallTime(Duration::from_secs(8)),
    memory: Bytes(64 << 20),
    output: Bytes(1024),
    processes: 1,
};

fn ran(end: End, breach: Option<Breach>, cpu_ms: u64, answer: &str) -> Run {
    let outcome = Outcome {
        end,
        breach,
        wall: WallTime::from_millis(8000),
        stdout: Bytes(answer.len() as u64),
        ..ended_well(CpuTime::from_millis(cpu_ms))
    };
    Run {
        answer: Some(answer.as_bytes().to_vec()),
        ..Run::new(outcome, UNIX_EPOCH, None)
    }
}

/// A case with 92 as the right answer, whose checks note what they are asked.
#[derive(Default)]
struct Noted {
    /// What the interactor says, if there is one.
    interactors: Option<Result<Judgement, &'static str>>,
    /// Whether 91 is the answer of another case.
    has_91: bool,
    asked: Vec<String>,
    /// What standard error must contain.
    on_stderr: Option<&'static str>,
}

impl Checks for Noted {
    type Fault = &'static str;

    fn interactors(&mut self) -> Result<Option<Judgement>, &'static str> {
        self.interactors.take().transpose()
    }

    fn check_stderr(&mut self, written: &[u8]) -> Result<Option<Judgement>, &'static str> {
        let rule = self.on_stderr.map(|text| Contains {
            lists: vec![vec![Sought::new(Wanted::Text(text.to_owned()))]],
            case_sensitive: true,
            ..Contains::default()
        });
        let judgement = rule.map(|rule| grader_check::check_stderr(&rule, written).unwrap());
        Ok(judgement)
    }

    fn check(&mut self, output: &[u8]) -> Result<Judgement, &'static str> {
        let output = String::from_utf8_lossy(output);
        self.asked.push(format!("check {output}"));
        let checker = Checker::Tokens(TokenOptions {
            case_sensitive: true,
            space_change_sensitive: false,
        });
        Ok(grader_check::check(&checker, output.as_bytes(), Some(b"92\n")).unwrap())
    }

    fn is_answer_of_another(&mut self, output: &[u8]) -> Result<bool, &'static str> {
        let output = String::from_utf8_lossy(output);
        self.asked.push(format!("another's {output}"));
        Ok(self.has_91 && output.contains("91"))
    }
}

/// Judges a run by this rule and checker.
fn judged_with(
    run: &RunRule,
    checker: Checker,
    ran: &Run,
    checks: &mut Noted,
) -> Result<CaseResult, &'static str> {
    judged_as(run, checker, ran, checks, false)
}

fn judged_as(
    run: &RunRule,
    checker: Checker,
    ran: &Run,
    checks: &mut Noted,
    has_authors_main: bool,
) -> Result<CaseResult, &'static str> {
    let case = case(checker, ExitPolicy::default());
    judged_in(&case, run, ran, checks, has_authors_main)
}

fn case(checker: Checker, exit_status: ExitPolicy) -> Case {
    Case {
        name: CaseName::new("n=8"),
        arguments: vec!["8".to_owned()],
        checker,
        exit_status,
        ..Case::default()
    }
}

fn judged_in(
    case: &Case,
    run: &RunRule,
    ran: &Run,
    checks: &mut Noted,
    has_authors_main: bool,
) -> Result<CaseResult, &'static str> {
    let languages = Languages::built_in();
    let rules = Rules {
        language: languages.get(LanguageId::Python).unwrap(),
        has_authors_main,
        facts: &SourceFacts::default(),
        sources: &[],
        run,
        case,
        limits: LIMITS,
    };
    judged(ran, &rules, checks)
}

/// Judges a run by a checker of ours.
fn judged_by(exit_status: ExitPolicy, output_file: Option<&str>, ran: &Run) -> CaseResult {
    let run = RunRule {
        output_file: output_file.map(str::to_owned),
        passes: 1,
        ..RunRule::default()
    };
    let case = case(Checker::Lines, exit_status);
    judged_in(&case, &run, ran, &mut Noted::default(), false).unwrap()
}

#[test]
fn a_function_is_told_when_it_prints_or_returns_nothing() {
    let prints = "The last line is right; the lines before it come from your own code";
    let returns_nothing = "`None` is what a function gives that ends without `return`";
    let table = [
        ("1\n92\n", true, Some(prints)),
        ("1\n92\n", false, None),
        ("None\n", true, Some(returns_nothing)),
        ("92\nNone\n", true, Some(returns_nothing)),
        ("None\n", false, None),
        ("None\n1\n", true, None),
        ("92\n", true, None),
        ("", true, None),
    ];
    let run = RunRule {
        passes: 1,
        ..RunRule::default()
    };
    for (output, has_authors_main, expected) in table {
        let ran = ran(End::Exited(0), None, 1, output);
        let result = judged_as(
            &run,
            Checker::Lines,
            &ran,
            &mut Noted::default(),
            has_authors_main,
        );
        let hints = result.unwrap().hints;
        assert_eq!(hints.len(), usize::from(expected.is_some()), "{output:?}");
        assert!(
            hints.iter().all(|it| it.en.starts_with(expected.unwrap())),
            "{hints:?}"
        );
    }
}

/// A checker that is a program, or an interactor.
fn program(role: Role) -> Checker {
    let mut library = MemoryLibrary::default();
    let problem = r#"
format = 1
id = "p"
title = "P"
[submission]
files = ["p.*"]
[limits]
time = "1 s"
[checker.program]
source = "judge.py"
[[subtask]]
name = "all"
points = 1
case = [{ name = "1" }]
"#;
    library.insert("problem.toml", problem);
    library.insert("judge.py", "");
    let problem = load_problem(&library, "", &[], &Languages::built_in()).unwrap();
    let mut checker = problem.subtasks[0].cases[0].checker.clone();
    if let Checker::Program(call) = &mut checker {
        Arc::make_mut(&mut call.program).role = role;
    }
    checker
}

#[test]
#[rustfmt::skip]
fn time_memory_output_end_and_answer_decide_in_this_order() {
    use Verdict::{Accepted, MemoryLimit, OutputLimit, PresentationError, RuntimeError, TimeLimit, WrongAnswer};
    let (done, kill) = (End::Exited(0), End::Signalled(9));
    let (cpu, wall) = (Some(Breach::Cpu), Some(Breach::Wall));
    let (memory, output) = (Some(Breach::Memory), Some(Breach::Output));
    let sleeps = "stopped after 8 s of wall time (limit 8 s) with only 3.0 ms of CPU time: it sleeps or waits";
    let right_end = "ended with exit status 1, although the answer is right: it failed afterwards, or did not end with exit status 0";
    let oom = "ran out of memory; the limit is 64 MiB";
    for (end, breach, cpu_ms, answer, verdict, message, near) in [
        (done, None, 100, "92\n", Accepted, "", false),
        (done, None, 1800, "92\n", Accepted, "", true),
        (done, None, 2100, "92\n", TimeLimit, "took 2.1 s of CPU time; the limit is 2 s", true),
        // How near it would have come is unknown.
        (kill, cpu, 2300, "", TimeLimit, "stopped after 2.3 s of CPU time; the limit is 2 s", false),
        (kill, wall, 3, "", TimeLimit, sleeps, false),
        (kill, memory, 2500, "92\n", TimeLimit, "took 2.5 s of CPU time; the limit is 2 s", false),
        (kill, memory, 10, "92\n", MemoryLimit, oom, false),
        (kill, output, 2500, "92\n", TimeLimit, "took 2.5 s of CPU time; the limit is 2 s", false),
        (kill, output, 10, "92\n", OutputLimit, "wrote more than 1 KiB to a file", false),
        (End::Exited(1), None, 1, "92\n", RuntimeError, right_end, false),
        (End::Exited(3), None, 1, "91\n", RuntimeError, "ended with exit status 3", false),
        (End::Signalled(11), None, 1, "", RuntimeError, "crashed: killed by signal 11 (SIGSEGV)", false),
        (done, None, 1, "answer: 92\n", PresentationError, "extra text before the answer: `answer: `", false),
        (done, None, 1, "93\n", WrongAnswer, "expected `92`, found `93`", false),
    ] {
        let result = judged_by(ExitPolicy::default(), None, &ran(end, breach, cpu_ms, answer));
        let found = result.message.map(|message| message.en).unwrap_or_default();
        assert_eq!((result.verdict, &*found, result.near_limit), (verdict, message, near), "{answer} {breach:?}");
    }
}

#[test]
fn an_ignored_exit_status_is_not_looked_at() {
    let ran = ran(End::Exited(1), None, 1, "92\n");
    let result = judged_by(ExitPolicy::Ignored, None, &ran);
    assert_eq!(result.verdict, Verdict::Accepted);
}

#[test]
fn a_case_may_ask_for_an_exit_status_and_a_text_on_standard_error() {
    let trace = "Traceback (most recent call last):\n  File \"answer.py\", line 2, in <module>\nValueError: usage\n";
    let misplaced = "What belongs on standard error was printed to standard output.";
    for (status, answer, stderr, expected, hint) in [
        (2, "92\n", "usage: x\n", "AC", None),
        (
            0,
            "92\n",
            "usage: x\n",
            "RE ended with exit status 0, expected 2, although the answer is right",
            None,
        ),
        (
            1,
            "91\n",
            "usage: x\n",
            "RE ended with exit status 1, expected 2",
            None,
        ),
        (
            1,
            "91\n",
            trace,
            "RE ended by `ValueError` at line 2 of `answer.py`",
            Some(""),
        ),
        (
            2,
            "92\n",
            "",
            "WA standard error: `usage` does not appear",
            None,
        ),
        (
            2,
            "92\n",
            "Usage",
            "WA standard error: `usage` does not appear (only upper and lower case differ); found `Usage`",
            None,
        ),
        (2, "91\n", "", "WA expected `92`, found `91`", None),
        (
            2,
            "usage 92\n",
            "",
            "WA extra text before the answer: `usage `",
            Some(misplaced),
        ),
    ] {
        let mut checks = Noted {
            on_stderr: Some("usage"),
            ..Noted::default()
        };
        let case = case(Checker::Lines, ExitPolicy::Status(2));
        let ran = wrote(status, Some(answer), stderr);
        let result = judged_in(&case, &RunRule::default(), &ran, &mut checks, false).unwrap();
        let message = result.message.unwrap_or_default().en;
        let found = format!("{} {message}", result.verdict);
        assert_eq!(found.trim_end(), expected, "{stderr}");
        let hints: Vec<_> = result.hints.iter().map(|it| &*it.en).collect();
        match hint {
            Some("") => assert!(!hints.is_empty()),
            hint => assert_eq!(hints, Vec::from_iter(hint), "{expected}"),
        }
    }
}

#[test]
fn an_exception_is_said_first_where_the_exit_status_is_ignored() {
    let trace = "Traceback (most recent call last):\n  File \"answer.py\", line 2, in <module>\nValueError: x\n";
    for (status, answer, stderr, message, hints) in [
        (
            1,
            "",
            trace,
            "ended by `ValueError` at line 2 of `answer.py`; the program printed nothing",
            1,
        ),
        (
            1,
            "9\n",
            trace,
            "ended by `ValueError` at line 2 of `answer.py`; expected `92`, found `9`",
            1,
        ),
        // It printed one itself, or ended with a number of its own.
        (0, "9\n", trace, "expected `92`, found `9`", 0),
        (1, "9\n", "x\n", "expected `92`, found `9`", 0),
    ] {
        let ran = wrote(status, Some(answer), stderr);
        let result = judged_by(ExitPolicy::Ignored, None, &ran);
        assert_eq!(result.message.unwrap().en, message);
        assert_eq!(result.hints.len(), hints, "{:?}", result.hints);
    }
}

#[test]
fn an_exception_for_want_of_memory_is_the_memory_limit() {
    let mut hungry = ran(End::Exited(1), None, 1, "");
    hungry.stderr = b"Traceback (most recent call last):\nMemoryError\n".to_vec();
    let result = judged_by(ExitPolicy::default(), None, &hungry);
    assert_eq!(result.verdict, Verdict::MemoryLimit);
    let message = "ran out of memory; the limit is 64 MiB";
    assert_eq!(result.message.unwrap().en, message);
}

#[test]
fn a_file_of_another_name_is_pointed_out() {
    let mut missing = ran(End::Exited(0), None, 1, "");
    missing.answer = None;
    missing.left = vec!["Queens.out".to_owned()];
    let result = judged_by(ExitPolicy::default(), Some("queens.out"), &missing);
    assert_eq!(result.verdict, Verdict::WrongAnswer);
    assert_eq!(
        result.message.unwrap().en,
        "the program wrote no file `queens.out`; it left `Queens.out`"
    );
}

/// A run of the table below: how it ended, its answer, and its standard error.
fn wrote(status: i32, answer: Option<&str>, stderr: &str) -> Run {
    let mut run = ran(End::Exited(status), None, 1, answer.unwrap_or_default());
    run.answer = answer.map(|it| it.as_bytes().to_vec());
    run.stderr = stderr.as_bytes().to_vec();
    run
}

#[test]
#[rustfmt::skip]
fn what_a_checker_is_asked_depends_on_how_the_run_ended() {
    let late = Run { outcome: Outcome { cpu: CpuTime::from_millis(2100), ..wrote(0, None, "").outcome }, ..wrote(0, Some("92"), "") };
    let (own, programs) = (Checker::Lines, program(Role::Checker));
    for (checker, run, has_91, asked, expected) in [
        // Limits decide before any checker, the end before the answer; the checker then only explains.
        (&own, late, false, &[][..], "TLE took 2.1 s of CPU time; the limit is 2 s"),
        (&own, wrote(3, Some("92"), ""), false, &["check 92"], "RE ended with exit status 3, although the answer is right: it failed afterwards, or did not end with exit status 0"),
        (&own, wrote(3, Some("91"), ""), false, &["check 91"], "RE ended with exit status 3"),
        (&programs, wrote(3, Some("92"), ""), false, &[], "RE ended with exit status 3"),
        // The answer.
        (&own, wrote(0, Some("92"), "91"), false, &["check 92"], "AC"),
        (&programs, wrote(0, Some("92"), ""), false, &["check 92"], "AC"),
        (&own, wrote(0, Some("91"), "92"), false, &["check 91"], "WA expected `92`, found `91`"),
        // Other text is a fault of layout, unless another case's answer is in it.
        (&own, wrote(0, Some("91 or 92"), ""), false, &["check 91 or 92", "another's 91 or 92"], "PE extra text before the answer: `91 or `"),
        (&own, wrote(0, Some("91 or 92"), ""), true, &["check 91 or 92", "another's 91 or 92"], "WA extra text before the answer: `91 or `"),
        (&programs, wrote(0, Some("91 or 92"), ""), true, &["check 91 or 92"], "PE extra text before the answer: `91 or `"),
        // Standard error counts only as a hint, if there is nothing else.
        (&own, wrote(0, Some(" "), "92"), false, &["check  ", "check 92"], "WA the program printed nothing but white space (on stderr)"),
        (&own, wrote(0, Some(" "), "91"), false, &["check  ", "check 91"], "WA the program printed nothing but white space"),
        (&own, wrote(0, Some(" "), " "), false, &["check  "], "WA the program printed nothing but white space"),
        (&programs, wrote(0, Some(" "), "92"), false, &["check  "], "WA the program printed nothing but white space"),
        (&own, wrote(0, None, "92"), false, &["check 92"], "WA the program wrote no file `` (on stderr)"),
        (&programs, wrote(0, None, "92"), false, &[], "WA the program wrote no file ``"),
    ] {
        let mut checks = Noted { has_91, ..Noted::default() };
        let rule = RunRule { passes: 1, ..RunRule::default() };
        let result = judged_with(&rule, checker.clone(), &run, &mut checks).unwrap();
        let message = result.message.map(|it| it.en).unwrap_or_default();
        let is_on_stderr = result.hints.iter().any(|it| it.en.contains("stderr"));
        let found = format!("{} {message}{}", result.verdict.code(), if is_on_stderr { " (on stderr)" } else { "" });
        assert_eq!((checks.asked, found.trim_end()), (asked.iter().map(ToString::to_string).collect(), expected));
    }
}

#[test]
fn an_interactor_judges_a_program_that_did_not_fail_before_it() {
    let interactor = program(Role::Interactor);
    let wrong = || Judgement {
        mark: Mark::Wrong,
        evidence: Vec::new(),
    };
    let rejected = |status| Run {
        rejected: true,
        ..wrote(status, Some(""), "92")
    };
    for (run, interactors, expected) in [
        (
            wrote(0, Some(""), "92"),
            Ok(Judgement::right()),
            Ok(Verdict::Accepted),
        ),
        (
            wrote(0, Some(""), "92"),
            Ok(wrong()),
            Ok(Verdict::WrongAnswer),
        ),
        (wrote(0, Some(""), ""), Err("its fault"), Err("its fault")),
        (wrote(0, None, ""), Err("its fault"), Err("its fault")),
        (
            wrote(3, Some(""), ""),
            Err("its fault"),
            Ok(Verdict::RuntimeError),
        ),
        (
            wrote(3, Some(""), ""),
            Ok(wrong()),
            Ok(Verdict::RuntimeError),
        ),
        (rejected(3), Ok(wrong()), Ok(Verdict::WrongAnswer)),
    ] {
        let mut checks = Noted {
            interactors: Some(interactors),
            ..Noted::default()
        };
        let rule = RunRule {
            passes: 1,
            ..RunRule::default()
        };
        let found = judged_with(&rule, interactor.clone(), &run, &mut checks);
        assert_eq!(found.map(|it| it.verdict), expected);
        assert!(checks.asked.is_empty());
    }
}

#[test]
fn a_report_of_unit_tests_decides_instead_of_an_answer() {
    let report = Report::parse(b"<testsuites/>");
    let rule = RunRule {
        report: Some(ReportFormat::Junit),
        passes: 1,
        ..RunRule::default()
    };
    for (report, status, has_second, expected, codes) in [
        (&report, 0, false, Verdict::Accepted, vec![]),
        (&report, 0, true, Verdict::Accepted, vec!["second-report"]),
        (&report, 3, false, Verdict::RuntimeError, vec![]),
        (
            &None,
            0,
            true,
            Verdict::RuntimeError,
            vec!["report-incomplete", "second-report"],
        ),
    ] {
        let run = Run {
            report: report.clone(),
            has_second_report: has_second,
            ..wrote(status, Some("91"), "")
        };
        let mut checks = Noted::default();
        let result = judged_with(&rule, Checker::Report, &run, &mut checks).unwrap();
        let found: Vec<_> = result.evidence.iter().map(|it| it.code.as_str()).collect();
        assert_eq!((result.verdict, found), (expected, codes));
        assert!(checks.asked.is_empty());
    }
}
