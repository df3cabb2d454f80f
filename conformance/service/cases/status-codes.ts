import { show } from '../../conversation/json.js';
import { actedOn, ended, firstCall, openSession, played, taken } from '../scenarios/player-checks.js';
import { idOf, isActive, isCall, said } from '../scenarios/player-read.js';
import type { Played } from '../scenarios/player-types.js';
import type { Probe, Probing } from './test-case.js';
import { textFor, toolFor } from './texts.js';

const CANCEL = ['TASK-13', 'TASK-17', 'POLL-02', 'TASK-02'] as const;

const session = played({
  id: 'status-codes/session-cancelled',
  title: 'DELETE stops a session for good, and that one only',
  covers: [...CANCEL, 'POLL-08'],
  operations: ['createTask', 'getTask', 'deleteTask', 'sendTaskEvent'],
  tasks: 2,
  async run(probing) {
    const { player } = probing;
    // The older one, lest a service stops whatever came last.
    const stopped = await openSession(probing);
    const other = await openSession(probing);
    const js = { js: 'return 1' };
    await actedOn(probing, stopped, 'evaluate_js', js, 'SESSION-08');
    if (!(await stop(probing, stopped))) return;
    await staysCancelled(probing, stopped);
    // What was sent to one must not have hit the other.
    const polled = await player.poll(other);
    const message = `DELETE /task/${stopped.id} was sent: expected the other session, ${other.id}, to go on running, got ${said(polled)}`;
    probing.expect('TASK-17', isActive(other.status), message, stopped.last, polled);
    if (isActive(other.status)) await actedOn(probing, other, 'evaluate_js', js, 'SESSION-08');
  },
});

const atACall = played({
  id: 'status-codes/task-cancelled-at-a-call',
  title: 'DELETE stops a task that waits for the reply to a call',
  covers: CANCEL,
  operations: ['createTask', 'getTask', 'deleteTask', 'sendTaskEvent'],
  tasks: 1,
  async run(probing) {
    const { player, settings } = probing;
    const task = await player.create({
      task: textFor(settings, 'tool-calls'),
      custom_tools: [toolFor(settings, 'get_weather')],
    });
    const call = await firstCall(probing, task);
    if (!(await stop(probing, task))) return;
    await player.poll(task);
    const calls = task.events.filter(isCall).length;
    // Whatever is said to a reply that comes too late, the agent has stopped.
    await player.reply(task, call.id, 200, { temp_c: 21 });
    await staysCancelled(probing, task);
    const more = task.events.filter(isCall).length - calls;
    const message = `expected a cancelled task to call no more tools, got ${show(task.events.at(-1))}`;
    probing.expect('TASK-17', more === 0, message, task.last);
  },
});

const atWork = played({
  id: 'status-codes/task-cancelled-at-work',
  title: 'DELETE stops a one-shot task that has just begun',
  covers: CANCEL,
  operations: ['createTask', 'getTask', 'deleteTask'],
  tasks: 1,
  async run(probing) {
    const { player, settings } = probing;
    const task = await player.create({ task: textFor(settings, 'long') });
    await player.pollUntil(task, ({ status }) => status !== 'waiting');
    const deleted = await player.cancel(task);
    await player.untilEnd(task);
    // It may have come to its end before the DELETE did.
    if (!isActive(task.status) && task.status !== 'cancelled')
      return probing.inconclusive(`the task ended as ${task.status} before it could be stopped`);
    const message = `DELETE of a task at work: expected success and the status cancelled, got ${said(deleted)} and then ${said(task.last)}`;
    for (const requirement of ['TASK-13', 'TASK-17'] as const)
      probing.expect(requirement, deleted.ok && task.status === 'cancelled', message, deleted, task.last);
    if (task.status === 'cancelled') await staysCancelled(probing, task);
  },
});

/** Stops a task that is active for certain. */
async function stop(probing: Probing, task: Played): Promise<boolean> {
  const deleted = await probing.player.cancel(task);
  const accepted = `DELETE of a task that is ${task.status}: expected success, got ${said(deleted)}`;
  if (!probing.expect('TASK-17', deleted.ok, accepted, task.last, deleted)) return false;
  await probing.player.untilEnd(task);
  const message = `DELETE was accepted: expected the status cancelled, got ${said(task.last)}`;
  probing.expect('TASK-17', !isActive(task.status), message, deleted, task.last);
  return probing.expect('TASK-13', task.status === 'cancelled', message, deleted, task.last);
}

async function staysCancelled(probing: Probing, task: Played): Promise<void> {
  for (let i = 1; i <= 3; i++) {
    await probing.sleep(probing.settings.poll_interval_ms * i);
    const answer = await probing.player.poll(task);
    const message = `expected a cancelled task to stay cancelled, got ${said(answer)}`;
    probing.expect('TASK-13', task.status === 'cancelled' && answer.ok, message, answer);
  }
}

const failing = played({
  id: 'status-codes/task-that-cannot-be-done',
  title: 'A task that cannot be done ends like any other, with a status that polls keep showing',
  covers: ['SERVICE-01', 'POLL-02', 'TASK-02', 'TASK-05'],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(probing) {
    const task = await probing.player.create({ task: textFor(probing.settings, 'failing') });
    if (!(await ended(probing, task))) return;
    await probing.sleep(probing.settings.poll_interval_ms);
    await probing.player.poll(task);
  },
});

const fields = played({
  id: 'status-codes/optional-fields',
  title: 'Each field of a task request beside its text may be there or be left out',
  covers: ['TASK-10', 'TASK-11', 'TASK-14'],
  operations: ['createTask', 'deleteTask'],
  tasks: 6,
  async run(probing) {
    const { settings } = probing;
    const bare = { task: textFor(settings, 'long') };
    const plain = await taken(probing, bare, 'TASK-10');
    await probing.player.cancel(plain);
    const more: Record<string, unknown>[] = [
      { task: null, url: textFor(settings, 'page') },
      { device: 'desktop' },
      { custom_tools: [toolFor(settings, 'get_weather')] },
      { response_model: { type: 'object', properties: { title: { type: 'string' } } } },
      { files: [], custom_tools: [] },
    ];
    for (const given of more) {
      const created = await probing.send('createTask', { body: { ...bare, ...given } });
      if (created.status === 429 || created.status === 403)
        return probing.inconclusive(`POST /task was answered with ${said(created)}`);
      const message = `a task without it was accepted; with ${show(given)} expected the same, got ${said(created)}`;
      probing.expect('TASK-11', created.ok, message, plain.created, created);
      const id = idOf(created);
      if (id !== undefined) await probing.player.cancel(probing.player.adopt(created, id));
    }
  },
});

export const statusProbes: readonly Probe[] = [session, atACall, atWork, failing, fields];
