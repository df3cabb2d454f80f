import type { NetworkRule } from '../../../scenarios/format/types.js';
import type { CallsPart, ConversationPlan, PlanPart } from './plan.js';

/** Replacement that removes the field. */
export const LEFT_OUT = Symbol('left out');

type PlanPath = readonly (string | number)[];

/** A position in a plan with its possible replacements, the simplest first. */
interface PlanSite {
  path: PlanPath;
  simpler: Iterable<unknown>;
}

/** A value that is not falsy and cannot be mistaken for another type. */
const PLAIN = 'x';
/** Request fields with free values. */
const FREE_FIELDS = ['metadata', 'experimental_features'];
const OPTIONAL_INPUT = ['prompt', 'args', 'max_steps', 'metadata', 'secrets'];

/** Every position where a plan can be simplified. The largest removals come first. */
export function listSites(plan: ConversationPlan): PlanSite[] {
  const { parts, fields, task, tools, ending } = plan;
  return [
    createListSite(['network'], plan.network),
    { path: [], simpler: convertToTask(plan) },
    createListSite(['parts'], parts),
    { path: [], simpler: moveFaultsEarlier(plan) },
    ...parts.flatMap((part, at) => listPartSites(['parts', at], part)),
    createListSite(['tools'], tools),
    ...listOptionalSites([], plan, ['cancel_ms', 'asks', 'isStructured', 'task_id']),
    { path: ['fields'], simpler: Object.keys(fields).length > 1 ? [{}] : [] },
    ...listOptionalSites(['fields'], fields, Object.keys(fields)),
    ...listOptionalSites(['ending'], ending, [
      'isEndless',
      'later',
      'recording_url',
      'at_once',
      'after_ms',
      'credits_used',
      'close',
      'output',
    ]),
    { path: ['ending', 'status'], simpler: ending.status === 'done' ? [] : ['done'] },
    ...listValueSites(['ending', 'output'], ending.output),
    ...(task === null ? [] : listTextSites(['task'], task)),
    ...tools.flatMap((tool, at) => [
      ...listOptionalSites(['tools', at], tool, ['isUnknown']),
      ...listTextSites(['tools', at, 'description'], tool.description),
      ...listTextSites(['tools', at, 'output'], tool.output),
    ]),
    ...parts.flatMap((part, at) => listPartValues(['parts', at], part)),
    ...FREE_FIELDS.flatMap((name) => listMemberSites(['fields', name], fields[name])),
  ];
}

/** A session with calls becomes a task with the same calls. */
function* convertToTask(plan: ConversationPlan): Generator<ConversationPlan> {
  if (plan.task !== null) return;
  const parts = plan.parts.flatMap((part) =>
    part.kind === 'calls' ? [part] : part.kind === 'action' ? (part.during ?? []) : [],
  );
  if (parts.length > 0) yield { ...plan, task: PLAIN, parts, ending: { status: 'done', output: PLAIN } };
}

/** Moves the fault of a later request to the first, without one of the parts. */
function* moveFaultsEarlier(plan: ConversationPlan): Generator<ConversationPlan> {
  const { network, parts } = plan;
  if (!network.some(({ skip }) => skip !== undefined)) return;
  const unskipped = network.map(({ skip: _skip, ...rule }) => rule as NetworkRule);
  yield { ...plan, network: unskipped };
  for (const at of parts.keys()) yield { ...plan, network: unskipped, parts: parts.toSpliced(at, 1) };
}

function listPartSites(path: PlanPath, part: PlanPart): PlanSite[] {
  if (part.kind === 'calls')
    return [
      createListSite([...path, 'calls'], part.calls),
      ...listOptionalSites(path, part, ['after_ms', 'isSameInstant', 'isOverlapping', 'isAbandoned']),
    ];
  if (part.kind === 'status') return listOptionalSites(path, part, ['after_ms']);
  if (part.kind === 'address') return [];
  const { during = [], result } = part;
  return [
    ...listOptionalSites(path, part, ['during', 'isAccompanied', 'isStructured']),
    ...during.flatMap((calls, at) => listPartSites([...path, 'during', at], calls)),
    ...listOptionalSites([...path, 'result'], result, ['after_ms', 'credits_used']),
    ...listCodeSites([...path, 'result'], result),
    ...listOptionalSites([...path, 'input'], part.input, OPTIONAL_INPUT),
  ];
}

function listPartValues(path: PlanPath, part: PlanPart): PlanSite[] {
  if (part.kind === 'calls') return listCallValues(path, part);
  if (part.kind !== 'action') return [];
  const { during = [], result, input, name } = part;
  return [
    ...during.flatMap((calls, at) => listCallValues([...path, 'during', at], calls)),
    ...(name === 'goto'
      ? []
      : listValueSites([...path, 'result', 'output'], result?.output, name === 'extract')),
    ...listValueSites([...path, 'input', 'args'], input.args),
    ...['prompt', 'js', 'task'].flatMap((each) => listTextSites([...path, 'input', each], input[each])),
  ];
}

function listCallValues(path: PlanPath, { calls }: CallsPart): PlanSite[] {
  return calls.flatMap((call, at) => [
    ...listOptionalSites([...path, 'calls', at], call, ['event_id', 'repetition']),
    ...listCodeSites([...path, 'calls', at, 'reply'], call.reply),
    ...listValueSites([...path, 'calls', at, 'reply', 'output'], call.reply.output),
    ...listValueSites([...path, 'calls', at, 'input'], call.input, true),
  ]);
}

function listCodeSites(path: PlanPath, outcome: { code: number } | undefined): PlanSite[] {
  return outcome && outcome.code !== 200 ? [{ path: [...path, 'code'], simpler: [200] }] : [];
}

function listOptionalSites(path: PlanPath, value: object | undefined, names: readonly string[]): PlanSite[] {
  return names.flatMap((name) =>
    value && Object.hasOwn(value, name) ? [{ path: [...path, name], simpler: [LEFT_OUT] }] : [],
  );
}

/** Without all members, a half, a quarter, … at any position, finally without one member. */
function createListSite(path: PlanPath, list: readonly unknown[]): PlanSite {
  function* removeRanges(): Generator<unknown[]> {
    for (let size = list.length; size >= 1; size = Math.floor(size / 2))
      for (let from = 0; from < list.length; from += size) yield list.toSpliced(from, size);
  }
  return { path, simpler: removeRanges() };
}

/** `isObject`: the value stays an object. */
function listValueSites(path: PlanPath, value: unknown, isObject = false): PlanSite[] {
  if (value === undefined || value === PLAIN) return [];
  if (typeof value === 'string') return listTextSites(path, value);
  const plain = isObject ? (Object.keys(value as object).length > 0 ? [{}] : []) : [PLAIN];
  return [{ path, simpler: plain }, ...listMemberSites(path, value)];
}

function listMemberSites(path: PlanPath, value: unknown): PlanSite[] {
  if (value === null || typeof value !== 'object') return [];
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return [
    ...(Array.isArray(value) ? [createListSite(path, value)] : listOptionalSites(path, value, keys)),
    ...Object.entries(value).flatMap(([key, each]) =>
      listValueSites([...path, Array.isArray(value) ? Number(key) : key], each),
    ),
  ];
}

function listTextSites(path: PlanPath, text: unknown): PlanSite[] {
  if (typeof text !== 'string' || text === PLAIN) return [];
  const letters = Array.from(text);
  const middle = Math.ceil(letters.length / 2);
  const halves = letters.length > 1 ? [letters.slice(0, middle), letters.slice(middle)] : [];
  return [{ path, simpler: [PLAIN, ...halves.map((half) => half.join(''))] }];
}
