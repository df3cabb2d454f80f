import { field, show } from '../../rules/body.js';
import type { ToolOutcome } from '../types.js';
import { failure, type RunFinding } from './finding.js';
import { same } from './same.js';
import type { CallStory, ReplyTry, Story } from './story.js';
import type { Troubles } from './troubles.js';

/** The first reply to each call, held against how the run of its tool came out. */
export function outcomes(story: Story): RunFinding[] {
  const { run, calls } = story;
  const byTool = new Map<string, CallStory[]>();
  for (const call of calls.values()) byTool.set(call.tool, [...(byTool.get(call.tool) ?? []), call]);
  return [...byTool].flatMap(([tool, all]) => {
    if (!Object.hasOwn(run.job.tools, tool)) return all.flatMap((call) => unknownTool(call));
    const given = run.job.tools[tool]!;
    return all.flatMap((call, n) => outcome(call, n, given, all, story)).slice(0, 1);
  });
}

/** Tools that nobody has cannot succeed. */
function unknownTool(call: CallStory): RunFinding[] {
  const reply = firstOf(call);
  if (!reply || field(reply.payload, 'code') !== 200) return [];
  const message = `Call ${show(call.id)} is for the tool ${show(call.tool)}, which the client has not got, and its reply says code 200. Reply with code 400 and a message.`;
  return [
    failure({
      rule: 'replies/outcome',
      requirement: 'TOOL-03',
      message,
      evidence: [reply.seq],
      about: call.about,
    }),
  ];
}

function outcome(
  call: CallStory,
  n: number,
  given: readonly ToolOutcome[],
  all: readonly CallStory[],
  story: Story,
): RunFinding[] {
  const reply = firstOf(call);
  // Tools that were at work when the client stopped the task may come to nothing.
  if (!reply || call.tooLate || (story.stopped !== undefined && story.stopped < reply.seq)) return [];
  const expected = outcomeOf(given, n);
  if (expected === undefined || says(reply, expected)) return [];
  // Calls that come together may be run in any order.
  const together = all
    .map((other, at) => ({ other, at }))
    .filter(({ other }) => other.delivered[0] === call.delivered[0]);
  const order = runOrder(story, all);
  const mine = order?.indexOf(call);
  const candidates = mine === undefined ? together.map(({ at }) => at) : [mine];
  if (candidates.some((at) => says(reply, outcomeOf(given, at)))) return [];
  const code = field(reply.payload, 'code');
  const hint =
    expected.code === 200 && code !== 200
      ? ' A tool that succeeded is never reported as failed because a request failed.'
      : expected.code !== 200 && code === 200
        ? ' A tool that failed is reported with its code and its message.'
        : ' Send the output as it is, as JSON.';
  const message = `Run ${n + 1} of the tool ${show(call.tool)} came out with code ${expected.code} and ${show(expected.output)}, and the reply to call ${show(call.id)} (exchange ${reply.seq}) says code ${show(code)} and ${show(field(reply.payload, 'output'))}.${hint}`;
  return [
    failure({
      rule: 'replies/outcome',
      requirement: expected.code === 200 ? 'TOOL-06' : 'TOOL-03',
      message,
      evidence: [call.delivered[0]!, reply.seq],
      about: call.about,
    }),
  ];
}

/** The calls of a tool in the order in which the line says they were run; undefined where inputs do not tell them apart. */
function runOrder({ line }: Story, all: readonly CallStory[]): CallStory[] | undefined {
  const runs = Array.isArray(line?.tool_runs) ? line.tool_runs : [];
  const tool = all[0]?.tool;
  const inputs = runs
    .filter((each) => field(each, 'name') === tool)
    .map((each) => field(each, 'input') ?? null);
  if (inputs.length !== all.length) return undefined;
  const order = inputs.map((input) => all.filter((call) => same(call.input, input)));
  return order.every((found) => found.length === 1) ? order.map(([found]) => found!) : undefined;
}

/** Calls that were read in time and that nobody ever tried to answer. A client that had reason to give up owes nothing. */
export function unanswered(story: Story, { on_the_way }: Troubles): RunFinding[] {
  const { run, calls, stopped } = story;
  if (stopped !== undefined || (story.gaveUp !== undefined && on_the_way)) return [];
  return [...calls.values()].flatMap(({ id, tool, about, tooLate, replies, delivered }) => {
    if (tooLate || replies.length > 0) return [];
    const isUnknown = !Object.hasOwn(run.job.tools, tool);
    const message = isUnknown
      ? `Call ${show(id)} is for the tool ${show(tool)}, which the client has not got, and it was met with silence. Reply with code 400 and a message: the agent waits for it.`
      : `Call ${show(id)} of the tool ${show(tool)} came in exchange ${delivered[0]} and never got a reply. Handle the events of every answer, the first one too, and reply to each call.`;
    return [
      failure({
        rule: 'replies/each-call',
        requirement: isUnknown ? 'CLIENT-06' : 'TOOL-10',
        message,
        evidence: delivered.slice(0, 5),
        about,
      }),
    ];
  });
}

/** The first that was not refused for its form. */
function firstOf({ replies }: CallStory): ReplyTry | undefined {
  return replies.find(({ status }) => status !== 422) ?? replies[0];
}

function outcomeOf(given: readonly ToolOutcome[], n: number): ToolOutcome | undefined {
  return given[Math.min(n, given.length - 1)];
}

function says({ payload, byUpdate }: ReplyTry, expected: ToolOutcome | undefined): boolean {
  if (expected === undefined || field(payload, 'code') !== expected.code) return false;
  const output = field(payload, 'output');
  return same(output, expected.output) || (byUpdate && output === JSON.stringify(expected.output));
}
