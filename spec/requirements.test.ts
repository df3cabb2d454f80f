import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { OpenPoint, Requirement } from './requirement-types.js';

/** Headings of the API description that a requirement or an open point may name as where it comes from. */
const SECTIONS = [
  'What the service does',
  'Response envelope',
  'Task',
  'Task creation request',
  'Custom tool definition',
  'Event',
  'Other resources',
  'States and transitions',
  'Organisation, credits, plan',
  'Tasks',
  'Profiles, proxies',
  'Extensions and files',
  'Deprecated browser endpoints',
  'Telemetry and jobs',
  'Workspaces, chats, messages',
  'Apps, SOPs, automations',
  'Notes on the endpoint tables',
  'Event endpoint rules',
  'Session action payloads',
  'Polling rules',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
];
/** Status codes in a text. */
const STATUS = /\b[2-5]\d\d\b/g;
const UNITS = ['ms', 'bytes', 'count', 'per-second'];

const read = (name: string): unknown => parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const requirements = read('requirements.yaml') as Requirement[];
const points = read('open-points.yaml') as OpenPoint[];
const operationIds = operationIdsOf(read('openapi.yaml'));

function operationIdsOf(document: unknown): string[] {
  const { paths } = document as { paths: Record<string, Record<string, { operationId?: string }>> };
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
}

function repeated(ids: string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

describe('requirements.yaml', () => {
  it('gives each id once, in the form FAMILY-00', () => {
    const ids = requirements.map(({ id }) => id);
    expect(repeated(ids)).toEqual([]);
    expect(ids.filter((id) => !/^[A-Z]+-\d\d$/.test(id))).toEqual([]);
    expect(ids.length).toBeGreaterThanOrEqual(100);
  });

  it('keeps the ids that scenarios quote for the rules they are about', () => {
    const rule = (id: string) => requirements.find((each) => each.id === id)?.rule;
    expect(rule('POLL-02')).toMatch(/202.*200/);
    expect(rule('TOOL-03')).toMatch(/400/);
    expect(rule('TOOL-05')).toMatch(/agent/);
  });

  it.each(requirements)('$id has a level, a side, a section and a rule of one sentence', (requirement) => {
    expect(['must', 'advice']).toContain(requirement.level);
    expect(['service', 'client']).toContain(requirement.side);
    expect(SECTIONS).toContain(requirement.section);
    expect(requirement.rule).toMatch(/^\S[^\n]*\.$/);
    expect(requirement.unobservable ?? 'x').not.toBe('');
    const known = [
      'id',
      'level',
      'side',
      'rule',
      'section',
      'operations',
      'describes',
      'evidence',
      'severity',
      'unobservable',
    ];
    expect(Object.keys(requirement).filter((key) => !known.includes(key))).toEqual([]);
  });

  it('names only operations of the description', () => {
    const named = new Set(requirements.flatMap(({ operations }) => operations));
    expect([...named].filter((id) => !operationIds.includes(id))).toEqual([]);
  });

  it('has a rule of the service for each operation', () => {
    const covered = new Set(
      requirements.filter(({ side }) => side === 'service').flatMap(({ operations }) => operations),
    );
    expect(operationIds.filter((id) => !covered.has(id))).toEqual([]);
  });

  it('has one rule that describes each operation', () => {
    const described = requirements.flatMap(({ describes }) => describes ?? []);
    const message = 'each operation needs one requirement with `describes: OPERATION`';
    expect(described.sort(), message).toEqual([...operationIds].sort());
    for (const { describes, operations, evidence } of requirements) {
      if (describes !== undefined) expect(operations).toContain(describes);
      if (evidence !== undefined) expect([describes === undefined, evidence]).toEqual([false, 'effect']);
    }
  });

  it('has no two rules that say the same', () => {
    expect(repeated(requirements.map(({ rule }) => rule))).toEqual([]);
  });
});

describe('open-points.yaml', () => {
  it('gives each id once, in the form family.name', () => {
    const ids = points.map(({ id }) => id);
    expect(repeated(ids)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z-]+\.[a-z-]+$/.test(id))).toEqual([]);
    expect(ids.length).toBeGreaterThanOrEqual(40);
  });

  it.each(points)('$id has a section, a question, a reason and a default that may be chosen', (point) => {
    expect(SECTIONS).toContain(point.section);
    expect(point.question).toMatch(/^\S[^\n]*\?$/);
    expect(point.why).toMatch(/^\S[^\n]*\.$/);
    if (point.kind === 'choice') {
      expect(Object.keys(point.choices)).toContain(point.default);
      for (const meaning of Object.values(point.choices)) expect(meaning).toMatch(/^\S[^\n]*$/);
    } else {
      expect(point.kind).toBe('number');
      const { type, unit, minimum, maximum } = point.choices;
      expect(type).toBe('integer');
      expect(UNITS).toContain(unit);
      expect(Number.isInteger(point.default)).toBe(true);
      expect(point.default).toBeGreaterThanOrEqual(minimum);
      expect(point.default).toBeLessThanOrEqual(maximum);
    }
  });

  it.each(points)('$id names requirements that have room for each of its choices', (point) => {
    const { kind, choices, requirements: touched = [] } = point;
    const touchedRules = touched.map((id) => requirements.find((each) => each.id === id));
    expect(touchedRules.map((each) => each?.side)).toEqual(touched.map(() => 'service'));
    const hasChoice = kind === 'number' || Object.keys(choices).length > 1;
    if (hasChoice) expect(touched, 'a point that has a choice names what it touches').not.toEqual([]);
    for (const { id, rule } of touchedRules as Requirement[]) {
      const stated: string[] = rule.match(STATUS) ?? [];
      if (kind === 'number' || stated.length === 0) continue;
      const statuses = Object.keys(choices).filter((name) => name.match(STATUS));
      expect(
        statuses.filter((status) => !stated.includes(status)),
        `${id}: ${rule}`,
      ).toEqual([]);
    }
  });

  it('has a question in every section that leaves something open', () => {
    const closed = ['What the service does', 'Custom tool definition', 'Event'];
    const covered = new Set<string>(points.map(({ section }) => section));
    expect(SECTIONS.filter((section) => !covered.has(section))).toEqual(closed);
  });
});
