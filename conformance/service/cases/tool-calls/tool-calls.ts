import type { ResultCode } from '../../../../spec/vocabulary.js';
import { show } from '../../../conversation/json.js';
import {
  ended,
  firstCall,
  give,
  IN_TIME,
  LONG_MS,
  played,
  type Reply,
  taken,
  work,
} from '../../scenarios/player-checks.js';
import { isActive, isCall, said } from '../../scenarios/player-read.js';
import type { Played } from '../../scenarios/player-types.js';
import type { Probe, Probing } from '../test-case.js';
import { type Purpose, type ToolName, textFor, toolFor } from '../texts.js';

const GOOD: Reply = { code: 200, output: { temp_c: 21 } };

/** What rules see in any conversation with calls. */
export const CALLS = ['TOOL-01', 'TOOL-02', 'TOOL-11', 'EVENT-01', 'EVENT-09'] as const;
export const CALLING = ['createTask', 'getTask', 'sendTaskEvent'] as const;

/** A one-shot task with tools. */
export function withTools(probing: Probing, purpose: Purpose, ...names: ToolName[]): Promise<Played> {
  const { settings, player } = probing;
  return player.create({
    task: textFor(settings, purpose),
    custom_tools: names.map((name) => toolFor(settings, name)),
  });
}

const answered = played({
  id: 'tool-calls/answered',
  title: 'A call that is answered with 200 lets the task come to its end',
  covers: [...CALLS, 'EVENT-03', 'SERVICE-01', 'POLL-02', 'TASK-03', 'TASK-11'],
  operations: CALLING,
  tasks: 2,
  async run(probing) {
    const { player } = probing;
    const tools = [toolFor(probing.settings, 'get_weather')];
    const request = { task: textFor(probing.settings, 'tool-call'), custom_tools: tools };
    const task = await taken(probing, request, 'TASK-11');
    const call = await player.nextCall(task);
    if (!call && isActive(task.status)) await tellWhy(probing, task);
    if (!call) await firstCall(probing, task);
    if (!call || !(await give(probing, task, call, GOOD))) return;
    const { calls } = await work(probing, task, () => GOOD);
    if (!(await ended(probing, task))) return;
    const replied = [call, ...calls].map(({ id }) => id);
    const open = task.events.find((event) => isCall(event) && !replied.includes(event.id));
    const unanswered = `expected a task that is done to have waited for the reply to each of its calls, got ${show(open)}`;
    if (task.status === 'done') probing.expect('TOOL-11', open === undefined, unanswered, task.last);
    const known = task.events.filter(isCall).length;
    for (let i = 1; i <= 3; i++) {
      await probing.sleep(probing.settings.poll_interval_ms * i);
      await player.poll(task);
    }
    const late = task.events.filter(isCall).slice(known)[0];
    const message = `the task is ${task.status}: expected no more calls, got ${show(late)}`;
    probing.expect('TOOL-11', late === undefined, message, task.last);
  },
});

/** Neither a call nor an end: if the task ends without the tool, the agent waits for a call that nobody was shown. */
async function tellWhy(probing: Probing, task: Played): Promise<void> {
  const twin = await probing.player.create({ task: textFor(probing.settings, 'one-shot') });
  if (!(await probing.player.untilEnd(twin))) return;
  const message = `a task without tools ends; with one it neither ends nor calls the tool: expected a tool_call event, got ${said(task.last)}`;
  probing.broke('TOOL-01', message, task.created, task.last, twin.last);
}

const afterAnError = ([400, 500] as const).map((code) =>
  played({
    id: `tool-calls/answered-with-${code}`,
    title: `A reply of ${code} reaches the agent, which goes on`,
    covers: ['TOOL-05', ...CALLS, 'EVENT-03'],
    operations: CALLING,
    tasks: 2,
    async run(probing) {
      const task = await withTools(probing, 'tool-error', 'get_weather');
      const call = await firstCall(probing, task);
      if (!(await give(probing, task, call, refusal(code), 'TOOL-05'))) return;
      const replied = task.last;
      const { calls, stuck } = await work(probing, task, () => GOOD);
      if (stuck) return standsStill(probing, task, code, calls.length);
      const message = `a reply of ${code}: expected the agent to go on, got ${said(task.last)}`;
      if (calls.length > 0 || task.status === 'done')
        probing.expect('TOOL-05', true, message, replied, task.last);
    },
  }),
);

