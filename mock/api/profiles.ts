import type { Schemas } from '../../spec/types.js';
import type { Organisation } from '../engine/organisation.js';
import {
  type AssignedProxy,
  addProfile,
  computeExpiry,
  endOldSessions,
  endSession,
  listCurrentProxies,
  type Profile,
} from '../engine/resources/profiles.js';
import { ApiError, createInputError, createNotFoundError } from '../exchange/errors.js';
import type { Handlers } from '../pipeline/context.js';
import { createEmptyBody } from '../pipeline/responses.js';
import { checkPremium, checkUrl } from './start-task.js';

const LONGEST_ID = 256;

/** Sections "Profiles, proxies" and "Deprecated browser endpoints": browsers for manual use, each with a profile. */
export const profileHandlers = {
  createProfile({ organisation, body }) {
    const { records } = organisation;
    checkPremium(organisation);
    const isLeftOut = body.id === '' && organisation.dialect['profile.empty-id'] === 'generated';
    const id = isLeftOut ? null : body.id;
    if (typeof id === 'string') checkId(id);
    const existing = typeof id === 'string' ? records.profiles.get(id) : undefined;
    if (existing && organisation.dialect['profile.duplicate'] !== '200') {
      const detail = `There is a profile "${id}" already: choose another id, or leave it out to get a new one.`;
      throw new ApiError(409, detail);
    }
    return { r: viewProfile(existing ?? addProfile(organisation, id)) };
  },

  listProfiles({ organisation }) {
    endOldSessions(organisation);
    return { r: organisation.records.profiles.list().map(viewProfile) };
  },

  deleteProfile: ({ organisation, path }) => removeProfile(organisation, path.profile_id),

  listBrowserProfiles({ organisation }) {
    return { r: { profile_ids: organisation.records.profiles.list().map(({ id }) => id) } };
  },

  deleteBrowserProfile: ({ organisation, path }) => removeProfile(organisation, path.profile_id),

  listProxies: ({ organisation }) => ({ r: listCurrentProxies(organisation).map(viewProxy) }),

  updateProxy({ organisation, path, query }) {
    const proxy = listCurrentProxies(organisation).find(({ id }) => id === path.proxy_id);
    if (!proxy) throw createNotFoundError('proxy', path.proxy_id);
    proxy.auto_renew = query.auto_renew;
    return { r: viewProxy(proxy) };
  },

  openBrowserSession({ organisation, body }) {
    const { records, account } = organisation;
    endOldSessions(organisation);
    checkUrl(organisation, body.url);
    checkPremium(organisation, 'Browser sessions');
    if (account.browser_sessions < 1) {
      const detail =
        'The browser sessions are used up: change to another paid plan (POST /plan) to get new ones.';
      throw new ApiError(429, detail);
    }
    const profile_id = ensureProfile(organisation, body.profile_id);
    const live_id = organisation.random.uuid();
    const live_url = body.live_view === false ? '' : `${organisation.setup.getOrigin()}/live/${live_id}`;
    records.browserSessions.set(live_id, {
      live_id,
      profile_id,
      live_url,
      url: body.url ?? null,
      device: body.device ?? 'desktop',
      opened_at: organisation.now,
    });
    account.browser_sessions--;
    return { r: { profile_id, live_id, live_url } };
  },

  closeBrowserSession({ organisation, path }) {
    endOldSessions(organisation);
    const session = organisation.records.browserSessions.get(path.session_id);
    if (!session) throw createNotFoundError('open browser session', path.session_id);
    endSession(organisation, session, organisation.now);
    return createEmptyBody(organisation);
  },
} satisfies Partial<Handlers>;

function checkId(id: string): void {
  if (id !== '' && id.length <= LONGEST_ID) return;
  const msg = `Expected 1 to ${LONGEST_ID} characters, got ${id.length}; null makes an id.`;
  throw createInputError(['body', 'id'], msg, id === '' ? 'string_too_short' : 'string_too_long');
}

function removeProfile(organisation: Organisation, id: string): unknown {
  if (!organisation.records.profiles.delete(id)) throw createNotFoundError('profile', id);
  return createEmptyBody(organisation);
}

/** Reported size of a profile in bytes, per host with cookies. */
const BYTES_PER_DOMAIN = 4096;

function viewProfile({ id, cookie_domains, saved_at }: Profile): Required<Schemas['ProfileResponse']> {
  return {
    id,
    cookie_domains: [...cookie_domains],
    cookie_count: cookie_domains.length,
    profile_size_bytes: cookie_domains.length * BYTES_PER_DOMAIN,
    last_saved_at: saved_at === null ? null : Math.floor(saved_at / 1000),
  };
}

function viewProxy(proxy: AssignedProxy): Schemas['ProxyResponse'] {
  const { id, country, host, port, username, password, auto_renew } = proxy;
  const expires_at = Math.floor(computeExpiry(proxy) / 1000);
  return { id, country, host, port, username, password, auto_renew, expires_at };
}

/** The profile to open. A missing one is created, because these endpoints have no other way to create one. */
function ensureProfile(organisation: Organisation, id: string | null | undefined): string {
  const isKnown = typeof id === 'string' && organisation.records.profiles.has(id);
  return isKnown ? id : addProfile(organisation, id || null).id;
}
