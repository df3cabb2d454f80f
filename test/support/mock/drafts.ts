import fc from 'fast-check';
import { type Operation, type OperationParameter, operations } from '../../../spec/generated/operations.js';
import type { OperationId } from '../../../spec/types.js';
import { API_PREFIX } from '../../../spec/vocabulary.js';
import { EMPTY_ZIP } from './api.js';
import { createSchemaArbitrary, EntityReference, LARGE, LargeValue, word } from './bodies.js';
import { type Entity, findTargetKind, type KnownEntities } from './known-entities.js';

/** The parts of a request, each of which can be broken. */
export interface RequestDraft {
  operation: Operation;
  method: string;
  /** Percent-encoded, below the prefix. */
  segments: string[];
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

/** The value that fast-check generates and minimizes. It becomes a draft once earlier responses have given names. */
export interface RequestPlan {
  operation: OperationId;
  /** Selects the resource. */
  which: number;
  /** Values of other parameters; null leaves out an optional one. */
  params: Readonly<Record<string, string | null>>;
  body: unknown;
}

/** Weights of operations whose resources other operations need. */
const OFTEN: Partial<Record<OperationId, number>> = {
  createTask: 6,
  getTask: 14,
  sendTaskEvent: 10,
  createWorkspace: 4,
  createMessage: 3,
  createAutomation: 3,
  saveSop: 3,
  triggerWebhook: 3,
  uploadExtension: 3,
  updateTask: 4,
  listProxies: 2,
};

/** They continue a chat or begin one. */
const SPEAKS: readonly OperationId[] = ['createChatTask', 'createMessage'];

export const plan: fc.Arbitrary<RequestPlan> = fc.oneof(
  ...Object.values(operations).map((operation) => ({
    weight: OFTEN[operation.id] ?? 1,
    arbitrary: createPlanArbitrary(operation),
  })),
);

function createPlanArbitrary(operation: Operation): fc.Arbitrary<RequestPlan> {
  // `t` must be that of a known chat: any other time is refused.
  const given = operation.params.filter(({ name }) => name !== 't' || !SPEAKS.includes(operation.id));
  const params = given.map((parameter): [string, fc.Arbitrary<string | null>] => [
    parameter.name,
    parameter.required || parameter.in === 'path'
      ? createValueArbitrary(parameter)
      : fc.option(createValueArbitrary(parameter), { freq: 1 }),
  ]);
  const schema = operation.body && { $ref: `#/components/schemas/${operation.body.schema}` };
  return fc.record(
    {
      operation: fc.constant(operation.id),
      which: fc.nat({ max: 1000 }),
      params: fc.record(Object.fromEntries(params), { noNullPrototype: true }),
      body: schema ? createSchemaArbitrary(schema, operation.body!.schema) : fc.constant(undefined),
    },
    { noNullPrototype: true },
  );
}

function createValueArbitrary(parameter: OperationParameter): fc.Arbitrary<string> {
  const { name } = parameter;
  if (name === 'app_name') return fc.constantFrom('mail', 'notes', 'calendar');
  if (name === 'plan') return fc.constantFrom('free', 'starter', 'growth', 'enterprise');
  if (name === 'email') return fc.emailAddress();
  // An empty segment is not a path of the operation.
  if (parameter.in === 'path') return word.map((text) => text || 'x');
  if (parameter.type === 'boolean') return fc.constantFrom('true', 'false');
  if (parameter.type === 'string') return word;
  // 0 is a new SOP, and all messages of a chat; other times come from known resources.
  if (name === 't') return fc.constantFrom('0', '9000000000000');
  return fc.integer({ min: parameter.minimum ?? 0, max: parameter.maximum ?? 10_000 }).map(String);
}

/** The request of a plan with the resources of `known`. */
export function createDraft(
  { operation: id, which, params, body }: RequestPlan,
  known: KnownEntities,
): RequestDraft {
  const operation = operations[id];
  const entity = findTarget(id, which, body, known) ?? {};
  const findValue = (name: string) => entity[name] ?? params[name];
  const draft: RequestDraft = {
    operation,
    method: operation.method,
    segments: [],
    query: [],
    headers: {},
    body: null,
  };
  draft.segments = operation.segments.map((segment) =>
    segment.startsWith('{') ? encode(findValue(segment.slice(1, -1)) ?? 'none') : segment,
  );
  for (const { name, in: where } of operation.params) {
    const text = findValue(name);
    if (text === null || text === undefined) continue;
    if (where === 'query') draft.query.push([name, text]);
    else if (where === 'header') draft.headers[name] = text;
  }
  if (operation.body?.kind === 'multipart') Object.assign(draft, encodeForm(operation, body, draft.headers));
  else if (operation.body) {
    draft.headers['content-type'] = 'application/json';
    draft.body = JSON.stringify(fill(body, known));
  }
  return draft;
}

/** The resource of the request: all parameters are taken from it. */
function findTarget(
  operation: OperationId,
  which: number,
  body: unknown,
  known: KnownEntities,
): Entity | undefined {
  const fields = (body ?? {}) as { id?: unknown; tool_response?: { id?: unknown } };
  const call = fields.tool_response?.id ?? fields.id;
  if (call instanceof EntityReference) return known.pick('toolCall', call.n) ?? known.pick('call', call.n);
  if (operation === 'saveSop' && which % 3 === 0)
    return known.pick('sop', which) ?? known.pick('workspace', which);
  if (SPEAKS.includes(operation) && which % 2 === 0) {
    const chat = known.pick('chat', which);
    if (chat) return chat;
  }
  const kind = findTargetKind(operation);
  return kind && known.pick(kind, which);
}

function encode(text: string): string {
  // Lone surrogates cannot be encoded: like a browser, this replaces them by U+FFFD.
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Replaces the placeholders by names from earlier responses and by large values. */
function fill(value: unknown, known: KnownEntities): unknown {
  if (value instanceof LargeValue) return LARGE[value.name]!();
  if (value instanceof EntityReference)
    return known.pick(value.kind, value.n)?.[value.field] ?? `unknown ${value.kind}`;
  if (Array.isArray(value)) return value.map((item) => fill(item, known));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, known)]));
}

export const BOUNDARY = 'a-boundary';

function encodeForm(
  operation: Operation,
  body: unknown,
  headers: Record<string, string>,
): Partial<RequestDraft> {
  const fields = (body ?? {}) as Record<string, unknown>;
  const chunks: (string | Uint8Array)[] = [];
  for (const { name, kind } of operation.body!.parts ?? []) {
    if (!(name in fields)) continue;
    for (const value of Array.isArray(fields[name]) ? fields[name] : [fields[name]]) {
      chunks.push(formatPart(name, kind === 'file'), name === 'file' ? EMPTY_ZIP : String(value), '\r\n');
    }
  }
  chunks.push(`--${BOUNDARY}--\r\n`);
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string)));
  return {
    body: new Uint8Array(bytes),
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

function formatPart(name: string, isFile: boolean): string {
  const filename = isFile ? `; filename="${name}.zip"\r\ncontent-type: application/zip` : '';
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${filename}\r\n\r\n`;
}

export function formatUrl({ segments, query }: RequestDraft): string {
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return `${API_PREFIX}/${segments.join('/')}${search === '' ? '' : `?${search}`}`;
}
