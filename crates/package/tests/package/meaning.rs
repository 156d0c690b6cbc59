//! What a package means is translated or refused, never dropped: each of these packages was once imported as something else.

use grader_model::Points;
use grader_problem::ScoreRule;

use crate::common::{Imported, PYPY, Package, refused};

pub(crate) const LEGACY: &str = "name: Echo\ntype: scoring\nlimits: {time_limit: 1}\n";
pub(crate) const NEW: &str =
    "problem_format_version: 2025-09\nname: Echo\ntype: scoring\nlimits: {time_limit: 1}\n";

/// A validator that accepts every output, with the number on the first line of the input as its score.
const SCORES: &str = "import sys\nscore = open(sys.argv[1]).readline()\nopen(sys.argv[3] + '/score.txt', 'w').write(score)\nsys.exit(42)\n";

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
        let package = Package::of(&[
            ("problem.yaml", head),
            ("data/testdata.yaml", "on_reject: continue\n"),
            (
                &format!("data/secret/one/{file}"),
                &settings.replace("60", "40"),
            ),
            (&format!("data/secret/two/{file}"), settings),
        ]);
        let package = package.test("secret/one/1", "1");
        let message = format!("`data/secret/two`: the group has settings, but no tests{reason}");
        refused(&package, &message);
    }
}

#[test]
fn a_validator_that_is_missing_is_refused_and_one_that_is_left_over_is_not_used() {
    let of = |head: &str| Package::of(&[("problem.yaml", head)]).test("secret/1", "1");
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
        refused(&of(head).folder("output_validators/empty"), &message);
        let misspelt = of(head).file("output_validator2/check.py", "");
        refused(&misspelt, &message);
    }
    refused(
        &of("validation: costum\n"),
        "`problem.yaml`: the type or validation `costum` is not known",
    );
    let program = "import sys\nsys.exit(42)\n";
    for validation in ["", "validation: default\n"] {
        let package = of(&format!("{validation}limits: {{time_limit: 1}}\n"))
            .file("output_validators/check/check.py", program);
        let note = "`output_validators` is not used: the package's `validation` is `default`";
        let checker = package.imported(&[note]).table()["checker"].to_string();
        assert_eq!(checker, "{ tokens = { case-sensitive = false } }");
    }
    // The newer format has no such key: the folder decides.
    let package = of("problem_format_version: 2025-09\nlimits: {time_limit: 1}\n")
        .file("output_validator/check.py", program);
    let checker = package.imported(&[]).table()["checker"].to_string();
    assert_eq!(
        checker,
        "{ program = { processes = 64, source = \"output-validator\" } }"
    );
}

#[test]
fn all_input_validators_are_used_and_only_programs_get_arguments() {
    let of = |files: &[(&str, &str)]| {
        let package = Package::of(&[("problem.yaml", LEGACY)]).test("secret/1", "5");
        let files = files.iter();
        files.fold(package, |package, (path, text)| package.file(path, *text))
    };
    let validator = |notes: &[&str], files: &[(&str, &str)]| {
        let imported = of(files).imported(notes);
        imported.table()["validator"].to_string()
    };
    let alone = [
        ("input_validators/v.ctd", "INT(1, 9) NEWLINE\n"),
        ("data/secret/testdata.yaml", "input_validator_flags: a b\n"),
    ];
    let used = "{ source = \"input-validator/v.ctd\" }";
    let unused = "the input validator's arguments are not used: checktestdata takes none";
    assert_eq!(validator(&[unused], &alone), used);
    let in_folder = [("input_format_validators/v/v.ctd", "INT(1, 9) NEWLINE\n")];
    assert_eq!(validator(&[], &in_folder), used);
    let all = [
        alone[0],
        ("input_validators/w.py", ""),
        ("input_validators/v.h", ""),
        ("input_validators/x/x.c", ""),
        ("input_validators/y/read.me", ""),
        ("data/secret/testdata.yaml", "input_validator_flags: a\n"),
    ];
    let notes = ["h", "y"].map(|it| format!("`input_validators/{it}` is not used"));
    let notes = [&*notes[0].replace("/h", "/v.h"), &notes[1], unused];
    let program = |number: u32, name: &str| {
        format!(
            "{{ source = \"input-validator-{number}/{name}\", arguments = [\"a\"], processes = 64 }}"
        )
    };
    assert_eq!(
        validator(&notes, &all),
        format!("[{used}, {}, {}]", program(2, "w.py"), program(3, "x"))
    );
}

#[test]
fn an_accepted_submission_may_earn_a_part_of_what_the_validator_gives() {
    let head = format!("{LEGACY}validation: custom score\n");
    let imported = Package::of(&[
        ("problem.yaml", &head),
        ("output_validators/check/check.py", SCORES),
        ("data/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/g1/testdata.yaml", "range: 0 50\n"),
        ("data/secret/g2/testdata.yaml", "range: 0 50\n"),
        ("submissions/accepted/a.py", "print(1)\n"),
    ])
    .test("secret/g1/1", "0")
    .test("secret/g2/1", "30")
    .imported(&[PYPY]);
    let group = |name: &str| {
        format!(
            "name = \"{name}\"\npoints = 50\nscore = \"sum\"\nhidden = true\nfolder = \"data/secret/{name}\"\n"
        )
    };
    let subtasks = [group("g1"), group("g2")].join("\n[[subtask]]\n");
    assert_eq!(imported.subtasks(), subtasks);
    assert_eq!(
        imported.text("submissions/expected.toml"),
        "[\"accepted/a.py\"]\nexpected = [\"AC\", \"PC\"]\n"
    );
}

