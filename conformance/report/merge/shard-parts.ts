import type { Shard } from '../../common/shard.js';
import { ReportError } from '../formats.js';
import type { NamedReport } from '../read-report.js';

export interface ReportOfShard extends NamedReport {
  shard: Shard;
}

/**
 * The reports in the order of their parts. `listValues`: what all have to share, with its name. Throws ReportError unless all are different
 * parts of one `what`.
 */
export function sortParts<T extends ReportOfShard>(
  given: readonly T[],
  what: 'search' | 'run',
  listValues: (report: T) => readonly (readonly [name: string, value: unknown])[],
): T[] {
  const sorted = given.toSorted((one, other) => one.shard.part - other.shard.part);
  const listAll = (each: T) => [['the number of shards', each.shard.of] as const, ...listValues(each)];
  const [first] = sorted as [T];
  for (const [index, each] of sorted.entries()) {
    const expected = listAll(first);
    for (const [at, [name, value]] of listAll(each).entries()) {
      const one = expected[at]![1];
      if (JSON.stringify(one) === JSON.stringify(value)) continue;
      const values = typeof one === 'object' ? '' : `: ${one} and ${value}`;
      throw new ReportError(
        `${first.file} and ${each.file} are no shards of one ${what}: they differ in ${name}${values}`,
      );
    }
    const before = sorted[index - 1];
    if (before?.shard.part === each.shard.part)
      throw new ReportError(
        `${before.file} and ${each.file} are both shard ${each.shard.part}/${each.shard.of}`,
      );
  }
  return sorted;
}

/** Why the whole of these parts ended early: parts are missing, or ended early themselves. */
export function explainStops(parts: readonly { shard: Shard; stopped?: string | undefined }[]): string[] {
  const { of } = parts[0]!.shard;
  const given = new Set(parts.map(({ shard }) => shard.part));
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((part) => !given.has(part));
  return [
    ...(missing.length > 0
      ? [`${missing.length === 1 ? 'shard' : 'shards'} ${formatParts(missing, of)} missing`]
      : []),
    ...parts.flatMap(({ shard, stopped }) =>
      stopped === undefined ? [] : [`shard ${shard.part}/${of}: ${stopped}`],
    ),
  ];
}

/** `2/4 is`, `2/4 and 3/4 are`; at most ten. */
function formatParts(parts: readonly number[], of: number): string {
  const named = parts.slice(0, 10).map((part) => `${part}/${of}`);
  if (parts.length > named.length) named.push(`${parts.length - named.length} more`);
  const [last, ...others] = named.reverse();
  return others.length === 0 ? `${last} is` : `${others.reverse().join(', ')} and ${last} are`;
}
