import type { Scenario, Step } from '../../../scenarios/format/types.js';

/**
 * Why a client that does as its job says, one action at a time and the close last, cannot play this scenario; undefined
 * when it can.
 */
export function playable({ timeline }: Scenario): string | undefined {
  const resultAt = resultsOf(timeline);
  const sent: { id: string; at: number; name: string }[] = [];
  let closed = false;
  for (const [at, step] of timeline.entries()) {
    const act = actOf(step);
    if (!act) continue;
    if (closed)
      return `its timeline has the client go on with ${act.name} after the close, and a job ends with the close`;
    const waits = sent.find(({ id }) => (resultAt.get(id) ?? -1) > at);
    if (waits) {
      return `its timeline has the client send ${act.name} while ${waits.name} is under way, and a job asks for one action at a time`;
    }
    sent.push({ id: act.id, at, name: act.name });
    closed = act.name === 'close';
  }
  return undefined;
}

/** Where the result of each action stands that comes in its turn. One that comes alongside holds nobody up. */
function resultsOf(timeline: readonly Step[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [at, step] of timeline.entries()) {
    if ('service' in step && step.service === 'result' && !step.meanwhile && !found.has(step.to))
      found.set(step.to, at);
  }
  return found;
}

function actOf(step: Step): { id: string; name: string } | undefined {
  if (!('client' in step)) return undefined;
  if (step.client === 'action') return { id: step.id ?? step.name, name: step.name };
  if (step.client === 'close') return { id: step.id ?? 'close', name: 'close' };
  return undefined;
}
