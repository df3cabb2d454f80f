import { type Operation, operations } from '../../../spec/generated/operations.js';
import { ACTIONS, type ActionName, EVENT_NAMES, type EventName } from '../../../spec/vocabulary.js';
import {
  type Fields,
  isOneOf,
  isSameJson,
  isText,
  readField,
  show,
  toFields,
} from '../../conversation/json.js';
import type { ReadExchange, SentEvent } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import { defineItemRules, defineRules, type RuleFinding, type RuleItems } from '../rule.js';

const NAMES = Object.keys(ACTIONS) as ActionName[];

/** Required field of the input of each action. Section "Session action payloads". */
const NEEDED = {
  goto: { name: 'url', type: 'string', form: 'a text' },
  extract: { name: 'schema', type: 'object', form: 'a JSON Schema object' },
  evaluate_js: { name: 'js', type: 'string', form: 'a text' },
  run_task: { name: 'task', type: 'string', form: 'a text' },
} satisfies Partial<Record<ActionName, unknown>>;

type ValidAction = SentEvent & { name: EventName; payload: Fields };

const VALID_ACTIONS: RuleItems<ValidAction> = {
  each: ({ action }) =>
    toFields(action?.payload) && isOneOf(EVENT_NAMES, action?.name) ? [action as ValidAction] : [],
  about: ({ payload }) => show(payload.name),
};

