import { loadLibrary } from '../../../scenarios/format/library/library.js';
import type { OtherJob, Scenario } from '../../../scenarios/format/types.js';

type Pair = [first: string, starts: OtherJob['starts'], second: string, same_key?: 'same key'];

/** In the order of their play. All are short: a pair costs as much as two scenarios. */
const PAIRS: readonly Pair[] = [
  // The first scenario of the library: it passes alone in a process that has done nothing else.
  ['auth/key-in-header', 'before', 'auth/key-in-header', 'same key'],
  ['tool-calls/two-tools', 'before', 'tool-calls/one-call'],
  // Ids of events are unique in a task: both have the same.
  ['tool-calls/parallel-calls', 'before', 'tool-calls/parallel-calls'],
  ['sessions/null-output', 'before', 'sessions/close-by-delete'],
  ['resources/all-request-fields', 'before', 'polling/one-shot'],
  ['auth/key-withdrawn', 'before', 'tool-calls/one-call'],
  ['status-codes/cancelled-by-client', 'before', 'tool-calls/one-call'],
  ['tool-calls/one-call', 'with', 'tool-calls/two-tools'],
  ['status-codes/cancelled-by-client', 'with', 'polling/wait-again'],
  ['tool-calls/one-call', 'with', 'sessions/run-task-with-tools', 'same key'],
  // Polls of both are under way at the same time.
  ['errors/slow-network', 'with', 'tool-calls/one-call'],
];

/** Two jobs of the library in one process, as scenarios. Only a client that is a function plays them. */
export async function loadPairs(): Promise<Scenario[]> {
  const all = new Map((await loadLibrary()).map((each) => [each.name, each]));
  return PAIRS.map(([first, starts, second, same_key]) => {
    const scenario = all.get(second)!;
    return {
      ...scenario,
      name: `${first} ${starts === 'before' ? 'then' : 'with'} ${second}`,
      title: `${all.get(first)!.title}; ${starts === 'before' ? 'then' : 'at the same time'}: ${scenario.title}`,
      match: 'never',
      other_job: { scenario: first, starts, ...(same_key && { same_key: true }) },
    };
  });
}
