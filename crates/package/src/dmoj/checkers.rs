//! Checkers, interactors and the author's other programs.

use std::collections::BTreeMap;

use grader_model::file_name;
use serde::Deserialize;
use serde_json::{Value, json};

use super::data::plain;
use crate::constants::MAX_ARGUMENT_BYTES;
use crate::draft::{Draft, is_source};
use crate::error::{PackageError, mistake, unsupported};
use crate::output::{TomlProgram, template};
use crate::yaml::{Yaml, items};

/// A program's keys that do not affect judging here.
const ELSEWHERE: [&str; 5] = [
    "feedback",
    "cached",
    "compiler_time_limit",
    "lang",
    "language",
];

/// What every program may have.
#[derive(Deserialize)]
struct ProgramYaml {
    args_format_string: Option<String>,
    time_limit: Option<f64>,
    memory_limit: Option<f64>,
}

/// A checker that is a program, or an interactor.
#[derive(Deserialize)]
struct JudgeYaml {
    files: Value,
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl JudgeYaml {
    fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or("default")
    }
}

#[derive(Deserialize)]
struct ValidatorYaml {
    source: Value,
}

#[derive(Deserialize)]
struct GeneratorYaml {
    source: Value,
    args: Value,
}

#[derive(Deserialize)]
struct SignatureYaml {
    entry: Option<String>,
    header: Option<String>,
}

#[derive(Deserialize)]
struct CheckerYaml {
    name: String,
    args: Value,
}

/// The arguments of most checkers.
#[derive(Deserialize)]
struct NoArgs {}

/// The arguments of `floats`.
#[derive(Deserialize)]
struct FloatsArgs {
    precision: Option<String>,
    error_mode: Option<String>,
}

/// The arguments of `sorted`.
#[derive(Deserialize)]
struct SortedArgs {
    split_on: Option<String>,
}

/// The arguments of a program that our protocol passes, in DMOJ's words.
const ARGUMENTS: &str = "{input_file} {output_file} {answer_file}";

/// The author's programs of a package.
pub(super) struct DmojPrograms<'a> {
    pub(super) draft: Draft<'a>,
    /// Checkers: their text in the package, and our TOML table.
    pub(super) checkers: Vec<(String, Value)>,
    /// Programs' paths in the problem, by kind and files.
    copied: BTreeMap<(&'static str, Vec<String>), String>,
}

impl<'a> DmojPrograms<'a> {
    pub(super) fn new(draft: Draft<'a>) -> Self {
        Self {
            draft,
            checkers: Vec::new(),
            copied: BTreeMap::new(),
        }
    }

    fn note(&mut self, note: impl Into<String>) {
        self.draft.note(note);
    }

    pub(super) fn is_interactive(&self) -> bool {
        self.draft.problem.interactor.is_some()
    }

    /// Whether a checker, or the interactor, may award partial points.
    pub(super) fn may_give_a_part(&self, checker: usize) -> bool {
        self.is_interactive() || self.checkers[checker].1.get("program").is_some()
    }

    /// The index of a checker in `checkers`; meaningless if there is an interactor.
    pub(super) fn checker(&mut self, value: Value) -> Result<usize, PackageError> {
        if self.is_interactive() {
            return Ok(0);
        }
        let key = value.to_string();
        if let Some(place) = self.checkers.iter().position(|(known, _)| *known == key) {
            return Ok(place);
        }
        let (name, args) = match value {
            Value::String(name) => (name, Value::Null),
            other => {
                let yaml = Yaml::of("init.yml: checker", other);
                let CheckerYaml { name, args } = self.draft.typed(yaml)?;
                (name, args)
            }
        };
        let args = Yaml::of("init.yml: checker: args", args);
        let mut args = args.ignoring(if name == "bridged" {
            &ELSEWHERE
        } else {
            &["feedback", "pe_allowed"]
        });
        args.typed::<NoArgs>()?;
        let table = match &*name {
            "standard" => {
                self.note_lines(&name, "tokens");
                json!({ "tokens": {} })
            }
            "identical" => json!({ "exact": {} }),
            "rstripped" => {
                self.note("the checker `rstripped` is now `lines`, which also accepts blank lines at the end");
                json!({ "lines": {} })
            }
            "floats" | "floatsabs" | "floatsrel" => {
                self.note_lines(&name, "numbers");
                numbers(&name, args.typed()?)?
            }
            "bridged" => self.bridged(&mut args)?,
            "easy" => self.lines("characters"),
            "unordered" => self.lines("words"),
            "linecount" => self.lines("count"),
            "sorted" => match args.typed::<SortedArgs>()?.split_on.as_deref() {
                None | Some("lines") => self.lines("lines"),
                Some("whitespace") => self.lines("words"),
                Some(other) => {
                    let message = format!("the `split_on` `{other}` is not known");
                    return mistake("init.yml: checker: args", message);
                }
            },
            "linematches" => {
                return unsupported(format!(
                    "the checker `{name}` is not supported: write a checker of your own, and make it a `bridged` one in `init.yml`"
                ));
            }
            _ => {
                return unsupported(format!(
                    "the checker `{name}` is not supported: only the judge of DMOJ can call it"
                ));
            }
        };
        self.draft.notes.extend(args.notes());
        self.checkers.push((key, table));
        Ok(self.checkers.len() - 1)
    }

