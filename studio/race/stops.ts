import type { Race } from '../../conformance/explore/reproduce/race.js';
import type { PairedRuns, RowPair } from './pair-runs.js';
import type { RunRow } from './run-rows.js';

/** A place that explains the race. */
export interface RaceStop {
  /** Index of its pair; after the last pair comes the end of the runs. */
  at: number;
  tone: 'deviation' | 'differs' | 'finding' | 'end';
  title: string;
  bad?: string | undefined;
  good?: string | undefined;
}

/** The deviations, the first difference, the finding and the end of the runs, in the order of the diagram. */
export function listStops(race: Race, { pairs, differsAt }: PairedRuns): RaceStop[] {
  const { deviations, finding, bad, good } = race;
  const stops: RaceStop[] = deviations.map((deviation, index) => {
    const at = pairs.findIndex((pair) => pair.deviations.bad.includes(index + 1));
    return {
      at: Math.max(0, at),
      tone: 'deviation',
      title: `Deviation ${index + 1}: ${deviation.text}`,
      ...(at !== -1 && describeBoth(pairs[at]!)),
    };
  });
  const isExplained = differsAt === undefined || pairs[differsAt]!.deviations.bad.length > 0;
  const parted = isExplained
    ? pairs.findIndex((pair, index) => index > (differsAt ?? pairs.length) && !pair.isSame)
    : differsAt;
  const evidence = pairs.findLastIndex(
    ({ bad: row }) => row?.row.kind === 'exchange' && finding.evidence.includes(row.row.seq),
  );
  // A `run/` finding is shown at the end. A finding before the last deviation is not its result.
  const isShown = !finding.rule.startsWith('run/') && evidence >= Math.max(0, ...stops.map(({ at }) => at));
  const named = `${race.title} (${finding.requirement})`;
  if (parted !== -1 && parted !== undefined && !(isShown && parted === evidence))
    stops.push({
      at: parted,
      tone: 'differs',
      title: 'From here the runs differ',
      ...describeBoth(pairs[parted]!),
    });
  if (isShown) stops.push({ at: evidence, tone: 'finding', title: named, ...describeBoth(pairs[evidence]!) });
  stops.sort((one, other) => one.at - other.at);
  const end = { bad: bad.end.text, good: good?.end.text };
  stops.push({ at: pairs.length, tone: 'end', title: isShown ? 'The end' : named, ...end });
  return stops;
}

const NOT_THERE = 'this does not happen';

function describeBoth({ bad, good }: RowPair): Pick<RaceStop, 'bad' | 'good'> {
  const [one, other] = [describeRow(bad), describeRow(good)];
  return one === other ? {} : { bad: one ?? NOT_THERE, good: other ?? NOT_THERE };
}

/** `poll 2 ← 202 running; response with every event twice`. */
function describeRow(shown: RunRow | undefined): string | undefined {
  if (!shown) return undefined;
  const { row } = shown;
  if (row.kind !== 'exchange') return [row.text, row.time].filter(Boolean).join(' at ');
  const { request, sent, response, effects, details, isOpen, part } = row;
  const label = [request, sent?.tone === 'reply' ? sent.text : undefined].filter(Boolean).join(' ');
  const outcome = response?.text ?? (isOpen || part === 'request' ? 'no response yet' : 'no response');
  const more = [...effects.map(({ note }) => note), ...details.map(({ text }) => text)];
  return `${label} ← ${[outcome, ...more].join('; ')}`;
}
