import type { Command } from '../../operations/command.js';
import { definitions, isListOperation } from '../../operations/definitions.js';
import {
  type Fact,
  type Facts,
  formatIdName,
  isPresent,
  type ObservedResponse,
  type Resource,
} from '../../operations/observed.js';
import { resources as definedResources, type ResourceName } from '../../operations/resources.js';
import { readRule } from '../../operations/rules.js';
import { collectValues } from '../../test-case/read-record.js';
import { collectMarkerFacts } from './marker-facts.js';

export function collectFacts(command: Command, observed: ObservedResponse): Facts {
  const { facts: collectOwnFacts, lists, counts } = definitions[command.operation];
  const facts: Facts = {
    ...collectOwnFacts?.(observed, command),
    ...(lists &&
      lists !== 'task' &&
      isListOperation(command.operation, lists) &&
      collectListedFacts(lists, command, observed)),
    ...collectMarkerFacts(command, observed),
    ...counts?.(observed, command),
  };
  if (command.astray === 'stranger') for (const fact of Object.values(facts)) fact.requirement = 'SERVICE-04';
  return facts;
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
