import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { WORKSPACE_IDS } from '../../request-builders/resources.js';
import { idIn, mentions, payloadOf, unlike } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { carryOut, describeRequest, mustFollow } from '../../test-case/requests.js';
import type { Settings, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { CaseEnded } from '../../test-case/test-context.js';

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
  const id = idIn(payloadOf(created), WORKSPACE_IDS);
  if (id !== undefined && id !== name) return id;
  return t.inconclusive(
    `there is no id (looked for ${WORKSPACE_IDS.join(', ')}) in the new workspace: ${summarize(created)}`,
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
  async run(t) {
    const one = await create(t);
    workspacesOf(t).main ??= Promise.resolve(one);
    const other = await create(t, true);
    workspacesOf(t).second ??= Promise.resolve(other);
    const message = `POST /workspace/{name}: expected workspaces with ids of their own, got "${one.id}" twice`;
    if (other.id === one.id) t.fail('WORKSPACE-02', message, one.created, other.created);
    await isRead(t, one, other);
    if (other.id !== one.id) await isRead(t, other, one);
    const never = await t.send('getWorkspace', inWorkspace(unlike(one.id)));
    if (never.ok && mentions(payloadOf(never), one.name))
      t.fail('WORKSPACE-01', `GET /workspace with an unknown id gives the workspace "${one.name}"`, never);
    const headless = await t.send('getWorkspace');
    // Whether a header counts as a parameter that is invalid is open (`errors.invalid-parameters`).
    const isRefused = headless.status === 422 || headless.status === 400;
    const refusal = `GET /workspace without the header workspace-id, while it is answered with it: expected 422, got ${summarize(headless)}`;
    t.expect('CHAT-12', isRefused, refusal, headless);
  },
};

async function create(t: TestContext, shared?: true): Promise<CreatedWorkspace> {
  const name = t.unique();
  const sending = { path: { name }, query: shared ? { shared } : {} };
  const created = await carryOut(t, 'WORKSPACE-02', 'createWorkspace', sending);
  const what = describeRequest('createWorkspace', sending);
  const got = `got ${summarize(created)}`;
  const isNamed = mentions(payloadOf(created), name);
  t.expect('WORKSPACE-02', isNamed, `${what}: expected a workspace of that name, ${got}`, created);
  const flag = field(payloadOf(created), 'shared') ?? shared ?? false;
  const message = `${what}: expected shared to be ${shared ?? false}, ${got}`;
  if (flag !== (shared ?? false)) t.fail('WORKSPACE-02', message, created);
  return { id: idOf(t, created, name), name, created };
}

async function isRead(
  t: TestContext,
  { id, name }: CreatedWorkspace,
  other: CreatedWorkspace,
): Promise<void> {
  const read = await carryOut(t, 'WORKSPACE-01', 'getWorkspace', inWorkspace(id), mustFollow);
  const payload = payloadOf(read);
  const own = idIn(payload, WORKSPACE_IDS);
  const isOne = own === id || (own === undefined && mentions(payload, name));
  const message = `GET /workspace with workspace-id ${id}: expected the workspace "${name}", got ${summarize(read)}`;
  t.expect('WORKSPACE-01', isOne && !mentions(payload, other.name), message, read);
}

export const workspaceCases: readonly TestCase[] = [workspace];
