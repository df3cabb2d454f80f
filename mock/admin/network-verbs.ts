import { type FieldSchema, RULE_FIELDS } from '../../scenarios/verbs/verb.js';
import { type AnyVerb, VERBS } from '../../scenarios/verbs/verbs.js';

/** A verb of network rules. */
export interface VerbDescriptor
  extends Pick<AnyVerb, 'name' | 'description' | 'phase' | 'first' | 'examples'> {
  fields: Readonly<Record<string, FieldSchema>>;
  required: readonly string[];
  /** The requests that it can target; `none`: it is about steps of a scenario. */
  requests: NonNullable<AnyVerb['requests']> | 'any';
}

export interface VerbDescriptors {
  verbs: readonly VerbDescriptor[];
  /** Fields of every rule. */
  rule_fields: Readonly<Record<string, FieldSchema>>;
}

/** The descriptors of all verbs, for forms. */
export function describeVerbs(): VerbDescriptors {
  const verbs = VERBS.map(
    ({
      name,
      description,
      phase,
      fields = {},
      required = [],
      first,
      requests = 'any' as const,
      examples,
    }) => {
      return { name, description, phase, fields, required, first, requests, examples };
    },
  );
  return { verbs, rule_fields: RULE_FIELDS };
}
