import type { Finding } from '../../spec/vocabulary.js';

/** A run of the client that the user named when the mock was started. */
export interface ClientRunView {
  id: number;
  state: 'running' | 'ended' | 'stopped';
  /** The organisation of its API key: each run has its own. */
  organisation: string;
  /** Undefined: the client got no job. */
  scenario: string | undefined;
  /** ms of real time. */
  startedAt: number;
  durationMs: number | undefined;
  exitCode: number | null;
  /** The signal that ended it. */
  signal: string | null;
  /** Why it could not be started, or why it was ended. */
  problem: string | undefined;
  /** Of the rules, as the command "taskdouble client" reports them. Empty until it has ended. */
  findings: readonly Finding[];
  /** Characters that it has printed so far. */
  printed: number;
}

export interface ClientRunsView {
  /** For display: no request can change it. */
  command: string;
  /** The client runs again when a file of its folder changes. */
  isWatching: boolean;
  /** The latest runs, oldest first. */
  runs: readonly ClientRunView[];
}

/** A part of the output of a client. */
export interface ClientOutput {
  from: 'stdout' | 'stderr';
  text: string;
}

/** The part of the output of a run after a position. */
export interface ClientOutputView {
  /** Characters before the first part that are not kept any more. */
  leftOut: number;
  parts: readonly ClientOutput[];
  /** The position after the last part. */
  next: number;
}

/** Runs one command, which is known before the mock starts. */
export interface ClientRuns {
  /** The same object as before if nothing has changed. */
  view(): ClientRunsView;
  /** Rejects with MockError if a run is in progress, or if there is no such scenario. */
  start(options: { scenario?: string | undefined; isWatching: boolean }): Promise<ClientRunView>;
  /** Undefined for an unknown run. */
  readOutput(id: number, since: number): ClientOutputView | undefined;
  /** Ends the run in progress and the watch, and resolves when the client's processes have ended. */
  stop(): Promise<void>;
}
