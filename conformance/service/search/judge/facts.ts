import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import { field } from '../../../conversation/json.js';
import { ruleOf } from '../../from-openapi/derived-case.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { organisationNameIn, planIn, topUpSettingsIn } from '../../test-case/account.js';
import { payloadOf, rowsOf, valuesIn } from '../../test-case/read-record.js';
import { codeOf, eventKey, eventsOf, isResultOf, statusOf } from '../../test-case/read-task.js';
import { type Names, roleOf, WORD } from '../sequence/names.js';
import type { Command } from '../sequence/sequence.js';
import { isThere, KINDS, type Kind, type Thing } from '../sequence/things.js';

/** What a response says, in terms that both sides share. */
export interface Fact {
  /** Undefined where it says nothing about it. */
  value: unknown;
  requirement: RequirementId;
  /** What it has to be, where the model takes over what the service shows. */
  must?: unknown;
  /** What facts of this kind are called, where there are many of them. */
  kind?: string;
  /** The description leaves it open. */
  isOpen?: boolean;
  /** The service may show what the model does not: its agent may quote what it was given. */
  isLeast?: boolean;
}

/** A response, and what it is about. */
export interface Scene {
  request: ApiRequest;
  response: ApiResponse;
  names: Names;
  thing: Thing | undefined;
  things: readonly Thing[];
  /** Texts that were sent, by their name. */
  words: ReadonlyMap<string, SentWord>;
  /** What of the account was set by this sequence. */
  settings: ReadonlySet<OperationId>;
  /** Where tasks are listed: the newest first, as far as it is known. */
  isNewestFirst: boolean;
}

/** A text that was sent: by which operation, and about which thing. */
export interface SentWord {
  by: OperationId;
  owner: string | undefined;
  /** Another text of its kind was sent later about the same thing. */
  isFormer?: true;
}

type Facts = Record<string, Fact>;

export function factsOf(command: Command, scene: Scene): Facts {
  const facts: Facts = {
    ...READ[command.operation]?.(scene, command),
    ...listedFacts(command, scene),
    ...wordFacts(command, scene),
  };
  if (command.astray === 'stranger') for (const fact of Object.values(facts)) fact.requirement = 'SERVICE-04';
  return facts;
}

const READ: Readonly<Partial<Record<OperationId, (scene: Scene, command: Command) => Facts>>> = {
  createTask: (scene) => ({
    'that it has an id': { value: typeof field(scene.response.r, 'id') === 'string', requirement: 'TASK-14' },
    ...newId(scene, 'task', 'TASK-01'),
  }),
  // A service may take files of one content for one file.
  uploadFile: (scene, { form }) =>
    JSON.stringify(form).includes('{{word.content') ? newId(scene, 'file', 'FILE-01') : {},
  getTask: taskFacts,
  listTasks: listFacts,
  getTaskVisibility: ({ response: { r } }) => ({
    visibility: { value: typeof r === 'boolean' ? r : undefined, requirement: 'TASK-20' },
  }),
  sendTaskEvent: ({ response, request }) => {
    const sent = field(request.body, 'id');
    const isNamed = typeof sent === 'string' && sent !== '';
    const value = isNamed ? field(response.r, 'id') === sent : undefined;
    return { 'that it is confirmed with its id': { value, requirement: 'EVENT-03' } };
  },
  createProfile: ({ response, request }) => {
    const sent = field(request.body, 'id');
    const value = typeof sent === 'string' && sent !== '' ? field(response.r, 'id') === sent : undefined;
    return { 'that it has the id': { value, requirement: 'PROFILE-02' } };
  },
  createWorkspace: shared,
  getWorkspace: (scene) => ({
    ...shared(scene),
    'that it shows the id of the header': {
      value:
        scene.thing &&
        valuesIn(scene.response.body).has(String(scene.names.get(`${scene.thing.label}.workspace-id`))),
      requirement: 'WORKSPACE-01',
      isOpen: true,
    },
  }),
  listChats: ({ response }, { query }) => {
    const rows = rowsOf(payloadOf(response))?.length;
    return { 'number of chats': { value: rows, requirement: 'CHAT-01', isOpen: query?.t !== undefined } };
  },
  listSops: (scene) => ({
    'number of SOPs': {
      value: rowsOf(payloadOf(scene.response))?.length,
      requirement: removalIn(scene, 'sop') ?? 'SOP-01',
    },
  }),
  listAutomations: (scene) => ({
    'number of automations': {
      value: rowsOf(scene.response.r)?.length,
      requirement: removalIn(scene, 'automation') ?? 'AUTO-01',
    },
  }),
  getOrganisation: ({ response, settings, names }) => {
    const name = settings.has('updateOrganisation') ? organisationNameIn(response) : undefined;
    const value = name === undefined ? undefined : name === names.get('settings.name');
    return { 'that it has the name that was set': { value, requirement: 'ORG-03' } };
  },
  getUsage: ({ response, settings }) => ({
    plan: { value: settings.has('setPlan') ? planIn(response) : undefined, requirement: 'ORG-09' },
  }),
  setAutoTopUp: ({ response }) => ({ settings: { value: topUpSettingsIn(response), requirement: 'ORG-08' } }),
  getAutoTopUp: ({ response, settings }) => {
    const value = settings.has('setAutoTopUp') ? topUpSettingsIn(response) : undefined;
    return { settings: { value, requirement: 'ORG-07' } };
  },
  updateProxy: ({ response, thing, names }) => ({
    auto_renew: { value: field(response.r, 'auto_renew'), requirement: 'PROXY-02' },
    'that it is the proxy of the path': {
      value: thing && field(response.r, 'id') === names.get(`${thing.label}.proxy_id`),
      requirement: 'PROXY-02',
      isOpen: true,
    },
  }),
  setPlan: ({ response }) => ({
    group: { value: field(response.r, 'group'), requirement: 'ORG-09', isOpen: true },
  }),
};

