//! The layout of a submission's files: which are compiled, which one is started, and their names in the build folder.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Excerpt, LanguageId, SourceFile, Text, text};

use crate::build_command::plain_paths;
use crate::constants::MAX_ADVICE;
use crate::includes::lost_includes;
use crate::java_packages::{Edit, JavaFile, Moves};
use crate::language::Language;
use crate::lexer::has;
use crate::preprocessor::includes;
use crate::python::{ModuleStart, missing_folders, module_start};
use crate::source::{ProgramSources, SourceText};
use crate::start::{first_unit, unused, uses};
use crate::syntax::Syntax;

/// The layout of a submission's files. Indices refer to the sources.
pub(crate) struct Layout {
    /// The preferred path of each source.
    pub(crate) paths: Vec<String>,
    /// The files passed to the compiler.
    pub(crate) compiled: Vec<usize>,
    /// The file that is started.
    pub(crate) main: Option<usize>,
    /// The class with `main`, for Java.
    pub(crate) class: String,
    /// How `main` is started if not by its path, for Python.
    pub(crate) module: Option<ModuleStart>,
    /// Changed parts of the bytes that are built: packages and imports of Java, names of included files in C and C++.
    pub(crate) edits: BTreeMap<usize, Vec<Edit>>,
    /// Why a failure to build may not be the student's.
    pub(crate) doubt: Option<Text>,
    /// Advice.
    pub(crate) hints: Vec<Text>,
    /// Whether the program starts in an included file.
    pub(crate) has_authors_main: bool,
}

pub(crate) fn layout(language: &Language, sources: &ProgramSources<'_>) -> Layout {
    let all = &*sources.all();
    let is_included = |index| sources.is_included(index);
    let syntax = language.definition.syntax;
    let mut layout = Layout {
        paths: all.iter().map(|source| source.file.path.clone()).collect(),
        compiled: units(language, all),
        main: None,
        class: "Main".to_owned(),
        module: None,
        edits: BTreeMap::new(),
        doubt: None,
        hints: Vec::new(),
        has_authors_main: false,
    };
    // The author's command knows the submitted paths.
    let is_as_submitted = language.definition.build.is_some();
    match language.id {
        _ if is_as_submitted => {
            let is_source = |name: &str| language.is_source(&SourceFile::new(name, *b""));
            plain_paths(&mut layout.paths, sources.included.len(), is_source);
        }
        LanguageId::C | LanguageId::Cpp => layout.c(language, sources),
        LanguageId::Java => layout.java(language, sources),
        _ => layout.choose_main(language, all, is_included),
    }
    layout.has_authors_main = match language.id {
        // All files are compiled together, and any of them may have the entry point.
        LanguageId::C | LanguageId::Cpp => layout
            .compiled
            .iter()
            .any(|&index| is_included(index) && has(&all[index].tokens(syntax), "main(", syntax)),
        _ => layout.main.is_some_and(is_included),
    };
    if language.id == LanguageId::Java || is_as_submitted {
        return layout;
    }
    if language.id == LanguageId::Python && !layout.has_authors_main {
        layout.start_module(language, all);
    }
    // A single script called `random.py` would shadow the module of that name, and students' file names are not Pascal
    // identifiers.
    if let Some(main) = layout.main
        && (layout.compiled.len() == 1 || language.id == LanguageId::Pascal)
    {
        let file = all[main].file;
        let own = file.extension();
        let extensions = &language.definition.extensions;
        let known = extensions.iter().find(|it| **it == own);
        // A script has no extension, and keeps its name.
        if let Some(extension) = known.or(extensions.first()) {
            let folder = file.path.strip_suffix(file.name()).unwrap_or_default();
            let plain = format!("{folder}main.{extension}");
            let is_taken = |path: &String| path.eq_ignore_ascii_case(&plain);
            if !layout.paths.iter().any(is_taken) {
                layout.paths[main] = plain;
            }
        }
    }
    layout
}

