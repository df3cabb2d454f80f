import type { Scenario, Step } from './types.js';

/** Parts of the API that a client or service may lack, besides single operations, request fields and asks. */
export const CAPABILITIES = [
  'sessions',
  'cancel',
  'close',
  'tools',
  'files',
  'profiles',
  'structured-output',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Request fields that the API description lists: section "Task creation request". */
export const LISTED_FIELDS: ReadonlySet<string> = new Set([
  'task',
  'url',
  'device',
  'custom_tools',
  'profile_id',
  'response_model',
  'files',
]);
/** The capability that a request field belongs to. */
const CAPABILITY_OF_FIELD: Readonly<Record<string, Capability>> = {
  custom_tools: 'tools',
  files: 'files',
  profile_id: 'profiles',
  response_model: 'structured-output',
};

/** Request fields that a client may leave out. Default: the fields that the API description does not list, because libraries differ in them. */
export function listOptionalFields({ request, optional_fields }: Scenario): string[] {
  return optional_fields ?? Object.keys(request).filter((name) => !LISTED_FIELDS.has(name));
}

/** The capabilities, request fields and asks that a scenario requires of a client. */
export function listNeeds(scenario: Scenario): string[] {
  const { request, timeline, asks = [] } = scenario;
  const optional = listOptionalFields(scenario);
  const fields = Object.keys(request).filter((name) => !optional.includes(name) && !isEmpty(request[name]));
  const isSession = typeof request.task !== 'string' || timeline.some(isSessionStep);
  return [
    ...new Set<string>([
      ...(isSession ? ['sessions'] : []),
      ...(timeline.some((step) => 'client' in step && step.client === 'cancel') ? ['cancel'] : []),
      ...(timeline.some(isCloseStep) ? ['close'] : []),
      ...(timeline.some(isCallStep) ? ['tools'] : []),
      ...fields.flatMap((name) => CAPABILITY_OF_FIELD[name] ?? []),
      // Every client can send a task text, and every session a start page.
      ...fields.filter(
        (name) => name !== 'task' && name !== 'custom_tools' && !(isSession && name === 'url'),
      ),
      ...asks,
    ]),
  ];
}

/** The first requirement of a scenario that is lacking; undefined if none is. */
export function findLacking(scenario: Scenario, lacks: readonly string[]): string | undefined {
  return lacks.length === 0 ? undefined : listNeeds(scenario).find((each) => lacks.includes(each));
}

/** An empty list and null mean the same as a missing field. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isSessionStep(step: Step): boolean {
  return ('client' in step && step.client === 'action') || isCloseStep(step);
}

function isCloseStep(step: Step): boolean {
  return 'client' in step && (step.client === 'close' || (step.client === 'action' && step.name === 'close'));
}

function isCallStep(step: Step): boolean {
  if (!('service' in step)) return false;
  return step.service === 'tool_call' || (step.service === 'event' && step.name === 'tool_call');
}
