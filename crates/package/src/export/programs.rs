//! The validators of an exported package.

use std::collections::BTreeMap;
use std::slice;

use grader_model::SourceFile;
use grader_problem::{AuthorProgram, Case, Checker, CheckerProtocol, InputValidator};

use super::writer::{PackageWriter, cases, contains, wrapper};
use crate::error::{PackageError, unsupported};

impl PackageWriter<'_> {
    /// Writes the output validator; returns `false` if the default one suffices.
    pub(super) fn output_validator(&mut self) -> Result<bool, PackageError> {
        let mut kinds = cases(self.problem).map(|(_, case)| validator(&case.checker));
        let first = kinds.next().unwrap_or(Validator::Default);
        if !kinds.all(|kind| kind == first) {
            return unsupported("the checkers of the cases are different programs");
        }
        if cases(self.problem).any(|(_, case)| case.checker == Checker::Lines) {
            self.note("the package compares words, not lines");
        }
        let folder = if self.is_legacy {
            "output_validators/checker"
        } else {
            "output_validator"
        };
        match first {
            Validator::Default => return Ok(false),
            Validator::Queens(source) => self.file(format!("{folder}/queens.cpp"), source),
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
                self.program(folder, program);
                if program.protocol == CheckerProtocol::Testlib {
                    let is_c = |source: &SourceFile| {
                        matches!(&*source.extension(), "cpp" | "cc" | "h" | "hpp")
                    };
                    if !program.sources.iter().all(is_c) {
                        return unsupported("a checker of testlib must be written in C++");
                    }
                    let own = program.sources.iter().filter(|it| it.name() != "testlib.h");
                    let partial = ["quitp", "_pc(", "_points", "_partially"];
                    let mut words =
                        own.flat_map(|it| partial.map(|word| contains(&it.bytes, word)));
                    if words.any(|is_there| is_there) {
                        self.note(
                            "the checker's partial scores are not exported: such outputs are wrong in the package",
                        );
                    }
                    let is_interactive =
                        cases(self.problem).any(|(_, case)| case.checker.is_interactive());
                    let adapter = include_str!("testlib.cpp");
                    let adapter = adapter.replace("INTERACTIVE_VALUE", &is_interactive.to_string());
                    self.file(format!("{folder}/as_output_validator.cpp"), adapter);
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

    /// Writes the problem's input validators, or one for the tests, which are written, if they are whole numbers.
    pub(super) fn input_validator(&mut self) {
        let mut validators = cases(self.problem).map(|(_, case)| validator_files(case));
        let first = validators.next().unwrap_or_default();
        let is_same = validators.all(|it| it == first);
        let has_any = !first.is_empty() || !is_same;
        if has_any && is_same && !self.reads_arguments {
            let are_unlike = |(_, case): (_, &Case)| {
                let calls = case.validators.iter().filter_map(InputValidator::program);
                let mut arguments = calls.map(|it| &it.arguments);
                let usual = arguments.next();
                arguments.any(|it| Some(it) != usual)
            };
            if cases(self.problem).any(are_unlike) {
                self.note("all validators get the arguments of the first one");
            }
            for (number, sources) in (1..).zip(&first) {
                let number = (first.len() > 1).then_some(number);
                self.own_validator(sources, number);
            }
            return;
        }
        if has_any {
            self.note(if self.reads_arguments {
                "the validator is not exported: it does not know the line of arguments"
            } else {
                "the validators are not exported: the package has one for all cases"
            });
        }
        if let Some(numbers) = Numbers::of(&self.exported.files) {
            let source = include_str!("numbers.cpp");
            let source = source.replace("SMALLEST", &numbers.smallest.to_string());
            let source = source.replace("LARGEST", &numbers.largest.to_string());
            let source = source.replace("PLAIN_VALUE", &numbers.is_plain.to_string());
            self.file("input_validators/input.cpp", source);
        } else {
            self.note("there is no input validator, and the format needs one");
        }
    }

    /// Writes an input validator, with its number if there are several.
    fn own_validator(&mut self, sources: &[SourceFile], number: Option<usize>) {
        let mut sources = sources.to_vec();
        if let [only] = &mut sources[..] {
            // One that is no program has its path in the problem.
            only.path = only.name().to_owned();
        }
        // What has its own build, or one of these files, comes from a package.
        let is_there =
            |it: &SourceFile| it.path == "build" || it.path.starts_with("as_input_validator.");
        let is_ready = sources.iter().any(is_there);
        let (c, python) = (include_str!("validator.c"), include_str!("validator.py"));
        let adapter = wrapper(&sources, "as_input_validator", c, python).filter(|_| !is_ready);
        let ends_with_42 = |it: &SourceFile| it.extension() == "ctd" || contains(&it.bytes, "42");
        if adapter.is_none() && !is_ready && !sources.iter().any(ends_with_42) {
            self.note(
                "the validator must end with 42 if it accepts: 0 is not enough in the package",
            );
        }
        sources.extend(adapter);
        let folder = match (&sources[..], number) {
            (_, Some(number)) => format!("input_validators/validator-{number}"),
            ([_], None) => "input_validators".to_owned(),
            (_, None) => "input_validators/validator".to_owned(),
        };
        for source in sources {
            self.file(format!("{folder}/{}", source.path), &*source.bytes);
        }
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
        Checker::Contains(_)
        | Checker::QueensColumns { .. }
        | Checker::AnyOrder
        | Checker::OnlyNumbers { .. } => Validator::Unsupported(checker.name()),
        Checker::QueensBoard {
            queen,
            blank,
            separator,
            ..
        } => {
            let mut source = include_str!("queens.cpp").to_owned();
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

/// The files of each of a case's validators.
fn validator_files(case: &Case) -> Vec<&[SourceFile]> {
    let files = case.validators.iter().map(|it| match it {
        InputValidator::Program(call) => &call.program.sources[..],
        InputValidator::Checktestdata(file) => slice::from_ref(&file.source),
    });
    files.collect()
}

/// What the inputs of tests that have nothing but whole numbers have in common.
struct Numbers {
    smallest: i64,
    largest: i64,
    /// Whether each line ends, and has numbers in their shortest form with one blank between them.
    is_plain: bool,
}

impl Numbers {
    fn of(files: &BTreeMap<String, Vec<u8>>) -> Option<Self> {
        let mut found = Self {
            smallest: i64::MAX,
            largest: -i64::MAX,
            is_plain: true,
        };
        let is_test = |path: &str| path.starts_with("data/") && path.strip_suffix(".in").is_some();
        for (_, input) in files.iter().filter(|(path, _)| is_test(path)) {
            let text = std::str::from_utf8(input).ok()?;
            let mut plain = String::new();
            for line in text.lines() {
                let mut gap = "";
                for word in line.split_ascii_whitespace() {
                    // The smallest one cannot be written in C++.
                    let number = word.parse().ok().filter(|it| *it > i64::MIN)?;
                    found.smallest = found.smallest.min(number);
                    found.largest = found.largest.max(number);
                    plain = plain + gap + &number.to_string();
                    gap = " ";
                }
                plain.push('\n');
            }
            found.is_plain &= plain == text;
        }
        Some(found)
    }
}
