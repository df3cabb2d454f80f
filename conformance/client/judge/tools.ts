import { groupBy, removeMatches } from '../../../spec/lists.js';
import type { Finding } from '../../../spec/vocabulary.js';
import { formatCount } from '../../common/text.js';
import { readField, show, showDifference, toFields } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { Job, ToolOutcome } from '../types.js';
import type { LostRequest } from './dropped-requests.js';
import { createFailure } from './findings.js';
import type { GiveUpReasons } from './give-up-reasons.js';
import { describeOutcome, isSame, type ObservedCall, type ObservedRun } from './observed-run.js';
import { describeValueChange } from './value-change.js';

/** Compares the first reply to each call with the outcome of its tool run. Reports the first mismatch of each tool. */
export function checkReplyOutcomes(observed: ObservedRun): Finding[] {
  const byTool = groupBy([...observed.calls.values()], (call) => call.tool);
  return [...byTool].flatMap(([tool, ofTool]) => {
    const outcomes = findOutcomes(tool, observed);
    if (!outcomes) return ofTool.flatMap(checkUnknownTool);
    return ofTool.flatMap((call) => checkReplyOutcome(call, ofTool, outcomes, observed)).slice(0, 1);
  });
}

/** Undefined if the client does not have the tool. */
function findOutcomes(tool: string, { run }: ObservedRun): readonly ToolOutcome[] | undefined {
  return Object.hasOwn(run.job.tools, tool) ? run.job.tools[tool] : undefined;
}

function checkUnknownTool(call: ObservedCall): Finding[] {
  const reply = findFirstReply(call);
  if (reply?.reply?.payload?.code !== 200) return [];
  const message = `Call ${show(call.id)} is for the tool ${show(call.tool)}, which the client does not have, and its reply has code 200. Reply with code 400 and a message.`;
  return [
    createFailure('replies/outcome', message, [reply.seq], { requirement: 'TOOL-03', about: call.about }),
  ];
}

function checkReplyOutcome(
  call: ObservedCall,
  calls: readonly ObservedCall[],
  outcomes: readonly ToolOutcome[],
  { line, stop, run: { job } }: ObservedRun,
): Finding[] {
  const reply = findFirstReply(call);
  // Tools that were running when the client stopped the task may have no result.
  if (!reply || call.isTooLate || (stop && stop.seq < reply.seq)) return [];
  const selectOutcome = (run: number) => outcomes[Math.min(run, outcomes.length - 1)]!;
  // Usually tools run in the order of the calls.
  if (isMatchingReply(selectOutcome(calls.indexOf(call)), reply)) return [];
  const listed = listToolInputs(call.tool, line?.tool_runs);
  const runs = listCandidateRuns(call, calls, listed, job);
  const expected = runs.map(selectOutcome);
  if (expected.some((outcome) => isMatchingReply(outcome, reply))) return [];
  const [run] = runs;
  const [outcome] = expected;
  const { code, output } = reply.reply?.payload ?? {};
  const isFailure = outcome!.code !== 200;
  const hint =
    !isFailure && code !== 200
      ? 'A tool that succeeded is never reported as failed because a request failed.'
      : isFailure
        ? 'Report a tool that failed with code 400 or 500 and its message.'
        : 'Send the code and the output of the tool unchanged.';
  const input = listed.length > 0 ? ` with the input ${show(call.input)}` : '';
  const [expectedOutput, sentOutput] = showDifference(outcome!.output, output);
  const message = `Run ${run! + 1} of the tool ${show(call.tool)}${input} ended with code ${outcome!.code} and ${expectedOutput}, and the reply to call ${show(call.id)} (exchange ${reply.seq}) has code ${show(code)} and ${sentOutput}. ${hint}`;
  const requirement = isFailure ? 'TOOL-03' : 'TOOL-06';
  const evidence = [call.deliveries[0]!, reply.seq];
  return [createFailure('replies/outcome', message, evidence, { requirement, about: call.about })];
}

/**
 * Indexes of the tool runs that may belong to a call, the likeliest first: by its input in the line, else by the order of the calls.
 * Calls that were delivered together may run in any order.
 */
function listCandidateRuns(
  call: ObservedCall,
  calls: readonly ObservedCall[],
  listed: readonly unknown[],
  job: Job,
): number[] {
  const own = calls.indexOf(call);
  const isTogether = (other: ObservedCall) => other.deliveries[0] === call.deliveries[0];
  const all = [...listed.keys()];
  const same = all.filter((run) => isSame(listed[run], call.input));
  const runs =
    same.length > 0 ? same : all.filter((run) => isSameToolInput(call.tool, call.input, listed[run], job));
  if (runs.length === 0) return [own, ...[...calls.keys()].filter((at) => isTogether(calls[at]!))];
  const alike = calls.filter((other) => isSame(other.input, call.input));
  // If each call ran once, the n-th call belongs to the n-th run.
  const mine = runs.length === alike.length ? runs.filter((_, n) => isTogether(alike[n]!)) : runs;
  return [...mine, own];
}

