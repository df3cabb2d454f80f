import { HttpClient } from '../http-client/http-client.js';
import type { ServiceTarget } from '../http-client/target.js';
import { readTaskId } from '../test-case/read-task.js';

/** Polls that detect replicas. */
const READS = 12;

/**
 * Detects replicas without shared state: some polls of an unchanged task find it, others do not. Returns a description, or
 * undefined.
 */
export async function findReplicas(target: ServiceTarget): Promise<string | undefined> {
  const client = new HttpClient(target);
  try {
    const task_id = readTaskId(await client.send('createTask', { body: { task: null } }));
    if (task_id === undefined) return undefined;
    const statuses: number[] = [];
    while (statuses.length < READS)
      statuses.push((await client.send('getTask', { path: { task_id } })).status);
    await client.send('deleteTask', { path: { task_id } });
    const missing = statuses.filter((status) => status === 404).length;
    if (missing === 0 || missing === READS) return undefined;
    return `${missing} of ${READS} polls of one new task got 404, the others found it, as behind replicas that share nothing`;
  } catch {
    return undefined;
  }
}
