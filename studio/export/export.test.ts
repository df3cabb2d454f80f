import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '../../mock/exchange/readers/read-recording.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { formatHar, formatJournal } from './export-menu.js';
import { formatClientStep } from './format-request.js';

const ID = '4a4824d4-01c1-479b-ac70-a7749948134c';

function exchange(kind: string, body?: object): Exchange {
  const isPoll = kind === 'poll';
  return {
    seq: isPoll ? 2 : 1,
    organisation: 'org-1',
    kind,
    operation: isPoll ? 'getTask' : 'sendTaskEvent',
    task: ID,
    request: {
      method: isPoll ? 'GET' : 'POST',
      url: `/api/v1/task/${ID}${isPoll ? '?event_t=0' : '/event'}`,
      headers: { apikey: '[redacted]', 'content-type': 'application/json' },
      at: 1_767_225_600_000,
      ...(body && { body: JSON.stringify(body) }),
    },
    response: { status: 200, headers: {}, body: '{"r":{}}', at: 1_767_225_600_010 },
  };
}

const reply = exchange('reply', {
  id: 'c1',
  name: 'tool_call',
  payload: { code: 200, output: { a: 1 } },
  timestamp: 1,
});

describe('a conversation as files', () => {
  it.each([
    ['journal', formatJournal([reply, exchange('poll')])],
    ['HAR', formatHar([reply, exchange('poll')], 'http://127.0.0.1:4010')],
  ])('%s: can be read again', async (format, text) => {
    const directory = mkdtempSync(join(tmpdir(), 'taskdouble-'));
    const file = join(directory, 'file');
    writeFileSync(file, text);
    const recording = await readRecording(file);
    rmSync(directory, { recursive: true });
    expect(recording).toMatchObject({ format, notes: [] });
    expect(recording.exchanges.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'reply'],
      [2, 'poll'],
    ]);
  });
});

describe('a request as a step of a scenario', () => {
  it('has the fields of a client step', () => {
    expect(formatClientStep(reply)).toBe('- client: "reply"\n  to: "c1"\n  code: 200\n  output: {"a":1}\n');
    expect(formatClientStep(exchange('poll'))).toBe('- client: "poll"\n');
    expect(formatClientStep(exchange('create', { task: 'x' }))).toBeUndefined();
  });
});
