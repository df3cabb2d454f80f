import type { OperationId } from '../../../spec/generated/operations.js';
import { truncateText } from '../../../spec/show.js';
import { ACTIONS } from '../../../spec/vocabulary.js';
import { EVENT_ID_ENDS, JSON_VALUES } from '../../common/interesting-values.js';
import { readField } from '../../conversation/json.js';
import { TEXTS } from '../test-case/texts.js';
import { ADDRESS, SCRIPTS, THROWING } from './collect-facts.js';
import type { Template } from './command.js';
import type { Resource } from './observed.js';
import type { DrawSource } from './operation.js';
import { type CommandFields, createVariants, type OperationDefinition } from './operation.js';

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
    { js: THROWING },
  ],
  run_task: [{ task: TEXTS['session-task'] }, { task: TEXTS['session-task'], max_steps: 2 }],
  close: [undefined],
};
/** The beginning of the conditions of actions that the description does not define. */
const IMPOSSIBLE = 'an action that cannot be';

export function isImpossible({ condition }: { condition: string }): boolean {
  return condition.startsWith(IMPOSSIBLE);
}

/** Actions that have to fail: by their result, or because a service refuses them at once. */
const WRONG = [
  { name: 'goto', input: {} },
  { name: 'no_such_action', input: {} },
] as const;

function createAction(
  draw: DrawSource,
  name: keyof typeof ACTIONS,
  more: { [name: string]: Template } = {},
  input = draw.pick(INPUTS[name]),
): CommandFields {
  const payload = { name, ...(input !== undefined && { input }) };
  const id = `${draw.unique('event')}${draw.pick(EVENT_ID_ENDS)}`;
  return createEvent({ name: ACTIONS[name], payload, id, ...more });
}

function createEvent(body: { [name: string]: Template }): CommandFields {
  return { body: { timestamp: '{{now.ms}}', ...body } };
}

function createBrowserAction(draw: DrawSource, more: { [name: string]: Template } = {}): CommandFields {
  return createAction(draw, draw.pick(['goto', 'extract', 'evaluate_js'] as const), more);
}

/** Bounds of ids are not stated. */
function createLongIdAction(draw: DrawSource): CommandFields {
  const id = `${draw.unique('event')}${'x'.repeat(150)}`;
  return { ...createBrowserAction(draw, { id }), open: true };
}

function omitField(part: CommandFields, field: string): CommandFields {
  const { [field]: _, ...body } = part.body as { [name: string]: Template };
  return { ...part, body };
}

type ToolCall = NonNullable<Resource['task']>['calls'][number];

const isOpen = ({ repliedBy }: ToolCall) => !repliedBy;

/** The first call of the task that matches. */
function findCall(
  { label, task }: Resource,
  isMeant: (call: ToolCall) => boolean = isOpen,
): string | undefined {
  const index = task?.calls.findIndex(isMeant) ?? -1;
  return index === -1 ? undefined : `{{${label}.call_${index + 1}}}`;
}

function createReply(id: string | undefined, code: number, output: Template): CommandFields | undefined {
  if (id === undefined) return undefined;
  return { ...createEvent({ name: 'tool_call', id, payload: { code, output } }), accepted: 'TOOL-09' };
}

function pickActionId(draw: DrawSource, { task }: Resource): string | undefined {
  return task && task.actions.length > 0 ? draw.pick(task.actions) : undefined;
}

function reuseId(draw: DrawSource, id: string | undefined): CommandFields | undefined {
  return id === undefined ? undefined : createBrowserAction(draw, { id });
}

/** Share of plain actions with a long id. */
const LONG_IDS = 0.15;

const ACTION_INPUTS = Object.entries(INPUTS).flatMap(([name, inputs]) =>
  inputs.map((input) => ({ name: name as keyof typeof ACTIONS, input })),
);

