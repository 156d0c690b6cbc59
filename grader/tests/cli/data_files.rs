//! A student's files that are no sources lie in the folder in which the program is started, as they do at home.

use crate::harness::{Room, have, problem, student};
use crate::lab::{earned, graded, line};

const SUBMISSION: &str = "[submission]\nfiles = [\"add.*\"]\n";
const RUN: &str = "[run]\nstdin = \"{n}\\n\"\n[checker.tokens]\n";
const REFERENCE: &str = "[reference]\npath = \"right.py\"\n";
const ANSWERED: &str = "case = [{ name = \"3\", stdin = \"3\\n\", answer = \"10\\n\" }]\n";
const CASES: &str = "cases = { n = \"3..=4\" }\n";

/// Prints a number and 7. Students read the 7 from a file.
fn task() -> Room {
    let file = format!(
        "format = 1\nid = \"add\"\ntitle = \"Add\"\n{SUBMISSION}[limits]\ntime = \"10 s\"\n{RUN}{REFERENCE}\
         [[subtask]]\nname = \"all\"\npoints = 2\n{CASES}"
    );
    Room::new()
        .lab("add", 2, file)
        .file("lab/add/right.py", "print(int(input()) + 7)\n")
}

const C: &str = "#include <stdio.h>\nint main(void) { int n, off; FILE *f = fopen(\"@\", \"r\");\n\
                 scanf(\"%d\", &n); fscanf(f, \"%d\", &off); printf(\"%d\\n\", n + off); return 0; }\n";
const JAVA: &str = "import java.io.*;\nimport java.util.Scanner;\npublic class Add { public static void main(String[] a) throws IOException {\n\
                    int n = new Scanner(System.in).nextInt();\n\
                    System.out.println(n + new Scanner(new File(\"@\")).nextInt()); } }\n";
const PYTHON: &str = "n = int(input())\nprint(n + int(open(\"@\").read()))\n";
const JAVASCRIPT: &str = "const fs = require(\"fs\");\nconst n = Number(fs.readFileSync(0, \"utf8\"));\n\
                          console.log(n + Number(fs.readFileSync(\"@\", \"utf8\")));\n";

/// The verdict, the points, the files and the hints of each student.
fn rows(room: &Room) -> Vec<String> {
    let all = earned(room, "./lab", "add").into_iter();
    let row = all.map(|it| {
        let (files, hints) = (it.files.join(", "), it.hints.join(", "));
        line(&[&it.student, &it.verdict, &it.points, &files, &hints])
    });
    row.collect()
}

#[test]
fn a_program_opens_its_data_by_name_in_every_language() {
    if !have(&["gcc", "javac", "java", "node", "python3"]) {
        return;
    }
    #[rustfmt::skip]
    let table = [
        ("c1", "add.c", C, "off.txt", "off.txt"),
        ("c2", "add.c", C, "data/off.txt", "data/off.txt"),
        ("c3", "hw 1/src/add.c", C, "data/off.txt", "hw 1/data/off.txt"),
        ("c4", "add.c", C, "data\\\\off.txt", "data/off.txt"),
        ("java1", "Add.java", JAVA, "off.txt", "off.txt"),
        ("java2", "Add.java", JAVA, "data/off.txt", "data/off.txt"),
        ("java3", "HW/src/Add.java", JAVA, "src/off.txt", "HW/src/off.txt"),
        ("js1", "add.js", JAVASCRIPT, "off.txt", "off.txt"),
        ("js2", "add.js", JAVASCRIPT, "data/off.txt", "data/off.txt"),
        ("python1", "add.py", PYTHON, "off.txt", "off.txt"),
        ("python2", "add.py", PYTHON, "data/off.txt", "data/off.txt"),
        ("python3", "src/add.py", PYTHON, "off.txt", "off.txt"),
    ];
    let mut room = task();
    let mut expected = Vec::new();
    for (id, path, source, named, data) in table {
        room = room
            .file(&format!("class/{id}/{path}"), source.replace('@', named))
            .file(&format!("class/{id}/{data}"), "7\n");
        let mut files = [path, data];
        files.sort_unstable();
        expected.push(format!("{id} AC 2 {}", files.join(", ")));
    }
    assert_eq!(rows(&room), expected);
}

