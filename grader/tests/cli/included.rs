//! Files of the author among a student's: what they replace, and what students read about them.

use std::fs;

use crate::harness::{Room, have, names, problem, student};

const ASSIGNMENT: &str = "format = 1\nid = \"lab\"\ntitle = \"Lab\"\n";

/// A task with these files of the author, which prints 7.
fn task(room: Room, id: &str, language: &str, included: &[(&str, &str)], lines: &str) -> Room {
    let names: Vec<_> = included.iter().map(|it| it.0).collect();
    let problem = format!(
        r#"format = 1
id = "{id}"
title = "T"
[submission]
files = ["{id}", "{id}.*"]
languages = ["{language}"]
include = {names:?}
[checker.tokens]
{lines}
[[subtask]]
name = "all"
points = 1
case = [{{ name = "one", answer = "7" }}]
"#
    );
    let assignment = format!("{ASSIGNMENT}[[problem]]\npath = \"{id}\"\npoints = 1\n");
    let room = room
        .file("lab/assignment.toml", assignment)
        .file(&format!("lab/{id}/problem.toml"), problem);
    included.iter().fold(room, |room, (name, text)| {
        room.file(&format!("lab/{id}/{name}"), text)
    })
}

/// Points, verdict and hints of every student.
fn rows(room: &Room, id: &str) -> Vec<String> {
    let (_, results) = room.json(&["grade", "class", "-a", "./lab", "--json", "-"]);
    let row = |name: &String| {
        let found = problem(student(&results, name), id);
        let hints = found["hints"].as_array().unwrap().iter();
        let hints: Vec<_> = hints.map(|it| it.as_str().unwrap()).collect();
        let verdict = found["verdict"].as_str().unwrap();
        format!("{name} {verdict} {}", hints.join(" "))
            .trim_end()
            .to_owned()
    };
    names(&room.path("class")).iter().map(row).collect()
}

const MAIN_C: &str =
    "#include <stdio.h>\n#include \"list.h\"\nint main(void) { printf(\"%d\\n\", seven()); }\n";
const LIST_H: &str = "#ifndef LIST_H\n#define LIST_H\nint seven(void);\n#endif\n";
const LIST_C: &str = "#include \"list.h\"\nint seven(void) { return 7; }\n";

/// Paths with their texts.
type Files<'a> = &'a [(&'a str, &'a str)];

#[test]
fn an_included_file_replaces_the_file_at_its_own_path_only_in_c() {
    if !have(&["gcc"]) {
        return;
    }
    let included = [("main.c", MAIN_C), ("list.h", LIST_H)];
    let room = task(Room::new(), "list", "c", &included, "")
        .file("class/01-flat/list/list.c", LIST_C)
        .file("class/02-visual-studio/list/list/list.c", LIST_C)
        .file("class/03-src/list/src/list/list.c", LIST_C)
        .file("class/04-main/list/src/main/list.c", LIST_C)
        .file("class/05-header/list/include/list.h", LIST_H)
        .file(
            "class/05-header/list/src/list.c",
            LIST_C.replace("list.h", "../include/list.h"),
        )
        .file("class/06-copies/list/list.c", LIST_C)
        .file("class/06-copies/list/main.c", MAIN_C)
        .file("class/06-copies/list/list.h", LIST_H)
        .file("class/07-own-main/list/list.c", LIST_C)
        .file(
            "class/07-own-main/list/main.c",
            "int main(void) { return 3; }\n",
        )
        .file("class/08-main-below/list/src/list.c", LIST_C)
        .file(
            "class/08-main-below/list/src/main.c",
            "int main(void) { return 3; }\n",
        )
        .file(
            "class/09-same-name/list/list.c",
            "int seven(void);\nint half(void);\nint seven(void) { return half() + 4; }\n",
        )
        .file(
            "class/09-same-name/list/more/main.c",
            "int half(void) { return 3; }\n",
        );
    assert_eq!(
        rows(&room, "list"),
        [
            "01-flat AC",
            "02-visual-studio AC",
            "03-src AC",
            "04-main AC",
            "05-header AC",
            "06-copies AC",
            "07-own-main AC `main.c` was left out: the task's own file of that name takes its place.",
            "08-main-below AC `src/main.c` was left out: the task's own file of that name takes its place.",
            "09-same-name AC",
        ]
    );
}

