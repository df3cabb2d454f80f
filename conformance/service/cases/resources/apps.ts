import { asFields } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { rowsOf } from '../../request-builders/read.js';
import { idIn, isRecord, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { mustSucceed, removeLater, shouldSucceed, tryBodies } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { inWorkspace, workspaceOf } from './workspaces.js';

const APP_NAMES = ['name', 'app_name', 'appName', 'app', 'slug', 'key', 'id'];
const BODIES: readonly unknown[] = [
  {},
  { config: {} },
  { config: {}, protocol: 0 },
  { protocol: 0 },
  { redirect_url: 'https://example.com/' },
];

const apps: TestCase = {
  id: 'resources/apps',
  title: 'The apps there are, and one of them connected to a workspace',
  covers: ['APP-01', 'APP-02'],
  operations: ['createWorkspace', 'listApps', 'connectApp'],
  async run(t: TestContext) {
    const listed = await t.send('listApps');
    mustSucceed(t, 'APP-01', listed, 'GET /app');
    const payload = payloadOf(listed);
    const names = namesIn(payload);
    if (names.length === 0 && isRecord(payload))
      t.inconclusive(`there are no apps, or none has a name (${APP_NAMES.join(', ')}): ${summarize(listed)}`);
    t.expect(
      'APP-01',
      isRecord(payload),
      `GET /app: expected the configurations of the apps, got ${summarize(listed)}`,
      listed,
    );
    const { id } = await workspaceOf(t);
    let connected: ApiResponse | undefined;
    for (const app_name of names.slice(0, 3)) {
      connected = await tryBodies(t, 'connectApp', { ...inWorkspace(id), path: { app_name } }, BODIES);
      if (connected.ok) break;
    }
    if (!connected) return;
    // What is called a name here may be something else.
    if (connected.status === 404)
      t.inconclusive(`none of ${names.slice(0, 3).join(', ')} is an app: ${summarize(connected)}`);
    shouldSucceed(t, 'APP-02', connected, 'POST /workspace/app/{app_name}');
    t.expect(
      'APP-02',
      asFields(connected.body) !== undefined,
      `POST /workspace/app/{app_name}: expected the connection in an object, got ${summarize(connected)}`,
      connected,
    );
    const task_id = idIn(asFields(connected.body) ?? {}, ['task_id', 'taskId']);
    if (task_id !== undefined)
      removeLater(t, `task ${task_id} of an app`, 'deleteTask', { path: { task_id } });
  },
};

function namesIn(payload: unknown): string[] {
  const members = rowsOf(payload);
  if (members) return members.flatMap((app) => idIn(app, APP_NAMES) ?? []);
  // A record of configurations by name.
  return Object.entries(asFields(payload) ?? {}).flatMap(([name, app]) => (asFields(app) ? [name] : []));
}

export const appCases: readonly TestCase[] = [apps];
