import { readCommandName } from '../../conformance/common/command-name.js';
import { readDisplay, wrapLine } from '../../conformance/report/terminal.js';
import { KEY_MEANINGS } from '../../mock/pipeline/organisations.js';
import { createStyles } from '../print.js';

/** `given`: number of scenarios from --scenarios. */
export function formatMockBanner(
  baseUrl: string,
  adminUrl: string,
  seed: string | number,
  given: number,
): string {
  const keys = Object.entries(KEY_MEANINGS).map(
    ([beginning, meaning]) => `${beginning}… ${meaning === 'refused' ? 'is refused' : meaning}`,
  );
  return formatBanner(
    'plays the Browser Automation Task Service API',
    [
      ...listAddresses(baseUrl, adminUrl),
      ['studio', `${createStyles(process.stdout).cyan(`${baseUrl}/`)} (in a browser)`],
      ['agents', `${createStyles(process.stdout).cyan(`${baseUrl}/__mcp`)} (Model Context Protocol)`],
      ['seed', String(seed)],
      [
        'scenarios',
        given === 0
          ? `the library's (${readCommandName()} scenarios list)`
          : `${given} of yours, then the library's`,
      ],
      ['keys', 'any key opens an organisation of its own;'],
      ['', keys.join(', ')],
    ],
    [
      'Paste this into another terminal: it makes a task and polls it.',
      '',
      ...listExampleCommands(baseUrl),
      '',
    ],
  );
}

export function formatReplayBanner(
  baseUrl: string,
  adminUrl: string,
  file: string,
  exchanges: number,
): string {
  return formatBanner('replays a recorded conversation', [
    ...listAddresses(baseUrl, `${adminUrl} (health, journal, reset)`),
    ['recording', `${file}, ${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`],
    ['keys', 'any key is accepted'],
  ]);
}

export function formatProxyBanner(baseUrl: string, adminUrl: string, target: string): string {
  return formatBanner('forwards traffic between clients and a service, and judges both sides', [
    ...listAddresses(baseUrl, adminUrl),
    ['studio', `${createStyles(process.stdout).cyan(`${baseUrl}/__studio`)} (in a browser)`],
    ['target', target],
    ['clients', 'use the base URL here in place of the target, with the same key'],
  ]);
}

const TEXT_COLUMN = 13;

type BannerRow = [name: string, text: string];

function listAddresses(baseUrl: string, adminUrl: string): BannerRow[] {
  const { cyan } = createStyles(process.stdout);
  return [
    ['base URL', cyan(baseUrl)],
    ['admin API', cyan(adminUrl)],
  ];
}

function formatBanner(what: string, rows: readonly BannerRow[], more: readonly string[] = []): string {
  const { bold, dim } = createStyles(process.stdout);
  const { columns } = readDisplay(process.stdout);
  const table = rows.flatMap(([name, text]) =>
    wrapLine(`  ${dim(name.padEnd(11))}${text}`, columns, TEXT_COLUMN),
  );
  const below = more.map((line) => (line === '' ? '' : `  ${line}`));
  return [
    '',
    `${bold('taskdouble')} ${what}`,
    '',
    ...table,
    '',
    ...below,
    dim('  Ctrl-C ends it.'),
    '',
    '',
  ].join('\n');
}

/** Creates a task, reads its id from the response, and polls it. */
function listExampleCommands(baseUrl: string): string[] {
  const task = `${baseUrl}/api/v1/task`;
  const json = "-H 'content-type: application/json'";
  return [
    `id=$(curl -s ${task} -H 'apikey: demo' ${json} -d '{"task":"Find the price of tea"}' | cut -d'"' -f6) && \\`,
    `curl -s "${task}/$id" -H 'apikey: demo'`,
  ];
}