/** The requirement about the removal of things of this kind, where one of the workspace was removed. */
function removalIn({ things, thing }: Scene, kind: Kind): RequirementId | undefined {
  const gone = things.find(
    (each) => each.kind === kind && each.workspace === thing?.label && !isThere(each) && each.removedBy,
  );
  return gone && ruleOf(gone.removedBy!).id;
}

/** Whether what was created has an id that nothing else of its kind has. */
function newId({ response, things, names }: Scene, kind: Kind, requirement: RequirementId): Facts {
  const id = field(response.r, 'id');
  const isTaken = things.some(
    (each) => each.kind === kind && names.get(`${each.label}.${KINDS[kind].id}`) === id,
  );
  return { 'that its id is its own': { value: !isTaken, requirement } };
}

function shared({ response }: Scene): Facts {
  return { shared: { value: field(payloadOf(response), 'shared'), requirement: 'WORKSPACE-02' } };
}

/** A poll: the status, and which events it lists. */
function taskFacts({ response, names, thing }: Scene, { query }: Command): Facts {
  if (!thing?.task) return {};
  const { task, label } = thing;
  const isAll = query?.event_t === undefined || query.event_t === 0;
  const events = task.isUntold ? undefined : eventsOf(response).map(eventKey);
  const isOver = task.status === 'cancelled';
  return {
    id: { value: field(response.r, 'id') === names.get(`${label}.task_id`), requirement: 'TASK-01' },
    status: { value: statusOf(response), requirement: isOver ? 'TASK-13' : 'POLL-08' },
    events: { value: events, requirement: isAll ? 'POLL-04' : 'POLL-03' },
    ...resultFacts(response, thing, isAll),
    ...liveFacts(response, thing),
  };
}

/** A task that has been running for a while has a live view. */
function liveFacts(response: ApiResponse, { waitedMs = 0 }: Thing): Facts {
  if (statusOf(response) !== 'running' || waitedMs < LONGEST_ACTION_MS) return {};
  const value = typeof field(response.r, 'live_url') === 'string';
  return { 'that it has a live_url': { value, requirement: 'TASK-06', isOpen: true, isLeast: true } };
}

/** What scripts of the search result in. */
export const SCRIPTS: Readonly<Record<string, unknown>> = {
  '1 + 1': 2,
  false: false,
  '0': 0,
  '""': '',
  null: null,
  '({ a: [null, "\u00e9"] })': { a: [null, '\u00e9'] },
};
const ACTION_RULES: Readonly<Record<string, RequirementId>> = {
  goto: 'SESSION-06',
  extract: 'SESSION-07',
  evaluate_js: 'SESSION-08',
  run_task: 'SESSION-09',
};
/** In this time every action has its result, ms. */
export const LONGEST_ACTION_MS = 20_000;

