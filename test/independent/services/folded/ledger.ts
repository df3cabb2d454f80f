export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };
export type TaskStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
export interface Outcome {
  code: number;
  output: Json;
}

/** One fact of an organisation. Records are appended, never changed. */
export type LedgerRecord =
  | { kind: 'task'; at: number; task: string; request: Fields; session: boolean }
  | { kind: 'action'; at: number; task: string; action: Action; page?: string }
  | { kind: 'call'; at: number; task: string; id: string; tool: string; input: Json; action?: string }
  | { kind: 'reply'; at: number; task: string; id: string; outcome: Outcome }
  | {
      kind: 'result';
      at: number;
      task: string;
      id: string;
      outcome: Outcome;
      due?: number;
      into?: string;
      dated?: number;
    }
  | { kind: 'ended'; at: number; task: string; status: TaskStatus; output: Json; credits: number }
  | { kind: 'revived'; at: number; task: string }
  | { kind: 'visible'; at: number; task: string; value: boolean }
  | { kind: 'erased'; at: number; task: string; whole: boolean }
  | { kind: 'put'; at: number; shelf: string; id: string; value: Fields }
  | { kind: 'drop'; at: number; shelf: string; id: string }
  | { kind: 'balance'; at: number; change: number };

export interface Action {
  id: string;
  name: string;
  payload: Fields;
  sent: number;
  due: number;
  /** Known at once except for an agent's run inside the session. */
  outcome?: Outcome;
}

export interface TaskEventOut {
  id: string;
  name: string;
  payload: Json;
  timestamp: number;
}

export interface ToolCallState {
  id: string;
  tool: string;
  input: Json;
  at: number;
  action: string | undefined;
  reply: (Outcome & { at: number }) | undefined;
}

export interface TaskState {
  id: string;
  serial: number;
  created: number;
  request: Fields;
  session: boolean;
  status: TaskStatus;
  output: Json;
  credits: number;
  ended: number | undefined;
  events: TaskEventOut[];
  atWork: Action[];
  usedIds: Set<string>;
  calls: ToolCallState[];
  page: string;
  visible: boolean;
  lastActive: number;
  /** When the result of close was given. */
  closed: number | undefined;
}

export interface OrgState {
  tasks: Map<string, TaskState>;
  shelves: Map<string, Map<string, Fields>>;
  credits: number;
}

/** The append-only list of one organisation, and the state folded from it. */
export class Ledger {
  readonly records: LedgerRecord[] = [];
  readonly #state: OrgState = { tasks: new Map(), shelves: new Map(), credits: 0 };
  #folded = 0;

  constructor(readonly key: string) {}

  append(record: LedgerRecord): void {
    this.records.push(record);
  }

  get state(): OrgState {
    for (; this.#folded < this.records.length; this.#folded++) {
      applyRecord(this.#state, this.records[this.#folded]!);
    }
    return this.#state;
  }

  shelf(name: string): Map<string, Fields> {
    return shelfOf(this.state, name);
  }

  put(at: number, shelf: string, id: string, value: Fields): Fields {
    this.append({ kind: 'put', at, shelf, id, value });
    return value;
  }
}

function shelfOf(state: OrgState, name: string): Map<string, Fields> {
  let shelf = state.shelves.get(name);
  if (!shelf) {
    shelf = new Map();
    state.shelves.set(name, shelf);
  }
  return shelf;
}

/** Timestamps of a task rise strictly: a client passes the last one it saw as event_t. */
function addEvent(task: TaskState, at: number, id: string, name: string, payload: Json): void {
  const last = task.events.at(-1)?.timestamp ?? 0;
  task.events.push({ id, name, payload, timestamp: Math.max(last + 1, at) });
}

function startTask(record: Extract<LedgerRecord, { kind: 'task' }>, serial: number): TaskState {
  return {
    id: record.task,
    serial,
    created: record.at,
    request: record.request,
    session: record.session,
    status: 'running',
    output: null,
    credits: 0,
    ended: undefined,
    events: [],
    atWork: [],
    usedIds: new Set(),
    calls: [],
    page: typeof record.request['url'] === 'string' ? record.request['url'] : 'about:blank',
    visible: false,
    lastActive: record.at,
    closed: undefined,
  };
}

function applyRecord(state: OrgState, record: LedgerRecord): void {
  switch (record.kind) {
    case 'task':
      state.tasks.set(record.task, startTask(record, state.tasks.size + 1));
      return;
    case 'put':
      shelfOf(state, record.shelf).set(record.id, record.value);
      return;
    case 'drop':
      shelfOf(state, record.shelf).delete(record.id);
      return;
    case 'balance':
      state.credits += record.change;
      return;
    default: {
      const task = state.tasks.get(record.task);
      if (task) applyToTask(state, task, record);
    }
  }
}

export function isClose(action: Action): boolean {
  return action.name === 'session_action' && action.payload['name'] === 'close';
}

type TaskRecord = Exclude<LedgerRecord, { kind: 'task' | 'put' | 'drop' | 'balance' }>;

function applyToTask(state: OrgState, task: TaskState, record: TaskRecord): void {
  switch (record.kind) {
    case 'action':
      task.atWork.push(record.action);
      task.usedIds.add(record.action.id);
      task.lastActive = record.at;
      if (record.page !== undefined) task.page = record.page;
      return;
    case 'call':
      task.calls.push({
        id: record.id,
        tool: record.tool,
        input: record.input,
        at: record.at,
        action: record.action,
        reply: undefined,
      });
      addEvent(task, record.at, record.id, 'tool_call', { name: record.tool, input: record.input });
      return;
    case 'reply': {
      const call = task.calls.findLast((one) => one.id === record.id && !one.reply);
      if (call) call.reply = { ...record.outcome, at: record.at };
      return;
    }
    case 'result': {
      const index = task.atWork.findIndex(
        (one) => one.id === record.id && one.due === (record.due ?? one.due),
      );
      const [action] = index < 0 ? [] : task.atWork.splice(index, 1);
      const reader = state.tasks.get(record.into ?? task.id) ?? task;
      addEvent(reader, record.at, record.id, action?.name ?? 'session_action', { ...record.outcome });
      if (record.dated !== undefined) reader.events.at(-1)!.timestamp = record.dated;
      if (action && isClose(action) && record.outcome.code === 200) task.closed = record.at;
      task.lastActive = record.at;
      return;
    }
    case 'ended':
      task.status = record.status;
      task.output = record.output;
      task.credits = record.credits;
      task.ended = record.at;
      task.atWork.length = 0;
      state.credits -= record.credits;
      return;
    case 'revived':
      task.status = 'running';
      task.ended = undefined;
      return;
    case 'visible':
      task.visible = record.value;
      return;
    case 'erased':
      if (record.whole) state.tasks.delete(task.id);
      task.events.length = 0;
      task.calls.length = 0;
      task.output = null;
      return;
  }
}
