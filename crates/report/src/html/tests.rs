//! Pages of the class of all tests, and of one that is hostile.

use grader_model::{
    Adjustment, AdjustmentKind, AttemptChoice, Deadline, Excerpt, Lang, Objection, Penalty, Points,
    ProblemId, Results, StudentId, Text, Verdict,
};
use grader_view::{Compared, Comparison, Presence, Visible};

use super::*;
use crate::hostile::poisoned;
use crate::sample;
use crate::student_report;
use crate::style::{Style, safe};

/// All pages of a class by their names.
fn pages(results: &Results, lang: Lang) -> Vec<(String, String)> {
    let visible = Visible::Staff(results);
    let class = visible.view();
    let same = Comparison::of(results, results, Compared::Corrected);
    let page = class_page(&class, Some(&same), &|_, _| Ok(Vec::new()), true, lang).unwrap();
    let statements = results.assignment.problems.iter();
    let statements = statements.map(|it| (it.id.clone(), "<h3>Task</h3>".to_owned()));
    let statements = statements.collect();
    let mut pages = vec![("index.html".to_owned(), page)];
    for (index, student) in results.students.iter().enumerate() {
        let sources = student.problems.iter().map(|problem| {
            let id = &problem.id;
            let text = format!("// {id}\n<script>alert(1)</script>\tint main() {{}}\n");
            vec![SourceFile::new("count.c", text.into_bytes())]
        });
        let (sources, explorer) = (sources.collect::<Vec<_>>(), Some("explore/index.html"));
        let page = staff_page(&class, index, &sources, explorer, lang).unwrap();
        pages.push((format!("staff/{}.html", student.id), page));
        let own = Own::of(results, student);
        let page = own_page(&own, &sources, explorer, &statements, lang).unwrap();
        pages.push((format!("students/{}.html", student.id), page));
    }
    pages
}

/// A12 of the acceptance list.
#[test]
fn expected_and_found_are_labelled_and_the_first_difference_is_marked() {
    let pages = pages(&sample::results(), Lang::En);
    let all: String = pages.into_iter().map(|(_, page)| page).collect();
    for part in [
        "<dt>expected</dt><dd><code class=\"good\">",
        "<dt>found</dt>",
        "<span class=\"wrong\">",
    ] {
        assert!(all.contains(part), "{part}");
    }
}

