import { field } from '../../../conversation/json.js';
import { ended, firstCall, give, played, type Reply, work } from '../../scenarios/player-checks.js';
import { isActive } from '../../scenarios/player-read.js';
import type { Probe, Probing } from '../test-case.js';
import { type Tool, textFor } from '../texts.js';
import { CALLING, CALLS, withTools } from './tool-calls.js';

const two = played({
  id: 'tool-calls/two-tools',
  title: 'A task with two tools calls them by their names, each with input of its own form',
  covers: [...CALLS, 'SERVICE-01'],
  operations: CALLING,
  tasks: 1,
  async run(probing) {
    const task = await withTools(probing, 'two-tools', 'lookup_order', 'ask_person');
    const call = await firstCall(probing, task, ['lookup_order', 'ask_person']);
    const reply = (name: unknown): Reply =>
      name === 'lookup_order'
        ? { code: 200, output: { status: 'shipped', total: 39.9 } }
        : { code: 200, output: 'yes, it has' };
    if (!(await give(probing, task, call, reply(field(call.payload, 'name'))))) return;
    await work(probing, task, ({ payload }) => reply(field(payload, 'name')));
    await ended(probing, task);
  },
});

const rich = played({
  id: 'tool-calls/input-of-many-parts',
  title: 'The input of a call satisfies a schema with lists, nested objects, bounds and enumerations',
  covers: CALLS,
  operations: CALLING,
  tasks: 1,
  async run(probing) {
    const task = await withTools(probing, 'tool-input', 'plan_trip');
    const reply: Reply = { code: 200, output: 'By train through the Alps, then by ship.' };
    const call = await firstCall(probing, task, ['plan_trip']);
    if (!(await give(probing, task, call, reply))) return;
    await work(probing, task, () => reply);
    await ended(probing, task);
  },
});

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

const kinds = Object.entries(OUTPUTS).map(([kind, outputs]) =>
  played({
    id: `tool-calls/output-is-any-${kind}`,
    title:
      kind === 'data'
        ? 'The output of a reply may be an object or a list'
        : 'The output of a reply may be a text, a number, a boolean or null',
    covers: ['TOOL-09', 'EVENT-03', 'SERVICE-01'],
    operations: CALLING,
    tasks: outputs.length,
    async run(probing) {
      let left = outputs;
      // An agent that calls fewer tools than it has needs several tasks.
      while (left.length > 0) {
        const given = await replyWith(probing, left);
        if (given === 0) return probing.inconclusive('the agent called no tool (any more)');
        left = left.slice(given);
      }
    },
  }),
);

/** Replies to the calls of one task with one output after the other; how many there were calls for. */
async function replyWith(probing: Probing, outputs: readonly unknown[]): Promise<number> {
  const tools = outputs.map((_, i) => note(i + 1));
  const task = await probing.player.create({
    task: textFor(probing.settings, 'tool-each'),
    custom_tools: tools,
  });
  for (const [i, output] of outputs.entries()) {
    const call = await probing.player.nextCall(task);
    if (!call) {
      // It was replied to before, and stands still since.
      if (i > 0 && isActive(task.status)) await ended(probing, task);
      return i;
    }
    if (!(await give(probing, task, call, { code: 200, output }, 'TOOL-09'))) return i + 1;
  }
  await work(probing, task, () => ({ code: 200, output: 'nothing else' }));
  await ended(probing, task);
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

export const manyCallsProbes: readonly Probe[] = [...kinds, two, rich];
