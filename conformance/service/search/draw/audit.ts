import type { Random } from '../../../../mock/generate/random.js';
import { operations } from '../../../../spec/generated/operations.js';
import type { KeyName } from '../../test-case/test-case.js';
import { ADDRESS } from '../judge/follow.js';
import { LONGEST_ACTION_MS } from '../judge/task-facts.js';
import type { Command, Step } from '../sequence/sequence.js';
import { isListOf, isThere, type Thing } from '../sequence/things.js';
import type { Draw, Row } from './draw.js';
import { nameThing } from './draw-command.js';

/** After this a service may have forgotten what is not asked for. */
const LONG_MS = 65_000;
/** Things of a kind that are read at the end, at most. */
const MOST_READ = 4;

export interface AuditSetup {
  rows: readonly Row[];
  draw: Draw;
  /** Conditions that are not drawn any more. */
  avoided: ReadonlySet<string>;
  longestWaitMs: number;
}

/**
 * The end of a sequence, part by part, each drawn from what there is by then: what there is, as every list and read shows it; the
 * removal of all of it, since some things show only by that; what is listed then.
 */
export function* audit(setup: AuditSetup): Generator<Step, undefined> {
  const { rows, draw, longestWaitMs } = setup;
  const lists = (): Step[] => {
    const kinds = new Set(draw.things.map(({ kind }) => kind));
    return readsOf(setup, ({ operation }) => [...kinds].some((kind) => isListOf(operation, kind)));
  };
  if (rows.some(({ operation }) => operation === 'sendTaskEvent')) yield* pagesOf(draw);
  yield* resultsOf(draw, longestWaitMs);
  const before = new Set(draw.things.map(({ kind }) => kind));
  yield* readsOf(setup).flatMap((step) => [step, ...readsOfStrangers(step, draw)]);
  // What these have shown for the first time: attachments, say.
  yield* readsOf(setup, ({ of }) => of !== undefined && !before.has(of));
  const removals = removalsOf(setup);
  const middle = draw.random.int(0, removals.length);
  yield* removals.slice(0, middle);
  if (middle > 0 && middle < removals.length) yield* lists();
  yield* removals.slice(middle);
  if (removals.length > 0) yield* lists();
}

/** Each session that was sent somewhere tells where it is. */
function pagesOf({ things, key }: Draw): Step[] {
  return things
    .filter(({ state, task }) => state === 'session' && task?.sent.some(({ url }) => url !== undefined))
    .map(({ label }) => ({
      operation: 'sendTaskEvent',
      on: label,
      ...(key !== 'main' && { key }),
      path: { task_id: `{{${label}.task_id}}` },
      body: {
        name: 'browser_action',
        id: `{{word.page${label.replace(/\D/g, '')}}}`,
        timestamp: '{{now.ms}}',
        payload: { name: 'evaluate_js', input: { js: ADDRESS } },
      },
      condition: 'plain',
    }));
}

/** Time for the results of actions, and for tasks to run. */
function resultsOf({ things, random }: Draw, longestWaitMs: number): Step[] {
  const awaited = things.filter((thing) => thing.kind === 'task' && isActive(thing));
  if (awaited.length === 0 || longestWaitMs < LONGEST_ACTION_MS) return [];
  if (random.next() < 0.5 || longestWaitMs < LONG_MS) return [{ wait_ms: LONGEST_ACTION_MS }];
  return [{ wait_ms: LONG_MS }, ...awaited.filter(({ task }) => task!.times > 0).map(pollFromFirst)];
}

/** From the first event on: all others that were seen have to be listed again. */
function pollFromFirst({ label, key }: Thing): Command {
  return {
    operation: 'getTask',
    on: label,
    ...keyOf(key),
    path: { task_id: `{{${label}.task_id}}` },
    query: { event_t: `{{${label}.event_1}}` },
    condition: 'with event_t',
  };
}

function isActive(thing: Thing): boolean {
  return isThere(thing) && thing.state !== 'over';
}

