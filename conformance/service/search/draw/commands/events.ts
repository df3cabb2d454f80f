import { ACTIONS } from '../../../../../spec/vocabulary.js';
import { TEXTS } from '../../../test-case/texts.js';
import { ADDRESS, IMPOSSIBLE } from '../../judge/follow.js';
import { SCRIPTS } from '../../judge/task-facts.js';
import type { Command, Template } from '../../sequence/sequence.js';
import type { Thing } from '../../sequence/things.js';
import type { Draw, Row } from '../draw.js';
import { MODELS, TOOL } from './tasks.js';

type Part = Partial<Command>;

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
/** What is no failure of the request, but of the action. */
const WRONG = [
  { name: 'goto', input: {} },
  { name: 'no_such_action', input: {} },
] as const;

/** Replies: every kind of value. */
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

/** Tools whose names and inputs differ as little as they may. */
const SIMILAR_TOOLS = ['find', 'find-all', 'findings'].map((name, index) => ({
  ...TOOL,
  name,
  inputs: {
    type: 'object',
    properties: { [`word${index}`]: { type: 'string' } },
    required: [`word${index}`],
  },
})) as unknown as Template[];

/** Tools whose inputs are of other forms. */
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

function action(
  draw: Draw,
  name: keyof typeof ACTIONS,
  more: { [name: string]: Template } = {},
  input = draw.pick(INPUTS[name]),
): Part {
  const payload = { name, ...(input !== undefined && { input }) };
  return event({ name: ACTIONS[name], payload, id: draw.word('event'), ...more });
}

function event(body: { [name: string]: Template }): Part {
  return { body: { timestamp: '{{now.ms}}', ...body } };
}

function browserAction(draw: Draw, more: { [name: string]: Template } = {}): Part {
  return action(draw, draw.pick(['goto', 'extract', 'evaluate_js'] as const), more);
}

function without(part: Part, field: string): Part {
  const { [field]: _, ...body } = part.body as { [name: string]: Template };
  return { ...part, body };
}

/** The call of a tool, one that waits for its reply if there is one. */
function callOf(
  { label, task }: Thing,
  isMeant: (call: { isReplied: boolean }) => boolean,
): string | undefined {
  const index = task?.calls.findIndex(isMeant) ?? -1;
  return index === -1 ? undefined : `{{${label}.call_${index + 1}}}`;
}

function reply(id: string | undefined, code: number, output: Template): Part | undefined {
  const part = id === undefined ? undefined : event({ name: 'tool_call', id, payload: { code, output } });
  return part && { ...part, accepted: 'TOOL-09' };
}

const isOpen = ({ isReplied }: { isReplied: boolean }) => !isReplied;

/** Each input of each action alone. */
const actionVariants = Object.fromEntries(
  Object.entries(INPUTS).flatMap(([name, inputs]) =>
    inputs.map((input): [string, (draw: Draw) => Part] => [
      input === undefined ? name : `${name} ${JSON.stringify(input)}`,
      (draw) => action(draw, name as keyof typeof ACTIONS, {}, input),
    ]),
  ),
);

/** What a session does once it may not do twice. */
const secondVariants = Object.fromEntries(
  (['goto', 'extract', 'evaluate_js', 'run_task'] as const).map(
    (name): [string, (draw: Draw, thing: Thing) => Part | undefined] => [
      `another ${name}`,
      (draw, { task }) => (task?.sent.some((each) => each.name === name) ? action(draw, name) : undefined),
    ],
  ),
);

const payloadVariants = Object.fromEntries(
  ['goto', [], 5, null].map((payload: Template): [string, (draw: Draw) => Part] => [
    `the payload ${JSON.stringify(payload)}`,
    (draw) => ({ ...browserAction(draw, { payload }), invalid: 'EVENT-05' }),
  ]),
);

const outputVariants = Object.fromEntries(
  OUTPUTS.map((output): [string, (draw: Draw, thing: Thing) => Part | undefined] => [
    `the output ${JSON.stringify(output)}`,
    (_, thing) => reply(callOf(thing, isOpen), 200, output),
  ]),
);

