//! Measuring sample submissions to find between which values a time limit belongs.

use std::collections::BTreeMap;
use std::time::Duration;

use grader_language::recognise;
use grader_model::{
    Breach, CaseResult, CpuTime, EventKind, LimitUnit, LimitsReport, Mismatch, Sink, StudentId,
    Text, Verdict, WallTime,
};
use grader_problem::{Assignment, Case, LanguageLimits, Problem, Sample, Subtask, TimeRule};

use crate::Fault;
use crate::build::{Build, Built, build};
use crate::built_case::BuiltCase;
use crate::claims::{Ask, asks};
use crate::grade::{Dispatcher, languages};
use crate::host;
use crate::job::{Handed, Waiting, nothing_handed_in};
use crate::judge::{Judge, Urgency};
use crate::quiet::Beside;
use crate::references::{Known, References};
use crate::verify::ProblemSamples;
use crate::window::{Claim, Margins, Scale, Taken, advice, ends, suggestion, window};

/// What must fail is watched to so many times the present limit, or to so many times the smallest that lets pass what
/// must, so that the upper end of the window is a time that was measured where that costs little.
const REACH: f64 = 3.0;
/// What must pass may take so long where the limit is an absolute time, in seconds.
const PATIENCE: f64 = 10.0;

/// How limits are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitsOptions {
    /// So much faster than the limit must be what passes; at least 1.
    pub pass_margin: f64,
    /// So much slower than the limit must be what fails; at least 1.
    pub fail_margin: f64,
    /// The runs that decide are made so many times, and the smallest time counts; at least 1.
    pub runs: u32,
}

impl Judge {
    /// Measures the samples of a problem, one program at a time, and tells where its time limit belongs. Nothing when
    /// asked to stop.
    ///
    /// The sink hears of every sample as of a student with one submission, so that it can show progress.
    pub fn limits(
        &self,
        assignment: &Assignment,
        samples: &ProblemSamples<'_>,
        options: &LimitsOptions,
        sink: &mut dyn Sink,
    ) -> Option<LimitsReport> {
        let problem = &samples.entry.problem;
        let asked: Vec<(&Sample, Vec<Ask>)> = samples
            .samples
            .iter()
            .map(|sample| (sample, asks(problem, sample)))
            .filter(|(_, asks)| !asks.is_empty())
            .collect();
        let ids: Vec<StudentId> = asked
            .iter()
            .map(|(sample, _)| StudentId::new(sample.path.clone()))
            .collect();
        let jobs: Vec<Waiting<'_>> = asked
            .iter()
            .zip(&ids)
            .map(|((sample, _), student)| Waiting {
                student,
                entry: samples.entry,
                handed: Handed::Here(&sample.sources),
                shown: &[],
            })
            .collect();
        let host = host::describe(languages(&jobs));
        let isolation = self.runner().isolation();
        let mut sinks: [&mut dyn Sink; 1] = [sink];
        let mut dispatcher = Dispatcher::new(&mut sinks);
        dispatcher.send(EventKind::RunStarted {
            run: None,
            assignment: assignment.info(),
            host: Box::new(host.clone()),
            isolation: isolation.clone(),
            students: ids.clone(),
            unused: Vec::new(),
            jobs: jobs.len(),
            cases: jobs.len() * problem.case_count(),
        });
        let mut session = Session {
            judge: self,
            problem,
            options,
            references: References::default(),
            known: BTreeMap::new(),
            scale: Scale::of(&problem.limits.time),
            margins: Margins {
                pass: options.pass_margin,
                fail: options.fail_margin,
            },
            claims: Vec::new(),
            made: Vec::new(),
            mismatches: Vec::new(),
        };
        let done = session.measure(&asked, &jobs, &mut dispatcher);
        dispatcher.send(EventKind::RunFinished {
            interrupted: done.is_none(),
        });
        done?;
        let Session {
            scale,
            margins,
            claims,
            mismatches,
            ..
        } = session;
        let (unit, present) = value(&problem.limits.time);
        let safe = window(ends(scale, &claims, margins), &claims);
        let mut measured: Vec<&str> = claims.iter().map(|claim| claim.sample.as_str()).collect();
        measured.dedup();
        Some(LimitsReport {
            problem: problem.id.clone(),
            host,
            isolation,
            unit,
            present,
            pass_margin: margins.pass,
            fail_margin: margins.fail,
            whole: window(ends(scale, &claims, Margins::NONE), &claims),
            suggestion: suggestion(&safe, present, unit),
            safe,
            advice: advice(scale, &claims, margins, present, unit),
            mismatches,
            samples: measured.len(),
        })
    }
}

