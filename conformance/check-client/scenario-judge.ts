import type { Scenario } from '../../scenarios/format/types.js';
import { uniqueBy } from '../../spec/lists.js';
import type { GeneratedScenario } from '../client/generate/generate-scenario.js';
import { createRunChecks, createUnplayedCheck, hasPassedEvidence } from '../client/judge/run-checks.js';
import { judgeRun } from '../client/judge/verdict.js';
import { formatRepeatCommand, resolveScenarios } from '../client/run/client-options.js';
import { listExchanges, type RunNumbers } from '../client/run/recording.js';
import type { Client, ClientRun } from '../client/types.js';
import { readCommandName } from '../common/command-name.js';
import type { ConformEvent } from '../service/runner/result.js';
import { mergeTries } from '../service/runner/verdicts.js';
import { ConversationReproducer, type FoundConversation } from './conversation-reproducer.js';
import type { PlannedScenario } from './planned-scenarios.js';
import type { RunPart } from './results.js';

interface ScenarioJudgeSetup {
  /** The client as it is run. */
  readClient: () => Client;
  seed: number;
  /** Directory of the failure files. */
  out: string;
  /** Those that are played first. */
  scenarios: readonly Scenario[];
  numbers: RunNumbers;
  play: (scenario: Scenario) => Promise<ClientRun>;
  /** Plays a candidate of a smaller conversation. */
  playSmaller: (scenario: Scenario) => Promise<ClientRun>;
  isStopped: () => boolean;
  isSearchOver: () => boolean;
  onEvent: (event: ConformEvent) => void;
}

/** Judges the runs of one scenario after the other. */
export class ScenarioJudge {
  /** By the name of the scenario. */
  readonly #isPassed = new Map<string, boolean>();
  readonly #reproducer: ConversationReproducer;

  constructor(private readonly setup: ScenarioJudgeSetup) {
    const { playSmaller: play, isStopped, isSearchOver: isOver } = setup;
    const commandLine =
      this.#formatRepeatCommand('FILE') ?? `${readCommandName()} client --scenario FILE -- COMMAND`;
    this.#reproducer = new ConversationReproducer({ play, commandLine, isStopped, isOver });
  }

  /** Another run may show that a failure is flaky. */
  isOpen(runs: readonly ClientRun[]): boolean {
    const tries = runs.map((run) => this.#check(run));
    return mergeTries(tries, hasPassedEvidence).isOpen;
  }

  /** For a generated conversation, each newly broken rule is reported with the smallest conversation that breaks it. */
  async judge({ scenario, plan }: PlannedScenario, runs: readonly ClientRun[]): Promise<RunPart> {
    const tries = runs.map((run) => this.#check(run));
    const { checks } = mergeTries(tries, hasPassedEvidence);
    const advice = uniqueBy(
      tries.flatMap((each) => each.advice),
      ({ id }) => id,
    );
    const hasFailed = checks.some(({ outcome }) => outcome === 'failed');
    this.#isPassed.set(scenario.name, !hasFailed);
    const failing = hasFailed ? await this.#findFailingJob(scenario) : undefined;
    if (failing !== undefined) {
      const message = `${failing} fails alone: correct that first.`;
      return { checks: [createUnplayedCheck(scenario, 'inconclusive', message)] };
    }
    const checked = { checks, advice, exchanges: runs.flatMap(listExchanges) };
    return plan ? this.#addSmallest({ scenario, plan }, runs, checked) : checked;
  }

  async #addSmallest(
    generated: GeneratedScenario,
    runs: readonly ClientRun[],
    { checks, advice, exchanges: all }: Required<RunPart>,
  ): Promise<RunPart> {
    const { out, numbers, onEvent } = this.setup;
    const failed = new Set(checks.flatMap(({ outcome, rule }) => (outcome === 'failed' ? [rule] : [])));
    const found: FoundConversation[] = [];
    for (const run of runs) {
      const findings = judgeRun(run).filter(({ rule }) => failed.has(rule));
      found.push(...(await this.#reproducer.reproduce(generated, run, findings)));
    }
    const shown = new Set([...checks, ...advice].flatMap(({ evidence }) => evidence));
    const isPassed = checks.every(({ outcome }) => outcome === 'passed');
    const exchanges = isPassed ? all.filter(({ seq }) => shown.has(seq)) : all;
    for (const { name, rule, yaml, markdown, run } of found) {
      onEvent({ type: 'failure', name, yaml, markdown });
      const small = numbers.renumber(run);
      const finding = judgeRun(small).find((each) => each.rule === rule);
      const check = checks.find((each) => each.rule === rule);
      if (!finding || !check) continue;
      const again = this.#formatRepeatCommand(`${name}.yaml`);
      Object.assign(
        check,
        { message: finding.message, evidence: finding.evidence, shrunk: true },
        again !== undefined && { again, file: `${out}/${name}.yaml` },
      );
      exchanges.push(...small.exchanges);
    }
    return { checks, advice, exchanges };
  }

  /** The job of a pair that fails alone, too: the pair shows nothing about two jobs. */
  async #findFailingJob({ other_job: other, ...own }: Scenario): Promise<string | undefined> {
    if (!other) return undefined;
    const { scenarios, play } = this.setup;
    for (const job of [...(await resolveScenarios([other.scenario])), { ...own, name: 'its second job' }]) {
      // As played before: by now the first of two jobs may have spoiled the process.
      const played = scenarios.find(({ file, other_job }) => !other_job && file === (job.file ?? ''));
      const isPassed = played && this.#isPassed.get(played.name);
      if (isPassed ?? !judgeRun(await play(job)).some(({ level }) => level === 'must')) continue;
      return played?.name ?? job.name;
    }
    return undefined;
  }

  #check(run: ClientRun): ReturnType<typeof createRunChecks> {
    const again = formatRepeatCommand(this.setup.readClient(), run.scenario, run.seed);
    return createRunChecks(run, judgeRun(run), again);
  }

  /** The command that plays a failure file. */
  #formatRepeatCommand(file: string): string | undefined {
    const { readClient, out, seed } = this.setup;
    return formatRepeatCommand(readClient(), { name: file, file: `${out}/${file}` }, seed);
  }
}
