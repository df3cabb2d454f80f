import type { Schemas } from '../../spec/types.js';
import {
  type Automation,
  addJob,
  automationRequest,
  findAutomation,
} from '../engine/resources/automations.js';
import type { LateNote } from '../journal/journal-entry.js';
import { ApiError, notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { emptyBody } from '../pipeline/responses.js';
import { startTask } from './start-task.js';
import { findWorkspace, inWorkspace } from './workspaces.js';

type AutomationOperations = 'listAutomations' | 'createAutomation' | 'deleteAutomation' | 'triggerWebhook';

/** Section "Apps, SOPs, automations". */
export const automationHandlers: Pick<Handlers, AutomationOperations> = {
  listAutomations({ organisation, header }) {
    const { id } = findWorkspace(organisation, header['workspace-id']);
    const automations = organisation.records.automations.list().filter(({ workspace }) => workspace === id);
    return { r: automations.map(viewAutomation) };
  },

  createAutomation({ organisation, header, body }) {
    const { records, world } = organisation;
    const workspace = findWorkspace(organisation, header['workspace-id']);
    const id = world.setup.random.uuid();
    const automation = records.automations.set(id, {
      id,
      workspace: workspace.id,
      name: body.name,
      task: body.task,
      enabled: body.enabled ?? true,
      webhook_token: world.setup.random.uuid(),
      created_at: world.now,
    });
    return { r: viewAutomation(automation) };
  },

  deleteAutomation({ organisation, query: { id }, header }) {
    const workspace = findWorkspace(organisation, header['workspace-id']);
    const { automations } = organisation.records;
    if (automations.get(id)?.workspace !== workspace.id)
      throw notFound('automation', id, inWorkspace(workspace));
    automations.delete(id);
    return emptyBody(organisation);
  },

  triggerWebhook(context) {
    const { body, owner, note } = context;
    const organisation = owner(({ records }) => findAutomation(records, body.automation_id) !== undefined);
    const automation = organisation && findAutomation(organisation.records, body.automation_id);
    if (!automation) throw notFound('automation', body.automation_id, '');
    if (!automation.enabled) {
      throw new ApiError(
        400,
        `The automation "${automation.name.slice(0, 80)}" is switched off: it was made with enabled false.`,
      );
    }
    const start = {
      organisation,
      scenario: context.scenario,
      note,
      concerns: (id: string) => context.concerns(id),
      noteLater: (make: LateNote, request: Readonly<Record<string, unknown>>) =>
        context.noteLater(make, request),
    };
    const task = startTask(start, automationRequest(automation, body.payload));
    addJob(organisation.records, { task_id: task.id, automation: automation.id });
    note(`automation ${automation.id} started task ${task.id}`);
    return emptyBody(organisation);
  },
};

function viewAutomation(automation: Automation): Schemas['IAutomation'] {
  const { id, name, task, enabled, webhook_token, created_at } = automation;
  return { id, name, task, enabled, webhook_token, created_at: Math.floor(created_at / 1000) };
}
