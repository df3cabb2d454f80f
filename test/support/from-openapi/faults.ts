import type { ObservedResponse, RequestChange, ResponseChange } from './run-cases.js';

/** A service that breaks one rule, and the checks that detect it. */
interface ServiceFault {
  what: string;
  /** Checks that have to fail. */
  fails: string[];
  before?: RequestChange;
  after?: ResponseChange;
}

const isSuccess = ({ status }: ObservedResponse) => status >= 200 && status < 300;
const isAt = (where: string) => (seen: ObservedResponse) => `${seen.method} ${seen.path}` === where;
const changeResponse = (
  where: string,
  change: (seen: ObservedResponse) => ReturnType<ResponseChange>,
): ResponseChange => {
  const here = isAt(where);
  return (seen) => (here(seen) ? change(seen) : undefined);
};
const replacePayload = (where: string, r: unknown) =>
  changeResponse(where, (seen) => (isSuccess(seen) ? { body: { r } } : undefined));
const allowAnyKey =
  (path: RegExp): RequestChange =>
  ({ url, headers }) => {
    if (path.test(url.pathname)) headers.set('apikey', 'main-key');
  };

export const FAULTS: ServiceFault[] = [
  {
    what: 'fails every request for the usage',
    after: changeResponse('GET /usage', () => ({ status: 500 })),
    fails: ['resources/getUsage-answer#ORG-04'],
  },
  {
    what: 'leaves the envelope out',
    after: changeResponse('GET /usage', ({ body }) => ({ body: body.r })),
    fails: ['resources/getUsage-answer#ENV-01'],
  },
  {
    what: 'has null for the usage',
    after: replacePayload('GET /usage', null),
    fails: ['resources/getUsage-answer#ORG-04'],
  },
  {
    what: 'gives an object for the portal',
    after: replacePayload('GET /org/billing', { url: 'x' }),
    fails: ['resources/getBillingPortal-answer#ORG-05'],
  },
  {
    what: 'gives a map of texts for an invitation',
    after: replacePayload('POST /org/user', { a: 'b' }),
    fails: ['resources/inviteUser-answer#ORG-01'],
  },
  {
    what: 'returns a number for a top-up',
    after: replacePayload('POST /topup', 100),
    fails: ['resources/topUp-answer#ORG-06'],
  },
  {
    what: 'lists profiles in an object',
    after: replacePayload('GET /profile', { profiles: [] }),
    fails: ['resources/listProfiles-answer#PROFILE-03'],
  },
  {
    what: 'gives the id of a file as a number',
    after: replacePayload('POST /file', { id: 7 }),
    fails: ['resources/uploadFile-answer#FILE-01'],
  },
  {
    what: 'leaves the status of a new task out',
    after: changeResponse('POST /task', ({ body }) =>
      body.r ? { body: { r: { ...body.r, status: undefined } } } : undefined,
    ),
    fails: ['resources/createTask-answer#TASK-14'],
  },
  {
    what: 'does not serve a deprecated operation',
    after: changeResponse('GET /browser/profile', () => ({ status: 404, body: { detail: 'Gone' } })),
    fails: [
      'resources/listBrowserProfiles-answer#VERSION-04',
      'resources/listBrowserProfiles-answer#BROWSER-03',
    ],
  },
  {
    what: 'returns text for the deletion of a file',
    after: ({ method, path, body }) =>
      method === 'DELETE' && path.startsWith('/file/') && body.r ? { body: { r: 'ok' } } : undefined,
    fails: ['resources/deleteFile-answer#FILE-02'],
  },
  {
    what: 'shows the usage without a valid key',
    before: allowAnyKey(/\/usage$/),
    fails: ['auth/getUsage#AUTH-05', 'auth/getUsage#AUTH-06'],
  },
  {
    what: 'deletes profiles without a valid key',
    before: allowAnyKey(/\/profile\/td-/),
    fails: ['auth/deleteProfile#AUTH-05', 'auth/deleteBrowserProfile#AUTH-05'],
  },
  {
    what: 'takes the workspace for a key',
    before: ({ url, headers }) => void (url.pathname.endsWith('/sop') && headers.set('apikey', 'main-key')),
    fails: ['auth/listSops#AUTH-07', 'auth/saveSop#AUTH-07', 'auth/deleteSop#AUTH-07'],
  },
  {
    what: 'takes any key',
    before: ({ headers }) =>
      void (headers.get('apikey')?.startsWith('invalid-') && headers.set('apikey', 'main-key')),
    fails: ['auth/createTask#AUTH-06', 'auth/listChats#AUTH-06'],
  },
  {
    what: 'takes no cookie',
    before: ({ headers }) => headers.delete('cookie'),
    fails: ['auth/getUsage#AUTH-03', 'auth/deleteFile#AUTH-03', 'auth/sendTaskEvent#AUTH-03'],
  },
  {
    what: 'wants a key for messages',
    after: ({ path, headers, method }) =>
      path === '/chat/message' && method === 'GET' && !headers.has('apikey')
        ? { status: 401, body: { detail: 'Key' } }
        : undefined,
    fails: ['auth/listMessages#AUTH-04'],
  },
  {
    what: 'wants a key for jobs, of which there are none',
    after: ({ path, headers }) =>
      path.startsWith('/job/')
        ? { status: headers.has('apikey') ? 404 : 401, body: { detail: 'No' } }
        : undefined,
    fails: ['auth/getJob#AUTH-04'],
  },
  {
    what: 'takes a missing email',
    before: ({ url }) =>
      void (
        url.pathname.endsWith('/org/user') &&
        !url.searchParams.has('email') &&
        url.searchParams.set('email', 'a@b.c')
      ),
    fails: ['errors/inviteUser-parameters#ERROR-01'],
  },
  {
    what: 'takes a missing workspace',
    after: changeResponse('GET /chat', ({ headers }) =>
      headers.has('workspace-id') ? undefined : { status: 200, body: { chats: [] } },
    ),
    fails: ['errors/listChats-parameters#CHAT-12', 'errors/listChats-parameters#ERROR-01'],
  },
  {
    what: 'fails for a text instead of an integer',
    after: changeResponse('GET /chat/id', ({ url }) =>
      url.searchParams.get('t') === 'abc' ? { status: 500 } : undefined,
    ),
    fails: ['errors/getChat-parameters#ERROR-01'],
  },
  {
    what: 'fails for an integer that is no exact double',
    after: changeResponse('GET /chat/id', ({ url }) =>
      /^-?\d{16,}$/.test(url.searchParams.get('t') ?? '') ? { status: 500 } : undefined,
    ),
    fails: ['errors/getChat-parameters#ERROR-01'],
  },
  {
    what: 'takes any text for a boolean',
    before: ({ url }) =>
      void (
        url.pathname.endsWith('/visibility') &&
        url.searchParams.get('visibility') === 'perhaps' &&
        url.searchParams.set('visibility', 'true')
      ),
    fails: ['errors/setTaskVisibility-parameters#ERROR-01'],
  },
  {
    what: 'does not describe the invalid parameter',
    after: ({ status }) => (status === 422 ? { body: {} } : undefined),
    fails: ['errors/createTask-body#ERROR-02', 'errors/listTasks-parameters#ENV-02'],
  },
  {
    what: 'has another name for the field detail',
    after: ({ status, body }) => (status === 404 ? { body: { message: body.detail } } : undefined),
    fails: ['errors/getTask-unknown#ENV-02'],
  },
  {
    what: 'accepts a body that is not JSON',
    before: ({ url, init, headers }) => {
      if (
        url.pathname.endsWith('/profile') &&
        headers.get('apikey') === 'main-key' &&
        typeof init.body === 'string' &&
        !init.body.endsWith('}')
      )
        init.body = '{"id": null}';
    },
    fails: ['errors/createProfile-body#ERROR-01'],
  },
  {
    what: 'fails for a body that is not UTF-8',
    after: ({ path, status, body }) =>
      path === '/profile' && status === 422 && /UTF/.test(JSON.stringify(body)) ? { status: 500 } : undefined,
    fails: ['errors/createProfile-body#ERROR-01'],
  },
  {
    what: 'takes a tool without a description',
    before: ({ init }) => {
      // Two descriptions: of the tool and of its parameter.
      if (typeof init.body === 'string' && init.body.split('"description"').length === 2)
        init.body = '{"task":null}';
    },
    fails: ['errors/createTask-body#TOOL-08'],
  },
  {
    what: 'takes any name of an event',
    before: ({ init }) => {
      if (typeof init.body === 'string') init.body = init.body.replace('something_else', 'browser_action');
    },
    fails: ['errors/sendTaskEvent-body#EVENT-05'],
  },
  {
    what: 'takes a payload that is a text',
    before: ({ init }) => {
      if (typeof init.body === 'string') init.body = init.body.replace('"payload":"wrong"', '"payload":{}');
    },
    fails: ['errors/sendTaskEvent-body#EVENT-05'],
  },
  {
    what: 'takes any list of files',
    before: ({ init }) => {
      if (typeof init.body === 'string') init.body = init.body.replace('"files":42', '"files":null');
    },
    fails: ['errors/createTask-body#ERROR-01'],
  },
  {
    what: 'knows every task',
    after: ({ method, path, status }) =>
      method === 'GET' && /^\/task\/[^/]+$/.test(path) && status === 404
        ? { status: 200, body: { r: { id: 'x', status: 'done' } } }
        : undefined,
    fails: ['errors/getTask-unknown#POLL-07', 'errors/getTask-unknown#ERROR-03'],
  },
  {
    what: 'stops every task',
    after: ({ method, path, status }) =>
      method === 'DELETE' && /^\/task\/[^/]+$/.test(path) && status === 404
        ? { status: 200, body: { r: true } }
        : undefined,
    fails: ['errors/deleteTask-unknown#ERROR-03'],
  },
  {
    what: 'refuses events to no task with 400',
    after: ({ path, status }) => (path.endsWith('/event') && status === 404 ? { status: 400 } : undefined),
    fails: ['errors/sendTaskEvent-unknown#ERROR-03'],
  },
  {
    what: 'has a workspace for every id',
    after: changeResponse('GET /workspace', ({ status }) =>
      status === 404 ? { status: 200, body: { id: 'x' } } : undefined,
    ),
    fails: ['errors/getWorkspace-unknown#ERROR-03'],
  },
  {
    what: 'fails for an unknown file',
    after: ({ path, status }) => (path.startsWith('/file/') && status === 404 ? { status: 500 } : undefined),
    fails: ['errors/deleteFile-unknown#ERROR-03'],
  },
  {
    what: 'takes an l of 129',
    before: ({ url }) => void (url.searchParams.get('l') === '129' && url.searchParams.set('l', '128')),
    fails: ['limits/listTasks-l#LIMIT-02'],
  },
  {
    what: 'takes an l of 0',
    before: ({ url }) => void (url.searchParams.get('l') === '0' && url.searchParams.set('l', '1')),
    fails: ['limits/listTasks-l#LIMIT-02'],
  },
  {
    what: 'takes no l of 128',
    before: ({ url }) => void (url.searchParams.get('l') === '128' && url.searchParams.set('l', '129')),
    fails: ['limits/listTasks-l#LIMIT-02'],
  },
  {
    what: 'lists more than l',
    before: ({ url }) => void (url.searchParams.get('l') === '1' && url.searchParams.set('l', '2')),
    fails: ['limits/listTasks-l#LIMIT-01'],
  },
  {
    what: 'lists 64 tasks by default',
    before: ({ url }) =>
      void (url.pathname.endsWith('/task') && !url.searchParams.has('l') && url.searchParams.set('l', '64')),
    fails: ['limits/listTasks-default#LIMIT-01'],
  },
  {
    what: 'lists 16 tasks by default',
    before: ({ url }) =>
      void (url.pathname.endsWith('/task') && !url.searchParams.has('l') && url.searchParams.set('l', '16')),
    fails: ['limits/listTasks-default#LIMIT-01'],
  },
  {
    what: 'takes no notice of the limit of chats',
    before: ({ url }) =>
      void (
        url.pathname.endsWith('/chat') &&
        url.searchParams.get('limit') === '1' &&
        url.searchParams.delete('limit')
      ),
    fails: ['limits/listChats-limit#CHAT-01'],
  },
  {
    what: 'lists any number of chats',
    before: ({ url, init }) =>
      void (
        init.method === 'GET' &&
        url.pathname.endsWith('/chat') &&
        !url.searchParams.has('limit') &&
        url.searchParams.set('limit', '1000')
      ),
    fails: ['limits/listChats-default#LIMIT-03'],
  },
  {
    what: 'needs no id to delete an automation',
    after: ({ method, path, url }) =>
      method === 'DELETE' && path === '/automation' && !url.searchParams.has('id')
        ? { status: 200, body: { r: true } }
        : undefined,
    fails: ['errors/deleteAutomation-parameters#AUTO-03'],
  },
  {
    what: 'needs no body for the webhook',
    before: ({ url, init, headers }) => {
      if (url.pathname.endsWith('/webhook') && init.body === undefined) {
        init.body = '{"automation_id":"x"}';
        headers.set('content-type', 'application/json');
      }
    },
    fails: ['errors/triggerWebhook-body#ERROR-01'],
  },
];
