import { definitions } from '../../../conformance/service/operations/definitions.js';
import type { ResourceName } from '../../../conformance/service/operations/resources.js';
import type { OperationId } from '../../../spec/types.js';
import { isTerminal } from '../../../spec/vocabulary.js';

/** Parameters that identify a resource, by parameter name. */
export type Entity = Readonly<Record<string, string>>;

/** A `toolCall` waits for its reply; a `session` has not ended; `call` is any tool call, also one in a chat. */
export type EntityKind = ResourceName | 'call';

/** The kind of resource that an operation needs. */
export function findTargetKind(id: OperationId): EntityKind | undefined {
  if (id === 'getToolData') return 'call';
  const needed = definitions[id].needs?.at(-1);
  const isAnyTask = needed === 'endedSession' || (needed === 'session' && id !== 'sendTaskEvent');
  return isAnyTask ? 'task' : needed;
}

/** The resource does not exist after a success. A stopped task is still listed. */
function isRemoval(id: OperationId): boolean {
  return definitions[id].consumes === true && id !== 'deleteTask' && id !== 'updateTask';
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape, checked against the description before
type KnownBody = any;

/** Resources from the responses to one key. */
export class KnownEntities {
  readonly #records = new Map<EntityKind, Map<string, Entity>>();

  constructor(readonly key: string) {}

  list(kind: EntityKind): Entity[] {
    return [...(this.#records.get(kind)?.values() ?? [])];
  }

  /** The resource number `n` modulo their count; undefined if there is none. */
  pick(kind: EntityKind, n: number): Entity | undefined {
    const all = this.list(kind);
    return all[n % all.length];
  }

  /** Ids that no response to another key may contain. Clients choose the names of profiles. */
  listSecrets(): string[] {
    const secret: [EntityKind, string][] = [
      ['task', 'task_id'],
      ['extension', 'extension_id'],
      ['file', 'file_id'],
      ['browser', 'session_id'],
      ['workspace', 'workspace-id'],
      ['chat', 'chat-id'],
      ['attachment', 'attachment-id'],
      ['automation', 'id'],
    ];
    return secret.flatMap(([kind, name]) => this.list(kind).map((entity) => entity[name]!));
  }

  /** Records created and removed resources of a success. `used`: sent parameters. */
  record(operation: OperationId, used: Entity, body: KnownBody): void {
    if (isRemoval(operation)) this.#remove(operation, used);
    this.#recordBody(operation, used, body);
  }

  #recordBody(operation: OperationId, used: Entity, body: KnownBody): void {
    const { r } = body ?? {};
    const workspace = used['workspace-id'] ?? '';
    const recorders: Partial<Record<OperationId, () => void>> = {
      createTask: () => {
        this.#add('task', r.id, { task_id: r.id });
        this.#add('session', r.id, { task_id: r.id });
      },
      listTasks: () => this.#addAll('task', r, ({ id }) => [id, { task_id: id }]),
      getTask: () => this.#recordPoll(r),
      createProfile: () => this.#add('profile', r.id, { profile_id: r.id }),
      listProxies: () => this.#addAll('proxy', r, ({ id }) => [id, { proxy_id: id }]),
      uploadExtension: () => this.#add('extension', r.id, { extension_id: r.id }),
      uploadBrowserExtension: () => this.#add('extension', r.id, { extension_id: r.id }),
      uploadFile: () => this.#add('file', r.id, { file_id: r.id }),
      openBrowserSession: () => this.#add('browser', r.live_id, { session_id: r.live_id }),
      createWorkspace: () => this.#add('workspace', body.id, { 'workspace-id': body.id }),
      createChatTask: () => this.#recordChat(workspace, body),
      createMessage: () => this.#recordChat(workspace, body),
      getChat: () => this.#recordChat(workspace, body),
      saveSop: () =>
        this.#addAll('sop', body.sops, ({ t }) => [
          `${workspace} ${t}`,
          { 'workspace-id': workspace, t: String(t) },
        ]),
      createAutomation: () => {
        const { id, webhook_token } = r;
        this.#add('automation', id, { 'workspace-id': workspace, id, webhook_token });
      },
    };
    recorders[operation]?.();
  }

  /** A task that was started by a webhook is a job too. */
  recordJob(id: string): void {
    this.#add('job', id, { job_id: id });
  }

  #recordPoll(task: KnownBody): void {
    for (const { id, name, payload } of task.events) {
      if (name !== 'tool_call' || !('input' in payload)) continue;
      const call = { task_id: task.id, id, tool: payload.name };
      this.#add('call', `${task.id} ${id}`, call);
      this.#add('toolCall', `${task.id} ${id}`, call);
    }
    if (!isTerminal(task.status)) return;
    for (const kind of ['session', 'toolCall'] as const) {
      const records = this.#records.get(kind);
      for (const [name, { task_id }] of records ?? []) if (task_id === task.id) records!.delete(name);
    }
  }

  #recordChat(workspace: string, chat: KnownBody): void {
    const names = { 'workspace-id': workspace, t: String(chat.t), 'chat-id': chat.id };
    this.#add('chat', chat.id, names);
    if (chat.task_id !== null) this.#add('task', chat.task_id, { task_id: chat.task_id });
    for (const message of chat.messages) {
      for (const { id, t, tool } of message.requests) {
        this.#add('request', id, { 'chat-id': chat.id, id, t: String(t) });
        this.#add('call', id, { id, tool, task_id: chat.task_id ?? 'none' });
      }
      for (const { id, t } of message.attachments) {
        this.#add('attachment', id, { 'workspace-id': workspace, 'attachment-id': id, t: String(t) });
      }
    }
  }

  #remove(operation: OperationId, used: Entity): void {
    const kind = findTargetKind(operation)!;
    const records = this.#records.get(kind);
    for (const [id, entity] of records ?? []) {
      // Names of other resources are ignored, such as the chat of the `t` of an SOP.
      const same = Object.entries(entity).every(([name, value]) => !(name in used) || used[name] === value);
      if (same) records!.delete(id);
    }
  }

  #addAll(kind: EntityKind, found: KnownBody[], entry: (one: KnownBody) => [string, Entity]): void {
    for (const one of found) this.#add(kind, ...entry(one));
  }

  #add(kind: EntityKind, id: string, entity: Entity): void {
    let records = this.#records.get(kind);
    if (!records) {
      records = new Map();
      this.#records.set(kind, records);
    }
    records.set(id, entity);
  }
}
