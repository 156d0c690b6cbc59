//! Real programs, built and run.

use grader_language::Toolchain;
use grader_model::{LanguageId, SourceFile};

use crate::support::{build, is_nightly, language, plan, recognise};

/// One program per language: prints its first argument, the number it reads plus one, and two characters.
#[rustfmt::skip]
const HELLO: [(LanguageId, &str, &str); 8] = [
    (LanguageId::C, "c",
     "#include <stdio.h>\n#include <math.h>\n/* 皇后 */\nint main(int argc, char *argv[]) {\n  int n;\n  if \
     (scanf(\"%d\", &n) != 1) return 1;\n  printf(\"%s %d 皇后\\n\", argv[1], (int)pow(n, 1) + 1);\n  return 0;\n}\n"),
    (LanguageId::Cpp, "cpp",
     "#include <bits/stdc++.h>\nusing namespace std; // 皇后\nint main(int argc, char **argv) {\n  int n;\n  cin >> \
     n;\n  cout << argv[1] << ' ' << n + 1 << \" 皇后\" << endl;\n}\n"),
    (LanguageId::Rust, "rs",
     "// 皇后\nfn main() {\n    let mut line = String::new();\n    std::io::stdin().read_line(&mut \
     line).unwrap();\n    let n: u32 = line.trim().parse().unwrap();\n    println!(\"{} {} 皇后\", \
     std::env::args().nth(1).unwrap(), n + 1);\n}\n"),
    (LanguageId::Java, "java",
     "import java.util.Scanner;\n// 皇后\npublic class Queens {\n  public static void main(String[] args) {\n    int n \
     = new Scanner(System.in).nextInt();\n    System.out.println(args[0] + \" \" + (n + 1) + \" 皇后\");\n  }\n}\n"),
    (LanguageId::Pascal, "pas",
     "program hello; { 皇后 }\nuses math;\nvar n: integer;\nbegin\n  readln(n);\n  writeln(paramstr(1), ' ', n + 1, ' \
     皇后');\nend.\n"),
    (LanguageId::Python, "py", "import sys  # 皇后\nn = int(input())\nprint(sys.argv[1], n + 1, '皇后')\n"),
    (LanguageId::Go, "go",
     "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\n// 皇后\nfunc main() {\n\tvar n int\n\tfmt.Scan(&n)\n\
     \tfmt.Println(os.Args[1], n+1, \"皇后\")\n}\n"),
    (LanguageId::JavaScript, "js",
     "const fs = require('fs'); // 皇后\nconst n = parseInt(fs.readFileSync(0, 'utf8'));\n\
     console.log(process.argv[2], n + 1, '皇后');\n"),
];

/// Names that a shell, a compiler or a response file could misinterpret.
const NAMES: [&str; 5] = [
    "P1219 [USACO1.5]八皇后 #92",
    "-o x",
    "@皇后",
    "a'b\"c$(x);&|",
    "queens",
];

#[test]
fn a_program_is_built_and_run_in_every_language_under_any_name() {
    for ((id, extension, text), name) in HELLO.iter().zip(NAMES.iter().cycle()) {
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
        assert_eq!(built.messages, "", "{name}");
    }
}

#[test]
fn a_program_is_recognised_with_its_input_and_arguments_in_every_language() {
    for (id, extension, text) in HELLO {
        let sources = |name: String| [SourceFile::new(name, text.as_bytes())];
        let by_name = sources(format!("a.{extension}"));
        assert_eq!(recognise(&by_name), Some(id));
        assert_eq!(recognise(&sources("a.txt".to_owned())), Some(id));
        let toolchain = Toolchain {
            programs: vec!["/compiler".into()],
            version: String::new(),
            flags: Vec::new(),
            readable: Vec::new(),
        };
        let facts = plan(id, &by_name, &toolchain, "/build".as_ref()).facts;
        assert!(facts.reads_stdin && facts.reads_arguments, "{id}");
    }
}

