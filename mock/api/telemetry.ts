import { notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { emptyBody } from '../pipeline/responses.js';

/** Names of events beyond the bound are counted under this one. */
const OTHERS = '(others)';
/** Longest name of an event that is kept, in characters. */
const LONGEST_NAME = 128;

/** Section "Telemetry and jobs". Events are counted by name and go nowhere else. */
export const telemetryHandlers: Pick<Handlers, 'sendTelemetry'> = {
  sendTelemetry({ organisation, body }) {
    const { telemetry } = organisation.records;
    for (const { event } of body.events) {
      const name = event.slice(0, LONGEST_NAME);
      // One place is left for the others: telemetry is never refused.
      const known = telemetry.has(name) || telemetry.size < telemetry.limit - 1;
      const key = known ? name : OTHERS;
      telemetry.set(key, (telemetry.get(key) ?? 0) + 1);
    }
    return emptyBody(organisation);
  },
};

/** Section "Telemetry and jobs". A job is a run of an automation, there for as long as its task is (open point `job.ids`). */
export const jobHandlers: Pick<Handlers, 'getJob'> = {
  getJob({ path: { job_id }, owner }) {
    const organisation = owner(({ dialect, records, tasks }) => {
      return dialect['job.ids'] !== 'none-exist' && records.jobs.has(job_id) && tasks.has(job_id);
    });
    if (!organisation) throw notFound('job', job_id, '');
    const { tasks, dialect } = organisation;
    if (dialect['job.ids'] === 'automation-runs-no-status') return emptyBody(organisation);
    return { r: { id: job_id, status: tasks.get(job_id)?.status } };
  },
};
