import * as s from '../../../spec/json-schema/build-schema.js';
import type { Records } from './records.js';

/** A task that a webhook starts. */
export type Automation = s.ValueOf<typeof automation>;
export const automation = s.fields({
  id: s.text,
  workspace: s.text,
  name: s.text,
  task: s.text,
  enabled: s.bool,
  webhook_token: s.text,
  created_at: s.instant,
});

/** One run of an automation: its task by another name. */
export type AutomationJob = s.ValueOf<typeof automationJob>;
export const automationJob = s.fields({ task_id: s.text, automation: s.text });

/** By its id or its webhook token. */
export function findAutomation({ automations }: Records, idOrToken: string): Automation | undefined {
  return automations.get(idOrToken) ?? automations.list().find((each) => each.webhook_token === idOrToken);
}

/** The task of a run: the automation's, followed by the webhook's payload. */
export function automationRequest({ id, task }: Automation, payload: unknown): Record<string, unknown> {
  const brought = payload === undefined || payload === null ? '' : `\n\nPayload: ${JSON.stringify(payload)}`;
  return { task: task + brought, metadata: { automation: id } };
}

/** Adds a run. At the limit, the oldest is removed: webhooks must not fail because of a bound. */
export function addJob({ jobs }: Records, job: AutomationJob): void {
  const [oldest] = jobs.keys();
  if (jobs.full && oldest !== undefined) jobs.delete(oldest);
  jobs.set(job.task_id, job);
}
