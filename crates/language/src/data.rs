//! The files of a program that are no sources. A student starts it in the folder where they lie, so it finds them there by name.

use std::collections::BTreeSet;

use grader_model::{SourceFile, common_folder, file_name, folder_of};

use crate::build_command::is_build_file;
use crate::constants::MAX_FILES;
use crate::copies::has_name_of;
use crate::language::Language;
use crate::lexer::short_literals;
use crate::plan::{PlannedFiles, is_safe};
use crate::source::{ProgramSources, SourceText};

impl Language {
    /// The student's files that are neither sources nor rules of a build, by their paths in the folder in which the program is
    /// started: the submitted path, and one more if its sources name the file otherwise. `compiled` are indices of sources.
    pub(crate) fn data(&self, sources: &ProgramSources<'_>, compiled: &[usize]) -> Vec<SourceFile> {
        let own = (sources.included.len()..).zip(&sources.own);
        let (compiled, others): (Vec<_>, Vec<_>) =
            own.partition(|(index, _)| compiled.contains(index));
        let others = others.into_iter().map(|(_, it)| it.file.clone());
        // Instead of a student's copy, the author's file.
        let copies = sources.left_out.iter().filter_map(|source| {
            let mut authors = sources.included.iter();
            let authors = authors.find(|it| has_name_of(source, it))?;
            Some(SourceFile::new(
                &*source.file.path,
                authors.file.bytes.clone(),
            ))
        });
        let mut files: Vec<SourceFile> = others.chain(copies).collect();
        files.retain(|it| self.is_data(it));
        if files.is_empty() {
            return files;
        }
        let mut taken = PlannedFiles::of_run();
        files.retain(|it| taken.take(&it.path));
        let folders = compiled.iter().map(|(_, it)| folder_of(&it.file.path));
        let home = folders.reduce(common_folder).unwrap_or_default();
        let names = self.names_of(&files, &sources.own);
        // A hostile student's files have thousands of folders.
        let mut room = MAX_FILES;
        for at in 0..files.len() {
            let file = &files[at];
            let Some(path) = named(&file.path, &names, home) else {
                continue;
            };
            let Some(left) = room.checked_sub(path.split('/').count()) else {
                break;
            };
            if taken.take(&path) {
                room = left;
                files.push(SourceFile::new(path, file.bytes.clone()));
            }
        }
        files
    }

    fn is_data(&self, file: &SourceFile) -> bool {
        let own_build = self.definition.build.as_ref();
        !self.is_code(file)
            && !is_build_file(file.name())
            && own_build.is_none_or(|it| it.program != file.path)
    }

    /// The paths by which sources may name these files in literals.
    fn names_of(&self, files: &[SourceFile], sources: &[&SourceText<'_>]) -> BTreeSet<Name> {
        let syntax = self.definition.syntax;
        let known = files.iter().map(|it| it.name().to_lowercase());
        let known: BTreeSet<String> = known.collect();
        let mut names = BTreeSet::new();
        for source in self.code_files(sources) {
            let tokens = source.tokens(syntax);
            let new = short_literals(&tokens).map(Name::new);
            let new = new.filter(|it| known.contains(file_name(&it.plain)));
            names.extend(new.take(MAX_FILES - names.len()));
        }
        names
    }
}

/// A path in a literal.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    /// As the program gives it to the system.
    path: String,
    /// With `/` between its parts, in lower case.
    plain: String,
}

impl Name {
    fn new(literal: &str) -> Self {
        let path = literal.strip_prefix("./").unwrap_or(literal);
        let path = path.replace(r"\\", r"\");
        let plain = path.replace('\\', "/").to_lowercase();
        let plain = plain.strip_prefix("./").unwrap_or(&plain).to_owned();
        Self { path, plain }
    }
}

/// Another path by which a program finds a file with this one. `None` if it needs none.
///
/// They may name a part of it, or begin further up: a student may start the program in another folder of the project. A name with
/// `\`, or in other case, is a path of Windows, here the name of a file.
fn named(path: &str, names: &BTreeSet<Name>, home: &str) -> Option<String> {
    let plain = path.to_lowercase();
    let is_end = |long: &str, end: &str| {
        let before = long.strip_suffix(end);
        before.is_some_and(|it| it.is_empty() || it.ends_with('/'))
    };
    let fits = |name: &&Name| is_end(&plain, &name.plain) || is_end(&name.plain, &plain);
    let mut fitting = names.iter().filter(fits).map(|it| &*it.path);
    if let Some(other) = fitting.clone().find(|it| *it != path && is_safe(it)) {
        return Some(other.to_owned());
    }
    let from_home = path.strip_prefix(home)?.strip_prefix('/')?;
    fitting.next().is_none().then(|| from_home.to_owned())
}

#[cfg(test)]
mod tests {
    use grader_model::LanguageId;

