import { APPS, connectionKey, viewConnection } from '../engine/resources/apps.js';
import { ApiError, quote } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { findWorkspace } from './workspaces.js';

/** Section "Apps, SOPs, automations". Connecting needs no consent of a person here: it is done at once. */
export const appHandlers: Pick<Handlers, 'listApps' | 'connectApp'> = {
  listApps() {
    return { apps: APPS.map((app) => ({ ...app })) };
  },

  connectApp({ organisation, path, header, body }) {
    const { records, world } = organisation;
    const workspace = findWorkspace(organisation, header['workspace-id']);
    const app = APPS.find(({ name }) => name === path.app_name);
    if (!app) throw new ApiError(404, `There is no app ${quote(path.app_name)}: GET /app lists all apps.`);
    const connection = records.appConnections.set(connectionKey(workspace.id, app.name), {
      app: app.name,
      workspace: workspace.id,
      protocol: body.protocol ?? app.protocol,
      config: body.config ?? null,
      connected_at: world.now,
    });
    return { task_id: null, response: viewConnection(connection) };
  },
};
