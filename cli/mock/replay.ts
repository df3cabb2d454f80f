import { resolve } from 'node:path';
import { replayMock } from '../../mock/journal/replay/replay-mock.js';
import { internalErrorLine } from '../exit-codes.js';
import type { MockFlags } from '../mock.js';
import { print, printError, printLine, printWarning, styles } from '../print.js';
import { UsageError } from '../usage.js';
import { JournalFile } from './journal-file.js';
import { closeOnSignal, toListenError } from './listen.js';

/** Flags that say how a mock behaves: everything that a recording has decided already. */
const FLAGS_OF_A_MOCK: Readonly<Partial<Record<keyof MockFlags, string>>> = {
  scenarios: '--scenarios',
  fixtures: '--fixtures',
  dialect: '--dialect',
  seed: '--seed',
  clock: '--clock',
  speed: '--speed',
  network: '--network',
  rateLimit: '--rate-limit',
  maxExchanges: '--max-exchanges',
  maxFinishedTasks: '--max-finished-tasks',
};

/**
 * Plays a journal file until a signal ends it. `given`: the flags that were written on the command line. Throws UsageError or
 * InvalidFile when it cannot start.
 */
export async function runReplay(file: string, flags: MockFlags, given: readonly string[]): Promise<void> {
  rejectOtherFlags(given);
  if (flags.journal !== undefined && resolve(flags.journal) === resolve(file)) {
    throw new UsageError(
      `--journal and --replay are the same file, ${file}: give the new journal another name.`,
    );
  }
  const journal = flags.journal === undefined ? undefined : new JournalFile(flags.journal, printWarning);
  const replay = replayMock(file, {
    ...(flags.origin === undefined ? {} : { origin: flags.origin }),
    ...(flags.adminToken === undefined ? {} : { adminToken: flags.adminToken }),
    onRecord: (exchange) => journal?.write(exchange),
    onNote: (line) => {
      if (!flags.quiet) printLine('replay ', line);
    },
    onFault: (error) => printError(internalErrorLine(error)),
  });
  await replay.ready;
  const { host, port } = flags;
  const { baseUrl, adminUrl, ...listening } = await replay.listen({ host, port }).catch(async (error) => {
    throw await toListenError(error, host, port);
  });
  closeOnSignal(async () => {
    await replay.close();
    await journal?.close();
  });
  const { exchanges } = replay.health().replay;
  if (flags.json) {
    const said = {
      base_url: baseUrl,
      port: listening.port,
      admin_url: adminUrl,
      replay: file,
      exchanges,
    };
    await print(`${JSON.stringify(said)}\n`);
  } else if (!flags.quiet) await print(banner({ baseUrl, adminUrl, file, exchanges }));
}

function rejectOtherFlags(given: readonly string[]): void {
  const others = given.flatMap((name) => FLAGS_OF_A_MOCK[name as keyof MockFlags] ?? []);
  if (others.length === 0) return;
  throw new UsageError(
    `--replay plays what was recorded, and ${others.join(', ')} would change it: leave ${others.length === 1 ? 'it' : 'them'} out.`,
  );
}

interface ReplayAnnouncement {
  baseUrl: string;
  adminUrl: string;
  file: string;
  exchanges: number;
}

function banner({ baseUrl, adminUrl, file, exchanges }: ReplayAnnouncement): string {
  const { bold, dim, cyan } = styles(process.stdout);
  const row = (name: string, text: string) => `  ${dim(name.padEnd(11))}${text}`;
  return [
    '',
    `${bold('taskdouble')} replays a recorded conversation`,
    '',
    row('base URL', cyan(baseUrl)),
    row('admin API', `${cyan(adminUrl)} (health, journal, reset)`),
    row('recording', `${file}, ${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`),
    row('keys', 'any key is taken'),
    '',
    dim('  Ctrl-C ends it.'),
    '',
    '',
  ].join('\n');
}
