import type { RequirementId } from '../../spec/generated/documents.js';
import { readField } from '../conversation/json.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import { clientRules } from '../rules/client-rules.js';
import { collectOccasions } from '../rules/occasions.js';
import type { Rule } from '../rules/rule.js';

/** Most `seq`s kept for one rule. */
const MOST_EVIDENCE = 20;

/** By the id of the rule: exchanges in which a client could have violated it. */
export class Occasions {
  readonly #seqs = new Map<string, number[]>();

  observe(exchange: ReadExchange): void {
    const operation = exchange.operation?.id;
    if (operation === undefined) return;
    const given = new Set<RequirementId>([...collectOccasions(exchange), ...collectOtherOccasions(exchange)]);
    for (const { id, only, requirements } of clientRules) {
      const seqs = this.#seqs.get(id);
      if (seqs && seqs.length >= MOST_EVIDENCE) continue;
      const isAbout = only === undefined || only.length === 0 || only.includes(operation);
      if (!isAbout || !requirements.some((requirement) => given.has(requirement))) continue;
      if (seqs) seqs.push(exchange.seq);
      else this.#seqs.set(id, [exchange.seq]);
    }
  }

  listEvidence({ id }: Rule): readonly number[] {
    return this.#seqs.get(id) ?? [];
  }
}

/** Occasions that do not depend on a scenario. */
function collectOtherOccasions(exchange: ReadExchange): RequirementId[] {
  const shown: RequirementId[] = [];
  if (exchange.operation?.auth === 'key') shown.push('AUTH-01');
  if (exchange.requestBody.state === 'json') shown.push('SERVICE-02', 'TASK-01');
  if (Array.isArray(readField(exchange.requestJson, 'files'))) shown.push('FILE-03');
  if (exchange.reply) shown.push('CLIENT-02', 'CLIENT-06', 'POLL-06');
  if (exchange.sent) shown.push('CLIENT-01');
  return shown;
}
