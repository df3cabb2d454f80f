import { ACTIONS } from '../../../../../spec/vocabulary.js';
import { TEXTS } from '../../../test-case/texts.js';
import { ADDRESS, IMPOSSIBLE } from '../../judge/follow.js';
import { SCRIPTS } from '../../judge/task-facts.js';
import type { Resource } from '../../sequence/resources.js';
import type { Command, Template } from '../../sequence/sequence.js';
import type { CommandBuilder, DrawContext } from '../draw.js';
import { MODELS, TOOL } from './tasks.js';

type EventFields = Partial<Command>;

/** Inputs of the actions. Section "Session action payloads". */
const INPUTS: Readonly<Record<keyof typeof ACTIONS, readonly (Template | undefined)[]>> = {
  goto: [
    { url: TEXTS.page },
    { url: `${TEXTS.page}?q=a%20b&c=+#part` },
    { url: `${TEXTS.page}\u00e9#\u6f22` },
    { url: `${TEXTS.page}%41/b%7Ec?d=%26&e=%2B` },
  ],
  extract: [
    { schema: { type: 'object', properties: { title: { type: 'string' } } } },
    { schema: { type: 'object' }, prompt: 'The title.' },
    { schema: { type: 'object' }, prompt: '' },
  ],
  evaluate_js: [
    ...Object.keys(SCRIPTS).map((js) => ({ js })),
    { js: ADDRESS },
    { js: '(n) => n', args: [null] },
    { js: 'throw new Error("on purpose")' },
  ],
  run_task: [{ task: TEXTS['session-task'] }, { task: TEXTS['session-task'], max_steps: 2 }],
  close: [undefined],
};
/** Valid requests for actions that have to fail. */
const WRONG = [
  { name: 'goto', input: {} },
  { name: 'no_such_action', input: {} },
] as const;

const OUTPUTS: readonly Template[] = [
  { temp_c: 21 },
  null,
  false,
  0,
  '',
  [],
  {},
  'text',
  [1, [2, { a: null }]],
  [[[[[[[[[[[[1]]]]]]]]]]]],
];

/** Tools with minimally different names and inputs. */
const SIMILAR_TOOLS = ['find', 'find-all', 'findings'].map((name, index) => ({
  ...TOOL,
  name,
  inputs: {
    type: 'object',
    properties: { [`word${index}`]: { type: 'string' } },
    required: [`word${index}`],
  },
})) as unknown as Template[];

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

function createAction(
  draw: DrawContext,
  name: keyof typeof ACTIONS,
  more: { [name: string]: Template } = {},
  input = draw.pick(INPUTS[name]),
): EventFields {
  const payload = { name, ...(input !== undefined && { input }) };
  return createEvent({ name: ACTIONS[name], payload, id: draw.createMarker('event'), ...more });
}

function createEvent(body: { [name: string]: Template }): EventFields {
  return { body: { timestamp: '{{now.ms}}', ...body } };
}

function createBrowserAction(draw: DrawContext, more: { [name: string]: Template } = {}): EventFields {
  return createAction(draw, draw.pick(['goto', 'extract', 'evaluate_js'] as const), more);
}

function omitField(part: EventFields, field: string): EventFields {
  const { [field]: _, ...body } = part.body as { [name: string]: Template };
  return { ...part, body };
}

/** The first call of the task that matches. */
function findCall(
  { label, task }: Resource,
  isMeant: (call: { isReplied: boolean }) => boolean,
): string | undefined {
  const index = task?.calls.findIndex(isMeant) ?? -1;
  return index === -1 ? undefined : `{{${label}.call_${index + 1}}}`;
}

function createReply(id: string | undefined, code: number, output: Template): EventFields | undefined {
  const part =
    id === undefined ? undefined : createEvent({ name: 'tool_call', id, payload: { code, output } });
  return part && { ...part, accepted: 'TOOL-09' };
}

const isOpen = ({ isReplied }: { isReplied: boolean }) => !isReplied;

