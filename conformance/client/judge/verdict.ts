import { byEnd } from '../../conversation/read-exchange.js';
import { clientRules, untimedRules } from '../../rules/client-rules.js';
import { judgeReadExchanges } from '../../rules/judge.js';
import type { ClientRun } from '../types.js';
import { inTurn } from './action-order.js';
import { doneAsTold } from './actions.js';
import { ended, madeNoRequest } from './ended.js';
import { exitCode } from './exit.js';
import type { RunFinding } from './finding.js';
import { lineForm, lineTruth, surrender } from './line.js';
import { atWallTimes, ordered } from './ordered.js';
import { givenUp, outcomes, unanswered } from './replies.js';
import { results } from './results.js';
import { excuseSameInstant } from './same-instant.js';
import { Story } from './story.js';
import { toolRuns } from './tool-runs.js';
import { troublesOf } from './troubles.js';
import { weighed } from './weigh.js';

export type { RunFinding } from './finding.js';

const timed = clientRules.filter((rule) => rule.timed);

/**
 * Everything there is to say about one run of a client: by the rules over the exchanges, and by what its line, its exit
 * and its end say, held against what passed. Level `must` fails the run. Nothing about a run that somebody stopped.
 */
export function findingsOf(run: ClientRun): RunFinding[] {
  if (run.end === 'aborted') return [];
  const story = new Story(run);
  const how = ended(story);
  const none = madeNoRequest(story);
  if (none.length > 0 || run.end === 'not-started' || run.end === 'not-virtual')
    return [...how, ...none, ...(how.length > 0 ? [] : lineForm(story))];
  const troubles = troublesOf(story);
  const found = [
    ...byRules(story),
    ...how,
    ...doneAsTold(story, troubles),
    ...inTurn(story),
    ...outcomes(story),
    ...unanswered(story, troubles),
    ...givenUp(story),
    ...lineForm(story),
    ...lineTruth(story),
    ...results(story, troubles),
    ...toolRuns(story),
    ...surrender(story, troubles),
    ...exitCode(story),
  ];
  return excuseSameInstant(story, weighed(found, story, troubles));
}

/** In real time an answer that has left is not there yet, ms. */
const LATENCY_MS = 5;

/** Rules that compare times do so on the client's own clock. */
function byRules({ run, ended: seen }: Story): RunFinding[] {
  if (run.way !== 'command') return judgeReadExchanges(clientRules, seen).findings();
  return [
    ...judgeReadExchanges(untimedRules, ordered(run, LATENCY_MS).sort(byEnd)).findings(),
    ...judgeReadExchanges(timed, atWallTimes(run).sort(byEnd)).findings(),
  ];
}
