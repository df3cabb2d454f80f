import { App } from './app.js';
import { addResources } from './resources.js';
import { TaskStore } from './tasks.js';

/** A service whose time is handed in, ms. */
export type Service = (now: () => number) => App;

/** Makes a service of its own tasks and the resources that all have. */
export function createService(makeTasks: (now: () => number) => { routes(app: App): App }): Service {
  return (now) => makeTasks(now).routes(addResources(new App()));
}

/** The service that has no defects. */
export const soundService = createService((now) => new TaskStore(now));
