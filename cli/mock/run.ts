import { VERSION } from '../../conformance/common/version.js';
import { isWallBased } from '../../mock/engine/clock.js';
import { Mock } from '../../mock/mock.js';
import type { ExchangeJudge } from '../../mock/options/mock-options.js';
import { getService } from '../../mock/service.js';
import { isLoopbackHost } from '../../spec/addresses.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { formatInternalError, UsageError } from '../exit-codes.js';
import { exitWithParent } from '../exit-with-parent.js';
import type { MockFlags } from '../mock.js';
import { openBrowser } from '../open-browser.js';
import { print, printError, printLine, printWarning } from '../print.js';
import { formatMockBanner } from './banner.js';
import type { CommandRuns } from './client-runs.js';
import { type JournalFile, openJournal } from './journal-file.js';
import { LazyMcp } from './lazy-mcp.js';
import { closeOnSignal, surviveFaults, toListenError } from './listen.js';
import { MockLog } from './log.js';
import { reloadFixtures, reloadOnChange, reloadScenarios } from './reload.js';

/** Delay after the start before the modules for the first task and for findings are loaded, ms. */
const WARM_UP_AFTER_MS = 300;

/** Runs the mock until a signal ends it. Throws UsageError if it cannot start. */
export async function runMock(flags: MockFlags): Promise<void> {
  const { seed, origin, clock, speed, scenarios, fixtures, dialect, rateLimit, network, adminToken } = flags;
  if (speed !== undefined && clock !== 'real') {
    throw new UsageError(`--speed is for the real clock, and --clock is ${clock}: leave one of them out.`);
  }
  const journal = await openJournal(flags);
  const isJson = flags.logFormat === 'json';
  const write = isJson ? (_: string, line: string) => process.stderr.write(`${line}\n`) : printLine;
  const log = flags.quiet ? undefined : new MockLog(write, Date.now, { isVerbose: flags.verbose, isJson });
  const isSameTime = clock === 'real' && (speed ?? 1) >= 1;
  const judge = createLazyJudge(isSameTime, speed);
  const judgeLive =
    log && flags.verbose
      ? await createLiveJudge(log, { isSameTime, speed, isOnRealTime: (name) => isOnRealTime(mock, name) })
      : undefined;
  const clientRuns =
    flags.client === undefined
      ? undefined
      : (await import('./client-runs.js')).createClientRuns(flags.client, onFault);
  const mcp = new LazyMcp(async () => {
    const { createMcpOnMock } = await import('../mcp/serve-on-mock.js');
    return createMcpOnMock({ mock, adminToken, client: flags.client });
  });
  const mock: Mock = new Mock({
    ...{ seed, origin, clock, speed, scenarios, fixtures, network, adminToken, judge, writeScenario },
    ...(clientRuns && { clientRuns }),
    serveMcp: mcp.respond,
    describeJob: async (scenario) => {
      const { createJob, estimateDeadline } = await import('../../conformance/client/run/job.js');
      return createJob(scenario, estimateDeadline(scenario));
    },
    readPage: async (name, content) => {
      const { readPageOfContent } = await import('../view-page.js');
      return readPageOfContent(name, content);
    },
    readTimelines: async (query) => {
      const { viewTimelines } = await import('../../conformance/in-tests/timeline/timeline.js');
      return viewTimelines(mock, query);
    },
    dialect: [dialect ?? [], rateLimit === undefined ? [] : { 'limits.rate': rateLimit }].flat(),
    limits: {
      ...(flags.maxExchanges === undefined ? {} : { exchanges: flags.maxExchanges }),
      ...(flags.maxFinishedTasks === undefined ? {} : { finishedTasks: flags.maxFinishedTasks }),
    },
    // Undefined with --quiet: the mock is faster without it.
    onExchange:
      log &&
      ((exchange) => {
        log.logExchange(exchange);
        judgeLive?.observe(exchange);
      }),
    onRecord: journal && ((exchange) => journal.write(exchange)),
    onNote: (note, organisation) => log?.logLine('note   ', () => `${note} ${organisation}`),
    onFault,
  });
  await start(mock, flags, journal, log, clientRuns, mcp);
  const warmUp = () => Promise.all([mock.warmUp(), judge.ready()]);
  setTimeout(() => warmUp().catch(onFault), WARM_UP_AFTER_MS).unref();
}

function onFault(error: unknown): void {
  printError(formatInternalError(error));
}

/**
 * Loads the rules about clients when findings are requested, so that the mock starts faster. Rules that compare times are
 * excluded if the mock's clock differs from that of the clients.
 */
function createLazyJudge(
  isSameTime: boolean,
  speed?: number,
): ExchangeJudge & { ready: () => Promise<void> } {
  let judge: ExchangeJudge | undefined;
  const load = async () => {
    const { judgeExchanges } = await import('../../conformance/rules/judge.js');
    const { clientRules, untimedRules } = await import('../../conformance/rules/client-rules.js');
    const { RealTimeReader } = await import('../../conformance/conversation/latency.js');
    judge ??= (exchanges, isOnRealTime) => {
      const rules = isSameTime && isOnRealTime ? clientRules : untimedRules;
      const read = isOnRealTime ? new RealTimeReader({ speed }).readAll(exchanges) : exchanges;
      return judgeExchanges(rules, read).findings();
    };
  };
  return Object.assign((...given: Parameters<ExchangeJudge>) => judge!(...given), { ready: load });
}

