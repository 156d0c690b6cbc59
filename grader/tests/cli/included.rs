//! Files of the author among a student's: what they replace, and what students read about them.

use std::fs;

use crate::harness::{Room, have, problem, student};
use crate::lab::{Files, earned, line};

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
    included
        .iter()
        .fold(room.lab(id, 1, problem), |room, (name, text)| {
            room.file(&format!("lab/{id}/{name}"), text)
        })
}

/// Verdict and hints of every student.
fn rows(room: &Room, id: &str) -> Vec<String> {
    let all = earned(room, "./lab", id).into_iter();
    let row = all.map(|it| line(&[&it.student, &it.verdict, &it.hints.join(" ")]));
    row.collect()
}

const MAIN_C: &str =
    "#include <stdio.h>\n#include \"list.h\"\nint main(void) { printf(\"%d\\n\", seven()); }\n";
const LIST_H: &str = "#ifndef LIST_H\n#define LIST_H\nint seven(void);\n#endif\n";
const LIST_C: &str = "#include \"list.h\"\nint seven(void) { return 7; }\n";

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

#[test]
fn a_copy_of_a_header_is_the_authors_wherever_it_lies_and_a_changed_one_is_the_students() {
    if !have(&["gcc", "g++"]) {
        return;
    }
    let list_h = "#pragma once\nstruct list { int n; };\nint seven(void);\n";
    let guarded = "\u{feff}/* mine */\r\n#ifndef L\r\n#define L\r\nstruct list {\r\n\tint n; // seven\r\n};\r\nint seven( void );\r\n#endif\r\n";
    let more = format!("{list_h}typedef int number;\n");
    let other = list_h.replace("int n;", "int n, m;");
    let body = "int seven(void) { struct list l = { 7 }; return l.n; }\n";
    let [up, plain] =
        ["../include/list.h", "list.h"].map(|it| format!("#include \"{it}\"\n{body}"));
    let uses_more = format!("{plain}number eight(void) {{ return 8; }}\n");
    let uses_other = plain.replace("{ 7 }", "{ 7, 3 }");
    let twice = format!("#include \"../include/other.h\"\n{plain}");
    let other_case = plain.replace("list.h", "List.h");
    let help_h = "int help(void);\n";
    let help_c = "#include \"help.h\"\nint help(void) { return 7; }\n";
    let helped = "#include \"help.h\"\nint seven(void) { return help(); }\n";
    let windows = help_c.replace('\n', "\r\n");
    let included = [
        ("main.c", MAIN_C),
        ("list.h", list_h),
        ("help.h", help_h),
        ("help.c", help_c),
    ];
    #[rustfmt::skip]
    let students: &[(&str, Files<'_>)] = &[
        ("01-same", &[("src/list.c", &up), ("include/list.h", list_h)]),
        ("02-guarded", &[("src/list.c", &plain), ("include/list.h", guarded)]),
        ("03-twice", &[("src/list.c", &twice), ("include/list.h", guarded), ("include/other.h", "#include \"list.h\"\n"), ("src/list.h", list_h)]),
        ("04-case", &[("list.c", &other_case), ("List.h", guarded)]),
        ("05-more", &[("src/list.c", &uses_more), ("include/list.h", &more)]),
        ("06-other", &[("src/list.c", &uses_other), ("include/list.h", &other)]),
        ("07-helper", &[("src/list.c", helped), ("src/help.c", &windows), ("src/help.h", "int help(void);")]),
        ("08-changed", &[("src/list.c", helped), ("src/help.c", "int help(void) { return 3 + 4; }\n")]),
    ];
    let room = task(Room::new(), "list", "c", &included, "").students("list", students);
    let not = "`include/list.h` is not the task's own `list.h`: your files use yours, the task's files theirs.";
    assert_eq!(
        rows(&room, "list"),
        [
            "01-same AC".to_owned(),
            "02-guarded AC".to_owned(),
            "03-twice AC".to_owned(),
            "04-case AC".to_owned(),
            format!("05-more AC {not}"),
            format!("06-other AC {not}"),
            "07-helper AC".to_owned(),
            "08-changed AC `src/help.c` was left out: the task's own file of that name takes its place.".to_owned(),
        ]
    );

    let main = "#include <iostream>\n#include \"stack.hpp\"\nint main() { Stack<int> s; s.push(7); std::cout << s.top(); }\n";
    let stack = "#pragma once\ntemplate <class T> class Stack { T t; public: void push(T); T top() const; };\n#include \"stack.tpp\"\n";
    let bodies = "template <class T> void Stack<T>::push(T it) { t = it; }\ntemplate <class T> T Stack<T>::top() const { return t; }\n";
    let copy = stack.replace('\n', "\r\n");
    let uses = "#include \"../include/stack.hpp\"\n#include \"stack.hpp\"\nint f() { return Stack<int>().top(); }\n";
    let included = [("main.cpp", main), ("stack.hpp", stack)];
    let files: Files<'_> = &[
        ("src/f.cpp", uses),
        ("src/stack.hpp", stack),
        ("src/stack.tpp", bodies),
        ("include/stack.hpp", &copy),
    ];
    let room =
        task(Room::new(), "stack", "cpp", &included, "").students("stack", &[("ada", files)]);
    assert_eq!(rows(&room, "stack"), ["ada AC"]);
}

