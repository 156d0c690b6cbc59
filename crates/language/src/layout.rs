//! Which files of a submission are compiled, which one starts, and what each is called in the build folder.

use std::borrow::Cow;
use std::collections::BTreeSet;

use grader_model::{Excerpt, LanguageId, SourceFile, Text};

use crate::java::classes;
use crate::language::{Language, code_files};
use crate::lexer::{Token, TokenKind, has, source_text, tokens};
use crate::syntax::Syntax;

/// Where the files of a submission go. Indices are those of the sources.
pub(crate) struct Layout {
    /// The wanted path of each source.
    pub(crate) paths: Vec<String>,
    /// The files that the compiler is given.
    pub(crate) compiled: Vec<usize>,
    /// The file that the program starts from.
    pub(crate) main: Option<usize>,
    /// The class with `main`, for Java.
    pub(crate) class: String,
    /// Advice.
    pub(crate) hints: Vec<Text>,
    /// Whether the program starts in a file of the author.
    pub(crate) has_authors_main: bool,
}

pub(crate) fn layout(language: &Language, sources: &[SourceFile], of_author: usize) -> Layout {
    let mut layout = Layout {
        paths: sources.iter().map(|source| source.path.clone()).collect(),
        compiled: units(language, sources),
        main: None,
        class: "Main".to_owned(),
        hints: Vec::new(),
        has_authors_main: false,
    };
    match language.id {
        LanguageId::C | LanguageId::Cpp => layout.c(sources, of_author),
        LanguageId::Java => layout.java(sources, of_author),
        _ => layout.choose_main(language, sources, of_author),
    }
    layout.has_authors_main = match language.id {
        // All files are compiled together, and any of them may have it.
        LanguageId::C | LanguageId::Cpp => layout.compiled.iter().any(|&index| {
            let text = source_text(&sources[index]);
            index < of_author && has(&tokens(&text, Syntax::Cpp), "main(", Syntax::Cpp)
        }),
        _ => layout.main.is_some_and(|main| main < of_author),
    };
    if language.id == LanguageId::Java {
        return layout;
    }
    // A lone script called `random.py` would hide the module of that name from itself, and names of students are no
    // identifiers of Pascal.
    if let Some(main) = layout.main
        && (layout.compiled.len() == 1 || language.id == LanguageId::Pascal)
    {
        let own = sources[main].extension();
        let extension = if language.extensions.contains(&own) {
            &own
        } else {
            &language.extensions[0]
        };
        let folder = sources[main]
            .path
            .strip_suffix(sources[main].name())
            .unwrap_or_default();
        let plain = format!("{folder}main.{extension}");
        if !layout
            .paths
            .iter()
            .any(|path| path.eq_ignore_ascii_case(&plain))
        {
            layout.paths[main] = plain;
        }
    }
    layout
}

/// The sources with an extension of the language; all but headers if there are none, because then the language was
/// recognised by the content.
fn units(language: &Language, sources: &[SourceFile]) -> Vec<usize> {
    let is_own = |extension: &String| {
        language.extensions.contains(extension)
            || (language.id == LanguageId::Cpp && extension == "c")
    };
    let is_no_header = |extension: &String| !language.headers.contains(extension);
    let all = |fits: &dyn Fn(&String) -> bool| -> Vec<usize> {
        (0..sources.len())
            .filter(|&index| fits(&sources[index].extension()))
            .collect()
    };
    let mut choices = [all(&is_own), all(&is_no_header), all(&|_| true)].into_iter();
    choices.find(|units| !units.is_empty()).unwrap_or_default()
}

