//! FPS of HUSTOJ: one problem, several, and what is left out.

use std::fmt::Write as _;

use encoding_rs::GBK;

use crate::common::{Package, refused};

/// A problem set of these items, as HUSTOJ exports it.
fn set(items: &[&str]) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE fps PUBLIC \"-//freeproblemset//EN\" \"http://hustoj.com/fps.current.dtd\" >\n<fps version=\"1.5\"><generator name=\"HUSTOJ\"/>".to_owned();
    for item in items {
        write!(xml, "<item>{item}</item>").unwrap();
    }
    xml + "</fps>"
}

const SUM: &str = r#"<title><![CDATA[A+B 问题]]></title><url>http://example.org</url>
<time_limit unit="s">1.5</time_limit><memory_limit unit="kb">65536</memory_limit>
<description><![CDATA[<p>计算 <b>a</b>+b，vector<int> 也可以。</p><p>a &lt; b</p><pre>
  1 2</pre>]]></description>
<input><![CDATA[两个整数]]></input><output>和</output>
<sample_input>1 2</sample_input><sample_output>3</sample_output>
<test_input name="big[60]"><![CDATA[5 ]]]]><![CDATA[> 6
]]></test_input><test_output name="big[60]">11</test_output>
<test_input>2 2</test_input><test_output>4</test_output>
<hint></hint><source>示例</source>
<solution language="C++">int main() {}</solution><solution language="Fortran">end</solution>
<solution language="Java">class Main {}</solution><template language="C">int</template>
<prepend language="Java">class Main {</prepend><append language="Java">}</append>"#;

#[test]
fn one_problem_is_its_folder() {
    let package = Package::of(&[("set.xml", &set(&[SUM]))]);
    let notes = [
        "`<template>` is not used: it is what students begin with",
        "a solution in `Fortran` is not used",
        "a solution in `Java` is not used",
        "points in the names of tests are not used: all tests must pass",
        "programs in `java` are not accepted: they stand between `<prepend>` and `<append>`",
    ];
    let imported = package.imported(&notes);
    let paths = [
        "data/sample/1.ans",
        "data/sample/1.in",
        "data/secret/01.ans",
        "data/secret/01.in",
        "data/secret/02.ans",
        "data/secret/02.in",
        "problem.toml",
        "statement.zh.md",
        "statement/statement.html",
        "submissions/accepted/solution-1.cpp",
    ];
    assert_eq!(imported.paths(), paths);
    assert_eq!(imported.text("data/secret/01.in"), "5 ]]> 6\n");
    assert_eq!(imported.text("data/secret/02.ans"), "4");
    let problem = imported.text("problem.toml");
    let problem = problem.split("[limits.languages").next().unwrap();
    assert_eq!(
        problem,
        r#"format = 1
id = "evil"
title = "A+B 问题"

[submission]
files = ["evil.*"]
languages = ["c", "cpp", "rust", "pascal", "python", "go", "javascript"]

[limits]
time = "1.5 s"
memory = "64 MiB"
output = "64 MiB"

"#
    );
    let subtasks = "name = \"sample\"\npoints = 0\nscore = \"all\"\nfolder = \"data/sample\"\n
[[subtask]]\nname = \"secret\"\npoints = 1\nscore = \"all\"\nrequire = [\"sample\"]\nhidden = true\nfolder = \"data/secret\"\n";
    assert_eq!(imported.subtasks(), subtasks);
    let statement = "计算 a+b，vector<int> 也可以。\n\na < b\n\n```\n\n  1 2\n```\n\n## 输入\n\n两个整数\n\n## 输出\n\n和\n\n{{samples}}\n\n## 来源\n\n示例\n";
    assert_eq!(imported.text("statement.zh.md"), statement);
}

#[test]
fn special_judges_are_checkers() {
    let test = "<time_limit unit='ms'>500</time_limit><test_input>1</test_input><test_output>1</test_output>";
    let swapped = "`<spj>` is a checker of testlib: it gets the output first and then the answer, which HUSTOJ swaps";
    let header =
        "the checker needs `testlib.h`, which the package does not have: put it into `checker`";
    for (judge, path, protocol, notes) in [
        (
            "<spj language='C'>int main() {}</spj>",
            "checker/checker.c",
            "hustoj",
            &[][..],
        ),
        (
            "<tpj language='C++'>registerTestlibCmd</tpj>",
            "checker/checker.cpp",
            "testlib",
            &[],
        ),
        (
            "<spj language='C++'>#include \"testlib.h\"\nregisterTestlibCmd</spj>",
            "checker/checker.cpp",
            "testlib",
            &[swapped, header],
        ),
    ] {
        let package = Package::of(&[("set.xml", &set(&[&format!("{test}{judge}")]))]);
        let imported = package.imported(notes);
        assert_eq!(imported.paths()[0], path);
        let checker =
            format!("[checker.program]\nprotocol = \"{protocol}\"\nsource = \"checker\"\n");
        let problem = imported.text("problem.toml");
        assert!(problem.contains(&checker), "{problem}");
    }
}

