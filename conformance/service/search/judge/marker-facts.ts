import type { OperationId } from '../../../../spec/generated/operations.js';
import { readRule } from '../../from-openapi/derived-case.js';
import { collectValues } from '../../test-case/read-record.js';
import { MARKER_PREFIX } from '../sequence/names.js';
import { isPresent, type Resource } from '../sequence/resources.js';
import type { Command } from '../sequence/sequence.js';
import type { Facts, ObservedResponse, SentMarker } from './facts.js';

/** Whether the response holds each of the texts that were sent. Which fields show them is open: a service is held to itself. */
export function collectMarkerFacts(
  { operation }: Command,
  { response, names, markers, resource, resources }: ObservedResponse,
): Facts {
  const facts: Facts = {};
  if (markers.size === 0) return facts;
  const texts = [...collectValues(response.body)].filter((text) => text.length > 3).join('\0');
  const byLabel = new Map<string | undefined, Resource>(resources.map((each) => [each.label, each]));
  // The end of a task settles what it has asked for: such a status stands in the response to its change alone, and
  // not even there once the task may have ended.
  const mayBeSettled = resources.some(({ kind, waitedMs = 0 }) => kind === 'chat' && waitedMs > 0);
  const add = (marker: string, { by, owner, role, isFormer, isOwn }: SentMarker) => {
    if (by === 'updateRequest' && (!isOwn || mayBeSettled)) return;
    const text = String(names.get(MARKER_PREFIX + marker));
    const its = byLabel.get(owner);
    const place = owner === resource?.label ? 'own' : its?.workspace === resource?.label ? 'within' : 'other';
    facts[`that it shows "${text}"`] = {
      value: texts.includes(text),
      requirement: readRule(its?.removedBy ?? (CHANGES.has(by) ? by : operation)).id,
      isOpen: true,
      isLeast: QUOTES.has(operation) && role !== 'title',
      kind: isOwn
        ? `${role} of the request shown`
        : `${place} ${isFormer ? 'former ' : ''}${role} shown, ${its?.state ?? 'there'}`,
    };
  };
  const isGone = ({ owner }: SentMarker) => {
    const its = byLabel.get(owner);
    return its !== undefined && !isPresent(its);
  };
  // What is gone comes first: that it is shown tells better what is wrong.
  for (const [marker, sent] of markers) if (isGone(sent)) add(marker, sent);
  for (const [marker, sent] of markers) if (!isGone(sent)) add(marker, sent);
  return facts;
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
