import { isTerminal } from '../../../spec/vocabulary.js';
import { advice, failure, type RunFinding } from './finding.js';
import { waitBetween } from './ordered.js';
import { named, type Story } from './story.js';
import type { Troubles } from './troubles.js';

/** A client that waited so long for a result may give up and close the session, ms. */
const PATIENCE_MS = 2000;

/** How the client ended its task or session, held against the job. */
export function stoppedAsTold(story: Story, troubles: Troubles): RunFinding[] {
  return [
    ...uncancelled(story, troubles),
    ...unclosed(story, troubles),
    ...closedEarly(story, troubles),
    ...closedOtherwise(story),
  ];
}

/** The task was not ended, neither by the client nor by the service, and no request that failed made the client give up. */
function leftRunning({ run, stopped, end, gaveUp, task }: Story, { on_the_way }: Troubles): boolean {
  if (stopped !== undefined || end || task === undefined || run.end !== 'by-itself') return false;
  const status = run.tasks.find(({ id }) => id === task)?.status;
  if (status !== undefined && isTerminal(status)) return false;
  return !(gaveUp !== undefined && on_the_way);
}

function uncancelled(story: Story, troubles: Troubles): RunFinding[] {
  const { cancel_after_ms } = story.run.job;
  if (cancel_after_ms === null || !leftRunning(story, troubles)) return [];
  const message = `The job says "cancel_after_ms": ${cancel_after_ms}, and the client never stopped the task: it goes on running. Send DELETE /task/{task_id} that long after the task was made.`;
  return [
    failure({
      rule: 'cancel/as-told',
      requirement: 'CLIENT-13',
      message,
      evidence: story.seen.slice(-1).map(({ seq }) => seq),
    }),
  ];
}

function unclosed(story: Story, troubles: Troubles): RunFinding[] {
  if (story.run.job.close === null || !leftRunning(story, troubles)) return [];
  const failed = [...story.actions.values()].find(({ result }) => result && result.code !== 200);
  const after = failed ? ` after ${failed.name} failed in exchange ${failed.result?.seq}` : '';
  const message = `The session is left open: the client ended without a close${after}. Close a session at its end, whatever became of its actions, or it goes on costing credits.`;
  const evidence = failed?.result ? [failed.result.seq] : [];
  return [
    failure({
      rule: 'sessions/closed',
      requirement: 'SESSION-02',
      message,
      evidence: [...evidence, ...story.seen.slice(-1).map(({ seq }) => seq)],
    }),
  ];
}

/** The close comes once the last action has its result, unless the client gave up waiting for it and says so. */
function closedEarly(story: Story, { on_the_way }: Troubles): RunFinding[] {
  const { run, stopped, actions, gaveUp, end } = story;
  const stop = stopped === undefined ? undefined : story.at(stopped);
  const last = [...actions.values()].findLast(({ name }) => name !== 'close');
  const accepted = last?.sent.map((seq) => story.at(seq)).find((seen) => seen?.ok);
  if (!stop || !last || !accepted || accepted.seq > stop.seq || run.job.cancel_after_ms !== null) return [];
  const result = last.result && story.at(last.result.seq);
  if (result && result.answeredAt <= stop.at) return [];
  if (end && story.at(end.seq)!.answeredAt <= stop.at) return [];
  const waited_ms = waitBetween(run, accepted, stop);
  if (gaveUp !== undefined && (on_the_way || waited_ms >= PATIENCE_MS)) return [];
  const message = `${named(stop.exchange)} ends the session before the result of ${last.name} had come${result ? `, which exchange ${result.seq} brought` : ''}. Close a session once its last action has a result.`;
  return [
    failure({
      rule: 'sessions/closed-early',
      requirement: 'SESSION-02',
      message,
      evidence: [accepted.seq, stop.seq],
      about: last.about,
    }),
  ];
}

/** The job says how the session is to be closed. */
function closedOtherwise({ run, stopped, end, seen, actions, gaveUp }: Story): RunFinding[] {
  if (run.job.close !== 'event' || stopped === undefined || gaveUp !== undefined) return [];
  const byEvent = [...actions.values()].some(({ name }) => name === 'close');
  const isTidyingUp = end !== undefined && end.seq < stopped;
  if (byEvent || isTidyingUp || !seen.some((each) => each.is('deleteTask'))) return [];
  const message =
    'The job says "close": "event", and the session was stopped by DELETE. That is no graceful end: send a session_action named close, and wait for its result.';
  return [
    advice({ rule: 'sessions/closed-as-told', requirement: 'CLIENT-13', message, evidence: [stopped] }),
  ];
}
