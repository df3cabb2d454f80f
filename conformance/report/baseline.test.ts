import { describe, expect, it } from 'vitest';
import { createCheck, createReport } from '../../test/support/report/reports.js';
import { applyBaseline, listUnneededEntries, loadBaseline } from './baseline.js';
import { formatBaseline, removeEntries } from './baseline-file.js';
import { decideVerdict, listFailures } from './verdict.js';

const FAR = 'reason: slow, expires: 2099-01-01';

function loaded(text: string) {
  const { baseline, problems } = loadBaseline(text, 'known.yaml');
  expect(problems).toEqual([]);
  return baseline!;
}

const run = createReport([
  createCheck('polling/one#POLL-01', 'failed'),
  createCheck('polling/one#POLL-02', 'passed'),
  createCheck('polling/two#POLL-01', 'failed'),
  createCheck('auth/keys#AUTH-01', 'inconclusive'),
]);

function applied(text: string, options = {}) {
  return applyBaseline(run, loaded(text), { today: '2026-05-05', ...options });
}

describe('a baseline', () => {
  it('has known failures neither fail the run nor vanish', () => {
    const all = applied(`- { check: "polling/*#POLL-01", ${FAR} }`);
    expect(all.baseline).toEqual({ file: 'known.yaml', known: 2, problems: [] });
    expect(listFailures(all)).toEqual([]);
    expect(decideVerdict(all)).toBe('conforms');
    expect(all.checks[0]).toMatchObject({
      outcome: 'failed',
      known: { reason: 'slow', expires: '2099-01-01' },
    });
    const one = applied(`- { check: "polling/one#POLL-01", ${FAR} }`);
    expect(listFailures(one).map(({ id }) => id)).toEqual(['polling/two#POLL-01']);
    expect(run.checks.some(({ known }) => known)).toBe(false);
  });

  it('counts on the day it ends, and not after', () => {
    const entry = '- { check: "polling/*", reason: slow, expires: 2026-05-05 }';
    expect(decideVerdict(applied(entry))).toBe('conforms');
    const late = applied(entry, { today: '2026-05-06' });
    expect(listFailures(late)).toHaveLength(2);
    expect(late.baseline?.problems).toEqual([
      'known.yaml:1:5: the entry for "polling/*" expired on 2026-05-05 (slow); fix the failure and remove it, or set a later date',
    ]);
  });

  it('fails for entries that nothing needs', () => {
    const text = `- { check: "polling/*#POLL-01", ${FAR} }
- check: polling/one#POLL-02
  ${FAR.replace(', ', '\n  ')}
- { check: polling/too#POLL-01, ${FAR} }
- { check: x/y#Z-1, ${FAR} }
- { check: auth/keys#AUTH-01, ${FAR} }
`;
    const found = applied(text);
    expect(found.baseline?.problems).toEqual([
      'known.yaml:2:3: "polling/one#POLL-02" does not fail any more; remove the entry',
      'known.yaml:5:5: no check that failed is named "polling/too#POLL-01"; did you mean polling/two#POLL-01?',
      'known.yaml:6:5: no check that failed is named "x/y#Z-1"; remove the entry',
    ]);
    expect(decideVerdict(found)).toBe('violations');
  });

  it('ignores entries of checks that the run does not select', () => {
    const text = `- { check: "polling/*#POLL-01", ${FAR} }\n- { check: "x/y#Z-2", ${FAR} }\n- { check: "x/z#Z-2", ${FAR} }`;
    const { baseline } = applied(text, { unselected: ['x/y#Z-1'] });
    expect(baseline?.problems).toEqual([expect.stringContaining('"x/z#Z-2"')]);
  });

  it('accepts all entries if the run ended early', () => {
    const found = applyBaseline({ ...run, stopped: 'interrupted' }, loaded(`- { check: a/b#C-1, ${FAR} }`), {
      today: '2026-05-05',
    });
    expect(found.baseline?.problems).toEqual([]);
  });

  it.each([
    [
      'check: a',
      'known.yaml:1:1: expected a list of known failures, each with check, reason, expires; found {"check":"a"}',
    ],
    ['- a', '1:3: expected a mapping with check, reason, expires; found "a"'],
    ['- { check: a, reason: b }', '1:3: expected the key "expires", which is missing'],
    [`- { chek: a, ${FAR} }`, '1:5: unknown key "chek"; did you mean check?'],
    [
      '- { check: a, reason: b, expires: 2026-02-30 }',
      '1:35: expires: expected a day, written YYYY-MM-DD; found "2026-02-30"',
    ],
    [
      '- { check: a, reason: "", expires: 2026-02-20 }',
      '1:23: reason: expected why the failure is there, in words; found ""',
    ],
    [`- { check: a, ${FAR} }\n- { check: a, ${FAR} }`, '2:12: check: "a" is listed twice; keep one entry'],
    ['- { check: [', '1:'],
  ])('refuses %j', (text, expected) => {
    const { baseline, problems } = loadBaseline(text, 'known.yaml');
    expect(baseline).toBeUndefined();
    const reported = problems.map(
      ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
    );
    expect(reported.join('\n')).toContain(expected);
  });
});