#[test]
fn an_accepted_submission_earns_all_points_if_their_maximum_is_known_and_a_part_if_one_test_is_enough()
 {
    let expected = |data: &str, kind: &str, notes: &[&str]| {
        let head = format!("{LEGACY}validation: {kind}\n");
        let package = Package::of(&[
            ("problem.yaml", &head),
            ("output_validators/check/check.py", SCORES),
            ("data/testdata.yaml", data),
            ("data/secret/g1/testdata.yaml", "range: 0 50\n"),
            ("data/secret/g2/testdata.yaml", "range: 0 50\n"),
            ("submissions/accepted/a.py", "print(1)\n"),
        ]);
        let imported = package.test("secret/g1/1", "0").test("secret/g2/1", "30");
        let files = imported.imported(notes).files;
        let text = files.get("submissions/expected.toml").cloned();
        String::from_utf8(text.unwrap_or_default()).unwrap()
    };
    let bounded = "on_reject: continue\nrange: 0 100\n";
    assert_eq!(expected(bounded, "custom score", &[PYPY]), "");
    let bounded = format!("{bounded}grader_flags: always_accept\n");
    assert_eq!(expected(&bounded, "custom score", &[PYPY]), "");
    let any = "on_reject: continue\naccept_score: 50\ngrader_flags: accept_if_any_accepted\n";
    let notes = [
        PYPY,
        "`output_validators` is not used: the package's `validation` is `default`",
        "the grader's `accept_if_any_accepted` is not used",
    ];
    assert_eq!(
        expected(any, "default", &notes),
        "[\"accepted/a.py\"]\nexpected = [\"AC\", \"MLE\", \"OLE\", \"PC\", \"PE\", \"RE\", \"TLE\", \"WA\"]\n\
         required = [\"AC\"]\n"
    );
}

#[test]
fn scores_without_a_maximum_are_refused_and_tests_without_a_score_are_worth_1() {
    let custom = |data: &str| {
        let head = format!("{LEGACY}validation: custom score\n");
        let package = Package::of(&[
            ("problem.yaml", &head),
            ("output_validators/check/check.py", SCORES),
            ("data/testdata.yaml", data),
        ]);
        package.test("secret/g1/1", "0").test("secret/g2/1", "30")
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
            &Package::of(&files).test("secret/g1/1", "1"),
            "`data/secret/g1`: what the group is worth is not known: `max_score` is missing or `unbounded`",
        );
    }
    let files = [
        ("problem.yaml", LEGACY),
        ("data/testdata.yaml", "on_reject: continue\n"),
    ];
    let mut package = Package::of(&files);
    for path in ["sample/1", "secret/1", "secret/2", "secret/3"] {
        package = package.test(path, "1");
    }
    // As in the package, the sample counts.
    let subtasks = package.imported(&[]).subtasks();
    let expected = "name = \"sample\"\npoints = 1\nscore = \"sum\"\nfolder = \"data/sample\"\n\n\
        [[subtask]]\nname = \"secret\"\npoints = 3\nscore = \"sum\"\nhidden = true\nfolder = \"data/secret\"\n";
    assert_eq!(subtasks, expected);
}

/// A package with a sample and two groups of three tests, each worth 10 points.
fn two_groups(settings: &str, of_groups: &str) -> Package {
    let mut package = Package::of(&[
        ("problem.yaml", LEGACY),
        ("data/testdata.yaml", settings),
        ("data/sample/testdata.yaml", "accept_score: 0\n"),
        ("data/secret/g1/testdata.yaml", of_groups),
        ("data/secret/g2/testdata.yaml", of_groups),
    ]);
    package = package.test("sample/0", "0");
    for (number, path) in ["g1/1", "g1/2", "g1/3", "g2/1", "g2/2", "g2/3"]
        .iter()
        .enumerate()
    {
        package = package.test(&format!("secret/{path}"), &(number + 1).to_string());
    }
    package
}

/// The verdict and the points of a submission that fails the test with this line alone, as the judge finds them: a subtask
/// is judged if all that it requires earn all their points.
fn earned(imported: &Imported, wrong_in: &str) -> String {
    let problem = imported.problem();
    let (mut whole, mut points, mut is_right) = (Vec::new(), Points::ZERO, true);
    for subtask in &problem.subtasks {
        let is_judged = subtask.require.iter().all(|it| whole.contains(it));
        let cases = subtask.cases.iter();
        let right = cases.filter(|it| it.input.trim_ascii() != wrong_in.as_bytes());
        let right = if is_judged { right.count() } else { 0 };
        let is_whole = right == subtask.cases.len();
        whole.extend(is_whole.then(|| subtask.name.clone()));
        is_right &= is_whole;
        points = points
            + match subtask.score {
                _ if is_whole => subtask.points,
                ScoreRule::Sum => subtask.points.share(right, subtask.cases.len()),
                ScoreRule::All | ScoreRule::Worst => Points::ZERO,
            };
    }
    let verdict = match points {
        _ if is_right => "AC",
        Points::ZERO => "WA",
        _ => "PC",
    };
    format!("{verdict} {points}")
}

