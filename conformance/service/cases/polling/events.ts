import type { TaskEvent } from '../../../../spec/vocabulary.js';
import { show } from '../../../conversation/json.js';
import {
  actedOn,
  firstCall,
  give,
  LONG_MS,
  openSession,
  played,
  read,
  resultOf,
} from '../../scenarios/player-checks.js';
import { keyOf } from '../../scenarios/player-read.js';
import type { Played } from '../../scenarios/player-types.js';
import type { Probe, Probing } from '../test-case.js';
import { textFor, toolFor } from '../texts.js';

const GOOD = { code: 200, output: { temp_c: 21 } } as const;

/** Events that a full read may have lost by then, as nothing is said on how long they are kept, ms. */
const KEPT_MS = 2500;

const cursor = played({
  id: 'polling/event-cursor',
  title: 'event_t leaves out what came before it, and nothing else',
  covers: ['POLL-03', 'POLL-04', 'TASK-09', 'TASK-16', 'EVENT-01', 'EVENT-09', 'EVENT-10'],
  operations: ['createTask', 'getTask', 'sendTaskEvent'],
  tasks: 1,
  async run(probing) {
    const { player, settings } = probing;
    const task = await player.create({
      task: textFor(settings, 'tool-calls'),
      custom_tools: [toolFor(settings, 'get_weather')],
    });
    // As long as the call is not replied to, the agent stands still and all reads can be compared.
    const began = probing.now();
    const seenAt = new Map<string, number>();
    for (let round = 0; round < 3; round++) {
      const call = round === 0 ? await firstCall(probing, task) : await player.nextCall(task);
      if (!call) break;
      seenAt.set(keyOf(call), probing.now());
      if (round === 0 || probing.now() - began < LONG_MS) await readAround(probing, task, call);
      if (!(await give(probing, task, call, GOOD))) return;
    }
    if (await player.untilEnd(task)) await compare(probing, task, seenAt);
  },
});

/** Reads with all kinds of `event_t` around an event that was just read. */
export async function readAround(probing: Probing, task: Played, event: TaskEvent): Promise<void> {
  const shown = task.last;
  const full = await read(probing, task, { event_t: 0 });
  const reads = [
    { how: 'event_t=0', ...full },
    { how: 'event_t=0 once more', ...(await read(probing, task, { event_t: 0 })) },
    { how: 'no event_t', ...(await read(probing, task, {})) },
  ];
  for (const { how, answer, events } of reads) {
    const missing = missingIn(events, [event, ...full.events]);
    const message = `a poll with ${how}: expected all events, ${show(missing?.id)} is not among them`;
    probing.expect('POLL-04', missing === undefined, message, shown, answer);
    const carries = `a poll with ${how}: expected an array of events, got ${answer.text.slice(0, 200)}`;
    probing.expect('TASK-09', events.length > 0, carries, answer);
  }
  const { timestamp } = event;
  if (!Number.isSafeInteger(timestamp)) return;

  const before = await read(probing, task, { event_t: timestamp - 1 });
  const lost = `event_t=${timestamp - 1}: expected the event ${show(event.id)} of ${timestamp}, got ${show(before.events.map(({ id }) => id))}`;
  probing.expect('POLL-03', missingIn(before.events, [event]) === undefined, lost, shown, before.answer);

  const after = await read(probing, task, { event_t: timestamp });
  const old = after.events.find((each) => !(each.timestamp > timestamp));
  const again = `event_t=${timestamp}: expected later events only, got ${show(old?.id)} of ${show(old?.timestamp)}`;
  probing.expect('POLL-03', old === undefined, again, shown, after.answer);

  const future = timestamp + 3_600_000;
  const none = await read(probing, task, { event_t: future });
  const quiet = `event_t=${future}, an hour later than the last event: expected no events with ${shown.status}, got ${none.answer.text.slice(0, 200)}`;
  probing.expect('POLL-03', none.answer.ok && none.events.length === 0, quiet, shown, none.answer);
}

