//! Tasks of CMS in the Italian format, which national olympiads and task-maker use: `task.yaml`, `gen/GEN`, `sol/`, `cor/`.
//!
//! Format: <https://cms.readthedocs.io/en/latest/External%20contest%20formats.html>. Where it is vague,
//! `cmscontrib/loaders/italy_yaml.py` of <https://github.com/cms-dev/cms> is authoritative.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Points, Verdict, counted, extension_of, file_name};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::constants::{MAX_CASES, MAX_SUBTASKS, MAX_YAML};
use crate::draft::{Draft, check_name, is_source};
use crate::error::{PackageError, mistake, unsupported};
use crate::output::{Content, Imported, TomlProgram, points, template};
use crate::test_groups::{Test, TestGroup, Worth, add};
use crate::yaml::{Yaml, read_text};

pub(crate) const FILE: &str = "task.yaml";
const GEN: &str = "gen/GEN";
/// Keys that do not affect how a program is judged.
const IRRELEVANT: [&str; 14] = [
    "name",
    "nome_breve",
    "description",
    "max_score",
    "score_mode",
    "score_precision",
    "feedback_level",
    "primary_language",
    "public_testcases",
    "risultati",
    "token_mode",
    "token_initial",
    "max_submission_number",
    "min_submission_interval",
];

#[derive(Deserialize)]
struct TaskYaml {
    title: Option<String>,
    nome: Option<String>,
    time_limit: Option<f64>,
    timeout: Option<f64>,
    memory_limit: Option<f64>,
    memlimit: Option<f64>,
    infile: Option<String>,
    outfile: Option<String>,
    n_input: Option<f64>,
    total_value: Option<f64>,
    score_type: Option<String>,
    score_type_parameters: Value,
    output_only: Value,
    output_only_testcases: Value,
    output_optional_testcases: Value,
}

/// A subtask, with the number of its tests.
struct Part {
    name: String,
    points: f64,
    count: usize,
}

/// Where an input comes from if it is not in `input/`.
#[derive(Clone)]
enum Input {
    /// The arguments of the generator.
    Arguments(String),
    /// A file of the package.
    Copy(String),
    Nowhere,
}

struct CmsReader<'a> {
    draft: Draft<'a>,
}

pub(crate) fn import(mut draft: Draft<'_>) -> Result<Imported, PackageError> {
    let yaml = Yaml::file(draft.library, FILE)?.ok_or(PackageError::Unknown)?;
    let task: TaskYaml = draft.typed(yaml.ignoring(&IRRELEVANT))?;
    let mut reader = CmsReader { draft };
    reader.task(&task)?;
    let known = [FILE, "gen", "sol", "cor", "check", "input", "output"];
    reader.draft.note_unused(|name| known.contains(&name));
    reader.draft.finish()
}

