import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { type BenchRow, computeMedian } from './table.js';

const ROUNDS = 15;
const BARE = `require('node:http').createServer((q, r) => r.end('{}')).listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ base_url: 'http://127.0.0.1:' + this.address().port })) })`;

/** From starting the command to its first response, against a server in `node -e`. */
export async function benchStartup(): Promise<BenchRow[]> {
  const mock: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await measureStartup(['-e', BARE], '/'));
    mock.push(
      await measureStartup(
        ['dist/command/main.js', 'mock', '--port', '0', '--json', '--quiet'],
        '/api/v1/usage',
      ),
    );
  }
  const ratio = computeMedian(mock) / computeMedian(bare);
  return [
    {
      name: 'start-up to the first response',
      figure: `${ratio.toFixed(2)} × node -e`,
      detail: `${computeMedian(mock).toFixed(0)} ms (node -e ${computeMedian(bare).toFixed(0)} ms)`,
      goal: '< 2 ×',
      met: ratio < 2,
    },
  ];
}

async function measureStartup(args: string[], path: string): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  const { base_url } = JSON.parse(text) as { base_url: string };
  await (await fetch(base_url + path, { headers: { apikey: 'bench' } })).text();
  const took = performance.now() - from;
  child.kill();
  await new Promise((resolve) => child.once('exit', resolve));
  return took;
}
