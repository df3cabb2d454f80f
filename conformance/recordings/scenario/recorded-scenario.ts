import { deriveMatch } from '../../../scenarios/format/library/task-request.js';
import type { Scenario, Step, Trigger } from '../../../scenarios/format/types.js';
import { requirements } from '../../../spec/generated/documents.js';
import { REDACTED } from '../../../spec/redact.js';
import { truncateText } from '../../../spec/show.js';
import { toFields } from '../../conversation/json.js';
import { collectOccasions } from '../../rules/client-rules.js';
import { addActions, addClientSteps } from './client-steps.js';
import { addDisturbances } from './disturbances.js';
import { type PlacedStep, roundTime, ScenarioDraft } from './draft.js';
import { addEvents, EventClock } from './events.js';
import type { RecordedTask } from './recorded-task.js';
import { addTaskSteps } from './task-steps.js';

/** A recorded conversation as a scenario, with comments. */
export interface RecordedScenario {
  scenario: Scenario;
  /** Choices that the recording leaves open, by the index of the step in the timeline. */
  comments: ReadonlyMap<number, string>;
  /** Comments on the whole scenario. */
  remarks: string[];
}

export function toScenario(recorded: RecordedTask, name: string): RecordedScenario {
  const draft = new ScenarioDraft();
  const clock = new EventClock(recorded);
  const actions = addActions(recorded, draft);
  const calls = addEvents(recorded, draft, clock, actions);
  addClientSteps(recorded, draft, calls);
  addTaskSteps(recorded, draft);
  addDisturbances(recorded, draft, new Map([...actions, ...calls]));
  const { request, remarks } = readRequest(recorded);
  const { timeline, comments } = createTimeline(draft, recorded);
  const scenario: Scenario = {
    name,
    title: formatTitle(request),
    covers: listRequirements(recorded),
    match: deriveMatch(request),
    request,
    timeline,
    ...readAsks(timeline, recorded),
  };
  return { scenario: addTemplates(scenario), comments, remarks: [...draft.remarks, ...remarks] };
}

const EXAMPLE_SECRET = 'example-secret';

/** Omits fields that the client left at null, and replaces secrets. */
function readRequest({ creates }: RecordedTask): { request: Record<string, unknown>; remarks: string[] } {
  const sent = toFields(creates.at(-1)!.requestJson) ?? {};
  const given = Object.entries(sent).filter(([key, value]) => value !== null || key === 'task');
  const remarks: string[] = [];
  const replaceSecrets = (value: unknown): unknown => {
    if (value === REDACTED) {
      if (remarks.length === 0)
        remarks.push(`Secrets of the request are not in the recording: ${EXAMPLE_SECRET} replaces them.`);
      return EXAMPLE_SECRET;
    }
    if (Array.isArray(value)) return value.map(replaceSecrets);
    const fields = toFields(value);
    if (!fields) return value;
    return Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, replaceSecrets(each)]));
  };
  const request = replaceSecrets(Object.fromEntries(given)) as Record<string, unknown>;
  if (!('task' in request)) request.task = null;
  return { request, remarks };
}

function createTimeline(
  draft: ScenarioDraft,
  { creates }: RecordedTask,
): { timeline: Step[]; comments: Map<number, string> } {
  const placed = removeAftermath(
    [...draft.placed].sort((one, other) => one.at - other.at || one.seq - other.seq),
  );
  const timeline: Step[] = [];
  const comments = new Map<number, string>();
  let before = creates.at(-1)!.at;
  for (const { step, at, after: given, comment } of placed) {
    if (comment !== undefined) comments.set(timeline.length, comment);
    const waited = roundTime(at - before);
    const after = chooseTrigger(step, given, waited);
    timeline.push(after ? { ...step, after } : step);
    // Rules apply when they are reached; parallel steps delay no other step.
    if (!('network' in step) && !step.meanwhile) before = Math.max(before, at);
  }
  if (timeline.length === 0) {
    comments.set(0, 'The recording shows nothing after the creation of the task.');
    timeline.push({ client: 'poll' });
  }
  return { timeline, comments };
}

/** Removes the steps after a stop: the mock creates them itself. */
function removeAftermath(placed: readonly PlacedStep[]): PlacedStep[] {
  const stop = placed.findIndex(
    ({ step }) =>
      'client' in step && (step.client === 'cancel' || (step.client === 'close' && step.by === 'delete')),
  );
  return placed.filter(({ step }, at) => stop === -1 || at <= stop || !('service' in step));
}

