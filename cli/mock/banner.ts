import { KEY_MEANINGS } from '../../mock/pipeline/organisations.js';
import { styles } from '../print.js';

/** Where the mock listens and what there is to know about it. */
export interface Announcement {
  baseUrl: string;
  port: number;
  adminUrl: string;
  seed: string | number;
  /** Scenarios given with --scenarios. */
  given: number;
}

/** The one line that scripts read. */
export function jsonLine({ baseUrl, port, adminUrl, seed }: Announcement): string {
  return `${JSON.stringify({ base_url: baseUrl, port, admin_url: adminUrl, seed })}\n`;
}

/** The same for people, with a line to paste. */
export function banner({ baseUrl, adminUrl, seed, given }: Announcement): string {
  const { bold, dim, cyan } = styles(process.stdout);
  const keys = Object.entries(KEY_MEANINGS).map(
    ([beginning, meaning]) => `${beginning}… ${meaning === 'refused' ? 'is refused' : meaning}`,
  );
  const scenarios =
    given === 0 ? "the library's (taskdouble scenarios list)" : `${given} of yours, then the library's`;
  const row = (name: string, text: string) => `  ${dim(name.padEnd(11))}${text}`;
  return [
    '',
    `${bold('taskdouble')} plays the Browser Automation Task Service API`,
    '',
    row('base URL', cyan(baseUrl)),
    row('admin API', cyan(adminUrl)),
    row('seed', String(seed)),
    row('scenarios', scenarios),
    row('keys', 'any key opens an organisation of its own;'),
    row('', keys.join(', ')),
    '',
    '  Paste this into another terminal: it makes a task and polls it.',
    '',
    ...tryLine(baseUrl).map((line) => `  ${line}`),
    '',
    dim('  Ctrl-C ends it.'),
    '',
    '',
  ].join('\n');
}

/** Creates a task, reads its id from the response, and polls it. */
function tryLine(baseUrl: string): string[] {
  const task = `${baseUrl}/api/v1/task`;
  const json = "-H 'content-type: application/json'";
  return [
    `id=$(curl -s ${task} -H 'apikey: demo' ${json} -d '{"task":"Find the price of tea"}' | cut -d'"' -f6) && \\`,
    `curl -s "${task}/$id" -H 'apikey: demo'`,
  ];
}
