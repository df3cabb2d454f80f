import { asFields, field, show } from '../../../conversation/json.js';
import type { Answer } from '../../http-client/response.js';
import { ended, played } from '../../scenarios/player-checks.js';
import { isActive, said } from '../../scenarios/player-read.js';
import type { Played } from '../../scenarios/player-types.js';
import type { Probe, Probing } from '../test-case.js';
import { textFor } from '../texts.js';

/** The longest list that can be asked for. Section "Limits". */
const LONGEST = 128;
/** A list may take so many tries to show what is new. */
const TRIES = 5;

const listed = played({
  id: 'polling/list-tells-the-same',
  title: 'The list of tasks has a task with the status that polls have',
  covers: ['TASK-15', 'TASK-01', 'TASK-02', 'TASK-05'],
  operations: ['createTask', 'getTask', 'listTasks', 'deleteTask'],
  tasks: 2,
  async run(probing) {
    const { player } = probing;
    const session = await player.create({ task: null });
    const task = await player.create({ task: textFor(probing.settings, 'one-shot') });
    await player.pollUntil(session, ({ status }) => status === 'running');
    await holdsInList(probing, session);
    if (await ended(probing, task)) await holdsInList(probing, task);
    const cancelled = await player.cancel(session);
    if (!cancelled.ok) return;
    if (await player.untilEnd(session)) await holdsInList(probing, session);
  },
});

async function holdsInList(probing: Probing, task: Played): Promise<void> {
  const wanted = task.status;
  let found: Record<string, unknown> | undefined;
  let answer: Answer | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await probing.sleep(probing.settings.poll_interval_ms * 2 ** tries);
    answer = await probing.send('listTasks', { query: { l: LONGEST } });
    const list: unknown[] | undefined = Array.isArray(answer.r) ? answer.r : undefined;
    const taken = `expected a list of tasks, got ${said(answer)}`;
    if (!probing.expect('TASK-15', list !== undefined, taken, answer)) return;
    found = asFields(list!.find((each) => field(each, 'id') === task.id));
    await namesTasks(probing, list!, answer);
    // A full list need not hold it, depending on where it begins.
    if (!found && list!.length >= LONGEST) return;
    if (found?.status === wanted) break;
  }
  const shown = [task.last, answer!];
  const there = `expected the task ${show(task.id)} in the list, got ${said(answer!)}`;
  if (!probing.expect('TASK-15', found !== undefined, there, ...shown)) return;
  const same = isActive(wanted) ? isActive(String(found!.status)) : found!.status === wanted;
  const message = `expected the task ${show(task.id)} to be listed as ${wanted}, as polls show it, got ${show(found!.status)}`;
  probing.expect('TASK-02', same, message, ...shown);
}

/** The id that a list gives to a task is the one by which it is found. */
async function namesTasks(probing: Probing, list: readonly unknown[], listed: Answer): Promise<void> {
  const id = field(list[0], 'id');
  if (typeof id !== 'string' || id === '') return;
  const answer = await probing.send('getTask', { path: { task_id: id } });
  const message = `the list has a task with the id ${show(id)}: expected it to be found by that, got ${said(answer)}`;
  probing.expect('TASK-01', answer.status !== 404, message, listed, answer);
}

export const listProbes: readonly Probe[] = [listed];
