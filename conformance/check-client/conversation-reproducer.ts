import { loadScenarioText } from '../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { GeneratedScenario } from '../client/generate/generate-scenario.js';
import type { ConversationPlan } from '../client/generate/plan.js';
import { scenarioOf } from '../client/generate/scenario-of.js';
import { MOST_SHRINKING_MS, mostRunsOf, shrinkPlan } from '../client/generate/shrink-plan.js';
import type { RunFinding } from '../client/judge/run-rules.js';
import { findingsOf } from '../client/judge/verdict.js';
import type { ClientRun } from '../client/types.js';
import { describeFailure, writeReproduction } from '../explore/reproduce/failure-files.js';
import { failureKey, waitIn } from '../explore/reproduce/reproducer.js';
import { timeOf } from '../service/runner/result.js';

/** A rule that a generated conversation broke, in the smallest conversation that shows it. */
export interface FoundConversation {
  /** Name of its files: `replies-outcome`. */
  name: string;
  rule: string;
  run: ClientRun;
  /** Text of NAME.yaml and of NAME.md. */
  yaml: string;
  markdown: string;
}

interface ReproducerSetup {
  /** Plays a scenario as those of the search are played. */
  play: (scenario: Scenario) => Promise<ClientRun>;
  /** What to type to play a file again: `… --scenario DIR/FILE …`, where FILE stands for NAME.yaml. */
  commandLine: string;
  /** The search was stopped: nothing is played any more. */
  isStopped: () => boolean;
  /** The time of the search is over: what is known is written as it is. */
  isOver: () => boolean;
}

/** Failures that are shrunk: each takes many runs. */
const MOST_FAILURES = 20;

/** Shrinks the first conversation that breaks each rule, or in which the client waits for something else for ever. */
export class ConversationReproducer {
  readonly #seen = new Set<string>();
  readonly #names = new Set<string>();

  constructor(private readonly setup: ReproducerSetup) {}

  async reproduce(
    { plan, scenario }: GeneratedScenario,
    run: ClientRun,
    findings: readonly RunFinding[],
  ): Promise<FoundConversation[]> {
    const found: FoundConversation[] = [];
    for (const finding of findings) {
      if (this.setup.isStopped()) break;
      const kind = kindOf(run, finding);
      if (finding.level !== 'must' || this.#seen.has(kind) || this.#seen.size >= MOST_FAILURES) continue;
      this.#seen.add(kind);
      found.push(await this.#shrink(plan, scenario.name, run, kind));
    }
    return found;
  }

  async #shrink(
    plan: ConversationPlan,
    origin: string,
    first: ClientRun,
    kind: string,
  ): Promise<FoundConversation> {
    const { play, commandLine, isStopped, isOver } = this.setup;
    const until = performance.now() + MOST_SHRINKING_MS;
    let run = first;
    const shows = async (scenario: Scenario): Promise<boolean> => {
      const candidate = await play(scenario);
      if (candidate.end === 'aborted' || findingIn(candidate, kind) === undefined) return false;
      run = candidate;
      return true;
    };
    const time = timeOf(first.kind);
    const most = mostRunsOf(time, kind.startsWith('run/ended'));
    const small = await shrinkPlan(
      plan,
      (candidate) => shows(scenarioOf(candidate, origin)),
      most,
      () => isStopped() || isOver() || performance.now() >= until,
    );
    const { rule } = findingIn(run, kind)!;
    const name = this.#nameOf(rule);
    const setting = {
      schedule: { scenario: scenarioOf(small, origin), deviations: [] },
      key: failureKey(findingIn(run, kind)!),
      ...{ name, seed: first.seed, time, commandLine, isShrunk: true },
    };
    const yaml = writeReproduction(setting);
    // Seen once more from what stands in the file.
    const { scenario } = loadScenarioText(yaml, { file: `${name}.yaml`, name });
    const isNondeterministic =
      !isStopped() && (scenario === undefined || !(await shows(scenario))) && !isStopped();
    const finding = findingIn(run, kind)!;
    return {
      name,
      rule,
      run,
      yaml,
      markdown: describeFailure({ ...setting, finding, run, isNondeterministic }),
    };
  }

  #nameOf(rule: string): string {
    const plain = rule.replace(/[^a-z0-9]+/g, '-');
    let name = plain;
    for (let n = 2; this.#names.has(name); n++) name = `${plain}-${n}`;
    this.#names.add(name);
    return name;
  }
}

/** Findings of one kind have one cause, most likely. */
function kindOf(run: ClientRun, finding: RunFinding): string {
  return `${finding.rule} ${waitIn(run, finding) ?? ''}`;
}

function findingIn(run: ClientRun, kind: string): RunFinding | undefined {
  return findingsOf(run).find((finding) => finding.level === 'must' && kindOf(run, finding) === kind);
}
