//! How a problem's submissions are recognised and named.

use std::borrow::Cow;
use std::collections::BTreeMap;

use grader_language::{Language, is_build_file};
use grader_model::{Bytes, LanguageId, SourceFile, file_name};

use crate::wildcard::fits;

/// How submissions for a problem are recognised.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmissionRule {
    /// Patterns for file and folder names (`*`, `?`), ignoring case; an earlier one takes precedence.
    pub files: Vec<String>,
    /// The names under which the students' sources are built, by language. In other languages they keep their own.
    pub names: BTreeMap<LanguageId, String>,
    /// What is submitted.
    pub kind: SubmissionKind,
    /// The languages that are accepted.
    pub languages: Vec<LanguageId>,
    /// The author's files that are built with every submission; their paths are plain names.
    pub include: Vec<SourceFile>,
    /// Whether all of the student's files belong to the submission, or only the recognised ones; `None` for those that
    /// belong to the same program.
    pub project: Option<bool>,
    /// The name of the student's file in which the program starts.
    pub entry: Option<String>,
    /// The names of files that every submission must have.
    pub required: Vec<String>,
    /// Patterns over the paths of files that go along, for [`SubmissionRule::is_extra`].
    pub extra: Vec<String>,
    /// Limit on the total size of its files.
    pub size: Bytes,
}

/// What students submit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubmissionKind {
    /// A program.
    #[default]
    Program,
    /// Output files, with the names in [`SubmissionRule::files`].
    Outputs,
    /// At most so many tests: files `NAME.in`, with `NAME.ans` or `NAME.out` as right answers.
    Tests(u32),
}

impl SubmissionKind {
    /// The language of the files that are submitted instead of a program.
    pub const fn language(self) -> Option<LanguageId> {
        match self {
            Self::Program => None,
            Self::Outputs => Some(LanguageId::Outputs),
            Self::Tests(_) => Some(LanguageId::Tests),
        }
    }

    /// What is submitted instead of a program, in messages.
    pub const fn instead(self) -> Option<&'static str> {
        match self {
            Self::Program => None,
            Self::Outputs => Some("output files"),
            Self::Tests(_) => Some("tests"),
        }
    }
}

impl SubmissionRule {
    /// Index of the first pattern that a name matches.
    pub fn pattern_of(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|pattern| fits(pattern, name))
    }

    /// Whether a student's file goes along whatever it is. `path` begins at the folder of the student's program; a pattern
    /// fits the whole path, or what follows one of its `/`.
    pub fn is_extra(&self, path: &str) -> bool {
        let after_slash = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        std::iter::once(path)
            .chain(after_slash)
            .any(|tail| self.extra.iter().any(|pattern| fits(pattern, tail)))
    }

    /// The text of the author's `Makefile` or `CMakeLists.txt`, if there is one among the included files.
    pub fn build_rules(&self) -> Option<String> {
        let rules = self.include.iter().filter(|it| is_build_file(it.name()));
        let rules = rules.map(|it| String::from_utf8_lossy(&it.bytes));
        rules
            .reduce(|all, more| all + "\n" + more)
            .map(Cow::into_owned)
    }

    /// The folder from which the paths of a student's files count if `folder` holds them all: the one above what the author's
    /// `Makefile` or `CMakeLists.txt` names, such as `src/*.c`.
    pub fn above_named<'a>(&self, folder: &'a str) -> &'a str {
        let Some(rules) = self.build_rules().filter(|_| !folder.is_empty()) else {
            return folder;
        };
        let is_apart = |at: usize| {
            let before = rules[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || "_-.".contains(c))
        };
        let is_named = |part: &str| {
            let in_path = format!("{part}/");
            let mut found = rules.match_indices(&in_path);
            found.any(|(at, _)| is_apart(at)) || rules.contains(&format!("directory({part}"))
        };
        let after_slash = folder.match_indices('/').map(|(at, _)| at + 1);
        let mut starts = std::iter::once(0).chain(after_slash);
        let start = starts.find(|&at| is_named(&folder[at..]));
        start.map_or(folder, |at| folder[..at].trim_end_matches('/'))
    }

    /// Whether a Python module of this name may be a student's.
    pub fn may_be_module(&self, module: &str) -> bool {
        let file = format!("{module}.py");
        self.pattern_of(&file).is_some()
            || self.pattern_of(module).is_some()
            || self.names.values().any(|it| *it == file)
    }

    /// These sources as they are built, if one of them gets a name of [`SubmissionRule::names`]: the one that has it
    /// already, whatever its case, or else the only source in the language. The files of its folder and below come with
    /// it.
    pub fn renamed(&self, language: &Language, sources: &[SourceFile]) -> Option<Vec<SourceFile>> {
        let name = self.names.get(&language.id)?;
        let mut own: Vec<&SourceFile> =
            sources.iter().filter(|it| language.is_source(it)).collect();
        if own.is_empty() {
            // Recognised by content.
            own.extend(sources);
        }
        let has_name = |it: &&&SourceFile| it.name().to_lowercase() == name.to_lowercase();
        let named = own.iter().filter(has_name);
        let found = match (
            named.min_by_key(|it| (it.path.len() - it.name().len(), it.name() != name)),
            &own[..],
        ) {
            (Some(found), _) | (None, [found]) => *found,
            _ => return None,
        };
        let folder = found.path.strip_suffix(found.name()).unwrap_or_default();
        let is_package = sources
            .iter()
            .any(|it| it.path == format!("{folder}__init__.py"));
        let package = file_name(folder.trim_end_matches('/'));
        let names_it = |it: &SourceFile| String::from_utf8_lossy(&it.bytes).contains(package);
        // A module of a package stays in it, unless the author's files import the module and not the package.
        let stays = is_package && (self.include.is_empty() || self.include.iter().any(names_it));
        let own = if stays {
            &*format!("{folder}{name}")
        } else {
            name
        };
        if is_package && found.path == own {
            return None;
        }
        let renamed = sources.iter().map(|source| {
            let path = match source.path.strip_prefix(folder) {
                _ if source == found => own,
                Some(inner) if !is_package => inner,
                _ => &source.path,
            };
            SourceFile::new(path, source.bytes.clone())
        });
        Some(renamed.collect())
    }
}
