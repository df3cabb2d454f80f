import { summarize } from '../../test-case/read-task.js';
import { shouldSucceed, tryBodies } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

const telemetry: TestCase = {
  id: 'resources/telemetry',
  title: 'A batch of events of a client is taken, and what is no JSON is not',
  covers: ['TELEMETRY-01'],
  operations: ['sendTelemetry'],
  async run(t: TestContext) {
    const name = t.unique();
    const timestamp = new Date(t.now()).toISOString();
    const event = { event: name, timestamp, properties: { harness: 'taskdouble' } };
    const bodies = [
      { events: [event, event] },
      { events: [{ ...event, name, type: name, time: timestamp }] },
      { events: [{ name, timestamp, properties: {} }] },
      { batch: [event] },
      [event],
      event,
    ];
    const taken = await tryBodies(t, 'sendTelemetry', {}, bodies);
    shouldSucceed(t, 'TELEMETRY-01', taken, 'POST /telemetry');
    const raw = { content: '{"events": [', type: 'application/json' };
    const refused = await t.send('sendTelemetry', { raw });
    if (refused.ok)
      t.inconclusive('POST /telemetry takes anything, JSON or not: nothing shows that it reads it');
    t.expect(
      'TELEMETRY-01',
      taken.ok,
      `POST /telemetry with a batch: expected it to be taken, got ${summarize(taken)}`,
      taken,
      refused,
    );
  },
};

export const telemetryCases: readonly TestCase[] = [telemetry];
