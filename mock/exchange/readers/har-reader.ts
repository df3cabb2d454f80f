import { parseUrl } from '../../../spec/addresses.js';
import { type OperationId, operations } from '../../../spec/generated/operations.js';
import { readField, toFields } from '../../../spec/json.js';
import { groupBy } from '../../../spec/lists.js';
import { REDACTED } from '../../../spec/redact.js';
import { showJson } from '../../../spec/show.js';
import { type Exchange, NO_OPERATION } from '../../../spec/vocabulary.js';
import { type HarExchange, readEntry, splitUrl } from './har-entry.js';
import { markUnrecorded } from './journal-reader.js';
import { EntrySplitter } from './split-entries.js';

/** Thrown for a file that is no HAR, or not a readable one. */
export class NotHar extends Error {
  override readonly name = 'NotHar';
}

/** Largest entry, in bytes. */
const LARGEST_ENTRY = 128 * 1024 * 1024;
const MIB = 1024 * 1024;

/** A request that may be one to the API, with the base address of its path. */
interface EntryCandidate extends HarExchange {
  base: string;
  index: number;
}

/** The contents of a HAR for this API. */
interface HarContent {
  /** In the order of their times, with paths instead of addresses. */
  exchanges: Exchange[];
  /** Addresses of their services: `{base_url}`. */
  bases: string[];
  /** Number of entries about anything else. */
  others: number;
  /** Notes about the file, as sentences without a subject. */
  notes: string[];
}

/** Reads a HAR from chunks of bytes of any size. Keeps only the entries that may be about this API. */
export class HarReader {
  readonly #candidates: EntryCandidate[] = [];
  #others = 0;
  /** Size of the unpacked file. */
  #bytes = 0;
  readonly #splitter: EntrySplitter;

  /** `countBodies` may refuse an exchange by throwing InvalidFile. */
  constructor(private readonly countBodies: (exchange: Exchange) => void = () => {}) {
    this.#splitter = new EntrySplitter({
      onEntry: (text, index) => this.#read(text, index),
      largestEntry: LARGEST_ENTRY,
      onLargeEntry(index) {
        throw new NotHar(`"log.entries[${index}]" of the HAR is larger than ${LARGEST_ENTRY / MIB} MiB.`);
      },
    });
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#splitter.push(chunk);
  }

  /** Call it after the last byte. `isDamaged`: the file has an unreadable rest. Throws NotHar. */
  end(isDamaged: boolean): HarContent {
    if (this.#bytes === 0) throw new NotHar('The file is empty: record it again.');
    const { isTorn, count } = this.#splitter;
    const isCut = isTorn || isDamaged;
    const frame = isCut ? undefined : this.#splitter.readFrame();
    if (frame !== undefined)
      checkHar(parse(frame, 'A HAR is JSON, and this file is not: export it as HAR 1.2.'));
    if (isCut && count === 0)
      throw new NotHar(
        `The file is truncated: it ends at byte ${this.#bytes}, before the first entry of "log.entries" is complete. Copy the whole file, or record it again.`,
      );
    const { exchanges, bases, elsewhere, contradictions } = this.#selectExchanges();
    const notes = isCut
      ? [
          `is truncated at byte ${this.#bytes}: entries after ${count} are missing, and the last responses may be missing`,
        ]
      : [];
    if (isCut) markUnrecorded(exchanges.at(-1), 'after');
    if (hideMissingKeys(exchanges))
      notes.push('has no keys in its requests: rules about keys are not checked');
    if (hideMissingBodies(exchanges)) notes.push('has no bodies in its requests');
    if (coarsenTimes(exchanges))
      notes.push('has times in whole seconds: the order within a second may be wrong');
    notes.push(...contradictions);
    if (bases.length > 1) notes.push(`has ${bases.length} services: ${bases.join(', ')}`);
    return { exchanges, bases, others: this.#others + elsewhere, notes };
  }

  #read(text: string, index: number): void {
    const entry = parse(text, `"log.entries[${index}]" of the HAR is no JSON.`);
    const request = readField(entry, 'request');
    const url = readField(request, 'url');
    // Browsers send preflight requests, not clients.
    const isOther = typeof url === 'string' && !splitUrl(url);
    if (isOther || readField(request, 'method') === 'OPTIONS') {
      this.#others++;
      return;
    }
    const read = readEntry(entry);
    if (typeof read === 'string') throw new NotHar(`"log.entries[${index}]" of the HAR ${read}.`);
    const { exchange, contradictions } = read;
    this.countBodies(exchange);
    // The address without keys.
    const { base, path } = splitUrl(exchange.request.url)!;
    exchange.request.url = path;
    this.#candidates.push({ base: normalizeBase(base), exchange, index, contradictions });
  }

  /**
   * Selects the services of which operations are requested; other paths below them are mistyped. Another service may have a path of the
   * same name by chance: a service without tasks is left out if there is one with tasks.
   */
  #selectExchanges(): {
    exchanges: Exchange[];
    bases: string[];
    elsewhere: number;
    contradictions: string[];
  } {
    const known = this.#candidates.filter(({ exchange }) => exchange.kind !== NO_OPERATION);
    const withTasks = known.filter(({ exchange }) => /^\/+api\/+v1\/+task\b/.test(exchange.request.url));
    const bases = new Set((withTasks.length > 0 ? withTasks : known).map(({ base }) => base));
    const selected = this.#candidates.filter(({ base }) => bases.has(base));
    const exchanges = selected.map(({ exchange, base }) =>
      bases.size === 1 ? exchange : { ...exchange, organisation: `${exchange.organisation} at ${base}` },
    );
    const elsewhere = this.#candidates.length - selected.length;
    return {
      exchanges: numberExchanges(exchanges),
      bases: [...bases],
      elsewhere,
      contradictions: describeContradictions(selected),
    };
  }
}

