//! Problem sets of FPS.

use crate::common::{Package, refused};

/// A set of one item.
fn evil(item: &str) -> String {
    format!("<fps><item>{item}</item></fps>")
}

#[test]
fn hostile_sets_are_refused() {
    let laughs =
        "<!DOCTYPE fps [<!ENTITY a 'xx'><!ENTITY b '&a;&a;&a;'>]><fps><item>&b;</item></fps>";
    let outside = "<!DOCTYPE fps [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><fps><item><title>&a;</title></item></fps>";
    let hidden = "<!DOCTYPE fps SYSTEM '<![CDATA['[<!ENTITY a 'x'>]><fps><item>&a;]]></item></fps>";
    let dtd = "XML with DTD detected";
    let test = "<time_limit>1</time_limit><test_input>1</test_input><test_output>1</test_output>";
    let many = "<test_input/>".repeat(100_001) + &"<test_output/>".repeat(100_001);
    for (xml, message) in [
        (laughs.to_owned(), dtd),
        (outside.to_owned(), dtd),
        (hidden.to_owned(), dtd),
        ("<fps>".to_owned(), "…"),
        (evil("<title>&a;</title>"), "…"),
        (
            "<html><fps/></html>".to_owned(),
            "the root element must be `<fps>`",
        ),
        ("<fps/>".to_owned(), "there is no `<item>`"),
        (format!("<fps>{}", "<a>".repeat(2_000_000)), "…"),
        (
            evil(&format!("<a {}/>", "a=''".repeat(1001))),
            "line 1: an element has more than 1000 attributes",
        ),
        (
            evil(&"<a xmlns:n='n'>".repeat(101)),
            "it declares more than 100 namespaces",
        ),
        (
            "<?xml version='1.0' encoding='klingon'?><fps/>".to_owned(),
            "the encoding `klingon` is not known",
        ),
    ] {
        let package = Package::of(&[("set.xml", &xml)]);
        refused(&package, &format!("`set.xml`: {message}"));
    }
    for (item, message) in [
        (
            many.as_str(),
            "a problem must have 1 to 10000 tests, found 100001",
        ),
        (
            &format!("{test}<memory_limit>1e300</memory_limit>"),
            "the memory limit is `1e300`: expected more than 0, at most 65536 MiB",
        ),
        (
            &format!("{test}<memory_limit>NaN</memory_limit>"),
            "the memory limit is `NaN`: expected more than 0, at most 65536 MiB",
        ),
        ("", "there are no tests"),
    ] {
        refused(&Package::of(&[("set.xml", &evil(item))]), message);
    }
    // Bytes that are no GBK, and UTF-16 of half a character.
    let gbk = b"<?xml version='1.0' encoding='GBK'?><fps>\x81\xff</fps>";
    refused(
        &Package::new().file("set.xml", gbk),
        "`set.xml`: the file is not in GBK, which it must be if it declares `GBK` or nothing",
    );
    let package = Package::new().link("set.xml", "../set.xml");
    let package = package.beside("set.xml", evil(test));
    assert!(
        package
            .refusal()
            .starts_with("expected a problem package (")
    );
}

/// Names never become paths.
#[test]
fn names_in_a_set_stay_in_it() {
    let item = "<time_limit>1</time_limit><test_input name='../../x'>1</test_input><test_output name='../../x'>1</test_output>
        <solution language='/../../../x.c'>x</solution><spj language='C'>x</spj>";
    let package = Package::of(&[("set.xml", &evil(item))]);
    let imported = package.import().unwrap();
    let paths = [
        "checker/checker.c",
        "data/secret/01.ans",
        "data/secret/01.in",
        "problem.toml",
        "statement.en.md",
        "statement/statement.html",
        "submissions/accepted/solution-1.c",
    ];
    assert_eq!(imported.paths(), paths);
}

/// A statement of many brackets takes no time.
#[test]
fn a_statement_of_brackets_is_read_in_one_go() {
    let test = "<time_limit>1</time_limit><test_input>1</test_input><test_output>1</test_output>";
    let brackets = format!(
        "<description><![CDATA[{}]]></description>",
        "<p ".repeat(1_000_000)
    );
    Package::of(&[("set.xml", &evil(&(brackets + test)))]).imported(&[]);
}
