import type { Generators } from '../engine/world.js';
import type { InputProblem } from '../pipeline/errors.js';

/** Looks at the schemas that a task request carries: `response_model` and the `inputs` of its tools. */
export function checkSchemas(
  generators: Generators,
  request: Readonly<Record<string, unknown>>,
): InputProblem[] {
  const problems: InputProblem[] = [];
  const look = (loc: (string | number)[], schema: unknown) => {
    const problem = generators.problem(schema);
    if (problem !== undefined)
      problems.push({ loc, msg: `Not a schema this service can use: ${problem}`, type: 'schema' });
  };
  const { response_model, custom_tools } = request;
  if (response_model !== null && response_model !== undefined)
    look(['body', 'response_model'], response_model);
  if (Array.isArray(custom_tools)) {
    custom_tools.forEach((tool, index) => {
      look(['body', 'custom_tools', index, 'inputs'], tool?.inputs);
    });
  }
  return problems;
}
