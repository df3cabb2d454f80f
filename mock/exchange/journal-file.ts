import { toFields } from '../../spec/json.js';
import * as s from '../../spec/json-schema/build-schema.js';
import { assertValid, InvalidValue } from '../../spec/json-schema/violations.js';
import { ENCODING_FAULTS, type Exchange, NETWORK_EFFECTS, UNRECORDED } from '../../spec/vocabulary.js';

const texts: s.SchemaOf<Record<string, string>> = { type: 'object', additionalProperties: s.text };
const base64: s.SchemaOf<string> = {
  type: 'string',
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  'x-expected': 'bytes in base64',
};
const leftOut = s.optional(s.integer(0));
const encodingFault = s.optional(s.oneOf(...ENCODING_FAULTS));

const response = s.fields({
  // Services and recordings may contain values that HTTP does not define: rules report them.
  status: s.integer(100, 999),
  headers: texts,
  body: s.text,
  body_base64: s.optional(base64),
  left_out: leftOut,
  encoding_fault: encodingFault,
  cut_at: leftOut,
  origin: s.optional(s.text),
  at: s.integer(),
});

/** The fields of an exchange in a recording or a snapshot. */
export const EXCHANGE_FIELDS = {
  seq: s.integer(1),
  kind: s.text,
  key: s.optional(s.integer(1)),
  operation: s.optional(s.text),
  task: s.optional(s.text),
  scenario: s.optional(s.text),
  request: s.fields({
    method: s.text,
    url: s.text,
    headers: texts,
    body: s.optional(s.text),
    body_base64: s.optional(base64),
    left_out: leftOut,
    encoding_fault: encodingFault,
    at: s.integer(),
  }),
  response: s.optional(response),
  network: s.optional(
    s.list(
      s.fields({
        verb: s.optional(s.text),
        effect: s.oneOf(...NETWORK_EFFECTS),
        side: s.optional(s.oneOf('request')),
        note: s.text,
      }),
    ),
  ),
  upstream: s.optional(s.list(s.fields({ at: s.integer(), response: s.optional(response) }))),
  unrecorded: s.optional(s.list(s.oneOf(...UNRECORDED))),
  resolution_ms: s.optional(s.integer(1)),
  order: s.optional(s.fields({ after: s.integer(0), response: s.optional(s.integer(1)) })),
  connection: s.optional(s.integer(1)),
  notes: s.optional(s.list(s.text)),
};

/** Version of the journal file format (journal.schema.json). Older lines have no version. */
export const JOURNAL_VERSION = 1;

const exchange = s.fields({ ...EXCHANGE_FIELDS, organisation: s.text, version: s.optional(s.anything) });

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

/**
 * The run of each exchange, from 0. A file to which several runs were appended has several: each begins with a `seq` that its organisation
 * already had. Organisations of different runs are different, even with the same name.
 */
export function numberRuns(exchanges: readonly Pick<Exchange, 'organisation' | 'seq'>[]): number[] {
  let run = 0;
  let seen = new Map<string, Set<number>>();
  return exchanges.map(({ organisation, seq }) => {
    if (seen.get(organisation)?.has(seq)) {
      run++;
      seen = new Map();
    }
    const seqs = seen.get(organisation) ?? new Set();
    seen.set(organisation, seqs.add(seq));
    return run;
  });
}
