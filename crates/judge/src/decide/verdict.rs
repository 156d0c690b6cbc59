//! From a run to a verdict.

use grader_language::{FailedRun, Language, SourceFacts};
use grader_model::{
    Breach, CaseResult, End, Evidence, Excerpt, Judgement, LanguageId, Limits, Mark, SourceFile,
    Text, Verdict, text,
};
use grader_problem::{Case, RunRule};

use super::run::Run;
use super::timing::is_near;

/// The rules by which a run is judged.
pub(crate) struct Rules<'a> {
    pub(crate) language: &'a Language,
    /// Whether the author's files have the entry point.
    pub(crate) has_authors_main: bool,
    /// How the sources read input and write output.
    pub(crate) facts: &'a SourceFacts,
    pub(crate) sources: &'a [SourceFile],
    pub(crate) run: &'a RunRule,
    pub(crate) case: &'a Case,
    pub(crate) limits: Limits,
}

/// The verdict of a run if something other than its answer decides: in this order, time, memory, output, end of the
/// program (`docs/design.md`, section 1). `None` if the answer decides.
pub(crate) fn before_answer(run: &Run, rules: &Rules<'_>) -> Option<CaseResult> {
    let (limits, outcome) = (rules.limits, &run.outcome);
    if run.rejected {
        return None;
    }
    let mut result = unjudged(run, rules);
    let breaches = |breach| outcome.breach == Some(breach);
    let (verdict, message) = if breaches(Breach::Cpu) || outcome.cpu > limits.cpu {
        (Verdict::TimeLimit, cpu_message(run, &limits))
    } else if breaches(Breach::Wall) {
        (Verdict::TimeLimit, wall_message(run, &limits))
    } else if breaches(Breach::Memory) {
        (Verdict::MemoryLimit, memory_message(run, &limits))
    } else if breaches(Breach::Output) {
        let (message, beginning) = output_message(run, rules);
        result.evidence.extend(beginning.map(|beginning| {
            let text = Text::new("the beginning of the output:", "输出的开头：");
            Evidence::new("output-start", text).with_found(Excerpt::new(beginning))
        }));
        (Verdict::OutputLimit, message)
    } else if !rules.run.accepts(outcome.end) {
        result.hints = rules.explained(run);
        if rules.language.ran_out_of_memory(&run.stderr) {
            (Verdict::MemoryLimit, memory_message(run, &limits))
        } else {
            (Verdict::RuntimeError, end_message(outcome.end))
        }
    } else {
        return None;
    };
    result.verdict = verdict;
    result.message = Some(Box::new(message));
    Some(result)
}

/// The verdict of a run that kept to its limits and ended well: its answer decides. `is_on_stderr` is true if it wrote
/// the right answer to standard error and nothing to standard output.
pub(crate) fn by_answer(
    run: &Run,
    rules: &Rules<'_>,
    judgement: Judgement,
    is_on_stderr: bool,
) -> CaseResult {
    let mut result = unjudged(run, rules);
    result.near_limit &= !run.rejected;
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
        let mut evidence = judgement.evidence.iter();
        let shown = evidence.find(|evidence| !evidence.staff_only);
        result.message = shown.map(|evidence| Box::new(evidence.message.clone()));
    }
    if is_on_stderr {
        result.hints.push(match &rules.run.output_file {
            None => Text::new(
                "Your answer was printed to stderr, not stdout.",
                "答案写到了标准错误输出；评测只看标准输出。",
            ),
            Some(name) => text!(
                "Your answer was printed to stderr, not to the file `{name}`.",
                "答案写到了标准错误输出；评测只看文件 `{name}`。"
            ),
        });
    }
    // The exit status may be ignored; a signal is none.
    if let (End::Signalled(_), Verdict::WrongAnswer) = (run.outcome.end, result.verdict)
        && run.outcome.breach.is_none()
        && !run.rejected
    {
        let end = end_message(run.outcome.end);
        let said = result.message.take().map(|it| *it).unwrap_or_default();
        let message = text!("{end}; {said}", "{end}；{said}", end, said);
        result.message = Some(Box::new(message));
        result.hints.extend(rules.explained(run));
    }
    result.evidence = judgement.evidence;
    result
}

