import { field, show } from '../../conversation/json.js';

import type { ObservedCall, ObservedRun } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';
import { isSame } from './values.js';

/** `seq`s that are given to show a double run. */
const MOST_EVIDENCE = 20;

type ToolRun = { name: string; input: unknown };

/** The tool runs of the line, held against the calls that the client read: one run for each call, with its input. */
export function lineToolRuns(observed: ObservedRun): RunFinding[] {
  const { line, run } = observed;
  const listed = line?.tool_runs;
  if (line === undefined || !Array.isArray(listed)) return [];
  const runs: ToolRun[] = listed.map((each) => ({
    name: String(field(each, 'name') ?? ''),
    input: field(each, 'input') ?? null,
  }));
  const calls = [...observed.calls.values()];
  const names = new Set([...runs, ...calls.map(({ tool }) => ({ name: tool }))].map(({ name }) => name));
  return [...names].flatMap((name) =>
    ofTool(
      name,
      runs.filter((each) => each.name === name),
      calls.filter(({ tool }) => tool === name),
      Object.hasOwn(run.job.tools, name) && observed.gaveUp === undefined,
    ),
  );
}

function ofTool(name: string, runs: ToolRun[], calls: ObservedCall[], isRun: boolean): RunFinding[] {
  const found = (requirement: 'POLL-06' | 'TOOL-10', message: string, call = calls[0]): RunFinding[] => [
    failure('line/tool-runs', message, showing(call), { requirement, about: call?.about ?? name }),
  ];
  const tool = show(name);
  if (calls.length === 0)
    return found('TOOL-10', `The line has a run of the tool ${tool}, which was never called.`);
  const { open, extra } = matched(runs, calls);
  const repeated = extra.find(({ input }) => calls.some((call) => isSame(call.input, input)));
  if (repeated) {
    const { input } = repeated;
    const ofInput = calls.filter((call) => isSame(call.input, input));
    const ran = runs.filter((each) => isSame(each.input, input)).length;
    return found(
      'POLL-06',
      handledTwice(`${tool} with the input ${show(input)}`, ran, ofInput),
      listedAgain(ofInput),
    );
  }
  if (runs.length > calls.length && extra.length === runs.length)
    return found('POLL-06', handledTwice(tool, runs.length, calls), listedAgain(calls));
  if (extra[0]) {
    const call = open[0] ?? calls[0];
    const inputs = (open.length > 0 ? open : calls).map((each) => show(each.input)).join(', ');
    return found(
      'TOOL-10',
      `The tool ${tool} ran with the input ${show(extra[0].input)}, and it was called with ${inputs}. A tool gets the input of its call as it is.`,
      call,
    );
  }
  const unrun = open.find(({ isTooLate, replies }) => !isTooLate && replies.length > 0);
  if (!unrun || !isRun) return [];
  return found(
    'TOOL-10',
    `Call ${show(unrun.id)} of the tool ${tool} got a reply, and the line has no run for it. Run the tool for each call, and list each run.`,
    unrun,
  );
}

/** Pairs runs with calls by their input: the calls without a run, and the runs without a call. */
function matched(
  runs: readonly ToolRun[],
  calls: readonly ObservedCall[],
): { open: ObservedCall[]; extra: ToolRun[] } {
  const open = [...calls];
  const extra = runs.filter(({ input }) => {
    const at = open.findIndex((call) => isSame(call.input, input));
    if (at !== -1) open.splice(at, 1);
    return at === -1;
  });
  return { open, extra };
}

/** The call that was listed several times, else the first. */
function listedAgain(calls: readonly ObservedCall[]): ObservedCall {
  return calls.find(({ deliveries }) => deliveries.length > 1) ?? calls[0]!;
}

function handledTwice(tool: string, ran: number, calls: readonly ObservedCall[]): string {
  const { id, deliveries } = listedAgain(calls);
  const responses = [...new Set(deliveries)];
  const times_listed = deliveries.length > responses.length ? 'twice ' : '';
  const where = responses.length === 1 ? `response ${responses[0]}` : `the responses ${responses.join(', ')}`;
  return `The tool ${tool} ran ${times(ran)} for ${times(calls.length, 'call')}: an event was handled twice. Call ${show(id)} was listed ${times_listed}in ${where} and is one call. Keep the ids of events that were dealt with, and pass over those.`;
}

function showing(call: ObservedCall | undefined): number[] {
  const seqs = [...(call?.deliveries ?? []), ...(call?.replies.map(({ seq }) => seq) ?? [])];
  return [...new Set(seqs)].sort((one, other) => one - other).slice(0, MOST_EVIDENCE);
}

function times(count: number, what = 'time'): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
