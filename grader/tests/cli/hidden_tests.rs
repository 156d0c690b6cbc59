//! Kits of tasks whose unit tests are partly hidden.

use std::fs;

use crate::harness::{Room, have, names};
use crate::kits::files;
use crate::unit_tests::{have_frameworks, pages, room};

/// A harness of two files: the second has the hidden tests, if it is there.
const HALVES: &str = "import os, one\nreport = open(\"report.xml\", \"w\")\nos.remove(\"report.xml\")\n\
    tests = {\"right\": True, \"one\": one.x == 1}\n\
    try:\n    import canary\n    tests.update(canary.tests())\nexcept ImportError:\n    pass\n\
    report.write('<testsuite>')\nfor name, passed in tests.items():\n    failed = '' if passed else '<failure/>'\n    \
    report.write(f'<testcase name=\"{name}\">{failed}</testcase>')\nreport.write('</testsuite>')\nreport.close()\n";

#[test]
fn a_kit_has_no_hidden_test_of_a_harness_and_its_public_tests_run() {
    if !have(&["python3"]) {
        return;
    }
    let problem = "format = 1\nid = \"one\"\ntitle = \"One\"\n[submission]\nfile = \"one.py\"\ninclude = [\"main.py\", \"canary.py\"]\n\
        [run]\nreport = \"junit\"\n[[subtask]]\nname = \"a\"\npoints = 2\ntests = [\"right\", \"one\"]\n\
        [[subtask]]\nname = \"b\"\npoints = 3\nhidden = true\nrequire = [\"a\"]\ntests = [\"secret\"]\ntest-files = [\"canary.py\"]\n";
    let room = || {
        Room::new()
            .file("week/assignment.toml", "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"one\"\npoints = 5\n")
            .file("week/one/problem.toml", problem)
            .file("week/one/main.py", HALVES)
            .file("week/one/canary.py", "# CANARY\nimport one\ndef tests():\n    return {'secret': one.x == 1}\n")
            .file("week/one/submissions/accepted/one.py", "x = 1\n")
            .file("one.py", "x = 2\n")
    };
    let good = room();
    let ran = good.run(&["bundle", "-o", "kit", "-a", "./week"]);
    assert_eq!(
        (ran.stderr.as_str(), ran.stdout.as_str()),
        (
            "",
            "wrote 4 files to kit\n\nDifferences from the assignment:\n  one: `canary.py` is not in the kit, because hidden tests need it\n\n\
         one: 2 of 3 cases are public\n"
        )
    );
    files(&good.path("kit"), &good.path("kit"), &mut Vec::new());
    let ran = good.run(&["test", "one.py", "-a", "./kit"]);
    let last: Vec<&str> = ran.stdout.lines().rev().take(2).collect();
    let expected = [
        "one: 3 of 5 points are in hidden cases",
        "  one: 1 of 2 points  PC partially correct",
    ];
    assert_eq!((ran.status, last), (1, expected.to_vec()), "{}", ran.stdout);

    // Each is refused, and nothing is written.
    let path = "week/one/problem.toml";
    let own = "put it into a file of its own, and name that in `test-files` of its subtask";
    let main = "week/one/main.py";
    for (wrong, message) in [
        (
            // A hidden test that passes, or fails, in a file that public tests need.
            room().replace(main, "\"right\": True", "\"right\": True, \"secret\": True"),
            format!("one: the hidden test `b/secret` is in a file that public tests need, too\n{own}"),
        ),
        (
            room().replace(main, "\"right\": True", "\"right\": True, \"secret\": False"),
            format!("one: the hidden test `b/secret` is in a file that public tests need, too\n{own}"),
        ),
        (
            room().replace(main, "except ImportError:\n    pass", "finally:\n    pass"),
            "one: without `canary.py`, `accepted/one.py` gets RE in `a/right`: the tests ended before the report was complete\n\
             the harness must run the public tests if these files are missing".to_owned(),
        ),
        (
            room().replace("week/one/submissions/accepted/one.py", "1", "(1"),
            "one: without `canary.py`, `accepted/one.py` gets CE in `a/right`: does not compile\n\
             the harness must run the public tests if these files are missing"
                .to_owned(),
        ),
    ] {
        let ran = wrong.run(&["bundle", "-o", "kit", "-a", "./week"]);
        assert_eq!((ran.status, ran.stderr), (2, format!("error: {message}\n")));
        assert!(!wrong.path("kit").exists());
    }
    for named in [
        "hidden.py",
        "../one/canary.py",
        "submissions/accepted/one.py",
    ] {
        let to = format!("test-files = [\"{named}\"]");
        let wrong = room().replace(path, "test-files = [\"canary.py\"]", &to);
        let ran = wrong.run(&["bundle", "-o", "kit", "-a", "./week"]);
        let message = format!("error: `{named}` is no file of the harness");
        assert_eq!(
            (ran.status, ran.stderr.lines().next()),
            (2, Some(&*message))
        );
    }
}

/// Tests with parameters, of repetitions and with a name of their own, for JUnit itself; and hidden ones.
const RUNS: &str = "import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class CLASS {
    @ParameterizedTest @ValueSource(ints = {1, 2, 3})
    void pushes(int value) {
        Stack stack = new Stack();
        stack.push(value);
        stack.push(2);
        stack.pop();
        assertEquals(value, stack.pop());
    }
    @RepeatedTest(2) @DisplayName(\"twice\")
    void again() { Assertions.assertNull(new Stack().pop()); }
}
";

