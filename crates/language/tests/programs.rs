//! Real programs, built and run by the compilers of this machine.

#![cfg(unix)]

mod support;

use grader_language::{language, recognise};
use grader_model::LanguageId;
use support::{build, english};

/// One program per language: prints its first argument, the number it reads plus one, and two characters.
const HELLO: [(LanguageId, &str, &str); 6] = [
    (
        LanguageId::C,
        "c",
        "#include <stdio.h>\n#include <math.h>\n/* 皇后 */\nint main(int argc, char *argv[]) {\n  int n;\n  \
         if (scanf(\"%d\", &n) != 1) return 1;\n  printf(\"%s %d 皇后\\n\", argv[1], (int)pow(n, 1) + 1);\n  return 0;\n}\n",
    ),
    (
        LanguageId::Cpp,
        "cpp",
        "#include <bits/stdc++.h>\nusing namespace std; // 皇后\nint main(int argc, char **argv) {\n  int n;\n  cin >> n;\n  \
         cout << argv[1] << ' ' << n + 1 << \" 皇后\" << endl;\n}\n",
    ),
    (
        LanguageId::Rust,
        "rs",
        "// 皇后\nfn main() {\n    let mut line = String::new();\n    std::io::stdin().read_line(&mut line).unwrap();\n    \
         let n: u32 = line.trim().parse().unwrap();\n    println!(\"{} {} 皇后\", std::env::args().nth(1).unwrap(), n + 1);\n}\n",
    ),
    (
        LanguageId::Java,
        "java",
        "import java.util.Scanner;\n// 皇后\npublic class Queens {\n  public static void main(String[] args) {\n    \
         int n = new Scanner(System.in).nextInt();\n    System.out.println(args[0] + \" \" + (n + 1) + \" 皇后\");\n  }\n}\n",
    ),
    (
        LanguageId::Pascal,
        "pas",
        "program hello; { 皇后 }\nuses math;\nvar n: integer;\nbegin\n  readln(n);\n  \
         writeln(paramstr(1), ' ', n + 1, ' 皇后');\nend.\n",
    ),
    (
        LanguageId::Python,
        "py",
        "import sys  # 皇后\nn = int(input())\nprint(sys.argv[1], n + 1, '皇后')\n",
    ),
];

/// Names that a shell, a compiler or a response file could take for something else.
const NAMES: [&str; 6] = [
    "八皇后 问题",
    "P1219 [USACO1.5]八皇后 #92",
    "-o x",
    "@皇后",
    "a'b\"c$(x);&|",
    "queens",
];

#[test]
fn a_program_is_built_and_run_in_every_language_under_any_name() {
    for ((id, extension, text), name) in HELLO.iter().zip(NAMES.iter().cycle().skip(1)) {
        for name in [name, NAMES[0]] {
            let name = format!("{name}.{extension}");
            let Some(built) = build(*id, &[(&name, text.as_bytes())]) else {
                continue;
            };
            assert_eq!(built.plan.hints, [], "{name}");
            assert_eq!(
                built.prints(&["-x"], "70000\n"),
                "-x 70001 皇后\n",
                "{name}"
            );
            assert_eq!(built.messages(), "", "{name}");
        }
    }
}

#[test]
fn input_and_arguments_are_seen_in_every_language() {
    for (id, extension, text) in HELLO {
        let sources = support::sources(&[(&format!("a.{extension}"), text.as_bytes())]);
        assert_eq!(recognise(&sources), Some(id));
        assert_eq!(
            recognise(&support::sources(&[("a.txt", text.as_bytes())])),
            Some(id)
        );
        assert!(language(id).reads_stdin(&sources), "{id}");
        assert!(language(id).reads_arguments(&sources), "{id}");
    }
}

#[test]
fn every_language_takes_what_editors_write() {
    for (id, extension, text) in HELLO {
        let name = format!("main.{extension}");
        let crlf = text.replace('\n', "\r\n");
        let mark = format!("\u{feff}{text}");
        let utf16: Vec<u8> = [0xfeff]
            .into_iter()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        for (what, bytes) in [
            ("CRLF", crlf.as_bytes()),
            ("a byte order mark", mark.as_bytes()),
            ("UTF-16", &utf16),
            ("lone carriage returns", text.replace('\n', "\r").as_bytes()),
            ("no last newline", text.trim_end().as_bytes()),
        ] {
            let Some(built) = build(id, &[(&name, bytes)]) else {
                continue;
            };
            assert_eq!(
                built.prints(&["a"], "7\n"),
                "a 8 皇后\n",
                "{id} with {what}"
            );
        }
    }
}

