import type { Organisation } from './engine/organisation.js';
import { furnishAccount, type GivenAccount } from './furnish/account.js';
import { Furnishing } from './furnish/furnishing.js';
import { furnishTasks, type GivenTask } from './furnish/tasks.js';
import { furnishThings, type GivenThings } from './furnish/things.js';
import { furnishWorkspaces, type GivenWorkspace } from './furnish/workspaces.js';

/** What one organisation starts with. Ids that are left out are made from the seed; times are durations (`36h`) or ms ago. */
export interface Furniture extends GivenThings {
  organisation?: GivenAccount;
  workspaces?: GivenWorkspace[];
  /** Tasks of the past, oldest first. */
  tasks?: GivenTask[];
}

/** What every new organisation of a mock starts with; under `keys` what that of one API key starts with in place of it. */
export interface Fixtures extends Furniture {
  keys?: Record<string, Furniture>;
}

/** Furnishes a new organisation. Keys with a meaning keep theirs: `exhausted-*` has no credits, `free-*` is on the free plan. */
export function furnish(organisation: Organisation, fixtures: Fixtures): void {
  const { keys = {}, ...all } = fixtures;
  const given = Object.hasOwn(keys, organisation.key) ? keys[organisation.key]! : all;
  const { organisation: account, workspaces = [], tasks = [], ...things } = given;
  if (account) furnishAccount(organisation, account);
  // Most fixtures are about the account alone: those change no other id, and neither do these.
  const furnishing = new Furnishing(organisation);
  furnishThings(furnishing, things);
  furnishWorkspaces(furnishing, workspaces);
  furnishTasks(furnishing, tasks);
}
