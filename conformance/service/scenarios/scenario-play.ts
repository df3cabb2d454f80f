import type { ClientStep, Scenario, ServiceStep } from '../../../scenarios/format/types.js';
import type { RequirementId } from '../../../spec/generated/documents.js';
import type { TaskEvent } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { Probing } from '../cases/test-case.js';
import type { Answer } from '../http-client/response.js';
import { confirmed, ended, IN_TIME, read, resultOf } from './player-checks.js';
import { isActive, isCall, isResultOf, said } from './player-read.js';
import type { Played } from './player-types.js';
import { ScriptedTools } from './scenario-tools.js';

/** The client waits no longer than this for what it does, however long the scenario says, ms. */
const LONGEST_PAUSE_MS = 1500;
/** Calls that are replied to until it has been enough. */
const MOST_CALLS = 30;
/** Polls of a task that is over. */
const AFTERWARDS = 2;

const SHOWS: Readonly<Record<string, RequirementId>> = {
  goto: 'SESSION-06',
  extract: 'SESSION-07',
  evaluate_js: 'SESSION-08',
  run_task: 'SESSION-09',
  close: 'SESSION-10',
};

interface Sent {
  id: string;
  name: string;
  what: string;
  sent: Answer;
}

/**
 * Plays the client's side of a scenario. What it says of the service is taken as a hint of what may come next: an agent
 * may call more or fewer tools, with other inputs, and say other things.
 */
export async function playScenario(probing: Probing, scenario: Scenario): Promise<void> {
  const task = await probing.player.create(scenario.request);
  const session = typeof scenario.request.task !== 'string';
  for (const requirement of ['TASK-10', 'TASK-11'] as const)
    probing.expect(requirement, true, 'the request is taken', task.created);
  await new ScenarioPlay(probing, scenario, task, session).play();
}

class ScenarioPlay {
  readonly #tools: ScriptedTools;
  readonly #replied = new Set<string>();
  readonly #sent = new Map<string, Sent>();
  #called = 0;
  #closed = false;

  constructor(
    private readonly probing: Probing,
    private readonly scenario: Scenario,
    private readonly task: Played,
    private readonly session: boolean,
  ) {
    this.#tools = new ScriptedTools(scenario);
  }

  async play(): Promise<void> {
    for (const step of this.scenario.timeline) {
      if ('client' in step) await this.#does(step);
      else if ('service' in step) await this.#awaits(step);
    }
    await this.#afterwards();
  }