fn unjudged(run: &Run, rules: &Rules<'_>) -> CaseResult {
    let outcome = &run.outcome;
    CaseResult {
        message: None,
        outcome: Some(outcome.clone()),
        limits: Some(rules.limits),
        // A stopped program would have used more.
        near_limit: outcome.breach.is_none() && is_near(outcome.cpu, rules.limits.cpu),
        ..CaseResult::unrun(rules.case.name.clone(), Verdict::Accepted, Text::default())
    }
}

/// The verdict of a run with a harness: accepted if its tests decide. An interactor's report outlives the program; then
/// the message says how that failed.
pub(crate) fn before_tests(run: &Run, rules: &Rules<'_>, has_report: bool) -> CaseResult {
    let is_beside = rules.case.checker.is_interactive();
    let result = match before_answer(run, rules) {
        Some(failed) if failed.verdict == Verdict::RuntimeError && is_beside => CaseResult {
            verdict: Verdict::Accepted,
            ..failed
        },
        Some(failed) => return failed,
        None => unjudged(run, rules),
    };
    if has_report {
        return result;
    }
    let text = Text::new(
        "the tests ended before the report was complete",
        "测试在报告写完之前就结束了",
    );
    CaseResult {
        verdict: Verdict::RuntimeError,
        message: Some(Box::new(text.clone())),
        evidence: vec![Evidence::new("report-incomplete", text)],
        ..result
    }
}

impl Rules<'_> {
    /// Likely causes of a run's failure.
    fn explained(&self, run: &Run) -> Vec<Text> {
        self.language.explain_run(&FailedRun {
            stderr: &run.stderr,
            end: run.outcome.end,
            has_authors_main: self.has_authors_main,
            is_one_file: self.sources.len() == 1,
            reads_arguments: self.facts.reads_arguments,
        })
    }
}

/// The evidence for an output file with nothing in it.
pub(crate) fn empty_file(run: &Run, name: &str) -> Evidence {
    let elsewhere = if run.outcome.stdout.0 > 0 {
        Text::new(
            "; the program wrote to standard output instead",
            "，程序写到了标准输出",
        )
    } else {
        Text::default()
    };
    let is_empty = run.answer.as_ref().is_none_or(Vec::is_empty);
    let holds = if is_empty {
        Text::new("is empty", "是空的")
    } else {
        Text::new("holds nothing but white space", "里只有空白字符")
    };
    let text = text!(
        "the file `{name}` {holds}{elsewhere}",
        "文件 `{name}` {holds}{elsewhere}",
        holds,
        elsewhere
    );
    Evidence::new("no-output", text)
}

/// The evidence for a missing output file, which is a wrong answer.
pub(crate) fn missing_file(run: &Run, rules: &Rules<'_>) -> Evidence {
    let name = rules.run.output_file.as_deref().unwrap_or_default();
    if run.left.iter().any(|left| left == name) {
        let text = text!(
            "the program wrote `{name}` and left it without the permission to be read",
            "程序写出了 `{name}`，但没有留下读取权限"
        );
        return Evidence::new("output-file-unreadable", text);
    }
    let left = run.left.join("`, `");
    let elsewhere = if !left.is_empty() {
        text!("; it left `{left}`", "；留下的文件有 `{left}`")
    } else if run.outcome.stdout.0 > 0 {
        Text::new("; it wrote to standard output", "，而是写到了标准输出")
    } else {
        Text::default()
    };
    let text = text!(
        "the program wrote no file `{name}`{elsewhere}",
        "程序没有写出文件 `{name}`{elsewhere}",
        elsewhere
    );
    Evidence::new("no-output-file", text)
}

fn cpu_message(run: &Run, limits: &Limits) -> Text {
    let (used, limit) = (run.outcome.cpu, limits.cpu);
    let how = if run.outcome.breach == Some(Breach::Cpu) {
        Text::new("stopped after", "后被终止")
    } else {
        Text::new("took", "")
    };
    text!(
        "{how} {used} of CPU time; the limit is {limit}",
        "用了 {used} 的 CPU 时间{how}；限制为 {limit}",
        how
    )
}

