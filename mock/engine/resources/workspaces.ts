import * as s from '../../../spec/json-schema/build-schema.js';
import type { Schemas } from '../../../spec/types.js';
import type { Records } from './records.js';

export type Workspace = s.ValueOf<typeof workspace>;
export const workspace = s.fields({ id: s.text, name: s.text, shared: s.bool, created_at: s.instant });

/** A standard operating procedure, identified by its creation time `t`, which is unique within the organisation. */
export type Sop = s.ValueOf<typeof sop>;
export const sop = s.fields({ t: s.instant, workspace: s.text, title: s.text, content: s.text });

type AppConnection = s.ValueOf<typeof appConnection>;
export const appConnection = s.fields({
  app: s.text,
  workspace: s.text,
  protocol: s.integer() as s.SchemaOf<Schemas['AppProtocol']>,
  config: s.orNull(s.object),
  connected_at: s.instant,
});

/** Apps that can be connected, one per protocol; the same for every organisation. */
export const APPS: readonly Schemas['AppConfig'][] = [
  { name: 'calendar', title: 'Calendar', protocol: 0 },
  { name: 'mail', title: 'Mail', protocol: 1 },
  { name: 'notes', title: 'Notes', protocol: 2 },
  { name: 'spreadsheet', title: 'Spreadsheet', protocol: -1 },
];

/** A workspace has at most one connection per app: connecting again replaces it. */
export function formatConnectionKey(workspace: string, app: string): string {
  return `${workspace}/${app}`;
}

/** The connection as the API shows it. No consent is needed. */
export function viewConnection({ app }: AppConnection): Schemas['AppConnectionResponse'] {
  return { app, connected: true, url: null };
}

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

/** One run of an automation; its id is the task's id. */
export const automationJob = s.fields({ task_id: s.text, automation: s.text });

export function findAutomation({ automations }: Records, idOrToken: string): Automation | undefined {
  return automations.get(idOrToken) ?? automations.list().find((each) => each.webhook_token === idOrToken);
}
