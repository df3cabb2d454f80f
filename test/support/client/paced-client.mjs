// The correct client, which polls every so many ms: its first argument.
import { main, makeClient } from '../../../fixtures/clients/reference.mjs';

export const run = makeClient({ pause: () => Number(process.argv[2]) });
await main(import.meta.url, run);
