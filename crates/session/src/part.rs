//! A part of a class: some students, problems or cases.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use grader_intake::Class;
use grader_judge::Part;
use grader_lms::team_key;
use grader_model::{
    AssignmentInfo, CaseResult, FaultCause, Person, ProblemId, Results, Status, StudentId, Teams,
    Text, Verdict, escaped,
};
use grader_problem::{Assignment, Entry, Problem};

use crate::assignment::WithSamples;
use crate::class_name::only_name;
use crate::error::SessionError;
use crate::exit::Failure;
use crate::path::shown;
use crate::stored::StoredRuns;
use crate::suggest::did_you_mean;

/// The part of a class that was asked for, by the names that were given.
#[derive(Clone, Debug, Default)]
pub struct AskedPart {
    /// Students, by id, name or address; empty if all.
    pub students: Vec<String>,
    /// Problems; empty if all.
    pub problems: Vec<String>,
    /// Cases, `n=6` or `small/n=6`; empty if all.
    pub cases: Vec<String>,
}

impl AskedPart {
    /// Whether it is everything.
    pub fn is_all(&self) -> bool {
        self.students.is_empty() && self.has_totals() && !self.is_of_cases()
    }

    /// Whether the totals of what is shown are those of students.
    pub fn has_totals(&self) -> bool {
        self.problems.is_empty()
    }

    /// The one student that is named.
    pub fn only_student(&self) -> Option<&str> {
        match &self.students[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Whether only some cases are shown: their verdicts, without points.
    pub fn is_of_cases(&self) -> bool {
        !self.cases.is_empty()
    }

    /// The part, by ids.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn resolve(&self, people: &People<'_>, info: &AssignmentInfo) -> Result<Part, Failure> {
        let students = self.students.iter().map(|name| people.find_all(name));
        let students = students
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten();
        let problems = self.problems.iter();
        let problems = problems.map(|id| known_problem(id, info).map(ProblemId::new));
        Ok(Part {
            students: students.map(StudentId::new).collect(),
            problems: problems.collect::<Result<_, _>>()?,
        })
    }

    /// Checks that the results have every case that is named. While nothing is judged, no case is known.
    ///
    /// # Errors
    /// If they lack one.
    pub fn check_cases(&self, results: &Results) -> Result<(), Failure> {
        let problems = results.students.iter().flat_map(|it| &it.problems);
        let subtasks = problems.flat_map(|it| &it.subtasks);
        let known = subtasks.flat_map(|subtask| {
            let cases = subtask.cases.iter();
            cases.map(move |case| (subtask.name.as_str(), case.name.as_str()))
        });
        let known: Vec<(&str, &str)> = known.collect();
        let is_known = |name: &&String| {
            let mut known = known.iter();
            known.any(|(subtask, case)| is_named(std::slice::from_ref(*name), subtask, case))
        };
        match self.cases.iter().find(|name| !is_known(name)) {
            Some(name) if !known.is_empty() => {
                let known = known.iter();
                let known = known.map(|(subtask, case)| format!("{subtask}/{case}"));
                Err(unknown_case(name, known.collect()))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Leaves only this part of the results, so that all sums are of what is left.
    pub fn keep(&self, part: &Part, results: &mut Results) {
        results
            .students
            .retain(|student| part.has_student(&student.id));
        results.similar.retain(|group| {
            let mut students = group.students.iter();
            part.has_problem(&group.problem) && students.any(|id| part.has_student(id))
        });
        let info = &mut results.assignment;
        info.problems
            .retain(|problem| part.has_problem(&problem.id));
        let sum = |bonus| {
            let counted = info.problems.iter().filter(|it| it.bonus == bonus);
            counted.map(|problem| problem.points).sum()
        };
        (info.points, info.bonus) = (sum(false), sum(true));
        for student in &mut results.students {
            student
                .problems
                .retain(|problem| part.has_problem(&problem.id));
            if self.cases.is_empty() {
                continue;
            }
            for problem in &mut student.problems {
                // Points for only some cases would look like a grade.
                problem.points = None;
                problem.adjustments.clear();
                for subtask in &mut problem.subtasks {
                    subtask.points = None;
                    let name = subtask.name.as_str();
                    let is_shown =
                        |case: &&CaseResult| is_named(&self.cases, name, case.name.as_str());
                    subtask.cases = subtask.cases.iter().filter(is_shown).cloned().collect();
                }
                // A fault in a case that is not shown is none of what is shown.
                let cases = problem.subtasks.iter().flat_map(|it| &*it.cases);
                let is_fault = problem.status == Status::Fault(FaultCause::Grader);
                if is_fault && cases.clone().all(|case| case.why_open().is_none()) {
                    problem.status = Status::Judged;
                    problem.verdict = Verdict::fold(cases.map(|case| case.verdict), false);
                }
            }
        }
    }
}

/// Whether a case is one of those named, alone or after its subtask.
fn is_named(names: &[String], subtask: &str, case: &str) -> bool {
    let full = format!("{subtask}/{case}");
    names.iter().any(|name| *name == full || name == case)
}

/// Keeps the cases of an assignment that are named, `n=6` or `small/n=6`; all if none is.
///
/// # Errors
/// If there is no such case, or it is hidden and students must not name it.
pub fn keep_cases(
    assignment: &mut Assignment,
    names: &[String],
    with_hidden: bool,
) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    let mut known = Vec::new();
    let mut unknown: Vec<&String> = names.iter().collect();
    for entry in &mut assignment.problems {
        let mut problem = Problem::clone(&entry.problem);
        problem.unjudged.clone_from(&problem.subtasks);
        problem.subtasks.retain_mut(|subtask| {
            if subtask.hidden && !with_hidden {
                return false;
            }
            let all = subtask.cases.len();
            let name = subtask.name.as_str();
            subtask.cases.retain(|case| {
                let case = case.name.as_str();
                unknown.retain(|it| !is_named(std::slice::from_ref(*it), name, case));
                known.push(format!("{name}/{case}"));
                is_named(names, name, case)
            });
            subtask.points = subtask.points.share(subtask.cases.len(), all);
            // One size shows no growth, and what is required may not run.
            subtask.growth = None;
            subtask.require.clear();
            !subtask.cases.is_empty()
        });
        entry.problem = Arc::new(problem);
    }
    assignment
        .problems
        .retain(|entry| !entry.problem.subtasks.is_empty());
    match unknown.first() {
        Some(name) => Err(unknown_case(name, known)),
        None => Ok(()),
    }
}

/// The mistake that no case has this name. Of the known ones, `small/n=6`, several problems may have the same.
fn unknown_case(name: &str, known: Vec<String>) -> Failure {
    let mut seen = BTreeSet::new();
    let known: Vec<String> = known
        .into_iter()
        .filter(|it| seen.insert(it.clone()))
        .collect();
    let short = known.iter().filter_map(|full| full.split('/').next_back());
    let (near, known) = (did_you_mean(name, short), known.join(", "));
    Failure::mistake(Text::new(
        format!("there is no case `{name}`{}\nknown cases: {known}", near.en),
        format!("没有测试点 `{name}`{}\n已有的测试点：{known}", near.zh),
    ))
}

/// This id, if the assignment has such a problem.
pub fn known_problem<'a>(id: &'a str, info: &AssignmentInfo) -> Result<&'a str, Failure> {
    let known = info.problems.iter().map(|problem| problem.id.as_str());
    refuse_unknown(id, known).map(|()| id)
}

fn refuse_unknown<'a>(
    id: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), Failure> {
    if known.clone().any(|it| it == id) {
        return Ok(());
    }
    let near = did_you_mean(id, known).en;
    Err(Failure::usage(format!("there is no problem `{id}`{near}")))
}

