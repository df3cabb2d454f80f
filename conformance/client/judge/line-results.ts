import type { RequirementId } from '../../../spec/generated/documents.js';
import { removeMatches } from '../../../spec/lists.js';
import { type Finding, RESULT_CODES } from '../../../spec/vocabulary.js';
import { readField, show, showDifference } from '../../conversation/json.js';
import { isReadBefore, type ReadExchange } from '../../conversation/read-exchange.js';
import { isSentTooOften } from './actions.js';
import { createFailure } from './findings.js';
import { type GiveUpReasons, isRefusedRepetition } from './give-up-reasons.js';
import { isSame, type ObservedAction, type ObservedRun } from './observed-run.js';
import { describeValueChange } from './value-change.js';

/** An entry of `results` in the line. */
type ReportedResult = { name: string; code: unknown; output: unknown };

/** The results of the line, compared with those in the responses. */
export function checkLineResults(observed: ObservedRun, troubles: GiveUpReasons): Finding[] {
  const { line, gaveUp } = observed;
  const listed = Array.isArray(line?.results) ? line.results : gaveUp === undefined ? undefined : [];
  if (listed === undefined) return [];
  const reported: ReportedResult[] = listed.map((each) => ({
    name: String(readField(each, 'name') ?? ''),
    code: readField(each, 'code'),
    output: readField(each, 'output') ?? null,
  }));
  // Beside an action that never had a result, the results that came are compared first.
  const open = [...observed.actions.values()].sort((one, other) => countResults(other) - countResults(one));
  const unequal = removeMatches(
    reported,
    open,
    (each, action) => each.code === action.result?.code && isMatchingResult(each, action),
  );
  const wrong = removeMatches(unequal, open, isMatchingResult);
  const found = [
    ...open.flatMap((action) => checkMissingResult(action, wrong, observed, troubles)),
    ...wrong.map((result) => createResultFailure(result, open, observed)),
  ];
  return found.length > 0 ? found : checkResultOrder(reported, observed);
}

const countResults = ({ result }: ObservedAction): number => (result ? 1 : 0);

/** The order of the actions, or that in which the results came. */
function checkResultOrder(reported: readonly ReportedResult[], observed: ObservedRun): Finding[] {
  const sent = [...observed.actions.values()];
  const listed = [...observed.conversation.tasks.values()].flatMap(({ results }) => [...results.keys()]);
  const delivered = sent.toSorted((one, other) => listed.indexOf(one.id) - listed.indexOf(other.id));
  const late = findOutOfOrder(reported, sent);
  if (!late || !findOutOfOrder(reported, delivered)) return [];
  const { name, output } = late;
  const message = `The line has the results in another order than the actions: the result of ${name} with the output ${show(output)} stands behind the result of a later action. List the results in the order of the actions.`;
  return [createFailure('line/results', message, observed.last, { requirement: 'CLIENT-07', about: name })];
}

/** The first result whose action is not behind those of the results before it. */
function findOutOfOrder(
  reported: readonly ReportedResult[],
  actions: readonly ObservedAction[],
): ReportedResult | undefined {
  let next = 0;
  return reported.find((result) => {
    const at = actions.findIndex((action, index) => index >= next && isMatchingResult(result, action));
    next = at + 1;
    return at === -1;
  });
}

function isMatchingResult(
  { name, code, output }: ReportedResult,
  { name: sent, result, attempts }: ObservedAction,
): boolean {
  if (name !== sent) return false;
  // Without a result the line must not report a success.
  if (!result) return code !== 200;
  // The API does not define what the refusal of a repetition means: the client may end the action with it.
  const isEndedBefore = (each: ReadExchange) =>
    isRefusedRepetition(each, attempts) && each.respondedAt <= result.respondedAt;
  if (code !== 200 && attempts.some(isEndedBefore)) return true;
  // A library may map a code that is not in the API to an error without a number.
  if (RESULT_CODES.every((known) => known !== result.code) && code !== 200) return true;
  if (code !== result.code) return false;
  return isSameOutput(output, result.output) || (sent === 'goto' && result.output === null && isVoid(output));
}

/** A library may represent the null of a goto as nothing, or as an empty result object. */
function isVoid(output: unknown): boolean {
  if (output === null || output === undefined || output === '' || output === 0) return true;
  return typeof output === 'object' && Object.values(output).every(isVoid);
}

