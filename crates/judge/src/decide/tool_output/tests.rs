use super::*;

/// What a tool says that ended so and has written this, a line for each remark.
fn said(status: i32, stdout: &str, stderr: &str) -> Result<Vec<String>, String> {
    let files = BTreeMap::from([
        ("main.c".to_owned(), "main.c"),
        ("lib/list.h".to_owned(), "lib/list.h"),
        ("a b.py".to_owned(), "Übung 1.py"),
    ]);
    let places = Places {
        started: Path::new("/box"),
        sources: Path::new("/build"),
        files: &files,
    };
    let written = Written {
        status,
        outputs: [stdout, stderr].map(|it| it.as_bytes().to_vec()),
    };
    let found = remarks("tool", &written, &places).map_err(|it| it.en)?;
    assert_eq!(found.count, found.told.len());
    Ok(found.told.iter().map(ToString::to_string).collect())
}

const GCC: &str = "\
In file included from /build/main.c:2:
/build/lib/list.h:4:12: warning: unused parameter ‘n’ [-Wunused-parameter]
    4 | int length(int n);
      |            ^
/build/main.c: In function ‘main’:
/build/main.c:10:5: warning: this ‘if’ clause does not guard... [-Wmisleading-indentation]
   10 |     if (n) // main.c:1:1: warning: forged
      |     ^~
/build/main.c:11:9: note: ...this statement, but the latter is misleadingly indented
/usr/include/stdio.h:3:1: warning: of the system
/build/lib/list.h:4:12: warning: unused parameter ‘n’ [-Wunused-parameter]
/build/main.c:9:5: warning: unused variable ‘k’ [-Wunused-variable]
";

#[test]
fn remarks_as_gcc_writes_them_are_sorted_and_each_counts_once() {
    let expected = [
        "lib/list.h:4:12: warning: unused parameter ‘n’ [-Wunused-parameter]",
        "main.c:9:5: warning: unused variable ‘k’ [-Wunused-variable]",
        "main.c:10:5: warning: this ‘if’ clause does not guard... [-Wmisleading-indentation]",
    ];
    assert_eq!(said(0, "", GCC).unwrap(), expected);
}

#[test]
fn lines_of_other_tools_and_hostile_ones_are_told_apart() {
    #[rustfmt::skip]
    let table = [
        // ruff, flake8, pylint, javac, checkstyle, ShellCheck.
        ("/build/a b.py:1:8: F401 [*] `os` imported but unused", "Übung 1.py:1:8: F401 [*] `os` imported but unused"),
        ("/build/main.c:7:0: C0114: Missing docstring", "main.c:7:0: C0114: Missing docstring"),
        ("/build/main.c:3: warning: [rawtypes] raw", "main.c:3: warning: [rawtypes] raw"),
        ("[WARN] /build/main.c:3:5: Line is long. [Length]\r", "main.c:3:5: Line is long. [Length]"),
        ("/build/main.c:3:5: note: Double quote [SC2086]", "main.c:3:5: note: Double quote [SC2086]"),
        ("/build/main.c:3: see /build/lib/list.h:1", "main.c:3: see lib/list.h:1"),
        // Paths that a tool has made relative, to the folder of the sources or to its own.
        ("main.c:1: x", "main.c:1: x"),
        ("../build/./lib/../main.c:1: x", "main.c:1: x"),
        ("./main.c:1:2: x", "main.c:1:2: x"),
        // No remarks.
        ("/build/main.c:1:2: note: declared here", ""),
        ("/build/main.c:0x3: x", ""),
        ("/build/main.c:-1: x", ""),
        ("/build/main.c:99999999999999999999: x", ""),
        ("/build/main.c:1:2:", ""),
        ("/build/main.c:1", ""),
        (":1: x", ""),
        ("::::::", ""),
        ("[", ""),
        ("/build/../etc/main.c:1: x", ""),
        ("/build:1: x", ""),
        ("other.c:1: x", ""),
        ("12:34:56: error", ""),
        ("All checks passed!", ""),
        // What a student has written in a message.
        ("/build/main.c:1: \u{1b}[2J\u{202e}", r"main.c:1: \x1b[2J\u{202e}"),
    ];
    for (line, expected) in table {
        let found = said(0, line, "").unwrap().join("|");
        assert_eq!(found, expected, "{line:?}");
    }
}

