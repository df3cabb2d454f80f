import { checkClient } from '../../conformance/client/check-client.js';
import type { ClientFunction } from '../../conformance/client/types.js';
import type { CheckResult } from '../../conformance/service/runner/result.js';
import { type EditedClient, loadEdited, readEdits } from './edited-clients.js';

/** Conversations of one seed. Runs of many seeds keep less in memory than one long run. */
const OF_A_SEED = 200;

/** The first check that fails in `client --search N`: the run ends with it. */
async function checkToFirst(client: ClientFunction, search: number, seed: number) {
  const stop = new AbortController();
  let failed: CheckResult | undefined;
  const { signal } = stop;
  const scenarios = seed === 1 ? undefined : [];
  await checkClient({ client, search, seed, signal, ...(scenarios && { scenarios }) }, (event) => {
    if (event.type !== 'check' || !['failed', 'error'].includes(event.check.outcome)) return;
    failed ??= event.check;
    stop.abort();
  });
  return failed;
}

/** What finds a client: a scenario of the library, or one of `search` generated conversations, of seed 1, 2, … */
export async function firstFailure(edit: EditedClient, search: number): Promise<CheckResult | undefined> {
  const client = await loadEdited(edit);
  for (let seed = 1; (seed - 1) * OF_A_SEED < search; seed++) {
    const left = search - (seed - 1) * OF_A_SEED;
    const failed = await checkToFirst(client, Math.min(OF_A_SEED, left), seed);
    if (failed) return failed;
  }
  return undefined;
}

export interface Finds {
  /** Clients that a scenario of the library finds. */
  byScenario: string[];
  bySearch: string[];
  missed: string[];
}

/** `names`: those clients alone, all unless there is one. `onClient` gets each with what found it. */
export async function findAll(
  file: 'buggy-edits.txt' | 'correct-edits.txt',
  search: number,
  { names = [] }: { names?: readonly string[] } = {},
  onClient: (edit: EditedClient, failed: CheckResult | undefined) => void = () => {},
): Promise<Finds> {
  const finds: Finds = { byScenario: [], bySearch: [], missed: [] };
  for (const edit of readEdits(file)) {
    if (names.length > 0 && !names.includes(edit.name)) continue;
    const failed = await firstFailure(edit, search);
    onClient(edit, failed);
    if (!failed) finds.missed.push(edit.name);
    else finds[failed.case.startsWith('generated/') ? 'bySearch' : 'byScenario'].push(edit.name);
  }
  return finds;
}
