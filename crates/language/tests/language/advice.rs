//! Advice, tested against the actual messages of this machine's compilers and interpreters.

use grader_language::{FailedRun, ProgramSources, SourceFacts, SourceText};
use grader_model::{End, LanguageId as Id, SourceFile};

use crate::support::{build, english, is_nightly, language, plan};

const NO_MAIN: &str = "`: this task wants a whole program";
const CONIO: &str = "`conio.h` exists only on Windows or DOS.";
const NO_CRATE: &str = "is neither in the standard library nor in the files that were submitted.";
const PYTHON_2: &str = "This is Python 2; this grader runs Python 3";

/// Builds that fail: the files, and a part of each piece of advice.
type Build = (
    Id,
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

#[rustfmt::skip]
const BUILDS: [Build; 117] = [
    (Id::Cpp, &[("a.cpp", "struct R { R(int) {} };\nint main() {\n  R *rooms = new R[3];\n}\n")], &["Line 3 makes an object of `R` without arguments"]),
    (Id::Java, &[("a.java", "class A {\n  static int f(boolean b) {\n    return b ? \"x\" : 1;\n  }\n}\n")], &["The types in line 3 do not fit: a `String` is used together with a `int`"]),
    (Id::Java, &[("a.java", "class B {\n  B(String s) { }\n}\npublic class A extends B {\n}\n")], &["`B`, which the class of line 4 extends, has no constructor without"]),
    (Id::C, &[("a.c", "#define SIZE 8;\nint main(void) {\n  int a[SIZE];\n  return 0;\n}\n")], &["A `#define` does not end with `;` (line 1): remove it."]),
    (Id::C, &[("a.c", "#define SIZE 8;\nint main(void) {\n  for (int i = 0; i < SIZE; i++) { }\n}\n")], &["A `#define` does not end with `;` (line 1): remove it."]),
    (Id::C, &[("a.c", "#define SIZE 8\nint main(void) {\n  for (int i = 0; i < SIZE + ; i++) { }\n}\n")], &["In line 3 a value is missing before ';'"]),
    (Id::C, &[("a.c", "#define F(x) x[1;\nint main(void) {\n  int a[3], b = F(a);\n}\n")], &["What the `#define` in line 1 stands for"]),
    (Id::C, &[("a.c", "int f(int[] a, int n) { return a[n]; }\nint main(void) { }\n")], &["in line 1 write `a[]`"]),
    (Id::Cpp, &[("a.cpp", "int f(int[] a, int n) { return a[n]; }\nint main() { }\n")], &["in line 1 write `a[]`"]),
    (Id::Cpp, &[("a.cpp", "#include <iostream>\nint main() {\n  int x;\n  std::cin << x;\n}\n")], &["`cin` takes `>>`, not `<<`: look at line 4."]),
    (Id::Cpp, &[("a.cpp", "#include <iostream>\nint main() {\n  int x;\n  std::cout >> x;\n}\n")], &["`cout` takes `<<`, not `>>`: look at line 4."]),
    (Id::Cpp, &[("a.cpp", "int main() {\n  return square(3);\n}\nint square(int x) {\n  return x * x;\n}\n")], &["`square` is defined only below, in line 4"]),
    (Id::Cpp, &[("a.cpp", "int main() {\n  return square(3);\n}\nint area(int x) {\n  return x * x;\n}\n")], &["`square` in line 2 is not declared"]),
    (Id::Cpp, &[("a.cpp", "struct R { R(int) {} };\nint main() {\n  R rooms[3];\n}\n")], &["Line 3 makes an object of `R` without arguments"]),
    (Id::Cpp, &[("a.cpp", "struct S { virtual double area() = 0; };\nint main() {\n  S s;\n}\n")], &["Line 3 makes an object of `S`, in which a function is still without a body"]),
    (Id::Cpp, &[("a.cpp", "void f(int &x) { x++; }\nint main() {\n  f(5);\n}\n")], &["`int&` stands for a variable, but line 3 gives it only a value"]),
    (Id::Cpp, &[("a.cpp", "struct S { int area(int) const; };\nint S::area() { return 1; }\nint main() { }\n")], &["The class does not declare `int S::area()` (line 2)"]),
    (Id::Java, &[("a.java", "class A {\n  static int f(int n) {\n    return \"0\";\n  }\n}\n")],
     &["The method is declared `int`, but line 3 returns a value of type `String`"]),
    (Id::Java, &[("a.java", "class A {\n  static int g(int n) {\n    return g(\"0\");\n  }\n}\n")], &["The types in line 3 do not fit"]),
    (Id::Java, &[("a.java", "class A {\n  static int f(int n) throw Exception {\n    return n;\n  }\n}\n")], &["In the head of a method it is `throws` (line 2)"]),
    (Id::Java, &[("a.java", "class A() {\n}\n")], &["After the name of a class there is no `()`: in line 1 write `class A {`."]),
    (Id::Java, &[("a.java", "class B {\n  B(String s) { }\n}\nclass A extends B {\n  A() {\n  }\n}\n")], &["`B`, which the class of line 5 extends, has no constructor without"]),
    (Id::Java, &[("a.java", "class B {\n  B(String s) { }\n}\nclass A extends B {\n}\n")], &["`B`, which the class of line 4 extends, has no constructor without"]),
    (Id::Java, &[("a.java", "class B {\n  B(String s) { new B(); }\n}\n")], &["`B` gets other arguments in line 2"]),
    (Id::Java, &[("a.java", "class A {\n  int n;\n  A() {\n    n = 1;\n    super();\n  }\n}\n")], &["`super(…)` in line 5 has to be the first statement"]),
    (Id::C, &[("a.c", "int f(int a, int a) { return a; }\nint main(void) { return f(1, 2); }\n")],
     &["`a` in line 1 is declared a second time"]),
    (Id::C, &[("a.c", "int f(int n) { return n; }")], &["`main`: this task wants a whole program"]),
    (Id::Cpp, &[("a.cpp", "class Solution { public: int f() { return 1; } };")], &[NO_MAIN]),
    (Id::Rust, &[("a.rs", "struct S; impl S { pub fn f() {} }")], &["`fn main`: this task"]),
    (Id::Pascal, &[("a.pas", "procedure f; begin end;")], &["There is no main program (`begin … end.`)"]),
    (Id::Go, &[("a.go", "package main\nfunc f() {}\n")], &["`func main`: this task"]),
    (Id::C, &[("a.c", "#include <conio.h>\nint main(){}")], &[CONIO]),
    (Id::Cpp, &[("a.cpp", "#include <iostream>\nint main() {\n  std::cout \"a\";\n}\n")],
     &["In line 3 a `<<` is missing between `cout` and the string."]),
    (Id::Cpp, &[("a.cpp", "class A { public: A(int) {} };\nint main() {\n  A a;\n}\n")],
     &["Line 3 makes an object of `A` without arguments, but the constructor of `A` needs some"]),
    (Id::Cpp, &[("a.cpp", "struct A { void f(int) {} };\nint main() {\n  A a;\n  a.f();\n}\n")],
     &["The call in line 4 fits no function of this name"]),
    (Id::Cpp, &[("a.cpp", "#include <Windows.h>\nint main(){}")], &["`Windows.h` exists only on Windows"]),
    (Id::Cpp, &[("a.cpp", "#include <bits/c++std.h>\nint main(){}")], &["`bits/c++std.h`; the header that includes"]),
    (Id::Cpp, &[("a.cpp", "#include <iostream.h>\nint main(){}")], &["write `#include <iostream>`"]),
    (Id::C, &[("a.c", "#include \"my\x1b[31m.h\"\nint main(){}")], &["There is no header `my\\x1b[31m.h` here (line 1)."]),
    (Id::Cpp, &[("a.cpp", "void main(){}")], &["`void main` is not standard"]),
    (Id::C, &[("a.c", "int f(int);\nint main(){ return f(1); }")], &["`f` is called, but no file"]),
    (Id::C, &[("a.c", "int main(){ return sovle(8); }")], &["`sovle` in line 1 is not declared"]),
    (Id::C, &[("a.c", "int main(){ return getch(); }")], &["`getch` exists only on Windows"]),
    (Id::C, &[("a.c", "int main(){}"), ("b.c", "int main(){}")], &["More than one of the files has a `main`."]),
    (Id::Cpp, &[("a.cpp", "#include <algorithm>\nusing namespace std;\nint count;\nint main(){ count = 1; }")],
     &["`count` (line 4) is also a name of the standard library"]),
    (Id::Cpp, &[("a.cpp", "#include <stdlib.h>\nint main(){ int *p = malloc(4); }")],
     &["C++ does not convert `void *` by itself: in line 2 write `(int*)`"]),
    // A missing semicolon, not the errors that follow from it.
    (Id::C,
     &[("a.c", "#include <stdio.h>\nint main(int c, char **v) {\n  int n = atoi(v[1])\n  printf(\"%d\", n);\n}\n")],
     &["A `;` is missing at the end of line 3."]),
    (Id::C, &[("a.c", "int main(int c, char **v) {\n  int n;\n  n = atoi(v[1])\n  return n;\n}\n")],
     &["A `;` is missing at the end of the statement in line 3"]),
    (Id::Cpp, &[("a.cpp", "#include <iostream>\nint main() {\n  std::cout << 92\n}\n")],
     &["A `;` is missing at the end of the statement in line 3"]),
    (Id::C, &[("a.c", "struct queen {\n  int x;\n}\nint main(void) {\n  return atoi(\"1\");\n}\n")],
     &["After the `}` that ends a `struct` or `class` in line 4 or above it, a `;` is missing"]),
    // The first error is the misspelt word; `atoi` is only a warning.
    (Id::C, &[("a.c", "int main(int c, char **v) {\n  int n = atoi(v[1]);\n  whlie (n > 0) {\n    n--;\n  }\n}\n")],
     &["In line 3 the compiler takes `whlie (…)` for a call: is a keyword"]),
    (Id::C, &[("a.c", "int main(int c, char **v) {\n  int n = atoi(v[1]);\n  return m;\n}\n")],
     &["`m` in line 3 is not declared"]),
    (Id::Rust, &[("src/lib.rs", ""), ("src/main.rs", "mod solver;\nfn main() {}")],
     &["There is no file of the module `solver`: submit `solver.rs` too"]),
    (Id::Rust, &[("src/lib.rs", ""), ("src/main.rs", "use rand::Rng;\nfn main() {}")], &[NO_CRATE]),
    (Id::Rust, &[("a.rs", "extern crate rayon;\nfn main() {}")], &[NO_CRATE]),
    (Id::Rust, &[("a.rs", "fn main() { stopwatch::start(); }")], &[NO_CRATE]),
    (Id::Rust, &[("a.rs", "#![feature(test)]\nfn main() {}")], &["needs the nightly compiler"]),
    (Id::Java, &[("a.java", "public class A { public static void main(String[] a) {} }\npublic class B { }")],
     &["The public class `B` has to be in a file `B.java`"]),
    (Id::Java,
     &[("a.java", "import edu.princeton.cs.algs4.StdDraw;\nclass A { public static void main(String[] a) {} }")],
     &["There is no package `edu.princeton.cs.algs4` here."]),
    (Id::Java, &[("a.java", "class A { }"), ("b.java", "class A { }")], &["The class `A` is defined more than once."]),
    (Id::Pascal, &[("a.pas", "uses board;\nbegin end.")], &["There is no unit `board` here."]),
    (Id::Pascal, &[("a.pas", "uses windows;\nbegin end.")], &["`windows` exists only on Windows"]),
    (Id::Pascal, &[("a.pas", "uses forms;\nbegin end.")], &["The unit `forms` makes windows"]),
    (Id::Pascal, &[("a.pas", "program p;\nbegin\n  if true then begin\n    writeln(1);\nend.\n")],
     &["The file seems to end too early"]),
    (Id::Pascal, &[("a.pas", "function f: integer;\nvar result: integer;\nbegin f := 1 end;\nbegin writeln(f) end.\n")],
     &["`result` is the value of the function itself"]),
    (Id::Python, &[("a.py", "n = 8\nprint n\n")], &["`print` in line 2 needs brackets in Python 3: `print(…)`."]),
    (Id::Python, &[("a.py", "try:\n    pass\nexcept (A, B), e:\n    x = raw_input()\n")], &[PYTHON_2]),
    (Id::Python, &[("a.py", "if True:\n        x = 1\n\ty = 2\n")], &["Tabs and spaces are mixed"]),
    (Id::Python, &[("a.py", "print（1）\n")], &["`（` in line 1 is a full-width sign; the program needs the half-width one, `(`."]),
    (Id::Python, &[("皇 后.py", "print(1)\nif\n"), ("b.py", "x = = 1")], &["In line 2 a `:` is missing after `if …`"]),
    (Id::Python, &[("a.py", "n = 8\nif n > 3:\n    n = 1\nelse if n > 2:\n    n = 2\n")],
     &["A further condition is written `elif …:` in Python (line 4)"]),
    (Id::Python, &[("a.py", "x = [1,\n     2\nprint(x)\n")], &["The `[` in line 1 is never closed"]),
    (Id::Java, &[("a.java", "class A { public static void main(String[] a) {\n  Scanner in = new Scanner(System.in);\n} }\n")],
     &["`Scanner` in line 2 is not known here: write `import java.util.Scanner;`"]),
    (Id::Java, &[("A.java", "class A {\n  public sttaic void main(String[] a) { }\n}\n")],
     &["Java takes `sttaic` in line 2 for the name of a type: check its spelling"]),
    (Id::Java, &[("a.java", "class A { public static void main(String[] a) {\n  int n = 1\n  n++;\n} }\n")],
     &["At the end of the statement in line 2 a `;` is missing"]),
    (Id::Java, &[("a.java", "class A {\n  static int f(int n) {\n    if (n > 0) { return 1; }\n  }\n}\n")],
     &["The method that ends in line 4 can reach its end without `return`"]),
    (Id::Java, &[("a.java", "class A {\n  static void f(int[] n) {\n    String s = n.size();\n    int i = \"a\";\n  }\n}\n")],
     &["`n` is an array and has no method `size()` (line 3)"]),
    (Id::Go, &[("a.go", "package main\n\nimport \"os\"\n\nfunc main() { x := 3 }\n")],
     &["`os` is imported and not used"]),
    (Id::Go, &[("a.go", "package main\n\nfunc main() { fmt.Println(1) }\n")], &["`fmt` is not declared"]),
    (Id::Go, &[("a.go", "package main\n\nimport _ \"github.com/x/y\"\n\nfunc main() {}\n")],
     &["`github.com/x/y` is not available here"]),
    (Id::Go, &[("a.go", "package main\n\nfunc main() { println（1） }\n")],
     &["`（` in line 3 is a full-width sign"]),
    (Id::C, &[("a.c", "#include <stdio.h>\nint main(void) {\n  int num = 1；\n  printf(\"；%d\", num); // ；\n}\n")],
     &["`；` in line 3 is a full-width sign; the program needs the half-width one, `;`."]),
    (Id::Java, &[("a.java", "class A { public static void main(String[] a) {\n  int n = 1；\n} }\n")],
     &["`；` in line 2 is a full-width sign"]),
    (Id::Cpp, &[("a.cpp", "#include <cstdio>\nint main() {\n  puts(“hello”);\n}\n")],
     &["`“` in line 3 is a typographic quotation mark; the program needs the plain one, `\"`."]),
    (Id::Rust, &[("a.rs", "fn main() {\n    println!(\"1\"）;\n}\n")], &["`）` in line 2 is a full-width sign"]),
    (Id::Python, &[("a.py", "if 1 ≤ 2:\n    print(1)\n")], &["`≤` is allowed only in strings"]),
    (Id::C, &[("a.c", "#include <string.h>\nint index; int main(void) { return index; }\n")],
     &["`index` in line 2 is also a name of the C library"]),
    // The line where the sign is missing, not the one that GCC names.
    (Id::C, &[("a.c", "int main(void) {\n  int n = 1\n\n  // next\n  return n;\n}\n")], &["A `;` is missing at the end of line 2."]),
    (Id::C, &[("a.c", "int n\nint f(void) {\n  return n;\n}\n")], &["A `;` is missing at the end of the statement in line 1"]),
    (Id::C, &[("a.c", "int f(int n) {\n  if (n) {\n    n = 2;\n  return n;\n}\n\nint main(void) {\n  return f(1);\n}\n")],
     &["The `{` in line 2 seems to have no `}`"]),
    (Id::Cpp, &[("a.cpp", "int main() {\n  for (int i = 0; i < 3; i++) {\n    int k = i;\n  return 0;\n}\n")],
     &["The `{` in line 2 seems to have no `}`"]),
    (Id::C, &[("a.c", "int main(void) {\n  int n = 1;\n  }\n  return n;\n}\n")], &["Line 4 is outside every function"]),
    (Id::Cpp, &[("a.cpp", "#include <iostream>\nint main() {\n  }\n  std::cout << 1;\n}\n")], &["Line 4 is outside every function"]),
    (Id::C, &[("a.c", "int main(void) {\n  int n = 1;\n  if (n);\n    n = 2;\n  else\n    n = 3;\n}\n")],
     &["The `else` in line 5 belongs to no `if`"]),
    (Id::C, &[("a.c", "int main(void);\n{\n}\n")], &["The `;` before the `{` in line 2"]),
    (Id::C, &[("a.c", "int main(void) {\n  int cuont = 1;\n  return count;\n}\n")], &["`count` in line 3 is not declared: is `cuont` meant"]),
    (Id::C, &[("a.c", "#include <stdio.h>\nint main(void) {\n  prinft(\"1\");\n}\n")], &["`prinft` in line 3 is not declared: is `printf` meant"]),
    (Id::C, &[("a.c", "int main(void) {\n  bool b = 1;\n  return b;\n}\n")], &["`bool` in line 2 is not declared: the one of the library needs `#include <stdbool.h>`"]),
    (Id::Cpp, &[("a.cpp", "#include <iostream>\nint main() {\n  cout << 1;\n}\n")], &["`cout` in line 3 is not declared: is `std::cout` meant"]),
    (Id::C, &[("a.c", "int main(void) {\n  int n = 1;\n  if (n => 0) n = 2;\n}\n")], &["Line 3 has an operator that does not exist"]),
    (Id::C, &[("a.c", "int main(void) {\n  int n = 1;\n  if (n % 2 = 0) n = 2;\n}\n")], &["On the left of `=` in line 3"]),
    (Id::C, &[("a.c", "int f(int a, int b) { return a; }\nint main(void) {\n  return f(1);\n}\n")], &["The call of `f` in line 3 has too few"]),
    (Id::C, &[("a.c", "int main(void) {\n  for (int i = 0, i < 3, i++) { }\n}\n")], &["In line 2 the parentheses after `for` need"]),
    (Id::Cpp, &[("a.cpp", "#include <iostream>\nusing namespace std;\nint main() {\n  int n;\n  cin > n;\n}\n")],
     &["In line 5 write `cout <<` for output"]),
    (Id::C, &[("a.c", "#include <stdio.h>\nint main(void) {\n\tint n = 1;\n\tprintf(\"%d\" n);\n}\n")], &["In line 4 a `,`, an operator or the `( )` of a call is missing"]),
    (Id::C, &[("a.c", "#include <stdio.h>\nint main(void) {\n  printf(\"1);\n}\n")], &["The quotation mark \" in line 3 is not closed"]),
    (Id::C, &[("a.c", "#include <math.h>\nint y1;\nint main(void) { return y1; }\n")], &["`y1` in line 2 is also a name of the C library"]),
    (Id::C, &[("a.c", "int main(void) {\n  char s[5];\n  s = \"abc\";\n}\n")], &["An array cannot be assigned with `=` (line 3)"]),
    (Id::C, &[("a.c", "int mian(void) {\n  return 0;\n}\n")], &["There is no `main`: is its name misspelt?"]),
    (Id::C, &[("a.c", "int main(void) {\n  string s;\n}\n")], &["C has no type `string` (line 2)"]),
    (Id::Cpp, &[("a.cpp", "class A {\n  int n;\n};\nint main() {\n  A a;\n  return a.n;\n}\n")], &["private`: line 6 is outside its class"]),
    (Id::Cpp, &[("a.cpp", "f(int n) {\n  return n;\n}\nint main() {}\n")], &["has no type: write one before it"]),
    (Id::JavaScript, &[("a.js", "console.log(1\n")], &["Unbalanced brackets near line 1"]),
    (Id::JavaScript, &[("a.js", "let n = 1;\nlet n = 2;\n")], &["`n` is declared twice"]),
    (Id::JavaScript, &[("a.cjs", "import fs from 'fs';\n")], &["name the file `.mjs`"]),
    (Id::JavaScript, &[("a.js", "function f() {\n")], &["Unbalanced brackets"]),
    (Id::C, &[("a.c", "int main(){ return 1 +; }")], &["In line 1 a value is missing before ';'"]),
];

#[test]
fn builds_that_fail_are_explained() {
    for (id, files, expected) in BUILDS {
        let files: Vec<(&str, &[u8])> = files
            .iter()
            .map(|(name, text)| (*name, text.as_bytes()))
            .collect();
        let Some(built) = build(id, &files) else {
            continue;
        };
        assert!(!built.success, "{files:?}");
        let texts = SourceText::all(&built.sources);
        let sources = ProgramSources::own(&texts);
        let advice = language(id).explain_build(built.messages.as_bytes(), &sources, false);
        matches(&english(&advice), expected, &built.messages);
    }
}

/// A run of a whole program of one file that reads no arguments.
pub(crate) fn failed(stderr: &[u8], end: End) -> FailedRun<'_> {
    FailedRun {
        stderr,
        end,
        has_authors_main: false,
        is_one_file: true,
        reads_arguments: false,
    }
}

