import { BROWSER_SESSION_LIFETIME_MS } from '../../../spec/vocabulary.js';
import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, MutantResponse } from '../operators/mutant-response.js';
import type { PastExchange } from '../operators/request-history.js';

/** Files, extensions, and browsers of the deprecated endpoints. */
export const conditionalUploadMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'file-name-not-ascii-500',
    'FILE-01',
    'value',
    'A file whose name is not ASCII gets 500.',
    {
      of: 'uploadFile',
      when: (request) => listFiles(request).some(({ name }) => /[^\x20-\x7e]/.test(name)),
      request: () => createRefusal(500),
    },
  ),
  conditionalMutant(
    'files-at-once-share-id',
    'FILE-01',
    'requests at once',
    'Of two files uploaded at once the second is reported under the id of the first.',
    {
      of: 'uploadFile',
      when: (_, past) => past.isPending('uploadFile'),
      response: ({ record }, request, past) => {
        record.id = past.listSucceeded(request, 'uploadFile').at(-1)?.response.record.id ?? record.id;
      },
    },
  ),
  conditionalMutant(
    'file-deleted-twice',
    'FILE-02',
    'n-th request',
    'The second deletion of a file succeeds as the first.',
    {
      of: 'deleteFile',
      when: (request, past) => past.listAbout(request, 'deleteFile').length > 0,
      error: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'file-found-in-other-case',
    'ERROR-03',
    'similar id',
    'A file is deleted whatever the case of the letters in its id.',
    {
      of: 'deleteFile',
      error: (_, request, past, forward) => {
        const wanted = request.path.get('file_id')!;
        const ids = past
          .listSucceeded(request, 'uploadFile')
          .map(({ response }) => String(response.record.id));
        const id = ids.find((each) => each !== wanted && each.toLowerCase() === wanted.toLowerCase());
        return id === undefined
          ? undefined
          : forward(request.derive('DELETE', `/file/${encodeURIComponent(id)}`));
      },
    },
  ),
  conditionalMutant(
    'file-of-same-name-replaced',
    'FILE-02',
    'several things',
    'A file is not found any more once another of its name was uploaded.',
    {
      of: 'deleteFile',
      when: (request, past) => {
        const uploads = past.listSucceeded(request, 'uploadFile');
        return uploads
          .slice(uploads.findIndex(hasUploadId(request.path.get('file_id'))) + 1)
          .some((later) => {
            const own = uploads.find(hasUploadId(request.path.get('file_id')));
            return own !== undefined && findFileName(later) === findFileName(own);
          });
      },
      request: () => createRefusal(404, 'There is no such file.'),
    },
  ),
  conditionalMutant(
    'extension-of-same-name-replaced',
    'EXT-02',
    'several things',
    'The list has the newest alone of several extensions of one file name.',
    {
      of: 'listExtensions',
      response: (response, request, past) => {
        const uploads = past.listSucceeded(request, 'uploadExtension', 'uploadBrowserExtension');
        const newest = new Map(uploads.map((each) => [findFileName(each), each.response.record.id]));
        const replaced = uploads.filter((each) => newest.get(findFileName(each)) !== each.response.record.id);
        const ids = replaced.map((each) => each.response.record.id);
        response.r = response.list.filter(({ id }) => !ids.includes(id));
      },
    },
  ),
  conditionalMutant(
    'extension-after-deletion-not-listed',
    'EXT-02',
    'after a deletion',
    'An extension uploaded after another was deleted is not listed.',
    () => {
      const hidden = new Set<unknown>();
      return {
        of: ['uploadExtension', 'listExtensions'],
        response: (response, request, past) => {
          if (request.is('listExtensions')) response.r = response.list.filter(({ id }) => !hidden.has(id));
          else if (past.listSucceeded(request, 'deleteExtension').length > 0) hidden.add(response.record.id);
        },
      };
    },
  ),
  conditionalMutant(
    'extension-stays-below-browser',
    'EXT-04',
    'order',
    'An extension uploaded at /extension and deleted at /browser/extension is still listed.',
    {
      of: 'deleteBrowserExtension',
      when: (request, past) =>
        past.listSucceeded(request, 'uploadExtension').some(hasUploadId(request.path.get('extension_id'))),
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'newest-extension-deleted',
    'EXT-02',
    'several things',
    'With several extensions there, a deletion removes the newest.',
    {
      of: 'deleteExtension',
      request: async (request, _, forward) => {
        const { list } = await forward(request.derive('GET', '/extension'));
        const wanted = request.path.get('extension_id');
        const newest = list.at(-1)?.id;
        if (list.length < 2 || newest === wanted || !list.some(({ id }) => id === wanted)) return undefined;
        return forward(request.derive('DELETE', `/extension/${encodeURIComponent(String(newest))}`));
      },
    },
  ),
  conditionalMutant(
    'no-extensions-404',
    'EXT-02',
    'value',
    'The list of extensions gets 404 where there are none.',
    {
      of: 'listExtensions',
      response: ({ list }) =>
        list.length === 0 ? createRefusal(404, 'There are no extensions.') : undefined,
    },
  ),
  conditionalMutant(
    'browser-extensions-newest-alone',
    'BROWSER-06',
    'several things',
    'GET /browser/extension has the newest alone of several extensions.',
    {
      of: 'listBrowserExtensions',
      response: ({ record }) => {
        if (Array.isArray(record.extensions)) record.extensions = record.extensions.slice(-1);
      },
    },
  ),
  conditionalMutant(
    'second-browser-closed-too',
    'BROWSER-02',
    'several things',
    'The closing of a browser closes the one that was opened before it, too.',
    () => {
      const closed = new Set<unknown>();
      return {
        of: 'closeBrowserSession',
        request: ({ path }) =>
          closed.has(path.get('session_id')) ? createRefusal(404, 'There is no such browser.') : undefined,
        response: (_, request, past) => {
          const ids = past
            .listSucceeded(request, 'openBrowserSession')
            .map((each) => each.response.record.live_id);
          const before = ids[ids.indexOf(request.path.get('session_id')) - 1];
          if (before !== undefined) closed.add(before);
        },
      };
    },
  ),
  conditionalMutant(
    'browser-lives-on-beside-other',
    'LIMIT-04',
    'several things',
    'A browser lives longer than five minutes if another was opened after it.',
    {
      of: 'closeBrowserSession',
      error: (_, request, past) => {
        const opened = past.listSucceeded(request, 'openBrowserSession');
        const own = opened.findIndex(
          (each) => each.response.record.live_id === request.path.get('session_id'),
        );
        const isClosed = past.listAbout(request, 'closeBrowserSession').length > 0;
        return own >= 0 && own < opened.length - 1 && !isClosed
          ? new MutantResponse(200, { r: true })
          : undefined;
      },
    },
  ),
  conditionalMutant(
    'mobile-browser-ends-early',
    'LIMIT-04',
    'value',
    'A browser with the device mobile is gone after a minute.',
    {
      of: 'closeBrowserSession',
      when: (request, past) => {
        const own = past
          .listSucceeded(request, 'openBrowserSession')
          .find((each) => each.response.record.live_id === request.path.get('session_id'));
        const age = own ? past.now() - own.at : 0;
        return own?.request.json.device === 'mobile' && age > 60_000 && age < BROWSER_SESSION_LIFETIME_MS;
      },
      request: () => createRefusal(404, 'There is no such browser.'),
    },
  ),
];

function listFiles({ body }: MutantRequest): File[] {
  return body instanceof FormData ? [...body.values()].filter((part) => typeof part !== 'string') : [];
}

function findFileName({ request }: PastExchange): string | undefined {
  return listFiles(request)[0]?.name;
}

function hasUploadId(id: string | undefined): (each: PastExchange) => boolean {
  return ({ response }) => response.record.id === id;
}
