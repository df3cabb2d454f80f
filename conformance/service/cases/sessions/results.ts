import { field, show } from '../../../conversation/json.js';
import { codeOf } from '../../test-case/read-task.js';
import { expectConfirmed, openSession } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import { ACTING } from './sessions.js';

interface ActionCase {
  name: string;
  input: Record<string, unknown>;
  /** Whether an output is what this action asked for, and not what the other one of its pair did. */
  fits(output: unknown): boolean;
}

const extract = (name: string, schema: object, fits: (value: unknown) => boolean): ActionCase => ({
  name: 'extract',
  input: { schema: { type: 'object', properties: { [name]: schema }, required: [name] } },
  fits: (output) => fits(field(output, name)),
});
const script = (value: string): ActionCase => ({
  name: 'evaluate_js',
  input: { js: `return '${value}'` },
  fits: (output) => output === value,
});

/** Two actions each, whose outputs cannot be taken for each other. */
const PAIRS: readonly (readonly [ActionCase, ActionCase])[] = [
  [
    extract('title', { type: 'string' }, (value) => typeof value === 'string'),
    extract('headings', { type: 'array', items: { type: 'string' } }, Array.isArray),
  ],
  [script('taskdouble-one'), script('taskdouble-two')],
];

const own: TestCase = {
  id: 'sessions/results-of-their-own',
  title: 'Of two actions under way each result has the output of its own action',
  covers: ['EVENT-08'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    for (const pair of PAIRS) {
      const sent = [];
      for (const action of pair) {
        const { id, response } = await t.act(session, action.name, action.input);
        if (!(await expectConfirmed(t, session, response, `${action.name} with actions under way`))) return;
        sent.push({ ...action, id, response });
      }
      const outputs = [];
      for (const { id } of sent) {
        const result = await t.awaitResult(session, id);
        if (!result || codeOf(result) !== 200) break;
        // The output, or that with what it cost around it (open point `event.result-shape`).
        const output = field(result.payload, 'output');
        outputs.push({ output, inner: field(output, 'output') });
      }
      const [one, other] = sent;
      const [first, second] = outputs;
      if (!one || !other || !first || !second) continue;
      const fits = ({ fits: is }: ActionCase, { output, inner }: typeof first) => is(output) || is(inner);
      const swapped = fits(one, second) && fits(other, first) && !fits(one, first) && !fits(other, second);
      if (!swapped && !(fits(one, first) && fits(other, second))) continue;
      const message = `two ${one.name} with the inputs ${show(one.input)} and ${show(other.input)}: expected each output under the id of its action, got ${show(first.output)} and ${show(second.output)}, the one in place of the other`;
      t.expect('EVENT-08', !swapped, message, one.response, other.response, session.last);
    }
  },
};

export const resultCases: readonly TestCase[] = [own];
