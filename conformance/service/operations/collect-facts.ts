import { parseUrl } from '../../../spec/addresses.js';
import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { LONG_TEXTS } from '../../common/interesting-values.js';
import { readField } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { readPayload, readRows } from '../test-case/read-record.js';
import { createEventKey, isActionResult, readCode, readEvents, readStatus } from '../test-case/read-task.js';
import type { Command } from './command.js';
import { type Facts, formatIdName, isPresent, type ObservedResponse, type Resource } from './observed.js';
import type { ResourceName } from './resources.js';
import { readRule } from './rules.js';

export function collectTaskFacts({ response, names, resource }: ObservedResponse, { query }: Command): Facts {
  if (!resource?.task) return {};
  const { task, label } = resource;
  const isAll = query?.event_t === undefined || query.event_t === 0;
  const events = task.hasUnappliedEvents ? undefined : readEvents(response).map(createEventKey);
  const isOver = task.status === 'cancelled';
  return {
    id: { value: readField(response.r, 'id') === names.get(`${label}.task_id`), requirement: 'TASK-01' },
    status: { value: readKnownStatus(response), requirement: isOver ? 'TASK-13' : 'POLL-08' },
    events: { value: events, requirement: isAll ? 'POLL-04' : 'POLL-03' },
    ...collectResultFacts(response, resource, isAll),
    ...collectOpenSessionFacts(response, resource),
    ...collectLiveViewFacts(response, resource),
  };
}

/** When a task is waiting is not stated. */
function readKnownStatus(response: ApiResponse): string | undefined {
  const status = readStatus(response);
  return status === 'waiting' ? undefined : status;
}

function normalizeUrl(value: unknown): unknown {
  return typeof value === 'string' ? (parseUrl(value)?.href ?? value) : value;
}

/** A task that has been running for a while has a live view. */
function collectLiveViewFacts(response: ApiResponse, { waitedMs = 0 }: Resource): Facts {
  if (readStatus(response) !== 'running' || waitedMs < LONGEST_ACTION_MS) return {};
  const value = typeof readField(response.r, 'live_url') === 'string';
  return { 'that it has a live_url': { value, requirement: 'TASK-06', isOpen: true, isLeast: true } };
}

/** No service closes an idle session within this time, ms. */
const SHORT_MS = 5000;

/** A session is not done before a client closes it. It may fail, and the service may end an idle one after a while. */
function collectOpenSessionFacts(response: ApiResponse, { task, waitedMs = 0 }: Resource): Facts {
  if (!task?.isSession || task.isClosed) return {};
  const isLater = waitedMs >= LONGEST_ACTION_MS;
  if (waitedMs >= (isLater ? LONGEST_ACTION_MS : 0) + SHORT_MS) return {};
  const about = `that the session stays open${isLater ? ' for a while' : ''}`;
  return {
    [about]: { value: readStatus(response) !== 'done', requirement: 'SESSION-01', must: true, isOpen: true },
  };
}

/** A script that returns the page of the session. */
export const ADDRESS = 'location.href';

/** A script that has to fail. */
export const THROWING = 'throw new Error("on purpose")';

const [LONG_TEXT] = LONG_TEXTS;

/** Scripts of the search and their results. */
export const SCRIPTS: Readonly<Record<string, unknown>> = {
  '1 + 1': 2,
  false: false,
  '0': 0,
  '""': '',
  null: null,
  '[]': [],
  '"0170"': '0170',
  [JSON.stringify(LONG_TEXT)]: LONG_TEXT,
  '({ a: [null, "\u00e9"] })': { a: [null, '\u00e9'] },
};
const ACTION_RULES: Readonly<Record<string, RequirementId>> = {
  goto: 'SESSION-06',
  extract: 'SESSION-07',
  evaluate_js: 'SESSION-08',
  run_task: 'SESSION-09',
};
/** One action has its result after this time, ms. */
export const LONGEST_ACTION_MS = 20_000;