#[track_caller]
pub(crate) fn matches(advice: &[&str], expected: &[&str], messages: &str) {
    let parts = advice
        .iter()
        .zip(expected)
        .all(|(text, part)| text.contains(part));
    let same = advice.len() == expected.len() && parts;
    assert!(
        same,
        "{advice:#?}\ninstead of {expected:#?} for:\n{messages}"
    );
}

const END_OF_INPUT: &str = "The program read more input than there is.";
const INDEX: &str = "An index lies outside its array, list or string";
const NO_NUMBER: &str = "A string could not be converted to a number";
const DEEP: &str = "The recursion is too deep";
const FULL_STACK: &str = "The stack is full. The recursion is too deep";
const SEGV: &str = "The program touched memory that is not its own (SIGSEGV).";
const UNDEFINED: &str = "A value is `undefined` or `null`";

/// The class `A` with a recursive `f`, and a `main` that throws, up to the body of `main` in line 4.
macro_rules! java {
    ($body:literal) => {
        concat!(
            "import java.util.*;\nclass A { static int f(int n) { return f(n + 1) + 1; }\n  public static void ",
            "main(String[] args) throws Exception {\n    ",
            $body,
            "\n  } }"
        )
    };
}

/// A Pascal program that fails as its input tells it to.
const PASCAL: &str = "{$R+}{$Q+}\nvar a: array[1..3] of integer; i: integer; p: ^integer; k: int64;\n\
 begin\n  readln(i);\n  \
    if i = 0 then writeln(5 div i);\n  if i = 1 then a[i + 7] := 4;\n  if i = 2 then begin p := nil; p^ := 3 end;\n  \
    if i = 3 then begin k := high(int64); k := k * i end;\n  if i = 4 then halt(9);\nend.\n";

