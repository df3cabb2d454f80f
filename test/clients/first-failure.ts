import { generateScenario } from '../../conformance/client/generate/generate-scenario.js';
import { recordSentFields } from '../../conformance/client/judge/create.js';
import { judgeRun } from '../../conformance/client/judge/verdict.js';
import { explainUnplayable } from '../../conformance/client/run/job.js';
import { loadPairs } from '../../conformance/client/run/pairs.js';
import { play } from '../../conformance/client/run/play.js';
import type { ClientFunction } from '../../conformance/client/types.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { Finding } from '../../spec/vocabulary.js';
import { type EditedClient, loadEdited, readEdits } from './edited-clients.js';

interface FirstFailure {
  scenario: string;
  finding: Finding;
}

/** What `checkClient` plays with a function and `search`. */
async function* generateScenarios(search: number, seed: number): AsyncGenerator<Scenario> {
  const named = [...(await loadLibrary()), ...(await loadPairs())];
  yield* named.filter((scenario) => !explainUnplayable(scenario));
  for (let number = 1; number <= search; number++) yield generateScenario(seed, number);
}

/**
 * The first rule that a client breaks, in a scenario of the library or in one of `search` generated conversations. Faster if the caller
 * has prepared the virtual time.
 */
export async function findFirstFailure(
  run: ClientFunction,
  search: number,
  seed: number,
): Promise<FirstFailure | undefined> {
  const sentFields = new Map<string, string>();
  for await (const scenario of generateScenarios(search, seed)) {
    const isGenerated = scenario.name.startsWith('generated/');
    const played = await play(scenario, { kind: 'function', run }, { seed, ids: scenario.name });
    // A failure of a generated conversation has to show with its file alone.
    const findings = judgeRun(isGenerated ? played : { ...played, sentFields });
    recordSentFields(played, sentFields);
    const finding = findings.find(({ level }) => level === 'must');
    if (finding) return { scenario: scenario.name, finding };
  }
  return undefined;
}

export interface DetectionResult {
  /** Clients that a scenario of the library finds. */
  byScenario: string[];
  bySearch: string[];
  missed: string[];
}

/** `names`: those clients alone, all unless there is one. `onClient` gets each with what found it. */
export async function findAll(
  file: 'buggy-edits.txt' | 'correct-edits.txt',
  search: number,
  { names = [], seed = 1 }: { names?: readonly string[]; seed?: number } = {},
  onClient: (edit: EditedClient, failed: FirstFailure | undefined) => void = () => {},
): Promise<DetectionResult> {
  const finds: DetectionResult = { byScenario: [], bySearch: [], missed: [] };
  // Put in place once: putting it in place takes longer than a run.
  const restoreTime = prepareVirtualTime();
  try {
    for (const edit of readEdits(file)) {
      if (names.length > 0 && !names.includes(edit.name)) continue;
      const failed = await findFirstFailure(await loadEdited(edit), search, seed);
      onClient(edit, failed);
      if (!failed) finds.missed.push(edit.name);
      else finds[failed.scenario.startsWith('generated/') ? 'bySearch' : 'byScenario'].push(edit.name);
    }
  } finally {
    restoreTime();
  }
  return finds;
}
