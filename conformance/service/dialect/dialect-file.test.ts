import { describe, expect, it } from 'vitest';
import { readDialect } from '../../../mock/options/files.js';
import { openPoints } from '../../../spec/generated/documents.js';
import { formatDialectFile } from './dialect-file.js';

const report = (dialect: Record<string, string | number>) => ({
  target: { base_url: 'http://127.0.0.1:4010' },
  started: '2026-01-02T03:04:05.000Z',
  dialect,
});
const read = (dialect: Record<string, string | number>) => {
  const choices = readDialect(formatDialectFile(report(dialect)), 'observed.yaml');
  // YAML may parse statuses and null as other types: the loader accepts both.
  return Object.fromEntries(Object.entries(choices).map(([id, choice]) => [id, String(choice)]));
};

/** Every choice of every point, combined by index. */
const all = openPoints.flatMap((point) =>
  (point.kind === 'choice' ? Object.keys(point.choices) : [point.choices.minimum, point.choices.maximum]).map(
    (choice) => ({ id: point.id, choice }),
  ),
);

describe('a file of the choices observed', () => {
  it('names the target, and the question of each choice', () => {
    const dialect = { 'empty-body.shape': 'null', 'auth.missing-key': '401', 'limits.rate': 10 };
    expect(formatDialectFile(report(dialect))).toBe(`title: http://127.0.0.1:4010, as observed on 2026-01-02
choices:
  # Which status is the response to a request without a key where one is required?
  auth.missing-key: "401"
  # How many requests a second may an organisation make?
  limits.rate: 10
  # What is the response of operations without a stated success body?
  empty-body.shape: "null"
`);
  });

  it.each(all)('is read by the mock as it was written: $id: $choice', ({ id, choice }) => {
    expect(read({ [id]: choice })).toEqual({ [id]: String(choice) });
  });

  it('holds every point at once', () => {
    const dialect = Object.fromEntries(all.map(({ id, choice }) => [id, choice]));
    expect(read(dialect)).toEqual(
      Object.fromEntries(Object.entries(dialect).map(([id, choice]) => [id, String(choice)])),
    );
  });

  it('is read when there is nothing in it', () => {
    expect(read({})).toEqual({});
  });

  it('is valid YAML for any address', () => {
    const base_url = 'http://x.test/#: "odd\'\n- [';
    const text = formatDialectFile({ ...report({ 'event.echo': 'none' }), target: { base_url } });
    expect(readDialect(text, 'x')).toEqual({ 'event.echo': 'none' });
  });
});