/// The sources with an extension of the language. If there are none, the language was recognised by content: all files
/// except headers.
fn units(language: &Language, sources: &[&SourceText<'_>]) -> Vec<usize> {
    let all = |fits: &dyn Fn(&SourceFile) -> bool| -> Vec<usize> {
        (0..sources.len())
            .filter(|&index| fits(sources[index].file))
            .collect()
    };
    let choices = [
        all(&|it| language.is_source(it)),
        all(&|it| !language.is_header(it)),
        all(&|_| true),
    ];
    let mut choices = choices.into_iter();
    choices.find(|units| !units.is_empty()).unwrap_or_default()
}

impl Layout {
    /// Passes all files to one command, except those included by others.
    fn c(&mut self, language: &Language, sources: &ProgramSources<'_>) {
        let syntax = language.definition.syntax;
        let all = sources.all();
        let mut included = BTreeSet::new();
        let mut has_void_main = false;
        for source in language.code_files(&all) {
            let tokens = source.tokens(syntax);
            has_void_main |= has(&tokens, "void main", syntax);
            let names = includes(&source.text, &tokens).into_iter();
            included.extend(
                names.filter_map(|name| name.strip_prefix('"')?.rsplit(['/', '\\']).next()),
            );
        }
        let mut targets = BTreeSet::new();
        for lost in lost_includes(language, sources, &self.paths, &self.compiled) {
            targets.insert(lost.target);
            self.edits.entry(lost.user).or_default().push(lost.edit);
            let is_new = |it: &Text| !self.hints.contains(it) && self.hints.len() < MAX_ADVICE;
            let remark = lost.remark.filter(is_new);
            self.hints.extend(remark);
        }
        let is_free = |&index: &usize| {
            let is_named = included.contains(all[index].file.name()) || targets.contains(&index);
            sources.is_included(index) || !is_named
        };
        if self.compiled.iter().any(is_free) {
            self.compiled.retain(is_free);
        }
        self.main = self.compiled.first().copied();
        if has_void_main {
            self.hints.push(Text::new(
                "`void main` is not standard: write `int main` and `return 0;`, or the program seems to have failed.",
                "`void main` 不合标准：请写 `int main` 和 `return 0;`，否则程序会被当作异常退出。",
            ));
        }
    }

    /// Places each source in the folder of its package, under the name of its class.
    fn java(&mut self, language: &Language, sources: &ProgramSources<'_>) {
        let all = &*sources.all();
        // The places are those in the text.
        let is_text = |source: &SourceText<'_>| {
            let built = language.definition.encoding.encode(&source.file.bytes);
            built.len() == source.text.len()
        };
        let is_included = |index| sources.is_included(index);
        let is_module = |index: &usize| {
            let name = all[*index].file.name().to_lowercase();
            !is_included(*index) && name.starts_with("module-info")
        };
        if self.compiled.iter().any(is_module) && !self.compiled.iter().all(is_module) {
            self.compiled.retain(|it| !is_module(it));
            self.hints.push(Text::new(
                "`module-info.java` was left out: programs are built without modules here.",
                "没有使用 `module-info.java`：这里编译程序时不使用模块。",
            ));
        }
        // The included files come first.
        let compiled = self.compiled.clone();
        let count = compiled.iter().filter(|it| is_included(**it)).count();
        let mut built = compiled.iter().map(|it| all[*it]);
        let authors: Vec<_> = built.by_ref().take(count).collect();
        let own = built.chain(sources.left_out.iter().copied());
        let mut files = JavaFile::all(authors.into_iter(), own);
        let moves = Moves::of(&files);
        self.hints.extend(moves.remarks());
        self.doubt = moves.doubt();
        let mut mains: Vec<(usize, String)> = Vec::new();
        for (index, file) in compiled.into_iter().zip(&mut files) {
            let edits = moves.change(file);
            if !edits.is_empty() && is_text(all[index]) {
                self.edits.insert(index, edits);
            }
            let classes = &file.classes;
            let stem = match (&classes.file_stem, all[index].file.name()) {
                (Some(stem), _) => stem,
                (None, "package-info.java") => "package-info",
                (None, "module-info.java") => "module-info",
                (None, _) => "Main",
            };
            let folder = classes.package.replace('.', "/");
            let path = format!("{folder}/{stem}.java");
            path.trim_start_matches('/')
                .clone_into(&mut self.paths[index]);
            mains.extend(classes.launched.clone().map(|main| (index, main)));
        }
        if mains.iter().any(|(index, _)| is_included(*index)) {
            mains.retain(|(index, _)| is_included(*index));
        }
        self.choose_class(&mains, all);
    }

    /// Chooses the class that is started: one of those that no other uses, preferably called `Main`.
    fn choose_class(&mut self, mains: &[(usize, String)], sources: &[&SourceText<'_>]) {
        let candidates: Vec<usize> = mains.iter().map(|(index, _)| *index).collect();
        let free = if mains.len() > 1 {
            unused(&candidates, &uses(sources, Syntax::Java))
        } else {
            candidates
        };
        let mut all = mains.iter().filter(|(index, _)| free.contains(index));
        let is_called_main = |(_, main): &&(usize, String)| main.rsplit('.').next() == Some("Main");
        let chosen = all.clone().find(is_called_main).or_else(|| all.next());
        if let Some((index, class)) = chosen.or(mains.first()) {
            (self.main, self.class) = (Some(*index), class.clone());
            if free.len() > 1 {
                self.hints.push(chosen_of_several(sources[*index].file));
            }
        }
    }

    /// Places the files of a program in one folder, as the compiler requires it, and other packages where it looks for them: below
    /// the module that `go.mod` names.
    fn go(&mut self, sources: &[&SourceText<'_>], has_included: bool) {
        let is_main = |index: &usize| {
            has(
                &sources[*index].tokens(Syntax::Go),
                "package main",
                Syntax::Go,
            )
        };
        let (mains, others): (Vec<usize>, Vec<usize>) =
            self.compiled.iter().copied().partition(is_main);
        let module = sources.iter().find_map(|it| {
            let folder = it.file.path.strip_suffix("go.mod")?;
            let mut lines = it.text.lines();
            let name = lines.find_map(|line| line.trim().strip_prefix("module "))?;
            Some((folder, name.trim().trim_matches('"').to_owned()))
        });
        let has_packages = !has_included && !mains.is_empty() && !others.is_empty();
        match module {
            Some((folder, name)) if has_packages => {
                for &index in &self.compiled {
                    let path = &mut self.paths[index];
                    let inner = path.strip_prefix(folder).unwrap_or(path);
                    *path = format!("packages/src/{name}/{inner}");
                }
                self.compiled = mains;
            }
            None if has_packages => self.compiled = mains,
            _ => {
                for &index in &self.compiled {
                    let name = sources[index].file.name();
                    name.clone_into(&mut self.paths[index]);
                }
            }
        }
    }

    /// Starts a script as a part of its package if it has to be. A package that is the submission itself gets a folder.
    fn start_module(&mut self, language: &Language, sources: &[&SourceText<'_>]) {
        let Some(main) = self.main.filter(|_| self.compiled.len() > 1) else {
            return;
        };
        let mut words = language.definition.run[1..].iter();
        let is_flag = |it: &String| it.starts_with("{flags}") || it.starts_with('-') && it != "-m";
        if !words.by_ref().take_while(|it| *it != "{main}").all(is_flag) {
            return;
        }
        let more = "package/".repeat(missing_folders(sources[main]).min(MAX_LEVELS));
        for path in &mut self.paths {
            path.insert_str(0, &more);
        }
        self.module = module_start(main, &self.paths, sources);
    }

    /// Chooses the file to start.
    fn choose_main(
        &mut self,
        language: &Language,
        sources: &[&SourceText<'_>],
        is_included: impl Fn(usize) -> bool,
    ) {
        if language.id == LanguageId::Go {
            self.go(sources, is_included(0));
        }
        let units: Vec<_> = self.compiled.iter().map(|&index| sources[index]).collect();
        let (first, is_certain) =
            first_unit(language, &units, |unit| is_included(self.compiled[unit]));
        self.main = self.compiled.get(first).copied();
        if let (Some(main), false) = (self.main, is_certain) {
            self.hints.push(chosen_of_several(sources[main].file));
        }
    }
}

/// Folders that a script may lack above it: more than anybody has.
const MAX_LEVELS: usize = 4;

fn chosen_of_several(source: &SourceFile) -> Text {
    let file = Excerpt::first(source.path.as_bytes(), 80);
    text!(
        "Several files could be the main program; `{file}` was taken.",
        "有多个文件都可能是主程序，这里选用了 `{file}`。"
    )
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;
    use crate::language::built_in;
    use crate::lexer::tokens;

    #[test]
    fn an_included_script_starts_only_if_it_imports_a_file_of_the_student() {
        let include = SourceFile::new("include.py", *b"n = 1\n");
        let own = SourceFile::new("tle.py", *b"print(1)\n");
        let starter = SourceFile::new("begin.py", *b"import tle\n");
        let called_main = SourceFile::new("main.py", *b"import begin\n");
        let starts_main = SourceFile::new("begin.py", *b"import main\n");
        for (included, own, main) in [
            (&include, &own, "tle.py"),
            (&starter, &own, "begin.py"),
            // Whatever the student's file is called, and even if it uses the author's.
            (&starts_main, &called_main, "begin.py"),
            (&called_main, &starter, "main.py"),
        ] {
            let own_texts = SourceText::all(slice::from_ref(own));
            let included_texts = SourceText::all(slice::from_ref(included));
            let sources = ProgramSources {
                own: own_texts.iter().collect(),
                included: included_texts.iter().collect(),
                left_out: Vec::new(),
            };
            let layout = layout(&built_in(LanguageId::Python), &sources);
            let found = layout.main.map(|index| layout.paths[index].as_str());
            assert_eq!((found, layout.hints.is_empty()), (Some(main), true));
        }
    }

    #[test]
    fn a_module_of_java_is_left_out_unless_it_is_all() {
        let files = [
            SourceFile::new(
                "src/Module-info.java",
                *b"module lab { requires org.junit; }",
            ),
            SourceFile::new("src/A.java", *b"class A { }"),
        ];
        for (files, compiled, hints) in [(&files[..], [1], 1), (&files[..1], [0], 0)] {
            let texts = SourceText::all(files);
            let layout = layout(&built_in(LanguageId::Java), &ProgramSources::own(&texts));
            assert_eq!(
                (&layout.compiled[..], layout.hints.len()),
                (&compiled[..], hints)
            );
        }
    }

    #[test]
    fn the_file_that_starts_is_found_in_every_language() {
        type Files = &'static [(&'static str, &'static str)];
        // The files, the one to start, and whether it was the only choice.
        #[rustfmt::skip]
        let table: [(LanguageId, Files, &str, bool); 22] = [
            (LanguageId::Rust, &[("a.rs", "pub fn f() {}"), ("b.rs", "mod a; fn main() {}")], "b.rs", true),
            (LanguageId::Rust, &[("b.rs", "fn main() {}"), ("src/main.rs", "")], "src/main.rs", true),
            (LanguageId::Rust, &[("b.rs", "fn main() {}"), ("x/y.rs", "fn main() {}")], "b.rs", false),
            (LanguageId::Python, &[("a.py", "def f(): pass"), ("皇后.py", "from a import f\n")], "皇后.py", true),
            (LanguageId::Python, &[("old.py", "print(1)"), ("a.py", ""), ("b.py", "import a")], "b.py", true),
            (LanguageId::Python, &[("a.py", ""), ("b.py", "")], "a.py", false),
            (LanguageId::Python, &[("a.py", ""), ("src/main.py", "import a")], "src/main.py", true),
            (LanguageId::Pascal,
             &[("u.pas", "unit u; interface implementation begin end."), ("p.pas", "{x} begin end.")], "p.pas", true),
            (LanguageId::Pascal,
             &[("a.pas", "procedure x; begin end;"), ("p.pas", "Program p; begin end.")], "p.pas", true),
            (LanguageId::JavaScript, &[("a.js", "exports.n = 1"), ("z.js", "require('./a')")], "z.js", true),
            (LanguageId::Go, &[("a.go", "package main"), ("b.go", "package main\nfunc main() {}")], "b.go", true),
            // What another uses is a part, whatever its name; if all use each other, the first starts.
            (LanguageId::Python, &[("sum.py", "from main import add\nprint(add())"), ("main.py", "def add(): pass")], "sum.py", true),
            (LanguageId::Python, &[("main.py", "import sum"), ("sum.py", "print(1)")], "main.py", true),
            (LanguageId::Python, &[("sum.py", "import a1"), ("a1.py", "import sum")], "sum.py", true),
            (LanguageId::Python, &[("sum.py", "import main"), ("main.py", "import sum")], "sum.py", true),
            (LanguageId::JavaScript, &[("sum.js", "require('./main')"), ("main.js", "f('sum.js: main')")], "sum.js", true),
            (LanguageId::Rust, &[("sum.rs", "mod main; fn main() {}"), ("main.rs", "pub fn main() {}")], "sum.rs", true),
            (LanguageId::Java, &[("Sum.java", "class Sum { MAIN int n = Main.n; }"), ("Main.java", "class Main { MAIN }")], "Sum.java", true),
            (LanguageId::Java,
             &[("Sum.java", "class Sum { MAIN Part p; }"), ("Part.java", "class Part { Main m; }"), ("Main.java", "class Main { MAIN }")],
             "Sum.java", true),
            (LanguageId::Java, &[("Sum.java", "class Sum { MAIN Main m; }"), ("Main.java", "class Main { MAIN Sum s; }")], "Sum.java", true),
            (LanguageId::Java, &[("Sum.java", "class Sum { MAIN }"), ("Main.java", "class Main { MAIN }")], "Main.java", false),
            (LanguageId::C, &[("x/part.c", "int f;"), ("b.c", "#include \"x/part.c\"\nint main(){}")], "b.c", true),
        ];
        for (id, files, main, is_certain) in table {
            let sources: Vec<SourceFile> = files
                .iter()
                .map(|(path, text)| {
                    let text = text.replace("MAIN", "public static void main(String[] a) {}");
                    SourceFile::new(*path, text.into_bytes())
                })
                .collect();
            let texts = SourceText::all(&sources);
            let layout = layout(&built_in(id), &ProgramSources::own(&texts));
            let found = layout.main.map(|index| sources[index].path.as_str());
            assert_eq!(
                (found, layout.hints.is_empty()),
                (Some(main), is_certain),
                "{files:?}"
            );
        }
    }

    #[test]
    fn includes_are_found_in_any_form_but_not_in_comments() {
        let text = "#include <a.h>\r\n # include \"d/b.h\" // x\n/*\n#include <c.h>\n*/";
        assert_eq!(
            includes(text, &tokens(text, Syntax::C)),
            ["<a.h", "\"d/b.h"]
        );
    }
}
