import { createMonotonicClock, WakeUpTimer } from '../../mock/clock/wake-up-timer.js';
import { Recorder } from '../../mock/exchange/recorder.js';
import { type Route, route } from '../../mock/exchange/route.js';
import { type MaybePromise, readKey, type WireResponse } from '../../mock/exchange/wire.js';
import { Network } from '../../mock/network/network.js';
import { SharedRules } from '../../mock/network/shared-rules.js';
import { DEFAULT_LIMITS } from '../../mock/options/mock-options.js';
import { RequestContext } from '../../mock/pipeline/context.js';
import { Organisations } from '../../mock/pipeline/organisations.js';
import { resolveDialect } from '../../spec/dialect.js';
import { openPoints } from '../../spec/generated/open-points.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { type ProxyRequest, rememberTask } from './forward.js';

interface ProxyConnectionSetup {
  seed: string | number;
  origin: () => string;
  /** Forwards a request to the target. */
  forward: (context: RequestContext) => Promise<WireResponse>;
  /** Called with every completed exchange, unredacted. */
  onRecord: (exchange: Exchange) => void;
  onFault: (error: unknown) => void;
}

const refuseGeneration = () => {
  throw new Error('a proxy generates nothing');
};

/** The connection between client and service: network rules and journal as in a mock. Organisations are created by API key. */
export class ProxyConnection {
  readonly organisations: Organisations<Network>;
  readonly wakeUpTimer: WakeUpTimer;
  readonly #recorder: Recorder;
  /** Network rules of all organisations. */
  readonly sharedRules = new SharedRules(() => this.organisations.values());
  /** Exchanges that are not completed. */
  #pending = 0;
  #onIdle: (() => void) | undefined;
  /** Ended responses, and those of them that have left a port: the others wait for the end of this turn of the event loop. */
  #ended = 0;
  #sent = 0;
  #isSending = false;

  constructor(private readonly setup: ProxyConnectionSetup) {
    const wall = createMonotonicClock(Date.now);
    const timers = {
      set: (callback: () => void, delay_ms: number) => setTimeout(callback, delay_ms),
      clear: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
    };
    this.wakeUpTimer = new WakeUpTimer(wall, timers, setup.onFault);
    this.#recorder = new Recorder(setup.onRecord, setup.origin, wall);
    this.organisations = new Organisations({
      seed: setup.seed,
      wall,
      clock: { mode: 'real', speed: 1 },
      dialect: resolveDialect({}, openPoints).dialect,
      limits: DEFAULT_LIMITS,
      getOrigin: setup.origin,
      getGenerators: refuseGeneration,
      runScript: refuseGeneration,
      createNetwork: (organisation) => new Network(organisation),
      onPlanned: (organisation) => this.wakeUpTimer.arm(organisation),
      onClosed: (organisation) => this.wakeUpTimer.remove(organisation),
      onNote: (organisation, note) => organisation.current?.note(note),
      onPolledInVain: () => {},
      onExchange: undefined,
      latest: { seq: 0 },
      initialize: (organisation) => this.sharedRules.applyTo(organisation),
    });
  }

  get sent(): number {
    return this.#sent;
  }

  reset(): void {
    this.organisations.reset();
    this.sharedRules.reset();
  }

  /** Releases held requests. */
  stop(): void {
    this.organisations.reset();
    this.wakeUpTimer.stop();
  }

  /** Resolves once every exchange is completed and recorded. */
  async waitUntilIdle(): Promise<void> {
    if (this.#pending === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  handle(request: ProxyRequest): Promise<WireResponse> {
    const { method, url, headers } = request;
    const mark = url.indexOf('?');
    const found = route(method, mark === -1 ? url : url.slice(0, mark));
    const { operation, values = [] } = found as Partial<Route>;
    const organisation = this.organisations.open(readKey(headers) ?? '');
    organisation.catchUp();
    const query = mark === -1 ? '' : url.slice(mark + 1);
    const service = { organisations: this.organisations, advanceIfIdle: () => {} };
    const context = new RequestContext(request, organisation, operation, values, query, service);
    // In process a response arrives when it ends.
    context.exchange.order = { after: request.after ?? this.#ended };
    organisation.inFlight++;
    this.#pending++;
    organisation.journal.open(context.exchange);
    const { task } = context.exchange;
    if (task !== undefined) rememberTask(organisation, task);
    const forward = () => this.setup.forward(context);
    const { network } = organisation;
    // Requests outside of the API are not delayed or changed.
    const response: MaybePromise<WireResponse> =
      operation && !network.isIdle ? network.deliver(context, forward) : forward();
    const recorded = Promise.resolve(response).then((settled) => this.#record(context, settled));
    this.wakeUpTimer.keepAlive(recorded);
    return recorded;
  }

  #record(context: RequestContext, response: WireResponse): WireResponse {
    if (response.slow) response.slow.end.then(() => this.#close(context, response)).catch(this.setup.onFault);
    else this.#close(context, response);
    return response;
  }

  #countSent({ order }: RequestContext['exchange']): void {
    order!.response = ++this.#ended;
    if (this.#isSending) return;
    this.#isSending = true;
    // No request is read between the sending by the ports and this callback.
    setImmediate(() => {
      this.#isSending = false;
      this.#sent = this.#ended;
    });
  }

  #close(context: RequestContext, response: WireResponse): void {
    const { exchange, organisation } = context;
    organisation.catchUp();
    organisation.inFlight--;
    const { headers, body } = response;
    const isLost = response.fault?.kind === 'drop' || context.isAbandoned;
    // Without network effects, the client's exchange equals the upstream exchange.
    if (exchange.network === undefined) exchange.upstream = undefined;
    if (!isLost) this.#countSent(exchange);
    organisation.journal.close(exchange, isLost ? 0 : response.status, headers, body, organisation.now);
    try {
      this.#recorder.recordExchange(context, response);
    } catch (error) {
      // Judging or writing the exchange failed. The client still gets its response.
      this.setup.onFault(error);
    }
    if (--this.#pending === 0) this.#onIdle?.();
  }
}
