import { serviceRules } from '../../../rules/service-rules.js';
import { HttpClient } from '../../http-client/http-client.js';
import { ExchangeRecorder, Stream } from '../../http-client/recorder.js';
import { fixturesOf } from '../account-settings.js';
import { Agreements } from '../judge/compare.js';
import { Model } from '../judge/model.js';
import { type Played, play, type Stage, stepsOf } from '../play/play.js';
import type { SearchSettings } from '../search.js';
import type { Sequence } from '../sequence/sequence.js';

/** Sends a sequence once; every difference counts. */
export async function replaySequence(
  settings: Pick<SearchSettings, 'target' | 'runId' | 'longestWaitMs' | 'signal'>,
  { dialect = {}, steps }: { dialect?: SearchSettings['dialect']; steps: Sequence },
): Promise<Played> {
  const { target, runId, longestWaitMs = 1500, signal } = settings;
  const client = new HttpClient(target, new Stream(new ExchangeRecorder()));
  const model = new Model(dialect, await fixturesOf(client));
  await model.ready();
  const agreements = new Agreements(true);
  const isNewestFirst = dialect['task.list-order'] !== 'oldest-first';
  const stage: Stage = {
    target,
    model,
    rules: serviceRules,
    agreements,
    longestWaitMs,
    isNewestFirst,
    signal,
  };
  try {
    return await play(stage, `td-${runId}-1`, stepsOf(steps));
  } finally {
    await model.close();
  }
}
