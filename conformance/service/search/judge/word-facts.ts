import type { OperationId } from '../../../../spec/generated/operations.js';
import { ruleOf } from '../../from-openapi/derived-case.js';
import { valuesIn } from '../../test-case/read-record.js';
import { WORD } from '../sequence/names.js';
import type { Command } from '../sequence/sequence.js';
import { isThere, type Thing } from '../sequence/things.js';
import type { Facts, Scene, SentWord } from './facts.js';

/** Whether the response holds each of the texts that were sent. Which fields show them is open: a service is held to itself. */
export function wordFacts({ operation }: Command, { response, names, words, thing, things }: Scene): Facts {
  const facts: Facts = {};
  if (words.size === 0) return facts;
  const texts = [...valuesIn(response.body)].filter((text) => text.length > 3).join('\0');
  const byLabel = new Map<string | undefined, Thing>(things.map((each) => [each.label, each]));
  // The end of a task settles what it has asked for: such a status stands in the response to its change alone, and
  // not even there once the task may have ended.
  const mayBeSettled = things.some(({ kind, waitedMs = 0 }) => kind === 'chat' && waitedMs > 0);
  const add = (word: string, { by, owner, role, isFormer, isOwn }: SentWord) => {
    if (by === 'updateRequest' && (!isOwn || mayBeSettled)) return;
    const text = String(names.get(WORD + word));
    const its = byLabel.get(owner);
    const place = owner === thing?.label ? 'own' : its?.workspace === thing?.label ? 'within' : 'other';
    facts[`that it shows "${text}"`] = {
      value: texts.includes(text),
      requirement: ruleOf(its?.removedBy ?? (CHANGES.has(by) ? by : operation)).id,
      isOpen: true,
      isLeast: QUOTES.has(operation) && role !== 'title',
      kind: isOwn
        ? `${role} of the request shown`
        : `${place} ${isFormer ? 'former ' : ''}${role} shown, ${its?.state ?? 'there'}`,
    };
  };
  const isGone = ({ owner }: SentWord) => {
    const its = byLabel.get(owner);
    return its !== undefined && !isThere(its);
  };
  // What is gone comes first: that it is shown tells better what is wrong.
  for (const [word, sent] of words) if (isGone(sent)) add(word, sent);
  for (const [word, sent] of words) if (!isGone(sent)) add(word, sent);
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
