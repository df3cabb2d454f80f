import type { Operation } from '../../spec/generated/operations.js';
import { NO_OPERATION } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import { Entry } from '../journal/journal-entry.js';
import type { Call } from './call.js';
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

/** The beginning of an exchange that no operation is there for. */
export function describeStray(
  wire: WireRequest,
  { journal, world }: Organisation,
  text: string | undefined,
): Entry {
  const { method, url, headers } = wire;
  const sent = headers as Record<string, string>;
  const entry = new Entry(journal.nextSeq(), NO_OPERATION, undefined, method, url, sent, world.now);
  entry.body = text ?? describeBody(wire);
  return entry;
}

export function isForm({ headers }: WireRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') === true;
}

/** What is said of a body that is no text. */
function describeBody(wire: WireRequest): string | undefined {
  const { body } = wire;
  if (body === null || body === '') return undefined;
  if (body === TOO_LARGE) return '(too large to be read)';
  const kind = isForm(wire) ? 'multipart' : 'no UTF-8 text';
  return `(${body.length} bytes, ${kind})`;
}

/** `reply` or `action` for an event, by the name in its body. */
export function kindOf(call: Call): string {
  if (call.operation.id !== 'sendTaskEvent') return call.exchange.kind;
  const body = call.parsed?.value;
  const name = body !== null && typeof body === 'object' ? (body as { name?: unknown }).name : undefined;
  return name === 'tool_call' ? 'reply' : 'action';
}
