import type { Verb } from '../verb.js';

/** A client that copies the headers of a browser accepts gzip, and may not be able to read it. */
export const compress: Verb<{ network: 'compress' }, never> = {
  name: 'compress',
  description:
    'The body of the response is compressed with gzip if the request accepts that (`accept-encoding`), as behind a CDN.',
  phase: 'response',
  examples: [{ network: 'compress', of: 'poll' }],
  describe: () => 'compress',
  onResponse(_rule, _hit, { body }) {
    if (body.length === 0) return undefined;
    return { note: 'response body compressed with gzip if the client accepts it', compress: true };
  },
};
