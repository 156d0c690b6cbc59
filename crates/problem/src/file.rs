//! `assignment.toml`, `problem.toml` and `submissions/expected.toml` as they are written. The JSON Schemas come from
//! these types too.

use std::collections::BTreeMap;

use grader_language::Changes;
use grader_model::{LanguageId, Points};
use schemars::{JsonSchema, json_schema};
use serde::Deserialize;

use crate::checker_options::{CheckerFile, ProgramFile, StderrFile, StepFile, Validators};
use crate::checks::{ChecksFile, ChecksTable};
use crate::constants::MAX_ATTEMPTS;
use crate::context::Context;
use crate::deadline::DeadlineFile;
use crate::exit_policy::ExitPolicy;
use crate::flags::{AnswerRule, FlatRule, SourceRule, TokenRule};
use crate::kit::KitFile;
use crate::own_values::StudentFile;
use crate::problem::{ReportFormat, ScoreRule};
use crate::second_run::SecondRunFile;
use crate::value::{
    At, Count, Entries, Factor, FileName, FileNames, FlagCode, Fraction, Id, LanguageWord,
    MemorySize, Name, OutputSize, Percent, PointsRange, Prose, Scalar, SubmissionSize, Time,
    VariableName, Verdicts, Words, Worth, value,
};
use crate::variables::Values;

/// An assignment: an ordered set of problems with their points.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "assignment.toml")]
pub(crate) struct AssignmentFile {
    /// Version of this format: 1.
    #[serde(rename = "format")]
    pub(crate) _format: Count<1, 1>,
    /// Name of the assignment, made of `a-z`, `0-9` and `-`.
    pub(crate) id: Id,
    /// Its title: one string for all languages, or one for each.
    pub(crate) title: Words,
    /// `[languages.NAME]` adds a language or changes a built-in one.
    pub(crate) languages: Option<At<BTreeMap<LanguageId, Changes>>>,
    /// The deadline, and the penalty for late work. Default: no deadline.
    pub(crate) deadline: Option<DeadlineFile>,
    /// What students read in the kit that `grader bundle` writes.
    #[serde(rename = "kit")]
    pub(crate) _kit: Option<KitFile>,
    /// Its problems, in order.
    pub(crate) problem: At<Vec<At<EntryFile>>>,
}

/// A problem of the assignment. Exactly one of `points` and `bonus` must be given, equal to the sum of its subtasks'
/// points.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct EntryFile {
    /// The problem's folder, relative to the folder of this file. It holds `problem.toml`.
    pub(crate) path: At<String>,
    /// Points of the problem, with at most three decimals.
    pub(crate) points: Option<At<Worth>>,
    /// Points on top of the assignment's total, with at most three decimals.
    pub(crate) bonus: Option<At<Worth>>,
    /// Points of hidden cases that are not in these files. `grader bundle` writes it into kits.
    pub(crate) hidden: Option<Worth>,
}

