import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { SEARCHES, SEQUENCES, type SearchMeasurement } from './search-process.js';
import { type BenchRow, computeMedian } from './table.js';

/** `conform --search`: sequences a second in virtual time, against the mock in process; on one core, and a search on each of them. */
export async function benchSearch(): Promise<BenchRow[]> {
  const [alone] = await measureParallel(1);
  const cores = availableParallelism();
  const all = await measureParallel(cores);
  const per_s = all.reduce((sum, { rates }) => sum + computeMedian(rates), 0);
  const formatRates = ({ rates }: SearchMeasurement) => rates.map(Math.round).join(', ');
  const requests = (alone!.requests / SEQUENCES).toFixed(0);
  const what = `${SEARCHES} searches of ${SEQUENCES.toLocaleString('en')} sequences against the mock`;
  return [
    {
      name: 'sequences of requests searched in process, one core',
      figure: `${Math.round(computeMedian(alone!.rates))}/s`,
      detail: `median of ${what}, ${requests} requests each, sent to its model as well; ${formatRates(alone!)}`,
    },
    {
      name: `sequences of requests searched in process, ${cores} cores`,
      figure: `${Math.round(per_s)}/s`,
      detail: `a process for each core with ${what}, medians added up; ${all.map(formatRates).join('; ')}`,
      goal: '≥ 200/s',
      met: per_s >= 200,
    },
  ];
}

/** In so many processes at once. */
function measureParallel(count: number): Promise<SearchMeasurement[]> {
  return Promise.all(
    Array.from({ length: count }, () => {
      const measuring = fork(fileURLToPath(new URL('./search-process.js', import.meta.url)));
      return new Promise<SearchMeasurement>((resolve, reject) => {
        measuring.on('message', (measured) => resolve(measured as SearchMeasurement));
        measuring.on('exit', (code) => reject(new Error(`the process ended early, with ${code}`)));
      });
    }),
  );
}