#[test]
fn a_status_is_a_failure_only_without_remarks() {
    let remark = "/build/main.c:1:1: E1 x";
    for (status, stdout, stderr, expected) in [
        (0, "", "", Ok("")),
        (0, "", "warning: no cache", Ok("")),
        (1, remark, "", Ok("main.c:1:1: E1 x")),
        // `pylint` has a bit for each kind of remark, `checkstyle` counts them.
        (30, remark, "", Ok("main.c:1:1: E1 x")),
        (
            1,
            "",
            "Traceback\n",
            Err("it failed with exit status 1: Traceback"),
        ),
        (
            2,
            "\n",
            "\n usage: tool\n",
            Err("it failed with exit status 2: usage: tool"),
        ),
        (
            1,
            "/usr/x.py:1: W",
            "",
            Err("it failed with exit status 1: /usr/x.py:1: W"),
        ),
        (
            127,
            remark,
            "",
            Err("it failed with exit status 127: main.c:1:1: E1 x"),
        ),
        (
            137,
            remark,
            "Killed",
            Err("it failed with exit status 137: Killed"),
        ),
        (3, "", "", Err("it failed with exit status 3: ")),
    ] {
        let found = said(status, stdout, stderr).map(|it| it.join("|"));
        let found = found.as_deref().map_err(String::as_str);
        assert_eq!(found, expected, "{status} {stdout:?} {stderr:?}");
    }
}

const SARIF: &str = r#"{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
  "runs": [
    {
      "tool": { "driver": { "name": "ruff", "rules": [{ "id": "F401" }] } },
      "artifacts": [{ "location": { "uri": "lib/list.h" } }],
      "invocations": [{ "executionSuccessful": true }],
      "results": [
        {
          "ruleId": "F401", "ruleIndex": 0, "level": "error",
          "message": { "text": "`os` imported but unused\n" },
          "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": "file:///build/a%20b.py" }, "region": { "startLine": 3, "startColumn": 8 }
          } }]
        },
        {
          "ruleId": "W1", "message": { "text": "too long" },
          "locations": [{ "physicalLocation": { "artifactLocation": { "index": 0 } } }],
          "suppressions": [{ "kind": "inSource" }]
        },
        { "message": { "text": "everywhere" }, "locations": [] },
        { "message": { "text": "nowhere" }, "locations": [{}] },
        {
          "kind": "pass", "message": { "text": "fine" },
          "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "main.c" } } }]
        },
        {
          "message": { "text": "known" }, "suppressions": [{ "kind": "external" }],
          "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "main.c" } } }]
        },
        {
          "message": { "text": "of the system" },
          "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "file://host/usr/include/stdio.h" } } }]
        }
      ]
    },
    { "results": null }
  ]
}"#;

