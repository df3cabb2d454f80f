import type { Call } from '../../mock/engine/tasks/task.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import { replyOf } from '../conversation/reply.js';
import type { Conversation } from './timeline/conversation.js';

/** A tool call that the service made, and every reply that the client sent to it. */
export interface MadeCall {
  id: string;
  call: Call;
  conversation: Conversation;
  /** In the order in which they were sent. */
  replies: readonly ReadExchange[];
}

export function callsOf(conversations: readonly Conversation[]): MadeCall[] {
  return conversations.flatMap((conversation) =>
    conversation.tasks.flatMap((task) =>
      task.calls.map(({ id, ...call }) => {
        const replies = conversation.exchanges.filter(
          (exchange) => exchange.task === task.id && isReplyTo(id, exchange),
        );
        return { id, call, conversation, replies };
      }),
    ),
  );
}

function isReplyTo(id: string, exchange: ReadExchange): boolean {
  const reply = replyOf(exchange);
  return reply?.name === 'tool_call' && reply.id === id;
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
