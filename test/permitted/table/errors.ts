import { changeErrors } from '../../mutants/operators/make.js';
import type { MutantResponse } from '../../mutants/operators/mutant-response.js';
import { type Variation, variation } from '../variation.js';

/** How what is refused is refused. */

function createErrorVariation(what: string, change: (response: MutantResponse) => void): Variation {
  return variation(what, changeErrors('all', change));
}

/** The description does not say with which status a key is refused. */
function createKeyVariation(status: number): Variation {
  return createErrorVariation(`refuses every key that it does not know with ${status}`, (response) => {
    if (response.status !== 401) return;
    const list = [{ loc: ['header', 'apikey'], msg: 'No such key', type: 'key' }];
    response.status = status;
    response.body = { detail: status === 422 ? list : 'No such key' };
  });
}

/** Other bodies of validation errors. */
function createDetailVariation(what: string, detail: unknown): Variation {
  return createErrorVariation(`says ${what} in the detail of a 422`, (response) => {
    if (response.status === 422) response.body = { detail };
  });
}

export const errors: readonly Variation[] = [
  ...[400, 403, 404, 422].map(createKeyVariation),
  createDetailVariation('a text', 'Ungültig: 値が不正です'),
  createDetailVariation('a list of texts', ['l: too small', 'body: no JSON']),
  createDetailVariation('a record', { l: ['too small'] }),
  createDetailVariation('nothing in particular', []),
  createErrorVariation('names its errors and requests beside the detail', (response) => {
    const { detail } = response.record;
    response.body = { error: 'E-17', code: response.status, request_id: '1', r: null, detail };
  }),
  createErrorVariation('has long details in another language, with ids and statuses in them', (response) => {
    if (response.status === 422) return;
    response.body = { detail: `${'Leider nicht möglich. '.repeat(200)}(1, 2, done, running, null)` };
  }),
  createErrorVariation('refuses with 400 what is invalid, where 422 is not stated', (response) => {
    const text = JSON.stringify(response.record.detail);
    // An event under another name and a tool without a field are refused with 422.
    if (response.status !== 422 || /custom_tools|name|payload/.test(text)) return;
    response.status = 400;
    response.body = { detail: text };
  }),
  createErrorVariation('tells what to do about errors in headers', (response) => {
    Object.assign(response.headers, {
      'www-authenticate': 'ApiKey realm="api"',
      'x-error': 'yes',
      'content-language': 'de',
    });
  }),
];