    fn note_lines(&mut self, name: &str, ours: &str) {
        self.note(format!(
            "the checker `{name}` is now `{ours}`, which does not compare where lines end"
        ));
    }

    /// The table of a checker that compares the lines, words or characters of outputs, and its program.
    fn lines(&mut self, mode: &str) -> Value {
        let source = "checker-lines/lines.cpp".to_owned();
        let key = ("lines", Vec::new());
        if self.copied.insert(key, source.clone()).is_none() {
            self.draft
                .bytes(&source, include_bytes!("lines.cpp").to_vec());
        }
        let program = TomlProgram {
            arguments: vec![mode.to_owned()],
            ..TomlProgram::testlib(source)
        };
        program.checker()
    }

    /// The table of a checker program.
    fn bridged(&mut self, args: &mut Yaml) -> Result<Value, PackageError> {
        let judge: JudgeYaml = args.typed()?;
        match judge.kind() {
            "coci" | "default" => {}
            "testlib" => self.note(
                "a checker must print a partial score as `points 0.5`, not as a number of points",
            ),
            other => {
                return unsupported(format!(
                    "a `bridged` checker of the type `{other}` is not supported: expected `testlib`, `coci` or `default`"
                ));
            }
        }
        let mut program = self.program("checker", &judge.files, args.typed()?)?;
        program.protocol = Some("testlib");
        Ok(program.checker())
    }

    /// Sets `[interactor]`, if the problem is interactive.
    pub(super) fn interactor(&mut self, value: Value) -> Result<(), PackageError> {
        let mut yaml = Yaml::of("init.yml: interactive", value).ignoring(&ELSEWHERE);
        let judge: JudgeYaml = yaml.typed()?;
        let program: ProgramYaml = yaml.typed()?;
        if judge.files.is_null() && !yaml.value.is_null() {
            self.note("`init.yml`: `interactive` is not used: it has no `files`");
        } else if !judge.files.is_null() {
            let kind = judge.kind();
            if kind != "testlib" {
                return unsupported(format!(
                    "an interactor of the type `{kind}` is not supported: make it read the arguments INPUT OUTPUT ANSWER, and set `type: testlib`"
                ));
            }
            self.note(
                "an interactor must print a partial score as `points 0.5`, not as a number of points",
            );
            let mut program = self.program("interactor", &judge.files, program)?;
            program.protocol = Some("testlib");
            self.draft.problem.interactor = Some(program);
        }
        self.draft.notes.extend(yaml.notes());
        Ok(())
    }

    /// Sets `[validator]`, if there is one.
    pub(super) fn validator(&mut self, value: Value) -> Result<(), PackageError> {
        let yaml = Yaml::of("init.yml: validator", value).ignoring(&ELSEWHERE);
        let mut yaml = yaml.ignoring(&["type", "read_feedback_from"]);
        let ValidatorYaml { source } = yaml.typed()?;
        if source.is_null() {
            return Ok(());
        }
        self.note("the validator gets no arguments, such as the number of the batch");
        let program = self.program("validator", &source, yaml.typed()?)?;
        self.draft.problem.validator = vec![program];
        self.draft.notes.extend(yaml.notes());
        Ok(())
    }

    /// Copies a generator; returns its path in the problem and its default arguments.
    pub(super) fn generator(&mut self, value: Value) -> Result<(String, String), PackageError> {
        let GeneratorYaml { source, args } = match value {
            Value::Object(_) => {
                let yaml = Yaml::of("init.yml: generator", value);
                self.draft.typed(yaml.ignoring(&ELSEWHERE))?
            }
            source => GeneratorYaml {
                source,
                args: Value::Null,
            },
        };
        let program = self.copied("generator", &source)?;
        if program.contains(char::is_whitespace) {
            return mistake(&program, "the name of a generator must not have spaces");
        }
        Ok((program, arguments(&args)?))
    }

