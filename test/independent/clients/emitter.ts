// An event emitter: a task emits the events of the service, and the first listener starts the poller.
import type {
  ClientContext,
  ClientFunction,
  ResultLine,
  ToolOutcome,
} from '../../../conformance/client/types.js';
import { Connection, type Json, type Payload } from './emitter/connection.js';
import { Task, type TaskEvent } from './emitter/task.js';

export { bugs, races, styles } from './emitter/names.js';

// What stays in the process from job to job: only a bug uses it.
const resultsInProcess: Json[] = [];

function createToolRunner({ job }: ClientContext, runs: Json[], bug: string | undefined) {
  const counts = new Map<string, number>();
  return ({ name, input }: Payload): ToolOutcome => {
    const outcomes =
      (bug === 'inherited-tool' ? name in job.tools : Object.hasOwn(job.tools, name)) && job.tools[name];
    if (!outcomes)
      return { code: bug === 'unknown-tool-500' ? 500 : 400, output: `There is no tool ${name}.` };
    runs.push({ name, input });
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const outcome = outcomes[Math.min(count, outcomes.length - 1)];
    if (typeof outcome?.output === 'string' && bug === 'text-output-is-parsed')
      try {
        return { ...outcome, output: JSON.parse(outcome.output) };
      } catch {}
    return outcome ?? { code: 500, output: 'The tool has no outcome.' };
  };
}

async function perform(context: ClientContext, bug: string | undefined): Promise<ResultLine> {
  const { job } = context;
  const connection = new Connection(context, bug);
  const toolRuns: Json[] = [];
  const results: Json[] = bug === 'results-in-process' ? resultsInProcess : [];
  const asked: Payload = {};
  const pending: Promise<unknown>[] = [];
  let task: Task | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = () => ({
    status: task?.status ?? null,
    output: task?.output ?? null,
    results,
    tool_runs: toolRuns,
    asked,
  });
  try {
    const cancelAfter = job.cancel_after_ms ?? undefined;
    const cancel = () =>
      pending.push(task?.cancel() ?? connection.request('DELETE', '/task/undefined').catch(() => {}));
    if (bug === 'cancel-before-id' && cancelAfter !== undefined) timer = setTimeout(cancel, cancelAfter);
    let request = job.request;
    if (bug === 'falsy-option-is-left-out')
      request = Object.fromEntries(
        Object.entries(request).filter(([name, value]) => value || name === 'task'),
      );
    const created = await connection.request('POST', '/task', () => request);
    const running = new Task(connection, created, bug);
    task = running;
    const over = running.wait();
    over.catch(() => {});
    if (cancelAfter !== undefined && bug !== 'cancel-before-id') timer = setTimeout(cancel, cancelAfter);

    const runTool = createToolRunner(context, toolRuns, bug);
    const onCall = (event: TaskEvent) => pending.push(running.reply(event, runTool(event.payload)));
    if (bug === 'second-call-is-missed') running.once('call', onCall);
    else if (bug === 'listens-after-first-poll') running.once('status', () => running.on('call', onCall));
    else running.on('call', onCall);

    const first = job.asks.includes('wait_again') ? Promise.race([over, connection.pause(600)]) : undefined;
    const second = job.asks.includes('second_wait') ? running.wait() : undefined;
    second?.catch(() => {});
    await work(running, job, results, bug);
    await first?.catch(() => {});
    await (first ? running.wait() : over);
    if (bug === 'reads-all-at-end') await connection.request('GET', `${running.path}?event_t=0`);
    const end = { status: running.status, output: running.output };
    if (first) asked['wait_again'] = end;
    if (second) asked['second_wait'] = await second.then(() => end);
    if (job.asks.includes('live_url')) asked['live_url'] = running.liveUrl;
    for (const name of job.asks.filter((ask) => ask === 'recording_url' || ask === 'downloads_url'))
      asked[name] = await readAddress(connection, running.path, name);
    return report();
  } catch (error) {
    if (bug === 'refused-creation-is-failed' && !task) return { ...report(), status: 'failed' };
    return { ...report(), error: (error as Error).message };
  } finally {
    clearTimeout(timer);
    connection.closing.abort();
    await Promise.allSettled(pending);
  }
}

/** Sends the actions, each after the result of the one before, and closes. */
async function work(
  task: Task,
  job: ClientContext['job'],
  results: Json[],
  bug: string | undefined,
): Promise<void> {
  const close = {
    name: bug === 'close-as-browser-action' ? 'browser_action' : 'session_action',
    payload: { name: 'close' },
  };
  const actions = job.close === 'event' ? [...job.actions, close] : job.actions;
  if (actions.length > 0) await task.whenRunning();
  for (const { name, payload } of actions) {
    if (task.isOver || task.isStopped) return;
    const result = await task.act(name, payload as Payload);
    if (!result) return;
    const output = result['output'] ?? null;
    const entry = { name: payload['name'], code: result['code'], output };
    const same = results.findIndex((other) => other.name === payload['name']);
    if (bug === 'results-by-name' && same >= 0) results[same] = entry;
    else results.push(entry);
  }
  if (job.close === 'delete' && !task.isOver) await task.cancel();
}

async function readAddress(connection: Connection, path: string, name: string): Promise<string | null> {
  for (let reads = 0; reads < 15; reads++) {
    const task = await connection.request('GET', name === 'downloads_url' ? `${path}?downloads=true` : path);
    if (typeof task[name] === 'string') return task[name] || null;
    await connection.pause(800);
  }
  return null;
}

export function createRun(bug?: string): ClientFunction {
  return (context) => perform(context, bug);
}