/// A15 of the acceptance list.
#[test]
fn sources_are_coloured() {
    let pages = pages(&sample::results(), Lang::En);
    let (_, page) = pages
        .iter()
        .find(|(name, _)| name == "staff/s11.html")
        .unwrap();
    for part in [
        "<span class=\"c\">// count</span>",
        "&#60;script&#62;alert(<span class=\"n\">1</span>)",
        "    <span class=\"k\">int</span> main() {}",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

/// A11 of the acceptance list.
#[test]
fn the_class_says_what_has_changed_as_the_comparison_of_runs_does() {
    let after = sample::results();
    let mut before = after.clone();
    before.students.remove(0);
    let problem = &mut before.students[3].problems[0];
    problem.points = Some(Points::whole(1));
    // With the same points and the same verdict, another case failed; and a problem was worth less.
    let problem = &mut before.students[0].problems[0];
    let case = &mut problem.subtasks[0].cases_mut()[0];
    assert_eq!(case.verdict, Verdict::Accepted);
    case.verdict = Verdict::WrongAnswer;
    before.students[3].problems[3].max_points = Points::whole(20);
    let comparison = Comparison::of(&before, &after, Compared::Corrected);
    let page = class_page(
        &Visible::Staff(&after).view(),
        Some(&comparison),
        &|_, _| Ok(Vec::new()),
        true,
        Lang::En,
    )
    .unwrap();
    let rows = page.split("<tr data-row=").skip(1);
    let rows = rows.filter_map(|row| row.split("</tr>").next());
    let shown: Vec<(&str, usize)> = rows
        .map(|row| {
            let (_, rest) = row.split_once(".html\">").unwrap();
            let who = rest.split([' ', '<']).next().unwrap();
            (who, row.matches("class=\"changed\"").count())
        })
        .filter(|(_, cells)| *cells > 0)
        .collect();
    let all = after.assignment.problems.len();
    let expected = comparison.students.iter().map(|it| match it.presence {
        Presence::New => (it.id.as_str(), all),
        Presence::Both | Presence::Gone => (it.id.as_str(), it.problems.len()),
    });
    assert_eq!(shown, expected.collect::<Vec<_>>());
    assert_eq!(shown, [("s01", 5), ("s02", 1), ("s11", 2)]);
    for change in ["; 1 → 19.75 (+18.75)", "WA → AC", "; 17.25 (of 20 → of 30)"] {
        assert!(page.contains(change), "{change}: {page}");
    }
}

/// A2 of the acceptance list.
#[test]
fn nothing_from_outside_is_markup_and_students_pages_have_no_script() {
    for results in [sample::with_hostile(), poisoned(&sample::results())] {
        for lang in [Lang::En, Lang::Zh] {
            for (name, page) in pages(&results, lang) {
                let scripts = usize::from(!name.starts_with("students/"));
                assert_eq!(page.matches("<script").count(), scripts, "{name}");
                assert!(
                    !page.contains("<b>") && !page.contains("alert(1)</script"),
                    "{name}"
                );
                for line in page.lines() {
                    assert_eq!(safe(line), line, "{name}");
                }
            }
        }
    }
}

#[test]
fn late_and_corrected_work_is_marked_and_remarks_stand_beside_their_lines() {
    let mut results = sample::results();
    let own = &mut results.students[4];
    let points = [
        (AdjustmentKind::Late, 15, None),
        (AdjustmentKind::Correction, 14, None),
        (AdjustmentKind::Comment, 14, Some("count.c:2".to_owned())),
    ];
    let adjustments = points.map(|(kind, points, at)| Adjustment {
        percent: None,
        kind,
        points: Some(Points::whole(points)),
        message: Text::plain("why <?"),
        at,
    });
    own.problems[0].points = Some(Points::whole(14));
    own.problems[0].adjustments = adjustments.to_vec();
    own.comments = vec![Text::plain("well <done>")];
    own.objection = Some(Objection {
        text: Excerpt::new(b"n=7 is <b>right</b>"),
        answer: Some(Excerpt::new(b"it is not")),
    });
    results.students[0].objection = Some(Objection {
        text: Excerpt::new(b"I want more"),
        answer: None,
    });
    let pages = pages(&results, Lang::En);
    let page = |name| &pages.iter().find(|it| it.0 == name).unwrap().1;
    for part in [
        "<span class=\"badge part\">PC</span> 14<sup>L*</sup>",
        "<p class=\"soft\">L late · * corrected by hand</p>",
        " late corrected ",
        "<strong>count</strong> late: −4.75</li>",
        "<strong>count</strong> corrected by hand: −1</li>",
        "<strong></strong> I want more</li>",
        "Objections with an answer <span class=\"soft\">1</span>",
    ] {
        assert!(page("index.html").contains(part), "{part}");
    }
    for name in ["staff/s11.html", "students/s11.html"] {
        for part in [
            "<p class=\"notice\">comment: well &#60;done&#62;</p>",
            "<p class=\"soft\">objection:</p><pre>n=7 is &#60;b&#62;right&#60;/b&#62;\n</pre>",
            "<p class=\"soft\">answer:</p><pre>it is not\n</pre>",
            "<span class=\"soft\">late</span> <span class=\"soft\">corrected</span>",
            "<div class=\"notice\"><p>why &#60;?</p></div>",
            "int main() {}",
            "<div class=\"hint\">why &#60;?</div>",
            "<div class=\"notice\"><pre><span class=\"soft\">1</span>  // count\n<span class=\"soft\">2</span>  \
             <strong>&#60;script&#62;alert(1)&#60;/script&#62;    int main() {}</strong>\n</pre><p>why &#60;?</p></div>",
        ] {
            assert!(page(name).contains(part), "{name}: {part}");
        }
    }
    let visible = Visible::Staff(&results);
    let text = crate::document::class(&visible.view(), &Style::default());
    let line = |begin| text.lines().find(|line| line.starts_with(begin)).unwrap();
    assert_eq!(
        line("s11"),
        "s11      14 PC L*     —          14 PC   17.25 PC         —       45.25      0"
    );
    assert_eq!(line("L "), "L late · * corrected by hand");
}

#[test]
fn a_student_reads_the_own_program_the_deadline_and_when_it_was_submitted() {
    let mut results = sample::results();
    let at = |time: &str| time.parse().unwrap();
    results.students[4].problems[0].submitted = Some(at("2026-11-19T13:03:00Z"));
    let page = |results: &Results| {
        let mut pages = pages(results, Lang::En).into_iter();
        pages.find(|it| it.0 == "students/s11.html").unwrap().1
    };
    let without = page(&results);
    assert!(!without.contains("due ") && without.contains("submitted 2026-11-19 13:03 UTC"));
    results.assignment.deadline = Some(Deadline {
        due: at("2026-11-20T15:59:00Z"),
        zone: "Asia/Shanghai".to_owned(),
        grace_s: 0,
        grace_days: 0,
        penalty: Penalty::Steps(Vec::new()),
        cap: 100,
        last: None,
        attempts: AttemptChoice::Latest,
        late_days_at_most: None,
        file_times: false,
    });
    let page = page(&results);
    for part in [
        "<p class=\"soft\">due 2026-11-20 23:59 (Asia/Shanghai)</p>",
        "<p class=\"soft\">submitted 2026-11-19 21:03</p>",
        // No colours, and no place to which nothing leads.
        "<details class=\"folded noprint\"><summary>count.c</summary>\n<ol class=\"source\"><li>// count<li>\
         &#60;script&#62;alert(1)&#60;/script&#62;    int main() {}</ol>",
        "<p class=\"soft codes\">PC partially correct · ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn a_page_to_print_shows_what_students_may_see_and_leads_nowhere() {
    let results = sample::results();
    let students = results.students.iter();
    let sheets = students.map(|it| own_sheet(&Own::of(&results, it), &[], Lang::En).unwrap());
    let sheets: String = sheets.collect();
    let (before, after) = print_frame(&results.assignment, Lang::En).unwrap();
    let page = before + &sheets + &after;
    assert_eq!(page.matches("<h1>").count(), results.students.len());
    for part in [" id=", "href=\"#", "<script", "<details", "suspiciously"] {
        assert!(!page.contains(part), "{part}");
    }
    let large = print_refusal(&results.assignment, Lang::En).unwrap();
    assert!(large.contains("<code>grader report --student ID --html FOLDER</code>"));
}

#[test]
fn a_group_has_its_program_beside_an_accepted_one_and_its_message_once() {
    let mut results = sample::results();
    let page = |results: &Results| {
        let visible = Visible::Staff(results);
        let sources = |student: &StudentId, _: &ProblemId| {
            let middle = match student.as_str() {
                "s01" => "<b>\n",
                _ => "<i>\n",
            };
            let text = format!("one\n{middle}three\nfour\n");
            Ok(vec![SourceFile::new("count.c", text.into_bytes())])
        };
        class_page(&visible.view(), None, &sources, true, Lang::En).unwrap()
    };
    let wrong = results.students[1].problems[0].clone();
    results.students[0].problems[0].language = wrong.language;
    results.students[4].problems[0] = wrong;
    let told = "<a href=\"staff/s02.html#count";
    let without = page(&results);
    for index in [1, 4] {
        results.students[index].problems[0].behaviour = Some("0123abcd".to_owned());
    }
    let with = page(&results);
    let beside = "<summary>beside the nearest accepted program</summary><pre>--- s02\n+++ s01, accepted\n\
                  @@ -1,3 +1,3 @@\n one\n-&#60;i&#62;\n+&#60;b&#62;\n three\n</pre>";
    assert!(with.contains(beside), "{with}");
    let messages = |page: &str| {
        let (_, count) = page.split_once("id=\"problem-count\"").unwrap();
        let count = count.split("The same mistake").next().unwrap();
        let count = count.split("</section>").next().unwrap();
        count.matches(told).count()
    };
    assert_eq!([messages(&without), messages(&with)], [2, 0]);
}

/// What a student reads stands in the same order in a text and on a page.
#[test]
fn a_text_and_a_page_show_the_same_in_the_same_order() {
    let mut results = sample::results();
    results.interrupted = true;
    let student = &mut results.students[3];
    student.notes = vec![Text::new("a note", "说明")];
    student.comments = vec![Text::new("a word on all", "总评语")];
    student.objection = Some(Objection {
        text: Excerpt::new(b"I object"),
        answer: Some(Excerpt::new(b"so do I")),
    });
    let broken = results.students[2].problems[0].clone();
    let failed = results.students[2].problems[2].clone();
    let student = &mut results.students[3];
    (student.problems[1], student.problems[2]) = (broken, failed);
    student.problems[1].id = ProblemId::new("board");
    let remark = Adjustment {
        kind: AdjustmentKind::Comment,
        points: student.problems[1].points,
        message: Text::new("a remark on one", "单题评语"),
        percent: None,
        at: None,
    };
    student.problems[1].adjustments.push(remark);
    let student = &results.students[3];
    let own = Own::of(&results, student);
    let style = Style {
        width: 1000,
        ..Style::default()
    };
    let text = student_report(&results, student, &style);
    let page = own_page(&own, &[], None, &BTreeMap::new(), Lang::En).unwrap();
    let words = Words::of(Lang::En);
    let view = own.view();
    let view = &view.students[0];
    let no_score = words.no_score(view);
    let subtask = &view.problems[2].subtasks[0];
    let run = words.subtask_run(&subtask.run);
    let facts = words.facts(&view.problems[1]);
    let plain = |text: &str| text.replace('\u{a0}', " ").replace('\'', "&#39;");
    let shown = [
        &words.totals(view),
        "a note",
        "a word on all",
        "I object",
        "so do I",
        words.interrupted(),
        &plain(&no_score),
        "a remark on one",
        &plain(&facts),
        "before",
        &run,
        "exit status 1",
        words.standard_error(),
        "IndexError: list index out of range",
        words.try_it(),
    ];
    for (format, shown_in) in [("text", plain(&text)), ("page", plain(&page))] {
        let mut left = shown_in.as_str();
        for part in shown {
            let at = left.find(part);
            left = &left[at.unwrap_or_else(|| panic!("{format}: {part}: {left}"))..];
        }
    }
}
