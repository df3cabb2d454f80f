/** What the n-th run of a tool brings, by the job. */
export function outcomeOf(job, name, nth) {
  const outcomes = Object.hasOwn(job.tools, name) ? job.tools[name] : undefined;
  return outcomes?.[Math.min(nth, outcomes.length - 1)] ?? { code: 400, output: `there is no tool ${name}` };
}

/** The actions of a job, its close included. */
export function actionsOf(job) {
  const close = job.close === 'event' ? [{ name: 'session_action', payload: { name: 'close' } }] : [];
  return [...job.actions, ...close];
}

/** A reply that the service does not want any more is no error of the client. */
export const isPast = (error) => [400, 409, 422].includes(error?.status);
