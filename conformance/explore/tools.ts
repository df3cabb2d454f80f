import type { Scenario } from '../../scenarios/format/types.js';
import type { ClientRun } from '../client/types.js';
import type { BucketFinding } from './search/buckets.js';

/** What a search is done with: something that plays a scenario against the client, and the judge of what came out. */
export interface Tools {
  play(scenario: Scenario, signal?: AbortSignal): Promise<ClientRun>;
  judge(run: ClientRun): BucketFinding[];
  close(): Promise<void>;
}