const actionVariants = Object.fromEntries(
  Object.entries(INPUTS).flatMap(([name, inputs]) =>
    inputs.map((input): [string, (draw: DrawContext) => EventFields] => [
      input === undefined ? name : `${name} ${JSON.stringify(input)}`,
      (draw) => createAction(draw, name as keyof typeof ACTIONS, {}, input),
    ]),
  ),
);

/** A second action of a kind that the session has already done: a service may wrongly accept only one. */
const secondVariants = Object.fromEntries(
  (['goto', 'extract', 'evaluate_js', 'run_task'] as const).map(
    (name): [string, (draw: DrawContext, resource: Resource) => EventFields | undefined] => [
      `another ${name}`,
      (draw, { task }) =>
        task?.sent.some((each) => each.name === name) ? createAction(draw, name) : undefined,
    ],
  ),
);

const payloadVariants = Object.fromEntries(
  ['goto', [], 5, null].map((payload: Template): [string, (draw: DrawContext) => EventFields] => [
    `the payload ${JSON.stringify(payload)}`,
    (draw) => ({ ...createBrowserAction(draw, { payload }), invalid: 'EVENT-05' }),
  ]),
);

const outputVariants = Object.fromEntries(
  OUTPUTS.map((output): [string, (draw: DrawContext, resource: Resource) => EventFields | undefined] => [
    `the output ${JSON.stringify(output)}`,
    (_, resource) => createReply(findCall(resource, isOpen), 200, output),
  ]),
);

