import type { RequirementId } from '../../spec/generated/documents.js';
import { readField } from '../conversation/json.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import { clientRules } from '../rules/client-rules.js';
import { collectOccasions } from '../rules/occasions.js';
import type { Rule } from '../rules/rule.js';

/** `seq`s kept for one rule: the first ones. */
const MOST_EVIDENCE = 20;

/** Exchanges in which a client could have broken a rule, by the id of the rule: one that it did not break it kept there. */
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

  /** `seq` of the exchanges that gave the occasion to break the rule. */
  listEvidence({ id }: Rule): readonly number[] {
    return this.#seqs.get(id) ?? [];
  }
}

/** Those that need no scenario to be seen. */
function collectOtherOccasions(exchange: ReadExchange): RequirementId[] {
  const shown: RequirementId[] = [];
  if (exchange.operation?.auth === 'key') shown.push('AUTH-01');
  if (exchange.requestBody.state === 'json') shown.push('SERVICE-02', 'TASK-01');
  if (Array.isArray(readField(exchange.requestJson, 'files'))) shown.push('FILE-03');
  if (exchange.reply) shown.push('CLIENT-02', 'CLIENT-06', 'POLL-06');
  if (exchange.sent) shown.push('CLIENT-01');
  return shown;
}
