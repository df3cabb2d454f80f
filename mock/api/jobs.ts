import { notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { emptyBody } from '../pipeline/responses.js';

/** Section "Telemetry and jobs". A job is a run of an automation, there for as long as its task is (open point `job.ids`). */
export const jobHandlers: Pick<Handlers, 'getJob'> = {
  getJob({ path: { job_id }, owner }) {
    const organisation = owner(({ records, world }) => {
      const exist = world.setup.dialect['job.ids'] !== 'none-exist';
      return exist && records.jobs.has(job_id) && world.tasks.has(job_id);
    });
    if (!organisation) throw notFound('job', job_id, '');
    const { tasks, setup } = organisation.world;
    if (setup.dialect['job.ids'] === 'automation-runs-no-status') return emptyBody(organisation);
    return { r: { id: job_id, status: tasks.get(job_id)?.status } };
  },
};
