import { describe, expect, it } from 'vitest';
import type { RuleTarget } from '../../scenarios/verbs/target.js';
import { isMatch, type NetworkRequest } from './network-request.js';

const POLL: NetworkRequest = {
  kind: 'poll',
  seq: 1,
  name: 'poll#2',
  operation: 'getTask',
  method: 'GET',
  path: '/task/abc',
  task: undefined,
  ordinal: 2,
  event: undefined,
  action: undefined,
  step: undefined,
};
const ACTION: NetworkRequest = {
  ...POLL,
  kind: 'action',
  operation: 'sendTaskEvent',
  method: 'POST',
  path: '/task/abc/event',
  ordinal: 0,
  event: 'e1',
  action: 'goto',
  step: 'open',
};

describe('a target', () => {
  it.each<[RuleTarget | undefined, NetworkRequest, boolean]>([
    [undefined, POLL, true],
    [{}, POLL, true],
    [{ poll: true }, POLL, true],
    [{ poll: 2 }, POLL, true],
    [{ poll: 1 }, POLL, false],
    [{ poll: true, create: true }, POLL, false],
    [{ cancel: true }, POLL, false],
    [{ operation: 'getTask' }, POLL, true],
    [{ operation: 'getTask', method: 'POST' }, POLL, false],
    [{ method: 'get' }, POLL, true],
    [{ path: '/task/*' }, POLL, true],
    [{ path: '/task/a*c' }, POLL, true],
    [{ path: '/task/*b' }, POLL, false],
    [{ path: '/task/*' }, ACTION, false],
    [{ path: '/*/*/event' }, ACTION, true],
    [{ path: '/task' }, POLL, false],
    [{ action: true }, ACTION, true],
    [{ action: 'goto' }, ACTION, true],
    [{ action: 'open' }, ACTION, true],
    [{ action: 'extract' }, ACTION, false],
    [{ reply: true }, ACTION, false],
    [{ reply: 'e1' }, { ...ACTION, kind: 'reply' }, true],
    [{ reply: 'e2' }, { ...ACTION, kind: 'reply' }, false],
    [{ step: 'x' }, POLL, false],
  ])('%j', (target, request, expected) => {
    expect(isMatch(target, request, undefined)).toBe(expected);
  });

  it('with many stars is read in a bounded number of steps', () => {
    const path = `/task/${'a'.repeat(5000)}`;
    expect(isMatch({ path: `/task/${'*a'.repeat(2000)}b` }, { ...POLL, path }, undefined)).toBe(false);
  });
});
