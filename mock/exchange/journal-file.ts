import { toFields } from '../../spec/json-fields.js';
import { anything, fields, optional, text } from '../../spec/json-schema/build-schema.js';
import { assertValid, InvalidValue } from '../../spec/json-schema/violations.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { EXCHANGE_FIELDS } from './exchange-schema.js';

/** Of the format of a journal file (journal.schema.json). Lines without a version were written before it had one. */
export const JOURNAL_VERSION = 1;

const exchange = fields({ ...EXCHANGE_FIELDS, organisation: text, version: optional(anything) });

/** An exchange of a recording. Throws InvalidValue, which names the place, for anything else. */
export function readExchange(value: unknown, place: string): Exchange {
  const { version, ...rest } = toFields(value) ?? {};
  if (typeof version === 'number' && version > JOURNAL_VERSION) {
    const found = `${place && `${place}: `}found version ${version} of the format`;
    throw new InvalidValue(`${found}, and this taskdouble reads up to ${JOURNAL_VERSION}: update taskdouble`);
  }
  assertValid(exchange, value, place);
  return (version === undefined ? value : rest) as Exchange;
}

/** An exchange as a line of a journal file. */
export function formatJournalLine(exchange: Exchange): string {
  return `${JSON.stringify({ version: JOURNAL_VERSION, ...exchange })}\n`;
}
