import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';

const IN_QUERY = /^(x-)?api[-_]?key$/i;

/** Other headers that keys are sent in by mistake. */
const OTHER_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-apikey'];

/** Section "Authentication". */
export const authRules = defineRules({ side: 'client', level: 'must', scope: 'stream' }, [
  {
    id: 'auth/key-in-query',
    requirements: ['AUTH-01'],
    title: 'The key travels in a header, never in the address.',
    check: (exchange) => {
      const name = keyIn(exchange);
      if (name === undefined || exchange.operation === undefined) return undefined;
      const message = `The address of ${exchange.operationName} carries a key in the query parameter "${name}", where logs keep it. Send it in the header "apikey" only.`;
      return { message, about: exchange.operationName };
    },
  },
  {
    id: 'auth/key-sent',
    requirements: ['AUTH-01'],
    title: 'A request to an operation that requires a key brings one.',
    check: (exchange) => {
      if (exchange.operation?.auth !== 'key' || hasKey(exchange)) return undefined;
      const message = `${exchange.operationName} requires a key, and the request has no header "apikey"${instead(exchange)}. Send the key in that header.`;
      return { message, about: exchange.operationName };
    },
  },
]);

function keyIn({ parameters }: ReadExchange): string | undefined {
  for (const [name] of parameters) if (IN_QUERY.test(name)) return name;
  return undefined;
}

/** A cookie is a stated way too. Journals hide what is in it: then it gets the benefit of the doubt. */
function hasKey(exchange: ReadExchange): boolean {
  if (exchange.requestHeader('apikey')?.trim()) return true;
  const cookie = exchange.requestHeader('cookie');
  return cookie !== undefined && (cookie.includes('<redacted>') || /(?:^|;\s*)apikey=[^;\s]/.test(cookie));
}

function instead(exchange: ReadExchange): string {
  const header = OTHER_HEADERS.find((name) => exchange.requestHeader(name) !== undefined);
  return header === undefined ? '' : `, but a header "${header}"`;
}
