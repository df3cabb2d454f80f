import { Admin } from '../../../mock/admin/admin.js';
import { ADMIN_ROUTES } from '../../../mock/admin/admin-routes.js';
import type { WireRequest } from '../../../mock/exchange/wire.js';
import { createWireRequest, type TestMock } from '../mock/mock.js';

interface AdminResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
}

/** Sends requests to the admin API of a mock; bodies that are JSON are parsed. */
export function createAdminCaller({ control, service }: TestMock) {
  const admin = new Admin(control, undefined, ADMIN_ROUTES, service.organisations);
  return async (
    method: string,
    path: string,
    body?: unknown,
    more: Partial<WireRequest> = {},
  ): Promise<AdminResponse> => {
    const response = await admin.handle({ ...createWireRequest(method, `/__admin${path}`, body), ...more });
    const isJson = response.headers['content-type'] === 'application/json';
    return { status: response.status, body: isJson ? JSON.parse(String(response.body)) : response.body };
  };
}
