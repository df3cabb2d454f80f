import { BROWSER_SESSION_LIFETIME_MS } from '../../spec/vocabulary.js';
import type { Organisation } from './organisation.js';

/** A browser that was opened for a person. Section "Deprecated browser endpoints". */
export interface BrowserSession {
  live_id: string;
  profile_id: string;
  /** Empty when no live view was asked for. */
  live_url: string;
  url: string | null;
  device: string;
  /** ms. */
  opened_at: number;
}

/** Ends the browsers that have been open for 5 minutes (section "Limits"). */
export function endOldSessions({ records, world }: Organisation): void {
  for (const session of records.browserSessions.list()) {
    // They stand in the order in which they were opened.
    if (world.now < session.opened_at + BROWSER_SESSION_LIFETIME_MS) return;
    records.browserSessions.delete(session.live_id);
  }
}
