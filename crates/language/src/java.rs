//! Package, classes and `main` of a Java source, which determine the file's required name and the class to start.

use std::ops::Range;

use crate::constants::{MAX_IMPORT_TOKENS, MAX_PARAMETER_TOKENS};
use crate::lexer::{Token, TokenKind};

/// Facts about one source that the compiler and the launcher need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Classes {
    /// The package; empty for none.
    pub(crate) package: String,
    /// The bytes of the line that names the package, from `package` to `;`.
    pub(crate) package_line: Range<usize>,
    /// The classes that are not in another.
    pub(crate) declared: Vec<String>,
    /// The file's name without `.java`: the public class, else the class with `main`, else any.
    pub(crate) file_stem: Option<String>,
    /// The qualified name of the class with `main`, for the launcher: `a.b.Queens`. A public class is preferred.
    pub(crate) launched: Option<String>,
    /// Whether `main` uses its arguments.
    pub(crate) uses_arguments: bool,
}

/// Reads a source's tokens in linear time. Nested classes do not count.
pub(crate) fn classes(tokens: &[Token<'_>]) -> Classes {
    let (mut package, mut package_line) = (String::new(), 0..0);
    let (mut uses_arguments, mut all) = (false, Vec::new());
    // The most recent class, the public one, the first one with `main`.
    let (mut class, mut public, mut main) = (None, None, None);
    let (mut depth, mut is_public) = (0_usize, false);
    for (at, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Quoted {
            continue;
        }
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "package" if depth == 0 && class.is_none() && package.is_empty() => {
                let named = self::package(&tokens[at + 1..]);
                if let Some((name, end)) = named {
                    (package, package_line) = (name, token.at..end);
                }
            }
            "class" | "interface" | "enum" | "record" if depth == 0 => {
                if let Some(name) = declared(tokens, at) {
                    all.push(name);
                    class = Some(name);
                    public = public.or(class.filter(|_| is_public));
                }
            }
            "main"
                if depth == 1
                    && (main.is_none() || (class == public && main != public))
                    && is_main(tokens, at) =>
            {
                main = class;
                uses_arguments = last_parameter_is_used(&tokens[at + 2..]);
            }
            _ => {}
        }
        match token.text {
            "{" | "}" | ";" => is_public = false,
            "public" => is_public = true,
            _ => {}
        }
    }
    Classes {
        launched: main.map(|main| qualified(&package, main)),
        package,
        package_line,
        file_stem: public.or(main).or(all.first().copied()).map(str::to_owned),
        declared: all.into_iter().map(str::to_owned).collect(),
        uses_arguments,
    }
}

impl Classes {
    /// The qualified names of all its classes.
    pub(crate) fn qualified(&self) -> impl Iterator<Item = String> {
        self.declared.iter().map(|it| qualified(&self.package, it))
    }

    /// Puts them into another package.
    pub(crate) fn move_to(&mut self, package: &str) {
        package.clone_into(&mut self.package);
        let main = self.launched.take();
        self.launched = main.map(|it| qualified(package, it.rsplit('.').next().unwrap_or(&it)));
    }
}

/// The name of a class in a package.
fn qualified(package: &str, class: &str) -> String {
    match package {
        "" => class.to_owned(),
        package => format!("{package}.{class}"),
    }
}

/// The tokens of each import between the keyword and the `;`.
pub(crate) fn imports<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    let places = tokens.iter().enumerate().filter(|(_, it)| it.is("import"));
    places.map(|(at, _)| {
        let rest = &tokens[at + 1..];
        let most = &rest[..rest.len().min(MAX_IMPORT_TOKENS)];
        most.split(|it| it.is(";")).next().unwrap_or_default()
    })
}

