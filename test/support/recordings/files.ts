import type { Exchange } from '../../../spec/vocabulary.js';
import { loadExamples } from '../rules/example.js';
import { GOTO } from '../rules/exchange-builder.js';
import {
  buildExchanges,
  createCallEvent,
  createResultEvent,
  REFUSED,
  type ServiceExchangeBuilder,
  toTimestamp,
} from '../rules/service-exchange-builder.js';
import {
  type HarWriter,
  writeCharles,
  writeChrome,
  writeFirefox,
  writeMitmproxy,
  writePlaywright,
  writeSafari,
} from './writers.js';

interface RecordedConversation {
  write: HarWriter;
  /** The rules that the client and the service break. */
  client: keyof typeof CLIENTS;
  service: string;
}

const buildCall = () =>
  buildExchanges()
    .createWithTool()
    .poll(0, { events: [createCallEvent('c1', 10)] });

/** Clients that break one rule, with a correct service. */
const CLIENTS = {
  'replies/code': () => buildCall().sendReply('c1', 501).complete(toTimestamp(10)),
  'polling/event-t-missing': () =>
    buildExchanges()
      .createWithTool()
      .poll(undefined, { events: [createCallEvent('c1', 10)] })
      .sendReply('c1')
      .poll(undefined, { events: [createCallEvent('c1', 10), createCallEvent('c2', 600)] })
      .sendReply('c2')
      .complete(undefined, { events: [createCallEvent('c1', 10), createCallEvent('c2', 600)] }),
  'replies/once': () => buildCall().sendReply('c1').wait(100).sendReply('c1').complete(toTimestamp(10)),
  'actions/known-name': () =>
    buildExchanges()
      .createSession()
      .send('a1', 'browser_action', { name: 'navigate', input: { url: 'https://example.com' } }, REFUSED)
      .close()
      .complete(0),
  'replies/complete': () => buildCall().send('c1', 'tool_call', { code: 200 }).complete(toTimestamp(10)),
  'actions/unique-id': () =>
    buildExchanges()
      .createSession()
      .send('a1', 'browser_action', GOTO)
      .poll(0, { events: [createResultEvent('a1', 10)] })
      .send('a1', 'browser_action', { name: 'extract', input: { schema: { type: 'object' } } }, REFUSED)
      .close()
      .complete(toTimestamp(10)),
} satisfies Record<string, () => ServiceExchangeBuilder>;

/** The HAR files in fixtures/recordings. Each has a client with a correct service, and a client with an incorrect service. */
export const RECORDINGS: Readonly<Record<string, RecordedConversation>> = {
  'chrome.har': { write: writeChrome, client: 'replies/code', service: 'calls/input' },
  'firefox.har': { write: writeFirefox, client: 'polling/event-t-missing', service: 'events/timestamp' },
  'playwright.har': { write: writePlaywright, client: 'replies/once', service: 'tasks/http-status' },
  'mitmproxy.har': { write: writeMitmproxy, client: 'actions/known-name', service: 'results/code' },
  'charles.har': { write: writeCharles, client: 'replies/complete', service: 'lifecycle/end-stays' },
  'safari.har': { write: writeSafari, client: 'actions/unique-id', service: 'responses/envelope' },
};

/** Records both conversations concurrently, each with its own key. */
async function recordExchanges({
  client,
  service,
}: Pick<RecordedConversation, 'client' | 'service'>): Promise<Exchange[]> {
  const both = [CLIENTS[client](), Object.values((await loadExamples('service'))[service]!.bad)[0]!.talk];
  const exchanges = both.flatMap(({ exchanges: its }, n) =>
    its.map(({ request, response, ...rest }): Exchange => {
      const headers =
        'apikey' in request.headers
          ? { ...request.headers, apikey: `cmzr-key-of-team-${n + 1}` }
          : request.headers;
      const shift_ms = n * 200;
      return {
        ...rest,
        organisation: `org-${n + 1}`,
        request: { ...request, headers, at: request.at + shift_ms },
        ...(response && { response: { ...response, at: response.at + shift_ms } }),
      };
    }),
  );
  exchanges.sort((one, other) => one.request.at - other.request.at);
  return exchanges.map((exchange, n) => ({ ...exchange, seq: n + 1 }));
}

export async function formatRecording(name: string): Promise<string> {
  const recorded = RECORDINGS[name]!;
  return `${JSON.stringify(recorded.write(await recordExchanges(recorded)), null, 1)}\n`;
}
