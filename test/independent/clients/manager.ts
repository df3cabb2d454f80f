// One manager polls all tasks in one loop. A task has a handle; all requests that change something go through a queue.

import type {
  ClientContext,
  ClientFunction,
  Job,
  ResultLine,
  ToolOutcome,
} from '../../../conformance/client/types.js';
import { parseUrl } from '../../../spec/addresses.js';
import type { Handle } from './manager/handle.js';
import { Manager } from './manager/loop.js';
import type { Json } from './manager/queue.js';

export { bugs, races, styles } from './manager/names.js';

function convert(value: Json, change: (leaf: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => convert(item, change));
  if (value === null || typeof value !== 'object') return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, convert(item, change)]));
}

function copyByAssignment(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyByAssignment);
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, Json> = {};
  for (const name of Object.keys(value)) copy[name] = copyByAssignment(value[name]);
  return copy;
}

/** What the bugs do to a value that passes through the library. */
function pass(value: Json, bug: string | undefined): Json {
  if (bug === 'proto-is-lost') return copyByAssignment(value);
  if (bug === 'digits-are-numbers')
    return convert(value, (leaf) => (typeof leaf === 'string' && /^\d+$/.test(leaf) ? Number(leaf) : leaf));
  if (bug === 'large-numbers-are-text')
    return convert(value, (leaf) =>
      typeof leaf === 'number' && Math.abs(leaf) >= 2 ** 53 ? String(leaf) : leaf,
    );
  if (bug === 'long-text-is-cut')
    return convert(value, (leaf) => (typeof leaf === 'string' ? leaf.slice(0, 1000) : leaf));
  return value;
}

class Tools {
  readonly runs: { name: string; input: Json }[] = [];
  private readonly left: Map<string, ToolOutcome[]>;

  constructor(
    tools: Job['tools'],
    private bug: string | undefined,
  ) {
    this.left = new Map(Object.entries(tools).map(([name, outcomes]) => [name, [...outcomes]]));
  }

  run(name: string, input: Json): ToolOutcome {
    const outcomes = this.left.get(name);
    if (!outcomes?.[0]) return { code: 400, output: `${name} is not a tool of this client.` };
    this.runs.push({ name, input: pass(input, this.bug) });
    const outcome = outcomes.length > 1 ? (outcomes.shift() ?? outcomes[0]) : outcomes[0];
    const code = this.bug === 'failures-are-500' && outcome.code === 400 ? 500 : outcome.code;
    return { code, output: pass(outcome.output, this.bug) };
  }
}

function listActions(job: Job, bug: string | undefined): Job['actions'] {
  const actions = job.actions.map(({ name, payload }) => {
    const isGoto = payload['name'] === 'goto' && bug === 'urls-are-normalised';
    if (!isGoto) return { name, payload };
    const { url } = payload['input'] as { url: string };
    return {
      name,
      payload: {
        ...payload,
        input: { ...(payload['input'] as object), url: parseUrl(url)?.href ?? url },
      },
    };
  });
  if (job.close !== 'event') return actions;
  const input = bug === 'close-with-input' ? { input: {} } : {};
  return [...actions, { name: 'session_action', payload: { name: 'close', ...input } }];
}

async function work(handle: Handle, job: Job, results: Json[], bug: string | undefined): Promise<void> {
  const actions = listActions(job, bug);
  if (actions.length > 0) await handle.until(() => handle.status === 'running');
  for (const [index, action] of actions.entries()) {
    if (handle.isOver) return;
    const performed = handle.perform(action);
    if (bug === 'close-beside-action' && index === actions.length - 2 && job.close === 'event') {
      performed.then((sent) => sent && results.push({ name: action.payload['name'], ...sent }));
      continue;
    }
    if (bug === 'close-is-end' && action.payload['name'] === 'close') return handle.end('done');
    const payload = await performed;
    if (payload === undefined) return;
    const output = pass(payload.output ?? null, bug);
    results.push({ name: action.payload['name'], code: payload.code, output });
  }
  if (job.close === 'delete' && !handle.isOver) await handle.stop();
}

async function askAddress(manager: Manager, handle: Handle, name: string): Promise<string | null> {
  for (let reads = 0; reads < 12; reads++) {
    const query = name === 'downloads_url' ? '?downloads=true' : '';
    const { r } = await manager.transport.send('GET', handle.path + query);
    if (typeof r?.[name] === 'string') return r[name] || null;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return null;
}

async function perform(context: ClientContext, bug: string | undefined): Promise<ResultLine> {
  const { job } = context;
  const manager = new Manager(context, bug);
  const tools = new Tools(job.tools, bug);
  const results: Json[] = [];
  const asked: Record<string, Json> = {};
  let handle: Handle | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let problem: unknown;
  try {
    const task = await manager.start(job.request, (name, input) => tools.run(name, input));
    handle = task;
    if (job.cancel_after_ms !== null) timer = setTimeout(() => void task.stop(), job.cancel_after_ms);
    const working = work(task, job, results, bug);
    working.catch(() => {});
    if (job.asks.includes('second_wait'))
      asked['second_wait'] = (await Promise.all([task.result(), task.result()]))[1];
    if (job.asks.includes('wait_again')) {
      await task.result({ timeoutMs: 600 }).catch(() => {});
      asked['wait_again'] = await task.result();
    }
    await working;
    await task.result();
    if (bug === 'reads-once-more') await manager.transport.send('GET', `${task.path}?downloads=true`);
    if (job.asks.includes('live_url')) asked['live_url'] = task.live_url();
    for (const name of job.asks.filter((ask) => ask === 'recording_url' || ask === 'downloads_url'))
      asked[name] = await askAddress(manager, task, name);
  } catch (error) {
    problem = error;
  } finally {
    clearTimeout(timer);
    await manager.stop();
  }
  const line = {
    status: handle?.status ?? null,
    output: pass(handle?.output ?? null, bug),
    results,
    tool_runs: tools.runs,
    asked,
  };
  if (!problem || (bug === 'refused-creation-is-empty' && !handle)) return line;
  return { ...line, error: (problem as Error).message };
}

export function createRun(bug?: string): ClientFunction {
  return (context) => perform(context, bug);
}
