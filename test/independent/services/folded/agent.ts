import type { Choices } from './choices.js';
import {
  type Action,
  isClose,
  type Json,
  type Ledger,
  type LedgerRecord,
  type Outcome,
  type TaskState,
  type ToolCallState,
} from './ledger.js';
import { isFields, makeMatching, matchesSchema } from './schema.js';

const patience = 60_000;
const burst = 300;

interface Tool {
  name: string;
  input: Json;
}

interface AgentRun {
  start: number;
  text: string;
  action: string | undefined;
}

type Move = { at: number; tool: Tool } | { at: number; ok: boolean; replies: ToolCallState[] };

function usableTools(task: TaskState): Tool[] {
  const listed = Array.isArray(task.request['custom_tools'])
    ? task.request['custom_tools'].filter(isFields)
    : [];
  return listed.flatMap((tool) => {
    const input = makeMatching(tool['inputs'] ?? {});
    return input ? [{ name: String(tool['name']), input: input.value }] : [];
  });
}

function chooseTool(task: TaskState, text: string, choices: Choices): Tool | undefined {
  const tools = usableTools(task);
  const tool = tools.find((one) => text.includes(one.name)) ?? tools[0];
  if (choices.fault('second-tool-first-input') && tools.length > 1) {
    return { name: tools.at(-1)!.name, input: tools[0]!.input };
  }
  return tool;
}

/** What an agent does next: calls a tool, ends or ends when its patience is over. */
function planMove(task: TaskState, run: AgentRun, choices: Choices): Move {
  const calls = task.calls.filter((one) => one.action === run.action);
  const tool = chooseTool(task, run.text, choices);
  if (!tool) return { at: run.start + 1000 + ((task.serial * 367) % 1000), ok: true, replies: [] };
  const last = calls.at(-1);
  if (!last) return { at: run.start + 250 + ((task.serial * 97) % 400), tool };
  if (!last.reply)
    return { at: last.at + patience, ok: choices.varies('goes-on-without-tool'), replies: calls };
  const again = last.reply.code !== 200 || choices.varies('two-calls');
  if (again && calls.length < 2) return { at: last.reply.at + 300, tool };
  return { at: last.reply.at + 450, ok: true, replies: calls };
}

function describeEnd(run: AgentRun, replies: ToolCallState[]): string {
  const heard = replies.flatMap(({ tool, reply }) =>
    reply ? [`${tool} answered ${reply.code}: ${JSON.stringify(reply.output)}`] : [],
  );
  return [`Finished: ${run.text}`, ...heard].join('\n');
}

/** The output of a task that ends well, or undefined where none can match the response_model. */
function makeOutput(
  task: TaskState,
  run: AgentRun,
  replies: ToolCallState[],
  choices: Choices,
): { value: Json } | undefined {
  const model = task.request['response_model'];
  const plain = { value: describeEnd(run, replies) };
  if (!isFields(model)) return plain;
  if (choices.fault('model-lost-with-tools') && replies.length > 0) return plain;
  const told = replies.find(({ reply }) => reply?.code === 200 && matchesSchema(model, reply.output))?.reply;
  const made = told ? { value: told.output } : makeMatching(model, choices);
  return choices.fault('list-model-wrapped') && Array.isArray(made?.value)
    ? { value: { items: made.value } }
    : made;
}

export interface Progress {
  choices: Choices;
  makeId(what: string): string;
  newestSession(): string | undefined;
}

function callRecord(
  task: TaskState,
  run: AgentRun,
  at: number,
  tool: Tool,
  progress: Progress,
): LedgerRecord {
  const earlier = task.calls.findLast((one) => one.action === run.action);
  const id = progress.choices.fault('retry-with-same-id') && earlier ? earlier.id : progress.makeId('call');
  const action = run.action === undefined ? {} : { action: run.action };
  return { kind: 'call', at, task: task.id, id, tool: tool.name, input: tool.input, ...action };
}

function stepOfTask(task: TaskState, progress: Progress): LedgerRecord {
  const run: AgentRun = { start: task.created, text: String(task.request['task'] ?? ''), action: undefined };
  const move = planMove(task, run, progress.choices);
  if ('tool' in move) return callRecord(task, run, move.at, move.tool, progress);
  const output = move.ok ? makeOutput(task, run, move.replies, progress.choices) : undefined;
  return {
    kind: 'ended',
    at: move.at,
    task: task.id,
    status: output ? 'done' : 'failed',
    output: output?.value ?? null,
    credits: 2 + move.replies.length,
  };
}

