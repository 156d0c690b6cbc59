//! From what a run did to a verdict.

use grader_language::Language;
use grader_model::{
    Breach, CaseResult, CpuTime, End, Evidence, Excerpt, Judgement, Limits, Mark, Text, Verdict,
};
use grader_problem::{Case, Checker, ExitPolicy, RunRule};

use crate::Fault;
use crate::run::{MAX_STDERR_SHOWN, Ran, is_near, shown};

/// What decides, besides the run itself.
pub(crate) struct Rules<'a> {
    pub(crate) language: &'a Language,
    pub(crate) run: &'a RunRule,
    pub(crate) case: &'a Case,
    pub(crate) limits: Limits,
    /// Asks the case's checker about an output.
    pub(crate) check: &'a dyn Fn(&[u8]) -> Result<Judgement, Fault>,
    pub(crate) reference_time: Option<CpuTime>,
}

/// Judges a run, in the order of `docs/design.md` section 1: time, memory, output, end of the program,
/// answer.
pub(crate) fn judge(ran: &Ran<'_>, rules: &Rules<'_>) -> Result<CaseResult, Fault> {
    let limits = rules.limits;
    let outcome = &ran.outcome;
    let used = outcome.cpu;
    let mut result = CaseResult {
        name: rules.case.name.clone(),
        verdict: Verdict::Accepted,
        message: None,
        evidence: Vec::new(),
        hints: Vec::new(),
        outcome: Some(outcome.clone()),
        limits: Some(limits),
        reference_time: rules.reference_time,
        limit_origin: None,
        stderr: shown(&ran.stderr, MAX_STDERR_SHOWN),
        // A program that was stopped would have gone further.
        near_limit: outcome.breach.is_none() && is_near(used, limits.cpu),
        confirmation: None,
        attempts: None,
        share: None,
        skipped: false,
    };
    let failed_to_end_well = !outcome.end.is_success() && rules.run.exit_status == ExitPolicy::Zero;

    if outcome.breach == Some(Breach::Cpu) || used.0 > limits.cpu.0 {
        result.verdict = Verdict::TimeLimit;
        result.message = Some(cpu_message(
            used,
            &limits,
            outcome.breach == Some(Breach::Cpu),
        ));
    } else if outcome.breach == Some(Breach::Wall) {
        result.verdict = Verdict::TimeLimit;
        result.message = Some(wall_message(ran, &limits));
    } else if outcome.breach == Some(Breach::Memory) {
        result.verdict = Verdict::MemoryLimit;
        result.message = Some(memory_message(ran, &limits));
    } else if outcome.breach == Some(Breach::Output) {
        result.verdict = Verdict::OutputLimit;
        over_output(ran, rules, &mut result);
    } else if failed_to_end_well && rules.language.ran_out_of_memory(&ran.stderr) {
        result.verdict = Verdict::MemoryLimit;
        result.message = Some(memory_message(ran, &limits));
        result.hints = rules.language.explain_run(&ran.stderr, outcome.end);
    } else if failed_to_end_well {
        result.verdict = Verdict::RuntimeError;
        result.hints = rules.language.explain_run(&ran.stderr, outcome.end);
        let is_right = !is_program(rules) && checked(ran, rules)?.mark == Mark::Right;
        result.message = Some(end_message(outcome.end, is_right));
    } else {
        let judgement = checked(ran, rules)?;
        result.verdict = match judgement.mark {
            Mark::Right => Verdict::Accepted,
            Mark::Partial(share) => {
                result.share = Some(share);
                Verdict::PartiallyCorrect
            }
            Mark::Layout => Verdict::PresentationError,
            Mark::Wrong => Verdict::WrongAnswer,
        };
        if judgement.mark != Mark::Right {
            result.message = judgement
                .evidence
                .iter()
                .find(|evidence| !evidence.staff_only)
                .map(|evidence| evidence.message.clone());
            if let Some(hint) = answer_on_stderr(ran, rules)? {
                result.hints.push(hint);
            }
        }
        result.evidence = judgement.evidence;
    }
    Ok(result)
}

/// Asks the checker; a missing output file is an answer of its own.
fn checked(ran: &Ran<'_>, rules: &Rules<'_>) -> Result<Judgement, Fault> {
    match &ran.answer {
        Some(answer) => (rules.check)(answer),
        None => Ok(Judgement::because(Mark::Wrong, missing_file(ran, rules))),
    }
}

