import type { Organisation } from '../engine/organisation.js';
import { fields, list, oneOf, ShapeError, text } from '../engine/shape.js';
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
  organisations: { key: string; state: OrganisationSnapshot }[];
}

const check = fields({
  version: oneOf(SNAPSHOT_VERSION),
  organisations: list(fields({ key: text, state: checkSnapshot })),
});

export function takeState(organisations: readonly Organisation[]): MockState {
  return {
    version: SNAPSHOT_VERSION,
    organisations: organisations.map((organisation) => ({
      key: organisation.key,
      state: takeSnapshot(organisation),
    })),
  };
}

/**
 * Restores every organisation in the state, and gives them back. Throws ShapeError, which names the place and never a
 * key, before anything is changed.
 */
export function restoreState(organisations: Organisations, given: unknown): Organisation[] {
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
    restoreSnapshot(organisation, snapshot);
    return organisation;
  });
}
