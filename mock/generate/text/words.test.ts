import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING, wordsText } from '../../../test/support/generate/words-text.js';
import { createRandom } from '../random.js';
import { fakerFor } from './faker.js';
import { textsOfFormat } from './format-text.js';
import { textFor } from './names.js';
import { sentence } from './sentences.js';

const FILE = join(import.meta.dirname, 'words.json.ts');

/** A name of a property for every kind of text in names.ts. */
const NAMES = [
  ...[
    'email',
    'first_name',
    'last_name',
    'username',
    'company',
    'product',
    'author',
    'image',
    'url',
    'domain',
    'ip',
  ],
  ...[
    'phone',
    'city',
    'country_code',
    'country',
    'state',
    'zip',
    'street',
    'location',
    'currency',
    'price',
    'color',
  ],
  ...[
    'language',
    'time_zone',
    'date',
    'id',
    'sku',
    'version',
    'file',
    'job',
    'category',
    'tag',
    'status',
    'query',
  ],
  ...['weather', 'title', 'name', 'description', 'anything'],
];
const FORMATS = ['email', 'uri', 'hostname', 'uri-reference', 'regex', 'password'];

describe('the words that are loaded', () => {
  beforeAll(() => {
    if (process.env['UPDATE_WORDS']) writeFileSync(FILE, wordsText());
  });

  it('are those of the Faker that is installed', () => {
    expect(readFileSync(FILE, 'utf8') === wordsText(), 'UPDATE_WORDS=1 writes words.json.ts anew').toBe(true);
  });

  it('give the texts that all of Faker’s English gives', () => {
    for (const seed of ['a', 'b', 'c']) {
      const some = createRandom(seed);
      const all = createRandom(seed);
      fakerFor(all, EVERYTHING);
      for (let round = 0; round < 30; round++) {
        for (const name of NAMES) expect(textFor(name, some), name).toBe(textFor(name, all));
        for (const format of FORMATS)
          expect(textsOfFormat(format, 0, some), format).toEqual(textsOfFormat(format, 0, all));
        expect(sentence(some)).toBe(sentence(all));
      }
    }
  });
});
