import type { Interception } from '../../mutants/operators/make.js';
import type { MutantRequest } from '../../mutants/operators/mutant-request.js';
import { isRecord } from '../../mutants/operators/mutant-response.js';
import { combineVariations, type Variation, variation } from '../variation.js';
import { counting, mentioning } from './records.js';

/** Ids of other shapes: those that the service chooses, in paths, queries, headers and bodies, in both directions. */

const ID = /^(id|files|.+[_-]ids?)$/;
/** What the client or its tools say. */
const FOREIGN = ['input', 'output', 'inputs', 'response_model'];
/** Of ids that are described to be texts. */
const TEXTS = ['createTask', 'getTask', 'listTasks', 'sendTaskEvent', 'uploadFile'] as const;

class ForeignIds {
  /** By the id of the mock. */
  readonly #shaped = new Map<string, string>();
  readonly #own = new Map<string, string>();
  /** Texts that the client sent: ids among them are its own. */
  readonly #sent = new Set<string>();

  constructor(
    private readonly shape: (nth: number) => string,
    private readonly areNumbers: boolean,
  ) {}

  /** The request as the mock understands it. */
  translate(request: MutantRequest): void {
    const toOwn = (text: string, name = 'id') => (ID.test(name) ? this.#findOwn(text) : text);
    const { url, headers, body } = request;
    const parts = url.pathname.split('/').map((part) => encodeURIComponent(toOwn(decodeURIComponent(part))));
    url.pathname = parts.join('/');
    for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, toOwn(value, name));
    for (const [name, value] of Object.entries(headers)) headers[name] = toOwn(value, name);
    if (typeof body !== 'string') return;
    try {
      request.body = JSON.stringify(mapTexts(JSON.parse(body), toOwn));
    } catch {
      // It is no JSON, on purpose.
    }
  }

  /** The body as the service with other ids writes it. */
  write(body: unknown, isText: boolean): unknown {
    return mapTexts(body, (text, name) => {
      if (!ID.test(name) || this.#sent.has(text)) return text;
      let shaped = this.#shaped.get(text);
      if (shaped === undefined) {
        shaped = this.shape(this.#shaped.size + 1);
        this.#shaped.set(text, shaped);
        this.#own.set(shaped, text);
      }
      return this.areNumbers && !isText ? Number(shaped) : shaped;
    });
  }

  #findOwn(text: string): string {
    const own = this.#own.get(text);
    if (own === undefined) this.#sent.add(text);
    return own ?? text;
  }
}

/** Changes each text in a value, told the field that it stands in. */
function mapTexts(value: unknown, change: (text: string, name: string) => unknown, name = ''): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      FOREIGN.includes(key) ? each : mapTexts(each, change, key),
    ]),
  );
}

function createIdVariation(what: string, shape: (nth: number) => string, areNumbers = false): Variation {
  const translateIds = (): Interception => {
    const ids = new ForeignIds(shape, areNumbers);
    return async (request, next) => {
      ids.translate(request);
      const response = await next(request);
      response.body = ids.write(response.body, request.is(...TEXTS));
      return response;
    };
  };
  return variation(`has ids that are ${what}`, translateIds);
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function createUlid(nth: number): string {
  const digits = [...Array(16).keys()].map((at) => CROCKFORD[(nth * 7919 ** (at % 3) + at) % 32]);
  return `01JQ${CROCKFORD[nth % 32]}${CROCKFORD[(nth >> 5) % 32]}XKWM${digits.join('')}`;
}

/** `abcdefghijkl` with the letters in upper case that are set in the number. */
function createCased(nth: number): string {
  return [...'abcdefghijkl'].map((letter, at) => ((nth >> at) & 1 ? letter.toUpperCase() : letter)).join('');
}

const digits = createIdVariation('digits, counted up', (nth) => `${nth}`);

export const ids: readonly Variation[] = [
  digits,
  combineVariations('has ids that are digits among many numbers and texts', digits, counting),
  combineVariations('has ids that are digits and mentions them everywhere', digits, mentioning),
  createIdVariation('numbers where they need not be texts', (nth) => `${nth}`, true),
  createIdVariation('19 digits', (nth) => `${7_200_000_000_000_000_000n + BigInt(nth)}`),
  createIdVariation('ULIDs in upper case', createUlid),
  createIdVariation(
    '200 characters that differ at their end',
    (nth) => `${'x'.repeat(190)}${String(nth).padStart(10, '0')}`,
  ),
  createIdVariation('letters that differ in their case alone', createCased),
  createIdVariation('one the beginning of the other', (nth) => 'ab'.repeat(nth).slice(0, nth)),
  createIdVariation('such that they need escaping in a URL', (nth) => `a b/${nth}?x=1&y#%2F+ä;~`),
  createIdVariation(
    '16 hexadecimal digits, some of which look like numbers',
    (nth) => `${nth}e${String(nth * 37).padStart(14, '0')}`,
  ),
  createIdVariation('words that the API uses', (nth) => `running:${nth}:null`),
  createIdVariation('negative numbers', (nth) => `-${nth}`),
];
