//! What a source says about its input and output: files that it opens, standard input, arguments.

use std::collections::BTreeMap;

use grader_model::{LanguageId, SourceFile};

use crate::java::{classes, last_parameter_is_used};
use crate::language::{Language, code_files};
use crate::lexer::{Token, find_tokens, has, source_text};
use crate::syntax::Syntax;

/// The files that a source names where it opens them. What a condition may leave out is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenedFiles {
    /// To be read.
    pub read: Vec<String>,
    /// To be written.
    pub written: Vec<String>,
}

/// Most files that are named.
const MAX_NAMED: usize = 8;

impl Language {
    /// Files that the sources open by name; empty for languages with the file in their error messages.
    pub fn opened_files(&self, sources: &[SourceFile]) -> OpenedFiles {
        let mut opened = OpenedFiles::default();
        for source in code_files(sources) {
            let text = source_text(source);
            // A condition of Pascal is a comment.
            if self.syntax == Syntax::Pascal && text.to_lowercase().contains("{$if") {
                continue;
            }
            let tokens = without_conditions(self.tokens(&text));
            let rewritten = file_variables(&tokens, self.syntax);
            for (index, token) in tokens.iter().enumerate() {
                let Some(name) = token.quoted() else { continue };
                let list = match is_written(&tokens, index, self.syntax, &rewritten) {
                    Some(true) => &mut opened.written,
                    Some(false) => &mut opened.read,
                    None => continue,
                };
                let is_plain = !name.is_empty() && !name.contains(['\\', '\n', '"', '\'']);
                let is_device = name.starts_with("/dev/") || name.starts_with("/proc/");
                if is_plain
                    && !is_device
                    && list.len() < MAX_NAMED
                    && !list.iter().any(|it| it == name)
                {
                    list.push(name.to_owned());
                }
            }
        }
        opened
    }

    /// Whether the sources read standard input, as far as their words show, comments and strings left out.
    pub fn reads_stdin(&self, sources: &[SourceFile]) -> bool {
        self.has_any(sources, &self.stdin, |_, tokens| {
            tokens
                .iter()
                .any(|token| token.quoted() == Some("/dev/stdin"))
        })
    }

    /// Whether the sources read their command-line arguments, as far as their words show.
    pub fn reads_arguments(&self, sources: &[SourceFile]) -> bool {
        self.has_any(sources, &self.arguments, |text, tokens| match self.syntax {
            Syntax::C | Syntax::Cpp => find_tokens(tokens, "main(", self.syntax)
                .is_some_and(|at| last_parameter_is_used(&tokens[at + 2..])),
            Syntax::Java => classes(text).uses_arguments,
            _ => false,
        })
    }

