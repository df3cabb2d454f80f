import type { ClientFunction } from '../../../conformance/client/types.js';

/** `name`: a file in `fixtures/clients`, without its extension. */
export async function loadClient(name: string): Promise<ClientFunction> {
  const file = new URL(`../../../fixtures/clients/${name}.mjs`, import.meta.url).href;
  return ((await import(/* @vite-ignore */ file)) as { run: ClientFunction }).run;
}
