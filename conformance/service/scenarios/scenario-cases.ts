import { listNeeds } from '../../../scenarios/format/needs.js';
import type { Scenario, Step } from '../../../scenarios/format/types.js';
import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { SUITES, type Suite, type TestCase } from '../test-case/test-case.js';
import { playScenario } from './play-scenario.js';

/** Slower scenarios test only the patience of clients, ms. */
const SLOWEST_MS = 3000;

/** Requirements that a conversation between one client and the service can show. */
const SHOWN = /^(SERVICE-01|ENV|POLL|TASK|TOOL|EVENT|SESSION|ERROR-09)/;

/**
 * Scenarios as test cases for a service: the suite plays the client, and the service may do anything that the rules allow.
 * Excluded are scenarios with network faults, and those without a requirement for services.
 */
export function createScenarioCases(scenarios: readonly Scenario[]): TestCase[] {
  return scenarios.flatMap((scenario) => {
    const suite = SUITES.find((each) => each === scenario.name.split('/')[0]);
    const covers = listCovers(scenario);
    if (suite === undefined || covers.length === 0 || !isPlayable(scenario)) return [];
    return [
      {
        id: scenario.name as `${Suite}/${string}`,
        title: scenario.title,
        covers,
        operations: listOperations(scenario),
        parts: listNeeds(scenario),
        tasks: 1,
        run: (t) => playScenario(t, scenario),
      },
    ];
  });
}

function listCovers({ covers }: Scenario): RequirementId[] {
  return requirements
    .filter((each) => covers.includes(each.id) && each.side === 'service' && each.level === 'must')
    .filter((each) => !('unobservable' in each) && SHOWN.test(each.id))
    .map(({ id }) => id as RequirementId);
}

function isPlayable({ request, timeline }: Scenario): boolean {
  // Only its own service knows it.
  if (request.profile_id || (Array.isArray(request.files) && request.files.length > 0)) return false;
  const [first] = timeline;
  // A new task runs: a service that ends it before its response breaks that.
  const endsAtOnce = first !== undefined && 'service' in first && first.service === 'finish' && !first.after;
  return !endsAtOnce && timeline.every(isPlayableStep);
}

function isPlayableStep(step: Step): boolean {
  if ('network' in step) return false;
  const slow = (step.after?.time_ms ?? 0) > SLOWEST_MS;
  if ('client' in step) return !(slow && step.client === 'reply');
  return step.service !== 'event' && !slow;
}

function listOperations({ timeline }: Scenario): OperationId[] {
  const client = timeline.flatMap((step) => ('client' in step ? [step] : []));
  const deletes = client.some((step) => step.client === 'cancel' || ('by' in step && step.by === 'delete'));
  const sends = client.some(({ client: does }) => does === 'reply' || does === 'action' || does === 'close');
  return [
    'createTask',
    'getTask',
    ...(sends ? (['sendTaskEvent'] as const) : []),
    ...(deletes ? (['deleteTask'] as const) : []),
  ];
}
