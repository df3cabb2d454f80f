import {
  anything,
  fields,
  integer,
  list,
  optional,
  type SchemaOf,
  text,
} from '../../spec/json-schema/build-schema.js';

const texts: SchemaOf<Record<string, string>> = { type: 'object', additionalProperties: text };
const base64: SchemaOf<string> = {
  type: 'string',
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  'x-expected': 'bytes in base64',
};
const leftOut = optional(integer(0));

/** An exchange of a recording or a snapshot: what has to be there, and of which type. */
export const EXCHANGE_FIELDS = {
  seq: integer(1),
  kind: text,
  key: optional(integer(1)),
  operation: optional(text),
  task: optional(text),
  scenario: optional(text),
  request: fields({
    method: text,
    url: text,
    headers: texts,
    body: optional(text),
    body_base64: optional(base64),
    left_out: leftOut,
    at: integer(),
  }),
  response: optional(
    fields({
      status: integer(200, 599),
      headers: texts,
      body: text,
      body_base64: optional(base64),
      left_out: leftOut,
      cut_at: leftOut,
      origin: optional(text),
      at: integer(),
    }),
  ),
  network: optional(list(anything)),
  notes: optional(list(text)),
};
