import type { Finding } from '../../../spec/vocabulary.js';
import { type GateView, viewGates } from '../../control/gates.js';
import { type KeyView, viewKey } from '../../control/keys.js';
import { type ClockView, viewClock } from '../../control/mock-clock.js';
import type { NetworkView } from '../../control/mock-network.js';
import type { TaskSummary } from '../../control/views.js';
import type { JournalEntry } from '../../exchange/journal-entry.js';
import type { NetworkedOrganisation } from '../../network/network.js';
import type { ClientRunsView } from '../../options/client-runs.js';
import { toWire, type Wire } from '../admin-request.js';
import { type ExchangeSummary, summarizeExchange } from './exchange-summary.js';
import { computePause, type JudgingProgress, NewFindings, type StreamedFinding } from './new-findings.js';

/** The data of the events of a stream, by name. */
export interface StreamEvents {
  exchange: ExchangeSummary;
  task: TaskSummary;
  clock: Wire<ClockView>;
  network: NetworkView;
  gates: Wire<GateView>;
  /** The runs of the client that the mock was started with. */
  client: Wire<ClientRunsView>;
  key: KeyView;
  finding: StreamedFinding;
  /** A finding that no longer holds. */
  withdrawn: { id: string; organisation?: string };
  /** Sent while organisations wait to be judged, and when none does any more. */
  judging: JudgingProgress;
  /** Nothing that was sent about the organisation holds any more. */
  reset: { organisation: string };
  /** Exchanges that were left out because there were too many. `others`: those that no task shows. */
  dropped: { organisation: string; exchanges: number; others: number } | { reason: string };
}

export type SendEvent = <Name extends keyof StreamEvents>(event: Name, data: StreamEvents[Name]) => void;

/** What a stream reads. */
export interface StreamSource {
  listOrganisations(): Iterable<NetworkedOrganisation>;
  /** Undefined if the task is unknown. Returned objects are not mutated: if `before`, an earlier result, is still valid, it is returned. */
  findTask(organisation: NetworkedOrganisation, id: string, before?: TaskSummary): TaskSummary | undefined;
  prepareFindings?(): Promise<void> | undefined;
  listFindings(organisation: NetworkedOrganisation): Finding[];
  /** `listFindings` returns the findings about all organisations. */
  readonly hasCommonJudge?: boolean;
  /** Undefined if the mock has no client. */
  viewClientRuns?(): ClientRunsView | undefined;
}

/** Most exchanges in one batch. */
const MOST_AT_ONCE = 250;
/** Most unsent exchanges of one organisation. Beyond it the oldest are dropped, successful ones with a task first. */
const MOST_WAITING = 2000;
/** Most active tasks of one organisation that are checked in each batch without a request about them: the latest. */
const MOST_ACTIVE = 2000;

/** What one consumer has received of one organisation. */
class StreamProgress {
  organisation: NetworkedOrganisation | undefined = undefined;
  /** Number of the latest exchange that was read. */
  seq = 0;
  /** Of the organisation that an earlier stream read; undefined if it is unknown. */
  identity: string | undefined = undefined;
  /** Exchanges that were sent before they were complete. */
  readonly open = new Set<number>();
  /** Unsent exchanges, oldest first. `isAgain`: sent before, while it was under way. */
  waiting: { entry: JournalEntry; isAgain: boolean }[] = [];
  /** The last views of its clock, network rules and gates as text, and when the next may be created, ms. */
  readonly views = new Map<string, { text: string; next: number }>();
  /** Tasks that may still change, at most `MOST_ACTIVE`. */
  readonly active = new Map<string, TaskSummary>();
}

/**
 * The events of a mock or proxy for one consumer. `collect` reads them from the journals: without consumers the mock does no work for it.
 */
export class LiveStream {
  readonly #progress = new Map<string, StreamProgress>();
  readonly #findings: NewFindings;
  #clientRuns: ClientRunsView | undefined;