/// Runs that fail: the source, its input, and a part of each piece of advice.
type Run = (Id, &'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const RUNS: [Run; 74] = [
    (Id::Python, "for x in [1, 2]:\n    count = count + 1\n", "",
     &["at line 2: NameError: name 'count' is not defined", "`count` has no first value to which that line could add"]),
    (Id::Python, "def f(a):\n    count += a\nf(1)\n", "", &["at line 2: UnboundLocalError", "`count` has no value yet in this function"]),
    (Id::Python, "total = 0\ntotl += 1\n", "", &["at line 2: NameError: name 'totl' is not defined. Did", "is `total` meant?"]),
    (Id::Python, "cnt = cnt + 1\n", "", &["at line 1: NameError", "`cnt` has no first value to which that line could add"]),
    (Id::Python, "print(count)\n", "", &["at line 1: NameError", "`count` is not defined: is the name misspelt"]),
    (Id::Python, "a = []\na[0] = 3\n", "", &["at line 2: IndexError", "an assignment does not make it longer"]),
    (Id::Python, "n = int('3 4')\n", "", &["at line 1: ValueError", "`values = list(map(int, input().split()))`"]),
    (Id::Python, "x = null\n", "", &["An exception ended", "`null` is Java: in Python write `None`."]),
    (Id::Python, "n = 3\nprintf(n)\n", "", &["An exception ended", "`printf` is C: in Python write `print(…)`."]),
    (Id::Python, "total = 3\nprint(toatl)\n", "", &["An exception ended", "`toatl` is not defined: is `total` meant?"]),
    (Id::Python, "n = 3.5 ^ 2\n", "", &["An exception ended", "`^` is no power in Python: write `**`."]),
    (Id::Python, "for w in \"a b\".split:\n    n = w\n", "", &["An exception ended", "A function is named there but not called"]),
    (Id::Python, "n = int(input) + 1\n", "", &["An exception ended", "A function is named there but not called"]),
    (Id::Python, "class A:\n    def _init_(self, x):\n        self.x = x\nA(3)\n", "", &["An exception ended", "The class `A` has no `__init__` that takes values"]),
    (Id::Python, "n = int(\"3 4\")\n", "", &["An exception ended", "The line holds several values"]),
    (Id::Python, "n = map(int, \"3 4\".split())\nn[0] += 1\n", "", &["An exception ended", "`map` gives its numbers one by one"]),
    (Id::Python, "import randon\n", "", &["There is no module `randon`: is `random` meant?"]),
    (Id::Python, "a = []\na['x'] = 1\n", "", &["at line 2: TypeError", "The index of a list must be a whole number"]),
    (Id::Python, "import nosuchmodule.part\n", "", &["There is no module `nosuchmodule` here"]),
    (Id::Python, "def f():\n    return int(input())\nf()\n", "",
     &["An exception ended the program at line 2: EOFError: EOF when reading a line", END_OF_INPUT]),
    (Id::Python, "n = int(input())\n", "\n", &["at line 1: ValueError: invalid literal", NO_NUMBER]),
    (Id::Python, "import sys\nprint(sys.argv[1])\n", "", &["at line 2: IndexError: list index out of range", INDEX]),
    (Id::Python, "import json\njson.loads('x')\n", "", &["at line 2: json.decoder.JSONDecodeError: Expecting value"]),
    (Id::Python, "def f(n): return f(n + 1)\nf(0)\n", "",
     &["at line 1: RecursionError: maximum", DEEP]),
    (Id::Python, "x = 1\nn = raw_input()\n", "", &["at line 2: NameError: name 'raw_input'", PYTHON_2]),
    (Id::Python, "raise ValueError('bad \\x1b[31m')\n", "", &["at line 1: ValueError: bad \\x1b[31m"]),
    (Id::Python, "exit(4)\n", "", &["exit status 4 (`exit`); only 0 means success."]),
    (Id::Java, "class Solution { int f() { return 1; } }", "",
     &["`public static void main(String[] args)`: this task"]),
    (Id::Java, java!("int n = new Scanner(System.in).nextInt();"), "", &["at line 4: java.util.NoSuch", END_OF_INPUT]),
    (Id::Java, java!("Integer.parseInt(new Scanner(System.in).nextLine());"), "8 9\n",
     &["at line 4: java.lang.NumberFormatException: For input string: \"8 9\"", NO_NUMBER]),
    (Id::Java,
     java!("Integer.parseInt(new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine());"), "",
     &["at line 4: java.lang.NumberFormatException: Cannot parse null string", "Reading returns that at the end"]),
    (Id::Java, java!("new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine().trim();"), "",
     &["at line 4: java.lang.NullPointerException: Cannot invoke \"String.trim()\"", END_OF_INPUT]),
    (Id::Java, java!("System.out.println(args[0]);"), "",
     &["at line 4: java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0", INDEX]),
    (Id::Java, java!("f(0);"), "", &["at line 2: java.lang.StackOverflowError", DEEP]),
    (Id::Java, java!("System.exit(5);"), "", &["exit status 5 (`System.exit`); only 0 means success."]),
    // Java's message is quoted in full, and that of the innermost cause.
    (Id::Java, java!("String s = System.getProperty(\"none\"); System.out.println(s.length());"), "",
     &["at line 4: java.lang.NullPointerException: Cannot invoke \"String.length()\" because \"<local1>\" is null",
       "What is before a dot or `[…]` at that place is `null`"]),
    (Id::Python, "n = input()\nprint(n + 1)\n", "5\n",
     &["at line 2: TypeError: can only concatenate", "A string and a value of type `int` cannot be added"]),
    (Id::Java,
     java!("try { new Scanner(new java.io.File(\"checker.in\")); } catch (java.io.IOException e) {\n\
     throw new Error(e); }"),
     "", &["at line 4: java.io.FileNotFoundException: checker.in (No such file or directory)"]),
    (Id::Java,
     java!("Runnable r = () -> {\nint[] a = new int[8];\na[8] = 1; };\n\
     try { r.run(); } catch (RuntimeException e) { throw new Error(e); }"),
     "", &["at line 6: java.lang.ArrayIndexOutOfBoundsException: Index 8 out of bounds", INDEX]),
    (Id::Rust,
     "fn main() {\n    let n: Vec<u32> = Vec::new();\n    println!(\"{}\", n[std::env::args().count() + 2]);\n}\n", "",
     &["The program panicked at main.rs:3:21: index out of bounds: the len is 0 but the index is 3", INDEX]),
    (Id::Rust,
     "fn main() {\n    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();\n    println!(\"{n}\");\n}\n",
     "", &["panicked at main.rs:2:42: called `Option::unwrap()`", "`unwrap` found nothing"]),
    (Id::Rust, "fn main() -> Result<(), std::num::ParseIntError> {\n    \"x\".parse::<u32>()?;\n    Ok(())\n}\n", "",
     &["`main` returned an error: ParseIntError { kind: InvalidDigit }"]),
    (Id::Rust, "fn main() { \"x\".parse::<u32>().unwrap(); }", "", &["panicked at main.rs:1:", NO_NUMBER]),
    (Id::Rust, "fn main() { std::process::exit(7) }", "", &["ended with exit status 7"]),
    (Id::Rust,
     "fn f(n: u64) -> u64 { let a = [n; 1000]; f(std::hint::black_box(a)[7] + 1) + a[3] }\n\
     fn main() { println!(\"{}\", f(0)); }",
     "", &[FULL_STACK]),
    (Id::C, "int main(int c, char **v){ *(volatile int *)0 = c; return 0; }", "", &[SEGV]),
    (Id::Cpp, "int main(int c, char **v){ *(volatile int *)0 = c; }", "", &[SEGV]),
    (Id::C, "int main(int c, char **v){ volatile int z = c - 1; return 8 / z; }", "", &["An integer division failed (SIGFPE)"]),
    // With a zero that the compiler sees, it emits a trap.
    (Id::C, "int f(int n){ if (n == 0) return 8 / n; return n; }\nint main(int c, char **v){ return f(c - 1); }", "",
     &["marked as always wrong (SIGILL)"]),
    (Id::C, "#include <stdlib.h>\nint main(){ exit(1); }", "", &["ended with exit status 1; only 0 means success."]),
    (Id::C, "#include <stdlib.h>\nint main(){ abort(); }", "", &["The program stopped itself (SIGABRT)"]),
    (Id::C, "#include <assert.h>\nint main(int c, char **v){ assert(c == 8); return 0; }", "",
     &["An `assert` of the program failed: program: main.c:2: main: Assertion `c == 8' failed."]),
    (Id::C, "#include <stdlib.h>\nint main(){ char *volatile p = malloc(8); free(p); free(p); return 0; }", "",
     &["The program damaged its memory"]),
    (Id::Cpp, "#include <vector>\nint main(){ std::vector<int> v; return v.at(8); }", "",
     &["An exception ended the program: std::out_of_range: vector::_M_range_check: __n (which is 8)", INDEX]),
    (Id::Cpp, "#include <string>\nint main(int c, char **v){ std::string s(v[1]); return s.size(); }", "",
     &["std::logic_error: basic_string: construction from null", "A string was made of a null pointer"]),
    (Id::Pascal, PASCAL, "0\n", &["Runtime error 200: division by zero."]),
    (Id::Pascal, PASCAL, "1\n", &["Runtime error 201: an index or a value out of its range."]),
    (Id::Pascal, PASCAL, "2\n", &["Runtime error 216: access to memory that is not its own"]),
    (Id::Pascal, PASCAL, "3\n", &["Runtime error 215: a whole number became too large."]),
    (Id::Pascal, PASCAL, "4\n", &["exit status 9 (`halt`); only 0 means success."]),
    (Id::Pascal, PASCAL, "x\n", &["Runtime error 106: the input is no number where one is read."]),
    (Id::Pascal, "uses sysutils;\nvar i: integer;\nbegin\n  i := strtoint('x');\nend.\n", "",
     &["An exception ended the program: EConvertError: \"x\" is an invalid integer"]),
    (Id::Go, "package main\n\nimport \"os\"\n\nfunc main() {\n\tprintln(os.Args[3])\n}\n", "",
     &["The program panicked at main.go:6: runtime error: index out of range [3] with length 1", INDEX]),
    (Id::Go, "package main\n\nfunc main() {\n\tvar p *int\n\t*p = 1\n}\n", "",
     &["panicked at main.go:5", "a `nil` pointer"]),
    (Id::Go, "package main\n\nfunc f(n int) int { return f(n+1) + 1 }\n\nfunc main() { println(f(0)) }\n", "",
     &["stack overflow", DEEP]),
    (Id::Go, "package main\n\nfunc main() { <-make(chan int) }\n", "", &["all goroutines are asleep", "a deadlock"]),
    (Id::Go, "package main\n\nimport \"os\"\n\nfunc main() { os.Exit(3) }\n", "", &["exit status 3 (`os.Exit`)"]),
    (Id::JavaScript, "\nlet a = null;\na.b;\n", "",
     &["at line 3: TypeError: Cannot read properties of null", UNDEFINED]),
    (Id::JavaScript, "function f(n) { return f(n + 1) + 1 }\nf(0);\n", "",
     &["at line 1: RangeError: Maximum call", FULL_STACK]),
    (Id::JavaScript, "require('lodash')\n", "", &["`lodash` is not available here"]),
    (Id::JavaScript, "alert(1)\n", "",
     &["at line 1: ReferenceError: alert is not defined", "exists only in a browser"]),
    (Id::JavaScript, "process.exit(4)\n", "", &["exit status 4 (`process.exit`)"]),
    (Id::JavaScript, "throw new Error('bad')\n", "", &["An exception ended the program at line 1: Error: bad"]),
    (Id::C, "#include <stdio.h>\nvoid main(){ printf(\"92\\n\"); }", "", &["ended with exit status 3"]),
];

