/** What is said of files and objects with mistakes, with the checks that bundles for browsers have in place of compiled ones. */
import { expect, test, vi } from 'vitest';

vi.mock('../check/compiled-schema.js', () => import('../check/interpreted-schema.js'));

await import('../load/load.test.js');
await import('../network/network-file.test.js');
await import('../network/network-steps.test.js');

test('the checks are those of browsers', async () => {
  const { checksOf } = await import('../check/compiled-schema.js');
  expect(checksOf).toBe((await import('../check/interpreted-schema.js')).checksOf);
  expect(() => checksOf({ $ref: '#/nowhere' })('')(1)).toThrow('"/nowhere" leads to nothing');
});