/**
 * The exchanges of a HAR of any program. Missing data is derived: `seq` from the order, the organisation from a fingerprint of the key.
 * Throws NotHar for anything else.
 */
export function fromHar(har: unknown): Exchange[] {
  const entries = checkHar(typeof har === 'string' ? parseJson(har) : har);
  const exchanges = entries.map((entry: unknown, n) => {
    const read = readEntry(entry);
    if (typeof read === 'string') throw new NotHar(`"log.entries[${n}]" of the HAR ${read}.`);
    return read.exchange;
  });
  return numberExchanges(exchanges);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new NotHar(`A HAR is JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

/** The exchanges in the order of their times, unless taskdouble has numbered all of them. */
function numberExchanges(exchanges: Exchange[]): Exchange[] {
  if (exchanges.every(({ seq }) => seq > 0)) return exchanges;
  // Programs write entries in the order of completion, or by page.
  exchanges.sort((one, other) => one.request.at - other.request.at);
  return exchanges.map((exchange, n) => ({ ...exchange, seq: n + 1 }));
}

/** Most indexes of entries in one note. */
const MOST_SHOWN = 8;

function describeContradictions(candidates: readonly EntryCandidate[]): string[] {
  const all = candidates.flatMap(({ contradictions, index }) =>
    contradictions.map((what) => ({ what, index })),
  );
  return [...groupBy(all, ({ what }) => what)].map(([what, group]) => {
    const indexes = group.map(({ index }) => index);
    const shown = indexes.slice(0, MOST_SHOWN).join(', ');
    const more = indexes.length > MOST_SHOWN ? ` and ${indexes.length - MOST_SHOWN} more` : '';
    return `contradicts itself in log.entries[${shown}${more}]: ${what}`;
  });
}

/** Normalizes an address: host in lower case, no default port. */
function normalizeBase(base: string): string {
  return parseUrl(base)?.href.replace(/\/+$/, '') ?? base;
}

/** Throws NotHar. */
function checkHar(har: unknown): unknown[] {
  const log = readField(har, 'log');
  if (toFields(log) === undefined) {
    throw new NotHar(`A HAR is an object with "log", found ${showJson(har, 80)}: export it as HAR 1.2.`);
  }
  const entries = readField(log, 'entries');
  if (Array.isArray(entries)) return entries;
  const found = showJson(entries, 80);
  throw new NotHar(`"log.entries" of a HAR is an array, found ${found}: export it as HAR 1.2.`);
}

function parse(text: string, problem: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser quotes the text, which may contain terminal escape sequences.
    throw new NotHar(problem);
  }
}

const CREDENTIALS = ['apikey', 'cookie', 'authorization', 'x-api-key'];

/** Some programs remove keys and cookies. Then, as in a journal, the key is unknown. */
function hideMissingKeys(exchanges: Exchange[]): boolean {
  const hasKey = exchanges.some(({ request }) => CREDENTIALS.some((name) => name in request.headers));
  const isServed = exchanges.some(({ operation, response }) => {
    const { auth } = operations[operation as OperationId] ?? {};
    return auth === 'key' && response !== undefined && response.status < 300;
  });
  if (hasKey || !isServed) return false;
  for (const { request } of exchanges) request.headers = { ...request.headers, apikey: REDACTED };
  return true;
}

/** Some programs omit bodies of requests. Then the body of an accepted request that needs one is unknown. */
function hideMissingBodies(exchanges: readonly Exchange[]): boolean {
  if (exchanges.some(({ request }) => request.body !== undefined)) return false;
  const missing = exchanges.filter(({ operation, response }) => {
    const { body } = operations[operation as OperationId] ?? {};
    return body?.required === true && response !== undefined && response.status < 300;
  });
  for (const { request } of missing) Object.assign(request, { body: '(left out)', left_out: 0 });
  return missing.length > 0;
}

/** Smallest number of different times that shows their precision. */
const MIN_TIMES = 3;

/** Some programs write times in seconds with a fraction of zero. */
function coarsenTimes(exchanges: readonly Exchange[]): boolean {
  const times = new Set(exchanges.map(({ request }) => request.at));
  const isWhole = times.size >= MIN_TIMES && [...times].every((at) => at % 1000 === 0);
  if (isWhole) for (const exchange of exchanges) exchange.resolution_ms = 1000;
  return exchanges.some(({ resolution_ms }) => resolution_ms === 1000);
}
