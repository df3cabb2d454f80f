import { describe, expect, it } from 'vitest';
import type { Race, RaceLine, RaceRun } from '../../conformance/explore/reproduce/race.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { pairRuns } from './pair-runs.js';
import { listStops } from './stops.js';

const CALL = { id: 'c1', name: 'tool_call', payload: { name: 'weigh', input: {} }, timestamp: 5 };

/** `poll 1`, `poll 2 call` (it lists a call), `reply c1 1 lost`, `poll 3 late`, `response poll 3`, `step finish`. */
function runOf(...texts: string[]): RaceRun {
  const exchanges: Exchange[] = [];
  const lines = texts.map((text, index): RaceLine => {
    const at = 100 * index;
    if (text.startsWith('step ')) return { what: 'step', name: text.slice(5), id: text.slice(5), at };
    const name = text.replace(/^response | (call|lost|late|done)$/g, '');
    if (text.startsWith('response ')) return { what: 'response', name, seq: seqOf.get(name)!, at };
    const seq = exchanges.length + 1;
    seqOf.set(name, seq);
    exchanges.push(exchangeOf(seq, name, at, text));
    return { what: 'request', name, seq };
  });
  return { lines, exchanges, findings: [], end: { at: 900, text: 'It ends.', isHang: false } };
}
const seqOf = new Map<string, number>();

function exchangeOf(seq: number, name: string, at: number, text: string): Exchange {
  const isReply = name.startsWith('reply');
  const events = text.endsWith(' call') ? [CALL] : [];
  const status = text.endsWith(' done') ? 'done' : 'running';
  const sent = { id: 'c1', name: 'tool_call', payload: { code: 200, output: 1 }, timestamp: 6 };
  const body = JSON.stringify({ r: isReply ? { id: 'c1' } : { id: 't', status, output: null, events } });
  return {
    ...{ seq, kind: isReply ? 'reply' : 'poll', organisation: 'client' },
    operation: isReply ? 'sendTaskEvent' : 'getTask',
    request: { method: isReply ? 'POST' : 'GET', url: '/', headers: {}, body: JSON.stringify(sent), at },
    ...(text.endsWith(' lost')
      ? { network: [{ verb: 'drop', effect: 'lost', note: 'response dropped' }] }
      : { response: { status: isReply || status === 'done' ? 200 : 202, headers: {}, body, at } }),
  };
}

function raceOf(
  good: RaceRun | undefined,
  bad: RaceRun,
  ...deviations: Partial<Race['deviations'][0]>[]
): Race {
  return {
    ...{ kind: 'race', taskdouble: '0', name: 'n', title: 'The tool ran twice', scenario: 's', again: 'a' },
    ...{ time: 'real', seed: 1, bad, ...(good && { good }) },
    finding: {
      rule: 'replies/once',
      requirement: 'R-1',
      side: 'client',
      level: 'must',
      message: 'm',
      evidence: [4],
    },
    deviations: deviations.map((each, index) => ({ id: `d${index + 1}`, text: 'change', seqs: [], ...each })),
  } as Race;
}

const CLOSED = { good: new Set<number>(), bad: new Set<number>() };
const shown = (race: Race) =>
  pairRuns(race, CLOSED).pairs.map(({ good, bad, isSame, deviations }) => {
    const words = [good, bad].map((row) => row?.names[0] ?? (row ? row.appearance : '-')).join(' | ');
    const marks = [...deviations.good, '/', ...deviations.bad].join('');
    return `${words}${isSame ? '' : ' *'}${marks === '/' ? '' : ` ${marks}`}`;
  });

const GOOD = runOf('poll 1', 'poll 2 call', 'reply c1 1', 'step finish', 'poll 3 done');

describe('two runs side by side', () => {
  it('pairs common rows, keeps rows of one run alone, and marks the deviation in both', () => {
    const bad = runOf('poll 1', 'poll 2 call', 'reply c1 1 lost', 'reply c1 2', 'step finish', 'poll 3 done');
    const race = raceOf(GOOD, bad, { seqs: [3] });
    expect(shown(race)).toEqual([
      'poll 1 | poll 1',
      'poll 2 | poll 2',
      'reply c1 1 | reply c1 1 * 1/1',
      '- | reply c1 2 *',
      'step finish | step finish',
      'poll 3 | poll 3',
    ]);
    const paired = pairRuns(race, CLOSED);
    expect(paired.differsAt).toBe(2);
    const [good, other] = [paired.layouts.good!.rows, paired.layouts.bad.rows];
    expect(good.at(-1)!.y).toBe(other.at(-1)!.y);
    expect(listStops(race, paired)).toEqual([
      {
        ...{ at: 2, tone: 'deviation', title: 'Deviation 1: change' },
        bad: 'reply c1 1: 200 1 ← no response; response dropped',
        good: 'reply c1 1: 200 1 ← 200',
      },
      expect.objectContaining({
        at: 3,
        tone: 'finding',
        title: 'The tool ran twice (R-1)',
        good: 'this does not happen',
      }),
      { at: 6, tone: 'end', title: 'The end', bad: 'It ends.', good: 'It ends.' },
    ]);
  });

  it('pairs a changed poll by its number, not by its appearance', () => {
    const bad = runOf('poll 1', 'poll 2 lost', 'poll 3 call', 'reply c1 1', 'step finish', 'poll 4 done');
    const race = raceOf(GOOD, bad, { seqs: [2] });
    expect(shown(race).slice(0, 4)).toEqual([
      'poll 1 | poll 1',
      'poll 2 | poll 2 * 1/1',
      '- | poll 3 *',
      'reply c1 1 | reply c1 1',
    ]);
    expect(listStops(race, pairRuns(race, CLOSED))[1]).toMatchObject({
      at: 2,
      title: 'From here the runs differ',
    });
  });

  it('gives a held response its own row, marks a changed step, folds quiet polls', () => {
    const bad = runOf(
      'poll 1',
      'poll 2 late',
      'step finish',
      'response poll 2',
      'poll 3',
      'poll 4',
      'poll 5',
    );
    const race = raceOf(GOOD, bad, { step: 'finish' });
    const rows = pairRuns(race, CLOSED).layouts.bad.rows;
    expect(rows.map((row) => (row.kind === 'exchange' ? row.part : row.kind))).toEqual([
      undefined,
      'request',
      'note',
      'response',
      'fold',
    ]);
    expect(shown(race)).toContain('step finish | step finish 1/1');
    const open = pairRuns(race, { ...CLOSED, bad: new Set([3]) });
    expect(open.layouts.bad.rows).toHaveLength(8);
  });

  it('aligns long runs part by part', () => {
    const texts = Array.from({ length: 1500 }, (_, n) => `reply c${n} 1`);
    const race = raceOf(runOf(...texts), runOf(...texts.filter((_, n) => n !== 700 && n !== 1300)));
    const alone = pairRuns(race, CLOSED).pairs.filter(({ bad }) => bad === undefined);
    expect(alone.map(({ good }) => good?.names[0])).toEqual(['reply c700 1', 'reply c1300 1']);
  });

  it('shows no differences for a single run, and a hang as its end', () => {
    const race = raceOf(undefined, GOOD);
    const hang = { ...race, finding: { ...race.finding, rule: 'run/ended' } };
    expect(pairRuns(hang, CLOSED)).toMatchObject({ differsAt: undefined, layouts: { good: undefined } });
    expect(listStops(hang, pairRuns(hang, CLOSED))).toEqual([
      expect.objectContaining({ at: 5, title: 'The tool ran twice (R-1)', bad: 'It ends.' }),
    ]);
  });
});
