import type { ApiResponse } from '../http-client/response.js';
import { extensionForm } from '../request-builders/bodies.js';
import { idIn } from '../test-case/read-record.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observe, observeStatus } from './observe.js';

const PARTS = ['file', 'extension'] as const;

/** `upload.part-names`, `extension.not-zip`. */
export const extensions: TestCase = {
  id: 'resources/point-extensions',
  title: 'What the part with an extension is called, and what becomes of one that is no archive',
  covers: ['EXT-01'],
  operations: ['uploadExtension', 'deleteExtension'],
  async run(t) {
    for (const part of PARTS) {
      const uploaded = await upload(t, extensionForm(part));
      if (uploaded.status === 403) t.skip('the plan of this key has no extensions (403)');
      if (!uploaded.ok) continue;
      if (idOf(uploaded) !== undefined) t.expect('EXT-01', true, '', uploaded);
      observe(t, 'upload.part-names', part, uploaded);
      const form = new FormData();
      form.set(part, new Blob(['no archive'], { type: 'text/plain' }), 'no-archive.txt');
      observeStatus(t, 'extension.not-zip', await upload(t, form));
      return;
    }
    t.inconclusive(`no extension is taken in a part called ${PARTS.join(' or ')}`);
  },
};

async function upload(t: TestContext, form: FormData): Promise<ApiResponse> {
  const answer = await t.send('uploadExtension', { form });
  const extension_id = idOf(answer);
  if (extension_id !== undefined) {
    t.cleanup(`extension ${extension_id}`, async () => {
      const removed = await t.send('deleteExtension', { path: { extension_id } });
      if (!removed.ok) throw new Error(summarize(removed));
    });
  }
  return answer;
}

function idOf({ ok, r }: ApiResponse): string | undefined {
  return ok ? idIn(r, ['id', 'extension_id']) : undefined;
}
