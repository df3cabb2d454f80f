import { said } from '../../scenarios/player-read.js';
import type { Probe, Probing } from '../test-case.js';
import { shouldSucceed, withBodies } from './requests.js';

const telemetry: Probe = {
  id: 'resources/telemetry',
  title: 'A batch of events of a client is taken, and what is no JSON is not',
  covers: ['TELEMETRY-01'],
  operations: ['sendTelemetry'],
  async run(t: Probing) {
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
    const taken = await withBodies(t, 'sendTelemetry', {}, bodies);
    shouldSucceed(t, 'TELEMETRY-01', taken, 'POST /telemetry');
    const raw = { content: '{"events": [', type: 'application/json' };
    const refused = await t.send('sendTelemetry', { raw });
    if (refused.ok)
      t.inconclusive('POST /telemetry takes anything, JSON or not: nothing shows that it reads it');
    t.expect(
      'TELEMETRY-01',
      taken.ok,
      `POST /telemetry with a batch: expected it to be taken, got ${said(taken)}`,
      taken,
      refused,
    );
  },
};

export const telemetryProbes: readonly Probe[] = [telemetry];
