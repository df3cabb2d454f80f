import { type TraceEntry, traceLine } from '../../../mock/network/trace.js';
import { verbOf } from '../../../scenarios/verbs/verbs.js';
import type { Schedule } from '../types.js';
import { deviationText } from './schedule.js';
import { repeatedEmptyPolls } from './traced-run.js';

/**
 * The run as each of the two sides saw it: the order of the service's steps and of what reached it, and the order of
 * the client's requests and of what it was told. Where both are the same, nothing has gone another way, even if things
 * on different sides changed places. The number of a poll does not count, nor how many in a row learnt nothing.
 */
export function canonicalOf({ scenario, deviations }: Schedule, trace: readonly TraceEntry[]): string {
  const vain = repeatedEmptyPolls(trace);
  const service: string[] = [];
  const client: string[] = [];
  for (const entry of trace) {
    if (entry.what !== 'step' && vain.has(entry.seq)) continue;
    const told = traceLine(entry);
    const line = told.includes('poll#') ? told.replace(/\bpoll#\d+/, 'poll') : told;
    if (entry.what !== 'answer') service.push(line);
    if (entry.what !== 'step') client.push(line);
  }
  const unseen = deviations.filter(({ rule }) => verbOf(rule).deviations?.isHidden).map(deviationText);
  return [scenario.name, ...service, 'as the client saw it:', ...client, 'unseen:', ...unseen.sort()].join(
    '\n',
  );
}