#[test]
fn a_copy_of_a_module_is_the_authors_wherever_it_lies_in_a_package() {
    if !have(&["python3"]) {
        return;
    }
    let main = "import area\nfrom shapes import Shape\nprint(7 if isinstance(area.make(), Shape) else 8)\n";
    let shapes = "class Shape:\n    def size(self):\n        return 0\n";
    let area = "from .shapes import Shape\n\n\ndef make():\n    return Shape()\n";
    let changed = shapes.replace("return 0", "return 1");
    let copy = format!("# mine\n\n{}", shapes.replace('\n', "  \r\n"));
    let included = [("main.py", main), ("shapes.py", shapes)];
    let room = task(Room::new(), "area", "python", &included, "").students(
        "area",
        &[
            (
                "1-same",
                &[("area/__init__.py", area), ("area/shapes.py", shapes)],
            ),
            (
                "2-copy",
                &[("area/__init__.py", area), ("area/shapes.py", &copy)],
            ),
            (
                "3-changed",
                &[("area/__init__.py", area), ("area/shapes.py", &changed)],
            ),
        ],
    );
    assert_eq!(
        rows(&room, "area"),
        [
            "1-same AC",
            "2-copy AC",
            "3-changed WA `area/shapes.py` is not the task's own `shapes.py`: your files use yours, the task's files theirs.",
        ]
    );
}

#[test]
fn a_settings_file_of_a_student_does_not_change_how_the_authors_script_is_read() {
    if !have(&["node"]) {
        return;
    }
    let main = "const { seven } = require('./sum');\nconsole.log(seven());\n";
    let files: Files<'_> = &[
        ("sum.js", "exports.seven = () => 7;\n"),
        ("package.json", "{\"type\": \"module\"}\n"),
    ];
    let room = task(Room::new(), "sum", "javascript", &[("main.js", main)], "")
        .students("sum", &[("ada", files)]);
    assert_eq!(
        rows(&room, "sum"),
        ["ada AC `package.json` was left out: it changes how the task's own files are read."]
    );
}