/** Inputs of the tool's runs in the line. */
function listToolInputs(tool: string, runs: unknown): unknown[] {
  if (!Array.isArray(runs)) return [];
  return runs
    .filter((each) => readField(each, 'name') === tool)
    .map((each) => readField(each, 'input') ?? null);
}

/**
 * Calls that were read in time without a reply. If the client has read the end of the task, the tool may have been running until then.
 * A client with a reason to give up owes no reply, unless it only continued to poll a task that waits for it.
 */
export function checkMissingReplies(observed: ObservedRun, { onTheWay }: GiveUpReasons): Finding[] {
  if (
    observed.stop ||
    observed.end ||
    (observed.gaveUp !== undefined && onTheWay && !isOnlyPolling(observed))
  )
    return [];
  return [...observed.calls.values()].flatMap(({ id, tool, about, isTooLate, replies, deliveries }) => {
    if (isTooLate || replies.length > 0) return [];
    const isUnknown = findOutcomes(tool, observed) === undefined;
    const message = isUnknown
      ? `Call ${show(id)} is for the tool ${show(tool)}, which the client does not have, and it never got a reply. Reply with code 400 and a message: the agent waits for it.`
      : `Call ${show(id)} of the tool ${show(tool)} was delivered in exchange ${deliveries[0]} and never got a reply. Handle the events of every response, including the first, and reply to each call.`;
    const requirement = isUnknown ? 'CLIENT-06' : 'TOOL-10';
    return [createFailure('replies/each-call', message, deliveries.slice(0, 5), { requirement, about })];
  });
}

/** This many polls at the end of a run prove that the client does nothing else. More than between two tries of a request. */
const POLLS_ALONE = 20;

/** The last requests of the run are polls without events. */
function isOnlyPolling({ exchanges }: ObservedRun): boolean {
  const last = exchanges.slice(-POLLS_ALONE);
  return (
    last.length === POLLS_ALONE &&
    last.every((each) => each.is('getTask') && each.ok && each.events.length === 0)
  );
}

/** This many polls after the last try of a reply prove that the client still waits for the task. */
const POLLS_IN_VAIN = 3;

/** Replies that never arrived and were given up while the client polled a task that waits for them. It may give up both. */
export function checkAbandonedReplies(
  { run, exchanges, stop }: ObservedRun,
  lost: readonly LostRequest[],
): Finding[] {
  if (stop || run.end !== 'by-itself') return [];
  return lost.flatMap(({ kind, call, last, about }) => {
    if (kind !== 'reply' || !call) return [];
    const { id, tool, deliveries } = call;
    const polls = exchanges.filter((each) => each.is('getTask') && each.seq > last.seq && each.ok);
    if (polls.length < POLLS_IN_VAIN) return [];
    const message = `The reply to call ${show(id)} of the tool ${show(tool)} was given up: its last try, exchange ${last.seq}, ${describeOutcome(last)}. The client polled ${polls.length} more times for a task that waits for this reply. Send the same reply again, or give up the task.`;
    return [createFailure('replies/given-up', message, [deliveries[0]!, last.seq], { about })];
  });
}

/** The first reply that was not refused for its form. */
function findFirstReply({ replies }: ObservedCall): ReadExchange | undefined {
  return replies.find(({ httpStatus }) => httpStatus !== 422) ?? replies[0];
}

function isMatchingReply(expected: ToolOutcome, exchange: ReadExchange): boolean {
  const { code, output } = exchange.reply?.payload ?? {};
  const isFailure = expected.code !== 200;
  if (isFailure ? code !== 400 && code !== 500 : code !== 200) return false;
  // The deprecated task update carries its output as JSON text.
  const isText = exchange.is('updateTask') && output === JSON.stringify(expected.output);
  return isText || (isFailure ? hasMessage(output, expected.output) : isSame(output, expected.output));
}

/** The output of a failure is a message that contains the error of the tool. */
function hasMessage(output: unknown, error: unknown): boolean {
  if (isSame(output, error)) return true;
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return typeof output === 'string' && output.includes(text);
}

/** The tool runs of the line, compared with the calls: one run for each call, with its input. */
export function checkLineToolRuns(observed: ObservedRun): Finding[] {
  const listed = observed.line?.tool_runs;
  if (!Array.isArray(listed)) return [];
  const calls = [...observed.calls.values()];
  const names = [
    ...listed.map((each) => String(readField(each, 'name') ?? '')),
    ...calls.map(({ tool }) => tool),
  ];
  return [...new Set(names)].flatMap((tool) => {
    const runs = listed.filter((each) => String(readField(each, 'name') ?? '') === tool);
    const inputs = runs.map((each) => readField(each, 'input') ?? null);
    const ofTool = calls.filter((call) => call.tool === tool);
    return checkToolRuns(tool, inputs, ofTool, observed);
  });
}