/// A problem: its submissions, runs, checker and points.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "problem.toml")]
pub(crate) struct ProblemFile {
    /// Version of this format: 1.
    #[serde(rename = "format")]
    pub(crate) _format: Count<1, 1>,
    /// Name of the problem, unique in its assignment, made of `a-z`, `0-9` and `-`.
    pub(crate) id: Id,
    /// Its title: one string for all languages, or one for each.
    pub(crate) title: Words,
    /// How a submission is recognised.
    pub(crate) submission: At<SubmissionFile>,
    /// Rules on the source code.
    #[serde(default)]
    pub(crate) source: SourceRuleFile,
    /// CPU times that raise a flag.
    #[serde(default)]
    pub(crate) time_flags: TimeFlagsFile,
    /// How a submission is built.
    #[serde(default)]
    pub(crate) build: BuildFile,
    /// What is looked for after judging, and tools whose remarks are told.
    #[serde(default)]
    #[schemars(with = "ChecksTable")]
    pub(crate) checks: ChecksFile,
    /// How a submission is run.
    #[serde(default)]
    pub(crate) run: RunFile,
    /// Values that each student has of their own.
    pub(crate) student: Option<StudentFile>,
    /// A second run of every program, on what its first run printed.
    pub(crate) second_run: Option<At<SecondRunFile>>,
    /// Limits of a run.
    #[serde(default)]
    pub(crate) limits: LimitsFile,
    /// The trusted solution. Required if an answer, a time limit or points depend on it.
    pub(crate) reference: Option<At<ReferenceFile>>,
    /// The checker of the outputs. Required unless every subtask has one, or there is an interactor or `report`.
    pub(crate) checker: Option<At<CheckerFile>>,
    /// A program that exchanges messages with the submission while both run. It replaces the checker, and receives the
    /// case's input as a file.
    pub(crate) interactor: Option<At<ProgramFile>>,
    /// A program that `grader verify` runs on the input of every case. Exit status 0 or 42 means valid; any other means
    /// invalid. A file `*.ctd` is a validator in checktestdata; it takes no arguments and no limits. Of several
    /// (`[[validator]]`), all must accept.
    pub(crate) validator: Option<Validators>,
    /// Where `grader stress` finds inputs. Default: the variables of all subtasks, each from its least to its greatest value.
    pub(crate) search: Option<At<SearchFile>>,
    /// Its subtasks, in order.
    pub(crate) subtask: At<Vec<At<SubtaskFile>>>,
}

/// Inputs for `grader stress`, `audit` and `--why`, as in a subtask without points.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SearchFile {
    /// Variables and their values. There may be any number of combinations; those with small values are tried first.
    pub(crate) cases: At<Entries<VariableName, At<Values>>>,
    /// Command-line arguments, templates. Default: those of `run`.
    pub(crate) arguments: Option<Vec<At<Scalar>>>,
    /// Standard input, a template. Default: that of `run`.
    pub(crate) stdin: Option<At<Scalar>>,
    /// A program that prints the input. Replaces `stdin`.
    pub(crate) generate: Option<At<Scalar>>,
    /// Whether kits have the search, so that students can use `grader stress` and `grader test --why`. They then have the
    /// reference, the generator and the validator, too. Default: `false`.
    #[serde(default)]
    #[expect(dead_code, reason = "only kits read it, from the file")]
    pub(crate) kit: bool,
}

/// How a submission is recognised.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SubmissionFile {
    /// Patterns over file and folder names (`*`, `?`). Case does not matter; an earlier pattern wins. Required unless
    /// `file`, `outputs` or `tests` is given.
    pub(crate) files: Option<At<Vec<At<String>>>>,
    /// `"gcd.py"`, or one name for each language, instead of `files`: a submission is recognised by the name before the
    /// dot, and its source is built under this name, whatever the student called it.
    pub(crate) file: Option<At<FileNames>>,
    /// The names of the output files that students submit instead of a program, such as `"{case}.out"`: a template with
    /// the variables of the case, `{case}` for its name and `{subtask}` for that of its subtask.
    pub(crate) outputs: Option<At<Scalar>>,
    /// Students submit tests instead of a program, at most this many: files `NAME.in`, and `NAME.ans` or `NAME.out` with the
    /// right answers. Each case is a `mutant` then. The validator must accept an input, and the checker a given answer, else
    /// the test does not count.
    pub(crate) tests: Option<At<Count<1, 1000>>>,
    /// The languages that are accepted. Default: those of `file`, else all.
    pub(crate) languages: Option<At<Vec<At<LanguageWord>>>>,
    /// Files from the problem's folder to compile with each submission. They replace submitted files of the same name.
    /// Included files for other languages are skipped.
    #[serde(default)]
    pub(crate) include: Vec<At<String>>,
    /// Which of a student's files go along with the recognised one: `true`, all that were submitted; `false`, none but
    /// the recognised file or folder. Default: those that belong to the same program.
    pub(crate) project: Option<bool>,
    /// The name of the student's file in which the program starts, such as `"Main.java"`. Default: the file that is
    /// recognised.
    pub(crate) entry: Option<At<FileName>>,
    /// Names of files that every submission must have. If one is missing, the submission is not scored yet.
    #[serde(default)]
    pub(crate) required: Vec<At<FileName>>,
    /// Patterns over paths (`*`, `?`), such as `"data/*.csv"`: files of the student that go along whatever they are. A
    /// pattern may begin at any folder, and `*` stands for `/`, too. Case does not matter.
    #[serde(default)]
    pub(crate) extra: Vec<At<String>>,
    /// Largest size of all source files together, at most 64 MiB. Default: 1 MiB.
    pub(crate) size: Option<SubmissionSize>,
}