/// The value of a rule that is looked for.
fn value(rule: &TimeRule) -> (LimitUnit, f64) {
    match rule {
        TimeRule::Absolute(time) => (LimitUnit::Seconds, time.0.as_secs_f64()),
        TimeRule::Reference { factor, .. } => (LimitUnit::Factor, *factor),
    }
}

/// The place of a case: the index of its subtask, and its own in it.
type At = (usize, usize);

struct Session<'a> {
    judge: &'a Judge,
    problem: &'a Problem,
    options: &'a LimitsOptions,
    references: References,
    /// What the reference says of each case, with its smallest time.
    known: BTreeMap<At, Known>,
    scale: Scale,
    margins: Margins,
    claims: Vec<Claim>,
    /// For each claim the sample that it is about, and the place of each of its cases with the number of its runs.
    made: Vec<(usize, Vec<(At, u32)>)>,
    mismatches: Vec<Mismatch>,
}

/// A sample that is ready to run.
struct Ready<'a> {
    sample: &'a Sample,
    built: Built,
    time_factor: f64,
}

/// What a run says of a limit.
enum Said {
    /// It took so long, or was stopped then.
    Taken(Taken),
    /// It ended otherwise than it must, or something failed.
    Nothing(Mismatch),
}

/// Asked to stop.
type Stopped = Option<()>;

