import type { Records } from './records.js';

/** A task that a webhook sets off. */
export interface Automation {
  id: string;
  workspace: string;
  name: string;
  task: string;
  enabled: boolean;
  webhook_token: string;
  /** ms. */
  created_at: number;
}

/** One run of an automation: its task by another name. */
export interface AutomationJob {
  task_id: string;
  automation: string;
}

/** By its id or its webhook token. */
export function findAutomation({ automations }: Records, idOrToken: string): Automation | undefined {
  return automations.get(idOrToken) ?? automations.list().find((each) => each.webhook_token === idOrToken);
}

/** The task of a run: the automation's, with what the webhook brought at its end. */
export function automationRequest(automation: Automation, payload: unknown): Record<string, unknown> {
  const brought = payload === undefined || payload === null ? '' : `\n\nPayload: ${JSON.stringify(payload)}`;
  return { task: automation.task + brought, metadata: { automation: automation.id } };
}

/** Takes down a run. The oldest makes way: runs come from outside and must not stop at a bound. */
export function addJob({ jobs }: Records, job: AutomationJob): void {
  if (jobs.full) {
    const [oldest] = jobs.list();
    if (oldest) jobs.delete(oldest.task_id);
  }
  jobs.set(job.task_id, job);
}