async function writeScenario(exchanges: Exchange[]): Promise<{ yaml: string } | { problem: string }> {
  const { convertExchanges } = await import('../../conformance/recordings/scenario/convert-recording.js');
  const { scenarios, leftOut } = convertExchanges(exchanges, 'studio');
  const [scenario] = scenarios;
  if (scenario) return { yaml: scenario.yaml };
  return { problem: `There is no scenario: ${leftOut[0] ?? 'the conversation is empty'}.` };
}

/** Number of exchanges after which a new judge is created: it bounds the memory of a mock that runs for days. */
const MOST_JUDGED = 100_000;

function isOnRealTime(mock: Mock, organisation: string): boolean {
  const found = getService(mock).organisations.find(({ name }) => name === organisation);
  return found !== undefined && isWallBased(found.clock.mode);
}

/** The time of the mock and of its clients. */
interface MockTime {
  /** The clocks are those of the clients while they follow real time. */
  isSameTime: boolean;
  speed: number | undefined;
  isOnRealTime: (organisation: string) => boolean;
}

/** Judges the clients exchange by exchange, and logs the findings. */
async function createLiveJudge(
  log: MockLog,
  { isSameTime, speed, isOnRealTime }: MockTime,
): Promise<{ observe(exchange: Exchange): void }> {
  const { Judge: LiveJudge } = await import('../../conformance/rules/judge.js');
  const { clientRules, untimedRules } = await import('../../conformance/rules/client-rules.js');
  const { RealTimeReader } = await import('../../conformance/conversation/latency.js');
  const untimed = new Set(untimedRules.map(({ id }) => id));
  let organisation = '';
  const createJudge = () =>
    new LiveJudge(clientRules, (finding) => {
      if (untimed.has(finding.rule) || (isSameTime && isOnRealTime(organisation))) log.logFinding(finding);
    });
  let [judge, reader] = [createJudge(), new RealTimeReader({ speed })];
  let judged = 0;
  return {
    observe(exchange) {
      if (++judged % MOST_JUDGED === 0) [judge, reader] = [createJudge(), new RealTimeReader({ speed })];
      organisation = exchange.organisation;
      const inRealTime = reader.readNext(exchange);
      judge.observe(isOnRealTime(organisation) ? inRealTime : exchange);
    },
  };
}

async function start(
  mock: Mock,
  flags: MockFlags,
  journal: JournalFile | undefined,
  log: MockLog | undefined,
  clientRuns: CommandRuns | undefined,
  mcp: LazyMcp,
): Promise<void> {
  const stop = new AbortController();
  try {
    await watchFiles(mock, flags, log, stop.signal);
    await mock.ready;
    const { host, port, json, quiet, open } = flags;
    const { baseUrl, adminUrl, ...listening } = await mock.listen({ host, port }).catch((error) => {
      throw toListenError(error, host, port);
    });
    clientRuns?.attach(mock, baseUrl);
    closeOnSignal(async () => {
      stop.abort();
      await mcp.close();
      await clientRuns?.stop();
      await mock.close().finally(() => journal?.close());
    });
    if (flags.exitWithParent) exitWithParent();
    surviveFaults(onFault);
    const { seed } = mock;
    const line = { base_url: baseUrl, port: listening.port, admin_url: adminUrl, seed, version: VERSION };
    if (json) await print(`${JSON.stringify(line)}\n`);
    else if (!quiet)
      await print(formatMockBanner(baseUrl, adminUrl, seed, getService(mock).scenarios.shared.length));
    if (!isLoopbackHost(host)) printWarning(formatExposureWarning(host, flags));
    if (open) await openBrowser(`${baseUrl}/`);
  } catch (error) {
    stop.abort();
    await mock.close();
    throw error;
  }
}

async function watchFiles(
  mock: Mock,
  { scenarios, fixtures }: MockFlags,
  log: MockLog | undefined,
  signal: AbortSignal,
): Promise<void> {
  const say = (line: string) => log?.logLine('reload ', () => line);
  if (scenarios) await reloadOnChange(scenarios, () => reloadScenarios(mock, scenarios), say, signal);
  if (fixtures) await reloadOnChange([fixtures], () => reloadFixtures(mock, fixtures), say, signal);
}

function formatExposureWarning(host: string, { adminToken, origin }: MockFlags): string {
  const admin =
    adminToken === undefined
      ? 'the admin API is still open to this machine only'
      : 'the admin API requires the token';
  const links = 'links in its responses lead to this machine only, unless --origin says how others reach it';
  return `listening on ${host}: other machines can reach this mock, with any key; ${admin}${origin === undefined ? `; ${links}` : ''}.`;
}
