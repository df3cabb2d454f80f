import type { World } from '../world.js';
import type { Action, Task } from './task.js';

/** What the browser of a session shows. */
export interface Page {
  url: string;
  title: string;
  description: string;
}

const CONTENT = {
  type: 'object',
  properties: { title: { type: 'string' }, description: { type: 'string' } },
  required: ['title', 'description'],
};

/** The page that an action meets: the last address before it that the session was sent to. */
export function pageOf(world: World, task: Task, action: Action): Page {
  let url = addressIn(task.request) ?? 'about:blank';
  for (const each of task.actions?.values() ?? []) {
    if (each === action) break;
    if (each.name === 'goto' || each.name === 'run_task') url = addressIn(each.input) ?? url;
  }
  const content = world.setup.generators().value(CONTENT, randomOf(world, url)) as Partial<Page> | undefined;
  return { url, title: content?.title ?? '', description: content?.description ?? '' };
}

/** The same page with the same schema gives the same data, whatever happened before and in which session. */
export function extractFrom(world: World, page: Page, schema: unknown): unknown {
  const generators = world.setup.generators();
  let value = generators.value(schema, randomOf(world, page.url)) ?? null;
  if (value === null || typeof value !== 'object') return value;
  for (const key of ['title', 'description', 'url'] as const) {
    if (!Object.hasOwn(value, key)) continue;
    const known: unknown = { ...value, [key]: page[key] };
    if (generators.fits(schema, known)) value = known as object;
  }
  return value;
}

function randomOf({ setup }: World, url: string) {
  return setup.random.fork(`page ${url}`);
}

function addressIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  return typeof fields.url === 'string' && fields.url !== '' ? fields.url : undefined;
}
