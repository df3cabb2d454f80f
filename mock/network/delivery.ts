import type { NetworkSide } from '../../scenarios/format/types.js';
import type { Effect, RuleHit } from '../../scenarios/verbs/verb.js';
import type { VerbName } from '../../scenarios/verbs/verbs.js';
import type { NetworkEffect } from '../../spec/vocabulary.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { RequestContext } from '../pipeline/context.js';
import type { WireResponse } from '../pipeline/wire.js';
import type { ActiveRule, Overtaking } from './active-rule.js';
import { conditionOf, type TriggerContext, type WaitCondition } from './conditions.js';
import { applyEffect, effectKind } from './effects.js';
import { anySuch, matches, type NetworkRequest } from './network-request.js';
import type { PendingRequests, Release } from './pending-requests.js';
import { BodyInParts, type BodyPart, partsOf } from './slow-body.js';

type MaybePromise<T> = T | Promise<T>;

/** What a delivery needs of the network that it goes through. */
export interface DeliveryContext {
  trigger(): TriggerContext;
  pending: PendingRequests;
  /** Adds the hits of rules that were set while the request was handled and concern its response already. */
  afterHandling(delivery: Delivery): void;
  done(delivery: Delivery): void;
}

type DeliveryPace = NonNullable<Effect['pace']> & { rule: ActiveRule };

/** A rule that is going to do something to a request or its response. */
class Hit implements RuleHit {
  side: NetworkSide = 'request';
  isDone = false;

  constructor(
    readonly rule: ActiveRule,
    private readonly delivery: Delivery,
    readonly overtaking: Overtaking | undefined,
  ) {}

  get now(): number {
    return this.delivery.now;
  }

  get task(): Task | undefined {
    return this.delivery.request.task;
  }

  get window(): RuleHit['window'] {
    return this.rule.window;
  }

  draw(least: number, most: number): number {
    return this.rule.draws(this.task).int(least, most);
  }
}

/**
 * One request on its way to the service and back, past the rules that do something to it, in their order. Goes on
 * without a break wherever nothing has to be waited for: then it is over when `start` returns.
 */
export class Delivery {
  readonly hits: Hit[] = [];
  /** The requests whose responses this request's response overtakes. */
  readonly overtakes: Overtaking[] = [];
  #next = 0;
  #stage: 'request' | 'service' | 'response' | 'body' | 'done' = 'request';
  #pace: DeliveryPace | undefined;
  /** The verb that has the request handled twice. */
  #twiceBy: VerbName | undefined;
  #response: WireResponse | undefined;
  #settle: { resolve: (response: WireResponse) => void; reject: (reason: unknown) => void } | undefined;

  constructor(
    readonly context: RequestContext,
    readonly request: NetworkRequest,
    private readonly answer: () => MaybePromise<WireResponse>,
    private readonly network: DeliveryContext,
  ) {}

  get now(): number {
    return this.network.trigger().world.now;
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
    this.hits.push(new Hit(rule, this, overtaking));
  }

  /** The same for a rule that the request's own timeline has set, if it can still do something to the response. */
  meetLate(rule: ActiveRule): void {
    const { verb, phase, scope } = rule;
    if (phase !== 'response' || verb.needsNext || verb.requests === 'polls') return;
    if (this.hits.some((hit) => hit.rule === rule) || !rule.concerns(this.request, scope?.run)) return;
    if (rule.take(this.request.task, this.now)) this.hits.push(new Hit(rule, this, undefined));
  }

