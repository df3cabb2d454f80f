// As client libraries do: throws the events of the first answer at each event_t away and asks again, and reads no events of an answer
// that ends the task.
import { main, makeClient, pieces } from '../../../fixtures/clients/reference.mjs';

export const run = makeClient({
  async poll() {
    const first = await pieces.poll.call(this);
    return this.isOver(first.status) ? first : pieces.poll.call(this);
  },
  take(task) {
    return pieces.take.call(this, this.isOver(task.status) ? { ...task, events: [] } : task);
  },
});
await main(import.meta.url, run);
