import { show } from '../../../spec/show.js';
import type { Problem } from '../types.js';
import { type Path, Source, startsWith, type Violation } from './source.js';

/** Contents of the file that `reference` names, relative to `file`; or why it cannot be read. */
export type ReadReference = (
  reference: string,
  file: string,
) => { file: string; text: string } | { refused: string };

const DEEPEST = 8;
const MOST_REFERENCES = 500;

/** A value whose `$ref`s are replaced. */
export interface Expanded {
  value: unknown;
  /** What is wrong with references. */
  problems: Problem[];
  /** Paths that could not be replaced: further problems with them are consequences. */
  failed: Path[];
  /** The problems of violations of the value at their original location, without consequences. */
  locate(violations: readonly Violation[]): Problem[];
}

/** A file that is being read, the path in the expanded value that it replaces, and the files that refer to it. */
interface Mount {
  at: Path;
  source: Source;
  chain: readonly string[];
}

/**
 * Replaces each `{ $ref: file }` below `path` by the contents of that file. A schema's own `$ref: "#/..."` stays, and so
 * does one with keys beside it. Bounds: 8 files deep, 500 references.
 */
export function expandReferences(
  source: Source,
  path: Path,
  value: unknown,
  read: ReadReference | undefined,
): Expanded {
  const root: Mount = { at: [], source, chain: [source.file] };
  const mounts = [root];
  const problems: Problem[] = [];
  const failed: Path[] = [];
  let count = 0;
  return { value: walk(value, path, root), problems, failed, locate };

  function walk(from: unknown, here: Path, mount: Mount): unknown {
    if (from === null || typeof from !== 'object') return from;
    if (Array.isArray(from)) return from.map((item, index) => walk(item, [...here, index], mount));
    const { $ref, ...others } = from as { $ref?: unknown };
    const isLocal = typeof $ref === 'string' && $ref.startsWith('#');
    if ('$ref' in from && Object.keys(others).length === 0 && !isLocal) return follow($ref, here, mount);
    const entries = Object.entries(from).map(([key, item]) => [key, walk(item, [...here, key], mount)]);
    return Object.fromEntries(entries);
  }

  function follow(reference: unknown, here: Path, mount: Mount): unknown {
    const target = open(reference, mount);
    if (typeof target !== 'string' && target.source) {
      const inner = { at: here, source: target.source, chain: [...mount.chain, target.source.file] };
      mounts.push(inner);
      return walk(inner.source.value, here, inner);
    }
    const there = [...here.slice(mount.at.length), '$ref'];
    if (typeof target !== 'string') problems.push(...target.problems);
    else problems.push(mount.source.problem({ path: there, message: `$ref: ${target}` }));
    failed.push(here);
    return undefined;
  }

  /** The target of a reference, or why it cannot be read. */
  function open(
    reference: unknown,
    { source: within, chain }: Mount,
  ): ReturnType<typeof Source.read> | string {
    if (typeof reference !== 'string' || reference === '')
      return `expected the path of a file, found ${show(reference)}`;
    if (!read) return `there is no directory to read "${reference}" from; write its contents here`;
    if (++count > MOST_REFERENCES) return `expected at most ${MOST_REFERENCES} references in one scenario`;
    const found = read(reference, within.file);
    if ('refused' in found) return found.refused;
    if (chain.includes(found.file))
      return `"${reference}" leads back to itself: ${[...chain, found.file].join(' → ')}`;
    if (chain.length > DEEPEST) return `expected references at most ${DEEPEST} files deep`;
    return Source.read(found.text, found.file);
  }

  function locate(violations: readonly Violation[]): Problem[] {
    const own = violations.filter((each) => !failed.some((other) => startsWith(each.path, other)));
    return own.map((violation) => {
      // Files that are read later stand deeper.
      const mount = mounts.findLast(({ at }) => startsWith(violation.path, at)) ?? root;
      return mount.source.problem({ ...violation, path: violation.path.slice(mount.at.length) });
    });
  }
}
