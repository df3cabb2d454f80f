import type { Finding } from '../../../spec/vocabulary.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { clientRules, untimedRules } from '../../rules/client-rules.js';
import { type Judge, judgeExchanges } from '../../rules/judge.js';
import type { ClientRun } from '../types.js';
import {
  actionDifference,
  actionOrder,
  closing,
  refusedActions,
  repeatedActions,
  unsentActions,
} from './actions.js';
import { lineAsked } from './asked.js';
import { cancellation } from './cancel.js';
import { noRequest, requestDifference, taskCreation } from './create.js';
import { droppedRequests, lostRequests } from './dropped.js';
import { runEnd } from './ended.js';
import { exitCode, lineForm, lineOutput, lineResults, lineStatus, needlessError } from './line.js';
import { clientTimesOf, inOrder, ObservedRun } from './observed-run.js';
import { advice, type RunFinding } from './run-rules.js';
import { excuseServiceFault } from './service-fault.js';
import { abandonedReplies, lineToolRuns, missingReplies, replyOutcomes } from './tools.js';
import { type Troubles, troublesOf } from './troubles.js';

export type { RunFinding } from './run-rules.js';

/**
 * Everything that is wrong with one run of a client: by the rules over the exchanges, and by its result line, its exit code
 * and its end, compared with the exchanges. Level `must` fails the run. Empty for a run that was aborted.
 */
export function findingsOf(run: ClientRun): RunFinding[] {
  if (run.end === 'aborted') return [];
  const exchanges = inOrder(run);
  // One conversation for the rules and for everything after them.
  const judge = run.kind === 'command' ? undefined : judgeExchanges(clientRules, exchanges);
  const observed = new ObservedRun(run, exchanges, judge?.clientTasks());
  const end = runEnd(observed);
  const none = noRequest(observed);
  if (none.length > 0 || run.end === 'not-started' || run.end === 'not-virtual')
    return [...end, ...none, ...(end.length > 0 ? [] : lineForm(observed))];
  const troubles = troublesOf(observed);
  const lost = lostRequests(observed);
  const abandoned = [...cancellation(observed, troubles), ...abandonedReplies(observed, lost)];
  // Where it is known that the task waited for it, that is said instead.
  const dropped = abandoned.length > 0 ? [] : droppedRequests(observed, lost);
  const found = [
    brokenRules(observed, judge),
    end,
    taskCreation(observed, troubles),
    requestDifference(observed),
    repeatedActions(observed),
    dropped,
    // What follows an action that was dropped may be left out with it.
    dropped.length > 0 ? [] : unsentActions(observed, troubles),
    actionDifference(observed),
    refusedActions(observed),
    closing(observed, troubles),
    actionOrder(observed),
    replyOutcomes(observed),
    missingReplies(observed, troubles),
    abandoned,
    lineForm(observed),
    lineStatus(observed, dropped.length > 0),
    lineOutput(observed),
    lineResults(observed, troubles),
    lineToolRuns(observed),
    lineAsked(observed),
    // The error of a client that waited in vain says no more than that.
    dropped.length + abandoned.length > 0 ? [] : needlessError(observed, troubles),
    exitCode(observed),
  ].flat();
  return excuseServiceFault(observed, [
    ...weigh(found, observed, troubles),
    ...gaveUp(observed, troubles, found),
  ]);
}

/** In real time a response needs so long to arrive, ms. */
const LATENCY_MS = 5;

const timedRules = clientRules.filter((rule) => rule.timed);

/** Rules that compare times do so on the client's own clock. */
function brokenRules(observed: ObservedRun, judge: Judge | undefined): RunFinding[] {
  const findings = judge?.findings() ?? realTimeFindings(observed);
  return findings.map((finding) => ({ ...finding, about: aboutOf(finding, observed) }));
}

function realTimeFindings({ run }: ObservedRun): Finding[] {
  const onClock = run.exchanges.map((each) => new ReadExchange(each, 0, clientTimesOf(run, each)));
  return [
    ...judgeExchanges(untimedRules, inOrder(run, LATENCY_MS)).findings(),
    ...judgeExchanges(timedRules, onClock).findings(),
  ];
}

/** The step of the call or action that a rule's finding is about: the last one that its evidence sent, else the one it names. */
function aboutOf({ evidence, event }: RunFinding, observed: ObservedRun): string | undefined {
  const sent = evidence.map((seq) => observed.at(seq)?.sent?.id).reverse();
  for (const id of [...sent, event]) {
    const known = typeof id === 'string' ? (observed.calls.get(id) ?? observed.actions.get(id)) : undefined;
    if (known) return known.about;
  }
  return undefined;
}

/** Advice about the cursor is the cause of a failure where events were handled twice. */
const CAUSES_OF_REPETITION = new Set(['polling/event-t-back', 'polling/event-t-still']);
const REPETITIONS = new Set(['replies/once', 'line/tool-runs', 'line/results']);

/** The levels that findings have together. */
function weigh(found: readonly RunFinding[], observed: ObservedRun, { onTheWay }: Troubles): RunFinding[] {
  const isRepeated = found.some(
    ({ rule, requirement, level }) => REPETITIONS.has(rule) && requirement === 'POLL-06' && level === 'must',
  );
  return found.map((finding) => {
    const { rule } = finding;
    // A client that gives up, as it may, has its last request on the way.
    if (rule === 'run/goes-on' && observed.gaveUp !== undefined && onTheWay)
      return { ...finding, level: 'advice' };
    return isRepeated && CAUSES_OF_REPETITION.has(rule) ? { ...finding, level: 'must' } : finding;
  });
}

/** A client that gave up where a repeated request would have succeeded. */
function gaveUp(
  { gaveUp: error, last }: ObservedRun,
  { mendable, isBadEnd }: Troubles,
  found: readonly RunFinding[],
): RunFinding[] {
  // A client that gave up a request, and then waited in vain, did not give up the task.
  const polledInVain = found.some(({ rule }) => rule === 'replies/given-up' || rule === 'requests/dropped');
  if (error === undefined || mendable === undefined || isBadEnd || polledInVain) return [];
  const message = `The client gave up (${JSON.stringify(error)}), as it may: ${mendable}. A client that repeats the request a limited number of times succeeds more often.`;
  return [advice('line/gave-up', message, last)];
}
