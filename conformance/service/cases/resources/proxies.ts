import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { idIn, memberWith, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { mustFollow, mustSucceed, putBackLater, readUntil } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

const ID_FIELDS = ['id', 'proxy_id', 'proxyId', 'uuid', 'name'];

const list: TestCase = {
  id: 'resources/proxies',
  title: 'The proxies of the organisation are listed',
  covers: ['PROXY-01'],
  operations: ['listProxies'],
  async run(t: TestContext) {
    const listed = await t.send('listProxies');
    mustSucceed(t, 'PROXY-01', listed, 'GET /proxy');
    if (!Array.isArray(listed.r)) {
      t.fail('PROXY-01', `GET /proxy: expected an array in r, got ${summarize(listed)}`, listed);
      return;
    }
    if (listed.r.length === 0) t.inconclusive('no proxy is assigned to the organisation');
    const again = await t.send('listProxies');
    const ids = ({ r }: ApiResponse) =>
      Array.isArray(r) ? r.map((proxy) => idIn(proxy, ID_FIELDS)).sort() : [];
    t.expect(
      'PROXY-01',
      again.ok && String(ids(again)) === String(ids(listed)),
      `GET /proxy asked twice: expected the same proxies, got ${summarize(listed)} and ${summarize(again)}`,
      listed,
      again,
    );
  },
};

const renewal: TestCase = {
  id: 'resources/proxy-renewal',
  title: 'The renewal of a proxy is switched, remembered and switched back',
  covers: ['PROXY-02'],
  operations: ['listProxies', 'updateProxy'],
  allow: 'billing',
  async run(t: TestContext) {
    const before = await t.send('listProxies');
    mustSucceed(t, 'PROXY-01', before, 'GET /proxy');
    const proxy = (Array.isArray(before.r) ? before.r : []).find(
      (each) => typeof field(each, 'auto_renew') === 'boolean' && idIn(each, ID_FIELDS) !== undefined,
    );
    if (proxy === undefined)
      t.inconclusive(`no proxy with an id and auto_renew is assigned: GET /proxy gave ${summarize(before)}`);
    const proxy_id = idIn(proxy, ID_FIELDS)!;
    const was = field(proxy, 'auto_renew') as boolean;
    const set = (auto_renew: boolean) => t.send('updateProxy', { path: { proxy_id }, query: { auto_renew } });
    const setting = putBackLater(t, `renewal of proxy ${proxy_id}`, () => set(was));
    for (const value of [!was, was]) {
      const changed = await set(value);
      if (changed.ok) setting.isBack = value === was;
      mustFollow(t, 'PROXY-02', changed, `PATCH of the proxy "${proxy_id}" with auto_renew=${value}`);
      t.expect(
        'PROXY-02',
        mentions(changed.r, proxy_id) && field(changed.r, 'auto_renew') === value,
        `PATCH of the proxy "${proxy_id}" with auto_renew=${value}: expected the proxy with that, got ${summarize(changed)}`,
        changed,
      );
      const shows = (response: ApiResponse) =>
        field(memberWith(payloadOf(response), proxy_id), 'auto_renew') === value;
      const listed = await readUntil(t, () => t.send('listProxies'), shows);
      t.expect(
        'PROXY-02',
        shows(listed),
        `GET /proxy after auto_renew of "${proxy_id}" was set to ${value}: expected to find it so, got ${summarize(listed)}`,
        changed,
        listed,
      );
    }
  },
};

export const proxyCases: readonly TestCase[] = [list, renewal];