#[test]
fn the_tasks_own_files_take_the_place_of_a_students_who_is_told() {
    if !have(&["python3"]) {
        return;
    }
    // Ann's output file of home is the right answer of no case, and Bob's program prints nothing.
    let reads = "n = int(open(\"in.txt\").read())\noff = int(open(\"off.txt\").read())\n";
    let right = format!("{reads}open(\"out.txt\", \"w\").write(str(n + off))\n");
    let told = |files: &str| {
        format!(
            "Not put where your program runs: {files}. The task has its own files of that name."
        )
    };
    let room = task()
        .replace(
            "lab/add/problem.toml",
            RUN,
            "[run]\ninput-file = \"in.txt\"\noutput-file = \"out.txt\"\nfiles = [\"off.txt\"]\nstdin = \"{n}\\n\"\n[checker.tokens]\n",
        )
        .replace(
            "lab/add/right.py",
            "print(int(input()) + 7)",
            "print(int(open(\"in.txt\").read()) + 7, file=open(\"out.txt\", \"w\"))",
        )
        .file("lab/add/off.txt", "7\n")
        .file("class/ann/add.py", &right)
        .file("class/ann/in.txt", "99\n")
        .file("class/ann/off.txt", "1\n")
        .file("class/ann/out.txt", "100\n")
        .file("class/bob/add.py", "print(\"out.txt\")\n")
        .file("class/bob/out.txt", "10\n")
        // The very same file.
        .file("class/cy/add.py", &right)
        .file("class/cy/off.txt", "7\n");
    assert_eq!(
        rows(&room),
        [
            format!(
                "ann AC 2 add.py, in.txt, off.txt, out.txt {}",
                told("`in.txt`, `off.txt`, `out.txt`")
            ),
            format!("bob WA 0 add.py, out.txt {}", told("`out.txt`")),
            "cy AC 2 add.py, off.txt".to_owned(),
        ]
    );
}

#[test]
fn data_of_functions_and_of_players_and_of_what_make_builds() {
    if !have(&["gcc", "make", "python3"]) {
        return;
    }
    // A function, whose program is the author's.
    let harness = "import add\nprint(add.add(int(input())))\n";
    let function = "def add(n):\n    return n + int(open(\"data/off.txt\").read())\n";
    let room = task()
        .replace(
            "lab/add/problem.toml",
            SUBMISSION,
            "[submission]\nfiles = [\"add.*\"]\nlanguages = [\"python\"]\ninclude = [\"main.py\"]\n",
        )
        .replace("lab/add/problem.toml", REFERENCE, "")
        .replace("lab/add/problem.toml", CASES, ANSWERED)
        .file("lab/add/main.py", harness)
        .file("class/ann/add.py", function)
        .file("class/ann/data/off.txt", "7\n");
    assert_eq!(rows(&room), ["ann AC 2 add.py, data/off.txt"]);
    // A player of a game.
    let interactor = "import sys\nn = int(open(sys.argv[1]).read())\nprint(n, flush=True)\n\
                      sys.exit(42 if int(input()) == n + 7 else 43)\n";
    let room = task()
        .replace(
            "lab/add/problem.toml",
            "[checker.tokens]\n[reference]\npath = \"right.py\"\n",
            "[interactor]\nsource = \"interactor.py\"\n",
        )
        .file("lab/add/interactor.py", interactor)
        .file("class/ann/add.c", C.replace('@', "off.txt"))
        .file("class/ann/off.txt", "7\n");
    assert_eq!(rows(&room), ["ann AC 2 add.c, off.txt"]);
    // The author's `Makefile`.
    let build = "[build]\ncommand = [\"make\", \"add\"]\nprogram = \"add\"\n";
    let room = task()
        .replace(
            "lab/add/problem.toml",
            SUBMISSION,
            &format!(
                "[submission]\nfiles = [\"add.*\"]\nlanguages = [\"c\"]\ninclude = [\"Makefile\"]\nextra = [\"*\"]\n{build}"
            ),
        )
        .replace("lab/add/problem.toml", REFERENCE, "")
        .replace(
            "lab/add/problem.toml",
            CASES,
            &ANSWERED.replace("10", "10 off.txt"),
        )
        .file("lab/add/Makefile", "add: src/add.c\n\tgcc -o $@ $^\n")
        .file(
            "class/ann/src/add.c",
            format!(
                "#define main own\n{}#undef main\n#include <dirent.h>\n#include <string.h>\n\
                 int main(void) {{ own(); DIR *d = opendir(\".\"); struct dirent *e;\n\
                 while ((e = readdir(d))) if (e->d_name[0] != '.') puts(e->d_name); return 0; }}\n",
                C.replace('@', "off.txt")
            ),
        )
        .file("class/ann/off.txt", "7\n")
        // Neither rules nor what was built at home.
        .file("class/ann/makefile", "add:\n\ttrue\n")
        .file("class/ann/add", "#!/bin/sh\n");
    let found = rows(&room);
    assert!(found[0].starts_with("ann AC 2 "), "{found:?}");
}

