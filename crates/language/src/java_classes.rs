//! Packages, classes and `main` methods of a Java source, as far as its words tell.

use crate::code::{last_parameter_is_used, tokens};
use crate::strip::is_name_byte;

/// What a compiler and a launcher need to know of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Classes {
    /// The package; empty for none.
    pub(crate) package: String,
    /// The public class at the top level, after which the file must be named.
    pub(crate) public: Option<String>,
    /// The first class at the top level.
    pub(crate) first: Option<String>,
    /// The class with `main`, by its binary name without package (`Outer$Inner`), outer ones preferred.
    pub(crate) main: Option<String>,
    /// Whether `main` looks at its arguments.
    pub(crate) uses_arguments: bool,
}

impl Classes {
    /// The name of the file without `.java`: the public class, else the class with `main`, else any.
    pub(crate) fn file_stem(&self) -> Option<&str> {
        let main = self.main.as_deref().and_then(|main| main.split('$').next());
        self.public.as_deref().or(main).or(self.first.as_deref())
    }

    /// The folder of the package: `a/b`.
    pub(crate) fn folder(&self) -> String {
        self.package.replace('.', "/")
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

/// Most signs in the parameters of `main`: a student's text must not be read to its end for every `main` in it.
const LONGEST_LIST: usize = 64;

/// Deepest class that is looked at for `main`: the name of one further in is too long for a file.
const DEEPEST: usize = 64;

/// Reads a source without comments and strings, in time that grows with its length only.
pub(crate) fn classes(code: &str) -> Classes {
    let tokens = tokens(code);
    let mut found = Classes::default();
    let mut has_package = false;
    let mut best: Option<Main> = None;
    // Whether `public` stands among the modifiers since the last declaration.
    let mut public = false;
    // The classes that are open, each with the depth of braces inside it.
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut depth = 0_usize;
    let mut announced: Option<&str> = None;
    let mut parentheses = 0_usize;
    for (at, &token) in tokens.iter().enumerate() {
        match token {
            "{" | "}" | ";" => public = false,
            "public" => public = true,
            _ => {}
        }
        match token {
            "{" => {
                depth += 1;
                if let Some(name) = announced.take() {
                    open.push((name, depth));
                }
            }
            "}" => {
                open.pop_if(|(_, inside)| *inside == depth);
                depth = depth.saturating_sub(1);
            }
            "(" => parentheses += 1,
            ")" => parentheses = parentheses.saturating_sub(1),
            "package" if depth == 0 && !has_package => {
                has_package = true;
                found.package = package(&tokens[at + 1..]).unwrap_or_default();
            }
            "class" | "interface" | "enum" | "record" if parentheses == 0 => {
                let Some(name) = declared(&tokens, at) else {
                    continue;
                };
                announced = Some(name);
                if depth == 0 {
                    if public {
                        found.public.get_or_insert_with(|| name.to_owned());
                    }
                    found.first.get_or_insert_with(|| name.to_owned());
                }
            }
            "main" if is_main(&tokens, at) => {
                let is_member = open.last().is_some_and(|(_, inside)| *inside == depth);
                let main = Main {
                    depth: open.len(),
                    in_public: found.public.as_deref() == open.first().map(|(name, _)| *name),
                    parameters: at + 2,
                };
                if is_member
                    && main.depth <= DEEPEST
                    && best.as_ref().is_none_or(|best| main.is_better_than(best))
                {
                    let names: Vec<&str> = open.iter().map(|(name, _)| *name).collect();
                    found.main = Some(names.join("$"));
                    best = Some(main);
                }
            }
            _ => {}
        }
    }
    found.uses_arguments =
        best.is_some_and(|main| last_parameter_is_used(&tokens[main.parameters..]));
    found
}

/// A `main` that a launcher could start.
struct Main {
    /// How many classes it lies in.
    depth: usize,
    /// Whether the outermost of them is public.
    in_public: bool,
    /// The place of its parameters among the tokens.
    parameters: usize,
}

impl Main {
    /// A `main` further out is better, and among equals that of the public class.
    fn is_better_than(&self, other: &Self) -> bool {
        self.depth < other.depth
            || (self.depth == other.depth && self.in_public && !other.in_public)
    }
}

/// The package behind the keyword: names with dots between them, and nothing else, because it becomes a folder.
fn package(tokens: &[&str]) -> Option<String> {
    let end = tokens.iter().position(|&token| token == ";")?;
    let name = &tokens[..end];
    // `$` is a letter of Java, and a token of its own here.
    let is_word = |token: &str| token.bytes().all(is_name_byte);
    let parted = name
        .windows(2)
        .all(|pair| !(is_word(pair[0]) && is_word(pair[1])));
    let only_names = name
        .iter()
        .all(|token| is_word(token) || matches!(*token, "." | "$"));
    let package = name.concat();
    let named = package
        .split('.')
        .all(|part| part.starts_with(|c: char| !c.is_ascii_digit()));
    (parted && only_names && named).then_some(package)
}

/// The name that the keyword at `at` declares; nothing where it is no declaration (`X.class`, `int record`).
fn declared<'a>(tokens: &[&'a str], at: usize) -> Option<&'a str> {
    let name = *tokens.get(at + 1)?;
    let starts_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let qualified = at > 0 && tokens[at - 1] == ".";
    let follows = tokens.get(at + 2).copied().unwrap_or_default();
    let opens = match tokens[at] {
        "record" => matches!(follows, "(" | "<"),
        _ => matches!(follows, "{" | "<" | "extends" | "implements" | "permits"),
    };
    (starts_name && !qualified && opens).then_some(name)
}

