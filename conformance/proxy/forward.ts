import type { Readable } from 'node:stream';
import type { Organisation } from '../../mock/engine/organisation.js';
import { buildTask } from '../../mock/engine/tasks/lifecycle.js';
import { type DecodedBody, decodeBody } from '../../mock/exchange/body.js';
import { LARGEST_RECORDED_BODY } from '../../mock/exchange/recorder.js';
import {
  createJsonResponse,
  TOO_LARGE,
  toHeadText,
  type WireRequest,
  type WireResponse,
} from '../../mock/exchange/wire.js';
import type { RequestContext } from '../../mock/pipeline/context.js';
import { respondToFault } from '../../mock/pipeline/responses.js';
import { findPathBelow, isTargetBelow, parseUrl } from '../../spec/addresses.js';
import { redactHeaders } from '../../spec/redact.js';
import { quote } from '../../spec/show.js';
import type { NetworkEffect } from '../../spec/vocabulary.js';
import { readField } from '../conversation/json.js';
import { type RawHeaders, selectEndToEnd, toRaw, toRecord } from './headers.js';
import { observeStream, readWhole } from './response-body.js';
import { type ProxyTarget, toUpstreamError, UpstreamError } from './target.js';
import type { Upstream, UpstreamResponse } from './upstream.js';

/** A request received by a proxy's port. */
export interface ProxyRequest extends WireRequest {
  rawHeaders?: RawHeaders;
  /** The body, if it is too large to be held. It can be read once. */
  stream?: Readable;
  /** Number of responses that had been sent when it arrived. Default: all so far. */
  after?: number;
  /** Calls the listener when the client's connection closes, or the client stops waiting for this response. */
  onClose?(listener: () => void): void;
}

/** Forwards requests to the target, and converts its responses for the network rules and the client. */
export class Forwarder {
  /** Set when the proxy ends: it then breaks off its own requests, which says nothing about the target or the client. */
  isEnding = false;

  constructor(
    private readonly target: ProxyTarget,
    private readonly upstream: Upstream,
    /** Names this proxy in `via` (RFC 9110, section 7.6.3). */
    private readonly pseudonym: string,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Converts every error of a request to the target to an UpstreamError. */
  #convertErrors<T>(promise: Promise<T>): Promise<T> {
    return promise.catch((error) => {
      throw toUpstreamError(this.target, error);
    });
  }

