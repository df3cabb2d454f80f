import { asFields } from '../../../conversation/json.js';
import { inWorkspace, workspaceOf } from '../../request-builders/workspaces.js';
import { idIn, isRecord, payloadOf, rowsOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { carryOut, removeLater, shouldSucceed, tryBodies } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';

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
  async run(t) {
    const listed = await carryOut(t, 'APP-01', 'listApps');
    const payload = payloadOf(listed);
    const names = namesIn(payload).slice(0, 3);
    if (names.length === 0 && isRecord(payload))
      t.inconclusive(`there are no apps, or none has a name (${APP_NAMES.join(', ')}): ${summarize(listed)}`);
    const isList = `GET /app: expected the configurations of the apps, got ${summarize(listed)}`;
    if (!t.expect('APP-01', isRecord(payload), isList, listed)) return;
    const { id } = await workspaceOf(t);
    let connected = listed;
    for (const app_name of names) {
      connected = await tryBodies(t, 'connectApp', { ...inWorkspace(id), path: { app_name } }, BODIES);
      if (connected.ok) break;
    }
    // What is called a name here may be something else.
    if (connected.status === 404)
      t.inconclusive(`none of ${names.join(', ')} is an app: ${summarize(connected)}`);
    shouldSucceed(t, 'APP-02', connected, 'POST /workspace/app/{app_name}');
    const connection = asFields(connected.body);
    const message = `POST /workspace/app/{app_name}: expected the connection in an object, got ${summarize(connected)}`;
    t.expect('APP-02', connection !== undefined, message, connected);
    const task_id = idIn(connection ?? {}, ['task_id', 'taskId']);
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
