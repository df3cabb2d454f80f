import { expect, it } from 'vitest';
import type { OperationId } from '../../../../spec/generated/operations.js';
import type { Command } from '../../operations/command.js';
import type { ObservedResponse, Resource, SentMarker } from '../../operations/observed.js';
import { collectMarkerFacts } from './marker-facts.js';

const workspaces: Resource[] = ['workspace1', 'workspace2'].map((label) => ({
  label,
  kind: 'workspace',
  key: 'main',
  state: 'there',
}));
const chat: Resource = { label: 'chat1', kind: 'chat', key: 'main', state: 'there', workspace: 'workspace1' };

/** What a read of `workspace1` has to show of the text, beside an optional copy of the chat. */
function judge(operation: OperationId, sent: Partial<SentMarker>, more: Partial<Resource> = {}) {
  const marker: SentMarker = { by: 'createMessage', owner: 'chat1', role: 'message', ...sent };
  const observed = {
    response: { status: 200, ok: true, body: {} },
    names: { get: () => 'the text' },
    markers: new Map([['message1', marker]]),
    resource: workspaces[0],
    resources: [...workspaces, { ...chat, ...more }, { ...chat, label: 'chat2' }],
  } as unknown as ObservedResponse;
  const { isMost, isLeast } = collectMarkerFacts({ operation } as Command, observed)[
    'that it shows "the text"'
  ]!;
  return { mayBeMissing: isMost === true, mayBeShown: isLeast === true };
}

const OPEN = { mayBeMissing: true, mayBeShown: true };
const title = { by: 'renameChat', role: 'title' } as const;
const sop = { by: 'saveSop', role: 'sop', owner: 'sop1' } as const;

it('leaves open whether a response repeats a text of its request', () => {
  const upload = { by: 'uploadFile', owner: 'file1', role: 'file', isOwn: true } as const;
  expect(judge('uploadFile', upload)).toMatchObject({ mayBeShown: true });
});

it.each<[OperationId, Partial<SentMarker>]>([
  ['getWorkspace', {}],
  ['listChats', {}],
  ['createMessage', {}],
  ['getChat', { role: 'chat', by: 'createChatTask' }],
  ['getWorkspace', title],
  ['getWorkspace', sop],
  ['listSops', { by: 'createWorkspace', role: 'workspace', owner: 'workspace1' }],
  ['listMessages', { role: 'attached' }],
])('leaves open what %s shows of a text of %j, which is about something else', (operation, sent) => {
  expect(judge(operation, sent)).toEqual(OPEN);
});

it.each<[OperationId, Partial<SentMarker>]>([
  ['listMessages', {}],
  ['listChats', title],
  ['listSops', sop],
  ['getWorkspace', { by: 'createWorkspace', role: 'workspace', owner: 'workspace1' }],
  ['getAttachment', { role: 'attached' }],
])('expects of %s what it is about: %j', (operation, sent) => {
  expect(judge(operation, sent).mayBeMissing).toBe(false);
});

it('expects no text that was removed or replaced, or belongs to another workspace or organisation', () => {
  const hidden = { mayBeMissing: true, mayBeShown: false };
  expect(judge('getWorkspace', {}, { state: 'gone' })).toEqual(hidden);
  expect(judge('getWorkspace', { ...title, isFormer: true })).toEqual(hidden);
  expect(judge('getWorkspace', {}, { workspace: 'workspace2' })).toEqual(hidden);
  expect(judge('getWorkspace', {}, { key: 'other' })).toEqual(hidden);
});

it('takes a message for no earlier form of the next one', () => {
  expect(judge('getWorkspace', { isFormer: true })).toEqual(OPEN);
});

it('takes a text for removed only with every resource that has it', () => {
  const gone: Partial<Resource> = { state: 'gone' };
  expect(judge('getWorkspace', { others: ['chat2'] }, gone)).toEqual(OPEN);
});
