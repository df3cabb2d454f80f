import { field } from '../../../conversation/json.js';
import { isActive } from '../../test-case/read-task.js';
import { expectEnd, firstToolCall, give, type Reply, work } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { type Tool, textFor } from '../../test-case/texts.js';
import { CALLING, CALLS, withTools } from './tool-calls.js';

const two: TestCase = {
  id: 'tool-calls/two-tools',
  title: 'A task with two tools calls them by their names, each with input of its own form',
  covers: [...CALLS, 'SERVICE-01'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await withTools(t, 'two-tools', 'lookup_order', 'ask_person');
    const call = await firstToolCall(t, task, ['lookup_order', 'ask_person']);
    const reply = (name: unknown): Reply =>
      name === 'lookup_order'
        ? { code: 200, output: { status: 'shipped', total: 39.9 } }
        : { code: 200, output: 'yes, it has' };
    if (!(await give(t, task, call, reply(field(call.payload, 'name'))))) return;
    await work(t, task, ({ payload }) => reply(field(payload, 'name')));
    await expectEnd(t, task);
  },
};

const rich: TestCase = {
  id: 'tool-calls/input-of-many-parts',
  title: 'The input of a call satisfies a schema with lists, nested objects, bounds and enumerations',
  covers: CALLS,
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await withTools(t, 'tool-input', 'plan_trip');
    const reply: Reply = { code: 200, output: 'By train through the Alps, then by ship.' };
    const call = await firstToolCall(t, task, ['plan_trip']);
    if (!(await give(t, task, call, reply))) return;
    await work(t, task, () => reply);
    await expectEnd(t, task);
  },
};

/** Values of each kind that JSON has. */
const OUTPUTS: Readonly<Record<string, readonly unknown[]>> = {
  data: [
    { text: 'Buy milk.', tags: ['home', 'today'], done: false, by: null },
    ['bread', { eggs: 6 }],
    {},
    [],
  ],
  value: ['Call the plumber.', 42.5, false, null],
};

const kinds = Object.entries(OUTPUTS).map(
  ([kind, outputs]): TestCase => ({
    id: `tool-calls/output-is-any-${kind}`,
    title:
      kind === 'data'
        ? 'The output of a reply may be an object or a list'
        : 'The output of a reply may be a text, a number, a boolean or null',
    covers: ['TOOL-09', 'EVENT-03', 'SERVICE-01'],
    operations: CALLING,
    tasks: outputs.length,
    async run(t) {
      let left = outputs;
      // An agent that calls fewer tools than it has needs several tasks.
      while (left.length > 0) {
        const given = await replyWith(t, left);
        if (given === 0) return t.inconclusive('the agent called no tool (any more)');
        left = left.slice(given);
      }
    },
  }),
);

/** Replies to the calls of one task with one output after the other; how many there were calls for. */
async function replyWith(t: TestContext, outputs: readonly unknown[]): Promise<number> {
  const tools = outputs.map((_, i) => note(i + 1));
  const task = await t.createTask({
    task: textFor(t.settings, 'tool-each'),
    custom_tools: tools,
  });
  for (const [i, output] of outputs.entries()) {
    const call = await t.nextToolCall(task);
    if (!call) {
      // It was replied to before, and stands still since.
      if (i > 0 && isActive(task.status)) await expectEnd(t, task);
      return i;
    }
    if (!(await give(t, task, call, { code: 200, output }, 'TOOL-09'))) return i + 1;
  }
  await work(t, task, () => ({ code: 200, output: 'nothing else' }));
  await expectEnd(t, task);
  return outputs.length;
}

function note(nth: number): Tool {
  return {
    name: `read_note_${nth}`,
    description: `Reads note number ${nth}.`,
    inputs: { type: 'object', properties: {}, required: [] },
    output: 'Whatever is on the note.',
  };
}

export const manyCallsCases: readonly TestCase[] = [...kinds, two, rich];
