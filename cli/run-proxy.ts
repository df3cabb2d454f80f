import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../conformance/common/version.js';
import { createProxy, type ServiceProxy } from '../conformance/proxy/service-proxy.js';
import { ProxyError, parseTarget } from '../conformance/proxy/target.js';
import { convertExchanges } from '../conformance/recordings/scenario/convert-recording.js';
import { ReportError, type ReportTarget } from '../conformance/report/formats.js';
import { redactReport } from '../conformance/report/redact-report.js';
import {
  decideVerdict,
  formatVerdict,
  isTested,
  selectSide,
  splitSides,
} from '../conformance/report/verdict.js';
import { writeReports } from '../conformance/report/write.js';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { toHar } from '../mock/exchange/readers/har-writer.js';
import type { MockServer } from '../mock/options/mock-options.js';
import { isLoopbackHost } from '../spec/addresses.js';
import type { Exchange } from '../spec/vocabulary.js';
import { EXIT, formatInternalError, UsageError } from './exit-codes.js';
import { exitWithParent } from './exit-with-parent.js';
import { resolveLacks } from './judging/lacks.js';
import { checkWritable, parseReportTargets, writeScenarioFiles } from './judging/outputs.js';
import { formatProxyBanner } from './mock/banner.js';
import { type JournalFile, openJournal } from './mock/journal-file.js';
import { surviveFaults, toListenError } from './mock/listen.js';
import { MockLog } from './mock/log.js';
import { openBrowser } from './open-browser.js';
import { print, printError, printLine, printWarning } from './print.js';
import type { ProxyFlags } from './proxy.js';

/** Runs the proxy until a signal ends it. Throws UsageError if it cannot start. */
export async function runProxy(target: string, flags: ProxyFlags): Promise<void> {
  const { network, insecure, quiet, json } = flags;
  const baseUrl = readTarget(target);
  const lacks = resolveLacks(flags, 'proxy');
  const reports = selectReportTargets(flags);
  if (flags.scenarioOut !== undefined) checkWritable('--scenario-out', join(flags.scenarioOut, 'NAME.yaml'));
  let faults = 0;
  const onFault = (error: unknown) => {
    faults++;
    printError(formatInternalError(error));
  };
  const log = quiet ? undefined : new MockLog(printLine, Date.now, { isProxy: true });
  const proxy = createProxy({
    target: baseUrl,
    lacks,
    ...(network !== undefined && { network }),
    ...(insecure && { insecure }),
    readPage: async (name, content) => {
      const { readPageOfContent } = await import('./view-page.js');
      return readPageOfContent(name, content);
    },
    onExchange(exchange) {
      log?.logExchange(exchange);
      files?.journal?.write(exchange);
      files?.har?.write(exchange);
    },
    onFinding: (finding) => log?.logFinding(finding),
    onFault,
  });
  let files: ProxyFiles | undefined;
  try {
    await proxy.ready;
    const server = await listen(proxy, flags);
    await proxy.checkReachable();
    files = await openFiles(flags, baseUrl);
    const { baseUrl: base_url, port, adminUrl: admin_url } = server;
    if (json) await print(`${JSON.stringify({ base_url, port, admin_url, target: baseUrl, seed: 1 })}\n`);
    else if (!quiet) await print(formatProxyBanner(base_url, admin_url, baseUrl));
    if (!isLoopbackHost(flags.host))
      printWarning(`listening on ${flags.host}: other machines can reach ${baseUrl} through this proxy.`);
    if (flags.open) await openBrowser(`${base_url}/__studio`);
  } catch (error) {
    await proxy.close();
    throw toUsageError(error);
  }
  surviveFaults(onFault);
  finishOnSignal(async () => {
    const steps = [
      // First: a closed proxy has no exchanges.
      () => writeScenarios(proxy, flags),
      () => proxy.close(),
      () => files?.journal?.close(),
      () => files?.har?.close(),
      () => writeReport(proxy, flags, reports),
    ];
    for (const step of steps)
      try {
        await step();
      } catch (error) {
        // The remaining steps still run.
        onFault(error);
      }
    if (faults > 0) process.exitCode = EXIT.fault;
  });
  if (flags.exitWithParent) exitWithParent();
}

interface ProxyFiles {
  journal?: JournalFile | undefined;
  har?: HarFile | undefined;
}

async function openFiles(flags: ProxyFlags, baseUrl: string): Promise<ProxyFiles> {
  const { har } = flags;
  return {
    journal: await openJournal(flags),
    har: har === undefined ? undefined : new HarFile(har, baseUrl, printWarning),
  };
}

