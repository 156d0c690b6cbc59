//! Exports a problem as a pass-fail package in the ICPC format that problemtools reads.
//!
//! Format: <https://icpc.io/problem-package-format/spec/2023-07-draft.html>. Programs in that format take no arguments:
//! the export puts them in the first line of standard input, and adds a small file that reads it to sample submissions.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Points, SourceFile, Verdict};
use grader_problem::{
    AuthorProgram, Case, Checker, CheckerProtocol, Checktestdata, InputValidator, Problem, Sample,
    Subtask, TestData, TimeRule,
};

use crate::error::{PackageError, unsupported};

/// An exported package, to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Its files, by their paths in the package.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Differences from the problem, one sentence each.
    pub notes: BTreeSet<String>,
}

/// Exports a problem. `statements` has Markdown texts with their languages; `data` has the data of all cases, in order.
///
/// # Errors
/// If the format cannot express how the problem is judged.
pub fn export(
    problem: &Problem,
    samples: &[Sample],
    statements: &[(String, String)],
    data: &[TestData],
) -> Result<Exported, PackageError> {
    let mut package = PackageWriter {
        problem,
        has_arguments: cases(problem).any(|(_, case)| !case.arguments.is_empty()),
        exported: Exported {
            files: BTreeMap::new(),
            notes: BTreeSet::new(),
        },
    };
    package.refuse()?;
    let is_custom = package.output_validator()?;
    package.head(is_custom);
    package.statements(statements);
    let inputs = package.data(data)?;
    package.input_validator(&inputs);
    let mut left_out: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for sample in samples {
        if let Err(why) = package.sample(sample, is_custom) {
            left_out.entry(why).or_default().push(&sample.path);
        }
    }
    for (why, paths) in left_out {
        let paths = paths.join("`, `");
        package.note(format!("not exported, as {why}: `{paths}`"));
    }
    Ok(package.exported)
}

struct PackageWriter<'a> {
    problem: &'a Problem,
    /// Whether programs get arguments.
    has_arguments: bool,
    exported: Exported,
}

fn cases(problem: &Problem) -> impl Iterator<Item = (&Subtask, &Case)> {
    let subtasks = problem.subtasks.iter();
    subtasks.flat_map(|subtask| subtask.cases.iter().map(move |case| (subtask, case)))
}