/// The pages' tasks with hidden tests: those of `stack` and `jstack` in files that their harness need not have, as a page
/// says.
fn room_with_hidden_tests() -> Room {
    let page = pages();
    let lines = |start: &str, count: usize| {
        let lines: Vec<&str> = page[page.find(start).unwrap()..]
            .lines()
            .take(count)
            .collect();
        lines.join("\n")
    };
    let tests = "tests = [os.path.join(folder, name)";
    let which = "os.path.join(folder, \"tests.py\"),\n])";
    let request = lines("        var request", 1);
    let classes = lines("var classes", 2).replace("\"HiddenTest\"", "\"RunsTest\", \"HiddenTest\"");
    let import = "import javax.xml.stream.XMLOutputFactory;";
    let late = |tests: &str, file: &str| {
        format!(
            "[[subtask]]\nname = \"late\"\npoints = 6\nhidden = true\ntests = [{tests}]\ntest-files = [\"{file}\"]\n"
        )
    };
    let runs = "[[subtask]]\nname = \"runs\"\npoints = 10\ntests = [\"RunsTest.pushes\", \"RunsTest.pushes[2]\", \
                \"RunsTest.pushes[3]\", \"RunsTest.again\", \"RunsTest.again[1]\"]\n";
    let of_java = late(
        "\"HiddenTest.pushes\", \"HiddenTest.again\"",
        "HiddenTest.java",
    );
    let of_python = late("\"hidden_tests.test_late\"", "hidden_tests.py");
    let edits = [
        (
            "assignment.toml",
            "\"stack\"\npoints = 10",
            "\"stack\"\npoints = 16",
        ),
        (
            "assignment.toml",
            "\"jstack\"\npoints = 10",
            "\"jstack\"\npoints = 26",
        ),
        (
            "stack/problem.toml",
            "\"tests.py\"]",
            "\"tests.py\", \"hidden_tests.py\"]",
        ),
        (
            "stack/problem.toml",
            "[[subtask]]\nname = \"order\"",
            &format!("{of_python}[[subtask]]\nname = \"order\""),
        ),
        (
            "stack/main.py",
            "status = pytest",
            &format!("{}\nstatus = pytest", lines(tests, 1)),
        ),
        (
            "stack/main.py",
            which,
            "*filter(os.path.exists, tests),\n])",
        ),
        (
            "jstack/problem.toml",
            "\"StackTest.java\"]",
            "\"StackTest.java\", \"RunsTest.java\", \"HiddenTest.java\"]",
        ),
        (
            "jstack/problem.toml",
            "[[subtask]]",
            &format!("{runs}{of_java}[[subtask]]"),
        ),
        ("jstack/Main.java", &request, &classes),
        (
            "jstack/Main.java",
            import,
            &format!("import java.util.stream.Stream;\n{import}"),
        ),
    ];
    let room = edits.into_iter().fold(room(), |room, (path, old, new)| {
        room.replace(&format!("tests/{path}"), old, new)
    });
    let hidden = "from stack import Stack\ndef test_late():\n    assert Stack().pop() is None\n";
    room.file("tests/stack/hidden_tests.py", hidden)
        .file(
            "tests/jstack/RunsTest.java",
            RUNS.replace("CLASS", "RunsTest"),
        )
        .file(
            "tests/jstack/HiddenTest.java",
            RUNS.replace("CLASS", "HiddenTest"),
        )
}

#[test]
fn a_kit_runs_the_public_half_of_pytest_and_junit() {
    if !have_frameworks() {
        return;
    }
    // What tools leave beside hidden tests stays, too.
    let left = [
        "__pycache__/test_hidden.cpython-311.pyc",
        ".test_hidden.py.swp",
        "test_hidden.py~",
    ];
    let room = left.iter().fold(room_with_hidden_tests(), |room, name| {
        room.file(&format!("tests/gcd/tests/{name}"), "1134903170")
    });
    let made = room.run(&["bundle", "-a", "./tests", "-o", "kit"]);
    assert_eq!(
        (made.status, made.stderr.as_str(), made.stdout.as_str()),
        (
            0,
            "",
            "wrote 16 files to kit\n\nDifferences from the assignment:\n  \
         stack: `hidden_tests.py` is not in the kit, because hidden tests need it\n  \
         jstack: `HiddenTest.java` is not in the kit, because hidden tests need it\n  \
         gcd: `tests/test_hidden.py` is not in the kit, because hidden tests need it\n\n\
         stack: 3 of 4 cases are public\njstack: 6 of 8 cases are public\ngcd: 3 of 4 cases are public\n"
        )
    );
    let files = [
        "Main.java",
        "RunsTest.java",
        "StackTest.java",
        "problem.toml",
    ];
    assert_eq!(names(&room.path("kit/jstack")), files);
    assert_eq!(
        names(&room.path("kit/stack")),
        ["main.py", "problem.toml", "tests.py"]
    );
    assert_eq!(
        names(&room.path("kit/gcd/tests")),
        ["main.py", "program.py", "test_gcd.py"]
    );
    // A student sees the verdicts of the public tests, and how many points are hidden.
    let read = |path: &str| fs::read_to_string(room.path(path)).unwrap();
    let queue = read("tests/jstack/submissions/partially-correct/Stack.java");
    let of_python = read("tests/stack/submissions/wrong-answer/queue.py");
    let room = room
        .file("work/Stack.java", queue)
        .file("work/stack.py", of_python);
    for (file, last) in [
        (
            "work/stack.py",
            [
                "  stack: 8 of 10 points  PC partially correct",
                "stack: 6 of 16 points are in hidden cases",
            ],
        ),
        (
            "work/Stack.java",
            [
                "  jstack: 12.66 of 20 points  PC partially correct",
                "jstack: 6 of 26 points are in hidden cases",
            ],
        ),
    ] {
        let ran = room.run(&["test", file, "-a", "./kit"]);
        let lines: Vec<&str> = ran.stdout.lines().rev().take(2).collect();
        assert_eq!(
            (ran.status, [lines[1], lines[0]]),
            (1, last),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
}
