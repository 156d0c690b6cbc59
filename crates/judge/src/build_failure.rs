//! What a failed build means: whose fault it is, and the sentence about it.

use grader_language::{BuildCommand, Language, missing_tool, unstartable};
use grader_model::{Breach, Bytes, CpuTime, End, Outcome, Text, text};

use crate::Fault;
use crate::constants::{
    COMPILER_IDLE_FACTOR, COMPILER_MEMORY, CRASHES, MAX_COMPILER_FILE, MAX_COMPILER_OUTPUT,
};

/// The C library's description of `SIGXFSZ`.
const FILE_TOO_LARGE: &str = "File size limit exceeded";

/// If the compiler was killed or starved of CPU time, that is our fault. If it crashes or waits forever, the source is to
/// blame.
pub(crate) fn compiler_fault(outcome: &Outcome, time: CpuTime) -> Option<Fault> {
    let Outcome { cpu, wall, end, .. } = outcome;
    let reason = match (outcome.breach, end) {
        (None, End::Signalled(signal)) if !CRASHES.contains(signal) => {
            format!("it was killed by {end}")
        }
        (Some(Breach::Wall), _) if cpu.0 < time.0 && !was_idle(outcome) => {
            format!("it had used only {cpu} of CPU time after {wall}: the machine is too busy")
        }
        _ => return None,
    };
    Some(Fault::Other(format!("the compiler failed: {reason}")))
}

/// Why a build failed, as its messages say; an error if it cannot succeed here, whatever the student wrote. `None` if it did
/// not fail.
pub(crate) fn why_failed(
    outcome: &Outcome,
    messages: &str,
    language: &Language,
    time: CpuTime,
) -> Option<Result<Text, Fault>> {
    let mut breach = outcome.breach;
    if breach.is_none() && outcome.end.is_success() {
        return None;
    }
    // The signal may kill a child of the compiler (`as`, `ld`); gcc then reports its own error.
    if breach.is_none() && messages.contains(FILE_TOO_LARGE) {
        breach = Some(Breach::Output);
    }
    let mut tool = Text::new("compiler", "编译器");
    if language.definition.build.is_some() {
        if let Some(missing) = missing_tool(messages) {
            return Some(Err(missing.into()));
        }
        if let Some(program) = unstartable(messages) {
            return Some(Err(Fault::StartedInBuild(program.to_owned())));
        }
        tool = Text::new("build", "构建过程");
    }
    let Some(breach) = breach else {
        return Some(Ok(match outcome.end {
            end @ End::Signalled(_) => text!(
                "the {tool} crashed on this source: {end}",
                "{tool}在处理这份源程序时崩溃：{end}",
                tool
            ),
            End::Exited(_) => Text::new("does not compile", "编译错误"),
        }));
    };
    let reason = limit_exceeded(breach, outcome, time);
    Some(Ok(text!(
        "the {tool} was stopped: {reason}",
        "{tool}被终止：{reason}",
        tool,
        reason
    )))
}

/// Which of a compiler's limits was exceeded.
pub(crate) fn limit_exceeded(breach: Breach, outcome: &Outcome, time: CpuTime) -> Text {
    let wall = outcome.wall;
    let is_long = |written: Bytes| written >= MAX_COMPILER_OUTPUT;
    match breach {
        Breach::Wall if was_idle(outcome) => {
            text!("it was idle for {wall}", "一直在等待，历时 {wall}")
        }
        Breach::Cpu | Breach::Wall => text!("it took more than {time}", "用时超过 {time}"),
        Breach::Memory => text!(
            "it took more than {COMPILER_MEMORY} of memory",
            "内存超过 {COMPILER_MEMORY}"
        ),
        Breach::Output if is_long(outcome.stdout) || is_long(outcome.stderr) => text!(
            "it wrote more than {MAX_COMPILER_OUTPUT} of messages",
            "输出的信息超过 {MAX_COMPILER_OUTPUT}"
        ),
        Breach::Output => text!(
            "it wrote a file of more than {MAX_COMPILER_FILE}",
            "写出的文件超过 {MAX_COMPILER_FILE}"
        ),
    }
}

