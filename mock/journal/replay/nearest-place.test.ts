import { describe, expect, it } from 'vitest';
import { NearestPlace } from './nearest-place.js';
import { Take } from './voice.js';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const take = (method: string, url: string, number: number) =>
  new Take(
    { seq: number, kind: '', organisation: 'o', request: { method, url, headers: {}, at: 0 } },
    number,
  );
const asked = (method: string, path: string) => ({ method, path, url: path, body: undefined });

/** Tasks that were polled and sent events, and a profile. */
function* recorded(tasks: number): Generator<Take> {
  for (let n = 1; n <= tasks; n++) {
    yield take('GET', `/api/v1/task/${id(n)}?event_t=0`, 2 * n);
    yield take('POST', `/api/v1/task/${id(n)}/event`, 2 * n + 1);
  }
  yield take('POST', '/api/v1/profile', 1);
}

describe('what comes nearest', () => {
  it('is the first of that form, of the same task where it is there', () => {
    const places = new NearestPlace(recorded(50));
    expect(places.of(asked('POST', `/api/v1/task/${id(7)}/evnt`))!.number).toBe(15);
    expect(places.of(asked('POST', `/api/v1/task/${id(99)}/evnt`))!.number).toBe(3);
    expect(places.of(asked('GET', '/api/v1/profil'))!.number).toBe(1);
    expect(places.of(asked('GET', '/somewhere/else/altogether'))).toBeUndefined();
  });

  it('is sought among a bounded number of texts of bounded length', () => {
    let reads = 0;
    const counted = (place: string): Take =>
      ({
        get place() {
          reads++;
          return place;
        },
      }) as Take;
    const places = new NearestPlace(
      (function* () {
        for (let n = 0; n < 5000; n++) yield counted(`GET /api/v1/name-${n}`);
        yield counted(`GET /${'x'.repeat(30_000)}`);
      })(),
    );
    expect(places.of(asked('GET', '/api/v1/nmae-999'))!.place).toBe('GET /api/v1/name-999');
    expect(places.of(asked('GET', '/api/v1/name-4999'))!.place).not.toBe('GET /api/v1/name-4999');
    reads = 0;
    expect(places.of(asked('GET', `/${'x'.repeat(30_000)}`))).toBeUndefined();
    expect(reads).toBe(0);
  });
});
