import { judgeExchanges } from '../../../conformance/rules/judge.js';
import { serviceRules } from '../../../conformance/rules/service-rules.js';
import { allCases } from '../../../conformance/service/all-cases.js';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { LibraryPlayer } from './library-player.js';

/**
 * Races in which the service breaks a rule intentionally, with the rule. They are played separately; all other races keep the
 * rules and are part of the library.
 */
export const BROKEN: ReadonlyMap<string, string> = new Map([
  ['races/odd-result-code', 'results/code'],
  ['races/reissued-event', 'event-ids/own'],
  ['races/results-reversed', 'event-ids/own'],
  ['races/same-instant-split', 'reading/lossless'],
  ['races/unknown-tool', 'calls/registered'],
]);

const everything = await readLibrary();
/** It would refuse the tasks of all scenarios that follow. */
const LAST = 'errors/create-refused';
const library = everything.filter(({ name }) => !BROKEN.has(name) && name !== LAST);

/** Calls every operation, and sends requests that a service must refuse. */
const walkthrough = allCases.filter(({ id }) =>
  /-answer$|^auth\/(getUsage|listMessages)$|^resources\/task-visibility$|^errors\/(createTask-body|sendTaskEvent-body|setTaskVisibility-parameters|getTask-unknown)$|^limits\/listTasks-l$/.test(
    id,
  ),
);

/** Plays the library and calls every operation, in a dialect. */
export async function playLibrary(dialect: Record<string, unknown> | string): Promise<Exchange[]> {
  const player = await LibraryPlayer.start(dialect);
  for (const scenario of library) await player.play(scenario);
  await player.run(walkthrough);
  const exchanges = player.listExchanges();
  await player.close();
  return exchanges;
}

export async function playAlone(name: string): Promise<Exchange[]> {
  const player = await LibraryPlayer.start({});
  await player.play(everything.find((scenario) => scenario.name === name)!);
  const exchanges = player.listExchanges();
  await player.close();
  return exchanges;
}

/** The findings with their exchanges, so that a failed test shows everything. */
export function listFindings(exchanges: readonly Exchange[]) {
  return judgeExchanges(serviceRules, exchanges)
    .findings()
    .map(({ rule, message, evidence }) => ({
      rule,
      message,
      shown: exchanges.filter(({ seq }) => evidence.includes(seq)),
    }));
}