#[test]
fn every_language_takes_what_editors_write() {
    for (number, (id, extension, text)) in HELLO.into_iter().enumerate() {
        let old_mac = text.replace('\n', "\r");
        let utf16 = [0xfeff].into_iter().chain(old_mac.encode_utf16());
        // `皇后` in GBK.
        let gbk = text
            .trim_end()
            .split("皇后")
            .map(str::as_bytes)
            .collect::<Vec<_>>()
            .join(&b"\xbb\xca\xba\xf3"[..]);
        let written = [
            (
                "a byte order mark and CRLF",
                format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes(),
            ),
            (
                "UTF-16 and lone carriage returns",
                utf16.flat_map(u16::to_le_bytes).collect(),
            ),
            ("GBK and no last newline", gbk),
        ];
        for (turn, (what, bytes)) in written.into_iter().enumerate() {
            // In `.ci/run`, each language takes one of them.
            if !is_nightly() && number % 3 != turn {
                continue;
            }
            let Some(built) = build(id, &[(&format!("main.{extension}"), &bytes)]) else {
                continue;
            };
            // Programs from compilers that accept any bytes print those bytes.
            let takes_bytes = matches!(id, LanguageId::C | LanguageId::Cpp | LanguageId::Pascal);
            let expected: &[u8] = match what {
                "GBK and no last newline" if takes_bytes => b"a 8 \xbb\xca\xba\xf3\n",
                _ => "a 8 皇后\n".as_bytes(),
            };
            let found = built.prints(&["a"], "7\n");
            assert_eq!(found, String::from_utf8_lossy(expected), "{id} with {what}");
        }
    }
}

