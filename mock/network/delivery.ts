import type { NetworkSide } from '../../scenarios/format/types.js';
import type { Effect, RuleHit } from '../../scenarios/verbs/verb.js';
import type { VerbName } from '../../scenarios/verbs/verbs.js';
import type { NetworkEffect } from '../../spec/vocabulary.js';
import type { Run } from '../engine/tasks/task.js';
import type { RequestContext } from '../pipeline/context.js';
import type { WireResponse } from '../pipeline/wire.js';
import type { ActiveRule, Overtaking } from './active-rule.js';
import { conditionOf, type TriggerContext, type WaitCondition } from './conditions.js';
import { applyEffect, effectKind } from './effects.js';
import { anySuch, matches, type NetworkRequest } from './network-request.js';
import type { PendingRequests, Release, Wait } from './pending-requests.js';
import { BodyInParts, partsOf } from './slow-body.js';

type MaybePromise<T> = T | Promise<T>;

/** What a delivery needs of the network that it goes through. */
export interface DeliveryContext extends TriggerContext {
  readonly pending: PendingRequests;
  /** Adds the hits of rules that were set while the request was handled and concern its response already. */
  afterHandling(delivery: Delivery): void;
  done(delivery: Delivery): void;
}

type Pace = NonNullable<Effect['pace']> & { rule: ActiveRule };

/** A rule that is going to do something to a request or its response. */
interface Hit {
  readonly rule: ActiveRule;
  readonly overtaking: Overtaking | undefined;
  isDone: boolean;
}

/** Where a delivery has to wait, it gives what begins the wait: false where there is nothing to wait for. */
type Steps<T = void> = Generator<(resume: (outcome: unknown) => void) => boolean, T, unknown>;

/**
 * One request on its way to the service and back, past the rules that do something to it, in their order. Goes on
 * without a break wherever nothing has to be waited for: then it is over when `start` returns.
 */
export class Delivery {
  readonly hits: Hit[] = [];
  /** The requests whose responses this request's response overtakes. */
  readonly overtakes: Overtaking[] = [];
  readonly #steps = this.#deliver();
  #pace: Pace | undefined;
  /** The verb that has the request handled twice. */
  #twiceBy: VerbName | undefined;
  #response: WireResponse | undefined;
  /** The response is the transport's. */
  #hasLeft = false;
  #settle: { resolve: (response: WireResponse) => void; reject: (reason: unknown) => void } | undefined;

  constructor(
    readonly context: RequestContext,
    readonly request: NetworkRequest,
    private readonly answer: () => MaybePromise<WireResponse>,
    private readonly network: DeliveryContext,
  ) {}

  get now(): number {
    return this.network.world.now;
  }

  /** The response that leaves; undefined when none reaches the client. */
  get result(): WireResponse | undefined {
    return this.context.isAbandoned || this.#response?.fault?.kind === 'drop' ? undefined : this.#response;
  }

  /** The rule hits the request if it concerns it. `run`: the timeline of the request's task. */
  meet(rule: ActiveRule, run: Run | undefined): void {
    const { request, now } = this;
    const overtaken = overtakenBy(request, rule, run);
    if (overtaken) {
      overtaken.met = true;
      this.overtakes.push(overtaken);
      rule.passed++;
      return;
    }
    if (!rule.concerns(request, run) || !rule.take(request.task, now)) return;
    const overtaking = rule.overtakings && { task: request.task, met: false, done: false };
    if (overtaking) rule.overtakings!.add(overtaking);
    this.hits.push({ rule, overtaking, isDone: false });
  }

  /** The same for a rule that the request's own timeline has set, if it can still do something to the response. */
  meetLate(rule: ActiveRule): void {
    const { verb, phase, scope } = rule;
    if (phase !== 'response' || verb.needsNext || verb.requests === 'polls') return;
    if (this.hits.some((hit) => hit.rule === rule) || !rule.concerns(this.request, scope?.run)) return;
    if (rule.take(this.request.task, this.now))
      this.hits.push({ rule, overtaking: undefined, isDone: false });
  }

