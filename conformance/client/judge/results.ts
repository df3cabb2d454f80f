import type { RequirementId } from '../../../spec/generated/documents.js';
import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import { isSame, type ObservedAction, type ObservedRun } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';
import type { Troubles } from './troubles.js';

/** An entry of the line's `results`. */
type ReportedResult = { name: string; code: unknown; output: unknown };

/** The results of the line, compared with those that the client read. */
export function lineResults(observed: ObservedRun, troubles: Troubles): RunFinding[] {
  const { line, gaveUp } = observed;
  const listed = Array.isArray(line?.results) ? line.results : gaveUp === undefined ? undefined : [];
  if (listed === undefined) return [];
  const reported: ReportedResult[] = listed.map((each) => ({
    name: String(field(each, 'name') ?? ''),
    code: field(each, 'code'),
    output: field(each, 'output') ?? null,
  }));
  const open = [...observed.actions.values()];
  const wrong = reported.filter((result) => {
    const at = open.findIndex((action) => fits(result, action));
    if (at !== -1) open.splice(at, 1);
    return at === -1;
  });
  return [
    ...open.flatMap((action) => missingResult(action, wrong, observed, troubles)),
    ...wrong.map((result) => wrongResult(result, observed)),
  ];
}

function fits({ name, code, output }: ReportedResult, { name: sent, result }: ObservedAction): boolean {
  if (name !== sent) return false;
  // Without a result the line must not report a success.
  if (!result) return code !== 200;
  // A library may turn a code that the API does not know into an error without a number.
  if (RESULT_CODES.every((known) => known !== result.code) && code !== 200) return true;
  return code === result.code && isOutputOf(output, result.output);
}

/** The output as it came, or without the credits and the duration around it. */
function isOutputOf(reported: unknown, came: unknown): boolean {
  if (isSame(reported, came)) return true;
  const hasFigures = field(came, 'credits_used') !== undefined || field(came, 'duration') !== undefined;
  return hasFigures && isSame(reported, field(came, 'output'));
}

function missingResult(
  { name, result, about }: ObservedAction,
  wrong: readonly ReportedResult[],
  { end, stop, gaveUp }: ObservedRun,
  { onTheWay }: Troubles,
): RunFinding[] {
  if (name === 'close' || !result || wrong.some((each) => each.name === name)) return [];
  const { seq, respondedAt, code, isWithEnd } = result;
  // A client may leave out what was overtaken by the end, or comes after it stopped the session.
  if (end && seq !== end.seq && respondedAt >= end.respondedAt) return [];
  if (stop && respondedAt > stop.at) return [];
  // A client that gives up waits for nothing more; but a result comes before the end in the same response.
  if (gaveUp !== undefined && (onTheWay || !isWithEnd)) return [];
  const hint = isWithEnd
    ? ' It came together with the end of the task: read the events of a response before its status.'
    : '';
  const message = `The result of ${name} was delivered in exchange ${seq} with the code ${show(code)}, and the line does not have it.${hint}`;
  const requirement = isWithEnd ? 'CLIENT-05' : 'CLIENT-10';
  return [failure('line/results', message, [seq], { requirement, about })];
}

function wrongResult(reported: ReportedResult, observed: ObservedRun): RunFinding {
  const { name, code, output } = reported;
  const actions = [...observed.actions.values()];
  const found = (requirement: RequirementId, problem: string, action?: ObservedAction): RunFinding => {
    const message = `The line has a result of ${show(name)} with the code ${show(code)} and the output ${show(output)}${problem}`;
    const evidence = action?.result ? [action.result.seq] : [];
    return failure('line/results', message, evidence, { requirement, about: action?.about ?? name });
  };
  const same = actions.filter((action) => action.name === name);
  if (same.some((action) => fits(reported, action))) {
    const problem = ' once more than it came: a result that is listed again is handled once, by its id.';
    return found('POLL-06', problem, same[0]);
  }
  const other = actions.find(
    ({ name: its, result }) => its !== name && result?.code === code && isOutputOf(output, result?.output),
  );
  if (same.length > 0 && other?.result) {
    const problem = `, which is the result of ${other.name} (exchange ${other.result.seq}). Results are matched to actions by their id, whatever their order.`;
    return found('CLIENT-07', problem, other);
  }
  const came = same.find(({ result }) => result);
  if (!came?.result) return found('CLIENT-10', ', and no such result ever reached the client.', same[0]);
  const { seq, code: listed, output: delivered } = came.result;
  const problem = `, and exchange ${seq} brought the code ${show(listed)} and the output ${show(delivered)}.`;
  return found('CLIENT-10', problem, came);
}
