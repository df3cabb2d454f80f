import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EntrySplitter } from './split-entries.js';

function split(text: string, sizes: readonly number[] = [5]) {
  const entries: string[] = [];
  const splitter = new EntrySplitter({
    onEntry: (entry, index) => expect(entries.push(entry)).toBe(index + 1),
    largestEntry: 100_000,
    onLargeEntry: (index) => expect.fail(`entry ${index} is large`),
  });
  const bytes = Buffer.from(text);
  for (let from = 0, n = 0; from < bytes.length; n++) {
    const size = sizes[n % sizes.length]!;
    splitter.push(bytes.subarray(from, from + size));
    from += size;
  }
  return { entries: entries.map((entry) => JSON.parse(entry)), splitter };
}

describe('the entries of a HAR', () => {
  it('are read one by one, with any content and in any chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.jsonValue(),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.constantFrom(0, 1, '\t'),
        (entries, other, sizes, indent) => {
          const har = { pages: other, log: { entries_: [1], other, entries, creator: { entries: [other] } } };
          const { entries: found, splitter } = split(JSON.stringify(har, null, indent), sizes);
          expect(found).toEqual(JSON.parse(JSON.stringify(entries)));
          expect(splitter.isTorn).toBe(false);
          const frame = { ...har, log: { ...har.log, entries: [] } };
          expect(JSON.parse(splitter.readFrame()!)).toEqual(JSON.parse(JSON.stringify(frame)));
        },
      ),
    );
  });

  it('are the complete ones if the file is cut', () => {
    const text = '{"log":{"entries":[{"a":"]},{"},{"b":[1]},{"c":"';
    const { entries, splitter } = split(text);
    expect(entries).toEqual([{ a: ']},{' }, { b: [1] }]);
    expect(splitter.isTorn).toBe(true);
  });

  it('are only those of the log', () => {
    expect(split('{"entries":[1],"log":{"pages":{"entries":[2]},"entries":[3]}}').entries).toEqual([3]);
    expect(split('[{"log":{"entries":[1]}}]').entries).toEqual([]);
  });

  it('are refused if one is too large', () => {
    expect(() => split(`{"log":{"entries":[1,"${'x'.repeat(200_000)}"]}}`, [5000])).toThrow(
      'entry 1 is large',
    );
  });
});
