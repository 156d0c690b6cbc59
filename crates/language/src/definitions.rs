//! What a source of C or C++ defines for other sources, as far as its tokens show.

use std::collections::BTreeSet;

use crate::lexer::{Token, TokenKind};
use crate::preprocessor::conditional;
use crate::syntax::Syntax;

/// What a source defines outside all blocks.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    /// Functions that no other source may define: `half`, in C++ with the types of their parameters. Those that are
    /// compiled only under a condition are left out.
    pub(crate) functions: BTreeSet<String>,
    /// Names under which other sources know what it defines.
    pub(crate) offers: BTreeSet<String>,
    /// Whether it has a `main` under no condition.
    pub(crate) has_main: bool,
}

/// Words before a parenthesis that is not that of parameters.
const NO_FUNCTIONS: [&str; 8] = [
    "__attribute__",
    "__declspec",
    "alignas",
    "decltype",
    "noexcept",
    "requires",
    "throw",
    "_Alignas",
];
/// Words of a function that other sources do not see, or may define again.
const NOT_SHARED: [&str; 7] = [
    "static",
    "inline",
    "template",
    "constexpr",
    "weak",
    "typedef",
    "using",
];
/// Types that may be a parameter's last word.
const TYPES: [&str; 9] = [
    "auto", "bool", "char", "double", "float", "int", "long", "short", "void",
];

impl Definitions {
    pub(crate) fn of(text: &str, tokens: &[Token<'_>], syntax: Syntax) -> Self {
        let mut reader = Reader {
            text,
            tokens,
            is_cpp: syntax == Syntax::Cpp,
            at: 0,
            conditional: conditional(tokens),
            is_conditional: false,
            spaces: Vec::new(),
            internal: BTreeSet::new(),
            found: Self::default(),
        };
        reader.read();
        reader.found
    }
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    is_cpp: bool,
    at: usize,
    /// For each token whether it is compiled only under a condition.
    conditional: Vec<bool>,
    /// Whether that is so here.
    is_conditional: bool,
    /// The namespaces around this place; empty for `extern "C"`.
    spaces: Vec<&'a str>,
    /// Functions that are declared as internal.
    internal: BTreeSet<String>,
    found: Definitions,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        let mut statement: Vec<Token<'a>> = Vec::new();
        // The head of a function whose parameters are declared after it: `int half(n) int n; {`.
        let mut old_head: Vec<Token<'a>> = Vec::new();
        while let Some(&token) = self.tokens.get(self.at) {
            self.is_conditional = self.conditional[self.at];
            self.at += 1;
            match token.text {
                "#" if self.begins_line(token) => self.skip_directive(),
                "{" if self.opens_space(&statement) => statement.clear(),
                "{" => {
                    self.skip_bracket();
                    if is_initializer(&statement) {
                        statement.extend(self.tokens.get(self.at - 1));
                    } else if parameters(&statement).is_some() {
                        self.define(&statement);
                        statement.clear();
                    } else if statement.is_empty() {
                        self.define(&old_head);
                    } else if statement.last().is_some_and(|it| it.is("namespace")) {
                        // Nobody else sees what is in it.
                        statement.clear();
                    }
                    old_head.clear();
                }
                "}" => {
                    self.spaces.pop();
                    statement.clear();
                }
                ";" => {
                    if !self.is_cpp && is_old_head(&statement) {
                        old_head.clone_from(&statement);
                    }
                    self.declare(&statement);
                    statement.clear();
                }
                "(" => {
                    let begin = self.at - 1;
                    self.skip_bracket();
                    statement.extend(&self.tokens[begin..self.at]);
                }
                _ => statement.push(token),
            }
        }
        let Definitions {
            functions, offers, ..
        } = &mut self.found;
        functions.retain(|it| !self.internal.contains(it));
        offers.retain(|it| !self.internal.contains(it));
    }

    fn begins_line(&self, token: Token<'_>) -> bool {
        let line = self.text[..token.at].rsplit(['\n', '\r']).next();
        line.is_none_or(|line| line.trim_matches(['\u{feff}', ' ', '\t']).is_empty())
    }

