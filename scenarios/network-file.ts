import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { buildRule } from './build-step.js';
import { checkNetworkRule } from './check-network-rule.js';
import { parseNetworkSpec } from './network-spec.js';
import { readText } from './read-file.js';
import { show } from './show.js';
import { type Complaint, type Path, Source } from './source.js';
import type { NetworkRule, Problem } from './types.js';

export { parseNetworkSpec } from './network-spec.js';

/** Reads a network file: a list of rules, or a mapping with `rules`. No rules when there are problems. */
export function loadNetworkText(
  text: string,
  { file }: { file: string },
): { rules: NetworkRule[]; problems: Problem[] } {
  const { source, problems } = Source.read(text, file);
  if (!source || problems.length > 0) return { rules: [], problems };
  const complaints: Complaint[] = [];
  const { rules, path } = rulesOf(source.value, complaints);
  complaints.push(...rules.flatMap((rule, index) => checkNetworkRule(rule, [...path, index])));
  if (complaints.length > 0)
    return { rules: [], problems: complaints.map((complaint) => source.problem(complaint)) };
  return { rules: rules.map((rule) => buildRule(rule as Record<string, unknown>)), problems: [] };
}

/** What `--network` is given: the path of a file, or rules in short. */
export function loadNetwork(fileOrSpec: string): { rules: NetworkRule[]; problems: Problem[] } {
  const isFile = statSync(fileOrSpec, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile && !['.yaml', '.yml', '.json'].includes(extname(fileOrSpec.trim())))
    return parseNetworkSpec(fileOrSpec);
  const problems: Problem[] = [];
  const text = readText(fileOrSpec, problems);
  return text === undefined ? { rules: [], problems } : loadNetworkText(text, { file: fileOrSpec });
}

function rulesOf(value: unknown, complaints: Complaint[]): { rules: unknown[]; path: Path } {
  if (Array.isArray(value)) return { rules: value, path: [] };
  const rules = (value as { rules?: unknown } | null)?.rules;
  if (value === null || typeof value !== 'object' || !Array.isArray(rules)) {
    complaints.push({
      path: [],
      message: `expected a list of rules, or a mapping with a list "rules"; found ${show(value)}`,
    });
    return { rules: [], path: [] };
  }
  for (const key of Object.keys(value).filter((each) => each !== 'rules')) {
    complaints.push({ path: [key], at: 'key', message: `unknown key "${key}"; known here: rules` });
  }
  return { rules, path: ['rules'] };
}
