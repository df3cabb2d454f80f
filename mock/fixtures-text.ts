import { show } from '../scenarios/show.js';
import { type Complaint, type Path, Source } from '../scenarios/source.js';
import { nearest } from '../spec/nearest.js';
import { PLANS } from './engine/organisation.js';
import type { Fixtures } from './fixtures.js';
import { InvalidFile } from './invalid-file.js';

const PLAN_NAMES = Object.keys(PLANS);

/** What each field of `organisation` has to be. */
const FIELDS: Readonly<Record<string, { expected: string; holds: (value: unknown) => boolean }>> = {
  name: { expected: 'a text that is not empty', holds: (value) => typeof value === 'string' && value !== '' },
  plan: {
    expected: `one of ${PLAN_NAMES.join(', ')}`,
    holds: (value) => PLAN_NAMES.includes(value as string),
  },
  credits: { expected: 'a whole number, 0 or more', holds: isCount },
  browser_sessions: { expected: 'a whole number, 0 or more', holds: isCount },
};

/** Reads fixtures from YAML or JSON. Throws InvalidFile with every problem there is. */
export function readFixtures(text: string, file: string): Fixtures {
  const { source, problems } = Source.read(text, file);
  if (!source || problems.length > 0) throw new InvalidFile(problems);
  const complaints = checkFixtures(source.value ?? {});
  if (complaints.length > 0) throw new InvalidFile(complaints.map((complaint) => source.problem(complaint)));
  return (source.value ?? {}) as Fixtures;
}

function checkFixtures(root: unknown): Complaint[] {
  if (!isMapping(root))
    return [{ path: [], message: `expected a mapping with "organisation", found ${show(root)}` }];
  const strays = Object.keys(root).filter((name) => name !== 'organisation');
  const complaints = strays.map((name) => unknownKey([name], ['organisation']));
  const { organisation } = root;
  if (organisation === undefined) return complaints;
  if (!isMapping(organisation)) {
    return [
      ...complaints,
      { path: ['organisation'], message: `expected a mapping, found ${show(organisation)}` },
    ];
  }
  return [...complaints, ...Object.entries(organisation).flatMap(([name, value]) => checkField(name, value))];
}

function checkField(name: string, value: unknown): Complaint[] {
  const path = ['organisation', name];
  if (!Object.hasOwn(FIELDS, name)) return [unknownKey(path, Object.keys(FIELDS))];
  const { expected, holds } = FIELDS[name]!;
  return holds(value) ? [] : [{ path, message: `${name}: expected ${expected}, found ${show(value)}` }];
}

function unknownKey(path: Path, known: string[]): Complaint {
  const name = String(path.at(-1));
  const meant = nearest(name, known);
  const advice = meant ? `did you mean ${meant}?` : `known here: ${known.join(', ')}`;
  return { path, at: 'key', message: `unknown key "${name}"; ${advice}` };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
