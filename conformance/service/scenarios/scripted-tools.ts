import type { Scenario } from '../../../scenarios/format/types.js';
import type { ResultCode } from '../../../spec/vocabulary.js';

interface ScriptedReply {
  code: ResultCode;
  output: unknown;
  /** How long the tool takes, ms. */
  pause_ms: number;
}

const PLAIN: ScriptedReply = { code: 200, output: null, pause_ms: 0 };

/** The client's tool replies in a scenario: run n of a tool gets reply n, and the last one repeats. */
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
        // If the scenario allows any reply and continues after errors, an error tests more.
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
    // For additional calls the last reply repeats, unless it was a permanent error.
    return replies?.[run] ?? replies?.findLast(({ code }) => code === 200) ?? PLAIN;
  }

  /** Number of calls due before the given step. */
  countDue(): number {
    return ++this.#due;
  }
}
