import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { ProcessMessage, TimeServerMessage } from './remote-messages.js';
import schema from './time.schema.json' with { type: 'json' };

const isMessage = new Ajv2020({ strict: false }).compile(schema);

describe('the schema of the time protocol', () => {
  it.each<[ProcessMessage | TimeServerMessage]>([
    [{ hello: 'token', pid: 1, process: '1.2' }],
    [{ response: 1 }],
    [{ response: 2, standing: { next: null, started: 1, open: 1, children: 0 } }],
    [{ now: 1, n: 1, seed: 'client-1, process 1' }],
    [{ now: 1.5, n: 3 }],
    [{ ask: 2 }],
    [{ fire: 1.5 }],
    [{ not_virtual: 'it forked a process' }],
  ])('accepts %j', (message) => {
    expect(isMessage(message)).toBe(true);
  });

  it.each([[{}], [{ now: 1 }], [{ ask: '2' }], [{ response: 2, standing: { next: null } }]])(
    'does not accept %j',
    (message) => {
      expect(isMessage(message)).toBe(false);
    },
  );
});
