//! Advice, held against what the compilers and interpreters of this machine really say.

#![cfg(unix)]

mod support;

use grader_language::language;
use grader_model::LanguageId::{C, Cpp, Java, Pascal, Python, Rust};
use grader_model::{End, LanguageId};
use support::{build, english};

const NO_MAIN: &str = "There is no `main`: this task wants a whole program that reads its input and prints the \
                       answer, not only a function or a `Solution` class.";

/// The advice on a build that fails.
#[track_caller]
fn build_fails(id: LanguageId, name: &str, text: &str, advice: &[&str]) {
    if let Some(built) = build(id, &[(name, text.as_bytes())]) {
        let found = built.build_advice();
        assert_eq!(found, advice, "{}", built.messages());
    }
}

/// The advice on a run that fails.
#[track_caller]
fn run_fails(id: LanguageId, text: &str, stdin: &str, advice: &[&str]) {
    let name = format!("a.{}", id.extensions()[0]);
    if let Some(built) = build(id, &[(&name, text.as_bytes())]) {
        let ran = built.run(&[], stdin);
        let found = built.run_advice(&[], stdin);
        assert_eq!(found, advice, "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

/// Whether a program that takes all the memory it can get is known for it.
#[track_caller]
fn runs_out_of_memory(id: LanguageId, text: &str) {
    let name = format!("a.{}", id.extensions()[0]);
    if let Some(built) = build(id, &[(&name, text.as_bytes())]) {
        let ran = built.run(&[], "");
        assert!(!ran.end.is_success());
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert!(language(id).ran_out_of_memory(&ran.stderr), "{stderr}");
    }
    assert!(!language(id).ran_out_of_memory(b"all is well"));
}

#[test]
fn a_function_without_a_program_is_named_as_such() {
    build_fails(C, "a.c", "int f(int n) { return n; }", &[NO_MAIN]);
    build_fails(
        Cpp,
        "a.cpp",
        "class Solution { public: int f() { return 1; } };",
        &[NO_MAIN],
    );
    build_fails(
        Rust,
        "a.rs",
        "struct S; impl S { pub fn f() {} }",
        &[&NO_MAIN.replace("`main`", "`fn main`")],
    );
    build_fails(
        Pascal,
        "a.pas",
        "procedure f; begin end;",
        &[
            "There is no main program (`begin … end.`): this task wants a whole program that reads its input \
           and prints the answer.",
        ],
    );
    let java_main = NO_MAIN.replace("`main`", "`public static void main(String[] args)`");
    if let Some(built) = build(
        Java,
        &[("a.java", b"class Solution { int f() { return 1; } }")],
    ) {
        assert!(built.success);
        assert_eq!(english(&built.plan.hints), [java_main.as_str()]);
        assert_eq!(built.run_advice(&[], ""), [java_main.as_str()]);
    }
    if let Some(built) = build(C, &[("a.c", b"int f;")]) {
        assert_eq!(english(&built.plan.hints), [NO_MAIN]);
    }
}

#[test]
fn headers_that_are_not_here_are_explained() {
    let foreign = "`conio.h` exists only on Windows or DOS. Leave it out, and with it what comes from it: \
                   `getch`, `clrscr`, `Sleep`, `system(\"cls\")`, graphics.";
    build_fails(C, "a.c", "#include <conio.h>\nint main(){}", &[foreign]);
    build_fails(
        Cpp,
        "a.cpp",
        "#include <Windows.h>\nint main(){}",
        &[&foreign.replace("conio.h", "Windows.h")],
    );
    build_fails(
        Cpp,
        "a.cpp",
        "#include <bits/c++std.h>\nint main(){}",
        &["There is no `bits/c++std.h`; the header that includes everything is `bits/stdc++.h`."],
    );
    build_fails(
        Cpp,
        "a.cpp",
        "#include <iostream.h>\nint main(){}",
        &[
            "`iostream.h` is from before the standard: write `#include <iostream>` and `using namespace std;`.",
        ],
    );
    build_fails(
        C,
        "a.c",
        "#include \"my\x1b[31m.h\"\nint main(){}",
        &["There is no header `my\\x1b[31m.h` here. If it is your own, hand it in too."],
    );
    if let Some(built) = build(C, &[("a.c", b"#include <conio.h>\nint main(){}")]) {
        assert_eq!(english(&built.plan.hints), [foreign]);
    }
}

#[test]
fn void_main_is_explained_before_and_after_the_run() {
    let advice = "`void main` is not standard: write `int main` and `return 0;`, or the program seems to have failed.";
    if let Some(built) = build(
        C,
        &[(
            "a.c",
            b"#include <stdio.h>\nvoid main(){ printf(\"92\\n\"); }",
        )],
    ) {
        assert!(built.success);
        assert_eq!(english(&built.plan.hints), [advice]);
        assert_eq!(
            built.run_advice(&[], ""),
            [
                "The program ended with exit status 3; only 0 means success. Write `int main` and end it with \
              `return 0;` (`void main`, or a `main` that returns something else, leaves another status)."
            ]
        );
    }
    build_fails(Cpp, "a.cpp", "void main(){}", &[advice]);
}

#[test]
fn names_that_are_not_defined_are_explained() {
    build_fails(
        C,
        "a.c",
        "int f(int);\nint main(){ return f(1); }",
        &[
            "`f` is declared and called, but no file that was handed in defines it. Is a file missing, or is \
           the name misspelt?",
        ],
    );
    build_fails(
        C,
        "a.c",
        "int main(){ return sovle(8); }",
        &[
            "`sovle` is declared and called, but no file that was handed in defines it. Is a file missing, or \
             is the name misspelt?",
            "`sovle` is not declared: an `#include` is missing, or the name is misspelt.",
        ],
    );
    if let Some(built) = build(C, &[("a.c", b"int main(){}"), ("b.c", b"int main(){}")]) {
        assert_eq!(
            built.build_advice(),
            ["More than one of the files has a `main`. Hand in the files of one program only."]
        );
    }
    build_fails(
        Cpp,
        "a.cpp",
        "#include <algorithm>\nusing namespace std;\nint count;\nint main(){ count = 1; }",
        &[
            "A name of the program is also a name of the standard library (`using namespace std`): give it \
           another name.",
        ],
    );
    build_fails(
        Cpp,
        "a.cpp",
        "#include <stdlib.h>\nint main(){ int *p = malloc(4); }",
        &["C++ does not convert `void *` by itself. If the program is C, name the file `.c`."],
    );
}

#[test]
fn crates_are_not_available_and_that_is_said() {
    let no = |name: &str| {
        format!(
            "`{name}` is neither in the standard library nor in the files that were handed in. Crates are not \
             available here: only `std`."
        )
    };
    build_fails(Rust, "a.rs", "use rand::Rng;\nfn main() {}", &[&no("rand")]);
    build_fails(
        Rust,
        "a.rs",
        "extern crate rayon;\nfn main() {}",
        &[&no("rayon")],
    );
    build_fails(
        Rust,
        "a.rs",
        "fn main() { stopwatch::start(); }",
        &[&no("stopwatch")],
    );
    build_fails(
        Rust,
        "a.rs",
        "mod board;\nfn main() {}",
        &["The file of the module `board` was not handed in."],
    );
    build_fails(
        Rust,
        "a.rs",
        "#![feature(test)]\nfn main() {}",
        &["`#![feature(…)]` needs the nightly compiler; here is the stable one."],
    );
    let manifest = b"[dependencies]\nrand = \"0.8\"\n";
    if let Some(built) = build(
        Rust,
        &[("Cargo.toml", manifest), ("src/main.rs", b"fn main() {}")],
    ) {
        assert!(built.success);
        assert_eq!(
            english(&built.plan.hints),
            ["`Cargo.toml` names dependencies. Crates are not available here: only `std`."]
        );
    }
}

#[test]
fn mistakes_in_java_files_are_explained() {
    build_fails(
        Java,
        "a.java",
        "public class A { public static void main(String[] a) {} }\npublic class B { }",
        &["A file may have one public class only, and two files must not have the same one."],
    );
    build_fails(
        Java,
        "a.java",
        "import edu.princeton.cs.algs4.StdDraw;\nclass A { public static void main(String[] a) {} }",
        &[
            "There is no package `edu.princeton.cs.algs4` here. Only what comes with the JDK is available; a \
           file of your own has to be handed in too.",
        ],
    );
    let text = b"public class A { public static void main(String[] a) {} }";
    if let Some(built) = build(Java, &[("a.java", text), ("b.java", text)]) {
        assert_eq!(
            built.build_advice(),
            ["More than one file has a class `A`. Hand in the files of one program only."]
        );
        assert_eq!(
            english(&built.plan.hints),
            ["Several files could be the main program; `a.java` was taken."]
        );
    }
}

#[test]
fn mistakes_in_pascal_files_are_explained() {
    build_fails(
        Pascal,
        "a.pas",
        "uses board;\nbegin end.",
        &["There is no unit `board` here. If it is your own, hand it in too."],
    );
    build_fails(
        Pascal,
        "a.pas",
        "uses windows;\nbegin end.",
        &[
            "`windows` exists only on Windows or DOS. Leave it out, and with it what comes from it: `getch`, \
           `clrscr`, `Sleep`, `system(\"cls\")`, graphics.",
        ],
    );
    build_fails(
        Pascal,
        "a.pas",
        "program p;\nbegin\n  if true then begin\n    writeln(1);\nend.\n",
        &[
            "The file ends too early: an `end` is missing, or the last one has no full stop (`end.`).",
        ],
    );
    build_fails(
        Pascal,
        "a.pas",
        "function f: integer;\nvar result: integer;\nbegin f := 1 end;\nbegin writeln(f) end.\n",
        &["`result` is the value of the function itself: give your variable another name."],
    );
}

#[test]
fn python_2_and_mixed_indentation_are_explained() {
    let python2 = "This is Python 2; here is Python 3: write `print(…)`, `input()` and `range`.";
    build_fails(Python, "a.py", "n = 8\nprint n\n", &[python2]);
    build_fails(
        Python,
        "a.py",
        "try:\n    pass\nexcept (A, B), e:\n    x = raw_input()\n",
        &[python2],
    );
    build_fails(
        Python,
        "a.py",
        "if True:\n        x = 1\n\ty = 2\n",
        &["Tabs and spaces are mixed in the indentation: use one of them only."],
    );
    build_fails(
        Python,
        "a.py",
        "print（1）\n",
        &["`（` is a full-width sign; the program needs the half-width one."],
    );
    if let Some(built) = build(
        Python,
        &[("皇 后.py", b"print(1)\nif\n"), ("b.py", b"x = = 1")],
    ) {
        let messages = built.messages();
        assert!(messages.contains("File \"皇 后.py\", line 2"), "{messages}");
        assert!(messages.contains("File \"b.py\", line 1"), "{messages}");
        assert!(!messages.contains("Traceback"), "{messages}");
    }
    run_fails(
        Python,
        "x = 1\nn = raw_input()\n",
        "",
        &[
            "An exception ended the program at line 2: NameError: name 'raw_input' is not defined",
            python2,
        ],
    );
}

const END_OF_INPUT: &str = "The program read more input than there is. Look whether this task gives its data on \
                            standard input at all, and how many numbers it gives.";
const INDEX: &str = "An index lies outside its array or list; where it comes from the command line, too few \
                     arguments were expected or given.";
const NO_NUMBER: &str = "The program took something for a number that is none: an empty line, or several numbers \
                         on one line.";
const DEEP: &str = "The recursion is too deep; look whether it always reaches its end.";

#[test]
fn exceptions_of_python_are_explained() {
    run_fails(
        Python,
        "import nosuchmodule.part\n",
        "",
        &[
            "There is no module `nosuchmodule` here: only the standard library of Python is available.",
        ],
    );
    run_fails(
        Python,
        "def f():\n    return int(input())\nf()\n",
        "",
        &[
            "An exception ended the program at line 2: EOFError: EOF when reading a line",
            END_OF_INPUT,
        ],
    );
    run_fails(
        Python,
        "n = int(input())\n",
        "\n",
        &[
            "An exception ended the program at line 1: ValueError: invalid literal for int() with base 10: ''",
            NO_NUMBER,
        ],
    );
    run_fails(
        Python,
        "import sys\nprint(sys.argv[1])\n",
        "",
        &[
            "An exception ended the program at line 2: IndexError: list index out of range",
            INDEX,
        ],
    );
    run_fails(
        Python,
        "import json\njson.loads('x')\n",
        "",
        &[
            "An exception ended the program at line 2: json.decoder.JSONDecodeError: Expecting value: line 1 \
           column 1 (char 0)",
        ],
    );
    run_fails(
        Python,
        "def f(n): return f(n + 1)\nf(0)\n",
        "",
        &[
            "An exception ended the program at line 1: RecursionError: maximum recursion depth exceeded",
            "Python allows about 1000 nested calls; a deeper recursion needs `sys.setrecursionlimit`.",
        ],
    );
    run_fails(
        Python,
        "exit(4)\n",
        "",
        &["The program ended itself with exit status 4 (`exit`); only 0 means success."],
    );
    runs_out_of_memory(Python, "x = [0] * 10**17\n");
}

/// A Java program with this body.
fn java(body: &str) -> String {
    format!(
        "import java.util.*;\nclass A {{ static int f(int n) {{ return f(n + 1) + 1; }}\n  \
             public static void main(String[] args) {{\n    {body}\n  }} }}"
    )
}

#[test]
fn exceptions_of_java_are_explained() {
    run_fails(
        Java,
        &java("int n = new Scanner(System.in).nextInt();"),
        "",
        &[
            "An exception ended the program at line 4: java.util.NoSuchElementException",
            END_OF_INPUT,
        ],
    );
    run_fails(
        Java,
        &java("Integer.parseInt(new Scanner(System.in).nextLine());"),
        "8 9\n",
        &[
            "An exception ended the program at line 4: java.lang.NumberFormatException: For input string: \"8 9\"",
            NO_NUMBER,
        ],
    );
    run_fails(
        Java,
        &java("System.out.println(args[0]);"),
        "",
        &[
            "An exception ended the program at line 4: java.lang.ArrayIndexOutOfBoundsException: Index 0 out of \
             bounds for length 0",
            INDEX,
        ],
    );
    run_fails(
        Java,
        &java("f(0);"),
        "",
        &[
            "An exception ended the program at line 2: java.lang.StackOverflowError",
            DEEP,
        ],
    );
    run_fails(
        Java,
        &java("System.exit(5);"),
        "",
        &["The program ended itself with exit status 5 (`System.exit`); only 0 means success."],
    );
    runs_out_of_memory(
        Java,
        &java("List<int[]> all = new ArrayList<>(); while (true) all.add(new int[1000000]);"),
    );
}

#[test]
fn panics_of_rust_are_explained() {
    run_fails(
        Rust,
        "fn main() {\n    let n: Vec<u32> = Vec::new();\n    println!(\"{}\", n[std::env::args().count() + 2]);\n}\n",
        "",
        &[
            "The program panicked at main.rs:3:21: index out of bounds: the len is 0 but the index is 3",
            INDEX,
        ],
    );
    run_fails(
        Rust,
        "fn main() {\n    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();\n    println!(\"{n}\");\n}\n",
        "",
        &[
            "The program panicked at main.rs:2:42: called `Option::unwrap()` on a `None` value",
            "`unwrap` found nothing: input or a command-line argument may be missing.",
        ],
    );
    run_fails(
        Rust,
        "fn main() -> Result<(), std::num::ParseIntError> {\n    \"x\".parse::<u32>()?;\n    Ok(())\n}\n",
        "",
        &["`main` returned an error: ParseIntError { kind: InvalidDigit }"],
    );
    run_fails(
        Rust,
        "fn main() { std::process::exit(7) }",
        "",
        &["The program ended itself with exit status 7; only 0 means success."],
    );
    run_fails(
        Rust,
        "fn f(n: u64) -> u64 { let a = [n; 1000]; f(std::hint::black_box(a)[7] + 1) + a[3] }\nfn main() { println!(\"{}\", f(0)); }",
        "",
        &[DEEP],
    );
    runs_out_of_memory(
        Rust,
        "fn main() { let v: Vec<u8> = Vec::with_capacity(1 << 60); std::hint::black_box(v); }",
    );
}

#[test]
fn ends_of_native_programs_are_explained() {
    const SEGV: &str = "The program touched memory that is not its own (SIGSEGV). Usual causes: an index outside \
                        its array, a null pointer, or recursion that never ends.";
    run_fails(
        C,
        "int main(int c, char **v){ *(volatile int *)0 = c; return 0; }",
        "",
        &[SEGV],
    );
    run_fails(
        Cpp,
        "int main(int c, char **v){ *(volatile int *)0 = c; }",
        "",
        &[SEGV],
    );
    run_fails(
        C,
        "int main(int c, char **v){ volatile int z = c - 1; return 8 / z; }",
        "",
        &["The program divided an integer by zero (SIGFPE); `%` by zero counts too."],
    );
    run_fails(
        C,
        "#include <stdlib.h>\nint main(){ abort(); }",
        "",
        &[
            "The program stopped itself (SIGABRT): a failed `assert`, an exception that nobody caught, or \
           memory that was freed twice or overwritten.",
        ],
    );
    run_fails(
        C,
        "#include <assert.h>\nint main(int c, char **v){ assert(c == 8); return 0; }",
        "",
        &["An `assert` of the program failed: program: main.c:2: main: Assertion `c == 8' failed."],
    );
    run_fails(
        C,
        "#include <stdlib.h>\nint main(){ char *volatile p = malloc(8); free(p); free(p); return 0; }",
        "",
        &[
            "The program damaged its own heap: memory freed twice, or written behind the end of an array.",
        ],
    );
    run_fails(
        Cpp,
        "#include <vector>\nint main(){ std::vector<int> v; return v.at(8); }",
        "",
        &[
            "An exception ended the program: std::out_of_range: vector::_M_range_check: __n (which is 8) >= \
             this->size() (which is 0)",
            INDEX,
        ],
    );
    run_fails(
        Cpp,
        "#include <string>\nint main(int c, char **v){ std::string s(v[1]); return s.size(); }",
        "",
        &[
            "An exception ended the program: std::logic_error: basic_string: construction from null is not valid",
            "A string was made of a null pointer; is a command-line argument missing?",
        ],
    );
    runs_out_of_memory(
        Cpp,
        "#include <vector>\nint main(){ std::vector<char> v(1ull << 60); return v[3]; }",
    );
}

#[test]
fn runtime_errors_of_pascal_are_explained() {
    let program = "{$R+}{$Q+}\nvar a: array[1..3] of integer; i: integer; p: ^integer; k: int64;\nbegin\n  readln(i);\n  \
                   if i = 0 then writeln(5 div i);\n  if i = 1 then a[i + 7] := 4;\n  \
                   if i = 2 then begin p := nil; p^ := 3 end;\n  if i = 3 then begin k := high(int64); k := k * i end;\n  \
                   if i = 4 then halt(9);\n  if i = 5 then runerror(203);\nend.\n";
    let Some(built) = build(Pascal, &[("a.pas", program.as_bytes())]) else {
        return;
    };
    let advice = |input: &str| built.run_advice(&[], input);
    assert_eq!(advice("0\n"), ["Runtime error 200: division by zero."]);
    assert_eq!(
        advice("1\n"),
        ["Runtime error 201: an index or a value out of its range."]
    );
    assert_eq!(
        advice("2\n"),
        [
            "Runtime error 216: access to memory that is not its own: an index outside its array, a `nil` \
          pointer, or recursion without end."
        ]
    );
    assert_eq!(
        advice("3\n"),
        ["Runtime error 215: a whole number became too large."]
    );
    assert_eq!(
        advice("4\n"),
        ["The program ended itself with exit status 9 (`halt`); only 0 means success."]
    );
    assert_eq!(
        advice("x\n"),
        ["Runtime error 106: the input is no number where one is read."]
    );
    assert!(language(Pascal).ran_out_of_memory(&built.run(&[], "5\n").stderr));
    run_fails(
        Pascal,
        "uses sysutils;\nvar i: integer;\nbegin\n  i := strtoint('x');\nend.\n",
        "",
        &["An exception ended the program: EConvertError: \"x\" is an invalid integer"],
    );
}

#[test]
fn nothing_is_said_about_a_run_that_went_well() {
    for id in LanguageId::ALL {
        assert_eq!(language(id).explain_run(b"", End::Exited(0)), []);
        assert_eq!(language(id).explain_build(b"", &[]), []);
        assert!(!language(id).ran_out_of_memory(b""));
    }
}
