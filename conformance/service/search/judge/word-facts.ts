import type { OperationId } from '../../../../spec/generated/operations.js';
import { ruleOf } from '../../from-openapi/derived-case.js';
import { valuesIn } from '../../test-case/read-record.js';
import { roleOf, WORD } from '../sequence/names.js';
import type { Command } from '../sequence/sequence.js';
import { isThere } from '../sequence/things.js';
import type { Fact, Facts, Scene, SentWord } from './facts.js';

/** Whether the response holds each of the texts that were sent. Which fields show them is open: a service is held to itself. */
export function wordFacts({ operation }: Command, { response, names, words, thing, things }: Scene): Facts {
  if (words.size === 0) return {};
  const texts = [...valuesIn(response.body)].filter((text) => text.length > 3).join('\0');
  const isGone = ([, { owner }]: [string, SentWord]) =>
    things.some((each) => each.label === owner && !isThere(each));
  // The end of a task settles what it has asked for: such a status stands in the response to its change alone, and
  // not even there once the task may have ended.
  const mayBeSettled = things.some(({ kind, waitedMs = 0 }) => kind === 'chat' && waitedMs > 0);
  const lasting = [...words].filter(
    ([, { by, isOwn }]) => (isOwn && !mayBeSettled) || by !== 'updateRequest',
  );
  const sorted = lasting.sort((a, b) => Number(isGone(b)) - Number(isGone(a)));
  return Object.fromEntries(
    sorted.map(([word, { by, owner, isFormer, isOwn }]) => {
      const text = String(names.get(WORD + word));
      const role = roleOf(word);
      const its = things.find(({ label }) => label === owner);
      const place = owner === thing?.label ? 'own' : its?.workspace === thing?.label ? 'within' : 'other';
      const fact: Fact = {
        value: texts.includes(text),
        requirement: ruleOf(its?.removedBy ?? (CHANGES.has(by) ? by : operation)).id,
        isOpen: true,
        isLeast: QUOTES.has(operation) && role !== 'title',
        kind: isOwn
          ? `${role} of the request shown`
          : `${place} ${isFormer ? 'former ' : ''}${role} shown, ${its?.state ?? 'there'}`,
      };
      return [`that it shows "${text}"`, fact];
    }),
  );
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
