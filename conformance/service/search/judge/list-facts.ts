import { field } from '../../../conversation/json.js';
import { ruleOf } from '../../from-openapi/derived-case.js';
import { valuesIn } from '../../test-case/read-record.js';
import type { Command } from '../sequence/sequence.js';
import { idNameOf, isListOf, isThere, KINDS, type Kind, type Thing } from '../sequence/things.js';
import type { Fact, Facts, Scene } from './facts.js';

/** A list of tasks: those of the sequence that it names, in order. Others may be there, too. */
export function listFacts(
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
export function listedFacts(
  { operation, query, key, astray }: Command,
  { response, names, things, thing }: Scene,
): Facts {
  const kind = (Object.keys(KINDS) as Kind[]).find((each) => each !== 'task' && isListOf(operation, each));
  if (!kind) return {};
  const shown = valuesIn(response.body);
  const isOpen = query !== undefined && Object.keys(query).length > 0 && kind === 'chat';
  const workspace = thing?.kind === 'workspace' ? thing.label : thing?.workspace;
  // What nothing makes is there for those who found it.
  const isFound = FOUND.has(kind);
  if (isFound && astray !== undefined) return {};
  const all = things.filter(
    (each) => each.kind === kind && isOfKey(each, thing) && (!isFound || each.key === (key ?? 'main')),
  );
  return Object.fromEntries(
    all.map((each) => {
      const { id: own, mark = own } = KINDS[kind] as { id: string; mark?: string };
      const id = names.get(`${each.label}.${mark}`);
      const isKnown = id !== undefined && !isNamedAgain(each, things, names);
      const value = isKnown ? shown.has(String(id)) : undefined;
      const beside = value === true ? removedBeside(each, things, names) : undefined;
      const remover = isThere(each) ? beside : each;
      const ofOther = remover && remover.key !== each.key ? 'SERVICE-04' : undefined;
      const removal = ofOther ?? (remover?.removedBy && ruleOf(remover.removedBy).id);
      const isElsewhere = workspace !== undefined && each.workspace !== workspace;
      const fact: Fact = {
        value,
        requirement: removal ?? ruleOf(operation).id,
        isOpen: isOpen || isElsewhere || isFound,
        kind: `${kind} listed`,
      };
      return [`that it lists ${each.label}`, fact];
    }),
  );
}

/** Kinds of things that no operation makes. */
const FOUND: ReadonlySet<Kind> = new Set(['app', 'proxy']);

/** What is not listed any more may have gone with another of its kind, which was removed after it was made: first one of its name. */
function removedBeside(thing: Thing, things: readonly Thing[], names: Scene['names']): Thing | undefined {
  const at = things.indexOf(thing);
  const removed = things.filter(
    (each) => each.kind === thing.kind && !isThere(each) && (each.removedAfter ?? 0) > at,
  );
  const id = names.get(idNameOf(thing));
  return removed.find((each) => names.get(idNameOf(each)) === id) ?? removed[0];
}

/** It is gone, and another has its id. */
function isNamedAgain(gone: Thing, things: readonly Thing[], names: Scene['names']): boolean {
  const id = names.get(idNameOf(gone));
  return (
    !isThere(gone) &&
    things.some((each) => each.kind === gone.kind && isThere(each) && names.get(idNameOf(each)) === id)
  );
}

function isOfKey(each: Thing, thing: Thing | undefined): boolean {
  return thing === undefined || each.key === thing.key;
}