impl CmsReader<'_> {
    fn task(&mut self, task: &TaskYaml) -> Result<(), PackageError> {
        let is_set = |it: &Value| !matches!(it, Value::Null | Value::Bool(false));
        if [
            &task.output_only,
            &task.output_only_testcases,
            &task.output_optional_testcases,
        ]
        .into_iter()
        .any(is_set)
        {
            return unsupported(
                "students submit outputs (`output_only`): only programs are supported",
            );
        }
        let folders = ["check", "cor"];
        if folders
            .iter()
            .any(|it| self.names(it).any(|it| stem(&it) == "manager"))
        {
            return unsupported("tasks of the type Communication (`manager`) are not supported");
        }
        if let Some(title) = task.title.as_ref().or(task.nome.as_ref()) {
            self.draft.problem.title = title.clone().into();
        }
        let memory = task.memory_limit.or(task.memlimit).unwrap_or_else(|| {
            self.draft.note(
                "the package has no memory limit: `[limits]` gets 512 MiB, for you to change",
            );
            512.0
        });
        self.draft
            .limit(task.time_limit.or(task.timeout), memory, 64.0);
        for (key, name, usual) in [
            ("input-file", &task.infile, "input.txt"),
            ("output-file", &task.outfile, "output.txt"),
        ] {
            let name = name.as_deref().unwrap_or(usual);
            if !name.is_empty() {
                self.draft.problem.run.insert(key, name.into());
            }
        }
        // As CMS compiles: programs read files only then.
        let flags = json!({ "c": ["-DEVAL"], "cpp": ["-DEVAL"] });
        self.draft.problem.build = BTreeMap::from([("flags", flags)]);
        self.stubs()?;
        let has_checker = self.checker()?;
        let groups = self.groups(task, has_checker)?;
        let mut tests = groups.iter().flat_map(|it| &it.tests);
        let lacks_answers = tests.any(|it| it.answer.is_none());
        add(&mut self.draft, groups, has_checker)?;
        self.validator()?;
        self.solutions(lacks_answers)?;
        for folder in ["statement", "testo"] {
            if self.draft.has_entries(folder) {
                self.draft.statement(folder, "statement");
            }
        }
        Ok(())
    }

    /// The files in a folder.
    fn names(&self, folder: &str) -> impl Iterator<Item = String> + use<> {
        let entries = self.draft.library.list(folder).unwrap_or_default();
        entries
            .into_iter()
            .filter(|it| !it.folder)
            .map(|it| it.name)
    }

    /// The first source with one of these paths, without their extensions.
    fn source(&self, paths: &[&str]) -> Option<String> {
        let mut paths = paths.iter().filter_map(|path| path.rsplit_once('/'));
        paths.find_map(|(folder, wanted)| {
            let mut names = self.names(folder);
            let name = names.find(|it| stem(it) == wanted && is_source(it));
            name.map(|it| format!("{folder}/{it}"))
        })
    }

    /// Copies the files that are compiled with submissions, in C and C++.
    fn stubs(&mut self) -> Result<(), PackageError> {
        let names: Vec<String> = self.names("sol").collect();
        let mut problem = std::mem::take(&mut self.draft.problem.submission);
        let mut others = Vec::new();
        for name in names.iter().filter(|it| stem(it) == "grader") {
            match name.as_str() {
                "grader.c" => problem.languages.push("c"),
                "grader.cpp" => problem.languages.push("cpp"),
                _ => others.push(name.as_str()),
            }
        }
        if !problem.languages.is_empty() {
            for name in names.iter().filter(|it| {
                ["grader.c", "grader.cpp"].contains(&it.as_str()) || extension_of(it) == "h"
            }) {
                problem.include.push(format!("include/{name}"));
                self.draft
                    .file(&format!("sol/{name}"), &format!("include/{name}"));
            }
            for name in others {
                self.draft.note(format!("`sol/{name}` is not used"));
            }
            self.draft.note("submissions must not define `main`");
        } else if let [first, ..] = &others[..] {
            return unsupported(format!(
                "programs call `sol/{first}`: only graders in C and C++ are supported"
            ));
        }
        self.draft.problem.submission = problem;
        Ok(())
    }

    /// Sets the checker; returns whether it is a program.
    fn checker(&mut self) -> Result<bool, PackageError> {
        if let Some(path) = self.source(&["check/checker", "cor/correttore"]) {
            if !self.program(&path, "checker")? {
                return mistake(&path, "it is in Python 2");
            }
            let checker = TomlProgram {
                protocol: Some("cms"),
                ..TomlProgram::new("checker")
            };
            self.draft.problem.checker = Some(checker.checker());
            return Ok(true);
        }
        for path in ["check/checker", "cor/correttore"] {
            if self.draft.is_file(path) {
                return mistake(path, "the source of the checker is not in the package");
            }
        }
        // CMS forgives other white space within a line, which no checker of ours does line by line.
        self.draft
            .note("outputs are compared by words; CMS also compares where lines end");
        self.draft.problem.checker = Some(json!({ "tokens": {} }));
        Ok(false)
    }

    /// The subtasks by `task.yaml`, or by `gen/GEN`.
    fn groups(
        &mut self,
        task: &TaskYaml,
        has_checker: bool,
    ) -> Result<Vec<TestGroup>, PackageError> {
        if self.draft.is_file("gen/cases.gen") {
            return unsupported(
                "`gen/cases.gen` is not supported: run task-maker, which writes `gen/GEN`, and import again",
            );
        }
        let text = read_text(self.draft.library, GEN, MAX_YAML)?;
        let (mut inputs, mut parts) = generated(&text.unwrap_or_default())?;
        if inputs.is_empty() {
            let count = task.n_input.unwrap_or(self.names("input").count() as f64);
            if !(1.0..=MAX_CASES as f64).contains(&count) {
                let message =
                    format!("expected 1 to {MAX_CASES} tests in `{GEN}` or `input`, found {count}");
                return mistake(FILE, message);
            }
            inputs = vec![Input::Nowhere; count as usize];
        }
        let all = inputs.len();
        if let Some(count) = task
            .n_input
            .filter(|it| (it - all as f64).abs() > f64::EPSILON)
        {
            return mistake(
                GEN,
                format!("expected {count} tests (`n_input`), found {all}"),
            );
        }
        let one = |points| {
            vec![Part {
                name: "tests".to_owned(),
                points,
                count: all,
            }]
        };
        let given = &task.score_type_parameters;
        let kind = task.score_type.as_deref();
        let mut worth: fn(Points) -> Worth = Worth::Worst;
        match kind.filter(|_| task.n_input.is_some()) {
            None if !parts.is_empty() => {}
            None => {
                parts = one(task.total_value.unwrap_or(100.0));
                worth = Worth::Shared;
            }
            Some("Sum") => {
                parts = one(given.as_f64().unwrap_or(-1.0) * all as f64);
                worth = Worth::Shared;
            }
            Some(kind) if kind == "GroupMin" || kind == "GroupMul" && !has_checker => {
                let part = |(number, it): (usize, &Value)| Part {
                    name: format!("subtask-{number}"),
                    points: it[0].as_f64().unwrap_or(-1.0),
                    count: it[1].as_u64().map_or(0, |it| it as usize),
                };
                let given = given.as_array().into_iter().flatten();
                parts = (1..).zip(given).map(part).collect();
            }
            Some(kind) => return unsupported(format!("the score type `{kind}` is not supported")),
        }
        let counted = parts
            .iter()
            .fold(0, |sum: usize, it| sum.saturating_add(it.count));
        if counted != all
            || parts.len() > MAX_SUBTASKS
            || parts.iter().any(|it| it.points < 0.0 || it.count == 0)
        {
            let message = format!(
                "expected at most {MAX_SUBTASKS} subtasks with points and tests, {all} in all, found {counted} in {}",
                parts.len()
            );
            return mistake(FILE, message);
        }
        let mut inputs = (0..).zip(inputs);
        let groups = parts.into_iter().map(|part| {
            let mut group = TestGroup {
                name: part.name,
                worth: worth(points(part.points)),
                // Students got these files with the task.
                is_sample: true,
                ..TestGroup::default()
            };
            for (number, input) in inputs.by_ref().take(part.count) {
                let shown = ["att/", "testo/", "statement/"];
                group.is_sample &= matches!(&input, Input::Copy(path) if shown.iter().any(|it| path.starts_with(it)));
                group.tests.push(self.test(number, input)?);
            }
            Ok(group)
        });
        groups.collect()
    }

    /// The test with this number.
    fn test(&mut self, number: usize, input: Input) -> Result<Test, PackageError> {
        let [given, answer] =
            ["input/input", "output/output"].map(|it| format!("{it}{number}.txt"));
        let mut test = Test {
            name: format!("{number:03}"),
            ..Test::default()
        };
        let path = match input {
            _ if self.draft.is_file(&given) => given,
            Input::Copy(path) if self.draft.is_file(&path) => path,
            Input::Copy(path) => return mistake(GEN, format!("`{path}` is not in the package")),
            Input::Nowhere => return mistake(&given, "the input is not in the package"),
            Input::Arguments(arguments) => {
                test.generate = Some(self.generator(&arguments)?);
                return Ok(test);
            }
        };
        test.input = Some(Content::Copy(path));
        test.answer = self.draft.is_file(&answer).then_some(Content::Copy(answer));
        Ok(test)
    }

    /// The command that generates a test; copies the generator.
    fn generator(&mut self, arguments: &str) -> Result<String, PackageError> {
        let Some(path) = self.source(&["gen/generator", "gen/generatore"]) else {
            return mistake(
                "gen",
                "there is no source `generator.*` or `generatore.*` in a known language, and `input` lacks tests",
            );
        };
        if arguments.contains(['"', '\'', '\\', '$', '`']) {
            return mistake(
                GEN,
                format!("the arguments `{arguments}` are not plain words"),
            );
        }
        if !self.draft.is_used(&path) && !self.program(&path, "generator")? {
            return mistake(
                &path,
                "it is in Python 2: run `cmsMake` there, which writes `input` and `output`, and import again",
            );
        }
        let words = std::iter::once("generator").chain(arguments.split_whitespace());
        Ok(template(&words.collect::<Vec<_>>().join(" ")))
    }

    /// Sets the validators: they get the path of an input and the number of its subtask.
    fn validator(&mut self) -> Result<(), PackageError> {
        let Some(path) = self.source(&["gen/validator", "gen/valida"]) else {
            return Ok(());
        };
        if !self.program(&path, "validator")? {
            self.draft
                .note(format!("`{path}` is not used: it is in Python 2"));
            return Ok(());
        }
        let has_subtasks = self
            .draft
            .problem
            .subtask
            .iter()
            .any(|it| it.score != "sum");
        for (number, subtask) in (1..).zip(&mut self.draft.problem.subtask) {
            let number = if has_subtasks { number } else { 0 };
            subtask.validator = vec![TomlProgram {
                arguments: vec!["/dev/stdin".to_owned(), number.to_string()],
                ..TomlProgram::new("validator")
            }];
        }
        Ok(())
    }

    /// Copies the official solution, and those of which a tag says that they are right.
    fn solutions(&mut self, lacks_answers: bool) -> Result<(), PackageError> {
        let main = self.source(&["sol/solution", "sol/soluzione"]);
        let mut others = Vec::new();
        for name in self
            .names("sol")
            .filter(|it| is_source(it) && !["grader", "stub", "template"].contains(&stem(it)))
        {
            let path = format!("sol/{name}");
            let text = self.draft.library.read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text).into_owned();
            let mut tags = text
                .split("@check-")
                .skip(1)
                .map(|it| it.lines().next().unwrap_or_default().trim());
            if main.as_ref() == Some(&path)
                || tags.clone().next().is_some() && tags.all(|it| it == "accepted: *")
            {
                self.draft
                    .sample(&path, &name, &name, &vec![Verdict::Accepted].into())?;
            } else {
                others.push(path);
            }
        }
        if !others.is_empty() {
            let count = counted(others.len(), "solution is", "solutions are");
            let first = others
                .iter()
                .take(3)
                .cloned()
                .collect::<Vec<_>>()
                .join("`, `");
            self.draft.note(format!(
                "{count} not used, as the package does not say what they must get: `{first}`"
            ));
        }
        match main {
            Some(path) => {
                let path = format!("submissions/accepted/{}", file_name(&path));
                self.draft.problem.reference = Some(BTreeMap::from([("path", path.into())]));
            }
            None if lacks_answers => {
                return mistake(
                    "sol",
                    "there is no source `solution.*` or `soluzione.*`, which gives the answers",
                );
            }
            None => {}
        }
        Ok(())
    }

    /// Copies a program with the files beside it that it imports or includes. Returns whether it can run: is not in Python 2.
    fn program(&mut self, path: &str, to: &str) -> Result<bool, PackageError> {
        let folder = path.rsplit_once('/').map_or("", |it| it.0);
        let mut beside: Vec<String> = self.names(folder).collect();
        let (mut open, mut can_run) = (vec![path.to_owned()], true);
        while let Some(path) = open.pop() {
            let bytes = self.draft.library.read(&path);
            let bytes = bytes.map_err(|error| PackageError::file(&path, error))?;
            let text = String::from_utf8_lossy(&bytes);
            let lines = || text.lines().map(str::trim_start);
            can_run &= extension_of(&path) != "py" || !lines().any(is_python_2);
            let named = lines().filter(|it| {
                ["import ", "from ", "#include"]
                    .iter()
                    .any(|word| it.starts_with(word))
            });
            let words: BTreeSet<&str> = named
                .flat_map(|it| it.split(|c: char| !c.is_alphanumeric() && c != '_'))
                .collect();
            let (used, rest) = beside.into_iter().partition(|it| words.contains(stem(it)));
            beside = rest;
            let used: Vec<String> = used;
            open.extend(
                used.iter()
                    .map(|it| format!("{folder}/{it}"))
                    .filter(|it| *it != path),
            );
            self.draft
                .file(&path, &format!("{to}/{}", file_name(&path)));
        }
        Ok(can_run)
    }
}