#[test]
fn classes_in_other_packages_than_the_tasks_are_found() {
    if !have(&["javac", "java"]) {
        return;
    }
    let seven = "public interface Seven { int seven(); }\n";
    let main = "public class Main {\n  public static void main(String[] a) { Seven s = new Tree(); System.out.println(s.seven()); }\n}\n";
    let tree = "class Tree implements Seven { Node n = new Node(7); public int seven() { return n.value; } }\n";
    let node = "public class Node { public int value; public Node(int v) { value = v; } }\n";
    let of = |package: &str, text: &str| format!("package {package};\n{text}");
    let copy = of("ds", &format!("/** A copy. */\r\n{seven}"));
    let (plain, beside, inner) = (of("ds", tree), of("ds", node), of("ds.nodes", node));
    let imports = of("ds", &format!("import ds.nodes.*;\n{tree}"));
    let demo = of(
        "app",
        "import ds.*;\npublic class Demo { public static Tree tree; }\n",
    );
    let uses_demo = tree.replace("class", "import app.Demo;\npublic class");
    let uses_demo = of("ds", &uses_demo.replace("Node n", "Demo d; Node n"));
    let api = of(
        "ds",
        &format!("import api.Seven;\nimport ds.nodes.Node;\n{tree}"),
    );
    let api_copy = of("api", seven);
    let full = tree.replace("Node n = new Node", "ds.nodes.Node n = new ds.nodes.Node");
    let full = of("ds", &full);
    let constant = format!("import static ds.N.N;\n{}", tree.replace('7', "N"));
    let constant = of("ds", &constant);
    let n = of("ds", "class N { static final int N = 7; }\n");
    let included = [("Main.java", main), ("Seven.java", seven)];
    #[rustfmt::skip]
    let students: &[(&str, Files<'_>)] = &[
        ("01-package", &[("src/ds/Tree.java", &plain), ("src/ds/Node.java", &beside)]),
        ("02-copy", &[("src/ds/Tree.java", &plain), ("src/ds/Node.java", &beside), ("src/ds/Seven.java", &copy)]),
        ("03-inner", &[("src/ds/Tree.java", &imports), ("src/ds/nodes/Node.java", &inner)]),
        ("04-imported", &[("src/ds/Tree.java", &uses_demo), ("src/ds/Node.java", &beside), ("src/app/Demo.java", &demo)]),
        ("05-api", &[("ds/Tree.java", &api), ("ds/nodes/Node.java", &inner), ("api/Seven.java", &api_copy)]),
        ("06-full", &[("ds/Tree.java", &full), ("ds/nodes/Node.java", &inner)]),
        ("07-static", &[("ds/Tree.java", &constant), ("ds/Node.java", &beside), ("ds/N.java", &n)]),
        ("08-none", &[("src/Tree.java", tree), ("src/Node.java", node)]),
    ];
    let room = task(Room::new(), "tree", "java", &included, "").students("tree", students);
    let ignored = |packages: &[&str]| {
        let of = |it: &&str| {
            format!("`package {it};` was ignored: the `Main` of this task is in no package.")
        };
        packages.iter().map(of).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        rows(&room, "tree"),
        [
            format!("01-package AC {}", ignored(&["ds"])),
            format!("02-copy AC {}", ignored(&["ds"])),
            format!("03-inner AC {}", ignored(&["ds"])),
            format!("04-imported AC {}", ignored(&["app", "ds"])),
            format!("05-api AC {}", ignored(&["api", "ds"])),
            format!("06-full AC {}", ignored(&["ds"])),
            "07-static AC The task's own files were read as if `package ds;` stood above them, as in yours.".to_owned(),
            "08-none AC".to_owned(),
        ]
    );

    // The author's are in a package.
    let included = [of("org.course", main), of("org.course", seven)];
    let included = [("Main.java", &*included[0]), ("Seven.java", &*included[1])];
    let room = task(Room::new(), "tree", "java", &included, "").students("tree", &students[2..]);
    let read = |packages: &[&str]| {
        let of = |it: &&str| {
            format!(
                "`package {it};` was read as `package org.course;`, the package of the task's own files."
            )
        };
        packages.iter().map(of).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        rows(&room, "tree"),
        [
            format!("03-inner AC {}", read(&["ds"])),
            format!("04-imported AC {}", read(&["ds"])),
            format!("05-api AC {}", read(&["api", "ds"])),
            format!("06-full AC {}", read(&["ds"])),
            format!("07-static AC {}", read(&["ds"])),
            "08-none AC Your classes without a package were read as if `package org.course;` stood above them, as in the task's own files."
                .to_owned(),
        ]
    );
}

#[test]
fn packages_that_cannot_be_moved_cost_nothing() {
    if !have(&["javac", "java"]) {
        return;
    }
    // It is looked for by its name, so it cannot go to the student's package.
    let main = "public class Main {\n  public static void main(String[] a) throws Exception { Class.forName(\"Main\"); System.out.println(Tree.seven()); }\n}\n";
    let tree = "package ds;\nimport static ds.N.N;\npublic class Tree { static int seven() { return N; } }\n";
    let n = "package ds;\nclass N { static final int N = 7; }\n";
    let room = task(Room::new(), "tree", "java", &[("Main.java", main)], "").students(
        "tree",
        &[("ada", &[("ds/Tree.java", tree), ("ds/N.java", n)])],
    );
    let (status, results) = room.json(&["grade", "class", "-a", "./lab", "--json", "-"]);
    let found = problem(student(&results, "ada"), "tree");
    assert_eq!((status, found["points"].as_u64()), (3, None));
    assert_eq!(
        found["message"],
        "the task's own files expect your classes in no package; they are in `ds`, and it is not clear how to move them: hand them in as the task \
         wants them"
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
    own += &run(&["report", "class", "--feedback", "feedback", "-q"]);
    own += &all_files(&room.path("feedback"));
    for system in [&["--gradescope", "-"][..], &["--github", "-q"]] {
        own += &run(&[&["report", "class", "--student", id], system].concat());
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
        let room = room.students("tree", &[("ada", files)]);
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
