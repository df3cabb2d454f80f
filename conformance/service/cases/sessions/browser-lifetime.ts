import { BROWSER_SESSION_LIFETIME_MS } from '../../../../spec/vocabulary.js';
import { field } from '../../../conversation/json.js';
import type { Answer } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { said } from '../../scenarios/player-read.js';
import { idsOf } from '../resources/browser.js';
import { makeProfile, served } from '../resources/profiles.js';
import { isGone, removeLater, shouldSucceed, withBodies } from '../resources/requests.js';
import type { Probe, Probing } from '../test-case.js';

/** Tolerance before and after the five minutes, ms. */
const MARGIN_MS = 30_000;

interface Browser {
  opened: Answer;
  /** Ids in the record, one of which names the browser. */
  ids: string[];
}

const lifetime: Probe = {
  id: 'limits/browser-lifetime',
  title:
    'A browser that is opened by the deprecated operation can be closed for five minutes, and is gone afterwards',
  covers: ['LIMIT-04'],
  operations: ['createProfile', 'openBrowserSession', 'closeBrowserSession'],
  tasks: 3,
  async run(t: Probing) {
    const { timeout_ms, longest_wait_ms = timeout_ms } = t.settings;
    if (longest_wait_ms < BROWSER_SESSION_LIFETIME_MS + 2 * MARGIN_MS)
      return t.inconclusive(
        'such a browser lives for five minutes, and no check waits longer than --timeout: --timeout 6m shows it',
      );
    const profile = await makeProfile(t);
    const closedAtOnce = await open(t, profile.id);
    const refusal = await refusalOnceClosed(t, closedAtOnce);
    const late = await open(t, profile.id);
    const early = await open(t, profile.id);
    await sleepUntil(t, early.opened.at + BROWSER_SESSION_LIFETIME_MS - MARGIN_MS);
    const before = await close(t, early.ids);
    const closable = `DELETE of a browser half a minute before its five minutes are over: expected it to be closed, got ${said(before)}`;
    if (!t.expect('LIMIT-04', before.ok, closable, early.opened, before)) return;
    await sleepUntil(t, late.opened.at + BROWSER_SESSION_LIFETIME_MS + MARGIN_MS);
    const after = await close(t, late.ids);
    const gone = `DELETE of a browser half a minute after its five minutes were over: expected it to be answered like that of one that was closed before (${said(refusal)}), got ${said(after)}`;
    t.expect('LIMIT-04', !after.ok || after.r === false, gone, late.opened, refusal, after);
  },
};

async function open(t: Probing, profile_id: string): Promise<Browser> {
  const opened = await withBodies(t, 'openBrowserSession', {}, [{ profile_id }, {}]);
  served(t, opened, 'POST /browser/session');
  shouldSucceed(t, 'BROWSER-01', opened, 'POST /browser/session');
  const given = field(opened.r, 'profile_id');
  if (typeof given === 'string' && given !== '' && given !== profile_id)
    removeLater(t, `profile ${given}`, 'deleteProfile', { path: { profile_id: given } });
  const ids = idsOf(opened.r, profile_id);
  if (ids.length === 0) t.inconclusive(`nothing names the browser in ${said(opened)}`);
  t.cleanup('open browser', () => close(t, ids));
  return { opened, ids };
}

/** Tries each id until one is accepted; gives the last response otherwise. */
async function close(t: Probing, ids: readonly string[]): Promise<Answer> {
  let answer: Answer | undefined;
  for (const session_id of ids) {
    answer = await t.send('closeBrowserSession', { path: { session_id } });
    if (answer.ok) break;
  }
  return answer!;
}

/** The response to DELETE of a closed browser. Ends the probe where an open one gets the same. */
async function refusalOnceClosed(t: Probing, { ids }: Browser): Promise<Answer> {
  const never = await close(t, [unlike(ids[0]!)]);
  const closed = await close(t, ids);
  const again = await close(t, ids);
  if (isGone(never, closed, again) !== true)
    t.inconclusive(
      `DELETE does not tell whether a browser is open: of an open one it is answered with ${said(closed)}, then with ${said(again)}`,
    );
  return again;
}

async function sleepUntil(t: Probing, at: number): Promise<void> {
  await t.sleep(Math.max(0, at - t.now()));
}

export const lifetimeProbes: readonly Probe[] = [lifetime];
