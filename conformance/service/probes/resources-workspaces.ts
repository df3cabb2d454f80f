import { field } from '../../rules/body.js';
import { said } from '../player-read.js';
import type { Probe, Probing, Settings } from '../probe.js';
import { Ended } from '../probing.js';
import { unlike } from '../samples-read.js';
import type { Answer } from '../talk.js';
import { mustFollow } from './resource-asking.js';
import { idIn, mentions, payloadOf } from './resource-reading.js';

const ID_FIELDS = ['id', 'workspace_id', 'workspaceId', 'uuid', 'uid', 'key'];
type Key = 'main' | 'other';

export interface Workspace {
  id: string;
  name: string;
  created: Answer;
}

/** No operation removes a workspace, so that the probes of a run share one for each key. */
const shared = new WeakMap<Settings, Partial<Record<Key, Promise<Workspace>>>>();

/** A workspace of this run's own. Ends the probe as inconclusive where none can be had. */
export async function workspaceOf(t: Probing, key: Key = 'main'): Promise<Workspace> {
  const made = shared.get(t.settings) ?? {};
  shared.set(t.settings, made);
  made[key] ??= makeWorkspace(t, key);
  try {
    return await made[key];
  } catch (error) {
    // What is said of this one holds for the next; anything else may have been bad luck.
    if (!(error instanceof Ended)) delete made[key];
    throw error;
  }
}

async function makeWorkspace(t: Probing, key: Key): Promise<Workspace> {
  const name = t.unique();
  const created = await t.send('createWorkspace', { path: { name }, key });
  if (created.status === 403)
    t.skip(`POST /workspace/{name} is refused with 403: not available on this plan`);
  if (!created.ok)
    t.inconclusive(`there is no workspace: POST /workspace/{name} was answered with ${said(created)}`);
  const id = idIn(payloadOf(created), ID_FIELDS);
  if (id === undefined || id === name)
    t.inconclusive(
      `there is no id (looked for ${ID_FIELDS.join(', ')}) in the new workspace: ${said(created)}`,
    );
  return { id, name, created };
}

/** The header that selects a workspace. */
export function inWorkspace(id: string): { headers: Record<string, string> } {
  return { headers: { 'workspace-id': id } };
}

const workspace: Probe = {
  id: 'resources/workspace',
  title: 'A workspace is made under its name, shared only if told to, and read by its header alone',
  covers: ['WORKSPACE-01', 'WORKSPACE-02', 'CHAT-12'],
  operations: ['createWorkspace', 'getWorkspace'],
  async run(t: Probing) {
    const { id, name, created } = await workspaceOf(t);
    const other = { name: t.unique() };
    const second = await t.send('createWorkspace', { path: other, query: { shared: true } });
    mustFollow(t, 'WORKSPACE-02', second, 'POST /workspace/{name}?shared=true');
    for (const [answer, wanted, called] of [
      [created, false, name],
      [second, true, other.name],
    ] as const) {
      t.expect(
        'WORKSPACE-02',
        mentions(payloadOf(answer), called),
        `POST /workspace/${called}: expected a workspace of that name, got ${said(answer)}`,
        answer,
      );
      const flag = field(payloadOf(answer), 'shared');
      if (flag !== undefined && flag !== null && flag !== wanted) {
        const asked = wanted ? 'with shared=true' : 'without shared';
        t.broke(
          'WORKSPACE-02',
          `POST /workspace/{name} ${asked}: expected shared to be ${wanted}, got ${said(answer)}`,
          answer,
        );
      }
    }
    const secondId = idIn(payloadOf(second), ID_FIELDS);
    if (secondId === id)
      t.broke(
        'WORKSPACE-02',
        `POST /workspace/{name}: expected workspaces with ids of their own, got "${id}" twice`,
        created,
        second,
      );
    await isRead(t, id, name, other.name);
    if (secondId !== undefined && secondId !== id) await isRead(t, secondId, other.name, name);
    const never = await t.send('getWorkspace', inWorkspace(unlike(id)));
    if (never.ok && mentions(payloadOf(never), name))
      t.broke('WORKSPACE-01', `GET /workspace with an unknown id gives the workspace "${name}"`, never);
    const headless = await t.send('getWorkspace');
    t.expect(
      'CHAT-12',
      // Whether a header counts as a parameter that is invalid is open (`errors.invalid-parameters`).
      headless.status === 422 || headless.status === 400,
      `GET /workspace without the header workspace-id, while it is answered with it: expected 422, got ${said(headless)}`,
      headless,
    );
  },
};

async function isRead(t: Probing, id: string, name: string, other: string): Promise<void> {
  const read = await t.send('getWorkspace', inWorkspace(id));
  mustFollow(t, 'WORKSPACE-01', read, `GET /workspace with workspace-id ${id}`);
  const payload = payloadOf(read);
  t.expect(
    'WORKSPACE-01',
    (mentions(payload, name) || mentions(payload, id)) && !mentions(payload, other),
    `GET /workspace with workspace-id ${id}: expected the workspace "${name}", got ${said(read)}`,
    read,
  );
}

export const workspaceProbes: readonly Probe[] = [workspace];
