import { checkClient } from '../../conformance/check-client/check-client.js';
import { scenariosFrom, withoutExcluded } from '../../conformance/client/run/client-options.js';
import { whyUnplayable } from '../../conformance/client/run/job.js';
import { commandLine } from '../../conformance/common/shell.js';
import { count } from '../../conformance/common/text.js';
import { showProgress } from '../../conformance/report/progress.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { ClientFlags } from '../client.js';
import { UsageError } from '../exit-codes.js';
import { clientOf } from '../judging/client-command.js';
import { checkDirectory, writeFailure } from '../judging/failure-files.js';
import { lacksOf } from '../judging/lacks.js';
import { reportRun } from '../judging/report-run.js';
import { printWarning } from '../print.js';

/** Tests a client; the exit code is the verdict. Throws UsageError, UnknownName or InvalidFile before the client is started. */
export async function runClient(command: readonly string[], flags: ClientFlags): Promise<void> {
  const client = clientOf(command, flags.time, 'client');
  const library = await loadLibrary();
  const { exclude = [] } = flags;
  const asked = flags.scenario === undefined ? library : await scenariosFrom(flags.scenario);
  const scenarios = withoutExcluded(asked, exclude);
  if (scenarios.length === 0) throw new UsageError('--exclude: no scenario is left to play.');
  const lacks = lacksOf(flags, 'client');
  const time = client.kind === 'node' ? 'on virtual time (Node.js)' : 'in real time';
  const { seed, retries, jobs, timeout: deadlineMs, search, searchTime: searchTimeMs, out } = flags;
  if (searchTimeMs !== undefined && search === undefined)
    throw new UsageError('--search-time limits a search, and there is none: add --search N.');
  const searched = search === undefined ? '' : ` and ${count(search, 'generated conversation')}`;
  const title = `${commandLine(command)}: ${count(scenarios.length, 'scenario')}${searched}, ${time}`;
  if (search !== undefined) checkDirectory(out);
  const written: string[] = [];
  await reportRun({
    files: flags,
    cleanUp: 'ending the client',
    run: ({ signal }) => {
      const progress = showProgress(process.stderr, process.env, title);
      // The library is the default: only a selection makes a partial run.
      const selected = flags.scenario === undefined ? {} : { scenarios };
      const options = {
        ...{ client, ...selected, signal, seed, retries, jobs, deadlineMs, search, searchTimeMs, out },
        ...{ lacks, exclude },
      };
      return checkClient(options, (event) => {
        // Written at once: the file exists even if the run fails later.
        if (event.type === 'failure' && writeFailure(out, event)) written.push(`${event.name}.md`);
        progress(event);
      });
    },
    outside: () => {
      const played = scenarios.filter((each) => whyUnplayable(each, lacks) === undefined);
      const names = new Set(played.map(({ name }) => name));
      return library.filter(({ name }) => !names.has(name)).map(({ name }) => `${name}#end`);
    },
    finish: () => {
      if (written.length > 0)
        printWarning(
          `what happened, with a diagram, and a .yaml beside it that shows it again, in ${out}/: ${written.join(', ')}`,
        );
    },
  });
}
