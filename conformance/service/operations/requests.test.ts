import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../mock/generate/random.js';
import { operationIds } from '../../../spec/generated/operations.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { trackResources } from '../runner/cleanup.js';
import { type CaseRun, TestContext } from '../test-case/test-context.js';
import { definitions } from './definitions.js';
import { countStartedTasks, createResource, listUsedOperations } from './requests.js';

describe('a resource', () => {
  it('a new SOP is found by its title where the response lists all SOPs of the workspace', async () => {
    const sops: object[] = [];
    let names = 0;
    const deleted: unknown[] = [];
    const client = {
      async send(operation: string, { body, query }: ApiRequest): Promise<Partial<ApiResponse>> {
        if (operation === 'createWorkspace') return { ok: true, body: { id: 'workspace' } };
        if (operation === 'saveSop') sops.push({ t: sops.length + 1, ...(body as object) });
        if (operation === 'deleteSop') deleted.push(query?.t);
        return { ok: true, status: 200, body: { sops: [...sops] } };
      },
    };
    const t = new TestContext({
      client,
      settings: {},
      target: { clock: { now: () => 0 } },
      unique: () => `td-${++names}`,
      random: createRandom(1),
      cleanup: { add: () => {} },
      interruption: {},
    } as unknown as CaseRun);
    await trackResources(t, async (tracked) => {
      expect([(await createResource(tracked, 'sop')).t, (await createResource(tracked, 'sop')).t]).toEqual([
        1, 2,
      ]);
    });
    expect(deleted).toEqual([2, 1]);
  });
});

describe('a request builder', () => {
  it('knows the operations that it takes and the tasks that it starts', () => {
    expect(listUsedOperations('getJob')).toEqual(
      expect.arrayContaining([
        'getJob',
        'createWorkspace',
        'createAutomation',
        'deleteAutomation',
        'triggerWebhook',
      ]),
    );
    expect(listUsedOperations('saveSop')).toEqual(['saveSop', 'createWorkspace', 'deleteSop']);
    expect(
      ['getUsage', 'createTask', 'getChat', 'getJob'].map((id) => countStartedTasks(id as 'getUsage', 1)),
    ).toEqual([0, 1, 1, 2]);
    // A closed session cannot be used for a second request.
    expect([
      countStartedTasks('deleteTask', 2),
      countStartedTasks('getTask', 2),
      countStartedTasks('createMessage', 3),
    ]).toEqual([2, 1, 3]);
  });

  it('exists for every operation', () => {
    expect(Object.keys(definitions).sort()).toEqual([...operationIds].sort());
  });
});
