//! What a package means is translated or refused, never dropped: each of these packages was once imported as something else.

use std::fs;

use super::untrusted::refused;
use crate::harness::{Room, have};

/// A package with these files in the folder `evil`.
fn package(files: &[(&str, &str)]) -> Room {
    files.iter().fold(Room::new(), |room, (path, text)| {
        room.file(&format!("evil/{path}"), *text)
    })
}

/// Imports `evil` as `out/evil`, expects these notes, and returns its subtasks.
fn imported(room: &Room, notes: &[&str]) -> String {
    let ran = room.run(&["import", "evil", "-o", "out/evil"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let (_, said) = ran.stdout.split_once('\n').unwrap();
    let mut expected = String::new();
    if !notes.is_empty() {
        expected = format!("\nChanges from the package:\n  {}\n", notes.join("\n  "));
    }
    assert_eq!(said, expected);
    let text = fs::read_to_string(room.path("out/evil/problem.toml")).unwrap();
    text.split_once("\n[[subtask]]\n").unwrap().1.to_owned()
}

/// The points and the verdict of this program for the problem `out`.
fn earned(room: Room, program: &str) -> (Room, String) {
    let problem = fs::read_to_string(room.path("out/evil/problem.toml")).unwrap();
    let problem: toml::Table = problem.parse().unwrap();
    let subtasks = problem["subtask"].as_array().unwrap().iter();
    let points: i64 = subtasks.map(|it| it["points"].as_integer().unwrap()).sum();
    let assignment = format!(
        "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"evil\"\npoints = {points}\n"
    );
    let room = room
        .file("out/assignment.toml", assignment)
        .file("class/ada/evil.py", program);
    let (_, results) = room.json(&["grade", "class", "-a", "./out", "--json", "-"]);
    let problem = &results["students"][0]["problems"][0];
    let (points, verdict) = (&problem["points"], problem["verdict"].as_str().unwrap());
    let earned = format!("{verdict} {points}");
    (room, earned)
}

/// A test and its answer, both of this one line.
fn test(room: Room, path: &str, line: &str) -> Room {
    room.file(&format!("evil/data/{path}.in"), format!("{line}\n"))
        .file(&format!("evil/data/{path}.ans"), format!("{line}\n"))
}

const LEGACY: &str = "name: Echo\ntype: scoring\nlimits: {time_limit: 1}\n";
const NEW: &str =
    "problem_format_version: 2025-09\nname: Echo\ntype: scoring\nlimits: {time_limit: 1}\n";

#[test]
fn a_group_without_its_tests_is_refused_with_its_points() {
    for (head, settings, reason) in [
        (
            LEGACY,
            "accept_score: 60\n",
            ": its 60 points would be lost",
        ),
        (NEW, "max_score: 60\n", ": its 60 points would be lost"),
        (
            "name: Echo\nlimits: {time_limit: 1}\n",
            "output_validator_flags: x\n",
            "",
        ),
    ] {
        let file = if head == NEW {
            "test_group.yaml"
        } else {
            "testdata.yaml"
        };
        let room = package(&[
            ("problem.yaml", head),
            ("data/testdata.yaml", "on_reject: continue\n"),
            (
                &format!("data/secret/one/{file}"),
                &settings.replace("60", "40"),
            ),
            (&format!("data/secret/two/{file}"), settings),
        ]);
        let room = test(room, "secret/one/1", "1");
        let message = format!("`data/secret/two`: the group has settings, but no tests{reason}\n");
        refused(&room, &message);
    }
}

#[test]
fn a_validator_that_is_missing_is_refused_and_one_that_is_left_over_is_not_used() {
    let of = |head: &str| test(package(&[("problem.yaml", head)]), "secret/1", "1");
    for (head, kind, folder) in [
        ("validation: custom\n", "custom", "output_validators"),
        ("validation: custom score\n", "custom", "output_validators"),
        (
            "validation: custom interactive\n",
            "custom",
            "output_validators",
        ),
        (
            "problem_format_version: 2025-09\ntype: multi-pass\n",
            "multi-pass",
            "output_validator",
        ),
        (
            "problem_format_version: 2025-09\ntype: interactive\n",
            "interactive",
            "output_validator",
        ),
    ] {
        let message =
            format!("`problem.yaml`: `{kind}` needs an output validator, and `{folder}/` has none");
        refused(&of(head), &message);
        refused(&of(head).folder("evil/output_validators/empty"), &message);
        let misspelt = of(head).file("evil/output_validator2/check.py", "");
        refused(&misspelt, &message);
    }
    refused(
        &of("validation: costum\n"),
        "`problem.yaml`: the type or validation `costum` is not known",
    );
    let program = "import sys\nsys.exit(42)\n";
    for validation in ["", "validation: default\n"] {
        let room = of(&format!("{validation}limits: {{time_limit: 1}}\n"))
            .file("evil/output_validators/check/check.py", program);
        let note = "`output_validators` is not used: the package's `validation` is `default`";
        imported(&room, &[note]);
        let problem = fs::read_to_string(room.path("out/evil/problem.toml")).unwrap();
        assert!(problem.contains("[checker.tokens]"), "{problem}");
    }
    // The newer format has no such key: the folder decides.
    let room = of("problem_format_version: 2025-09\nlimits: {time_limit: 1}\n")
        .file("evil/output_validator/check.py", program);
    imported(&room, &[]);
    let problem = fs::read_to_string(room.path("out/evil/problem.toml")).unwrap();
    assert!(problem.contains("[checker.program]"), "{problem}");
}

/// A validator that accepts every output, with the number on the first line of the input as its score.
const SCORES: &str = "import sys\nscore = open(sys.argv[1]).readline()\nopen(sys.argv[3] + '/score.txt', 'w').write(score)\nsys.exit(42)\n";

#[test]
fn an_output_that_is_accepted_with_score_0_is_no_wrong_answer() {
    if !have(&["python3"]) {
        return;
    }
    let head = format!("{LEGACY}validation: custom score\n");
    let room = package(&[
        ("problem.yaml", &head),
        ("output_validators/check/check.py", SCORES),
        ("data/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/g1/testdata.yaml", "range: 0 50\n"),
        ("data/secret/g2/testdata.yaml", "range: 0 50\n"),
        ("submissions/accepted/a.py", "print(1)\n"),
    ]);
    let room = test(test(room, "secret/g1/1", "0"), "secret/g2/1", "30");
    imported(&room, &[]);
    let ran = room.run(&["verify", "out/evil"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let (room, earned) = earned(room, "print(1)\n");
    assert_eq!(earned, "PC 30");
    let (_, results) = room.json(&["grade", "class", "-a", "./out", "--json", "-"]);
    let case = &results["students"][0]["problems"][0]["subtasks"][0]["cases"][0];
    let message = "the output is accepted, with 0 points";
    assert_eq!(case["message"], message);
}

#[test]
fn scores_without_a_maximum_are_refused_and_tests_without_a_score_are_worth_1() {
    let custom = |data: &str| {
        let head = format!("{LEGACY}validation: custom score\n");
        let room = package(&[
            ("problem.yaml", &head),
            ("output_validators/check/check.py", SCORES),
            ("data/testdata.yaml", data),
        ]);
        test(test(room, "secret/g1/1", "0"), "secret/g2/1", "30")
    };
    refused(
        &custom("on_reject: continue\n"),
        "`data/secret/g1`: the output validator gives scores, and their maximum is not known: add `range: 0 100`, or what it is, \
         to `data/secret/g1/testdata.yaml`",
    );
    refused(
        &custom("on_reject: continue\nrange: 0 100\n"),
        "`data/secret/g2`: the most points of this group are not known: it has the `range` of a group around it, as \
         `data/secret/g1` has; give it a `range` of its own",
    );
    for score in ["", "max_score: unbounded\n"] {
        let files = [
            ("problem.yaml", NEW),
            ("data/secret/g1/test_group.yaml", score),
        ];
        refused(
            &test(package(&files), "secret/g1/1", "1"),
            "`data/secret/g1`: what the group is worth is not known: `max_score` is missing or `unbounded`",
        );
    }
    let files = [
        ("problem.yaml", LEGACY),
        ("data/testdata.yaml", "on_reject: continue\n"),
    ];
    let mut room = package(&files);
    for path in ["sample/1", "secret/1", "secret/2", "secret/3"] {
        room = test(room, path, "1");
    }
    // As in the package, the sample counts.
    let subtasks = imported(&room, &[]);
    let expected = "name = \"sample\"\npoints = 1\nscore = \"sum\"\nfolder = \"data/sample\"\n\n\
        [[subtask]]\nname = \"secret\"\npoints = 3\nscore = \"sum\"\nhidden = true\nfolder = \"data/secret\"\n";
    assert_eq!(subtasks, expected);
}

/// A package with a sample and two groups of three tests, each worth 10 points.
fn two_groups(settings: &str, of_groups: &str) -> Room {
    let mut room = package(&[
        ("problem.yaml", LEGACY),
        ("data/testdata.yaml", settings),
        ("data/sample/testdata.yaml", "accept_score: 0\n"),
        ("data/secret/g1/testdata.yaml", of_groups),
        ("data/secret/g2/testdata.yaml", of_groups),
    ]);
    room = test(room, "sample/0", "0");
    for (number, path) in ["g1/1", "g1/2", "g1/3", "g2/1", "g2/2", "g2/3"]
        .iter()
        .enumerate()
    {
        room = test(room, &format!("secret/{path}"), &(number + 1).to_string());
    }
    room
}

#[test]
fn after_a_failure_nothing_more_is_scored_unless_the_package_says_so() {
    if !have(&["python3"]) {
        return;
    }
    let sum = "accept_score: 10\n";
    let min = "accept_score: 30\ngrader_flags: min\n";
    for (settings, of_groups, wrong_in, expected) in [
        // The default of this format is `break`.
        ("", sum, "2", "PC 10"),
        ("", sum, "5", "PC 40"),
        ("", sum, "0", "WA 0"),
        ("", sum, "", "AC 60"),
        ("on_reject: break\n", min, "2", "WA 0"),
        ("on_reject: break\n", min, "5", "PC 30"),
        ("on_reject: continue\n", sum, "2", "PC 50"),
        ("on_reject: continue\n", min, "2", "PC 30"),
        ("on_reject: continue\n", sum, "0", "PC 60"),
        // A group that is always accepted ends nothing.
        ("grader_flags: always_accept\n", sum, "0", "PC 60"),
    ] {
        let room = two_groups(settings, of_groups);
        imported(&room, &[]);
        let program = format!("n = input()\nprint(-1 if n == '{wrong_in}' else n)\n");
        let (_, earned) = earned(room, &program);
        assert_eq!(earned, expected, "{settings}{of_groups}{wrong_in}");
    }
    for (of_groups, reason) in [
        (
            "grader_flags: avg\n",
            "the mean of its tests depends on which of them run",
        ),
        (
            "grader_flags: accept_if_any_accepted\n",
            "a group is accepted if one of its tests is",
        ),
    ] {
        let folder = if of_groups.contains("avg") {
            "data/secret/g1"
        } else {
            "data/secret"
        };
        refused(
            &two_groups("", of_groups),
            &format!(
                "`{folder}`: `on_reject: break`, the default, ends the group at its first failure, and {reason}, which is not \
                 supported: set `on_reject: continue`"
            ),
        );
    }
    refused(
        &two_groups("on_reject: stop\n", sum),
        "`data/testdata.yaml`: `on_reject`: expected `break` or `continue`, found `stop`",
    );
    refused(
        &two_groups("grader_flags: median\n", sum),
        "`data`: the grader has no setting `median`",
    );
}

#[test]
fn in_a_pass_fail_package_every_test_must_pass() {
    if !have(&["python3"]) {
        return;
    }
    for wrong_in in ["0", "1", "2"] {
        let head = "name: Echo\nlimits: {time_limit: 1}\n";
        let mut room = package(&[("problem.yaml", head)]);
        for (path, line) in [("sample/1", "0"), ("secret/a/1", "1"), ("secret/b/1", "2")] {
            room = test(room, path, line);
        }
        imported(&room, &[]);
        let program = format!("n = input()\nprint(-1 if n == '{wrong_in}' else n)\n");
        let (_, earned) = earned(room, &program);
        assert_eq!(earned, "WA 0", "{wrong_in}");
    }
}

/// A validator that compares with the word in its arguments, and crashes without one.
const WORD: &str = "import sys\nword = sys.argv[sys.argv.index('--word') + 1]\nsys.exit(42 if sys.stdin.read().strip() == word else 43)\n";

#[test]
fn the_arguments_of_a_single_test_are_used() {
    if !have(&["python3"]) {
        return;
    }
    let head = NEW.replace("scoring", "pass-fail");
    let word = |word: &str| format!("output_validator_args: [\"--word\", {word}]\nhint: say it\n");
    let room = package(&[
        ("problem.yaml", &head),
        ("output_validator/check.py", WORD),
        ("data/sample/1.yaml", &word("one")),
        ("data/secret/2.yaml", &word("two")),
        ("data/secret/3.yaml", &word("three")),
        ("data/secret/4.yaml", &word("two")),
        (
            "submissions/accepted/a.py",
            "print([0, 'one', 'two', 'three', 'two'][int(input())])\n",
        ),
        ("submissions/wrong_answer/b.py", "print('two')\n"),
    ]);
    let mut room = test(room, "sample/1", "1");
    for number in ["2", "3", "4"] {
        room = test(room, &format!("secret/{number}"), number);
    }
    let subtasks = imported(&room, &[]);
    let lines = subtasks.lines().filter(|line| {
        ["name", "points", "require", "arguments"]
            .iter()
            .any(|key| line.starts_with(key))
    });
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "name = \"sample\"",
            "points = 0",
            "arguments = [\"--word\", \"one\"]",
            "name = \"secret-1\"",
            "points = 0",
            "arguments = [\"--word\", \"two\"]",
            "name = \"2\"",
            "name = \"4\"",
            "name = \"secret-2\"",
            "points = 1",
            "require = [\"sample\", \"secret-1\"]",
            "name = \"3\"",
        ]
    );
    let ran = room.run(&["verify", "out/evil"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn settings_of_tests_that_judging_would_ignore_are_refused() {
    let head = NEW.replace("scoring", "pass-fail");
    for (file, text, message) in [
        (
            "data/secret/2.yaml",
            "args: [x]\n",
            "`data/secret/2.yaml`: arguments of submissions (`args`) are not supported",
        ),
        (
            "data/secret/test_group.yaml",
            "args: [x]\n",
            "`data/secret/test_group.yaml`: arguments of submissions (`args`) are not supported",
        ),
        (
            "data/secret/2.yaml",
            "output_validator_arg: [x]\n",
            "`data/secret/2.yaml`: a test has no setting `output_validator_arg`",
        ),
        (
            "data/secret/test_group.yaml",
            "static_validation_score: 10\n",
            "`data/secret/test_group.yaml`: a score for the source (`static_validation_score`) is not supported",
        ),
        (
            "data/secret/test_group.yaml",
            "require_pass: secret/none\n",
            "`data/secret`: `require_pass`: there are no tests in `data/secret/none`",
        ),
        (
            "data/secret/2.files/data.txt",
            "x",
            "`data/secret/2.files`: files that submissions read (`*.files`) are not supported",
        ),
        (
            "static_validator/check.py",
            "",
            "programs that read submissions (`static_validator/`) are not supported",
        ),
        (
            "generators/generators.yaml",
            "data: {secret: {data: {9: {generate: g.py, yaml: {output_validator_args: [x]}}}}}\n",
            "`generators/generators.yaml`: `data/secret/9`: `output_validator_args` of a single test is not supported",
        ),
    ] {
        let files = [("problem.yaml", &*head), (file, text)];
        refused(&test(package(&files), "secret/2", "2"), message);
    }
    // One program talks to the submissions in all tests.
    let head = head.replace("pass-fail", "interactive");
    let room = package(&[
        ("problem.yaml", &head),
        ("output_validator/check.py", WORD),
        (
            "data/secret/2.yaml",
            "output_validator_args: [\"--word\", two]\n",
        ),
    ]);
    refused(
        &test(test(room, "sample/1", "1"), "secret/2", "2"),
        "`data/sample`: the interactor gets other arguments here than in other tests, which is not supported",
    );
}

#[test]
fn flags_of_the_problem_and_of_a_group_are_both_passed() {
    let head = "validation: custom\nvalidator_flags: --all\nlimits: {time_limit: 1}\n";
    let room = package(&[
        ("problem.yaml", head),
        ("output_validators/check/check.py", WORD),
        (
            "data/secret/testdata.yaml",
            "output_validator_flags: --own\n",
        ),
    ]);
    let room = test(room, "secret/1", "1");
    imported(&room, &[]);
    let problem = fs::read_to_string(room.path("out/evil/problem.toml")).unwrap();
    let expected = "arguments = [\"--all\", \"--own\"]\n";
    assert!(problem.contains(expected), "{problem}");
}

#[test]
fn what_is_older_or_larger_than_our_format_is_refused_or_noted() {
    let of = |head: &str| test(package(&[("problem.yaml", head)]), "secret/1", "1");
    for (grading, message) in [
        (
            "objective: min",
            "problems in which the lowest score is best (`objective: min`) are not supported",
        ),
        (
            "accept_score: 5",
            "`problem.yaml: grading`: `accept_score` is not supported: write it into `data/testdata.yaml`",
        ),
    ] {
        refused(&of(&format!("{LEGACY}grading: {{{grading}}}\n")), message);
    }
    let room = of("limits: {time_limit: 1, output: 24576}\n");
    imported(
        &room,
        &["the output limit is 128 MiB, our maximum, instead of 24576 MiB"],
    );
    let problem = fs::read_to_string(room.path("out/evil/problem.toml")).unwrap();
    assert!(problem.contains("output = \"128 MiB\"\n"), "{problem}");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    let room = of("limits: {time_limit: 1}\n").file("evil/data/secret/2.in", pointer);
    refused(
        &room.file("evil/data/secret/2.ans", "1\n"),
        "`data/secret/2.in` is not in this copy: run `git lfs pull` there first",
    );
}

#[test]
fn imported_tests_are_hidden_unless_they_are_samples() {
    if !have(&["python3"]) {
        return;
    }
    let head = "name: Echo\nlimits: {time_limit: 1}\n";
    let mut room = package(&[("problem.yaml", head)]);
    for (path, line) in [
        ("sample/1", "11"),
        ("sample/2", "12"),
        ("secret/1", "777"),
        ("secret/2", "778"),
    ] {
        room = test(room, path, line);
    }
    imported(&room, &[]);
    let assignment =
        "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"echo\"\npoints = 1\n";
    for (options, count, has_secret) in
        [(&[][..], "2 of 4", false), (&["--public"], "4 of 4", true)]
    {
        let folder = format!("week-{has_secret}");
        let room_file = format!("{folder}/assignment.toml");
        room = room.file(&room_file, assignment);
        let echo = format!("{folder}/echo");
        let mut command = vec!["import", "evil", "-o", &echo];
        command.extend(options);
        assert_eq!(room.run(&command).status, 0);
        let kit = format!("kit-{has_secret}");
        let ran = room.run(&["bundle", &kit, "-a", &format!("./{folder}")]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let (_, last) = ran.stdout.rsplit_once("\n\n").unwrap();
        assert_eq!(last, format!("evil: {count} cases are public\n"));
        let cases = room.path(&kit).join("evil/cases");
        let texts = fs::read_dir(cases)
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
        assert_eq!(texts.collect::<String>().contains("777"), has_secret);
    }
    let room = room.file("mine/evil.py", "print(input())\n");
    let ran = room.run(&["test", "mine/evil.py", "-a", "./kit-false"]);
    let last = ran.stdout.lines().last();
    assert_eq!(
        (ran.status, last),
        (0, Some("evil: 1 of 1 points are in hidden cases")),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    // What another judge keeps secret is not in our samples either, though it is worth nothing.
    let listed =
        "test_cases:\n- {in: a.in, out: a.out, points: 0}\n- {in: b.in, out: b.out, points: 5}\n";
    let mut room = package(&[("init.yml", listed)]);
    for name in ["a.in", "a.out", "b.in", "b.out"] {
        room = room.file(&format!("evil/{name}"), "1\n");
    }
    let ran = room.run(&["import", "evil", "-o", "out/evil"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let problem = fs::read_to_string(room.path("out/evil/problem.toml")).unwrap();
    assert_eq!(problem.matches("hidden = true").count(), 2, "{problem}");
    assert_eq!(
        room.run(&["export", "out/evil", "--format", "icpc", "-o", "icpc"])
            .status,
        0
    );
    assert!(!room.path("icpc/data/sample").exists());
}

/// A package of Polygon with these tests and groups.
fn polygon(tests: &str, groups: &str) -> Room {
    let xml = format!(
        "<problem><names><name language=\"english\" value=\"Echo\"/></names><judging><testset name=\"tests\">\
         <time-limit>1000</time-limit><input-path-pattern>tests/%02d</input-path-pattern>\
         <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests>{tests}</tests><groups>{groups}</groups></testset></judging>\
         <assets><checker name=\"std::wcmp.cpp\" type=\"testlib\"/></assets></problem>"
    );
    let mut room = package(&[("problem.xml", &xml)]);
    for test in ["01", "01.a", "02", "02.a"] {
        room = room.file(&format!("evil/tests/{test}"), "1\n");
    }
    room
}

#[test]
fn polygon_s_samples_count_and_its_groups_need_tests() {
    let sample = "<test method=\"manual\" sample=\"true\"/>";
    let subtasks = imported(
        &polygon(&format!("{sample}<test method=\"manual\"/>"), ""),
        &[],
    );
    let expected = "name = \"sample\"\npoints = 0\nscore = \"all\"\nfolder = \"data/sample\"\n\n[[subtask]]\nname = \"secret\"\n\
        points = 1\nscore = \"all\"\nrequire = [\"sample\"]\nhidden = true\nfolder = \"data/secret\"\n";
    assert_eq!(subtasks, expected);
    let room = polygon(&sample.repeat(2), "");
    let subtasks = imported(&room, &["all tests are samples, which students may see"]);
    let expected = "name = \"sample\"\npoints = 1\nscore = \"all\"\nfolder = \"data/sample\"\n";
    assert_eq!(subtasks, expected);
    let tests = "<test method=\"manual\" group=\"a\" points=\"10\"/>".repeat(2);
    refused(
        &polygon(&tests, "<group name=\"b\" points=\"30\"/>"),
        "`problem.xml`: the group `b` has no tests: its 30 points would be lost",
    );
    let dependent =
        "<group name=\"a\"><dependencies><dependency group=\"b\"/></dependencies></group>";
    refused(
        &polygon(&tests, dependent),
        "`problem.xml`: the group `a` depends on `b`, which has no tests",
    );
}
