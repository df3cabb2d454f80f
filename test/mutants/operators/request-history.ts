import type { OperationId } from '../../../spec/generated/operations.js';
import { isOver, type LooseEvent, listEvents } from './events.js';
import type { MutantRequest } from './mutant-request.js';
import type { LooseRecord, MutantResponse } from './mutant-response.js';

/** A request as the client sent it, and what the service that is not faulty made of it. */
export interface PastExchange {
  request: MutantRequest;
  response: MutantResponse;
  /** Service time of the request, ms. */
  at: number;
}

/** What a service was asked for so far: what the condition of a fault can be about. */
export class RequestHistory {
  /** Requests under way, without the one at hand. */
  readonly pending = new Set<MutantRequest>();
  readonly #byOperation = new Map<OperationId, PastExchange[]>();
  /** Places in the order in which requests were done. */
  readonly #order = new Map<PastExchange, number>();
  readonly #byName = new Map<string, PastExchange[]>();
  readonly #created = new Map<string, PastExchange>();
  readonly #running = new Map<string, PastExchange>();

  constructor(readonly now: () => number) {}

  add(done: PastExchange): void {
    const { request, response } = done;
    if (request.operation === undefined) return;
    this.#order.set(done, this.#order.size);
    pushTo(this.#byOperation, request.operation, done);
    pushTo(this.#byName, formatNames(request), done);
    if (!response.ok) return;
    if (request.is('createTask')) {
      this.#created.set(String(response.record.id), done);
      this.#running.set(String(response.record.id), done);
    }
    if (request.is('deleteTask') || (request.is('getTask') && isOver(response.record)))
      this.#running.delete(request.task);
  }

  /** Everything that was sent with the key of this request, refused or not, oldest first. */
  listSent({ key }: MutantRequest, ...operations: OperationId[]): PastExchange[] {
    return this.#listByOperation(operations).filter(({ request }) => request.key === key);
  }

  /** What succeeded with the key of this request, oldest first. */
  listSucceeded(request: MutantRequest, ...operations: OperationId[]): PastExchange[] {
    return this.listSent(request, ...operations).filter(({ response }) => response.ok);
  }

  /** What succeeded with any key. */
  listSucceededByAll(...operations: OperationId[]): PastExchange[] {
    return this.#listByOperation(operations).filter(({ response }) => response.ok);
  }

  /** What succeeded about the thing that this request names, oldest first. */
  listAbout(request: MutantRequest, ...operations: OperationId[]): PastExchange[] {
    return (this.#byName.get(formatNames(request)) ?? []).filter(
      (each) => each.response.ok && each.request.key === request.key && each.request.is(...operations),
    );
  }

  /** What succeeded in the workspace that this request names, oldest first. */
  listInWorkspace(request: MutantRequest, ...operations: OperationId[]): PastExchange[] {
    const workspace = request.headers['workspace-id'];
    return this.listSucceeded(request, ...operations).filter(
      ({ request: { headers } }) => headers['workspace-id'] === workspace,
    );
  }

  #listByOperation(operations: readonly OperationId[]): PastExchange[] {
    const [first = [], ...others] = operations.map((each) => this.#byOperation.get(each) ?? []);
    if (others.length === 0) return first;
    return [...first, ...others.flat()].sort((a, b) => this.#order.get(a)! - this.#order.get(b)!);
  }

  /** Another request to one of these is under way. */
  isPending(...operations: OperationId[]): boolean {
    return [...this.pending].some((other) => other.is(...operations));
  }

  /** What is known of the task that this request names. */
  readTask(request: MutantRequest): KnownTask {
    return new KnownTask(this, request);
  }

  /** Tasks that were created and neither stopped nor seen over. */
  listRunning({ key }: MutantRequest): PastExchange[] {
    return [...this.#running.values()].filter(({ request }) => request.key === key);
  }

  /** The request that created a task. */
  findCreation({ task, key }: MutantRequest): PastExchange | undefined {
    const created = this.#created.get(task);
    return created?.request.key === key ? created : undefined;
  }
}

function pushTo<K>(lists: Map<K, PastExchange[]>, key: K, done: PastExchange): void {
  const list = lists.get(key);
  if (list) list.push(done);
  else lists.set(key, [done]);
}

/** What the requests about one task show of it. */
export class KnownTask {
  constructor(
    private readonly past: RequestHistory,
    private readonly request: MutantRequest,
  ) {}

  /** Its creation; undefined where another request created it. */
  get creation(): PastExchange | undefined {
    return this.past.findCreation(this.request);
  }

  /** The body of its creation. */
  get asked(): LooseRecord {
    return this.creation?.request.json ?? {};
  }

  get polls(): PastExchange[] {
    return this.past.listAbout(this.request, 'getTask');
  }

  /** The poll that was the first to find it over. */
  get end(): PastExchange | undefined {
    return this.polls.find(({ response }) => isOver(response.record));
  }

  /** All its events that polls have shown. */
  get events(): LooseEvent[] {
    return this.polls.flatMap(({ response }) => listEvents(response));
  }

  get sent(): PastExchange[] {
    return this.past.listAbout(this.request, 'sendTaskEvent');
  }

  get actions(): PastExchange[] {
    return this.sent.filter(({ request }) => request.json.name !== 'tool_call');
  }

  get replies(): PastExchange[] {
    return this.sent.filter(({ request }) => request.json.name === 'tool_call');
  }

  /** Actions whose result no poll has shown. */
  get openActions(): PastExchange[] {
    const seen = new Set(this.events.filter(({ name }) => name !== 'tool_call').map(({ id }) => id));
    return this.actions.filter(({ request }) => !seen.has(String(request.json.id)));
  }

  /** The action that an event of a poll is the result of. */
  findAction({ id }: LooseEvent): LooseRecord | undefined {
    return this.actions.find(({ request }) => request.json.id === id)?.request.payload;
  }
}

/** What a request names: parameters of its path, headers that select, and what names a chat, an SOP or an automation. */
function formatNames({ path, headers, query }: MutantRequest): string {
  const selecting = ['workspace-id', 'chat-id', 'attachment-id'].map((name) => headers[name]);
  const within = selecting.some(Boolean) ? [query.get('t'), query.get('id')] : [];
  return JSON.stringify([...path.values(), ...selecting, ...within]);
}
