//! The times that limit a run: the reference's in the cases that the limit follows, and the language's start-up.

use std::collections::BTreeMap;

use grader_language::{language as of, recognise};
use grader_model::{CaseName, CpuTime, LanguageId, Limits, SourceFile, WallTime};
use grader_problem::{
    Answer, Case, CaseMultiple, Checker, ExitPolicy, Problem, ReferenceTimes, RunRule, TimeRule,
};

use super::{MEMORY, PROCESSES, References, TIME, again, find, once};
use crate::Fault;
use crate::build::{Build, build};
use crate::calibration::REPEATS;
use crate::judge::{Judge, Urgency};
use crate::quiet::Beside;
use crate::run::{Program, run};

impl References {
    /// The times that limit a run in `language` of a case in which the reference takes `own`.
    pub(crate) fn times_for(
        &self,
        judge: &Judge,
        problem: &Problem,
        language: LanguageId,
        own: Option<CpuTime>,
    ) -> Result<Option<ReferenceTimes>, Fault> {
        let Some(own) = own else {
            return Ok(None);
        };
        let mut times = ReferenceTimes {
            own,
            ..ReferenceTimes::default()
        };
        let TimeRule::Reference {
            factor: _,
            at_least,
            at_most,
        } = &problem.limits.time
        else {
            return Ok(Some(times));
        };
        let time_of = |bound: &Option<CaseMultiple>| -> Result<Option<CpuTime>, Fault> {
            let Some(bound) = bound else {
                return Ok(None);
            };
            let place = (bound.subtask.clone(), bound.case.clone());
            // The loader has found the case.
            let case = find(problem, &place).ok_or(Fault::NoReference)?;
            Ok(self.ask(judge, problem, &bound.subtask, case)?.yardstick)
        };
        times.at_least = time_of(at_least)?;
        if problem.limits.of_language(language).time_factor > 1.0 {
            times.at_most = time_of(at_most)?;
        }
        if let Some(source) = of(language).startup_program() {
            times.start_up = once(&self.start_ups, language, || {
                again(judge, || measure_start_up(judge, problem, &source))
            })?;
        }
        Ok(Some(times))
    }
}

/// What a minimal program takes: the smallest of a few runs.
fn measure_start_up(
    judge: &Judge,
    problem: &Problem,
    source: &SourceFile,
) -> Result<CpuTime, Fault> {
    let sources = std::slice::from_ref(source);
    let failed =
        |why: String| Fault::ReferenceRun(format!("start-up program `{}`: {why}", source.name()));
    let language =
        recognise(sources).ok_or_else(|| failed("its language is not recognised".to_owned()))?;
    let limit = problem.limits.compile_time;
    let Build::Done(built) = build(judge, language, sources, limit, Urgency::Needed)? else {
        return Err(failed("it does not compile".to_owned()));
    };
    let program = Program {
        command: built.command(MEMORY),
        readable: built.readable(),
        system: built.system(),
        reserves_memory: built.language().reserves_memory(),
        urgency: Urgency::Needed,
    };
    let case = Case {
        name: CaseName::new("start-up"),
        variables: BTreeMap::new(),
        arguments: Vec::new(),
        input: Vec::new().into(),
        answer: Answer::None,
        checker: Checker::Exact,
    };
    let rule = RunRule {
        input_file: None,
        output_file: None,
        exit_status: ExitPolicy::Zero,
    };
    let limits = Limits {
        cpu: TIME,
        wall: WallTime(TIME.0 * 3),
        memory: MEMORY,
        output: problem.limits.output,
        processes: PROCESSES,
    };
    let mut smallest: Option<CpuTime> = None;
    for _ in 0..REPEATS {
        let ran = run(judge, Beside::Others, &program, &rule, &case, limits)?;
        if !ran.outcome.end.is_success() {
            return Err(failed(ran.outcome.end.to_string()));
        }
        let cpu = ran.outcome.cpu;
        smallest = Some(smallest.map_or(cpu, |least| least.min(cpu)));
    }
    Ok(smallest.unwrap_or_default())
}
