import { afterEach, describe, expect, it } from 'vitest';
import { closeAll, startProxy, startService } from '../../test/support/proxy/servers.js';
import { type OtherClientOptions, runOtherClient } from '../../test/support/recordings/other-client.js';
import { createOtherService } from '../../test/support/recordings/other-service.js';

afterEach(closeAll);

/** The service on a port. `change` decides what it responds. */
async function listen(change: (response: Response) => Response = (response) => response): Promise<string> {
  const service = createOtherService();
  return startService(async (message, response) => {
    let text = '';
    for await (const chunk of message.setEncoding('utf8')) text += chunk;
    const url = `http://${message.headers.host}${message.url}`;
    const init = { method: message.method!, ...(text !== '' && { body: text }) };
    const { status, headers, body } = change(await service(url, init));
    response.writeHead(status, Object.fromEntries(headers));
    response.end(await new Response(body).text());
  });
}

const TASK = {
  task: 'Look Kyiv up',
  custom_tools: [
    {
      name: 'look_up',
      description: 'Looks a place up',
      inputs: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      output: 'What is known of it',
    },
  ],
};
const RUNS = [
  { code: 400, output: 'place must not be empty' },
  { code: 200, output: { people: 2_952_000 } },
];

/** Failed and passed checks after the client has done its job. */
async function judge(target: string, given: Partial<OtherClientOptions> = {}) {
  const { proxy, url } = await startProxy(target);
  const output = await runOtherClient({ baseUrl: url, apiKey: 'k', task: TASK, runs: RUNS, ...given });
  const { checks } = proxy.report();
  const idsOf = (wanted: string) => checks.flatMap(({ id, outcome }) => (outcome === wanted ? id : []));
  return { output, failed: idsOf('failed'), passed: idsOf('passed') };
}

describe('a client and a service that share no code with taskdouble, on two ports, with a proxy between them', () => {
  it('are both judged correctly', async () => {
    const { output, failed, passed } = await judge(await listen());
    expect(output).toBe('Found: {"people":2952000}');
    expect(failed).toEqual([]);
    for (const each of ['client#replies/code', 'client#replies/once', 'service#TOOL-02', 'service#POLL-02'])
      expect(passed).toContain(each);
  });

  it('show a defect of the client alone', async () => {
    const { failed } = await judge(await listen(), {
      query: (last) => `event_t=${last}&apikey=k`,
    });
    expect(failed).toEqual(['client#auth/key-in-query']);
  });

  it('show a defect of the service alone', async () => {
    const isRunning = ({ status }: Response) => status === 202;
    const target = await listen((response) =>
      isRunning(response)
        ? new Response(response.body, { ...response, headers: response.headers, status: 200 })
        : response,
    );
    const { failed } = await judge(target);
    expect(failed).toEqual(['service#POLL-02']);
  });
});
