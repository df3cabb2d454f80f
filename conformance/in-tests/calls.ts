import type { Call } from '../../mock/engine/tasks/task.js';
import type { ReplyAttempt } from '../conversation/task-conversation.js';
import type { Timeline } from './timeline/lines.js';

/** A tool call that the service made, and every reply that the client sent to it. */
export interface MadeCall {
  id: string;
  call: Call;
  timeline: Timeline;
  /** In the order in which they were sent. */
  replies: readonly ReplyAttempt[];
}

export function callsOf(timelines: readonly Timeline[]): MadeCall[] {
  return timelines.flatMap((timeline) =>
    timeline.tasks.flatMap((task) =>
      task.calls.map(({ id, ...call }) => {
        const attempts = timeline.conversation.tasks.get(task.id)?.replies.get(id) ?? [];
        const sent = attempts.filter(({ isEcho }) => !isEcho);
        return { id, call, timeline, replies: sent.sort((one, other) => one.seq - other.seq) };
      }),
    ),
  );
}

/** `"weather" (get_weather, id f12ea017-ca9e-4c18-9491-56f6b311390d)`. */
export function nameOfCall({ id, call: { step, tool } }: MadeCall): string {
  return step === undefined ? `"${id}" (${tool})` : `"${step}" (${tool}, id ${id})`;
}

/** Those that go by `name`: an id, else the id of a step of the scenario, else the name of a tool. */
export function callsNamed(name: string, calls: readonly MadeCall[]): MadeCall[] {
  const ways: ((made: MadeCall) => string | undefined)[] = [
    ({ id }) => id,
    ({ call }) => call.step,
    ({ call }) => call.tool,
  ];
  const found = ways.map((way) => calls.filter((made) => way(made) === name));
  return found.find((some) => some.length > 0) ?? [];
}
