import { readdirSync } from 'node:fs';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { ExchangeBuilder } from './exchange-builder.js';

/** What a rule lets pass, and what it does not. */
export interface RuleExample {
  /** By what makes each of them permitted. */
  good: Record<string, ExchangeBuilder>;
  /** By the mistake; each is found by this rule alone, once. */
  bad: Record<string, { talk: ExchangeBuilder; says: RegExp; evidence: number[] }>;
  /**
   * Of a rule that concludes from an absence: bad ones of which so much is not recorded that they prove nothing, by what is
   * missing.
   */
  open?: Record<string, { of: string; change(exchanges: readonly Exchange[]): Exchange[]; why: RegExp }>;
}

/** By the id of the rule. */
export type RuleExamples = Record<string, RuleExample>;

/** The examples that stand beside the rules of one side. */
export async function loadExamples(side: 'client' | 'service'): Promise<RuleExamples> {
  const folder = new URL(`../../../conformance/rules/${side}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.examples.ts'));
  const all = await Promise.all(
    files.map(async (file): Promise<{ examples: RuleExamples }> => import(new URL(file, folder).href)),
  );
  return Object.assign({}, ...all.map(({ examples }) => examples));
}