#[test]
fn runs_that_fail_are_explained() {
    // Each is compiled and run; in `.ci/run`, a third of them.
    let step = if is_nightly() { 1 } else { 3 };
    for (id, text, stdin, expected) in RUNS.into_iter().step_by(step) {
        let name = format!("a.{}", language(id).definition.extensions[0]);
        let Some(built) = build(id, &[(&name, text.as_bytes())]) else {
            continue;
        };
        let ran = built.run(&[], stdin);
        assert!(!ran.end.is_success(), "{text}");
        let advice = language(id).explain_run(&FailedRun {
            reads_arguments: built.plan.facts.reads_arguments,
            ..failed(&ran.stderr, ran.end)
        });
        matches(
            &english(&advice),
            expected,
            &String::from_utf8_lossy(&ran.stderr),
        );
    }
}

#[test]
fn programs_that_run_out_of_memory_or_miss_a_file_are_known_for_it() {
    #[rustfmt::skip]
    let memory = [
        (Id::Python, "x = [0] * 10**17\n"),
        (Id::Java, java!("List<int[]> all = new ArrayList<>(); while (true) all.add(new int[1000000]);")),
        (Id::Rust, "fn main() { let v: Vec<u8> = Vec::with_capacity(1 << 60); std::hint::black_box(v); }"),
        (Id::Cpp, "#include <vector>\nint main(){ std::vector<char> v(1ull << 60); return v[3]; }"),
        (Id::Pascal, "begin runerror(203) end."),
        (Id::JavaScript, "const a = []; for (;;) a.push(new Array(1e6).fill(1));"),
    ];
    #[rustfmt::skip]
    let files = [
        (Id::Python, "open('x.in')\n"),
        (Id::Java, java!("new Scanner(new java.io.File(\"x.in\"));")),
        (Id::Rust, "fn main() { std::fs::File::open(\"x.in\").unwrap(); }"),
        (Id::Pascal, "begin assign(input, 'x.in'); reset(input) end."),
        (Id::C, "#include <stdio.h>\nint main(){ FILE *f = fopen(\"x.in\", \"r\"); return fgetc(f); }"),
        (Id::Go, "package main\n\nimport \"os\"\n\nfunc main() {\n\t_, err := os.Open(\"x.in\")\n\tpanic(err)\n}\n"),
        (Id::JavaScript, "require('fs').readFileSync('x.in')\n"),
    ];
    let all = memory
        .map(|it| (it, true))
        .into_iter()
        .chain(files.map(|it| (it, false)));
    for ((id, text), is_memory) in all {
        let language = language(id);
        let name = format!("a.{}", language.definition.extensions[0]);
        if let Some(built) = build(id, &[(&name, text.as_bytes())]) {
            let ran = built.run(&[], "");
            assert!(!ran.end.is_success());
            let stderr = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(
                language.ran_out_of_memory(&ran.stderr),
                is_memory,
                "{stderr}"
            );
            let missing = language.missing_file(&ran.stderr, &built.plan.facts);
            assert_eq!(
                missing.as_deref(),
                (!is_memory).then_some("x.in"),
                "{stderr}"
            );
        }
    }
}

