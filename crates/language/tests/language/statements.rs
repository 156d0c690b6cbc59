//! What is said of a beginner's statement that does not compile, tested with this machine's compilers.

use grader_language::{ProgramSources, SourceText};
use grader_model::LanguageId as Id;

use crate::advice::matches;
use crate::support::{build, english, is_nightly, language};

/// Statements that do not compile, from line 4 of a program, or line 2 in Python, and what is said.
#[rustfmt::skip]
const STATEMENTS: [(Id, &str, &str); 105] = [
    (Id::C, "n = min(n, m);", "`min` is C++: in line 4 write `a < b ? a : b`."),
    (Id::C, "int k = input(\"a\");", "`input` is Python: in line 4 write `scanf(\"%d\", &n)`."),
    (Id::C, "n = input;", "`input` in line 4 is not declared: check its spelling."),
    (Id::C, "n = size;", "`size` in line 4 is not declared: check its spelling."),
    (Id::C, "pirntf(\"a\");", "`pirntf` in line 4 is not declared: is `printf` meant"),
    (Id::C, "retrun 0;", "`retrun` in line 4 is not known: is `return` meant?"),
    (Id::C, "if (n > 1) then m = 1;", "C/C++ has no keyword `then`: in line 4 write `if (…) { … }`."),
    (Id::C, "if (n > 1 and m > 1) n = 2;", "`and` is Python: in line 4 write `&&`."),
    (Id::C, "n = n mod 2;", "C/C++ has no keyword `mod`: in line 4 write `%`."),
    (Id::C, "if (n) m = 1;\n  elif (m) n = 1;", "C and C++ have no `elif`: in line 5 write `else if`."),
    (Id::C, "n = n ** 2;", "C and C++ have no sign for powers (line 4)"),
    (Id::C, "double d = 2.5; d = d ^ 2;", "`^` is no power in C/C++: in line 4 write `pow(x, 2)`."),
    (Id::C, "char *p = None;", "`None` is Python: in line 4 write `NULL`."),
    (Id::C, "int 2nd = 3;", "In line 4 letters follow directly after a number"),
    (Id::C, "char c = '';", "Between the two `'` in line 4 is nothing: a character belongs there."),
    (Id::C, "do {\n    n--;\n  }\n  m = 1;", "After the `}` of a `do` loop must come"),
    (Id::C, "int a[5]; if (a[n) > 3) m = 1;", "In line 4 a `]` is missing before `)`."),
    (Id::C, "n = n + 2);", "Line 4 has a `)` too many"),
    (Id::C, "switch (n) { case 1: break;\n  case 1: break; }", "The `case` or `default` in line 5 occurs twice"),
    (Id::Cpp, "bool b = True;", "`True` is Python: in line 4 write `1`."),
    (Id::Cpp, "if (n > 1) m = 1;\n  elif (m > 1) n = 1;", "C and C++ have no `elif`: in line 5 write `else if`."),
    (Id::Cpp, "n = s.lenght();", "`std::string` has no member `lenght` (line 4)"),
    (Id::Cpp, "for (char c in s) n++;", "C++ has no `in`: in line 4 write `:`"),
    (Id::Java, "if (n > 1) { m = 1; }\n    elif (m > 1) { n = 1; }", "`elif` is Python: in line 5 write `else if`."),
    (Id::Java, "if (ok = null || n > 1) m = 2;", "`=` in line 4 gives a variable a value: to compare with `null`"),
    (Id::Java, "if (s.charAt(0) == \"u\") n = 2;", "In line 4 a single character is compared with a `String`"),
    (Id::Java, "for (int v in data) n++;", "`in` is Python: in line 4 write `:`."),
    (Id::Java, "if (n > 1 and m > 1) n = 2;", "`and` is Python: in line 4 write `&&`."),
    (Id::Java, "if (not ok) n = 2;", "`not` is Python: in line 4 write `!`."),
    (Id::Java, "if (n > 1) then n = 2;", "Java has no keyword `then`: in line 4 write"),
    (Id::Java, "n = n mod 2;", "Java has no keyword `mod`: in line 4 write `%`."),
    (Id::Java, "n = n ** 2;", "There is no such operator (line 4)"),
    (Id::Java, "ok = True;", "`True` is Python: in line 4 write `true`."),
    (Id::Java, "n = len(s);", "`len` is Python: in line 4 write `s.length()`."),
    (Id::Java, "n = min(n, m);", "`min` belongs to the class `Math`: in line 4"),
    (Id::Java, "Scaner in = null;", "`Scaner` in line 4 is not known: is `Scanner` meant?"),
    (Id::Java, "System.out.prinltn(s);", "`prinltn` in line 4 is not known: is `println` meant?"),
    (Id::Java, "switch (n) { case 1: break;\n    case 1: break; }", "The `case` or `default` in line 5 occurs twice"),
    (Id::Java, "switch (n) { case 1 m = 1; }", "After the `case` or `default` in line 4 a `:` is missing."),
    (Id::Java, "do {\n      n--;\n    }\n    m = 1;", "After the `}` of a `do` loop must come"),
    (Id::Java, "n = data[2);", "In line 4 a `]` is missing after `n = data[2`."),
    (Id::Java, "if (n <> 3) m = 1;", "There is no such operator (line 4)"),
    (Id::Python, "if n > 1 then:\n    n = 2", "Python has no keyword `then`: in line 2 write `if …:`."),
    (Id::Python, "if n > 1 && n < 5:\n    n = 2", "Python writes `and` for `&&`"),
    (Id::Python, "if !(n > 1):\n    n = 2", "Python writes `and` for `&&`"),
    (Id::Python, "n = n mod 2", "Python has no keyword `mod`: in line 2 write `%`."),
    (Id::Python, "whlie n > 0:\n    n -= 1", "`whlie` in line 2 is not known: is `while` meant?"),
    (Id::Python, "n = 2nd", "In line 2 letters follow a number"),
    (Id::C, "float double = 3;", "In line 4 two types follow each other, and a name is missing"),
    (Id::C, "# if the number is even", "After `#if` in line 4 only a condition"),
    (Id::Cpp, "int float = 3;", "`short`, `long`, `unsigned`, `const` and the like are words of the language"),
    (Id::C, "for (int d = 2; d <= (n + 1; d++) {\n    m++;\n  }", "A `)` is missing before a `;` of the `for` in line 4"),
    (Id::C, "for (int d = (2; d <= n; d++) m++;", "A `)` is missing before a `;` of the `for` in line 4"),
    (Id::C, "for (int d = 2; d < n; d++; m++) n = 1;", "In line 4"),
    (Id::C, "for (int d = 2; d < n; d++) m += (d;", "A `)` is missing in line 4: count"),
    (Id::C, "switch (n) { default: break;\n  case >= 90: m = 1; }", "After `case` only one fixed value may stand, no condition such as `>=` (line 5)"),
    (Id::C, "switch (n) { default: break;\n  case n >= 90: m = 1; }", "After `case` only one fixed value may stand, no condition such as `>=` (line 5)"),
    (Id::C, "switch (n) { default: break;\n  case n: m = n >= 90; }", "A `switch` takes only whole numbers"),
    (Id::C, "mod = n % 2;", "`mod` in line 4 is not declared"),
    (Id::C, "n = n div 2;", "C/C++ has no keyword `div`: in line 4 write `/`."),
    (Id::C, "if (n) m = 1;\n  elseif (m) n = 1;", "In line 5 write `else if`, in two words."),
    (Id::C, "int[] a = {1, 2};", "The `[ ]` come after the name of an array"),
    (Id::C, "int[5] a;", "The `[ ]` come after the name of an array"),
    (Id::C, "int case = 3;", "`case` is a word of the language itself: in line 4 take another name."),
    (Id::C, "int short = 3;", "`short`, `long`, `unsigned`, `const` and the like are words of the language"),
    (Id::C, "# read the number", "`#read` in line 4 does not exist: a comment begins with `//`"),
    (Id::C, "n = 1; # the number", "A `#` cannot stand in the middle of line 4"),
    (Id::C, "int max-value = 3;", "`max-value` in line 4 is no name, as `-` means minus: write `max_value`."),
    (Id::C, "char *t = \"a\" + \"b\";", "C cannot join strings with `+` (line 4)"),
    (Id::C, "printf(\"%d\", n\n  return 0;", "A `)` is missing at the end of line 4, and a `;` if the statement ends there"),
    (Id::C, "printf(\"%d\", n)\n  return 0;", "A `;` is missing at the end of the statement in line 4"),
    (Id::Cpp, "for (int d = 2; d <= (int)sqrt((double)n; d++) {\n    m++;\n  }", "A `)` is missing before a `;` of the `for` in line 4"),
    (Id::Cpp, "for (int i : n) m += i;", "After the `:` of the `for` in line 4 an array, a `vector`, a string or the like is needed"),
    (Id::Cpp, "m = begin;", "`begin` in line 4 is not declared"),
    (Id::Cpp, "if (n) m = 1;\n  elseif (m) n = 1;", "In line 5 write `else if`, in two words."),
    (Id::Cpp, "std::string t = \"a\" + \"b\";", "Two texts in quotation marks cannot be joined with `+` (line 4)"),
    (Id::Cpp, "int a[2] = {1, 2, 3};", "Line 4 gives more values than `int [2]` can hold"),
    (Id::Cpp, "char a[2] = \"ab\";", "The string in line 4 does not fit into `char [2]`"),
    (Id::Cpp, "int new = 3;", "`new` is a word of the language itself: in line 4 take another name."),
    (Id::Cpp, "sdt::string t;", "`sdt` in line 4 is not known: is `std` meant?"),
    (Id::Cpp, "using namespace sdt;", "`sdt` in line 4 is not known: is `std` meant?"),
    (Id::Cpp, "switch (n) { case 1:\n  int k = 3;\n  case 2: m = 1; }", "A variable that is declared after a `case` is known in the cases below"),
    (Id::Cpp, "int f(int x) {\n    return x;\n  }", "A function cannot be defined inside another one: move the function in line 4"),
    (Id::Cpp, "std::string t();\n  n = t.size();", "`t` is declared with `()` and so is a function: if an object is meant"),
    (Id::Java, "n = \"0\";", "In line 4 a `String` is used where a number (`int`) is needed"),
    (Id::Java, "if (s.charAt(0) == '') n = 2;", "Between the two `'` in line 4 is nothing"),
    (Id::Java, "char c = 'a;", "Between two `'` must be exactly one character (line 4)"),
    (Id::Java, "foreach (int v in data) n++;", "Java has no `foreach`: write line 4 with `for` and `:`"),
    (Id::Java, "foreach (String v in args) n++;", "Java has no `foreach`: write line 4 with `for` and `:`"),
    (Id::Java, "if (n < 0) throws new RuntimeException();", "Inside a method it is `throw new …` (line 4)"),
    (Id::Java, "throws new RuntimeException();", "Inside a method it is `throw new …` (line 4)"),
    (Id::Java, "switch (n) { default: break;\n    case n >= 90: m = 1; }", "After `case` only one fixed value may stand"),
    (Id::Java, "switch (n) { default: break;\n    case >= 90: m = 1; }", "After `case` only one fixed value may stand"),
    (Id::Java, "if (n > 1) { m = 1; }\n    elseif (m > 1) { n = 1; }", "Java has no keyword `elseif`: in line 5 write `else if`."),
    (Id::Java, "n = data.length();", "`data` is an array and has no method `length()` (line 4)"),
    (Id::Java, "int max-value = 3;", "`max-value` in line 4 is no name"),
    (Id::Python, "form math import sqrt", "`form` in line 2 is not known: is `from` meant?"),
    (Id::Python, "fro i in range(3):\n    n += i", "`fro` in line 2 is not known: is `for` meant?"),
    (Id::Python, "if n > 1:\n    break", "`break` may only stand in a loop, and line 3 is in none: to leave out what follows"),
    (Id::Python, "for i in range(3):\n    n += i\nif n > 1:\n    break", "`break` may only stand in a loop, and line 5 is in none: it is indented too little"),
    (Id::Python, "switch n:\n    case 1:\n        n = 2", "Python has no `switch` (line 2)"),
    (Id::Python, "switch (n):\n    case 1:\n        n = 2", "Python has no `switch` (line 2)"),
    (Id::Python, "switch (n) {\n    case 1:\n        n = 2\n}", "Python has no `switch` (line 2)"),
    (Id::Python, "def f(a, b, a):\n    return a", "Two parameters of the function in line 2 are called `a`"),
    (Id::Python, "def my-f(a):\n    return a", "the name contains a space or a `-`"),
];

#[test]
fn statements_of_beginners_are_explained() {
    let step = if is_nightly() { 1 } else { 4 };
    for (id, text, expected) in STATEMENTS.into_iter().step_by(step) {
        let (name, before, after) = match id {
            Id::C => (
                "a.c",
                "#include <stdio.h>\nint main(void) {\n  int n = 3, m = 2;\n  ",
                "\n}\n",
            ),
            Id::Cpp => (
                "a.cpp",
                "#include <string>\nint main() {\n  int n = 3, m = 2; std::string s;\n  ",
                "\n}\n",
            ),
            Id::Java => (
                "Main.java",
                "class Main {\n  public static void main(String[] args) {\n    int n = 3, m = 2; boolean ok; String s = \"a\"; int[] data = {n};\n    ",
                "\n  }\n}\n",
            ),
            _ => ("a.py", "n = 3\n", "\n"),
        };
        let source = [before, text, after].concat();
        let Some(built) = build(id, &[(name, source.as_bytes())]) else {
            continue;
        };
        let texts = SourceText::all(&built.sources);
        let sources = ProgramSources::own(&texts);
        let advice = language(id).explain_build(built.messages.as_bytes(), &sources, false);
        matches(&english(&advice), &[expected], &built.messages);
    }
}