const increments = played({
  id: 'polling/increments-add-up',
  title: 'Reading on from event to event shows every event once, in order, and none is lost',
  covers: ['POLL-03', 'POLL-04', 'TASK-09', 'EVENT-01', 'EVENT-02', 'EVENT-10'],
  operations: ['createTask', 'getTask', 'sendTaskEvent'],
  tasks: 1,
  async run(probing) {
    const { player } = probing;
    const session = await openSession(probing);
    const seenAt = new Map<string, number>();
    for (let round = 0; round < 6; round++) {
      // Two under way at a time: their results may come close together.
      const actions = [];
      for (const js of [`return ${round}`, 'return document.title']) {
        const { id, answer } = await player.act(session, 'evaluate_js', { js });
        if (!answer.ok) probing.inconclusive(`evaluate_js was answered with ${answer.status}`);
        actions.push({ id, what: `evaluate_js ${js}`, name: 'evaluate_js', sent: answer });
      }
      for (const action of actions) {
        const result = await resultOf(probing, session, action, 'SESSION-08');
        if (!result) return;
        for (const event of session.events) {
          if (!seenAt.has(keyOf(event))) seenAt.set(keyOf(event), probing.now());
        }
      }
    }
    await compare(probing, session, seenAt);
  },
});

/** Holds what the increments showed against a full read. */
async function compare(probing: Probing, task: Played, seenAt: ReadonlyMap<string, number>): Promise<void> {
  // What came after the last increment is not lost yet.
  await probing.player.poll(task);
  const { last } = task;
  const full = await read(probing, task, { event_t: 0 });
  const young = (event: TaskEvent) => probing.now() - (seenAt.get(keyOf(event)) ?? 0) < KEPT_MS;
  const gone = missingIn(full.events, task.events.filter(young));
  const missing = `expected a poll with event_t=0 to list all events, ${show(gone?.id)} is not among them`;
  probing.expect('POLL-04', gone === undefined, missing, last, full.answer);
  const unseen = missingIn(task.events, full.events);
  const skipped = `polls that went on from event to event never showed ${show(unseen?.id)} of ${show(unseen?.timestamp)}, which is there with event_t=0`;
  for (const requirement of ['POLL-03', 'POLL-04'] as const)
    probing.expect(requirement, unseen === undefined, skipped, last, full.answer);
  const ascending = full.events.every(
    ({ timestamp }, i) => i === 0 || timestamp >= full.events[i - 1]!.timestamp,
  );
  const order = `expected events in the order of their timestamps, as the last one is where reading goes on; got ${show(full.events.map(({ timestamp }) => timestamp))}`;
  for (const requirement of ['POLL-03', 'POLL-04'] as const)
    probing.expect(requirement, ascending, order, full.answer);
}

const repeatable = played({
  id: 'polling/results-stay-readable',
  title: 'The result of an action can be read again with every kind of event_t, and when all is over',
  covers: ['POLL-03', 'POLL-04', 'TASK-09'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'deleteTask'],
  tasks: 1,
  async run(probing) {
    const { player } = probing;
    const session = await openSession(probing);
    const result = await actedOn(
      probing,
      session,
      'goto',
      { url: textFor(probing.settings, 'page') },
      'SESSION-06',
    );
    if (!result) return probing.inconclusive('the goto got no result');
    const seenAt = new Map([[keyOf(result), probing.now()]]);
    await readAround(probing, session, result);
    if (!(await player.cancel(session)).ok || !(await player.untilEnd(session))) return;
    await compare(probing, session, seenAt);
  },
});

/** The first of the wanted events that is not among those there; a service may list thousands. */
function missingIn(there: readonly TaskEvent[], wanted: readonly TaskEvent[]): TaskEvent | undefined {
  const keys = new Set(there.map(keyOf));
  return wanted.find((event) => !keys.has(keyOf(event)));
}

export const eventProbes: readonly Probe[] = [cursor, repeatable, increments];
