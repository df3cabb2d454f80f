import { describe, expect, it } from 'vitest';
import { requirements } from '../../../spec/generated/documents.js';
import { operationIds } from '../../../spec/generated/operations.js';
import { runWithRules } from '../../../test/support/from-openapi/run-cases.js';
import { generatedCases } from '../all-cases.js';
import { everyOperation } from './derived-case.js';

describe('generated cases', () => {
  it('are there for every operation, under names of their own', () => {
    const ids = generatedCases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of operationIds) {
      expect(ids).toContain(`resources/${id}-answer`);
      expect(ids).toContain(`auth/${id}`);
    }
  });

  it('cover rules that bind services', () => {
    const bound = new Set(
      requirements.filter(({ side, level }) => side === 'service' && level === 'must').map(({ id }) => id),
    );
    for (const { id, covers } of generatedCases) {
      expect(
        covers.filter((each) => !bound.has(each)),
        id,
      ).toEqual([]);
      expect(new Set(covers).size, id).toBe(covers.length);
    }
  });

  it('know of every bound that the description gives to a parameter', () => {
    const bounded = everyOperation.flatMap(({ id, params }) =>
      params
        .filter(({ minimum, maximum }) => minimum !== undefined || maximum !== undefined)
        .map(({ name }) => `${id} ${name}`),
    );
    expect(bounded).toEqual(['listTasks l']);
  });

  it('all pass against the mock, list their operations, and leave nothing', async () => {
    const report = await runWithRules(generatedCases);
    expect(report.faults).toEqual([]);
    expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report.left).toEqual([]);
    const tasks = report.exchanges.filter(({ operation }) =>
      ['createTask', 'createChatTask', 'createMessage', 'triggerWebhook'].includes(operation!),
    );
    // Refused requests, and those accepted by mistake, do not count; two belong to the smoke check.
    const made = tasks.filter(({ response }) => response!.status === 200).length - 2;
    expect(made).toBeLessThanOrEqual(generatedCases.reduce((sum, { tasks = 0 }) => sum + tasks, 0));
  });
});
