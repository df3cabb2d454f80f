import { expect, it } from 'vitest';
import type { ListedRule } from '../../../mock/network/rule-book.js';
import { startMock } from '../../../test/support/mock/mock.js';
import { findPresetRule, PRESETS, repeatRule } from './presets.js';
import { describeRule, listShownRules } from './rule-list.js';

const rule = (id: string, more: Partial<ListedRule> = {}): ListedRule => {
  return {
    id,
    rule: { network: 'drop', of: { poll: true } },
    state: 'live',
    fired: 0,
    passed: 0,
    waiting: 0,
    gave_up: 0,
    ...more,
  };
};
const idsOf = (...rules: ListedRule[]) =>
  listShownRules(new Map([['a', rules]]), (task) => task === 'running').map(({ id }) => id);

it('lists rules that can still act, and all rules added by hand', () => {
  expect(idsOf(rule('rule-1'), rule('rule-2', { state: 'spent' }))).toEqual(['rule-1', 'rule-2']);
  expect(
    idsOf(
      rule('running/a', { task: 'running' }),
      rule('running/b', { task: 'running', state: 'spent' }),
      rule('done/c', { task: 'done' }),
      rule('done/d', { task: 'done', rule: { network: 'fail', status: 503, of: { create: 2 } } }),
    ),
  ).toEqual(['running/a', 'done/d']);
});

it('lists a rule of several organisations once, with the sum of the hits', () => {
  const [one, other] = [
    rule('rule-1', { fired: 1, state: 'spent' }),
    rule('rule-1', { fired: 2, waiting: 1 }),
  ];
  const both = new Map([
    ['a', [one]],
    ['b', [other]],
  ]);
  expect(listShownRules(both, () => true)).toEqual([
    { ...rule('rule-1', { fired: 3, waiting: 1 }), organisations: ['a', 'b'] },
  ]);
  const different = rule('rule-1', { rule: { network: 'garble' } });
  expect(idsOf(one, different)).toEqual(['rule-1', 'rule-1']);
});

it('describes a rule of a scenario without its id and line', () => {
  const fields = { status: 503, of: { poll: true as const }, expires_ms: 5, id: 'd1', line: 7 };
  expect(describeRule({ network: 'fail', ...fields })).toBe('fail status 503 of poll expires 5ms');
});

it.each(PRESETS)(
  'finds the rule of the preset "$label", which acts once more or begins again',
  async (preset) => {
    const { control } = await startMock();
    const scope = { kind: 'together' } as const;
    const list = () =>
      listShownRules(
        new Map(control.network.list().map((each) => [each.organisation, each.rules])),
        () => true,
      );
    control.clock.view('a');
    await control.network.add(preset.rule, undefined, { count: 'together' });
    const found = findPresetRule(preset, scope, list())!;
    expect(found.id).toBe('rule-1');
    expect(findPresetRule(preset, { kind: 'each' }, list())).toBeUndefined();
    const change = repeatRule(found);
    if (change) await control.network.change('rule-1', change);
    const { times } = list()[0]!.rule;
    expect([times, list().length]).toEqual([found.rule.times === undefined ? undefined : 2, 1]);
  },
);
