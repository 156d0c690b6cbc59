//! The files that students get of an assignment.

mod asked;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grader_model::{Deadline, Lang, NamedCase, Points, ProblemId, Text, file_stem};
use grader_problem::{
    Answer, Assignment, Case, CaseMultiple, CaseRef, Entry, Library, MemoryLibrary, Problem,
    ReferenceLimit, ReferenceProgram, SubmissionKind, TestData, TestRule, load_assignment,
};
use grader_report::{statement, statement_page};
use jiff::Timestamp;
use toml::{Table, Value};

use crate::KitError;
use crate::readme::{Needs, readme};
use crate::statements::{filled, is_statement, picture, pictures};

/// The limit of CPU time in place of a multiple of a reference that is not in the kit.
const STUDENT_TIME: &str = "10 s";

/// What students get of an assignment, problem by problem.
pub struct StudentKit<'a> {
    library: &'a dyn Library,
    files: BTreeMap<String, Vec<u8>>,
    notes: Vec<String>,
    /// `[[problem]]` of its `assignment.toml`.
    problems: Vec<Table>,
    /// Problems with their points in hidden cases, and all their points.
    hidden: Vec<(ProblemId, Points, Points)>,
    /// The files of the problem's folder that hidden tests need.
    withheld: BTreeSet<String>,
    needs: Needs,
}

/// A kit that loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KitFiles {
    /// Its files, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// How it differs from the assignment, a sentence each.
    pub notes: Vec<String>,
}

impl<'a> StudentKit<'a> {
    /// A kit of nothing yet; the assignment's files are in this library.
    pub fn new(library: &'a dyn Library) -> Self {
        Self {
            library,
            files: BTreeMap::new(),
            notes: Vec::new(),
            problems: Vec::new(),
            hidden: Vec::new(),
            withheld: BTreeSet::new(),
            needs: Needs::default(),
        }
    }

    /// The problem with its public subtasks only, at this moment. Those with wrong programs are not for students.
    pub fn public(problem: &Problem, deadline: Option<&Deadline>, now: Timestamp) -> Problem {
        let mut public = problem.clone();
        public.subtasks.retain(|subtask| {
            let until = subtask.hidden_until;
            let is_shown =
                !subtask.hidden || until.is_some_and(|it| it.is_past(now, deadline, None));
            is_shown && subtask.cases.iter().all(|it| it.mutant.is_none())
        });
        public
    }

    /// The whole kit. `folder` is that of the assignment, and `references` are the bundled ones.
    ///
    /// # Errors
    /// If nothing in it is public, or it does not load.
    pub fn finish(mut self, folder: &str, references: &[&str]) -> Result<KitFiles, KitError> {
        if self.problems.is_empty() {
            return Err(KitError::AllHidden);
        }
        let path = format!("{folder}/assignment.toml");
        let mut table = self.parsed(path.trim_start_matches('/'))?;
        table.remove("deadline");
        let settings = table.remove("kit");
        let grader = settings.as_ref().and_then(|it| it.get("grader")?.as_str());
        let readme = readme(grader, &self.needs, &self.hidden);
        table.insert("problem".to_owned(), self.problems.into());
        for (path, text) in [
            ("README.md", readme),
            ("assignment.toml", toml::to_string(&table)?),
        ] {
            self.files.insert(path.to_owned(), text.into_bytes());
        }
        // A kit that does not load is no use to students.
        let written = MemoryLibrary::new("the kit", self.files.clone());
        load_assignment(&written, "", references).map_err(KitError::Mistakes)?;
        Ok(KitFiles {
            files: self.files,
            notes: self.notes,
        })
    }

    /// A TOML file without its comments, which are for the author.
    fn parsed(&self, path: &str) -> Result<Table, KitError> {
        let text = self.library.read(path)?;
        let text = String::from_utf8_lossy(&text);
        let table = text.strip_prefix('\u{feff}').unwrap_or(&text).parse();
        table.map_err(|error| KitError::NotToml(self.library.describe(path), error))
    }

