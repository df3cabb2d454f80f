import { BROWSER_SESSION_LIFETIME_MS } from '../../../spec/vocabulary.js';
import type { Mutant, MutantContext } from '../mutant.js';
import { changeErrors, changeLists, changeRequests, type Interception, mutant } from '../operators/make.js';
import { createRefusal, MutantResponse } from '../operators/mutant-response.js';

/** Bounds of lists. */
export const limitMutants: readonly Mutant[] = [
  mutant(
    'list-default-20',
    'LIMIT-01',
    'A list of tasks without l has fewer members than there are up to 32.',
    changeLists('listTasks', (list, request) => (request.query.has('l') ? list : list.slice(0, 20))),
  ),
  mutant(
    'list-default-128',
    'LIMIT-01',
    'A list of tasks without l has up to 128 members.',
    changeRequests('listTasks', (request) => {
      if (!request.query.has('l')) request.query.set('l', '128');
    }),
  ),
  mutant(
    'list-l-ignored',
    'LIMIT-01',
    'A list of tasks has up to 32 members, whatever l is.',
    changeRequests('listTasks', (request) => {
      if (isWithinLimit(request.query.get('l'))) request.query.delete('l');
    }),
  ),
  mutant(
    'list-l-plus-one',
    'LIMIT-01',
    'A list of tasks has one member more than l.',
    changeRequests('listTasks', (request) => {
      const l = request.query.get('l');
      if (isWithinLimit(l) && Number(l) < 128) request.query.set('l', String(Number(l) + 1));
    }),
  ),
  mutant(
    'list-l-0-accepted',
    'LIMIT-02',
    'An l of 0 gives an empty list.',
    replaceAtLimit('0', () => new MutantResponse(200, { r: [] })),
  ),
  mutant(
    'list-l-negative-accepted',
    'LIMIT-02',
    'An l below 0 is taken for 1.',
    changeRequests('listTasks', (request) => {
      if (Number(request.query.get('l')) < 0) request.query.set('l', '1');
    }),
  ),
  mutant(
    'list-l-0-as-default',
    'LIMIT-02',
    'An l of 0 is taken for the default.',
    changeRequests('listTasks', (request) => {
      if (request.query.get('l') === '0') request.query.delete('l');
    }),
  ),
  mutant(
    'list-l-129-accepted',
    'LIMIT-02',
    'An l above 128 is taken for 128.',
    changeRequests('listTasks', (request) => {
      if (Number(request.query.get('l')) > 128) request.query.set('l', '128');
    }),
  ),
  mutant(
    'list-l-128-refused',
    'LIMIT-02',
    'An l of 128 is refused.',
    replaceAtLimit('128', () => createRefusal(422, 'l is below 128')),
  ),
  mutant(
    'list-l-1-refused',
    'LIMIT-02',
    'An l of 1 is refused.',
    replaceAtLimit('1', () => createRefusal(422, 'l is above 1')),
  ),
  mutant(
    'list-l-bound-500',
    'LIMIT-02',
    'An l out of bounds is answered with 500.',
    changeErrors('listTasks', (response) => {
      if (response.status === 422) response.status = 500;
    }),
  ),
  ...createBrowserMutants(),
  mutant(
    'list-lacks-the-newest',
    'TASK-15',
    'The list of tasks lacks those that run.',
    changeLists('listTasks', (list) =>
      list.filter(({ status }) => status !== 'running' && status !== 'waiting'),
    ),
  ),
  mutant(
    'chats-default-1000',
    'LIMIT-03',
    'A list of chats without limit has up to 1,000 members.',
    changeRequests('listChats', (request) => {
      if (!request.query.has('limit')) request.query.set('limit', '1000');
    }),
  ),
];

function createBrowserMutants(): Mutant[] {
  const changeByAge = (change: (response: MutantResponse, age_ms: number) => MutantResponse | undefined) => {
    return ({ now }: MutantContext): Interception => {
      const opened = new Map<string, number>();
      return async (request, next) => {
        const response = await next(request);
        if (request.is('openBrowserSession') && response.ok)
          opened.set(String(response.record.live_id), now());
        const id = request.path.get('session_id') ?? '';
        const at = request.is('closeBrowserSession') ? opened.get(id) : undefined;
        if (at === undefined) return response;
        opened.delete(id);
        return change(response, now() - at) ?? response;
      };
    };
  };
  return [
    mutant(
      'browser-never-ends',
      'LIMIT-04',
      'A browser of the deprecated operation is there until it is closed.',
      changeByAge((response, age_ms) =>
        !response.ok && age_ms >= BROWSER_SESSION_LIFETIME_MS
          ? new MutantResponse(200, { r: true })
          : undefined,
      ),
    ),
    mutant(
      'browser-ends-after-a-minute',
      'LIMIT-04',
      'A browser of the deprecated operation is gone after a minute.',
      changeByAge((_, age_ms) =>
        age_ms >= 60_000 ? createRefusal(404, 'There is no such browser.') : undefined,
      ),
    ),
  ];
}

function isWithinLimit(l: string | null): boolean {
  return l !== null && /^\d+$/.test(l) && Number(l) >= 1 && Number(l) <= 128;
}

function replaceAtLimit(l: string, make: () => MutantResponse) {
  return changeRequests('listTasks', (request) => (request.query.get('l') === l ? make() : undefined));
}
