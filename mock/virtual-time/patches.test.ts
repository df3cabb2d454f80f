import { afterEach, expect, it } from 'vitest';
import { isPatched, Patches } from './patches.js';

const own = () => 'own';
const platform: Record<string, () => string> = { read: own };
afterEach(() => {
  platform['read'] = own;
});

function patchesOf(name: string): Patches {
  const patches = new Patches();
  patches.replace(platform, 'read', (before: () => string) => () => `${name} over ${before()}`);
  return patches;
}

it('installed patches are not installed again', () => {
  const patches = patchesOf('one');
  const restore = Patches.apply([patches]);
  Patches.apply([patches])();
  expect(platform['read']!()).toBe('one over own');
  restore();
  expect(platform['read']).toBe(own);
});

it('two copies of the package in one process end in any order', () => {
  const endOne = Patches.apply([patchesOf('one')]);
  const endOther = Patches.apply([patchesOf('other')]);
  expect(platform['read']!()).toBe('other over one over own');
  endOne();
  endOther();
  // A leftover replacement calls the original.
  expect(platform['read']!()).toBe('one over own');
});

it('a wrapper over a patch stays, and is patched again by the next run', () => {
  const patches = patchesOf('one');
  const end = Patches.apply([patches]);
  const fake = () => 'fake';
  platform['read'] = fake;
  const endNext = Patches.apply([patches]);
  expect(platform['read']!()).toBe('one over fake');
  endNext();
  expect([platform['read'], isPatched(platform, 'read')]).toEqual([fake, false]);
  end();
  expect(platform['read']).toBe(fake);
});