    /// Adds a problem of the assignment, of which only public subtasks are left, with the data of its cases. Returns whether
    /// the kit has its cases, too, not just its statement.
    ///
    /// # Errors
    /// If a file of it cannot be read.
    pub fn add(
        &mut self,
        problem: &Problem,
        entry: &Entry,
        data: Vec<TestData>,
    ) -> Result<bool, KitError> {
        let id = &problem.id;
        self.statements(problem)?;
        let withheld = self.withheld(problem)?;
        let has_hidden = problem.subtasks.len() < entry.problem.subtasks.len();
        let has_outputs = problem.submission.kind == SubmissionKind::Outputs;
        let mut cases = problem.subtasks.iter().flat_map(|it| &it.cases);
        let why = if has_outputs && cases.any(|it| it.answer != Answer::None) {
            Some("students submit the answers of its cases")
        } else if has_hidden && has_tests(problem) && withheld.is_empty() {
            Some("its harness contains the hidden tests, and no `test-files` name their files")
        } else if problem.subtasks.is_empty() {
            Some("it has no public cases")
        } else {
            None
        };
        let public = problem.subtasks.iter().filter(|_| why.is_none());
        let points: Points = public.map(|subtask| subtask.points).sum();
        let hidden = entry.points.saturating_sub(points);
        if hidden > Points::ZERO {
            self.hidden.push((id.clone(), hidden, entry.points));
        }
        let mut rest = "its statement is";
        if has_outputs {
            rest = "its statement and its inputs are";
        }
        if let Some(why) = why {
            let note = format!("{id}: {why}, so only {rest} in the kit");
            self.notes.push(note);
            return Ok(false);
        }
        for path in &withheld {
            let note = format!("{id}: `{path}` is not in the kit, because hidden tests need it");
            self.notes.push(note);
        }
        self.cases(problem, entry, data, withheld)?;
        Ok(true)
    }

    /// Adds the inputs of a problem whose outputs students submit, with the data of all its cases: they need the hidden ones, too.
    pub fn add_inputs(&mut self, problem: &Problem, data: &[TestData]) {
        let cases = problem.subtasks.iter().flat_map(|it| &it.cases);
        for (case, TestData { input, .. }) in cases.zip(data) {
            let output = case.output.as_deref().unwrap_or_default();
            if !input.is_empty() {
                let path = format!("{}/inputs/{output}.in", problem.id);
                self.files.insert(path, input.to_vec());
            }
        }
    }