describe('a baseline that a run writes', () => {
  const [one, , two] = run.checks.map(({ id }) => id);
  const cause = (id: string, checks: string[]) => {
    const shared = {
      requirements: [],
      rule: id,
      operation: null,
      severity: 'state' as const,
      explains: checks.length,
    };
    return { id, title: `why ${id}`, checks, example: checks[0]!, ...shared };
  };
  const failed = { ...run, causes: [cause('POLL-01', [one!, two!])] };

  it('has the failures by cause, and is refused until it is filled in', () => {
    const text = formatBaseline(failed);
    expect(text).toContain(
      `\n# POLL-01 (2 failures): why POLL-01\n- check: ${one}\n  reason: FILL IN\n  expires: FILL IN\n- check: ${two}\n`,
    );
    const { baseline, problems } = loadBaseline(text, 'known.yaml');
    expect(baseline).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      line: 6,
      message: expect.stringContaining('2 entries to fill in: replace each FILL IN; reason says why'),
    });
    const filled = text
      .replaceAll('reason: FILL IN', 'reason: slow')
      .replaceAll('expires: FILL IN', 'expires: 2099-01-01');
    const known = applied(filled);
    expect(listFailures(known)).toEqual([]);
    // Known failures keep their reason.
    expect(formatBaseline({ ...known, causes: failed.causes })).toBe(
      filled.replace(/Replace each .*\n/, text.match(/Replace each .*\n/)![0]),
    );
    expect(loaded(formatBaseline(createReport([]))).entries).toEqual([]);
  });

  it('names a failure of a search in every scenario', () => {
    const searched = {
      statement: '',
      schedules: 1,
      distinct: 1,
      not_triggered: 0,
      repeated: 0,
      nondeterministic: [],
    };
    const text = formatBaseline({ ...failed, searched });
    expect(text.match(/check: .*/g)).toEqual(['check: "*#POLL-01"']);
  });
});

describe('the update of a baseline', () => {
  const text = `# Ours.

# The poll.
- check: polling/one#POLL-02 # soon
  ${FAR.replace(', ', '\n  ')}
- { check: "polling/*#POLL-01", ${FAR} }

# The others.
- { check: x/y#Z-1, ${FAR} }
- { check: auth/keys#AUTH-01, ${FAR} }
`;
  const options = { today: '2026-05-05' };

  it('removes what does not fail any more, and keeps comments and order', () => {
    const baseline = loaded(text);
    const unneeded = listUnneededEntries(run, baseline, options);
    expect(unneeded).toEqual([0, 2]);
    expect(removeEntries(text, baseline, unneeded)).toBe(`# Ours.

# The poll.
- { check: "polling/*#POLL-01", ${FAR} }

# The others.
- { check: auth/keys#AUTH-01, ${FAR} }
`);
    expect(loaded(removeEntries(text, baseline, [0, 1, 2, 3])!).entries).toEqual([]);
  });

  it('changes nothing if an entry that stays uses an anchor of one that goes', () => {
    const anchored = `- { check: x/y#Z-1, reason: &r slow, expires: 2099-01-01 }
- { check: "polling/*#POLL-01", reason: *r, expires: 2099-01-01 }
`;
    expect(removeEntries(anchored, loaded(anchored), [0])).toBeUndefined();
  });

  it('removes nothing if the run ended early, or does not select the checks', () => {
    const baseline = loaded(text);
    expect(listUnneededEntries({ ...run, stopped: 'interrupted' }, baseline, options)).toEqual([]);
    expect(listUnneededEntries(run, baseline, { ...options, unselected: ['x/y#Z-1'] })).toEqual([0]);
  });
});
