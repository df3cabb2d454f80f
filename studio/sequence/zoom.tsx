import { signal } from '@preact/signals';

/** Scale of diagrams: smaller ones show more rows, and more of each text. */
export const zoom = signal(1);

const STEPS = [0.6, 0.75, 1, 1.25, 1.5, 2];

function changeZoom(by: 1 | -1): void {
  const at = STEPS.indexOf(zoom.value) + by;
  zoom.value = STEPS[at] ?? zoom.value;
}

const KEYS: Readonly<Record<string, () => void>> = {
  '+': () => changeZoom(1),
  // On many keyboards, + without shift.
  '=': () => changeZoom(1),
  '-': () => changeZoom(-1),
  '0': () => {
    zoom.value = 1;
  },
};

/** Returns true if the key changes the zoom. */
export function zoomByKey(key: string): boolean {
  KEYS[key]?.();
  return key in KEYS;
}

export function ZoomButtons() {
  const percent = `${Math.round(zoom.value * 100)} %`;
  return (
    <span class="zoom" role="group" aria-label="Zoom">
      <button
        type="button"
        class="small"
        aria-label="Smaller"
        disabled={zoom.value === STEPS[0]}
        onClick={() => changeZoom(-1)}
      >
        −
      </button>
      {zoom.value !== 1 && (
        <button type="button" class="small" aria-label={`${percent}, original size`} onClick={KEYS['0']}>
          {percent}
        </button>
      )}
      <button
        type="button"
        class="small"
        aria-label="Larger"
        disabled={zoom.value === STEPS.at(-1)}
        onClick={() => changeZoom(1)}
      >
        +
      </button>
    </span>
  );
}
