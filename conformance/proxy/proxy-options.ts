import { assertOptions, createOptionsSchema } from '../../mock/options/check-options.js';
import type { PageReader } from '../../mock/options/mock-options.js';
import type { NetworkRule } from '../../scenarios/format/types.js';
import { bool, integer, text } from '../../spec/json-schema/build-schema.js';
import type { SchemaObject, TypeName } from '../../spec/json-schema/schema.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';

/** Options of `createProxy`. */
export interface ProxyOptions {
  /** The `{base_url}` of the service; `http` where the scheme is left out. */
  target: string;
  /** Sends requests to a service in the same process. Default: over HTTP. */
  fetch?: (input: string, init?: RequestInit) => Promise<Response>;
  /** Standing network rules for every organisation, the path of a file with them, or their shorthand: `fail 503 of poll times 3`. */
  network?: readonly NetworkRule[] | string;
  /** Seed of all random choices in network rules. Default 1. */
  seed?: string | number;
  /** Features that client and service lack, named as for `--lacks`: their checks are skipped. */
  lacks?: readonly string[];
  /** TLS certificates of the target are not checked. Default false. */
  insecure?: boolean;
  /** Time for the headers of a response, and between two parts of its body, ms. Default five minutes. */
  timeoutMs?: number;
  /** Required in `x-taskdouble-admin-token`; other machines can then use the admin API. Without a token: this machine only. */
  adminToken?: string;
  /** Reads a file for studio, for `POST /__admin/view`. */
  readPage?: PageReader;
  /** Called with every completed exchange, unredacted: the content of a journal file. */
  onExchange?: (exchange: Exchange) => void;
  /** Called with each new finding about the client or the service. */
  onFinding?: (finding: Finding) => void;
  /** Called with a fault of the proxy itself; the client gets a 500. Default: writes to the console. */
  onFault?: (error: unknown) => void;
}

const functionSchema: SchemaObject = { type: 'function' as TypeName };

const OPTIONS: SchemaObject = {
  ...createOptionsSchema<ProxyOptions>({
    target: text,
    fetch: functionSchema,
    network: {
      type: ['string', 'array'],
      'x-expected': 'a list of rules, a path, or shorthand such as "fail 503 of poll"',
    },
    seed: { type: ['string', 'number'], 'x-expected': 'a text or a number' },
    lacks: { type: 'array', items: text, 'x-expected': 'a list of names such as sessions' },
    insecure: bool,
    timeoutMs: integer(1),
    adminToken: text,
    readPage: functionSchema,
    onExchange: functionSchema,
    onFinding: functionSchema,
    onFault: functionSchema,
  }),
  required: ['target'],
};

/** Throws TypeError for an unknown or invalid option. */
export const checkProxyOptions = (given: unknown) => assertOptions('createProxy', given, OPTIONS);
