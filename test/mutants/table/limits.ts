import { BROWSER_SESSION_LIFETIME_MS } from '../../../spec/vocabulary.js';
import type { Mutant, MutantContext } from '../mutant.js';
import { type Between, errors, lists, mutant, requests } from '../operators/make.js';
import { refusal, Told } from '../operators/told.js';

/** Bounds of lists. */
export const limitMutants: readonly Mutant[] = [
  mutant(
    'list-default-20',
    'LIMIT-01',
    'A list of tasks without l has fewer members than there are up to 32.',
    lists('listTasks', (list, asked) => (asked.query.has('l') ? list : list.slice(0, 20))),
  ),
  mutant(
    'list-default-128',
    'LIMIT-01',
    'A list of tasks without l has up to 128 members.',
    requests('listTasks', (asked) => {
      if (!asked.query.has('l')) asked.query.set('l', '128');
    }),
  ),
  mutant(
    'list-l-ignored',
    'LIMIT-01',
    'A list of tasks has up to 32 members, whatever l is.',
    requests('listTasks', (asked) => {
      if (within(asked.query.get('l'))) asked.query.delete('l');
    }),
  ),
  mutant(
    'list-l-plus-one',
    'LIMIT-01',
    'A list of tasks has one member more than l.',
    requests('listTasks', (asked) => {
      const l = asked.query.get('l');
      if (within(l) && Number(l) < 128) asked.query.set('l', String(Number(l) + 1));
    }),
  ),
  mutant(
    'list-l-0-accepted',
    'LIMIT-02',
    'An l of 0 gives an empty list.',
    bound('0', () => new Told(200, { r: [] })),
  ),
  mutant(
    'list-l-negative-accepted',
    'LIMIT-02',
    'An l below 0 is taken for 1.',
    requests('listTasks', (asked) => {
      if (Number(asked.query.get('l')) < 0) asked.query.set('l', '1');
    }),
  ),
  mutant(
    'list-l-0-as-default',
    'LIMIT-02',
    'An l of 0 is taken for the default.',
    requests('listTasks', (asked) => {
      if (asked.query.get('l') === '0') asked.query.delete('l');
    }),
  ),
  mutant(
    'list-l-129-accepted',
    'LIMIT-02',
    'An l above 128 is taken for 128.',
    requests('listTasks', (asked) => {
      if (Number(asked.query.get('l')) > 128) asked.query.set('l', '128');
    }),
  ),
  mutant(
    'list-l-128-refused',
    'LIMIT-02',
    'An l of 128 is refused.',
    bound('128', () => refusal(422, 'l is below 128')),
  ),
  mutant(
    'list-l-1-refused',
    'LIMIT-02',
    'An l of 1 is refused.',
    bound('1', () => refusal(422, 'l is above 1')),
  ),
  mutant(
    'list-l-bound-500',
    'LIMIT-02',
    'An l out of bounds is answered with 500.',
    errors('listTasks', (told) => {
      if (told.status === 422) told.status = 500;
    }),
  ),
  ...browserMutants(),
  mutant(
    'list-lacks-the-newest',
    'TASK-15',
    'The list of tasks lacks those that run.',
    lists('listTasks', (list) => list.filter(({ status }) => status !== 'running' && status !== 'waiting')),
  ),
  mutant(
    'chats-default-1000',
    'LIMIT-03',
    'A list of chats without limit has up to 1,000 members.',
    requests('listChats', (asked) => {
      if (!asked.query.has('limit')) asked.query.set('limit', '1000');
    }),
  ),
];

function browserMutants(): Mutant[] {
  const living = (change: (told: Told, age_ms: number) => Told | undefined) => {
    return ({ now }: MutantContext): Between => {
      const opened = new Map<string, number>();
      return async (asked, next) => {
        const told = await next(asked);
        if (asked.is('openBrowserSession') && told.ok) opened.set(String(told.record.live_id), now());
        const id = asked.path.get('session_id') ?? '';
        const at = asked.is('closeBrowserSession') ? opened.get(id) : undefined;
        if (at === undefined) return told;
        opened.delete(id);
        return change(told, now() - at) ?? told;
      };
    };
  };
  return [
    mutant(
      'browser-never-ends',
      'LIMIT-04',
      'A browser of the deprecated operation is there until it is closed.',
      living((told, age_ms) =>
        !told.ok && age_ms >= BROWSER_SESSION_LIFETIME_MS ? new Told(200, { r: true }) : undefined,
      ),
    ),
    mutant(
      'browser-ends-after-a-minute',
      'LIMIT-04',
      'A browser of the deprecated operation is gone after a minute.',
      living((_, age_ms) => (age_ms >= 60_000 ? refusal(404, 'There is no such browser.') : undefined)),
    ),
  ];
}

function within(l: string | null): boolean {
  return l !== null && /^\d+$/.test(l) && Number(l) >= 1 && Number(l) <= 128;
}

function bound(l: string, make: () => Told) {
  return requests('listTasks', (asked) => (asked.query.get('l') === l ? make() : undefined));
}
