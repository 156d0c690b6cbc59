//! Packages of Polygon.

use crate::common::{Package, refused};

#[test]
fn an_element_of_many_attributes_is_refused_before_it_is_parsed() {
    let attributes: Vec<String> = (0..200_000).map(|it| format!("a{it}='>'")).collect();
    let xml = format!("<problem>\n<a {}/></problem>", attributes.join(" "));
    refused(
        &Package::new().file("problem.xml", xml),
        "`problem.xml`: line 2: an element has more than 1000 attributes",
    );
}

/// A package of Polygon.
fn evil(xml: &str) -> Package {
    Package::new()
        .file("problem.xml", xml)
        .file("tests/01", "1\n")
        .file("files/check.py", "")
        .beside("secret.txt", "secret")
}

/// Nested elements, each with a namespace of its own.
fn namespaces() -> String {
    let open: Vec<_> = (0..101).map(|at| format!("<a xmlns:n{at}='n'>")).collect();
    format!("<problem>{}{}</problem>", open.concat(), "</a>".repeat(101))
}

fn package(pattern: &str, tests: &str, assets: &str) -> Package {
    evil(&format!(
        "<problem><judging><testset><input-path-pattern>{pattern}</input-path-pattern>{tests}\
         </testset></judging><assets>{assets}</assets></problem>"
    ))
}

const CHECKER: &str = r#"<checker name="std::wcmp.cpp"/>"#;
const ONE: &str = "<tests><test/></tests>";

#[test]
fn hostile_xml_is_refused() {
    refused(&evil("<problem>"), "`problem.xml`: …");
    refused(
        &evil("<html/>"),
        "`problem.xml`: the root element must be `<problem>`",
    );
    refused(
        &evil("<problem/>"),
        "`problem.xml`: there is no `<testset>`",
    );
    let bomb = "<!DOCTYPE p [<!ENTITY a 'xx'><!ENTITY b '&a;&a;&a;'>]><problem>&b;</problem>";
    refused(&evil(bomb), "`problem.xml`: XML with DTD detected");
    refused(&evil(&"<a>".repeat(2_000_000)), "`problem.xml`: …");
    refused(
        &evil(&" ".repeat((8 << 20) + 1)),
        "`problem.xml`: the file is larger than 8 MiB",
    );
    refused(
        &evil(&namespaces()),
        "`problem.xml`: it declares more than 100 namespaces",
    );
}

#[test]
fn an_element_that_nobody_reads_is_noted_wherever_it_is_and_the_first_of_two_counts() {
    let tests = r#"<answer-path-pattern>tests/%02d</answer-path-pattern><new/><test-count/>
        <tests><test sample="true"><copy/></test></tests><tests><test cmd="lost"/></tests>"#;
    let checker = r#"<checker name="std::wcmp.cpp"><copy/><new-in-checker/></checker><checker type="lost"/><scorer/>"#;
    let pattern = "tests/%02d</input-path-pattern><input-path-pattern>lost";
    let package = package(pattern, tests, checker);
    let imported = package.imported(&[
        "`problem.xml`: `<copy>` is not used",
        "`problem.xml`: `<new-in-checker>` is not used",
        "`problem.xml`: `<new>` is not used",
        "`problem.xml`: `<scorer>` is not used",
        "all tests are samples, which students may see",
        "the package has no time limit: `[limits]` gets 2 s, for you to change",
    ]);
    assert_eq!(imported.table()["checker"].to_string(), "{ tokens = {} }");
}

#[test]
fn hostile_tests_are_refused() {
    refused(
        &package("../secret.txt%d", ONE, CHECKER),
        "`../secret.txt1`: the path must not contain `..`",
    );
    refused(
        &package("/etc/%d", ONE, CHECKER),
        "`/etc/1`: the path must be relative",
    );
    refused(
        &package("tests/%s", ONE, CHECKER),
        "`problem.xml`: expected a path with one `%d` or `%02d`, found `tests/%s`",
    );
    refused(
        &package("tests/%099d", ONE, CHECKER),
        "`problem.xml`: expected a path with one `%d` or `%02d`, found `tests/%099d`",
    );
    refused(
        &package("tests/%d", ONE, CHECKER),
        "`tests/1`: test 1 is not in the package, and it has no generator",
    );
    refused(
        &package("tests/%02d", ONE, CHECKER),
        "`problem.xml`: there are tests without answers, and no main solution that could give them",
    );
    for (cmd, message) in [
        (
            "gen 1",
            "`tests/1`: test 1 is not in the package, and there is no generator `gen`",
        ),
        (
            "../gen 1",
            "`tests/1`: test 1 is not in the package, and there is no generator `../gen`",
        ),
        (
            "gen 'a b'",
            "`tests/1`: test 1 is not in the package, and the command `gen 'a b'` is not a plain one",
        ),
    ] {
        let test = format!(r#"<tests><test cmd="{cmd}"/></tests>"#);
        refused(&package("tests/%d", &test, CHECKER), message);
    }
    refused(
        &package(
            "tests/%d",
            &format!("<tests>{}</tests>", "<test/>".repeat(10_001)),
            CHECKER,
        ),
        "`problem.xml`: a problem must have 1 to 10000 tests in `<tests>`, found 10001",
    );
    let circle = r#"<tests><test points="1" group="a"/></tests><groups><group name="a"><dependencies><dependency
        group="a"/></dependencies></group></groups>"#;
    refused(
        &package("tests/%02d", circle, CHECKER),
        "`problem.xml`: groups depend on each other in a circle",
    );
    refused(
        &package(
            "tests/%02d",
            r#"<tests><test points="-1"/></tests>"#,
            CHECKER,
        ),
        "`problem.xml`: `points`: expected a number, found `-1`",
    );
}

#[test]
fn hostile_programs_and_links_are_refused() {
    for (path, message) in [
        (
            "../secret.py",
            "`../secret.py`: the path must not contain `..`",
        ),
        (
            "files/none.py",
            "`files/none.py`: the file is not in the package",
        ),
        ("tests/01", "`tests/01`: its language is not known"),
    ] {
        let checker = format!(r#"<checker><source path="{path}"/></checker>"#);
        refused(&package("tests/%02d", ONE, &checker), message);
    }
    refused(
        &package("tests/%02d", ONE, r#"<checker type="testlib4j"/>"#),
        "checkers of the type `testlib4j` are not supported",
    );
    refused(
        &evil(r#"<problem><judging run-count="2"><testset/></judging></problem>"#),
        "`problem.xml`: `run-count` is 2: only one run for each test is supported",
    );
    let main =
        r#"<solutions><solution tag="main"><source path="files/check.py"/></solution></solutions>"#;
    let package = package("tests/a%d", ONE, &format!("{CHECKER}{main}"));
    let package = package.link("tests/a1", "../../secret.txt");
    refused(&package, "`tests/a1`: the path leads out of its folder");
}
