import { checkClient } from '../conformance/check-client/check-client.js';
import { excludeScenarios, resolveScenarios } from '../conformance/client/run/client-options.js';
import { explainUnplayable } from '../conformance/client/run/job.js';
import { loadPairs } from '../conformance/client/run/pairs.js';
import { countOfShard, selectShard } from '../conformance/common/shard.js';
import { formatCommandLine } from '../conformance/common/shell.js';
import { formatCount } from '../conformance/common/text.js';
import { parseReportFlags } from '../conformance/report/formats.js';
import { showProgress } from '../conformance/report/progress.js';
import { loadLibrary } from '../scenarios/format/library/library.js';
import type { ClientFlags } from './client.js';
import { UsageError } from './exit-codes.js';
import { resolveClient } from './judging/client-command.js';
import { checkDirectory, writeFailure } from './judging/failure-files.js';
import { resolveLacks } from './judging/lacks.js';
import { reportRun } from './judging/report-run.js';
import { listFiles, printWarning } from './print.js';
import { createShardError } from './shard.js';

/** Tests a client; the exit code is the verdict. Throws UsageError, UnknownName or InvalidFile before the client is started. */
export async function runClient(command: readonly string[], flags: ClientFlags): Promise<void> {
  const client = resolveClient(command, flags.time, 'client');
  const library = await loadLibrary();
  const { exclude = [], shard } = flags;
  // Only by their whole name: a command may be unable to play them.
  const pairs = (await loadPairs()).filter(({ name }) => flags.scenario?.includes(name));
  const requested = flags.scenario === undefined ? library : await resolveScenarios(flags.scenario, pairs);
  const selection = excludeScenarios(requested, exclude);
  if (selection.length === 0) throw new UsageError('--exclude: no scenario is left to play.');
  const scenarios = selectShard(selection, shard);
  if (scenarios.length === 0) throw createShardError(selection.length, 'scenario');
  const lacks = resolveLacks(flags, 'client');
  const time = client.kind === 'node' ? 'on virtual time' : 'in real time';
  const { seed, retries, jobs, timeout: deadlineMs, search, searchTime: searchTimeMs, out } = flags;
  if (searchTimeMs !== undefined && search === undefined)
    throw new UsageError('--search-time limits a search, and there is none: add --search N.');
  const searchText =
    search === undefined ? '' : ` and ${formatCount(countOfShard(search, shard), 'generated conversation')}`;
  const title = `${formatCommandLine(command)}: ${formatCount(scenarios.length, 'scenario')}${searchText}, ${time}`;
  if (search !== undefined) checkDirectory(out);
  const written: string[] = [];
  const isReported = parseReportFlags(flags.report ?? []).some(
    ({ format, path }) => format === 'pretty' && path === undefined,
  );
  await reportRun({
    files: flags,
    cleanUp: 'ending the client',
    run: ({ signal }) => {
      const progress = showProgress(process.stderr, process.env, { about: title, isReported });
      // The library is the default: only a selection makes a partial run.
      const selected = flags.scenario === undefined ? {} : { scenarios: selection };
      const options = {
        ...{ client, ...selected, signal, seed, retries, jobs, deadlineMs, search, searchTimeMs, out },
        ...{ lacks, exclude, shard },
      };
      return checkClient(options, (event) => {
        // Written at once: the file exists even if the run fails later.
        if (event.type === 'failure' && writeFailure(out, event)) written.push(`${event.name}.md`);
        progress(event);
      });
    },
    listUnselected: () => {
      const played = scenarios.filter((each) => explainUnplayable(each, lacks) === undefined);
      const names = new Set(played.map(({ name }) => name));
      return library.filter(({ name }) => !names.has(name)).map(({ name }) => `${name}#end`);
    },
    finish: () => {
      if (written.length > 0)
        printWarning(
          `what happened, with a diagram, and a .yaml beside it that reproduces it, in ${out}/: ${written.join(', ')}`,
          listFiles(out, written),
        );
    },
  });
}
