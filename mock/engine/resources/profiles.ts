import { parseUrl } from '../../../spec/addresses.js';
import * as s from '../../../spec/json-schema/build-schema.js';
import { BROWSER_SESSION_LIFETIME_MS } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import type { Task } from '../tasks/task.js';

/** A browser profile: the state that a browser keeps from one task to the next. */
export type Profile = s.ValueOf<typeof profile>;
export const profile = s.fields({
  id: s.text,
  /** Hosts opened by tasks and browser sessions with this profile. */
  cookie_domains: s.list(s.text),
  /** Null until a task or a browser session has saved it. */
  saved_at: s.orNull(s.instant),
});

const MOST_DOMAINS = 128;

/** Adds a profile, with a generated id if none is given. */
export function addProfile({ records, random }: Organisation, given?: string | null): Profile {
  const id = given ?? random.uuid();
  return records.profiles.add(id, { id, cookie_domains: [], saved_at: null });
}

/** Saves the profile of a completed task, unless the request makes it read-only. */
export function saveProfile({ organisation, request, actions }: Task): void {
  const { profile_id, profile_read_only, url } = request;
  if (typeof profile_id !== 'string' || profile_read_only === true) return;
  const { records } = organisation;
  const profile = records.profiles.get(profile_id);
  if (!profile) return;
  saveCookies(profile, url, organisation.now);
  for (const { answered, input } of actions?.values() ?? [])
    if (answered) saveCookies(profile, input.url, organisation.now);
}

/** Saves the cookies of the host of `url` in the profile, at `at` ms. */
function saveCookies(profile: Profile, url: unknown, at: number): void {
  if (profile.saved_at === null || at > profile.saved_at) profile.saved_at = at;
  const host = readHost(url);
  if (host === undefined || profile.cookie_domains.includes(host)) return;
  if (profile.cookie_domains.length < MOST_DOMAINS) profile.cookie_domains.push(host);
}

function readHost(url: unknown): string | undefined {
  return typeof url === 'string' ? parseUrl(url)?.hostname || undefined : undefined;
}

/** A browser opened for manual use. Section "Deprecated browser endpoints". */
type BrowserSession = s.ValueOf<typeof browserSession>;
export const browserSession = s.fields({
  live_id: s.text,
  profile_id: s.text,
  /** Empty if no live view was requested. */
  live_url: s.text,
  url: s.orNull(s.text),
  device: s.text,
  opened_at: s.instant,
});

/** Ends the browsers that have been open for 5 minutes (section "Limits"). */
export function endOldSessions(organisation: Organisation): void {
  const { records } = organisation;
  for (const session of records.browserSessions.list()) {
    // Sessions are ordered by opening time.
    const end = session.opened_at + BROWSER_SESSION_LIFETIME_MS;
    if (organisation.now < end) return;
    endSession(organisation, session, end);
  }
}

export function endSession({ records }: Organisation, session: BrowserSession, at: number): void {
  records.browserSessions.delete(session.live_id);
  const profile = records.profiles.get(session.profile_id);
  if (profile) saveCookies(profile, session.url, at);
}

/** A proxy assigned to the organisation by fixtures; no operation of the API assigns one. Section "Profiles, proxies". */
export type AssignedProxy = s.ValueOf<typeof assignedProxy>;
export const assignedProxy = s.fields({
  id: s.text,
  country: s.text,
  host: s.text,
  port: s.count,
  username: s.text,
  password: s.text,
  auto_renew: s.bool,
  assigned_at: s.instant,
  /** Months paid since then. The maximum keeps the expiry within the range of dates. */
  months: s.integer(0, 100_000),
});

const DAY_MS = 86_400_000;

/** ms. */
export function computeExpiry(proxy: AssignedProxy): number {
  return addMonths(proxy.assigned_at, proxy.months);
}

/** The proxies after automatic renewal or release at their expiry. */
export function listCurrentProxies(organisation: Organisation): AssignedProxy[] {
  const { records } = organisation;
  for (const proxy of records.proxies.list()) {
    if (computeExpiry(proxy) > organisation.now) continue;
    if (!proxy.auto_renew) records.proxies.delete(proxy.id);
    else while (computeExpiry(proxy) <= organisation.now) proxy.months++;
  }
  return records.proxies.list();
}

/** The same day of a later month, or the last day of a shorter month. */
function addMonths(from: number, months: number): number {
  const date = new Date(from);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (from % DAY_MS);
}
