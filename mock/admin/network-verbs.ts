import { type FieldSchema, RULE_FIELDS } from '../../scenarios/verbs/verb.js';
import { VERBS } from '../../scenarios/verbs/verbs.js';

/** All verbs of network rules for forms, and the fields of every rule. `requests`: those that a verb can target; `none`: it is about steps. */
export function describeVerbs() {
  const verbs = VERBS.map(({ name, description, phase, fields = {}, required = [], first, ...verb }) => ({
    name,
    description,
    phase,
    fields: fields as Readonly<Record<string, FieldSchema>>,
    required: required as readonly string[],
    first,
    requests: verb.requests ?? 'any',
    examples: verb.examples,
  }));
  return { verbs, rule_fields: RULE_FIELDS };
}

export type VerbDescriptors = ReturnType<typeof describeVerbs>;
export type VerbDescriptor = VerbDescriptors['verbs'][number];
