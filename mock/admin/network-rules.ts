import type { NetworkRule } from '../../scenarios/format/types.js';
import type { Organisation } from '../engine/organisation.js';
import type { Network } from '../network/network.js';
import type { ListedRule } from '../network/rule-book.js';
import { describeProblem } from '../options/invalid-file.js';
import { MockError, quoted } from './admin-error.js';

/** The network rules of one organisation. */
export interface NetworkView {
  organisation: string;
  rules: ListedRule[];
}

/**
 * Reads network rules: the text of a network file, or what would stand in it as objects. Throws ControlError with
 * everything that is wrong.
 */
export async function readRules(given: unknown): Promise<NetworkRule[]> {
  const { loadNetworkText } = await import('../../scenarios/format/network/network-text.js');
  const text = typeof given === 'string' ? given : (JSON.stringify(given, null, 2) ?? 'null');
  const { rules, problems } = loadNetworkText(text, { file: 'rules', isObject: typeof given !== 'string' });
  if (problems.length === 0) return rules;
  const told = problems.map(describeProblem);
  throw new MockError('invalid', told.join('\n'));
}

export function viewNetwork(organisation: Organisation): NetworkView {
  return { organisation: organisation.name, rules: networkOf(organisation).list() };
}

/** Takes away the rule `id` of these organisations, or all; lets go what they held. Throws ControlError where none has it. */
export function clearRules(organisations: readonly Organisation[], id: string | undefined): void {
  const hasIt = (each: Organisation) =>
    networkOf(each)
      .list()
      .some((rule) => rule.id === id);
  if (id !== undefined && !organisations.some(hasIt))
    throw new MockError('missing', `There is no network rule ${quoted(id)}.`);
  for (const organisation of organisations) networkOf(organisation).clear(id);
}

export function networkOf(organisation: Organisation): Network {
  return organisation.network;
}