/// Whether a line is one of Python 2: `print x`, `xrange(3)`.
fn is_python_2(line: &str) -> bool {
    let printed = line.strip_prefix("print ").map(str::trim_start);
    printed.is_some_and(|it| !it.starts_with(['(', '=']))
        || line.contains("xrange(")
        || line.contains("raw_input(")
}

/// A file's name up to its first dot.
fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// The inputs of `gen/GEN`, and the subtasks, if it has any.
fn generated(text: &str) -> Result<(Vec<Input>, Vec<Part>), PackageError> {
    let (mut inputs, mut parts) = (Vec::new(), Vec::<Part>::new());
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |what: &str| mistake(GEN, format!("line {number}: {what}"));
        let (arguments, comment) = line.split_once('#').unwrap_or((line, ""));
        let (word, rest) = comment.trim().split_once(':').unwrap_or_default();
        let rest = rest.split('#').next().unwrap_or_default().trim();
        let input = match (arguments.trim(), word) {
            ("", "COPY") => Input::Copy(rest.to_owned()),
            ("", "ST") => {
                let Ok(points) = rest.parse::<u32>() else {
                    return wrong(&format!("expected points after `#ST:`, found `{rest}`"));
                };
                let name = format!("subtask-{}", parts.len() + 1);
                parts.push(Part {
                    name,
                    points: points.into(),
                    count: 0,
                });
                continue;
            }
            ("", "STNAME") => {
                check_name(GEN, rest)?;
                match parts.last_mut() {
                    Some(part) => rest.clone_into(&mut part.name),
                    None => return wrong("expected `#ST:` before `#STNAME:`"),
                }
                continue;
            }
            ("", "STDEP") => return wrong("`#STDEP:` is not supported"),
            ("", _) => continue,
            (_, "COPY" | "ST") => return wrong("a test and a command are in one line"),
            (arguments, _) => Input::Arguments(arguments.to_owned()),
        };
        if inputs.len() == MAX_CASES {
            return wrong(&format!("there are more than {MAX_CASES} tests"));
        }
        inputs.push(input);
        if let Some(part) = parts.last_mut() {
            part.count += 1;
        }
    }
    Ok((inputs, parts))
}
