import type { Command } from '../../sequence/sequence.js';
import type { CommandBuilder, DrawContext } from '../draw.js';
import { formatReference } from '../draw.js';

/** Possible names of the form part that contains the archive (open point `upload.part-names`). */
const ARCHIVE_PARTS = ['file', 'extension', 'archive', 'zip', 'upload'];

/** Ids that clients choose: a unique one, and ids that resemble an existing one. */
function createProfileBody(suffix = ''): (draw: DrawContext) => Partial<Command> {
  return (draw) => ({ body: { id: draw.createMarker('profile') + suffix } });
}

const createSimilarProfile =
  (how: string) =>
  (draw: DrawContext): Partial<Command> | undefined => {
    const other = draw.pickResource('profile', () => true);
    return other && { body: { id: `{{${other.label}.profile_id|${how}}}` } };
  };

const createUploadCommands = (operation: 'uploadExtension' | 'uploadBrowserExtension'): CommandBuilder => ({
  operation,
  topics: ['uploads'],
  makes: 'extension',
  request: (draw) => ({ form: [createArchivePart(draw, operation)] }),
  variants: {
    'the same name again': (draw) => ({
      form: [{ ...createArchivePart(draw, operation), file: '{{word.archivesame}}' }],
    }),
  },
});

function createArchivePart(draw: DrawContext, operation: 'uploadExtension' | 'uploadBrowserExtension') {
  const name = ARCHIVE_PARTS[draw.forms.get(operation) ?? 0] ?? 'file';
  return { name, file: draw.createMarker('archive'), content: 'zip' };
}

export const uploadBuilders: readonly CommandBuilder[] = [
  {
    operation: 'createProfile',
    topics: ['uploads', 'browsers'],
    makes: 'profile',
    weight: 1.5,
    request: createProfileBody(),
    variants: {
      'an id that is taken': (draw) => {
        const taken = draw.pickResource('profile');
        return taken && { body: { id: formatReference(taken, 'profile_id') }, open: true };
      },
      'an id that was removed': (draw) => {
        const gone = draw.pickResource('profile', ({ state }) => state === 'gone');
        return gone && { body: { id: formatReference(gone, 'profile_id') }, open: true };
      },
      'an id that another organisation has': (draw) => {
        const taken = draw.hasStranger && draw.key === 'main' ? draw.pickResource('profile') : undefined;
        return taken && { body: { id: formatReference(taken, 'profile_id') }, key: 'other', open: true };
      },
      'an id of 120 characters': createProfileBody('x'.repeat(90)),
      'a similar id: longer': createSimilarProfile('longer'),
      'a similar id: prefix': createSimilarProfile('prefix'),
      'a similar id: case': createSimilarProfile('case'),
      'id of another type': () => ({ body: { id: 5 }, invalid: 'ERROR-01' }),
    },
  },
  { operation: 'listProfiles', topics: ['uploads', 'browsers'] },
  { operation: 'listBrowserProfiles', topics: ['uploads', 'browsers'], weight: 0.6 },
  { operation: 'deleteProfile', topics: ['uploads', 'browsers'], of: 'profile' },
  { operation: 'deleteBrowserProfile', topics: ['uploads', 'browsers'], of: 'profile', weight: 0.6 },
  {
    operation: 'uploadFile',
    topics: ['uploads'],
    makes: 'file',
    request: (draw) => ({
      form: [
        { name: 'file', file: `${draw.createMarker('file')}.txt`, content: draw.createMarker('content') },
      ],
    }),
    variants: {
      'with file_purpose': (draw) => ({
        form: [
          { name: 'file', file: `${draw.createMarker('file')}.txt`, content: 'hello' },
          { name: 'file_purpose', text: 'test' },
        ],
        open: true,
      }),
      'the same name again': () => ({ form: [{ name: 'file', file: 'hello.txt', content: 'hello' }] }),
      'without a file': () => ({ form: [{ name: 'other', text: 'hello' }], invalid: 'ERROR-01' }),
    },
  },
  { operation: 'deleteFile', topics: ['uploads'], of: 'file' },
  // Resources that a task may reference.
  {
    operation: 'createProfile',
    topics: ['tasks', 'sessions'],
    makes: 'profile',
    weight: 0.2,
    request: createProfileBody(),
  },
  {
    operation: 'uploadFile',
    topics: ['tasks'],
    makes: 'file',
    weight: 0.2,
    request: (draw) => ({
      form: [{ name: 'file', file: `${draw.createMarker('file')}.txt`, content: 'hello' }],
    }),
  },
  createUploadCommands('uploadExtension'),
  createUploadCommands('uploadBrowserExtension'),
  { operation: 'listExtensions', topics: ['uploads'] },
  { operation: 'listBrowserExtensions', topics: ['uploads'], weight: 0.6 },
  { operation: 'deleteExtension', topics: ['uploads'], of: 'extension' },
  { operation: 'deleteBrowserExtension', topics: ['uploads'], of: 'extension', weight: 0.6 },
  {
    operation: 'openBrowserSession',
    topics: ['browsers'],
    makes: 'browser',
    weight: 1.5,
    request: () => ({ body: {} }),
    variants: {
      'with profile_id': (draw) => {
        const resource = draw.pickResource('profile');
        return resource && { body: { profile_id: formatReference(resource, 'profile_id') } };
      },
      'with live_view and device': () => ({ body: { live_view: false, device: 'desktop' }, open: true }),
      'with device mobile': () => ({ body: { device: 'mobile' }, open: true }),
      'with url': () => ({ body: { url: 'https://example.com/' }, open: true }),
    },
  },
  { operation: 'closeBrowserSession', topics: ['browsers'], of: 'browser' },
];
