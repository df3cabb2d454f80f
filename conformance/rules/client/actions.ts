import { nearest } from '../../../spec/nearest.js';
import { ACTIONS, type ActionName, EVENT_NAMES, type EventName } from '../../../spec/vocabulary.js';
import { asFields, type Fields, field, fingerprint, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import { type Complaint, defineRules, type Judgement } from '../rule.js';

const NAMES = Object.keys(ACTIONS) as ActionName[];

/** What clients call actions that have another name. */
const MEANT: ReadonlyMap<string, ActionName> = new Map([
  ['navigate', 'goto'],
  ['navigate_to', 'goto'],
  ['open', 'goto'],
  ['visit', 'goto'],
  ['javascript', 'evaluate_js'],
  ['js', 'evaluate_js'],
  ['evaluate', 'evaluate_js'],
  ['eval', 'evaluate_js'],
  ['execute_js', 'evaluate_js'],
  ['scrape', 'extract'],
  ['run', 'run_task'],
  ['task', 'run_task'],
  ['quit', 'close'],
  ['end', 'close'],
  ['stop', 'close'],
]);

/** Actions of a session. Sections "Event endpoint rules" and "Session action payloads". */
export const actionRules = defineRules({ side: 'client', scope: 'task', only: ['sendTaskEvent'] }, [
  {
    id: 'actions/event-kind',
    requirements: ['EVENT-04'],
    level: 'must',
    title: 'An event has one of the three names that events have.',
    check: (exchange) => {
      const { sent } = exchange;
      if (!sent || isEventName(sent.name)) return undefined;
      const action = [sent.name, field(sent.payload, 'name')]
        .map(actionMeant)
        .find((each) => each !== undefined);
      const remedy = action
        ? `${action} goes under "${ACTIONS[action]}", with its own name in the payload.`
        : `Events are called ${EVENT_NAMES.join(', ')}.`;
      const message = `An event has the name ${show(sent.name)}. ${remedy}`;
      return { message, about: show(sent.name) };
    },
  },
  {
    id: 'actions/known-name',
    requirements: ['SESSION-05', 'SESSION-03'],
    level: 'must',
    title: 'An action is one of the five there are.',
    check: (exchange) => onAction(exchange, unknownAction),
  },
  {
    id: 'actions/event-name',
    requirements: ['SESSION-05'],
    level: 'must',
    title: 'An action goes under the event name that belongs to it.',
    check: (exchange) => onAction(exchange, wrongEventName),
  },
  {
    id: 'actions/close-input',
    requirements: ['SESSION-04'],
    level: 'must',
    title: 'A close has no input.',
    check: (exchange) => onAction(exchange, closeWithInput),
  },
  {
    id: 'actions/has-id',
    requirements: ['EVENT-06'],
    level: 'advice',
    title: 'An action has an id, which its result will carry.',
    check: (exchange) => onAction(exchange, withoutId),
  },
  {
    id: 'actions/unique-id',
    requirements: ['EVENT-06'],
    level: 'must',
    title: 'No two events of a task share an id, unless one is the repetition of the other.',
    check: repeatedId,
  },
]);

function onAction(
  exchange: ReadExchange,
  check: (name: EventName, payload: Fields, id: unknown) => string | undefined,
): Judgement {
  const { action } = exchange;
  const payload = asFields(action?.payload);
  if (!action || !payload || !isEventName(action.name)) return undefined;
  const message = check(action.name, payload, action.id);
  return message === undefined ? undefined : { message, about: show(payload.name) };
}

function unknownAction(_event: EventName, payload: Fields): string | undefined {
  const { name } = payload;
  if (isAction(name)) return undefined;
  const meant = actionMeant(name);
  const remedy =
    meant === undefined ? `The actions are ${NAMES.join(', ')}.` : `The action is called "${meant}".`;
  if (name === undefined)
    return `The payload of an action has no name: it holds ${show(Object.keys(payload))}. ${remedy}`;
  return `There is no action ${show(name)}. ${remedy}`;
}

function wrongEventName(event: EventName, { name }: Fields): string | undefined {
  if (!isAction(name) || ACTIONS[name] === event) return undefined;
  return `The action ${name} was sent under the name "${event}". Send it as "${ACTIONS[name]}".`;
}

/** Null is what clients send that list all their fields. */
function closeWithInput(_event: EventName, { name, input }: Fields): string | undefined {
  if (name !== 'close' || input === undefined || input === null) return undefined;
  return `The close has the input ${show(input)}. A close takes none: its payload is {"name": "close"}.`;
}

function withoutId(_event: EventName, { name }: Fields, id: unknown): string | undefined {
  if (typeof id === 'string' && id !== '') return undefined;
  return `The action ${show(name)} has ${show(id)} for its id. Give each a text of its own, such as a UUID: its result comes under that id.`;
}

/**
 * Ids that are used twice. An action may be sent again as it was as long as the client cannot know that it was
 * accepted: the response was lost, late, unreadable or an error.
 */
function repeatedId(exchange: ReadExchange, task: TaskConversation): Judgement {
  const { id, name, payload } = exchange.action ?? {};
  if (typeof id !== 'string') return undefined;
  const call = task.calls.get(id);
  if (call) return complain(id, 'is that of a tool call', [call.seq, exchange.seq]);
  const attempts = task.actions.get(id)?.attempts;
  const other = attempts?.find(({ isConfirmed }) => isConfirmed) ?? attempts?.at(-1);
  if (!other) return undefined;
  const evidence = [other.seq, exchange.seq].sort((one, another) => one - another);
  if (other.content.print !== fingerprint([name, payload]))
    return complain(id, 'was given to another action before', evidence);
  const couldKnow = other.seq < exchange.seq && other.respondedAt <= exchange.at;
  return other.isConfirmed && couldKnow ? complain(id, 'was sent and confirmed before', evidence) : undefined;
}

function complain(id: string, what: string, evidence: number[]): Complaint {
  const message = `The id ${show(id)} of an action ${what}. Give each action an id that no other event of the task has: it tells the results apart.`;
  return { message, evidence, about: id };
}

function isEventName(name: unknown): name is EventName {
  return EVENT_NAMES.some((known) => known === name);
}

function isAction(name: unknown): name is ActionName {
  return NAMES.some((known) => known === name);
}

function actionMeant(name: unknown): ActionName | undefined {
  if (typeof name !== 'string') return undefined;
  const found = isAction(name) ? name : MEANT.get(name.toLowerCase());
  return found ?? (nearest(name.slice(0, 40), NAMES) as ActionName | undefined);
}
