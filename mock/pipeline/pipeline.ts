import type { Operation } from '../../spec/generated/operations.js';
import { pauseAfterRefusal, pauseAfterRepeatedRead } from '../clock/skip-idle-time.js';
import type { WakeUpTimer } from '../clock/wake-up-timer.js';
import type { Organisation } from '../engine/organisation.js';
import { ApiError, InvalidInput } from '../exchange/errors.js';
import type { Recorder } from '../exchange/recorder.js';
import { type Route, route } from '../exchange/route.js';
import { type MaybePromise, readKey, type WireRequest, type WireResponse } from '../exchange/wire.js';
import { type ContextService, type Handlers, RequestContext } from './context.js';
import { isRefused, type Organisations } from './organisations.js';
import {
  respondToError,
  respondToFault,
  respondToPreflight,
  respondToUnknownPath,
  toResponse,
} from './responses.js';
import { validate } from './validate.js';

export interface PipelineService extends ContextService {
  organisations: Pick<Organisations, 'open' | 'find'>;
  /** Responds to a request outside the API: the admin API, and the pages that responses link to. */
  handleNonApi(request: WireRequest): MaybePromise<WireResponse> | undefined;
  /** Loads the modules that a request needs; undefined if they are loaded. */
  load(context: RequestContext): Promise<unknown> | undefined;
  wakeUpTimer: Pick<WakeUpTimer, 'keepAlive'>;
  reportFault(error: unknown): void;
  recorder: Recorder | undefined;
}

/**
 * Processes a request: transport → route → organisation → network (request side) → authenticate and validate
 * → handler → network (response side) → journal. It is synchronous unless it has to wait, so that requests
 * are handled in arrival order.
 */
export class Pipeline {
  constructor(
    private readonly service: PipelineService,
    private readonly handlers: Handlers,
  ) {}

  /** Step 1, called by every transport; and step 2, the route. */
  handle(request: WireRequest): MaybePromise<WireResponse> {
    const { url } = request;
    // RFC 9110, section 9.3.2: the response to HEAD is that to GET; the transport omits the body.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const nonApi = url.startsWith('/api/') ? undefined : this.service.handleNonApi(request);
    if (nonApi) return nonApi;
    if (method === 'OPTIONS') return respondToPreflight(request);
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const found = route(method, path);
    const context = this.#open(request, found, mark === -1 ? '' : url.slice(mark + 1));
    // A mistyped address is recorded in the journal of its key. The network does not delay or change it.
    if (!('operation' in found)) return this.#record(context, respondToUnknownPath(method, path, found));
    const response = this.#handleAfterLoading(context);
    if (!(response instanceof Promise)) return this.#record(context, response);
    const recorded = response.then((settled) => this.#record(context, settled));
    // The process must not end while a client waits for a delayed response.
    this.service.wakeUpTimer.keepAlive(recorded);
    return recorded;
  }

  /** Step 3, the organisation of the key; the exchange begins. */
  #open(request: WireRequest, found: ReturnType<typeof route>, query: string): RequestContext {
    const organisation = this.service.organisations.open(readKey(request.headers) ?? '');
    organisation.catchUp();
    const { operation, values = [] } = found as Partial<Route>;
    const context = new RequestContext(request, organisation, operation, values, query, this.service);
    organisation.inFlight++;
    organisation.journal.open(context.exchange);
    return context;
  }

