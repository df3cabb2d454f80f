import type { Example } from './example.js';
import { type Answered, START_MS, Talk, type TaskAnswer } from './talk.js';

export const LIVE = 'https://live.example/t1';
export const TOOL = {
  name: 'get_weather',
  description: 'Weather of a city',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'The temperature',
};
export const REFUSED: Answered = { status: 422, body: { detail: 'no' } };
export const MISSING: Answered = { status: 404, body: { detail: 'It is not there.' } };

export const at = (n: number) => START_MS + n;

/** A conversation with a service that does everything right unless it is told otherwise. */
export class ServiceTalk extends Talk {
  /** The result of the close, which comes with the end. */
  #closing: unknown[] = [];

  override create(request: Record<string, unknown> = { task: 'Do it' }, answer: TaskAnswer = {}): this {
    const r = { id: 't1', status: 'running', live_url: LIVE, ...answer };
    return this.ask({ method: 'POST', path: '/task', body: request }, { body: { r } });
  }

  session(answer: TaskAnswer = {}): this {
    return this.create({ task: null }, answer);
  }

  /** A task that may call `TOOL`. */
  withTool(more: Record<string, unknown> = {}): this {
    return this.create({ task: 'Do it', custom_tools: [TOOL], ...more });
  }

  override poll(eventT: number | string | undefined, answer: TaskAnswer = {}, query = ''): this {
    return super.poll(eventT, { live_url: LIVE, ...answer }, query);
  }

  override end(eventT: number | string | undefined, answer: TaskAnswer = {}): this {
    return super.end(eventT, { credits_used: 3, events: this.#closing, ...answer });
  }

  /** An event with all it takes. */
  send(id: unknown, name: string, payload: unknown, answer?: Answered): this {
    return this.event({ id, name, payload, timestamp: this.now }, answer);
  }

  close(answer?: Answered): this {
    const name = 'session_action';
    const payload = { code: 200, output: true };
    if (answer === undefined)
      this.#closing = [{ id: 'close', name, payload, timestamp: Math.max(this.now + 100, at(3000)) }];
    return this.send('close', name, { name: 'close' }, answer);
  }

  answer(id: string, code: unknown = 200, answer?: Answered): this {
    return this.send(id, 'tool_call', { code, output: code === 200 ? 21 : 'it broke' }, answer);
  }

  stop(answer: Answered = { body: { r: true } }): this {
    return this.ask({ method: 'DELETE', path: '/task/t1' }, answer);
  }

  get(path: string, answer: Answered, headers?: Record<string, string>): this {
    return this.ask(headers ? { path, headers } : { path }, answer);
  }
}

export const talk = () => new ServiceTalk();

/** A call of `TOOL`, `n` ms after the start. */
export function called(
  id: string,
  n: number,
  payload: unknown = { name: 'get_weather', input: { city: 'Rome' } },
) {
  return { id, name: 'tool_call', payload, timestamp: at(n) };
}

/** The result of an action, `n` ms after the start. */
export function result(
  id: string,
  n: number,
  payload: unknown = { code: 200, output: null },
  name = 'browser_action',
) {
  return { id, name, payload, timestamp: at(n) };
}

type Bad = Example['bad'];

/** One mistake: the words that name it and the exchanges that show it. */
export function bad(talked: Talk, says: RegExp, ...evidence: number[]): Bad[string] {
  return { talk: talked, says, evidence };
}
