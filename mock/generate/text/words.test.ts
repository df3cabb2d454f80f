import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING, formatWords } from '../../../test/support/generate/words-text.js';
import { createRandom } from '../random.js';
import { generateFormatTexts } from './format-text.js';
import { generateText, getFaker } from './property-texts.js';

const FILE = join(import.meta.dirname, 'words.json.ts');

/** A property name for every kind of text in property-texts.ts. */
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
    if (process.env['UPDATE_WORDS']) writeFileSync(FILE, formatWords());
  });

  it('are those of the installed Faker', () => {
    expect(readFileSync(FILE, 'utf8') === formatWords(), 'UPDATE_WORDS=1 writes words.json.ts anew').toBe(
      true,
    );
  });

  it('give the same texts as the complete English locale of Faker', () => {
    for (const seed of ['a', 'b', 'c']) {
      const some = createRandom(seed);
      const all = createRandom(seed);
      getFaker(all, EVERYTHING);
      for (let round = 0; round < 30; round++) {
        for (const name of NAMES) expect(generateText(name, some), name).toBe(generateText(name, all));
        for (const format of FORMATS)
          expect(generateFormatTexts(format, 0, some), format).toEqual(generateFormatTexts(format, 0, all));
      }
    }
  });
});
