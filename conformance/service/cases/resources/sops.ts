import type { ApiResponse } from '../../http-client/response.js';
import { integerIn, memberWith, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import {
  eventually,
  mustFollow,
  mustSucceed,
  removeLater,
  shouldSucceed,
  withBodies,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { inWorkspace, workspaceOf } from './workspaces.js';

/** `t` names a SOP; which field holds it is open (`sop.t`), but one that is called so is taken at its word. */
const TIMES = ['t', 'timestamp', 'created_at', 'createdAt', 'created', 'time', 'id'];

export interface Sop {
  word: string;
  t: number;
  /** The record calls it `t`. */
  isNamed: boolean;
  gone: () => void;
}

/** Bodies of a SOP: SOPRequest is not shown. The first says the same under every name that it may have. */
export function sopsSaying(text: string): unknown[] {
  const [title, content] = [text, `First open the page. Then read it (${text}).`];
  return [
    {
      title,
      name: title,
      content,
      text: content,
      body: content,
      description: content,
      instructions: content,
    },
    { title, content },
    { name: title, content },
    { name: title, description: content },
    { title, text: content },
    { title, body: content },
    { name: title, text: content },
    { name: title, instructions: content },
  ];
}

export function listSops(
  t: TestContext,
  workspace: string,
  key: 'main' | 'other' = 'main',
): Promise<ApiResponse> {
  return t.send('listSops', { ...inWorkspace(workspace), key });
}

/** POST /sop without t. Undefined parts end the case. */
export async function makeSop(
  t: TestContext,
  workspace: string,
): Promise<Sop & { saved: ApiResponse; listed: ApiResponse }> {
  const word = t.unique();
  const saved = await withBodies(t, 'saveSop', inWorkspace(workspace), sopsSaying(word));
  if (saved.status === 422) {
    const told = await withBodies(
      t,
      'saveSop',
      { ...inWorkspace(workspace), query: { t: 0 } },
      sopsSaying(word),
    );
    const message = `POST /sop without t: expected it to be taken as with t=0, got ${summarize(saved)}`;
    if (told.ok) t.fail('SOP-02', message, told, saved);
  }
  shouldSucceed(t, 'SOP-02', saved, 'POST /sop');
  const shows = (response: ApiResponse) => mentions(payloadOf(response), word);
  const listed = await eventually(t, () => listSops(t, workspace), shows);
  mustSucceed(t, 'SOP-01', listed, 'GET /sop');
  if (!shows(saved) && !shows(listed)) {
    const isEmpty = memberWith(payloadOf(listed), word) === undefined && listed.text.length < 20;
    if (isEmpty)
      t.fail(
        'SOP-02',
        `GET /sop after one was made: expected it there, got ${summarize(listed)}`,
        saved,
        listed,
      );
    t.inconclusive(`the SOP that was just made is not to be found by its texts: ${summarize(listed)}`);
  }
  const record =
    memberWith(payloadOf(listed), word) ?? memberWith(payloadOf(saved), word) ?? payloadOf(saved);
  const time = integerIn(record, TIMES);
  if (time === undefined)
    t.inconclusive(`nothing names the SOP: no integer in ${TIMES.join(', ')} of ${JSON.stringify(record)}`);
  const gone = removeLater(t, `SOP ${word}`, 'deleteSop', { ...inWorkspace(workspace), query: { t: time } });
  return { word, t: time, isNamed: integerIn(record, ['t']) === time, gone, saved, listed };
}

const sop: TestCase = {
  id: 'resources/sop',
  title: 'A SOP is made, listed, changed in its place, deleted and gone, and another one stays',
  covers: ['SOP-01', 'SOP-02', 'SOP-03'],
  operations: ['createWorkspace', 'listSops', 'saveSop', 'deleteSop'],
  async run(t: TestContext) {
    const workspace = (await workspaceOf(t)).id;
    const before = await listSops(t, workspace);
    mustSucceed(t, 'SOP-01', before, 'GET /sop');
    const one = await makeSop(t, workspace);
    const other = await makeSop(t, workspace);
    const has = (response: ApiResponse, word: string) => mentions(payloadOf(response), word);
    t.expect(
      'SOP-01',
      has(other.listed, one.word) && has(other.listed, other.word) && !has(before, one.word),
      `GET /sop: expected the two SOPs that were just made, got ${summarize(other.listed)}`,
      before,
      other.listed,
    );
    t.expect(
      'SOP-02',
      one.t !== other.t,
      `POST /sop without t twice: expected two SOPs, got t=${one.t} both times`,
      one.saved,
      other.saved,
    );
    const elsewhere = await listSops(t, (await workspaceOf(t, 'second')).id);
    if (elsewhere.ok && has(elsewhere, one.word)) {
      const message = `GET /sop of another workspace: expected none of the SOPs of this one, got ${summarize(elsewhere)}`;
      t.fail('SOP-01', message, other.listed, elsewhere);
    }
    const word = t.unique();
    const changed = await withBodies(
      t,
      'saveSop',
      { ...inWorkspace(workspace), query: { t: one.t } },
      sopsSaying(word),
    );
    if (!one.isNamed && !changed.ok)
      t.inconclusive(`no t names the SOP: tried ${one.t}, got ${summarize(changed)}`);
    shouldSucceed(t, 'SOP-02', changed, `POST /sop?t=${one.t}`);
    const isIn = (response: ApiResponse) =>
      has(response, word) && !has(response, one.word) && has(response, other.word);
    const after = await eventually(t, () => listSops(t, workspace), isIn);
    if (isIn(after) || one.isNamed)
      t.expect(
        'SOP-02',
        isIn(after),
        `GET /sop after the SOP t=${one.t} was changed: expected "${word}" in place of "${one.word}", got ${summarize(after)}`,
        one.listed,
        changed,
        after,
      );
    const deleted = await t.send('deleteSop', { ...inWorkspace(workspace), query: { t: one.t } });
    if (!one.isNamed && !deleted.ok)
      t.inconclusive(`no t names the SOP: tried ${one.t}, got ${summarize(deleted)}`);
    mustFollow(t, 'SOP-03', deleted, `DELETE /sop?t=${one.t}`);
    const isGone = (response: ApiResponse) => !has(response, word) && !has(response, one.word);
    const rest = await eventually(t, () => listSops(t, workspace), isGone);
    if (isGone(rest)) one.gone();
    t.expect(
      'SOP-03',
      rest.ok && isGone(rest) && has(rest, other.word),
      `GET /sop after the SOP t=${one.t} was deleted: expected it to be gone and "${other.word}" to be there, got ${summarize(rest)}`,
      deleted,
      rest,
    );
  },
};

export const sopCases: readonly TestCase[] = [sop];
