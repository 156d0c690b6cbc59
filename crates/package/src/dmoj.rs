//! DMOJ problem folders: `init.yml` with a list of cases, or patterns for their names in an archive.
//!
//! Format: <https://docs.dmoj.ca/#/problem_format/problem_format>. Where it is vague, the judge's code is
//! authoritative: `dmoj/problem.py`, `dmoj/judge.py` and `dmoj/checkers` of <https://github.com/DMOJ/judge-server>.

mod checkers;
mod data;
mod pattern;
mod samples;

use std::collections::{BTreeMap, BTreeSet};

use grader_model::Points;
use serde::Deserialize;
use serde_json::Value;

use self::checkers::DmojPrograms;
use self::data::{Data, normal, plain};
use self::samples::DmojSamples;
use crate::constants::{DEFAULT_OUTPUT_BYTES, MAX_CASES};
use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::output::{self, Imported, TomlSubtask};
use crate::yaml::Yaml;

/// `init.yml`, without the settings that cases inherit.
#[derive(Deserialize)]
struct InitYaml {
    custom_judge: Option<Value>,
    #[serde(rename = "test_cases+")]
    more_cases: Option<Value>,
    #[serde(rename = "test_cases++")]
    all_cases: Option<Value>,
    archive: Option<String>,
    tests: Value,
    output_limit_length: Option<f64>,
    signature_grader: Value,
    interactive: Value,
    validator: Value,
    pretest_test_cases: Option<Value>,
    test_cases: Value,
}

/// Settings of a case, of the batch around it, or of the whole package.
#[derive(Deserialize)]
struct CaseYaml {
    #[serde(rename = "in")]
    input: Option<String>,
    #[serde(rename = "out")]
    answer: Option<String>,
    points: Option<f64>,
    checker: Option<Value>,
    generator: Option<Value>,
    generator_args: Option<Value>,
    generator_in: Option<Value>,
    binary_data: Option<Value>,
}

/// What only a batch has.
#[derive(Deserialize)]
struct BatchYaml {
    batched: Value,
    dependencies: Vec<String>,
}

pub(crate) fn import(draft: Draft<'_>) -> Result<Imported, PackageError> {
    let head = Yaml::file(draft.library, "init.yml")?.ok_or(PackageError::Unknown)?;
    let head = head.ignoring(&["output_prefix_length", "meta"]);
    let mut package = DmojReader {
        data: Data::open(draft.library, None)?,
        programs: DmojPrograms::new(draft),
        copied: BTreeSet::new(),
        groups: Vec::new(),
        batches: Vec::new(),
        cases: 0,
    };
    package.problem(head)?;
    let mut draft = package.programs.draft;
    draft.notes.extend(package.data.unused());
    draft.note_unused(|name| matches!(name, "init.yml" | "tests"));
    draft.finish()
}

/// Settings of a case, of the batch around it, or of the whole package.
#[derive(Clone, Debug, Default)]
struct DmojCase {
    input: Option<String>,
    answer: Option<String>,
    /// In thousandths.
    points: u64,
    /// Index in `checkers`.
    checker: usize,
    /// A program, with its default arguments.
    generator: Option<(String, String)>,
    arguments: String,
    is_binary: bool,
}

/// Cases of one subtask: a batch, or consecutive cases that are worth the same points.
#[derive(Debug)]
struct CaseGroup {
    /// The number of the batch; `None` for single cases.
    batch: Option<usize>,
    /// Thousandths for the batch, or for each case.
    points: u64,
    checker: usize,
    /// Indices of earlier groups.
    require: BTreeSet<usize>,
    /// The cases, with their numbers in the package.
    cases: Vec<(usize, DmojCase)>,
}

struct DmojReader<'a> {
    programs: DmojPrograms<'a>,
    data: Data<'a>,
    /// Files of cases that were copied.
    copied: BTreeSet<String>,
    groups: Vec<CaseGroup>,
    /// Indices of the groups that are batches.
    batches: Vec<usize>,
    /// Number of cases so far.
    cases: usize,
}