/** `inputs`: inputs of the runs. */
function checkToolRuns(
  tool: string,
  inputs: readonly unknown[],
  calls: readonly ObservedCall[],
  { run, gaveUp }: ObservedRun,
): Finding[] {
  const createFindings = (
    requirement: 'POLL-06' | 'TOOL-10',
    message: string,
    call?: ObservedCall,
    change?: string,
  ): Finding[] => [
    createFailure('line/tool-runs', message, collectEvidence(call), {
      requirement,
      about: call?.about ?? tool,
      change,
    }),
  ];
  const name = show(tool);
  if (calls.length === 0)
    return createFindings('TOOL-10', `The line has a run of the tool ${name}, which was never called.`);
  // A reply with code 200 is a finding of its own.
  const isUnknown = !Object.hasOwn(run.job.tools, tool) && calls.every((call) => !checkUnknownTool(call)[0]);
  if (inputs.length > 0 && isUnknown)
    return createFindings(
      'TOOL-10',
      `The line has a run of the tool ${name}, which the client does not have. Look a tool up among those of the job alone, not among the members that every object inherits.`,
      calls[0],
    );
  const open = [...calls];
  const others = removeMatches(inputs, open, (input, call) => isSame(call.input, input));
  const extra = removeMatches(others, open, (input, call) =>
    isSameToolInput(tool, call.input, input, run.job),
  );
  const filterByInput = (input: unknown) => calls.filter((call) => isSame(call.input, input));
  const repeated = extra.find((input) => filterByInput(input).length > 0);
  if (repeated !== undefined) {
    const same = filterByInput(repeated);
    const ran = inputs.filter((input) => isSame(input, repeated)).length;
    const call = same.find(({ deliveries }) => deliveries.length > 1) ?? same[0]!;
    const responses = [...new Set(call.deliveries)];
    const where = `${responses.length > 1 ? 'exchanges' : 'exchange'} ${responses.join(', ')}`;
    const message = `The tool ${name} with the input ${show(repeated)} ran ${formatCount(ran, 'time')} for ${formatCount(same.length, 'call')}: an event was handled twice. Call ${show(call.id)} was listed in ${where} and is one call. Keep the ids of the events that you have handled, and skip those.`;
    return createFindings('POLL-06', message, call);
  }
  if (extra.length > 0) {
    const expected = open.length > 0 ? open : calls;
    const [ran, called] = showDifference(extra[0], expected[0]!.input);
    const more = expected.slice(1).map((call) => `, ${show(call.input)}`);
    const message = `The tool ${name} ran with the input ${ran}, and it was called with ${called}${more.join('')}. A tool gets the input of its call as it is.`;
    return createFindings('TOOL-10', message, expected[0], describeValueChange(expected[0]!.input, extra[0]));
  }
  const isOwed = Object.hasOwn(run.job.tools, tool) && gaveUp === undefined;
  const unrun = open.find(({ isTooLate, replies }) => isOwed && !isTooLate && replies.length > 0);
  if (!unrun) return [];
  const message = `Call ${show(unrun.id)} of the tool ${name} got a reply, and the line has no run for it. Run the tool for each call, and list each run.`;
  return createFindings('TOOL-10', message, unrun);
}

function collectEvidence(call: ObservedCall | undefined): number[] {
  const seqs = [...(call?.deliveries ?? []), ...(call?.replies.map(({ seq }) => seq) ?? [])];
  return [...new Set(seqs)];
}

/**
 * Whether a tool ran with the input of its call. Libraries that parse it by the schema of the tool fill in defaults or null, and drop
 * fields that the schema does not have.
 */
export function isSameToolInput(tool: string, called: unknown, ran: unknown, { request }: Job): boolean {
  const tools = Array.isArray(request.custom_tools) ? request.custom_tools : [];
  const inputs = tools.find((each) => readField(each, 'name') === tool);
  return isEqualBySchema(readField(inputs, 'inputs'), called, ran);
}

function isEqualBySchema(schema: unknown, called: unknown, ran: unknown): boolean {
  if (isSame(called, ran)) return true;
  if (Array.isArray(called) && Array.isArray(ran))
    return (
      called.length === ran.length &&
      called.every((member, at) => isEqualBySchema(readField(schema, 'items'), member, ran[at]))
    );
  const [from, to] = [toFields(called), toFields(ran)];
  const properties = toFields(readField(schema, 'properties'));
  if (!from || !to || !properties) return false;
  const required = readField(schema, 'required');
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].every((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (Object.hasOwn(from, name) && Object.hasOwn(to, name))
      return isEqualBySchema(property, from[name], to[name]);
    if (property === undefined) return Object.hasOwn(from, name);
    if (Array.isArray(required) && required.includes(name)) return false;
    return Object.hasOwn(to, name) && (to[name] === null || isSame(to[name], readField(property, 'default')));
  });
}
