import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { createScriptClient, isAlive, SMALL_CLIENT } from '../../../test/support/client/inline.js';
import { oneCall } from '../../../test/support/client/scenarios.js';
import { describeWait } from '../judge/run-end.js';
import type { Client, ClientRun } from '../types.js';
import { type PlayOptions, play } from './play.js';
import { checkUnknownScenario, UNKNOWN_SCENARIO } from './unknown-scenario.js';

/** Pids that a client has written to its stderr: `pid 123`. */
function pidsOf({ stderr }: ClientRun): number[] {
  return [...stderr.matchAll(/\bpid (\d+)/g)].map((match) => Number(match[1]));
}

const SAYS_PID = "console.error('pid ' + process.pid);";
const FOR_EVER = 'setInterval(() => {}, 1000);';

function expectGone(run: ClientRun, processes: number): void {
  const pids = pidsOf(run);
  expect(pids.length).toBe(processes);
  expect(pids.filter(isAlive)).toEqual([]);
}

/** The run of a script that is stopped from outside once it has come to its end. */
async function stopped(code: string): Promise<ClientRun> {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-'));
  const ready = join(directory, 'ready');
  const stop = new AbortController();
  const told = `import { writeFileSync } from 'node:fs'; ${code}; writeFileSync(${JSON.stringify(ready)}, '');`;
  const running = play(oneCall, createScriptClient(told), { signal: stop.signal, deadlineMs: 300_000 });
  await vi.waitFor(() => expect(existsSync(ready)).toBe(true), { timeout: 300_000, interval: 20 });
  stop.abort();
  const run = await running;
  rmSync(directory, { recursive: true });
  return run;
}