/** The output as delivered, or without the surrounding credits and duration. */
function isSameOutput(reported: unknown, delivered: unknown): boolean {
  if (isSame(reported, delivered)) return true;
  const hasFigures =
    readField(delivered, 'credits_used') !== undefined || readField(delivered, 'duration') !== undefined;
  return hasFigures && isSame(reported, readField(delivered, 'output'));
}

function checkMissingResult(
  action: ObservedAction,
  wrong: readonly ReportedResult[],
  observed: ObservedRun,
  { onTheWay }: GiveUpReasons,
): Finding[] {
  const { name, result, about } = action;
  const { run, end, stop, gaveUp, exchanges } = observed;
  if (name === 'close' || !result || wrong.some((each) => each.name === name)) return [];
  const { seq, code, isWithEnd } = result;
  // A client may leave out a result after the end of the task, or after it stopped the session.
  if (end && seq !== end.seq && !isReadBefore(result, end)) return [];
  // A cancel is sent whatever has been read, a close after the result. From its time on a client need not wait for results.
  const { cancel_after_ms } = run.job;
  const isLate = cancel_after_ms !== null && result.respondedAt > exchanges[0]!.at + cancel_after_ms;
  const isOnTheWay = cancel_after_ms !== null && (stop?.canKnow(result) === false || isLate);
  if (isOnTheWay || (stop && result.respondedAt > stop.at)) return [];
  // A client that gives up stops waiting, but it has received a result in the same response as the end.
  if (gaveUp !== undefined && (onTheWay || !isWithEnd)) return [];
  if (isSentTooOften(action, observed)) {
    const twice = `The result of ${name} was delivered in exchange ${seq}, and the line does not have it: the action was sent again under another id, and was performed twice. Send the same event again, with the same id.`;
    return [createFailure('actions/once', twice, [seq], { about })];
  }
  const hint = isWithEnd
    ? ' It was in the same response as the end of the task: read the events of a response before its status.'
    : '';
  const message = `The result of ${name} was delivered in exchange ${seq} with the code ${show(code)}, and the line does not have it.${hint}`;
  const requirement = isWithEnd ? 'CLIENT-05' : 'CLIENT-10';
  return [createFailure('line/results', message, [seq], { requirement, about })];
}

/** `open`: the actions whose results the line does not have. */
function createResultFailure(
  reported: ReportedResult,
  open: readonly ObservedAction[],
  observed: ObservedRun,
): Finding {
  const { name, code, output } = reported;
  const actions = [...observed.actions.values()];
  const createFinding = (
    requirement: RequirementId,
    problem: string,
    action?: ObservedAction,
    shown = show(output),
    change?: string,
  ): Finding => {
    const message = `The line has a result of ${show(name)} with the code ${show(code)} and the output ${shown}${problem}`;
    const evidence = action?.result ? [action.result.seq] : [];
    const details = { requirement, about: action?.about ?? name, change };
    return createFailure('line/results', message, evidence, details);
  };
  const same = actions.filter((action) => action.name === name);
  if (same.some((action) => isMatchingResult(reported, action))) {
    const problem =
      ' more often than it was delivered: handle a result that is listed again once, by its id.';
    return createFinding('POLL-06', problem, same[0]);
  }
  const other = actions.find(
    ({ name: its, result }) => its !== name && result?.code === code && isSameOutput(output, result?.output),
  );
  if (same.length > 0 && other?.result) {
    const problem = `, which is the result of ${other.name} (exchange ${other.result.seq}). Results are matched to actions by their id, whatever their order.`;
    return createFinding('CLIENT-07', problem, other);
  }
  const missed = open.find((action) => action.name === name && action.result);
  const own = missed ?? same.find(({ result }) => result);
  if (!own?.result)
    return createFinding('CLIENT-10', ', and no such result ever reached the client.', same[0]);
  const { seq, code: listed, output: delivered } = own.result;
  const [shown, expected] = showDifference(output, delivered);
  const problem = `, and exchange ${seq} brought the code ${show(listed)} and the output ${expected}.`;
  const change = missed && code === listed ? describeValueChange(delivered, output) : undefined;
  return createFinding('CLIENT-10', problem, own, shown, change);
}
