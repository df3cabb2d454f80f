import { benchAdapters } from './adapters.js';
import { benchCommands, benchExplore } from './explore.js';
import { benchHostile } from './hostile.js';
import { benchHttp } from './http.js';
import { benchInProcess } from './in-process.js';
import { CONNECTIONS, hasWrk } from './load.js';
import { benchProxy, benchProxySoak } from './proxy.js';
import { benchReplays } from './replays.js';
import { benchSearch } from './search.js';
import { benchSharedMock } from './shared-mock.js';
import { benchSoak } from './soak.js';
import { benchStartup } from './startup.js';
import { benchStudio } from './studio.js';
import { type BenchRow, describeMachine, toMarkdown } from './table.js';
import { benchView } from './view.js';

/** `npm run bench [NAME...]`: all measurements, or those named; prints the table of docs/figures.md. */
const BENCHES: Record<string, () => Promise<BenchRow[]>> = {
  http: benchHttp,
  startup: benchStartup,
  'in-process': benchInProcess,
  explore: benchExplore,
  commands: benchCommands,
  adapters: benchAdapters,
  search: benchSearch,
  replays: benchReplays,
  proxy: benchProxy,
  'proxy-soak': benchProxySoak,
  hostile: benchHostile,
  studio: benchStudio,
  view: benchView,
  'shared-mock': benchSharedMock,
  soak: benchSoak,
};

const named = process.argv.slice(2);
const rows: BenchRow[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await bench()));
}
process.stdout.write(
  `${toMarkdown(rows)}\n\n${describeMachine()}, load by ${hasWrk() ? 'wrk' : 'autocannon'} with ${CONNECTIONS} connections\n`,
);
