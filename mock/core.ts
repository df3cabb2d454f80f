import type { Operation } from '../spec/generated/operations.js';
import { API_PREFIX } from '../spec/vocabulary.js';
import { authenticate, keyOf } from './api/authenticate.js';
import { Answer, type Parts } from './api/context.js';
import { ApiError, InvalidInput } from './api/errors.js';
import { handlers } from './api/handlers.js';
import { readMultipart } from './api/multipart.js';
import { checkRate } from './api/rate-limit.js';
import { type Route, route } from './api/route.js';
import { checkBody, parseJson, readParameters, readText } from './api/validate.js';
import { type Call, CallContext } from './call.js';
import { describeRequest, kindOf } from './describe.js';
import type { Organisation } from './engine/organisation.js';
import { TableFull } from './engine/table.js';
import type { Network } from './network/network.js';
import type { Organisations } from './organisations.js';
import type { Recorder } from './replay/recorder.js';
import { skipIdleTime } from './skip.js';
import { API_HEADERS, json, TOO_LARGE, type WireRequest, type WireResponse } from './wire.js';

export interface CoreSetup {
  organisations: Organisations;
  /** Loads what makes values up; called before the first request that may need it. */
  ready: (operation: Operation) => Promise<void> | undefined;
  /** Told when a request begins to wait for something. */
  onWaiting: (organisation: Organisation) => void;
  /** Told of a fault of the mock itself; the client gets a 500. */
  onFault: (error: unknown) => void;
  /** Writes every exchange down in full. */
  recorder?: Recorder | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/**
 * The API without a transport: organisation, network, authentication, validation, handler, journal. Answers at once
 * wherever nothing has to be waited for.
 */
export class Core {
  constructor(private readonly setup: CoreSetup) {}

  handle(wire: WireRequest): MaybePromise<WireResponse> {
    const mark = wire.url.indexOf('?');
    const path = mark === -1 ? wire.url : wire.url.slice(0, mark);
    const below = pathBelow(path);
    if (wire.method === 'OPTIONS') return preflight(wire);
    const found = below === undefined ? undefined : route(wire.method, below);
    if (found === undefined || found === 'malformed' || 'allowed' in found)
      return this.#recorded(wire, this.#stray(wire, path, found));
    return this.#call(wire, found, mark === -1 ? '' : wire.url.slice(mark + 1));
  }

  #recorded(wire: WireRequest, answer: WireResponse): WireResponse {
    this.setup.recorder?.other(wire, answer, 'unknown');
    return answer;
  }

  #stray(wire: WireRequest, path: string, found: Exclude<ReturnType<typeof route>, Route>): WireResponse {
    if (found === 'malformed')
      return errorAnswer(new ApiError(404, `The path ${show(path)} has a broken percent-encoding.`));
    if (found === undefined) {
      return errorAnswer(
        new ApiError(
          404,
          `There is no operation at ${wire.method} ${show(path)}. The API lives under ${API_PREFIX}.`,
        ),
      );
    }
    const allow = found.allowed.join(', ');
    return errorAnswer(
      new ApiError(405, `${wire.method} is not allowed at ${show(path)}, only ${allow}.`, { allow }),
    );
  }

  #call(wire: WireRequest, found: Route, query: string): MaybePromise<WireResponse> {
    const { operation, values } = found;
    const organisation = this.setup.organisations.open(keyOf(wire.headers) ?? '');
    organisation.world.catchUp();
    const text = operation.body?.kind === 'multipart' ? undefined : textOf(wire.body);
    const exchange = describeRequest(wire, operation, values, organisation, text);
    const call: Call = {
      wire,
      operation,
      values,
      query,
      organisation,
      exchange,
      text,
      parsed: undefined,
      gone: false,
    };
    organisation.inFlight++;
    organisation.journal.open(exchange);
    // Nobody overtakes who waits for the loading: the order of the requests decides the answers, not what is loaded yet.
    const needed = this.setup.ready(operation);
    const loading = needed ?? organisation.loading;
    if (!loading) return this.#pass(call);
    organisation.loading = loading;
    return loading.then(
      () => {
        organisation.loading = null;
        organisation.world.catchUp();
        return this.#pass(call);
      },
      (error) => {
        organisation.loading = null;
        return needed ? this.#done(call, this.#failure(organisation, error)) : this.#pass(call);
      },
    );
  }

  /** Through the network and back. */
  #pass(call: Call): MaybePromise<WireResponse> {
    const network = call.organisation.network as Network;
    if (!network.idle) return this.#carry(call, network, () => this.#answerLater(call));
    const answer = this.#answer(call);
    if (call.operation.id === 'createTask') {
      // The new task's own timeline may have set rules that concern the answer to this very request.
      if (!network.idle) return this.#carry(call, network, () => answer, true);
      network.created();
    }
    return answer instanceof Promise
      ? answer.then((response) => this.#done(call, response))
      : this.#done(call, answer);
  }

  #carry(
    call: Call,
    network: Network,
    answer: () => MaybePromise<WireResponse>,
    isHandled = false,
  ): MaybePromise<WireResponse> {
    parseQuietly(call);
    call.exchange.kind = kindOf(call);
    const passed = network.carry(call, answer, isHandled);
    return passed instanceof Promise
      ? passed.then((response) => this.#done(call, response))
      : this.#done(call, passed);
  }

  #done(call: Call, response: WireResponse): WireResponse {
    const { exchange, organisation, operation } = call;
    organisation.inFlight--;
    organisation.current = null;
    if (operation.id === 'sendTaskEvent') exchange.kind = kindOf(call);
    const { headers, body } = response;
    const status = response.fault?.kind === 'drop' || call.gone ? 0 : response.status;
    const text = typeof body === 'string' ? body : `(${body.length} bytes)`;
    organisation.journal.close(exchange, status, headers, text, organisation.world.now);
    this.setup.recorder?.call(call, response);
    return response;
  }

  /** Time may have passed on the way. */
  #answerLater(call: Call): MaybePromise<WireResponse> {
    call.organisation.world.catchUp();
    return this.#answer(call);
  }

  /** What the service answers: never throws. */
  #answer(call: Call): MaybePromise<WireResponse> {
    const { organisation } = call;
    const { world } = organisation;
    organisation.current = call.exchange;
    if (world.setup.clock.jumps && call.exchange.kind === 'poll') skipIdleTime(organisation, call.values[0]!);
    try {
      authenticate(call);
      checkRate(organisation);
      const input = readParameters(call.operation, call.values, call.query, call.wire.headers);
      const { body } = call.operation;
      if (call.wire.body === TOO_LARGE)
        throw new ApiError(413, 'The body is larger than this service takes.');
      if (body?.kind === 'multipart') {
        return readMultipart(call.wire, call.operation)
          .then((parts) =>
            this.#run(
              new CallContext(call, input, undefined, parts, this.#owner, this.setup.onWaiting),
              call.operation,
            ),
          )
          .catch((error) => this.#failure(organisation, error));
      }
      if (body) {
        call.parsed ??= { value: parseJson(call.text ?? readText(call.wire.body as Uint8Array)) };
        checkBody(call.operation, call.parsed.value);
      }
      const answer = this.#run(
        new CallContext(call, input, call.parsed?.value, NO_PARTS, this.#owner, this.setup.onWaiting),
        call.operation,
      );
      return answer instanceof Promise ? answer.catch((error) => this.#failure(organisation, error)) : answer;
    } catch (error) {
      return this.#failure(organisation, error);
    }
  }

  #failure(organisation: Organisation, error: unknown): WireResponse {
    if (error instanceof InvalidInput) return refusal(organisation, error);
    if (error instanceof ApiError) return errorAnswer(error);
    if (error instanceof TableFull) return errorAnswer(new ApiError(400, error.message));
    this.setup.onFault(error);
    return json(500, { detail: 'A fault of the mock itself: its log says more. Please report it.' });
  }

  #run(context: CallContext, operation: Operation): MaybePromise<WireResponse> {
    // The table is typed operation by operation; here any of them is called with what was read for it.
    const handler = handlers[operation.id] as (context: unknown) => unknown;
    const outcome = handler(context);
    return outcome instanceof Promise ? outcome.then(success) : success(outcome);
  }

  readonly #owner = (
    own: Organisation,
    holds: (organisation: Organisation) => boolean,
  ): Organisation | undefined => {
    if (own.key !== '' && holds(own)) return own;
    const owner = this.setup.organisations.find(holds);
    owner?.world.catchUp();
    return owner;
  };
}

