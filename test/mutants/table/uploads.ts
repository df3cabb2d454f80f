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
    'profile-not-listed',
    'PROFILE-03',
    'A new profile is not listed.',
    unlisted('createProfile', 'listProfiles'),
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
    'extension-stays',
    'EXT-02',
    'A deleted extension is listed as before.',
    pretending('deleteExtension', 'extension_id'),
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
    'browser-session-id-unknown',
    'BROWSER-02',
    'A browser cannot be closed by the id it was given.',
    answers('closeBrowserSession', () => refusal(404, 'There is no such browser.')),
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
    'browser-extensions-incomplete',
    'BROWSER-06',
    'GET /browser/extension lacks new extensions.',
    unlisted('uploadBrowserExtension', 'listBrowserExtensions'),
  ),
];
