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

const SIZES = { large: 1200, 'small-1': 1, 'small-2': 2, 'small-3': 1, medium: 60 };

it('judges small organisations first, several in a time slice, and says how many are judged', async () => {
  const { collect } = await start(SIZES);
  const small = ['small-1', 'small-3', 'small-2', 'medium'];
  expect(await collect(0)).toEqual([small, [{ judging: { judged: 4, total: 5 } }]]);
  expect(await collect(100)).toEqual([['large'], [{ judging: { judged: 5, total: 5 } }]]);
});

/** 264 ms more than a new stream may use. */
async function startWithDebt() {
  const { collect, request } = await start(SIZES);
  await collect(0);
  await collect(100);
  const receive = async (count: number) => {
    for (let n = 0; n < count; n++) await request('small-1');
  };
  return { collect, receive };
}

it('uses 2 % of the time while the mock has much to do', async () => {
  const { collect, receive } = await startWithDebt();
  await receive(50);
  expect(await collect(8000)).toEqual([[], []]);
  await receive(50);
  expect(await collect(13_600)).toEqual([['small-1'], []]);
});

it('uses half of the time while the mock has nothing else to do', async () => {
  const { collect, receive } = await startWithDebt();
  await receive(1);
  expect(await collect(1000)).toEqual([['small-1'], []]);
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
