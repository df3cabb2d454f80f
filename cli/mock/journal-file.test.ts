import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRecording } from '../../mock/exchange/readers/read-recording.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { JournalFile, toRotatedName } from './journal-file.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-journal-'));
afterAll(() => rmSync(directory, { recursive: true }));
const pathOf = (name: string) => join(directory, name);

function exchange(seq: number, body = 'ü'): Exchange {
  const request = { method: 'GET', url: '/api/v1/usage', headers: {}, at: seq };
  return {
    seq,
    kind: 'getUsage',
    organisation: 'o',
    request,
    response: { status: 200, headers: {}, body, at: seq },
  };
}

async function write(path: string, seqs: readonly number[], maxBytes?: number): Promise<void> {
  const journal = await JournalFile.open(path, { maxBytes, onProblem: (line) => expect.fail(line) });
  for (const seq of seqs) journal.write(exchange(seq));
  await journal.close();
}

const read = async (path: string) => {
  const { exchanges, notes } = await readRecording(path);
  return { seqs: exchanges.map(({ seq }) => seq), notes };
};

describe.each(['a.jsonl', 'b.jsonl.gz'])('the journal file %s', (name) => {
  it('is appended to', async () => {
    const path = pathOf(name);
    await write(path, [1, 2]);
    await write(path, [3]);
    expect(await read(path)).toEqual({ seqs: [1, 2, 3], notes: [] });
  });

  it('is appended to behind what a killed process has left', async () => {
    const path = pathOf(`killed-${name}`);
    await write(path, [1, 2, 3, 4]);
    truncateSync(path, statSync(path).size - 20);
    const torn = await read(path);
    expect(torn.seqs.slice(0, 2)).toEqual([1, 2]);
    expect(torn.notes).toHaveLength(1);
    await write(path, [5, 6]);
    const { seqs } = await read(path);
    expect(seqs).toEqual([...torn.seqs, 5, 6]);
    expect(readdirSync(directory).filter((each) => each.includes('repaired'))).toEqual([]);
  });

  it('can be read while it is written', async () => {
    const path = pathOf(`open-${name}`);
    const journal = await JournalFile.open(path, { onProblem: (line) => expect.fail(line) });
    for (let seq = 1; seq <= 3; seq++) journal.write(exchange(seq));
    await expect
      .poll(() =>
        read(path).then(
          ({ seqs }) => seqs,
          () => [],
        ),
      )
      .toEqual([1, 2, 3]);
    await journal.close();
  });

  it('makes way for a new one at its greatest size, and one before is kept', async () => {
    const path = pathOf(`full-${name}`);
    const journal = await JournalFile.open(path, { maxBytes: 2000, onProblem: (line) => expect.fail(line) });
    for (let seq = 1; seq <= 60; seq++) {
      journal.write(exchange(seq, createHash('sha512').update(String(seq)).digest('hex')));
      // Packed data has a size once it is written.
      if (seq === 30 && name.endsWith('.gz'))
        await expect.poll(() => statSync(path).size).toBeGreaterThan(2000);
    }
    await journal.close();
    const [before, now] = [await read(toRotatedName(path)), await read(path)];
    const both = [...before.seqs, ...now.seqs];
    expect(both.at(-1)).toBe(60);
    expect(both).toEqual(both.map((_, at) => both[0]! + at));
    expect(
      readdirSync(directory).filter((each) => each.startsWith('full-') && each.endsWith(name.slice(1))),
    ).toHaveLength(2);
  });
});

describe('a journal file', () => {
  it('has a number before its endings once it is full', () => {
    expect(['bug.jsonl', 'x/bug.jsonl.gz', 'bug', 'a.b/bug', 'bug.gz'].map(toRotatedName)).toEqual([
      'bug.1.jsonl',
      'x/bug.1.jsonl.gz',
      'bug.1',
      'a.b/bug.1',
      'bug.1.gz',
    ]);
  });

  it('is one with an exchange that is larger than it may be', async () => {
    const path = pathOf('small.jsonl');
    await write(path, [1, 2], 5);
    expect([await read(toRotatedName(path)), await read(path)].map(({ seqs }) => seqs)).toEqual([[1], [2]]);
  });

  it('leaves what is no journal as it is', async () => {
    const path = pathOf('notes.txt');
    writeFileSync(path, 'my notes');
    await write(path, [1]);
    expect(readFileSync(path, 'utf8')).toMatch(/^my notes\n\{"version":1,"seq":1,/);
    const packed = pathOf('not-packed.gz');
    appendFileSync(packed, 'my notes');
    await expect(write(packed, [1])).rejects.toThrow(
      /--journal: .*not-packed\.gz cannot be written: incorrect header check/,
    );
    expect(readFileSync(packed, 'utf8')).toBe('my notes');
  });

  it('cannot be a directory', async () => {
    await expect(write(directory, [1])).rejects.toThrow(/cannot be written: it is a directory; name a file/);
  });
});