/** Writes the conversations that are still in the journal. Existing files stay: the scenario gets another name. */
function writeScenarios(proxy: ServiceProxy, { scenarioOut: directory }: ProxyFlags): void {
  if (directory === undefined) return;
  try {
    const existingNames = readdirSync(directory).map((name) => name.replace(/\.yaml$/, ''));
    const { scenarios, leftOut } = convertExchanges(
      proxy.journal(),
      `a proxy before ${proxy.target}`,
      existingNames,
    );
    for (const why of leftOut) printWarning(`--scenario-out: left out: ${why}`);
    for (const path of writeScenarioFiles('--scenario-out', directory, scenarios))
      printLine('scenario', path);
  } catch (error) {
    printError(`--scenario-out: ${(error as Error).message}`);
    process.exitCode = EXIT.usage;
  }
}

function readTarget(target: string): string {
  try {
    return parseTarget(target).baseUrl;
  } catch (error) {
    throw new UsageError(`TARGET: ${(error as Error).message}`);
  }
}

/** With --json, stdout is for programs: no `pretty` report unless --report requests it. */
function selectReportTargets({ report = [], json }: ProxyFlags): ReportTarget[] {
  const targets = parseReportTargets(report);
  const isRequested = report.some((each) => !each.includes('='));
  return json && !isRequested ? targets.filter(({ path }) => path !== undefined) : targets;
}

async function listen(proxy: ServiceProxy, { host, port }: ProxyFlags): Promise<MockServer> {
  return proxy.listen({ host, port }).catch((error) => {
    throw error instanceof ProxyError ? error : toListenError(error, host, port);
  });
}

function toUsageError(error: unknown): unknown {
  if (!(error instanceof ProxyError)) return error;
  return new UsageError(`TARGET: ${error.message}`, error.kind === 'loop' ? EXIT.usage : EXIT.unreachable);
}

async function writeReport(
  proxy: ServiceProxy,
  { failOn, all, json }: ProxyFlags,
  targets: readonly ReportTarget[],
): Promise<void> {
  const redacted = redactReport(proxy.report());
  // Set before the output is written: a reader that stops reading ends the process.
  const verdict = computeProxyExitCode(redacted, failOn);
  process.exitCode = verdict || process.exitCode || EXIT.ok;
  let printed = Promise.resolve(true);
  const stdout = {
    isTTY: process.stdout.isTTY,
    columns: process.stdout.columns,
    write(text: string) {
      printed = print(text);
    },
  };
  await writeReports(redacted, targets, stdout, { all }).catch((error) => {
    if (!(error instanceof ReportError)) throw error;
    printError(error.message);
    process.exitCode ||= EXIT.usage;
  });
  // The verdict is not readable on stdout.
  if (
    !(await printed) ||
    json ||
    targets.some(({ path, format }) => path === undefined && format !== 'pretty')
  )
    for (const part of splitSides(redacted)) printLine('verdict', formatVerdict(part));
}

/** The first signal ends the proxy in order, a second one at once. */
function finishOnSignal(end: () => Promise<void>): void {
  const signals = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hungUp };
  let isEnding = false;
  for (const [name, code] of Object.entries(signals))
    process.on(name, () => {
      if (isEnding) process.exit(code);
      isEnding = true;
      end().then(
        () => process.exit(),
        (error) => {
          printError(formatInternalError(error));
          process.exit(EXIT.fault);
        },
      );
    });
}

/** 1 for a violation of a side that counts, 3 if nothing of such a side could be tested. */
export function computeProxyExitCode(report: ConformReport, failOn: ProxyFlags['failOn']): number {
  if (failOn === 'none') return isTested(report) ? EXIT.ok : EXIT.unreachable;
  const verdict = decideVerdict(failOn === 'any' ? report : selectSide(report, failOn));
  if (verdict === 'violations') return EXIT.violation;
  return verdict === 'conforms' ? EXIT.ok : EXIT.unreachable;
}

/** File mode: bodies may be confidential. */
const OWNER_ONLY = 0o600;

/** A HAR 1.2 file to which exchanges are appended as they end. It replaces an existing file. */
export class HarFile {
  readonly #fd: number;
  #entries = 0;
  #isBroken = false;

  /** Throws UsageError when the file cannot be written. `onProblem` is called once if a later write fails. */
  constructor(
    private readonly path: string,
    private readonly baseUrl: string,
    private readonly onProblem: (line: string) => void,
  ) {
    checkWritable('--har', path);
    this.#fd = openSync(path, 'w', OWNER_ONLY);
    const creator = JSON.stringify({ name: 'taskdouble', version: VERSION });
    this.#put(`{"log":{"version":"1.2","creator":${creator},"entries":[`);
  }

  write(exchange: Exchange): void {
    const [entry] = toHar([exchange], { base_url: this.baseUrl }).log.entries;
    this.#put(`${this.#entries++ === 0 ? '' : ','}\n${JSON.stringify(entry)}`);
  }

  close(): void {
    this.#put('\n]}}\n');
    closeSync(this.#fd);
  }

  #put(text: string): void {
    if (this.#isBroken) return;
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      this.#isBroken = true;
      this.onProblem(`the HAR ${this.path} is not written any more: ${(error as Error).message}`);
    }
  }
}
