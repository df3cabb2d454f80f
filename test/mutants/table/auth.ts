import type { OperationId } from '../../../spec/generated/operations.js';
import { MAIN } from '../judge.js';
import type { Mutant } from '../mutant.js';
import { type Interception, mutant } from '../operators/make.js';
import { createRefusal } from '../operators/mutant-response.js';

/** One operation of each family that asks for a key, with what it is called in an id. */
const FAMILIES: Readonly<Record<string, OperationId>> = {
  usage: 'getUsage',
  organisation: 'getOrganisation',
  portal: 'getBillingPortal',
  'new-task': 'createTask',
  tasks: 'listTasks',
  poll: 'getTask',
  cancel: 'deleteTask',
  event: 'sendTaskEvent',
  visibility: 'getTaskVisibility',
  profiles: 'listProfiles',
  'new-profile': 'createProfile',
  proxies: 'listProxies',
  extensions: 'listExtensions',
  upload: 'uploadFile',
  browser: 'listBrowserProfiles',
  telemetry: 'sendTelemetry',
  workspace: 'createWorkspace',
  chats: 'listChats',
  apps: 'listApps',
  sops: 'listSops',
  automations: 'listAutomations',
};

const OPEN: Readonly<Record<string, OperationId>> = {
  job: 'getJob',
  messages: 'listMessages',
  attachment: 'getAttachment',
  'tool-data': 'getToolData',
  webhook: 'triggerWebhook',
};

/** Who may do what: keys in the header, in the cookie, missing and wrong. */
export const authMutants: readonly Mutant[] = [
  ...Object.entries(FAMILIES).map(([name, operation]) =>
    mutant(
      `no-key-${name}`,
      'AUTH-05',
      `${operation} is served without a key.`,
      serveRefused(operation, (key) => key === undefined),
    ),
  ),
  ...Object.entries(FAMILIES).map(([name, operation]) =>
    mutant(
      `wrong-key-${name}`,
      'AUTH-06',
      `${operation} is served for a key that is not valid.`,
      serveRefused(operation, (key) => key !== undefined && isWrong(key)),
    ),
  ),
  mutant(
    'any-key',
    'AUTH-06',
    'Every operation is served for keys that are not valid.',
    serveRefused(undefined, (key) => key !== undefined && isWrong(key)),
  ),
  mutant(
    'key-without-its-end',
    'AUTH-06',
    'A key without its last character is taken for the whole.',
    serveRefused(undefined, (key) => key === MAIN.slice(0, -1)),
  ),
  mutant(
    'key-with-more-behind',
    'AUTH-06',
    'A key with more characters behind it is taken for the key.',
    serveRefused(undefined, (key) => key?.startsWith(MAIN) === true && key !== MAIN),
  ),
  mutant(
    'no-key-anywhere',
    'AUTH-05',
    'Every operation is served without a key.',
    serveRefused(undefined, (key) => key === undefined),
  ),
  mutant(
    'missing-key-500',
    'AUTH-05',
    'A request without a key is answered with 500.',
    () => async (request, next) => {
      const response = await next(request);
      if (request.key === undefined && response.status === 401) response.status = 500;
      return response;
    },
  ),
  mutant(
    'wrong-key-empty-list',
    'AUTH-06',
    'A key that is not valid is answered with an empty list of tasks.',
    () => async (request, next) => {
      const response = await next(request);
      if (request.is('listTasks') && response.status === 401 && request.key !== undefined) {
        response.status = 200;
        response.body = { r: [] };
      }
      return response;
    },
  ),
  ...(['usage', 'tasks', 'profiles', 'apps'] as const).map((name) =>
    mutant(
      `header-not-read-${name}`,
      'AUTH-02',
      `${FAMILIES[name]} does not read the key in the header.`,
      () => (request, next) =>
        request.is(FAMILIES[name]!) &&
        request.headers.apikey !== undefined &&
        request.headers.cookie === undefined
          ? createRefusal(401, 'Not authenticated.')
          : next(request),
    ),
  ),
  ...(['usage', 'tasks', 'new-task', 'poll', 'profiles', 'proxies', 'apps', 'workspace'] as const).map(
    (name) =>
      mutant(
        `cookie-not-read-${name}`,
        'AUTH-03',
        `${FAMILIES[name]} does not read the key in the cookie.`,
        () => (request, next) =>
          request.is(FAMILIES[name]!) &&
          request.headers.apikey === undefined &&
          request.headers.cookie !== undefined
            ? createRefusal(401, 'Not authenticated.')
            : next(request),
      ),
  ),
  mutant('cookie-not-read', 'AUTH-03', 'No operation reads the key in the cookie.', () => (request, next) => {
    delete request.headers.cookie;
    return next(request);
  }),
  ...Object.entries(OPEN).map(([name, operation]) =>
    mutant(
      `key-needed-${name}`,
      'AUTH-04',
      `${operation} refuses a request without a key.`,
      () => (request, next) =>
        request.is(operation) && request.key === undefined
          ? createRefusal(401, 'Not authenticated.')
          : next(request),
    ),
  ),
  ...(
    [
      ['workspace-id', 'getWorkspace'],
      ['workspace-id', 'listChats'],
      ['workspace-id', 'listSops'],
      ['workspace-id', 'listAutomations'],
      ['chat-id', 'updateRequest'],
      ['attachment-id', 'updateAttachment'],
    ] as const
  ).map(([header, operation]) =>
    mutant(
      `${header}-as-key-${operation.toLowerCase()}`,
      'AUTH-07',
      `${operation} is served without a key to whoever names the ${header}.`,
      serveRefused(operation, (key, headers) => key === undefined && headers[header] !== undefined),
    ),
  ),
];

function isWrong(key: string): boolean {
  return key.startsWith('invalid-');
}

/**
 * Serves requests that should be refused, on behalf of the organisation that was served last.
 */
function serveRefused(
  operation: OperationId | undefined,
  which: (key: string | undefined, headers: Readonly<Record<string, string>>) => boolean,
): () => Interception {
  return () => {
    let good: string | undefined;
    return async (request, next) => {
      const concerned = operation === undefined || request.is(operation);
      const key = request.key || undefined;
      if (concerned && good !== undefined && which(key, request.headers)) {
        request.key = good;
        return next(request);
      }
      const response = await next(request);
      if (response.ok && key !== undefined) good = key;
      return response;
    };
  };
}