    /// Whether one of the sources has one of these phrases, or is otherwise one that is looked for.
    fn has_any(
        &self,
        sources: &[SourceFile],
        phrases: &[String],
        is_one: impl Fn(&str, &[Token<'_>]) -> bool,
    ) -> bool {
        code_files(sources).any(|source| {
            let text = source_text(source);
            let tokens = self.tokens(&text);
            phrases
                .iter()
                .any(|phrase| has(&tokens, phrase, self.syntax))
                || is_one(&text, &tokens)
        })
    }

    /// The first file that the sources open, if nothing but the source tells which one is missing.
    pub(crate) fn opened_for_input(&self, sources: &[SourceFile]) -> Option<String> {
        let OpenedFiles { read, written } = self.opened_files(sources);
        if !matches!(self.id, LanguageId::C | LanguageId::Cpp) {
            return read.into_iter().next();
        }
        // A program that has its input from elsewhere may well do without the file.
        let reopens = code_files(sources)
            .any(|source| has(&self.tokens(&source_text(source)), "freopen", self.syntax));
        let needs_file = reopens || !(self.reads_stdin(sources) || self.reads_arguments(sources));
        read.into_iter()
            .find(|name| needs_file && !written.contains(name))
    }
}

/// The file variables of Pascal, in lower case, and whether they are opened for writing.
fn file_variables(tokens: &[Token<'_>], syntax: Syntax) -> BTreeMap<String, bool> {
    let calls = tokens
        .windows(3)
        .filter(|it| syntax == Syntax::Pascal && it[1].is("("));
    let opened = calls.filter_map(|it| match it[0].text.to_lowercase().as_str() {
        "reset" => Some((it[2].text.to_lowercase(), false)),
        "rewrite" => Some((it[2].text.to_lowercase(), true)),
        _ => None,
    });
    opened.collect()
}

/// Whether the file that the literal at `index` names is opened for writing; `None` if it is not opened.
fn is_written(
    tokens: &[Token<'_>],
    index: usize,
    syntax: Syntax,
    variables: &BTreeMap<String, bool>,
) -> Option<bool> {
    let before = &tokens[index.saturating_sub(4)..index];
    let before: Vec<&str> = before.iter().map(|token| token.text).collect();
    match (syntax, before.as_slice()) {
        (Syntax::C | Syntax::Cpp, [.., "fopen" | "freopen", "("]) => {
            let mode = tokens
                .get(index + 2)
                .filter(|_| tokens[index + 1].is(","))?;
            Some(!mode.quoted()?.starts_with('r'))
        }
        (Syntax::C | Syntax::Cpp, [.., "ifstream", "(" | "{"] | [.., "ifstream", _, "(" | "{"])
        | (Syntax::Rust, [.., "File", "::", "open", "("] | [.., "read_to_string", "("]) => {
            Some(false)
        }
        (Syntax::C | Syntax::Cpp, [.., "ofstream", "(" | "{"] | [.., "ofstream", _, "(" | "{"])
        | (Syntax::Rust, [.., "File", "::", "create", "("] | [.., "fs", "::", "write", "("]) => {
            Some(true)
        }
        (Syntax::Pascal, [call, "(", file, ","]) => {
            let is_assigned = matches!(call.to_lowercase().as_str(), "assign" | "assignfile");
            variables
                .get(&file.to_lowercase())
                .copied()
                .filter(|_| is_assigned)
        }
        _ => None,
    }
}

/// The tokens of a source of C without what is between `#if` and `#endif`: nobody knows what of it is compiled.
fn without_conditions(mut tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let (mut depth, mut is_directive) = (0_usize, false);
    tokens.retain(|token| {
        match token.text {
            "if" | "ifdef" | "ifndef" if is_directive => depth += 1,
            "endif" if is_directive => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_directive = token.is("#");
        depth == 0
    });
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::language;
    use grader_model::LanguageId as Id;

    fn source(text: &str) -> [SourceFile; 1] {
        [SourceFile::new("a", text.as_bytes())]
    }

    #[test]
    fn files_are_found_where_they_are_opened() {
        #[rustfmt::skip]
        let table = [
            (Id::C, "freopen(\"a.in\", \"r\", stdin); freopen ( \"a.out\" ,\"w\", stdout);", "a.in", "a.out"),
            (Id::C, "FILE *f = fopen(\"a.in\", \"rb\"); puts(\"b.in\");", "a.in", ""),
            (Id::Cpp, "ifstream fin(\"a.in\"); std::ofstream out{\"a.out\"};", "a.in", "a.out"),
            (Id::C, "freopen(name, \"r\", stdin); fopen(\"a\", mode); fopen(\"b\\n\", \"r\");", "", ""),
            (Id::C, "// fopen(\"a.in\", \"r\")\nfopen(\"/dev/stdin\", \"r\");", "", ""),
            (Id::C,
             "#ifndef ONLINE_JUDGE\nfreopen(\"a.in\", \"r\", stdin);\n#endif\nfreopen(\"a.out\", \"w\", stdout);", "",
             "a.out"),
            (Id::Pascal, "Assign(Input, 'a.in'); Reset(input); assign ( f , 'a.out' ); rewrite(f);", "a.in", "a.out"),
            (Id::Pascal, "{$IFNDEF X}assign(input, 'a.in'); reset(input);{$ENDIF}", "", ""),
            (Id::Rust, "File::open(\"a.in\")?; std::fs::read_to_string(\"b.in\"); fs::File::create(\"a.out\");",
             "a.in b.in", "a.out"),
        ];
        for (id, text, read, written) in table {
            let found = language(id).opened_files(&source(text));
            let found = (found.read.join(" "), found.written.join(" "));
            assert_eq!(found, (read.to_owned(), written.to_owned()), "{text}");
        }
    }

    #[test]
    fn input_and_arguments_are_distinguished_from_words_that_look_like_them() {
        // The source, whether it reads standard input, and whether it reads arguments.
        #[rustfmt::skip]
        let table = [
            (Id::C, "int main(){ int n; scanf(\"%d\",&n); }", true, false),
            (Id::C, "int main(){ freopen(\"/dev/stdin\",\"r\",f); }", true, false),
            (Id::C, "// scanf\nint main(){ puts(\"cin\"); fscanf(f, x); read(n); }", false, false),
            (Id::C, "int main(int c, char**v){ return atoi(v[1]); }", false, true),
            (Id::C, "int main(int argc, char**argv){ return 0; } // argv", false, false),
            (Id::Cpp, "int main(){ std::cin >> n; }", true, false),
            (Id::Pascal, "begin ReadLn(n); end.", true, false),
            (Id::Pascal, "begin writeln('read(x)'); readln; val(ParamStr(1), n) end. { read(n) }", false, true),
            (Id::Python, "print(int(input()))", true, false),
            (Id::Python, "# input()\nprint('input()', sys.argv[1])", false, true),
            (Id::Java, "class A { static void main(String[] a) { f(a, System.in); } }", true, true),
            (Id::Rust, "fn main() { io::stdin().lines(); env::args(); }", true, true),
            (Id::Go, "func main() { fmt.Scan(&n); fmt.Println(os.Args[1]) }", true, true),
            (Id::JavaScript, "require('fs').readFileSync(0); // process.argv", true, false),
            (Id::JavaScript, "fs.readFileSync('/dev/stdin'); process.argv[2]", true, true),
        ];
        for (id, text, stdin, arguments) in table {
            let (language, source) = (language(id), source(text));
            let found = (
                language.reads_stdin(&source),
                language.reads_arguments(&source),
            );
            assert_eq!(found, (stdin, arguments), "{text}");
        }
    }
}
