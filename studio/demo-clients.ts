import { isActive } from '../spec/vocabulary.js';

const KEY = 'demo';
const TASK = 'Tell me with get_weather whether I need a coat in Paris.';
const TOOL = {
  name: 'get_weather',
  description: 'Gives the weather in a city right now.',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'A JSON object with temp_c, the temperature in degrees Celsius.',
};
const MOST_TRIES = 3;
/** Between two polls, ms: slow enough to watch. */
const PAUSE_MS = 700;
const MOST_POLLS = 60;

interface DemoEvent {
  id: string;
  name: string;
  payload: { name?: string; code?: number };
  timestamp: number;
}

export type DemoClient = 'careful' | 'hasty';

/**
 * A small client in the page: it creates a task with a tool, polls it and replies to the call. `hasty` has a common defect: if
 * its reply gets no response, it handles the call again, so the tool runs twice. `onTask` gets the id of the task. Resolves when
 * the task is over.
 */
export async function runDemo(kind: DemoClient, onTask: (id: string) => void): Promise<void> {
  const { id } = await send('POST', '/task', { task: TASK, custom_tools: [TOOL] });
  onTask(id);
  const handled = new Set<string>();
  let [from, runs] = [0, 0];
  const runTool = () => ({ temp_c: 9 + runs++ });
  const handle = async (event: DemoEvent) => {
    const once = runTool();
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      // The hasty client repeats the whole call, the careful client only the request.
      const output = kind === 'hasty' && tries > 0 ? runTool() : once;
      const reply = {
        id: event.id,
        name: 'tool_call',
        payload: { code: 200, output },
        timestamp: Date.now(),
      };
      const isAccepted = await send('POST', `/task/${id}/event`, reply).then(
        () => true,
        () => false,
      );
      if (isAccepted) return;
    }
  };
  for (let polls = 0; polls < MOST_POLLS; polls++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const task = await send('GET', `/task/${id}?event_t=${from}`).catch(() => undefined);
    if (!task) continue;
    if (!isActive(task.status)) return;
    for (const event of task.events as DemoEvent[]) {
      from = Math.max(from, event.timestamp);
      const isCall = event.name === 'tool_call' && event.payload.code === undefined;
      if (!isCall || handled.has(event.id)) continue;
      handled.add(event.id);
      await handle(event);
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what the API responds.
async function send(method: string, path: string, body?: object): Promise<any> {
  const headers = { apikey: KEY, 'content-type': 'application/json' };
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return (await response.json()).r;
}