impl PackageWriter<'_> {
    fn note(&mut self, note: impl Into<String>) {
        self.exported.notes.insert(note.into());
    }

    fn file(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.exported.files.insert(path.into(), bytes.into());
    }

    /// Fails on features that the package would judge wrongly, and notes those that it omits.
    fn refuse(&mut self) -> Result<(), PackageError> {
        let problem = self.problem;
        if !problem.submission.include.is_empty() {
            return unsupported("problems with `include` are not supported");
        }
        let mut languages = problem.languages.iter();
        if languages.any(|it| it.definition.build.is_some()) {
            return unsupported("problems with a `command` in `[build]` are not supported");
        }
        if cases(problem).any(|(_, case)| case.test.is_some()) {
            return unsupported("unit tests are not supported");
        }
        if problem.run.passes > 1 {
            return unsupported("problems with several passes are not supported");
        }
        if problem.run.input_file.is_some() || problem.run.output_file.is_some() {
            return unsupported("problems that read or write a named file are not supported");
        }
        let mut cases = problem.subtasks.iter().flat_map(|it| &it.cases);
        if !problem.run.files.is_empty() || cases.any(|case| !case.files.is_empty()) {
            return unsupported("problems with data files are not supported");
        }
        for subtask in &problem.subtasks {
            let name = &subtask.name;
            if subtask.growth.is_some() {
                self.note(format!("subtask `{name}`: `growth` is not exported"));
            }
            if subtask.attempts.is_some() {
                self.note(format!("subtask `{name}`: `attempts` is not exported"));
            }
        }
        let rules = &problem.source;
        if rules
            .forbid
            .iter()
            .chain(&rules.require)
            .any(|it| it.refuses)
        {
            self.note("rules on sources are not exported");
        }
        self.note("the package is pass-fail: points are not exported");
        Ok(())
    }

    /// `problem.yaml`.
    fn head(&mut self, is_custom: bool) {
        let problem = self.problem;
        let is_interactive = cases(problem).any(|(_, case)| case.checker.is_interactive());
        let mut types = vec!["pass-fail"];
        types.extend((is_custom && is_interactive).then_some("interactive"));
        let mut limits = serde_json::json!({
            "memory": mebibytes(problem.limits.memory.0),
            "output": mebibytes(problem.limits.output.0),
        });
        match &problem.limits.time {
            TimeRule::Absolute(time) => limits["time_limit"] = time.0.as_secs_f64().into(),
            TimeRule::Reference(_) => {
                self.note("the time limit is not exported: it depends on the machine");
            }
        }
        if cases(problem).any(|(_, case)| case.time.is_some()) {
            self.note("`time` of a case is not exported: it depends on the machine");
        }
        // JSON is YAML.
        let head = serde_json::json!({
            "problem_format_version": "2023-07-draft",
            "type": types,
            "name": { "en": problem.title.en, "zh": problem.title.zh },
            "uuid": uuid(problem.id.as_str()),
            "limits": limits,
        });
        self.file("problem.yaml", format!("{head:#}\n"));
    }

    fn statements(&mut self, statements: &[(String, String)]) {
        for (language, text) in statements {
            let about = match (self.has_arguments, &**language) {
                (false, _) => "",
                (true, "zh") => "命令行参数写在标准输入的第一行。\n\n",
                (true, _) => "The arguments are on the first line of standard input.\n\n",
            };
            // problemtools cannot render code in a named language.
            let is_fence = |line: &str| line.starts_with("```");
            let text = text.split_inclusive('\n');
            let text = text.map(|line| if is_fence(line) { "```\n" } else { line });
            let text: String = text.collect();
            let path = format!("statement/problem.{language}.md");
            self.file(path, format!("{about}{text}"));
        }
        if statements.is_empty() {
            self.note("there is no `statement.en.md`, and the format needs a statement");
        }
    }

    /// Writes the test groups; returns the inputs of all tests.
    fn data(&mut self, data: &[TestData]) -> Result<Vec<Vec<u8>>, PackageError> {
        let problem = self.problem;
        let mut inputs = Vec::new();
        let mut data = data.iter();
        for subtask in &problem.subtasks {
            let parent = if subtask.points == Points::default() && !subtask.hidden {
                "sample"
            } else {
                "secret"
            };
            let group = format!("data/{parent}/{}", plain(subtask.name.as_str()));
            let options: Vec<Vec<String>> = subtask.cases.iter().map(options).collect();
            let is_same = options.windows(2).all(|pair| pair[0] == pair[1]);
            for (index, (case, options)) in subtask.cases.iter().zip(options).enumerate() {
                let test = data.next();
                let name = format!("{:03}-{}", index + 1, plain(case.name.as_str()));
                // Options belong to a group, so a case with its own options is a group of its own.
                let folder = if is_same {
                    group.clone()
                } else {
                    format!("{group}/{name}")
                };
                if !options.is_empty() {
                    let settings =
                        serde_json::json!({ "output_validator_flags": words(&options)? });
                    self.file(format!("{folder}/testdata.yaml"), format!("{settings}\n"));
                }
                let mut input = Vec::new();
                if self.has_arguments {
                    input.extend(words(&case.arguments)?.into_bytes());
                    input.push(b'\n');
                }
                input.extend(test.iter().flat_map(|test| &*test.input));
                self.file(format!("{folder}/{name}.in"), input.clone());
                let answer = test.map_or_else(Vec::new, |test| test.answer.to_vec());
                self.file(format!("{folder}/{name}.ans"), answer);
                inputs.push(input);
            }
        }
        Ok(inputs)
    }

    /// Writes the output validator; returns `false` if the default one suffices.
    fn output_validator(&mut self) -> Result<bool, PackageError> {
        let mut kinds = cases(self.problem).map(|(_, case)| validator(&case.checker));
        let first = kinds.next().unwrap_or(Validator::Default);
        if !kinds.all(|kind| kind == first) {
            return unsupported("the checkers of the cases are different programs");
        }
        if cases(self.problem).any(|(_, case)| case.checker == Checker::Lines) {
            self.note("the package compares words, not lines");
        }
        match first {
            Validator::Default => return Ok(false),
            Validator::Queens(source) => self.file("output_validator/queens.cpp", source),
            Validator::Unsupported(name) => {
                return unsupported(format!("the checker `{name}` is not supported"));
            }
            Validator::Program(program) => {
                if matches!(
                    program.protocol,
                    CheckerProtocol::Hustoj | CheckerProtocol::Cms
                ) {
                    return unsupported(
                        "checkers with the protocols `hustoj` and `cms` are not supported",
                    );
                }
                self.program("output_validator/checker", program);
                if program.protocol == CheckerProtocol::Testlib {
                    let is_c = |source: &SourceFile| {
                        matches!(&*source.extension(), "cpp" | "cc" | "h" | "hpp")
                    };
                    if !program.sources.iter().all(is_c) {
                        return unsupported("a checker of testlib must be written in C++");
                    }
                    let is_interactive =
                        cases(self.problem).any(|(_, case)| case.checker.is_interactive());
                    let adapter = include_str!("export/testlib.cpp");
                    let adapter = adapter.replace("INTERACTIVE_VALUE", &is_interactive.to_string());
                    self.file("output_validator/checker/as_output_validator.cpp", adapter);
                }
            }
        }
        Ok(true)
    }

    fn program(&mut self, folder: &str, program: &AuthorProgram) {
        for source in &program.sources {
            self.file(format!("{folder}/{}", source.path), &*source.bytes);
        }
    }

    /// Writes the problem's input validator, or one that checks ranges if all inputs are whole numbers.
    fn input_validator(&mut self, inputs: &[Vec<u8>]) {
        let mut validators = cases(self.problem).map(|(_, case)| case.validator.as_ref());
        let first = validators.next().flatten();
        let common = first.filter(|_| validators.all(|it| it == first) && !self.has_arguments);
        if let Some(InputValidator::Checktestdata(validator)) = common {
            let Checktestdata { source, .. } = &**validator;
            self.file(
                format!("input_validators/{}", source.name()),
                &*source.bytes,
            );
        } else if let Some(InputValidator::Program(validator)) = common
            && validator.arguments.is_empty()
        {
            self.program("input_validators/validator", &validator.program);
        } else if let Some(ranges) = ranges(inputs) {
            let source = include_str!("export/input.cpp").replace("RANGES", &ranges);
            self.file("input_validators/input.cpp", source);
        } else {
            self.note("there is no input validator, and the format needs one");
        }
    }

    /// Exports a sample submission, or returns the reason why that is impossible.
    fn sample(&mut self, sample: &Sample, is_custom: bool) -> Result<(), String> {
        let path = &sample.path;
        let name = path.split_once('/').map_or(&**path, |(_, name)| name);
        let is_exact = || cases(self.problem).all(|(_, case)| case.checker == Checker::Exact);
        let folder = match sample.verdict {
            _ if sample.expectation.verdicts != [sample.verdict] => {
                return Err("they may get several verdicts".to_owned());
            }
            Verdict::Accepted => "accepted",
            Verdict::WrongAnswer => "wrong_answer",
            Verdict::PresentationError if is_custom || is_exact() => "wrong_answer",
            Verdict::TimeLimit => "time_limit_exceeded",
            Verdict::RuntimeError | Verdict::MemoryLimit => "run_time_error",
            verdict => return Err(format!("the package has no verdict {verdict}")),
        };
        if !sample.sources.iter().all(|source| is_plain(&source.path)) {
            return Err("the format does not allow these characters in names".to_owned());
        }
        let mut sources = sample.sources.clone();
        if self.has_arguments {
            let only = "only C, C++ and single files of Python can read arguments there";
            sources.push(reader(&sources).ok_or(only)?);
        }
        let target = match &sources[..] {
            [_] => format!("submissions/{folder}"),
            _ => format!("submissions/{folder}/{}", name.replace('.', "-")),
        };
        for source in sources {
            self.file(format!("{target}/{}", source.path), &*source.bytes);
        }
        Ok(())
    }
}