#[test]
fn an_included_file_replaces_the_file_at_its_own_path_only_in_java_and_python() {
    if !have(&["javac", "java", "python3"]) {
        return;
    }
    let tree = "public class Tree { static int seven() { return 7; } }\n";
    let main = "public class Main { public static void main(String[] a) { System.out.println(Tree.seven()); } }\n";
    let own = "package hw;\npublic class Main { public static void main(String[] a) { } }\n";
    let room = task(Room::new(), "tree", "java", &[("Main.java", main)], "")
        .file("class/1-maven/tree/src/main/java/Tree.java", tree)
        .file(
            "class/2-package/tree/src/main/java/hw/Tree.java",
            format!("package hw;\n{tree}"),
        )
        .file("class/2-package/tree/src/main/java/hw/Main.java", own)
        .file(
            "class/3-package-main/tree/main/Tree.java",
            format!("package main;\n{tree}"),
        );
    assert_eq!(
        rows(&room, "tree"),
        [
            "1-maven AC",
            "2-package AC `package hw;` was ignored: the `Main` of this task is in no package. `src/main/java/hw/Main.java` was left out: \
             the task's own file of that name takes its place.",
            "3-package-main AC `package main;` was ignored: the `Main` of this task is in no package.",
        ]
    );

    let included = [
        (
            "main.py",
            "import checks\nfrom sums import seven\nprint(checks.same(seven()))\n",
        ),
        ("checks.py", "def same(n):\n    return n\n"),
    ];
    let sums = "def seven():\n    return 7\n";
    let room = task(Room::new(), "sums", "python", &included, "")
        .file(
            "class/1-folder/sums/sums.py",
            "from main_parts.checks import n\ndef seven():\n    return n\n",
        )
        .file("class/1-folder/sums/main_parts/checks.py", "n = 7\n")
        .file("class/2-shadow/sums/sums.py", sums.replace('7', "8"))
        .file(
            "class/2-shadow/sums/checks/__init__.py",
            "def same(n):\n    return 7\n",
        )
        .file(
            "class/3-no-package/sums/sums.py",
            "from checks import same\ndef seven():\n    return same(7)\n",
        )
        .file("class/3-no-package/sums/checks/more.py", "")
        .file(
            "class/4-below/sums/sums.py",
            "from lib.checks import n\ndef seven():\n    return n\n",
        )
        .file("class/4-below/sums/lib/checks/__init__.py", "n = 7\n");
    assert_eq!(
        rows(&room, "sums"),
        [
            "1-folder AC",
            "2-shadow WA `checks/__init__.py` was left out: the task's own file of that name takes its place.",
            "3-no-package AC",
            "4-below AC",
        ]
    );
}

/// A number that only a hidden test has.
const SECRET: &str = "471100";

/// All that a student is given, in every format; then all that staff is given.
fn written(room: &Room, id: &str) -> [String; 2] {
    let run = |arguments: &[&str]| {
        let ran = room.run(arguments);
        format!("{}{}", ran.stdout, ran.stderr)
    };
    let graded = run(&["grade", "class", "-a", "./lab"]);
    let mut own = String::new();
    let report = ["report", "class", "--student", id, "--audience", "student"];
    for more in [&["--json", "-"], &["--markdown", "-"], &["--explain", id]] {
        own += &run(&[&report[..], more].concat());
    }
    own += &run(&["feedback", "class", "-o", "feedback"]);
    own += &all_files(&room.path("feedback"));
    for system in ["gradescope", "classroom"] {
        own += &run(&["ci", system, "class", "--student", id]);
    }
    own += &run(&["report", "class", "--html", "pages"]);
    own += &all_files(&room.path("pages/students"));
    let staff = run(&["report", "class", "--explain", id]);
    [own, graded + &staff]
}

/// The texts of a file, or of all files of a folder.
fn all_files(path: &std::path::Path) -> String {
    if path.is_file() {
        return fs::read_to_string(path).unwrap_or_default();
    }
    let folder = fs::read_dir(path).into_iter().flatten().flatten();
    folder.map(|it| all_files(&it.path())).collect()
}

