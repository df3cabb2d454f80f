import { redactExchange, redactSecrets, redactText } from '../../spec/redact.js';
import { readShardState, type ShardFailure } from '../explore/merge/search-state.js';
import type { ConformReport } from '../service/runner/result.js';

/** The report without keys, cookies, passwords and the given secrets. A copy; doing it twice changes nothing more. */
export function redactReport(report: ConformReport, secrets: readonly string[] = []): ConformReport {
  const { target, stopped, advice, gaps, searched, sequences, requirements } = report;
  const text = (given: string) => redactSecrets(redactText(given), secrets);
  const client = target.client === undefined ? {} : { client: text(target.client) };
  const shown: ConformReport = {
    ...report,
    target: { ...target, base_url: text(target.base_url), ...client },
    checks: report.checks.map((check) => ({
      ...check,
      message: text(check.message),
      ...(check.again === undefined ? {} : { again: text(check.again) }),
    })),
    causes: report.causes.map((cause) => ({ ...cause, title: text(cause.title) })),
    ...(report.failures && {
      failures: report.failures.map((failure) => ({ ...failure, timeline: failure.timeline.map(text) })),
    }),
    exchanges: report.exchanges.map((exchange) => redactExchange(exchange, secrets)),
    requirements: {
      ...requirements,
      untested: requirements.untested.map((each) => ({ ...each, why: text(each.why) })),
    },
  };
  if (stopped !== undefined) shown.stopped = text(stopped);
  if (gaps) shown.gaps = gaps.map(text);
  if (advice) shown.advice = advice.map((each) => ({ ...each, message: text(each.message) }));
  if (sequences) {
    shown.sequences = {
      ...sequences,
      ...(sequences.stopped === undefined ? {} : { stopped: text(sequences.stopped) }),
      observations: sequences.observations.map((each) => ({
        ...each,
        expected: text(each.expected),
        actual: text(each.actual),
      })),
    };
  }
  if (searched) {
    const { statement, nondeterministic, likely_source } = searched;
    const state = readShardState({ searched });
    const shownFailure = (failure: ShardFailure): ShardFailure => ({
      ...failure,
      message: text(failure.message),
      again: text(failure.again),
      timeline: failure.timeline.map(text),
      ...(failure.reported === undefined ? {} : { reported: text(failure.reported) }),
    });
    shown.searched = {
      ...searched,
      statement: text(statement),
      nondeterministic: nondeterministic.map(text),
      ...(likely_source === undefined ? {} : { likely_source: text(likely_source) }),
      ...(state && {
        state: {
          ...state,
          failures: state.failures.map(shownFailure),
          advice: state.advice.map(shownFailure),
        },
      }),
    };
  }
  return shown;
}
