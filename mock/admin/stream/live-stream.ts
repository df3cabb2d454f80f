import type { Finding } from '../../../spec/vocabulary.js';
import { viewClock } from '../../control/mock-clock.js';
import { viewGates } from '../../control/views.js';
import type { Organisation } from '../../engine/organisation.js';
import { toWire } from '../admin-request.js';
import { lightOf } from './light-exchange.js';

/** What a stream reads. */
export interface StreamSource {
  organisations(): Iterable<Organisation>;
  /** A task as the list of tasks shows it; undefined where nothing is known of it. */
  task(organisation: Organisation, id: string): { status: string } | undefined;
  findings(): Finding[] | Promise<Finding[]>;
}

/** Findings are asked for so often at most, ms: rules read the whole journal. */
const FINDINGS_EVERY_MS = 1000;
/** Exchanges of one organisation that are sent at once; of more, the latest, and how many were left out. */
const MOST_AT_ONCE = 2000;
/** Active tasks of one organisation that are looked at each time without a request about them. */
const MOST_ACTIVE = 2000;

/** What one consumer has been sent of one organisation. */
class Sent {
  organisation: Organisation | undefined = undefined;
  seq = 0;
  /** Exchanges that were not over. */
  readonly open = new Set<number>();
  /** The last view of its clock, network rules and gates, as JSON. */
  readonly views = new Map<string, string>();
  /** Tasks that may still change, as JSON. */
  readonly active = new Map<string, string>();
}

/**
 * What happens in a mock or proxy, as events for one consumer. `collect` reads it from the journals: without consumers
 * the mock does nothing for it.
 */
export class LiveStream {
  readonly #sent = new Map<string, Sent>();
  readonly #findings = new Set<string>();
  #judgedAt = Number.NEGATIVE_INFINITY;
  #judged = -1;

  constructor(
    private readonly source: StreamSource,
    private readonly send: (event: string, data: unknown) => void,
    /** A position of an earlier stream: what came before it is not sent. */
    from: string,
  ) {
    for (const [, name, seq] of from.matchAll(/([\w-]{1,40}):(\d{1,15})(?:,|$)/g))
      this.#sentOf(name!).seq = Number(seq);
  }

  /** Where a later stream goes on: `org-1:12,org-2:3`. */
  get position(): string {
    return [...this.#sent].map(([name, { seq }]) => `${name}:${seq}`).join();
  }

  /** Sends what is new. `now`: ms of real time. */
  async collect(now: number): Promise<void> {
    let exchanges = 0;
    this.#forgetReset();
    for (const organisation of this.source.organisations()) {
      organisation.catchUp();
      const { name, journal, network } = organisation;
      const sent = this.#sentOf(name);
      sent.organisation = organisation;
      const touched = this.#sendExchanges(organisation, sent);
      this.#sendTasks(organisation, sent, touched);
      this.#sendView('clock', toWire(viewClock(organisation)), sent);
      this.#sendView('network', { organisation: name, rules: network.list() }, sent);
      this.#sendView('gates', toWire(viewGates(organisation)), sent);
      exchanges += journal.seq;
    }
    if (exchanges === this.#judged || now - this.#judgedAt < FINDINGS_EVERY_MS) return;
    [this.#judged, this.#judgedAt] = [exchanges, now];
    for (const finding of await this.source.findings()) {
      const text = JSON.stringify(finding);
      if (this.#findings.has(text)) continue;
      this.#findings.add(text);
      this.send('finding', finding);
    }
  }

  /** An organisation that was reset begins anew, with the same name. */
  #forgetReset(): void {
    const open = new Map([...this.source.organisations()].map((each) => [each.name, each]));
    for (const [name, { organisation, seq }] of this.#sent) {
      const now = open.get(name);
      // From a position nothing but the number is known.
      if (organisation ? now === organisation : now && now.journal.seq >= seq) continue;
      this.#sent.delete(name);
      this.#findings.clear();
      this.send('reset', { organisation: name });
    }
  }

  #sentOf(name: string): Sent {
    const sent = this.#sent.get(name) ?? new Sent();
    this.#sent.set(name, sent);
    return sent;
  }

  /** Ids of the tasks that they are about. */
  #sendExchanges({ name, journal }: Organisation, sent: Sent): Set<string> {
    const touched = new Set<string>();
    const fresh = journal.since(sent.seq, sent.open);
    const left = Math.max(0, fresh.length - MOST_AT_ONCE);
    if (left > 0) this.send('dropped', { organisation: name, exchanges: left });
    for (const entry of fresh.slice(left)) {
      // Those that are under way and have been sent are sent again when they are over.
      if (!entry.isOver && sent.open.has(entry.seq)) continue;
      if (entry.isOver) sent.open.delete(entry.seq);
      else sent.open.add(entry.seq);
      this.send('exchange', lightOf(entry, name));
      if (entry.task !== undefined) touched.add(entry.task);
    }
    sent.seq = journal.seq;
    return touched;
  }

  #sendTasks(organisation: Organisation, { active }: Sent, touched: Set<string>): void {
    for (const id of [...active.keys()].slice(-MOST_ACTIVE)) touched.add(id);
    for (const id of touched) {
      const task = this.source.task(organisation, id);
      if (!task) continue;
      const text = JSON.stringify(task);
      if (active.get(id) !== text) this.send('task', task);
      if (task.status === 'waiting' || task.status === 'running') active.set(id, text);
      else active.delete(id);
    }
  }

  /** Sends a view when it has changed: that time has passed is no change. */
  #sendView(event: string, view: unknown, { views }: Sent): void {
    const text = JSON.stringify(view, (field, value) =>
      field === 'now' || field === 'iso' ? undefined : value,
    );
    if (views.get(event) === text) return;
    views.set(event, text);
    this.send(event, view);
  }
}
