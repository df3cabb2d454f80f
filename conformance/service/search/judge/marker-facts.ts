import type { OperationId } from '../../../../spec/generated/operations.js';
import type { Command } from '../../operations/command.js';
import { definitions, findCreatedKind } from '../../operations/definitions.js';
import {
  type Facts,
  isPresent,
  type ObservedResponse,
  type Resource,
  type SentMarker,
} from '../../operations/observed.js';
import { resources as definedResources, type ResourceName } from '../../operations/resources.js';
import { readRule } from '../../operations/rules.js';
import { collectValues } from '../../test-case/read-record.js';
import { MARKER_PREFIX } from '../sequence/names.js';

/** Optional parameters that select a part of the content. Which part is not stated. */
const SELECTING: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  listChats: ['t', 'limit'],
  getChat: ['msg'],
  listMessages: ['t'],
};

/** By role, for the texts that a chat holds for its messages and their files: the operation that reads them. */
const READ_BY: ReadonlyMap<string, OperationId> = new Map([
  ['message', 'listMessages'],
  ['chat', 'listMessages'],
  ['again', 'listMessages'],
  ['attached', 'getAttachment'],
]);

/** The kind of resource that an operation is about. */
function findKind(operation: OperationId): ResourceName | undefined {
  const { lists, needs = [] } = definitions[operation];
  const needed = needs.at(-1);
  return lists ?? findCreatedKind(operation) ?? (needed && (definedResources[needed].kind ?? needed));
}

/** Whether a response of the operation is about the kind of resource that the text belongs to. */
function isAbout(operation: OperationId, { by, role }: SentMarker): boolean {
  const reader = READ_BY.get(role);
  if (reader !== undefined) return reader === operation;
  const kind = findKind(by);
  return kind !== undefined && kind === findKind(operation);
}

/**
 * Whether the response contains each unique text that was sent. Which fields show a text is open: the service has to be
 * consistent with itself. What a response shows of the texts of other resources is open each time: a list of chats may show the
 * beginning of the first message, a workspace the titles of its latest SOPs. It shows none that were removed or replaced, and none
 * of another workspace or organisation.
 */
export function collectMarkerFacts(command: Command, observed: ObservedResponse): Facts {
  const { operation, query, key = 'main', astray } = command;
  const { response, names, markers, resource, resources } = observed;
  const facts: Facts = {};
  if (markers.size === 0) return facts;
  const texts = [...collectValues(response.body)].filter((text) => text.length > 3).join('\0');
  const byLabel = new Map<string | undefined, Resource>(resources.map((each) => [each.label, each]));
  // The end of a task settles its approval requests. A status set by a client is then certain only in the response to that
  // change, and not even there once the task may have ended.
  const mayBeSettled = resources.some(({ kind, waitedMs = 0 }) => kind === 'chat' && waitedMs > 0);
  const isPart = SELECTING[operation]?.some((name) => query?.[name] !== undefined);
  const workspace = resource?.kind === 'workspace' ? resource.label : resource?.workspace;
  const isGone = ({ owner, others = [] }: SentMarker) =>
    [owner, ...others].every((label) => {
      const its = byLabel.get(label);
      return its !== undefined && !isPresent(its);
    });
  const isForeign = ({ owner, others = [] }: SentMarker) =>
    astray === 'stranger' ||
    [owner, ...others].every((label) => {
      const its = byLabel.get(label);
      if (!its) return false;
      const isElsewhere =
        workspace !== undefined && its.workspace !== undefined && its.workspace !== workspace;
      return isElsewhere || (key !== null && its.key !== key);
    });
  const add = (marker: string, sent: SentMarker, isRemoved: boolean) => {
    const { by, owner, role, isFormer, isOwn, after } = sent;
    if (by === 'updateRequest' && (!isOwn || mayBeSettled)) return;
    const text = String(names.get(MARKER_PREFIX + marker));
    const its = byLabel.get(owner);
    const place = owner === resource?.label ? 'own' : its?.workspace === resource?.label ? 'within' : 'other';
    const isShown = texts.includes(text);
    const isReplaced = isFormer && definitions[by].replaces;
    facts[`that it shows "${text}"`] = {
      value: isPart && place !== 'other' && !isRemoved ? undefined : isShown,
      isVacuous: isPart === true && !isShown,
      isMost: isPart || !isAbout(operation, sent),
      requirement: readRule(its?.removedBy ?? (definitions[by].replaces ? by : operation)).id,
      isOpen: true,
      // A response may repeat its own request.
      isLeast:
        isOwn === true ||
        (definitions[operation].mayQuote === true && role !== 'title') ||
        !(isRemoved || isReplaced || isForeign(sent)),
      kind: isOwn
        ? `${role} of the request shown`
        : `${place} ${isFormer ? 'former ' : ''}${role} shown, ${its?.state ?? 'there'}${after ? `, ${[...after].sort().join(', ')}` : ''}`,
    };
  };
  // Removed resources come first: a text of them explains the defect better.
  const present: [string, SentMarker][] = [];
  for (const [marker, sent] of markers)
    if (isGone(sent)) add(marker, sent, true);
    else present.push([marker, sent]);
  for (const [marker, sent] of present) add(marker, sent, false);
  return facts;
}
