import type { NetworkRule } from '../../../scenarios/format/types.js';
import type { CallsPart, ConversationPlan, Part } from './plan.js';

/** In place of a value: the field is left out. */
export const LEFT_OUT = Symbol('left out');

type Path = readonly (string | number)[];

/** A place in a plan, and what may stand there instead, the simplest first. */
export interface Site {
  path: Path;
  simpler: Iterable<unknown>;
}

/** A value that is neither falsy nor looks like anything else. */
const PLAIN = 'x';
/** Fields of the request whose values are free. */
const FREE_FIELDS = ['metadata', 'experimental_features'];
const OPTIONAL_INPUT = ['prompt', 'args', 'max_steps', 'metadata', 'secrets'];

/** Every place where a plan can be simpler: what removes most comes first. */
export function sitesOf(plan: ConversationPlan): Site[] {
  const { parts, fields, task, tools, ending } = plan;
  return [
    listSite(['network'], plan.network),
    { path: [], simpler: asTask(plan) },
    listSite(['parts'], parts),
    { path: [], simpler: earlierFaults(plan) },
    ...parts.flatMap((part, at) => partSites(['parts', at], part)),
    listSite(['tools'], tools),
    ...optional([], plan, ['cancel_ms', 'asks', 'isStructured', 'task_id']),
    { path: ['fields'], simpler: Object.keys(fields).length > 1 ? [{}] : [] },
    ...optional(['fields'], fields, Object.keys(fields)),
    ...optional(['ending'], ending, [
      'later',
      'recording_url',
      'at_once',
      'after_ms',
      'credits_used',
      'close',
      'output',
    ]),
    { path: ['ending', 'status'], simpler: ending.status === 'done' ? [] : ['done'] },
    ...valueSites(['ending', 'output'], ending.output),
    ...(task === null ? [] : textSites(['task'], task)),
    ...tools.flatMap((tool, at) => [
      ...optional(['tools', at], tool, ['isUnknown']),
      ...textSites(['tools', at, 'description'], tool.description),
      ...textSites(['tools', at, 'output'], tool.output),
    ]),
    ...parts.flatMap((part, at) => partValues(['parts', at], part)),
    ...FREE_FIELDS.flatMap((name) => memberSites(['fields', name], fields[name])),
  ];
}

/** A session in which there are calls, as a task that has them alone. */
function* asTask(plan: ConversationPlan): Generator<ConversationPlan> {
  if (plan.task !== null) return;
  const parts = plan.parts.flatMap((part) =>
    part.kind === 'calls' ? [part] : part.kind === 'action' ? (part.during ?? []) : [],
  );
  if (parts.length > 0) yield { ...plan, task: PLAIN, parts, ending: { status: 'done', output: PLAIN } };
}

/** Without a part, and with the fault of a later request at the first. */
function* earlierFaults(plan: ConversationPlan): Generator<ConversationPlan> {
  const { network, parts } = plan;
  if (!network.some(({ skip }) => skip !== undefined)) return;
  const unskipped = network.map(({ skip: _skip, ...rule }) => rule as NetworkRule);
  yield { ...plan, network: unskipped };
  for (const at of parts.keys()) yield { ...plan, network: unskipped, parts: parts.toSpliced(at, 1) };
}

function partSites(path: Path, part: Part): Site[] {
  if (part.kind === 'calls')
    return [
      listSite([...path, 'calls'], part.calls),
      ...optional(path, part, ['after_ms', 'isSameInstant', 'isOverlapping', 'isAbandoned']),
    ];
  if (part.kind === 'status') return optional(path, part, ['after_ms']);
  if (part.kind === 'address') return [];
  const { during = [], result } = part;
  return [
    ...optional(path, part, ['during', 'isAccompanied', 'isStructured']),
    ...during.flatMap((calls, at) => partSites([...path, 'during', at], calls)),
    ...optional([...path, 'result'], result, ['after_ms', 'credits_used']),
    ...codeSites([...path, 'result'], result),
    ...optional([...path, 'input'], part.input, OPTIONAL_INPUT),
  ];
}

/** What calls and actions carry. */
function partValues(path: Path, part: Part): Site[] {
  if (part.kind === 'calls') return callValues(path, part);
  if (part.kind !== 'action') return [];
  const { during = [], result, input, name } = part;
  return [
    ...during.flatMap((calls, at) => callValues([...path, 'during', at], calls)),
    ...(name === 'goto' ? [] : valueSites([...path, 'result', 'output'], result?.output, name === 'extract')),
    ...valueSites([...path, 'input', 'args'], input.args),
    ...['prompt', 'js', 'task'].flatMap((each) => textSites([...path, 'input', each], input[each])),
  ];
}

function callValues(path: Path, { calls }: CallsPart): Site[] {
  return calls.flatMap((call, at) => [
    ...optional([...path, 'calls', at], call, ['event_id']),
    ...codeSites([...path, 'calls', at, 'reply'], call.reply),
    ...valueSites([...path, 'calls', at, 'reply', 'output'], call.reply.output),
    ...valueSites([...path, 'calls', at, 'input'], call.input, true),
  ]);
}

function codeSites(path: Path, outcome: { code: number } | undefined): Site[] {
  return outcome && outcome.code !== 200 ? [{ path: [...path, 'code'], simpler: [200] }] : [];
}

function optional(path: Path, value: object | undefined, names: readonly string[]): Site[] {
  return names.flatMap((name) =>
    value && Object.hasOwn(value, name) ? [{ path: [...path, name], simpler: [LEFT_OUT] }] : [],
  );
}

/** Without all of it, a half, a quarter, … at any place, at last without one member. */
function listSite(path: Path, list: readonly unknown[]): Site {
  function* shorter(): Generator<unknown[]> {
    for (let size = list.length; size >= 1; size = Math.floor(size / 2))
      for (let from = 0; from < list.length; from += size) yield list.toSpliced(from, size);
  }
  return { path, simpler: shorter() };
}

/** Any JSON value. `isObject`: it stays an object. */
function valueSites(path: Path, value: unknown, isObject = false): Site[] {
  if (value === undefined || value === PLAIN) return [];
  if (typeof value === 'string') return textSites(path, value);
  const plain = isObject ? (Object.keys(value as object).length > 0 ? [{}] : []) : [PLAIN];
  return [{ path, simpler: plain }, ...memberSites(path, value)];
}

function memberSites(path: Path, value: unknown): Site[] {
  if (value === null || typeof value !== 'object') return [];
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return [
    ...(Array.isArray(value) ? [listSite(path, value)] : optional(path, value, keys)),
    ...Object.entries(value).flatMap(([key, each]) =>
      valueSites([...path, Array.isArray(value) ? Number(key) : key], each),
    ),
  ];
}

/** A plain text, or a half of it. */
function textSites(path: Path, text: unknown): Site[] {
  if (typeof text !== 'string' || text === PLAIN) return [];
  const letters = Array.from(text);
  const middle = Math.ceil(letters.length / 2);
  const halves = letters.length > 1 ? [letters.slice(0, middle), letters.slice(middle)] : [];
  return [{ path, simpler: [PLAIN, ...halves.map((half) => half.join(''))] }];
}