/// Whether `main` at `at` is `static void main(String…)`.
fn is_main(tokens: &[&str], at: usize) -> bool {
    let before = &tokens[at.saturating_sub(6)..at];
    let list = &tokens[at + 1..];
    before.last() == Some(&"void")
        && before.contains(&"static")
        && list.first() == Some(&"(")
        && list
            .iter()
            .take(LONGEST_LIST)
            .take_while(|&&token| token != ")")
            .any(|&token| token == "String")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strip::{Family, Strings, strip};

    fn of(text: &str) -> Classes {
        classes(&strip(text, Family::Java, Strings::Blank))
    }

    #[test]
    fn the_public_class_names_the_file_and_the_package_its_folder() {
        let classes = of(
            "// class X {\npackage a . b;\nimport java.util.*;\nclass Helper {}\n\
                          public final class 皇后 { public static void main(String[] args) { f(args); } }",
        );
        assert_eq!(classes.file_stem(), Some("皇后"));
        assert_eq!(classes.folder(), "a/b");
        assert_eq!(classes.launched().as_deref(), Some("a.b.皇后"));
        assert!(classes.uses_arguments);
    }

    #[test]
    fn without_a_public_class_the_class_with_main_counts() {
        let classes = of("class A { int main; Class<?> c = A.class; }\n\
                          class B<T> extends A { static public void main(final String... a) {} }");
        assert_eq!(classes.file_stem(), Some("B"));
        assert_eq!(classes.launched().as_deref(), Some("B"));
        assert!(!classes.uses_arguments);
    }

    #[test]
    fn a_main_in_an_inner_class_has_its_binary_name_and_yields_to_an_outer_one() {
        let inner = "public class A { static class B { void f() { if (x) { } } \
                     public static void main(String[] a) {} } }";
        assert_eq!(of(inner).launched().as_deref(), Some("A$B"));
        let both = "class T { static class U { public static void main(String a[]) {} } }\n\
                    record P(int x) { }\nenum E { X; public static void main(String[] a) {} }";
        assert_eq!(of(both).launched().as_deref(), Some("E"));
    }

    #[test]
    fn the_main_of_the_public_class_is_preferred() {
        let two = "class T { public static void main(String[] a) {} }\n\
                   public class S { public static void main(String[] a) {} }";
        assert_eq!(of(two).launched().as_deref(), Some("S"));
    }

    #[test]
    fn a_package_that_is_no_name_is_no_folder() {
        for path in [
            "/tmp/x/evil",
            "../../evil",
            "a/b",
            "a..b",
            ".a",
            "a.",
            "a b",
            "1a",
            "",
            "a\\b",
        ] {
            let classes = of(&format!("package {path}; class Count {{}}"));
            assert_eq!(classes.folder(), "", "{path}");
        }
        assert_eq!(of("package /x; package a; class C {}").folder(), "");
        assert_eq!(of("package a class C {}").folder(), "");
        assert_eq!(
            of("package a$1 .\n_b.皇 ; class C {}").folder(),
            "a$1/_b/皇"
        );
    }

    #[test]
    fn public_belongs_to_one_declaration() {
        assert_eq!(
            of("public class A {} class B {}").public.as_deref(),
            Some("A")
        );
        assert_eq!(of("public int x; class B {}").public, None);
        assert_eq!(
            of("@X(y = 1) public abstract class C {}").public.as_deref(),
            Some("C")
        );
    }

    #[test]
    fn a_solution_class_has_no_main() {
        let classes = of("class Solution { public int totalNQueens(int n) { return main(n); } }");
        assert_eq!(classes.launched(), None);
        assert_eq!(classes.file_stem(), Some("Solution"));
    }
}
