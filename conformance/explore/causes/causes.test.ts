import { describe, expect, it } from 'vitest';
import { createFailure, createScenario } from '../../../test/support/report/searches.js';
import type { Failure } from '../types.js';
import { groupCauses, listFailures } from './causes.js';
import { collectChanges } from './changes.js';

/** A failure of a run of its own. */
const failure = (rule: string, more: Partial<Failure>): Failure => ({
  ...createFailure('mine', rule),
  about: undefined,
  ...more,
});
const groups = (...failures: Failure[]) =>
  groupCauses(failures).map((cause) => listFailures(cause, failures).map(({ rule }) => rule));

describe('failures of one defect', () => {
  it('are omissions of a client that gives up with the same error under the same changes', () => {
    const reported = 'Cannot read properties of null';
    const shape = { changes: ['shape'], reported };
    expect(groups(failure('line/status', shape), failure('sessions/closed', shape))).toHaveLength(1);
    expect(
      groups(failure('line/status', shape), failure('cancel/matches-job', { ...shape, reported: 'no' })),
    ).toHaveLength(2);
    expect(groups(failure('line/status', shape), failure('replies/once', shape))).toHaveLength(2);
    const unchanged = { changes: [], deviations: [], reported };
    expect(groups(failure('line/output', unchanged), failure('cancel/matches-job', unchanged))).toHaveLength(
      2,
    );
  });

  it('are omissions of a client that ends without an error under the same changes, also in one run', () => {
    const lost = { changes: ['no response create'], reported: undefined };
    const status = failure('line/status', lost);
    expect(groups(status, failure('actions/match-job', lost))).toHaveLength(1);
    expect(
      groups(status, { ...failure('replies/each-call', lost), exchanges: status.exchanges }),
    ).toHaveLength(1);
    expect(groups(status, failure('actions/match-job', { ...lost, changes: ['time'] }))).toHaveLength(2);
    expect(groups(status, failure('line/tool-runs', lost))).toHaveLength(2);
  });

  it('are not the id and the name of one reply: these are two defects', () => {
    const id = failure('replies/call-id', { evidence: [4] });
    const name = { ...failure('replies/event-name', { evidence: [4] }), exchanges: id.exchanges };
    expect(groups(id, name)).toEqual([['replies/call-id'], ['replies/event-name']]);
  });

  it('are hangs of a client that could not use the same response, whatever it waits for', () => {
    const hang = (wait: Failure['wait'], ...changes: string[]) => failure('run/ended', { wait, changes });
    expect(groups(hang('poll', 'limited poll'), hang('end', 'refused poll'))).toHaveLength(1);
    expect(groups(hang('poll', 'limited poll'), hang('reply', 'refused reply'))).toHaveLength(2);
    expect(groups(hang('poll', 'limited poll'), hang('end'))).toHaveLength(2);
    expect(groups(hang('poll', 'time'), hang('end', 'time'))).toHaveLength(2);
  });

  it('are those that need more changes than another, which shows with a part of them', () => {
    const [deviation] = failure('actions/once', {}).deviations;
    const lost = failure('actions/once', { changes: ['no response action'] });
    const needing = (...changes: string[]) =>
      failure('actions/in-turn', { changes, deviations: changes.map(() => deviation!) });
    expect(groups(lost, needing('no response action', 'time'))).toHaveLength(1);
    expect(groups(lost, needing('limited action', 'time'))).toHaveLength(1);
    expect(groups(lost, needing('no response action'))).toHaveLength(2);
    expect(groups(lost, needing('no response poll', 'time'))).toHaveLength(2);
    expect(groups({ ...lost, changes: ['time'] }, needing('no response action', 'time'))).toHaveLength(2);
  });

  it('are those that need several deviations in a scenario that fails without any', () => {
    const [deviation] = failure('replies/each-call', {}).deviations;
    const unchanged = failure('replies/each-call', { changes: [], deviations: [] });
    const listedAgain = failure('line/results', { changes: ['listed again'] });
    const twice = { ...listedAgain, deviations: [deviation!, deviation!] };
    expect(groups(unchanged, twice)).toHaveLength(1);
    expect(groups(unchanged, listedAgain)).toHaveLength(2);
    expect(groups({ ...unchanged, scenario: 'other' }, twice)).toHaveLength(2);
  });

  it('are those that need several deviations for what fails at the same place with fewer', () => {
    const [deviation] = failure('line/results', {}).deviations;
    const late = failure('line/results', { changes: ['time'], key: 'line/results read', about: 'read' });
    const changes = ['listed again', 'same instant'];
    const twice = { ...late, exchanges: [], changes, deviations: [deviation!, deviation!] };
    expect(groups(late, twice)).toHaveLength(1);
    expect(groups(late, { ...twice, key: 'line/results open', about: 'open' })).toHaveLength(2);
    expect(groups(late, { ...twice, scenario: 'other' })).toHaveLength(2);
    expect(groups(late, { ...twice, deviations: [deviation!] })).toHaveLength(2);
  });

  it('are the consequences in the unchanged run of a scenario, in whichever run it was noticed', () => {
    const unchanged = failure('polling/event-t', { changes: [], deviations: [] });
    const closed = failure('sessions/closed', { changes: [], deviations: [] });
    expect(groups(unchanged, closed)).toHaveLength(1);
    expect(groups({ ...unchanged, scenario: 'other' }, closed)).toHaveLength(2);
  });

  it('have an example with one deviation, if a scenario has its own faults', () => {
    const own = failure('run/ended', { changes: ['no response reply', 'refused reply'], deviations: [] });
    const lost = failure('run/ended', { changes: ['no response reply'], wait: 'reply' });
    const failures = [own, lost];
    expect(groupCauses(failures).map((cause) => listFailures(cause, failures))).toEqual([[lost, own]]);
  });

  it('are not the form and the repetition of a request, although one request shows both', () => {
    const once = failure('replies/once', { about: 'weather' });
    const form = { ...failure('body/event-timestamp', { about: 'weather' }), exchanges: once.exchanges };
    expect(groups(once, form)).toEqual([['replies/once'], ['body/event-timestamp']]);
  });
});

describe('the changes of a schedule', () => {
  it('are those of its deviations and of the faults of its scenario', () => {
    const faulty = createScenario('mine');
    faulty.timeline = [
      { network: 'fail', status: 401, of: { any: true } },
      { network: 'fail', status: 429, of: { reply: 1 } },
      { network: 'drop', of: { create: 1 } },
    ] as unknown as typeof faulty.timeline;
    const { deviations } = createFailure('mine');
    expect(collectChanges({ scenario: faulty, deviations })).toEqual([
      'limited reply',
      'no response create',
      'no response poll',
      'refused poll',
    ]);
  });
});
