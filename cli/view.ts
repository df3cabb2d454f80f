import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FILE_HEADERS } from '../mock/pages/serve-files.js';
import { checkWritable, writeOutput } from './judging/outputs.js';
import { closeOnSignal } from './mock/listen.js';
import { OPEN, openBrowser } from './open-browser.js';
import { print } from './print.js';
import { type AnyCommand, Command, type InferFlags } from './typed-commander.js';

const EXAMPLES = `
Examples:
  taskdouble view traffic.jsonl                      serve the page of a journal on a free port of this machine
  taskdouble view traffic.har --open                 the same, and open it in the default browser
  taskdouble view day1.jsonl.gz day2.jsonl.gz        several recordings in one page
  taskdouble view taskdouble-races/NAME.yaml         a race: the run that fails beside the one that does not
  taskdouble view report.json                        a report of conform, client, explore, proxy or check
  taskdouble view bug.jsonl --out bug.html           write one HTML file, for example for a bug report

Exit codes: 0 the page was served or written, 2 wrong usage or not such a file, 3 a recording without a request to this API,
4 a fault of taskdouble itself.`;

function declareView() {
  return new Command('view')
    .description(
      'Show recordings, reports and races in studio: serve them as a page until Ctrl-C, or write one HTML file.',
    )
    .argument(
      '<file...>',
      'journals (.jsonl) and HAR 1.2 files (.har), also packed with gzip; or a JSON report; or a race of explore (.yaml)',
    )
    .option('--out <file>', 'write one HTML file that needs nothing else, and serve nothing')
    .option(...OPEN)
    .addHelpText('after', EXAMPLES);
}

export function createViewCommand(): AnyCommand {
  return declareView().action(runView);
}

/** Throws UsageError, InvalidFile and ReportError. */
async function runView(
  files: readonly string[],
  { out, open }: InferFlags<typeof declareView>,
): Promise<void> {
  if (out !== undefined) checkWritable('--out', out);
  const { readPage } = await import('./view-page.js');
  const html = await readPage(files);
  if (out !== undefined) {
    if (!writeOutput('--out', out, html)) return;
    await print(`${out}\n`);
    if (open) await openBrowser(pathToFileURL(resolve(out)).href);
    return;
  }
  const { address, close } = await servePage(html);
  closeOnSignal(close);
  await print(`The page is at ${address} until Ctrl-C.\n`);
  if (open) await openBrowser(address);
}

const HOST = '127.0.0.1';
/** The page contains the rest of its policy: this directive works only in a header. */
const POLICY = { 'content-security-policy': "frame-ancestors 'none'" };

/** Serves one page on a free port of this machine. */
async function servePage(html: string): Promise<{ address: string; close: () => Promise<void> }> {
  const page = Buffer.from(html);
  const server = createServer(({ method, url, headers }, response) => {
    const { port } = server.address() as AddressInfo;
    // Another site's host name that resolves to this machine must not read the recording.
    const isOwnHost = headers.host === `${HOST}:${port}` || headers.host === `localhost:${port}`;
    const status = !isOwnHost ? 403 : url !== '/' ? 404 : method === 'GET' || method === 'HEAD' ? 200 : 405;
    const type = `text/${status === 200 ? 'html' : 'plain'}; charset=utf-8`;
    response.writeHead(status, {
      ...FILE_HEADERS,
      ...POLICY,
      'content-type': type,
      'cache-control': 'no-store',
    });
    response.end(status === 200 ? page : `The page is at http://${HOST}:${port}/\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: `http://${HOST}:${port}/`, close };
}
