import type { Target } from '../../scenarios/format/types.js';
import type { RequestKind } from '../../spec/vocabulary.js';

/**
 * What happened between the two sides, one entry for each thing that could have come in another order. Names are the
 * same in every run of a scenario (ids of steps, kinds of requests and their number), so that a network step can be
 * written for each of them.
 */
export type TraceEntry = { at: number } & (
  | {
      /** A step of the service has happened. */
      what: 'step';
      /** `tool_call c2`, `finish`. */
      name: string;
      /** Id of the step; undefined for what the agent improvises. */
      step: string | undefined;
      /** Of a call its tool, of a result the step or name of its action. */
      about?: string | undefined;
      task: string;
    }
  | {
      /** A request has reached the service. */
      what: 'arrive';
      /** `poll#3`, `reply c1#2`, `action open#1`, `create#1`, `cancel#1`, `GET /usage#1`. */
      name: string;
      kind: RequestKind;
      /** The requests that a network rule has to mean, and how many such to pass over, to mean this one. */
      of: Target;
      skip: number;
      seq: number;
    }
  | {
      /** An answer has left (status 0: it was lost on its way). */
      what: 'answer';
      name: string;
      kind: RequestKind;
      status: number;
      /** Steps (or event ids) whose events it carried. */
      events: string[];
      seq: number;
    }
);

/** The trace of a run in one line a thing, for people and for comparing two runs. */
export function traceLine(entry: TraceEntry): string {
  switch (entry.what) {
    case 'step':
      return `service ${entry.name}`;
    case 'arrive':
      return `arrive ${entry.name}`;
    case 'answer':
      return `answer ${entry.name} ${entry.status || 'lost'}${entry.events.length > 0 ? ` [${entry.events.join(', ')}]` : ''}`;
  }
}
