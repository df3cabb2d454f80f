import { Command } from 'commander';
import type { Allowance, Suite } from '../conformance/service/test-case/test-case.js';
import { allowances, apiKey, type MoreKeys, moreKeys, suites } from './conform/values.js';
import { collect, concurrency, duration, seed } from './values.js';

/** The options of `taskdouble conform`, parsed. What is not given is not there: the configuration may say it. */
export interface ConformFlags {
  apiKey?: string;
  key?: MoreKeys;
  suite?: Suite[];
  only?: string[];
  allow?: Allowance[];
  plan?: boolean;
  config?: string;
  concurrency?: number;
  /** ms */
  timeout?: number;
  /** ms */
  pollInterval?: number;
  /** FORMAT or FORMAT=PATH. */
  report?: string[];
  baseline?: string;
  dialectOut?: string;
  strict?: boolean;
  har?: string;
  seed?: number;
  compare?: string[];
}

const EXAMPLES = `
Examples:
  taskdouble conform http://127.0.0.1:4010 --api-key demo
  taskdouble conform https://service.example --plan             what would be sent; nothing is
  taskdouble conform https://service.example --suite polling --only '*#POLL-0*'
  taskdouble conform https://service.example --report junit=junit.xml --report html=report.html
  taskdouble conform --compare before.json after.json

The key comes from --api-key or from TASKDOUBLE_API_KEY.
Exit codes: 0 conforms, 1 a rule is broken, 2 wrong usage, 3 nothing could be tested, 4 a fault of taskdouble itself.`;

/** `taskdouble conform`: judges a service. */
export function conformCommand(): Command {
  return new Command('conform')
    .description('Judge a service: play the client, hold what comes back against the rules of the API.')
    .argument('[base_url]', 'where the service is; paths below it are /api/v1/...')
    .option('--api-key <key>', 'the key; TASKDOUBLE_API_KEY unless given', apiKey)
    .option(
      '--key <name=key>',
      'another key that unlocks more checks: other, free, exhausted; repeatable',
      moreKeys,
    )
    .option('--suite <name>', 'run this suite, repeatable; all unless given', suites)
    .option('--only <glob>', 'run the checks whose id matches, repeatable: polling/*, *#POLL-02', collect)
    .option(
      '--allow <name>',
      'let checks of this kind run, repeatable: billing (costs money), organisation, destructive',
      allowances,
    )
    .option('--plan', 'say what would be sent and how many tasks would be created; send nothing')
    .option(
      '--config <file>',
      'options, task texts and tools from a file; taskdouble.config.yaml when it is there',
    )
    .option('--concurrency <n>', 'cases at a time (12 unless given)', concurrency)
    .option('--timeout <duration>', 'until a task or a result has to be there (60s unless given)', duration)
    .option('--poll-interval <duration>', 'between two polls at first (250ms unless given)', duration)
    .option(
      '--report <format[=path]>',
      'pretty (to stdout unless given), json, junit, tap, html, markdown, ctrf, badge; repeatable',
      collect,
    )
    .option('--baseline <file>', 'known failures, each with a reason and an expiry')
    .option('--dialect-out <file>', 'write the choices observed, for mock --dialect')
    .option('--strict', 'an inconclusive check counts as failed')
    .option('--har <file>', 'write all exchanges as HAR, keys redacted')
    .option('--seed <n>', 'decides whatever is drawn (any unless given; printed)', seed)
    .option('--compare <report...>', 'no run: compare JSON reports of several')
    .addHelpText('after', EXAMPLES)
    .action(async (base_url: string | undefined, flags: ConformFlags) => {
      if (flags.compare) await (await import('./conform/compare.js')).compare(base_url, flags);
      else await (await import('./conform/run.js')).runConform(base_url, flags);
    });
}
