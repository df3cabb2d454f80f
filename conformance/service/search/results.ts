import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { CheckResult } from '../../causes/check-result.js';
import type { SequenceSearchResult } from '../runner/result.js';
import type { FoundSequence, ServiceSearch } from './found-sequence.js';
import { formatTitle } from './judge/compare.js';
import type { SequenceRun } from './play.js';
import { isWait, listCommands, type Sequence, type SequenceStep } from './sequence/sequence.js';

/** The results of a search, in the format of a report. */
interface SearchResults {
  checks: CheckResult[];
  /** Exchanges that the checks name, renumbered to follow those of the report. */
  exchanges: Exchange[];
  sequences: SequenceSearchResult;
}

/** Runs of a minimized sequence that measure how reliably it fails. */
export const RUNS_AGAIN = 3;
/** Exchanges that one check names, at most. */
const MOST_EVIDENCE = 20;
const TITLE = 'Generated sequences of requests: the service responds as its model does.';

/** `after`: the number of the last exchange before the search. `again`: the command line that reproduces a failure. */
export function createResults(
  searched: ServiceSearch,
  after: number,
  again: (found: FoundSequence) => string,
): SearchResults {
  const { found, kept, sequences, requests, coverage, stopped } = searched;
  const observations = searched.observations.map(
    ({ requirement: _, isStated: __, isRefusal: ___, ...each }) => each,
  );
  const exchanges: Exchange[] = [];
  const adoptExchanges = ({ exchanges: own }: SequenceRun): ((seqs: readonly number[]) => number[]) => {
    const before = after + exchanges.length;
    exchanges.push(...own.map((each) => ({ ...each, seq: before + each.seq })));
    return (seqs) => [...new Set(seqs)].slice(0, MOST_EVIDENCE).map((seq) => before + seq);
  };
  const ids = new Set<string>();
  const failed = found.map((each): CheckResult => {
    const numbers = adoptExchanges(each.run);
    const { requirement, rule, message, evidence } = each.finding;
    const operation = findOperation(each);
    let name = `search/${operation}`;
    for (let n = 2; ids.has(`${name}#${requirement}`); n++) name = `search/${operation}-${n}`;
    ids.add(`${name}#${requirement}`);
    return {
      ...createCheck(name, requirement),
      title: `${TITLE} The shortest that shows it: ${describeSequence(each.sequence)}.`,
      ...(rule !== undefined && { rule }),
      outcome: 'failed',
      message: `${message}${describeReproduction(each)}`,
      evidence: numbers(evidence),
      again: again(each),
      failure: each.key,
    };
  });
  const broken = new Set<RequirementId>(found.map(({ finding }) => finding.requirement));
  const passed = new Map<RequirementId, CheckResult>();
  for (const run of kept) {
    const numbers = adoptExchanges(run);
    for (const [requirement, seqs] of run.kept) {
      if (broken.has(requirement) || passed.has(requirement) || seqs.length === 0) continue;
      const check = createCheck(KEPT_CASE, requirement);
      const message = describeKept(sequences);
      passed.set(requirement, { ...check, outcome: 'passed', message, evidence: numbers(seqs) });
    }
  }
  return {
    checks: [...failed, ...passed.values()],
    exchanges,
    sequences: { sequences, requests, coverage, observations, ...(stopped !== undefined && { stopped }) },
  };
}

/** The case of what no sequence broke. */
export const KEPT_CASE = 'search/sequences';

/** The message of its checks. */
export function describeKept(sequences: number): string {
  return `kept, as ${sequences} sequences show`;
}

function createCheck(
  name: string,
  requirement: RequirementId,
): Omit<CheckResult, 'outcome' | 'message' | 'evidence'> {
  return { id: `${name}#${requirement}`, case: name, suite: 'search', title: TITLE, covers: [requirement] };
}

/** The operation of a failure. For a failed rule: the operation of the last exchange that shows it. */
export function findOperation({ finding, run }: FoundSequence): OperationId {
  const last = run.exchanges.find(({ seq }) => seq === finding.evidence.at(-1));
  return finding.difference?.operation ?? (last?.operation as OperationId) ?? 'getTask';
}

function describeReproduction({ shown, seen, replicas }: FoundSequence): string {
  const times = seen > 1 ? ` ${seen} sequences showed it.` : '';
  if (replicas) return `. The service loses state between requests: ${replicas}.${times}`;
  if (shown === RUNS_AGAIN) return `.${times}`;
  return `. The service is nondeterministic: the same sequence showed it in ${shown} of ${RUNS_AGAIN} more runs.${times}`;
}

/** `POST /task, then DELETE /task/{task_id} and GET /task/{task_id} at once`. */
export function describeSequence(sequence: Sequence): string {
  const parts = sequence.map((step) => {
    if (isWait(step)) return `${step.wait_ms} ms`;
    const commands = listCommands(step).map(formatTitle);
    return commands.length > 1 ? `${commands.join(' and ')} at once` : commands[0]!;
  });
  return parts.join(', then ');
}

/** A sequence to replay, as read from its file. */
export interface ReplayedSequence {
  /** The key of the failure that the sequence showed (see `formatKey`). */
  failure: string;
  requirement: string;
  dialect?: Record<string, string | number>;
  steps: SequenceStep[];
}

/** The result of one replay: a failed check for a difference, otherwise a passed one. */
export function createReplayResults(
  { finding, exchanges: own, noResponse }: SequenceRun,
  { requirement, failure }: ReplayedSequence,
  after: number,
): Pick<SearchResults, 'checks' | 'exchanges'> {
  const exchanges = own.map((each) => ({ ...each, seq: after + each.seq }));
  const check = createCheck('search/replay', finding?.requirement ?? (requirement as RequirementId));
  if (finding) {
    const { message, rule } = finding;
    const evidence = finding.evidence.map((seq) => after + seq);
    const failed = {
      ...check,
      ...(rule !== undefined && { rule }),
      outcome: 'failed',
      message,
      evidence,
    } as const;
    return { checks: [failed], exchanges };
  }
  const evidence = exchanges.slice(-1).map(({ seq }) => seq);
  if (noResponse)
    return { checks: [{ ...check, outcome: 'failed', message: noResponse.message, evidence }], exchanges };
  const message = `the sequence did not show the failure in its file (${failure})`;
  return { checks: [{ ...check, outcome: 'passed', message, evidence }], exchanges };
}