impl Layout {
    /// All files go to one command, but those that others include.
    fn c(&mut self, sources: &[SourceFile], of_author: usize) {
        let texts: Vec<_> = code_files(sources).map(source_text).collect();
        let read: Vec<Vec<Token<'_>>> =
            texts.iter().map(|text| tokens(text, Syntax::Cpp)).collect();
        let included: BTreeSet<&str> = texts
            .iter()
            .zip(&read)
            .flat_map(|(text, tokens)| includes(text, tokens))
            .filter_map(|name| name.strip_prefix('"')?.rsplit(['/', '\\']).next())
            .collect();
        let is_free =
            |&index: &usize| index < of_author || !included.contains(sources[index].name());
        if self.compiled.iter().any(is_free) {
            self.compiled.retain(is_free);
        }
        self.main = self.compiled.first().copied();
        if read
            .iter()
            .any(|tokens| has(tokens, "void main", Syntax::C))
        {
            self.hints.push(Text::new(
                "`void main` is not standard: write `int main` and `return 0;`, or the program seems to have failed.",
                "`void main` 不合标准：请写 `int main` 和 `return 0;`，否则程序会被当作异常退出。",
            ));
        }
    }

    /// Each source goes to the folder of its package, under the name of its class.
    fn java(&mut self, sources: &[SourceFile], of_author: usize) {
        let mut mains: Vec<(usize, String)> = Vec::new();
        for &index in &self.compiled {
            let source = &sources[index];
            let classes = classes(&source_text(source));
            let stem = match (&classes.file_stem, source.name()) {
                (Some(stem), _) => stem,
                (None, "package-info.java") => "package-info",
                (None, "module-info.java") => "module-info",
                (None, _) => "Main",
            };
            let folders = classes
                .package
                .split('.')
                .filter(|folder| !folder.is_empty());
            self.paths[index] = folders
                .chain([&*format!("{stem}.java")])
                .collect::<Vec<_>>()
                .join("/");
            mains.extend(classes.launched.map(|main| (index, main)));
        }
        if mains.iter().any(|(index, _)| *index < of_author) {
            mains.retain(|(index, _)| *index < of_author);
        }
        let is_called_main = |(_, main): &&(usize, String)| main.rsplit('.').next() == Some("Main");
        let chosen = mains.iter().find(is_called_main).or(mains.first());
        if let Some((index, class)) = chosen {
            (self.main, self.class) = (Some(*index), class.clone());
            if mains.len() > 1 {
                self.hints.push(chosen_of_several(&sources[*index]));
            }
        }
    }

    /// Finds the file that starts: the one with a usual name, else the one that looks like it.
    fn choose_main(&mut self, language: &Language, sources: &[SourceFile], of_author: usize) {
        let names: &[&str] = match language.id {
            LanguageId::Rust => &["main.rs"],
            LanguageId::Python => &["main.py", "__main__.py"],
            LanguageId::JavaScript => &["main.js", "main.mjs", "index.js", "index.mjs"],
            _ => &[],
        };
        if language.id == LanguageId::Go {
            // The compiler wants them in one folder.
            for &index in &self.compiled {
                sources[index].name().clone_into(&mut self.paths[index]);
            }
        }
        let usual = self.compiled.iter().filter_map(|&index| {
            let rank = names
                .iter()
                .position(|name| *name == sources[index].name())?;
            Some((index >= of_author, rank, sources[index].path.len(), index))
        });
        if let Some((.., main)) = usual.min() {
            self.main = Some(main);
            return;
        }
        let texts: Vec<_> = self
            .compiled
            .iter()
            .map(|&index| source_text(&sources[index]))
            .collect();
        let is_program = |index: &usize| {
            let tokens = language.tokens(&texts[*index]);
            match language.syntax {
                Syntax::Pascal => is_pascal_program(&tokens),
                Syntax::Rust => has(&tokens, "fn main", Syntax::Rust),
                syntax => has(&tokens, "main(", syntax),
            }
        };
        let candidates: Vec<usize> = match language.syntax {
            Syntax::Python | Syntax::JavaScript => {
                let stems = self
                    .compiled
                    .iter()
                    .map(|&index| stem(&sources[index].path));
                scripts(&stems.collect::<Vec<_>>(), &texts, language.syntax)
            }
            _ => (0..texts.len()).filter(is_program).collect(),
        };
        let of_author = |candidate: &&usize| self.compiled[**candidate] < of_author;
        let first = candidates.iter().find(of_author).or(candidates.first());
        let first = first.copied().unwrap_or(0);
        self.main = self.compiled.get(first).copied();
        if let (Some(main), true) = (self.main, candidates.len() > 1) {
            self.hints.push(chosen_of_several(&sources[main]));
        }
    }
}

