//! Java's packages: a student's classes are moved to the package in which the author's files look for them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use grader_model::{Excerpt, Text, text};

use crate::constants::MAX_ADVICE;
use crate::java::{Classes, classes, imports};
use crate::lexer::{Token, TokenKind};
use crate::source::SourceText;
use crate::syntax::Syntax;

/// A replaced part of a source, and what stands there instead.
pub(crate) type Edit = (Range<usize>, String);

/// A source in Java, with the names in it.
pub(crate) struct JavaFile<'a> {
    tokens: Vec<Token<'a>>,
    pub(crate) classes: Classes,
    is_included: bool,
    /// Names of one part, and texts of literals, which may name a class.
    mentioned: BTreeSet<&'a str>,
    /// The last parts of its imports.
    imported: BTreeSet<&'a str>,
    /// The student's packages that it names.
    referred: BTreeSet<String>,
}

/// The classes of each package.
type Packages = BTreeMap<String, BTreeSet<String>>;

/// A qualified name that begins with a package.
struct Reference {
    package: String,
    /// The tokens of the package, and the dot after it.
    tokens: Range<usize>,
}

/// Which packages of a student are moved, and where.
#[derive(Default)]
pub(crate) struct Moves {
    /// The package of the author's files; empty for none.
    target: String,
    moved: Packages,
    /// Whether the author's files are moved, to the student's package.
    takes_authors: bool,
    /// Whether the classes mean something else there.
    is_doubtful: bool,
}

impl<'a> JavaFile<'a> {
    /// The author's files, and the student's, which include those that are left out.
    pub(crate) fn all(
        included: impl Iterator<Item = &'a SourceText<'a>>,
        own: impl Iterator<Item = &'a SourceText<'a>>,
    ) -> Vec<Self> {
        let included = included.map(|it| Self::new(it, true));
        let mut files: Vec<Self> = included.chain(own.map(|it| Self::new(it, false))).collect();
        let all = packages(files.iter().filter(|it| !it.is_included));
        for file in &mut files {
            file.referred = file
                .references(&all)
                .into_iter()
                .map(|it| it.package)
                .collect();
        }
        files
    }

    pub(crate) fn new(source: &'a SourceText<'a>, is_included: bool) -> Self {
        let tokens = source.tokens(Syntax::Java);
        let follows_dot = |at: usize| at > 0 && tokens[at - 1].is(".");
        let names = tokens.iter().enumerate();
        let names = names.filter(|(at, it)| it.kind == TokenKind::Name && !follows_dot(*at));
        let names = names.map(|(_, it)| it.text);
        let imported = imports(&tokens).filter_map(<[_]>::last);
        Self {
            mentioned: names
                .chain(tokens.iter().filter_map(Token::quoted))
                .collect(),
            imported: imported.map(|it| it.text).collect(),
            classes: classes(&tokens),
            tokens,
            is_included,
            referred: BTreeSet::new(),
        }
    }

    /// Whether it declares the same as an author's file of that name, in whatever package.
    pub(crate) fn is_copy_of(&self, included: &Self) -> bool {
        self.has_name_of(included) && self.declarations().eq(included.declarations())
    }

    /// Whether both are files of the same name, as the compiler wants it.
    pub(crate) fn has_name_of(&self, included: &Self) -> bool {
        let name = &included.classes.file_stem;
        name.is_some() && self.classes.file_stem == *name
    }

    /// The texts of its tokens but for its package, its imports and who may see it.
    fn declarations(&self) -> impl Iterator<Item = &str> {
        let mut is_header = false;
        self.tokens.iter().filter_map(move |token| {
            let ended = is_header && token.is(";");
            is_header = (is_header || token.is("package") || token.is("import")) && !ended;
            (!is_header && !ended && !token.is("public")).then_some(token.text)
        })
    }

    /// Whether it needs a class of this name in its own package, or one that it imports as a whole.
    fn needs(&self, class: &str) -> bool {
        self.mentioned.contains(class) && !self.imported.contains(class)
    }

