//! `[checker.…]`: exactly one, its options resolved for a case.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use grader_model::{CpuTime, SourceFile};

use super::file::Files;
use super::reference::sources;
use crate::diagnostic::{Code, Log};
use crate::problem::{Checker, CheckerProgram};
use crate::raw::{
    CheckerNumber, RawChecker, RawCheckerProgram, RawNumbers, RawQueensBoard, RawQueensColumns,
    RawTokens, Size, Time,
};
use crate::reader::{At, Slot, missing_key};
use crate::suggest::{quoted, ticked};

/// Largest board that is drawn: it must fit into the largest output.
const BOARD: RangeInclusive<i64> = 1..=10_000;
const COLUMNS: RangeInclusive<i64> = 1..=10_000_000;

/// The checker that was chosen, before it is known for which case.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// Where it stands, and where an option of it is missing.
    pub(crate) span: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Exact,
    Lines,
    Tokens(RawTokens),
    Numbers(RawNumbers),
    QueensBoard(RawQueensBoard),
    QueensColumns(RawQueensColumns),
    Program(RawCheckerProgram, Option<Vec<SourceFile>>),
}

/// The one checker of a table; reports none and several.
pub(crate) fn choose(raw: &At<RawChecker>, files: &mut Files<'_>, log: &mut Log) -> Option<Chosen> {
    let RawChecker {
        exact,
        lines,
        tokens,
        numbers,
        queens_board,
        queens_columns,
        program,
    } = &raw.value;
    let mut found: Vec<(&str, Option<Chosen>)> = Vec::new();
    add(&mut found, "exact", exact, |_| Kind::Exact);
    add(&mut found, "lines", lines, |_| Kind::Lines);
    add(&mut found, "tokens", tokens, Kind::Tokens);
    add(&mut found, "numbers", numbers, Kind::Numbers);
    add(&mut found, "queens-board", queens_board, Kind::QueensBoard);
    add(
        &mut found,
        "queens-columns",
        queens_columns,
        Kind::QueensColumns,
    );
    add(&mut found, "program", program, |options| {
        let source = options.source.at();
        let read = source.and_then(|at| sources("checker.program.source", at, files, log));
        Kind::Program(options, read)
    });
    found.sort_by_key(|(_, chosen)| chosen.as_ref().map_or(0, |chosen| chosen.span.start));
    if let [_, .., (_, Some(last))] = found.as_slice() {
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        log.report(
            &last.span,
            Code::Conflict,
            format!(
                "expected one checker, found {}: {}",
                names.len(),
                ticked(&names)
            ),
        );
        return None;
    }
    if found.is_empty() && !log.has(Code::UnknownChecker) {
        log.report_with(
            &raw.span,
            Code::Empty,
            "no checker is chosen",
            "write one as a table of its own, such as `[checker.tokens]`".to_owned(),
        );
    }
    found.pop().and_then(|(_, chosen)| chosen)
}

fn add<T: Clone>(
    found: &mut Vec<(&'static str, Option<Chosen>)>,
    name: &'static str,
    slot: &Slot<T>,
    kind: impl FnOnce(T) -> Kind,
) {
    if !slot.is_absent() {
        let chosen = slot.at().map(|at| Chosen {
            span: at.span.clone(),
            kind: kind(at.value.clone()),
        });
        found.push((name, chosen));
    }
}

/// The case for which a checker is resolved.
pub(crate) struct ForCase<'a> {
    /// How messages call it, with its subtask.
    pub(crate) place: &'a str,
    pub(crate) variables: &'a BTreeMap<String, String>,
    /// The program that all cases of the subtask share.
    pub(crate) program: &'a OnceCell<Option<Arc<CheckerProgram>>>,
}

impl Chosen {
    /// Whether it compares with an expected output.
    pub(crate) const fn needs_answer(&self) -> bool {
        matches!(
            self.kind,
            Kind::Exact | Kind::Lines | Kind::Tokens(_) | Kind::Numbers(_)
        )
    }

