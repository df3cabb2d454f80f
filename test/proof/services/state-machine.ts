import {
  type App,
  boolParam,
  createInvalidError,
  createMissingError,
  HttpError,
  intParam,
  Reply,
  type ServiceCall,
} from './base/app.js';
import { sample } from './base/sample.js';
import { createService } from './base/service.js';
import { checkRequest, type ServiceTaskEvent, type ServiceTool } from './base/tasks.js';

type State = 'running' | 'calling' | 'ready' | 'acting' | 'closing' | 'done' | 'cancelled';
type MachineSignal = 'think' | 'reply' | 'action' | 'acted' | 'close' | 'closed' | 'finish' | 'cancel';

/** Where each signal leads; what is not here is refused. */
const TRANSITIONS: Record<State, Partial<Record<MachineSignal, State>>> = {
  running: { think: 'calling', finish: 'done', cancel: 'cancelled' },
  calling: { reply: 'running', cancel: 'cancelled' },
  ready: { action: 'acting', close: 'closing', cancel: 'cancelled' },
  acting: { action: 'acting', acted: 'ready', close: 'closing', cancel: 'cancelled' },
  closing: { acted: 'closing', closed: 'done', cancel: 'cancelled' },
  done: {},
  cancelled: {},
};

const PUBLIC: Record<State, string> = {
  running: 'running',
  calling: 'running',
  ready: 'running',
  acting: 'running',
  closing: 'running',
  done: 'done',
  cancelled: 'cancelled',
};

/** States that a poller may stop in. */
const FINAL: readonly State[] = ['done'];

class Machine {
  state: State;
  output: unknown = '';
  events: ServiceTaskEvent[] = [];
  isVisible = false;
  pendingCall: string | undefined;
  tools: ServiceTool[];

  constructor(
    readonly id: string,
    readonly org: string,
    readonly request: Record<string, unknown>,
    readonly now: () => number,
    readonly after: (ms: number, what: () => void) => void,
  ) {
    this.tools = [...((request.custom_tools ?? []) as ServiceTool[])];
    this.state = this.isSession ? 'ready' : 'running';
    if (!this.isSession) after(600, () => this.think());
  }

  get isSession() {
    return (this.request.task ?? null) === null;
  }

  get isOver() {
    return this.state === 'done' || this.state === 'cancelled';
  }

  /** False where the state does not know the signal. */
  send(signal: MachineSignal): boolean {
    const next = TRANSITIONS[this.state][signal];
    if (!next) return false;
    this.state = next;
    if (FINAL.includes(next)) this.events = [];
    return true;
  }

  emit(id: string, name: string, payload: Record<string, unknown>) {
    const timestamp = Math.max(this.now(), (this.events.at(-1)?.timestamp ?? 0) + 1);
    this.events.push({ id, name, payload, timestamp });
  }

  think() {
    const tool = this.tools.shift();
    if (!tool) {
      const { response_model: model } = this.request;
      if (this.send('finish')) this.output = model ? sample(model) : 'Read it.';
    } else if (this.send('think')) {
      this.pendingCall = `${this.id}-${tool.name}-${this.events.length}`;
      this.emit(this.pendingCall, 'tool_call', { name: tool.name, input: sample(tool.inputs) });
    }
  }

  reply(id: string) {
    if (id !== this.pendingCall || !this.send('reply')) throw new HttpError(400, 'no such call');
    this.pendingCall = undefined;
    this.after(400, () => this.think());
  }

  act(id: string, name: string, payload: Record<string, unknown>) {
    if (payload.name === 'close' && name === 'session_action') {
      if (!this.send('close')) throw new HttpError(400, 'cannot close');
      this.after(500, () => this.send('closed'));
      return;
    }
    if (!this.send('action')) throw new HttpError(400, 'the session takes no actions');
    this.after(250, () => {
      if (this.send('acted')) this.emit(id, name, perform(name, payload));
    });
  }
}

