import { expect, it } from 'vitest';
import { Mock } from '../../mock.js';
import { getService } from '../../service.js';
import { NewFindings } from './new-findings.js';

/** A mock with organisations, and a judge that takes 1 ms for each exchange. `sizes`: exchanges by API key. */
async function start(sizes: Readonly<Record<string, number>>) {
  const mock = new Mock({ clock: 'manual' });
  const service = getService(mock);
  const request = async (key: string) =>
    void (await mock.fetch('http://mock/api/v1/usage', { headers: { apikey: key } }));
  for (const [key, size] of Object.entries(sizes)) for (let n = 0; n < size; n++) await request(key);
  let clock = 0;
  const judged: string[] = [];
  const sent: object[] = [];
  const source = {
    listOrganisations: () => service.organisations.values(),
    findTask: () => undefined,
    listFindings: ({ key, journal }: { key: string; journal: { seq: number } }) => {
      judged.push(key);
      clock += journal.seq;
      return [];
    },
  };
  const findings = new NewFindings(
    source,
    (event, data) => sent.push({ [event]: data }),
    () => clock,
  );
  const collect = async (now: number) => {
    await findings.collect(now);
    return [judged.splice(0), sent.splice(0)];
  };
  return { collect, request };
}

it('judges small organisations first, several in a time slice, and says how many are judged', async () => {
  const { collect, request } = await start({
    large: 300,
    'small-1': 1,
    'small-2': 2,
    'small-3': 1,
    medium: 40,
  });
  const small = ['small-1', 'small-3', 'small-2', 'medium'];
  expect(await collect(0)).toEqual([small, [{ judging: { judged: 4, total: 5 } }]]);
  expect(await collect(100)).toEqual([['large'], [{ judging: { judged: 5, total: 5 } }]]);
  // 94 ms more than a new stream may use: they are paid off at 3 % of the time.
  await request('small-1');
  expect(await collect(3000)).toEqual([[], []]);
  expect(await collect(3300)).toEqual([['small-1'], []]);
});

it('judges an organisation again after a second if it has new exchanges, and new ones before', async () => {
  const { collect, request } = await start({ a: 1, b: 1 });
  expect(await collect(0)).toEqual([['a', 'b'], []]);
  await request('b');
  await request('c');
  expect(await collect(500)).toEqual([['c'], []]);
  expect(await collect(1000)).toEqual([['b'], []]);
  expect(await collect(3000)).toEqual([[], []]);
});