fn wall_message(run: &Run, limits: &Limits) -> Text {
    let (wall, cpu, limit) = (run.outcome.wall, run.outcome.cpu, limits.wall);
    // A program that was kept from the processor was not asleep.
    let cause = if run.contention.is_none() && cpu.0 * 4 < wall.0 {
        text!(
            "only {cpu} of CPU time: it sleeps or waits",
            "只用了 {cpu} 的 CPU 时间：程序在休眠或等待"
        )
    } else {
        text!(
            "{cpu} of CPU time: the machine was busy, or the wall limit is short",
            "用了 {cpu} 的 CPU 时间：机器繁忙，或实际时间的上限太短"
        )
    };
    text!(
        "stopped after {wall} of wall time (limit {limit}) with {cause}",
        "运行了 {wall}（实际时间上限 {limit}）后被终止，{cause}",
        cause
    )
}

/// Which output was too long, and its beginning.
fn output_message<'a>(run: &'a Run, rules: &Rules<'_>) -> (Text, Option<&'a [u8]>) {
    let (limit, file) = (rules.limits.output, &rules.run.output_file);
    let answer = run.answer.as_deref();
    let (target, beginning) = if file.is_none() && run.outcome.stdout >= limit {
        (Text::new("to standard output", "标准输出"), answer)
    } else if run.outcome.stderr >= limit {
        let target = Text::new(
            "to standard error (are there debug prints left?)",
            "标准错误输出（是不是忘了去掉调试输出？）",
        );
        (target, Some(&run.stderr[..]))
    } else if let Some(name) = file {
        (text!("to `{name}`", "文件 `{name}` "), answer)
    } else {
        (Text::new("to a file", "文件"), None)
    };
    let message = text!(
        "wrote more than {limit} {target}",
        "{target}超过 {limit}",
        target
    );
    (message, beginning)
}

fn memory_message(run: &Run, limits: &Limits) -> Text {
    let limit = limits.memory;
    let found = match run.outcome.memory {
        Some(used) if used > limit => text!("used {used} of memory", "用了 {used} 的内存"),
        _ => Text::new("ran out of memory", "内存不足"),
    };
    text!(
        "{found}; the limit is {limit}",
        "{found}；限制为 {limit}",
        found
    )
}

/// The message of a runtime error although the answer is right.
pub(crate) fn right_end_message(end: End, rules: &Rules<'_>) -> Text {
    let ended = end_message(end);
    let is_c = matches!(rules.language.id, LanguageId::C | LanguageId::Cpp);
    let more = match end {
        End::Exited(_) if is_c && !rules.has_authors_main => Text::new(
            "end with exit status 0 (`return 0` from `int main`)",
            "请以退出码 0 结束（在 `int main` 中写 `return 0`）",
        ),
        End::Exited(_) => Text::new(
            "it failed afterwards, or did not end with exit status 0",
            "程序在此之后出错，或者没有以退出码 0 结束",
        ),
        End::Signalled(_) => Text::new("it crashed afterwards", "程序在此之后崩溃了"),
    };
    text!(
        "{ended}, although the answer is right: {more}",
        "{ended}，但答案是对的：{more}",
        ended,
        more
    )
}

