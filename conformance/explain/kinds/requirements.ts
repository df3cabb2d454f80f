import { openPoints, requirements } from '../../../spec/generated/documents.js';
import { formatAnchor } from '../../../spec/heading-anchor.js';
import type { OpenPoint } from '../../../spec/requirement-types.js';
import { allRules } from '../../rules/all-rules.js';
import { RUN_RULES } from '../../rules/run-rules.js';
import type { Explanation } from '../explanation.js';

export const REQUIREMENT_IDS: readonly string[] = requirements.map(({ id }) => id);
export const OPEN_POINT_IDS: readonly string[] = openPoints.map(({ id }) => id);

export function explainRequirement(id: string): Explanation | undefined {
  const requirement = requirements.find((each) => each.id === id);
  if (!requirement) return undefined;
  const { rule, section, side, level, operations, unobservable } = requirement;
  const rules = listRules(id);
  const open = openPoints.filter((point) => point.requirements?.includes(id)).map((point) => point.id);
  return {
    name: id,
    kind: 'requirement',
    title: rule,
    facts: [
      ['Section', section],
      ['Binds', `the ${side}${level === 'advice' ? '; advice, never a failure' : ''}.`],
      ['Operations', operations.length === 0 ? 'all' : operations.join(', ')],
      ...(unobservable === undefined ? [] : ([['Not observable', unobservable]] as const)),
      ...(rules.length === 0 ? [] : ([['Rules', rules.join(', ')]] as const)),
      ...(open.length === 0 ? [] : ([['Left open', open.join(', ')]] as const)),
    ],
    page: `requirements.md#${formatAnchor(section)}`,
  };
}

function listRules(requirement: string): string[] {
  const run = Object.entries(RUN_RULES).filter(([, rule]) => rule.requirement === requirement);
  const rules = allRules.filter((rule) => (rule.requirements as readonly string[]).includes(requirement));
  return [...rules.map(({ id }) => id), ...run.map(([id]) => id)];
}

export function explainOpenPoint(id: string): Explanation | undefined {
  const point = openPoints.find((each) => each.id === id);
  if (!point) return undefined;
  return {
    name: id,
    kind: 'open point',
    title: point.question,
    facts: [
      ['Left open', 'The description of the API permits each choice; none is a failure.'],
      ...listChoices(point),
      ['Default of the mock', `${point.default}. ${point.why}`],
    ],
    commands: [`mock --dialect FILE   with "${id}" in the file`],
    page: `dialects.md#${formatAnchor(id)}`,
  };
}

function listChoices(point: OpenPoint): (readonly [string, string])[] {
  if (point.kind === 'choice')
    return Object.entries(point.choices).map(([choice, meaning]) => [`Choice ${choice}`, meaning] as const);
  const { unit, minimum, maximum } = point.choices;
  return [['Choices', `${minimum} to ${maximum} ${unit}`]];
}
