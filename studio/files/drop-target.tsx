import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toVisible } from '../../spec/visible.js';
import { Button, outcome, perform } from '../controls/control-parts.js';
import { KeyChoice } from '../controls/scenarios/key-choice.js';
import { ScenarioDrawing } from '../controls/scenarios/scenario-drawing.js';
import { admin } from '../live/admin-client.js';
import type { LivePage, PageData } from '../page-data.js';
import { formatKeyName } from '../parts/key-name.js';
import { closeFile, type OpenedFile, openedFile, openFile } from './opened-file.js';

/**
 * Opens files that are dropped on the page. `children`: the page itself, which a recording, report or race takes the place of; `render`
 * shows it.
 */
export function DropTarget({
  target,
  children,
  render,
}: {
  target: LivePage['target'];
  children: ComponentChildren;
  render: (page: PageData) => ComponentChildren;
}) {
  const isOver = useDroppedFiles(target);
  const opened = openedFile.value;
  return (
    <>
      {opened?.kind === 'page' ? (
        <div class="opened">
          <nav class="opened-bar line" aria-label="Dropped file">
            <Button label={`← Back to the ${target}`} onClick={closeFile} />
            <strong>{toVisible(opened.name, 100)}</strong>
          </nav>
          <FileBoundary key={opened.name} name={opened.name}>
            {render(opened.page)}
          </FileBoundary>
        </div>
      ) : (
        children
      )}
      {opened?.kind === 'scenario' && <DroppedScenario opened={opened} />}
      {opened?.kind === 'problem' && <FileProblem message={opened.message} />}
      {isOver && (
        <div class="drop-hint">
          Drop a {target === 'mock' ? 'scenario, ' : ''}journal, HAR, report or race file
        </div>
      )}
    </>
  );
}

function useDroppedFiles(target: LivePage['target']): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false), {
      signal,
    });
    addEventListener(
      'drop',
      (event) => {
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (!file) return;
        // Otherwise the browser leaves the page for the file.
        event.preventDefault();
        void openFile(file, target);
      },
      { signal },
    );
    return () => stop.abort();
  }, []);
  return isOver;
}

function FileProblem({ message }: { message: string }) {
  return (
    <FileDialog label="File">
      <p class="bad" role="alert">
        {toVisible(message, 600)}
      </p>
      <Button label="Close" onClick={closeFile} />
    </FileDialog>
  );
}

function DroppedScenario({ opened: { name, text, preview } }: { opened: OpenedFile & { kind: 'scenario' } }) {
  const [organisation, setOrganisation] = useState('');
  const whose = organisation === '' ? 'of each key' : `of ${formatKeyName(organisation)}`;
  const play = async () => {
    const sent = admin.queueScenario(organisation || undefined, text, preview.name);
    if (await perform(`the next task ${whose} follows ${name}`, sent)) closeFile();
  };
  return (
    <FileDialog label={name}>
      <div class="drawing">
        <ScenarioDrawing preview={preview} />
      </div>
      <footer class="line">
        <KeyChoice value={organisation} onChange={setOrganisation} />
        <Button label="Play it" onClick={() => void play()} />
        <Button label="Close" onClick={closeFile} />
        {outcome.value?.isError && <span class="bad">{toVisible(outcome.value.text, 200)}</span>}
      </footer>
    </FileDialog>
  );
}

function FileDialog({ label, children }: { label: string; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="file-dialog" aria-label={label} onClose={closeFile}>
      {children}
    </dialog>
  );
}

/** A file has the form that its kind needs only if the program that wrote it is right. */
class FileBoundary extends Component<{ name: string; children: ComponentChildren }, { error?: Error }> {
  override state: { error?: Error } = {};

  override componentDidCatch(error: Error) {
    this.setState({ error });
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <p class="bad empty" role="alert">
        {toVisible(`${this.props.name} cannot be shown: ${this.state.error.message}`, 400)}
      </p>
    );
  }
}
