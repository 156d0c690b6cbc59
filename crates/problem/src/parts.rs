//! The parts of a problem that results depend on, as hashes.
//!
//! They are made from what was understood of the files and not from their bytes: a comment, the order of keys or another
//! way to write the same cases changes nothing. Each type with a field that is left out is taken apart here field by
//! field, so that a new field does not compile until it has its place.

use std::fmt::{self, Debug, Write as _};

use grader_model::SourceFile;

use crate::problem::{
    Answer, Case, Checker, CheckerProgram, Problem, Reference, ReferenceProgram, RunRule,
    SubmissionRule, Subtask,
};

/// Hashes of the two parts of a problem, each 64 hexadecimal digits.
///
/// They hold within one version of this program: values are hashed by the text that `Debug` gives, which another version
/// may give otherwise. Store them together with the program's version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemParts {
    /// What decides what a program does and how long it may run: arguments, inputs, limits, the reference, attempts.
    pub running: String,
    /// What decides what becomes of that: checkers, given answers, points, hidden subtasks, flags.
    pub judging: String,
}

impl Problem {
    /// The hashes of its parts. The points that an assignment gives it are not among them.
    pub fn parts(&self) -> ProblemParts {
        let mut running = Hasher::default();
        let mut judging = Hasher::default();
        let Self {
            // What names the problem, and how its folder looks.
            id: _,
            title: _,
            folder: _,
            version: _,
            // Which files are a submission is known from the submission.
            submission:
                SubmissionRule {
                    files: _,
                    size: _,
                    languages,
                },
            source,
            time_flags,
            run:
                RunRule {
                    input_file,
                    output_file,
                    exit_status,
                },
            limits,
            reference,
            subtasks,
        } = self;
        // Whether the reference is timed decides its arguments, and so its answers.
        let timed = self.needs_reference_time();
        running.add((languages, input_file, output_file, limits, timed));
        judging.add((source, time_flags, exit_status));
        match reference {
            Some(Reference {
                program: ReferenceProgram::Sources(sources),
                calibrate,
            }) => {
                running.add(calibrate);
                running.add_sources(sources);
            }
            builtin_or_none => running.add(builtin_or_none),
        }
        for subtask in subtasks {
            let Subtask {
                name,
                points,
                score,
                require,
                hidden,
                growth,
                attempts,
                by_time,
                cases,
            } = subtask;
            running.add((name, growth, attempts, cases.len()));
            judging.add((points, score, require, hidden, by_time));
            for case in cases {
                let Case {
                    name,
                    variables,
                    arguments,
                    input,
                    answer,
                    checker,
                } = case;
                running.add((name, arguments));
                running.add_bytes(input);
                judging.add(variables);
                judging.add_checker(checker);
                match answer {
                    Answer::Given(bytes) => judging.add_bytes(bytes),
                    Answer::Reference | Answer::None => judging.add(answer),
                }
            }
        }
        ProblemParts {
            running: running.0.finalize().to_string(),
            judging: judging.0.finalize().to_string(),
        }
    }
}

/// Hashes values one after the other so that no two lists look the same.
#[derive(Default)]
struct Hasher(blake3::Hasher);

impl Hasher {
    fn add(&mut self, value: impl Debug) {
        // Writing to a hasher cannot fail. `Debug` escapes line feeds, so that one ends a value.
        let _ = writeln!(self, "{value:?}");
    }

    /// Not as `Debug`, which is slow for large inputs.
    fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len());
        self.0.update(bytes);
    }

    fn add_sources(&mut self, sources: &[SourceFile]) {
        self.add(sources.len());
        for SourceFile { path, bytes } in sources {
            self.add(path);
            self.add_bytes(bytes);
        }
    }

    fn add_checker(&mut self, checker: &Checker) {
        let Checker::Program { program, arguments } = checker else {
            return self.add(checker);
        };
        let CheckerProgram {
            sources,
            protocol,
            cpu,
            memory,
        } = program.as_ref();
        self.add(("program", protocol, cpu, memory, arguments));
        self.add_sources(sources);
    }
}

