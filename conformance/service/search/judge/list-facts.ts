import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import { readField } from '../../../conversation/json.js';
import { resources as definedResources, type ResourceName } from '../../operations/resources.js';
import { readRule } from '../../operations/rules.js';
import { collectValues, readPayload, readRows } from '../../test-case/read-record.js';
import { formatIdName, isPresent, type Resource } from '../sequence/resources.js';
import type { Command } from '../sequence/sequence.js';
import type { Fact, Facts, ObservedResponse } from './facts.js';

/** Requests that may start tasks of their own, at a time that is not stated. */
const STARTING_TASKS: readonly OperationId[] = ['triggerWebhook', 'createChatTask', 'createMessage'];

/** A list of tasks: which tasks of the sequence it contains. It may contain others. */
export function collectTaskListFacts(
  { response, names, resources, isNewestFirst, request, settings }: ObservedResponse,
  { query, astray }: Command,
): Facts {
  const rows = Array.isArray(response.r) ? response.r : undefined;
  if (!rows) return {};
  const tasks = resources.filter(({ kind }) => kind === 'task');
  const times = tasks.flatMap(({ label }) => names.get(`${label}.created_at`) ?? []);
  const areApart = new Set(times).size === times.length && times.length === tasks.length;
  const labels = new Map(tasks.map(({ label }) => [names.get(`${label}.task_id`), label]));
  const all = rows.flatMap((row) => labels.get(readField(row, 'id') as string) ?? []);
  const gone = tasks.filter((task) => !isPresent(task)).map(({ label }) => label);
  const listed = all.filter((label) => !gone.includes(label));
  const isFull = rows.length >= Number(request.query?.l ?? 32);
  const hasOthers = STARTING_TASKS.some((operation) => settings.has(operation));
  const isComparable = (areApart || query?.t === undefined) && ((isNewestFirst && !hasOthers) || !isFull);
  return {
    'that it lists no task whose data are deleted': {
      value: gone.length === 0 ? undefined : listed.length === all.length,
      requirement: 'TASK-21',
      // Whether a task is listed whose data are deleted is not stated.
      isOpen: true,
    },
    'tasks of this sequence that it lists': {
      value: isComparable ? listed.toSorted() : undefined,
      requirement: 'TASK-15',
      isOpen: query?.t !== undefined && astray === undefined,
      kind: query?.t === undefined ? 'tasks listed' : 'tasks listed by t',
    },
  };
}

/** A list contains each resource of its kind, by id. */
export function collectListedFacts(
  kind: ResourceName,
  { operation, query, key, astray }: Command,
  { response, names, resources, resource, settings }: ObservedResponse,
): Facts {
  const { id: own, mark = own, by } = definedResources[kind];
  const shown = collectValues(response.body);
  const isOpen = query !== undefined && Object.keys(query).length > 0 && kind === 'chat';
  const workspace = resource?.kind === 'workspace' ? resource.label : resource?.workspace;
  // Resources that no operation creates are visible only to the account that listed them.
  const isFound = by === undefined;
  if (isFound && astray !== undefined) return {};
  const all = resources.filter(
    (each) => each.kind === kind && hasSameKey(each, resource) && (!isFound || each.key === (key ?? 'main')),
  );
  return Object.fromEntries(
    all.map((each) => {
      const id = names.get(`${each.label}.${mark}`);
      const isKnown = id !== undefined && !isIdReused(each, resources, names);
      const value = isKnown ? shown.has(String(id)) : undefined;
      const beside = value === true ? findRemovedSibling(each, resources, names) : undefined;
      const remover = isPresent(each) ? beside : each;
      const ofOther = remover && remover.key !== each.key ? 'SERVICE-04' : undefined;
      const removal = ofOther ?? (remover?.removedBy && readRule(remover.removedBy).id);
      const isElsewhere = workspace !== undefined && each.workspace !== workspace;
      // What `t` and `limit` leave out is not stated, nor whether a browser creates a profile that was removed again.
      const isUnknown =
        (isOpen && isPresent(each) && !isElsewhere) ||
        (kind === 'profile' && remover !== undefined && settings.has('openBrowserSession'));
      const fact: Fact = {
        value: isUnknown ? undefined : value,
        requirement: removal ?? readRule(operation).id,
        isOpen: isOpen || isElsewhere || isFound,
        kind: `${kind} listed`,
      };
      return [`that it lists ${each.label}`, fact];
    }),
  );
}

/**
 * A missing resource may have disappeared with another of its kind that was removed later. One with the same id is the likelier
 * cause.
 */
function findRemovedSibling(
  resource: Resource,
  resources: readonly Resource[],
  names: ObservedResponse['names'],
): Resource | undefined {
  const at = resources.indexOf(resource);
  const removed = resources.filter(
    (each) => each.kind === resource.kind && !isPresent(each) && (each.removedAfter ?? 0) > at,
  );
  const id = names.get(formatIdName(resource));
  return removed.find((each) => names.get(formatIdName(each)) === id) ?? removed[0];
}

/** The resource is gone, and another one has its id. */
function isIdReused(
  gone: Resource,
  resources: readonly Resource[],
  names: ObservedResponse['names'],
): boolean {
  const id = names.get(formatIdName(gone));
  return (
    !isPresent(gone) &&
    resources.some(
      (each) => each.kind === gone.kind && isPresent(each) && names.get(formatIdName(each)) === id,
    )
  );
}

function hasSameKey(each: Resource, resource: Resource | undefined): boolean {
  return resource === undefined || each.key === resource.key;
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
