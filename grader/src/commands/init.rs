//! `grader init`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use grader_lms::{MAX_TEXT, read_regular_text};
use grader_model::typed;
use grader_problem::schema;
use grader_publish::atomic_write;
use grader_session::owned::refuse_existing;
use grader_session::{Exit, Failure, did_you_mean, shown};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::package_folder::write_package;
use crate::assignment::assignments;
use crate::bundled;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
In the folder of an assignment, NAME becomes one of its problems.

Examples:
  grader init week-1
  grader init week-1/gcd --template function
  grader init week-2 --template interactive
  grader init --from n-queens queens")]
pub(crate) struct InitArgs {
    /// New folder; with `--from`, by default the id of that assignment.
    #[arg(value_name = "NAME", required_unless_present = "from")]
    folder: Option<PathBuf>,
    /// Kind of the problem.
    #[arg(long, value_enum, default_value_t, conflicts_with = "from")]
    template: Template,
    /// Bundled assignment to copy and edit instead.
    #[arg(long, value_name = "ID")]
    from: Option<String>,
}

/// A kind of problem.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Template {
    /// One right answer for each case, from a reference solution; the input is an argument.
    #[default]
    Classic,
    /// The same, but the input is on standard input.
    Stdin,
    /// A function in C, Java or Python, called by a program of yours.
    Function,
    /// Unit tests in Python, in the process of the submission.
    Pytest,
    /// Unit tests in Java, in the process of the submission.
    Junit,
    /// Tests in Python of a function in C, Java or Python, in a process that it cannot reach.
    PytestSeparate,
    /// Many right answers: a program of yours checks them.
    Checker,
    /// The submission talks to a program of yours.
    Interactive,
}

impl Template {
    /// Whether files of the problem, and the code in them, have its name.
    fn shares_name(self) -> bool {
        match self {
            Self::Classic | Self::Stdin | Self::Checker | Self::Interactive => false,
            Self::Function | Self::Pytest | Self::Junit | Self::PytestSeparate => true,
        }
    }

    fn files(self) -> Vec<File> {
        let name = self.to_possible_value();
        bundled::template(name.as_ref().map_or("classic", |it| it.get_name()))
    }
}

/// Words of C, Java and Python, and names in the templates' programs, after which no function can be called.
const TAKEN_NAMES: &str = "\
    abstract and as assert async auto await boolean break byte case catch char class const continue def default del do \
    double elif else enum except extends extern final finally float for from global goto if implements import in \
    inline input instanceof int interface is lambda long main map native new nonlocal not or os package pass print \
    printf private program protected public pytest raise register restrict return scanf scanner short signed sizeof \
    static strictfp string struct super switch synchronized sys system test tests this throw throws transient try \
    typedef union unsigned void volatile while with yield";

type File = (&'static str, &'static [u8]);

pub(crate) fn run(args: &InitArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = args.folder.as_deref();
    let name = name.or(args.from.as_deref().map(Path::new));
    let folder = name.context("clap asks for a name")?;
    let files = match &args.from {
        Some(id) => bundled_files(id)?,
        None if assignment_above(folder).is_file() => {
            return add_problem(folder, args.template, terminal);
        }
        None => args.template.files(),
    };
    refuse_existing(folder)?;
    let failing = failing_sample(files.iter().map(|(path, _)| *path));
    let failing = failing.filter(|_| args.from.is_none());
    let failing = failing.map(|path| folder.join(path));
    let title = title_of(folder).filter(|_| args.from.is_none());
    let files = files.into_iter().map(|(path, bytes)| {
        let text = || String::from_utf8_lossy(bytes);
        let text = match &title {
            Some(title) if path == ASSIGNMENT => {
                let id = id_of(title).unwrap_or_else(|| "week-1".to_owned());
                named(&text(), &id, title)
            }
            _ if args.from.is_none() => text().into_owned(),
            _ => return Ok((path, bytes.to_vec())),
        };
        Ok((path, with_schema(path, text).into_bytes()))
    });
    let schemas = [
        (ASSIGNMENT_SCHEMA, schema::assignment()),
        (PROBLEM_SCHEMA, schema::problem()),
    ];
    let schemas = schemas.into_iter().filter(|_| args.from.is_none());
    let files = files.chain(schemas.map(|(path, text)| Ok((path, text.into_bytes()))));
    let exit = write_package(folder, files, "", [], terminal)?;
    let name = folder.to_string_lossy();
    say_next(folder, failing, &["-a", &name], terminal)?;
    Ok(exit)
}

const ASSIGNMENT: &str = "assignment.toml";

/// The schemas that editors read, beside `assignment.toml`.
const ASSIGNMENT_SCHEMA: &str = "assignment.schema.json";
const PROBLEM_SCHEMA: &str = "problem.schema.json";