    fn references(&self, packages: &Packages) -> Vec<Reference> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < self.tokens.len() {
            let (begin, mut package, mut last) = (at, String::new(), None);
            while let [name, dot, next, ..] = &self.tokens[at..]
                && name.kind == TokenKind::Name
                && dot.is(".")
            {
                package.push_str(name.text);
                at += 2;
                let classes = packages.get(&package);
                if classes.is_some_and(|it| next.is("*") || it.contains(next.text)) {
                    last = Some(Reference {
                        package: package.clone(),
                        tokens: begin..at,
                    });
                }
                package.push('.');
            }
            found.extend(last.filter(|_| begin == 0 || !self.tokens[begin - 1].is(".")));
            at += 1;
        }
        found
    }

    /// The tokens of an import around a reference, if it imports one class or all classes of the package.
    fn plain_import(&self, reference: &Reference) -> Option<Range<usize>> {
        let Range { start, end } = reference.tokens;
        let begin = start.checked_sub(1)?;
        let is_plain = self.tokens[begin].is("import") && self.tokens.get(end + 1)?.is(";");
        is_plain.then_some(begin..end + 2)
    }

    fn is_import(&self, reference: &Reference) -> bool {
        let before = reference.tokens.start.checked_sub(1);
        before.is_some_and(|it| self.tokens[it].is("import") || self.tokens[it].is("static"))
    }

    fn bytes(&self, tokens: Range<usize>) -> Range<usize> {
        let last = &self.tokens[tokens.end - 1];
        self.tokens[tokens.start].at..last.at + last.text.len()
    }
}

fn packages<'f>(files: impl Iterator<Item = &'f JavaFile<'f>>) -> Packages {
    let mut packages = Packages::new();
    for JavaFile { classes, .. } in files {
        let all = packages.entry(classes.package.clone()).or_default();
        all.extend(classes.declared.iter().cloned());
    }
    packages
}

/// The author's files and the student's, before it is known what moves.
struct Sides<'f> {
    authors: Vec<&'f JavaFile<'f>>,
    own: Vec<&'f JavaFile<'f>>,
    /// The package of the author's files.
    target: &'f str,
    /// The author's classes there.
    given: BTreeSet<String>,
    /// The student's classes.
    all: Packages,
}

impl Sides<'_> {
    /// The packages with classes that the author's files need, or that need theirs.
    fn needed(&self) -> Packages {
        let is_found = |class: &String| {
            let beside = self.all.get(self.target);
            self.given.contains(class) || beside.is_some_and(|it| it.contains(class))
        };
        let is_needed = |package: &String, classes: &BTreeSet<String>| {
            let needs = |file: &&JavaFile<'_>| {
                let mut missing = classes.iter().filter(|it| !is_found(it));
                missing.any(|it| file.needs(it)) && !file.referred.contains(package)
            };
            let lacks = |file: &JavaFile<'_>| {
                let mut given = self.given.iter().filter(|it| !classes.contains(*it));
                given.any(|it| file.needs(it))
            };
            // A copy of an author's class stands for that class.
            let is_copy = |file: &JavaFile<'_>| self.authors.iter().any(|it| file.is_copy_of(it));
            let mut of_package = self.own.iter().filter(|it| it.classes.package == *package);
            self.authors.iter().any(needs) || of_package.any(|it| lacks(it) || is_copy(it))
        };
        self.others(is_needed)
    }

    /// The packages of the student, other than the author's, that are so.
    fn others(&self, is_such: impl Fn(&String, &BTreeSet<String>) -> bool) -> Packages {
        let mut others = self.all.clone();
        others.retain(|package, classes| package != self.target && is_such(package, classes));
        others
    }

    /// Whether the author's files name a class of the student. If not, they may read its name.
    fn are_named(&self) -> bool {
        let mut mentioned = self.authors.iter().flat_map(|it| &it.mentioned);
        mentioned.any(|name| self.all.values().any(|it| it.contains(*name)))
    }

    /// Adds the packages that use classes of these, because classes in no package cannot be imported.
    fn add_users(&self, moved: &mut Packages) {
        let is_user = |file: &&&JavaFile<'_>, moved: &Packages| {
            let package = &file.classes.package;
            let is_new = !package.is_empty() && !moved.contains_key(package);
            is_new && file.referred.iter().any(|it| moved.contains_key(it))
        };
        while let Some(user) = self.own.iter().find(|it| is_user(it, moved)) {
            let package = &user.classes.package;
            moved.insert(package.clone(), self.all[package].clone());
        }
    }
}

