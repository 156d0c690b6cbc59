//! Reports of unit tests, in JUnit XML.
//!
//! A harness in the submission's own process shares it with hostile code, so that nothing in its report is trusted: it is
//! capped, names are escaped, and what is not whole counts as nothing.

use std::collections::BTreeSet;

use grader_model::{Evidence, Excerpt, Share, Text, Verdict, text};
use grader_problem::{TestRule, fits};
use roxmltree::{Document, Node, ParsingOptions};

use super::message::message;
use crate::constants::{
    MAX_FAILED_TESTS_SHOWN, MAX_REPORT_BYTES, MAX_REPORT_NAMESPACES, MAX_REPORT_NODES,
};

/// The tests of a complete report, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report(Vec<Test>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    name: String,
    /// With its class.
    full_name: String,
    failure: Option<Failure>,
}

/// Why a test does not count as passed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    verdict: Verdict,
    evidence: Evidence,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TestsResult {
    pub(crate) verdict: Verdict,
    pub(crate) message: Option<Text>,
    pub(crate) share: Option<Share>,
    pub(crate) evidence: Vec<Evidence>,
}

impl Report {
    /// Reads a report. `None` if it is malformed, incomplete or too large.
    pub(crate) fn parse(xml: &[u8]) -> Option<Self> {
        if xml.len() as u64 >= MAX_REPORT_BYTES {
            return None;
        }
        let options = ParsingOptions {
            // No entity can multiply or name a file.
            allow_dtd: false,
            nodes_limit: MAX_REPORT_NODES,
            ..ParsingOptions::default()
        };
        let xml = std::str::from_utf8(xml).ok()?;
        if xml.matches("xmlns").count() > MAX_REPORT_NAMESPACES {
            return None;
        }
        let document = Document::parse_with_options(xml.trim_start(), options).ok()?;
        let root = document.root_element();
        if !matches!(root.tag_name().name(), "testsuites" | "testsuite") {
            return None;
        }
        let tests = root.descendants().filter(|it| it.has_tag_name("testcase"));
        Some(Self(tests.map(Test::new).collect()))
    }

    /// The names of the tests that passed, or of the others. All runs of a test with parameters are one.
    pub(crate) fn names(&self, has_passed: bool) -> BTreeSet<String> {
        let name = |it: &Test| base(&it.full_name).to_owned();
        let failed = self.0.iter().filter(|it| it.failure.is_some());
        let failed: BTreeSet<_> = failed.map(name).collect();
        if !has_passed {
            return failed;
        }
        let names = self.0.iter().map(name);
        names.filter(|it| !failed.contains(it)).collect()
    }

    /// The tests that a name stands for: those that have it, else the runs of a test with parameters or repetitions, such as
    /// `adds(int)[1]` for `adds`.
    fn of_name(&self, name: &str) -> Vec<&Test> {
        let all = |is_it: &dyn Fn(&Test) -> bool| -> Vec<_> {
            self.0.iter().filter(|it| is_it(it)).collect()
        };
        let named = all(&|it| name == it.name || name == it.full_name);
        if !named.is_empty() {
            return named;
        }
        all(&|it| name == base(&it.name) || name == base(&it.full_name))
    }

    /// Judges a case. An error is the number of tests that match a pattern, and the first one too many.
    pub(crate) fn judge(&self, rule: &TestRule) -> Result<TestsResult, (usize, String)> {
        let count = rule.count.unwrap_or(1) as usize;
        let (found, failed): (usize, Vec<_>) = if rule.count.is_some() {
            let all = self.0.iter();
            let matching =
                |it: &&Test| fits(&rule.name, &it.name) || fits(&rule.name, &it.full_name);
            let tests: Vec<_> = all.filter(matching).collect();
            if let Some(test) = tests.get(count) {
                let name = Excerpt::new(test.full_name.as_bytes()).to_string();
                return Err((tests.len(), name));
            }
            let failures = tests
                .iter()
                .map(|it| (it.full_name.as_str(), it.failure.clone()));
            (tests.len(), failures.collect())
        } else {
            let tests = self.of_name(without_parameters(&rule.name));
            let failure = failure(&tests);
            (tests.len().min(1), vec![(rule.name.as_str(), failure)])
        };
        let failures = failed.into_iter();
        let failures = failures.filter_map(|(name, failure)| Some((name, failure?)));
        let mut failures: Vec<_> = failures.collect();
        let passed = found - failures.len();
        if passed == count {
            return Ok(TestsResult {
                verdict: Verdict::Accepted,
                message: None,
                share: None,
                evidence: Vec::new(),
            });
        }
        if found < count {
            failures.insert(0, ("", missing(count - found, count)));
        }
        let first = failures.first().map(|(_, failure)| failure.verdict);
        let mut evidence: Vec<Evidence> = Vec::new();
        for (name, failure) in failures.into_iter().take(MAX_FAILED_TESTS_SHOWN) {
            let mut failed = failure.evidence;
            if rule.count.is_some() && !name.is_empty() {
                let name = Excerpt::new(name.as_bytes());
                let said = failed.message;
                failed.message = text!("{name}: {said}", "{name}：{said}", said);
            }
            evidence.push(failed);
        }
        Ok(TestsResult {
            verdict: match first {
                _ if passed > 0 => Verdict::PartiallyCorrect,
                first => first.unwrap_or(Verdict::WrongAnswer),
            },
            message: evidence.first().map(|it| it.message.clone()),
            share: (passed > 0).then(|| Share::of((passed * 1000 / count) as f64, 1000.0)),
            evidence,
        })
    }
}

