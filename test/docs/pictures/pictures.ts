/**
 * Writes the pictures of docs/pictures from runs of the command. The package must be built.
 *
 *   npm run pictures               write what has changed
 *   npm run pictures -- --check    change nothing, exit 1 when a picture has drifted
 */
import { runGenerator } from '../../../spec/generate/write-files.js';
import { removeReadersProject } from '../../support/installed.js';
import { Workbench } from '../support/workbench.js';
import { drawMermaidSvg } from './mermaid-svg.js';
import { drawTerminal } from './terminal-svg.js';

interface TerminalPicture {
  /** What a reader types. */
  command: string;
  /** Picks the lines to show, and removes what differs from run to run. */
  show: (output: string) => string;
}

const EXPLORE = `npx taskdouble explore --scenario tool-calls/one-call --schedules 45 \\
    --function fixtures/clients/buggy/trusts-event-t.mjs`;

const TERMINALS: Readonly<Record<string, TerminalPicture>> = {
  explore: {
    command: EXPLORE,
    show: (output) => firstFailure(output).replace(/ after \d+ ms/, ''),
  },
  client: {
    command: `npx taskdouble client --scenario races/reply-response-lost \\
    -- node fixtures/clients/buggy/lost-answer-is-failure.mjs`,
    show: (output) =>
      firstFailure(output)
        .replace(/^ +[<>] .*\n/gm, '')
        .replace(/ \(\d+ ms\)/g, '')
        .replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1…'),
  },
};

/** The command that prints each diagram, as Mermaid. */
const DIAGRAMS: Readonly<Record<string, string>> = {
  'corrected-input': 'npx taskdouble scenarios draw tool-calls/corrected-input',
  'reply-response-lost': 'npx taskdouble scenarios draw races/reply-response-lost',
  race: `${EXPLORE} > report.txt 2>&1; sed '/^sequenceDiagram/,/^\`\`\`/!d; /^\`\`\`/q' taskdouble-races/*.md | grep -v '^\`'`,
};

/** The text of every picture, by its path in the repository. */
export async function makePictures(): Promise<Map<string, string>> {
  const bench = new Workbench();
  const pictures = new Map<string, string>();
  try {
    for (const [name, { command, show }] of Object.entries(TERMINALS)) {
      const { output } = await bench.run(`unset NO_COLOR; export FORCE_COLOR=1\n(${command}) 2> /dev/null`);
      pictures.set(pathOf(name), drawTerminal(command, show(output)));
    }
    for (const [name, command] of Object.entries(DIAGRAMS)) {
      const { output } = await bench.run(command);
      pictures.set(pathOf(name), drawMermaidSvg(output));
    }
  } finally {
    await bench.clear();
    removeReadersProject();
  }
  return pictures;
}

function pathOf(name: string): string {
  return `docs/pictures/${name}.svg`;
}

/** From the first failure to the line that reproduces it. */
function firstFailure(output: string): string {
  const lines = output.split('\n');
  const end = lines.findIndex((line) => line.includes('See it again:'));
  if (end === -1) throw new Error(`There is no failure in:\n${output}`);
  return lines.slice(0, end + 1).join('\n');
}

await runGenerator(import.meta.url, makePictures);
