import { show } from '../../../conversation/json.js';
import {
  actedOn,
  confirmed,
  IN_TIME,
  openSession,
  played,
  stillKnown,
} from '../../scenarios/player-checks.js';
import { codeOf, isActive, isResultOf, said } from '../../scenarios/player-read.js';
import type { Played } from '../../scenarios/player-types.js';
import type { Probe, Probing } from '../test-case.js';
import { ACTING } from './sessions.js';

const SCRIPT = { js: 'return 1' };

/** So often all events of a closed session are read before its close counts as not answered. */
const READINGS = 4;

const closed = played({
  id: 'sessions/closed-by-event',
  title: 'A close ends the session, and nothing is done in it any more',
  covers: ['SESSION-10', 'POLL-02', 'TASK-02', 'TASK-07', 'TASK-08', 'EVENT-03', 'EVENT-08'],
  operations: ACTING,
  tasks: 1,
  async run(probing) {
    const session = await openSession(probing);
    if (!(await actedOn(probing, session, 'evaluate_js', SCRIPT, 'SESSION-08'))) return;
    const id = await close(probing, session);
    if (id === undefined) return;
    await closeIsAnswered(probing, session, id);
    await nothingIsDone(probing, session);
    const { status } = session;
    const answer = await probing.player.poll(session);
    const message = `expected a session that is ${status} to stay so, got ${said(answer)}`;
    probing.expect('SESSION-10', session.status === status, message, answer);
  },
});

const unused = played({
  id: 'sessions/closed-unused',
  title: 'A session can be closed before anything was done in it',
  covers: ['SESSION-10', 'POLL-02', 'EVENT-03'],
  operations: ACTING,
  tasks: 2,
  async run(probing) {
    const other = await openSession(probing);
    const session = await openSession(probing);
    if ((await close(probing, session)) === undefined) return;
    const answer = await probing.player.poll(other);
    const message = `session ${session.id} was closed: expected ${other.id} to go on running, got ${said(answer)}`;
    probing.expect('SESSION-10', isActive(other.status), message, session.last, answer);
  },
});

const deleted = played({
  id: 'sessions/stopped-by-delete',
  title: 'After DELETE nothing is done in a session any more',
  covers: ['TASK-17', 'TASK-13', 'POLL-02'],
  operations: ACTING,
  tasks: 1,
  async run(probing) {
    const { player } = probing;
    const session = await openSession(probing);
    if (!(await actedOn(probing, session, 'evaluate_js', SCRIPT, 'SESSION-08'))) return;
    const answer = await player.cancel(session);
    const taken = `DELETE of an open session: expected success, got ${said(answer)}`;
    if (!probing.expect('TASK-17', answer.ok, taken, session.last, answer)) return;
    const over = await player.untilEnd(session);
    const message = `DELETE was accepted: expected the status cancelled, got ${said(session.last)}`;
    if (!probing.expect('TASK-13', over && session.status === 'cancelled', message, session.last)) return;
    await nothingIsDone(probing, session, 'TASK-17');
  },
});

/** Sends a close, which has to end the session. Its id; undefined where it did not. */
async function close(probing: Probing, session: Played): Promise<string | undefined> {
  const { player } = probing;
  const { id, answer } = await player.act(session, 'close');
  const refused = answer.ok ? [] : (['SESSION-10'] as const);
  if (!(await confirmed(probing, session, answer, 'close', ...refused))) return undefined;
  const over = await player.untilEnd(session);
  const message = `close was accepted: expected the session to be over ${IN_TIME}, got ${said(session.last)}`;
  if (!probing.expect('SESSION-10', over, message, answer, session.last)) return undefined;
  await stillKnown(probing, session);
  return id;
}

/** Like every action a close has a result, with the end of the session at the latest. */
async function closeIsAnswered(probing: Probing, session: Played, id: string): Promise<void> {
  const { player, settings } = probing;
  // One that failed had no part in the close.
  if (session.status === 'failed') return;
  const found = () => session.events.find((event) => isResultOf(event, id));
  for (let i = 0; i < READINGS && !found(); i++) {
    if (i > 0) await probing.sleep(settings.poll_interval_ms);
    await player.poll(session, 0);
  }
  const result = found();
  const ids = show(session.events.map((event) => event.id));
  const expected = `close was accepted and the session is ${session.status}: expected a result with the id ${show(id)} and the name session_action`;
  const message = `${expected}, got ${result ? show(result) : `events with the ids ${ids}`}`;
  probing.expect('EVENT-08', result?.name === 'session_action', message, session.last);
}

/** It may be refused or be confirmed and go nowhere: an action to what is over must not be carried out. */
async function nothingIsDone(
  probing: Probing,
  session: Played,
  requirement: 'SESSION-10' | 'TASK-17' = 'SESSION-10',
): Promise<void> {
  const { player, settings } = probing;
  const { id, answer } = await player.act(session, 'evaluate_js', SCRIPT);
  for (let i = 0; i < 4; i++) {
    await probing.sleep(settings.poll_interval_ms);
    await player.poll(session);
  }
  const done = session.events.find((event) => event.id === id && codeOf(event) === 200);
  const message = `the session is ${session.status}: expected an action to be refused or to go nowhere, got its result ${show(done)}`;
  probing.expect(requirement, done === undefined, message, answer, session.last);
}

export const closingProbes: readonly Probe[] = [closed, unused, deleted];
