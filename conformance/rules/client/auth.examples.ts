import type { Examples } from '../../../test/support/rules/example.js';
import { Talk } from '../../../test/support/rules/talk.js';

const org = { path: '/org' };

export const examples: Examples = {
  'auth/key-in-query': {
    good: { 'a key in the header': new Talk().ask({ path: '/org?name=api_key' }, {}) },
    bad: {
      'a key in header and query': {
        talk: new Talk().ask({ path: '/org?apikey=k' }, {}).ask({ path: '/org?apikey=k' }, {}),
        says: /query parameter "apikey"/,
        evidence: [1, 2],
      },
    },
  },
  'auth/key-sent': {
    good: {
      'a key in the cookie': new Talk().ask({ ...org, headers: { cookie: 'a=b; apikey=k' } }, {}),
      'a cookie nobody can look into': new Talk().ask({ ...org, headers: { Cookie: '<redacted>' } }, {}),
      'a header in capitals': new Talk().ask({ ...org, headers: { ApiKey: 'k' } }, {}),
      'an operation without a key': new Talk().ask({ path: '/job/j1', headers: {} }, {}),
      'a path that is none': new Talk().ask({ path: '/nothing', headers: {} }, { status: 404 }),
    },
    bad: {
      'no key': {
        talk: new Talk().ask({ ...org, headers: {} }, { status: 401, body: { detail: 'no' } }),
        says: /GET \/org requires a key.*no header "apikey"\./,
        evidence: [1],
      },
      'the usual other header': {
        talk: new Talk().ask({ ...org, headers: { Authorization: '<redacted>' } }, { status: 401 }),
        says: /but a header "authorization"/,
        evidence: [1],
      },
      'a cookie without it': {
        talk: new Talk().ask({ ...org, headers: { cookie: 'myapikey=1' } }, { status: 401 }),
        says: /requires a key/,
        evidence: [1],
      },
    },
  },
};