/// Submissions that print 92.
#[rustfmt::skip]
const SEVERAL_FILES: [(LanguageId, &[(&str, &str)]); 23] = [
    (LanguageId::C,
     &[("src/main file.c", "#include \"queens.h\"\n#include \"part.c\"\nint main(void){ f(g()); return 0; }"),
       ("src/-queens.c", "#include <stdio.h>\n#include \"queens.h\"\nvoid f(int n){ printf(\"%d\\n\", n); }"),
       ("src/part.c", "static int g(void){ return 92; }"),
       ("include/queens.h", "void f(int n);")]),
    // A folder or a header may have any name, and a student's header does not replace the system's.
    (LanguageId::C,
     &[("program/main.c", "#include <string.h>\n#include <mine.h>\nint main(){ return f((int)strlen(\"\")); }"),
       ("program/mine.c",
        "#include <stdio.h>\n#include \"string.h\"\nint f(int n){ printf(\"%d\\n\", N + n); return 0; }"),
       ("inc/mine.h", "int f(int n);"),
       ("program/string.h", "enum { N = 92 };")]),
    (LanguageId::Cpp,
     &[("main.cpp", "#include \"q.hpp\"\nint main(){ f(92); }"),
       ("q.c", "#include \"q.hpp\"\nvoid f(int n){ printf(\"%d\\n\", n); }"),
       ("q.hpp", "#include <cstdio>\nvoid f(int n);")]),
    (LanguageId::Rust,
     &[("Cargo.toml", "[package]\nname = \"queens\"\n[dependencies]\n"),
       ("src/main.rs", "mod board;\nfn main() { println!(\"{}\", board::count()); }"),
       ("src/board/mod.rs", "mod bits;\npub fn count() -> u32 { bits::N }"),
       ("src/board/bits.rs", "pub const N: u32 = 92;")]),
    (LanguageId::Rust,
     &[("a.rs", "pub fn n() -> u32 { 92 }"), ("z 皇后.rs", "mod a; fn main() { println!(\"{}\", a::n()); }")]),
    (LanguageId::Java,
     &[("whatever 1.java", "package camp.queens;\nclass Board { static int n() { return 92; } }"),
       ("(2) 主程序.java",
        "package camp.queens;\n\
        public class 皇后 { public static void main(String[] a) { System.out.println(Board.n()); } }")]),
    (LanguageId::Java,
     &[("solution.java",
        "class A { }\nclass B { public static void main(String[] a) { System.out.println(92); } }")]),
    (LanguageId::Pascal,
     &[("units/board.pas",
        "unit Board;\ninterface\nfunction n: integer;\nimplementation\nfunction n: integer;\n\
        begin result := 92 end;\nend.\n"),
       ("my main-program.pas", "uses Board;\n{$I const.inc}\nbegin writeln(n + zero); end.\n"),
       ("const.inc", "const zero = 0;\n")]),
    (LanguageId::Python,
     &[("src/board.py", "import queens.bits as bits\ndef n(): return bits.N\n"),
       ("src/queens/__init__.py", ""),
       ("src/queens/bits.py", "N = 92\n"),
       ("src/八皇后 #1.py", "from board import n\nprint(n())\n")]),
    // A script named like a module does not shadow that module.
    (LanguageId::Python, &[("random.py", "import random\nprint(random.choice([92]))\n")]),
    (LanguageId::Go,
     &[("src/main.go", "package main\n\nfunc main() { println92() }\n"),
       ("src/board.go", "package main\n\nimport \"fmt\"\n\nfunc println92() { fmt.Println(92) }\n"),
       ("go.mod", "module example.com/queens\n")]),
    (LanguageId::JavaScript,
     &[("lib/board.js", "exports.n = () => 92;\n"),
       ("八皇后 #1.js", "const { n } = require('./lib/board');\nconsole.log(n());\n")]),
    (LanguageId::JavaScript, &[("a.mjs", "import { EOL } from 'os';\nprocess.stdout.write(92 + EOL);\n")]),
    (LanguageId::Cpp, &[("count.c", "#include <iostream>\nint main(){ std::cout << 92 << '\\n'; }")]),
    // A folder above one with headers has no file itself. A header of the system's name is found by no source of the system.
    (LanguageId::C,
     &[("src/main.c", "#include <stdio.h>\n#include <time.h>\n#include \"ds/n.h\"\nint main(){ printf(\"%d\\n\", N); }"),
       ("include/ds/n.h", "enum { N = 92 };"),
       ("include/time.h", "#error not this one")]),
    // As Windows writes paths.
    (LanguageId::Cpp,
     &[("src/main.cpp", "#include <iostream>\r\n # include \"..\\include\\n.h\" // \\\"\r\nint main(){ std::cout << N << '\\n'; }"),
       ("include/n.h", "enum { N = 92 };")]),
    // Python's packages: started as one, from the folder of the sources, or as the submission itself.
    (LanguageId::Python,
     &[("src/words/__init__.py", ""),
       ("src/words/__main__.py", "from . import counting\nfrom .deep.more import two\nprint(counting.n + two)\n"),
       ("src/words/counting.py", "import words\nn = 90\n"),
       ("src/words/deep/more.py", "from ..counting import n\ntwo = n - 88\n")]),
    (LanguageId::Python,
     &[("src/app/main.py",
        "import sys\nfrom app import util\nimport other\nprint(util.n + other.n + len(sys.argv) - 1)\n"),
       ("src/app/util.py", "n = 90\n"),
       ("src/app/other.py", "n = 2\n")]),
    (LanguageId::Python,
     &[("__init__.py", ""),
       ("__main__.py", "from .counting import n\nprint(n)\n"),
       ("counting.py", "n = 92\n")]),
    // A script alone is in no package.
    (LanguageId::Python,
     &[("words.py", "try:\n    from .counting import n\nexcept ImportError:\n    n = 92\nprint(n)\n")]),
    // Dots in prose are no import.
    (LanguageId::Python,
     &[("a/main.py", "\"\"\"\nfrom ... to\n\"\"\"\nimport util\nprint(util.n)\n"), ("a/util.py", "n = 92\n"), ("a.py", "")]),
    // Go's packages: of a module, or relative.
    (LanguageId::Go,
     &[("go.mod", "module example.com/queens\n\ngo 1.18\n"),
       ("main.go", "package main\n\nimport \"example.com/queens/board\"\n\nfunc main() { board.Print() }\n"),
       ("board/board.go", "package board\n\nimport \"fmt\"\n\nfunc Print() { fmt.Println(92) }\n")]),
    (LanguageId::Go,
     &[("main.go", "package main\n\nimport \"./board\"\n\nfunc main() { board.Print() }\n"),
       ("board/board.go", "package board\n\nimport \"fmt\"\n\nfunc Print() { fmt.Println(92) }\n")]),
];

/// What a student is told whose files become a program that prints 92. `None` if there is no compiler.
fn told(id: LanguageId, files: &[(&str, &str)]) -> Option<Vec<String>> {
    let files = files.iter().map(|(name, text)| (*name, text.as_bytes()));
    let built = build(id, &files.collect::<Vec<_>>())?;
    assert!(built.success, "{}", built.messages);
    assert_eq!(built.prints(&[], ""), "92\n", "{}", built.messages);
    let hints = built.plan.hints.iter();
    Some(hints.map(|it| it.en.clone()).collect())
}

#[test]
fn several_files_become_one_program() {
    for (id, files) in SEVERAL_FILES {
        if let Some(hints) = told(id, files) {
            assert_eq!(hints, [""; 0]);
        }
    }
}

