import type { Command } from '../../sequence/sequence.js';
import type { Draw, Row } from '../draw.js';
import { ref } from '../draw.js';

/** What the part with an archive may be called (open point `upload.part-names`). */
const ARCHIVE_PARTS = ['file', 'extension', 'archive', 'zip', 'upload'];

/** Ids that clients choose: one that nothing else has, and those that are like that of another. */
function profile(suffix = ''): (draw: Draw) => Partial<Command> {
  return (draw) => ({ body: { id: draw.word('profile') + suffix } });
}

const similarProfile =
  (how: string) =>
  (draw: Draw): Partial<Command> | undefined => {
    const other = draw.thing('profile', () => true);
    return other && { body: { id: `{{${other.label}.profile_id|${how}}}` } };
  };

const uploads = (operation: 'uploadExtension' | 'uploadBrowserExtension'): Row => ({
  operation,
  families: ['uploads'],
  makes: 'extension',
  request: (draw) => ({ form: [archive(draw, operation)] }),
  variants: {
    'the same name again': (draw) => ({
      form: [{ ...archive(draw, operation), file: '{{word.archivesame}}' }],
    }),
  },
});

function archive(draw: Draw, operation: 'uploadExtension' | 'uploadBrowserExtension') {
  const name = ARCHIVE_PARTS[draw.forms.get(operation) ?? 0] ?? 'file';
  return { name, file: draw.word('archive'), content: 'zip' };
}

/** Profiles, files and extensions: made, listed, used by tasks, removed. */
export const uploadRows: readonly Row[] = [
  {
    operation: 'createProfile',
    families: ['uploads', 'browsers'],
    makes: 'profile',
    weight: 1.5,
    request: profile(),
    variants: {
      'an id that is taken': (draw) => {
        const taken = draw.thing('profile');
        return taken && { body: { id: ref(taken, 'profile_id') }, open: true };
      },
      'an id that was removed': (draw) => {
        const gone = draw.thing('profile', ({ state }) => state === 'gone');
        return gone && { body: { id: ref(gone, 'profile_id') }, open: true };
      },
      'an id that another organisation has': (draw) => {
        const taken = draw.hasStranger && draw.key === 'main' ? draw.thing('profile') : undefined;
        return taken && { body: { id: ref(taken, 'profile_id') }, key: 'other', open: true };
      },
      'an id of 120 characters': profile('x'.repeat(90)),
      'a similar id: longer': similarProfile('longer'),
      'a similar id: prefix': similarProfile('prefix'),
      'a similar id: case': similarProfile('case'),
      'id of another type': () => ({ body: { id: 5 }, invalid: 'ERROR-01' }),
    },
  },
  { operation: 'listProfiles', families: ['uploads', 'browsers'] },
  { operation: 'listBrowserProfiles', families: ['uploads', 'browsers'], weight: 0.6 },
  { operation: 'deleteProfile', families: ['uploads', 'browsers'], of: 'profile' },
  { operation: 'deleteBrowserProfile', families: ['uploads', 'browsers'], of: 'profile', weight: 0.6 },
  {
    operation: 'uploadFile',
    families: ['uploads'],
    makes: 'file',
    request: (draw) => ({
      form: [{ name: 'file', file: `${draw.word('file')}.txt`, content: draw.word('content') }],
    }),
    variants: {
      'with file_purpose': (draw) => ({
        form: [
          { name: 'file', file: `${draw.word('file')}.txt`, content: 'hello' },
          { name: 'file_purpose', text: 'test' },
        ],
        open: true,
      }),
      'the same name again': () => ({ form: [{ name: 'file', file: 'hello.txt', content: 'hello' }] }),
      'without a file': () => ({ form: [{ name: 'other', text: 'hello' }], invalid: 'ERROR-01' }),
    },
  },
  { operation: 'deleteFile', families: ['uploads'], of: 'file' },
  // What tasks may be given.
  {
    operation: 'createProfile',
    families: ['tasks', 'sessions'],
    makes: 'profile',
    weight: 0.2,
    request: profile(),
  },
  {
    operation: 'uploadFile',
    families: ['tasks'],
    makes: 'file',
    weight: 0.2,
    request: (draw) => ({ form: [{ name: 'file', file: `${draw.word('file')}.txt`, content: 'hello' }] }),
  },
  uploads('uploadExtension'),
  uploads('uploadBrowserExtension'),
  { operation: 'listExtensions', families: ['uploads'] },
  { operation: 'listBrowserExtensions', families: ['uploads'], weight: 0.6 },
  { operation: 'deleteExtension', families: ['uploads'], of: 'extension' },
  { operation: 'deleteBrowserExtension', families: ['uploads'], of: 'extension', weight: 0.6 },
  {
    operation: 'openBrowserSession',
    families: ['browsers'],
    makes: 'browser',
    weight: 1.5,
    request: () => ({ body: {} }),
    variants: {
      'with profile_id': (draw) => {
        const thing = draw.thing('profile');
        return thing && { body: { profile_id: ref(thing, 'profile_id') } };
      },
      'with live_view and device': () => ({ body: { live_view: false, device: 'desktop' }, open: true }),
      'with device mobile': () => ({ body: { device: 'mobile' }, open: true }),
      'with url': () => ({ body: { url: 'https://example.com/' }, open: true }),
    },
  },
  { operation: 'closeBrowserSession', families: ['browsers'], of: 'browser' },
];