/** Results of actions. The model copies them, so the required values are defined here. */
function collectResultFacts(response: ApiResponse, { task, state }: Resource, isAll: boolean): Facts {
  const facts: Facts = {};
  const { sent = [] } = task ?? {};
  const must = { must: true, isOpen: true } as const;
  for (const event of readEvents(response)) {
    if (sent.some((each) => each.js === THROWING && !each.isReused && isActionResult(event, each.id)))
      facts['that a script that throws fails'] = {
        value: readCode(event) !== 200,
        requirement: 'EVENT-12',
        must: true,
      };
    const action = sent.find(({ id, isValid }) => isValid && isActionResult(event, id));
    const requirement = action && ACTION_RULES[action.name];
    if (!requirement) continue;
    const kind = `that ${action.name} is no bad request`;
    facts[kind] = { value: facts[kind]?.value !== false && readCode(event) !== 400, requirement, ...must };
    const { js, expectedUrl, after } = action;
    if (expectedUrl === undefined && (js === undefined || !(js in SCRIPTS))) continue;
    // An action that was cut off, for example by a close, has no value.
    if (readCode(event) !== 200 || (after && !after.hasSucceeded)) continue;
    const output = readField(event.payload, 'output');
    const wanted = JSON.stringify(expectedUrl ?? SCRIPTS[js!]);
    // The value may be nested in an object with the cost (open point `event.result-shape`).
    const isRight = [output, readField(output, 'output')].some(
      (each) => JSON.stringify(expectedUrl === undefined ? each : normalizeUrl(each)) === wanted,
    );
    const [about, broken] =
      expectedUrl === undefined
        ? ['that scripts result in their value', requirement]
        : after
          ? ['that goto opens its address', ACTION_RULES.goto!]
          : ['that the session begins with its url', 'TASK-11' as const];
    facts[about] = { value: facts[about]?.value !== false && isRight, requirement: broken, ...must };
  }
  // A task within the session may wait for a tool reply, and later actions for that task.
  const mayWait = task?.tools && sent.some(({ name }) => name === 'run_task');
  const late = sent.filter(({ isDone, waitedMs }) => !isDone && waitedMs >= LONGEST_ACTION_MS);
  if (isAll && state === 'session' && !mayWait && sent.some(({ waitedMs }) => waitedMs >= LONGEST_ACTION_MS))
    facts['that every action has its result'] = {
      value: late.length === 0,
      requirement: 'EVENT-08',
      must: true,
    };
  return facts;
}

/** Requests that may start tasks of their own, at a time that is not stated. */
const STARTING_TASKS: readonly OperationId[] = ['triggerWebhook', 'createChatTask', 'createMessage'];

/** A list of tasks: which tasks of the sequence it contains. It may contain others. */
export function collectTaskListFacts(
  { response, names, resources, isNewestFirst, request, settings }: ObservedResponse,
  { query, astray, key = 'main' }: Command,
): Facts {
  const rows = Array.isArray(response.r) ? response.r : undefined;
  if (!rows) return {};
  const tasks = resources.filter(({ kind }) => kind === 'task');
  const times = tasks.flatMap(({ label }) => names.get(`${label}.created_at`) ?? []);
  const areApart = new Set(times).size === times.length && times.length === tasks.length;
  const labels = new Map(tasks.map(({ label }) => [names.get(`${label}.task_id`), label]));
  const all = rows.flatMap((row) => labels.get(readField(row, 'id') as string) ?? []);
  const gone = tasks.filter((task) => !isPresent(task));
  const listed = all.filter((label) => gone.every((task) => task.label !== label));
  const isFull = rows.length >= Number(request.query?.l ?? 32);
  const isPart = isFull || query?.t !== undefined;
  const hasOthers = STARTING_TASKS.some((operation) => settings.has(operation));
  // Whether a task whose data are deleted takes up a row is not stated.
  const isCounted = isNewestFirst && !hasOthers && gone.length === 0;
  const isComparable = (areApart || query?.t === undefined) && (isCounted || !isFull);
  return {
    'that it lists no task whose data are deleted': {
      // One that is not in a part of the list shows nothing.
      value: listed.length < all.length ? false : gone.length === 0 || isPart ? undefined : true,
      requirement: 'TASK-21',
      // Whether a task is listed whose data are deleted is not stated.
      isOpen: true,
      isVacuous: isFull || query?.t !== undefined || gone.every((task) => task.key !== key),
    },
    'tasks of this sequence that it lists': {
      value: isComparable ? listed.toSorted() : undefined,
      requirement: 'TASK-15',
      isOpen: query?.t !== undefined && astray === undefined,
      kind: query?.t === undefined ? 'tasks listed' : 'tasks listed by t',
    },
  };
}

/** The number of rows. If a resource of the kind was removed from the workspace, the removal explains another one. */
export function collectRemovalCounts(
  { resources, resource, response }: ObservedResponse,
  kind: ResourceName,
  about: string,
  requirement: RequirementId,
): Facts {
  const gone = resources.find(
    (each) => each.kind === kind && each.workspace === resource?.label && !isPresent(each) && each.removedBy,
  );
  const value = readRows(readPayload(response))?.length;
  return { [about]: { value, requirement: gone ? readRule(gone.removedBy!).id : requirement } };
}

/** The id of the created resource is unique among its kind. */
export function collectIdFacts(
  { response, resources, names }: ObservedResponse,
  kind: ResourceName,
  requirement: RequirementId,
): Facts {
  const id = readField(response.r, 'id');
  const isTaken = resources.some((each) => each.kind === kind && names.get(formatIdName(each)) === id);
  return { 'that its id is its own': { value: !isTaken, requirement } };
}
