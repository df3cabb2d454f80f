import { serviceRules } from '../../../rules/service-rules.js';
import { HttpClient } from '../../http-client/http-client.js';
import { ExchangeRecorder, ExchangeStream } from '../../http-client/recorder.js';
import { readFixtures } from '../account-settings.js';
import { MatchCounts } from '../judge/compare.js';
import { Model } from '../judge/model.js';
import { createStepSource, type PlayContext, playSequence, type SequenceRun } from '../play.js';
import type { SearchSettings } from '../search.js';
import type { Sequence } from '../sequence/sequence.js';

/** Plays a sequence once; every difference counts as a failure. */
export async function replaySequence(
  settings: Pick<SearchSettings, 'target' | 'runId' | 'longestWaitMs' | 'signal'>,
  { dialect = {}, steps }: { dialect?: SearchSettings['dialect']; steps: Sequence },
): Promise<SequenceRun> {
  const { target, runId, longestWaitMs = 1500, signal } = settings;
  const client = new HttpClient(target, new ExchangeStream(new ExchangeRecorder()));
  const model = new Model(dialect, await readFixtures(client));
  await model.prepare();
  const matchCounts = new MatchCounts(true);
  const isNewestFirst = dialect['task.list-order'] !== 'oldest-first';
  const context: PlayContext = {
    target,
    model,
    rules: serviceRules,
    matchCounts,
    longestWaitMs,
    isNewestFirst,
    signal,
  };
  try {
    return await playSequence(context, `td-${runId}-1`, createStepSource(steps));
  } finally {
    await model.close();
  }
}
