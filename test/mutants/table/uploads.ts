import type { Mutant } from '../mutant.js';
import { pretending, unlisted } from '../operators/forget.js';
import { answers, errors, mutant, requests } from '../operators/make.js';
import { refusal, Told } from '../operators/told.js';

/** Profiles, files, extensions, and the deprecated endpoints of browsers. */
export const uploadMutants: readonly Mutant[] = [
  mutant(
    'profile-id-replaced',
    'PROFILE-02',
    'A profile gets another id than it was asked for with.',
    answers('createProfile', (told) => {
      told.record.id = `profile-${told.record.id}`;
    }),
  ),
  mutant(
    'profile-answers-true',
    'PROFILE-02',
    'A new profile is answered with true.',
    answers('createProfile', (told) => {
      told.r = true;
    }),
  ),
  mutant(
    'profile-not-listed',
    'PROFILE-03',
    'A new profile is not listed.',
    unlisted('createProfile', 'listProfiles'),
  ),
  mutant(
    'profiles-an-object',
    'PROFILE-03',
    'The list of profiles is an object.',
    answers('listProfiles', (told) => {
      told.r = { profiles: told.r };
    }),
  ),
  mutant(
    'profiles-texts',
    'PROFILE-03',
    'The list of profiles holds their ids alone.',
    answers('listProfiles', (told) => {
      told.r = told.list.map(({ id }) => id);
    }),
  ),
  mutant(
    'profile-stays',
    'PROFILE-04',
    'A deleted profile is there as before.',
    pretending('deleteProfile', 'profile_id'),
  ),
  mutant(
    'profile-delete-500',
    'PROFILE-04',
    'The deletion of a profile is answered with 500.',
    answers('deleteProfile', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'file-id-number',
    'FILE-01',
    'The id of an uploaded file is a number.',
    answers('uploadFile', (told) => {
      told.record.id = 17;
    }),
  ),
  mutant(
    'file-id-alone',
    'FILE-01',
    'The answer to an upload is the id alone.',
    answers('uploadFile', (told) => {
      told.r = told.record.id;
    }),
  ),
  mutant(
    'file-upload-refused',
    'FILE-01',
    'Files are refused with 415 as they come.',
    requests('uploadFile', (asked) => (asked.key === undefined ? undefined : refusal(415, 'Send JSON.'))),
  ),
  mutant(
    'file-part-missing-accepted',
    'ERROR-01',
    'An upload without the part file is accepted.',
    errors('uploadFile', (told) =>
      told.status === 422 ? new Told(200, { r: { id: 'file-0' } }) : undefined,
    ),
  ),
  mutant(
    'file-ids-equal',
    'FILE-01',
    'All files get the same id.',
    answers('uploadFile', (told) => {
      told.record.id = 'file';
    }),
  ),
  mutant(
    'file-delete-object',
    'FILE-02',
    'The deletion of a file is answered with an object.',
    answers('deleteFile', (told) => {
      told.r = { deleted: true };
    }),
  ),
  mutant(
    'file-delete-text',
    'FILE-02',
    'The deletion of a file is answered with a text.',
    answers('deleteFile', (told) => {
      told.r = 'true';
    }),
  ),
  mutant(
    'extension-upload-answers-true',
    'EXT-01',
    'A new extension is answered with true.',
    answers('uploadExtension', (told) => {
      told.r = true;
    }),
  ),
  mutant(
    'extension-upload-500',
    'EXT-01',
    'The upload of an extension is answered with 500.',
    answers('uploadExtension', () => refusal(500, 'Internal error.')),
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
      errors(operation, (_told, asked) =>
        typeof asked.body === 'string' ? new Told(200, { r: { id: 'extension-0' } }) : undefined,
      ),
    ),
  ),
  mutant(
    'extension-not-listed',
    'EXT-02',
    'A new extension is not listed.',
    unlisted('uploadExtension', 'listExtensions'),
  ),
  mutant(
    'extensions-an-object',
    'EXT-02',
    'The list of extensions is an object.',
    answers('listExtensions', (told) => {
      told.r = { extensions: told.r };
    }),
  ),
  mutant(
    'extension-stays',
    'EXT-02',
    'A deleted extension is listed as before.',
    pretending('deleteExtension', 'extension_id'),
  ),
  mutant(
    'extension-delete-null',
    'EXT-03',
    'The deletion of an extension is answered with null.',
    answers('deleteExtension', (told) => {
      told.r = null;
    }),
  ),
  mutant(
    'browser-extension-delete-text',
    'EXT-04',
    'The deletion of an extension below /browser is answered with a text.',
    answers('deleteBrowserExtension', (told) => {
      told.r = 'deleted';
    }),
  ),
  mutant(
    'browser-extension-delete-gone',
    'EXT-04',
    'DELETE /browser/extension is not served.',
    requests('deleteBrowserExtension', () => refusal(405, 'Method Not Allowed')),
  ),
  mutant(
    'browser-session-answers-id',
    'BROWSER-01',
    'A new browser is answered with its id alone.',
    answers('openBrowserSession', (told) => {
      told.r = told.record.live_id;
    }),
  ),
  mutant(
    'browser-session-500',
    'BROWSER-01',
    'A new browser is answered with 500.',
    answers('openBrowserSession', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'browser-session-close-500',
    'BROWSER-02',
    'The closing of a browser is answered with 500.',
    answers('closeBrowserSession', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'browser-session-id-unknown',
    'BROWSER-02',
    'A browser cannot be closed by the id it was given.',
    answers('closeBrowserSession', () => refusal(404, 'There is no such browser.')),
  ),
  mutant(
    'browser-profiles-list',
    'BROWSER-03',
    'GET /browser/profile is answered with a bare text.',
    answers('listBrowserProfiles', (told) => {
      told.r = 'none';
    }),
  ),
  mutant(
    'browser-profiles-incomplete',
    'BROWSER-03',
    'GET /browser/profile lacks new profiles.',
    unlisted('createProfile', 'listBrowserProfiles'),
  ),
  mutant(
    'browser-profile-stays',
    'BROWSER-04',
    'A profile deleted below /browser is there as before.',
    pretending('deleteBrowserProfile', 'profile_id'),
  ),
  mutant(
    'browser-profile-delete-500',
    'BROWSER-04',
    'The deletion of a profile below /browser is answered with 500.',
    answers('deleteBrowserProfile', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'browser-extension-answers-true',
    'BROWSER-05',
    'An extension uploaded below /browser is answered with true.',
    answers('uploadBrowserExtension', (told) => {
      told.r = true;
    }),
  ),
  mutant(
    'browser-extensions-text',
    'BROWSER-06',
    'GET /browser/extension is answered with a text.',
    answers('listBrowserExtensions', (told) => {
      told.r = 'none';
    }),
  ),
  mutant(
    'browser-extensions-incomplete',
    'BROWSER-06',
    'GET /browser/extension lacks new extensions.',
    unlisted('uploadBrowserExtension', 'listBrowserExtensions'),
  ),
  ...(
    [
      'updateTask',
      'openBrowserSession',
      'closeBrowserSession',
      'listBrowserProfiles',
      'deleteBrowserProfile',
      'uploadBrowserExtension',
      'listBrowserExtensions',
    ] as const
  ).map((operation, i) =>
    mutant(
      `deprecated-gone-${operation.toLowerCase()}`,
      'VERSION-04',
      `${operation}, deprecated, is not served any more.`,
      requests(operation, () => refusal([404, 410, 405][i % 3]!, 'This is gone.')),
    ),
  ),
];