/// The package after the keyword: names separated by dots, and nothing else, because it becomes a folder. With the end of
/// its `;`.
fn package(tokens: &[Token<'_>]) -> Option<(String, usize)> {
    let mut package = String::new();
    for (index, token) in tokens.iter().enumerate() {
        match (index % 2, token.kind, token.text) {
            (0, TokenKind::Name, name) => package.push_str(name),
            (1, _, ".") => package.push('.'),
            (1, _, ";") => return Some((package, token.at + 1)),
            _ => return None,
        }
    }
    None
}

/// The name that the keyword at `at` declares; `None` if it declares nothing (`X.class`, `int record`).
fn declared<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    let (name, follows) = (tokens.get(at + 1)?, tokens.get(at + 2)?.text);
    let is_qualified = at > 0 && tokens[at - 1].is(".");
    let opens = match tokens[at].text {
        "record" => matches!(follows, "(" | "<"),
        _ => matches!(follows, "{" | "<" | "extends" | "implements" | "permits"),
    };
    (name.kind == TokenKind::Name && !is_qualified && opens).then_some(name.text)
}

/// Whether `main` at `at` is `static void main(String…)`.
fn is_main(tokens: &[Token<'_>], at: usize) -> bool {
    let before = &tokens[at.saturating_sub(6)..at];
    let mut list = tokens[at + 1..].iter().take(MAX_PARAMETER_TOKENS);
    before.last().is_some_and(|token| token.is("void"))
        && before.iter().any(|token| token.is("static"))
        && list.next().is_some_and(|token| token.is("("))
        && list
            .take_while(|token| !token.is(")"))
            .any(|token| token.is("String"))
}

/// Whether the last parameter of `main` (C's `argv`, Java's `args`) is used outside the parameter list. The tokens
/// start after that list's opening parenthesis.
pub(crate) fn last_parameter_is_used(tokens: &[Token<'_>]) -> bool {
    let Some(close) = tokens.iter().position(|token| token.is(")")) else {
        return false;
    };
    let (list, body) = (&tokens[..close], &tokens[close..]);
    let name = list
        .iter()
        .rev()
        .find(|token| token.kind == TokenKind::Name);
    // A list with one token is `void`.
    list.len() > 1 && name.is_some_and(|name| body.iter().any(|token| token.is(name.text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::tokens;
    use crate::syntax::Syntax;

    #[test]
    fn the_file_and_the_class_that_starts_follow_from_the_source() {
        // The source, in which `MAIN` stands for the method; its file's name, its package, the class to start.
        #[rustfmt::skip]
        let table = [
            ("// class X {\npackage a . b;\nclass Helper {}\npublic final class 皇后 { MAIN \
             }", Some("皇后"), "a.b", Some("a.b.皇后")),
            ("class A { int main; Class<?> c = A.class; }\nclass B<T> extends A { static public void main(final \
             String... a) {} }",
             Some("B"), "", Some("B")),
            ("public class A { static class B { MAIN } MAIN }", Some("A"), "", Some("A")),
            ("class T { }\nrecord P(int x) { }\nenum E { X; MAIN }", Some("E"), "", Some("E")),
            ("class T { MAIN } public class S { MAIN }", Some("S"), "", Some("S")),
            ("class Solution { public int totalNQueens(int n) { return main(n); } }", Some("Solution"), "", None),
            ("public int x; class B {}", Some("B"), "", None),
            ("package a$1 .\n_b.皇 ; class C {}", Some("C"), "a$1._b.皇", None),
        ];
        for (text, stem, package, launched) in table {
            let text = text.replace("MAIN", "public static void main(String[] a) {}");
            let classes = classes(&tokens(&text, Syntax::Java));
            assert_eq!(classes.file_stem.as_deref(), stem, "{text}");
            assert_eq!(classes.package, package, "{text}");
            assert_eq!(classes.launched.as_deref(), launched, "{text}");
        }
        for path in [
            "/tmp/evil",
            "../../evil",
            "a/b",
            "a..b",
            ".a",
            "a.",
            "a b",
            "1a",
            "",
        ] {
            let text = format!("package {path}; class C {{}}");
            assert_eq!(classes(&tokens(&text, Syntax::Java)).package, "", "{path}");
        }
    }

    #[test]
    fn a_parameter_that_is_only_declared_is_not_used() {
        let used = |code| last_parameter_is_used(&tokens(code, Syntax::C));
        assert!(used("int argc, char *argv[]) { return atoi(argv[1]); }"));
        assert!(used("String... args) { f(args); }"));
        assert!(!used("int argc, char *argv[]) { return 0; } // argv"));
        assert!(!used("void) { return 0; }") && !used(") { return 0; }"));
    }
}