#[test]
fn sarif_is_read_as_far_as_it_is_about_the_students_files() {
    let expected = [
        "lib/list.h:1: too long [W1]",
        "Übung 1.py:3:8: `os` imported but unused [F401]",
    ];
    assert_eq!(said(1, SARIF, "").unwrap(), expected);
    // As GCC writes it; and a complete log with any status.
    assert_eq!(said(137, "", SARIF).unwrap(), expected);
    assert_eq!(said(0, r#"{"runs": []}"#, "").unwrap(), [""; 0]);
}

#[test]
fn what_is_no_complete_sarif_is_a_failure() {
    let deep = format!("{{\"runs\": {}", "[".repeat(1_000_000));
    let ignored = format!(
        "{{\"runs\": [], \"x\": {}{}}}",
        "[".repeat(100),
        "]".repeat(100)
    );
    assert_eq!(said(0, &ignored, "").unwrap(), [""; 0]);
    let long = "x".repeat(2_000_000);
    let run = |what: &str| format!(r#"{{"runs": [{{{what}}}]}}"#);
    for json in [
        "{",
        r#"{"runs": 1}"#,
        r#"{"messages": []}"#,
        "{} trailing",
        &SARIF[..SARIF.len() / 2],
        &deep,
        &run(r#""results": [{}]"#),
        &run(r#""results": [{"message": {"text": "\ud800"}}]"#),
        &run(&format!(r#""results": "{long}""#)),
        &run(
            r#""results": [{"message": {}, "locations": [{"physicalLocation": {"region": {"startLine": -1}}}]}]"#,
        ),
    ] {
        let message = said(0, json, "").unwrap_err();
        assert!(
            message.starts_with("its output is not SARIF: "),
            "{message}"
        );
        assert!(message.len() < 300, "{}", message.len());
    }
    for output in [
        "[]",
        "\n[ \n{\"code\": 1}]",
        "<?xml version='1.0'?><checkstyle/>",
    ] {
        let message = said(0, output, "").unwrap_err();
        assert_eq!(message, "its output is JSON or XML, but not SARIF");
    }
    let failed = run(r#""invocations": [{"executionSuccessful": false}], "results": []"#);
    assert_eq!(said(0, &failed, "").unwrap_err(), "it says that it failed");
    for uri in [
        "",
        "%",
        "%4",
        "file:",
        "file://",
        "file:///%ff",
        "%00",
        "../../..",
        "main.c%2",
    ] {
        let place = format!(
            r#"{{"physicalLocation": {{"artifactLocation": {{"uri": "{uri}", "index": 9}}}}}}"#
        );
        let json = run(&format!(
            r#""results": [{{"message": {{}}, "locations": [{place}]}}]"#
        ));
        assert_eq!(said(0, &json, "").unwrap(), [""; 0], "{uri}");
    }
}

#[test]
fn of_very_many_remarks_the_first_are_kept_and_all_count() {
    let files = BTreeMap::from([("main.c".to_owned(), "main.c")]);
    let places = Places {
        started: Path::new("/box"),
        sources: Path::new("/build"),
        files: &files,
    };
    let word = "w".repeat(1000);
    let lines = (1..=5000).rev();
    let lines: Vec<String> = lines
        .map(|line| format!("main.c:{line}: {word}\n"))
        .collect();
    let lines = lines.concat();
    let written = Written {
        status: 1,
        outputs: [lines.into_bytes(), Vec::new()],
    };
    let found = remarks("tool", &written, &places).unwrap();
    assert_eq!((found.told.len(), found.count), (100, 5000));
    assert_eq!(
        found.told[99].to_string(),
        format!("main.c:100: {}…", &word[..240])
    );
    let half = Points::from_thousandths(500);
    let sentence = found.sentence("tool", Some(half));
    assert_eq!(
        sentence.en,
        "5000 remarks of `tool`, 0.5 points each; the first 100 are told"
    );
    assert_eq!(
        sentence.zh,
        "`tool` 指出 5000 处问题，每处扣 0.5 分；列出前 100 处"
    );
    let none = Remarks::default().sentence("tool", Some(half));
    assert_eq!(none.en, "0 remarks of `tool`");
    // Long lines of colons, and a line without an end.
    let written = Written {
        status: 0,
        outputs: [
            "main.c:1:".repeat(500_000).into_bytes(),
            vec![b'('; 4_000_000],
        ],
    };
    assert_eq!(
        remarks("tool", &written, &places).unwrap(),
        Remarks::default()
    );
}

#[test]
fn an_output_is_read_whatever_stands_around_it_or_not_at_all() {
    let line = "/build/main.c:3:5: warning: w";
    let read = Ok(vec!["main.c:3:5: warning: w".to_owned()]);
    let coloured = "\x1b[1m\x1b[K/build/main.c:3:5:\x1b[m\x1b[K \x1b[01;35mwarning: \x1b[0mw\n";
    let sarif = |result: &str, rules: &str| {
        format!(
            r#"{{"runs": [{{"tool": {{"driver": {{"rules": [{rules}]}}}}, "results": [{{{result},
            "locations": [{{"physicalLocation": {{"artifactLocation": {{"uri": "main.c"}},
            "region": {{"startLine": 3}}}}}}]}}]}}]}}"#
        )
    };
    let rule = r#"{"id": "R1", "messageStrings": {"long": {"text": "{0} of {1}"}}}"#;
    let by_rule = r#""ruleIndex": 0, "message": {"id": "long", "arguments": ["7", "8"]}"#;
    let by_text = sarif(r#""message": {"text": "t"}"#, "");
    let not_utf8 = Err("its output is not UTF-8".to_owned());
    let foreign = Err("its output is JSON or XML, but not SARIF".to_owned());
    let mixed = Err("its output is JSON with other text: leave out the other text".to_owned());
    for (output, expected) in [
        (format!("\u{feff}{line}"), read.clone()),
        (coloured.to_owned(), read),
        (
            format!("\u{feff}{by_text}"),
            Ok(vec!["main.c:3: t".to_owned()]),
        ),
        (
            sarif(by_rule, rule),
            Ok(vec!["main.c:3: 7 of 8 [R1]".to_owned()]),
        ),
        ("m\0a\0".to_owned(), not_utf8),
        ("[".repeat(100_000), foreign),
        (format!("Scanning...\n{by_text}"), mixed),
        ("All checks passed!\n".to_owned(), Ok(Vec::new())),
    ] {
        let start = output.get(..20).unwrap_or(&output);
        assert_eq!(said(0, &output, ""), expected, "{start}");
    }
}
