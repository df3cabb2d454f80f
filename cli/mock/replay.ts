import { resolve } from 'node:path';
import { describeOthers } from '../../conformance/recordings/describe-gaps.js';
import { readRecording } from '../../mock/exchange/readers/read-recording.js';
import { replayMock } from '../../mock/replay/replay-mock.js';
import { toOneLine } from '../../spec/visible.js';
import { EXIT, formatInternalError, UsageError } from '../exit-codes.js';
import { exitWithParent } from '../exit-with-parent.js';
import type { MockFlags } from '../mock.js';
import { print, printError, printLine, printWarning } from '../print.js';
import { formatReplayBanner } from './banner.js';
import { openJournal } from './journal-file.js';
import { closeOnSignal, toListenError } from './listen.js';

/** Replays a recording until a signal ends it. Throws UsageError or InvalidFile if it cannot start. */
export async function runReplay(file: string, flags: MockFlags): Promise<void> {
  if (flags.journal !== undefined && resolve(flags.journal) === resolve(file)) {
    throw new UsageError(
      `--journal and --replay are the same file, ${file}: give the new journal another name.`,
    );
  }
  const { exchanges: recorded, notes, others } = await readRecording(file);
  if (recorded.length === 0)
    throw new UsageError(
      `${file} has no requests to this API${describeOthers(others)}, so that there is nothing to replay: give a recording of a client of this API.`,
      EXIT.unreachable,
    );
  if (!flags.quiet) for (const note of notes) printWarning(toOneLine(`${file} ${note}`));
  const journal = await openJournal(flags);
  const { host, port, origin, adminToken, json, quiet } = flags;
  const replay = replayMock(recorded, {
    ...(origin === undefined ? {} : { origin }),
    ...(adminToken === undefined ? {} : { adminToken }),
    onRecord: (exchange) => journal?.write(exchange),
    onNote: (line) => {
      if (!quiet) printLine('replay ', line);
    },
    onFault: (error) => printError(formatInternalError(error)),
  });
  await replay.ready;
  const { baseUrl, adminUrl, ...listening } = await replay.listen({ host, port }).catch((error) => {
    throw toListenError(error, host, port);
  });
  closeOnSignal(async () => {
    await replay.close();
    await journal?.close();
  });
  if (flags.exitWithParent) exitWithParent();
  const { exchanges } = replay.health().replay;
  const line = { base_url: baseUrl, port: listening.port, admin_url: adminUrl, replay: file, exchanges };
  if (json) await print(`${JSON.stringify(line)}\n`);
  else if (!quiet) await print(formatReplayBanner(baseUrl, adminUrl, file, exchanges));
}
