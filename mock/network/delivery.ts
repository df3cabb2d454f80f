import type { Effect, NetworkSide, RuleHit } from '../../scenarios/verbs/verb.js';
import type { VerbName } from '../../scenarios/verbs/verbs.js';
import type { NetworkEffect } from '../../spec/vocabulary.js';
import type { Run } from '../engine/tasks/task.js';
import { createTerminatedError, type MaybePromise, type WireResponse } from '../exchange/wire.js';
import type { Random } from '../generate/random.js';
import type { RequestContext } from '../pipeline/context.js';
import type { ActiveRule } from './active-rule.js';
import { applyEffect, classifyEffect, planParts } from './effects.js';
import type { Network } from './network.js';
import { formatSubject, type NetworkRequest, widenTarget } from './network-request.js';
import { createCondition, type ReleaseReason, type WaitCondition } from './pending-requests.js';

type BodyPace = NonNullable<Effect['pace']> & { rule: ActiveRule };

/** A rule that affects this request or its response. */
interface Hit {
  readonly rule: ActiveRule;
  isDone: boolean;
}

/**
 * One request to the service and its response, with the matching rules applied in order. Synchronous unless a rule waits: then it is
 * complete when `start` returns.
 */
export class Delivery {
  readonly hits: Hit[] = [];
  #pace: BodyPace | undefined;
  /** The verb that made the service handle the request twice. */
  #twiceBy: VerbName | undefined;
  #response: WireResponse | undefined;
  /** The response was handed to the transport. */
  #hasLeft = false;
  #settle: { resolve: (response: WireResponse) => void; reject: (reason: unknown) => void } | undefined;

  constructor(
    readonly context: RequestContext,
    readonly request: NetworkRequest,
    private readonly respond: () => MaybePromise<WireResponse>,
    private readonly network: Network,
  ) {}

  get now(): number {
    return this.network.organisation.now;
  }

  /** The response for the client; undefined if the client receives none. */
  get result(): WireResponse | undefined {
    return this.context.isAbandoned || this.#response?.fault?.kind === 'drop' ? undefined : this.#response;
  }

  /** `run`: the timeline of the request's task. */
  addMatchingRule(rule: ActiveRule, run: Run | undefined): void {
    const { request, network } = this;
    if (!rule.isMatch(request, run)) return;
    if (rule.verb.needsNext && network.pending.isHolding(rule, request.task)) rule.passed++;
    else if (rule.claim(formatSubject(request), this.now)) this.hits.push({ rule, isDone: false });
  }

  /** Adds a rule that the request's own timeline has just set, if its phase is not over. */
  addLateRule(rule: ActiveRule): void {
    const { verb, phase, scope } = rule;
    if (phase !== 'response' || verb.needsNext || verb.requests === 'polls') return;
    if (this.hits.some((hit) => hit.rule === rule) || !rule.isMatch(this.request, scope?.run)) return;
    if (rule.claim(formatSubject(this.request), this.now)) this.hits.push({ rule, isDone: false });
  }

