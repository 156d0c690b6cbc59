//! The sources of a class for Dolos and JPlag, which measure similarity.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use grader_language::{Language, Languages, SourceText, source_text};
use grader_model::{LanguageId, ProblemId, Results, SourceFile, StudentResult};
use grader_report::{Sources, file_stem, guarded};

use crate::atomic::{WriteError, unnamed};

/// A tool that measures similarity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimilarityTool {
    /// Dolos of Ghent University: reads an `info.csv` that names files.
    Dolos,
    /// JPlag of the Karlsruhe Institute of Technology: reads a folder with a folder for each submission.
    Jplag,
}

/// The files that are built with every submission for a problem.
pub type Included<'a> = dyn Fn(&ProblemId) -> io::Result<Vec<SourceFile>> + 'a;

/// What a tool compares.
pub struct SimilarityInput<'a> {
    /// The results.
    pub results: &'a Results,
    /// The sources that were judged.
    pub sources: &'a Sources<'a>,
    /// Code that was given to students: the tool leaves it out.
    pub included: &'a Included<'a>,
}

/// The submissions for a problem in one language, which a tool compares with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The problem.
    pub problem: ProblemId,
    /// The language.
    pub language: LanguageId,
    /// How many submissions there are.
    pub submissions: usize,
    /// The command that compares them.
    pub command: Vec<String>,
}

/// Writes `PROBLEM/LANGUAGE/submissions/STUDENT/FILE` into an empty folder, for each problem and language with at least
/// two submissions; code that was given to students in `given/` beside `submissions/`; and for Dolos `info.csv`, which
/// names the files. Everything is UTF-8. Names are escaped if a shell, a spreadsheet or another system might misread them.
///
/// # Errors
/// If something cannot be read or written; then no problem is left half-written.
pub fn write_for_similarity(
    folder: &Path,
    tool: SimilarityTool,
    input: &SimilarityInput<'_>,
) -> Result<Vec<Comparison>, WriteError> {
    let scratch = tempfile::Builder::new()
        .prefix(".writing-")
        .tempdir_in(folder)
        .map_err(unnamed)
        .map_err(WriteError::of(folder))?;
    let known = Languages::built_in();
    let mut comparisons = Vec::new();
    let mut problems = Vec::new();
    for info in &input.results.assignment.problems {
        let name = file_stem(info.id.as_str());
        for (id, submissions) in
            by_language(&info.id, &known, input).map_err(WriteError::of(folder))?
        {
            if submissions.len() < 2 {
                continue;
            }
            let set = Set {
                tool,
                id,
                language: known.get(id).cloned(),
                given: given(&info.id, id, &known, input).map_err(WriteError::of(folder))?,
                submissions,
            };
            let place = scratch.path().join(&name).join(id.as_str());
            set.write(&place)
                .map_err(WriteError::of(&folder.join(&name)))?;
            comparisons.push(Comparison {
                problem: info.id.clone(),
                language: id,
                submissions: set.submissions.len(),
                command: set.command(&folder.join(&name).join(id.as_str())),
            });
            problems.push(name.clone());
        }
    }
    problems.dedup();
    for name in problems {
        let path = folder.join(&name);
        fs::rename(scratch.path().join(name), &path).map_err(WriteError::of(&path))?;
    }
    Ok(comparisons)
}

/// A student, and what the student submitted.
type Submission<'a> = (&'a StudentResult, Vec<SourceFile>);

fn by_language<'a>(
    problem: &ProblemId,
    known: &Languages,
    input: &SimilarityInput<'a>,
) -> io::Result<BTreeMap<LanguageId, Vec<Submission<'a>>>> {
    let mut languages: BTreeMap<LanguageId, Vec<Submission<'a>>> = BTreeMap::new();
    for student in &input.results.students {
        let Some(result) = student.problem(problem) else {
            continue;
        };
        let sources = (input.sources)(&student.id, problem)?;
        // What was rejected before it was built has no language in its result.
        let recognised = || {
            let language = known.recognise(&SourceText::all(&sources))?;
            Some(language.id)
        };
        // Right outputs are alike, and so are tests.
        let id = result.language.or_else(recognised);
        let Some(id) = id.filter(|it| it.is_of_programs()) else {
            continue;
        };
        let sources = match known.get(id) {
            Some(language) => language.code_files(&sources).cloned().collect(),
            None => sources,
        };
        if sources.is_empty() {
            continue;
        }
        let submissions = languages.entry(id).or_default();
        // What a team submitted is one program, whoever of them is listed.
        let is_same = |(other, theirs): &Submission<'_>| {
            student.team.is_some() && other.team == student.team && *theirs == sources
        };
        if !submissions.iter().any(is_same) {
            submissions.push((student, sources));
        }
    }
    Ok(languages)
}