impl Moves {
    /// What has to be moved so that the author's files and the student's find each other's classes.
    pub(crate) fn of(files: &[JavaFile<'_>]) -> Self {
        let (authors, own): (Vec<_>, Vec<_>) = files.iter().partition(|it| it.is_included);
        let main = authors.iter().find(|it| it.classes.launched.is_some());
        let Some(first) = main.or(authors.first()) else {
            return Self::default();
        };
        let (has_main, target) = (main.is_some(), &first.classes.package);
        let mut given = packages(authors.iter().copied());
        let sides = Sides {
            given: given.remove(target).unwrap_or_default(),
            all: packages(own.iter().copied()),
            target,
            authors,
            own,
        };
        let needed = sides.needed();
        let mut leaving = needed.clone();
        if has_main && !sides.are_named() {
            let is_used =
                |package: &String| sides.authors.iter().any(|it| it.referred.contains(package));
            leaving = sides.others(|package, _| !is_used(package));
        }
        if target.is_empty() {
            sides.add_users(&mut leaving);
        }
        let mut moves = Self {
            target: target.clone(),
            moved: leaving,
            ..Self::default()
        };
        moves.is_doubtful = files.iter().any(|it| moves.is_doubtful_in(it));
        if moves.is_doubtful && target.is_empty() && needed.len() == 1 {
            // The other way round, unless the author's classes are looked for by their names.
            let authors = sides.authors.iter();
            let mut texts = authors.flat_map(|it| it.tokens.iter().filter_map(Token::quoted));
            if !texts.any(|it| sides.given.contains(it)) {
                return Self {
                    target: needed.into_keys().collect(),
                    moved: [(String::new(), sides.given)].into(),
                    takes_authors: true,
                    is_doubtful: false,
                };
            }
        }
        moves
    }

    /// Whether a file would mean something else: it imports a class in a way that there is not without a package, or names a
    /// class that it would find only after the move.
    fn is_doubtful_in(&self, file: &JavaFile<'_>) -> bool {
        let references = file.references(&self.moved);
        let is_lost = |it: &Reference| {
            self.target.is_empty() && file.is_import(it) && file.plain_import(it).is_none()
        };
        let is_new = |(package, classes): (&String, &BTreeSet<String>)| {
            let all_of_it =
                |it: &Reference| it.package == *package && file.tokens[it.tokens.end].is("*");
            let is_known = *package == file.classes.package || references.iter().any(all_of_it);
            let own = self.moved.get(&file.classes.package);
            let is_twice = |class: &String| own.is_some_and(|own| own.contains(class));
            !is_known && classes.iter().any(|it| file.needs(it) || is_twice(it))
        };
        references.iter().any(|it| is_lost(it) || file.is_included)
            || self.moves(file) && self.moved.iter().any(is_new)
    }

    /// Whether a file gets another package.
    pub(crate) fn moves(&self, file: &JavaFile<'_>) -> bool {
        (self.takes_authors || !file.is_included) && self.moved.contains_key(&file.classes.package)
    }

    /// Whether two files are in the same package then.
    pub(crate) fn brings_together(&self, one: &JavaFile<'_>, other: &JavaFile<'_>) -> bool {
        let package = |file: &JavaFile<'_>| {
            let stays = (!self.moves(file)).then(|| file.classes.package.clone());
            stays.unwrap_or_else(|| self.target.clone())
        };
        package(one) == package(other)
    }

