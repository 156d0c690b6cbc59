//! Submissions that are the same program as another student's, or as a file of the problem.
//!
//! Two programs are the same if their tokens are equal. Comments, string contents and layout do not count, and all
//! names are the same token, so that renaming variables hides nothing, not even within one function. Similarity is not
//! measured: `grader report --dolos` exports the sources to tools that measure it.

use std::collections::{HashMap, HashSet};
use std::iter;

use grader_intake::Class;
use grader_language::{Language, SourceText, TokenKind};
use grader_model::{LanguageId, SimilarGroup, Similarity, SourceFile, StudentId};
use grader_problem::{Assignment, Problem, ReferenceProgram, Sample, SubmissionKind};

use crate::constants::MIN_SIMILAR_TOKENS;

/// The hashes of a program.
struct Fingerprint {
    /// Of the text, without line ends and trailing blanks.
    bytes: blake3::Hash,
    /// Of the kinds of tokens, with operators and the values of numbers.
    tokens: blake3::Hash,
    /// Number of tokens.
    count: usize,
}

/// The programs for one problem, in the order in which they were found.
#[derive(Default)]
struct Programs {
    all: Vec<Program>,
    /// By the hash of the tokens, or of the text of short programs.
    places: HashMap<blake3::Hash, usize>,
}

/// A program, its submitters, and the problem's files that are the same program.
struct Program {
    first: Fingerprint,
    kind: Similarity,
    students: Vec<StudentId>,
    /// Of these teams only the first member is among the students.
    teams: HashSet<String>,
    given: Vec<String>,
}

/// Submissions of a class that are the same program, in the order of problems and students. `samples` has each
/// problem's samples, or is empty.
pub fn similar(
    assignment: &Assignment,
    samples: &[Vec<Sample>],
    class: &Class,
) -> Vec<SimilarGroup> {
    let samples = samples
        .iter()
        .map(Vec::as_slice)
        .chain(iter::repeat(&[][..]));
    let problems = assignment.problems.iter().zip(samples);
    problems
        .flat_map(|(entry, samples)| of_problem(&entry.problem, samples, class))
        .collect()
}

fn of_problem(problem: &Problem, samples: &[Sample], class: &Class) -> Vec<SimilarGroup> {
    if problem.submission.kind != SubmissionKind::Program {
        // Right outputs are alike, and so are tests.
        return Vec::new();
    }
    let mut programs = Programs::default();
    for student in &class.students {
        let submission = student.submissions.get(&problem.id);
        let language = submission.and_then(|it| problem.languages.get(it.language?));
        // If a file can no longer be read, its job reports that.
        let sources = submission.and_then(|it| it.sources().ok());
        if let Some((sources, language)) = sources.zip(language)
            && let Some(program) = programs.find(&SourceText::all(&sources), language)
        {
            let team = student.team.as_ref();
            if team.is_none_or(|team| program.teams.insert(team.clone())) {
                program.students.push(student.id.clone());
            }
        }
    }
    for (name, sources) in given_files(problem, samples) {
        let (languages, sources) = (&problem.languages, SourceText::all(sources));
        let language = languages
            .recognise(&sources)
            .or_else(|| languages.get(LanguageId::C));
        if let Some(program) = language.and_then(|language| programs.find(&sources, language)) {
            program.given.push(name);
        }
    }
    let is_group = |it: &Program| !it.students.is_empty() && it.students.len() + it.given.len() > 1;
    let groups = programs.all.into_iter().filter(is_group);
    groups
        .map(|program| SimilarGroup {
            problem: problem.id.clone(),
            kind: program.kind,
            tokens: program.first.count,
            students: program.students,
            given: program.given,
        })
        .collect()
}

impl Programs {
    /// The program with these sources, which is added if it is new; `None` if they are empty.
    fn find(&mut self, sources: &[SourceText<'_>], language: &Language) -> Option<&mut Program> {
        let print = fingerprint(sources, language);
        if print.count == 0 {
            return None;
        }
        let is_long = print.count >= MIN_SIMILAR_TOKENS;
        let hash = if is_long { print.tokens } else { print.bytes };
        let place = *self.places.entry(hash).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push(Program {
                first: print,
                kind: Similarity::Bytes,
                students: Vec::new(),
                teams: HashSet::new(),
                given: Vec::new(),
            });
        } else if self.all[place].first.bytes != print.bytes {
            self.all[place].kind = Similarity::Tokens;
        }
        self.all.get_mut(place)
    }
}

/// The programs in a problem's folder, with their paths: samples, the reference, and files built with every submission.
/// A student may have seen them.
fn given_files<'a>(
    problem: &'a Problem,
    samples: &'a [Sample],
) -> impl Iterator<Item = (String, &'a [SourceFile])> {
    let samples = samples.iter().map(|sample| {
        let path = format!("submissions/{}", sample.path);
        (path, sample.sources.as_slice())
    });
    let reference = match problem.reference.as_ref().map(|it| &it.program) {
        Some(ReferenceProgram::Sources(sources)) => sources.as_slice(),
        Some(ReferenceProgram::Builtin(_)) | None => &[],
    };
    let reference = reference.first().map(|it| (it.path.clone(), reference));
    let included = problem.submission.include.iter();
    let included = included.map(|file| (file.path.clone(), std::slice::from_ref(file)));
    samples.chain(reference).chain(included)
}

fn fingerprint(sources: &[SourceText<'_>], language: &Language) -> Fingerprint {
    let syntax = language.definition.syntax;
    let mut count = 0;
    let files = language.code_files(sources).map(|source| {
        let mut bytes = blake3::Hasher::new();
        let lines = source.text.split(['\n', '\r']).map(str::trim_end);
        for line in lines.filter(|line| !line.is_empty()) {
            bytes.update(line.as_bytes());
            bytes.update(b"\n");
        }
        let mut hasher = blake3::Hasher::new();
        for token in source.tokens(syntax) {
            count += 1;
            match (token.kind, token.value(syntax)) {
                (TokenKind::Name, _) => hasher.update(b"name"),
                (TokenKind::Quoted, _) => hasher.update(b"text"),
                (TokenKind::Number, Some(value)) => hasher.update(value.to_string().as_bytes()),
                (TokenKind::Number, None) | (TokenKind::Operator, _) => {
                    hasher.update(token.text.as_bytes())
                }
            };
            hasher.update(b"\n");
        }
        (*bytes.finalize().as_bytes(), *hasher.finalize().as_bytes())
    });
    // Neither file names nor their order count.
    let (mut bytes, mut tokens): (Vec<_>, Vec<_>) = files.unzip();
    bytes.sort_unstable();
    tokens.sort_unstable();
    Fingerprint {
        bytes: blake3::hash(bytes.as_flattened()),
        tokens: blake3::hash(tokens.as_flattened()),
        count,
    }
}

#[cfg(test)]
mod tests;
