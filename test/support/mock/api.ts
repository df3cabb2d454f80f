import { expect } from 'vitest';
import { MANUAL_START_MS } from '../../../mock/engine/clock.js';
import type { Organisation } from '../../../mock/engine/organisation.js';
import { DEFAULT_ORGANISATION_LIMITS, type OrganisationLimits } from '../../../mock/engine/organisation.js';
import { route } from '../../../mock/exchange/route.js';
import type { WireRequest } from '../../../mock/exchange/wire.js';
import { Network } from '../../../mock/network/network.js';
import { Organisations } from '../../../mock/pipeline/organisations.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { resolveDialect } from '../../../spec/dialect.js';
import { openPoints } from '../../../spec/generated/documents.js';
import { API_PREFIX } from '../../../spec/vocabulary.js';
import { listResponseErrors } from '../response-errors.js';
import { createPipeline } from './pipeline.js';

export const ORIGIN = 'http://mock.test';

interface ApiOptions {
  dialect?: Record<string, unknown>;
  limits?: Partial<OrganisationLimits>;
  scenarios?: Scenario[];
}

interface TestApiRequest {
  /** Default: `test`; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
  json?: unknown;
  form?: FormData;
}

/** `r` is the payload of an enveloped success. */
interface TestApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  r: any;
}

export interface Api {
  /** Sends a request, and checks the response against the API description. */
  send(method: string, path: string, request?: TestApiRequest): Promise<TestApiResponse>;
  /** Sends a request unchanged, for bodies that no client library sends. */
  sendRaw(wire: Partial<WireRequest>): Promise<TestApiResponse>;
  openOrganisation(key?: string): Organisation;
  /** Advances the clock of the organisation of a key. */
  advance(ms: number, key?: string): void;
}

/** The API in process: manual clock, no network, simple generators. */
export function createApi(options: ApiOptions = {}): Api {
  const { dialect, problems } = resolveDialect(options.dialect ?? {}, openPoints);
  expect(problems).toEqual([]);
  const scenarios = options.scenarios ?? [];
  const organisations = new Organisations<Network>({
    seed: 1,
    wall: () => 0,
    clock: { mode: 'manual', speed: 1 },
    startMs: MANUAL_START_MS,
    dialect,
    limits: {
      ...DEFAULT_ORGANISATION_LIMITS,
      exchanges: 100,
      journalCharacters: 1_000_000,
      totalExchanges: 50_000,
      totalCharacters: 1_000_000,
      bodyCharacters: 65_536,
      organisations: 100,
      ...options.limits,
    },
    getOrigin: () => ORIGIN,
    runScript: async () => ({ code: 200, output: null }),
    getGenerators: () => ({
      findProblem: () => undefined,
      generateValue: () => ({}),
      isValid: () => false,
      generateText: (task) => `Result of: ${task}`,
    }),
    createNetwork: (organisation) => new Network(organisation),
    onPlanned() {},
    onClosed() {},
    onNote() {},
    onPolledInVain() {},
    onExchange() {},
    initialize(organisation) {
      organisation.sources = [
        {
          listNames: () => [],
          findByName: (name) => scenarios.find((each) => each.name === name),
          choose: returnUndefined,
          findNearest: returnUndefined,
        },
      ];
    },
  });
  const pipeline = createPipeline(organisations);

  async function sendRaw(wire: Partial<WireRequest>): Promise<TestApiResponse> {
    const request = { method: 'GET', url: '/', headers: {}, body: null, loopback: true, ...wire };
    const { status, body, headers } = await pipeline.handle(request);
    expect(headers['content-type']).toBe('application/json');
    const parsed = JSON.parse(String(body));
    check(request, status, parsed);
    return { status, body: parsed, r: parsed?.r };
  }

  return {
    sendRaw,
    async send(method, path, { key = 'test', headers = {}, json, form } = {}) {
      const sent: Record<string, string> = { ...(key === null ? {} : { apikey: key }), ...headers };
      let body: WireRequest['body'] = null;
      if (form) {
        const encoded = new Response(form);
        sent['content-type'] = encoded.headers.get('content-type')!;
        body = new Uint8Array(await encoded.arrayBuffer());
      } else if (json !== undefined) {
        sent['content-type'] = 'application/json';
        body = JSON.stringify(json);
      }
      return sendRaw({ method, url: API_PREFIX + path, headers: sent, body });
    },
    openOrganisation: (key = 'test') => organisations.open(key),
    advance(ms, key = 'test') {
      const organisation = organisations.open(key);
      organisation.advanceTo(organisation.now + ms);
    },
  };
}

function returnUndefined(): undefined {
  return undefined;
}

function check({ method, url }: WireRequest, status: number, body: unknown): void {
  if (status >= 400) {
    expect(body).toHaveProperty('detail');
    return;
  }
  const found = route(method, url.split('?')[0]!);
  if (!('operation' in found)) throw new Error(`no operation at ${method} ${url}`);
  const { id } = found.operation;
  expect(listResponseErrors(id, status, body), `${id} ${status}: ${JSON.stringify(body)}`).toEqual([]);
}

/** Bytes and `File`s become files of the form. */
export function createForm(
  parts: Record<string, string | Uint8Array<ArrayBuffer> | File | File[]>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.append(name, value);
    else if (value instanceof Uint8Array) form.append(name, new Blob([value]), `${name}.bin`);
    else for (const file of Array.isArray(value) ? value : [value]) form.append(name, file);
  }
  return form;
}

/** An archive without files. */
export const EMPTY_ZIP = Uint8Array.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)]);
