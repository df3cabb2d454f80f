import type { RequirementId } from '../../../spec/generated/documents.js';
import { TASK_STATUSES } from '../../../spec/vocabulary.js';
import { HttpClient } from '../http-client/http-client.js';
import { type ExchangeRecorder, Stream } from '../http-client/recorder.js';
import { type ApiResponse, NoResponse } from '../http-client/response.js';
import type { Target } from '../http-client/target.js';
import { summarize } from '../test-case/read-task.js';
import { Interruption } from './interruption.js';

/** Whether there is anything to judge. `why` says why not. */
export type SmokeCheck =
  | { isPassed: true }
  | {
      isPassed: false;
      why: string;
      evidence: number[];
      /** A success that breaks this: the target does answer as a service, but not as one of this API. */
      broken?: RequirementId;
    };

/**
 * Nothing is judged by absence: before anything is tried the target has to make two tasks, with ids of their own, and to
 * tell them apart when they are asked for. A server that says the same to everybody cannot.
 */
export async function runSmokeCheck(
  target: Target,
  recorder: ExchangeRecorder,
  signal?: AbortSignal,
): Promise<SmokeCheck> {
  const interruption = new Interruption(signal);
  const client = new HttpClient(target, new Stream(recorder, []), interruption);
  const fail = (why: string, shown: ApiResponse, broken?: RequirementId): SmokeCheck => ({
    isPassed: false,
    why,
    evidence: [shown.seq],
    ...(broken !== undefined && shown.ok ? { broken } : {}),
  });
  const made: string[] = [];
  try {
    for (let i = 0; i < 2; i++) {
      const created = await create(client);
      if (created.status === 401 || created.status === 403)
        return fail(`the key is refused: POST /task was answered with ${summarize(created)}`, created);
      if (!created.ok) return fail(`POST /task was answered with ${summarize(created)}`, created);
      const id = idOf(created);
      if (id === undefined)
        return fail(
          `POST /task was answered with no task that has an id: ${summarize(created)}`,
          created,
          'TASK-14',
        );
      if (made.includes(id))
        return fail(`POST /task gave two tasks the same id, ${JSON.stringify(id)}`, created, 'TASK-01');
      made.push(id);
    }
    for (const polled of await polls(client, target, made)) {
      const task = recordOf(polled);
      if (!polled.ok || task === undefined)
        return fail(
          `GET /task/{id} of a task just made was answered with ${summarize(polled)}`,
          polled,
          'TASK-16',
        );
      if (!made.includes(String(task.id)) && !TASK_STATUSES.some((status) => status === task.status))
        return fail(
          `GET /task/{id} gave something else than the task: ${summarize(polled)}`,
          polled,
          'TASK-16',
        );
    }
    return { isPassed: true };
  } catch (error) {
    if (error instanceof NoResponse) return { isPassed: false, why: error.message, evidence: [error.seq] };
    throw error;
  } finally {
    interruption.lift();
    for (const id of made) await endQuietly(client, id);
  }
}

/** A session, which costs nothing; a task where the target makes no session (a check will say so). */
async function create(client: HttpClient): Promise<ApiResponse> {
  const session = await client.send('createTask', { body: { task: null } });
  if (session.ok || session.status === 401 || session.status === 403) return session;
  const task = 'Open https://example.com and tell me its title.';
  const created = await client.send('createTask', { body: { task } });
  return created.ok ? created : session;
}

/** A service may hold polls until there is news: after a while the tasks are ended, which is some. */
async function polls(client: HttpClient, { clock }: Target, ids: readonly string[]): Promise<ApiResponse[]> {
  const stop = new AbortController();
  const all = Promise.all(ids.map((id) => poll(client, id)));
  // Whoever waits for them below learns of it.
  all.catch(() => {});
  await Promise.race([all, clock.sleep(HELD_MS, stop.signal)]).finally(() => stop.abort());
  const hold = Promise.all(ids.map((id) => endQuietly(client, id)));
  const responses = await all;
  await hold;
  return responses;
}

/** A poll that is refused without its `event_t`, which may be left out, still tells tasks apart with it. */
async function poll(client: HttpClient, id: string): Promise<ApiResponse> {
  const path = { task_id: id };
  const bare = await client.send('getTask', { path });
  return bare.status === 400 || bare.status === 422
    ? client.send('getTask', { path, query: { event_t: 0 } })
    : bare;
}

/** Polls that have no response after this time are taken to be held, ms. */
const HELD_MS = 1500;

async function endQuietly(client: HttpClient, id: string): Promise<void> {
  await client.send('deleteTask', { path: { task_id: id } }).catch(() => {});
}

function recordOf(response: ApiResponse): Record<string, unknown> | undefined {
  const record = response.r ?? response.body;
  return record !== null && typeof record === 'object' ? (record as Record<string, unknown>) : undefined;
}

function idOf(response: ApiResponse): string | undefined {
  const id = recordOf(response)?.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