/// Keeps the problems of some assignments that are named, with their samples; all if none is.
///
/// # Errors
/// If there is no such problem.
pub fn keep_problems(loaded: &mut Vec<WithSamples>, ids: &[String]) -> Result<(), Failure> {
    let problems = loaded.iter().flat_map(|(it, ..)| &it.problems);
    let known: BTreeSet<String> = problems.map(|it| it.problem.id.to_string()).collect();
    for id in ids {
        refuse_unknown(id, known.iter().map(String::as_str))?;
    }
    if ids.is_empty() {
        return Ok(());
    }
    for (assignment, samples, _) in loaded.iter_mut() {
        let is_kept = |entry: &Entry| ids.iter().any(|id| id == entry.problem.id.as_str());
        let mut kept = assignment.problems.iter().map(is_kept);
        samples.retain(|_| kept.next().unwrap_or(true));
        assignment.problems.retain(is_kept);
    }
    loaded.retain(|(assignment, ..)| !assignment.problems.is_empty());
    Ok(())
}

/// Most students that a message about an ambiguous name lists.
const MAX_NAMED: usize = 5;

/// The students of a class that options name.
pub struct People<'a> {
    /// Their ids, and what is known of them.
    pub students: Vec<(&'a StudentId, Option<&'a Person>)>,
    /// The team of each, in the same order.
    teams: Vec<Option<&'a str>>,
    /// The class or its ledger, for messages.
    source: &'a Path,
    /// The ledger, and the run that has them.
    run: Option<(&'a StoredRuns, u64)>,
}

