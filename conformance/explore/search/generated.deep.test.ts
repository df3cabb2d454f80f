import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import { loadFunction } from '../../client/run/function-module.js';
import type { Client } from '../../client/types.js';
import { replay } from '../reproduce/replay.js';
import type { ExploreOptions, Failure } from '../types.js';
import { explore } from './explore.js';

const REFERENCE = join(findPackageRoot(), 'fixtures/clients/reference.mjs');
const LONG = 600_000;

/** It remembers the last five ids only: no default scenario has more events. */
const REMEMBERS_FIVE = `
import { makeClient } from ${JSON.stringify(pathToFileURL(REFERENCE).href)};
export const run = makeClient({
  isNew({ id }) {
    if (this.handled.has(id)) return false;
    this.handled.add(id);
    if (this.handled.size > 5) this.handled.delete([...this.handled][0]);
    return true;
  },
});
`;

let directory: string;
let buggy: Client;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'generated-'));
  buggy = await clientOf(join(directory, 'remembers-five.mjs'), REMEMBERS_FIVE);
});
afterAll(() => rm(directory, { recursive: true }));

async function clientOf(module: string, source?: string): Promise<Client> {
  if (source !== undefined) await writeFile(module, source);
  const { run } = await loadFunction(module);
  return { kind: 'function', run: run!, module };
}

/** Single deviations: as many as are run in threads. */
const search = (client: Client, options: Partial<ExploreOptions> = {}) =>
  explore({ client, seed: 2, schedules: 600, deviations: 1, jobs: 1, timeLimitMs: LONG, ...options });

const shown = ({ key, yaml, schedule }: Failure) => ({ key, yaml, schedule });

describe('explore --scenario generated', { timeout: LONG }, () => {
  it('finds a failure that the default scenarios do not show, minimizes it, and the file reproduces it', async () => {
    const chosen = await search(buggy, { schedules: 1600 });
    expect(chosen.coverage.filter(({ run, of }) => run < of)).toEqual([]);
    expect(chosen.failures).toEqual([]);

    const drawn = await search(buggy, { scenarios: ['generated'] });
    const [failure] = drawn.failures;
    expect(failure).toMatchObject({ foundWith: 1, isNondeterministic: false });
    expect(failure!.changes).toEqual(['listed again']);
    const { scenario } = loadScenarioText(failure!.yaml, { file: 'x.yaml', name: 'x' });
    const kinds = scenario!.timeline.map((step) => ('service' in step ? step.service : 'other'));
    expect(kinds.filter((kind) => kind === 'tool_call')).toHaveLength(6);
    expect(scenario!.request.task).toBe('x');

    const file = join(directory, 'found.yaml');
    await writeFile(file, failure!.yaml);
    for (let time = 0; time < 5; time++) expect((await replay(file, buggy)).shown).toBe(true);
    expect((await replay(file, await clientOf(REFERENCE))).findings).toEqual([]);

    const inThreads = await search(buggy, { scenarios: ['generated'], jobs: 3 });
    expect(inThreads.failures.map(shown)).toEqual(drawn.failures.map(shown));
  });

  it('finds nothing in a correct client', async () => {
    const { failures, progress } = await search(await clientOf(REFERENCE), {
      scenarios: ['generated'],
      schedules: 400,
    });
    expect(failures).toEqual([]);
    expect(progress.schedules).toBe(400);
  });
});
