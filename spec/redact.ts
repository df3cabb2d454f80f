import type { Exchange } from './vocabulary.js';

export const REDACTED = '<redacted>';

const SECRET_HEADERS = new Set([
  'apikey',
  'authorization',
  'cookie',
  'set-cookie',
  'proxy-authorization',
  // Wrong names of the key header that clients use.
  'api-key',
  'api_key',
  'x-apikey',
  'x-api-key',
  'x-auth-token',
  'x-taskdouble-admin-token',
]);

/** Headers with their keys and cookies replaced; `redact` is applied to the values of the others. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string = (text) => text,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name]!;
    const isSecret = SECRET_HEADERS.has(name) || SECRET_HEADERS.has(name.toLowerCase());
    shown[name] = isSecret ? hide(value) : redact(name === 'referer' ? redactUrl(value) : value);
  }
  return shown;
}

/** Keeps the names of cookies: `apikey=<redacted>`. */
function hide(value: string): string {
  return value === `apikey=${REDACTED}` ? value : REDACTED;
}

const SECRET_PARAMETER =
  /([?&](?:x-)?(?:api[-_]?key|access[-_]?token|token|key|password|secret)=)[^&#"'\s]*/gi;

const PLAIN_POLL = /^[^?]*\?event_t=-?\d*$/;

/** Redacts keys in a query. The API has no such parameter, but a client may send one in error. */
export function redactUrl(url: string): string {
  // Most addresses with a query are polls, which contain no secret.
  if (!url.includes('?') || PLAIN_POLL.test(url)) return url;
  return url.replace(SECRET_PARAMETER, `$1${REDACTED}`);
}

/** A quick test for bodies that may contain a secret. */
const HINT =
  /passw|passphrase|secret|credential|cookie|certificate|authorization|api[_-]?key|token|private[_-]?key|[?&]key=|bearer |basic |:\/\/[^\s/"]{1,500}@|\\u00/i;
const SECRET_NAME = /(?:password|passwd|passphrase|secret|authorization|api[_-]?key|token|private[_-]?key)$/i;
/** All text in these is secret, at any depth. */
const SECRET_CONTAINER = /^(?:secrets|credentials|cookies?|certificates|passwords|tokens|api_?keys)$/i;
/** Schemas name secrets, but contain none. */
const SCHEMAS = new Set(['custom_tools', 'response_model']);

const JSON_TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\],:]|[^\s"{}[\],:]+/gs;

/**
 * The text of a body without passwords, tokens and other secrets, recognized by their names. Everything else stays as it
 * was sent, also if the text is truncated or not JSON.
 */
export function redactBody(body: string): string {
  if (!HINT.test(body)) return body;
  return /^\s*[{["]/.test(body) ? redactJson(body) : redactText(body);
}

type RedactionLevel = { array: boolean; secret: boolean; exempt: boolean };

function redactJson(body: string): string {
  const levels: RedactionLevel[] = [];
  let here: RedactionLevel = { array: true, secret: false, exempt: false };
  let name: string | undefined;
  return body.replace(JSON_TOKEN, (token) => {
    const open = token === '{' || token === '[';
    if (open) {
      levels.push(here);
      const exempt = here.exempt || (name !== undefined && SCHEMAS.has(name));
      const array = token === '[';
      const named = name !== undefined && (SECRET_CONTAINER.test(name) || (array && SECRET_NAME.test(name)));
      here = { array, secret: !exempt && (here.secret || named), exempt };
      name = undefined;
    } else if (token === '}' || token === ']') {
      here = levels.pop() ?? here;
      name = undefined;
    } else if (token === ',') {
      if (!here.array) name = undefined;
    } else if (token !== ':') {
      if (!here.array && name === undefined) {
        name = parseName(token);
        return token;
      }
      // Any other string may be an address, or JSON, that contains a secret.
      return isSecret(here, name, token) ? `"${REDACTED}"` : redactText(token);
    }
    return token;
  });
}

function isSecret({ secret, exempt }: RedactionLevel, name: string | undefined, token: string): boolean {
  if (exempt || token === '""' || token === 'null' || token === 'true' || token === 'false') return false;
  return secret || (name !== undefined && (SECRET_NAME.test(name) || SECRET_CONTAINER.test(name)));
}

function parseName(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}

const FORM_FIELD =
  /((?:^|[&\s])[\w-]*(?:password|passwd|passphrase|secret|authorization|api[_-]?key|token)=)[^&\s"']+/gi;
const QUOTED_JSON =
  /(\\*")([\w-]*(?:password|passwd|passphrase|secret|authorization|api[_-]?key|token)\\*"\s*:\s*\\*").*?(?=\\*"|$)/gi;
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/-]{6,}=*/gi;
const USER_IN_URL = /(:\/\/[^\s/:@"'<>]*:)[^\s/@"'<>]+(?=@)/g;

/** Addresses, forms, quoted JSON and credentials in running text. */
export function redactText(text: string): string {
  return redactUrl(text)
    .replace(FORM_FIELD, `$1${REDACTED}`)
    .replace(QUOTED_JSON, `$1$2${REDACTED}`)
    .replace(BEARER, `$1 ${REDACTED}`)
    .replace(USER_IN_URL, `$1${REDACTED}`);
}

/** Shorter secrets are replaced only as whole words: they may be part of any word. */
const SHORT = 8;

/** Replaces all occurrences of `secrets` in a text, also escaped as in JSON or in an address. */
export function redactSecrets(text: string, secrets: Iterable<string>): string {
  return createSecretRedactor(secrets)(text);
}

function createSecretRedactor(secrets: Iterable<string>): (text: string) => string {
  const forms = [...secrets]
    .filter((secret) => secret.trim() !== '')
    .sort((one, other) => other.length - one.length)
    .flatMap((secret) => [
      ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
    ]);
  if (forms.length === 0) return (text) => text;
  return (text) => {
    let shown = text;
    for (const form of forms) {
      if (!shown.includes(form)) continue;
      const literal = form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
      const pattern = form.length < SHORT ? `(?<![\\w-])${literal}(?![\\w-])` : literal;
      shown = shown.replace(new RegExp(pattern, 'g'), () => REDACTED);
    }
    return shown;
  };
}

/**
 * Replaces the keys, cookies and tokens in these request headers. Short ones stay: the key `demo` may be any word of a text.
 */
export function createHeaderRedactor(headers: Readonly<Record<string, string>>): (text: string) => string {
  const values: string[] = [];
  for (const name in headers) if (SECRET_HEADERS.has(name)) values.push(headers[name]!);
  const joined = values.join('\n');
  if (joined !== latest.values) {
    // `Bearer KEY`; `apikey=KEY; other=VALUE`.
    const secrets = values
      .flatMap((value) => value.split(/;\s*/))
      .map((part) => part.replace(/^(?:[\w.-]+=|\w+ +)/, ''))
      .filter((secret) => secret.length >= SHORT && secret !== REDACTED);
    latest = { values: joined, redact: createSecretRedactor(secrets) };
  }
  return latest.redact;
}

/** Cache: most requests have the same key as the previous request. */
let latest = { values: '', redact: (text: string) => text };

/** The exchange without keys, cookies, passwords and the given `secrets`. Returns a copy; idempotent. */
export function redactExchange(exchange: Exchange, secrets: readonly string[] = []): Exchange {
  const redactGiven = (given: string) => redactSecrets(given, secrets);
  const redactGivenHeaders = (given: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(redactHeaders(given)).map(([name, value]) => [name, redactGiven(redactText(value))]),
    );
  const { request, response } = exchange;
  const shown: Exchange = {
    ...exchange,
    request: {
      ...request,
      url: redactGiven(redactUrl(request.url)),
      headers: redactGivenHeaders(request.headers),
    },
  };
  if (request.body !== undefined) shown.request.body = redactGiven(redactBody(request.body));
  const redactResponse = (given: NonNullable<Exchange['response']>) => {
    return {
      ...given,
      headers: redactGivenHeaders(given.headers),
      body: redactGiven(redactBody(given.body)),
    };
  };
  if (response) shown.response = redactResponse(response);
  if (exchange.upstream) {
    shown.upstream = exchange.upstream.map((each) => {
      return each.response ? { ...each, response: redactResponse(each.response) } : each;
    });
  }
  if (exchange.notes) shown.notes = exchange.notes.map(redactGiven);
  return shown;
}
