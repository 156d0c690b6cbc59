//! Faults of a problem that a search notices, in words.

use grader_judge::ProblemFault;
use grader_model::Text;

/// What is wrong with a problem, whose reference is called so, on an input.
pub(crate) fn problem_fault(fault: &ProblemFault, input: &str, reference: &Text) -> Text {
    let Text { en, zh } = reference;
    match fault {
        ProblemFault::Rejected => Text::new(
            format!("the checker rejects {en}'s answer on {input}"),
            format!("检查程序不接受{zh}在 {input} 上的答案"),
        ),
        ProblemFault::Unsteady => Text::new(
            format!("the checker rejects {en}'s answer on {input} when it runs again"),
            format!("{zh}在 {input} 上再次运行后，检查程序不接受它的答案"),
        ),
        ProblemFault::Generator => Text::new(
            format!("the generator prints another input for {input} when it runs again"),
            format!("生成程序对 {input} 再次运行时给出了不同的输入"),
        ),
        ProblemFault::Failed(why) => Text::new(
            format!("on {input}, {}", why.en),
            format!("在 {input} 上：{}", why.zh),
        ),
    }
}

/// A fault of a problem, for the author of a program.
pub fn innocent(Text { en, zh }: Text) -> Text {
    Text::new(
        format!("{en}: not a mistake of this program"),
        format!("{zh}：这不是被测程序的错误"),
    )
}
