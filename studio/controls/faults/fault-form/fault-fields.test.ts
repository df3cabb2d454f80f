import { describe, expect, it } from 'vitest';
import { describeVerbs } from '../../../../mock/admin/network-verbs.js';
import { startMock } from '../../../../test/support/mock/mock.js';
import { createRule, listFields, listTargets, readFaultValues, selectRequestVerbs } from './fault-fields.js';

const { verbs } = describeVerbs();
const verb = (name: string) => verbs.find((each) => each.name === name)!;

describe('the fault form', () => {
  it('offers verbs about requests only', () => {
    const names = selectRequestVerbs(verbs).map(({ name }) => name);
    expect(names).toContain('fail');
    expect(names).not.toContain('same-instant');
    expect(listTargets(verb('redeliver'))).toEqual(['poll']);
    expect(listTargets(verb('drop'))).toContain('reply');
  });

  it('lists the required fields of a verb first', () => {
    expect(listFields(verb('throttle')).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['bytes_per_second', true],
      ['at_most', false],
    ]);
    expect(listFields(verb('fail'))[0]).toMatchObject({ control: 'number', minimum: 400, maximum: 599 });
    expect(listFields(verb('drop'))[0]).toMatchObject({
      control: 'choice',
      choices: ['request', 'response'],
    });
  });

  const typed: Record<string, Record<string, string>> = {
    delay: { time: '2s', of: 'poll', times: '1', probability: '0.5', expires: '1m' },
    hold: { until: 'go', at_most: '5s' },
    fail: { status: '503', detail: '12', retry_after: '2s', of: 'any' },
    quota: { requests: '2', per: '1s' },
    throttle: { bytes_per_second: '200' },
    reshape: { events: 'null', extra: '{"shard":7}' },
  };

  it.each(selectRequestVerbs(verbs).map(({ name }) => name))(
    'creates a rule of %s that the mock accepts',
    async (name) => {
      const { control } = await startMock();
      const rule = createRule(verb(name), { of: listTargets(verb(name))[0]!, ...typed[name] });
      const response = await control.fetch('http://mock/__admin/network', {
        method: 'PUT',
        body: JSON.stringify([rule]),
      });
      expect([response.status, await response.text()]).toMatchObject([200, expect.anything()]);
      // The form shows a rule of the mock in a way that gives the same rule.
      const [shared] = control.network.forAll();
      const again = createRule(verb(name), readFaultValues(shared!.rule));
      await control.network.set([again]);
      expect(control.network.forAll()[0]!.rule).toEqual(shared!.rule);
    },
  );

  it('keeps invalid input, so that the mock reports it', () => {
    expect(createRule(verb('fail'), { status: 'many', times: '' })).toEqual({
      network: 'fail',
      status: 'many',
    });
    expect(createRule(verb('fail'), { detail: '12' }).detail).toBe('12');
  });
});
