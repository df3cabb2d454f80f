import {
  bool,
  count,
  entries,
  fields,
  instant,
  number,
  type SchemaOf,
  text,
  type ValueOf,
} from '../../../spec/json-schema/build-schema.js';
import { appConnection } from './apps.js';
import { attachment } from './attachments.js';
import { automation, automationJob } from './automations.js';
import { browserSession } from './browser-sessions.js';
import { chat, chatRequest, message } from './chats.js';
import { storedFile } from './files.js';
import { profile } from './profiles.js';
import { assignedProxy } from './proxies.js';
import { Table } from './table.js';

/** An uploaded browser extension. `size` in bytes. */
export type Extension = ValueOf<typeof extension>;
const extension = fields({ id: text, file_name: text, size: count, created_at: instant });

/** Invitations to one address: how many are open, and the address of the newest one. */
export type Invite = ValueOf<typeof invite>;
const invite = fields({ email: text, count, link: text });

export type Workspace = ValueOf<typeof workspace>;
const workspace = fields({ id: text, name: text, shared: bool, created_at: instant });

/** A standard operating procedure, named by its creation time `t`, which is unique within the organisation. */
export type Sop = ValueOf<typeof sop>;
const sop = fields({ t: instant, workspace: text, title: text, content: text });

/** Everything an organisation holds besides its tasks, by kind: what a record of it is, and what people call them. */
const KINDS = {
  profiles: [profile, 'profiles'],
  proxies: [assignedProxy, 'proxies'],
  extensions: [extension, 'extensions'],
  files: [storedFile, 'files'],
  /** By address. */
  invites: [invite, 'invitations'],
  browserSessions: [browserSession, 'browser sessions'],
  /** How often each telemetry event came, by its name. */
  telemetry: [number(), 'kinds of telemetry events'],
  /** By the id of the task. */
  jobs: [automationJob, 'jobs'],
  workspaces: [workspace, 'workspaces'],
  chats: [chat, 'chats'],
  /** By `messageKey`. */
  messages: [message, 'messages'],
  requests: [chatRequest, 'requests'],
  attachments: [attachment, 'attachments'],
  /** By `t`. */
  sops: [sop, 'SOPs'],
  automations: [automation, 'automations'],
  /** By `connectionKey`. */
  appConnections: [appConnection, 'app connections'],
  /** The last `t` handed out, by kind (see `takeTime`). */
  times: [number(), 'times'],
} satisfies Record<string, [SchemaOf<unknown>, string]>;

type Kinds = typeof KINDS;
export type Records = { readonly [Kind in keyof Kinds]: Table<ValueOf<Kinds[Kind][0]>> };

/** Empty tables that hold at most `limit` records each. */
export function createRecords(limit: number): Records {
  const tables = Object.entries(KINDS).map(([kind, [, called]]) => {
    return [kind, new Table(called, kind === 'times' ? Infinity : limit)];
  });
  return Object.fromEntries(tables) as Records;
}

/** All records in a snapshot, by kind. */
export const recordsSchema = fields(
  Object.fromEntries(Object.entries(KINDS).map(([kind, [record]]) => [kind, entries<unknown>(record)])),
  true,
);

/**
 * A creation time that names a record: `now` (ms), or one ms after the last one of its kind when that is not later.
 * None is given twice, not even after the record is gone, so that a client with an old `t` never meets a new record.
 */
export function takeTime(
  records: Records,
  kind: 'chats' | 'messages' | 'attachments' | 'sops',
  now: number,
): number {
  return records.times.set(kind, Math.max(now, (records.times.get(kind) ?? 0) + 1));
}
