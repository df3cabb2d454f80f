import type { Scenario } from '../../scenarios/format/types.js';
import * as s from '../../spec/json-schema/build-schema.js';
import { assertValid, createInvalidValue } from '../../spec/json-schema/violations.js';
import { CLOCK_MODES } from '../engine/clock.js';
import type { Organisation } from '../engine/organisation.js';
import { ruleSchema } from '../engine/snapshot/network.js';
import {
  type OrganisationSnapshot,
  restoreSnapshot,
  SNAPSHOT_VERSION,
  snapshotSchema,
  takeSnapshot,
} from '../engine/snapshot/snapshot.js';
import { checkReferences, stepSchema } from '../engine/snapshot/timelines.js';
import { movePages } from '../exchange/route.js';
import type { ScenarioRegistry } from '../scenario-registry.js';
import type { MockService } from '../service.js';

const scenarioSchema = s.fields({
  name: s.text,
  title: s.text,
  description: s.optional(s.text),
  covers: s.list(s.text),
  match: s.object,
  request: s.object,
  timeline: s.list(stepSchema),
}) as s.SchemaOf<unknown> as s.SchemaOf<Scenario>;

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
  organisations: s.list(s.fields({ key: s.text, state: snapshotSchema })),
  /** Scenarios without a file: added at runtime, or given as objects. */
  scenarios: s.optional(s.list(scenarioSchema)),
  /** Settings for organisations that are opened later: only in the state of a whole mock. */
  later: s.optional(
    s.fields({
      queued: s.list(s.text),
      network: s.list(s.fields({ id: s.text, rule: ruleSchema })),
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
    organisations: snapshotOrganisations(organisations.selectOpen(key)),
    scenarios: scenarios.given.filter(({ file }) => file === undefined),
    ...(key === undefined && {
      later: { queued: scenarios.queued, network: [...sharedRules.list()], clock },
    }),
  });
}

function snapshotOrganisations(organisations: readonly Organisation[]): MockState['organisations'] {
  return organisations.map((organisation) => ({ key: organisation.key, state: takeSnapshot(organisation) }));
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/**
 * Restores every organisation in a state. The state of a whole mock (one with `later`) removes all other organisations. Throws
 * InvalidValue, which names the place and never a key, before any change.
 */
export function restoreState(service: MockService, given: unknown): void {
  assertValid(versionSchema, given);
  assertValid(stateSchema, given);
  const state = copy(given as MockState);
  state.organisations.forEach((each, index) => {
    checkReferences(each.state, `organisations[${index}].state`);
  });
  const restored = restoreAllOrNone(service, state);
  restoreScenarios(service.scenarios, state);
  if (state.later) restoreShared(service, state);
  for (const organisation of restored) service.wakeUpTimer.arm(organisation);
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
  const before = copy(snapshotOrganisations(kept.flatMap(({ key }) => organisations.get(key) ?? [])));
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
  { organisations, origin }: MockService,
  kept: MockState['organisations'],
  from: string | undefined,
): Organisation[] {
  return kept.map(({ key, state }) => {
    const organisation = organisations.open(key);
    restoreSnapshot(organisation, from === undefined ? state : moveAddresses(state, from, origin));
    return organisation;
  });
}

/** The state of a whole mock replaces the scenarios without a file; any other state adds to the existing ones. */
function restoreScenarios(registry: ScenarioRegistry, { scenarios = [], later }: MockState): void {
  if (later) registry.replace(registry.given.filter(({ file }) => file !== undefined));
  registry.add(scenarios);
}

/** The snapshot with the mock's own addresses moved to `to`. The journal is not changed: it records what was sent. */
function moveAddresses(
  { journal, ...rest }: OrganisationSnapshot,
  from: string,
  to: string,
): OrganisationSnapshot {
  return { ...JSON.parse(movePages(JSON.stringify(rest), from, to)), journal };
}
