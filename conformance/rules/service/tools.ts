import { asFields, type Fields } from '../../conversation/json.js';

const known = new WeakMap<Fields, ReadonlyMap<string, unknown> | null>();

/**
 * The schemas of the tools that a task was created with, by name. Undefined where others may be there, or where two
 * share a name. Section "Custom tool definition".
 */
export function toolsOf(request: Fields): ReadonlyMap<string, unknown> | undefined {
  let tools = known.get(request);
  if (tools === undefined) {
    tools = read(request) ?? null;
    known.set(request, tools);
  }
  return tools ?? undefined;
}

function read({ custom_tools: given, additional_tools: more }: Fields): Map<string, unknown> | undefined {
  if (more !== undefined && more !== null) return undefined;
  if (given === undefined || given === null) return new Map();
  if (!Array.isArray(given)) return undefined;
  const tools = new Map<string, unknown>();
  for (const tool of given) {
    const { name, inputs } = asFields(tool) ?? {};
    if (typeof name !== 'string' || tools.has(name)) return undefined;
    tools.set(name, inputs);
  }
  return tools;
}
