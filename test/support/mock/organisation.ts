import { OrganisationClock } from '../../../mock/engine/clock.js';
import {
  DEFAULT_ORGANISATION_LIMITS,
  Organisation,
  type OrganisationSetup,
} from '../../../mock/engine/organisation.js';
import { createTask } from '../../../mock/engine/tasks/lifecycle.js';
import type { Task } from '../../../mock/engine/tasks/task.js';
import type { Journal } from '../../../mock/exchange/journal.js';
import { createRandom } from '../../../mock/generate/random.js';
import type { Network } from '../../../mock/network/network.js';
import type { Step } from '../../../scenarios/format/types.js';
import { resolveDialect } from '../../../spec/dialect.js';
import { openPoints } from '../../../spec/generated/documents.js';

/** An organisation for engine tests: manual clock, no network, simple generators. */
export function createOrganisation(
  options: { dialect?: Record<string, unknown>; setup?: Partial<OrganisationSetup> } = {},
): Organisation & { notes: string[] } {
  const notes: string[] = [];
  const setup: OrganisationSetup = {
    dialect: resolveDialect(options.dialect ?? {}, openPoints).dialect,
    limits: DEFAULT_ORGANISATION_LIMITS,
    getOrigin: () => 'http://mock.test',
    getGenerators: () => ({
      findProblem: () => undefined,
      generateValue: () => ({ made: 'up' }),
      isValid: () => false,
      generateText: (task) => `Done: ${task}`,
    }),
    runScript: async () => ({ code: 200, output: null }),
    createNetwork: () => {
      const steps = { fireVerb: () => false, holdStep: () => false, reissue() {} };
      return { addTimelineRule() {}, steps, reportStep() {}, review() {} } as unknown as Network;
    },
    createJournal: () => ({}) as Journal,
    countOrganisations: () => 1,
    onPlanned() {},
    onNote: (_, note) => notes.push(note),
    onPolledInVain() {},
    ...options.setup,
  };
  const account = {
    ...{ id: 'account', name: 'Test', plan: 'growth', group: 'zero', created_at: 0 },
    ...{ credits: 100, browser_sessions: 0 },
    auto_top_up: { active: false, amount: 0, threshold: 0 },
  };
  const clock = new OrganisationClock(() => 0, { mode: 'manual', speed: 1 });
  const organisation = new Organisation('k', 'org-1', account, clock, createRandom('test'), setup);
  return Object.assign(organisation, { notes });
}

export function startTimeline(
  organisation: Organisation,
  timeline: Step[],
  request: Record<string, unknown> = { task: 'Do it' },
): Task {
  return createTask(organisation, request, {
    name: 'test',
    title: 'Test',
    covers: [],
    match: 'never',
    request,
    timeline,
  });
}

export function advanceClock(organisation: Organisation, ms: number): void {
  organisation.advanceTo(organisation.now + ms);
}
