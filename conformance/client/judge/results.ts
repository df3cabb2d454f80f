import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import { failure, type RunFinding } from './finding.js';
import { isOutputOf } from './same.js';
import type { ActionStory, Story } from './story.js';
import type { Troubles } from './troubles.js';

type Entry = { name: string; code: unknown; output: unknown };

/** The results of the line, held against those that the client read. */
export function results(story: Story, troubles: Troubles): RunFinding[] {
  const { line } = story;
  const told = Array.isArray(line?.results) ? line.results : story.gaveUp === undefined ? undefined : [];
  if (told === undefined) return [];
  const entries: Entry[] = told.map((each) => ({
    name: String(field(each, 'name') ?? ''),
    code: field(each, 'code'),
    output: field(each, 'output') ?? null,
  }));
  const open = [...story.actions.values()];
  const strays = entries.filter((entry) => {
    const at = open.findIndex((action) => fits(entry, action));
    if (at !== -1) open.splice(at, 1);
    return at === -1;
  });
  return [...missing(open, strays, story, troubles), ...strays.flatMap((entry) => stray(entry, story))];
}

function fits({ name, code, output }: Entry, { name: sent, result }: ActionStory): boolean {
  if (name !== sent) return false;
  // Nothing came: what is told of it must not sound like a success.
  if (!result) return code !== 200;
  // A library may turn a code that the API does not know into an error without a number.
  if (RESULT_CODES.every((known) => known !== result.code) && code !== 200) return true;
  return code === result.code && isOutputOf(output, result.output);
}

function missing(open: ActionStory[], strays: Entry[], story: Story, troubles: Troubles): RunFinding[] {
  return open.flatMap((action) => {
    const { name, result, about } = action;
    if (name === 'close' || !result || !isOwed(action, story)) return [];
    // Told wrongly is told: it is among the strays.
    if (strays.some((entry) => entry.name === name)) return [];
    // Who gives up at a request waits for nothing more; but a result that is there wins over the end that came with it.
    if (story.gaveUp !== undefined && (troubles.on_the_way || !result.withEnd)) return [];
    const withEnd = result.withEnd
      ? ' It came together with the end of the task: read the events of an answer before its status.'
      : '';
    const message = `The result of ${name} was delivered in exchange ${result.seq} with the code ${show(result.code)}, and the line does not have it.${withEnd}`;
    return [
      failure({
        rule: 'line/results',
        requirement: result.withEnd ? 'CLIENT-05' : 'CLIENT-10',
        message,
        evidence: [result.seq],
        about,
      }),
    ];
  });
}

/** What comes once the client has stopped the session, or in an answer that was overtaken by the end, may be let go. */
function isOwed({ result }: ActionStory, story: Story): boolean {
  const answer = result && story.at(result.seq);
  if (!answer) return false;
  const end = story.end && story.at(story.end.seq);
  if (end && answer.seq !== end.seq && answer.answeredAt >= end.answeredAt) return false;
  const stop = story.stopped === undefined ? undefined : story.at(story.stopped);
  return stop === undefined || answer.answeredAt <= stop.at;
}

function stray({ name, code, output }: Entry, story: Story): RunFinding[] {
  const same = [...story.actions.values()].filter((action) => action.name === name);
  const told = `The line has a result of ${show(name)} with the code ${show(code)} and the output ${show(output)}`;
  const said = (
    requirement: 'CLIENT-07' | 'CLIENT-10' | 'POLL-06',
    rest: string,
    action?: ActionStory,
  ): RunFinding[] => [
    failure({
      rule: 'line/results',
      requirement,
      message: `${told}${rest}`,
      evidence: action?.result ? [action.result.seq] : [],
      about: action?.about ?? name,
    }),
  ];
  const [first] = same;
  if (!first)
    return said(
      'CLIENT-10',
      ', and the client sent no such action. Report what came, each under the name of its action.',
    );
  if (same.some((action) => fits({ name, code, output }, action)))
    return said(
      'POLL-06',
      ' once more than it came: a result that is listed again is dealt with once, by its id.',
      first,
    );
  const other = [...story.actions.values()].find(
    ({ name: its, result }) => its !== name && result?.code === code && isOutputOf(output, result?.output),
  );
  if (other)
    return said(
      'CLIENT-07',
      `, which is the result of ${other.name} (exchange ${other.result?.seq}). Results are matched to actions by their id, whatever their order.`,
      other,
    );
  const came = same.find(({ result }) => result);
  if (!came?.result) return said('CLIENT-10', ', and no result of it ever reached the client.', first);
  return said(
    'CLIENT-10',
    `, and exchange ${came.result.seq} brought the code ${show(came.result.code)} and the output ${show(came.result.output)}.`,
    came,
  );
}