    /// Copies the files that are compiled with each submission.
    pub(super) fn signature(&mut self, value: Value) -> Result<(), PackageError> {
        let yaml = Yaml::of("init.yml: signature_grader", value);
        let SignatureYaml {
            entry: Some(entry),
            header: Some(header),
        } = self.draft.typed(yaml.ignoring(&["allow_main"]))?
        else {
            return Ok(());
        };
        let (entry, header) = (plain(&entry)?, plain(&header)?);
        // DMOJ compiles the entry in the submission's language.
        let stem = entry.rsplit_once('.').map_or(&*entry, |(stem, _)| stem);
        for (from, to) in [
            (&entry, &format!("{stem}.c")),
            (&entry, &format!("{stem}.cpp")),
            (&header, &header),
        ] {
            let to = format!("include/{to}");
            self.draft.file(from, &to);
            self.draft.problem.submission.include.push(to);
        }
        self.note("submissions must not define `main`");
        // As DMOJ, which compiles only the submission so.
        let flags = json!(["-DSIGNATURE_GRADER", "-include", header]);
        self.draft.problem.build = BTreeMap::from([("flags", json!({ "c": flags, "cpp": flags }))]);
        self.draft.problem.submission.languages = vec!["c", "cpp"];
        Ok(())
    }

    fn program(
        &mut self,
        kind: &'static str,
        files: &Value,
        program: ProgramYaml,
    ) -> Result<TomlProgram, PackageError> {
        let format = program.args_format_string;
        let format = format.as_deref().unwrap_or(ARGUMENTS);
        let Some(more) = format.strip_prefix(ARGUMENTS) else {
            return unsupported(format!(
                "`args_format_string` of the {kind} must begin with `{ARGUMENTS}`, found `{format}`"
            ));
        };
        if more.contains(['{', '}', '"', '\'', '\\']) {
            return unsupported(format!(
                "`args_format_string` of the {kind} must contain plain words only, found `{format}`"
            ));
        }
        let source = self.copied(kind, files)?;
        let memory = program.memory_limit;
        let memory = memory.map(|it| (it / 1024.0).ceil().max(1.0));
        Ok(TomlProgram {
            arguments: more.split_whitespace().map(str::to_owned).collect(),
            time: program.time_limit.map(|it| format!("{it} s")),
            memory: memory.map(|it| format!("{it} MiB")),
            ..TomlProgram::new(source)
        })
    }

    /// Copies a program of one or more files; returns its path in the problem.
    fn copied(&mut self, kind: &'static str, files: &Value) -> Result<String, PackageError> {
        let files = items(files).iter().filter_map(Value::as_str).map(plain);
        let files: Vec<String> = files.collect::<Result<_, _>>()?;
        if !files.iter().any(|file| is_source(file)) {
            return unsupported(format!(
                "the {kind} has no source file in a language that the grader knows"
            ));
        }
        if let Some(known) = self.copied.get(&(kind, files.clone())) {
            return Ok(known.clone());
        }
        let count = self.copied.keys().filter(|(it, _)| *it == kind).count();
        let mut place = match count {
            0 => kind.to_owned(),
            _ => format!("{kind}-{}", count + 1),
        };
        for file in &files {
            self.draft
                .file(file, &format!("{place}/{}", file_name(file)));
        }
        if let [only] = &files[..] {
            place = format!("{place}/{}", file_name(only));
        }
        self.copied.insert((kind, files), place.clone());
        Ok(place)
    }
}

/// The table of the checker `numbers`.
fn numbers(name: &str, args: FloatsArgs) -> Result<Value, PackageError> {
    let path = "init.yml: checker: args";
    let precision = args.precision.unwrap_or_else(|| "6".to_owned());
    // A whole number is the exponent: `6` is read as `1e-6`.
    let tolerance = precision.parse::<u8>().ok();
    let tolerance = tolerance.and_then(|it| format!("1e-{it}").parse::<f64>().ok());
    let tolerance = tolerance.ok_or_else(|| {
        let message =
            format!("`precision` must be a whole number from 0 to 255, found `{precision}`");
        PackageError::file(path, message)
    })?;
    let mode = args.error_mode.as_deref();
    let keys: &[&str] = match (name, mode) {
        ("floatsabs", _) | ("floats", Some("absolute")) => &["absolute"],
        ("floatsrel", _) | ("floats", Some("relative")) => &["relative"],
        (_, None | Some("default")) => &["absolute", "relative"],
        (_, Some(other)) => {
            return mistake(path, format!("the `error_mode` `{other}` is not known"));
        }
    };
    let mut options = json!({});
    for key in keys {
        options[*key] = tolerance.into();
    }
    Ok(json!({ "numbers": options }))
}

/// A generator's arguments, each preceded by a space.
pub(super) fn arguments(value: &Value) -> Result<String, PackageError> {
    let mut text = Vec::new();
    for value in value.as_array().into_iter().flatten() {
        let word = match value {
            Value::String(word) => word.clone(),
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            other => other.to_string(),
        };
        if word.is_empty() || word.contains(char::is_whitespace) {
            let message = format!("an argument must not be empty or have spaces, found {value}");
            return mistake("init.yml: generator_args", message);
        }
        text.push(format!(" {}", template(&word)));
    }
    let text = text.concat();
    if text.len() > MAX_ARGUMENT_BYTES {
        let message = format!("the arguments are longer than {MAX_ARGUMENT_BYTES} bytes");
        return mistake("init.yml: generator_args", message);
    }
    Ok(text)
}