    /// The changes of a file, in order. A file that gets another package gets it here, too.
    pub(crate) fn change(&self, file: &mut JavaFile<'_>) -> Vec<Edit> {
        let target = &self.target;
        let mut edits = Vec::new();
        if self.moves(file) {
            let line = match target.as_str() {
                "" => String::new(),
                target => format!("package {target};"),
            };
            edits.push((file.classes.package_line.clone(), line));
        }
        for reference in file.references(&self.moved) {
            let Range { start, end } = reference.tokens;
            edits.push(match file.plain_import(&reference) {
                _ if !target.is_empty() => (file.bytes(start..end - 1), target.clone()),
                Some(import) => (file.bytes(import), String::new()),
                None => (file.bytes(start..end), String::new()),
            });
        }
        if self.moves(file) {
            file.classes.move_to(target);
        }
        edits
    }

    /// What the student learns.
    pub(crate) fn remarks(&self) -> Vec<Text> {
        let target = Excerpt::first(format!("package {};", self.target).as_bytes(), 80);
        let remarks = self.moved.keys().take(MAX_ADVICE).map(|package| {
            let line = Excerpt::first(format!("package {package};").as_bytes(), 80);
            match (self.target.is_empty(), package.is_empty()) {
                _ if self.takes_authors => text!(
                    "The task's own files were read as if `{target}` stood above them, as in yours.",
                    "题目自带的文件已按你的 `{target}` 处理。"
                ),
                (true, _) => text!(
                    "`{line}` was ignored: the `Main` of this task is in no package.",
                    "已忽略 `{line}`：本题的 `Main` 不在任何包中。"
                ),
                (false, true) => text!(
                    "Your classes without a package were read as if `{target}` stood above them, as in the task's own files.",
                    "你的类没有声明包，已按题目自带文件的 `{target}` 处理。"
                ),
                (false, false) => text!(
                    "`{line}` was read as `{target}`, the package of the task's own files.",
                    "已把 `{line}` 当作题目自带文件所在的 `{target}`。"
                ),
            }
        });
        remarks.collect()
    }