#[test]
fn data_of_searches_and_of_undefined_behaviour() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    // In a search, runs without data share a sandbox.
    let room = task()
        .replace(
            "lab/add/problem.toml",
            "[[subtask]]",
            "[search]\ncases = { n = \"1..=20\" }\n[[subtask]]",
        )
        .file("mine/add.c", C.replace('@', "off.txt"))
        .file("mine/off.txt", "7\n");
    let searched = room.run(&["stress", "mine", "-a", "./lab", "--time", "600"]);
    assert_eq!(searched.status, 0, "{}{}", searched.stdout, searched.stderr);
    // The sanitizer sees what happens with the file only.
    let room = task()
        .file(
            "class/ann/add.c",
            "#include <stdio.h>\nint main(void) { int n, at, a[8] = {0}; FILE *f = fopen(\"off.txt\", \"r\");\nscanf(\"%d\", &n);\n\
             if (!f || fscanf(f, \"%d\", &at) != 1) return 3;\na[at] = n;\nprintf(\"%d\\n\", a[0]); return 0; }\n",
        )
        .file("class/ann/off.txt", "9\n");
    let results = graded(&room, "./lab");
    let subtasks = &problem(student(&results, "ann"), "add")["subtasks"];
    let hints = subtasks[0]["cases"][0]["hints"].to_string();
    assert!(hints.contains("line 5: "), "{subtasks}");
}

#[test]
fn students_test_their_programs_with_their_data() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = task()
        .file("mine/add.py", PYTHON.replace('@', "data/off.txt"))
        .file("mine/data/off.txt", "7\n")
        .file("five.txt", "5\n");
    assert_eq!(room.run(&["bundle", "-o", "kit", "-a", "./lab"]).status, 0);
    let tested = room.run(&["test", "mine", "-a", "./kit"]);
    assert_eq!(tested.status, 0, "{}{}", tested.stdout, tested.stderr);
    let given = room.run(&["test", "mine", "-a", "./kit", "--input", "five.txt"]);
    assert_eq!(
        (given.status, given.stdout.lines().next()),
        (0, Some("12")),
        "{}",
        given.stderr
    );
}

#[test]
fn many_files_and_strange_names_are_as_good_as_others() {
    if !have(&["python3"]) {
        return;
    }
    // The program also writes into the folder of its data, and over a file.
    let program = "import os\nn = int(input())\nnames = [os.path.join(f, i) for f, _, all in os.walk('.') for i in all]\n\
                   open('tmp/box/new.txt', 'w').write('x' * 1000)\nopen('stdin', 'w').write('1')\n\
                   print(n + (7 if len(names) == 994 else len(names)))\n";
    let mut room = task().replace(
        "lab/add/problem.toml",
        SUBMISSION,
        "[submission]\nfiles = [\"add.*\"]\nproject = true\nextra = [\"*\"]\nsize = \"4 MiB\"\n",
    );
    room = room.file("class/ann/add.py", program);
    for number in 0..990 {
        room = room.file(&format!("class/ann/data/{number}.csv"), "1,2\n");
    }
    room = room
        .file("class/ann/stdin", "2\n")
        .file("class/ann/stdout", "10\n")
        .file("class/ann/outputs", "10\n")
        .file("class/ann/tmp/box/build", "x\n");
    let found = rows(&room);
    assert!(found[0].starts_with("ann AC 2 "), "{:.400}", found[0]);
}
