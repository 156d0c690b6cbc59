//! Included files that only other systems find: their names have other capital letters, or folders that an upload has lost.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use grader_model::{Excerpt, Text, file_name, folder_of, is_below, text};

use crate::constants::MAX_FILES;
use crate::java_packages::Edit;
use crate::language::Language;
use crate::preprocessor::{includes_at, unconditional};
use crate::source::ProgramSources;

/// An include that finds nothing as it is written, and the file that it means.
pub(crate) struct LostInclude {
    /// The file with the include.
    pub(crate) user: usize,
    /// The name that finds the file, in the bytes that are built.
    pub(crate) edit: Edit,
    /// The file that it means.
    pub(crate) target: usize,
    /// What the student is told, unless it may not be compiled at all.
    pub(crate) remark: Option<Text>,
}

/// The system's headers, and what some student calls `Math.h`.
const SYSTEM_HEADERS: [&str; 34] = [
    "assert.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "poll.h",
    "pthread.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "threads.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

/// The includes in quotes that find no file, although exactly one of the submission or of the author has the name.
pub(crate) fn lost_includes(
    language: &Language,
    sources: &ProgramSources<'_>,
    paths: &[String],
    compiled: &[usize],
) -> Vec<LostInclude> {
    let all = sources.all();
    let left_out = sources.left_out.iter().map(|it| &*it.file.path);
    let tree = Tree::new(paths, left_out);
    let mut targets: BTreeMap<(&str, String), Option<usize>> = BTreeMap::new();
    let mut lost = Vec::new();
    for (user, source) in all.iter().enumerate() {
        if !compiled.contains(&user) && !language.is_code(source.file) {
            continue;
        }
        let tokens = source.tokens(language.definition.syntax);
        let compiled = includes_at(&source.text, &unconditional(&tokens));
        let compiled: BTreeSet<usize> = compiled.into_iter().map(|(at, _)| at).collect();
        let folder = folder_of(&paths[user]);
        for (at, name) in includes_at(&source.text, &tokens) {
            let Some(name) = name.strip_prefix('"').filter(|it| tree.has_name(it)) else {
                continue;
            };
            // Nobody has that many.
            if targets.len() > MAX_FILES || lost.len() > MAX_FILES {
                return lost;
            }
            let find = || tree.lost(folder, name);
            let target = *targets
                .entry((folder, name.to_owned()))
                .or_insert_with(find);
            // The author's own files are the author's to correct.
            let is_authors = |it| sources.is_included(user) && sources.is_included(it);
            let Some(target) = target.filter(|it| *it != user && !is_authors(*it)) else {
                continue;
            };
            let built = language.definition.encoding.encode(&source.file.bytes);
            // With the closing quote: what is shorter is filled up after it.
            let range = at + 1..at + 2 + name.len();
            if let Some(range) = built_range(&built, &source.text, range) {
                lost.push(LostInclude {
                    user,
                    edit: (range, relative(folder, &paths[target]) + "\""),
                    target,
                    remark: compiled
                        .contains(&at)
                        .then(|| remark(name, all[target].submitted)),
                });
            }
        }
    }
    lost
}

/// The files of a program, and their folders.
struct Tree<'a> {
    paths: &'a [String],
    files: BTreeSet<&'a str>,
    folders: BTreeSet<&'a str>,
    /// The files by their names in lower case.
    by_name: BTreeMap<String, Vec<usize>>,
}