  start(): MaybePromise<WireResponse> {
    try {
      this.#deliverRequest();
    } catch (error) {
      this.network.completeDelivery(this);
      throw error;
    }
    if (this.#hasLeft) return this.#response!;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  /** Continues after a wait: there is no caller to catch an error. */
  #resume(next: () => void): void {
    try {
      next();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.network.completeDelivery(this);
    this.#settle?.reject(error);
  }

  #deliverRequest(from = 0): void {
    for (let at = from; at < this.hits.length && !this.#response; at++) {
      const hit = this.hits[at]!;
      const { rule, verb, phase } = hit.rule;
      // A verb that counts requests has not claimed any of `times`.
      const isSpent = verb.countsRequests && hit.rule.hasReachedTimes();
      const effect =
        phase === 'request' && !isSpent
          ? verb.onRequest?.(rule, this.#createRuleHit(hit, 'request'))
          : undefined;
      if (effect && this.#apply(hit, effect, () => this.#deliverRequest(at + 1))) return;
    }
    if (this.#response) this.#deliverResponse();
    else this.#handle(this.#twiceBy ? 2 : 1);
  }

  #handle(times: number): void {
    const handled = this.respond();
    if (!(handled instanceof Promise)) this.#receiveResponse(handled, times);
    else
      handled.then(
        (response) => this.#resume(() => this.#receiveResponse(response, times)),
        (error) => this.#fail(error),
      );
  }

  /** Of a duplicated request, the first response is used. */
  #receiveResponse(response: WireResponse, times: number): void {
    const { request, context, network } = this;
    network.counts.recordHandling(request, response.status);
    if (this.#response) this.#note(this.#twiceBy!, 'duplicated', `the second time with ${response.status}`);
    else {
      this.#response = response;
      if (request.kind === 'create' && response.status === 200)
        request.task = context.organisation.tasks.get(context.exchange.task ?? '');
      network.addLateRules(this);
    }
    if (times > 1) this.#handle(times - 1);
    else this.#deliverResponse();
  }

  #deliverResponse(from = 0): void {
    for (let at = from; at < this.hits.length && this.#response!.fault?.kind !== 'drop'; at++) {
      const hit = this.hits[at]!;
      const { rule, verb, phase } = hit.rule;
      if (hit.isDone || phase !== 'response') continue;
      const effect = verb.onResponse?.(rule, this.#createRuleHit(hit, 'response'), this.#response!);
      if (effect && this.#apply(hit, effect, () => this.#deliverResponse(at + 1))) return;
    }
    if (this.#pace && this.result) this.#sendSlowly(this.#pace, this.result);
    else {
      this.network.completeDelivery(this);
      this.#sendResponse();
    }
  }

  #createRuleHit({ rule }: Hit, side: NetworkSide): RuleHit {
    const { task } = this.request;
    let random: Random | undefined;
    const draw = (least: number, most: number) => {
      random ??= rule.forkRandom(`${formatSubject(this.request)} ${side}`);
      return random.int(least, most);
    };
    return { side, now: this.now, task, window: rule.window, draw };
  }

  /** Returns true if the effect waits; then `next` is called after the wait. */
  #apply(hit: Hit, effect: Effect, next: () => void): boolean {
    const { wait, pace, twice } = effect;
    const { rule } = hit;
    const { name } = rule.verb;
    const condition = wait && this.#createCondition(wait, hit);
    // Do not hold for a condition that is already met.
    if (condition?.isMet()) return false;
    hit.isDone = true;
    rule.fire();
    this.#note(name, classifyEffect(effect), effect.note);
    this.#response = applyEffect(effect, this.#response) ?? this.#response;
    if (twice) this.#twiceBy = name;
    if (pace) this.#pace = { rule, ...pace };
    if (!wait) return false;
    const { signal } = this.context.request;
    const { until } = wait;
    const gate = typeof until === 'object' && 'gate' in until ? until.gate : undefined;
    const held = { ...this.#describeWait(this.now + wait.atMostMs, gate), ...condition };
    return this.network.pending.hold(rule, held, signal, (release) => {
      if (release === 'time' && wait.late !== undefined) this.#note(name, 'delayed', wait.late);
      this.#noteRelease(release, name);
      this.#resume(next);
    });
  }

  #describeWait(latest: number, gate?: string) {
    return { latest, gate, task: this.request.task, exchange: this.context.exchange.seq };
  }

  #noteRelease(release: ReleaseReason, verb: VerbName): void {
    if (release === 'disconnected') {
      this.context.isAbandoned = true;
      this.#note(verb, 'lost', 'released: the client disconnected');
    }
    if (release === 'cleared') this.#note(verb, 'delayed', 'released: the rule was removed');
  }

  /** Passes the response to the transport now; the delivery is complete once the last byte has left. */
  #sendSlowly({ rule, bytesPerSecond, atMostMs }: BodyPace, response: WireResponse): void {
    const { body, fault } = response;
    const whole = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const cut = fault?.kind === 'truncate' ? Math.min(fault.bytes, whole.length - 1) : whole.length;
    const reader = new AbortController();
    let writer!: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        writer = controller;
      },
      cancel: () => reader.abort(),
    });
    let end = () => {};
    this.#response = { ...response, slow: { stream, end: new Promise((resolve) => (end = resolve)) } };
    this.#sendResponse();
    const { signal } = this.context.request;
    const disconnected = signal ? AbortSignal.any([signal, reader.signal]) : reader.signal;
    const start = this.now;
    const parts = planParts(cut, bytesPerSecond, atMostMs);
    let sent = 0;
    const waitFor = (at: number): void => {
      const part = parts[at];
      if (!part) {
        if (disconnected.aborted || fault)
          writer.error(disconnected.aborted ? disconnected.reason : createTerminatedError());
        else writer.close();
        this.network.completeDelivery(this);
        end();
        return;
      }
      const send = (release?: ReleaseReason) => {
        const hasDisconnected = disconnected.aborted;
        const isLast = hasDisconnected || release === 'cleared';
        if (hasDisconnected || release)
          this.#noteRelease(hasDisconnected ? 'disconnected' : release!, rule.verb.name);
        const bytes = isLast ? cut : part.bytes;
        if (!hasDisconnected && bytes > sent) writer.enqueue(whole.subarray(sent, bytes));
        sent = bytes;
        waitFor(isLast ? parts.length : at + 1);
      };
      const resume = (release: ReleaseReason) => this.#resume(() => send(release));
      if (!this.network.pending.hold(rule, this.#describeWait(start + part.after), disconnected, resume))
        send();
    };
    waitFor(0);
  }

  #sendResponse(): void {
    this.#hasLeft = true;
    this.#settle?.resolve(this.#response!);
  }

  #createCondition({ until }: NonNullable<Effect['wait']>, { rule }: Hit): WaitCondition | undefined {
    if (until === undefined) return undefined;
    const { network, request } = this;
    const task = rule.scope?.task ?? request.task;
    const run = rule.scope?.run ?? (task && network.counts.findRun(task));
    if (until !== 'next response') return createCondition(until, task, run, network);
    const { isMet, onRequest } = createCondition(
      { response: widenTarget(rule.rule.of) ?? {} },
      request.task,
      run,
      network,
    );
    return { isMet, onRequest: (what, other) => other.seq > request.seq && onRequest!(what, other) };
  }

  #note(verb: VerbName, effect: NetworkEffect['effect'], note: string): void {
    const { exchange } = this.context;
    exchange.network ??= [];
    exchange.network.push({ verb, effect, ...(!this.#response && { side: 'request' }), note });
  }
}
