import type { Mutant } from '../mutant.js';
import { omitFromList, pretend } from '../operators/forget.js';
import { changeErrors, changeRequests, changeResponses, mutant } from '../operators/make.js';
import { createRefusal, MutantResponse } from '../operators/mutant-response.js';

/** Profiles, files, extensions, and the deprecated endpoints of browsers. */
export const uploadMutants: readonly Mutant[] = [
  mutant(
    'profile-id-replaced',
    'PROFILE-02',
    'A profile gets another id than it was asked for with.',
    changeResponses('createProfile', (response) => {
      response.record.id = `profile-${response.record.id}`;
    }),
  ),
  mutant(
    'profile-not-listed',
    'PROFILE-03',
    'A new profile is not listed.',
    omitFromList('createProfile', 'listProfiles'),
  ),
  mutant(
    'profiles-texts',
    'PROFILE-03',
    'The list of profiles holds their ids alone.',
    changeResponses('listProfiles', (response) => {
      response.r = response.list.map(({ id }) => id);
    }),
  ),
  mutant(
    'profile-stays',
    'PROFILE-04',
    'A deleted profile is there as before.',
    pretend('deleteProfile', 'profile_id'),
  ),
  mutant(
    'file-id-number',
    'FILE-01',
    'The id of an uploaded file is a number.',
    changeResponses('uploadFile', (response) => {
      response.record.id = 17;
    }),
  ),
  mutant(
    'file-id-alone',
    'FILE-01',
    'The answer to an upload is the id alone.',
    changeResponses('uploadFile', (response) => {
      response.r = response.record.id;
    }),
  ),
  mutant(
    'file-upload-refused',
    'FILE-01',
    'Files are refused with 415 as they come.',
    changeRequests('uploadFile', (request) =>
      request.key === undefined ? undefined : createRefusal(415, 'Send JSON.'),
    ),
  ),
  mutant(
    'file-part-missing-accepted',
    'ERROR-01',
    'An upload without the part file is accepted.',
    changeErrors('uploadFile', (response) =>
      response.status === 422 ? new MutantResponse(200, { r: { id: 'file-0' } }) : undefined,
    ),
  ),
  mutant(
    'file-ids-equal',
    'FILE-01',
    'All files get the same id.',
    changeResponses('uploadFile', (response) => {
      response.record.id = 'file';
    }),
  ),
  ...(
    [
      ['extension', 'uploadExtension'],
      ['browser-extension', 'uploadBrowserExtension'],
    ] as const
  ).map(([name, operation]) =>
    mutant(
      `${name}-as-json-accepted`,
      'ERROR-01',
      `JSON is taken for the form of ${operation}.`,
      changeErrors(operation, (_told, request) =>
        typeof request.body === 'string' ? new MutantResponse(200, { r: { id: 'extension-0' } }) : undefined,
      ),
    ),
  ),
  mutant(
    'extension-not-listed',
    'EXT-02',
    'A new extension is not listed.',
    omitFromList('uploadExtension', 'listExtensions'),
  ),
  mutant(
    'extension-stays',
    'EXT-02',
    'A deleted extension is listed as before.',
    pretend('deleteExtension', 'extension_id'),
  ),
  mutant(
    'browser-extension-delete-gone',
    'EXT-04',
    'DELETE /browser/extension is not served.',
    changeRequests('deleteBrowserExtension', () => createRefusal(405, 'Method Not Allowed')),
  ),
  mutant(
    'browser-session-answers-id',
    'BROWSER-01',
    'A new browser is answered with its id alone.',
    changeResponses('openBrowserSession', (response) => {
      response.r = response.record.live_id;
    }),
  ),
  mutant(
    'browser-session-id-unknown',
    'BROWSER-02',
    'A browser cannot be closed by the id it was given.',
    changeResponses('closeBrowserSession', () => createRefusal(404, 'There is no such browser.')),
  ),
  mutant(
    'browser-profiles-incomplete',
    'BROWSER-03',
    'GET /browser/profile lacks new profiles.',
    omitFromList('createProfile', 'listBrowserProfiles'),
  ),
  mutant(
    'browser-profile-stays',
    'BROWSER-04',
    'A profile deleted below /browser is there as before.',
    pretend('deleteBrowserProfile', 'profile_id'),
  ),
  mutant(
    'browser-extensions-incomplete',
    'BROWSER-06',
    'GET /browser/extension lacks new extensions.',
    omitFromList('uploadBrowserExtension', 'listBrowserExtensions'),
  ),
];
