import { failure, type RunFinding } from './finding.js';
import { waitBetween } from './ordered.js';
import { named, type Story } from './story.js';

/** A client may give up waiting for a result and go on after so long, ms. */
const PATIENCE_MS = 2000;

/** Each action of the job goes out once the result of the one before has come. */
export function inTurn(story: Story): RunFinding[] {
  const actions = [...story.actions.values()].filter(({ name }) => name !== 'close');
  for (const [index, action] of actions.entries()) {
    const before = actions[index - 1];
    if (!before) continue;
    const sent = story.at(action.sent[0]!);
    const accepted = before.sent.map((seq) => story.at(seq)).find((seen) => seen?.ok);
    if (!sent || !accepted) continue;
    const result = before.result && story.at(before.result.seq);
    const couldKnow = result !== undefined && result.answeredAt <= sent.at;
    const waited_ms = waitBetween(story.run, accepted, sent);
    if (couldKnow || waited_ms >= PATIENCE_MS) continue;
    const message = `${action.name} was sent by ${named(sent.exchange)} before the result of ${before.name} had come${result ? `, which exchange ${result.seq} brought` : ''}. The job's actions go one after the other, each once the result of the one before is there.`;
    return [
      failure({
        rule: 'actions/in-turn',
        requirement: 'CLIENT-13',
        message,
        evidence: [accepted.seq, sent.seq],
        about: action.about,
      }),
    ];
  }
  return [];
}
