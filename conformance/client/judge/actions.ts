import { field, fingerprint, show } from '../../conversation/json.js';
import { describeRequest, type ObservedRun, waitBetween } from './observed-run.js';
import { advice, failure, type RunFinding } from './run-rules.js';
import type { Troubles } from './troubles.js';

/** A client may give up waiting for a result and go on after so long, ms. */
export const PATIENCE_MS = 2000;

/** One job is one task. */
export function taskCreation({ creates, exchanges }: ObservedRun, { reasons }: Troubles): RunFinding[] {
  if (creates.length === 0) {
    const message =
      'The client never sent POST /task. The job\'s "request" is the body to start the task with.';
    return [
      failure(
        'run/requests',
        message,
        exchanges.slice(0, 3).map(({ seq }) => seq),
      ),
    ];
  }
  const created = creates.filter(({ record }) => record !== undefined);
  const isClear = created.length === creates.length || reasons.length === 0;
  if (created.length < 2 || !isClear) return [];
  const message = `The job asks for one task, and the client made ${created.length} although none failed. Wait for the response to the first, exchange ${created[0]!.seq}, before you try again.`;
  return [
    failure(
      'create/once',
      message,
      created.map(({ seq }) => seq),
    ),
  ];
}

/** Each action of the job is sent. */
export function unsentActions(observed: ObservedRun, { isBadEnd }: Troubles): RunFinding[] {
  const { run, actions, gaveUp, end, stopped } = observed;
  if (run.end !== 'by-itself' || gaveUp !== undefined || run.job.cancel_after_ms !== null) return [];
  if (stopped === undefined && (isBadEnd || end)) return [];
  const sent = [...actions.values()];
  if (sent.some(({ result }) => result !== undefined && result.code !== 200)) return [];
  const names = sent.map(({ name }) => name);
  for (const { payload } of run.job.actions) {
    const at = names.indexOf(String(payload.name));
    if (at === -1) {
      const message = `The job tells the client to send ${show(payload.name)}, and it never did. Send the actions in their order, each once the result of the one before has come.`;
      return [failure('actions/as-told', message, stopped === undefined ? [] : [stopped])];
    }
    names.splice(at, 1);
  }
  return [];
}

/** Each action of the job is sent once the result of the one before has come. */
export function actionOrder(observed: ObservedRun): RunFinding[] {
  const actions = [...observed.actions.values()].filter(({ name }) => name !== 'close');
  for (const [index, action] of actions.entries()) {
    const before = actions[index - 1];
    if (!before) continue;
    const sent = observed.at(action.sent[0]!);
    const accepted = before.sent.map((seq) => observed.at(seq)).find((each) => each?.ok);
    if (!sent || !accepted) continue;
    const result = before.result && observed.at(before.result.seq);
    if (result !== undefined && result.respondedAt <= sent.at) continue;
    if (waitBetween(observed.run, accepted, sent) >= PATIENCE_MS) continue;
    const message = `${action.name} was sent by ${describeRequest(sent.exchange)} before the result of ${before.name} had come${result ? `, which exchange ${result.seq} brought` : ''}. The job's actions go one after the other, each once the result of the one before is there.`;
    return [failure('actions/in-turn', message, [accepted.seq, sent.seq], action)];
  }
  return [];
}

/** An action that was sent again under another id while the first may have been taken. */
export function repeatedActions(observed: ObservedRun): RunFinding[] {
  const actions = [...observed.actions.values()];
  // Only those of one name can be the same.
  if (new Set(actions.map(({ name }) => name)).size === actions.length) return [];
  const asked = new Map<string, number>();
  for (const { payload } of observed.run.job.actions) {
    const print = printOf(payload);
    asked.set(print, (asked.get(print) ?? 0) + 1);
  }
  const sent = new Map<string, { about: string; seq: number; isConfirmed: boolean }[]>();
  for (const { sent: attempts, name, about } of actions) {
    const seq = attempts.find((each) => mayBeTaken(observed, each));
    if (name === 'close' || seq === undefined) continue;
    const print = printOf(observed.at(seq)?.sent?.payload);
    const isConfirmed = attempts.some((each) => observed.at(each)?.ok);
    sent.set(print, [...(sent.get(print) ?? []), { about, seq, isConfirmed }]);
  }
  return [...sent].flatMap(([print, all]) => {
    const most = asked.get(print) ?? 0;
    if (most === 0 || all.length <= most) return [];
    const again = all.at(-1)!;
    const lost = all.slice(0, -1).filter(({ isConfirmed }) => !isConfirmed);
    const isExcused = all.length - most <= lost.length;
    const before = (isExcused ? lost[0] : all.find(({ isConfirmed }) => isConfirmed)) ?? all[0]!;
    const why = before.isConfirmed ? 'was confirmed' : 'may have been taken, though no good response came';
    const message = `An action was sent in exchange ${before.seq}, which ${why}, and again in exchange ${again.seq} under another id: it is performed twice. Send the same event again, with the same id.`;
    const evidence = [before.seq, again.seq];
    const { about } = before;
    // The job asks for the action once. What to do after a lost response, the API leaves open.
    return isExcused
      ? advice('actions/once', message, evidence, { about, requirement: 'CLIENT-12' })
      : failure('actions/once', message, evidence, { about });
  });
}

function mayBeTaken(observed: ObservedRun, seq: number): boolean {
  const status = observed.at(seq)?.httpStatus ?? 0;
  return status < 300 || status >= 500;
}

function printOf(payload: unknown): string {
  const input = field(payload, 'input');
  // Clients that send all fields there are give null for those that are not set.
  const set = Object.entries((input as object | null | undefined) ?? {}).filter(
    ([, value]) => value !== null,
  );
  return fingerprint([field(payload, 'name'), Object.fromEntries(set)]);
}
