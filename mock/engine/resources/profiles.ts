import * as s from '../../../spec/json-schema/build-schema.js';
import type { Task } from '../tasks/task.js';

/** A browser profile: what a browser remembers from one task to the next. */
export type Profile = s.ValueOf<typeof profile>;
export const profile = s.fields({
  id: s.text,
  /** Hosts that tasks and browser sessions with this profile opened. */
  cookie_domains: s.list(s.text),
  /** Null until a task or a browser session has saved it. */
  saved_at: s.orNull(s.instant),
});

/** Hosts kept in one profile. */
const MOST_DOMAINS = 128;

export function newProfile(id: string): Profile {
  return { id, cookie_domains: [], saved_at: null };
}

/** Saves the profile of a completed task, unless the request makes it read-only. */
export function saveProfileOf({ organisation, request, actions }: Task): void {
  const { profile_id, profile_read_only, url } = request;
  if (typeof profile_id !== 'string' || profile_read_only === true) return;
  const { records } = organisation;
  const profile = records.profiles.get(profile_id);
  if (!profile) return;
  saveCookies(profile, url, organisation.now);
  for (const { answered, input } of actions?.values() ?? [])
    if (answered) saveCookies(profile, input.url, organisation.now);
}

/** A browser that has opened `url` leaves the cookies of that host in its profile, at `at` ms. */
export function saveCookies(profile: Profile, url: unknown, at: number): void {
  if (profile.saved_at === null || at > profile.saved_at) profile.saved_at = at;
  const host = hostOf(url);
  if (host === undefined || profile.cookie_domains.includes(host)) return;
  if (profile.cookie_domains.length < MOST_DOMAINS) profile.cookie_domains.push(host);
}

function hostOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return new URL(url).hostname || undefined;
}
