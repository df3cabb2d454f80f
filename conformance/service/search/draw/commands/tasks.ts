import { TEXTS, TOOLS } from '../../../test-case/texts.js';
import type { Resource } from '../../sequence/resources.js';
import type { Command, Template } from '../../sequence/sequence.js';
import type { CommandBuilder, DrawContext } from '../draw.js';
import { formatReference } from '../draw.js';

const MODEL = {
  type: 'object',
  properties: { title: { type: 'string' }, count: { type: 'integer' } },
  required: ['title'],
} as const satisfies Template;

export const MODELS: readonly Template[] = [
  MODEL,
  { type: 'array', items: { $ref: '#/$defs/name' }, minItems: 2, $defs: { name: { type: 'string' } } },
  { type: 'integer', minimum: 3 },
];

export const TOOL = TOOLS.get_weather as unknown as { [name: string]: Template };

/** Optional fields of a task, each with a value that every service accepts. */
const FIELDS: Readonly<Record<string, (draw: DrawContext) => Template | undefined>> = {
  url: () => TEXTS.page,
  device: () => 'desktop',
  profile_id: (draw) => findReference(draw, 'profile', 'profile_id'),
  files: (draw) => {
    const files = draw.resources.filter(({ kind, state }) => kind === 'file' && state !== 'gone');
    return files
      .slice(0, draw.drawBoolean(0.6) ? 4 : draw.random.int(0, 4))
      .map((file) => formatReference(file, 'file_id'));
  },
  response_model: (draw) => draw.pick(MODELS),
  custom_tools: () => [TOOL],
};
const NAMES = Object.keys(FIELDS);
const PAIRS = NAMES.flatMap((name, index) => NAMES.slice(index + 1).map((other) => [name, other]));

function findReference(draw: DrawContext, kind: 'profile', parameter: string): string | undefined {
  const resource = draw.pickUncovered(kind, 'createTask', `with ${parameter}`);
  return resource && formatReference(resource, parameter);
}

/** A session, or a cheap one-shot task, with these fields. */
function createTaskBody(draw: DrawContext, names: readonly string[]): Partial<Command> | undefined {
  const body: { [name: string]: Template } = { task: draw.drawBoolean(0.7) ? null : TEXTS['one-shot'] };
  for (const name of names) {
    const value = FIELDS[name]!(draw);
    if (value === undefined && names.length < 3) return undefined;
    if (value !== undefined) body[name] = value;
  }
  return { body, accepted: 'TASK-11' };
}

const pickRemoved = (kind: 'profile' | 'file') => (draw: DrawContext) =>
  draw.pickResource(kind, ({ state }) => state === 'gone');

/** Texts that are easily mistaken for another value. */
const ODD_TEXTS = ['', 'null', 'false', '0', `${TEXTS['one-shot']} \u{1f9ed}`];

export const taskBuilders: readonly CommandBuilder[] = [
  {
    operation: 'createTask',
    topics: ['tasks', 'sessions'],
    makes: 'task',
    weight: 1.5,
    request: () => ({ body: { task: null } }),
    variants: {
      'one-shot': () => ({ body: { task: TEXTS['one-shot'] } }),
      ...Object.fromEntries(
        ODD_TEXTS.map((task) => [`the text ${JSON.stringify(task)}`, () => ({ body: { task } })]),
      ),
      'without fields': () => ({ body: {} }),
      ...Object.fromEntries(
        NAMES.map((name) => [`with ${name}`, (draw: DrawContext) => createTaskBody(draw, [name])]),
      ),
      ...Object.fromEntries(
        PAIRS.map((pair) => [
          `with ${pair.join(' and ')}`,
          (draw: DrawContext) => createTaskBody(draw, pair),
        ]),
      ),
      'with all fields': (draw) => createTaskBody(draw, NAMES),
      'with null for other fields': () => ({
        body: {
          task: null,
          ...Object.fromEntries(
            ['url', 'profile_id', 'response_model', 'files', 'custom_tools'].map((name) => [name, null]),
          ),
        },
        open: true,
      }),
      'task of another type': () => ({ body: { task: 5 }, invalid: 'ERROR-01' }),
      'a tool without a description': () => {
        const { description: _, ...incomplete } = TOOL as Record<string, Template>;
        return { body: { task: TEXTS['tool-call'], custom_tools: [incomplete] }, invalid: 'TOOL-08' };
      },
      'a second tool without inputs': () => {
        const { inputs: _, ...incomplete } = TOOL as Record<string, Template>;
        return {
          body: { task: TEXTS['tool-call'], custom_tools: [TOOL, { ...incomplete, name: 'other' }] },
          invalid: 'TOOL-08',
        };
      },
      'with a profile that is gone': (draw) => {
        const resource = pickRemoved('profile')(draw);
        return (
          resource && {
            body: { task: null, profile_id: formatReference(resource, 'profile_id') },
            open: true,
          }
        );
      },
      'with a file that is gone': (draw) => {
        const resource = pickRemoved('file')(draw);
        return (
          resource && { body: { task: null, files: [formatReference(resource, 'file_id')] }, open: true }
        );
      },
    },
  },
  {
    operation: 'createTask',
    topics: ['uploads'],
    makes: 'task',
    weight: 2,
    request(draw) {
      if (!draw.pickResource('profile') && !draw.pickResource('file')) return undefined;
      const names = ['profile_id', 'files', 'device', 'response_model', 'custom_tools'];
      return createTaskBody(
        draw,
        names.filter(() => draw.drawBoolean(0.7)),
      );
    },
  },
  {
    operation: 'listTasks',
    topics: ['tasks', 'sessions', 'tools'],
    optional: {
      l: (draw) => draw.pick([1, 2, 3, 127, 128]),
      t: (draw) => {
        const task = draw.pickResource('task', () => true);
        return task && formatReference(task, 'created_at');
      },
    },
  },
  {
    operation: 'getTask',
    topics: ['tasks', 'sessions', 'tools'],
    of: 'task',
    weight: 3,
    optional: {
      event_t: (draw, resource) =>
        draw.pick([0, drawEventTime(draw, resource), drawEventTime(draw, resource)]),
      downloads: (draw) => draw.drawBoolean(0.7),
    },
    variants: { 'event_t in the far future': () => ({ query: { event_t: 99_999_999_999_999 } }) },
  },
  { operation: 'deleteTask', topics: ['tasks', 'sessions', 'tools'], of: 'task', weight: 0.5 },
  { operation: 'getTask', topics: ['uploads'], of: 'task', weight: 0.5 },
  { operation: 'deleteTask', topics: ['uploads'], of: 'task', weight: 0.5 },
  { operation: 'getTaskVisibility', topics: ['tasks', 'sessions'], of: 'task' },
  {
    operation: 'setTaskVisibility',
    topics: ['tasks', 'sessions'],
    of: 'task',
    request: (draw) => ({ query: { visibility: draw.drawBoolean(0.6) } }),
    variants: {
      'without visibility': () => ({ query: { visibility: '' }, invalid: 'ERROR-01' }),
    },
  },
  {
    operation: 'deleteTaskData',
    topics: ['tasks', 'sessions'],
    of: 'task',
    // Only a poll shows whether an active task has just ended, and no poll is possible after its data are deleted.
    states: ['over'],
    request: () => ({ open: true }),
  },
];

/** The timestamp of one of its events, or 0. */
function drawEventTime(draw: DrawContext, { label, task }: Resource): Template {
  const times = task?.times ?? 0;
  return times === 0 ? 0 : `{{${label}.event_${draw.random.int(1, times)}}}`;
}