/// The scripts that could be started, the best first: those that no other imports, and of these the one that imports
/// others; one beside it that imports nothing is an attempt or a test.
fn scripts(stems: &[&str], texts: &[Cow<'_, str>], syntax: Syntax) -> Vec<usize> {
    let imports: Vec<BTreeSet<&str>> = texts.iter().map(|text| imported(text, syntax)).collect();
    let all = 0..stems.len();
    let does_import =
        |one: usize, other: usize| one != other && imports[one].contains(stems[other]);
    let is_free = |&index: &usize| {
        stems[index] != "__init__" && !all.clone().any(|other| does_import(other, index))
    };
    let is_importing = |index: &usize| all.clone().any(|other| does_import(*index, other));
    let mut free: Vec<usize> = all.clone().filter(is_free).collect();
    let importing: Vec<usize> = free.iter().copied().filter(is_importing).collect();
    if importing.len() == 1 {
        return importing;
    }
    free.sort_by_key(|&index| !texts[index].contains("if __name__"));
    free
}

/// The names after `import` and `from`, and their parts; for JavaScript those in quotes.
fn imported(text: &str, syntax: Syntax) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let tokens = tokens(line, syntax);
        let is_import = tokens
            .first()
            .is_some_and(|it| matches!(it.text, "import" | "from"));
        names.extend(tokens.iter().filter_map(|token| match syntax {
            Syntax::JavaScript => token.quoted().map(stem),
            _ => Some(token.text).filter(|_| is_import && token.kind == TokenKind::Name),
        }));
    }
    names
}

/// The name of a file without folders and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether a file is a program and not a unit: it ends with `begin … end.` and does not begin with `unit`.
fn is_pascal_program(tokens: &[Token<'_>]) -> bool {
    let has = |phrase| has(tokens, phrase, Syntax::Pascal);
    let first = tokens.first().map(|token| token.text.to_lowercase());
    match first.as_deref() {
        Some("program") => true,
        Some("unit" | "library") | None => false,
        Some(_) => has("begin") && has("end."),
    }
}

/// Longest name of an included file.
const MAX_INCLUDE: usize = 256;

/// The names after `#include` as they are written, each with its opening `<` or `"` and without the closing sign.
pub(crate) fn includes<'a>(text: &'a str, tokens: &[Token<'a>]) -> Vec<&'a str> {
    let included = tokens
        .windows(3)
        .filter(|it| it[0].is("#") && it[1].is("include"));
    included
        .filter_map(|window| {
            let rest = &text[window[2].at..];
            let opening = rest.strip_prefix(['<', '"'])?;
            // A closing sign far away belongs to something else.
            let mut name = opening.bytes().take(MAX_INCLUDE);
            let end = name.position(|byte| matches!(byte, b'>' | b'"' | b'\n'))?;
            Some(&rest[..=end])
        })
        .collect()
}

fn chosen_of_several(source: &SourceFile) -> Text {
    let file = Excerpt::first(source.path.as_bytes(), 80);
    Text::new(
        format!("Several files could be the main program; `{file}` was taken."),
        format!("有多个文件都可能是主程序，这里选用了 `{file}`。"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::language;

    #[test]
    fn the_file_that_starts_is_found_in_every_language() {
        type Files = &'static [(&'static str, &'static str)];
        // The files, the one that starts, and whether it was the only choice.
        #[rustfmt::skip]
        let table: [(LanguageId, Files, &str, bool); 12] = [
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
            (LanguageId::C, &[("part.c", "int f;"), ("b.c", "#include \"x/part.c\"\nint main(){}")], "b.c", true),
        ];
        for (id, files, main, is_certain) in table {
            let sources: Vec<SourceFile> = files
                .iter()
                .map(|(path, text)| SourceFile::new(*path, text.as_bytes()))
                .collect();
            let layout = layout(language(id), &sources, 0);
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
