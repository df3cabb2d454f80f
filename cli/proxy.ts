import { EXIT_WITH_PARENT } from './exit-with-parent.js';
import { OPEN } from './open-browser.js';
import { type AnyCommand, Command, type InferFlags, Option } from './typed-commander.js';
import { ALL, CONFIG, JOURNAL, JOURNAL_MAX_SIZE, LACKS, NETWORK, parsePort, REPORT } from './values.js';

const EXAMPLES = `
Examples:
  taskdouble proxy https://api.example.com               clients use http://127.0.0.1:4020 as {base_url}
  taskdouble proxy localhost:8080 --journal traffic.jsonl   records every exchange
  taskdouble proxy localhost:8080 --network 'delay 300ms of poll; fail 503 of reply times 1'
  taskdouble proxy URL --port 0 --json --fail-on client --report junit=client.xml

It runs until Ctrl-C or SIGTERM, then prints the verdict on each side. Exit codes: 0 both conform, 1 a violation,
2 wrong usage, 3 TARGET cannot be reached or nothing could be judged.`;

export type ProxyFlags = InferFlags<typeof declareProxy>;

function declareProxy() {
  return new Command('proxy')
    .description('Forward requests from clients to a service, judge both sides, and inject network faults.')
    .argument('<target>', 'base URL of the service: https://api.example.com')
    .option('--port <n>', 'port to listen on, 0 takes any free one', parsePort, 4020)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(...NETWORK)
    .option(...JOURNAL)
    .option(...JOURNAL_MAX_SIZE)
    .option('--har <file>', 'write every exchange to this file as HAR 1.2, keys redacted')
    .option(
      '--scenario-out <dir>',
      'write each conversation as a scenario file into this directory at the end',
    )
    .option(...LACKS)
    .option(...CONFIG)
    .option(...REPORT)
    .option(...ALL)
    .addOption(
      new Option('--fail-on <side>', 'side whose violations give exit code 1')
        .choices(['any', 'client', 'service', 'none'])
        .default('any'),
    )
    .option('--insecure', 'accept any TLS certificate of the target')
    .option(...OPEN)
    .option(...EXIT_WITH_PARENT)
    .option('--quiet', 'no banner, no log')
    .option('--json', 'print the address as one line of JSON on stdout, and the verdict on stderr')
    .addHelpText('after', EXAMPLES);
}

export function createProxyCommand(): AnyCommand {
  return declareProxy().action(async (target, flags) =>
    (await import('./run-proxy.js')).runProxy(target, flags),
  );
}
