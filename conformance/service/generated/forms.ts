import type { Probe } from '../probe.js';
import { fileForm } from '../samples-forms.js';
import { withKit } from '../samples-kit.js';
import { attempt, costs, nameOf, twin } from './attempt.js';
import { judgeRefusal, REFUSAL_COVERS } from './refusal.js';

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

export const formProbes: readonly Probe[] = [withoutItsPart];
