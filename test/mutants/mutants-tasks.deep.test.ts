import { holdMutants } from './hold.js';
import { eventEndpointMutants } from './table/event-endpoint.js';
import { eventMutants } from './table/events.js';
import { outcomeMutants } from './table/outcomes.js';
import { pollingMutants } from './table/polling.js';
import { sessionMutants } from './table/sessions.js';
import { taskMutants } from './table/tasks.js';
import { toolMutants } from './table/tools.js';

holdMutants('polling', pollingMutants);
holdMutants('tasks', taskMutants);
holdMutants('events', eventMutants);
holdMutants('tools', toolMutants);
holdMutants('sessions', sessionMutants);
holdMutants('outcomes', outcomeMutants);
holdMutants('the event endpoint', eventEndpointMutants);
