import { resolve } from 'node:path';
import { replayMock } from '../../mock/journal/replay/replay-mock.js';
import { internalErrorLine, UsageError } from '../exit-codes.js';
import type { MockFlags } from '../mock.js';
import { print, printError, printLine } from '../print.js';
import { replayBanner } from './banner.js';
import { openJournal } from './journal-file.js';
import { closeOnSignal, toListenError } from './listen.js';

/** Plays a journal file until a signal ends it. Throws UsageError or InvalidFile when it cannot start. */
export async function runReplay(file: string, flags: MockFlags): Promise<void> {
  if (flags.journal !== undefined && resolve(flags.journal) === resolve(file)) {
    throw new UsageError(
      `--journal and --replay are the same file, ${file}: give the new journal another name.`,
    );
  }
  const journal = await openJournal(flags);
  const { host, port, origin, adminToken, json, quiet } = flags;
  const replay = replayMock(file, {
    ...(origin === undefined ? {} : { origin }),
    ...(adminToken === undefined ? {} : { adminToken }),
    onRecord: (exchange) => journal?.write(exchange),
    onNote: (line) => {
      if (!quiet) printLine('replay ', line);
    },
    onFault: (error) => printError(internalErrorLine(error)),
  });
  await replay.ready;
  const { baseUrl, adminUrl, ...listening } = await replay.listen({ host, port }).catch((error) => {
    throw toListenError(error, host, port);
  });
  closeOnSignal(async () => {
    await replay.close();
    await journal?.close();
  });
  const { exchanges } = replay.health().replay;
  const line = { base_url: baseUrl, port: listening.port, admin_url: adminUrl, replay: file, exchanges };
  if (json) await print(`${JSON.stringify(line)}\n`);
  else if (!quiet) await print(replayBanner(baseUrl, adminUrl, file, exchanges));
}
