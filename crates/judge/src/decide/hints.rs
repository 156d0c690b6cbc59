//! Advice about where a program reads its input and writes its answer.

use grader_check::{Failed, Mistakes, mistakes};
use grader_language::Encoding;
use grader_model::{
    CaseResult, Evidence, Excerpt, Guess, LanguageId, SourceFile, Text, Verdict, guess, text,
};
use grader_problem::Case;

use super::run::Run;
use super::verdict::Rules;

impl Rules<'_> {
    /// Names a file that the program could not find, and says where its input is.
    pub(crate) fn missing_input(&self, stderr: &[u8]) -> Option<Text> {
        let file = self.language.missing_file(stderr, self.facts)?;
        let mut given = self.run.files.iter().chain(&self.case.files);
        if self.run.input_file.as_ref() == Some(&file) || given.any(|it| it.path == file) {
            return None;
        }
        let file = Excerpt::new(file.as_bytes());
        let given = self
            .place()
            .map_or_else(Text::default, |it| text!("; {it}", "；{it}", it));
        Some(text!(
            "Your program opens the file `{file}`, which is not there{given}.",
            "你的程序要打开文件 `{file}`，但没有这个文件{given}。",
            given
        ))
    }

    /// For a wrong output of the author's `main` around a student's function: what the last line tells, which `main` prints.
    pub(super) fn of_function(&self, last: &[u8], is_right: bool) -> Option<Text> {
        if is_right {
            return Some(Text::new(
                "The last line is right; the lines before it come from your own code, which must print nothing here.",
                "最后一行是对的；它前面的内容是你的代码打印的，而这里不应该打印任何内容。",
            ));
        }
        (self.language.id == LanguageId::Python && last == b"None").then(|| {
            Text::new(
                "`None` is what a function gives that ends without `return`: is a `return` missing, or does it print its result instead?",
                "函数没有 `return` 就结束时得到的是 `None`：是不是漏了 `return`，或者用 `print` 代替了返回？",
            )
        })
    }

    /// The usual mistakes that a wrong output may show. In several passes, what a program reads is not the case's.
    pub(crate) fn mistakes(
        &self,
        result: &CaseResult,
        run: &Run,
        answer: Option<&[u8]>,
    ) -> Mistakes {
        let is_layout = result.verdict == Verdict::PresentationError;
        let is_wrong = is_layout || result.verdict == Verdict::WrongAnswer;
        let is_wrong = is_wrong && self.language.is_of_programs();
        let Some((answer, output)) = answer.zip(run.answer.as_deref()).filter(|_| is_wrong) else {
            return Mistakes::default();
        };
        let arguments = self.case.arguments.join(" ");
        let has_extra = |it: &Evidence| is_layout && it.code == "extra-text";
        let failed = Failed {
            input: if self.case.input.is_empty() {
                arguments.as_bytes()
            } else {
                &self.case.input
            },
            output,
            answer,
            has_extra_text: result.evidence.iter().any(has_extra),
            is_python: self.language.id == LanguageId::Python
                && !self.has_authors_main
                && !self.has_none_in_text(),
            quotients: &self.facts.quotients,
            factors: &self.facts.factors,
        };
        mistakes(&self.case.checker, failed)
    }

    /// Whether the sources may print `None` as a text of their own.
    fn has_none_in_text(&self) -> bool {
        let mut words = self.sources.iter().flat_map(|it| it.bytes.windows(5));
        words.any(|it| matches!(it, b"None\"" | b"None'"))
    }

    /// For a failed case whose input has no comma: names the formats of `scanf` that read one.
    pub(crate) fn commas(&self) -> Option<Text> {
        let is_c = matches!(self.language.id, LanguageId::C | LanguageId::Cpp);
        if !is_c || !self.is_by_stdin() || self.case.input.contains(&b',') {
            return None;
        }
        let formats = self.sources.iter().flat_map(|source| {
            let lines = source.bytes.split(|byte| *byte == b'\n');
            let code = lines.filter_map(|it| str::from_utf8(it).ok()?.split("//").next());
            code.flat_map(|it| it.split("scanf").skip(1).filter_map(format_of))
        });
        let mut with_commas = formats.filter(|it| it.contains('%') && it.contains(','));
        let format = grader_model::escaped(with_commas.next()?.as_bytes());
        Some(text!(
            "`scanf(\"{format}\", …)` waits for a comma between the numbers, and the input has none: it stops there, and the variables after it get no value. Write the format without commas.",
            "`scanf(\"{format}\", …)` 要求数之间有逗号，而输入里没有：读到那里就停了，后面的变量得不到值。请去掉格式中的逗号。"
        ))
    }

    /// For a program that printed nothing: names the files it wrote to.
    pub(crate) fn written_elsewhere(&self, left: &Vec<String>) -> Option<Text> {
        if self.run.output_file.is_some() {
            return None;
        }
        let files = if left.is_empty() {
            &self.facts.written
        } else {
            left
        };
        if files.is_empty() {
            return None;
        }
        let files: Vec<String> = files
            .iter()
            .map(|file| format!("`{}`", Excerpt::new(file.as_bytes())))
            .collect();
        let (en, zh) = (files.join(", "), files.join("、"));
        Some(if left.is_empty() {
            text!(
                "Your program printed nothing, and its source writes to {en}; only standard output is judged.",
                "你的程序没有打印任何内容，源程序是往文件 {zh} 里写的；评测只看标准输出。"
            )
        } else {
            text!(
                "Your program printed nothing; it wrote {en}. Only standard output is judged.",
                "你的程序没有打印任何内容，而是写进了文件 {zh}；评测只看标准输出。"
            )
        })
    }

    /// For a program that printed what is not UTF-8: names the source that is not saved in it.
    pub(crate) fn source_encoding(&self, answer: &[u8]) -> Option<Text> {
        // Sources in other languages are converted.
        if self.language.definition.encoding != Encoding::Bytes || str::from_utf8(answer).is_ok() {
            return None;
        }
        let mut sources = self.sources.iter();
        let source = sources.find(|it| str::from_utf8(&it.bytes).is_err())?;
        let name = Excerpt::new(source.path.as_bytes());
        let encoding = match guess(&source.bytes) {
            Guess::Gbk => Text::new(" but in GBK", "（看起来是 GBK）"),
            Guess::Windows1252 => Text::new(" but in Windows-1252", "（看起来是 Windows-1252）"),
            Guess::Unclear => Text::default(),
        };
        Some(text!(
            "`{name}` is not saved in UTF-8{encoding}, so the program prints letters that are not UTF-8: save it in UTF-8.",
            "`{name}` 不是用 UTF-8 保存的{encoding}，因此程序打印的文字也不是 UTF-8：请将它另存为 UTF-8。",
            encoding
        ))
    }

    fn is_by_argument(&self) -> bool {
        !self.case.arguments.is_empty() && self.case.input.is_empty()
    }

    fn is_by_stdin(&self) -> bool {
        self.case.arguments.is_empty() && !self.case.input.is_empty()
    }

    /// Where the task provides its input; `None` if in two places, or if there is none.
    fn place(&self) -> Option<Text> {
        let variables = variables(self.case);
        if let Some(file) = &self.run.input_file {
            Some(text!(
                "this task puts {variables} in the file `{file}`",
                "本题把{variables}放在文件 `{file}` 中",
                variables
            ))
        } else if self.is_by_argument() {
            Some(text!(
                "this task gives {variables} on the command line",
                "本题用命令行参数给出{variables}",
                variables
            ))
        } else if self.is_by_stdin() {
            Some(text!(
                "this task gives {variables} on standard input",
                "本题从标准输入给出{variables}",
                variables
            ))
        } else {
            None
        }
    }

    /// Explains that a program looks for its input in the wrong place.
    ///
    /// Only for failed cases: a program may support both ways.
    pub(crate) fn input_way(&self, verdict: Verdict) -> Option<Text> {
        let place = self.place()?;
        if self.language.definition.stdin.is_empty() {
            // Nobody knows what reads input in this language.
            return None;
        }
        let reads = (self.facts.reads_stdin, self.facts.reads_arguments);
        let way = match (&self.run.input_file, self.is_by_argument(), reads) {
            (Some(file), _, (true, _)) if !names(self.sources, file) => Text::new(
                "Your program reads standard input",
                "你的程序从标准输入读取数据",
            ),
            (None, true, (true, false)) => {
                let line = grader_model::escaped(self.case.arguments.join(" ").as_bytes());
                return Some(text!(
                    "Your program reads standard input; {place} (`{line}`), and standard input is empty.",
                    "你的程序从标准输入读取数据；{place}（`{line}`），标准输入为空。",
                    place
                ));
            }
            (None, true, (false, false)) => Text::new(
                "Your program does not look at its arguments",
                "你的程序没有读取命令行参数",
            ),
            (None, false, (false, true)) => Text::new(
                "Your program reads the command line",
                "你的程序要读取命令行参数",
            ),
            // One that failed may not have come to that.
            (None, false, (false, false)) if verdict != Verdict::RuntimeError => {
                let variables = variables(self.case).en;
                return Some(text!(
                    "Your program does not read standard input; this task gives {variables} there.",
                    "你的程序没有读取标准输入；{place}。",
                    place
                ));
            }
            _ => return None,
        };
        Some(text!("{way}; {place}.", "{way}；{place}。", way, place))
    }
}

