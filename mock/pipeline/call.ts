import type { Operation } from '../../spec/generated/operations.js';
import type { Organisation } from '../engine/organisation.js';
import type { Entry, LateNote } from '../journal/journal-entry.js';
import type { Context, Parts } from './context.js';
import type { WireRequest } from './wire.js';

/** One API request on its way through the mock. */
export interface Call {
  readonly wire: WireRequest;
  readonly operation: Operation;
  /** Values of the path parameters. */
  readonly values: readonly string[];
  readonly query: string;
  readonly organisation: Organisation;
  /** Its place in the journal. */
  readonly exchange: Entry;
  /** The body as text; undefined when there is none or it is no UTF-8. */
  readonly text: string | undefined;
  /** The JSON body once it has been parsed, for everybody who asks what the request is about. */
  parsed: { value: unknown } | undefined;
  /** The client went while it waited: nobody gets the answer. */
  gone: boolean;
}

type Owner = (own: Organisation, holds: (organisation: Organisation) => boolean) => Organisation | undefined;
type Input = Record<'path' | 'query' | 'header', unknown>;

/**
 * What a handler gets, for any operation: the table of handlers is typed one by one. The functions are made only when
 * a handler takes them, as most requests need none.
 */
export class CallContext {
  readonly organisation: Organisation;
  readonly path: unknown;
  readonly query: unknown;
  readonly header: unknown;

  constructor(
    private readonly call: Call,
    input: Input,
    readonly body: unknown,
    readonly parts: Parts,
    private readonly findOwner: Owner,
    private readonly onWaiting: (organisation: Organisation) => void,
  ) {
    this.organisation = call.organisation;
    this.path = input.path;
    this.query = input.query;
    this.header = input.header;
  }

  get now(): number {
    return this.organisation.world.now;
  }

  get scenario(): string | undefined {
    return this.call.wire.headers['x-taskdouble-scenario'];
  }

  get owner(): Context<'getJob'>['owner'] {
    return (holds) => this.findOwner(this.organisation, holds);
  }

  get waitFor(): Context<'getTask'>['waitFor'] {
    return (until, at_most_ms) => {
      const { organisation } = this;
      organisation.waiting++;
      this.onWaiting(organisation);
      const { signal } = this.call.wire;
      return waitFor(organisation, until, at_most_ms, signal).then(() => {
        organisation.waiting--;
        this.call.gone = signal?.aborted === true;
        return !this.call.gone;
      });
    };
  }

  concerns(task: string): void {
    const { exchange } = this.call;
    if (exchange.task === undefined) exchange.task = task;
    else if (exchange.task !== task) exchange.note(`the same request made another task: ${task}`);
  }

  noteLater(make: LateNote, request: Readonly<Record<string, unknown>>): void {
    this.call.exchange.later = make;
    this.call.exchange.laterOf = request;
  }

  get note(): Context<'createTask'>['note'] {
    return (text) => this.call.exchange.note(text);
  }
}

/** Settles once `until` gives true, `at_most_ms` have passed on the organisation's clock, or the client has gone. */
function waitFor(
  { world }: Organisation,
  until: () => boolean,
  at_most_ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    let over = signal?.aborted === true || world.closed;
    const stop = () => {
      over = true;
      world.changed();
    };
    signal?.addEventListener('abort', stop, { once: true });
    world.watch(
      () => over || until(),
      () => {
        signal?.removeEventListener('abort', stop);
        world.unplan(stop);
        resolve();
      },
    );
    world.plan(world.now + at_most_ms, stop);
    if (over) stop();
  });
}
