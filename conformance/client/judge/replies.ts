import { isTerminal } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { ToolOutcome } from '../types.js';
import type { ObservedCall, ObservedRun } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';
import type { Troubles } from './troubles.js';
import { groupBy, isSame } from './values.js';

/** The first reply to each call, compared with the outcome of the run of its tool. */
export function replyOutcomes(observed: ObservedRun): RunFinding[] {
  const { run, calls } = observed;
  const byTool = groupBy([...calls.values()], ({ tool }) => tool);
  return [...byTool].flatMap(([tool, all]) => {
    const outcomes = Object.hasOwn(run.job.tools, tool) ? run.job.tools[tool] : undefined;
    if (!outcomes) return all.flatMap(unknownToolSucceeds);
    const inputs = inputsOf(observed, tool);
    return all
      .flatMap((call) => otherOutcome(call, outcomes, candidates(call, all, inputs), observed))
      .slice(0, 1);
  });
}

/** A tool that the client does not have cannot succeed. */
function unknownToolSucceeds(call: ObservedCall): RunFinding[] {
  const reply = firstOf(call);
  if (reply?.reply?.payload?.code !== 200) return [];
  const message = `Call ${show(call.id)} is for the tool ${show(call.tool)}, which the client has not got, and its reply says code 200. Reply with code 400 and a message.`;
  return [failure('replies/outcome', message, [reply.seq], { requirement: 'TOOL-03', about: call.about })];
}

/** Runs of its tool that a call may have had, the likeliest first, counted from 0. */
interface Candidates {
  runs: readonly number[];
  /** They are known by the input in the line. */
  byInput: boolean;
}

function otherOutcome(
  call: ObservedCall,
  outcomes: readonly ToolOutcome[],
  { runs, byInput }: Candidates,
  { stopped }: ObservedRun,
): RunFinding[] {
  const reply = firstOf(call);
  // Tools that were at work when the client stopped the task may come to nothing.
  if (!reply || call.isTooLate || (stopped !== undefined && stopped < reply.seq)) return [];
  const outcomeOf = (run: number) => outcomes[Math.min(run, outcomes.length - 1)];
  if (runs.some((run) => says(reply, outcomeOf(run)))) return [];
  const [run] = runs;
  const expected = run === undefined ? undefined : outcomeOf(run);
  if (run === undefined || expected === undefined) return [];
  const { code, output } = reply.reply?.payload ?? {};
  const hint =
    expected.code === 200 && code !== 200
      ? ' A tool that succeeded is never reported as failed because a request failed.'
      : expected.code !== 200 && code === 200
        ? ' A tool that failed is reported with its code and its message.'
        : ' Send the output as it is, as JSON.';
  const input = byInput ? ` with the input ${show(call.input)}` : '';
  const message = `Run ${run + 1} of the tool ${show(call.tool)}${input} came out with code ${expected.code} and ${show(expected.output)}, and the reply to call ${show(call.id)} (exchange ${reply.seq}) says code ${show(code)} and ${show(output)}.${hint}`;
  const requirement = expected.code === 200 ? 'TOOL-06' : 'TOOL-03';
  return [
    failure('replies/outcome', message, [call.deliveries[0]!, reply.seq], { requirement, about: call.about }),
  ];
}

/**
 * By the inputs in the line, where it has the call's input; else in the order of the list. Calls that came together may
 * run in any order. A client may also list its runs in another order than they began in.
 */
function candidates(
  call: ObservedCall,
  all: readonly ObservedCall[],
  inputs: readonly unknown[],
): Candidates {
  const isTogether = (other: ObservedCall) => other.deliveries[0] === call.deliveries[0];
  const runs = [...inputs.keys()].filter((run) => isSame(inputs[run], call.input));
  if (runs.length === 0) {
    const together = [...all.keys()].filter((n) => isTogether(all[n]!));
    return { runs: [all.indexOf(call), ...together], byInput: false };
  }
  const alike = all.filter((other) => isSame(other.input, call.input));
  const mine = runs.length === alike.length ? runs.filter((_, n) => isTogether(alike[n]!)) : runs;
  const own = runs.length === alike.length ? [runs[alike.indexOf(call)]!] : [];
  return { runs: [...own, ...mine, all.indexOf(call)], byInput: true };
}

