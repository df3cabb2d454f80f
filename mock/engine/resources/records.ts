import * as s from '../../../spec/json-schema/build-schema.js';
import { assignedProxy, browserSession, profile } from './profiles.js';
import { appConnection, automation, automationJob, sop, workspace } from './workspaces.js';

export type Chat = s.ValueOf<typeof chat>;
export const chat = s.fields({
  /** Goes into the header `chat-id`. */
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
  /** For a response: the task whose outcome it reports. Null once the outcome is reported. */
  task_id: s.orNull(s.text),
  requests: s.list(s.text),
  attachments: s.list(s.text),
});

/** A tool call that needs the user's approval. */
export type ChatRequest = s.ValueOf<typeof chatRequest>;
export const chatRequest = s.fields({
  id: s.text,
  chat: s.text,
  /** The message that contains it. */
  t: s.instant,
  /** Pending at first, then as the client sets it; settled at the end of the task if still open. */
  status: s.text,
  tool: s.text,
  input: s.object,
});

/** A file that came with a message. */
export type Attachment = s.ValueOf<typeof attachment>;
export const attachment = s.fields({
  id: s.text,
  /** Creation time, unique within the organisation. */
  t: s.instant,
  chat: s.text,
  workspace: s.text,
  name: s.text,
  type: s.text,
  /** Text as it is, anything else in base64. */
  content: s.text,
});

/** An uploaded file, by its size in bytes. Its content is not kept. */
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

/** Invitations to one address: how many are open, and the address of the newest one. */
export type Invite = s.ValueOf<typeof invite>;
const invite = s.fields({ email: s.text, count: s.count, link: s.text });

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
  telemetry: [s.number(), 'kinds of telemetry events'],
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
  times: [s.number(), 'times'],
} satisfies Record<string, [s.SchemaOf<unknown>, string]>;

type Kinds = typeof KINDS;
export type Records = { readonly [Kind in keyof Kinds]: Table<s.ValueOf<Kinds[Kind][0]>> };

/** Empty tables that hold at most `limit` records each. */
export function createRecords(limit: number): Records {
  const tables = Object.entries(KINDS).map(([kind, [, called]]) => {
    return [kind, new Table(called, kind === 'times' ? Infinity : limit)];
  });
  return Object.fromEntries(tables) as Records;
}

/** All records in a snapshot, by kind. */
export const recordsSchema = s.fields(
  Object.fromEntries(Object.entries(KINDS).map(([kind, [record]]) => [kind, s.entries<unknown>(record)])),
  true,
);

/**
 * A creation time that names a record: `now` (ms), or one ms after the last one of its kind when that is not later.
 * None is given twice, not even after the record is gone, so that a client with an old `t` never meets a new record.
 */
export function allocateTime(
  records: Records,
  kind: 'chats' | 'messages' | 'attachments' | 'sops',
  now: number,
): number {
  return records.times.add(kind, Math.max(now, (records.times.get(kind) ?? 0) + 1));
}

/**
 * Records of one kind, by id, in the order in which they were made. Bounded: a record beyond `limit` is refused, so that
 * a mock left running does not grow.
 */
export class Table<T> extends Map<string, T> {
  constructor(
    readonly kind: string,
    readonly limit: number,
  ) {
    super();
  }

  /** Throws TableFull when so many new records would go beyond the limit. */
  reserve(count: number): void {
    if (this.size + count > this.limit) throw new TableFull(this.kind, this.limit);
  }

  /** Adds or replaces. Throws TableFull when a new record would go beyond the limit. */
  override set(id: string, record: T): this {
    if (!this.has(id)) this.reserve(1);
    return super.set(id, record);
  }

  /** The same, and gives the record back. */
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

/** Too many records of one kind in one organisation. The API responds with 400. */
export class TableFull extends Error {
  override readonly name = 'TableFull';

  constructor(kind: string, limit: number) {
    super(`This organisation holds ${limit} ${kind} already, the most this mock keeps. Delete some first.`);
  }
}
