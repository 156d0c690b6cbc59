//! `problem.toml`.

use grader_model::LanguageId;
use serde_json::{Value, json};
use toml::de::DeValue;

use super::{
    Base, Count, FileName, Format, Id, Name, Natural, Positive, RawAttempts, RawGrowth, RawSource,
    RawTimeFlags, RawTimeStep, RawTitle, Size, Template, Time, Tolerance, ValueRange, VariableName,
    VariableText, Worth,
};
use crate::diagnostic::Log;
use crate::problem::{CheckerProtocol, ExitPolicy, ScoreRule};
use crate::reader::{At, Entries, Node, Read, table};

table! {
    /// A problem: what is handed in, how it is run, what is right, and what it is worth.
    RawProblem: UnknownKey {
        /// Version of this format: 1.
        required format: Format,
        /// Name of the problem, unique in its assignment, made of `a-z`, `0-9` and `-`.
        required id: Id,
        /// Its title in both languages.
        required title: RawTitle,
        /// How a submission is recognised.
        required submission: RawSubmission,
        /// What sources are looked through for.
        optional source: RawSource,
        /// What CPU times raise a flag for the instructor.
        optional time_flags: RawTimeFlags,
        /// How a submission is run.
        optional run: RawRun,
        /// What a run may use.
        required limits: RawLimits,
        /// The trusted solution.
        optional reference: RawReference,
        /// What decides whether an answer is right: exactly one checker.
        optional checker: RawChecker,
        /// The groups of cases that are worth points, in order.
        required subtask: Vec<At<RawSubtask>>,
    }
}

table! {
    /// How a submission is recognised.
    RawSubmission: UnknownKey {
        /// Globs over file and folder names, without regard to case; an earlier one is stronger.
        required files: Vec<At<String>>,
        /// The languages that are accepted. Default: all.
        optional languages: Vec<At<LanguageId>>,
        /// Largest size of all source files together, at most 64 MiB. Default: 1 MiB.
        optional size: Size,
    }
}

table! {
    /// How a submission is run.
    RawRun: UnknownKey {
        /// Command-line arguments, templates. Default: none.
        optional arguments: Vec<At<Template>>,
        /// Standard input, a template. Default: empty.
        optional stdin: Template,
        /// Put the input in this file of the run folder; standard input is empty then.
        optional input_file: FileName,
        /// Judge this file of the run folder instead of standard output.
        optional output_file: FileName,
        /// Whether a non-zero exit status is a runtime error (`zero`, the default) or `ignored`.
        optional exit_status: ExitPolicy,
    }
}

table! {
    /// What a run may use.
    RawLimits: UnknownKey {
        /// CPU time: `"2 s"`, or a multiple of what the reference takes on the same machine.
        required time: RawTime,
        /// Wall time. Default: 3 x time + 2 s.
        optional wall: Time,
        /// Memory, 1 MiB to 64 GiB. Default: 256 MiB.
        optional memory: Size,
        /// Size of the output, 1 B to 128 MiB. Default: 64 KiB.
        optional output: Size,
        /// Number of processes and threads. Default: 1.
        optional processes: Natural,
        /// CPU time of building a submission. Default: 60 s.
        optional compile_time: Time,
        /// How often a result near its limit is run again, alone; 0 to 10. Default: 3.
        optional confirm: Count<0, 10>,
        /// Exceptions for languages.
        optional languages: Entries<LanguageId, RawLanguageLimits>,
    }
}

table! {
    /// A limit that is a multiple of what the reference takes.
    RawReferenceTime: UnknownKey {
        /// The multiple.
        required reference: Positive,
        /// The limit is no smaller than this. Default: no lower bound.
        optional at_least: RawCaseMultiple,
        /// The limit is no larger than this in languages whose time factor is above 1. Default: no upper bound.
        optional at_most: RawCaseMultiple,
    }
}

table! {
    /// A multiple of what the reference takes in a named case.
    RawCaseMultiple: UnknownKey {
        /// The multiple.
        required reference: Positive,
        /// The case: `subtask/case`.
        required case: String,
    }
}

table! {
    /// Exceptions for one language.
    RawLanguageLimits: UnknownKey {
        /// What the time limit is multiplied by. Default: 1, Java 2, Python 10.
        optional time_factor: Positive,
        /// Memory, 1 MiB to 64 GiB. Default: as for the others.
        optional memory: Size,
    }
}

table! {
    /// The trusted solution: exactly one of `builtin` and `path`.
    RawReference: UnknownKey {
        /// A program that the grader carries.
        optional builtin: String,
        /// A source file, or a folder of them, in the problem's folder.
        optional path: String,
        /// Arguments that are added when its time is the yardstick.
        optional calibrate: Vec<At<String>>,
    }
}

table! {
    /// What decides whether an answer is right: exactly one checker.
    RawChecker: UnknownChecker {
        /// Byte for byte.
        optional exact: RawNone,
        /// Line by line; blanks at the end of lines and blank lines at the end are forgiven.
        optional lines: RawNone,
        /// Token by token; any white space between them.
        optional tokens: RawTokens,
        /// Token by token, numbers by value.
        optional numbers: RawNumbers,
        /// A board drawn with two symbols.
        optional queens_board: RawQueensBoard,
        /// The column of the queen of each row.
        optional queens_columns: RawQueensColumns,
        /// A program of the problem's author.
        optional program: RawCheckerProgram,
    }
}