export const eventOperations = {
  sendTaskEvent: {
    parts: ['sessions'],
    needs: ['session'],
    request: (source) => ({
      body: {
        name: 'browser_action',
        payload: { name: 'evaluate_js', input: { js: '1 + 1' } },
        id: source.unique('event'),
        timestamp: Math.floor(source.now()),
      },
    }),
    facts: ({ response, request }) => {
      const sent = readField(request.body, 'id');
      const isNamed = typeof sent === 'string' && sent !== '';
      const value = isNamed ? readField(response.r, 'id') === sent : undefined;
      return { 'that it is confirmed with its id': { value, requirement: 'EVENT-03' } };
    },
    topics: ['sessions'],
    states: ['session', 'closing', 'over'],
    weight: 8,
    plain: (draw) => (draw.drawBoolean(LONG_IDS) ? createLongIdAction(draw) : createBrowserAction(draw)),
    variants: {
      ...createVariants(
        ACTION_INPUTS,
        ({ name, input }) =>
          input === undefined ? name : `${name} ${truncateText(JSON.stringify(input), 80)}`,
        ({ name, input }) =>
          (draw) =>
            createAction(draw, name, {}, input),
      ),
      // Of a kind that the session has already done: a service may wrongly accept only one.
      ...createVariants(
        ['goto', 'extract', 'evaluate_js', 'run_task'] as const,
        (name) => `another ${name}`,
        (name) =>
          (draw, { task }) =>
            task?.sent.some((each) => each.name === name) ? createAction(draw, name) : undefined,
      ),
      'the id of an earlier action': (draw, resource) => reuseId(draw, pickActionId(draw, resource)),
      'without an id': (draw) => ({ ...omitField(createBrowserAction(draw), 'id'), open: true }),
      'null for id and timestamp': (draw) => ({
        ...createBrowserAction(draw, { id: null, timestamp: null }),
        open: true,
      }),
      'without a timestamp': (draw) => omitField(createBrowserAction(draw), 'timestamp'),
      'an id of 200 characters': createLongIdAction,
      'an id beyond ASCII': (draw) => createBrowserAction(draw, { id: `${draw.unique('event')} e\u0301` }),
      'an id between blanks': (draw) => createBrowserAction(draw, { id: ` ${draw.unique('event')} ` }),
      'an id of digits': (draw) => createBrowserAction(draw, { id: `00${draw.random.int(1, 999_999)}` }),
      'timestamp 0': (draw) => createBrowserAction(draw, { timestamp: 0 }),
      'an id in other case': (draw, resource) => {
        const id = pickActionId(draw, resource);
        return reuseId(draw, id?.startsWith('{{word.') ? id.replace('}}', '|case}}') : undefined);
      },
      'the id of an action of another session': (draw, resource) => {
        const others = draw.resources.filter((each) => each !== resource && each.task?.actions.length);
        return others.length === 0 ? undefined : reuseId(draw, pickActionId(draw, draw.pick(others)));
      },
      'a similar id': (draw, resource) => {
        const id = pickActionId(draw, resource);
        return reuseId(draw, id && `${id}-2`);
      },
      ...createVariants<(typeof WRONG)[number]>(
        WRONG,
        ({ name }) => `${IMPOSSIBLE}: ${name}`,
        (payload) => (draw) => ({
          ...createEvent({ name: 'browser_action', payload, id: draw.unique('event') }),
          accepted: 'ERROR-09',
          open: true,
        }),
      ),
      'another name': (draw) => ({
        ...createBrowserAction(draw, { name: 'other_action' }),
        invalid: 'EVENT-05',
      }),
      ...createVariants<Template>(
        ['goto', [], 5, null],
        (payload) => `the payload ${JSON.stringify(payload)}`,
        (payload) => (draw) => ({ ...createBrowserAction(draw, { payload }), invalid: 'EVENT-05' }),
      ),
      'a reply to no call': (draw) => createReply(draw.unique('event'), 200, 'x'),
    },
    also: [
      {
        topics: ['tools'],
        states: ['one-shot', 'waiting', 'over'],
        weight: 4,
        plain: (draw, resource) => createReply(findCall(resource), 200, draw.pick(JSON_VALUES)),
        variants: {
          ...createVariants(
            JSON_VALUES as readonly Template[],
            (output) => `the output ${JSON.stringify(output)}`,
            (output) => (_, resource) => createReply(findCall(resource), 200, output),
          ),
          'an error': (draw, resource) => createReply(findCall(resource), draw.pick([400, 500]), 'it failed'),
          'a second reply': (draw, resource) => {
            // Whether a reply by the deprecated `updateTask` counts as the first one is not stated.
            const id = findCall(resource, ({ repliedBy }) => repliedBy === 'sendTaskEvent');
            return createReply(id, draw.pick([200, 400]), 'again');
          },
          'a reply to no call': (draw) => createReply(draw.unique('event'), 200, 'x'),
          'a similar id of a call': (draw, resource) => {
            const call = findCall(resource);
            const how = call && draw.pick(['prefix', 'longer', 'cut', 'case']);
            return createReply(call?.replace('}}', `|${how}}}`), 200, 'x');
          },
          'another code': (_, resource) => createReply(findCall(resource), 501, 'x'),
          'a payload that is no object': (draw) => ({
            ...createEvent({ name: 'tool_call', id: draw.unique('event'), payload: 'x' }),
            invalid: 'EVENT-05',
          }),
          'an action': (draw) => createBrowserAction(draw),
          'a reply to a call of another task': (draw, resource) => {
            const hasCalls = (each: Resource) => each !== resource && (each.task?.calls.length ?? 0) > 0;
            const other = draw.pickResource('task', hasCalls);
            return createReply(other && findCall(other, () => true), 200, 'x');
          },
        },
      },
      { topics: ['tasks'], states: ['one-shot'], plain: (draw) => createBrowserAction(draw) },
    ],
  },
  updateTask: {
    parts: ['tools'],
    needs: ['toolCall'],
    // A second reply to a call may be refused (open point `event.reply-repeated`).
    consumes: true,
    open: 'lookup',
    request: (_, { id }) => ({ body: { tool_response: { id, code: 200, output: '"a word"' } } }),
    topics: ['tools'],
    states: ['waiting', 'over'],
    plain(draw, resource) {
      const id = findCall(resource);
      const output = JSON.stringify(draw.pick(JSON_VALUES));
      return id === undefined
        ? undefined
        : { body: { tool_response: { id, code: 200, output } }, open: true };
    },
    variants: { 'without a reply': { body: {} } },
  },
  getToolData: {
    needs: ['request'],
    open: 'lookup',
    mayQuote: true,
    topics: ['tools'],
    of: 'task',
    states: ['waiting', 'over'],
    plain(draw, { label, task }) {
      const index = draw.random.int(0, Math.max(0, (task?.calls.length ?? 0) - 1));
      const call = task?.calls[index];
      return call && { path: { tool: call.tool, id: `{{${label}.call_${index + 1}}}` }, open: true };
    },
  },
} as const satisfies Partial<Record<OperationId, OperationDefinition>>;
