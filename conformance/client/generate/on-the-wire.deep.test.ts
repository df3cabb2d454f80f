import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { TASK_STATUSES } from '../../../spec/vocabulary.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { loadFunction } from '../run/function-module.js';
import { play } from '../run/play.js';
import type { Client, ClientRun } from '../types.js';
import { generateScenario } from './generate-scenario.js';
import { FIELD_TURNS } from './request-fields.js';

/** A short search. */
const CONVERSATIONS = 200;

const runs: ClientRun[] = [];
beforeAll(async () => {
  const { run } = await loadFunction(join(findPackageRoot(), 'fixtures/clients/reference.mjs'));
  const client: Client = { kind: 'function', run: run! };
  for (let number = 1; number <= CONVERSATIONS; number++)
    runs.push(await play(generateScenario(1, number), client));
}, 120_000);

const exchanges = (): Exchange[] => runs.flatMap((run) => run.exchanges);
const bodies = (side: 'request' | 'response'): string[] =>
  exchanges().flatMap((exchange) => exchange[side]?.body ?? []);

/** What both sides send, each as it stands in a body of JSON. */
const VALUES: Readonly<Record<string, RegExp>> = {
  null: /[:[,]null/,
  false: /[:[,]false/,
  zero: /[:[,]0[,}\]]/,
  'an empty text': /[:[,]""/,
  'an empty list': /[:[,]\[\]/,
  'an empty object': /[:[,]\{\}/,
  '8 levels': /(?:[[{][^[\]{}]{0,30}){8}/,
  'a long list': /(?:[\d.]+,|null,){100}/,
  'a long text': /"[^"]{1000}/,
  '2^31': /[:[,]-?2147483648/,
  '2^53 - 1': /[:[,]-?9007199254740991/,
  'the largest number': /1\.7976931348623157e\+?308/,
  'a small number': /[:[,]1e-7/,
  'a fraction': /0\.30000000000000004/,
  'a number as a text': /"007"|"1e3"/,
  'JSON as a text': /"[^"]*\{\\"code\\":400/,
  'a text that looks like another type': /"(?:true|null|NaN|undefined)"/,
  'a date': /2026-02-30/,
  'control characters': /\\u0001\\u001f/,
  'line breaks': /\\r\\n/,
  markup: /<b>&amp;<\/b>/,
  'combining characters': /e\u0301/,
  'letters of many scripts': /кириллица|中文|हिन्दी/,
  'right to left': /שלום/,
  'surrogate pairs': /[\u{10000}-\u{10ffff}]/u,
  'characters without a width': /\u200b/,
  'a field named __proto__': /"__proto__":/,
  'a field named as a property of objects': /"constructor":/,
};

describe('on the wire of 200 generated conversations', () => {
  it.each(Object.entries(VALUES))('%s is sent in both directions', (_, pattern) => {
    for (const side of ['request', 'response'] as const)
      expect(
        bodies(side).some((body) => pattern.test(body)),
        side,
      ).toBe(true);
  });

  it('a body is larger than 64 KiB, arrives in parts, and is compressed', () => {
    expect(Math.max(...bodies('response').map((body) => body.length))).toBeGreaterThan(70_000);
    for (const form of ['throttle', 'compress'])
      expect(exchanges().some(({ network }) => network?.some(({ verb }) => verb === form))).toBe(true);
  });

  it('ids differ in letter case, in the end, in zeros, in accents and beyond 2^53', () => {
    const listed = runs.map(({ tasks }) => tasks.flatMap(({ calls }) => calls.map(({ id }) => id)));
    const isAlike = (equal: (id: string) => string) =>
      listed.some((ids) => new Set(ids).size === ids.length && new Set(ids.map(equal)).size < ids.length);
    expect(isAlike((id) => id.toLowerCase())).toBe(true);
    expect(isAlike((id) => id.slice(0, 100))).toBe(true);
    expect(isAlike((id) => id.replace(/^0+/, ''))).toBe(true);
    expect(isAlike((id) => id.normalize('NFC'))).toBe(true);
    expect(isAlike((id) => String(Number(id) || id))).toBe(true);
  });

  it('calls are delivered together with the result of an action', () => {
    // A cancel ends actions whatever calls are open.
    const whole = runs.filter(({ job }) => job.cancel_after_ms === null);
    const areTogether = whole.some((run) => {
      const read = run.exchanges.map((exchange) => new ReadExchange(exchange));
      const actions = new Set(read.map(({ action }) => action?.id));
      const seen = new Set<string>();
      return read.some(({ wholeEvents }) => {
        const fresh = wholeEvents.filter(({ key }) => !seen.has(key));
        for (const { key } of fresh) seen.add(key);
        const hasCall = fresh.some(({ shape }) => shape === 'call');
        return hasCall && fresh.some(({ shape, id }) => shape === 'result' && actions.has(id));
      });
    });
    expect(areTogether).toBe(true);
  });

  it('a client has more than eight tools', () => {
    const tools = runs.map(({ job }) => (job.request.custom_tools as unknown[] | undefined)?.length ?? 0);
    expect(Math.max(...tools)).toBeGreaterThan(8);
  });

  it('each field of the request is sent in turn, null, left out, and all together', () => {
    const sent = runs.map(({ exchanges: [create] }) => JSON.parse(create!.request.body!) as object);
    const names = new Set(sent.flatMap(Object.keys));
    expect(Math.max(...sent.map((body) => Object.keys(body).length))).toBeGreaterThanOrEqual(FIELD_TURNS);
    expect(names.size).toBeGreaterThanOrEqual(FIELD_TURNS + 2);
    expect(
      sent.some((body) => Object.entries(body).some(([name, value]) => name !== 'task' && value === null)),
    ).toBe(true);
  });

  it('each kind of request is refused with each status', () => {
    const refused = exchanges().flatMap(({ kind, request, response, network }) => {
      if (!network?.some(({ effect }) => effect === 'replaced')) return [];
      const isClose = kind === 'action' && request.body?.includes('"name":"close"');
      return `${isClose ? 'close' : kind} ${response!.status}`;
    });
    for (const kind of ['create', 'poll', 'reply', 'action', 'close', 'cancel'])
      for (const status of [400, 401, 404, 409, 422, 429, 500, 503])
        expect(refused).toContain(`${kind} ${status}`);
  });

  it('statuses occur in every legal order', () => {
    const orders = new Set(
      runs.flatMap(({ exchanges: all }) => {
        const seen = all.flatMap(({ request, response }) =>
          request.method === 'GET' ? (/"status":"(\w+)"/.exec(response?.body ?? '')?.[1] ?? []) : [],
        );
        return seen.slice(1).map((status, at) => `${seen[at]} ${status}`);
      }),
    );
    for (const before of ['waiting', 'running'])
      for (const after of TASK_STATUSES) expect(orders).toContain(`${before} ${after}`);
  });

  it('tasks and sessions are stopped before, between and after events, and too late', () => {
    const stops = runs.flatMap(({ exchanges: all, tasks }) => {
      const at = all.findIndex(({ request }) => request.method === 'DELETE');
      if (at === -1) return [];
      const before = all.slice(0, at).filter(({ response }) => /"events":\[\{/.test(response?.body ?? ''));
      const [task] = tasks;
      return {
        events: before.length,
        isLate: all[at]!.response?.status !== 200,
        isDone: task?.status !== 'cancelled',
      };
    });
    expect(stops.some(({ events }) => events === 0)).toBe(true);
    expect(stops.some(({ events }) => events === 1)).toBe(true);
    expect(stops.some(({ events }) => events > 1)).toBe(true);
    expect(stops.some(({ isLate }) => isLate)).toBe(true);
    expect(stops.some(({ isDone }) => isDone)).toBe(true);
    expect(bodies('request').some((body) => body.includes('"name":"close"'))).toBe(true);
  });
});
