import { requirements } from '../../spec/generated/requirements.js';

const RULES: ReadonlyMap<string, string> = new Map(requirements.map(({ id, rule }) => [id, rule]));

/** A requirement in words. */
export function ruleOf(id: string): string | undefined {
  return RULES.get(id);
}
