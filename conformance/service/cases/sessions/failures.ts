import { RESULT_CODES } from '../../../../spec/vocabulary.js';
import { field, show } from '../../../conversation/json.js';
import type { Answer } from '../../http-client/response.js';
import {
  actedOn,
  confirmed,
  failedResult,
  IN_TIME,
  openSession,
  played,
} from '../../scenarios/player-checks.js';
import { codeOf, isActive, said } from '../../scenarios/player-read.js';
import type { Played } from '../../scenarios/player-types.js';
import type { Probe, Probing } from '../test-case.js';
import { ACTING } from './sessions.js';

const SCRIPT = { js: 'return 1' };

const NO_ACTION = 'taskdouble_no_such_action';

interface Failing {
  name: string;
  input: Record<string, unknown>;
  /** Nothing is wrong with the request, so that it has to be taken. */
  sound: boolean;
  /** Why it cannot be a success, where that is certain. */
  fails?: string;
}

/** Actions that fail, or may. */
const FAILING: readonly Failing[] = [
  {
    name: 'evaluate_js',
    input: { js: 'throw new Error("on purpose")' },
    sound: true,
    fails: 'the script throws',
  },
  { name: 'goto', input: { url: 'https://taskdouble.invalid/' }, sound: true },
  { name: 'goto', input: {}, sound: false },
  { name: 'extract', input: { schema: 'not a schema' }, sound: false },
  { name: NO_ACTION, input: {}, sound: false, fails: 'there is no such action' },
];

const failing = played({
  id: 'sessions/action-that-fails',
  title: 'What became of a failed action stands in its result, and the session goes on',
  covers: ['ERROR-09', 'EVENT-08', 'EVENT-11', 'EVENT-12', 'SESSION-01'],
  operations: ACTING,
  tasks: 1,
  async run(probing) {
    const session = await openSession(probing);
    for (const { name, input, sound, fails } of FAILING) {
      const { id, answer } = await probing.player.act(session, name, input);
      const what = `${name} ${show(input)}`;
      // Input that does not validate may be refused like any other.
      if (!answer.ok && !sound && answer.status < 500) continue;
      const refused = answer.ok ? [] : (['ERROR-09'] as const);
      if (!(await confirmed(probing, session, answer, what, ...refused))) return;
      const result = await probing.player.result(session, id);
      if (!result && !isActive(session.status)) break;
      const missing = `${what}: expected a result ${IN_TIME}, got none`;
      if (!probing.expect('EVENT-08', result !== undefined, missing, answer, session.last)) return;
      if (failedResult(result!)) probing.expect('ERROR-09', true, what, answer, session.last);
      const code = codeOf(result!);
      if (fails !== undefined) {
        const message = `${what}: ${fails}, expected code 400 or 500, got ${show(result!.payload)}`;
        probing.expect('EVENT-12', code !== 200, message, answer, session.last);
      }
      const known = RESULT_CODES.some((each) => each === code);
      const message = `${what}: expected code 200, 400 or 500, got ${show(code)}`;
      probing.expect('EVENT-11', known, message, answer, session.last);
    }
    const answer = await probing.player.poll(session);
    const message = `an action failed: expected the session to go on running, got ${said(answer)}`;
    if (!probing.expect('SESSION-01', isActive(session.status), message, answer)) return;
    await actedOn(probing, session, 'evaluate_js', SCRIPT, 'SESSION-01');
  },
});

const refusals = played({
  id: 'sessions/events-refused',
  title: 'Events under other names, or with a payload that is no object, are refused with 422',
  covers: ['EVENT-05', 'EVENT-03', 'ERROR-01', 'ERROR-02'],
  operations: ACTING,
  tasks: 1,
  async run(probing) {
    const session = await openSession(probing);
    const good = { name: 'browser_action', payload: { name: 'evaluate_js', input: SCRIPT } };
    const twin = await post(probing, session, good);
    if (!(await confirmed(probing, session, twin, show(good)))) return;
    const wrong = [
      { name: 'taskdouble_event' },
      { name: 'tool_result' },
      { name: '' },
      { name: 7 },
      { payload: 'evaluate_js' },
      { payload: [good.payload] },
      { payload: 7 },
    ];
    for (const change of wrong) {
      const answer = await post(probing, session, { ...good, ...change });
      const message = `an event was accepted; the same with ${show(change)}: expected 422, got ${said(answer)}`;
      if (!probing.expect('EVENT-05', answer.status === 422, message, twin, answer)) continue;
      probing.expect('ERROR-01', true, message, twin, answer);
      const told = field(answer.body, 'detail') !== undefined;
      probing.expect('ERROR-02', told, `expected a 422 with detail, got ${said(answer)}`, answer);
    }
    const answer = await probing.player.poll(session);
    const message = `events were refused: expected the session to go on running, got ${said(answer)}`;
    probing.expect('EVENT-05', isActive(session.status), message, answer);
  },
});

function post(
  probing: Probing,
  session: Played,
  event: { name: unknown; payload: unknown },
): Promise<Answer> {
  const timestamp = Math.floor(probing.now());
  const body = { ...event, id: probing.unique(), timestamp };
  return probing.send('sendTaskEvent', { path: { task_id: session.id }, body });
}

export const failureProbes: readonly Probe[] = [failing, refusals];
