//! Why something is not judged, or not judged yet.

use grader_model::{StudentResult, Text, called};

/// Entries that are named in one sentence.
const MAX_NAMED: usize = 4;

/// An entry that lies beside the students' folders.
pub fn beside_students() -> Text {
    Text::new("not in any student's folder", "不在任何学生的文件夹内")
}

pub(crate) fn not_of_layout() -> Text {
    Text::new(
        "its name does not say which student it belongs to",
        "从名称看不出属于哪名学生",
    )
}

pub(crate) fn typed() -> Text {
    Text::new(
        "typed into the page instead of submitted as a file: not judged; save any program in it as a file",
        "直接在网页中输入，没有作为文件提交，因此不评测；如果里面有程序，请另存为文件",
    )
}

pub(crate) fn only_typed(path: &str) -> Text {
    Text::new(
        format!("only text typed into the page was submitted, which is not judged: see `{path}`"),
        format!("只提交了在网页中输入的文字，不予评测：请查看 `{path}`"),
    )
}

/// What a member of a team is told.
pub(crate) fn together(members: &[String]) -> Text {
    Text::new(
        format!("submitted together: {}", members.join(", ")),
        format!("共同提交：{}", members.join("、")),
    )
}

/// Several entries appear to be one student's.
pub(crate) fn several_sources(entries: &[String]) -> Text {
    let listed = listed(entries);
    Text::new(
        format!(
            "several submissions appear to be this student's: {}; keep the one that counts and remove the others",
            listed.en
        ),
        format!(
            "该学生有多份提交：{}；请确定采用哪一份，并移走其余的",
            listed.zh
        ),
    )
}

/// The name of an entry can be read as that of several students.
pub(crate) fn several_owners(entry: &str) -> Text {
    Text::new(
        format!(
            "`{entry}` could belong to more than one student: decide whose it is and rename it"
        ),
        format!("`{entry}` 可能属于不止一名学生：请确定归属并重命名"),
    )
}

/// Work without an owner may be somebody's who submitted nothing.
pub(crate) fn perhaps(entries: &Text) -> Text {
    Text::new(
        format!(
            "perhaps submitted under another name: {}; correct the roster or the name, or remove what is nobody's",
            entries.en
        ),
        format!(
            "可能以别的名字提交：{}；请更正名单或提交的名称，或移走不属于任何人的提交",
            entries.zh
        ),
    )
}

/// The first few entries, and how many more there are.
pub fn listed(entries: &[impl AsRef<str>]) -> Text {
    let named = entries.iter().take(MAX_NAMED);
    let named: Vec<String> = named.map(|entry| format!("`{}`", entry.as_ref())).collect();
    match entries.len().saturating_sub(MAX_NAMED) {
        0 => Text::new(named.join(", "), named.join("、")),
        more => Text::new(
            format!("{} and {more} more", named.join(", ")),
            format!("{} 及另外 {more} 项", named.join("、")),
        ),
    }
}

pub(crate) fn earlier_attempt(later: &str) -> Text {
    Text::new(
        format!("an earlier attempt: `{later}` was submitted later"),
        format!("较早的提交：之后又提交了 `{later}`"),
    )
}

pub(crate) fn latest_of(name: &str, taken: &str) -> Text {
    Text::new(
        format!("of several attempts at `{name}`, the latest was graded: `{taken}`"),
        format!("`{name}` 有多次提交，采用最后一次：`{taken}`"),
    )
}

/// One line about a student.
pub(crate) fn about(student: &StudentResult, en: &str, zh: &str) -> Text {
    let student = called(&student.id, student.person.as_ref());
    Text::new(format!("{student}: {en}"), format!("{student}：{zh}"))
}
