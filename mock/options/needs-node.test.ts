import { afterEach, describe, expect, it, vi } from 'vitest';
import { Mock } from '../mock.js';
import { replayMock } from '../replay/replay-mock.js';
import { NeedsNode } from './needs-node.js';

/** As in a page that is offline: no process, and none of the modules that need Node.js can be fetched. */
const gone = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
vi.mock('./files.js', gone);
vi.mock('../serve/http.js', gone);
vi.mock('../journal/replay/read-file.js', gone);

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The error without Node.js. */
async function said(act: () => Promise<unknown>): Promise<string> {
  const { process: own } = globalThis;
  vi.stubGlobal('process', undefined);
  try {
    await act();
    return 'nothing';
  } catch (error) {
    expect(error).toBeInstanceOf(NeedsNode);
    return (error as Error).message;
  } finally {
    vi.stubGlobal('process', own);
  }
}

describe('without Node.js, functions that need it throw before any module is loaded', () => {
  it.each([
    [{ fixtures: './x.yaml' }, 'fixtures: "./x.yaml" is the path of a file, '],
    [{ scenarios: ['./x.yaml'] }, 'scenarios: "./x.yaml" is the path of a file, '],
    [{ dialect: 'strict' }, 'dialect: "strict" is the name of a file, '],
    [{ network: 'rules.yaml' }, 'network: "rules.yaml" is the path of a file, '],
  ])('%j', async (options, message) => {
    expect(await said(() => new Mock(options).ready)).toContain(
      `${message}which there is only in Node.js; in a browser give `,
    );
  });

  it('ports and recordings', async () => {
    expect(await said(() => new Mock().listen())).toMatch(
      /^mock\.listen\(\) opens a port, .* hand mock\.fetch/,
    );
    expect(await said(() => replayMock([]).listen())).toContain('opens a port');
    expect(await said(() => replayMock('x.jsonl').ready)).toMatch(
      /^replayMock: "x\.jsonl" is the path of a file/,
    );
  });
});
