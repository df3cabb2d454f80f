import { field } from '../../../conversation/json.js';
import { idIn, memberWith, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { carryOut, describeRequest, mustFollow } from '../../test-case/requests.js';
import { changeAndPutBack } from '../../test-case/settings.js';
import type { TestCase } from '../../test-case/test-case.js';

const ID_FIELDS = ['id', 'proxy_id', 'proxyId', 'uuid', 'name'];

const renewal: TestCase = {
  id: 'resources/proxy-renewal',
  title: 'The renewal of a proxy is switched, remembered and switched back',
  covers: ['PROXY-02'],
  operations: ['listProxies', 'updateProxy'],
  allow: 'billing',
  async run(t) {
    const before = await carryOut(t, 'PROXY-01', 'listProxies');
    const proxy = (Array.isArray(before.r) ? before.r : []).find(
      (each) => typeof field(each, 'auto_renew') === 'boolean' && idIn(each, ID_FIELDS) !== undefined,
    );
    if (proxy === undefined)
      t.inconclusive(`no proxy with an id and auto_renew is assigned: GET /proxy gave ${summarize(before)}`);
    const proxy_id = idIn(proxy, ID_FIELDS)!;
    const old = field(proxy, 'auto_renew') as boolean;
    const sending = (auto_renew: boolean) => ({ path: { proxy_id }, query: { auto_renew } });
    await changeAndPutBack(t, {
      what: `the renewal of proxy ${proxy_id}`,
      requirement: 'PROXY-02',
      old,
      values: [!old],
      set: (value) => t.send('updateProxy', sending(value)),
      judge(changed, value) {
        const what = describeRequest('updateProxy', sending(value));
        mustFollow(t, 'PROXY-02', changed, what);
        const message = `${what}: expected the proxy with that, got ${summarize(changed)}`;
        const isIt = mentions(changed.r, proxy_id) && field(changed.r, 'auto_renew') === value;
        t.expect('PROXY-02', isIt, message, changed);
        return true;
      },
      read: () => t.send('listProxies'),
      shows: (response, value) => field(memberWith(payloadOf(response), proxy_id), 'auto_renew') === value,
    });
  },
};

export const proxyCases: readonly TestCase[] = [renewal];
