import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { runInOrder } from '../common/run-in-order.js';
import { judgeRun } from './judge/verdict.js';
import { type PlayOptions, play } from './run/play.js';

const CLIENTS = join(findPackageRoot(), 'fixtures/clients');
const { buggy } = JSON.parse(readFileSync(join(CLIENTS, 'catalogue.json'), 'utf8')) as {
  buggy: { client: string; scenario: string; finding: string }[];
};
const permitted = readdirSync(join(CLIENTS, 'permitted')).filter((file) => file.endsWith('.mjs'));
const library = await loadLibrary();

/** How fast a request follows another in real time, and what a short time-out meets, is the machine's affair too. */
const HASTY = [
  'creates-without-back-off',
  'polls-without-back-off',
  'polls-without-pause',
  'runs-again-on-timeout',
];
/** Polls to its deadline: more than two minutes in real time. */
const LASTING = 'polls-the-vanished';
/** One of so many clients with a bug. */
const SAMPLE = 10;
/** What correct clients play: a session, or a tool call that is listed twice. */
const PLAIN = ['sessions/goto-extract-evaluate-close', 'races/duplicate-in-one-answer'];
const RUNS = [
  ...buggy
    .filter(({ client }, index) => index % SAMPLE === 0 && ![...HASTY, LASTING].includes(client))
    .map(({ client, scenario, finding }) => ({ file: `buggy/${client}.mjs`, scenario, finding })),
  ...['reference.mjs', ...permitted.map((file) => `permitted/${file}`)].map((file, index) => ({
    file,
    scenario: PLAIN[index % PLAIN.length]!,
    finding: undefined,
  })),
];
/** Clients in real time wait most of the time; each has three processes. */
const AT_A_TIME = 12;

interface Verdicts {
  file: string;
  scenario: string;
  virtual: string[];
  real: string[];
  skipped: string[];
}

it('correct clients, those with a bug and permitted styles fail alike in real, virtual and skipped time', async () => {
  const verdicts: Verdicts[] = [];
  const compare = async ({ file, scenario: name, finding }: (typeof RUNS)[number]): Promise<Verdicts> => {
    const scenario = library.find((each) => each.name === name)!;
    const command = [process.execPath, join(CLIENTS, file)];
    /**
     * What fails of a correct client; of one with a bug its finding, and whether anything fails. What else such a client breaks
     * is a matter of milliseconds: whether a second reply leaves before the first is confirmed.
     */
    const failedIn = async (kind: 'node' | 'command', options?: PlayOptions): Promise<string[]> => {
      const findings = judgeRun(await play(scenario, { kind, command }, options));
      const failed = findings.filter(({ level }) => level === 'must').map(({ rule }) => rule);
      if (finding === undefined) return failed;
      const isFound = findings.some(({ rule }) => rule === finding);
      return [...(isFound ? [finding] : []), ...(failed.length > 0 ? ['fails'] : [])];
    };
    const [virtual, real, skipped] = await Promise.all([
      failedIn('node'),
      failedIn('command'),
      failedIn('command', { skipsWaits: true }),
    ]);
    return { file, scenario: name, virtual, real, skipped };
  };
  await runInOrder<(typeof RUNS)[number], Verdicts>(
    RUNS,
    AT_A_TIME,
    compare,
    (_, each) => void verdicts.push(each),
    () => false,
  );
  const isSame = ({ virtual, real, skipped }: Verdicts) =>
    [real, skipped].every((rules) => rules.join() === virtual.join());
  // A machine that is too busy excuses a failure: a client that differs beside others plays once more, alone.
  const differing: Verdicts[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    if (isSame(verdict)) continue;
    const alone = await compare(RUNS[index]!);
    if (!isSame(alone)) differing.push(alone);
  }
  expect(differing).toEqual([]);
  const correct = verdicts.filter(({ file }) => !file.startsWith('buggy/'));
  expect(correct.filter(({ virtual }) => virtual.length > 0)).toEqual([]);
  const found = verdicts.filter(({ virtual }) => virtual.length > 0);
  expect(found.length).toBeGreaterThan(buggy.length / SAMPLE / 2);
});
