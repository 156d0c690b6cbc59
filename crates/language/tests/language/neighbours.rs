//! What is said of a program must be true of it: for each piece of advice a program's messages, and those of a program that
//! only looks like it.

use grader_language::{FailedRun, ProgramSources, SourceText};
use grader_model::{End, LanguageId as Id, SourceFile};

use crate::advice::failed;
use crate::support::{english, language};

/// A language, a part of the advice, the standard error of a run of which it is true, and of one of which it is false.
type Row = (Id, &'static str, &'static str, &'static str);

const NO_INPUT: &str = "read more input than there is";
const INDEX: &str = "index lies outside";
const NO_NUMBER: &str = "could not be converted to a number";

#[rustfmt::skip]
const RUNS: [Row; 32] = [
    (Id::Python, "in Python write `True`", "NameError: name 'true' is not defined. Did you mean: 'True'?\n", "NameError: name 'truth' is not defined\n"),
    (Id::Python, "write `import math`", "NameError: name 'math' is not defined\n", "NameError: name 'maths' is not defined\n"),
    (Id::Python, "is `sum` meant?", "NameError: name 'smu' is not defined. Did you mean: 'sum'?\n", "NameError: name 'smu' is not defined\n"),
    (Id::Python, "A value there is `None`", "TypeError: 'NoneType' object is not subscriptable\n", "TypeError: 'int' object is not subscriptable\n"),
    (Id::Python, "as a value is a string", "TypeError: '<' not supported between instances of 'str' and 'int'\n", "TypeError: '<' not supported between instances of 'list' and 'int'\n"),
    (Id::Python, "is called with the wrong number", "TypeError: f() missing 1 required positional argument: 'b'\n", "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'list'\n"),
    (Id::Python, "needs at least one element", "IndexError: pop from empty list\n", "IndexError: list index out of range\n"),
    (Id::Python, "There is no key", "KeyError: 'a'\n", "KeyError: 'pop from an empty set'\n"),
    (Id::Python, "is `len(…)`", "AttributeError: 'list' object has no attribute 'length'\n", "AttributeError: 'Box' object has no attribute 'length'\n"),
    (Id::Python, "The program divides by 0", "ZeroDivisionError: division by zero\n", "ZeroDivisionError: 0.0 cannot be raised to a negative power\n"),
    (Id::Python, "windows or graphics", "ModuleNotFoundError: No module named 'tkinter'\n",
     "ModuleNotFoundError: No module named 'helper'\n"),
    (Id::Python, "this Python does not have it", "ModuleNotFoundError: No module named 'helper'\n",
     "ImportError: cannot import name 'f' from 'helper' (helper.py)\n"),
    (Id::Python, NO_INPUT, "EOFError: EOF when reading a line\n", "EOFError: Ran out of input\n"),
    (Id::Python, INDEX, "IndexError: list index out of range\n", "IndexError: pop from empty list\n"),
    (Id::Python, INDEX, "IndexError: string index out of range\n",
     "IndexError: Replacement index 1 out of range for positional args tuple\n"),
    (Id::Python, "setrecursionlimit", "RecursionError: maximum recursion depth exceeded\n", "RecursionError: my own\n"),
    (Id::Python, NO_NUMBER, "ValueError: invalid literal for int() with base 10: '3.5'\n", "ValueError: too many values to unpack\n"),
    (Id::Java, NO_INPUT, "Exception in thread \"main\" java.util.NoSuchElementException\n\tat java.base/java.util.Scanner.throwFor(Scanner.java:937)\n\tat A.main(A.java:4)\n",
     "Exception in thread \"main\" java.util.NoSuchElementException\n\tat java.base/java.util.ArrayList$Itr.next(ArrayList.java:970)\n\tat A.main(A.java:4)\n"),
    (Id::Java, NO_INPUT, "Exception in thread \"main\" java.lang.NullPointerException: Cannot invoke \"String.trim()\" because the return value of \"java.io.BufferedReader.readLine()\" is null\n\tat A.main(A.java:4)\n",
     "Exception in thread \"main\" java.lang.NumberFormatException: Cannot parse null string: null\n\tat A.main(A.java:4)\n"),
    (Id::Java, "opens a window", "Exception in thread \"main\" java.awt.HeadlessException\n\tat A.main(A.java:4)\n",
     "Exception in thread \"main\" java.lang.IllegalStateException\n\tat A.main(A.java:4)\n"),
    (Id::C, "damaged its memory", "free(): double free detected in tcache 2\n", "my malloc(): out of memory\n"),
    (Id::C, "damaged its memory", "corrupted size vs. prev_size\n", "corrupted input\n"),
    (Id::C, "past the end of a local variable", "*** stack smashing detected ***: terminated\n", "no stack smashing detected\n"),
    (Id::Cpp, INDEX, "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check: __n (which is 8) >= this->size() (which is 0)\n",
     "terminate called after throwing an instance of 'std::out_of_range'\n  what():  stoi\n"),
    (Id::Cpp, "the map does not have", "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n",
     "terminate called after throwing an instance of 'std::out_of_range'\n  what():  my own\n"),
    (Id::Cpp, NO_NUMBER, "terminate called after throwing an instance of 'std::invalid_argument'\n  what():  stoi\n",
     "terminate called after throwing an instance of 'std::invalid_argument'\n  what():  negative size\n"),
    (Id::Cpp, "made of a null pointer", "terminate called after throwing an instance of 'std::logic_error'\n  what():  basic_string: construction from null is not valid\n",
     "terminate called after throwing an instance of 'std::logic_error'\n  what():  the list is null\n"),
    (Id::Rust, INDEX, "thread 'main' panicked at main.rs:3:5:\nindex out of bounds: the len is 0 but the index is 3\n",
     "thread 'main' panicked at main.rs:3:5:\ncalled `Result::unwrap()` on an `Err` value: TryFromIntError(()) out of range integral type conversion attempted\n"),
    (Id::Rust, INDEX, "thread 'main' panicked at main.rs:3:5:\nrange end index 5 out of range for slice of length 3\n",
     "thread 'main' panicked at main.rs:3:5:\nthe value is out of range\n"),
    (Id::Go, "a `nil` pointer", "panic: runtime error: invalid memory address or nil pointer dereference\n", "panic: nil pointer\n"),
    (Id::JavaScript, "only in a browser", "ReferenceError: alert is not defined\n    at main.js:1:1\n",
     "ReferenceError: require is not defined in ES module scope\n    at main.js:1:1\n"),
    (Id::JavaScript, "The stack is full", "RangeError: Maximum call stack size exceeded\n", "RangeError: Invalid array length\n"),
];

#[test]
fn what_is_said_of_a_run_is_not_said_of_one_that_only_looks_like_it() {
    for (id, part, stderr, other) in RUNS {
        let has = |stderr: &str| {
            let end = match id {
                Id::C | Id::Cpp => End::Signalled(6),
                _ => End::Exited(1),
            };
            let advice = language(id).explain_run(&failed(stderr.as_bytes(), end));
            english(&advice).iter().any(|text| text.contains(part))
        };
        assert!(has(stderr), "{part}: {stderr}");
        assert!(!has(other), "{part}: {other}");
    }
    // What the program printed itself.
    let said = language(Id::C).explain_run(&failed(b"free(): done\n", End::Exited(1)));
    assert_eq!(english(&said).len(), 1);
    assert!(
        said[0]
            .en
            .starts_with("The program ended with exit status 1")
    );
}

#[test]
fn arguments_and_files_are_named_only_where_there_are_any() {
    let stderr = b"Traceback (most recent call last):\n  File \"main.py\", line 10, in <module>\n\
        IndexError: list index out of range\n";
    let run = failed(stderr, End::Exited(1));
    let headline = "An exception ended the program at line 10: IndexError: list index out of range";
    let of_file = headline.replace("line 10", "line 10 of `main.py`");
    let index = "An index lies outside its array, list or string";
    let argument = ", or the program reads a command-line argument that it was not given";
    #[rustfmt::skip]
    let table = [
        (run, headline, format!("{index}.")),
        (FailedRun { reads_arguments: true, ..run }, headline, format!("{index}{argument}.")),
        (FailedRun { is_one_file: false, ..run }, &of_file, format!("{index}.")),
        // The author's `main.py` reads the arguments.
        (FailedRun { has_authors_main: true, reads_arguments: true, ..run }, &of_file, format!("{index}.")),
    ];
    for (run, headline, advice) in table {
        let said = language(Id::Python).explain_run(&run);
        assert_eq!(english(&said), [headline, &advice]);
    }
}

/// A source, and the messages about it.
type Built = (&'static str, &'static str);

#[rustfmt::skip]
const BUILDS: [(Id, &str, Built, Built); 45] = [
    (Id::C, "a full-width sign", ("int n = 1；\n", "a.c:1:10: error: stray ‘\\357’ in program\n"),
     ("// 1；\nint n = 1\n", "a.c:2:10: error: expected ‘;’ at end of input\n")),
    (Id::Python, "a full-width sign", ("print（1）\n", "  File \"a.py\", line 1\nSyntaxError: invalid character '（' (U+FF08)\n"),
     ("x ≤ 1\n", "  File \"a.py\", line 1\nSyntaxError: invalid character '≤' (U+2264)\n")),
    (Id::Python, "is allowed only in strings", ("x ≤ 1\n", "  File \"a.py\", line 1\nSyntaxError: invalid character '≤' (U+2264)\n"),
     ("x = = 1\n", "  File \"a.py\", line 1\nSyntaxError: invalid syntax\n")),
    (Id::Python, "This is Python 2", ("x = raw_input()\nprint `x`\n", "  File \"a.py\", line 2\n    print `x`\n          ^\nSyntaxError: invalid syntax\n"),
     ("# no xrange here\nx = = 1\n", "  File \"a.py\", line 2\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n")),
    (Id::C, "exists only on Windows", ("#include <io.h>\n", "a.c:1:10: fatal error: io.h: No such file or directory\n"),
     ("#include \"io.h\"\n", "a.c:1:10: fatal error: io.h: No such file or directory\n")),
    (Id::C, "submit it too", ("#include \"list.h\"\n", "a.c:1:10: fatal error: list.h: No such file or directory\n"),
     ("#include \"../a.c\"\n", "a.c:1:10: fatal error: ../a.c: No such file or directory\n")),
    (Id::C, "in that place", ("#include \"../A.c\"\n", "a.c:1:10: fatal error: ../A.c: No such file or directory\n"),
     ("#include \"list.h\"\n", "a.c:1:10: fatal error: list.h: No such file or directory\n")),
    (Id::Cpp, "`void main`", ("void main() {}\n", "a.cpp:1:6: error: ‘::main’ must return ‘int’\n"),
     ("float main() {}\n", "a.cpp:1:7: error: ‘::main’ must return ‘int’\n")),
    (Id::C, "also a name of the C library", ("int index;\n", "a.c:1:5: error: ‘index’ redeclared as different kind of symbol\nfoo /usr/include/strings.h:61:14: note: previous declaration of ‘index’\n"),
     ("int a; char a;\n", "a.c:1:13: error: conflicting types for ‘a’; have ‘char’\n")),
    (Id::Java, "The public class `MinMax` has to be in a file `MinMax.java`", ("public class MinMax {}\n",
      "Minmax.java:1: error: class MinMax is public, should be declared in a file named MinMax.java\n"),
     ("class A {}\nclass A {}\n", "A.java:2: error: duplicate class: A\n")),
    (Id::Java, "Neither the JDK nor", ("import a.b.C;\n", "A.java:1: error: package a.b does not exist\n"),
     ("C c;\n", "A.java:1: error: cannot find symbol\n")),
    // The same message, but the statement ends elsewhere, or the word is misspelt.
    (Id::C, "`;` is missing at the end of line 1.", ("int n = 1\nint m;\n", "a.c:2:1: error: expected ‘,’ or ‘;’ before ‘int’\n"),
     ("int n = 1 int m;\n", "a.c:1:11: error: expected ‘,’ or ‘;’ before ‘int’\n")),
    (Id::C, "`;` is missing at the end of the statement", ("{\n  n = f(1)\n  m = 2;\n}\n", "a.c:2:11: error: expected ‘;’ before ‘m’\n"),
     ("{\n  whlie (n)\n  {\n  }\n}\n", "a.c:2:12: error: expected ‘;’ before ‘{’ token\n")),
    (Id::C, "operator that does not exist", ("if (a => b)\n", "a.c:1:8: error: expected expression before ‘>’ token\n"),
     ("if (a > > b)\n", "a.c:1:9: error: expected expression before ‘>’ token\n")),
    (Id::C, "outside every function", ("}\n  return 1;\n}\n", "a.c:2:3: error: expected identifier or ‘(’ before ‘return’\n"),
     ("int return;\n", "a.c:1:5: error: expected identifier or ‘(’ before ‘return’\n")),
    (Id::C, "outside every function", ("}\n  count++;\n}\n", "a.c:2:8: error: expected ‘=’, ‘,’, ‘;’, ‘asm’ or ‘__attribute__’ before ‘++’ token\n"),
     ("int j, k\n  for (;;) {\n", "a.c:2:3: error: expected ‘=’, ‘,’, ‘;’, ‘asm’ or ‘__attribute__’ before ‘for’\n")),
    (Id::C, "A `)` is missing", ("if (f(1) {\n", "a.c:1:9: error: expected ‘)’ before ‘{’ token\n"),
     ("fi (f(1)) {\n", "a.c:1:10: error: expected ‘;’ before ‘{’ token\n")),
    (Id::C, "needs `#include <stdio.h>`", ("p = NULL;\n", "a.c:1:5: error: ‘NULL’ undeclared (first use in this function)\na.c:1:1: note: ‘NULL’ is defined in header ‘<stdio.h>’; did you\n"),
     ("p = q;\n", "a.c:1:5: error: ‘q’ undeclared (first use in this function)\na.c:2:1: error: ‘NULL’ undeclared\na.c:1:1: note: ‘NULL’ is defined in header ‘<stdio.h>’; did you\n")),
    // An error in a header is not at this line of the program.
    (Id::Cpp, "in line 1", ("a + b;\n", "a.cpp:1:3: error: invalid operands to binary + (have ‘A’ and ‘B’)\n"),
     ("a + b;\n", "/usr/include/c++/12/x.h:1:3: error: invalid operands to binary + (have ‘A’ and ‘B’)\n")),
    (Id::JavaScript, "Unbalanced brackets near line 1, or a comma", ("console.log(1 2)\n", "a.js:1\nSyntaxError: missing ) after argument list\n"),
     ("let 1 = 2\n", "a.js:1\nSyntaxError: Invalid or unexpected token\n")),
    (Id::Java, "must be written in small letters", ("", "A.java:7: error: ';' expected\n    While (x < 3) {\n                  ^\n"),
     ("", "A.java:7: error: ';' expected\n    whlie (x < 3) {\n                  ^\n")),
    (Id::Java, "needs two `;` between", ("", "A.java:7: error: ';' expected\n    for (int i = 0; i < n, i++) {\n                         ^\n"),
     ("", "A.java:7: error: ';' expected\n    for (int i = 0; i < n; i++) f()\n                                   ^\n")),
    (Id::Java, "At the end of the statement", ("", "A.java:7: error: ';' expected\n    return a * 2\n                ^\n"),
     ("", "A.java:7: error: ';' expected\n    int a b = 2;\n         ^\n")),
    (Id::Java, "does not expect the `{`", ("", "A.java:7: error: ';' expected\n    int twice(int q) {\n             ^\n"),
     ("", "A.java:7: error: ';' expected\n    String my name = read();\n             ^\n")),
    (Id::Java, "write `import java.util.Map;`", ("", "A.java:7: error: cannot find symbol\n    Map<String, Integer> m;\n    ^\n  symbol:   class Map\n  location: class A\n"),
     ("", "A.java:7: error: cannot find symbol\n    Map.put(1);\n       ^\n  symbol:   method put(int)\n  location: interface Map\n")),
    (Id::Java, "`name` has the type `String`, which has no field `length`", ("", "A.java:7: error: cannot find symbol\n    name.length;\n        ^\n  symbol:   variable length\n  location: variable name of type String\n"),
     ("", "A.java:7: error: cannot find symbol\n    length = 3;\n    ^\n  symbol:   variable length\n  location: class String\n")),
    (Id::Java, "is not declared where line 7 uses it", ("", "A.java:7: error: cannot find symbol\n    x = sum;\n        ^\n  symbol:   variable sum\n  location: class A\n"),
     ("", "A.java:7: error: cannot find symbol\n    a.sum = 1;\n     ^\n  symbol:   variable sum\n  location: variable a of type A\n")),
    (Id::Java, "is `System` meant?", ("", "A.java:7: error: package system does not exist\n    system.out.println(1);\n          ^\n"),
     ("", "A.java:7: error: package system.io does not exist\n    import system.io.File;\n                    ^\n")),
    (Id::Java, "is not allowed inside a method", ("", "A.java:7: error: illegal start of expression\n    public static int f() {\n    ^\n"),
     ("", "A.java:7: error: illegal start of expression\n    if (x > ) {\n            ^\n")),
    (Id::Java, "There is no such operator", ("", "A.java:7: error: illegal start of expression\n    if (a => b) {\n           ^\n"),
     ("", "A.java:7: error: illegal start of expression\n    a = > b;\n        ^\n")),
    (Id::Java, "The statement in line 7 is outside", ("", "A.java:7: error: <identifier> expected\n    counter++;\n           ^\n"),
     ("", "A.java:7: error: <identifier> expected\n    forceX.(other);\n           ^\n")),
    (Id::Java, "a type or a name is missing", ("", "A.java:7: error: <identifier> expected\n    static int f(a, b) {\n                  ^\n"),
     ("", "A.java:7: error: <identifier> expected\n    public class {\n                ^\n")),
    (Id::Java, "it closes nothing, as the class", ("", "A.java:7: error: class, interface, enum, or record expected\n    }\n    ^\n"),
     ("", "A.java:7: error: class, interface, enum, or record expected\n    public clas A {\n           ^\n")),
    (Id::Java, "to compare, write `==`", ("", "A.java:7: error: incompatible types: int cannot be converted to boolean\n    if (m = 3) {\n          ^\n"),
     ("", "A.java:7: error: incompatible types: int cannot be converted to boolean\n    if (m) {\n        ^\n")),
    (Id::Java, "Only a variable can get a value", ("", "A.java:7: error: unexpected type\n    x + 1 = 2;\n      ^\n  required: variable\n  found:    value\n"),
     ("", "A.java:7: error: unexpected type\n    List<int> l;\n         ^\n  required: reference\n  found:    int\n")),
    (Id::Java, "cannot be compared at once", ("", "A.java:7: error: bad operand types for binary operator '<'\n    if (0 < x < 9) {\n              ^\n  first type:  boolean\n  second type: int\n"),
     ("", "A.java:7: error: bad operand types for binary operator '<'\n    if (s < 9) {\n          ^\n  first type:  String\n  second type: int\n")),
    (Id::Java, "a `)` is missing after", ("", "A.java:7: error: ')' expected\n    f(a;\n       ^\n"),
     ("", "A.java:7: error: ')' expected\n    for (i = 0; i < 3; i++;) {\n                          ^\n")),
    (Id::Java, "`println` prints one value", ("", "A.java:7: error: no suitable method found for println(String,int)\n    out.println(\"a\", x);\n       ^\n    method PrintStream.println() is not applicable\n"),
     ("", "A.java:7: error: no suitable method found for print(no arguments)\n    out.print();\n       ^\n    method PrintStream.print(int) is not applicable\n")),
    (Id::Python, "At the end of line 7 a `:` is missing", ("", "  File \"a.py\", line 7\n    if x > 3\n            ^\nSyntaxError: expected ':'\n"),
     ("", "  File \"a.py\", line 7\n    def f(x) pass\n             ^\nSyntaxError: expected ':'\n")),
    (Id::Python, "Python has no braces", ("", "  File \"a.py\", line 7\n    if x > 3 {\n             ^\nSyntaxError: invalid syntax\n"),
     ("", "  File \"a.py\", line 7\n    x = {1 2}\n         ^\nSyntaxError: invalid syntax. Perhaps you forgot a comma?\n")),
    (Id::Python, "to compare, write `==`", ("", "  File \"a.py\", line 7\n    if x > 2 and y = 3:\n                   ^\nSyntaxError: invalid syntax\n"),
     ("", "  File \"a.py\", line 7\n    x = = 3\n        ^\nSyntaxError: invalid syntax\n")),
    (Id::Python, "is a word of Python itself", ("", "  File \"a.py\", line 7\n    class = 3\n          ^\nSyntaxError: invalid syntax\n"),
     ("", "  File \"a.py\", line 7\n    klass = = 3\n            ^\nSyntaxError: invalid syntax\n")),
    (Id::Python, "neither `++` nor `--`", ("", "  File \"a.py\", line 7\n    i++\n       ^\nSyntaxError: invalid syntax\n"),
     ("", "  File \"a.py\", line 7\n    i + )\n        ^\nSyntaxError: unmatched ')'\n")),
    (Id::Python, "does not directly follow", ("", "  File \"a.py\", line 7\n    else:\n    ^\nSyntaxError: invalid syntax\n"),
     ("", "  File \"a.py\", line 7\n    x = 3 if y else :\n                    ^\nSyntaxError: invalid syntax\n")),
    (Id::Python, "variable is written `x = 3`", ("", "  File \"a.py\", line 7\n    int x = 3\n        ^\nSyntaxError: invalid syntax\n"),
     ("", "  File \"a.py\", line 7\n    my x = 3\n       ^\nSyntaxError: invalid syntax\n")),
];

#[test]
fn what_is_said_of_a_build_is_not_said_of_one_that_only_looks_like_it() {
    for (id, part, built, other) in BUILDS {
        let has = |(source, messages): Built| {
            let name = format!("a.{}", language(id).definition.extensions[0]);
            let files = [SourceFile::new(name, source.as_bytes())];
            let texts = SourceText::all(&files);
            let sources = ProgramSources::own(&texts);
            let advice = language(id).explain_build(messages.as_bytes(), &sources, false);
            assert!(advice.len() < 2, "{advice:?}");
            english(&advice).iter().any(|text| text.contains(part))
        };
        assert!(has(built), "{part}: {built:?}");
        assert!(!has(other), "{part}: {other:?}");
    }
}
