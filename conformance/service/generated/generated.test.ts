import { describe, expect, it } from 'vitest';
import { openPoints, requirements } from '../../../spec/generated/documents.js';
import { operationIds } from '../../../spec/generated/operations.js';
import { everyOperation } from './attempt.js';
import { generatedProbes } from './index.js';
import { against, alone, those } from './test-support/against.js';

/** All but the one that makes 257 chats. */
const probes = generatedProbes.filter(({ id }) => id !== 'limits/listChats-default');

const choices = openPoints.flatMap((point): [string, Record<string, unknown>][] => {
  if (point.kind === 'number') return [];
  const others = Object.keys(point.choices).filter((each) => each !== point.default);
  return others.map((each) => [`${point.id}: ${each}`, { [point.id]: each }]);
});

/** No job is to be had where there are none. */
const WITHOUT_OCCASION: Readonly<Record<string, RegExp>> = {
  'job.ids: none-exist': /\/getJob/,
};

describe('generated probes', () => {
  it('are there for every operation, under names of their own', () => {
    const ids = generatedProbes.map(({ id }) => id);
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
    for (const { id, covers } of generatedProbes) {
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

  it('all pass against the mock, say what they send, and leave nothing', async () => {
    const report = await against(generatedProbes);
    expect(report.faults).toEqual([]);
    expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report.left).toEqual([]);
    const tasks = report.exchanges.filter(({ operation }) =>
      ['createTask', 'createChatTask', 'createMessage', 'triggerWebhook'].includes(operation!),
    );
    // Requests that are refused, or accepted by mistake, are none of them; two are the gate's.
    const made = tasks.filter(({ response }) => response!.status === 200).length - 2;
    expect(made).toBeLessThanOrEqual(generatedProbes.reduce((sum, { tasks = 0 }) => sum + tasks, 0));
  });

  it('send a bounded number of requests, of the operations that they name alone', async () => {
    const { exchanges } = await against(probes);
    expect(exchanges.length).toBeLessThan(1300);
    for (const probe of probes.filter((_, i) => i % 5 === 0)) {
      const report = await against([probe]);
      const called = new Set(report.exchanges.map(({ operation }) => operation!));
      // The gate's own, and waiting for a task.
      const named = new Set<string>([...probe.operations, 'createTask', 'getTask', 'deleteTask']);
      expect(
        [...called].filter((id) => !named.has(id)),
        probe.id,
      ).toEqual([]);
    }
  });

  it.each(['bare-results', 'reference-pages', 'strict'])(
    'fail nothing in the dialect %s',
    async (dialect) => {
      const report = await against(probes, { dialect });
      expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    },
  );

  it.each(choices)('fail nothing with %s', async (name, dialect) => {
    const { faults, checks } = await alone(probes, { dialect });
    expect(faults).toEqual([]);
    expect(those(checks, 'failed')).toEqual([]);
    const undecided = [...those(checks, 'inconclusive'), ...those(checks, 'skipped')];
    expect(undecided.filter((each) => !WITHOUT_OCCASION[name]?.test(each))).toEqual([]);
  });
});
