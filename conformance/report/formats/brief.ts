import { truncateText } from '../../../spec/show.js';
import { toOneLine } from '../../../spec/visible.js';
import { readCommandName } from '../../common/command-name.js';
import { type ConformReport, formatRunTime } from '../../service/runner/result.js';
import type { ReportView, ShownCause } from '../view.js';
import { formatRunAgain } from './run-again.js';

const MOST_CAUSES = 10;
const MOST_BYTES = 4000;
const LONGEST_TITLE = 80;
const LONGEST_REASON = 300;
/** Messages are shortened until everything has room. */
const LONGEST_MESSAGES = [160, 80, 0];

/** The verdict and the causes of the failures, as JSON of few bytes: for programs that read what to do next. */
export function formatBriefReport(view: ReportView): string {
  const texts = LONGEST_MESSAGES.map((most) => formatWithin(view, most));
  return texts.find((text) => Buffer.byteLength(text) <= MOST_BYTES) ?? texts.at(-1)!;
}

function formatWithin(view: ReportView, longestMessage: number): string {
  const { report, verdict, causes, failures, otherFailures } = view;
  const { summary, baseline, stopped, target, advice = [] } = report;
  const name = readCommandName();
  return `${JSON.stringify({
    target: truncateText(toOneLine(target.client ?? target.base_url), LONGEST_TITLE),
    ...(target.time && { time: formatRunTime(target.time, target.adapter) }),
    verdict,
    summary,
    ...(stopped !== undefined && { stopped: truncateText(toOneLine(stopped), LONGEST_REASON) }),
    ...(baseline && baseline.problems.length > 0 && { baseline_problems: baseline.problems.length }),
    failures: failures.length,
    causes: causes.slice(0, MOST_CAUSES).map((cause) => describeCause(cause, report, longestMessage)),
    ...(causes.length > MOST_CAUSES && { more_causes: causes.length - MOST_CAUSES }),
    // Inconclusive and flaky checks in strict mode.
    ...(otherFailures.length > 0 && { other_failures: otherFailures.length }),
    ...(advice.length > 0 && { advice: advice.length }),
    ...(causes.length > 0 && { explain: `${name} explain RULE` }),
  })}\n`;
}

function describeCause(
  { cause, example }: ShownCause,
  report: ConformReport,
  longestMessage: number,
): object {
  const message = toOneLine(example.message);
  const title = toOneLine(cause.title);
  const again = formatRunAgain(example, report);
  return {
    rule: cause.rule,
    requirement: cause.requirements[0],
    title: truncateText(title, LONGEST_TITLE),
    explains: cause.explains,
    example: example.id,
    ...(longestMessage > 0 &&
      !message.startsWith(title.replace(/…$/, '')) && { message: truncateText(message, longestMessage) }),
    ...(again !== undefined && { run_again: again }),
  };
}
