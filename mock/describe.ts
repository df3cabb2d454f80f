import type { Operation } from '../spec/generated/operations.js';
import type { Exchange } from '../spec/vocabulary.js';
import type { Call } from './core.js';
import type { Organisation } from './engine/organisation.js';
import { TOO_LARGE, type WireRequest } from './wire.js';

/** What a request is to the protocol, by its operation; events are told apart by their body. */
const KINDS: Readonly<Record<string, string>> = {
  createTask: 'create',
  getTask: 'poll',
  deleteTask: 'cancel',
};

/** The beginning of an exchange: what was asked, of whom, when. */
export function describeRequest(
  wire: WireRequest,
  operation: Operation,
  values: string[],
  organisation: Organisation,
): Exchange {
  const exchange: Exchange = {
    seq: organisation.journal.nextSeq(),
    kind: KINDS[operation.id] ?? operation.id,
    operation: operation.id,
    organisation: organisation.name,
    request: {
      method: wire.method,
      url: wire.url,
      headers: wire.headers as Record<string, string>,
      at: organisation.world.now,
    },
  };
  if (operation.segments[0] === 'task' && values.length > 0) exchange.task = values[0]!;
  const body = bodyText(wire);
  if (body !== undefined) exchange.request.body = body;
  return exchange;
}

function bodyText({ body, headers }: WireRequest): string | undefined {
  if (body === null || body === '') return undefined;
  if (body === TOO_LARGE) return '(too large to be read)';
  if (typeof body === 'string') return body;
  if (headers['content-type']?.startsWith('multipart/')) return `(${body.length} bytes of multipart)`;
  return new TextDecoder().decode(body);
}

/** `reply` or `action` for an event, by the name in its body. */
export function kindOf(call: Call): string {
  if (call.operation.id !== 'sendTaskEvent') return call.exchange.kind;
  const body = call.parsed?.value;
  const name = body !== null && typeof body === 'object' ? (body as { name?: unknown }).name : undefined;
  return name === 'tool_call' ? 'reply' : 'action';
}
