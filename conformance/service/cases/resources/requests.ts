/** How requests about resources are made and weighed where the description leaves a part of them open. */
import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import type { Answer, Sending } from '../../http-client/response.js';
import { said } from '../../scenarios/player-read.js';
import type { Probing } from '../test-case.js';

/**
 * Ends the probe unless a request that the description gives in full was carried out. 403 stands for a feature that is not
 * on the plan, so that it is skipped.
 */
export function mustSucceed(t: Probing, requirement: RequirementId, answer: Answer, what: string): void {
  if (!answer.ok) leaveOut(t, answer, what);
  mustFollow(t, requirement, answer, what);
}

/** The same for what is done to something that was made before: the plan includes it then. */
export function mustFollow(t: Probing, requirement: RequirementId, answer: Answer, what: string): void {
  if (answer.ok) return;
  if (answer.status === 429) leaveOut(t, answer, what);
  t.broke(requirement, `${what}: expected it to be carried out, got ${said(answer)}`, answer);
  t.inconclusive(`${what} was answered with ${said(answer)}`);
}

/**
 * The same for a request whose body the description does not show: that it is found wanting proves nothing. That the
 * operation is not there, refuses the key or fails by itself does.
 */
export function shouldSucceed(t: Probing, requirement: RequirementId, answer: Answer, what: string): void {
  if (answer.ok) return;
  leaveOut(t, answer, what);
  if (![400, 402, 406, 409, 412, 413, 422, 501, 503].includes(answer.status)) {
    t.broke(
      requirement,
      `${what}: expected a success or, as its body is not described, a complaint about the body; got ${said(answer)}`,
      answer,
    );
  }
  t.inconclusive(`${what}: none of the bodies tried was taken, the last was answered with ${said(answer)}`);
}

function leaveOut(t: Probing, answer: Answer, what: string): void {
  if (answer.status === 403) t.skip(`${what} is refused with 403: not available on this plan`);
  if (answer.status === 429) t.inconclusive(`${what} is refused with 429 however long one waits`);
}

/** The first request that is carried out, else the last one that was refused. Another one is tried only after a complaint about input. */
export async function firstTaken(tries: readonly (() => Promise<Answer>)[]): Promise<Answer> {
  let last: Answer | undefined;
  for (const attempt of tries) {
    last = await attempt();
    if (![400, 415, 422].includes(last.status)) return last;
  }
  return last!;
}

/** One operation with each of these bodies until one is taken. */
export function withBodies(
  t: Probing,
  operation: OperationId,
  sending: Sending,
  bodies: readonly unknown[],
): Promise<Answer> {
  return firstTaken(bodies.map((body) => () => t.send(operation, { ...sending, body })));
}

/** How often something that takes effect late is looked at. */
const LOOKS = 4;

/** Asks again for a while until `holds`; the last answer. What was changed need not show at once. */
export async function eventually(
  t: Probing,
  ask: () => Promise<Answer>,
  holds: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let look = 1; ; look++) {
    const answer = await ask();
    if (look === LOOKS || holds(answer)) return answer;
    await t.sleep(t.settings.poll_interval_ms * 2 ** (look - 1));
  }
}

/** Removes something at the end of the run, unless it turned out to be removed by then: call what this gives back. */
export function removeLater(t: Probing, what: string, operation: OperationId, sending: Sending): () => void {
  let isThere = true;
  t.cleanup(what, async () => {
    if (!isThere) return;
    const answer = await t.send(operation, sending);
    if (!answer.ok && ![400, 404, 410].includes(answer.status)) throw new Error(said(answer));
  });
  return () => {
    isThere = false;
  };
}

/**
 * Whether what was removed is told apart from what is there: asked for again it is answered like something that never
 * was. Undefined where the target answers a removal of anything in the same way.
 */
export function isGone(never: Answer, first: Answer, again: Answer): boolean | undefined {
  const taken = (answer: Answer) => answer.ok && answer.r !== false;
  if (taken(never) || !taken(first)) return undefined;
  return !taken(again);
}

/** Both twice: a name for the answer to a removal that should have been one. */
export function stillThere(what: string, never: Answer, again: Answer): string {
  return `${what}: expected a second removal to be answered like that of something that never was (${said(never)}), got ${said(again)}`;
}