function perform(name: string, payload: Record<string, unknown>) {
  const input = (payload.input ?? {}) as Record<string, unknown>;
  const bad = (output: string) => ({ code: 400, output });
  switch (`${name}/${payload.name}`) {
    case 'browser_action/goto':
      return typeof input.url === 'string' ? { code: 200, output: null } : bad('url');
    case 'browser_action/extract':
      return input.schema instanceof Object ? { code: 200, output: sample(input.schema) } : bad('schema');
    case 'browser_action/evaluate_js':
      if (typeof input.js !== 'string') return bad('js');
      return input.js.includes('throw') ? { code: 500, output: 'thrown' } : { code: 200, output: 1 };
    case 'session_action/run_task':
      return typeof input.task === 'string' ? { code: 200, output: 'done' } : bad('task');
    default:
      return bad('action');
  }
}

function routes(app: App, now: () => number): App {
  const machines = new Map<string, Machine>();
  let due: { at: number; what: () => void }[] = [];
  const after = (ms: number, what: () => void) => void due.push({ at: now() + ms, what });
  const tick = () => {
    const ripe = due.filter(({ at }) => at <= now());
    due = due.filter(({ at }) => at > now());
    for (const { what } of ripe) what();
  };
  const find = ({ org, params }: ServiceCall) => {
    tick();
    const machine = machines.get(params.id!);
    if (machine?.org !== org) throw createMissingError('Task');
    return machine;
  };
  const describe = (
    { id, state, output }: Machine,
    over = FINAL.includes(state) || state === 'cancelled',
  ) => ({
    id,
    status: PUBLIC[state],
    output,
    live_url: over ? null : `https://live.example/${id}`,
    recording_url: over ? `https://recording.example/${id}` : null,
    credits_used: over ? 1 : null,
  });

  return app
    .on('POST /task', ({ org, body }) => {
      checkRequest(body);
      const machine = new Machine(`m${machines.size + 1}`, org, body, now, after);
      machines.set(machine.id, machine);
      return describe(machine);
    })
    .on('GET /task', ({ org, query }) => {
      tick();
      const limit = intParam(query, 'l', 32, 1, 128);
      intParam(query, 't', 0);
      return [...machines.values()]
        .filter((each) => each.org === org)
        .toReversed()
        .slice(0, limit)
        .map((each) => describe(each));
    })
    .on('GET /task/:id', (call) => {
      const from = intParam(call.query, 'event_t', 0);
      boolParam(call.query, 'downloads', false);
      const machine = find(call);
      const events = machine.events.filter(({ timestamp }) => timestamp > from);
      return new Reply(FINAL.includes(machine.state) ? 200 : 202, { r: { ...describe(machine), events } });
    })
    .on('DELETE /task/:id', (call) => {
      find(call).send('cancel');
      return true;
    })
    .on('PUT /task/:id', (call) => find(call) && true)
    .on('GET /task/:id/visibility', (call) => find(call).isVisible)
    .on('POST /task/:id/visibility', (call) => {
      const isVisible = boolParam(call.query, 'visibility');
      find(call).isVisible = isVisible;
      return true;
    })
    .on('DELETE /task/:id/data', (call) => {
      if (!find(call).isOver) throw new HttpError(400, 'still running');
      return machines.delete(call.params.id!);
    })
    .on('POST /task/:id/event', (call) => {
      const { name, payload, id = `e${now()}`, timestamp } = call.body;
      if (!['tool_call', 'browser_action', 'session_action'].includes(name as string))
        throw createInvalidError('body', 'name', 'kind');
      if (!(payload instanceof Object) || Array.isArray(payload))
        throw createInvalidError('body', 'payload', 'object');
      if (id !== null && typeof id !== 'string') throw createInvalidError('body', 'id', 'string');
      if (timestamp != null && !Number.isInteger(timestamp))
        throw createInvalidError('body', 'timestamp', 'integer');
      const machine = find(call);
      if (machine.isOver) throw new HttpError(400, 'the task has ended');
      const eventId = id ?? `e${now()}`;
      if (name === 'tool_call') machine.reply(eventId);
      else if (!machine.isSession) throw new HttpError(400, 'no session');
      else machine.act(eventId, name as string, payload as Record<string, unknown>);
      return { id: eventId };
    });
}

export default createService((now) => ({ routes: (app) => routes(app, now) }));
