import { WakeUpTimer } from '../../../mock/clock/wake-up-timer.js';
import { Pipeline, type PipelineService } from '../../../mock/pipeline/pipeline.js';
import { handlers } from '../../../mock/service.js';

/** A pipeline without recorder, lazy modules and wake-up timer. A fault of it fails the test. */
export function createPipeline(organisations: PipelineService['organisations']): Pipeline {
  return new Pipeline(
    {
      organisations,
      handleNonApi: () => undefined,
      load: () => undefined,
      advanceIfIdle() {},
      wakeUpTimer: new WakeUpTimer(
        () => 0,
        { set: () => 0, clear() {} },
        () => {},
      ),
      recorder: undefined,
      reportFault(error) {
        throw error;
      },
    },
    handlers,
  );
}
