import type { ClientStep, Scenario, ServiceStep } from '../../../scenarios/format/types.js';
import type { RequirementId } from '../../../spec/generated/documents.js';
import { isActive, type ResultCode, type TaskEvent } from '../../../spec/vocabulary.js';
import { readField, show } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { expectResult, IN_TIME, readTask, reportMissedEvent } from '../test-case/await-events.js';
import { isActionResult, type TaskHandle } from '../test-case/read-task.js';
import {
  cancelActive,
  expectCompletion,
  expectConfirmed,
  expectTask,
  pollRepeatedly,
  sendReply,
} from '../test-case/task-steps.js';
import type { TestContext } from '../test-case/test-context.js';
import { applySettings } from '../test-case/texts.js';

/** Longest pause of the client, whatever the scenario states, ms. */
const LONGEST_PAUSE_MS = 1500;
/** Maximum number of calls that are replied to. */
const MOST_CALLS = 30;
/** Polls of a terminal task. */
const AFTERWARDS = 2;

const ACTION_REQUIREMENTS: Readonly<Record<string, RequirementId>> = {
  goto: 'SESSION-06',
  extract: 'SESSION-07',
  evaluate_js: 'SESSION-08',
  run_task: 'SESSION-09',
  close: 'SESSION-10',
};

interface RequestedAction {
  id: string;
  name: string;
  what: string;
  sent: ApiResponse;
}

/**
 * Plays the client's side of a scenario. Its service steps are only hints: an agent may call more or fewer tools, with other
 * inputs, and send other texts.
 */
export async function playScenario(t: TestContext, written: Scenario): Promise<void> {
  const scenario = applySettings(written, t.settings);
  const { request } = scenario;
  // The page, profile or file may not exist, so that the request may be refused.
  const isOpen = ['url', 'profile_id', 'files'].some((name) => Object.hasOwn(request, name));
  const isBare = Object.keys(request).every((name) => name === 'task');
  const task = isOpen
    ? await t.createTask(request)
    : await expectTask(t, request, isBare ? 'TASK-10' : 'TASK-11');
  t.expect(['TASK-10', 'TASK-11'], true, 'the request is taken', task.created);
  await new ScenarioPlay(t, scenario, task, typeof request.task !== 'string').play();
}

class ScenarioPlay {
  readonly #tools: ScriptedTools;
  readonly #sent = new Map<string, RequestedAction>();
  #called = 0;
  #closed = false;

  constructor(
    private readonly t: TestContext,
    private readonly scenario: Scenario,
    private readonly task: TaskHandle,
    private readonly session: boolean,
  ) {
    this.#tools = new ScriptedTools(scenario);
  }

  async play(): Promise<void> {
    for (const step of this.scenario.timeline) {
      if ('client' in step) await this.#playClientStep(step);
      else if ('service' in step) await this.#awaitServiceStep(step);
    }
    await this.#checkAfterEnd();
  }