/** What there is, as every list and read shows it; also with a value of an optional parameter. */
function readsOf({ rows, draw, avoided }: AuditSetup, only: (row: Row) => boolean = () => true): Command[] {
  const { things, key } = draw;
  const kinds = [...new Set(things.map(({ kind }) => kind))];
  const steps: Command[] = [];
  for (const row of rows) {
    const { operation, of, request, families } = row;
    const { method, auth } = operations[operation];
    if (method !== 'GET' || !only(row) || steps.some((step) => step.operation === operation)) continue;
    const isAbout = of
      ? kinds.includes(of)
      : kinds.some((kind) => isListOf(operation, kind)) || families.includes('account');
    if (!isAbout) continue;
    const about = of ? things.filter((thing) => thing.kind === of).slice(0, MOST_READ) : [undefined];
    for (const thing of about) {
      const own = thing && request?.(draw, thing);
      if (request && !own) continue;
      const step: Command = {
        operation,
        ...(thing && { on: thing.label }),
        ...(auth === 'none' ? { key: null } : keyOf(thing?.key ?? key)),
        ...(thing && nameThing(operation, thing, own)),
        condition: 'plain',
      };
      const more = draw.chance(0.5) ? withOptional(row, draw, thing, step) : undefined;
      const isAsked = more && !avoided.has(`${operation} ${more.condition}`);
      steps.push(...(isAsked ? shuffled([step, more], draw.random) : [step]));
    }
    // Other organisations have lists of their own.
    const others = of ? [] : things.filter((thing) => thing.key !== key && isListOf(operation, thing.kind));
    for (const other of new Set(others.map((thing) => thing.key)))
      steps.push({ operation, ...keyOf(other), condition: 'plain' });
  }
  return steps;
}

function withOptional(
  { optional = {} }: Row,
  draw: Draw,
  thing: Thing | undefined,
  step: Command,
): Command | undefined {
  const names = Object.keys(optional);
  if (names.length === 0) return undefined;
  const name = draw.pick(names);
  const value = optional[name]!(draw, thing as Thing);
  if (value === undefined) return undefined;
  return { ...step, query: { ...step.query, [name]: value }, condition: `with ${name}` };
}

/** In any order, each by any of the operations that do it. Now and then another organisation tries to, before. */
function removalsOf({ rows, draw }: AuditSetup): Step[] {
  // In half of the sequences tasks are removed before the files and profiles that they use.
  const isInOrder = draw.chance(0.5);
  const removals = draw.things.flatMap((thing): Command[][] => {
    const { kind, label, key } = thing;
    const removing = rows.filter(
      ({ operation, of, states }) =>
        of === kind &&
        operations[operation].method === 'DELETE' &&
        (states?.includes(thing.state) ?? isActive(thing)),
    );
    if (removing.length === 0 || (thing.state === 'over' && draw.chance(0.5))) return [];
    const { operation, request } = draw.pick(removing);
    const removal: Command = {
      operation,
      on: label,
      ...keyOf(key),
      ...nameThing(operation, thing),
      ...request?.(draw, thing),
      condition: 'plain',
    };
    const isTried = draw.hasStranger && key === 'main' && draw.chance(0.3);
    const condition = 'key of another organisation';
    return [isTried ? [{ ...removal, key: 'other', astray: 'stranger', condition }, removal] : [removal]];
  });
  const mixed = shuffled(removals, draw.random);
  const ordered = isInOrder ? mixed.toSorted((a, b) => Number(isOfTask(b)) - Number(isOfTask(a))) : mixed;
  return someAtOnce(ordered.flat(), draw);
}

function isOfTask([first]: readonly Command[]): boolean {
  return first?.operation === 'deleteTask';
}

/** Now and then two of a kind that follow each other are removed at once. */
function someAtOnce(removals: readonly Command[], draw: Draw): Step[] {
  const steps: Step[] = [];
  for (const removal of removals) {
    const last = steps.at(-1);
    const isAlike =
      last && 'operation' in last && last.operation === removal.operation && last.on !== removal.on;
    if (isAlike && draw.chance(0.4)) steps.splice(-1, 1, { together: [last, removal] });
    else steps.push(removal);
  }
  return steps;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const ranks = new Map(items.map((item) => [item, random.next()]));
  return items.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
}

/** Now and then another organisation, or a request without a key, reads the same. */
function readsOfStrangers(read: Command, draw: Draw): Command[] {
  const reads: Command[] = [];
  if (operations[read.operation].auth === 'none') return reads;
  if (draw.chance(0.15)) reads.push({ ...read, key: null, invalid: 'AUTH-05', condition: 'without a key' });
  if (draw.hasStranger && (read.key ?? 'main') === 'main' && draw.chance(0.1))
    reads.push({ ...read, key: 'other', astray: 'stranger', condition: 'key of another organisation' });
  return reads;
}

function keyOf(key: KeyName): Pick<Command, 'key'> {
  return key === 'main' ? {} : { key };
}
