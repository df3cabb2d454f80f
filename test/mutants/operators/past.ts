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
  readonly #done: Done[] = [];

  constructor(readonly now: () => number) {}

  add(done: Done): void {
    this.#done.push(done);
  }

  /** Everything that was sent with the key of this request, refused or not, oldest first. */
  sent({ key }: MutantRequest, ...operations: OperationId[]): Done[] {
    return this.#done.filter(({ request }) => request.key === key && request.is(...operations));
  }

  /** What succeeded with the key of this request, oldest first. */
  done(request: MutantRequest, ...operations: OperationId[]): Done[] {
    return this.sent(request, ...operations).filter(({ response }) => response.ok);
  }

  /** What succeeded with any key. */
  ofAll(...operations: OperationId[]): Done[] {
    return this.#done.filter(({ request, response }) => response.ok && request.is(...operations));
  }

  /** What succeeded about the thing that this request names. */
  about(request: MutantRequest, ...operations: OperationId[]): Done[] {
    const name = nameIn(request);
    return this.done(request, ...operations).filter((each) => nameIn(each.request) === name);
  }

  /** What succeeded in the workspace that this request names. */
  inWorkspace(request: MutantRequest, ...operations: OperationId[]): Done[] {
    const workspace = request.headers['workspace-id'];
    return this.done(request, ...operations).filter(
      ({ request: { headers } }) => headers['workspace-id'] === workspace,
    );
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
  running(request: MutantRequest): Done[] {
    const over = new Set(this.done(request, 'deleteTask').map((each) => each.request.task));
    for (const { request: poll, response } of this.done(request, 'getTask'))
      if (isOver(response.record)) over.add(poll.task);
    return this.done(request, 'createTask').filter(({ response }) => !over.has(String(response.record.id)));
  }
}

/** What the requests about one task show of it. */
export class KnownTask {
  constructor(
    private readonly past: Past,
    private readonly request: MutantRequest,
  ) {}

  /** Its creation; undefined where another request created it. */
  get creation(): Done | undefined {
    const { task } = this.request;
    return this.past.done(this.request, 'createTask').find(({ response }) => response.record.id === task);
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