/// Rules on the source code. A source that breaks a rule gets a flag or, with `verdict = "CE"`, is rejected. Flags are for
/// the instructor and deduct no points. Comments, strings and character literals are not searched.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct SourceRuleFile {
    /// Rules on tokens that should not be in a source.
    forbid: Vec<TokenRuleFile>,
    /// Rules on tokens, one of which should be in a source.
    require: Vec<TokenRuleFile>,
    /// How many of the cases' different answers raise a flag if one source has them.
    answers: Option<AnswerRule>,
}

impl SourceRuleFile {
    pub(crate) fn validated(&self, context: &mut Context<'_>) -> SourceRule {
        let mut validated = |rules: &[TokenRuleFile]| {
            let rules = rules.iter().map(|rule| rule.validated(context));
            rules.collect()
        };
        SourceRule {
            forbid: validated(&self.forbid),
            require: validated(&self.require),
            answers: self.answers.clone(),
        }
    }
}

/// A rule that has tokens.
pub(crate) struct TokenRuleFile(TokenTableFile);

impl TokenRuleFile {
    fn validated(&self, context: &mut Context<'_>) -> TokenRule {
        let languages = self.0.languages.iter();
        TokenRule {
            any: self.0.any.clone(),
            languages: languages
                .filter_map(|(word, more)| Some((context.language(word)?, more.clone())))
                .collect(),
            because: self.0.because.as_ref().map(|because| because.0.clone()),
            refuses: self.0.verdict.is_some(),
        }
    }
}

/// Tokens, any one of which matches the rule. A rule may also be a single string.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct TokenTableFile {
    /// Tokens, or sequences such as `system (`, in any language.
    any: Vec<String>,
    /// More of them in one language: `languages.pascal = ["xor"]`.
    languages: Entries<LanguageWord, Vec<String>>,
    /// The reason, for the instructor.
    because: Option<Words>,
    /// `"CE"`: rejects a source that breaks the rule. Default: it raises a flag.
    verdict: Option<RefusalFile>,
}

/// Consequence for a source that breaks a rule.
#[derive(Deserialize, JsonSchema)]
enum RefusalFile {
    #[serde(rename = "CE")]
    CompileError,
}

impl TryFrom<&str> for TokenRuleFile {
    type Error = &'static str;

    fn try_from(text: &str) -> Result<Self, &'static str> {
        Self::try_from(TokenTableFile {
            any: vec![text.to_owned()],
            ..TokenTableFile::default()
        })
    }
}

impl TryFrom<TokenTableFile> for TokenRuleFile {
    type Error = &'static str;

    fn try_from(file: TokenTableFile) -> Result<Self, &'static str> {
        let more = file.languages.values();
        let mut phrases = more.chain([&file.any]).flatten().peekable();
        if phrases.peek().is_none() {
            return Err(
                "a rule has no tokens\nwrite them as `any = [\"^\"]`, or for one language as `languages.pascal = [\"xor\"]`",
            );
        }
        for phrase in phrases {
            if phrase.trim().is_empty() {
                return Err("a token must not be blank");
            }
            if phrase.contains(['"', '\'']) {
                return Err(
                    "a token must not have quotes\nonly code is searched, neither strings nor comments",
                );
            }
        }
        Ok(Self(file))
    }
}

