import { DEFAULT_ORGANISATION_LIMITS, type Organisation } from '../../../mock/engine/organisation.js';
import type { Task } from '../../../mock/engine/tasks/task.js';
import type { WireResponse } from '../../../mock/exchange/wire.js';
import { Network } from '../../../mock/network/network.js';
import { Organisations } from '../../../mock/pipeline/organisations.js';
import type { NetworkRule, Step } from '../../../scenarios/format/types.js';
import { resolveDialect } from '../../../spec/dialect.js';
import { openPoints } from '../../../spec/generated/documents.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { createPipeline } from '../mock/pipeline.js';

/** One call, then an hour without events. */
export const CALL: Step[] = [
  { service: 'tool_call', id: 'c1', tool: 'look', input: {}, event_id: 'e1' },
  { service: 'finish', after: { time_ms: 3_600_000 } },
];

/** A request of a test. */
export interface SentRequest {
  /** Undefined while there is no response. */
  response: WireResponse | undefined;
  exchange: Exchange;
  /** True if the response was available before the call returned. */
  atOnce: boolean;
}

/** An organisation of the real service with a manual clock, behind network rules. */
export interface Rig {
  organisation: Organisation;
  network: Network;
  send(method: string, path: string, body?: unknown, signal?: AbortSignal): SentRequest;
  /** The next task follows this timeline. */
  queueTimeline(timeline: Step[]): void;
  /** Starts a task that follows the timeline, or a session. */
  start(timeline?: Step[]): Task;
  poll(task: Task, event_t?: number, signal?: AbortSignal): SentRequest;
  reply(task: Task, id: string, code?: number): SentRequest;
  sendAction(task: Task, id: string, name: string): SentRequest;
  /** Advances the clock by `ms` and settles all promises. */
  advance(ms: number): Promise<void>;
}

/** A rule that matches no request of the tests: it activates the network. */
const AWAKE: NetworkRule = { network: 'delay', time_ms: 0, of: { operation: 'listSops' } };

export function createRig(
  rules: NetworkRule[] = [],
  { seed = 'test', onWaiting }: { seed?: string; onWaiting?: () => void } = {},
): Rig {
  const timelines: Step[][] = [];
  const organisations = new Organisations<Network>({
    seed,
    wall: () => 0,
    clock: { mode: 'manual', speed: 1 },
    dialect: resolveDialect({}, openPoints).dialect,
    limits: {
      ...DEFAULT_ORGANISATION_LIMITS,
      exchanges: 1000,
      journalCharacters: 1e6,
      totalExchanges: 5e4,
      totalCharacters: 1e6,
      bodyCharacters: 65_536,
      organisations: 10,
    },
    getOrigin: () => 'http://mock.test',
    runScript: async () => ({ code: 200, output: null }),
    getGenerators: () => ({
      findProblem: () => undefined,
      generateValue: () => ({}),
      isValid: () => false,
      generateText: (task) => `Done: ${task}`,
    }),
    createNetwork: (organisation) => new Network(organisation, onWaiting),
    onPlanned() {},
    onClosed() {},
    onNote() {},
    onPolledInVain() {},
    onExchange() {},
    initialize(organisation) {
      const choose = () => {
        const timeline = timelines.shift();
        return (
          timeline && {
            name: 'test',
            title: 'Test',
            covers: [],
            match: 'never' as const,
            request: {},
            timeline,
          }
        );
      };
      organisation.sources = [
        { listNames: () => [], findByName: () => undefined, choose, findNearest: () => undefined },
      ];
    },
  });
  const pipeline = createPipeline(organisations);
  const organisation = organisations.open('key');
  const network = organisation.network;
  network.set([AWAKE, ...rules]);

  const rig: Rig = {
    organisation,
    network,
    send(method, path, body, signal) {
      const result = pipeline.handle({
        method,
        url: `/api/v1${path}`,
        headers: { apikey: 'key', 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        loopback: true,
        signal,
      });
      const sent: SentRequest = {
        response: undefined,
        exchange: organisation.journal.read().at(-1)!,
        atOnce: false,
      };
      const seq = sent.exchange.seq;
      if (result instanceof Promise) {
        result.then((response) => {
          sent.response = response;
          sent.exchange = organisation.journal.read().find((exchange) => exchange.seq === seq)!;
        });
      } else {
        sent.response = result;
        sent.atOnce = true;
      }
      return sent;
    },
    queueTimeline: (timeline) => timelines.push(timeline),
    start(timeline) {
      if (timeline) rig.queueTimeline(timeline);
      rig.send('POST', '/task', { task: timeline ? 'Do it' : null });
      return [...organisation.tasks.values()].at(-1)!;
    },
    poll: (task, event_t = 0, signal) =>
      rig.send('GET', `/task/${task.id}?event_t=${event_t}`, undefined, signal),
    reply: (task, id, code = 200) =>
      rig.send('POST', `/task/${task.id}/event`, { id, name: 'tool_call', payload: { code, output: 'ok' } }),
    sendAction: (task, id, name) =>
      rig.send('POST', `/task/${task.id}/event`, {
        id,
        name: 'browser_action',
        payload: { name, input: { url: 'https://example.com' } },
      }),
    async advance(ms) {
      organisation.advanceTo(organisation.now + ms);
      await settlePromises();
    },
  };
  return rig;
}

export async function settlePromises(): Promise<void> {
  for (let i = 0; i < 30; i++) await Promise.resolve();
}

export function readBody(sent: SentRequest): unknown {
  return JSON.parse(sent.response!.body as string);
}

export function readEvents(sent: SentRequest): { id: string; timestamp: number }[] {
  return (readBody(sent) as { r: { events: { id: string; timestamp: number }[] } }).r.events;
}

export function readNotes({ exchange }: SentRequest): string[] {
  return exchange.network?.map(({ note }) => note) ?? [];
}
