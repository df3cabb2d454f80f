import type { Answer } from '../../http-client/response.js';
import { said } from '../../scenarios/player-read.js';
import type { Probe, Probing } from '../test-case.js';
import { integerIn, memberWith, mentions, payloadOf } from './reading.js';
import { eventually, mustFollow, mustSucceed, removeLater, shouldSucceed, withBodies } from './requests.js';
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

export function listSops(t: Probing, workspace: string, key: 'main' | 'other' = 'main'): Promise<Answer> {
  return t.send('listSops', { ...inWorkspace(workspace), key });
}

/** POST /sop without t. Undefined parts end the probe. */
export async function makeSop(
  t: Probing,
  workspace: string,
): Promise<Sop & { saved: Answer; listed: Answer }> {
  const word = t.unique();
  const saved = await withBodies(t, 'saveSop', inWorkspace(workspace), sopsSaying(word));
  if (saved.status === 422) {
    const told = await withBodies(
      t,
      'saveSop',
      { ...inWorkspace(workspace), query: { t: 0 } },
      sopsSaying(word),
    );
    const message = `POST /sop without t: expected it to be taken as with t=0, got ${said(saved)}`;
    if (told.ok) t.broke('SOP-02', message, told, saved);
  }
  shouldSucceed(t, 'SOP-02', saved, 'POST /sop');
  const shows = (answer: Answer) => mentions(payloadOf(answer), word);
  const listed = await eventually(t, () => listSops(t, workspace), shows);
  mustSucceed(t, 'SOP-01', listed, 'GET /sop');
  if (!shows(saved) && !shows(listed)) {
    const isEmpty = memberWith(payloadOf(listed), word) === undefined && listed.text.length < 20;
    if (isEmpty)
      t.broke('SOP-02', `GET /sop after one was made: expected it there, got ${said(listed)}`, saved, listed);
    t.inconclusive(`the SOP that was just made is not to be found by its texts: ${said(listed)}`);
  }
  const record =
    memberWith(payloadOf(listed), word) ?? memberWith(payloadOf(saved), word) ?? payloadOf(saved);
  const time = integerIn(record, TIMES);
  if (time === undefined)
    t.inconclusive(`nothing names the SOP: no integer in ${TIMES.join(', ')} of ${JSON.stringify(record)}`);
  const gone = removeLater(t, `SOP ${word}`, 'deleteSop', { ...inWorkspace(workspace), query: { t: time } });
  return { word, t: time, isNamed: integerIn(record, ['t']) === time, gone, saved, listed };
}

const sop: Probe = {
  id: 'resources/sop',
  title: 'A SOP is made, listed, changed in its place, deleted and gone, and another one stays',
  covers: ['SOP-01', 'SOP-02', 'SOP-03'],
  operations: ['createWorkspace', 'listSops', 'saveSop', 'deleteSop'],
  async run(t: Probing) {
    const workspace = (await workspaceOf(t)).id;
    const before = await listSops(t, workspace);
    mustSucceed(t, 'SOP-01', before, 'GET /sop');
    const one = await makeSop(t, workspace);
    const other = await makeSop(t, workspace);
    const has = (answer: Answer, word: string) => mentions(payloadOf(answer), word);
    t.expect(
      'SOP-01',
      has(other.listed, one.word) && has(other.listed, other.word) && !has(before, one.word),
      `GET /sop: expected the two SOPs that were just made, got ${said(other.listed)}`,
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
      const message = `GET /sop of another workspace: expected none of the SOPs of this one, got ${said(elsewhere)}`;
      t.broke('SOP-01', message, other.listed, elsewhere);
    }
    const word = t.unique();
    const changed = await withBodies(
      t,
      'saveSop',
      { ...inWorkspace(workspace), query: { t: one.t } },
      sopsSaying(word),
    );
    if (!one.isNamed && !changed.ok)
      t.inconclusive(`no t names the SOP: tried ${one.t}, got ${said(changed)}`);
    shouldSucceed(t, 'SOP-02', changed, `POST /sop?t=${one.t}`);
    const isIn = (answer: Answer) => has(answer, word) && !has(answer, one.word) && has(answer, other.word);
    const after = await eventually(t, () => listSops(t, workspace), isIn);
    if (isIn(after) || one.isNamed)
      t.expect(
        'SOP-02',
        isIn(after),
        `GET /sop after the SOP t=${one.t} was changed: expected "${word}" in place of "${one.word}", got ${said(after)}`,
        one.listed,
        changed,
        after,
      );
    const deleted = await t.send('deleteSop', { ...inWorkspace(workspace), query: { t: one.t } });
    if (!one.isNamed && !deleted.ok)
      t.inconclusive(`no t names the SOP: tried ${one.t}, got ${said(deleted)}`);
    mustFollow(t, 'SOP-03', deleted, `DELETE /sop?t=${one.t}`);
    const isGone = (answer: Answer) => !has(answer, word) && !has(answer, one.word);
    const rest = await eventually(t, () => listSops(t, workspace), isGone);
    if (isGone(rest)) one.gone();
    t.expect(
      'SOP-03',
      rest.ok && isGone(rest) && has(rest, other.word),
      `GET /sop after the SOP t=${one.t} was deleted: expected it to be gone and "${other.word}" to be there, got ${said(rest)}`,
      deleted,
      rest,
    );
  },
};

export const sopProbes: readonly Probe[] = [sop];
