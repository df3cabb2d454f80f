import type { OperationId } from '../../../spec/generated/operations.js';
import type { Probe } from '../cases/test-case.js';
import { CHEAP_TASK, fileForm } from '../request-builders/forms.js';
import { withKit } from '../request-builders/tracker.js';
import { attempt, costs, nameOf, twin } from './attempt.js';
import { judgeDetail, judgeRefusal, REFUSAL_COVERS } from './refusal.js';

/** The one form whose part is given a name: `file` of POST /file. */
const withoutItsPart: Probe = {
  id: 'errors/uploadFile-form',
  title: `${nameOf('uploadFile')} refuses a form without the part "file"`,
  covers: [...REFUSAL_COVERS],
  ...costs('uploadFile', 2),
  run: (probing) =>
    withKit(probing, async (kit) => {
      const { next } = await twin(kit, 'uploadFile');
      const answer = await attempt(kit, 'uploadFile', next(), { form: fileForm('other_part') });
      judgeRefusal(kit, answer, `${nameOf('uploadFile')} with a form without the part "file"`);
    }),
};

/** What says the same as JSON, for the operations whose parts are not named. */
const AS_JSON = {
  uploadExtension: { file: 'hello' },
  uploadBrowserExtension: { file: 'hello' },
  createMessage: { message: CHEAP_TASK },
} satisfies Partial<Record<OperationId, object>>;

const asJson = Object.entries(AS_JSON).map(([name, body]): Probe => {
  const id = name as keyof typeof AS_JSON;
  return {
    id: `errors/${id}-form`,
    title: `${nameOf(id)} refuses JSON in place of a form`,
    covers: [...REFUSAL_COVERS],
    ...costs(id, 2),
    run: (probing) =>
      withKit(probing, async (kit) => {
        const { next } = await twin(kit, id);
        const { form: _, ...others } = next();
        const answer = await attempt(kit, id, { ...others, body });
        const what = `${nameOf(id)} with JSON in place of a form`;
        // The type of a body may be told apart before it is read.
        if (answer.status !== 415) return judgeRefusal(kit, answer, what);
        probing.expect('ERROR-01', true, what, answer);
        judgeDetail(kit, answer, what);
      }),
  };
});

export const formProbes: readonly Probe[] = [withoutItsPart, ...asJson];
