/**
 * Writes the pictures of docs/pictures from runs of the command. The package must be built.
 *
 *   npm run pictures               write what has changed
 *   npm run pictures -- --check    change nothing, exit 1 when a picture has drifted
 */
import { drawGraph } from '../../../spec/generate/draw-graph.js';
import { readText, runGenerator } from '../../../spec/generate/write-files.js';
import { removeReadersProject } from '../../support/installed.js';
import { Workbench } from '../support/workbench.js';
import { drawMermaidSvg } from './mermaid-svg.js';
import { takeRacePicture } from './race-picture.js';
import { takeStudioPictures } from './studio-pictures.js';
import { drawTerminal } from './terminal-svg.js';

interface TerminalPicture {
  /** What a reader types. */
  command: string;
  /** True where the failure is on stderr; elsewhere that is progress. */
  isOnStderr?: boolean;
  /** The mock that has to run. */
  mock?: string;
  /** A file that has to be there, and its name. */
  file?: readonly [name: string, text: string];
  /** Picks the lines to show, and removes what differs from run to run. */
  show: (output: string) => string;
}

const EXPLORE = `npx taskdouble explore --scenario tool-calls/one-call --schedules 45 \\
    --function fixtures/clients/buggy/trusts-event-t.mjs`;

const TERMINALS: Readonly<Record<string, TerminalPicture>> = {
  explore: {
    command: EXPLORE,
    show: (output) => extractFirstFailure(output).replace(/ after \d+ ms/, ''),
  },
  client: {
    command: `npx taskdouble client --scenario races/reply-response-lost \\
    -- node fixtures/clients/buggy/lost-answer-is-failure.mjs`,
    show: (output) =>
      extractFirstFailure(output)
        .replace(/^ +[<>] .*\n/gm, '')
        .replace(/ \(\d+ ms\)/g, '')
        .replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1…'),
  },
  conform: {
    mock: "npx taskdouble mock --network 'fail 500 of getUsage'",
    command: `npx taskdouble conform http://127.0.0.1:4010 --api-key demo-key --seed 1 \\
    --only resources/getUsage-answer`,
    show: (output) =>
      extractLines(output, /✗/, /curl -sS/)
        .replace(/#\d+ /, '#1 ')
        .replace(/ \(\d+ ms\)/g, '')
        .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4010'),
  },
  vitest: {
    file: [
      'lost-response.test.js',
      `import { mockTest } from 'taskdouble/vitest';
import { ask } from './fixtures/examples/weather-client.mjs';

mockTest('the response to a reply is lost', async ({ mock }) => {
  await mock.scenario('tool-calls/one-call');
  await mock.network.add('drop response of reply times 1');
  const options = { baseUrl: 'http://mock', fetch: mock.fetch, temperatureIn: async () => 9 };
  await mock.time.run(() => ask('Do I need a coat in Paris?', options));
});`,
    ],
    command: 'npx vitest run --root . lost-response.test.js',
    isOnStderr: true,
    show: (output) => extractLines(output, /TypeError/, /\bnow\b/),
  },
};

/** The command that prints each diagram, as Mermaid. */
const DIAGRAMS: Readonly<Record<string, string>> = {
  'corrected-input': 'npx taskdouble scenarios draw tool-calls/corrected-input',
  'reply-response-lost': 'npx taskdouble scenarios draw races/reply-response-lost',
  race: `${EXPLORE} > report.txt 2>&1; sed '/^sequenceDiagram/,/^\`\`\`/!d; /^\`\`\`/q' taskdouble-races/*.md | grep -v '^\`'`,
};

/** Graphs, by their files beside this one. */
const GRAPHS = ['ci', 'state', 'browser'];

/** The text of every picture, by its path in the repository. */
export async function makePictures(): Promise<Map<string, string>> {
  const bench = new Workbench();
  const pictures = new Map<string, string>();
  try {
    for (const [name, { command, show, mock, file, isOnStderr }] of Object.entries(TERMINALS)) {
      if (mock !== undefined) await bench.start(mock);
      if (file) bench.save(...file);
      const { output } = await bench.run(
        `unset NO_COLOR; export FORCE_COLOR=1\n(${command}) 2>${isOnStderr ? '&1' : '/dev/null'}`,
      );
      pictures.set(toPath(name), drawTerminal(command, show(output)));
    }
    for (const [name, command] of Object.entries(DIAGRAMS)) {
      const { output } = await bench.run(command);
      pictures.set(toPath(name), drawMermaidSvg(output));
    }
    for (const name of GRAPHS)
      pictures.set(toPath(name), await drawGraph(readText(`test/docs/pictures/${name}.dot`)));
  } finally {
    await bench.clear();
    removeReadersProject();
  }
  return pictures;
}

function toPath(name: string): string {
  return `docs/pictures/${name}.svg`;
}

/** From the first failure to the line that reproduces it. */
function extractFirstFailure(output: string): string {
  return extractLines(output, /✗/, /See it again:/);
}

/** From the first line that `first` matches to the next one that `last` matches. Throws Error where there are none. */
function extractLines(output: string, first: RegExp, last: RegExp): string {
  const lines = output.split('\n');
  const start = lines.findIndex((line) => first.test(line));
  const end = lines.findIndex((line, index) => index > start && last.test(line));
  if (start === -1 || end === -1) throw new Error(`There is nothing to show in:\n${output}`);
  return lines.slice(start, end + 1).join('\n');
}

await runGenerator(import.meta.url, makePictures);
if (process.argv[1] === import.meta.filename && !process.argv.includes('--check')) {
  await takeRacePicture(EXPLORE);
  await takeStudioPictures();
}