  constructor(
    private readonly source: StreamSource,
    private readonly send: SendEvent,
    /** A position of an earlier stream: what came before it is not sent. */
    from: string,
    /** Measures the duration of its own work, ms. */
    measure = () => performance.now(),
  ) {
    this.#findings = new NewFindings(source, send, measure);
    for (const [, name, seq, identity] of from.matchAll(
      /([\w-]{1,40}):(\d{1,15})(?::([\w-]{1,40}))?(?:,|$)/g,
    ))
      Object.assign(this.#ensureProgress(name!), { seq: Number(seq), identity });
  }

  /** The position at which a later stream continues: `org-1:12:IDENTITY,org-2:3:IDENTITY`. */
  get position(): string {
    return [...this.#progress]
      .map(([name, sent]) => `${name}:${readPosition(sent)}:${identify(sent.organisation!)}`)
      .join();
  }

  /** Sends new events. `now`: ms of real time. */
  async collect(now: number): Promise<void> {
    this.#forgetReset();
    const read = [...this.source.listOrganisations()].map((organisation) => this.#read(organisation));
    const count = read.reduce((sum, { sent }) => sum + sent.waiting.length, 0);
    const share = Math.min(1, MOST_AT_ONCE / count);
    for (const { organisation, sent, touched } of read) {
      const { name } = organisation;
      this.#sendExchanges(name, sent, Math.ceil(sent.waiting.length * share));
      this.#sendTasks(organisation, sent, touched);
      this.#sendView('clock', () => toWire(viewClock(organisation)), sent, now, organisation.clock.moves);
      this.#sendView('key', () => viewKey(organisation), sent, now);
      const viewRules = () => ({ organisation: name, rules: organisation.network.list() });
      this.#sendView('network', viewRules, sent, now);
      this.#sendView('gates', () => toWire(viewGates(organisation)), sent, now);
    }
    this.#sendClientRuns();
    await this.#findings.collect(now);
  }

  #sendClientRuns(): void {
    const runs = this.source.viewClientRuns?.();
    if (runs && runs !== this.#clientRuns) this.send('client', toWire(runs));
    this.#clientRuns = runs;
  }

  /** A reset organisation, or one of a restarted mock, starts over under the same name. */
  #forgetReset(): void {
    const open = new Map([...this.source.listOrganisations()].map((each) => [each.name, each]));
    for (const [name, sent] of this.#progress) {
      const now = open.get(name);
      if (now && isContinued(sent, now)) continue;
      this.#progress.delete(name);
      this.#findings.forget();
      this.send('reset', { organisation: name });
    }
  }

  #ensureProgress(name: string): StreamProgress {
    const sent = this.#progress.get(name) ?? new StreamProgress();
    this.#progress.set(name, sent);
    return sent;
  }

  /** Reads new exchanges. `touched`: their tasks. */
  #read(organisation: NetworkedOrganisation): {
    organisation: NetworkedOrganisation;
    sent: StreamProgress;
    touched: Set<string>;
  } {
    organisation.catchUp();
    const { name, journal } = organisation;
    const sent = this.#ensureProgress(name);
    sent.organisation = organisation;
    const touched = new Set<string>();
    for (const entry of journal.since(sent.seq, sent.open)) {
      const isAgain = sent.open.has(entry.seq);
      if (isAgain && !entry.isOver) continue;
      sent.open.delete(entry.seq);
      sent.waiting.push({ entry, isAgain });
      if (entry.task !== undefined) touched.add(entry.task);
    }
    sent.seq = journal.seq;
    const dropped = dropExcess(sent);
    if (dropped.exchanges > 0) this.send('dropped', { organisation: name, ...dropped });
    return { organisation, sent, touched };
  }

  #sendExchanges(name: string, { waiting, open }: StreamProgress, count: number): void {
    for (const { entry } of waiting.splice(0, count)) {
      if (!entry.isOver) open.add(entry.seq);
      this.send('exchange', summarizeExchange(entry, name));
    }
  }

  #sendTasks(organisation: NetworkedOrganisation, { active }: StreamProgress, touched: Set<string>): void {
    for (const id of active.keys()) this.#sendTask(organisation, active, id);
    for (const id of touched) if (!active.has(id)) this.#sendTask(organisation, active, id);
  }

  #sendTask(organisation: NetworkedOrganisation, active: Map<string, TaskSummary>, id: string): void {
    const before = active.get(id);
    const task = this.source.findTask(organisation, id, before);
    if (task && task !== before) this.send('task', task);
    if (task?.status !== 'waiting' && task?.status !== 'running') active.delete(id);
    else if (task !== before) active.set(id, task);
    if (active.size > MOST_ACTIVE) active.delete(active.keys().next().value!);
  }

  /** Sends a view when it or `version` has changed: that time has passed is no change. */
  #sendView<Name extends keyof StreamEvents>(
    event: Name,
    make: () => StreamEvents[Name],
    { views }: StreamProgress,
    now: number,
    version = 0,
  ): void {
    const before = views.get(event);
    if (before && now < before.next) return;
    const start = performance.now();
    const view = make();
    const text = JSON.stringify([view, version], (field, value) =>
      field === 'now' || field === 'iso' ? undefined : value,
    );
    views.set(event, { text, next: now + computePause(start) });
    if (before?.text !== text) this.send(event, view);
  }
}

/** Whether `sent` is about this organisation. */
function isContinued({ organisation, identity, seq }: StreamProgress, now: NetworkedOrganisation): boolean {
  if (organisation) return organisation === now;
  return identity === undefined ? now.journal.seq >= seq : identity === identify(now);
}

const identities = new WeakMap<NetworkedOrganisation, string>();
let identified = 0;

/** Names an organisation between its creation and its reset. Another process has other identities, also for the same key. */
function identify(organisation: NetworkedOrganisation): string {
  const known = identities.get(organisation);
  if (known !== undefined) return known;
  const created = `${Math.round(performance.timeOrigin).toString(36)}-${++identified}`;
  identities.set(organisation, created);
  return created;
}

/** The number up to which all exchanges have been sent. */
function readPosition({ seq, waiting }: StreamProgress): number {
  const next = waiting.find(({ isAgain }) => !isAgain);
  return next ? next.entry.seq - 1 : seq;
}

/** Drops exchanges beyond `MOST_WAITING`. `others`: dropped exchanges that no task event represents. */
function dropExcess(sent: StreamProgress): { exchanges: number; others: number } {
  const excess = Math.max(0, sent.waiting.length - MOST_WAITING);
  if (excess === 0) return { exchanges: 0, others: 0 };
  const hasTask = ({ entry }: StreamProgress['waiting'][number]) =>
    entry.task !== undefined && entry.status < 400;
  const ofTasks = new Set(sent.waiting.filter(hasTask).slice(0, excess));
  const others = excess - ofTasks.size;
  sent.waiting = sent.waiting.filter((each) => !ofTasks.has(each)).slice(others);
  return { exchanges: excess, others };
}
