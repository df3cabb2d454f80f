import { describe, expect, it } from 'vitest';
import type { FetchFunction } from '../../conformance/service/http-client/target.js';
import { failures, judged } from '../mutants/judge.js';

/** What a service may do and the mock does in no dialect. The whole suite, rules included, fails none of it. */

/** Refuses keys that are missing or not known in another way than the mock. */
function refusesKeys(status: number): (fetch: FetchFunction) => FetchFunction {
  return (fetch) => async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 401) return response;
    const detail =
      status === 422 ? [{ loc: ['header', 'apikey'], msg: 'No such key', type: 'key' }] : 'No such key';
    return Response.json({ detail }, { status });
  };
}

describe('the suite fails nothing of a service that', () => {
  it.each([400, 403, 404, 422])('refuses every key that it does not know with %i', async (status) => {
    const report = await judged({ wrap: refusesKeys(status) });
    expect(failures(report).map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(report.faults).toEqual([]);
    expect(report.summary.passed).toBeGreaterThan(800);
  });
});
