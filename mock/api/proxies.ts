import type { Schemas } from '../../spec/types.js';
import { type AssignedProxy, currentProxies, expiryOf } from '../engine/resources/proxies.js';
import { notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';

/** Section "Profiles, proxies". */
export const proxyHandlers: Pick<Handlers, 'listProxies' | 'updateProxy'> = {
  listProxies({ organisation }) {
    return { r: currentProxies(organisation).map(viewProxy) };
  },

  updateProxy({ organisation, path, query }) {
    const proxy = currentProxies(organisation).find(({ id }) => id === path.proxy_id);
    if (!proxy) throw notFound('proxy', path.proxy_id);
    proxy.auto_renew = query.auto_renew;
    return { r: viewProxy(proxy) };
  },
};

function viewProxy(proxy: AssignedProxy): Schemas['ProxyResponse'] {
  const { id, country, host, port, username, password, auto_renew } = proxy;
  const expires_at = Math.floor(expiryOf(proxy) / 1000);
  return { id, country, host, port, username, password, auto_renew, expires_at };
}