/** Actions of a session. Sections "Event endpoint rules" and "Session action payloads". */
export const actionRules = [
  ...defineRules('client', 'task', ['sendTaskEvent'], {
    'actions/event-kind': {
      requirements: ['EVENT-04'],
      title: 'An event has one of the three names that events have.',
      defect: 'An event was sent under a name that events do not have',
      concerns: 'request',
      check: ({ sent }) => {
        if (!sent || isOneOf(EVENT_NAMES, sent.name)) return undefined;
        const message = `An event has the name ${show(sent.name)}. Events are called ${EVENT_NAMES.join(', ')}; an action has its own name in the payload.`;
        return { message, about: show(sent.name) };
      },
    },
  }),
  ...defineItemRules('client', 'task', ['sendTaskEvent'], VALID_ACTIONS, {
    'actions/known-name': {
      parts: ['sessions'],
      requirements: ['SESSION-05', 'SESSION-03'],
      title: 'An action is one of the five there are.',
      defect: 'An action was sent under an unknown name',
      concerns: 'field',
      check: ({ payload }) => {
        const { name } = payload;
        if (isOneOf(NAMES, name)) return undefined;
        const problem =
          name === undefined
            ? `The payload of an action has no name: it holds ${show(Object.keys(payload))}.`
            : `There is no action ${show(name)}.`;
        return `${problem} The actions are ${NAMES.join(', ')}.`;
      },
    },
    'actions/event-name': {
      parts: ['sessions'],
      requirements: ['SESSION-05'],
      title: 'An action goes under the event name that belongs to it.',
      defect: 'An action was sent as another event',
      concerns: 'field',
      check: ({ name: eventName, payload: { name } }) => {
        if (!isOneOf(NAMES, name) || ACTIONS[name] === eventName) return undefined;
        return `The action ${name} was sent under the name "${eventName}". Send it as "${ACTIONS[name]}".`;
      },
    },
    'actions/close-input': {
      parts: ['sessions', 'close'],
      requirements: ['SESSION-04'],
      title: 'A close has no input.',
      defect: 'A close was sent with an input',
      concerns: 'request',
      check: ({ payload: { name, input } }) => {
        // Clients that send all their fields send null.
        if (name !== 'close' || input === undefined || input === null) return undefined;
        return `The close has the input ${show(input)}. A close takes none: its payload is {"name": "close"}.`;
      },
    },
    'actions/has-id': {
      parts: ['sessions'],
      requirements: ['EVENT-06'],
      level: 'advice',
      title: 'An action has an id, which its result will carry.',
      defect: 'An action was sent without an id',
      concerns: 'request',
      check: ({ id, payload: { name } }) => {
        if (isText(id)) return undefined;
        return `The action ${show(name)} has ${show(id)} for its id. Give each a text of its own, such as a UUID: its result comes under that id.`;
      },
    },
    'actions/input': {
      parts: ['sessions'],
      requirements: ['SESSION-03'],
      title: 'The input of an action holds what it needs.',
      defect: 'An action was sent without the input that it needs',
      concerns: 'request',
      check: ({ payload }) => {
        const action = String(payload.name);
        if (!Object.hasOwn(NEEDED, action)) return undefined;
        const { name, type, form } = NEEDED[action as keyof typeof NEEDED];
        const value = readField(payload.input, name);
        if (type === 'object' ? toFields(value) : typeof value === type) return undefined;
        return `The input of ${action} has ${show(value)} for "${name}", and has to have ${form}.`;
      },
    },
  }),
  ...defineRules('client', 'task', ['sendTaskEvent'], {
    // An action may be sent again unchanged as long as the client cannot know that it was accepted: the response was lost,
    // late, unreadable or an error.
    'actions/unique-id': {
      requirements: ['EVENT-06'],
      title: 'No two events of a task share an id, unless one is the repetition of the other.',
      defect: 'Two actions had the same id',
      concerns: 'request',
      check: (exchange, task) => {
        const { id, name, payload } = exchange.action ?? {};
        if (typeof id !== 'string') return undefined;
        const createFinding = (what: string, before: number): RuleFinding => ({
          message: `The id ${show(id)} of an action ${what}. Give each action an id that no other event of the task has: it identifies the result.`,
          evidence: [before, exchange.seq].sort((one, another) => one - another),
          about: id,
        });
        const call = task.calls.get(id);
        if (call) return createFinding('is that of a tool call', call.seq);
        const attempts = task.actions.get(id)?.attempts;
        const other = attempts?.find(({ isConfirmed }) => isConfirmed) ?? attempts?.at(-1);
        if (!other) return undefined;
        if (other.action?.name !== name || !isSameJson(other.action?.payload, payload))
          return createFinding('was given to another action before', other.seq);
        return other.isConfirmed && exchange.canKnow(other)
          ? createFinding('was sent and confirmed before', other.seq)
          : undefined;
      },
    },
    'actions/after-close': {
      parts: ['sessions', 'close'],
      requirements: ['SESSION-02'],
      title: 'The close is the last action of a session.',
      defect: 'An action was sent after the close of its session',
      concerns: 'request',
      needs: ['requests'],
      check: (exchange, task) => {
        const { closed } = task;
        const name = findNewAction(exchange, task);
        if (name === undefined || !closed || !exchange.canKnow(closed)) return undefined;
        const message = `The action ${name} is sent although the session was closed in exchange ${closed.seq}. The close comes last, once every action has its result.`;
        return { message, evidence: [closed.seq, exchange.seq] };
      },
    },
    'actions/after-the-end': {
      parts: ['sessions'],
      requirements: ['CLIENT-01'],
      title: 'A task that is over is sent no actions.',
      defect: 'An action was sent after the end of its task',
      concerns: 'request',
      needs: ['requests'],
      check: (exchange, task) => {
        const end = task.findKnownEnd(exchange);
        const name = findNewAction(exchange, task);
        // A client that continues after its own close violates another rule.
        if (name === undefined || !end || (task.stop && !task.isDataDeleted)) return undefined;
        const message = `The action ${name} is sent although the task was "${end.status}" in the response to exchange ${end.seq}. Nothing can come of it any more: drop what is pending once the task is over.`;
        return { message, evidence: [end.seq, exchange.seq] };
      },
    },
    'requests/deprecated': {
      scope: 'stream',
      requirements: ['VERSION-03'],
      level: 'advice',
      title: 'Operations that are deprecated are not used.',
      defect: 'A deprecated operation was used',
      only: Object.values<Operation>(operations)
        .filter(({ deprecated }) => deprecated)
        .map(({ id }) => id),
      check: (exchange) => {
        const remedy = exchange.is('updateTask') ? ' Reply with POST /task/{task_id}/event.' : '';
        return `${exchange.operationName} is deprecated and may be removed.${remedy}`;
      },
    },
  }),
];

/**
 * Name of the action, except for a close. A repeated action is not new: it was sent before another event occurred. After a 429 it may have
 * another id.
 */
function findNewAction({ action }: ReadExchange, task: TaskConversation): string | undefined {
  const name = readField(action?.payload, 'name');
  if (typeof name !== 'string' || name === 'close' || task.actions.has(action?.id as string))
    return undefined;
  const isRepeated = [...task.actions.values()].some(({ attempts }) =>
    attempts.every((each) => each.httpStatus === 429 && isSameJson(each.action?.payload, action?.payload)),
  );
  return isRepeated ? undefined : name;
}
