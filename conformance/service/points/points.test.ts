import { describe, expect, it } from 'vitest';
import { createMock } from '../../../mock/create.js';
import type { Choices } from '../../../mock/interface.js';
import { openPoints } from '../../../spec/generated/documents.js';
import { conform } from '../../conform.js';
import { mockTarget } from '../in-process.js';
import { pointProbes } from './point-probes.js';

async function observed(dialect: Choices | string) {
  const mock = createMock({ clock: 'manual', dialect });
  await mock.ready;
  return conform({
    ...mockTarget(mock),
    api_key: 'main-key',
    keys: { free: 'free-key' },
    probes: pointProbes,
    concurrency: 1,
    seed: 1,
  });
}

const open = openPoints.flatMap((point) =>
  point.kind === 'choice' && Object.keys(point.choices).length > 1
    ? Object.keys(point.choices).map((choice) => ({ point: point.id, choice }))
    : [],
);

describe('what a service chose', () => {
  it.each(open)('is seen: $point is $choice', async ({ point, choice }) => {
    const report = await observed({ [point]: choice });
    expect(report.checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(report.faults).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.dialect).toMatchObject({ [point]: choice });
  });
});
