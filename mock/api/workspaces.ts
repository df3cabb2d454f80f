import type { Schemas } from '../../spec/types.js';
import type { Organisation } from '../engine/organisation.js';
import { viewConnection } from '../engine/resources/apps.js';
import type { Workspace } from '../engine/resources/records.js';
import { notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';

/** Section "Workspaces, chats, messages". Names need not be unique: each creation makes a workspace of its own. */
export const workspaceHandlers: Pick<Handlers, 'getWorkspace' | 'createWorkspace'> = {
  getWorkspace({ organisation, header }) {
    return viewWorkspace(organisation, findWorkspace(organisation, header['workspace-id']));
  },

  createWorkspace({ organisation, path: { name }, query: { shared } }) {
    const { records, world } = organisation;
    const id = world.setup.random.uuid();
    const workspace = records.workspaces.set(id, { id, name, shared, created_at: world.now });
    return viewWorkspace(organisation, workspace);
  },
};

/** Throws ApiError 404. */
export function findWorkspace(organisation: Organisation, id: string): Workspace {
  const workspace = organisation.records.workspaces.get(id);
  if (!workspace) throw notFound('workspace', id);
  return workspace;
}

/** For `notFound`. */
export function inWorkspace({ id }: Workspace): string {
  return `in workspace "${id}"`;
}

function viewWorkspace(
  { records }: Organisation,
  { id, name, shared, created_at }: Workspace,
): Schemas['WorkspaceResponse'] {
  const apps = records.appConnections.list().filter(({ workspace }) => workspace === id);
  return { id, name, shared, created_at: Math.floor(created_at / 1000), apps: apps.map(viewConnection) };
}