function runOf(action: Action): AgentRun {
  const input = action.payload['input'];
  return { start: action.sent, text: isFields(input) ? String(input['task']) : '', action: action.id };
}

function stepOfAction(
  task: TaskState,
  action: Action,
  close: Action | undefined,
  progress: Progress,
): LedgerRecord | undefined {
  const { choices } = progress;
  const into = choices.fault('newest-session-result') ? progress.newestSession() : undefined;
  const finish = (at: number, outcome: Outcome): LedgerRecord => ({
    kind: 'result',
    at,
    task: task.id,
    id: action.id,
    due: action.due,
    outcome,
    ...(into === undefined ? {} : { into }),
    ...(choices.fault('result-dated-at-send') ? { dated: action.sent } : {}),
  });
  if (action === close) {
    const waits = task.atWork.length > 1 && !choices.fault('close-drops-actions');
    return waits ? undefined : finish(Math.max(action.due, task.lastActive), { code: 200, output: null });
  }
  if (action.outcome) return finish(action.due, action.outcome);
  if (close)
    return finish(Math.max(close.due, task.lastActive), { code: 500, output: 'the session was closed' });
  const run = runOf(action);
  const move = planMove(task, run, choices);
  if ('tool' in move) return callRecord(task, run, move.at, move.tool, progress);
  const text = describeEnd(run, move.replies);
  return finish(
    move.at,
    move.ok ? { code: 200, output: text } : { code: 500, output: 'no reply to the tool call' },
  );
}

export function isClosing(task: TaskState): boolean {
  return task.closed !== undefined || task.atWork.some(isClose);
}

function endOfSession(task: TaskState, choices: Choices): LedgerRecord {
  const { closed } = task;
  const model = task.request['response_model'];
  const status = choices.varies('close-cancels')
    ? 'cancelled'
    : choices.varies('close-fails')
      ? 'failed'
      : 'done';
  const idle = choices.varies('idle-cancels') ? 'cancelled' : 'failed';
  const limit = choices.varies('short-idle') ? 30_000 : 300_000;
  return {
    kind: 'ended',
    at: closed === undefined ? task.lastActive + limit : closed + (choices.varies('slow-close') ? 3000 : 50),
    task: task.id,
    status: closed === undefined ? idle : status,
    output:
      closed !== undefined && status === 'done' && isFields(model)
        ? (makeMatching(model, choices)?.value ?? null)
        : null,
    credits: 1 + task.usedIds.size,
  };
}

function stepOfSession(task: TaskState, progress: Progress): LedgerRecord | undefined {
  const { choices } = progress;
  const close = task.atWork.find(isClose);
  const dropped = close && choices.fault('close-drops-actions');
  const atWork = dropped ? [close] : task.atWork;
  const steps = atWork.flatMap((action) => stepOfAction(task, action, close, progress) ?? []);
  if (steps.length > 0) return steps.reduce((first, one) => (one.at < first.at ? one : first));
  if (task.closed !== undefined && choices.fault('close-leaves-open')) return undefined;
  return endOfSession(task, choices);
}

/** Appends everything that has happened by now. */
export function advanceLedger(ledger: Ledger, now: number, progress: Progress): void {
  for (const task of ledger.state.tasks.values()) {
    while (task.status === 'running') {
      const step = task.session ? stepOfSession(task, progress) : stepOfTask(task, progress);
      if (!step || step.at > now) break;
      ledger.append(step);
      ledger.state; // folds it
    }
  }
}

/** An action that is stopped with its session is reported as failed: every action has a result. */
export function stopTask(ledger: Ledger, task: TaskState, at: number, choices: Choices): void {
  for (const action of [...task.atWork]) {
    const outcome = { code: 500, output: 'the session was stopped' };
    ledger.append({ kind: 'result', at, task: task.id, id: action.id, outcome });
  }
  const openCall = task.calls.some((one) => !one.reply);
  const failed = choices.fault('stop-in-call-fails') && openCall;
  const status = failed ? 'failed' : choices.fault('stop-means-done') ? 'done' : 'cancelled';
  const credits = 1 + task.calls.length + (task.session ? task.usedIds.size : 0);
  ledger.append({ kind: 'ended', at, task: task.id, status, output: null, credits });
}

/** Events are handed out in bursts: those up to the last full 300 ms, all of them once the task has ended. */
export function readableUntil(task: TaskState, now: number, choices: Choices): number {
  if (task.status !== 'running' || choices.varies('no-bursts')) return Number.POSITIVE_INFINITY;
  return Math.floor(now / burst) * burst;
}
