import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateScenario } from '../../conformance/client/generate/generate-scenario.js';
import type { Organisation } from '../../mock/engine/organisation.js';
import type { Task } from '../../mock/engine/tasks/task.js';
import { formatPollResponse } from '../../mock/engine/tasks/view.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { isTerminal, type TaskEvent } from '../../spec/vocabulary.js';
import { countRuns } from '../support/depth.js';
import { startMock, type TestMock } from '../support/mock/mock.js';

/** FC_SEED repeats a run or makes another one; FC_RUNS makes it longer. */
const SEED = Number(process.env.FC_SEED ?? 30);
const RUNS = Number(process.env.FC_RUNS ?? countRuns({ quick: 15, deep: 200 }));
const START_MS = 1_800_000_000_000;
/** The longest time that a skipping clock goes on by where it may not jump, ms. */
const PAUSE_MS = 500;

/** How one of two readers polls: from where it is, from there again, everything, an older position; or not at all. */
const HOW = ['on', 'on', 'on', 'again', 'all', 'older', 'not'] as const;
interface Read {
  reader: 0 | 1;
  how: (typeof HOW)[number];
  /** What an eager clock's wall goes on by before it, ms. */
  pause_ms: number;
}
const read: fc.Arbitrary<Read> = fc.record({
  reader: fc.constantFrom(0, 0, 1),
  how: fc.constantFrom(...HOW),
  pause_ms: fc.constantFrom(0, 1, 300, 500, 2500),
});

/** The network aside: it counts and delays requests, and a twin sends the same ones. */
function drawn(number: number): Scenario {
  const scenario = generateScenario(30, number);
  const timeline = scenario.timeline.filter((step) => !('network' in step));
  const { task = null, custom_tools = [] } = scenario.request;
  return { ...scenario, match: {}, request: { task, custom_tools }, timeline };
}

/** A mock with one task, and the same requests to it whatever its clock. */
class Side {
  private constructor(
    readonly mock: TestMock,
    readonly task: Task,
  ) {}

  static async open(scenario: Scenario, mock: TestMock): Promise<Side> {
    mock.service.reset();
    mock.service.scenarios.replace([scenario]);
    const id = await mock.create(scenario.request);
    return new Side(mock, mock.service.organisations.get('a')!.tasks.get(id)!);
  }

  get organisation(): Organisation {
    return this.task.organisation;
  }

  /** What a poll from `event_t` would bring now. */
  peek(event_t: number): string {
    return formatPollResponse(this.task, event_t, false).text;
  }

  poll(event_t: number) {
    return this.mock.poll(this.task.id, event_t);
  }

  send(event: Record<string, unknown>) {
    return this.mock.sendEvent(this.task.id, event);
  }
}

/** What the client does beside polling: it replies at once, and sends the actions of the scenario one by one. */
function clientOf({ timeline }: Scenario) {
  const actions = timeline.filter((step) => 'client' in step && ['action', 'close'].includes(step.client));
  const handled = new Set<string>();
  let sent = 0;
  const next = (): Record<string, unknown>[] => {
    const step = actions[sent] as { client: string; name?: string; input?: object } | undefined;
    if (!step) return [];
    const name = step.client === 'close' ? 'close' : step.name!;
    const kind = name === 'close' || name === 'run_task' ? 'session_action' : 'browser_action';
    return [{ id: `action-${sent++}`, name: kind, payload: { name, input: step.input ?? {} } }];
  };
  return {
    start: next,
    /** What it sends once it has read these events. */
    take(events: readonly TaskEvent[]) {
      const fresh = events.filter(({ id }) => !handled.has(id));
      for (const { id } of fresh) handled.add(id);
      return fresh.flatMap((event): Record<string, unknown>[] => {
        if ('code' in event.payload) return event.id === `action-${sent - 1}` ? next() : [];
        return [{ id: event.id, name: 'tool_call', payload: { code: 200, output: 1 } }];
      });
    },
  };
}

const stateOf = (text: string) => text.replace(/,"events":.*$/s, '');
const eventsIn = (text: string): TaskEvent[] => JSON.parse(text).r.events ?? [];

async function startBoth(mode: 'skipping' | 'eager') {
  const wall = { now: START_MS };
  const timers = { set: () => 0, clear: () => {} };
  const options = { seed: 5, startMs: START_MS, wall: () => wall.now, timers };
  const jumping = await startMock({ ...options, clock: mode });
  return { mode, wall, mocks: { jumping, manual: await startMock(options) } };
}

