import { field } from '../../conversation/json.js';
import { advice, type RunFinding } from './finding.js';
import type { Story } from './story.js';
import type { Troubles } from './troubles.js';

/** Advice about the cursor becomes the cause of a failure where events were dealt with twice. */
const CAUSES = new Set(['polling/event-t-back', 'polling/event-t-still']);
const TWICE = new Set(['replies/once', 'line/tool-runs', 'line/results']);

/** The findings with what they are about, each said once, and with the weight that they have together. */
export function weighed(found: readonly RunFinding[], story: Story, troubles: Troubles): RunFinding[] {
  const handledTwice = found.some(
    ({ rule, requirement, level }) => TWICE.has(rule) && requirement === 'POLL-06' && level === 'must',
  );
  const seen = new Set<string>();
  const kept: RunFinding[] = [];
  for (const finding of found) {
    const about = finding.about ?? aboutOf(finding, story);
    const weighty: RunFinding = { ...finding };
    if (about !== undefined) weighty.about = about;
    if (handledTwice && CAUSES.has(finding.rule)) weighty.level = 'must';
    const key = `${finding.rule} ${about ?? ''}`;
    if (ONCE.has(finding.rule) && seen.has(key)) continue;
    seen.add(key);
    kept.push(weighty);
  }
  // A client that waited in vain for what it gave up itself did not give up the task, as it may.
  const waitedInVain = found.some(({ rule }) => rule === 'replies/given-up');
  const gaveUp = waitedInVain ? undefined : surrendered(story, troubles);
  return gaveUp ? [...kept, gaveUp] : kept;
}

/** Said by a rule and by a witness. */
const ONCE = new Set(['replies/each-call']);

/** The step that a finding of a rule is about, by the ids in its evidence and its message. */
function aboutOf({ evidence, message }: RunFinding, story: Story): string | undefined {
  const sent = evidence
    .map((seq) => field(story.at(seq)?.sent, 'id'))
    .filter((id): id is string => typeof id === 'string');
  for (const id of sent.reverse()) {
    const known = story.calls.get(id) ?? story.actions.get(id);
    if (known) return known.about;
  }
  for (const call of story.calls.values()) if (message.includes(JSON.stringify(call.id))) return call.about;
  return undefined;
}

function surrendered({ gaveUp, seen }: Story, { mendable, bad_end }: Troubles): RunFinding | undefined {
  if (gaveUp === undefined || mendable === undefined || bad_end) return undefined;
  const message = `The client gave up (${JSON.stringify(gaveUp)}), as it may: ${mendable}. One that tries again a bounded number of times gets further.`;
  return advice({
    rule: 'line/gave-up',
    requirement: 'CLIENT-11',
    message,
    evidence: seen.slice(-1).map(({ seq }) => seq),
  });
}
