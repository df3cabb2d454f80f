import type { Mutant } from '../mutant.js';
import { answers, type Between, mutant, requests } from '../operators/make.js';
import { isRec, Told } from '../operators/told.js';

const confirmed = () => new Told(200, { r: { id: 'taken' } });

/** POST /task/{task_id}/event: what it confirms and what it refuses. */
export const eventEndpointMutants: readonly Mutant[] = [
  mutant(
    'event-confirmed-without-id',
    'EVENT-03',
    'An event is confirmed without an id.',
    answers('sendTaskEvent', (told) => {
      told.r = { sent: true };
    }),
  ),
  mutant(
    'event-confirmed-with-a-number',
    'EVENT-03',
    'An event is confirmed with a number as its id.',
    answers('sendTaskEvent', (told) => {
      told.r = { id: 17 };
    }),
  ),
  mutant(
    'event-confirmed-with-another-id',
    'EVENT-03',
    'An event is confirmed with an id that is not its own.',
    answers('sendTaskEvent', (told, asked) => {
      if (typeof asked.json.id === 'string') told.r = { id: `receipt-${asked.json.id}` };
    }),
  ),
  mutant(
    'event-odd-name-accepted',
    'EVENT-05',
    'An event under another name is accepted.',
    accepting(({ name }) => !['browser_action', 'session_action', 'tool_call'].includes(String(name))),
  ),
  mutant(
    'event-payload-list-accepted',
    'EVENT-05',
    'An event whose payload is a list is accepted.',
    accepting(({ payload }) => Array.isArray(payload)),
  ),
  mutant(
    'event-payload-text-accepted',
    'EVENT-05',
    'An event whose payload is a text is accepted.',
    accepting(({ payload }) => typeof payload === 'string'),
  ),
  mutant(
    'event-odd-name-500',
    'EVENT-05',
    'An event under another name is answered with 500.',
    refusedAs(500),
  ),
  mutant(
    'event-odd-name-404',
    'EVENT-05',
    'An event under another name is answered with 404.',
    refusedAs(404),
  ),
  mutant(
    'event-unknown-task-accepted',
    'ERROR-03',
    'An event to a task that does not exist is confirmed.',
    unknownTask(() => confirmed()),
  ),
  mutant(
    'event-unknown-task-400',
    'ERROR-03',
    'An event to a task that does not exist is answered with 400.',
    unknownTask(() => new Told(400, { detail: 'There is no such task.' })),
  ),
  mutant(
    'event-good-id-404',
    'EVENT-03',
    'Events to tasks that exist are answered with 404.',
    requests('sendTaskEvent', () => new Told(404, { detail: 'There is no such task.' })),
  ),
  mutant(
    'event-needs-uuid',
    'EVENT-03',
    'An event is refused unless its id is a UUID.',
    requests('sendTaskEvent', (asked) => {
      const { id, name } = asked.json;
      const odd = name !== 'tool_call' && typeof id === 'string' && !/^[0-9a-f]{8}-/i.test(id);
      return odd ? new Told(422, { detail: 'id must be a UUID' }) : undefined;
    }),
  ),
];

function accepting(which: (event: Record<string, unknown>) => boolean): () => Between {
  return requests('sendTaskEvent', (asked) => {
    const { json } = asked;
    return 'name' in json && which(json) ? confirmed() : undefined;
  });
}

function refusedAs(status: number): () => Between {
  return () => async (asked, next) => {
    const told = await next(asked);
    const { name, payload } = asked.json;
    const odd = isRec(payload) && !['browser_action', 'session_action', 'tool_call'].includes(String(name));
    if (asked.is('sendTaskEvent') && told.status === 422 && odd) told.status = status;
    return told;
  };
}

function unknownTask(make: () => Told): () => Between {
  return () => async (asked, next) => {
    const told = await next(asked);
    if (!asked.is('sendTaskEvent') || told.status !== 404) return told;
    const known = await next(asked.other('GET', `/task/${asked.task}`));
    return known.status === 404 ? make() : told;
  };
}