/**
 * Plays the reads against a mock whose clock jumps. A twin with a manual clock gets the same requests, and waits before each as
 * long as the other has jumped.
 */
async function compare(
  { mode, wall, mocks }: Awaited<ReturnType<typeof startBoth>>,
  number: number,
  reads: readonly Read[],
): Promise<number> {
  const scenario = drawn(number);
  wall.now = START_MS;
  const side = await Side.open(scenario, mocks.jumping);
  const twin = await Side.open(scenario, mocks.manual);
  const client = clientOf(scenario);
  const sendAll = async (events: readonly Record<string, unknown>[]) => {
    for (const event of events) for (const each of [side, twin]) await each.send(event);
  };
  await sendAll(client.start());
  const cursors = [[0], [0]];
  /** What the last poll from a position brought, and how often. */
  const given = new Map<number, { text: string; times: number }>();
  let jumps = 0;
  for (const { reader, how, pause_ms } of reads) {
    wall.now += mode === 'eager' ? pause_ms : 0;
    side.organisation.catchUp();
    if (how === 'not') continue;
    const known = cursors[reader]!;
    const event_t =
      how === 'all' ? 0 : how === 'on' ? known.at(-1)! : (known.at(how === 'again' ? -2 : 0) ?? 0);
    const { now: before } = side.organisation;
    const [plain, last] = [side.peek(event_t), given.get(event_t)];
    const wasOver = isTerminal(side.task.status);
    const wasWithheld = side.task.withheld_since !== null;
    const { text } = await side.poll(event_t);
    const jumped_ms = side.organisation.now - before;
    if (jumped_ms > 0) jumps++;

    // What this position has not been given comes without a jump: twice, for those who throw the first away.
    const isNew = last === undefined || stateOf(last.text) !== stateOf(plain) || last.text !== plain;
    const isOwed = eventsIn(plain).length > 0 && (mode === 'eager' || (last?.times ?? 0) < 2);
    if (isNew || isOwed) expect([jumped_ms, text]).toEqual([0, plain]);
    // The last event stays readable before the end for as long as the mock promises.
    if (wasWithheld && !wasOver) expect(jumped_ms).toBeLessThanOrEqual(mode === 'eager' ? 0 : PAUSE_MS);
    if (isTerminal(side.task.status) && !wasOver && side.task.withheld_since !== null)
      expect(wasWithheld).toBe(true);

    // The twin waits, and learns nothing sooner.
    await twin.mock.control.clock.set({ advance: before - twin.organisation.now });
    for (let due = twin.organisation.schedule.next(); due < side.organisation.now; ) {
      await twin.mock.control.clock.set({ to: 'next' });
      if (twin.organisation.now < side.organisation.now) expect(twin.peek(event_t)).toBe(plain);
      due = twin.organisation.schedule.next();
    }
    await twin.mock.control.clock.set({ advance: side.organisation.now - twin.organisation.now });
    expect((await twin.poll(event_t)).text).toBe(text);

    given.set(event_t, { text, times: last?.text === text ? last.times + 1 : 1 });
    const newest = Math.max(event_t, ...eventsIn(text).map(({ timestamp }) => timestamp));
    if (newest > known.at(-1)!) known.push(newest);
    if (newest > event_t && !given.has(newest))
      given.set(newest, { text: text.replace(/,"events":\[.*\]/s, ',"events":[]'), times: 0 });
    if (!isTerminal(JSON.parse(text).r.status)) await sendAll(client.take(eventsIn(text)));
  }
  return jumps;
}

const on = (reader: Read['reader']): Read => ({ reader, how: 'on', pause_ms: 0 });
/** Jumps too far that long runs have found: past what one of two readers was given, and past the last event before the end. */
const FOUND: [number, Read[]][] = [
  [2404, [on(0), on(1), ...Array.from({ length: 19 }, () => on(0))]],
  [4674, Array.from({ length: 20 }, () => on(0))],
];

describe.each(['skipping', 'eager'] as const)('a clock that is %s', (mode) => {
  it('brings each poll of any reader what it would have brought without a jump, but sooner', async () => {
    const both = await startBoth(mode);
    let jumps = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5000 }),
        fc.array(read, { minLength: 20, maxLength: 60 }),
        async (number, reads) => {
          jumps += await compare(both, number, reads);
        },
      ),
      { seed: SEED, numRuns: RUNS, examples: FOUND },
    );
    expect(jumps).toBeGreaterThan(RUNS / 2);
  });
});