  async #does(step: ClientStep): Promise<void> {
    // Replies are given when their call comes.
    if (step.client === 'reply') return;
    // What is to be stopped must not have come to its end by itself.
    if (step.client !== 'cancel') await this.#pause(step.after?.time_ms ?? 0);
    switch (step.client) {
      case 'poll':
        for (let i = 0; i < (step.times ?? 1); i++) await this.probing.player.poll(this.task);
        return;
      case 'action':
        return this.#act(step.id!, step.name, step.input);
      case 'close':
        return step.by === 'delete' ? this.#stop() : this.#act(step.id!, 'close', undefined);
      case 'cancel':
        return this.#stop();
    }
  }

  async #act(step: string, name: string, input: Record<string, unknown> | undefined): Promise<void> {
    const { id, answer } = await this.probing.player.act(this.task, name, input);
    const what = `${name} ${show(input ?? {})}`;
    const refused = answer.ok ? [] : [SHOWS[name]!];
    if (!(await confirmed(this.probing, this.task, answer, what, ...refused)))
      return this.probing.inconclusive(`the session was ${this.task.status} before ${name} could be sent`);
    this.#sent.set(step, { id, name, what, sent: answer });
    if (name === 'close') this.#closed = true;
  }

  async #stop(): Promise<void> {
    const { probing, task } = this;
    const { player } = probing;
    await player.pollUntil(task, ({ status }) => status !== 'waiting');
    const deleted = await player.cancel(task);
    await player.untilEnd(task);
    if (!isActive(task.status) && task.status !== 'cancelled')
      return probing.inconclusive(`the task ended as ${task.status} before it could be stopped`);
    const message = `DELETE of a task at work: expected success and the status cancelled, got ${said(deleted)} and then ${said(task.last)}`;
    for (const requirement of ['TASK-13', 'TASK-17'] as const)
      probing.expect(requirement, deleted.ok && task.status === 'cancelled', message, deleted, task.last);
  }

  async #awaits(step: ServiceStep): Promise<void> {
    if (step.if) return;
    switch (step.service) {
      case 'tool_call': {
        const before = this.#tools.due();
        await this.#serveUntil(() => this.#called >= before || this.#workIsDone());
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
    const there = () => this.task.events.some((event) => isResultOf(event, action.id));
    await this.#serveUntil(there);
    // A close may show in nothing but the status; what was under way when a session was closed may be lost with it.
    if (!there() && this.#closed) return;
    const { probing, task } = this;
    const requirement = SHOWS[action.name]!;
    if (code === 200 || !there()) {
      await resultOf(probing, task, action, requirement);
      return;
    }
    // Where the scenario has it fail, a real page may let it succeed: either way it was taken and has a result.
    for (const shown of [requirement, 'EVENT-08', 'ERROR-09'] as const)
      probing.expect(shown, true, `${action.what} has a result`, action.sent, task.last);
  }

  async #awaitEnd(): Promise<void> {
    const { probing, task } = this;
    await this.#serveUntil(() => false);
    if (!this.session) {
      await ended(probing, task);
      return;
    }
    if (!this.#closed) return;
    const over = !isActive(task.status);
    const message = `close was accepted: expected the session to be over ${IN_TIME}, got ${said(task.last)}`;
    probing.expect('SESSION-10', over, message, task.last);
  }

  /** Replies to every call until `until`, the end, or the time is up. */
  async #serveUntil(until: () => boolean): Promise<void> {
    const { probing, task } = this;
    const open = () => task.events.find((event) => isCall(event) && !this.#replied.has(event.id));
    while (this.#called < MOST_CALLS) {
      await probing.player.pollUntil(task, () => open() !== undefined || until());
      const call = open();
      if (!call || !isActive(task.status)) return;
      await this.#reply(call);
    }
  }

  async #reply(call: TaskEvent): Promise<void> {
    const { probing, task } = this;
    this.#replied.add(call.id);
    this.#called++;
    const { code, output, pause_ms } = this.#tools.reply(field(call.payload, 'name'));
    await this.#pause(pause_ms);
    const answer = await probing.player.reply(task, call.id, code, output);
    const taken = await confirmed(probing, task, answer, `a reply of ${code} with output ${show(output)}`);
    if (!taken || code === 200) return;
    // What the agent does about the error is its own affair: another call, or an end that is a success.
    const known = this.#called;
    const goesOn = () =>
      task.status === 'done' ||
      task.events.filter(isCall).some((event) => !this.#replied.has(event.id)) ||
      this.#called > known;
    await probing.player.pollUntil(task, goesOn);
    if (goesOn()) probing.expect('TOOL-05', true, 'the agent goes on', answer, task.last);
  }

  /** The agent of a session has nothing left to call tools for. */
  #workIsDone(): boolean {
    if (!this.session) return false;
    const { events } = this.task;
    return [...this.#sent.values()].every(({ id }) => events.some((event) => isResultOf(event, id)));
  }

  async #afterwards(): Promise<void> {
    const { probing, task, scenario } = this;
    if (isActive(task.status)) return;
    const { status } = task;
    for (let i = 0; i < AFTERWARDS; i++) {
      await probing.sleep(probing.settings.poll_interval_ms);
      const answer = await probing.player.poll(task, i === 0 ? 0 : task.event_t);
      const message = `expected the status to stay ${status}, got ${said(answer)}`;
      probing.expect('POLL-08', task.status === status, message, answer);
    }
    const downloads = scenario.timeline.some((step) => 'service' in step && step.service === 'downloads_url');
    if (!downloads) return;
    const { answer } = await read(probing, task, { downloads: true });
    probing.expect('TASK-16', answer.ok, `downloads=true: expected an answer, got ${said(answer)}`, answer);
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await this.probing.sleep(Math.min(ms, LONGEST_PAUSE_MS));
  }
}
