import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { readText } from '../load/read-file.js';
import type { NetworkRule, Problem } from '../types.js';
import { loadNetworkText } from './network-text.js';
import { parseNetworkSpec } from './shorthand.js';

/** What `--network` is given: the path of a file, or rules in short; problems of these name `name`. */
export function loadNetwork(
  fileOrSpec: string,
  name?: string,
): { rules: NetworkRule[]; problems: Problem[] } {
  const isFile = statSync(fileOrSpec, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile && !['.yaml', '.yml', '.json'].includes(extname(fileOrSpec.trim())))
    return parseNetworkSpec(fileOrSpec, name);
  const problems: Problem[] = [];
  const text = readText(fileOrSpec, problems);
  return text === undefined ? { rules: [], problems } : loadNetworkText(text, { file: fileOrSpec });
}
