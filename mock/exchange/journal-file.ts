import { toFields } from '../../spec/json-fields.js';
import { anything, fields, optional, text } from '../../spec/json-schema/build-schema.js';
import { assertValid, InvalidValue } from '../../spec/json-schema/violations.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { EXCHANGE_FIELDS } from './exchange-schema.js';

/** Version of the journal file format (journal.schema.json). Older lines have no version. */
export const JOURNAL_VERSION = 1;

const exchange = fields({ ...EXCHANGE_FIELDS, organisation: text, version: optional(anything) });

/** Throws InvalidValue, which names the place. */
export function readExchange(value: unknown, place: string): Exchange {
  const { version, ...rest } = toFields(value) ?? {};
  if (typeof version === 'number' && version > JOURNAL_VERSION) {
    const found = `${place && `${place}: `}found version ${version} of the format`;
    throw new InvalidValue(`${found}, and this taskdouble reads up to ${JOURNAL_VERSION}: update taskdouble`);
  }
  assertValid(exchange, value, place);
  return (version === undefined ? value : rest) as Exchange;
}

export function formatJournalLine(exchange: Exchange): string {
  return `${JSON.stringify({ version: JOURNAL_VERSION, ...exchange })}\n`;
}