impl<'a> Session<'a> {
    /// First what must pass, which tells how long what must fail has to be watched; then that; then again the runs
    /// that decide.
    fn measure(
        &mut self,
        asked: &[(&'a Sample, Vec<Ask>)],
        jobs: &[Waiting<'_>],
        dispatcher: &mut Dispatcher<'_, '_>,
    ) -> Stopped {
        self.yardsticks()?;
        let mut ready = Vec::new();
        for (sample, _) in asked {
            if self.stopped() {
                return None;
            }
            ready.push(self.prepare(sample));
        }
        let mut broken = vec![false; asked.len()];
        for must_fail in [false, true] {
            let reach = self.reach();
            for (index, (sample, asks)) in asked.iter().enumerate() {
                let Some(Some(ready)) = ready.get(index) else {
                    continue;
                };
                let student = StudentId::new(sample.path.clone());
                dispatcher.send(EventKind::JobStarted {
                    student: student.clone(),
                    problem: self.problem.id.clone(),
                });
                for ask in asks.iter().filter(|ask| (ask.fail > 0) == must_fail) {
                    if !broken[index] && !self.ask(index, ready, ask, reach, dispatcher)? {
                        broken[index] = true;
                    }
                }
                if must_fail && let Some(job) = jobs.get(index) {
                    dispatcher.send(EventKind::JobFinished {
                        student,
                        result: Box::new(nothing_handed_in(job.entry)),
                    });
                }
            }
        }
        self.settle(&ready)
    }

    fn stopped(&self) -> bool {
        self.judge.stop().is_requested()
    }

    /// Asks the reference about every case, and takes the smallest of its times.
    fn yardsticks(&mut self) -> Stopped {
        let problem = self.problem;
        for (s, subtask) in problem.subtasks.iter().enumerate() {
            for (c, case) in subtask.cases.iter().enumerate() {
                match self.yardstick(subtask, case)? {
                    Ok(known) => {
                        self.known.insert((s, c), known);
                    }
                    Err(fault) => self.mismatches.push(Mismatch {
                        place: format!("reference, case {}/{}", subtask.name, case.name),
                        message: fault.text(),
                        fault: true,
                    }),
                }
            }
        }
        Some(())
    }

    fn yardstick(&self, subtask: &Subtask, case: &Case) -> Option<Result<Known, Fault>> {
        let first = self
            .references
            .ask(self.judge, self.problem, &subtask.name, case);
        let mut known = match first {
            Ok(known) => known,
            Err(fault) => return Some(Err(fault)),
        };
        for _ in 1..self.options.runs {
            if self.stopped() {
                return None;
            }
            let Some(best) = known.yardstick else { break };
            match self
                .references
                .measure(self.judge, Beside::Others, self.problem, case)
            {
                Ok(again) => known.yardstick = again.yardstick.map(|time| time.min(best)),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Some(Ok(known))
    }

    /// Builds a sample; says why where that cannot be done.
    fn prepare(&mut self, sample: &'a Sample) -> Option<Ready<'a>> {
        let (message, fault) = match recognise(&sample.sources) {
            None => (
                Text::new("its language cannot be told", "无法判断其语言"),
                false,
            ),
            Some(language) => {
                let time = self.problem.limits.compile_time;
                match build(self.judge, language, &sample.sources, time, Urgency::Needed) {
                    Ok(Build::Done(built)) => {
                        let limits = self.problem.limits.languages.get(&language).copied();
                        let limits = limits.unwrap_or_else(|| LanguageLimits::usual(language));
                        return Some(Ready {
                            sample,
                            built: *built,
                            time_factor: limits.time_factor,
                        });
                    }
                    Ok(Build::Failed { message, .. }) => (message, false),
                    Err(fault) => (fault.text(), true),
                }
            }
        };
        self.mismatches.push(Mismatch {
            place: sample.path.clone(),
            message,
            fault,
        });
        None
    }

    /// The value up to whose limit, and the margin, what must fail is watched: further than the present one, and than
    /// what passing asks for.
    fn reach(&self) -> f64 {
        let (_, present) = value(&self.problem.limits.time);
        let lower = ends(self.scale, &self.claims, self.margins)
            .lower
            .map_or(0.0, |place| place.value);
        let base = if lower.is_finite() {
            present.max(lower)
        } else {
            present
        };
        base * (REACH / self.margins.fail).max(1.25)
    }

    /// How long a program may take for a case before it is stopped.
    fn most(&self, known: &Known, time_factor: f64, must_fail: bool, reach: f64) -> CpuTime {
        let yardstick = known
            .yardstick
            .map_or(1.0, |yardstick| yardstick.0.as_secs_f64());
        let seconds = match (must_fail, &self.problem.limits.time) {
            (true, _) => self
                .scale
                .watched(reach, yardstick, time_factor, self.margins.fail),
            (false, TimeRule::Reference { .. }) => self.scale.at_most,
            (false, TimeRule::Absolute(time)) => {
                (4.0 * time.0.as_secs_f64()).max(PATIENCE) * time_factor
            }
        };
        CpuTime(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(86_400)))
    }

    /// Runs the cases of one ask of a sample. Returns whether they did what they must do, as far as that can be told.
    fn ask(
        &mut self,
        index: usize,
        ready: &Ready<'a>,
        ask: &Ask,
        reach: f64,
        dispatcher: &mut Dispatcher<'_, '_>,
    ) -> Option<bool> {
        let mut cases = Vec::new();
        let mut places = Vec::new();
        let mut cut = 0;
        let mut order = ask.cases.clone();
        if ask.pass == 0 {
            // Later cases are the larger ones as a rule: where one or a few decide, the others are not run.
            order.reverse();
        }
        for at in order {
            if self.stopped() {
                return None;
            }
            let Some((said, result)) = self.run(ready, at, ask.fail > 0, reach) else {
                // The reference has nothing to say of this case, which has been told.
                return Some(false);
            };
            if let Some(result) = result
                && let Some(subtask) = self.problem.subtasks.get(at.0)
            {
                dispatcher.send(EventKind::CaseFinished {
                    student: StudentId::new(ready.sample.path.clone()),
                    problem: self.problem.id.clone(),
                    subtask: subtask.name.clone(),
                    hidden: subtask.hidden,
                    sweep: false,
                    case: Box::new(result),
                });
            }
            match said {
                Said::Taken(taken) => {
                    cut += usize::from(taken.cut);
                    cases.push(taken);
                    places.push((at, 1));
                }
                Said::Nothing(mismatch) => {
                    self.mismatches.push(mismatch);
                    return Some(false);
                }
            }
            if ask.pass == 0 && cut >= ask.fail {
                break;
            }
        }
        self.claims.push(Claim {
            sample: ready.sample.path.clone(),
            language: ready.built.language().id(),
            time_factor: ready.time_factor,
            cases,
            pass: ask.pass,
            fail: ask.fail,
        });
        self.made.push((index, places));
        Some(true)
    }

    /// Runs a sample on a case. Nothing where the reference failed on it.
    fn run(
        &self,
        ready: &Ready<'a>,
        at: At,
        must_fail: bool,
        reach: f64,
    ) -> Option<(Said, Option<CaseResult>)> {
        let known = self.known.get(&at)?;
        let subtask = self.problem.subtasks.get(at.0)?;
        let case = subtask.cases.get(at.1)?;
        let name = format!("{}/{}", subtask.name, case.name);
        let cpu = self.most(known, ready.time_factor, must_fail, reach);
        let mut limits = self
            .problem
            .limits
            .resolve(ready.built.language().id(), known.yardstick);
        limits.cpu = cpu;
        limits.wall = WallTime(cpu.0 * 3 + Duration::from_secs(2)).max(limits.wall);
        let run = BuiltCase {
            problem: self.problem,
            sources: &ready.sample.sources,
            built: &ready.built,
            case,
        };
        let mismatch = |message: Text, fault: bool| {
            Said::Nothing(Mismatch {
                place: format!("{}, case {name}", ready.sample.path),
                message,
                fault,
            })
        };
        // One attempt that does what it must is enough: how many do is not a matter of the time limit.
        let attempts = subtask.attempts.map_or(1, |rule| rule.runs);
        let mut tried = 0;
        let result = loop {
            tried += 1;
            match run.judge(self.judge, known, limits) {
                Ok(result) => {
                    let timed = matches!(result.verdict, Verdict::Accepted | Verdict::TimeLimit);
                    if timed || tried >= attempts || self.stopped() {
                        break result;
                    }
                }
                Err(fault) => return Some((mismatch(fault.text(), true), None)),
            }
        };
        let said = match (result.verdict, &result.outcome) {
            (Verdict::Accepted | Verdict::TimeLimit, Some(outcome)) => {
                let cut = matches!(outcome.breach, Some(Breach::Cpu | Breach::Wall));
                Said::Taken(Taken {
                    case: name,
                    // A program that was stopped has not used less than it was given, whatever the clock of that says.
                    cpu: if cut { limits.cpu } else { outcome.cpu },
                    cut,
                    yardstick: known.yardstick,
                })
            }
            (verdict, _) => {
                let fault = verdict == Verdict::JudgeError;
                let (en, zh) = if must_fail {
                    ("AC or TLE", "AC 或 TLE")
                } else {
                    ("AC", "AC")
                };
                let mut message = Text::new(
                    format!("expected {en}, found {verdict}"),
                    format!("应为 {zh}，实为 {verdict}"),
                );
                if let Some(why) = &result.message {
                    message.en = format!("{}: {}", message.en, why.en);
                    message.zh = format!("{}：{}", message.zh, why.zh);
                }
                mismatch(message, fault)
            }
        };
        Some((said, Some(result)))
    }

    /// Runs what ends the window again, until each end has been run often enough; the smallest time counts.
    fn settle(&mut self, ready: &[Option<Ready<'a>>]) -> Stopped {
        let reach = self.reach();
        loop {
            let found = ends(self.scale, &self.claims, self.margins);
            let place = [found.lower, found.upper].into_iter().flatten().find(|it| {
                let runs = self
                    .made
                    .get(it.claim)
                    .and_then(|(_, it2)| it2.get(it.case));
                let cut = self.claims.get(it.claim).and_then(|c| c.cases.get(it.case));
                runs.is_some_and(|(_, runs)| *runs < self.options.runs)
                    && cut.is_some_and(|taken| !taken.cut)
            });
            let Some(place) = place else { return Some(()) };
            if self.stopped() {
                return None;
            }
            let Some((sample, at)) = self.made.get_mut(place.claim).and_then(|(sample, cases)| {
                let (at, runs) = cases.get_mut(place.case)?;
                *runs += 1;
                Some((*sample, *at))
            }) else {
                return Some(());
            };
            let must_fail = self.claims.get(place.claim).is_some_and(|c| c.fail > 0);
            let again = match ready.get(sample) {
                Some(Some(ready)) => self.run(ready, at, must_fail, reach),
                _ => None,
            };
            match again {
                Some((Said::Taken(again), _)) => {
                    let taken = self.claims.get_mut(place.claim);
                    if let Some(taken) = taken.and_then(|claim| claim.cases.get_mut(place.case))
                        && !again.cut
                    {
                        taken.cpu = taken.cpu.min(again.cpu);
                    }
                }
                // It did once what it must do, and then something else: its time says nothing.
                Some((Said::Nothing(mismatch), _)) => self.mismatches.push(mismatch),
                None => {}
            }
        }
    }
}
