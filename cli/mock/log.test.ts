import { describe, expect, it } from 'vitest';
import { createMock } from '../../index.js';
import { TaskLog } from './log.js';

const headers = { apikey: 'k', 'content-type': 'application/json' };

/** What the log says about one task request through this network. */
async function logOf(network: string, body: object = { task: 'Something of my own' }): Promise<string[]> {
  const lines: string[] = [];
  const log = new TaskLog(
    (line) => lines.push(line),
    () => 0,
  );
  const mock = createMock({ clock: 'skipping', network, onExchange: (exchange) => log.exchange(exchange) });
  await mock
    .fetch('/api/v1/task', { method: 'POST', headers, body: JSON.stringify(body) })
    .catch(() => undefined);
  await mock.close();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are of no interest here.
  return lines.map((line) => line.replace(/\u001b\[\d+m/g, ''));
}

describe('the log of tasks', () => {
  it.each([
    ['delay 0ms', /^created \S+ improvises \(network: answer delayed 0 ms/],
    ['fail 500 side response of create', /^created \S+ improvises; the client got 500 .*\(network: /],
    ['garble of create', /^created \S+ improvises; the client got 502 \(network: /],
    ['drop side response of create', /^created \S+ improvises; the client got no answer \(network: /],
    ['drop request of create', /^lost {4}a request for a new task was not handled/],
    ['fail 503 of create', /^refused a task: 503 /],
  ])('says what became of it when the network does this: %s', async (network, line) => {
    expect(await logOf(network)).toEqual([expect.stringMatching(line)]);
  });

  it('says which scenario of the library a task comes near to, and why it does not follow it', async () => {
    const near = { task: 'Tell me the title of the page at https://example.com' };
    expect(await logOf('delay 0ms', near)).toEqual([
      expect.stringMatching(/no scenario matched; polling\/one-shot came nearest: its task is/),
    ]);
  });
});
