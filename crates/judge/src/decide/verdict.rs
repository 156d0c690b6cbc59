//! From a run to a verdict.

#[cfg(test)]
mod tests;

use grader_language::{FailedRun, Language, SourceFacts};
use grader_model::{
    Breach, CaseResult, End, Evidence, Excerpt, Judgement, LanguageId, Limits, Mark, SourceFile,
    Text, Verdict, text,
};
use grader_problem::{Case, ExitPolicy, RunRule};

use super::run::Run;
use super::timing::is_near;
use crate::constants::CRASHES;

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

/// What it takes an author's program or the reference to tell.
pub(crate) trait Checks {
    /// A failure on our side.
    type Fault;

    /// What the case's interactor says of the run, if there is one; an error only if it failed after the program.
    fn interactors(&mut self) -> Result<Option<Judgement>, Self::Fault>;

    /// What the case says of standard error, if it asks for something there.
    fn check_stderr(&mut self, written: &[u8]) -> Result<Option<Judgement>, Self::Fault>;

    /// What the checker says of an output.
    fn check(&mut self, output: &[u8]) -> Result<Judgement, Self::Fault>;

    /// Whether an output with other text is also, or has in that text, the answer of another case: then it says both.
    fn is_answer_of_another(&mut self, output: &[u8]) -> Result<bool, Self::Fault>;
}

/// The verdict of a run. Its limits and its end decide first, then its unit tests or its answer.
pub(crate) fn judged<C: Checks>(
    run: &Run,
    rules: &Rules<'_>,
    checks: &mut C,
) -> Result<CaseResult, C::Fault> {
    if run.report.is_some() || rules.run.report.is_some() {
        return Ok(before_tests(run, rules));
    }
    let is_built_in = rules.case.has_built_in_checker();
    if let Some(mut result) = before_answer(run, rules) {
        // An interactor is ignored if the program failed first: it may not expect that. No checker program runs just for a hint.
        if result.verdict == Verdict::RuntimeError
            && is_built_in
            && judgement(run, rules, checks)?.mark == Mark::Right
        {
            result.message = Some(Box::new(right_end_message(run, rules)));
        }
        return Ok(result);
    }
    let mut judgement = judgement(run, rules, checks)?;
    let says = |code: &str| judgement.evidence.iter().any(|it| it.code == code);
    if is_built_in && judgement.mark == Mark::Layout && says("extra-text") {
        let output = run.answer.as_deref().unwrap_or_default();
        if checks.is_answer_of_another(output)? {
            judgement.mark = Mark::Wrong;
        }
    } else if let Some(name) = &rules.run.output_file
        && says("no-output")
    {
        judgement.evidence = vec![empty_file(run, name)];
    }
    let is_blank = |written: &[u8]| written.trim_ascii().is_empty();
    let is_on_stderr = is_built_in
        && judgement.mark != Mark::Right
        && run.answer.as_deref().is_none_or(is_blank)
        && !is_blank(&run.stderr)
        && checks.check(&run.stderr)?.mark != Mark::Wrong;
    let stderr = checks.check_stderr(&run.stderr)?;
    let stderr = stderr.filter(|it| it.mark != Mark::Right);
    let is_misplaced = stderr.is_some() && {
        let on_stdout = checks.check_stderr(run.answer.as_deref().unwrap_or_default())?;
        on_stdout.is_some_and(|it| it.mark == Mark::Right)
    };
    if let Some(stderr) = stderr {
        judgement = and_stderr(judgement, stderr);
    }
    let mut result = by_answer(run, rules, judgement, is_on_stderr);
    if is_misplaced {
        result.hints.push(Text::new(
            "What belongs on standard error was printed to standard output.",
            "应写到标准错误输出的内容写到了标准输出。",
        ));
    }
    if is_built_in && rules.has_authors_main && result.verdict != Verdict::Accepted {
        let output = run.answer.as_deref().unwrap_or_default().trim_ascii_end();
        let (before, last) = match output.iter().rposition(|&byte| byte == b'\n') {
            Some(at) => (true, &output[at + 1..]),
            None => (false, output),
        };
        let is_right = before && checks.check(last)?.mark == Mark::Right;
        result.hints.extend(rules.of_function(last, is_right));
    }
    Ok(result)
}

/// A judgement of an answer, and of a standard error that is wrong.
fn and_stderr(answer: Judgement, stderr: Judgement) -> Judgement {
    let evidence = match answer.mark {
        // What is said of a right answer is a note.
        Mark::Right | Mark::Partial(_) => [stderr.evidence, answer.evidence],
        Mark::Layout | Mark::Wrong => [answer.evidence, stderr.evidence],
    };
    Judgement {
        mark: Mark::Wrong,
        evidence: evidence.concat(),
    }
}

/// How good the answer of a run is, as its interactor or its checker says.
fn judgement<C: Checks>(
    run: &Run,
    rules: &Rules<'_>,
    checks: &mut C,
) -> Result<Judgement, C::Fault> {
    if let Some(judgement) = checks.interactors()? {
        return Ok(judgement);
    }
    match &run.answer {
        Some(answer) => checks.check(answer),
        None => Ok(Judgement::because(Mark::Wrong, missing_file(run, rules))),
    }
}

