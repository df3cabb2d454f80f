import { cpus, totalmem } from 'node:os';

/** One line of the table. */
export interface BenchRow {
  name: string;
  figure: string;
  detail: string;
  goal?: string;
  met?: boolean;
}

export function computeMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** The table in Markdown, as it stands in docs/figures.md. */
export function toMarkdown(rows: readonly BenchRow[]): string {
  const lines = rows.map(({ name, figure, detail, goal, met }) => {
    const verdict = goal === undefined ? '' : `${goal} ${met ? '✓' : '✗'}`;
    return `| ${name} | ${figure} | ${verdict} | ${detail} |`;
  });
  return ['| what | figure | goal | in numbers |', '|---|---|---|---|', ...lines].join('\n');
}

export function describeMachine(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}`;
}
