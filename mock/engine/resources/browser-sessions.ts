import * as s from '../../../spec/json-schema/build-schema.js';
import { BROWSER_SESSION_LIFETIME_MS } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import { saveCookies } from './profiles.js';

/** A browser that was opened for a person. Section "Deprecated browser endpoints". */
export type BrowserSession = s.ValueOf<typeof browserSession>;
export const browserSession = s.fields({
  live_id: s.text,
  profile_id: s.text,
  /** Empty when no live view was requested. */
  live_url: s.text,
  url: s.orNull(s.text),
  device: s.text,
  opened_at: s.instant,
});

/** Ends the browsers that have been open for 5 minutes (section "Limits"). */
export function endOldSessions(organisation: Organisation): void {
  const { records } = organisation;
  for (const session of records.browserSessions.list()) {
    // Sessions are in the order in which they were opened.
    const end = session.opened_at + BROWSER_SESSION_LIFETIME_MS;
    if (organisation.now < end) return;
    endSession(organisation, session, end);
  }
}

/** Removes the browser. Its profile keeps the cookies of its page. `at` in ms. */
export function endSession({ records }: Organisation, session: BrowserSession, at: number): void {
  records.browserSessions.delete(session.live_id);
  const profile = records.profiles.get(session.profile_id);
  if (profile) saveCookies(profile, session.url, at);
}
