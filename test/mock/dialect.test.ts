import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openPoints } from '../../spec/generated/documents.js';
import type { OpenPoint } from '../../spec/requirement-types.js';
import { account } from '../support/open-points/account.js';
import { authentication } from '../support/open-points/authentication.js';
import type { PointCases } from '../support/open-points/case.js';
import { chats } from '../support/open-points/chats.js';
import { PointClient } from '../support/open-points/client.js';
import { ends } from '../support/open-points/ends.js';
import { errors } from '../support/open-points/errors.js';
import { events } from '../support/open-points/events.js';
import { limits } from '../support/open-points/limits.js';
import { polling } from '../support/open-points/polling.js';
import { replies } from '../support/open-points/replies.js';
import { resources } from '../support/open-points/resources.js';
import { tasks } from '../support/open-points/tasks.js';
import { timeouts } from '../support/open-points/timeouts.js';
import { workspaces } from '../support/open-points/workspaces.js';

const AREAS: readonly PointCases[] = [
  authentication,
  tasks,
  ends,
  polling,
  events,
  replies,
  errors,
  limits,
  timeouts,
  account,
  resources,
  workspaces,
  chats,
];
const cases = new Map(AREAS.flatMap((area) => Object.entries(area)));

/** What is missing in the table: a point without a case, a choice that no case tries, two that look the same. */
function gaps(
  points: readonly OpenPoint[],
  table: ReadonlyMap<string, Pick<PointCases[string], 'expected'>>,
): string[] {
  const ids = new Set(points.map(({ id }) => id));
  const strays = [...table.keys()].filter((id) => !ids.has(id)).map((id) => `${id}: there is no such point`);
  return [...strays, ...points.flatMap((point) => gapsOf(point, table.get(point.id)?.expected))];
}

function gapsOf(point: OpenPoint, expected: Readonly<Record<string, unknown>> | undefined): string[] {
  if (!expected) return [`${point.id}: no case`];
  const tried = Object.keys(expected);
  const wanted = point.kind === 'choice' ? Object.keys(point.choices) : [String(point.default)];
  const untried = wanted
    .filter((choice) => !tried.includes(choice) && !isTooLong(point))
    .map((choice) => `${point.id}: ${choice} is not tried`);
  const alike = tried.filter((choice, n) =>
    tried.slice(0, n).some((other) => isDeepStrictEqual(expected[choice], expected[other])),
  );
  const few =
    point.kind === 'number' && tried.length < 2 ? [`${point.id}: one number shows no difference`] : [];
  return [...untried, ...few, ...alike.map((choice) => `${point.id}: ${choice} looks like another choice`)];
}

/** A default of a minute, a day or megabytes: smaller numbers show as well that the number counts. */
function isTooLong(point: OpenPoint): boolean {
  return point.kind === 'number' && point.default > 5000;
}

describe('the table of open points', () => {
  it('has every point, every choice, and tells them apart', () => {
    expect(gaps(openPoints, cases)).toEqual([]);
    expect(cases.size).toBe(AREAS.reduce((sum, area) => sum + Object.keys(area).length, 0));
  });

  it('notices a new point, a new choice, choices that look alike and a point that is gone', () => {
    const point: OpenPoint = {
      id: 'a.point',
      section: 'Tasks',
      question: '?',
      kind: 'choice',
      choices: { one: '1', two: '2' },
      default: 'one',
      why: '.',
    };
    const table = (expected: Record<string, unknown>) => new Map([['a.point', { expected }]]);
    expect(gaps([point], new Map())).toEqual(['a.point: no case']);
    expect(gaps([point], table({ one: 1 }))).toEqual(['a.point: two is not tried']);
    expect(gaps([point], table({ one: [1], two: [1] }))).toEqual(['a.point: two looks like another choice']);
    expect(gaps([point], table({ one: 1, two: 2 }))).toEqual([]);
    expect(gaps([], table({ one: 1 }))).toEqual(['a.point: there is no such point']);
  });
});

describe.each(openPoints.filter(({ id }) => cases.has(id)))('$id', (point) => {
  const { observe, expected, given } = cases.get(point.id)!;

  it.each(Object.keys(expected))('%s is what a client sees', async (choice) => {
    const chosen = point.kind === 'number' ? Number(choice) : choice;
    expect(await observe(new PointClient({ ...given, [point.id]: chosen }))).toEqual(expected[choice]);
  });

  if (!Object.hasOwn(expected, String(point.default))) return;
  it('is what its default says unless chosen', async () => {
    expect(await observe(new PointClient(given))).toEqual(expected[String(point.default)]);
  });
});
