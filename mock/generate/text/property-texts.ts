import type { Faker, LocaleDefinition } from '@faker-js/faker';
import { faker as base } from '@faker-js/faker/locale/base';
import { createRandom, type Random } from '../random.js';
import { words } from './words.json.js';

type PropertyGenerator = (faker: Faker, random: Random) => string;
const TEXTS: [RegExp, PropertyGenerator][] = [
  [/e_?mail/, (f) => f.internet.exampleEmail()],
  [/first_?name|given_?name/, (f) => f.person.firstName()],
  [/last_?name|surname|family_?name/, (f) => f.person.lastName()],
  [/user_?name|login|handle/, (f) => f.internet.username()],
  [/company|organi[sz]ation|employer|brand|vendor|manufacturer/, (f) => f.company.name()],
  [/product|item_?name/, (f) => f.commerce.productName()],
  [/author|person|contact|full_?name|customer|owner|assignee/, (f) => f.person.fullName()],
  [/image|photo|avatar|thumbnail|logo/, (_, r) => `https://img.example.com/${r.uuid()}.png`],
  [/ur[li]$|ur[li]s$|^ur[li]|link|href|website|homepage/, (f) => generateUrl(f)],
  [/domain|^host/, (f) => `${f.internet.domainWord()}.example.com`],
  [/(^|_)ip($|_)|ip_?address/, (_, r) => generateIpv4(r)],
  [/phone|mobile|^tel$|fax/, (f) => `+1 555 01${f.string.numeric(2)}`],
  [/city|town/, (f) => f.location.city()],
  [/country_?code/, (f) => f.location.countryCode()],
  [/country/, (f) => f.location.country()],
  [/(^|_)(state|province|region)$/, (f) => f.location.state()],
  [/zip|post_?code|postal/, (f) => f.location.zipCode()],
  [/street|address/, (f) => f.location.streetAddress()],
  [/location|place|destination|origin/, (f) => `${f.location.city()}, ${f.location.country()}`],
  [/currency/, (f) => f.finance.currencyCode()],
  [/price|amount|cost|total/, (f) => f.commerce.price({ symbol: '$' })],
  [/colou?r/, (f) => f.color.human()],
  [/language|locale/, (f) => f.helpers.arrayElement(['en', 'de', 'fr', 'es', 'pt', 'ja'])],
  [/time_?zone/, (f) => f.location.timeZone()],
  [/(^|_)(date|day|birthday)$|_(at|on)$|timestamp/, (_, r) => generateDateTime(r)],
  [/(^|_)(uu)?ids?$|[a-z]Ids?$/, (_, r) => r.uuid()],
  [/sku|code|key|token|hash|serial|reference/, (f) => f.string.alphanumeric({ length: 10, casing: 'upper' })],
  [/version/, (f) => f.system.semver()],
  [/file/, (f) => f.system.commonFileName()],
  [/job|role|position|profession/, (f) => f.person.jobTitle()],
  [/category|department|genre|topic/, (f) => f.commerce.department()],
  [/tag|keyword|label/, (f) => f.word.noun()],
  [/status/, (f) => f.helpers.arrayElement(['active', 'pending', 'complete'])],
  [/query|search/, (f) => `${f.word.adjective()} ${f.word.noun()}`],
  [/weather|condition/, (f) => f.helpers.arrayElement(['sunny', 'cloudy', 'light rain', 'clear'])],
  [/title|headline|subject|heading/, (f) => f.company.catchPhrase()],
  [/name/, (f) => f.person.fullName()],
  [
    /descr|summary|text|content|body|comment|note|message|review|reason|answer|output|bio/,
    (f) => f.hacker.phrase(),
  ],
];

export function generateText(name: string, random: Random): string {
  const faker = getFaker(random);
  const plain = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const make = TEXTS.find(([match]) => match.test(plain))?.[1];
  return make ? make(faker, random) : `${faker.word.adjective()} ${faker.word.noun()}`;
}

export function pickWord(random: Random): string {
  const noun = getFaker(random).word.noun();
  return noun.replace(/[^a-z]/g, '') || 'word';
}