#[test]
fn no_student_reads_a_line_of_the_authors_files_in_messages_of_compilers() {
    if !have(&["gcc", "g++", "javac", "rustc", "python3"]) {
        return;
    }
    let java = format!(
        "public class Main {{\n  public static void main(String[] a) {{\n    Tree t = new Tree();\n    t.remove({SECRET});\n    \
         System.out.println(7);\n  }}\n}}\n"
    );
    let c = format!(
        "#include <stdio.h>\n#include \"tree.h\"\nint main(void) {{\n  struct tree t = {{ 0 }};\n  t.size = {SECRET};\n  printf(\"7\");\n}}\n"
    );
    let linked = format!(
        "#include <stdio.h>\nint rem(int n);\nint test_hidden_{SECRET}(void) {{ return rem({SECRET}); }}\nint main(void) {{ printf(\"%d\", test_hidden_{SECRET}()); }}\n"
    );
    let cpp = format!("#include \"tree.hpp\"\nint main() {{ Tree t; t.remove({SECRET}); }}\n");
    let rust = format!("mod tree;\nfn main() {{ tree::remove({SECRET}); println!(\"7\"); }}\n");
    #[rustfmt::skip]
    let table: [(_, Files<'_>, Files<'_>, _); 5] = [
        ("java", &[("Main.java", &java)], &[("Tree.java", "public class Tree { }\n")], "Your class `Tree` has no method `remove`."),
        ("c", &[("main.c", &c)], &[("tree.h", "struct tree { int n; };\n"), ("tree.c", "#include \"tree.h\"\n")],
         "Your type `tree` has no member `size`."),
        ("c", &[("main.c", &linked)], &[("tree.c", "int add(void) { return 1; }\n")],
         "`rem` is called, but no file that is built here defines it."),
        ("cpp", &[("main.cpp", &cpp)], &[("tree.hpp", "class Tree { };\n"), ("tree.cpp", "#include \"tree.hpp\"\n")],
         "Your class `Tree` has no member `remove`."),
        ("rust", &[("main.rs", &rust)], &[("tree.rs", "pub fn add() {}\n")],
         "The task's own files use `remove`, which your program does not declare."),
    ];
    for (language, included, files, sentence) in table {
        let room = task(Room::new().keeping(), "tree", language, included, "");
        let room = files.iter().fold(room, |room, (name, text)| {
            room.file(&format!("class/ada/tree/{name}"), text)
        });
        let [own, staff] = written(&room, "ada");
        assert!(own.contains("does not compile"), "{own}{staff}");
        assert!(!own.contains(SECRET), "{language}: {own}");
        let words: Vec<_> = own.split_whitespace().collect();
        assert!(words.join(" ").contains(sentence), "{language}: {own}");
        assert!(staff.contains(SECRET), "{language}: {staff}");
    }
}

#[test]
fn a_traceback_quotes_no_line_of_the_authors_files() {
    if !have(&["python3"]) {
        return;
    }
    let main =
        format!("from tree import add\nprint(add(1, 6) if add(2, 2) == 4 else {SECRET} + None)\n");
    let room = task(
        Room::new().keeping(),
        "tree",
        "python",
        &[("main.py", &main)],
        "",
    )
    .file(
        "class/ada/tree/tree.py",
        "def add(a, b):\n    return a - b\n",
    )
    .file(
        "class/bob/tree/tree.py",
        "def add(a, b):\n    return a + b\n",
    )
    .file(
        "class/cy/tree/tree.py",
        "def add(a, b):\n    return a + c\n",
    );
    for (id, expected) in [
        (
            "ada",
            "  File \"main.py\", line 2, in <module>\nTypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
        ),
        (
            "cy",
            "  File \"main.py\", line 2, in <module>\n  File \"tree.py\", line 2, in add\n    return a + c\n",
        ),
    ] {
        let [own, _] = written(&room, id);
        assert!(!own.contains(SECRET), "{own}");
        let (_, results) = room.json(&["report", "class", "--explain", id, "--json", "-"]);
        let case = &problem(student(&results, id), "tree")["subtasks"][0]["cases"][0];
        let stderr = case["stderr"]["text"].as_str().unwrap();
        assert!(stderr.contains(expected), "{stderr}");
    }
}
