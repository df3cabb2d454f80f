import * as s from '../../../spec/json-schema/build-schema.js';
import type { Schemas } from '../../../spec/types.js';

/** An app connected to a workspace. */
export type AppConnection = s.ValueOf<typeof appConnection>;
export const appConnection = s.fields({
  app: s.text,
  workspace: s.text,
  protocol: s.integer() as s.SchemaOf<Schemas['AppProtocol']>,
  config: s.orNull(s.object),
  connected_at: s.instant,
});

/** Apps that can be connected: the same for every organisation, one for each protocol. */
export const APPS: readonly Schemas['AppConfig'][] = [
  { name: 'calendar', title: 'Calendar', protocol: 0 },
  { name: 'mail', title: 'Mail', protocol: 1 },
  { name: 'notes', title: 'Notes', protocol: 2 },
  { name: 'spreadsheet', title: 'Spreadsheet', protocol: -1 },
];

/** One connection of each app in a workspace: connecting again replaces it. */
export function connectionKey(workspace: string, app: string): string {
  return `${workspace}/${app}`;
}

/** A connection as the API shows it. No consent is needed. */
export function viewConnection({ app }: AppConnection): Schemas['AppConnectionResponse'] {
  return { app, connected: true, url: null };
}
