import type { Fixtures } from '../../../mock/fixtures/fixtures.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { field } from '../../conversation/json.js';
import type { HttpClient } from '../http-client/http-client.js';
import type { ApiRequest } from '../http-client/response.js';
import { organisationNameIn, planIn, type TopUpSettings, topUpSettingsIn } from '../test-case/account.js';
import { idIn, payloadOf, rowsOf } from '../test-case/read-record.js';
import type { Allowance } from '../test-case/test-case.js';

/** A request that sets something of the account to what it was. */
interface PutBack {
  operation: OperationId;
  request: ApiRequest;
}

/** What belongs to the account and is changed by sequences, as it is now: the requests that put it back. */
export async function readSettings(client: HttpClient, allow: readonly Allowance[]): Promise<PutBack[]> {
  const putBacks: PutBack[] = [];
  const add = (operation: OperationId, query: NonNullable<ApiRequest['query']>, path?: ApiRequest['path']) =>
    putBacks.push({ operation, request: { query, ...(path && { path }) } });
  if (allow.includes('organisation')) {
    const name = organisationNameIn(await client.send('getOrganisation'));
    if (name !== undefined) add('updateOrganisation', { name });
    for (const row of rowsOf(payloadOf(await client.send('listProxies'))) ?? []) {
      const proxy_id = idIn(row, ['id', 'proxy_id', 'proxyId', 'uuid']);
      const auto_renew = field(row, 'auto_renew');
      if (proxy_id !== undefined && typeof auto_renew === 'boolean')
        add('updateProxy', { auto_renew }, { proxy_id });
    }
  }
  if (allow.includes('billing')) {
    const plan = planIn(await client.send('getUsage'));
    if (plan !== undefined) add('setPlan', { plan });
    const settings: TopUpSettings | undefined = topUpSettingsIn(await client.send('getAutoTopUp'));
    if (settings) add('setAutoTopUp', { ...settings });
  }
  return putBacks;
}

/** What the service has and no operation makes: its proxies. */
export async function fixturesOf(client: HttpClient): Promise<Fixtures> {
  const listed = await client.send('listProxies').catch(() => undefined);
  const rows = listed?.ok ? (rowsOf(payloadOf(listed)) ?? []) : [];
  return { proxies: rows.map((row) => ({ country: 'DE', auto_renew: field(row, 'auto_renew') !== false })) };
}
