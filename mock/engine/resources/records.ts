import * as s from '../../../spec/json-schema/build-schema.js';
import { assignedProxy, browserSession, profile } from './profiles.js';
import { appConnection, automation, automationJob, sop, workspace } from './workspaces.js';

export type Chat = s.ValueOf<typeof chat>;
export const chat = s.fields({
  /** Value of the header `chat-id`. */
  id: s.text,
  /** Creation time, unique within the organisation. */
  t: s.instant,
  workspace: s.text,
  title: s.text,
  /** The task that responds to its newest message. */
  task_id: s.text,
  /** `t` of its messages, oldest first. */
  messages: s.list(s.instant),
});

export type Message = s.ValueOf<typeof message>;
export const message = s.fields({
  /** Creation time, unique within the organisation. */
  t: s.instant,
  chat: s.text,
  role: s.oneOf('user', 'assistant'),
  content: s.text,
  /** For a response: the task whose outcome it reports. Null once the outcome is written. */
  task_id: s.orNull(s.text),
  requests: s.list(s.text),
  attachments: s.list(s.text),
});

/** A tool call that needs the user's approval. */
export type ChatRequest = s.ValueOf<typeof chatRequest>;
const chatRequest = s.fields({
  id: s.text,
  chat: s.text,
  /** `t` of the message that contains it. */
  t: s.instant,
  /** Initially pending, then set by the client; settled when the task finishes if it is still open. */
  status: s.text,
  tool: s.text,
  input: s.object,
});

export type Attachment = s.ValueOf<typeof attachment>;
export const attachment = s.fields({
  id: s.text,
  /** Creation time, unique within the organisation. */
  t: s.instant,
  chat: s.text,
  workspace: s.text,
  name: s.text,
  type: s.text,
  /** Plain text, or base64 for any other content. */
  content: s.text,
});

/** An uploaded file. `size` in bytes; the content is not kept. */
export type StoredFile = s.ValueOf<typeof storedFile>;
const storedFile = s.fields({
  id: s.text,
  name: s.text,
  type: s.text,
  size: s.count,
  purpose: s.orNull(s.text),
  uploaded_at: s.instant,
});

/** An uploaded browser extension. `size` in bytes. */
export type Extension = s.ValueOf<typeof extension>;
const extension = s.fields({ id: s.text, file_name: s.text, size: s.count, created_at: s.instant });

/** Invitations to one address: number of open ones, and the URL of the newest. */
const invite = s.fields({ email: s.text, count: s.count, link: s.text });

/** Everything an organisation holds besides its tasks, by kind: record schema and name for messages. */
const KINDS = {
  profiles: [profile, 'profiles'],
  proxies: [assignedProxy, 'proxies'],
  extensions: [extension, 'extensions'],
  files: [storedFile, 'files'],
  /** By address. */
  invites: [invite, 'invitations'],
  browserSessions: [browserSession, 'browser sessions'],
  telemetry: [s.number(), 'kinds of telemetry events'],
  jobs: [automationJob, 'jobs'],
  workspaces: [workspace, 'workspaces'],
  chats: [chat, 'chats'],
  /** By `formatMessageKey`. */
  messages: [message, 'messages'],
  requests: [chatRequest, 'requests'],
  attachments: [attachment, 'attachments'],
  /** By `t`. */
  sops: [sop, 'SOPs'],
  automations: [automation, 'automations'],
  /** By `formatConnectionKey`. */
  appConnections: [appConnection, 'app connections'],
  /** The latest `t` assigned, by kind (see `allocateTime`). */
  times: [s.number(), 'times'],
} satisfies Record<string, [s.SchemaOf<unknown>, string]>;

type Kinds = typeof KINDS;
export type Records = { readonly [Kind in keyof Kinds]: Table<s.ValueOf<Kinds[Kind][0]>> };

export function createRecords(limit: number): Records {
  const tables = Object.entries(KINDS).map(([kind, [, called]]) => {
    return [kind, new Table(called, kind === 'times' ? Infinity : limit)];
  });
  return Object.fromEntries(tables) as Records;
}

export const recordsSchema = s.fields(
  Object.fromEntries(Object.entries(KINDS).map(([kind, [record]]) => [kind, s.entries<unknown>(record)])),
  true,
);

/**
 * Assigns a creation time that identifies a record: `now` (ms), or one ms after the latest of its kind. No
 * time is assigned twice, even after its record is removed, so that a client with an old `t` never gets a new
 * record.
 */
export function allocateTime(
  records: Records,
  kind: 'chats' | 'messages' | 'attachments' | 'sops',
  now: number,
): number {
  return records.times.add(kind, Math.max(now, (records.times.get(kind) ?? 0) + 1));
}

/**
 * Records of one kind, by id, in order of creation. A record beyond `limit` is refused, so that a
 * long-running mock does not grow.
 */
export class Table<T> extends Map<string, T> {
  constructor(
    readonly kind: string,
    readonly limit: number,
  ) {
    super();
  }

  /** Throws TableFull if `count` new records would exceed the limit. */
  reserve(count: number): void {
    if (this.size + count > this.limit) throw new TableFull(this.kind, this.limit);
  }

  /** Throws TableFull if a new record would exceed the limit. */
  override set(id: string, record: T): this {
    if (!this.has(id)) this.reserve(1);
    return super.set(id, record);
  }

  /** Like `set`, but returns the record. */
  add(id: string, record: T): T {
    this.set(id, record);
    return record;
  }

  list(): T[] {
    return [...this.values()];
  }

  restore(entries: readonly (readonly [string, T])[]): void {
    this.clear();
    for (const [id, record] of entries) super.set(id, record);
  }
}

/** Too many records of one kind. The API responds with 400. */
export class TableFull extends Error {
  override readonly name = 'TableFull';

  constructor(kind: string, limit: number) {
    super(`This organisation holds ${limit} ${kind} already, the most this mock keeps. Delete some first.`);
  }
}