    /// Skips the rest of a line of the preprocessor, with the lines that continue it.
    fn skip_directive(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            let last = &self.tokens[self.at - 1];
            let between = &self.text[last.at + last.text.len()..token.at];
            if between.contains(['\n', '\r']) && !last.is("\\") {
                break;
            }
            self.at += 1;
        }
    }

    /// Goes on after what closes the bracket before this place.
    fn skip_bracket(&mut self) {
        let close = close_of(self.tokens, self.at - 1);
        self.at = self.tokens.len().min(close + 1);
    }

    /// Whether a brace opens a namespace with a name or `extern "C"`: what is in it counts as outside all blocks.
    fn opens_space(&mut self, statement: &[Token<'a>]) -> bool {
        let [.., before, last] = statement else {
            return false;
        };
        let is_namespace = statement.iter().any(|it| it.is("namespace"));
        let is_linkage = before.is("extern") && last.kind == TokenKind::Quoted;
        if is_namespace || is_linkage {
            self.spaces.push(if is_namespace { last.text } else { "" });
        }
        is_namespace || is_linkage
    }

    /// Notes a function.
    fn define(&mut self, statement: &[Token<'_>]) {
        let Some(open) = parameters(statement) else {
            return;
        };
        let operator = statement[..open].iter().rposition(|it| it.is("operator"));
        let name = operator.unwrap_or(open - 1);
        let first = name - 2 * qualifiers(&statement[..name]);
        let (is_qualified, close) = (first < name, close_of(statement, open));
        let spaces = self.spaces.iter().filter(|it| !it.is_empty());
        if statement[name].is("main") && !is_qualified {
            self.found.has_main |= !self.is_conditional && spaces.count() == 0;
            return;
        }
        if statement[..open]
            .iter()
            .any(|it| NOT_SHARED.contains(&it.text))
        {
            return;
        }
        if operator.is_none() || is_qualified {
            self.found.offers.insert(statement[first].text.to_owned());
        } else {
            // An operator is found by the types of its operands.
            let words = statement[open..close].iter();
            let words = words.filter(|it| it.kind == TokenKind::Name && !it.is("const"));
            self.found.offers.extend(words.map(|it| it.text.to_owned()));
        }
        if self.is_conditional {
            return;
        }
        let mut key: String = spaces.flat_map(|it| [it, "::"]).collect();
        key.extend(statement[first..open].iter().map(|it| it.text));
        if self.is_cpp {
            key = format!("{key}({})", types(&statement[open + 1..close]));
        }
        self.found.functions.insert(key);
    }

    /// Notes the variables of a declaration, or that a function is internal.
    fn declare(&mut self, statement: &[Token<'_>]) {
        let has = |word: &str| statement.iter().any(|it| it.is(word));
        if let Some(open) = parameters(statement) {
            if has("static") {
                self.internal.insert(statement[open - 1].text.to_owned());
            }
            return;
        }
        let is_elsewhere = has("extern") && !has("=");
        if is_elsewhere || NOT_SHARED.iter().any(|it| has(it)) {
            return;
        }
        for (at, token) in statement.iter().enumerate() {
            let ends = statement
                .get(at + 1)
                .is_none_or(|it| matches!(it.text, "=" | "[" | ","));
            if token.kind == TokenKind::Name && ends {
                let first = at - 2 * qualifiers(&statement[..at]);
                self.found.offers.insert(statement[first].text.to_owned());
            }
        }
    }
}

/// The index of the parenthesis that begins the parameters of a function, unless a value comes before.
fn parameters(statement: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in statement.iter().enumerate() {
        let before = &statement[..at];
        let is_operator = before.iter().rev().take(3).any(|it| it.is("operator"));
        match token.text {
            "=" if depth == 0 && !is_operator => return None,
            "(" => {
                let name = before.last().filter(|_| depth == 0);
                let is_name = |it: &&Token<'_>| {
                    it.kind == TokenKind::Name && !NO_FUNCTIONS.contains(&it.text)
                };
                if name.is_some_and(|it| is_name(&it) || is_operator) {
                    return Some(at);
                }
                depth += 1;
            }
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The index of what closes the bracket at `open`.
fn close_of(tokens: &[Token<'_>], open: usize) -> usize {
    let opening = tokens[open].text;
    let closing = if opening == "{" { "}" } else { ")" };
    let mut depth = 0_usize;
    let close = tokens[open..].iter().position(|token| {
        match token.text {
            text if text == opening => depth += 1,
            text if text == closing => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    close.map_or(tokens.len(), |length| open + length)
}

/// Whether a brace after this begins the value of a member, as in `Grid::Grid() : size{3} {`.
fn is_initializer(statement: &[Token<'_>]) -> bool {
    let after = parameters(statement).map_or(0, |open| close_of(statement, open));
    let has_list = statement[after..].iter().any(|it| it.is(":"));
    has_list
        && statement
            .last()
            .is_some_and(|it| it.kind == TokenKind::Name)
}

/// Whether declarations of parameters follow those of a function in parentheses.
fn is_old_head(statement: &[Token<'_>]) -> bool {
    let next = parameters(statement).and_then(|open| statement.get(close_of(statement, open) + 1));
    next.is_some_and(|it| it.kind == TokenKind::Name && !NO_FUNCTIONS.contains(&it.text))
}

/// The number of qualifiers (`Grid ::`) at the end.
fn qualifiers(before: &[Token<'_>]) -> usize {
    let pairs = before.rchunks(2);
    let are_such =
        |it: &&[Token<'_>]| it.len() == 2 && it[1].is("::") && it[0].kind == TokenKind::Name;
    pairs.take_while(are_such).count()
}

/// The types of parameters: their tokens without names and default values.
fn types(parameters: &[Token<'_>]) -> String {
    let mut depth = 0_usize;
    let ends = |token: &Token<'_>| {
        match token.text {
            "(" | "<" | "[" | "{" => depth += 1,
            ")" | ">" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is(",")
    };
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !TYPES.contains(&word)
    };
    let all = parameters.split(ends).map(|parameter| {
        let words = parameter.iter().map(|it| it.text);
        let mut words: Vec<&str> = words.take_while(|it| *it != "=").collect();
        if let [.., before, last] = words[..]
            && !matches!(before, "::" | "const")
            && is_name(last)
        {
            words.pop();
        }
        words.join(" ")
    });
    all.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::tokens;

    fn found(text: &str, syntax: Syntax) -> (String, String, bool) {
        let found = Definitions::of(text, &tokens(text, syntax), syntax);
        let joined = |all: BTreeSet<String>| all.into_iter().collect::<Vec<_>>().join(" ");
        (
            joined(found.functions),
            joined(found.offers),
            found.has_main,
        )
    }

    #[test]
    fn functions_and_variables_that_other_sources_see_are_found() {
        #[rustfmt::skip]
        let table = [
            ("int half(int n) { return n / 2; }\nstatic int own(int n)\n{ return n; }\nint later(int);", "half", "half"),
            ("int half(n) int n; { return n / 2; }", "half", "half"),
            ("static int own(int);\nint own(int n) { return n; }", "", ""),
            ("int total; int a[3], *b = 0; extern int other; static int mine; int (*p)(int);", "", "a b total"),
            ("const op ops[] = { add, sub };\nstruct point { int x; } origin;", "", "ops origin"),
            ("#ifdef _WIN32\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif", "", "f"),
            ("#ifndef A_H\n#define A_H\nint f(void) { return 1; }\n#endif", "f", "f"),
            ("#define F(x) { x \\\n }\n__attribute__((noinline)) int f(void) { return 1; }", "f", "f"),
            ("__attribute__((weak)) int f(void) { return 1; }", "", ""),
        ];
        for (text, functions, offers) in table {
            assert_eq!(
                found(text, Syntax::C),
                (functions.into(), offers.into(), false),
                "{text}"
            );
        }
        #[rustfmt::skip]
        let table = [
            ("Grid::Grid(int n) : Base(n), size{n} { }\nint Grid::at(int x, const std::string &name = \"a\") const { return x; }",
             "Grid::Grid(int) Grid::at(int,const std :: string &)", "Grid"),
            ("const char *what() const throw() { return 0; }\nauto f(int) -> int { return 1; }\nvoid g() noexcept(true) { }",
             "f(int) g() what()", "f g what"),
            ("namespace n { int f(unsigned int a) { return 1; } }\nnamespace { int hidden() { return 1; } }\nextern \"C\" { int g() { return 1; } }",
             "g() n::f(unsigned int)", "f g"),
            ("std::ostream &operator<<(std::ostream &out, const Grid &grid) { return out; }\nbool Grid::operator==(const Grid &a) const { return true; }",
             "Grid::operator==(const Grid &) operator<<(std :: ostream &,const Grid &)", "Grid grid ostream out std"),
            ("template <class T> T id(T t) { return t; }\ninline int one() { return 1; }\nint Grid::count = 0;", "", "Grid"),
        ];
        for (text, functions, offers) in table {
            assert_eq!(
                found(text, Syntax::Cpp),
                (functions.into(), offers.into(), false),
                "{text}"
            );
        }
    }

    #[test]
    fn only_a_main_of_its_own_under_no_condition_counts() {
        for (text, has_main) in [
            ("int main(void) { return 0; }", true),
            ("int\nmain()\n{\n}", true),
            ("#ifdef TEST\nint main(void) { return 0; }\n#endif", false),
            (
                "#if 0\nint main(void) { return 0; }\n#endif\nint main(void) { }",
                true,
            ),
            ("void App::main(int a) { }", false),
            ("int main(void);", false),
        ] {
            assert_eq!(found(text, Syntax::Cpp).2, has_main, "{text}");
        }
    }

    #[test]
    fn any_text_is_read() {
        for text in [
            "{",
            "}",
            "(",
            ")",
            "int f(",
            "f(){",
            "#",
            "::(",
            "a::b::(){}",
            "operator(){}",
            "=(",
            "f() : a{",
            "(){}",
            "main(){",
        ] {
            found(text, Syntax::Cpp);
            found(&text.repeat(3), Syntax::C);
        }
    }
}
