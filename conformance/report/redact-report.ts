import { redactExchange, redactSecrets, redactText } from '../../spec/redact.js';
import type { ConformReport } from '../service/runner/result.js';
import { readShardState, type ShardFailure } from './merge/shard-state.js';

/** Returns a copy without keys, cookies, passwords and the given secrets. Idempotent. */
export function redactReport(report: ConformReport, secrets: readonly string[] = []): ConformReport {
  const { target, stopped, advice, gaps, searched, sequences, requirements } = report;
  const redact = (given: string) => redactSecrets(redactText(given), secrets);
  const client = target.client === undefined ? {} : { client: redact(target.client) };
  const shown: ConformReport = {
    ...report,
    target: { ...target, base_url: redact(target.base_url), ...client },
    checks: report.checks.map((check) => ({
      ...check,
      message: redact(check.message),
      ...(check.again === undefined ? {} : { again: redact(check.again) }),
    })),
    causes: report.causes.map((cause) => ({ ...cause, title: redact(cause.title) })),
    ...(report.failures && {
      failures: report.failures.map((failure) => ({ ...failure, timeline: failure.timeline.map(redact) })),
    }),
    exchanges: report.exchanges.map((exchange) => redactExchange(exchange, secrets)),
    requirements: {
      ...requirements,
      untested: requirements.untested.map((each) => ({ ...each, why: redact(each.why) })),
    },
  };
  if (stopped !== undefined) shown.stopped = redact(stopped);
  if (gaps) shown.gaps = gaps.map(redact);
  if (advice) shown.advice = advice.map((each) => ({ ...each, message: redact(each.message) }));
  if (sequences) {
    shown.sequences = {
      ...sequences,
      ...(sequences.stopped === undefined ? {} : { stopped: redact(sequences.stopped) }),
      observations: sequences.observations.map((each) => ({
        ...each,
        expected: redact(each.expected),
        actual: redact(each.actual),
      })),
    };
  }
  if (searched) {
    const { statement, nondeterministic, likely_source } = searched;
    const state = readShardState({ searched });
    const redactFailure = (failure: ShardFailure): ShardFailure => ({
      ...failure,
      message: redact(failure.message),
      again: redact(failure.again),
      timeline: failure.timeline.map(redact),
      ...(failure.reported === undefined ? {} : { reported: redact(failure.reported) }),
    });
    shown.searched = {
      ...searched,
      statement: redact(statement),
      nondeterministic: nondeterministic.map(redact),
      ...(likely_source === undefined ? {} : { likely_source: redact(likely_source) }),
      ...(state && {
        state: {
          ...state,
          failures: state.failures.map(redactFailure),
          advice: state.advice.map(redactFailure),
        },
      }),
    };
  }
  return shown;
}