/// The message of a runtime error.
fn end_message(end: End) -> Text {
    match end {
        End::Exited(status) => text!("ended with exit status {status}", "以退出码 {status} 结束"),
        // The seccomp filter's response to 32-bit programs.
        End::Signalled(31) => text!(
            "killed by {end}: a forbidden system call",
            "被信号 31（SIGSYS）终止：使用了被禁止的系统调用"
        ),
        End::Signalled(signal) => {
            let name = End::signal_name(signal).map_or(String::new(), |name| format!("（{name}）"));
            text!("killed by {end}", "被信号 {signal}{name}终止")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use grader_language::Languages;
    use grader_model::{Bytes, CaseName, CpuTime, LanguageId, Outcome, WallTime};
    use grader_problem::{Checker, ExitPolicy, TokenOptions};

    use super::*;
    use crate::tests::ended_well;

    const LIMITS: Limits = Limits {
        cpu: CpuTime(Duration::from_secs(2)),
        wall: WallTime(Duration::from_secs(8)),
        memory: Bytes(64 << 20),
        output: Bytes(1024),
        processes: 1,
    };

    fn ran(end: End, breach: Option<Breach>, cpu_ms: u64, answer: &str) -> Run {
        Run {
            waited: None,
            began: std::time::UNIX_EPOCH,
            outcome: Outcome {
                end,
                breach,
                wall: WallTime::from_millis(8000),
                stdout: Bytes(answer.len() as u64),
                ..ended_well(CpuTime::from_millis(cpu_ms))
            },
            contention: None,
            answer: Some(answer.as_bytes().to_vec()),
            stderr: Vec::new(),
            left: Vec::new(),
            has_second_report: false,
            rejected: false,
        }
    }

    /// Judges a run of a case with 92 as the right answer.
    fn judged_by(exit_status: ExitPolicy, output_file: Option<&str>, ran: &Run) -> CaseResult {
        let run = RunRule {
            input_file: None,
            output_file: output_file.map(str::to_owned),
            files: Vec::new(),
            exit_status,
            report: None,
            passes: 1,
        };
        let case = Case {
            name: CaseName::new("n=8"),
            arguments: vec!["8".to_owned()],
            checker: Checker::Tokens(TokenOptions {
                case_sensitive: true,
                space_change_sensitive: false,
            }),
            ..Case::default()
        };
        let languages = Languages::built_in();
        let rules = Rules {
            language: languages.get(LanguageId::Python).unwrap(),
            has_authors_main: false,
            facts: &SourceFacts::default(),
            sources: &[],
            run: &run,
            case: &case,
            limits: LIMITS,
        };
        let judgement = || match &ran.answer {
            Some(answer) => grader_check::check(&case.checker, answer, Some(b"92\n")).unwrap(),
            None => Judgement::because(Mark::Wrong, missing_file(ran, &rules)),
        };
        before_answer(ran, &rules).unwrap_or_else(|| by_answer(ran, &rules, judgement(), false))
    }

    #[test]
    #[rustfmt::skip]
    fn time_memory_output_end_and_answer_decide_in_this_order() {
        use Verdict::{Accepted, MemoryLimit, OutputLimit, PresentationError, RuntimeError, TimeLimit, WrongAnswer};
        let (done, kill) = (End::Exited(0), End::Signalled(9));
        let (cpu, wall) = (Some(Breach::Cpu), Some(Breach::Wall));
        let (memory, output) = (Some(Breach::Memory), Some(Breach::Output));
        let sleeps = "stopped after 8 s of wall time (limit 8 s) with only 3.0 ms of CPU time: it sleeps or waits";
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
            (End::Exited(1), None, 1, "92\n", RuntimeError, "ended with exit status 1", false),
            (End::Exited(3), None, 1, "91\n", RuntimeError, "ended with exit status 3", false),
            (End::Signalled(11), None, 1, "", RuntimeError, "killed by signal 11 (SIGSEGV)", false),
            (done, None, 1, "answer: 92\n", PresentationError, "extra text before the answer: `answer: `", false),
            (done, None, 1, "93\n", WrongAnswer, "expected `92`, found `93`", false),
        ] {
            let result = judged_by(ExitPolicy::Zero, None, &ran(end, breach, cpu_ms, answer));
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
    fn an_exception_for_want_of_memory_is_the_memory_limit() {
        let mut hungry = ran(End::Exited(1), None, 1, "");
        hungry.stderr = b"Traceback (most recent call last):\nMemoryError\n".to_vec();
        let result = judged_by(ExitPolicy::Zero, None, &hungry);
        assert_eq!(result.verdict, Verdict::MemoryLimit);
        let message = "ran out of memory; the limit is 64 MiB";
        assert_eq!(result.message.unwrap().en, message);
    }

    #[test]
    fn a_file_of_another_name_is_pointed_out() {
        let mut missing = ran(End::Exited(0), None, 1, "");
        missing.answer = None;
        missing.left = vec!["Queens.out".to_owned()];
        let result = judged_by(ExitPolicy::Zero, Some("queens.out"), &missing);
        assert_eq!(result.verdict, Verdict::WrongAnswer);
        assert_eq!(
            result.message.unwrap().en,
            "the program wrote no file `queens.out`; it left `Queens.out`"
        );
    }
}