/** Results of actions: the model takes them over, so that what they have to be stands here. */
function resultFacts(response: ApiResponse, { task, state }: Thing, isAll: boolean): Facts {
  const facts: Facts = {};
  const { sent = [] } = task ?? {};
  const must = { must: true, isOpen: true } as const;
  for (const event of eventsOf(response)) {
    const action = sent.find(({ id, isValid }) => isValid && isResultOf(event, id));
    const requirement = action && ACTION_RULES[action.name];
    if (!requirement) continue;
    const kind = `that ${action.name} is no bad request`;
    facts[kind] = { value: facts[kind]?.value !== false && codeOf(event) !== 400, requirement, ...must };
    const { js, sees } = action;
    if (sees === undefined && (js === undefined || !(js in SCRIPTS))) continue;
    // One that was cut off, as by a close, has no value.
    if (codeOf(event) !== 200) continue;
    const output = field(event.payload, 'output');
    const wanted = JSON.stringify(sees ?? SCRIPTS[js!]);
    // It may stand in an object with what it cost (open point `event.result-shape`).
    const isRight = [output, field(output, 'output')].some((each) => JSON.stringify(each) === wanted);
    const about = sees === undefined ? 'that scripts result in their value' : 'that goto opens its address';
    const broken = sees === undefined ? requirement : ACTION_RULES.goto!;
    facts[about] = { value: facts[about]?.value !== false && isRight, requirement: broken, ...must };
  }
  // A task within the session may wait for the reply to a call, and what was sent after it for its end.
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

/** A list of tasks: those of the sequence that it names, in order. Others may be there, too. */
function listFacts(
  { response, names, things, isNewestFirst, request }: Scene,
  { query, astray }: Command,
): Facts {
  const rows = Array.isArray(response.r) ? response.r : undefined;
  if (!rows) return {};
  const tasks = things.filter(({ kind }) => kind === 'task');
  const times = tasks.flatMap(({ label }) => names.get(`${label}.created_at`) ?? []);
  const areApart = new Set(times).size === times.length && times.length === tasks.length;
  const labels = new Map(tasks.map(({ label }) => [names.get(`${label}.task_id`), label]));
  const all = rows.flatMap((row) => labels.get(field(row, 'id') as string) ?? []);
  const gone = tasks.filter((task) => !isThere(task)).map(({ label }) => label);
  const listed = all.filter((label) => !gone.includes(label));
  const isFull = rows.length >= Number(request.query?.l ?? 32);
  const isComparable = (areApart || query?.t === undefined) && (isNewestFirst || !isFull);
  return {
    'that it lists no task whose data are deleted': {
      value: gone.length === 0 ? undefined : listed.length === all.length,
      requirement: 'TASK-21',
    },
    'tasks of this sequence that it lists': {
      value: isComparable ? listed.toSorted() : undefined,
      requirement: 'TASK-15',
      isOpen: query?.t !== undefined && astray === undefined,
      kind: query?.t === undefined ? 'tasks listed' : 'tasks listed by t',
    },
  };
}

/** Whether a list names each thing of its kind, by its id. */
function listedFacts({ operation, query }: Command, { response, names, things, thing }: Scene): Facts {
  const kind = (Object.keys(KINDS) as Kind[]).find((each) => {
    const { list } = KINDS[each] as { list?: readonly OperationId[] };
    return each !== 'task' && list?.includes(operation);
  });
  if (!kind) return {};
  const shown = valuesIn(response.body);
  const isOpen = query !== undefined && Object.keys(query).length > 0 && kind === 'chat';
  const workspace = thing?.kind === 'workspace' ? thing.label : thing?.workspace;
  const all = things.filter((each) => each.kind === kind && isOfKey(each, thing));
  return Object.fromEntries(
    all.map((each) => {
      const { id: own, mark = own } = KINDS[kind] as { id: string; mark?: string };
      const id = names.get(`${each.label}.${mark}`);
      const remover = isThere(each) ? removedBeside(each, things) : each;
      const removal = remover?.removedBy && ruleOf(remover.removedBy).id;
      const isElsewhere = workspace !== undefined && each.workspace !== workspace;
      const value = id === undefined ? undefined : shown.has(String(id));
      const fact: Fact = {
        value,
        requirement: removal ?? ruleOf(operation).id,
        isOpen: isOpen || isElsewhere,
        kind: `${kind} listed`,
      };
      return [`that it lists ${each.label}`, fact];
    }),
  );
}

/** What is not listed any more may have gone with another of its kind, which was removed after it was made. */
function removedBeside({ kind, label }: Thing, things: readonly Thing[]): Thing | undefined {
  const at = things.findIndex((each) => each.label === label);
  return things.find((each) => each.kind === kind && !isThere(each) && (each.removedAfter ?? 0) > at);
}

function isOfKey(each: Thing, thing: Thing | undefined): boolean {
  return thing === undefined || each.key === thing.key;
}

/** Whether the response holds each of the texts that were sent. Which fields show them is open: a service is held to itself. */
function wordFacts({ operation }: Command, { response, names, words, thing, things }: Scene): Facts {
  if (words.size === 0) return {};
  const texts = [...valuesIn(response.body)].filter((text) => text.length > 3);
  const isGone = ([, { owner }]: [string, SentWord]) =>
    things.some((each) => each.label === owner && !isThere(each));
  const sorted = [...words].sort((a, b) => Number(isGone(b)) - Number(isGone(a)));
  return Object.fromEntries(
    sorted.map(([word, { by, owner, isFormer }]) => {
      const text = String(names.get(WORD + word));
      const role = roleOf(word);
      const its = things.find(({ label }) => label === owner);
      const place = owner === thing?.label ? 'own' : its?.workspace === thing?.label ? 'within' : 'other';
      const fact: Fact = {
        value: texts.some((each) => each.includes(text)),
        requirement: ruleOf(its?.removedBy ?? (CHANGES.has(by) ? by : operation)).id,
        isOpen: true,
        isLeast: QUOTES.has(operation) && role !== 'title',
        kind: `${place} ${isFormer ? 'former ' : ''}${role} shown, ${its?.state ?? 'there'}`,
      };
      return [`that it shows "${text}"`, fact];
    }),
  );
}

/** Responses in which the agent may say something. */
const QUOTES = new Set<OperationId>([
  'listChats',
  'getChat',
  'listMessages',
  'createChatTask',
  'createMessage',
  'updateRequest',
  'getTask',
  'listTasks',
  'getToolData',
]);
const CHANGES = new Set<OperationId>([
  'renameChat',
  'saveSop',
  'updateOrganisation',
  'updateAttachment',
  'updateRequest',
]);
