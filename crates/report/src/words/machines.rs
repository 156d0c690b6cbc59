//! What the formats of other systems say by themselves.

use grader_model::Lang;

use super::Words;

impl Words {
    /// Why there is no score.
    pub(crate) const fn no_score(self) -> &'static str {
        match self.0 {
            Lang::En => {
                "There is no score yet: grading failed or was interrupted. This is not your program's fault; it will \
                 be graded again."
            }
            Lang::Zh => "还没有分数：评测故障或被中断。这不是你的程序的错，会重新评测。",
        }
    }

    /// Name of the row about building a program.
    pub(crate) const fn build(self) -> &'static str {
        match self.0 {
            Lang::En => "build",
            Lang::Zh => "编译",
        }
    }

    /// How many annotations are left out.
    pub(crate) fn more_annotations(self, count: usize) -> String {
        match self.0 {
            Lang::En => format!("and {count} more; the summary has all"),
            Lang::Zh => format!("另有 {count} 条；见汇总"),
        }
    }
}