impl Test {
    fn new(node: Node<'_, '_>) -> Self {
        let text = |name| node.attribute(name).unwrap_or_default();
        let name = without_parameters(text("name"));
        let failure = node.children().find_map(|child| {
            let (code, verdict, en, zh) = match child.tag_name().name() {
                "failure" => (
                    "test-failed",
                    Verdict::WrongAnswer,
                    "the test failed",
                    "测试未通过",
                ),
                "error" => (
                    "test-error",
                    Verdict::RuntimeError,
                    "an error in the test",
                    "测试出错",
                ),
                "skipped" => return Some(skipped()),
                _ => return None,
            };
            let said = child
                .attribute("message")
                .filter(|it| !it.trim().is_empty());
            let said = said.or(child.text()).unwrap_or_default();
            let said = message(code, said.as_bytes());
            let evidence = said.unwrap_or_else(|| Evidence::new(code, Text::new(en, zh)));
            Some(Failure { verdict, evidence })
        });
        Self {
            name: name.to_owned(),
            full_name: format!("{}.{name}", text("classname")),
            // As gtest and CTest write it.
            failure: failure.or_else(|| (text("status") == "notrun").then(skipped)),
        }
    }
}

/// A test's name as people write it: JUnit 5 calls it `pop()`.
fn without_parameters(name: &str) -> &str {
    name.trim_end_matches("()")
}

/// The name of a test without the number and the parameters of one of its runs: `adds` of `adds(int)[1]`, `adds()[2]`,
/// `adds{int}[1]` and `adds[1 + 1]`.
fn base(name: &str) -> &str {
    let end = name.find(['(', '[', '{']).unwrap_or(name.len());
    name[..end].trim_end()
}

/// Why the tests of one name do not count as passed, if they do not. A test may run several times, but in one class.
fn failure(same: &[&Test]) -> Option<Failure> {
    let failed = same.iter().find_map(|test| test.failure.clone());
    failed.or_else(|| {
        let is_other = |it: &&Test| base(&it.full_name) != base(&same[0].full_name);
        let is_ambiguous = same.iter().any(is_other);
        is_ambiguous.then(|| {
            let text = Text::new(
                "the report has several tests of this name",
                "报告中有多个同名测试",
            );
            wrong("test-repeated", text)
        })
    })
}

fn skipped() -> Failure {
    wrong(
        "test-skipped",
        Text::new("the test was skipped", "测试被跳过"),
    )
}

/// Failure for tests that the report does not have.
fn missing(missing: usize, count: usize) -> Failure {
    let text = if count == 1 {
        Text::new("the test did not run", "测试没有运行")
    } else {
        text!(
            "{missing} of {count} tests did not run",
            "{count} 个测试中有 {missing} 个没有运行"
        )
    };
    wrong("test-missing", text)
}

