import { requirements } from '../../../spec/generated/documents.js';
import { formatAnchor } from '../../../spec/heading-anchor.js';
import type { Requirement } from '../../../spec/requirement-types.js';
import { allRules } from '../../rules/all-rules.js';
import { RUN_RULES } from '../../rules/run-rules.js';
import type { Explanation, RuleExampleText, Symptom } from '../explanation.js';
import { ruleExamples } from '../generated/rule-examples.js';
import { symptoms } from '../generated/symptoms.js';

type Fact = readonly [label: string, text: string];

const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map(requirements.map((each) => [each.id, each]));
const RUN: Readonly<Record<string, (typeof RUN_RULES)[keyof typeof RUN_RULES]>> = RUN_RULES;

export const RULE_IDS: readonly string[] = [...allRules.map(({ id }) => id), ...Object.keys(RUN)];

/** What explanations quote. */
export interface ExplanationSources {
  ruleExamples: Readonly<Record<string, RuleExampleText>>;
  symptoms: readonly Symptom[];
}

const SOURCES: ExplanationSources = { ruleExamples, symptoms };

export function explainRule(id: string, sources = SOURCES): Explanation | undefined {
  return explainExchangeRule(id, sources) ?? explainRunRule(id, sources);
}

/** A rule that exchanges alone show. */
function explainExchangeRule(
  id: string,
  { ruleExamples, symptoms }: ExplanationSources,
): Explanation | undefined {
  const rule = allRules.find((each) => each.id === id);
  if (!rule) return undefined;
  const { wrong, right } = ruleExamples[id]!;
  const level = rule.level === 'advice' ? 'Advice: reported, never a failure.' : 'A violation is a failure.';
  return {
    name: id,
    kind: 'rule',
    title: rule.title,
    facts: [
      ['Judges', `the ${rule.side}. ${level}`],
      ...listRequirementFacts(rule.requirements),
      ['Example of a finding', wrong.message],
      ...listSymptomFacts(id, symptoms),
    ],
    conversations: [
      { title: `Wrong: ${wrong.title}`, lines: wrong.lines },
      { title: `Right: ${right.title}`, lines: right.lines },
    ],
    commands: listSymptomCommands(id, symptoms),
    page: `${rule.side}-rules.md#${formatAnchor(id)}`,
  };
}

/** A rule that also needs the job, the result line, the exit code or the end of the run. */
function explainRunRule(id: string, { symptoms }: ExplanationSources): Explanation | undefined {
  const rule = Object.hasOwn(RUN, id) ? RUN[id] : undefined;
  if (!rule) return undefined;
  return {
    name: id,
    kind: 'rule',
    title: `${rule.defect}.`,
    facts: [
      ['Judges', 'the run of a client: its job, its result line, its exit code and its end.'],
      ...listRequirementFacts([rule.requirement]),
      ...listSymptomFacts(id, symptoms),
    ],
    commands: listSymptomCommands(id, symptoms),
    page: `client-rules.md#${formatAnchor(id)}`,
  };
}

export function listRequirementFacts(ids: readonly string[]): Fact[] {
  return ids.map((id): Fact => {
    const { section, rule } = REQUIREMENTS.get(id)!;
    return [id, `${rule} (${section})`];
  });
}

/** What usually breaks the rule, and the remedy. */
function listSymptomFacts(id: string, symptoms: readonly Symptom[]): Fact[] {
  return symptoms
    .filter(({ rule }) => rule === id)
    .map(({ cause, remedy }): Fact => ['Cause and remedy', `${cause} ${remedy}`]);
}

function listSymptomCommands(id: string, symptoms: readonly Symptom[]): string[] {
  const scenarios = new Set(symptoms.filter(({ rule }) => rule === id).map(({ scenario }) => scenario));
  return [...scenarios].map((scenario) => `client --scenario ${scenario} -- COMMAND`);
}
