import type { Problem } from '../../scenarios/format/types.js';
import { fields, text } from '../../spec/json-schema/build-schema.js';
import { assertValid, InvalidValue } from '../../spec/json-schema/violations.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { InvalidFile } from '../options/invalid-file.js';
import { EXCHANGE_FIELDS } from './exchange-schema.js';
import { upgradeExchange } from './old-exchange.js';

/** Largest journal file that is read, in bytes. */
export const LARGEST_JOURNAL_FILE = 256 * 1024 * 1024;

const EXPECTED = 'expected exchanges as "taskdouble mock --journal" writes them, one JSON object a line';
const MOST_PROBLEMS = 5;

const exchange = fields({ ...EXCHANGE_FIELDS, organisation: text });

/** An exchange of a recording. Throws InvalidValue, which names the place, for anything else. */
export function readExchange(value: unknown, place: string): Exchange {
  assertValid(exchange, value, place);
  return upgradeExchange(value as Exchange);
}

/** The exchanges in the text of a journal file. Throws InvalidFile with the first problems, each with its line. */
export function parseJournal(text: string, file: string): Exchange[] {
  const exchanges: Exchange[] = [];
  const problems: Problem[] = [];
  const addProblem = (line: number, found: string) =>
    problems.push({ file, line, column: 1, message: `${EXPECTED}; ${found}` });
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      exchanges.push(readExchange(JSON.parse(line), ''));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof InvalidValue)) throw error;
      // The parser quotes the line, which may hold what does something to a terminal.
      addProblem(index + 1, error instanceof SyntaxError ? 'found no JSON' : error.message);
      if (problems.length === MOST_PROBLEMS) break;
    }
  }
  if (exchanges.length + problems.length === 0) addProblem(1, 'found nothing');
  if (problems.length > 0) throw new InvalidFile(problems);
  return exchanges;
}
