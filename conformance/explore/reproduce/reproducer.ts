import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { addStepIds } from '../../../scenarios/format/write.js';
import type { Finding } from '../../../spec/vocabulary.js';
import { findGeneratedConversation } from '../../client/generate/generate-scenario.js';
import { createPlanBudget, simplifyPlan } from '../../client/generate/minimize-plan.js';
import type { ConversationPlan } from '../../client/generate/plan.js';
import { toScenario } from '../../client/generate/plan-to-scenario.js';
import { formatFailureKey, generalize } from '../../client/judge/findings.js';
import { findWait, type WaitKind } from '../../client/judge/run-end.js';
import { listExchanges, RunNumbers } from '../../client/run/recording.js';
import type { ClientRun } from '../../client/types.js';
import { type Budget, minimize } from '../../common/minimize.js';
import { UniqueNames } from '../../common/text.js';
import { collectChanges } from '../causes/changes.js';
import { findDifference } from '../schedule/run-order.js';
import { applyDeviations, listUntriggered } from '../schedule/schedule.js';
import type { SearchSetup } from '../search/schedule-runner.js';
import type { Failure, Schedule } from '../types.js';
import { describeFailure, formatReplayCommand, writeReproduction } from './failure-files.js';
import { minimizeSchedule } from './minimize-schedule.js';
import { createRace, type JudgedRun } from './race.js';
import { formatTimeline } from './run-lines.js';

/** A run that shows a failure, with its finding. */
interface FailingRun {
  run: ClientRun;
  finding: Finding;
}

/** Most runs for one failure, before poll numbers are replaced. */
const MOST_RUNS = { virtual: 60, real: 12 };

/** Failures with a generated scenario that is minimized. */
const MOST_MINIMIZED = 20;

/** The error with which a client gave up, without run-specific parts. */
function findReportedError({ line, error }: ClientRun): string | undefined {
  const text = line?.error ?? error;
  return typeof text === 'string' && text !== '' ? generalize(text) : undefined;
}

/** Creates failures from a finding: minimizes the schedule, runs it once more and writes its files. */
export class Reproducer {
  readonly #names = new UniqueNames();
  /** Runs without deviations: each scenario is run once. */
  readonly #unchanged = new Map<Scenario, Promise<ClientRun>>();
  /** Kinds of failure with a minimized generated scenario. */
  readonly #minimized = new Set<string>();
  readonly #numbers = new RunNumbers();

  constructor(
    private readonly setup: Pick<SearchSetup, 'tools' | 'time' | 'seed' | 'signal' | 'commandLine' | 'shard'>,
  ) {}

