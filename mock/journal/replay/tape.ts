import type { Problem } from '../../../scenarios/format/types.js';
import { fields, text } from '../../../spec/json-schema/build-schema.js';
import { assertValid, InvalidValue, invalidValue } from '../../../spec/json-schema/violations.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { InvalidFile } from '../../options/invalid-file.js';
import { fromBase64 } from '../base64.js';
import { EXCHANGE_FIELDS } from '../exchange-schema.js';
import { upgradeExchange } from '../old-exchange.js';

const exchange = fields({ ...EXCHANGE_FIELDS, organisation: text });

const MOST_PROBLEMS = 5;

/** An exchange of a recording. Throws InvalidValue, which names the place, for anything else. */
export function readExchange(value: unknown, place: string): Exchange {
  assertValid(exchange, value, place);
  const read = value as Exchange;
  for (const name of ['request', 'response'] as const) {
    const base64 = read[name]?.body_base64;
    if (base64 !== undefined && !isBase64(base64))
      throw invalidValue(`${place && `${place}.`}${name}.body_base64`, 'bytes in base64', base64);
  }
  return upgradeExchange(read);
}

function isBase64(given: string): boolean {
  try {
    fromBase64(given);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a journal file, line by line. Throws InvalidFile with the first problems there are: each with its line and what
 * was expected there.
 */
export function readTape(lines: Iterable<string>, file: string): Exchange[] {
  const exchanges: Exchange[] = [];
  const problems: Problem[] = [];
  let line = 0;
  for (const given of lines) {
    line++;
    const written = line === 1 ? given.replace(/^\uFEFF/, '') : given;
    if (written.trim() === '') continue;
    const read = readLine(written);
    if (typeof read !== 'string') exchanges.push(read);
    else if (problems.push({ file, line, column: 1, message: read }) === MOST_PROBLEMS) break;
  }
  if (problems.length > 0) throw new InvalidFile(problems);
  if (exchanges.length === 0)
    throw new InvalidFile([{ file, line: 1, column: 1, message: `${EXPECTED}, found nothing` }]);
  return exchanges;
}

const EXPECTED = 'expected exchanges as "taskdouble mock --journal" writes them, one JSON object a line';

/** The exchange, or what is wrong with the line. */
function readLine(line: string): Exchange | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (NO_TEXT.test(line.slice(0, 20)))
      return `${EXPECTED}, found what is no text; unpack the file if it is packed, else save it as UTF-8`;
    const begun = /^\s*\{"seq":/.test(line);
    const hint = begun ? '; the line ends too soon or is damaged: take it out to go on without it' : '';
    return `${EXPECTED}, found no JSON (${readable((error as Error).message)})${hint}`;
  }
  try {
    return readExchange(value, '');
  } catch (error) {
    if (error instanceof InvalidValue) return `${EXPECTED}; ${otherFile(value) ?? error.message}`;
    throw error;
  }
}

/** What stands in no text: control characters, and what is no UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_TEXT = /[\0-\x08\x0e-\x1f\ufffd]/;

/** What a parser quotes may hold anything, and is shown on a terminal. */
function readable(message: string): string {
  return message.slice(0, 120).replace(/\p{Cc}/gu, '?');
}

/** Files that people have at hand too, by what stands in them. */
function otherFile(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if ('exchanges' in value)
    return 'this is a journal as the admin API shows it, which has not all that was said: start the mock with --journal FILE';
  if ('log' in value)
    return 'this is a HAR file, which cannot be replayed: start the mock with --journal FILE';
  if ('organisations' in value)
    return 'this is a snapshot, which PUT /__admin/state restores: nothing is replayed from it';
  return undefined;
}