/// A file of an assignment, in which the first line tells editors where its schema is.
fn with_schema(path: &str, text: String) -> String {
    match Path::new(path).file_name().and_then(|it| it.to_str()) {
        Some(ASSIGNMENT) => format!("#:schema ./{ASSIGNMENT_SCHEMA}\n{text}"),
        Some("problem.toml") => format!("#:schema ../{PROBLEM_SCHEMA}\n{text}"),
        _ => text,
    }
}

/// Says what to type next. If a sample fails, the last line shows what its student would see.
fn say_next(
    folder: &Path,
    failing: Option<PathBuf>,
    options: &[&str],
    terminal: &Terminal,
) -> anyhow::Result<()> {
    if terminal.is_quiet {
        return Ok(());
    }
    let folder = folder.to_string_lossy();
    let mut lines: Vec<String> = ["check", "verify"]
        .map(|command| typed(["grader", command, &folder]))
        .into();
    if let Some(path) = failing {
        let test = ["grader", "test", &path.to_string_lossy()];
        lines.push(typed(test.into_iter().chain(options.iter().copied())));
    }
    for line in lines {
        writeln!(terminal.stdout(), "  {line}")?;
    }
    Ok(())
}

/// The first of the files that is a sample submission with a mistake.
fn failing_sample<'a>(mut paths: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    paths.find(|path| path.contains("submissions/") && !path.contains("/accepted/"))
}

fn bundled_files(id: &str) -> Result<Vec<File>, Failure> {
    let known = assignments().ids();
    if known.contains(&id) {
        return Ok(bundled::files(id));
    }
    let near = did_you_mean(id, known.iter().copied()).en;
    let known = known.join("`, `");
    let message = format!("there is no bundled assignment `{id}`{near}; known are `{known}`");
    Err(Failure::usage(message))
}

/// The assignment of which a new folder would be a part.
fn assignment_above(folder: &Path) -> PathBuf {
    folder.with_file_name(ASSIGNMENT)
}

