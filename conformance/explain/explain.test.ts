import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../cli/exit-codes.js';
import { formatAnchor } from '../../spec/heading-anchor.js';
import { explain, isUnknown } from './explain.js';
import type { Explanation } from './explanation.js';
import { formatExplanation } from './format-explanation.js';
import { EXIT_CODE_NAMES } from './kinds/exit-codes.js';
import { OPEN_POINT_IDS, REQUIREMENT_IDS } from './kinds/requirements.js';
import { RULE_IDS } from './kinds/rules.js';
import { listScenarioNames } from './kinds/scenarios.js';
import { VERB_NAMES } from './kinds/verbs.js';

const DOCS = join(import.meta.dirname, '../../docs');

async function explainKnown(name: string): Promise<readonly Explanation[]> {
  const found = await explain(name);
  if (isUnknown(found)) throw new Error(`${name} is not explained; nearest: ${found.nearest}`);
  return found;
}

/** The anchors of a page. */
function listAnchors(page: string): string[] {
  const text = readFileSync(join(DOCS, page), 'utf8');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => formatAnchor(heading!.replaceAll('`', '')));
}

describe('explain', () => {
  const names = async () => [
    ...[...RULE_IDS, ...REQUIREMENT_IDS, ...OPEN_POINT_IDS, ...VERB_NAMES, ...EXIT_CODE_NAMES],
    ...(await listScenarioNames()),
  ];

  it('explains every rule, requirement, open point, verb, exit code and scenario', async () => {
    const pages = new Map<string, string[]>();
    for (const name of await names()) {
      for (const { kind, title, page } of await explainKnown(name)) {
        expect(kind, name).not.toBe('symptom');
        expect(title, name).toMatch(/\S/);
        const [file = '', anchor] = page.split('#');
        expect(existsSync(join(DOCS, file)), `${name}: ${page}`).toBe(true);
        if (!pages.has(file)) pages.set(file, listAnchors(file));
        if (anchor !== undefined) expect(pages.get(file), `${name}: ${page}`).toContain(anchor);
      }
    }
  });

  it('knows the exit codes that there are', () => {
    expect(EXIT_CODE_NAMES.map(Number).sort()).toEqual(Object.values(EXIT).sort());
  });

  it('shows a wrong and a right conversation of a rule, and the remedy', async () => {
    const [found] = await explainKnown('replies/same-again');
    const text = formatExplanation(found!, 'taskdouble');
    expect(text).toMatch(/^replies\/same-again \(rule\)\n/);
    expect(text).toMatch(/\nWrong: .*\n.*POST \/task → 200 task t1 is running/);
    expect(text).toMatch(/\nRight: /);
    expect(text).toMatch(/Cause and remedy: A lost response is reported as a failed tool\./);
    expect(text).toMatch(/^taskdouble client --scenario races\/reply-response-lost -- COMMAND$/m);
  });

  it.each(['polling/one-shot#POLL-02', 'races/reply-slow#line/tool-runs'])(
    'explains the check %s',
    async (name) => {
      const [found] = await explainKnown(name);
      expect(found).toMatchObject({ name, kind: 'check' });
      expect(found!.facts[0]![0]).toMatch(/^In (polling|races)\//);
    },
  );

  it('finds a symptom by its words', async () => {
    const found = await explainKnown('the tool runs two times after an event was listed twice');
    expect(found[0]).toMatchObject({ kind: 'symptom', name: 'A tool runs twice' });
  });

  it.each([
    ['an action is done twice', 'actions/once'],
    ['my tool was executed two times', 'line/tool-runs'],
    ['the client never finishes', 'run/ended'],
    ['it polls too often', 'polling/pace'],
    ['we keep asking after the task has finished', 'polling/after-the-end'],
    ['the browser session stays open', 'sessions/closed'],
    ['the answer to a call is sent again', 'replies/once'],
    ['the task is started two times', 'create/once'],
    ['too many requests', 'limits/immediate-retry'],
    ['the api key is in the url', 'auth/key-in-query'],
    ['two actions share an id', 'actions/unique-id'],
    ['actions are sent after closing', 'actions/after-close'],
    ['the gateway returned HTML instead of JSON', 'run/unhandled'],
    ['ECONNRESET', 'run/unhandled'],
  ])('finds for "%s" the rule %s first', async (words, rule) => {
    const [{ kind, name, facts }] = (await explainKnown(words)) as [Explanation];
    const [, named = ''] = facts.find(([label]) => label === 'Rule') ?? [];
    expect(kind === 'rule' ? name : named).toBe(rule);
  });

  it.each(['inconclusive', 'what does Flaky mean?', 'what is a gate', 'network rule'])(
    'explains the term of "%s"',
    async (words) => {
      const found = await explainKnown(words);
      const term = found.find(({ kind }) => kind === 'term')!;
      expect(term.page).toMatch(/^glossary\.md#/);
      expect(listAnchors('glossary.md')).toContain(term.page.split('#')[1]);
      expect(term.title).not.toMatch(/[*[\]`]/);
    },
  );

  it('names the nearest of what it does not know', async () => {
    expect(await explain('replies/onec')).toEqual({ nearest: 'replies/once' });
    expect(await explain('replies/sam')).toEqual({ nearest: 'replies/same-again' });
    expect(await explain('POLL-99')).toEqual({ nearest: expect.stringMatching(/^POLL-\d\d$/) });
    expect(await explain('xyzzy')).toEqual({ nearest: undefined });
    expect(await explain(' ')).toEqual({ nearest: undefined });
  });
});
