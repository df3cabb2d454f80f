import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Talker } from '../http-client/http-client.js';
import type { Answer } from '../http-client/response.js';
import type { Target } from '../http-client/target.js';
import type { Cleanup } from '../runner/cleanup.js';
import type { Verdicts } from '../runner/verdicts.js';
import { createPlayer } from '../scenarios/player.js';
import type { Allowance, KeyName, Probing, Settings } from './test-case.js';

/** Thrown to end a probe before its end. */
export class Ended extends Error {
  constructor(
    readonly kind: 'inconclusive' | 'skipped',
    why: string,
  ) {
    super(why);
  }
}

export interface ProbingSetup {
  target: Target;
  talker: Talker;
  verdicts: Verdicts;
  cleanup: Cleanup;
  settings: Settings;
  allowed: ReadonlySet<Allowance>;
  unique: () => string;
  observed: (point: string, choice: string | number) => void;
  /** What ends it early, now. */
  readonly signal: AbortSignal | undefined;
}

/** Requirements that a 429 says something about. */
const ABOUT_LIMITS = /^(ERROR-0[56]|LIMIT-)/;

/** What one run of a probe has in hand. */
export function createProbing(setup: ProbingSetup): Probing {
  const { target, talker, verdicts, cleanup, settings, allowed, unique, observed } = setup;
  const seqs = (answers: readonly Answer[]) => answers.map(({ seq }) => seq);
  const breach = (requirement: RequirementId, message: string, shown: readonly Answer[]) => {
    // Whoever met a limit may be told nothing else.
    if (shown.some(({ status }) => status === 429) && !ABOUT_LIMITS.test(requirement))
      throw new Ended('inconclusive', `a limit was met and lasted: ${message}`);
    verdicts.breach(requirement, message, seqs(shown));
  };
  const core: Omit<Probing, 'player'> = {
    send: (operation, sending) => talker.send(operation, sending),
    raw: (method, path, sending) => talker.raw(method, path, sending),
    expect(requirement: RequirementId, holds: boolean, message: string, ...shown: Answer[]): boolean {
      if (holds) verdicts.hold(requirement, seqs(shown));
      else breach(requirement, message, shown);
      return holds;
    },
    broke: (requirement, message, ...shown) => breach(requirement, message, shown),
    inconclusive(why): never {
      throw new Ended('inconclusive', why);
    },
    skip(why): never {
      throw new Ended('skipped', why);
    },
    observed: (point, choice) => observed(point, choice),
    cleanup: (what, undo) => cleanup.add(what, undo),
    unique,
    has: (key: KeyName) => target.keys[key] !== undefined,
    allowed: (what: Allowance) => allowed.has(what),
    now: () => target.clock.now(),
    async sleep(ms) {
      await target.clock.sleep(ms, setup.signal);
      setup.signal?.throwIfAborted();
    },
    settings,
  };
  return { ...core, player: createPlayer(core) };
}
