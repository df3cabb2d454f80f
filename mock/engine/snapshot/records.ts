import {
  bool,
  entries,
  fields,
  integer,
  list,
  number,
  object,
  orNull,
  text,
} from '../../../spec/json-schema/build-schema.js';
import type { SchemaObject } from '../../../spec/json-schema/schema.js';
import type { Records } from '../resources/records.js';

const count = integer(0);
const instant = integer(0, 8_640_000_000_000_000);

/** What each record has to be, by kind: one that is missing here does not compile. */
const RECORDS: Readonly<Record<keyof Records, SchemaObject>> = {
  profiles: fields({ id: text, cookie_domains: list(text), saved_at: orNull(instant) }),
  proxies: fields({
    id: text,
    country: text,
    host: text,
    port: count,
    username: text,
    password: text,
    auto_renew: bool,
    assigned_at: instant,
    // Beyond this no date can be named.
    months: integer(0, 100_000),
  }),
  extensions: fields({ id: text, file_name: text, size: count, created_at: instant }),
  files: fields({
    id: text,
    name: text,
    type: text,
    size: count,
    purpose: orNull(text),
    uploaded_at: instant,
  }),
  invites: fields({ email: text, count, link: text }),
  browserSessions: fields({
    live_id: text,
    profile_id: text,
    live_url: text,
    url: orNull(text),
    device: text,
    opened_at: instant,
  }),
  telemetry: number(),
  jobs: fields({ task_id: text, automation: text }),
  workspaces: fields({ id: text, name: text, shared: bool, created_at: instant }),
  chats: fields({
    id: text,
    t: instant,
    workspace: text,
    title: text,
    task_id: text,
    messages: list(instant),
  }),
  messages: fields({
    t: instant,
    chat: text,
    role: text,
    content: text,
    task_id: orNull(text),
    requests: list(text),
    attachments: list(text),
  }),
  requests: fields({ id: text, chat: text, t: instant, status: text, tool: text, input: object }),
  attachments: fields({
    id: text,
    t: instant,
    chat: text,
    workspace: text,
    name: text,
    type: text,
    content: text,
  }),
  sops: fields({ t: instant, workspace: text, title: text, content: text }),
  automations: fields({
    id: text,
    workspace: text,
    name: text,
    task: text,
    enabled: bool,
    webhook_token: text,
    created_at: instant,
  }),
  appConnections: fields({
    app: text,
    workspace: text,
    protocol: integer(),
    config: orNull(object),
    connected_at: instant,
  }),
  times: number(),
};

/** All records of an organisation, by kind. */
export const recordsSchema = fields(
  Object.fromEntries(Object.entries(RECORDS).map(([kind, record]) => [kind, entries(record)])),
  true,
);
