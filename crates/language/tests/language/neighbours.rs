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
const NO_NUMBER: &str = "could not be made a number";

#[rustfmt::skip]
const RUNS: [Row; 22] = [
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
    (Id::C, "damaged its own heap", "free(): double free detected in tcache 2\n", "my malloc(): out of memory\n"),
    (Id::C, "damaged its own heap", "corrupted size vs. prev_size\n", "corrupted input\n"),
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
    let index = "An index lies outside its array, list or text";
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
const BUILDS: [(Id, &str, Built, Built); 12] = [
    (Id::C, "a full-width sign", ("int n = 1；\n", "a.c:1:10: error: stray ‘\\357’ in program\n"),
     ("// 1；\nint n = 1\n", "a.c:2:10: error: expected ‘;’ at end of input\n")),
    (Id::Python, "a full-width sign", ("print（1）\n", "  File \"a.py\", line 1\nSyntaxError: invalid character '（' (U+FF08)\n"),
     ("x ≤ 1\n", "  File \"a.py\", line 1\nSyntaxError: invalid character '≤' (U+2264)\n")),
    (Id::Python, "cannot stand in a program", ("x ≤ 1\n", "  File \"a.py\", line 1\nSyntaxError: invalid character '≤' (U+2264)\n"),
     ("x = = 1\n", "  File \"a.py\", line 1\nSyntaxError: invalid syntax\n")),
    (Id::Python, "This is Python 2", ("x = raw_input()\nexcept A, e:\n", "SyntaxError: invalid syntax\n"),
     ("# no xrange here\nx = = 1\n", "SyntaxError: invalid syntax\n")),
    (Id::C, "exists only on Windows", ("#include <io.h>\n", "a.c:1:10: fatal error: io.h: No such file or directory\n"),
     ("#include \"io.h\"\n", "a.c:1:10: fatal error: io.h: No such file or directory\n")),
    (Id::C, "submit it too", ("#include \"list.h\"\n", "a.c:1:10: fatal error: list.h: No such file or directory\n"),
     ("#include \"../a.c\"\n", "a.c:1:10: fatal error: ../a.c: No such file or directory\n")),
    (Id::C, "in that place", ("#include \"../A.c\"\n", "a.c:1:10: fatal error: ../A.c: No such file or directory\n"),
     ("#include \"list.h\"\n", "a.c:1:10: fatal error: list.h: No such file or directory\n")),
    (Id::Cpp, "`void main`", ("void main() {}\n", "a.cpp:1:6: error: ‘::main’ must return ‘int’\n"),
     ("float main() {}\n", "a.cpp:1:7: error: ‘::main’ must return ‘int’\n")),
    (Id::C, "also a function of the C library", ("int index;\n", "a.c:1:5: error: ‘index’ redeclared as different kind of symbol\n"),
     ("int a; char a;\n", "a.c:1:13: error: conflicting types for ‘a’; have ‘char’\n")),
    (Id::Java, "The public class `MinMax` has to be in a file `MinMax.java`", ("public class MinMax {}\n",
      "Minmax.java:1: error: class MinMax is public, should be declared in a file named MinMax.java\n"),
     ("class A {}\nclass A {}\n", "A.java:2: error: duplicate class: A\n")),
    (Id::Java, "Neither the JDK nor", ("import a.b.C;\n", "A.java:1: error: package a.b does not exist\n"),
     ("C c;\n", "A.java:1: error: cannot find symbol\n")),
    (Id::JavaScript, "Unbalanced brackets near line 1, or a comma", ("console.log(1 2)\n", "a.js:1\nSyntaxError: missing ) after argument list\n"),
     ("let 1 = 2\n", "a.js:1\nSyntaxError: Invalid or unexpected token\n")),
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
            english(&advice).iter().any(|text| text.contains(part))
        };
        assert!(has(built), "{part}: {built:?}");
        assert!(!has(other), "{part}: {other:?}");
    }
}
