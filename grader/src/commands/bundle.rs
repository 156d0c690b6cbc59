//! `grader bundle`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use grader_judge::{Judge, Scratch, Stop};
use grader_model::Points;
use grader_problem::{Answer, Case, Library, Problem, Subtask, TestData};
use toml::{Table, Value};

use super::package_folder::{refuse_existing, write_package};
use crate::exit::{Exit, Failure};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::terminal::Terminal;
use crate::{assignment, interrupt, judge};

/// The CPU time of a run where the limit is a multiple of a reference that is not in the kit.
const STUDENT_TIME: &str = "10 s";

#[derive(Debug, Args)]
#[command(after_help = "\
The folder is for students: with it, `grader test` gives the verdicts of public cases on their own machines.
It has statements, public cases with their answers, what is built with a submission, and the checkers and
interactors that public cases need. It has no hidden case, reference, sample, generator or rule on sources.

Example:
  grader bundle -a ./week-1 week-1-kit")]
pub(crate) struct BundleArgs {
    /// The folder to write, which must not exist.
    #[arg(value_name = "STUDENT-KIT")]
    output: PathBuf,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help(assignment::USUAL))]
    assignment: Option<String>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// The files of a kit, and what it does not have.
#[derive(Default)]
struct Kit {
    files: Vec<(String, Vec<u8>)>,
    notes: BTreeSet<String>,
    /// `[[problem]]` of its assignment.
    problems: Vec<Value>,
}

pub(crate) fn run(args: &BundleArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    refuse_existing(&args.output)?;
    let name = args.assignment.as_deref().unwrap_or(assignment::USUAL);
    let place = assignment::find(name)?;
    let assignment = place.load(terminal)?;
    let runner = isolation::runner(&args.isolation, Programs::Own, terminal)?;
    let stop = Stop::new();
    let settings = judge::settings(runner, None, &stop, terminal)?;
    let scratch = Scratch::new()?;
    let listener = interrupt::listen(&stop, scratch.path(), None, terminal.lang)?;
    let judge = Judge::with_scratch(settings, scratch);
    listener.programs_run(None);
    let library = place.library.as_ref();
    let mut kit = Kit::default();
    for entry in &assignment.problems {
        let mut public = Problem::clone(&entry.problem);
        public.subtasks.retain(|subtask| !subtask.hidden);
        let data = judge.test_data(&public);
        if stop.is_requested() {
            return Ok(Exit::Interrupted);
        }
        kit.add(library, &public, entry.bonus, &data?)?;
    }
    if kit.problems.is_empty() {
        let message = "all cases are hidden: there is nothing that students could test";
        return Err(Failure::usage(message).into());
    }
    let path = format!("{}/assignment.toml", place.folder);
    let mut table = parsed(library, path.trim_start_matches('/'))?;
    table.remove("deadline");
    table.insert("problem".to_owned(), Value::Array(kit.problems));
    let text = toml::to_string(&table)?;
    kit.files
        .push(("assignment.toml".to_owned(), text.into_bytes()));
    let readme = include_str!("bundle/README.md");
    kit.files.push(("README.md".to_owned(), readme.into()));
    let files = kit.files.iter();
    let files = files.map(|(path, bytes)| Ok((path.as_str(), bytes.clone())));
    let heading = "Not as in the assignment";
    write_package(&args.output, files, heading, &kit.notes, terminal)
}

/// A file as plain values: without its comments, which are for the author.
fn parsed(library: &dyn Library, path: &str) -> anyhow::Result<Table> {
    let text = library.read(path)?;
    let text = String::from_utf8_lossy(&text);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).parse()?)
}

impl Kit {
    /// Adds a problem, of which only public subtasks are left.
    fn add(
        &mut self,
        library: &dyn Library,
        problem: &Problem,
        is_bonus: bool,
        data: &[TestData],
    ) -> anyhow::Result<()> {
        let id = problem.id.as_str();
        let mut table = parsed(library, &format!("{}/problem.toml", problem.folder))?;
        for entry in library.list(&problem.folder)? {
            if !entry.folder && entry.name.starts_with("statement") {
                self.copy(library, problem, &entry.name)?;
            }
        }
        let points: Points = problem.subtasks.iter().map(|subtask| subtask.points).sum();
        if points == Points::ZERO {
            self.note(id, "has no public points: only its statement is here");
            return Ok(());
        }
        for key in ["validator", "source", "time-flags"] {
            table.remove(key);
        }
        let has_reference = self.without_reference(id, problem, &mut table);
        if let Some(run) = table.get_mut("run").and_then(Value::as_table_mut) {
            for key in ["arguments", "stdin", "generate"] {
                run.remove(key);
            }
        }
        // A file that a checker, an interactor or a submission is built with. Cases are written anew below.
        let mut named = Vec::new();
        let subtasks = table.remove("subtask");
        texts(&Value::Table(table.clone()), &mut named);
        let mut data = data.iter();
        let mut public = Vec::new();
        for old in subtasks.iter().filter_map(Value::as_array).flatten() {
            let name = old.get("name").and_then(Value::as_str);
            let subtask = problem
                .subtasks
                .iter()
                .find(|it| Some(it.name.as_str()) == name);
            if let (Some(subtask), Some(old)) = (subtask, old.as_table()) {
                texts(
                    old.get("checker").unwrap_or(&Value::Boolean(false)),
                    &mut named,
                );
                let new = self.subtask(problem, subtask, old.clone(), &mut data, has_reference);
                public.push(Value::Table(new));
            }
        }
        table.insert("subtask".to_owned(), Value::Array(public));
        for path in named {
            let is_file = library.read(&format!("{}/{path}", problem.folder)).is_ok();
            if is_file && path != "problem.toml" {
                self.copy(library, problem, &path)?;
            }
        }
        let text = toml::to_string(&table)?;
        self.files
            .push((format!("{id}/problem.toml"), text.into_bytes()));
        let key = if is_bonus { "bonus" } else { "points" };
        self.problems.push(Value::Table(Table::from_iter([
            ("path".to_owned(), Value::String(id.to_owned())),
            (key.to_owned(), Value::Float(points.to_f64())),
        ])));
        Ok(())
    }

