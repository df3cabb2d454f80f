import { faker as base } from '@faker-js/faker/locale/base';
import { faker as english } from '@faker-js/faker/locale/en';

/** Every definition that the generator's calls of Faker read (names.ts, text.ts, format-text.ts). */
const READ: Readonly<Record<string, readonly string[]>> = {
  color: ['human'],
  commerce: ['department', 'product_name'],
  company: ['adjective', 'descriptor', 'legal_entity_type', 'name_pattern', 'noun'],
  finance: ['currency'],
  hacker: ['adjective', 'ingverb', 'noun', 'phrase', 'verb'],
  internet: ['example_email'],
  location: [
    ...['building_number', 'city_name', 'city_pattern', 'city_prefix', 'city_suffix', 'country', 'postcode'],
    ...['secondary_address', 'state', 'street_address', 'street_name', 'street_pattern', 'street_suffix'],
  ],
  person: [
    ...['first_name', 'job_area', 'job_descriptor', 'job_title_pattern', 'job_type', 'last_name'],
    ...['last_name_pattern', 'name', 'prefix', 'suffix'],
  ],
  word: ['adjective', 'adverb', 'conjunction', 'interjection', 'noun', 'preposition', 'verb'],
};

const HEAD = `/**
 * The English words of Faker that the generator uses. Written from the installed Faker:
 * UPDATE_WORDS=1 npx vitest run mock/generate/text/words.test.ts
 *
 * @license Words from Faker, https://github.com/faker-js/faker, under the MIT license, whose terms are those
 * of LICENSE here. Copyright (c) 2022-2025 its contributors, (c) 2011-2020 Marak Squires, (c) 2007-2010 Benjamin Curtis,
 * (c) 2004-2005 Jason Kohles.
 */

const list = (text: string) => text.split('|');

`;

/** The expected text of words.json.ts. */
export function formatWords(): string {
  const modules = Object.entries(READ).map(([module, names]) => {
    const definitions = english.rawDefinitions[module] as Record<string, unknown>;
    const lines = names.map((name) => `    ${name}: ${formatEntry(name, definitions[name])},\n`);
    return `  ${module}: {\n${lines.join('')}  },\n`;
  });
  return `${HEAD}export const words = {\n${modules.join('')}};\n`;
}

function formatEntry(name: string, definition: unknown): string {
  if (name !== 'currency') return formatValue(definition);
  // The generator reads only the codes of currencies.
  const codes = (definition as { code: string }[]).map(({ code }) => code);
  return `${formatValue(codes)}.map((code) => ({ code, name: '', symbol: '', numericCode: '' }))`;
}

/** Writes each list of words as one string: a third smaller, and faster to parse. */
function formatValue(value: unknown): string {
  if (Array.isArray(value) && value.length > 1 && value.every(isWord))
    return `list(${quote(value.join('|'))})`;
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${/^\w+$/.test(key) ? key : quote(key)}: ${formatValue(inner)}`)
    .join(', ')} }`;
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('|');
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/** The complete English words of Faker. */
export const EVERYTHING = [english.rawDefinitions, base.rawDefinitions];
