//! Texts for people, in English and Chinese.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A [`Text`] of two format strings, in English and in Chinese, with the names that they capture: `text!("line {n}", "第 {n} 行")`.
///
/// Texts that are parts of it are listed after the strings, and each goes in in its language:
/// `text!("{place}: {why}", "{place}：{why}", place, why)`. A text without a name in it is [`Text::new`].
#[macro_export]
macro_rules! text {
    ($en:literal, $zh:literal $(, $part:ident)* $(,)?) => {
        $crate::Text {
            en: {
                $(let $part = &$part.en;)*
                format!($en)
            },
            zh: {
                $(let $part = &$part.zh;)*
                format!($zh)
            },
        }
    };
}

/// A language that the grader speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese (simplified).
    Zh,
}

impl Lang {
    /// Chooses between two texts.
    pub fn pick<T>(self, en: T, zh: T) -> T {
        match self {
            Self::En => en,
            Self::Zh => zh,
        }
    }
}

impl FromStr for Lang {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "en" => Ok(Self::En),
            "zh" => Ok(Self::Zh),
            _ => Err(format!("expected `zh` or `en`, found `{text}`")),
        }
    }
}

/// A number with its noun: `1 student`, `2 students`.
pub fn counted<N>(count: N, one: &str, many: &str) -> String
where
    N: Copy + fmt::Display + PartialEq + From<u8>,
{
    let noun = if count == 1.into() { one } else { many };
    format!("{count} {noun}")
}

/// As many things of a list as people read.
const MAX_LISTED: usize = 100;

/// The first of a list, and what is said about the others if there are too many to be read.
pub fn listed<T>(list: &[T]) -> (&[T], Option<Text>) {
    let (first, rest) = list.split_at(list.len().min(MAX_LISTED));
    let count = rest.len();
    let more = || text!("and {count} more", "另有 {count} 个");
    (first, (count > 0).then(more))
}

/// One message in both languages.
///
/// A checker or a language writes both; a report chooses one. Parts from a student are escaped first: see
/// [`crate::Excerpt`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "TextForm", into = "TextForm")]
pub struct Text {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Text {
    /// A message in both languages.
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self {
            en: en.into(),
            zh: zh.into(),
        }
    }

    /// The same text in both languages: a name, a compiler's message.
    pub fn plain(text: impl Into<String>) -> Self {
        let en = text.into();
        Self { zh: en.clone(), en }
    }

    /// The message in this language only.
    #[must_use]
    pub fn only(&self, lang: Lang) -> Self {
        Self::plain(self.get(lang))
    }

    /// A hint that is true, but rarely the cause.
    #[must_use]
    pub fn beside(&self) -> Self {
        let (en, zh) = (&self.en, &self.zh);
        Self::new(format!("also, {en}"), format!("另外，{zh}"))
    }

    /// Whether it is such a hint.
    pub fn is_beside(&self) -> bool {
        self.en.starts_with("also, ") || self.en.starts_with("另外，")
    }

    /// The message in one language.
    pub fn get(&self, lang: Lang) -> &str {
        lang.pick(&self.en, &self.zh)
    }
}

/// Serialized form: one string if both languages are the same.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum TextForm {
    Plain(String),
    Both { en: String, zh: String },
}

impl From<TextForm> for Text {
    fn from(form: TextForm) -> Self {
        match form {
            TextForm::Plain(text) => Self::plain(text),
            TextForm::Both { en, zh } => Self { en, zh },
        }
    }
}

impl From<Text> for TextForm {
    fn from(Text { en, zh }: Text) -> Self {
        if en == zh {
            Self::Plain(en)
        } else {
            Self::Both { en, zh }
        }
    }
}
