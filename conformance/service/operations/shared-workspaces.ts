import { type ApiResponse, summarize } from '../http-client/response.js';
import { readId, readPayload } from '../test-case/read-record.js';
import type { Settings } from '../test-case/test-case.js';
import { CaseEndError, type TestContext } from '../test-case/test-context.js';

/** Possible id fields. */
export const WORKSPACE_IDS = ['workspace_id', 'workspaceId', 'workspace-id', 'id', 'uuid', 'uid', 'key'];
type WorkspaceRole = 'main' | 'second';

export interface CreatedWorkspace {
  id: string;
  name: string;
  created: ApiResponse;
}

/** No operation removes a workspace, so the cases of a run share them. */
const shared = new WeakMap<Settings, Partial<Record<WorkspaceRole, Promise<CreatedWorkspace>>>>();

/** A workspace of this run. Ends the case as inconclusive if none can be created. */
export async function getSharedWorkspace(
  t: TestContext,
  which: WorkspaceRole = 'main',
): Promise<CreatedWorkspace> {
  const made = shared.get(t.settings) ?? {};
  shared.set(t.settings, made);
  made[which] ??= createWorkspace(t);
  try {
    return await made[which];
  } catch (error) {
    // A completed case would end the same way again; any other error may be temporary.
    if (!(error instanceof CaseEndError)) delete made[which];
    throw error;
  }
}

export async function createWorkspace(t: TestContext): Promise<CreatedWorkspace> {
  const name = t.unique();
  const created = await t.send('createWorkspace', { path: { name } });
  if (created.status === 403)
    t.skip(`POST /workspace/{name} is refused with 403: not available on this plan`);
  if (!created.ok)
    t.inconclusive(`there is no workspace: the response to POST /workspace/{name} was ${summarize(created)}`);
  return { id: readWorkspaceId(t, created, name), name, created };
}

/** Ends the case if the response has no id of the workspace. */
export function readWorkspaceId(t: TestContext, created: ApiResponse, name: string): string {
  const id = readId(readPayload(created), WORKSPACE_IDS);
  if (id !== undefined && id !== name) return id;
  return t.inconclusive(
    `there is no id (searched for ${WORKSPACE_IDS.join(', ')}) in the new workspace: ${summarize(created)}`,
  );
}

export function selectWorkspace(id: string): { headers: Record<string, string> } {
  return { headers: { 'workspace-id': id } };
}
