//! Facts about the input and output of sources: files that they open, standard input, arguments.

use std::collections::BTreeMap;

use grader_model::LanguageId;

use crate::constants::{MAX_OPENED_FILES, MAX_QUOTIENTS};
use crate::java::{classes, last_parameter_is_used};
use crate::language::Language;
use crate::lexer::{Token, find_tokens, has};
use crate::preprocessor::unconditional;
use crate::source::SourceText;
use crate::syntax::Syntax;

/// A program's input and output according to its sources, ignoring comments and strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFacts {
    /// Whether it reads standard input.
    pub reads_stdin: bool,
    /// Whether it reads its command-line arguments.
    pub reads_arguments: bool,
    /// The files that it opens by name for reading, except in code that may be compiled conditionally.
    pub read: Vec<String>,
    /// The files that it opens by name for writing, likewise.
    pub written: Vec<String>,
    /// The file that must be missing if the program failed for lack of a file.
    pub missing: Option<String>,
    /// Quotients of two whole numbers in C, C++ and Java that lose what is behind the point: 9 and 5 for `9/5`.
    pub quotients: Vec<(u32, u32)>,
    /// Numbers with which it multiplies a quotient in these languages: 100 for `a / b * 100`.
    pub factors: Vec<u32>,
}

impl Language {
    /// Facts about a program's input and output, from its sources.
    pub(crate) fn facts(&self, sources: &[&SourceText<'_>]) -> SourceFacts {
        let syntax = self.definition.syntax;
        let mut facts = SourceFacts::default();
        let mut reopens = false;
        for source in self.code_files(sources) {
            let tokens = source.tokens(syntax);
            let has = |phrase: &str| has(&tokens, phrase, syntax);
            reopens |= has("freopen");
            facts.reads_stdin |= self.definition.stdin.iter().any(|it| has(it))
                || tokens.iter().any(|it| it.quoted() == Some("/dev/stdin"));
            facts.reads_arguments |= self.definition.arguments.iter().any(|it| has(it))
                || match syntax {
                    Syntax::C | Syntax::Cpp => find_tokens(&tokens, "main(", syntax)
                        .is_some_and(|at| last_parameter_is_used(&tokens[at + 2..])),
                    Syntax::Java => classes(&tokens).uses_arguments,
                    _ => false,
                };
            if matches!(syntax, Syntax::C | Syntax::Cpp | Syntax::Java) {
                facts.add_quotients(&tokens);
            }
            // In Pascal, conditional compilation is in comments.
            if syntax != Syntax::Pascal || !source.text.to_lowercase().contains("{$if") {
                facts.add_files(&unconditional(&tokens), syntax);
            }
        }
        let is_c = matches!(self.id, LanguageId::C | LanguageId::Cpp);
        // A C program with input from elsewhere may well run without the file.
        let needs_file = reopens || !(facts.reads_stdin || facts.reads_arguments);
        let is_needed = |name: &&String| !is_c || needs_file && !facts.written.contains(name);
        facts.missing = facts.read.iter().find(is_needed).cloned();
        facts
    }
}

impl SourceFacts {
    fn add_quotients(&mut self, tokens: &[Token<'_>]) {
        let whole = |text: &str| text.parse::<u32>().ok().filter(|it| *it > 0);
        for it in tokens.windows(7) {
            let texts = [0, 1, 2, 3, 4, 5, 6].map(|at| it[at].text);
            if let ["*" | "/" | "%" | ")", ..] = texts {
                // `x * 9 / 5` and `(double) a / b` lose nothing.
                continue;
            }
            if let [_, a, "/", b, ..] = texts {
                let pair = whole(a).zip(whole(b));
                self.quotients.extend(pair.filter(|(a, b)| a % b != 0));
            }
            if let [_, _, "/", _, "*", it, _] | [_, _, "/", _, ")", "*", it] = texts {
                self.factors.extend(whole(it.trim_end_matches(".0")));
            }
        }
        self.quotients.truncate(MAX_QUOTIENTS);
        self.factors.truncate(MAX_QUOTIENTS);
    }

    /// Adds the files that a source opens by name; none for languages whose error messages name the file.
    fn add_files(&mut self, tokens: &[Token<'_>], syntax: Syntax) {
        let variables = file_variables(tokens, syntax);
        for (index, token) in tokens.iter().enumerate() {
            let Some(name) = token.quoted() else { continue };
            let list = match is_written(tokens, index, syntax, &variables) {
                Some(true) => &mut self.written,
                Some(false) => &mut self.read,
                None => continue,
            };
            let is_plain = !name.is_empty() && !name.contains(['\\', '\n', '"', '\'']);
            let is_device = name.starts_with("/dev/") || name.starts_with("/proc/");
            if is_plain
                && !is_device
                && list.len() < MAX_OPENED_FILES
                && !list.iter().any(|it| it == name)
            {
                list.push(name.to_owned());
            }
        }
    }
}

/// Pascal's file variables, in lower case, and whether they are opened for writing.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::built_in;
    use grader_model::{LanguageId as Id, SourceFile};

    fn facts(id: Id, text: &str) -> SourceFacts {
        let files = [SourceFile::new("a", text.as_bytes())];
        let sources = SourceText::all(&files);
        built_in(id).facts(&sources.iter().collect::<Vec<_>>())
    }

    /// A source, its quotients and its factors.
    type Row = (&'static str, &'static [(u32, u32)], &'static [u32]);

    #[test]
    fn quotients_that_lose_a_part_are_found() {
        #[rustfmt::skip]
        let table: [Row; 8] = [
            ("double f = 9 / 5 * c + 32; return f;", &[(9, 5)], &[]),
            ("double v = (4/3) * 3.14 * r; return v;", &[(4, 3)], &[]),
            ("double f = c * 9 / 5 + 32; return f;", &[], &[]),
            ("double f = 9.0 / 5 * c; g = 10 / 5 * c; h = 5 / 2.0 * c; return f;", &[], &[]),
            ("double p = (a / b) * 100; q = c / d * 100.0; return p;", &[], &[100, 100]),
            ("double p = (double) a / b * 100; q = 1.0 * a / b * 100; return p;", &[], &[]),
            ("// 9 / 5\nputs(\"1 / 2 * 3\"); return 1 + 2 + 3;", &[], &[]),
            ("x = 1 / 0 * 3; return 1 + 2 + 3;", &[], &[3]),
        ];
        for (text, quotients, factors) in table {
            let found = facts(Id::C, text);
            let found = (&*found.quotients, &*found.factors);
            assert_eq!(found, (quotients, factors), "{text}");
        }
        assert_eq!(facts(Id::Python, "f = 9 / 5 * c + 32; g = 1").quotients, []);
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
            let found = facts(id, text);
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
            let SourceFacts {
                reads_stdin,
                reads_arguments,
                ..
            } = facts(id, text);
            let found = (reads_stdin, reads_arguments);
            assert_eq!(found, (stdin, arguments), "{text}");
        }
    }
}
