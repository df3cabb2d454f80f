import type { Random } from '../../../../mock/generate/random.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import type { KeyName } from '../../test-case/test-case.js';
import { ADDRESS } from '../judge/follow.js';
import { LONGEST_ACTION_MS } from '../judge/task-facts.js';
import type { Command, Step } from '../sequence/sequence.js';
import { isThere, KINDS, type Kind, type Thing } from '../sequence/things.js';
import type { Row } from './draw.js';

/** Things of a kind that are read at the end, at most. */
const MOST_READ = 4;

export interface AuditSetup {
  rows: readonly Row[];
  random: Random;
  key: KeyName;
  longestWaitMs: number;
}

/**
 * The end of a sequence, part by part, each drawn from what there is by then: what there is, as every list and read shows it; the
 * removal of all of it, since some things show only by that; what is listed then.
 */
export function* audit(setup: AuditSetup, things: () => readonly Thing[]): Generator<Step, undefined> {
  const { rows, key, longestWaitMs } = setup;
  if (rows.some(({ operation }) => operation === 'sendTaskEvent')) yield* pagesOf(things(), key);
  yield* resultsOf(things(), longestWaitMs);
  yield* readsOf(setup, things());
  const left = things().filter((thing) => isThere(thing) && thing.state !== 'over');
  yield* removalsOf(setup, left);
  yield* readsOf(setup, things(), ({ operation }) => left.some(({ kind }) => isListOf(operation, kind)));
}

/** Each session that was sent somewhere tells where it is. */
function pagesOf(things: readonly Thing[], key: KeyName): Step[] {
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

/** Time for the results of actions. */
function resultsOf(things: readonly Thing[], longestWaitMs: number): Step[] {
  const isAwaited = things.some(({ task }) => task?.sent.some(({ isDone }) => !isDone));
  return isAwaited && longestWaitMs >= LONGEST_ACTION_MS ? [{ wait_ms: LONGEST_ACTION_MS }] : [];
}

/** What there is, as every list and read shows it. */
function readsOf(
  { rows, key }: AuditSetup,
  things: readonly Thing[],
  only: (row: Row) => boolean = () => true,
): Step[] {
  const with_key = key === 'main' ? {} : { key };
  const kinds = [...new Set(things.map(({ kind }) => kind))];
  const steps: Step[] = [];
  for (const row of rows) {
    const { operation, of, request, families } = row;
    const { method, auth } = operations[operation];
    const isRead = method === 'GET' && !request;
    if (!isRead || !only(row) || steps.some((step) => 'operation' in step && step.operation === operation))
      continue;
    const isAbout = of
      ? kinds.includes(of)
      : kinds.some((kind) => isListOf(operation, kind)) || families.includes('account');
    if (!isAbout) continue;
    const about = of ? things.filter((thing) => thing.kind === of).slice(0, MOST_READ) : [undefined];
    for (const thing of about)
      steps.push({
        operation,
        ...(thing && { on: thing.label }),
        ...(auth === 'none' ? { key: null } : with_key),
        ...(thing && named(operation, thing)),
        condition: 'plain',
      });
  }
  return steps;
}

/** In any order, each by any of the operations that do it. */
function removalsOf({ rows, random }: AuditSetup, things: readonly Thing[]): Command[] {
  const removals = things.flatMap((thing): Command[] => {
    const { kind, label, key } = thing;
    const own = rows.filter(({ operation, of }) => of === kind && operations[operation].method === 'DELETE');
    const removing = own.filter(({ operation }) => operation !== 'deleteTaskData');
    if (removing.length === 0) return [];
    const { operation } = random.pick(removing);
    const ownKey = key === 'main' ? {} : { key };
    return [{ operation, on: label, ...ownKey, ...named(operation, thing), condition: 'plain' }];
  });
  for (let index = removals.length - 1; index > 0; index--) {
    const other = random.int(0, index);
    [removals[index], removals[other]] = [removals[other]!, removals[index]!];
  }
  return removals;
}

function isListOf(operation: OperationId, kind: Kind): boolean {
  const { list } = KINDS[kind] as { list?: readonly OperationId[] };
  return list?.includes(operation) === true;
}

function named(operation: OperationId, { label }: Thing): Partial<Command> {
  const parts: { [place: string]: Record<string, string> } = {};
  for (const { name, in: where, required } of operations[operation].params) {
    if (!required) continue;
    const place = where === ('header' as string) ? 'headers' : where;
    parts[place] = { ...parts[place], [name]: `{{${label}.${name}}}` };
  }
  return parts;
}
