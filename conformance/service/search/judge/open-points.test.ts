import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../http-client/response.js';
import { collectTaskListFacts } from '../../operations/collect-facts.js';
import type { Command } from '../../operations/command.js';
import type { ObservedResponse, Resource } from '../../operations/observed.js';
import { explainOpenStatus } from './open-statuses.js';

const respond = (status: number, r: unknown) => ({ status, ok: status < 400, r }) as ApiResponse;

describe('a list of tasks after the data of one were deleted', () => {
  const gone: Resource = {
    label: 'task1',
    kind: 'task',
    key: 'main',
    state: 'gone',
    removedBy: 'deleteTaskData',
  };
  const names = { get: (name: string) => ({ 'task1.task_id': 'a', 'task1.created_at': 1 })[name] };
  const listGone = (query: Record<string, number>, rows: string[]) => {
    const observed = {
      request: { query },
      response: respond(
        200,
        rows.map((id) => ({ id })),
      ),
      names,
      resources: [gone],
      isNewestFirst: true,
      settings: new Set(),
    } as unknown as ObservedResponse;
    return collectTaskListFacts(observed, { query } as unknown as Command);
  };

  it.each<[string, Record<string, number>, string[], boolean | undefined]>([
    ['shows by the whole list that it is not there', {}, ['b'], true],
    ['shows that it is there', { l: 1 }, ['a'], false],
    ['shows nothing by a list that is full without it', { l: 1 }, ['b'], undefined],
    ['shows nothing by the tasks before a time', { t: 1 }, [], undefined],
  ])('%s', (_, query, rows, expected) => {
    expect(listGone(query, rows)['that it lists no task whose data are deleted']?.value).toBe(expected);
  });

  it('shows nothing of the others by a full list, in which it may have a row', () => {
    const name = 'tasks of this sequence that it lists';
    expect(listGone({ l: 1 }, ['a'])[name]?.value).toBeUndefined();
    expect(listGone({ l: 2 }, ['b'])[name]?.value).toEqual([]);
  });
});

it('leaves open whether two organisations have proxies of the same id', () => {
  const observed = { response: respond(404, undefined), settings: new Set() } as unknown as ObservedResponse;
  const explain = (more: Partial<Command>) =>
    explainOpenStatus({ operation: 'updateProxy', ...more } as Command, observed, respond(200, {}));
  expect(explain({ astray: 'stranger' })).toContain('proxy');
  expect(explain({ astray: 'similar' })).toBeUndefined();
});

it('leaves open which updates of a task are taken', () => {
  const observed = { response: respond(400, undefined), settings: new Set() } as unknown as ObservedResponse;
  const explain = (more: Partial<Command>, status = 200) =>
    explainOpenStatus({ operation: 'updateTask', ...more } as Command, observed, respond(status, true));
  expect(explain({})).toContain('update');
  expect(explain({ astray: 'stranger' })).toBeUndefined();
  expect(explain({}, 500)).toBeUndefined();
});