    /// Why a build with these changes may fail although the student's classes are right.
    pub(crate) fn doubt(&self) -> Option<Text> {
        let names: Vec<String> = self.moved.keys().map(|it| format!("`{it}`")).collect();
        let names = Excerpt::first(names.join(", ").as_bytes(), 200);
        let target = Excerpt::first(self.target.as_bytes(), 80);
        let place = match self.target.as_str() {
            "" => Text::new("no package", "不在任何包中"),
            _ => text!("the package `{target}`", "在包 `{target}` 中"),
        };
        self.is_doubtful.then(|| {
            text!(
                "the task's own files expect your classes in {place}; they are in {names}, and it is not clear how to move them: \
                 hand them in as the task wants them",
                "题目自带的文件要求你的类{place}；它们却在 {names} 中，无法确定怎样移动：请按题目的要求调整后重新提交",
                place
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use grader_model::SourceFile;

    use super::*;
    use crate::plan::edit;

    /// The texts after the move, and whether they may mean something else.
    fn moved(authors: &[&str], own: &[&str]) -> (Vec<String>, bool) {
        let files = |texts: &[&str]| -> Vec<SourceFile> {
            let file = |text: &&str| SourceFile::new("A.java", text.as_bytes());
            texts.iter().map(file).collect()
        };
        let (authors, own) = (files(authors), files(own));
        let (authors, own) = (SourceText::all(&authors), SourceText::all(&own));
        let mut files = JavaFile::all(authors.iter(), own.iter());
        let moves = Moves::of(&files);
        let text = |(file, source): (&mut JavaFile<'_>, &SourceText<'_>)| {
            let mut bytes = source.text.as_bytes().to_vec();
            for (range, text) in moves.change(file).iter().rev() {
                edit(&mut bytes, range, text);
            }
            String::from_utf8(bytes).unwrap()
        };
        let texts = files.iter_mut().zip(authors.iter().chain(&own)).map(text);
        (texts.collect(), moves.doubt().is_some())
    }

    const MAIN: &str = "class Main { static void main(String[] a) { new Tree(); } }";

    #[test]
    fn packages_are_left_with_all_that_refers_to_them() {
        let tree = "package\n edu.ds;\nimport edu.ds.Node;\nimport edu.ds.nodes.*;\nclass Tree { edu.ds.Node n; edu.ds.nodes.Leaf l; }";
        let user = "package app;\nimport java.util.List;\nimport edu.ds.Tree;\nclass User { List<Tree> t; }";
        let other = "package edu.ds.nodes;\npublic class Leaf { }";
        let node = "package edu.ds; class Node { }";
        let (texts, is_doubtful) = moved(&[MAIN], &[tree, user, other, node]);
        assert_eq!(
            texts,
            [
                MAIN,
                "       \n        \n                   \nimport edu.ds.nodes.*;\nclass Tree {        Node n; edu.ds.nodes.Leaf l; }",
                "            \nimport java.util.List;\n                   \nclass User { List<Tree> t; }",
                other,
                "                class Node { }",
            ]
        );
        assert!(!is_doubtful);
    }

    #[test]
    fn classes_go_to_the_package_of_the_authors_files() {
        let main = format!("package org.course;\n{MAIN}");
        let tree = "// mine\npackage a;\nimport static a.Consts.*;\nimport a.Node;\nclass Tree { a.Node n; }";
        let (texts, is_doubtful) = moved(
            &[&main],
            &[
                tree,
                "package a; class Node { }",
                "package a; class Consts { }",
            ],
        );
        assert_eq!(
            texts[1],
            "// mine\npackage org.course;\nimport static org.course.Consts.*;\nimport org.course.Node;\nclass Tree { org.course.Node n; }"
        );
        assert!(!is_doubtful);
        let (texts, _) = moved(&[&main], &["\nclass Tree { }"]);
        assert_eq!(texts[1], "package org.course;\nclass Tree { }");
        // The author imports it.
        let main = format!("import a.*;\n{MAIN}");
        assert_eq!(moved(&[&main], &[tree]).0, [&*main, tree]);
    }

    #[test]
    fn what_would_change_its_meaning_stays_and_the_authors_files_move() {
        let tree = "package a; import static a.Consts.N; class Tree { }";
        let consts = "package a; class Consts { static int N; }";
        let list = "package a; class List { }";
        let user = "package b; import java.util.*; import a.Tree; class User { List<Tree> t; }";
        let shadowed = ["package a; class Tree { }", list, user];
        for own in [&[tree, consts][..], &shadowed] {
            let (texts, is_doubtful) = moved(&[MAIN, "interface Given { }"], own);
            assert_eq!(
                texts[..2],
                [
                    &*format!("package a;{MAIN}"),
                    "package a;interface Given { }"
                ]
            );
            assert!(texts[2..] == *own && !is_doubtful, "{texts:?}");
        }
        // JUnit looks for the author's class by its name.
        let by_name = MAIN.replace("new Tree()", "run(\"Main\", new Tree())");
        let (texts, is_doubtful) = moved(&[&by_name], &[tree, consts]);
        assert_eq!((texts[0].as_str(), is_doubtful), (&*by_name, true));
    }

    #[test]
    fn copies_of_the_authors_classes_are_known_in_any_package() {
        let is_copy = |own: &str| {
            let files = [own, "interface Seven { int seven(); }"]
                .map(|it| SourceFile::new("Seven.java", it.as_bytes()));
            let texts = SourceText::all(&files);
            let files = JavaFile::all(texts[1..].iter(), texts[..1].iter());
            files[1].is_copy_of(&files[0])
        };
        assert!(is_copy(
            "package a;\r\nimport b.*;\r\npublic interface Seven { /* x */ public int seven(); }"
        ));
        assert!(!is_copy(
            "package a; interface Seven { int seven(); int eight(); }"
        ));
        assert!(!is_copy("// nothing"));
    }
}
