import type { Fixtures } from '../../../mock/fixtures/fixtures.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { readField } from '../../conversation/json.js';
import type { HttpClient } from '../http-client/http-client.js';
import type { ApiRequest } from '../http-client/response.js';
import {
  readCredits,
  readOrganisationName,
  readPlan,
  readTopUpSettings,
  type TopUpSettings,
} from '../test-case/account.js';
import { readId, readPayload, readRows } from '../test-case/read-record.js';
import type { Allowance, KeyName } from '../test-case/test-case.js';

/** A request that restores a setting of the account. */
interface RestoreRequest {
  operation: OperationId;
  request: ApiRequest;
}

/** Reads the account settings that sequences may change, and returns the requests that restore them. */
export async function readRestoreRequests(
  client: HttpClient,
  allow: readonly Allowance[],
): Promise<RestoreRequest[]> {
  const restoreRequests: RestoreRequest[] = [];
  const add = (operation: OperationId, query: NonNullable<ApiRequest['query']>, path?: ApiRequest['path']) =>
    restoreRequests.push({ operation, request: { query, ...(path && { path }) } });
  if (allow.includes('organisation')) {
    const name = readOrganisationName(await client.send('getOrganisation'));
    if (name !== undefined) add('updateOrganisation', { name });
    for (const row of readRows(readPayload(await client.send('listProxies'))) ?? []) {
      const proxy_id = readId(row, ['id', 'proxy_id', 'proxyId', 'uuid']);
      const auto_renew = readField(row, 'auto_renew');
      if (proxy_id !== undefined && typeof auto_renew === 'boolean')
        add('updateProxy', { auto_renew }, { proxy_id });
    }
  }
  if (allow.includes('billing')) {
    const plan = readPlan(await client.send('getUsage'));
    if (plan !== undefined) add('setPlan', { plan });
    const settings: TopUpSettings | undefined = readTopUpSettings(await client.send('getAutoTopUp'));
    if (settings) add('setAutoTopUp', { ...settings });
  }
  return restoreRequests;
}

/** Leaves out the key of an organisation that has got credits: the model of it has none. */
export async function filterKeys(client: HttpClient, keys: readonly KeyName[]): Promise<readonly KeyName[]> {
  if (!keys.includes('exhausted')) return keys;
  const usage = await client.send('getUsage', { key: 'exhausted' }).catch(() => undefined);
  const hasCredits = usage !== undefined && (readCredits(usage) ?? 0) > 0;
  return hasCredits ? keys.filter((key) => key !== 'exhausted') : keys;
}

/** Proxies: no operation creates them, so the model gets the same ones as fixtures. */
export async function readFixtures(client: HttpClient): Promise<Fixtures> {
  const listed = await client.send('listProxies').catch(() => undefined);
  const rows = listed?.ok ? (readRows(readPayload(listed)) ?? []) : [];
  return {
    proxies: rows.map((row) => ({ country: 'DE', auto_renew: readField(row, 'auto_renew') !== false })),
  };
}