const RANGES: [RegExp, number, number, number][] = [
  [/(^|_)lat(itude)?$/, -90, 90, 4],
  [/(^|_)(lon|lng|long)(gitude)?$/, -180, 180, 4],
  [/rating|stars/, 1, 5, 1],
  [/price|amount|cost|total|fee|salary|budget/, 5, 500, 2],
  [/percent|ratio|share|humidity/, 0, 100, 1],
  [/score|confidence|probability/, 0, 1, 2],
  [/temp/, -5, 35, 1],
  [/year/, 1990, 2026, 0],
  [/month/, 1, 12, 0],
  [/(^|_)day$/, 1, 28, 0],
  [/hour/, 0, 23, 0],
  [/minute|second/, 0, 59, 0],
  [/(^|_)age$/, 18, 80, 0],
  [/count|quantity|qty|number_of|num_|stock|reviews|views|likes/, 1, 250, 0],
  [/(^|_)id$/, 1000, 99999, 0],
  [/timestamp/, 1_767_225_600_000, 1_798_761_600_000, 0],
];

/** Usual range and number of decimals for numbers of that name. */
export function findRange(name: string): { min: number; max: number; decimals: number } {
  const plain = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const [, min, max, decimals] = RANGES.find(([match]) => match.test(plain)) ?? [undefined, 0, 100, 2];
  return { min, max, decimals };
}

/** A URL in a domain that is reserved for examples (RFC 2606). */
export function generateUrl(faker: Faker): string {
  return `https://www.example.com/${faker.word.noun()}/${faker.helpers.slugify(faker.word.words(2))}`;
}

/** An address of a network that is reserved for documentation (RFC 5737). */
export function generateIpv4(random: Random): string {
  return `192.0.2.${random.int(1, 254)}`;
}

const YEAR_2026_MS = 1_767_225_600_000;
const YEAR_MS = 365 * 24 * 3_600_000;

/** A time in the year 2026 in RFC 3339: a fixed year, because the engine does not read the date. */
export function generateDateTime(random: Random): string {
  return `${new Date(YEAR_2026_MS + random.int(0, YEAR_MS / 1000 - 1) * 1000).toISOString().slice(0, 19)}Z`;
}

const cache = new WeakMap<Random, Faker>();

const Class = base.constructor as new (options: {
  locale: LocaleDefinition[];
  randomizer: { next(): number; seed(): void };
}) => Faker;

/** Two thirds of Faker's English are animals, songs and dishes: only the used words are loaded. */
const LOCALE = [words, base.rawDefinitions];

/**
 * A Faker that draws only from `random`. Built from the class of a ready-made instance: importing the class
 * by name would load every locale. It has only the words that are used here and throws for any other
 * (words.json.ts). Do not generate dates with it: it would read the clock.
 */
export function getFaker(random: Random, locale: LocaleDefinition[] = LOCALE): Faker {
  let made = cache.get(random);
  if (!made) {
    made = new Class({ locale, randomizer: { next: () => random.next(), seed: () => {} } });
    cache.set(random, made);
  }
  return made;
}

const LONGEST_QUOTE = 80;

/**
 * A plausible output of a completed task without a response model: one or two short sentences that quote the
 * task. Section "Task", field `output`.
 */
export function generateOutput(task: string, random: Random): string {
  stock ??= fillStock();
  const quoted = quote(task);
  const found = random.int(2, 9);
  switch (random.int(0, 3)) {
    case 0:
      return `Done: ${quoted}. The page lists ${found} results; the first is "${random.pick(stock.products)}".`;
    case 1:
      return `I finished ${quoted}. The most relevant result is "${random.pick(stock.products)}".`;
    case 2:
      return `Completed ${quoted} in ${found} steps. The final page was titled "${random.pick(stock.titles)}".`;
    default:
      return `${quoted[0] === '"' ? quoted : 'The task'} is complete. I checked ${found} pages and everything needed was there.`;
  }
}

/** Names to choose from, created once: every finished task uses one. */
let stock: { products: string[]; titles: string[] } | undefined;

function fillStock() {
  const faker = getFaker(createRandom('stock of names'));
  const makeMany = (make: () => string) => Array.from({ length: 500 }, make);
  return {
    products: makeMany(() => faker.commerce.productName()),
    titles: makeMany(() => faker.company.catchPhrase()),
  };
}

function quote(task: string): string {
  // Much longer than the quotation, and much shorter than the longest task.
  const start = task.slice(0, 1000).replace(/\s+/g, ' ').trim();
  const line = start.replace(/[.!]+$/, '');
  if (line.length <= LONGEST_QUOTE) return line === '' ? 'the task' : `"${line}"`;
  return `"${[...line].slice(0, LONGEST_QUOTE - 3).join('')}..."`;
}
