import type { Answer } from '../http-client/response.js';
import { always, each, naming, plain, type Sampler } from './builder.js';
import { fileForm, formOf } from './forms.js';
import { findId } from './read.js';
import { browser, browserId, extension, extensionId, file, removeBrowser } from './things.js';
import type { Kit } from './tracker.js';

const upload = (id: 'uploadExtension' | 'uploadBrowserExtension') => ({
  uses: ['deleteExtension' as const],
  open: 'fields' as const,
  make: each((kit) => formOf(kit, id)),
  undo(kit: Kit, answer: Answer) {
    const extension_id = extensionId(answer);
    if (extension_id === undefined) return;
    kit.later(`extension ${extension_id}`, () => kit.send('deleteExtension', { path: { extension_id } }));
  },
});

const ON_EXTENSION = {
  uses: ['uploadExtension', 'deleteExtension'],
  consumes: true,
  make: naming(extension, (extension_id) => ({ path: { extension_id } })),
} satisfies Sampler;

/** Files, extensions, browsers opened for a person. */
export const uploadSamplers = {
  listExtensions: plain,
  uploadExtension: upload('uploadExtension'),
  deleteExtension: ON_EXTENSION,
  deleteBrowserExtension: ON_EXTENSION,
  listBrowserExtensions: plain,
  uploadBrowserExtension: upload('uploadBrowserExtension'),
  uploadFile: {
    uses: ['deleteFile'],
    make: each(() => ({ form: fileForm('file') })),
    undo(kit, answer) {
      const file_id = findId(answer.body, 'id');
      if (file_id !== undefined)
        kit.later(`file ${file_id}`, () => kit.send('deleteFile', { path: { file_id } }));
    },
  },
  deleteFile: {
    uses: ['uploadFile'],
    consumes: true,
    make: naming(file, (file_id) => ({ path: { file_id } })),
  },
  openBrowserSession: {
    uses: ['closeBrowserSession', 'deleteProfile'],
    open: 'fields',
    make: always({ body: {} }),
    undo(kit, answer) {
      const id = browserId(answer);
      if (id !== undefined) removeBrowser(kit, id, answer);
    },
  },
  closeBrowserSession: {
    uses: ['openBrowserSession', 'deleteProfile'],
    consumes: true,
    open: 'lookup',
    make: naming(browser, (session_id) => ({ path: { session_id } })),
  },
} satisfies Record<string, Sampler>;
