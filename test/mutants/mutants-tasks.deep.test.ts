import { eventEndpointMutants } from './table/event-endpoint.js';
import { eventMutants } from './table/events.js';
import { outcomeMutants } from './table/outcomes.js';
import { pollingMutants } from './table/polling.js';
import { sessionMutants } from './table/sessions.js';
import { taskMutants } from './table/tasks.js';
import { toolMutants } from './table/tools.js';
import { testMutants } from './test-mutants.js';

testMutants('polling', pollingMutants);
testMutants('tasks', taskMutants);
testMutants('events', eventMutants);
testMutants('tools', toolMutants);
testMutants('sessions', sessionMutants);
testMutants('outcomes', outcomeMutants);
testMutants('the event endpoint', eventEndpointMutants);
