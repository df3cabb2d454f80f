import type { RequirementId } from '../../../spec/generated/documents.js';
import { TASK_STATUSES } from '../../../spec/vocabulary.js';
import { Talker } from '../http-client/http-client.js';
import { type Recorder, Stream } from '../http-client/recorder.js';
import { type Answer, Unanswered } from '../http-client/response.js';
import type { Target } from '../http-client/target.js';
import { Interruption } from './interruption.js';

/** Whether there is anything to be judged. `closed` says why not; `answers` that something at least answers. */
export type Gate =
  | { open: true }
  | {
      open: false;
      closed: string;
      answers: boolean;
      evidence: number[];
      /** A success that breaks this: the target does answer as a service, but not as one of this API. */
      broken?: RequirementId;
    };

/**
 * Nothing is judged by absence: before anything is tried the target has to make two tasks, with ids of their own, and to
 * tell them apart when they are asked for. A server that says the same to everybody cannot.
 */
export async function tryGate(target: Target, recorder: Recorder, signal?: AbortSignal): Promise<Gate> {
  const interruption = new Interruption(signal);
  const talker = new Talker(target, new Stream(recorder, []), interruption);
  const shut = (closed: string, shown: Answer, broken?: RequirementId): Gate => ({
    open: false,
    closed,
    answers: true,
    evidence: [shown.seq],
    ...(broken !== undefined && shown.ok ? { broken } : {}),
  });
  const made: string[] = [];
  try {
    for (let i = 0; i < 2; i++) {
      const created = await create(talker);
      if (created.status === 401 || created.status === 403)
        return shut(`the key is refused: POST /task was answered with ${said(created)}`, created);
      if (!created.ok) return shut(`POST /task was answered with ${said(created)}`, created);
      const id = idOf(created);
      if (id === undefined)
        return shut(
          `POST /task was answered with no task that has an id: ${said(created)}`,
          created,
          'TASK-14',
        );
      if (made.includes(id))
        return shut(`POST /task gave two tasks the same id, ${JSON.stringify(id)}`, created, 'TASK-01');
      made.push(id);
    }
    for (const polled of await polls(talker, target, made)) {
      const task = recordOf(polled);
      if (!polled.ok || task === undefined)
        return shut(
          `GET /task/{id} of a task just made was answered with ${said(polled)}`,
          polled,
          'TASK-16',
        );
      if (!made.includes(String(task.id)) && !TASK_STATUSES.some((status) => status === task.status))
        return shut(`GET /task/{id} gave something else than the task: ${said(polled)}`, polled, 'TASK-16');
    }
    return { open: true };
  } catch (error) {
    if (error instanceof Unanswered)
      return { open: false, closed: error.message, answers: false, evidence: [error.seq] };
    throw error;
  } finally {
    interruption.lift();
    for (const id of made) await endQuietly(talker, id);
  }
}

/** A session, which costs nothing; a task where the target makes no session (a check will say so). */
async function create(talker: Talker): Promise<Answer> {
  const session = await talker.send('createTask', { body: { task: null } });
  if (session.ok || session.status === 401 || session.status === 403) return session;
  const task = 'Open https://example.com and tell me its title.';
  const created = await talker.send('createTask', { body: { task } });
  return created.ok ? created : session;
}

/** A service may hold polls until there is news: after a while the tasks are ended, which is some. */
async function polls(talker: Talker, { clock }: Target, ids: readonly string[]): Promise<Answer[]> {
  const stop = new AbortController();
  const all = Promise.all(ids.map((id) => poll(talker, id)));
  // Whoever waits for them below learns of it.
  all.catch(() => {});
  await Promise.race([all, clock.sleep(HELD_MS, stop.signal)]).finally(() => stop.abort());
  const hold = Promise.all(ids.map((id) => endQuietly(talker, id)));
  const answers = await all;
  await hold;
  return answers;
}

/** A poll that is refused without its `event_t`, which may be left out, still tells tasks apart with it. */
async function poll(talker: Talker, id: string): Promise<Answer> {
  const path = { task_id: id };
  const bare = await talker.send('getTask', { path });
  return bare.status === 400 || bare.status === 422
    ? talker.send('getTask', { path, query: { event_t: 0 } })
    : bare;
}

/** Polls that have no answer after this time are taken to be held, ms. */
const HELD_MS = 1500;

async function endQuietly(talker: Talker, id: string): Promise<void> {
  await talker.send('deleteTask', { path: { task_id: id } }).catch(() => {});
}

function recordOf(answer: Answer): Record<string, unknown> | undefined {
  const record = answer.r ?? answer.body;
  return record !== null && typeof record === 'object' ? (record as Record<string, unknown>) : undefined;
}

function idOf(answer: Answer): string | undefined {
  const id = recordOf(answer)?.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function said({ status, text }: Answer): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `${status} ${line.length > 120 ? `${line.slice(0, 117)}...` : line}`.trim();
}
