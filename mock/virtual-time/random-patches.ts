import crypto from 'node:crypto';
import type { Random } from '../generate/random.js';
import { findCurrentRun } from './current-run.js';
import { Patches } from './patches.js';

// biome-ignore lint/suspicious/noExplicitAny: the arguments of the platform's functions
type RandomArgs = any[];
type RandomFunction = (this: unknown, ...args: RandomArgs) => unknown;

/**
 * The functions with which a program draws random numbers. Within a run they use the run's seed, so that a client with random pauses or ids
 * behaves the same in every run; elsewhere they are unchanged. Keys and signatures stay random.
 */
export const randomPatches = new Patches();

/**
 * `seeded` fills or replaces the result of the platform's function, which has checked the arguments. `sync`: the form without a callback,
 * if it has another name.
 */
function wrapInRun(
  seeded: (random: Random, original: unknown, args: RandomArgs) => unknown,
  sync?: RandomFunction,
) {
  return (before: RandomFunction): RandomFunction =>
    function (...args) {
      const random = findCurrentRun()?.random;
      if (!random) return before.apply(this, args);
      const callback = args.at(-1);
      if (typeof callback !== 'function') return seeded(random, before.apply(this, args), args);
      const others = args.slice(0, -1);
      return process.nextTick(callback, null, seeded(random, (sync ?? before).apply(this, others), others));
    };
}

function fill(random: Random, original: unknown, offset = 0, size?: number): unknown {
  const view = original as ArrayBufferView | ArrayBuffer;
  const isView = ArrayBuffer.isView(view);
  const start = isView ? view.byteOffset + offset * readElementSize(view) : offset;
  const rest = view.byteLength - (start - (isView ? view.byteOffset : 0));
  const length = size === undefined ? rest : size * (isView ? readElementSize(view) : 1);
  const bytes = new Uint8Array(isView ? view.buffer : view, start, length);
  for (let at = 0; at < length; at++) bytes[at] = random.int(0, 255);
  return original;
}

const readElementSize = (view: ArrayBufferView) => (view as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1;

const wrapUuid = wrapInRun((random) => random.uuid());
const wrapFill = wrapInRun((random, original) => fill(random, original));

randomPatches.replace(
  Math,
  'random',
  wrapInRun((random) => random.next()),
);
randomPatches.replace(crypto, 'randomUUID', wrapUuid);
randomPatches.replace(crypto, 'randomBytes', wrapFill);
randomPatches.replace(
  crypto,
  'randomInt',
  wrapInRun((random, _original, [first, second]) =>
    random.int(second === undefined ? 0 : first, (second ?? first) - 1),
  ),
);
const fillPart = (random: Random, original: unknown, [, offset, size]: RandomArgs) =>
  fill(random, original, offset, size);
const { randomFillSync } = crypto;
randomPatches.replace(crypto, 'randomFillSync', wrapInRun(fillPart));
randomPatches.replace(crypto, 'randomFill', wrapInRun(fillPart, randomFillSync as RandomFunction));

// A test context may have no web crypto, or that of a simulated browser.
const webCrypto: object = crypto.webcrypto ? Object.getPrototypeOf(crypto.webcrypto) : {};
if ('randomUUID' in webCrypto) randomPatches.replace(webCrypto, 'randomUUID', wrapUuid);
if ('getRandomValues' in webCrypto) randomPatches.replace(webCrypto, 'getRandomValues', wrapFill);