    /// The files that hidden tests need, when these subtasks of the problem are public.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn withheld(&self, public: &Problem) -> Result<BTreeSet<String>, KitError> {
        let table = self.parsed(&format!("{}/problem.toml", public.folder))?;
        let tables = |value: &Value, key| Some(value.get(key)?.as_array()?.clone());
        let subtasks = tables(&table.into(), "subtask").unwrap_or_default();
        let is_hidden = |it: &&Value| {
            let name = it.get("name").and_then(Value::as_str);
            let mut public = public.subtasks.iter();
            !public.any(|it| Some(it.name.as_str()) == name)
        };
        let files = subtasks.iter().filter(is_hidden);
        let files = files.filter_map(|it| tables(it, "test-files")).flatten();
        Ok(files.filter_map(|it| it.as_str().map(plain)).collect())
    }

    /// An assignment of one problem with all of its cases, without the files that are withheld: it shows what the kit's
    /// harness does.
    ///
    /// # Errors
    /// If a file cannot be read, or it does not load.
    pub fn trial(
        &self,
        entry: &Entry,
        data: Vec<TestData>,
        withheld: BTreeSet<String>,
        folder: &str,
        references: &[&str],
    ) -> Result<Assignment, KitError> {
        let mut kit = Self::new(self.library);
        kit.cases(&entry.problem, entry, data, withheld)?;
        let files = MemoryLibrary::new("the kit", kit.finish(folder, references)?.files);
        let assignment = load_assignment(&files, "", references);
        let mut assignment = assignment.map_err(KitError::Mistakes)?;
        // A test that is skipped would not show whether it is there.
        for entry in &mut assignment.problems {
            for subtask in &mut Arc::make_mut(&mut entry.problem).subtasks {
                subtask.require.clear();
            }
        }
        Ok(assignment)
    }

    /// Adds what judges the cases of a problem.
    fn cases(
        &mut self,
        problem: &Problem,
        entry: &Entry,
        data: Vec<TestData>,
        withheld: BTreeSet<String>,
    ) -> Result<(), KitError> {
        let id = &problem.id;
        let has_hidden = problem.subtasks.len() < entry.problem.subtasks.len();
        let points: Points = problem.subtasks.iter().map(|it| it.points).sum();
        let hidden = entry.points.saturating_sub(points);
        self.withheld = withheld;
        let mut table = self.parsed(&format!("{}/problem.toml", problem.folder))?;
        for (key, files) in [("submission", "include"), ("run", "files")] {
            let files = table.get_mut(key).and_then(|it| it.get_mut(files));
            if let Some(files) = files.and_then(Value::as_array_mut) {
                files.retain(|it| !it.as_str().is_some_and(|it| self.is_withheld(it)));
            }
        }
        table.remove("time-flags");
        let own = table.get_mut("student").and_then(Value::as_table_mut);
        if let Some((table, own)) = own.zip(problem.own.as_ref()) {
            table.remove("key");
            table.insert("seed".to_owned(), own.digits.as_str().into());
        }
        if let Some(run) = table.get_mut("run").and_then(Value::as_table_mut) {
            // Each case has its own.
            run.remove("exit-status");
            run.remove("stderr");
        }
        let is_searched = self.search(problem, &mut table)?;
        self.needs.add(problem, is_searched);
        keep_refusals(&mut table);
        let is_public = has_public_times(problem);
        if !is_searched && !has_builtin_reference(problem) {
            table.remove("reference");
        } else if let Some(reference) = table.get_mut("reference").and_then(Value::as_table_mut) {
            reference.remove("timed");
        }
        let all = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
        let of_cases = all.filter_map(|case| case.time.as_ref());
        let mut rules = problem.limits.reference(None).into_iter().chain(of_cases);
        let needs_secret = rules.any(|rule| {
            let is_hidden = rule.named().any(|case| case.hidden);
            !is_public || is_hidden || rule.slowest && has_hidden
        });
        if needs_secret {
            let limits = table.entry("limits").or_insert(Table::new().into());
            if let Some(limits) = limits.as_table_mut() {
                limits.insert("time".to_owned(), STUDENT_TIME.into());
            }
            self.notes.push(format!(
                "{id}: the time limit is {STUDENT_TIME} per case, because what sets it is not in the kit"
            ));
        }
        if let Some(run) = table.get_mut("run").and_then(Value::as_table_mut) {
            for key in ["arguments", "stdin", "generate"] {
                run.remove(key);
            }
        }
        let old = table.remove("subtask");
        let subtasks = self.subtasks(problem, old.as_ref(), data, needs_secret);
        table.insert("subtask".to_owned(), subtasks.into());
        let run = table.get("run").and_then(|run| run.get("files"));
        let checks = table.get("checks").and_then(Value::as_table);
        let checks = checks.into_iter().flat_map(Table::values);
        let files = run
            .into_iter()
            .chain(checks.filter_map(|it| it.get("files")));
        let data = files.filter_map(Value::as_array).flatten();
        let changes = CaseRef::all(problem).filter_map(|at| at.case.second_run.as_ref());
        let changes = changes.filter_map(|it| Some(it.change.as_ref()?.program.path.as_str()));
        for path in sources(&table)
            .into_iter()
            .chain(data.filter_map(Value::as_str))
            .chain(changes)
        {
            self.copy(problem, path)?;
        }
        let text = toml::to_string(&table)?;
        let path = format!("{id}/problem.toml");
        self.files.insert(path, text.into_bytes());
        let points_key = if entry.bonus { "bonus" } else { "points" };
        let mut table = Table::from_iter([
            ("path".to_owned(), id.as_str().into()),
            (points_key.to_owned(), points.to_f64().into()),
        ]);
        if hidden > Points::ZERO {
            table.insert("hidden".to_owned(), hidden.to_f64().into());
        }
        self.problems.push(table);
        Ok(())
    }

    /// Whether a file is withheld, or is an editor's backup or a compiler's output of one that is: `Hidden.class`, `hidden.py~`.
    fn is_withheld(&self, path: &str) -> bool {
        let path = plain(path);
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let name = name.trim_start_matches(['.', '#']);
        self.withheld.iter().any(|it| {
            let (place, hidden) = it.rsplit_once('/').unwrap_or(("", it));
            let rest = name.strip_prefix(file_stem(hidden));
            let is_of = |rest: &str| rest.starts_with(['.', '$', '~']);
            *it == path || (place == folder && rest.is_some_and(is_of))
        })
    }

    /// Leaves the search in a problem if its author allows that, with what it needs. Returns whether it is left.
    fn search(&mut self, problem: &Problem, table: &mut Table) -> Result<bool, KitError> {
        let is_allowed = |it: &Table| it.get("kit").and_then(Value::as_bool) == Some(true);
        let search = table.get("search").and_then(Value::as_table);
        let Some(mut search) = search.filter(|it| is_allowed(it)).cloned() else {
            table.remove("search");
            table.remove("validator");
            return Ok(false);
        };
        // The kit's cases are written out, so that it has no templates for all of them.
        let run = table.get("run").and_then(Value::as_table).cloned();
        let has_input = ["stdin", "generate"]
            .iter()
            .any(|key| search.contains_key(*key));
        for (key, value) in run.unwrap_or_default() {
            match key.as_str() {
                "arguments" => _ = search.entry(key).or_insert(value),
                "stdin" | "generate" if !has_input => _ = search.insert(key, value),
                _ => {}
            }
        }
        let generator = search.get("generate").and_then(Value::as_str);
        let reference = table.get("reference").and_then(|it| it.get("path"));
        let generator = generator.and_then(|it| it.split_whitespace().next());
        for path in generator
            .into_iter()
            .chain(reference.and_then(Value::as_str))
        {
            self.copy(problem, path)?;
        }
        table.insert("search".to_owned(), search.into());
        self.notes.push(format!(
            "{}: students get the reference, because `[search]` has `kit = true`",
            problem.id
        ));
        Ok(true)
    }

    /// Copies the statements of a problem, with the pictures and PDFs that they show.
    fn statements(&mut self, problem: &Problem) -> Result<(), KitError> {
        for entry in self.library.list(&problem.folder)? {
            let name = &entry.name;
            if entry.folder || !is_statement(name) {
                continue;
            }
            self.copy(problem, name)?;
            let path = format!("{}/{name}", problem.id);
            let mut text = String::from_utf8_lossy(&self.files[&path]).into_owned();
            if name.strip_suffix(".md").is_some() {
                text = filled(&text, problem, name);
                self.files.insert(path, text.clone().into_bytes());
            }
            for (_, path) in pictures(&text) {
                if self.copy(problem, &path).is_err() {
                    let note = format!("{name} shows `{path}`, which does not exist");
                    self.notes.push(format!("{}: {note}", problem.id));
                }
            }
            self.page(problem, name, &text)?;
        }
        Ok(())
    }

    /// Adds a statement in Markdown as a web page, unless the author wrote one.
    fn page(&mut self, problem: &Problem, name: &str, text: &str) -> Result<(), KitError> {
        let Some(stem) = name.strip_suffix(".md") else {
            return Ok(());
        };
        let lang = stem.strip_suffix(".zh").map_or(Lang::En, |_| Lang::Zh);
        let address = |path: &str| {
            let is_here = self.files.contains_key(&format!("{}/{path}", problem.id));
            let picture = picture(self.library, &problem.folder, path);
            picture.or_else(|| is_here.then(|| path.replace(' ', "%20")))
        };
        let page = statement_page(problem.title.get(lang), &statement(text, 0, &address), lang)?;
        let path = format!("{}/{stem}.html", problem.id);
        self.files.entry(path).or_insert(page.into_bytes());
        Ok(())
    }

    /// The public subtasks with their cases written out. The cases keep their time limits unless `needs_secret`.
    fn subtasks(
        &mut self,
        problem: &Problem,
        old: Option<&Value>,
        data: Vec<TestData>,
        needs_secret: bool,
    ) -> Vec<Table> {
        let is_public = has_public_times(problem);
        let mut data = data.into_iter();
        let mut subtasks = Vec::new();
        let old = old.into_iter().filter_map(Value::as_array).flatten();
        let old: Vec<&Table> = old.filter_map(Value::as_table).collect();
        let name = |it: &Table| it.get("name")?.as_str().map(str::to_owned);
        let old = problem.subtasks.iter().filter_map(|subtask| {
            let mut old = old.iter();
            let old = old.find(|it| name(it).as_deref() == Some(subtask.name.as_str()));
            Some((*old?, subtask))
        });
        for (number, (old, subtask)) in (1..).zip(old) {
            let mut new = old.clone();
            for key in [
                "cases",
                "folder",
                "tests",
                "test-files",
                "case",
                "hidden",
                "validator",
            ] {
                new.remove(key);
            }
            if let Some(require) = new.get_mut("require").and_then(Value::as_array_mut) {
                let public = problem.subtasks.iter().map(|it| it.name.as_str());
                require.retain(|name| public.clone().any(|it| name.as_str() == Some(it)));
            }
            if !is_public && new.remove("by-time").is_some() {
                let note = "its points do not depend on time in the kit";
                self.notes.push(format!("{}: {note}", problem.id));
            }
            let cases = (1..).zip(subtask.cases.iter().zip(&mut data));
            let cases = cases.map(|(case_number, (case, data))| {
                let stem = format!("cases/{number}-{case_number}");
                let mut table = self.case(problem, case, &data, &stem);
                if let Some(time) = case.time.as_ref().filter(|_| !needs_secret) {
                    table.insert("time".to_owned(), case_time(time).into());
                }
                table
            });
            let cases: Vec<Table> = cases.collect();
            new.insert("case".to_owned(), cases.into());
            subtasks.push(new);
        }
        subtasks
    }

    /// A case that is written out, with files for its input and answer.
    fn case(&mut self, problem: &Problem, case: &Case, data: &TestData, stem: &str) -> Table {
        // A brace begins or ends a variable of a template.
        let plain = |text: &String| text.replace('{', "{{").replace('}', "}}");
        let arguments: Vec<String> = case.arguments.iter().map(plain).collect();
        let variables = case.variables.iter();
        let variables = variables.map(|(name, value)| (name.clone(), value.as_str().into()));
        let mut table = Table::from_iter([
            ("name".to_owned(), case.name.as_str().into()),
            ("arguments".to_owned(), arguments.into()),
            ("variables".to_owned(), Value::Table(variables.collect())),
        ]);
        let reference = problem.reference.as_ref().map(|it| &it.program);
        let has_answer = match (&case.answer, reference) {
            // The kit has this reference.
            (Answer::Reference, Some(ReferenceProgram::Builtin(_)))
            | (Answer::None | Answer::Input, _) => false,
            (Answer::Reference | Answer::Given(_), _) => true,
        };
        if let Some(Text { en, zh }) = &case.hint {
            let hint =
                [("en", en), ("zh", zh)].map(|(key, text)| (key.to_owned(), text.as_str().into()));
            table.insert("hint".to_owned(), Table::from_iter(hint).into());
        }
        let dialogue = asked::dialogue(case, plain);
        asked::add(case, plain, &mut table);
        let has_input = !data.input.is_empty() && dialogue.is_none();
        table.extend(dialogue.map(|steps| ("dialogue".to_owned(), steps)));
        for (key, ending, bytes, is_needed) in [
            ("stdin-file", "in", &data.input, has_input),
            ("answer-file", "ans", &data.answer, has_answer),
        ] {
            if is_needed {
                let path = format!("{stem}.{ending}");
                let place = format!("{}/{path}", problem.id);
                self.files.insert(place, bytes.to_vec());
                table.insert(key.to_owned(), path.into());
            }
        }
        if let Some(TestRule { name, count }) = &case.test {
            table.insert("test".to_owned(), name.as_str().into());
            table.extend(count.map(|count| ("count".to_owned(), i64::from(count).into())));
        }
        let mut data = Vec::new();
        for file in &case.files {
            let path = format!("{stem}/{}", file.path);
            let place = format!("{}/{path}", problem.id);
            self.files.insert(place, file.bytes.to_vec());
            data.push(path);
        }
        if !data.is_empty() {
            table.insert("files".to_owned(), data.into());
        }
        table
    }

    /// Copies a file of a problem, or all files in a folder, except those that are withheld.
    fn copy(&mut self, problem: &Problem, path: &str) -> Result<(), KitError> {
        if self.is_withheld(path) {
            return Ok(());
        }
        let from = format!("{}/{path}", problem.folder);
        if let Ok(entries) = self.library.list(&from) {
            // What tools leave behind may hold hidden tests.
            let is_left = |name: &str| name.starts_with('.') || name == "__pycache__";
            for entry in entries.iter().filter(|it| !is_left(&it.name)) {
                self.copy(problem, &format!("{path}/{}", entry.name))?;
            }
        } else {
            let bytes = self.library.read(&from)?;
            self.files.insert(format!("{}/{path}", problem.id), bytes);
        }
        Ok(())
    }
}

