import type { Faker } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import type { Random } from './random.js';

const cache = new WeakMap<Random, Faker>();

/**
 * Faker that draws from `random` and from nothing else. Built from the class of the ready-made English instance:
 * importing the class by name would load every locale. Never ask it for dates: it would read the clock.
 */
export function fakerFor(random: Random): Faker {
  let made = cache.get(random);
  if (!made) {
    const Class = english.constructor as new (options: object) => Faker;
    const randomizer = { next: () => random.next(), seed: () => {} };
    made = new Class({ locale: english.rawDefinitions, randomizer });
    cache.set(random, made);
  }
  return made;
}
