import type { OperationId } from '../../../../spec/generated/operations.js';
import { definitions } from '../../operations/definitions.js';
import { readRule } from '../../operations/rules.js';
import { collectValues } from '../../test-case/read-record.js';
import { MARKER_PREFIX } from '../sequence/names.js';
import { isPresent, type Resource } from '../sequence/resources.js';
import type { Command } from '../sequence/sequence.js';
import type { Facts, ObservedResponse, SentMarker } from './facts.js';

/** Optional parameters that select a part of the content. Which part is not stated. */
const SELECTING: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  listChats: ['t', 'limit'],
  getChat: ['msg'],
  listMessages: ['t'],
};

/**
 * Whether the response contains each unique text that was sent. Which fields show a text is open: the service has to be
 * consistent with itself.
 */
export function collectMarkerFacts(
  { operation, query }: Command,
  { response, names, markers, resource, resources }: ObservedResponse,
): Facts {
  const facts: Facts = {};
  if (markers.size === 0) return facts;
  const texts = [...collectValues(response.body)].filter((text) => text.length > 3).join('\0');
  const byLabel = new Map<string | undefined, Resource>(resources.map((each) => [each.label, each]));
  // The end of a task settles its approval requests. A status set by a client is then certain only in the response to that
  // change, and not even there once the task may have ended.
  const mayBeSettled = resources.some(({ kind, waitedMs = 0 }) => kind === 'chat' && waitedMs > 0);
  const isPart = SELECTING[operation]?.some((name) => query?.[name] !== undefined);
  const isGone = ({ owner }: SentMarker) => {
    const its = byLabel.get(owner);
    return its !== undefined && !isPresent(its);
  };
  const add = (marker: string, sent: SentMarker) => {
    const { by, owner, role, isFormer, isOwn, after = [] } = sent;
    if (by === 'updateRequest' && (!isOwn || mayBeSettled)) return;
    const text = String(names.get(MARKER_PREFIX + marker));
    const its = byLabel.get(owner);
    const place = owner === resource?.label ? 'own' : its?.workspace === resource?.label ? 'within' : 'other';
    facts[`that it shows "${text}"`] = {
      value: isPart && place !== 'other' && !isGone(sent) ? undefined : texts.includes(text),
      // Nor what the required `t` of a chat leaves out.
      ...((isPart || operation === 'getChat') && { isMost: true }),
      requirement: readRule(its?.removedBy ?? (definitions[by].replaces ? by : operation)).id,
      isOpen: true,
      isLeast: definitions[operation].mayQuote === true && role !== 'title',
      kind: isOwn
        ? `${role} of the request shown`
        : [
            `${place} ${isFormer ? 'former ' : ''}${role} shown`,
            its?.state ?? 'there',
            ...[...after].sort(),
          ].join(', '),
    };
  };
  // Removed resources come first: a text of them explains the defect better.
  for (const [marker, sent] of markers) if (isGone(sent)) add(marker, sent);
  for (const [marker, sent] of markers) if (!isGone(sent)) add(marker, sent);
  return facts;
}
