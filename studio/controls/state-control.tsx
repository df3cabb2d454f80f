import { admin } from '../live/admin-client.js';
import { download } from '../parts/download.js';
import { selectTask } from '../selection.js';
import { Button, Group, perform } from './control-parts.js';

export function StateControl({ target }: { target: 'mock' | 'proxy' }) {
  const save = async () =>
    download('taskdouble-state.json', JSON.stringify(await admin.fetchState()), 'application/json');
  const restore = async ({ currentTarget }: Event) => {
    const input = currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    if (confirm(`Replace what this mock holds with ${file.name}?`))
      await perform(`restored ${file.name}`, file.text().then(admin.restore));
    // Without this, choosing the same file again fires no event.
    input.value = '';
  };
  const reset = async () => {
    if (!confirm('Remove all tasks, journals and organisations?')) return;
    if (await perform('reset', admin.reset())) selectTask(undefined);
  };
  return (
    <Group title={target === 'mock' ? 'State' : 'Journal'} docs={['fixtures-and-state', 'snapshots']}>
      <div class="line">
        {target === 'mock' && (
          <Button label="Save snapshot" onClick={() => perform('saved: it contains API keys', save())} />
        )}
        {target === 'mock' && (
          <label class="file">
            Restore … <input type="file" accept=".json" aria-label="Restore a snapshot" onChange={restore} />
          </label>
        )}
        <Button label="Reset" onClick={reset} />
      </div>
    </Group>
  );
}
