import { readCommandName } from '../conformance/common/command-name.js';
import { explain, isUnknown } from '../conformance/explain/explain.js';
import { formatExplanation } from '../conformance/explain/format-explanation.js';
import { quote } from '../spec/show.js';
import { UsageError } from './exit-codes.js';
import { print, printText } from './print.js';
import { type AnyCommand, Command, type InferFlags } from './typed-commander.js';

const EXAMPLES = `
Examples:
  taskdouble explain replies/same-again            a rule, with a wrong and a right conversation
  taskdouble explain POLL-02                       a requirement
  taskdouble explain polling/one-shot#POLL-02      a check of a report
  taskdouble explain exit 3                        an exit code
  taskdouble explain drop                          a verb of scenarios and network rules
  taskdouble explain my client hangs after a 429   a symptom, in words

Exit codes: 0 it was explained, 2 nothing has that name, 4 a fault of taskdouble itself.`;

function declareExplain() {
  return new Command('explain')
    .description(
      'Explain a rule, requirement, check, open point, scenario, exit code, verb or symptom: what it means, an example, and what to do.',
    )
    .argument('<name...>', 'the name as reports print it, or a symptom in words')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES);
}

export function createExplainCommand(): AnyCommand {
  return declareExplain().action(runExplain);
}

/** Throws UsageError if nothing has that name. */
async function runExplain(
  words: readonly string[],
  { json }: InferFlags<typeof declareExplain>,
): Promise<void> {
  const name = words.join(' ');
  const found = await explain(name);
  if (isUnknown(found)) {
    const advice =
      found.nearest === undefined
        ? `see "${readCommandName()} explain --help", and docs/why-does-my-client-hang.md for symptoms`
        : `did you mean ${found.nearest}?`;
    throw new UsageError(
      `explain: expected the name of a rule, requirement, check, scenario, verb or exit code, or a symptom; found ${quote(name)}; ${advice}`,
    );
  }
  if (json) await print(`${JSON.stringify(found, null, 2)}\n`);
  else await printText(`${found.map((each) => formatExplanation(each, readCommandName())).join('\n\n')}\n`);
}