export const eventBuilders: readonly CommandBuilder[] = [
  {
    operation: 'sendTaskEvent',
    topics: ['sessions'],
    of: 'task',
    states: ['session', 'closing', 'over'],
    weight: 8,
    request: (draw) => createBrowserAction(draw),
    variants: {
      ...actionVariants,
      ...secondVariants,
      'the id of an earlier action': (draw, { task }) =>
        task && task.actions.length > 0
          ? createBrowserAction(draw, { id: draw.pick(task.actions) })
          : undefined,
      'without an id': (draw) => omitField(createBrowserAction(draw), 'id'),
      'null for id and timestamp': (draw) => createBrowserAction(draw, { id: null, timestamp: null }),
      'without a timestamp': (draw) => omitField(createBrowserAction(draw), 'timestamp'),
      'an id of 200 characters': (draw) =>
        createBrowserAction(draw, { id: `${draw.createMarker('event')}${'x'.repeat(150)}` }),
      'an id beyond ASCII': (draw) =>
        createBrowserAction(draw, { id: `${draw.createMarker('event')} e\u0301` }),
      'an id between blanks': (draw) => createBrowserAction(draw, { id: ` ${draw.createMarker('event')} ` }),
      'an id of digits': (draw) => createBrowserAction(draw, { id: `00${draw.random.int(1, 999_999)}` }),
      'timestamp 0': (draw) => createBrowserAction(draw, { timestamp: 0 }),
      'an id in other case': (draw, { task }) => {
        const id = task && task.actions.length > 0 ? draw.pick(task.actions) : undefined;
        return id?.startsWith('{{word.')
          ? createBrowserAction(draw, { id: id.replace('}}', '|case}}') })
          : undefined;
      },
      'the id of an action of another session': (draw, resource) => {
        const others = draw.resources.filter(
          (each) => each !== resource && (each.task?.actions.length ?? 0) > 0,
        );
        return others.length === 0
          ? undefined
          : createBrowserAction(draw, { id: draw.pick(draw.pick(others).task!.actions) });
      },
      'a similar id': (draw, { task }) =>
        task && task.actions.length > 0
          ? createBrowserAction(draw, { id: draw.pick(task.actions).replace(/\}\}$/, '}}-2') })
          : undefined,
      [IMPOSSIBLE]: (draw) => ({
        ...createEvent({ name: 'browser_action', payload: draw.pick(WRONG), id: draw.createMarker('event') }),
        accepted: 'ERROR-09',
      }),
      'another name': (draw) => ({
        ...createBrowserAction(draw, { name: 'other_action' }),
        invalid: 'EVENT-05',
      }),
      ...payloadVariants,
      'a reply to no call': (draw) => createReply(draw.createMarker('event'), 200, 'x'),
    },
  },
  {
    operation: 'createTask',
    topics: ['tools'],
    makes: 'task',
    request: () => ({
      body: { task: TEXTS['tool-call'], custom_tools: [TOOL] },
    }),
    variants: {
      'two tools': () => ({
        body: {
          task: TEXTS['tool-each'],
          custom_tools: [
            { ...TOOL, name: 'first' } as unknown as Template,
            { ...TOOL, name: 'second' } as unknown as Template,
          ],
        },
      }),
      'tools of similar names': () => ({ body: { task: TEXTS['tool-each'], custom_tools: SIMILAR_TOOLS } }),
      'a tool whose description is null': () => ({
        body: {
          task: TEXTS['tool-call'],
          custom_tools: [{ ...TOOL, description: null } as unknown as Template],
        },
        invalid: 'TOOL-08',
      }),
      ...Object.fromEntries(
        Object.entries(TOOLS_BY_INPUTS).map(([condition, inputs]) => [
          condition,
          () => ({ body: { task: TEXTS['tool-each'], custom_tools: [{ ...TOOL, name: 'search', inputs }] } }),
        ]),
      ),
      'a tool and a response_model': (draw) => ({
        body: { task: TEXTS['tool-call'], custom_tools: [TOOL], response_model: draw.pick(MODELS) },
      }),
      'tools of a session': () => ({
        body: { task: null, custom_tools: [TOOL] },
      }),
    },
  },
  {
    operation: 'sendTaskEvent',
    topics: ['tools'],
    of: 'task',
    states: ['one-shot', 'waiting', 'over'],
    weight: 4,
    request: (draw, resource) => createReply(findCall(resource, isOpen), 200, draw.pick(OUTPUTS)),
    variants: {
      ...outputVariants,
      'an error': (draw, resource) =>
        createReply(findCall(resource, isOpen), draw.pick([400, 500]), 'it failed'),
      'a second reply': (draw, resource) =>
        createReply(
          findCall(resource, ({ isReplied }) => isReplied),
          draw.pick([200, 400]),
          'again',
        ),
      'a reply to no call': (draw) => createReply(draw.createMarker('event'), 200, 'x'),
      'a similar id of a call': (draw, resource) =>
        createReply(
          findCall(resource, isOpen)?.replace('}}', `|${draw.pick(['prefix', 'longer', 'cut', 'case'])}}}`),
          200,
          'x',
        ),
      'another code': (_, resource) => createReply(findCall(resource, isOpen), 501, 'x'),
      'a payload that is no object': (draw) => ({
        ...createEvent({ name: 'tool_call', id: draw.createMarker('event'), payload: 'x' }),
        invalid: 'EVENT-05',
      }),
      'an action': (draw) => createBrowserAction(draw),
      'a reply to a call of another task': (draw, resource) => {
        const other = draw.pickResource(
          'task',
          (each) => each !== resource && (each.task?.calls.length ?? 0) > 0,
        );
        return (
          other &&
          createReply(
            findCall(other, () => true),
            200,
            'x',
          )
        );
      },
    },
  },
  {
    operation: 'sendTaskEvent',
    topics: ['tasks'],
    of: 'task',
    states: ['one-shot'],
    request: (draw) => createBrowserAction(draw),
  },
  {
    operation: 'updateTask',
    topics: ['tools'],
    of: 'task',
    states: ['waiting', 'over'],
    request(draw, resource) {
      const id = findCall(resource, isOpen);
      const output = JSON.stringify(draw.pick(OUTPUTS));
      return id === undefined
        ? undefined
        : { body: { tool_response: { id, code: 200, output } }, open: true };
    },
    variants: { 'without a reply': () => ({ body: {} }) },
  },
  {
    operation: 'getToolData',
    topics: ['tools'],
    of: 'task',
    states: ['waiting', 'over'],
    request(draw, { label, task }) {
      const index = draw.random.int(0, (task?.calls.length ?? 0) - 1 < 0 ? 0 : task!.calls.length - 1);
      const call = task?.calls[index];
      return call && { path: { tool: call.tool, id: `{{${label}.call_${index + 1}}}` }, open: true };
    },
  },
];
