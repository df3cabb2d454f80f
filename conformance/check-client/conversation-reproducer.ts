import { loadScenarioText } from '../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { Finding } from '../../spec/vocabulary.js';
import type { GeneratedScenario } from '../client/generate/generate-scenario.js';
import { createPlanBudget, simplifyPlan } from '../client/generate/minimize-plan.js';
import type { ConversationPlan } from '../client/generate/plan.js';
import { toScenario } from '../client/generate/plan-to-scenario.js';
import { formatFailureKey } from '../client/judge/findings.js';
import { findWait } from '../client/judge/run-end.js';
import { judgeRun } from '../client/judge/verdict.js';
import type { ClientRun } from '../client/types.js';
import { minimize } from '../common/minimize.js';
import { UniqueNames } from '../common/text.js';
import { describeFailure, writeReproduction } from '../explore/reproduce/failure-files.js';
import { describeRunTime } from '../service/runner/result.js';

/** A rule that a generated conversation broke, with the smallest conversation that shows it. */
export interface FoundConversation {
  /** Base name of its files: `replies-outcome`. */
  name: string;
  rule: string;
  run: ClientRun;
  /** Text of NAME.yaml and of NAME.md. */
  yaml: string;
  markdown: string;
}

interface ReproducerSetup {
  /** Plays a scenario with the options of the search. */
  play: (scenario: Scenario) => Promise<ClientRun>;
  /** Command that plays a file again: `… --scenario DIR/FILE …`. FILE is replaced by NAME.yaml. */
  commandLine: string;
  /** The search was stopped: no further run starts. */
  isStopped: () => boolean;
  /** The time of the search is over: failures are written without further minimizing. */
  isOver: () => boolean;
}

/** Failures that are minimized: each takes many runs. */
const MOST_FAILURES = 20;

/** Minimizes the first conversation that breaks each rule. Hangs count separately for each kind of wait. */
export class ConversationReproducer {
  readonly #seen = new Set<string>();
  readonly #names = new UniqueNames();

  constructor(private readonly setup: ReproducerSetup) {}

  async reproduce(
    { plan, scenario }: GeneratedScenario,
    run: ClientRun,
    findings: readonly Finding[],
  ): Promise<FoundConversation[]> {
    const found: FoundConversation[] = [];
    for (const finding of findings) {
      if (this.setup.isStopped()) break;
      const kind = classifyFinding(run, finding);
      if (finding.level !== 'must' || this.#seen.has(kind) || this.#seen.size >= MOST_FAILURES) continue;
      this.#seen.add(kind);
      found.push(await this.#minimize(plan, scenario.name, run, kind));
    }
    return found;
  }

  async #minimize(
    plan: ConversationPlan,
    origin: string,
    first: ClientRun,
    kind: string,
  ): Promise<FoundConversation> {
    const { play, commandLine, isStopped, isOver } = this.setup;
    let run = first;
    const isReproduced = async (scenario: Scenario): Promise<boolean> => {
      const candidate = await play(scenario);
      if (candidate.end === 'aborted' || findFinding(candidate, kind) === undefined) return false;
      run = candidate;
      return true;
    };
    const time = describeRunTime(first.kind);
    const small = await minimize(
      plan,
      simplifyPlan,
      (candidate) => isReproduced(toScenario(candidate, origin)),
      createPlanBudget(time, kind.startsWith('run/ended'), () => isStopped() || isOver()),
    );
    const { rule } = findFinding(run, kind)!;
    const name = this.#names.reserve(rule.replace(/[^a-z0-9]+/g, '-'));
    const setting = {
      schedule: { scenario: toScenario(small, origin), deviations: [] },
      key: formatFailureKey(findFinding(run, kind)!),
      ...{ name, seed: first.seed, time, commandLine, isMinimized: true },
    };
    const yaml = writeReproduction(setting);
    // Run once more from the text of the file.
    const { scenario } = loadScenarioText(yaml, { file: `${name}.yaml`, name });
    const isNondeterministic =
      !isStopped() && (scenario === undefined || !(await isReproduced(scenario))) && !isStopped();
    const finding = findFinding(run, kind)!;
    return {
      name,
      rule,
      run,
      yaml,
      markdown: describeFailure({ ...setting, finding, run, isNondeterministic }),
    };
  }
}

/** Findings of one kind most likely have one cause. */
function classifyFinding(run: ClientRun, finding: Finding): string {
  return `${finding.rule} ${findWait(run, finding) ?? ''}`;
}

function findFinding(run: ClientRun, kind: string): Finding | undefined {
  return judgeRun(run).find((finding) => finding.level === 'must' && classifyFinding(run, finding) === kind);
}
