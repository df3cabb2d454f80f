import { isActive } from '../../../../spec/vocabulary.js';
import { TEXT_ENDS } from '../../../common/interesting-values.js';
import { isSameJson, readField, show } from '../../../conversation/json.js';
import { readCode } from '../../test-case/read-task.js';
import {
  expectAction,
  expectConfirmed,
  expectResult,
  openSession,
  SCRIPT,
} from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { ACTING } from './sessions.js';

/** Values of scripts by type: a usual one, and some that services often change. */
const VALUES: readonly { usual: unknown; unusual: readonly unknown[] }[] = [
  { usual: 'taskdouble', unusual: ['', ' ', '0170', '42', 'true', 'null', '{}', 'taskdouble '.repeat(40)] },
  { usual: 7, unusual: [0, 0.5, 2 ** 40] },
  { usual: true, unusual: [false] },
  { usual: [7], unusual: [[], [[]], [0, '']] },
  { usual: { a: 1 }, unusual: [{}, { a: 0, b: '' }] },
];

const values: TestCase = {
  id: 'sessions/values-of-scripts',
  title: 'The output of a script is its value, also if that is empty, long or resembles another type',
  covers: ['EVENT-08', 'EVENT-12', 'SESSION-08'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    for (const { usual, unusual } of VALUES) {
      const runScript = async (value: unknown) => {
        const js = `return ${JSON.stringify(value)}`;
        const result = await expectAction(t, session, 'evaluate_js', { js }, 'SESSION-08');
        return result && readCode(result) === 200 ? result.payload : undefined;
      };
      const first = await runScript(usual);
      // The output, or the object with output and cost (open point `event.result-shape`).
      const readValue = [
        (payload: unknown) => readField(payload, 'output'),
        (payload: unknown) => readField(readField(payload, 'output'), 'output'),
      ].find((read) => isSameJson(read(first), usual));
      // A service may return script values in another form.
      if (!readValue) continue;
      for (const value of unusual) {
        const payload = await runScript(value);
        if (payload === undefined) continue;
        const output = readValue(payload);
        const message = `a script that returns ${show(value)}: expected that as output, as for ${show(usual)}, got ${show(output)}`;
        t.expect(['EVENT-12', 'SESSION-08'], isSameJson(output, value), message, session.last);
      }
    }
    if (!isActive(session.status)) t.inconclusive(`the session was ${session.status} after actions`);
  },
};

/** Ids of actions of many kinds; any unique text is one. */
function createIds(t: TestContext): string[] {
  const digits = `00${t.unique().replaceAll(/\D/g, '')}${Math.floor(t.now())}`;
  return [digits, ...Object.values(TEXT_ENDS).map((end) => t.unique() + end)];
}

const ids: TestCase = {
  id: 'sessions/ids-of-any-text',
  title: 'An action has its result under its id, whatever text that is and whichever other task had it',
  covers: ['EVENT-03', 'EVENT-08'],
  operations: ACTING,
  tasks: 2,
  async run(t) {
    const other = await openSession(t);
    const session = await openSession(t);
    const used = t.unique();
    for (const [task, id] of [
      [other, used],
      ...createIds(t).map((each) => [session, each]),
      [session, used],
    ] as [typeof session, string][]) {
      const { response } = await t.act(task, 'evaluate_js', SCRIPT, { id, mayBeRefused: true });
      if (!response.ok) continue;
      const what = `evaluate_js with the id ${show(id)}`;
      if (!(await expectConfirmed(t, task, response, what))) return;
      if (!(await expectResult(t, task, { id, what, sent: response }, 'EVENT-08'))) return;
    }
  },
};

export const valueCases: readonly TestCase[] = [values, ids];