table! {
    /// No options.
    RawNone: UnknownKey {}
}

table! {
    /// Options of `tokens`.
    RawTokens: UnknownKey {
        /// Whether upper and lower case differ. Default: true.
        optional case_sensitive: bool,
        /// Whether the white space must be the same byte for byte. Default: false.
        optional space_change_sensitive: bool,
    }
}

table! {
    /// Options of `numbers`: at least one tolerance.
    RawNumbers: UnknownKey {
        /// Largest absolute difference.
        optional absolute: Tolerance,
        /// Largest difference relative to the expected value.
        optional relative: Tolerance,
        /// Whether upper and lower case of words differ. Default: true.
        optional case_sensitive: bool,
        /// Whether the white space must be the same byte for byte. Default: false.
        optional space_change_sensitive: bool,
    }
}

table! {
    /// Options of `queens-board`. A subtask's own checker of the same name takes what it does not say from
    /// the problem's.
    RawQueensBoard: UnknownKey {
        /// Number of rows and columns, 1 to 10000. Must be given.
        optional size: CheckerNumber,
        /// The symbol of a queen. Must be given.
        optional queen: String,
        /// The symbol of an empty cell. Must be given.
        optional blank: String,
        /// What stands between the cells of a row. Default: nothing.
        optional separator: String,
    }
}

table! {
    /// Options of `queens-columns`. A subtask's own checker of the same name takes what it does not say from
    /// the problem's.
    RawQueensColumns: UnknownKey {
        /// Number of rows and columns, 1 to 10000000. Must be given.
        optional size: CheckerNumber,
        /// The number of the first column: 0 or 1. Must be given.
        optional base: Base,
    }
}

table! {
    /// Options of `program`. A subtask's own checker of the same name takes what it does not say from the
    /// problem's.
    RawCheckerProgram: UnknownKey {
        /// A source file, or a folder of them, in the problem's folder. Must be given.
        optional source: String,
        /// How it is asked and how it answers: `kattis`, the default, or `testlib`.
        optional protocol: CheckerProtocol,
        /// Its arguments after those of the protocol, templates. Default: none.
        optional arguments: Vec<At<Template>>,
        /// CPU time for one output. Default: 10 s.
        optional time: Time,
        /// Memory. Default: 1 GiB.
        optional memory: Size,
    }
}

table! {
    /// A group of cases that is worth points.
    RawSubtask: UnknownKey {
        /// Its name, unique in the problem.
        required name: Name,
        /// What it is worth; at most three decimals.
        required points: Worth,
        /// Each case earns its share (`sum`, the default), the share of the worst case (`worst`), or every
        /// case or nothing (`all`).
        optional score: ScoreRule,
        /// Earlier subtasks that must be passed whole; else its cases are skipped.
        optional require: Vec<At<Name>>,
        /// Whether students see only the verdicts of its cases. Default: false.
        optional hidden: bool,
        /// How the CPU time of its cases may grow with their size.
        optional growth: RawGrowth,
        /// How often each case is run, and how often it must be accepted. Default: once.
        optional attempts: RawAttempts,
        /// Points by the CPU time's ratio to the reference's: `[[1.5, 100], [4, 60]]`, ratios and percentages.
        optional by_time: Vec<At<RawTimeStep>>,
        /// Case variables with their values: one case for each, several variables give their product.
        optional cases: Entries<VariableName, ValueRange>,
        /// A checker that replaces the problem's.
        optional checker: RawChecker,
        /// Cases that are written out; after those of `cases`.
        optional case: Vec<At<RawCase>>,
    }
}

table! {
    /// A case that is written out.
    RawCase: UnknownKey {
        /// Its name, unique in the subtask.
        required name: Name,
        /// Command-line arguments, templates. Default: those of `run`.
        optional arguments: Vec<At<Template>>,
        /// Standard input, a template. Default: that of `run`.
        optional stdin: Template,
        /// A file of the problem's folder with the standard input, instead of `stdin`.
        optional stdin_file: String,
        /// The right answer, as it is. Default: the reference is asked.
        optional answer: String,
        /// A file of the problem's folder with the right answer, instead of `answer`.
        optional answer_file: String,
        /// Variables for the templates.
        optional variables: Entries<VariableName, VariableText>,
    }
}

/// A limit of CPU time.
#[derive(Clone, Debug)]
pub(crate) enum RawTime {
    Absolute(Time),
    Reference(RawReferenceTime),
}

impl Read for RawTime {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        match node.value {
            DeValue::String(_) => Time::read(node, log).map(Self::Absolute),
            DeValue::Table(_) => RawReferenceTime::read(node, log).map(Self::Reference),
            _ => {
                node.wrong_type(
                    "a time with its unit, such as \"2 s\", or { reference = 3.0 }",
                    log,
                );
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [Time::schema(), RawReferenceTime::schema()] })
    }
}

/// A number of a checker: as it is, or a template that makes one.
#[derive(Clone, Debug)]
pub(crate) enum CheckerNumber {
    Fixed(i64),
    Template(Template),
}

impl Read for CheckerNumber {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        const EXPECTED: &str = "a whole number or a template such as \"{n}\"";
        match node.value {
            DeValue::Integer(_) => node.integer(EXPECTED, log).map(Self::Fixed),
            DeValue::String(_) => Template::read(node, log).map(Self::Template),
            _ => {
                node.wrong_type(EXPECTED, log);
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "type": ["integer", "string"] })
    }
}