impl fmt::Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use grader_model::{Bytes, Points, SourceFile, Text};

    use super::*;
    use crate::{ExitPolicy, MemoryLibrary, load_problem};

    const FILE: &str = r#"
format = 1
id = "double"
title = "Twice n"
[submission]
files = ["double.*"]
[run]
arguments = ["{n}"]
[limits]
time = { reference = 3.0 }
[reference]
builtin = "double"
[checker.program]
source = "check.c"
[[subtask]]
name = "all"
points = 2
cases = { n = "1..=2" }
"#;

    fn load(file: &str) -> Problem {
        let mut library = MemoryLibrary::default();
        library.insert("problem.toml", file);
        library.insert("check.c", "int main() {}");
        let loaded = load_problem(&library, "", &["double"]);
        loaded
            .value
            .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
    }

    fn case(problem: &mut Problem) -> &mut Case {
        &mut problem.subtasks[0].cases[1]
    }

    #[test]
    fn each_change_of_a_problem_changes_the_part_that_it_belongs_to() {
        type Change = fn(&mut Problem);
        let neither: [Change; 4] = [
            |it| it.folder.push('x'),
            |it| it.title = Text::plain("Twice"),
            |it| it.submission.files.clear(),
            |it| it.submission.size = Bytes(1),
        ];
        let running: [Change; 7] = [
            |it| it.submission.languages.truncate(1),
            |it| it.run.input_file = Some("in".to_owned()),
            |it| it.limits.memory.0 += 1,
            |it| it.reference = None,
            |it| {
                let sources = vec![SourceFile::new("double.c", &b"x"[..])];
                it.reference.as_mut().unwrap().program = ReferenceProgram::Sources(sources);
            },
            |it| case(it).input = Arc::from(&b"x"[..]),
            |it| case(it).arguments.push(String::new()),
        ];
        let judging: [Change; 7] = [
            |it| it.run.exit_status = ExitPolicy::Ignored,
            |it| it.subtasks[0].points = Points::whole(1),
            |it| it.subtasks[0].hidden = true,
            |it| case(it).answer = Answer::Given(Arc::from(&b"8"[..])),
            |it| case(it).checker = Checker::Exact,
            |it| match &mut case(it).checker {
                Checker::Program { arguments, .. } => arguments.push(String::new()),
                other => panic!("{other:?}"),
            },
            |it| match &mut case(it).checker {
                Checker::Program { program, .. } => {
                    let bytes = Arc::from(&b"int main() { return 1; }"[..]);
                    Arc::make_mut(program).sources[0].bytes = bytes;
                }
                other => panic!("{other:?}"),
            },
        ];
        let all = [
            (neither.as_slice(), false, false),
            (&running, true, false),
            (&judging, false, true),
        ];
        for (changes, runs, judges) in all {
            for (index, change) in changes.iter().enumerate() {
                let mut problem = load(FILE);
                let before = problem.parts();
                change(&mut problem);
                let after = problem.parts();
                let changed = (
                    before.running != after.running,
                    before.judging != after.judging,
                );
                assert_eq!(changed, (runs, judges), "{index}");
            }
        }
    }

    #[test]
    fn another_way_to_write_the_same_problem_changes_nothing() {
        let before = load(FILE).parts();
        for (old, new) in [
            ("format = 1\n", "# A comment.\nformat = 1\n"),
            ("reference = 3.0", "reference = 3"),
            ("n = \"1..=2\"", "n = [1, 2]"),
            ("points = 2\n", "points = 2.0\n"),
        ] {
            assert_eq!(FILE.matches(old).count(), 1, "{old}");
            let other = load(&FILE.replace(old, new));
            assert_eq!(other.parts(), before, "{new}");
            assert_ne!(other.version, load(FILE).version);
        }
    }
}
