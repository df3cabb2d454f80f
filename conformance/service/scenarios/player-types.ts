import type { TaskEvent } from '../../../spec/vocabulary.js';
import type { KeyName } from '../cases/test-case.js';
import type { Answer } from '../http-client/response.js';

/** A task or session that a probe has created, as far as its polls have shown it. */
export interface Played {
  readonly id: string;
  readonly key: KeyName;
  readonly created: Answer;
  /** The newest answer to a poll; the creation before the first. */
  last: Answer;
  /** Status as last seen. */
  status: string;
  /** All events that were read, in the order in which they came. */
  events: TaskEvent[];
  /** Largest timestamp read: the next `event_t`. */
  event_t: number;
}

/** Plays the client's side of tasks. */
export interface Player {
  /** POST /task. Ends the probe as inconclusive when there is no id in the answer (a rule says what is wrong with it). Cancelled at the end. */
  create(request: Readonly<Record<string, unknown>>, key?: KeyName): Promise<Played>;
  /** Takes charge of a task that was created in another way. Cancelled at the end. */
  adopt(created: Answer, id: string, key?: KeyName): Played;
  /** One poll with the event_t that is due (or the one given), its events taken up. */
  poll(task: Played, event_t?: number): Promise<Answer>;
  /**
   * Polls with back-off until `until` gives true; false when the time is up (`timeout_ms`) or the task is over before.
   */
  pollUntil(task: Played, until: (task: Played) => boolean, timeout_ms?: number): Promise<boolean>;
  /** Polls until the task is over; false when the time is up. */
  untilEnd(task: Played, timeout_ms?: number): Promise<boolean>;
  /** Waits for the next tool call that has not been given out yet; undefined when the task ends or the time is up first. */
  nextCall(task: Played): Promise<TaskEvent | undefined>;
  reply(task: Played, call: string, code: number, output: unknown): Promise<Answer>;
  /** Sends an action to a session and gives its id back. */
  act(task: Played, name: string, input?: Record<string, unknown>): Promise<{ id: string; answer: Answer }>;
  /** Waits for the result of an action. */
  result(task: Played, action: string): Promise<TaskEvent | undefined>;
  /** DELETE /task/{id}. */
  cancel(task: Played): Promise<Answer>;
  /** Cancels whatever is still active of what it made, so that a probe leaves nothing behind that counts against a limit. Never rejects. */
  end(): Promise<void>;
}
