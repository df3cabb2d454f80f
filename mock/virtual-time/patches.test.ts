import { afterEach, expect, it } from 'vitest';
import { Patches } from './patches.js';

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

it('the last holder takes the patches away', () => {
  const patches = patchesOf('one');
  const [first, second] = [patches.hold(), patches.hold()];
  first();
  first();
  expect(platform['read']!()).toBe('one over own');
  second();
  expect(platform['read']).toBe(own);
});

it('two copies of the package in one process end in any order', () => {
  const [one, other] = [patchesOf('one'), patchesOf('other')];
  const endOne = one.hold();
  const endOther = other.hold();
  expect(platform['read']!()).toBe('other over one over own');
  endOne();
  endOther();
  // A leftover replacement calls the original, and the next run removes it.
  expect(platform['read']!()).toBe('one over own');
  one.hold()();
  expect(platform['read']).toBe(own);
});

it('what others put over a patch stays, and is patched again on request', () => {
  const patches = patchesOf('one');
  const end = patches.hold();
  const fake = () => 'fake';
  platform['read'] = fake;
  patches.reapply();
  expect(platform['read']).toBe(fake);
  patches.apply();
  expect(platform['read']!()).toBe('one over fake');
  end();
  expect(platform['read']).toBe(fake);
});

it("the platform's own, put back during a run, is patched again", () => {
  const patches = patchesOf('one');
  const end = patches.hold();
  platform['read'] = own;
  patches.reapply();
  expect(platform['read']!()).toBe('one over own');
  end();
  expect(platform['read']).toBe(own);
});
