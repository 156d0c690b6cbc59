//! Sources as students submit them: names, encodings, languages of a site.

use crate::harness::{Room, have, problem, student};

/// Tests one source for the task `eight-queens` and returns whether it passed, with all that was printed.
fn passes(room: &Room, files: &[&str]) -> (bool, String) {
    let mut arguments = vec!["test"];
    arguments.extend(files);
    arguments.extend(["--problem", "eight-queens"]);
    let ran = room.run(&arguments);
    (ran.status == 0, format!("{}{}", ran.stdout, ran.stderr))
}

/// Sources that print 92, after a comment.
const RIGHT: [(&str, &str); 6] = [
    (
        "a.c",
        "// \n#include <stdio.h>\nint main(void) { puts(\"92\"); return 0; }\n",
    ),
    (
        "a.cpp",
        "// \n#include <cstdio>\nint main() { puts(\"92\"); }\n",
    ),
    ("a.rs", "// \nfn main() { println!(\"92\"); }\n"),
    (
        "A.java",
        "// \npublic class A { public static void main(String[] a) { System.out.println(92); } }\n",
    ),
    ("a.pas", "// \nbegin writeln(92) end.\n"),
    ("a.py", "# \nprint(92)\n"),
];

#[test]
fn names_and_encodings_do_no_harm_in_any_language() {
    if !have(&["javac", "fpc", "python3", "rustc"]) {
        return;
    }
    let names = [
        "P1219 [USACO1.5]八皇后 #92.c",
        "-o a;rm -rf $HOME.cpp",
        "@皇后 (1).rs",
        "八 皇后.java",
        "'quoted' \"八\".pas",
        "`id`.py",
    ];
    for ((plain, source), strange) in RIGHT.into_iter().zip(names) {
        // A byte order mark, CRLF, and "皇后" in GBK.
        let crlf = format!("\u{feff}{}", source.replace('\n', "\r\n"));
        let (comment, rest) = source.split_once(' ').unwrap();
        let gbk = [comment.as_bytes(), b" \xbb\xca\xba\xf3", rest.as_bytes()].concat();
        for (name, bytes) in [
            (strange, source.into()),
            (plain, crlf.into_bytes()),
            (plain, gbk),
        ] {
            let room = Room::new().file(name, bytes);
            let (passed, printed) = passes(&room, &[&format!("./{name}")]);
            assert!(passed, "{name}:\n{printed}");
        }
    }
}

#[test]
fn usual_mistakes_are_named_in_words() {
    if !have(&["gcc", "g++", "python3"]) {
        return;
    }
    for (name, source, words) in [
        ("b.c", "int queens(int n) { return n; }\n", "no `main`"),
        (
            "c.cpp",
            "class Solution { public: int totalNQueens(int n) { return n; } };\n",
            "no `main`",
        ),
        ("d.py", "print 92\n", "Python 2"),
        (
            "h.c",
            "#include <stdio.h>\nint main(void) { puts(\"92\"); return 1; }\n",
            "although the answer is right",
        ),
        (
            "j.c",
            "#include <stdio.h>\nint main(void) { fputs(\"92\\n\", stderr); return 0; }\n",
            "standard error",
        ),
    ] {
        let room = Room::new().file(name, source);
        let (passed, printed) = passes(&room, &[name]);
        assert!(
            !passed && printed.contains(words),
            "{name}: no `{words}` in\n{printed}"
        );
    }
}

/// A task that takes a number on standard input and wants 92, in two built-in languages and two of the site's own.
const SITE: [(&str, &str); 2] = [
    (
        "site/assignment.toml",
        r#"format = 1
id = "site"
title = { en = "Site", zh = "站点" }

[languages.shell]
name = "POSIX shell"
extensions = ["sh"]
run = ["sh", "{main}"]
version = ["-c", "echo 1"]

[languages.copied]
extensions = ["copied"]
compile = ["cp", "{main}", "{program}"]
run = ["sh", "{program}"]

[languages.c]
flags = ["-DANSWER=92", "-fopenmp"]

[[problem]]
path = "answer"
points = 10
"#,
    ),
    (
        "site/answer/problem.toml",
        r#"format = 1
id = "answer"
title = { en = "How many", zh = "解的个数" }

[submission]
files = ["answer.*"]
languages = ["c", "go", "javascript", "shell", "copied"]

[run]
stdin = "{n}\n"

[limits]
time = "10 s"
compile-time = "60 s"

[checker.tokens]

[[subtask]]
name = "eight"
points = 10

[[subtask.case]]
name = "eight"
variables = { n = 8 }
answer = "92\n"
"#,
    ),
];

