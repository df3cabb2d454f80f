import { field } from '../../../conversation/json.js';
import { isActive, isCall } from '../../test-case/read-task.js';
import { expectResult, give, openSession, type Reply } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import { textFor, toolFor } from '../../test-case/texts.js';
import { CALLS } from '../tool-calls/tool-calls.js';
import { ACTING } from './sessions.js';

const GOOD: Reply = { code: 200, output: { temp_c: 7 } };
/** Calls that one run_task is replied to. */
const MOST = 12;

const within: TestCase = {
  id: 'sessions/run-task-that-calls-tools',
  title: 'The agent of a run_task calls the tools of its session, and its result comes after the replies',
  covers: ['SESSION-09', 'EVENT-08', ...CALLS],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const { settings } = t;
    const session = await openSession(t, { custom_tools: [toolFor(settings, 'get_weather')] });
    const task = textFor(settings, 'session-tool-call');
    const { id, response } = await t.act(session, 'run_task', { task, max_steps: 8 });
    const action = { id, name: 'run_task', what: 'run_task with a tool', sent: response };
    if (!response.ok) return t.inconclusive(`run_task was answered with ${response.status}`);
    const answered = new Set<string>();
    for (let call = 0; call < MOST; call++) {
      const next = await nextCallOrResult();
      if (next === undefined) break;
      answered.add(next.id);
      if (!(await give(t, session, next, GOOD))) return;
    }
    await expectResult(t, session, action, 'SESSION-09');
    if (answered.size === 0) t.inconclusive('the agent called no tool');

    /** A call, or undefined once the result is there, the session over or the time up. */
    async function nextCallOrResult() {
      const open = () => session.events.find((event) => isCall(event) && !answered.has(event.id));
      const done = () =>
        session.events.some((event) => event.id === id && field(event.payload, 'code') !== undefined);
      await t.pollUntil(session, () => open() !== undefined || done());
      return isActive(session.status) ? open() : undefined;
    }
  },
};

export const sessionToolCases: readonly TestCase[] = [within];
