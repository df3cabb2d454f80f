import { newProfile } from '../engine/profiles.js';
import type { Ago, Furnishing } from './furnishing.js';

/** What belongs to the organisation as a whole. */
export interface GivenThings {
  profiles?: { id?: string; cookie_domains?: string[]; saved_ago?: Ago }[];
  proxies?: GivenProxy[];
  /** Sizes in bytes. */
  files?: { id?: string; name: string; type?: string; size?: number; purpose?: string; ago?: Ago }[];
  extensions?: { id?: string; file_name: string; size?: number; ago?: Ago }[];
  /** Addresses of people who have been invited. */
  invites?: string[];
}

interface GivenProxy {
  id?: string;
  /** Two capital letters. */
  country: string;
  host?: string;
  port?: number;
  username?: string;
  password?: string;
  auto_renew?: boolean;
  ago?: Ago;
}

export function furnishThings(furnishing: Furnishing, given: GivenThings): void {
  const { records, organisation } = furnishing;
  for (const { id, cookie_domains = [], saved_ago } of given.profiles ?? []) {
    const profile = newProfile(furnishing.id(id));
    profile.cookie_domains = [...cookie_domains];
    if (saved_ago !== undefined) profile.saved_at = furnishing.at(saved_ago);
    records.profiles.set(profile.id, profile);
  }
  addProxies(furnishing, given.proxies ?? []);
  for (const {
    id: own,
    name,
    type = 'application/octet-stream',
    size = 0,
    purpose = null,
    ago,
  } of given.files ?? []) {
    const id = furnishing.id(own);
    records.files.set(id, { id, name, type, size, purpose, uploaded_at: furnishing.at(ago) });
  }
  for (const { id: own, file_name, size = 0, ago } of given.extensions ?? []) {
    const id = furnishing.id(own);
    records.extensions.set(id, { id, file_name, size, created_at: furnishing.at(ago) });
  }
  for (const email of given.invites ?? []) {
    const link = `${organisation.world.setup.origin()}/invite/${furnishing.id()}`;
    records.invites.set(email, { email, count: 1, link });
  }
}

function addProxies(furnishing: Furnishing, given: readonly GivenProxy[]): void {
  const { records } = furnishing;
  for (const proxy of given) {
    const { country, auto_renew = true } = proxy;
    const id = furnishing.id(proxy.id);
    records.proxies.set(id, {
      id,
      country,
      host: proxy.host ?? `${country.toLowerCase()}.proxy.taskdouble.invalid`,
      port: proxy.port ?? furnishing.between(10_000, 60_000),
      username: proxy.username ?? `user-${id.slice(0, 8)}`,
      password: proxy.password ?? furnishing.id().slice(0, 12),
      auto_renew,
      assigned_at: furnishing.at(proxy.ago),
      months: 1,
    });
  }
}
