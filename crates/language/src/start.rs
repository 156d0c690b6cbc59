//! In which of several files a program starts: one that no other of them uses.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{LanguageId, file_name, file_stem, folder_of};

use crate::java::classes;
use crate::language::Language;
use crate::lexer::{Token, TokenKind, has, names, short_literals};
use crate::python::imports;
use crate::source::SourceText;
use crate::syntax::Syntax;

/// The file in which a program starts, and whether it is the only choice: one that no other uses, preferably with a conventional
/// name. An included file with such a name always starts.
///
/// Of several scripts, it is one that uses others. A script beside it that uses none is an earlier attempt or a test, or a
/// library if it is included.
pub(crate) fn first_unit(
    language: &Language,
    units: &[&SourceText<'_>],
    is_included: impl Fn(usize) -> bool,
) -> (usize, bool) {
    let usual: &[&str] = match language.id {
        LanguageId::Rust => &["main.rs"],
        LanguageId::Python => &["main.py", "__main__.py"],
        LanguageId::JavaScript => &["main.js", "main.mjs", "index.js", "index.mjs"],
        _ => &[],
    };
    let syntax = language.definition.syntax;
    let is_script = matches!(syntax, Syntax::Python | Syntax::JavaScript);
    let usual_name = |unit: &usize| {
        let file = units[*unit].file;
        let rank = usual.iter().position(|it| *it == file.name())?;
        Some((rank, file.path.len(), *unit))
    };
    let can_start = |unit: &usize| {
        if is_script {
            file_stem(&units[*unit].file.path) != "__init__"
        } else {
            usual_name(unit).is_some() || is_program(&units[*unit].tokens(syntax), syntax)
        }
    };
    let candidates: Vec<usize> = (0..units.len()).filter(can_start).collect();
    let uses = uses(units, syntax);
    let mut free = unused(&candidates, &uses);
    let authors = candidates.iter().filter(|it| is_included(**it));
    let named = authors.filter_map(usual_name).min();
    let named = named.or_else(|| free.iter().filter_map(usual_name).min());
    if let Some((.., unit)) = named {
        return (unit, true);
    }
    let uses_others = |unit: &usize| !uses[*unit].is_empty();
    let is_library = |unit: &usize| is_included(*unit) && !uses_others(unit);
    if free.is_empty() {
        // They use each other.
        let first = candidates.iter().find(|it| !is_library(it));
        return (first.or(candidates.first()).copied().unwrap_or(0), true);
    }
    if is_script {
        let using: Vec<usize> = free.iter().copied().filter(uses_others).collect();
        if let [unit] = using[..] {
            return (unit, true);
        }
        if !free.iter().all(is_library) {
            free.retain(|it| !is_library(it));
        }
        let is_guarded = |unit: usize| units[unit].text.contains("if __name__");
        free.sort_by_key(|&unit| (!is_included(unit), !is_guarded(unit)));
    }
    (free[0], free.len() == 1)
}

/// Whether a source has what its language starts.
pub(crate) fn is_program(tokens: &[Token<'_>], syntax: Syntax) -> bool {
    match syntax {
        Syntax::Pascal => is_pascal_program(tokens),
        Syntax::Rust => has(tokens, "fn main", syntax),
        _ => has(tokens, "main(", syntax),
    }
}

/// For each file, which of the others it uses.
pub(crate) fn uses(files: &[&SourceText<'_>], syntax: Syntax) -> Vec<BTreeSet<usize>> {
    let mut by_name: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        for name in own_names(file, syntax) {
            by_name.entry(name).or_default().insert(at);
        }
    }
    let users = files.iter().enumerate();
    let used_by = |(at, file): (usize, &&SourceText<'_>)| {
        let used = used_names(file, syntax).into_iter();
        let found = used.filter_map(|it| by_name.get(it));
        // A class means the one in the same file.
        let others = found.filter(|it| syntax != Syntax::Java || !it.contains(&at));
        others.flatten().copied().filter(|it| *it != at).collect()
    };
    users.map(used_by).collect()
}

/// Those of the candidates that no other candidate uses, not even through files that are none.
pub(crate) fn unused(candidates: &[usize], uses: &[BTreeSet<usize>]) -> Vec<usize> {
    // The candidates that use a file: of more than two it matters only that there are two.
    let mut found_by: Vec<Vec<usize>> = vec![Vec::new(); uses.len()];
    let mut queue: Vec<(usize, usize)> = candidates.iter().map(|&it| (it, it)).collect();
    while let Some((file, candidate)) = queue.pop() {
        let known = &mut found_by[file];
        if known.len() < 2 && !known.contains(&candidate) {
            known.push(candidate);
            queue.extend(uses[file].iter().map(|&it| (it, candidate)));
        }
    }
    let all = candidates.iter().copied();
    all.filter(|it| found_by[*it].iter().all(|by| by == it))
        .collect()
}

/// The names under which others use a file; a script may be what is imported under its folder's name.
fn own_names(file: &SourceText<'_>, syntax: Syntax) -> Vec<String> {
    let path = &*file.file.path;
    let stem = file_stem(path);
    let folders_script = match syntax {
        Syntax::Java => return classes(&file.tokens(syntax)).declared,
        Syntax::Python => "__init__",
        Syntax::JavaScript => "index",
        Syntax::Rust => "mod",
        _ => "",
    };
    let folder = Some(file_name(folder_of(path)));
    let folder = folder.filter(|it| stem == folders_script && !it.is_empty());
    let all = folder.into_iter().chain([stem]);
    all.map(str::to_owned).collect()
}

/// The names in a file that may stand for others.
fn used_names<'t>(file: &'t SourceText<'_>, syntax: Syntax) -> BTreeSet<&'t str> {
    let tokens = file.tokens(syntax);
    match syntax {
        Syntax::Java => names(&tokens).collect(),
        Syntax::Rust => {
            let pairs = tokens.windows(2);
            let modules = pairs.filter(|it| it[0].is("mod") && it[1].kind == TokenKind::Name);
            modules.map(|it| it[1].text).collect()
        }
        Syntax::Python => {
            let all = imports(&file.text, &tokens).into_iter();
            all.flat_map(|it| names(it.tokens)).collect()
        }
        Syntax::JavaScript => {
            let files = short_literals(&tokens).filter(|it| it.contains(['/', '.']));
            files.map(file_stem).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// Whether a file is a program rather than a unit: it ends with `begin … end.` and does not begin with `unit`.
fn is_pascal_program(tokens: &[Token<'_>]) -> bool {
    let has = |phrase| has(tokens, phrase, Syntax::Pascal);
    let first = tokens.first().map(|token| token.text.to_lowercase());
    match first.as_deref() {
        Some("program") => true,
        Some("unit" | "library") | None => false,
        Some(_) => has("begin") && has("end."),
    }
}

#[cfg(test)]
mod tests {
    use grader_model::SourceFile;

    use super::*;

    #[test]
    fn a_file_is_used_directly_through_others_and_under_its_folders_name() {
        type Files = &'static [(&'static str, &'static str)];
        // The files, and those that no other uses.
        #[rustfmt::skip]
        let table: [(Syntax, Files, &[usize]); 12] = [
            (Syntax::Java, &[("A.java", "class A { int n = B.n; }"), ("B.java", "class B { String s = \"A\"; /* A */ }")], &[0]),
            (Syntax::Java, &[("A.java", "class A { } class C { }"), ("B.java", "class B { C c; } class C { }")], &[0, 1]),
            (Syntax::Java, &[("A.java", "class A { B b; }"), ("B.java", "class B { A a; }")], &[]),
            (Syntax::Python, &[("main.py", ""), ("sum.py", "def f():\n    from main import add\n")], &[1]),
            (Syntax::Python, &[("a.py", "import b"), ("b.py", "import c"), ("c.py", "import b"), ("d.py", "")], &[0, 3]),
            (Syntax::Python, &[("p/main.py", ""), ("p/__init__.py", "from .main import f"), ("run.py", "import p")], &[2]),
            (Syntax::JavaScript, &[("main.js", "require('./lib')"), ("lib/index.js", "f('main')")], &[0]),
            (Syntax::JavaScript, &[("main.mjs", "export const n = 1"), ("sum.mjs", "import { n } from './main.mjs'")], &[1]),
            (Syntax::Rust, &[("main.rs", "fn main() {}"), ("sum.rs", "mod main; fn main() {}")], &[1]),
            (Syntax::Rust, &[("main.rs", "mod bits; fn main() {}"), ("bits/mod.rs", "fn main() {}")], &[0]),
            (Syntax::Rust, &[("main.rs", "fn main() { sum() }"), ("sum.rs", "fn main() {}")], &[0, 1]),
            (Syntax::Pascal, &[("a.pas", "uses b;"), ("b.pas", "")], &[0, 1]),
        ];
        for (syntax, files, expected) in table {
            let to_file = |(path, text): &(&str, &str)| SourceFile::new(*path, text.as_bytes());
            let sources: Vec<SourceFile> = files.iter().map(to_file).collect();
            let texts = SourceText::all(&sources);
            let texts: Vec<_> = texts.iter().collect();
            let all: Vec<usize> = (0..files.len()).collect();
            assert_eq!(unused(&all, &uses(&texts, syntax)), expected, "{files:?}");
        }
        // A candidate is used through a file that is none.
        let uses = [[1].into(), [2].into(), BTreeSet::new()];
        assert_eq!(unused(&[0, 2], &uses), [0]);
    }
}
