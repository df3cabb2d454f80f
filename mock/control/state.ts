import * as s from '../../spec/json-schema/build-schema.js';
import { assertValid, createInvalidValue } from '../../spec/json-schema/violations.js';
import { CLOCK_MODES } from '../engine/clock.js';
import type { Organisation } from '../engine/organisation.js';
import { ruleSchema, sharedCountSchema } from '../engine/snapshot/network.js';
import {
  type OrganisationSnapshot,
  restoreSnapshot,
  SNAPSHOT_VERSION,
  snapshotSchema,
  takeSnapshot,
} from '../engine/snapshot/snapshot.js';
import { checkReferences, queuedSchema, scenarioSchema } from '../engine/snapshot/timelines.js';
import { movePages } from '../exchange/route.js';
import { isWithoutFile, type ScenarioRegistry } from '../scenario-registry.js';
import type { MockService } from '../service.js';

const version = s.oneOf(SNAPSHOT_VERSION);

/** Checked first: the rest of the format depends on the version. */
const versionSchema = {
  ...s.fields({ version, organisations: s.anything }),
  'x-expected': 'a state, as GET /__admin/state or mock.snapshot() returns it',
};

const stateSchema = s.fields({
  version,
  /** The origin of the mock: on restore, addresses with this origin get the origin of the restoring mock. */
  origin: s.optional(s.text),
  /** In the order in which they were opened. */
  organisations: s.list(
    s.fields({
      key: s.text,
      state: snapshotSchema,
      /** Added for this organisation alone. */
      scenarios: s.optional(s.list(scenarioSchema)),
    }),
  ),
  /** Scenarios without a file: added at runtime, or given as objects. */
  scenarios: s.optional(s.list(scenarioSchema)),
  /** Settings for organisations that are opened later: only in the state of a whole mock. */
  later: s.optional(
    s.fields({
      queued: s.list(queuedSchema),
      network: s.list(
        s.fields({
          id: s.text,
          rule: ruleSchema,
          together: s.optional(sharedCountSchema),
          off: s.optional(s.bool),
        }),
      ),
      clock: s.fields({
        mode: s.oneOf(...CLOCK_MODES),
        speed: s.number(Number.MIN_VALUE),
        paused_from: s.optional(s.oneOf(...CLOCK_MODES)),
      }),
    }),
  ),
});

/** A snapshot of a mock's organisations, with the keys under which they are restored. Plain JSON. */
export type MockState = s.ValueOf<typeof stateSchema>;

/** Without a key, a snapshot of the whole mock. */
export function snapshotMock(service: MockService, key?: string): MockState {
  const { sharedRules, organisations, origin, scenarios } = service;
  const { mode, speed, pausedFrom: paused_from } = organisations.clock;
  const clock = { mode, speed, ...(paused_from && { paused_from }) };
  return copy({
    version: SNAPSHOT_VERSION,
    origin,
    organisations: snapshotOrganisations(scenarios, organisations.selectOpen(key)),
    scenarios: scenarios.shared.filter(isWithoutFile),
    ...(key === undefined && {
      later: { queued: scenarios.queued, network: [...sharedRules.list()], clock },
    }),
  });
}

function snapshotOrganisations(
  registry: ScenarioRegistry,
  organisations: readonly Organisation[],
): MockState['organisations'] {
  return organisations.map((organisation) => {
    const own = registry.listOwn(organisation);
    const state = takeSnapshot(organisation);
    return { key: organisation.key, state, ...(own.length > 0 && { scenarios: own }) };
  });
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/**
 * Restores every organisation in a state. The state of a whole mock (one with `later`) removes all other organisations. With a key,
 * restores only one organisation, under this key: the only one of the state, or the one with this key. Throws InvalidValue, which names
 * the place and never a key, before any change.
 */
export function restoreState(service: MockService, given: unknown, key?: string): void {
  assertValid(versionSchema, given);
  assertValid(stateSchema, given);
  const whole = copy(given as MockState);
  const state = key === undefined ? whole : selectOrganisation(service, whole, key);
  state.organisations.forEach((each, index) => {
    checkReferences(each.state, `organisations[${index}].state`);
  });
  const restored = restoreAllOrNone(service, state);
  restoreScenarios(service.scenarios, state);
  if (state.later) restoreShared(service, state);
  else service.sharedRules.link();
  for (const organisation of restored) service.wakeUpTimer.arm(organisation);
}

/** The shared scenarios of the state become scenarios of the organisation, unless the mock has others of the same names. */
function selectOrganisation({ scenarios: registry }: MockService, state: MockState, key: string): MockState {
  const { organisations, later: _, scenarios = [], ...rest } = state;
  const selected =
    organisations.length === 1 ? organisations[0] : organisations.find((each) => each.key === key);
  if (!selected)
    throw createInvalidValue('organisations', 'one organisation, or one with the key', organisations.length);
  const own = selected.scenarios ?? [];
  const known = [...own, ...registry.shared].map(({ name }) => name);
  const missing = scenarios.filter(({ name }) => !known.includes(name));
  return { ...rest, organisations: [{ key, state: selected.state, scenarios: [...own, ...missing] }] };
}

function restoreShared(service: MockService, { later, organisations: kept }: MockState): void {
  const { organisations, scenarios } = service;
  const keys = new Set(kept.map(({ key }) => key));
  for (const { key } of [...organisations.values()]) if (!keys.has(key)) organisations.reset(key);
  const { queued, network, clock } = later!;
  organisations.clock = { mode: clock.mode, speed: clock.speed, pausedFrom: clock.paused_from };
  scenarios.queued = queued;
  service.sharedRules.restore(network);
}

/** Errors that the checks missed show while restoring: then the state before is restored. */
function restoreAllOrNone(service: MockService, { organisations: kept, origin }: MockState): Organisation[] {
  const { organisations } = service;
  const before = copy(
    snapshotOrganisations(
      service.scenarios,
      kept.flatMap(({ key }) => organisations.get(key) ?? []),
    ),
  );
  try {
    return restoreOrganisations(service, kept, origin);
  } catch (error) {
    const known = new Set(before.map(({ key }) => key));
    for (const { key } of kept) if (!known.has(key)) organisations.reset(key);
    restoreOrganisations(service, before, service.origin);
    throw createInvalidValue('', 'a consistent state', (error as Error).message);
  }
}

function restoreOrganisations(
  { organisations, origin, scenarios: registry }: MockService,
  kept: MockState['organisations'],
  from: string | undefined,
): Organisation[] {
  return kept.map(({ key, state, scenarios = [] }) => {
    const organisation = organisations.open(key);
    registry.setOwn(organisation, scenarios);
    restoreSnapshot(organisation, from === undefined ? state : moveAddresses(state, from, origin));
    return organisation;
  });
}

/** The state of a whole mock replaces the scenarios without a file; any other state adds to the existing ones. */
function restoreScenarios(registry: ScenarioRegistry, { scenarios = [], later }: MockState): void {
  if (later) registry.restoreWithoutFile(scenarios);
  else registry.add(scenarios);
}

/** The snapshot with the mock's own addresses moved to `to`. The journal is not changed: it records what was sent. */
function moveAddresses(
  { journal, ...rest }: OrganisationSnapshot,
  from: string,
  to: string,
): OrganisationSnapshot {
  return { ...JSON.parse(movePages(JSON.stringify(rest), from, to)), journal };
}
