//! One row of the table.

use std::ops::RangeInclusive;

use crate::station::Station;

/// The problem for which a program is submitted: they differ in their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// 500 ms of CPU time, 64 MiB, 64 KiB of output, 16 processes; so much wall time that a busy machine is no reason.
    Plain,
    /// The same with 1 s of wall time.
    Sleep,
    /// The same with 1 s for the compiler.
    Build,
    /// For the Java machine, with 3 s of CPU time, 192 MiB and 64 threads.
    Jvm,
    /// The answer is to be written to `answer.txt`.
    File,
    /// 96 MiB of standard input.
    Input,
}

impl Task {
    pub(crate) const ALL: [Self; 6] = [
        Self::Plain,
        Self::Sleep,
        Self::Build,
        Self::Jvm,
        Self::File,
        Self::Input,
    ];

    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Sleep => "sleep",
            Self::Build => "source",
            Self::Jvm => "jvm",
            Self::File => "file",
            Self::Input => "input",
        }
    }
}

/// A language, as far as the table needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speech {
    C,
    Cpp,
    Rust,
    Java,
    Pascal,
    Python,
}

impl Speech {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Rust => "rs",
            Self::Java => "java",
            Self::Pascal => "pas",
            Self::Python => "py",
        }
    }

    /// The program without which it cannot be judged.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::C => "gcc",
            Self::Cpp => "g++",
            Self::Rust => "rustc",
            Self::Java => "javac",
            Self::Pascal => "fpc",
            Self::Python => "python3",
        }
    }
}

/// What a student hands in, made from the files in `programs/`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// The one file that is named after the row.
    Source,
    /// A folder: names in it, and the files they are made from.
    Folder(&'static [(&'static str, &'static str)]),
    /// A folder with the row's own source and an object file that is compiled from another one.
    WithObject(&'static str),
    /// A symbolic link, in place of the source, to a file that is not the student's.
    Link,
}

/// When a row is graded, among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Turn {
    First,
    Middle,
    Last,
}

/// What a program tries, and what must come of it.
///
/// Verdicts and numbers are looked at here; what must not have happened on the machine is looked at for all rows
/// together, by [`crate::outside`], whatever they tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Its number on the checklist; 0 for the honest programs among the others.
    pub(crate) number: u8,
    pub(crate) name: &'static str,
    pub(crate) speech: Speech,
    pub(crate) work: Work,
    pub(crate) task: Task,
    pub(crate) turn: Turn,
    /// One of these verdicts.
    pub(crate) verdicts: &'static [&'static str],
    /// One of these where no control group holds the memory, with a text that the message holds.
    pub(crate) without_cgroups: Option<(&'static [&'static str], &'static str)>,
    /// The number of the signal that ended it.
    pub(crate) signal: Option<i64>,
    /// A text that the message holds.
    pub(crate) says: Option<&'static str>,
    /// The CPU time that it truly used, in milliseconds, but for its start and its end.
    pub(crate) cpu_ms: Option<f64>,
    /// Bounds of its peak memory, in MiB.
    pub(crate) memory_mib: Option<(u64, u64)>,
}

impl Row {
    pub(crate) const fn new(speech: Speech, number: u8, name: &'static str) -> Self {
        Self {
            number,
            name,
            speech,
            work: Work::Source,
            task: Task::Plain,
            turn: Turn::Middle,
            verdicts: &["AC"],
            without_cgroups: None,
            signal: None,
            says: None,
            cpu_ms: None,
            memory_mib: None,
        }
    }

    /// Handed in for another problem than [`Task::Plain`].
    pub(crate) const fn task(mut self, task: Task) -> Self {
        self.task = task;
        self
    }

    /// Another form of work than one source.
    pub(crate) const fn work(mut self, work: Work) -> Self {
        self.work = work;
        self
    }

    pub(crate) const fn turn(mut self, turn: Turn) -> Self {
        self.turn = turn;
        self
    }

