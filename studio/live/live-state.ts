import { computed, signal } from '@preact/signals';
import type { Wire } from '../../mock/admin/admin-request.js';
import type { ExchangeSummary } from '../../mock/admin/stream/exchange-summary.js';
import type { StreamEvents } from '../../mock/admin/stream/live-stream.js';
import type { StreamedFinding } from '../../mock/admin/stream/new-findings.js';
import type { GateView } from '../../mock/control/gates.js';
import type { KeyView } from '../../mock/control/keys.js';
import type { ClockView } from '../../mock/control/mock-clock.js';
import type { TaskSummary } from '../../mock/control/views.js';
import type { ListedRule } from '../../mock/network/rule-book.js';

/** `closed`: the mock has stopped, or the stream broke; the page connects again. */
export const connection = signal<'connecting' | 'open' | 'closed'>('connecting');
/** Number of tasks that were loaded so far; undefined when all are. */
export const loading = signal<{ count: number } | undefined>({ count: 0 });
/** While keys wait for the rules. */
export const judging = signal<StreamEvents['judging'] | undefined>(undefined);
/** By id, in order of arrival. */
export const tasks = signal<ReadonlyMap<string, TaskSummary>>(new Map());
/** Requests without a task and refused requests, oldest first. */
export const others = signal<readonly ExchangeSummary[]>([]);
export const clocks = signal<ReadonlyMap<string, Wire<ClockView> & { receivedAt: number }>>(new Map());
export const rules = signal<ReadonlyMap<string, readonly ListedRule[]>>(new Map());
/** Undefined if the mock was started without a client. */
export const clientRuns = signal<StreamEvents['client'] | undefined>(undefined);
/** By organisation. */
export const keys = signal<ReadonlyMap<string, KeyView>>(new Map());
export const gates = signal<ReadonlyMap<string, Wire<GateView>>>(new Map());
export const findingsById = signal<ReadonlyMap<string, StreamedFinding>>(new Map());
export const findings = computed(() => [...findingsById.value.values()]);
/** Events of the stream per task: a new number means news. */
export const updatesByTask = signal<ReadonlyMap<string, number>>(new Map());
/** Number of other requests that the stream left out because there were too many. */
export const dropped = signal(0);
/** Views stay at their end while exchanges arrive. */
export const isFollowing = signal(true);
/** Conversations that a restart of the mock removed. */
export const lostCount = signal(0);
/** Number of resets. */
export const resetCount = signal(0);
/** Real time, ms. */
export const wall = signal(Date.now());

/** The time of an organisation, ms. Computed, because the stream sends a clock only when it is changed. */
export function readNow(organisation: string): number | undefined {
  const clock = clocks.value.get(organisation);
  if (!clock) return undefined;
  return clock.mode === 'real' || clock.mode === 'eager'
    ? clock.now + Math.max(0, wall.value - clock.receivedAt) * clock.speed
    : clock.now;
}

export const findingsByTask = computed(() => {
  const found = new Map<string, StreamedFinding[]>();
  for (const finding of findings.value) {
    if (finding.task === undefined) continue;
    const those = found.get(finding.task);
    if (those) those.push(finding);
    else found.set(finding.task, [finding]);
  }
  return found;
});

/** The request has no task, or was refused. */
export function isOther({ task, status = 200 }: Pick<ExchangeSummary, 'task' | 'status'>): boolean {
  return task === undefined || [400, 401, 404, 405, 413, 422, 429].includes(status);
}
