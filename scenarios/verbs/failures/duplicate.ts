import type { Verb } from '../verb.js';

export const duplicate: Verb<{ network: 'duplicate' }, never> = {
  name: 'duplicate',
  description: 'The service handles the request twice; the client gets the first response.',
  phase: 'request',
  examples: [{ network: 'duplicate', of: 'action' }],
  describe: () => 'duplicate',
  onRequest: () => ({ note: 'handled twice', twice: true }),
};