/** A client step has no trigger, unless the client gives up after a time. */
function chooseTrigger(step: Step, given: PlacedStep['after'], waited: number): Trigger | undefined {
  if (given && Number.isNaN(given.time_ms)) return { time_ms: waited };
  if (given) return given;
  return 'service' in step && waited > 0 ? { time_ms: waited } : undefined;
}

function formatTitle({ task, url }: Record<string, unknown>): string {
  if (typeof task === 'string') return `Recorded: ${truncateText(task.replace(/\s+/g, ' '), 80)}`;
  return typeof url === 'string' ? `Recorded: a session at ${truncateText(url, 60)}` : 'Recorded: a session';
}

/** Requirements that the exchanges could have violated, as a first guess. */
function listRequirements({ exchanges, task }: RecordedTask): string[] {
  const shown = new Set<string>(exchanges.flatMap(collectOccasions));
  if (task.end) for (const id of ['POLL-02', 'TASK-02']) shown.add(id);
  if (task.calls.size > 0) for (const id of ['TOOL-01', 'TOOL-02', 'EVENT-02']) shown.add(id);
  if (task.results.size > 0) for (const id of ['EVENT-08', 'SESSION-10']) shown.add(id);
  if (task.cancelled) for (const id of ['TASK-13', 'TASK-17']) shown.add(id);
  return requirements.filter(({ id }) => shown.has(id)).map(({ id }) => id);
}

/** What a client that runs the scenario has to request. */
function readAsks(timeline: readonly Step[], { exchanges }: RecordedTask): Pick<Scenario, 'asks'> {
  const hasStep = (service: string) => timeline.some((step) => 'service' in step && step.service === service);
  const asks: NonNullable<Scenario['asks']> = [];
  if (hasStep('live_url')) asks.push('live_url');
  const finish = timeline.find((step) => 'service' in step && step.service === 'finish');
  if (finish && 'recording_url' in finish) asks.push('recording_url');
  if (exchanges.some(({ query }) => query.get('downloads') === 'true')) asks.push('downloads_url');
  return asks.length > 0 ? { asks } : {};
}

/** Shorter values occur in texts by chance. */
const LEAST_CHARACTERS = 2;
/** Most values collected from one output. */
const MOST_PLACES = 50;

/** A value that the client sent, and the template that refers to it. */
interface KnownValue {
  template: string;
  text: string;
}

/**
 * Replaces values that the client sent in replies by templates in later texts of the service, so that the texts follow the
 * client.
 */
export function addTemplates(scenario: Scenario): Scenario {
  const known: KnownValue[] = [];
  const timeline = scenario.timeline.map((step): Step => {
    if ('service' in step && (step.service === 'finish' || step.service === 'result') && 'output' in step)
      return { ...step, output: replaceValues(step.output, known) };
    if ('client' in step && step.client === 'reply' && step.code === 200 && !step.meanwhile)
      known.push(...collectPlaces(step.output, `${step.to}.output`));
    return step;
  });
  return { ...scenario, timeline };
}

function collectPlaces(value: unknown, path: string): KnownValue[] {
  if (typeof value === 'number' || typeof value === 'string') {
    const text = String(value);
    const isFit = text.length >= LEAST_CHARACTERS && text.length <= 200;
    return isFit ? [{ template: `{{${path}}}`, text }] : [];
  }
  const fields = toFields(value);
  if (!fields) return [];
  return Object.entries(fields)
    .filter(([key]) => /^\w+$/.test(key))
    .flatMap(([key, each]) => collectPlaces(each, `${path}.${key}`))
    .slice(0, MOST_PLACES);
}

/** Replaces values only within longer text: a value alone may be equal by chance. */
function replaceValues(value: unknown, known: readonly KnownValue[]): unknown {
  if (typeof value !== 'string' || value.includes('{{')) return value;
  // The longest first: it may contain a shorter one.
  const all = [...known].sort((one, other) => other.text.length - one.text.length);
  for (const { text, template } of all) {
    const at = value.indexOf(text);
    const end = at + text.length;
    const isWord = at !== -1 && !/[\w.]$/.test(value.slice(0, at)) && !/^\w|^[.,]\d/.test(value.slice(end));
    if (!isWord || value.indexOf(text, end) !== -1 || value === text) continue;
    const before = replaceValues(value.slice(0, at), known) as string;
    const after = replaceValues(value.slice(end), known) as string;
    return before + template + after;
  }
  return value;
}
