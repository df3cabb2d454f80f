import { isTerminal } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { ToolOutcome } from '../types.js';
import { failure, type RunFinding } from './finding.js';
import { same } from './same.js';
import type { CallStory, ReplyTry, Story } from './story.js';
import type { Troubles } from './troubles.js';

/** The first reply to each call, held against the outcome of the run of its tool. */
export function outcomes(story: Story): RunFinding[] {
  const { run, calls } = story;
  const byTool = new Map<string, CallStory[]>();
  for (const call of calls.values()) byTool.set(call.tool, [...(byTool.get(call.tool) ?? []), call]);
  return [...byTool].flatMap(([tool, all]) => {
    if (!Object.hasOwn(run.job.tools, tool)) return all.flatMap((call) => unknownTool(call));
    const inputs = inputsOf(story, tool);
    return all
      .flatMap((call) => outcome(call, run.job.tools[tool]!, candidates(call, all, inputs), story))
      .slice(0, 1);
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

/** Runs of its tool that a call may have had, the likeliest first, counted from 0. */
interface Candidates {
  runs: readonly number[];
  /** They are known by the input in the line. */
  byInput: boolean;
}

function outcome(
  call: CallStory,
  given: readonly ToolOutcome[],
  { runs, byInput }: Candidates,
  story: Story,
): RunFinding[] {
  const reply = firstOf(call);
  // Tools that were at work when the client stopped the task may come to nothing.
  if (!reply || call.tooLate || (story.stopped !== undefined && story.stopped < reply.seq)) return [];
  if (runs.some((run) => says(reply, outcomeOf(given, run)))) return [];
  const [run] = runs;
  const expected = run === undefined ? undefined : outcomeOf(given, run);
  if (run === undefined || expected === undefined) return [];
  const code = field(reply.payload, 'code');
  const hint =
    expected.code === 200 && code !== 200
      ? ' A tool that succeeded is never reported as failed because a request failed.'
      : expected.code !== 200 && code === 200
        ? ' A tool that failed is reported with its code and its message.'
        : ' Send the output as it is, as JSON.';
  const input = byInput ? ` with the input ${show(call.input)}` : '';
  const message = `Run ${run + 1} of the tool ${show(call.tool)}${input} came out with code ${expected.code} and ${show(expected.output)}, and the reply to call ${show(call.id)} (exchange ${reply.seq}) says code ${show(code)} and ${show(field(reply.payload, 'output'))}.${hint}`;
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

/**
 * By the inputs in the line, where it has the call's input; else in the order of the list. Calls that came together may
 * run in any order. A client may also list its runs in another order than they began in.
 */
function candidates(call: CallStory, all: readonly CallStory[], inputs: readonly unknown[]): Candidates {
  const isTogether = (other: CallStory) => other.delivered[0] === call.delivered[0];
  const runs = [...inputs.keys()].filter((run) => same(inputs[run], call.input));
  if (runs.length === 0) {
    const together = [...all.keys()].filter((n) => isTogether(all[n]!));
    return { runs: [all.indexOf(call), ...together], byInput: false };
  }
  const alike = all.filter((other) => same(other.input, call.input));
  const mine = runs.length === alike.length ? runs.filter((_, n) => isTogether(alike[n]!)) : runs;
  const own = runs.length === alike.length ? [runs[alike.indexOf(call)]!] : [];
  return { runs: [...own, ...mine, all.indexOf(call)], byInput: true };
}

/** Inputs of the tool's runs in the line, in their order. */
function inputsOf({ line }: Story, tool: string): unknown[] {
  const runs = Array.isArray(line?.tool_runs) ? line.tool_runs : [];
  return runs.filter((each) => field(each, 'name') === tool).map((each) => field(each, 'input') ?? null);
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

/** Polls after the last try of a reply that show that the client goes on waiting for the task. */
const POLLS_IN_VAIN = 3;

/**
 * Replies that never arrived and were given up, while the client waited on for a task that waits for them. A client that
 * gives up the task with the reply is within its rights.
 */
export function givenUp({ run, seen, calls, stopped }: Story): RunFinding[] {
  if (stopped !== undefined || run.end !== 'by-itself') return [];
  const waiting = new Set(
    run.tasks
      .filter(({ status }) => !isTerminal(status))
      .flatMap((task) => task.calls.filter(({ reply }) => reply === undefined).map(({ id }) => id)),
  );
  return [...calls.values()].flatMap(({ id, tool, about, tooLate, replies, delivered }) => {
    const last = replies.at(-1);
    if (tooLate || !last || !waiting.has(id)) return [];
    if (replies.some(({ status }) => status !== undefined && status < 500)) return [];
    const polls = seen.filter((each) => each.is('getTask') && each.seq > last.seq && each.ok);
    if (polls.length < POLLS_IN_VAIN) return [];
    const how = last.status === undefined ? 'got no response' : `was answered with ${last.status}`;
    const message = `The reply to call ${show(id)} of the tool ${show(tool)} was given up: its last try, exchange ${last.seq}, ${how}. The client polled ${polls.length} more times for a task that waits for this reply. Send the same reply again, or give up the task.`;
    return [
      failure({
        rule: 'replies/given-up',
        requirement: 'TOOL-10',
        message,
        evidence: [delivered[0]!, last.seq],
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
