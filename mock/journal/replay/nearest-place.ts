import { nearest } from '../../../spec/nearest.js';
import type { Asked } from './sameness.js';
import type { Take } from './voice.js';

/** What is told apart at most: to compare texts takes time, and somebody waits for the answer. */
const MOST_SHAPES = 1000;
const LONGEST = 300;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Finds what a request that was not recorded may have meant. */
export class NearestPlace {
  /** By method and path without their ids: a thousand tasks that were polled make one. */
  readonly #shapes = new Map<string, Take[]>();

  constructor(takes: Iterable<Take>) {
    for (const take of takes) {
      if (take.place.length > LONGEST) continue;
      const shape = shapeOf(take.place);
      const alike = this.#shapes.get(shape);
      if (alike) alike.push(take);
      else if (this.#shapes.size < MOST_SHAPES) this.#shapes.set(shape, [take]);
    }
  }

  /** The first exchange whose method and path are most like these, of those with the same ids if there are such. */
  of({ method, path }: Asked): Take | undefined {
    const place = `${method} ${path}`;
    if (place.length > LONGEST) return undefined;
    const shape = nearest(shapeOf(place), this.#shapes.keys());
    const alike = shape === undefined ? [] : this.#shapes.get(shape)!;
    const ids = place.match(ID) ?? [];
    return alike.find((take) => ids.some((id) => take.place.includes(id))) ?? alike[0];
  }
}

function shapeOf(place: string): string {
  return place.replace(ID, '*');
}
