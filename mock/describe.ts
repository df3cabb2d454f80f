import type { Operation } from '../spec/generated/operations.js';
import type { Call } from './call.js';
import { Entry } from './engine/journal.js';
import type { Organisation } from './engine/organisation.js';
import { TOO_LARGE, type WireRequest } from './wire.js';

/** What a request is to the protocol, by its operation; events are told apart by their body. */
const KINDS: Readonly<Record<string, string>> = {
  createTask: 'create',
  getTask: 'poll',
  deleteTask: 'cancel',
};

/** The beginning of an exchange: what was asked, of whom, when. `text` is the body as far as it is text. */
export function describeRequest(
  wire: WireRequest,
  operation: Operation,
  values: readonly string[],
  organisation: Organisation,
  text: string | undefined,
): Entry {
  const entry = new Entry(
    organisation.journal.nextSeq(),
    KINDS[operation.id] ?? operation.id,
    operation.id,
    wire.method,
    wire.url,
    wire.headers as Record<string, string>,
    organisation.world.now,
  );
  if (operation.segments[0] === 'task' && values.length > 0) entry.task = values[0]!;
  entry.body = text ?? describeBody(wire);
  return entry;
}

/** What is said of a body that is no text. */
function describeBody({ body, headers }: WireRequest): string | undefined {
  if (body === null || body === '') return undefined;
  if (body === TOO_LARGE) return '(too large to be read)';
  const kind = headers['content-type']?.startsWith('multipart/') ? 'multipart' : 'no UTF-8 text';
  return `(${body.length} bytes, ${kind})`;
}

/** `reply` or `action` for an event, by the name in its body. */
export function kindOf(call: Call): string {
  if (call.operation.id !== 'sendTaskEvent') return call.exchange.kind;
  const body = call.parsed?.value;
  const name = body !== null && typeof body === 'object' ? (body as { name?: unknown }).name : undefined;
  return name === 'tool_call' ? 'reply' : 'action';
}
