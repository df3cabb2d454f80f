import type { Exchange } from '../../../spec/vocabulary.js';
import { loadExamples } from '../rules/example.js';
import { at, called, REFUSED, result, type ServiceTalk, talk } from '../rules/service-talk.js';
import { GOTO } from '../rules/talk.js';
import { charles, chrome, firefox, mitmproxy, playwright, safari, type Writer } from './writers.js';

interface Recorded {
  write: Writer;
  /** The rule that the client breaks, and the one that the service breaks. */
  client: keyof typeof CLIENTS;
  service: string;
}

const withCall = () =>
  talk()
    .withTool()
    .poll(0, { events: [called('c1', 10)] });

/** A client that breaks one rule, with a service that breaks none. */
const CLIENTS = {
  'replies/code': () => withCall().answer('c1', 501).end(at(10)),
  'polling/event-t-missing': () =>
    talk()
      .withTool()
      .poll(undefined, { events: [called('c1', 10)] })
      .answer('c1')
      .poll(undefined, { events: [called('c1', 10), called('c2', 600)] })
      .answer('c2')
      .end(undefined, { events: [called('c1', 10), called('c2', 600)] }),
  'replies/once': () => withCall().answer('c1').wait(100).answer('c1').end(at(10)),
  'actions/known-name': () =>
    talk()
      .session()
      .send('a1', 'browser_action', { name: 'navigate', input: { url: 'https://example.com' } }, REFUSED)
      .close()
      .end(0),
  'replies/complete': () => withCall().send('c1', 'tool_call', { code: 200 }).end(at(10)),
  'actions/unique-id': () =>
    talk()
      .session()
      .send('a1', 'browser_action', GOTO)
      .poll(0, { events: [result('a1', 10)] })
      .send('a1', 'browser_action', { name: 'extract', input: { schema: { type: 'object' } } }, REFUSED)
      .close()
      .end(at(10)),
} satisfies Record<string, () => ServiceTalk>;

/** The HAR files in fixtures/recordings: in each, a client talks with a service that is right, and another with one that is not. */
export const RECORDINGS: Readonly<Record<string, Recorded>> = {
  'chrome.har': { write: chrome, client: 'replies/code', service: 'calls/input' },
  'firefox.har': { write: firefox, client: 'polling/event-t-missing', service: 'events/timestamp' },
  'playwright.har': { write: playwright, client: 'replies/once', service: 'tasks/http-status' },
  'mitmproxy.har': { write: mitmproxy, client: 'actions/known-name', service: 'results/code' },
  'charles.har': { write: charles, client: 'replies/complete', service: 'lifecycle/end-stays' },
  'safari.har': { write: safari, client: 'actions/unique-id', service: 'responses/envelope' },
};

/** Both conversations at once, each with a key of its own. */
export async function exchangesOf({
  client,
  service,
}: Pick<Recorded, 'client' | 'service'>): Promise<Exchange[]> {
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

export async function textOf(name: string): Promise<string> {
  const recorded = RECORDINGS[name]!;
  return `${JSON.stringify(recorded.write(await exchangesOf(recorded)), null, 1)}\n`;
}
