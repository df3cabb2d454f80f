import { describeRule } from '../../../scenarios/format/network/rule.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { groupBy } from '../../../spec/lists.js';
import type { Exchange, Finding } from '../../../spec/vocabulary.js';
import { describeWait, isHang } from '../../client/judge/run-end.js';
import type { ClientRun, ResultLine } from '../../client/types.js';
import { shortenBodies } from '../../common/kept-bodies.js';
import { formatCount, shorten } from '../../common/text.js';
import { VERSION } from '../../common/version.js';
import { readField } from '../../conversation/json.js';
import { describeRunTime, type RunTimeLabel } from '../../service/runner/result.js';
import { formatDefect } from '../causes/titles.js';
import { isDeviation } from '../schedule/schedule.js';

/** NAME.runs.json, next to the scenario NAME.yaml that reproduces a failure: a run that shows it, and one without the deviations. */
export interface Race {
  kind: 'race';
  taskdouble: string;
  /** Name of the scenario file without its extension. */
  name: string;
  /** The defect in a few words: `The tool ran twice`. */
  title: string;
  /** Title of the scenario. */
  scenario: string;
  finding: Finding;
  /** Empty if the unchanged scenario shows the failure. */
  deviations: RaceDeviation[];
  /** The command that repeats it. */
  again: string;
  time: RunTimeLabel;
  seed: number;
  bad: RaceRun;
  /** A run without the deviations; absent if there are none, or if it could not be run. */
  good?: RaceRun;
}

export interface RaceDeviation {
  /** Id of its step in the scenario: `d1`. */
  id: string;
  /** `drop response of poll`. */
  text: string;
  /** `seq` of the affected exchanges of the bad run. */
  seqs: number[];
  /** Id of the affected service step. */
  step?: string;
}

export interface RaceRun {
  /** The events of the run in order. */
  lines: RaceLine[];
  exchanges: Exchange[];
  findings: Finding[];
  /** The end of the run, on the clock of the exchanges (ms). */
  end: { at: number; text: string; isHang: boolean };
}

export type RaceLine =
  /** The exchange `seq` began. `name`: `poll 3`, `reply weather 1`. */
  | { what: 'request'; seq: number; name: string }
  /** Its response left, if another event happened in between. */
  | { what: 'response'; seq: number; name: string; at: number }
  /** A step of the service. `id` as in the scenario. */
  | { what: 'step'; name: string; id?: string; at: number }
  /** Number of lines that were removed. */
  | { what: 'left-out'; count: number };

/** Lines of one run that are kept, from its beginning and from its end; characters of one body. */
const FIRST_LINES = 120;
const LAST_LINES = 80;
const MOST_BODY = 4000;
const LONGEST_END = 160;

export interface JudgedRun {
  run: ClientRun;
  findings: readonly Finding[];
}

/** `scenario` contains the deviations. `bad`: a run of it that shows the finding. `good`: a run without the deviations. */
export function createRace(
  scenario: Scenario,
  finding: Finding,
  { bad, good }: { bad: JudgedRun; good: JudgedRun | undefined },
  again: string,
): Race {
  const { run } = bad;
  return {
    kind: 'race',
    taskdouble: VERSION,
    name: scenario.name,
    title: formatDefect(finding),
    scenario: scenario.title.replace(`: ${scenario.reproduces?.failure}`, ''),
    finding: toPlainFinding(finding),
    deviations: listDeviations(scenario, run),
    again,
    time: describeRunTime(run.kind),
    seed: run.seed,
    bad: toRaceRun(bad),
    ...(good && { good: toRaceRun(good) }),
  };
}

