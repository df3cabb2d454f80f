import type { OperationId } from '../../../spec/generated/operations.js';
import { type Event, eventsOf, isOver } from './events.js';
import type { MutantRequest } from './mutant-request.js';
import type { LooseRecord, MutantResponse } from './mutant-response.js';

/** A request as the client sent it, and what the service that is not faulty made of it. */
export interface Done {
  request: MutantRequest;
  response: MutantResponse;
  /** Service time of the request, ms. */
  at: number;
}

/** What a service was asked for so far: what the condition of a fault can be about. */
export class Past {
  /** Requests under way, without the one at hand. */
  readonly pending = new Set<MutantRequest>();
  readonly #byOperation = new Map<OperationId, Done[]>();
  /** Places in the order in which requests were done. */
  readonly #order = new Map<Done, number>();
  readonly #byName = new Map<string, Done[]>();
  readonly #created = new Map<string, Done>();
  readonly #running = new Map<string, Done>();

  constructor(readonly now: () => number) {}

  add(done: Done): void {
    const { request, response } = done;
    if (request.operation === undefined) return;
    this.#order.set(done, this.#order.size);
    push(this.#byOperation, request.operation, done);
    push(this.#byName, nameIn(request), done);
    if (!response.ok) return;
    if (request.is('createTask')) {
      this.#created.set(String(response.record.id), done);
      this.#running.set(String(response.record.id), done);
    }
    if (request.is('deleteTask') || (request.is('getTask') && isOver(response.record)))
      this.#running.delete(request.task);
  }

  /** Everything that was sent with the key of this request, refused or not, oldest first. */
  sent({ key }: MutantRequest, ...operations: OperationId[]): Done[] {
    return this.#of(operations).filter(({ request }) => request.key === key);
  }

  /** What succeeded with the key of this request, oldest first. */
  done(request: MutantRequest, ...operations: OperationId[]): Done[] {
    return this.sent(request, ...operations).filter(({ response }) => response.ok);
  }

  /** What succeeded with any key. */
  ofAll(...operations: OperationId[]): Done[] {
    return this.#of(operations).filter(({ response }) => response.ok);
  }

  /** What succeeded about the thing that this request names, oldest first. */
  about(request: MutantRequest, ...operations: OperationId[]): Done[] {
    return (this.#byName.get(nameIn(request)) ?? []).filter(
      (each) => each.response.ok && each.request.key === request.key && each.request.is(...operations),
    );
  }

  /** What succeeded in the workspace that this request names, oldest first. */
  inWorkspace(request: MutantRequest, ...operations: OperationId[]): Done[] {
    const workspace = request.headers['workspace-id'];
    return this.done(request, ...operations).filter(
      ({ request: { headers } }) => headers['workspace-id'] === workspace,
    );
  }

  #of(operations: readonly OperationId[]): Done[] {
    const [first = [], ...others] = operations.map((each) => this.#byOperation.get(each) ?? []);
    if (others.length === 0) return first;
    return [...first, ...others.flat()].sort((a, b) => this.#order.get(a)! - this.#order.get(b)!);
  }

  /** Another request to one of these is under way. */
  isPending(...operations: OperationId[]): boolean {
    return [...this.pending].some((other) => other.is(...operations));
  }

  /** What is known of the task that this request names. */
  task(request: MutantRequest): KnownTask {
    return new KnownTask(this, request);
  }

  /** Tasks that were created and neither stopped nor seen over. */
  running({ key }: MutantRequest): Done[] {
    return [...this.#running.values()].filter(({ request }) => request.key === key);
  }

  /** The request that created a task. */
  creation({ task, key }: MutantRequest): Done | undefined {
    const created = this.#created.get(task);
    return created?.request.key === key ? created : undefined;
  }
}

function push<K>(lists: Map<K, Done[]>, key: K, done: Done): void {
  const list = lists.get(key);
  if (list) list.push(done);
  else lists.set(key, [done]);
}

/** What the requests about one task show of it. */
export class KnownTask {
  constructor(
    private readonly past: Past,
    private readonly request: MutantRequest,
  ) {}

  /** Its creation; undefined where another request created it. */
  get creation(): Done | undefined {
    return this.past.creation(this.request);
  }

  /** The body of its creation. */
  get asked(): LooseRecord {
    return this.creation?.request.json ?? {};
  }

  get polls(): Done[] {
    return this.past.about(this.request, 'getTask');
  }

  /** The poll that was the first to find it over. */
  get end(): Done | undefined {
    return this.polls.find(({ response }) => isOver(response.record));
  }

  /** All its events that polls have shown. */
  get events(): Event[] {
    return this.polls.flatMap(({ response }) => eventsOf(response));
  }

  get sent(): Done[] {
    return this.past.about(this.request, 'sendTaskEvent');
  }

  get actions(): Done[] {
    return this.sent.filter(({ request }) => request.json.name !== 'tool_call');
  }

  get replies(): Done[] {
    return this.sent.filter(({ request }) => request.json.name === 'tool_call');
  }

  /** Actions whose result no poll has shown. */
  get openActions(): Done[] {
    const seen = new Set(this.events.filter(({ name }) => name !== 'tool_call').map(({ id }) => id));
    return this.actions.filter(({ request }) => !seen.has(String(request.json.id)));
  }

  /** The action that an event of a poll is the result of. */
  actionOf({ id }: Event): LooseRecord | undefined {
    return this.actions.find(({ request }) => request.json.id === id)?.request.payload;
  }
}

/** What a request names: parameters of its path, headers that select, and what names a chat, an SOP or an automation. */
function nameIn({ path, headers, query }: MutantRequest): string {
  const selecting = ['workspace-id', 'chat-id', 'attachment-id'].map((name) => headers[name]);
  const within = selecting.some(Boolean) ? [query.get('t'), query.get('id')] : [];
  return JSON.stringify([...path.values(), ...selecting, ...within]);
}