  /** Requests are handled in arrival order, even while a module is still loading or a script runs. */
  #handleAfterLoading(context: RequestContext): MaybePromise<WireResponse> {
    const { organisation } = context;
    const needed = this.service.load(context);
    const earlier = organisation.loading;
    if (!needed && !earlier && !organisation.script) return this.#runExchange(context);
    // A loading error fails only the request that needed the module, not the later ones.
    const loading = Promise.all([needed, earlier?.catch(() => {})]).then(() => awaitScripts(organisation));
    organisation.loading = loading;
    const finish = () => {
      if (organisation.loading === loading) organisation.loading = null;
    };
    return loading.then(
      () => {
        finish();
        organisation.catchUp();
        return this.#runExchange(context);
      },
      (error) => {
        finish();
        return this.#toErrorResponse(organisation, error);
      },
    );
  }

  /**
   * Steps 4 to 7: through the network, which may delay, repeat, change or drop it, to the handler and back.
   */
  #runExchange(context: RequestContext): MaybePromise<WireResponse> {
    const { exchange, organisation } = context;
    const { network } = organisation;
    if (!network.isIdle && context.request.method !== 'HEAD') {
      return network.deliver(context, () => {
        // Time may have passed in the network.
        organisation.catchUp();
        return this.#handleInTurn(context);
      });
    }
    const response = this.#handleInTurn(context);
    if (exchange.kind !== 'create') return response;
    // The timeline of the new task may have added rules for the response to this request.
    if (!network.isIdle) return network.deliver(context, () => response, true);
    network.counts.countCreate();
    return response;
  }

  /** The network may deliver a request while the script of an earlier one runs. */
  #handleInTurn(context: RequestContext): MaybePromise<WireResponse> {
    const { organisation } = context;
    if (!organisation.script) return this.#handle(context);
    return organisation.script.then(() => {
      organisation.catchUp();
      return this.#handleInTurn(context);
    });
  }

  /** Steps 5 and 6: authenticate, validate, handle. Never throws or rejects. */
  #handle(context: RequestContext): MaybePromise<WireResponse> {
    const { organisation, exchange } = context;
    const operation = context.operation!;
    organisation.current = exchange;
    try {
      authenticate(organisation, operation, context.request.headers);
      checkRate(organisation);
      validate(context, operation);
      const { method, url } = context.request;
      if (organisation.clock.mode === 'skipping' && exchange.kind !== 'poll')
        pauseAfterRepeatedRead(organisation, method, url);
      // The table is typed per operation; here the context matches the operation of the handler.
      const handler = this.handlers[operation.id] as (context: unknown) => unknown;
      const result = handler(context);
      if (!(result instanceof Promise)) return toResponse(organisation, operation, result);
      return result
        .then((settled) => toResponse(organisation, operation, settled))
        .catch((error) => this.#toErrorResponse(organisation, error));
    } catch (error) {
      return this.#toErrorResponse(organisation, error);
    }
  }

  #toErrorResponse(organisation: Organisation, error: unknown): WireResponse {
    const response = respondToError(organisation, error);
    if (!response) this.service.reportFault(error);
    return response ?? respondToFault();
  }

  /** Step 8, the journal. */
  #record(context: RequestContext, response: WireResponse): WireResponse {
    if (response.slow) response.slow.end.then(() => this.#close(context, response));
    else this.#close(context, response);
    return response;
  }

  #close(context: RequestContext, response: WireResponse): void {
    const { exchange, organisation } = context;
    organisation.inFlight--;
    organisation.current = null;
    const { headers } = response;
    const body = context.request.method === 'HEAD' ? '' : response.body;
    const status = response.fault?.kind === 'drop' || context.isAbandoned ? 0 : response.status;
    organisation.journal.close(exchange, status, headers, body, organisation.now);
    this.service.recorder?.recordExchange(context, response);
    if (organisation.clock.mode === 'skipping')
      pauseAfterRefusal(organisation, status, headers['retry-after']);
  }
}

async function awaitScripts(organisation: Organisation): Promise<void> {
  while (organisation.script) await organisation.script;
}

/** Headers in which other services expect a key. */
const OTHER_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-apikey', 'api_key', 'x-auth-token'];

/**
 * Throws the ApiError of the dialect (`auth.missing-key`, `auth.invalid-key`) if the operation needs a key.
 */
function authenticate(
  organisation: Organisation,
  operation: Operation,
  headers: Readonly<Record<string, string | undefined>>,
): void {
  const { key } = organisation;
  if (operation.auth === 'none') return;
  const { dialect } = organisation;
  if (key === '') {
    const seen = OTHER_HEADERS.find((name) => headers[name] !== undefined);
    const instead = seen === undefined ? '' : `, not in "${seen}"`;
    const msg = `The API key is missing: send it in the header "apikey"${instead}.`;
    const point = dialect['auth.missing-key'];
    if (point === '422') throw new InvalidInput([{ loc: ['header', 'apikey'], msg, type: 'missing' }]);
    throw new ApiError(point === '403' ? 403 : 401, msg);
  }
  if (isRefused(key)) {
    throw new ApiError(Number(dialect['auth.invalid-key']) as 401 | 403, 'The API key is not valid.');
  }
}

/** Rate limit of a `limited-*` key: three requests at once, then one every two seconds. */
const LIMITED = { per_s: 0.5, burst: 3 };

/**
 * Throws ApiError 429 with Retry-After if the organisation sends requests too fast (dialect `limits.rate`,
 * key `limited-*`).
 */
function checkRate(organisation: Organisation): void {
  const rate = Number(organisation.dialect['limits.rate']);
  const limited = organisation.key.startsWith('limited-');
  if (!limited && !(rate > 0)) return;
  const { per_s, burst } = limited ? LIMITED : { per_s: rate, burst: Math.max(1, Math.ceil(rate)) };
  const { now } = organisation;
  organisation.bucket ??= { tokens: burst, filled_at: now };
  const { bucket } = organisation;
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filled_at) / 1000) * per_s);
  bucket.filled_at = now;
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return;
  }
  const wait_s = Math.max(1, Math.ceil((1 - bucket.tokens) / per_s));
  throw new ApiError(429, `Too many requests: at most ${per_s} a second. Ask again in ${wait_s} s.`, {
    'retry-after': String(wait_s),
  });
}