value!(
    TokenRuleFile,
    "a token such as \"goto\", or { any = [\"^\", \"xor\"], because = \"…\" }",
    |generator| json_schema!({
        "anyOf": [{ "type": "string" }, generator.subschema_for::<TokenTableFile>()]
    }),
    string: &str,
    table: TokenTableFile
);

/// How many of the cases' answers are too many in one source.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct AnswerTableFile {
    /// Number of different answers that raises the flag.
    at_least: Count<1, 1024>,
    /// Divisors, 2 to 1000. An answer that one of them divides also counts if the source has the quotient: `[2]` finds
    /// halved answers.
    #[serde(default)]
    divided_by: Vec<Count<2, 1000>>,
    /// Other numbers that count as answers.
    #[serde(default)]
    also: Vec<u64>,
}

impl TryFrom<i64> for AnswerRule {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, String> {
        Ok(Self {
            at_least: Count::<1, 1024>::try_from(value)?.get(),
            divided_by: Vec::new(),
            also: Vec::new(),
        })
    }
}

impl From<AnswerTableFile> for AnswerRule {
    fn from(file: AnswerTableFile) -> Self {
        let divided_by = file.divided_by.into_iter();
        Self {
            at_least: file.at_least.get(),
            divided_by: divided_by.map(|it| it.get().into()).collect(),
            also: file.also,
        }
    }
}

value!(
    AnswerRule,
    "a number, or { at-least = 3, also = [9233] }",
    |generator| json_schema!({
        "anyOf": [Count::<1, 1024>::json_schema(generator), generator.subschema_for::<AnswerTableFile>()]
    }),
    integer: i64,
    table: AnswerTableFile
);

/// CPU times that raise a flag. Flags are for the instructor and deduct no points.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct TimeFlagsFile {
    /// Flags an accepted run that takes less than this fraction of the reference's time. Above 0 and below 1.
    pub(crate) faster_than: Option<At<Fraction>>,
    /// Flags times that do not grow with a variable.
    pub(crate) flat: Option<At<FlatRule>>,
    /// The reason, for the instructor: why an honest program cannot be that fast.
    pub(crate) because: Option<Words>,
}

/// How a submission is built.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct BuildFile {
    /// Flags after those of the language, such as `flags.c = ["-Werror"]`. The reference is built with them, too.
    pub(crate) flags: Entries<LanguageWord, Vec<String>>,
    /// Programs to look for instead of those of the language, the preferred one first: `tools.python = ["pypy3", "python3"]`.
    /// If `"pypy3"` comes first and is not installed, a Python program that is too slow is not scored yet, unless the
    /// reference, or a program timed with it, is in Python. With `"pypy3"` in the list, programs get 128 MiB more memory, also
    /// in CPython.
    pub(crate) tools: Entries<LanguageWord, Vec<String>>,
    /// `["make", "list"]`: the command that builds a submission, instead of those of the languages in `[submission]`. It
    /// runs without a shell in the folder of the student's and the included files. A reference in one of these languages is
    /// built by it, too.
    pub(crate) command: Option<At<Vec<String>>>,
    /// The program that `command` makes, by its path in that folder: `"list"`.
    pub(crate) program: Option<At<String>>,
}

