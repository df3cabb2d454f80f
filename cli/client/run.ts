import { checkClient } from '../../conformance/client/check-client.js';
import { commandLine, scenariosFrom } from '../../conformance/client/run/client-options.js';
import { whyUnplayable } from '../../conformance/client/run/job.js';
import { showProgress } from '../../conformance/report/progress.js';
import { count } from '../../conformance/report/text.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { ClientFlags } from '../client.js';
import { clientOf } from '../judging/client-command.js';
import { reportRun } from '../judging/report-run.js';

/** Tests a client; the exit code is the verdict. Throws UsageError, UnknownName or InvalidFile before the client is started. */
export async function runClient(command: readonly string[], flags: ClientFlags): Promise<void> {
  const client = clientOf(command, flags.time, 'client');
  const library = await loadLibrary();
  const scenarios = flags.scenario === undefined ? library : await scenariosFrom(flags.scenario);
  const time = client.kind === 'node' ? 'on virtual time (Node.js)' : 'in real time';
  const title = `${commandLine(command)}: ${count(scenarios.length, 'scenario')}, ${time}`;
  const { seed, jobs, timeout: deadlineMs } = flags;
  await reportRun({
    files: flags,
    cleanUp: 'ending the client',
    run: ({ signal }) => {
      const progress = showProgress(process.stderr, process.env, title);
      // The library is the default: only a selection makes a partial run.
      const selected = flags.scenario === undefined ? {} : { scenarios };
      return checkClient({ client, ...selected, signal, seed, jobs, deadlineMs }, progress);
    },
    outside: () => {
      const played = scenarios.filter((each) => whyUnplayable(each) === undefined);
      const names = new Set(played.map(({ name }) => name));
      return library.filter(({ name }) => !names.has(name)).map(({ name }) => `${name}#end`);
    },
  });
}
