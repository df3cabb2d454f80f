import type { Ask } from '../../../scenarios/format/types.js';
import type { Finding } from '../../../spec/vocabulary.js';
import { readField, showDifference } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { ClientRun } from '../types.js';
import { hasSameDestination } from './field-values.js';
import { createFailure } from './findings.js';
import { isSame, type ObservedRun, readTaskOutput } from './observed-run.js';

/** Requested values that the result line does not report. The adapter does not support them, so the scenario proves nothing about them. */
export function listUnreportedAsks({ job, line }: Pick<ClientRun, 'job' | 'line'>): Ask[] {
  return job.asks.filter((ask) => readField(line?.asked, ask) === undefined);
}

/** Requested values of the result line, compared with the responses that the client read. */
export function checkLineAsks(observed: ObservedRun): Finding[] {
  const { run, line, gaveUp } = observed;
  if (gaveUp !== undefined) return [];
  return run.job.asks.flatMap((ask) => {
    const reported = readField(line?.asked, ask);
    if (reported === undefined) return [];
    return ask === 'second_wait' || ask === 'wait_again'
      ? checkReportedWait(ask, reported, observed)
      : checkReportedAddress(ask, reported, observed);
  });
}

function checkReportedWait(ask: Ask, reported: unknown, { end, exchanges }: ObservedRun): Finding[] {
  // A wait may be given up for a request that failed, as the task may.
  const isGivenUp = reported === null && exchanges.some((each) => each.is('getTask') && !each.ok);
  if (!end || isGivenUp) return [];
  const output = readField(reported, 'output') ?? null;
  // As in the line itself, the output of a task that is not done may be left out.
  const isLeftOut = output === null && end.status !== 'done';
  if (readField(reported, 'status') === end.status && (isLeftOut || isSame(output, readTaskOutput(end))))
    return [];
  const read = { status: end.status, output: readTaskOutput(end) };
  const [shown, expected] = showDifference(reported, read);
  const message = `In the line ${ask} is ${shown}, and exchange ${end.seq} has ${expected}. Each wait returns the end of the task.`;
  return [createFailure('line/asked', message, [end.seq], { about: ask })];
}

/** Expects an address that a response contained, or nothing if the last response says that there is none. */
function checkReportedAddress(ask: Ask, reported: unknown, { exchanges, end }: ObservedRun): Finding[] {
  const readAddress = (each: ReadExchange) => readField(each.record, ask);
  const reads = exchanges.filter(
    (each) => each.is('getTask', 'createTask') && each.record && readAddress(each) !== undefined,
  );
  const found = reads.filter((each) => typeof readAddress(each) === 'string' && readAddress(each) !== '');
  const last = found.at(-1) ?? reads.at(-1);
  if (found.some((each) => hasSameDestination(reported, readAddress(each)))) return [];
  const isNone = reported === null || reported === '';
  // Null after the end of the task means not ready yet. A live address is not available later.
  const isReady = ask === 'live_url' || end === undefined || readAddress(last!) !== null;
  if (!last || (isNone && found.length === 0 && isReady)) return [];
  const [shown, expected] = showDifference(reported, readAddress(last));
  const delivered = `exchange ${last.seq} has ${expected}`;
  const advice =
    found.length === 0 && isNone
      ? `, which means not ready yet. Request it again, for a limited time, until it is an address or an empty text.`
      : '. Report the value from the service.';
  const evidence = end ? [...new Set([end.seq, last.seq])] : [last.seq];
  return [
    createFailure('line/asked', `In the line ${ask} is ${shown}, and ${delivered}${advice}`, evidence, {
      about: ask,
    }),
  ];
}