/// How a submission is run.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct RunFile {
    /// Command-line arguments, templates.
    pub(crate) arguments: Vec<At<Scalar>>,
    /// Standard input, a template. Default: empty.
    pub(crate) stdin: Option<At<Scalar>>,
    /// `"gen.py {n} {seed}"`: a program in the problem's folder that prints the input, followed by its arguments; a
    /// template. It runs once per case and must be deterministic.
    pub(crate) generate: Option<At<Scalar>>,
    /// File of the run folder that gets the input. Standard input is then empty.
    pub(crate) input_file: Option<At<FileName>>,
    /// File of the run folder that is judged instead of standard output.
    pub(crate) output_file: Option<At<FileName>>,
    /// Data files from the problem's folder. Each run has copies of them in its run folder.
    pub(crate) files: Vec<At<String>>,
    /// The exit status with which a program has to end; any other is a runtime error. `"ignored"`: none is. Default: 0.
    pub(crate) exit_status: Option<At<ExitPolicy>>,
    /// What standard error contains: a text, a template, or a table as `[checker.contains]`. Default: anything.
    pub(crate) stderr: Option<At<StderrFile>>,
    /// `"junit"`: the cases are unit tests. Their harness, in `include`, writes JUnit XML to `report.xml` in the run
    /// folder and ends with exit status 0 or 1. It replaces the checker.
    pub(crate) report: Option<At<ReportFormat>>,
    /// Maximum number of passes, 1 to 100. After each pass, the checker or interactor may write the input for the next
    /// one. Default: 1.
    pub(crate) passes: Option<At<Count<1, 100>>>,
}

/// Limits of a run.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct LimitsFile {
    /// CPU time: `"2 s"`, or a multiple of the reference's CPU time on the same machine. Default: 2 s.
    pub(crate) time: Option<At<TimeLimitFile>>,
    /// Wall time, at least 1.5 times the CPU time. Default: three times the CPU time plus 2 s.
    pub(crate) wall: Option<At<Time>>,
    /// Peak memory of all processes, 1 MiB to 64 GiB. Default: 256 MiB.
    pub(crate) memory: Option<MemorySize>,
    /// Size of the output, 1 B to 128 MiB. Default: 64 KiB.
    pub(crate) output: Option<OutputSize>,
    /// Simultaneous processes and threads, 1 to 1024. Only the sandbox enforces it. Default: 1.
    pub(crate) processes: Option<Count<1, 1024>>,
    /// CPU time of building a submission. Default: 60 s.
    pub(crate) compile_time: Option<Time>,
    /// How many times a result near its time limit is run again, alone: 0 to 10. Default: 3.
    pub(crate) confirm: Option<Count<0, 10>>,
    /// `[limits.languages.NAME]`: exceptions for a language.
    pub(crate) languages: Entries<LanguageWord, LanguageLimitsFile>,
}

/// A limit of CPU time.
pub(crate) enum TimeLimitFile {
    Absolute(Time),
    Reference(ReferenceTimeFile),
}

/// A limit that is a multiple of the reference's CPU time on the same machine, in the same case unless `slowest` is
/// set.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ReferenceTimeFile {
    /// The multiple: above 0, at most 1000.
    pub(crate) reference: Factor,
    /// The limit is no smaller than this. Default: no lower bound.
    pub(crate) at_least: Option<CaseMultipleFile>,
    /// The limit is no larger than this in languages whose time factor is above 1. Default: no upper bound.
    pub(crate) at_most: Option<CaseMultipleFile>,
    /// Use the reference's slowest case for the limit of every case. Default: `false`.
    #[serde(default)]
    pub(crate) slowest: bool,
    /// Round the limit up to a multiple of this, such as `"1 s"`, instead of adding start-up and 50 ms. Default: it is
    /// not rounded.
    pub(crate) round_up: Option<Time>,
}

/// A multiple of the reference's CPU time in a named case.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct CaseMultipleFile {
    /// The multiple: above 0, at most 1000.
    pub(crate) reference: Factor,
    /// The case: `"large/n=14"` is case `n=14` of subtask `large`.
    pub(crate) case: At<String>,
}

/// The limit of CPU time of one case: a multiple of the reference's CPU time in another case. The reference is not
/// timed in this case: if it prints the answer, `calibrate` is not added.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct CaseTimeFile {
    /// The multiple: above 0, at most 1000.
    pub(crate) reference: Factor,
    /// The other case: `"large/n=15"` is case `n=15` of subtask `large`. It must not have a `time` itself.
    pub(crate) case: At<String>,
    /// The limit is no larger than this in languages whose time factor is above 1. Default: no upper bound.
    pub(crate) at_most: Option<CaseMultipleFile>,
}