fn given(
    problem: &ProblemId,
    id: LanguageId,
    known: &Languages,
    input: &SimilarityInput<'_>,
) -> io::Result<Vec<SourceFile>> {
    let mut files = (input.included)(problem)?;
    let is_own = |file: &SourceFile| {
        known
            .of_file_name(file.name())
            .is_some_and(|it| it.id == id)
    };
    files.retain(is_own);
    Ok(files)
}

/// Submissions that are compared with each other.
struct Set<'a> {
    tool: SimilarityTool,
    id: LanguageId,
    /// `None` if only the assignment knows the language.
    language: Option<Arc<Language>>,
    given: Vec<SourceFile>,
    submissions: Vec<Submission<'a>>,
}

/// Where a tool looks for code that was given to students.
const GIVEN: &str = "given";

impl Set<'_> {
    fn write(&self, folder: &Path) -> io::Result<()> {
        let is_dolos = self.tool == SimilarityTool::Dolos;
        let mut rows = vec![["filename", "full_name", "id", "ignored"].map(str::to_owned)];
        for (student, sources) in &self.submissions {
            let id = student.id.as_str();
            let name = student.person.as_ref().and_then(|it| it.name.as_deref());
            let own = format!("submissions/{}", file_stem(id));
            for (path, text) in self.named(sources) {
                let path = format!("{own}/{path}");
                write(&folder.join(&path), &text)?;
                let name = guarded(name.unwrap_or(id));
                rows.push([path, name, guarded(id), String::new()]);
            }
        }
        let mut given = self.named(&self.given);
        if is_dolos && given.len() > 1 {
            // Dolos leaves out the code of one file.
            let texts: Vec<String> = given.drain(..).map(|(_, text)| text).collect();
            let name = format!("{GIVEN}.{}", self.extension());
            given.push((name, texts.join("\n")));
        }
        for (path, text) in given {
            let path = format!("{GIVEN}/{path}");
            write(&folder.join(&path), &text)?;
            rows.push([path, GIVEN.to_owned(), GIVEN.to_owned(), "true".to_owned()]);
        }
        if is_dolos {
            let mut csv = ::csv::Writer::from_path(folder.join("info.csv"))?;
            for row in rows {
                csv.write_record(row)?;
            }
            csv.flush()?;
        }
        Ok(())
    }

    /// The files under names that the tools take for the language, with their texts.
    fn named(&self, sources: &[SourceFile]) -> Vec<(String, String)> {
        let files = sources.iter().map(|source| {
            let parts = source.path.split('/').map(file_stem);
            let mut path = parts.collect::<Vec<_>>().join("/");
            let known = path.rsplit_once('.').map_or("", |(_, extension)| extension);
            let mut headers = self.language.iter().flat_map(|it| &it.definition.headers);
            let is_header = known == "h" && headers.any(|it| it == "h");
            if known != self.extension() && !is_header {
                path = format!("{path}.{}", self.extension());
            }
            (path, source_text(source).into_owned())
        });
        files.collect()
    }

    /// The usual extension of the language.
    fn extension(&self) -> &str {
        let language = self.language.as_ref();
        let extension = language.and_then(|it| it.definition.extensions.first());
        extension.map_or("txt", String::as_str)
    }

    /// The command that compares what lies in this folder.
    fn command(&self, folder: &Path) -> Vec<String> {
        let inside = |name: &str| folder.join(name).display().to_string();
        let (name, is_known) = self.name();
        let words: &[&str] = match self.tool {
            SimilarityTool::Dolos => &["dolos", "run", "-f", "web", "-l", name],
            SimilarityTool::Jplag => &["java", "-jar", "jplag.jar", "-l", name],
        };
        let mut command: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        if self.tool == SimilarityTool::Dolos {
            command.push(inside("info.csv"));
            return command;
        }
        if !is_known {
            command.extend(["-p".to_owned(), format!(".{}", self.extension())]);
        }
        if !self.given.is_empty() {
            command.extend(["-bc".to_owned(), inside(GIVEN)]);
        }
        command.extend(["-r".to_owned(), inside("results"), inside("submissions")]);
        command
    }

    /// What the tool calls the language, and whether it knows it: others are compared as plain text.
    fn name(&self) -> (&'static str, bool) {
        let is_dolos = self.tool == SimilarityTool::Dolos;
        let name = match self.id {
            LanguageId::C => "c",
            LanguageId::Cpp => "cpp",
            LanguageId::Rust => "rust",
            LanguageId::Java => "java",
            LanguageId::JavaScript => "javascript",
            LanguageId::Python if is_dolos => "python",
            LanguageId::Python => "python3",
            LanguageId::Go if is_dolos => "go",
            LanguageId::Go => "golang",
            _ if is_dolos => return ("char", false),
            _ => return ("text", false),
        };
        (name, true)
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)
}
