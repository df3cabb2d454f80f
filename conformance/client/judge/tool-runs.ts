import { field, show } from '../../conversation/json.js';
import { count } from '../../report/text.js';
import { isSame, type ObservedCall, type ObservedRun } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';

/** Most `seq`s of a finding. */
const MOST_EVIDENCE = 20;

/** The tool runs of the line, compared with the calls that the client read: one run for each call, with its input. */
export function lineToolRuns(observed: ObservedRun): RunFinding[] {
  const listed = observed.line?.tool_runs;
  if (!Array.isArray(listed)) return [];
  const calls = [...observed.calls.values()];
  const names = [
    ...listed.map((each) => String(field(each, 'name') ?? '')),
    ...calls.map(({ tool }) => tool),
  ];
  return [...new Set(names)].flatMap((tool) => {
    const runs = listed.filter((each) => String(field(each, 'name') ?? '') === tool);
    const inputs = runs.map((each) => field(each, 'input') ?? null);
    const ofTool = calls.filter((call) => call.tool === tool);
    return runsOfTool(tool, inputs, ofTool, observed);
  });
}

/** `inputs`: those of the runs. */
function runsOfTool(
  tool: string,
  inputs: readonly unknown[],
  calls: readonly ObservedCall[],
  { run, gaveUp }: ObservedRun,
): RunFinding[] {
  const found = (requirement: 'POLL-06' | 'TOOL-10', message: string, call?: ObservedCall): RunFinding[] => [
    failure('line/tool-runs', message, evidenceOf(call), { requirement, about: call?.about ?? tool }),
  ];
  const name = show(tool);
  if (calls.length === 0)
    return found('TOOL-10', `The line has a run of the tool ${name}, which was never called.`);
  const open = [...calls];
  const extra = inputs.filter((input) => {
    const at = open.findIndex((call) => isSame(call.input, input));
    if (at !== -1) open.splice(at, 1);
    return at === -1;
  });
  const sameInput = (input: unknown) => calls.filter((call) => isSame(call.input, input));
  const repeated = extra.find((input) => sameInput(input).length > 0);
  if (repeated !== undefined) {
    const same = sameInput(repeated);
    const ran = inputs.filter((input) => isSame(input, repeated)).length;
    const call = same.find(({ deliveries }) => deliveries.length > 1) ?? same[0]!;
    const responses = [...new Set(call.deliveries)];
    const where = `${responses.length > 1 ? 'the responses' : 'response'} ${responses.join(', ')}`;
    const message = `The tool ${name} with the input ${show(repeated)} ran ${count(ran, 'time')} for ${count(same.length, 'call')}: an event was handled twice. Call ${show(call.id)} was listed in ${where} and is one call. Keep the ids of the events that you have handled, and skip those.`;
    return found('POLL-06', message, call);
  }
  if (extra.length > 0) {
    const expected = open.length > 0 ? open : calls;
    const message = `The tool ${name} ran with the input ${show(extra[0])}, and it was called with ${expected.map((call) => show(call.input)).join(', ')}. A tool gets the input of its call as it is.`;
    return found('TOOL-10', message, expected[0]);
  }
  const isOwed = Object.hasOwn(run.job.tools, tool) && gaveUp === undefined;
  const unrun = open.find(({ isTooLate, replies }) => isOwed && !isTooLate && replies.length > 0);
  if (!unrun) return [];
  const message = `Call ${show(unrun.id)} of the tool ${name} got a reply, and the line has no run for it. Run the tool for each call, and list each run.`;
  return found('TOOL-10', message, unrun);
}

function evidenceOf(call: ObservedCall | undefined): number[] {
  const seqs = [...(call?.deliveries ?? []), ...(call?.replies.map(({ seq }) => seq) ?? [])];
  return [...new Set(seqs)].sort((one, other) => one - other).slice(0, MOST_EVIDENCE);
}