impl TryFrom<&str> for TimeLimitFile {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        Time::try_from(text).map(Self::Absolute)
    }
}

impl From<ReferenceTimeFile> for TimeLimitFile {
    fn from(table: ReferenceTimeFile) -> Self {
        Self::Reference(table)
    }
}

value!(
    TimeLimitFile,
    "a time with its unit, such as \"2 s\", or { reference = 3.0 }",
    |generator| json_schema!({
        "anyOf": [Time::json_schema(generator), generator.subschema_for::<ReferenceTimeFile>()]
    }),
    string: &str,
    table: ReferenceTimeFile
);

/// Exceptions for one language.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LanguageLimitsFile {
    /// Factor of the time limit: above 0, at most 1000. Default: 2 for Java and JavaScript, 10 for Python, else 1.
    pub(crate) time_factor: Option<Factor>,
    /// Memory, 1 MiB to 64 GiB. Default: `memory` of `[limits]`.
    pub(crate) memory: Option<MemorySize>,
}

/// The trusted solution: exactly one of `builtin` and `path`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ReferenceFile {
    /// A bundled program: `grader reference --help` lists them.
    pub(crate) builtin: Option<At<String>>,
    /// A source file, or a folder of them, in the problem's folder.
    pub(crate) path: Option<At<String>>,
    /// Arguments that are added when the reference is timed: `["--method", "array"]`.
    #[serde(default)]
    pub(crate) calibrate: Vec<String>,
    /// Paths of other correct programs. The slowest sets the reference time.
    #[serde(default)]
    pub(crate) timed: Vec<At<String>>,
}

/// A group of cases that is worth points.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SubtaskFile {
    /// Its name, unique in the problem.
    pub(crate) name: At<Name>,
    /// Its points, with at most three decimals. Use 0 for samples.
    pub(crate) points: Points,
    /// `"sum"`: each case earns its share. `"all"`: every case or nothing. `"worst"`: the share of the worst case.
    /// Default: `"sum"`.
    #[serde(default)]
    pub(crate) score: ScoreRule,
    /// Earlier subtasks that must earn full marks. Otherwise its cases are skipped.
    #[serde(default)]
    pub(crate) require: Vec<At<Name>>,
    /// Whether students see only the verdicts of its cases: `true`, `"until due"` (the deadline with its grace period), or
    /// until a moment such as `2026-12-01T12:00:00` in the time zone of the deadline. Default: `false`.
    pub(crate) hidden: Option<At<HiddenFile>>,
    /// Whether each case takes longer than the one before it. If so, a time-out skips the rest. Default: `false`.
    #[serde(default)]
    pub(crate) ascending: bool,
    /// How the CPU time of its cases may grow with their size.
    pub(crate) growth: Option<At<GrowthFile>>,
    /// How many times each case is run, and how many of these attempts must be accepted. Default: once.
    pub(crate) attempts: Option<At<AttemptsFile>>,
    /// Points by the CPU time's ratio to the reference's: `[[1.5, 100], [4, 60]]` are ratios with percentages.
    pub(crate) by_time: Option<At<Vec<TimeStepFile>>>,
    /// Case variables with their values, such as `n = "4..=8, 20"`, `n = [1, 5]` or `test = ["push", "pop"]`. Several
    /// variables give every combination.
    pub(crate) cases: Option<At<Entries<VariableName, At<Values>>>>,
    /// A folder of cases. Each `NAME.in` is the input of a case called `NAME`; `NAME.ans` or `NAME.out` is its answer.
    /// Cases are in natural order (`2` before `10`).
    pub(crate) folder: Option<At<String>>,
    /// Sort the cases of `folder` by byte value (`10` before `2`) instead. Default: `false`.
    #[serde(default)]
    pub(crate) lexicographic: bool,
    /// Names of unit tests, `name` or `classname.name`. Each is a case.
    #[serde(default)]
    pub(crate) tests: Vec<At<Name>>,
    /// Files of the harness that only these tests need, by their paths in the problem's folder. If the tests are hidden, the
    /// files are not in kits.
    #[serde(default)]
    pub(crate) test_files: Vec<At<String>>,
    /// A checker that replaces the problem's.
    pub(crate) checker: Option<At<CheckerFile>>,
    /// Validators that replace the problem's.
    pub(crate) validator: Option<Validators>,
    /// Advice for students who fail one of its cases. It is shown for hidden cases, too.
    pub(crate) hint: Option<Words>,
    /// Whether a person gives its points, with `grader correct`. It has no cases then. Default: `false`.
    #[serde(default)]
    pub(crate) manual: bool,
    /// The rubric of a subtask that is graded by hand. Without one, its points are given as a number.
    #[serde(default)]
    pub(crate) items: Vec<At<ItemFile>>,
    /// The name of a check of `[checks]`: it has no cases then, and has its points less `each` for every remark, never below 0.
    pub(crate) check: Option<At<Id>>,
    /// The points that each remark takes.
    pub(crate) each: Option<At<Worth>>,
    /// Explicit cases. They follow those of `cases`, `folder` and `tests`.
    #[serde(default)]
    pub(crate) case: Vec<CaseFile>,
}

