import type { Operation } from '../../spec/generated/operations.js';
import type {
  HeaderParams,
  JsonBody,
  OperationId,
  PathParams,
  QueryParams,
  SuccessBody,
} from '../../spec/types.js';
import { classifyRequest, NO_OPERATION } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import type { Script, ScriptOutcome } from '../engine/tasks/page.js';
import { describeBody, parseJson, readBodyText } from '../exchange/body.js';
import type { InvalidInput } from '../exchange/errors.js';
import { JournalEntry, type LazyNote } from '../exchange/journal-entry.js';
import type { WireRequest } from '../exchange/wire.js';
import type { ServedOrganisation } from './organisations.js';

const NO_PARTS: Parts = Object.freeze({ files: [], texts: Object.freeze({}) });
const NO_PARAMETERS = Object.freeze({});

export interface ContextService {
  organisations: { find(holds: (organisation: Organisation) => boolean): Organisation | undefined };
  advanceIfIdle(organisation: Organisation): void;
}

/**
 * One request from the transport to the journal. The handler gets it as `Context`, typed by its operation.
 */
export class RequestContext {
  readonly exchange: JournalEntry;
  /** The body as text; undefined without a body, for forms, and for text that is not UTF-8. */
  readonly text: string | undefined;
  /** The value of a JSON body; undefined until it is parsed. */
  readonly body: unknown = undefined;
  /** Why the body of an operation that expects JSON is not JSON. */
  readonly bodyProblem: InvalidInput | undefined = undefined;
  path: unknown = NO_PARAMETERS;
  query: unknown = NO_PARAMETERS;
  header: unknown = NO_PARAMETERS;
  /** Of a form, once it is read; empty for other bodies. */
  parts = NO_PARTS;
  /** The client disconnected while it waited: the response is discarded. */
  isAbandoned = false;
  /** A network rule applies to it: its response must be complete before it is sent. */
  isAffected = false;

  constructor(
    readonly request: WireRequest,
    readonly organisation: ServedOrganisation,
    /** Undefined if no operation has the path and method. */
    readonly operation: Operation | undefined,
    readonly pathValues: readonly string[],
    readonly queryText: string,
    private readonly service: ContextService,
  ) {
    const { method, url, headers } = request;
    this.text = readBodyText(request, operation);
    if (operation?.body?.kind === 'json') {
      const parsed = parseJson(request.body, this.text);
      this.body = parsed.value;
      this.bodyProblem = parsed.problem;
    }
    // HEAD is not part of the protocol: it is not judged by rules and not counted as a poll.
    const known = method === 'HEAD' ? undefined : operation?.id;
    const kind = known ? classifyRequest(known, this.body) : NO_OPERATION;
    const { journal } = organisation;
    const sent = headers as Record<string, string>;
    const seq = journal.allocateSeq();
    const { now } = organisation;
    this.exchange = new JournalEntry(seq, kind, known, method, url, sent, now, request.connection);
    if (operation?.segments[0] === 'task' && pathValues.length > 0) this.exchange.task = pathValues[0]!;
    if (this.text !== undefined) this.exchange.body = this.text;
    else if (request.body !== null) Object.assign(this.exchange, describeBody(request));
  }

  /** ms of the organisation's clock. */
  get now(): number {
    return this.organisation.now;
  }

  get scenario(): string | undefined {
    return this.request.headers['x-taskdouble-scenario'];
  }

  // Handlers destructure `owner` and `note`: they are bound on access, as most requests need neither.

  /**
   * For operations without authentication: finds the organisation that has the requested resource. The
   * organisation of the key is tried first.
   */
  get owner(): (holds: (organisation: Organisation) => boolean) => Organisation | undefined {
    return (holds) => {
      if (this.organisation.key !== '' && holds(this.organisation)) return this.organisation;
      const owner = this.service.organisations.find(holds);
      owner?.catchUp();
      return owner;
    };
  }

  get note(): (text: string) => void {
    return (text) => this.exchange.note(text);
  }

  /**
   * Resolves when `until` returns true (checked after each change of the task) or after `at_most_ms`; to
   * false if the client has disconnected meanwhile.
   */
  async waitFor(until: () => boolean, at_most_ms: number): Promise<boolean> {
    const { organisation } = this;
    const { signal } = this.request;
    organisation.waiting++;
    this.service.advanceIfIdle(organisation);
    let isOver = signal?.aborted === true || organisation.closed;
    const stop = () => {
      isOver = true;
      organisation.notifyChange();
    };
    signal?.addEventListener('abort', stop, { once: true });
    await new Promise<void>((resolve) => {
      organisation.watch(() => isOver || until(), resolve);
      organisation.plan(organisation.now + at_most_ms, stop);
      if (isOver) stop();
    });
    signal?.removeEventListener('abort', stop);
    organisation.cancelWakeUp(stop);
    organisation.waiting--;
    this.isAbandoned = signal?.aborted === true;
    return !this.isAbandoned;
  }

  /** Runs a script; later requests wait until `then` has used its outcome. */
  runScript(script: Script, then: (outcome: ScriptOutcome) => void): Promise<void> {
    const { organisation, exchange } = this;
    const done = organisation.setup.runScript(script).then((outcome) => {
      organisation.current = exchange;
      organisation.catchUp();
      then(outcome);
    });
    const release = () => {
      organisation.script = null;
    };
    organisation.script = done.then(release, release);
    return done;
  }

  assignTask(task: string): void {
    const { exchange, organisation } = this;
    if (exchange.task === undefined) {
      exchange.task = task;
      exchange.scenario = organisation.tasks.get(task)?.scenario ?? undefined;
    } else if (exchange.task !== task) exchange.note(`the same request made another task: ${task}`);
  }

  /** Adds a note that is expensive to create: it is created when the journal is read. */
  noteLater(make: LazyNote, request: Readonly<Record<string, unknown>>): void {
    this.exchange.lazyNote = make;
    this.exchange.lazyNoteSource = request;
  }
}

export interface FilePart {
  /** Name of the form field. */
  part: string;
  filename: string;
  type: string;
  bytes: Uint8Array;
}

export interface Parts {
  files: FilePart[];
  /** Text fields; if a name repeats, the last one counts. */
  texts: Readonly<Record<string, string>>;
}

/** The request as a handler gets it: validated, with defaults, typed by the operation. */
export interface Context<Op extends OperationId> extends RequestContext {
  path: PathParams<Op>;
  query: QueryParams<Op>;
  header: HeaderParams<Op>;
  body: JsonBody<Op>;
}

const NO_HEADERS = Object.freeze({});

/** A response with its own status, or with a body that is already JSON text. */
export class HandlerResponse {
  constructor(
    readonly status: number,
    readonly text: string,
    /** Added to the headers of every response. */
    readonly headers: Readonly<Record<string, string>> = NO_HEADERS,
  ) {}
}

/** A success body (HTTP 200) or a `HandlerResponse`. */
type HandlerResult<Op extends OperationId> = SuccessBody<Op> | HandlerResponse;

type Handler<Op extends OperationId> = (
  context: Context<Op>,
) => HandlerResult<Op> | Promise<HandlerResult<Op>>;

/** One handler for each operation: a missing or mistyped one does not compile. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