/// The verdict of a run if something other than its answer decides: in this order, time, memory, output, end of the
/// program (`docs/verdicts.md`). `None` if the answer decides.
fn before_answer(run: &Run, rules: &Rules<'_>) -> Option<CaseResult> {
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
    } else if !rules.accepts(run) {
        result.hints = rules.explained(run);
        if rules.language.ran_out_of_memory(&run.stderr) {
            (Verdict::MemoryLimit, memory_message(run, &limits))
        } else {
            (Verdict::RuntimeError, rules.ended(run))
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
fn by_answer(run: &Run, rules: &Rules<'_>, judgement: Judgement, is_on_stderr: bool) -> CaseResult {
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
    // The exit status may be ignored; a signal is none, and an exception says more.
    let has_crashed = match run.outcome.end {
        End::Signalled(_) => true,
        End::Exited(0) => false,
        End::Exited(_) => rules.language.has_exception(&run.stderr),
    };
    if has_crashed
        && result.verdict == Verdict::WrongAnswer
        && run.outcome.breach.is_none()
        && !run.rejected
    {
        let end = rules.ended(run);
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

/// The verdict of a run with unit tests, before these are looked at: accepted if there is a complete report.
fn before_tests(run: &Run, rules: &Rules<'_>) -> CaseResult {
    let mut result = before_report(run, rules);
    if run.has_second_report {
        let text = Text::new("a second report was written", "写出了第二份报告");
        let evidence = Evidence::new("second-report", text);
        result.evidence.push(evidence.for_staff());
    }
    result
}

/// The same without another report. An interactor's report outlives the program; then the message says how that failed.
fn before_report(run: &Run, rules: &Rules<'_>) -> CaseResult {
    let is_beside = rules.case.checker.is_interactive();
    let result = match before_answer(run, rules) {
        Some(failed) if failed.verdict == Verdict::RuntimeError && is_beside => CaseResult {
            verdict: Verdict::Accepted,
            ..failed
        },
        Some(failed) => return failed,
        None => unjudged(run, rules),
    };
    if run.report.is_some() {
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
        // An exit status is no failure in itself if another one is expected.
        if matches!(self.case.exit_status, ExitPolicy::Status(1..))
            && matches!(run.outcome.end, End::Exited(_))
            && !self.language.has_exception(&run.stderr)
        {
            return Vec::new();
        }
        self.language.explain_run(&self.failed(run))
    }

    /// How a run that failed ended: by which exception, or else with which exit status or signal.
    fn ended(&self, run: &Run) -> Text {
        if let Some(exception) = self.language.exception(&self.failed(run)) {
            return text!("ended by {exception}", "程序{exception} 而结束", exception);
        }
        let end = end_message(run.outcome.end);
        match (self.case.exit_status, run.outcome.end) {
            (ExitPolicy::Status(wanted @ 1..), End::Exited(_)) => {
                text!("{end}, expected {wanted}", "{end}，应为 {wanted}", end)
            }
            _ => end,
        }
    }

    /// Whether a program has ended as it should. A harness ends with exit status 1 if a test fails. An exception that ends a program
    /// is a failure, even if the exit status is the one that is asked for: Python and Java make it 1.
    fn accepts(&self, run: &Run) -> bool {
        let (policy, end) = (self.case.exit_status, run.outcome.end);
        let is_test = self.run.report.is_some() && end == End::Exited(1);
        let is_asked = matches!(policy, ExitPolicy::Status(1..));
        (policy.accepts(end) && !(is_asked && self.language.has_exception(&run.stderr))) || is_test
    }

    fn failed<'a>(&self, run: &'a Run) -> FailedRun<'a> {
        FailedRun {
            stderr: &run.stderr,
            end: run.outcome.end,
            has_authors_main: self.has_authors_main,
            is_one_file: self.sources.len() == 1,
            reads_arguments: self.facts.reads_arguments,
        }
    }
}

/// The evidence for an output file with nothing in it.
fn empty_file(run: &Run, name: &str) -> Evidence {
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
fn missing_file(run: &Run, rules: &Rules<'_>) -> Evidence {
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
fn right_end_message(run: &Run, rules: &Rules<'_>) -> Text {
    let (end, ended) = (run.outcome.end, rules.ended(run));
    let is_c = matches!(rules.language.id, LanguageId::C | LanguageId::Cpp);
    let more = match end {
        End::Exited(_) if rules.case.exit_status != ExitPolicy::default() => {
            return text!(
                "{ended}, although the answer is right",
                "{ended}，但答案是对的",
                ended
            );
        }
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

/// The exit status or signal that ended a run.
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
            let crashed = if CRASHES.contains(&signal) {
                Text::new("crashed: ", "程序崩溃：")
            } else {
                Text::default()
            };
            text!(
                "{crashed}killed by {end}",
                "{crashed}被信号 {signal}{name}终止",
                crashed
            )
        }
    }
}
