//! Packages of Kattis, ICPC (`2025-09` and legacy) and DOMjudge.
//!
//! Formats: <https://icpc.io/problem-package-format/spec/2025-09.html> and `legacy.html` beside it;
//! <https://www.domjudge.org/docs/manual/main/problem-format.html>.

use std::collections::{BTreeMap, BTreeSet};

use grader_problem::Library;
use serde_json::Value;

use crate::draft::{self, Draft, is_source};
use crate::error::PackageError;
use crate::expected;
use crate::fields::Fields;
use crate::groups::{Group, Groups};
use crate::output::{Imported, list, quoted};

/// Keys of `problem.yaml` that say nothing about judging.
const ABOUT: [&str; 16] = [
    "problem_format_version",
    "uuid",
    "author",
    "credits",
    "source",
    "source_url",
    "license",
    "rights_owner",
    "keywords",
    "version",
    "embargo_until",
    "type",
    "validation",
    "validator_flags",
    "libraries",
    "allow_file_writing",
];
/// Of `limits`: what a time limit is derived from, and limits of compilers and validators, for which ours hold.
const DERIVED: [&str; 9] = [
    "time_multipliers",
    "time_multiplier",
    "time_resolution",
    "time_safety_margin",
    "compilation_memory",
    "validation_output",
    "validation_passes",
    "code",
    "compilation_time",
];
pub(crate) fn import(library: &dyn Library, id: &str) -> Result<Imported, PackageError> {
    let mut package = Package {
        draft: Draft::new(library),
    };
    let head = Fields::read(library, "problem.yaml")?.ok_or(PackageError::Unknown)?;
    let text = package.problem(head, id)?;
    package.submissions()?;
    package.statements()?;
    Ok(package.draft.finish(text))
}

struct Package<'a> {
    draft: Draft<'a>,
}