#[test]
fn statements_keep_what_they_say_or_a_note_tells() {
    let item = "<time_limit>1</time_limit><test_input>1<!--x--></test_input><test_output>1</test_output>\
        <sample_input></sample_input><sample_output>Hello</sample_output>\
        <description><![CDATA[10<sup>5</sup> 2<sup>n+1</sup> a<sub>i,j</sub> <img src='a.png'>]]></description>";
    let package = Package::of(&[("set.xml", &set(&[item]))]);
    let imported = package.imported(&[
        "1 sample is left out: without an input or an output",
        "pictures are only in `statement/statement.html`",
    ]);
    assert_eq!(imported.text("statement.en.md"), "10^5 2^(n+1) a_(i,j)\n");
    assert_eq!(imported.text("data/secret/test0.in"), "1");
    for (from, to, name) in [
        ("1<!--x-->", "1<!--x-->2", "test_input"),
        (
            "<![CDATA[10<sup>5</sup> 2<sup>n+1</sup> a<sub>i,j</sub> <img src='a.png'>]]>",
            "<p>A</p>",
            "description",
        ),
    ] {
        refused(
            &Package::of(&[("set.xml", &set(&[&item.replace(from, to)]))]),
            &format!("`<{name}>` must have one text only: tags in it belong into `<![CDATA[…]]>`"),
        );
    }
}

#[test]
fn several_problems_are_an_assignment_without_those_that_cannot_be_judged() {
    let test = "<time_limit>1</time_limit><test_input>1</test_input><test_output>1</test_output>";
    let statement = "<title>Only text</title><time_limit>1</time_limit>";
    let sample =
        "<time_limit>1</time_limit><sample_input>1</sample_input><sample_output>1</sample_output>";
    let with = |title: &str, rest: &str| format!("<title>{title}</title>{test}{rest}");
    let items = [
        with("One", "<img><src>a.png</src><base64>AAAA</base64></img>"),
        statement.to_owned(),
        sample.to_owned(),
        with("Talk", "<interactor>int main() {}</interactor>"),
        with(
            "Query",
            "<solution language='SQL(sqlite3)'>select 1</solution>",
        ),
        with("Part", "<append language='C'>int main() {}</append>"),
        with("Odd", "<test_input name='x'>1</test_input>"),
        with("Late", "<spj language='Text'>text judge</spj>"),
        with("Slow", "").replace("<time_limit>1<", "<time_limit>1e9<"),
        with("Two", "<solution language='COBOL'>x</solution>"),
        with("Same", "<test_input name='test0'>1</test_input>"),
        with("Lua", "<spj language='../../Lua'>x</spj>"),
        with("Tags", "<hint><p>a</p></hint>"),
    ];
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let mut package = Package::of(&[("set.xml", &set(&items)), ("readme.txt", "")]);
    let notes = [
        "`<img>` is not used",
        "`readme.txt` is not used",
        "`p10` Two: a solution in `COBOL` is not used",
        "`p09` Slow: not imported: the time limit is `1e9`: expected more than 0, at most 600 s",
        "`p06` Part: not imported: code around each submission (`<prepend>`, `<append>`) is not supported",
        "`p05` Query: not imported: students submit queries in SQL",
        "`p12` Lua: not imported: the checker is in `../../Lua`",
        "`p07` Odd: not imported: the test `x` has no output",
        "`p08` Late: not imported: the text judge is not supported: students submit programs",
        "`p02` Only text: not imported: there are no tests",
        "`p03`: not imported: there are no tests; pass `--allow-empty` to import the samples, worth 0 points",
        "`p04` Talk: not imported: interactors (`<interactor>`) are not supported",
        "`p11` Same: not imported: two tests have the same name",
        "`p13`: not imported: `<hint>` must have one text only: tags in it belong into `<![CDATA[…]]>`",
    ];
    let imported = package.import().unwrap();
    let mut found = imported.notes.clone();
    found.sort();
    let mut wanted = notes.to_vec();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    let assignment = "format = 1\nid = \"evil\"\ntitle = \"set\"\n\n[[problem]]\npath = \"p01\"\npoints = 1\n\n[[problem]]\npath = \"p10\"\npoints = 1\n";
    assert_eq!(imported.text("assignment.toml"), assignment);
    package.options.allow_empty = true;
    let imported = package.import().unwrap();
    let assignment = assignment.replace(
        "[[problem]]\npath = \"p10\"",
        "[[problem]]\npath = \"p03\"\npoints = 0\n\n[[problem]]\npath = \"p10\"",
    );
    assert_eq!(imported.text("assignment.toml"), assignment);
}

#[test]
fn a_set_of_statements_names_them_together() {
    let items = ["<title>a</title>"; 5];
    refused(
        &Package::of(&[("set.xml", &set(&items))]),
        "`set.xml`: none of 5 items can be imported: `p1` a, `p2` a, `p3` a and 2 more: not imported: there are no tests",
    );
}

#[test]
fn the_first_line_declares_the_encoding() {
    let gbk = set(&[SUM]).replace("UTF-8", "GB2312");
    let bytes = GBK.encode(&gbk).0;
    let package = Package::new().file("set.xml", &bytes);
    let imported = package.import().unwrap();
    assert_eq!(imported.table()["title"].as_str(), Some("A+B 问题"));
    let message =
        "`set.xml`: the file is not in UTF-8, which it must be if it declares `UTF-8` or nothing";
    let undeclared = gbk.replace(" encoding=\"GB2312\"", "");
    let undeclared = undeclared.replace("UTF-8 or", "");
    let package = Package::new().file("set.xml", GBK.encode(&undeclared).0);
    refused(&package, message);
}
