import { field, fingerprint, show } from '../../conversation/json.js';
import { advice, failure, type RunFinding } from './finding.js';
import { requestAsTold } from './request.js';
import { stoppedAsTold } from './stops.js';
import type { Story } from './story.js';
import type { Troubles } from './troubles.js';

/** What the client was told to do, held against what it sent. */
export function doneAsTold(story: Story, troubles: Troubles): RunFinding[] {
  return [
    ...created(story, troubles),
    ...requestAsTold(story),
    ...twice(story),
    ...unsent(story, troubles),
    ...stoppedAsTold(story, troubles),
  ];
}

/** One job is one task. */
function created({ creates, seen }: Story, { reasons }: Troubles): RunFinding[] {
  const [first] = creates;
  if (!first) {
    if (!seen.some(({ operation }) => operation !== undefined)) return [];
    const message =
      'The client never sent POST /task. The job\'s "request" is the body to start the task with.';
    return [
      failure({
        rule: 'run/requests',
        requirement: 'CLIENT-13',
        message,
        evidence: seen.slice(0, 3).map(({ seq }) => seq),
      }),
    ];
  }
  const found: RunFinding[] = [];
  const made = creates.filter(({ record }) => record !== undefined);
  const isClear = creates.every((each) => each.record !== undefined) || reasons.length === 0;
  if (made.length > 1 && isClear) {
    const message = `The job asks for one task, and the client made ${made.length} although none failed. Wait for the answer to the first, exchange ${made[0]!.seq}, before you try again.`;
    found.push(
      failure({
        rule: 'create/once',
        requirement: 'CLIENT-13',
        message,
        evidence: made.map(({ seq }) => seq),
      }),
    );
  }
  return found;
}

/** An action that was sent again under another id while the first may have been taken. */
function twice(story: Story): RunFinding[] {
  if (!hasTwoAlike(story)) return [];
  const told = new Map<string, number>();
  for (const { payload } of story.run.job.actions) {
    const print = printOf(payload);
    told.set(print, (told.get(print) ?? 0) + 1);
  }
  const sent = new Map<string, { about: string; seq: number; isConfirmed: boolean }[]>();
  for (const { sent: tries, name, about } of story.actions.values()) {
    if (name === 'close') continue;
    const seq = tries.find((each) => mayBeTaken(story, each));
    if (seq === undefined) continue;
    const print = printOf(story.at(seq)?.sent?.payload);
    const isConfirmed = tries.some((each) => story.at(each)?.ok);
    sent.set(print, [...(sent.get(print) ?? []), { about, seq, isConfirmed }]);
  }
  return [...sent].flatMap(([print, all]) => {
    const most = told.get(print) ?? 0;
    if (most === 0 || all.length <= most) return [];
    const again = all.at(-1)!;
    const lost = all.slice(0, -1).filter(({ isConfirmed }) => !isConfirmed);
    const isExcused = all.length - most <= lost.length;
    const before = (isExcused ? lost[0] : all.find(({ isConfirmed }) => isConfirmed)) ?? all[0]!;
    const why = before.isConfirmed ? 'was confirmed' : 'may have been taken, though no good answer came';
    const message = `An action was sent in exchange ${before.seq}, which ${why}, and again in exchange ${again.seq} under another id: it is performed twice. Send the same event again, with the same id.`;
    const said = { rule: 'actions/once', message, evidence: [before.seq, again.seq], about: before.about };
    // The job asks for the action once. What to do after a lost response, the API leaves open.
    return isExcused
      ? advice({ ...said, requirement: 'CLIENT-12' })
      : failure({ ...said, requirement: 'CLIENT-13' });
  });
}

/** Only those of one name can be the same. */
function hasTwoAlike({ actions }: Story): boolean {
  const names = new Set<string>();
  for (const { name } of actions.values()) names.add(name);
  return names.size < actions.size;
}

function mayBeTaken(story: Story, seq: number): boolean {
  const seen = story.at(seq);
  const { response } = seen?.exchange ?? {};
  return !response || response.status < 300 || response.status >= 500;
}

function printOf(payload: unknown): string {
  const input = field(payload, 'input');
  // Clients that send all fields there are give null for those that are not set.
  const set = Object.entries((input as object | null | undefined) ?? {}).filter(
    ([, value]) => value !== null,
  );
  return fingerprint([field(payload, 'name'), Object.fromEntries(set)]);
}

function unsent(story: Story, { bad_end }: Troubles): RunFinding[] {
  const { run, actions, gaveUp, end } = story;
  if (run.end !== 'by-itself' || gaveUp !== undefined || (bad_end && story.stopped === undefined)) return [];
  if (end && story.stopped === undefined) return [];
  const names = [...actions.values()].map(({ name }) => name);
  if ([...actions.values()].some(({ result }) => result !== undefined && result.code !== 200)) return [];
  if (run.job.cancel_after_ms !== null) return [];
  for (const { payload } of run.job.actions) {
    const at = names.indexOf(String(payload.name));
    if (at === -1) {
      const message = `The job tells the client to send ${show(payload.name)}, and it never did. Send the actions in their order, each once the result of the one before has come.`;
      return [
        failure({
          rule: 'actions/as-told',
          requirement: 'CLIENT-13',
          message,
          evidence: story.stopped === undefined ? [] : [story.stopped],
        }),
      ];
    }
    names.splice(at, 1);
  }
  return [];
}
