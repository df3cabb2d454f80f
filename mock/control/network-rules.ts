import type { NetworkRule } from '../../scenarios/types.js';
import { ControlError } from './control-error.js';

/**
 * Reads network rules: the text of a network file, or what would stand in it as objects. Throws ControlError with
 * everything that is wrong.
 */
export async function readRules(given: unknown): Promise<NetworkRule[]> {
  const { loadNetworkText } = await import('../../scenarios/network-text.js');
  const text = typeof given === 'string' ? given : (JSON.stringify(given, null, 2) ?? 'null');
  const { rules, problems } = loadNetworkText(text, { file: 'rules' });
  if (problems.length === 0) return rules;
  const told = problems.map(({ line, column, message }) => `rules:${line}:${column}: ${message}`);
  throw new ControlError('invalid', told.join('\n'));
}