impl SubtaskFile {
    /// Whether cases are judged: neither a person nor a tool decides on its points.
    pub(crate) const fn has_runs(&self) -> bool {
        !self.manual && self.check.is_none() && self.each.is_none()
    }

    /// Whether it has cases of any kind.
    pub(crate) fn has_cases(&self) -> bool {
        let is_listed = !self.tests.is_empty() || !self.case.is_empty();
        self.cases.is_some() || self.folder.is_some() || is_listed
    }
}

/// An item of a rubric: given as a whole or not at all.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ItemFile {
    /// Its id, unique in the problem.
    pub(crate) id: At<Name>,
    /// Its points, with at most three decimals. Those of all items add up to the subtask's.
    pub(crate) points: Points,
    /// What earns them. Students read it.
    pub(crate) text: Words,
}

/// Whether, or until when, students see only verdicts.
#[derive(Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected `true`, `false`, \"until due\" or a moment such as 2026-12-01T12:00:00"
)]
#[schemars(inline)]
pub(crate) enum HiddenFile {
    Always(bool),
    // A string, as a moment is to a schema.
    #[schemars(skip)]
    Until(UntilDue),
    Moment(#[schemars(with = "String")] toml::value::Datetime),
}

/// The deadline.
#[derive(Deserialize)]
pub(crate) enum UntilDue {
    #[serde(rename = "until due")]
    Due,
}

/// A time ratio and the percentage of the points that it earns.
#[derive(Deserialize, JsonSchema)]
#[serde(expecting = "a pair of a ratio and a percentage such as [1.5, 100]")]
#[schemars(inline)]
pub(crate) struct TimeStepFile(pub(crate) At<Factor>, pub(crate) At<Percent>);

/// How the CPU time of the cases may grow with their size.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct GrowthFile {
    /// The variable that is the size: a positive number that grows from case to case.
    pub(crate) over: At<String>,
    /// The largest exponent that passes: above 0, at most 1000.
    pub(crate) at_most: Factor,
    /// Once a run takes this CPU time, in whatever language, and four sizes are measured, larger ones are skipped. At most
    /// 30 s. Default: 1 s.
    pub(crate) until: Option<Time>,
}

/// How many times each case is run, and how many attempts must be accepted. Exactly one of `at-least` and `score`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct AttemptsFile {
    /// The most attempts, 2 to 1000.
    pub(crate) runs: Count<2, { MAX_ATTEMPTS as u64 }>,
    /// How many attempts must be accepted, 1 to `runs`.
    pub(crate) at_least: Option<At<Count<1, { MAX_ATTEMPTS as u64 }>>>,
    /// `"rate"`: the case earns the share of its attempts that were accepted.
    pub(crate) score: Option<At<RateFile>>,
}

