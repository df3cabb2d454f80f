import type { Scenario, Step } from '../../../scenarios/format/types.js';
import { ACTIONS } from '../../../spec/vocabulary.js';
import type { Job, ToolOutcome } from '../types.js';

/** How a tool comes out where the scenario leaves it open. */
const PLAIN: ToolOutcome = { code: 200, output: null };
/** What a wait for one poll is reckoned at, ms. */
const POLL_MS = 500;

/** Jobs by their request, which a search leaves as it is in all that it makes of a scenario; the last one of each. */
const known = new WeakMap<object, { told: readonly Step[]; job: Job }>();

/**
 * What a client is told to do, so that the conversation of this scenario comes about: the request, how its tools come
 * out, the actions, the close. `deadline_ms` counts from the client's start. May be shared: nobody changes it.
 */
export function jobOf({ request, timeline }: Scenario, deadline_ms: number): Job {
  // What befalls the network is no part of it, unless it says when.
  const told = timeline.filter(
    (step) => !('network' in step) || step.after !== undefined || step.if !== undefined,
  );
  const last = known.get(request);
  const isSame =
    last?.told.length === told.length &&
    last.job.deadline_ms === deadline_ms &&
    told.every((step, index) => step === last.told[index]);
  if (isSame) return last.job;
  const job = makeJob(request, told, deadline_ms);
  known.set(request, { told, job });
  return job;
}

function makeJob(request: Scenario['request'], timeline: readonly Step[], deadline_ms: number): Job {
  return {
    request,
    tools: toolsOf(request, timeline),
    actions: timeline.flatMap((step) => actionOf(step) ?? []),
    close: closeOf(timeline),
    cancel_after_ms: cancelOf(timeline),
    deadline_ms,
  };
}

/** The n-th run of a tool comes out as the reply to its n-th call says. Tools that are not registered, the client has not got. */
function toolsOf(request: Scenario['request'], timeline: readonly Step[]): Job['tools'] {
  const replies = new Map<string, Extract<Step, { client: 'reply' }>>();
  for (const step of timeline)
    if ('client' in step && step.client === 'reply' && !replies.has(step.to)) replies.set(step.to, step);
  // Where the scenario goes on about errors, an error shows more of it.
  const ifRefused = new Set(timeline.flatMap((step) => step.if?.reply ?? []));
  const outcomes = new Map<unknown, ToolOutcome[]>(registered(request).map((tool) => [tool, []]));
  for (const step of timeline) {
    const call = callOf(step);
    if (!call) continue;
    const to = call.names.find((name) => replies.has(name));
    const reply = to === undefined ? undefined : replies.get(to)!;
    if (reply && (reply as { unknown_tool?: boolean }).unknown_tool === true) {
      outcomes.delete(call.tool);
      continue;
    }
    const refused = call.names.some((name) => ifRefused.has(name));
    outcomes.get(call.tool)?.push(reply ? outcomeOf(reply, refused) : { ...PLAIN });
  }
  return Object.fromEntries([...outcomes].map(([tool, runs]) => [tool, runs.length > 0 ? runs : [PLAIN]]));
}

function outcomeOf({ code, output }: Extract<Step, { client: 'reply' }>, refused: boolean): ToolOutcome {
  const shown = code ?? (refused ? 400 : 200);
  return { code: shown, output: output === undefined ? (shown === 200 ? null : 'try again') : output };
}

function registered(request: Scenario['request']): string[] {
  const tools = request.custom_tools;
  return Array.isArray(tools) ? tools.map((tool) => String(tool?.name)) : [];
}

/** The tool that a step of the service calls, and the names that a reply to it may go by. */
function callOf(step: Step): { tool: unknown; names: string[] } | undefined {
  if (!('service' in step)) return undefined;
  if (step.service !== 'tool_call' && !(step.service === 'event' && step.name === 'tool_call'))
    return undefined;
  const tool = step.service === 'tool_call' ? step.tool : step.payload.name;
  return { tool, names: [step.id, step.event_id].filter((name) => name !== undefined) };
}

function actionOf(step: Step): Job['actions'][number] | undefined {
  if (!('client' in step) || step.client !== 'action' || step.name === 'close') return undefined;
  const { name, input } = step;
  return { name: ACTIONS[name], payload: input === undefined ? { name } : { name, input } };
}

function closeOf(timeline: readonly Step[]): Job['close'] {
  for (const step of timeline) {
    if (!('client' in step)) continue;
    if (step.client === 'close') return step.by ?? 'event';
    if (step.client === 'action' && step.name === 'close') return 'event';
  }
  return null;
}

/** The timeline counts from the step before, a client from the making of its task. */
function cancelOf(timeline: readonly Step[]): number | null {
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

/**
 * Why a client that does as its job says, one action at a time and the close last, cannot play this scenario; undefined
 * when it can.
 */
export function whyUnplayable({ timeline }: Scenario): string | undefined {
  const resultAt = resultsOf(timeline);
  const sent: { id: string; at: number; name: string }[] = [];
  let closed = false;
  for (const [at, step] of timeline.entries()) {
    const act = actOf(step);
    if (!act) continue;
    if (closed)
      return `its timeline has the client go on with ${act.name} after the close, and a job ends with the close`;
    const waits = sent.find(({ id }) => (resultAt.get(id) ?? -1) > at);
    if (waits) {
      return `its timeline has the client send ${act.name} while ${waits.name} is under way, and a job asks for one action at a time`;
    }
    sent.push({ id: act.id, at, name: act.name });
    closed = act.name === 'close';
  }
  return undefined;
}

/** Where the result of each action stands that comes in its turn. One that comes alongside holds nobody up. */
function resultsOf(timeline: readonly Step[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [at, step] of timeline.entries()) {
    if ('service' in step && step.service === 'result' && !step.meanwhile && !found.has(step.to))
      found.set(step.to, at);
  }
  return found;
}

function actOf(step: Step): { id: string; name: string } | undefined {
  if (!('client' in step)) return undefined;
  if (step.client === 'action') return { id: step.id ?? step.name, name: step.name };
  if (step.client === 'close') return { id: step.id ?? 'close', name: 'close' };
  return undefined;
}
