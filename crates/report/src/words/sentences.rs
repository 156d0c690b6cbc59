//! What reports say of their own, in English and in Chinese side by side. Values stand in braces.
//!
//! Messages of checkers, languages and the judge come as [`grader_model::Text`].

use std::fmt::Display;

use grader_model::Lang;

use super::Words;

macro_rules! sentences {
    ($($(#[$doc:meta])* $name:ident $(($($value:ident),+))?: $en:literal, $zh:literal;)+) => {
        impl Words {
            $(sentences! { @ $(#[$doc])* $name $(($($value),+))?: $en, $zh })+
        }
    };
    (@ $(#[$doc:meta])* $name:ident: $en:literal, $zh:literal) => {
        $(#[$doc])*
        pub(crate) const fn $name(self) -> &'static str {
            match self.lang { Lang::En => $en, Lang::Zh => $zh }
        }
    };
    (@ $(#[$doc:meta])* $name:ident($($value:ident),+): $en:literal, $zh:literal) => {
        $(#[$doc])*
        pub(crate) fn $name(self, $($value: impl Display),+) -> String {
            match self.lang { Lang::En => format!($en), Lang::Zh => format!($zh) }
        }
    };
}

// Signs.
sentences! {
    colon: ": ", "：";
    comma: ", ", "，";
    semicolon: "; ", "；";
    list_comma: ", ", "、";
    and: " and ", "、";
    between_sentences: " ", "";
    with_note(text, note): "{text} ({note})", "{text}（{note}）";
    note(text): " ({text})", "（{text}）";
}

// Points and verdicts.
sentences! {
    /// Full points in the head of a column.
    of_most(most): "of {most}", "{most} 分";
    plus_most(most): "+{most}", "+{most}";
    /// Full points beside the points.
    share_of(most): "of {most}", "/ {most} 分";
    point(points): "{points} point", "{points} 分";
    points(points): "{points} points", "{points} 分";
    bonus_point(points): "{points} bonus point", "附加 {points} 分";
    bonus_points(points): "{points} bonus points", "附加 {points} 分";
    and_bonus(points, bonus): "{points} and {bonus}", "{points}，{bonus}";
    excused_of(worth, most): "excused (of {worth})", "免做（满分 {most} 分）";
    not_scored_of(worth, most): "not scored yet (of {worth})", "尚未评分（满分 {most} 分）";
    scored_of(points, worth, most): "{points} of {worth}", "{points} / {most} 分";
    bonus_label: "", "附加 ";
    points_lost(worth): "{worth} lost", "失 {worth}";
    is_bonus: " (bonus)", "（附加）";
    late: "late", "迟交";
    corrected: "corrected", "人工修正";
    legend_by_hand: "+ ? points by hand are missing", "+ ? 尚待人工评分";
    legend_late: "L late", "L 迟交";
    legend_lost_by_hand: "H points lost by hand", "H 人工评分扣分";
    legend_corrected: "* corrected by hand", "* 人工修正";
    lost_by_hand: "points lost by hand", "人工评分扣分";
    lost_by_remarks: "points lost by remarks", "因工具指出的问题扣分";
    by_hand_only: "Waiting for points by hand", "尚待人工评分";
    wait_by_hand(count): "{count} wait for points by hand", "{count} 人尚待人工评分";
    missing_by_hand(missing): "points by hand are missing: {missing}", "尚待人工评分：{missing}";
    still_by_hand: "points by hand are still missing", "尚待人工评分";
    worth_by_hand(name, most): "{name} ({most})", "{name}（{most} 分）";
    graded_by_hand: "graded by hand", "人工评分";
    not_submitted: "not submitted", "没有提交";
    not_scored_yet: "not scored yet", "尚未评分";
}

// A student.
sentences! {
    student: "student", "学生";
    total: "total", "总分";
    bonus: "bonus", "附加";
    mean: "mean", "平均";
    to_fix: "To fix", "待改正";
    due_at(due, zone): "due {due} ({zone})", "截止 {due}（{zone}）";
    submitted_at(at): "submitted {at}", "提交于 {at}";
    comment_label: "comment: ", "评语：";
    objection_label: "objection:", "异议：";
    answer_label: "answer:", "答复：";
    files_not_judged: "Files that were not judged", "没有评测的文件";
    failed_here: "There is no score yet: grading failed. This is not your program's fault; it will be graded again.",
        "还没有分数：评测出了故障。这不是你的程序的错，会重新评测。";
    needs_a_look: "There is no score yet: a person has to look at what was submitted.", "还没有分数：提交的内容需要人工查看。";
    correction_unclear: "There is no score yet: a correction by hand has to say for which class it is.",
        "还没有分数：有一项人工修正需要写明属于哪个班级。";
    not_complete: "There is no score yet: grading is not complete.", "还没有分数：评测尚未完成。";
    by_hand_missing(what): "The score is not complete: points by hand are still missing: {what}.", "分数还不完整：以下部分尚待人工评分：{what}。";
    some_cases_only: "There is no score: only some cases were run.", "没有分数：只运行了部分测试点。";
}

// A submission and its cases.
sentences! {
    hint: "hint: ", "提示：";
    flag: "flag: ", "标记：";
    standard_error: "standard error", "标准错误输出";
    input: "input", "输入";
    try_it: "try it: ", "重现：";
    expected: "expected", "应为";
    found: "found", "实为";
    and_found(reason, found): "{reason}; found `{found}`", "{reason}；实为 `{found}`";
    and_input(reason, input): "{reason}; input `{input}`", "{reason}；输入 `{input}`";
    joined_with(ids): "joined with {ids}", "已与 {ids} 合并";
    new_since(students): "new in this group since the remark: {students}", "写评语之后新增：{students}";
    rest_left_out: "… the rest is left out", "……其余未显示";
    reused_from(run): "reused from run {run}", "沿用第 {run} 次评测的结果";
    judged_again(why): "judged in this run: {why}", "本次重新评测：{why}";
    beyond_cases: "Fails on an input outside the test cases", "在测试点之外的输入上出错";
    passed_of(passed, cases, counted): "{passed} of {cases}", "{counted} 个测试点中 {passed} 个通过";
    cases_passed(passed, cases): "{passed} of {cases} passed", "{cases} 个测试点中 {passed} 个通过";
    skipped(count): "{count} skipped", "跳过 {count} 个";
    slowest(name, time): "slowest {name}: {time}", "最慢 {name}：{time}";
    peak(memory): "peak {memory}", "内存峰值 {memory}";
    building: "… building", "… 编译";
}

// Time and chance.
sentences! {
    limit: "limit", "限制";
    limit_label: "limit: ", "限制：";
    language_factor: "language", "语言系数";
    start_up: "start-up", "启动";
    reference: "reference", "参考程序";
    reference_in(case): "reference in {case}", "参考程序 {case}";
    reference_at_least(case): "reference in {case}, at least", "参考程序 {case} 为下限";
    reference_at_most(case): "reference in {case}, at most", "参考程序 {case} 为上限";
    /// Something used of its limit.
    used_of(used, limit): "{used} of {limit}", "{used}（限 {limit}）";
    cpu(used): "{used} CPU", "CPU {used}";
    near_limit: "near the limit", "接近限制";
    undecided: "too near the limit to decide", "太接近限制，无法断定";
    earns(share): "earns {share}%", "得 {share}%";
    run_again(runs): "run again alone: {runs}; the smallest counts", "单独重跑：{runs}；以最小者为准";
    runs_disagree(runs): "run again alone: {runs}; the runs disagree, and the smallest counts", "单独重跑：{runs}；结果不一致，以最小者为准";
    run_alone(runs): "run alone {runs}", "单独重跑 {runs}";
    not_run_again: "not run again", "没有重跑";
    attempts_accepted(accepted, made): "{accepted} of {made} attempts accepted", "运行 {made} 次，通过 {accepted} 次";
    attempts_needed(needed): ", {needed} needed", "，须通过 {needed} 次";
    attempts_rate(rate, low, high): "; rate {rate} (95%: {low} to {high})", "；通过率 {rate}（95% 置信区间 {low} 至 {high}）";
    luck: "; luck may have decided", "；结果可能取决于运气";
}

// A class.
sentences! {
    interrupted: "interrupted before the end: the results are incomplete", "评测被中断，结果不完整";
    run_began(id, began): "run {id}, started {began}", "第 {id} 次评测，开始于 {began}";
    isolation: "isolation: ", "隔离级别：";
    strict: "strict", "严格";
    basic(warning): "basic, {warning}", "基本，{warning}";
    not_a_sandbox: "not a sandbox", "不是沙箱";
    missing_layers(layers): "missing: {layers}", "缺少：{layers}";
    graded_of(graded, all): "graded {graded} of {all}", "已评分 {graded} / {all} 人";
    mean_is(mean): "mean {mean}", "平均 {mean}";
    median_is(median): "median {median}", "中位数 {median}";
    full_marks(count): "{count} with full marks", "满分 {count} 人";
    new_submission: "new", "新提交";
    reused_of(reused, all): "results of {reused} of {all} submissions reused from earlier runs", "{all} 份提交中有 {reused} 份沿用以前的结果";
    judged_because(count, reasons): "; {count} judged: {reasons}", "；评测 {count} 份：{reasons}";
    needs_attention: "Needs human attention", "需要人工处理";
    nothing_needs_attention: "Nothing needs attention.", "没有需要人工处理的情况。";
    assign_file: "to grade one as a problem:", "要把其中一个文件作为某道题来评测：";
    assign_folder: "to grade all files of a folder as one program:", "要把一个文件夹里的所有文件作为一个程序来评测：";
    any_problem: "PROBLEM", "题目";
    more_students(count): "{count} more students", "另外 {count} 名学生";
    same_text(others, tokens): "the same text as {others} ({tokens} tokens)", "与 {others} 的文本相同（{tokens} 个词法单元）";
    same_program(others, tokens): "same as {others} except for names, comments or layout ({tokens} tokens)",
        "与 {others} 仅名称、注释或排版不同（{tokens} 个词法单元）";
    and_more_in_summary(count): "and {count} more; the summary has all", "另有 {count} 条；见汇总";
    left_out(bytes, count): "Left out to stay below {bytes} bytes: {count} rows and explanations.",
        "为使篇幅不超过 {bytes} 字节，略去了 {count} 项（表格行和说明）。";
    progress: "{bar:20} {pos}/{len} submissions  {eta} left  {wide_msg}", "{bar:20} {pos}/{len} 份提交  还需 {eta}  {wide_msg}";
}

// Two runs, and all runs.
sentences! {
    no_result_changed(students): "No result changed: {students}.", "成绩没有变化：{students}。";
    changed: "Changed", "有变化";
    new_students: "New", "新增";
    gone: "Gone", "不再出现";
    unchanged: "Unchanged", "无变化";
    compared_as_judged: "as judged, without late penalties and corrections", "按评测结果比较，不含迟交扣分和人工修正";
    compared_corrected: "with late penalties and corrections", "含迟交扣分和人工修正";
    change_since(run): "change since run {run}", "与第 {run} 次评测相比";
    of_most_points(most): "of {most}", "满分 {most}";
    and_more(count): " and {count} more", "，另有 {count} 个";
    now: "now", "现在";
    run_at(id, began): "run {id} ({began})", "第 {id} 次评测（{began}）";
    run_cut(id, began): "run {id} ({began}, interrupted)", "第 {id} 次评测（{began}，被中断）";
    and_bonus_of(points): ", bonus {points}", "，附加 {points}";
    time_of(cpu, limit): "{cpu} of {limit}", "{cpu} / {limit}";
    memory_limit: "memory limit", "内存限制";
    random_numbers: "random numbers", "随机数";
    and_not_settled(why): "{why}, not settled", "{why}，尚无定论";
    same_verdict: "Same verdict", "判定相同";
    count_of(count, all): "{count} of {all}", "{count} / {all}";
    not_settled: "Not settled", "尚无定论";
    of_differing(count, differ): "{count} of the {differ} that differ", "{differ} 个不同的判定中有 {count} 个";
    not_replayed: "Not replayed", "未重判";
    without_files(submissions): "{submissions}, whose files are not in the ledger", "{submissions}：结果库中没有它们的文件";
    receipt: "Receipt", "复核凭证";
    receipt_assignment: "assignment", "作业";
    receipt_grader: "grader", "评测系统";
    receipt_machine: "machine", "机器";
    receipt_isolation: "isolation", "隔离";
    receipt_compilers: "compilers", "编译器";
    receipt_results: "results", "结果";
    no_runs: "No runs yet.", "还没有评测。";
    run_head: "run", "编号";
    started_head: "started (UTC)", "开始时间（UTC）";
    state_head: "state", "状态";
    students_head: "students", "学生数";
    judged_head: "judged", "评测份数";
    reused_head: "reused", "沿用份数";
    errors_head: "grader errors", "故障份数";
    upgraded(from, to, grader, at, copy): "Upgraded from format {from} to {to} by grader {grader}, {at}; the file before that: `{copy}`.",
        "{at}，grader {grader} 将结果库从格式 {from} 升级到格式 {to}；升级前的文件：`{copy}`。";
}

// An audit.
sentences! {
    failed_once(program, input): "{program}: failed on {input}, but there was not enough time to confirm it",
        "{program}：在 {input} 上出过错，但时间不够，未能确认";
    program_not_tried(program): "{program}: not tried", "{program}：没有试过";
    of_problem(problem, why): "{problem}: {why}", "{problem}：{why}";
    found_wrong(wrong, programs): "{wrong} of {programs} found wrong", "{programs}中发现 {wrong} 个有错";
    others_right(inputs): "; each of the others is right on at least {inputs}", "；其余程序每个至少试过 {inputs}，都正确";
    some_right(right, inputs): "; {right} right on at least {inputs} each", "；{right} 个程序每个至少试过 {inputs}，都正确";
    and_in_doubt(count): "; {count} in doubt", "；{count} 个存疑";
    and_not_tried(count): "; {count} not tried", "；{count} 个没有试过";
    try_longer(seconds): ": to try them all, use `--time {seconds}`; or run `audit` again: it begins with them",
        "：请加 `--time {seconds}`；也可以再运行一次 `audit`，它会从没有试过的程序开始";
    nobody_fails(problem, cases): "{problem}: no program fails {cases}", "{problem}：没有程序在以下测试点出错：{cases}";
    one_fails(problem, cases): "{problem}: the same program fails {cases}", "{problem}：同样的 1 个程序在以下测试点出错：{cases}";
    several_fail(problem, count, cases): "{problem}: the same {count} programs fail {cases}",
        "{problem}：同样的 {count} 个程序在以下测试点出错：{cases}";
    more_cases(some, more, all): "{some} and {more}", "{some} 等 {all} 个";
}

// A term.
sentences! {
    late_days: "late days", "迟交天数";
    late_days_at_most(most, assignment): "late days: at most {most} for `{assignment}`", "迟交天数：{assignment} 最多使用 {most} 天";
    term_total: "total", "总评";
    lowest_dropped: "does not count: one of the lowest", "不计入：最低的成绩之一";
    not_in_class: "not in this class: counts as 0", "不在该班：按 0 计";
    excused_not_counted: "excused: does not count", "免做：不计入";
    only_bonus: "bonus points of an assignment without others: they are no percentage, and do not count here",
        "只有附加分的作业：没有得分率，不计入总评";
}

// Pages.
sentences! {
    html_language: "en", "zh-CN";
    open_board: "Open this board in the explorer", "在演示页中打开这个棋盘";
    statement: "Statement", "题面";
    growth_key: "Solid: the fit. Dotted: its 95% interval. Hollow: too fast to measure. Cross: stopped. Both axes are logarithmic.",
        "实线为拟合，点线为其 95% 区间；空心点表示太快，测不准；叉号表示被终止；两轴均为对数刻度。";
    graded: "graded", "已评分";
    median: "median", "中位数";
    answered_objections: "Objections with an answer", "已答复的异议";
    students_heading: "Students", "学生";
    print_sheets: "A sheet for each student, to print", "打印：每名学生一张";
    filter: "Filter", "筛选";
    filter_by: "name, or choose below", "姓名，或在下方选择";
    filtered_count: "# of # students", "# / # 人";
    verdict_filters: "Verdict", "判定";
    problem_filters: "Problem", "题目";
    other_filters: "Other filters", "其他筛选";
    flagged: "flagged", "有标记";
    near_a_limit: "near a limit", "接近限制";
    changed_filter: "changed", "有变化";
    points_table: "Points", "分数";
    of_all: "of", "满分";
    only_first_students: "Without JavaScript, only the first 500 students are here.", "未启用 JavaScript，因此这里只显示前 500 名学生。";
    nobody_matches: "No student matches.", "没有符合条件的学生。";
    clear_filter: "Clear the filter", "清除筛选";
    points_heading: "Points", "分数分布";
    students_by_points: "Students by their points", "各分数段的学生数";
    as_table: "As a table", "表格";
    points_head: "points", "分数";
    student_count: "students", "人数";
    time_of_accepted: "CPU time of accepted runs", "程序通过时所用的 CPU 时间";
    times_key: "One line for each student; both axes are logarithmic.", "每名学生一条线；两轴均为对数刻度。";
    what_went_wrong: "What went wrong", "出错原因";
    message_head: "message", "说明";
    show_all: "show all", "显示全部";
    same_mistake: "The same mistake", "相同的错误";
    mistake_head: "what they do wrong", "错在哪里";
    with_remark: "with a remark", "已有评语";
    beside_accepted: "beside the nearest accepted program", "与最接近的正确程序比较";
    say_it_once: "To say it once for all of them:", "给他们统一写一条评语：";
    keys: "Keys: / filters; [ and ] lead to the previous and the next student.", "快捷键：/ 筛选；[ 和 ] 切换到上一名、下一名学生。";
    print_this: "Print this page: each student begins on a sheet of their own. It shows what each of them may see.",
        "打印本页：每名学生另起一张，内容与学生各自能看到的相同。";
    too_many_sheets: "The sheets of all students are too many for one page. Write the pages of some of them:", "学生太多，一页放不下。请只生成一部分学生的页面：";
    any_folder: "FOLDER", "目录";
    theme: "Theme", "外观";
    theme_auto: "Auto", "自动";
    theme_light: "Light", "浅色";
    theme_dark: "Dark", "深色";
    new_here: "new", "新增";
    submissions_by_verdict: "Submissions by their verdict", "各判定的提交数";
}