  async #playClientStep(step: ClientStep): Promise<void> {
    // Replies are sent when their call arrives.
    if (step.client === 'reply') return;
    // A task that the scenario cancels must not end by itself first.
    if (step.client !== 'cancel') await this.#pause(step.after?.time_ms ?? 0);
    switch (step.client) {
      case 'poll':
        for (let i = 0; i < (step.times ?? 1); i++) await this.t.poll(this.task);
        return;
      case 'action':
        return this.#act(step.id!, step.name, step.input);
      case 'close':
        if (step.by !== 'delete') return this.#act(step.id!, 'close', undefined);
    }
    await cancelActive(this.t, this.task);
  }

  async #act(step: string, name: string, input: Record<string, unknown> | undefined): Promise<void> {
    const { id, response } = await this.t.act(this.task, name, input);
    const what = `${name} ${show(input ?? {})}`;
    const refused = response.ok ? [] : [ACTION_REQUIREMENTS[name]!];
    if (!(await expectConfirmed(this.t, this.task, response, what, ...refused)))
      return this.t.inconclusive(`the session was ${this.task.status} before ${name} could be sent`);
    this.#sent.set(step, { id, name, what, sent: response });
    if (name === 'close') this.#closed = true;
  }

  async #awaitServiceStep(step: ServiceStep): Promise<void> {
    if (step.if) return;
    switch (step.service) {
      case 'tool_call': {
        const before = this.#tools.countDue();
        await this.#replyUntil(() => this.#called >= before || this.#isWorkDone());
        return;
      }
      case 'result':
        return this.#awaitResult(step.to, step.code ?? 200);
      case 'finish':
        return this.#awaitEnd();
      default:
        return;
    }
  }

  async #awaitResult(to: string, code: number): Promise<void> {
    const action = this.#sent.get(to);
    if (!action) return;
    const hasResult = () => this.task.events.some((event) => isActionResult(event, action.id));
    await this.#replyUntil(hasResult);
    // A close may have no result, and pending actions may lose theirs.
    if (!hasResult() && this.#closed) return;
    const { t, task } = this;
    const requirement = ACTION_REQUIREMENTS[action.name]!;
    if (code === 200 || !hasResult()) {
      await expectResult(t, task, action, requirement);
      return;
    }
    // A real page may succeed although the scenario states a failure: in both cases the action was accepted and has a result.
    t.expect(
      [requirement, 'EVENT-08', 'ERROR-09'],
      true,
      `${action.what} has a result`,
      action.sent,
      task.last,
    );
  }

  async #awaitEnd(): Promise<void> {
    const { t, task } = this;
    await this.#replyUntil(() => false);
    if (!this.session) {
      await expectCompletion(t, task);
      return;
    }
    if (!this.#closed) return;
    const over = !isActive(task.status);
    const message = `close was accepted: expected the session to be over ${IN_TIME}, got ${summarize(task.last)}`;
    t.expectInTime(task, 'SESSION-10', over, message, task.last);
  }

  /** Replies to every call until `until`, the end of the task, or the time limit. */
  async #replyUntil(until: () => boolean): Promise<void> {
    while (this.#called < MOST_CALLS) {
      const call = await this.t.nextToolCall(this.task, until);
      if (!call) return;
      await this.#reply(call);
    }
  }

  async #reply(call: TaskEvent): Promise<void> {
    const { t, task } = this;
    this.#called++;
    const { code, output, pause_ms } = this.#tools.nextReply(readField(call.payload, 'name'));
    await this.#pause(pause_ms);
    const shows = code === 200 ? 'TOOL-09' : 'TOOL-05';
    if (!(await sendReply(t, task, call, { code, output }, shows)) || code === 200) return;
    // The agent may react to the error in any way: another call, or a successful end.
    const hasContinued = () => task.status === 'done' || task.nextCall !== undefined || this.#isWorkDone();
    await t.pollUntil(task, hasContinued);
    if (hasContinued() || !isActive(task.status) || (await reportMissedEvent(t, task))) return;
    const message = `after a reply of ${code}: expected the agent to call again or to end ${IN_TIME}, got ${summarize(task.last)}`;
    t.expectInTime(task, this.session ? 'TOOL-05' : ['TOOL-05', 'SERVICE-01'], false, message, task.last);
  }

  /** The agent of a session has no more tools to call. */
  #isWorkDone(): boolean {
    if (!this.session) return false;
    const { events } = this.task;
    return [...this.#sent.values()].every(({ id }) => events.some((event) => isActionResult(event, id)));
  }

  async #checkAfterEnd(): Promise<void> {
    const { t, task, scenario } = this;
    if (isActive(task.status)) return;
    await t.poll(task, 0);
    for await (const _ of pollRepeatedly(t, task, AFTERWARDS));
    const downloads = scenario.timeline.some((step) => 'service' in step && step.service === 'downloads_url');
    if (!downloads) return;
    const { response } = await readTask(t, task, { downloads: true });
    const message = `downloads=true: expected a response, got ${summarize(response)}`;
    t.expect('TASK-16', response.ok, message, response);
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await this.t.sleep(Math.min(ms, LONGEST_PAUSE_MS));
  }
}

interface ScriptedReply {
  code: ResultCode;
  output: unknown;
  /** How long the tool takes, ms. */
  pause_ms: number;
}

const PLAIN: ScriptedReply = { code: 200, output: null, pause_ms: 0 };

/** The client's tool replies in a scenario: run n of a tool gets reply n, and the last one repeats. */
export class ScriptedTools {
  readonly #replies = new Map<unknown, ScriptedReply[]>();
  readonly #runs = new Map<unknown, number>();
  #due = 0;

  constructor({ timeline }: Scenario) {
    const toolById = new Map<string, string>();
    const ifRefused = new Set(timeline.flatMap((step) => step.if?.reply ?? []));
    for (const step of timeline) {
      if ('service' in step && step.service === 'tool_call') {
        for (const id of [step.id, step.event_id]) if (id !== undefined) toolById.set(id, step.tool);
      } else if ('client' in step && step.client === 'reply') {
        const tool = toolById.get(step.to);
        // If the scenario allows any reply and continues after errors, an error tests more.
        const { code = ifRefused.has(step.to) ? 400 : 200, after } = step;
        const { output = code === 200 ? null : 'try again' } = step;
        const scripted = { code, output, pause_ms: after?.time_ms ?? 0 };
        this.#replies.set(tool, [...(this.#replies.get(tool) ?? []), scripted]);
      }
    }
  }

  nextReply(tool: unknown): ScriptedReply {
    const run = this.#runs.get(tool) ?? 0;
    this.#runs.set(tool, run + 1);
    const replies = this.#replies.get(tool);
    // For additional calls the last reply repeats, unless it was a permanent error.
    return replies?.[run] ?? replies?.findLast(({ code }) => code === 200) ?? PLAIN;
  }

  /** Counts a reply step of the scenario; returns how many there were. */
  countDue(): number {
    return ++this.#due;
  }
}
