import type { World } from '../world.js';
import type { AddressField, Task } from './task.js';

/** Some clients read `b` (base64url) and expect an address of a live browser in it. */
const BROWSER = btoa('https://browser-live.taskdouble.invalid/').replace(/=+$/, '');

/** A text that the service opens: dialect `task.url-form`. */
export function isOpenable({ setup }: World, url: string): boolean {
  return setup.dialect['task.url-form'] === 'any-text' || URL.canParse(url);
}

/** An address of a task as clients see it: null is not ready yet, "" not to be had. */
export function addressOf(world: World, task: Task, field: AddressField): string | null {
  const value = task[field];
  return value === 'auto' ? ownAddress(world, task.id, field) : value;
}

/** Address on the mock itself that leads to something about this task. */
export function ownAddress({ setup }: World, id: string, field: AddressField): string {
  const origin = setup.origin();
  if (field === 'recording_url') return `${origin}/recordings/${id}`;
  if (field === 'downloads_url') return `${origin}/downloads/${id}.zip`;
  return `${origin}/live/${id}?b=${BROWSER}`;
}
