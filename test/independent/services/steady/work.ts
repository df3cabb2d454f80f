/** What happens with time: agents and sessions, worked out whenever a request arrives. */

import { parseUrl } from '../../../../spec/addresses.js';
import { evaluate, Thrown } from './script.js';
import type { SteadyChoices } from './settings.js';
import type { SteadyAction, SteadyCall, SteadyEvent, SteadyRun, SteadyTask, SteadyTool } from './state.js';
import { CannotFit, isObject, type Json, type JsonObject, sampleFitting } from './values.js';

const ACTIONS: Record<string, { event: string; delay: number }> = {
  goto: { event: 'browser_action', delay: 310 },
  extract: { event: 'browser_action', delay: 420 },
  evaluate_js: { event: 'browser_action', delay: 90 },
  run_task: { event: 'session_action', delay: 0 },
  close: { event: 'session_action', delay: 150 },
};

export class SteadyWork {
  private calls = 0;
  constructor(
    private readonly choices: SteadyChoices,
    private readonly charge: (org: string, credits: number) => void,
  ) {}

  startRun(task: SteadyTask, text: string, model: Json, at: number): SteadyRun {
    const lower = text.toLowerCase();
    const named = task.tools.filter(({ name }) => lower.includes(name.toLowerCase()));
    const meant = task.tools.filter(({ description }) =>
      description.split(/\W+/).some((word) => word.length > 4 && lower.includes(word.toLowerCase())),
    );
    const plan = named.length > 0 ? named : meant.length > 0 ? meant : task.tools.slice(0, 1);
    return {
      text,
      model,
      plan: plan.map((tool) => ({ tool, attempt: 1 })),
      wakeAt: at + this.pace(640),
      open: [],
      notes: [],
    };
  }

  /** Brings a task to the present. */
  advance(task: SteadyTask): void {
    const now = this.choices.now();
    if (task.status !== 'running') return;
    if (task.text !== null) {
      const ended = this.advanceRun(task, task.run!, now);
      if (ended !== undefined) this.end(task, ended.good ? 'done' : 'failed', ended.output);
      return;
    }
    while (this.finishOne(task, now));
    const idle = this.choices.varies('short-idle') ? 60_000 : 900_000;
    if (task.status === 'running' && task.queue.length === 0 && now - task.lastUse >= idle)
      this.end(task, this.choices.varies('idle-is-done') ? 'done' : 'failed', null);
  }

  end(task: SteadyTask, status: 'done' | 'failed' | 'cancelled', output: Json): void {
    for (const action of task.queue.splice(0))
      this.emit(task, action, { code: 500, output: 'The session ended first' }, this.choices.now());
    for (const call of task.calls) call.over = true;
    task.status = status;
    task.output = output;
    task.credits += 1;
    this.charge(task.org, task.credits);
  }

  stop(task: SteadyTask): void {
    const callOpen = task.calls.some((call) => !call.over);
    if (this.choices.fault('stop-waits-for-reply') && callOpen) return;
    this.end(task, this.choices.fault('stopped-is-failed') ? 'failed' : 'cancelled', null);
  }

  act(task: SteadyTask, id: string, name: string, payload: JsonObject): void {
    const { fault } = this.choices;
    const isClose = name === 'session_action' && payload.name === 'close';
    if (isClose) task.closing = true;
    if (task.refused && fault('refusal-blocks-session')) {
      task.refused = false;
      return;
    }
    if (fault('third-action-lost') && task.queue.length >= 2 && !isClose) return;
    if (isClose && fault('close-loses-actions')) task.queue = [];
    const at = this.choices.now();
    if (isClose && this.choices.varies('close-drops-queue'))
      for (const action of task.queue.splice(0))
        this.emit(task, action, { code: 500, output: 'The session was closed first' }, at);
    task.queue.push({ id, name, payload, at });
  }

  private pace(delay: number): number {
    return this.choices.varies('slow') ? delay * 5 : delay;
  }

  /** Each event of a task is later than the one before: otherwise a poll could step over it. */
  private emit(
    task: SteadyTask,
    event: Omit<SteadyEvent, 'timestamp'>,
    payload: JsonObject,
    at: number,
  ): void {
    const { fault } = this.choices;
    const last = task.events.at(-1)?.timestamp ?? 0;
    let { id, name } = event;
    if (fault('non-ascii-lost')) id = id.replace(/[^ -~]/gu, '?');
    if (fault('digits-are-number') && /^\d+$/.test(id) && name !== 'tool_call') id = String(Number(id));
    if (fault('results-one-name') && name === 'session_action') name = 'browser_action';
    const timestamp = fault('seconds-as-time') ? Math.floor(at / 1000) : Math.max(at, last + 1);
    task.events.push({ id, name, payload, timestamp });
  }

  private nextCallId(task: SteadyTask): string {
    let id: string;
    do id = String(++this.calls).padStart(6, '0');
    while (task.seen.has(id));
    return id;
  }

