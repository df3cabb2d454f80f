import type { RequirementId } from '../../../spec/generated/documents.js';
import { TASK_STATUSES } from '../../../spec/vocabulary.js';
import { asFields } from '../../conversation/json.js';
import { HttpClient, type Interruption } from '../http-client/http-client.js';
import { type ExchangeRecorder, Stream } from '../http-client/recorder.js';
import { type ApiResponse, NoResponse } from '../http-client/response.js';
import type { Target } from '../http-client/target.js';
import { summarize } from '../test-case/read-task.js';

/** Why there is nothing to judge. */
export interface SmokeFailure {
  why: string;
  evidence: number[];
  /** A success that breaks this: the target does respond as a service, but not as one of this API. */
  broken?: RequirementId;
}

/**
 * Nothing is judged by absence: before anything is tried the target has to create two tasks, with ids of their own, and to
 * tell them apart when they are polled. A server that sends the same to everybody cannot. Undefined where it does.
 */
export async function runSmokeCheck(
  target: Target,
  recorder: ExchangeRecorder,
  signal?: AbortSignal,
): Promise<SmokeFailure | undefined> {
  const interruption: Interruption = { signal };
  const client = new HttpClient(target, new Stream(recorder, []), interruption);
  const ids: string[] = [];
  try {
    return (await createTwo(client, ids)) ?? (await tellApart(client, target, ids));
  } catch (error) {
    if (signal?.aborted) return { why: 'interrupted', evidence: [] };
    if (error instanceof NoResponse) return { why: error.message, evidence: [error.seq] };
    throw error;
  } finally {
    interruption.signal = undefined;
    for (const id of ids) await endQuietly(client, id);
  }
}

function failure(why: string, { seq, ok }: ApiResponse, broken?: RequirementId): SmokeFailure {
  return { why, evidence: [seq], ...(broken !== undefined && ok ? { broken } : {}) };
}

async function createTwo(client: HttpClient, ids: string[]): Promise<SmokeFailure | undefined> {
  for (let n = 0; n < 2; n++) {
    const created = await create(client);
    const came = `POST /task was answered with ${summarize(created)}`;
    if (isKeyRefused(created)) return failure(`the key is refused: ${came}`, created);
    if (!created.ok) return failure(came, created);
    const id = recordOf(created).id;
    if (typeof id !== 'string' || id === '') {
      const why = `POST /task was answered with no task that has an id: ${summarize(created)}`;
      return failure(why, created, 'TASK-14');
    }
    if (ids.includes(id))
      return failure(`POST /task gave two tasks the same id, ${JSON.stringify(id)}`, created, 'TASK-01');
    ids.push(id);
  }
  return undefined;
}

/** A session, which costs nothing; a task where the target creates no session (a check will say so). */
async function create(client: HttpClient): Promise<ApiResponse> {
  const session = await client.send('createTask', { body: { task: null } });
  if (session.ok || isKeyRefused(session)) return session;
  const task = 'Open https://example.com and tell me its title.';
  const created = await client.send('createTask', { body: { task } });
  return created.ok ? created : session;
}

function isKeyRefused({ status }: ApiResponse): boolean {
  return status === 401 || status === 403;
}

/** Polls that have no response after this time are taken to be held, ms. */
const HELD_MS = 1500;

async function tellApart(client: HttpClient, { clock }: Target, ids: readonly string[]) {
  const polls = Promise.all(ids.map((id) => poll(client, id)));
  // They are awaited below.
  polls.catch(() => {});
  const stop = new AbortController();
  await Promise.race([polls, clock.sleep(HELD_MS, stop.signal)]).finally(() => stop.abort());
  // A service may hold polls until there is news: that the tasks are ended is some.
  await Promise.all(ids.map((id) => endQuietly(client, id)));
  for (const polled of await polls) {
    const { id, status } = recordOf(polled);
    const isTask = ids.includes(String(id)) || TASK_STATUSES.some((each) => each === status);
    if (polled.ok && isTask) continue;
    return failure(
      `GET /task/{id} of a task just made was answered with ${summarize(polled)}`,
      polled,
      'TASK-16',
    );
  }
  return undefined;
}

/** A poll that is refused without its `event_t`, which may be left out, still tells tasks apart with it. */
async function poll(client: HttpClient, id: string): Promise<ApiResponse> {
  const path = { task_id: id };
  const bare = await client.send('getTask', { path });
  return bare.status === 400 || bare.status === 422
    ? client.send('getTask', { path, query: { event_t: 0 } })
    : bare;
}

async function endQuietly(client: HttpClient, id: string): Promise<void> {
  await client.send('deleteTask', { path: { task_id: id } }).catch(() => {});
}

function recordOf({ r, body }: ApiResponse): Readonly<Record<string, unknown>> {
  return asFields(r ?? body) ?? {};
}
