import { asFields, field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { leavesOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { isGone, removeLater, shouldSucceed, stillThere, withBodies } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { makeProfile, served } from './profiles.js';

/** Fields that may name the browser, the likeliest first; which one does is open (`browser.records`). */
const NAMES = ['session_id', 'sessionId', 'live_id', 'liveId', 'browser_id', 'browserId', 'id', 'uuid'];

const session: TestCase = {
  id: 'resources/browser-session',
  title: 'The deprecated operations open a browser for a person and close it',
  covers: ['BROWSER-01', 'BROWSER-02', 'VERSION-04'],
  operations: ['createProfile', 'openBrowserSession', 'closeBrowserSession'],
  tasks: 1,
  async run(t: TestContext) {
    const profile = await makeProfile(t);
    const bodies = [{ profile_id: profile.id }, {}, { profile_id: profile.id, device: 'desktop', url: null }];
    const opened = await withBodies(t, 'openBrowserSession', {}, bodies);
    served(t, opened, 'POST /browser/session');
    shouldSucceed(t, 'BROWSER-01', opened, 'POST /browser/session');
    const candidates = idsOf(opened.r, profile.id);
    const close = (session_id: string) => t.send('closeBrowserSession', { path: { session_id } });
    // One that names no profile may be given a new one.
    const given = field(opened.r, 'profile_id');
    if (typeof given === 'string' && given !== '' && given !== profile.id)
      removeLater(t, `profile ${given}`, 'deleteProfile', { path: { profile_id: given } });
    let isClosed = false;
    t.cleanup('open browser', async () => {
      if (!isClosed) for (const id of candidates) await close(id);
    });
    t.expect(
      'BROWSER-01',
      asFields(opened.r) !== undefined && candidates.length > 0,
      `POST /browser/session: expected the record of a browser in r, got ${summarize(opened)}`,
      opened,
    );
    if (candidates.length === 0) t.inconclusive(`nothing names the browser in ${summarize(opened)}`);
    const never = await close(unlike(candidates[0]!));
    let closed: ApiResponse | undefined;
    let id = '';
    for (id of candidates) {
      closed = await close(id);
      if (closed.ok || ![400, 404, 422].includes(closed.status)) break;
    }
    served(
      t,
      { ...closed!, status: closed!.status === 404 ? 400 : closed!.status },
      'DELETE /browser/session/{session_id}',
    );
    // With several ids it may be none of these that names the browser.
    if (!closed!.ok && candidates.length > 1 && [400, 404, 422].includes(closed!.status))
      t.inconclusive(`none of ${candidates.join(', ')} closes the browser: ${summarize(closed!)}`);
    const message = `DELETE of the browser "${id}" that was just opened: expected it to be closed, got ${summarize(closed!)}`;
    if (!t.expect('BROWSER-02', closed!.ok, message, opened, closed!)) return;
    isClosed = true;
    t.expect('VERSION-04', true, '', opened, closed!);
    const again = await close(id);
    if (isGone(never, closed!, again) === false)
      t.fail('BROWSER-02', stillThere('DELETE of an open browser', never, again), never, closed!, again);
  },
};

export function idsOf(record: unknown, profile: string): string[] {
  const leaves = leavesOf(record).filter(
    ({ value }) => typeof value === 'string' || typeof value === 'number',
  );
  const named = NAMES.flatMap((name) => leaves.filter((leaf) => leaf.name === name));
  const alike = leaves.filter(({ name }) => /id$/i.test(name) && !/profile/i.test(name));
  const ids = [...named, ...alike].map(({ value }) => String(value));
  return [...new Set(ids)].filter((id) => id !== '' && id !== profile).slice(0, 4);
}

export const browserCases: readonly TestCase[] = [session];
