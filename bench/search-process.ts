import { performance } from 'node:perf_hooks';
import { mockTarget } from '../conformance/service/http-client/in-process.js';
import { search } from '../conformance/service/search/search.js';
import { ALLOWANCES } from '../conformance/service/test-case/test-case.js';
import { Mock } from '../mock/mock.js';

export const SEQUENCES = 1000;
export const SEARCHES = 5;
/** Until the code that matters has been compiled. */
const WARM_UP = 1000;
const KEYS = { main: 'main-key', other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' };

/** What one process measured. */
export interface SearchMeasurement {
  /** Sequences a second, of each search. */
  rates: number[];
  requests: number;
}

async function measure(): Promise<SearchMeasurement> {
  await runSearch(WARM_UP);
  const rates: number[] = [];
  let requests = 0;
  for (let round = 0; round < SEARCHES; round++) {
    const from = performance.now();
    const result = await runSearch(SEQUENCES);
    rates.push(SEQUENCES / ((performance.now() - from) / 1000));
    requests = result.requests;
  }
  return { rates, requests };
}

async function runSearch(sequences: number) {
  const mock = new Mock({ clock: 'manual', lightResponses: true });
  try {
    await mock.ready;
    const result = await search({
      target: { ...mockTarget(mock), keys: KEYS },
      dialect: {},
      sequences,
      seed: 1,
      allow: ALLOWANCES,
      runId: 'bench',
      longestWaitMs: Number.POSITIVE_INFINITY,
    });
    if (result.found.length > 0) throw new Error(`found ${result.found[0]!.key} where nothing is wrong`);
    return result;
  } finally {
    await mock.close();
  }
}

// Started as a process of its own.
process.send?.(await measure());