  start(): MaybePromise<WireResponse> {
    this.#go();
    if (this.#hasLeft) return this.#response!;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  /** As far as it goes now. Nothing above catches what is thrown once the delivery goes on by itself. */
  #go(outcome?: unknown): void {
    try {
      let step = this.#steps.next(outcome);
      while (!step.done && !step.value((later) => this.#go(later))) step = this.#steps.next();
    } catch (error) {
      this.network.done(this);
      if (!this.#settle) throw error;
      this.#settle.reject(error);
    }
  }

  *#deliver(): Steps {
    yield* this.#toService();
    if (!this.#response) yield* this.#handle();
    yield* this.#toClient();
    const slow = this.#pace && this.result && (yield* this.#sendSlowly(this.#pace, this.result));
    this.network.done(this);
    if (slow) slow.end();
    else this.#leave();
  }

  *#toService(): Steps {
    for (const hit of this.hits) {
      const { rule, verb, phase, fired, times } = hit.rule;
      // One that counts has taken no part of `times` beforehand.
      const isSpent = verb.countsRequests && fired >= times;
      const effect =
        phase === 'request' && !isSpent ? verb.onRequest?.(rule, this.#seenBy(hit, 'request')) : undefined;
      if (effect) yield* this.#apply(hit, effect);
      if (this.#response) return;
    }
  }

  /** Of a duplicate the first response counts. */
  *#handle(): Steps {
    const { request, context, network } = this;
    for (let n = this.#twiceBy ? 2 : 1; n > 0; n--) {
      const answer = this.answer();
      const isLate = answer instanceof Promise;
      const response = isLate ? ((yield (resume) => this.#await(answer, resume)) as WireResponse) : answer;
      network.counts.handled(request, response.status);
      if (this.#response) {
        this.#note(this.#twiceBy!, 'duplicated', `the second time with ${response.status}`);
        continue;
      }
      this.#response = response;
      if (request.kind === 'create' && response.status === 200)
        request.task = context.organisation.world.tasks.get(context.exchange.task ?? '');
      network.afterHandling(this);
    }
  }

  *#toClient(): Steps {
    for (const hit of this.hits) {
      if (this.#response!.fault?.kind === 'drop') return;
      const { rule, verb, phase } = hit.rule;
      if (hit.isDone || phase !== 'response') continue;
      const effect = verb.onResponse?.(rule, this.#seenBy(hit, 'response'), this.#response!);
      if (effect) yield* this.#apply(hit, effect);
    }
  }

  #seenBy({ rule }: Hit, side: NetworkSide): RuleHit {
    const { task } = this.request;
    const draw = (least: number, most: number) => rule.draws(task).int(least, most);
    return { side, now: this.now, task, window: rule.window, draw };
  }

  *#apply(hit: Hit, effect: Effect): Steps {
    const { wait, pace, twice } = effect;
    const { rule } = hit;
    const { name } = rule.verb;
    const condition = wait && this.#conditionOf(wait, hit);
    // Nothing is held for what is there already.
    if (condition && wait.until !== 'next response' && condition.isMet()) return;
    hit.isDone = true;
    rule.fire();
    this.#note(name, effectKind(effect), effect.note);
    this.#response = applyEffect(effect, this.#response) ?? this.#response;
    if (twice) this.#twiceBy = name;
    if (pace) this.#pace = { rule, ...pace };
    if (!wait) return;
    const latest = this.now + wait.atMostMs;
    const release = yield* this.#wait(rule, { latest, ...condition }, this.context.request.signal);
    if (release === 'time' && wait.late !== undefined) this.#note(name, 'delayed', wait.late);
    this.#noteRelease(release, name);
  }

  /** Undefined where there is nothing to wait for. */
  *#wait(rule: ActiveRule, wait: Wait, signal: AbortSignal | undefined): Steps<Release | undefined> {
    return (yield (resume) => this.network.pending.hold(rule, wait, signal, resume)) as Release | undefined;
  }

  #noteRelease(release: Release | undefined, verb: VerbName): void {
    if (release === 'gone') {
      this.context.isAbandoned = true;
      this.#note(verb, 'lost', 'released: the client has gone');
    }
    if (release === 'cleared') this.#note(verb, 'delayed', 'released: the rule was taken away');
  }

  #await(answer: Promise<WireResponse>, resume: (response: WireResponse) => void): true {
    answer.then(resume, (error) => {
      this.network.done(this);
      this.#settle?.reject(error);
    });
    return true;
  }

  /** The response goes to the transport now; the delivery is over once the last byte has left. */
  *#sendSlowly(pace: Pace, response: WireResponse): Steps<BodyInParts> {
    const { body, fault } = response;
    const whole = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const cut = fault?.kind === 'truncate' ? Math.min(fault.bytes, whole.length - 1) : whole.length;
    const reader = new AbortController();
    const slow = new BodyInParts(whole.subarray(0, cut), () => reader.abort());
    this.#response = { ...response, slow };
    this.#leave();
    const { signal } = this.context.request;
    const gone = signal ? AbortSignal.any([signal, reader.signal]) : reader.signal;
    const start = this.now;
    for (const { after, bytes } of partsOf(cut, pace.bytesPerSecond, pace.atMostMs)) {
      const release = yield* this.#wait(pace.rule, { latest: start + after }, gone);
      this.#noteRelease(gone.aborted ? 'gone' : release, pace.rule.verb.name);
      if (gone.aborted) break;
      slow.leave(release === 'cleared' ? cut : bytes);
      if (release === 'cleared') break;
    }
    return slow;
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#settle?.resolve(this.#response!);
  }

  #conditionOf({ until }: NonNullable<Effect['wait']>, { rule, overtaking }: Hit): WaitCondition | undefined {
    if (until === undefined) return undefined;
    if (until === 'next response') return { isMet: () => overtaking?.done === true };
    const { network } = this;
    const task = rule.scope?.task ?? this.request.task;
    return conditionOf(until, task, rule.scope?.run ?? (task && network.counts.runOf(task)), network);
  }

  #note(verb: VerbName, effect: NetworkEffect['effect'], note: string): void {
    const { exchange } = this.context;
    exchange.network ??= [];
    exchange.network.push({ verb, effect, note });
  }
}

/** The one that this request overtakes: the next such request does, and is not held itself. */
function overtakenBy(
  request: NetworkRequest,
  rule: ActiveRule,
  run: Run | undefined,
): Overtaking | undefined {
  if (!rule.overtakings?.size || !matches(anySuch(rule.rule.of), request, rule.scope?.run ?? run))
    return undefined;
  for (const each of rule.overtakings) if (!each.met && each.task === request.task) return each;
  return undefined;
}
