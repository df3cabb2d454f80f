import { findLacking, listOptionalFields } from '../../../scenarios/format/needs.js';
import type { NetworkRule, Scenario, Step } from '../../../scenarios/format/types.js';
import { ACTIONS } from '../../../spec/vocabulary.js';
import { explainLack } from '../../common/lacks.js';
import { isSameJson } from '../../conversation/json.js';
import type { Job, ToolOutcome } from '../types.js';

/** The outcome of a tool if the scenario does not specify it. */
const PLAIN: ToolOutcome = { code: 200, output: null };
/** Estimated duration of one poll, ms. */
const POLL_MS = 500;

/** The job that makes a client play this scenario. `deadline_ms` counts from its start. */
export function createJob(scenario: Scenario, deadline_ms: number): Job {
  const { request, timeline, asks = [] } = scenario;
  return {
    request,
    tools: collectToolOutcomes(request, timeline),
    actions: timeline.flatMap((step) => findAction(step) ?? []),
    close: findClose(timeline),
    cancel_after_ms: findCancelTime(timeline),
    deadline_ms,
    optional_fields: listOptionalFields(scenario),
    asks,
  };
}

/** The n-th run of a tool has the outcome of the reply to its n-th call. Tools that are not registered have none. */
function collectToolOutcomes(request: Scenario['request'], timeline: readonly Step[]): Job['tools'] {
  const { custom_tools: tools } = request;
  const registered = Array.isArray(tools) ? tools.map((tool) => String(tool?.name)) : [];
  if (registered.length === 0) return {};
  const replies = new Map<string, Extract<Step, { client: 'reply' }>>();
  for (const step of timeline)
    if ('client' in step && step.client === 'reply' && !replies.has(step.to)) replies.set(step.to, step);
  // If the scenario has steps for an error reply, an error covers more of it.
  const ifRefused = new Set(timeline.flatMap((step) => step.if?.reply ?? []));
  const outcomes = new Map<unknown, ToolOutcome[]>(registered.map((tool) => [tool, []]));
  for (const step of timeline) {
    const tool = findCalledTool(step);
    if (tool === undefined) continue;
    const names = [step.id, (step as { event_id?: string }).event_id].filter((name) => name !== undefined);
    const reply = names.map((name) => replies.get(name)).find((each) => each !== undefined);
    const isUnknown = (reply as { unknown_tool?: boolean } | undefined)?.unknown_tool === true;
    const isRefused = names.some((name) => ifRefused.has(name));
    if (isUnknown) outcomes.delete(tool);
    else outcomes.get(tool)?.push(readOutcome(reply, isRefused));
  }
  return Object.fromEntries([...outcomes].map(([tool, runs]) => [tool, trimRepetition(runs)]));
}

function trimRepetition(runs: readonly ToolOutcome[]): ToolOutcome[] {
  const different = runs.findLastIndex((run) => !isSameJson(run, runs.at(-1)));
  return runs.length > 0 ? runs.slice(0, different + 2) : [PLAIN];
}

function readOutcome(reply: Extract<Step, { client: 'reply' }> | undefined, isRefused: boolean): ToolOutcome {
  if (!reply) return PLAIN;
  const { code = isRefused ? 400 : 200, output = code === 200 ? null : 'try again' } = reply;
  return { code, output };
}

function findCalledTool(step: Step): unknown {
  if (!('service' in step)) return undefined;
  if (step.service === 'tool_call') return step.tool;
  return step.service === 'event' && step.name === 'tool_call' ? step.payload.name : undefined;
}

function findAction(step: Step): Job['actions'][number] | undefined {
  if (!('client' in step) || step.client !== 'action' || step.name === 'close') return undefined;
  const { name, input } = step;
  return { name: ACTIONS[name], payload: input === undefined ? { name } : { name, input } };
}

function findClose(timeline: readonly Step[]): Job['close'] {
  for (const step of timeline) {
    if (!('client' in step)) continue;
    if (step.client === 'close') return step.by ?? 'event';
    if (step.client === 'action' && step.name === 'close') return 'event';
  }
  return null;
}