/// A path without `.` and empty parts.
fn plain(path: &str) -> String {
    let parts = path.split('/').filter(|it| !matches!(*it, "" | "."));
    parts.collect::<Vec<_>>().join("/")
}

/// Whether its cases are unit tests.
fn has_tests(problem: &Problem) -> bool {
    let mut cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    cases.any(|case| case.test.is_some())
}

fn has_builtin_reference(problem: &Problem) -> bool {
    let reference = problem.reference.as_ref().map(|it| &it.program);
    matches!(reference, Some(ReferenceProgram::Builtin(_)))
}

/// Whether the kit has all programs that set reference times.
fn has_public_times(problem: &Problem) -> bool {
    let reference = problem.reference.as_ref();
    has_builtin_reference(problem) && reference.is_none_or(|it| it.timed.is_empty())
}

/// The limit that a case has of its own, as it is written.
fn case_time(rule: &ReferenceLimit) -> Table {
    let written = |factor: f64, case: &NamedCase| {
        Table::from_iter([
            ("reference".to_owned(), factor.into()),
            ("case".to_owned(), case.name.as_str().into()),
        ])
    };
    let case = rule.case.as_ref();
    let mut table = case.map_or_else(Table::new, |case| written(rule.factor, case));
    if let Some(CaseMultiple { factor, case }) = &rule.at_most {
        table.insert("at-most".to_owned(), written(*factor, case).into());
    }
    table
}

