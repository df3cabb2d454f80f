import type { ClockMode } from '../../../mock/engine/clock.js';
import type { MockServer } from '../../../mock/options/mock-options.js';
import { MockSession, type MockSessionOptions } from './mock-session.js';
import type { RunPlan, RunRecord } from './play.js';
import { type RunningClient, type RunTermination, STDERR_KEPT } from './processes.js';
import { readLine } from './result-line.js';

/** A job of a command: its mock, on a port of its own, and the record of its run. */
export class ServedJob {
  #pending: number[] = [];

  private constructor(
    readonly plan: RunPlan,
    readonly session: MockSession,
    private readonly server: MockServer,
    private readonly clock: ClockMode,
  ) {}

  static async open(plan: RunPlan, options: MockSessionOptions): Promise<ServedJob> {
    const session = await MockSession.open(options, plan.job);
    return new ServedJob(plan, session, await session.mock.listen(), options.clock);
  }

  get baseUrl(): string {
    return this.server.baseUrl;
  }

  begin(onFull: () => void, onRequest: () => void): void {
    this.session.begin(this.plan.scenario, this.plan.key, onFull, onRequest);
  }

  /** Notes the requests without a response: call it before the client is ended. */
  stop(): void {
    this.#pending = this.session.listPending();
  }

  readRecord(end: RunTermination, client: RunningClient, text: string, durationMs: number): RunRecord {
    const { line, problem } = readLine(text);
    return {
      ...{ exitCode: null, signal: null, error: undefined, ...end },
      line,
      lineProblem: end.end === 'not-started' ? 'it was never started' : problem,
      leftBehind: 0,
      stderr: client.stderr.text.slice(-STDERR_KEPT),
      pending: this.#pending,
      ...this.session.end(),
      durationMs,
      hasSkippedWaits: this.clock === 'eager',
    };
  }

  async close(): Promise<void> {
    await this.server.close();
    this.session.release();
  }
}
