//! From what a run did to a verdict.

use grader_check::CheckError;
use grader_language::Language;
use grader_model::{
    Breach, CaseResult, CpuTime, End, Evidence, Excerpt, Judgement, Limits, Mark, Text, Verdict,
};
use grader_problem::{Case, ExitPolicy, RunRule};

use crate::run::{BAND, Ran};

/// What decides, besides the run itself.
pub(crate) struct Rules<'a> {
    pub(crate) language: &'a dyn Language,
    pub(crate) run: &'a RunRule,
    pub(crate) case: &'a Case,
    pub(crate) limits: Limits,
    pub(crate) answer: Option<&'a [u8]>,
    pub(crate) yardstick: Option<CpuTime>,
}

/// Judges a run, in the order of `docs/design.md` section 1: time, memory, output, end of the program,
/// answer.
pub(crate) fn judge(ran: &Ran, rules: &Rules<'_>) -> Result<CaseResult, CheckError> {
    let limits = rules.limits;
    let outcome = &ran.outcome;
    let used = outcome.cpu;
    let near_limit = outcome.breach != Some(Breach::Cpu)
        && used.0 >= limits.cpu.0.mul_f64(1.0 - BAND)
        && used.0 <= limits.cpu.0.mul_f64(1.0 + BAND);
    let mut result = CaseResult {
        name: rules.case.name.clone(),
        verdict: Verdict::Accepted,
        message: None,
        evidence: Vec::new(),
        hints: Vec::new(),
        outcome: Some(outcome.clone()),
        limits: Some(limits),
        yardstick: rules.yardstick,
        stderr: ran.stderr_excerpt(),
        near_limit,
    };
    let failed_to_end_well = !outcome.end.is_success() && rules.run.exit_status == ExitPolicy::Zero;

    if outcome.breach == Some(Breach::Cpu) || used.0 > limits.cpu.0 {
        result.verdict = Verdict::TimeLimit;
        result.message = Some(cpu_message(used, &limits, outcome.breach == Some(Breach::Cpu)));
    } else if outcome.breach == Some(Breach::Wall) {
        result.verdict = Verdict::TimeLimit;
        result.message = Some(Text::new(
            format!(
                "stopped after {} of wall time (limit {}) with only {used} of CPU time: it sleeps or waits",
                outcome.wall, limits.wall
            ),
            format!(
                "运行了 {}（墙钟限制 {}）后被终止，只用了 {used} 的 CPU 时间：程序在睡眠或等待",
                outcome.wall, limits.wall
            ),
        ));
    } else if outcome.breach == Some(Breach::Memory) {
        result.verdict = Verdict::MemoryLimit;
        result.message = Some(memory_message(ran, &limits));
    } else if outcome.breach == Some(Breach::Output) {
        result.verdict = Verdict::OutputLimit;
        result.message = Some(Text::new(
            format!("wrote more than {}", limits.output),
            format!("输出超过 {}", limits.output),
        ));
        if let Some(answer) = &ran.answer {
            result.evidence.push(
                Evidence::new("output-start", Text::new("the output begins", "输出的开头"))
                    .with_found(Excerpt::new(answer)),
            );
        }
    } else if failed_to_end_well && rules.language.ran_out_of_memory(&ran.stderr) {
        result.verdict = Verdict::MemoryLimit;
        result.message = Some(memory_message(ran, &limits));
        result.hints = rules.language.explain_run(&ran.stderr, outcome.end);
    } else if failed_to_end_well {
        result.verdict = Verdict::RuntimeError;
        result.hints = rules.language.explain_run(&ran.stderr, outcome.end);
        let judgement = checked(ran, rules)?;
        result.message = Some(end_message(outcome.end, judgement.mark == Mark::Right));
    } else {
        let judgement = checked(ran, rules)?;
        result.verdict = match judgement.mark {
            Mark::Right => Verdict::Accepted,
            Mark::Layout => Verdict::PresentationError,
            Mark::Wrong => Verdict::WrongAnswer,
        };
        if judgement.mark != Mark::Right {
            result.message = judgement.evidence.first().map(|evidence| evidence.message.clone());
            if let Some(hint) = answer_on_stderr(ran, rules)? {
                result.hints.push(hint);
            }
        }
        result.evidence = judgement.evidence;
    }
    Ok(result)
}

/// Asks the checker; a missing output file is an answer of its own.
fn checked(ran: &Ran, rules: &Rules<'_>) -> Result<Judgement, CheckError> {
    match &ran.answer {
        Some(answer) => grader_check::judge(&rules.case.checker, answer, rules.answer),
        None => Ok(Judgement::because(Mark::Wrong, missing_file(ran, rules))),
    }
}

fn missing_file(ran: &Ran, rules: &Rules<'_>) -> Evidence {
    let name = rules.run.output_file.as_deref().unwrap_or_default();
    let (en, zh) = if !ran.left.is_empty() {
        let left = ran.left.join("`, `");
        (format!("; it left `{left}`"), format!("；留下的文件有 `{left}`"))
    } else if ran.outcome.stdout.0 > 0 {
        ("; it wrote to standard output".to_owned(), "；它写到了标准输出".to_owned())
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

/// A program that prints its answer to standard error is wrong, but should be told.
fn answer_on_stderr(ran: &Ran, rules: &Rules<'_>) -> Result<Option<Text>, CheckError> {
    let nothing_printed = ran
        .answer
        .as_ref()
        .is_none_or(|answer| answer.trim_ascii().is_empty());
    if !nothing_printed || ran.stderr.trim_ascii().is_empty() {
        return Ok(None);
    }
    let judgement = grader_check::judge(&rules.case.checker, &ran.stderr, rules.answer)?;
    Ok((judgement.mark != Mark::Wrong).then(|| {
        Text::new(
            "the answer stands on standard error; only standard output is judged",
            "答案写到了标准错误输出；评测只看标准输出",
        )
    }))
}

fn cpu_message(used: CpuTime, limits: &Limits, stopped: bool) -> Text {
    if stopped {
        Text::new(
            format!("stopped after {used} of CPU time; the limit is {}", limits.cpu),
            format!("用了 {used} 的 CPU 时间后被终止；限制为 {}", limits.cpu),
        )
    } else {
        Text::new(
            format!("took {used} of CPU time; the limit is {}", limits.cpu),
            format!("用了 {used} 的 CPU 时间；限制为 {}", limits.cpu),
        )
    }
}

fn memory_message(ran: &Ran, limits: &Limits) -> Text {
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
        End::Signalled(_) => (format!("killed by {end}"), format!("被信号终止：{end}")),
    };
    if right {
        Text::new(
            format!("{en}, although the answer is right: end with exit status 0 (`return 0` from `int main`)"),
            format!("{zh}，尽管答案正确：请以退出状态 0 结束（`int main` 中 `return 0`）"),
        )
    } else {
        Text::new(en, zh)
    }
}
