import { NAME_END } from '../../../common/interesting-values.js';
import { readField } from '../../../conversation/json.js';
import { summarize } from '../../http-client/response.js';
import {
  type CreatedWorkspace,
  readWorkspaceId,
  selectWorkspace,
  WORKSPACE_IDS,
} from '../../operations/shared-workspaces.js';
import { containsText, createUnknownId, readId, readPayload } from '../../test-case/read-record.js';
import { describeRequest, requireFollowUp, sendAndCheck } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

export const workspaceCase: TestCase = {
  id: 'resources/workspace',
  title: 'A workspace is created with its name, shared only on request, and read by its header alone',
  covers: ['WORKSPACE-01', 'WORKSPACE-02', 'CHAT-12'],
  operations: ['createWorkspace', 'getWorkspace'],
  async run(t) {
    const one = await createNamedWorkspace(t);
    const other = await createNamedWorkspace(t, true, NAME_END);
    // The default is no value of an earlier request.
    await createNamedWorkspace(t);
    const message = `POST /workspace/{name}: expected workspaces with ids of their own, got "${one.id}" twice`;
    if (other.id === one.id) t.fail('WORKSPACE-02', message, one.created, other.created);
    await expectReadable(t, one, other);
    if (other.id !== one.id) await expectReadable(t, other, one);
    const never = await t.send('getWorkspace', selectWorkspace(createUnknownId(one.id)));
    if (never.ok && containsText(readPayload(never), one.name))
      t.fail('WORKSPACE-01', `GET /workspace with an unknown id gives the workspace "${one.name}"`, never);
    const headless = await t.send('getWorkspace');
    // Whether a header counts as an invalid parameter is open (`errors.invalid-parameters`).
    const isRefused = headless.status === 422 || headless.status === 400;
    const refusal = `GET /workspace without the header workspace-id, which succeeds with it: expected 422, got ${summarize(headless)}`;
    t.expect('CHAT-12', isRefused, refusal, headless);
  },
};

/** The bounds of names are not stated: after a refusal, the name is without this end. */
async function createNamedWorkspace(t: TestContext, shared?: true, end = ''): Promise<CreatedWorkspace> {
  const name = t.unique() + end;
  const sending = { path: { name }, query: shared ? { shared } : {} };
  const mayBeRefused = end !== '';
  const created = mayBeRefused
    ? await t.send('createWorkspace', { ...sending, mayBeRefused })
    : await sendAndCheck(t, 'WORKSPACE-02', 'createWorkspace', sending);
  if (!created.ok && created.status !== 500) return createNamedWorkspace(t, shared);
  const what = describeRequest('createWorkspace', sending);
  if (!created.ok) requireFollowUp(t, 'WORKSPACE-02', created, what);
  const got = `got ${summarize(created)}`;
  const isNamed = containsText(readPayload(created), name);
  // A record that shows a name has to show this one.
  if (isNamed || readField(readPayload(created), 'name') !== undefined)
    t.expect('WORKSPACE-02', isNamed, `${what}: expected a workspace of that name, ${got}`, created);
  const flag = readField(readPayload(created), 'shared') ?? shared ?? false;
  const message = `${what}: expected shared to be ${shared ?? false}, ${got}`;
  if (flag !== (shared ?? false)) t.fail('WORKSPACE-02', message, created);
  return { id: readWorkspaceId(t, created, name), name, created };
}

async function expectReadable(
  t: TestContext,
  { id, name }: CreatedWorkspace,
  other: CreatedWorkspace,
): Promise<void> {
  const read = await sendAndCheck(t, 'WORKSPACE-01', 'getWorkspace', selectWorkspace(id), requireFollowUp);
  const payload = readPayload(read);
  const own = readId(payload, WORKSPACE_IDS);
  const isOne = own === id || (own === undefined && containsText(payload, name));
  if (own === undefined && !containsText(payload, name) && !containsText(payload, other.name)) return;
  const message = `GET /workspace with workspace-id ${id}: expected the workspace "${name}", got ${summarize(read)}`;
  t.expect('WORKSPACE-01', isOne && !containsText(payload, other.name), message, read);
}
