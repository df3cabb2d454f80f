import { Mock } from '../../mock/mock.js';
import { serviceOf } from '../../mock/service.js';
import { internalErrorLine } from '../exit-codes.js';
import type { MockFlags } from '../mock.js';
import { print, printError, printLine, printWarning } from '../print.js';
import { UsageError } from '../usage.js';
import { banner, jsonLine } from './banner.js';
import { JournalFile } from './journal-file.js';
import { lazyJudge } from './lazy-judge.js';
import { closeOnSignal, toListenError } from './listen.js';
import { TaskLog } from './log.js';
import { reloads, watchFiles } from './reload.js';

/** What the first task and findings need is loaded once the mock has been idle for so long after it started, ms. */
const WARM_UP_AFTER_MS = 300;

/** Plays the service until a signal ends it. Throws UsageError when it cannot start. */
export async function runMock(flags: MockFlags): Promise<void> {
  if (flags.speed !== undefined && flags.clock !== 'real') {
    throw new UsageError(
      `--speed is for the real clock, and --clock is ${flags.clock}: leave one of them out.`,
    );
  }
  const journal = flags.journal === undefined ? undefined : new JournalFile(flags.journal, printWarning);
  const log = flags.quiet ? undefined : new TaskLog(printLine, Date.now);
  const judge = lazyJudge(flags.clock === 'real' && (flags.speed ?? 1) >= 1);
  const mock = new Mock({
    seed: flags.seed,
    origin: flags.origin,
    clock: flags.clock,
    speed: flags.speed,
    scenarios: flags.scenarios,
    fixtures: flags.fixtures,
    dialect: [
      flags.dialect ?? [],
      flags.rateLimit === undefined ? [] : { 'limits.rate': flags.rateLimit },
    ].flat(),
    network: flags.network,
    adminToken: flags.adminToken,
    limits: {
      ...(flags.maxExchanges === undefined ? {} : { exchanges: flags.maxExchanges }),
      ...(flags.maxFinishedTasks === undefined ? {} : { finishedTasks: flags.maxFinishedTasks }),
    },
    judge,
    // Undefined with --quiet: the mock is faster without.
    onExchange: log && ((exchange) => log.exchange(exchange)),
    onRecord: journal && ((exchange) => journal.write(exchange)),
    onNote: (note, organisation) => log?.line('note   ', `${note} ${organisation}`),
    onFault: (error) => printError(internalErrorLine(error)),
  });
  await start(mock, flags, journal, log);
  const warmUp = () => Promise.all([mock.warmUp(), judge.ready()]);
  setTimeout(() => warmUp().catch((error) => printError(internalErrorLine(error))), WARM_UP_AFTER_MS).unref();
}

async function start(
  mock: Mock,
  flags: MockFlags,
  journal: JournalFile | undefined,
  log: TaskLog | undefined,
): Promise<void> {
  let stopWatching = async () => {};
  try {
    stopWatching = await watchFiles(reloads(mock, flags, (line) => log?.line('reload ', line)));
    await mock.ready;
    const { host, port } = flags;
    const listening = await mock.listen({ host, port }).catch(async (error) => {
      throw await toListenError(error, host, port);
    });
    closeOnSignal(async () => {
      await Promise.all([stopWatching(), mock.close()]);
      await journal?.close();
    });
    const announcement = { ...listening, seed: mock.seed, given: countGiven(mock) };
    if (flags.json) await print(jsonLine(announcement));
    else if (!flags.quiet) await print(banner(announcement));
    if (!isLoopback(host)) printWarning(exposureWarning(host, flags));
  } catch (error) {
    await Promise.all([stopWatching(), mock.close()]);
    throw error;
  }
}

function countGiven(mock: Mock): number {
  return serviceOf(mock)
    .scenarios.list()
    .filter(({ library }) => !library).length;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function exposureWarning(host: string, flags: MockFlags): string {
  const admin =
    flags.adminToken === undefined
      ? 'the admin API is still open to this machine only'
      : 'the admin API requires the token';
  const addresses =
    flags.origin === undefined
      ? '; links in its responses lead to this machine only, unless --origin says how others reach it'
      : '';
  return `listening on ${host}: other machines can reach this mock, with any key; ${admin}${addresses}.`;
}