#[test]
fn every_language_takes_gbk() {
    // `皇后` in GBK.
    let queen = b"\xbb\xca\xba\xf3";
    for (id, extension, text) in HELLO {
        let mut bytes = Vec::new();
        for (index, piece) in text.split("皇后").enumerate() {
            if index > 0 {
                bytes.extend_from_slice(queen);
            }
            bytes.extend_from_slice(piece.as_bytes());
        }
        let Some(built) = build(id, &[(&format!("a.{extension}"), &bytes)]) else {
            continue;
        };
        let ran = built.prints(&["a"], "7\n");
        // Compilers that take bytes print those bytes; they are no UTF-8.
        let expected = match id {
            LanguageId::C | LanguageId::Cpp | LanguageId::Pascal => {
                String::from_utf8_lossy(b"a 8 \xbb\xca\xba\xf3\n").into_owned()
            }
            LanguageId::Rust | LanguageId::Java | LanguageId::Python => "a 8 皇后\n".to_owned(),
        };
        assert_eq!(ran, expected, "{id}");
    }
}

/// A submission of several files, and what it prints.
fn prints(id: LanguageId, files: &[(&str, &str)], expected: &str) {
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    if let Some(built) = build(id, &files) {
        assert_eq!(built.prints(&[], ""), expected, "{}", built.messages());
        assert_eq!(built.plan.hints, []);
    }
}

#[test]
fn several_files_of_c_become_one_program() {
    prints(
        LanguageId::C,
        &[
            (
                "src/main file.c",
                "#include \"queens.h\"\n#include \"part.c\"\nint main(void){ f(g()); return 0; }",
            ),
            (
                "src/-queens.c",
                "#include <stdio.h>\n#include \"queens.h\"\nvoid f(int n){ printf(\"%d\\n\", n); }",
            ),
            ("src/part.c", "static int g(void){ return 92; }"),
            ("include/queens.h", "void f(int n);"),
        ],
        "92\n",
    );
}

#[test]
fn several_files_of_cpp_become_one_program() {
    prints(
        LanguageId::Cpp,
        &[
            ("main.cpp", "#include \"q.hpp\"\nint main(){ f(92); }"),
            (
                "q.c",
                "#include \"q.hpp\"\nvoid f(int n){ printf(\"%d\\n\", n); }",
            ),
            ("q.hpp", "#include <cstdio>\nvoid f(int n);"),
        ],
        "92\n",
    );
}

#[test]
fn several_files_of_rust_become_one_program() {
    prints(
        LanguageId::Rust,
        &[
            (
                "Cargo.toml",
                "[package]\nname = \"queens\"\n[dependencies]\n",
            ),
            (
                "src/main.rs",
                "mod board;\nfn main() { println!(\"{}\", board::count()); }",
            ),
            (
                "src/board/mod.rs",
                "mod bits;\npub fn count() -> u32 { bits::N }",
            ),
            ("src/board/bits.rs", "pub const N: u32 = 92;"),
        ],
        "92\n",
    );
    prints(
        LanguageId::Rust,
        &[
            ("a.rs", "pub fn n() -> u32 { 92 }"),
            (
                "z 皇后.rs",
                "mod a; fn main() { println!(\"{}\", a::n()); }",
            ),
        ],
        "92\n",
    );
}

#[test]
fn several_files_of_java_become_one_program() {
    prints(
        LanguageId::Java,
        &[
            (
                "whatever 1.java",
                "package camp.queens;\nclass Board { static int n() { return 92; } }",
            ),
            (
                "(2) 主程序.java",
                "package camp.queens;\npublic class 皇后 { public static void main(String[] a) { System.out.println(Board.n()); } }",
            ),
        ],
        "92\n",
    );
}

#[test]
fn a_java_program_needs_no_public_class_and_no_fitting_name() {
    prints(
        LanguageId::Java,
        &[(
            "solution.java",
            "class A { }\nclass B { static class C { public static void main(String[] a) { System.out.println(92); } } }",
        )],
        "92\n",
    );
}

#[test]
fn several_files_of_pascal_become_one_program() {
    prints(
        LanguageId::Pascal,
        &[
            (
                "units/board.pas",
                "unit Board;\ninterface\nfunction n: integer;\nimplementation\nfunction n: integer;\nbegin result := 92 end;\nend.\n",
            ),
            (
                "my main-program.pas",
                "uses Board;\n{$I const.inc}\nbegin writeln(n + zero); end.\n",
            ),
            ("const.inc", "const zero = 0;\n"),
        ],
        "92\n",
    );
}

