import type { Ask } from '../../../scenarios/format/types.js';
import { field, showDifference } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { ClientRun } from '../types.js';
import { isAddressOf } from './addresses.js';
import { isSame, type ObservedRun, outputIn } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';

/** What the job asks for and the line does not report: the client's adapter cannot, and so the scenario shows nothing of it. */
export function unreported({ job, line }: Pick<ClientRun, 'job' | 'line'>): Ask[] {
  return job.asks.filter((ask) => field(line?.asked, ask) === undefined);
}

/** What the job asks for, compared with what the client read. */
export function lineAsked(observed: ObservedRun): RunFinding[] {
  const { run, line, gaveUp } = observed;
  if (gaveUp !== undefined) return [];
  return run.job.asks.flatMap((ask) => {
    const reported = field(line?.asked, ask);
    if (reported === undefined) return [];
    return ask === 'second_wait' || ask === 'wait_again'
      ? wrongWait(ask, reported, observed)
      : wrongAddress(ask, reported, observed);
  });
}

function wrongWait(ask: Ask, reported: unknown, { end }: ObservedRun): RunFinding[] {
  if (!end) return [];
  const output = field(reported, 'output') ?? null;
  // The output of a task that was not done may be left out, as in the line itself.
  const isLeftOut = output === null && end.status !== 'done';
  if (field(reported, 'status') === end.status && (isLeftOut || isSame(output, outputIn(end)))) return [];
  const read = { status: end.status, output: outputIn(end) };
  const [shown, expected] = showDifference(reported, read);
  const message = `In the line ${ask} is ${shown}, and exchange ${end.seq} brought ${expected}. Each wait gives the end of the task.`;
  return [failure('line/asked', message, [end.seq], { about: ask })];
}

/** An address that a response brought, or nothing where the last one says that there is none. */
function wrongAddress(ask: Ask, reported: unknown, { exchanges, end }: ObservedRun): RunFinding[] {
  const said = (each: ReadExchange) => field(each.record, ask);
  const reads = exchanges.filter(
    (each) => each.is('getTask', 'createTask') && each.record && said(each) !== undefined,
  );
  const found = reads.filter((each) => typeof said(each) === 'string' && said(each) !== '');
  const last = found.at(-1) ?? reads.at(-1);
  if (found.some((each) => isAddressOf(reported, said(each)))) return [];
  const isNone = reported === null || reported === '';
  // Null once the task is over: not ready yet. There is no more to wait for where it is live.
  const isReady = ask === 'live_url' || said(last!) !== null;
  if (!last || (isNone && found.length === 0 && isReady)) return [];
  const [shown, expected] = showDifference(reported, said(last));
  const brought = `exchange ${last.seq} said ${expected}`;
  const advice =
    found.length === 0 && isNone
      ? `, which means not ready yet. Ask again, for a bounded time, until it is an address or an empty text.`
      : '. Report what the service said.';
  const evidence = end ? [...new Set([end.seq, last.seq])] : [last.seq];
  return [
    failure('line/asked', `In the line ${ask} is ${shown}, and ${brought}${advice}`, evidence, {
      about: ask,
    }),
  ];
}