    /// The verdicts that it may get; `AC` when nothing is said.
    pub(crate) const fn gets(mut self, verdicts: &'static [&'static str]) -> Self {
        self.verdicts = verdicts;
        self
    }

    /// The verdicts that it may get where no control group holds the memory, and what is said then.
    pub(crate) const fn without_cgroups(
        mut self,
        verdicts: &'static [&'static str],
        text: &'static str,
    ) -> Self {
        self.without_cgroups = Some((verdicts, text));
        self
    }

    pub(crate) const fn by_signal(mut self, signal: i64) -> Self {
        self.signal = Some(signal);
        self
    }

    pub(crate) const fn says(mut self, text: &'static str) -> Self {
        self.says = Some(text);
        self
    }

    pub(crate) const fn burns(mut self, cpu_ms: f64) -> Self {
        self.cpu_ms = Some(cpu_ms);
        self
    }

    pub(crate) const fn peaks(mut self, least: u64, most: u64) -> Self {
        self.memory_mib = Some((least, most));
        self
    }

    /// The name of its source in `programs/`.
    pub(crate) fn file(&self) -> String {
        let extension = self.speech.extension();
        format!("{:02}-{}.{extension}", self.number, self.name)
    }

    /// The student who hands it in; the natural order of these names is the order of grading.
    pub(crate) fn student(&self) -> String {
        let turn = match self.turn {
            Turn::First => "a",
            Turn::Middle => "m",
            Turn::Last => "z",
        };
        let extension = self.speech.extension();
        format!("{turn}-{:02}-{}-{extension}", self.number, self.name)
    }

    /// Why it cannot be graded here, if so.
    pub(crate) fn obstacle(&self, station: &Station) -> Option<String> {
        let program = self.speech.program();
        (!station.has(program)).then(|| format!("`{program}` is not installed"))
    }

    /// What is not as it must be in the result of its problem.
    pub(crate) fn complaints(&self, problem: &serde_json::Value, station: &Station) -> Vec<String> {
        let case = &problem["subtasks"][0]["cases"][0];
        let mut complaints = Vec::new();
        let mut hold = |holds: bool, what: String| {
            if !holds {
                complaints.push(format!("{}: {what}", self.student()));
            }
        };
        let verdict = problem["verdict"].as_str().unwrap();
        let (verdicts, says) = match self.without_cgroups {
            Some((verdicts, text)) if !station.has_cgroups() => (verdicts, Some(text)),
            _ => (self.verdicts, self.says),
        };
        hold(
            verdicts.contains(&verdict),
            format!("{verdict} instead of {verdicts:?}: {case}"),
        );
        if let Some(signal) = self.signal {
            hold(
                case["signal"] == signal,
                format!("signal {} instead of {signal}", case["signal"]),
            );
        }
        if let Some(text) = says {
            let message = case["message"].as_str().unwrap_or_default();
            hold(
                message.contains(text),
                format!("`{message}` does not say `{text}`"),
            );
        }
        if let Some(burnt) = self.cpu_ms {
            let told = case["cpu-ms"].as_f64().unwrap_or_default();
            hold(
                within(told, burnt),
                format!("{told} ms of CPU time instead of {burnt} ms"),
            );
        }
        if let Some((least, most)) = self.memory_mib {
            let told = case["memory-kib"].as_u64().unwrap_or_default();
            let bounds: RangeInclusive<u64> = least * 1024..=most * 1024;
            hold(
                bounds.contains(&told),
                format!("a peak of {told} KiB, not between {least} and {most} MiB"),
            );
        }
        let size = problem.to_string().len();
        hold(size < 64 << 10, format!("{size} bytes of report"));
        complaints
    }
}

/// Nothing of the truth is missing, and nothing is counted twice. What a process needs to start and to end comes on
/// top, and depends on the machine.
fn within(told: f64, burnt: f64) -> bool {
    (burnt * 0.98..burnt * 1.5).contains(&told)
}
