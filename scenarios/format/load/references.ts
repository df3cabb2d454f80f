import { show } from '../../../spec/show.js';
import type { Problem } from '../types.js';
import { type Path, Source } from './source.js';

/** Contents of the file that `reference` names, relative to `file`; or why it cannot be read. */
export type ReferenceReader = (
  reference: string,
  file: string,
) => { file: string; text: string } | { refused: string };

const DEEPEST = 8;
const MOST_REFERENCES = 500;

/**
 * Replaces each `{ $ref: file }` in the value at `root` by the contents of that file. Problems inside it name that file. A local
 * `$ref: "#/..."` and a `$ref` beside other keys stay. Limits: 8 files deep, 500 references.
 */
export function expandReferences(
  source: Source,
  root: Path,
  value: unknown,
  read: ReferenceReader | undefined,
): { value: unknown; problems: Problem[] } {
  const problems: Problem[] = [];
  let count = 0;
  return { value: walk(value, root, [source]), problems };

  /** `chain`: the files from the scenario to the current file. */
  function walk(from: unknown, here: Path, chain: readonly Source[]): unknown {
    if (from === null || typeof from !== 'object') return from;
    if (Array.isArray(from)) return from.map((item, index) => walk(item, [...here, index], chain));
    const { $ref, ...others } = from as { $ref?: unknown };
    const isLocal = typeof $ref === 'string' && $ref.startsWith('#');
    if ('$ref' in from && Object.keys(others).length === 0 && !isLocal) return follow($ref, here, chain);
    const entries = Object.entries(from).map(([key, item]) => [key, walk(item, [...here, key], chain)]);
    return Object.fromEntries(entries);
  }

  function follow(reference: unknown, here: Path, chain: readonly Source[]): unknown {
    const within = chain.at(-1)!;
    const target = open(reference, chain);
    if (typeof target === 'string')
      problems.push(...within.toProblems([{ path: [...here, '$ref'], message: `$ref: ${target}` }]));
    else problems.push(...target.problems);
    const mounted = typeof target === 'string' ? undefined : target.source;
    within.mounts.push({ at: here, source: mounted });
    return mounted && walk(mounted.value, [], [...chain, mounted]);
  }

  /** The target of a reference, or why it cannot be read. */
  function open(reference: unknown, chain: readonly Source[]): ReturnType<typeof Source.read> | string {
    if (typeof reference !== 'string' || reference === '')
      return `expected the path of a file, found ${show(reference)}`;
    if (!read) return `there is no directory to read "${reference}" from; write its contents here`;
    if (++count > MOST_REFERENCES) return `expected at most ${MOST_REFERENCES} references in one scenario`;
    const found = read(reference, chain.at(-1)!.file);
    if ('refused' in found) return found.refused;
    const files = chain.map(({ file }) => file);
    if (files.includes(found.file))
      return `"${reference}" leads back to itself: ${[...files, found.file].join(' → ')}`;
    if (chain.length > DEEPEST) return `expected references at most ${DEEPEST} files deep`;
    return Source.read(found.text, found.file);
  }
}