impl Package<'_> {
    /// `problem.toml`.
    fn problem(&mut self, mut head: Fields, id: &str) -> Result<String, PackageError> {
        let mut kinds = head.words("type")?.unwrap_or_default();
        kinds.extend(head.words("validation")?.unwrap_or_default());
        let is = |kind: &str| kinds.iter().any(|it| it == kind);
        if is("submit-answer") {
            let message = "the type `submit-answer` is not supported: students submit programs";
            return Err(PackageError::Unsupported(message.to_owned()));
        }
        let flags = head.words("validator_flags")?.unwrap_or_default();
        let mut limits = head.table("limits")?;
        let mut text = vec![
            format!(
                "format = 1\nid = {}\ntitle = {}\n",
                quoted(id),
                title(&mut head)
            ),
            format!("\n[submission]\nfiles = [{}]\n", quoted(&format!("{id}.*"))),
        ];
        if let Some(code) = limits.number("code")? {
            text.push(format!("size = \"{code} KiB\"\n"));
        }
        text.push(self.included());
        if is("multi-pass") {
            let passes = limits.number("validation_passes")?.unwrap_or(2.0);
            text.push(format!("\n[run]\npasses = {passes}\n"));
        }
        text.push(self.limits(&mut limits)?);
        let judge = Judge {
            source: self.output_validator()?,
            is_interactive: is("interactive"),
            cpu: limits.number("validation_time")?,
            memory: limits.number("validation_memory")?,
        };
        if judge.is_interactive && judge.source.is_none() {
            let message = "an interactive problem needs an output validator, and there is none";
            return Err(PackageError::Unsupported(message.to_owned()));
        }
        let groups = self.groups(is("scoring") || is("score"), flags)?;
        // The last group is a secret one, and its checker that of most.
        let common = groups.last().map(|group| judge.table(group)).transpose()?;
        let common = common.unwrap_or_default();
        text.push(common.clone());
        text.push(self.input_validator()?);
        for group in &groups {
            let own = Some(judge.table(group)?).filter(|own| *own != common);
            if own.is_some() && judge.is_interactive {
                self.draft
                    .note("the interactor gets the same arguments in all groups");
            }
            let own = own.as_deref().filter(|_| !judge.is_interactive);
            text.push(group.toml(&groups, own));
        }
        for key in DERIVED {
            limits.take(key);
        }
        for key in ABOUT {
            head.take(key);
        }
        self.draft.notes.extend(limits.left());
        self.draft.notes.extend(head.left());
        Ok(text.concat())
    }

    /// The test groups, whose files are copied.
    fn groups(&mut self, is_scoring: bool, flags: Vec<String>) -> Result<Vec<Group>, PackageError> {
        let mut groups = Groups {
            library: self.draft.library,
            is_scoring,
            folders: Vec::new(),
            notes: BTreeSet::new(),
            all: Vec::new(),
        };
        groups.read(flags)?;
        self.draft.notes.extend(groups.notes);
        for folder in groups.folders {
            for entry in self.draft.library.list(&folder).unwrap_or_default() {
                let extension = entry.name.rsplit('.').next().unwrap_or_default();
                if !entry.folder && ["in", "ans", "out"].contains(&extension) {
                    let path = format!("{folder}/{}", entry.name);
                    self.draft.file(&path, &path);
                }
            }
        }
        Ok(groups.all)
    }

    fn limits(&mut self, limits: &mut Fields) -> Result<String, PackageError> {
        let mut seconds = limits.number("time_limit")?;
        if let Ok(bytes) = self.draft.library.read("domjudge-problem.ini") {
            for line in String::from_utf8_lossy(&bytes).lines() {
                let Some((key, value)) = line.split_once('=') else {
                    continue;
                };
                let value = value.trim().trim_matches(['"', '\'']);
                match key.trim() {
                    "timelimit" => seconds = seconds.or(value.parse().ok()),
                    // They have no part in judging.
                    "name" | "short-name" | "color" | "externalid" | "points" => {}
                    key => self
                        .draft
                        .note(format!("`domjudge-problem.ini`: `{key}` is not used")),
                }
            }
        }
        if let Ok(bytes) = self.draft.library.read(".timelimit") {
            seconds = seconds.or(String::from_utf8_lossy(&bytes).trim().parse().ok());
        }
        let seconds = seconds.unwrap_or_else(|| {
            self.draft
                .note("the package has no time limit: `[limits]` gets 2 s, for you to change");
            2.0
        });
        let memory = limits.number("memory")?.unwrap_or(2048.0);
        let output = limits.number("output")?.unwrap_or(8.0);
        Ok(draft::limits(seconds, memory, output))
    }

    /// The author's files for submissions.
    fn included(&mut self) -> String {
        let mut names = BTreeMap::new();
        for language in self.draft.library.list("include").unwrap_or_default() {
            let folder = format!("include/{}", language.name);
            for entry in self.draft.library.list(&folder).unwrap_or_default() {
                let path = format!("{folder}/{}", entry.name);
                if entry.folder || names.contains_key(&entry.name) {
                    self.draft.note(format!("`{path}` is not used"));
                    continue;
                }
                let to = format!("include/{}", entry.name);
                self.draft.file(&path, &to);
                names.insert(entry.name, to);
            }
        }
        if names.is_empty() {
            return String::new();
        }
        format!("include = {}\n", list(names.values().map(String::as_str)))
    }

    /// Where the output validator is in the problem, if there is one.
    fn output_validator(&mut self) -> Result<Option<String>, PackageError> {
        for folder in ["output_validator", "output_validators"] {
            let Ok(entries) = self.draft.library.list(folder) else {
                continue;
            };
            let mut from = folder.to_owned();
            if let [only] = &entries[..]
                && only.folder
            {
                from = format!("{folder}/{}", only.name);
            } else if entries.iter().filter(|entry| entry.folder).count() > 1 {
                let message = "there are several output validators";
                return Err(PackageError::file(folder, message));
            }
            let inside = self.draft.library.list(&from).unwrap_or_default();
            if let Some(script) = inside
                .iter()
                .find(|it| ["build", "run"].contains(&&*it.name))
            {
                let message = format!(
                    "`{}` builds or starts the validator itself, which is not supported",
                    script.name
                );
                return Err(PackageError::file(&from, message));
            }
            if inside.is_empty() {
                continue;
            }
            self.draft.folder(&from, "output-validator")?;
            return Ok(Some("output-validator".to_owned()));
        }
        Ok(None)
    }

    /// `[validator]`, of the first one in a language that the grader knows.
    fn input_validator(&mut self) -> Result<String, PackageError> {
        let mut found = None;
        for folder in ["input_validators", "input_format_validators"] {
            for entry in self.draft.library.list(folder).unwrap_or_default() {
                let path = format!("{folder}/{}", entry.name);
                let is_program = entry.folder || is_source(&entry.name);
                if found.is_some() || !is_program {
                    self.draft.note(format!("`{path}` is not used"));
                    continue;
                }
                let to = format!("input-validator/{}", entry.name);
                if entry.folder {
                    self.draft.folder(&path, &to)?;
                } else {
                    self.draft.file(&path, &to);
                }
                found = Some(to);
            }
        }
        Ok(found.map_or_else(String::new, |source| {
            format!("\n[validator]\nsource = {}\n", quoted(&source))
        }))
    }

    fn submissions(&mut self) -> Result<(), PackageError> {
        let rules = Fields::read(self.draft.library, "submissions/submissions.yaml")?;
        let rules: BTreeMap<String, Value> = rules.map(Fields::all).unwrap_or_default();
        for folder in self.draft.library.list("submissions").unwrap_or_default() {
            if !folder.folder {
                if folder.name != "submissions.yaml" {
                    self.draft
                        .note(format!("`submissions/{}` is not used", folder.name));
                }
                continue;
            }
            for entry in self
                .draft
                .library
                .list(&format!("submissions/{}", folder.name))
                .unwrap_or_default()
            {
                let inner = format!("{}/{}", folder.name, entry.name);
                let path = format!("submissions/{inner}");
                let of_source = || expected::of_source(&self.draft.library.read(&path).ok()?);
                let verdicts = expected::by_rules(&rules, &inner)
                    .or_else(of_source)
                    .or_else(|| expected::of_folder(&folder.name));
                let other = format!("{}-{}", folder.name, entry.name);
                self.draft.sample(
                    &path,
                    (&entry.name, &other),
                    entry.folder,
                    &verdicts.unwrap_or_default(),
                )?;
            }
        }
        Ok(())
    }

    /// Statements are kept as they are; what is not known is listed.
    fn statements(&mut self) -> Result<(), PackageError> {
        const USED: [&str; 9] = [
            "data",
            "submissions",
            "include",
            "output_validator",
            "output_validators",
            "input_validators",
            "input_format_validators",
            "problem.yaml",
            "domjudge-problem.ini",
        ];
        for entry in self.draft.library.list("").unwrap_or_default() {
            let name = &*entry.name;
            if entry.folder && ["statement", "problem_statement"].contains(&name) {
                self.draft.folder(name, "statement")?;
            } else if name.starts_with("problem.") && name != "problem.yaml" {
                self.draft.file(name, &format!("statement/{name}"));
            } else if !USED.contains(&name) {
                self.draft.note(format!("`{name}` is not used"));
            }
        }
        Ok(())
    }
}

