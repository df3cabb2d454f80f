import type { OperationId } from '../../../spec/generated/operations.js';
import { CURSORS, SCHEMAS, UNUSUAL_TOOL_NAMES } from '../../common/interesting-values.js';
import { readField } from '../../conversation/json.js';
import { TEXTS, TOOLS } from '../test-case/texts.js';
import { collectIdFacts, collectTaskFacts, collectTaskListFacts } from './collect-facts.js';
import type { Template } from './command.js';
import { isPresent, type Resource } from './observed.js';
import {
  type CommandFields,
  createVariants,
  type DrawSource,
  formatReference,
  type OperationDefinition,
  refer,
} from './operation.js';

export const TOOL = TOOLS.get_weather as unknown as { [name: string]: Template };

/** Optional fields of a task, each with a value that every service accepts. */
const FIELDS: Readonly<Record<string, (draw: DrawSource) => Template | undefined>> = {
  url: () => TEXTS.page,
  device: () => 'desktop',
  profile_id: (draw) =>
    refer(draw.pickUncovered('profile', 'createTask', 'with profile_id'), 'profile_id', (id) => id),
  files: (draw) => {
    return draw.resources
      .filter((each) => each.kind === 'file' && isPresent(each))
      .slice(0, draw.drawBoolean(0.6) ? 4 : draw.random.int(0, 4))
      .map((file) => formatReference(file, 'file_id'));
  },
  response_model: (draw) => draw.pick(SCHEMAS),
  custom_tools: () => [TOOL],
};
const NAMES = Object.keys(FIELDS);
const PAIRS = NAMES.flatMap((name, index) => NAMES.slice(index + 1).map((other) => [name, other]));

/** A session, or a cheap one-shot task, with these fields. */
function createTaskBody(draw: DrawSource, names: readonly string[]): CommandFields | undefined {
  // Only a task that ends by itself shows the output of a response_model.
  const sessions = names.includes('response_model') ? 0.3 : 0.7;
  const body: { [name: string]: Template } = { task: draw.drawBoolean(sessions) ? null : TEXTS['one-shot'] };
  for (const name of names) {
    const value = FIELDS[name]!(draw);
    if (value === undefined && names.length < 3) return undefined;
    if (value !== undefined) body[name] = value;
  }
  return { body, accepted: 'TASK-11' };
}

/** Texts that are easily mistaken for another value. */
const ODD_TEXTS = ['', 'null', 'false', '0', `${TEXTS['one-shot']} \u{1f9ed}`];

const { description: _, ...UNDESCRIBED } = TOOL;
const { inputs: __, ...WITHOUT_INPUTS } = TOOL;

function createToolTask(custom_tools: Template[], task: string = TEXTS['tool-call']) {
  return { body: { task, custom_tools } };
}

const callEach = (custom_tools: Template[]) => createToolTask(custom_tools, TEXTS['tool-each']);

/** Tools with minimally different names and inputs. */
const SIMILAR_TOOLS = ['find', 'find-all', 'findings'].map((name, index) => ({
  ...TOOL,
  name,
  inputs: {
    type: 'object',
    properties: { [`word${index}`]: { type: 'string' } },
    required: [`word${index}`],
  },
}));

/** Tools whose inputs have other shapes. */
const TOOLS_BY_INPUTS: Readonly<Record<string, Template>> = {
  'a tool without properties': { type: 'object', properties: {} },
  'a tool of optional properties': {
    type: 'object',
    properties: { word: { type: 'string' }, count: { type: 'integer' }, isExact: { type: 'boolean' } },
    required: ['word'],
  },
  'a tool of nested properties': {
    type: 'object',
    properties: {
      trip: {
        type: 'object',
        properties: { to: { type: 'string' }, days: { type: 'integer', minimum: 2 } },
        required: ['to', 'days'],
      },
      stops: { type: 'array', items: { enum: ['north', 'south'] }, minItems: 2 },
    },
    required: ['trip', 'stops'],
  },
};

const TASK_TOPICS = ['tasks', 'sessions', 'tools'] as const;
const ONE_TASK_TOPICS = ['tasks', 'sessions'] as const;