fn wrong(code: &str, text: Text) -> Failure {
    Failure {
        verdict: Verdict::WrongAnswer,
        evidence: Evidence::new(code, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A case's verdict, the thousandths that it earns if only a part, and its evidence.
    fn judged(xml: &str, name: &str, count: Option<u32>) -> String {
        let Some(report) = Report::parse(xml.as_bytes()) else {
            return "no report".to_owned();
        };
        let name = name.to_owned();
        match report.judge(&TestRule { name, count }) {
            Ok(TestsResult {
                verdict,
                share,
                evidence,
                ..
            }) => {
                let lines = evidence.iter().map(|it| {
                    let more = it.figure.as_ref().map(|it| format!("|{}", it.plain()));
                    format!(" {}:{}{}", it.code, it.message.en, more.unwrap_or_default())
                });
                let share = share.map(|it| format!(" {}", it.millionths() / 1000));
                let lines: String = lines.collect();
                format!("{verdict}{}{lines}", share.unwrap_or_default())
            }
            Err((found, name)) => format!("{found} tests, {name} is one too many"),
        }
    }

    const REPORT: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" tests="9">
<testcase classname="tests" name="test_push" time="0.1"/>
<testcase classname="tests" name="test_pop"><failure message="assert 3 == None&#10; + where 3 = pop()">def</failure></testcase>
<testcase classname="tests" name="test_bell"><error>bell &#x7f; &lt;script&gt;</error></testcase>
<testcase classname="tests" name="test_later"><skipped message="not yet"/></testcase>
<testcase classname="A" name="both()"><system-out>failure</system-out></testcase>
<testcase classname="B" name="both()"></testcase>
<testcase classname="B" name="twice"/><testcase classname="B" name="twice"/>
<testcase classname="gtest" name="DISABLED" status="notrun" result="suppressed"/>
<testcase classname="P" name="adds(int)[1]"/><testcase classname="P" name="adds(int)[2]"/>
<testcase classname="P" name="again()[1]"/><testcase classname="P" name="again()[2]"><failure message="second"/></testcase>
<testcase classname="P" name="again()[3]"/>
<testcase classname="D" name="1 + 2 is 3"/><testcase classname="D" name="[2] 3, 4"><failure message="no"/></testcase>
<testcase classname="C" name="blank"><failure message=" "/></testcase>
</testsuite></testsuites>
"#;

    #[test]
    fn a_case_is_judged_by_its_tests() {
        for (name, count, expected) in [
            ("test_push", None, "AC"),
            ("tests.test_push", None, "AC"),
            (
                "test_pop",
                None,
                "WA test-failed:assert 3 == None| + where 3 = pop()",
            ),
            ("test_bell", None, "RE test-error:bell \\x7f <script>"),
            ("test_later", None, "WA test-skipped:the test was skipped"),
            ("test_gone", None, "WA test-missing:the test did not run"),
            ("push", None, "WA test-missing:the test did not run"),
            ("A.both", None, "AC"),
            (
                "both",
                None,
                "WA test-repeated:the report has several tests of this name",
            ),
            ("B.twice", None, "AC"),
            (
                "both()",
                None,
                "WA test-repeated:the report has several tests of this name",
            ),
            ("A.both()", None, "AC"),
            ("adds", None, "AC"),
            ("adds()", None, "AC"),
            ("P.adds", None, "AC"),
            ("again", None, "WA test-failed:second"),
            ("again()", None, "WA test-failed:second"),
            ("P.add", None, "WA test-missing:the test did not run"),
            ("adds(int)[2]", None, "AC"),
            // Names that people read.
            ("1 + 2 is 3", None, "AC"),
            ("D.[2] 3, 4", None, "WA test-failed:no"),
            ("P.a*", Some(5), "PC 800 test-failed:P.again()[2]: second"),
            ("P.a*", Some(4), "5 tests, P.again()[3] is one too many"),
            ("DISABLED", None, "WA test-skipped:the test was skipped"),
            ("blank", None, "WA test-failed:the test failed"),
            ("?.both", Some(2), "AC"),
            ("*.both", Some(1), "2 tests, B.both is one too many"),
            ("B.*", Some(3), "AC"),
            (
                "tests.*",
                Some(5),
                "PC 200 test-missing:1 of 5 tests did not run test-failed:tests.test_pop: assert 3 == None| + where 3 = \
                 pop() test-error:tests.test_bell: bell \\x7f <script> test-skipped:tests.test_later: the test was skipped",
            ),
            ("none*", Some(3), "WA test-missing:3 of 3 tests did not run"),
        ] {
            assert_eq!(judged(REPORT, name, count), expected, "{name} {count:?}");
        }
    }

    #[test]
    fn a_report_that_is_not_whole_is_none() {
        let body = REPORT.split_once("<testsuites>").unwrap().1;
        let deep = "<a>".repeat(10_000) + &"</a>".repeat(10_000);
        let declared = (0..600).map(|at| format!("<a xmlns:n{at}='{at}'>"));
        let declared: String = declared.collect();
        for (xml, expected) in [
            (
                format!("<testsuite><testcase name='t'/>{deep}</testsuite>"),
                "AC",
            ),
            (
                format!(
                    "<testsuite>{declared}<testcase name='t'/>{}</testsuite>",
                    "</a>".repeat(600)
                ),
                "no report",
            ),
            (String::new(), "no report"),
            (REPORT[..REPORT.len() - 20].to_owned(), "no report"),
            (
                format!("<results>{body}").replace("</testsuites>", "</results>"),
                "no report",
            ),
            (format!("{REPORT}{REPORT}"), "no report"),
            (
                "<testsuite><testcase name='t'/></testsuite>\0".to_owned(),
                "no report",
            ),
            (
                "<!DOCTYPE a [<!ENTITY b 'c'>]><testsuite><testcase name='&b;'/></testsuite>"
                    .to_owned(),
                "no report",
            ),
            (
                format!("<testsuite>{}</testsuite>", "<a/>".repeat(100_000)),
                "no report",
            ),
            (
                format!("<testsuite>{}</testsuite>", " ".repeat(4 << 20)),
                "no report",
            ),
        ] {
            let start: String = xml.chars().take(60).collect();
            assert_eq!(judged(&xml, "t", None), expected, "{start}");
        }
        assert_eq!(Report::parse(b"<testsuite name='\xff'/>"), None);
    }
}