/// Adds a problem to an assignment: a folder, and an entry in `assignment.toml`.
fn add_problem(folder: &Path, template: Template, terminal: &Terminal) -> anyhow::Result<Exit> {
    refuse_existing(folder)?;
    let title = title_of(folder).unwrap_or_default();
    let (Some(id), Some(name)) = (id_of(&title), folder.file_name().and_then(|it| it.to_str()))
    else {
        let message = format!(
            "`{}`: the name of a problem needs a letter from a to z",
            shown(folder)
        );
        return Err(Failure::usage(message).into());
    };
    let shares_name = template.shares_name();
    let new = if shares_name {
        id.replace('-', "_")
    } else {
        id.clone()
    };
    if shares_name && TAKEN_NAMES.split(' ').any(|it| it == new) {
        let message = format!("`{new}` cannot be the name of a function in C, Java and Python");
        return Err(Failure::usage(message).into());
    }
    let (word, assignment, is_crlf) = with_problem(folder, name, &template.files())?;

    let has_schema = folder.with_file_name(PROBLEM_SCHEMA).is_file();
    let files = template.files().into_iter().filter_map(|(path, bytes)| {
        let inner = path.strip_prefix(&*word)?.strip_prefix('/')?;
        let text = String::from_utf8_lossy(bytes);
        let text = match inner {
            "problem.toml" if id != word => named(&renamed(&text, &word, &new), &id, &title),
            "statement.md" => renamed(&text, &word, &new),
            _ if shares_name => renamed(&text, &word, &new),
            _ => text.into_owned(),
        };
        let text = if has_schema {
            with_schema(inner, text)
        } else {
            text
        };
        Some((renamed(inner, &word, &new), text))
    });
    let files: Vec<(String, String)> = files.collect();
    let written = files
        .iter()
        .map(|(path, text)| Ok((path.as_str(), text.clone().into_bytes())));
    let exit = write_package(folder, written, "", [], terminal)?;
    let mut text = assignment.to_string();
    if is_crlf {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    let path = assignment_above(folder);
    if let Err(error) = atomic_write(&path, |out| out.write_all(text.as_bytes())) {
        // Half a problem is none.
        let _ = fs::remove_dir_all(folder);
        return Err(error.into());
    }
    if !terminal.is_quiet {
        let (name, path) = (shown(Path::new(name)), shown(&path));
        writeln!(terminal.stdout(), "added `{name}` to {path}")?;
    }
    let failing = failing_sample(files.iter().map(|(path, _)| &**path));
    let failing = failing.map(|path| folder.join(path));
    let parent = folder.parent().unwrap_or(folder).to_string_lossy();
    let mut options = vec!["-p", &*id];
    // Without a folder above, the assignment is here.
    if !parent.is_empty() {
        options.extend(["-a", &*parent]);
    }
    say_next(folder, failing, &options, terminal)?;
    Ok(exit)
}

fn without_dot(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// The assignment above a folder with an entry for it, and with the languages of a template. Before it, the name of the
/// template's problem; after it, whether the lines of the file end in CR LF.
fn with_problem(
    folder: &Path,
    name: &str,
    files: &[File],
) -> anyhow::Result<(String, DocumentMut, bool)> {
    let example = files.iter().find(|(path, _)| *path == ASSIGNMENT);
    let example = example.map_or_else(String::new, |it| String::from_utf8_lossy(it.1).into());
    let example: DocumentMut = example.parse()?;
    let languages = example.get("languages");
    let example = example["problem"].as_array_of_tables();
    let example = example
        .and_then(|all| all.get(0))
        .context("the template has a problem")?;
    let word = example["path"].as_str().unwrap_or_default().to_owned();

    let path = assignment_above(folder);
    let before = read_regular_text(&path, MAX_TEXT)
        .with_context(|| format!("cannot read `{}`", shown(&path)))?;
    let mut assignment: DocumentMut = before.parse().map_err(|error| {
        Failure::usage(format!("`{}` is not valid TOML: {error}", shown(&path)))
    })?;
    let problems = assignment
        .entry("problem")
        .or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(problems) = problems.as_array_of_tables_mut() else {
        let message = format!(
            "`{}`: `problem` is not written as `[[problem]]`",
            shown(&path)
        );
        return Err(Failure::usage(message).into());
    };
    // Its author may have listed it before making it.
    if !lists(problems, name) {
        let mut entry = Table::new();
        entry["path"] = value(name);
        entry["points"] = example["points"].clone();
        problems.push(entry);
    }
    if let Some(languages) = languages {
        add_languages(&mut assignment, languages);
    }
    Ok((word, assignment, before.contains("\r\n")))
}

/// Whether an assignment has the problem in a folder of this name beside it.
fn lists(problems: &ArrayOfTables, name: &str) -> bool {
    let mut paths = problems
        .iter()
        .filter_map(|entry| entry.get("path")?.as_str());
    paths.any(|path| without_dot(path.trim_end_matches('/')) == name)
}

/// Says that the problem in a new folder is not part of the assignment beside it, if that does not list it.
pub(super) fn say_not_listed(folder: &Path, terminal: &Terminal) {
    let path = assignment_above(folder);
    let text = read_regular_text(&path, MAX_TEXT).unwrap_or_default();
    let assignment: DocumentMut = text.parse().unwrap_or_default();
    let problems = assignment.get("problem").and_then(Item::as_array_of_tables);
    let name = folder.file_name().and_then(|it| it.to_str());
    if let (Some(problems), Some(name)) = (problems, name)
        && !lists(problems, name)
    {
        let (path, line) = (shown(&path), format!("path = {}", value(name)));
        terminal.note(
            format!("not part of `{path}` yet: add `[[problem]]` with `{line}` and `points`"),
            format!("还不是 `{path}` 中的题目：请添加 `[[problem]]`，写上 `{line}` 和 `points`"),
        );
    }
}

/// Adds the languages of a template that an assignment does not set itself.
fn add_languages(assignment: &mut DocumentMut, languages: &Item) {
    let mut parent = Table::new();
    parent.set_implicit(true);
    let ours = assignment.entry("languages").or_insert(Item::Table(parent));
    let (Some(ours), Some(languages)) = (ours.as_table_like_mut(), languages.as_table_like())
    else {
        return;
    };
    for (name, settings) in languages.iter() {
        if !ours.contains_key(name) {
            ours.insert(name, settings.clone());
        }
    }
}

/// A text with another name in place of a template's, also as the name of a class.
fn renamed(text: &str, word: &str, new: &str) -> String {
    let class = |name: &str| -> String { name.split('_').map(capitalised).collect() };
    text.replace(word, new).replace(&class(word), &class(new))
}

/// A file with this id and title.
fn named(text: &str, id: &str, title: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" = ") {
        Some(("id", _)) => format!("id = \"{id}\"\n"),
        Some(("title", _)) => format!("title = {}\n", value(title)),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// The title of what is in a folder: `Week 2` for `week_2`.
fn title_of(folder: &Path) -> Option<String> {
    let name = folder.file_name()?.to_str()?;
    let title = capitalised(name.replace(['-', '_'], " ").trim());
    (!title.is_empty() && !title.contains(char::is_control)).then_some(title)
}

/// The id for a title, if there is any of it in `a-z`.
fn id_of(title: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let id = title.to_lowercase();
    let words = id.split(|c| !is_plain(c)).filter(|word| !word.is_empty());
    let id = words.collect::<Vec<_>>().join("-");
    id.starts_with(|c: char| c.is_ascii_lowercase())
        .then_some(id)
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}
