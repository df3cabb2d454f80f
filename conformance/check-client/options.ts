import type { Choices } from '../../mock/options/mock-options.js';
import type { GivenClient, GivenScenarios } from '../client/run/client-options.js';
import type { Shard } from '../common/shard.js';

export interface CheckClientOptions {
  client: GivenClient;
  /** Scenarios to play. Default: the whole library. */
  scenarios?: GivenScenarios;
  /** Decides everything random. Default 1. */
  seed?: number;
  /** Deadline of the client for one scenario, ms on its own clock. */
  deadlineMs?: number | undefined;
  /** Number of generated conversations that are played in addition. `seed` decides which. */
  search?: number | undefined;
  /** Real time after which no further conversation is generated or minimized, ms. Default: no limit. */
  searchTimeMs?: number | undefined;
  /** Plays only this part of the scenarios and of the generated conversations. */
  shard?: Shard | undefined;
  /** Directory that the caller writes the failure files to. It appears in the commands that repeat them. */
  out?: string | undefined;
  /** Scenarios that run at the same time. Default 8 in real time, 4 in virtual time; functions run one by one. */
  jobs?: number;
  dialect?: Choices;
  /** Features that the client lacks, named as for `--lacks`: scenarios that need them are skipped and not generated. */
  lacks?: readonly string[] | undefined;
  /** Globs of the names of scenarios to leave out. */
  exclude?: readonly string[] | undefined;
  /** How often a scenario with a failed check is repeated. A check that then passes is flaky. Default 0. */
  retries?: number | undefined;
  /** First play a scenario that does not exist. Default true. */
  unknownScenario?: boolean;
  /** Ends the run early: the report has the results so far. */
  signal?: AbortSignal;
}