    /// Whether it is a program, which is given the reference's answer if there is one.
    pub(crate) const fn is_program(&self) -> bool {
        matches!(self.kind, Kind::Program(..))
    }

    pub(crate) const fn name(&self) -> &'static str {
        match self.kind {
            Kind::Exact => "exact",
            Kind::Lines => "lines",
            Kind::Tokens(_) => "tokens",
            Kind::Numbers(_) => "numbers",
            Kind::QueensBoard(_) => "queens-board",
            Kind::QueensColumns(_) => "queens-columns",
            Kind::Program(..) => "program",
        }
    }

    /// This checker; what its options leave unsaid is taken from the problem's, when that is of the same kind.
    pub(crate) fn over(&self, base: Option<&Self>) -> Self {
        let mut merged = self.clone();
        let Some(base) = base.filter(|base| base.name() == self.name()) else {
            return merged;
        };
        // What both lack is missing in the problem's checker.
        merged.span = base.span.clone();
        match (&mut merged.kind, &base.kind) {
            (Kind::Tokens(own), Kind::Tokens(base)) => {
                own.case_sensitive.inherit(&base.case_sensitive);
                own.space_change_sensitive
                    .inherit(&base.space_change_sensitive);
            }
            (Kind::Numbers(own), Kind::Numbers(base)) => {
                own.absolute.inherit(&base.absolute);
                own.relative.inherit(&base.relative);
                own.case_sensitive.inherit(&base.case_sensitive);
                own.space_change_sensitive
                    .inherit(&base.space_change_sensitive);
            }
            (Kind::QueensBoard(own), Kind::QueensBoard(base)) => {
                own.size.inherit(&base.size);
                own.queen.inherit(&base.queen);
                own.blank.inherit(&base.blank);
                own.separator.inherit(&base.separator);
            }
            (Kind::QueensColumns(own), Kind::QueensColumns(base)) => {
                own.size.inherit(&base.size);
                own.base.inherit(&base.base);
            }
            (Kind::Program(own, sources), Kind::Program(base, base_sources)) => {
                if own.source.is_absent() {
                    sources.clone_from(base_sources);
                }
                own.source.inherit(&base.source);
                own.protocol.inherit(&base.protocol);
                own.arguments.inherit(&base.arguments);
                own.time.inherit(&base.time);
                own.memory.inherit(&base.memory);
            }
            // Of one name, but without options.
            _ => {}
        }
        merged
    }

    /// The checker for a case.
    pub(crate) fn resolve(&self, case: &ForCase<'_>, log: &mut Log) -> Option<Checker> {
        match &self.kind {
            Kind::Exact => Some(Checker::Exact),
            Kind::Lines => Some(Checker::Lines),
            Kind::Tokens(options) => Some(Checker::Tokens {
                case_sensitive: *options.case_sensitive.get().unwrap_or(&true),
                space_change_sensitive: options.space_change_sensitive.get() == Some(&true),
            }),
            Kind::Numbers(options) => self.numbers(options, log),
            Kind::QueensBoard(options) => self.board(options, case, log),
            Kind::QueensColumns(options) => {
                let size = self.number(&options.size, "size", &COLUMNS, case, log);
                self.must_have(&options.base, "base", log);
                Some(Checker::QueensColumns {
                    size: size?,
                    base: options.base.get()?.0,
                })
            }
            Kind::Program(options, _) => {
                self.must_have(&options.source, "source", log);
                let templates = options.arguments.get().map_or(&[][..], Vec::as_slice);
                let arguments = templates
                    .iter()
                    .map(|template| template.value.fill(case.variables, log))
                    .collect::<Option<_>>()?;
                Some(Checker::Program {
                    program: case.program.get_or_init(|| self.program()).clone()?,
                    arguments,
                })
            }
        }
    }

    /// The program, if it could be read.
    fn program(&self) -> Option<Arc<CheckerProgram>> {
        let Kind::Program(options, sources) = &self.kind else {
            return None;
        };
        Some(Arc::new(CheckerProgram {
            sources: sources.clone()?,
            protocol: options.protocol.get().copied().unwrap_or_default(),
            cpu: options
                .time
                .get()
                .map_or(CheckerProgram::CPU, |&Time(time)| CpuTime(time)),
            memory: options
                .memory
                .get()
                .map_or(CheckerProgram::MEMORY, |&Size(size)| size),
        }))
    }

    fn numbers(&self, options: &RawNumbers, log: &mut Log) -> Option<Checker> {
        let RawNumbers {
            absolute,
            relative,
            case_sensitive,
            space_change_sensitive,
        } = options;
        if absolute.is_absent() && relative.is_absent() {
            log.report_with(
                &self.span,
                Code::MissingKey,
                "`numbers` needs a tolerance: `absolute`, `relative` or both",
                "write `absolute = 1e-6`".to_owned(),
            );
            return None;
        }
        Some(Checker::Numbers {
            absolute: absolute.get().map_or(0.0, |value| value.0),
            relative: relative.get().map_or(0.0, |value| value.0),
            case_sensitive: *case_sensitive.get().unwrap_or(&true),
            space_change_sensitive: space_change_sensitive.get() == Some(&true),
        })
    }

    fn board(
        &self,
        options: &RawQueensBoard,
        case: &ForCase<'_>,
        log: &mut Log,
    ) -> Option<Checker> {
        let size = self.number(&options.size, "size", &BOARD, case, log);
        let queen = self.symbol(&options.queen, "queen", log);
        let blank = self.symbol(&options.blank, "blank", log);
        let (size, queen, blank) = (size?, queen?, blank?);
        if queen.value == blank.value {
            let message = "`queen` and `blank` must differ";
            log.report(&blank.span, Code::BadValue, message);
            return None;
        }
        Some(Checker::QueensBoard {
            size,
            queen: queen.value.clone(),
            blank: blank.value.clone(),
            separator: options.separator.get().cloned().unwrap_or_default(),
        })
    }

    fn must_have<T>(&self, slot: &Slot<T>, key: &str, log: &mut Log) {
        if slot.is_absent() {
            let place = format!("checker.{}", self.name());
            missing_key(key, &place, &self.span, log);
        }
    }

    fn symbol<'a>(
        &self,
        slot: &'a Slot<String>,
        key: &str,
        log: &mut Log,
    ) -> Option<&'a At<String>> {
        self.must_have(slot, key, log);
        let at = slot.at()?;
        if at.value.is_empty() || at.value.chars().any(char::is_control) {
            log.report(
                &at.span,
                Code::BadValue,
                format!(
                    "`{key}` must be a visible symbol, found {}",
                    quoted(&at.value)
                ),
            );
            return None;
        }
        Some(at)
    }

    fn number(
        &self,
        slot: &Slot<CheckerNumber>,
        key: &str,
        range: &RangeInclusive<i64>,
        case: &ForCase<'_>,
        log: &mut Log,
    ) -> Option<u32> {
        self.must_have(slot, key, log);
        let at = slot.at()?;
        let (text, value) = match &at.value {
            CheckerNumber::Fixed(value) => (value.to_string(), Some(*value)),
            CheckerNumber::Template(template) => {
                let text = template.fill(case.variables, log)?;
                let value = text.trim().parse().ok();
                (text, value)
            }
        };
        let value = value
            .filter(|value| range.contains(value))
            .and_then(|value| u32::try_from(value).ok());
        if value.is_none() {
            log.report(
                &at.span,
                Code::BadValue,
                format!(
                    "`{key}` must be a whole number from {} to {}, found {} in {}",
                    range.start(),
                    range.end(),
                    quoted(&text),
                    case.place
                ),
            );
        }
        value
    }
}