/// Students, what each submits, the verdict, and a part of its texts.
const SUBMITTED: [(&str, &str, &str, &str, &str); 10] = [
    (
        "go-right",
        "answer.go",
        "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tvar n int\n\tfmt.Scan(&n)\n\tc := make(chan int)\n\t\
         go func() { c <- 11*n + 4 }()\n\tfmt.Println(<-c)\n}\n",
        "AC",
        "",
    ),
    (
        "go-unused",
        "answer.go",
        "package main\n\nimport \"os\"\n\nfunc main() {}\n",
        "CE",
        "`os` is imported and not used",
    ),
    (
        "go-index",
        "answer.go",
        "package main\n\nimport \"os\"\n\nfunc main() {\n\tprintln(os.Args[1])\n}\n",
        "RE",
        "The program panicked at main.go:6: runtime error: index out of range [1] with length 1",
    ),
    (
        "js-right",
        "answer.js",
        "const n = Number(require('fs').readFileSync(0, 'utf8'));\nconsole.log(11 * n + 4);\n",
        "AC",
        "",
    ),
    (
        "js-bracket",
        "answer.js",
        "console.log(92;\n",
        "CE",
        "Unbalanced brackets near line 1",
    ),
    (
        "js-null",
        "answer.mjs",
        "let board = null;\nconsole.log(board.size);\n",
        "RE",
        "at line 2: TypeError: Cannot read",
    ),
    (
        "js-memory",
        "answer.js",
        "const a = []; for (;;) a.push(new Array(1e6).fill(1));\n",
        "MLE",
        "",
    ),
    (
        "shell",
        "answer.sh",
        "read n; echo $((11 * n + 4))\n",
        "AC",
        "",
    ),
    (
        "copied",
        "answer.copied",
        "read n; echo $((11 * n + 4))\n",
        "AC",
        "",
    ),
    (
        "flags",
        "answer.c",
        "#include <omp.h>\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", ANSWER + omp_in_parallel()); }\n",
        "AC",
        "",
    ),
];

#[test]
fn go_javascript_and_the_languages_of_a_site_are_judged() {
    if !have(&["go", "node"]) {
        return;
    }
    let mut room = Room::new();
    for (path, text) in SITE {
        room = room.file(path, text);
    }
    for (student, file, text, ..) in SUBMITTED {
        room = room.file(&format!("class/{student}/{file}"), text);
    }
    let (status, results) = room.json(&["grade", "class", "-a", "./site", "--format", "json"]);
    assert_eq!(status, 0);
    for (id, _, _, verdict, part) in SUBMITTED {
        let problem = &problem(student(&results, id), "answer");
        assert_eq!(problem["verdict"], verdict, "{id}: {problem:#}");
        assert!(problem.to_string().contains(part), "{id}: {problem:#}");
    }
}

#[test]
fn mistakes_in_the_languages_of_a_site_are_reported() {
    for (old, new, message) in [
        (
            "run = [\"sh\", \"{main}\"]",
            "run = [\"sh\", \"{mian}\"]",
            "`{mian}` in `run` is no placeholder",
        ),
        ("flags = [", "flag = [", "unknown key `flag`"),
        (
            "extensions = [\"sh\"]",
            "extensions = [\"c\"]",
            "extension `c` belongs to both `c` and `shell`",
        ),
    ] {
        let mut room = Room::new();
        for (path, text) in SITE {
            room = room.file(path, text);
        }
        let room = room.replace("site/assignment.toml", old, new);
        let ran = room.run(&["grade", "class", "-a", "./site"]);
        assert!(
            ran.status == 2 && ran.stderr.contains(message),
            "{}",
            ran.stderr
        );
    }
}
