import { describe, expect, it } from 'vitest';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { InTestClient } from '../../test/support/in-tests/client.js';
import { openMock, readFailure } from '../../test/support/in-tests/mocks.js';
import './vitest.js';

/** Real time in which the requests of a test follow each other at once, however busy the machine is. */
const REAL_TIME: MockOptions = { clock: 'real', wall: () => 1_767_225_600_000 };

describe('toHaveNoFindings', () => {
  it('passes for a client that keeps the rules, and then fails with .not', async () => {
    const { mock, talk } = openMock();
    const { task, call } = await talk.startCall();
    await talk.reply(task, call);
    expect(mock).toHaveNoFindings();
    expect(readFailure(() => expect(mock).not.toHaveNoFindings())).toBe(
      'expected the client to break a rule, and it broke none',
    );
  });

  it('fails with what was found and the exchanges that show it', async () => {
    const { mock, talk } = openMock();
    await new InTestClient(mock, 'somebody-else').start('polling/one-shot');
    const { task, call } = await talk.startCall();
    await talk.reply(task, call, 'soon', 202);
    const said = readFailure(() => expect(mock).toHaveNoFindings());
    expect(said).toMatch(/^expected no findings; replies\/code \(TOOL-\d\d\): .*202/);
    expect(said.split('\n')[1]).toMatch(
      /^ +\+1\.000 s {2}client {3}POST .* reply to get_weather \(weather\): 202 "soon"/,
    );
    expect(mock).not.toHaveNoFindings();
  });

  it('passes for a client that earns advice alone, and then fails with .not', async () => {
    const { mock, talk } = openMock(REAL_TIME);
    const task = await talk.start();
    for (let i = 0; i < 8; i++) await talk.poll(task);
    expect(mock.findings()).toMatchObject([{ rule: 'polling/pace', level: 'advice' }]);
    expect(mock).toHaveNoFindings();
    expect(readFailure(() => expect(mock).not.toHaveNoFindings())).toContain('it broke none');
  });

  const limited: MockOptions = { network: 'fail 429 of poll times 1' };
  const insist = async (talk: InTestClient) => {
    const task = await talk.start();
    for (let i = 0; i < 2; i++) await talk.poll(task);
  };

  it('applies rules that compare times on the real clock, unless it is slower than the clock of the client', async () => {
    const inTime = openMock({ ...REAL_TIME, ...limited });
    await insist(inTime.talk);
    expect(readFailure(() => expect(inTime.mock).toHaveNoFindings())).toContain('limits/immediate-retry');
    const slow = openMock({ ...REAL_TIME, speed: 0.5, ...limited });
    await insist(slow.talk);
    expect(slow.mock).toHaveNoFindings();
  });

  it('applies rules that compare times only if all requests were made in mock.time.run', async () => {
    const inRun = openMock(limited);
    // Loads lazy modules of vitest before the run.
    await inRun.mock.warmUp();
    await inRun.mock.time.run(() => insist(inRun.talk));
    expect(readFailure(() => expect(inRun.mock).toHaveNoFindings())).toContain(
      'expected no findings; limits/immediate-retry',
    );

    const { mock, talk } = openMock(limited);
    await insist(talk);
    expect(mock).toHaveNoFindings();
    await mock.time.run(() => insist(talk));
    expect(mock).toHaveNoFindings();
  });

  it('fails with and without .not where there is nothing to judge', async () => {
    const { mock, talk } = openMock();
    const wanted = 'toHaveNoFindings: the mock received no request: there is nothing to judge';
    expect(readFailure(() => expect(mock).toHaveNoFindings())).toBe(wanted);
    expect(readFailure(() => expect(mock).not.toHaveNoFindings())).toBe(wanted);
    await talk.send('GET', '/no-such-thing');
    expect(readFailure(() => expect(mock).toHaveNoFindings())).toContain('nothing to judge');
  });
});

describe('toHaveReached', () => {
  it('passes for the status that a task has, or had in a response', async () => {
    const { mock, talk } = openMock();
    const task = await talk.start('polling/one-shot');
    expect(mock).toHaveReached('running');
    expect(mock).not.toHaveReached('done');
    await mock.clock.advance('1h');
    expect(mock).toHaveReached('done', task);
    expect(mock).toHaveReached('running');
    expect(mock).not.toHaveReached('failed');
  });

  it('fails with where the task stands and what it waits for', async () => {
    const { mock, talk } = openMock();
    await talk.startCall();
    const said = readFailure(() => expect(mock).toHaveReached('done'));
    expect(said).toMatch(/^expected the task to reach "done"; task .{36} is still "running"\n/);
    expect(said).toContain('waits for the client to reply to');
    await mock.clock.advance('1h');
    expect(readFailure(() => expect(mock).not.toHaveReached('running'))).toContain(
      'never to reach "running"',
    );
  });

  it('fails with and without .not for a task that there is not, and where several are meant', async () => {
    const { mock, talk } = openMock();
    expect(readFailure(() => expect(mock).not.toHaveReached('done'))).toBe(
      'toHaveReached: there is no task: there are none',
    );
    const one = await talk.start('polling/one-shot');
    const said = readFailure(() => expect(mock).not.toHaveReached('done', 'no-such-task'));
    expect(said).toBe(`toHaveReached: there is no task "no-such-task": there is ${one}`);
    const two = await talk.start('polling/one-shot');
    const several = readFailure(() => expect(mock).not.toHaveReached('done'));
    expect(several).toBe(`toHaveReached: there are 2 tasks, give the id of one: ${one}, ${two}`);
    expect(mock).toHaveReached('running', two);
  });

  it('fails for a status that there is not', async () => {
    const { mock, talk } = openMock();
    await talk.start('polling/one-shot');
    const said = readFailure(() => expect(mock).not.toHaveReached('finished' as 'done'));
    expect(said).toBe(
      'toHaveReached: there is no status "finished": there are waiting, running, done, failed, cancelled',
    );
  });
});

describe('the matchers', () => {
  it('report a value that is no mock', () => {
    expect(readFailure(() => expect({}).not.toHaveNoFindings())).toBe(
      'toHaveNoFindings: expected a mock, as in expect(mock).toHaveNoFindings(…), got an object of the class Object',
    );
    for (const wrong of [undefined, null, 'mock', 7, Object.create(null)]) {
      expect(readFailure(() => expect(wrong).toHaveReached('done'))).toContain('expected a mock');
    }
  });

  it('report a missing name of a call', () => {
    const { mock } = openMock();
    // @ts-expect-error: the test omits it.
    const said = readFailure(() => expect(mock).toHaveRepliedOnce());
    expect(said).toBe('toHaveRepliedOnce: expected the id of a tool call, got undefined');
  });

  it('point at the line of the test', () => {
    const { mock } = openMock();
    let stack: string | undefined;
    try {
      expect(mock).toHaveNoFindings();
    } catch (error) {
      stack = (error as Error).stack;
    }
    const frames = stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line) && !line.includes('node_modules'));
    expect(frames?.[0]).toContain('matchers.test.ts');
  });
});
