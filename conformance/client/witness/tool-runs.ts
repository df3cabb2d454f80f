import { field, show } from '../../rules/body.js';
import { failure, type RunFinding } from './finding.js';
import { same } from './same.js';
import type { CallStory, Story } from './story.js';

/** `seq`s that are given to show a double run. */
const MOST_EVIDENCE = 20;

type Run = { name: string; input: unknown };

/** The tool runs of the line, held against the calls that the client read: one run for each call, with its input. */
export function toolRuns(story: Story): RunFinding[] {
  const { line, run } = story;
  const told = line?.tool_runs;
  if (line === undefined || !Array.isArray(told)) return [];
  const runs: Run[] = told.map((each) => ({
    name: String(field(each, 'name') ?? ''),
    input: field(each, 'input') ?? null,
  }));
  const calls = [...story.calls.values()];
  const names = new Set([...runs, ...calls.map(({ tool }) => ({ name: tool }))].map(({ name }) => name));
  return [...names].flatMap((name) =>
    ofTool(
      name,
      runs.filter((each) => each.name === name),
      calls.filter(({ tool }) => tool === name),
      Object.hasOwn(run.job.tools, name) && story.gaveUp === undefined,
    ),
  );
}

function ofTool(name: string, runs: Run[], calls: CallStory[], isRun: boolean): RunFinding[] {
  const about = calls[0]?.about ?? name;
  const said = (requirement: 'POLL-06' | 'TOOL-10', message: string, call = calls[0]): RunFinding[] => [
    failure({
      rule: 'line/tool-runs',
      requirement,
      message,
      evidence: showing(call),
      about: call?.about ?? about,
    }),
  ];
  if (calls.length === 0)
    return said('TOOL-10', `The line has a run of the tool ${show(name)}, which was never called.`);
  if (runs.length > calls.length) {
    const again = calls.find(({ delivered }) => delivered.length > 1);
    const answers = [...new Set(again?.delivered)];
    const where =
      answers.length === 1 ? `twice in answer ${answers[0]}` : `in the answers ${answers.join(', ')}`;
    const why = again ? ` Call ${show(again.id)} was listed ${where} and is still one call.` : '';
    return said(
      'POLL-06',
      `The tool ${show(name)} ran ${times(runs.length)} for ${times(calls.length, 'call')}: an event was handled twice.${why} Keep the ids of events that were dealt with, and pass over those.`,
      again,
    );
  }
  const open = [...calls];
  for (const { input } of runs) {
    const at = open.findIndex((call) => same(call.input, input));
    if (at !== -1) {
      open.splice(at, 1);
      continue;
    }
    const twice = calls.filter((call) => same(call.input, input)).length > 0;
    if (twice)
      return said(
        'POLL-06',
        `The tool ${show(name)} ran twice with the input ${show(input)}, which was asked for once: an event was handled twice. Keep the ids of events that were dealt with.`,
      );
    return said(
      'TOOL-10',
      `The tool ${show(name)} ran with the input ${show(input)}, and it was called with ${open.map((call) => show(call.input)).join(', ')}. A tool gets the input of its call as it is.`,
      open[0],
    );
  }
  const unrun = open.find(({ tooLate, replies }) => !tooLate && replies.length > 0);
  if (!unrun || !isRun) return [];
  return said(
    'TOOL-10',
    `Call ${show(unrun.id)} of the tool ${show(name)} got a reply, and the line has no run for it. Run the tool for each call, and list each run.`,
    unrun,
  );
}

function showing(call: CallStory | undefined): number[] {
  const seqs = [...(call?.delivered ?? []), ...(call?.replies.map(({ seq }) => seq) ?? [])];
  return [...new Set(seqs)].sort((one, other) => one - other).slice(0, MOST_EVIDENCE);
}

function times(count: number, what = 'time'): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
