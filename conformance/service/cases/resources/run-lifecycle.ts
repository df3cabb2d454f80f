import { operations } from '../../../../spec/generated/operations.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
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
import { type CallerKey, isAbout, type Lifecycle, type Made, make, placeOf } from './lifecycle.js';

/** One life of a resource, next to another one that stays as it is. */
export function lifecycleCase(row: Lifecycle): TestCase {
  const { create, list, remove, about } = row;
  const all = [create, ...(list ? [list] : [])];
  const operations = [
    ...(row.inWorkspace ? (['createWorkspace'] as const) : []),
    ...all.map(({ operation }) => operation),
    remove.operation,
    ...(remove.cleanup ? [remove.cleanup] : []),
    ...(about.operations ?? []),
  ];
  const stated = [...all.map(({ requirement }) => requirement), ...remove.requirements];
  const covers = [...new Set([...stated, ...(about.covers ?? [])])];
  return { ...about, covers, operations, run: (t) => runLifecycle(t, row) };
}

async function runLifecycle(t: TestContext, row: Lifecycle): Promise<void> {
  const { what, create, list } = row;
  const place = await placeOf(t, row);
  const ask = () => t.send(list!.operation, place);
  const before = list && (await ask());
  if (before) {
    if (operations[list.operation].deprecated) expectServed(t, before, describeRequest(list.operation));
    mustSucceed(t, list.requirement, before, describeRequest(list.operation));
  }
  const [one, other] = [await make(t, row), await make(t, row)];
  const areRecords = [one, other].every(
    ({ created, words, id }) => create.isRecord?.(created, words[0] ?? id) ?? true,
  );
  const twice = `${describeRequest(create.operation)} twice: expected a ${what} of its own each time, got ${summarize(one.created)} and ${summarize(other.created)}`;
  t.expect(create.requirement, areRecords && one.id !== other.id, twice, one.created, other.created);
  if (list && before) {
    const both = (response: ApiResponse) => isAbout(row, response, one) && isAbout(row, response, other);
    const listed = await readUntil(t, ask, both);
    const isListed =
      listed.ok && (list.isList?.(listed) ?? true) && both(listed) && !isAbout(row, before, one);
    const message = `${describeRequest(list.operation)}: expected the two that were just created, "${one.id}" and "${other.id}", got ${summarize(listed)}`;
    t.expect(list.requirement, isListed, message, before, listed);
    if (row.inWorkspace) await isUnlistedElsewhere(t, row, one, listed);
    await row.change?.(t, one, other, listed);
    if (!isAbout(row, listed, one))
      t.inconclusive(`the ${what} "${one.id}" is not listed, so nothing shows that it is removed`);
    if (operations[list.operation].deprecated) t.expect('VERSION-04', true, '', listed, one.created);
  }
  await isRemoved(t, row, one, other);
}

async function isUnlistedElsewhere(t: TestContext, row: Lifecycle, one: Made, listed: ApiResponse) {
  const { operation, requirement } = row.list!;
  const elsewhere = await t.send(operation, await placeOf(t, row, 'second'));
  if (!elsewhere.ok || !isAbout(row, elsewhere, one)) return;
  const message = `${describeRequest(operation)} of another workspace: expected no ${row.what} of this one, got ${summarize(elsewhere)}`;
  t.fail(requirement, message, listed, elsewhere);
}

async function isRemoved(t: TestContext, row: Lifecycle, one: Made, other: Made): Promise<void> {
  const { what, list } = row;
  const { operation, requirements, request, returnsBoolean, isCertain } = row.remove;
  const name = `${describeRequest(operation)} of "${one.id}"`;
  const place = await placeOf(t, row);
  const remove = (id: string) => t.send(operation, { ...place, ...request(id) });
  const never = row.hasIntegerId ? undefined : await remove(unlike(one.id));
  const deleted = await remove(one.id);
  if (operations[operation].deprecated) expectServed(t, deleted, name);
  if (!deleted.ok && isCertain?.(one) === false)
    t.inconclusive(`nothing names the ${what} for certain: ${name} was answered with ${summarize(deleted)}`);
  mustFollow(t, requirements[0], deleted, name);
  if (returnsBoolean) expectBoolean(t, requirements[0], deleted, name);
  if (list) {
    const isThere = (response: ApiResponse) => isAbout(row, response, one);
    const ask = () => t.send(list.operation, place);
    const after = await readUntil(t, ask, (response) => !isThere(response));
    if (after.ok && !isThere(after)) one.gone();
    const message = `${describeRequest(list.operation)} after "${one.id}" was removed: expected it to be gone and "${other.id}" to be there, got ${summarize(after)}`;
    const isKept = after.ok && !isThere(after) && isAbout(row, after, other);
    for (const requirement of requirements) t.expect(requirement, isKept, message, deleted, after);
  }
  await row.remove.after?.(t, one, deleted);
  if (!never) return;
  const again = await remove(one.id);
  const isAway = isGone(never, deleted, again);
  if (isAway) one.gone();
  const still = `${name}: expected a second removal to be answered like that of something that never was (${summarize(never)}), got ${summarize(again)}`;
  if (isAway === false) t.fail(requirements[0], still, never, deleted, again);
  if (list) return;
  const last = await remove(other.id);
  if (last.ok) other.gone();
  const kept = `${describeRequest(operation)} of "${other.id}", which was still there: expected it to be removed, got ${summarize(last)}`;
  t.expect(requirements[0], last.ok, kept, deleted, last);
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
  const ask = (key: CallerKey) => t.send(list!.operation, { ...place, key });
  const holds = (response: ApiResponse) => isAbout(row, response, made);
  if (list) await expectUnlisted(t, describeRequest(list.operation), ask, holds, [owner, stranger]);
  const request = { ...place, ...remove.request(made.id) };
  // It may be answered as a success that removes nothing; what counts is that it is still there.
  const theirs = await t.send(remove.operation, { ...request, key: stranger });
  const left = list && (await ask(owner));
  const mine = await t.send(remove.operation, { ...request, key: owner });
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