fn missing_file(ran: &Ran<'_>, rules: &Rules<'_>) -> Evidence {
    let name = rules.run.output_file.as_deref().unwrap_or_default();
    if ran.left.iter().any(|left| left == name) {
        return Evidence::new(
            "output-file-unreadable",
            Text::new(
                format!("the program wrote `{name}` and left it without the permission to be read"),
                format!("程序写出了 `{name}`，但没有留下读取权限"),
            ),
        );
    }
    let (en, zh) = if !ran.left.is_empty() {
        let left = ran.left.join("`, `");
        (
            format!("; it left `{left}`"),
            format!("；留下的文件有 `{left}`"),
        )
    } else if ran.outcome.stdout.0 > 0 {
        (
            "; it wrote to standard output".to_owned(),
            "；它写到了标准输出".to_owned(),
        )
    } else {
        (String::new(), String::new())
    };
    Evidence::new(
        "no-output-file",
        Text::new(
            format!("the program wrote no file `{name}`{en}"),
            format!("程序没有写出文件 `{name}`{zh}"),
        ),
    )
}

/// Whether the checker is a program: it is not run for a hint.
const fn is_program(rules: &Rules<'_>) -> bool {
    matches!(rules.case.checker, Checker::Program { .. })
}

/// A program that prints its answer to standard error is wrong, but should be told.
fn answer_on_stderr(ran: &Ran<'_>, rules: &Rules<'_>) -> Result<Option<Text>, Fault> {
    let nothing_printed = ran
        .answer
        .as_ref()
        .is_none_or(|answer| answer.trim_ascii().is_empty());
    if !nothing_printed || ran.stderr.trim_ascii().is_empty() || is_program(rules) {
        return Ok(None);
    }
    let judgement = (rules.check)(&ran.stderr)?;
    Ok((judgement.mark != Mark::Wrong).then(|| {
        Text::new(
            "Your answer was printed to stderr, not stdout.",
            "答案写到了标准错误输出；评测只看标准输出。",
        )
    }))
}

pub(crate) fn cpu_message(used: CpuTime, limits: &Limits, stopped: bool) -> Text {
    if stopped {
        Text::new(
            format!(
                "stopped after {used} of CPU time; the limit is {}",
                limits.cpu
            ),
            format!("用了 {used} 的 CPU 时间后被终止；限制为 {}", limits.cpu),
        )
    } else {
        Text::new(
            format!("took {used} of CPU time; the limit is {}", limits.cpu),
            format!("用了 {used} 的 CPU 时间；限制为 {}", limits.cpu),
        )
    }
}

fn wall_message(ran: &Ran<'_>, limits: &Limits) -> Text {
    let (wall, cpu) = (ran.outcome.wall, ran.outcome.cpu);
    let limit = limits.wall;
    // A program that was kept from the processor does not sleep.
    if ran.contention.is_none() && cpu.0 * 4 < wall.0 {
        Text::new(
            format!(
                "stopped after {wall} of wall time (limit {limit}) with only {cpu} of CPU time: it sleeps or waits"
            ),
            format!(
                "运行了 {wall}（墙钟限制 {limit}）后被终止，只用了 {cpu} 的 CPU 时间：程序在睡眠或等待"
            ),
        )
    } else {
        Text::new(
            format!(
                "stopped after {wall} of wall time (limit {limit}) with {cpu} of CPU time: the machine was busy, or the wall limit is short"
            ),
            format!(
                "运行了 {wall}（墙钟限制 {limit}）后被终止，用了 {cpu} 的 CPU 时间：机器繁忙，或墙钟限制太短"
            ),
        )
    }
}

/// Says which output was too long, and shows how it begins.
fn over_output(ran: &Ran<'_>, rules: &Rules<'_>, result: &mut CaseResult) {
    let limit = rules.limits.output;
    let outcome = &ran.outcome;
    let (en, zh, beginning) = if rules.run.output_file.is_none() && outcome.stdout >= limit {
        (
            "to standard output".to_owned(),
            "标准输出".to_owned(),
            ran.answer.as_deref(),
        )
    } else if outcome.stderr >= limit {
        (
            "to standard error (are there debug prints left?)".to_owned(),
            "标准错误输出（是否忘了去掉调试输出？）".to_owned(),
            Some(&ran.stderr[..]),
        )
    } else if let Some(name) = &rules.run.output_file {
        (
            format!("to `{name}`"),
            format!("文件 `{name}` "),
            ran.answer.as_deref(),
        )
    } else {
        ("to a file".to_owned(), "文件".to_owned(), None)
    };
    result.message = Some(Text::new(
        format!("wrote more than {limit} {en}"),
        format!("{zh}超过 {limit}"),
    ));
    if let Some(beginning) = beginning {
        let evidence = Evidence::new("output-start", Text::new("the output begins", "输出的开头"));
        result
            .evidence
            .push(evidence.with_found(Excerpt::new(beginning)));
    }
}

