import { requirements } from '../../spec/generated/documents.js';
import type { Requirement } from '../../spec/requirement-types.js';
import { allProbes } from '../service/all-probes.js';
import { mutants } from './mutants.js';

/** A rule for services, the checks that look at it and the mutants that break it. */
export interface Covered {
  requirement: Requirement;
  /** `polling/one-shot#POLL-02`. */
  checks: string[];
  mutants: string[];
}

/** Every rule that binds a service, in the order of spec/requirements.yaml. */
export function coverage(): Covered[] {
  return requirements
    .filter(({ level, side }) => level === 'must' && side === 'service')
    .map((requirement) => ({
      requirement,
      checks: allProbes
        .filter(({ covers }) => covers.some((id) => id === requirement.id))
        .map(({ id }) => `${id}#${requirement.id}`),
      mutants: mutants.filter((mutant) => mutant.requirement === requirement.id).map(({ id }) => id),
    }));
}

/** Of a long list so many are named in the page. */
const NAMED = 4;

/** The page docs/requirements-coverage.md. */
export function coveragePage(all: readonly Covered[] = coverage()): string {
  const seen = all.filter(({ requirement }) => requirement.unobservable === undefined);
  const unseen = all.filter(({ requirement }) => requirement.unobservable !== undefined);
  return `# Requirements, checks and mutants

Written by \`npm run coverage:requirements\`. Every rule that binds a service and can be seen over HTTP, the
checks of \`taskdouble conform\` that look at it, and the mutants that break it: variations of the mock with a single
fault each, which a test shows to be noticed by a check of that rule. Of long lists the first ${NAMED} are named.

| Requirement | Rule | Checks | Mutants |
|---|---|---|---|
${seen.map(rowOf).join('\n')}

## What cannot be observed

| Requirement | Rule | Why |
|---|---|---|
${unseen.map(({ requirement: { id, rule, unobservable } }) => `| ${id} | ${cell(rule)} | ${cell(unobservable!)} |`).join('\n')}
`;
}

function rowOf({ requirement: { id, rule }, checks, mutants: broken }: Covered): string {
  return `| ${id} | ${cell(rule)} | ${listOf(checks.map(nameOf))} | ${listOf(broken)} |`;
}

/** The number of the requirement stands in the row already. */
function nameOf(check: string): string {
  return check.slice(0, check.indexOf('#'));
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `\`${name}\``);
  return shown.join(', ') + (names.length > NAMED ? ', …' : '');
}

function cell(text: string): string {
  return text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');
}

/** The table as lines for a terminal. */
export function coverageLines(all: readonly Covered[] = coverage()): string[] {
  const lines = all.map(({ requirement: { id, unobservable }, checks, mutants: broken }) => {
    const figures = `${String(checks.length).padStart(4)} checks  ${String(broken.length).padStart(3)} mutants`;
    return `${id.padEnd(14)} ${unobservable === undefined ? figures : 'cannot be observed'}`;
  });
  const seen = all.filter(({ requirement }) => requirement.unobservable === undefined);
  const whole = seen.filter(({ checks, mutants: broken }) => checks.length > 0 && broken.length > 0);
  lines.push('', `${whole.length} of ${seen.length} rules that can be observed have a check and a mutant.`);
  return lines;
}
