import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { idIn, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { mustFollow, mustSucceed } from '../../test-case/requests.js';
import type { Settings, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { CaseEnded } from '../../test-case/test-context.js';

const ID_FIELDS = ['id', 'workspace_id', 'workspaceId', 'uuid', 'uid', 'key'];
/** One for each organisation, and another one for the first. */
type Which = 'main' | 'other' | 'second';

export interface CreatedWorkspace {
  id: string;
  name: string;
  created: ApiResponse;
}

/** No operation removes a workspace, so that the cases of a run share them. */
const shared = new WeakMap<Settings, Partial<Record<Which, Promise<CreatedWorkspace>>>>();

function workspacesOf({ settings }: TestContext): Partial<Record<Which, Promise<CreatedWorkspace>>> {
  const made = shared.get(settings) ?? {};
  shared.set(settings, made);
  return made;
}

/** A workspace of this run's own. Ends the case as inconclusive where none can be had. */
export async function workspaceOf(t: TestContext, which: Which = 'main'): Promise<CreatedWorkspace> {
  const made = workspacesOf(t);
  made[which] ??= makeWorkspace(t, which === 'other' ? 'other' : 'main');
  try {
    return await made[which];
  } catch (error) {
    // What is said of this one holds for the next; anything else may have been bad luck.
    if (!(error instanceof CaseEnded)) delete made[which];
    throw error;
  }
}

async function makeWorkspace(t: TestContext, key: 'main' | 'other'): Promise<CreatedWorkspace> {
  const name = t.unique();
  const created = await t.send('createWorkspace', { path: { name }, key });
  if (created.status === 403)
    t.skip(`POST /workspace/{name} is refused with 403: not available on this plan`);
  if (!created.ok)
    t.inconclusive(`there is no workspace: POST /workspace/{name} was answered with ${summarize(created)}`);
  return { id: idOf(t, created, name), name, created };
}

function idOf(t: TestContext, created: ApiResponse, name: string): string {
  const id = idIn(payloadOf(created), ID_FIELDS);
  if (id !== undefined && id !== name) return id;
  return t.inconclusive(
    `there is no id (looked for ${ID_FIELDS.join(', ')}) in the new workspace: ${summarize(created)}`,
  );
}

/** The header that selects a workspace. */
export function inWorkspace(id: string): { headers: Record<string, string> } {
  return { headers: { 'workspace-id': id } };
}

const workspace: TestCase = {
  id: 'resources/workspace',
  title: 'A workspace is made under its name, shared only if told to, and read by its header alone',
  covers: ['WORKSPACE-01', 'WORKSPACE-02', 'CHAT-12'],
  operations: ['createWorkspace', 'getWorkspace'],
  async run(t: TestContext) {
    const [name, other] = [t.unique(), { name: t.unique() }];
    const created = await t.send('createWorkspace', { path: { name } });
    mustSucceed(t, 'WORKSPACE-02', created, 'POST /workspace/{name}');
    const id = idOf(t, created, name);
    workspacesOf(t).main ??= Promise.resolve({ id, name, created });
    const second = await t.send('createWorkspace', { path: other, query: { shared: true } });
    mustSucceed(t, 'WORKSPACE-02', second, 'POST /workspace/{name}?shared=true');
    for (const [response, wanted, called] of [
      [created, false, name],
      [second, true, other.name],
    ] as const) {
      t.expect(
        'WORKSPACE-02',
        mentions(payloadOf(response), called),
        `POST /workspace/${called}: expected a workspace of that name, got ${summarize(response)}`,
        response,
      );
      const flag = field(payloadOf(response), 'shared');
      if (flag !== undefined && flag !== null && flag !== wanted) {
        const asked = wanted ? 'with shared=true' : 'without shared';
        t.fail(
          'WORKSPACE-02',
          `POST /workspace/{name} ${asked}: expected shared to be ${wanted}, got ${summarize(response)}`,
          response,
        );
      }
    }
    const secondId = idIn(payloadOf(second), ID_FIELDS);
    if (secondId === id)
      t.fail(
        'WORKSPACE-02',
        `POST /workspace/{name}: expected workspaces with ids of their own, got "${id}" twice`,
        created,
        second,
      );
    await isRead(t, id, name, other.name);
    if (secondId !== undefined)
      workspacesOf(t).second ??= Promise.resolve({ id: secondId, name: other.name, created: second });
    if (secondId !== undefined && secondId !== id) await isRead(t, secondId, other.name, name);
    const never = await t.send('getWorkspace', inWorkspace(unlike(id)));
    if (never.ok && mentions(payloadOf(never), name))
      t.fail('WORKSPACE-01', `GET /workspace with an unknown id gives the workspace "${name}"`, never);
    const headless = await t.send('getWorkspace');
    t.expect(
      'CHAT-12',
      // Whether a header counts as a parameter that is invalid is open (`errors.invalid-parameters`).
      headless.status === 422 || headless.status === 400,
      `GET /workspace without the header workspace-id, while it is answered with it: expected 422, got ${summarize(headless)}`,
      headless,
    );
  },
};

async function isRead(t: TestContext, id: string, name: string, other: string): Promise<void> {
  const read = await t.send('getWorkspace', inWorkspace(id));
  mustFollow(t, 'WORKSPACE-01', read, `GET /workspace with workspace-id ${id}`);
  const payload = payloadOf(read);
  t.expect(
    'WORKSPACE-01',
    (idIn(payload, ID_FIELDS) === id ||
      (idIn(payload, ID_FIELDS) === undefined && mentions(payload, name))) &&
      !mentions(payload, other),
    `GET /workspace with workspace-id ${id}: expected the workspace "${name}", got ${summarize(read)}`,
    read,
  );
}

export const workspaceCases: readonly TestCase[] = [workspace];
