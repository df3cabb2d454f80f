import { field, fingerprint, isUrl, show } from '../../../conversation/json.js';
import { RECORDED_WITHIN_MS } from '../../../rules/service/recordings.js';
import type { Answer } from '../../http-client/response.js';
import { ended, LONG_MS, played, read, taken } from '../../scenarios/player-checks.js';
import { idOf, said, statusOf } from '../../scenarios/player-read.js';
import type { Played } from '../../scenarios/player-types.js';
import type { Probe, Probing } from '../test-case.js';
import { textFor } from '../texts.js';

/** Reads of a task that is over. */
const AFTERWARDS = [{ event_t: 0 }, {}, { event_t: 0 }, { downloads: true }, {}] as const;

const toTheEnd = played({
  id: 'polling/to-the-end-and-after',
  title: 'A one-shot task comes to an end that stays as it is, however often it is read',
  covers: [
    'SERVICE-01',
    'SERVICE-02',
    'ENV-01',
    'POLL-02',
    'POLL-08',
    'TASK-01',
    'TASK-02',
    'TASK-03',
    'TASK-05',
    'TASK-06',
    'TASK-07',
    'TASK-08',
    'TASK-09',
    'TASK-10',
    'TASK-12',
    'TASK-14',
    'TASK-16',
  ],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(probing) {
    const { settings } = probing;
    const task = await taken(probing, { task: textFor(settings, 'one-shot') }, 'TASK-10');
    if (!(await ended(probing, task))) return;
    const end = task.last;
    const output = field(end.r, 'output');
    for (const query of AFTERWARDS) {
      await probing.sleep(settings.poll_interval_ms);
      const { answer } = await read(probing, task, query);
      const asked = `a poll with ${show(query)} after the end`;
      const status = statusOf(answer);
      const stays = `${asked}: expected status ${task.status} as before, got ${said(answer)}`;
      probing.expect('POLL-08', status === task.status, stays, end, answer);
      const same = fingerprint(field(answer.r, 'output')) === fingerprint(output);
      const changed = `${asked}: expected the output ${show(output)} as before, got ${said(answer)}`;
      probing.expect('SERVICE-01', same, changed, end, answer);
      const named = `${asked}: expected the task ${show(task.id)}, got ${said(answer)}`;
      probing.expect('TASK-01', idOf(answer) === task.id, named, task.created, answer);
      const answered = `${asked}: expected it to be answered, got ${said(answer)}`;
      probing.expect('TASK-16', answer.ok, answered, answer);
    }
    if (task.status === 'done') await recorded(probing, task);
  },
});

/** The recording has an address, if not at once. */
async function recorded(probing: Probing, task: Played): Promise<void> {
  const until = probing.now() + RECORDED_WITHIN_MS;
  const isLate = (answer: Answer) => answer.ok && field(answer.r, 'recording_url') === null;
  let { answer } = await read(probing, task, {});
  while (isLate(answer) && probing.now() < until) {
    await probing.sleep(4 * probing.settings.poll_interval_ms);
    ({ answer } = await read(probing, task, {}));
  }
  const url = field(answer.r, 'recording_url');
  // Without a recording there is no address.
  if (!answer.ok || url === '') return;
  const message = `the task is done: expected recording_url to be a URL, at the latest ${RECORDED_WITHIN_MS / 1000} s after the end, got ${show(url)}`;
  probing.expect('TASK-07', isUrl(url), message, task.last, answer);
}

const stable = played({
  id: 'polling/watched-closely',
  title: 'Polls in quick succession change nothing about a task that has nothing to do',
  covers: ['POLL-02', 'POLL-08', 'TASK-02', 'TASK-03', 'TASK-06', 'TASK-09'],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(probing) {
    const session = await probing.player.create({ task: null });
    await probing.player.pollUntil(session, ({ status }) => status === 'running');
    const began = probing.now();
    for (let i = 0; i < 6 && (i < 2 || probing.now() - began < LONG_MS); i++) {
      const { status, last } = session;
      const answer = await probing.player.poll(session);
      const message = `expected a session that nobody touched to stay ${status}, got ${said(answer)}`;
      if (status === 'running') probing.expect('POLL-08', session.status === status, message, last, answer);
    }
  },
});

export const pollingProbes: readonly Probe[] = [toTheEnd, stable];