#[test]
fn advice_that_is_known_before_the_run_is_given() {
    #[rustfmt::skip]
    let table: [(Id, &[&str], &[&str]); 3] = [
        (Id::C, &["void main(){}"], &["`void main` is not standard"]),
        (Id::Python, &["print(1)\n", "print(2)\n"], &["Several files could be the main program; `0.py` was taken."]),
        (Id::C, &["int f;"], &[]),
    ];
    for (id, texts, expected) in table {
        let extension = &language(id).definition.extensions[0];
        let files = texts.iter().enumerate();
        let sources: Vec<SourceFile> = files
            .map(|(index, text)| SourceFile::new(format!("{index}.{extension}"), text.as_bytes()))
            .collect();
        let Ok(toolchain) = language(id).find() else {
            continue;
        };
        let plan = plan(id, &sources, &toolchain, "/build".as_ref());
        matches(&english(&plan.hints), expected, "");
    }
}

#[test]
fn nothing_is_said_about_a_run_that_went_well() {
    for language in Id::ALL.map(language) {
        assert_eq!(language.explain_run(&failed(b"", End::Exited(0))), []);
        assert_eq!(
            language.explain_build(b"", &ProgramSources::default(), false),
            []
        );
        assert!(!language.ran_out_of_memory(b""));
        assert_eq!(language.missing_file(b"", &SourceFacts::default()), None);
    }
}
