import { readTimeline } from '../conformance/recordings/recording-timeline.js';
import { formatSuggestion } from '../spec/nearest.js';
import { quote } from '../spec/show.js';
import { EXIT, UsageError } from './exit-codes.js';
import { printText, printWarning } from './print.js';
import { runWithProgress } from './progress.js';
import { type AnyCommand, Command, type InferFlags } from './typed-commander.js';

const EXAMPLES = `
Examples:
  taskdouble timeline bug.jsonl                        what taskdouble mock --journal has recorded
  taskdouble timeline traffic.har --task 4a4824d4-…    one task of what a browser or a proxy has recorded

Exit codes: 0 the conversations were printed, 2 wrong usage or not such a file, 3 a recording without a request to this API,
4 a fault of taskdouble itself.`;

function declareTimeline() {
  return new Command('timeline')
    .description(
      'Print recordings as text: each request with its response and each event of the service, with its time. A failing test prints the same.',
    )
    .argument('<file...>', 'journals (.jsonl) and HAR 1.2 files (.har), also packed with gzip')
    .option('--task <id>', 'only what is about this task')
    .addHelpText('after', EXAMPLES);
}

export function createTimelineCommand(): AnyCommand {
  return declareTimeline().action(runTimeline);
}

/** Throws UsageError and InvalidFile. */
async function runTimeline(
  files: readonly string[],
  { task }: InferFlags<typeof declareTimeline>,
): Promise<void> {
  const { text, lines, tasks, notes } = await runWithProgress((onProgress) =>
    readTimeline(files, task, onProgress),
  );
  if (task !== undefined && !tasks.includes(task)) {
    const advice = formatSuggestion(
      task,
      tasks,
      tasks.length === 0 ? 'there is none' : `the first one is ${tasks[0]}`,
    );
    throw new UsageError(`--task: there is no task ${quote(task)} in ${files.join(', ')}${advice}`);
  }
  if (lines === 0)
    throw new UsageError(
      `${[`${files.join(', ')}: there is no request to this API below /api/v1`, ...notes].join('; ')}.`,
      EXIT.unreachable,
    );
  for (const note of notes) printWarning(note);
  await printText(`${text}\n`);
}