/** Inputs of the tool's runs in the line, in their order. */
function inputsOf({ line }: ObservedRun, tool: string): unknown[] {
  const runs = Array.isArray(line?.tool_runs) ? line.tool_runs : [];
  return runs.filter((each) => field(each, 'name') === tool).map((each) => field(each, 'input') ?? null);
}

/** Calls that were read in time and never got a reply. A client that had reason to give up owes nothing. */
export function missingReplies(observed: ObservedRun, { onTheWay }: Troubles): RunFinding[] {
  const { run, calls, stopped } = observed;
  if (stopped !== undefined || (observed.gaveUp !== undefined && onTheWay)) return [];
  return [...calls.values()].flatMap(({ id, tool, about, isTooLate, replies, deliveries }) => {
    if (isTooLate || replies.length > 0) return [];
    const isUnknown = !Object.hasOwn(run.job.tools, tool);
    const message = isUnknown
      ? `Call ${show(id)} is for the tool ${show(tool)}, which the client has not got, and it was met with silence. Reply with code 400 and a message: the agent waits for it.`
      : `Call ${show(id)} of the tool ${show(tool)} came in exchange ${deliveries[0]} and never got a reply. Handle the events of every response, the first one too, and reply to each call.`;
    const requirement = isUnknown ? 'CLIENT-06' : 'TOOL-10';
    return [failure('replies/each-call', message, deliveries.slice(0, 5), { requirement, about })];
  });
}

/** Polls after the last attempt at a reply that show that the client goes on waiting for the task. */
const POLLS_IN_VAIN = 3;

/**
 * Replies that never arrived and were given up, while the client waited on for a task that waits for them. A client may
 * give up the task with the reply.
 */
export function abandonedReplies({ run, exchanges, calls, stopped }: ObservedRun): RunFinding[] {
  if (stopped !== undefined || run.end !== 'by-itself') return [];
  const waiting = new Set(
    run.tasks
      .filter(({ status }) => !isTerminal(status))
      .flatMap((task) => task.calls.filter(({ reply }) => reply === undefined).map(({ id }) => id)),
  );
  return [...calls.values()].flatMap(({ id, tool, about, isTooLate, replies, deliveries }) => {
    const last = replies.at(-1);
    if (isTooLate || !last || !waiting.has(id)) return [];
    if (replies.some(({ httpStatus }) => httpStatus > 0 && httpStatus < 500)) return [];
    const polls = exchanges.filter((each) => each.is('getTask') && each.seq > last.seq && each.ok);
    if (polls.length < POLLS_IN_VAIN) return [];
    const how = last.httpStatus === 0 ? 'got no response' : `was answered with ${last.httpStatus}`;
    const message = `The reply to call ${show(id)} of the tool ${show(tool)} was given up: its last try, exchange ${last.seq}, ${how}. The client polled ${polls.length} more times for a task that waits for this reply. Send the same reply again, or give up the task.`;
    return [failure('replies/given-up', message, [deliveries[0]!, last.seq], { about })];
  });
}

/** The first that was not refused for its form. */
function firstOf({ replies }: ObservedCall): ReadExchange | undefined {
  return replies.find(({ httpStatus }) => httpStatus !== 422) ?? replies[0];
}

function says(exchange: ReadExchange, expected: ToolOutcome | undefined): boolean {
  const { code, output } = exchange.reply?.payload ?? {};
  if (expected === undefined || code !== expected.code) return false;
  // The deprecated update of a task has its output as JSON text.
  const isText = exchange.is('updateTask') && output === JSON.stringify(expected.output);
  return isText || isSame(output, expected.output);
}