  /** Never rejects. It is called again if the network duplicates the request. */
  async forward(context: RequestContext): Promise<WireResponse> {
    const { exchange, organisation } = context;
    const sent: NonNullable<typeof exchange.upstream>[number] = { at: organisation.now };
    try {
      const received = await this.#send(context, () => {
        organisation.catchUp();
        exchange.upstream ??= [];
        sent.at = organisation.now;
        exchange.upstream.push(sent);
      });
      return await this.#receive(context, received, sent);
    } catch (error) {
      if (!(error instanceof UpstreamError)) {
        this.onFault(error);
        recordEffect(context, {
          effect: 'replaced',
          note: 'the proxy sent the response: a fault of the proxy',
        });
        return respondToFault();
      }
      const { status, message } = error;
      if (this.isEnding || context.request.signal?.aborted)
        this.#abandon(context, 'before the target had responded');
      else recordEffect(context, { effect: 'replaced', note: `the proxy sent the response: ${message}` });
      return createJsonResponse(status, { detail: `taskdouble proxy: ${message}` });
    }
  }

  #send(context: RequestContext, onSend: () => void): Promise<UpstreamResponse> {
    const request = context.request as ProxyRequest;
    const { method, url, headers, body, rawHeaders, stream } = request;
    if (!url.startsWith('/'))
      throw new UpstreamError(`the request target ${quote(url)} is not a path: nothing was forwarded.`, 400);
    if (!isTargetBelow(this.target.baseUrl, url))
      throw new UpstreamError(
        `the path ${quote(url)} leaves ${this.target.baseUrl}: nothing was forwarded.`,
        400,
      );
    const raw = rawHeaders ?? toRaw(headers);
    const via = headers.via;
    if (via?.includes(this.pseudonym))
      throw new UpstreamError(`${this.target.baseUrl} leads back to this proxy. Correct TARGET.`, 508);
    if (body === TOO_LARGE && !stream)
      throw new UpstreamError('the body of the request is too large to be held, and can be sent only once.');
    const sent = selectEndToEnd(raw, (name) => name === 'host' || name === 'expect' || name === 'via');
    sent.push('via', `${via === undefined ? '' : `${via}, `}1.1 ${this.pseudonym}`);
    delete request.stream;
    onSend();
    const path = this.target.base + url;
    const content = body === TOO_LARGE ? (stream ?? null) : body;
    return this.#convertErrors(
      this.upstream.send({ method, path, headers: sent, body: content, client: request }),
    );
  }

  async #receive(
    context: RequestContext,
    { status, reason, headers: all, body }: UpstreamResponse,
    sent: { at: number; response?: object },
  ): Promise<WireResponse> {
    const headers = this.#rewriteAddresses(context, status, selectEndToEnd(all));
    if (toHeadText(reason) !== reason)
      context.note('characters of the reason phrase that HTTP does not allow were forwarded as spaces');
    const given = toRecord(headers);
    const encoding = given['content-encoding'];
    const read = (bytes: Uint8Array) => decodeBody(bytes, given, LARGEST_RECORDED_BODY);
    if (encoding !== undefined) context.note(`the body was compressed: ${encoding}`);
    const finish = (decoded: DecodedBody, recorded: Record<string, string>, leftOut = 0) => {
      const { organisation } = context;
      organisation.catchUp();
      this.#observeTask(context, status, decoded.body);
      const { now } = organisation;
      Object.assign(sent, {
        response: createUpstreamRecord(status, recorded, decoded, leftOut, now),
      });
    };
    const whole =
      body instanceof Uint8Array
        ? body
        : context.isAffected
          ? await this.#convertErrors(readWhole(body))
          : undefined;
    if (whole instanceof Uint8Array) {
      const decoded = read(whole);
      const recorded = selectRecordedHeaders(given, decoded);
      finish(decoded, recorded);
      const received = { reason, headers, body: whole, text: decoded.body };
      return { status, headers: recorded, ...decoded, received };
    }
    if (whole) context.note('the body is larger than 16 MiB: network rules for bodies do not change it');
    const stream = whole ?? (body as ReadableStream<Uint8Array>);
    const response: WireResponse = {
      status,
      headers: {
        ...selectRecordedHeaders(given, { body: '' }),
        ...(encoding !== undefined && { 'content-encoding': encoding }),
      },
      body: '',
    };
    const passed = observeStream(stream, (kept, end) => {
      const decoded: DecodedBody = kept.leftOut === 0 ? read(kept.bytes) : { body: kept.bytes };
      const recorded = selectRecordedHeaders(given, decoded);
      if (end === 'whole') finish(decoded, recorded, kept.leftOut);
      else if (end === 'cancelled' || this.isEnding || context.request.signal?.aborted)
        this.#abandon(context, 'before it had the whole response');
      else recordEffect(context, { effect: 'cut', note: 'the target aborted the response in its body' });
      Object.assign(response, decoded, { headers: recorded });
      if (kept.leftOut > 0) response.left_out = kept.leftOut;
    });
    response.slow = passed;
    response.received = { reason, headers, body: null, text: '' };
    return response;
  }

  /**
   * Rewrites addresses below the target so that they lead the client to this proxy. Throws UpstreamError for a redirect to another
   * address: clients would send their key there.
   */
  #rewriteAddresses({ request, note }: RequestContext, status: number, headers: string[]): string[] {
    const { baseUrl } = this.target;
    return headers.flatMap((name, at) => {
      if (at % 2 === 1) return [];
      const value = headers[at + 1]!;
      const [before, address] = ADDRESSES.get(name.toLowerCase())?.exec(value)?.slice(1) ?? [];
      if (address === undefined) return [name, value];
      const inside = findPathBelow(baseUrl, address, baseUrl + request.url);
      if (inside !== undefined) {
        const isSameHere = findPathBelow(ANYWHERE, address, ANYWHERE + request.url) === inside;
        return [name, isSameHere ? value : before + inside];
      }
      if (name.toLowerCase() === 'refresh') {
        note('the header refresh was not forwarded: it leads to another address');
        return [];
      }
      if (status >= 300 && status < 400 && name.toLowerCase() === 'location')
        throw new UpstreamError(
          `${baseUrl} redirects (${status}) to ${formatAddress(address, baseUrl + request.url)}, and the proxy sends no key there. If that is the service, use its address as TARGET.`,
        );
      return [name, value];
    });
  }

  /** The response is lost: its reader has gone, or the proxy ends. */
  #abandon(context: RequestContext, when: string): void {
    context.isAbandoned = true;
    const cause = this.isEnding ? 'the proxy was ended' : 'the client closed the connection';
    recordEffect(context, { effect: 'lost', note: `${cause} ${when}` });
  }

  /** Records the tasks and their polls for network rules. */
  #observeTask({ exchange, organisation }: RequestContext, status: number, text: string | Uint8Array): void {
    if (status < 200 || status > 299) return;
    if (exchange.kind === 'create' && typeof text === 'string') {
      const id = findTaskId(text);
      if (id !== undefined) {
        exchange.task = id;
        rememberTask(organisation, id);
      }
    } else if (exchange.kind === 'poll') {
      const task = organisation.tasks.get(exchange.task ?? '');
      if (task) task.polls++;
    }
  }
}