/// What judges the outputs.
struct Judge {
    /// The output validator; `None` for the default one.
    source: Option<String>,
    is_interactive: bool,
    /// Its CPU time in seconds, and its memory in MiB.
    cpu: Option<f64>,
    memory: Option<f64>,
}

impl Judge {
    /// `[checker.…]` or `[interactor]`, with the arguments of a group.
    fn table(&self, group: &Group) -> Result<String, PackageError> {
        let arguments = &group.settings.validator;
        let Some(source) = &self.source else {
            return default_checker(arguments);
        };
        let table = if self.is_interactive {
            "interactor"
        } else {
            "checker.program"
        };
        let mut text = vec![format!("\n[{table}]\nsource = {}\n", quoted(source))];
        if !arguments.is_empty() {
            let escaped = arguments
                .iter()
                .map(|it| it.replace('{', "{{").replace('}', "}}"));
            let escaped: Vec<String> = escaped.collect();
            let arguments = list(escaped.iter().map(String::as_str));
            text.push(format!("arguments = {arguments}\n"));
        }
        text.extend(self.cpu.map(|cpu| format!("time = \"{cpu} s\"\n")));
        text.extend(
            self.memory
                .map(|memory| format!("memory = \"{memory} MiB\"\n")),
        );
        Ok(text.concat())
    }
}

/// The title: a text, or one for each language.
fn title(head: &mut Fields) -> String {
    match head.take("name") {
        Some(Value::String(name)) => quoted(&name),
        Some(Value::Object(names)) => {
            let text = |language: &str| names.get(language).and_then(Value::as_str);
            let first = names.values().find_map(Value::as_str).unwrap_or("Problem");
            match (text("en"), text("zh")) {
                (Some(en), Some(zh)) => format!("{{ en = {}, zh = {} }}", quoted(en), quoted(zh)),
                (one, other) => quoted(one.or(other).unwrap_or(first)),
            }
        }
        _ => quoted("Problem"),
    }
}

/// The default output validator, by its arguments.
fn default_checker(arguments: &[String]) -> Result<String, PackageError> {
    let mut options = BTreeMap::new();
    let mut is_case_sensitive = false;
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().and_then(|text| text.parse::<f64>().ok());
            value.ok_or_else(|| {
                PackageError::Unsupported(format!("the output validator's `{word}` needs a number"))
            })
        };
        match word {
            "case_sensitive" => is_case_sensitive = true,
            "space_change_sensitive" => {
                options.insert("space-change-sensitive", "true".to_owned());
            }
            "float_absolute_tolerance" => {
                options.insert("absolute", format!("{:?}", number()?));
            }
            "float_relative_tolerance" => {
                options.insert("relative", format!("{:?}", number()?));
            }
            "float_tolerance" => {
                let both = format!("{:?}", number()?);
                options.insert("absolute", both.clone());
                options.insert("relative", both);
            }
            other => {
                return Err(PackageError::Unsupported(format!(
                    "the default output validator has no option `{other}`"
                )));
            }
        }
    }
    if !is_case_sensitive {
        options.insert("case-sensitive", "false".to_owned());
    }
    let has_tolerance = options.contains_key("absolute") || options.contains_key("relative");
    let table = if has_tolerance { "numbers" } else { "tokens" };
    let options: Vec<String> = options
        .iter()
        .map(|(key, value)| format!("{key} = {value}\n"))
        .collect();
    Ok(format!("\n[checker.{table}]\n{}", options.concat()))
}