/// A language, the files of a submission, and parts of what its student is told.
type Told = (
    LanguageId,
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

/// Submissions in C and C++ that other systems build: they print 92.
#[rustfmt::skip]
const LOST_INCLUDES: [Told; 4] = [
    // A header without a guard is found once under each name, and the comment stays.
    (LanguageId::C,
     &[("main.c", "#include \"Lib/Queens.H\" // ours\n#include <stdio.h>\nint main(void){ printf(\"%d\\n\", f()); return 0; }"),
       ("lib/queens.c", "#include \"queens.h\"\nint f(void){ return N; }"),
       ("lib/queens.h", "enum { N = 92 };\nint f(void);")],
     &["There is no header `Lib/Queens.H` in that place; `lib/queens.h` was taken."]),
    (LanguageId::Cpp,
     &[("queens.cpp", "#include \"../include/queens.h\"\n#include \"../include/board.h\"\nint main(){ std::cout << N << '\\n'; }"),
       ("queens.h", "#pragma once\n#include <iostream>\nconst int N = 92;"),
       ("board.h", "#include \"queens.h\"")],
     &["`../include/queens.h` in that place; `queens.h`", "`../include/board.h` in that place; `board.h`"]),
    // A source that is included is not compiled by itself.
    (LanguageId::Cpp,
     &[("main.cpp", "#include \"Menu.CPP\"\nint main(){ menu(); }"),
       ("menu.cpp", "#include <cstdio>\nvoid menu(){ std::puts(\"92\"); }")],
     &["`Menu.CPP` in that place; `menu.cpp`"]),
    // A header of the system's name is still the student's.
    (LanguageId::C,
     &[("src/main.c", "#include <stdio.h>\n#include \"../Time.h\"\nint main(void){ printf(\"%d\\n\", N); return 0; }"),
       ("inc/time.h", "enum { N = 92 };")],
     &["`../Time.h` in that place; `inc/time.h`"]),
];

#[test]
fn headers_are_found_whose_names_only_other_systems_find() {
    for (id, files, remarks) in LOST_INCLUDES {
        let Some(hints) = told(id, files) else {
            continue;
        };
        assert_eq!(hints.len(), remarks.len(), "{hints:?}");
        for (hint, part) in hints.iter().zip(remarks) {
            assert!(hint.contains(part), "{hint}");
        }
    }
}

#[test]
fn errors_in_a_header_under_another_name_have_the_students_lines() {
    let files: [(&str, &[u8]); 3] = [
        (
            "main.c",
            b"int a;\n#include \"../inc/Bad.h\"\nint main(void){ return x; }\n",
        ),
        ("bad.h", b"\nint f(void){ return y; }\n"),
        ("more.c", b""),
    ];
    if let Some(built) = build(LanguageId::C, &files) {
        assert!(!built.success);
        let errors: Vec<&str> = built
            .messages
            .lines()
            .filter(|it| it.contains("error:"))
            .collect();
        let places: Vec<&str> = errors
            .iter()
            .map(|it| &it[..it.find(": ").unwrap()])
            .collect();
        assert_eq!(places, ["bad.h:2:21", "main.c:3:24"], "{}", built.messages);
    }
}

#[test]
fn warnings_that_tell_of_bugs_are_shown_although_the_build_succeeds() {
    let text = b"int f(int n){ if (n) return 1; }\nint main(){ return f(1) - 1; }";
    if let Some(built) = build(LanguageId::Cpp, &[("a.cpp", text)]) {
        assert!(
            built.success && built.messages.contains("-Wreturn-type"),
            "{}",
            built.messages
        );
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
    assert_eq!((built.success, built.messages.as_str()), (true, ""));
    // The library's own module reports the mistake.
    let Some(built) = build(LanguageId::Python, &files) else {
        return;
    };
    assert!(
        !built.success && built.messages.contains("SyntaxError"),
        "{}",
        built.messages
    );
}

#[test]
fn the_real_programs_behind_links_and_shims_are_found() {
    for toolchain in LanguageId::ALL
        .into_iter()
        .filter_map(|id| language(id).find().ok())
    {
        let shown = format!("{toolchain:?}");
        let (name, version) = toolchain.version.rsplit_once(' ').unwrap_or_default();
        assert!(
            !name.is_empty() && version.starts_with(|c: char| c.is_ascii_digit()),
            "{shown}"
        );
        for program in &toolchain.programs {
            assert!(program.is_absolute() && program.is_file(), "{shown}");
            let is_proxy = ["shims", "rustup"]
                .iter()
                .any(|it| program.iter().any(|part| part == *it));
            assert!(!is_proxy, "{shown}");
        }
        assert!(
            toolchain.readable.iter().all(|folder| folder.is_dir()),
            "{shown}"
        );
    }
}
