import type { Recorder } from '../journal/recorder.js';
import type { Network } from '../network/network.js';
import { keyOf } from './authenticate.js';
import type { Call } from './call.js';
import { describeRequest, describeStray, isForm, kindOf } from './describe-request.js';
import { Handling, type HandlingSetup, type MaybePromise } from './handling.js';
import { noOperation } from './no-operation.js';
import { preflight } from './preflight.js';
import { parseQuietly, textOf } from './read-body.js';
import { pathBelow, type Route, route } from './route.js';
import type { WireRequest, WireResponse } from './wire.js';

export interface CoreSetup extends HandlingSetup {
  /** Loads what the request needs and is not there yet: what makes values up, what runs scripts. */
  ready: (call: Call) => Promise<unknown> | undefined;
  /** Writes every exchange down in full. */
  recorder?: Recorder | undefined;
}

/**
 * The API without a transport: organisation, network, authentication, validation, handler, journal. Answers at once
 * wherever nothing has to be waited for.
 */
export class Core {
  readonly #handling: Handling;

  constructor(private readonly setup: CoreSetup) {
    this.#handling = new Handling(setup);
  }

  handle(wire: WireRequest): MaybePromise<WireResponse> {
    const mark = wire.url.indexOf('?');
    const path = mark === -1 ? wire.url : wire.url.slice(0, mark);
    const below = pathBelow(path);
    if (wire.method === 'OPTIONS') return preflight(wire);
    const found = below === undefined ? undefined : route(wire.method, below);
    if (found === undefined || found === 'malformed' || 'allowed' in found)
      return this.#stray(wire, noOperation(wire.method, path, found));
    return this.#call(wire, found, mark === -1 ? '' : wire.url.slice(mark + 1));
  }

  /** Whoever mistypes an address finds it in the journal of their key. No network stands in its way. */
  #stray(wire: WireRequest, answer: WireResponse): WireResponse {
    const organisation = this.setup.organisations.open(keyOf(wire.headers) ?? '');
    organisation.world.catchUp();
    const text = isForm(wire) ? undefined : textOf(wire.body);
    const exchange = describeStray(wire, organisation, text);
    const { status, headers, body } = answer;
    organisation.journal.open(exchange);
    organisation.journal.close(exchange, status, headers, body as string, organisation.world.now);
    this.setup.recorder?.call({ wire, text, exchange, gone: false, organisation }, answer);
    return answer;
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
    const needed = this.setup.ready(call);
    const before = organisation.loading;
    if (!needed && !before) return this.#pass(call);
    // What an earlier request waits for may fail: that is its own concern.
    const loading = Promise.all([needed, before?.catch(() => {})]);
    organisation.loading = loading;
    const over = () => {
      if (organisation.loading === loading) organisation.loading = null;
    };
    return loading.then(
      () => {
        over();
        organisation.world.catchUp();
        return this.#pass(call);
      },
      (error) => {
        over();
        return this.#done(call, this.#handling.failure(organisation, error));
      },
    );
  }

  /** Through the network and back. */
  #pass(call: Call): MaybePromise<WireResponse> {
    const network = call.organisation.network as Network;
    if (!network.idle) return this.#carry(call, network, () => this.#answerLater(call));
    const answer = this.#handling.answer(call);
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
    return this.#handling.answer(call);
  }
}
