import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Operation, OperationId, OperationParameter } from '../../../spec/generated/operations.js';
import type { Probe } from '../cases/test-case.js';
import { type Kit, withKit } from '../request-builders/tracker.js';
import { attempt, costs, everyOperation, nameOf, twin, withParameter } from './attempt.js';
import { judgeRefusal, REFUSAL_COVERS } from './refusal.js';

/** One thing that is wrong with a parameter. */
interface Case {
  parameter: OperationParameter;
  value: string | undefined;
  /** In words, after the name of the operation. */
  what: string;
  requirement: RequirementId | undefined;
}

/** Rules that say that something is required, and nothing else about it that a refusal would have to show. */
const REQUIRES: Readonly<Partial<Record<OperationId, RequirementId>>> = {
  deleteSop: 'SOP-03',
  deleteAutomation: 'AUTO-03',
};

/** For each operation with parameters: each required one missing, and each of the wrong type. */
export const parameterProbes: readonly Probe[] = everyOperation.flatMap((operation): Probe[] => {
  const { id } = operation;
  const cases = casesOf(operation);
  if (cases.length === 0) return [];
  const more = cases.flatMap(({ requirement }) => requirement ?? []);
  return [
    {
      id: `errors/${id}-parameters`,
      title: `${nameOf(id)} refuses what is missing or of the wrong type among its parameters`,
      covers: [...new Set([...REFUSAL_COVERS, ...more])],
      ...costs(id, 2),
      run: (probing) => withKit(probing, (kit) => run(kit, id, cases)),
    },
  ];
});

async function run(kit: Kit, id: OperationId, cases: readonly Case[]): Promise<void> {
  const { next } = await twin(kit, id);
  for (const { parameter, value, what, requirement } of cases) {
    const base = next();
    const answer = await attempt(kit, id, base, withParameter(base, parameter, value));
    judgeRefusal(kit, answer, `${nameOf(id)} ${what}`, requirement ? [requirement] : []);
  }
}

function casesOf({ id, params }: Operation): Case[] {
  return params.flatMap((parameter): Case[] => {
    const { name, type, required } = parameter;
    if (parameter.in === 'path') return [];
    const cases: Case[] = [];
    const requirement = parameter.in === 'header' ? 'CHAT-12' : REQUIRES[id];
    const where = parameter.in === 'header' ? 'header' : 'query parameter';
    if (required)
      cases.push({ parameter, value: undefined, what: `without the ${where} "${name}"`, requirement });
    if (type !== 'string') {
      const value = type === 'integer' ? 'abc' : 'perhaps';
      cases.push({ parameter, value, what: `with ${name}=${value}`, requirement: undefined });
    }
    return cases;
  });
}