    /// Takes a reference out that is a source file. One that the grader carries is no secret. Returns whether there is one.
    fn without_reference(&mut self, id: &str, problem: &Problem, table: &mut Table) -> bool {
        let reference = table.get("reference").and_then(Value::as_table);
        let is_builtin = reference.is_some_and(|it| it.contains_key("builtin"));
        let limits = table.get_mut("limits").and_then(Value::as_table_mut);
        let time = limits.and_then(|limits| limits.get_mut("time"));
        let names_hidden = |time: &Value| {
            let bounds = ["at-least", "at-most"].into_iter();
            let mut cases = bounds.filter_map(|key| time.get(key)?.get("case")?.as_str());
            let is_public = |case: &str| {
                let (subtask, _) = case.split_once('/').unwrap_or_default();
                problem
                    .subtasks
                    .iter()
                    .any(|it| it.name.as_str() == subtask)
            };
            cases.any(|case| !is_public(case))
        };
        if let Some(time) =
            time.filter(|time| time.is_table() && (!is_builtin || names_hidden(time)))
        {
            *time = Value::String(STUDENT_TIME.to_owned());
            let why =
                "its time limit depends on what is not here: a program may take 10 s in each case";
            self.note(id, why);
        }
        if !is_builtin {
            table.remove("reference");
        }
        is_builtin
    }

    /// A subtask whose cases are written out, with files for inputs and answers.
    fn subtask<'a>(
        &mut self,
        problem: &Problem,
        subtask: &Subtask,
        mut table: Table,
        data: &mut impl Iterator<Item = &'a TestData>,
        has_reference: bool,
    ) -> Table {
        for key in ["cases", "folder", "case"] {
            table.remove(key);
        }
        if let Some(require) = table.get_mut("require").and_then(Value::as_array_mut) {
            let is_public = |name: &Value| {
                let mut names = problem.subtasks.iter().map(|it| it.name.as_str());
                names.any(|public| name.as_str() == Some(public))
            };
            require.retain(is_public);
        }
        if !has_reference && table.remove("by-time").is_some() {
            self.note(problem.id.as_str(), "its points do not depend on time here");
        }
        let cases = subtask.cases.iter().zip(data);
        let cases = cases.enumerate().map(|(number, (case, data))| {
            let stem = format!("cases/{}-{}", slug(subtask.name.as_str()), number + 1);
            Value::Table(self.case(problem, case, data, &stem, has_reference))
        });
        let cases = cases.collect();
        table.insert("case".to_owned(), Value::Array(cases));
        table
    }

    fn case(
        &mut self,
        problem: &Problem,
        case: &Case,
        data: &TestData,
        stem: &str,
        has_reference: bool,
    ) -> Table {
        let text = |text: &String| Value::String(text.clone());
        // What stands between braces is a template.
        let plain = |text: &String| Value::String(text.replace('{', "{{").replace('}', "}}"));
        let mut table = Table::new();
        table.insert("name".to_owned(), Value::String(case.name.to_string()));
        let arguments = case.arguments.iter().map(plain).collect();
        table.insert("arguments".to_owned(), Value::Array(arguments));
        let variables = case.variables.iter();
        let variables = variables.map(|(name, value)| (name.clone(), text(value)));
        table.insert("variables".to_owned(), Value::Table(variables.collect()));
        let mut file = |key: &str, ending: &str, bytes: &[u8]| {
            let path = format!("{stem}.{ending}");
            self.files
                .push((format!("{}/{path}", problem.id), bytes.to_vec()));
            table.insert(key.to_owned(), Value::String(path));
        };
        if !data.input.is_empty() {
            file("stdin-file", "in", &data.input);
        }
        let is_asked = matches!(case.answer, Answer::Reference) && has_reference;
        if !is_asked && !data.answer.is_empty() && !matches!(case.answer, Answer::None) {
            file("answer-file", "ans", &data.answer);
        }
        table
    }

    fn copy(&mut self, library: &dyn Library, problem: &Problem, path: &str) -> anyhow::Result<()> {
        let to = format!("{}/{path}", problem.id);
        if self.files.iter().all(|(known, _)| *known != to) {
            let bytes = library.read(&format!("{}/{path}", problem.folder))?;
            self.files.push((to, bytes));
        }
        Ok(())
    }

    fn note(&mut self, id: &str, note: &str) {
        self.notes.insert(format!("{id} {note}"));
    }
}

/// All texts in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Table(table) => table.values().for_each(|item| texts(item, found)),
        _ => {}
    }
}

/// A name as a part of the name of a file.
fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(plain).collect()
}
