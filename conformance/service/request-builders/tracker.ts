import type { OperationId } from '../../../spec/generated/operations.js';
import type { Probing } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import { inSomeForm } from './forms.js';

/** What a probe makes on the target, and takes away again when it is over rather than at the end of the run. */
export class Kit {
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor(readonly probing: Probing) {}

  send(operation: OperationId, sending?: Sending): Promise<Answer> {
    return this.probing.send(operation, sending);
  }

  /** Sends what has to succeed for the probe to go on. */
  async need(operation: OperationId, sending: Sending | (() => Sending), why: string): Promise<Answer> {
    const next = typeof sending === 'function' ? sending : () => sending;
    const answer = await inSomeForm(this, operation, () => this.send(operation, next()));
    if (answer.ok) return answer;
    if (answer.status === 403)
      this.probing.skip(`${why}: the plan does not allow it, ${operation} was answered with ${said(answer)}`);
    return this.probing.inconclusive(`${why}: ${operation} was answered with ${said(answer)}`);
  }

  /** What was looked for in an answer, or the end of the probe. */
  had<T>(found: T | undefined, what: string, answer: Answer): T {
    return found ?? this.probing.inconclusive(`no ${what} was found in the answer ${said(answer)}`);
  }

  /**
   * Undone when the probe is over, or at the end of the run if it is interrupted: once, also when it is done before. What
   * did not come to its end may be tried again.
   */
  later(what: string, undo: () => Promise<unknown>): () => Promise<void> {
    let done: Promise<void> | undefined;
    const once = () => {
      // Kept until the end of the run: without the answer, which may be long.
      done ??= undo().then(
        () => {},
        (error: unknown) => {
          done = undefined;
          throw error;
        },
      );
      return done;
    };
    this.#undo.push(once);
    this.probing.cleanup(what, once);
    return once;
  }

  /** Undoes everything, last first, so many at a time. What fails is tried again, and told, at the end of the run. */
  async tidy(atOnce = 1): Promise<void> {
    const next = this.#undo.reverse().values();
    const worker = async () => {
      for (const undo of next) await undo().catch(() => {});
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
}

/** Runs a part of a probe and takes away what it made, however it ends: so many at a time where nothing hangs on another. */
export async function withKit(probing: Probing, run: (kit: Kit) => Promise<void>, atOnce = 1): Promise<void> {
  const kit = new Kit(probing);
  try {
    await run(kit);
  } finally {
    await kit.tidy(atOnce);
  }
}

/** An answer in a line. */
export function said({ status, text }: Answer): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `${status} ${line.length > 160 ? `${line.slice(0, 157)}...` : line}`.trim();
}