/// Whether a compiler reached its wall time limit without having worked.
fn was_idle(outcome: &Outcome) -> bool {
    outcome.breach == Some(Breach::Wall) && outcome.cpu.0 * COMPILER_IDLE_FACTOR < outcome.wall.0
}

/// A build that ended well without a program.
pub(crate) fn no_program(own_build: Option<&BuildCommand>) -> Text {
    let Some(build) = own_build else {
        // So does Go if the package is not `main`.
        return Text::new(
            "the compiler made no program that can be started",
            "编译器没有生成可以运行的程序",
        );
    };
    let (command, program) = (build.typed(), &build.program);
    text!(
        "`{command}` made no program `{program}` that can be started",
        "`{command}` 没有生成可以运行的程序 `{program}`"
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use grader_language::Languages;
    use grader_model::{LanguageId, WallTime};

    use super::*;
    use crate::tests::ended_well;

    const TIME: CpuTime = CpuTime(Duration::from_secs(10));

    /// What is said of a build that ended so; a fault of ours begins with `!`.
    fn said(outcome: &Outcome, messages: &str, command: &[&str]) -> String {
        let mut languages = Languages::built_in();
        if !command.is_empty() {
            let build = BuildCommand {
                words: command.iter().map(ToString::to_string).collect(),
                program: "list".to_owned(),
            };
            languages = languages.with_build(&[LanguageId::C], &build);
        }
        let language = languages.get(LanguageId::C).unwrap();
        if let Some(fault) = compiler_fault(outcome, TIME) {
            return format!("!{fault}");
        }
        match why_failed(outcome, messages, language, TIME) {
            None => String::new(),
            Some(Ok(text)) => text.en,
            Some(Err(fault)) => format!("!{fault}"),
        }
    }

    #[test]
    fn the_end_of_a_compiler_says_whose_fault_it_is() {
        let ended = |end, breach, cpu, wall| Outcome {
            end,
            breach,
            wall: WallTime::from_millis(wall),
            ..ended_well(CpuTime::from_millis(cpu))
        };
        let (well, badly) = (End::Exited(0), End::Exited(1));
        let (crash, kill) = (End::Signalled(11), End::Signalled(9));
        let denied = "/bin/sh: 1: ./gen: Permission denied";
        #[rustfmt::skip]
        let table = [
            (ended(well, None, 5, 9), "a warning", ""),
            (ended(badly, None, 5, 9), "an error", "does not compile"),
            (ended(crash, None, 5, 9), "", "the TOOL crashed on this source: signal 11 (SIGSEGV)"),
            (ended(kill, None, 5, 9), "", "!the compiler failed: it was killed by signal 9 (SIGKILL)"),
            (ended(badly, None, 5, 9), "as: File size limit exceeded", "the TOOL was stopped: it wrote a file of more than 256 MiB"),
            (ended(kill, Some(Breach::Cpu), 10_000, 10_000), "", "the TOOL was stopped: it took more than 10 s"),
            (ended(kill, Some(Breach::Wall), 10, 35_000), "", "the TOOL was stopped: it was idle for 35 s"),
            (ended(kill, Some(Breach::Wall), 9000, 35_000), "",
             "!the compiler failed: it had used only 9 s of CPU time after 35 s: the machine is too busy"),
            (ended(kill, Some(Breach::Memory), 5, 9), "", "the TOOL was stopped: it took more than 2 GiB of memory"),
        ];
        for (outcome, messages, expected) in &table {
            for (command, tool) in [(&[][..], "compiler"), (&["make", "list"], "build")] {
                let found = said(outcome, messages, command);
                assert_eq!(found, expected.replace("TOOL", tool), "{messages}");
            }
        }
        // What a command of the author's lacks is no fault of the student's.
        let failed = &table[1].0;
        let missing = "make: no-such-tool: No such file or directory";
        assert_eq!(
            said(failed, missing, &["make"]),
            "!not installed: no-such-tool"
        );
        assert!(said(failed, denied, &["make"]).starts_with("!the build starts `./gen`"));
        assert_eq!(said(failed, denied, &[]), "does not compile");
    }
}