impl<'a> People<'a> {
    /// Those of a class.
    pub fn of_class(class: &'a Class, source: &'a Path) -> Self {
        let students = class.students.iter();
        let rows = students.map(|it| ((&it.id, it.person.as_ref()), it.team.as_deref()));
        Self::of(rows, source)
    }

    /// Those of results in a ledger.
    pub fn of_results(results: &'a Results, stored: &'a StoredRuns) -> Self {
        let students = results.students.iter();
        let rows = students.map(|it| ((&it.id, it.person.as_ref()), it.team.as_deref()));
        Self {
            run: results.run.as_ref().map(|run| (stored, run.id)),
            ..Self::of(rows, &stored.path)
        }
    }

    fn of(
        rows: impl Iterator<Item = ((&'a StudentId, Option<&'a Person>), Option<&'a str>)>,
        source: &'a Path,
    ) -> Self {
        let (students, teams) = rows.unzip();
        Self {
            students,
            teams,
            source,
            run: None,
        }
    }

    /// Where nobody has this name.
    fn nowhere(&self, name: &str) -> Nowhere {
        // What else is in the ledger is only a hint.
        let found = self.run.and_then(|it| among_others(it, name).ok());
        found.flatten().unwrap_or_else(|| Nowhere {
            class: format!("`{}`", shown(self.source)),
            has_one: None,
            others: String::new(),
        })
    }

    /// The student with this id; else those with this full name or address; else those whose number it is without the zeros in
    /// front, which spreadsheet programs cut.
    pub fn called(&self, name: &str) -> Vec<&(&'a StudentId, Option<&'a Person>)> {
        let mut students = self.students.iter();
        if let Some(found) = students.find(|(id, _)| id.as_str() == name) {
            return vec![found];
        }
        let name = name.to_lowercase();
        let is_called = |person: &&Person| {
            let mut known = [&person.name, &person.email].into_iter().flatten();
            known.any(|known| known.to_lowercase() == name)
        };
        let students = || self.students.iter();
        let found = students().filter(|(_, person)| person.as_ref().is_some_and(is_called));
        let found: Vec<_> = found.collect();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        if !found.is_empty() || !is_number(&name) {
            return found;
        }
        let bare = |text: &str| is_number(text).then(|| text.trim_start_matches('0').to_owned());
        let found = students().filter(|(id, _)| bare(id.as_str()) == bare(&name));
        found.collect()
    }

    /// The teams whose names are not those of students.
    pub fn teams(&self) -> Teams<'a> {
        let names: BTreeSet<&str> = self.teams.iter().copied().flatten().collect();
        let free: BTreeSet<&str> = names
            .into_iter()
            .filter(|it| self.called(it).is_empty())
            .collect();
        let students = self.students.iter().zip(&self.teams);
        let students = students.map(|((id, _), team)| (*id, team.filter(|it| free.contains(it))));
        students.collect()
    }

    /// The ids of the members of a team; of a student, the one.
    ///
    /// # Errors
    /// If neither a student nor a team has this name, or several students have.
    pub fn find_all(&self, name: &str) -> Result<Vec<String>, Failure> {
        if self.called(name).is_empty() {
            let team = team_key(name);
            let is_in = |it: Option<&str>| it.map(team_key).is_some_and(|it| it == team);
            let members = self.students.iter().zip(&self.teams);
            let members = members.filter(|(_, it)| !team.is_empty() && is_in(**it));
            let members: Vec<String> = members.map(|((id, _), _)| id.to_string()).collect();
            if !members.is_empty() {
                return Ok(members);
            }
        }
        Ok(vec![self.find(name)?])
    }

