import { fingerprint, show } from '../../conversation/json.js';
import type { ReadExchange, WholeEvent } from '../../conversation/read-exchange.js';
import { isReplyShaped } from '../../conversation/reply.js';
import { type Complaint, defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

/** Events remembered of a task, or of a stream. */
const MOST = 10_000;

/** Section "Event". */
export const eventIdRules = defineRules({ side: 'service', level: 'must' }, [
  {
    scope: 'task',
    id: 'event-ids/own',
    requirements: ['EVENT-02'],
    title: 'Each event has an id of its own, and stays what it was when it was first read.',
    start: ownIds,
  },
  {
    scope: 'stream',
    id: 'event-ids/of-this-task',
    requirements: ['EVENT-02'],
    title: 'A task lists no event of another task.',
    start: ofThisTask,
  },
]);

function ownIds({ task, kept }: RuleContext): Watcher {
  /** How often the client has sent an event of that id. */
  const sent = new Map<string, number>();
  const twoResults = new Map<string, Complaint>();
  function check(exchange: ReadExchange): Judgement {
    const complaints: Complaint[] = [];
    const here = new Set<string>();
    for (const event of exchange.wholeEvents) {
      if (event.shape === 'echo') continue;
      const known = task.events.get(event.key);
      const isTwice = here.has(event.key);
      here.add(event.key);
      if (!known && !isTwice) continue;
      const difference = isTwice ? 'twice in one answer' : differenceOf(known!.event, event);
      if (difference === undefined) kept(exchange.seq);
      else {
        const complaint = complain(event, difference, [
          ...new Set([known?.seq ?? exchange.seq, exchange.seq]),
        ]);
        // An action that was sent twice may have been carried out twice.
        if (event.shape === 'result') twoResults.set(event.key, twoResults.get(event.key) ?? complaint);
        else complaints.push(complaint);
      }
    }
    return complaints;
  }
  return {
    see(exchange) {
      const { sent: event } = exchange;
      if (typeof event?.id === 'string') sent.set(event.id, (sent.get(event.id) ?? 0) + 1);
      return check(exchange);
    },
    end: () =>
      [...twoResults]
        .filter(([, { about }]) => (sent.get(about!) ?? 0) < 2)
        .map(([, complaint]) => complaint),
  };
}

function differenceOf(known: WholeEvent, event: WholeEvent): string | undefined {
  if (known.timestamp !== event.timestamp) return `once of ${known.timestamp} and once of ${event.timestamp}`;
  if (known.name !== event.name) return `once as ${known.name} and once as ${event.name}`;
  return contentOf(known) === contentOf(event) ? undefined : 'with another payload than before';
}

/** The same for the same call or result: what else a service adds may change. */
function contentOf({ shape, payload: { name, input, code, output } }: WholeEvent): string {
  return fingerprint(shape === 'result' ? [code, output] : [name, input]);
}

function complain({ id, shape }: WholeEvent, difference: string, evidence: number[]): Complaint {
  const what = shape === 'call' ? 'call' : 'result';
  const message = `The ${what} ${show(id)} is listed ${difference}: each event has an id of its own and does not change.`;
  return { message, evidence, about: id };
}

/** By the ids that a client gave its actions, so long as it gave each to one task only. */
function ofThisTask({ kept }: RuleContext): Watcher {
  const sentTo = new Map<string, Set<string>>();
  /** Tasks whose beginning is on record, and with it all that was sent to them. */
  const whole = new Set<string>();
  const seen: { key: string; task: string; seq: number; id: string }[] = [];
  const strays = () =>
    seen.filter(({ key, task }) => {
      const tasks = sentTo.get(key);
      return tasks !== undefined && !tasks.has(task) && whole.has(task);
    });
  return {
    see(exchange) {
      const { sent, task } = exchange;
      if (task === undefined) return undefined;
      if (exchange.is('createTask') && whole.size < MOST) whole.add(task);
      const keyOf = (id: string) => JSON.stringify([exchange.exchange.organisation, id]);
      if (sent && typeof sent.id === 'string' && sent.name !== 'tool_call' && !isReplyShaped(sent.payload)) {
        const tasks = sentTo.get(keyOf(sent.id)) ?? new Set();
        if (sentTo.size < MOST) sentTo.set(keyOf(sent.id), tasks.add(task));
      }
      if (!exchange.is('getTask')) return undefined;
      for (const { id, shape } of exchange.wholeEvents) {
        if (shape === 'call') continue;
        const key = keyOf(id);
        if (sentTo.get(key)?.has(task)) kept(exchange.seq);
        else if (seen.length < MOST) seen.push({ key, task, seq: exchange.seq, id });
      }
      return undefined;
    },
    end: () =>
      strays().map(({ task, seq, id }) => ({
        message: `The task ${show(task)} lists an event with the id ${show(id)}, which was sent to another task only.`,
        evidence: [seq],
        task,
        about: id,
      })),
  };
}