  start(): MaybePromise<WireResponse> {
    try {
      this.#go();
    } catch (error) {
      this.network.done(this);
      throw error;
    }
    if (this.#stage === 'done' || this.#stage === 'body') return this.#response!;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  /** As far as it goes now. */
  #go(): void {
    if (this.#stage === 'request' && !this.#toService()) return;
    if (this.#stage === 'service' && !this.#handle(this.#twiceBy ? 2 : 1)) return;
    if (this.#stage === 'response' && !this.#toClient()) return;
    if (this.#pace && this.result) this.#sendSlowly(this.#pace, this.result);
    else {
      this.#stage = 'done';
      this.network.done(this);
    }
    this.#settle?.resolve(this.#response!);
  }

  #toService(): boolean {
    while (this.#next < this.hits.length) {
      const hit = this.hits[this.#next++]!;
      const { rule, verb, phase } = hit.rule;
      // One that counts has taken no part of `times` beforehand.
      const isSpent = verb.countsRequests && hit.rule.fired >= hit.rule.times;
      const effect = phase === 'request' && !isSpent ? verb.onRequest?.(rule, hit) : undefined;
      if (!effect) continue;
      if (effect.twice) this.#twiceBy = verb.name;
      if (this.#apply(hit, effect)) return false;
      if (this.#stage !== 'request') return true;
    }
    this.#stage = 'service';
    return true;
  }

  /** False when the service takes its time. */
  #handle(times: number): boolean {
    for (let n = times; n > 0; n--) {
      const answer = this.answer();
      if (answer instanceof Promise) {
        answer.then(
          (response) => {
            this.#take(response);
            this.#resume(() => this.#handle(n - 1) && this.#go());
          },
          (error) => this.#fail(error),
        );
        return false;
      }
      this.#take(answer);
    }
    this.#respond(this.#response!);
    return true;
  }

  /** The first response counts. */
  #take(response: WireResponse): void {
    const { request, context, network } = this;
    network.trigger().counts.handled(request, response.status);
    if (this.#response) {
      this.#note(this.#twiceBy!, 'duplicated', `the second time with ${response.status}`);
      return;
    }
    this.#response = response;
    if (request.kind === 'create' && response.status === 200) {
      request.task = context.organisation.world.tasks.get(context.exchange.task ?? '');
    }
    network.afterHandling(this);
  }

  #toClient(): boolean {
    while (this.#next < this.hits.length && this.#response!.fault?.kind !== 'drop') {
      const hit = this.hits[this.#next++]!;
      const { rule, verb, phase } = hit.rule;
      if (hit.isDone || phase !== 'response') continue;
      hit.side = 'response';
      const effect = verb.onResponse?.(rule, hit, this.#response!);
      if (effect && this.#apply(hit, effect)) return false;
    }
    return true;
  }

  /** True when the delivery goes on later. */
  #apply(hit: Hit, effect: Effect): boolean {
    const { wait, note } = effect;
    const { verb } = hit.rule;
    const condition = wait && this.#conditionOf(wait, hit);
    // Nothing is held for what is there already.
    if (condition && wait.until !== 'next response' && condition.isMet()) return false;
    hit.isDone = true;
    hit.rule.fire();
    this.#note(verb.name, effectKind(effect), note);
    const response = applyEffect(effect, this.#response);
    if (response && this.#stage === 'request') this.#respond(response);
    else if (response) this.#response = response;
    if (effect.pace) this.#pace = { rule: hit.rule, ...effect.pace };
    if (!wait) return false;
    const latest = this.now + wait.atMostMs;
    return this.network.pending.hold(
      hit.rule,
      { latest, ...condition },
      this.context.request.signal,
      (release) => this.#release(release, verb.name, wait.late),
    );
  }

  /** The response goes to the transport now; the delivery is over once the last byte has left. */
  #sendSlowly({ rule, bytesPerSecond, atMostMs }: DeliveryPace, response: WireResponse): void {
    this.#stage = 'body';
    const { body, fault } = response;
    const whole = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const cut = fault?.kind === 'truncate' ? Math.min(fault.bytes, whole.length - 1) : whole.length;
    const reader = new AbortController();
    const slow = new BodyInParts(whole.subarray(0, cut), () => reader.abort());
    this.#response = { ...response, slow };
    const { signal } = this.context.request;
    const gone = signal ? AbortSignal.any([signal, reader.signal]) : reader.signal;
    const start = this.now;
    const end = () => {
      this.#stage = 'done';
      this.network.done(this);
      slow.end();
    };
    const next = ([part, ...later]: BodyPart[]): void => {
      if (!part) {
        end();
        return;
      }
      const release = (release: Release) => {
        if (release === 'gone' || release === 'cleared') {
          this.#noteRelease(release, rule.verb.name);
          if (release === 'cleared') slow.leave(cut);
          end();
          return;
        }
        slow.leave(part.bytes);
        next(later);
      };
      const wait = { latest: start + part.after };
      if (!this.network.pending.hold(rule, wait, gone, release)) release(gone.aborted ? 'gone' : 'time');
    };
    next(partsOf(cut, bytesPerSecond, atMostMs));
  }

  #conditionOf({ until }: NonNullable<Effect['wait']>, { rule, overtaking }: Hit): WaitCondition | undefined {
    if (until === undefined) return undefined;
    if (until === 'next response') return { isMet: () => overtaking?.done === true };
    const trigger = this.network.trigger();
    const task = rule.scope?.task ?? this.request.task;
    return conditionOf(until, task, rule.scope?.run ?? (task && trigger.counts.runOf(task)), trigger);
  }

  #release(release: Release, verb: VerbName, late: string | undefined): void {
    if (release === 'time' && late !== undefined) this.#note(verb, 'delayed', late);
    this.#noteRelease(release, verb);
    this.#resume(() => this.#go());
  }

  #noteRelease(release: Release, verb: VerbName): void {
    if (release === 'gone') {
      this.context.isAbandoned = true;
      this.#note(verb, 'lost', 'released: the client has gone');
    }
    if (release === 'cleared') this.#note(verb, 'delayed', 'released: the rule was taken away');
  }

  /** Nothing above catches what is thrown once the delivery goes on by itself. */
  #resume(go: () => void): void {
    try {
      go();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#stage = 'done';
    this.network.done(this);
    this.#settle?.reject(error);
  }

  #respond(response: WireResponse): void {
    this.#stage = 'response';
    this.#response = response;
    this.#next = 0;
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
