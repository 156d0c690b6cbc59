//! The search for undefined behaviour in one submission: what is built for it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use grader_language::{DiagnosticBuilds, Edit, Plan, ProgramSources, Suspect, Warning, warnings};
use grader_model::LanguageId;

use crate::Fault;
use crate::build::{Built, build_with};
use crate::constants::{MAX_SANITIZED_CPU, MAX_SANITIZED_WALL, MAX_SUSPECTS};
use crate::judging::Judging;

/// A build of the program with what its memory begins with, and with an edit.
#[derive(Clone, PartialEq)]
pub(super) struct Variant {
    pub(super) kind: Kind,
    /// `{byte}` in the environment: what the memory begins with.
    pub(super) fill: &'static str,
    pub(super) edit: Option<Edit>,
}

/// How a program is built.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// With sanitizers. Variables begin with this, which is `{fill}` in the flags; functions without `return` return
    /// the other.
    Sanitized(&'static str, &'static str),
    /// With a stack that is filled when it runs.
    Filled,
    /// For its warnings.
    Analysed,
    /// As it was judged.
    Own,
}

impl Variant {
    pub(super) const ZERO: Self = Self::new(Kind::Sanitized("zero", "0"), "0");
    pub(super) const PATTERN: Self = Self::new(Kind::Sanitized("pattern", "1"), "1");
    pub(super) const FILLED: [Self; 3] = [
        Self::new(Kind::Filled, "0"),
        Self::new(Kind::Filled, "1"),
        Self::new(Kind::Filled, "2"),
    ];
    pub(super) const OWN: Self = Self::new(Kind::Own, "0");

    pub(super) const fn new(kind: Kind, fill: &'static str) -> Self {
        let edit = None;
        Self { kind, fill, edit }
    }
}

/// The name of `fill.h` in a build folder.
const FILL_HEADER: &str = "grader-fill.h";

/// A program, unless the compiler refuses it.
pub(super) type Program = Option<Rc<Built>>;

/// The search in one submission.
pub(super) struct Search<'a> {
    pub(super) judging: &'a Judging<'a>,
    pub(super) builds: &'a DiagnosticBuilds,
    sources: ProgramSources<'a>,
    /// The names of the student's files.
    pub(super) names: Vec<String>,
    /// The compiler's warnings about them.
    pub(super) warnings: Vec<Warning>,
    /// What was built, by the kind and the edit.
    built: RefCell<Vec<(Variant, Program)>>,
    pub(super) left: Cell<Duration>,
    pub(super) wall_left: Cell<Duration>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        judging: &'a Judging<'a>,
        builds: &'a DiagnosticBuilds,
        sources: ProgramSources<'a>,
    ) -> Self {
        let own = sources.own.iter();
        let names: Vec<String> = own.map(|it| it.submitted.to_owned()).collect();
        let messages = judging.built.report.messages.as_ref();
        Self {
            warnings: warnings(messages.map_or("", |it| &it.text), &names),
            names,
            built: RefCell::default(),
            left: Cell::new(MAX_SANITIZED_CPU),
            wall_left: Cell::new(MAX_SANITIZED_WALL),
            judging,
            builds,
            sources,
        }
    }

    /// Builds a variant of the program, unless that is done.
    pub(super) fn program(&self, Variant { kind, edit, .. }: &Variant) -> Result<Program, Fault> {
        let is_same = |it: &&(Variant, Program)| it.0.kind == *kind && it.0.edit == *edit;
        if let Some((_, known)) = self.built.borrow().iter().find(is_same) {
            return Ok(known.clone());
        }
        let (flags, returned) = match kind {
            Kind::Sanitized(fill, returned) => {
                let flags = self.builds.sanitize.iter();
                let flags: Vec<String> = flags.map(|it| it.replace("{fill}", fill)).collect();
                (flags, *returned)
            }
            Kind::Filled => (self.builds.fill.clone(), "0"),
            Kind::Analysed => (self.builds.analyse.clone(), ""),
            Kind::Own => (Vec::new(), ""),
        };
        if flags.is_empty() && *kind != Kind::Own {
            return Ok(None);
        }
        // In C++, the sanitizer reports them.
        let is_c = self.judging.built.language.id == LanguageId::C && !returned.is_empty();
        let suspects = self.warnings.iter().filter_map(Warning::suspect);
        let returns = suspects
            .filter_map(|it| it.edit)
            .filter(|it| is_c && it.variable.is_none());
        let returns: Vec<Edit> = returns.filter(|it| Some(it) != edit.as_ref()).collect();
        let built = self.build_with(&flags, |plan| {
            for it in &returns {
                self.apply(it, returned, plan);
            }
            if let Some(edit) = edit {
                self.apply(edit, "0", plan);
            }
            if *kind == Kind::Filled {
                let header = include_bytes!("fill.h");
                plan.files.retain(|(name, _)| name != FILL_HEADER);
                plan.files.push((FILL_HEADER.to_owned(), header.to_vec()));
            }
        })?;
        let built = built.map(Rc::from);
        let variant = Variant {
            edit: edit.clone(),
            ..Variant::new(*kind, "")
        };
        self.built.borrow_mut().push((variant, built.clone()));
        Ok(built)
    }

    /// Changes a file of the student's in a plan.
    fn apply(&self, edit: &Edit, returned: &str, plan: &mut Plan) {
        let index = self.sources.included.len() + edit.place.file;
        if let Some((_, source)) = plan.files.get_mut(index) {
            edit.apply(source, returned);
        }
    }

    /// Builds the program with more flags, and a changed plan. `None` if the compiler refuses.
    fn build_with(
        &self,
        flags: &[String],
        change: impl FnOnce(&mut Plan),
    ) -> Result<Option<Box<Built>>, Fault> {
        let own = self.judging.built;
        let mut toolchain = own.toolchain.clone();
        toolchain.flags.extend_from_slice(flags);
        let time = self.judging.job.entry.problem.limits.compile_time;
        let (lab, sources) = (self.judging.lab, &self.sources);
        let built = build_with(lab, &own.language, toolchain, sources, time, change)?;
        Ok(built.ok())
    }

    /// What may have no value, as the compiler's warnings say: those of the analyser first, which name the first use.
    pub(super) fn suspects(&self) -> Result<Vec<Suspect>, Fault> {
        let analysed = self.program(&Variant::new(Kind::Analysed, ""))?;
        let messages = analysed.as_ref().and_then(|it| it.report.messages.as_ref());
        let mut all = messages.map_or_else(Vec::new, |it| warnings(&it.text, &self.names));
        all.extend(self.warnings.iter().cloned());
        let (mut suspects, mut edits) = (Vec::new(), Vec::new());
        for it in all.iter().filter_map(Warning::suspect) {
            if !edits.contains(&it.edit) {
                edits.push(it.edit.clone());
                suspects.push(it);
            }
        }
        suspects.truncate(MAX_SUSPECTS);
        Ok(suspects)
    }
}
