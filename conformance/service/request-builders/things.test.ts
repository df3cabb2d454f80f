import { expect, it } from 'vitest';
import type { Probing } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import { sop } from './things.js';
import { Kit } from './tracker.js';

it('a new SOP is found by its title where the response lists all SOPs of the workspace', async () => {
  const sops: object[] = [];
  let names = 0;
  const deleted: unknown[] = [];
  const probing = {
    settings: {},
    now: () => 0,
    unique: () => `td-${++names}`,
    cleanup: () => {},
    async send(operation: string, { body, query }: Sending): Promise<Partial<Answer>> {
      if (operation === 'createWorkspace') return { ok: true, body: { id: 'workspace' } };
      if (operation === 'saveSop') sops.push({ t: sops.length + 1, ...(body as object) });
      if (operation === 'deleteSop') deleted.push(query?.t);
      return { ok: true, status: 200, body: { sops: [...sops] } };
    },
  };
  const kit = new Kit(probing as unknown as Probing);
  expect([(await sop(kit)).t, (await sop(kit)).t]).toEqual([1, 2]);
  await kit.tidy();
  expect(deleted).toEqual([2, 1]);
});
