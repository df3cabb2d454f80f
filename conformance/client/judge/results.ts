import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { ObservedAction, ObservedRun } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';
import type { Troubles } from './troubles.js';
import { isOutputOf } from './values.js';

type ResultEntry = { name: string; code: unknown; output: unknown };

/** The results of the line, compared with those that the client read. */
export function lineResults(observed: ObservedRun, troubles: Troubles): RunFinding[] {
  const { line, gaveUp } = observed;
  const listed = Array.isArray(line?.results) ? line.results : gaveUp === undefined ? undefined : [];
  if (listed === undefined) return [];
  const entries: ResultEntry[] = listed.map((each) => ({
    name: String(field(each, 'name') ?? ''),
    code: field(each, 'code'),
    output: field(each, 'output') ?? null,
  }));
  const open = [...observed.actions.values()];
  const strays = entries.filter((entry) => {
    const at = open.findIndex((action) => fits(entry, action));
    if (at !== -1) open.splice(at, 1);
    return at === -1;
  });
  return [
    ...open.flatMap((action) => missing(action, strays, observed, troubles)),
    ...strays.map((entry) => stray(entry, observed)),
  ];
}

function fits({ name, code, output }: ResultEntry, { name: sent, result }: ObservedAction): boolean {
  if (name !== sent) return false;
  // Nothing came: the line must not claim a success.
  if (!result) return code !== 200;
  // A library may turn a code that the API does not know into an error without a number.
  if (RESULT_CODES.every((known) => known !== result.code) && code !== 200) return true;
  return code === result.code && isOutputOf(output, result.output);
}

function missing(
  action: ObservedAction,
  strays: readonly ResultEntry[],
  observed: ObservedRun,
  { onTheWay }: Troubles,
): RunFinding[] {
  const { name, result } = action;
  if (name === 'close' || !result || !isOwed(result.seq, observed)) return [];
  // A result that is reported wrongly is among the strays.
  if (strays.some((entry) => entry.name === name)) return [];
  // A client that gives up at a request waits for nothing more; but a result that is there wins over the end that came with it.
  if (observed.gaveUp !== undefined && (onTheWay || !result.isWithEnd)) return [];
  const withEnd = result.isWithEnd
    ? ' It came together with the end of the task: read the events of a response before its status.'
    : '';
  const message = `The result of ${name} was delivered in exchange ${result.seq} with the code ${show(result.code)}, and the line does not have it.${withEnd}`;
  const requirement = result.isWithEnd ? 'CLIENT-05' : 'CLIENT-10';
  return [failure('line/results', message, [result.seq], { requirement, about: action.about })];
}

/** A client may leave out what comes after it stopped the session, or in a response that was overtaken by the end. */
function isOwed(seq: number, { end, stopped, conversation }: ObservedRun): boolean {
  const response = conversation.exchange(seq);
  if (!response) return false;
  if (end && seq !== end.seq && response.respondedAt >= end.respondedAt) return false;
  const stop = stopped === undefined ? undefined : conversation.exchange(stopped);
  return stop === undefined || response.respondedAt <= stop.at;
}

function stray({ name, code, output }: ResultEntry, { actions }: ObservedRun): RunFinding {
  const same = [...actions.values()].filter((action) => action.name === name);
  const listed = `The line has a result of ${show(name)} with the code ${show(code)} and the output ${show(output)}`;
  const found = (
    requirement: 'CLIENT-07' | 'CLIENT-10' | 'POLL-06',
    problem: string,
    action?: ObservedAction,
  ): RunFinding =>
    failure('line/results', listed + problem, action?.result ? [action.result.seq] : [], {
      requirement,
      about: action?.about ?? name,
    });
  const [first] = same;
  if (!first)
    return found(
      'CLIENT-10',
      ', and the client sent no such action. Report what came, each under the name of its action.',
    );
  if (same.some((action) => fits({ name, code, output }, action)))
    return found(
      'POLL-06',
      ' once more than it came: a result that is listed again is dealt with once, by its id.',
      first,
    );
  const other = [...actions.values()].find(
    ({ name: its, result }) => its !== name && result?.code === code && isOutputOf(output, result?.output),
  );
  if (other)
    return found(
      'CLIENT-07',
      `, which is the result of ${other.name} (exchange ${other.result?.seq}). Results are matched to actions by their id, whatever their order.`,
      other,
    );
  const came = same.find(({ result }) => result);
  if (!came?.result) return found('CLIENT-10', ', and no result of it ever reached the client.', first);
  const { seq, code: given, output: brought } = came.result;
  return found(
    'CLIENT-10',
    `, and exchange ${seq} brought the code ${show(given)} and the output ${show(brought)}.`,
    came,
  );
}