/// Keeps of `[source]` the rules that reject a submission, which are a part of the task. Rules that only raise a flag are
/// the instructor's secret.
fn keep_refusals(table: &mut Table) {
    let Some(source) = table.get_mut("source").and_then(Value::as_table_mut) else {
        return;
    };
    source.retain(|_, rules| {
        let Value::Array(rules) = rules else {
            return false;
        };
        rules.retain(|rule| rule.get("verdict").is_some());
        !rules.is_empty()
    });
    if source.is_empty() {
        table.remove("source");
    }
}

/// The files and folders that submissions, checkers and interactors are built with.
fn sources(table: &Table) -> Vec<&str> {
    let named = table
        .iter()
        .map(|(key, value)| match (key.as_str(), value) {
            ("source", Value::String(path)) => vec![path.as_str()],
            // Authors choose the names of variables.
            ("variables" | "cases", _) => Vec::new(),
            ("include", Value::Array(paths)) => paths.iter().filter_map(Value::as_str).collect(),
            (_, Value::Table(table)) => sources(table),
            (_, Value::Array(items)) => {
                let tables = items.iter().filter_map(Value::as_table);
                tables.flat_map(sources).collect()
            }
            _ => Vec::new(),
        });
    named.flatten().collect()
}

#[cfg(test)]
mod tests;