describe('a command', () => {
  it('gets the documented environment, and its run is recorded', async () => {
    const run = await play(oneCall, createScriptClient(SMALL_CLIENT), { seed: 7 });
    expect(run).toMatchObject({
      kind: 'command',
      end: 'by-itself',
      exitCode: 0,
      signal: null,
      seed: 7,
      line: {
        status: 'done',
        output: 'It is cold.',
        tool_runs: [{ name: 'get_weather', input: { city: 'Oslo' } }],
      },
      lineProblem: undefined,
      leftBehind: 0,
    });
    expect(run.tasks).toMatchObject([{ status: 'done', calls: [{ step: 'c1', reply: { code: 200 } }] }]);
    expect(run.exchanges[0]).toMatchObject({ seq: 1, kind: 'create', organisation: 'client' });
    expect(run.trace.map(({ name }) => name)).toContain('reply c1#1');
    expect(run.lateness_ms).toBeGreaterThanOrEqual(0);
    for (const { seq, connection } of run.exchanges) {
      const { arrived, left } = run.wall!.get(seq)!;
      expect(left).toBeGreaterThanOrEqual(arrived);
      expect(connection).toBeGreaterThan(0);
    }
  });

  it('gets {base_url} replaced in its arguments, and no taskdouble variables of the parent', async () => {
    process.env.TASKDOUBLE_ADMIN_SECRET = 'ours';
    const code = `console.log(JSON.stringify({
      same: process.argv[1] === process.env.TASKDOUBLE_BASE_URL + '/api' && process.argv[2] === '$HOME {x}',
      names: Object.keys(process.env).filter((name) => name.startsWith('TASKDOUBLE_')).sort(),
      scenario: process.env.TASKDOUBLE_SCENARIO,
      deadline: JSON.parse(process.env.TASKDOUBLE_JOB).deadline_ms,
    }))`;
    const { line } = await play(oneCall, createScriptClient(code, '{base_url}/api', '$HOME {x}'), {
      deadlineMs: 60_000,
    });
    delete process.env.TASKDOUBLE_ADMIN_SECRET;
    expect(line).toEqual({
      same: true,
      names: [
        'TASKDOUBLE_API_KEY',
        'TASKDOUBLE_BASE_URL',
        'TASKDOUBLE_JOB',
        'TASKDOUBLE_RUN',
        'TASKDOUBLE_SCENARIO',
      ],
      scenario: 'test/one-call',
      deadline: 60_000,
    });
  });

  it('gets the same ids for the same seed, and others for another', async () => {
    const idOf = async (seed: number) =>
      (await play(oneCall, createScriptClient(SMALL_CLIENT), { seed })).tasks[0]!.id;
    const [one, again, other] = await Promise.all([idOf(1), idOf(1), idOf(2)]);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it('that does nothing has no requests and no line', async () => {
    const run = await play(oneCall, createScriptClient(''));
    expect(run).toMatchObject({
      end: 'by-itself',
      exitCode: 0,
      line: undefined,
      exchanges: [],
      tasks: [],
      trace: [],
    });
    expect(run.lineProblem).toMatch(/stdout is empty/);
  });

  it('that crashes at once has its exit code and the end of its stderr recorded', async () => {
    const run = await play(
      oneCall,
      createScriptClient("console.error('x'.repeat(1e5)); throw new Error('no such module')"),
    );
    expect(run).toMatchObject({ end: 'by-itself', exitCode: 1, line: undefined, error: undefined });
    expect(run.stderr).toMatch(/no such module/);
    expect(run.stderr.length).toBeLessThan(10_000);
  });

  it('that is killed by another process has its signal recorded', async () => {
    const run = await play(oneCall, createScriptClient("process.kill(process.pid, 'SIGKILL')"));
    expect(run).toMatchObject({ end: 'by-itself', exitCode: null, signal: 'SIGKILL' });
  });

  it('that prints no JSON has a reason recorded', async () => {
    const run = await play(oneCall, createScriptClient("console.log('All is well.')"));
    expect(run.lineProblem).toMatch(/no JSON.*All is well/);
  });

  it('that does not exist was not started', async () => {
    const run = await play(oneCall, { kind: 'command', command: ['./no-such-client', 'x'] });
    expect(run).toMatchObject({ end: 'not-started', exitCode: null, line: undefined, exchanges: [] });
    expect(run.error).toMatch(
      /"\.\/no-such-client" could not be started: there is no such program \(ENOENT\)/,
    );
  });

  it.each([
    [[], /could not be started/],
    [['README.md'.padStart(11, './')], /could not be started: .* \(EACCES\)/],
    [['node\0'], /could not be started/],
  ])('that cannot be started was not started: %j', async (command, why) => {
    const run = await play(oneCall, { kind: 'command', command });
    expect(run.end).toBe('not-started');
    expect(run.error).toMatch(why);
  });

  it.each(['stdout', 'stderr'])('that floods %s is ended', async (stream) => {
    const code = `${stream === 'stdout' ? SAYS_PID : ''}
      const more = () => process.${stream}.write('y'.repeat(65536) + '\\n', more); more();`;
    const run = await play(oneCall, createScriptClient(code));
    expect(run).toMatchObject({ end: 'output-flood', exitCode: null, signal: null });
    if (stream === 'stdout') expectGone(run, 1);
  });

  it('that never ends is ended at its deadline, and the message names what it waited for', async () => {
    const run = await play(oneCall, createScriptClient(`${SAYS_PID} ${FOR_EVER}`), { deadlineMs: 400 });
    expect(run).toMatchObject({ end: 'deadline', exitCode: null, signal: null, leftBehind: 0 });
    expect(describeWait(run)).toMatch(/made no request/);
    expect(pidsOf(run).filter(isAlive)).toEqual([]);
  });

  it('that ignores SIGTERM is killed', async () => {
    const run = await stopped(
      `process.on('SIGTERM', () => console.error('not me')); ${SAYS_PID} ${FOR_EVER}`,
    );
    expect(run.end).toBe('aborted');
    expect(run.stderr).toMatch(/not me/);
    expectGone(run, 1);
  });

  it('that leaves children behind: they are counted and killed, also outside of its group', async () => {
    const child = (detached: boolean) =>
      `spawn(process.execPath, ['-e', ${JSON.stringify(FOR_EVER)}], { detached: ${detached}, stdio: 'inherit' })`;
    const code = `import { spawn } from 'node:child_process';
      for (const child of [${child(false)}, ${child(true)}]) console.error('pid ' + child.pid);
      console.log('{"status":"done"}');
      process.exit(0);`;
    const run = await play(oneCall, createScriptClient(code));
    expect(run).toMatchObject({ end: 'by-itself', exitCode: 0, leftBehind: 2, line: { status: 'done' } });
    expectGone(run, 2);
  });

  it('that is ended: its children are killed and not counted as left behind', async () => {
    const code = `import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"]);
      console.error('pid ' + child.pid); ${SAYS_PID} ${FOR_EVER}`;
    const run = await stopped(code);
    expect(run).toMatchObject({ end: 'aborted', leftBehind: 0 });
    expectGone(run, 2);
  });

  it('that ignores the base URL has no requests', async () => {
    const code = SMALL_CLIENT.replace('TASKDOUBLE_BASE_URL: base,', '').replace(
      'const job',
      "const base = 'http://127.0.0.1:1'; const job",
    );
    const run = await play(oneCall, createScriptClient(code));
    expect(run).toMatchObject({ end: 'by-itself', exitCode: 1, exchanges: [] });
  });

  it('that uses another key is refused', async () => {
    const run = await play(
      oneCall,
      createScriptClient(SMALL_CLIENT.replace('{ apikey,', "{ apikey: 'mine',")),
    );
    expect(run.exitCode).not.toBe(0);
    expect(run.tasks).toEqual([]);
    expect(run.exchanges).toMatchObject([{ seq: 1, organisation: 'another key', response: { status: 401 } }]);
  });

  it('is ended when the whole run is stopped', async () => {
    const run = await stopped(`${SAYS_PID} ${FOR_EVER}`);
    expect(run).toMatchObject({ end: 'aborted', exitCode: null, signal: null });
    expectGone(run, 1);
    expect((await play(oneCall, createScriptClient(''), { signal: AbortSignal.abort() })).end).toBe(
      'aborted',
    );
  });

  it('is killed when this process ends', async () => {
    const ours = fileURLToPath(new URL('./processes.ts', import.meta.url));
    for (const [how, end] of [
      ['throw new Error("our own fault")', 1],
      ["process.kill(process.pid, 'SIGINT')", 'SIGINT'],
    ] as const) {
      const code = `import { ClientProcess } from ${JSON.stringify(ours)};
        const client = new ClientProcess([process.execPath, '-e', 'console.log(process.pid); ${FOR_EVER}'], {});
        const look = setInterval(() => {
          const pid = client.stdout.text.trim();
          if (!pid) return;
          clearInterval(look);
          console.error('pid ' + pid);
          ${how};
        }, 10);`;
      const run = await play(oneCall, {
        kind: 'command',
        command: [process.execPath, '--import', 'tsx', '--input-type=module', '-e', code],
      });
      expect(run.exitCode ?? run.signal).toBe(end);
      // Nothing is left that waits for its end.
      await vi.waitFor(() => expectGone(run, 1), { timeout: 300_000, interval: 20 });
    }
  });
});

describe('a command with an unknown scenario', () => {
  const ask = async (client: Client, options: PlayOptions = { deadlineMs: 60_000 }) => {
    const run = await play(UNKNOWN_SCENARIO, client, options);
    return { ...checkUnknownScenario(run), run };
  };

  it('passes if it fails after its task is refused', async () => {
    const { outcome, run } = await ask(createScriptClient(SMALL_CLIENT));
    expect(outcome).toBe('passed');
    expect(run.exchanges).toMatchObject([
      { kind: 'create', response: { status: 400, body: expect.stringMatching(/There is no scenario/) } },
    ]);
  });

  it('fails if it always reports success', async () => {
    const { outcome, message } = await ask(createScriptClient(`console.log('{"status":"done"}')`));
    expect(outcome).toBe('failed');
    expect(message).toMatch(/has to exit with a code other than 0; it exited with 0/);
  });

  it('fails if it hangs', async () => {
    const { outcome, message } = await ask(createScriptClient(FOR_EVER), { deadlineMs: 300 });
    expect(outcome).toBe('failed');
    expect(message).toMatch(/did not end by itself \(deadline, waiting for .*made no request/);
  });

  it('is inconclusive if it never works', async () => {
    expect((await ask(createScriptClient('process.exit(1)'))).outcome).toBe('inconclusive');
  });
});
