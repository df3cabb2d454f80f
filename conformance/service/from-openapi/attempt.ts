import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import type { Probe } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import { inSomeForm } from '../request-builders/forms.js';
import { samplers } from '../request-builders/index.js';
import { type Kit, said } from '../request-builders/tracker.js';

/** Sends a valid request, or one that differs from it by `change`. What a success makes is taken away again. */
export async function attempt(
  kit: Kit,
  id: OperationId,
  base: Sending,
  change: Partial<Sending> = {},
): Promise<Answer> {
  const answer = await kit.send(id, { ...base, ...change });
  // What a request that should have been refused has made is found by the valid one.
  if (answer.ok) samplers[id].undo?.(kit, answer, base);
  return answer;
}

/** Sends a valid request, in another form where its form is open and the first is not taken. */
export async function valid(
  kit: Kit,
  id: OperationId,
  next: () => Sending,
): Promise<{ sending: Sending; answer: Answer }> {
  let sending: Sending = {};
  const answer = await inSomeForm(kit, id, () => {
    sending = next();
    return attempt(kit, id, sending);
  });
  return { sending, answer };
}

/** A valid request that was seen to succeed, and the making of more of them. */
export interface Twin {
  first: Answer;
  next(): Sending;
}

/**
 * Shows that a request succeeds before anything about it is changed. Ends the probe where it does not, once `onRefused`
 * has seen the answer.
 */
export async function twin(
  kit: Kit,
  id: OperationId,
  onRefused: (answer: Answer) => void = () => {},
): Promise<Twin> {
  const sampler = samplers[id];
  const next = await sampler.make(kit);
  const { answer: first } = await valid(kit, id, next);
  if (!first.ok) onRefused(first);
  if (!first.ok) notServed(kit, id, first);
  return { first, next: sampler.consumes ? await sampler.make(kit) : next };
}

/** Ends the probe: what a valid request led to is judged by the operation's own probe, `resources/...-answer`. */
export function notServed(kit: Kit, id: OperationId, answer: Answer): never {
  const what = `a request as it should be was answered with ${said(answer)}`;
  if (answer.status === 403) return kit.probing.skip(`${id}: ${what}`);
  return kit.probing.inconclusive(`${id}: ${what}`);
}

/** The parts of a probe that its sampler knows, if it sends so many requests that may succeed. */
export function costs(
  id: OperationId,
  successes: number,
): Pick<Probe, 'operations' | 'tasks' | 'allow'> & { operations: OperationId[] } {
  const { uses = [], tasks = 0, tasksEach = 0, consumes, allow } = samplers[id];
  const most = tasks * (consumes && successes > 1 ? 2 : 1) + tasksEach * successes;
  return {
    operations: [...new Set([id, ...uses])],
    ...(most > 0 ? { tasks: most } : {}),
    ...(allow === undefined ? {} : { allow }),
  };
}

/** `GET /task/{task_id}`. */
export function nameOf(id: OperationId): string {
  const { method, path } = operations[id];
  return `${method} ${path}`;
}

export const everyOperation: readonly Operation[] = Object.values(operations);

/** A request without one of its parameters, or with another value for it. */
export function withParameter(
  sending: Sending,
  { name, in: where }: { name: string; in: 'path' | 'query' | 'header' },
  value: string | number | undefined,
): Partial<Sending> {
  const part = where === 'header' ? 'headers' : where;
  const { [name]: _, ...others } = (sending[part] ?? {}) as Record<string, string>;
  return { [part]: value === undefined ? others : { ...others, [name]: value } };
}