#[test]
fn after_a_failure_nothing_more_is_scored_unless_the_package_says_so() {
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
        let imported = two_groups(settings, of_groups).imported(&[]);
        let earned = earned(&imported, wrong_in);
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
    let package = Package::of(&[("problem.yaml", "name: Echo\nlimits: {time_limit: 1}\n")])
        .test("sample/1", "0")
        .test("secret/a/1", "1")
        .test("secret/b/1", "2");
    let imported = package.imported(&[]);
    for (wrong_in, expected) in [("0", "WA 0"), ("1", "WA 0"), ("2", "WA 0"), ("", "AC 1")] {
        assert_eq!(earned(&imported, wrong_in), expected, "{wrong_in}");
    }
}

#[test]
fn tests_are_hidden_unless_they_are_samples_or_all_are_public() {
    let mut package = Package::of(&[("problem.yaml", "name: Echo\nlimits: {time_limit: 1}\n")])
        .test("sample/1", "11")
        .test("secret/1", "777");
    let subtasks = package.imported(&[]).subtasks();
    let expected = "name = \"sample\"\npoints = 0\nscore = \"all\"\nfolder = \"data/sample\"\n\n[[subtask]]\nname = \"secret\"\n\
        points = 1\nscore = \"all\"\nrequire = [\"sample\"]\nhidden = true\nfolder = \"data/secret\"\n";
    assert_eq!(subtasks, expected);
    package.options.public = true;
    let subtasks = package.imported(&[]).subtasks();
    assert_eq!(subtasks, expected.replace("hidden = true\n", ""));
    // What another judge keeps secret is not in our samples either, though it is worth nothing.
    let listed =
        "test_cases:\n- {in: a.in, out: a.out, points: 0}\n- {in: b.in, out: b.out, points: 5}\n";
    let mut package = Package::of(&[("init.yml", listed)]);
    for name in ["a.in", "a.out", "b.in", "b.out"] {
        package = package.file(name, "1\n");
    }
    let notes = [
        "the checker `standard` is now `tokens`, which does not compare where lines end",
        "the package has no limits: `[limits]` gets 2 s and 256 MiB, for you to change",
    ];
    let subtasks = package.imported(&notes).problem().subtasks;
    let hidden: Vec<bool> = subtasks.iter().map(|it| it.hidden).collect();
    assert_eq!(hidden, [true, true]);
}

#[test]
fn a_package_worth_nothing_is_imported_only_on_demand() {
    let message = "there are no secret tests: expected `data/secret/*.in`; pass `--allow-empty` to import the samples, worth 0 points";
    for head in ["name: Stub\n", "name: Stub\ntype: scoring\n"] {
        let head = format!("{head}limits: {{time_limit: 1}}\n");
        let mut package = Package::of(&[("problem.yaml", &head)]).test("sample/1", "1");
        refused(&package, message);
        package.options.allow_empty = true;
        package.imported(&["there are no secret tests: the samples are worth 0 points"]);
    }
}

/// A package of Polygon with these tests and groups.
fn polygon(tests: &str, groups: &str) -> Package {
    let xml = format!(
        "<problem><names><name language=\"english\" value=\"Echo\"/></names><judging><testset name=\"tests\">\
         <time-limit>1000</time-limit><input-path-pattern>tests/%02d</input-path-pattern>\
         <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests>{tests}</tests><groups>{groups}</groups></testset></judging>\
         <assets><checker name=\"std::wcmp.cpp\" type=\"testlib\"/></assets></problem>"
    );
    let mut package = Package::of(&[("problem.xml", &xml)]);
    for test in ["01", "01.a", "02", "02.a"] {
        package = package.file(&format!("tests/{test}"), "1\n");
    }
    package
}

#[test]
fn polygon_s_samples_count_and_its_groups_need_tests() {
    let sample = "<test method=\"manual\" sample=\"true\"/>";
    let tests = format!("{sample}<test method=\"manual\"/>");
    let subtasks = polygon(&tests, "").imported(&[]).subtasks();
    let expected = "name = \"sample\"\npoints = 0\nscore = \"all\"\nfolder = \"data/sample\"\n\n[[subtask]]\nname = \"secret\"\n\
        points = 1\nscore = \"all\"\nrequire = [\"sample\"]\nhidden = true\nfolder = \"data/secret\"\n";
    assert_eq!(subtasks, expected);
    let package = polygon(&sample.repeat(2), "");
    let notes = ["all tests are samples, which students may see"];
    let subtasks = package.imported(&notes).subtasks();
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