impl<'a> Tree<'a> {
    fn new(paths: &'a [String], more: impl Iterator<Item = &'a str>) -> Self {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, path) in paths.iter().enumerate() {
            let name = file_name(path).to_lowercase();
            by_name.entry(name).or_default().push(at);
        }
        let files: BTreeSet<&str> = paths.iter().map(|it| &**it).chain(more).collect();
        let above = files.iter().flat_map(|path| {
            let ends = path.match_indices('/');
            ends.map(|(at, _)| &path[..at])
        });
        Self {
            folders: above.chain([""]).collect(),
            paths,
            files,
            by_name,
        }
    }

    /// Whether an include could mean a file.
    fn has_name(&self, include: &str) -> bool {
        let name = file_name(&include.replace('\\', "/")).to_lowercase();
        !SYSTEM_HEADERS.contains(&include) && self.by_name.contains_key(&name)
    }

    /// The file that an include means which finds none.
    fn lost(&self, folder: &str, include: &str) -> Option<usize> {
        // As it will be written.
        let include = include.replace('\\', "/");
        let mut folders = [folder].into_iter().chain(self.folders.iter().copied());
        if folders.any(|it| self.finds(it, &include)) {
            return None;
        }
        let named = self.by_name.get(&file_name(&include).to_lowercase())?;
        let beside = joined(folder, &include).map(|it| it.to_lowercase());
        let likeness = |it: &usize| {
            let path = &self.paths[*it];
            let is_beside = Some(path.to_lowercase()) == beside;
            (is_beside, equal_parts(path, &include))
        };
        let most = named.iter().map(likeness).max();
        let mut found: Vec<usize> = named.clone();
        found.retain(|it| Some(likeness(it)) == most);
        if found.len() > 1 {
            found.retain(|it| file_name(&self.paths[*it]) == file_name(&include));
        }
        match found[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether the compiler finds an include from this folder.
    fn finds(&self, folder: &str, include: &str) -> bool {
        let ends = include.match_indices('/').map(|(at, _)| &include[..at]);
        let mut above = ends.map(|it| joined(folder, it));
        !include.starts_with('/')
            && above.all(|it| it.is_some_and(|it| self.folders.contains(&*it)))
            && joined(folder, include).is_some_and(|it| self.files.contains(&*it))
    }
}

/// The path of an include, from this folder. `None` if it leads out of the folder of all files.
fn joined(folder: &str, include: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in include.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// How many parts at the ends of two paths are equal but for capital letters.
fn equal_parts(path: &str, include: &str) -> usize {
    let pairs = path.rsplit('/').zip(include.rsplit('/'));
    pairs
        .take_while(|(one, other)| one.to_lowercase() == other.to_lowercase())
        .count()
}

/// The path of a file from a folder.
fn relative(folder: &str, path: &str) -> String {
    let (mut above, mut common) = (String::new(), folder);
    while !is_below(folder_of(path), common) {
        above += "../";
        common = folder_of(common);
    }
    above + path[common.len()..].trim_start_matches('/')
}

/// The place in the bytes that are built: they may be in another encoding, where lines are the same.
fn built_range(built: &[u8], text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let name = text.get(range.clone())?.as_bytes();
    if !name.ends_with(b"\"") {
        return None;
    }
    if built.get(range.clone()) == Some(name) {
        return Some(range);
    }
    let line = text[..range.start].matches('\n').count();
    let mut lines = built.split(|it| *it == b'\n');
    let begin: usize = lines.by_ref().take(line).map(|it| it.len() + 1).sum();
    let column = lines
        .next()?
        .windows(name.len())
        .position(|it| it == name)?;
    Some(begin + column..begin + column + name.len())
}

fn remark(include: &str, path: &str) -> Text {
    let [include, path] = [include, path].map(|it| Excerpt::first(it.as_bytes(), 80));
    text!(
        "There is no header `{include}` in that place; `{path}` was taken. Its folder or its capital letters differ, so other systems \
             would not find it.",
        "在那个位置没有头文件 `{include}`，这里用了 `{path}`：所在的文件夹或大小写不同，换一个系统就找不到。"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::built_in;
    use crate::source::SourceText;
    use grader_model::{LanguageId, SourceFile};

    /// The names that are changed, as `file: old > new`, and whether the student is told.
    fn lost(included: &[(&str, &[u8])], own: &[(&str, &[u8])]) -> Vec<String> {
        let file = |(path, text): &(&str, &[u8])| SourceFile::new(*path, *text);
        let [included, own] = [included, own].map(|it| it.iter().map(file).collect::<Vec<_>>());
        let (included, own) = (SourceText::all(&included), SourceText::all(&own));
        let sources = ProgramSources {
            included: included.iter().collect(),
            own: own.iter().collect(),
            left_out: Vec::new(),
        };
        let all = sources.all();
        let paths: Vec<String> = all.iter().map(|it| it.file.path.clone()).collect();
        let lost = lost_includes(&built_in(LanguageId::C), &sources, &paths, &[]);
        let shown = lost.into_iter().map(|it| {
            let (range, new) = it.edit;
            let old = String::from_utf8_lossy(&all[it.user].file.bytes[range]).into_owned();
            let silent = if it.remark.is_none() { " silently" } else { "" };
            format!("{}: {old} > {new}{silent}", paths[it.user]).replace('"', "")
        });
        shown.collect()
    }

    #[test]
    fn an_include_that_finds_nothing_finds_the_only_file_of_its_name() {
        type Files = &'static [(&'static str, &'static [u8])];
        #[rustfmt::skip]
        let table: [(Files, Files, &[&str]); 22] = [
            (&[], &[("a.c", b"#include \"Util.H\""), ("util.h", b"")], &["a.c: Util.H > util.h"]),
            (&[], &[("a.c", b"#include \"Matrix/Matrix.hpp\""), ("matrix/matrix.hpp", b"")], &["a.c: Matrix/Matrix.hpp > matrix/matrix.hpp"]),
            (&[], &[("a.c", b"#include \"../include/grid.h\""), ("grid.h", b"")], &["a.c: ../include/grid.h > grid.h"]),
            (&[], &[("src/x/a.c", b"#include \"lib\\Util.h\""), ("src/y/util.h", b"")], &["src/x/a.c: lib\\Util.h > ../y/util.h"]),
            (&[], &[("a.c", b"#include \"C:/Users/ann/util.h\""), ("util.h", b"")], &["a.c: C:/Users/ann/util.h > util.h"]),
            (&[], &[("a.c", b"#include \"/home/ann/util.h\""), ("util.h", b"")], &["a.c: /home/ann/util.h > util.h"]),
            // What the compiler finds stays: beside the file, in another folder, or as soon as the slashes are written.
            (&[], &[("a.c", b"#include \"util.h\""), ("util.h", b"")], &[]),
            (&[], &[("src/a.c", b"#include \"../inc/util.h\""), ("inc/util.h", b"")], &[]),
            (&[], &[("src/a.c", b"#include \"util.h\""), ("inc/util.h", b""), ("src/Util.h", b"")], &[]),
            (&[], &[("a.c", b"#include \"inc\\util.h\""), ("inc/util.h", b"")], &[]),
            // The folder before `..` has to be there.
            (&[], &[("a.c", b"#include \"src/../util.h\""), ("util.h", b"")], &["a.c: src/../util.h > util.h"]),
            // The system's headers, and files that nobody submitted.
            (&[], &[("a.c", b"#include <Util.h>\n#include \"math.h\"\n#include \"other.h\""), ("util.h", b""), ("Math.h", b"")], &[]),
            // The one beside the file, then the most like it, then the same letters; otherwise nobody knows.
            (&[], &[("s/a.c", b"#include \"Util.h\""), ("s/util.h", b""), ("t/uTIL.h", b"")], &["s/a.c: Util.h > util.h"]),
            (&[], &[("a.c", b"#include \"x/B/c.h\""), ("b/c.h", b""), ("d/c.h", b"")], &["a.c: x/B/c.h > b/c.h"]),
            (&[], &[("a.c", b"#include \"x/c.h\""), ("c.h", b""), ("d/C.h", b"")], &["a.c: x/c.h > c.h"]),
            (&[], &[("a.c", b"#include \"x/c.h\""), ("b/c.h", b""), ("d/c.h", b"")], &[]),
            (&[], &[("a.h", b"#include \"A.h\"")], &[]),
            // The author's files: either may name the other's.
            (&[("main.c", b"#include \"list.h\"")], &[("List.h", b"")], &["main.c: list.h > List.h"]),
            (&[("list.h", b"")], &[("src/list.c", b"#include \"List.h\"")], &["src/list.c: List.h > ../list.h"]),
            (&[("main.c", b"#include \"list.h\""), ("List.h", b"")], &[("a.c", b"")], &[]),
            // What may not be compiled is no matter to talk about. A comment in GBK moves the place.
            (&[], &[("a.h", b"#ifndef A_H\n#define A_H\n#ifdef _WIN32\n#include \"B.h\"\n#else\n#include \"x/b.h\"\n#endif\n#include \"y/b.h\"\n#endif"),
                    ("b.h", b"")],
             &["a.h: B.h > b.h silently", "a.h: x/b.h > b.h silently", "a.h: y/b.h > b.h"]),
            (&[], &[("a.c", b"// \xbb\xca\xba\xf3\n#include \"Util.h\"\n"), ("util.h", b"")], &["a.c: Util.h > util.h"]),
        ];
        for (included, own, expected) in table {
            assert_eq!(lost(included, own), expected, "{own:?}");
        }
    }
}
