import type { OperationId } from '../../../spec/generated/operations.js';
import { readField } from '../../conversation/json.js';
import { createExtensionForm, createMessageForm } from './bodies.js';
import { collectIdFacts } from './collect-facts.js';
import type { Resource } from './observed.js';
import type { CommandFields, OperationDefinition } from './operation.js';
import { type DrawSource, refer } from './operation.js';

/** Possible names of the form part that contains the archive (open point `upload.part-names`). */
const ARCHIVE_PARTS = ['file', 'extension', 'archive', 'zip', 'upload'];

const BROWSER_TOPICS = ['uploads', 'browsers'] as const;

/** Ids that clients choose: a unique one, and ids that resemble an existing one. */
function takeId(profile: Resource | undefined): CommandFields | undefined {
  return refer(profile, 'profile_id', (id) => ({ body: { id }, open: true }));
}

const createSimilarProfile =
  (how: string) =>
  (draw: DrawSource): CommandFields | undefined => {
    const other = draw.pickResource('profile', () => true);
    // Bounds of ids are not stated.
    return (
      other && {
        body: { id: `{{${other.label}.profile_id|${how}}}` },
        ...((how === 'longer' || how === 'form') && { open: true }),
      }
    );
  };

function createFileForm(draw: DrawSource) {
  return { form: [{ name: 'file', file: `${draw.unique('file')}.txt`, content: 'hello' }] };
}

function defineUpload(operation: 'uploadExtension' | 'uploadBrowserExtension') {
  const createPart = (draw: DrawSource) => {
    const name = ARCHIVE_PARTS[draw.forms.get(operation) ?? 0] ?? 'file';
    return { name, file: draw.unique('archive'), content: 'zip' };
  };
  return {
    creates: 'extension',
    open: 'fields',
    request(source) {
      const name = source.unique('archive');
      return ARCHIVE_PARTS.map((part) => ({ form: createExtensionForm(part, name) }));
    },
    topics: ['uploads'],
    plain: (draw) => ({ form: [createPart(draw)] }),
    variants: {
      'the same name again': (draw) => ({
        form: [{ ...createPart(draw), file: '{{word.archivesame}}' }],
      }),
    },
  } as const satisfies OperationDefinition;
}

export const uploadOperations = {
  listProfiles: { lists: 'profile', topics: BROWSER_TOPICS },
  createProfile: {
    creates: 'profile',
    request: (source) => ({ body: { id: source.unique('profile') } }),
    facts: ({ response, request }) => {
      const sent = readField(request.body, 'id');
      const value =
        typeof sent === 'string' && sent !== '' ? readField(response.r, 'id') === sent : undefined;
      return { 'that it has the id': { value, requirement: 'PROFILE-02' } };
    },
    topics: BROWSER_TOPICS,
    weight: 1.5,
    variants: {
      'an id that is taken': (draw) => takeId(draw.pickResource('profile')),
      'an id that was removed': (draw) => takeId(draw.pickGone('profile')),
      'an id that another organisation has': (draw) => {
        const taken = draw.pickForeign('profile');
        return taken && { ...takeId(taken), key: 'other' };
      },
      // Bounds of ids are not stated.
      'an id of 120 characters': (draw) => ({
        body: { id: draw.unique('profile') + 'x'.repeat(90) },
        open: true,
      }),
      'a similar id: longer': createSimilarProfile('longer'),
      'a similar id: prefix': createSimilarProfile('prefix'),
      'a similar id: case': createSimilarProfile('case'),
      'a similar id: form': createSimilarProfile('form'),
      'id of another type': { body: { id: 5 }, invalid: 'ERROR-01' },
    },
    also: [
      // A task may reference it.
      { topics: ['tasks', 'sessions'], weight: 0.2 },
      { topics: ['account'], weight: 0.4 },
    ],
  },
  deleteProfile: { needs: ['profile'], consumes: true, topics: BROWSER_TOPICS },
  listBrowserProfiles: { lists: 'profile', topics: BROWSER_TOPICS, weight: 0.6 },
  deleteBrowserProfile: {
    needs: ['profile'],
    consumes: true,
    topics: BROWSER_TOPICS,
    weight: 0.6,
  },

  listExtensions: { lists: 'extension', topics: ['uploads'] },
  uploadExtension: defineUpload('uploadExtension'),
  deleteExtension: { needs: ['extension'], consumes: true, topics: ['uploads'] },
  listBrowserExtensions: { lists: 'extension', topics: ['uploads'], weight: 0.6 },
  uploadBrowserExtension: defineUpload('uploadBrowserExtension'),
  deleteBrowserExtension: {
    needs: ['extension'],
    consumes: true,
    topics: ['uploads'],
    weight: 0.6,
  },
  uploadFile: {
    creates: 'file',
    request: (source) => ({
      form: createMessageForm([], ['file'], { filename: `${source.unique('file')}.txt` }),
    }),
    // A service may store files of equal content as one file.
    facts: (observed, { form }) =>
      JSON.stringify(form).includes('{{word.content') ? collectIdFacts(observed, 'file', 'FILE-01') : {},
    topics: ['uploads'],
    plain: (draw) => ({
      form: [{ name: 'file', file: `${draw.unique('file')}.txt`, content: draw.unique('content') }],
    }),
    variants: {
      'with file_purpose': (draw) => ({
        form: [...createFileForm(draw).form, { name: 'file_purpose', text: 'test' }],
        open: true,
      }),
      'the same name again': { form: [{ name: 'file', file: 'hello.txt', content: 'hello' }] },
      'without a file': { form: [{ name: 'other', text: 'hello' }], invalid: 'ERROR-01' },
    },
    also: [
      // A task may reference it.
      { topics: ['tasks'], weight: 0.2, plain: (draw) => createFileForm(draw) },
    ],
  },
  deleteFile: { needs: ['file'], consumes: true, topics: ['uploads'] },
  openBrowserSession: {
    needs: ['profile'],
    creates: 'browser',
    open: 'fields',
    request: (_, { profile_id }) => [{ body: { profile_id } }, { body: {} }],
    topics: ['browsers'],
    of: undefined,
    weight: 1.5,
    plain: { body: {} },
    variants: {
      'with profile_id': (draw) =>
        refer(draw.pickResource('profile'), 'profile_id', (profile_id) => ({ body: { profile_id } })),
      'with live_view and device': { body: { live_view: false, device: 'desktop' }, open: true },
      'with device mobile': { body: { device: 'mobile' }, open: true },
      'with url': { body: { url: 'https://example.com/' }, open: true },
    },
  },
  closeBrowserSession: {
    needs: ['browser'],
    consumes: true,
    open: 'lookup',
    topics: ['browsers'],
  },
} as const satisfies Partial<Record<OperationId, OperationDefinition>>;