/// Adds hints to a case, before that of the problem's author.
pub(crate) fn add_hints(
    case: &mut CaseResult,
    author: Option<&Text>,
    hints: impl IntoIterator<Item = Text>,
) {
    let place = case.hints.iter().position(|it| author == Some(it));
    let place = place.unwrap_or(case.hints.len());
    case.hints.splice(place..place, hints);
}

/// The input in words: `n`, or `m` and `n`, or just the input.
fn variables(case: &Case) -> Text {
    // Those of a generator are the author's: they need not be in the input.
    let known = case.variables.keys().filter(|_| case.generator.is_none());
    let names: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => Text::new("the input", "输入数据"),
        Some((last, [])) => Text::new(last, format!(" {last}")),
        Some((last, others)) => {
            let others = others.join(", ");
            text!("{others} and {last}", " {others} 和 {last}")
        }
    }
}

/// The format in what follows the name `scanf`.
fn format_of(call: &str) -> Option<&str> {
    let arguments = call.trim_start().strip_prefix('(')?.trim_start();
    arguments.strip_prefix('"')?.split('"').next()
}

fn names(sources: &[SourceFile], file: &str) -> bool {
    sources.iter().any(|source| {
        source
            .bytes
            .windows(file.len())
            .any(|window| window == file.as_bytes())
    })
}