function listDeviations({ timeline }: Scenario, { trace }: ClientRun): RaceDeviation[] {
  return timeline.flatMap((step, place): RaceDeviation[] => {
    if (!isDeviation(step)) return [];
    const { id, line: _, ...rule } = step;
    const before = timeline.slice(0, place).findLast((each) => !isDeviation(each));
    const behind =
      before === undefined
        ? ''
        : `, the first after ${'to' in before ? `the reply to ${before.to}` : (before.id ?? 'the step before it')}`;
    const seqs = trace.flatMap((entry) =>
      entry.what === 'response' && entry.rules?.includes(id) ? [entry.seq] : [],
    );
    const of = rule.of?.step;
    return [{ id, text: describeRule(rule) + behind, seqs, ...(of !== undefined && { step: of }) }];
  });
}

function toRaceRun({ run, findings }: JudgedRun): RaceRun {
  const lines = limitLines(listRaceLines(run));
  const kept = new Set(lines.flatMap((line) => (line.what === 'request' ? [line.seq] : [])));
  return {
    lines,
    exchanges: run.exchanges.filter(({ seq }) => kept.has(seq)).map((each) => shortenBodies(each, MOST_BODY)),
    findings: findings.map(toPlainFinding),
    end: {
      at: (run.trace[0]?.at ?? 0) + Math.round(run.durationMs),
      text: describeEnd(run),
      isHang: isHang(run),
    },
  };
}

function listRaceLines({ trace, exchanges }: ClientRun): RaceLine[] {
  const known = new Set(exchanges.map(({ seq }) => seq));
  const arrivals = new Map<number, number>();
  const lines: RaceLine[] = [];
  for (const entry of trace) {
    const name = entry.name.replace(/#(\d+)/, ' $1');
    if (entry.what === 'step') {
      const { step: id, at } = entry;
      lines.push({ what: 'step', name, ...(id !== undefined && { id }), at });
    } else if (!known.has(entry.seq)) continue;
    else if (entry.what === 'arrive') {
      arrivals.set(entry.seq, entry.at);
      lines.push({ what: 'request', seq: entry.seq, name });
    } else {
      const place = lines.findLastIndex((line) => line.what === 'request' && line.seq === entry.seq);
      const between = lines.slice(place + 1);
      // Steps that are due at the arrival of a request happen before it is handled: a poll reads them.
      const isAtOnce = arrivals.get(entry.seq) === entry.at && between.every(({ what }) => what === 'step');
      if (isAtOnce && entry.kind === 'poll') lines.push(...lines.splice(place, 1));
      else if (!isAtOnce && between.length > 0 && entry.status !== 0)
        lines.push({ what: 'response', seq: entry.seq, name, at: entry.at });
    }
  }
  return lines;
}

/** Keeps the beginning, where the runs diverge, and the end with the consequences. */
function limitLines(lines: RaceLine[]): RaceLine[] {
  const count = lines.length - FIRST_LINES - LAST_LINES;
  return count > 0 ? lines.toSpliced(FIRST_LINES, count, { what: 'left-out', count }) : lines;
}

function describeEnd(run: ClientRun): string {
  const { line, error, lineProblem, end } = run;
  if (isHang(run)) return `The client hangs: it waits for ${describeWait(run)}.`;
  const reason = line?.error ?? error;
  if (reason !== undefined) return shorten(`The client gives up: ${reason}`, LONGEST_END);
  if (line) return shorten(`The client reports ${describeLine(line)}.`, LONGEST_END);
  return shorten(`The client ends (${lineProblem ?? end}).`, LONGEST_END);
}

/** `done; get_weather ran twice`. The line is not validated. */
function describeLine({ status, tool_runs, results }: ResultLine): string {
  const parts = [typeof status === 'string' ? status : 'no status'];
  const runs = Array.isArray(tool_runs) ? tool_runs : [];
  for (const [name, all] of groupBy(runs, (each) => String(readField(each, 'name'))))
    parts.push(`${name} ran ${all.length === 1 ? 'once' : `${all.length} times`}`);
  if (Array.isArray(results) && results.length > 0) parts.push(formatCount(results.length, 'result'));
  return parts.join('; ');
}

/** Without the additional field of a run's finding. */
function toPlainFinding({ rule, requirement, side, level, message, evidence }: Finding): Finding {
  return { rule, requirement, side, level, message, evidence };
}
