import { quote } from '../../spec/show.js';
import type { Schemas } from '../../spec/types.js';
import type { Organisation } from '../engine/organisation.js';
import { allocateTime } from '../engine/resources/records.js';
import {
  APPS,
  type Automation,
  findAutomation,
  formatConnectionKey,
  type Sop,
  viewConnection,
  type Workspace,
} from '../engine/resources/workspaces.js';
import { ApiError, createNotFoundError } from '../exchange/errors.js';
import type { Handlers } from '../pipeline/context.js';
import { createEmptyBody } from '../pipeline/responses.js';
import { startTask } from './start-task.js';

/**
 * Sections "Workspaces, chats, messages" and "Apps, SOPs, automations": workspaces and their content except
 * chats. Names need not be unique. Connecting an app needs no user consent. SOPs are identified by `t` (open
 * point `sop.t`).
 */
export const workspaceHandlers = {
  getWorkspace({ organisation, header }) {
    return viewWorkspace(organisation, requireWorkspace(organisation, header['workspace-id']));
  },

  createWorkspace({ organisation, path: { name }, query: { shared } }) {
    const { records } = organisation;
    const id = organisation.random.uuid();
    const workspace = records.workspaces.add(id, { id, name, shared, created_at: organisation.now });
    return viewWorkspace(organisation, workspace);
  },

  listApps() {
    return { apps: APPS.map((app) => ({ ...app })) };
  },

  connectApp({ organisation, path, header, body }) {
    const { records } = organisation;
    const workspace = requireWorkspace(organisation, header['workspace-id']);
    const app = APPS.find(({ name }) => name === path.app_name);
    if (!app) throw new ApiError(404, `There is no app ${quote(path.app_name)}: GET /app lists all apps.`);
    const connection = records.appConnections.add(formatConnectionKey(workspace.id, app.name), {
      app: app.name,
      workspace: workspace.id,
      protocol: body.protocol ?? app.protocol,
      config: body.config ?? null,
      connected_at: organisation.now,
    });
    return { task_id: null, response: viewConnection(connection) };
  },

  listSops({ organisation, header }) {
    return viewSops(organisation, requireWorkspace(organisation, header['workspace-id']));
  },

  saveSop({ organisation, query: { t }, header, body: { title, content } }) {
    const workspace = requireWorkspace(organisation, header['workspace-id']);
    const sop = t === 0 ? addSop(organisation, workspace.id) : requireSop(organisation, workspace, t);
    Object.assign(sop, { title, content });
    return viewSops(organisation, workspace);
  },

  deleteSop({ organisation, query: { t }, header }) {
    requireSop(organisation, requireWorkspace(organisation, header['workspace-id']), t);
    organisation.records.sops.delete(String(t));
    return createEmptyBody(organisation);
  },

  listAutomations({ organisation, header }) {
    const { id } = requireWorkspace(organisation, header['workspace-id']);
    const automations = organisation.records.automations.list().filter(({ workspace }) => workspace === id);
    return { r: automations.map(viewAutomation) };
  },

  createAutomation({ organisation, header, body }) {
    const { records } = organisation;
    const workspace = requireWorkspace(organisation, header['workspace-id']);
    const id = organisation.random.uuid();
    const automation = records.automations.add(id, {
      id,
      workspace: workspace.id,
      name: body.name,
      task: body.task,
      enabled: body.enabled ?? true,
      webhook_token: organisation.random.uuid(),
      created_at: organisation.now,
    });
    return { r: viewAutomation(automation) };
  },

  deleteAutomation({ organisation, query: { id }, header }) {
    const workspace = requireWorkspace(organisation, header['workspace-id']);
    const { automations } = organisation.records;
    if (automations.get(id)?.workspace !== workspace.id)
      throw createNotFoundError('automation', id, describeWorkspace(workspace));
    automations.delete(id);
    return createEmptyBody(organisation);
  },

  triggerWebhook(context) {
    const { body, owner, note } = context;
    const organisation = owner(({ records }) => findAutomation(records, body.automation_id) !== undefined);
    const automation = organisation && findAutomation(organisation.records, body.automation_id);
    if (!automation) throw createNotFoundError('automation', body.automation_id, '');
    if (!automation.enabled) {
      const name = automation.name.slice(0, 80);
      throw new ApiError(400, `The automation "${name}" is switched off: it was made with enabled false.`);
    }
    const { id, task: text } = automation;
    const payload = (body.payload ?? null) === null ? '' : `\n\nPayload: ${JSON.stringify(body.payload)}`;
    const request = { task: text + payload, metadata: { automation: id } };
    const task = startTask(context, request, { organisation });
    const { jobs } = organisation.records;
    // At the limit the oldest run is removed: a webhook must not fail because of a bound.
    if (jobs.size >= jobs.limit) jobs.delete(jobs.keys().next().value!);
    jobs.set(task.id, { task_id: task.id, automation: id });
    note(`automation ${id} started task ${task.id}`);
    return createEmptyBody(organisation);
  },

  /** A job is a run of an automation and exists as long as its task (open point `job.ids`). */
  getJob({ path: { job_id }, owner }) {
    const organisation = owner(({ dialect, records, tasks }) => {
      return dialect['job.ids'] !== 'none-exist' && records.jobs.has(job_id) && tasks.has(job_id);
    });
    if (!organisation) throw createNotFoundError('job', job_id, '');
    const { tasks, dialect } = organisation;
    if (dialect['job.ids'] === 'automation-runs-no-status') return createEmptyBody(organisation);
    return { r: { id: job_id, status: tasks.get(job_id)?.status } };
  },
} satisfies Partial<Handlers>;

export function requireWorkspace(organisation: Organisation, id: string): Workspace {
  const workspace = organisation.records.workspaces.get(id);
  if (!workspace) throw createNotFoundError('workspace', id);
  return workspace;
}

export function describeWorkspace({ id }: Workspace): string {
  return `in workspace "${id}"`;
}

function viewWorkspace(
  { records }: Organisation,
  { id, name, shared, created_at }: Workspace,
): Schemas['WorkspaceResponse'] {
  const apps = records.appConnections.list().filter(({ workspace }) => workspace === id);
  return { id, name, shared, created_at: Math.floor(created_at / 1000), apps: apps.map(viewConnection) };
}

function addSop(organisation: Organisation, workspace: string): Sop {
  const { records } = organisation;
  const t = allocateTime(records, 'sops', organisation.now);
  return records.sops.add(String(t), { t, workspace, title: '', content: '' });
}

function requireSop({ records }: Organisation, workspace: Workspace, t: number): Sop {
  const sop = records.sops.get(String(t));
  if (sop?.workspace !== workspace.id) throw createNotFoundError('SOP', t, describeWorkspace(workspace));
  return sop;
}

function viewSops({ records }: Organisation, { id }: Workspace): Schemas['SOPResponse'] {
  const sops = records.sops.list().filter(({ workspace }) => workspace === id);
  return { sops: sops.map(({ t, title, content }) => ({ t, title, content })) };
}

function viewAutomation(automation: Automation): Schemas['IAutomation'] {
  const { id, name, task, enabled, webhook_token, created_at } = automation;
  return { id, name, task, enabled, webhook_token, created_at: Math.floor(created_at / 1000) };
}
