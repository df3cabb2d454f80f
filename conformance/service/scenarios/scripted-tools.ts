import type { Scenario } from '../../../scenarios/format/types.js';
import type { ResultCode } from '../../../spec/vocabulary.js';

interface ScriptedReply {
  code: ResultCode;
  output: unknown;
  /** How long the tool takes, ms. */
  pause_ms: number;
}

const PLAIN: ScriptedReply = { code: 200, output: null, pause_ms: 0 };

/** How the client's tools response in a scenario: the n-th run of a tool like the n-th reply about it, the last repeats. */
export class ScriptedTools {
  readonly #replies = new Map<unknown, ScriptedReply[]>();
  readonly #runs = new Map<unknown, number>();
  #due = 0;

  constructor({ timeline }: Scenario) {
    const toolById = new Map<string, string>();
    const ifRefused = new Set(timeline.flatMap((step) => step.if?.reply ?? []));
    for (const step of timeline) {
      if ('service' in step && step.service === 'tool_call') {
        for (const id of [step.id, step.event_id]) if (id !== undefined) toolById.set(id, step.tool);
      } else if ('client' in step && step.client === 'reply') {
        const tool = toolById.get(step.to);
        // Where the scenario leaves the choice and goes on about errors, an error shows more.
        const { code = ifRefused.has(step.to) ? 400 : 200, after } = step;
        const { output = code === 200 ? null : 'try again' } = step;
        const scripted = { code, output, pause_ms: after?.time_ms ?? 0 };
        this.#replies.set(tool, [...(this.#replies.get(tool) ?? []), scripted]);
      }
    }
  }

  nextReply(tool: unknown): ScriptedReply {
    const run = this.#runs.get(tool) ?? 0;
    this.#runs.set(tool, run + 1);
    const replies = this.#replies.get(tool);
    // Called more often than it is written: the last word counts, unless that was an error for ever.
    return replies?.[run] ?? replies?.findLast(({ code }) => code === 200) ?? PLAIN;
  }

  /** Calls that the scenario has seen by the step that asks. */
  countDue(): number {
    return ++this.#due;
  }
}