    /// The id of the student with this id, full name or address.
    ///
    /// # Errors
    /// If nobody has this name, or several have.
    fn find(&self, name: &str) -> Result<String, Failure> {
        let mut found = self.called(name);
        if let [(id, _)] = found[..] {
            return Ok(id.to_string());
        }
        if found.is_empty() {
            let has_word = |text: &str| {
                let mut words = text.split(|c: char| !c.is_alphanumeric());
                words.any(|word| word.to_lowercase() == name.to_lowercase())
            };
            let fits = |(id, person): &&(&StudentId, Option<&Person>)| {
                let called = person.and_then(|it| it.name.as_deref());
                has_word(id.as_str()) || called.is_some_and(has_word)
            };
            found.extend(self.students.iter().filter(fits));
        }
        let fitting = found.iter().take(MAX_NAMED).map(|(id, person)| {
            let called = person.and_then(|it| it.name.as_deref());
            let called = called.map(|name| format!(" ({})", escaped(name.as_bytes())));
            let id = escaped(id.as_str().as_bytes());
            format!("`{id}`{}", called.unwrap_or_default())
        });
        let fitting = fitting.collect::<Vec<_>>().join(", ");
        let nowhere = self.nowhere(name);
        let class = &nowhere.class;
        let message = match found.len() {
            0 => {
                let names = self.students.iter().flat_map(|(id, person)| {
                    let person = person.and_then(|person| person.name.as_deref());
                    [Some(id.as_str()), person].into_iter().flatten()
                });
                let teams = self.teams.iter().copied().flatten();
                let near = did_you_mean(name, names.chain(teams)).en;
                let near = Some(near).filter(|it| !it.is_empty());
                let hint = nowhere.has_one.or(near).unwrap_or(nowhere.others);
                format!("there is no student `{name}` in {class}{hint}")
            }
            1 => format!("there is no student `{name}` in {class}; did you mean {fitting}?"),
            count => {
                let more = if count > MAX_NAMED { ", …" } else { "" };
                format!("`{name}` fits {count} students: {fitting}{more}; name one by the id")
            }
        };
        Err(Failure::usage(message))
    }
}

/// Where nobody has a name, for a message.
struct Nowhere {
    /// The class that was searched.
    class: String,
    /// Which other classes have such a student.
    has_one: Option<String>,
    /// Which others could have been meant.
    others: String,
}

/// The class of a run among those of its ledger, and which others have a student with this id; `None` if there are no others.
fn among_others(
    (stored, run): (&StoredRuns, u64),
    name: &str,
) -> Result<Option<Nowhere>, SessionError> {
    let Some(own) = stored.class_of(run)? else {
        return Ok(None);
    };
    let classes = stored.classes()?;
    let (mut others, mut having) = (BTreeSet::new(), BTreeSet::new());
    for class in classes.iter().filter(|it| it.path != own) {
        let called = format!("`{}`", only_name(&classes, &class.path));
        if stored.members(class)?.contains_key(&StudentId::new(name)) {
            having.insert(called.clone());
        }
        others.insert(called);
    }
    if others.is_empty() {
        return Ok(None);
    }
    // Otherwise the class was named.
    let is_open = stored.runs()?.iter().any(|it| it.class != own);
    let last = if is_open && stored.run(None)?.id == run {
        ", the last that was graded"
    } else {
        ""
    };
    let listed = |names: BTreeSet<String>| {
        let first: Vec<String> = names.into_iter().take(MAX_NAMED).collect();
        first.join(", ")
    };
    let has_one = (!having.is_empty()).then(|| format!("; {} has one", listed(having)));
    Ok(Some(Nowhere {
        class: format!("the class `{}`{last}", only_name(&classes, &own)),
        has_one,
        others: if is_open {
            format!("; another class can be named: {}", listed(others))
        } else {
            String::new()
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_student_by_id_name_or_address_and_suggests_the_nearest() {
        let person = |name: &str, email: &str| Person {
            name: Some(name.to_owned()),
            email: Some(email.to_owned()),
            ..Person::default()
        };
        let people = [
            ("s01", person("Ann Lee", "ann@example.org")),
            ("s02", person("Bob Ray", "bob@example.org")),
            ("s03", person("Bob Ray", "ray@example.org")),
        ];
        let people = people.map(|(id, person)| (StudentId::new(id), person));
        let find = |name: &str| {
            let students = people.iter().map(|(id, person)| (id, Some(person)));
            let people = People {
                students: students.collect(),
                teams: vec![None, Some("Team 1"), Some("Team 1")],
                source: Path::new("class"),
                run: None,
            };
            let found = people.find_all(name).map(|ids| ids.join(" "));
            found.unwrap_or_else(|failure| failure.text.en)
        };
        for (name, expected) in [
            ("s02", "s02"),
            ("ann lee", "s01"),
            ("RAY@example.org", "s03"),
            (
                "Ann Leo",
                "there is no student `Ann Leo` in `class`; did you mean `Ann Lee`?",
            ),
            ("team1", "s02 s03"),
            (
                "Team 2",
                "there is no student `Team 2` in `class`; did you mean `Team 1`?",
            ),
            ("nobody", "there is no student `nobody` in `class`"),
            (
                "Bob Ray",
                "`Bob Ray` fits 2 students: `s02` (Bob Ray), `s03` (Bob Ray); name one by the id",
            ),
            (
                "ray",
                "`ray` fits 2 students: `s02` (Bob Ray), `s03` (Bob Ray); name one by the id",
            ),
            (
                "lee",
                "there is no student `lee` in `class`; did you mean `s01` (Ann Lee)?",
            ),
        ] {
            assert_eq!(find(name), expected);
        }
    }
}