  private call(task: SteadyTask, run: SteadyRun, tool: SteadyTool, at: number, attempt: number): void {
    let input: Json;
    try {
      input = sampleFitting(tool.inputs, {
        hint: 'value',
        requiredOnly: this.choices.varies('required-only'),
      });
    } catch (error) {
      run.notes.push(`${tool.name} was not called: ${(error as Error).message}`);
      return;
    }
    if (!isObject(input)) {
      run.notes.push(`${tool.name} was not called: its inputs are no object`);
      return;
    }
    const { fault } = this.choices;
    const repeated = attempt > 1 && fault('call-id-repeated') ? task.calls.at(-1)?.id : undefined;
    const call = { id: repeated ?? this.nextCallId(task), tool, input, at, attempt, over: false };
    task.calls.push(call);
    run.open.push(call);
    task.credits += 1;
    const name = fault('tool-name-lower-cased') ? tool.name.toLowerCase() : tool.name;
    const payload = { name, input: fault('input-as-text') ? JSON.stringify(input) : input };
    this.emit(task, { id: call.id, name: 'tool_call', payload }, payload, at);
  }

  private advanceRun(task: SteadyTask, run: SteadyRun, now: number): SteadyRun['ended'] {
    const patience = this.choices.varies('impatient') ? 20_000 : 120_000;
    while (run.ended === undefined) {
      if (run.open.length > 0) {
        const answered = run.open.find(({ reply, at }) => reply !== undefined || now >= at + patience);
        if (answered === undefined) return undefined;
        this.hear(run, answered, answered.at + patience);
      } else if (now < run.wakeAt) return undefined;
      else if (run.plan.length > 0) {
        const count = this.choices.varies('tools-at-once') ? run.plan.length : 1;
        for (const { tool, attempt } of run.plan.splice(0, count))
          this.call(task, run, tool, run.wakeAt, attempt);
        if (run.open.length === 0) run.wakeAt += this.pace(100);
      } else run.ended = this.conclude(task, run, run.wakeAt + this.pace(0));
    }
    return run.ended;
  }

  /** Takes a reply, or the lack of one, into account. */
  private hear(run: SteadyRun, call: SteadyCall, patientUntil: number): void {
    run.open.splice(run.open.indexOf(call), 1);
    call.over = true;
    const { reply } = call;
    const at = reply?.at ?? patientUntil;
    run.wakeAt = Math.max(run.wakeAt, at + this.pace(350));
    if (reply === undefined && this.choices.varies('impatient')) {
      run.ended = { good: false, output: null, at };
    } else if (reply === undefined) {
      run.notes.push(`${call.tool.name} did not answer`);
    } else if (reply.code === 200) {
      run.notes.push(`${call.tool.name} answered ${JSON.stringify(reply.output)}`);
    } else if (this.choices.varies('gives-up')) {
      run.ended = { good: false, output: null, at };
    } else {
      run.errorOutput = reply.output;
      if (call.attempt === 1) run.plan.unshift({ tool: call.tool, attempt: 2 });
      else run.notes.push(`${call.tool.name} failed twice`);
    }
  }

  private conclude(task: SteadyTask, run: SteadyRun, at: number): NonNullable<SteadyRun['ended']> {
    const { fault } = this.choices;
    const impossible = /\bimpossible\b/i.test(run.text);
    if (impossible || (run.text === '' && this.choices.varies('empty-task-fails')))
      return { good: false, output: null, at };
    const report = [`Finished: ${run.text}`, ...run.notes].join('; ');
    if (run.model === null) return { good: true, output: report, at };
    if (fault('tools-and-model-give-text') && task.tools.length > 0)
      return { good: true, output: report, at };
    if (fault('error-reply-is-output') && run.errorOutput !== undefined)
      return { good: true, output: run.errorOutput, at };
    const made = this.make(run.model, 'Finished');
    return { good: made !== undefined, output: made ?? null, at };
  }