/** Headers with an address: the part before it, and the address. */
const ADDRESSES: ReadonlyMap<string, RegExp> = new Map([
  ['location', /^()(.*)$/s],
  ['content-location', /^()(.*)$/s],
  ['refresh', /^([^;,]*[;,]\s*(?:url\s*=\s*)?)["']?(.*?)["']?$/is],
]);
/** Placeholder for the address of this proxy. */
const ANYWHERE = 'http://proxy.invalid';

/** An address for messages: its origin, and its path if only that differs. */
function formatAddress(reference: string, from: string): string {
  const url = parseUrl(reference, from);
  if (!url) return 'an invalid address';
  const { origin, pathname, protocol } = url;
  if (origin === 'null') return protocol;
  return origin === new URL(from).origin ? origin + pathname : origin;
}

/** Most tasks of one organisation for network rules. */
const MOST_TASKS = 5000;

/** Adds a task for network rules, which count its requests. */
export function rememberTask(organisation: Organisation, id: string): void {
  const { tasks } = organisation;
  if (tasks.has(id)) return;
  const task = buildTask(organisation, id, {}, organisation.now);
  // The service runs it: nothing is due here.
  task.status = 'done';
  tasks.set(id, task);
  if (tasks.size > MOST_TASKS) tasks.delete(tasks.keys().next().value!);
}

function findTaskId(text: string): string | undefined {
  try {
    const id = readField(readField(JSON.parse(text), 'r'), 'id');
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

function recordEffect({ exchange }: RequestContext, effect: NetworkEffect): void {
  exchange.network ??= [];
  exchange.network.push(effect);
}

/** Without headers about the encoded bytes, and without cookies. */
function selectRecordedHeaders(
  { 'content-encoding': coding, 'content-length': _, ...kept }: Readonly<Record<string, string>>,
  { encoding_fault }: DecodedBody,
): Record<string, string> {
  const isWrong = encoding_fault === 'content-encoding' && coding !== undefined;
  return redactHeaders(isWrong ? { ...kept, 'content-encoding': coding } : kept);
}

function createUpstreamRecord(
  status: number,
  headers: Record<string, string>,
  { body, encoding_fault }: DecodedBody,
  leftOut: number,
  at: number,
) {
  if (typeof body === 'string' && leftOut === 0)
    return { status, headers, body, at, ...(encoding_fault && { encoding_fault }) };
  const left_out = body.length + leftOut;
  return { status, headers, body: `(${left_out} bytes)`, left_out, at };
}
