import type { Organisation } from '../engine/organisation.js';
import { endOldSessions, endSession } from '../engine/resources/browser-sessions.js';
import { ApiError, notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { emptyBody } from '../pipeline/responses.js';
import { addProfile, checkPremium } from './profiles.js';
import { checkUrl } from './start-task.js';

/** Section "Deprecated browser endpoints": browsers for a person. Each belongs to a profile and takes one session. */
export const browserHandlers: Pick<Handlers, 'openBrowserSession' | 'closeBrowserSession'> = {
  openBrowserSession({ organisation, body }) {
    const { records, account, world } = organisation;
    endOldSessions(organisation);
    checkUrl(organisation, body.url);
    checkPremium(organisation, 'Browser sessions');
    if (account.browser_sessions < 1) {
      throw new ApiError(
        429,
        'The browser sessions are used up: change to another paid plan (POST /plan) to get new ones.',
      );
    }
    const profile_id = useProfile(organisation, body.profile_id);
    const live_id = world.setup.random.uuid();
    const live_url = body.live_view === false ? '' : `${world.setup.origin()}/live/${live_id}`;
    records.browserSessions.set(live_id, {
      live_id,
      profile_id,
      live_url,
      url: body.url ?? null,
      device: body.device ?? 'desktop',
      opened_at: world.now,
    });
    account.browser_sessions--;
    return { r: { profile_id, live_id, live_url } };
  },

  closeBrowserSession({ organisation, path }) {
    endOldSessions(organisation);
    const session = organisation.records.browserSessions.get(path.session_id);
    if (!session) throw notFound('open browser session', path.session_id);
    endSession(organisation, session, organisation.world.now);
    return emptyBody(organisation);
  },
};

/** The profile to open; one that is not there yet is made, as these endpoints know no other way to make one. */
function useProfile(organisation: Organisation, id: string | null | undefined): string {
  const { records } = organisation;
  if (typeof id !== 'string' || id === '') return addProfile(organisation).id;
  if (records.profiles.has(id)) return id;
  return addProfile(organisation, id).id;
}