  /** A value that fits the schema, or undefined if none could be made up. */
  private make(schema: Json, hint: string): Json | undefined {
    try {
      const made = sampleFitting(schema, { hint, requiredOnly: this.choices.varies('required-only') });
      if (!this.choices.fault('nested-model-flat') || !isObject(made)) return made;
      const flat = (value: Json) => (isObject(value) ? JSON.stringify(value) : value);
      return Object.fromEntries(Object.entries(made).map(([key, value]) => [key, flat(value)]));
    } catch (error) {
      if (error instanceof CannotFit || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Finishes the action that is due first, if any is. */
  private finishOne(task: SteadyTask, now: number): boolean {
    const parallel = this.choices.varies('parallel-actions');
    const isClose = ({ name, payload }: SteadyAction) =>
      name === 'session_action' && payload.name === 'close';
    const active = parallel
      ? task.queue.filter((one, at) => at === 0 || !isClose(one))
      : task.queue.slice(0, 1);
    let first: { action: SteadyAction; due: number } | undefined;
    for (const action of active) {
      const due = this.dueTime(task, action, parallel ? action.at : Math.max(action.at, task.freeAt), now);
      if (due !== undefined && due <= now && due < (first?.due ?? Infinity)) first = { action, due };
    }
    if (first === undefined) return false;
    const { action, due } = first;
    task.queue.splice(task.queue.indexOf(action), 1);
    task.freeAt = due;
    const closes = isClose(action);
    if (!closes || !this.choices.fault('close-without-result')) {
      this.emit(task, action, this.perform(task, action), due);
      const behindCall = task.events.some(
        ({ name, timestamp }) => name === 'tool_call' && timestamp >= action.at,
      );
      if (this.choices.fault('dated-at-sending') && behindCall) task.events.at(-1)!.timestamp = action.at;
    }
    if (closes) {
      const output = task.model === null ? null : this.make(task.model, 'Closed');
      const status = output === undefined ? 'failed' : 'done';
      this.end(task, this.choices.varies('closed-is-cancelled') ? 'cancelled' : status, output ?? null);
    }
    return task.status === 'running';
  }

  private dueTime(task: SteadyTask, action: SteadyAction, start: number, now: number): number | undefined {
    const { payload } = action;
    const input = isObject(payload.input) ? payload.input : {};
    if (
      payload.name === 'run_task' &&
      action.name === 'session_action' &&
      this.refuse(action) === undefined
    ) {
      action.run ??= this.startRun(task, String(input.task), input.response_model ?? null, start);
      return this.advanceRun(task, action.run, now)?.at;
    }
    const known = Object.hasOwn(ACTIONS, String(payload.name)) ? ACTIONS[String(payload.name)] : undefined;
    return start + this.pace(known?.delay ?? 40);
  }

  /** Why an action is a bad request, if it is. */
  private refuse({ name, payload }: SteadyAction): string | undefined {
    const action = String(payload.name);
    if (!Object.hasOwn(ACTIONS, action)) return `There is no action ${action}`;
    if (ACTIONS[action]!.event !== name) return `${action} is no ${name}`;
    if (action === 'close') return undefined;
    const input = payload.input;
    if (!isObject(input)) return `${action} needs an input`;
    if (action === 'goto') return isAddress(input.url) ? undefined : 'url is no address';
    if (action === 'extract') {
      if (!isObject(input.schema)) return 'schema is no JSON Schema object';
      return typeof (input.prompt ?? '') === 'string' ? undefined : 'prompt is no text';
    }
    if (action === 'evaluate_js') return typeof input.js === 'string' ? undefined : 'js is no text';
    if (typeof input.task !== 'string') return 'task is no text';
    const steps = input.max_steps ?? 1;
    return Number.isInteger(steps) && Number(steps) > 0 ? undefined : 'max_steps is no positive integer';
  }

  private perform(task: SteadyTask, action: SteadyAction): JsonObject {
    const refusal = this.refuse(action);
    if (refusal !== undefined) return { code: 400, output: refusal };
    const input = isObject(action.payload.input) ? action.payload.input : {};
    if (action.payload.name === 'goto') return this.goTo(task, String(input.url));
    if (action.payload.name === 'extract') {
      const made = this.make(input.schema ?? {}, titleOf(task.url));
      if (made === undefined) return { code: 500, output: 'Nothing on the page fits the schema' };
      return { code: 200, output: made };
    }
    if (action.payload.name === 'evaluate_js')
      return this.runScript(task, String(input.js), input.args ?? null);
    const ended = action.run?.ended;
    if (ended === undefined) return { code: 200, output: null };
    return ended.good
      ? { code: 200, output: ended.output }
      : { code: 500, output: 'The agent did not succeed' };
  }

  private goTo(task: SteadyTask, url: string): JsonObject {
    if (new URL(url).hostname.endsWith('.invalid')) return { code: 500, output: `${url} cannot be reached` };
    if (!task.moved || !this.choices.fault('goto-does-not-move')) task.url = new URL(url).href;
    task.moved = true;
    const tells = this.choices.varies('goto-tells-page');
    return { code: 200, output: tells ? { url: task.url, title: titleOf(task.url) } : null };
  }

  private runScript(task: SteadyTask, script: string, args: Json): JsonObject {
    const location = { href: task.url, hostname: titleOf(task.url) };
    const document = { title: titleOf(task.url), URL: task.url, location };
    try {
      return { code: 200, output: this.bend(evaluate(script, { document, location, args })) };
    } catch (error) {
      const thrown = error instanceof Thrown && this.choices.varies('throw-is-400');
      return { code: thrown ? 400 : 500, output: (error as Error).message || 'Error' };
    }
  }

  private bend(value: Json): Json {
    const { fault } = this.choices;
    if (fault('falsy-is-null') && !value) return null;
    if (fault('empty-list-is-object') && Array.isArray(value) && value.length === 0) return {};
    if (typeof value !== 'string') return value;
    if (fault('long-text-cut')) return value.slice(0, 256);
    if (fault('result-digits-are-number') && /^\d+$/.test(value)) return Number(value);
    return value;
  }
}

export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && parseUrl(value) !== undefined;
const titleOf = (url: string) => parseUrl(url)?.hostname || url;
