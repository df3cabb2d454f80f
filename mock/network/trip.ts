import type { NetworkEffect } from '../../spec/vocabulary.js';
import type { RequestContext } from '../pipeline/context.js';
import type { WireResponse } from '../pipeline/wire.js';
import type { About } from './about.js';
import type { Ending, Held } from './held.js';
import type { Overtaking } from './rule.js';
import { after, before, type Move, type Shot } from './verbs.js';
import type { Ground } from './waits.js';

type MaybePromise<T> = T | Promise<T>;

/** What a trip needs of the network it goes through. */
export interface Way {
  ground(): Ground;
  held: Held;
  /** Adds the shots of rules that were set while the request was handled and concern its answer already. */
  afterHandling(trip: Trip): void;
  done(trip: Trip): void;
}

/**
 * One request on its way to the service and back, past the rules that do something to it, in their order. Goes on
 * without a break wherever nothing has to be waited for: then the whole trip is over when `start` returns.
 */
export class Trip {
  /** Those whose answers this request's answer overtakes. */
  readonly overtakes: Overtaking[] = [];
  readonly shots: Shot[] = [];
  #next = 0;
  #stage: 'request' | 'service' | 'response' | 'done' = 'request';
  #twice = false;
  #response: WireResponse | undefined;
  #settle: { resolve: (response: WireResponse) => void; reject: (reason: unknown) => void } | undefined;

  constructor(
    readonly context: RequestContext,
    readonly about: About,
    private readonly answer: () => MaybePromise<WireResponse>,
    private readonly way: Way,
  ) {}

  /** What has become of it: the answer that leaves, undefined for one that never reaches the client. */
  get result(): WireResponse | undefined {
    return this.context.isAbandoned || this.#response?.fault?.kind === 'drop' ? undefined : this.#response;
  }

  start(): MaybePromise<WireResponse> {
    try {
      this.#go();
    } catch (error) {
      this.way.done(this);
      throw error;
    }
    if (this.#stage === 'done') return this.#response!;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  /** As far as it goes now. */
  #go(): void {
    if (this.#stage === 'request' && !this.#toService()) return;
    if (this.#stage === 'service' && !this.#handle(this.#twice ? 2 : 1)) return;
    if (this.#stage === 'response' && !this.#toClient()) return;
    this.#stage = 'done';
    this.way.done(this);
    this.#settle?.resolve(this.#response!);
  }

  #toService(): boolean {
    while (this.#next < this.shots.length) {
      const shot = this.shots[this.#next++]!;
      const move = before(shot, this.about, this.way.ground());
      if (!move) continue;
      if (move.twice) this.#twice = true;
      if (this.#makes(shot, move)) return false;
      if (move.answer) {
        this.#turnTo('response', move.answer);
        return true;
      }
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
    this.#turnTo('response', this.#response!);
    return true;
  }

  /** The first answer counts. */
  #take(response: WireResponse): void {
    const { about, context, way } = this;
    way.ground().tally.handled(about, response.status);
    if (this.#response) {
      this.#note({
        verb: 'duplicate',
        effect: 'duplicated',
        note: `the second time with ${response.status}`,
      });
      return;
    }
    this.#response = response;
    if (about.kind === 'create' && response.status === 200) {
      about.task = context.organisation.world.tasks.get(context.exchange.task ?? '');
    }
    way.afterHandling(this);
  }

  #toClient(): boolean {
    while (this.#next < this.shots.length && this.#response!.fault?.kind !== 'drop') {
      const shot = this.shots[this.#next++]!;
      const move = shot.done ? undefined : after(shot, this.about, this.#response!, this.way.ground());
      if (!move) continue;
      if (this.#makes(shot, move)) return false;
      if (move.answer) this.#response = move.answer;
    }
    return true;
  }

  /** Makes the move; true when the trip goes on later. */
  #makes(shot: Shot, move: Move): boolean {
    shot.done = true;
    shot.rule.fire();
    const verb = shot.rule.rule.network;
    this.#note({ verb, effect: move.effect, note: move.note });
    if (!move.wait) return false;
    const { held } = this.way;
    return held.hold(shot.rule, move.wait, this.context.request.signal, (ending) =>
      this.#letGo(ending, verb, move),
    );
  }

  #letGo(ending: Ending, verb: string, move: Move): void {
    if (ending === 'time' && move.late) this.#note({ verb, effect: 'delayed', note: move.late });
    if (ending === 'gone') {
      this.context.isAbandoned = true;
      this.#note({ verb, effect: 'lost', note: 'let go: the client has gone' });
    }
    if (ending === 'cleared')
      this.#note({ verb, effect: 'delayed', note: 'let go: the rule was taken away' });
    this.#resume(() => this.#go());
  }

  /** Nobody above catches what is thrown once the trip goes on by itself. */
  #resume(go: () => void): void {
    try {
      go();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#stage = 'done';
    this.way.done(this);
    this.#settle?.reject(error);
  }

  #turnTo(stage: 'response', response: WireResponse): void {
    this.#stage = stage;
    this.#response = response;
    this.#next = 0;
  }

  #note(effect: NetworkEffect): void {
    const { exchange } = this.context;
    exchange.network ??= [];
    exchange.network.push(effect);
  }
}