    use super::*;
    use crate::language::built_in;

    /// The paths of the data of a submission with these files; each has its path as its text, and the first also the given
    /// literals.
    fn data(id: LanguageId, files: &[&str], literals: &str) -> String {
        let text = |at: usize, path: &str| match at {
            0 => literals.to_owned(),
            _ => path.to_owned(),
        };
        let files = files.iter().enumerate();
        let files: Vec<SourceFile> = files
            .map(|(at, path)| SourceFile::new(*path, text(at, path).into_bytes()))
            .collect();
        let texts = SourceText::all(&files);
        let language = built_in(id);
        let compiled: Vec<usize> = (0..files.len())
            .filter(|it| language.is_source(&files[*it]))
            .collect();
        let data = language.data(&ProgramSources::own(&texts), &compiled);
        let shown = data.iter().map(|it| {
            let from = str::from_utf8(&it.bytes).unwrap();
            if from == it.path {
                it.path.clone()
            } else {
                format!("{}<{from}", it.path)
            }
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn data_lies_where_a_program_looks_for_it() {
        let [c, java, python] = [LanguageId::C, LanguageId::Java, LanguageId::Python];
        #[rustfmt::skip]
        let table: [(LanguageId, &[&str], &str, &str); 20] = [
            (c, &["a.c"], r#"fopen("a.txt", "r")"#, ""),
            (c, &["a.c", "a.h", "Makefile", "CMakeLists.txt"], r#""a.h""#, ""),
            (c, &["a.c", "off.txt"], r#"fopen("off.txt", "r")"#, "off.txt"),
            (c, &["a.c", "off.txt"], r#"fopen("./off.txt", "r")"#, "off.txt"),
            (c, &["a.c", "data/off.txt"], r#"fopen("data/off.txt", "r")"#, "data/off.txt"),
            // The name is made at run time.
            (c, &["a.c", "data/off.txt"], "", "data/off.txt"),
            (c, &["src/a.c", "src/b/b.c", "src/data/off.txt"], "", "src/data/off.txt data/off.txt<src/data/off.txt"),
            (c, &["src/a.c", "lib/b.c", "src/off.txt"], "", "src/off.txt"),
            // It is started elsewhere.
            (c, &["src/a.c", "lib/b.c", "src/off.txt"], r#""off.txt""#, "src/off.txt off.txt<src/off.txt"),
            (java, &["A.java", "off.txt"], r#""src/off.txt""#, "off.txt src/off.txt<off.txt"),
            (c, &["a.c", "off.txt"], r#""../data/off.txt""#, "off.txt"),
            (c, &["a.c", "off.txt"], r#""/etc/off.txt""#, "off.txt"),
            // Windows.
            (c, &["a.c", "data/off.txt"], r#""data\\off.txt""#, r"data/off.txt data\off.txt<data/off.txt"),
            (python, &["a.py", "data/off.txt"], r"r'data\off.txt'", r"data/off.txt data\off.txt<data/off.txt"),
            (c, &["a.c", "Data/Off.txt"], r#""data/off.TXT""#, "Data/Off.txt data/off.TXT<Data/Off.txt"),
            (c, &["a.c", "data/off.txt"], r#""off.txt" "data/off.txt""#, "data/off.txt off.txt<data/off.txt"),
            // In each other's way, and no paths.
            (c, &["a.c", "off", "off/x", "../x", "a/./x"], "", "off"),
            (c, &["a.c", "a/off.txt", "b/off.txt"], r#""off.txt""#, "a/off.txt b/off.txt off.txt<a/off.txt"),
            (c, &["a.c", "a/off.txt", "off.txt"], r#""off.txt""#, "a/off.txt off.txt"),
            // A program in one language reads sources of others.
            (python, &["a.py", "b.py", "x.java"], r#""x.java""#, "x.java"),
        ];
        for (id, files, literals, expected) in table {
            assert_eq!(data(id, files, literals), expected, "{files:?} {literals}");
        }
    }

    #[test]
    fn a_thousand_data_files_are_not_multiplied() {
        let deep = "x/".repeat(200);
        let paths: Vec<String> = (0..900).map(|it| format!("src/{deep}{it}.txt")).collect();
        let mut files = vec!["src/a.c"];
        files.extend(paths.iter().map(String::as_str));
        let data = data(LanguageId::C, &files, "");
        assert_eq!(data.split(' ').count(), 904);
    }
}
