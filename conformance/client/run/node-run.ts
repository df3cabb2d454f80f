import { MANUAL_START_MS } from '../../../mock/engine/clock.js';
import { OrganisationTime } from '../../../mock/virtual-time/mock-service-time.js';
import { real } from '../../../mock/virtual-time/real.js';
import { openRemoteTime, type RemoteOutcome } from '../../../mock/virtual-time/remote.js';
import type { Client, ClientRun } from '../types.js';
import { type Over, onStage } from './command-run.js';
import { Stage } from './mock-session.js';
import type { RunPlan } from './settings.js';

/** Time that a command gets to end once the last of its processes on virtual time has, ms of real time. */
const ENDING_MS = 5000;

/** Runs a command that starts Node.js on virtual time: no wait costs anything, and the same run is the same again. */
export async function runNode(client: Extract<Client, { kind: 'node' }>, plan: RunPlan): Promise<ClientRun> {
  const stage = await Stage.open({ clock: 'manual', dialect: plan.dialect });
  return onStage(stage, client, plan, async (base_url) => {
    const service = new OrganisationTime(stage.mock, plan.key);
    const time = await openRemoteTime({
      service,
      patience: { deadlineMs: plan.patience_ms, stalledMs: plan.stalled_ms },
      startMs: MANUAL_START_MS,
      base_url,
      signal: plan.signal,
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (ms: number) =>
      new Promise((resolve) => {
        timer = real.setTimeout(resolve, ms);
      });
    return {
      env: time.env,
      over: time.done.then(async (outcome) => {
        if (outcome.ended === 'by-itself') await wait(ENDING_MS);
        return overBy(outcome);
      }),
      now: () => service.now(),
      close: async () => {
        real.clearTimeout(timer);
        await time.close();
      },
    };
  });
}

function overBy({ ended, why }: RemoteOutcome): Over {
  // Its processes have ended, and it has not.
  if (ended === 'by-itself') return { end: 'deadline' };
  return why === undefined ? { end: ended } : { end: ended, error: why };
}