/// The output validator of a case, without its options.
#[derive(PartialEq)]
enum Validator<'a> {
    Default,
    /// Source text.
    Queens(String),
    /// The reason.
    Unsupported(&'static str),
    Program(&'a AuthorProgram),
}

fn validator(checker: &Checker) -> Validator<'_> {
    match checker {
        Checker::Program(call) => Validator::Program(&call.program),
        Checker::QueensColumns { .. } | Checker::AnyOrder | Checker::OnlyNumbers { .. } => {
            Validator::Unsupported(checker.name())
        }
        Checker::QueensBoard {
            queen,
            blank,
            separator,
            ..
        } => {
            let mut source = include_str!("export/queens.cpp").to_owned();
            let texts = [("QUEEN", queen), ("BLANK", blank), ("SEPARATOR", separator)];
            for (name, text) in texts {
                let bytes: Vec<String> = text.bytes().map(|byte| format!("\\{byte:03o}")).collect();
                source =
                    source.replace(&format!("{name}_TEXT"), &format!("\"{}\"", bytes.concat()));
            }
            Validator::Queens(source)
        }
        _ => Validator::Default,
    }
}

/// The output validator's options for a case.
fn options(case: &Case) -> Vec<String> {
    let mut options = Vec::new();
    let mut layout = |is_case_sensitive: bool, is_space_sensitive: bool| {
        options.extend(is_case_sensitive.then_some("case_sensitive".to_owned()));
        options.extend(is_space_sensitive.then_some("space_change_sensitive".to_owned()));
    };
    match &case.checker {
        Checker::Exact => layout(true, true),
        Checker::AnyOrder | Checker::OnlyNumbers { .. } | Checker::Report => {}
        Checker::Lines => layout(true, false),
        Checker::Tokens(tokens) => layout(tokens.case_sensitive, tokens.space_change_sensitive),
        Checker::Numbers {
            absolute,
            relative,
            tokens,
        } => {
            layout(tokens.case_sensitive, tokens.space_change_sensitive);
            for (name, value) in [("absolute", absolute), ("relative", relative)] {
                options.extend([format!("float_{name}_tolerance"), format!("{value:e}")]);
            }
        }
        Checker::QueensBoard { size, .. } | Checker::QueensColumns { size, .. } => {
            options.push(size.to_string());
        }
        Checker::Program(call) => options.clone_from(&call.arguments),
    }
    options
}