/// The points follow the rate of accepted attempts.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RateFile {
    Rate,
}

/// An explicit case.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct CaseFile {
    /// Its name, unique in the subtask.
    pub(crate) name: At<Name>,
    /// Command-line arguments, templates. Default: those of `run`.
    pub(crate) arguments: Option<Vec<At<Scalar>>>,
    /// Standard input, a template. Default: that of `run`.
    pub(crate) stdin: Option<At<Scalar>>,
    /// A file of the problem's folder with the standard input, instead of `stdin`.
    pub(crate) stdin_file: Option<At<String>>,
    /// More data files, in addition to those of `run`.
    #[serde(default)]
    pub(crate) files: Vec<At<String>>,
    /// A program that prints the input. Replaces `stdin`.
    pub(crate) generate: Option<At<Scalar>>,
    /// The right answer. Default: the reference's output.
    pub(crate) answer: Option<At<String>>,
    /// A file of the problem's folder with the right answer, instead of `answer`.
    pub(crate) answer_file: Option<At<String>>,
    /// What is sent, a line each, and what must appear in which order: `[{ expect = "Name?" }, { send = "Ada" }, { expect-pattern =
    /// "Hello,? Ada" }]`. It replaces `stdin`, `answer` and the checker. The program gets all lines at once.
    pub(crate) dialogue: Option<At<Vec<At<StepFile>>>>,
    /// The exit status. Default: that of `run`.
    pub(crate) exit_status: Option<At<ExitPolicy>>,
    /// What standard error contains. Default: that of `run`.
    pub(crate) stderr: Option<At<StderrFile>>,
    /// CPU time, by the reference's time in another case: `{ reference = 31, case = "large/n=15" }`. Replaces `time` of
    /// `limits`.
    pub(crate) time: Option<At<CaseTimeFile>>,
    /// The unit test that it stands for, by `name` or `classname.name`; or, with `count`, a pattern over these (`*`,
    /// `?`).
    pub(crate) test: Option<At<String>>,
    /// Number of unit tests that match the pattern of `test`. Each earns an equal share.
    pub(crate) count: Option<At<Count<1, 1024>>>,
    /// A wrong program that the submitted tests have to find: some test that the right program passes fails with it. A
    /// source file, or a folder of them, in the problem's folder. With `report` in `[run]`, it takes the place of the
    /// included files of the same names; with `tests` in `[submission]`, it runs on the submitted inputs.
    pub(crate) mutant: Option<At<Scalar>>,
    /// Advice for students who fail it. Default: that of the subtask.
    pub(crate) hint: Option<Words>,
    /// Variables for the templates of this case.
    #[serde(default)]
    pub(crate) variables: BTreeMap<VariableName, Scalar>,
}

/// `submissions/expected.toml`: samples by their paths below `submissions/`.
pub(crate) type ExpectedFile = Entries<String, ExpectationFile>;

/// Expectations about a sample.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ExpectationFile {
    /// Verdicts that replace the folder's.
    pub(crate) expected: Option<Verdicts>,
    /// At least one case must get one of these. Default: the expected ones.
    pub(crate) required: Option<Verdicts>,
    /// Whether only the first case that fails must get an expected verdict. Default: `false`.
    #[serde(default)]
    pub(crate) first_failure: bool,
    /// The points that it gets, or the fewest and the most.
    pub(crate) points: Option<At<PointsRange>>,
    /// Expected verdicts of subtasks.
    #[serde(default)]
    pub(crate) subtasks: Entries<String, Verdicts>,
    /// The codes of exactly the flags that it raises. Default: none.
    #[serde(default)]
    pub(crate) flags: Vec<FlagCode>,
    /// The reason, for readers of the file.
    pub(crate) because: Option<Prose>,
}
