import type { Faker, LocaleDefinition } from '@faker-js/faker';
import { faker as base } from '@faker-js/faker/locale/base';
import type { Random } from '../random.js';
import { words } from './words.json.js';

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