/// Joins words with blanks.
fn words(words: &[String]) -> Result<String, PackageError> {
    let is_word = |word: &&String| !word.is_empty() && !word.contains(char::is_whitespace);
    if let Some(other) = words.iter().find(|word| !is_word(word)) {
        return unsupported(format!(
            "arguments with blanks are not supported, found `{other}`"
        ));
    }
    Ok(words.join(" "))
}

/// A file that makes a program read its arguments from standard input, if possible.
fn reader(sources: &[SourceFile]) -> Option<SourceFile> {
    let has = |wanted: &str| sources.iter().any(|source| source.extension() == wanted);
    let c = include_str!("export/arguments.c");
    let (path, text) = match sources {
        _ if has("cpp") || has("cc") => ("arguments.cpp", c.to_owned()),
        _ if has("c") => ("arguments.c", c.to_owned()),
        [only] if has("py") && only.path != "main.py" => {
            let text = include_str!("export/arguments.py");
            ("main.py", text.replace("PROGRAM", &only.path))
        }
        _ => return None,
    };
    Some(SourceFile::new(path, text.into_bytes()))
}

/// The range of the numbers at each position of the inputs, as C++ values; `None` unless all inputs consist of whole
/// numbers in the same arrangement.
fn ranges(inputs: &[Vec<u8>]) -> Option<String> {
    let mut lines: Option<Vec<Vec<(i64, i64)>>> = None;
    for input in inputs {
        let text = std::str::from_utf8(input).ok()?.strip_suffix('\n')?;
        let read = |word: &str| {
            let value: i64 = word.parse().ok()?;
            (value.to_string() == word).then_some((value, value))
        };
        let read = |line: &str| line.split(' ').map(read).collect::<Option<Vec<_>>>();
        let found: Vec<Vec<_>> = text.split('\n').map(read).collect::<Option<_>>()?;
        let Some(known) = &mut lines else {
            lines = Some(found);
            continue;
        };
        if !known.iter().map(Vec::len).eq(found.iter().map(Vec::len)) {
            return None;
        }
        for (known, (value, _)) in known.iter_mut().flatten().zip(found.into_iter().flatten()) {
            *known = (known.0.min(value), known.1.max(value));
        }
    }
    let lines = lines?.into_iter().map(|line| {
        let ranges = line
            .iter()
            .map(|(least, most)| format!("Range{{{least}, {most}}}"));
        format!("Line{{{}}}", ranges.collect::<Vec<_>>().join(", "))
    });
    Some(lines.collect::<Vec<_>>().join(", "))
}

/// Mebibytes, rounded up, at least 1.
fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20).max(1)
}

/// The name, with `-` for characters that the format does not allow.
fn plain(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    name.chars()
        .map(|c| if allowed(c) { c } else { '-' })
        .collect()
}

fn is_plain(path: &str) -> bool {
    let is_plain = |part: &str| plain(part) == part && !part.starts_with(['.', '-']);
    path.split('/').all(is_plain)
}

/// A UUID that does not change with the problem (RFC 9562, version 8: a hash of its id).
fn uuid(id: &str) -> String {
    let hash = blake3::hash(id.as_bytes()).to_hex();
    format!(
        "{}-{}-8{}-8{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[12..15],
        &hash[15..18],
        &hash[18..30]
    )
}
