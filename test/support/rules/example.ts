import { readdirSync } from 'node:fs';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { ExchangeBuilder } from './exchange-builder.js';

/** Exchanges that a rule accepts and rejects. */
export interface RuleExample {
  /** By the reason why each is permitted. */
  good: Record<string, ExchangeBuilder>;
  /** By the mistake; only this rule finds it, once. */
  bad: Record<string, { talk: ExchangeBuilder; says: RegExp; evidence: number[] }>;
  /** For a rule that concludes from an absence: bad examples with incomplete recordings that prove nothing, by the missing part. */
  open?: Record<string, { of: string; change(exchanges: readonly Exchange[]): Exchange[]; why: RegExp }>;
}

/** By the id of the rule. */
export type RuleExamples = Record<string, RuleExample>;

/** The examples beside the rules of one side. */
export async function loadExamples(side: 'client' | 'service'): Promise<RuleExamples> {
  const folder = new URL(`../../../conformance/rules/${side}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.examples.ts'));
  const all = await Promise.all(
    files.map(async (file): Promise<{ examples: RuleExamples }> => import(new URL(file, folder).href)),
  );
  return Object.assign({}, ...all.map(({ examples }) => examples));
}
