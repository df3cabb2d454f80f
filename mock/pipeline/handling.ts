import type { Operation } from '../../spec/generated/operations.js';
import { handlers } from '../api/handlers.js';
import { skipIdleTime } from '../clock/skip-idle-time.js';
import type { Organisation } from '../engine/organisation.js';
import { TableFull } from '../engine/resources/table.js';
import { authenticate } from './authenticate.js';
import { type Call, CallContext } from './call.js';
import type { Parts } from './context.js';
import { ApiError, InvalidInput } from './errors.js';
import { partsOf, readMultipart } from './multipart.js';
import type { Organisations } from './organisations.js';
import { checkRate } from './rate-limit.js';
import { bareRow, errorAnswer, refusal, success } from './responses.js';
import { checkBody, parseJson, readParameters, readText } from './validate.js';
import { json, TOO_LARGE, type WireResponse } from './wire.js';

export interface HandlingSetup {
  organisations: Organisations;
  /** Told when a request begins to wait for something. */
  onWaiting: (organisation: Organisation) => void;
  /** Told of a fault of the mock itself; the client gets a 500. */
  onFault: (error: unknown) => void;
}

export type MaybePromise<T> = T | Promise<T>;

/** What the service does with a request that has reached it: authentication, limits, validation, handler. */
export class Handling {
  constructor(private readonly setup: HandlingSetup) {}

  /** What the service answers: never throws. */
  answer(call: Call): MaybePromise<WireResponse> {
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
        return readMultipart(call.wire, partsOf(call.operation, world.setup.dialect))
          .then((parts) =>
            this.#run(
              new CallContext(call, input, undefined, parts, this.#owner, this.setup.onWaiting),
              call.operation,
            ),
          )
          .catch((error) => this.failure(organisation, error));
      }
      if (body) {
        call.parsed ??= { value: parseJson(call.text ?? readText(call.wire.body as Uint8Array)) };
        checkBody(call.operation, call.parsed.value);
      }
      const answer = this.#run(
        new CallContext(call, input, call.parsed?.value, NO_PARTS, this.#owner, this.setup.onWaiting),
        call.operation,
      );
      return answer instanceof Promise ? answer.catch((error) => this.failure(organisation, error)) : answer;
    } catch (error) {
      return this.failure(organisation, error);
    }
  }

  /** The answer to what a handler has thrown. */
  failure(organisation: Organisation, error: unknown): WireResponse {
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
    if (operation.body2xx === 'bare') return success(bareRow(context.organisation, outcome));
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

const NO_PARTS: Parts = { files: [], texts: {} };
