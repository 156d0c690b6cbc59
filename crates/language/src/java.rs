//! Package, classes and `main` of a Java source: they decide what its file must be called and what is started.

use crate::lexer::{Syntax, Token, TokenKind, tokens};

/// What a compiler and a launcher need to know of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Classes {
    /// The package; empty for none.
    pub(crate) package: String,
    /// The public class at the top level, after which the file must be named.
    public: Option<String>,
    /// The first class at the top level.
    first: Option<String>,
    /// The class with `main`, by its binary name without package (`Outer$Inner`), outer ones preferred.
    main: Option<String>,
    /// Whether `main` looks at its arguments.
    pub(crate) uses_arguments: bool,
}

impl Classes {
    /// The name of the file without `.java`: the public class, else the class with `main`, else any.
    pub(crate) fn file_stem(&self) -> Option<&str> {
        let main = self.main.as_deref().and_then(|main| main.split('$').next());
        self.public.as_deref().or(main).or(self.first.as_deref())
    }

    /// The class with `main` as the launcher wants it: `a.b.Outer$Inner`.
    pub(crate) fn launched(&self) -> Option<String> {
        let main = self.main.as_deref()?;
        Some(match self.package.as_str() {
            "" => main.to_owned(),
            package => format!("{package}.{main}"),
        })
    }
}

/// Most tokens in the parameters of `main`: a student's text must not be read to its end for every `main` in it.
const MAX_PARAMETERS: usize = 64;

/// Deepest class that is looked at for `main`: the name of one further in is too long for a file.
const MAX_DEPTH: usize = 64;

/// Reads a source, in time that grows with its length only.
pub(crate) fn classes(text: &str) -> Classes {
    let tokens = tokens(text, Syntax::Java);
    let mut found = Classes::default();
    // How many classes the best `main` is in, and whether none of them is public: the least is best.
    let mut best: Option<(usize, bool)> = None;
    let mut is_public = false;
    // The classes that are open, each with the depth of braces inside it.
    let mut open: Vec<(&str, usize)> = Vec::new();
    let (mut depth, mut parentheses) = (0_usize, 0_usize);
    let mut announced: Option<&str> = None;
    for (at, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Quoted {
            continue;
        }
        match token.text {
            "{" => {
                depth += 1;
                open.extend(announced.take().map(|name| (name, depth)));
            }
            "}" => {
                open.pop_if(|(_, inside)| *inside == depth);
                depth = depth.saturating_sub(1);
            }
            "(" => parentheses += 1,
            ")" => parentheses = parentheses.saturating_sub(1),
            "package" if depth == 0 && found.first.is_none() && found.package.is_empty() => {
                found.package = package(&tokens[at + 1..]).unwrap_or_default();
            }
            "class" | "interface" | "enum" | "record" if parentheses == 0 => {
                let Some(name) = declared(&tokens, at) else {
                    continue;
                };
                announced = Some(name);
                if depth == 0 {
                    if is_public {
                        found.public.get_or_insert_with(|| name.to_owned());
                    }
                    found.first.get_or_insert_with(|| name.to_owned());
                }
            }
            "main" if is_main(&tokens, at) => {
                let is_member = open.last().is_some_and(|(_, inside)| *inside == depth);
                let outermost = open.first().map(|(name, _)| *name);
                let rank = (open.len(), found.public.as_deref() != outermost);
                if is_member && open.len() <= MAX_DEPTH && best.is_none_or(|best| rank < best) {
                    let names: Vec<&str> = open.iter().map(|(name, _)| *name).collect();
                    found.main = Some(names.join("$"));
                    found.uses_arguments = last_parameter_is_used(&tokens[at + 2..]);
                    best = Some(rank);
                }
            }
            _ => {}
        }
        match token.text {
            "{" | "}" | ";" => is_public = false,
            "public" => is_public = true,
            _ => {}
        }
    }
    found
}

/// The package behind the keyword: names with dots between them, and nothing else, because it becomes a folder.
fn package(tokens: &[Token<'_>]) -> Option<String> {
    let mut package = String::new();
    for (index, token) in tokens.iter().enumerate() {
        match (index % 2, token.kind, token.text) {
            (0, TokenKind::Name, name) => package.push_str(name),
            (1, _, ".") => package.push('.'),
            (1, _, ";") => return Some(package),
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
    let mut list = tokens[at + 1..].iter().take(MAX_PARAMETERS);
    before.last().is_some_and(|token| token.is("void"))
        && before.iter().any(|token| token.is("static"))
        && list.next().is_some_and(|token| token.is("("))
        && list
            .take_while(|token| !token.is(")"))
            .any(|token| token.is("String"))
}

/// Whether the last parameter of `main` (`argv` of C, `args` of Java) is used outside the list of parameters. The
/// tokens start after the opening parenthesis of that list.
pub(crate) fn last_parameter_is_used(tokens: &[Token<'_>]) -> bool {
    let Some(close) = tokens.iter().position(|token| token.is(")")) else {
        return false;
    };
    let (list, body) = (&tokens[..close], &tokens[close..]);
    let name = list
        .iter()
        .rev()
        .find(|token| token.kind == TokenKind::Name);
    // A list of one token is `void`.
    list.len() > 1 && name.is_some_and(|name| body.iter().any(|token| token.is(name.text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_and_the_class_that_starts_follow_from_the_source() {
        let main = "public static void main(String[] a) {}";
        // The source, the name of its file, its package, the class that starts.
        let table = [
            (
                format!("// class X {{\npackage a . b;\nclass Helper {{}}\npublic final class 皇后 {{ {main} }}"),
                Some("皇后"),
                "a.b",
                Some("a.b.皇后"),
            ),
            (
                "class A { int main; Class<?> c = A.class; }\nclass B<T> extends A { static public void main(final String... a) {} }".to_owned(),
                Some("B"),
                "",
                Some("B"),
            ),
            (
                format!("public class A {{ static class B {{ void f() {{ if (x) {{ }} }} {main} }} }}"),
                Some("A"),
                "",
                Some("A$B"),
            ),
            (
                format!("class T {{ static class U {{ {main} }} }}\nrecord P(int x) {{ }}\nenum E {{ X; {main} }}"),
                Some("E"),
                "",
                Some("E"),
            ),
            (
                format!("class T {{ {main} }} public class S {{ {main} }}"),
                Some("S"),
                "",
                Some("S"),
            ),
            (
                "class Solution { public int totalNQueens(int n) { return main(n); } }".to_owned(),
                Some("Solution"),
                "",
                None,
            ),
            ("public int x; class B {}".to_owned(), Some("B"), "", None),
            ("package a$1 .\n_b.皇 ; class C {}".to_owned(), Some("C"), "a$1._b.皇", None),
        ];
        for (text, stem, package, launched) in table {
            let classes = classes(&text);
            assert_eq!(classes.file_stem(), stem, "{text}");
            assert_eq!(classes.package, package, "{text}");
            assert_eq!(classes.launched().as_deref(), launched, "{text}");
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
            assert_eq!(
                classes(&format!("package {path}; class C {{}}")).package,
                "",
                "{path}"
            );
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