/** The body as text; undefined when there is none, or when it is no UTF-8 (the service says so when it gets there). */
function textOf(body: WireRequest['body']): string | undefined {
  if (body === TOO_LARGE || body === null) return undefined;
  if (typeof body === 'string') return body;
  try {
    return readText(body);
  } catch {
    return undefined;
  }
}

const NO_PARTS: Parts = { files: [], texts: {} };

function success(outcome: unknown): WireResponse {
  if (!(outcome instanceof Answer)) return json(200, outcome);
  const headers = (outcome.headers ? { ...API_HEADERS, ...outcome.headers } : API_HEADERS) as Record<
    string,
    string
  >;
  return { status: outcome.status, headers, body: outcome.text ?? JSON.stringify(outcome.body) };
}

/** Dialects `errors.validation-detail` and, for parameters, `errors.invalid-parameters`. */
function refusal(organisation: Organisation, error: InvalidInput): WireResponse {
  const { dialect } = organisation.world.setup;
  // The key is no parameter: what its absence leads to is a point of its own.
  const inParameters = error.problems.every(({ loc }) => loc[0] !== 'body' && loc[1] !== 'apikey');
  if (inParameters && dialect['errors.invalid-parameters'] === '400') {
    return errorAnswer(new ApiError(400, error.detail));
  }
  return dialect['errors.validation-detail'] === 'string'
    ? errorAnswer(error)
    : json(422, { detail: error.problems });
}

function errorAnswer(error: ApiError): WireResponse {
  return json(error.status, { detail: error.detail }, { ...API_HEADERS, ...error.headers });
}

/** The path below `/api/v1`, extra slashes passed over; undefined for any other path. */
function pathBelow(path: string): string | undefined {
  if (path.startsWith(`${API_PREFIX}/`) && path.charCodeAt(API_PREFIX.length + 1) !== 0x2f)
    return path.slice(API_PREFIX.length);
  const folded = path.replace(/\/{2,}/g, '/');
  return folded.startsWith(`${API_PREFIX}/`) ? folded.slice(API_PREFIX.length) : undefined;
}

/** Browsers ask first. */
export function preflight(wire: WireRequest): WireResponse {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': wire.headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '600',
    },
    body: '',
  };
}

function parseQuietly(call: Call): void {
  if (call.operation.body?.kind !== 'json' || call.wire.body === TOO_LARGE) return;
  try {
    call.parsed = { value: parseJson(call.text ?? '') };
  } catch {
    // The service says what is wrong with it when the request gets there.
  }
}

function show(path: string): string {
  return path.length > 120 ? `${path.slice(0, 117)}...` : path;
}
