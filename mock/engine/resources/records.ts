import type { AppConnection } from './apps.js';
import type { Attachment } from './attachments.js';
import type { Automation, AutomationJob } from './automations.js';
import type { BrowserSession } from './browser-sessions.js';
import type { Chat, ChatRequest, Message } from './chats.js';
import type { StoredFile } from './files.js';
import type { Profile } from './profiles.js';
import type { AssignedProxy } from './proxies.js';
import { Table } from './table.js';

/** An uploaded browser extension. */
export interface Extension {
  id: string;
  file_name: string;
  /** bytes. */
  size: number;
  /** ms. */
  created_at: number;
}

/** Invitations to one address. */
export interface Invite {
  email: string;
  /** Invitations that are open. */
  count: number;
  /** Address of the newest one. */
  link: string;
}

export interface Workspace {
  id: string;
  name: string;
  shared: boolean;
  /** ms. */
  created_at: number;
}

/** A standard operating procedure; `t` names it. */
export interface Sop {
  /** Creation time in ms, unique within the organisation. */
  t: number;
  workspace: string;
  title: string;
  content: string;
}

/** Everything an organisation holds besides its tasks, by kind. All of it is plain data, for snapshots. */
export interface Records {
  profiles: Table<Profile>;
  proxies: Table<AssignedProxy>;
  extensions: Table<Extension>;
  files: Table<StoredFile>;
  /** By address. */
  invites: Table<Invite>;
  browserSessions: Table<BrowserSession>;
  /** How often each telemetry event came, by its name. */
  telemetry: Table<number>;
  /** By the id of the task. */
  jobs: Table<AutomationJob>;
  workspaces: Table<Workspace>;
  chats: Table<Chat>;
  /** By `messageKey`. */
  messages: Table<Message>;
  requests: Table<ChatRequest>;
  attachments: Table<Attachment>;
  /** By `t`. */
  sops: Table<Sop>;
  automations: Table<Automation>;
  /** By `connectionKey`. */
  appConnections: Table<AppConnection>;
  /** The last `t` handed out, by kind, ms (see `takeTime`). */
  times: Table<number>;
}

/** Empty tables that hold at most `limit` records each. */
export function createRecords(limit: number): Records {
  return {
    profiles: new Table('profiles', limit),
    proxies: new Table('proxies', limit),
    extensions: new Table('extensions', limit),
    files: new Table('files', limit),
    invites: new Table('invitations', limit),
    browserSessions: new Table('browser sessions', limit),
    telemetry: new Table('kinds of telemetry events', limit),
    jobs: new Table('jobs', limit),
    workspaces: new Table('workspaces', limit),
    chats: new Table('chats', limit),
    messages: new Table('messages', limit),
    requests: new Table('requests', limit),
    attachments: new Table('attachments', limit),
    sops: new Table('SOPs', limit),
    automations: new Table('automations', limit),
    appConnections: new Table('app connections', limit),
    times: new Table('times', Number.POSITIVE_INFINITY),
  };
}

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
