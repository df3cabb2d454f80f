import { type ApiResponse, summarize } from '../../http-client/response.js';
import { attempt, createRequest, readResourceNames } from '../../operations/requests.js';
import { resources } from '../../operations/resources.js';
import { readRule } from '../../operations/rules.js';
import { getSharedWorkspace } from '../../operations/shared-workspaces.js';
import { describeRequest } from '../../test-case/requests.js';
import type { TestContext } from '../../test-case/test-context.js';
import type { CreatedResource, Lifecycle } from './lifecycle.js';

/** The same request again, with other bytes in its files: a service may store files of equal content as one file. */
export async function expectOwnIdAgain(t: TestContext, row: Lifecycle, one: CreatedResource): Promise<void> {
  const { create, resource, what } = row;
  const { form: first, ...request } = one.request;
  const form = first && new FormData();
  for (const [name, part] of first ?? [])
    if (typeof part === 'string') form!.append(name, part);
    else form!.append(name, new Blob([t.unique()], { type: part.type }), part.name);
  const again = await attempt(t, create, { ...request, ...(form && { form }) }, { mayBeRefused: true });
  const id = again.ok && readResourceNames(resource, again, one.request)[resources[resource].id!];
  const message = `${describeRequest(create)} twice with the same name: expected a ${what} of its own each time, got ${summarize(one.created)} and ${summarize(again)}`;
  if (again.ok) t.expect(readRule(create).id, String(id) !== one.id, message, one.created, again);
}

/** A removal in another workspace must not remove it. */
export async function expectKeptElsewhere(
  t: TestContext,
  { list, remove, what }: Lifecycle,
  { id, names }: CreatedResource,
  isShown: (response: ApiResponse) => boolean,
): Promise<void> {
  if (names['workspace-id'] === undefined || list === undefined) return;
  const elsewhere = { ...names, 'workspace-id': (await getSharedWorkspace(t, 'second')).id };
  const removed = await t.send(remove, { ...createRequest(t, remove, elsewhere), mayBeRefused: true });
  const left = await t.send(list, createRequest(t, list, names));
  const message = `${describeRequest(remove)} of "${id}" with the id of another workspace: expected the ${what} to stay in its own, got ${summarize(left)}`;
  if (left.ok) t.expect(readRule(remove).id, isShown(left), message, removed, left);
}
