import type { Organisation } from '../engine/organisation.js';
import { fields, list, oneOf, optional, ShapeError, text } from '../engine/shape.js';
import {
  type OrganisationSnapshot,
  restoreSnapshot,
  SNAPSHOT_VERSION,
  takeSnapshot,
} from '../engine/snapshot.js';
import { checkSnapshot } from '../engine/snapshot-check.js';
import type { Organisations } from '../organisations.js';

/** Snapshots of organisations, with the keys that they are restored under. */
export interface MockState {
  version: typeof SNAPSHOT_VERSION;
  /** Where the mock was reached: addresses that lead there lead to the mock that restores it. */
  origin?: string;
  organisations: { key: string; state: OrganisationSnapshot }[];
}

const check = fields({
  version: oneOf(SNAPSHOT_VERSION),
  origin: optional(text),
  organisations: list(fields({ key: text, state: checkSnapshot })),
});

export function takeState(organisations: readonly Organisation[], origin: string): MockState {
  return {
    version: SNAPSHOT_VERSION,
    origin,
    organisations: organisations.map((organisation) => ({
      key: organisation.key,
      state: takeSnapshot(organisation),
    })),
  };
}

/**
 * Restores every organisation in the state, and gives them back; `origin` is where this mock is reached. Throws ShapeError, which names the place and never a
 * key, before anything is changed.
 */
export function restoreState(organisations: Organisations, given: unknown, origin: string): Organisation[] {
  check(given, '');
  const state = given as MockState;
  const keys = new Set<string>();
  state.organisations.forEach(({ key }, index) => {
    if (keys.has(key))
      throw new ShapeError(`organisations[${index}].key`, 'a key of its own', 'one that stands above');
    keys.add(key);
  });
  return state.organisations.map(({ key, state: snapshot }) => {
    const organisation = organisations.open(key);
    restoreSnapshot(
      organisation,
      state.origin === undefined ? snapshot : moved(snapshot, state.origin, origin),
    );
    return organisation;
  });
}

const PAGE = /^\/(live|recordings|downloads|billing|invite)\//;

/** The snapshot with the mock's own addresses at `to`. The journal stays: it says what was sent. */
function moved(snapshot: OrganisationSnapshot, from: string, to: string): OrganisationSnapshot {
  if (from === to) return snapshot;
  const move = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.startsWith(from) && PAGE.test(value.slice(from.length))
        ? to + value.slice(from.length)
        : value;
    }
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, move(each)]));
  };
  const { journal, ...rest } = snapshot;
  return { ...(move(rest) as Omit<OrganisationSnapshot, 'journal'>), journal };
}
