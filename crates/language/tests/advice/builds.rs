//! Advice on builds that fail, and on what is known before a run.

use grader_model::LanguageId::{C, Cpp, Java, Pascal, Python, Rust};

use crate::support::{build, english};
use crate::{build_fails, run_fails};

const NO_MAIN: &str = "There is no `main`: this task wants a whole program that reads its input and prints the \
                       answer, not only a function or a `Solution` class.";

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
                "The program ended with exit status 3; only 0 means success. Look at what `main` returns and at calls \
              of `exit`."
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
        &["`sovle` is not declared: an `#include` is missing, or the name is misspelt."],
    );
    if let Some(built) = build(C, &[("a.c", b"int main(){}"), ("b.c", b"int main(){}")]) {
        assert_eq!(
            built.build_advice(),
            [
                "Each of `a.c`, `b.c` has a `main`, and a program has only one. Hand in the files of the program that \
              is to be judged, without the other programs."
            ]
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
fn a_missing_semicolon_is_not_taken_for_what_follows_from_it() {
    let in_line = |line: u32| {
        format!(
            "The compiler expected a `;` in line {line}: it is missing at the end of a statement, or an operator is \
             missing."
        )
    };
    let before_printf =
        "The compiler expected a `;` before `printf` in line 4: look at the end of the line above.";
    let undeclared = |name: &str| {
        format!("`{name}` is not declared: an `#include` is missing, or the name is misspelt.")
    };
    for (text, advice) in [
        (
            "#include <stdio.h>\nint main(int c, char **v) {\n  int n = atoi(v[1])\n  printf(\"%d\", n);\n}\n",
            vec![before_printf.to_owned()],
        ),
        (
            "int main(int c, char **v) {\n  int n;\n  n = atoi(v[1])\n  return n;\n}\n",
            vec![in_line(3)],
        ),
        (
            "struct queen {\n  int x;\n}\nint main(void) {\n  return atoi(\"1\");\n}\n",
            vec![],
        ),
        // The first error is the misspelt word, and `atoi` is only a warning.
        (
            "int main(int c, char **v) {\n  int n = atoi(v[1]);\n  whlie (n > 0) {\n    n--;\n  }\n}\n",
            vec![undeclared("whlie")],
        ),
        (
            "int main(int c, char **v) {\n  int n = atoi(v[1]);\n  return m;\n}\n",
            vec![],
        ),
    ] {
        let advice: Vec<&str> = advice.iter().map(String::as_str).collect();
        build_fails(C, "a.c", text, &advice);
    }
    build_fails(
        Cpp,
        "a.cpp",
        "#include <iostream>\nint main() {\n  std::cout << 92\n}\n",
        &[&in_line(3)],
    );
}

#[test]
fn a_module_that_was_handed_in_is_not_called_missing() {
    let main_of = |text: &str, library: &str, manifest: &str| {
        let files: [(&str, &[u8]); 3] = [
            ("Cargo.toml", manifest.as_bytes()),
            (library, b"pub fn solve(n: u32) -> u32 { n }"),
            ("src/main.rs", text.as_bytes()),
        ];
        build(Rust, &files).map(|built| built.build_advice())
    };
    let package = "[package]\nname = \"n-queens\"\n";
    for (text, library, advice) in [
        (
            "use n_queens::solve;\nfn main() { solve(8); }",
            "src/lib.rs",
            "If `n_queens` is your own `src/lib.rs`: only one crate is compiled here, so make it a module of \
             `main.rs`, with `mod lib;` and `use lib::…` instead of `use n_queens::…`.",
        ),
        (
            "mod solver;\nfn main() { solver::solve(8); }",
            "src/lib.rs",
            "No file `solver.rs` was handed in. If the module is your `src/lib.rs`, write `mod lib;` and `lib::…` \
             instead.",
        ),
        (
            "mod solver;\nfn main() { solver::solve(8); }",
            "solver.rs",
            "`solver.rs` was handed in, but `mod solver;` does not look there: the file of a module lies beside \
             `main.rs`, or in the folder of the module that declares it.",
        ),
        // Not the library, but a crate from elsewhere.
        (
            "use rand::Rng;\nfn main() {}",
            "src/lib.rs",
            "`rand` is neither in the standard library nor in the files that were handed in. Crates are not available \
             here: only `std`.",
        ),
    ] {
        if let Some(found) = main_of(text, library, package) {
            assert_eq!(found, [advice], "{text}");
        }
    }
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