export const taskOperations = {
  listTasks: {
    lists: 'task',
    mayQuote: true,
    facts: collectTaskListFacts,
    topics: TASK_TOPICS,
    optional: {
      l: (draw) => draw.pick([1, 2, 3, 127, 128]),
      t: (draw) =>
        refer(
          draw.pickResource('task', () => true),
          'created_at',
          (t) => t,
        ),
    },
  },
  createTask: {
    creates: 'task',
    request: { body: { task: null } },
    facts: (observed) => ({
      'that it has an id': {
        value: typeof readField(observed.response.r, 'id') === 'string',
        requirement: 'TASK-14',
      },
      ...collectIdFacts(observed, 'task', 'TASK-01'),
    }),
    topics: ONE_TASK_TOPICS,
    weight: 1.5,
    variants: {
      'one-shot': { body: { task: TEXTS['one-shot'] } },
      ...createVariants(
        ODD_TEXTS,
        (task) => `the text ${JSON.stringify(task)}`,
        // Which texts are tasks is not stated.
        (task) => ({ body: { task }, open: true }),
      ),
      'without fields': { body: {}, open: true },
      ...createVariants(
        [...NAMES.map((name) => [name]), ...PAIRS],
        (names) => `with ${names.join(' and ')}`,
        (names) => (draw) => createTaskBody(draw, names),
      ),
      'with all fields': (draw) => createTaskBody(draw, NAMES),
      'with null for other fields': {
        body: {
          task: null,
          url: null,
          profile_id: null,
          response_model: null,
          files: null,
          custom_tools: null,
        },
        open: true,
      },
      'task of another type': { body: { task: 5 }, invalid: 'ERROR-01' },
      'a tool without a description': { ...createToolTask([UNDESCRIBED]), invalid: 'TOOL-08' },
      'a second tool without inputs': {
        ...createToolTask([TOOL, { ...WITHOUT_INPUTS, name: 'other' }]),
        invalid: 'TOOL-08',
      },
      'with the file of another organisation': (draw) =>
        refer(draw.pickForeign('file'), 'file_id', (file) => ({
          body: { task: null, files: [file] },
          key: 'other',
          open: true,
        })),
      'with a profile that is gone': (draw) =>
        refer(draw.pickGone('profile'), 'profile_id', (profile_id) => ({
          body: { task: null, profile_id },
          open: true,
        })),
      'with a file that is gone': (draw) =>
        refer(draw.pickGone('file'), 'file_id', (file) => ({
          body: { task: null, files: [file] },
          open: true,
        })),
    },
    also: [
      {
        topics: ['uploads'],
        weight: 2,
        plain(draw) {
          if (!draw.pickResource('profile') && !draw.pickResource('file')) return undefined;
          const names = ['profile_id', 'files', 'device', 'response_model', 'custom_tools'];
          const chosen = names.filter(() => draw.drawBoolean(0.7));
          return createTaskBody(draw, chosen);
        },
      },
      {
        topics: ['tools'],
        plain: createToolTask([TOOL]),
        variants: {
          'two tools': callEach([
            { ...TOOL, name: 'first' },
            { ...TOOL, name: 'second' },
          ]),
          'tools of similar names': callEach(SIMILAR_TOOLS),
          // Which names a service accepts is not stated.
          'a tool of an unusual name': (draw) => ({
            ...callEach([{ ...TOOL, name: draw.pick(UNUSUAL_TOOL_NAMES) }]),
            open: true,
          }),
          'a tool whose description is null': {
            ...createToolTask([{ ...TOOL, description: null }]),
            invalid: 'TOOL-08',
          },
          ...createVariants(
            Object.entries(TOOLS_BY_INPUTS),
            ([condition]) => condition,
            ([, inputs]) => callEach([{ ...TOOL, name: 'search', inputs }]),
          ),
          'a tool and a response_model': (draw) => ({
            body: { ...createToolTask([TOOL]).body, response_model: draw.pick(SCHEMAS) },
          }),
          'tools of a session': { body: { task: null, custom_tools: [TOOL] } },
        },
      },
    ],
  },
  getTask: {
    needs: ['session'],
    mayQuote: true,
    facts: collectTaskFacts,
    topics: TASK_TOPICS,
    weight: 3,
    optional: {
      event_t: (draw, resource) =>
        draw.pick([
          0,
          ...CURSORS.map((values) => draw.pick(values)),
          ...[1, 2, 3].map(() => drawEventTime(draw, resource)),
        ]),
      downloads: (draw) => draw.drawBoolean(0.7),
    },
    variants: { 'event_t in the far future': { query: { event_t: 99_999_999_999_999 } } },
    also: [{ topics: ['uploads'], weight: 0.5 }],
  },
  deleteTask: {
    needs: ['session'],
    consumes: true,
    topics: TASK_TOPICS,
    weight: 0.5,
    also: [{ topics: ['uploads'], weight: 0.5 }],
  },
  getTaskVisibility: {
    needs: ['session'],
    facts: ({ response: { r }, settings, resource }) => ({
      visibility: {
        // It may be among the data of the task that were deleted.
        value: typeof r === 'boolean' && resource && isPresent(resource) ? r : undefined,
        requirement: 'TASK-20',
        // The default is not stated.
        ...(!settings.has(`setTaskVisibility ${resource?.label}`) && {
          isOpen: true,
          kind: 'visibility by default',
        }),
      },
    }),
    topics: ONE_TASK_TOPICS,
  },
  setTaskVisibility: {
    needs: ['session'],
    request: { query: { visibility: false } },
    topics: ONE_TASK_TOPICS,
    plain: (draw) => ({ query: { visibility: draw.drawBoolean(0.6) } }),
    variants: { 'without visibility': { query: { visibility: '' }, invalid: 'ERROR-01' } },
  },
  // A service may require a task that was not stopped.
  deleteTaskData: {
    needs: ['endedSession'],
    consumes: true,
    open: 'fields',
    // Only a poll shows whether an active task has just ended, and no poll is possible after its data are deleted.
    topics: ONE_TASK_TOPICS,
    states: ['over'],
    plain: { open: true },
  },
} as const satisfies Partial<Record<OperationId, OperationDefinition>>;

/** The timestamp of one of its events, or 0. */
function drawEventTime(draw: DrawSource, { label, task }: Resource): Template {
  const times = task?.times ?? 0;
  return times === 0 ? 0 : `{{${label}.event_${draw.random.int(1, times)}}}`;
}
