import type { NetworkRule, Scenario } from '../../scenarios/format/types.js';
import {
  bool,
  fields,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  text,
} from '../../spec/json-schema/build-schema.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { assertValid, invalidValue } from '../../spec/json-schema/violations.js';
import { CLOCK_MODES, type ClockMode } from '../engine/clock.js';
import type { Organisation } from '../engine/organisation.js';
import { checkReferences } from '../engine/snapshot/check-references.js';
import { ruleSchema } from '../engine/snapshot/network.js';
import {
  type OrganisationSnapshot,
  restoreSnapshot,
  SNAPSHOT_VERSION,
  snapshotSchema,
  takeSnapshot,
} from '../engine/snapshot/snapshot.js';
import { stepSchema } from '../engine/snapshot/timelines.js';
import type { ScenarioRegistry } from '../scenario-registry.js';
import type { MockService } from '../service.js';
import { type ClocksState, restoreClocksState, takeClocksState } from './clock-change.js';

/** Organisations of a mock as they are at one moment, with the keys that they are restored under. Plain JSON. */
export interface MockState {
  version: typeof SNAPSHOT_VERSION;
  /** Where the mock was reached: addresses that lead there lead to the mock that restores it. */
  origin?: string;
  /** In the order in which they were opened. */
  organisations: KeptOrganisation[];
  /** Scenarios that came from no file: they were added, or given as objects. */
  scenarios?: Scenario[];
  /** What holds for organisations that are opened later: in the state of a whole mock only. */
  later?: LaterState;
}

export interface KeptOrganisation {
  key: string;
  /** 1 for the one that has been idle for longest, and so on. */
  used?: number;
  /** How its clock went before it was paused. */
  paused?: ClockMode;
  state: OrganisationSnapshot;
}

export interface LaterState {
  queued: string[];
  network: NetworkRule[];
  clock: ClocksState;
}

const scenario = fields({
  name: text,
  title: text,
  description: optional(text),
  covers: list(text),
  match: object,
  request: object,
  timeline: list(stepSchema),
});

const mode = oneOf(...CLOCK_MODES);

const schema = fields({
  version: oneOf(SNAPSHOT_VERSION),
  origin: optional(text),
  organisations: list(
    fields({ key: text, used: optional(integer(1)), paused: optional(mode), state: snapshotSchema }),
  ),
  scenarios: optional(list(scenario)),
  later: optional(
    fields({
      queued: list(text),
      network: list(ruleSchema),
      clock: fields({ mode, speed: number(Number.MIN_VALUE), later: orNull(mode), paused: bool }),
    }),
  ),
});

/** A snapshot of the organisation of a key, or of the whole mock. */
export function takeState(service: MockService, key?: string): MockState {
  const { networkRules, scenarios } = service;
  const own = scenarios
    .list()
    .flatMap(({ scenario: each, library }) => (library || each.file !== undefined ? [] : each));
  const later = { queued: scenarios.queued, network: [...networkRules], clock: takeClocksState(service) };
  return copy({
    version: SNAPSHOT_VERSION,
    origin: service.origin,
    organisations: keep(service.organisations.selectOpen(key)),
    scenarios: own,
    ...(key === undefined ? { later } : {}),
  });
}

function keep(organisations: readonly Organisation[]): KeptOrganisation[] {
  const inUse = [...organisations].sort((one, other) => one.lastUsed - other.lastUsed);
  return organisations.map((organisation) => {
    const paused = organisation.clock.pausedFrom;
    return {
      key: organisation.key,
      used: inUse.indexOf(organisation) + 1,
      ...(paused === undefined ? {} : { paused }),
      state: takeSnapshot(organisation),
    };
  });
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/**
 * Makes every organisation in a state what it was. The state of a whole mock (one with `later`) leaves no other
 * organisation. Throws InvalidValue, which names the place and never a key, before anything is changed.
 */
export function restoreState(service: MockService, given: unknown): void {
  checkKind(given);
  assertValid(schema, given);
  const state = copy(given as MockState);
  state.organisations.forEach((each, index) => {
    checkReferences(each.state, `organisations[${index}].state.`);
  });
  const { organisations, scenarios, wakeUpTimer } = service;
  checkKeys(state);
  const restored = restoreAllOrNone(service, state);
  restoreScenarios(scenarios, state);
  const { later } = state;
  if (later) {
    const kept = new Set(state.organisations.map(({ key }) => key));
    for (const { key } of [...organisations.all()]) if (!kept.has(key)) organisations.reset(key);
    restoreClocksState(service, later.clock);
    scenarios.queued = [...later.queued];
    service.keepNetwork(later.network);
  }
  const inUse = [...state.organisations].sort((one, other) => (one.used ?? 0) - (other.used ?? 0));
  for (const { key, used } of inUse) if (used !== undefined) organisations.open(key);
  for (const organisation of restored) wakeUpTimer.wake(organisation);
}

/** What the checks did not find shows while it is restored: then everything is restored as it was before. */
function restoreAllOrNone(service: MockService, { organisations: kept, origin }: MockState): Organisation[] {
  const { organisations } = service;
  const before = copy(keep(kept.flatMap(({ key }) => organisations.get(key) ?? [])));
  try {
    return restoreOrganisations(service, kept, origin);
  } catch (error) {
    const known = new Set(before.map(({ key }) => key));
    for (const { key } of kept) if (!known.has(key)) organisations.reset(key);
    restoreOrganisations(service, before, service.origin);
    throw invalidValue('', 'a state whose parts fit together', (error as Error).message);
  }
}

function restoreOrganisations(
  { organisations, origin }: MockService,
  kept: readonly KeptOrganisation[],
  from: string | undefined,
): Organisation[] {
  return kept.map(({ key, paused, state }) => {
    const organisation = organisations.open(key);
    restoreSnapshot(organisation, from === undefined ? state : moved(state, from, origin));
    organisation.clock.pausedFrom = paused;
    return organisation;
  });
}

/** Throws InvalidValue in one sentence for a value that is not a state, or is of a later version. */
function checkKind(given: unknown): void {
  if (!isObject(given) || !('version' in given) || !('organisations' in given)) {
    throw invalidValue('', 'a state, as GET /__admin/state or mock.snapshot() gives it', given);
  }
  const { version } = given;
  if (typeof version === 'number' && version > SNAPSHOT_VERSION) {
    throw invalidValue(
      'version',
      `${SNAPSHOT_VERSION}, the newest that this taskdouble reads (a newer one has written it: update this one)`,
      version,
    );
  }
}

function checkKeys({ organisations }: MockState): void {
  const keys = new Set<string>();
  organisations.forEach(({ key }, index) => {
    if (keys.has(key))
      throw invalidValue(`organisations[${index}].key`, 'a key of its own', 'one that stands above');
    keys.add(key);
  });
}

/** Of a whole mock those that came from no file are what they were; else they are added to those there are. */
function restoreScenarios(registry: ScenarioRegistry, { scenarios = [], later }: MockState): void {
  if (!later) {
    if (scenarios.length > 0) registry.add(scenarios);
    return;
  }
  const filed = registry
    .list()
    .flatMap(({ scenario: each, library }) => (!library && each.file !== undefined ? each : []));
  const names = new Set(scenarios.map(({ name }) => name));
  registry.replace([...filed.filter(({ name }) => !names.has(name)), ...scenarios]);
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
