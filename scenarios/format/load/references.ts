import { show } from '../../../spec/show.js';
import type { Problem } from '../types.js';
import { type Path, Source, startsWith } from './source.js';

/** Contents of the file that `reference` names, as seen from `file`; or why it cannot be had. */
export type ReadReference = (
  reference: string,
  file: string,
) => { file: string; text: string } | { refused: string };

const DEEPEST = 8;
const MOST_REFERENCES = 500;

/** A value whose `$ref`s are replaced, and where each part of it really stands. */
export interface Expanded {
  value: unknown;
  problems: Problem[];
  /** Paths that could not be replaced: what is said about them is a consequence. */
  failed: Path[];
  /** The file and the path in it that a path of the expanded value comes from. */
  origin(path: Path): { source: Source; path: Path };
}

interface Mount {
  at: Path;
  source: Source;
  path: Path;
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
  const mounts: Mount[] = [];
  const problems: Problem[] = [];
  const failed: Path[] = [];
  const files = new Map<string, Source | undefined>();
  let count = 0;
  const expanded = walk(value, source, path, path, [source.file]);
  return { value: expanded, problems, failed, origin };

  function walk(from: unknown, within: Source, there: Path, here: Path, chain: readonly string[]): unknown {
    if (from === null || typeof from !== 'object') return from;
    if (Array.isArray(from))
      return from.map((item, index) => walk(item, within, [...there, index], [...here, index], chain));
    const keys = Object.keys(from);
    const reference = (from as Record<string, unknown>).$ref;
    if (
      keys.length === 1 &&
      keys[0] === '$ref' &&
      !(typeof reference === 'string' && reference.startsWith('#'))
    ) {
      return follow(reference, within, [...there, '$ref'], here, chain);
    }
    return Object.fromEntries(
      Object.entries(from).map(([key, item]) => [
        key,
        walk(item, within, [...there, key], [...here, key], chain),
      ]),
    );
  }

  function follow(
    reference: unknown,
    within: Source,
    there: Path,
    here: Path,
    chain: readonly string[],
  ): unknown {
    const refuse = (message: string) => {
      problems.push(within.problem({ path: there, message: `$ref: ${message}` }));
      failed.push(here);
      return undefined;
    };
    if (typeof reference !== 'string' || reference === '')
      return refuse(`expected the path of a file, found ${show(reference)}`);
    if (!read) return refuse(`there is no directory to read "${reference}" from; write its contents here`);
    if (++count > MOST_REFERENCES)
      return refuse(`expected at most ${MOST_REFERENCES} references in one scenario`);
    const found = read(reference, within.file);
    if ('refused' in found) return refuse(found.refused);
    if (chain.includes(found.file))
      return refuse(`"${reference}" leads back to itself: ${[...chain, found.file].join(' → ')}`);
    if (chain.length > DEEPEST) return refuse(`expected references at most ${DEEPEST} files deep`);
    const target = open(found.file, found.text);
    if (!target) {
      failed.push(here);
      return undefined;
    }
    mounts.push({ at: here, source: target, path: [] });
    return walk(target.value, target, [], here, [...chain, found.file]);
  }

  function open(file: string, text: string): Source | undefined {
    if (!files.has(file)) {
      const opened = Source.read(text, file);
      problems.push(...opened.problems);
      files.set(file, opened.source);
    }
    return files.get(file);
  }

  function origin(wanted: Path): { source: Source; path: Path } {
    let best: Mount = { at: [], source, path: [] };
    for (const mount of mounts) {
      if (mount.at.length >= best.at.length && startsWith(wanted, mount.at)) best = mount;
    }
    return { source: best.source, path: [...best.path, ...wanted.slice(best.at.length)] };
  }
}