export const eventRows: readonly Row[] = [
  {
    operation: 'sendTaskEvent',
    families: ['sessions'],
    of: 'task',
    states: ['session', 'closing', 'over'],
    weight: 8,
    request: (draw) => browserAction(draw),
    variants: {
      ...actionVariants,
      ...secondVariants,
      'the id of an earlier action': (draw, { task }) =>
        task && task.actions.length > 0 ? browserAction(draw, { id: draw.pick(task.actions) }) : undefined,
      'without an id': (draw) => without(browserAction(draw), 'id'),
      'null for id and timestamp': (draw) => browserAction(draw, { id: null, timestamp: null }),
      'without a timestamp': (draw) => without(browserAction(draw), 'timestamp'),
      'an id of 200 characters': (draw) =>
        browserAction(draw, { id: `${draw.word('event')}${'x'.repeat(150)}` }),
      'an id beyond ASCII': (draw) => browserAction(draw, { id: `${draw.word('event')} e\u0301` }),
      'an id between blanks': (draw) => browserAction(draw, { id: ` ${draw.word('event')} ` }),
      'an id of digits': (draw) => browserAction(draw, { id: `00${draw.random.int(1, 999_999)}` }),
      'timestamp 0': (draw) => browserAction(draw, { timestamp: 0 }),
      'an id in other case': (draw, { task }) => {
        const id = task && task.actions.length > 0 ? draw.pick(task.actions) : undefined;
        return id?.startsWith('{{word.')
          ? browserAction(draw, { id: id.replace('}}', '|case}}') })
          : undefined;
      },
      'the id of an action of another session': (draw, thing) => {
        const others = draw.things.filter((each) => each !== thing && (each.task?.actions.length ?? 0) > 0);
        return others.length === 0
          ? undefined
          : browserAction(draw, { id: draw.pick(draw.pick(others).task!.actions) });
      },
      'a similar id': (draw, { task }) =>
        task && task.actions.length > 0
          ? browserAction(draw, { id: draw.pick(task.actions).replace(/\}\}$/, '}}-2') })
          : undefined,
      [IMPOSSIBLE]: (draw) => ({
        ...event({ name: 'browser_action', payload: draw.pick(WRONG), id: draw.word('event') }),
        accepted: 'ERROR-09',
      }),
      'another name': (draw) => ({ ...browserAction(draw, { name: 'other_action' }), invalid: 'EVENT-05' }),
      ...payloadVariants,
      'a reply to no call': (draw) => reply(draw.word('event'), 200, 'x'),
    },
  },
  {
    operation: 'createTask',
    families: ['tools'],
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
    families: ['tools'],
    of: 'task',
    states: ['one-shot', 'waiting', 'over'],
    weight: 4,
    request: (draw, thing) => reply(callOf(thing, isOpen), 200, draw.pick(OUTPUTS)),
    variants: {
      ...outputVariants,
      'an error': (draw, thing) => reply(callOf(thing, isOpen), draw.pick([400, 500]), 'it failed'),
      'a second reply': (draw, thing) =>
        reply(
          callOf(thing, ({ isReplied }) => isReplied),
          draw.pick([200, 400]),
          'again',
        ),
      'a reply to no call': (draw) => reply(draw.word('event'), 200, 'x'),
      'a similar id of a call': (draw, thing) =>
        reply(
          callOf(thing, isOpen)?.replace('}}', `|${draw.pick(['prefix', 'longer', 'cut', 'case'])}}}`),
          200,
          'x',
        ),
      'another code': (_, thing) => reply(callOf(thing, isOpen), 501, 'x'),
      'a payload that is no object': (draw) => ({
        ...event({ name: 'tool_call', id: draw.word('event'), payload: 'x' }),
        invalid: 'EVENT-05',
      }),
      'an action': (draw) => browserAction(draw),
      'a reply to a call of another task': (draw, thing) => {
        const other = draw.thing('task', (each) => each !== thing && (each.task?.calls.length ?? 0) > 0);
        return (
          other &&
          reply(
            callOf(other, () => true),
            200,
            'x',
          )
        );
      },
    },
  },
  {
    operation: 'sendTaskEvent',
    families: ['tasks'],
    of: 'task',
    states: ['one-shot'],
    request: (draw) => browserAction(draw),
  },
  {
    operation: 'updateTask',
    families: ['tools'],
    of: 'task',
    states: ['waiting', 'over'],
    request(draw, thing) {
      const id = callOf(thing, isOpen);
      const output = JSON.stringify(draw.pick(OUTPUTS));
      return id === undefined
        ? undefined
        : { body: { tool_response: { id, code: 200, output } }, open: true };
    },
    variants: { 'without a reply': () => ({ body: {} }) },
  },
  {
    operation: 'getToolData',
    families: ['tools'],
    of: 'task',
    states: ['waiting', 'over'],
    request(draw, { label, task }) {
      const index = draw.random.int(0, (task?.calls.length ?? 0) - 1 < 0 ? 0 : task!.calls.length - 1);
      const call = task?.calls[index];
      return call && { path: { tool: call.tool, id: `{{${label}.call_${index + 1}}}` }, open: true };
    },
  },
];