#[test]
fn several_files_of_python_become_one_program() {
    prints(
        LanguageId::Python,
        &[
            (
                "src/board.py",
                "import queens.bits as bits\ndef n(): return bits.N\n",
            ),
            ("src/queens/__init__.py", ""),
            ("src/queens/bits.py", "N = 92\n"),
            ("src/八皇后 #1.py", "from board import n\nprint(n())\n"),
        ],
        "92\n",
    );
}

#[test]
fn a_folder_or_a_header_may_have_any_name() {
    prints(
        LanguageId::C,
        &[
            (
                "program/main.c",
                "#include <string.h>\n#include <mine.h>\nint main(){ return f((int)strlen(\"\")); }",
            ),
            (
                "program/mine.c",
                "#include <stdio.h>\n#include \"string.h\"\nint f(int n){ printf(\"%d\\n\", N + n); return 0; }",
            ),
            ("inc/mine.h", "int f(int n);"),
            ("program/string.h", "enum { N = 92 };"),
        ],
        "92\n",
    );
}

#[test]
fn a_script_named_like_a_module_does_not_hide_it_from_itself() {
    prints(
        LanguageId::Python,
        &[("random.py", "import random\nprint(random.choice([92]))\n")],
        "92\n",
    );
}

#[test]
fn c_that_is_really_cpp_is_compiled_as_such_and_said_so() {
    let text = b"#include <iostream>\nint main(){ std::cout << 92; }";
    if let Some(built) = build(LanguageId::Cpp, &[("count.c", text)]) {
        assert_eq!(built.prints(&[], ""), "92");
        assert_eq!(
            english(&built.plan.hints),
            ["`count.c` is C++ and was compiled as C++; name it `.cpp`."]
        );
    }
}

#[test]
fn warnings_that_tell_of_bugs_are_shown_although_the_build_succeeds() {
    let text = b"int f(int n){ if (n) return 1; }\nint main(){ return f(1) - 1; }";
    if let Some(built) = build(LanguageId::Cpp, &[("a.cpp", text)]) {
        assert!(built.success);
        assert!(
            built.messages().contains("-Wreturn-type"),
            "{}",
            built.messages()
        );
    }
}

#[test]
fn a_python_file_with_a_coding_line_is_read_by_it() {
    let text = b"# -*- coding: gb2312 -*-\nprint('\xbb\xca\xba\xf3')\n";
    if let Some(built) = build(LanguageId::Python, &[("a.py", text)]) {
        assert_eq!(built.prints(&[], ""), "皇后\n");
    }
}

#[test]
fn the_real_programs_behind_links_and_shims_are_found() {
    for id in LanguageId::ALL {
        let Some(toolchain) = support::toolchain(id) else {
            continue;
        };
        eprintln!(
            "{}: {:?}, reads {:?}",
            toolchain.version, toolchain.programs, toolchain.readable
        );
        assert_eq!(toolchain.language, id);
        let (name, version) = toolchain.version.rsplit_once(' ').unwrap();
        assert!(
            !name.is_empty() && version.starts_with(|c: char| c.is_ascii_digit()),
            "{version}"
        );
        for program in &toolchain.programs {
            assert!(program.is_absolute());
            assert!(
                !program.to_string_lossy().contains("shims"),
                "{}",
                program.display()
            );
            assert!(!std::fs::canonicalize(program).unwrap().ends_with("rustup"));
        }
        for folder in &toolchain.readable {
            assert!(folder.is_dir(), "{}", folder.display());
        }
        assert_eq!(language(id).find(), Ok(toolchain));
    }
}

#[test]
fn no_module_of_a_student_runs_while_python_is_checked() {
    let shadow: &[u8] = b"print('ran')\ndef format_exception_only(*all): return []\n";
    let files = [
        ("main.py", b"print(42)\n".as_slice()),
        ("traceback.py", shadow),
        ("codecs.py", shadow),
        ("broken.py", b"def f(\n"),
    ];
    let Some(built) = build(LanguageId::Python, &files[..3]) else {
        return;
    };
    assert_eq!((built.success, built.messages()), (true, String::new()));
    // What is wrong is said by the library's own module.
    let built = build(LanguageId::Python, &files).unwrap();
    assert!(!built.success);
    assert!(
        built.messages().contains("SyntaxError"),
        "{}",
        built.messages()
    );
}
