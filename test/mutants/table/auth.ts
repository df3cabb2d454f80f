import type { OperationId } from '../../../spec/generated/operations.js';
import type { Mutant } from '../mutant.js';
import { type Between, mutant } from '../operators/make.js';
import { refusal } from '../operators/told.js';

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
      open(operation, (key) => key === undefined),
    ),
  ),
  ...Object.entries(FAMILIES).map(([name, operation]) =>
    mutant(
      `wrong-key-${name}`,
      'AUTH-06',
      `${operation} is served for a key that is not valid.`,
      open(operation, (key) => key !== undefined && isWrong(key)),
    ),
  ),
  mutant(
    'any-key',
    'AUTH-06',
    'Every operation is served for keys that are not valid.',
    open(undefined, (key) => key !== undefined && isWrong(key)),
  ),
  mutant(
    'no-key-anywhere',
    'AUTH-05',
    'Every operation is served without a key.',
    open(undefined, (key) => key === undefined),
  ),
  mutant(
    'missing-key-500',
    'AUTH-05',
    'A request without a key is answered with 500.',
    () => async (asked, next) => {
      const told = await next(asked);
      if (asked.key === undefined && told.status === 401) told.status = 500;
      return told;
    },
  ),
  mutant(
    'wrong-key-empty-list',
    'AUTH-06',
    'A key that is not valid is answered with an empty list of tasks.',
    () => async (asked, next) => {
      const told = await next(asked);
      if (asked.is('listTasks') && told.status === 401 && asked.key !== undefined) {
        told.status = 200;
        told.body = { r: [] };
      }
      return told;
    },
  ),
  ...(['usage', 'tasks', 'profiles', 'apps'] as const).map((name) =>
    mutant(
      `header-not-read-${name}`,
      'AUTH-02',
      `${FAMILIES[name]} does not read the key in the header.`,
      () => (asked, next) =>
        asked.is(FAMILIES[name]!) && asked.headers.apikey !== undefined && asked.headers.cookie === undefined
          ? refusal(401, 'Not authenticated.')
          : next(asked),
    ),
  ),
  ...(['usage', 'tasks', 'new-task', 'poll', 'profiles', 'proxies', 'apps', 'workspace'] as const).map(
    (name) =>
      mutant(
        `cookie-not-read-${name}`,
        'AUTH-03',
        `${FAMILIES[name]} does not read the key in the cookie.`,
        () => (asked, next) =>
          asked.is(FAMILIES[name]!) &&
          asked.headers.apikey === undefined &&
          asked.headers.cookie !== undefined
            ? refusal(401, 'Not authenticated.')
            : next(asked),
      ),
  ),
  mutant('cookie-not-read', 'AUTH-03', 'No operation reads the key in the cookie.', () => (asked, next) => {
    delete asked.headers.cookie;
    return next(asked);
  }),
  ...Object.entries(OPEN).map(([name, operation]) =>
    mutant(
      `key-needed-${name}`,
      'AUTH-04',
      `${operation} refuses a request without a key.`,
      () => (asked, next) =>
        asked.is(operation) && asked.key === undefined ? refusal(401, 'Not authenticated.') : next(asked),
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
      open(operation, (key, headers) => key === undefined && headers[header] !== undefined),
    ),
  ),
];

function isWrong(key: string): boolean {
  return key.startsWith('invalid-');
}

/**
 * Serves requests that should be refused, on behalf of the organisation that was served last.
 */
function open(
  operation: OperationId | undefined,
  which: (key: string | undefined, headers: Readonly<Record<string, string>>) => boolean,
): () => Between {
  return () => {
    let good: string | undefined;
    return async (asked, next) => {
      const concerned = operation === undefined || asked.is(operation);
      const key = asked.key || undefined;
      if (concerned && good !== undefined && which(key, asked.headers)) {
        asked.key = good;
        return next(asked);
      }
      const told = await next(asked);
      if (told.ok && key !== undefined) good = key;
      return told;
    };
  };
}
