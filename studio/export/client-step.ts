import { toFields } from '../../conformance/conversation/json.js';
import { ReadExchange } from '../../conformance/conversation/read-exchange.js';
import type { Exchange } from '../../spec/vocabulary.js';

/**
 * The request as a client step of a scenario, in YAML; undefined where the format has no such step. A reply names the id of
 * the call: in a scenario that is the id of the `tool_call` step.
 */
export function formatClientStep(exchange: Exchange): string | undefined {
  const step = toClientStep(exchange);
  if (!step) return undefined;
  // JSON is YAML, and says every value exactly.
  const fields = Object.entries(step).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return `- ${fields.join('\n  ')}\n`;
}

function toClientStep(exchange: Exchange): Record<string, unknown> | undefined {
  const { kind } = exchange;
  const { reply, action } = new ReadExchange(exchange);
  if (reply) {
    const { code, output } = reply.payload ?? {};
    return { client: 'reply', to: reply.id, code, output };
  }
  if (kind === 'poll') return { client: 'poll' };
  if (kind === 'cancel') return { client: 'cancel' };
  if (kind !== 'action' || !action) return undefined;
  const { name, input } = toFields(action.payload) ?? {};
  if (name === 'close') return { client: 'close' };
  return { client: 'action', name, input };
}