function refusal(code: ResultCode): Reply {
  const output =
    code === 400 ? 'city: write the name in full' : 'the weather station does not answer, try again';
  return { code, output };
}

/** It may only be slow: a task whose calls all succeed tells. */
async function standsStill(probing: Probing, task: Played, code: number, later: number): Promise<void> {
  const twin = await withTools(probing, 'tool-error', 'get_weather');
  const { stuck } = await work(probing, twin, () => GOOD);
  if (stuck) return probing.inconclusive(`the agent did not go on ${IN_TIME}, nor does it after a 200`);
  const after = later > 0 ? `a reply of ${code} and ${later} of 200` : `a reply of ${code}`;
  const message = `after ${after}: expected the agent to call again or to end ${IN_TIME}, as it does without the error; got ${said(task.last)}`;
  probing.broke('TOOL-05', message, task.last, twin.last);
}

const unanswered = played({
  id: 'tool-calls/left-waiting',
  title: 'A task waits for the reply to a call, and takes it when it comes',
  covers: [...CALLS, 'EVENT-03', 'POLL-02', 'POLL-08'],
  operations: CALLING,
  tasks: 1,
  async run(probing) {
    const { player, settings } = probing;
    const task = await withTools(probing, 'tool-call', 'get_weather');
    const call = await firstCall(probing, task);
    const began = probing.now();
    for (let i = 1; i <= 5 && (i === 1 || probing.now() - began < LONG_MS); i++) {
      const { last } = task;
      await probing.sleep(settings.poll_interval_ms * 2);
      const answer = await player.poll(task);
      const message = `call ${show(call.id)} has no reply yet: expected the task to wait for it, got ${said(answer)}`;
      probing.expect('TOOL-01', task.status !== 'done', message, last, answer);
      if (!isActive(task.status)) return;
      probing.expect('POLL-08', true, 'it goes on waiting', last, answer);
    }
    if (!(await give(probing, task, call, GOOD))) return;
    await work(probing, task, () => GOOD);
    await ended(probing, task);
  },
});

const twice = played({
  id: 'tool-calls/replied-to-twice',
  title: 'A second reply to the same call does the task no harm',
  covers: [...CALLS, 'EVENT-02', 'EVENT-03', 'SERVICE-01'],
  operations: CALLING,
  tasks: 1,
  async run(probing) {
    const task = await withTools(probing, 'tool-calls', 'get_weather');
    const call = await firstCall(probing, task);
    if (!(await give(probing, task, call, GOOD))) return;
    // Left open what is said to it; the agent has its answer.
    await probing.player.reply(task, call.id, 200, { temp_c: 21 });
    const { calls } = await work(probing, task, () => GOOD);
    await ended(probing, task);
    const again = calls.find(({ id }) => id === call.id);
    const known = task.events.filter(isCall).length;
    const message = `expected ids of calls not to be used again, got ${show(again)} among ${known} calls`;
    probing.expect('EVENT-02', again === undefined, message, task.last);
  },
});

const without = played({
  id: 'tool-calls/no-tools',
  title: 'A task without tools calls none',
  covers: ['TOOL-11', 'SERVICE-01'],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(probing) {
    const task = await probing.player.create({ task: textFor(probing.settings, 'tool-call') });
    await ended(probing, task);
    const call = task.events.find(isCall);
    const message = `no tool was registered: expected no call, got ${show(call)}`;
    if (!isActive(task.status))
      probing.expect('TOOL-11', call === undefined, message, task.created, task.last);
  },
});

export const toolProbes: readonly Probe[] = [answered, ...afterAnError, unanswered, twice, without];