/** A timeline counts from the previous step, a client from the creation of its task. */
function findCancelTime(timeline: readonly Step[]): number | null {
  let passed = 0;
  for (const step of timeline) {
    const wait = (step.after?.time_ms ?? 0) + POLL_MS * (step.after?.polls ?? 0);
    if ('client' in step && step.client === 'cancel') return passed + wait;
    if (step.meanwhile || step.if) continue;
    passed += wait;
    if ('client' in step && step.client === 'poll') passed += POLL_MS * (step.times ?? 1);
  }
  return null;
}

/** Pause between polls of the slowest client that follows the recommendations, ms. */
const SLOWEST_POLL_MS = 10_000;
/** Time for startup, requests and tools in addition to the pauses, ms. */
const WORK_MS = 5000;
/** A client gives up after this part of its time, so that it can still report it. */
const USED_PART = 0.9;

/** Time that the slowest conforming client may need for a scenario, ms: it reads each event with a separate poll. */
export function estimateDeadline({ timeline }: Scenario): number {
  let need_ms = WORK_MS;
  let polls = 1;
  for (const step of timeline) {
    need_ms += step.after?.time_ms ?? 0;
    polls += step.after?.polls ?? 0;
    if ('service' in step) polls++;
    else if ('network' in step) need_ms += estimateDelay(step);
    else if (step.client === 'poll') polls += step.times ?? 1;
    // Without a later service step, the client still has to read the end.
    else if (step.client === 'close' || step.client === 'cancel') polls++;
  }
  return Math.ceil((need_ms + polls * SLOWEST_POLL_MS) / USED_PART / 1000) * 1000;
}

/** A rule that affects more requests than this affects all of a kind, and the client continues anyway. */
const MOST_AFFECTED = 5;

/** Delay by a network rule, ms: affected requests are repeated or get a late response. */
function estimateDelay({ times = 1, ...rule }: NetworkRule): number {
  const {
    time_ms = 0,
    at_most_ms = 0,
    per_ms = 0,
    retry_after_s = 0,
  } = rule as Partial<Record<'time_ms' | 'at_most_ms' | 'per_ms' | 'retry_after_s', number>>;
  const each_ms = SLOWEST_POLL_MS + time_ms + at_most_ms + per_ms + 1000 * retry_after_s;
  return Math.min(times, MOST_AFFECTED) * each_ms;
}

/** Why the scenario cannot be played by a client that sends one action at a time, the close last, and `lacks` features; else undefined. */
export function explainUnplayable(
  scenario: Scenario,
  lacks: readonly string[] = [],
  canDoOtherJob = true,
): string | undefined {
  const { timeline, other_job: other } = scenario;
  if (other && !canDoOtherJob)
    return 'it has two jobs in one process: only a function, or a persistent adapter with "other_job", can do a second one';
  const lacking = findLacking(scenario, lacks);
  if (lacking !== undefined) return explainLack(lacking, 'client');
  const sent: { id: string; name: string }[] = [];
  for (const [at, step] of timeline.entries()) {
    if (!('client' in step) || (step.client !== 'action' && step.client !== 'close')) continue;
    const name = step.client === 'close' ? 'close' : step.name;
    if (sent.at(-1)?.name === 'close')
      return `its timeline has the client continue with ${name} after the close, and a job ends with the close`;
    const pending = sent.find(({ id }) => findResultIndex(id, timeline) > at);
    if (pending)
      return `its timeline has the client send ${name} while ${pending.name} is in progress, and a job has one action at a time`;
    sent.push({ id: step.id ?? name, name });
  }
  return undefined;
}

/** The index of the first result of an action; -1 if none blocks the timeline. */
function findResultIndex(action: string, timeline: readonly Step[]): number {
  return timeline.findIndex(
    (step) => 'service' in step && step.service === 'result' && !step.meanwhile && step.to === action,
  );
}
