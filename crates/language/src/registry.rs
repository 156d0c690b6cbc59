//! From the word for a language to what is known about it.

use grader_model::LanguageId;

use crate::Language;
use crate::c::C;
use crate::cpp::CPP;
use crate::java::Java;
use crate::pascal::Pascal;
use crate::python::Python;
use crate::rust::Rust;

/// The language of this word.
pub fn language(id: LanguageId) -> &'static dyn Language {
    match id {
        LanguageId::C => &C,
        LanguageId::Cpp => &CPP,
        LanguageId::Rust => &Rust,
        LanguageId::Java => &Java,
        LanguageId::Pascal => &Pascal,
        LanguageId::Python => &Python,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_leads_to_its_own_language() {
        for id in LanguageId::ALL {
            assert_eq!(language(id).id(), id);
        }
    }
}
