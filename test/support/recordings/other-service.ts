/** Inputs of the tool calls: the tool refuses the first. */
const CALLS = [{ place: '' }, { place: 'Kyiv' }];

interface OtherTask {
  id: string;
  status: 'running' | 'done';
  output: string | null;
  credits_used: number | null;
  recording_url: string | null;
  events: { id: string; name: string; timestamp: number; payload: unknown }[];
}

/**
 * A service without code of the mock, and with other output: ids are numbers with a prefix, and the order of fields and the texts
 * differ. Its agent calls `look_up` until it succeeds, then the task is done.
 */
export function createOtherService(): typeof fetch {
  const tasks = new Map<string, OtherTask>();
  let now = 1_700_000_000_000;
  const respond = (status: number, body: unknown) =>
    new Response(JSON.stringify(body, null, 2), {
      status,
      headers: { 'content-type': 'application/json; charset=UTF-8', server: 'other/7' },
    });
  const addCall = ({ id, events }: OtherTask) => {
    const input = CALLS[events.length];
    const payload = { input, name: 'look_up' };
    now += 40;
    events.push({ payload, timestamp: now, name: 'tool_call', id: `${id}:call:${events.length + 1}` });
  };
  const create = (): Response => {
    const task: OtherTask = {
      id: `T-${String(900_017 + tasks.size)}`,
      status: 'running',
      output: null,
      credits_used: null,
      recording_url: null,
      events: [],
    };
    tasks.set(task.id, task);
    return respond(200, { r: { output: null, status: 'running', id: task.id, live_url: null, events: [] } });
  };
  const poll = ({ events, ...task }: OtherTask, since: number): Response => {
    if (events.length === 0) addCall({ events, ...task });
    const fresh = events.filter(({ timestamp }) => timestamp > since);
    return respond(task.status === 'running' ? 202 : 200, { r: { events: fresh, live_url: null, ...task } });
  };
  const reply = (
    task: OtherTask,
    { id, payload }: { id: string; payload: { code: number; output: unknown } },
  ): Response => {
    if (payload.code === 200) {
      task.status = 'done';
      task.credits_used = 3;
      task.recording_url = `https://other.example/recordings/${task.id}`;
      task.output = `Found: ${JSON.stringify(payload.output)}`;
    } else addCall(task);
    return respond(200, { r: { id } });
  };
  return async (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    const text = init?.body ? await new Response(init.body).text() : '';
    const [, id, event] = /^\/api\/v1\/task(?:\/([^/]+)(\/event)?)?$/.exec(pathname) ?? [];
    if (pathname === '/api/v1/task' && init?.method === 'POST') return create();
    const task = id === undefined ? undefined : tasks.get(id);
    if (!task) return respond(404, { detail: 'Nothing of that name is known here.' });
    return event ? reply(task, JSON.parse(text)) : poll(task, Number(searchParams.get('event_t')));
  };
}
