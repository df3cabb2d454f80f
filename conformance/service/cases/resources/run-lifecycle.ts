import { operations } from '../../../../spec/generated/operations.js';
import { ruleOf } from '../../from-openapi/derived-case.js';
import { findMismatchIn, hasStatedType, statedResult } from '../../from-openapi/stated.js';
import type { ApiResponse } from '../../http-client/response.js';
import { idParameterOf, operationsUsed } from '../../request-builders/requests.js';
import { leavesOf, payloadOf, unlike } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import {
  describeRequest,
  expectBoolean,
  expectServed,
  isGone,
  mustFollow,
  mustSucceed,
  readUntil,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import {
  type CallerKey,
  isAbout,
  type Lifecycle,
  type Made,
  make,
  placeOf,
  requestToRemove,
} from './lifecycle.js';

/** One life of a resource, next to another one that stays as it is. */
export function lifecycleCase(row: Lifecycle): TestCase {
  const { create, list, remove, cleanup, about } = row;
  const judged = [create, ...(list ? [list] : []), remove];
  const operations = [
    ...new Set([...operationsUsed(create), ...judged, ...cleanup, ...(about.operations ?? [])]),
  ];
  const covers = [...new Set([...judged.map((each) => ruleOf(each).id), ...(about.covers ?? [])])];
  return { ...about, covers, operations, run: (t) => runLifecycle(t, row) };
}

async function runLifecycle(t: TestContext, row: Lifecycle): Promise<void> {
  const { what, create, list } = row;
  const place = await placeOf(t, row);
  const ask = () => t.send(list!, place);
  const before = list && (await ask());
  if (before) {
    if (operations[list].deprecated) expectServed(t, before, describeRequest(list));
    mustSucceed(t, ruleOf(list).id, before, describeRequest(list));
  }
  const [one, other] = [await make(t, row), await make(t, row)];
  const areRecords = [one, other].every(({ created, id }) =>
    row.ids.length > 0
      ? findMismatchIn(create, created) === undefined
      : leavesOf(payloadOf(created)).some(({ value }) => value === id),
  );
  const twice = `${describeRequest(create)} twice: expected a ${what} of its own each time, got ${summarize(one.created)} and ${summarize(other.created)}`;
  t.expect(ruleOf(create).id, areRecords && one.id !== other.id, twice, one.created, other.created);
  if (list && before) {
    const both = (response: ApiResponse) => isAbout(row, response, one) && isAbout(row, response, other);
    const listed = await readUntil(t, ask, both);
    const isListed = listed.ok && hasStatedType(list, listed) && both(listed) && !isAbout(row, before, one);
    const message = `${describeRequest(list)}: expected the two that were just created, "${one.id}" and "${other.id}", got ${summarize(listed)}`;
    t.expect(ruleOf(list).id, isListed, message, before, listed);
    if (row.isInWorkspace) await isUnlistedElsewhere(t, row, one, listed);
    await row.change?.(t, one, other, listed);
    if (!isAbout(row, listed, one))
      t.inconclusive(`the ${what} "${one.id}" is not listed, so nothing shows that it is removed`);
    if (operations[list].deprecated) t.expect('VERSION-04', true, '', listed, one.created);
  }
  await isRemoved(t, row, one, other);
}

async function isUnlistedElsewhere(t: TestContext, row: Lifecycle, one: Made, listed: ApiResponse) {
  const operation = row.list!;
  const elsewhere = await t.send(operation, await placeOf(t, row, 'second'));
  if (!elsewhere.ok || !isAbout(row, elsewhere, one)) return;
  const message = `${describeRequest(operation)} of another workspace: expected no ${row.what} of this one, got ${summarize(elsewhere)}`;
  t.fail(ruleOf(operation).id, message, listed, elsewhere);
}

async function isRemoved(t: TestContext, row: Lifecycle, one: Made, other: Made): Promise<void> {
  const { what, list, remove: operation, isCertain } = row;
  const requirement = ruleOf(operation).id;
  const isInteger = idParameterOf(operation).type === 'integer';
  const name = `${describeRequest(operation)} of "${one.id}"`;
  const place = await placeOf(t, row);
  const remove = (id: string) => t.send(operation, { ...place, ...requestToRemove(operation, id) });
  // One that looks like an integer may exist.
  const never = isInteger ? undefined : await remove(unlike(one.id));
  const deleted = await remove(one.id);
  if (operations[operation].deprecated) expectServed(t, deleted, name);
  if (!deleted.ok && isCertain?.(one) === false)
    t.inconclusive(`nothing names the ${what} for certain: ${name} was answered with ${summarize(deleted)}`);
  mustFollow(t, requirement, deleted, name);
  if (statedResult(operations[operation]).type === 'boolean') expectBoolean(t, requirement, deleted, name);
  if (list) {
    const isThere = (response: ApiResponse) => isAbout(row, response, one);
    const ask = () => t.send(list, place);
    const after = await readUntil(t, ask, (response) => !isThere(response));
    if (after.ok && !isThere(after)) one.gone();
    const message = `${describeRequest(list)} after "${one.id}" was removed: expected it to be gone and "${other.id}" to be there, got ${summarize(after)}`;
    const isKept = after.ok && !isThere(after) && isAbout(row, after, other);
    t.expect(requirement, isKept, message, deleted, after);
    if (row.isRemovalListed) t.expect(ruleOf(list).id, isKept, message, deleted, after);
  }
  await row.afterRemoval?.(t, one, deleted);
  if (!never) return;
  const again = await remove(one.id);
  const isAway = isGone(never, deleted, again);
  if (isAway) one.gone();
  const still = `${name}: expected a second removal to be answered like that of something that never was (${summarize(never)}), got ${summarize(again)}`;
  if (isAway === false) t.fail(requirement, still, never, deleted, again);
  if (list) return;
  const last = await remove(other.id);
  if (last.ok) other.gone();
  const kept = `${describeRequest(operation)} of "${other.id}", which was still there: expected it to be removed, got ${summarize(last)}`;
  t.expect(requirement, last.ok, kept, deleted, last);
}

/** What an organisation created is neither listed for another one nor removed by it. */
export async function expectIsolated(
  t: TestContext,
  row: Lifecycle,
  [owner, stranger]: readonly [CallerKey, CallerKey],
) {
  const { what, list, remove } = row;
  const made = await make(t, row, owner);
  const place = await placeOf(t, row);
  const ask = (key: CallerKey) => t.send(list!, { ...place, key });
  const holds = (response: ApiResponse) => isAbout(row, response, made);
  if (list) await expectUnlisted(t, describeRequest(list), ask, holds, [owner, stranger]);
  const request = { ...place, ...requestToRemove(remove, made.id) };
  // It may be answered as a success that removes nothing; what counts is that it is still there.
  const theirs = await t.send(remove, { ...request, key: stranger });
  const left = list && (await ask(owner));
  const mine = await t.send(remove, { ...request, key: owner });
  if (mine.ok) made.gone();
  const message = `the ${what} "${made.id}" after another organisation tried to remove it: expected its owner to find it, got ${summarize(mine)}`;
  const isKept = mine.ok && (left === undefined || holds(left));
  t.expect('SERVICE-04', isKept, message, made.created, theirs, mine);
}

/** What is listed with the owner's key must not be listed with another one. */
export async function expectUnlisted(
  t: TestContext,
  what: string,
  list: (key: CallerKey) => Promise<ApiResponse>,
  holds: (response: ApiResponse) => boolean,
  [owner, stranger]: readonly [CallerKey, CallerKey],
): Promise<void> {
  const mine = await readUntil(t, () => list(owner), holds);
  if (!mine.ok || !holds(mine)) return;
  const theirs = await list(stranger);
  const message = `${what} with the key of another organisation: expected nothing of what only the owner has, got ${summarize(theirs)}`;
  t.expect('SERVICE-04', !holds(theirs), message, mine, theirs);
}