impl DmojReader<'_> {
    fn note(&mut self, note: impl Into<String>) {
        self.programs.draft.note(note);
    }

    fn problem(&mut self, mut yaml: Yaml) -> Result<(), PackageError> {
        let head: InitYaml = yaml.typed()?;
        for (key, code) in [
            ("custom_judge", head.custom_judge),
            ("test_cases+", head.more_cases),
            ("test_cases++", head.all_cases),
        ] {
            if code.is_some() {
                let message =
                    format!("`{key}` is Python code for the judge of DMOJ, which is not supported");
                return mistake("init.yml", message);
            }
        }
        let archive = head.archive;
        if let Some(archive) = &archive {
            self.programs.draft.mark_used(archive);
        }
        self.data = Data::open(self.programs.draft.library, archive)?;
        let samples = DmojSamples::read(&mut self.programs.draft, &head.tests)?;
        let output = head.output_limit_length.unwrap_or(DEFAULT_OUTPUT_BYTES);
        let (seconds, memory) = (Some(samples.seconds), samples.memory);
        let draft = &mut self.programs.draft;
        draft.limit(seconds, memory, output / 1_048_576.0);
        self.programs.signature(head.signature_grader)?;
        self.programs.interactor(head.interactive)?;
        self.programs.validator(head.validator)?;
        let mut file: CaseYaml = yaml.typed()?;
        let standard = file.checker.take().unwrap_or("standard".into());
        let base = DmojCase {
            points: 1000,
            checker: self.programs.checker(standard)?,
            ..DmojCase::default()
        };
        let base = self.case(file, &base)?;
        self.programs.draft.notes.extend(yaml.notes());
        match head.pretest_test_cases {
            Some(Value::Array(list)) => {
                self.read_cases("pretest_test_cases", list, &base, true)?;
            }
            Some(_) => self.note("`init.yml`: `pretest_test_cases` is not a list and is not used"),
            None => {}
        }
        let list = match head.test_cases {
            Value::Array(list) => list,
            formats => {
                let formats = Yaml::of("init.yml: test_cases", formats);
                let formats = self.programs.draft.typed(formats)?;
                let names = self.data.names().ok_or_else(|| {
                    let message =
                        "there is no list `test_cases`, and no `archive` to find cases in";
                    PackageError::file("init.yml", message)
                })?;
                pattern::cases(&names, formats)?
            }
        };
        self.read_cases("test_cases", list, &base, false)?;
        if self.groups.is_empty() {
            return mistake("init.yml", "there are no cases");
        }
        self.reference(&samples);
        // The last group is worth points, so most groups have its checker.
        let common = self.groups.last().map_or(0, |part| part.checker);
        if !self.programs.is_interactive() {
            let checker = self.programs.checkers[common].1.clone();
            self.programs.draft.problem.checker = Some(checker);
        }
        let groups = std::mem::take(&mut self.groups);
        for group in &groups {
            let mut subtask = self.subtask(group, &groups)?;
            if group.checker != common && !self.programs.is_interactive() {
                subtask.checker = Some(self.programs.checkers[group.checker].1.clone());
            }
            self.programs.draft.problem.subtask.push(subtask);
        }
        Ok(())
    }

    /// Reads a list of cases and batches.
    fn read_cases(
        &mut self,
        key: &str,
        list: Vec<Value>,
        base: &DmojCase,
        is_pretest: bool,
    ) -> Result<(), PackageError> {
        let path = format!("init.yml: {key}");
        for item in list {
            let mut yaml = Yaml::of(&path, item);
            let mut case = self.case(yaml.typed()?, base)?;
            if is_pretest {
                case.points = 0;
            }
            // A failed pretest skips everything after it.
            let pretest = self.groups.iter().rposition(|part| part.points == 0);
            let mut require: BTreeSet<usize> = pretest.into_iter().collect();
            if yaml.value["batched"].is_null() {
                self.count()?;
                let (points, checker) = (case.points, case.checker);
                let case = (self.cases, case);
                match self.groups.last_mut() {
                    Some(part)
                        if part.batch.is_none()
                            && part.points == points
                            && part.checker == checker =>
                    {
                        part.cases.push(case);
                    }
                    _ => self.groups.push(CaseGroup {
                        batch: None,
                        points,
                        checker,
                        require,
                        cases: vec![case],
                    }),
                }
                self.programs.draft.notes.extend(yaml.notes());
                continue;
            }
            let batch: BatchYaml = yaml.typed()?;
            for number in batch.dependencies {
                let place = number.parse::<usize>().ok();
                let place = place.and_then(|number| self.batches.get(number.checked_sub(1)?));
                let message = format!("`dependencies`: there is no earlier batch `{number}`");
                require.insert(*place.ok_or_else(|| PackageError::file(&path, message))?);
            }
            self.programs.draft.notes.extend(yaml.notes());
            self.batch(&path, batch.batched, &case, require)?;
        }
        Ok(())
    }

    /// Counts a case.
    fn count(&mut self) -> Result<(), PackageError> {
        self.cases += 1;
        if self.cases <= MAX_CASES {
            return Ok(());
        }
        mistake(
            "init.yml",
            format!("a problem may have at most {MAX_CASES} cases"),
        )
    }

    /// Reads the cases of a batch.
    fn batch(
        &mut self,
        path: &str,
        batched: Value,
        outer: &DmojCase,
        require: BTreeSet<usize>,
    ) -> Result<(), PackageError> {
        let (mut cases, mut checker) = (Vec::new(), None);
        let items = match batched {
            Value::Array(items) if !items.is_empty() => items,
            _ => {
                return mistake(path, "`batched` must be a list of cases");
            }
        };
        for item in items {
            let mut yaml = Yaml::of(path, item);
            if !yaml.value["batched"].is_null() {
                return mistake(path, "there is a batch in a batch");
            }
            let case = self.case(yaml.typed()?, outer)?;
            if case.checker != *checker.get_or_insert(case.checker) {
                return mistake(path, "the cases of a batch have different checkers");
            }
            if case.points != outer.points {
                self.note("the points of a case in a batch are not used");
            }
            self.programs.draft.notes.extend(yaml.notes());
            self.count()?;
            cases.push((self.cases, case));
        }
        self.batches.push(self.groups.len());
        self.groups.push(CaseGroup {
            batch: Some(self.batches.len()),
            points: outer.points,
            checker: checker.unwrap_or(outer.checker),
            require,
            cases,
        });
        Ok(())
    }

    /// The settings of a case; missing ones are inherited from `outer`.
    fn case(&mut self, file: CaseYaml, outer: &DmojCase) -> Result<DmojCase, PackageError> {
        let mut case = outer.clone();
        if let Some(path) = file.input {
            case.input = Some(plain(&path)?);
        }
        if let Some(path) = file.answer {
            case.answer = Some(plain(&path)?);
        }
        if let Some(points) = file.points {
            case.points = (points * 1000.0).round() as u64;
        }
        if let Some(checker) = file.checker {
            case.checker = self.programs.checker(checker)?;
        }
        if let Some(generator) = file.generator {
            case.generator = Some(self.programs.generator(generator)?);
        }
        if let Some(arguments) = file.generator_args {
            case.arguments = checkers::arguments(&arguments)?;
        }
        if file.generator_in.is_some() {
            return unsupported(
                "a generator that reads standard input (`generator_in`) is not supported",
            );
        }
        if let Some(binary) = file.binary_data {
            case.is_binary = binary == Value::Bool(true);
        }
        Ok(case)
    }

    /// Sets `[reference]`, if it is needed: DMOJ's generators print answers on standard error, which we do not read.
    fn reference(&mut self, samples: &DmojSamples) {
        const UNUSED: &str = "what generators write to standard error is not used";
        let mut cases = self.groups.iter().flat_map(|part| &part.cases);
        if !cases.any(|(_, case)| case.generator.is_some() && case.answer.is_none()) {
            return;
        }
        if self.programs.is_interactive() {
            return self.note(UNUSED);
        }
        let Some((from, name)) = &samples.accepted else {
            return self.note(format!(
                "{UNUSED}: add a `[reference]`, whose output is the answer"
            ));
        };
        self.note(format!("{UNUSED}: the answer is what `{from}` prints"));
        let to = format!("reference/{name}");
        self.programs.draft.file(from, &to);
        self.programs.draft.problem.reference = Some(BTreeMap::from([("path", to.into())]));
    }

    /// Creates a subtask and copies its files. `groups` has all groups.
    fn subtask(
        &mut self,
        group: &CaseGroup,
        groups: &[CaseGroup],
    ) -> Result<TomlSubtask, PackageError> {
        let gives_part = self.programs.may_give_a_part(group.checker);
        let (score, points) = match group.batch {
            None => ("sum", group.points.saturating_mul(group.cases.len() as u64)),
            Some(_) if gives_part => ("worst", group.points),
            Some(_) => ("all", group.points),
        };
        let required = group.require.iter().map(|place| &groups[*place]);
        let mut checkers = required.clone().map(|it| it.checker);
        if checkers.any(|checker| self.programs.may_give_a_part(checker)) {
            self.note("a batch that others depend on must earn all its points; a part of them is not enough");
        }
        let mut subtask = TomlSubtask {
            name: group.name(),
            points: Points::from_thousandths(points),
            score,
            require: required.map(CaseGroup::name).collect(),
            hidden: true,
            ..TomlSubtask::default()
        };
        for (number, case) in &group.cases {
            let mut written = output::TomlCase {
                name: number.to_string(),
                ..output::TomlCase::default()
            };
            match (&case.input, &case.generator) {
                (Some(path), _) => {
                    written.stdin_file = Some(self.data_file(path, case.is_binary)?);
                }
                (None, Some((program, usual))) => {
                    let own = Some(&case.arguments).filter(|own| !own.is_empty());
                    let arguments = own.unwrap_or(usual);
                    written.generate = Some(format!("{program}{arguments}"));
                }
                (None, None) => {}
            }
            match &case.answer {
                Some(path) => written.answer_file = Some(self.data_file(path, case.is_binary)?),
                None if case.generator.is_none() => written.answer = Some(""),
                None => {}
            }
            subtask.case.push(written);
        }
        Ok(subtask)
    }

    /// Copies a case's file; returns its path in the problem.
    fn data_file(&mut self, path: &str, is_binary: bool) -> Result<String, PackageError> {
        let to = format!("data/{path}");
        if self.copied.insert(path.to_owned()) {
            let bytes = self.data.read(path)?;
            let bytes = if is_binary { bytes } else { normal(bytes) };
            self.programs.draft.changed(path, &to, bytes);
        }
        Ok(to)
    }
}

impl CaseGroup {
    fn name(&self) -> String {
        match (self.batch, &self.cases[..]) {
            (Some(number), _) => format!("batch-{number}"),
            (None, [(first, _), .., (last, _)]) => format!("cases-{first}-{last}"),
            (None, cases) => format!("case-{}", cases.first().map_or(0, |(first, _)| *first)),
        }
    }
}
