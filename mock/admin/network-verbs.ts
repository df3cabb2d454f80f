import { RULE_FIELDS } from '../../scenarios/verbs/verb.js';
import { VERBS } from '../../scenarios/verbs/verbs.js';

/** The descriptors of all verbs, for forms. `rule_fields`: the fields that every rule can have. */
export function describeVerbs(): object {
  const verbs = VERBS.map(
    ({ name, description, phase, fields = {}, required = [], first, requests = 'any', examples }) => {
      return { name, description, phase, fields, required, first, requests, examples };
    },
  );
  return { verbs, rule_fields: RULE_FIELDS };
}
