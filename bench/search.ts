import { performance } from 'node:perf_hooks';
import { mockTarget } from '../conformance/service/http-client/in-process.js';
import { search } from '../conformance/service/search/search.js';
import { ALLOWANCES } from '../conformance/service/test-case/test-case.js';
import { Mock } from '../mock/mock.js';
import { median, type Row } from './table.js';

const SEQUENCES = 1000;
/** Until the code that matters has been compiled. */
const WARM_UP = 300;
const SEARCHES = 5;
const KEYS = { main: 'main-key', other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' };

/** `conform --search`: sequences a second in virtual time, against the mock in process. */
export async function benchSearch(): Promise<Row[]> {
  await searched(WARM_UP);
  const rates: number[] = [];
  let requests = 0;
  for (let round = 0; round < SEARCHES; round++) {
    const from = performance.now();
    const found = await searched(SEQUENCES);
    rates.push(SEQUENCES / ((performance.now() - from) / 1000));
    requests = found.requests;
  }
  const per_s = median(rates);
  return [
    {
      name: 'sequences of requests searched in process, one core',
      figure: `${Math.round(per_s)}/s`,
      detail: `median of ${SEARCHES} searches of ${SEQUENCES.toLocaleString('en')} sequences against the mock, ${(requests / SEQUENCES).toFixed(0)} requests each, sent to its model as well; ${rates.map(Math.round).join(', ')}`,
      goal: '≥ 200/s',
      met: per_s >= 200,
    },
  ];
}

async function searched(sequences: number) {
  const mock = new Mock({ clock: 'manual', lightResponses: true });
  try {
    await mock.ready;
    return await search({
      target: { ...mockTarget(mock), keys: KEYS },
      dialect: {},
      sequences,
      seed: 1,
      allow: ALLOWANCES,
      runId: 'bench',
      longestWaitMs: Number.POSITIVE_INFINITY,
    });
  } finally {
    await mock.close();
  }
}