fn memory_message(ran: &Ran<'_>, limits: &Limits) -> Text {
    match ran.outcome.memory {
        Some(used) if used > limits.memory => Text::new(
            format!("used {used} of memory; the limit is {}", limits.memory),
            format!("用了 {used} 内存；限制为 {}", limits.memory),
        ),
        _ => Text::new(
            format!("ran out of memory; the limit is {}", limits.memory),
            format!("内存不足；限制为 {}", limits.memory),
        ),
    }
}

fn end_message(end: End, right: bool) -> Text {
    let (en, zh) = match end {
        End::Exited(status) => (
            format!("ended with exit status {status}"),
            format!("以退出状态 {status} 结束"),
        ),
        // What the sandbox's filter of system calls answers to 32-bit programs.
        End::Signalled(31) => (
            format!("killed by {end}: a forbidden system call"),
            "被信号 31（SIGSYS）终止：使用了禁止的系统调用".to_owned(),
        ),
        End::Signalled(signal) => {
            let name = End::signal_name(signal).map_or(String::new(), |name| format!("（{name}）"));
            (
                format!("killed by {end}"),
                format!("被信号 {signal}{name}终止"),
            )
        }
    };
    if right {
        Text::new(
            format!(
                "{en}, although the answer is right: end with exit status 0 (`return 0` from `int main`)"
            ),
            format!("{zh}，尽管答案正确：请以退出状态 0 结束（`int main` 中 `return 0`）"),
        )
    } else {
        Text::new(en, zh)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use grader_language::language;
    use grader_model::{Bytes, CaseName, LanguageId, Outcome, WallTime};
    use grader_problem::Answer;

    use super::*;

    const LIMITS: Limits = Limits {
        cpu: CpuTime(Duration::from_secs(2)),
        wall: WallTime(Duration::from_secs(8)),
        memory: Bytes(64 << 20),
        output: Bytes(1024),
        processes: 1,
    };

    fn ran(end: End, breach: Option<Breach>, cpu_ms: u64, answer: &str) -> Ran<'static> {
        Ran {
            began: std::time::UNIX_EPOCH,
            outcome: Outcome {
                end,
                breach,
                cpu: CpuTime::from_millis(cpu_ms),
                wall: WallTime::from_millis(cpu_ms),
                memory: Some(Bytes(1 << 20)),
                stdout: Bytes(answer.len() as u64),
                stderr: Bytes(0),
            },
            contention: None,
            answer: Some(answer.as_bytes().to_vec()),
            stderr: Vec::new(),
            left: Vec::new(),
            _large: None,
        }
    }

    fn rule(exit_status: ExitPolicy) -> RunRule {
        RunRule {
            input_file: None,
            output_file: None,
            exit_status,
        }
    }

    fn judged_by(run: &RunRule, ran: &Ran<'_>) -> CaseResult {
        let case = Case {
            name: CaseName::new("n=8"),
            variables: BTreeMap::new(),
            arguments: vec!["8".to_owned()],
            input: Vec::new().into(),
            answer: Answer::Reference,
            checker: Checker::Tokens {
                case_sensitive: true,
                space_change_sensitive: false,
            },
        };
        let check = |output: &[u8]| Ok(grader_check::check(&case.checker, output, Some(b"92\n"))?);
        let rules = Rules {
            language: language(LanguageId::Python),
            run,
            case: &case,
            limits: LIMITS,
            check: &check,
            reference_time: None,
        };
        judge(ran, &rules).unwrap()
    }

    fn judged(ran: &Ran<'_>) -> (Verdict, String, bool) {
        let result = judged_by(&rule(ExitPolicy::Zero), ran);
        let message = result.message.map(|message| message.en).unwrap_or_default();
        (result.verdict, message, result.near_limit)
    }

    const WELL: End = End::Exited(0);

    #[test]
    fn a_right_answer_in_time_is_accepted_without_a_word() {
        assert_eq!(
            judged(&ran(WELL, None, 100, "92\n")),
            (Verdict::Accepted, String::new(), false)
        );
    }

    #[test]
    fn a_right_answer_that_comes_too_late_is_over_the_time_limit() {
        assert_eq!(
            judged(&ran(WELL, None, 2100, "92\n")),
            (
                Verdict::TimeLimit,
                "took 2.1 s of CPU time; the limit is 2 s".to_owned(),
                true
            )
        );
    }

    #[test]
    fn a_right_answer_just_in_time_is_accepted_and_near_the_limit() {
        assert_eq!(
            judged(&ran(WELL, None, 1800, "92\n")),
            (Verdict::Accepted, String::new(), true)
        );
    }

    #[test]
    fn a_program_that_was_stopped_is_not_near_the_limit_because_nobody_knows() {
        assert_eq!(
            judged(&ran(End::Signalled(9), Some(Breach::Cpu), 2300, "")),
            (
                Verdict::TimeLimit,
                "stopped after 2.3 s of CPU time; the limit is 2 s".to_owned(),
                false
            )
        );
    }

    #[test]
    fn a_sleeper_is_told_that_it_sleeps() {
        let mut sleeper = ran(End::Signalled(9), Some(Breach::Wall), 3, "");
        sleeper.outcome.wall = WallTime::from_millis(8000);
        assert_eq!(
            judged(&sleeper),
            (
                Verdict::TimeLimit,
                "stopped after 8 s of wall time (limit 8 s) with only 3.0 ms of CPU time: it sleeps or waits"
                    .to_owned(),
                false
            )
        );
    }

    #[test]
    fn the_first_limit_in_the_order_of_the_design_decides() {
        let kill = End::Signalled(9);
        for (breach, cpu, verdict) in [
            (Breach::Memory, 2500, Verdict::TimeLimit),
            (Breach::Memory, 10, Verdict::MemoryLimit),
            (Breach::Output, 2500, Verdict::TimeLimit),
            (Breach::Output, 10, Verdict::OutputLimit),
        ] {
            assert_eq!(
                judged(&ran(kill, Some(breach), cpu, "92\n")).0,
                verdict,
                "{breach:?} {cpu}"
            );
        }
    }

    #[test]
    fn a_right_answer_with_a_bad_exit_status_is_a_runtime_error_that_says_so() {
        assert_eq!(
            judged(&ran(End::Exited(1), None, 1, "92\n")),
            (
                Verdict::RuntimeError,
                "ended with exit status 1, although the answer is right: end with exit status 0 (`return 0` from `int main`)"
                    .to_owned(),
                false
            )
        );
        assert_eq!(
            judged(&ran(End::Exited(3), None, 1, "91\n")).1,
            "ended with exit status 3"
        );
        assert_eq!(
            judged(&ran(End::Signalled(11), None, 1, "")).1,
            "killed by signal 11 (SIGSEGV)"
        );
    }

    #[test]
    fn an_ignored_exit_status_is_not_looked_at() {
        let result = judged_by(
            &rule(ExitPolicy::Ignored),
            &ran(End::Exited(1), None, 1, "92\n"),
        );
        assert_eq!(result.verdict, Verdict::Accepted);
    }

    #[test]
    fn an_exception_for_want_of_memory_is_the_memory_limit() {
        let mut hungry = ran(End::Exited(1), None, 1, "");
        hungry.stderr = b"Traceback (most recent call last):\nMemoryError\n".to_vec();
        assert_eq!(
            judged(&hungry),
            (
                Verdict::MemoryLimit,
                "ran out of memory; the limit is 64 MiB".to_owned(),
                false
            )
        );
    }

    #[test]
    fn extra_text_is_a_presentation_error_and_other_text_is_wrong() {
        assert_eq!(
            judged(&ran(WELL, None, 1, "answer: 92\n")).0,
            Verdict::PresentationError
        );
        assert_eq!(judged(&ran(WELL, None, 1, "93\n")).0, Verdict::WrongAnswer);
    }

    #[test]
    fn a_missing_output_file_is_a_wrong_answer_that_names_what_is_there() {
        let run = RunRule {
            output_file: Some("queens.out".to_owned()),
            ..rule(ExitPolicy::Zero)
        };
        let mut missing = ran(WELL, None, 1, "");
        missing.answer = None;
        missing.left = vec!["Queens.out".to_owned()];
        let result = judged_by(&run, &missing);
        assert_eq!(result.verdict, Verdict::WrongAnswer);
        assert_eq!(
            result.message.unwrap().en,
            "the program wrote no file `queens.out`; it left `Queens.out`"
        );
    }

    #[test]
    fn an_answer_on_standard_error_is_pointed_out() {
        let mut misplaced = ran(WELL, None, 1, "");
        misplaced.stderr = b"92\n".to_vec();
        let result = judged_by(&rule(ExitPolicy::Zero), &misplaced);
        assert_eq!(result.verdict, Verdict::WrongAnswer);
        assert_eq!(
            result.hints[0].en,
            "Your answer was printed to stderr, not stdout."
        );
    }
}
