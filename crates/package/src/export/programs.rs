//! The validators of an exported package.

use std::slice;

use grader_model::SourceFile;
use grader_problem::{AuthorProgram, Case, Checker, CheckerProtocol, InputValidator};

use super::writer::{PackageWriter, cases, contains, is_plain};
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

    /// Writes the problem's input validator, or one that checks ranges if all inputs are whole numbers.
    pub(super) fn input_validator(&mut self, inputs: &[Vec<u8>]) {
        let mut validators = cases(self.problem).map(|(_, case)| validator_files(case));
        let first = validators.next().flatten();
        let is_one = validators.all(|it| it == first);
        if first.is_some() || !is_one {
            if self.reads_arguments {
                self.note("the validator is not exported: it does not know the line of arguments");
            } else if !is_one {
                self.note("the validators are not exported: the package has one for all cases");
            }
        }
        if let Some(sources) = first
            && is_one
            && !self.reads_arguments
        {
            let adapter = validator_adapter(sources);
            let folder = match sources {
                [_] if adapter.is_none() => "input_validators",
                _ => "input_validators/validator",
            };
            let is_ready = |it: &SourceFile| {
                let name = it.name();
                // What has its own build, or one of these files, comes from a package.
                name == "build"
                    || name.starts_with("as_input_validator.")
                    || it.extension() == "ctd"
            };
            if let Some(adapter) = &adapter {
                self.file(format!("{folder}/{}", adapter.path), &*adapter.bytes);
            } else if !sources
                .iter()
                .any(|it| is_ready(it) || contains(&it.bytes, "42"))
            {
                self.note(
                    "the validator must end with 42 if it accepts: 0 is not enough in the package",
                );
            }
            for source in sources {
                // One that is no program has its path in the problem.
                let path = if sources.len() == 1 {
                    source.name()
                } else {
                    &source.path
                };
                self.file(format!("{folder}/{path}"), &*source.bytes);
            }
        } else if let Some(ranges) = ranges(inputs) {
            let source = include_str!("input.cpp").replace("RANGES", &ranges);
            self.file("input_validators/input.cpp", source);
        } else if let Some((smallest, largest)) = bounds(inputs) {
            let source = include_str!("numbers.cpp");
            let source = source.replace("SMALLEST", &smallest.to_string());
            let source = source.replace("LARGEST", &largest.to_string());
            self.file("input_validators/input.cpp", source);
        } else {
            self.note("there is no input validator, and the format needs one");
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
        Checker::QueensColumns { .. } | Checker::AnyOrder | Checker::OnlyNumbers { .. } => {
            Validator::Unsupported(checker.name())
        }
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

/// The files of a case's validator.
fn validator_files(case: &Case) -> Option<&[SourceFile]> {
    Some(match case.validator.as_ref()? {
        InputValidator::Program(call) => &call.program.sources,
        InputValidator::Checktestdata(file) => slice::from_ref(&file.source),
    })
}

/// A file that lets a validator end with 0 if it accepts: in a package, only 42 means that.
fn validator_adapter(sources: &[SourceFile]) -> Option<SourceFile> {
    let has = |wanted: &[&str]| sources.iter().any(|it| wanted.contains(&&*it.extension()));
    let is_there = |it: &SourceFile| {
        let path = &it.path;
        path == "build" || path.starts_with("as_input_validator.")
    };
    let c = include_str!("validator.c");
    let (path, text) = match sources {
        _ if sources.iter().any(is_there) => return None,
        _ if has(&["cpp", "cc", "cxx", "c++"]) => ("as_input_validator.cpp", c.to_owned()),
        _ if has(&["c"]) => ("as_input_validator.c", c.to_owned()),
        [only] if has(&["py"]) && only.name() != "main.py" && is_plain(only.name()) => {
            let text = include_str!("validator.py");
            ("main.py", text.replace("PROGRAM", only.name()))
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
        let text = std::str::from_utf8(input).ok()?;
        let text = match text {
            "" => None,
            _ => Some(text.strip_suffix('\n')?),
        };
        let read = |word: &str| {
            let value: i64 = word.parse().ok()?;
            (value.to_string() == word).then_some((value, value))
        };
        let read = |line: &str| line.split(' ').map(read).collect::<Option<Vec<_>>>();
        let text = text.into_iter().flat_map(|text| text.split('\n'));
        let found: Vec<Vec<_>> = text.map(read).collect::<Option<_>>()?;
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

/// The smallest and the largest number of inputs that have nothing but whole numbers.
fn bounds(inputs: &[Vec<u8>]) -> Option<(i64, i64)> {
    let mut bounds = None;
    for input in inputs {
        for word in std::str::from_utf8(input).ok()?.split_ascii_whitespace() {
            // The smallest one cannot be written in C++.
            let value: i64 = word.parse().ok().filter(|it| *it > i64::MIN)?;
            let (smallest, largest) = bounds.unwrap_or((value, value));
            bounds = Some((value.min(smallest), value.max(largest)));
        }
    }
    bounds
}