  /** The failure, and other `wanted` failures in the run of its minimized schedule: they need no schedule of their own. */
  async reproduce(
    schedule: Schedule,
    run: ClientRun,
    finding: Finding,
    found: Pick<Failure, 'schedule' | 'foundAtMs' | 'place' | 'foundChanges' | 'seenUnchanged'>,
    wanted: (finding: Finding, run: ClientRun) => boolean,
  ): Promise<Failure[]> {
    const { tools, signal, time, seed, commandLine } = this.setup;
    const key = formatFailureKey(finding);
    const wait = findWait(run, finding);
    let last: FailingRun = { run, finding };
    const isReproduced = async (candidate: Schedule): Promise<boolean> => {
      const shown = this.#findFailure(await tools.play(applyDeviations(candidate), signal), key, wait);
      if (shown) last = shown;
      return shown !== undefined;
    };
    const most = time === 'real' ? MOST_RUNS.real : MOST_RUNS.virtual;
    const budget = createPlanBudget(time, wait !== undefined, () => signal.aborted);
    const small = await minimizeSchedule(
      schedule,
      isReproduced,
      most,
      () => last.run.trace,
      async (least) =>
        this.#canMinimize(least, finding, wait) ? minimizeScenario(least, isReproduced, budget) : least,
    );
    const isMinimized = small.scenario !== schedule.scenario;
    const setting = { schedule: small, seed, time, commandLine, isMinimized };
    const name = this.#createName(key);
    const yaml = writeReproduction({ ...setting, key, name });
    // Run once more from the text of the file.
    const saved = loadReproduction(yaml, name);
    const again = this.#findFailure(
      await (tools.playInProcess ?? tools.play).call(tools, saved, signal),
      key,
      wait,
    );
    const isNondeterministic =
      again === undefined || findDifference(small, last.run.trace, again.run.trace, time) !== undefined;
    const played = (again ?? last).run;
    const bad = { run: played, findings: tools.judge(played) };
    const good = small.deviations.length > 0 ? await this.#runUnchanged(small.scenario) : undefined;
    const shown = this.#numbers.renumber(played);
    const findings = new Map(tools.judge(shown).map((each) => [formatFailureKey(each), each]));
    const own = findings.get(key) ?? finding;
    findings.delete(key);
    const timeline = formatTimeline(findJobRun(shown, own));
    // One list: it shows that failures are of one run.
    const exchanges = listExchanges(shown);
    const toFailure = (each: Finding, itsName: string, itsYaml: string): Failure => ({
      ...each,
      key: formatFailureKey(each),
      name: itsName,
      scenario: schedule.scenario.name,
      deviations: small.deviations,
      foundWith: schedule.deviations.length,
      wait: findWait(shown, each),
      changes: collectChanges(small),
      reported: findReportedError(shown),
      ...found,
      seen: 1,
      scenarios: [schedule.scenario.name],
      exchanges,
      timeline,
      yaml: itsYaml,
      race: createRace(
        loadReproduction(itsYaml, itsName),
        bad.findings.find((other) => formatFailureKey(other) === formatFailureKey(each)) ?? each,
        { bad, good },
        formatReplayCommand({ commandLine, name: itsName }),
      ),
      markdown: describeFailure({
        ...setting,
        key: formatFailureKey(each),
        name: itsName,
        run: findJobRun(shown, each),
        finding: each,
        isNondeterministic,
      }),
      isNondeterministic,
    });
    const failures = [toFailure(own, name, yaml)];
    const rules = new Set([own.rule]);
    for (const [otherKey, each] of findings) {
      if (again === undefined || rules.has(each.rule) || !wanted(each, shown)) continue;
      rules.add(each.rule);
      const otherName = this.#createName(otherKey);
      const text = writeReproduction({ ...setting, key: otherKey, name: otherName });
      failures.push(toFailure(each, otherName, text));
    }
    return failures;
  }

  /** The run without deviations; undefined if the search is aborted during it. */
  async #runUnchanged(scenario: Scenario): Promise<JudgedRun | undefined> {
    const { tools, signal } = this.setup;
    const playing = this.#unchanged.get(scenario) ?? tools.play(scenario, signal);
    this.#unchanged.set(scenario, playing);
    const run = await playing;
    return run.end === 'aborted' ? undefined : { run, findings: tools.judge(run) };
  }

  /** Minimizing takes many runs: one scenario per kind of failure is enough. */
  #canMinimize(schedule: Schedule, { rule, level }: Finding, wait: WaitKind | undefined): boolean {
    const kind = [rule, wait, ...collectChanges(schedule)].join();
    if (level === 'advice' || this.#minimized.has(kind) || this.#minimized.size >= MOST_MINIMIZED)
      return false;
    this.#minimized.add(kind);
    return true;
  }

  /** Undefined if the run does not show the failure. */
  #findFailure(run: ClientRun, key: string, wait: WaitKind | undefined): FailingRun | undefined {
    if (run.end === 'aborted' || listUntriggered(run).length > 0) return undefined;
    const finding = this.setup.tools.judge(run).find((each) => formatFailureKey(each) === key);
    return finding && findWait(run, finding) === wait ? { run, finding } : undefined;
  }

  #createName(key: string): string {
    const words = key.toLowerCase().match(/[a-z0-9]+/g) ?? ['failure'];
    const { shard } = this.setup;
    // Files of several shards may be in one directory.
    return this.#names.reserve(
      words.join('-').slice(0, 80) + (shard && shard.of > 1 ? `-shard-${shard.part}` : ''),
    );
  }
}

/** Of two jobs in one process, the run of the one that the finding is about. */
function findJobRun(run: ClientRun, { evidence }: Finding): ClientRun {
  const isOther = run.other?.exchanges.some(({ seq }) => evidence.includes(seq)) === true;
  return isOther ? run.other! : run;
}

/** Throws if the written file is not a scenario, which is a fault of taskdouble. */
function loadReproduction(yaml: string, name: string): Scenario {
  const { scenario, problems } = loadScenarioText(yaml, { file: `${name}.yaml`, name });
  if (!scenario) throw new Error(`The file of a failure cannot be loaded: ${problems[0]?.message}`);
  return scenario;
}

/**
 * Applies the same deviations to the smallest conversation that still reproduces the failure. Returns the schedule itself if its scenario is not generated, or cannot be minimized.
 */
export async function minimizeScenario(
  schedule: Schedule,
  isReproduced: (schedule: Schedule) => Promise<boolean>,
  budget: Budget,
): Promise<Schedule> {
  const { name } = schedule.scenario;
  const generated = findGeneratedConversation(name);
  if (!generated) return schedule;
  const replacePlan = (plan: ConversationPlan) => ({
    ...schedule,
    scenario: addStepIds(toScenario(plan, name)),
  });
  // A scenario file of the caller may have the same name.
  if (!(await isReproduced(replacePlan(generated.plan)))) return schedule;
  const small = await minimize(
    generated.plan,
    simplifyPlan,
    (plan) => isReproduced(replacePlan(plan)),
    budget,
  );
  return small === generated.plan ? schedule : replacePlan(small);
}
