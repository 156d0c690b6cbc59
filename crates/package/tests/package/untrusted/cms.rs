//! Tasks of CMS.

use crate::common::{Package, refused};

fn evil(yaml: &str, generated: &str) -> Package {
    Package::of(&[
        ("task.yaml", &format!("time_limit: 1\n{yaml}")),
        ("gen/GEN", generated),
        ("gen/generator.py", ""),
        ("sol/solution.py", ""),
    ])
    .beside("secret.txt", "secret")
}

#[test]
fn hostile_tasks_are_refused() {
    let type_of =
        |it: &str| format!("n_input: 1\nscore_type: GroupMin\nscore_type_parameters: {it}\n");
    let [huge, negative, overflowing] = [
        "[[1, 1000000000000]]",
        "[[-1, 1]]",
        "[[1, 18446744073709551615], [1, 2]]",
    ]
    .map(type_of);
    let aliases = format!(
        "a: &a [{}]\nb: &b [{}]\n",
        "x, ".repeat(10_001),
        "*a, ".repeat(100)
    );
    let parts = "`task.yaml`: expected at most 200 subtasks with points and tests";
    for (yaml, generated, message) in [
        ("[", "1\n", "`task.yaml`: …"),
        (&aliases, "1\n", "`task.yaml`: …"),
        (
            "infile: [a]\n",
            "1\n",
            "`task.yaml: infile`: expected a text, found `[\"a\"]`",
        ),
        (
            "n_input: 1000000000000\n",
            "",
            "`task.yaml`: expected 1 to 10000 tests in `gen/GEN` or `input`, found 1000000000000",
        ),
        (
            "n_input: 0\n",
            "",
            "`task.yaml`: expected 1 to 10000 tests in `gen/GEN` or `input`, found 0",
        ),
        (
            "n_input: 2\n",
            "",
            "`input/input0.txt`: the input is not in the package",
        ),
        (
            &huge,
            "1\n",
            &format!("{parts}, 1 in all, found 1000000000000 in 1"),
        ),
        (
            &negative,
            "1\n",
            &format!("{parts}, 1 in all, found 1 in 1"),
        ),
        (
            &overflowing,
            "1\n",
            &format!("{parts}, 1 in all, found 18446744073709551615 in 2"),
        ),
    ] {
        refused(&evil(yaml, generated), message);
    }
}

#[test]
fn hostile_lists_of_tests_are_refused() {
    let many = "1\n".repeat(10_001);
    let groups = "#ST: 1\n1\n".repeat(201);
    let parts = "`task.yaml`: expected at most 200 subtasks with points and tests";
    for (yaml, generated, message) in [
        (
            "",
            many.as_str(),
            "`gen/GEN`: line 10001: there are more than 10000 tests",
        ),
        (
            "",
            groups.as_str(),
            &format!("{parts}, 201 in all, found 201 in 201"),
        ),
        (
            "",
            "1\n#ST: 5\n2\n",
            &format!("{parts}, 2 in all, found 1 in 1"),
        ),
        (
            "",
            "#ST: 5\n#ST: 5\n1\n",
            &format!("{parts}, 1 in all, found 1 in 2"),
        ),
        (
            "",
            "#ST: -1\n1\n",
            "`gen/GEN`: line 1: expected points after `#ST:`, found `-1`",
        ),
        (
            "",
            "#ST: 4294967295\n1\n",
            "`subtask-1` is worth more than 1000000 points, the maximum",
        ),
        (
            "",
            "1 #COPY: x\n",
            "`gen/GEN`: line 1: a test and a command are in one line",
        ),
        (
            "",
            "#STNAME: a\n1\n",
            "`gen/GEN`: line 1: expected `#ST:` before `#STNAME:`",
        ),
        (
            "",
            "#ST: 1\n#STNAME: ../../x\n1\n",
            "`gen/GEN`: expected a name of letters, digits, `_`, `-`, `.` and `+`, found `../../x`",
        ),
        (
            "",
            "#COPY: ../secret.txt\n",
            "`gen/GEN`: `../secret.txt` is not in the package",
        ),
        (
            "",
            "#COPY: /etc/passwd\n",
            "`gen/GEN`: `/etc/passwd` is not in the package",
        ),
        (
            "",
            "1; $(reboot)\n",
            "`gen/GEN`: the arguments `1; $(reboot)` are not plain words",
        ),
    ] {
        refused(&evil(yaml, generated), message);
    }
    let gbk = evil("", "1\n").file("gen/GEN", b"# \xc4\xe3\n1\n");
    refused(&gbk, "`gen/GEN`: the file must be UTF-8");
    let link = evil("n_input: 1\n", "").link("input/input0.txt", "../../secret.txt");
    refused(&link, "`input/input0.txt`: the input is not in the package");
}
